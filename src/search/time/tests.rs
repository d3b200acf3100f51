//! The plan, in simulated games: no clock runs out, whatever the time control.

use super::{Budget, Clock, Limits, plan};
use crate::board::{Position, Side};
use crate::score::Score;
use std::time::Duration;

const MS: Duration = Duration::from_millis(1);

/// What a move costs besides thinking: the way to the clock, a late wake-up.
const LAG: Duration = Duration::from_millis(2);

fn clock(time_ms: u64, increment_ms: u64, moves: Option<u32>, overhead_ms: u64) -> Clock {
    let ms = Duration::from_millis;
    Clock {
        time: ms(time_ms),
        increment: ms(increment_ms),
        moves,
        overhead: ms(overhead_ms),
        can_ponder: false,
    }
}

/// Plays 100 moves, every tenth to the hard limit and the others to the target; the clock must last.
#[track_caller]
fn check(mut clock: Clock) {
    let pos = Position::start(Side::White);
    let (start, per_session) = (clock, clock.moves);
    for number in 0..100 {
        if let Some(moves) = per_session {
            clock.moves = Some(moves - number % moves);
            if number > 0 && number % moves == 0 {
                clock.time += start.time;
            }
        }
        let (target, hard) = plan(clock, &pos);
        let usable = clock.time + clock.increment;
        assert!(
            target <= hard && hard <= usable,
            "{start:?}: move {number}: {target:?}, {hard:?} of {usable:?}"
        );
        let used = if number % 10 == 9 { hard } else { target } + LAG;
        clock.time = usable
            .checked_sub(used)
            .unwrap_or_else(|| panic!("{start:?}: out of time at move {number}"));
    }
}

// Sudden death from bullet to the minutes of a tournament, increments alone, moves in a session.
#[test]
fn clocks_last() {
    for overhead in [0, 20, 50, 500] {
        for time in [1_000, 2_000, 5_000, 60_000, 300_000] {
            check(clock(time, 0, None, overhead));
            check(clock(time, 50, None, overhead));
            check(clock(time, 0, Some(10), overhead));
            check(clock(time, 0, Some(75), overhead));
        }
        check(clock(0, 100, None, overhead));
        check(clock(100, 50, None, overhead));
    }
}

#[test]
fn no_time_is_no_error() {
    let (target, hard) = plan(clock(0, 0, None, 50), &Position::start(Side::White));
    assert_eq!((target, hard), (Duration::ZERO, Duration::ZERO));
}

// Nor does anybody want an engine that leaves most of its time unused.
#[test]
fn time_is_used() {
    let (target, hard) = plan(clock(300_000, 0, None, 50), &Position::start(Side::White));
    assert!(target > 8_000 * MS && target < 16_000 * MS, "{target:?}");
    assert!(hard > 30_000 * MS, "{hard:?}");
}

/// Returns how long a budget of about ten seconds would go on after iterations 6 to 12 with these scores and always the same best move.
fn patience(scores: [i32; 7]) -> Duration {
    let limits = Limits {
        clock: Some(clock(300_000, 0, None, 50)),
        ..Limits::default()
    };
    let mut budget = Budget::new(&limits, &Position::start(Side::White));
    for (depth, score) in (6..).zip(scores) {
        budget.iteration(depth, true, Score(score));
    }
    let mut spent = Duration::ZERO;
    while budget.allows_iteration(spent) {
        spent += 10 * MS;
    }
    spent
}

#[test]
fn a_falling_score_is_worth_more_time() {
    let calm = patience([10; 7]);
    assert!(
        patience([10, 10, 10, 10, 10, 10, 0]) == calm,
        "it hardly fell"
    );
    assert!(patience([10, 20, 30, 40, 50, 60, 70]) == calm, "it rose");
    let falling = patience([10, 10, 10, 10, 10, 10, -20]);
    assert!(falling > calm * 2, "{falling:?}, {calm:?} when calm");
    let fallen = patience([10, 10, -20, -20, -20, -20, -20]);
    assert!(
        fallen < falling,
        "{fallen:?} when it has fallen and stays, {falling:?} at once"
    );
}
