//! Callers that come, go, interrupt and misbehave, and requests that come to nothing.

use super::{PATIENCE, Peer, Program, USUAL, meet};
use crate::support::Rng;
use std::io::Read;
use std::net::{Shutdown, TcpListener};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Whatever a connection brings, the next one is served.
#[test]
fn a_listener_outlives_its_callers() {
    let (mut program, port) = Program::listen(&["--variant", "russian"]);
    let megabyte = vec![b'M'; 1 << 20];
    let noise: Vec<u8> = {
        let mut rng = Rng(12);
        (0..100_000).map(|_| rng.below(256) as u8).collect()
    };
    // Nothing, a part of a message, garbage, a megabyte without an end.
    for bytes in [
        &b""[..],
        b"R01half a req",
        b"GET / HTTP/1.1\r\n\r\n",
        b"\0\0\0\0",
        &megabyte,
    ] {
        let mut peer = Peer::connect(port);
        peer.send_bytes(bytes);
        drop(peer);
    }
    // After that a conversation is possible, on the same connection too.
    let mut peer = Peer::connect(port);
    peer.send_bytes(&megabyte);
    peer.send("");
    peer.ask('W', USUAL);
    peer.expect("AMainroad*0");
    peer.expect("M0*");
    drop(peer);
    let mut peer = Peer::connect(port);
    // Random bytes may by chance be a message that is answered, so answers are read at the same time.
    let mut input = peer.stream.try_clone().expect("it is open");
    let reader = thread::spawn(move || std::io::copy(&mut input, &mut std::io::sink()));
    peer.send_bytes(&noise);
    peer.stream.shutdown(Shutdown::Both).expect("it is open");
    let _ = reader.join().expect("it reads");
    let mut peer = Peer::connect(port);
    peer.ask('Z', USUAL);
    peer.expect("AMainroad*0");
    peer.send("E01");
    peer.expect("E01");
    assert_eq!(peer.hear(), None);
    assert!(program.child.try_wait().expect("it can be asked").is_none());
}

/// A log that cannot be written is spoken of once, and the game goes on.
#[cfg(target_os = "linux")]
#[test]
fn a_full_log_is_a_warning() {
    let args = "listen --variant brazilian --once --book none --log /dev/full";
    let (program, mut peer) = meet(args);
    peer.ask('W', USUAL);
    peer.expect("A*0");
    peer.expect("M0*");
    peer.send("E21");
    peer.expect("E01");
    let (_, err) = program.leave();
    let warnings = err.matches("mainroad: warning: log: /dev/full: No space left on device");
    assert_eq!(warnings.count(), 1, "{err}");
}

/// A caller in the middle of somebody else's game is told so, and the game goes on.
#[test]
fn a_second_caller_is_refused() {
    let (_program, port) = Program::listen(&["--variant", "russian"]);
    let mut first = Peer::connect(port);
    first.ask('Z', USUAL);
    first.expect("A*0");
    for _ in 0..2 {
        let mut second = Peer::connect(port);
        second.ask('W', USUAL);
        second.expect("AMainroad*3");
        assert_eq!(second.hear(), None);
    }
    first.send("M0000221800");
    first.expect("M0*");
}

/// The program hears the other side while it thinks.
#[test]
fn a_search_is_interrupted() {
    let (_program, port) = Program::listen(&["--variant", "russian", "--book", "none"]);
    let mut peer = Peer::connect(port);
    // A quarter of an hour for a first move, or more.
    peer.ask('W', "999001BWzzzzzzzzzzzzeeeeeeeewwwwwwwwwwww");
    peer.expect("A*0");
    peer.send("CAre you there?");
    peer.send("B002W");
    peer.expect("K1");
    let asked = Instant::now();
    peer.send("E00");
    peer.expect("E00");
    assert!(
        asked.elapsed() < Duration::from_secs(2),
        "{:?}",
        asked.elapsed()
    );
    // And is ready for the next game.
    peer.ask('Z', USUAL);
    peer.expect("A*0");
}

