//! A search in the background, whose answer comes in time even when the processors have none for the search.
//!
//! A thread that has been computing has to wait for its turn when other programs want the processors: 30 ms are common, and it cannot
//! look at the clock meanwhile. A thread that has been asleep is woken at once. So the thread that waits for the answer keeps the time: a
//! little after the search should have ended by itself, [`Thinking::overdue`] wakes it, and it answers with what
//! [`Thinking::so_far`] returns, while the search is left to notice its end when it can. A next search waits until the search
//! threads are free, but the answer to this one does not.

use super::Job;
use crate::rules::Rules;
use crate::search::{Control, Outcome, Report};
use crossbeam_channel::{Receiver, at, never, unbounded};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

/// How much later than asked a search may end by itself before it is answered for.
const GRACE: Duration = Duration::from_millis(3);

/// What a search says.
#[derive(Clone, Debug)]
pub enum Event {
    /// An iteration is complete.
    Iteration(Report),
    /// The search has ended, and when.
    Done(Outcome, Instant),
}

/// A search that runs. Dropping it stops the search.
pub struct Thinking<R> {
    job: Arc<Job<R>>,
    control: Arc<Control>,
    events: Receiver<Event>,
    /// How long the mover's clock may run; `None` without a limit of time.
    time_limit: Option<Duration>,
    /// When the search was told to stop.
    stopped: Option<Instant>,
}

impl<R: Rules> Thinking<R> {
    /// Starts a search, whose clock starts when `control` says so. The error is that of a thread that cannot be started.
    pub fn start(job: Job<R>, control: Control) -> io::Result<Self> {
        let (job, control) = (Arc::new(job), Arc::new(control));
        let (sender, events) = unbounded();
        let thinking = Self {
            time_limit: job.task.time_limit(),
            job: Arc::clone(&job),
            control: Arc::clone(&control),
            events,
            stopped: None,
        };
        let search = move || {
            let mut report = |report: &Report| {
                // Nobody may be listening any more.
                let _ = sender.send(Event::Iteration(report.clone()));
            };
            // If the search panics, the channel closes without an end.
            let outcome = catch_unwind(AssertUnwindSafe(|| job.run(&control, &mut report)));
            if let Ok(outcome) = outcome {
                let _ = sender.send(Event::Done(outcome, Instant::now()));
            }
        };
        thread::Builder::new()
            .name("search".to_owned())
            .spawn(search)?;
        Ok(thinking)
    }

    /// Returns the channel of what the search says. It closes without a [`Event::Done`] if the search failed.
    pub fn events(&self) -> &Receiver<Event> {
        &self.events
    }

    /// Returns a channel that becomes ready when the search should have answered.
    pub fn overdue(&self) -> Receiver<Instant> {
        let time_is_up = |limit| self.control.clock_started().map(|start| start + limit);
        let ends = [self.stopped, self.time_limit.and_then(time_is_up)];
        let first = ends.into_iter().flatten().min();
        first.map_or_else(never, |end| at(end + GRACE))
    }

    /// Has the search end as soon as possible.
    pub fn stop(&mut self) {
        self.control.stop();
        self.stopped.get_or_insert_with(Instant::now);
    }

    /// Says that the opponent has played the expected move, and when.
    pub fn ponder_hit(&self, at: Instant) {
        self.control.ponder_hit(at);
    }

    /// Returns the answer as far as the search has got. If it has finished no iteration, a glance at the position must do, here and now.
    pub fn so_far(&self) -> Outcome {
        let so_far = self.job.so_far(&self.control);
        so_far.unwrap_or_else(|| self.job.glance())
    }
}

impl<R> Drop for Thinking<R> {
    fn drop(&mut self) {
        self.control.stop();
    }
}
