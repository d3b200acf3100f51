//! Positions and moves as the Hub protocol writes them, on 32 squares.
//!
//! The protocol is defined for 10x10 only; all clients that play on 64 squares use it in the same way: a position is the
//! side to move and one letter for each square, b8 first; a move is `22-18`, or for a capture the first and the **last**
//! square and then the captured ones in any order, `22x15x18`.
//!
//! This names a move completely, and the promotion of a Russian man in mid-capture needs no sign: it can reach the last row only by
//! jumping a piece on the row before, and a man that does not touch the last row cannot capture a piece there. So moves with the same squares
//! and the same captured set agree about the promotion.
//!
//! Some clients send captures without all the captured squares, or pad numbers to two digits, so both are read.

use super::choice::Choice;
use super::order::Order;
use super::text::shown;
use crate::board::{Bitboard, Move, Piece, Position, PositionFault, Side, Square};
use crate::rules::Rules;
use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// The characters of a position: the side to move and the squares.
const POSITION_LENGTH: usize = 1 + Square::COUNT;

/// Longer texts are not looked at: a capture names 14 squares at most.
const LONGEST_MOVE: usize = 100;

/// How the squares of Hub moves are numbered. Positions are always written from b8.
///
/// Pydraughts 0.6 and later sends positions from b8 and moves in the numbers of PDN, which for Russian and Brazilian
/// draughts begin at a1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Numbering {
    /// From b8 = 1, row by row, to g1 = 32: the order of positions.
    #[default]
    Hub,
    /// From a1 = 1, row by row, to h8 = 32: the order of PDN in the games written in letters.
    Pdn,
}

impl Numbering {
    /// Returns the numbering to use in a game: games written in numbers have only one.
    #[must_use]
    pub fn in_game<R: Rules>(self) -> Self {
        if R::STYLE.letters { self } else { Self::Hub }
    }

    /// Returns the number of a square, 1 to 32.
    pub const fn number(self, square: Square) -> u8 {
        match self {
            Self::Hub => square.number(),
            Self::Pdn => Order::FROM_A1.number(square.number()),
        }
    }

    /// Returns the square of a number, or `None` outside 1 to 32.
    pub const fn square(self, number: u8) -> Option<Square> {
        match self {
            Self::Hub => Square::from_number(number),
            Self::Pdn => Order::FROM_A1.square(number),
        }
    }
}

/// Says why a text is not a Hub position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HubPositionError {
    /// The text has another number of characters, as that of a larger board has.
    #[error(
        "the position has {0} characters, expected {POSITION_LENGTH}: the side to move and 32 squares"
    )]
    Length(usize),
    /// The first character is no side.
    #[error("the side to move is {0:?}, expected W or B")]
    Turn(char),
    /// A square holds something unknown.
    #[error("square {1} holds {0:?}, expected one of w, b, W, B and e")]
    Letter(char, Square),
    /// The pieces cannot stand like this.
    #[error(transparent)]
    Fault(#[from] PositionFault),
}

/// Says why a text is not a legal move; each holds the text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HubMoveError {
    /// The text is not written like a move.
    #[error("bad move {0}, expected one such as 22-18 or 22x15x18")]
    BadMove(String),
    /// No legal move is like this.
    #[error("illegal move {0}")]
    IllegalMove(String),
    /// Several legal moves fit.
    #[error("ambiguous move {0}, expected all captured squares")]
    AmbiguousMove(String),
}

/// Reads a position: `W` or `B`, then for each square from b8 to g1 `w` or `b` for a man, `W` or `B` for a king, `e` for none.
///
/// Refuses texts of another length, other letters, and placements that [`Position::new`] refuses.
pub fn parse_position(text: &str) -> Result<Position, HubPositionError> {
    let length = text.chars().count();
    if length != POSITION_LENGTH {
        return Err(HubPositionError::Length(length));
    }
    let mut letters = text.chars();
    let turn = match letters.next() {
        Some('W') => Side::White,
        Some('B') => Side::Black,
        other => return Err(HubPositionError::Turn(other.unwrap_or_default())),
    };
    let [
        mut white_men,
        mut black_men,
        mut white_kings,
        mut black_kings,
    ] = [Bitboard::EMPTY; 4];
    for (square, letter) in Square::all().zip(letters) {
        let set = match letter {
            'w' => &mut white_men,
            'b' => &mut black_men,
            'W' => &mut white_kings,
            'B' => &mut black_kings,
            'e' => continue,
            _ => return Err(HubPositionError::Letter(letter, square)),
        };
        *set = set.with(square);
    }
    let pos = Position::new([white_men, black_men], [white_kings, black_kings], turn)?;
    Ok(pos)
}

