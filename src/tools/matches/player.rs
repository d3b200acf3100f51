//! What the referee sees of a player, whatever engine is behind it.

use super::clock::GameClock;
use super::record::FaultKind;
use crate::board::{Move, Side};
use crate::rules::{Game, Rules};
use std::time::Duration;

/// A player of a match, in one of the games that are played at the same time.
pub(super) trait Player<R: Rules>: Send {
    /// Gets ready for a game that has nothing to do with those before. An engine that has failed is started anew.
    fn new_game(&mut self) -> Result<(), Trouble>;

    /// Says before the match what would be amiss in its games.
    fn check(&mut self) -> Result<(), Trouble> {
        self.new_game()
    }

    /// Returns the move for the last position of a game.
    fn think(&mut self, game: &Game<R>, clock: &GameClock) -> Result<Answer, Trouble>;

    /// Begins to think about a game in which the expected reply has been played, while the opponent thinks about it. The clock is that of the
    /// move to come.
    fn ponder(&mut self, game: &Game<R>, clock: &GameClock);

    /// Ends pondering. The game is over, or the opponent played something else.
    fn rest(&mut self);

    /// Learns how a game has ended in which it had a side.
    fn end(&mut self, _game: &Game<R>, _own: Side, _winner: Option<Side>) {
        self.rest();
    }
}

/// A move, and what the player says of it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Answer {
    /// The move; one that the player takes for legal.
    pub(super) mv: Option<Move>,
    /// The reply that the player expects.
    pub(super) expected: Option<Move>,
    /// The time since it was asked.
    pub(super) used: Duration,
    /// The score in hundredths of a man.
    pub(super) cp: Option<i32>,
    /// The depth reached.
    pub(super) depth: Option<u32>,
    /// The nodes searched.
    pub(super) nodes: Option<u64>,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Trouble {
    /// The player has failed, which loses it the game.
    Fault(FaultKind, String),
    /// The player gives the game up.
    GaveUp,
    /// The match is to end.
    Stopped,
}
