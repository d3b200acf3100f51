//! What is refused before the first game, with a word on what was expected.

use super::{Folder, SMALL};

/// What cannot be written is named before the first game, and a journal in use or of another match is left alone.
#[test]
#[cfg(target_os = "linux")]
fn bad_files_are_refused() {
    let folder = Folder::new("bad-files");
    folder.write("other.txt", "not a journal\n");
    folder.write("other.json", "{\"a\":1}\n");
    folder.succeed(&format!("{SMALL} --games 2 --journal one.jsonl"));
    let one = folder.text("one.jsonl");
    // Not even the administrator may write in /proc.
    for (more, said) in [
        ("--journal /proc/j.jsonl", "journal: /proc/j.jsonl"),
        (
            "--journal /nowhere/j.jsonl",
            "/nowhere/j.jsonl: No such file",
        ),
        ("--journal /dev/null", "expected a regular file"),
        ("--journal .", "journal: ."),
        ("--journal other.txt", "line 1: not a line of a journal"),
        (
            "--journal other.json",
            "line 1: not the beginning of a match",
        ),
        (
            "--journal one.jsonl --seed 2",
            "of another match (openings differs)",
        ),
        (
            "--journal one.jsonl --ponder",
            "of another match (ponder differs)",
        ),
        (
            "--journal one.jsonl --shard 1/2",
            "of another match (shard differs)",
        ),
        ("--pdn /proc/games.pdn", "cannot write: /proc/games.pdn"),
        ("--log /proc/logs", "cannot make the folder: /proc/logs"),
        ("--openings nowhere.pdn", "cannot read: nowhere.pdn"),
        ("--openings other.txt", "other.txt: none is good: line 1"),
    ] {
        folder.refuse(&format!("{SMALL} --games 2 {more}"), 1, said);
    }
    assert_eq!(folder.text("one.jsonl"), one);
    assert_eq!(folder.text("other.txt"), "not a journal\n");

    let line = format!("{SMALL} --games 2000 --journal used.jsonl");
    let mut first = folder.start(&line);
    folder.wait_for("used.jsonl", 1);
    folder.refuse(&line, 1, "another process is writing it");
    let _ = first.kill();
    let _ = first.wait();
}

/// A wrong command line is refused with one line that says what was expected.
#[test]
fn wrong_usage_is_explained() {
    let folder = Folder::new("usage");
    for (args, said) in [
        ("", "--engine"),
        ("--engine self", "expected at least two engines"),
        (
            "--engine self --engine dxp:host:port",
            "it is no address, expected hub:COMMAND, dxp:HOST:PORT or",
        ),
        (
            "--engine self --engine dxp:localhost --concurrency 2",
            "a DXP engine plays one game at a time",
        ),
        (
            "--engine self --engine dxp:localhost --set 2:hash=1",
            "a DXP engine has squares=hub or squares=pdn only",
        ),
        ("--engine self --engine hub:", "the command is empty"),
        ("--engine self --engine \"hub:'x\"", "a quote is not closed"),
        ("--engine self --engine self:hash", "an option has no value"),
        (
            "--engine self --engine self:variant=pool",
            "not for one engine to choose",
        ),
    ] {
        folder.refuse(&format!("match {args}"), 2, said);
    }
    for (args, said) in [
        ("--games 3", "expected an even number"),
        ("--time-control time=1,time=2", "bad time control"),
        ("--time-control inc=1", "bad time control"),
        (
            "--time-control depth=1 --time-control depth=2 --time-control depth=3",
            "expected one, or one for each",
        ),
        ("--shard 0/3", "expected I/N"),
        ("--sprt 5,0", "not above"),
        ("--sprt 5", "expected ELO0,ELO1"),
        ("--win-score 100,1", "expected CP,PLIES"),
        ("--win-score 4294967295,6", "expected CP,PLIES"),
        ("--draw-score 4294967295,6,0", "expected CP,PLIES"),
        ("--set 3:hash=1", "there is no such engine"),
        (
            "--name a --name a",
            "expected a text that no other engine has",
        ),
        ("--engine self --sprt 0,5", "expected two engines"),
    ] {
        folder.refuse(
            &format!("match --engine self --engine self {args}"),
            2,
            said,
        );
    }
    assert!(folder.names().is_empty(), "nothing is begun");
}

/// The tables of ballots: what is wrong in them is named, and the rest is played.
#[test]
fn faulty_ballots_are_named() {
    let folder = Folder::new("ballots");
    for (table, faults) in [
        (
            "idf-150",
            &["2-IV: the moves do not lead to the position"][..],
        ),
        (
            "fmjd-64",
            &[
                "16-I: the same position",
                "16-II: the same position",
                "45-IX: the moves do not lead",
            ],
        ),
    ] {
        let run = folder.succeed(&format!(
            "{SMALL} --openings {table} --games 2 --journal none"
        ));
        let lines: Vec<&str> = run
            .err
            .lines()
            .filter(|line| line.contains("left out"))
            .collect();
        assert_eq!(lines.len(), faults.len(), "{lines:?}");
        for (line, fault) in lines.iter().zip(faults) {
            assert!(line.contains(fault), "{line}");
        }
    }
}
