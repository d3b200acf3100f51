//! The Hub protocol, one named check for each thing that a client relies on, against the built binary through pipes.
//!
//! Every check has an engine of its own. Whatever it does, each line that the engine writes is held against the grammar of the
//! protocol (`grammar`), each `go` must be answered by exactly one `done`, and nothing may come after the last answer
//! (`client`). The checks stand in tables by subject; a failure says which checks failed and why.

mod client;
mod engines;
mod grammar;
mod handshake;
mod levels;
mod parameters;
mod positions;
mod robustness;
mod searches;
mod strength;

use client::Client;
use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What is checked, in words, and how.
type Check = (&'static str, fn(&mut Client));

/// All tables.
const SUBJECTS: &[&[Check]] = &[
    engines::CHECKS,
    handshake::CHECKS,
    levels::CHECKS,
    parameters::CHECKS,
    positions::CHECKS,
    robustness::CHECKS,
    searches::CHECKS,
    strength::CHECKS,
];

/// Runs the checks of a table, all of them even if some fail.
#[track_caller]
fn run(checks: &[Check]) {
    let mut failed = Vec::new();
    for (name, check) in checks {
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            let mut client = Client::start();
            check(&mut client);
            client.finish();
        }));
        if let Err(cause) = outcome {
            let text = cause.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| cause.downcast_ref::<&str>().copied());
            failed.push(format!("{name}: {}", text.unwrap_or("a panic")));
        }
    }
    assert!(
        failed.is_empty(),
        "{} of {} checks failed:\n{}",
        failed.len(),
        checks.len(),
        failed.join("\n")
    );
}

#[test]
fn the_process() {
    run(engines::CHECKS);
}

#[test]
fn handshake() {
    run(handshake::CHECKS);
}

#[test]
fn levels() {
    run(levels::CHECKS);
}

#[test]
fn parameters() {
    run(parameters::CHECKS);
}

#[test]
fn positions() {
    run(positions::CHECKS);
}

#[test]
fn robustness() {
    run(robustness::CHECKS);
}

#[test]
fn searches() {
    run(searches::CHECKS);
}

#[test]
fn strength() {
    run(strength::CHECKS);
}

/// At least eighty checks, no two of the same name.
#[test]
fn names() {
    let names: Vec<&str> = SUBJECTS
        .iter()
        .flat_map(|checks| checks.iter().map(|(name, _)| *name))
        .collect();
    let different: HashSet<&str> = names.iter().copied().collect();
    assert_eq!(different.len(), names.len());
    assert!(names.len() >= 80, "{} checks", names.len());
}
