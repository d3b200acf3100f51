//! The board and what stands on it: squares, sets of squares, sides, pieces, positions, moves, keys.
//!
//! This layer is plain data and geometry. It knows no rule of any game: what may move where is in
//! [`crate::rules`].
//!
//! # Layout
//!
//! A [`Bitboard`] is the usual 64-bit chess board (a1 = bit 0, h1 = bit 7, h8 = bit 63) of which only
//! the 32 dark squares are ever set. One diagonal step is a shift by 7 or 9, and a step over the edge
//! lands on a **light** square, so masking with any set of dark squares (the empty ones, the
//! opponent's pieces) removes every wrap: no file masks, and the same two shifts for all rows. A packed
//! 32-bit board needs shifts that differ between odd and even rows and masks for both edges.

mod bitboard;
mod key;
mod mv;
mod position;
mod side;
mod square;

pub use bitboard::{Bitboard, Squares};
pub use key::Key;
pub(crate) use key::splitmix64;
pub use mv::{MAX_MOVES, Move, MoveList};
pub use position::{MAX_PIECES, Material, Position, PositionFault};
pub use side::{Piece, Side};
pub use square::Square;
