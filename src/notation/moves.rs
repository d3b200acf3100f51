//! Moves as the players of a game write them.
//!
//! Russian and Brazilian moves are in letters, `c3-d4` and `c3:e5` or `c3xe5`; Pool moves in numbers, `22-18` and `22x15`. A capture is
//! written by its first and last square. Where another legal capture has the same two, every square in between is
//! written too: the squares on which the piece turns and, where it goes straight on, the square just behind the captured piece. That
//! is the rule of the PDN standard, version 3.0 (<https://github.com/wiegerw/pdn>).
//!
//! The full list of squares tells which piece is jumped between each two of them, hence the captured set. So it names one
//! move, always.

use super::choice::Choice;
use super::hub::Named;
use super::result;
use super::text::{DASHES, latin, shown, split_number};
use crate::board::{Move, MoveList, Position, Square};
use crate::rules::{Rules, all_paths, legal_moves, path_of};

/// Longer texts are not looked at: a capture names 14 squares at most.
const LONGEST: usize = 200;

/// How to write a move, where the usual way of the game is not wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `22-18`, `22x15`: numbers from b8, and `x` in every game.
    Numbers,
    /// `c3-d4`, `c3:e5`: letters, and the game's own capture sign.
    Letters,
    /// `cd4`, `c:e5`: of the start only the file, if no other legal move is written so; else as [`Form::Letters`].
    HalfShort,
}

impl Form {
    /// Returns the usual form of a game.
    pub const fn usual<R: Rules>() -> Self {
        if R::STYLE.letters {
            Self::Letters
        } else {
            Self::Numbers
        }
    }

    const fn capture_sign<R: Rules>(self) -> char {
        match self {
            Self::Numbers => 'x',
            Self::Letters | Self::HalfShort => R::STYLE.capture_sign,
        }
    }

    /// Adds the name of a square to a text.
    fn push(self, square: Square, text: &mut String) {
        match self {
            Self::Numbers => *text += &square.number().to_string(),
            Self::Letters | Self::HalfShort => {
                text.push(char::from(b'a' + square.file()));
                text.push(char::from(b'1' + square.rank()));
            }
        }
    }
}

/// Says why a text is not a legal move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveTextError {
    /// The text, which is not written like a move.
    #[error("\"{0}\" cannot be read as a move, expected one such as c3-d4, c3:e5, 22-18 or 22x15")]
    Unreadable(String),
    /// The text, which fits no legal move.
    #[error("\"{0}\" is not a legal move here")]
    Illegal(String),
    /// Several legal moves fit.
    #[error("\"{text}\" is ambiguous, expected one of {}", .candidates.join(", "))]
    Ambiguous {
        /// The text.
        text: String,
        /// The moves that fit, each written so that it is unique.
        candidates: Vec<String>,
    },
}

impl MoveTextError {
    /// Says the same of the text that was given, if another one had been made of it.
    pub(super) fn about(mut self, given: &str) -> Self {
        let (Self::Unreadable(text) | Self::Illegal(text) | Self::Ambiguous { text, .. }) =
            &mut self;
        *text = shown(given);
        self
    }
}

/// Writes a legal move of a position in the usual form of the game.
///
/// The text is unique among the legal moves, and [`parse`] reads it as the same move.
pub fn write<R: Rules>(pos: &Position, mv: Move) -> String {
    write_as::<R>(pos, mv, Form::usual::<R>())
}

/// Writes a legal move of a position in a given form; unique, as with [`write()`].
pub fn write_as<R: Rules>(pos: &Position, mv: Move, form: Form) -> String {
    // In place: the room for all moves is large, and would be copied.
    let mut legal = MoveList::new();
    legal_moves::<R>(pos, &mut legal);
    let is_unique = |fits: &dyn Fn(&Move) -> bool| legal.iter().filter(|&mv| fits(mv)).count() <= 1;
    if form == Form::HalfShort
        && is_unique(&|other| other.from.file() == mv.from.file() && other.to == mv.to)
    {
        return half_short::<R>(mv);
    }
    let ends = [mv.from, mv.to];
    let path;
    let squares = if is_unique(&|other| other.from == mv.from && other.to == mv.to) {
        ends.as_slice()
    } else {
        // The first path goes straight on only from the square just behind a captured piece: it tries that square first, and
        // what can be reached by going straight on can be reached from there.
        path = path_of::<R>(pos, mv);
        &path
    };
    let sign = if mv.is_capture() {
        form.capture_sign::<R>()
    } else {
        '-'
    };
    let mut text = String::new();
    for (index, &square) in squares.iter().enumerate() {
        if index > 0 {
            text.push(sign);
        }
        form.push(square, &mut text);
    }
    text
}

