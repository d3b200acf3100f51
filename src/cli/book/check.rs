//! `mainroad book check`: names what is wrong with a book.

use super::{bad, failed, recipe, recipe_args, seed_arg, team};
use crate::book::{self, Book};
use crate::cli::options::{option_args, read_options, with_all_cores};
use crate::cli::{Answered, Entry, Outcome, Streams, counted};
use crate::engine::Options;
use crate::rules::Rules;
use crate::tools::book_building::ballots;
use crate::tools::book_building::check::{self, Leaves};
use crate::with_rules;
use clap::{Arg, ArgMatches, Command, value_parser};

pub(super) const ENTRY: Entry = Entry { command, run };

fn command() -> Command {
    let leaves = Arg::new("leaves")
        .long("leaves")
        .value_name("N")
        .value_parser(value_parser!(u32))
        .default_value("100")
        .help("How many leaves are searched again, chosen by --seed; 0 for none");
    let tolerance = Arg::new("tolerance")
        .long("tolerance")
        .value_name("N")
        .value_parser(value_parser!(i32).range(0..=20_000))
        .default_value("0")
        .help("How much the value of a leaf may differ when it is searched again, in hundredths of a man, from 0 to 20000");
    let command = Command::new("check")
        .about("Checks an opening book, and names each fault")
        .long_about(
            "Checks an opening book, and names each fault on a line: what cannot be read, moves that are not legal (where a capture is due, \
             those that capture nothing), positions that cannot be reached from the start position or a ballot, moves that lead round in a circle, \
             scores that do not follow from those behind them, and leaves that have another value when they are searched again. With the --nodes of \
             the build, leaves have the same value to the last hundredth; with more, the difference tells how far estimates can be \
             trusted, and --tolerance how much is allowed.\n\n\
             The exit code is 1 if there is any fault.",
        )
        .args(recipe_args())
        .args([leaves, tolerance, seed_arg()])
        .args(option_args(&["variant", "book", "net", "threads"]))
        .after_help("Example: mainroad book check --variant russian --nodes 12000 --leaves 1000 (the nodes are those of `book build`)");
    with_all_cores(command)
}

fn run(args: &ArgMatches, streams: &mut Streams) -> Outcome {
    let options = read_options(args);
    with_rules!(options.variant, R => check::<R>(args, &options, streams))
}

fn check<R: Rules>(args: &ArgMatches, options: &Options, streams: &mut Streams) -> Outcome {
    let (name, text) = book::text_of::<R>(&options.book).map_err(|error| bad(&error))?;
    let (book, faults) = Book::parse_all::<R>(&text, &name);
    let mut count = faults.len();
    for fault in faults {
        writeln!(streams.out, "{fault}")?;
    }
    let structure = check::structure::<R>(&book, &ballots::positions::<R>());
    let leaves = Leaves {
        recipe: &recipe::<R>(args, options)?,
        team: &team(options)?,
        count: *args.get_one::<u32>("leaves").expect("it has a default") as usize,
        seed: *args.get_one("seed").expect("it has a default"),
        tolerance: *args.get_one("tolerance").expect("it has a default"),
    };
    for fault in &structure {
        writeln!(streams.out, "{name}: {fault}")?;
    }
    let (searched, others) = leaves.search(&book).map_err(|error| failed(&error))?;
    for fault in &others {
        writeln!(streams.out, "{name}: {fault}")?;
    }
    count += structure.len() + others.len();
    writeln!(
        streams.out,
        "{name}: {}, {} searched again, {}",
        counted(book.len(), "position", "positions"),
        counted(searched, "leaf", "leaves"),
        counted(count, "fault", "faults")
    )?;
    Ok(if count == 0 {
        Answered::Yes
    } else {
        Answered::No
    })
}
