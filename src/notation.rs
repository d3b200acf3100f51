//! Positions and moves as text, for people and for programs. Text in, values out, no input or output.
//!
//! [`fen`] has positions as people paste them, [`hub`] the positions and moves of the Hub protocol,
//! [`moves`] the moves of a game as its players write them, [`diagram`] a picture of the board in
//! plain text, [`svg`] one for pages and paper; [`game_line`], [`pdn`] and [`played`] have whole games.
//!
//! Reading is generous and writing is canonical, but no reader guesses: what fits two moves is an error that
//! lists both. A number means 1 = b8, 32 = g1, in every game; only [`hub::Numbering::Pdn`], which a client
//! must ask for, counts from a1, and the PDN tag `GameType` may name any corner.
//!
//! Readers refuse texts of absurd length before they look at them, so time is linear in the input, and no input
//! makes them panic.

pub mod diagram;
pub mod epd;
pub mod fen;
pub mod game_line;
pub mod hub;
pub mod moves;
pub mod pdn;
pub mod played;
pub mod svg;

mod choice;
mod order;
mod result;
mod text;

pub(crate) use text::{on_one_line, printable, shown};
