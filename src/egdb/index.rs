//! The number of a position within its slice, and back.
//!
//! A slice is counted men first. The mover's men stand on the first row (4 squares) or on the six rows behind it (24);
//! those on the first row are in nobody's way, since the opponent's men cannot stand there. So positions are counted by the number
//! of men on the first row; then the sets of squares of the mover's men on the first row, of its other men, and of the opponent's
//! men (on the 28 squares of rows 2 to 8 that are left) are independent, and so are those of the kings on what is left then. Every
//! number belongs to exactly one position: nothing is wasted and nothing is divided.
//!
//! A set of squares is numbered among the sets of its size by the combinatorial number system: the sum of `C(s_i, i)` over its
//! squares in ascending order (Ernesto Pascal 1887; Donald Knuth, The Art of Computer Programming 4A, 7.2.1.3). Squares count from
//! a1 up, without those that are taken, which needs one count of bits a piece. Positions with the same men, a
//! [`Formation`], have numbers in one run.

use super::MAX_PIECES;
use super::slice::{Slice, View};
use crate::board::{Bitboard, Position};

/// Sets have at most 32 squares and as many pieces as a table: these are one more, for tables by number from 0.
const SQUARES: usize = 33;
pub(super) const SIZES: usize = MAX_PIECES as usize + 1;

/// `BINOMIAL[k][n]`: the number of sets of `k` out of `n` squares.
pub(super) static BINOMIAL: [[u32; SQUARES]; SIZES] = binomial();

const fn binomial() -> [[u32; SQUARES]; SIZES] {
    let mut table = [[0; SQUARES]; SIZES];
    let mut n = 0;
    while n < SQUARES {
        table[0][n] = 1;
        let mut k = 1;
        while k < SIZES && n > 0 {
            table[k][n] = table[k - 1][n - 1] + table[k][n - 1];
            k += 1;
        }
        n += 1;
    }
    table
}

/// Returns the number of sets of `k` out of `n` squares.
pub(super) const fn choose(n: u32, k: u32) -> u64 {
    BINOMIAL[k as usize][n as usize] as u64
}

/// The first row.
const FIRST_ROW: u64 = 0xFF;
/// The bits of a row.
const ROW: u32 = 8;
/// The dark squares of a row.
const IN_ROW: u32 = 4;
/// The dark squares of the rows between the first and the last.
const BETWEEN: u32 = 24;
/// The dark squares of all rows but one: where the men of a side may stand.
const BUT_LAST: u32 = 28;
/// Squares on which a man may stand, as its side sees the board.
pub(super) const FOR_MEN: u64 = Bitboard::DARK.0 & (u64::MAX >> ROW);

/// Returns the number of a set of dark squares among the sets of its size. Squares in `taken` are not counted.
#[inline]
fn rank(mut set: u64, taken: u64) -> u64 {
    let mut sum = 0;
    let mut size = 1;
    while set != 0 {
        let lowest = set & set.wrapping_neg();
        set ^= lowest;
        let before = (taken & (lowest - 1)).count_ones();
        let place = (lowest.trailing_zeros() >> 1) - before;
        sum += BINOMIAL[size][place as usize];
        size += 1;
    }
    u64::from(sum)
}

/// Returns the set of a number, as places 0 to 31.
fn unrank(mut number: u64, size: u32) -> u32 {
    let mut set = 0;
    for size in (1..=size).rev() {
        let row = &BINOMIAL[size as usize];
        let place = row.partition_point(|&below| u64::from(below) <= number) - 1;
        number -= u64::from(row[place]);
        set |= 1 << place;
    }
    set
}

/// Returns the squares of some places among the free ones.
fn deposit(places: u32, free: &[u64]) -> u64 {
    let mut set = 0;
    let mut places = places;
    while places != 0 {
        set |= free[places.trailing_zeros() as usize];
        places &= places - 1;
    }
    set
}

/// Lists single squares of a set, ascending.
fn singles(mut set: u64) -> Vec<u64> {
    let mut squares = Vec::with_capacity(32);
    while set != 0 {
        squares.push(set & set.wrapping_neg());
        set &= set - 1;
    }
    squares
}

/// The sets of a size out of `n` places in the order of their numbers.
#[derive(Clone)]
struct Sets {
    next: u64,
    end: u64,
}

