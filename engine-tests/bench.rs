//! The fingerprint of search and evaluation.

use crate::support::data;
use mainroad::tools::bench::{Plan, run};

fn nodes(depth: Option<i32>) -> u64 {
    run(
        &Plan {
            depth,
            ..Plan::default()
        },
        &mut |_| (),
    )
    .expect("threads and memory can be had")
    .nodes
}

/// A change of search or evaluation changes this file, and says so in its commit (`Bench: N`).
#[test]
fn the_count_is_the_golden_one() {
    let golden = std::fs::read_to_string(data("golden/bench.txt")).expect("the file is there");
    assert_eq!(nodes(None).to_string(), golden.trim());
}

#[test]
fn the_count_is_the_same_twice() {
    assert_eq!(nodes(Some(7)), nodes(Some(7)));
}
