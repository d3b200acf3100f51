//! The messages of the Hub protocol as values: a [`Command`] goes to an engine, a [`Reply`] comes back.
//!
//! Each is read from one line and written as one line, without the line end; nothing here does I/O
//! or knows what a move means. The source is Scan 3.1's protocol text (Hub version 2, `protocol.txt`
//! in <https://github.com/rhalbersma/scan>) and what clients do in practice, which comments name.
//!
//! Invariant: reading never panics, and what was read is written as a line that reads the same, but
//! for control characters inside quotes, which become blanks.

use super::lexer::{self, Argument, Arguments, OneLine, Value};
use std::convert::Infallible;
use std::fmt;
use std::ops::Add;
use std::str::FromStr;
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

impl FromStr for Command {
    type Err = CommandError;

    /// Reads a line.
    ///
    /// Commands that take no arguments ignore the rest of the line, whatever it is: nothing keeps an
    /// engine from stopping.
    fn from_str(line: &str) -> Result<Self, CommandError> {
        let (word, rest) = lexer::split_command(line);
        match word {
            "hub" => Ok(Self::Hub),
            "init" => Ok(Self::Init),
            "new-game" => Ok(Self::NewGame),
            "ping" => Ok(Self::Ping),
            "stop" => Ok(Self::Stop),
            "ponder-hit" => Ok(Self::PonderHit),
            "quit" => Ok(Self::Quit),
            "set-param" => Self::read_set_param(rest),
            "pos" => Self::read_pos(rest),
            "level" => Level::read(rest).map(Self::Level),
            "go" => GoMode::read(rest).map(Self::Go),
            "" => Ok(Self::Empty),
            _ => Ok(Self::Unknown(word.to_owned())),
        }
    }
}

impl Command {
    fn read_set_param(text: &str) -> Result<Self, CommandError> {
        let (mut name, mut value) = ("", "");
        for argument in arguments("set-param", text) {
            let argument = argument?;
            match argument.name {
                "name" => name = argument.text(),
                "value" => value = argument.text(),
                _ => {}
            }
        }
        if name.is_empty() {
            return Err(CommandError::NamelessParam);
        }
        let (name, value) = (name.to_owned(), value.to_owned());
        Ok(Self::SetParam { name, value })
    }

    fn read_pos(text: &str) -> Result<Self, CommandError> {
        let (mut start, mut position, mut moves) = (false, None, "");
        for argument in arguments("pos", text) {
            let argument = argument?;
            match argument.name {
                "start" => start = true,
                "pos" => position = Some(argument.text().to_owned()),
                "moves" => moves = argument.text(),
                // No argument has a digit in its name, and every move has one.
                name if argument.value.is_none() && name.contains(|c: char| c.is_ascii_digit()) => {
                    return Err(CommandError::UnquotedMoves);
                }
                _ => {}
            }
        }
        let moves = words(moves);
        Ok(Self::Pos {
            start,
            position,
            moves,
        })
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hub => f.write_str("hub"),
            Self::Init => f.write_str("init"),
            Self::NewGame => f.write_str("new-game"),
            Self::Ping => f.write_str("ping"),
            Self::Stop => f.write_str("stop"),
            Self::PonderHit => f.write_str("ponder-hit"),
            Self::Quit => f.write_str("quit"),
            Self::SetParam { name, value } => {
                f.write_str("set-param")?;
                write_text(f, "name", name)?;
                write_text(f, "value", value)
            }
            Self::Pos {
                start,
                position,
                moves,
            } => {
                f.write_str("pos")?;
                write_flag(f, "start", *start)?;
                if let Some(position) = position {
                    write_text(f, "pos", position)?;
                }
                write_words(f, "moves", moves)
            }
            Self::Level(level) => write!(f, "level{level}"),
            Self::Go(mode) => write!(f, "go {}", mode.name()),
            Self::Empty => Ok(()),
            Self::Unknown(word) => write!(f, "{}", OneLine(word)),
        }
    }
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

    fn read(text: &str) -> Result<Self, CommandError> {
        let mut mode = Self::default();
        for argument in arguments("go", text) {
            match argument?.name {
                "think" => mode = Self::Think,
                "ponder" => mode = Self::Ponder,
                "analyze" => mode = Self::Analyze,
                _ => {}
            }
        }
        Ok(mode)
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

    fn read(text: &str) -> Result<Self, CommandError> {
        let mut level = Self::default();
        for argument in arguments("level", text) {
            let argument = argument?;
            match argument.name {
                "depth" => level.depth = Some(read_u32("depth", argument)?),
                "nodes" => level.nodes = Some(read_u64("nodes", argument)?),
                "move-time" => level.move_time = Some(read_seconds("move-time", argument)?),
                "time" => level.time = Some(read_seconds("time", argument)?),
                "inc" => level.inc = Some(read_seconds("inc", argument)?),
                "moves" => level.moves = Some(read_u32("moves", argument)?),
                "infinite" => level.infinite = true,
                "ponder" => level.ponder = true,
                _ => {} // draughtsnet sends handicap and ply
            }
        }
        Ok(level)
    }
}

