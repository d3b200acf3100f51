//! The transposition table: what the search found out about positions, shared by all its threads without locks.
//!
//! An entry is two relaxed atomic words, `key ^ data` and `data`. If two threads write the same entry at
//! once, the halves may come from different positions; then their exclusive or is not the key that is asked
//! for, and the entry is not found. (Robert Hyatt and Timothy Mann, "A lockless transposition table
//! implementation for parallel search", 2002.) Four entries fill one cache line.
//!
//! Only as much of the memory is in use as the searches so far have needed: at first a part of one to two MiB, which is doubled as the
//! number of nodes grows. So the first answer of a new engine does not wait until the system has cleared a gigabyte, and a small
//! search leaves little to be cleared. When the part grows, its entries move to their new places.

#![deny(clippy::float_arithmetic)]

#[cfg(test)]
mod tests;

use crate::arch::{self, Zeros};
use crate::board::{Key, Move};
use crate::score::{Bound, Depth, Ply, Score};
use bytemuck::Zeroable;
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, AtomicUsize, Ordering::Relaxed};

/// Entries that share a cache line.
const BUCKET_ENTRIES: usize = 4;

/// For each search since it was written, an entry counts as so many plies less deep when one is chosen to be replaced.
const PLIES_PER_GENERATION: i32 = 4;

/// An entry of the present search is not replaced by a bound on the same position that is at least so many plies less deep.
const PLIES_TO_KEEP: Depth = 3;

/// Generations are counted modulo this.
const GENERATIONS: u8 = 64;

/// The part in use has room for so many entries for each node of a search.
const ENTRIES_PER_NODE: u64 = 4;

/// The part in use is at least so many buckets, a MiB, unless the table is smaller.
const LEAST_PART: usize = 1 << 14;

/// The place of one entry: its key and what is known, as the module head says, both zero if it is empty.
#[derive(Zeroable)]
struct Slot {
    /// `key ^ data`.
    check: AtomicU64,
    /// An [`Entry`] and its generation, see [`pack`].
    data: AtomicU64,
}

/// Slots that fill a cache line.
#[derive(Zeroable)]
#[repr(C, align(64))]
struct Bucket([Slot; BUCKET_ENTRIES]);

const _: () = assert!(size_of::<Bucket>() == 64);

/// Names a move in 16 bits. Several moves may share a code; the search looks the code up in the list of legal moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MoveCode(u16);

impl MoveCode {
    /// No move.
    pub const NONE: Self = Self(0);

    /// Returns the code of a move: start and end, and four bits that tell most captured sets apart.
    #[inline]
    pub fn of(mv: Move) -> Self {
        let ends = (mv.from.bit() >> 1) as u16 | ((mv.to.bit() >> 1) as u16) << 5;
        let set = mv.captured.0.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 60;
        // Bit 15 is always set, so that no move has the code of none.
        Self(1 << 15 | ends | (set as u16) << 10 | u16::from(mv.promotes) << 14)
    }
}

/// What the table knows about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The best move, or [`MoveCode::NONE`].
    pub best: MoveCode,
    /// The score. The plies to a proven end in it are counted from the root of the search.
    pub score: Score,
    /// How deep it was searched, in plies; kept within 0 to 255.
    pub depth: Depth,
    /// What the score means.
    pub bound: Bound,
}

/// Says that there is not enough memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot allocate a transposition table of {0} MiB")]
pub struct OutOfMemory(pub usize);

/// The table.
pub struct Table {
    buckets: Zeros<Bucket>,
    /// How many of the buckets are in use: all of them, or what is left after halving that several times, always without a remainder.
    part: AtomicUsize,
    generation: AtomicU8,
    /// A search has begun since the table was empty.
    is_used: AtomicBool,
}

