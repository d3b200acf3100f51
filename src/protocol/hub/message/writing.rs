//! Writing messages, in the order and the form that clients match.

use super::{Command, Info, Level, ParamKind, Reply, Seconds};
use crate::protocol::hub::lexer::{OneLine, Value};
use std::fmt;

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

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_fixed(f, self.millis, 3)
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
