//! Late move reductions: moves that are tried late are seldom best, so they are searched to a lower depth at first, and to
//! the full depth only if they turn out better than expected.
//!
//! The reduction grows with the logarithms of the depth and of the number of the move, as in most engines since
//! Fruit and Stockfish. Captures are compulsory and promotions rare: neither is reduced.

use super::order::KILLER;
use super::params::{
    HISTORY_PER_PLY, INTERNAL_REDUCTION_DEPTH, REDUCED_AFTER, REDUCED_AFTER_PV, REDUCTION_DEPTH,
    REDUCTION_DIVISOR,
};
use crate::board::Move;
use crate::score::Depth;
use crate::tt::MoveCode;

/// Reductions are computed in parts of a ply, of which this many are one.
const PLY: i32 = 1024;

/// Depths and numbers of moves that the array tells apart.
const DEPTHS: usize = 128;
const NUMBERS: usize = 32;

static REDUCTIONS: [[i16; NUMBERS]; DEPTHS] = reductions();

/// A move and the circumstances in which it is tried.
#[derive(Clone, Copy, Debug)]
pub(super) struct Late {
    pub(super) mv: Move,
    /// What the move was ordered by.
    pub(super) order: i32,
    /// The move is the first of its node, the second, ...
    pub(super) number: usize,
    /// The depth of the node.
    pub(super) depth: Depth,
    pub(super) is_pv: bool,
    /// The opponent threatens to capture, so the move may be the one that saves the piece.
    pub(super) is_threatened: bool,
}

/// Returns by how many plies less a move is searched at first.
#[inline]
pub(super) fn reduction(late: Late) -> Depth {
    let first = if late.is_pv {
        REDUCED_AFTER_PV
    } else {
        REDUCED_AFTER
    };
    let is_plain = !late.mv.is_capture() && !late.mv.promotes;
    if !is_plain || late.number <= first || late.depth < REDUCTION_DEPTH {
        return 0;
    }
    let row = &REDUCTIONS[(late.depth as usize).min(DEPTHS - 1)];
    let mut reduction = i32::from(row[late.number.min(NUMBERS - 1)]);
    reduction -= PLY * (i32::from(late.is_pv) + i32::from(late.is_threatened));
    reduction -= if late.order >= KILLER {
        PLY
    } else {
        late.order * PLY / HISTORY_PER_PLY
    };
    (reduction / PLY).max(0)
}

/// Returns by how many plies less a node is searched if the table knows no best move of it: either it is unimportant, or the next
/// iteration comes back to it with a move to begin with (internal iterative reduction, by Ed Schröder).
#[inline]
pub(super) fn internal_reduction(depth: Depth, best: MoveCode, moves: usize) -> Depth {
    Depth::from(best == MoveCode::NONE && depth >= INTERNAL_REDUCTION_DEPTH && moves > 1)
}

const fn reductions() -> [[i16; NUMBERS]; DEPTHS] {
    let mut table = [[0; NUMBERS]; DEPTHS];
    let mut depth = 1;
    while depth < DEPTHS {
        let mut number = 1;
        while number < NUMBERS {
            let product = log2(depth as u64) * log2(number as u64) / PLY;
            table[depth][number] = (product * 100 / REDUCTION_DIVISOR) as i16;
            number += 1;
        }
        depth += 1;
    }
    table
}

/// Returns the binary logarithm of a number, in parts of [`PLY`].
const fn log2(n: u64) -> i32 {
    let whole = n.ilog2();
    // The mantissa, with 31 bits after the point, is squared ten times; each time it passes 2 the next bit is one.
    let mut mantissa = (n << 31) >> whole;
    let mut bits = 0;
    let mut i = 0;
    while i < PLY.ilog2() {
        mantissa = (mantissa * mantissa) >> 31;
        bits <<= 1;
        if mantissa >> 32 != 0 {
            mantissa >>= 1;
            bits |= 1;
        }
        i += 1;
    }
    whole as i32 * PLY + bits
}
