//! `mainroad book import`: results of games for a book.

use super::{bad, out_arg};
use crate::book::Book;
use crate::cli::files::OutputFile;
use crate::cli::options::{option_args, read_options};
use crate::cli::pdn::{describe, name_of, open_file, unreadable};
use crate::cli::{Answered, Entry, Failure, Outcome, Streams, counted};
use crate::notation::pdn::Reader;
use crate::rules::Rules;
use crate::tools::book_building::games::Collection;
use crate::with_rules;
use clap::{Arg, ArgMatches, Command, ValueHint, value_parser};
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

pub(super) const ENTRY: Entry = Entry { command, run };

/// What the comment at the head begins with that names the games in a book.
const IMPORTED: &str = "# Games: ";

fn command() -> Command {
    let files = Arg::new("files")
        .value_name("FILE")
        .num_args(1..)
        .required(true)
        .value_parser(value_parser!(PathBuf))
        .value_hint(ValueHint::FilePath)
        .help("The files of games, PDN");
    let plies = Arg::new("plies")
        .long("plies")
        .value_name("N")
        .value_parser(value_parser!(u32).range(1..=300))
        .default_value("30")
        .help("How many plies of each game are counted, from 1 to 300");
    let least = Arg::new("games")
        .long("games")
        .value_name("N")
        .value_parser(value_parser!(u32).range(1..))
        .default_value("5")
        .help("In how many games a position must have come up to be added to the book, at least 1");
    let out = out_arg()
        .required(true)
        .help("The book that the games are added to; it is made if it is not there");
    Command::new("import")
        .about("Adds the results of games to an opening book")
        .long_about(
            "Adds the results of games to an opening book: for each move how often the side that made it won, drew and lost. Positions that are not in \
             the book are added if they came up often enough; they have no scores before the book is built again. Building keeps all that \
             was imported.\n\n\
             Games without a result, or of other rules, are left out, and what is wrong in the others is named; their moves count up to the first \
             fault. A file whose games are in the book already is refused. The exit code is 1 if anything is wrong with a game.",
        )
        .args([files, plies, least, out])
        .args(option_args(&["variant"]))
        .after_help("Example: mainroad book import games.pdn --variant russian --out russian.book")
}

fn run(args: &ArgMatches, streams: &mut Streams) -> Outcome {
    let options = read_options(args);
    with_rules!(options.variant, R => import::<R>(args, streams))
}

fn import<R: Rules>(args: &ArgMatches, streams: &mut Streams) -> Outcome {
    let plies = *args.get_one::<u32>("plies").expect("it has a default") as usize;
    let least: u32 = *args.get_one("games").expect("it has a default");
    let path: &PathBuf = args.get_one("out").expect("clap requires it");
    let file = OutputFile::at(path)?;
    let bytes = file.read()?;
    let text = String::from_utf8_lossy(&bytes);
    let mut book = if text.trim().is_empty() {
        Book::default()
    } else {
        Book::parse::<R>(&text, &path.display().to_string()).map_err(|error| bad(&error))?
    };
    let mut all = Collection::default();
    let mut faults = 0;
    for file in args
        .get_many::<PathBuf>("files")
        .expect("clap requires one")
    {
        let sum = format!("crc32 {:08x}", checksum(file)?);
        let is_same = |line: &String| line.starts_with(IMPORTED) && line.contains(&sum);
        if book.head.iter().any(is_same) {
            let name = file.display();
            return Err(Failure::Failed(format!(
                "bad games: {name}: they are in the book already, expected others"
            )));
        }
        let before = all.games;
        faults += count::<R>(file, plies, &mut all, streams.err)?;
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let name = name.replace(char::is_control, " ");
        let games = all.games - before;
        book.head
            .push(format!("{IMPORTED}{games} of {name} ({sum})"));
    }
    let (games, skipped, others) = (all.games, all.without_result, all.of_other_rules);
    let gained = all.merge_into(&mut book, least);
    file.replace(&book.write::<R>())?;
    writeln!(
        streams.out,
        "{} counted, {skipped} without a result, {others} of other rules, {}; {} with games, {} added",
        counted(games, "game", "games"),
        counted(faults, "fault", "faults"),
        counted(gained.moves, "move", "moves"),
        counted(gained.positions, "position", "positions")
    )?;
    Ok(if faults == 0 {
        Answered::Yes
    } else {
        Answered::No
    })
}

/// Returns the CRC-32 of a file.
fn checksum(path: &Path) -> Result<u32, Failure> {
    let sum = || -> io::Result<u32> {
        let mut file = File::open(path)?;
        let mut hasher = crc32fast::Hasher::new();
        let mut bytes = vec![0; 1 << 16];
        loop {
            match file.read(&mut bytes)? {
                0 => return Ok(hasher.finalize()),
                count => hasher.update(&bytes[..count]),
            }
        }
    };
    sum().map_err(|error| unreadable(path, &error))
}

/// Counts the games of a file, and returns how many faults they have.
fn count<R: Rules>(
    path: &Path,
    plies: usize,
    all: &mut Collection,
    err: &mut dyn Write,
) -> Result<usize, Failure> {
    let name = name_of(path);
    let mut faults = 0;
    for game in Reader::new(open_file(path)?, Some(R::VARIANT)) {
        let game = game.map_err(|error| unreadable(path, &error))?;
        for fault in &game.faults {
            // If nobody reads this, the count and the exit code tell it.
            drop(writeln!(err, "{}", describe(&name, &game, fault)));
        }
        faults += game.faults.len();
        all.add::<R>(&game, plies);
    }
    Ok(faults)
}
