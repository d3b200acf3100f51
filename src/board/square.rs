//! One dark square of the board.

use super::Bitboard;
use std::fmt;

/// A dark square.
///
/// It has three names: the **number** 1 to 32 of FEN, Hub and Pool notation (1 = b8, row by row from
/// the top as White sees it, 32 = g1), the **letters** of Russian and Brazilian notation (`a1`), and
/// the **bit** of a [`Bitboard`] (a1 = 0, h8 = 63), which is what is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The number of dark squares.
    pub const COUNT: usize = 32;

    /// Returns the square of a number from 1 (b8) to 32 (g1), or `None` outside that range.
    pub const fn from_number(number: u8) -> Option<Self> {
        if number == 0 || number > 32 {
            return None;
        }
        let index = number - 1;
        let rank = 7 - index / 4;
        let file = index % 4 * 2 + rank % 2;
        Some(Self(rank * 8 + file))
    }

    /// Returns the square of a bit of the 64-bit board, or `None` for a light square.
    pub const fn from_bit(bit: u32) -> Option<Self> {
        if bit < 64 && Bitboard::DARK.0 >> bit & 1 == 1 {
            Some(Self(bit as u8))
        } else {
            None
        }
    }

    /// Returns the lowest square of a set that is not empty.
    #[inline]
    pub(crate) const fn lowest_of(set: Bitboard) -> Self {
        debug_assert!(set.0 != 0);
        Self(set.0.trailing_zeros() as u8)
    }

    /// Returns the square of a rank and a file, both 0 to 7 from a1, or `None` for a light or missing one.
    pub const fn from_rank_and_file(rank: u8, file: u8) -> Option<Self> {
        if rank < 8 && file < 8 {
            Self::from_bit((rank * 8 + file) as u32)
        } else {
            None
        }
    }

    /// Returns the square of a name such as `c3`, in either case.
    pub fn from_name(name: &str) -> Option<Self> {
        let &[file, rank] = name.as_bytes() else {
            return None;
        };
        let file = file.to_ascii_lowercase().checked_sub(b'a')?;
        let rank = rank.checked_sub(b'1')?;
        Self::from_rank_and_file(rank, file)
    }

    /// Returns the number from 1 (b8) to 32 (g1).
    pub const fn number(self) -> u8 {
        (7 - self.rank()) * 4 + self.file() / 2 + 1
    }

    /// Returns the bit of the 64-bit board, 0 to 63.
    #[inline]
    pub const fn bit(self) -> usize {
        self.0 as usize
    }

    /// Returns the row from White's side, 0 to 7.
    #[inline]
    pub const fn rank(self) -> u8 {
        self.0 >> 3
    }

    /// Returns the column from White's left, 0 (a) to 7 (h).
    #[inline]
    pub const fn file(self) -> u8 {
        self.0 & 7
    }

    /// Returns the square where this one lies after the board is turned by 180 degrees.
    #[inline]
    #[must_use]
    pub const fn rotated(self) -> Self {
        Self(63 - self.0)
    }

    /// Returns the letters of this square, such as `c3`.
    pub fn name(self) -> String {
        format!("{}{}", (b'a' + self.file()) as char, self.rank() + 1)
    }

    /// Returns every dark square, in the order of the numbers.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> {
        (1..=32).filter_map(Self::from_number)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.number())
    }
}
