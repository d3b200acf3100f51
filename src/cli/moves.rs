//! `mainroad moves`: the legal moves of a position.

use super::json::{GameResult, numbers};
use super::options::{option_args, read_options};
use super::positions::{self, Answer};
use super::{Entry, Outcome, Streams};
use crate::board::{Move, Square};
use crate::notation::{fen, moves};
use crate::rules::{Game, Rules, path_of};
use crate::with_rules;
use clap::{ArgMatches, Command};
use serde::Serialize;
use std::io::{self, Write};

pub(super) const ENTRY: Entry = Entry { command, run };

fn command() -> Command {
    Command::new("moves")
        .about("Lists the legal moves of a position")
        .long_about(
            "Lists the legal moves of a position, one a line, as the players of the game write them. If the game is over, the last \
             line says how it ended.",
        )
        .args(positions::args())
        .args(option_args(&["variant", "draw-rules"]))
        .after_help("Example: mainroad moves --variant russian --fen 'W:WKd4:Bb2,g7' --json")
}

fn run(args: &ArgMatches, streams: &mut Streams) -> Outcome {
    let options = read_options(args);
    with_rules!(options.variant, R => positions::answer::<R, _>(args, streams, |game| {
        Ok(List::of(game, options.draw_rules))
    }))
}

/// The answer.
#[derive(Serialize)]
struct List {
    variant: &'static str,
    fen: String,
    turn: char,
    moves: Vec<ListedMove>,
    result: Option<GameResult>,
}

/// A legal move; squares are numbers, 1 = b8.
#[derive(Serialize)]
struct ListedMove {
    text: String,
    from: u8,
    to: u8,
    captured: Vec<u8>,
    path: Vec<u8>,
    promotes: bool,
}

impl List {
    fn of<R: Rules>(game: &Game<R>, draw_rules: bool) -> Self {
        let legal = game.legal_moves();
        Self {
            variant: R::VARIANT.name(),
            fen: fen::write(game.position()),
            turn: game.position().turn().letter(),
            moves: legal.iter().map(|&mv| ListedMove::of(game, mv)).collect(),
            result: GameResult::of(game, draw_rules),
        }
    }
}

impl ListedMove {
    fn of<R: Rules>(game: &Game<R>, mv: Move) -> Self {
        let pos = game.position();
        let path = path_of::<R>(pos, mv);
        Self {
            text: moves::write::<R>(pos, mv),
            from: mv.from.number(),
            to: mv.to.number(),
            captured: numbers(mv.captured),
            path: path.into_iter().map(Square::number).collect(),
            promotes: mv.promotes,
        }
    }
}

impl Answer for List {
    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        for mv in &self.moves {
            writeln!(out, "{}", mv.text)?;
        }
        match &self.result {
            Some(result) => writeln!(out, "{result}"),
            None => Ok(()),
        }
    }
}
