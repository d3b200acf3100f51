//! A game of a file as a tree: tags, moves with what is said of them, variations, and what is wrong with it.
//!
//! The reader makes these trees and the writer writes them; whoever analyses a game adds comments, marks and variations in between. A
//! tree is plain data: whatever it holds, the writer writes it so that it can be read again.

use crate::board::{Move, Position, Side};
use crate::notation::moves::MoveTextError;
use crate::notation::result;
use crate::rules::Variant;
use std::fmt;

/// A game of a file.
///
/// Invariant of games that were read: where `variant` or `start` is missing, no move is read, and the whole text of the moves is in
/// `main.unread`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Game {
    /// Its number in the file, from 1.
    pub number: usize,
    /// The line of the file on which it begins, from 1.
    pub line: usize,
    /// Its tags, in the order in which they were found, repeated ones included.
    pub tags: Vec<Tag>,
    /// The rule set by which it was read; `None` if the tags name a game that is not played here.
    pub variant: Option<Variant>,
    /// The position before the first move; `None` if the tags give one that cannot be read.
    pub start: Option<Position>,
    /// The moves that were played.
    pub main: Line,
    /// The result that stands behind the moves, in its usual spelling (`1-0`, `1/2-1/2`, `*`, `2-0`, `1-1`, ...); `None` if there is none.
    pub end: Option<String>,
    /// What is wrong with it, in the order of the text.
    pub faults: Vec<Fault>,
}

/// A tag: `[Name "value"]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag {
    /// The name, as it was spelled.
    pub name: String,
    /// The value, without quotes and escapes.
    pub value: String,
}

/// Moves in a row: the main line, or a variation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// The moves that were read. Each is legal where it is played.
    pub moves: Vec<Node>,
    /// Comments at the end that belong to no move: behind a last variation or the result, or of a line without moves.
    pub comments: Vec<String>,
    /// The text from the first move that could not be read to the end of the line, as it was found.
    pub unread: Option<String>,
}

/// A move, and what is said of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The move.
    pub mv: Move,
    /// How the move was written, without marks; empty if it was not read from a text. The writer does not use it.
    pub text: Box<str>,
    /// Marks of strength: `!` and `?`, as many as there were (`!`, `??`, `!?`), or empty.
    pub marks: String,
    /// Numeric marks, `$n`.
    pub nags: Vec<u16>,
    /// Comments that stand before the move.
    pub before: Vec<String>,
    /// Comments that stand behind the move, and before its variations.
    pub after: Vec<String>,
    /// Lines that could have been played instead of the move. Each begins in the position before it.
    pub variations: Vec<Line>,
}

/// Something that is wrong with a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The number of the move that was due, from 1 for the first after the start position; 0 in the tags. In a variation it is
    /// counted from the start position too.
    pub ply: usize,
    /// The line of the file, from 1.
    pub line: usize,
    /// What is wrong, or the beginning of it, on one line.
    pub text: String,
    /// Why.
    pub reason: FaultReason,
}

