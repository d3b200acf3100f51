//! Captures: the sequences of jumps, found by recursion, merged into unique moves.
//!
//! The recursion walks over *sets* of landing squares. After a jump the king may stand on any square
//! of a contiguous set behind the victim; the next victim straight on is the same from all of
//! them, and victims across lie on parallel diagonals, so each is met once. If the set as a whole can
//! go on anywhere, the landing rule (choose a square from which a further jump is possible) forbids every end
//! in this set; if it cannot, every square of it is an end. Under the law of the majority an end before a
//! possible jump is never among the longest, so the same recursion serves.
//!
//! The start square counts as empty during the capture, captured pieces stand until its end.

use super::Movement;
use super::directions::{
    NORTH_EAST, NORTH_WEST, SOUTH_EAST, SOUTH_WEST, fill, king_jumps, man_jumps, step,
};
use crate::board::{Bitboard, Move, MoveList, Position, Square};
use std::marker::PhantomData;

/// Captures shorter than this cannot be reached by two routes.
///
/// Two routes with the same two victims: in the same order they share each line, so the recursion has merged
/// them; in the other order both victims lie on diagonals through the start square, and the second one of
/// the first route then lies on no other such diagonal.
const SHORTEST_WITH_TWO_ROUTES: u32 = 3;

/// Appends every capture of the side to move.
pub(super) fn generate<M: Movement>(pos: &Position, moves: &mut MoveList) {
    let (own, opp, empty) = (pos.own().0, pos.opp().0, pos.empty().0);
    let kings = own & pos.all_kings().0;
    let men = own & !kings;
    let row = Position::promotion_row(pos.turn()).0;
    let mut search = CaptureSearch::<M> {
        moves,
        seen: [0; 4],
        most: 0,
        from: 0,
        targets: opp,
        empty,
        row,
        promotes: false,
        rules: PhantomData,
    };
    let mut jumpers = men & men_that_jump(opp, empty);
    while jumpers != 0 {
        let from = jumpers & jumpers.wrapping_neg();
        jumpers ^= from;
        search.start(from, empty);
        search.man(from, 0, 0);
    }
    if kings == 0 || kings_that_jump(kings, opp, empty) == 0 {
        return;
    }
    let mut left = kings;
    while left != 0 {
        let from = left & left.wrapping_neg();
        left ^= from;
        search.start(from, empty);
        search.king::<NORTH_EAST>(from, 0, 0);
        search.king::<NORTH_WEST>(from, 0, 0);
        search.king::<SOUTH_EAST>(from, 0, 0);
        search.king::<SOUTH_WEST>(from, 0, 0);
    }
}

/// Returns the squares from which a man can jump: an opponent beside it and an empty square behind.
#[inline]
fn men_that_jump(opp: u64, empty: u64) -> u64 {
    man_jumps::<NORTH_EAST>(empty, opp, !0)
        | man_jumps::<NORTH_WEST>(empty, opp, !0)
        | man_jumps::<SOUTH_EAST>(empty, opp, !0)
        | man_jumps::<SOUTH_WEST>(empty, opp, !0)
}

/// Returns the squares just behind all pieces that some king can capture.
#[inline]
fn kings_that_jump(kings: u64, opp: u64, empty: u64) -> u64 {
    king_jumps::<NORTH_EAST>(kings, opp, empty)
        | king_jumps::<NORTH_WEST>(kings, opp, empty)
        | king_jumps::<SOUTH_EAST>(kings, opp, empty)
        | king_jumps::<SOUTH_WEST>(kings, opp, empty)
}

/// Says whether the side to move has a capture.
#[inline]
pub(super) fn any(pos: &Position) -> bool {
    let (own, opp, empty) = (pos.own().0, pos.opp().0, pos.empty().0);
    let kings = own & pos.all_kings().0;
    own & !kings & men_that_jump(opp, empty) != 0
        || kings != 0 && kings_that_jump(kings, opp, empty) != 0
}

/// Counts the captures of the side to move, 0 if there are none.
///
/// If no piece can jump twice, which is the usual case, the landing squares are counted set by set; otherwise the
/// moves are listed.
pub(super) fn count<M: Movement>(pos: &Position) -> u64 {
    let (own, opp, empty) = (pos.own().0, pos.opp().0, pos.empty().0);
    let kings = own & pos.all_kings().0;
    let row = Position::promotion_row(pos.turn()).0;
    let single = SingleJumps::<M> {
        opp,
        empty,
        open: empty | own,
        row,
        rules: PhantomData,
    };
    let men = own & !kings;
    let counted = single.count(men, kings);
    counted.unwrap_or_else(|| {
        let mut moves = MoveList::new();
        generate::<M>(pos, &mut moves);
        moves.len() as u64
    })
}

