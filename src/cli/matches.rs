//! `mainroad match`: engines against each other, and the sum of a match that was played in parts.

mod args;
mod journals;
mod progress;

use super::files::OutputFile;
use super::interruption::give_on_ctrl_c;
use super::positions::write_json;
use super::{Answered, Entry, Failure, Outcome, Streams, counted};
use crate::rules::Rules;
use crate::tools::matches::{Match, Plan, Record, Standings, Summary, pdn};
use crate::tools::shard::Shard;
use crate::tools::stop::Stop;
use crate::with_rules;
use args::Wanted;
use clap::{Arg, ArgAction, ArgMatches, Command, ValueHint, value_parser};
use journals::{MatchJournal, read_parts};
use progress::Progress;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;

pub(super) const ENTRY: Entry = Entry { command, run };

fn command() -> Command {
    args::command().subcommand(merge_command())
}

fn run(args: &ArgMatches, streams: &mut Streams) -> Outcome {
    if let Some((_, args)) = args.subcommand() {
        return merge(args, streams);
    }
    let variant = args::variant(args);
    with_rules!(variant, R => play::<R>(args, streams))
}

/// Plays what is still to be played of a match, and reports the whole.
fn play<R: Rules>(args: &ArgMatches, streams: &mut Streams) -> Outcome {
    let wanted = Wanted::read::<R>(args)?;
    for rejected in &wanted.rejected {
        // The work goes on if nobody reads this.
        let _ = writeln!(streams.err, "mainroad: left out: {rejected}");
    }
    let (pairs, openings) = (wanted.plan.rounds, wanted.plan.openings.count);
    if pairs > openings {
        let _ = writeln!(
            streams.err,
            "mainroad: {pairs} pairs from {}: pairs that repeat an earlier one move for move will not be counted",
            counted(openings, "opening", "openings")
        );
    }
    let pdn_file = pdn_file(args)?;
    let contest = Match {
        plan: &wanted.plan,
        openings: &wanted.openings,
        shard: wanted.shard,
        concurrency: wanted.concurrency,
        logs: wanted.logs.clone(),
        stop: Stop::new(),
    };
    contest
        .check::<R>()
        .map_err(|error| Failure::Failed(error.to_string()))?;
    let (journal, records) = MatchJournal::open(&wanted)?;
    give_on_ctrl_c(&contest.stop);
    let mut standings = Standings::new(&wanted.plan, wanted.shard);
    let is_json = args.get_flag("json");
    for record in records {
        take_in(record, &mut standings, is_json, streams.out)?;
    }
    let mut playing = Playing {
        contest,
        journal,
        standings,
        is_json,
    };
    let left = playing.left();
    if !playing.is_decided() && !left.is_empty() {
        playing.play::<R>(&left, streams)?;
    }
    report::<R>(&playing.standings, is_json, pdn_file.as_ref(), streams)?;
    Ok(if playing.left().is_empty() || playing.is_decided() {
        Answered::Yes
    } else {
        Answered::Interrupted
    })
}

/// A match that is being played, and what has come of it.
struct Playing<'a> {
    contest: Match<'a>,
    journal: MatchJournal,
    standings: Standings<'a>,
    /// Each game is written as JSON.
    is_json: bool,
}

impl Playing<'_> {
    /// Returns the games that are still to be played.
    fn left(&self) -> Vec<u64> {
        self.contest.games_left(|game| !self.standings.has(game))
    }

    /// Says whether the sequential test has ended the match. In a part of a match it has nothing to say.
    fn is_decided(&self) -> bool {
        self.contest.shard.is_whole() && self.standings.decision().is_some()
    }

    /// Plays games until all are finished, the test has decided, or something fails. Each goes into the journal before it counts.
    fn play<R: Rules>(&mut self, games: &[u64], streams: &mut Streams) -> Result<(), Failure> {
        let mut failure = None;
        let mut progress = Progress::new(games.len() as u64, streams.err);
        let contest = self.contest.clone();
        let mut take = |record: Record| {
            progress.fault(&record);
            let added = self.journal.add(&record, &contest.stop);
            let taken = added
                .and_then(|()| take_in(record, &mut self.standings, self.is_json, streams.out));
            progress.game(&self.standings);
            match taken {
                Ok(()) if self.is_decided() => ControlFlow::Break(()),
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    failure.get_or_insert(error);
                    ControlFlow::Break(())
                }
            }
        };
        let played = contest.play::<R>(games, &mut take);
        played.map_err(|error| Failure::Failed(error.to_string()))?;
        failure.map_or(Ok(()), Err)
    }
}