impl Sets {
    fn of(size: u32, n: u32) -> Self {
        Self {
            next: (1 << size) - 1,
            end: 1 << n,
        }
    }
}

impl Iterator for Sets {
    type Item = u32;

    /// The next larger number with as many bits (Bill Gosper, HAKMEM 175, 1972).
    #[inline]
    fn next(&mut self) -> Option<u32> {
        let set = self.next;
        if set >= self.end {
            return None;
        }
        if set == 0 {
            self.next = self.end;
            return Some(0);
        }
        let lowest = set & set.wrapping_neg();
        let ripple = set + lowest;
        self.next = ripple | ((set ^ ripple) >> 2 >> lowest.trailing_zeros());
        Some(set as u32)
    }
}

/// How the positions of a slice are numbered.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// The slice.
    pub(super) slice: Slice,
    /// By the number of the mover's men on the first row.
    by_first_row: [FirstRow; 5],
    /// The number of formations.
    formations: u64,
    /// The number of sets of the mover's kings, given the men, and of the opponent's, given those.
    pub(super) kings: [u64; 2],
}

/// The formations with the same number of the mover's men on the first row.
#[derive(Clone, Copy, Debug, Default)]
struct FirstRow {
    /// How many formations have fewer there.
    before: u64,
    /// The number of sets of the mover's other men.
    between: u64,
    /// The number of sets of the opponent's men, given the mover's.
    opp_men: u64,
}

impl Layout {
    /// Returns how a slice is numbered.
    pub(super) fn of(slice: Slice) -> Self {
        let [a, b] = slice.men.map(u32::from);
        let [k, l] = slice.kings.map(u32::from);
        let mut by_first_row = [FirstRow::default(); 5];
        let mut before = 0;
        for (i, row) in (0..=a.min(IN_ROW)).zip(&mut by_first_row) {
            *row = FirstRow {
                before,
                between: choose(BETWEEN, a - i),
                opp_men: choose(BUT_LAST - (a - i), b),
            };
            before += choose(IN_ROW, i) * row.between * row.opp_men;
        }
        let free = 32 - a - b;
        Self {
            slice,
            by_first_row,
            formations: before,
            kings: [choose(free, k), choose(free - k, l)],
        }
    }

    /// Returns the number of positions.
    pub(super) fn positions(&self) -> u64 {
        self.formations * self.run()
    }

    /// Returns the number of positions of a formation.
    #[inline]
    pub(super) fn run(&self) -> u64 {
        self.kings[0] * self.kings[1]
    }

    /// Returns the number of a position.
    #[inline]
    pub(super) fn index(&self, view: &View) -> u64 {
        self.formation(view.men) * self.run() + self.king_index(view)
    }

    /// Returns the number of a formation.
    #[inline]
    pub(super) fn formation(&self, [own, opp]: [u64; 2]) -> u64 {
        let first = own & FIRST_ROW;
        let row = &self.by_first_row[first.count_ones() as usize];
        // Between the first row and the last the squares count from the second row on.
        let between = own >> ROW;
        let own_number = rank(first, 0) * row.between + rank(between, 0);
        row.before + own_number * row.opp_men + rank(opp >> ROW, between)
    }

    /// Returns the number of a position within its formation.
    #[inline]
    pub(super) fn king_index(&self, view: &View) -> u64 {
        let men = view.men[0] | view.men[1];
        let own = rank(view.kings[0], men);
        own * self.kings[1] + rank(view.kings[1], men | view.kings[0])
    }

