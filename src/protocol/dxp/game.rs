//! What belongs to one game over DXP: the moves, the time, and what is known of the result.

use super::message::{BackRequest, EndReason};
use crate::board::{Move, Position, Side};
use crate::rules::{Ending, Game, Rules};
use crate::search::{Clock, Limits};
use std::time::{Duration, Instant, SystemTime};

/// The game is given up at so many bad moves of the other side in a row.
const TOO_MANY_FAULTS: u32 = 3;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// A side has won.
    Won(Side),
    /// Nobody has.
    Drawn,
    /// It was not played to an end.
    Unfinished,
}

impl Verdict {
    /// Returns the result as PDN writes it: White's points first.
    pub const fn result(self) -> &'static str {
        match self {
            Self::Won(Side::White) => "1-0",
            Self::Won(Side::Black) => "0-1",
            Self::Drawn => "1/2-1/2",
            Self::Unfinished => "*",
        }
    }
}

/// A game that is over.
#[derive(Clone, Debug)]
pub struct Finished<R> {
    /// The moves.
    pub game: Game<R>,
    /// The time that each move took, as measured on this side.
    pub times: Vec<Duration>,
    /// The side of this engine.
    pub own: Side,
    /// The name of the other side.
    pub opponent: String,
    /// Who has won.
    pub verdict: Verdict,
    /// By which rule, or what ended it, in a few words.
    pub reason: String,
    /// When it began.
    pub started: SystemTime,
}

/// How a game is to be played.
#[derive(Clone, Debug)]
pub(super) struct Conditions {
    pub(super) start: Position,
    pub(super) own: Side,
    /// The time of each side for the game.
    pub(super) time: Option<Duration>,
    /// The moves for which the time is meant.
    pub(super) moves: Option<u32>,
    pub(super) opponent: String,
}

/// A game that is being played.
pub(super) struct Play<R> {
    pub(super) game: Game<R>,
    pub(super) own: Side,
    pub(super) opponent: String,
    /// What each side, White first, has left.
    left: Option<[Duration; 2]>,
    moves: Option<u32>,
    times: Vec<Duration>,
    /// When the side to move began to think.
    pub(super) turn_began: Instant,
    /// The first draw by rule, and the ply at which it arose: who plays on does not undo it.
    drawn: Option<(usize, Ending)>,
    /// Bad moves of the other side since the last good one.
    faults: u32,
    started: SystemTime,
}

impl<R: Rules> Play<R> {
    pub(super) fn new(conditions: Conditions) -> Self {
        Self {
            game: Game::from_position(conditions.start),
            own: conditions.own,
            opponent: conditions.opponent,
            left: conditions.time.map(|time| [time; 2]),
            moves: conditions.moves,
            times: Vec::new(),
            turn_began: Instant::now(),
            drawn: None,
            faults: 0,
            started: SystemTime::now(),
        }
    }

    pub(super) fn is_own_turn(&self) -> bool {
        self.game.position().turn() == self.own
    }

    /// Plays a move that was made at some time.
    pub(super) fn play(&mut self, mv: Move, at: Instant) {
        let used = at.saturating_duration_since(self.turn_began);
        if let Some(left) = &mut self.left {
            let left = &mut left[self.game.position().turn().index()];
            *left = left.saturating_sub(used);
        }
        self.game.play(mv);
        self.times.push(used);
        self.turn_began = at;
        self.faults = 0;
        if self.drawn.is_none()
            && self.game.loss().is_none()
            && let Some(ending) = self.game.ending()
        {
            self.drawn = Some((self.game.moves().len(), ending));
        }
    }

    /// Returns the draw by rule that has arisen, if any.
    pub(super) fn draw(&self) -> Option<Ending> {
        self.drawn.map(|(_, ending)| ending)
    }

    /// Goes back to the position that the other side asks for, and says whether there is one. The clocks stay as they are.
    pub(super) fn go_back(&mut self, request: BackRequest) -> bool {
        let pair = usize::from(request.number).checked_sub(1);
        let is_second = request.turn != self.game.start().turn();
        let ply = pair.map(|pair| 2 * pair + usize::from(is_second));
        let Some(ply) = ply.filter(|&ply| ply <= self.game.moves().len()) else {
            return false;
        };
        while self.game.moves().len() > ply {
            self.game.undo();
            self.times.pop();
        }
        self.drawn = self.drawn.filter(|&(arose, _)| arose <= ply);
        self.turn_began = Instant::now();
        true
    }

    /// Takes note of a move that cannot be played, and says whether there were too many.
    pub(super) fn note_fault(&mut self) -> bool {
        self.faults += 1;
        self.faults >= TOO_MANY_FAULTS
    }

