//! Slices: all positions with the same material, seen from the side to move.

use super::MAX_PIECES;
use crate::board::{Bitboard, Position, Side};
use std::fmt;
use std::str::FromStr;

/// How many men and kings the mover and its opponent have.
///
/// Written as `2K1M-1K`: the mover's kings and men, then the opponent's, nothing for none of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Slice {
    /// Men of the mover and of its opponent.
    pub men: [u8; 2],
    /// Kings of the mover and of its opponent.
    pub kings: [u8; 2],
}

/// Says that a text names no slice.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown slice \"{0}\", expected one such as 2K1M-1K")]
pub struct UnknownSlice(pub String);

impl Slice {
    /// The number of different values of [`Self::id`].
    pub(super) const IDS: usize = 1 << 12;

    /// Returns the slice of a position.
    #[inline]
    pub const fn of(pos: &Position) -> Self {
        let own = pos.material(pos.turn());
        let opp = pos.material(pos.turn().opponent());
        Self {
            men: [own.men as u8, opp.men as u8],
            kings: [own.kings as u8, opp.kings as u8],
        }
    }

    /// Returns the number of pieces.
    #[inline]
    pub const fn pieces(self) -> u32 {
        (self.men[0] + self.men[1] + self.kings[0] + self.kings[1]) as u32
    }

    /// Returns the slice as the opponent sees it.
    #[must_use]
    pub const fn flipped(self) -> Self {
        Self {
            men: [self.men[1], self.men[0]],
            kings: [self.kings[1], self.kings[0]],
        }
    }

    /// Returns the slice and its other view, or only the one if they are the same.
    pub fn views(self) -> Vec<Self> {
        if self.is_symmetric() {
            vec![self]
        } else {
            vec![self, self.flipped()]
        }
    }

    /// Returns a small number that no other slice has.
    #[inline]
    pub(super) const fn id(self) -> usize {
        debug_assert!(self.pieces() <= MAX_PIECES);
        let [a, b] = self.men;
        let [k, l] = self.kings;
        a as usize | (b as usize) << 3 | (k as usize) << 6 | (l as usize) << 9
    }

    /// Says whether both sides have a piece, and together no more than tables can have.
    pub(super) const fn is_in_tables(self) -> bool {
        self.men[0] + self.kings[0] > 0
            && self.men[1] + self.kings[1] > 0
            && self.pieces() <= MAX_PIECES
    }

    /// Returns the slices with a number of pieces and both sides present, in an order in which a slice comes behind all that its moves lead to.
    /// Of two views of the same slice only that of the stronger side is listed.
    ///
    /// A promotion leads to one man fewer with as many pieces, a capture to fewer pieces.
    pub fn pairs(pieces: u32) -> Vec<Self> {
        let n = pieces as u8;
        let mut all = Vec::new();
        for men_count in 0..=n {
            for a in (0..=men_count).rev() {
                for k in (0..=n - men_count).rev() {
                    let slice = Self {
                        men: [a, men_count - a],
                        kings: [k, n - men_count - k],
                    };
                    let is_first = slice.rank() >= slice.flipped().rank();
                    if slice.is_in_tables() && is_first {
                        all.push(slice);
                    }
                }
            }
        }
        all
    }

    /// Returns all slices up to a number of pieces in the order of [`Self::pairs`], fewer pieces first.
    pub fn up_to(pieces: u32) -> Vec<Self> {
        (2..=pieces).flat_map(Self::pairs).collect()
    }

    /// Returns the slices that a move of either side leads to, in the view of the stronger side: one promotion, or captures, or both.
    pub fn leads_to(self) -> Vec<Self> {
        let mut all = Vec::new();
        for Self { men, kings } in [self, self.flipped()] {
            let mut own = vec![[men[0], kings[0]]];
            if men[0] > 0 {
                own.push([men[0] - 1, kings[0] + 1]);
            }
            for [own_men, own_kings] in own {
                for opp_men in 0..=men[1] {
                    for opp_kings in 0..=kings[1] {
                        let after = Self {
                            men: [own_men, opp_men],
                            kings: [own_kings, opp_kings],
                        };
                        if after.is_in_tables() {
                            all.push(after.stronger());
                        }
                    }
                }
            }
        }
        all.sort_by_key(|slice| slice.id());
        all.dedup();
        all.retain(|&slice| slice != self.stronger());
        all
    }

