//! The engine: a game, the options, and what a search needs (threads, table, book), put together.
//!
//! It speaks no protocol; protocols and tools drive it. A search runs on threads of its own; [`Engine::prepare`] hands out a
//! [`Job`] that owns or shares everything the search needs, so that the caller can run it where it likes; [`Thinking`] runs it in
//! the background and sees to it that the answer comes in time.

mod options;
mod skill;
mod thinking;

pub use options::{FULL_SKILL, OPTIONS, OptionError, OptionKind, OptionSpec, Options};
pub use thinking::{Event, Thinking};

use crate::board::{Move, splitmix64};
use crate::book::{self, Book, BookError, Choice};
use crate::egdb::{TableFault, Tables};
use crate::rules::{Game, Rules};
use crate::score::Score;
use crate::search::{Control, Limits, Observer, Outcome, Task, Team, TeamError};
use crate::tt::{OutOfMemory, Table};
use once_cell::{sync, unsync};
use skill::Skill;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

/// What outlives a change of the rules: the threads and the memory.
pub struct Resources {
    team: Arc<Team>,
    table: Arc<Table>,
}

/// Says what could not be had.
#[derive(Debug, thiserror::Error)]
pub enum ResourceError {
    /// No memory for the table.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
    /// No threads.
    #[error(transparent)]
    Threads(#[from] TeamError),
}

impl Resources {
    /// Starts the threads and allocates the table that the options ask for.
    pub fn new(options: &Options) -> Result<Self, ResourceError> {
        let team = Arc::new(Team::new(options.threads)?);
        let table = Arc::new(Table::new(options.hash_mib)?);
        Ok(Self { team, table })
    }

    /// Follows a change of the options. If something cannot be had, nothing changes.
    pub fn update(&mut self, old: &Options, new: &Options) -> Result<(), ResourceError> {
        let table = if new.hash_mib == old.hash_mib {
            None
        } else {
            Some(Arc::new(Table::new(new.hash_mib)?))
        };
        if new.threads != old.threads {
            self.team = Arc::new(Team::new(new.threads)?);
        }
        if let Some(table) = table {
            self.table = table;
        } else if new.net != old.net
            || new.draw_rules != old.draw_rules
            || new.variant != old.variant
        {
            // What it knows was found under other rules or by another evaluation.
            self.clear();
        }
        Ok(())
    }

    /// Forgets everything learned in earlier searches. Waits until the threads have left a search that was answered for.
    pub fn clear(&self) {
        // What such a search still stores would outlive the change of rules or evaluation that the table is cleared for.
        self.team.broadcast(|_| ());
        self.team.install(|| self.table.clear());
    }

    /// Returns the threads.
    pub fn team(&self) -> &Team {
        &self.team
    }

    /// Returns the table.
    pub fn table(&self) -> &Table {
        &self.table
    }
}

/// An engine for one rule set.
pub struct Engine<R> {
    /// The game whose last position is searched.
    pub game: Game<R>,
    /// Opened when a move is first looked up in it, or ahead of that by a thread of its own.
    book: Arc<sync::OnceCell<Book>>,
    /// Such a thread has been started.
    is_book_begun: bool,
    /// Opened before the first search; `None` if there are none.
    tables: unsync::OnceCell<Option<Arc<Tables<R>>>>,
}

/// A search that is ready to run.
pub struct Job<R> {
    task: Task<R>,
    team: Arc<Team>,
    table: Arc<Table>,
    /// Limited strength, and the random number that it chooses by.
    skill: Option<(Skill, u64)>,
}

/// Positions searched when an answer is due and the search has found none.
const GLANCE_NODES: u64 = 1000;

impl<R: Rules> Job<R> {
    /// Runs the search and returns when it is over.
    pub fn run(&self, control: &Control, observer: &mut dyn Observer) -> Outcome {
        let run = |observer: &mut dyn Observer| {
            let (team, table) = (&self.team, &self.table);
            self.task.run(team, table, control, observer)
        };
        match &self.skill {
            Some((skill, chance)) => skill.play(*chance, observer, run),
            None => run(observer),
        }
    }

    /// Returns the answer of a search that may not be over, as far as it has got; `None` if it has finished no iteration.
    fn so_far(&self, control: &Control) -> Option<Outcome> {
        let outcome = Some(control.so_far()).filter(|outcome| outcome.report.depth > 0)?;
        Some(match &self.skill {
            Some((skill, chance)) => skill.answer(*chance, outcome),
            None => outcome,
        })
    }

