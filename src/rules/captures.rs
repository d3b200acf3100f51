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
//!
//! What happens with the ends is up to a [`Sink`]: they are listed, or only counted.

use super::Movement;
use super::directions::{
    NORTH_EAST, NORTH_WEST, SOUTH_EAST, SOUTH_WEST, Twin, fill, halves, king_jumps, man_jumps,
    step, step_back, twice,
};
use crate::board::{Bitboard, Move, MoveList, Position, Square};
use std::marker::PhantomData;

/// Captures shorter than this cannot be reached by two routes.
///
/// Two routes with the same two victims: in the same order they share each line, so the recursion has merged
/// them; in the other order both victims lie on diagonals through the start square, and the second one of
/// the first route then lies on no other such diagonal.
const SHORTEST_WITH_TWO_ROUTES: u32 = 3;

/// The pieces of a position as the side to move sees them.
#[derive(Clone, Copy)]
pub(super) struct Sides {
    pub(super) men: u64,
    pub(super) kings: u64,
    pub(super) opp: u64,
    pub(super) empty: u64,
    /// The mover's promotion row.
    pub(super) row: u64,
}

impl Sides {
    /// Takes a position apart.
    #[inline]
    pub(super) fn of(pos: &Position) -> Self {
        let own = pos.own().0;
        let kings = own & pos.all_kings().0;
        Self {
            men: own & !kings,
            kings,
            opp: pos.opp().0,
            empty: pos.empty().0,
            row: Position::promotion_row(pos.turn()).0,
        }
    }

    /// Returns the landing squares of the men that can jump in one direction.
    #[inline]
    fn man_jumps<const D: i8>(&self) -> u64 {
        man_jumps::<D>(self.men, self.opp, self.empty)
    }

    /// Says whether a man or a king can jump.
    #[inline]
    pub(super) fn can_jump(&self) -> bool {
        if self.kings == 0 {
            let jumps = self.man_jumps::<NORTH_EAST>()
                | self.man_jumps::<NORTH_WEST>()
                | self.man_jumps::<SOUTH_EAST>()
                | self.man_jumps::<SOUTH_WEST>();
            return jumps != 0;
        }
        let right = Twin::<NORTH_EAST>::of(self.opp, self.empty);
        let left = Twin::<NORTH_WEST>::of(self.opp, self.empty);
        let (men, kings) = (twice(self.men), twice(self.kings));
        // Men and kings capture a neighbour in the same way.
        right.jumps(right.fill(kings) | men) | left.jumps(left.fill(kings) | men) != 0
    }
}

/// Appends every capture of the side to move.
pub(super) fn generate<M: Movement>(sides: &Sides, moves: &mut MoveList) {
    find::<M, Listing>(
        sides,
        Listing {
            moves,
            seen: Seen::default(),
        },
    );
}

/// Counts the captures of the side to move.
pub(super) fn count<M: Movement>(sides: &Sides) -> u64 {
    let mut moves = MoveList::new();
    let counting = Counting {
        short: 0,
        long: Listing {
            moves: &mut moves,
            seen: Seen::default(),
        },
    };
    let counting = find::<M, Counting>(sides, counting);
    counting.short + counting.long.moves.len() as u64
}

/// Finds every capture.
#[inline]
fn find<M: Movement, S: Sink>(sides: &Sides, sink: S) -> S {
    let mut search = CaptureSearch::<M, S> {
        sink,
        most: 0,
        from: 0,
        targets: sides.opp,
        empty: sides.empty,
        row: sides.row,
        promotes: false,
        rules: PhantomData,
    };
    search.men::<NORTH_EAST>(sides);
    search.men::<NORTH_WEST>(sides);
    search.men::<SOUTH_EAST>(sides);
    search.men::<SOUTH_WEST>(sides);
    if sides.kings != 0 {
        let right = Twin::<NORTH_EAST>::of(sides.opp, sides.empty);
        let left = Twin::<NORTH_WEST>::of(sides.opp, sides.empty);
        let kings = twice(sides.kings);
        let (ne, se) = halves(right.jumps(right.fill(kings)));
        let (nw, sw) = halves(left.jumps(left.fill(kings)));
        search.kings::<NORTH_EAST>(sides, ne);
        search.kings::<NORTH_WEST>(sides, nw);
        search.kings::<SOUTH_EAST>(sides, se);
        search.kings::<SOUTH_WEST>(sides, sw);
    }
    search.sink
}

/// The last squares of captures that take the same pieces.
struct Ends {
    from: u64,
    landings: u64,
    captured: u64,
    /// The number of pieces captured.
    count: u32,
    promotes: bool,
}

/// What the captures that are found are handed to.
trait Sink {
    /// Receives completed captures.
    fn take(&mut self, ends: &Ends);
    /// Forgets the captures received so far, because a longer one was found.
    fn clear(&mut self);
}

/// Lists captures.
struct Listing<'a> {
    moves: &'a mut MoveList,
    seen: Seen,
}

/// Counts captures. Only those that two routes may lead to are listed.
struct Counting<'a> {
    short: u64,
    long: Listing<'a>,
}

impl Sink for Listing<'_> {
    #[inline]
    fn take(&mut self, ends: &Ends) {
        for to in Bitboard(ends.landings).squares() {
            let mv = Move {
                captured: Bitboard(ends.captured),
                from: Square::lowest_of(Bitboard(ends.from)),
                to,
                promotes: ends.promotes,
            };
            let may_be_known = ends.count >= SHORTEST_WITH_TWO_ROUTES && self.seen.add(mv);
            if !may_be_known || !self.moves.contains(&mv) {
                // A full list is cut short, see `MAX_MOVES`.
                let _ = self.moves.try_push(mv);
            }
        }
    }

    fn clear(&mut self) {
        self.moves.clear();
        self.seen = Seen::default();
    }
}

