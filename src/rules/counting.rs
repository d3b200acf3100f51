//! Counting moves without listing them, for one ply and for two.
//!
//! All pieces of a side are looked at together: for one direction after the other the set of squares that they can step or jump to is
//! computed, and its squares are counted. Rays of different kings in one direction never share a square, since each
//! blocks the other, and neither do jumps in one direction.
//!
//! Two plies: if no piece of the opponent can capture after a quiet move, the number of its replies is what it was
//! before, plus one for each man that can step to the square that was left, minus one for each that could step to the
//! square that is now occupied. Sums of that over all quiet moves are again counts of squares of sets. Only the moves after which
//! the opponent can capture are played one by one. This holds while the opponent has no kings, whose rays would change.

use super::Movement;
use super::captures::{self, Sides};
use super::directions::{
    NORTH_EAST, NORTH_WEST, SOUTH_EAST, SOUTH_WEST, Twin, man_jumps, step, step_back, twice,
};
use super::quiets::king_reach;
use crate::board::{Bitboard, Position, Side};

/// Counts the legal moves.
#[inline]
pub(super) fn moves<M: Movement>(pos: &Position) -> u64 {
    let sides = Sides::of(pos);
    match pos.turn() {
        Side::White => count::<M, NORTH_WEST, NORTH_EAST>(&sides),
        Side::Black => count::<M, SOUTH_EAST, SOUTH_WEST>(&sides),
    }
}

/// Counts the squares of two sets of dark squares, those in both twice.
#[inline]
fn total(a: u64, b: u64) -> u64 {
    u64::from((a | b.swap_bytes()).count_ones())
}

/// Counts the legal moves of a side whose men go in the directions `F` and `G`.
#[inline]
fn count<M: Movement, const F: i8, const G: i8>(sides: &Sides) -> u64 {
    let &Sides {
        men,
        kings,
        opp,
        empty,
        ..
    } = sides;
    if kings == 0 {
        return count_men::<M, F, G>(sides);
    }
    let right = Twin::<NORTH_EAST>::of(opp, empty);
    let left = Twin::<NORTH_WEST>::of(opp, empty);
    let (men_twice, kings_twice) = (twice(men), twice(kings));
    let (right_reach, left_reach) = (right.fill(kings_twice), left.fill(kings_twice));
    let (right_kings, left_kings) = (right.jumps(right_reach), left.jumps(left_reach));
    let (right_men, left_men) = (right.jumps(men_twice), left.jumps(men_twice));
    if right_kings | left_kings | right_men | left_men == 0 {
        let by_men = total(step::<F>(men) & empty, step::<G>(men) & empty);
        let by_kings =
            (right_reach ^ kings_twice).count_ones() + (left_reach ^ kings_twice).count_ones();
        return by_men + u64::from(by_kings);
    }
    let (right_lands, left_lands) = (right.fill(right_kings), left.fill(left_kings));
    // The mover's start square is empty during its capture, so all own squares are taken as empty: a second jump that
    // needs one of them is taken as possible.
    let open = empty | men | kings;
    let right = Twin::<NORTH_EAST>::of(opp, open);
    let left = Twin::<NORTH_WEST>::of(opp, open);
    let goes_on = |right_lands: u64, left_lands: u64| {
        // A second jump may go straight on or across, but not back over the first victim. So in each half a jump to the right
        // follows those to either side in the same half and, turned over, those to the right in the other one.
        let all = right_lands | left_lands;
        (
            all | right_lands.swap_bytes(),
            all | left_lands.swap_bytes(),
        )
    };
    let (right_on, left_on) = goes_on(right_men, left_men);
    let mut further = right.jumps(right_on) | left.jumps(left_on);
    if right_kings | left_kings != 0 {
        let (right_on, left_on) = goes_on(right_lands, left_lands);
        further |= right.jumps(right.fill(right_on)) | left.jumps(left.fill(left_on));
    }
    if M::PROMOTES_MID_CAPTURE {
        further |= (right_men | left_men) & twice(sides.row);
    }
    if further != 0 {
        return captures::count::<M>(sides);
    }
    let by_men = right_men.count_ones() + left_men.count_ones();
    u64::from(by_men + right_lands.count_ones() + left_lands.count_ones())
}

