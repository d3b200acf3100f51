//! Runs before the program is compiled: finds out which commit it is built from, which `mainroad --version` names.

use std::env;
use std::path::Path;
use std::process::Command;

/// Changes with every commit and every checkout.
const COMMIT_LOG: &str = ".git/logs/HEAD";

fn main() {
    println!("cargo::rerun-if-changed=src/build.rs");
    // Only a release asks: otherwise every commit would have the tests compiled again.
    let is_release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let commit = if is_release && Path::new(COMMIT_LOG).exists() {
        println!("cargo::rerun-if-changed={COMMIT_LOG}");
        commit()
    } else {
        None
    };
    let commit = commit.unwrap_or_else(|| "unknown".to_owned());
    println!("cargo::rustc-env=MAINROAD_COMMIT={commit}");
    let target = env::var("TARGET").unwrap_or_default();
    println!("cargo::rustc-env=MAINROAD_TARGET={target}");
}

/// Returns the hash of the commit, with `-dirty` behind it if files differ from it.
fn commit() -> Option<String> {
    let args = [
        "describe",
        "--always",
        "--dirty",
        "--abbrev=12",
        "--exclude=*",
    ];
    let output = Command::new("git").args(args).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let text = text.trim();
    (output.status.success() && !text.is_empty()).then(|| text.to_owned())
}
