//! `mainroad train`: games of the engine against itself, weights fitted to them, and what is in files of either kind.

mod check;
mod data;
mod fit;
mod games;

use super::{Entry, Outcome, Streams, run_entry};
use clap::{ArgMatches, Command};

pub(super) const ENTRY: Entry = Entry { command, run };

/// The steps of training.
const COMMANDS: &[Entry] = &[games::ENTRY, fit::ENTRY, check::ENTRY];

fn command() -> Command {
    Command::new("train")
        .about("Trains the evaluation by games of the engine against itself")
        .long_about(
            "Trains the evaluation on a plain computer: `games` makes positions by self-play, `fit` fits the weights of an evaluation to them, \
             `check` says what is in the files of both. The weights are used by --net FILE of the other commands.",
        )
        .subcommand_required(true)
        .subcommands(COMMANDS.iter().map(|entry| (entry.command)()))
        .after_help("Example: mainroad train games --variant pool --positions 100000 --out pool.games")
}

fn run(args: &ArgMatches, streams: &mut Streams) -> Outcome {
    let (name, args) = args.subcommand().expect("clap requires one");
    run_entry(COMMANDS, name, args, streams)
}
