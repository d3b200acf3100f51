//! Principal variation search: the first move of a node is searched with the full window, the others with a null window, which
//! only asks whether they are better, and again with the full window if they are. (Judea Pearl, 1980; Marsland and Campbell, 1982.)

use super::history::Context;
use super::order::{OrderedMoves, Scores};
use super::reduce::{Late, internal_reduction, reduction};
use super::worker::{Node, Worker};
use crate::board::{Move, MoveList};
use crate::rules::{Rules, SALTED_PLIES, has_legal_move, is_threatened, legal_moves};
use crate::score::{Bound, Depth, MAX_PLY, Ply, Score};
use crate::tt::{Entry, MoveCode};

/// What is asked of a node: whether its score lies between alpha and beta, searched to a depth.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub(super) alpha: Score,
    pub(super) beta: Score,
    pub(super) depth: Depth,
    pub(super) ply: Ply,
}

impl Window {
    /// Returns the window of a child, from the opponent's view.
    #[inline]
    pub(super) fn child(self, alpha: Score, beta: Score, depth: Depth) -> Self {
        Self {
            alpha: -beta,
            beta: -alpha,
            depth,
            ply: self.ply + 1,
        }
    }
}

/// Whether a node lies on the principal variation, known at compile time.
pub(super) trait NodeKind {
    const PV: bool;
}

/// A node with a full window, whose exact score and line are wanted.
pub(super) struct Pv;

/// A node with a null window, of which only a bound is wanted.
pub(super) struct NonPv;

impl NodeKind for Pv {
    const PV: bool = true;
}

impl NodeKind for NonPv {
    const PV: bool = false;
}

