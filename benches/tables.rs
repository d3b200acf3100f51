//! How long a look-up in the endgame tables takes.
//!
//! `hot`: the same few positions again and again, as a search asks for them; `scattered`: positions all over the tables of five pieces, each
//! of which misses the caches of the processor; `first`: the first look-up in tables just opened, which inflates one block of 64 KiB.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use mainroad::board::Position;
use mainroad::egdb::{Slice, Tables};
use mainroad::rules::{Russian, has_capture};
use std::hint::black_box;

/// Positions of each group.
const HOT: usize = 1 << 8;
const SCATTERED: usize = 1 << 18;

/// Returns so many positions of five pieces without a capture, from all slices in turn.
fn positions(count: usize) -> Vec<Position> {
    let slices = Slice::pairs(5);
    let mut numbers = 0_u64..;
    let quiet = std::iter::from_fn(|| {
        let number = numbers.next()?;
        let slice = slices[number as usize % slices.len()];
        // Steps of the golden section reach all parts of a slice.
        let step = number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        Some(slice.position(step % slice.positions()))
    });
    quiet.filter(|pos| !has_capture(pos)).take(count).collect()
}

fn look_up(criterion: &mut Criterion) {
    let tables = Tables::<Russian>::embedded().expect("they are in order");
    let mut group = criterion.benchmark_group("tables");
    for (name, count) in [("hot", HOT), ("scattered", SCATTERED)] {
        let positions = positions(count);
        group.throughput(Throughput::Elements(count as u64));
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                for pos in &positions {
                    black_box(tables.probe_quiet(pos));
                }
            });
        });
    }
    let pos = positions(1)[0];
    group.throughput(Throughput::Elements(1));
    group.bench_function("first", |bencher| {
        let opened = || Tables::<Russian>::embedded().expect("they are in order");
        bencher.iter_batched(
            opened,
            |tables| black_box(tables.probe_quiet(&pos)),
            BatchSize::SmallInput,
        );
    });
    group.finish();
}

criterion_group!(benches, look_up);
criterion_main!(benches);
