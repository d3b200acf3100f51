//! The inputs collected by fuzzing, replayed through the same functions; see `fuzz/README.md`.

#[expect(unreachable_pub, reason = "it is also a library of its own")]
mod checks;

use crate::support::{Rng, amount, data};
use std::panic::catch_unwind;

/// Runs a target on every file of its corpus; a panic names the file.
#[track_caller]
fn replay(target: &str, run: fn(&[u8])) {
    let folder = data("fuzz/corpus").join(target);
    let mut count = 0;
    for entry in std::fs::read_dir(&folder).expect("every target has a corpus") {
        let path = entry.expect("it can be listed").path();
        let bytes = std::fs::read(&path).expect("it can be read");
        let outcome = catch_unwind(|| run(&bytes));
        assert!(outcome.is_ok(), "{}", path.display());
        count += 1;
    }
    assert!(count >= 10, "{target}: {count} inputs");
}

#[test]
fn hub_lines() {
    replay("hub_line", checks::hub_line);
}

#[test]
fn positions() {
    replay("position", checks::position);
}

#[test]
fn dxp_frames() {
    replay("dxp_frame", checks::dxp_frame);
}

#[test]
fn move_texts() {
    replay("moves_text", checks::moves_text);
}

#[test]
fn pdn_files() {
    replay("pdn", checks::pdn);
}

#[test]
fn books() {
    replay("book", checks::book);
}

#[test]
fn weights_files() {
    replay("weights", checks::weights);
}

#[test]
fn tables_files() {
    replay("tables", checks::tables);
}

#[test]
fn games_files() {
    replay("games", checks::games);
}

#[test]
fn journals() {
    replay("journal", checks::journal);
}

#[test]
fn analyses() {
    replay("analysis", checks::analysis);
}

/// What of PDN a mutation puts in.
const PIECES: [&str; 26] = [
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "\"",
    "\\",
    "\n\n",
    "\r",
    "%",
    ";",
    "$",
    "*",
    "1-0",
    "1.",
    "1...",
    "c3-d4",
    "22-18",
    "b:d4",
    "!?",
    " ",
    "\n[Event \"x\"]\n",
    "[FEN \"W:WKd4:Bb2,g7\"]",
    "/FEN \"?:W22:B11\"/",
    "я",
];

/// The corpus of PDN, changed at random places. `PDN_MUTATIONS` asks for more.
#[test]
fn changed_pdn_files() {
    let folder = data("fuzz/corpus/pdn");
    let files = std::fs::read_dir(&folder).expect("it is there");
    let mut paths: Vec<_> = files
        .map(|file| file.expect("it can be listed").path())
        .collect();
    paths.sort();
    let files: Vec<Vec<u8>> = paths
        .iter()
        .map(|path| std::fs::read(path).expect("it can be read"))
        .collect();
    let seed = amount("PDN_SEED", 1) as u64;
    for round in 0..amount("PDN_MUTATIONS", 1000) as u64 {
        let mut rng = Rng(seed << 32 | round);
        let mut bytes = rng.pick(&files).clone();
        for _ in 0..=rng.below(6) {
            let at = 1 + rng.below(bytes.len());
            let end = (at + rng.below(20)).min(bytes.len());
            match rng.below(4) {
                0 => drop(bytes.splice(at..at, rng.pick(&PIECES).bytes())),
                1 => drop(bytes.splice(at..end, rng.pick(&PIECES).bytes())),
                2 => drop(bytes.drain(at.min(end)..end)),
                _ => {
                    let other = rng.pick(&files).clone();
                    let from = rng.below(other.len());
                    bytes.truncate(at);
                    bytes.extend(&other[from..]);
                }
            }
        }
        let outcome = catch_unwind(|| checks::pdn(&bytes));
        assert!(
            outcome.is_ok(),
            "seed {seed}, round {round}: {}",
            bytes.escape_ascii()
        );
    }
}

/// Each target is declared, and each has a corpus that is replayed above.
#[test]
fn no_target_is_forgotten() {
    let manifest = std::fs::read_to_string(data("fuzz/Cargo.toml")).expect("it is there");
    let source = std::fs::read_to_string(data("fuzz.rs")).expect("it is there");
    for entry in std::fs::read_dir(data("fuzz/fuzz_targets")).expect("it is there") {
        let path = entry.expect("it can be listed").path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        assert!(manifest.contains(&format!("name = \"{name}\"")), "{name}");
        assert!(source.contains(&format!("checks::{name})")), "{name}");
    }
}
