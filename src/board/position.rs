//! A placement of pieces and the side to move.

use super::{Bitboard, Move, Piece, Side, Square};

/// The most pieces a side may have.
pub const MAX_PIECES: u32 = 12;

/// A placement and the side to move: plain data, 32 bytes, copied freely.
///
/// Invariants, checked by [`Position::new`] and kept by [`Position::play`]: the sides do not overlap,
/// only dark squares are used, no man stands on its own promotion row, a side has at most 12 pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    pieces: [Bitboard; 2],
    kings: Bitboard,
    turn: Side,
}

const _: () = assert!(size_of::<Position>() == 32);

/// What is wrong with a placement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionFault {
    /// Two pieces on one square.
    #[error("square {0} holds two pieces")]
    Overlap(Square),
    /// A man that should have been promoted.
    #[error("a {0} man stands on its promotion row, square {1}")]
    ManOnPromotionRow(Side, Square),
    /// More than twelve pieces.
    #[error("{0} has {1} pieces, at most 12 are possible")]
    TooManyPieces(Side, u32),
}

/// How many pieces of each kind a side has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Material {
    /// Men.
    pub men: u32,
    /// Kings.
    pub kings: u32,
}

impl Material {
    /// Returns the number of pieces.
    #[inline]
    pub const fn pieces(self) -> u32 {
        self.men + self.kings
    }
}

impl Position {
    /// Builds a position from the men and kings of White and Black.
    ///
    /// A side without pieces is legal: if it is to move, it has lost.
    pub fn new(
        men: [Bitboard; 2],
        kings: [Bitboard; 2],
        turn: Side,
    ) -> Result<Self, PositionFault> {
        let mut seen = Bitboard::EMPTY;
        for set in [men[0], men[1], kings[0], kings[1]] {
            if let Some(sq) = (seen & set).squares().next() {
                return Err(PositionFault::Overlap(sq));
            }
            seen |= set;
        }
        for side in Side::BOTH {
            let stuck = men[side.index()] & Self::promotion_row(side);
            if let Some(sq) = stuck.squares().next() {
                return Err(PositionFault::ManOnPromotionRow(side, sq));
            }
            let count = (men[side.index()] | kings[side.index()]).count();
            if count > MAX_PIECES {
                return Err(PositionFault::TooManyPieces(side, count));
            }
        }
        let pieces = [men[0] | kings[0], men[1] | kings[1]];
        Ok(Self {
            pieces,
            kings: kings[0] | kings[1],
            turn,
        })
    }

    /// Returns the position of sets that are known to keep the invariants.
    #[inline]
    pub(crate) const fn from_sets(men: [Bitboard; 2], kings: [Bitboard; 2], turn: Side) -> Self {
        Self {
            pieces: [
                Bitboard(men[0].0 | kings[0].0),
                Bitboard(men[1].0 | kings[1].0),
            ],
            kings: Bitboard(kings[0].0 | kings[1].0),
            turn,
        }
    }

    /// Returns the start position, twelve men each on three rows, with a side to move.
    pub const fn start(turn: Side) -> Self {
        Self {
            pieces: [
                Bitboard(Bitboard::DARK.0 & 0xFF_FFFF),
                Bitboard(Bitboard::DARK.0 & 0xFFFF_FF00_0000_0000),
            ],
            kings: Bitboard::EMPTY,
            turn,
        }
    }

    /// Returns the row on which a side's men are promoted.
    #[inline]
    pub const fn promotion_row(side: Side) -> Bitboard {
        match side {
            Side::White => Bitboard::rank(7),
            Side::Black => Bitboard::rank(0),
        }
    }

    /// Returns the side to move.
    #[inline]
    pub const fn turn(&self) -> Side {
        self.turn
    }

    /// Returns the pieces of a side.
    #[inline]
    pub const fn pieces(&self, side: Side) -> Bitboard {
        self.pieces[side.index()]
    }

    /// Returns the pieces of the side to move.
    #[inline]
    pub const fn own(&self) -> Bitboard {
        self.pieces(self.turn)
    }

    /// Returns the pieces of the side that is not to move.
    #[inline]
    pub const fn opp(&self) -> Bitboard {
        self.pieces(self.turn.opponent())
    }

    /// Returns the kings of both sides.
    #[inline]
    pub const fn all_kings(&self) -> Bitboard {
        self.kings
    }

    /// Returns the kings of a side.
    #[inline]
    pub const fn kings(&self, side: Side) -> Bitboard {
        Bitboard(self.pieces(side).0 & self.kings.0)
    }

    /// Returns the men of a side.
    #[inline]
    pub const fn men(&self, side: Side) -> Bitboard {
        Bitboard(self.pieces(side).0 & !self.kings.0)
    }

    /// Returns the squares with a piece.
    #[inline]
    pub const fn occupied(&self) -> Bitboard {
        Bitboard(self.pieces[0].0 | self.pieces[1].0)
    }

    /// Returns the squares without a piece.
    #[inline]
    pub const fn empty(&self) -> Bitboard {
        Bitboard(self.occupied().0 ^ Bitboard::DARK.0)
    }

    /// Says whether a king of either side stands on a square.
    #[inline]
    pub const fn is_king_at(&self, square: Square) -> bool {
        self.kings.contains(square)
    }

    /// Returns the kind of the piece on a square that is not empty.
    #[inline]
    pub(super) const fn kind_at(&self, square: Square) -> Piece {
        if self.is_king_at(square) {
            Piece::King
        } else {
            Piece::Man
        }
    }

    /// Returns what stands on a square.
    pub const fn at(&self, square: Square) -> Option<(Side, Piece)> {
        let piece = self.kind_at(square);
        if self.pieces[0].contains(square) {
            Some((Side::White, piece))
        } else if self.pieces[1].contains(square) {
            Some((Side::Black, piece))
        } else {
            None
        }
    }

    /// Returns how many men and kings a side has.
    #[inline]
    pub const fn material(&self, side: Side) -> Material {
        Material {
            men: self.men(side).count(),
            kings: self.kings(side).count(),
        }
    }

    /// Returns the position after one of its legal moves.
    #[inline]
    #[must_use]
    pub const fn play(&self, mv: Move) -> Self {
        let from = 1 << mv.from.bit();
        let to = 1 << mv.to.bit();
        let side = self.turn.index();
        let stays = !mv.captured.0;
        let becomes_king = mv.promotes || self.kings.0 & from != 0;
        let mut pieces = self.pieces;
        // The start square is cleared first: a capture may end where it began.
        pieces[side] = Bitboard(pieces[side].0 & !from | to);
        pieces[1 - side] = Bitboard(pieces[1 - side].0 & stays);
        let kings = self.kings.0 & !from & stays | if becomes_king { to } else { 0 };
        Self {
            pieces,
            kings: Bitboard(kings),
            turn: self.turn.opponent(),
        }
    }

    /// Returns the same placement with the other side to move.
    #[inline]
    #[must_use]
    pub const fn passed(&self) -> Self {
        Self {
            turn: self.turn.opponent(),
            ..*self
        }
    }

    /// Returns the same position with colours exchanged and the board turned by 180 degrees.
    ///
    /// The rules are the same for both sides, so everything about the result (moves, value) is the
    /// mirror image of the original.
    #[must_use]
    pub const fn flipped(&self) -> Self {
        Self {
            pieces: [self.pieces[1].rotated(), self.pieces[0].rotated()],
            kings: self.kings.rotated(),
            turn: self.turn.opponent(),
        }
    }
}
