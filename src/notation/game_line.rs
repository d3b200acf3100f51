//! A game on one line, as lists of positions and openings have it: `FEN`, or `FEN moves m1 m2 …`.

use super::fen::{self, FenError};
use super::{moves, shown};
use crate::rules::{Game, Rules};

/// Reads `FEN` or `FEN moves m1 m2 …`. The error is one line that says what is wrong and where.
pub fn parse<R: Rules>(line: &str) -> Result<Game<R>, String> {
    let (fen, moves) = split(line);
    set_up(Some(fen), moves)
}

/// Splits a line at the word `moves`.
fn split(line: &str) -> (&str, &str) {
    const WORD: &str = "moves";
    let is_word = |&(start, _): &(usize, &str)| {
        let (before, after) = (&line[..start], &line[start + WORD.len()..]);
        before.ends_with(char::is_whitespace)
            && (after.is_empty() || after.starts_with(char::is_whitespace))
    };
    match line.match_indices(WORD).find(is_word) {
        Some((start, _)) => (&line[..start], &line[start + WORD.len()..]),
        None => (line, ""),
    }
}

/// Sets up a position, or the start position, and plays moves from it. The moves are those of a game text, see
/// [`moves::split_game`]. The error is one line that says what is wrong and where.
pub fn set_up<R: Rules>(fen: Option<&str>, moves: &str) -> Result<Game<R>, String> {
    let start = match fen {
        Some(text) => fen::parse_all(text).map_err(|faults| {
            let faults: Vec<String> = faults.iter().map(FenError::to_string).collect();
            format!("bad FEN: \"{}\": {}", shown(text), faults.join("; "))
        })?,
        None => R::start(),
    };
    let mut game = Game::from_position(start);
    let texts = moves::split_game(moves);
    for (number, text) in (1..).zip(&texts) {
        let mv = moves::parse::<R>(game.position(), text)
            .map_err(|error| format!("bad move: move {number} of {}: {error}", texts.len()))?;
        game.play(mv);
    }
    Ok(game)
}
