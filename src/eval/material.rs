//! Material alone.

use crate::board::{Position, Side};
use crate::score::Score;

/// A man, by definition of the scale.
pub(super) const MAN: i32 = 100;
/// A flying king: a guess that is never changed, so that this evaluation stays a yardstick.
pub(super) const KING: i32 = 300;

/// Returns the material balance from the view of the side to move.
pub(super) fn evaluate(pos: &Position) -> Score {
    Score(of(pos, pos.turn()) - of(pos, pos.turn().opponent()))
}

/// Returns the worth of a side's pieces.
#[inline]
pub(super) fn of(pos: &Position, side: Side) -> i32 {
    let material = pos.material(side);
    MAN * material.men as i32 + KING * material.kings as i32
}
