//! What people run besides a protocol: they need the search, so they are not part of the layers below it.

pub mod analysis;
pub mod bench;
pub mod book_building;
pub mod journal;
pub mod matches;
pub mod rng;
pub mod shard;
pub mod solving;
pub mod stop;
pub mod training;
