//! What made cut-offs before: killers (by ply) and history (by side, start and end of the move).

use super::params::{HISTORY_BONUS_LIMIT, HISTORY_LIMIT};
use crate::board::{Move, Side};
use crate::score::{Depth, MAX_PLY, Ply};

/// Quiet moves that refuted something, and how often.
pub(super) struct History {
    killers: Vec<[Option<Move>; 2]>,
    counts: Box<[[i16; 32 * 32]; 2]>,
}

/// Returns the place of a move in a table by start and end.
#[inline]
fn slot(mv: Move) -> usize {
    // Dark squares are every second bit.
    (mv.from.bit() >> 1) << 5 | mv.to.bit() >> 1
}

impl History {
    pub(super) fn new() -> Self {
        Self {
            killers: vec![[None; 2]; MAX_PLY as usize + 1],
            counts: Box::new([[0; 32 * 32]; 2]),
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
        i32::from(self.counts[side.index()][slot(mv)])
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
        let count = &mut self.counts[side.index()][slot(mv)];
        let old = i32::from(*count);
        *count = (old + bonus - old * bonus.abs() / HISTORY_LIMIT) as i16;
    }
}
