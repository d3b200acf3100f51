//! DXP engines in matches of the runner.

use super::{Peer, Program};
use std::fs;
use std::net::TcpListener;
use std::process::{self, Command, Output};
use std::thread;

/// A DXP engine in a match of the runner: the games are whole, and their results those of the rules.
#[test]
fn a_dxp_engine_in_a_match() {
    let (_listener, port) = Program::listen(&["--variant", "russian", "--move-time", "0.01"]);
    let args = format!(
        "match --engine dxp:127.0.0.1:{port} --engine self:hash=1,book=none,net=material --time-control move-time=30 \
         --time-control nodes=200 --games 4 --journal none --json --max-plies 120"
    );
    let run = Command::new(env!("CARGO_BIN_EXE_mainroad"))
        .args(args.split_whitespace())
        .output()
        .expect("the binary is there");
    let Output {
        status,
        stdout,
        stderr,
    } = run;
    let text = String::from_utf8(stdout).expect("output is UTF-8");
    assert!(
        status.success(),
        "{text} {}",
        String::from_utf8_lossy(&stderr)
    );
    let objects: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("it is JSON"))
        .collect();
    assert_eq!(objects.len(), 5, "{text}");
    for game in &objects[..4] {
        assert!(game["fault"].is_null(), "{game}");
        let plies = game["moves"].as_array().expect("a list").len();
        assert!(plies > 20, "{game}");
    }
}

/// A DXP engine that is beaten is told so, with the move that beats it.
#[test]
fn a_dxp_engine_learns_its_results() {
    let pdn = format!("{}/told-{}.pdn", env!("CARGO_TARGET_TMPDIR"), process::id());
    let args = "--variant russian --book none --skill 0 --pdn";
    let args: Vec<&str> = args.split_whitespace().chain([pdn.as_str()]).collect();
    let (listener, port) = Program::listen(&args);
    let args = format!(
        "match --engine dxp:127.0.0.1:{port} --engine self:hash=1,book=none --time-control move-time=30 \
         --time-control nodes=2000 --games 4 --journal none --json --seed 3"
    );
    let run = Command::new(env!("CARGO_BIN_EXE_mainroad"))
        .args(args.split_whitespace())
        .output()
        .expect("the binary is there");
    assert!(run.status.success(), "{run:?}");
    drop(listener);
    let told = fs::read_to_string(&pdn).expect("it was written");
    let _ = fs::remove_file(&pdn);
    let mut told = told
        .lines()
        .filter_map(|line| line.strip_prefix("[Result "));
    let text = String::from_utf8(run.stdout).expect("output is UTF-8");
    let mut beaten = 0;
    for (line, number) in text.lines().zip(1..=4) {
        let game: serde_json::Value = serde_json::from_str(line).expect("it is JSON");
        let expected = match game["winner"].as_str() {
            Some("W") => Some("\"1-0\"]"),
            Some(_) => Some("\"0-1\"]"),
            None => None,
        };
        let told = told.next();
        assert!(
            expected.is_none() || told == expected,
            "game {number}: {told:?}, {game}"
        );
        beaten += u32::from(game["reason"] == "no-pieces" || game["reason"] == "blocked");
    }
    assert!(beaten > 0, "{text}");
}

/// What a DXP engine does to lose its game, and the reason that is given; one for each game.
const FAULTS: [(&str, &str); 6] = [
    ("E10", "resignation"),
    ("M0000010100", "illegal-move"),
    ("nonsense", "garbage"),
    ("E20", "garbage"),
    ("", "crash"),
    ("refusal", "start"),
];

/// Answers each request for a game by one of the faults, in turn, until nobody calls any more.
fn misbehave(listener: &TcpListener) {
    let mut faults = FAULTS.iter().map(|(fault, _)| *fault);
    for stream in listener.incoming() {
        let mut peer = Peer::new(stream.expect("it is open"));
        while let Some(message) = peer.hear() {
            if !message.starts_with('R') {
                // The answer to its own end of a game, or the end that the runner tells.
                continue;
            }
            match faults.next() {
                Some("") => break,
                Some("refusal") => peer.send(&format!("A{:32}2", "Test")),
                Some(fault) => {
                    peer.send(&format!("A{:32}0", "Test"));
                    peer.send(fault);
                }
                None => panic!("more games than expected"),
            }
        }
    }
}

/// Each fault loses one game, with its reason, and the match goes on.
#[test]
fn a_dxp_engine_that_misbehaves_in_a_match() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let address = listener.local_addr().expect("it has one");
    thread::spawn(move || misbehave(&listener));
    let args = format!(
        "match --engine dxp:{address} --engine self:hash=1,book=none --time-control nodes=100 --games 6 --journal none --json"
    );
    let run = Command::new(env!("CARGO_BIN_EXE_mainroad"))
        .args(args.split_whitespace())
        .output()
        .expect("the binary is there");
    let text = String::from_utf8(run.stdout).expect("output is UTF-8");
    let games: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("it is JSON"))
        .collect();
    assert_eq!(
        games.len(),
        FAULTS.len() + 1,
        "{text} {}",
        String::from_utf8_lossy(&run.stderr)
    );
    for (game, (fault, reason)) in games.iter().zip(FAULTS) {
        assert_eq!(game["reason"], *reason, "{fault}: {game}");
        let own = if game["white"] == "self" { "W" } else { "B" };
        assert_eq!(game["winner"], own, "{fault}: {game}");
    }
}
