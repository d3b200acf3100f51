//! What bounds a search. All limits that are given hold together.

use crate::board::Move;
use crate::score::Depth;
use std::time::Duration;

/// The limits of one search. The default has none: it runs until it is stopped.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// The last iteration.
    pub depth: Option<Depth>,
    /// The number of positions. Exact with one thread.
    pub nodes: Option<u64>,
    /// The time for this move: a ceiling.
    pub move_time: Option<Duration>,
    /// The state of the mover's clock.
    pub clock: Option<Clock>,
    /// The only moves of the root that are searched; empty for all. Those that are not legal are ignored.
    pub moves: Vec<Move>,
    /// The number of best lines that are wanted; 0 is as good as 1.
    pub lines: usize,
    /// Analysis: a single legal move is searched like any other.
    pub is_analysis: bool,
    /// The search does not end before it is stopped, even when there is nothing left to search.
    pub is_endless: bool,
}

/// The mover's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// What is left, the increment for this move not included.
    pub time: Duration,
    /// Added before each move, this one included.
    pub increment: Duration,
    /// Moves to the next time control, if there is one.
    pub moves: Option<u32>,
    /// Taken off as lost on the way to the clock.
    pub overhead: Duration,
    /// The search began on the opponent's time, so it can afford a little more on its own.
    pub can_ponder: bool,
}
