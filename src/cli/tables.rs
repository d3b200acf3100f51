//! `mainroad tables`: makes endgame tables, checks them, and looks positions up in them.

mod build;

use super::options::{option_args, read_options, with_all_cores};
use super::positions::{self, Answer};
use super::{Answered, Entry, Failure, Outcome, Streams, counted, run_entry};
use crate::egdb::root::{self, Root};
use crate::egdb::{MAX_PIECES, Slice, SliceSummary, TableFault, Tables, Value, verify};
use crate::notation::{fen, moves};
use crate::rules::{Game, Movement, Rules};
use crate::search::Team;
use crate::with_rules;
use clap::{Arg, ArgAction, ArgMatches, Command, ValueHint, value_parser};
use serde::Serialize;
use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

pub(super) const ENTRY: Entry = Entry { command, run };

/// The commands on tables.
const COMMANDS: &[Entry] = &[
    build::BUILD,
    Entry {
        command: verify_command,
        run: verify,
    },
    Entry {
        command: probe_command,
        run: probe,
    },
    Entry {
        command: info_command,
        run: info,
    },
    build::EMBED,
];

fn command() -> Command {
    Command::new("tables")
        .about("Makes endgame tables, checks them, or looks positions up in them")
        .subcommand_required(true)
        .subcommands(COMMANDS.iter().map(|entry| (entry.command)()))
        .after_help("Example: mainroad tables probe --variant pool --fen 'W:WK1,K2,K3:BK31'")
}

fn run(args: &ArgMatches, streams: &mut Streams) -> Outcome {
    let (name, args) = args.subcommand().expect("clap requires one");
    run_entry(COMMANDS, name, args, streams)
}

fn pieces_arg(help: &str) -> Arg {
    Arg::new("pieces")
        .long("pieces")
        .value_name("N")
        .value_parser(value_parser!(u32).range(2..=i64::from(MAX_PIECES)))
        .help(format!("{help}, from 2 to {MAX_PIECES}"))
}

fn dir_arg(help: &str) -> Arg {
    Arg::new("dir")
        .long("dir")
        .value_name("DIR")
        .value_parser(value_parser!(PathBuf))
        .value_hint(ValueHint::DirPath)
        .help(help.to_owned())
}

fn dir_of(args: &ArgMatches) -> Option<&Path> {
    args.get_one::<PathBuf>("dir").map(PathBuf::as_path)
}

fn json_arg() -> Arg {
    Arg::new("json")
        .long("json")
        .action(ArgAction::SetTrue)
        .help("Answers with one JSON object a line [default: text]")
}

/// Opens the tables in the program, and those of a folder if one is given. Files that cannot be used are reported.
fn open<R: Rules>(dir: Option<&Path>, streams: &mut Streams) -> Result<Tables<R>, Failure> {
    let tables = match dir {
        Some(dir) => Tables::open(dir),
        None => Tables::embedded(),
    };
    let tables = tables.map_err(|fault| bad(&fault))?;
    report(&tables, streams);
    Ok(tables)
}

/// Opens the tables of a folder alone, or those in the program, with their slices up to a number of pieces, and says whether all of its files
/// can be used. A folder without any is a mistake.
fn open_some<R: Rules>(
    args: &ArgMatches,
    most: u32,
    streams: &mut Streams,
) -> Result<(Tables<R>, Vec<Slice>, bool), Failure> {
    let dir = dir_of(args);
    let tables = match dir {
        Some(dir) => Tables::open_folder(dir),
        None => Tables::embedded(),
    };
    let tables = tables.map_err(|fault| bad(&fault))?;
    let is_sound = !report(&tables, streams);
    let all = slices(&tables, most);
    match dir {
        Some(dir) if all.is_empty() && is_sound => Err(Failure::Failed(format!(
            "no tables of {} in {}",
            R::Movement::NAME,
            dir.display()
        ))),
        _ => Ok((tables, all, is_sound)),
    }
}

fn bad(fault: &TableFault) -> Failure {
    Failure::Failed(format!("bad tables: {fault}"))
}

/// Reports what has been found to be wrong with tables, and says whether there was anything.
fn report<R: Rules>(tables: &Tables<R>, streams: &mut Streams) -> bool {
    let faults = tables.take_faults();
    for fault in &faults {
        let _ = writeln!(streams.err, "mainroad: warning: bad tables: {fault}");
    }
    !faults.is_empty()
}

