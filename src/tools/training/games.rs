//! Self-play: games from varied openings, whose quiet positions are what an evaluation is fitted to.
//!
//! Every game follows from the seed and its number alone: it has random numbers and a transposition table of its own, and each move is
//! searched by one thread to a number of nodes. So the result does not depend on the threads, and games may be shared out.
//!
//! A game begins from a drawn ballot or the start position with a few random moves, if a short search sees nobody far ahead. It ends by the rules, with
//! the verdict of the endgame tables, with a proven win, or as a draw when nothing has happened for long. Where the tables decide, a
//! few random moves follow: positions whose value is known for sure.

use super::data::{PlayedGame, Sample};
use crate::board::{MoveList, Position, Side};
use crate::egdb::{Tables, Value, root};
use crate::eval::Evaluation;
use crate::rules::{Game, Rules, has_capture, legal_moves};
use crate::score::Score;
use crate::search::{Limits, Outcome, Task, Team};
use crate::tools::matches::Stop;
use crate::tools::matches::openings::{self, Opening, Source, TABLES};
use crate::tools::rng::Rng;
use crate::tt::{OutOfMemory, Table};
use rayon::prelude::*;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Random plies from the start position: this many, and up to so many more.
const PLIES: (usize, usize) = (6, 5);
/// Random plies from a ballot are fewer than this.
const BALLOT_PLIES: usize = 6;
/// One game in so many begins from a ballot.
const BALLOTS: usize = 4;
/// An opening is fair if a search sees nobody ahead by more than this, in hundredths of a man.
const FAIR: i32 = 120;
/// That search has this share of the nodes of a move.
const FAIR_NODES: u64 = 4;
/// Openings tried for a game before an unfair one is taken.
const TRIES: usize = 50;
/// After so many plies without a capture or man move a game is drawn.
const IDLE_PLIES: u16 = 40;
/// A game that is not over after so many plies is drawn.
const MOST_PLIES: usize = 300;
/// Random plies after the tables have decided.
const TABLE_PLIES: usize = 4;
/// Games of a thread that are played before they are handed over.
const BATCH: usize = 64;
/// The transposition table of a game.
const TABLE_MIB: usize = 1;

/// What plays, and how.
pub struct SelfPlay<R> {
    evaluation: Evaluation,
    nodes: u64,
    seed: u64,
    tables: Arc<Tables<R>>,
    ballots: Vec<Opening>,
}

impl<R: Rules> SelfPlay<R> {
    /// Prepares games of an evaluation against itself, with so many nodes a move.
    pub fn new(evaluation: Evaluation, nodes: u64, seed: u64, tables: Arc<Tables<R>>) -> Self {
        let ballots = TABLES.iter().flat_map(|(_, text)| {
            // Moves of some ballots are not legal in every game.
            openings::read::<R>(Source::Ballots, text, 0).0
        });
        Self {
            evaluation,
            nodes,
            seed,
            tables,
            ballots: ballots.collect(),
        }
    }

    /// Plays games on the threads of a team and hands them over in the order of their numbers, until there is no further number, `take`
    /// has enough, or a stop is given.
    pub fn play_all(
        &self,
        team: &Team,
        mut numbers: impl Iterator<Item = u32>,
        stop: &Stop,
        take: &mut dyn FnMut(PlayedGame) -> ControlFlow<()>,
    ) -> Result<(), OutOfMemory> {
        loop {
            let batch: Vec<u32> = numbers.by_ref().take(BATCH * team.threads()).collect();
            if batch.is_empty() || stop.is_given() {
                return Ok(());
            }
            let play = |&number: &u32| (!stop.is_given()).then(|| self.play(number));
            let games: Vec<_> = team.install(|| batch.par_iter().map(play).collect());
            // After a stop some are missing; those behind the first gap are played again another time.
            for game in games.into_iter().map_while(|game| game) {
                if take(game?).is_break() {
                    return Ok(());
                }
            }
        }
    }

