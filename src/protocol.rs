//! Protocols: how other programs talk to the engine.

pub mod dxp;
pub mod hub;
pub(crate) mod lines;
pub(crate) mod log;
pub(crate) mod thinking;