/// Writes the moves of a line that begins at a position, each for the position in which it is played.
///
/// Every move must be legal where it is played.
pub fn write_line<R: Rules>(pos: &Position, moves: &[Move]) -> Vec<String> {
    let mut pos = *pos;
    moves
        .iter()
        .map(|&mv| {
            let text = write::<R>(&pos, mv);
            pos = pos.play(mv);
            text
        })
        .collect()
}

/// Splits the text of a game into the texts of its moves, as [`parse`] reads them.
///
/// Move numbers, comments in braces, `$` signs and results are left out, and a move that is written with blanks, such as `6- 9`, is put
/// together. Nothing is checked.
pub fn split_game(text: &str) -> Vec<String> {
    let mut moves: Vec<String> = Vec::new();
    let mut is_open = false;
    for word in without_comments(text).split_whitespace() {
        // The dot of a half is none behind a number.
        let is_result = |word: &str| result::of_word(word.as_bytes()).is_some();
        let (_, rest) = split_number(word);
        if rest.is_empty() || rest.starts_with('$') || is_result(word) || is_result(rest) {
            continue;
        }
        let word = rest;
        match moves.last_mut() {
            Some(last) if is_open || word.starts_with(is_sign) => last.push_str(word),
            _ => moves.push(word.to_owned()),
        }
        is_open = word.ends_with(is_sign);
    }
    moves
}

/// Says whether a character stands between the squares of a move.
fn is_sign(c: char) -> bool {
    DASHES.contains(&c) || matches!(c, ':' | 'x' | 'X' | '×' | 'х' | 'Х')
}

/// Puts a blank for each comment in braces. One that is not closed stays, so that moves in it are not lost without a word.
fn without_comments(text: &str) -> String {
    let mut rest = text;
    let mut plain = String::new();
    while let Some((before, comment)) = rest.split_once('{') {
        let Some((_, after)) = comment.split_once('}') else {
            break;
        };
        plain.push_str(before);
        plain.push(' ');
        rest = after;
    }
    plain + rest
}

/// Finds the legal move that a text means, in any form that people type.
///
/// - Squares are letters in either case, Cyrillic look-alikes included, or numbers (1 = b8), whatever the game's usual form.
/// - Between them stands a dash of any kind, `:`, `x`, `×`, a blank, or, with letters, nothing. A capture sign is
///   for captures only; a dash will do for both.
/// - A capture may be given by its ends, or with any of the squares that the piece stands on in between, in order. The list of all
///   of them is the move with this path, even if the same squares could be a part of another.
/// - Of the start the file is enough, `cd4` or `b:d4`, if one move fits.
/// - With numbers, a capture may be given as in Hub: first and last square, then captured ones.
/// - Trailing marks such as `!?` are skipped.
pub fn parse<R: Rules>(pos: &Position, text: &str) -> Result<Move, MoveTextError> {
    // In place: the room for all moves is large, and would be copied.
    let mut legal = MoveList::new();
    legal_moves::<R>(pos, &mut legal);
    if let Some(mv) = plain_ends(text.as_bytes()).and_then(|ends| ends.only_one(&legal)) {
        return Ok(mv);
    }
    let Some(typed) = Typed::read(text) else {
        return Err(MoveTextError::Unreadable(shown(text)));
    };
    match typed.choose::<R>(pos, &legal) {
        Choice::None => Err(MoveTextError::Illegal(shown(text))),
        Choice::One(mv) => Ok(mv),
        Choice::Several(moves) => Err(MoveTextError::Ambiguous {
            text: shown(text),
            candidates: moves.iter().map(|&mv| write::<R>(pos, mv)).collect(),
        }),
    }
}

