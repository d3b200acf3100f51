//! Fits the weights of the network: stochastic gradient descent with Adam (Diederik Kingma and Jimmy Ba, "Adam: a method for stochastic
//! optimization", 2015) on the cross entropy between what the network expects and what it is taught.
//!
//! The result follows from the examples and the seed: a batch is cut into a fixed number of parts whose slopes are added up in a fixed order,
//! whatever thread has made them.

use super::model::{Model, WEIGHTS, cross_entropy};
use super::samples::Example;
use crate::search::Team;
use crate::tools::rng::Rng;
use rayon::prelude::*;
use std::f32::consts::PI;
use std::ops::ControlFlow;

/// Positions between two changes of the weights.
const BATCH: usize = 8192;
/// Parts of a batch.
const PARTS: usize = 16;
/// How much of the running mean of the slope a step keeps: the usual value of Adam's first parameter.
const SLOPE_KEPT: f32 = 0.9;
/// How much of the running mean of the squared slope a step keeps: the usual value of the second.
const SQUARE_KEPT: f32 = 0.999;
/// What is added to the divisor, so that it is not 0: the usual value.
const TINY: f32 = 1e-8;
/// Epochs without a better held-out error after which a fit ends.
const PATIENCE: usize = 4;

/// How weights are fitted.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// The most passes over the examples, at least 1.
    pub epochs: usize,
    /// The step of a weight at the beginning, above 0; it falls to nothing along half a cosine.
    pub step: f32,
    /// What the first weights and the order of the batches follow from.
    pub seed: u64,
}

/// The errors after an epoch, in nats a position.
#[derive(Clone, Copy, Debug)]
pub struct Epoch {
    /// From 1.
    pub number: usize,
    /// The mean error on what was learned, while it was learned.
    pub learned: f32,
    /// The mean error on what was held out.
    pub held_out: f32,
}

/// The result.
pub struct Fitted {
    /// The weights with the least held-out error.
    pub model: Model,
    /// What led there.
    pub epochs: Vec<Epoch>,
    /// The epoch with the least held-out error, an index of `epochs`.
    pub best: usize,
}

/// Running means of the slopes.
struct Adam {
    slopes: Vec<f32>,
    squares: Vec<f32>,
    steps: i32,
}

impl Adam {
    fn new() -> Self {
        Self {
            slopes: vec![0.0; WEIGHTS],
            squares: vec![0.0; WEIGHTS],
            steps: 0,
        }
    }

    /// Changes the weights by a step against the slope.
    fn step(&mut self, weights: &mut [f32], slope: &[f32], step: f32) {
        self.steps += 1;
        // The means begin at 0 and are too small at first: this makes up for it.
        let step = step * (1.0 - SQUARE_KEPT.powi(self.steps)).sqrt()
            / (1.0 - SLOPE_KEPT.powi(self.steps));
        let means = self.slopes.iter_mut().zip(&mut self.squares);
        for ((weight, &slope), (mean, square)) in weights.iter_mut().zip(slope).zip(means) {
            *mean += (1.0 - SLOPE_KEPT) * (slope - *mean);
            *square += (1.0 - SQUARE_KEPT) * (slope * slope - *square);
            *weight -= step * *mean / (square.sqrt() + TINY);
        }
    }
}

/// Fits a network to the examples. `watch` is told of each epoch, and may end the work after it.
pub fn fit(
    plan: &Plan,
    learned: &[Example],
    held_out: &[Example],
    team: &Team,
    watch: &mut dyn FnMut(&Epoch) -> ControlFlow<()>,
) -> Fitted {
    let mut model = Model::random(plan.seed);
    let mut fitted = Fitted {
        model: model.clone(),
        epochs: Vec::new(),
        best: 0,
    };
    let mut adam = Adam::new();
    let mut rng = Rng::new(plan.seed);
    let mut batches: Vec<&[Example]> = learned.chunks(BATCH).collect();
    let mut slopes = vec![vec![0.0; WEIGHTS]; PARTS];
    let all = (plan.epochs * batches.len()) as f32;
    for number in 1..=plan.epochs {
        // The examples are in random order already, so it is enough that the batches change places.
        rng.shuffle(&mut batches);
        let mut error = 0.0;
        for batch in &batches {
            let along = adam.steps as f32 / all;
            let step = plan.step * 0.5 * (1.0 + (PI * along).cos());
            error += team.install(|| learn(&model, batch, &mut slopes));
            adam.step(&mut model.weights, &slopes[0], step);
            model.limit();
        }
        let epoch = Epoch {
            number,
            learned: (error / learned.len().max(1) as f64) as f32,
            held_out: team.install(|| mean_error(&model, held_out)),
        };
        fitted.epochs.push(epoch);
        let best = fitted.epochs[fitted.best].held_out;
        if number == 1 || epoch.held_out < best {
            fitted.best = number - 1;
            fitted.model.clone_from(&model);
        }
        if watch(&epoch).is_break() || number - 1 - fitted.best >= PATIENCE {
            break;
        }
    }
    fitted
}

/// Puts the mean slope of a batch into the first list, and returns the sum of the errors.
fn learn(model: &Model, batch: &[Example], slopes: &mut [Vec<f32>]) -> f64 {
    let part = batch.len().div_ceil(slopes.len());
    let errors: Vec<f64> = slopes
        .par_iter_mut()
        .enumerate()
        .map(|(index, slope)| {
            slope.fill(0.0);
            let (begin, end) = (index * part, (index + 1) * part);
            let examples = &batch[begin.min(batch.len())..end.min(batch.len())];
            let learn =
                |example: &Example| f64::from(model.learn(example.pos, example.target(), slope));
            examples.iter().map(learn).sum()
        })
        .collect();
    let (sum, others) = slopes.split_first_mut().expect("there are some parts");
    for other in others {
        for (sum, slope) in sum.iter_mut().zip(other) {
            *sum += *slope;
        }
    }
    let share = 1.0 / batch.len() as f32;
    for sum in sum {
        *sum *= share;
    }
    errors.iter().sum()
}

/// Returns the mean error on examples.
fn mean_error(model: &Model, examples: &[Example]) -> f32 {
    let errors: Vec<f64> = examples
        .par_chunks(BATCH)
        .map(|examples| {
            let error = |example: &Example| {
                f64::from(cross_entropy(model.logit(example.pos), example.target()))
            };
            examples.iter().map(error).sum()
        })
        .collect();
    (errors.iter().sum::<f64>() / examples.len().max(1) as f64) as f32
}