impl Table {
    /// Makes an empty table of about this many MiB. Its memory is not touched before it is used, so that even a large table is there
    /// at once.
    pub fn new(size_mib: usize) -> Result<Self, OutOfMemory> {
        let bytes = size_mib.checked_mul(1 << 20).ok_or(OutOfMemory(size_mib))?;
        let buckets = Zeros::new(bytes / size_of::<Bucket>()).ok_or(OutOfMemory(size_mib))?;
        Ok(Self {
            part: AtomicUsize::new(least_part(buckets.len())),
            buckets,
            generation: AtomicU8::new(0),
            is_used: AtomicBool::new(false),
        })
    }

    /// Forgets everything. The work is shared out over the threads of the current rayon thread pool.
    ///
    /// A table that no search has used is left alone, and its memory untouched.
    pub fn clear(&self) {
        if !self.is_used.swap(false, Relaxed) {
            return;
        }
        self.generation.store(0, Relaxed);
        let least = least_part(self.buckets.len());
        let used = &self.buckets[..self.part.swap(least, Relaxed)];
        used.par_chunks(LEAST_PART).for_each(|buckets| {
            for slot in buckets.iter().flat_map(|bucket| &bucket.0) {
                slot.write(0, 0);
            }
        });
    }

    /// Makes the part in use large enough for a search that has visited so many nodes.
    ///
    /// Other threads may go on searching. What they store meanwhile can be lost; it can do no harm, since an entry is known by its
    /// whole key and is not looked for where it does not belong.
    pub fn make_room(&self, nodes: u64) {
        let all = self.buckets.len();
        let wanted = nodes.saturating_mul(ENTRIES_PER_NODE) / BUCKET_ENTRIES as u64;
        let old = self.part.load(Relaxed);
        let mut new = old;
        while new < all && (new as u64) < wanted {
            new *= 2;
        }
        if new > old {
            self.part.store(new, Relaxed);
            self.spread(old);
        }
    }

    /// Moves the entries of the first `old` buckets to their places in the larger part. Each bucket is spread over buckets that no
    /// other one is spread over and none of which comes before it, so the last bucket goes first.
    fn spread(&self, old: usize) {
        for bucket in self.buckets[..old].iter().rev() {
            let entries = bucket.0.each_ref().map(Slot::read);
            for slot in &bucket.0 {
                slot.write(0, 0);
            }
            for (key, data) in entries.into_iter().filter(|&(_, data)| data != 0) {
                let free = |slot: &&Slot| slot.data.load(Relaxed) == 0;
                if let Some(slot) = self.bucket(key).iter().find(free) {
                    slot.write(key.0, data);
                }
            }
        }
    }

    /// Starts a new search: what older ones stored is replaced first.
    pub fn next_generation(&self) {
        self.is_used.store(true, Relaxed);
        let next = (self.generation.load(Relaxed) + 1) % GENERATIONS;
        self.generation.store(next, Relaxed);
    }

    /// Returns what is known about a position that is `ply` plies from the root.
    #[inline]
    pub fn probe(&self, key: Key, ply: Ply) -> Option<Entry> {
        self.bucket(key).iter().find_map(|slot| {
            let (stored, data) = slot.read();
            if stored != key || data == 0 {
                return None;
            }
            let mut entry = unpack(data)?;
            entry.score = from_root(entry.score, ply);
            Some(entry)
        })
    }

    /// Stores what was found about a position that is `ply` plies from the root. A much deeper entry of the same search stays.
    #[inline]
    pub fn store(&self, key: Key, ply: Ply, mut entry: Entry) {
        let generation = self.generation.load(Relaxed);
        let mut victim = &self.bucket(key)[0];
        let mut least = i32::MAX;
        for slot in self.bucket(key) {
            let (stored, data) = slot.read();
            if stored == key {
                if is_much_deeper(data, entry, generation) {
                    return;
                }
                victim = slot;
                if entry.best == MoveCode::NONE {
                    entry.best = MoveCode(data as u16);
                }
                break;
            }
            let worth = worth(data, generation);
            if worth < least {
                (least, victim) = (worth, slot);
            }
        }
        entry.score = from_position(entry.score, ply);
        let data = pack(entry, generation);
        victim.write(key.0, data);
    }

