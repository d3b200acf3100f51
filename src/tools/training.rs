//! Training of the evaluation: games that the engine plays against itself, and weights fitted to them.
//!
//! - `data`: files of positions, each with the score of a search and the result of its game;
//! - `games`: self-play.

pub mod calibration;
pub mod data;
pub mod fit;
pub mod games;
pub mod model;
pub mod report;
pub mod samples;
pub mod wdl;
