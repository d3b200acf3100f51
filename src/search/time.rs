//! How long to think.
//!
//! The plan is that of Scan 3.1 (Fabien Letouzey): the clock is spread over the moves that are probably left, somewhat
//! more than evenly, since games end early; a search that keeps its best move stops sooner, one that changes it or sees its score
//! fall goes on longer; a hard limit bounds the worst case.

#[cfg(test)]
mod tests;

use super::limits::{Clock, Limits};
use crate::board::Position;
use crate::score::{Depth, Score};
use std::time::Duration;

/// Moves that are probably left when all pieces are on the board, and when none is.
const MOST_MOVES_LEFT: u32 = 30;
const FEWEST_MOVES_LEFT: u32 = 10;
/// The share of the evenly spread time that is aimed at, in percent,
const TARGET_PERCENT: u32 = 130;
/// and what share of that if the engine thinks on the opponent's time as well.
const PONDER_PERCENT: u32 = 120;
/// The hard limit is this many targets,
const HARD_TARGETS: u32 = 4;
/// but never more than this share of what is on the clock, in percent,
const HARD_PERCENT: u32 = 75;
/// and for the last move before the next time control this one.
const LAST_HARD_PERCENT: u32 = 95;
/// However large the overhead, this share of the clock may be used, in percent.
const LEAST_PERCENT: u32 = 10;
/// Waking up and answering take this long, even if the overhead is said to be less.
const LEAST_OVERHEAD: Duration = Duration::from_millis(5);
/// However much is kept for the overhead of the moves to come, at least the clock divided by this is aimed at.
const LEAST_PART: u32 = 200;
/// Searches with a hard limit below this are left to one thread: waking others, and sharing a core with them, takes too long.
const SHORTEST_FOR_TEAM: Duration = Duration::from_millis(30);
/// An iteration seldom takes less time than all before it together: none is begun after this share of the target, in percent.
const LAST_START_PERCENT: u32 = 60;
/// Iterations are judged from this depth on.
const FIRST_JUDGED_DEPTH: Depth = 6;
/// Each iteration that keeps the best move multiplies the factor on the target by this, in percent,
const STABLE_PERCENT: u32 = 90;
/// down to this factor.
const STABLE_FLOOR: u32 = 60;
/// Each iteration that changes the best move multiplies it, or 100 if it is lower, by this, in percent,
const CHANGED_PERCENT: u32 = 130;
/// up to this factor.
const CHANGED_CEILING: u32 = 200;
/// An iteration whose score has fallen by so much, in hundredths of a man,
const FALL: i32 = 15;
/// multiplies it by this instead, since there may be a way out.
const FALLING_PERCENT: u32 = 150;

/// The time that a search may take.
#[derive(Clone, Debug)]
pub(super) struct Budget {
    target: Option<Duration>,
    /// The search is stopped after this time, wherever it is.
    pub(super) hard: Option<Duration>,
    /// The present factor on the target, in percent.
    factor: u32,
    /// The score of the last iteration.
    score: Option<Score>,
    /// Whether more search can change neither the move nor the proven end.
    pub(super) is_settled: bool,
}

impl Budget {
    /// Plans the time for a move.
    pub(super) fn new(limits: &Limits, pos: &Position) -> Self {
        let planned = limits.clock.map(|clock| plan(clock, pos));
        let hard = [planned.map(|(_, hard)| hard), limits.move_time]
            .into_iter()
            .flatten()
            .min();
        Self {
            target: planned.map(|(target, _)| target),
            hard,
            factor: 100,
            score: None,
            is_settled: false,
        }
    }

    /// Says whether there is so little time that one thread alone does best.
    pub(super) fn is_short(&self) -> bool {
        self.hard.is_some_and(|hard| hard < SHORTEST_FOR_TEAM)
    }

    /// Takes note of an iteration, of whether it kept the best move, and of its score.
    pub(super) fn iteration(&mut self, depth: Depth, is_stable: bool, score: Score) {
        let last = self.score.replace(score);
        // The first iterations cost nothing and change their minds often.
        if depth < FIRST_JUDGED_DEPTH {
            return;
        }
        let is_falling = last.is_some_and(|last| score <= last - FALL);
        self.factor = if is_stable && !is_falling {
            (self.factor * STABLE_PERCENT / 100).max(STABLE_FLOOR)
        } else {
            let percent = if is_falling {
                FALLING_PERCENT
            } else {
                CHANGED_PERCENT
            };
            (self.factor.max(100) * percent / 100).min(CHANGED_CEILING)
        };
    }

    /// Says whether another iteration is worth beginning after the time that has passed.
    pub(super) fn allows_iteration(&self, elapsed: Duration) -> bool {
        if self.is_settled {
            return false;
        }
        let Some(target) = self.target else {
            return true;
        };
        elapsed < target * self.factor / 100 * LAST_START_PERCENT / 100
    }
}

/// Returns the target and the hard limit of the time for a move.
fn plan(clock: Clock, pos: &Position) -> (Duration, Duration) {
    let pieces = pos.occupied().count();
    let probable = FEWEST_MOVES_LEFT + (MOST_MOVES_LEFT - FEWEST_MOVES_LEFT) * pieces / 24;
    let moves_left = clock
        .moves
        .map_or(probable, |moves| moves.clamp(1, probable));
    let usable = clock.time + clock.increment;
    let overhead = clock.overhead.max(LEAST_OVERHEAD);
    // The last move before more time comes may take nearly all there is, the others must leave some.
    let percent = if moves_left == 1 {
        LAST_HARD_PERCENT
    } else {
        HARD_PERCENT
    };
    let ceiling = (usable * percent / 100)
        .saturating_sub(overhead)
        .max(usable * LEAST_PERCENT / 100);
    // The overhead of all moves to come cannot be spent on thinking.
    let reserve = overhead * moves_left;
    let share = clock.time.saturating_sub(reserve) / moves_left;
    let spread = share.max(clock.time / LEAST_PART) + clock.increment;
    let bonus = if clock.can_ponder {
        PONDER_PERCENT
    } else {
        100
    };
    let target = (spread * TARGET_PERCENT / 100 * bonus / 100).min(ceiling);
    (target, (target * HARD_TARGETS).min(ceiling))
}
