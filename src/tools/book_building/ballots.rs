//! What a book knows: its size and depth, and its verdict on every ballot, as a table that a coach can read.

use super::men_for_white;
use crate::board::{Move, Position, Side};
use crate::book::{Book, BookMove, Entry, key_of};
use crate::notation::fen;
use crate::notation::moves::{self, Form};
use crate::rules::{Game, Rules};
use crate::score::Score;
use crate::tools::matches::openings::{self, Source, TABLES};
use std::collections::HashSet;
use std::fmt::Write;

/// The most plies of a line that are shown.
const SHOWN_PLIES: usize = 16;

/// A ballot as a table has it.
pub struct Ballot {
    /// Its number there.
    pub code: String,
    /// Its position, or what is wrong with the row.
    pub position: Result<Position, String>,
}

/// Returns the ballots of every table that is compiled in, row by row, each with the name of the table.
pub fn all<R: Rules>() -> Vec<(&'static str, Vec<Ballot>)> {
    let table = |&(name, text): &(&'static str, &str)| {
        let (head, rows) = text.split_once('\n').unwrap_or((text, ""));
        let rows = rows.lines().filter(|row| !row.trim().is_empty());
        (name, rows.map(|row| ballot::<R>(head, row)).collect())
    };
    TABLES.iter().map(table).collect()
}

/// Reads one row, so that a position that stands twice has each of its codes.
fn ballot<R: Rules>(head: &str, row: &str) -> Ballot {
    let code = row.split('\t').next().unwrap_or_default().trim().to_owned();
    let (good, mut bad) = openings::read::<R>(Source::Ballots, &format!("{head}\n{row}"), 0);
    let fault = bad.pop().unwrap_or_default();
    let fault = fault.strip_prefix(&format!("{code}: ")).map(str::to_owned);
    let position = match good.first() {
        Some(opening) => Ok(opening.start),
        None => Err(fault.unwrap_or_else(|| "cannot be read".to_owned())),
    };
    Ballot { code, position }
}

/// Returns the different positions of all ballots that are good under the rules `R`.
pub fn positions<R: Rules>() -> Vec<Position> {
    let ballots = all::<R>();
    let positions = ballots.into_iter().flat_map(|(_, rows)| rows);
    let mut seen = HashSet::new();
    positions
        .filter_map(|ballot| ballot.position.ok())
        .filter(|pos| seen.insert(key_of(pos)))
        .collect()
}

/// What a book comes to.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Summary {
    /// The rule set.
    pub variant: &'static str,
    /// Positions.
    pub positions: usize,
    /// Positions with a move that the engine may play.
    pub playable: usize,
    /// The mean depth of the searches, in plies; 0 without any.
    pub mean_depth: f64,
    /// The different positions of ballots.
    pub ballots: usize,
    /// Those of them that the book has a verdict on.
    pub covered: usize,
    /// The mean number of plies for which the book knows the best moves from a ballot or the start position, where it knows any.
    pub mean_line: f64,
    /// The plies for which it knows the best moves from the start position.
    pub line_from_start: usize,
    /// Moves with results of games.
    pub moves_with_games: usize,
}

/// Sums a book up.
pub fn summary<R: Rules>(book: &Book) -> Summary {
    let entries = book.entries();
    let depths: Vec<f64> = entries
        .iter()
        .filter_map(|entry| entry.depth.map(f64::from))
        .collect();
    let ballots = positions::<R>();
    let covered = ballots.iter().filter(|pos| book.best(pos).is_some());
    let start = R::start();
    let starts = ballots.iter().chain([&start]);
    let lines = starts.map(|pos| line(book, pos).len() as f64);
    let lines: Vec<f64> = lines.filter(|&plies| plies > 0.0).collect();
    let mean = |numbers: &[f64]| numbers.iter().sum::<f64>() / numbers.len().max(1) as f64;
    let is_playable = |entry: &&Entry| book.choose(&entry.pos, super::BEST, 0).is_some();
    Summary {
        variant: R::VARIANT.name(),
        positions: book.len(),
        playable: entries.iter().filter(is_playable).count(),
        mean_depth: mean(&depths),
        ballots: ballots.len(),
        covered: covered.count(),
        mean_line: mean(&lines),
        line_from_start: line(book, &start).len(),
        moves_with_games: entries
            .iter()
            .flat_map(|entry| &entry.moves)
            .filter(|known| known.games.count() > 0)
            .count(),
    }
}

