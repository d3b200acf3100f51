//! DXP, the `DamExchange` protocol: two programs play over a connection, without anybody between them.
//!
//! The **initiator** asks for games and says who has which colour, where they begin and how much time there is; the **follower** accepts
//! or refuses. Who has listened and who has called does not matter. In a game the sides send moves in turn; the side to move may
//! instead say that the game is over, which the other answers in kind. Nobody keeps the rules but the two of them.
//!
//! `message` turns texts into values and back, `frame` finds them in the stream, `position` knows squares and moves on this board,
//! `game` keeps what belongs to one game, `session` plays one; `follower` and `initiator` are the two roles; `socket` opens connections,
//! of which the rest knows only that they can be read and written.
//!
//! The protocol has two layers: the connection (layer 1, "socket") and the messages (layer 2, version 01), described at mesander.nl. What
//! clients make of it was seen in Scan 3.1, Moby Dam and pydraughts.

mod follower;
pub(crate) mod frame;
mod game;
mod initiator;
pub mod message;
pub mod position;
mod session;
pub mod socket;

pub use follower::{follow, refuse};
pub use game::{Finished, Verdict};
pub use initiator::{Fixture, Schedule, initiate};
pub use session::{DxpError, Ended, Event, Terms};
