//! The threads of the search.

use rayon::{ThreadPool, ThreadPoolBuilder};

/// Room for the deepest line: each ply of the search keeps its list of moves on the stack.
const STACK_BYTES: usize = 16 << 20;

/// A fixed number of threads that wait for searches: a rayon thread pool of exactly that many members.
pub struct Team {
    threads: ThreadPool,
}

/// Says that the threads could not be started.
#[derive(Debug, thiserror::Error)]
#[error("cannot start {0} search threads: {1}")]
pub struct TeamError(usize, #[source] rayon::ThreadPoolBuildError);

impl Team {
    /// Starts a team of so many threads, at least one.
    pub fn new(threads: usize) -> Result<Self, TeamError> {
        let threads = threads.max(1);
        let builder = ThreadPoolBuilder::new()
            .num_threads(threads)
            .stack_size(STACK_BYTES)
            .thread_name(|index| format!("search-{index}"));
        let threads = builder.build().map_err(|error| TeamError(threads, error))?;
        Ok(Self { threads })
    }

    /// Returns the number of threads.
    pub fn threads(&self) -> usize {
        self.threads.current_num_threads()
    }

    /// Calls a function once on every thread, with the thread's index, and returns when all have finished.
    pub(crate) fn broadcast(&self, job: impl Fn(usize) + Sync) {
        self.threads.broadcast(|context| job(context.index()));
    }

    /// Runs a function within the team, so that rayon's iterators in it use these threads.
    pub fn install<T: Send>(&self, job: impl FnOnce() -> T + Send) -> T {
        self.threads.install(job)
    }
}