/// Writes a position in the form that [`parse_position`] reads.
pub fn write_position(pos: &Position) -> String {
    let squares = Square::all().map(|square| match pos.at(square) {
        Some((Side::White, Piece::Man)) => 'w',
        Some((Side::Black, Piece::Man)) => 'b',
        Some((Side::White, Piece::King)) => 'W',
        Some((Side::Black, Piece::King)) => 'B',
        None => 'e',
    });
    std::iter::once(pos.turn().letter())
        .chain(squares)
        .collect()
}

/// Writes a move: `22-18`, or `22x15x18` with the captured squares ascending in the printed numbers.
pub fn write_move(mv: Move, numbering: Numbering) -> String {
    let (from, to) = (numbering.number(mv.from), numbering.number(mv.to));
    if !mv.is_capture() {
        return format!("{from}-{to}");
    }
    let squares = mv.captured.squares();
    let mut captured: Vec<u8> = squares.map(|square| numbering.number(square)).collect();
    captured.sort_unstable();
    let mut text = format!("{from}x{to}");
    for number in captured {
        write!(text, "x{number}").expect("writing to a string cannot fail");
    }
    text
}

/// Finds the legal move that a text names.
///
/// The captured squares may come in any order. Some or all of them may be missing if one legal move fits all the same. `-` is for quiet
/// moves only and `x` for captures only.
pub fn parse_move(text: &str, numbering: Numbering, legal: &[Move]) -> Result<Move, HubMoveError> {
    let Some(named) = Named::read(text, numbering) else {
        return Err(HubMoveError::BadMove(shown(text)));
    };
    match named.choose(legal) {
        Choice::None => Err(HubMoveError::IllegalMove(shown(text))),
        Choice::One(mv) => Ok(mv),
        Choice::Several(_) => Err(HubMoveError::AmbiguousMove(shown(text))),
    }
}

/// A move as a text names it, legal or not.
pub(super) struct Named {
    pub(super) from: Square,
    pub(super) to: Square,
    /// The captured squares that are named, or `None` for a quiet move.
    pub(super) captured: Option<Bitboard>,
}

impl Named {
    /// Takes a text apart, or returns `None` if it is not written like a move.
    fn read(text: &str, numbering: Numbering) -> Option<Self> {
        if text.len() > LONGEST_MOVE {
            return None;
        }
        let square = |digits: &str| {
            // `parse` alone would take a plus sign.
            let is_number = digits.bytes().all(|b| b.is_ascii_digit());
            let number = digits.parse().ok().filter(|_| is_number);
            number.and_then(|number| numbering.square(number))
        };
        if let Some((from, to)) = text.split_once('-') {
            return Some(Self {
                from: square(from)?,
                to: square(to)?,
                captured: None,
            });
        }
        let mut squares = text.split('x').map(square);
        Some(Self {
            from: squares.next()??,
            to: squares.next()??,
            captured: Some(squares.collect::<Option<Bitboard>>()?),
        })
    }

    /// Returns the legal moves that fit: the one with exactly these captured squares, or else those with these and more.
    pub(super) fn choose(&self, legal: &[Move]) -> Choice {
        let on_squares = |mv: &&Move| mv.from == self.from && mv.to == self.to;
        let moves = legal.iter().filter(on_squares).copied();
        let Some(named) = self.captured else {
            return Choice::among(moves.filter(|mv| !mv.is_capture()));
        };
        let captures = moves.filter(|mv| mv.is_capture());
        match Choice::among(captures.clone().filter(|mv| mv.captured == named)) {
            Choice::None => {
                Choice::among(captures.filter(|mv| named & !mv.captured == Bitboard::EMPTY))
            }
            exact => exact,
        }
    }
}
