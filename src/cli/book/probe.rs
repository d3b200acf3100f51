//! `mainroad book probe`: the moves that a book has in a position.

use super::open;
use crate::book::{Basis, Book, BookMove};
use crate::cli::options::{option_args, read_options};
use crate::cli::positions::{self, Answer};
use crate::cli::{Entry, Outcome, Streams};
use crate::notation::{fen, moves};
use crate::rules::{Game, Rules};
use crate::score::Depth;
use crate::with_rules;
use clap::{ArgMatches, Command};
use serde::Serialize;
use std::io::{self, Write};

pub(super) const ENTRY: Entry = Entry { command, run };

fn command() -> Command {
    Command::new("probe")
        .about("Lists the moves that a book has in a position")
        .long_about(
            "Lists the moves that a book has in a position, best first, each with its score in men from the view of the side to move, the \
             number of positions that the book has behind it, and the results of games, won, drawn and lost by the side that made the move. \
             Scores with ~ are estimates by one search, which the engine does not play by; those with # are proved, those with ! the word \
             of a person. The exit code is 1 if it has none.",
        )
        .args(positions::args())
        .args(option_args(&["variant", "book"]))
        .after_help("Example: mainroad book probe --variant russian --moves 'c3-d4 f6-g5' --json")
}

fn run(args: &ArgMatches, streams: &mut Streams) -> Outcome {
    let options = read_options(args);
    with_rules!(options.variant, R => {
        let book = open::<R>(&options)?;
        positions::answer::<R, _>(args, streams, |game| Ok(Known::of(game, &book)))
    })
}

/// What a book knows.
#[derive(Serialize)]
struct Known {
    variant: &'static str,
    fen: String,
    /// How deep the moves were searched, in plies.
    depth: Option<Depth>,
    moves: Vec<KnownMove>,
}

/// A move of a book.
#[derive(Serialize)]
struct KnownMove {
    text: String,
    /// Hundredths of a man from the view of the side to move; null if it is known from games only.
    cp: Option<i32>,
    /// What the score rests on: `search`, `tree`, `hand`.
    basis: &'static str,
    proved: bool,
    /// Whether the engine may choose it.
    playable: bool,
    /// Positions of the book behind the move.
    positions: usize,
    games: u32,
    won: u32,
    drawn: u32,
    lost: u32,
}

impl Known {
    fn of<R: Rules>(game: &Game<R>, book: &Book) -> Self {
        let pos = game.position();
        let known_move = |known: BookMove| KnownMove {
            text: moves::write::<R>(pos, known.mv),
            cp: known.score.map(|score| score.0),
            basis: match known.basis {
                Basis::Search => "search",
                Basis::Tree => "tree",
                Basis::Hand => "hand",
            },
            proved: known.is_proved,
            playable: known.is_playable(),
            positions: book.positions_behind(&pos.play(known.mv)),
            games: known.games.count(),
            won: known.games.won,
            drawn: known.games.drawn,
            lost: known.games.lost,
        };
        Self {
            variant: R::VARIANT.name(),
            fen: fen::write(pos),
            depth: book.entry(pos).and_then(|entry| entry.depth),
            moves: book.moves(pos).into_iter().map(known_move).collect(),
        }
    }
}

impl Answer for Known {
    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        for known in &self.moves {
            write!(out, "{}", known.text)?;
            if let Some(cp) = known.cp {
                let estimate = if known.basis == "search" { "~" } else { "" };
                let proof = if known.proved { "#" } else { "" };
                let hand = if known.basis == "hand" { "!" } else { "" };
                write!(out, " {estimate}{:+.2}{proof}{hand}", f64::from(cp) / 100.0)?;
            }
            if known.positions > 0 {
                write!(out, ", {} positions", known.positions)?;
            }
            if known.games > 0 {
                let (won, drawn, lost) = (known.won, known.drawn, known.lost);
                write!(out, ", {} games +{won}={drawn}-{lost}", known.games)?;
            }
            writeln!(out)?;
        }
        if self.moves.is_empty() {
            writeln!(out, "the book does not know this position")?;
        }
        Ok(())
    }

    fn is_no(&self) -> bool {
        self.moves.is_empty()
    }
}
