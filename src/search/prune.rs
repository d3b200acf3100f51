//! Forward pruning: nodes that are left without searching all their moves to the full depth.

use super::params::{
    FUTILITY_DEPTH, FUTILITY_MARGIN, PROB_CUT_DEPTH, PROB_CUT_MARGIN, PROB_CUT_PERCENT,
};
use super::pvs::{NonPv, Window};
use super::worker::{Node, Worker};
use crate::rules::Rules;
use crate::score::Score;
use crate::tt::Entry;

impl<R: Rules> Worker<'_, R> {
    /// Returns a score of at least beta if one is so likely that the moves of a node need not be searched to its depth.
    ///
    /// Near the horizon it is enough that a quiet position is likely to be better than beta by a margin that grows with the depth
    /// (reverse futility pruning, or static null move pruning): what the opponent may win back in so few plies is
    /// seldom more. Further up `ProbCut` is tried, unless a quiet position is likely to be below beta.
    ///
    /// Nothing is pruned where beta is a proven end, so that proofs stay proofs.
    pub(super) fn prune(
        &mut self,
        node: &Node,
        window: Window,
        known: Option<Entry>,
        is_quiet: bool,
    ) -> Option<Score> {
        let Window { beta, depth, .. } = window;
        let is_near = depth <= FUTILITY_DEPTH;
        let tries_prob_cut = depth >= PROB_CUT_DEPTH && !self.is_in_prob_cut;
        if beta.is_decided() || !is_near && !tries_prob_cut {
            return None;
        }
        if is_quiet {
            let likely = self.likely_score(node, known);
            if is_near && likely >= beta + FUTILITY_MARGIN * depth {
                return Some(likely);
            }
            if likely < beta {
                return None;
            }
        }
        if tries_prob_cut {
            self.prob_cut(node, window)
        } else {
            None
        }
    }

    /// Returns a score of at least beta if a search of less than half the depth makes one likely by passing beta by a margin
    /// that grows with the depth. Quiescence is tried first, which mostly says no at once.
    ///
    /// `ProbCut` is by Michael Buro ("`ProbCut`: an effective selective extension of the alpha-beta algorithm", 1995); this form is
    /// that of Scan 3.1: no statistics, no second search within the first.
    fn prob_cut(&mut self, node: &Node, window: Window) -> Option<Score> {
        let Window { beta, depth, .. } = window;
        let beta = (beta + PROB_CUT_MARGIN * depth).clamp_to_eval();
        let ask = |depth| Window {
            alpha: beta - 1,
            beta,
            depth,
            ..window
        };
        self.is_in_prob_cut = true;
        let mut score = self.pvs::<NonPv>(node, ask(0));
        if score >= beta {
            score = self.pvs::<NonPv>(node, ask(depth * PROB_CUT_PERCENT / 100));
        }
        self.is_in_prob_cut = false;
        (score >= beta && !self.is_stopping).then_some(score)
    }
}
