//! A player that is a program of its own, reached over DXP, with this side as the initiator.
//!
//! DXP knows a time for the whole game and nothing else. The player is told no more time than its clock has; a limit by depth, nodes or
//! move is its own business, and the referee measures the time all the same. A game is asked for when the player is first to move, from
//! the position that it is to move in.

use super::clock::GameClock;
use super::player::{Answer, Player, Trouble};
use super::process::LogFiles;
use super::record::FaultKind;
use crate::board::Side;
use crate::notation::hub::Numbering;
use crate::notation::shown;
use crate::protocol::dxp::frame::{self, Frame, Sender};
use crate::protocol::dxp::message::{
    Acceptance, BackAnswer, EndReason, GameEnd, GameRequest, Message, Minutes, MoveMessage,
};
use crate::protocol::dxp::position::{read_move, write_move, write_start};
use crate::protocol::dxp::socket::{self, Address};
use crate::rules::{Game, Rules};
use crate::tools::stop::Stop;
use crossbeam_channel::{Receiver, at, bounded, select_biased};
use std::io::BufReader;
use std::marker::PhantomData;
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

/// The time to accept a game.
const ANSWER_TIME: Duration = Duration::from_secs(20);
/// The time to answer the end of a game.
const END_TIME: Duration = Duration::from_secs(2);
/// Messages that wait to be looked at.
const QUEUE: usize = 64;
/// The most messages for one move; more are a flood.
const FLOOD: u32 = 10_000;

/// How a DXP player is set up.
pub(super) struct Setup {
    pub(super) address: Address,
    /// How its squares are numbered.
    pub(super) squares: Numbering,
    /// How much later than allowed an answer may come.
    pub(super) margin: Duration,
    /// How long an answer may take where there is no limit of time.
    pub(super) patience: Duration,
    pub(super) files: Option<LogFiles>,
    pub(super) stop: Stop,
}

/// A DXP engine.
pub(super) struct DxpPlayer<R> {
    setup: Setup,
    /// Not there before the first game and after a fault.
    line: Option<Line>,
    /// How many moves the game has after the engine's last one, if a game is being played.
    plies: Option<usize>,
    rules: PhantomData<R>,
}

/// A connection.
struct Line {
    stream: TcpStream,
    out: Sender<TcpStream>,
    frames: Receiver<Frame>,
}

/// Why no message came.
enum Silence {
    Deadline,
    Gone,
    Stopped,
}

impl Line {
    fn open(setup: &Setup) -> std::io::Result<Self> {
        let log = setup.files.as_ref().map(LogFiles::conversation);
        let log = log.transpose()?;
        let stream = setup.address.connect()?;
        let mut input = BufReader::new(stream.try_clone()?);
        let out = Sender::to_engine(stream.try_clone()?, log);
        let (to, frames) = bounded(QUEUE);
        thread::Builder::new()
            .name("from-engine".to_owned())
            .spawn(move || {
                while let Ok(Some(frame)) = frame::read(&mut input) {
                    if to.send(frame).is_err() {
                        break;
                    }
                }
            })?;
        Ok(Self {
            stream,
            out,
            frames,
        })
    }

    /// Sends a message. If that cannot be done, the other side has gone, which is seen by listening to it.
    fn send(&mut self, message: &Message) {
        let _ = self.out.send(message);
    }

    fn receive(&mut self, deadline: Instant, stop: &Stop) -> Result<Frame, Silence> {
        let frame = select_biased! {
            recv(stop.channel()) -> _ => return Err(Silence::Stopped),
            recv(self.frames) -> frame => frame.map_err(|_| Silence::Gone)?,
            recv(at(deadline)) -> _ => return Err(Silence::Deadline),
        };
        self.out.heard(&frame);
        Ok(frame)
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        socket::close(&self.stream);
    }
}