fn verify_command() -> Command {
    let every = Arg::new("every")
        .long("every")
        .value_name("N")
        .value_parser(value_parser!(u64).range(1..))
        .default_value("1")
        .help("Checks every so many positions only");
    let command = Command::new("verify")
        .about("Checks that every number of tables follows from those behind the legal moves")
        .long_about(
            "Checks that every value and distance follows from those of the positions behind the legal moves, and with that every \
             checksum. Slow: it looks at the positions one by one, as a player would. The exit code is 1 if something is wrong.",
        )
        .arg(pieces_arg("Slices up to so many pieces [default: all]"))
        .arg(dir_arg("A folder of tables [default: those in the program]"))
        .arg(every)
        .args(option_args(&["variant", "threads"]))
        .after_help("Example: mainroad tables verify --variant russian --pieces 4");
    with_all_cores(command)
}

fn verify(args: &ArgMatches, streams: &mut Streams) -> Outcome {
    let options = read_options(args);
    let most = args.get_one("pieces").copied().unwrap_or(MAX_PIECES);
    let step: u64 = *args.get_one("every").expect("it has a default");
    let team = Team::new(options.threads).map_err(|error| Failure::Failed(error.to_string()))?;
    with_rules!(options.variant, R => {
        let (mut tables, slices, mut is_sound) = open_some::<R>(args, most, streams)?;
        tables.fill_from_program().map_err(|fault| bad(&fault))?;
        let (mut positions, mut faults) = (0, 0);
        for slice in slices {
            let mut needed = slice.leads_to().into_iter();
            if let Some(missing) = needed.find(|&slice| tables.summary(slice).is_none()) {
                writeln!(streams.out, "{slice}: not checked, it needs {missing}, which is not there")?;
                is_sound = false;
                continue;
            }
            let checked = team.install(|| verify::check(&tables, slice, step));
            positions += checked.positions;
            faults += checked.faults;
            if let Some(first) = checked.first {
                let first = fen::write(&first);
                writeln!(streams.out, "{slice}: {}, first {first}", counted(checked.faults, "fault", "faults"))?;
            }
        }
        let (positions, found) = (counted(positions, "position", "positions"), counted(faults, "fault", "faults"));
        writeln!(streams.out, "{positions} checked, {found}")?;
        tables.check_blocks();
        is_sound &= !report(&tables, streams) && faults == 0;
        Ok(if is_sound { Answered::Yes } else { Answered::No })
    })
}

/// Returns the slices of tables up to a number of pieces, small ones first.
fn slices<R: Rules>(tables: &Tables<R>, most: u32) -> Vec<Slice> {
    let mut slices = tables.slices();
    slices.retain(|slice| slice.pieces() <= most);
    slices.sort_by_key(|slice| {
        (
            slice.pieces(),
            slice.men[0] + slice.men[1],
            slice.to_string(),
        )
    });
    slices
}

fn info_command() -> Command {
    Command::new("info")
        .about("Lists the slices that the tables know")
        .long_about(
            "Lists the slices that the tables know: positions, shares of wins, draws and losses for the side to move, and the longest \
             win with a position (plies to the next capture or promotion; where that is not stored, to the next capture or man move).",
        )
        .arg(pieces_arg("Slices up to so many pieces [default: all]"))
        .arg(dir_arg("A folder of tables [default: those in the program]"))
        .arg(json_arg())
        .args(option_args(&["variant"]))
        .after_help("Example: mainroad tables info --variant pool --json")
}

fn info(args: &ArgMatches, streams: &mut Streams) -> Outcome {
    let options = read_options(args);
    let most = args.get_one("pieces").copied().unwrap_or(MAX_PIECES);
    let is_sound = with_rules!(options.variant, R => {
        let (tables, slices, is_sound) = open_some::<R>(args, most, streams)?;
        for slice in slices {
            let Some(summary) = tables.summary(slice) else {
                continue;
            };
            let listed = ListedSlice::of(&summary);
            if args.get_flag("json") {
                writeln!(streams.out, "{}", serde_json::to_string(&listed).map_err(io::Error::from)?)?;
            } else {
                listed.write_text(streams.out)?;
            }
        }
        is_sound
    });
    Ok(if is_sound {
        Answered::Yes
    } else {
        Answered::No
    })
}

/// A slice.
#[derive(Serialize)]
struct ListedSlice {
    slice: String,
    positions: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    /// Plies to the next capture or promotion; null where that is not stored.
    longest: Option<u64>,
    longest_fen: Option<String>,
    /// Plies to the next capture or man move.
    longest_zeroing: Option<u64>,
    longest_zeroing_fen: Option<String>,
}

