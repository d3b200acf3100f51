//! What is kept of a game: a line of the journal.

use super::plan::Pairing;
use crate::board::Side;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

/// A finished game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The number of the game, from 0.
    pub game: u64,
    /// The number of the round, from 0.
    pub round: u64,
    /// The name of the player with White.
    pub white: String,
    /// The name of the player with Black.
    pub black: String,
    /// The name of the opening.
    pub opening: String,
    /// The position at which the moves begin.
    pub fen: String,
    /// All moves, those of the opening included, in the usual notation of the game.
    pub moves: Vec<String>,
    /// How many of the moves are the opening.
    pub opening_plies: usize,
    /// `"W"`, `"B"`, or null for a draw.
    pub winner: Option<char>,
    /// By which rule, adjudication or fault.
    pub reason: String,
    /// The fault that ended the game, if a player made one.
    pub fault: Option<Fault>,
    /// What the players said and took for each move after the opening.
    pub thoughts: Vec<Thought>,
    /// When the game began, in seconds since 1970.
    pub started: u64,
}

/// What a player said of a move, from its own view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Thought {
    /// The score in hundredths of a man.
    pub cp: Option<i32>,
    /// The depth reached.
    pub depth: Option<u32>,
    /// The nodes searched.
    pub nodes: Option<u64>,
    /// The time taken as measured by the runner, in seconds.
    pub time_s: f64,
    /// What is left on the clock, in seconds.
    pub clock_s: Option<f64>,
}

/// Something an engine did that lost it a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// `"W"` or `"B"`.
    pub side: char,
    /// What kind of fault.
    pub kind: FaultKind,
    /// What happened, in words.
    pub detail: String,
}

/// The kinds of faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultKind {
    /// The move is not legal.
    IllegalMove,
    /// The move came too late, or not at all within its time.
    Time,
    /// The process ended.
    Crash,
    /// No answer, and no limit of time that it would be measured by.
    Hang,
    /// The answer cannot be read.
    Garbage,
    /// The output does not end.
    Flood,
    /// It could not be started, or did not get ready.
    Start,
}

impl FaultKind {
    /// Returns the name used in all outputs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::IllegalMove => "illegal-move",
            Self::Time => "time",
            Self::Crash => "crash",
            Self::Hang => "hang",
            Self::Garbage => "garbage",
            Self::Flood => "flood",
            Self::Start => "start",
        }
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Record {
    /// Says whether this is the game of a pairing, by its number, round and players. In a journal of another match it is not.
    pub(super) fn fits(&self, pairing: &Pairing, names: &[&str]) -> bool {
        self.game == pairing.game
            && self.round == pairing.round
            && self.white == names[pairing.white]
            && self.black == names[pairing.black]
            && matches!(self.winner, None | Some('W' | 'B'))
    }

    /// Returns the half points of a side: 2 for a win, 1 for a draw.
    pub fn half_points(&self, side: Side) -> usize {
        match self.winner {
            None => 1,
            Some(winner) if winner == side.letter() => 2,
            Some(_) => 0,
        }
    }

    /// Returns the result as PDN writes it: White's points first.
    pub fn result(&self) -> &'static str {
        match self.winner {
            Some('W') => "1-0",
            Some(_) => "0-1",
            None => "1/2-1/2",
        }
    }
}

/// Returns the seconds since 1970.
pub(super) fn now() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default()
        .as_secs()
}
