//! The hand-over between a search and whoever steers it: the order to stop, the start of the mover's clock, and waiting for either.
//!
//! What can go wrong here is an order that comes between a check and a wait and is missed: a GUI would wait for ever. So this part is
//! generic over the two primitives that it needs, and the tests put those of a model checker in their place, which tries the orders in
//! which threads can take their steps.

use parking_lot::{Condvar, Mutex};
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

/// A flag that is raised once.
pub(super) trait Flag: Default {
    fn raise(&self);
    fn is_raised(&self) -> bool;
}

/// A value under a lock, whose changes can be waited for.
pub(super) trait Monitor<T> {
    fn new(value: T) -> Self;
    /// Looks at the value, or changes it, while nobody else does.
    fn with<U>(&self, look: impl FnOnce(&mut T) -> U) -> U;
    /// Waits while the condition holds. It is checked under the lock, and again whenever [`Self::wake_all`] is called.
    fn wait_while(&self, condition: impl FnMut(&mut T) -> bool);
    /// Wakes all that wait.
    fn wake_all(&self);
}

/// The gate between a search and whoever steers it.
pub(super) struct Gate<F = AtomicBool, M = Locked<Option<Instant>>> {
    /// Read by every worker every few hundred nodes.
    stopped: F,
    /// When the mover's clock began to run; not yet while pondering.
    clock_started: M,
}

impl<F: Flag, M: Monitor<Option<Instant>>> Gate<F, M> {
    pub(super) fn new(clock_started: Option<Instant>) -> Self {
        Self {
            stopped: F::default(),
            clock_started: M::new(clock_started),
        }
    }

    /// Ends the search as soon as possible.
    pub(super) fn stop(&self) {
        // Under the lock, or a worker between its check and its wait would miss the call.
        self.clock_started.with(|_| self.stopped.raise());
        self.clock_started.wake_all();
    }

    /// Starts the mover's clock, if it does not run yet.
    pub(super) fn start_clock(&self, at: Instant) {
        self.clock_started.with(|started| {
            started.get_or_insert(at);
        });
        self.clock_started.wake_all();
    }

    #[inline]
    pub(super) fn is_stopped(&self) -> bool {
        self.stopped.is_raised()
    }

    /// Returns when the mover's clock began to run.
    pub(super) fn clock_started(&self) -> Option<Instant> {
        self.clock_started.with(|started| *started)
    }

    /// Waits until the search is told to stop or, unless it is endless, until the mover's clock runs.
    pub(super) fn wait(&self, is_endless: bool) {
        self.clock_started
            .wait_while(|started| !self.is_stopped() && (is_endless || started.is_none()));
    }
}

impl Flag for AtomicBool {
    fn raise(&self) {
        self.store(true, Relaxed);
    }

    #[inline]
    fn is_raised(&self) -> bool {
        self.load(Relaxed)
    }
}

/// A value with the lock and the condition variable of `parking_lot`.
pub(super) struct Locked<T> {
    value: Mutex<T>,
    changed: Condvar,
}

impl<T> Monitor<T> for Locked<T> {
    fn new(value: T) -> Self {
        Self {
            value: Mutex::new(value),
            changed: Condvar::new(),
        }
    }

    fn with<U>(&self, look: impl FnOnce(&mut T) -> U) -> U {
        look(&mut self.value.lock())
    }

    fn wait_while(&self, condition: impl FnMut(&mut T) -> bool) {
        self.changed.wait_while(&mut self.value.lock(), condition);
    }

    fn wake_all(&self) {
        self.changed.notify_all();
    }
}

impl fmt::Debug for Gate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Gate")
            .field("is_stopped", &self.is_stopped())
            .field("clock_started", &self.clock_started())
            .finish()
    }
}

#[cfg(test)]
mod tests;
