//! What the JSON answers of several commands share. Field names are fixed: scripts depend on them.

use crate::board::{Bitboard, Side, Square};
use crate::rules::{Ending, Game, Rules};
use serde::Serialize;
use std::fmt;

/// How a game ended.
#[derive(Serialize)]
pub(super) struct GameResult {
    /// `"W"`, `"B"`, or null for a draw.
    winner: Option<char>,
    reason: &'static str,
    #[serde(skip)]
    ending: Ending,
}

impl GameResult {
    /// Returns how a game has ended, or `None` if it goes on. Without draw rules only a loss ends it.
    pub(super) fn of<R: Rules>(game: &Game<R>, draw_rules: bool) -> Option<Self> {
        let ending = if draw_rules {
            game.ending()
        } else {
            game.loss()
        };
        ending.map(Self::from)
    }
}

impl From<Ending> for GameResult {
    fn from(ending: Ending) -> Self {
        Self {
            winner: ending.winner.map(Side::letter),
            reason: ending.reason.name(),
            ending,
        }
    }
}

/// The line that people read.
impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Ending { winner, reason } = self.ending;
        match winner {
            Some(side) => write!(f, "game over: {side} wins ({reason})"),
            None => write!(f, "game over: draw ({reason})"),
        }
    }
}

/// Returns the numbers of the squares of a set, ascending.
pub(super) fn numbers(set: Bitboard) -> Vec<u8> {
    let mut numbers: Vec<u8> = set.squares().map(Square::number).collect();
    numbers.sort_unstable();
    numbers
}
