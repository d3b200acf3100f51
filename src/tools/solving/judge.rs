//! What is known of a position without looking further: the end of the game, draw rules, endgame tables.

use super::Effort;
use super::counts::Counts;
use super::state::State;
use crate::board::{Position, Side};
use crate::egdb::{Tables, Value};
use crate::rules::{Game, Rules, has_capture, has_legal_move};
use std::collections::HashSet;
use std::sync::Arc;

/// Whether the attacker wins a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It does, about so many plies later: a guide to short lines, no more.
    Win(u8),
    /// It does not.
    NotWin,
    /// Not known.
    Open,
}

/// What the rules and the tables say about one question: does this side win?
pub(super) struct Judge<R: Rules> {
    tables: Arc<Tables<R>>,
    /// The side that wants to win.
    pub(super) attacker: Side,
    /// Whether counts end games here.
    pub(super) is_counted: bool,
    counts: Counts<R>,
}

/// What a win in the tables counts as. Their distances are not worth the time that they take to look up here.
const TABLE_WIN_PLIES: u8 = 20;

/// Captures in positions with at most so many pieces more than the tables have are followed down into them.
const MOST_CAPTURED: u32 = 3;

impl<R: Rules> Judge<R> {
    /// Makes the judge of one side's winning a game from where it stands.
    pub(super) fn new(
        tables: &Arc<Tables<R>>,
        game: &Game<R>,
        attacker: Side,
        draw_rules: bool,
        effort: Effort,
    ) -> Self {
        let forbidden = if draw_rules {
            game.last_repetitions()
        } else {
            HashSet::new()
        };
        Self {
            tables: Arc::clone(tables),
            attacker,
            is_counted: false,
            counts: Counts::new(Arc::clone(tables), forbidden, effort),
        }
    }

    /// Returns the judge that looks at the counts too.
    pub(super) fn counted(&self) -> Self {
        Self {
            tables: Arc::clone(&self.tables),
            counts: self.counts.anew(),
            attacker: self.attacker,
            is_counted: true,
        }
    }

    /// Counts a position for whoever watches.
    pub(super) fn count(&self) {
        self.counts.effort.count();
    }

    /// Judges a position that a move has led to.
    pub(super) fn judge(&mut self, state: &State) -> Verdict {
        let pos = &state.pos;
        let is_attackers = pos.turn() == self.attacker;
        if !has_legal_move(pos) {
            return if is_attackers {
                Verdict::NotWin
            } else {
                Verdict::Win(0)
            };
        }
        if self.is_drawn(state) {
            return Verdict::NotWin;
        }
        match self.value(pos) {
            None => Verdict::Open,
            Some(value) if (value == Value::Win) != is_attackers || value == Value::Draw => {
                Verdict::NotWin
            }
            Some(_) if self.is_counted && !self.holds(state) => Verdict::Open,
            Some(_) => Verdict::Win(TABLE_WIN_PLIES),
        }
    }

    /// Says whether the attacker is known not to win a position, which has legal moves, within so many plies.
    pub(super) fn is_out_of_reach(&self, state: &State, plies: u16) -> bool {
        let pos = &state.pos;
        if self.is_drawn(state) {
            return true;
        }
        let is_attackers = pos.turn() == self.attacker;
        match self.value(pos) {
            None => false,
            Some(value) if value == Value::Draw || (value == Value::Win) != is_attackers => true,
            // A game ends by a capture, a promotion, or before either.
            Some(_) => self
                .tables
                .probe_dtc(pos)
                .is_some_and(|dtc| u16::from(dtc) > plies),
        }
    }

    /// Says whether the game is drawn in a position that has legal moves.
    fn is_drawn(&self, state: &State) -> bool {
        self.counts.forbidden.contains(&state.pos)
            || self.is_counted && state.counters.draw::<R>(&state.pos).is_some()
    }

    /// Returns the value without counts.
    fn value(&self, pos: &Position) -> Option<Value> {
        let pieces = pos.occupied().count();
        let most = self.tables.most_pieces();
        let reach = if has_capture(pos) {
            most + MOST_CAPTURED
        } else {
            most
        };
        if pieces > reach {
            return None;
        }
        self.tables.probe_wdl(pos)
    }

    /// Says whether a win that the tables know is sure to hold under the counts, as they stand.
    pub(super) fn holds(&mut self, state: &State) -> bool {
        self.counts.hold(state)
    }

    /// Returns how many positions were played out to see whether wins hold under the counts.
    pub(super) fn played_out(&self) -> u64 {
        self.counts.spent
    }

    /// Returns the plies to the next step of a win that the tables know, for a position that was found open because a count might take the
    /// win away.
    pub(super) fn plies_of_table_win(&self, pos: &Position) -> Option<u8> {
        if !self.is_counted || self.above_tables(pos) > 0 {
            return None;
        }
        self.tables.probe_dtc(pos).or(self.tables.probe_dtz(pos))
    }

    /// Returns how far above the tables a position is, in pieces.
    pub(super) fn above_tables(&self, pos: &Position) -> u32 {
        pos.occupied()
            .count()
            .saturating_sub(self.tables.most_pieces())
    }
}
