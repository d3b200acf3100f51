//! The order in which moves are tried: best first makes the tree small.

use super::history::{Context, History};
use crate::board::{MAX_MOVES, Move, MoveList, Position};
use crate::tt::MoveCode;
use arrayvec::ArrayVec;

/// The best move of the transposition table comes before all others.
const FROM_TABLE: i32 = 1 << 24;
/// Then promotions,
const PROMOTION: i32 = 1 << 20;
/// then the killers.
pub(super) const KILLER: i32 = 1 << 18;
/// A captured king counts as this many captured men.
const KING_IN_MEN: i32 = 3;

/// The numbers by which a list of moves is ordered.
pub(super) type Scores = ArrayVec<i32, MAX_MOVES>;

/// A list of moves that is handed out best first.
pub(super) struct OrderedMoves<'a> {
    /// On the stack of the caller, as are the scores: the lists are too large to be moved about.
    moves: &'a mut MoveList,
    scores: &'a mut Scores,
    next: usize,
}

impl<'a> OrderedMoves<'a> {
    /// Orders the legal moves of a position.
    #[inline]
    pub(super) fn new(
        pos: &Position,
        moves: &'a mut MoveList,
        scores: &'a mut Scores,
        best: MoveCode,
        history: &History,
        context: Context,
    ) -> Self {
        let killers = history.killers(context.ply);
        let score = |&mv: &Move| {
            if best != MoveCode::NONE && MoveCode::of(mv) == best {
                return FROM_TABLE;
            }
            if mv.is_capture() {
                let kings = (mv.captured & pos.all_kings()).count() as i32;
                return mv.captured.count() as i32 + (KING_IN_MEN - 1) * kings;
            }
            if mv.promotes {
                PROMOTION
            } else if killers[0] == Some(mv) {
                KILLER + 1
            } else if killers[1] == Some(mv) {
                KILLER
            } else {
                history.score(context, mv)
            }
        };
        scores.clear();
        scores.extend(moves.iter().map(score));
        Self {
            moves,
            scores,
            next: 0,
        }
    }

    /// Returns the moves handed out so far, the last one excepted.
    pub(super) fn tried_before_last(&self) -> &[Move] {
        &self.moves[..self.next.saturating_sub(1)]
    }

    /// Returns what the move handed out last was ordered by.
    #[inline]
    pub(super) fn last_score(&self) -> i32 {
        self.scores[self.next - 1]
    }

    /// Returns which move was handed out last: 1 for the first.
    #[inline]
    pub(super) fn last_number(&self) -> usize {
        self.next
    }
}

impl Iterator for OrderedMoves<'_> {
    type Item = Move;

    /// Picks the best of the moves that are left. Equal ones keep the order of generation, as far as the swaps of earlier picks allow.
    #[inline]
    fn next(&mut self) -> Option<Move> {
        let left = self.scores.get(self.next..)?;
        let mut best = 0;
        for (i, score) in left.iter().enumerate().skip(1) {
            if *score > left[best] {
                best = i;
            }
        }
        if left.is_empty() {
            return None;
        }
        self.moves.swap(self.next, self.next + best);
        self.scores.swap(self.next, self.next + best);
        self.next += 1;
        Some(self.moves[self.next - 1])
    }
}
