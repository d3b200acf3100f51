//! The messages of DXP as values, read from and written as the text between two NUL bytes.
//!
//! Nothing here does I/O or knows what a move means. The source is the `DamExchange` protocol, layer 2, version 01, as Scan, Moby Dam and
//! pydraughts speak it; fields stand at fixed places.
//!
//! Invariant: reading never panics, and what was read is written as a text that reads the same. What is written is ASCII without control
//! characters, from 1 to [`LONGEST`] bytes long.

use crate::board::Side;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// The bytes of the longest message, without its NUL.
pub const LONGEST: usize = 127;

/// The letters of a name.
const NAME_LENGTH: usize = 32;

/// The version of the protocol.
const VERSION: &str = "01";

/// What one side tells the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// GAMEREQ: the initiator asks for a game.
    Request(GameRequest),
    /// GAMEACC: the follower answers.
    Answer(GameAnswer),
    /// MOVE.
    Move(MoveMessage),
    /// GAMEEND: the game is over for the sender, or an answer to that.
    End(GameEnd),
    /// CHAT: a text for people.
    Chat(String),
    /// BACKREQ: asks to take moves back.
    Back(BackRequest),
    /// BACKACC: answers it.
    BackAnswer(BackAnswer),
}

/// A request for a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRequest {
    /// The initiator's name; at most 32 letters are written.
    pub name: String,
    /// The side that the follower is to play.
    pub follower: Side,
    /// The time of each player for the whole game.
    pub minutes: Minutes,
    /// The moves of each player for which the time is meant, at most 999; 0 for the whole game.
    pub moves: u16,
    /// Where the game begins.
    pub start: Start,
}

/// Where a game begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// The men stand as always, and White is to move.
    Usual,
    /// A position.
    Position {
        /// The side to move.
        turn: Side,
        /// A letter for each square, as sent; see [`super::position`].
        squares: String,
    },
}

/// A time in hundredths of a minute, as three characters can tell it: `090`, `1.5`, `.05`.
///
/// Scan and Moby Dam read fractions, as games of less than a minute need them; others read whole minutes only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Minutes {
    hundredths: u32,
}

/// The follower's answer to a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameAnswer {
    /// The follower's name; at most 32 letters are written.
    pub name: String,
    /// Whether it plays.
    pub acceptance: Acceptance,
}

/// Whether a game is accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Acceptance {
    /// The game begins.
    Accepted,
    /// The version of the protocol is not known.
    WrongVersion,
    /// Not this game, but perhaps another.
    NotThisGame,
    /// No game at all.
    NoGames,
}

/// A move, by numbers of squares.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MoveMessage {
    /// The time taken in seconds, at most 9999; for information only.
    pub seconds: u16,
    /// The first square, at most 99.
    pub from: u8,
    /// The last square, at most 99.
    pub to: u8,
    /// The captured squares in any order, each at most 99.
    pub captured: Vec<u8>,
}

/// The end of a game, as its sender sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameEnd {
    /// Why the game is over.
    pub reason: EndReason,
    /// Whether there will be no other game.
    pub is_last: bool,
}

/// Why a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndReason {
    /// Not told.
    Unknown,
    /// The sender gives up.
    GivesUp,
    /// The game is drawn.
    Draw,
    /// The sender has won.
    Wins,
}

/// A request to go back to an earlier position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BackRequest {
    /// The number of the move that is to be made again, at most 999; the first two plies of a game are move 1.
    pub number: u16,
    /// The side that is to make it.
    pub turn: Side,
}

/// The answer to such a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BackAnswer {
    /// The moves are taken back.
    Accepted,
    /// Moves cannot be taken back.
    Refused,
    /// The game should go on.
    GoOn,
}

/// Says why a text is no message. Each holds what could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MessageError {
    /// There is nothing.
    #[error("a message is empty")]
    Empty,
    /// The first letter is none of those that begin messages.
    #[error("a message begins with {0:?}, expected one of R A M E C B K")]
    Kind(char),
    /// A byte is no printable ASCII.
    #[error("a message has a character outside ASCII")]
    NotAscii,
    /// The message is longer than [`LONGEST`].
    #[error("a message has more than {LONGEST} bytes")]
    TooLong,
    /// The version of a request is another.
    #[error("a request has version \"{0}\", expected {VERSION}")]
    Version(String),
    /// A field is not there or has another value.
    #[error("{field} is \"{text}\", expected {expected}")]
    Field {
        /// What it is.
        field: &'static str,
        /// Its text, which may be cut off.
        text: String,
        /// What it could be.
        expected: &'static str,
    },
}

/// The rest of a message, from which fields are taken.
struct Fields<'a>(&'a str);