    /// Returns how many moves this side has made, or will have when it is its turn.
    fn moves_made(&self) -> u32 {
        let plies = self.game.moves().len();
        let is_second = self.game.start().turn() != self.own;
        (plies.saturating_sub(usize::from(is_second)).div_ceil(2)) as u32
    }

    /// Says whether both sides have made the moves for which there was time.
    pub(super) fn is_at_move_limit(&self) -> bool {
        let plies = self.game.moves().len() as u64;
        self.moves
            .is_some_and(|moves| plies >= 2 * u64::from(moves))
    }

    /// Returns the limits of this side's next search. In a game without time a move gets a fixed one.
    pub(super) fn limits(&self, move_time: Duration, overhead: Duration, ponders: bool) -> Limits {
        let clock = self.left.map(|left| Clock {
            time: left[self.own.index()],
            increment: Duration::ZERO,
            moves: self.moves.and_then(|moves| {
                let left = moves.saturating_sub(self.moves_made());
                (left > 0).then_some(left)
            }),
            overhead,
            can_ponder: ponders,
        });
        Limits {
            move_time: clock.is_none().then_some(move_time),
            clock,
            ..Limits::default()
        }
    }

    /// Returns when the time of the side to move is over.
    pub(super) fn flag(&self) -> Option<Instant> {
        let left = self.left?[self.game.position().turn().index()];
        Some(self.turn_began + left)
    }

    /// Says what the end that a side has told means. What is over by the rules of the game is over by them; a draw that came first and is claimed
    /// stands, whatever was played after it.
    pub(super) fn judge(&self, reason: EndReason, sender: Side) -> (Verdict, String) {
        if let (EndReason::Draw, Some(draw)) = (reason, self.draw()) {
            return (Verdict::Drawn, draw.reason.to_string());
        }
        if let Some(ending) = self.game.loss() {
            let winner = ending.winner.map_or(Verdict::Drawn, Verdict::Won);
            return (winner, ending.reason.to_string());
        }
        let is_own = sender == self.own;
        match (reason, self.draw()) {
            (EndReason::Unknown, Some(draw)) => (Verdict::Drawn, draw.reason.to_string()),
            (EndReason::GivesUp, _) => (Verdict::Won(sender.opponent()), "resignation".to_owned()),
            (EndReason::Draw, _) => (Verdict::Drawn, "agreement".to_owned()),
            (EndReason::Wins, _) => (Verdict::Won(sender), "claim".to_owned()),
            (EndReason::Unknown, None) if is_own => {
                (Verdict::Unfinished, "ended by this side".to_owned())
            }
            (EndReason::Unknown, None) => {
                (Verdict::Unfinished, "ended by the other side".to_owned())
            }
        }
    }

    pub(super) fn finish(self, verdict: Verdict, reason: String) -> Finished<R> {
        Finished {
            game: self.game,
            times: self.times,
            own: self.own,
            opponent: self.opponent,
            verdict,
            reason,
            started: self.started,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::fen;
    use crate::rules::{Russian, has_capture};
    use std::collections::HashSet;

    /// Plays two lone kings about until a count draws the game with a move that gives the king away, and has it taken.
    fn drawn_and_then_lost() -> Play<Russian> {
        let mut play = Play::<Russian>::new(Conditions {
            start: fen::parse("W:WK29:BK3").expect("it is a position"),
            own: Side::White,
            time: None,
            moves: None,
            opponent: String::new(),
        });
        let mut seen = HashSet::new();
        while play.draw().is_none() {
            let legal = play.game.legal_moves();
            let pos = *play.game.position();
            let gives_away = |mv: &&Move| has_capture(&pos.play(**mv));
            let draws = |mv: &&Move| {
                let mut after = play.game.clone();
                after.play(**mv);
                after.ending().is_some_and(|ending| ending.winner.is_none())
            };
            let last = legal.iter().find(|mv| gives_away(mv) && draws(mv));
            let other = legal.iter().find(|mv| {
                let after = pos.play(**mv);
                !gives_away(mv) && !draws(mv) && !seen.contains(&after)
            });
            let mv = *last.or(other).expect("two kings have room");
            seen.insert(pos.play(mv));
            play.play(mv, Instant::now());
        }
        let capture = play.game.legal_moves()[0];
        assert!(capture.is_capture());
        play.play(capture, Instant::now());
        play
    }

    #[test]
    fn a_draw_that_came_first_stands_if_it_is_claimed() {
        let play = drawn_and_then_lost();
        let loser = play.game.position().turn();
        assert!(play.game.loss().is_some());
        let draw = play.draw().expect("it came first").reason.to_string();
        for sender in Side::BOTH {
            let claimed = play.judge(EndReason::Draw, sender);
            assert_eq!(claimed, (Verdict::Drawn, draw.clone()));
        }
        let given_up = play.judge(EndReason::GivesUp, loser);
        assert_eq!(given_up.0, Verdict::Won(loser.opponent()));
    }
}
