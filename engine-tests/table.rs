//! The transposition table on its own: what was stored is found, by every thread, while the part in use grows and after it was cleared;
//! and a table for which there is no memory.

use crate::support::Rng;
use mainroad::board::Key;
use mainroad::engine::{Options, Resources};
use mainroad::rules::{Game, Russian};
use mainroad::score::{Bound, Score};
use mainroad::search::{Control, Limits, Report, Task};
use mainroad::tt::{Entry, MoveCode, Table};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// The first part of a table, a MiB, holds 2^16 entries in buckets of four: of so many almost every one finds room.
const STORED: usize = 1 << 13;

/// Nodes after which 64 MiB are in use.
const NODES_FOR_ALL: u64 = 1 << 30;

fn keys(seed: u64) -> Vec<Key> {
    let mut rng = Rng(seed);
    (0..STORED).map(|_| Key(rng.next())).collect()
}

/// An entry that tells its key.
fn entry_of(key: Key) -> Entry {
    Entry {
        best: MoveCode::NONE,
        score: Score((key.0 & 0x3FF) as i32),
        depth: (key.0 >> 10 & 0x3F) as i32,
        bound: Bound::Exact,
    }
}

/// Returns how many of the entries are found, all of which must be right.
fn found(table: &Table, keys: &[Key]) -> usize {
    let entries = keys.iter().map(|&key| (key, table.probe(key, 0)));
    let present = entries.filter_map(|(key, entry)| Some((key, entry?)));
    present
        .inspect(|&(key, entry)| assert_eq!(entry, entry_of(key), "{key:?}"))
        .count()
}

fn store(table: &Table, keys: &[Key]) {
    for &key in keys {
        table.store(key, 0, entry_of(key));
    }
}

#[test]
fn nothing_is_lost_when_the_part_in_use_grows() {
    for size_mib in [1, 3, 5, 64, 100] {
        let table = Table::new(size_mib).expect("so much can be had");
        let keys = keys(1);
        table.next_generation();
        store(&table, &keys);
        let before = found(&table, &keys);
        assert!(before > STORED * 99 / 100, "{size_mib} MiB: {before}");
        for nodes in [0, 1 << 15, 1 << 16, 1 << 20, NODES_FOR_ALL] {
            table.make_room(nodes);
            assert_eq!(
                found(&table, &keys),
                before,
                "{size_mib} MiB, {nodes} nodes"
            );
        }
    }
}

#[test]
fn a_cleared_table_is_empty_and_usable() {
    let table = Table::new(64).expect("64 MiB can be had");
    let keys = keys(2);
    for nodes in [0, 1 << 18, NODES_FOR_ALL] {
        table.next_generation();
        table.make_room(nodes);
        store(&table, &keys);
        assert!(found(&table, &keys) > STORED * 99 / 100);
        table.clear();
        assert_eq!(found(&table, &keys), 0);
        // Nor does it come back when the table grows over where it was.
        table.next_generation();
        table.make_room(NODES_FOR_ALL);
        assert_eq!(found(&table, &keys), 0);
        table.clear();
    }
}

/// Threads store and look up while the part in use grows: some entries may be lost, none may be wrong.
#[test]
fn no_entry_is_wrong_while_the_part_grows() {
    for seed in 0..20 {
        let table = Table::new(64).expect("64 MiB can be had");
        let is_over = AtomicBool::new(false);
        table.next_generation();
        thread::scope(|scope| {
            for thread in 0..2 {
                let (table, is_over) = (&table, &is_over);
                scope.spawn(move || {
                    let keys = keys(100 * seed + thread);
                    while !is_over.load(Relaxed) {
                        store(table, &keys);
                        found(table, &keys);
                    }
                });
            }
            for nodes in (0..22).map(|doubling| 1 << doubling) {
                table.make_room(nodes);
            }
            is_over.store(true, Relaxed);
        });
        let keys = keys(100 * seed);
        store(&table, &keys);
        assert!(found(&table, &keys) > STORED * 99 / 100);
    }
}

#[test]
fn a_table_that_cannot_be_had_changes_nothing() {
    let old = Options {
        threads: 1,
        hash_mib: 1,
        ..Options::default()
    };
    let new = Options {
        threads: 2,
        hash_mib: usize::MAX,
        ..Options::default()
    };
    let mut resources = Resources::new(&old).expect("so little can be had");
    let error = resources.update(&old, &new).expect_err("nobody has that");
    assert_eq!(
        error.to_string(),
        format!(
            "cannot allocate a transposition table of {} MiB",
            usize::MAX
        )
    );
    assert_eq!(resources.team().threads(), 1);
}

/// A search that was told to stop, and perhaps answered for, may go on for a while where processors are busy, and stores what it finds.
#[test]
fn clearing_waits_for_the_end_of_a_search() {
    for threads in [1, 2] {
        let options = Options {
            threads,
            hash_mib: 1,
            ..Options::default()
        };
        let resources = &Resources::new(&options).expect("so little can be had");
        let control = &Control::new();
        let (report_held, held) = mpsc::channel();
        let (let_go, go_on) = mpsc::channel();
        let (report_cleared, cleared) = mpsc::channel();
        let is_early = thread::scope(|scope| {
            scope.spawn(move || {
                let observer = &mut move |report: &Report| {
                    if report.depth == 3 {
                        report_held.send(()).expect("the test listens");
                        go_on.recv().expect("the test says when");
                    }
                };
                let task = Task::new(Game::<Russian>::new(), Limits::default());
                task.run(resources.team(), resources.table(), control, observer);
            });
            held.recv().expect("it comes to the third iteration");
            control.stop();
            scope.spawn(move || {
                resources.clear();
                report_cleared.send(()).expect("the test listens");
            });
            let is_early = cleared.recv_timeout(Duration::from_millis(300)).is_ok();
            let_go.send(()).expect("the search waits");
            is_early
        });
        assert!(!is_early, "{threads} threads: cleared while one searched");
    }
}
