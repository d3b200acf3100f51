//! What bounds a search. Of several limits, the first that is reached ends it.

use crate::board::Move;
use crate::score::Depth;
use std::time::Duration;

/// The limits of one search. The default has none: it runs until it is stopped.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// The last iteration, in plies; held within 1 to [`MAX_DEPTH`](super::MAX_DEPTH).
    pub depth: Option<Depth>,
    /// The number of positions, over all threads. Exact with one thread, except that the first iteration is finished if it is small.
    pub nodes: Option<u64>,
    /// The most time for this move.
    pub move_time: Option<Duration>,
    /// The state of the mover's clock.
    pub clock: Option<Clock>,
    /// The only moves of the root that are searched; empty for all. Those that are not legal are ignored.
    pub moves: Vec<Move>,
    /// The number of best lines that are wanted; 0 means 1.
    pub lines: usize,
    /// Analysis: neither a settled move nor the time that a player would take for it ends the search before its limits, and there is
    /// neither contempt nor limited strength.
    pub is_analysis: bool,
    /// The search does not end before it is stopped, even when there is nothing left to search.
    pub is_endless: bool,
}

/// The mover's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// What is left, without the increment for this move.
    pub time: Duration,
    /// Added before each move, this one included.
    pub increment: Duration,
    /// Moves to the next time control, if there is one.
    pub moves: Option<u32>,
    /// Lost between the engine and the clock with each move.
    pub overhead: Duration,
    /// The search begins on the opponent's time, so it can afford a little more of its own.
    pub can_ponder: bool,
}
