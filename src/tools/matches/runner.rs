//! Plays the games of a match, several at the same time.
//!
//! Each worker has engines of its own and plays one game after the other; games are taken in the order of their numbers. Engines stay
//! alive between games and are told that a new one begins; after a fault an engine is started anew.

use super::dxp_player::{self, DxpPlayer};
use super::hub_player::{self, HubPlayer};
use super::openings::Opening;
use super::own_player::{self, OwnPlayer};
use super::plan::{EngineSpec, Pairing, Plan, PlayerPlan};
use super::player::{Player, Trouble};
use super::process::LogFiles;
use super::record::Record;
use super::referee;
use crate::egdb::{TableFault, Tables};
use crate::engine::{OptionError, Options};
use crate::rules::Rules;
use crate::tools::shard::Shard;
use crate::tools::stop::Stop;
use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

/// The most engines that a worker keeps alive between their games. In a match of more, those that are not playing leave.
const ALIVE: usize = 4;

/// A match that is ready to be played.
#[derive(Clone, Debug)]
pub struct Match<'a> {
    /// What it is.
    pub plan: &'a Plan,
    /// Where its games begin, as the plan counts them.
    pub openings: &'a [Opening],
    /// Which of the pairs are played here.
    pub shard: Shard,
    /// How many games are played at the same time.
    pub concurrency: usize,
    /// The folder for the conversations with the engines.
    pub logs: Option<PathBuf>,
    /// Ends the match.
    pub stop: Stop,
}