impl Sink for Counting<'_> {
    #[inline]
    fn take(&mut self, ends: &Ends) {
        if ends.count < SHORTEST_WITH_TWO_ROUTES {
            self.short += u64::from(ends.landings.count_ones());
        } else {
            self.long.take(ends);
        }
    }

    fn clear(&mut self) {
        self.short = 0;
        self.long.clear();
    }
}

/// A Bloom filter of the longer captures listed so far: each sets one of 256 bits, which few share.
#[derive(Default)]
struct Seen([u64; 4]);

impl Seen {
    /// Adds a move and says whether its bit was there already.
    #[inline]
    fn add(&mut self, mv: Move) -> bool {
        let ends =
            (mv.from.bit() as u64) << 1 ^ (mv.to.bit() as u64) << 7 ^ u64::from(mv.promotes) << 13;
        let mixed = (mv.captured.0 ^ ends).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let (word, bit) = ((mixed >> 62) as usize, mixed >> 56 & 63);
        let was_set = self.0[word] >> bit & 1 == 1;
        self.0[word] |= 1 << bit;
        was_set
    }
}

/// Jumps in each direction but the one that leads back to the last victim, and says whether there was a jump.
macro_rules! jumps_on {
    ($search:ident.$jump:ident after $last:ident, $($argument:expr),+) => {
        match $last {
            NORTH_EAST => jumps_on!($search.$jump, NORTH_EAST, NORTH_WEST, SOUTH_EAST, ($($argument),+)),
            NORTH_WEST => jumps_on!($search.$jump, NORTH_WEST, NORTH_EAST, SOUTH_WEST, ($($argument),+)),
            SOUTH_EAST => jumps_on!($search.$jump, SOUTH_EAST, SOUTH_WEST, NORTH_EAST, ($($argument),+)),
            _ => jumps_on!($search.$jump, SOUTH_WEST, SOUTH_EAST, NORTH_WEST, ($($argument),+)),
        }
    };
    ($search:ident.$jump:ident, $ahead:ident, $left:ident, $right:ident, $arguments:tt) => {
        $search.$jump::<$ahead> $arguments | $search.$jump::<$left> $arguments | $search.$jump::<$right> $arguments
    };
}

/// The captures of one side while they are being found.
struct CaptureSearch<M, S> {
    sink: S,
    /// The longest capture so far; used under the law of the majority.
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

impl<M: Movement, S: Sink> CaptureSearch<M, S> {
    /// Follows the captures of all men that begin in one direction.
    #[inline]
    fn men<const D: i8>(&mut self, sides: &Sides) {
        let mut landings = sides.man_jumps::<D>();
        while landings != 0 {
            let landing = landings & landings.wrapping_neg();
            landings ^= landing;
            let victim = step_back::<D>(landing);
            self.from = step_back::<D>(victim);
            self.empty = sides.empty | self.from;
            self.man_lands::<D>(landing, victim, 1);
        }
    }

    /// Follows the captures of all kings that begin in one direction, given the squares just behind their victims.
    #[inline]
    fn kings<const D: i8>(&mut self, sides: &Sides, mut behind: u64) {
        while behind != 0 {
            let first = behind & behind.wrapping_neg();
            behind ^= first;
            let victim = step_back::<D>(first);
            self.from = nearest_behind::<D>(victim, sides.empty);
            self.empty = sides.empty | self.from;
            self.land::<D>(fill::<D>(first, self.empty), victim, 1);
        }
    }

    /// Continues, or ends, the capture of a man that has landed after a jump in direction `D`.
    fn man_lands<const D: i8>(&mut self, at: u64, captured: u64, count: u32) {
        if at & self.row != 0 && M::PROMOTES_MID_CAPTURE {
            self.promotes = true;
            self.land::<D>(at, captured, count);
            self.promotes = false;
            return;
        }
        let went_on = jumps_on!(self.man_jump after D, at, captured, count);
        if !went_on {
            self.promotes = at & self.row != 0;
            self.end(at, captured, count);
            self.promotes = false;
        }
    }

    /// Jumps with a man in one direction, if it can, and says whether it could.
    #[inline]
    fn man_jump<const D: i8>(&mut self, at: u64, captured: u64, count: u32) -> bool {
        let landing = man_jumps::<D>(at, self.targets & !captured, self.empty);
        if landing == 0 {
            return false;
        }
        self.man_lands::<D>(landing, captured | step::<D>(at), count + 1);
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
            let landings = fill::<D>(first, self.empty);
            self.land::<D>(landings, captured | step_back::<D>(first), count + 1);
        }
        went_on
    }

    /// Continues, or ends, the capture of a king that may land on any one of `landings` after a jump in
    /// direction `D`. Back is where the last victim stands.
    fn land<const D: i8>(&mut self, landings: u64, captured: u64, count: u32) {
        let went_on = jumps_on!(self.king after D, landings, captured, count);
        if !went_on {
            self.end(landings, captured, count);
        }
    }

    /// Hands on completed captures.
    #[inline]
    fn end(&mut self, landings: u64, captured: u64, count: u32) {
        if M::MAJORITY_CAPTURE {
            if count < self.most {
                return;
            }
            if count > self.most {
                self.most = count;
                self.sink.clear();
            }
        }
        let promotes = self.promotes;
        self.sink.take(&Ends {
            from: self.from,
            landings,
            captured,
            count,
            promotes,
        });
    }
}

/// Returns the first piece that is met when going from a square against direction `D`.
#[inline]
fn nearest_behind<const D: i8>(square: u64, empty: u64) -> u64 {
    let mut at = step_back::<D>(square);
    while at & empty != 0 {
        at = step_back::<D>(at);
    }
    at
}
