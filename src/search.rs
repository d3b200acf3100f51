//! The search: iterative deepening over a principal variation search, by a team of threads that share a table.
//!
//! The idea in one paragraph: [`Task::run`] gives every member of a [`Team`] a worker of its own and lets all of them search the
//! same position deeper and deeper, meeting only in the transposition [`Table`] (Lazy SMP: no splitting of
//! the tree, no locks; the gain comes from what the others have already stored). Worker 0, the main worker, alone
//! has the clock and the observer, and its result is the result. With one thread and a limit by depth
//! or nodes the search is a function of game, options and an empty table.
//!
//! What is done at a node stands in `pvs`. Each technique has a file: `reduce` (late move and internal reductions), `prune`
//! (reverse futility, `ProbCut`), `order` and `history` (which move first), `qsearch` (below the horizon), `tables` (endgame tables). Their numbers are
//! in `params`, those of time in `time`.
//!
//! This layer prints nothing and knows no protocol. It reports to an [`Observer`].
#![deny(clippy::float_arithmetic)]

mod control;
mod gate;
mod history;
mod limits;
mod order;
mod params;
mod prune;
mod pvs;
mod qsearch;
mod reduce;
mod tables;
mod team;
mod time;
mod worker;

pub use control::Control;
pub use limits::{Clock, Limits};
pub use params::MAX_DEPTH;
pub use team::{Team, TeamError};

use crate::board::Move;
use crate::egdb::Tables;
use crate::eval::Evaluation;
use crate::rules::{Game, Rules};
use crate::score::{Depth, Score};
use crate::tt::Table;
use crossbeam_utils::CachePadded;
use parking_lot::Mutex;
use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};
use tables::Known;
use time::Budget;
use worker::Worker;

/// A way for the game to go on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// The value of its first move, for the side that plays it.
    pub score: Score,
    /// The moves, from the root.
    pub pv: Vec<Move>,
}

/// What is known after an iteration.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The iteration, in plies.
    pub depth: Depth,
    /// The sum of the distances from the root of all evaluated positions, and their number.
    pub leaf_plies: (u64, u64),
    /// The value of the position for the side to move.
    pub score: Score,
    /// Positions searched so far, by all threads.
    pub nodes: u64,
    /// How often endgame tables answered, over all threads; 0 until the search is over.
    pub table_hits: u64,
    /// Time since the search began.
    pub time: Duration,
    /// The best line, from the root.
    pub pv: Vec<Move>,
    /// The next best lines, best first, if [`Limits::lines`] asks for more than one. No two lines have the same first move.
    pub others: Vec<Line>,
}

/// The result of a search.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The best move; none if there is no legal one.
    pub best: Option<Move>,
    /// What is known after the last complete iteration, with the final count of nodes and time.
    pub report: Report,
}

impl Outcome {
    /// Returns the reply that is expected to the best move.
    pub fn ponder(&self) -> Option<Move> {
        match self.report.pv[..] {
            [first, second, ..] if Some(first) == self.best => Some(second),
            _ => None,
        }
    }
}

/// Is told, on the main worker's thread, what the search finds while it runs.
pub trait Observer: Send {
    /// An iteration is complete.
    fn iteration(&mut self, report: &Report);
}

impl<F: FnMut(&Report) + Send> Observer for F {
    fn iteration(&mut self, report: &Report) {
        self(report);
    }
}

/// What all workers of a search share.
struct Shared<'a> {
    table: &'a Table,
    control: &'a Control,
    /// The limits of the task; where tables know the root, with the moves that they recommend.
    limits: Cow<'a, Limits>,
    /// What tables say of the root.
    known: Option<Known>,
    evaluation: &'a Evaluation,
    draw_rules: bool,
    contempt: i32,
    /// When the search was asked for, before any thread woke.
    started: Instant,
    /// Positions searched by each worker, on cache lines of their own.
    nodes: Vec<CachePadded<AtomicU64>>,
    /// How often tables answered, added up as workers finish.
    table_hits: AtomicU64,
}

