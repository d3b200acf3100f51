//! Protocols: how other programs talk to the engine.

pub mod hub;
pub(crate) mod lines;
pub(crate) mod log;
