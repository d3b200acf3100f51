//! Where the games of a match begin.
//!
//! Openings are drawn ballots (tables of the FMJD and the IDF are compiled in), the beginnings of the games of a PDN file, lists of positions, or
//! random moves. What is bad in a file is named and left out.

use super::plan::fnv1a;
use crate::board::{Move, Position, Side};
use crate::notation::hub::{Numbering, write_move};
use crate::notation::{fen, game_line, moves, pdn, shown};
use crate::rules::{Game, Rules, has_capture};
use crate::tools::rng::Rng;
use std::collections::HashSet;

/// A position to begin at, and how the game came there if that is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// What it is called in reports.
    pub name: String,
    /// Where the moves begin.
    pub start: Position,
    /// The moves that are played before the players are asked.
    pub moves: Vec<Move>,
}

/// What is wrong with a part of a file, in words that name the part.
pub type Rejected = String;

/// Tables that are compiled in, by name.
pub const TABLES: [(&str, &str); 2] = [
    ("fmjd-64", include_str!("../../../book/ballots/fmjd-64.tsv")),
    ("idf-150", include_str!("../../../book/ballots/idf-150.tsv")),
];

/// The form of a file with openings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A table of ballots: code, FEN and moves, with tabs between them.
    Ballots,
    /// Games, of which the first plies are taken.
    Pdn,
    /// A position a line, `FEN` or `FEN moves m1 m2 …`.
    List,
}

impl Source {
    /// Returns the form that the end of a file's name tells.
    pub fn of_name(name: &str) -> Self {
        let end = name
            .rsplit('.')
            .next()
            .unwrap_or_default()
            .to_ascii_lowercase();
        match end.as_str() {
            "tsv" => Self::Ballots,
            "pdn" => Self::Pdn,
            _ => Self::List,
        }
    }
}

/// Reads the openings of a file, and returns them with what is wrong with the others. Of games at most `plies` plies are taken. Games that have
/// ended are no openings, and of equal ones the first is taken.
pub fn read<R: Rules>(source: Source, text: &str, plies: usize) -> (Vec<Opening>, Vec<Rejected>) {
    let text = text.trim_start_matches('\u{feff}');
    let items = match source {
        Source::Ballots => read_ballots::<R>(text),
        Source::Pdn => read_pdn::<R>(text, plies),
        Source::List => read_list::<R>(text),
    };
    let mut seen = HashSet::new();
    let mut openings = Vec::new();
    let mut rejected = Vec::new();
    for item in items {
        match item.and_then(|(name, game)| checked(name, &game, &mut seen)) {
            Ok(opening) => openings.push(opening),
            Err(fault) => rejected.push(fault),
        }
    }
    (openings, rejected)
}

type Item<R> = Result<(String, Game<R>), Rejected>;

/// Turns a game into an opening if it goes on and is new.
fn checked<R: Rules>(
    name: String,
    game: &Game<R>,
    seen: &mut HashSet<Position>,
) -> Result<Opening, Rejected> {
    if let Some(ending) = game.ending() {
        return Err(format!("{name}: the game is over ({})", ending.reason));
    }
    if game.position().opp().is_empty() {
        return Err(format!("{name}: one side has no pieces"));
    }
    if !seen.insert(*game.position()) {
        return Err(format!("{name}: the same position as one before"));
    }
    Ok(Opening {
        name,
        start: *game.start(),
        moves: game.moves().to_vec(),
    })
}

/// Reads lines of code, FEN and moves. The tables are for games in which White begins; in the others colours are exchanged.
fn read_ballots<R: Rules>(text: &str) -> Vec<Item<R>> {
    let lines = (1..)
        .zip(text.lines())
        .filter(|(_, line)| !line.trim().is_empty());
    // The first line names the columns.
    let lines = lines.filter(|(number, line)| *number > 1 || !line.starts_with("code\t"));
    lines
        .map(|(number, line)| {
            let mut fields = line.split('\t').map(str::trim);
            let (Some(code), Some(position)) = (fields.next().map(shown), fields.next()) else {
                return Err(format!(
                    "line {number}: expected code, FEN and moves with tabs between them"
                ));
            };
            let mut pos =
                fen::parse(position).map_err(|error| format!("{code}: bad FEN: {error}"))?;
            check_ballot::<R>(pos, fields.next().unwrap_or_default())
                .map_err(|fault| format!("{code}: {fault}"))?;
            if R::FIRST_TO_MOVE == Side::Black {
                pos = pos.flipped();
            }
            Ok((code, Game::from_position(pos)))
        })
        .collect()
}

