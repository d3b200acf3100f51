//! Portable Draughts Notation: games with tags, as files hold them.
//!
//! The source is version 3.0 of the standard (<https://github.com/wiegerw/pdn>). [`games`] takes a file apart without judging it;
//! [`Writer`] writes a game that has been played.

mod game;
mod result;

pub use game::{Fault, FaultReason, Game, Line, Node, Tag};

use crate::board::{Position, Side};
use std::fmt::Write;

/// Lines of moves are not longer than this, if the moves and comments are not.
const LINE: usize = 100;

/// A game of a file, taken apart but not yet understood.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawGame {
    /// The line of the file on which it begins, from 1.
    pub line: usize,
    /// Names and values, in order.
    pub tags: Vec<(String, String)>,
    /// The moves with everything between them, but for variations; comments in braces are still there.
    pub text: String,
}

impl RawGame {
    /// Returns the value of the first tag of a name, in any case.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let found = self
            .tags
            .iter()
            .find(|(tag, _)| tag.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }
}

/// Takes a file apart. A game begins at a line with a tag that follows moves, or at the first line that is not blank. Variations are left
/// out, lines that begin with `%` too.
pub fn games(text: &str) -> Vec<RawGame> {
    let mut games: Vec<RawGame> = Vec::new();
    let mut nesting = Nesting::default();
    for (number, line) in (1..).zip(text.lines()) {
        let trimmed = line.trim();
        if trimmed.is_empty() || (line.starts_with('%') && !nesting.in_comment) {
            continue;
        }
        let tag = read_tag(trimmed).filter(|_| !nesting.in_comment);
        let is_new = games
            .last()
            .is_none_or(|game| tag.is_some() && !game.text.is_empty());
        if is_new {
            // An unclosed bracket of one game does not swallow the next.
            nesting = Nesting::default();
            games.push(RawGame {
                line: number,
                ..RawGame::default()
            });
        }
        let game = games.last_mut().expect("one was added if there was none");
        match tag {
            Some(tag) => game.tags.push(tag),
            None => nesting.copy_main_line(line, &mut game.text),
        }
    }
    games
}

/// Reads `[Name "value"]`.
fn read_tag(line: &str) -> Option<(String, String)> {
    let inside = line.strip_prefix('[')?.strip_suffix(']')?;
    let (name, rest) = inside
        .trim()
        .split_once(|c: char| c == '"' || c.is_whitespace())?;
    let value = rest.trim().trim_matches('"');
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    is_name.then(|| (name.to_owned(), value.replace("\\\"", "\"")))
}

/// Where a reader stands among brackets.
#[derive(Default)]
struct Nesting {
    in_comment: bool,
    variations: usize,
}

impl Nesting {
    /// Adds the part of a line that is not in variations, and a line end.
    fn copy_main_line(&mut self, line: &str, to: &mut String) {
        for c in line.chars() {
            match c {
                '{' => self.in_comment = true,
                '(' if !self.in_comment => self.variations += 1,
                _ => {}
            }
            if self.variations == 0 {
                to.push(c);
            }
            match c {
                '}' => self.in_comment = false,
                ')' if !self.in_comment => self.variations = self.variations.saturating_sub(1),
                _ => {}
            }
        }
        to.push('\n');
    }
}

/// A game as it is written: first the tags, then the moves with their comments, then the result.
#[derive(Clone, Debug)]
pub struct Writer {
    tags: String,
    moves: String,
    /// The length of the last line of the moves.
    column: usize,
    /// The number of the next move, and whose it is.
    number: u32,
    turn: Side,
    first: Side,
    /// Nothing is written yet, so the next move needs its number even if it is the second side's.
    is_at_start: bool,
}

impl Writer {
    /// Begins a game at a position, in a game whose first move is made by a side.
    pub fn new(start: &Position, first_to_move: Side) -> Self {
        Self {
            tags: String::new(),
            moves: String::new(),
            column: 0,
            number: 1,
            turn: start.turn(),
            first: first_to_move,
            is_at_start: true,
        }
    }

    /// Adds a tag. Quotes in the value are escaped, and line ends become blanks.
    pub fn tag(&mut self, name: &str, value: &str) {
        let value = value.replace(['\r', '\n'], " ");
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        writeln!(self.tags, "[{name} \"{value}\"]").expect("writing to a string cannot fail");
    }

    /// Adds a move.
    pub fn mv(&mut self, text: &str) {
        let is_first = self.turn == self.first;
        if is_first {
            self.word(&format!("{}.", self.number));
        } else if self.is_at_start {
            self.word(&format!("{}...", self.number));
        }
        self.is_at_start = false;
        self.word(text);
        self.turn = self.turn.opponent();
        if !is_first {
            self.number += 1;
        }
    }

    /// Adds a comment to the last move. Braces in it become brackets. The number of the move is not written again behind it, since
    /// pydraughts misreads files in which a number stands twice.
    pub fn comment(&mut self, text: &str) {
        let text = text.replace('{', "(").replace('}', ")");
        self.word(&format!("{{{text}}}"));
    }

    fn word(&mut self, word: &str) {
        let length = word.chars().count();
        if self.column > 0 {
            let is_full = self.column + 1 + length > LINE;
            self.moves.push(if is_full { '\n' } else { ' ' });
            self.column = if is_full { 0 } else { self.column + 1 };
        }
        self.moves.push_str(word);
        self.column += length;
    }

    /// Ends the game with its result, and returns the whole with a blank line behind it.
    pub fn finish(mut self, result: &str) -> String {
        self.word(result);
        format!("{}\n{}\n\n", self.tags, self.moves)
    }
}
