//! The four diagonal directions as shifts, and what follows from them for whole sets of pieces.
//!
//! A direction is a const parameter: the number of bits that a step shifts. A step over the edge of the board
//! lands on a light square (or off the board), so each result is masked with a set of dark squares.

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
