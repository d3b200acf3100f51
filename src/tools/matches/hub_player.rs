//! A player that is a program of its own and speaks Hub, with this side as the GUI.

use super::clock::GameClock;
use super::player::{Answer, Player, Trouble};
use super::process::{LogFiles, Process, Silence};
use super::record::FaultKind;
use crate::board::Move;
use crate::notation::hub::{HubMoveError, Numbering, parse_move, write_move, write_position};
use crate::notation::shown;
use crate::protocol::hub::message::{Command, GoMode, Info, Level, ParamKind, Reply, Seconds};
use crate::rules::{Game, Rules};
use crate::tools::stop::Stop;
use std::marker::PhantomData;
use std::time::{Duration, Instant};

/// The time from the start to `wait`, and from `init` to `ready`.
const START_TIME: Duration = Duration::from_secs(20);
/// The time from `stop` to `done`.
const STOP_TIME: Duration = Duration::from_secs(2);

/// How a Hub player is set up.
pub(super) struct Setup {
    pub(super) command: Vec<String>,
    pub(super) params: Vec<(String, String)>,
    pub(super) ponder: bool,
    /// How much later than allowed an answer may come.
    pub(super) margin: Duration,
    /// How long an answer may take where there is no limit of time.
    pub(super) patience: Duration,
    pub(super) files: Option<LogFiles>,
    pub(super) stop: Stop,
}

/// A Hub engine.
pub(super) struct HubPlayer<R> {
    setup: Setup,
    /// Not there before the first game and after a fault.
    process: Option<Process>,
    /// The moves of the game that it ponders on.
    pondering: Option<Vec<Move>>,
    /// What it did wrong when it was to stop pondering, to be told when it is to move.
    broken: Option<Silence>,
    rules: PhantomData<R>,
}

/// A `done` with what came before it.
struct Done {
    mv: Option<String>,
    ponder: Option<String>,
    /// The last report on the best line.
    info: Info,
    /// When it came.
    at: Instant,
}

impl<R: Rules> HubPlayer<R> {
    pub(super) fn new(setup: Setup) -> Self {
        Self {
            setup,
            process: None,
            pondering: None,
            broken: None,
            rules: PhantomData,
        }
    }

    /// Starts the program and goes through the handshake.
    fn start(&self) -> Result<Process, Trouble> {
        let Setup {
            command,
            params,
            files,
            stop,
            ..
        } = &self.setup;
        let process = Process::start(command, files.as_ref());
        let mut process =
            process.map_err(|error| start_fault(format!("{}: {error}", command[0])))?;
        let declared = greet(&mut process, stop).map_err(|silence| unready("wait", silence))?;
        let is_declared = |wanted: &str| declared.iter().any(|(name, _)| name == wanted);
        if let Some((name, _)) = params.iter().find(|(name, _)| !is_declared(name)) {
            let names: Vec<&str> = declared.iter().map(|(name, _)| name.as_str()).collect();
            return Err(start_fault(format!(
                "it has no parameter \"{}\", expected one of {}",
                shown(name),
                names.join(", ")
            )));
        }
        let refusal = initialise(&mut process, self.params(&declared), stop)
            .map_err(|silence| unready("ready", silence))?;
        match refusal {
            Some(text) => Err(start_fault(format!(
                "it refuses a parameter: \"{}\"",
                shown(&text)
            ))),
            None => Ok(process),
        }
    }

    /// Returns what is set before `init`: the rule set and pondering if the engine has such parameters, then what the user wants.
    fn params(&self, declared: &[(String, ParamKind)]) -> Vec<(String, String)> {
        let kind_of = |wanted: &str| {
            let found = declared.iter().find(|(name, _)| name == wanted);
            found.map(|(_, kind)| kind)
        };
        let mut params = Vec::new();
        if let Some(kind) = kind_of("variant") {
            params.push(("variant".to_owned(), variant_word::<R>(kind).to_owned()));
        }
        if kind_of("ponder").is_some() {
            params.push(("ponder".to_owned(), self.setup.ponder.to_string()));
        }
        params.extend(self.setup.params.iter().cloned());
        params
    }

    /// Drops an engine that has made a fault, and says what it was.
    fn fail(&mut self, kind: FaultKind, detail: String) -> Trouble {
        self.process = None;
        self.pondering = None;
        Trouble::Fault(kind, detail)
    }