impl<'a> Fields<'a> {
    /// Takes the next characters, or as many as there are. Texts are ASCII, so each is a byte.
    fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.0.split_at(length.min(self.0.len()));
        self.0 = rest;
        taken
    }

    fn number(&mut self, field: &'static str, digits: usize) -> Result<u16, MessageError> {
        let text = self.take(digits);
        let is_number = text.len() == digits && text.bytes().all(|b| b.is_ascii_digit());
        let number = text.parse().ok().filter(|_| is_number);
        number.ok_or_else(|| bad(field, text, "digits"))
    }

    fn square(&mut self, field: &'static str) -> Result<u8, MessageError> {
        self.number(field, 2).map(|number| number as u8)
    }

    fn side(&mut self, field: &'static str) -> Result<Side, MessageError> {
        match self.take(1) {
            "W" => Ok(Side::White),
            "Z" => Ok(Side::Black),
            text => Err(bad(field, text, "W or Z")),
        }
    }

    fn name(&mut self) -> String {
        self.take(NAME_LENGTH).trim().to_owned()
    }

    /// Fails if something but blanks is left.
    fn end(self) -> Result<(), MessageError> {
        match self.0.trim() {
            "" => Ok(()),
            text => Err(bad("what follows", text, "the end of the message")),
        }
    }
}

fn bad(field: &'static str, text: &str, expected: &'static str) -> MessageError {
    MessageError::Field {
        field,
        text: text.to_owned(),
        expected,
    }
}

impl FromStr for Message {
    type Err = MessageError;

    fn from_str(text: &str) -> Result<Self, MessageError> {
        if text.len() > LONGEST {
            return Err(MessageError::TooLong);
        }
        let is_printable = |c: char| c == ' ' || c.is_ascii_graphic();
        let Some(kind) = text.chars().next() else {
            return Err(MessageError::Empty);
        };
        if !text.chars().all(is_printable) {
            return Err(MessageError::NotAscii);
        }
        let mut fields = Fields(&text[1..]);
        let message = match kind {
            'R' => Self::Request(GameRequest::read(&mut fields)?),
            'A' => Self::Answer(GameAnswer::read(&mut fields)?),
            'M' => Self::Move(MoveMessage::read(&mut fields)?),
            'E' => Self::End(GameEnd::read(&mut fields)?),
            'C' => Self::Chat(fields.take(LONGEST).to_owned()),
            'B' => Self::Back(BackRequest {
                number: fields.number("a move number", 3)?,
                turn: fields.side("the side to move")?,
            }),
            'K' => Self::BackAnswer(BackAnswer::read(&mut fields)?),
            _ => return Err(MessageError::Kind(kind)),
        };
        fields.end()?;
        Ok(message)
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Request(request) => write!(f, "{request}"),
            Self::Answer(GameAnswer { name, acceptance }) => {
                write!(f, "A{}{}", padded(name), acceptance.code())
            }
            Self::Move(mv) => write!(f, "{mv}"),
            Self::End(GameEnd { reason, is_last }) => {
                write!(f, "E{}{}", reason.code(), u8::from(*is_last))
            }
            Self::Chat(text) => write!(f, "C{}", printable(text, LONGEST - 1)),
            Self::Back(BackRequest { number, turn }) => {
                write!(f, "B{:03}{}", (*number).min(999), letter(*turn))
            }
            Self::BackAnswer(answer) => write!(f, "K{}", answer.code()),
        }
    }
}

/// Returns the letter of a side: Z is Black, `zwart` in Dutch.
const fn letter(side: Side) -> char {
    match side {
        Side::White => 'W',
        Side::Black => 'Z',
    }
}

/// Returns the beginning of a text, with a question mark for each character that cannot be sent.
fn printable(text: &str, longest: usize) -> String {
    let plain = |c: char| match c {
        c if c.is_ascii_graphic() || c == ' ' => c,
        c if c.is_whitespace() => ' ',
        _ => '?',
    };
    text.chars().map(plain).take(longest).collect()
}

/// Returns a name with blanks up to its full length. A name must not begin with one.
fn padded(name: &str) -> String {
    format!("{:NAME_LENGTH$}", printable(name.trim(), NAME_LENGTH))
}

impl GameRequest {
    fn read(fields: &mut Fields) -> Result<Self, MessageError> {
        let version = fields.take(2);
        if version != VERSION {
            return Err(MessageError::Version(version.to_owned()));
        }
        Ok(Self {
            name: fields.name(),
            follower: fields.side("the follower's side")?,
            minutes: Minutes::read(fields.take(3)),
            moves: fields.take(3).trim().parse().unwrap_or(0),
            start: match fields.take(1) {
                "A" => Start::Usual,
                "B" => Start::Position {
                    turn: fields.side("the side to move")?,
                    squares: fields.take(LONGEST).trim_end().to_owned(),
                },
                text => return Err(bad("the start", text, "A or B")),
            },
        })
    }
}

impl fmt::Display for GameRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, side) = (padded(&self.name), letter(self.follower));
        let moves = self.moves.min(999);
        write!(f, "R{VERSION}{name}{side}{}{moves:03}", self.minutes)?;
        match &self.start {
            Start::Usual => f.write_str("A"),
            Start::Position { turn, squares } => write!(f, "B{}{squares}", letter(*turn)),
        }
    }
}

