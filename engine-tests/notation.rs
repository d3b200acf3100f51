//! Positions, moves and pictures as text: what is read, what is refused and why.

mod diagrams; // pictures of the board in plain text
mod epd; // lines of test suites
mod fen; // positions as people paste them
mod game_lines; // a position and moves on one line
mod hub; // positions and moves of the Hub protocol
mod moves; // moves as players write them, and records of games
mod noise; // no text makes a reader panic

use mainroad::board::{MoveList, Position};
use mainroad::notation::fen::parse;
use mainroad::rules::{Rules, legal_moves};

/// The start position of the games in which White begins.
const START: &str = "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12";
const HUB_START: &str = "Wbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww";

#[track_caller]
fn position(text: &str) -> Position {
    parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn legal<R: Rules>(pos: &Position) -> MoveList {
    let mut moves = MoveList::new();
    legal_moves::<R>(pos, &mut moves);
    moves
}
