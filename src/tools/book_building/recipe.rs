//! How the moves of a position are scored: one search for several lines, as many as there are moves.
//!
//! All moves are searched to the same depth with one table, so what one finds the others need not search again, and their scores can be
//! compared. The position is searched as White sees it when it is his move, so that the mirror image has the same scores.

use crate::board::{Move, Position, Side};
use crate::book::{Basis, BookMove, Entry, Games};
use crate::egdb::{Tables, Value};
use crate::eval::Evaluation;
use crate::rules::{Game, Rules};
use crate::score::{Depth, Score};
use crate::search::{Limits, Task};
use crate::tt::{OutOfMemory, Table};
use std::sync::Arc;

/// The size of the transposition table of a search: enough for the usual number of nodes.
const TABLE_MIB: usize = 8;

/// How positions are searched.
#[derive(Clone)]
pub struct Recipe<R> {
    /// Positions that are searched for each legal move.
    pub nodes: u64,
    /// The depth at which a search ends in any case.
    pub depth: Option<Depth>,
    /// The evaluation.
    pub evaluation: Evaluation,
    /// Endgame tables.
    pub tables: Arc<Tables<R>>,
}

impl<R: Rules> Recipe<R> {
    /// Searches the moves of a position, or of its mirror image if it is Black's move. There must be a legal move, and memory for a table.
    pub fn expand(&self, pos: &Position) -> Result<Entry, OutOfMemory> {
        let pos = match pos.turn() {
            Side::White => *pos,
            Side::Black => pos.flipped(),
        };
        let game = Game::<R>::from_position(pos);
        let legal = game.legal_moves();
        let table = Table::new(TABLE_MIB)?;
        let mut task = Task::new(
            game,
            Limits {
                depth: self.depth,
                nodes: Some(self.nodes.saturating_mul(legal.len() as u64)),
                lines: legal.len(),
                is_analysis: true,
                ..Limits::default()
            },
        );
        task.evaluation = self.evaluation.clone();
        task.tables = Some(Arc::clone(&self.tables));
        let report = task.run_here(&table).report;
        let first = report.pv.first().map(|&mv| (mv, report.score));
        let others = report.others.iter();
        let others = others.filter_map(|line| Some((*line.pv.first()?, line.score)));
        let mut scored: Vec<(Move, Score)> = first.into_iter().chain(others).collect();
        for mv in legal {
            // A search that ends in its first iteration has not come to all of them.
            if !scored.iter().any(|&(other, _)| other == mv) {
                task.limits = Limits {
                    depth: Some(1),
                    moves: vec![mv],
                    ..Limits::default()
                };
                scored.push((mv, task.run_here(&table).report.score));
            }
        }
        let known = scored
            .into_iter()
            .map(|(mv, score)| self.known(&pos, mv, score));
        let mut entry = Entry {
            notes: Vec::new(),
            pos,
            depth: Some(report.depth),
            moves: known.collect(),
        };
        entry.sort();
        Ok(entry)
    }

    /// Returns what is known of a move. A win or a loss is proved if the search says so, a draw only if the tables do.
    fn known(&self, pos: &Position, mv: Move, score: Score) -> BookMove {
        let is_proved = score.is_decided()
            || score == Score::DRAW && self.tables.probe_wdl(&pos.play(mv)) == Some(Value::Draw);
        BookMove {
            mv,
            score: Some(score),
            basis: Basis::Search,
            is_proved,
            games: Games::default(),
        }
    }
}
