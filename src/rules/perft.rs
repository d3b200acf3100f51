//! Perft: the number of leaves of the tree of legal moves, by which move generators are compared.

use super::{Rules, count_moves, counting, legal_moves};
use crate::board::{Move, MoveList, Position};
use rayon::prelude::*;

/// Counts the leaves at a depth. Draw rules are ignored; a position without moves has no children.
///
/// The moves of the last ply are counted, not made; where possible, those of the last two.
pub fn perft<R: Rules>(pos: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => count_moves::<R>(pos),
        2 if let Some(leaves) = counting::two_plies::<R::Movement>(pos) => leaves,
        _ => {
            let mut moves = MoveList::new();
            legal_moves::<R>(pos, &mut moves);
            moves
                .iter()
                .map(|&mv| perft::<R>(&pos.play(mv), depth - 1))
                .sum()
        }
    }
}

/// Counts the leaves at a depth, at least 1, by first move, in the order of [`legal_moves`]. The subtrees are shared out over the threads
/// of the current rayon thread pool.
pub fn divide<R: Rules>(pos: &Position, depth: u32) -> Vec<(Move, u64)> {
    divide_by::<R>(pos, depth, perft::<R>)
}

/// Counts as [`divide`] does, the leaves of a subtree with a given function of its root and depth.
pub(super) fn divide_by<R: Rules>(
    pos: &Position,
    depth: u32,
    leaves: impl Fn(&Position, u32) -> u64 + Sync,
) -> Vec<(Move, u64)> {
    let mut moves = MoveList::new();
    legal_moves::<R>(pos, &mut moves);
    let count = |mv: Move| -> u64 {
        let child = pos.play(mv);
        if depth < SPLIT_DEPTH {
            return leaves(&child, depth.saturating_sub(1));
        }
        // A second level of tasks evens out subtrees of different size.
        let mut replies = MoveList::new();
        legal_moves::<R>(&child, &mut replies);
        replies
            .par_iter()
            .map(|&reply| leaves(&child.play(reply), depth - 2))
            .reduce(|| 0, u64::saturating_add)
    };
    moves.par_iter().map(|&mv| (mv, count(mv))).collect()
}

/// Trees of at least this depth are shared out at two levels.
const SPLIT_DEPTH: u32 = 4;
