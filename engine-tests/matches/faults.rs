//! Engines that crash, hang or cheat: each fault loses one game, and the match goes on.

use super::{Folder, PATIENCE, PROGRAM, text};
use crate::support::data;
use serde_json::json;
use std::fs;
use std::thread;
use std::time::Instant;

/// An engine that makes a fault once loses one game by it, is started anew, and plays the others.
#[track_caller]
fn check_fault(fault: &str, control: &str, kind: &str, detail: &str) {
    let folder = Folder::new(&format!("fault-{fault}-{control}"));
    let script = data("matches/engine.sh");
    let script = script.display();
    let started = Instant::now();
    let run = folder.succeed(&format!(
        "match --engine \"hub:sh '{script}' {fault} marker '{PROGRAM}' hub\" --engine self:hash=1 --name faulty \
         --set 1:hash=1 --time-control {control} --games 4 --max-plies 60 --patience 2 --margin 2000 --json"
    ));
    assert!(started.elapsed() < PATIENCE);
    let summary = run.summary();
    assert_eq!(summary["games"], 4, "{}", run.err);
    let forfeits = json!({ "faulty": { kind: 1 } });
    assert_eq!(summary["forfeits"], forfeits, "{}", run.err);
    let lost = &run.games()[&0];
    assert_eq!(lost["winner"], "B", "the faulty engine has White first");
    assert_eq!(lost["reason"], kind);
    assert_eq!(lost["fault"]["side"], "W");
    let said = text(&lost["fault"]["detail"]);
    assert!(said.contains(detail), "{said}");
    let line = format!("faulty loses by a fault: {kind}");
    assert!(run.err.contains(&line), "{}", run.err);
}

#[test]
fn faults_lose_one_game_each() {
    let checks = [
        ("illegal-move", "nodes=200", "illegal-move", "1-32"),
        ("garbage", "nodes=200", "garbage", "xyzzy"),
        ("no-move", "nodes=200", "garbage", "without a move"),
        ("killed", "nodes=200", "crash", "signal: 9"),
        ("leaves", "nodes=200", "crash", "exit status: 3"),
        ("orphan", "nodes=200", "crash", "exit status: 4"),
        ("closes", "nodes=200", "crash", "closed its output"),
        ("silent", "nodes=200", "hang", "no move within 2.000 s"),
        ("silent", "move-time=0.2", "time", "no move within 0.200 s"),
        (
            "silent",
            "time=0.5,inc=0.02",
            "time",
            "no move within 0.520 s",
        ),
        ("chatter", "nodes=200", "hang", "what is this?"),
        ("flood", "nodes=200", "flood", "does not end"),
        (
            "endless-line",
            "nodes=200",
            "hang",
            "no move within 2.000 s",
        ),
    ];
    thread::scope(|scope| {
        for (fault, control, kind, detail) in checks {
            scope.spawn(move || check_fault(fault, control, kind, detail));
        }
    });
}

/// Processes that an engine has started are killed with it, and nothing is left as a zombie.
#[test]
#[cfg(target_os = "linux")]
fn no_process_is_left() {
    let folder = Folder::new("reaped");
    // The engine is a shell that waits for its child; the number tells it from everything else.
    folder.write(
        "engine.sh",
        "while read -r line; do
            case $line in hub) echo wait ;; init) echo ready ;; go*) sleep 98765.4321 ;; esac
        done",
    );
    folder.succeed(
        "match --engine 'sh engine.sh' --engine self:hash=1 --time-control move-time=0.05 --games 2",
    );
    let processes = fs::read_dir("/proc").expect("Linux has it");
    for process in processes.flatten() {
        let command = fs::read(process.path().join("cmdline")).unwrap_or_default();
        let command = String::from_utf8_lossy(&command).replace('\0', " ");
        assert!(!command.contains("98765.4321"), "left: {command}");
    }
}

/// An engine that cannot be started at all is found before the match.
#[test]
fn engines_that_cannot_start_are_named() {
    let folder = Folder::new("cannot-start");
    folder.write("quiet.sh", "exit 7");
    folder.write(
        "plain.sh",
        "while read -r line; do
            case $line in hub) echo 'param name=size value=1 type=string' && echo wait ;; quit) exit ;; esac
        done",
    );
    for (engine, said) in [
        (
            "hub:/nowhere/engine",
            "engine engine: cannot start: /nowhere/engine",
        ),
        ("sh quiet.sh", "it ended before \"wait\": exit status: 7"),
        ("self:hash=-1", "expected a whole number"),
        ("self:no=1", "unknown option no"),
    ] {
        folder.refuse(&format!("match --engine '{engine}' --engine self"), 1, said);
    }
    folder.refuse(
        "match --engine 'sh plain.sh' --engine self --set 1:hash=1",
        1,
        "it has no parameter \"hash\", expected one of size",
    );
    let program = env!("CARGO_BIN_EXE_mainroad");
    folder.refuse(
        &format!("match --engine 'hub:{program} hub' --engine self --set 1:net=plain.sh"),
        1,
        "it refuses a parameter: ",
    );
    fs::create_dir(folder.path("broken")).expect("it can be made");
    folder.write("broken/russian-1K-1K.tables", "none");
    for (option, said) in [
        (
            "tables=broken",
            "engine self: cannot start: bad tables: broken",
        ),
        ("book=plain.sh", "book"),
    ] {
        let line = format!("match --engine self:{option} --engine self");
        folder.refuse(&line, 1, said);
    }
    assert_eq!(
        folder.names(),
        ["broken", "plain.sh", "quiet.sh"],
        "no journal is begun"
    );
}

/// An engine may leave while it is not playing, and is started again for its next game.
#[test]
fn idle_engines_may_leave() {
    let folder = Folder::new("idle");
    // White takes the last piece at once. One engine leaves after a second without input, the other takes longer for its move.
    folder.write("openings.txt", "W:W30:B26\nW:W31:B27\n");
    let answers = "case $line in
        hub) echo wait ;; init) echo ready ;; quit) exit ;;
        pos*wee*) move=30x23x26 ;; pos*) move=31x24x27 ;;
        go*) sleep $1; echo done move=$move ;;
    esac";
    folder.write(
        "idle.sh",
        &format!("while read -rt 1 line; do {answers}; done"),
    );
    folder.write(
        "slow.sh",
        &format!("while read -r line; do {answers}; done"),
    );
    let run = folder.succeed(
        "match --engine 'bash idle.sh 0' --engine 'bash slow.sh 2' --openings openings.txt \
         --time-control move-time=10 --in-order --json",
    );
    let summary = run.summary();
    assert_eq!(summary["forfeits"], json!({}), "{}", run.err);
    assert_eq!(summary["pentanomial"], json!([0, 0, 2, 0, 0]));
    assert_eq!(summary["wins_by_reason"], json!({ "no-pieces": 4 }));
}