impl fmt::Display for Level {
    /// Writes the arguments, each with a blank in front.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_some(f, "depth", self.depth)?;
        write_some(f, "nodes", self.nodes)?;
        write_some(f, "move-time", self.move_time)?;
        write_some(f, "moves", self.moves)?;
        write_some(f, "time", self.time)?;
        write_some(f, "inc", self.inc)?;
        write_flag(f, "infinite", self.infinite)?;
        write_flag(f, "ponder", self.ponder)
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

    /// Reads the number that a text starts with.
    fn read(text: &str) -> Option<Self> {
        // A cast from a float stays within the range of the integer.
        lexer::leading_real(text).map(|seconds| Self::from_millis((seconds * 1e3).round() as i64))
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

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_fixed(f, self.millis, 3)
    }
}

impl FromStr for Reply {
    type Err = Infallible;

    /// Reads a line of any engine: what it cannot make out, it leaves out.
    fn from_str(line: &str) -> Result<Self, Infallible> {
        let (word, rest) = lexer::split_command(line);
        Ok(match word {
            "id" => Self::read_id(rest),
            "param" => Self::read_param(rest),
            "wait" => Self::Wait,
            "init" => Self::Init(trim(rest).to_owned()),
            "ready" => Self::Ready,
            "pong" => Self::Pong,
            "info" => Self::Info(Info::read(rest)),
            "done" => Self::Done {
                mv: find_filled(rest, "move"),
                ponder: find_filled(rest, "ponder"),
            },
            "error" => Self::Error(find(rest, "message").unwrap_or(trim(rest)).to_owned()),
            _ => Self::Unknown(trim(line).to_owned()),
        })
    }
}

impl Reply {
    fn read_id(text: &str) -> Self {
        let value = |name| find(text, name).unwrap_or_default().to_owned();
        Self::Id {
            name: value("name"),
            version: value("version"),
            author: value("author"),
        }
    }

    fn read_param(text: &str) -> Self {
        let value = |name| find(text, name).unwrap_or_default().to_owned();
        let integer = |name| find(text, name).and_then(lexer::leading_integer);
        let real = |name| find(text, name).and_then(lexer::leading_real);
        let kind = match find(text, "type") {
            Some("bool") => ParamKind::Bool,
            Some("int") => ParamKind::Int {
                min: integer("min").unwrap_or(i64::MIN),
                max: integer("max").unwrap_or(i64::MAX),
            },
            Some("real") => ParamKind::Real {
                min: real("min").unwrap_or(f64::NEG_INFINITY),
                max: real("max").unwrap_or(f64::INFINITY),
            },
            Some("enum") => ParamKind::Enum(words(find(text, "values").unwrap_or_default())),
            _ => ParamKind::String,
        };
        Self::Param {
            name: value("name"),
            value: value("value"),
            kind,
        }
    }
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Id {
                name,
                version,
                author,
            } => {
                f.write_str("id")?;
                let arguments = [("name", name), ("version", version), ("author", author)];
                // Of an empty quoted value at the end of the line draughtsnet dies.
                let mut filled = arguments.iter().filter(|(_, text)| !text.is_empty());
                filled.try_for_each(|(name, text)| write_text(f, name, text))
            }
            Self::Param { name, value, kind } => {
                f.write_str("param")?;
                write_text(f, "name", name)?;
                write_text(f, "value", value)?;
                write!(f, "{kind}")
            }
            Self::Wait => f.write_str("wait"),
            Self::Init(text) if text.is_empty() => f.write_str("init"),
            Self::Init(text) => write!(f, "init {}", OneLine(text)),
            Self::Ready => f.write_str("ready"),
            Self::Pong => f.write_str("pong"),
            Self::Info(info) => write!(f, "info{info}"),
            Self::Done { mv: None, .. } => f.write_str("done"),
            Self::Done {
                mv: Some(mv),
                ponder,
            } => {
                f.write_str("done")?;
                write_text(f, "move", mv)?;
                ponder
                    .iter()
                    .try_for_each(|ponder| write_text(f, "ponder", ponder))
            }
            Self::Error(text) => {
                f.write_str("error")?;
                write_text(f, "message", text)
            }
            Self::Unknown(line) => write!(f, "{}", OneLine(line)),
        }
    }
}

impl fmt::Display for ParamKind {
    /// Writes the arguments, each with a blank in front.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool => f.write_str(" type=bool"),
            Self::Int { min, max } => write!(f, " type=int min={min} max={max}"),
            Self::Real { min, max } => {
                f.write_str(" type=real")?;
                write_some(f, "min", Some(min).filter(|min| min.is_finite()))?;
                write_some(f, "max", Some(max).filter(|max| max.is_finite()))
            }
            Self::String => f.write_str(" type=string"),
            // The values have to come last: draughtsnet takes what follows the last equals sign.
            Self::Enum(values) => write!(f, " type=enum values={}", Value(&values.join(" "))),
        }
    }
}

