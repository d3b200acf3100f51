//! A connection, and one game over it, in either role.
//!
//! Input is read by a thread of its own and the engine searches on threads of its own; both send to channels, and the loop takes from
//! whichever has something. So the other side is heard at any time, also while this one thinks.
//!
//! Invariants: whatever the other side sends, the game goes on or ends with a result; each GAMEEND that it sends in a game is answered by
//! one; no move is sent that is illegal or out of turn.

use super::frame::{self, Frame, Sender};
use super::game::{Conditions, Finished, Play, Verdict};
use super::message::{
    Acceptance, BackAnswer, BackRequest, EndReason, GameAnswer, GameEnd, Message, MessageError,
    MoveMessage,
};
use super::position::{read_move, write_move};
use crate::board::Move;
use crate::engine::{Options, ResourceError};
use crate::notation::hub::Numbering;
use crate::notation::shown;
use crate::protocol::log::Log;
use crate::protocol::thinking::Thinker;
use crate::rules::Rules;
use crate::search::{Control, Limits, Outcome};
use crossbeam_channel::{Receiver, Sender as ChannelSender, at, bounded, never, select};
use std::io::{self, BufRead, Write};
use std::thread;
use std::time::{Duration, Instant};

/// The most messages that wait to be looked at. More wait in the connection.
const QUEUE: usize = 64;
/// How long the other side may take to answer the end of a game.
const END_TIME: Duration = Duration::from_secs(5);
/// How much longer than its time the other side may take, for delays of the connection.
const GRACE: Duration = Duration::from_secs(10);

/// How this side plays.
#[derive(Clone, Debug)]
pub struct Terms {
    /// The options of the engine; the file for the log is one of them.
    pub options: Options,
    /// What the other side is told.
    pub name: String,
    /// The time for a move in a game for which none is told.
    pub move_time: Duration,
    /// Whether this side says that a game is drawn when a rule has drawn it. Some clients (pydraughts) wait for ever when the engine
    /// ends a game.
    pub claims_draws: bool,
    /// Whether this side gives a game up that is proved to be lost.
    pub resigns: bool,
    /// Becomes ready, or closes, when a person wants to leave.
    pub interrupt: Receiver<()>,
}

