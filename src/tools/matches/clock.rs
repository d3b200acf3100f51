//! How much a player may think: its time control, and its clock in a game.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// What bounds each search of a player. All limits that are given hold together; at least one is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeControl {
    /// The last iteration, in plies.
    pub depth: Option<u32>,
    /// The number of nodes a move.
    pub nodes: Option<u64>,
    /// The time for each move, in milliseconds.
    pub move_time_ms: Option<u64>,
    /// The time on the clock for the game, or for [`Self::moves`], in milliseconds.
    pub time_ms: Option<u64>,
    /// What the clock gains before each move, in milliseconds.
    pub inc_ms: Option<u64>,
    /// After so many moves the clock gains [`Self::time_ms`] again.
    pub moves: Option<u32>,
}

/// Says why a text is not a time control.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "bad time control \"{0}\", expected some of depth=N, nodes=N, move-time=SECONDS, or time=SECONDS with inc=SECONDS and moves=N, \
     with commas or blanks between them, none of them zero"
)]
pub struct BadTimeControl(pub String);

/// The longest time, a year.
const MOST_SECONDS: f64 = 366.0 * 86_400.0;

/// Reads a time in seconds, at least a millisecond.
fn milliseconds(text: &str) -> Option<u64> {
    let seconds: f64 = text.parse().ok()?;
    let is_time = (0.001..=MOST_SECONDS).contains(&seconds);
    is_time.then(|| (seconds * 1000.0).round() as u64)
}

fn positive<T: FromStr + PartialOrd + From<u8>>(text: &str) -> Option<T> {
    text.parse().ok().filter(|number| *number >= T::from(1))
}

impl TimeControl {
    fn read(text: &str) -> Option<Self> {
        let mut read = Self::default();
        let items = text.split([',', ' ', '\t']).filter(|item| !item.is_empty());
        for item in items {
            let (name, value) = item.split_once('=')?;
            let is_new = match name {
                "depth" => read.depth.replace(positive(value)?).is_none(),
                "nodes" => read.nodes.replace(positive(value)?).is_none(),
                "move-time" => read.move_time_ms.replace(milliseconds(value)?).is_none(),
                "time" => read.time_ms.replace(milliseconds(value)?).is_none(),
                "inc" => read.inc_ms.replace(milliseconds(value)?).is_none(),
                "moves" => read.moves.replace(positive(value)?).is_none(),
                _ => false,
            };
            if !is_new {
                return None;
            }
        }
        let has_clock = read.time_ms.is_some();
        let is_clock_whole = has_clock || (read.inc_ms.is_none() && read.moves.is_none());
        let is_bounded = has_clock
            || read.depth.is_some()
            || read.nodes.is_some()
            || read.move_time_ms.is_some();
        (is_clock_whole && is_bounded).then_some(read)
    }
}

impl FromStr for TimeControl {
    type Err = BadTimeControl;

    fn from_str(text: &str) -> Result<Self, BadTimeControl> {
        Self::read(text).ok_or_else(|| BadTimeControl(text.to_owned()))
    }
}

/// The form that is read.
impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = |ms: Option<u64>| ms.map(|ms| (ms as f64 / 1000.0).to_string());
        let items = [
            ("depth", self.depth.map(|depth| depth.to_string())),
            ("nodes", self.nodes.map(|nodes| nodes.to_string())),
            ("move-time", seconds(self.move_time_ms)),
            ("time", seconds(self.time_ms)),
            ("inc", seconds(self.inc_ms)),
            ("moves", self.moves.map(|moves| moves.to_string())),
        ];
        let items = items.into_iter();
        let items = items.filter_map(|(name, value)| Some(format!("{name}={}", value?)));
        f.write_str(&items.collect::<Vec<_>>().join(","))
    }
}

/// A player's clock in one game.
#[derive(Clone, Copy, Debug)]
pub(super) struct GameClock {
    pub(super) control: TimeControl,
    /// What is left, the increment for the next move not included; `None` without a clock.
    pub(super) left: Option<Duration>,
    /// Moves to the next time control.
    pub(super) moves: Option<u32>,
}

/// Says that a move took longer than it may.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Overstepped {
    pub(super) used: Duration,
    pub(super) allowed: Duration,
}

impl GameClock {
    pub(super) fn new(control: TimeControl) -> Self {
        Self {
            control,
            left: control.time_ms.map(Duration::from_millis),
            moves: control.moves,
        }
    }

    /// Returns what the clock gains before each move.
    pub(super) fn increment(&self) -> Duration {
        Duration::from_millis(self.control.inc_ms.unwrap_or(0))
    }

    /// Returns the longest time that the next move may take, or `None` if there is no limit of time.
    pub(super) fn allowed(&self) -> Option<Duration> {
        let move_time = self.control.move_time_ms.map(Duration::from_millis);
        let clock = self.left.map(|left| left + self.increment());
        match (move_time, clock) {
            (Some(move_time), Some(clock)) => Some(move_time.min(clock)),
            (move_time, clock) => move_time.or(clock),
        }
    }

    /// Takes the time of a move off the clock. Within the margin the clock stops at zero.
    pub(super) fn spend(&mut self, used: Duration, margin: Duration) -> Result<(), Overstepped> {
        if let Some(allowed) = self.allowed()
            && used > allowed + margin
        {
            return Err(Overstepped { used, allowed });
        }
        let gained = self.increment();
        if let Some(left) = &mut self.left {
            *left = (*left + gained).saturating_sub(used);
        }
        if let (Some(moves), Some(total)) = (&mut self.moves, self.control.moves) {
            *moves -= 1;
            if *moves == 0 {
                *moves = total;
                let time = Duration::from_millis(self.control.time_ms.unwrap_or(0));
                self.left = self.left.map(|left| left + time);
            }
        }
        Ok(())
    }
}
