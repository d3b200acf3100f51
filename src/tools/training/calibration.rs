//! What the scores of a network are worth: how positions with a score ended, and what a man is to it.

use super::data::Packed;
use super::model::{CENTIMEN_PER_LOGIT, cross_entropy, sigmoid};
use super::samples::{Example, share};
use crate::eval::network::{BUCKETS, Network, bucket};
use rayon::prelude::*;

/// The number of bins, by the expected share of the point.
pub const BINS: usize = 20;
/// The most positions of a bucket in which the worth of a man is measured: each costs another evaluation.
const ASKED: usize = 2000;

/// Positions of which about the same was expected.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bin {
    /// How many they are.
    pub count: u64,
    /// The mean of the expected share of the point.
    pub expected: f64,
    /// The mean of the share that the games brought.
    pub actual: f64,
}

/// What is known of the positions with about the same number of pieces.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BucketReport {
    /// How many they are.
    pub count: u64,
    /// The mean cross entropy of results and scores, in nats.
    pub error: f64,
    /// The mean magnitude of the scores, in hundredths of a man.
    pub magnitude: f64,
    /// What the score of the side to move falls on average when one of its men is taken off the board, in hundredths of a man.
    pub man: f64,
}

/// Returns the scores of the positions of examples, in hundredths of a man.
pub fn scores(network: &Network, examples: &[Example]) -> Vec<i32> {
    let score = |example: &Example| score_of(network, example.pos);
    examples.par_iter().map(score).collect()
}

fn score_of(network: &Network, pos: Packed) -> i32 {
    let pos = pos.position().expect("files have only sound positions");
    network.evaluate(&pos).0
}

fn logit(score: i32) -> f32 {
    score as f32 / CENTIMEN_PER_LOGIT
}

/// Puts examples into bins of equal width by the share of the point that their scores expect.
pub fn bins(examples: &[Example], scores: &[i32]) -> Vec<Bin> {
    let mut bins = vec![Bin::default(); BINS];
    for (example, &score) in examples.iter().zip(scores) {
        let expected = f64::from(sigmoid(logit(score)));
        let bin = &mut bins[((expected * BINS as f64) as usize).min(BINS - 1)];
        bin.count += 1;
        bin.expected += expected;
        bin.actual += f64::from(share(example.result));
    }
    for bin in &mut bins {
        let count = bin.count.max(1) as f64;
        bin.expected /= count;
        bin.actual /= count;
    }
    bins
}

/// Returns the numbers of pieces that belong to a bucket of the network, the least and the most.
pub const fn pieces_of(bucket: usize) -> (usize, usize) {
    (3 * bucket + 1, 3 * bucket + 3)
}

/// Looks at the examples of each bucket.
pub fn buckets(network: &Network, examples: &[Example], scores: &[i32]) -> [BucketReport; BUCKETS] {
    let mut reports = [BucketReport::default(); BUCKETS];
    let mut men = [(0, 0.0); BUCKETS];
    for (example, &score) in examples.iter().zip(scores) {
        let index = bucket(example.pos.pieces());
        let report = &mut reports[index];
        report.count += 1;
        report.error += f64::from(cross_entropy(logit(score), share(example.result)));
        report.magnitude += f64::from(score.abs());
        let (asked, lost) = &mut men[index];
        if *asked < ASKED
            && let Some(pos) = without_a_man(example.pos)
        {
            *asked += 1;
            *lost += f64::from(score - score_of(network, pos));
        }
    }
    for (report, (asked, lost)) in reports.iter_mut().zip(men) {
        let count = report.count.max(1) as f64;
        report.error /= count;
        report.magnitude /= count;
        report.man = lost / asked.max(1) as f64;
    }
    reports
}

/// Takes a man of the side to move off the board: one in the middle of the list, if the side has other pieces too.
fn without_a_man(pos: Packed) -> Option<Packed> {
    let men = pos.own & !pos.kings;
    if men == 0 || pos.own.count_ones() < 2 {
        return None;
    }
    let mut left = men;
    for _ in 0..men.count_ones() / 2 {
        left &= left - 1;
    }
    let man = left & left.wrapping_neg();
    Some(Packed {
        own: pos.own & !man,
        ..pos
    })
}
