//! Many items side by side, with the results in the order of the items.
//!
//! A thread of its own reads; it is not waited for, so that a run can be ended while standard input has nothing to say. Each item needs a
//! ticket, which is given back when its result has been taken: so a slow item holds the reader up in the end, and memory does not grow
//! with the input.

use crate::cli::Failure;
use crate::tools::analysis::Interrupt;
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded, select, unbounded};
use std::collections::BTreeMap;
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// How often progress is looked at when nothing else happens.
const TICK: Duration = Duration::from_millis(200);
/// The items on their way, for each worker.
const WINDOW: usize = 4;

/// Takes the results.
pub(super) trait Sink<U> {
    /// Takes the next result. An error ends the run.
    fn take(&mut self, result: U) -> Result<(), Failure>;

    /// Time has passed.
    fn tick(&mut self) {}
}

/// Items that are being read, each with its number.
pub(super) struct Source<T> {
    items: Receiver<(usize, T)>,
    tickets: Receiver<()>,
    reader: JoinHandle<()>,
}

impl<T: Send + 'static> Source<T> {
    /// Begins to read for so many workers. What is read from is made in the reader's thread.
    pub(super) fn start<I: Iterator<Item = T>>(
        workers: usize,
        make: impl FnOnce() -> I + Send + 'static,
    ) -> Result<Self, Failure> {
        let (ticket_sender, tickets) = bounded(WINDOW * workers);
        let (item_sender, items) = bounded(workers);
        let read = move || {
            for item in make().enumerate() {
                let is_wanted = ticket_sender.send(()).is_ok() && item_sender.send(item).is_ok();
                if !is_wanted {
                    break;
                }
            }
        };
        let builder = thread::Builder::new().name("reader".to_owned());
        let reader = builder.spawn(read);
        let reader =
            reader.map_err(|error| Failure::Failed(format!("cannot start a thread: {error}")))?;
        Ok(Self {
            items,
            tickets,
            reader,
        })
    }

    /// Works on all items, and returns when every result is taken, one could not be taken, or the run was interrupted. `work` returns nothing if
    /// it was interrupted; its results behind the first gap are dropped.
    pub(super) fn work<U: Send, W: Send>(
        self,
        workers: Vec<W>,
        interrupt: &Interrupt,
        work: impl Fn(&mut W, T) -> Option<U> + Sync,
        sink: &mut dyn Sink<U>,
    ) -> Result<(), Failure> {
        let Self {
            items,
            tickets,
            reader,
        } = self;
        let (sender, results) = unbounded();
        let taken = thread::scope(|scope| {
            for (index, mut worker) in workers.into_iter().enumerate() {
                let (items, sender, work) = (items.clone(), sender.clone(), &work);
                let run =
                    move || work_off(&items, interrupt, &sender, |item| work(&mut worker, item));
                let builder = thread::Builder::new().name(format!("analyse-{}", index + 1));
                if let Err(error) = builder.spawn_scoped(scope, run) {
                    interrupt.give();
                    return Err(Failure::Failed(format!("cannot start a thread: {error}")));
                }
            }
            drop((sender, items));
            take_in_order(&results, &tickets, interrupt, sink)
        });
        taken?;
        drop(tickets);
        // What the workers took for the end of the input is that only if the reader got there.
        if !interrupt.is_given() && reader.join().is_err() {
            return Err(Failure::Failed("the reader of the input failed".to_owned()));
        }
        Ok(())
    }
}

/// Works on items until there are none, or the run is interrupted.
fn work_off<T, U>(
    items: &Receiver<(usize, T)>,
    interrupt: &Interrupt,
    results: &Sender<(usize, U)>,
    mut work: impl FnMut(T) -> Option<U>,
) {
    loop {
        let (number, item) = select! {
            recv(items) -> item => match item {
                Ok(item) => item,
                Err(_) => return,
            },
            recv(interrupt.channel()) -> _ => return,
        };
        let Some(result) = work(item) else { return };
        if results.send((number, result)).is_err() {
            return;
        }
    }
}

/// Takes results until the workers are gone.
fn take_in_order<U>(
    results: &Receiver<(usize, U)>,
    tickets: &Receiver<()>,
    interrupt: &Interrupt,
    sink: &mut dyn Sink<U>,
) -> Result<(), Failure> {
    let mut early = BTreeMap::new();
    let mut outcome = Ok(());
    let mut next = 0;
    loop {
        match results.recv_timeout(TICK) {
            Ok((number, result)) => {
                early.insert(number, result);
            }
            Err(RecvTimeoutError::Timeout) => sink.tick(),
            Err(RecvTimeoutError::Disconnected) => return outcome,
        }
        while let Some(result) = early.remove(&next) {
            next += 1;
            let _ = tickets.try_recv();
            if outcome.is_ok() {
                outcome = sink.take(result);
                if outcome.is_err() {
                    interrupt.give();
                }
            }
        }
    }
}
