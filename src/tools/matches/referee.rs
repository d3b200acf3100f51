//! Plays one game: asks the players in turn, checks every move, keeps the clocks, and says how the game ended.
//!
//! Nothing is taken from an engine but its move. Whether it is legal, what it leads to and whether the game is over is
//! decided here, by the rules of this program.

use super::clock::GameClock;
use super::openings::Opening;
use super::plan::{Adjudication, Pairing, Plan};
use super::player::{Answer, Player, Trouble};
use super::record::{Fault, FaultKind, Record, Thought, now};
use crate::board::{Move, Side};
use crate::egdb::{Tables, Value, root};
use crate::notation::{fen, moves};
use crate::rules::{Game, Rules};
use crate::tools::stop::Stop;
use std::time::Duration;

/// How a game ended: who won, why, and by whose fault.
struct End {
    winner: Option<Side>,
    reason: String,
    fault: Option<Fault>,
}

impl End {
    /// Returns the end that a player's trouble brings about, or `None` if the match is to end.
    fn of_trouble(side: Side, trouble: Trouble) -> Option<Self> {
        match trouble {
            Trouble::Stopped => None,
            Trouble::Fault(kind, detail) => Some(Self::of_fault(side, kind, detail)),
            Trouble::GaveUp => Some(Self {
                winner: Some(side.opponent()),
                reason: "resignation".to_owned(),
                fault: None,
            }),
        }
    }

    fn of_fault(side: Side, kind: FaultKind, detail: String) -> Self {
        Self {
            winner: Some(side.opponent()),
            reason: kind.name().to_owned(),
            fault: Some(Fault {
                side: side.letter(),
                kind,
                detail,
            }),
        }
    }
}

/// A game that is being played.
struct Table<'a, R: Rules> {
    plan: &'a Plan,
    game: Game<R>,
    /// Of White and Black.
    clocks: [GameClock; 2],
    thoughts: Vec<Thought>,
    tables: Option<&'a Tables<R>>,
    stop: &'a Stop,
}

/// Plays a game. The players are those of White and Black. Returns `None` if the match is to end, and the game with it.
pub(super) fn play<R: Rules>(
    plan: &Plan,
    pairing: &Pairing,
    opening: &Opening,
    mut players: [&mut dyn Player<R>; 2],
    tables: Option<&Tables<R>>,
    stop: &Stop,
) -> Option<Record> {
    let started = now();
    let seats = [pairing.white, pairing.black].map(|index| &plan.players[index]);
    let mut game = Game::<R>::from_position(opening.start);
    for &mv in &opening.moves {
        game.play(mv);
    }
    let mut table = Table {
        plan,
        game,
        clocks: seats.map(|seat| GameClock::new(seat.time_control)),
        thoughts: Vec::new(),
        tables,
        stop,
    };
    let end = table.run(&mut players);
    for (side, player) in Side::BOTH.into_iter().zip(players) {
        match &end {
            Some(end) => player.end(&table.game, side, end.winner),
            None => player.rest(),
        }
    }
    let End {
        winner,
        reason,
        fault,
    } = end?;
    Some(Record {
        game: pairing.game,
        round: pairing.round,
        white: seats[0].name.clone(),
        black: seats[1].name.clone(),
        opening: opening.name.clone(),
        fen: fen::write(&opening.start),
        moves: moves::write_line::<R>(&opening.start, table.game.moves()),
        opening_plies: opening.moves.len(),
        winner: winner.map(Side::letter),
        reason,
        fault,
        thoughts: table.thoughts,
        started,
    })
}

