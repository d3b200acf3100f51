//! The messages of the Hub protocol as values: a [`Command`] goes to an engine, a [`Reply`] comes back.
//!
//! Each is read from one line and written as one line, without the line end; nothing here does I/O
//! or knows what a move means. The source is Scan 3.1's protocol text (Hub version 2, `protocol.txt`
//! in <https://github.com/rhalbersma/scan>) and what clients do in practice, which comments name.
//!
//! Invariant: reading never panics, and what was read is written as a line that reads the same, but
//! for control characters inside quotes, which become blanks.

mod reading;
mod writing;

use std::ops::Add;
use std::time::Duration;

pub use super::lexer::SyntaxError;

/// What a GUI tells an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Asks for the engine's name and parameters.
    Hub,
    /// Asks the engine to get ready with the parameters set so far.
    Init,
    /// Says that the next search has nothing to do with those before.
    NewGame,
    /// Asks for a [`Reply::Pong`], even during a search.
    Ping,
    /// Asks for the best move so far.
    Stop,
    /// Says that the expected move was played: the search goes on with the clock running.
    PonderHit,
    /// Ends the engine.
    Quit,
    /// Sets a parameter.
    SetParam {
        /// The parameter.
        name: String,
        /// Its new value; empty if none was given.
        value: String,
    },
    /// Sets the position to search.
    Pos {
        /// The position is that of the start of a game.
        start: bool,
        /// The side to move and the squares, as sent; neither this nor `start` means the start too.
        position: Option<String>,
        /// The moves played from there, as sent.
        moves: Vec<String>,
    },
    /// Adds limits for the next search.
    Level(Level),
    /// Starts a search.
    Go(GoMode),
    /// A blank line.
    Empty,
    /// A command that Hub does not have, to be ignored: the first word of the line.
    Unknown(String),
}

/// What a search is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GoMode {
    /// To play a move.
    #[default]
    Think,
    /// To use the time of an opponent who is expected to play the last of the moves.
    Ponder,
    /// To learn about the position: no book, and a single legal move is searched too.
    Analyze,
}

/// The limits of a search, which hold together; what is absent is no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Level {
    /// The number of iterations.
    pub depth: Option<u32>,
    /// The number of nodes.
    pub nodes: Option<u64>,
    /// The time for this move.
    pub move_time: Option<Seconds>,
    /// The time on the clock, to which the increment is yet to be added.
    ///
    /// It can be negative: pydraughts subtracts the increment.
    pub time: Option<Seconds>,
    /// What the clock gains before every move, this one too.
    pub inc: Option<Seconds>,
    /// The number of moves for which the time has to last; 0 means the rest of the game, as absence does.
    pub moves: Option<u32>,
    /// The search ends when it is told to, which is the default.
    pub infinite: bool,
    /// The engine may ponder in this game; Scan accepts it and does nothing with it.
    pub ponder: bool,
}

/// A time in seconds as Hub writes it: possibly negative, in whole milliseconds.
///
/// Invariant: at most [`Seconds::MAX`] in size, so sums cannot overflow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seconds {
    millis: i64,
}

/// Says why a line with a known command cannot be obeyed.
///
/// The text has no quote and no equals sign, so that it can be the message of a [`Reply::Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// The arguments break the grammar.
    #[error("{command}: {fault}")]
    Syntax {
        /// The command word.
        command: &'static str,
        /// What is wrong behind it.
        fault: SyntaxError,
    },
    /// The value of a `level` argument does not start with a number.
    #[error("level: {argument} needs a number")]
    NotANumber {
        /// The argument.
        argument: &'static str,
    },
    /// A `set-param` does not say what to set.
    #[error("set-param: name is missing")]
    NamelessParam,
    /// A `pos` has moves that are not inside the quotes, and that ignoring would lose silently.
    #[error("pos: several moves need quotes")]
    UnquotedMoves,
}

