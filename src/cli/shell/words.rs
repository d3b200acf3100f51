//! How the shell speaks of results and scores.

use crate::board::Side;
use crate::rules::{Ending, Reason};
use crate::score::Score;
use crate::search::Report;

/// Says how a game has ended by the rules.
pub(super) fn ending(ending: Ending) -> String {
    let why = match ending.reason {
        Reason::NoPieces => "the other side has no pieces left",
        Reason::Blocked => "the other side cannot move",
        Reason::Repetition => "the same position has occurred too often",
        Reason::ThreeVOne => "the lone king was not caught in time",
        Reason::MainRoad => "the lone king has held the main road",
        Reason::SmallEnding => "so small an ending may not take longer",
        Reason::Balance => "the balance of forces has not changed for too long",
        Reason::NoProgress => "nothing has happened for too long",
    };
    let result = match ending.winner {
        Some(winner) => format!("{winner} wins"),
        None => "The game is drawn".to_owned(),
    };
    format!("{result}: {why} ({}).", ending.reason)
}

/// Says what a search found, for the side that was to move.
pub(super) fn evaluation(report: &Report, turn: Side, line: &str) -> String {
    let verdict = score(report.score, turn);
    if line.is_empty() {
        return format!("{verdict}.");
    }
    if report.depth == 0 {
        return format!("{verdict}, by the book: {line}");
    }
    format!("{verdict}, depth {}: {line}", report.depth)
}

/// Says who is better, and by how much.
fn score(score: Score, turn: Side) -> String {
    let better = if score.0 >= 0 { turn } else { turn.opponent() };
    if let Some(plies) = score.plies_to_end() {
        let moves = (plies + 1) / 2;
        let noun = if moves == 1 { "move" } else { "moves" };
        return format!("{better} wins in {moves} {noun}");
    }
    if score.is_decided() {
        return format!("{better} wins by the endgame tables");
    }
    if score == Score::DRAW {
        return "The sides are level".to_owned();
    }
    let men = f64::from(score.0.abs()) / 100.0;
    format!("{better} is better by {men:.2} men")
}
