//! A move, and a list of them that needs no heap.

use super::{Bitboard, Square};
use arrayvec::ArrayVec;

/// A move: where a piece starts, where it lands, what it captures, and whether it is promoted.
///
/// The path is not part of a move. Two routes that start and land on the same squares, capture the
/// same pieces and agree about the promotion lead to the same position, so they are one move and the
/// generator merges them.
///
/// Invariant: `captured` holds only pieces of the opponent. All of them stand until the move is
/// complete, so none is captured twice and each still blocks the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// The pieces taken; empty for a quiet move.
    pub captured: Bitboard,
    /// Where the piece starts.
    pub from: Square,
    /// Where it ends; may equal `from` after a round trip.
    pub to: Square,
    /// Whether a man is a king after the move. In Russian draughts it may have been promoted in
    /// mid-capture and ended elsewhere.
    pub promotes: bool,
}

const _: () = assert!(size_of::<Move>() == 16);

impl Move {
    /// Says whether the move takes something.
    #[inline]
    pub const fn is_capture(self) -> bool {
        !self.captured.is_empty()
    }
}

/// The room in a [`MoveList`].
///
/// Twelve kings on an empty board have fewer than 12 x 13 quiet moves, so quiet lists always fit. For captures
/// no bound is proved; a hill climb over legal positions (`engine-tests/oracle.rs`) finds no list half as
/// long as this. A longer one would be cut short, never overrun.
pub const MAX_MOVES: usize = 256;

/// The moves of a position, in the order of generation.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;
