//! What made cut-offs before: killers (by ply) and history (by side, start and end of the move).

use super::params::{HISTORY_BONUS_LIMIT, HISTORY_LIMIT};
use crate::board::{Move, Side};
use crate::score::{Depth, MAX_PLY, Ply};

/// Quiet moves that refuted something, and how often.
pub(super) struct History {
    killers: Vec<[Option<Move>; 2]>,
    counts: Box<[[[i16; 64]; 64]; 2]>,
}

impl History {
    pub(super) fn new() -> Self {
        Self {
            killers: vec![[None; 2]; MAX_PLY as usize + 1],
            counts: Box::new([[[0; 64]; 64]; 2]),
        }
    }

    /// Returns the killers of a ply, the latest first.
    #[inline]
    pub(super) fn killers(&self, ply: Ply) -> [Option<Move>; 2] {
        self.killers[ply as usize]
    }

    /// Returns the standing of a quiet move, within plus and minus [`HISTORY_LIMIT`].
    #[inline]
    pub(super) fn score(&self, side: Side, mv: Move) -> i32 {
        i32::from(self.counts[side.index()][mv.from.bit()][mv.to.bit()])
    }

    /// Notes that a quiet move made a cut-off, and that the quiet moves tried before it did not.
    pub(super) fn reward(&mut self, side: Side, ply: Ply, depth: Depth, mv: Move, tried: &[Move]) {
        let killers = &mut self.killers[ply as usize];
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
        let bonus = (depth * depth).clamp(1, HISTORY_BONUS_LIMIT);
        self.add(side, mv, bonus);
        for &other in tried {
            self.add(side, other, -bonus);
        }
    }

    /// Moves a score by a bonus, less the nearer it is to the limit, so that it never passes it.
    fn add(&mut self, side: Side, mv: Move, bonus: i32) {
        let count = &mut self.counts[side.index()][mv.from.bit()][mv.to.bit()];
        let old = i32::from(*count);
        *count = (old + bonus - old * bonus.abs() / HISTORY_LIMIT) as i16;
    }
}