/// Says why a match cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// An engine in this process is set up wrongly.
    #[error("engine {name}: {error}")]
    Option {
        /// The player.
        name: String,
        /// What is wrong.
        error: OptionError,
    },
    /// An engine does not get ready.
    #[error("engine {name}: cannot start: {detail}")]
    Start {
        /// The player.
        name: String,
        /// What happened.
        detail: String,
    },
    /// The tables in this program cannot be used.
    #[error("tables: {0}")]
    Tables(#[from] TableFault),
    /// The threads could not be started.
    #[error("cannot start threads: {0}")]
    Threads(#[from] std::io::Error),
}

impl Match<'_> {
    /// Starts every engine once, so that one that cannot play is found before the match, and not by losing all its games.
    pub fn check<R: Rules>(&self) -> Result<(), MatchError> {
        let own_options = self.own_options::<R>()?;
        for (index, player) in self.plan.players.iter().enumerate() {
            let mut made: Box<dyn Player<R>> = self.player(0, index, &own_options);
            if let Err(Trouble::Fault(_, detail)) = made.check() {
                return Err(MatchError::Start {
                    name: player.name.clone(),
                    detail,
                });
            }
        }
        Ok(())
    }

    /// Returns the numbers of the games of the shard that a test says are still to be played.
    pub fn games_left(&self, is_left: impl Fn(u64) -> bool) -> Vec<u64> {
        let games = 0..self.plan.games();
        let games = games.filter(|&game| self.shard.has(game / 2) && is_left(game));
        games.collect()
    }

    /// Plays games by their numbers, and returns when all are finished or the match was stopped. `take` gets each game when it is finished, and
    /// stops the match by a break; games that are not finished then are dropped.
    pub fn play<R: Rules>(
        &self,
        games: &[u64],
        take: &mut dyn FnMut(Record) -> ControlFlow<()>,
    ) -> Result<(), MatchError> {
        let own_options = self.own_options::<R>()?;
        let tables = if self.plan.adjudication.tables {
            Some(Tables::<R>::embedded()?)
        } else {
            None
        };
        let (game_sender, queue) = unbounded();
        for &game in games {
            game_sender.send(game).expect("its other end is here");
        }
        drop(game_sender);
        // A finished game waits for nothing, even if the journal does.
        let (finished_sender, finished) = bounded(self.concurrency);
        thread::scope(|scope| {
            for worker in 0..self.concurrency.min(games.len()) {
                let (queue, finished) = (queue.clone(), finished_sender.clone());
                let (own_options, tables) = (&own_options, tables.as_ref());
                let builder = thread::Builder::new().name(format!("match-{}", worker + 1));
                let work = move || self.work::<R>(worker, own_options, tables, &queue, &finished);
                if let Err(error) = builder.spawn_scoped(scope, work) {
                    self.stop.give();
                    return Err(error.into());
                }
            }
            drop(finished_sender);
            for record in finished {
                if take(record).is_break() {
                    self.stop.give();
                }
            }
            Ok(())
        })
    }

    /// Returns the options of the players that are this engine.
    fn own_options<R: Rules>(&self) -> Result<Vec<Option<Options>>, MatchError> {
        let read = |player: &PlayerPlan| match &player.engine {
            EngineSpec::Hub { .. } | EngineSpec::Dxp { .. } => Ok(None),
            EngineSpec::Own { options } => match own_player::options::<R>(options) {
                Ok(options) => Ok(Some(options)),
                Err(error) => Err(MatchError::Option {
                    name: player.name.clone(),
                    error,
                }),
            },
        };
        self.plan.players.iter().map(read).collect()
    }

    /// Plays games until none is left.
    fn work<R: Rules>(
        &self,
        worker: usize,
        own_options: &[Option<Options>],
        tables: Option<&Tables<R>>,
        queue: &Receiver<u64>,
        finished: &Sender<Record>,
    ) {
        let mut players: Vec<Option<Box<dyn Player<R>>>> =
            self.plan.players.iter().map(|_| None).collect();
        for game in queue {
            if self.stop.is_given() {
                break;
            }
            let pairing = self.plan.pairing(game);
            self.seat(worker, own_options, &pairing, &mut players);
            let seats = players.get_disjoint_mut([pairing.white, pairing.black]);
            let [Some(white), Some(black)] = seats.expect("they are two of the players") else {
                unreachable!("both were seated");
            };
            let players: [&mut dyn Player<R>; 2] = [white.as_mut(), black.as_mut()];
            let opening = &self.openings[pairing.opening];
            let Some(record) =
                referee::play::<R>(self.plan, &pairing, opening, players, tables, &self.stop)
            else {
                break;
            };
            if finished.send(record).is_err() {
                break;
            }
        }
    }

    /// Makes the players of a game ready to be asked, and lets others leave if there are many.
    fn seat<R: Rules>(
        &self,
        worker: usize,
        own_options: &[Option<Options>],
        pairing: &Pairing,
        players: &mut [Option<Box<dyn Player<R>>>],
    ) {
        let is_crowded = players.len() > ALIVE;
        for (index, seat) in players.iter_mut().enumerate() {
            if index == pairing.white || index == pairing.black {
                seat.get_or_insert_with(|| self.player(worker, index, own_options));
            } else if is_crowded {
                *seat = None;
            }
        }
    }

    fn player<R: Rules>(
        &self,
        worker: usize,
        index: usize,
        own_options: &[Option<Options>],
    ) -> Box<dyn Player<R>> {
        let PlayerPlan { name, engine, .. } = &self.plan.players[index];
        let files = self.logs.as_ref();
        let files = files.map(|folder| LogFiles::new(folder, index + 1, name, worker));
        let margin = Duration::from_millis(self.plan.margin_ms);
        let patience = Duration::from_millis(self.plan.patience_ms);
        let stop = self.stop.clone();
        match engine {
            EngineSpec::Own { .. } => {
                let options = own_options[index].clone().unwrap_or_default();
                Box::new(OwnPlayer::new(options, self.plan.ponder, stop))
            }
            EngineSpec::Hub { command, params } => Box::new(HubPlayer::new(hub_player::Setup {
                command: command.clone(),
                params: params.clone(),
                ponder: self.plan.ponder,
                margin,
                patience,
                files,
                stop,
            })),
            EngineSpec::Dxp { address, squares } => Box::new(DxpPlayer::new(dxp_player::Setup {
                address: address.clone(),
                squares: *squares,
                margin,
                patience,
                files,
                stop,
            })),
        }
    }
}
