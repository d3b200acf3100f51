//! A game that was played here, as PDN.

use super::fen;
use super::moves::{self, Form};
use super::pdn::Writer;
use crate::rules::{Game, Rules};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use time::OffsetDateTime;

/// A game, and what its tags tell.
#[derive(Clone, Copy, Debug)]
pub struct Played<'a, R> {
    /// The moves.
    pub game: &'a Game<R>,
    /// What it was played for.
    pub event: &'a str,
    /// The name of the player with White.
    pub white: &'a str,
    /// The name of the player with Black.
    pub black: &'a str,
    /// White's points first, such as `1-0`, or `*`.
    pub result: &'a str,
    /// What ended it.
    pub reason: &'a str,
    /// When it began.
    pub started: SystemTime,
    /// The time that each move took; of moves without one nothing is told.
    pub times: &'a [Duration],
}

/// Writes a game with a blank line behind it.
pub fn write<R: Rules>(played: &Played<R>) -> String {
    let start = played.game.start();
    let mut writer = Writer::new(start, R::FIRST_TO_MOVE);
    let seconds = played
        .started
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    writer.tag("Event", played.event);
    writer.tag("Date", &date(seconds.as_secs()));
    writer.tag("White", played.white);
    writer.tag("Black", played.black);
    writer.tag("Result", played.result);
    writer.tag("GameType", R::STYLE.game_type);
    writer.tag("Variant", R::VARIANT.name());
    if *start != R::start() {
        writer.tag("SetUp", "1");
        writer.tag("FEN", &fen::write_as(start, Form::usual::<R>()));
    }
    writer.tag("PlyCount", &played.game.moves().len().to_string());
    writer.tag("Termination", played.reason);
    let texts = moves::write_line::<R>(start, played.game.moves());
    for (ply, text) in texts.iter().enumerate() {
        writer.mv(text);
        if let Some(time) = played.times.get(ply) {
            writer.comment(&format!("[%emt {}]", duration(*time)));
        }
    }
    writer.finish()
}

/// Writes the day, in UTC, of a number of seconds since 1970 as PDN does: `2024.05.31`, or question marks where there is none.
pub fn date(seconds: u64) -> String {
    let date = i64::try_from(seconds).ok();
    let date = date.and_then(|seconds| OffsetDateTime::from_unix_timestamp(seconds).ok());
    date.map_or("????.??.??".to_owned(), |date| {
        format!(
            "{:04}.{:02}.{:02}",
            date.year(),
            u8::from(date.month()),
            date.day()
        )
    })
}

/// Writes a time as hours, minutes, seconds and milliseconds: `0:01:23.456`.
pub fn duration(time: Duration) -> String {
    let (seconds, milliseconds) = (time.as_secs(), time.subsec_millis());
    format!(
        "{}:{:02}:{:02}.{milliseconds:03}",
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60
    )
}