    /// Has the processor load the bucket of a position that is about to be probed.
    #[inline]
    pub fn prefetch(&self, key: Key) {
        arch::prefetch(self.bucket(key));
    }

    #[inline]
    fn bucket(&self, key: Key) -> &[Slot; BUCKET_ENTRIES] {
        // Maps the key onto any number of buckets, by its upper bits.
        let part = self.part.load(Relaxed);
        let index = (u128::from(key.0) * part as u128) >> 64;
        &self.buckets[index as usize].0
    }
}

impl Slot {
    /// Returns the key and the entry. Of halves that do not belong together the key is nonsense.
    #[inline]
    fn read(&self) -> (Key, u64) {
        let data = self.data.load(Relaxed);
        (Key(self.check.load(Relaxed) ^ data), data)
    }

    #[inline]
    fn write(&self, key: u64, data: u64) {
        self.check.store(key ^ data, Relaxed);
        self.data.store(data, Relaxed);
    }
}

/// Returns how many buckets of a table are in use at first.
fn least_part(mut buckets: usize) -> usize {
    while buckets.is_multiple_of(2) && buckets / 2 >= LEAST_PART {
        buckets /= 2;
    }
    buckets
}

/// Returns how much an entry is worth keeping: its depth, less for each search since it was written.
#[inline]
fn worth(data: u64, generation: u8) -> i32 {
    if data == 0 {
        return i32::MIN;
    }
    let age = (generation + GENERATIONS - generation_of(data)) % GENERATIONS;
    depth_of(data) - PLIES_PER_GENERATION * i32::from(age)
}

/// Says whether what is stored about a position was found in this search, and by so much deeper a search that a new bound on it is
/// worth less: `ProbCut`, for one, asks about a node at a low depth.
#[inline]
fn is_much_deeper(data: u64, new: Entry, generation: u8) -> bool {
    let is_present = generation_of(data) == generation;
    is_present && new.bound != Bound::Exact && depth_of(data) >= new.depth + PLIES_TO_KEEP
}

/// Packs an entry: bits 0 to 15 are the move, 16 to 31 the score, 32 to 39 the depth, 40 and 41 the bound, 42 to 47 the generation.
#[inline]
fn pack(entry: Entry, generation: u8) -> u64 {
    let bound = match entry.bound {
        Bound::Upper => 1,
        Bound::Lower => 2,
        Bound::Exact => 3,
    };
    u64::from(entry.best.0)
        | u64::from(entry.score.0 as i16 as u16) << 16
        | (entry.depth.clamp(0, 255) as u64) << 32
        | bound << 40
        | u64::from(generation) << 42
}

#[inline]
fn unpack(data: u64) -> Option<Entry> {
    let bound = match data >> 40 & 3 {
        1 => Bound::Upper,
        2 => Bound::Lower,
        3 => Bound::Exact,
        _ => return None,
    };
    Some(Entry {
        best: MoveCode(data as u16),
        score: Score(i32::from((data >> 16) as u16 as i16)),
        depth: depth_of(data),
        bound,
    })
}

#[inline]
fn depth_of(data: u64) -> Depth {
    Depth::from((data >> 32) as u8)
}

#[inline]
fn generation_of(data: u64) -> u8 {
    (data >> 42) as u8 % GENERATIONS
}

/// Turns the plies to a proven end from "since the root" into "since this position".
fn from_position(score: Score, ply: Ply) -> Score {
    shift_end(score, ply)
}

/// Turns the plies to a proven end from "since this position" into "since the root".
fn from_root(score: Score, ply: Ply) -> Score {
    shift_end(score, -ply)
}

#[inline]
fn shift_end(score: Score, plies: Ply) -> Score {
    if !score.is_decided() {
        score
    } else if score > Score::DRAW {
        score + plies
    } else {
        score - plies
    }
}