impl<R: Rules> DxpPlayer<R> {
    pub(super) fn new(setup: Setup) -> Self {
        Self {
            setup,
            line: None,
            plies: None,
            rules: PhantomData,
        }
    }

    /// Drops a connection to an engine that has made a fault, and says what it was.
    fn fail(&mut self, kind: FaultKind, detail: impl Into<String>) -> Trouble {
        self.line = None;
        self.plies = None;
        Trouble::Fault(kind, detail.into())
    }

    fn fail_silent(&mut self, silence: &Silence, clock: &GameClock) -> Trouble {
        match silence {
            Silence::Stopped => Trouble::Stopped,
            Silence::Gone => self.fail(FaultKind::Crash, "it closed the connection"),
            Silence::Deadline => {
                let (kind, time) = match clock.allowed() {
                    Some(allowed) => (FaultKind::Time, allowed),
                    None => (FaultKind::Hang, self.setup.patience),
                };
                let seconds = time.as_secs_f64();
                self.fail(kind, format!("no move within {seconds:.3} s"))
            }
        }
    }

    fn line(&mut self) -> Result<&mut Line, Trouble> {
        let gone = || Trouble::Fault(FaultKind::Crash, "the connection is closed".to_owned());
        self.line.as_mut().ok_or_else(gone)
    }

    /// Asks for a game from a position in which the engine is to move, and waits until it has accepted.
    fn ask(&mut self, game: &Game<R>, clock: &GameClock) -> Result<(), Trouble> {
        let follower = game.position().turn();
        let time = clock.left.unwrap_or_default();
        let start = write_start(game.position());
        let line = self.line()?;
        line.send(&Message::Request(GameRequest {
            name: concat!("Mainroad ", env!("CARGO_PKG_VERSION")).to_owned(),
            follower,
            minutes: Minutes::within(time),
            moves: 0,
            start,
        }));
        let deadline = Instant::now() + ANSWER_TIME;
        loop {
            let stop = self.setup.stop.clone();
            match self.line()?.receive(deadline, &stop) {
                Ok(frame) => match frame.message {
                    Ok(Message::Answer(answer)) if answer.acceptance == Acceptance::Accepted => {
                        return Ok(());
                    }
                    Ok(Message::Answer(answer)) => {
                        let detail = format!("it refuses the game: {}", answer.acceptance);
                        return Err(self.fail(FaultKind::Start, detail));
                    }
                    // Late news of the game before.
                    _ => {}
                },
                Err(Silence::Deadline) => {
                    let detail = format!("it accepts no game within {} s", ANSWER_TIME.as_secs());
                    return Err(self.fail(FaultKind::Start, detail));
                }
                Err(silence) => return Err(self.fail_silent(&silence, clock)),
            }
        }
    }

    /// Says whether the engine knows all moves of a game but the last.
    fn is_behind(&self, game: &Game<R>) -> bool {
        let plies = self.plies;
        plies.is_some_and(|plies| plies + 1 == game.moves().len())
    }

    /// Tells the engine the last move of a game.
    fn pass_move(&mut self, game: &Game<R>) -> Result<(), Trouble> {
        let mv = *game.moves().last().expect("one was just played");
        let numbering = self.setup.squares.in_game::<R>();
        let message = write_move(mv, numbering, Duration::ZERO);
        self.line()?.send(&Message::Move(message));
        Ok(())
    }

    /// Says that the game is over, if there is one, and waits until the engine knows.
    fn end_game(&mut self, reason: EndReason) {
        if self.plies.take().is_none() {
            return;
        }
        let stop = self.setup.stop.clone();
        let Some(line) = &mut self.line else { return };
        line.send(&Message::End(GameEnd {
            reason,
            is_last: false,
        }));
        let deadline = Instant::now() + END_TIME;
        loop {
            match line.receive(deadline, &stop) {
                Ok(frame) => match frame.message {
                    Ok(Message::End(end)) if !end.is_last => return,
                    Ok(Message::End(_)) => break,
                    _ => {}
                },
                // It may be one that does not answer.
                Err(Silence::Deadline | Silence::Stopped) => return,
                Err(Silence::Gone) => break,
            }
        }
        self.line = None;
    }

