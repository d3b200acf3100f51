//! `mainroad book build`: makes a book, or goes on with one.

use super::{bad, failed, out_arg, recipe, recipe_args, seed_arg, team};
use crate::board::Key;
use crate::book::{self, Book, Entry as BookEntry, key_of};
use crate::cli::files::{OutputFile, unwritable};
use crate::cli::interruption::give_on_ctrl_c;
use crate::cli::options::{option_args, read_options, with_all_cores};
use crate::cli::progress::Progress;
use crate::cli::{Answered, Entry, Failure, Outcome, Streams, counted};
use crate::egdb::Tables;
use crate::engine::Options;
use crate::rules::{Movement, Rules};
use crate::tools::book_building::{Build, Plan, Recipe, Watcher, ballots};
use crate::tools::journal::{Journal, JournalError};
use crate::tools::stop::Stop;
use crate::with_rules;
use clap::{Arg, ArgMatches, Command, ValueHint, value_parser};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::HashMap;
use std::fmt::Display;
use std::fs::{self, File};
use std::io;
use std::marker::PhantomData;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

pub(super) const ENTRY: Entry = Entry { command, run };

/// What is said of a journal that is of no use here.
const OTHER_SEARCHES: &str = "it is of other searches (version, game, weights, tables, nodes or depth differ), expected one of these or a new file";

/// What a journal of a build begins with.
const MARK: &str = "mainroad book 1";

fn command() -> Command {
    let positions = Arg::new("positions")
        .long("positions")
        .value_name("N")
        .value_parser(value_parser!(u32).range(1..=10_000_000))
        .default_value("2000")
        .help("The number of positions in the book, from 1 to 10000000");
    let ballots = Arg::new("ballots")
        .long("ballots")
        .value_name("BOOL")
        .value_parser(value_parser!(bool))
        .default_value("true")
        .help("Whether the book also begins at the drawn ballots: true, or false for the start position alone");
    let out = out_arg()
        .required(true)
        .help("The file to write; it is replaced when the book is complete, not before");
    let journal = Arg::new("journal")
        .long("journal")
        .value_name("FILE")
        .value_parser(value_parser!(PathBuf))
        .value_hint(ValueHint::FilePath)
        .help("Where all searches are kept, for a larger book later [default: the name of the book with .journal, until it is complete]");
    let command = Command::new("build")
        .about("Makes an opening book, or goes on with one")
        .long_about(
            "Makes an opening book: searches every move of the positions that are cheapest to reach from the start position and from the drawn \
             ballots, and writes the good ones. One book serves all rule sets with the same moves.\n\n\
             The book is the same with any number of threads. What was searched is kept in a journal, so the same command line goes on where an \
             earlier run ended, however it ended. With --journal the journal stays: one with more --positions then makes the book \
             larger without searching anything again.\n\n\
             What people and games say stays: comments above positions, scores with !, results of games, and the positions that have them.",
        )
        .args([positions])
        .args(recipe_args())
        .args([seed_arg(), ballots, out, journal])
        .args(option_args(&["variant", "net", "threads"]))
        .after_help("Example: mainroad book build --variant russian --positions 2000 --out russian.book");
    with_all_cores(command)
}

fn run(args: &ArgMatches, streams: &mut Streams) -> Outcome {
    let options = read_options(args);
    with_rules!(options.variant, R => build::<R>(args, &options, streams))
}

fn build<R: Rules>(args: &ArgMatches, options: &Options, streams: &mut Streams) -> Outcome {
    let positions: u32 = *args.get_one("positions").expect("it has a default");
    let has_ballots: bool = *args.get_one("ballots").expect("it has a default");
    let plan = Plan {
        positions: positions as usize,
        seed: *args.get_one("seed").expect("it has a default"),
        ballots: if has_ballots {
            ballots::positions::<R>()
        } else {
            Vec::new()
        },
    };
    let path: &PathBuf = args.get_one("out").expect("clap requires it");
    let file = OutputFile::at(path)?;
    let told = told::<R>(&file, path)?;
    let recipe = recipe::<R>(args, options)?;
    let kept: Option<&PathBuf> = args.get_one("journal");
    let journal = kept.cloned().unwrap_or_else(|| file.beside("journal"));
    let stop = Stop::new();
    give_on_ctrl_c(&stop);
    let build = Build {
        plan: &plan,
        recipe: &recipe,
        team: &team(options)?,
        told: &told,
        stop: &stop,
    };
    let Some(mut book) = grow(&build, &journal, streams)? else {
        return Ok(Answered::Interrupted);
    };
    let command = command_line::<R>(&plan, &recipe, options);
    book.head = head(&command, &recipe, &told, book.len());
    file.replace(&book.write::<R>())?;
    if kept.is_none() {
        fs::remove_file(&journal).map_err(|error| unwritable(&journal, &error))?;
    }
    let positions = counted(book.len(), "position", "positions");
    // The work is done if nobody reads this.
    drop(writeln!(streams.err, "{positions}"));
    Ok(Answered::Yes)
}

