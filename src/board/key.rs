//! Zobrist keys: a 64-bit fingerprint of placement and side to move, kept up to date move by move.
//!
//! Albert Zobrist, "A new hashing method with application for game playing" (1970): give each
//! (piece, square) a random number and combine those that are on the board with exclusive or.

use super::{Move, Piece, Position, Side, Square};

/// The fingerprint of a placement and a side to move. Draw counters are not part of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Key(pub u64);

/// The random numbers, by side, piece and bit.
static NUMBERS: [[[u64; 64]; 2]; 2] = numbers();

/// Combined into the key when Black is to move; any random number would do.
const BLACK_TO_MOVE: u64 = 0x9D39_247E_3377_6D41;

/// Returns the next value of the splitmix64 generator (Steele, Lea and Flood, 2014) for a state.
pub(crate) const fn splitmix64(state: u64) -> u64 {
    let mut z = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

const fn numbers() -> [[[u64; 64]; 2]; 2] {
    let mut table = [[[0; 64]; 2]; 2];
    let mut i = 0;
    while i < 256 {
        table[i / 128][i / 64 % 2][i % 64] =
            splitmix64((i as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        i += 1;
    }
    table
}

impl Key {
    /// Computes the key of a position from scratch.
    pub fn of(pos: &Position) -> Self {
        let mut key = if pos.turn() == Side::Black {
            BLACK_TO_MOVE
        } else {
            0
        };
        for side in Side::BOTH {
            for sq in pos.men(side).squares() {
                key ^= number(side, Piece::Man, sq);
            }
            for sq in pos.kings(side).squares() {
                key ^= number(side, Piece::King, sq);
            }
        }
        Self(key)
    }

    /// Returns the key after a move, from the key and the position before it.
    #[inline]
    #[must_use]
    pub fn after(self, pos: &Position, mv: Move) -> Self {
        let side = pos.turn();
        let before = pos.kind_at(mv.from);
        let after = if mv.promotes { Piece::King } else { before };
        let mut key =
            self.0 ^ BLACK_TO_MOVE ^ number(side, before, mv.from) ^ number(side, after, mv.to);
        for sq in mv.captured.squares() {
            key ^= number(side.opponent(), pos.kind_at(sq), sq);
        }
        Self(key)
    }
}

#[inline]
fn number(side: Side, piece: Piece, square: Square) -> u64 {
    NUMBERS[side.index()][piece as usize][square.bit()]
}
