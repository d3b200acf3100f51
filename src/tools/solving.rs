//! Proves what a position is worth: a win, a loss or a draw, with every first move that keeps it.
//!
//! For each first move two questions are asked, whether the mover wins behind it and whether the opponent does. Each is worked on by
//! proof-number search (`search`) over a graph of positions (`graph`) in which nothing is believed that depends on the way to a
//! position; the endgame tables end it (`judge`). Work goes round the open questions in shares that grow, so that an easy answer does not
//! wait for a hard one. There is no evaluation and no pruning by estimates: what is not proved is unknown.
//!
//! Proof-number search was chosen over alpha-beta with exact bounds because captures are compulsory: the play that decides is narrow
//! and deep, and the number of replies guides well. Checkers was solved with it (Jonathan Schaeffer and others, "Checkers is solved", 2007).
//!
//! Draw rules are seen to in three steps. A position that the game has had so often that the next time is a draw counts as drawn
//! wherever it comes up; other repetitions need no care, since whoever can win can do so without any (`graph`). Counts are left out at
//! first: what is not won without them is not won with them. A win is then followed through its proof with the
//! counters as they stand (`strategy`), and believed if no count can end the game, in the tables neither (`counts`); if one might, the
//! question is asked again in a graph whose positions carry their counters.
//!
//! With a limit of nodes alone the result is a function of the game and the tables.

mod counts;
mod graph;
mod judge;
mod search;
mod shortest;
mod state;
mod strategy;

use crate::board::{Move, Position, Side};
use crate::egdb::{Tables, Value};
use crate::rules::{Game, Rules};
use graph::{Edge, Graph, Status};
use judge::Judge;
use shortest::Bounded;
use state::State;
use std::sync::Arc;
use std::time::Instant;

/// What may be spent on a position.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Positions to be judged, about. A graph takes some 150 bytes for each that stays open.
    pub nodes: u64,
    /// When to stop.
    pub until: Option<Instant>,
}

impl Effort {
    fn is_late(self) -> bool {
        self.until.is_some_and(|until| Instant::now() >= until)
    }
}

/// What is proved of a first move, from the view of the side that plays it.
#[derive(Clone, Debug)]
pub struct MoveResult {
    /// The move.
    pub mv: Move,
    /// The least it is worth.
    pub at_least: Value,
    /// The most it is worth.
    pub at_most: Value,
    /// The plies to the end of the game, the move included, along the line that was proved, if it is a win or loss.
    pub distance: Option<usize>,
}

impl MoveResult {
    /// Returns the value, if it is proved.
    pub fn value(&self) -> Option<Value> {
        (self.at_least == self.at_most).then_some(self.at_least)
    }
}

/// What is proved of a position.
#[derive(Clone, Debug)]
pub struct Solution {
    /// The value for the side to move, if it is proved.
    pub value: Option<Value>,
    /// All legal moves in the order of generation; none if the game is over.
    pub moves: Vec<MoveResult>,
    /// The plies to the end of the game, if it is a win or loss.
    pub distance: Option<usize>,
    /// Whether that is the shortest win (the longest loss), by proof; otherwise it is the length of `line`.
    pub is_exact: bool,
    /// The proved line from the position to the end of the game, if it is a win or loss.
    pub line: Vec<Move>,
    /// Positions judged.
    pub nodes: u64,
}

impl Solution {
    /// Says whether one move alone keeps the value, all others being proved worse.
    pub fn is_unique(&self) -> bool {
        let Some(value) = self.value else {
            return false;
        };
        let keeping = self.moves.iter().filter(|mv| mv.at_most >= value).count();
        keeping == 1
    }

    /// Returns the moves that are proved to keep the value.
    pub fn best_moves(&self) -> Vec<Move> {
        let keeps = |mv: &&MoveResult| Some(mv.at_least) >= self.value && self.value.is_some();
        self.moves.iter().filter(keeps).map(|mv| mv.mv).collect()
    }
}

/// The first share of work on a question, in nodes; it doubles every round.
const FIRST_SHARE: u64 = 1 << 11;

/// When result and uniqueness are settled, work goes on by this part of what was spent, to tell losing moves from drawing ones, and again
/// to find the shortest win.
const EXTRA_SHARE: u64 = 4;

/// The least that is spent on either.
const LEAST_EXTRA: u64 = 50_000;

/// An answer with what is needed to check it: how the side that it favours has to play.
#[derive(Clone, Debug)]
pub struct Claim {
    /// The first move it is about.
    pub first: Move,
    /// The side that wants to win.
    pub attacker: Side,
    /// Whether it does behind the first move, if counts are left out.
    pub wins: bool,
    /// A move for each position that comes up with the attacker (or, if it does not win, the defender) to move, down to those that the tables
    /// know. Other play than this need not be looked at, and a position that comes again is good for the defender.
    pub strategy: Vec<(Position, Move)>,
}

