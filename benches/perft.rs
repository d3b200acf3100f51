//! How fast leaves are counted.

mod positions;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use mainroad::rules::{Variant, perft};
use mainroad::with_rules;
use positions::{KINGS, MIXTURES, SETS, START, read};
use std::hint::black_box;
use std::time::Duration;

/// The yardsticks: the start, kings only, and three mixtures of kings and men.
const YARDSTICKS: [(&str, &str, u32); 5] = [
    ("start", START, 8),
    ("kings", KINGS, 6),
    ("mixture-1", MIXTURES[0], 6),
    ("mixture-2", MIXTURES[1], 6),
    ("mixture-3", MIXTURES[2], 6),
];

/// The depth to which the trees of a set are counted.
const SET_DEPTH: u32 = 4;

fn leaves(criterion: &mut Criterion) {
    for variant in [Variant::Russian, Variant::Pool, Variant::Brazilian] {
        let mut group = criterion.benchmark_group(format!("perft/{variant}"));
        group
            .warm_up_time(Duration::from_millis(300))
            .measurement_time(Duration::from_secs(1));
        let single = YARDSTICKS.map(|(name, text, depth)| (name.to_owned(), vec![text], depth));
        let sets = SETS.map(|(name, texts)| (format!("set-{name}"), texts.to_vec(), SET_DEPTH));
        for (name, texts, depth) in single.into_iter().chain(sets) {
            let positions = read(&texts);
            let count = || -> u64 {
                positions
                    .iter()
                    .map(|pos| with_rules!(variant, R => perft::<R>(black_box(pos), depth)))
                    .sum()
            };
            group.throughput(Throughput::Elements(count()));
            group.bench_function(name, |bencher| bencher.iter(count));
        }
        group.finish();
    }
}

criterion_group!(benches, leaves);
criterion_main!(benches);