    /// Waits for the engine's move.
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
        let stop = self.setup.stop.clone();
        for _ in 0..FLOOD {
            let received = self.line()?.receive(asked + time, &stop);
            let frame = received.map_err(|silence| self.fail_silent(&silence, clock))?;
            match frame.message {
                Ok(Message::Move(message)) => return self.take(game, &message, frame.at - asked),
                Ok(Message::End(end)) => return Err(self.take_end(end)),
                Ok(Message::Back(_)) => {
                    let refusal = Message::BackAnswer(BackAnswer::Refused);
                    self.line()?.send(&refusal);
                }
                Ok(_) => {}
                Err(error) => {
                    let detail = format!("{error}: \"{}\"", shown(&frame.text));
                    return Err(self.fail(FaultKind::Garbage, detail));
                }
            }
        }
        Err(self.fail(FaultKind::Flood, "its messages do not end"))
    }

    fn take(
        &mut self,
        game: &Game<R>,
        message: &MoveMessage,
        used: Duration,
    ) -> Result<Answer, Trouble> {
        let numbering = self.setup.squares.in_game::<R>();
        match read_move(message, numbering, &game.legal_moves()) {
            Ok(mv) => {
                self.plies = Some(game.moves().len() + 1);
                Ok(Answer {
                    mv: Some(mv),
                    used,
                    ..Answer::default()
                })
            }
            Err(error) => Err(self.fail(FaultKind::IllegalMove, error.to_string())),
        }
    }

    /// Answers the end of a game that is not over. The engine may give up; anything else is a fault.
    fn take_end(&mut self, end: GameEnd) -> Trouble {
        if let Ok(line) = self.line() {
            line.send(&Message::End(GameEnd {
                reason: EndReason::Unknown,
                is_last: end.is_last,
            }));
        }
        self.plies = None;
        if end.is_last {
            self.line = None;
        }
        let what = match end.reason {
            EndReason::GivesUp => return Trouble::GaveUp,
            EndReason::Draw => "that the game is drawn",
            EndReason::Wins => "that it has won",
            EndReason::Unknown => "that the game is over",
        };
        Trouble::Fault(FaultKind::Garbage, format!("it says {what}, and it is not"))
    }
}

impl<R: Rules> Player<R> for DxpPlayer<R> {
    fn new_game(&mut self) -> Result<(), Trouble> {
        self.rest();
        if self.line.is_none() {
            let address = &self.setup.address;
            let line = Line::open(&self.setup)
                .map_err(|error| Trouble::Fault(FaultKind::Start, format!("{address}: {error}")))?;
            self.line = Some(line);
        }
        Ok(())
    }

    fn think(&mut self, game: &Game<R>, clock: &GameClock) -> Result<Answer, Trouble> {
        let mut asked = Instant::now();
        if self.is_behind(game) {
            self.pass_move(game)?;
        } else {
            self.ask(game, clock)?;
            // The time to accept is not that of a move.
            asked = Instant::now();
        }
        self.answer(game, clock, asked)
    }

    fn ponder(&mut self, _game: &Game<R>, _clock: &GameClock) {
        // Whether it does is the engine's business.
    }

    fn rest(&mut self) {
        self.end_game(EndReason::Unknown);
    }

    fn end(&mut self, game: &Game<R>, own: Side, winner: Option<Side>) {
        // A move that leaves no reply is not thought about.
        if self.is_behind(game) && game.loss().is_some() {
            let _ = self.pass_move(game);
        }
        self.end_game(match winner {
            None => EndReason::Draw,
            Some(side) if side == own => EndReason::GivesUp,
            Some(_) => EndReason::Wins,
        });
    }
}
