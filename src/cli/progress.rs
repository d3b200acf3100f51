//! What is told of a long step while it runs: a bar on a terminal, else a line now and then.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// How often a plain line is written.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// Returns a bar for work that is counted, if there is a terminal to show it.
pub(super) fn bar(unit: &str, wanted: u64) -> Option<ProgressBar> {
    io::stderr().is_terminal().then(|| {
        let bar = ProgressBar::with_draw_target(Some(wanted), ProgressDrawTarget::stderr());
        let template = format!("{{wide_bar}} {{pos}}/{{len}} {unit}, {{per_sec}}, {{eta}} left");
        let style = ProgressStyle::with_template(&template).expect("the template is right");
        bar.with_style(style)
    })
}

/// The progress of work that is counted.
pub(super) struct Progress<'a> {
    /// On a terminal.
    bar: Option<ProgressBar>,
    err: &'a mut dyn Write,
    /// What is counted.
    unit: &'static str,
    /// Done before this run.
    before: u64,
    wanted: u64,
    started: Instant,
    told: Instant,
}

impl<'a> Progress<'a> {
    /// Begins with a part done before.
    pub(super) fn new(
        unit: &'static str,
        before: u64,
        wanted: u64,
        err: &'a mut dyn Write,
    ) -> Self {
        Self {
            bar: bar(unit, wanted).map(|bar| bar.with_position(before)),
            err,
            unit,
            before,
            wanted,
            started: Instant::now(),
            told: Instant::now(),
        }
    }

    /// Tells how much is done.
    pub(super) fn done(&mut self, done: u64) {
        if let Some(bar) = &self.bar {
            bar.set_position(done);
            return;
        }
        if self.told.elapsed() < LINE_EVERY && done < self.wanted {
            return;
        }
        self.told = Instant::now();
        let rate = (done - self.before) as f64 / self.started.elapsed().as_secs_f64();
        let left = self.wanted.saturating_sub(done) as f64 / rate;
        let (unit, wanted) = (self.unit, self.wanted);
        // The work goes on if nobody watches.
        let line = format!("{done} of {wanted} {unit}, {rate:.0} a second, {left:.0} s left");
        drop(writeln!(self.err, "{line}"));
    }
}

impl Drop for Progress<'_> {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