    /// Says what a silence after `go` means.
    fn fail_silent(&mut self, silence: Silence, clock: &GameClock) -> Trouble {
        let unknown = self.process.as_ref().and_then(Process::unknown);
        let unknown = unknown.map(|text| format!("; it wrote \"{}\"", shown(text)));
        let unknown = unknown.unwrap_or_default();
        match silence {
            Silence::Stopped => Trouble::Stopped,
            Silence::Ended(how) => self.fail(FaultKind::Crash, how),
            Silence::Flood => self.fail(FaultKind::Flood, "its output does not end".to_owned()),
            Silence::Deaf => self.fail(FaultKind::Hang, "it does not read its input".to_owned()),
            Silence::Deadline => {
                let (kind, time) = match clock.allowed() {
                    Some(allowed) => (FaultKind::Time, allowed),
                    None => (FaultKind::Hang, self.setup.patience),
                };
                let seconds = time.as_secs_f64();
                self.fail(kind, format!("no move within {seconds:.3} s{unknown}"))
            }
        }
    }

    /// Sends the position, the limits, and `go`.
    fn go(&mut self, game: &Game<R>, clock: &GameClock, mode: GoMode) -> Result<(), Silence> {
        let Some(process) = &mut self.process else {
            return Err(Silence::Ended("it had ended before".to_owned()));
        };
        let write = |&mv| write_move(mv, Numbering::Hub);
        process.send(&Command::Pos {
            start: false,
            position: Some(write_position(game.start())),
            moves: game.moves().iter().map(write).collect(),
        })?;
        process.send(&Command::Level(level(clock)))?;
        process.send(&Command::Go(mode))
    }

    /// Waits for `done`.
    fn wait_done(&mut self, deadline: Instant) -> Result<Done, Silence> {
        let Some(process) = &mut self.process else {
            return Err(Silence::Ended("it had ended before".to_owned()));
        };
        let mut last = Info::default();
        loop {
            match process.receive(Some(deadline), &self.setup.stop)? {
                (Reply::Info(info), _) if info.line.unwrap_or(1) == 1 => last = info,
                (Reply::Done { mv, ponder }, at) => {
                    return Ok(Done {
                        mv,
                        ponder,
                        info: last,
                        at,
                    });
                }
                _ => {}
            }
        }
    }

    fn answer(
        &mut self,
        game: &Game<R>,
        clock: &GameClock,
        asked: Instant,
    ) -> Result<Answer, Trouble> {
        let time = match clock.allowed() {
            Some(allowed) => allowed + self.setup.margin,
            None => self.setup.patience,
        };
        let done = self
            .wait_done(asked + time)
            .map_err(|silence| self.fail_silent(silence, clock))?;
        let legal = game.legal_moves();
        let Some(text) = done.mv else {
            return Err(self.fail(FaultKind::Garbage, "done without a move".to_owned()));
        };
        let mv = parse_move(&text, Numbering::Hub, &legal).map_err(|error| {
            let kind = match error {
                HubMoveError::IllegalMove(_) => FaultKind::IllegalMove,
                HubMoveError::BadMove(_) | HubMoveError::AmbiguousMove(_) => FaultKind::Garbage,
            };
            self.fail(kind, error.to_string())
        })?;
        let mut after = game.clone();
        after.play(mv);
        // An expectation that is not legal is none.
        let expected = done
            .ponder
            .and_then(|text| parse_move(&text, Numbering::Hub, &after.legal_moves()).ok());
        let info = done.info;
        let has_info = info != Info::default();
        Ok(Answer {
            mv: Some(mv),
            expected,
            used: done.at.saturating_duration_since(asked),
            cp: info.score_centimen,
            depth: has_info.then_some(info.depth),
            nodes: has_info.then_some(info.nodes),
        })
    }
}

impl<R: Rules> Player<R> for HubPlayer<R> {
    fn new_game(&mut self) -> Result<(), Trouble> {
        self.rest();
        if self.broken.take().is_some() {
            self.process = None;
        }
        // It may have left since its last game, which is no fault.
        if self.process.as_mut().is_none_or(Process::has_ended) {
            self.process = None;
            self.process = Some(self.start()?);
        }
        let process = self.process.as_mut().expect("it was just started");
        process.forget();
        if process.send(&Command::NewGame).is_err() {
            // It has left just now. It gets one new chance.
            self.process = Some(self.start()?);
        }
        Ok(())
    }

