//! How good a move was: what it gave away of the score that the mover could expect.
//!
//! The expected score is that of [`Wdl`]: the chance of a win and half that of a draw, so 1 for a proven win, 0.5 for a proven draw. The loss
//! of a move is the difference between the best move and the one that was played, both for the mover and both with the
//! pieces on the board before the move. A forced move loses nothing.

use super::worth::Worth;
use crate::eval::Wdl;
use std::fmt;

/// What an expected score is counted in: this many make a won game.
const WHOLE: u32 = 2000;

/// A mark for a move that gave something away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// `?!`: at least 0.05 of a game.
    Dubious,
    /// `?`: at least 0.10.
    Mistake,
    /// `??`: at least 0.20.
    Blunder,
}

impl Mark {
    /// Every mark, the lightest first.
    pub const ALL: [Self; 3] = [Self::Dubious, Self::Mistake, Self::Blunder];

    /// Returns the least loss that is marked so, in parts of [`WHOLE`].
    const fn least(self) -> u32 {
        match self {
            Self::Dubious => WHOLE / 20,
            Self::Mistake => WHOLE / 10,
            Self::Blunder => WHOLE / 5,
        }
    }

    /// Returns the sign that is written behind a move.
    pub const fn sign(self) -> &'static str {
        match self {
            Self::Dubious => "?!",
            Self::Mistake => "?",
            Self::Blunder => "??",
        }
    }

    /// Returns the word for it, in the plural.
    pub const fn plural(self) -> &'static str {
        match self {
            Self::Dubious => "inaccuracies",
            Self::Mistake => "mistakes",
            Self::Blunder => "blunders",
        }
    }

    fn of_loss(loss: u32) -> Option<Self> {
        Self::ALL.into_iter().rfind(|mark| loss >= mark.least())
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.sign())
    }
}

/// What is said of a move that was played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// There was no other move.
    pub is_forced: bool,
    /// What it lost, in hundredths of a man, at least 0; scores count for 10 men at most, as proven wins and losses do.
    pub loss_cp: i32,
    /// What it lost of the expected score, in parts of [`WHOLE`].
    loss: u32,
    /// The mark for that.
    pub mark: Option<Mark>,
}

impl Judgement {
    /// Judges a move by the worth of the best one and of its own, each with its chances.
    pub(super) fn of(best: (Worth, Wdl), played: (Worth, Wdl)) -> Self {
        let loss = expected(best.1).saturating_sub(expected(played.1));
        Self {
            is_forced: false,
            loss_cp: (best.0.points() - played.0.points()).max(0),
            loss,
            mark: Mark::of_loss(loss),
        }
    }

    /// Returns the judgement of a move that is the best one.
    pub(super) const fn best(is_forced: bool) -> Self {
        Self {
            is_forced,
            loss_cp: 0,
            loss: 0,
            mark: None,
        }
    }

    /// Returns the part of a game that it lost: 0 nothing, 1 a won game.
    pub fn loss(&self) -> f64 {
        f64::from(self.loss) / f64::from(WHOLE)
    }

    /// Returns the accuracy of the move, 0 to 100.
    ///
    /// The curve is the one that lichess.org publishes for chess (<https://lichess.org/page/accuracy>), which has the same argument: the part
    /// of the expected score that was lost.
    fn accuracy(&self) -> f64 {
        (103.166_8 * (-4.354 * self.loss()).exp() - 3.166_9).clamp(0.0, 100.0)
    }
}

/// Returns the expected score that goes with chances, in parts of [`WHOLE`].
pub(super) const fn expected(wdl: Wdl) -> u32 {
    2 * wdl.win + wdl.draw
}

/// What one player's moves come to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PlayerSummary {
    /// The moves that were judged: those where there was a choice.
    pub moves: u32,
    /// The sum of their losses of expected score.
    loss: f64,
    /// The sum of their accuracies.
    accuracy: f64,
    /// How many got each mark, in the order of [`Mark::ALL`].
    pub marks: [u32; 3],
}

impl PlayerSummary {
    /// Adds a move.
    pub(super) fn add(&mut self, judgement: &Judgement) {
        if judgement.is_forced {
            return;
        }
        self.moves += 1;
        self.loss += judgement.loss();
        self.accuracy += judgement.accuracy();
        if let Some(mark) = judgement.mark {
            self.marks[mark as usize] += 1;
        }
    }

    /// Returns the mean accuracy of the moves, 0 to 100, if there are any.
    pub fn accuracy(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.accuracy / f64::from(self.moves))
    }

    /// Returns the mean loss of expected score a move, 0 to 1, if there are any.
    pub fn mean_loss(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.loss / f64::from(self.moves))
    }
}
