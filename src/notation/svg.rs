//! A diagram of the board as SVG: one self-contained picture for web pages, documents and paper.
//!
//! The picture refers to nothing outside and has no identifiers, so that any number of them can stand on one page. What it says is
//! also in its title and description, for those who hear a page. Nothing depends on colour alone: kings wear a crown and
//! men a ring, the last move is framed, lined and crossed, and of two arrows one is broken, so a black-and-white print shows the same.
//!
//! SVG 1.1, second edition (<https://www.w3.org/TR/SVG11/>).

use super::diagram::Labels;
use super::fen;
use super::moves::{self, Form};
use crate::board::{Bitboard, Move, Piece, Position, Side, Square};
use crate::rules::{Game, Rules, path_of};
use std::fmt::{Display, Write};

/// The side of a square. All lengths are in these units, which a viewer shows as pixels unless it scales the picture.
const CELL: u32 = 60;
/// The side of the board.
const BOARD: u32 = 8 * CELL;
/// The room around the board, for letters.
const MARGIN: u32 = 30;
/// The line below the board that says whose move it is.
const CAPTION: u32 = 30;

const INK: &str = "#1a1a1a";
const PAPER: &str = "#ffffff";
const LIGHT_SQUARE: &str = "#f2e2c4";
const DARK_SQUARE: &str = "#b58a5a";
/// A square of the last move.
const MARKED_SQUARE: &str = "#e9c65a";
/// The way of the last move, and what it captured.
const MARK: &str = "#9c1c1c";
/// The arrow of a better move.
const BETTER: &str = "#12662c";

/// A move that led to the position, to be shown in its diagram.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastMove {
    text: String,
    path: Vec<Square>,
    captured: Bitboard,
}

impl LastMove {
    /// Returns the last move of a game, its squares named in a given way, or `None` at the beginning of the game.
    pub fn of<R: Rules>(game: &Game<R>, labels: Labels) -> Option<Self> {
        let form = match labels {
            Labels::Numbers => Form::Numbers,
            Labels::Letters => Form::Letters,
        };
        let mut before = game.clone();
        let mv = before.undo()?;
        let pos = before.position();
        Some(Self {
            text: moves::write_as::<R>(pos, mv, form),
            path: path_of::<R>(pos, mv),
            captured: mv.captured,
        })
    }
}

/// Draws a position as White sees it, as a complete SVG document.
///
/// With numbers, each dark square has its own in a corner; with letters, they stand around the board. The squares that the last move
/// started from, stood on and ended on are framed and joined by a line; those where it captured are crossed.
pub fn draw(pos: &Position, labels: Labels, last_move: Option<&LastMove>) -> String {
    let turn = pos.turn();
    let caption = match last_move {
        Some(LastMove { text, .. }) => format!("{text}, {turn} to move"),
        None => format!("{turn} to move"),
    };
    let mut drawing = Drawing(String::new());
    drawing.open(pos, labels, &caption);
    drawing.board();
    if let Some(last_move) = last_move {
        drawing.marked_squares(&last_move.path);
        drawing.way(last_move);
    }
    // Above the way, which crosses corners.
    drawing.names(labels);
    for side in Side::BOTH {
        drawing.pieces(pos, side);
    }
    drawing.line(format_args!("</svg>"));
    drawing.0
}

/// A move of a position, to be shown by an arrow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrow {
    text: String,
    path: Vec<Square>,
}

impl Arrow {
    /// Returns the arrow of a legal move.
    pub fn of<R: Rules>(pos: &Position, mv: Move) -> Self {
        Self {
            text: moves::write::<R>(pos, mv),
            path: path_of::<R>(pos, mv),
        }
    }
}

/// Draws a position with the move that was played in it as a broken arrow, and a better one as a whole arrow.
pub fn draw_choice(pos: &Position, labels: Labels, played: &Arrow, better: &Arrow) -> String {
    let mut drawing = Drawing(String::new());
    let (played_text, better_text) = (&played.text, &better.text);
    let caption = format!(
        "{}: {played_text} was played, {better_text} is better",
        pos.turn()
    );
    drawing.open(pos, labels, &caption);
    drawing.board();
    drawing.names(labels);
    for side in Side::BOTH {
        drawing.pieces(pos, side);
    }
    drawing.arrow(&better.path, BETTER, "none");
    drawing.arrow(&played.path, MARK, "2 14");
    drawing.line(format_args!("</svg>"));
    drawing.0
}