impl ListedSlice {
    fn of(summary: &SliceSummary) -> Self {
        let SliceSummary {
            conversion,
            zeroing,
            ..
        } = summary;
        Self {
            slice: summary.slice.to_string(),
            positions: summary.positions,
            wins: summary.wins,
            draws: summary.draws,
            losses: summary.losses,
            longest: conversion.map(|(plies, _)| plies),
            longest_fen: conversion.map(|(_, pos)| fen::write(&pos)),
            longest_zeroing: zeroing.map(|(plies, _)| plies),
            longest_zeroing_fen: zeroing.map(|(_, pos)| fen::write(&pos)),
        }
    }
}

impl Answer for ListedSlice {
    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let percent = |count: u64| 100.0 * count as f64 / self.positions as f64;
        write!(
            out,
            "{:11} {:>13} positions {:5.1} % won {:5.1} % drawn {:5.1} % lost",
            self.slice,
            self.positions,
            percent(self.wins),
            percent(self.draws),
            percent(self.losses),
        )?;
        let longest = self.longest.zip(self.longest_fen.as_ref());
        match longest.or(self.longest_zeroing.zip(self.longest_zeroing_fen.as_ref())) {
            Some((plies, fen)) => writeln!(out, ", longest win {plies} plies {fen}"),
            None => writeln!(out),
        }
    }
}

fn probe_command() -> Command {
    Command::new("probe")
        .about("Looks positions up in the tables")
        .long_about(
            "Looks positions up in the tables: the value for the side to move, without draw rules and under those of the rule set with \
             its counts as they stand, the plies to the next capture or promotion and to the next capture or man move, and the same for \
             each move, best first. The exit code is 1 if the tables do not know the position.",
        )
        .args(positions::args())
        .arg(dir_arg("A folder with more tables than those in the program [default: none]"))
        .args(option_args(&["variant", "draw-rules"]))
        .after_help("Example: mainroad tables probe --variant russian --fen 'W:WK3,K11,K12:BK13' --json")
}

fn probe(args: &ArgMatches, streams: &mut Streams) -> Outcome {
    let options = read_options(args);
    with_rules!(options.variant, R => {
        let tables = open::<R>(dir_of(args), streams)?;
        let outcome = positions::answer::<R, _>(args, streams, |game| {
            Ok(Known::of(game, &root::probe(&tables, game, options.draw_rules)))
        });
        report(&tables, streams);
        outcome
    })
}

/// What tables know of a position.
#[derive(Serialize)]
struct Known {
    variant: &'static str,
    fen: String,
    #[serde(flatten)]
    entry: KnownEntry,
    moves: Vec<KnownMove>,
}

/// What they know of a position or a move.
#[derive(Serialize)]
struct KnownEntry {
    value: &'static str,
    rule_value: &'static str,
    distance: Option<u8>,
    zeroing: Option<u8>,
}

#[derive(Serialize)]
struct KnownMove {
    text: String,
    #[serde(flatten)]
    entry: KnownEntry,
}

impl KnownEntry {
    fn of(entry: root::Entry) -> Self {
        let name = |value: Option<Value>| value.map_or("unknown", Value::name);
        Self {
            value: name(entry.value),
            rule_value: name(entry.rule_value),
            distance: entry.conversion,
            zeroing: entry.zeroing,
        }
    }
}

/// The line that people read.
impl fmt::Display for KnownEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.value)?;
        if self.rule_value != self.value {
            write!(f, " ({} under the rules)", self.rule_value)?;
        }
        if let Some(plies) = self.distance {
            write!(f, ", capture or promotion in {plies} plies")?;
        }
        if let Some(plies) = self.zeroing {
            write!(f, ", capture or man move in {plies} plies")?;
        }
        Ok(())
    }
}

impl Known {
    fn of<R: Rules>(game: &Game<R>, root: &Root) -> Self {
        let pos = game.position();
        let moves = root.moves.iter().map(|(mv, entry)| KnownMove {
            text: moves::write::<R>(pos, *mv),
            entry: KnownEntry::of(*entry),
        });
        Self {
            variant: R::VARIANT.name(),
            fen: fen::write(pos),
            entry: KnownEntry::of(root.entry),
            moves: moves.collect(),
        }
    }
}

impl Answer for Known {
    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", self.entry)?;
        for KnownMove { text, entry } in &self.moves {
            writeln!(out, "{text}: {entry}")?;
        }
        Ok(())
    }

    fn is_no(&self) -> bool {
        self.entry.value == "unknown"
    }
}
