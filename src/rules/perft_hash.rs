//! Perft with a cache: a position that is reached by several orders of moves is counted once.
//!
//! A count is looked up by the whole position and the depth, not by a fingerprint of them, so no count is ever that of another
//! position. All threads share the cache without waiting for each other. A slot has a version, odd while a thread writes to it: what was
//! read under two different versions, or under an odd one, is not used, and a thread that finds another one writing does not
//! write. (Hans-J. Boehm, "Can seqlocks get along with programming language memory models?", 2012,
//! <https://doi.org/10.1145/2247684.2247688>.) The pairs of words of the search's table are cheaper, but
//! make a false hit only unlikely.
//!
//! With a cache a count can pass 64 bits within seconds, as where two kings move to and fro; it then stays at [`u64::MAX`].

#[cfg(test)]
mod tests;

use super::perft::divide_by;
use super::{Rules, legal_moves, perft};
use crate::arch::Zeros;
use crate::board::{Bitboard, Move, MoveList, Position, Side};
use bytemuck::Zeroable;
use std::marker::PhantomData;
use std::sync::atomic::{
    AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
    fence,
};

/// Trees of a smaller depth are counted without the cache. Compared with this value, 2 takes 1.5 times as long with kings on both sides
/// and twice as long from the start position; 4 takes 1.5 times as long with kings, and as long as this from the start.
const LEAST_DEPTH: u32 = 3;

/// Counts the leaves at a depth, below 2^31, like [`perft`](super::perft), with the help of a cache. A larger count than [`u64::MAX`] is
/// given as that.
pub fn perft_hashed<R: Rules>(pos: &Position, depth: u32, cache: &PerftCache<R>) -> u64 {
    if depth < LEAST_DEPTH {
        return perft::<R>(pos, depth);
    }
    let tree = Tree::of(pos, depth);
    if let Some(leaves) = cache.probe(tree) {
        return leaves;
    }
    let mut moves = MoveList::new();
    legal_moves::<R>(pos, &mut moves);
    let leaves = moves
        .iter()
        .map(|&mv| perft_hashed(&pos.play(mv), depth - 1, cache))
        .fold(0, u64::saturating_add);
    cache.store(tree, leaves);
    leaves
}

/// Counts the leaves below each move like [`divide`](super::divide), with the help of a cache that all threads share.
pub fn divide_hashed<R: Rules>(
    pos: &Position,
    depth: u32,
    cache: &PerftCache<R>,
) -> Vec<(Move, u64)> {
    divide_by::<R>(pos, depth, |pos, depth| perft_hashed(pos, depth, cache))
}

/// Counts of trees under the rules `R`: in each bucket a large tree and the latest one.
pub struct PerftCache<R> {
    buckets: Zeros<Bucket>,
    rules: PhantomData<R>,
}

/// Says that there is not enough memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot allocate a perft cache of {0} MiB")]
pub struct CacheTooLarge(usize);

/// Two slots on a cache line. The first keeps the deepest tree so far, the second the latest of the others.
#[derive(Zeroable)]
#[repr(C, align(64))]
struct Bucket {
    large: Slot,
    last: Slot,
}

const _: () = assert!(size_of::<Bucket>() == 64);

/// A tree and the number of its leaves. All zero is the tree of no position.
#[derive(Zeroable)]
struct Slot {
    /// Odd while a thread writes.
    version: AtomicU64,
    pieces: AtomicU64,
    kings_and_depth: AtomicU64,
    leaves: AtomicU64,
}

/// The position at the root of a tree and its depth, in full. From the lowest bit, the first word is the pieces of White and of Black
/// with 32 bits each; the second is the kings with 32 bits, the side to move with one, and the depth with 31.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Tree {
    pieces: u64,
    kings_and_depth: u64,
}

impl<R: Rules> PerftCache<R> {
    /// Makes an empty cache of about this many MiB, at least one bucket. The memory is not touched before it is used.
    pub fn new(size_mib: usize) -> Result<Self, CacheTooLarge> {
        let bytes = size_mib
            .checked_mul(1 << 20)
            .ok_or(CacheTooLarge(size_mib))?;
        let buckets = Zeros::new(bytes / size_of::<Bucket>()).ok_or(CacheTooLarge(size_mib))?;
        Ok(Self {
            buckets,
            rules: PhantomData,
        })
    }