/// The document so far.
struct Drawing(String);

impl Drawing {
    fn line(&mut self, element: impl Display) {
        writeln!(self.0, "{element}").expect("writing to a string cannot fail");
    }

    /// Begins the document: what it says, an empty sheet, and the caption.
    fn open(&mut self, pos: &Position, labels: Labels, caption: &str) {
        let (width, height) = (BOARD + 2 * MARGIN, BOARD + 2 * MARGIN + CAPTION);
        self.line(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
             role=\"img\" font-family=\"sans-serif\" text-anchor=\"middle\">"
        ));
        self.line(format_args!("<title>Draughts: {caption}</title>"));
        let [white, black] = Side::BOTH.map(|side| pieces_in_words(pos, side, labels));
        let fen = fen::write(pos);
        self.line(format_args!("<desc>{white}. {black}. FEN {fen}</desc>"));
        self.line(format_args!(
            "<rect width=\"{width}\" height=\"{height}\" fill=\"{PAPER}\"/>"
        ));
        let (x, y) = (width / 2, height - 14);
        self.line(format_args!(
            "<text x=\"{x}\" y=\"{y}\" font-size=\"18\" fill=\"{INK}\">{caption}</text>"
        ));
    }

    /// Draws the empty board.
    fn board(&mut self) {
        let (edge, side) = (MARGIN - 1, BOARD + 2);
        self.line(format_args!(
            "<rect x=\"{edge}\" y=\"{edge}\" width=\"{side}\" height=\"{side}\" fill=\"{LIGHT_SQUARE}\" stroke=\"{INK}\" \
             stroke-width=\"2\"/>"
        ));
        let squares: String = Square::all().map(|square| outline(square, 0)).collect();
        self.line(format_args!(
            "<path d=\"{squares}\" fill=\"{DARK_SQUARE}\"/>"
        ));
    }

    /// Frames the squares on which the last move stood.
    fn marked_squares(&mut self, path: &[Square]) {
        let squares: Bitboard = path.iter().copied().collect();
        let squares: String = squares.squares().map(|square| outline(square, 1)).collect();
        self.line(format_args!(
            "<path d=\"{squares}\" fill=\"{MARKED_SQUARE}\" stroke=\"{MARK}\" stroke-width=\"3\"/>"
        ));
    }

    fn names(&mut self, labels: Labels) {
        match labels {
            Labels::Numbers => self.numbers(),
            Labels::Letters => self.letters(),
        }
    }

    /// Writes the number of each square into its corner.
    fn numbers(&mut self) {
        self.line(format_args!(
            "<g font-size=\"11\" text-anchor=\"start\" fill=\"{INK}\">"
        ));
        for square in Square::all() {
            let (x, y) = corner(square);
            let (x, y) = (x + 4, y + 12);
            self.line(format_args!("<text x=\"{x}\" y=\"{y}\">{square}</text>"));
        }
        self.line("</g>");
    }

    /// Writes letters below and above the board, and numbers beside it.
    fn letters(&mut self) {
        self.line(format_args!("<g font-size=\"16\" fill=\"{INK}\">"));
        for (place, letter) in (0..8).zip('a'..) {
            let along = MARGIN + place * CELL + CELL / 2;
            for y in [MARGIN - 10, MARGIN + BOARD + 20] {
                self.line(format_args!(
                    "<text x=\"{along}\" y=\"{y}\">{letter}</text>"
                ));
            }
            let (y, row) = (along + 6, 8 - place);
            for x in [MARGIN / 2, MARGIN + BOARD + MARGIN / 2] {
                self.line(format_args!("<text x=\"{x}\" y=\"{y}\">{row}</text>"));
            }
        }
        self.line("</g>");
    }

    /// Draws the way of the last move from square to square, and crosses what it captured.
    fn way(&mut self, LastMove { path, captured, .. }: &LastMove) {
        let points: Vec<String> = path
            .iter()
            .map(|&square| {
                let (x, y) = centre(square);
                format!("{x},{y}")
            })
            .collect();
        let points = points.join(" ");
        self.line(format_args!(
            "<g fill=\"none\" stroke=\"{MARK}\" stroke-width=\"4\" stroke-linecap=\"round\" stroke-linejoin=\"round\">"
        ));
        self.line(format_args!("<polyline points=\"{points}\"/>"));
        let (x, y) = centre(path[0]);
        self.line(format_args!(
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"5\" fill=\"{MARK}\"/>"
        ));
        for square in captured.squares() {
            let (x, y) = centre(square);
            let (left, top) = (x - 12, y - 12);
            self.line(format_args!(
                "<path d=\"M{left} {top}l24 24m-24 0l24-24\" stroke-width=\"6\"/>"
            ));
        }
        self.line("</g>");
    }

    /// Draws an arrow along the squares of a move, its line whole or broken into dashes.
    fn arrow(&mut self, path: &[Square], colour: &str, dashes: &str) {
        let centres: Vec<(u32, u32)> = path.iter().map(|&square| centre(square)).collect();
        let points: Vec<String> = centres.iter().map(|(x, y)| format!("{x},{y}")).collect();
        self.line(format_args!(
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"8\" stroke-dasharray=\"{dashes}\" \
             stroke-linecap=\"round\" stroke-linejoin=\"round\"/>",
            points.join(" ")
        ));
        let [.., before, tip] = centres[..] else {
            return;
        };
        // Every step of a move is diagonal, so all lengths are whole numbers.
        let step = |from: u32, to: u32| (to.cast_signed() - from.cast_signed()).signum();
        let (dx, dy) = (step(before.0, tip.0), step(before.1, tip.1));
        let (x, y) = (tip.0.cast_signed() + 5 * dx, tip.1.cast_signed() + 5 * dy);
        let (left, right) = (
            (x - 17 * dx - 12 * dy, y - 17 * dy + 12 * dx),
            (x - 17 * dx + 12 * dy, y - 17 * dy - 12 * dx),
        );
        self.line(format_args!(
            "<path d=\"M{x} {y}L{} {}L{} {}z\" fill=\"{colour}\" stroke=\"{PAPER}\"/>",
            left.0, left.1, right.0, right.1
        ));
    }

    fn pieces(&mut self, pos: &Position, side: Side) {
        let (fill, edge) = match side {
            Side::White => (PAPER, INK),
            Side::Black => (INK, PAPER),
        };
        self.line(format_args!(
            "<g fill=\"{fill}\" stroke=\"{edge}\" stroke-width=\"2\">"
        ));
        for square in pos.pieces(side).squares() {
            let (x, y) = centre(square);
            self.line(format_args!("<circle cx=\"{x}\" cy=\"{y}\" r=\"21\"/>"));
            if pos.is_king_at(square) {
                let (left, bottom) = (x - 11, y + 10);
                self.line(format_args!(
                    "<path d=\"M{left} {bottom}l-3-17 8 7 6-12 6 12 8-7-3 17z\" fill=\"{edge}\"/>"
                ));
            } else {
                self.line(format_args!("<circle cx=\"{x}\" cy=\"{y}\" r=\"14\"/>"));
            }
        }
        self.line("</g>");
    }
}

