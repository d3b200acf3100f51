//! This engine as a player that thinks in the background, for drivers that listen to somebody else at the same time.

use crate::board::Move;
use crate::book;
use crate::engine::{Engine, Options, ResourceError, Resources};
use crate::rules::{Game, Rules};
use crate::search::{Control, Limits, Outcome, Report};
use crossbeam_channel::{Receiver, bounded, never};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;
use std::time::Instant;

/// The engine with at most one search.
pub(crate) struct Thinker<R> {
    /// What it plays by.
    options: Options,
    engine: Engine<R>,
    resources: Resources,
    search: Option<Search>,
    /// What a person should know, and has not been told.
    warnings: Vec<String>,
}

/// A search in progress.
struct Search {
    control: Arc<Control>,
    outcome: Receiver<Outcome>,
    /// The moves of the game that it is about.
    moves: Vec<Move>,
    /// What is answered if the search fails.
    fallback: Option<Move>,
}

impl<R: Rules> Thinker<R> {
    /// Gets threads and memory.
    pub(crate) fn new(options: Options) -> Result<Self, ResourceError> {
        Ok(Self {
            resources: Resources::new(&options)?,
            options,
            engine: Engine::default(),
            search: None,
            warnings: Vec::new(),
        })
    }

    /// Plays by other options from now on. On an error, whose text is returned, all is as it was.
    pub(crate) fn set_options(&mut self, options: &Options) -> Result<(), String> {
        self.stop();
        let old = &self.options;
        if options.book != old.book && !book::is_there(&options.book) {
            let book = &options.book;
            return Err(format!(
                "no book at {book}, expected true, false, none or a path"
            ));
        }
        let updated = self.resources.update(old, options);
        updated.map_err(|error| error.to_string())?;
        if options.book != old.book {
            self.engine.forget_book();
        }
        if options.tables != old.tables {
            self.engine.forget_tables();
        }
        self.options = options.clone();
        Ok(())
    }

    /// Forgets what was learned in earlier games.
    pub(crate) fn new_game(&mut self) {
        self.stop();
        self.resources.clear();
    }

    /// Returns the book's move and what the book says of it.
    pub(crate) fn book_move(&mut self, game: &Game<R>) -> Option<Outcome> {
        self.engine.game = game.clone();
        let found = self
            .engine
            .book_move(&self.options)
            .unwrap_or_else(|error| {
                self.warnings.push(format!("book: {error}"));
                None
            });
        let (mv, score) = found?;
        Some(Outcome {
            best: Some(mv),
            report: Report {
                score,
                pv: vec![mv],
                ..Report::default()
            },
        })
    }

    /// Starts a search of the last position of a game, in place of any other, which is stopped. Pondering begins with a control made by
    /// [`Control::pondering`].
    pub(crate) fn start(
        &mut self,
        game: &Game<R>,
        limits: Limits,
        control: Control,
    ) -> io::Result<()> {
        self.stop();
        self.engine.game = game.clone();
        for fault in self.engine.table_faults(&self.options) {
            self.warnings.push(format!("tables: {fault}"));
        }
        let job = self.engine.prepare(&self.options, &self.resources, limits);
        let control = Arc::new(control);
        let (sender, outcome) = bounded(1);
        self.search = Some(Search {
            control: Arc::clone(&control),
            outcome,
            moves: game.moves().to_vec(),
            fallback: game.legal_moves().first().copied(),
        });
        let search = move || {
            // If the search panics, the channel closes without an outcome.
            let run = || job.run(&control, &mut |_: &Report| ());
            if let Ok(outcome) = catch_unwind(AssertUnwindSafe(run)) {
                // Nobody may be waiting any more.
                let _ = sender.send(outcome);
            }
        };
        let builder = thread::Builder::new().name("search".to_owned());
        builder.spawn(search).map(drop)
    }

    /// Says whether the search is about this game.
    pub(crate) fn is_about(&self, game: &Game<R>) -> bool {
        let search = self.search.as_ref();
        search.is_some_and(|search| search.moves == game.moves())
    }

    /// Says that the position that was pondered about has come.
    pub(crate) fn ponder_hit(&self) {
        if let Some(search) = &self.search {
            search.control.ponder_hit(Instant::now());
        }
    }

    /// Returns the channel on which the search tells that it is over, or closes if it failed; without a search a channel that never does.
    pub(crate) fn outcome(&self) -> Receiver<Outcome> {
        let search = self.search.as_ref();
        search.map_or_else(never, |search| search.outcome.clone())
    }

    /// Takes what came over the channel, and ends the search. In the place of one that failed any legal move is answered.
    pub(crate) fn take(&mut self, outcome: Option<Outcome>) -> Outcome {
        let search = self.search.take();
        outcome.unwrap_or_else(|| {
            self.warnings
                .push("the search failed, any legal move is played".to_owned());
            Outcome {
                best: search.and_then(|search| search.fallback),
                ..Outcome::default()
            }
        })
    }

    /// Has the search tell at once what it has found so far.
    pub(crate) fn answer_now(&self) {
        if let Some(search) = &self.search {
            search.control.stop();
        }
    }

    /// Ends a search, if there is one, and drops what it found.
    pub(crate) fn stop(&mut self) {
        if let Some(search) = self.search.take() {
            search.control.stop();
            // It is over when the channel has its outcome or closes.
            let _ = search.outcome.recv();
        }
    }

    /// Returns what a person should know, once.
    pub(crate) fn take_warnings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.warnings)
    }
}

impl<R> Drop for Thinker<R> {
    fn drop(&mut self) {
        if let Some(search) = &self.search {
            search.control.stop();
        }
    }
}
