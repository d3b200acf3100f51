//! What made cut-offs before: killers (by ply) and history: how quiet moves, named by start and end, have fared for a side, as
//! answers to the opponent's last move and after the side's own last move (continuation history, as in Stockfish).

use super::params::{HISTORY_BONUS_LIMIT, HISTORY_LIMIT};
use crate::board::{Move, Position, Side};
use crate::score::{Depth, MAX_PLY, Ply};

/// A move that was made, as far as later ones depend on it: side, kind of piece, and end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Made(u8);

impl Made {
    /// No move: the search begins here.
    pub(super) const NOTHING: Self = Self(2 * 2 * 32);
    /// How many values there are.
    const COUNT: usize = Self::NOTHING.0 as usize + 1;

    /// Returns what is remembered of a move.
    #[inline]
    pub(super) fn of(pos: &Position, mv: Move) -> Self {
        let is_king = mv.promotes || pos.is_king_at(mv.from);
        let piece = pos.turn().index() << 1 | usize::from(is_king);
        Self((piece << 5 | mv.to.bit() >> 1) as u8)
    }
}

/// Where a move is to be judged.
#[derive(Clone, Copy, Debug)]
pub(super) struct Context {
    pub(super) side: Side,
    pub(super) ply: Ply,
    /// The opponent's last move.
    pub(super) reply_to: Made,
    /// The side's own last move.
    pub(super) after: Made,
}

/// Scores of moves by start and end.
type Scores = [i16; 32 * 32];

/// Returns the place of a move in a table by start and end.
#[inline]
fn slot(mv: Move) -> usize {
    // Dark squares are every second bit.
    (mv.from.bit() >> 1) << 5 | mv.to.bit() >> 1
}

/// Quiet moves that refuted something, and how often.
pub(super) struct History {
    killers: Vec<[Option<Move>; 2]>,
    sides: [Box<Scores>; 2],
    replies: Vec<Scores>,
    continuations: Vec<Scores>,
}

impl History {
    pub(super) fn new() -> Self {
        Self {
            killers: vec![[None; 2]; MAX_PLY as usize + 1],
            sides: [(); 2].map(|()| Box::new([0; 32 * 32])),
            replies: vec![[0; 32 * 32]; Made::COUNT],
            continuations: vec![[0; 32 * 32]; Made::COUNT],
        }
    }

    /// Returns the killers of a ply, the latest first.
    #[inline]
    pub(super) fn killers(&self, ply: Ply) -> [Option<Move>; 2] {
        self.killers[ply as usize]
    }

    /// Returns the standing of a quiet move, within plus and minus three times [`HISTORY_LIMIT`].
    #[inline]
    pub(super) fn score(&self, context: Context, mv: Move) -> i32 {
        let slot = slot(mv);
        i32::from(self.sides[context.side.index()][slot])
            + i32::from(self.replies[context.reply_to.0 as usize][slot])
            + i32::from(self.continuations[context.after.0 as usize][slot])
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
        let slot = slot(mv);
        for score in [
            &mut self.sides[context.side.index()][slot],
            &mut self.replies[context.reply_to.0 as usize][slot],
            &mut self.continuations[context.after.0 as usize][slot],
        ] {
            // The nearer the score is to the limit the less it moves, so that it never passes it.
            let old = i32::from(*score);
            *score = (old + bonus - old * bonus.abs() / HISTORY_LIMIT) as i16;
        }
    }
}
