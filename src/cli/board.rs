//! `mainroad board`: a picture of a position, and the position as text.

use super::json::{GameResult, numbers};
use super::options::{option_args, read_options};
use super::positions::{self, Answer};
use super::{Entry, Outcome, Streams};
use crate::board::{Position, Side};
use crate::notation::diagram::{self, Labels};
use crate::notation::{fen, hub};
use crate::rules::{Game, Rules};
use crate::with_rules;
use clap::{ArgMatches, Command};
use serde::Serialize;
use std::io::{self, Write};

pub(super) const ENTRY: Entry = Entry { command, run };

fn command() -> Command {
    Command::new("board")
        .about("Shows a position, or says what is wrong with it")
        .long_about(
            "Shows a position as a picture with the names of the squares, whose move it is, the position as FEN and as Hub \
             text, and the number of legal moves or how the game ended. If the pieces cannot stand like this, the error names every \
             fault.",
        )
        .args(positions::args())
        .args(option_args(&["variant", "draw-rules"]))
        .after_help("Example: mainroad board --variant pool --moves '11-15 22-18 15x22'")
}

fn run(args: &ArgMatches, streams: &mut Streams) -> Outcome {
    let options = read_options(args);
    with_rules!(options.variant, R => positions::answer::<R, _>(args, streams, |game| {
        Ok(Board::of(game, options.draw_rules))
    }))
}

/// The answer.
#[derive(Serialize)]
struct Board {
    variant: &'static str,
    fen: String,
    hub: String,
    turn: char,
    pieces: Pieces,
    legal_moves: usize,
    result: Option<GameResult>,
    #[serde(skip)]
    picture: String,
}

/// The pieces of both sides.
#[derive(Serialize)]
struct Pieces {
    #[serde(rename = "W")]
    white: SidePieces,
    #[serde(rename = "B")]
    black: SidePieces,
}

/// The pieces of one side, by the numbers of their squares.
#[derive(Serialize)]
struct SidePieces {
    men: Vec<u8>,
    kings: Vec<u8>,
}

impl Board {
    fn of<R: Rules>(game: &Game<R>, draw_rules: bool) -> Self {
        let pos = game.position();
        Self {
            variant: R::VARIANT.name(),
            fen: fen::write(pos),
            hub: hub::write_position(pos),
            turn: pos.turn().letter(),
            pieces: Pieces {
                white: SidePieces::of(pos, Side::White),
                black: SidePieces::of(pos, Side::Black),
            },
            legal_moves: game.legal_moves().len(),
            result: GameResult::of(game, draw_rules),
            picture: diagram::draw(pos, Labels::usual::<R>()),
        }
    }
}

impl SidePieces {
    fn of(pos: &Position, side: Side) -> Self {
        Self {
            men: numbers(pos.men(side)),
            kings: numbers(pos.kings(side)),
        }
    }
}

impl Answer for Board {
    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        // The picture ends with the line that says whose move it is.
        writeln!(out, "{}", self.picture)?;
        writeln!(out, "FEN {}", self.fen)?;
        writeln!(out, "Hub {}", self.hub)?;
        match (&self.result, self.legal_moves) {
            (Some(result), _) => writeln!(out, "{result}"),
            (None, 1) => writeln!(out, "1 legal move"),
            (None, count) => writeln!(out, "{count} legal moves"),
        }
    }
}
