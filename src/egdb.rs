//! Endgame tables: the value of every position with few pieces, and the plies to the next step of a win.
//!
//! Tables belong to a way of moving (Russian, Pool, Brazilian) and know nothing of draw rules: their values are those of play
//! without counts, and the distances tell which of the wins a count allows.
//!
//! - `slice`: the positions of the same material, from the mover's view, so that one table serves both colours;
//! - `index`: the number of a position within its slice;
//! - `solve`: retrograde analysis of the positions that share their men;
//! - `build`: the order of the slices, and what is kept of them;
//! - `archive`: the file format, compressed in blocks;
//! - `make`: archives and folders of files;
//! - `sections`: the sections of archives, put together, and their blocks;
//! - `tables`: look-up;
//! - `cache`: the blocks of large tables that are in memory;
//! - `root`: the moves of a position with their values under the counts of a rule set;
//! - `verify`: a slow check that shares no code with `solve`.

mod archive;
mod build;
mod cache;
mod index;
pub mod make;
pub mod root;
mod sections;
mod slice;
mod solve;
mod tables;
pub mod verify;

pub use sections::TableFault;
pub use slice::{Slice, UnknownSlice};
pub use tables::{SliceSummary, Tables};

/// The most pieces that tables can have.
pub const MAX_PIECES: u32 = 7;

/// What a position is worth to the side to move, under perfect play and without counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// The opponent wins.
    Loss,
    /// Neither can win.
    Draw,
    /// The side to move wins.
    Win,
}

impl Value {
    /// Returns the name used in all outputs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Loss => "loss",
            Self::Draw => "draw",
            Self::Win => "win",
        }
    }

    /// Returns the value for the other side.
    #[must_use]
    pub const fn reversed(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }

    /// Returns the two bits of tables.
    const fn code(self) -> u8 {
        match self {
            Self::Draw => 0,
            Self::Win => 1,
            Self::Loss => 2,
        }
    }

    /// Returns the value of two bits.
    #[inline]
    const fn from_code(code: u8) -> Option<Self> {
        match code & 3 {
            0 => Some(Self::Draw),
            1 => Some(Self::Win),
            2 => Some(Self::Loss),
            _ => None,
        }
    }
}
