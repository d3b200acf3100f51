//! Whether a proven win or loss is as short as the play that proves it.
//!
//! The search prunes, so the win that it proves first need not be the shortest. Here every line is followed, with nothing left out, up to
//! two plies less: if the game cannot be ended by then, the length is exact. Draw rules only take wins away, so they need not be looked at.

use crate::board::{MoveList, Position};
use crate::rules::{Rules, has_legal_move, legal_moves};

/// Positions looked at for one answer: a few milliseconds.
const MOST_POSITIONS: u32 = 30_000;

/// Says whether a win or loss of so many plies is proved to be exact: the winner cannot force an earlier end. What takes too long to find out
/// is not proved.
pub(super) fn is_exact<R: Rules>(pos: &Position, is_win: bool, plies: u32) -> bool {
    let Some(less) = plies.checked_sub(2) else {
        return true;
    };
    let mut walk = Walk {
        left: MOST_POSITIONS,
    };
    walk.ends_within::<R>(pos, is_win, less) == Some(false)
}

/// Says whether every move of a position loses within so many plies, as far as that is soon found out.
pub(super) fn loses_within<R: Rules>(pos: &Position, plies: u32) -> bool {
    let mut walk = Walk {
        left: MOST_POSITIONS,
    };
    walk.ends_within::<R>(pos, false, plies) == Some(true)
}

struct Walk {
    left: u32,
}

impl Walk {
    /// Says whether the side that is to win, on the move or not, can do so within so many plies; `None` if it takes too long.
    fn ends_within<R: Rules>(
        &mut self,
        pos: &Position,
        is_winner: bool,
        plies: u32,
    ) -> Option<bool> {
        self.left = self.left.checked_sub(1)?;
        if !has_legal_move(pos) {
            return Some(!is_winner);
        }
        if plies == 0 {
            return Some(false);
        }
        let mut moves = MoveList::new();
        legal_moves::<R>(pos, &mut moves);
        // By reference: a list that is moved would be on the stack twice, at each ply.
        for &mv in &moves {
            let ends = self.ends_within::<R>(&pos.play(mv), !is_winner, plies - 1)?;
            if ends == is_winner {
                return Some(is_winner);
            }
        }
        Some(!is_winner)
    }
}
