//! Protocols: how other programs talk to the engine.

pub mod hub;
mod lines;
mod log;
