//! `mainroad analyse`: positions, whole games, what is written back, and runs that are ended and go on.
//!
//! The games of `analyse/games.pdn` were made for these tests: one with a planted blunder and everything that a game can have, one that is bad,
//! one of Pool with the same blunder turned round, one that is played on behind a draw by repetition, one of another game, one that ends.

mod files;
mod pages;
mod positions;
mod resuming;

use crate::support::data;
use serde_json::Value as Json;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A folder of a test's own.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let name = format!("analyse-{name}-{}", std::process::id());
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("the target folder can be written");
        Self(path)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Writes a file and returns its path.
    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, text).expect("the folder can be written");
        path
    }

    fn read(&self, name: &str) -> String {
        let path = self.path(name);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// Returns the names of the files in it.
    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).expect("it can be listed");
        let names = entries.map(|entry| entry.expect("it is there").file_name());
        let mut names: Vec<String> = names
            .map(|name| name.to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn games() -> PathBuf {
    data("analyse/games.pdn")
}

fn text(path: &Path) -> &str {
    path.to_str().expect("it is UTF-8")
}

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mainroad"));
    command.arg("analyse").args(args);
    command
}

/// What a run came to.
struct Ran {
    code: Option<i32>,
    out: String,
    err: String,
}

impl Ran {
    fn of(output: Output) -> Self {
        Self {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).expect("output is UTF-8"),
            err: String::from_utf8(output.stderr).expect("errors are UTF-8"),
        }
    }

    /// Returns the objects on standard output.
    #[track_caller]
    fn objects(&self) -> Vec<Json> {
        let parse =
            |line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        self.out.lines().map(parse).collect()
    }
}

fn analyse(args: &[&str]) -> Ran {
    Ran::of(command(args).output().expect("the program was built"))
}

/// Runs it with a text on standard input.
fn analyse_input(args: &[&str], input: &str) -> Ran {
    let mut command = command(args);
    let piped = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = piped.spawn().expect("the program was built");
    let mut stdin = child.stdin.take().expect("it is piped");
    let input = input.to_owned();
    let writer = std::thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
    let output = child.wait_with_output().expect("it ends");
    writer.join().expect("it writes");
    Ran::of(output)
}
