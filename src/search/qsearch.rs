//! Quiescence: at the horizon, captures are played out before a position is evaluated.
//!
//! Capture is compulsory, so a side that can capture cannot stand pat. A side that cannot capture, but
//! whose piece the opponent threatens to capture, may be about to lose it or may still save it: once in a line
//! its quiet moves are tried instead of trusting the evaluation (as Scan does).

use super::order::{OrderedMoves, Scores};
use super::params::{FADE_END, FADE_PLIES};
use super::pvs::{NodeKind, Window};
use super::worker::{Node, Worker};
use crate::board::MoveList;
use crate::rules::{Rules, capture_moves, has_legal_move, is_threatened, quiet_moves};
use crate::score::{Ply, Score};
use crate::tt::MoveCode;

impl<R: Rules> Worker<'_, R> {
    /// Returns the score of a node at or below the horizon (depth 0 or less).
    pub(super) fn quiesce<K: NodeKind>(&mut self, node: &Node, window: Window) -> Score {
        let mut moves = MoveList::new();
        capture_moves::<R>(&node.pos, &mut moves);
        // Captures keep the depth, since they end by themselves; quiet moves are tried only once in a line.
        let mut depth = window.depth;
        if moves.is_empty() {
            if window.depth < 0 || !is_threatened(&node.pos) {
                return self.static_score(node, window.ply);
            }
            quiet_moves(&node.pos, &mut moves);
            depth -= 1;
        }
        if moves.is_empty() {
            return Score::loss_in(window.ply);
        }
        let mut best_score = -Score::INFINITY;
        let mut alpha = window.alpha;
        let mut scores = Scores::new();
        for mv in OrderedMoves::new(
            &node.pos,
            &mut moves,
            &mut scores,
            MoveCode::NONE,
            &self.history,
            node.context(window.ply),
        ) {
            let child = self.enter(node, mv);
            let score = -self.pvs::<K>(&child, window.child(alpha, window.beta, depth));
            self.leave();
            if self.is_stopping {
                return Score::DRAW;
            }
            if score > best_score {
                best_score = score;
                if score > alpha {
                    alpha = score;
                    if K::PV {
                        self.extend_line(window.ply, mv);
                    }
                    if score >= window.beta {
                        break;
                    }
                }
            }
        }
        best_score
    }

    /// Returns the score of a node that is not searched further.
    #[inline]
    pub(super) fn static_score(&mut self, node: &Node, ply: Ply) -> Score {
        if !has_legal_move(&node.pos) {
            return Score::loss_in(ply);
        }
        self.leaf_plies.0 += ply as u64;
        self.leaf_plies.1 += 1;
        self.evaluate(node)
    }

    /// Evaluates a node that is not lost.
    ///
    /// An advantage that has not led to a capture or man move for long is worth less and less. So the side that is ahead
    /// makes progress while it can, and two sides that only move their kings about let the game end by repetition.
    #[inline]
    pub(super) fn evaluate(&mut self, node: &Node) -> Score {
        let score = self.evaluator.evaluate(&node.pos);
        let left = FADE_END - i32::from(node.counters.since_zeroing);
        Score(score.0 * left.clamp(0, FADE_PLIES) / FADE_PLIES)
    }
}