/// Counts a record, and writes it if JSON is wanted.
fn take_in(
    record: Record,
    standings: &mut Standings,
    is_json: bool,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let written = if is_json {
        write_json(out, &record)
    } else {
        Ok(())
    };
    standings
        .add(record)
        .map_err(|error| Failure::Failed(error.to_string()))?;
    match written {
        // Whoever read the answer has seen enough, but the match goes on into its journal.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => Ok(written?),
    }
}

/// Writes the games and then the sum: whoever reads only the beginning of the sum still gets the games.
fn report<R: Rules>(
    standings: &Standings,
    is_json: bool,
    pdn_file: Option<&OutputFile>,
    streams: &mut Streams,
) -> Result<(), Failure> {
    if let Some(file) = pdn_file {
        let plan: &Plan = standings.plan();
        let games: Vec<String> = standings
            .records()
            .map(|record| pdn::<R>(plan, record))
            .collect();
        file.replace(&games.concat())?;
    }
    let summary = Summary::of(standings);
    if is_json {
        write_json(streams.out, &summary)?;
    } else {
        write!(streams.out, "{summary}")?;
    }
    Ok(())
}

fn pdn_arg() -> Arg {
    Arg::new("pdn")
        .long("pdn")
        .value_name("FILE")
        .value_parser(value_parser!(PathBuf))
        .value_hint(ValueHint::FilePath)
        .help("A file for all games with scores, depths and times, replaced at the end [default: none]")
}

fn json_arg() -> Arg {
    Arg::new("json")
        .long("json")
        .action(ArgAction::SetTrue)
        .help("Writes one JSON object for each game and one for the whole [default: text]")
}

fn pdn_file(args: &ArgMatches) -> Result<Option<OutputFile>, Failure> {
    let path: Option<&PathBuf> = args.get_one("pdn");
    path.map(|path| OutputFile::at(path)).transpose()
}

fn merge_command() -> Command {
    let files = Arg::new("files")
        .value_name("FILE")
        .required(true)
        .num_args(1..)
        .value_parser(value_parser!(PathBuf))
        .value_hint(ValueHint::FilePath)
        .help("The journals of the parts");
    let out = Arg::new("out")
        .long("out")
        .value_name("FILE")
        .value_parser(value_parser!(PathBuf))
        .value_hint(ValueHint::FilePath)
        .help("A file for one journal of the whole match [default: none]");
    Command::new("merge")
        .about("Adds up the journals of a match that was played in parts")
        .long_about(
            "Adds up the journals of a match that was played in parts with --shard, exactly as if one process had played it. The journals must be \
             of the same match and no game may be in two of them. The exit code is 1 if games are missing; what is there is reported.",
        )
        .args([files, out, pdn_arg(), json_arg()])
        .after_help("Example: mainroad match merge part-*.jsonl --pdn games.pdn")
}

fn merge(args: &ArgMatches, streams: &mut Streams) -> Outcome {
    let pdn_file = pdn_file(args)?;
    let out: Option<&PathBuf> = args.get_one("out");
    let out = out.map(|path| OutputFile::at(path)).transpose()?;
    let paths: Vec<&PathBuf> = args
        .get_many("files")
        .expect("clap requires them")
        .collect();
    let (plan, records) = read_parts(&paths)?;
    let mut standings = Standings::new(&plan, Shard::default());
    let is_json = args.get_flag("json");
    for record in records {
        let added = standings.add(record);
        added.map_err(|error| Failure::Failed(format!("cannot merge: {error}")))?;
    }
    if is_json {
        for record in standings.records() {
            write_json(streams.out, record)?;
        }
    }
    if let Some(file) = out {
        file.replace(&journals::text(&standings)?)?;
    }
    with_rules!(plan.variant, R => report::<R>(&standings, is_json, pdn_file.as_ref(), streams))?;
    let missing = plan.games() - standings.records().len() as u64;
    if missing == 0 || standings.decision().is_some() {
        return Ok(Answered::Yes);
    }
    let _ = writeln!(
        streams.err,
        "mainroad: {missing} of {} {} missing",
        counted(plan.games(), "game", "games"),
        if missing == 1 { "is" } else { "are" }
    );
    Ok(Answered::No)
}
