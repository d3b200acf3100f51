//! One bucket that threads write and read at once, small enough for Miri. `engine-tests/table.rs` has the large tests.

use super::{Entry, MoveCode, Table};
use crate::board::Key;
use crate::score::{Bound, Score};
use std::thread;

/// Keys, more than the bucket holds.
const KEYS: u64 = 6;

/// How often a thread goes through the keys.
const ROUNDS: u64 = 8;

/// An entry that tells its key, and depends on the round in nothing but the depth, so that entries of one key differ too.
fn entry(key: u64, round: u64) -> Entry {
    Entry {
        best: MoveCode(key as u16),
        score: Score(key as i32),
        depth: round as i32,
        bound: Bound::Exact,
    }
}

#[test]
fn an_entry_is_found_whole_or_not_at_all() {
    // One bucket: Miri goes over the whole slice at each look.
    let table = Table::new(0).expect("so little can be had");
    table.next_generation();
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                for round in 0..ROUNDS {
                    for key in 1..=KEYS {
                        table.prefetch(Key(key));
                        table.store(Key(key), 0, entry(key, round));
                        if let Some(found) = table.probe(Key(key), 0) {
                            assert_eq!(found, entry(key, found.depth as u64));
                        }
                    }
                }
            });
        }
    });
}
