//! Endgame tables in the search: values in the tree, distances at the root.
//!
//! In the tree a table ends a line. A position that is drawn without draw counts is drawn under every count. A win may be taken away by
//! one, so it is believed only just after a capture or promotion, where all counts begin anew and what the table says does
//! not depend on the way to the position: what is found above it may be stored like anything else.
//!
//! Values alone do not win: a side that sees nothing but wins may move about for ever. So at a root that the tables know, they
//! choose the moves. If it is won, that is the move that leads the soonest to the next capture, promotion or man move, of those that
//! keep the win under the counts as they stand; if it is drawn, those that keep the draw; if it is lost, those that hold out
//! longest, of which a short search leaves out those seen to lose sooner: the tables do not know the end itself. Where tables have no distances, which those of many pieces leave out, the moves that keep the win are searched: the best
//! of them is the one that comes the soonest to a capture or promotion that wins.

use super::Task;
use super::worker::{Node, Worker};
use crate::board::Move;
use crate::egdb::{Tables, Value, root};
use crate::rules::{Rules, has_capture, has_legal_move};
use crate::score::{Depth, Ply, Score};

/// What tables say of a root.
pub(super) struct Known {
    /// Its value.
    pub(super) score: Score,
    /// The moves that keep it, or the best of them.
    pub(super) moves: Vec<Move>,
    /// How deep it is worth to search the moves: 1 if any of them will do. `None` if there is no such depth.
    pub(super) enough: Option<Depth>,
}

/// So deep are lost moves searched between which the tables see no difference.
const LOSS_DEPTH: Depth = 8;

impl Known {
    /// Returns what follows from the value of a root and from its moves, best first.
    fn of(value: Value, moves: &[(Move, root::Entry)]) -> Option<Self> {
        let &(best, entry) = moves.first()?;
        let distance = entry.conversion.or(entry.zeroing);
        let plies = Ply::from(distance.unwrap_or(0));
        let score = match value {
            Value::Win => Score::table_win(plies),
            Value::Loss => -Score::table_win(plies),
            Value::Draw => Score::DRAW,
        };
        let those = |is_meant: &dyn Fn(&root::Entry) -> bool| -> Vec<Move> {
            let meant = moves.iter().filter(|(_, entry)| is_meant(entry));
            meant.map(|&(mv, _)| mv).collect()
        };
        let keeping = || those(&|entry| entry.rule_value == Some(value));
        let (moves, enough) = match (value, distance) {
            (Value::Draw, _) => (keeping(), Some(1)),
            (_, None) => (keeping(), None),
            (Value::Win, Some(_)) => (vec![best], Some(1)),
            (Value::Loss, Some(_)) => {
                let alike = those(&|other| *other == entry);
                let depth = if alike.len() == 1 { 1 } else { LOSS_DEPTH };
                (alike, Some(depth))
            }
        };
        Some(Self {
            score,
            moves,
            enough,
        })
    }
}

impl<R: Rules> Task<R> {
    /// Asks the tables about the root. `None` if they do not know it, or if more is wanted than the best move: some of the
    /// moves only, several lines, or a game that is over by rule.
    pub(super) fn ask_tables(&self) -> Option<Known> {
        let tables = self.tables.as_deref()?;
        let pos = self.game.position();
        let is_asked = self.limits.moves.is_empty() && self.limits.lines <= 1;
        let is_small = pos.occupied().count() <= tables.most_pieces();
        if !is_asked || !is_small || self.draw_rules && self.game.ending().is_some() {
            return None;
        }
        let root = root::probe(tables, &self.game, self.draw_rules);
        Known::of(root.entry.rule_value?, &root.moves)
    }
}

impl<R: Rules> Worker<'_, R> {
    /// Returns what the tables say of a node below the root, if that holds whatever led to it.
    #[inline]
    pub(super) fn table_score(&self, node: &Node, ply: Ply) -> Option<Score> {
        let tables = self.tables?;
        if node.pos.occupied().count() > tables.most_pieces() {
            return None;
        }
        self.probe(tables, node, ply)
    }

    fn probe(&self, tables: &Tables<R>, node: &Node, ply: Ply) -> Option<Score> {
        // Tables are asked about quiet positions; the end of the game itself is a better score than theirs.
        if has_capture(&node.pos) || !has_legal_move(&node.pos) {
            return None;
        }
        let value = tables.probe_quiet(&node.pos)?;
        if value == Value::Draw {
            return Some(Score::DRAW);
        }
        if self.shared.draw_rules {
            let is_fresh = node.counters.since_conversion == 0;
            if !is_fresh || root::rule_value(tables, &node.pos, node.counters) != Some(value) {
                return None;
            }
        }
        let win = Score::table_win(ply);
        Some(if value == Value::Win { win } else { -win })
    }
}
