//! The squares a capturing piece stands on along its way.
//!
//! A [`Move`] does not keep its path. When a text or a picture needs one, the routes that lead to
//! the move are found again, square by square. This is slow and rarely called.

use super::{Movement, Rules};
use crate::board::{Bitboard, Move, Position, Square};

/// Returns one path of a legal move: every square the piece stands on, first and last included.
///
/// Of several routes the first in the order of the generator's directions is taken.
pub fn path_of<R: Rules>(pos: &Position, mv: Move) -> Vec<Square> {
    all_paths::<R>(pos, mv)
        .into_iter()
        .next()
        .unwrap_or_else(|| vec![mv.from, mv.to])
}

/// Returns every path of a legal move. Paths differ in the order of the victims or in the squares on which the piece stands between
/// them.
pub fn all_paths<R: Rules>(pos: &Position, mv: Move) -> Vec<Vec<Square>> {
    if !mv.is_capture() {
        return vec![vec![mv.from, mv.to]];
    }
    let mut walk = Walk {
        empty: pos.empty().with(mv.from),
        occupied: pos.occupied() & !Bitboard::from(mv.from),
        others: pos.opp() & !mv.captured,
        row: Position::promotion_row(pos.turn()),
        mv,
        path: vec![mv.from],
        found: Vec::new(),
    };
    walk.on::<R::Movement>(mv.from, pos.is_king_at(mv.from), false, mv.captured);
    walk.found
}

/// The four directions as steps of rank and file.
const DIRECTIONS: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];

/// The search for the paths of a move.
struct Walk {
    /// The empty squares, the start square among them.
    empty: Bitboard,
    /// The pieces that block the way; the captured ones stay on it.
    occupied: Bitboard,
    /// The opponent's pieces that the move does not take.
    others: Bitboard,
    /// The mover's promotion row.
    row: Bitboard,
    mv: Move,
    /// The squares stood on so far.
    path: Vec<Square>,
    /// The paths that end as the move does.
    found: Vec<Vec<Square>>,
}

impl Walk {
    /// Goes on from a square until all the victims that are left have been jumped; nothing else is.
    fn on<M: Movement>(&mut self, at: Square, is_king: bool, promoted: bool, left: Bitboard) {
        if left.is_empty() {
            let is_promoted = promoted || !is_king && self.row.contains(at);
            if at == self.mv.to && is_promoted == self.mv.promotes {
                self.found.push(self.path.clone());
            }
            return;
        }
        for direction in DIRECTIONS {
            let Some((victim, landings)) = self.jump(at, direction, is_king) else {
                continue;
            };
            if !left.contains(victim) {
                continue;
            }
            let left = left & !Bitboard::from(victim);
            let promoting = if M::PROMOTES_MID_CAPTURE && !is_king {
                self.row
            } else {
                Bitboard::EMPTY
            };
            // Behind the last victim the landing rule counts too: if the king could take another
            // piece from any of the squares, this route is part of a longer capture.
            let goes_on = |&landing: &Square| {
                self.can_take_another(landing, is_king || promoting.contains(landing))
            };
            if left.is_empty() && landings.iter().any(goes_on) {
                continue;
            }
            for landing in landings {
                let promotes_here = promoting.contains(landing);
                self.path.push(landing);
                self.on::<M>(
                    landing,
                    is_king || promotes_here,
                    promoted || promotes_here,
                    left,
                );
                self.path.pop();
            }
        }
    }

    /// Says whether a piece that the move leaves standing could be taken from a square.
    fn can_take_another(&self, at: Square, is_king: bool) -> bool {
        let mut jumps = DIRECTIONS
            .iter()
            .filter_map(|&direction| self.jump(at, direction, is_king));
        jumps.any(|(victim, _)| self.others.contains(victim))
    }

    /// Returns the first piece in a direction and the empty squares behind it, or `None` if it cannot be jumped.
    fn jump(
        &self,
        at: Square,
        direction: (i8, i8),
        is_king: bool,
    ) -> Option<(Square, Vec<Square>)> {
        let mut victim = next(at, direction)?;
        while is_king && !self.occupied.contains(victim) {
            victim = next(victim, direction)?;
        }
        if !self.occupied.contains(victim) {
            return None;
        }
        let mut landings = Vec::new();
        let mut landing = next(victim, direction)?;
        while self.empty.contains(landing) {
            landings.push(landing);
            match next(landing, direction) {
                Some(further) if is_king => landing = further,
                _ => break,
            }
        }
        if landings.is_empty() {
            None
        } else {
            Some((victim, landings))
        }
    }
}

fn next(square: Square, (up, right): (i8, i8)) -> Option<Square> {
    let rank = square.rank().checked_add_signed(up)?;
    let file = square.file().checked_add_signed(right)?;
    Square::from_rank_and_file(rank, file)
}
