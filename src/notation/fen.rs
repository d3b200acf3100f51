//! FEN for draughts: `W:W21,K30:B1,2`, the side to move, then the pieces of each side, kings with a `K`.
//!
//! The form is that of the PDN standard, version 3.0 (<https://github.com/wiegerw/pdn>). Squares are numbers, 1 = b8 in every game, or
//! letters. The numeric FENs that pydraughts 0.6 writes for Russian and Brazilian draughts count from a1 instead: nothing in
//! the text tells them apart, so they are read as what they say.

use super::hub::{self, HubPositionError};
use super::moves::Form;
use super::order::Order;
use super::text::{DASHES, latin, shown};
use crate::board::{Bitboard, MAX_PIECES, Piece, Position, PositionFault, Side, Square};

/// Longer texts are not looked at. Twenty-four kings in letters, with blanks, are a quarter of this.
const LONGEST: usize = 1000;

/// Says why a text is not a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FenError {
    /// There is nothing in it.
    #[error("the position is empty, expected one such as W:W21,K30:B1,2")]
    Empty,
    /// It has far more bytes than a position needs.
    #[error("the position has {0} bytes, expected at most {LONGEST}")]
    TooLong(usize),
    /// It does not begin with a side.
    #[error("the side to move is \"{0}\", expected W or B")]
    Turn(String),
    /// PDN's `?`: the side to move is left open.
    #[error("the side to move is left open by \"?\", expected W or B")]
    OpenTurn,
    /// A side is not mentioned; one without pieces is still given as `W` or `B`.
    #[error(
        "the pieces of {0} are missing, expected a part that begins with {letter}",
        letter = .0.letter()
    )]
    MissingSide(Side),
    /// A side has two lists.
    #[error("the pieces of {0} are given twice, expected one list")]
    RepeatedSide(Side),
    /// A part is neither a list of pieces nor a counter.
    #[error("\"{0}\" is no part of a position, expected W or B and squares")]
    UnknownPart(String),
    /// A piece does not stand on a dark square.
    #[error("\"{0}\" is not a dark square, expected 1 to 32 or letters such as c3, kings with K")]
    NotASquare(String),
    /// A range runs backwards, or from a man to a king.
    #[error("\"{0}\" is not a range, expected one such as 1-12 or K1-K4")]
    BadRange(String),
    /// Some squares are numbers and some letters.
    #[error("\"{0}\" mixes the two ways to name squares, expected only numbers or only letters")]
    Mixed(String),
    /// It looks like the position text of Hub, but is not one.
    #[error(transparent)]
    Hub(#[from] HubPositionError),
    /// The pieces cannot stand like this.
    #[error(transparent)]
    Fault(#[from] PositionFault),
}

/// Reads a position in any form that people paste.
///
/// Squares are numbers (`21`, `07`) or letters in either case (`c3`, also with Cyrillic look-alikes), kings have a `K` before them,
/// and `1-12`, `K1-K4`, `K1-4`, `a1-g3` are ranges. A range of letters runs row by row, upwards if its first row is the lower
/// one. Either side comes first; a side without pieces is `W` or `B` alone. Blanks, trailing
/// dots, quotes and `[FEN "…"]` around the text, other PDN tags before and behind that, and the counters of lidraughts behind
/// it (`:H0:F1`) are skipped. The 33 characters of a Hub position are read too. Numbers count from b8, unless the tag `GameType` is among the
/// text and names another corner.
///
/// Fails with the first part that is wrong.
pub fn parse(text: &str) -> Result<Position, FenError> {
    parse_all(text).map_err(|faults| {
        let first = faults.into_iter().next();
        first.expect("a text is refused for a fault")
    })
}

/// Reads a position as [`parse`] does, but fails with everything that is wrong, each fault once: those of single parts in the order of the
/// text, then those of the whole.
pub fn parse_all(text: &str) -> Result<Position, Vec<FenError>> {
    parse_all_in(text, Order::default())
}

/// Reads a position as [`parse_all`] does, but its numbers in a given order.
pub(super) fn parse_all_in(text: &str, order: Order) -> Result<Position, Vec<FenError>> {
    let (text, named_order) = unwrapped(text);
    if text.is_empty() {
        return Err(vec![FenError::Empty]);
    }
    if text.len() > LONGEST {
        return Err(vec![FenError::TooLong(text.len())]);
    }
    if is_like_hub(text) {
        return parse_hub(text);
    }
    let text: String = text.chars().map(latin).collect();
    let mut parts = text.split(':').map(without_dot);
    let mut placement = Placement {
        order: named_order.unwrap_or(order),
        has_commas: text.contains(','),
        ..Placement::default()
    };
    let turn = parse_turn(parts.next().unwrap_or_default());
    let turn = placement.noted(turn);
    for part in parts {
        placement.read_part(part);
    }
    placement.finish(turn)
}

/// Writes a position with numbers, ascending: `W:W21,K30:B1,2`.
pub fn write(pos: &Position) -> String {
    write_with(pos, Square::all, |square| square.number().to_string())
}

/// Writes a position with letters, row by row from a1: `W:Wc3,Kd4:Bf6`.
pub fn write_letters(pos: &Position) -> String {
    write_with(pos, || Bitboard::DARK.squares(), Square::name)
}

/// Writes a position with the squares named as in the moves of a form.
pub fn write_as(pos: &Position, form: Form) -> String {
    match form {
        Form::Numbers => write(pos),
        Form::Letters | Form::HalfShort => write_letters(pos),
    }
}

/// Writes a position with given names of the squares, in a given order.
fn write_with<I: Iterator<Item = Square>>(
    pos: &Position,
    squares: impl Fn() -> I,
    name: impl Fn(Square) -> String,
) -> String {
    let list = |side| {
        let pieces = squares().filter(|&square| pos.pieces(side).contains(square));
        let pieces = pieces.map(|square| {
            let king = if pos.is_king_at(square) { "K" } else { "" };
            format!("{king}{}", name(square))
        });
        pieces.collect::<Vec<_>>().join(",")
    };
    let (white, black) = (list(Side::White), list(Side::Black));
    format!("{}:W{white}:B{black}", pos.turn().letter())
}

/// What quotes a text.
const QUOTES: &[char] = &['"', '\'', '`', '“', '”', '„', '«', '»'];

/// Removes what surrounds a position where it was copied from: blanks, quotes, PDN tags. Returns the order of the numbers too, if the tags
/// name it.
fn unwrapped(text: &str) -> (&str, Option<Order>) {
    let is_around = |c: char| {
        c.is_whitespace() || QUOTES.contains(&c) || ['[', ']', '/', '\u{FEFF}'].contains(&c)
    };
    let (text, order) = fen_tag(text).unwrap_or((text, None));
    let text = text.trim_matches(is_around);
    let text = match text.split_at_checked(3) {
        Some((tag, value)) if tag.eq_ignore_ascii_case("fen") => {
            value.trim_start_matches(|c| is_around(c) || c == ':' || c == '=')
        }
        _ => text,
    };
    (text, order)
}

/// Returns the value of the only FEN tag of a text that consists of PDN tags, such as `[SetUp "1"] [FEN "W:W21:B1"]`, and the order of the
/// numbers if one of them names it.
fn fen_tag(text: &str) -> Option<(&str, Option<Order>)> {
    let is_around = |c: char| c.is_whitespace() || QUOTES.contains(&c) || c == '\u{FEFF}';
    let mut rest = text.trim_matches(is_around);
    let (mut found, mut order) = (None, None);
    while !rest.is_empty() {
        let (name, value) = rest.strip_prefix('[')?.split_once(QUOTES)?;
        // A value may have brackets in it, and quotes.
        let mut brackets = value.match_indices(']').map(|(end, _)| end);
        let end = brackets.find(|&end| value[..end].trim_end().ends_with(QUOTES))?;
        rest = value[end + 1..].trim_start();
        let (name, value) = (name.trim(), value[..end].trim_matches(is_around));
        if name.eq_ignore_ascii_case("fen") && found.replace(value).is_some() {
            return None;
        }
        if name.eq_ignore_ascii_case("gametype") {
            order = Order::of_game_type(value);
        }
    }
    found.map(|value| (value, order))
}

/// Says whether a text consists of the letters of a Hub position, whatever its length.
fn is_like_hub(text: &str) -> bool {
    text.len() > 1 && text.bytes().all(|b| b"wbWBe".contains(&b))
}

/// Reads the text of a Hub position. Fails with the turn, if it is wrong, then with every square that is, each judged alone on an empty
/// board, and then with sides that have too many pieces.
fn parse_hub(text: &str) -> Result<Position, Vec<FenError>> {
    let first = match hub::parse_position(text) {
        Ok(pos) => return Ok(pos),
        Err(first @ HubPositionError::Length(_)) => return Err(vec![first.into()]),
        Err(first) => first,
    };
    let mut faults: Vec<HubPositionError> = Vec::new();
    let mut note = |fault| {
        if !faults.contains(&fault) {
            faults.push(fault);
        }
    };
    if matches!(first, HubPositionError::Turn(_)) {
        note(first);
    }
    let squares = &text[1..];
    for (place, letter) in squares.char_indices() {
        let before = "e".repeat(place);
        let after = "e".repeat(Square::COUNT - 1 - place);
        if let Err(fault) = hub::parse_position(&format!("W{before}{letter}{after}")) {
            note(fault);
        }
    }
    for side in Side::BOTH {
        let is_own = |letter: &char| Side::from_letter(*letter) == Some(side);
        let count = squares.chars().filter(is_own).count() as u32;
        if count > MAX_PIECES {
            note(PositionFault::TooManyPieces(side, count).into());
        }
    }
    Err(faults.into_iter().map(FenError::from).collect())
}

fn without_dot(part: &str) -> &str {
    part.trim().trim_end_matches('.').trim_end()
}

fn parse_turn(part: &str) -> Result<Side, FenError> {
    let mut letters = part.chars();
    let turn = match (letters.next(), letters.next()) {
        (Some('?'), None) => return Err(FenError::OpenTurn),
        (Some(letter), None) => Side::from_letter(letter),
        _ => None,
    };
    turn.ok_or_else(|| FenError::Turn(shown(part)))
}

/// The pieces read so far, and what was wrong.
#[derive(Default)]
struct Placement {
    /// How the squares are numbered.
    order: Order,
    men: [Bitboard; 2],
    kings: [Bitboard; 2],
    is_given: [bool; 2],
    /// How many pieces each side was given.
    counts: [u32; 2],
    /// Commas part the pieces, of either side, so what only a blank parts from them belongs to something else.
    has_commas: bool,
    /// How the squares are named, known from the first one on.
    naming: Option<Naming>,
    faults: Vec<FenError>,
}

/// How a square is named.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Naming {
    Number,
    Letters,
}