/// Proves what a game, which goes on, is worth like [`solve`], but without lines and distances, and returns the answers it rests on, so that
/// they can be checked by other means.
pub fn prove<R: Rules>(
    tables: &Arc<Tables<R>>,
    game: &Game<R>,
    draw_rules: bool,
    effort: Effort,
) -> (Solution, Vec<Claim>) {
    let mut work = Work::new(tables, game, draw_rules, effort);
    work.go_round();
    let claims = work.claims();
    (work.values(), claims)
}

/// Proves what a game is worth from where it stands.
///
/// With `draw_rules` it ends as the rule set says; without, only a side without a move loses, and play without end is a draw.
pub fn solve<R: Rules>(
    tables: &Arc<Tables<R>>,
    game: &Game<R>,
    draw_rules: bool,
    effort: Effort,
) -> Solution {
    let is_over = if draw_rules {
        game.ending()
    } else {
        game.loss()
    };
    if let Some(ending) = is_over {
        let is_loss = ending.winner.is_some();
        return Solution {
            value: Some(if is_loss { Value::Loss } else { Value::Draw }),
            moves: Vec::new(),
            distance: is_loss.then_some(0),
            is_exact: is_loss,
            line: Vec::new(),
            nodes: 0,
        };
    }
    let mut work = Work::new(tables, game, draw_rules, effort);
    work.go_round();
    work.conclude()
}

/// A position on the line of a win in which more than one move of the winner wins.
#[derive(Clone, Debug)]
pub struct Dual {
    /// The ply of the move, from 1, the first move of the line.
    pub ply: usize,
    /// The position.
    pub pos: Position,
    /// All moves that are proved to win.
    pub moves: Vec<Move>,
}

/// Looks along the line of a win for positions in which another move of the winner wins too. Each is solved by itself, with the same effort;
/// moves on which nothing can be proved are passed over.
pub fn duals<R: Rules>(
    tables: &Arc<Tables<R>>,
    game: &Game<R>,
    solution: &Solution,
    draw_rules: bool,
    effort: Effort,
) -> Vec<Dual> {
    let mut found = Vec::new();
    let mut game = game.clone();
    for (ply, &mv) in (1..).zip(&solution.line) {
        let is_winners = (ply % 2 == 1) == (solution.value == Some(Value::Win));
        if is_winners {
            let here = solve(tables, &game, draw_rules, effort);
            let moves = here.best_moves();
            if here.value == Some(Value::Win) && moves.len() > 1 {
                let pos = *game.position();
                found.push(Dual { ply, pos, moves });
            }
        }
        game.play(mv);
    }
    found
}

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

    fn judged(&self) -> u64 {
        let graphs = [Some(&self.free), self.counted.as_ref()];
        let judged = |graph: &Graph<R>| graph.judged + graph.judge.played_out();
        graphs.into_iter().flatten().map(judged).sum()
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
struct Work<'a, R: Rules> {
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
    fn new(
        tables: &'a Arc<Tables<R>>,
        game: &'a Game<R>,
        draw_rules: bool,
        effort: Effort,
    ) -> Self {
        let turn = game.position().turn();
        let mut mover = Prover::new(tables, game, turn, draw_rules, effort);
        let mut opponent = Prover::new(tables, game, turn.opponent(), draw_rules, effort);
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

    /// Works on all candidates that are not settled, until they are or the effort is over.
    fn go_round(&mut self) {
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
                if left == 0 || self.effort.is_late() {
                    return;
                }
                self.work_on(number, share.min(left));
            }
            share = share.saturating_mul(2);
        }
    }

    fn work_on(&mut self, number: usize, share: u64) {
        let effort = self.effort;
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
    fn values(&self) -> Solution {
        let (least, most) = (self.at_least(), self.at_most());
        let result = |candidate: &Candidate<R>| MoveResult {
            mv: candidate.mv,
            at_least: candidate.at_least(),
            at_most: candidate.at_most(),
            distance: None,
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
    fn conclude(mut self) -> Solution {
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
            solution.line = line;
            solution.is_exact = true;
        }
        solution.distance = Some(solution.line.len()).filter(|&plies| plies > 0);
        solution.nodes += shortest.map_or(0, |shortest| shortest.bounded.judged);
        solution
    }

    fn claims(&mut self) -> Vec<Claim> {
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
            self.effort,
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
            bounded: Bounded::new(judge, left.min(extra)),
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
}

/// Longer wins than this are not looked for.
const LONGEST_EXACT: u16 = 200;