/// Counts the legal moves of a side that has only men.
#[inline]
fn count_men<M: Movement, const F: i8, const G: i8>(sides: &Sides) -> u64 {
    let jumps = ManJumps::of(sides);
    if jumps.all() == 0 {
        return total(
            step::<F>(sides.men) & sides.empty,
            step::<G>(sides.men) & sides.empty,
        );
    }
    if jumps.go_on::<M>(sides) == 0 {
        return jumps.count();
    }
    captures::count::<M>(sides)
}

/// Where men land that can capture, by direction.
struct ManJumps {
    ne: u64,
    nw: u64,
    se: u64,
    sw: u64,
}

impl ManJumps {
    #[inline]
    fn of(
        &Sides {
            men, opp, empty, ..
        }: &Sides,
    ) -> Self {
        Self {
            ne: man_jumps::<NORTH_EAST>(men, opp, empty),
            nw: man_jumps::<NORTH_WEST>(men, opp, empty),
            se: man_jumps::<SOUTH_EAST>(men, opp, empty),
            sw: man_jumps::<SOUTH_WEST>(men, opp, empty),
        }
    }

    #[inline]
    fn all(&self) -> u64 {
        self.ne | self.nw | self.se | self.sw
    }

    #[inline]
    fn count(&self) -> u64 {
        total(self.ne, self.nw) + total(self.se, self.sw)
    }

    /// Returns a set that is empty if no man can capture a second piece, straight on or across.
    #[inline]
    fn go_on<M: Movement>(
        &self,
        &Sides {
            men,
            kings,
            opp,
            empty,
            row,
        }: &Sides,
    ) -> u64 {
        let Self { ne, nw, se, sw } = *self;
        let open = empty | men | kings;
        let as_king = if M::PROMOTES_MID_CAPTURE {
            self.all() & row
        } else {
            0
        };
        as_king
            | man_jumps::<NORTH_EAST>(ne | nw | se, opp, open)
            | man_jumps::<NORTH_WEST>(nw | ne | sw, opp, open)
            | man_jumps::<SOUTH_EAST>(se | sw | ne, opp, open)
            | man_jumps::<SOUTH_WEST>(sw | se | nw, opp, open)
    }
}

/// Counts the replies to all moves, if the side to move has no capture; otherwise `None`.
#[inline]
pub(super) fn two_plies<M: Movement>(pos: &Position) -> Option<u64> {
    let pair = QuietPair::of(pos)?;
    Some(match pos.turn() {
        Side::White => pair.count::<M, NORTH_WEST, NORTH_EAST, SOUTH_EAST, SOUTH_WEST>(),
        Side::Black => pair.count::<M, SOUTH_EAST, SOUTH_WEST, NORTH_WEST, NORTH_EAST>(),
    })
}

/// A position in which the side to move cannot capture.
struct QuietPair {
    sides: Sides,
    opp_kings: u64,
    /// The opponent's promotion row.
    opp_row: u64,
}

impl QuietPair {
    #[inline]
    fn of(pos: &Position) -> Option<Self> {
        let sides = Sides::of(pos);
        if sides.can_jump() {
            return None;
        }
        let opp_row = Position::promotion_row(pos.turn().opponent()).0;
        Some(Self {
            sides,
            opp_kings: pos.all_kings().0 & sides.opp,
            opp_row,
        })
    }

    /// Returns the position as the opponent sees it after a quiet move, given as its first and last square.
    #[inline]
    fn replier(&self, mv: u64) -> Sides {
        let Sides {
            men,
            kings,
            opp,
            empty,
            ..
        } = self.sides;
        Sides {
            men: opp ^ self.opp_kings,
            kings: self.opp_kings,
            opp: (men | kings) ^ mv,
            empty: empty ^ mv,
            row: self.opp_row,
        }
    }

    /// Counts the replies to all quiet moves. The mover's men go in the directions `F` and `G`, the opponent's in `B` = -`F`
    /// and `C` = -`G`.
    #[inline]
    fn count<M: Movement, const F: i8, const G: i8, const B: i8, const C: i8>(&self) -> u64 {
        let Sides {
            men, kings, empty, ..
        } = self.sides;
        if self.opp_kings == 0 && ManJumps::of(&self.replier(0)).all() == 0 {
            return self.count_by_sets::<M, F, G, B, C>();
        }
        let singly =
            |targets, mv: &dyn Fn(u64) -> u64| self.count_singly(targets, mv, count::<M, B, C>);
        let mut sum = singly(step::<F>(men) & empty, &|to| step_back::<F>(to) | to)
            + singly(step::<G>(men) & empty, &|to| step_back::<G>(to) | to);
        for king in Bitboard(kings).squares() {
            sum += singly(king_reach(king, empty), &|to| 1 << king.bit() | to);
        }
        sum
    }

