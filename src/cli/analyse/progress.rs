//! What is told of an analysis while it runs: on a terminal a line that stays in its place, else a line now and then.

use crate::cli::counted;
use crate::notation::moves;
use crate::rules::{Game, Rules};
use crate::search::Report;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// How often a plain line is written.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// The progress of the search of one position, for terminals only.
pub(super) struct SearchProgress(Option<ProgressBar>);

impl SearchProgress {
    pub(super) fn new() -> Self {
        Self(io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            let style = ProgressStyle::with_template("{elapsed} {wide_msg}");
            bar.with_style(style.expect("the template is right"))
        }))
    }

    /// Shows what the last iteration has found.
    pub(super) fn report<R: Rules>(&self, game: &Game<R>, report: &Report) {
        if let Some(bar) = &self.0 {
            let line = moves::write_line::<R>(game.position(), &report.pv).join(" ");
            let score = f64::from(report.score.0) / 100.0;
            bar.set_message(format!("depth {} {score:+.2} {line}", report.depth));
        }
    }
}

impl Drop for SearchProgress {
    fn drop(&mut self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}

/// What workers count.
#[derive(Default)]
pub(super) struct Counts {
    /// Positions that were analysed.
    positions: AtomicU64,
    /// The part of the input that is done with, in bytes.
    bytes: AtomicU64,
    /// The part of that which an earlier run has done.
    skipped: AtomicU64,
}

impl Counts {
    /// Counts a position of a game of so many bytes and positions.
    pub(super) fn position(&self, bytes: u64, positions: usize) {
        self.positions.fetch_add(1, Relaxed);
        self.bytes.fetch_add(bytes / positions as u64, Relaxed);
    }

    /// Counts a part of the input that was done before.
    pub(super) fn skip(&self, bytes: u64) {
        self.skipped.fetch_add(bytes, Relaxed);
        self.bytes.fetch_add(bytes, Relaxed);
    }
}

/// The progress of a run over games.
pub(super) struct Progress {
    bar: Option<ProgressBar>,
    /// The size of the input in bytes, if it is known.
    total: Option<u64>,
    games: u64,
    started: Instant,
    told: Instant,
}

impl Progress {
    pub(super) fn new(total: Option<u64>) -> Self {
        let bar = io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::stderr());
            let template = match total {
                Some(_) => "{wide_bar} {percent}%, {msg}",
                None => "{elapsed} {msg}",
            };
            let style = ProgressStyle::with_template(template);
            bar.with_style(style.expect("the template is right"))
        });
        Self {
            bar,
            total,
            games: 0,
            started: Instant::now(),
            told: Instant::now(),
        }
    }

    /// Counts a finished game.
    pub(super) fn game(&mut self) {
        self.games += 1;
    }

    /// Writes a line that is to stay.
    pub(super) fn line(&self, err: &mut dyn Write, line: &str) {
        match &self.bar {
            Some(bar) => bar.println(line),
            // The work goes on if nobody watches.
            None => drop(writeln!(err, "{line}")),
        }
    }

    /// Tells how far the work is.
    pub(super) fn tell(&mut self, counts: &Counts, err: &mut dyn Write) {
        if let Some(bar) = &self.bar {
            bar.set_position(counts.bytes.load(Relaxed));
            bar.set_message(self.words(counts));
        } else if self.told.elapsed() >= LINE_EVERY {
            self.told = Instant::now();
            let _ = writeln!(err, "{}", self.words(counts));
        }
    }

    fn words(&self, counts: &Counts) -> String {
        let all = [&counts.positions, &counts.bytes, &counts.skipped];
        let [positions, bytes, skipped] = all.map(|count| count.load(Relaxed));
        let seconds = self.started.elapsed().as_secs_f64();
        let rate = positions as f64 / seconds;
        let games = counted(self.games, "game", "games");
        let positions = counted(positions, "position", "positions");
        let words = format!("{games}, {positions}, {rate:.1} positions/s");
        let done = bytes.saturating_sub(skipped);
        match self.total {
            Some(total) if done > 0 => {
                let left = total.saturating_sub(bytes) as f64 / done as f64 * seconds;
                let percent = 100 * bytes / total.max(1);
                format!("{words}, {percent}% of the input, {} left", duration(left))
            }
            _ => words,
        }
    }
}

/// Writes a number of seconds as people say it.
fn duration(seconds: f64) -> String {
    let seconds = seconds.round() as u64;
    match (seconds / 3600, seconds / 60 % 60) {
        (0, 0) => format!("{seconds} s"),
        (0, minutes) => format!("{minutes} min {} s", seconds % 60),
        (hours, minutes) => format!("{hours} h {minutes} min"),
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
