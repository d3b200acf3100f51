//! The learned evaluation: a small neural network, in integers.
//!
//! Each side sees the board from its own end: 120 features (28 squares for own men, 28 for the opponent's, 32 each for kings) are 0 or 1, and
//! [`HIDDEN`] sums of weights over those that are 1 are what it sees. The sums of the side to move and of the other, clipped to 0..=255 and
//! squared, are weighed by one of [`BUCKETS`] rows, chosen by the number of pieces, which gives the score. Both sides use the same weights, so
//! exchange of colours changes nothing. (The shape is that of NNUE: Yu Nasu, "Efficiently updatable neural-network-based evaluation
//! functions for computer shogi", 2018. Squares tell more than the clipped sums themselves at no cost: `TRAINING.md` has the numbers.)
//!
//! A position that is evaluated differs from the one evaluated before by a few pieces, so the sums are not made anew: `Sums` adds and takes away
//! what has changed since. The sums are of integers, so the way to them makes no difference, here or on any other machine.

use super::weights::Reader;
use crate::board::{Bitboard, Position, Side, Square};
use crate::score::Score;
use arrayvec::ArrayVec;

/// Sums of each side.
pub const HIDDEN: usize = 128;
/// Rows of weights of the sums.
pub const BUCKETS: usize = 8;
/// Squares on which a man can stand: not those of its promotion row.
const MAN_SQUARES: usize = 28;
/// Squares on which a king can stand.
const KING_SQUARES: usize = 32;
/// What a side can see.
pub const FEATURES: usize = 2 * (MAN_SQUARES + KING_SQUARES);
/// Sums above this count as this, so that a square fits in 16 bits.
pub const CLIP: i16 = 255;
/// Squares are divided by two to this power.
pub const SQUARE_SHIFT: u32 = 8;
/// The square of [`CLIP`], divided.
const MOST_SAID: u64 = 254;
/// Weighed sums are hundredths of a man times two to this power.
pub const SCORE_SHIFT: u32 = 13;
/// The bytes of all weights.
pub(super) const BYTES: usize = 2 * HIDDEN * (1 + FEATURES) + BUCKETS * (4 + 2 * 2 * HIDDEN);
/// No more pieces can be on the board.
const MOST_PIECES: i32 = 24;

/// A sum for each hidden unit.
type Row = [i16; HIDDEN];

/// The weights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    /// What the sums begin with.
    pub biases: Row,
    /// What each feature adds.
    pub features: [Row; FEATURES],
    /// By bucket: what the score begins with.
    pub output_biases: [i32; BUCKETS],
    /// By bucket: how the sums of the side to move and of the other are weighed.
    pub outputs: [[Row; 2]; BUCKETS],
}

/// Returns the bucket of a number of pieces, at most 24.
#[inline]
pub const fn bucket(pieces: u32) -> usize {
    (pieces as usize).saturating_sub(1) / 3
}

/// Returns the number of a feature: a man or king, own or not, on the square that is `index` (half its bit) from the view of the side that sees it.
#[inline]
pub const fn feature(is_own: bool, is_king: bool, index: usize) -> usize {
    match (is_own, is_king) {
        (true, false) => index,
        // The opponent's men cannot stand on the first row.
        (false, false) => MAN_SQUARES + index - 4,
        (true, true) => 2 * MAN_SQUARES + index,
        (false, true) => 2 * MAN_SQUARES + KING_SQUARES + index,
    }
}

/// Calls a function with every feature of a position, seen from a side.
pub fn each_feature(pos: &Position, side: Side, mut see: impl FnMut(usize)) {
    let sets = [
        (true, false, pos.men(side)),
        (false, false, pos.men(side.opponent())),
        (true, true, pos.kings(side)),
        (false, true, pos.kings(side.opponent())),
    ];
    for (is_own, is_king, set) in sets {
        for square in set.squares() {
            let square = match side {
                Side::White => square,
                Side::Black => square.rotated(),
            };
            see(feature(is_own, is_king, square.bit() / 2));
        }
    }
}

