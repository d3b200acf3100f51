//! Acts on Hub commands: a loop over what the client says and what the search reports.
//!
//! Input is read by a thread of its own and a search runs on threads of its own; both send to channels, and the
//! loop takes from whichever has something. So `ping`, `stop` and `quit` are answered during a search, and the end of the
//! input ends the engine at once.
//!
//! Invariants: a `go` is answered by exactly one `done`, in order, with nothing after it; a line that is rejected changes no
//! game, limit or option (though it ends a search, as any command but a few does); a `pos` that was rejected is never
//! answered with a move of another position.

use super::message::{Command, CommandError, GoMode, Info, Level, ParamKind, Reply, Seconds};
use super::output::Output;
use crate::board::{Move, Position};
use crate::engine::{
    Engine, Event, OPTIONS, OptionError, OptionKind, Options, ResourceError, Resources, Thinking,
    check_sources,
};
use crate::notation::hub::{Numbering, parse_move, parse_position, write_move};
use crate::protocol::lines;
use crate::protocol::log::Log;
use crate::rules::{Game, Rules};
use crate::score::Depth;
use crate::search::{Clock, Control, Limits, MAX_DEPTH, Outcome, Report};
use crate::with_rules;
use crossbeam_channel::{Receiver, Sender, never, select_biased, unbounded};
use std::io::{self, BufRead, Write};
use std::ops::ControlFlow;
use std::thread;
use std::time::{Duration, Instant};

/// What a clock is taken to have when only an increment or a number of moves is given, as in Scan.
const DEFAULT_TIME_MS: i64 = 30_000;

/// The time for a move when the limits that were given could not be read.
const FALLBACK_TIME: Duration = Duration::from_secs(1);

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
        is_lost: false,
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
    is_lost: bool,
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

type Flow = Result<ControlFlow<(), ()>, DriveError>;

/// The session goes on.
const STAY: ControlFlow<Option<()>, ()> = ControlFlow::Continue(());

