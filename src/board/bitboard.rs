//! A set of dark squares.

use super::Square;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

/// A set of dark squares: bit `8 * rank + file` of a 64-bit word, a1 = bit 0.
///
/// Invariant, which only arithmetic within the crate may break for a moment: no light square is set.
/// [`Not`] keeps it (the complement is taken within the dark squares).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Bitboard(pub(crate) u64);

impl Bitboard {
    /// No square.
    pub const EMPTY: Self = Self(0);
    /// All 32 dark squares.
    pub const DARK: Self = Self(0xAA55_AA55_AA55_AA55);
    /// The long diagonal a1-h8, the main road.
    pub const MAIN_ROAD: Self = Self(0x8040_2010_0804_0201);

    /// Returns the squares of a row, 0 to 7 from White's side.
    #[inline]
    pub const fn rank(rank: u8) -> Self {
        Self(Self::DARK.0 & (0xFF << (8 * rank)))
    }

    /// Returns the squares of a column, 0 (a) to 7 (h).
    #[inline]
    pub const fn file(file: u8) -> Self {
        Self(Self::DARK.0 & (0x0101_0101_0101_0101 << file))
    }

    /// Says whether the set has no square.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the number of squares in the set.
    #[inline]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Says whether the set has exactly one square.
    #[inline]
    pub const fn is_single(self) -> bool {
        self.0.is_power_of_two()
    }

    /// Says whether the set holds a square.
    #[inline]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.bit() & 1 == 1
    }

    /// Says whether two sets share a square.
    #[inline]
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns the set with a square added.
    #[inline]
    #[must_use]
    pub const fn with(self, square: Square) -> Self {
        Self(self.0 | 1 << square.bit())
    }

    /// Returns the set with the board turned by 180 degrees.
    #[inline]
    #[must_use]
    pub const fn rotated(self) -> Self {
        Self(self.0.reverse_bits())
    }

    /// Returns the squares of the set from the lowest bit (a1) up.
    #[inline]
    pub const fn squares(self) -> Squares {
        Squares(self)
    }

    /// Returns the set packed to 32 bits: bit `n - 1` is square number `n`.
    pub fn to_numbered_bits(self) -> u32 {
        self.squares()
            .fold(0, |bits, square| bits | 1 << (square.number() - 1))
    }
}

impl From<Square> for Bitboard {
    #[inline]
    fn from(square: Square) -> Self {
        Self(1 << square.bit())
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, Self::with)
    }
}

impl BitAnd for Bitboard {
    type Output = Self;
    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for Bitboard {
    type Output = Self;
    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitXor for Bitboard {
    type Output = Self;
    #[inline]
    fn bitxor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

impl Not for Bitboard {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        Self(self.0 ^ Self::DARK.0)
    }
}

impl BitAndAssign for Bitboard {
    #[inline]
    fn bitand_assign(&mut self, other: Self) {
        self.0 &= other.0;
    }
}

impl BitOrAssign for Bitboard {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl BitXorAssign for Bitboard {
    #[inline]
    fn bitxor_assign(&mut self, other: Self) {
        self.0 ^= other.0;
    }
}

/// Iterates over the squares of a set, lowest bit first.
#[derive(Clone, Debug)]
pub struct Squares(Bitboard);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        if self.0.is_empty() {
            return None;
        }
        let square = Square::lowest_of(self.0);
        self.0.0 &= self.0.0 - 1;
        Some(square)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.count() as usize;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Squares {}