impl Shared<'_> {
    fn nodes(&self) -> u64 {
        self.nodes.iter().map(|count| count.load(Relaxed)).sum()
    }

    /// Completes the counts of an outcome when every worker has stopped.
    fn complete(&self, outcome: &mut Outcome) {
        outcome.report.nodes = self.nodes();
        outcome.report.table_hits = self.table_hits.load(Relaxed);
    }
}

/// What to search, and with what.
#[derive(Clone)]
pub struct Task<R> {
    /// The position, and the past that the draw rules need.
    pub game: Game<R>,
    /// The limits of the search.
    pub limits: Limits,
    /// How positions are evaluated.
    pub evaluation: Evaluation,
    /// Whether the counts of the rule set end the game within the search. Repetition does in any case.
    pub draw_rules: bool,
    /// What a draw by repetition or by a count costs the side that moves at the root, in hundredths of a man; less than a man.
    pub contempt: i32,
    /// Endgame tables to ask.
    pub tables: Option<Arc<Tables<R>>>,
}

impl<R: Rules> Task<R> {
    /// Makes the task of searching a game with the default evaluation, all draw rules, no contempt and no tables.
    pub fn new(game: Game<R>, limits: Limits) -> Self {
        Self {
            game,
            limits,
            evaluation: Evaluation::default(),
            draw_rules: true,
            contempt: 0,
            tables: None,
        }
    }

    /// Searches until a limit is reached or `control` says stop, and returns when every worker has stopped.
    ///
    /// A position that is drawn by rule is searched all the same: expired counts and repetitions at the root are ignored.
    pub fn run(
        &self,
        team: &Team,
        table: &Table,
        control: &Control,
        observer: &mut dyn Observer,
    ) -> Outcome {
        let shared = self.share(team.threads(), table, control);
        let main = Mutex::new((observer, Outcome::default()));
        team.broadcast(|index| {
            if index > 0 {
                // A helper that fails leaves the search to the others.
                let help = || Worker::new(&shared, index, self).help();
                let _ = catch_unwind(AssertUnwindSafe(help));
                return;
            }
            // The helpers have no limits of their own: they are stopped when this ends, even by a panic.
            let _stop = StopOnDrop(control);
            let (observer, outcome) = &mut *main.lock();
            *outcome = Worker::new(&shared, 0, self).lead(*observer);
        });
        let (_, mut outcome) = main.into_inner();
        shared.complete(&mut outcome);
        outcome
    }

    /// Searches with one worker on the calling thread, which must have a few MiB of stack to spare. Meant for many small searches
    /// at once, on the threads of [`Team::install`].
    pub fn run_here(&self, table: &Table) -> Outcome {
        let control = Control::new();
        let shared = self.share(1, table, &control);
        let mut outcome = Worker::new(&shared, 0, self).lead(&mut |_: &Report| ());
        shared.complete(&mut outcome);
        outcome
    }

    /// Returns how long after the start of the mover's clock the search is stopped, if it has not ended before; `None` if no
    /// time is given.
    pub fn time_limit(&self) -> Option<Duration> {
        Budget::new(&self.limits, self.game.position()).hard
    }

    /// Asks the tables about the root and puts together what the workers share.
    fn share<'a>(&'a self, threads: usize, table: &'a Table, control: &'a Control) -> Shared<'a> {
        let started = Instant::now();
        table.next_generation();
        let known = self.ask_tables();
        let limits = match &known {
            Some(known) => Cow::Owned(Limits {
                moves: known.moves.clone(),
                ..self.limits.clone()
            }),
            None => Cow::Borrowed(&self.limits),
        };
        Shared {
            table,
            control,
            limits,
            table_hits: AtomicU64::new(u64::from(known.is_some())),
            known,
            evaluation: &self.evaluation,
            draw_rules: self.draw_rules,
            contempt: self.contempt,
            started,
            nodes: (0..threads).map(|_| CachePadded::default()).collect(),
        }
    }
}

/// Stops a search when it goes out of scope.
struct StopOnDrop<'a>(&'a Control);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}
