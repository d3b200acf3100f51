//! The rules of the games: what may move where, and how a game ends.
//!
//! Movement and draw rules are separate. [`Movement`] holds what is legal (three implementations:
//! [`PoolMovement`], [`RussianMovement`], [`BrazilianMovement`]); [`Rules`] adds who begins, the notation
//! and the [`DrawRules`] of one of the six rule sets. Both are traits of constants on empty types, so
//! that no rule is tested at run time; [`with_rules!`](crate::with_rules) is the one place where a name becomes a type.
//!
//! Sources: the Pool rules of the VOG club (after the American Pool Checkers Association), a second
//! published page on Pool, two on Russian draughts, and the official list for draughts-64 of the FMJD.
//! Where they are silent or contradict each other, the constant says what was settled and why.
#![deny(clippy::float_arithmetic)]

mod brazilian;
mod captures;
mod counting;
mod directions;
mod draws;
mod game;
mod movegen;
mod path;
mod perft;
mod perft_hash;
mod pool;
mod quiets;
mod russian;
mod variant;

pub use brazilian::{Brazilian, BrazilianMovement};
pub use draws::{
    Balance, Counted, DrawCounters, DrawRules, MainRoad, NoProgress, SALTED_PLIES, SmallEnding,
    ThreeVOne,
};
pub use game::{Ending, Game, IllegalMove, Reason};
pub use movegen::{
    capture_moves, count_moves, has_capture, has_legal_move, is_threatened, legal_moves,
    quiet_moves,
};
pub use path::{all_paths, path_of};
pub use perft::{divide, perft};
pub use perft_hash::{CacheTooLarge, PerftCache, divide_hashed, perft_hashed};
pub use pool::{Pool, Pool25, PoolMovement};
pub(crate) use quiets::king_reach;
pub use russian::{Russian, RussianFmjd64, RussianMovement, RussianOnline};
pub use variant::{UnknownVariant, Variant};

use crate::board::{Position, Side};

/// What is legal: the constants in which the games differ. Everything else is common to all of them:
/// men move one step forward and capture in all four directions, kings fly, capture is compulsory and
/// is completed, captured pieces leave the board after the move.
pub trait Movement: Copy + Send + Sync + 'static {
    /// The name of the game that is moved like this: names data shared by all its rule sets.
    const NAME: &'static str;
    /// A man that reaches the promotion row in mid-capture is a king at once and goes on as one if it can.
    /// Otherwise it goes on as a man, and is promoted only if the capture ends there.
    const PROMOTES_MID_CAPTURE: bool;
    /// Only the captures that take the most pieces are legal.
    const MAJORITY_CAPTURE: bool;
}

/// How the moves of a game are usually written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Squares are letters (`c3`) rather than numbers (`22`).
    pub letters: bool,
    /// What stands between the squares of a capture.
    pub capture_sign: char,
    /// The PDN 3.0 game type, as the `GameType` tag gives it.
    pub game_type: &'static str,
}

/// The rules of one rule set, fixed at compile time.
///
/// Implementors are empty types. Code outside this module asks for a constant, never for the name.
pub trait Rules: Copy + Send + Sync + 'static {
    /// The run-time name of these rules.
    const VARIANT: Variant;
    /// The side that opens the game.
    const FIRST_TO_MOVE: Side;
    /// When a game is drawn.
    const DRAWS: DrawRules;
    /// How moves are written.
    const STYLE: Style;
    /// What is legal.
    type Movement: Movement;

    /// Returns the start position.
    fn start() -> Position {
        Position::start(Self::FIRST_TO_MOVE)
    }
}