    #[inline]
    fn probe(&self, tree: Tree) -> Option<u64> {
        let bucket = self.bucket(tree);
        bucket.large.read(tree).or_else(|| bucket.last.read(tree))
    }

    #[inline]
    fn store(&self, tree: Tree, leaves: u64) {
        let bucket = self.bucket(tree);
        if depth_in(tree.kings_and_depth) >= bucket.large.depth() {
            bucket.large.write(tree, leaves);
        } else {
            bucket.last.write(tree, leaves);
        }
    }

    #[inline]
    fn bucket(&self, tree: Tree) -> &Bucket {
        // Maps the mixture onto any number of buckets, by its upper bits.
        let index = (u128::from(tree.mixed()) * self.buckets.len() as u128) >> 64;
        &self.buckets[index as usize]
    }
}

impl Slot {
    /// Returns the number of leaves if the slot holds this tree.
    #[inline]
    fn read(&self, tree: Tree) -> Option<u64> {
        let version = self.version.load(Acquire);
        let found = Tree {
            pieces: self.pieces.load(Relaxed),
            kings_and_depth: self.kings_and_depth.load(Relaxed),
        };
        if found != tree || !version.is_multiple_of(2) {
            return None;
        }
        let leaves = self.leaves.load(Relaxed);
        // If any of these words is newer than the version, the version that is read now is newer too.
        fence(Acquire);
        (self.version.load(Relaxed) == version).then_some(leaves)
    }

    /// Replaces what the slot holds, unless another thread is doing that.
    #[inline]
    fn write(&self, tree: Tree, leaves: u64) {
        let version = self.version.load(Relaxed);
        let (odd, even) = (version.wrapping_add(1), version.wrapping_add(2));
        let is_free = version.is_multiple_of(2)
            && self
                .version
                .compare_exchange(version, odd, Acquire, Relaxed)
                .is_ok();
        if !is_free {
            return;
        }
        fence(Release);
        self.pieces.store(tree.pieces, Relaxed);
        self.kings_and_depth.store(tree.kings_and_depth, Relaxed);
        self.leaves.store(leaves, Relaxed);
        self.version.store(even, Release);
    }

    /// Returns the depth of the tree: a guess while another thread writes, which does no harm.
    #[inline]
    fn depth(&self) -> u32 {
        depth_in(self.kings_and_depth.load(Relaxed))
    }
}

impl Tree {
    #[inline]
    fn of(pos: &Position, depth: u32) -> Self {
        debug_assert!(depth < 1 << 31, "the depth has 31 bits");
        let [white, black] = Side::BOTH.map(|side| packed(pos.pieces(side)));
        let kings = packed(pos.all_kings());
        let is_black = u64::from(pos.turn() == Side::Black);
        Self {
            pieces: white | black << 32,
            kings_and_depth: kings | is_black << 32 | u64::from(depth) << DEPTH_SHIFT,
        }
    }

    /// Returns a mixture of all bits: both halves of the product of two words (the wyhash of Wang Yi, 2019).
    #[inline]
    fn mixed(self) -> u64 {
        let a = u128::from(self.pieces ^ 0x9E37_79B9_7F4A_7C15);
        let b = u128::from(self.kings_and_depth ^ 0xBF58_476D_1CE4_E5B9);
        let product = a * b;
        (product >> 64) as u64 ^ product as u64
    }
}

/// The lowest bit of the depth.
const DEPTH_SHIFT: u32 = 33;

fn depth_in(kings_and_depth: u64) -> u32 {
    (kings_and_depth >> DEPTH_SHIFT) as u32
}

/// Returns a set of dark squares in 32 bits. Turned upside down, the dark squares of one half of the board become the light ones of the
/// other, so that both halves fit into the lower one.
#[inline]
fn packed(set: Bitboard) -> u64 {
    u64::from((set.0 | set.0.swap_bytes()) as u32)
}
