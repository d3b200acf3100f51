//! Positions that stand alone: one from the arguments, or one a line from standard input.

use super::answer::PositionAnswer;
use super::pipeline::{Sink, Source};
use super::progress::SearchProgress;
use super::setting::Setting;
use crate::cli::positions::{
    Answer, BadLine, are_many, read_game, read_game_line, read_line, write_json,
};
use crate::cli::{Answered, Failure, Outcome, Streams};
use crate::engine::{ResourceError, Resources};
use crate::rules::Rules;
use crate::search::Report;
use crate::tools::analysis::{Means, assess};
use crate::with_rules;
use clap::ArgMatches;
use std::io::{self, Write};

/// Analyses what the arguments name.
pub(super) fn run(setting: &Setting, args: &ArgMatches, streams: &mut Streams) -> Outcome {
    with_rules!(setting.options.variant, R => {
        let means = setting.means::<R>();
        for warning in setting.take_warnings() {
            let _ = writeln!(streams.err, "mainroad: warning: {warning}");
        }
        if are_many(args)? {
            many(setting, &means, streams)
        } else {
            one(setting, &means, args, streams)
        }
    })
}

fn failed(error: &ResourceError) -> Failure {
    Failure::Failed(error.to_string())
}

/// Analyses the position of `--fen` and `--moves`.
fn one<R: Rules>(
    setting: &Setting,
    means: &Means<R>,
    args: &ArgMatches,
    streams: &mut Streams,
) -> Outcome {
    let game = read_game::<R>(args)?;
    let resources = setting.resources(setting.threads_for_position());
    let resources = resources.map_err(|error| failed(&error))?;
    let progress = SearchProgress::new();
    let mut observer = |report: &Report| progress.report::<R>(&game, report);
    let assessment = assess(means, &resources, &game, &mut observer);
    drop(progress);
    let answer = PositionAnswer::of_position(&game, &assessment);
    if args.get_flag("json") {
        write_json(streams.out, &answer)?;
    } else {
        answer.write_text(streams.out)?;
    }
    Ok(Answered::Yes)
}

/// A line of standard input, and its number from 1.
type InputLine = (u64, io::Result<Vec<u8>>);

/// The JSON of an answer, and whether the line was bad.
type AnsweredLine = Result<(Vec<u8>, bool), Failure>;

/// Analyses the positions of standard input side by side, each with an empty table.
fn many<R: Rules>(setting: &Setting, means: &Means<R>, streams: &mut Streams) -> Outcome {
    let workers = setting.options.threads;
    let resources = setting.resources_apart(workers);
    let resources = resources.map_err(|error| failed(&error))?;
    let source = Source::start(workers, read_lines)?;
    let mut sink = Lines {
        out: streams.out,
        outcome: Answered::Yes,
    };
    let answer = |resources: &mut Resources, (number, line): InputLine| -> Option<AnsweredLine> {
        let line = match line {
            Ok(line) => line,
            Err(error) => {
                let failure = format!("cannot read: standard input: {error}");
                return Some(Err(Failure::Failed(failure)));
            }
        };
        let game = match read_game_line::<R>(&line) {
            Ok(game) => game,
            Err(error) => {
                return Some(Ok((
                    json(&BadLine {
                        error,
                        line: number,
                    }),
                    true,
                )));
            }
        };
        resources.clear();
        let assessment = assess(means, resources, &game, &mut |_: &Report| ());
        if means.interrupt.is_given() {
            return None;
        }
        let answer = PositionAnswer::of_position(&game, &assessment);
        Some(Ok((json(&answer), false)))
    };
    source.work(resources, &setting.interrupt, answer, &mut sink)?;
    Ok(sink.outcome)
}

fn read_lines() -> impl Iterator<Item = InputLine> {
    let mut input = io::stdin().lock();
    let mut is_over = false;
    (1..).map_while(move |number| {
        if is_over {
            return None;
        }
        let mut line = Vec::new();
        match read_line(&mut input, &mut line) {
            Ok(true) => Some((number, Ok(line))),
            Ok(false) => None,
            Err(error) => {
                is_over = true;
                Some((number, Err(error)))
            }
        }
    })
}

/// Returns an object as a line of JSON.
fn json(object: &impl serde::Serialize) -> Vec<u8> {
    let mut line = Vec::new();
    write_json(&mut line, object).expect("writing to memory cannot fail");
    line
}

/// Writes the answers as they come.
struct Lines<'a> {
    out: &'a mut dyn Write,
    outcome: Answered,
}

impl Sink<AnsweredLine> for Lines<'_> {
    fn take(&mut self, result: AnsweredLine) -> Result<(), Failure> {
        let (line, is_bad) = result?;
        if is_bad {
            self.outcome = Answered::No;
        }
        self.out.write_all(&line)?;
        self.out.flush()?;
        Ok(())
    }
}
