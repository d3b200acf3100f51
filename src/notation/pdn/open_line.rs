//! A line of moves on the way from tokens to the tree: where it stands, and what waits for its next move.

use super::game::{Line, Node};
use crate::board::{Move, Position};
use std::mem;

/// A line that is being read.
pub(super) struct OpenLine {
    pub(super) line: Line,
    pub(super) pos: Position,
    /// The position before the last move.
    pub(super) before: Position,
    /// The moves from the start of the game to `pos`.
    pub(super) ply: usize,
    /// Comments that wait for a move.
    pub(super) comments: Vec<String>,
    /// A comment here belongs to the last move.
    pub(super) is_behind_move: bool,
    /// The token that opened it.
    pub(super) opening: usize,
    /// The place of a move number behind which no move has come yet.
    pub(super) number: Option<usize>,
    /// Words before this place were no moves, so a square need not be one either.
    pub(super) is_in_prose: bool,
    /// Where the text begins that cannot be read.
    pub(super) unread: Option<usize>,
}

impl OpenLine {
    pub(super) fn new(pos: Position, ply: usize, opening: usize) -> Self {
        Self {
            line: Line::default(),
            pos,
            before: pos,
            ply,
            comments: Vec::new(),
            is_behind_move: false,
            opening,
            number: None,
            is_in_prose: false,
            unread: None,
        }
    }

    pub(super) fn comment(&mut self, text: String) {
        match self.line.moves.last_mut() {
            Some(last) if self.is_behind_move => last.after.push(text),
            _ => self.comments.push(text),
        }
    }

    pub(super) fn push(&mut self, mv: Move, text: &str) {
        let mut node = Node::new(mv);
        node.text = text.into();
        node.before = mem::take(&mut self.comments);
        self.line.moves.push(node);
        self.before = self.pos;
        self.pos = self.pos.play(mv);
        self.ply += 1;
        self.is_behind_move = true;
        self.number = None;
        self.is_in_prose = false;
    }

    /// Returns the line, with what is left.
    pub(super) fn finish(mut self, unread: Option<&str>) -> Line {
        self.line.comments.append(&mut self.comments);
        self.line.unread = unread.map(|text| text.trim().to_owned());
        self.line
    }
}
