//! What made cut-offs before: killers (by ply), and how quiet moves have fared by side, start and end (the butterfly history).
//!
//! Histories by the opponent's last move (counter-moves) and by the side's own last move (follow-ups) were tried and cost as much as
//! they gained.

use super::params::{HISTORY_BONUS_LIMIT, HISTORY_LIMIT};
use crate::board::{Move, Side};
use crate::score::{Depth, MAX_PLY, Ply};

/// The node in which moves are judged, as far as histories tell nodes apart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Context {
    pub(super) side: Side,
    pub(super) ply: Ply,
}

/// Scores of moves by start and end.
type Scores = [i16; 32 * 32];

/// Returns the place of a move in a table by start and end.
#[inline]
fn slot(mv: Move) -> usize {
    // Dark squares are every second bit.
    (mv.from.bit() >> 1) << 5 | mv.to.bit() >> 1
}

/// The histories of a worker.
pub(super) struct History {
    killers: Vec<[Option<Move>; 2]>,
    sides: [Box<Scores>; 2],
}

impl History {
    pub(super) fn new() -> Self {
        Self {
            killers: vec![[None; 2]; MAX_PLY as usize + 1],
            sides: [(); 2].map(|()| Box::new([0; 32 * 32])),
        }
    }

    /// Returns the killers of a ply, the latest first.
    #[inline]
    pub(super) fn killers(&self, ply: Ply) -> [Option<Move>; 2] {
        self.killers[ply as usize]
    }

    /// Returns the standing of a quiet move, within plus and minus [`HISTORY_LIMIT`].
    #[inline]
    pub(super) fn score(&self, context: Context, mv: Move) -> i32 {
        i32::from(self.sides[context.side.index()][slot(mv)])
    }

    /// Notes that a quiet move made a cut-off, and that the quiet moves tried before it did not.
    pub(super) fn reward(&mut self, context: Context, depth: Depth, mv: Move, tried: &[Move]) {
        let killers = &mut self.killers[context.ply as usize];
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
        let bonus = (depth * depth).clamp(1, HISTORY_BONUS_LIMIT);
        self.add(context, mv, bonus);
        for &other in tried {
            self.add(context, other, -bonus);
        }
    }

    fn add(&mut self, context: Context, mv: Move, bonus: i32) {
        let score = &mut self.sides[context.side.index()][slot(mv)];
        // The nearer the score is to the limit the less it moves, so that it never passes it.
        let old = i32::from(*score);
        *score = (old + bonus - old * bonus.abs() / HISTORY_LIMIT) as i16;
    }
}