/// Returns the best moves from a position on, as far as the book goes.
pub fn line(book: &Book, start: &Position) -> Vec<Move> {
    let mut pos = *start;
    let mut seen = HashSet::new();
    let mut line = Vec::new();
    while let Some(best) = book.best(&pos).filter(|_| seen.insert(key_of(&pos))) {
        line.push(best.mv);
        pos = pos.play(best.mv);
    }
    line
}

/// Writes the table.
pub fn table<R: Rules>(book: &Book) -> String {
    let mut text = String::from(HEAD);
    for (name, rows) in all::<R>() {
        let _ = write!(text, "\n## {name}\n\n{COLUMNS}");
        for ballot in rows {
            let _ = match ballot.position {
                Ok(pos) => writeln!(text, "{}", row::<R>(book, &ballot.code, &pos)),
                Err(fault) => writeln!(text, "| {} | | | {fault} | |", ballot.code),
            };
        }
    }
    text
}

/// What stands above the table.
const HEAD: &str = "# Verdicts on the ballots\n\n\
    What the book says of every ballot of the drawing tables: the score in men from White's view, what that means, and the line that it \
    holds to be best for both sides, as far as the book goes. Either side may be ours: the line has the best moves of both. `*` stands behind a \
    line of which only the first moves are shown. Scores are estimates, unless they are called proved.\n";

const COLUMNS: &str = "| ballot | moves | score | verdict | line | position |\n| --- | --- | ---: | --- | --- | --- |\n";

fn row<R: Rules>(book: &Book, code: &str, pos: &Position) -> String {
    let side = pos.turn();
    let place = fen::write_as(pos, Form::usual::<R>());
    let Some(best) = book.best(pos) else {
        return format!("| {code} | {side} | | not in the book | | `{place}` |");
    };
    let men = men_for_white(side, best.score.unwrap_or_default());
    let line = line(book, pos);
    let shown = &line[..line.len().min(SHOWN_PLIES)];
    let more = if line.len() > shown.len() { " *" } else { "" };
    let line = moves::write_line::<R>(pos, shown).join(" ");
    format!(
        "| {code} | {side} | {men:+.2} | {} | {line}{more} | `{place}` |",
        verdict(side, best)
    )
}

/// The largest scores of the verdicts, in hundredths of a man.
const EQUAL: i32 = 15;
const LITTLE_BETTER: i32 = 40;
const BETTER: i32 = 90;

/// Says what the score of a move of a side means.
fn verdict(side: Side, best: BookMove) -> String {
    let score = best.score.unwrap_or_default();
    let better = if score > Score::DRAW {
        side
    } else {
        side.opponent()
    };
    match score.0.abs() {
        _ if score.is_decided() => format!("{better} wins, proved"),
        0 if best.is_proved => "drawn, proved".to_owned(),
        lead if lead <= EQUAL => "equal".to_owned(),
        lead if lead <= LITTLE_BETTER => format!("{better} a little better"),
        lead if lead <= BETTER => format!("{better} better"),
        _ => format!("{better} much better"),
    }
}

/// Returns the games that begin at the ballots.
pub fn games<R: Rules>() -> Vec<(String, Game<R>)> {
    let ballots = all::<R>();
    let rows = ballots
        .into_iter()
        .flat_map(|(name, rows)| rows.into_iter().map(move |row| (name, row)));
    rows.filter_map(|(name, ballot)| {
        let game = Game::from_position(ballot.position.ok()?);
        Some((format!("{name} {}", ballot.code), game))
    })
    .collect()
}