/// A piece of a list, and what comes after it.
struct Read<'a> {
    square: Square,
    naming: Naming,
    piece: Piece,
    rest: &'a str,
}

impl Placement {
    /// Remembers what is wrong, once.
    fn note(&mut self, fault: impl Into<FenError>) {
        let fault = fault.into();
        if !self.faults.contains(&fault) {
            self.faults.push(fault);
        }
    }

    /// Returns what was read, or remembers why it was not.
    fn noted<T>(&mut self, read: Result<T, FenError>) -> Option<T> {
        read.map_err(|fault| self.note(fault)).ok()
    }

    /// Reads a part of the text between colons.
    fn read_part(&mut self, part: &str) {
        let mut letters = part.chars();
        let Some(side) = letters.next().and_then(Side::from_letter) else {
            if !is_counter(part) {
                self.note(FenError::UnknownPart(shown(part)));
            }
            return;
        };
        if self.is_given[side.index()] {
            self.note(FenError::RepeatedSide(side));
        }
        self.is_given[side.index()] = true;
        let is_gap = |c: char| c == ',' || c.is_whitespace();
        let mut list = letters.as_str().trim_start_matches(is_gap);
        while !list.is_empty() {
            let item = self.read_item(list, side).and_then(|rest| {
                let next = rest.trim_start();
                let is_apart = next.is_empty() || next.starts_with(',');
                let is_behind_blank = next.len() < rest.len();
                let item = list.split(',').next().unwrap_or(list);
                if self.has_commas && is_behind_blank && !is_apart {
                    return Err(FenError::NotASquare(shown(item)));
                }
                Ok(rest)
            });
            // The error of an item repeats it up to the comma.
            let rest = self
                .noted(item)
                .or_else(|| list.split_once(',').map(|(_, rest)| rest));
            list = rest.unwrap_or_default().trim_start_matches(is_gap);
        }
    }