impl Info {
    fn read(text: &str) -> Self {
        let mut info = Self::default();
        for argument in Arguments::new(text).map_while(Result::ok) {
            let value = argument.text();
            let count = lexer::leading_count(value);
            let real = lexer::leading_real(value);
            match argument.name {
                "depth" => info.depth = saturate(count.unwrap_or_default()),
                "mean-depth" => info.mean_depth = real.unwrap_or_default(),
                "score" => info.score_centimen = real.map(|men| (men * 100.0).round() as i32),
                "nodes" => info.nodes = count.unwrap_or_default(),
                "time" => info.time = Seconds::read(value).unwrap_or_default(),
                "nps" => info.nps_millions = real.unwrap_or_default(),
                "pv" => info.pv = words(value),
                "source" => info.source = Some(value.to_owned()),
                "line" => info.line = count.map(saturate),
                _ => {}
            }
        }
        info
    }
}

impl fmt::Display for Info {
    /// Writes the arguments, each with a blank in front.
    ///
    /// The order and the presence of those up to the principal variation are fixed: the client of
    /// lidraughts matches them with one regular expression. Others have to follow it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, " depth={} mean-depth=", self.depth)?;
        write_tenths(f, self.mean_depth)?;
        if let Some(score) = self.score_centimen {
            f.write_str(" score=")?;
            write_fixed(f, score.into(), 2)?;
        }
        write!(f, " nodes={} time={} nps=", self.nodes, self.time)?;
        write_tenths(f, self.nps_millions)?;
        write_words(f, "pv", &self.pv)?;
        if let Some(source) = &self.source {
            write_text(f, "source", source)?;
        }
        write_some(f, "line", self.line)
    }
}

/// Goes through the arguments of a known command.
fn arguments<'a>(
    command: &'static str,
    text: &'a str,
) -> impl Iterator<Item = Result<Argument<'a>, CommandError>> {
    Arguments::new(text)
        .map(move |argument| argument.map_err(|fault| CommandError::Syntax { command, fault }))
}

/// Returns the value of the first argument of a name, if the line is in order up to there.
fn find<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let mut arguments = Arguments::new(text).map_while(Result::ok);
    let argument = arguments.find(|argument| argument.name == name)?;
    Some(argument.text())
}

/// Returns the value of the first argument of a name unless it is empty.
fn find_filled(text: &str, name: &str) -> Option<String> {
    let value = find(text, name)?;
    (!value.is_empty()).then(|| value.to_owned())
}

fn read_seconds(name: &'static str, argument: Argument) -> Result<Seconds, CommandError> {
    Seconds::read(argument.text()).ok_or(CommandError::NotANumber { argument: name })
}

fn read_u64(name: &'static str, argument: Argument) -> Result<u64, CommandError> {
    let count = lexer::leading_count(argument.text());
    count.ok_or(CommandError::NotANumber { argument: name })
}

fn read_u32(name: &'static str, argument: Argument) -> Result<u32, CommandError> {
    read_u64(name, argument).map(saturate)
}

fn saturate(count: u64) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

fn trim(text: &str) -> &str {
    text.trim_matches(lexer::is_blank)
}

fn words(value: &str) -> Vec<String> {
    lexer::words(value).map(str::to_owned).collect()
}

fn write_text(f: &mut fmt::Formatter<'_>, name: &str, value: &str) -> fmt::Result {
    write!(f, " {name}={}", Value(value))
}

fn write_flag(f: &mut fmt::Formatter<'_>, name: &str, set: bool) -> fmt::Result {
    if set { write!(f, " {name}") } else { Ok(()) }
}

/// Writes an argument unless it is absent.
fn write_some<T: fmt::Display>(
    f: &mut fmt::Formatter<'_>,
    name: &str,
    value: Option<T>,
) -> fmt::Result {
    match value {
        Some(value) => write!(f, " {name}={value}"),
        None => Ok(()),
    }
}

/// Writes an argument of several words unless there are none.
fn write_words(f: &mut fmt::Formatter<'_>, name: &str, words: &[String]) -> fmt::Result {
    if words.is_empty() {
        return Ok(());
    }
    write_text(f, name, &words.join(" "))
}

/// Writes a number of tenths, hundredths, … with that many decimals. Zero has no sign.
fn write_fixed(f: &mut fmt::Formatter<'_>, number: i64, decimals: usize) -> fmt::Result {
    let sign = if number < 0 { "-" } else { "" };
    let (size, unit) = (number.unsigned_abs(), 10_u64.pow(decimals as u32));
    let (whole, rest) = (size / unit, size % unit);
    write!(f, "{sign}{whole}.{rest:0decimals$}")
}

/// Writes a number that cannot be negative with one decimal. No client reads NaN or infinity.
fn write_tenths(f: &mut fmt::Formatter<'_>, number: f64) -> fmt::Result {
    // A cast from a float turns NaN into 0 and stays within the range of the integer.
    let tenths = ((number * 10.0).round() as i64).clamp(0, 1_000_000_000);
    if tenths == 0 {
        return f.write_str("0");
    }
    write_fixed(f, tenths, 1)
}