/// Builds with a journal; `None` if it was ended early.
fn grow<R: Rules>(
    build: &Build<R>,
    path: &Path,
    streams: &mut Streams,
) -> Result<Option<Book>, Failure> {
    let (journal, known) = open_journal::<R>(path, build.recipe)?;
    let wanted = build.plan.positions as u64;
    let mut log = Log::<R> {
        journal,
        written: Ok(()),
        progress: Progress::new("positions", 0, wanted, streams.err),
        rules: PhantomData,
    };
    let book = build.run(known, &mut log);
    log.written.map_err(|error| unwritable(path, &error))?;
    book.map_err(|error| failed(&error))
}

/// Reads what people and games have said so far, from the file that is to be replaced.
fn told<R: Rules>(file: &OutputFile, path: &Path) -> Result<Book, Failure> {
    let bytes = file.read()?;
    let text = String::from_utf8_lossy(&bytes);
    if text.trim().is_empty() {
        return Ok(Book::default());
    }
    Book::parse::<R>(&text, &path.display().to_string()).map_err(|error| bad(&error))
}

/// Returns the comments at the head: what made the book, with which version, then those of people and imports that were there before.
fn head<R: Rules>(command: &str, recipe: &Recipe<R>, told: &Book, positions: usize) -> Vec<String> {
    let version = env!("CARGO_PKG_VERSION");
    let weights = recipe.evaluation.fingerprint::<R::Movement>();
    let made = [
        format!(
            "# Opening book, {positions} positions. Made by mainroad {version} with weights {weights}:"
        ),
        format!("# {command}"),
    ];
    let is_made = |line: &&String| {
        line.starts_with("# Opening book, ") || line.starts_with("# mainroad book build ")
    };
    let kept = told.head.iter().filter(|line| !is_made(line));
    made.into_iter().chain(kept.cloned()).collect()
}

/// Returns the command line on which everything that makes a difference is said.
fn command_line<R: Rules>(plan: &Plan, recipe: &Recipe<R>, options: &Options) -> String {
    let (variant, positions, seed) = (R::VARIANT, plan.positions, plan.seed);
    let nodes = recipe.nodes;
    let depth = recipe
        .depth
        .map_or_else(String::new, |depth| format!(" --depth {depth}"));
    let ballots = if plan.ballots.is_empty() {
        " --ballots false"
    } else {
        ""
    };
    let net = options.value("net").filter(|net| net != "default");
    let net = net.map_or_else(String::new, |net| format!(" --net {net}"));
    format!(
        "mainroad book build --variant {variant} --positions {positions} --nodes {nodes}{depth} --seed {seed}{ballots}{net}"
    )
}

/// The first line of a journal: all that what is searched depends on.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Header {
    journal: String,
    version: String,
    game: String,
    weights: String,
    tables: u32,
    nodes: u64,
    depth: Option<i32>,
}

impl Header {
    fn of<R: Rules>(recipe: &Recipe<R>) -> Self {
        Self {
            journal: MARK.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            game: R::Movement::NAME.to_owned(),
            weights: recipe.evaluation.fingerprint::<R::Movement>(),
            tables: Tables::<R>::embedded_checksum(),
            nodes: recipe.nodes,
            depth: recipe.depth,
        }
    }
}

/// Opens the journal of a build, or begins it, and returns the searches that are in it.
fn open_journal<R: Rules>(
    path: &Path,
    recipe: &Recipe<R>,
) -> Result<(Journal, HashMap<Key, BookEntry>), Failure> {
    let bad =
        |fault: &dyn Display| Failure::Failed(format!("bad journal: {}: {fault}", path.display()));
    let file = File::options()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
        .map_err(|error| unwritable(path, &error))?;
    if !file.metadata().is_ok_and(|metadata| metadata.is_file()) {
        return Err(bad(&"expected a regular file"));
    }
    let (mut journal, lines) = Journal::open(file).map_err(|error: JournalError| bad(&error))?;
    let header = Header::of(recipe);
    let mut lines = lines.into_iter();
    match lines.next() {
        None => journal
            .add(&header)
            .map_err(|error| unwritable(path, &error))?,
        Some(first) => {
            if serde_json::from_value::<Header>(first).ok() != Some(header) {
                return Err(bad(&OTHER_SEARCHES));
            }
        }
    }
    let mut known = HashMap::new();
    for (number, line) in (2..).zip(lines) {
        for entry in
            entries_of::<R>(line).map_err(|fault| bad(&format!("line {number}: {fault}")))?
        {
            known.insert(key_of(&entry.pos), entry);
        }
    }
    Ok((journal, known))
}

/// Reads a line of a journal: lines of a book.
fn entries_of<R: Rules>(line: Value) -> Result<Vec<BookEntry>, String> {
    let lines: Vec<String> = serde_json::from_value(line).map_err(|error| error.to_string())?;
    lines
        .iter()
        .map(|line| book::parse_line::<R>(line))
        .collect()
}

/// Keeps what is searched, and tells how far it is.
struct Log<'a, R> {
    journal: Journal,
    written: io::Result<()>,
    progress: Progress<'a>,
    rules: PhantomData<R>,
}

impl<R: Rules> Watcher for Log<'_, R> {
    fn keep(&mut self, searched: &[BookEntry]) -> ControlFlow<()> {
        let lines: Vec<String> = searched.iter().map(book::write_line::<R>).collect();
        self.written = self.journal.add(&lines);
        if self.written.is_err() {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    fn grown(&mut self, positions: usize) {
        self.progress.done(positions as u64);
    }
}
