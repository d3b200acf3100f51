//! The follower: plays whatever games the other side asks for.

use super::frame::{self, Sender};
use super::game::Conditions;
use super::message::{
    Acceptance, BackAnswer, EndReason, GameAnswer, GameRequest, Message, MessageError,
};
use super::position::read_start;
use super::session::{After, DxpError, Ended, Event, Heard, Role, Session, Terms};
use crate::board::Position;
use crate::notation::shown;
use crate::rules::{Rules, has_legal_move};
use std::io::{self, BufRead, Write};
use std::time::Duration;

/// Between the acceptance of a game and the first move. Some clients (pydraughts) are not ready to hear a move before they have dealt with
/// the acceptance; Moby Dam has an option for the same.
const PAUSE: Duration = Duration::from_millis(100);

/// Plays the games that the other side asks for, until it wants no more, or has gone, or a person wants to leave.
pub fn follow<R: Rules>(
    input: impl BufRead + Send + 'static,
    output: impl Write,
    terms: &Terms,
    tell: &mut dyn FnMut(Event<R>),
) -> Result<Ended, DxpError> {
    let mut session = Session::new(input, output, terms, tell)?;
    // An end that belongs to no game is answered, but two sides that do so do not do it for ever.
    let mut may_answer_end = true;
    loop {
        let frame = match session.hear(None) {
            Heard::Frame(frame) => frame,
            Heard::Ended(ended) => return Ok(ended),
            Heard::Silence => continue,
        };
        match frame.message {
            Ok(Message::Request(request)) => {
                may_answer_end = true;
                match answer(&mut session, &request) {
                    After::Another => {}
                    After::Closed => return Ok(Ended::Done),
                    After::Over(ended) => return Ok(ended),
                }
            }
            Ok(Message::End(end)) => {
                if may_answer_end {
                    may_answer_end = false;
                    session.send_end(EndReason::Unknown, end.is_last);
                }
                if end.is_last {
                    return Ok(Ended::Done);
                }
            }
            Ok(Message::Chat(text)) => session.chat(&text),
            Err(MessageError::Version(version)) => {
                session.warn(&format!("game refused: version {}", shown(&version)));
                session.send_answer(Acceptance::WrongVersion);
            }
            Err(error) if frame.text.starts_with('R') => {
                session.warn(&format!("game refused: {error}"));
                session.send_answer(Acceptance::NotThisGame);
            }
            // Whoever sent one of these waits for an answer, whether all of it could be read or not.
            Ok(_) | Err(MessageError::Field { .. }) if frame.text.starts_with('M') => {
                let text = "error: no game is being played".to_owned();
                session.send(&Message::Chat(text));
            }
            Ok(_) | Err(MessageError::Field { .. }) if frame.text.starts_with('B') => {
                session.send(&Message::BackAnswer(BackAnswer::Refused));
            }
            // Answers to nothing, and what cannot be read.
            Ok(_) | Err(_) => {}
        }
    }
}

/// Accepts a game and plays it, or refuses it.
fn answer<R: Rules, W: Write>(session: &mut Session<R, W>, request: &GameRequest) -> After {
    let start = match playable_start(request) {
        Ok(start) => start,
        Err(why) => {
            session.warn(&format!("game refused: {why}"));
            session.send_answer(Acceptance::NotThisGame);
            return After::Another;
        }
    };
    session.send_answer(Acceptance::Accepted);
    session.pause(PAUSE);
    let conditions = Conditions {
        start,
        own: request.follower,
        time: request.minutes.time(),
        moves: (request.moves > 0).then(|| u32::from(request.moves)),
        opponent: request.name.clone(),
    };
    session.play(conditions, Role::Follower)
}

/// Returns the position at which the game is to begin, or says why there is no game from there.
fn playable_start(request: &GameRequest) -> Result<Position, String> {
    let start = read_start(&request.start).map_err(|error| error.to_string())?;
    if has_legal_move(&start) && !start.opp().is_empty() {
        Ok(start)
    } else {
        Err("the game is over where it should begin".to_owned())
    }
}

/// Tells somebody who asks for a game while another one is played that there is none, and returns. The first message is waited for
/// as long as the input itself waits.
pub fn refuse(mut input: impl BufRead, output: impl Write, name: &str) -> io::Result<()> {
    let Some(frame) = frame::read(&mut input)? else {
        return Ok(());
    };
    let acceptance = match frame.message {
        Err(MessageError::Version(_)) => Acceptance::WrongVersion,
        Ok(Message::Request(_)) => Acceptance::NoGames,
        _ => return Ok(()),
    };
    let name = name.to_owned();
    Sender::new(output, None).send(&Message::Answer(GameAnswer { name, acceptance }))
}