    /// Reads the piece or range at the beginning of a list and returns the rest of the list.
    fn read_item<'a>(&mut self, text: &'a str, side: Side) -> Result<&'a str, FenError> {
        let item = || shown(text.split(',').next().unwrap_or(text));
        let first = Read::from(text, self.order).ok_or_else(|| FenError::NotASquare(item()))?;
        if self.naming.is_some_and(|naming| naming != first.naming) {
            return Err(FenError::Mixed(item()));
        }
        self.naming = Some(first.naming);
        let Some(rest) = first.rest.trim_start().strip_prefix(DASHES) else {
            self.add(side, first.piece, first.square);
            return Ok(first.rest);
        };
        let last = Read::from(rest.trim_start(), self.order);
        let last = last.ok_or_else(|| FenError::NotASquare(item()))?;
        if last.naming != first.naming {
            return Err(FenError::Mixed(item()));
        }
        if first.piece == Piece::Man && last.piece == Piece::King {
            return Err(FenError::BadRange(item()));
        }
        let range = range(&first, &last, self.order);
        let range = range.ok_or_else(|| FenError::BadRange(item()))?;
        for square in range.squares() {
            self.add(side, first.piece, square);
        }
        Ok(last.rest)
    }

    /// Puts a piece on a square, and remembers if it cannot stand there.
    fn add(&mut self, side: Side, piece: Piece, square: Square) {
        let [white_men, black_men] = self.men;
        let [white_kings, black_kings] = self.kings;
        if (white_men | black_men | white_kings | black_kings).contains(square) {
            self.note(PositionFault::Overlap(square));
        }
        if piece == Piece::Man && Position::promotion_row(side).contains(square) {
            self.note(PositionFault::ManOnPromotionRow(side, square));
        }
        self.counts[side.index()] += 1;
        let set = match piece {
            Piece::Man => &mut self.men[side.index()],
            Piece::King => &mut self.kings[side.index()],
        };
        *set = set.with(square);
    }

    /// Returns the position, or everything that is wrong.
    fn finish(mut self, turn: Option<Side>) -> Result<Position, Vec<FenError>> {
        // Of a text that does not begin like a position no lists are expected.
        let is_expected = turn.is_some() || self.is_given.contains(&true);
        for side in Side::BOTH {
            if is_expected && !self.is_given[side.index()] {
                self.note(FenError::MissingSide(side));
            }
            let count = self.counts[side.index()];
            if count > MAX_PIECES {
                self.note(PositionFault::TooManyPieces(side, count));
            }
        }
        match turn {
            Some(turn) if self.faults.is_empty() => {
                Position::new(self.men, self.kings, turn).map_err(|fault| vec![fault.into()])
            }
            _ => Err(self.faults),
        }
    }
}

