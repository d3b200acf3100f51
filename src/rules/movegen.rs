//! The legal moves of a position. Capture is compulsory: quiet moves are legal only where there is no capture.

use super::captures::{self, Sides};
use super::{Rules, counting, quiets};
use crate::board::{MoveList, Position};

/// Replaces the contents of `moves` with the legal moves. If there are none, the side to move has lost.
///
/// Moves are unique by start, end, captured set and promotion. The order is fixed: the same
/// position always gives the same list.
#[inline]
pub fn legal_moves<R: Rules>(pos: &Position, moves: &mut MoveList) {
    capture_moves::<R>(pos, moves);
    if moves.is_empty() {
        quiets::generate(pos, moves);
    }
}

/// Replaces the contents of `moves` with the legal captures.
#[inline]
pub fn capture_moves<R: Rules>(pos: &Position, moves: &mut MoveList) {
    moves.clear();
    captures::generate::<R::Movement>(&Sides::of(pos), moves);
}

/// Replaces the contents of `moves` with the moves that capture nothing. They are legal only if there is no capture.
#[inline]
pub fn quiet_moves(pos: &Position, moves: &mut MoveList) {
    moves.clear();
    quiets::generate(pos, moves);
}

/// Says whether the side to move has a capture. The same under all rules, since they differ only in how
/// a capture goes on.
#[inline]
pub fn has_capture(pos: &Position) -> bool {
    Sides::of(pos).can_jump()
}

/// Says whether the opponent, if it were to move, would have a capture.
#[inline]
pub fn is_threatened(pos: &Position) -> bool {
    Sides::of(&pos.passed()).can_jump()
}

/// Says whether the side to move has a legal move; if not, it has lost.
#[inline]
pub fn has_legal_move(pos: &Position) -> bool {
    quiets::any(pos) || has_capture(pos)
}

/// Counts the legal moves, mostly without listing them.
#[inline]
pub fn count_moves<R: Rules>(pos: &Position) -> u64 {
    counting::moves::<R::Movement>(pos)
}
