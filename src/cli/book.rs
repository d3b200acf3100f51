//! `mainroad book`: makes opening books, keeps them, and looks positions up in one.

mod build;
mod check;
mod export;
mod import;
mod info;
mod probe;

use super::{Entry, Failure, Outcome, Streams, run_entry};
use crate::book::{self, Book};
use crate::egdb::Tables;
use crate::engine::Options;
use crate::rules::Rules;
use crate::score::Depth;
use crate::search::{MAX_DEPTH, Team};
use crate::tools::book_building::Recipe;
use clap::{Arg, ArgMatches, Command, ValueHint, value_parser};
use std::fmt::Display;
use std::path::PathBuf;
use std::sync::Arc;

pub(super) const ENTRY: Entry = Entry { command, run };

/// The commands on books.
const COMMANDS: &[Entry] = &[
    build::ENTRY,
    check::ENTRY,
    probe::ENTRY,
    export::ENTRY,
    import::ENTRY,
    info::ENTRY,
    info::BALLOTS,
];

fn command() -> Command {
    Command::new("book")
        .about("Makes opening books, checks them, and looks positions up in one")
        .subcommand_required(true)
        .subcommands(COMMANDS.iter().map(|entry| (entry.command)()))
        .after_help("Example: mainroad book probe --variant pool --moves '11-15 22-18'")
}

fn run(args: &ArgMatches, streams: &mut Streams) -> Outcome {
    let (name, args) = args.subcommand().expect("clap requires one");
    run_entry(COMMANDS, name, args, streams)
}

/// Opens the book that the options name.
fn open<R: Rules>(options: &Options) -> Result<Book, Failure> {
    book::open::<R>(&options.book).map_err(|error| bad(&error))
}

/// Returns the failure to use a book.
fn bad(error: &dyn Display) -> Failure {
    Failure::Failed(format!("bad book: {error}"))
}

fn failed(error: &dyn Display) -> Failure {
    Failure::Failed(error.to_string())
}

/// Returns the arguments that tell how positions are searched.
fn recipe_args() -> [Arg; 2] {
    let nodes = Arg::new("nodes")
        .long("nodes")
        .value_name("N")
        .value_parser(value_parser!(u64).range(1..=1_000_000_000))
        .default_value("25000")
        .help("The positions searched for each move of a position, from 1 to 1000000000");
    let depth = Arg::new("depth")
        .long("depth")
        .value_name("N")
        .value_parser(value_parser!(i32).range(1..=i64::from(MAX_DEPTH)))
        .help(format!(
            "The depth in plies at which a search ends in any case, from 1 to {MAX_DEPTH} [default: none]"
        ));
    [nodes, depth]
}

/// Reads how positions are searched.
fn recipe<R: Rules>(args: &ArgMatches, options: &Options) -> Result<Recipe<R>, Failure> {
    let tables = Tables::<R>::embedded().map_err(|fault| failed(&fault))?;
    Ok(Recipe {
        nodes: *args.get_one("nodes").expect("it has a default"),
        depth: args.get_one::<Depth>("depth").copied(),
        evaluation: options.net.clone(),
        tables: Arc::new(tables),
    })
}

fn team(options: &Options) -> Result<Team, Failure> {
    Team::new(options.threads).map_err(|error| failed(&error))
}

fn seed_arg() -> Arg {
    Arg::new("seed")
        .long("seed")
        .value_name("N")
        .value_parser(value_parser!(u64))
        .default_value("1")
        .help("What is left to chance follows from this number")
}

/// Returns an argument for a file that is written.
fn out_arg() -> Arg {
    Arg::new("out")
        .long("out")
        .value_name("FILE")
        .value_parser(value_parser!(PathBuf))
        .value_hint(ValueHint::FilePath)
}
