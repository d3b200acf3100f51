//! The network while it learns: in floating point, with the slope of its error.
//!
//! Its output is the logarithm of the odds; [`CENTIMEN_PER_LOGIT`] turns that into a score. The same machine gives the same weights with any
//! number of threads, since sums are always made in the same order.

use super::data::Packed;
use crate::eval::network::{
    BUCKETS, CLIP, FEATURES, HIDDEN, Network, SCORE_SHIFT, SQUARE_SHIFT, bucket, feature,
};
use crate::tools::rng::Rng;

/// The score of odds of e to 1. Chosen once, so that a man more is worth about 100 in the games of a weak evaluation; it stays the same for all
/// generations, since the margins of the search depend on it.
pub const CENTIMEN_PER_LOGIT: f32 = 50.0;

/// Weights of features keep within this, so that no sum overflows: see [`Network::can_overflow`].
const FEATURE_LIMIT: f32 = 4.9;
/// Weights of the output keep within this.
const OUTPUT_LIMIT: f32 = 1000.0 / CENTIMEN_PER_LOGIT;

/// Where the weights are in one list: the biases of the hidden units, the rows of the features, and for each bucket its bias and its weights for both
/// sides.
const FEATURES_AT: usize = HIDDEN;
const BUCKETS_AT: usize = FEATURES_AT + FEATURES * HIDDEN;
const BUCKET_WEIGHTS: usize = 1 + 2 * HIDDEN;
/// The number of weights.
pub const WEIGHTS: usize = BUCKETS_AT + BUCKETS * BUCKET_WEIGHTS;

/// Returns the logarithm of the odds of a score.
pub fn logit(score: i16) -> f32 {
    f32::from(score) / CENTIMEN_PER_LOGIT
}

