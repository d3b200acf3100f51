//! A picture of the board in plain text.

use crate::board::{Piece, Position, Side, Square};
use crate::rules::Rules;
use std::fmt::Write;

/// How the picture tells the names of the squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Labels {
    /// A second board with the numbers 1 (b8) to 32 (g1) stands beside the first.
    Numbers,
    /// The letters of the files and the numbers of the rows stand around the board.
    Letters,
}

impl Labels {
    /// Returns the labels of a game's usual notation.
    pub const fn usual<R: Rules>() -> Self {
        if R::STYLE.letters {
            Self::Letters
        } else {
            Self::Numbers
        }
    }
}

/// Draws a position as White sees it: `w` and `b` are men, `W` and `B` kings, `.` is an empty dark square.
///
/// The lines have no trailing blanks; the last one, without a line end, tells whose move it is.
pub fn draw(pos: &Position, labels: Labels) -> String {
    let (files, edge) = ("    a b c d e f g h", "  +-----------------+");
    let (numbers_edge, gap) = ("+-------------------------+", "     ");
    let mut picture = String::new();
    let mut line = |board: &str, numbers: &str| {
        let numbers = match labels {
            Labels::Numbers => numbers,
            Labels::Letters => "",
        };
        // Enough room for the row number right of the board.
        let text = format!("{board:23}{gap}{numbers}");
        writeln!(picture, "{}", text.trim_end()).expect("writing to a string cannot fail");
    };
    line(files, "");
    line(edge, numbers_edge);
    for rank in (0..8).rev() {
        let (mut board, mut numbers) = (String::new(), String::new());
        for file in 0..8 {
            let square = Square::from_rank_and_file(rank, file);
            board += square.map_or("  ", |square| piece_cell(pos, square));
            numbers += &square.map_or("   ".to_owned(), |square| format!("{:3}", square.number()));
        }
        let row = rank + 1;
        line(&format!("{row} | {board}| {row}"), &format!("|{numbers} |"));
    }
    line(edge, numbers_edge);
    line(files, "");
    let turn = pos.turn();
    format!("{picture}\n{turn} to move")
}

/// Returns a dark square's two characters of a row.
fn piece_cell(pos: &Position, square: Square) -> &'static str {
    match pos.at(square) {
        Some((Side::White, Piece::Man)) => "w ",
        Some((Side::Black, Piece::Man)) => "b ",
        Some((Side::White, Piece::King)) => "W ",
        Some((Side::Black, Piece::King)) => "B ",
        None => ". ",
    }
}
