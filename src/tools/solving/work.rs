//! The questions about the first moves of a position, the work on them in turn, and what the answers come to.

use super::graph::{Edge, Graph, Status};
use super::judge::Judge;
use super::shortest::Bounded;
use super::state::State;
use super::{Claim, Effort, MoveResult, Solution};
use crate::board::{Move, Side};
use crate::egdb::{Tables, Value};
use crate::rules::{Game, Rules};
use std::sync::Arc;

/// The first share of work on a question, in nodes; it doubles every round.
const FIRST_SHARE: u64 = 1 << 11;

/// When result and uniqueness are settled, work goes on by this part of what was spent, to tell losing moves from drawing ones, and again
/// to find the shortest win.
const EXTRA_SHARE: u64 = 4;

/// The least that is spent on either.
const LEAST_EXTRA: u64 = 50_000;

/// Longer wins than this are not looked for.
const LONGEST_EXACT: u16 = 200;

/// What is being found out about one attacker.
struct Prover<R: Rules> {
    free: Graph<R>,
    /// Made when a win might be taken away by a count.
    counted: Option<Graph<R>>,
    draw_rules: bool,
}

/// One question: does the attacker win behind a move?
struct Question {
    /// The position behind the move, with the counters of the game.
    state: State,
    free: Edge,
    counted: Option<Edge>,
    answer: Option<bool>,
}

impl<R: Rules> Prover<R> {
    fn new(
        tables: &Arc<Tables<R>>,
        game: &Game<R>,
        attacker: Side,
        draw_rules: bool,
        effort: Effort,
    ) -> Self {
        Self {
            free: Graph::new(Judge::new(tables, game, attacker, draw_rules, effort)),
            counted: None,
            draw_rules,
        }
    }

    fn ask(&mut self, state: State) -> Question {
        Question {
            free: self.free.add(&State::uncounted(state.pos)),
            state,
            counted: None,
            answer: None,
        }
    }

    fn graphs(&self) -> impl Iterator<Item = &Graph<R>> {
        std::iter::once(&self.free).chain(&self.counted)
    }

    fn judged(&self) -> u64 {
        let judged = |graph: &Graph<R>| graph.judged + graph.judge.played_out();
        self.graphs().map(judged).sum()
    }

    fn is_full(&self) -> bool {
        self.graphs().any(Graph::is_full)
    }

    /// Works on a question until it is answered or so many nodes have been added.
    fn work_on(&mut self, question: &mut Question, share: u64, is_over: &dyn Fn() -> bool) {
        if question.counted.is_none() {
            let edge = question.free;
            match answer(&mut self.free, edge, share, is_over) {
                None => return,
                Some(true) if self.draw_rules => {
                    let holds = self.free.holds_under_counts(edge, &question.state);
                    if holds {
                        question.answer = Some(true);
                        return;
                    }
                }
                known => {
                    question.answer = known;
                    return;
                }
            }
        }
        let free = &self.free;
        let counted = self
            .counted
            .get_or_insert_with(|| Graph::new(free.judge.counted()));
        let edge = *question
            .counted
            .get_or_insert_with(|| counted.add(&question.state));
        question.answer = answer(counted, edge, share, is_over);
    }
}

/// Works on the position behind an edge, and returns whether it is won if that is known.
fn answer<R: Rules>(
    graph: &mut Graph<R>,
    edge: Edge,
    share: u64,
    is_over: &dyn Fn() -> bool,
) -> Option<bool> {
    if let Edge::Node(id) = edge {
        graph.work_on(id, graph.judged + share, is_over);
    }
    match graph.status(edge) {
        Status::Open => None,
        Status::Win => Some(true),
        Status::NotWin => Some(false),
    }
}

/// A first move and what is asked about it.
struct Candidate<R> {
    mv: Move,
    /// The game after it.
    after: Game<R>,
    wins: Question,
    loses: Question,
}

impl<R: Rules> Candidate<R> {
    fn at_least(&self) -> Value {
        match (self.wins.answer, self.loses.answer) {
            (Some(true), _) => Value::Win,
            (_, Some(false)) => Value::Draw,
            _ => Value::Loss,
        }
    }

    fn at_most(&self) -> Value {
        match (self.wins.answer, self.loses.answer) {
            (_, Some(true)) => Value::Loss,
            (Some(false), _) => Value::Draw,
            _ => Value::Win,
        }
    }

    fn is_settled(&self) -> bool {
        self.at_least() == self.at_most()
    }
}

/// The state of the work on a position.
pub(super) struct Work<'a, R: Rules> {
    tables: &'a Arc<Tables<R>>,
    game: &'a Game<R>,
    draw_rules: bool,
    effort: Effort,
    /// For the side to move and for its opponent.
    mover: Prover<R>,
    opponent: Prover<R>,
    candidates: Vec<Candidate<R>>,
}

