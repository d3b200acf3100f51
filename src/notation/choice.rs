//! Which legal move a text means, when it fits some of them.

use crate::board::Move;

/// The legal moves that a text fits.
pub(super) enum Choice {
    /// No move.
    None,
    /// One move.
    One(Move),
    /// Several moves.
    Several(Vec<Move>),
}

impl Choice {
    /// Collects the moves that fit.
    pub(super) fn among(candidates: impl Iterator<Item = Move>) -> Self {
        let candidates: Vec<Move> = candidates.collect();
        match candidates[..] {
            [] => Self::None,
            [mv] => Self::One(mv),
            _ => Self::Several(candidates),
        }
    }
}
