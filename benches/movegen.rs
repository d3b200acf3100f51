//! How fast moves are listed, counted and made, one position at a time.

mod positions;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use mainroad::board::{Key, Move, MoveList, Position};
use mainroad::rules::{
    DrawCounters, Rules, Variant, capture_moves, count_moves, legal_moves, quiet_moves,
};
use mainroad::with_rules;
use positions::{SETS, read};
use std::hint::black_box;
use std::time::Duration;

/// One rule set for each way in which pieces move.
const VARIANTS: [Variant; 3] = [Variant::Russian, Variant::Pool, Variant::Brazilian];

fn group<'c>(criterion: &'c mut Criterion, name: &str) -> BenchmarkGroup<'c, WallTime> {
    let mut group = criterion.benchmark_group(name);
    group
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1));
    group
}

/// Measures what is done to each position of each set; the unit is a position.
fn bench_positions(
    criterion: &mut Criterion,
    name: &str,
    mut visit: impl FnMut(&Position, &mut MoveList),
) {
    let mut group = group(criterion, name);
    for (set, texts) in SETS {
        let positions = read(&texts);
        let mut moves = MoveList::new();
        group.throughput(Throughput::Elements(positions.len() as u64));
        group.bench_function(set, |bencher| {
            bencher.iter(|| {
                for pos in &positions {
                    visit(black_box(pos), &mut moves);
                }
            });
        });
    }
    group.finish();
}

fn listing_captures(criterion: &mut Criterion) {
    for variant in VARIANTS {
        with_rules!(variant, R => {
            bench_positions(criterion, &format!("captures/{variant}"), |pos, moves| {
                capture_moves::<R>(pos, moves);
                black_box(moves);
            });
        });
    }
}

/// Listed whether or not there is a capture, and the same under all rules.
fn listing_quiets(criterion: &mut Criterion) {
    bench_positions(criterion, "quiets", |pos, moves| {
        quiet_moves(pos, moves);
        black_box(moves);
    });
}

fn counting(criterion: &mut Criterion) {
    for variant in VARIANTS {
        with_rules!(variant, R => {
            bench_positions(criterion, &format!("count/{variant}"), |pos, _| {
                black_box(count_moves::<R>(pos));
            });
        });
    }
}

/// What a search does for each move: the position after it, its key and its counters. The unit is a move.
fn making_moves(criterion: &mut Criterion) {
    for variant in VARIANTS {
        let mut group = group(criterion, &format!("play/{variant}"));
        for (set, texts) in SETS {
            let moves = with_rules!(variant, R => all_moves::<R>(&read(&texts)));
            group.throughput(Throughput::Elements(moves.len() as u64));
            group.bench_function(set, |bencher| {
                bencher.iter(|| with_rules!(variant, R => make::<R>(&moves)));
            });
        }
        group.finish();
    }
}

/// A legal move with all that is known before it is made.
struct Step {
    pos: Position,
    key: Key,
    counters: DrawCounters,
    mv: Move,
}

fn all_moves<R: Rules>(positions: &[Position]) -> Vec<Step> {
    let mut steps = Vec::new();
    for &pos in positions {
        let mut moves = MoveList::new();
        legal_moves::<R>(&pos, &mut moves);
        steps.extend(moves.iter().map(|&mv| Step {
            pos,
            key: Key::of(&pos),
            counters: DrawCounters::default(),
            mv,
        }));
    }
    steps
}

fn make<R: Rules>(steps: &[Step]) {
    for step in steps {
        let Step {
            pos,
            key,
            counters,
            mv,
        } = black_box(step);
        let after = pos.play(*mv);
        black_box((
            after,
            key.after(pos, *mv),
            counters.after::<R>(pos, *mv, &after),
        ));
    }
}

criterion_group!(
    benches,
    listing_captures,
    listing_quiets,
    counting,
    making_moves
);
criterion_main!(benches);
