//! `mainroad pdn check`: names what is wrong in files of games.

use super::super::options::option_args;
use super::super::{Answered, Entry, Failure, Outcome, Streams, counted, on_one_line};
use super::{
    ABOUT_VARIANT, Progress, describe, games, move_number, name_of, stop_on_ctrl_c, unreadable,
    variant_of,
};
use crate::notation::pdn::{Fault, Game};
use crate::rules::Variant;
use crate::tools::stop::Stop;
use clap::{Arg, ArgAction, ArgMatches, Command, ValueHint, value_parser};
use serde::Serialize;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

pub(super) const ENTRY: Entry = Entry { command, run };

fn command() -> Command {
    let files = Arg::new("files")
        .value_name("FILE")
        .num_args(1..)
        .required(true)
        .value_parser(value_parser!(PathBuf))
        .value_hint(ValueHint::FilePath)
        .help("The files to check; - is standard input");
    let json = Arg::new("json")
        .long("json")
        .action(ArgAction::SetTrue)
        .help(
            "Answers with one JSON object a game, one with the field error for a file that cannot be read, and one for all files at the end \
             [default: text]",
        );
    Command::new("check")
        .about("Checks that every move of every game is legal, and names each fault")
        .long_about(format!(
            "Checks that every move of every game is legal, and names each fault with its file, game, line, move and reason. After a fault \
             the next game is read. {ABOUT_VARIANT}\n\n\
             The exit code is 1 if there is any fault, or a file cannot be read. Ctrl-C ends the check with exit code 130, and what was read by then \
             is summed up.",
        ))
        .args([files, json])
        .args(option_args(&["variant"]))
        .after_help("Example: mainroad pdn check games.pdn --json")
}

fn run(args: &ArgMatches, streams: &mut Streams) -> Outcome {
    let files = args
        .get_many::<PathBuf>("files")
        .expect("clap requires one");
    let mut check = Check {
        out: BufWriter::new(&mut *streams.out),
        is_json: args.get_flag("json"),
        variant: variant_of(args),
        summary: Summary::default(),
        progress: Progress::new(),
        stop: stop_on_ctrl_c(),
    };
    for file in files {
        if check.stop.is_given() {
            break;
        }
        if let Err(failure) = check.file(file, streams.err) {
            let Failure::Failed(text) = failure else {
                return Err(failure);
            };
            // If nobody reads this, the exit code tells it.
            let _ = writeln!(streams.err, "mainroad: error: {}", on_one_line(&text));
            check.summary.unreadable += 1;
            if check.is_json {
                check.json(&Unreadable {
                    file: &name_of(file),
                    error: &text,
                })?;
            }
        }
    }
    check.finish()
}

/// What is reported of a game. Field names are fixed: scripts depend on them.
#[derive(Serialize)]
struct Report<'a> {
    file: &'a str,
    game: usize,
    line: usize,
    /// Null for games that are not played here.
    variant: Option<&'static str>,
    /// How many moves could be read.
    plies: usize,
    result: &'a str,
    faults: Vec<FaultReport<'a>>,
}

/// What is reported of a fault.
#[derive(Serialize)]
struct FaultReport<'a> {
    /// 0 in the tags.
    ply: usize,
    line: usize,
    #[serde(rename = "move")]
    mv: Option<String>,
    text: &'a str,
    reason: String,
    kind: &'static str,
}

/// What is reported of a file that cannot be read, or not to its end.
#[derive(Serialize)]
struct Unreadable<'a> {
    file: &'a str,
    error: &'a str,
}

/// What is reported of all files together.
#[derive(Default, Serialize)]
struct Summary {
    files: usize,
    /// Files that could not be read, or not to the end.
    unreadable: usize,
    games: usize,
    plies: usize,
    faulty_games: usize,
    faults: usize,
}

/// A check that is going on.
struct Check<W: Write> {
    out: W,
    is_json: bool,
    variant: Option<Variant>,
    summary: Summary,
    progress: Progress,
    /// Ends the check between two games.
    stop: Stop,
}

impl<W: Write> Check<W> {
    fn file(&mut self, path: &Path, err: &mut dyn Write) -> Result<(), Failure> {
        self.summary.files += 1;
        let name = name_of(path);
        let stop = self.stop.clone();
        for game in games(path, self.variant, &stop)? {
            let game = game.map_err(|error| unreadable(path, &error))?;
            self.game(&name, &game)?;
            self.progress.game(&name, game.number, err);
        }
        Ok(())
    }

    fn game(&mut self, file: &str, game: &Game) -> Result<(), Failure> {
        let plies = game.main.moves.len();
        self.summary.games += 1;
        self.summary.plies += plies;
        self.summary.faulty_games += usize::from(!game.faults.is_empty());
        self.summary.faults += game.faults.len();
        if self.is_json {
            return self.json(&Report {
                file,
                game: game.number,
                line: game.line,
                variant: game.variant.map(Variant::name),
                plies,
                result: game.result(),
                faults: game
                    .faults
                    .iter()
                    .map(|fault| report(game, fault))
                    .collect(),
            });
        }
        for fault in &game.faults {
            writeln!(self.out, "{}", describe(file, game, fault))?;
        }
        Ok(())
    }

    fn json(&mut self, object: &impl Serialize) -> Result<(), Failure> {
        serde_json::to_writer(&mut self.out, object)
            .map_err(|error| Failure::Output(error.into()))?;
        writeln!(self.out)?;
        Ok(())
    }

    fn finish(mut self) -> Outcome {
        let summary = std::mem::take(&mut self.summary);
        if self.is_json {
            self.json(&summary)?;
        } else {
            let games = counted(summary.games, "game", "games");
            let plies = counted(summary.plies, "ply", "plies");
            let faults = counted(summary.faults, "fault", "faults");
            let damaged = counted(summary.faulty_games, "game", "games");
            writeln!(self.out, "{games}, {plies}, {faults} in {damaged}")?;
        }
        self.out.flush()?;
        Ok(if self.stop.is_given() {
            Answered::Interrupted
        } else if summary.faults == 0 && summary.unreadable == 0 {
            Answered::Yes
        } else {
            Answered::No
        })
    }
}

fn report<'a>(game: &Game, fault: &'a Fault) -> FaultReport<'a> {
    FaultReport {
        ply: fault.ply,
        line: fault.line,
        mv: move_number(game, fault),
        text: &fault.text,
        reason: fault.reason.to_string(),
        kind: fault.reason.name(),
    }
}
