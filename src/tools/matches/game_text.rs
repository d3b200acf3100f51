//! A game of a match as PDN.

use super::plan::Plan;
use super::record::{Record, Thought};
use crate::board::{Position, Side};
use crate::notation::fen;
use crate::notation::moves::Form;
use crate::notation::pdn::Writer;
use crate::notation::played::{date, duration};
use crate::rules::Rules;
use std::time::Duration;

/// Writes a game with what the players said of each move: `[%eval]` in men from White's view, the time taken and, if there is one,
/// the clock, then depth and nodes.
pub fn pdn<R: Rules>(plan: &Plan, record: &Record) -> String {
    let start = fen::parse(&record.fen).unwrap_or_else(|_| R::start());
    let mut writer = Writer::new(&start, R::FIRST_TO_MOVE);
    for (name, value) in tags::<R>(plan, record, &start) {
        writer.tag(name, &value);
    }
    if record.opening_plies == 0 {
        // Otherwise the opening's name stands where the players begin.
        writer.tag("Opening", &record.opening);
    }
    let mut turn = start.turn();
    for (ply, text) in record.moves.iter().enumerate() {
        writer.mv(text);
        let thought = ply
            .checked_sub(record.opening_plies)
            .and_then(|index| record.thoughts.get(index));
        match thought {
            Some(thought) => writer.comment(&comment(thought, turn)),
            None if ply + 1 == record.opening_plies => {
                writer.comment(&format!("opening: {}", record.opening));
            }
            None => {}
        }
        turn = turn.opponent();
    }
    writer.finish()
}

fn tags<R: Rules>(plan: &Plan, record: &Record, start: &Position) -> Vec<(&'static str, String)> {
    let mut tags = vec![
        ("Event", format!("mainroad match {}", plan.fingerprint())),
        ("Date", date(record.started)),
        (
            "Round",
            format!("{}.{}", record.round + 1, record.game % 2 + 1),
        ),
        ("White", record.white.clone()),
        ("Black", record.black.clone()),
        ("Result", record.result().to_owned()),
        ("GameType", R::STYLE.game_type.to_owned()),
        ("Variant", R::VARIANT.to_string()),
    ];
    let control = |name: &str| {
        let player = plan.players.iter().find(|player| player.name == name);
        player
            .map(|player| player.time_control.to_string())
            .unwrap_or_default()
    };
    let (white, black) = (control(&record.white), control(&record.black));
    if white == black {
        tags.push(("TimeControl", white));
    } else {
        tags.push(("WhiteTimeControl", white));
        tags.push(("BlackTimeControl", black));
    }
    if *start != R::start() {
        tags.push(("SetUp", "1".to_owned()));
        tags.push(("FEN", fen::write_as(start, Form::usual::<R>())));
    }
    tags.push(("PlyCount", record.moves.len().to_string()));
    let reason = match &record.fault {
        Some(fault) => format!("{}: {}", record.reason, fault.detail),
        None => record.reason.clone(),
    };
    tags.push(("Termination", reason));
    tags
}

/// Writes what the player of a side said.
fn comment(thought: &Thought, side: Side) -> String {
    let sign = if side == Side::White { 1 } else { -1 };
    let mut parts = Vec::new();
    if let Some(cp) = thought.cp {
        parts.push(format!(
            "[%eval {:.2}]",
            (sign * i64::from(cp)) as f64 / 100.0
        ));
    }
    parts.push(format!("[%emt {}]", time(thought.time_s)));
    if let Some(clock) = thought.clock_s {
        parts.push(format!("[%clk {}]", time(clock)));
    }
    if let Some(depth) = thought.depth {
        parts.push(format!("depth {depth}"));
    }
    if let Some(nodes) = thought.nodes {
        parts.push(format!("nodes {nodes}"));
    }
    parts.join(" ")
}

/// Writes a time as hours, minutes and seconds.
fn time(seconds: f64) -> String {
    duration(Duration::from_millis((seconds * 1000.0).round() as u64))
}
