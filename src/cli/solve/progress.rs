//! What is told of a proof while it goes on: on a terminal a line that stays in its place.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt::Write;
use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// How often the line is drawn anew.
const DRAWN_EVERY: Duration = Duration::from_millis(200);

/// The progress of the proof of one position, for terminals only.
pub(super) struct Progress(Option<Shown>);

/// The line, and what it counts.
struct Shown {
    bar: ProgressBar,
    judged: Arc<AtomicU64>,
}

impl Progress {
    /// Begins with nothing judged, of so many positions at most.
    pub(super) fn new(most: u64) -> Self {
        Self(io::stderr().is_terminal().then(|| Shown::new(most)))
    }

    /// Returns what the positions are to be counted by, if anybody watches.
    pub(super) fn counter(&self) -> Option<Arc<AtomicU64>> {
        self.0.as_ref().map(|shown| Arc::clone(&shown.judged))
    }

    /// Tells that the proof is done, and what comes behind it.
    pub(super) fn looks_for_duals(&self) {
        if let Some(shown) = &self.0 {
            shown.bar.set_message("for duals too");
        }
    }
}

impl Shown {
    fn new(most: u64) -> Self {
        let judged = Arc::new(AtomicU64::new(0));
        let counted = Arc::clone(&judged);
        // If nothing can be written there, nobody sees it.
        let count = move |_: &ProgressState, out: &mut dyn Write| {
            let _ = write!(out, "{}", counted.load(Relaxed));
        };
        let style = ProgressStyle::with_template("{elapsed} {judged} positions judged, {msg}");
        let style = style.expect("the template is right");
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        let bar = bar.with_style(style.with_key("judged", count));
        bar.set_message(format!("{most} at most"));
        bar.enable_steady_tick(DRAWN_EVERY);
        Self { bar, judged }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(shown) = &self.0 {
            shown.bar.finish_and_clear();
        }
    }
}
