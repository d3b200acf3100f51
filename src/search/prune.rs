//! Forward pruning: nodes that are left without searching all their moves to the full depth.

use super::params::{PROB_CUT_DEPTH, PROB_CUT_MARGIN, PROB_CUT_PERCENT};
use super::pvs::{NonPv, Window};
use super::worker::{Node, Worker};
use crate::rules::Rules;
use crate::score::Score;
use crate::tt::Entry;

impl<R: Rules> Worker<'_, R> {
    /// Returns a score of at least beta if a search of less than half the depth makes one likely by passing beta by a margin
    /// that grows with the depth. Quiescence is tried first, which mostly says no at once.
    ///
    /// `ProbCut` is by Michael Buro ("`ProbCut`: an effective selective extension of the alpha-beta algorithm", 1995); this form is
    /// that of Scan 3.1: no statistics, no second search within the first.
    ///
    /// A quiet position that is likely to be below beta is not tried.
    pub(super) fn prob_cut(
        &mut self,
        node: &Node,
        window: Window,
        known: Option<Entry>,
        is_quiet: bool,
    ) -> Option<Score> {
        let Window { beta, depth, .. } = window;
        if depth < PROB_CUT_DEPTH
            || self.is_in_prob_cut
            || beta.is_decided()
            || is_quiet && self.likely_score(node, known) < beta
        {
            return None;
        }
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