/// Counts captures of one jump by sets.
struct SingleJumps<M> {
    opp: u64,
    empty: u64,
    /// The empty squares and, since the mover's start square is empty during the capture, all own ones: a
    /// second jump that needs one of these is taken as possible.
    open: u64,
    row: u64,
    rules: PhantomData<M>,
}

impl<M: Movement> SingleJumps<M> {
    /// Returns the number of captures, or `None` if some piece may be able to jump twice.
    #[inline]
    fn count(&self, men: u64, kings: u64) -> Option<u64> {
        let mut ends = 0;
        ends += self.man_ends::<NORTH_EAST, NORTH_WEST, SOUTH_EAST>(men)?;
        ends += self.man_ends::<NORTH_WEST, NORTH_EAST, SOUTH_WEST>(men)?;
        ends += self.man_ends::<SOUTH_EAST, SOUTH_WEST, NORTH_EAST>(men)?;
        ends += self.man_ends::<SOUTH_WEST, SOUTH_EAST, NORTH_WEST>(men)?;
        if kings != 0 {
            ends += self.king_ends::<NORTH_EAST, NORTH_WEST, SOUTH_EAST>(kings)?;
            ends += self.king_ends::<NORTH_WEST, NORTH_EAST, SOUTH_WEST>(kings)?;
            ends += self.king_ends::<SOUTH_EAST, SOUTH_WEST, NORTH_EAST>(kings)?;
            ends += self.king_ends::<SOUTH_WEST, SOUTH_EAST, NORTH_WEST>(kings)?;
        }
        Some(ends)
    }

    /// Counts the jumps of men in direction `D`, unless one may go on (straight on, or to `P` or `Q` across).
    #[inline]
    fn man_ends<const D: i8, const P: i8, const Q: i8>(&self, men: u64) -> Option<u64> {
        let landings = man_jumps::<D>(men, self.opp, self.empty);
        if landings == 0 {
            return Some(0);
        }
        let further = man_jumps::<D>(landings, self.opp, self.open)
            | man_jumps::<P>(landings, self.opp, self.open)
            | man_jumps::<Q>(landings, self.opp, self.open);
        let as_king = if M::PROMOTES_MID_CAPTURE {
            landings & self.row
        } else {
            0
        };
        if further | as_king == 0 {
            Some(u64::from(landings.count_ones()))
        } else {
            None
        }
    }

    /// Counts the landing squares of kings that jump in direction `D`, unless one may go on.
    #[inline]
    fn king_ends<const D: i8, const P: i8, const Q: i8>(&self, kings: u64) -> Option<u64> {
        let behind = king_jumps::<D>(kings, self.opp, self.empty);
        if behind == 0 {
            return Some(0);
        }
        let landings = fill::<D>(behind, self.empty);
        let further = king_jumps::<D>(landings, self.opp, self.open)
            | king_jumps::<P>(landings, self.opp, self.open)
            | king_jumps::<Q>(landings, self.opp, self.open);
        if further == 0 {
            Some(u64::from(landings.count_ones()))
        } else {
            None
        }
    }
}

/// The captures of one side while they are being found.
struct CaptureSearch<'a, M> {
    moves: &'a mut MoveList,
    /// A 256-bit filter of the longer captures listed so far: a move whose bit is clear is new.
    seen: [u64; 4],
    /// The longest capture listed so far; used under the law of the majority.
    most: u32,
    /// The start square of the moving piece.
    from: u64,
    /// The opponent's pieces.
    targets: u64,
    /// The empty squares, the start square among them.
    empty: u64,
    /// The mover's promotion row.
    row: u64,
    /// Whether the moving man has been promoted on its way.
    promotes: bool,
    rules: PhantomData<M>,
}

