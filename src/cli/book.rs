//! `mainroad book`: makes an opening book, and looks positions up in one.

use super::files::OutputFile;
use super::options::{option_args, read_options, with_all_cores};
use super::positions::{self, Answer};
use super::{Answered, Entry, Failure, Outcome, Streams, run_entry};
use crate::book::{self, Book};
use crate::notation::{fen, moves};
use crate::rules::{Game, Rules};
use crate::score::Depth;
use crate::search::MAX_DEPTH;
use crate::tools::book_building::{self, Plan};
use crate::with_rules;
use clap::{Arg, ArgMatches, Command, ValueHint, value_parser};
use serde::Serialize;
use std::io::{self, Write};
use std::path::PathBuf;

pub(super) const ENTRY: Entry = Entry { command, run };

/// The commands on books.
const COMMANDS: &[Entry] = &[
    Entry {
        command: build_command,
        run: build,
    },
    Entry {
        command: probe_command,
        run: probe,
    },
];

fn command() -> Command {
    Command::new("book")
        .about("Makes an opening book, or looks positions up in one")
        .subcommand_required(true)
        .subcommands(COMMANDS.iter().map(|entry| (entry.command)()))
        .after_help("Example: mainroad book probe --variant pool --moves '11-15 22-18'")
}

fn run(args: &ArgMatches, streams: &mut Streams) -> Outcome {
    let (name, args) = args.subcommand().expect("clap requires one");
    run_entry(COMMANDS, name, args, streams)
}

fn build_command() -> Command {
    let defaults = Plan::default();
    let positions = Arg::new("positions")
        .long("positions")
        .value_name("N")
        .value_parser(value_parser!(u32).range(1..=10_000_000))
        .default_value(defaults.positions.to_string())
        .help("The number of positions in the book, from 1 to 10000000");
    let depth = Arg::new("depth")
        .long("depth")
        .value_name("N")
        .value_parser(value_parser!(i32).range(1..=i64::from(MAX_DEPTH)))
        .default_value(defaults.depth.to_string())
        .help(format!(
            "The depth of the search of each move in plies, from 1 to {MAX_DEPTH}"
        ));
    let out = Arg::new("out")
        .long("out")
        .value_name("FILE")
        .required(true)
        .value_parser(value_parser!(PathBuf))
        .value_hint(ValueHint::FilePath)
        .help("The file to write; it is replaced when the book is complete, not before");
    let command = Command::new("build")
        .about("Makes an opening book")
        .long_about(
            "Makes an opening book: searches every move of the positions that are cheapest to reach from the start, and writes the good \
             ones. The book is the same with any number of threads. One book serves all rule sets with the same moves.",
        )
        .args([positions, depth, out])
        .args(option_args(&["variant", "threads"]))
        .after_help("Example: mainroad book build --variant russian --positions 2000 --depth 13 --out russian.book");
    with_all_cores(command)
}

fn build(args: &ArgMatches, streams: &mut Streams) -> Outcome {
    let options = read_options(args);
    let positions: u32 = *args.get_one("positions").expect("it has a default");
    let depth: Depth = *args.get_one("depth").expect("it has a default");
    let plan = Plan {
        positions: positions as usize,
        depth,
        threads: options.threads,
    };
    let path: &PathBuf = args.get_one("out").expect("clap requires it");
    let file = OutputFile::at(path)?;
    let mut progress = |text: &str| {
        // The work goes on if nobody watches.
        let _ = writeln!(streams.err, "{text}");
    };
    let text = with_rules!(options.variant, R => book_building::build::<R>(&plan, &mut progress));
    let text = text.map_err(|error| Failure::Failed(error.to_string()))?;
    file.replace(&text)?;
    Ok(Answered::Yes)
}

fn probe_command() -> Command {
    Command::new("probe")
        .about("Lists the moves that a book has in a position")
        .long_about(
            "Lists the moves that a book has in a position, best first, each with its score in men from the view of the side to move. \
             The exit code is 1 if it has none.",
        )
        .args(positions::args())
        .args(option_args(&["variant", "book"]))
        .after_help("Example: mainroad book probe --variant russian --moves 'c3-d4 f6-g5' --json")
}

fn probe(args: &ArgMatches, streams: &mut Streams) -> Outcome {
    let options = read_options(args);
    with_rules!(options.variant, R => {
        let book = book::open::<R>(&options.book);
        let book = book.map_err(|error| Failure::Failed(format!("bad book: {error}")))?;
        positions::answer::<R, _>(args, streams, |game| Ok(Known::of(game, &book)))
    })
}

/// What a book knows.
#[derive(Serialize)]
struct Known {
    variant: &'static str,
    fen: String,
    moves: Vec<KnownMove>,
}

/// A move of a book.
#[derive(Serialize)]
struct KnownMove {
    text: String,
    /// Hundredths of a man from the view of the side to move.
    cp: i32,
}

impl Known {
    fn of<R: Rules>(game: &Game<R>, book: &Book) -> Self {
        let pos = game.position();
        let legal = game.legal_moves();
        let known = book.moves(game.key()).iter();
        let known = known.filter(|(mv, _)| legal.contains(mv));
        Self {
            variant: R::VARIANT.name(),
            fen: fen::write(pos),
            moves: known
                .map(|&(mv, score)| KnownMove {
                    text: moves::write::<R>(pos, mv),
                    cp: score.0,
                })
                .collect(),
        }
    }
}

impl Answer for Known {
    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        for KnownMove { text, cp } in &self.moves {
            writeln!(out, "{text} {:+.2}", f64::from(*cp) / 100.0)?;
        }
        if self.moves.is_empty() {
            writeln!(out, "the book does not know this position")?;
        }
        Ok(())
    }

    fn is_no(&self) -> bool {
        self.moves.is_empty()
    }
}
