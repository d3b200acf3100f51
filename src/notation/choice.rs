//! Which legal move a text means, when it fits some of them.

use crate::board::Move;

/// The legal moves that a text fits.
pub(super) enum Choice {
    /// No move.
    None,
    /// One move, or a pair that no short text can tell apart.
    One(Move),
    /// Moves that differ in more than the promotion.
    Several(Vec<Move>),
}

impl Choice {
    /// Chooses among the moves that fit.
    ///
    /// In Russian draughts two captures may differ in nothing but the promotion, because one route touches the last row
    /// and the other does not. Hub and the short forms cannot show that; by convention they mean the move that
    /// promotes, which nobody would avoid.
    pub(super) fn among(candidates: impl Iterator<Item = Move>) -> Self {
        let candidates: Vec<Move> = candidates.collect();
        let Some(&first) = candidates.first() else {
            return Self::None;
        };
        let promoting = |mv| Move {
            promotes: true,
            ..mv
        };
        let differ_in_promotion = candidates
            .iter()
            .all(|&mv| promoting(mv) == promoting(first));
        if !differ_in_promotion {
            return Self::Several(candidates);
        }
        let promotes = candidates.iter().any(|mv| mv.promotes);
        Self::One(Move { promotes, ..first })
    }
}
