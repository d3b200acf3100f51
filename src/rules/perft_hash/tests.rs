//! One slot under attack: what the tests from outside meet too rarely.

use super::{Slot, Tree};
use bytemuck::Zeroable;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

/// Without the version, a few of the millions of counts read in this time are wrong, in most runs.
const TIME: Duration = Duration::from_secs(1);

fn tree(number: u64) -> Tree {
    Tree {
        pieces: number,
        kings_and_depth: number,
    }
}

#[test]
fn a_slot_never_mixes_two_trees() {
    let slot = Slot::zeroed();
    let is_over = AtomicBool::new(false);
    let attack = || {
        while !is_over.load(Relaxed) {
            for number in 1..=2 {
                slot.write(tree(number), number);
            }
        }
    };
    let wrong = thread::scope(|scope| {
        scope.spawn(attack);
        scope.spawn(attack);
        let started = Instant::now();
        let mut wrong = 0;
        while started.elapsed() < TIME {
            for number in (1..=2).cycle().take(1000) {
                let leaves = slot.read(tree(number));
                wrong += u32::from(leaves.is_some_and(|leaves| leaves != number));
            }
        }
        is_over.store(true, Relaxed);
        wrong
    });
    assert_eq!(wrong, 0);
}