fn half_short<R: Rules>(mv: Move) -> String {
    let name = mv.from.name();
    let file = &name[..1];
    let to = mv.to.name();
    if mv.is_capture() {
        format!("{file}{}{to}", R::STYLE.capture_sign)
    } else {
        format!("{file}{to}")
    }
}

/// A move given by its first and last square, as nearly all are.
struct Ends {
    from: Square,
    to: Square,
    is_capture: bool,
}

impl Ends {
    /// Returns the only move that fits. If there is none or there are more, the text needs a closer look.
    fn only_one(&self, legal: &[Move]) -> Option<Move> {
        let fits = |mv: &&Move| {
            mv.from == self.from && mv.to == self.to && (mv.is_capture() || !self.is_capture)
        };
        let mut fitting = legal.iter().filter(fits);
        let first = fitting.next()?;
        fitting.next().is_none().then_some(*first)
    }
}

/// Reads a move without anything unusual: `c3-d4`, `c3:e5`, `22x15`. This is for speed: [`Typed::read`] reads them as the same.
fn plain_ends(text: &[u8]) -> Option<Ends> {
    let sign = text.iter().position(|byte| b"-:x".contains(byte))?;
    let (from, to) = (&text[..sign], &text[sign + 1..]);
    let (from, to) = match (from, to) {
        (&[b'a'..=b'h', _], &[b'a'..=b'h', _]) => (letters(from)?, letters(to)?),
        _ => (number(from)?, number(to)?),
    };
    Some(Ends {
        from,
        to,
        is_capture: text[sign] != b'-',
    })
}

/// Reads a square in small letters.
fn letters(name: &[u8]) -> Option<Square> {
    let &[file, rank] = name else {
        return None;
    };
    Square::from_rank_and_file(rank.wrapping_sub(b'1'), file.wrapping_sub(b'a'))
}

/// Reads the number of a square.
fn number(digits: &[u8]) -> Option<Square> {
    let number = match *digits {
        [ones @ b'1'..=b'9'] => ones - b'0',
        [tens @ b'0'..=b'3', ones @ b'0'..=b'9'] => (tens - b'0') * 10 + ones - b'0',
        _ => return None,
    };
    Square::from_number(number)
}

/// Where a typed move starts.
#[derive(Clone, Copy)]
enum Start {
    Square(Square),
    /// A file, 0 to 7.
    File(u8),
}

/// A move text taken apart.
struct Typed {
    start: Start,
    /// The squares after the start, in the order of the text.
    squares: Vec<Square>,
    has_capture_sign: bool,
    is_numeric: bool,
}

/// A part of a move text.
enum Token {
    Square { square: Square, is_numeric: bool },
    File(u8),
    Sign { is_capture: bool },
}

impl Typed {
    /// Takes a text apart, or returns `None` if it is not written like a move.
    fn read(text: &str) -> Option<Self> {
        if text.len() > LONGEST {
            return None;
        }
        let text: Vec<char> = without_marks(text)
            .chars()
            .map(|c| latin(c).to_ascii_lowercase())
            .collect();
        let mut tokens = tokens(&text)?.into_iter();
        let (start, is_numeric) = match tokens.next()? {
            Token::Square { square, is_numeric } => (Start::Square(square), is_numeric),
            Token::File(file) => (Start::File(file), false),
            Token::Sign { .. } => return None,
        };
        let mut squares = Vec::new();
        let (mut has_capture_sign, mut is_after_sign) = (false, false);
        for token in tokens {
            match token {
                Token::Square {
                    square,
                    is_numeric: same,
                } if same == is_numeric => {
                    squares.push(square);
                    is_after_sign = false;
                }
                Token::Sign { is_capture } if !is_after_sign => {
                    has_capture_sign |= is_capture;
                    is_after_sign = true;
                }
                _ => return None,
            }
        }
        let is_complete = !squares.is_empty() && !is_after_sign;
        is_complete.then_some(Self {
            start,
            squares,
            has_capture_sign,
            is_numeric,
        })
    }

