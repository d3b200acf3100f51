//! What is answered for a position, alone or within a game. The names of the fields are fixed: scripts depend on them.

use crate::board::{Position, Side};
use crate::cli::json::GameResult;
use crate::notation::{fen, moves};
use crate::rules::{Game, Rules};
use crate::tools::analysis::{
    AnalysedGame, Assessment, Length, Line, Mark, PlayerSummary, Stage, Worth,
};
use serde::Serialize;

/// The object of a position.
#[derive(Serialize)]
pub(super) struct PositionAnswer {
    variant: &'static str,
    fen: String,
    turn: char,
    /// The file that the game is from.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    /// The number of the game in its file, from 1.
    game: Option<usize>,
    /// Plies played before the position.
    ply: usize,
    /// Null as long as the game goes on.
    result: Option<GameResult>,
    pub(super) depth: i32,
    pub(super) nodes: u64,
    pub(super) time_s: f64,
    pub(super) nps: u64,
    pub(super) lines: Vec<LineAnswer>,
    pub(super) tables_hits: u64,
    /// The move that was played, and what is said of it.
    played: Option<String>,
    forced: Option<bool>,
    loss_cp: Option<i32>,
    expected_loss: Option<f64>,
    mark: Option<&'static str>,
    /// With the last position of a game.
    #[serde(skip_serializing_if = "Option::is_none")]
    summary: Option<GameSummary>,
}

/// A line.
#[derive(Serialize)]
pub(super) struct LineAnswer {
    rank: usize,
    score: Score,
    proven: bool,
    exact: bool,
    pub(super) wdl: [u32; 3],
    pub(super) pv: Vec<String>,
    #[serde(skip)]
    pub(super) worth: Worth,
}

/// A score from the side to move.
#[derive(Serialize)]
#[serde(untagged)]
enum Score {
    Estimate { cp: i32 },
    Win { win: Option<u32>, dtc: Option<u32> },
    Loss { loss: Option<u32>, dtc: Option<u32> },
    Draw { draw: bool },
}

/// What the players' moves come to.
#[derive(Serialize)]
struct GameSummary {
    white: PlayerAnswer,
    black: PlayerAnswer,
}

#[derive(Serialize)]
struct PlayerAnswer {
    /// 0 to 100; null if there was no move to judge.
    accuracy: Option<f64>,
    /// Of expected score, a move.
    mean_loss: Option<f64>,
    /// Moves that were judged.
    moves: u32,
    inaccuracies: u32,
    mistakes: u32,
    blunders: u32,
}

impl PositionAnswer {
    /// Makes the answer for a position that stands alone.
    pub(super) fn of_position<R: Rules>(game: &Game<R>, assessment: &Assessment) -> Self {
        Self::new::<R>(game.position(), assessment, game.moves().len())
    }

    /// Makes the answer for a position of a game.
    pub(super) fn of_stage<R: Rules>(file: &str, game: usize, ply: usize, stage: &Stage) -> Self {
        let judgement = stage.judgement.as_ref();
        let mark = judgement.and_then(|judgement| judgement.mark);
        Self {
            file: Some(file.to_owned()),
            game: Some(game),
            played: stage.played.map(|mv| moves::write::<R>(&stage.pos, mv)),
            forced: judgement.map(|judgement| judgement.is_forced),
            loss_cp: judgement.map(|judgement| judgement.loss_cp),
            expected_loss: judgement.map(|judgement| rounded(judgement.loss(), 10_000.0)),
            mark: mark.map(Mark::sign),
            ..Self::new::<R>(&stage.pos, &stage.assessment, ply)
        }
    }

    fn new<R: Rules>(pos: &Position, assessment: &Assessment, ply: usize) -> Self {
        let seconds = assessment.time.as_secs_f64();
        let line = |(rank, line)| LineAnswer::new::<R>(pos, rank, line);
        Self {
            variant: R::VARIANT.name(),
            fen: fen::write(pos),
            turn: pos.turn().letter(),
            file: None,
            game: None,
            ply,
            result: assessment.ending.map(GameResult::from),
            depth: assessment.depth,
            nodes: assessment.nodes,
            time_s: seconds,
            nps: if seconds > 0.0 {
                (assessment.nodes as f64 / seconds) as u64
            } else {
                0
            },
            lines: (1..).zip(&assessment.lines).map(line).collect(),
            tables_hits: assessment.table_hits,
            played: None,
            forced: None,
            loss_cp: None,
            expected_loss: None,
            mark: None,
            summary: None,
        }
    }

    /// Adds what the players' moves come to.
    pub(super) fn sum_up(&mut self, analysed: &AnalysedGame) {
        self.summary = Some(GameSummary {
            white: PlayerAnswer::new(analysed.player(Side::White)),
            black: PlayerAnswer::new(analysed.player(Side::Black)),
        });
    }

    /// Returns how the game has ended, in words, if it has.
    pub(super) fn ending(&self) -> Option<String> {
        self.result.as_ref().map(GameResult::to_string)
    }
}

impl LineAnswer {
    fn new<R: Rules>(pos: &Position, rank: usize, line: &Line) -> Self {
        let Line {
            worth,
            is_exact,
            wdl,
            ref pv,
        } = *line;
        Self {
            rank,
            score: match worth {
                Worth::Estimate(cp) => Score::Estimate { cp },
                Worth::Win(Length { plies, conversion }) => Score::Win {
                    win: plies,
                    dtc: conversion,
                },
                Worth::Loss(Length { plies, conversion }) => Score::Loss {
                    loss: plies,
                    dtc: conversion,
                },
                Worth::Draw => Score::Draw { draw: true },
            },
            proven: worth.is_proven(),
            exact: is_exact,
            wdl: [wdl.win, wdl.draw, wdl.loss],
            pv: moves::write_line::<R>(pos, pv),
            worth,
        }
    }
}

impl PlayerAnswer {
    fn new(summary: &PlayerSummary) -> Self {
        let [inaccuracies, mistakes, blunders] = summary.marks;
        Self {
            accuracy: summary.accuracy().map(|accuracy| rounded(accuracy, 10.0)),
            mean_loss: summary.mean_loss().map(|loss| rounded(loss, 10_000.0)),
            moves: summary.moves,
            inaccuracies,
            mistakes,
            blunders,
        }
    }
}

/// Rounds to a part of one.
fn rounded(number: f64, parts: f64) -> f64 {
    (number * parts).round() / parts
}
