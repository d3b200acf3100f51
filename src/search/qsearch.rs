//! Quiescence: at the horizon, captures are played out before a position is evaluated.
//!
//! Capture is compulsory, so a side that can capture has no choice of standing still. A side that cannot, but
//! whose piece the opponent threatens to take, may be about to lose it or may still save it: once at the
//! horizon its moves are tried instead of trusting the evaluation (as Scan does).

use super::order::OrderedMoves;
use super::params::{FADE_END, FADE_PLIES};
use super::pvs::{NodeKind, Window};
use super::worker::{Node, Worker};
use crate::board::MoveList;
use crate::rules::{Rules, is_threatened};
use crate::score::{Ply, Score};
use crate::tt::MoveCode;

impl<R: Rules> Worker<'_, R> {
    /// Returns the score of a node at or below the horizon (depth 0 or less), given its legal moves.
    pub(super) fn quiesce<K: NodeKind>(
        &mut self,
        node: &Node,
        moves: &mut MoveList,
        window: Window,
    ) -> Score {
        let is_capture = moves[0].is_capture();
        let tries_moves = is_capture || window.depth == 0 && is_threatened(&node.pos);
        if !tries_moves {
            return self.evaluate(node, window.ply);
        }
        // Captures keep the depth, since they end by themselves; quiet moves are tried only once in a line.
        let depth = if is_capture {
            window.depth
        } else {
            window.depth - 1
        };
        let mut best_score = -Score::INFINITY;
        let mut alpha = window.alpha;
        for mv in OrderedMoves::new(&node.pos, moves, MoveCode::NONE, &self.history, window.ply) {
            let child = node.play::<R>(mv);
            self.keys.push(child.key);
            let score = -self.pvs::<K>(&child, window.child(alpha, window.beta, depth));
            self.keys.pop();
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

    /// Evaluates a node that is not searched further.
    ///
    /// An advantage that has not led to a capture or man move for long is worth less and less: so the side that is ahead
    /// makes progress while it can, and two that only move their kings about let the game end by repetition.
    #[inline]
    pub(super) fn evaluate(&mut self, node: &Node, ply: Ply) -> Score {
        self.leaf_plies.0 += ply as u64;
        self.leaf_plies.1 += 1;
        let score = self.shared.evaluation.evaluate(&node.pos);
        let left = FADE_END - i32::from(node.counters.since_zeroing);
        Score(score.0 * left.clamp(0, FADE_PLIES) / FADE_PLIES)
    }
}