impl<W: Write> Driver<'_, W> {
    /// Speaks Hub under the rules `R`. Breaks at the end, continues when other rules are wanted.
    fn session<R: Rules>(&mut self) -> Flow {
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
            let step = select_biased! {
                recv(events) -> event => {
                    self.event(&mut session, event.ok())?;
                    STAY
                }
                recv(self.lines) -> line => match line {
                    Ok((line, at)) => self.line(&mut session, &line, at)?,
                    Err(_) => ControlFlow::Break(None),
                },
                recv(overdue) -> _ => {
                    self.answer_overdue(&mut session)?;
                    STAY
                }
            };
            match step {
                ControlFlow::Continue(()) => {}
                ControlFlow::Break(Some(())) => return Ok(ControlFlow::Continue(())),
                ControlFlow::Break(None) => return Ok(ControlFlow::Break(())),
            }
        }
    }

    /// Acts on a line. Breaks with nothing to quit, with something to change the rules.
    fn line<R: Rules>(
        &mut self,
        session: &mut Session<R>,
        line: &str,
        at: Instant,
    ) -> Result<ControlFlow<Option<()>, ()>, DriveError> {
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
            Ok(Command::Quit) => return Ok(ControlFlow::Break(None)),
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
        Ok(STAY)
    }

    /// Acts on a command that is not for a search in progress.
    fn command<R: Rules>(
        &mut self,
        session: &mut Session<R>,
        command: Result<Command, CommandError>,
        at: Instant,
    ) -> Result<ControlFlow<Option<()>, ()>, DriveError> {
        match command {
            Ok(Command::Hub) => self.introduce()?,
            Ok(Command::Init) => self.out.reply_apart(&Reply::Ready)?,
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
                    self.is_lost = false;
                }
                Err(message) => {
                    self.is_lost = true;
                    self.out.error(&message)?;
                }
            },
            Ok(Command::Level(level)) => self.level.merge(level),
            Ok(Command::Go(mode)) => self.go(session, mode, at)?,
            Ok(_) => unreachable!("handled by line"),
            Err(error) => {
                let is_pos = matches!(error, CommandError::UnquotedMoves)
                    || matches!(error, CommandError::Syntax { command: "pos", .. });
                self.is_lost |= is_pos;
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
        Ok(STAY)
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
    ) -> Result<ControlFlow<Option<()>, ()>, DriveError> {
        let old = self.options.clone();
        match self.options.set(name, value) {
            Ok(()) => {}
            Err(OptionError::Unknown(name)) => {
                self.out
                    .note('#', &format!("unknown parameter {name} ignored"));
                return Ok(STAY);
            }
            Err(error) => {
                self.out.error(&error)?;
                return Ok(STAY);
            }
        }
        if let Err(error) = self.follow(&old) {
            self.options = old;
            self.out.error(&error)?;
            return Ok(STAY);
        }
        if self.options.book != old.book {
            session.engine.forget_book();
        }
        if self.options.tables != old.tables {
            session.engine.forget_tables();
        }
        Ok(if self.options.variant == old.variant {
            STAY
        } else {
            ControlFlow::Break(Some(()))
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

    /// Starts a search that was asked for at a time, or answers at once where there is nothing to search.
    fn go<R: Rules>(
        &mut self,
        session: &mut Session<R>,
        mode: GoMode,
        at: Instant,
    ) -> Result<(), DriveError> {
        let (level, is_level_lost) = (self.level, self.is_level_lost);
        self.forget_level();
        if self.is_lost {
            self.out
                .error(&"no position to search, the last pos was rejected")?;
            return Ok(self.out.reply_apart(&Reply::Done {
                mv: None,
                ponder: None,
            })?);
        }
        let moves = session.engine.game.legal_moves();
        if moves.is_empty() {
            return Ok(self.out.reply_apart(&Reply::Done {
                mv: None,
                ponder: None,
            })?);
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
        let limits = self.limits(level, mode, is_level_lost);
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

    /// Returns what bounds a search. If the only limits were rejected, a client that waits for a move still gets one.
    fn limits(&self, level: Level, mode: GoMode, is_level_lost: bool) -> Limits {
        let has_clock = level.time.is_some() || level.inc.is_some() || level.moves.is_some();
        let clock = has_clock.then(|| {
            let increment = level.inc.unwrap_or_default();
            // The time may be negative: the increment is added before the move.
            let usable = (level.time.unwrap_or(Seconds::from_millis(DEFAULT_TIME_MS)) + increment)
                .to_duration();
            let increment = increment.to_duration().min(usable);
            Clock {
                time: usable.saturating_sub(increment),
                increment,
                moves: level.moves.filter(|&moves| moves > 0),
                overhead: Duration::from_millis(self.options.overhead_ms),
                can_ponder: self.options.ponder && mode == GoMode::Ponder,
            }
        });
        let limits = Limits {
            depth: level
                .depth
                .map(|depth| depth.clamp(1, MAX_DEPTH as u32) as Depth),
            nodes: level.nodes,
            move_time: level.move_time.map(Seconds::to_duration),
            clock,
            moves: Vec::new(),
            lines: self.options.lines,
            is_analysis: mode == GoMode::Analyze || level.infinite,
            is_endless: false,
        };
        let is_bounded = limits.depth.is_some()
            || limits.nodes.is_some()
            || limits.move_time.is_some()
            || clock.is_some();
        Limits {
            move_time: if is_level_lost && !is_bounded && !limits.is_analysis {
                Some(FALLBACK_TIME)
            } else {
                limits.move_time
            },
            is_endless: limits.is_analysis && !is_bounded,
            ..limits
        }
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

/// Reads the position and the moves of a `pos`. The error is the text of the answer.
fn read_game<R: Rules>(
    position: Option<&str>,
    moves: &[String],
    numbering: Numbering,
) -> Result<Game<R>, String> {
    let start: Position = match position {
        Some(text) => parse_position(text).map_err(|error| error.to_string())?,
        None => R::start(),
    };
    let mut game = Game::from_position(start);
    for (ply, text) in (1..).zip(moves) {
        let mv = parse_move(text, numbering, &game.legal_moves());
        game.play(mv.map_err(|error| format!("{error} (move {ply} of {})", moves.len()))?);
    }
    Ok(game)
}

/// Says whether there is something to ponder about after the best move and the expected reply: some clients let an
/// engine ponder even when the game is over.
fn goes_on_after<R: Rules>(game: &Game<R>, outcome: &Outcome, reply: Move) -> bool {
    let mut game = game.clone();
    let played = outcome
        .best
        .into_iter()
        .chain([reply])
        .try_for_each(|mv| game.try_play(mv));
    played.is_ok() && game.ending().is_none()
}

/// Returns what is told of an iteration: the best line as ever, then the others with their numbers.
fn infos(report: &Report, numbering: Numbering) -> Vec<Info> {
    let best = info(report, numbering);
    let others = (2..).zip(&report.others).map(|(number, line)| Info {
        score_centimen: Some(line.score.0),
        pv: line
            .pv
            .iter()
            .map(|&mv| write_move(mv, numbering))
            .collect(),
        line: Some(number),
        ..best.clone()
    });
    std::iter::once(best.clone()).chain(others).collect()
}

fn info(report: &Report, numbering: Numbering) -> Info {
    let seconds = report.time.as_secs_f64();
    let (plies, leaves) = report.leaf_plies;
    Info {
        depth: report.depth.unsigned_abs(),
        mean_depth: plies as f64 / leaves.max(1) as f64,
        score_centimen: Some(report.score.0),
        nodes: report.nodes,
        time: report.time.into(),
        nps_millions: if seconds > 0.0 {
            report.nodes as f64 / seconds / 1e6
        } else {
            0.0
        },
        pv: report
            .pv
            .iter()
            .map(|&mv| write_move(mv, numbering))
            .collect(),
        source: None,
        line: None,
    }
}
