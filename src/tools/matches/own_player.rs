//! A player that is this engine, within this process: no pipes, no start-up, nothing to parse.

use super::clock::GameClock;
use super::player::{Answer, Player, Trouble};
use super::record::FaultKind;
use crate::board::Move;
use crate::engine::{Engine, Event, OptionError, Options, ResourceError, Resources, Thinking};
use crate::rules::{Game, Rules};
use crate::score::Depth;
use crate::search::{Clock, Control, Limits, MAX_DEPTH};
use crate::tools::stop::Stop;
use crossbeam_channel::select_biased;
use std::time::{Duration, Instant};

/// This engine as a player.
pub(super) struct OwnPlayer<R> {
    options: Options,
    engine: Engine<R>,
    /// Not there before the first game.
    resources: Option<Resources>,
    /// With the moves of the game that it is about.
    thinking: Option<(Thinking<R>, Vec<Move>)>,
    ponder: bool,
    stop: Stop,
}

/// Returns the options of the engine that a list of names and values asks for.
pub(super) fn options<R: Rules>(values: &[(String, String)]) -> Result<Options, OptionError> {
    let mut options = Options::default();
    for (name, value) in values {
        options.set(name, value)?;
    }
    options.variant = R::VARIANT;
    Ok(options)
}

impl<R: Rules> OwnPlayer<R> {
    pub(super) fn new(options: Options, ponder: bool, stop: Stop) -> Self {
        Self {
            options,
            engine: Engine::default(),
            resources: None,
            thinking: None,
            ponder,
            stop,
        }
    }

    /// Starts a search in the background.
    fn start(
        &mut self,
        game: &Game<R>,
        clock: &GameClock,
        control: Control,
    ) -> Result<(), Trouble> {
        let Some(resources) = &self.resources else {
            return Err(fault("it was not started"));
        };
        self.engine.game = game.clone();
        // This opens the tables. What is found to be damaged while they are used is left out, as everywhere.
        let _ = self.engine.table_faults(&self.options);
        let limits = self.limits(clock);
        let job = self.engine.prepare(&self.options, resources, limits);
        let thinking = Thinking::start(job, control);
        let thinking = thinking.map_err(|error| fault(&error.to_string()))?;
        self.thinking = Some((thinking, game.moves().to_vec()));
        Ok(())
    }

    fn limits(&self, clock: &GameClock) -> Limits {
        let control = &clock.control;
        Limits {
            depth: control
                .depth
                .map(|depth| depth.min(MAX_DEPTH as u32) as Depth),
            nodes: control.nodes,
            move_time: control.move_time_ms.map(Duration::from_millis),
            clock: clock.left.map(|time| Clock {
                time,
                increment: clock.increment(),
                moves: clock.moves,
                // There is nothing between this engine and its clock.
                overhead: Duration::ZERO,
                can_ponder: self.ponder,
            }),
            ..Limits::default()
        }
    }

    /// Returns the move of the book. A book that cannot be read, though it could before the match, has none.
    fn book_answer(&mut self, game: &Game<R>) -> Option<Answer> {
        self.engine.game = game.clone();
        let (mv, score) = self.engine.book_move(&self.options).ok()??;
        Some(Answer {
            mv: Some(mv),
            cp: Some(score.0),
            ..Answer::default()
        })
    }
}

fn fault(detail: &str) -> Trouble {
    Trouble::Fault(FaultKind::Crash, detail.to_owned())
}

impl<R: Rules> Player<R> for OwnPlayer<R> {
    fn new_game(&mut self) -> Result<(), Trouble> {
        self.rest();
        if let Some(resources) = &mut self.resources {
            resources.clear();
        } else {
            let start = |error: ResourceError| Trouble::Fault(FaultKind::Start, error.to_string());
            self.resources = Some(Resources::new(&self.options).map_err(start)?);
        }
        Ok(())
    }

    fn check(&mut self) -> Result<(), Trouble> {
        self.new_game()?;
        if let Some(damage) = self.engine.table_faults(&self.options).first() {
            return Err(fault(&format!("bad tables: {damage}")));
        }
        let book = self.engine.book_move(&self.options);
        book.map_err(|error| fault(&format!("bad book: {error}")))?;
        Ok(())
    }

    fn think(&mut self, game: &Game<R>, clock: &GameClock) -> Result<Answer, Trouble> {
        let asked = Instant::now();
        let is_hit = matches!(&self.thinking, Some((_, moves)) if moves == game.moves());
        if !is_hit {
            self.rest();
            if let Some(answer) = self.book_answer(game) {
                return Ok(answer);
            }
            self.start(game, clock, Control::since(asked))?;
        }
        let (thinking, _) = self.thinking.take().expect("it was started");
        if is_hit {
            thinking.ponder_hit(asked);
        }
        let overdue = thinking.overdue();
        let (outcome, at) = loop {
            select_biased! {
                recv(self.stop.channel()) -> _ => return Err(Trouble::Stopped),
                recv(thinking.events()) -> event => match event {
                    Ok(Event::Iteration(_)) => {}
                    Ok(Event::Done(outcome, at)) => break (outcome, at),
                    Err(_) => return Err(fault("the search panicked")),
                },
                recv(overdue) -> _ => break (thinking.so_far(), Instant::now()),
            }
        };
        Ok(Answer {
            mv: outcome.best,
            expected: outcome.ponder(),
            used: at.saturating_duration_since(asked),
            cp: Some(outcome.report.score.0),
            depth: Some(outcome.report.depth.unsigned_abs()),
            nodes: Some(outcome.report.nodes),
        })
    }

    fn ponder(&mut self, game: &Game<R>, clock: &GameClock) {
        // A failure shows when it is asked for a move.
        let _ = self.start(game, clock, Control::pondering());
    }

    fn rest(&mut self) {
        self.thinking = None;
    }
}