/// Checks that the moves of a ballot lead to its position. "Flying" ballots put men elsewhere instead; those have no moves to check.
/// The "free" one is the start position.
fn check_ballot<R: Rules>(pos: Position, texts: &str) -> Result<(), Rejected> {
    if texts.contains('-') {
        return Ok(());
    }
    let texts = if texts.eq_ignore_ascii_case("free") {
        ""
    } else {
        texts
    };
    let mut game = Game::<R>::from_position(Position::start(Side::White));
    for text in texts.split_whitespace() {
        let mv = moves::parse::<R>(game.position(), text)
            .map_err(|error| format!("bad move: {error}"))?;
        game.play(mv);
    }
    if game.position() == &pos {
        Ok(())
    } else {
        Err("the moves do not lead to the position".to_owned())
    }
}

fn read_pdn<R: Rules>(text: &str, plies: usize) -> Vec<Item<R>> {
    let games = pdn::Reader::new(text.as_bytes(), Some(R::VARIANT));
    let games = games.filter_map(Result::ok);
    games.map(|game| beginning(&game, plies)).collect()
}

/// Returns the first plies of a game; what is wrong behind them does not matter.
fn beginning<R: Rules>(game: &pdn::Game, plies: usize) -> Item<R> {
    let name = format!("game at line {}", game.line);
    let is_short = game.main.unread.is_some() && game.main.moves.len() < plies;
    let due = game.main.moves.len() + 1;
    let mut faults = game.faults.iter();
    let fault = faults.find(|fault| game.start.is_none() || fault.ply == due);
    if let Some(fault) = fault.filter(|_| is_short || game.start.is_none()) {
        return Err(format!("{name}: {fault}"));
    }
    let mut opening = Game::from_position(game.start.unwrap_or_else(R::start));
    for node in game.main.moves.iter().take(plies) {
        let played = opening.try_play(node.mv);
        played.map_err(|error| format!("{name}: {error}, expected a game of {}", R::VARIANT))?;
    }
    Ok((name, opening))
}

fn read_list<R: Rules>(text: &str) -> Vec<Item<R>> {
    let lines = (1..).zip(text.lines());
    let lines = lines.filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    lines
        .map(|(number, line)| {
            let name = format!("line {number}");
            match game_line::parse::<R>(line.trim()) {
                Ok(game) => Ok((name, game)),
                Err(fault) => Err(format!("{name}: {fault}")),
            }
        })
        .collect()
}

/// The most random games that are tried for one opening. If none is fair and new, there is one opening fewer.
const TRIES: u32 = 1000;
/// The most plies beyond the wanted ones that are played until nothing is left to capture.
const MORE_PLIES: usize = 6;

/// Makes openings of random moves: quiet positions with even material, no two alike. There may be fewer than wanted.
pub fn random<R: Rules>(seed: u64, count: u64, plies: usize) -> Vec<Opening> {
    let mut taken = HashSet::new();
    let opening = |number: u64| {
        let mut rng = Rng::for_item(seed, number);
        (0..TRIES).find_map(|_| {
            let game = random_game::<R>(&mut rng, plies)?;
            checked(format!("random {}", number + 1), &game, &mut taken).ok()
        })
    };
    (0..count).filter_map(opening).collect()
}

/// Plays random moves, or returns `None` if they lead to something else than a fair start.
fn random_game<R: Rules>(rng: &mut Rng, plies: usize) -> Option<Game<R>> {
    let mut game = Game::<R>::new();
    while game.moves().len() < plies || has_capture(game.position()) {
        let legal = game.legal_moves();
        if legal.is_empty() || game.moves().len() >= plies + MORE_PLIES {
            return None;
        }
        game.play(legal[rng.below(legal.len())]);
    }
    let pos = game.position();
    (pos.material(Side::White) == pos.material(Side::Black)).then_some(game)
}

/// Returns a hash of the openings in their order.
pub fn digest(openings: &[Opening]) -> String {
    let text = |opening: &Opening| {
        let moves = opening
            .moves
            .iter()
            .map(|&mv| write_move(mv, Numbering::Hub));
        let moves: Vec<String> = moves.collect();
        format!("{} {}\n", fen::write(&opening.start), moves.join(" "))
    };
    let bytes = openings
        .iter()
        .flat_map(|opening| text(opening).into_bytes());
    format!("{:016x}", fnv1a(bytes))
}
