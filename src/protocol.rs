//! Protocols: how other programs talk to the engine.

#[cfg(not(target_family = "wasm"))]
pub mod dxp;
pub mod hub;
pub(crate) mod lines;
pub(crate) mod log;
#[cfg(not(target_family = "wasm"))]
pub(crate) mod thinking;
