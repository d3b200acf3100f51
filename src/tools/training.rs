//! Training of the evaluation: games that the engine plays against itself, and weights fitted to them.
//!
//! - `data`: files of positions, each with the score of a search and the result of its game;
//! - `games`: self-play;
//! - `samples`: what weights are fitted to, from such files;
//! - `model`, `fit`: the network in floats, and gradient descent on it;
//! - `wdl`: the model of results that belongs to the weights;
//! - `calibration`, `report`: what the scores are worth, and the report of a fit.

pub mod calibration;
pub mod data;
pub mod fit;
pub mod games;
pub mod model;
pub mod report;
pub mod samples;
pub mod wdl;