/// The first move keeps its distance from the acceptance, and no two messages come in one piece.
#[test]
fn messages_keep_their_distance() {
    let (_program, port) = Program::listen(&["--variant", "russian"]);
    let mut peer = Peer::connect(port);
    peer.ask('W', USUAL);
    peer.expect("A*0");
    let accepted = Instant::now();
    peer.expect("M0*");
    assert!(
        accepted.elapsed() >= Duration::from_millis(80),
        "{:?}",
        accepted.elapsed()
    );
    // Two illegal moves in one piece are answered by two messages.
    peer.send_bytes(b"M0000010100\0M0000010100\0");
    peer.expect("Cerror: *");
    let answered = Instant::now();
    peer.expect("Cerror: *");
    assert!(
        answered.elapsed() >= Duration::from_millis(15),
        "{:?}",
        answered.elapsed()
    );
}

/// Whoever asks for games and gets none, or not all, is told so at once. What the other side says to the requests; no `A...0` means that
/// there is no game, and the connection stays open.
#[test]
fn an_initiator_without_games() {
    let accepts = format!("A{:32}0", "Tester");
    for (answers, part) in [
        (vec!["E01"], "wants no more games after 0 of 2"),
        (vec!["E21"], "wants no more games after 0 of 2"),
        (vec!["A"], "cannot be read: the answer's code is \"\""),
        (vec!["ATester                          7"], "code is \"7\""),
        (vec!["ATester                          3"], "no games"),
        (vec![&accepts, "E11"], "wants no more games after 1 of 2"),
        (
            vec![&accepts, "E10", "E01"],
            "wants no more games after 1 of 2",
        ),
    ] {
        let started = Instant::now();
        let (mut program, mut peer) = meet("connect --variant pool --games 2 --book none");
        peer.expect("R01*");
        for answer in &answers {
            peer.send(answer);
        }
        while peer.hear().is_some() {}
        let mut err = String::new();
        let _ = program.err.read_to_string(&mut err);
        let status = program.child.wait().expect("it leaves");
        assert_eq!(status.code(), Some(1), "{answers:?}: {err}");
        assert!(err.contains(part), "{answers:?}: {err}");
        assert!(started.elapsed() < PATIENCE, "{answers:?}");
    }
}

/// Errors are one line that says what, where and why.
#[test]
fn errors() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let port = listener.local_addr().expect("it has one").port();
    let closed = {
        let gone = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        gone.local_addr().expect("it has one").port()
    };
    for (args, code, part) in [
        (
            format!("listen --port {port}"),
            1,
            format!("cannot listen: 127.0.0.1 port {port}: "),
        ),
        (
            "listen --address nowhere.invalid".to_owned(),
            1,
            "cannot listen: nowhere.invalid port 27531: ".to_owned(),
        ),
        (
            "listen --port 0 --log /no/such/folder/log".to_owned(),
            1,
            "log: /no/such/folder/log: ".to_owned(),
        ),
        (
            format!("connect 127.0.0.1:{closed}"),
            1,
            format!("cannot connect: 127.0.0.1:{closed}: "),
        ),
        (
            "connect nowhere.invalid".to_owned(),
            1,
            "cannot connect: nowhere.invalid:27531: ".to_owned(),
        ),
        (
            "connect localhost --openings /no/file".to_owned(),
            1,
            "cannot read: /no/file: ".to_owned(),
        ),
        (
            "connect localhost:port".to_owned(),
            2,
            "expected HOST or HOST:PORT".to_owned(),
        ),
        (
            "connect localhost --minutes 0".to_owned(),
            2,
            "from 0.01 to 999".to_owned(),
        ),
        (
            "connect localhost --moves 1000".to_owned(),
            2,
            "0..=999".to_owned(),
        ),
        ("listen --port 70000".to_owned(), 2, "0..=65535".to_owned()),
        ("dance".to_owned(), 2, "dance".to_owned()),
        (String::new(), 2, "listen".to_owned()),
    ] {
        let run = Command::new(env!("CARGO_BIN_EXE_mainroad"))
            .arg("dxp")
            .args(args.split_whitespace())
            .stdin(Stdio::null())
            .output()
            .expect("the binary is there");
        let err = String::from_utf8_lossy(&run.stderr);
        assert_eq!(run.status.code(), Some(code), "{args}: {err}");
        assert!(err.contains(&part), "{args}: {err}");
        assert!(code == 2 || err.lines().count() == 1, "{args}: {err}");
    }
}
