//! Counting moves without listing them, for one ply and for two.
//!
//! All pieces of a side are looked at together: a direction at a time, the sets of squares that they can step or jump to are
//! computed, and their squares counted. Rays of different kings in one direction never share a square, since each
//! blocks the other, and neither do jumps in one direction.
//!
//! Two plies: if no piece of the opponent can capture after a quiet move, the number of its replies is what it was
//! before, plus one for each man that can step to the square that was left, minus one for each that could step to the
//! square that is taken now. Sums of that over all quiet moves are again counts of squares of sets. Only the moves after which
//! the opponent can capture are played one by one. This holds while the opponent has no kings, whose rays would change.

use super::Movement;
use super::captures::{self, Sides};
use super::directions::{
    NORTH_EAST, NORTH_WEST, SOUTH_EAST, SOUTH_WEST, fill, man_jumps, step, step_back,
};
use super::quiets::king_reach;
use crate::board::{Bitboard, Move, Position, Side, Square};

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
///
/// Turned upside down the dark squares become the light ones, so one population count serves both.
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
    let ne = Rays::<NORTH_EAST>::of(sides);
    let nw = Rays::<NORTH_WEST>::of(sides);
    let se = Rays::<SOUTH_EAST>::of(sides);
    let sw = Rays::<SOUTH_WEST>::of(sides);
    let jumps = ne.man_jumps | nw.man_jumps | se.man_jumps | sw.man_jumps;
    let king_jumps = ne.king_jumps | nw.king_jumps | se.king_jumps | sw.king_jumps;
    if jumps | king_jumps == 0 {
        let by_men = total(step::<F>(men) & empty, step::<G>(men) & empty);
        if kings == 0 {
            return by_men;
        }
        return by_men
            + total(ne.reach ^ kings, nw.reach ^ kings)
            + total(se.reach ^ kings, sw.reach ^ kings);
    }
    // The mover's start square is empty during its capture, so a second jump that needs an own square is taken as possible.
    let single = SingleJumps {
        opp,
        empty,
        open: empty | men | kings,
    };
    let goes_on = single.man_goes_on(&ne, &nw, &se, &sw)
        | single.king_goes_on(&ne, &nw, &se, &sw)
        | if M::PROMOTES_MID_CAPTURE {
            jumps & sides.row
        } else {
            0
        };
    if goes_on != 0 {
        return captures::count::<M>(sides);
    }
    let by_men = total(ne.man_jumps, nw.man_jumps) + total(se.man_jumps, sw.man_jumps);
    if king_jumps == 0 {
        return by_men;
    }
    by_men
        + total(ne.landings(empty), nw.landings(empty))
        + total(se.landings(empty), sw.landings(empty))
}

/// What a side can do in one direction.
struct Rays<const D: i8> {
    /// Where kings stand or can go.
    reach: u64,
    /// The squares just behind pieces that kings can capture.
    king_jumps: u64,
    /// Where men land that can capture.
    man_jumps: u64,
}

impl<const D: i8> Rays<D> {
    #[inline]
    fn of(sides: &Sides) -> Self {
        let reach = if sides.kings == 0 {
            0
        } else {
            fill::<D>(sides.kings, sides.empty)
        };
        // Men and kings capture a neighbour in the same way.
        let jumps = |stands| step::<D>(step::<D>(stands) & sides.opp) & sides.empty;
        Self {
            reach,
            king_jumps: jumps(reach),
            man_jumps: jumps(sides.men),
        }
    }

    /// Returns the squares on which kings may land.
    #[inline]
    fn landings(&self, empty: u64) -> u64 {
        fill::<D>(self.king_jumps, empty)
    }
}

/// Finds second jumps.
struct SingleJumps {
    opp: u64,
    empty: u64,
    /// The empty squares and all own ones.
    open: u64,
}

impl SingleJumps {
    /// Returns squares behind pieces that a man may be able to take by a second jump: straight on or across.
    #[inline]
    fn man_goes_on(
        &self,
        ne: &Rays<NORTH_EAST>,
        nw: &Rays<NORTH_WEST>,
        se: &Rays<SOUTH_EAST>,
        sw: &Rays<SOUTH_WEST>,
    ) -> u64 {
        let (ne, nw, se, sw) = (ne.man_jumps, nw.man_jumps, se.man_jumps, sw.man_jumps);
        man_jumps::<NORTH_EAST>(ne | nw | se, self.opp, self.open)
            | man_jumps::<NORTH_WEST>(nw | ne | sw, self.opp, self.open)
            | man_jumps::<SOUTH_EAST>(se | sw | ne, self.opp, self.open)
            | man_jumps::<SOUTH_WEST>(sw | se | nw, self.opp, self.open)
    }

    /// The same for kings.
    #[inline]
    fn king_goes_on(
        &self,
        ne: &Rays<NORTH_EAST>,
        nw: &Rays<NORTH_WEST>,
        se: &Rays<SOUTH_EAST>,
        sw: &Rays<SOUTH_WEST>,
    ) -> u64 {
        if ne.king_jumps | nw.king_jumps | se.king_jumps | sw.king_jumps == 0 {
            return 0;
        }
        let (ne, nw) = (ne.landings(self.empty), nw.landings(self.empty));
        let (se, sw) = (se.landings(self.empty), sw.landings(self.empty));
        self.king_jumps::<NORTH_EAST>(ne | nw | se)
            | self.king_jumps::<NORTH_WEST>(nw | ne | sw)
            | self.king_jumps::<SOUTH_EAST>(se | sw | ne)
            | self.king_jumps::<SOUTH_WEST>(sw | se | nw)
    }