impl<'a, R: Rules> Work<'a, R> {
    pub(super) fn new(
        tables: &'a Arc<Tables<R>>,
        game: &'a Game<R>,
        draw_rules: bool,
        effort: Effort,
    ) -> Self {
        let turn = game.position().turn();
        let prover = |side| Prover::new(tables, game, side, draw_rules, effort.clone());
        let (mut mover, mut opponent) = (prover(turn), prover(turn.opponent()));
        let candidates = game.legal_moves().into_iter().map(|mv| {
            let mut after = game.clone();
            after.play(mv);
            let state = State::counted::<R>(*after.position(), after.counters());
            let is_drawn =
                draw_rules && after.ending().is_some_and(|ending| ending.winner.is_none());
            let mut candidate = Candidate {
                mv,
                after,
                wins: mover.ask(state),
                loses: opponent.ask(state),
            };
            if is_drawn {
                candidate.wins.answer = Some(false);
                candidate.loses.answer = Some(false);
            }
            candidate
        });
        let candidates = candidates.collect();
        Self {
            tables,
            game,
            draw_rules,
            effort,
            mover,
            opponent,
            candidates,
        }
    }

    fn judged(&self) -> u64 {
        self.mover.judged() + self.opponent.judged()
    }

    fn is_full(&self) -> bool {
        self.mover.is_full() || self.opponent.is_full()
    }

    /// Works on all candidates that are not settled, until they are or the effort is over.
    pub(super) fn go_round(&mut self) {
        let mut share = FIRST_SHARE;
        let mut most = self.effort.nodes;
        while self
            .candidates
            .iter()
            .any(|candidate| !candidate.is_settled())
        {
            if self.is_decided() {
                // What is still open is of less interest.
                let extra = (self.judged() / EXTRA_SHARE).max(LEAST_EXTRA);
                most = most.min(self.judged() + extra);
            }
            for number in 0..self.candidates.len() {
                let left = most.saturating_sub(self.judged());
                if left == 0 || self.effort.is_late() || self.is_full() {
                    return;
                }
                self.work_on(number, share.min(left));
            }
            share = share.saturating_mul(2);
        }
    }

    fn work_on(&mut self, number: usize, share: u64) {
        let effort = self.effort.clone();
        let is_over = move || effort.is_late();
        let candidate = &mut self.candidates[number];
        if candidate.is_settled() {
            return;
        }
        if candidate.wins.answer.is_none() {
            self.mover.work_on(&mut candidate.wins, share, &is_over);
        }
        if !candidate.is_settled() && candidate.loses.answer.is_none() {
            self.opponent.work_on(&mut candidate.loses, share, &is_over);
        }
    }

    fn at_least(&self) -> Value {
        let values = self.candidates.iter().map(Candidate::at_least);
        values.max().expect("a game that goes on has moves")
    }

    fn at_most(&self) -> Value {
        let values = self.candidates.iter().map(Candidate::at_most);
        values.max().expect("a game that goes on has moves")
    }

    /// Says whether the value is known, and of each move whether it keeps it.
    fn is_decided(&self) -> bool {
        let value = self.at_least();
        value == self.at_most()
            && self
                .candidates
                .iter()
                .all(|candidate| candidate.at_least() >= value || candidate.at_most() < value)
    }

    /// Returns what is known of the values.
    pub(super) fn values(&self) -> Solution {
        let (least, most) = (self.at_least(), self.at_most());
        let result = |candidate: &Candidate<R>| MoveResult {
            mv: candidate.mv,
            at_least: candidate.at_least(),
            at_most: candidate.at_most(),
            distance: None,
            is_exact: false,
        };
        Solution {
            value: (least == most).then_some(least),
            moves: self.candidates.iter().map(result).collect(),
            distance: None,
            is_exact: false,
            line: Vec::new(),
            nodes: self.judged(),
        }
    }

    /// Returns what is known of the values, with lines and distances.
    pub(super) fn conclude(mut self) -> Solution {
        let mut solution = self.values();
        let mut shortest = self.shortest(solution.value);
        for number in 0..self.candidates.len() {
            let keeps = solution.moves[number].value() == solution.value;
            let bounded = shortest.as_mut().filter(|_| keeps);
            let Some(behind) = self.line_behind(number, bounded) else {
                continue;
            };
            let result = &mut solution.moves[number];
            result.distance = Some(behind.len() + 1);
            let is_better = if solution.value == Some(Value::Win) {
                solution.line.is_empty() || behind.len() + 1 < solution.line.len()
            } else {
                behind.len() + 1 > solution.line.len()
            };
            if keeps && is_better {
                solution.line = [&[result.mv], &behind[..]].concat();
            }
        }
        if let Some(shortest) = &mut shortest
            && let Some(line) = shortest.line(self.game)
        {
            let is_first = |mv: &&mut MoveResult| mv.mv == line[0];
            let first = solution.moves.iter_mut().find(is_first);
            first.expect("the line is legal").distance = Some(line.len());
            for (result, candidate) in solution.moves.iter_mut().zip(&self.candidates) {
                if result.value() == solution.value {
                    shortest.bound(result, &candidate.after, line.len());
                }
            }
            solution.line = line;
            solution.is_exact = true;
        }
        solution.distance = Some(solution.line.len()).filter(|&plies| plies > 0);
        solution.nodes += shortest.map_or(0, |shortest| shortest.bounded.judged);
        solution
    }

