//! Blocks of large tables in memory: as many as there is room for.
//!
//! Tables of six and more pieces are larger than most memories once they are inflated, so their blocks come and go. A block may lie in any of
//! the four places of one set, which follows from its key. Reading takes the set's lock shared, so readers of the same block do not wait for
//! each other; the set is locked for others only while a block is put in. When a set is full, a block goes that has not been read since
//! the clock's hand last came by (Fernando Corbató, "A paging experiment with the Multics system", 1968).

use parking_lot::RwLock;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Blocks in a set.
const WAYS: usize = 4;

/// The bytes of a block; `None` if it is damaged.
pub(super) type Block = Option<Box<[u8]>>;

/// Names a block: the number of its table, and its own number there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Key {
    pub(super) table: u32,
    pub(super) block: u32,
}

/// Blocks, found by their keys.
pub(super) struct Cache {
    sets: Box<[RwLock<Set>]>,
}

#[derive(Default)]
struct Set {
    entries: [Option<Entry>; WAYS],
    /// Where the clock's hand is.
    hand: usize,
}

struct Entry {
    key: Key,
    bytes: Block,
    was_read: AtomicBool,
}

impl Cache {
    /// Makes room for so many blocks, rounded down to whole sets, but for one set at least.
    pub(super) fn new(blocks: usize) -> Self {
        let sets = (blocks / WAYS).max(1);
        Self {
            sets: (0..sets).map(|_| RwLock::default()).collect(),
        }
    }

    /// Reads from a block. It is made if it is not there; `None` if it cannot be.
    #[inline]
    pub(super) fn read<T>(
        &self,
        key: Key,
        pick: impl Fn(&[u8]) -> T,
        make: impl FnOnce() -> Block,
    ) -> Option<T> {
        let set = &self.sets[self.place(key)];
        if let Some(entry) = set.read().find(key) {
            entry.was_read.store(true, Relaxed);
            return entry.bytes.as_deref().map(pick);
        }
        // The lock is not held meanwhile: another thread may make the same block, which costs less than having all wait.
        let bytes = make();
        let picked = bytes.as_deref().map(pick);
        set.write().put(key, bytes);
        picked
    }

    /// Returns the number of the set of a key: neighbours in different ones, tables scattered.
    #[inline]
    fn place(&self, Key { table, block }: Key) -> usize {
        let mixed = block.wrapping_add(table.wrapping_mul(0x9E37_79B9));
        let hash = mixed.wrapping_mul(0x9E37_79B1);
        ((u64::from(hash) * self.sets.len() as u64) >> 32) as usize
    }
}

impl Set {
    #[inline]
    fn find(&self, key: Key) -> Option<&Entry> {
        self.entries.iter().flatten().find(|entry| entry.key == key)
    }

    fn put(&mut self, key: Key, bytes: Block) {
        if self.find(key).is_some() {
            return;
        }
        let free = self.entries.iter().position(Option::is_none);
        let place = free.unwrap_or_else(|| self.oldest());
        self.entries[place] = Some(Entry {
            key,
            bytes,
            was_read: AtomicBool::new(false),
        });
    }

    /// Returns the place of the first block behind the hand that has not been read since the hand came by.
    fn oldest(&mut self) -> usize {
        loop {
            let place = self.hand;
            self.hand = (place + 1) % WAYS;
            let was_read = |entry: &Entry| entry.was_read.swap(false, Relaxed);
            if !self.entries[place].as_ref().is_some_and(was_read) {
                return place;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads a block whose bytes are its number, and says whether it had to be made.
    fn read(cache: &Cache, block: u32) -> bool {
        let mut is_made = false;
        let make = || {
            is_made = true;
            Some(block.to_le_bytes().into())
        };
        let key = Key { table: 3, block };
        let found = cache.read(key, <[u8]>::to_vec, make);
        assert_eq!(found, Some(block.to_le_bytes().to_vec()));
        is_made
    }

    #[test]
    fn blocks_stay_while_there_is_room() {
        let cache = Cache::new(4);
        assert!((0..4).all(|block| read(&cache, block)));
        assert!((0..4).all(|block| !read(&cache, block)));
    }

    #[test]
    fn what_is_not_read_goes_first() {
        let cache = Cache::new(4);
        for block in 0..4 {
            read(&cache, block);
        }
        for block in [0, 1, 3] {
            read(&cache, block);
        }
        assert!(read(&cache, 9), "it takes the place of 2");
        assert!([0, 1, 3, 9].iter().all(|&block| !read(&cache, block)));
        assert!(read(&cache, 2));
    }

    #[test]
    fn more_blocks_than_room() {
        let cache = Cache::new(40);
        for round in 0..3 {
            for block in 0..400 {
                read(&cache, block * 7 + round);
            }
        }
    }

    #[test]
    fn tables_are_told_apart() {
        let cache = Cache::new(64);
        for table in 0..4 {
            let make = || Some([table as u8].into());
            let found = cache.read(Key { table, block: 5 }, |bytes| bytes[0], make);
            assert_eq!(found, Some(table as u8));
        }
    }

    #[test]
    fn damaged_blocks_are_made_once() {
        let cache = Cache::new(4);
        let key = Key { table: 0, block: 0 };
        assert_eq!(cache.read(key, <[u8]>::len, || None), None);
        let again = cache.read(key, <[u8]>::len, || {
            unreachable!("it is known to be damaged")
        });
        assert_eq!(again, None);
    }
}
