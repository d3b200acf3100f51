//! What a position or a line is worth: an estimate or a proof, and the score that it lets expect.

use crate::board::Move;
use crate::eval::{Wdl, WdlModel};
use crate::score::Score;

/// How long a proven win or loss takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Length {
    /// Plies to the end of the game along the line that is proven; `None` if only tables know the result.
    pub plies: Option<u32>,
    /// DTC: plies to the next capture or promotion, if tables know it.
    pub conversion: Option<u32>,
}

/// The worth of a position, or of a line that begins in it, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Worth {
    /// Estimated, in hundredths of a man.
    Estimate(i32),
    /// A proven win.
    Win(Length),
    /// A proven loss.
    Loss(Length),
    /// A draw by tables or by rule.
    Draw,
}

/// No difference between two moves counts for more than this, in hundredths of a man: beyond it a game is decided.
const MOST_POINTS: i32 = 1000;

/// A longer way to a proven end counts as one of so many plies. Chains of forced moves, which the search does not follow, may be of any length, and
/// their wins are to stay above those of unproven length, and these above all estimates.
const MOST_COUNTED: u32 = 999;

const _: () = assert!(Score::WIN.0 - MOST_COUNTED as i32 > Score::TABLE_WIN.0);
const _: () = assert!(Score::TABLE_WIN.0 - MOST_COUNTED as i32 > Score::MAX_EVAL.0);

impl Worth {
    /// Returns what a score of the search says.
    pub fn of_score(score: Score) -> Self {
        if !score.is_decided() {
            return Self::Estimate(score.0);
        }
        let length = Length {
            plies: score.plies_to_end().map(i32::unsigned_abs),
            conversion: None,
        };
        if score > Score::DRAW {
            Self::Win(length)
        } else {
            Self::Loss(length)
        }
    }

    /// Says whether it is more than an estimate.
    pub fn is_proven(self) -> bool {
        !matches!(self, Self::Estimate(_))
    }

    /// Returns whether it is a win, and its plies to the end of the game, of a win or loss whose line goes so far.
    pub fn plies_to_end(self) -> Option<(bool, u32)> {
        match self {
            Self::Win(length) => length.plies.map(|plies| (true, plies)),
            Self::Loss(length) => length.plies.map(|plies| (false, plies)),
            Self::Estimate(_) | Self::Draw => None,
        }
    }

    /// Returns the worth for the other side.
    #[must_use]
    pub fn reversed(self) -> Self {
        match self {
            Self::Estimate(cp) => Self::Estimate(-cp),
            Self::Win(length) => Self::Loss(length),
            Self::Loss(length) => Self::Win(length),
            Self::Draw => Self::Draw,
        }
    }

    /// Returns what a move is worth to the side that plays it, from what the position behind it is worth to the other side.
    #[must_use]
    pub fn through(self, mv: Move) -> Self {
        let longer = |length: Length| Length {
            plies: length.plies.map(|plies| plies + 1),
            conversion: if mv.is_capture() || mv.promotes {
                length.conversion.map(|_| 1)
            } else {
                length.conversion.map(|plies| plies + 1)
            },
        };
        match self.reversed() {
            Self::Win(length) => Self::Win(longer(length)),
            Self::Loss(length) => Self::Loss(longer(length)),
            other => other,
        }
    }

    /// Returns it as one number, in hundredths of a man, as Hub shows scores: a proven win is 100 men less the plies to it in hundredths, a
    /// win of unproven length 90 men less its DTC. Estimates stay below 80.
    pub fn score(self) -> i32 {
        let counted = |plies: u32| plies.min(MOST_COUNTED).cast_signed();
        let win = |length: Length| match length.plies {
            Some(plies) => Score::WIN.0 - counted(plies),
            None => Score::TABLE_WIN.0 - counted(length.conversion.unwrap_or(0)),
        };
        match self {
            Self::Estimate(cp) => cp,
            Self::Win(length) => win(length),
            Self::Loss(length) => -win(length),
            Self::Draw => Score::DRAW.0,
        }
    }

    /// Returns the score in hundredths of a man, at most 10 men either way: differences between decided positions say nothing.
    pub fn points(self) -> i32 {
        self.score().clamp(-MOST_POINTS, MOST_POINTS)
    }

    /// Returns the chances of the results, with so many pieces on the board. What is proven is certain.
    pub fn chances(self, model: &WdlModel, pieces: u32) -> Wdl {
        match self {
            Self::Draw => Wdl {
                win: 0,
                draw: 1000,
                loss: 0,
            },
            other => model.chances(Score(other.score()), pieces),
        }
    }
}
