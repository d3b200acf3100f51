//! Ending an analysis early: every search that runs is stopped, and none begins.

use crate::search::Control;
use crossbeam_channel::{Receiver, Sender, bounded};
use parking_lot::Mutex;
use std::convert::Infallible;
use std::sync::Arc;

/// The way to end everything that was begun with it. Clones are the same.
#[derive(Clone, Debug)]
pub struct Interrupt {
    state: Arc<Mutex<State>>,
    given: Receiver<Infallible>,
}

#[derive(Debug)]
struct State {
    /// Gone when the analysis is to end, which closes the channel.
    sender: Option<Sender<Infallible>>,
    /// The searches that run.
    searches: Vec<Arc<Control>>,
}

impl Default for Interrupt {
    fn default() -> Self {
        let (sender, given) = bounded(0);
        let state = State {
            sender: Some(sender),
            searches: Vec::new(),
        };
        Self {
            state: Arc::new(Mutex::new(state)),
            given,
        }
    }
}

impl Interrupt {
    /// Ends the analysis. May be called at any time and more than once.
    pub fn give(&self) {
        let mut state = self.state.lock();
        state.sender = None;
        for search in &state.searches {
            search.stop();
        }
    }

    /// Says whether the analysis is to end.
    pub fn is_given(&self) -> bool {
        self.state.lock().sender.is_none()
    }

    /// Returns a channel that closes when the analysis is to end, and never has anything before.
    pub fn channel(&self) -> &Receiver<Infallible> {
        &self.given
    }

    /// Runs a search that an interruption stops.
    pub(super) fn watch<T>(&self, search: impl FnOnce(&Control) -> T) -> T {
        let control = Arc::new(Control::new());
        {
            let mut state = self.state.lock();
            if state.sender.is_none() {
                control.stop();
            }
            state.searches.push(Arc::clone(&control));
        }
        let _forget = Forget(self, &control);
        search(&control)
    }
}

/// Takes a search off the list, even if it panicked.
struct Forget<'a>(&'a Interrupt, &'a Arc<Control>);

impl Drop for Forget<'_> {
    fn drop(&mut self) {
        let mut state = self.0.state.lock();
        state.searches.retain(|search| !Arc::ptr_eq(search, self.1));
    }
}
