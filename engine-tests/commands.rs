//! The built program: what it prints, its errors, its exit codes.

mod counts;
mod moves;
mod output;
#[cfg(unix)]
mod signals;
mod streams;
mod usage;

use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::thread;

/// What a run of the program came to.
struct Run {
    code: i32,
    out: String,
    err: String,
}

impl Run {
    fn of(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
        Self {
            code: output.status.code().expect("no signal ended it"),
            out: text(output.stdout),
            err: text(output.stderr),
        }
    }

    /// Returns the objects on standard output, one a line and nothing else.
    #[track_caller]
    fn objects(&self) -> Vec<Value> {
        let parse =
            |line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        self.out.lines().map(parse).collect()
    }

    /// Returns the nodes of the last line, which must be `N nodes M nps`.
    #[track_caller]
    fn nodes(&self) -> u64 {
        let last = self.out.lines().last().expect("there is output");
        let [nodes, "nodes", nps, "nps"] = last.split(' ').collect::<Vec<_>>()[..] else {
            panic!("{last}");
        };
        nps.parse::<u64>().expect("nps is a whole number");
        nodes.parse().expect("nodes is a whole number")
    }
}

fn program(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mainroad"));
    command.args(args);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn start(args: &[&str]) -> Child {
    program(args).spawn().expect("the program was built")
}

/// Runs the program with some bytes on standard input.
fn run_with(args: &[&str], input: &[u8]) -> Run {
    let mut child = start(args);
    let mut stdin = child.stdin.take().expect("it is a pipe");
    thread::scope(|scope| {
        scope.spawn(move || {
            // The program may end without reading everything.
            let _ = stdin.write_all(input);
        });
        Run::of(child.wait_with_output().expect("it ends"))
    })
}

fn run(args: &[&str]) -> Run {
    run_with(args, b"")
}

/// Runs the program, which must succeed, and returns the only object that it writes.
#[track_caller]
fn ask(args: &[&str]) -> Value {
    let run = run(args);
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{args:?}");
    let mut objects = run.objects();
    assert_eq!(objects.len(), 1, "{args:?}");
    objects.remove(0)
}

/// Returns a folder of its own for the files of a test.
fn folder(test: &str) -> PathBuf {
    let name = format!("commands-{test}-{}", std::process::id());
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).expect("the target folder can be written");
    folder
}