    #[inline]
    fn king_jumps<const D: i8>(&self, stands: u64) -> u64 {
        let reach = fill::<D>(stands, self.open);
        step::<D>(step::<D>(reach) & self.opp) & self.open
    }
}

/// Counts the replies to all moves, if the side to move has no capture and the opponent neither kings nor a capture if it
/// were to move; otherwise `None`.
#[inline]
pub(super) fn two_plies<M: Movement>(pos: &Position) -> Option<u64> {
    match pos.turn() {
        Side::White => {
            QuietPair::of(pos)?.count::<M, NORTH_WEST, NORTH_EAST, SOUTH_EAST, SOUTH_WEST>()
        }
        Side::Black => {
            QuietPair::of(pos)?.count::<M, SOUTH_EAST, SOUTH_WEST, NORTH_WEST, NORTH_EAST>()
        }
    }
}

/// A position in which neither side can capture and the opponent has only men.
struct QuietPair<'a> {
    pos: &'a Position,
    sides: Sides,
}

impl<'a> QuietPair<'a> {
    #[inline]
    fn of(pos: &'a Position) -> Option<Self> {
        let sides = Sides::of(pos);
        if pos.all_kings().0 & sides.opp != 0 || sides.can_jump() {
            return None;
        }
        let own = sides.men | sides.kings;
        let threats = man_jumps::<NORTH_EAST>(sides.opp, own, sides.empty)
            | man_jumps::<NORTH_WEST>(sides.opp, own, sides.empty)
            | man_jumps::<SOUTH_EAST>(sides.opp, own, sides.empty)
            | man_jumps::<SOUTH_WEST>(sides.opp, own, sides.empty);
        if threats == 0 {
            Some(Self { pos, sides })
        } else {
            None
        }
    }

    /// Counts the replies to all quiet moves. The mover's men go in the directions `F` and `G`, the opponent's in `B` = -`F`
    /// and `C` = -`G`.
    #[inline]
    fn count<M: Movement, const F: i8, const G: i8, const B: i8, const C: i8>(
        &self,
    ) -> Option<u64> {
        let Sides {
            men,
            kings,
            opp,
            empty,
            ..
        } = self.sides;
        let own = men | kings;
        let replies = Replies {
            before: total(step::<B>(opp) & empty, step::<C>(opp) & empty),
            entries: [step::<B>(opp), step::<C>(opp)],
        };
        // Leaving these squares gives the opponent one to land on.
        let guards = exposed::<F>(own, opp)
            | exposed::<G>(own, opp)
            | exposed::<B>(own, opp)
            | exposed::<C>(own, opp);
        let mut sum = self.men_steps::<M, F, G, C>(&replies, guards)
            + self.men_steps::<M, G, F, B>(&replies, guards);
        for king in Bitboard(kings).squares() {
            let from = 1 << king.bit();
            let targets = king_reach(king, empty);
            let open = empty | from;
            let mut risky = attacked::<F>(opp, open)
                | attacked::<G>(opp, open)
                | attacked::<B>(opp, open)
                | attacked::<C>(opp, open);
            if from & guards != 0 {
                risky = !0;
            }
            let safe = targets & !risky;
            let count = u64::from(safe.count_ones());
            sum += count * (replies.before + replies.leading_to(from)) - replies.leading_to(safe);
            for to in Bitboard(targets & risky).squares() {
                sum += self.play_and_count::<M>(king, to);
            }
        }
        Some(sum)
    }

    /// Sums the replies to the steps of men in direction `D`; `P` and `Q` are the directions across.
    #[inline]
    fn men_steps<M: Movement, const D: i8, const P: i8, const Q: i8>(
        &self,
        replies: &Replies,
        guards: u64,
    ) -> u64 {
        let Sides {
            men, opp, empty, ..
        } = self.sides;
        let targets = step::<D>(men) & empty;
        // An opponent straight ahead can land on the square that was left.
        let risky = step_back::<D>(opp)
            | attacked::<P>(opp, empty)
            | attacked::<Q>(opp, empty)
            | step::<D>(guards);
        let safe = targets & !risky;
        let count = u64::from(safe.count_ones());
        let mut sum = count * replies.before + replies.leading_to(step_back::<D>(safe))
            - replies.leading_to(safe);
        for to in Bitboard(targets & risky).squares() {
            let from = Square::lowest_of(Bitboard(step_back::<D>(1 << to.bit())));
            sum += self.play_and_count::<M>(from, to);
        }
        sum
    }

    fn play_and_count<M: Movement>(&self, from: Square, to: Square) -> u64 {
        let promotes = !self.pos.is_king_at(from) && self.sides.row >> to.bit() & 1 == 1;
        moves::<M>(&self.pos.play(Move {
            captured: Bitboard::EMPTY,
            from,
            to,
            promotes,
        }))
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
