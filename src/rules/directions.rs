//! The four diagonal directions as shifts, and what follows from them for whole sets of pieces.
//!
//! A direction is a const parameter: the number of bits that a step shifts. A step over the edge of the board
//! lands on a light square (or off the board), so each result is masked with a set of dark squares.
//!
//! Two boards in a word ([`Twin`]): dark squares use half of the 64 bits. Turned upside down, a set of dark squares becomes one of
//! light squares and fills the other half, and a step up and to the right in that half is one down and to the right on the board.
//! So one shift moves the pieces of both halves, and two fills serve kings in all four directions. Only here do the edges
//! matter: a step over the right edge would come in on the left in the other half, so the squares of the first column are no
//! targets of steps to the right, and those of the last column none of steps to the left.

use crate::board::Bitboard;

/// Up and to the right, as White sees the board.
pub(super) const NORTH_EAST: i8 = 9;
/// Up and to the left.
pub(super) const NORTH_WEST: i8 = 7;
/// Down and to the right.
pub(super) const SOUTH_EAST: i8 = -7;
/// Down and to the left.
pub(super) const SOUTH_WEST: i8 = -9;

/// Moves every square of a set one step. The caller masks the result with dark squares.
#[inline]
pub(super) const fn step<const D: i8>(set: u64) -> u64 {
    if D > 0 { set << D } else { set >> -D }
}

/// Moves every square of a set one step against a direction. The caller masks the result with dark squares.
#[inline]
pub(super) const fn step_back<const D: i8>(set: u64) -> u64 {
    if D > 0 { set >> D } else { set << -D }
}

/// Moves every square of a set by `n` steps of a direction.
#[inline]
const fn steps<const D: i8>(set: u64, n: i8) -> u64 {
    if D > 0 {
        set << (D * n)
    } else {
        set >> (-D * n)
    }
}

/// Returns the set with every square of `empty` that a flying king reaches from it in one direction.
///
/// A Kogge-Stone fill: three doublings cover the seven steps of the longest diagonal, for any
/// number of kings at once.
#[inline]
pub(super) const fn fill<const D: i8>(set: u64, empty: u64) -> u64 {
    let mut reached = set;
    let mut open = empty;
    reached |= open & steps::<D>(reached, 1);
    open &= steps::<D>(open, 1);
    reached |= open & steps::<D>(reached, 2);
    open &= steps::<D>(open, 2);
    reached | open & steps::<D>(reached, 4)
}

/// Returns the landing squares of the men of a set that can capture in one direction.
#[inline]
pub(super) const fn man_jumps<const D: i8>(men: u64, targets: u64, empty: u64) -> u64 {
    step::<D>(step::<D>(men) & targets) & empty
}

/// Returns the squares just behind the victims of the kings of a set in one direction.
#[inline]
pub(super) const fn king_jumps<const D: i8>(kings: u64, targets: u64, empty: u64) -> u64 {
    step::<D>(step::<D>(fill::<D>(kings, empty)) & targets) & empty
}

/// Returns a set on the dark squares together with the same set upside down on the light ones.
#[inline]
pub(super) const fn twice(set: u64) -> u64 {
    set | set.swap_bytes()
}

/// Takes the two halves of a word apart: the dark squares as they are, and the light ones turned back.
#[inline]
pub(super) const fn halves(word: u64) -> (u64, u64) {
    (
        word & Bitboard::DARK.0,
        (word & !Bitboard::DARK.0).swap_bytes(),
    )
}

/// The targets of steps in direction `D` in both halves: on the dark squares as they are, on the light ones upside down.
pub(super) struct Twin<const D: i8> {
    opp: u64,
    empty: u64,
}

impl<const D: i8> Twin<D> {
    /// The column that a step in this direction reaches only over the edge.
    const BEYOND_EDGE: u64 = 0x0101_0101_0101_0101 << if D == NORTH_EAST { 0 } else { 7 };

    /// Returns the targets, given the opponent's pieces and the empty squares of the board.
    #[inline]
    pub(super) fn of(opp: u64, empty: u64) -> Self {
        Self {
            opp: twice(opp) & !Self::BEYOND_EDGE,
            empty: twice(empty) & !Self::BEYOND_EDGE,
        }
    }

    /// Returns where kings stand or can go.
    #[inline]
    pub(super) fn fill(&self, kings: u64) -> u64 {
        fill::<D>(kings, self.empty)
    }

    /// Returns the squares just behind the neighbours that can be captured from `stands`.
    #[inline]
    pub(super) fn jumps(&self, stands: u64) -> u64 {
        man_jumps::<D>(stands, self.opp, self.empty)
    }
}
