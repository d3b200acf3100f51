//! How fast the search visits positions.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use mainroad::rules::{Game, Rules, Variant};
use mainroad::search::{Control, Limits, Report, Task, Team};
use mainroad::tt::Table;
use mainroad::with_rules;

const NODES: u64 = 200_000;

fn nodes(criterion: &mut Criterion) {
    let team = Team::new(1).expect("one thread can be had");
    let table = Table::new(16).expect("16 MiB can be had");
    let mut group = criterion.benchmark_group("search");
    group
        .throughput(Throughput::Elements(NODES))
        .sample_size(20);
    for variant in [Variant::Russian, Variant::Pool, Variant::Brazilian] {
        group.bench_function(variant.name(), |bencher| {
            bencher.iter(|| {
                table.clear();
                let limits = Limits {
                    nodes: Some(NODES),
                    ..Limits::default()
                };
                let silent = &mut |_: &Report| ();
                with_rules!(variant, R => {
                    Task::new(Game::<R>::from_position(R::start()), limits)
                        .run(&team, &table, &Control::new(), silent)
                })
            });
        });
    }
    group.finish();
}

criterion_group!(benches, nodes);
criterion_main!(benches);
