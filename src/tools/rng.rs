//! Random numbers that are the same on every machine and in every version of this program, so that a seed is enough to repeat a job.

use crate::board::splitmix64;

/// A seeded stream of random numbers: the splitmix64 generator of Steele, Lea and Flood ("Fast splittable pseudorandom number
/// generators", 2014).
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// What the state grows by.
    const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

    /// Begins the stream of a seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Begins a stream for one item of a job, which has nothing to do with those of other items.
    pub const fn for_item(seed: u64, item: u64) -> Self {
        Self(splitmix64(splitmix64(seed) ^ item))
    }

    /// Returns the next number.
    pub const fn number(&mut self) -> u64 {
        let number = splitmix64(self.0);
        self.0 = self.0.wrapping_add(Self::STEP);
        number
    }

    /// Returns a number below a bound, which must not be 0.
    pub const fn below(&mut self, bound: usize) -> usize {
        // The bias of the product is less than bound / 2^64.
        ((self.number() as u128 * bound as u128) >> 64) as usize
    }

    /// Brings items into a random order (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}
