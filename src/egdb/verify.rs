//! The slow check of tables: every number follows from those of the positions behind the legal moves.
//!
//! It takes the moves from the move generator and the numbers from look-up, as a player would, and shares no code with
//! `solve` but the numbering of positions.

use super::Value;
use super::archive::Kind;
use super::index::Layout;
use super::slice::Slice;
use super::tables::Tables;
use crate::board::{Move, MoveList, Position};
use crate::rules::{Rules, has_capture, legal_moves};
use rayon::prelude::*;

/// What was checked.
#[derive(Clone, Debug, Default)]
pub struct Checked {
    /// Positions looked at.
    pub positions: u64,
    /// Those whose numbers contradict their moves, or that could not be looked up.
    pub faults: u64,
    /// The first of them.
    pub first: Option<Position>,
}

/// The numbers of positions, wherever they are kept. `None` where one is not known.
pub(super) trait Numbers: Sync {
    /// Returns the value of any position.
    fn value(&self, pos: &Position) -> Option<Value>;
    /// Says whether a distance is kept for the material of a position.
    fn has_distance(&self, kind: Kind, pos: &Position) -> bool;
    /// Returns a distance of a position that is won or lost.
    fn distance(&self, kind: Kind, pos: &Position) -> Option<u8>;
}

impl<R: Rules> Numbers for Tables<R> {
    fn value(&self, pos: &Position) -> Option<Value> {
        self.probe_wdl(pos)
    }

    fn has_distance(&self, kind: Kind, pos: &Position) -> bool {
        self.has_distance(kind, pos)
    }

    fn distance(&self, kind: Kind, pos: &Position) -> Option<u8> {
        self.distance(kind, pos)
    }
}

/// Checks every `step`-th position of a slice, where the mover has the pieces that the slice names first.
///
/// # Panics
///
/// If `step` is 0.
pub fn check<R: Rules>(tables: &Tables<R>, slice: Slice, step: u64) -> Checked {
    check_numbers::<R>(tables, slice, step)
}

/// The same for numbers kept anywhere.
pub(super) fn check_numbers<R: Rules>(numbers: &impl Numbers, slice: Slice, step: u64) -> Checked {
    let layout = Layout::of(slice);
    let all = (0..layout.positions().div_ceil(step)).into_par_iter();
    let wrong = |number: u64| {
        let index = number * step;
        let view = layout.view(index);
        let pos = view.position();
        let is_right = layout.index(&view) == index && follows::<R>(numbers, &pos) == Some(true);
        (!is_right).then_some(number)
    };
    let faults: Vec<u64> = all.filter_map(wrong).collect();
    Checked {
        positions: layout.positions().div_ceil(step),
        faults: faults.len() as u64,
        first: faults
            .first()
            .map(|number| layout.view(number * step).position()),
    }
}

/// Says whether the numbers of a position follow from its moves; `None` if one is not known.
fn follows<R: Rules>(numbers: &impl Numbers, pos: &Position) -> Option<bool> {
    // Files do not have these values: look-up finds them from what captures lead to, as this check would.
    if has_capture(pos) {
        return Some(true);
    }
    let mut moves = MoveList::new();
    legal_moves::<R>(pos, &mut moves);
    let mut best = Value::Loss;
    for &mv in &moves {
        best = best.max(numbers.value(&pos.play(mv))?.reversed());
    }
    if numbers.value(pos)? != best {
        return Some(false);
    }
    if best != Value::Win {
        return Some(true);
    }
    let is_right = |kind, ends: &dyn Fn(Move) -> bool| -> Option<bool> {
        let distance = |pos: &Position| numbers.distance(kind, pos);
        let follows = !numbers.has_distance(kind, pos)
            || shortest(numbers, pos, &moves, ends, distance)? == distance(pos)?;
        Some(follows)
    };
    let is_zeroing = |mv: Move| mv.promotes || !pos.is_king_at(mv.from);
    Some(is_right(Kind::Zeroing, &is_zeroing)? && is_right(Kind::Conversion, &|mv| mv.promotes)?)
}

/// Returns the plies of the shortest win.
fn shortest(
    numbers: &impl Numbers,
    pos: &Position,
    moves: &[Move],
    ends: &dyn Fn(Move) -> bool,
    distance: impl Fn(&Position) -> Option<u8>,
) -> Option<u8> {
    let mut least = u8::MAX;
    for &mv in moves {
        let after = pos.play(mv);
        if numbers.value(&after)? == Value::Loss {
            let plies = if ends(mv) {
                1
            } else {
                distance(&after)?.checked_add(1)?
            };
            least = least.min(plies);
        }
    }
    Some(least)
}