    /// Returns the legal moves that fit.
    fn choose<R: Rules>(&self, pos: &Position, legal: &[Move]) -> Choice {
        let Some((&to, between)) = self.squares.split_last() else {
            return Choice::None;
        };
        let fits_ends = |mv: &&Move| {
            let fits_start = match self.start {
                Start::Square(from) => mv.from == from,
                Start::File(file) => mv.from.file() == file,
            };
            fits_start && mv.to == to && (mv.is_capture() || !self.has_capture_sign)
        };
        let with_ends = legal.iter().filter(fits_ends).copied();
        if let Some(mv) = with_ends.clone().find(|&mv| self.is_path_of::<R>(pos, mv)) {
            return Choice::One(mv);
        }
        let passes = |mv: &Move| {
            between.is_empty()
                || all_paths::<R>(pos, *mv)
                    .iter()
                    .any(|path| has_in_order(path, between))
        };
        match Choice::among(with_ends.filter(passes)) {
            Choice::None if self.is_numeric => self.choose_as_hub(legal),
            choice => choice,
        }
    }

    /// Says whether the text gives every square that the piece stands on.
    fn is_path_of<R: Rules>(&self, pos: &Position, mv: Move) -> bool {
        let jumps = mv.captured.count().max(1) as usize;
        matches!(self.start, Start::Square(_))
            && self.squares.len() == jumps
            && all_paths::<R>(pos, mv)
                .iter()
                .any(|path| path[1..] == self.squares)
    }

    /// Returns the captures that fit if the squares are read as in Hub: first and last square, then captured ones.
    ///
    /// This cannot clash with a path: the last square of one is empty (or the start), the last of the other has a piece.
    fn choose_as_hub(&self, legal: &[Move]) -> Choice {
        let (Start::Square(from), Some((&to, captured))) = (self.start, self.squares.split_first())
        else {
            return Choice::None;
        };
        if captured.is_empty() || !self.has_capture_sign {
            return Choice::None;
        }
        let named = Named {
            from,
            to,
            captured: Some(captured.iter().copied().collect()),
        };
        named.choose(legal)
    }
}

/// Removes the marks behind a move that say how good it is: `!`, `?`, PDN's `*` for a forced one, with or without brackets.
fn without_marks(text: &str) -> &str {
    const MARKS: [char; 3] = ['!', '?', '*'];
    let text = text.trim();
    let bracketed = text
        .strip_suffix(')')
        .map(|text| text.trim_end_matches(MARKS))
        .and_then(|text| text.strip_suffix('('));
    bracketed.unwrap_or(text).trim_end().trim_end_matches(MARKS)
}

/// Splits a text in lower case into tokens and skips blanks, or returns `None` if something else is in it.
fn tokens(text: &[char]) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut left = text;
    while let Some((&first, rest)) = left.split_first() {
        let digits = rest.iter().take_while(|c| c.is_ascii_digit()).count();
        let mut length = 1;
        match first {
            c if c.is_whitespace() => {}
            c if DASHES.contains(&c) => tokens.push(Token::Sign { is_capture: false }),
            ':' | 'x' | '×' => tokens.push(Token::Sign { is_capture: true }),
            'a'..='h' if digits == 0 => tokens.push(Token::File(first as u8 - b'a')),
            'a'..='h' | '0'..='9' => {
                length += digits;
                let name: String = left[..length].iter().collect();
                let is_numeric = first.is_ascii_digit();
                let square = if is_numeric {
                    Square::from_number(name.parse().ok()?)?
                } else {
                    Square::from_name(&name)?
                };
                tokens.push(Token::Square { square, is_numeric });
            }
            _ => return None,
        }
        left = &left[length..];
    }
    Some(tokens)
}

/// Says whether a path has some squares strictly inside it, in this order.
fn has_in_order(path: &[Square], squares: &[Square]) -> bool {
    let mut inside = path[1..path.len() - 1].iter();
    squares
        .iter()
        .all(|square| inside.any(|stood_on| stood_on == square))
}