    /// Orders the two views of a slice: more pieces first, then more kings.
    const fn rank(self) -> (u8, u8) {
        (self.men[0] + self.kings[0], self.kings[0])
    }

    /// Returns the view of the stronger side, which names the files of both.
    #[must_use]
    pub fn stronger(self) -> Self {
        if self.rank() >= self.flipped().rank() {
            self
        } else {
            self.flipped()
        }
    }

    /// Says whether the slice is the same from both sides.
    pub fn is_symmetric(self) -> bool {
        self == self.flipped()
    }
}

impl fmt::Display for Slice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for side in 0..2 {
            if side == 1 {
                f.write_str("-")?;
            }
            if self.kings[side] > 0 {
                write!(f, "{}K", self.kings[side])?;
            }
            if self.men[side] > 0 {
                write!(f, "{}M", self.men[side])?;
            }
        }
        Ok(())
    }
}

impl FromStr for Slice {
    type Err = UnknownSlice;

    fn from_str(text: &str) -> Result<Self, UnknownSlice> {
        let parse = || {
            let (own, opp) = text.split_once('-')?;
            let (own, opp) = (parse_side(own)?, parse_side(opp)?);
            let slice = Self {
                men: [own.1, opp.1],
                kings: [own.0, opp.0],
            };
            slice.is_in_tables().then_some(slice)
        };
        parse().ok_or_else(|| UnknownSlice(text.to_owned()))
    }
}

/// Reads the numbers of kings and men of one side.
fn parse_side(text: &str) -> Option<(u8, u8)> {
    let text = text.to_ascii_uppercase();
    let (kings, men) = match text.split_once('K') {
        Some((kings, men)) => (kings, men),
        None => ("0", text.as_str()),
    };
    let men = match men {
        "" => "0",
        men => men.strip_suffix('M')?,
    };
    let read = |digits: &str| digits.parse().ok().filter(|&n: &u8| n <= MAX_PIECES as u8);
    Some((read(kings)?, read(men)?))
}

/// The pieces of a position as the mover sees them: its men move up the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct View {
    /// Men of the mover and of its opponent.
    pub(super) men: [u64; 2],
    /// Kings of the mover and of its opponent.
    pub(super) kings: [u64; 2],
}

impl View {
    /// Returns the view of the side to move.
    #[inline]
    pub(super) const fn of(pos: &Position) -> Self {
        let turn = pos.turn();
        let (own, opp) = (pos.own().0, pos.opp().0);
        let kings = pos.all_kings().0;
        let view = Self {
            men: [own & !kings, opp & !kings],
            kings: [own & kings, opp & kings],
        };
        match turn {
            Side::White => view,
            Side::Black => Self {
                men: [view.men[0].reverse_bits(), view.men[1].reverse_bits()],
                kings: [view.kings[0].reverse_bits(), view.kings[1].reverse_bits()],
            },
        }
    }

    /// Returns the slice.
    #[inline]
    pub(super) const fn slice(&self) -> Slice {
        Slice {
            men: [
                self.men[0].count_ones() as u8,
                self.men[1].count_ones() as u8,
            ],
            kings: [
                self.kings[0].count_ones() as u8,
                self.kings[1].count_ones() as u8,
            ],
        }
    }

    /// Returns the position with White to move.
    #[inline]
    pub(super) const fn position(&self) -> Position {
        Position::from_sets(
            [Bitboard(self.men[0]), Bitboard(self.men[1])],
            [Bitboard(self.kings[0]), Bitboard(self.kings[1])],
            Side::White,
        )
    }
}
