//! What is told of a match while it runs: a table that stays in its place on a terminal, else a line now and then.

use crate::tools::matches::{Record, Standings, Summary};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// How often a plain line is written.
const LINE_EVERY: Duration = Duration::from_secs(10);
/// How often the table is counted anew.
const TABLE_EVERY: Duration = Duration::from_millis(500);

/// The progress of a match.
pub(super) struct Progress<'a> {
    /// On a terminal.
    bar: Option<ProgressBar>,
    err: &'a mut dyn Write,
    planned: u64,
    played: u64,
    started: Instant,
    told: Option<Instant>,
}

impl<'a> Progress<'a> {
    /// Begins with so many games to play.
    pub(super) fn new(planned: u64, err: &'a mut dyn Write) -> Self {
        let bar = io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(Some(planned), ProgressDrawTarget::stderr());
            let style = ProgressStyle::with_template(
                "{msg}\n{wide_bar} {pos}/{len} games, {per_sec}, {eta} left",
            );
            bar.with_style(style.expect("the template is right"))
        });
        Self {
            bar,
            err,
            planned,
            played: 0,
            started: Instant::now(),
            told: None,
        }
    }

    /// Tells of a game that was lost by a fault.
    pub(super) fn fault(&mut self, record: &Record) {
        let Some(fault) = &record.fault else { return };
        let name = if fault.side == 'W' {
            &record.white
        } else {
            &record.black
        };
        let line = format!(
            "game {}, ply {}: {name} loses by a fault: {}: {}",
            record.game + 1,
            record.moves.len() + 1,
            fault.kind,
            fault.detail
        );
        match &self.bar {
            Some(bar) => bar.println(line),
            // The match goes on if nobody watches.
            None => drop(writeln!(self.err, "{line}")),
        }
    }

    /// Tells that a game is finished.
    pub(super) fn game(&mut self, standings: &Standings) {
        self.played += 1;
        let interval = if self.bar.is_some() {
            TABLE_EVERY
        } else {
            LINE_EVERY
        };
        let is_due = self.told.is_none_or(|told| told.elapsed() >= interval);
        if let Some(bar) = &self.bar {
            bar.set_position(self.played);
        }
        if !is_due && self.played < self.planned {
            return;
        }
        self.told = Some(Instant::now());
        let summary = Summary::of(standings);
        if let Some(bar) = &self.bar {
            bar.set_message(format!("{}\n{}", summary.table(), summary.line()));
        } else {
            let seconds = self.started.elapsed().as_secs_f64();
            let rate = self.played as f64 / seconds;
            let left = (self.planned - self.played) as f64 / rate;
            let line = summary.line();
            drop(writeln!(
                self.err,
                "{line}, {rate:.2} games/s, {left:.0} s left"
            ));
        }
    }
}

impl Drop for Progress<'_> {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