impl Network {
    /// Reads the weights from their bytes. They must not be so large that sums could overflow.
    #[expect(
        clippy::large_stack_arrays,
        reason = "what works while compiling has no heap"
    )]
    pub(super) const fn read(reader: &mut Reader) -> Option<Self> {
        let mut network = Self {
            biases: [0; HIDDEN],
            features: [[0; HIDDEN]; FEATURES],
            output_biases: [0; BUCKETS],
            outputs: [[[0; HIDDEN]; 2]; BUCKETS],
        };
        network.biases = reader.row();
        let mut i = 0;
        while i < FEATURES {
            network.features[i] = reader.row();
            i += 1;
        }
        i = 0;
        while i < BUCKETS {
            network.output_biases[i] = reader.i32();
            network.outputs[i] = [reader.row(), reader.row()];
            i += 1;
        }
        if network.can_overflow() {
            None
        } else {
            Some(network)
        }
    }

    /// Returns the bytes of the weights.
    pub(super) fn write(&self, bytes: &mut Vec<u8>) {
        let row = |bytes: &mut Vec<u8>, row: &Row| {
            bytes.extend(row.iter().flat_map(|weight| weight.to_le_bytes()));
        };
        row(bytes, &self.biases);
        for weights in &self.features {
            row(bytes, weights);
        }
        for (bias, outputs) in self.output_biases.iter().zip(&self.outputs) {
            bytes.extend(bias.to_le_bytes());
            row(bytes, &outputs[0]);
            row(bytes, &outputs[1]);
        }
    }

    /// Says whether some position could have a sum that does not fit.
    pub const fn can_overflow(&self) -> bool {
        let mut unit = 0;
        while unit < HIDDEN {
            let mut largest = 0;
            let mut i = 0;
            while i < FEATURES {
                let weight = (self.features[i][unit] as i32).abs();
                if weight > largest {
                    largest = weight;
                }
                i += 1;
            }
            // One piece more: while pieces are exchanged for others there may be one too many.
            let sum = (self.biases[unit] as i32).abs() + (MOST_PIECES + 1) * largest;
            if sum > i16::MAX as i32 {
                return true;
            }
            unit += 1;
        }
        let mut bucket = 0;
        while bucket < BUCKETS {
            let mut sum = self.output_biases[bucket].unsigned_abs() as u64 + (1 << SCORE_SHIFT);
            let mut unit = 0;
            while unit < HIDDEN {
                let [own, opp] = &self.outputs[bucket];
                let weights = own[unit].unsigned_abs() as u64 + opp[unit].unsigned_abs() as u64;
                sum += weights * MOST_SAID;
                unit += 1;
            }
            if sum > i32::MAX as u64 {
                return true;
            }
            bucket += 1;
        }
        false
    }

    /// Evaluates a single position, from the view of the side to move.
    pub fn evaluate(&self, pos: &Position) -> Score {
        Sums::new(self).evaluate(self, pos)
    }

    /// Weighs what the side to move and the other see.
    #[inline]
    fn output(&self, own: &Row, opp: &Row, bucket: usize) -> Score {
        let [own_weights, opp_weights] = &self.outputs[bucket];
        let sum = self.output_biases[bucket] + weigh(own, own_weights) + weigh(opp, opp_weights);
        Score((sum + (1 << (SCORE_SHIFT - 1))) >> SCORE_SHIFT).clamp_to_eval()
    }
}

/// Returns what a hidden unit with a sum says, from 0 to [`MOST_SAID`].
#[inline]
fn activation(sum: i16) -> i16 {
    let clipped = sum.clamp(0, CLIP) as u16;
    ((clipped * clipped + (1 << (SQUARE_SHIFT - 1))) >> SQUARE_SHIFT) as i16
}

#[inline]
fn weigh(sums: &Row, weights: &Row) -> i32 {
    let weighed = |(&sum, &weight): (&i16, &i16)| i32::from(activation(sum)) * i32::from(weight);
    sums.iter().zip(weights).map(weighed).sum()
}

/// The sums of both sides for the position that was evaluated last.
#[derive(Clone, Debug)]
pub(super) struct Sums {
    /// The men of White and Black, then their kings.
    sets: [Bitboard; 4],
    /// What White and Black see.
    rows: [Row; 2],
}

impl Sums {
    /// The sums of an empty board.
    pub(super) fn new(network: &Network) -> Self {
        Self {
            sets: [Bitboard::EMPTY; 4],
            rows: [network.biases; 2],
        }
    }

    /// Evaluates a position from the view of the side to move.
    #[inline]
    pub(super) fn evaluate(&mut self, network: &Network, pos: &Position) -> Score {
        self.update(network, pos);
        let [white, black] = &self.rows;
        let (own, opp) = match pos.turn() {
            Side::White => (white, black),
            Side::Black => (black, white),
        };
        network.output(own, opp, bucket(pos.occupied().count()))
    }

    /// Makes the sums those of a position.
    fn update(&mut self, network: &Network, pos: &Position) {
        let sets = [
            pos.men(Side::White),
            pos.men(Side::Black),
            pos.kings(Side::White),
            pos.kings(Side::Black),
        ];
        let differing = |(old, new): (&Bitboard, &Bitboard)| (old.0 ^ new.0).count_ones();
        let changes: u32 = self.sets.iter().zip(&sets).map(differing).sum();
        if changes > pos.occupied().count() {
            *self = Self::new(network);
        }
        let (mut gone, mut come) = (Changes::new(), Changes::new());
        for (kind, new) in sets.into_iter().enumerate() {
            let old = self.sets[kind];
            let seen = |square: Square| seen_by_both(kind, square.bit() / 2);
            gone.extend((old & !new).squares().map(seen));
            come.extend((new & !old).squares().map(seen));
        }
        self.sets = sets;
        for (side, row) in self.rows.iter_mut().enumerate() {
            // A copy, which the compiler keeps in registers.
            let mut sums = *row;
            for features in &gone {
                for (sum, weight) in sums.iter_mut().zip(&network.features[features[side]]) {
                    *sum = sum.wrapping_sub(*weight);
                }
            }
            for features in &come {
                for (sum, weight) in sums.iter_mut().zip(&network.features[features[side]]) {
                    *sum = sum.wrapping_add(*weight);
                }
            }
            *row = sums;
        }
    }
}

/// Features that change, as White and as Black see them.
type Changes = ArrayVec<[usize; 2], { MOST_PIECES as usize }>;

/// Returns the features of a piece as White and Black see it: a man of White or Black or a king of either, on the square that is `index` for
/// White.
#[inline]
const fn seen_by_both(kind: usize, index: usize) -> [usize; 2] {
    let (is_black, is_king) = (kind % 2 == 1, kind >= 2);
    [
        feature(!is_black, is_king, index),
        feature(is_black, is_king, 31 - index),
    ]
}