/// Why a part of a game is wrong. The text says what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FaultReason {
    /// A tag is not written as one.
    #[error("is not a whole tag, expected [Name \"value\"]")]
    Tag,
    /// The name of a tag has letters that names of the standard have not. It is kept within the value of another one.
    #[error(
        "has a name that is not Latin, expected one such as Event; it is kept in the tag {UNNAMED}"
    )]
    TagName,
    /// A tag was given before, with another value.
    #[error("is given a second time, expected one value; the first counts")]
    RepeatedTag,
    /// A tag names another game than the one that is read: the rule set.
    #[error("names another game than {0}, by which the moves are read, expected tags that agree")]
    OtherGame(&'static str),
    /// There is text, but neither tags nor moves.
    #[error("belongs to no game, expected tags or moves")]
    NoGame,
    /// The tags name a game that is not played here, or an unknown one.
    #[error("{0}")]
    GameType(String),
    /// The start position cannot be read.
    #[error("{0}")]
    Fen(String),
    /// A move cannot be read, is illegal, or fits several legal ones.
    #[error("{0}")]
    Move(#[from] MoveTextError),
    /// A word among the moves is no move. It is kept as a comment.
    #[error("is not a move, expected one such as c3-d4 or 22-18; it is kept as a comment")]
    Word,
    /// A position is set up between moves.
    #[error("sets up a position after the first move, expected a game of its own")]
    SetUp,
    /// A comment is not closed.
    #[error("is a comment that does not end, expected \"}}\"")]
    OpenComment,
    /// A comment goes on to the limit for the text of a game.
    #[error(
        "is a comment that is too long, expected its end within {0} from the beginning of the game"
    )]
    LongComment(&'static str),
    /// A comment holds another one.
    #[error("is a comment with braces in it, expected none")]
    NestedComment,
    /// Something is closed that was not opened.
    #[error("closes nothing, expected an opening bracket before it")]
    Closing,
    /// A variation is not closed.
    #[error("is a variation that does not end, expected \")\"")]
    OpenVariation,
    /// A variation stands before the first move, so there is nothing to which it is an alternative.
    #[error("is a variation before the first move, expected a move that it replaces")]
    EarlyVariation,
    /// Variations are nested deeper than they are read.
    #[error("is nested too deep, expected at most {0} variations within each other")]
    TooDeep(usize),
    /// The result is not one.
    #[error("is not a result, expected 1-0, 0-1, 1/2-1/2, 2-0, 0-2, 1-1, 0-0 or *")]
    Result,
    /// The result behind the moves is another than that in the tags.
    #[error("is another result than in the tags, expected {0}")]
    OtherResult(String),
    /// The game is longer than any that is read. What is beyond the limit is lost.
    #[error("has more than {0}, expected a game; what follows is skipped up to the next tag")]
    TooLarge(&'static str),
    /// There are more faults than are listed.
    #[error("has more faults than are listed, expected fewer")]
    More,
}

/// Returns the name of the tag that keeps what another one was: `OriginalResult`.
pub(super) fn old_name(name: &str) -> String {
    format!("Original{name}")
}

/// The tag in which those are kept whose names cannot be written, each as `Name: value`.
pub(super) const UNNAMED: &str = "OriginalTag";

impl Game {
    /// Returns the value of the first tag of a name, in any case.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let mut tags = self.tags.iter();
        let found = tags.find(|tag| tag.name.eq_ignore_ascii_case(name));
        found.map(|tag| tag.value.as_str())
    }

    /// Gives a tag a value: the first of that name, in any case, or a new one behind the others.
    pub fn set_tag(&mut self, name: &str, value: impl Into<String>) {
        let mut tags = self.tags.iter_mut();
        match tags.find(|tag| tag.name.eq_ignore_ascii_case(name)) {
            Some(tag) => tag.value = value.into(),
            None => self.tags.push(Tag {
                name: name.to_owned(),
                value: value.into(),
            }),
        }
    }

    /// Gives the tags of a name, in any case, one that says that they are of before, so that the name is free: `OriginalNAME`.
    pub fn set_aside(&mut self, name: &str) {
        for tag in &mut self.tags {
            if tag.name.eq_ignore_ascii_case(name) {
                tag.name = old_name(name);
            }
        }
    }

    /// Returns the result: what stands behind the moves, or if that is missing or open the tag `Result`, or else `*`.
    pub fn result(&self) -> &str {
        let end = self.end.as_deref().filter(|&end| end != "*");
        let tag = || self.tag("Result").and_then(result::read);
        end.or_else(tag).unwrap_or("*")
    }

    /// Returns how people number a move, such as `8.` or `8...`: the number of its ply from 1, and whose it is. `None` for ply 0, and in games
    /// that could not be set up.
    pub fn move_number(&self, ply: usize, first_to_move: Side) -> Option<String> {
        let start = self.start?;
        // Where the second side begins, its move has the number 1 too.
        let place = ply.checked_sub(1)? + usize::from(start.turn() != first_to_move);
        let dots = if place % 2 == 0 { "." } else { "..." };
        Some(format!("{}{dots}", place / 2 + 1))
    }
}

/// The fault with the text that has it, on one line.
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { text, reason, .. } = self;
        match reason {
            FaultReason::Move(error) => error.fmt(f),
            FaultReason::Fen(error) => write!(f, "\"{text}\": {error}"),
            reason => write!(f, "\"{text}\" {reason}"),
        }
    }
}

impl Node {
    /// Returns a move of which nothing is said yet.
    pub fn new(mv: Move) -> Self {
        Self {
            mv,
            text: Box::default(),
            marks: String::new(),
            nags: Vec::new(),
            before: Vec::new(),
            after: Vec::new(),
            variations: Vec::new(),
        }
    }
}

impl FaultReason {
    /// Returns the name of this kind of fault, for programs.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Tag | Self::TagName => "tag",
            Self::RepeatedTag => "repeated-tag",
            Self::OtherGame(_) => "other-game",
            Self::NoGame => "no-game",
            Self::GameType(_) => "game-type",
            Self::Fen(_) => "fen",
            Self::Move(MoveTextError::Unreadable(_)) => "unreadable-move",
            Self::Move(MoveTextError::Illegal(_)) => "illegal-move",
            Self::Move(MoveTextError::Ambiguous { .. }) => "ambiguous-move",
            Self::Word => "word",
            Self::SetUp => "set-up",
            Self::OpenComment => "open-comment",
            Self::LongComment(_) => "long-comment",
            Self::NestedComment => "nested-comment",
            Self::Closing => "closing",
            Self::OpenVariation => "open-variation",
            Self::EarlyVariation => "early-variation",
            Self::TooDeep(_) => "too-deep",
            Self::Result => "result",
            Self::OtherResult(_) => "other-result",
            Self::TooLarge(_) => "too-large",
            Self::More => "more",
        }
    }
}
