//! Scores, bounds, depths: the numbers of the search.

use std::ops::{Add, Neg, Sub};

/// The value of a position from the view of the side to move, in hundredths of a man.
///
/// An ordinary score lies within plus and minus [`Score::MAX_EVAL`]. A proven win is [`Score::WIN`] minus the plies to the end of
/// the game, and a proven loss the negative of that, so that the nearer win is the higher score. A win by endgame tables, which do not
/// know the length of the game, is [`Score::TABLE_WIN`] minus the plies to the position that was looked up or, where that is the root,
/// to the next move that changes the material.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(pub i32);

impl Score {
    /// A draw, and the middle of the scale.
    pub const DRAW: Self = Self(0);
    /// A win in 0 plies: the opponent has already lost. All scores lie within plus and minus this.
    pub const WIN: Self = Self(10_000);
    /// The largest magnitude of a score that is not proven. Below 80 men, which Hub reserves for
    /// proven results.
    pub const MAX_EVAL: Self = Self(7_900);
    /// A win by tables in 0 plies. Hub shows it as 90 men.
    pub const TABLE_WIN: Self = Self(9_000);
    /// Larger than any score.
    pub const INFINITY: Self = Self(10_001);

    /// Returns the score of a game won in a number of plies.
    #[inline]
    pub const fn win_in(plies: Ply) -> Self {
        Self(Self::WIN.0 - plies)
    }

    /// Returns the score of a game lost in a number of plies.
    #[inline]
    pub const fn loss_in(plies: Ply) -> Self {
        Self(plies - Self::WIN.0)
    }

    /// Returns the score of a line that reaches, after a number of plies, a position that tables know as won.
    #[inline]
    pub const fn table_win(plies: Ply) -> Self {
        Self(Self::TABLE_WIN.0 - plies)
    }

    /// Says whether the score is a proven win or loss, by its line or by tables.
    #[inline]
    pub const fn is_decided(self) -> bool {
        self.0.abs() > Self::MAX_EVAL.0
    }

    /// Returns the plies to the end of the game, if the score is a win or loss proven by its line.
    pub const fn plies_to_end(self) -> Option<Ply> {
        if self.0.abs() >= Self::WIN.0 - MAX_PLY {
            Some(Self::WIN.0 - self.0.abs())
        } else {
            None
        }
    }

    /// Returns the nearest score that is not a proven win or loss.
    #[inline]
    #[must_use]
    pub fn clamp_to_eval(self) -> Self {
        Self(self.0.clamp(-Self::MAX_EVAL.0, Self::MAX_EVAL.0))
    }
}

impl Neg for Score {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Add<i32> for Score {
    type Output = Self;
    #[inline]
    fn add(self, centimen: i32) -> Self {
        Self(self.0 + centimen)
    }
}

impl Sub<i32> for Score {
    type Output = Self;
    #[inline]
    fn sub(self, centimen: i32) -> Self {
        Self(self.0 - centimen)
    }
}

/// What a searched score says about the true value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The value is at most the score: no move reached alpha.
    Upper,
    /// The value is at least the score: a move reached beta.
    Lower,
    /// The value is the score.
    Exact,
}

/// What is left to search, in plies.
pub type Depth = i32;

/// The distance from the root, in plies.
pub type Ply = i32;

/// The longest line the search follows.
pub const MAX_PLY: Ply = 240;
