//! `mainroad pdn`: checks files of games, and writes them anew.
//!
//! Both commands read one game at a time, so files may be of any size, and a fault in one game never keeps the next from being read. Ctrl-C ends
//! them between two games; one of which only a part was read by then does not count.

mod check;
mod convert;

use super::input::Input;
use super::interruption::on_ctrl_c;
use super::options::read_options;
use super::{Entry, Failure, Outcome, Streams, counted, on_one_line, run_entry};
use crate::notation::pdn::{Fault, FaultReason, Game, Reader};
use crate::rules::{Rules, Variant};
use crate::tools::stop::Stop;
use crate::with_rules;
use clap::parser::ValueSource;
use clap::{ArgMatches, Command};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Write};
use std::iter;
use std::path::Path;
use std::time::{Duration, Instant};

pub(super) const ENTRY: Entry = Entry { command, run };

/// The commands on files of games.
const COMMANDS: &[Entry] = &[check::ENTRY, convert::ENTRY];

/// How much of a file is read at once.
const CHUNK: usize = 1 << 16;

/// What both commands say of the option `--variant`.
const ABOUT_VARIANT: &str = "The tags GameType and Variant name the game. Where they do not, it is that of --variant, which also chooses between rule \
                             sets with the same game type.";

fn command() -> Command {
    Command::new("pdn")
        .about("Checks files of games, or writes them anew")
        .subcommand_required(true)
        .subcommands(COMMANDS.iter().map(|entry| (entry.command)()))
        .after_help("Example: mainroad pdn check games.pdn")
}

fn run(args: &ArgMatches, streams: &mut Streams) -> Outcome {
    let (name, args) = args.subcommand().expect("clap requires one");
    run_entry(COMMANDS, name, args, streams)
}

/// Returns the variant that was asked for on the command line.
fn variant_of(args: &ArgMatches) -> Option<Variant> {
    let is_given = args.value_source("variant") == Some(ValueSource::CommandLine);
    is_given.then(|| read_options(args).variant)
}

/// Returns a signal that Ctrl-C gives.
fn stop_on_ctrl_c() -> Stop {
    let stop = Stop::new();
    let given = stop.clone();
    on_ctrl_c(move || given.give());
    stop
}

/// Says whether a name stands for a standard stream.
pub(super) fn is_dash(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Returns the games of a file until a signal is given, without one of which only a part may have been read by then.
fn games(
    path: &Path,
    variant: Option<Variant>,
    stop: &Stop,
) -> Result<impl Iterator<Item = io::Result<Game>>, Failure> {
    let mut reader = Reader::new(open(path, stop)?, variant);
    Ok(iter::from_fn(move || {
        if stop.is_given() {
            return None;
        }
        let game = reader.next()?;
        (!stop.is_given() || reader.has_seen_end()).then_some(game)
    }))
}

/// Opens a file, or standard input for `-`. What may have to be waited for, as everything but files, ends when the signal is given.
fn open(path: &Path, stop: &Stop) -> Result<Box<dyn BufRead>, Failure> {
    if is_dash(path) {
        return Ok(Box::new(Input::standard(stop)?));
    }
    match fs::metadata(path) {
        Ok(metadata) if !metadata.is_file() && !metadata.is_dir() => {
            Ok(Box::new(Input::named(path, stop)?))
        }
        _ => open_file(path),
    }
}

/// Opens a file.
pub(super) fn open_file(path: &Path) -> Result<Box<dyn BufRead>, Failure> {
    let file = File::open(path).and_then(|file| {
        if file.metadata()?.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        Ok(file)
    });
    let file = file.map_err(|error| unreadable(path, &error))?;
    Ok(Box::new(BufReader::with_capacity(CHUNK, file)))
}

/// Returns the failure to read a file.
pub(super) fn unreadable(path: &Path, error: &io::Error) -> Failure {
    Failure::Failed(format!("cannot read: {}: {error}", name_of(path)))
}

/// Returns the name of a file for messages.
pub(super) fn name_of(path: &Path) -> String {
    if is_dash(path) {
        "standard input".to_owned()
    } else {
        path.display().to_string()
    }
}

/// Returns the number of the move of a fault as players write it, such as `8.` or `8...`, or `None` for faults in the tags.
fn move_number(game: &Game, fault: &Fault) -> Option<String> {
    let first = with_rules!(game.variant?, R => R::FIRST_TO_MOVE);
    game.move_number(fault.ply, first)
}

/// Describes a fault on one line: where it is, and what was expected.
pub(super) fn describe(file: &str, game: &Game, fault: &Fault) -> String {
    let place = move_number(game, fault);
    let place = place.map_or(String::new(), |number| format!(", move {number}"));
    // A Pool game without tags is full of moves that are illegal in Russian draughts.
    let is_move = matches!(fault.reason, FaultReason::Move(_));
    let is_named = game.tag("GameType").or(game.tag("Variant")).is_some();
    let assumed = match game.variant.filter(|_| is_move && !is_named) {
        Some(variant) => format!(" (read as {variant}: no tag names the game)"),
        None => String::new(),
    };
    let (game, line) = (game.number, fault.line);
    let file = on_one_line(file);
    format!("{file}: game {game}, line {line}{place}: {fault}{assumed}")
}

/// How often a long run tells how far it is.
const TOLD_EVERY: Duration = Duration::from_secs(10);

/// Tells now and then how many games were read.
struct Progress {
    started: Instant,
    told: Instant,
    games: u64,
}

impl Progress {
    fn new() -> Self {
        Self {
            started: Instant::now(),
            told: Instant::now(),
            games: 0,
        }
    }

    /// Counts a game.
    fn game(&mut self, file: &str, number: usize, err: &mut dyn Write) {
        self.games += 1;
        if self.told.elapsed() < TOLD_EVERY {
            return;
        }
        self.told = Instant::now();
        let rate = self.games as f64 / self.started.elapsed().as_secs_f64();
        // The work goes on if nobody watches.
        let file = on_one_line(file);
        let games = counted(number, "game", "games");
        drop(writeln!(err, "{file}: {games}, {rate:.0} a second"));
    }
}
