//! `mainroad book export`: a book as games, or as a graph.

use super::{open, out_arg};
use crate::cli::files::OutputFile;
use crate::cli::options::{option_args, read_options};
use crate::cli::{Answered, Entry, Failure, Outcome, Streams, positions};
use crate::engine::Options;
use crate::notation::pdn;
use crate::rules::Rules;
use crate::tools::book_building::{ballots, export};
use crate::with_rules;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use std::path::PathBuf;

pub(super) const ENTRY: Entry = Entry { command, run };

fn command() -> Command {
    let format = Arg::new("format")
        .long("format")
        .value_name("NAME")
        .value_parser(["pdn", "dot"])
        .default_value("pdn")
        .help("What is written: games with variations, or a graph for Graphviz");
    let plies = Arg::new("plies")
        .long("plies")
        .value_name("N")
        .value_parser(value_parser!(u32).range(1..=60))
        .default_value("12")
        .help("How many plies from the position on are written, from 1 to 60");
    let ballots = Arg::new("ballots")
        .long("ballots")
        .action(ArgAction::SetTrue)
        .conflicts_with_all(["fen", "moves"])
        .help("Writes a game for every ballot, instead of one for a position [default: no]");
    let position = positions::args().into_iter();
    let position = position.filter(|arg| arg.get_id() != "json");
    Command::new("export")
        .about("Writes what a book knows from a position on as PDN or DOT")
        .long_about(
            "Writes what a book knows from a position on: as a PDN game, the best moves as its main line, others as variations, with scores from \
             White's view and results of games as comments; or as a graph in DOT, the language of Graphviz, with the moves that the engine may \
             play drawn solid. Where move orders meet, the game goes on only once. The exit code is 1 if the book does not know the position.",
        )
        .args(position)
        .args([
            ballots,
            format,
            plies,
            out_arg().help("The file to write [default: standard output]"),
        ])
        .args(option_args(&["variant", "book"]))
        .after_help("Example: mainroad book export --variant russian --moves 'c3-d4 f6-g5' --plies 8 --out d4g5.pdn")
}

fn run(args: &ArgMatches, streams: &mut Streams) -> Outcome {
    let options = read_options(args);
    with_rules!(options.variant, R => export::<R>(args, &options, streams))
}

fn export<R: Rules>(args: &ArgMatches, options: &Options, streams: &mut Streams) -> Outcome {
    if positions::are_many(args)? {
        let text = "--fen - cannot be used here, expected one position";
        return Err(Failure::Usage(text.to_owned()));
    }
    let is_dot = args
        .get_one::<String>("format")
        .is_some_and(|name| name == "dot");
    let plies = *args.get_one::<u32>("plies").expect("it has a default") as usize;
    let starts = if args.get_flag("ballots") {
        ballots::games::<R>()
    } else {
        vec![("Opening book".to_owned(), positions::read_game::<R>(args)?)]
    };
    if is_dot && starts.len() > 1 {
        let text = "--ballots cannot be used with --format dot, expected one position";
        return Err(Failure::Usage(text.to_owned()));
    }
    let path: Option<&PathBuf> = args.get_one("out");
    let file = path.map(|path| OutputFile::at(path)).transpose()?;
    let book = open::<R>(options)?;
    let known = starts
        .iter()
        .filter(|(_, game)| book.entry(game.position()).is_some());
    let texts: Vec<String> = known
        .map(|(name, game)| {
            if is_dot {
                export::dot::<R>(&book, game.position(), plies)
            } else {
                pdn::write(
                    &export::game::<R>(&book, name, game.position(), plies),
                    None,
                )
            }
        })
        .collect();
    if texts.is_empty() {
        let text = "the book does not know this position";
        return Err(Failure::Failed(text.to_owned()));
    }
    match file {
        Some(file) => file.replace(&texts.concat())?,
        None => streams.out.write_all(texts.concat().as_bytes())?,
    }
    Ok(Answered::Yes)
}