    fn think(&mut self, game: &Game<R>, clock: &GameClock) -> Result<Answer, Trouble> {
        let is_hit = self.pondering.as_deref() == Some(game.moves());
        // The time that it takes to stop pondering is its own.
        let asked = Instant::now();
        if !is_hit {
            self.rest();
            if let Some(silence) = self.broken.take() {
                return Err(match silence {
                    Silence::Deadline => {
                        let seconds = STOP_TIME.as_secs();
                        let detail = format!("no done within {seconds} s of stop");
                        self.fail(FaultKind::Hang, detail)
                    }
                    other => self.fail_silent(other, clock),
                });
            }
            if let Some(process) = &mut self.process {
                process.forget();
            }
        }
        self.pondering = None;
        let sent = match &mut self.process {
            // An engine that has answered already ignores it.
            Some(process) if is_hit => process.send(&Command::PonderHit),
            _ => self.go(game, clock, GoMode::Think),
        };
        sent.map_err(|silence| self.fail_silent(silence, clock))?;
        self.answer(game, clock, asked)
    }

    fn ponder(&mut self, game: &Game<R>, clock: &GameClock) {
        // A failure shows when it is asked for a move.
        if self.go(game, clock, GoMode::Ponder).is_ok() {
            self.pondering = Some(game.moves().to_vec());
        }
    }

    fn rest(&mut self) {
        if self.pondering.take().is_none() {
            return;
        }
        let Some(process) = &mut self.process else {
            return;
        };
        let stopped = process.send(&Command::Stop);
        let stopped = stopped.and_then(|()| self.wait_done(Instant::now() + STOP_TIME));
        if let Err(silence) = stopped {
            self.broken = Some(silence);
        }
    }
}

fn start_fault(detail: String) -> Trouble {
    Trouble::Fault(FaultKind::Start, detail)
}

/// Says what a silence means in place of a wanted answer of the handshake.
fn unready(wanted: &str, silence: Silence) -> Trouble {
    start_fault(match silence {
        Silence::Stopped => return Trouble::Stopped,
        Silence::Deadline => format!("no \"{wanted}\" within {} s", START_TIME.as_secs()),
        Silence::Ended(how) => format!("it ended before \"{wanted}\": {how}"),
        Silence::Flood => format!("a flood instead of \"{wanted}\""),
        Silence::Deaf => "it does not read its input".to_owned(),
    })
}

/// Says `hub`, and returns the parameters that the engine declares.
fn greet(process: &mut Process, stop: &Stop) -> Result<Vec<(String, ParamKind)>, Silence> {
    let deadline = Some(Instant::now() + START_TIME);
    process.send(&Command::Hub)?;
    let mut declared = Vec::new();
    loop {
        match process.receive(deadline, stop)?.0 {
            Reply::Param { name, kind, .. } => declared.push((name, kind)),
            Reply::Wait => return Ok(declared),
            _ => {}
        }
    }
}

/// Sets parameters, says `init`, and waits until the engine is ready. Returns its first complaint.
fn initialise(
    process: &mut Process,
    params: Vec<(String, String)>,
    stop: &Stop,
) -> Result<Option<String>, Silence> {
    let deadline = Some(Instant::now() + START_TIME);
    for (name, value) in params {
        process.send(&Command::SetParam { name, value })?;
    }
    process.send(&Command::Init)?;
    let mut complaint = None;
    loop {
        match process.receive(deadline, stop)?.0 {
            Reply::Ready => return Ok(complaint),
            Reply::Error(text) => {
                complaint.get_or_insert(text);
            }
            _ => {}
        }
    }
}

/// Returns the word by which an engine knows the rules: the name of the rule set, or else of the game.
fn variant_word<R: Rules>(kind: &ParamKind) -> &'static str {
    use crate::rules::Movement;
    let name = R::VARIANT.name();
    let game = <R::Movement as Movement>::NAME;
    match kind {
        ParamKind::Enum(words) if !words.iter().any(|word| word == name) => game,
        _ => name,
    }
}

/// Returns the limits as Hub tells them: the engine itself adds the increment to the time.
fn level(clock: &GameClock) -> Level {
    let seconds = |ms: u64| Seconds::from_millis(ms.try_into().unwrap_or(i64::MAX));
    let control = &clock.control;
    Level {
        depth: control.depth,
        nodes: control.nodes,
        move_time: control.move_time_ms.map(seconds),
        time: clock.left.map(|left| seconds(left.as_millis() as u64)),
        inc: control.inc_ms.map(seconds),
        moves: clock.moves,
        infinite: false,
        ponder: false,
    }
}
