//! The initiator: asks for games, one after the other, and plays them.

use super::game::Conditions;
use super::message::{Acceptance, EndReason, GameRequest, Message, Minutes};
use super::position::write_start;
use super::session::{After, DxpError, Ended, Event, Heard, Role, Session, Terms};
use crate::board::{Position, Side};
use crate::rules::Rules;
use std::io::{BufRead, Write};
use std::time::{Duration, Instant};

/// How long the other side may take to say whether it plays: perhaps a person has to decide.
const ANSWER_TIME: Duration = Duration::from_mins(1);

/// The games that are to be played.
#[derive(Clone, Debug)]
pub struct Schedule {
    /// In this order.
    pub games: Vec<Fixture>,
    /// The time of each side for a game.
    pub minutes: Minutes,
    /// The moves for which the time is meant, after which a game ends without a result; 0 for the whole game.
    pub moves: u16,
}

/// A game to be played.
#[derive(Clone, Copy, Debug)]
pub struct Fixture {
    /// Where it begins. There is a legal move.
    pub start: Position,
    /// The side of this engine.
    pub own: Side,
}

/// Asks for games and plays them. The other side may end the whole after any of them.
pub fn initiate<R: Rules>(
    input: impl BufRead + Send + 'static,
    output: impl Write,
    terms: &Terms,
    schedule: &Schedule,
    tell: &mut dyn FnMut(Event<R>),
) -> Result<Ended, DxpError> {
    let mut session = Session::new(input, output, terms, tell)?;
    let wanted = schedule.games.len();
    for (played, fixture) in schedule.games.iter().enumerate() {
        let opponent = match ask(&mut session, schedule, fixture)? {
            Ok(opponent) => opponent,
            Err(Ended::Interrupted) => return Ok(Ended::Interrupted),
            Err(Ended::Gone) => return Err(DxpError::Gone { played, wanted }),
            Err(Ended::Done) => return Err(DxpError::Enough { played, wanted }),
        };
        let conditions = Conditions {
            start: fixture.start,
            own: fixture.own,
            time: schedule.minutes.time(),
            moves: (schedule.moves > 0).then(|| u32::from(schedule.moves)),
            opponent,
        };
        let is_last = played + 1 == wanted;
        let after = session.play(conditions, Role::Initiator { is_last });
        if after == After::Over(Ended::Gone) {
            return Err(DxpError::Gone { played, wanted });
        }
        let played = played + 1;
        match after {
            After::Over(Ended::Interrupted) => return Ok(Ended::Interrupted),
            After::Closed if !is_last => return Err(DxpError::Gone { played, wanted }),
            After::Over(_) if !is_last => return Err(DxpError::Enough { played, wanted }),
            After::Another | After::Closed | After::Over(_) => {}
        }
    }
    Ok(Ended::Done)
}

/// Asks for a game. Returns the name of the other side, or why there will be no answer.
fn ask<R: Rules, W: Write>(
    session: &mut Session<R, W>,
    schedule: &Schedule,
    fixture: &Fixture,
) -> Result<Result<String, Ended>, DxpError> {
    session.send(&Message::Request(GameRequest {
        name: session.terms.name.clone(),
        follower: fixture.own.opponent(),
        minutes: schedule.minutes,
        moves: schedule.moves,
        start: write_start(&fixture.start),
    }));
    let deadline = Instant::now() + ANSWER_TIME;
    loop {
        let frame = match session.hear(Some(deadline)) {
            Heard::Frame(frame) => frame,
            Heard::Ended(ended) => return Ok(Err(ended)),
            Heard::Silence => {
                session.send_end(EndReason::Unknown, true);
                return Err(DxpError::NoAnswer(ANSWER_TIME));
            }
        };
        match frame.message {
            Ok(Message::Answer(answer)) => match answer.acceptance {
                Acceptance::Accepted => return Ok(Ok(answer.name)),
                other => return Err(DxpError::Refused(other)),
            },
            Err(error) if frame.text.starts_with('A') => return Err(DxpError::BadAnswer(error)),
            // Some say so instead of refusing the game.
            Ok(Message::End(end)) if end.is_last => return Ok(Err(Ended::Done)),
            Ok(Message::Chat(text)) => session.chat(&text),
            // Two initiators do not come together.
            Ok(Message::Request(_)) => session.send_answer(Acceptance::NotThisGame),
            // Late news of the game before.
            Ok(_) | Err(_) => {}
        }
    }
}
