//! One thread's share of a search: its own path, histories and principal variation.

use super::control::Control;
use super::history::{Context, History};
use super::params::{
    ASPIRATION_DEPTH, ASPIRATION_LIMIT, ASPIRATION_WIDTH, FIRST_ITERATION_NODES, MAX_DEPTH,
    NODES_PER_CHECK, PROOF_DEPTHS,
};
use super::time::Budget;
use super::{Line, Observer, Outcome, Report, Shared, Task};
use crate::board::{Key, Move, MoveList, Position, Side, splitmix64};
use crate::egdb::Tables;
use crate::eval::Evaluator;
use crate::rules::{DrawCounters, Rules};
use crate::score::{Depth, MAX_PLY, Ply, Score};
use std::sync::atomic::Ordering::Relaxed;

/// A position in the tree, with its key and what the draw rules need to know.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) pos: Position,
    pub(super) key: Key,
    pub(super) counters: DrawCounters,
}

impl Node {
    /// Returns where its moves are to be judged.
    #[inline]
    pub(super) fn context(&self, ply: Ply) -> Context {
        Context {
            side: self.pos.turn(),
            ply,
        }
    }

    /// Returns the node after a move.
    #[inline]
    pub(super) fn play<R: Rules>(&self, mv: Move) -> Self {
        let pos = self.pos.play(mv);
        Self {
            pos,
            key: self.key.after(&self.pos, mv),
            counters: self.counters.after::<R>(&self.pos, mv, &pos),
        }
    }
}

/// The thread-local half of a search.
#[expect(clippy::struct_excessive_bools, reason = "they say unrelated things")]
pub(super) struct Worker<'a, R> {
    pub(super) shared: &'a Shared<'a>,
    pub(super) tables: Option<&'a Tables<R>>,
    pub(super) evaluator: Evaluator<'a>,
    index: usize,
    root: Node,
    /// The moves of the root that are searched at all.
    root_moves: MoveList,
    /// Those that the present search of the root is about: all of them, or those that begin none of the better lines.
    wanted: MoveList,
    /// Whether some legal moves are not wanted, so that what is found is not the value of the root.
    pub(super) is_partial: bool,
    /// Combined with the keys of the table, so that what is found under contempt stays apart there; 0 without contempt.
    contempt_salt: u64,
    /// Whether counts end the game in this search.
    pub(super) counts_draws: bool,
    /// The keys of the game since the last move that cannot be undone, then those of the path below the root.
    pub(super) keys: Vec<Key>,
    /// How many of `keys` belong to the game, the root included.
    pub(super) game_keys: usize,
    pub(super) history: History,
    /// The best line from each ply on.
    pub(super) lines: Vec<Vec<Move>>,
    pub(super) nodes: u64,
    /// How often endgame tables answered.
    pub(super) table_hits: u64,
    /// The number of nodes at which the limits are checked next.
    next_check: u64,
    /// Evaluated positions: the sum of their plies, and their number.
    pub(super) leaf_plies: (u64, u64),
    /// The iteration that is running.
    pub(super) root_depth: Depth,
    /// The shallow search of a `ProbCut` is running, within which none is begun.
    pub(super) is_in_prob_cut: bool,
    /// The search is being left; results are void.
    pub(super) is_stopping: bool,
    /// What the main worker may use of its clock; helpers have none.
    budget: Option<Budget>,
    /// Whether the opponent's clock is running, as far as this worker has noticed.
    is_pondering: bool,
}

impl<'a, R: Rules> Worker<'a, R> {
    /// Makes the worker of a thread.
    pub(super) fn new(shared: &'a Shared<'a>, index: usize, task: &'a Task<R>) -> Self {
        let game = &task.game;
        let (pos, counters) = (*game.position(), game.counters());
        // A position that is drawn by rule is searched all the same. If a count has run out, none is looked at; if the
        // position was repeated, its history is forgotten, or every move back into it would be a draw.
        let counts_draws = shared.draw_rules && counters.draw::<R>(&pos).is_none();
        let mut keys: Vec<Key> = game.keys_since_zeroing().collect();
        if game.repetitions() >= R::DRAWS.repetition.unwrap_or(u32::MAX) {
            keys = vec![game.key()];
        }
        let legal = game.legal_moves();
        let mut root_moves = legal.clone();
        root_moves.retain(|mv| shared.limits.moves.contains(mv));
        if root_moves.is_empty() {
            root_moves.clone_from(&legal);
        }
        Self {
            shared,
            tables: task.tables.as_deref(),
            evaluator: shared.evaluation.evaluator::<R::Movement>(),
            index,
            root: Node {
                pos,
                key: game.key(),
                counters,
            },
            contempt_salt: contempt_salt(shared.contempt, pos.turn()),
            counts_draws,
            wanted: root_moves.clone(),
            is_partial: root_moves.len() < legal.len(),
            root_moves,
            game_keys: keys.len(),
            keys,
            history: History::new(),
            lines: vec![Vec::new(); MAX_PLY as usize + 1],
            nodes: 0,
            table_hits: 0,
            next_check: 0,
            leaf_plies: (0, 0),
            root_depth: 0,
            is_in_prob_cut: false,
            is_stopping: false,
            budget: None,
            is_pondering: shared.control.clock_started().is_none(),
        }
    }

