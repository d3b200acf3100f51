//! Acts on Hub commands: a loop over what the client says and what the search reports.
//!
//! Input is read by a thread of its own and a search runs on threads of its own; both send to channels, and the
//! loop takes from whichever has something. So `ping`, `stop` and `quit` are answered during a search, and the end of the
//! input ends the engine at once.
//!
//! Invariants: a `go` is answered by exactly one `done`, in order, with nothing after it; a line that is rejected changes no
//! game, limit or option (though it ends a search, as any command but a few does); a `pos` that was rejected is never
//! answered with a move of another position.

use super::message::{Command, CommandError, GoMode, Info, Level, ParamKind, Reply};
use super::output::Output;
use super::translate::{goes_on_after, infos, limits, read_game};
use crate::board::Move;
use crate::engine::{
    Engine, Event, OPTIONS, OptionError, OptionKind, Options, ResourceError, Resources, Thinking,
    check_sources,
};
use crate::notation::hub::{Numbering, write_move};
use crate::protocol::lines;
use crate::protocol::log::Log;
use crate::rules::Rules;
use crate::search::{Control, Outcome, Report};
use crate::with_rules;
use crossbeam_channel::{Receiver, Sender, never, select_biased, unbounded};
use std::io::{self, BufRead, Write};
use std::ops::ControlFlow;
use std::thread;
use std::time::Instant;

/// Says why the driver could not begin or go on.
#[derive(Debug, thiserror::Error)]
pub enum DriveError {
    /// The client cannot be written to.
    #[error("cannot write: {0}")]
    Io(#[from] io::Error),
    /// Threads or memory cannot be had.
    #[error(transparent)]
    Resources(#[from] ResourceError),
}

/// Speaks Hub until `quit` or the end of the input. `warn` is told what a person should know but the client need not.
pub fn drive(
    input: impl BufRead + Send + 'static,
    output: impl Write,
    mut options: Options,
    warn: &mut dyn FnMut(&str),
) -> Result<(), DriveError> {
    let (sender, lines) = unbounded();
    thread::Builder::new()
        .name("input".to_owned())
        .spawn(move || read_lines(input, &sender))?;
    let resources = match Resources::new(&options) {
        Ok(resources) => resources,
        Err(error) => {
            // A small engine is better than none.
            warn(&format!("{error}; going on with one thread and 1 MiB"));
            options = Options {
                threads: 1,
                hash_mib: 1,
                ..options
            };
            Resources::new(&options)?
        }
    };
    let mut driver = Driver {
        lines,
        out: Output::new(output),
        options,
        resources,
        level: Level::default(),
        is_level_lost: false,
        is_position_lost: false,
        warn,
    };
    if let Err(error) = driver.open_log() {
        (driver.warn)(&error);
    }
    while with_rules!(driver.options.variant, R => driver.session::<R>())?.is_continue() {}
    Ok(())
}

/// Sends every line and when it came, until the input ends or nobody listens.
fn read_lines(mut input: impl BufRead, to: &Sender<(String, Instant)>) {
    while let Ok(Some(line)) = lines::read(&mut input) {
        if to.send((line, Instant::now())).is_err() {
            return;
        }
    }
}

/// What lasts through changes of the rules.
struct Driver<'a, W> {
    lines: Receiver<(String, Instant)>,
    out: Output<W>,
    options: Options,
    resources: Resources,
    /// The limits collected for the next search.
    level: Level,
    /// A limit for the next search was rejected.
    is_level_lost: bool,
    /// The last `pos` was rejected and no good one has come since.
    is_position_lost: bool,
    warn: &'a mut dyn FnMut(&str),
}

/// What belongs to the rules in force.
struct Session<R> {
    engine: Engine<R>,
    search: Option<Running<R>>,
}

/// A search in progress.
struct Running<R> {
    thinking: Thinking<R>,
    /// What is answered if the search fails.
    fallback: Option<Move>,
    /// The first move of the last report.
    reported: Option<Move>,
}

/// What comes after a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    /// The session goes on.
    Stay,
    /// Other rules are wanted.
    ChangeRules,
    /// Nothing.
    Quit,
}