/// What an engine tells a GUI.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    /// Names the engine. What is empty is not written; the name should not be.
    Id {
        /// The engine.
        name: String,
        /// Its version.
        version: String,
        /// Who wrote it.
        author: String,
    },
    /// Declares a parameter.
    Param {
        /// The parameter.
        name: String,
        /// Its present value.
        value: String,
        /// What values it takes.
        kind: ParamKind,
    },
    /// Ends the answer to [`Command::Hub`].
    Wait,
    /// Says what [`Command::Init`] is doing, in free text.
    ///
    /// The text should not have the words "wait" and "ready": some clients look for them anywhere.
    Init(String),
    /// Ends the answer to [`Command::Init`].
    Ready,
    /// Answers [`Command::Ping`].
    Pong,
    /// Reports on the search.
    Info(Info),
    /// Ends a search.
    Done {
        /// The move to play; `None` if there is no legal one.
        mv: Option<String>,
        /// The expected answer; not written without a move.
        ponder: Option<String>,
    },
    /// Reports a bad line or a failure.
    Error(String),
    /// Any other line, as another engine wrote it.
    Unknown(String),
}

/// The type of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum ParamKind {
    /// `true` or `false`.
    Bool,
    /// An integer of a range that includes both ends.
    Int {
        /// The least value.
        min: i64,
        /// The greatest value.
        max: i64,
    },
    /// A number of a range that includes both ends.
    Real {
        /// The least value; an infinite one is not written.
        min: f64,
        /// The greatest value; an infinite one is not written.
        max: f64,
    },
    /// Any text.
    String,
    /// One of these words.
    Enum(Vec<String>),
}

/// A report on the search, from the point of view of the side to move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Info {
    /// The iteration.
    pub depth: u32,
    /// The mean depth of the leaves.
    pub mean_depth: f64,
    /// The score in hundredths of a man.
    ///
    /// It is `None` only in what other engines write: draughtsnet fails without a score.
    pub score_centimen: Option<i32>,
    /// The nodes visited so far.
    pub nodes: u64,
    /// The time taken so far.
    pub time: Seconds,
    /// The speed in millions of nodes a second.
    pub nps_millions: f64,
    /// The expected moves. If there are none, none are written: no client survives `pv=""`.
    pub pv: Vec<String>,
    /// Where the score comes from, if not from a search, such as `book`.
    pub source: Option<String>,
    /// The number of this line among the best, from 1, if there are several.
    pub line: Option<u32>,
}

impl GoMode {
    /// Returns the flag that stands for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Think => "think",
            Self::Ponder => "ponder",
            Self::Analyze => "analyze",
        }
    }
}

impl Level {
    /// Adds the limits of a later line, which replace those of the same name.
    pub fn merge(&mut self, later: Self) {
        self.depth = later.depth.or(self.depth);
        self.nodes = later.nodes.or(self.nodes);
        self.move_time = later.move_time.or(self.move_time);
        self.time = later.time.or(self.time);
        self.inc = later.inc.or(self.inc);
        self.moves = later.moves.or(self.moves);
        self.infinite |= later.infinite;
        self.ponder |= later.ponder;
    }
}

impl Seconds {
    /// The longest time, some thirty years; what is longer becomes this.
    pub const MAX: Self = Self {
        millis: 1_000_000_000_000,
    };

    /// Returns a number of milliseconds.
    pub fn from_millis(millis: i64) -> Self {
        let longest = Self::MAX.millis;
        Self {
            millis: millis.clamp(-longest, longest),
        }
    }

    /// Returns the number of milliseconds.
    pub const fn as_millis(self) -> i64 {
        self.millis
    }

    /// Returns the time as one that passes; a negative one has passed, so it is zero.
    pub fn to_duration(self) -> Duration {
        Duration::from_millis(self.millis.max(0).unsigned_abs())
    }
}

impl From<Duration> for Seconds {
    /// Cuts off what is less than a millisecond.
    fn from(duration: Duration) -> Self {
        Self::from_millis(duration.as_millis().try_into().unwrap_or(i64::MAX))
    }
}

impl Add for Seconds {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self::from_millis(self.millis + other.millis)
    }
}
