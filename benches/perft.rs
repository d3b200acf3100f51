//! How fast moves are generated and counted.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use mainroad::notation::fen;
use mainroad::rules::{Variant, perft};
use mainroad::with_rules;
use std::hint::black_box;

/// The start is men only; the second position is all kings.
const POSITIONS: [(&str, &str, u32); 2] = [
    ("start", "W:W21-32:B1-12", 7),
    ("kings", "W:WK21-K32:BK1-K12", 5),
];

fn leaves(criterion: &mut Criterion) {
    for variant in [Variant::Russian, Variant::Pool, Variant::Brazilian] {
        let mut group = criterion.benchmark_group(format!("perft/{variant}"));
        for (name, text, depth) in POSITIONS {
            let pos = fen::parse(text).expect("the position is legal");
            let count = |pos| with_rules!(variant, R => perft::<R>(pos, depth));
            group.throughput(Throughput::Elements(count(&pos)));
            group.bench_function(name, |bencher| bencher.iter(|| count(black_box(&pos))));
        }
        group.finish();
    }
}

criterion_group!(benches, leaves);
criterion_main!(benches);
