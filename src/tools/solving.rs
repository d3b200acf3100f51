//! Proves what a position is worth: a win, a loss or a draw, with every first move that keeps it.
//!
//! For each first move two questions are asked, whether the mover wins behind it and whether the opponent does. Each is worked on by
//! proof-number search (`search`) over a graph of positions (`graph`) in which nothing is believed that depends on the way to a
//! position; the endgame tables end it (`judge`). Work goes round the open questions (`work`) in shares that grow, so that an easy answer
//! does not wait for a hard one. There is no evaluation and no pruning by estimates: what is not proved is unknown.
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
mod work;

use crate::board::{Move, Position, Side};
use crate::egdb::{Tables, Value};
use crate::rules::{Game, Rules};
use crate::tools::stop::Stop;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;
use work::Work;

/// What may be spent on a position.
#[derive(Clone, Debug)]
pub struct Effort {
    /// Positions to be judged, about. A graph takes some 150 bytes for each that stays open.
    pub nodes: u64,
    /// When to stop.
    pub until: Option<Instant>,
    /// Ends the work as if the time were over.
    pub stop: Option<Stop>,
    /// Counts the positions that are judged, for whoever watches.
    pub counter: Option<Arc<AtomicU64>>,
}

impl Effort {
    fn is_late(&self) -> bool {
        self.until.is_some_and(|until| Instant::now() >= until)
            || self.stop.as_ref().is_some_and(Stop::is_given)
    }

    /// Counts a position.
    fn count(&self) {
        if let Some(counter) = &self.counter {
            counter.fetch_add(1, Relaxed);
        }
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
    /// The plies to the end of the game, the move included, if it is a win or loss.
    pub distance: Option<usize>,
    /// Whether that is the shortest win (the longest loss) behind the move, by proof; otherwise it is the length of a proved line, on which
    /// the winner may be slow, and beside which a position that the tables know may be won later.
    pub is_exact: bool,
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
    effort: &Effort,
) -> Vec<Dual> {
    let mut found = Vec::new();
    let mut game = game.clone();
    for (ply, &mv) in (1..).zip(&solution.line) {
        let is_winners = (ply % 2 == 1) == (solution.value == Some(Value::Win));
        if is_winners {
            let here = solve(tables, &game, draw_rules, effort.clone());
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