/// Returns the share of the point of a logarithm of odds.
#[inline]
pub fn sigmoid(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

/// The numbers of the features that are seen.
struct Seen {
    list: [u16; 32],
    count: usize,
}

impl Seen {
    fn of(own: u32, opp: u32, kings: u32) -> Self {
        let mut seen = Self {
            list: [0; 32],
            count: 0,
        };
        for (is_own, pieces) in [(true, own), (false, opp)] {
            let mut left = pieces;
            while left != 0 {
                let index = left.trailing_zeros();
                left &= left - 1;
                let is_king = kings >> index & 1 == 1;
                seen.list[seen.count] = feature(is_own, is_king, index as usize) as u16;
                seen.count += 1;
            }
        }
        seen
    }

    #[inline]
    fn features(&self) -> impl Iterator<Item = usize> {
        self.list[..self.count]
            .iter()
            .map(|&feature| usize::from(feature))
    }
}

/// What the side to move and the other see.
fn seen(pos: Packed) -> [Seen; 2] {
    let turned = |bits: u32| bits.reverse_bits();
    [
        Seen::of(pos.own, pos.opp, pos.kings),
        Seen::of(turned(pos.opp), turned(pos.own), turned(pos.kings)),
    ]
}

/// The weights in floating point.
#[derive(Clone)]
pub struct Model {
    /// All in one list.
    pub weights: Vec<f32>,
}

impl Model {
    /// Returns random weights.
    pub fn random(seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let mut number = |limit: f32| {
            let unit = (rng.number() >> 40) as f32 / (1 << 24) as f32;
            limit * (2.0 * unit - 1.0)
        };
        let mut weights = vec![0.2; HIDDEN];
        weights.extend((0..FEATURES * HIDDEN).map(|_| number(0.15)));
        let outputs: Vec<f32> = (0..2 * HIDDEN).map(|_| number(0.1)).collect();
        for _ in 0..BUCKETS {
            weights.push(0.0);
            weights.extend(&outputs);
        }
        Self { weights }
    }

    fn sums(&self, seen: &Seen) -> [f32; HIDDEN] {
        let mut sums = [0.0; HIDDEN];
        sums.copy_from_slice(&self.weights[..HIDDEN]);
        for feature in seen.features() {
            let row = &self.weights[FEATURES_AT + feature * HIDDEN..][..HIDDEN];
            for (sum, weight) in sums.iter_mut().zip(row) {
                *sum += weight;
            }
        }
        sums
    }

    fn output(weights: &[f32], units: &[[f32; HIDDEN]; 2]) -> f32 {
        let mut parts = [0.0; 8];
        let weighed = units.as_flattened().chunks_exact(8);
        for (units, weights) in weighed.zip(weights[1..].chunks_exact(8)) {
            for i in 0..8 {
                parts[i] += units[i] * weights[i];
            }
        }
        weights[0] + parts.iter().sum::<f32>()
    }

    fn bucket_at(pos: Packed) -> usize {
        BUCKETS_AT + bucket(pos.pieces()) * BUCKET_WEIGHTS
    }

    /// Returns the logarithm of the odds of a position.
    pub fn logit(&self, pos: Packed) -> f32 {
        let units = seen(pos).map(|seen| self.sums(&seen).map(activation));
        let at = Self::bucket_at(pos);
        Self::output(&self.weights[at..at + BUCKET_WEIGHTS], &units)
    }

    /// Adds the slope of the error at a position, and returns the error: the cross entropy in nats.
    pub fn learn(&self, pos: Packed, target: f32, slope: &mut [f32]) -> f32 {
        let seen = seen(pos);
        let sums = [self.sums(&seen[0]), self.sums(&seen[1])];
        let units = sums.map(|sums| sums.map(activation));
        let at = Self::bucket_at(pos);
        let weights = &self.weights[at..at + BUCKET_WEIGHTS];
        let logit = Self::output(weights, &units);
        let too_much = sigmoid(logit) - target;
        let bucket_slope = &mut slope[at..at + BUCKET_WEIGHTS];
        bucket_slope[0] += too_much;
        for (slope, unit) in bucket_slope[1..].iter_mut().zip(units.as_flattened()) {
            *slope += too_much * unit;
        }
        for (side, seen) in seen.iter().enumerate() {
            let weights = &weights[1 + side * HIDDEN..][..HIDDEN];
            let mut change = [0.0; HIDDEN];
            for unit in 0..HIDDEN {
                let sum = sums[side][unit];
                let rise = if sum > 0.0 && sum < 1.0 {
                    2.0 * sum
                } else {
                    0.0
                };
                change[unit] = too_much * weights[unit] * rise;
            }
            let mut add = |at: usize| {
                for (slope, change) in slope[at..at + HIDDEN].iter_mut().zip(&change) {
                    *slope += change;
                }
            };
            add(0);
            for feature in seen.features() {
                add(FEATURES_AT + feature * HIDDEN);
            }
        }
        cross_entropy(logit, target)
    }

    /// Keeps the weights in the range that the integers have.
    pub fn limit(&mut self) {
        let (sums, outputs) = self.weights.split_at_mut(BUCKETS_AT);
        for weight in sums {
            *weight = weight.clamp(-FEATURE_LIMIT, FEATURE_LIMIT);
        }
        for weight in outputs {
            *weight = weight.clamp(-OUTPUT_LIMIT, OUTPUT_LIMIT);
        }
    }

    /// Returns the network in integers.
    pub fn quantised(&self) -> Network {
        let hidden = |weight: f32| (weight * f32::from(CLIP)).round() as i16;
        let row = |at: usize| std::array::from_fn(|unit| hidden(self.weights[at + unit]));
        let unit_score = CENTIMEN_PER_LOGIT * (1 << SCORE_SHIFT) as f32;
        let most = f32::from(CLIP).powi(2) / (1 << SQUARE_SHIFT) as f32;
        let output = |weight: f32| (weight * unit_score / most).round() as i16;
        let bucket_at = |bucket: usize| BUCKETS_AT + bucket * BUCKET_WEIGHTS;
        Network {
            biases: row(0),
            features: std::array::from_fn(|feature| row(FEATURES_AT + feature * HIDDEN)),
            output_biases: std::array::from_fn(|bucket| {
                (self.weights[bucket_at(bucket)] * unit_score).round() as i32
            }),
            outputs: std::array::from_fn(|bucket| {
                std::array::from_fn(|side| {
                    let at = bucket_at(bucket) + 1 + side * HIDDEN;
                    std::array::from_fn(|unit| output(self.weights[at + unit]))
                })
            }),
        }
    }
}

#[inline]
fn activation(sum: f32) -> f32 {
    let clipped = sum.clamp(0.0, 1.0);
    clipped * clipped
}

/// Returns the cross entropy of a target and a logarithm of odds, in nats.
pub fn cross_entropy(logit: f32, target: f32) -> f32 {
    logit.max(0.0) - logit * target + (-logit.abs()).exp().ln_1p()
}
