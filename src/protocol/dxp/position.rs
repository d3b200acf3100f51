//! Positions and moves of DXP on 32 squares.
//!
//! The protocol has 50 squares and does not name the game. All that play on 64 squares send 32 letters, from b8 row by row, `w z` for men,
//! `W Z` for kings and `e` for an empty square. Moves have numbers, whose order is that of the letters, or in pydraughts that of PDN: see
//! [`Numbering`].

use super::message::{MoveMessage, Start};
use crate::board::{Move, Position, Side, Square};
use crate::notation::hub::{self, HubMoveError, HubPositionError, Numbering};
use std::time::Duration;

/// The squares of the board for which the protocol was made.
const LARGE_BOARD: usize = 50;

/// Says why a game cannot begin where a request wants it to.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StartError {
    /// The board is another, as that of 50 squares.
    #[error("the position has {0} squares, expected {squares}", squares = Square::COUNT)]
    Length(usize),
    /// A square holds something unknown.
    #[error("the position has the letter {0:?}, expected w, z, W, Z or e")]
    Letter(char),
    /// The pieces cannot stand like this.
    #[error(transparent)]
    Position(#[from] HubPositionError),
}

/// Returns the position at which a game begins.
///
/// Of 50 letters the last 18 must be `e`.
pub fn read_start(start: &Start) -> Result<Position, StartError> {
    let (turn, letters) = match start {
        Start::Usual => return Ok(Position::start(Side::White)),
        Start::Position { turn, squares } => (turn, squares.as_str()),
    };
    let is_empty = |rest: &str| rest.bytes().all(|letter| letter == b'e');
    let squares = match letters.split_at_checked(Square::COUNT) {
        Some((squares, rest)) if letters.len() == LARGE_BOARD && is_empty(rest) => squares,
        _ => letters,
    };
    let length = squares.chars().count();
    if length != Square::COUNT {
        return Err(StartError::Length(length));
    }
    let as_hub = |letter| match letter {
        'z' => Ok('b'),
        'Z' => Ok('B'),
        'w' | 'W' | 'e' => Ok(letter),
        _ => Err(StartError::Letter(letter)),
    };
    let squares: String = squares.chars().map(as_hub).collect::<Result<_, _>>()?;
    let text = format!("{}{squares}", turn.letter());
    Ok(hub::parse_position(&text)?)
}

/// Returns the start that stands for a position. It is always told letter by letter: the usual start is another one in other games.
pub fn write_start(pos: &Position) -> Start {
    let as_dxp = |letter| match letter {
        'b' => 'z',
        'B' => 'Z',
        letter => letter,
    };
    // The first letter is the side to move.
    let letters = hub::write_position(pos);
    Start::Position {
        turn: pos.turn(),
        squares: letters.chars().skip(1).map(as_dxp).collect(),
    }
}

/// Finds the legal move that a message names. Captured squares may be missing if one move fits all the same.
pub fn read_move(
    message: &MoveMessage,
    numbering: Numbering,
    legal: &[Move],
) -> Result<Move, HubMoveError> {
    // Captures are compulsory, so all moves are of one kind.
    let is_capture = !message.captured.is_empty() || legal.iter().any(|mv| mv.is_capture());
    let sign = if is_capture { "x" } else { "-" };
    let (from, to) = (message.from, message.to);
    let captured = message.captured.iter().map(|square| format!("x{square}"));
    let captured: String = captured.collect();
    hub::parse_move(&format!("{from}{sign}{to}{captured}"), numbering, legal)
}

/// Returns the message of a move that took some time.
pub fn write_move(mv: Move, numbering: Numbering, time: Duration) -> MoveMessage {
    let seconds = time.as_secs_f64().round();
    let captured = mv.captured.squares().map(|square| numbering.number(square));
    let mut captured: Vec<u8> = captured.collect();
    captured.sort_unstable();
    MoveMessage {
        seconds: seconds.min(f64::from(MoveMessage::MAX_SECONDS)) as u16,
        from: numbering.number(mv.from),
        to: numbering.number(mv.to),
        captured,
    }
}
