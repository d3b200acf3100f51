#![doc = include_str!("ARCHITECTURE.md")]

pub mod arch;
pub mod board;
pub mod book;
pub mod cli;
pub mod egdb;
pub mod engine;
pub mod eval;
pub mod notation;
pub mod protocol;
pub mod rules;
pub mod score;
pub mod search;
pub mod tools;
pub mod tt;
