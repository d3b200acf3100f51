//! Reading messages: a command strictly, so that no bad one is obeyed, a reply of another engine as far as it makes sense.

use super::{Command, CommandError, GoMode, Info, Level, ParamKind, Reply, Seconds};
use crate::protocol::hub::lexer::{self, Argument, Arguments};
use std::convert::Infallible;
use std::str::FromStr;

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

impl GoMode {
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

impl Seconds {
    /// Reads the number that a text starts with.
    fn read(text: &str) -> Option<Self> {
        // A cast from a float stays within the range of the integer.
        lexer::leading_real(text).map(|seconds| Self::from_millis((seconds * 1e3).round() as i64))
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
