//! This engine as a player that thinks in the background, for drivers that listen to somebody else at the same time.

use crate::board::Move;
use crate::engine::{Engine, Event, Options, ResourceError, Resources, Thinking, check_sources};
use crate::rules::{Game, Rules};
use crate::search::{Control, Limits, Outcome, Report};
use crossbeam_channel::{Receiver, never};
use std::io;
use std::time::Instant;

/// The engine with at most one search.
pub(crate) struct Thinker<R> {
    /// What it plays by.
    options: Options,
    engine: Engine<R>,
    resources: Resources,
    search: Option<Search<R>>,
    /// What a person should know, and has not been told.
    warnings: Vec<String>,
}

/// A search in progress.
struct Search<R> {
    thinking: Thinking<R>,
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
        check_sources(old, options)?;
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
        self.search = Some(Search {
            thinking: Thinking::start(job, control)?,
            moves: game.moves().to_vec(),
            fallback: game.legal_moves().first().copied(),
        });
        Ok(())
    }

    /// Says whether the search is about this game.
    pub(crate) fn is_about(&self, game: &Game<R>) -> bool {
        let search = self.search.as_ref();
        search.is_some_and(|search| search.moves == game.moves())
    }

    /// Says that the position that was pondered about has come, and when.
    pub(crate) fn ponder_hit(&self, at: Instant) {
        if let Some(search) = &self.search {
            search.thinking.ponder_hit(at);
        }
    }

    /// Returns the channel of what the search says, for [`Self::take`]; without a search one that never has anything.
    pub(crate) fn events(&self) -> Receiver<Event> {
        let search = self.search.as_ref();
        search.map_or_else(never, |search| search.thinking.events().clone())
    }

    /// Returns a channel that has something when [`Self::take_overdue`] should be called.
    pub(crate) fn overdue(&self) -> Receiver<Instant> {
        let search = self.search.as_ref();
        search.map_or_else(never, |search| search.thinking.overdue())
    }

    /// Takes what came over the channel, and returns the answer if that ended the search. In the place of one that failed, whose channel
    /// closes, any legal move is answered.
    pub(crate) fn take(&mut self, event: Option<Event>) -> Option<Outcome> {
        match event {
            Some(Event::Iteration(_)) => return None,
            Some(Event::Done(outcome, _)) => {
                self.search = None;
                return Some(outcome);
            }
            None => {}
        }
        let search = self.search.take();
        let failure = "the search failed, any legal move is played";
        self.warnings.push(failure.to_owned());
        Some(Outcome {
            best: search.and_then(|search| search.fallback),
            ..Outcome::default()
        })
    }

    /// Returns the answer of a search that should have ended, and takes no more notice of it.
    pub(crate) fn take_overdue(&mut self) -> Option<Outcome> {
        let search = self.search.take()?;
        Some(search.thinking.so_far())
    }

    /// Has the search tell at once what it has found so far.
    pub(crate) fn answer_now(&mut self) {
        if let Some(search) = &mut self.search {
            search.thinking.stop();
        }
    }

    /// Ends a search, if there is one, and drops what it found.
    pub(crate) fn stop(&mut self) {
        self.search = None;
    }

    /// Returns what a person should know, once.
    pub(crate) fn take_warnings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.warnings)
    }
}