    /// Searches as the main worker: within the limits, reporting each iteration.
    pub(super) fn lead(&mut self, observer: &mut dyn Observer) -> Outcome {
        let limits = &*self.shared.limits;
        let mut outcome = Outcome {
            best: self.root_moves.first().copied(),
            ..Outcome::default()
        };
        if outcome.best.is_none() {
            outcome.report.score = Score::loss_in(0);
            return outcome;
        }
        self.shared.control.found(&outcome);
        self.budget = Some(Budget::new(limits, &self.root.pos));
        for depth in 1..=limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH) {
            self.publish_nodes();
            self.shared.table.make_room(self.shared.nodes());
            let Some(score) = self.iteration(depth, outcome.report.score) else {
                self.use_unfinished_iteration(&mut outcome, observer);
                break;
            };
            let best = self.lines[0].first().copied();
            let pv = self.lines[0].clone();
            let others = self.other_lines(depth, best, &outcome.report);
            if let Some(budget) = &mut self.budget {
                budget.iteration(depth, best == outcome.best, score);
                // Late moves are reduced, so a shorter win or loss is ruled out only by iterations well beyond its length.
                budget.is_settled = self.root_moves.len() == 1
                    || score
                        .plies_to_end()
                        .is_some_and(|plies| PROOF_DEPTHS * plies <= depth);
            }
            outcome = Outcome {
                best: best.or(outcome.best),
                report: Report {
                    pv,
                    others,
                    ..self.report(depth, score)
                },
            };
            promote_best_line(&mut outcome);
            self.shared.control.found(&outcome);
            observer.iteration(&outcome.report);
            // Where tables settle the move there is nothing to search for.
            let known = self.shared.known.as_ref();
            let enough = known.and_then(|known| known.enough);
            let is_known = enough.is_some_and(|enough| depth >= enough);
            if self.is_stopping || is_known || self.has_seen_enough() {
                break;
            }
        }
        self.publish_counts();
        self.shared.control.wait(limits.is_endless);
        outcome.report.time = self.shared.started.elapsed();
        outcome.report.leaf_plies = self.leaf_plies;
        outcome
    }

    /// Searches for the next best lines, each among the moves that begin none of those before it. If the search is stopped meanwhile,
    /// the lines of the last iteration, its best one included, stand in for those that are missing.
    fn other_lines(&mut self, depth: Depth, best: Option<Move>, last: &Report) -> Vec<Line> {
        let count = self.shared.limits.lines.clamp(1, self.root_moves.len()) - 1;
        let mut lines: Vec<Line> = Vec::new();
        let was_partial = self.is_partial;
        for number in 0..count {
            let begins = |mv: &Move| {
                best == Some(*mv) || lines.iter().any(|line| line.pv.first() == Some(mv))
            };
            self.wanted = self
                .root_moves
                .iter()
                .copied()
                .filter(|mv| !begins(mv))
                .collect();
            self.is_partial = true;
            let previous = last
                .others
                .get(number)
                .map_or(Score::DRAW, |line| line.score);
            let Some(score) = self.iteration(depth, previous) else {
                let best_before = Line {
                    score: last.score,
                    pv: last.pv.clone(),
                };
                let before = std::iter::once(&best_before).chain(&last.others);
                let missing = before.filter(|line| line.pv.first().is_some_and(|mv| !begins(mv)));
                let missing: Vec<Line> = missing.take(count - number).cloned().collect();
                lines.extend(missing);
                break;
            };
            let pv = self.lines[0].clone();
            lines.push(Line { score, pv });
        }
        self.wanted.clone_from(&self.root_moves);
        self.is_partial = was_partial;
        lines
    }

    /// Lets others know of a better line from the root, unless it is one of the next best lines or that of a helper.
    pub(super) fn publish_line(&self) {
        let is_main = self.budget.is_some();
        if is_main && self.wanted.len() == self.root_moves.len() {
            self.shared.control.found_line(&self.lines[0]);
        }
    }

    /// Returns the moves of the root that the present search is about.
    pub(super) fn wanted(&self) -> &MoveList {
        &self.wanted
    }

    /// Takes over what a search that was stopped within an iteration knows: the old best move is searched first, so
    /// the move that now begins the line is at least as good. Before the end of the first iteration any move and a static score
    /// must do.
    fn use_unfinished_iteration(&mut self, outcome: &mut Outcome, observer: &mut dyn Observer) {
        let line = std::mem::take(&mut self.lines[0]);
        if let Some(&best) = line.first() {
            let is_new = outcome.best != Some(best);
            outcome.best = Some(best);
            let Report {
                score, pv, others, ..
            } = &mut outcome.report;
            let before = std::mem::replace(pv, line);
            if is_new && !before.is_empty() {
                // What was best is the next best now.
                others.retain(|line| line.pv.first() != Some(&best));
                let (score, pv) = (*score, before);
                others.insert(0, Line { score, pv });
                others.truncate(self.shared.limits.lines.saturating_sub(1));
            }
        }
        if outcome.report.depth == 0 {
            let score = self.evaluator.evaluate(&self.root.pos);
            outcome.report = Report {
                pv: outcome.best.into_iter().collect(),
                ..self.report(1, score)
            };
            observer.iteration(&outcome.report);
        }
    }

    /// Searches as a helper, for what it leaves in the table, until it is stopped.
    pub(super) fn help(&mut self) {
        let budget = Budget::new(&self.shared.limits, &self.root.pos);
        if self.root_moves.is_empty() || budget.is_short() {
            return;
        }
        let mut score = Score::DRAW;
        // Half of the helpers begin one ply deeper, so that the threads do not all do the same. None goes deeper than the
        // main worker: that would only take processor time from it.
        let last = self
            .shared
            .limits
            .depth
            .unwrap_or(MAX_DEPTH)
            .clamp(1, MAX_DEPTH);
        for depth in 1 + (self.index as Depth & 1)..=last {
            match self.iteration(depth, score) {
                Some(found) => score = found,
                None => break,
            }
        }
        self.publish_counts();
    }

    /// Searches to a depth and returns the score, or `None` if the search was stopped before the end.
    ///
    /// The window is narrow around the score of the iteration before, and is widened on the side where the
    /// score falls out of it.
    fn iteration(&mut self, depth: Depth, previous: Score) -> Option<Score> {
        self.root_depth = depth;
        let root = self.root;
        let mut width = ASPIRATION_WIDTH;
        let (mut alpha, mut beta) = (-Score::INFINITY, Score::INFINITY);
        if depth >= ASPIRATION_DEPTH && !previous.is_decided() {
            (alpha, beta) = (previous - width, previous + width);
        }
        loop {
            let score = self.search_root(&root, alpha, beta, depth);
            if self.is_stopping {
                return None;
            }
            width *= 2;
            if score <= alpha {
                alpha = if width > ASPIRATION_LIMIT {
                    -Score::INFINITY
                } else {
                    score - width
                };
            } else if score >= beta {
                beta = if width > ASPIRATION_LIMIT {
                    Score::INFINITY
                } else {
                    score + width
                };
            } else {
                return Some(score);
            }
        }
    }

    /// Says whether another iteration is of no use, or after a ponder hit the rest of the present one.
    fn has_seen_enough(&self) -> bool {
        if self.shared.limits.is_analysis || self.shared.control.clock_started().is_none() {
            return false;
        }
        let elapsed = self.shared.started.elapsed();
        let budget = self.budget.as_ref();
        budget.is_some_and(|budget| !budget.allows_iteration(elapsed))
    }

    /// Returns the report of an iteration, without its lines.
    fn report(&self, depth: Depth, score: Score) -> Report {
        self.publish_nodes();
        let score = match &self.shared.known {
            Some(known) if score.plies_to_end().is_none() => known.score,
            _ => score,
        };
        Report {
            depth,
            leaf_plies: self.leaf_plies,
            score,
            nodes: self.shared.nodes(),
            time: self.shared.started.elapsed(),
            ..Report::default()
        }
    }

    fn publish_nodes(&self) {
        self.shared.nodes[self.index].store(self.nodes, Relaxed);
    }

    /// Adds this worker's counts to those of the team, at its end.
    fn publish_counts(&self) {
        self.publish_nodes();
        self.shared.table_hits.fetch_add(self.table_hits, Relaxed);
    }

    /// Makes a move on the path and returns the node that it leads to.
    #[inline]
    pub(super) fn enter(&mut self, node: &Node, mv: Move) -> Node {
        let child = node.play::<R>(mv);
        self.keys.push(child.key);
        child
    }

    /// Takes the last move of the path back.
    #[inline]
    pub(super) fn leave(&mut self) {
        self.keys.pop();
    }

    /// Returns the key under which the table keeps a node.
    #[inline]
    pub(super) fn table_key(&self, node: &Node) -> Key {
        let salt = if self.counts_draws {
            node.counters.salt::<R>(&node.pos)
        } else {
            0
        };
        Key(node.key.0 ^ salt ^ self.contempt_salt)
    }

    /// Counts a node; every few hundred, looks whether to stop.
    #[inline]
    pub(super) fn count_node(&mut self) {
        if self.nodes >= self.next_check {
            self.check_limits();
        }
        if !self.is_stopping {
            self.nodes += 1;
        }
    }

    #[cold]
    fn check_limits(&mut self) {
        self.next_check = self.nodes + NODES_PER_CHECK;
        self.publish_nodes();
        let control: &Control = self.shared.control;
        self.is_stopping |= control.is_stopped();
        if let Some(limit) = self.shared.limits.nodes {
            let left = limit.saturating_sub(self.shared.nodes());
            self.is_stopping |= left == 0;
            // All threads use up what is left.
            let share = left / self.shared.nodes.len() as u64;
            self.next_check = self.nodes + share.clamp(1, NODES_PER_CHECK);
        }
        let Some(budget) = &self.budget else { return };
        if let Some(hard) = budget.hard
            && let Some(clock_started) = control.clock_started()
        {
            self.is_stopping |= clock_started.elapsed() >= hard;
        }
        if self.is_pondering && control.clock_started().is_some() {
            // The time since the search began counts as used, so the answer to a ponder hit may be due at once.
            self.is_pondering = false;
            self.is_stopping |= self.has_seen_enough();
        }
        // The first iteration is finished if that takes well under a millisecond, as it nearly always does.
        self.is_stopping &= self.root_depth > 1 || self.nodes > FIRST_ITERATION_NODES;
    }

    /// Says whether a node repeats one on its path or, for the third time, one of the game before the root.
    ///
    /// One repetition below the root counts as a draw: what can be repeated once can be repeated again.
    pub(super) fn repeats(&self, node: &Node) -> bool {
        let reversible = usize::from(node.counters.since_zeroing);
        let last = self.keys.len() - 1;
        let mut in_game = 0;
        // Only every second position has the same side to move, and the nearest that can be equal is four plies back.
        for back in (4..=reversible.min(last)).step_by(2) {
            let i = last - back;
            if self.keys[i] == node.key {
                if i + 1 >= self.game_keys {
                    return true;
                }
                in_game += 1;
            }
        }
        in_game >= 2
    }

    /// Makes the best line of a ply: a move and the best line of the next ply.
    pub(super) fn extend_line(&mut self, ply: Ply, mv: Move) {
        let (upper, lower) = self.lines.split_at_mut(ply as usize + 1);
        let line = &mut upper[ply as usize];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&lower[0]);
    }
}

/// Returns what the keys of a search are combined with: 0 without contempt, and otherwise a number that follows from what a draw
/// costs White.
fn contempt_salt(contempt: i32, side: Side) -> u64 {
    let for_white = match side {
        Side::White => contempt,
        Side::Black => -contempt,
    };
    if for_white == 0 {
        return 0;
    }
    splitmix64(i64::from(for_white).cast_unsigned())
}

/// Puts the lines in order: one that was searched later, with more in the table, can turn out better than one before it.
fn promote_best_line(outcome: &mut Outcome) {
    let report = &mut outcome.report;
    if report.others.is_empty() {
        return;
    }
    report.others.insert(
        0,
        Line {
            score: report.score,
            pv: std::mem::take(&mut report.pv),
        },
    );
    report
        .others
        .sort_by_key(|line| std::cmp::Reverse(line.score));
    let Line { score, pv } = report.others.remove(0);
    outcome.best = pv.first().copied().or(outcome.best);
    report.score = score;
    report.pv = pv;
}
