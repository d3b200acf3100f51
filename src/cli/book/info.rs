//! `mainroad book info` and `mainroad book ballots`: what a book knows, in numbers and as a table.

use super::{bad, open, out_arg};
use crate::book::{self, Book};
use crate::cli::files::OutputFile;
use crate::cli::options::{option_args, read_options};
use crate::cli::positions::write_json;
use crate::cli::{Answered, Entry, Outcome, Streams};
use crate::engine::Options;
use crate::rules::Rules;
use crate::tools::book_building::ballots::{self, Summary};
use crate::with_rules;
use clap::{Arg, ArgAction, ArgMatches, Command};
use serde::Serialize;
use std::path::PathBuf;
use std::time::Instant;

pub(super) const ENTRY: Entry = Entry { command, run };
pub(super) const BALLOTS: Entry = Entry {
    command: ballots_command,
    run: run_ballots,
};

fn command() -> Command {
    let json = Arg::new("json")
        .long("json")
        .action(ArgAction::SetTrue)
        .help("Answers with one JSON object [default: text]");
    Command::new("info")
        .about("Tells how large and deep a book is, and how long it takes to load")
        .args([json])
        .args(option_args(&["variant", "book"]))
        .after_help("Example: mainroad book info --variant pool")
}

/// What is told.
#[derive(Serialize)]
struct Told {
    book: String,
    bytes: usize,
    load_ms: f64,
    /// What made it, as its head says.
    made_by: Vec<String>,
    #[serde(flatten)]
    summary: Summary,
}

fn run(args: &ArgMatches, streams: &mut Streams) -> Outcome {
    let options = read_options(args);
    with_rules!(options.variant, R => info::<R>(args, &options, streams))
}

fn info<R: Rules>(args: &ArgMatches, options: &Options, streams: &mut Streams) -> Outcome {
    let started = Instant::now();
    let (name, text) = book::text_of::<R>(&options.book).map_err(|error| bad(&error))?;
    let book = Book::parse::<R>(&text, &name).map_err(|error| bad(&error))?;
    let load_ms = started.elapsed().as_secs_f64() * 1000.0;
    let told = Told {
        book: name,
        bytes: text.len(),
        load_ms: (load_ms * 10.0).round() / 10.0,
        made_by: book
            .head
            .iter()
            .map(|line| line.trim_start_matches(['#', ' ']).to_owned())
            .collect(),
        summary: ballots::summary::<R>(&book),
    };
    if args.get_flag("json") {
        write_json(streams.out, &told)?;
        return Ok(Answered::Yes);
    }
    let Summary {
        positions,
        playable,
        mean_depth,
        ballots,
        covered,
        mean_line,
        line_from_start,
        moves_with_games,
        ..
    } = told.summary;
    let out = &mut *streams.out;
    for line in &told.made_by {
        writeln!(out, "{line}")?;
    }
    writeln!(
        out,
        "{}: {} bytes, loaded in {load_ms:.1} ms",
        told.book, told.bytes
    )?;
    writeln!(
        out,
        "{positions} positions, {playable} with a move to play, searched to a mean depth of {mean_depth:.1} plies"
    )?;
    writeln!(
        out,
        "{covered} of {ballots} ballots covered, the best moves for {mean_line:.1} plies on average, and for {line_from_start} from the start position"
    )?;
    writeln!(out, "{moves_with_games} moves with results of games")?;
    Ok(Answered::Yes)
}

fn ballots_command() -> Command {
    Command::new("ballots")
        .about("Writes a table with the verdict of a book on every drawn ballot")
        .long_about(
            "Writes a table (Markdown) with the verdict of a book on every ballot of the drawing tables: the score from White's view, what it means, \
             and the best line. In games that Black begins, colours are exchanged.",
        )
        .args([out_arg().help("The file to write [default: standard output]")])
        .args(option_args(&["variant", "book"]))
        .after_help("Example: mainroad book ballots --variant russian --out ballots-russian.md")
}

fn run_ballots(args: &ArgMatches, streams: &mut Streams) -> Outcome {
    let options = read_options(args);
    let path: Option<&PathBuf> = args.get_one("out");
    let file = path.map(|path| OutputFile::at(path)).transpose()?;
    let text = with_rules!(options.variant, R => ballots::table::<R>(&open::<R>(&options)?));
    match file {
        Some(file) => file.replace(&text)?,
        None => streams.out.write_all(text.as_bytes())?,
    }
    Ok(Answered::Yes)
}
