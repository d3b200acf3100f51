//! Fits the model of results to games: what share of positions with a score were won, drawn and lost.

use super::samples::Example;
use crate::egdb::Value;
use crate::eval::network::{BUCKETS, bucket};
use crate::eval::{WDL_UNIT, WdlModel};

/// The model where nothing is known, in hundredths of a man: offset and scatter.
const PRIOR: (f64, f64) = (60.0, 50.0);
/// How many positions the prior weighs as much as, so that a bucket with few of them keeps to it.
const PRIOR_WEIGHT: f64 = 50.0;
/// The smallest offset and scatter that are tried, in hundredths of a man.
const LEAST: f64 = 2.0;
/// The largest; [`WDL_UNIT`] times as much still is an `i16`.
const MOST: f64 = 1000.0;
/// By how much parameters are multiplied or divided at first.
const FIRST_FACTOR: f64 = 1.5;
/// The factor at which they are good enough: to a thousandth.
const LAST_FACTOR: f64 = 1.001;
/// The least chance that a result is given, so that one outlier does not decide.
const LEAST_CHANCE: f64 = 1e-6;

/// How often each score of one bucket had each result.
#[derive(Clone)]
struct Counts {
    /// By score plus [`Self::LIMIT`]: losses, draws, wins.
    by_score: Vec<[f64; 3]>,
}

impl Counts {
    /// Scores beyond this, in hundredths of a man, count as this.
    const LIMIT: i32 = 2000;

    fn new() -> Self {
        Self {
            by_score: vec![[0.0; 3]; 2 * Self::LIMIT as usize + 1],
        }
    }

    fn add(&mut self, score: i32, result: Value) {
        let index = score.clamp(-Self::LIMIT, Self::LIMIT) + Self::LIMIT;
        self.by_score[index as usize][result as usize] += 1.0;
    }

    /// Returns how unlikely the results are, in nats, with a penalty for leaving the prior.
    fn error(&self, offset: f64, scatter: f64) -> f64 {
        let chance = |score: f64| 1.0 / (1.0 + ((offset - score) / scatter).exp());
        let mut error =
            PRIOR_WEIGHT * ((offset / PRIOR.0).ln().powi(2) + (scatter / PRIOR.1).ln().powi(2));
        for (index, counts) in self.by_score.iter().enumerate() {
            if counts.iter().sum::<f64>() <= 0.0 {
                continue;
            }
            let score = index as f64 - f64::from(Self::LIMIT);
            let (win, loss) = (chance(score), chance(-score));
            let draw = 1.0 - win - loss;
            for (count, chance) in counts.iter().zip([loss, draw, win]) {
                error -= count * chance.max(LEAST_CHANCE).ln();
            }
        }
        error
    }

    /// Searches for the parameters by steps that become smaller and smaller.
    fn fit(&self) -> (f64, f64) {
        let (mut offset, mut scatter) = PRIOR;
        let mut best = self.error(offset, scatter);
        let mut factor = FIRST_FACTOR;
        while factor > LAST_FACTOR {
            let tries = [
                (offset * factor, scatter),
                (offset / factor, scatter),
                (offset, scatter * factor),
                (offset, scatter / factor),
            ];
            let mut is_better = false;
            for (a, b) in tries {
                let (a, b) = (a.clamp(LEAST, MOST), b.clamp(LEAST, MOST));
                let error = self.error(a, b);
                if error < best {
                    (offset, scatter, best, is_better) = (a, b, error, true);
                }
            }
            if !is_better {
                factor = f64::sqrt(factor);
            }
        }
        (offset, scatter)
    }
}

/// Fits a model to examples, given the score of each in hundredths of a man.
pub fn fit(examples: &[Example], scores: &[i32]) -> WdlModel {
    let mut counts = vec![Counts::new(); BUCKETS];
    for (example, &score) in examples.iter().zip(scores) {
        counts[bucket(example.pos.pieces())].add(score, example.result);
    }
    let fitted: Vec<(f64, f64)> = counts.iter().map(Counts::fit).collect();
    let stored = |number: f64| (number * f64::from(WDL_UNIT)).round() as i16;
    WdlModel {
        offsets: std::array::from_fn(|bucket| stored(fitted[bucket].0)),
        scatters: std::array::from_fn(|bucket| stored(fitted[bucket].1)),
    }
}