/// What a person may want to know while it goes on.
#[derive(Debug)]
pub enum Event<'a, R> {
    /// A game has begun, with the name of the other side.
    Began(&'a str),
    /// A game is over.
    Finished(&'a Finished<R>),
    /// The other side says something to people.
    Chat(&'a str),
    /// Something was not as it should be.
    Warning(&'a str),
}

/// Why nothing more is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// All that was wanted is done, or the other side wants no more games.
    Done,
    /// The other side has closed the connection, or it broke.
    Gone,
    /// A person wants to leave.
    Interrupted,
}

/// Says why games cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum DxpError {
    /// The log cannot be written.
    #[error("log: {0}: {1}")]
    Log(String, io::Error),
    /// Threads or memory cannot be had.
    #[error(transparent)]
    Resources(#[from] ResourceError),
    /// A thread cannot be had.
    #[error("cannot start a thread: {0}")]
    Thread(#[source] io::Error),
    /// The other side does not play.
    #[error("the other side refuses the game: {0}")]
    Refused(Acceptance),
    /// The other side does not say whether it plays.
    #[error("no answer to the request for a game within {} s", .0.as_secs())]
    NoAnswer(Duration),
    /// What the other side says to the request is no answer.
    #[error("the answer to the request for a game cannot be read: {0}")]
    BadAnswer(#[source] MessageError),
    /// The other side has played enough before all games were played.
    #[error("the other side wants no more games after {played} of {wanted}")]
    Enough {
        /// The games that were played to an end.
        played: usize,
        /// The games that were wanted.
        wanted: usize,
    },
    /// The connection was closed before all games were played.
    #[error("the other side closed the connection after {played} of {wanted} games")]
    Gone {
        /// The games that were played to an end.
        played: usize,
        /// The games that were wanted.
        wanted: usize,
    },
}

/// What the other side said, or why nothing more can come.
pub(super) enum Heard {
    Frame(Frame),
    Ended(Ended),
    /// Nothing came in time.
    Silence,
}

/// A connection with the engine at this end of it.
pub(super) struct Session<'a, R: Rules, W> {
    pub(super) terms: &'a Terms,
    pub(super) tell: &'a mut dyn FnMut(Event<R>),
    frames: Receiver<Frame>,
    out: Sender<W>,
    thinker: Thinker<R>,
    /// Heard while something else was waited for.
    pending: Option<Frame>,
}

/// What comes after a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum After {
    /// Another game may be played.
    Another,
    /// None: the other side has closed the connection, which is its answer to the end of the game.
    Closed,
    /// None.
    Over(Ended),
}

/// What a step of a game leads to.
enum Step {
    GoOn,
    /// This side says that the game is over.
    Say(EndReason, Option<(Verdict, String)>),
    /// The other side has said so.
    Told(GameEnd),
    /// It cannot go on.
    Broken(Ended),
}

impl<'a, R: Rules, W: Write> Session<'a, R, W> {
    pub(super) fn new(
        input: impl BufRead + Send + 'static,
        output: W,
        terms: &'a Terms,
        tell: &'a mut dyn FnMut(Event<R>),
    ) -> Result<Self, DxpError> {
        let path = &terms.options.log;
        let log = (!path.is_empty()).then(|| Log::open(path)).transpose();
        let log = log.map_err(|error| DxpError::Log(path.clone(), error))?;
        let (sender, frames) = bounded(QUEUE);
        thread::Builder::new()
            .name("dxp-input".to_owned())
            .spawn(move || read_frames(input, &sender))
            .map_err(DxpError::Thread)?;
        Ok(Self {
            terms,
            tell,
            frames,
            out: Sender::new(output, log),
            thinker: Thinker::new(terms.options.clone())?,
            pending: None,
        })
    }

    /// Waits for the other side, at most until a time.
    pub(super) fn hear(&mut self, deadline: Option<Instant>) -> Heard {
        if let Some(frame) = self.pending.take() {
            return Heard::Frame(frame);
        }
        let timer = deadline.map_or_else(never, at);
        let heard = select! {
            recv(self.frames) -> frame => frame.map_or(Heard::Ended(Ended::Gone), Heard::Frame),
            recv(self.terms.interrupt) -> _ => Heard::Ended(Ended::Interrupted),
            recv(timer) -> _ => Heard::Silence,
        };
        if let Heard::Frame(frame) = &heard {
            self.out.heard(frame);
        }
        heard
    }

    /// Hears this frame again the next time.
    fn put_back(&mut self, frame: Frame) {
        self.pending = Some(frame);
    }

    /// Sends a message. A side that takes none has gone, which is seen by listening to it.
    pub(super) fn send(&mut self, message: &Message) {
        if let Err(error) = self.out.send(message) {
            self.out.remark(&format!("cannot send: {error}"));
        }
    }

    /// Keeps the next message back for a time.
    pub(super) fn pause(&mut self, time: Duration) {
        self.out.pause(time);
    }

    pub(super) fn send_end(&mut self, reason: EndReason, is_last: bool) {
        self.send(&Message::End(GameEnd { reason, is_last }));
    }

    pub(super) fn send_answer(&mut self, acceptance: Acceptance) {
        let name = self.terms.name.clone();
        self.send(&Message::Answer(GameAnswer { name, acceptance }));
    }

    /// Tells a person what the other side says to people.
    pub(super) fn chat(&mut self, text: &str) {
        (self.tell)(Event::Chat(text));
    }

    pub(super) fn warn(&mut self, text: &str) {
        self.out.remark(text);
        (self.tell)(Event::Warning(text));
    }

    fn pass_warnings(&mut self) {
        for warning in self.thinker.take_warnings() {
            self.warn(&warning);
        }
        if let Some(error) = self.out.take_log_fault() {
            let path = &self.terms.options.log;
            self.warn(&format!("log: {path}: {error}"));
        }
    }

    fn numbering(&self) -> Numbering {
        self.terms.options.squares.in_game::<R>()
    }

    /// Plays a game that both sides have agreed on. The initiator sees to it that it comes to an end, and says whether it is the last.
    pub(super) fn play(&mut self, conditions: Conditions, role: Role) -> After {
        (self.tell)(Event::Began(&conditions.opponent));
        self.thinker.new_game();
        let mut play = Play::<R>::new(conditions);
        let step = loop {
            let step = match self.begin_turn(&mut play, role) {
                Step::GoOn => self.listen(&mut play, role),
                step => step,
            };
            if !matches!(step, Step::GoOn) {
                break step;
            }
        };
        self.thinker.stop();
        let ((verdict, reason), after) = self.end(&play, step, role);
        (self.tell)(Event::Finished(&play.finish(verdict, reason)));
        after
    }

    /// Ends a game as a step demands.
    fn end(&mut self, play: &Play<R>, step: Step, role: Role) -> ((Verdict, String), After) {
        match step {
            Step::GoOn => unreachable!("the game goes on until another step comes"),
            Step::Say(reason, verdict) => {
                let verdict = verdict.unwrap_or_else(|| play.judge(reason, play.own));
                self.send_end(reason, role.is_last());
                (verdict, self.wait_end())
            }
            Step::Told(end) => {
                self.send_end(EndReason::Unknown, end.is_last);
                let after = if end.is_last {
                    After::Over(Ended::Done)
                } else {
                    After::Another
                };
                (play.judge(end.reason, play.own.opponent()), after)
            }
            Step::Broken(ended) => {
                if ended == Ended::Interrupted {
                    self.send_end(EndReason::Unknown, true);
                }
                let reason = match ended {
                    Ended::Interrupted => "interrupted",
                    Ended::Gone | Ended::Done => "connection lost",
                };
                let over = play.game.loss().is_some();
                let verdict = if over {
                    play.judge(EndReason::Unknown, play.own)
                } else {
                    (Verdict::Unfinished, reason.to_owned())
                };
                (verdict, After::Over(ended))
            }
        }
    }

    /// Waits until the other side has answered the end of the game. One that asks for the next game has done so.
    fn wait_end(&mut self) -> After {
        let deadline = Instant::now() + END_TIME;
        loop {
            match self.hear(Some(deadline)) {
                Heard::Frame(frame) => match frame.message {
                    Ok(Message::End(end)) if end.is_last => return After::Over(Ended::Done),
                    Ok(Message::End(_)) => return After::Another,
                    Ok(Message::Request(_)) => {
                        self.put_back(frame);
                        return After::Another;
                    }
                    Ok(Message::Chat(text)) => self.chat(&text),
                    // Sent before it knew.
                    Ok(_) | Err(_) => {}
                },
                Heard::Ended(Ended::Gone) => return After::Closed,
                Heard::Ended(ended) => return After::Over(ended),
                Heard::Silence => {
                    self.out.remark("the end of the game is not answered");
                    return After::Another;
                }
            }
        }
    }

    /// Has the engine think if it is its turn and it does not, or says that the game is over.
    fn begin_turn(&mut self, play: &mut Play<R>, role: Role) -> Step {
        if !play.is_own_turn() {
            return Step::GoOn;
        }
        // The draw may have come with this side's own move: what was played after it does not count, even if it took the last piece.
        let draws = self.terms.claims_draws && self.terms.options.draw_rules;
        if draws && play.draw().is_some() {
            return Step::Say(EndReason::Draw, None);
        }
        if play.game.loss().is_some() {
            return Step::Say(EndReason::GivesUp, None);
        }
        if role.is_initiator() && play.is_at_move_limit() {
            let verdict = (Verdict::Unfinished, "move limit".to_owned());
            return Step::Say(EndReason::Unknown, Some(verdict));
        }
        if self.thinker.is_about(&play.game) {
            return Step::GoOn;
        }
        self.thinker.stop();
        if let Some(outcome) = self.thinker.book_move(&play.game) {
            return self.answer(play, &outcome);
        }
        let limits = self.limits(play);
        let control = Control::since(play.turn_began);
        if let Err(error) = self.thinker.start(&play.game, limits, control) {
            self.warn(&format!("cannot search, any legal move is played: {error}"));
            let outcome = Outcome {
                best: play.game.legal_moves().first().copied(),
                ..Outcome::default()
            };
            return self.answer(play, &outcome);
        }
        self.pass_warnings();
        Step::GoOn
    }

    fn limits(&self, play: &Play<R>) -> Limits {
        let options = &self.terms.options;
        let overhead = Duration::from_millis(options.overhead_ms);
        play.limits(self.terms.move_time, overhead, options.ponder)
    }

    /// Waits for what comes first: the engine's move, the other side, or the end of somebody's time.
    fn listen(&mut self, play: &mut Play<R>, role: Role) -> Step {
        if let Some(frame) = self.pending.take() {
            return self.take_frame(play, frame);
        }
        let timer = Self::deadline(play, role).map_or_else(never, at);
        let (events, overdue) = (self.thinker.events(), self.thinker.overdue());
        select! {
            recv(self.frames) -> frame => match frame {
                Ok(frame) => {
                    self.out.heard(&frame);
                    self.take_frame(play, frame)
                }
                Err(_) => Step::Broken(Ended::Gone),
            },
            recv(events) -> event => {
                let outcome = self.thinker.take(event.ok());
                self.take_outcome(play, outcome)
            }
            recv(overdue) -> _ => {
                let outcome = self.thinker.take_overdue();
                self.take_outcome(play, outcome)
            }
            recv(self.terms.interrupt) -> _ => Step::Broken(Ended::Interrupted),
            recv(timer) -> _ => Self::run_out(play),
        }
    }

    /// Answers when the search is over.
    fn take_outcome(&mut self, play: &mut Play<R>, outcome: Option<Outcome>) -> Step {
        match outcome {
            Some(outcome) if play.is_own_turn() => self.answer(play, &outcome),
            // Only a search that failed ends while it ponders.
            Some(_) => {
                self.pass_warnings();
                Step::GoOn
            }
            None => Step::GoOn,
        }
    }

    /// Returns when the initiator does not wait any longer for the other side.
    fn deadline(play: &Play<R>, role: Role) -> Option<Instant> {
        if !role.is_initiator() || play.is_own_turn() {
            return None;
        }
        if play.game.loss().is_some() {
            return Some(play.turn_began + END_TIME);
        }
        play.flag().map(|flag| flag + GRACE)
    }

    /// Ends a game for which the other side does nothing more.
    fn run_out(play: &Play<R>) -> Step {
        let verdict = play.game.loss().is_none().then(|| {
            let winner = Verdict::Won(play.own);
            (winner, "time".to_owned())
        });
        Step::Say(EndReason::Wins, verdict)
    }

    /// Sends the engine's move, or gives up.
    fn answer(&mut self, play: &mut Play<R>, outcome: &Outcome) -> Step {
        self.pass_warnings();
        let score = outcome.report.score;
        if self.terms.resigns && score.is_decided() && score.0 < 0 {
            return Step::Say(EndReason::GivesUp, None);
        }
        let Some(mv) = outcome.best else {
            // Asked only with a legal move, the search has one.
            return Step::Say(EndReason::GivesUp, None);
        };
        let used = play.turn_began.elapsed();
        self.send(&Message::Move(write_move(mv, self.numbering(), used)));
        play.play(mv, Instant::now());
        self.ponder(play, outcome.ponder());
        Step::GoOn
    }

    /// Thinks about the reply that is expected, if that is wanted.
    fn ponder(&mut self, play: &Play<R>, reply: Option<Move>) {
        let Some(reply) = reply.filter(|_| self.terms.options.ponder) else {
            return;
        };
        let mut game = play.game.clone();
        if game.try_play(reply).is_ok() && game.loss().is_none() {
            let limits = self.limits(play);
            // A failure costs nothing but the thought.
            let _ = self.thinker.start(&game, limits, Control::pondering());
        }
    }

    /// Acts on what the other side says during a game.
    fn take_frame(&mut self, play: &mut Play<R>, frame: Frame) -> Step {
        match frame.message {
            Ok(Message::Move(message)) => self.take_move(play, &message, frame.at),
            Ok(Message::End(end)) => Step::Told(end),
            Ok(Message::Back(request)) => {
                self.take_back(play, request);
                Step::GoOn
            }
            Ok(Message::Request(_)) => {
                self.send_answer(Acceptance::NotThisGame);
                Step::GoOn
            }
            Ok(Message::Chat(text)) => {
                self.chat(&text);
                Step::GoOn
            }
            Ok(Message::Answer(_) | Message::BackAnswer(_)) => {
                self.out.remark("nothing was asked");
                Step::GoOn
            }
            // Whoever sent it waits for an answer.
            Err(error) if frame.text.starts_with('M') => self.refuse_move(play, &error.to_string()),
            Err(MessageError::Version(_)) => {
                self.send_answer(Acceptance::WrongVersion);
                Step::GoOn
            }
            Err(_) if frame.text.starts_with('R') => {
                self.send_answer(Acceptance::NotThisGame);
                Step::GoOn
            }
            Err(MessageError::Field { .. }) if frame.text.starts_with('B') => {
                self.send(&Message::BackAnswer(BackAnswer::Refused));
                Step::GoOn
            }
            Err(_) => Step::GoOn,
        }
    }

    fn take_move(&mut self, play: &mut Play<R>, message: &MoveMessage, at: Instant) -> Step {
        if play.is_own_turn() {
            return self.refuse_move(play, "it is not your turn");
        }
        let legal = play.game.legal_moves();
        match read_move(message, self.numbering(), &legal) {
            Ok(mv) => {
                play.play(mv, at);
                if self.thinker.is_about(&play.game) {
                    self.thinker.ponder_hit(at);
                }
                Step::GoOn
            }
            Err(error) => self.refuse_move(play, &error.to_string()),
        }
    }

    /// Says what is wrong with a move, and waits for another one, but not for ever.
    fn refuse_move(&mut self, play: &mut Play<R>, why: &str) -> Step {
        self.warn(&format!("bad move of {}: {}", shown(&play.opponent), why));
        self.send(&Message::Chat(format!("error: {why}")));
        if play.note_fault() {
            let verdict = (Verdict::Unfinished, "bad moves".to_owned());
            Step::Say(EndReason::Unknown, Some(verdict))
        } else {
            Step::GoOn
        }
    }

    fn take_back(&mut self, play: &mut Play<R>, request: BackRequest) {
        let answer = if play.go_back(request) {
            self.thinker.stop();
            BackAnswer::Accepted
        } else {
            BackAnswer::Refused
        };
        self.send(&Message::BackAnswer(answer));
    }
}

/// Which part this side has in the conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Follower,
    Initiator {
        /// There will be no game after this one.
        is_last: bool,
    },
}

impl Role {
    const fn is_initiator(self) -> bool {
        matches!(self, Self::Initiator { .. })
    }

    const fn is_last(self) -> bool {
        matches!(self, Self::Initiator { is_last: true })
    }
}

/// Passes on what comes in, until the input ends or nobody listens.
fn read_frames(mut input: impl BufRead, to: &ChannelSender<Frame>) {
    while let Ok(Some(frame)) = frame::read(&mut input) {
        if to.send(frame).is_err() {
            return;
        }
    }
}