    /// Plays a game.
    pub fn play(&self, number: u32) -> Result<PlayedGame, OutOfMemory> {
        let mut rng = Rng::for_item(self.seed, u64::from(number));
        let mut task = self.opening(&mut rng)?;
        let table = Table::new(TABLE_MIB)?;
        let mut seen = Vec::new();
        let winner = loop {
            let game = &task.game;
            let (pos, counters) = (*game.position(), game.counters());
            if let Some(ending) = game.ending() {
                break ending.winner;
            }
            if let Some(value) = root::rule_value(&self.tables, &pos, counters) {
                self.explore(pos, &mut rng, &mut seen);
                break winner(value, pos.turn());
            }
            if counters.since_zeroing >= IDLE_PLIES || game.moves().len() >= MOST_PLIES {
                break None;
            }
            let Outcome { best, report } = task.run_here(&table);
            let is_decided = report.score.is_decided();
            if !has_capture(&pos) {
                seen.push(Seen {
                    pos,
                    score: (!is_decided).then_some(report.score.0 as i16),
                    since_zeroing: counters.since_zeroing as u8,
                    value: None,
                });
            }
            if is_decided {
                let is_won = report.score > Score::DRAW;
                let value = if is_won { Value::Win } else { Value::Loss };
                break winner(value, pos.turn());
            }
            task.game.play(best.expect("the game goes on"));
        };
        Ok(PlayedGame {
            number,
            samples: seen.iter().map(|seen| seen.sample(winner)).collect(),
        })
    }

    /// Begins a game.
    fn opening(&self, rng: &mut Rng) -> Result<Task<R>, OutOfMemory> {
        let limits = Limits {
            nodes: Some((self.nodes / FAIR_NODES).max(1)),
            ..Limits::default()
        };
        let mut task = Task {
            evaluation: self.evaluation.clone(),
            tables: Some(Arc::clone(&self.tables)),
            ..Task::new(Game::new(), limits)
        };
        for _ in 0..TRIES {
            task.game = self.random_game(rng);
            if task.game.ending().is_some() {
                continue;
            }
            let score = task.run_here(&Table::new(TABLE_MIB)?).report.score;
            if score.0.abs() <= FAIR {
                break;
            }
        }
        task.limits.nodes = Some(self.nodes);
        Ok(task)
    }

    /// Plays random moves from the start position or a ballot.
    fn random_game(&self, rng: &mut Rng) -> Game<R> {
        let from_ballot = rng.below(BALLOTS) == 0 && !self.ballots.is_empty();
        let (mut game, plies) = if from_ballot {
            let Opening { start, moves, .. } = &self.ballots[rng.below(self.ballots.len())];
            let mut game = Game::from_position(*start);
            for &mv in moves {
                game.play(mv);
            }
            (game, rng.below(BALLOT_PLIES))
        } else {
            (Game::new(), PLIES.0 + rng.below(PLIES.1))
        };
        for _ in 0..plies {
            let legal = game.legal_moves();
            if legal.is_empty() {
                break;
            }
            game.play(legal[rng.below(legal.len())]);
        }
        game
    }

    /// Plays random moves from a position that the tables know.
    fn explore(&self, mut pos: Position, rng: &mut Rng, seen: &mut Vec<Seen>) {
        for _ in 0..=TABLE_PLIES {
            let mut moves = MoveList::new();
            legal_moves::<R>(&pos, &mut moves);
            if moves.is_empty() {
                break;
            }
            let value = self.tables.probe_wdl(&pos);
            // After a bad capture there may be more pieces than the tables have.
            if value.is_some() && !has_capture(&pos) {
                seen.push(Seen {
                    pos,
                    score: None,
                    since_zeroing: 0,
                    value,
                });
            }
            pos = pos.play(moves[rng.below(moves.len())]);
        }
    }
}

/// A position whose result is not known yet.
struct Seen {
    pos: Position,
    score: Option<i16>,
    since_zeroing: u8,
    /// What the tables say of it.
    value: Option<Value>,
}

impl Seen {
    /// Returns the sample for a game with a winner, or none.
    fn sample(&self, winner: Option<Side>) -> Sample {
        let turn = self.pos.turn();
        let of_game = match winner {
            None => Value::Draw,
            Some(side) if side == turn => Value::Win,
            Some(_) => Value::Loss,
        };
        Sample {
            since_zeroing: self.since_zeroing,
            ..Sample::new(&self.pos, self.score, self.value.unwrap_or(of_game))
        }
    }
}

/// Returns who wins when a position has a value for the side to move.
fn winner(value: Value, turn: Side) -> Option<Side> {
    match value {
        Value::Win => Some(turn),
        Value::Draw => None,
        Value::Loss => Some(turn.opponent()),
    }
}