    /// Takes a quick look at the position on the calling thread: well under a millisecond.
    fn glance(&self) -> Outcome {
        let limits = Limits {
            nodes: Some(GLANCE_NODES),
            ..Limits::default()
        };
        let task = Task {
            limits,
            ..self.task.clone()
        };
        task.run_here(&self.table)
    }
}

impl<R: Rules> Default for Engine<R> {
    fn default() -> Self {
        Self {
            game: Game::new(),
            book: Arc::default(),
            is_book_begun: false,
            tables: unsync::OnceCell::new(),
        }
    }
}

impl<R: Rules> Engine<R> {
    /// Returns the book's move for the position of the game and its score, or `None` if the book does not know the position or the
    /// game is over by rule.
    ///
    /// The book is opened at the first call, unless [`Self::open_book_ahead`] was called before. If it cannot be read, the error is returned once;
    /// after that the book is empty until [`Self::forget_book`].
    pub fn book_move(&self, options: &Options) -> Result<Option<(Move, Score)>, BookError> {
        if options.draw_rules && self.game.ending().is_some() {
            return Ok(None);
        }
        let opened = self.book.get_or_try_init(|| book::open::<R>(&options.book));
        let book = opened.inspect_err(|_| {
            // Asked again, the answer is an empty book.
            let _ = self.book.set(Book::default());
        })?;
        let legal = self.game.legal_moves();
        let choice = Choice {
            margin: options.book_margin,
            variety: options.book_variety,
        };
        Ok(book
            .choose(self.game.position(), choice, self.chance(options))
            .filter(|(mv, _)| legal.contains(mv)))
    }

    /// Returns the random number of the position. It follows from the seed and the game; with a seed of 0 it differs each time.
    fn chance(&self, options: &Options) -> u64 {
        let seed = match options.seed {
            0 => RandomState::new().hash_one(0),
            seed => splitmix64(seed),
        };
        splitmix64(seed ^ self.game.key().0) ^ splitmix64(self.game.moves().len() as u64)
    }

    /// Begins to open the book in the background, if that has not been done: the first look-up waits for it. What is wrong with the book is
    /// left for that look-up to find.
    pub fn open_book_ahead(&mut self, options: &Options) {
        if self.is_book_begun || self.book.get().is_some() {
            return;
        }
        self.is_book_begun = true;
        let (book, choice) = (Arc::clone(&self.book), options.book.clone());
        let open = move || {
            let _ = book.get_or_try_init(|| book::open::<R>(&choice));
        };
        // Without a thread, the first look-up opens it.
        let _ = thread::Builder::new().name("book".to_owned()).spawn(open);
    }

    /// Makes the next look-up open the book again.
    pub fn forget_book(&mut self) {
        self.book = Arc::default();
        self.is_book_begun = false;
    }

    /// Opens the tables that the options ask for, if that has not been done, and returns what is wrong with them, each fault once. Damage
    /// may show only while they are used, so this is worth calling again. The engine does without what it cannot use.
    pub fn table_faults(&self, options: &Options) -> Vec<TableFault> {
        let mut faults = Vec::new();
        let open = || {
            let folder = match options.tables.as_str() {
                "none" => return None,
                "embedded" => None,
                "auto" => tables_beside_program(),
                folder => Some(PathBuf::from(folder)),
            };
            // Without the folder, those in the program are left.
            let outside = folder.and_then(|folder| {
                let opened = Tables::open(&folder);
                opened.map_err(|fault| faults.push(fault)).ok()
            });
            let opened = outside.map_or_else(Tables::embedded, Ok);
            let tables = opened.map_err(|fault| faults.push(fault)).ok()?;
            Some(Arc::new(tables))
        };
        let tables = self.tables.get_or_init(open);
        faults.extend(tables.iter().flat_map(|tables| tables.take_faults()));
        faults
    }

    /// Returns the tables, if [`Self::table_faults`] has opened them and there are any.
    pub fn tables(&self) -> Option<Arc<Tables<R>>> {
        self.tables.get().cloned().flatten()
    }

    /// Makes the next search open the tables again.
    pub fn forget_tables(&mut self) {
        self.tables = unsync::OnceCell::new();
    }

    /// Makes a search of the position of the game. It asks the tables if [`Self::table_faults`] has opened them.
    pub fn prepare(&self, options: &Options, resources: &Resources, limits: Limits) -> Job<R> {
        let skill = Skill::new(options, &limits);
        let tables = self.tables();
        let task = Task {
            game: self.game.clone(),
            evaluation: options.net.clone(),
            draw_rules: options.draw_rules,
            contempt: if limits.is_analysis {
                0
            } else {
                options.contempt
            },
            tables: tables.filter(|_| skill.is_none()),
            limits: match &skill {
                Some(skill) => skill.limits(limits),
                None => limits,
            },
        };
        Job {
            skill: skill.map(|skill| (skill, self.chance(options))),
            task,
            team: Arc::clone(&resources.team),
            table: Arc::clone(&resources.table),
        }
    }
}

/// Says whether an option value is one of the words with a meaning or a folder that is there.
fn tables_are_there(choice: &str) -> bool {
    matches!(choice, "auto" | "embedded" | "none") || Path::new(choice).is_dir()
}

/// Checks that there is a book and a folder of tables where the options that have changed say so. The error is one line for people.
pub fn check_sources(old: &Options, new: &Options) -> Result<(), String> {
    let (book, tables) = (&new.book, &new.tables);
    if *book != old.book {
        book::check(book)?;
    }
    if *tables != old.tables && !tables_are_there(tables) {
        return Err(format!(
            "no tables at {tables}, expected auto, embedded, none or a folder"
        ));
    }
    Ok(())
}

/// Returns the folder with more tables than those in the program, if it is there.
fn tables_beside_program() -> Option<PathBuf> {
    let folder = std::env::current_exe().ok()?.with_file_name("tables");
    folder.is_dir().then_some(folder)
}
