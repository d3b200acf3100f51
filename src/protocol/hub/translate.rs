//! What Hub says, as the engine knows it, and back: the game of a `pos`, the limits of a `level`, the `info` of a report.

use super::message::{GoMode, Info, Level, Seconds};
use crate::board::{Move, Position};
use crate::engine::Options;
use crate::notation::hub::{Numbering, parse_move, parse_position, write_move};
use crate::rules::{Game, Rules};
use crate::score::Depth;
use crate::search::{Clock, Limits, MAX_DEPTH, Outcome, Report};
use std::time::Duration;

/// What a clock is taken to have when only an increment or a number of moves is given, as in Scan.
const DEFAULT_TIME_MS: i64 = 30_000;

/// The time for a move when the limits that were given could not be read.
const FALLBACK_TIME: Duration = Duration::from_secs(1);

/// Reads the position and the moves of a `pos`. The error is the text of the answer.
pub(super) fn read_game<R: Rules>(
    position: Option<&str>,
    moves: &[String],
    numbering: Numbering,
) -> Result<Game<R>, String> {
    let start: Position = match position {
        Some(text) => parse_position(text).map_err(|error| error.to_string())?,
        None => R::start(),
    };
    let mut game = Game::from_position(start);
    for (ply, text) in (1..).zip(moves) {
        let mv = parse_move(text, numbering, &game.legal_moves());
        game.play(mv.map_err(|error| format!("{error} (move {ply} of {})", moves.len()))?);
    }
    Ok(game)
}

/// Returns what bounds a search. If the only limits were rejected, a client that waits for a move still gets one.
pub(super) fn limits(options: &Options, level: Level, mode: GoMode, is_level_lost: bool) -> Limits {
    let has_clock = level.time.is_some() || level.inc.is_some() || level.moves.is_some();
    let clock = has_clock.then(|| {
        let increment = level.inc.unwrap_or_default();
        // The time may be negative: the increment is added before the move.
        let usable =
            (level.time.unwrap_or(Seconds::from_millis(DEFAULT_TIME_MS)) + increment).to_duration();
        let increment = increment.to_duration().min(usable);
        Clock {
            time: usable.saturating_sub(increment),
            increment,
            moves: level.moves.filter(|&moves| moves > 0),
            overhead: Duration::from_millis(options.overhead_ms),
            can_ponder: options.ponder && mode == GoMode::Ponder,
        }
    });
    let limits = Limits {
        depth: level
            .depth
            .map(|depth| depth.clamp(1, MAX_DEPTH as u32) as Depth),
        nodes: level.nodes,
        move_time: level.move_time.map(Seconds::to_duration),
        clock,
        moves: Vec::new(),
        lines: options.lines,
        is_analysis: mode == GoMode::Analyze || level.infinite,
        is_endless: false,
    };
    let is_bounded = limits.depth.is_some()
        || limits.nodes.is_some()
        || limits.move_time.is_some()
        || clock.is_some();
    Limits {
        move_time: if is_level_lost && !is_bounded && !limits.is_analysis {
            Some(FALLBACK_TIME)
        } else {
            limits.move_time
        },
        is_endless: limits.is_analysis && !is_bounded,
        ..limits
    }
}

/// Says whether there is something to ponder about after the best move and the expected reply: some clients let an
/// engine ponder even when the game is over.
pub(super) fn goes_on_after<R: Rules>(game: &Game<R>, outcome: &Outcome, reply: Move) -> bool {
    let mut game = game.clone();
    let played = outcome
        .best
        .into_iter()
        .chain([reply])
        .try_for_each(|mv| game.try_play(mv));
    played.is_ok() && game.ending().is_none()
}

/// Returns what is told of an iteration: the best line as ever, then the others with their numbers.
pub(super) fn infos(report: &Report, numbering: Numbering) -> Vec<Info> {
    let best = info(report, numbering);
    let others = (2..).zip(&report.others).map(|(number, line)| Info {
        score_centimen: Some(line.score.0),
        pv: line
            .pv
            .iter()
            .map(|&mv| write_move(mv, numbering))
            .collect(),
        line: Some(number),
        ..best.clone()
    });
    std::iter::once(best.clone()).chain(others).collect()
}

fn info(report: &Report, numbering: Numbering) -> Info {
    let seconds = report.time.as_secs_f64();
    let (plies, leaves) = report.leaf_plies;
    Info {
        depth: report.depth.unsigned_abs(),
        mean_depth: plies as f64 / leaves.max(1) as f64,
        score_centimen: Some(report.score.0),
        nodes: report.nodes,
        time: report.time.into(),
        nps_millions: if seconds > 0.0 {
            report.nodes as f64 / seconds / 1e6
        } else {
            0.0
        },
        pv: report
            .pv
            .iter()
            .map(|&mv| write_move(mv, numbering))
            .collect(),
        source: None,
        line: None,
    }
}
