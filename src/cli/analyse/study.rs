//! One game: analysed, and made into all that is wanted of it.

use super::answer::PositionAnswer;
use super::input::{Input, InputGame};
use super::progress::Counts;
use super::setting::Setting;
use super::text;
use super::wanted::{Out, Wanted};
use crate::cli::counted;
use crate::cli::positions::write_json;
use crate::engine::Resources;
use crate::notation::pdn;
use crate::rules::{Game, Rules};
use crate::tools::analysis::{AnalysedGame, analyse, annotate, report};
use crate::with_rules;
use serde::Serialize;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What one worker needs.
pub(super) struct Study<'a> {
    pub(super) setting: &'a Setting,
    pub(super) wanted: &'a Wanted,
    pub(super) counts: &'a Counts,
    pub(super) resources: &'a mut Resources,
}

/// What is made of an input.
pub(super) enum Worked {
    Game(Box<WorkedGame>),
    /// Something is wrong, but the run goes on.
    Bad(String),
    /// The run cannot go on.
    Fatal(String),
}

/// What is made of a game. Texts that are not wanted are empty.
#[derive(Default)]
pub(super) struct WorkedGame {
    pub(super) crc: u32,
    pub(super) pdn: String,
    /// Objects, a line each.
    pub(super) json: Vec<u8>,
    pub(super) text: String,
    pub(super) html: Option<String>,
    /// What is wrong with it.
    pub(super) fault: Option<String>,
}

/// The object of a game that is bad, behind those of the positions that could be read.
#[derive(Serialize)]
struct BadGame<'a> {
    error: &'a str,
    file: &'a str,
    game: usize,
    line: usize,
    ply: usize,
}

impl Study<'_> {
    /// Works on what was read. `None` if the run was interrupted.
    pub(super) fn work(mut self, input: Input) -> Option<Worked> {
        let mut game = match input {
            Input::Game(game) => game,
            Input::BadFile(error) => return Some(Worked::Bad(error)),
            Input::Changed(error) => return Some(Worked::Fatal(error)),
        };
        let mut worked = WorkedGame {
            crc: game.crc,
            fault: fault_of(&game.file, &game.tree),
            ..WorkedGame::default()
        };
        if let (Some(variant), Some(start)) = (game.tree.variant, game.tree.start) {
            // A fault of the analysis costs this game alone.
            let study = AssertUnwindSafe(|| {
                with_rules!(variant, R => {
                    let played = Game::<R>::from_position(start);
                    self.study::<R>(&mut game, played, &mut worked)
                })
            });
            if let Ok(finished) = catch_unwind(study) {
                finished?;
            } else {
                let name = name_of(&game.file, &game.tree);
                worked.fault = Some(format!("cannot analyse: {name}: the search failed"));
            }
        }
        if !matches!(self.wanted.out, Out::None) {
            worked.pdn = pdn::write(&game.tree, None);
        }
        if let Some(error) = worked.fault.as_deref() {
            let fault = game.tree.faults.first();
            let bad = BadGame {
                error,
                file: &game.file,
                game: game.tree.number,
                line: fault.map_or(game.tree.line, |fault| fault.line),
                ply: fault.map_or(0, |fault| fault.ply),
            };
            write_json(&mut worked.json, &bad).expect("writing to memory cannot fail");
            let _ = std::fmt::Write::write_fmt(&mut worked.text, format_args!("{error}\n\n"));
        }
        Some(Worked::Game(Box::new(worked)))
    }

    /// Analyses a game from its start. `None` if the run was interrupted.
    fn study<R: Rules>(
        &mut self,
        input: &mut InputGame,
        mut game: Game<R>,
        worked: &mut WorkedGame,
    ) -> Option<()> {
        for node in &input.tree.main.moves {
            let played = game.try_play(node.mv);
            played.expect("the reader keeps legal moves only");
        }
        let means = self.setting.means::<R>();
        self.resources.clear();
        let mut count = |_: usize, of: usize| self.counts.position(input.bytes, of);
        let analysed = analyse(&means, self.resources, &game, &mut count)?;
        let effort = self.setting.effort_in_words();
        if self.wanted.is_json {
            worked.json = json::<R>(input, &analysed);
        } else if matches!(self.wanted.out, Out::None) {
            worked.text = text::game::<R>(&input.file, &input.tree, &analysed);
        }
        if self.wanted.has_report() {
            worked.html = Some(report::<R>(&input.tree, &analysed, &effort));
        }
        annotate(&mut input.tree, &analysed, &effort);
        Some(())
    }
}

/// Returns the objects of a game's positions.
fn json<R: Rules>(input: &InputGame, analysed: &AnalysedGame) -> Vec<u8> {
    let mut lines = Vec::new();
    let last = analysed.stages.len() - 1;
    for (ply, stage) in analysed.stages.iter().enumerate() {
        let mut answer = PositionAnswer::of_stage::<R>(&input.file, input.tree.number, ply, stage);
        if ply == last {
            answer.sum_up(analysed);
        }
        write_json(&mut lines, &answer).expect("writing to memory cannot fail");
    }
    lines
}

fn name_of(file: &str, tree: &pdn::Game) -> String {
    format!("{file}:{}: game {}", tree.line, tree.number)
}

/// Returns what is wrong with a game: the first fault in full, and the number of the others.
fn fault_of(file: &str, tree: &pdn::Game) -> Option<String> {
    let fault = tree.faults.first()?;
    let more = match tree.faults.len() - 1 {
        0 => String::new(),
        more => format!(", and {}", counted(more, "more fault", "more faults")),
    };
    let place = match fault.ply {
        0 => String::new(),
        ply => format!(", ply {ply}"),
    };
    Some(format!(
        "bad game: {file}:{}: game {}{place}: {fault}{more}",
        fault.line, tree.number
    ))
}
