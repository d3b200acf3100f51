//! `mainroad hub`: the Hub protocol on the standard streams.

use super::options::{all_option_args, read_options};
use super::{Answered, Entry, Failure, Outcome, Streams};
use crate::engine::Options;
use crate::protocol::hub::{DriveError, drive};
use clap::{ArgMatches, Command};
use std::io::{self, BufReader};

pub(super) const ENTRY: Entry = Entry { command, run };

fn command() -> Command {
    Command::new("hub")
        .about("Speaks the Hub protocol on standard input and output")
        .long_about(
            "Speaks the Hub protocol, version 2, on standard input and output until \"quit\" or the end of the input. The \
             options are the initial values of the parameters of the same names.",
        )
        .args(all_option_args())
        .after_help("Example: mainroad hub --variant pool --threads 4 --hash 1024")
}

fn run(args: &ArgMatches, streams: &mut Streams) -> Outcome {
    speak(read_options(args), streams)
}

/// Speaks Hub as the program does without any argument.
pub(super) fn run_with_defaults(streams: &mut Streams) -> Outcome {
    speak(Options::default(), streams)
}

fn speak(options: Options, streams: &mut Streams) -> Outcome {
    let Streams { out, err } = streams;
    let mut warn = |text: &str| {
        // A warning that nobody reads must not stop the game.
        let _ = writeln!(err, "mainroad: warning: {text}");
    };
    match drive(BufReader::new(io::stdin()), out, options, &mut warn) {
        Ok(()) => Ok(Answered::Yes),
        Err(DriveError::Io(error)) => Err(Failure::Output(error)),
        Err(DriveError::Resources(error)) => Err(Failure::Failed(format!("cannot start: {error}"))),
    }
}
