//! The Hub protocol, version 2, as Scan 3.1 speaks it, with the conventions for 64 squares that its clients follow.
//!
//! `message` turns lines into values and back, `driver` acts on them, `translate` knows what they mean to the engine, `output` writes lines at
//! a pace that clients can follow.

mod driver;
mod lexer;
pub mod message;
mod output;
#[cfg(test)]
mod tests;
mod translate;

pub use driver::{DriveError, drive};