impl<R: Rules> Table<'_, R> {
    /// Plays to the end, or returns `None` if the match is to end.
    fn run(&mut self, players: &mut [&mut dyn Player<R>; 2]) -> Option<End> {
        for side in Side::BOTH {
            match players[side.index()].new_game() {
                Ok(()) => {}
                Err(trouble) => return End::of_trouble(side, trouble),
            }
        }
        loop {
            if let Some(end) = self.end() {
                return Some(end);
            }
            if self.stop.is_given() {
                return None;
            }
            let side = self.game.position().turn();
            let player = &mut *players[side.index()];
            let asked = player.think(&self.game, &self.clocks[side.index()]);
            let (mv, answer) = match asked.and_then(|answer| self.take(side, answer)) {
                Ok(answer) => answer,
                Err(trouble) => return End::of_trouble(side, trouble),
            };
            self.game.play(mv);
            if self.plan.ponder {
                self.let_ponder(player, side, answer.expected);
            }
        }
    }

    /// Checks an answer, takes its time off the clock, and keeps what was said.
    fn take(&mut self, side: Side, answer: Answer) -> Result<(Move, Answer), Trouble> {
        let clock = &mut self.clocks[side.index()];
        let margin = Duration::from_millis(self.plan.margin_ms);
        clock.spend(answer.used, margin).map_err(|late| {
            let (used, allowed) = (late.used.as_secs_f64(), late.allowed.as_secs_f64());
            Trouble::Fault(
                FaultKind::Time,
                format!("{used:.3} s instead of {allowed:.3} s"),
            )
        })?;
        let legal = |mv: &Move| self.game.legal_moves().contains(mv);
        let Some(mv) = answer.mv.filter(legal) else {
            return Err(Trouble::Fault(
                FaultKind::IllegalMove,
                "no legal move".to_owned(),
            ));
        };
        self.thoughts.push(Thought {
            cp: answer.cp,
            depth: answer.depth,
            nodes: answer.nodes,
            time_s: milliseconds(answer.used),
            clock_s: clock.left.map(milliseconds),
        });
        Ok((mv, answer))
    }

    /// Lets a player think on the opponent's time, if it expects a reply after which the game goes on.
    fn let_ponder(&self, player: &mut dyn Player<R>, side: Side, expected: Option<Move>) {
        let Some(reply) = expected else { return };
        let mut expected = self.game.clone();
        if expected.ending().is_none()
            && expected.try_play(reply).is_ok()
            && expected.ending().is_none()
        {
            player.ponder(&expected, &self.clocks[side.index()]);
        }
    }

    /// Returns the end that the tables foresee, if they know it under the counts of the rule set as they stand.
    fn table_verdict(&self) -> Option<End> {
        let pos = self.game.position();
        let winner = match root::rule_value(self.tables?, pos, self.game.counters())? {
            Value::Win => Some(pos.turn()),
            Value::Loss => Some(pos.turn().opponent()),
            Value::Draw => None,
        };
        Some(End {
            winner,
            reason: "adjudicated-tables".to_owned(),
            fault: None,
        })
    }

    /// Returns how the game has ended, or `None` if it goes on.
    fn end(&self) -> Option<End> {
        if let Some(ending) = self.game.ending() {
            return Some(End {
                winner: ending.winner,
                reason: ending.reason.name().to_owned(),
                fault: None,
            });
        }
        if let Some(end) = self.table_verdict() {
            return Some(end);
        }
        let verdict = judge(
            &self.plan.adjudication,
            self.game.moves().len(),
            self.game.position().turn(),
            &self.thoughts,
        );
        verdict.map(|(winner, reason)| End {
            winner,
            reason: reason.to_owned(),
            fault: None,
        })
    }
}

/// Ends a game that is not over by the rules: by its length, or because both players agree about it.
pub(super) fn judge(
    adjudication: &Adjudication,
    plies: usize,
    turn: Side,
    thoughts: &[Thought],
) -> Option<(Option<Side>, &'static str)> {
    // The last thought is that of the side that has just moved, and they alternate.
    let last = |count: u32| {
        let count = count as usize;
        (thoughts.len() >= count).then(|| thoughts.iter().rev().take(count))
    };
    if let Some(rule) = adjudication.win {
        let wins = |side: Side| {
            let is_for_side = |(i, thought): (usize, &Thought)| {
                let is_mover = (turn.opponent() == side) == (i % 2 == 0);
                thought.cp.is_some_and(|cp| {
                    if is_mover {
                        cp >= rule.score
                    } else {
                        cp <= -rule.score
                    }
                })
            };
            last(rule.plies)
                .is_some_and(|mut thoughts| (0..).zip(thoughts.by_ref()).all(is_for_side))
        };
        if let Some(winner) = Side::BOTH.into_iter().find(|&side| wins(side)) {
            return Some((Some(winner), "adjudicated-win"));
        }
    }
    if let Some(rule) = adjudication.draw
        && plies >= rule.from as usize
    {
        let is_level = |thought: &Thought| thought.cp.is_some_and(|cp| cp.abs() <= rule.score);
        if last(rule.plies).is_some_and(|mut thoughts| thoughts.all(is_level)) {
            return Some((None, "adjudicated-draw"));
        }
    }
    (plies >= adjudication.max_plies as usize).then_some((None, "max-plies"))
}

/// Returns a time in seconds, rounded to milliseconds.
fn milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1000.0).round() / 1000.0
}