impl Minutes {
    /// The longest time.
    pub const MAX: Self = Self { hundredths: 99_900 };

    /// Returns the longest time that can be told and is not longer than a given one. Less than a hundredth is told as one, since `000` would
    /// say that there is no limit: Moby Dam gives no answer then, and others take a time of their own.
    pub fn within(time: Duration) -> Self {
        let hundredths = (time.as_millis() / 600).max(u128::from(!time.is_zero()));
        let hundredths = hundredths.min(Self::MAX.hundredths.into()) as u32;
        // Three characters have room for `999`, `9.9` and `.99`.
        let step = match hundredths {
            0..100 => 1,
            100..1000 => 10,
            _ => 100,
        };
        Self {
            hundredths: hundredths / step * step,
        }
    }

    /// Returns the time, or `None` if it is zero, by which clients mean that they do not tell one.
    pub fn time(self) -> Option<Duration> {
        let time = Duration::from_millis(u64::from(self.hundredths) * 600);
        (!time.is_zero()).then_some(time)
    }

    /// Reads whole minutes or a fraction. What cannot be read is no time.
    fn read(text: &str) -> Self {
        let text = text.trim().replace(',', ".");
        let is_plain = text.bytes().all(|b| b.is_ascii_digit() || b == b'.');
        let minutes: Option<f64> = text.parse().ok().filter(|_| is_plain);
        let hundredths = minutes.map_or(0.0, |minutes| (minutes * 100.0).round());
        Self {
            hundredths: hundredths as u32,
        }
    }
}

impl fmt::Display for Minutes {
    /// Writes three characters.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, fraction) = (self.hundredths / 100, self.hundredths % 100);
        match (whole, fraction) {
            (whole, 0) => write!(f, "{whole:03}"),
            (whole @ 0..10, fraction) if fraction.is_multiple_of(10) => {
                write!(f, "{whole}.{}", fraction / 10)
            }
            (_, fraction) => write!(f, ".{fraction:02}"),
        }
    }
}

impl GameAnswer {
    fn read(fields: &mut Fields) -> Result<Self, MessageError> {
        let name = fields.name();
        let acceptance = match fields.take(1) {
            "0" => Acceptance::Accepted,
            "1" => Acceptance::WrongVersion,
            "2" => Acceptance::NotThisGame,
            "3" => Acceptance::NoGames,
            text => return Err(bad("the answer's code", text, "0, 1, 2 or 3")),
        };
        Ok(Self { name, acceptance })
    }
}

impl Acceptance {
    const fn code(self) -> u8 {
        self as u8
    }
}

impl fmt::Display for Acceptance {
    /// Says what it means.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Accepted => "accepted",
            Self::WrongVersion => "wrong version of the protocol",
            Self::NotThisGame => "not this game, perhaps another",
            Self::NoGames => "no games",
        })
    }
}

impl MoveMessage {
    /// The most seconds that can be told.
    pub const MAX_SECONDS: u16 = 9999;

    fn read(fields: &mut Fields) -> Result<Self, MessageError> {
        let seconds = fields.number("the time", 4)?;
        let from = fields.square("the first square")?;
        let to = fields.square("the last square")?;
        let count = fields.square("the number of captured squares")?;
        let captured = (0..count).map(|_| fields.square("a captured square"));
        Ok(Self {
            seconds,
            from,
            to,
            captured: captured.collect::<Result<_, _>>()?,
        })
    }
}

impl fmt::Display for MoveMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.seconds.min(Self::MAX_SECONDS);
        let (from, to, count) = (self.from, self.to, self.captured.len());
        write!(f, "M{seconds:04}{from:02}{to:02}{count:02}")?;
        let mut captured = self.captured.iter();
        captured.try_for_each(|square| write!(f, "{square:02}"))
    }
}

impl GameEnd {
    /// Reads generously: an end that is not understood would leave both sides waiting.
    fn read(fields: &mut Fields) -> Result<Self, MessageError> {
        let reason = match fields.take(1) {
            "1" => EndReason::GivesUp,
            "2" => EndReason::Draw,
            "3" => EndReason::Wins,
            "0" | "4" | "5" | "6" | "7" | "8" | "9" | "" => EndReason::Unknown,
            text => return Err(bad("the reason", text, "0, 1, 2 or 3")),
        };
        let is_last = fields.take(1) == "1";
        Ok(Self { reason, is_last })
    }
}

impl EndReason {
    const fn code(self) -> u8 {
        self as u8
    }
}

impl BackAnswer {
    fn read(fields: &mut Fields) -> Result<Self, MessageError> {
        match fields.take(1) {
            "0" => Ok(Self::Accepted),
            "1" => Ok(Self::Refused),
            "2" => Ok(Self::GoOn),
            text => Err(bad("the answer's code", text, "0, 1 or 2")),
        }
    }

    const fn code(self) -> u8 {
        self as u8
    }
}