/// Returns the upper left corner of a square.
fn corner(square: Square) -> (u32, u32) {
    let (rank, file) = (u32::from(square.rank()), u32::from(square.file()));
    (MARGIN + file * CELL, MARGIN + (7 - rank) * CELL)
}

fn centre(square: Square) -> (u32, u32) {
    let (x, y) = corner(square);
    (x + CELL / 2, y + CELL / 2)
}

/// Returns the edge of a square as a part of a path, moved inwards.
fn outline(square: Square, inset: u32) -> String {
    let (x, y) = corner(square);
    let (x, y, side) = (x + inset, y + inset, CELL - 2 * inset);
    format!("M{x} {y}h{side}v{side}h-{side}z")
}

/// Returns the pieces of a side as a sentence without its full stop: `White: men c3, e3; kings d4`.
fn pieces_in_words(pos: &Position, side: Side, labels: Labels) -> String {
    let list = |piece: Piece| {
        let squares = match piece {
            Piece::Man => pos.men(side),
            Piece::King => pos.kings(side),
        };
        let names = Square::all().filter(|&square| squares.contains(square));
        let names = names.map(|square| match labels {
            Labels::Numbers => square.to_string(),
            Labels::Letters => square.name(),
        });
        names.collect::<Vec<_>>().join(", ")
    };
    match (list(Piece::Man).as_str(), list(Piece::King).as_str()) {
        ("", "") => format!("{side}: no pieces"),
        (men, "") => format!("{side}: men {men}"),
        ("", kings) => format!("{side}: kings {kings}"),
        (men, kings) => format!("{side}: men {men}; kings {kings}"),
    }
}