impl<M: Movement> CaptureSearch<'_, M> {
    fn start(&mut self, from: u64, empty: u64) {
        self.from = from;
        self.empty = empty | from;
    }

    /// Continues the capture of a man that stands on `at`, having taken `count` pieces.
    fn man(&mut self, at: u64, captured: u64, count: u32) {
        let went_on = self.man_jump::<NORTH_EAST>(at, captured, count)
            | self.man_jump::<NORTH_WEST>(at, captured, count)
            | self.man_jump::<SOUTH_EAST>(at, captured, count)
            | self.man_jump::<SOUTH_WEST>(at, captured, count);
        if !went_on {
            self.promotes = at & self.row != 0;
            self.end(at, captured, count);
            self.promotes = false;
        }
    }

    /// Jumps with a man in one direction, if it can, and says whether it could.
    #[inline]
    fn man_jump<const D: i8>(&mut self, at: u64, captured: u64, count: u32) -> bool {
        let victim = step::<D>(at) & self.targets & !captured;
        let landing = step::<D>(victim) & self.empty;
        if landing == 0 {
            return false;
        }
        if M::PROMOTES_MID_CAPTURE && landing & self.row != 0 {
            self.promotes = true;
            self.land::<D>(landing, captured | victim, count + 1);
            self.promotes = false;
        } else {
            self.man(landing, captured | victim, count + 1);
        }
        true
    }

    /// Jumps in one direction with a king that stands on any one of `stands`, over each victim there is,
    /// and says whether there was one.
    #[inline]
    fn king<const D: i8>(&mut self, stands: u64, captured: u64, count: u32) -> bool {
        let mut behind = king_jumps::<D>(stands, self.targets & !captured, self.empty);
        let went_on = behind != 0;
        while behind != 0 {
            let first = behind & behind.wrapping_neg();
            behind ^= first;
            // The victim is one step back.
            let victim = if D > 0 { first >> D } else { first << -D };
            self.land::<D>(fill::<D>(first, self.empty), captured | victim, count + 1);
        }
        went_on
    }

    /// Continues, or ends, the capture of a king that may land on any one of `landings` after a jump in
    /// direction `D`. Back is where the last victim stands.
    fn land<const D: i8>(&mut self, landings: u64, captured: u64, count: u32) {
        let went_on = match D {
            NORTH_EAST => {
                self.king::<NORTH_EAST>(landings, captured, count)
                    | self.king::<NORTH_WEST>(landings, captured, count)
                    | self.king::<SOUTH_EAST>(landings, captured, count)
            }
            NORTH_WEST => {
                self.king::<NORTH_WEST>(landings, captured, count)
                    | self.king::<NORTH_EAST>(landings, captured, count)
                    | self.king::<SOUTH_WEST>(landings, captured, count)
            }
            SOUTH_EAST => {
                self.king::<SOUTH_EAST>(landings, captured, count)
                    | self.king::<SOUTH_WEST>(landings, captured, count)
                    | self.king::<NORTH_EAST>(landings, captured, count)
            }
            _ => {
                self.king::<SOUTH_WEST>(landings, captured, count)
                    | self.king::<SOUTH_EAST>(landings, captured, count)
                    | self.king::<NORTH_WEST>(landings, captured, count)
            }
        };
        if !went_on {
            self.end(landings, captured, count);
        }
    }

    /// Lists a completed capture for each possible last square.
    fn end(&mut self, landings: u64, captured: u64, count: u32) {
        if M::MAJORITY_CAPTURE {
            if count < self.most {
                return;
            }
            if count > self.most {
                self.most = count;
                self.moves.clear();
                self.seen = [0; 4];
            }
        }
        for to in Bitboard(landings).squares() {
            let mv = Move {
                captured: Bitboard(captured),
                from: Square::lowest_of(Bitboard(self.from)),
                to,
                promotes: self.promotes,
            };
            if count < SHORTEST_WITH_TWO_ROUTES || self.is_new(mv) {
                // A full list is cut short, see `MAX_MOVES`.
                let _ = self.moves.try_push(mv);
            }
        }
    }

    /// Says whether a move is not listed yet, and notes it.
    fn is_new(&mut self, mv: Move) -> bool {
        let mixed = (mv.captured.0
            ^ (mv.from.bit() as u64) << 1
            ^ (mv.to.bit() as u64) << 7
            ^ u64::from(mv.promotes) << 13)
            .wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let (word, bit) = ((mixed >> 62) as usize, mixed >> 56 & 63);
        let is_surely_new = self.seen[word] >> bit & 1 == 0;
        self.seen[word] |= 1 << bit;
        is_surely_new || !self.moves.contains(&mv)
    }
}