    /// Returns the position of a number. Slow: it divides.
    pub(super) fn view(&self, index: u64) -> View {
        let [a, b] = self.slice.men.map(u32::from);
        let [k, l] = self.slice.kings.map(u32::from);
        let (formation, rest) = (index / self.run(), index % self.run());
        let on_row = self.by_first_row[..=a.min(IN_ROW) as usize]
            .partition_point(|row| row.before <= formation)
            - 1;
        let row = &self.by_first_row[on_row];
        let rest_of_men = formation - row.before;
        let (own, opp) = (rest_of_men / row.opp_men, rest_of_men % row.opp_men);
        let on_first = unrank(own / row.between, on_row as u32);
        let between = unrank(own % row.between, a - on_row as u32);
        let first_row = singles(FIRST_ROW & Bitboard::DARK.0);
        let behind = singles(FOR_MEN & !FIRST_ROW);
        let own_behind = deposit(between, &behind);
        let for_opp = singles(Bitboard::DARK.0 & !FIRST_ROW & !own_behind);
        let men = [
            deposit(on_first, &first_row) | own_behind,
            deposit(unrank(opp, b), &for_opp),
        ];
        let free = Bitboard::DARK.0 & !(men[0] | men[1]);
        let own_kings = deposit(unrank(rest / self.kings[1], k), &singles(free));
        let opp_kings = deposit(unrank(rest % self.kings[1], l), &singles(free & !own_kings));
        View {
            men,
            kings: [own_kings, opp_kings],
        }
    }

    /// Returns every formation in the order of the numbers.
    pub(super) fn formations(&self) -> Vec<Formation> {
        let [a, b] = self.slice.men.map(u32::from);
        let first_row = singles(FIRST_ROW & Bitboard::DARK.0);
        let behind = singles(FOR_MEN & !FIRST_ROW);
        let mut all = Vec::with_capacity(self.formations as usize);
        for i in 0..=a.min(IN_ROW) {
            for on_first in Sets::of(i, IN_ROW) {
                for between in Sets::of(a - i, BETWEEN) {
                    let own_behind = deposit(between, &behind);
                    let own = deposit(on_first, &first_row) | own_behind;
                    let for_opp = singles(Bitboard::DARK.0 & !FIRST_ROW & !own_behind);
                    for opp in Sets::of(b, for_opp.len() as u32) {
                        all.push(Formation {
                            men: [own, deposit(opp, &for_opp)],
                        });
                    }
                }
            }
        }
        debug_assert_eq!(all.len() as u64, self.formations);
        all
    }
}

/// Where the men stand, from the mover's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Formation {
    /// Men of the mover and of its opponent.
    pub(super) men: [u64; 2],
}

impl Formation {
    /// Returns the formation as the opponent sees it.
    pub(super) fn flipped(self) -> Self {
        Self {
            men: [self.men[1].reverse_bits(), self.men[0].reverse_bits()],
        }
    }

    /// Returns the squares without a man.
    pub(super) fn free(self) -> u64 {
        Bitboard::DARK.0 & !(self.men[0] | self.men[1])
    }

    /// Returns how far the men of both sides have come, in rows. A step of a man adds one.
    pub(super) fn advance(self) -> u32 {
        let rows = |mut men: u64| {
            let mut sum = 0;
            while men != 0 {
                sum += men.trailing_zeros() / ROW;
                men &= men - 1;
            }
            sum
        };
        rows(self.men[0]) + rows(self.men[1].reverse_bits())
    }

    /// Calls a function with the kings of the mover and of its opponent of every position, in the order of the numbers.
    #[inline]
    pub(super) fn for_each_kings(self, slice: Slice, mut call: impl FnMut([u64; 2])) {
        let [k, l] = slice.kings.map(u32::from);
        let free = self.free();
        let squares = singles(free);
        let mut left = [0; 32];
        for own in Sets::of(k, squares.len() as u32) {
            let own_kings = deposit(own, &squares);
            let mut count = 0;
            for &square in &squares {
                if square & own_kings == 0 {
                    left[count] = square;
                    count += 1;
                }
            }
            for opp in Sets::of(l, count as u32) {
                call([own_kings, deposit(opp, &left)]);
            }
        }
    }
}

impl Slice {
    /// Returns the number of positions, with the same side to move.
    pub fn positions(self) -> u64 {
        Layout::of(self).positions()
    }

    /// Returns the position of a number, White to move. Slow.
    ///
    /// # Panics
    ///
    /// If the number is not below [`Self::positions`].
    pub fn position(self, index: u64) -> Position {
        let layout = Layout::of(self);
        assert!(index < layout.positions(), "there is no such position");
        layout.view(index).position()
    }

    /// Returns the number of a position of this slice.
    ///
    /// # Panics
    ///
    /// If the position belongs to another slice.
    pub fn index_of(self, pos: &Position) -> u64 {
        assert_eq!(Self::of(pos), self, "another slice");
        Layout::of(self).index(&View::of(pos))
    }
}