impl<R: Rules> Worker<'_, R> {
    /// Searches the root, whose line ends up in `lines[0]`.
    pub(super) fn search_root(
        &mut self,
        root: &Node,
        alpha: Score,
        beta: Score,
        depth: Depth,
    ) -> Score {
        debug_assert_eq!(self.keys.len(), self.game_keys);
        self.pvs::<Pv>(
            root,
            Window {
                alpha,
                beta,
                depth,
                ply: 0,
            },
        )
    }

    /// Returns the score of a node: exact within the window, otherwise a bound.
    ///
    /// After [`Self::is_stopping`] has become true the returned score means nothing and nothing is stored.
    pub(super) fn pvs<K: NodeKind>(&mut self, node: &Node, window: Window) -> Score {
        let ply = window.ply;
        if K::PV {
            self.lines[ply as usize].clear();
        }
        self.count_node();
        if self.is_stopping {
            return Score::DRAW;
        }
        if ply > 0 {
            if self.is_drawn(node) && has_legal_move(&node.pos) {
                return self.draw_score(ply);
            }
            if !K::PV
                && let Some(score) = cut_by_distance(window)
            {
                return score;
            }
            if let Some(score) = self.table_score(node, ply) {
                self.table_hits += 1;
                return score;
            }
        }
        if ply >= MAX_PLY - 1 {
            return self.static_score(node, ply);
        }
        if window.depth <= 0 {
            return self.quiesce::<K>(node, window);
        }
        // A position without moves is never stored, so the table can be asked before they are listed.
        let known = self.shared.table.probe(self.table_key(node), ply);
        if let Some(entry) = known
            && !K::PV
            && settles(entry, window)
        {
            return entry.score;
        }
        let mut moves = MoveList::new();
        if K::PV && ply == 0 {
            moves.clone_from(self.wanted());
        } else {
            legal_moves::<R>(&node.pos, &mut moves);
        }
        if moves.is_empty() {
            return Score::loss_in(ply);
        }
        let is_capture = moves[0].is_capture();
        let is_threatened = !is_capture && is_threatened(&node.pos);
        if !K::PV && moves.len() > 1 {
            let is_quiet = !is_capture && !is_threatened;
            if let Some(score) = self.prune(node, window, known, is_quiet) {
                return score;
            }
            if self.is_stopping {
                return Score::DRAW;
            }
        }
        let best = known.map_or(MoveCode::NONE, |entry| entry.best);
        let window = Window {
            depth: window.depth - internal_reduction(window.depth, best, moves.len()),
            ..window
        };
        let context = node.context(ply);
        let mut scores = Scores::new();
        let mut moves = OrderedMoves::new(
            &node.pos,
            &mut moves,
            &mut scores,
            best,
            &self.history,
            context,
        );
        self.search_moves::<K>(node, window, context, &mut moves, is_threatened)
    }

    /// Returns the evaluation of a quiet node, or the score in the transposition table if that says more.
    #[inline]
    pub(super) fn likely_score(&mut self, node: &Node, known: Option<Entry>) -> Score {
        let eval = self.evaluate(node);
        match known {
            Some(entry)
                if match entry.bound {
                    Bound::Exact => true,
                    Bound::Lower => entry.score > eval,
                    Bound::Upper => entry.score <= eval,
                } =>
            {
                entry.score.clamp_to_eval()
            }
            _ => eval,
        }
    }

    /// Searches the moves of a node, best first, and stores what was found. `is_threatened` says that the opponent threatens to
    /// capture.
    fn search_moves<K: NodeKind>(
        &mut self,
        node: &Node,
        window: Window,
        context: Context,
        moves: &mut OrderedMoves,
        is_threatened: bool,
    ) -> Score {
        let Window {
            mut alpha,
            beta,
            ply,
            ..
        } = window;
        let depth = window.depth - 1;
        let mut best_score = -Score::INFINITY;
        let mut best_move = None;
        while let Some(mv) = moves.next() {
            let child = self.enter(node, mv);
            self.prefetch(&child, depth);
            let is_first = best_move.is_none();
            let mut score = -Score::INFINITY;
            if K::PV {
                // Unless the child is searched as a part of the line, its line is unknown and not that of a sibling.
                self.lines[ply as usize + 1].clear();
            }
            if !(K::PV && is_first) {
                let reduction = reduction(Late {
                    mv,
                    order: moves.last_score(),
                    number: moves.last_number(),
                    depth: window.depth,
                    is_pv: K::PV,
                    is_threatened,
                });
                let reduced = (depth - reduction).max(depth.min(1));
                score = -self.pvs::<NonPv>(&child, window.child(alpha, alpha + 1, reduced));
                if score > alpha && reduced < depth {
                    score = -self.pvs::<NonPv>(&child, window.child(alpha, alpha + 1, depth));
                }
            }
            if K::PV && (is_first || score > alpha && score < beta) {
                score = -self.pvs::<Pv>(&child, window.child(alpha, beta, depth));
            }
            self.leave();
            if self.is_stopping {
                return Score::DRAW;
            }
            if score <= best_score {
                continue;
            }
            best_score = score;
            best_move = Some(mv);
            if score > alpha {
                alpha = score;
                if K::PV {
                    self.extend_line(ply, mv);
                    if ply == 0 {
                        self.publish_line();
                    }
                }
                if score >= beta {
                    if !mv.is_capture() {
                        self.history
                            .reward(context, window.depth, mv, moves.tried_before_last());
                    }
                    break;
                }
            }
        }
        if ply > 0 || !self.is_partial {
            self.store(node, window, best_score, best_move);
        }
        best_score
    }

    /// Stores in the table what the search of a node with a window has found.
    #[inline]
    fn store(&self, node: &Node, window: Window, score: Score, best: Option<Move>) {
        let bound = if score >= window.beta {
            Bound::Lower
        } else if score > window.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        // Where every move fails low, none is known to be best.
        let best = best.filter(|_| bound != Bound::Upper);
        let entry = Entry {
            best: best.map_or(MoveCode::NONE, MoveCode::of),
            score,
            depth: window.depth,
            bound,
        };
        let key = self.table_key(node);
        self.shared.table.store(key, window.ply, entry);
    }

    /// Has the processor load the table's entries of a node, if the table will be asked about it.
    #[inline]
    fn prefetch(&self, node: &Node, depth: Depth) {
        if depth > 0 {
            self.shared.table.prefetch(self.table_key(node));
        }
    }

    /// Returns the score of a draw by a rule or by repetition for the side to move: contempt makes it cost the side to move at the root.
    #[inline]
    fn draw_score(&self, ply: Ply) -> Score {
        let contempt = self.shared.contempt;
        Score(if ply % 2 == 0 { -contempt } else { contempt })
    }

    /// Says whether a node is drawn by a rule, or by repeating a position.
    #[inline]
    pub(super) fn is_drawn(&self, node: &Node) -> bool {
        self.counts_draws && node.counters.draw::<R>(&node.pos).is_some() || self.repeats(node)
    }
}

/// Returns the score of a node where no line can matter: none from here is better than winning with the next move, or
/// worse than having lost, and a win or loss that is nearer to the root is known already. (Mate distance pruning, in chess.)
///
/// Not used on the principal variation, whose line is to be followed to its end.
#[inline]
fn cut_by_distance(window: Window) -> Option<Score> {
    let (worst, best) = (Score::loss_in(window.ply), Score::win_in(window.ply + 1));
    if worst >= window.beta {
        Some(worst)
    } else if best <= window.alpha {
        Some(best)
    } else {
        None
    }
}

/// Says whether an entry settles what a null window asks: by its depth, or by an end so near that it holds whatever the depth, the draw
/// counters of the node included, since those that could take it away are part of its key. Such a win is at least that near, and
/// such a loss at most; whether another is nearer is known only to the depth of the entry.
#[inline]
fn settles(entry: Entry, window: Window) -> bool {
    let is_deep = entry.depth >= window.depth;
    let is_near = |plies| plies - window.ply <= i32::from(SALTED_PLIES);
    let is_near_end = || entry.score.plies_to_end().is_some_and(is_near);
    if entry.score >= window.beta {
        entry.bound != Bound::Upper && (is_deep || entry.score > Score::DRAW && is_near_end())
    } else {
        entry.bound != Bound::Lower && (is_deep || entry.score < Score::DRAW && is_near_end())
    }
}