    /// Counts the replies where the opponent has no kings, and would have no capture if it were to move.
    #[inline]
    fn count_by_sets<M: Movement, const F: i8, const G: i8, const B: i8, const C: i8>(
        &self,
    ) -> u64 {
        let Sides {
            men,
            kings,
            opp,
            empty,
            ..
        } = self.sides;
        let own = men | kings;
        let entries = [step::<B>(opp), step::<C>(opp)];
        let replies = Replies {
            before: total(entries[0] & empty, entries[1] & empty),
            entries,
        };
        // Leaving these squares gives the opponent one to land on.
        let guards = exposed::<F>(own, opp)
            | exposed::<G>(own, opp)
            | exposed::<B>(own, opp)
            | exposed::<C>(own, opp);
        let mut sum = 0;
        if men != 0 {
            let across = attacked::<G>(opp, empty) | attacked::<C>(opp, empty);
            sum += self.men_steps::<M, F, B, C>(&replies, guards, across);
            let across = attacked::<F>(opp, empty) | attacked::<B>(opp, empty);
            sum += self.men_steps::<M, G, B, C>(&replies, guards, across);
        }
        for king in Bitboard(kings).squares() {
            let from = 1 << king.bit();
            let targets = king_reach(king, empty);
            let open = empty | from;
            let risky = if from & guards == 0 {
                attacked::<F>(opp, open)
                    | attacked::<G>(opp, open)
                    | attacked::<B>(opp, open)
                    | attacked::<C>(opp, open)
            } else {
                targets
            };
            let safe = targets & !risky;
            let count = u64::from(safe.count_ones());
            sum += count * (replies.before + replies.leading_to(from)) - replies.leading_to(safe);
            sum += self.count_singly(targets & risky, |to| from | to, count_men::<M, B, C>);
        }
        sum
    }

    /// Sums the replies to the steps of men in direction `D`. `across` are the squares on which a man can be captured across this
    /// direction; the opponent's men go in the directions `B` and `C`.
    #[inline]
    fn men_steps<M: Movement, const D: i8, const B: i8, const C: i8>(
        &self,
        replies: &Replies,
        guards: u64,
        across: u64,
    ) -> u64 {
        let Sides {
            men, opp, empty, ..
        } = self.sides;
        let targets = step::<D>(men) & empty;
        // An opponent straight ahead can land on the square that was left.
        let risky = step_back::<D>(opp) | across | step::<D>(guards);
        let safe = targets & !risky;
        let count = u64::from(safe.count_ones());
        let sum = count * replies.before + replies.leading_to(step_back::<D>(safe))
            - replies.leading_to(safe);
        sum + self.count_singly(
            targets & risky,
            |to| step_back::<D>(to) | to,
            count_men::<M, B, C>,
        )
    }

    /// Sums the replies to the moves that end on `targets`, playing one after the other: `mv` gives the first and last square of a
    /// move from its last, `count` the legal moves of the opponent.
    #[inline]
    fn count_singly(
        &self,
        mut targets: u64,
        mv: impl Fn(u64) -> u64,
        count: impl Fn(&Sides) -> u64,
    ) -> u64 {
        let mut sum = 0;
        while targets != 0 {
            let to = targets & targets.wrapping_neg();
            targets ^= to;
            sum += count(&self.replier(mv(to)));
        }
        sum
    }
}

/// The steps of the opponent's men.
struct Replies {
    /// How many there are before the move.
    before: u64,
    /// Where they lead to, empty or not, by direction.
    entries: [u64; 2],
}

impl Replies {
    /// Counts the steps that lead to a set of squares.
    #[inline]
    fn leading_to(&self, squares: u64) -> u64 {
        total(self.entries[0] & squares, self.entries[1] & squares)
    }
}

/// Returns the squares on which a piece can be captured by a man that stands next to it in direction `D`, landing on one of
/// `open`.
#[inline]
fn attacked<const D: i8>(opp: u64, open: u64) -> u64 {
    step_back::<D>(opp) & step::<D>(open)
}

/// Returns the squares behind own pieces that have an opponent before them in direction `D`.
#[inline]
fn exposed<const D: i8>(own: u64, opp: u64) -> u64 {
    step_back::<D>(step_back::<D>(opp) & own)
}
