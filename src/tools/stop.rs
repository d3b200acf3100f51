//! The signal that ends a long job early: a match, self-play, a fit, a build of a book.

use crossbeam_channel::{Receiver, Sender, TryRecvError, bounded};
use parking_lot::Mutex;
use std::convert::Infallible;
use std::sync::Arc;

/// Tells all parts of a job that it is to end. Whoever waits for something else, such as an engine, waits for this too. Clones are the same signal.
#[derive(Clone, Debug)]
pub struct Stop {
    /// Gone when the job is to end, which closes the channel.
    sender: Arc<Mutex<Option<Sender<Infallible>>>>,
    receiver: Receiver<Infallible>,
}

impl Stop {
    /// Makes a signal that is not given yet.
    pub fn new() -> Self {
        let (sender, receiver) = bounded(0);
        Self {
            sender: Arc::new(Mutex::new(Some(sender))),
            receiver,
        }
    }

    /// Gives the signal. May be called at any time, from any thread.
    pub fn give(&self) {
        self.sender.lock().take();
    }

    /// Says whether the job is to end.
    pub fn is_given(&self) -> bool {
        self.receiver.try_recv() == Err(TryRecvError::Disconnected)
    }

    /// Returns a channel that closes when the job is to end, and never has anything before.
    pub fn channel(&self) -> &Receiver<Infallible> {
        &self.receiver
    }
}

impl Default for Stop {
    fn default() -> Self {
        Self::new()
    }
}
