//! Memory that was mapped, taken for values: what the unsafe code claims, so that Miri can check it.

use super::{PAGE_BYTES, Zeros, prefetch};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread;

/// More than a page, and no multiple of one.
const LEN: usize = PAGE_BYTES / size_of::<AtomicU64>() + 3;

fn numbers(len: usize) -> Zeros<AtomicU64> {
    Zeros::new(len).expect("so little can be had")
}

#[test]
fn all_is_zero_at_first_and_keeps_what_threads_write() {
    let numbers = numbers(LEN);
    assert_eq!(numbers.len(), LEN);
    assert!(numbers.iter().all(|number| number.load(Relaxed) == 0));
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                for (number, add) in numbers.iter().zip(1..) {
                    prefetch(number);
                    number.fetch_add(add, Relaxed);
                }
            });
        }
    });
    let is_twice = |(number, added): (&AtomicU64, u64)| number.load(Relaxed) == 2 * added;
    assert!(numbers.iter().zip(1..).all(is_twice));
}

#[test]
fn a_slice_outlives_a_move_of_its_owner() {
    let owner = Box::new(numbers(LEN));
    owner[LEN - 1].store(7, Relaxed);
    let moved = thread::spawn(move || *owner).join();
    let moved = moved.expect("nothing panics");
    assert_eq!(moved[LEN - 1].load(Relaxed), 7);
}

#[test]
fn there_is_always_one_value_and_never_more_than_memory() {
    assert_eq!(numbers(0).len(), 1);
    assert!(Zeros::<AtomicU64>::new(usize::MAX).is_none());
    assert!(Zeros::<AtomicU64>::new(usize::MAX / size_of::<AtomicU64>()).is_none());
}
