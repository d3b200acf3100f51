//! Self-play: games from varied openings, whose quiet positions are what an evaluation is fitted to.
//!
//! Every game follows from the seed and its number alone: it has random numbers and a transposition table of its own, and each move is
//! searched by one thread to a number of nodes. So the result does not depend on the threads, and games may be shared out.
//!
//! A game begins from a drawn ballot or the start position with some random moves, if a short search sees nobody far ahead. It ends by the rules, with
//! the verdict of the endgame tables, with a proven win, or as a draw when nothing has happened for long. Where the tables decide, a
//! few random moves follow: positions whose value is known for sure.
//!
//! Good play leads the same way again and again, so a game has variations: from a random position of it a random move is played, and the game
//! goes on from there to an end of its own. (`KataGo` branches its games so: David Wu, "Accelerating self-play learning in Go",
//! 2019.) What was before the random move is not taught the result of what it led to.

use super::data::{PlayedGame, Sample};
use crate::board::{MoveList, Position, Side};
use crate::egdb::{Tables, Value, root};
use crate::eval::Evaluation;
use crate::rules::{Game, Rules, has_capture, legal_moves};
use crate::score::Score;
use crate::search::{Limits, Outcome, Task, Team};
use crate::tools::matches::openings::{self, Opening, Source, TABLES};
use crate::tools::rng::Rng;
use crate::tools::stop::Stop;
use crate::tt::{OutOfMemory, Table};
use rayon::prelude::*;
use std::ops::{ControlFlow, RangeInclusive};
use std::sync::Arc;

/// Random plies from the start position.
const PLIES: RangeInclusive<usize> = 6..=16;
/// Random plies from a ballot.
const BALLOT_PLIES: RangeInclusive<usize> = 2..=10;
/// One game in so many begins from a ballot.
const BALLOTS: usize = 4;
/// An opening is fair if a search sees nobody ahead by more than this, in hundredths of a man.
const FAIR: i32 = 120;
/// That search has this share of the nodes of a move.
const FAIR_NODES: u64 = 4;
/// Openings tried for a game before an unfair one is taken.
const TRIES: usize = 50;
/// Variations of a game.
const VARIATIONS: usize = 3;
/// Random moves tried for a variation before there is none.
const VARIATION_TRIES: usize = 8;
/// A variation is of use if a search sees nobody ahead by more than this, in hundredths of a man.
const OPEN: i32 = 200;
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
            // New memory for each game would cost a quarter of the time: the system hands it out page by page.
            let table = || Table::new(TABLE_MIB);
            let play = |table: &mut Result<Table, OutOfMemory>, &number: &u32| {
                let table = table.as_ref().map_err(|&error| error);
                (!stop.is_given()).then(|| Ok(self.play(number, table?)))
            };
            let games: Vec<Option<Result<_, OutOfMemory>>> =
                team.install(|| batch.par_iter().map_init(table, play).collect());
            // After a stop some are missing; those behind the first gap are played again another time.
            for game in games.into_iter().map_while(|game| game) {
                if take(game?).is_break() {
                    return Ok(());
                }
            }
        }
    }

    /// Plays a game and its variations. The transposition table may hold anything.
    pub fn play(&self, number: u32, table: &Table) -> PlayedGame {
        let mut rng = Rng::for_item(self.seed, u64::from(number));
        let mut samples = Vec::new();
        let mut task = self.opening(&mut rng, table);
        let opening = task.game.moves().len();
        self.play_on(&mut task, &mut rng, table, &mut samples);
        let game = task.game.clone();
        for _ in 0..VARIATIONS {
            if self.vary(&game, opening, &mut task, &mut rng, table) {
                self.play_on(&mut task, &mut rng, table, &mut samples);
            }
        }
        PlayedGame { number, samples }
    }

    /// Plays a game to its end, and adds what was seen.
    fn play_on(&self, task: &mut Task<R>, rng: &mut Rng, table: &Table, samples: &mut Vec<Sample>) {
        table.clear();
        task.limits.nodes = Some(self.nodes);
        let mut seen = Vec::new();
        let winner = loop {
            let game = &task.game;
            let (pos, counters) = (*game.position(), game.counters());
            if let Some(ending) = game.ending() {
                break ending.winner;
            }
            if let Some(value) = root::rule_value(&self.tables, &pos, counters) {
                self.explore(pos, rng, &mut seen);
                break winner(value, pos.turn());
            }
            if counters.since_zeroing >= IDLE_PLIES || game.moves().len() >= MOST_PLIES {
                break None;
            }
            let Outcome { best, report } = task.run_here(table);
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
        samples.extend(seen.iter().map(|seen| seen.sample(winner)));
    }

    /// Begins a game.
    fn opening(&self, rng: &mut Rng, table: &Table) -> Task<R> {
        let mut task = Task {
            evaluation: self.evaluation.clone(),
            tables: Some(Arc::clone(&self.tables)),
            ..Task::new(Game::new(), Limits::default())
        };
        for _ in 0..TRIES {
            task.game = self.random_game(rng);
            if self.is_within(FAIR, &mut task, table) {
                break;
            }
        }
        task
    }

    /// Makes the game of a task one that leaves another at a random point behind its opening. Says whether there is such a game that is open.
    fn vary(
        &self,
        game: &Game<R>,
        opening: usize,
        task: &mut Task<R>,
        rng: &mut Rng,
        table: &Table,
    ) -> bool {
        let plies = game.moves().len() - opening;
        if plies == 0 {
            return false;
        }
        for _ in 0..VARIATION_TRIES {
            let mut other = game.clone();
            // Early rather than late: all variations together have more of the end.
            let back = rng.below(plies).max(rng.below(plies));
            for _ in 0..=back {
                other.undo();
            }
            let legal = other.legal_moves();
            let mv = legal[rng.below(legal.len())];
            if mv == game.moves()[other.moves().len()] {
                continue;
            }
            other.play(mv);
            task.game = other;
            if self.is_within(OPEN, task, table) {
                return true;
            }
        }
        false
    }

    /// Says whether the game of a task is not over and a short search sees nobody ahead by more than this, in hundredths of a man.
    fn is_within(&self, margin: i32, task: &mut Task<R>, table: &Table) -> bool {
        if task.game.ending().is_some() {
            return false;
        }
        table.clear();
        task.limits.nodes = Some((self.nodes / FAIR_NODES).max(1));
        task.run_here(table).report.score.0.abs() <= margin
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
            (game, BALLOT_PLIES)
        } else {
            (Game::new(), PLIES)
        };
        let more = rng.below(plies.end() - plies.start() + 1);
        for _ in 0..plies.start() + more {
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