impl<'a> Read<'a> {
    /// Reads the piece at the beginning of a text: perhaps a `K`, then a number or a letter and a digit.
    fn from(text: &'a str, order: Order) -> Option<Self> {
        let (piece, text) = match text.strip_prefix(['K', 'k']) {
            Some(text) => (Piece::King, text.trim_start()),
            None => (Piece::Man, text),
        };
        let end = text
            .find(|c: char| !c.is_alphanumeric())
            .unwrap_or(text.len());
        let (name, rest) = text.split_at(end);
        let (square, naming) = if name.starts_with(|c: char| c.is_ascii_digit()) {
            (order.square(name.parse().ok()?)?, Naming::Number)
        } else {
            (Square::from_name(name)?, Naming::Letters)
        };
        Some(Self {
            square,
            naming,
            piece,
            rest,
        })
    }
}

/// Returns the squares of a range, row by row, or `None` if it runs backwards.
///
/// Numbers run in their order. Letters run the way they are written, so that `b8-h6` and `a1-g3` are the
/// men of the start position.
fn range(first: &Read, last: &Read, order: Order) -> Option<Bitboard> {
    let order = match first.naming {
        Naming::Number => order,
        Naming::Letters if first.square.rank() <= last.square.rank() => Order::FROM_A1,
        Naming::Letters => Order::default(),
    };
    let place = |square: Square| order.number(square.number());
    let (first, last) = (place(first.square), place(last.square));
    let is_between = |square: &Square| (first..=last).contains(&place(*square));
    (first <= last).then(|| Square::all().filter(is_between).collect())
}

/// Says whether a part is a counter, such as lidraughts' `H0` and `F1`, or empty.
fn is_counter(part: &str) -> bool {
    // Behind another letter it may be meant as a piece.
    let count = part.strip_prefix(['H', 'h', 'F', 'f']).unwrap_or(part);
    let is_number = count.bytes().all(|b| b.is_ascii_digit() || b == b'+');
    part.is_empty() || is_number && !count.is_empty()
}
