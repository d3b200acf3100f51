//! Engines against each other: the games of a match, who won them, and what that proves.
//!
//! A match is a [`Plan`], from which everything else follows: [`Plan::pairing`] says of every game who plays whom with which colour from which
//! [`Opening`]. [`Match::play`] plays those that are still to be played, several at a time, and hands each finished
//! [`Record`] to its caller, which keeps it in a [`journal`](super::journal). [`Standings`] count records; since a
//! record has the number of its game, records from several processes or machines are counted together as if one
//! process had played them all.
//!
//! Engines are not trusted. The `referee` decides what is legal and when a game is over, the `process` behind a player may crash, hang
//! or flood, and only its own game is lost.

mod clock;
mod dxp_player;
mod game_text;
mod hub_player;
mod kept;
pub mod openings;
mod own_player;
mod plan;
mod player;
mod process;
mod record;
mod referee;
mod report;
mod runner;
mod standings;
pub mod statistics;
#[cfg(test)]
mod tests;

pub use clock::{BadTimeControl, TimeControl};
pub use game_text::pdn;
pub use kept::{Header, Misread};
pub use openings::Opening;
pub use plan::{
    Adjudication, DrawByScore, EngineSpec, Format, OpeningsPlan, Pairing, Plan, PlayerPlan,
    WinByScore,
};
pub use record::{Fault, FaultKind, Record, Thought};
pub use report::Summary;
pub use runner::{Match, MatchError};
pub use standings::{Decision, Standings, Unfit};
