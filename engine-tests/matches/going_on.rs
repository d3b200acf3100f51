//! Matches that are killed, interrupted, shared out or without room on the disk: no finished game is lost.

use super::{Folder, PROGRAM, Run, SMALL, assert_same_games, games, objects};
use std::fs::OpenOptions;
use std::io::Write;
use std::process::Command;
use std::time::{Duration, Instant};

/// A match that is killed at any time goes on where it was, and comes to the same.
#[test]
fn killed_matches_go_on() {
    let folder = Folder::new("killed");
    let line = format!("{SMALL} --games 24 --concurrency 2 --json --journal");
    let whole = folder.succeed(&format!("{line} whole.jsonl"));
    let line = format!("{line} part.jsonl");
    let mut child = folder.start(&line);
    folder.wait_for("part.jsonl", 4);
    child.kill().expect("it can be killed");
    let _ = child.wait();
    // A loss of power in the middle of a line.
    let complete = folder.text("part.jsonl");
    let complete = &complete[..=complete.rfind('\n').expect("there are lines")];
    let before = games(&objects(complete));
    let file = OpenOptions::new()
        .append(true)
        .open(folder.path("part.jsonl"));
    let torn = file.and_then(|mut file| file.write_all(b"{\"game\":23,\"round\":1"));
    torn.expect("it can be written");

    let run = folder.succeed(&line);
    assert_same_games(run.games(), whole.games());
    let after = folder.journal("part.jsonl");
    assert_eq!(after.len(), 24);
    for (game, record) in before {
        assert_eq!(after[&game], record, "a finished game is not played again");
    }
    // Everything is there, so nothing is played, and the answer is the same.
    assert_eq!(folder.succeed(&line).summary(), run.summary());
}

/// Ctrl-C ends a match at once; the exit code tells so, and what is finished is reported.
#[test]
#[cfg(unix)]
fn interrupted_matches_report_and_go_on() {
    let folder = Folder::new("interrupted");
    let child = folder.start(&format!("{SMALL} --games 4000 --json --journal j.jsonl"));
    folder.wait_for("j.jsonl", 3);
    let id = child.id().to_string();
    let status = Command::new("kill").args(["-INT", &id]).status();
    assert!(status.expect("kill is there").success());
    let asked = Instant::now();
    let run = Run::of(child);
    assert!(asked.elapsed() < Duration::from_secs(5));
    assert_eq!(run.code, 130, "{}", run.err);
    assert_eq!(run.summary()["games"], folder.journal("j.jsonl").len());
}

/// The parts of a match, played by several processes at the same time, add up to what one process plays.
#[test]
fn shards_add_up_exactly() {
    let folder = Folder::new("shards");
    let line = format!("{SMALL} --games 14 --openings idf-150 --variant pool --seed 7");
    let whole = folder.succeed(&format!(
        "{line} --json --journal whole.jsonl --pdn whole.pdn"
    ));
    let parts = ["1/3", "2/3", "3/3"];
    let runs = parts.map(|part| folder.start(&format!("{line} --shard {part}")));
    for run in runs.map(Run::of) {
        assert_eq!(run.code, 0, "{}", run.err);
    }
    let files: Vec<String> = folder
        .names()
        .into_iter()
        .filter(|name| name.contains("-of-3"))
        .collect();
    let [first, second, third] = &files[..] else {
        panic!("{files:?}");
    };
    let merged = folder.succeed(&format!(
        "match merge {first} {second} {third} --json --out merged.jsonl --pdn merged.pdn"
    ));
    assert_same_games(merged.games(), whole.games());
    let numbers = |run: &Run| {
        let mut summary = run.summary();
        for player in summary["players"].as_array_mut().expect("a list") {
            let player = player.as_object_mut().expect("an object");
            player.retain(|name, _| !name.contains("time"));
        }
        summary
    };
    assert_eq!(numbers(&merged), numbers(&whole));
    // The merged journal is a journal of the whole match.
    let again = folder.succeed("match merge merged.jsonl --json");
    assert_eq!(again.out, merged.out);

    let partial = folder.run(&format!("match merge {first} {third}"));
    assert_eq!(partial.code, 1);
    assert!(partial.err.contains("games are missing"), "{}", partial.err);
    for (files, said) in [
        (format!("{first} {second} {first}"), "is there twice"),
        (format!("{first} nowhere.jsonl"), "nowhere.jsonl"),
        (format!("{first} whole.pdn"), "not a line of a journal"),
    ] {
        folder.refuse(&format!("match merge {files}"), 1, said);
    }
}

/// Whoever reads only the beginning of the answer does not end the match.
#[test]
#[cfg(unix)]
fn a_closed_output_does_not_end_the_match() {
    let folder = Folder::new("closed-output");
    let script = format!("'{PROGRAM}' {SMALL} --games 10 --json --journal j.jsonl | head -n 1");
    let shell = folder.command("bash", &["-c".to_owned(), script]).spawn();
    let run = Run::of(shell.expect("bash is there"));
    assert_eq!(run.out.lines().count(), 1);
    assert_eq!(folder.journal("j.jsonl").len(), 10);
}

/// A disk that takes nothing more ends the match with one clear line, and what was finished is there when it goes on.
#[test]
#[cfg(unix)]
fn full_disks_lose_nothing() {
    let folder = Folder::new("full");
    let line = format!("{SMALL} --games 12 --journal j.jsonl");
    // A file that may not grow behaves as a full disk does; the signal that comes with it is ignored.
    let script = format!("trap '' XFSZ; ulimit -f 32; exec '{PROGRAM}' {line}");
    let shell = folder.command("bash", &["-c".to_owned(), script]).spawn();
    let run = Run::of(shell.expect("bash is there"));
    assert_eq!(run.code, 1, "{}", run.err);
    let last = run.err.lines().last().expect("it says why");
    let said = "mainroad: error: journal: j.jsonl: File too large";
    assert!(last.starts_with(said), "{last}");
    let before = folder.journal("j.jsonl");
    assert!((1..12).contains(&before.len()), "{}", before.len());
    folder.succeed(&line);
    let after = folder.journal("j.jsonl");
    assert_eq!(after.len(), 12);
    for (game, record) in before {
        assert_eq!(after[&game], record);
    }
}
