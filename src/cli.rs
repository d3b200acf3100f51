//! The command line: one file for each command, and what they share.
//!
//! A command is an `Entry`: how clap sees it, and the function that runs it. To add one is to write its file and to name
//! its entry in `COMMANDS`. Options of the engine are never declared here: `options` makes their arguments from
//! [`OPTIONS`](crate::engine::OPTIONS). Commands that answer for a position share `positions`: `--fen`, `--moves`, `--json`,
//! and the stream of positions on standard input.
//!
//! Only this layer opens the standard streams. Commands write to `Streams` and return an `Outcome`, which [`run`] turns into the exit code
//! and at most one line on standard error. The process ends with `main`, or at Ctrl-C where nothing else can end it (`interruption`).

mod analyse;
mod bench;
mod board;
mod book;
mod completions;
mod dxp;
mod faster;
mod files;
mod hub;
mod input;
mod interruption;
mod json;
mod man;
mod matches;
mod moves;
mod openings;
mod options;
mod pdn;
mod perft;
mod positions;
mod progress;
mod shell;
mod solve;
mod tables;
mod train;
mod usage;
mod version;

pub use faster::prefer_faster_build;

use crate::notation::on_one_line;
use clap::{ArgMatches, Command};
use std::ffi::OsString;
use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

/// Every command, in the order of the help.
const COMMANDS: &[Entry] = &[
    hub::ENTRY,
    dxp::ENTRY,
    shell::ENTRY,
    moves::ENTRY,
    board::ENTRY,
    analyse::ENTRY,
    perft::ENTRY,
    solve::ENTRY,
    pdn::ENTRY,
    bench::ENTRY,
    book::ENTRY,
    matches::ENTRY,
    tables::ENTRY,
    train::ENTRY,
    completions::ENTRY,
    man::ENTRY,
];

/// A command.
struct Entry {
    /// Returns what clap knows of it: name, arguments, help.
    command: fn() -> Command,
    /// Runs it.
    run: fn(&ArgMatches, &mut Streams) -> Outcome,
}

/// Where a command writes.
struct Streams<'a> {
    /// Standard output: answers.
    out: &'a mut dyn Write,
    /// Standard error: progress and warnings.
    err: &'a mut dyn Write,
}

/// What a command came to.
type Outcome = Result<Answered, Failure>;

/// What was answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answered {
    /// All that was asked.
    Yes,
    /// The answer is no, or part of the input was bad and has been reported.
    No,
    /// The user has ended it; what was finished is kept.
    Interrupted,
}

/// Says why a command did not do its work. The text is one line.
#[derive(Debug, thiserror::Error)]
enum Failure {
    /// The command line is wrong in a way that only the command can see.
    #[error("wrong usage: {0} (try --help)")]
    Usage(String),
    /// The input is bad, or something could not be had.
    #[error("{0}")]
    Failed(String),
    /// Standard output takes nothing more.
    #[error("cannot write: standard output: {0}")]
    Output(#[from] io::Error),
}

/// The exit code of a wrong command line.
const EXIT_USAGE: u8 = 2;

/// The exit code after Ctrl-C, as shells have it.
const EXIT_INTERRUPTED: u8 = 130;

/// Runs the program with the arguments and the standard streams of the process, and returns its exit code.
///
/// 0: done. 1: the answer is no, or the input was bad. 2: the command line is wrong. 130: interrupted.
pub fn run() -> ExitCode {
    let mut streams = Streams {
        out: &mut io::stdout().lock(),
        err: &mut io::stderr(),
    };
    let outcome = dispatch(std::env::args_os(), &mut streams).and_then(|answered| {
        streams.out.flush()?;
        Ok(answered)
    });
    conclude(outcome, streams.err)
}

/// Returns a number with what it counts.
fn counted<N: Copy + Display + PartialEq + From<u8>>(count: N, one: &str, more: &str) -> String {
    let word = if count == N::from(1) { one } else { more };
    format!("{count} {word}")
}

/// Reports a failure and returns the exit code.
fn conclude(outcome: Outcome, err: &mut dyn Write) -> ExitCode {
    let failure = match outcome {
        Ok(Answered::Yes) => return ExitCode::SUCCESS,
        Ok(Answered::No) => return ExitCode::FAILURE,
        Ok(Answered::Interrupted) => return ExitCode::from(EXIT_INTERRUPTED),
        // Whoever read the answer has seen enough.
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            return ExitCode::SUCCESS;
        }
        Err(failure) => failure,
    };
    // If nobody reads this either, there is nothing left to do.
    let _ = writeln!(
        err,
        "mainroad: error: {}",
        on_one_line(&failure.to_string())
    );
    match failure {
        Failure::Usage(_) => ExitCode::from(EXIT_USAGE),
        Failure::Failed(_) | Failure::Output(_) => ExitCode::FAILURE,
    }
}

fn dispatch(args: impl Iterator<Item = OsString>, streams: &mut Streams) -> Outcome {
    let args = match command().try_get_matches_from(args) {
        Ok(args) => args,
        Err(error) => return usage::conclude(&error, streams),
    };
    match args.subcommand() {
        Some((name, args)) => run_entry(COMMANDS, name, args, streams),
        None if io::stdin().is_terminal() => shell::run_with_defaults(streams),
        None => hub::run_with_defaults(streams),
    }
}

/// Runs the command of a name.
fn run_entry(entries: &[Entry], name: &str, args: &ArgMatches, streams: &mut Streams) -> Outcome {
    let mut entries = entries.iter();
    let entry = entries.find(|entry| (entry.command)().get_name() == name);
    (entry.expect("clap knows no other names").run)(args, streams)
}

/// Returns the whole command line as clap sees it.
fn command() -> Command {
    Command::new("mainroad")
        .version(env!("CARGO_PKG_VERSION"))
        .about("A draughts engine for American Pool checkers, Russian and Brazilian draughts")
        .long_about(
            "A draughts engine for American Pool checkers, Russian and Brazilian draughts.\n\n\
             Without a command it plays a person if standard input is a terminal, and speaks the Hub protocol if it is not.\n\n\
             Exit codes: 0 done; 1 the answer is no, or part of the input was bad; 2 the command line is wrong; 130 interrupted.",
        )
        .after_help("Example: mainroad moves --variant pool --fen 'B:W18,21,K30:B1,2,14'")
        .max_term_width(100)
        .subcommands(COMMANDS.iter().map(|entry| (entry.command)()))
}
