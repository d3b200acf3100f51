//! Portable Draughts Notation: files of games with tags, comments and variations.
//!
//! The source is version 3.0 of the standard (<https://github.com/wiegerw/pdn>). [`Reader`] reads whatever people's files contain, one
//! game at a time, and names what is wrong in each; [`write()`] writes a [`Game`] as the standard wants it. [`Writer`] is for
//! games that are not read from a file.
//!
//! A game passes through: `lexer` (where it begins and ends, and its tokens), `encoding` (bytes to letters), `setting` (tags to rules
//! and start position), `tree`, `open_line` and `words` (tokens to moves that are legal), and ends as the plain data of `game`.

mod encoding;
mod game;
mod lexer;
mod open_line;
mod reader;
mod setting;
mod tree;
mod words;
mod writer;

pub use game::{Fault, FaultReason, Game, Line, Node, Tag};
pub use reader::Reader;
pub use writer::{UNREAD, Writer, write};