impl<W: Write> Driver<'_, W> {
    /// Speaks Hub under the rules `R`. Breaks at the end, continues when other rules are wanted.
    fn session<R: Rules>(&mut self) -> Result<ControlFlow<()>, DriveError> {
        let mut session = Session::<R> {
            engine: Engine::default(),
            search: None,
        };
        let (no_events, no_end) = (never(), never());
        loop {
            let (events, overdue) = match &session.search {
                Some(Running { thinking, .. }) => (thinking.events(), thinking.overdue()),
                None => (&no_events, no_end.clone()),
            };
            let next = select_biased! {
                recv(events) -> event => {
                    self.event(&mut session, event.ok())?;
                    Next::Stay
                }
                recv(self.lines) -> line => match line {
                    Ok((line, at)) => self.line(&mut session, &line, at)?,
                    Err(_) => Next::Quit,
                },
                recv(overdue) -> _ => {
                    self.answer_overdue(&mut session)?;
                    Next::Stay
                }
            };
            self.pass_log_fault();
            match next {
                Next::Stay => {}
                Next::ChangeRules => return Ok(ControlFlow::Continue(())),
                Next::Quit => return Ok(ControlFlow::Break(())),
            }
        }
    }

    /// Acts on a line.
    fn line<R: Rules>(
        &mut self,
        session: &mut Session<R>,
        line: &str,
        at: Instant,
    ) -> Result<Next, DriveError> {
        self.out.note('>', line);
        let command = line.parse::<Command>();
        match &command {
            Ok(Command::Ping) => self.out.reply(&Reply::Pong)?,
            Ok(Command::Stop) => {
                if let Some(running) = &mut session.search {
                    running.thinking.stop();
                }
            }
            Ok(Command::PonderHit) => {
                if let Some(running) = &session.search {
                    running.thinking.ponder_hit(at);
                }
            }
            Ok(Command::Quit) => return Ok(Next::Quit),
            Ok(Command::Empty) => {}
            Ok(Command::Unknown(word)) => self
                .out
                .note('#', &format!("unknown command {word} ignored")),
            _ => {
                // Any other known command ends the search first.
                self.finish_search(session)?;
                return self.command(session, command, at);
            }
        }
        Ok(Next::Stay)
    }

    /// Acts on a command that is not for a search in progress.
    fn command<R: Rules>(
        &mut self,
        session: &mut Session<R>,
        command: Result<Command, CommandError>,
        at: Instant,
    ) -> Result<Next, DriveError> {
        match command {
            Ok(Command::Hub) => {
                // The lines of the introduction take longer, for the pauses between them.
                session.engine.open_book_ahead(&self.options);
                self.introduce()?;
            }
            Ok(Command::Init) => {
                session.engine.open_book_ahead(&self.options);
                self.out.reply_apart(&Reply::Ready)?;
            }
            Ok(Command::NewGame) => self.resources.clear(),
            Ok(Command::SetParam { name, value }) => return self.set_param(session, &name, &value),
            Ok(Command::Pos {
                start: _,
                position,
                moves,
            }) => match read_game::<R>(position.as_deref(), &moves, self.numbering::<R>()) {
                Ok(game) => {
                    session.engine.game = game;
                    self.forget_level();
                    self.is_position_lost = false;
                }
                Err(message) => {
                    self.is_position_lost = true;
                    self.out.error(&message)?;
                }
            },
            Ok(Command::Level(level)) => self.level.merge(level),
            Ok(Command::Go(mode)) => self.go(session, mode, at)?,
            Ok(_) => unreachable!("handled by line"),
            Err(error) => {
                let is_pos = matches!(error, CommandError::UnquotedMoves)
                    || matches!(error, CommandError::Syntax { command: "pos", .. });
                self.is_position_lost |= is_pos;
                self.is_level_lost |= matches!(
                    error,
                    CommandError::NotANumber { .. }
                        | CommandError::Syntax {
                            command: "level",
                            ..
                        }
                );
                self.out.error(&error)?;
            }
        }
        Ok(Next::Stay)
    }

    /// Answers `hub`.
    fn introduce(&mut self) -> io::Result<()> {
        self.out.reply(&Reply::Id {
            name: "Mainroad".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            author: "Mainroad developers".to_owned(),
        })?;
        for spec in OPTIONS {
            let kind = match spec.kind {
                OptionKind::Bool => ParamKind::Bool,
                OptionKind::Int { min, max } => ParamKind::Int { min, max },
                OptionKind::Enum(words) => {
                    ParamKind::Enum(words.iter().map(ToString::to_string).collect())
                }
                OptionKind::Text => ParamKind::String,
            };
            let value = self.options.value(spec.name).unwrap_or_default();
            self.out.reply_apart(&Reply::Param {
                name: spec.name.to_owned(),
                value,
                kind,
            })?;
        }
        self.out.reply_apart(&Reply::Wait)
    }

    /// Sets a parameter. Names that are not ours are other engines', and are ignored.
    fn set_param<R: Rules>(
        &mut self,
        session: &mut Session<R>,
        name: &str,
        value: &str,
    ) -> Result<Next, DriveError> {
        let old = self.options.clone();
        match self.options.set(name, value) {
            Ok(()) => {}
            Err(OptionError::Unknown(name)) => {
                self.out
                    .note('#', &format!("unknown parameter {name} ignored"));
                return Ok(Next::Stay);
            }
            Err(error) => {
                self.out.error(&error)?;
                return Ok(Next::Stay);
            }
        }
        if let Err(error) = self.follow(&old) {
            self.options = old;
            self.out.error(&error)?;
            return Ok(Next::Stay);
        }
        if self.options.book != old.book {
            session.engine.forget_book();
        }
        if self.options.tables != old.tables {
            session.engine.forget_tables();
        }
        Ok(if self.options.variant == old.variant {
            Next::Stay
        } else {
            Next::ChangeRules
        })
    }

    /// Follows a change of the options. On an error, whose text is returned, all is as it was.
    fn follow(&mut self, old: &Options) -> Result<(), String> {
        check_sources(old, &self.options)?;
        if self.options.log != old.log {
            self.open_log()?;
        }
        self.resources
            .update(old, &self.options)
            .map_err(|error| error.to_string())
    }

    /// Opens the log that the options name, or none. On an error the one that was open stays.
    fn open_log(&mut self) -> Result<(), String> {
        let path = &self.options.log;
        let open = |path: &String| Log::open(path).map_err(|error| format!("log: {path}: {error}"));
        self.out.log = if path.is_empty() {
            None
        } else {
            Some(open(path)?)
        };
        Ok(())
    }

    /// Tells a person, once, that the log cannot be written.
    fn pass_log_fault(&mut self) {
        if let Some(error) = self.out.log.as_mut().and_then(Log::take_fault) {
            (self.warn)(&format!("log: {}: {error}", self.options.log));
        }
    }

    /// Starts a search that was asked for at a time, or answers at once where there is nothing to search.
    fn go<R: Rules>(
        &mut self,
        session: &mut Session<R>,
        mode: GoMode,
        at: Instant,
    ) -> Result<(), DriveError> {
        let (level, is_level_lost) = (self.level, self.is_level_lost);
        self.forget_level();
        let without_move = Reply::Done {
            mv: None,
            ponder: None,
        };
        if self.is_position_lost {
            self.out
                .error(&"no position to search, the last pos was rejected")?;
            return Ok(self.out.reply_apart(&without_move)?);
        }
        let moves = session.engine.game.legal_moves();
        if moves.is_empty() {
            return Ok(self.out.reply_apart(&without_move)?);
        }
        if mode == GoMode::Think && !level.infinite && self.answer_from_book(&session.engine)? {
            return Ok(());
        }
        let control = if mode == GoMode::Ponder {
            Control::pondering()
        } else {
            Control::since(at)
        };
        for fault in session.engine.table_faults(&self.options) {
            (self.warn)(&format!("tables: {fault}"));
        }
        let limits = limits(&self.options, level, mode, is_level_lost);
        let job = session
            .engine
            .prepare(&self.options, &self.resources, limits);
        session.search = Some(Running {
            thinking: Thinking::start(job, control)?,
            fallback: moves.first().copied(),
            reported: None,
        });
        Ok(())
    }

    /// Answers with a move of the book, and says whether there was one.
    fn answer_from_book<R: Rules>(&mut self, engine: &Engine<R>) -> io::Result<bool> {
        let found = engine.book_move(&self.options).unwrap_or_else(|error| {
            (self.warn)(&format!("book: {error}"));
            None
        });
        let Some((mv, score)) = found else {
            return Ok(false);
        };
        let text = write_move(mv, self.numbering::<R>());
        self.out.reply(&Reply::Info(Info {
            score_centimen: Some(score.0),
            pv: vec![text.clone()],
            source: Some("book".to_owned()),
            ..Info::default()
        }))?;
        self.out.reply_apart(&Reply::Done {
            mv: Some(text),
            ponder: None,
        })?;
        Ok(true)
    }

    fn forget_level(&mut self) {
        self.level = Level::default();
        self.is_level_lost = false;
    }

    /// Ends a search that is in progress and waits for its `done`.
    fn finish_search<R: Rules>(&mut self, session: &mut Session<R>) -> io::Result<()> {
        while let Some(Running { thinking, .. }) = &mut session.search {
            thinking.stop();
            select_biased! {
                recv(thinking.events()) -> event => self.event(session, event.ok())?,
                recv(thinking.overdue()) -> _ => self.answer_overdue(session)?,
            }
        }
        Ok(())
    }

    /// Answers for a search that should have ended, and takes no more notice of it.
    fn answer_overdue<R: Rules>(&mut self, session: &mut Session<R>) -> io::Result<()> {
        let Some(running) = session.search.take() else {
            return Ok(());
        };
        self.answer(session, &running, &running.thinking.so_far())
    }

    /// Tells what is known after an iteration.
    fn report<R: Rules>(&mut self, report: &Report) -> io::Result<()> {
        infos(report, self.numbering::<R>())
            .into_iter()
            .try_for_each(|info| self.out.reply(&Reply::Info(info)))
    }

    /// Answers a search. What was reported last is about the move that is answered: there are clients that need a report, and others
    /// that take the move from it.
    fn answer<R: Rules>(
        &mut self,
        session: &Session<R>,
        search: &Running<R>,
        outcome: &Outcome,
    ) -> io::Result<()> {
        if search.reported != outcome.best {
            self.report::<R>(&outcome.report)?;
        }
        let numbering = self.numbering::<R>();
        let text = |mv| write_move(mv, numbering);
        let ponder = outcome
            .ponder()
            .filter(|&reply| goes_on_after(&session.engine.game, outcome, reply));
        self.out.reply_apart(&Reply::Done {
            mv: outcome.best.map(text),
            ponder: ponder.map(text),
        })
    }

    /// Passes on what a search reports; `None` is a search that failed.
    fn event<R: Rules>(
        &mut self,
        session: &mut Session<R>,
        event: Option<Event>,
    ) -> io::Result<()> {
        let numbering = self.numbering::<R>();
        match event {
            Some(Event::Iteration(report)) => {
                if let Some(running) = &mut session.search {
                    running.reported = report.pv.first().copied();
                }
                self.report::<R>(&report)
            }
            Some(Event::Done(outcome, _)) => match session.search.take() {
                Some(running) => self.answer(session, &running, &outcome),
                None => Ok(()),
            },
            None => {
                let fallback = session.search.take().and_then(|running| running.fallback);
                self.out
                    .error(&"the search failed, any legal move is answered")?;
                self.out.reply_apart(&Reply::Done {
                    mv: fallback.map(|mv| write_move(mv, numbering)),
                    ponder: None,
                })
            }
        }
    }

    /// Returns the numbering of moves: only games written in letters have two.
    fn numbering<R: Rules>(&self) -> Numbering {
        self.options.squares.in_game::<R>()
    }
}
