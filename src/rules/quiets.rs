//! Quiet moves: one step forward for men, any distance for kings.

use super::directions::{NORTH_EAST, NORTH_WEST, SOUTH_EAST, SOUTH_WEST, fill, step};
use crate::board::{Bitboard, Move, MoveList, Position, Side, Square};

/// The two diagonals through each square, without the square itself.
static DIAGONALS: [[u64; 2]; 64] = diagonals();

const fn diagonals() -> [[u64; 2]; 64] {
    let mut table = [[0; 2]; 64];
    let mut bit = 0;
    while bit < 64 {
        let at = 1 << bit;
        let dark = Bitboard::DARK.0;
        if at & dark != 0 {
            table[bit][0] = (fill::<NORTH_EAST>(at, dark) | fill::<SOUTH_WEST>(at, dark)) ^ at;
            table[bit][1] = (fill::<NORTH_WEST>(at, dark) | fill::<SOUTH_EAST>(at, dark)) ^ at;
        }
        bit += 1;
    }
    table
}

/// Appends every quiet move of the side to move. Meant for positions without a capture.
pub(super) fn generate(pos: &Position, moves: &mut MoveList) {
    let empty = pos.empty().0;
    let kings = pos.own().0 & pos.all_kings().0;
    let men = pos.own().0 & !kings;
    let row = Position::promotion_row(pos.turn()).0;
    for king in Bitboard(kings).squares() {
        let reached = king_reach(king, empty);
        for to in Bitboard(reached).squares() {
            push(moves, king, to, false);
        }
    }
    match pos.turn() {
        Side::White => {
            men_step::<NORTH_WEST>(men, empty, row, moves);
            men_step::<NORTH_EAST>(men, empty, row, moves);
        }
        Side::Black => {
            men_step::<SOUTH_EAST>(men, empty, row, moves);
            men_step::<SOUTH_WEST>(men, empty, row, moves);
        }
    }
}

/// Says whether the side to move has a quiet move.
#[inline]
pub(super) fn any(pos: &Position) -> bool {
    let empty = pos.empty().0;
    let kings = pos.own().0 & pos.all_kings().0;
    men_targets(pos, empty).iter().any(|&targets| targets != 0)
        || (step::<NORTH_EAST>(kings)
            | step::<NORTH_WEST>(kings)
            | step::<SOUTH_EAST>(kings)
            | step::<SOUTH_WEST>(kings))
            & empty
            != 0
}

/// Returns where the men of the side to move can step, for each of their two directions.
#[inline]
fn men_targets(pos: &Position, empty: u64) -> [u64; 2] {
    let men = pos.own().0 & !pos.all_kings().0;
    match pos.turn() {
        Side::White => [
            step::<NORTH_WEST>(men) & empty,
            step::<NORTH_EAST>(men) & empty,
        ],
        Side::Black => [
            step::<SOUTH_EAST>(men) & empty,
            step::<SOUTH_WEST>(men) & empty,
        ],
    }
}

#[inline]
fn men_step<const D: i8>(men: u64, empty: u64, row: u64, moves: &mut MoveList) {
    let mut targets = step::<D>(men) & empty;
    while targets != 0 {
        let to = targets & targets.wrapping_neg();
        targets ^= to;
        let from = if D > 0 { to >> D } else { to << -D };
        push(
            moves,
            Square::lowest_of(Bitboard(from)),
            Square::lowest_of(Bitboard(to)),
            to & row != 0,
        );
    }
}

#[inline]
fn push(moves: &mut MoveList, from: Square, to: Square, promotes: bool) {
    // Quiet moves always fit, see `MAX_MOVES`.
    let _ = moves.try_push(Move {
        captured: Bitboard::EMPTY,
        from,
        to,
        promotes,
    });
}

/// Returns the empty squares that a king reaches.
///
/// On each diagonal, subtracting the king's bit from the blockers borrows up to the nearest one above; the same
/// with the rows in reverse order finds the nearest one below (the "o - 2r" trick, known as
/// hyperbola quintessence: Gerd Isenberg and Aleks Peshkov, 2007).
#[inline]
pub(crate) fn king_reach(king: Square, empty: u64) -> u64 {
    let at = 1_u64 << king.bit();
    let mut reach = 0;
    for diagonal in DIAGONALS[king.bit()] {
        let blockers = diagonal & !empty;
        let up = blockers.wrapping_sub(at);
        let down = blockers
            .swap_bytes()
            .wrapping_sub(at.swap_bytes())
            .swap_bytes();
        reach |= (up ^ down) & diagonal;
    }
    reach & empty
}