    pub(super) fn claims(&mut self) -> Vec<Claim> {
        let mut claims = Vec::new();
        for candidate in &self.candidates {
            let asked = [
                (&mut self.mover, &candidate.wins),
                (&mut self.opponent, &candidate.loses),
            ];
            for (prover, question) in asked {
                let status = prover.free.status(question.free);
                if status != Status::Open {
                    claims.push(Claim {
                        first: candidate.mv,
                        attacker: prover.free.judge.attacker,
                        wins: status == Status::Win,
                        strategy: prover.free.strategy(question.free),
                    });
                }
            }
        }
        claims
    }

    /// Returns the proved line behind a move that wins or loses.
    fn line_behind(
        &mut self,
        number: usize,
        shortest: Option<&mut Shortest<R>>,
    ) -> Option<Vec<Move>> {
        let candidate = &self.candidates[number];
        let (prover, question) = if candidate.wins.answer == Some(true) {
            (&mut self.mover, &candidate.wins)
        } else if candidate.loses.answer == Some(true) {
            (&mut self.opponent, &candidate.loses)
        } else {
            return None;
        };
        let graph = match (&mut prover.counted, question.counted) {
            (Some(counted), Some(_)) => counted,
            _ => &mut prover.free,
        };
        let bounded = shortest.map(|known| (&mut known.bounded, known.not_in.saturating_sub(1)));
        graph.line(self.tables, &candidate.after, self.draw_rules, bounded)
    }

    /// Looks for the shortest win of whoever wins, with a part of the effort.
    fn shortest(&mut self, value: Option<Value>) -> Option<Shortest<R>> {
        let turn = self.game.position().turn();
        let (attacker, first) = match value? {
            Value::Win => (turn, 1),
            Value::Loss => (turn.opponent(), 2),
            Value::Draw => return None,
        };
        let judge = Judge::new(
            self.tables,
            self.game,
            attacker,
            self.draw_rules,
            self.effort.clone(),
        );
        let judge = if self.draw_rules {
            judge.counted()
        } else {
            judge
        };
        let spent = self.judged();
        let extra = (spent / EXTRA_SHARE).max(LEAST_EXTRA);
        let left = self.effort.nodes.saturating_sub(spent);
        let mut found = Shortest {
            bounded: Bounded::new(judge, left.min(extra), self.effort.clone()),
            not_in: 0,
            won_in: None,
        };
        let state = found.bounded.state(self.game);
        for plies in (first..LONGEST_EXACT).step_by(2) {
            match found.bounded.wins_in(&state, plies) {
                Some(true) => {
                    found.won_in = Some(plies);
                    break;
                }
                Some(false) => found.not_in = plies,
                None => break,
            }
        }
        Some(found)
    }
}

/// What is known of the length of a win.
struct Shortest<R: Rules> {
    bounded: Bounded<R>,
    /// There is no win within so many plies.
    not_in: u16,
    /// There is one within so many, if that was found.
    won_in: Option<u16>,
}

impl<R: Rules> Shortest<R> {
    /// Returns a line of the shortest win, if that is known.
    fn line(&mut self, game: &Game<R>) -> Option<Vec<Move>> {
        self.bounded.line(game, self.won_in?)
    }

    /// Finds what is exact of the distance of a first move that keeps the value, given that of the position.
    fn bound(&mut self, result: &mut MoveResult, after: &Game<R>, total: usize) {
        if result.at_least == Value::Win {
            // There is no shorter win.
            result.is_exact = result.distance == Some(total);
            return;
        }
        // No move loses later than the best of them.
        result.distance = Some(result.distance.map_or(total, |plies| plies.min(total)));
        let state = self.bounded.state(after);
        for plies in 1..total as u16 {
            match self.bounded.wins_in(&state, plies) {
                Some(true) => {
                    result.distance = Some(usize::from(plies) + 1);
                    result.is_exact = true;
                    return;
                }
                Some(false) => {}
                None => return,
            }
        }
    }
}
