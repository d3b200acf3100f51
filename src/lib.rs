#![doc = include_str!("ARCHITECTURE.md")]

pub mod arch;
pub mod board;
pub mod book;
#[cfg(not(target_family = "wasm"))]
pub mod cli;
pub mod egdb;
pub mod engine;
pub mod eval;
pub mod notation;
pub mod protocol;
pub mod rules;
pub mod score;
pub mod search;
#[cfg(not(target_family = "wasm"))]
pub mod tools;
pub mod tt;
