//! Stopping a search, telling it that the expected move was played, and asking what it would answer now.
//!
//! A search that may not end by itself (endless analysis, pondering) waits here when it has nothing left to do.

use super::gate::Gate;
use super::{Outcome, Report};
use crate::board::Move;
use parking_lot::Mutex;
use std::time::Instant;

/// The handle by which another thread steers one search.
#[derive(Debug)]
pub struct Control {
    gate: Gate,
    /// What the search would answer now.
    so_far: Mutex<Outcome>,
}

impl Control {
    /// Makes the handle of a search on the mover's own time, which begins now.
    pub fn new() -> Self {
        Self::since(Instant::now())
    }

    /// Makes the handle of a search on the mover's own time, which began when it was asked for.
    pub fn since(asked: Instant) -> Self {
        Self::with_clock(Some(asked))
    }

    /// Makes the handle of a search on the opponent's time: no limit of time holds before [`Self::ponder_hit`].
    pub fn pondering() -> Self {
        Self::with_clock(None)
    }

    fn with_clock(clock_started: Option<Instant>) -> Self {
        Self {
            gate: Gate::new(clock_started),
            so_far: Mutex::default(),
        }
    }

    /// Ends the search as soon as possible. May be called at any time, even when the search is over.
    pub fn stop(&self) {
        self.gate.stop();
    }

    /// Says when the opponent played the expected move: the mover's clock runs from then on, unless it runs already.
    pub fn ponder_hit(&self, at: Instant) {
        self.gate.start_clock(at);
    }

    /// Says whether the search is to end.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.gate.is_stopped()
    }

    /// Returns when the mover's clock began to run, or `None` while pondering.
    pub fn clock_started(&self) -> Option<Instant> {
        self.gate.clock_started()
    }

    /// Returns what the search would answer now; there is no move in it if the search has not begun yet.
    pub fn so_far(&self) -> Outcome {
        self.so_far.lock().clone()
    }

    /// Takes note of what the last iteration found.
    pub(super) fn found(&self, outcome: &Outcome) {
        self.so_far.lock().clone_from(outcome);
    }

    /// Takes note of a better line within an iteration.
    pub(super) fn found_line(&self, line: &[Move]) {
        let mut so_far = self.so_far.lock();
        let pv = line.to_vec();
        *so_far = Outcome {
            best: pv.first().copied(),
            report: Report {
                pv,
                ..std::mem::take(&mut so_far.report)
            },
        };
    }

    /// Waits until the search is told to stop or, unless it is endless, until the mover's clock runs.
    pub(super) fn wait(&self, is_endless: bool) {
        self.gate.wait(is_endless);
    }
}

impl Default for Control {
    fn default() -> Self {
        Self::new()
    }
}
