//! What weights are fitted to: the positions of data files, each once, in an order that follows from the seed.
//!
//! One game in twenty is held out: its positions are not learned from but show what the weights are worth on others. What a position is
//! taught is a mixture of the result of its game and what the search said; where a position occurs more than once, the mean.

use super::data::{Packed, PlayedGame, Sample};
use super::model::{logit, sigmoid};
use crate::board::splitmix64;
use crate::egdb::Value;
use rayon::prelude::*;

/// One game in so many is held out.
const HELD_OUT: u64 = 20;
/// So many units of a target are the whole point.
const TARGET_UNIT: f32 = u16::MAX as f32;

/// A position and what it is taught.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Example {
    /// The position.
    pub pos: Packed,
    /// The expected share of the point, in units of 1 / [`TARGET_UNIT`].
    target: u16,
    /// The result of the game for the side to move. Of several games, that of the one with the least target.
    pub result: Value,
}

impl Example {
    /// Returns the expected share of the point, from 0 to 1.
    #[inline]
    pub fn target(&self) -> f32 {
        f32::from(self.target) / TARGET_UNIT
    }
}

/// What positions are taken and what they are taught.
#[derive(Clone, Copy, Debug)]
pub struct Teaching {
    /// The weight of the result of the game, from 0 to 1; the rest is that of the search.
    pub result_share: f32,
    /// Positions in which the opponent threatens to capture are taken too.
    pub threatened: bool,
    /// What the order and the choice of held-out games follow from.
    pub seed: u64,
}

/// Collects positions.
pub struct Collector {
    teaching: Teaching,
    games: u64,
    positions: u64,
    entries: Vec<Entry>,
}

/// A position with what it is sorted by.
#[derive(Clone, Copy)]
struct Entry {
    order: u64,
    is_held_out: bool,
    example: Example,
}

/// The examples, ready to be learned.
pub struct Examples {
    /// Those that are learned.
    pub learned: Vec<Example>,
    /// Those that are held out.
    pub held_out: Vec<Example>,
    /// The games they come from.
    pub games: u64,
    /// Their positions, those that were left out included.
    pub positions: u64,
}

/// Returns the share of the point that a result is worth, from 0 to 1.
pub fn share(result: Value) -> f32 {
    match result {
        Value::Loss => 0.0,
        Value::Draw => 0.5,
        Value::Win => 1.0,
    }
}

impl Collector {
    /// Begins with nothing.
    pub fn new(teaching: Teaching) -> Self {
        Self {
            teaching,
            games: 0,
            positions: 0,
            entries: Vec::new(),
        }
    }

    /// Takes the positions of a game.
    pub fn add(&mut self, game: &PlayedGame) {
        let random = splitmix64(self.teaching.seed ^ splitmix64(self.games));
        let is_held_out = random.is_multiple_of(HELD_OUT);
        self.games += 1;
        self.positions += game.samples.len() as u64;
        for sample in &game.samples {
            if sample.is_threatened && !self.teaching.threatened {
                continue;
            }
            self.entries.push(Entry {
                order: sample.pos.hash(self.teaching.seed),
                is_held_out,
                example: Example {
                    pos: sample.pos,
                    target: (self.target(sample) * TARGET_UNIT).round() as u16,
                    result: sample.result,
                },
            });
        }
    }

    fn target(&self, sample: &Sample) -> f32 {
        let result = share(sample.result);
        match sample.score {
            None => result,
            Some(score) => {
                let of_result = self.teaching.result_share;
                of_result * result + (1.0 - of_result) * sigmoid(logit(score))
            }
        }
    }

    /// Brings the positions into their order, and makes one of those that are there more than once.
    pub fn finish(mut self) -> Examples {
        // Equal entries are alike in everything, so the order does not depend on the threads.
        self.entries.par_sort_unstable_by_key(|entry| {
            let example = &entry.example;
            (
                entry.order,
                entry.is_held_out,
                example.target,
                example.result,
            )
        });
        let mut examples = Examples {
            learned: Vec::new(),
            held_out: Vec::new(),
            games: self.games,
            positions: self.positions,
        };
        for equal in self.entries.chunk_by(|a, b| a.example.pos == b.example.pos) {
            let learned = equal.iter().take_while(|entry| !entry.is_held_out).count();
            if learned == 0 {
                examples.held_out.push(mean(equal));
            } else {
                examples.learned.push(mean(&equal[..learned]));
            }
        }
        examples
    }
}

/// Returns one example for several of the same position.
fn mean(equal: &[Entry]) -> Example {
    let sum: u64 = equal
        .iter()
        .map(|entry| u64::from(entry.example.target))
        .sum();
    Example {
        target: (sum / equal.len() as u64) as u16,
        ..equal[0].example
    }
}
