//! The gate under a model checker: all orders of the steps of two threads, and many random orders of those of more. A thread that would
//! wait for ever is a deadlock, which the checker finds.

use super::{Flag, Gate, Monitor};
use shuttle::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use shuttle::sync::{Arc, Condvar, Mutex};
use shuttle::thread;
use std::time::Instant;

/// Random orders that are tried where there are too many to try all.
const DRAWN: usize = 3_000;

impl Flag for AtomicBool {
    fn raise(&self) {
        self.store(true, SeqCst);
    }

    fn is_raised(&self) -> bool {
        self.load(SeqCst)
    }
}

struct Modelled<T> {
    value: Mutex<T>,
    changed: Condvar,
}

impl<T> Monitor<T> for Modelled<T> {
    fn new(value: T) -> Self {
        Self {
            value: Mutex::new(value),
            changed: Condvar::new(),
        }
    }

    fn with<U>(&self, look: impl FnOnce(&mut T) -> U) -> U {
        look(&mut self.value.lock().expect("nobody panics under the lock"))
    }

    fn wait_while(&self, condition: impl FnMut(&mut T) -> bool) {
        let value = self.value.lock().expect("nobody panics under the lock");
        drop(self.changed.wait_while(value, condition));
    }

    fn wake_all(&self) {
        self.changed.notify_all();
    }
}

type Model = Gate<AtomicBool, Modelled<Option<Instant>>>;

fn on_the_clock() -> Arc<Model> {
    Arc::new(Gate::new(Some(Instant::now())))
}

fn pondering() -> Arc<Model> {
    Arc::new(Gate::new(None))
}

/// Starts a search that has nothing left to do.
fn waiting(gate: &Arc<Model>, is_endless: bool) -> thread::JoinHandle<()> {
    let gate = Arc::clone(gate);
    thread::spawn(move || gate.wait(is_endless))
}

#[test]
fn a_stop_ends_every_wait() {
    for is_endless in [false, true] {
        shuttle::check_dfs(
            move || {
                let gate = pondering();
                let search = waiting(&gate, is_endless);
                gate.stop();
                search.join().expect("it ends");
                assert!(gate.is_stopped());
            },
            None,
        );
    }
}

#[test]
fn the_clock_ends_a_wait_that_is_not_endless() {
    shuttle::check_dfs(
        || {
            let gate = pondering();
            let search = waiting(&gate, false);
            gate.start_clock(Instant::now());
            search.join().expect("it ends");
            assert!(!gate.is_stopped());
            assert!(gate.clock_started().is_some());
        },
        None,
    );
}

#[test]
fn on_the_clock_only_endless_searches_wait() {
    shuttle::check_dfs(
        || {
            let gate = on_the_clock();
            gate.wait(false);
            let search = waiting(&gate, true);
            gate.start_clock(Instant::now());
            gate.stop();
            search.join().expect("it ends");
        },
        None,
    );
}

/// A ponder hit and a stop from different threads, in any order, one of them perhaps when all is over.
#[test]
fn orders_may_come_in_any_order() {
    shuttle::check_random(
        || {
            let gate = pondering();
            let searches = [false, true].map(|is_endless| waiting(&gate, is_endless));
            let hit = {
                let gate = Arc::clone(&gate);
                thread::spawn(move || gate.start_clock(Instant::now()))
            };
            gate.stop();
            for thread in searches.into_iter().chain([hit]) {
                thread.join().expect("it ends");
            }
            gate.stop();
            gate.wait(true);
        },
        DRAWN,
    );
}

/// A team: the leader waits until it is told that its clock runs, and stops the helpers when it ends; they have no limits of their own.
#[test]
fn helpers_end_with_their_leader() {
    shuttle::check_random(
        || {
            let gate = pondering();
            let ended = Arc::new(AtomicUsize::new(0));
            let helpers: Vec<_> = (0..3)
                .map(|_| {
                    let (gate, ended) = (Arc::clone(&gate), Arc::clone(&ended));
                    thread::spawn(move || {
                        while !gate.is_stopped() {
                            thread::yield_now();
                        }
                        ended.fetch_add(1, SeqCst);
                    })
                })
                .collect();
            let leader = {
                let gate = Arc::clone(&gate);
                thread::spawn(move || {
                    gate.wait(false);
                    gate.stop();
                })
            };
            gate.start_clock(Instant::now());
            leader.join().expect("it ends");
            for helper in helpers {
                helper.join().expect("it ends");
            }
            assert_eq!(ended.load(SeqCst), 3);
        },
        DRAWN,
    );
}

/// The checker sees the fault that the lock in [`Gate::stop`] prevents: without it a wait is missed.
#[test]
#[should_panic(expected = "deadlock")]
fn a_stop_without_the_lock_is_missed() {
    shuttle::check_dfs(
        || {
            let gate = pondering();
            let search = waiting(&gate, true);
            gate.stopped.raise();
            gate.clock_started.wake_all();
            search.join().expect("it ends");
        },
        None,
    );
}
