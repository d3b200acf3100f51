//! The inputs collected by fuzzing, replayed through the same functions; see `fuzz/README.md`.

#[expect(unreachable_pub, reason = "it is also a library of its own")]
mod checks;

use crate::support::data;
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
