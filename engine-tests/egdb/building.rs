//! Building tables: the same bytes every time; and files that are damaged.

use super::{embedded, folder, plan, position, slices};
use mainroad::egdb::make::{self, Plan, Progress};
use mainroad::egdb::{Slice, Tables};
use mainroad::rules::{Pool, Russian};
use std::fs;
use std::process::Command;

/// The same bytes with any number of threads, and after an interruption.
#[test]
fn building_is_repeatable() {
    let archive = |threads| {
        make::archive::<Russian, Russian>(&plan(3, threads), None, &mut |_: &Progress| ())
            .expect("nothing stands in the way")
    };
    assert_eq!(archive(1), archive(3));
    let folder = folder("repeatable");
    let build = |threads| {
        make::folder::<Pool>(&plan(3, threads), &folder, &mut |_: &Progress| ())
            .expect("it can be written");
        let mut files = Vec::new();
        for entry in fs::read_dir(&folder).expect("it is there") {
            let path = entry.expect("it can be listed").path();
            let bytes = fs::read(&path).expect("it can be read");
            files.push((path, bytes));
        }
        files.sort();
        files
    };
    let files = build(2);
    assert_eq!(files.len(), 9);
    fs::remove_file(folder.join("pool-2K-1K.tables")).expect("it is there");
    fs::write(folder.join("pool-1K1M-1K.tables"), "half").expect("it can be written");
    assert_eq!(build(1), files);
    // What was built is what is in the program.
    let (from_files, program) = (
        Tables::<Pool>::open_folder(&folder).expect("it is there"),
        embedded::<Pool>(),
    );
    for slice in (2..=3).flat_map(slices) {
        for index in (0..slice.positions()).step_by(7) {
            let pos = slice.position(index);
            assert_eq!(from_files.probe_wdl(&pos), program.probe_wdl(&pos));
            assert_eq!(from_files.probe_dtc(&pos), program.probe_dtc(&pos));
            assert_eq!(from_files.probe_dtz(&pos), program.probe_dtz(&pos));
        }
    }
    let _ = fs::remove_dir_all(&folder);
}

/// Tables have the same fingerprint if and only if they hold the same.
#[test]
fn fingerprints_tell_tables_apart() {
    let folder = folder("fingerprints");
    let fingerprint = |slices: &[Slice]| {
        let _ = fs::remove_dir_all(&folder);
        let plan = Plan {
            slices: slices.to_vec(),
            ..plan(2, 1)
        };
        make::folder::<Pool>(&plan, &folder, &mut |_: &Progress| ()).expect("it can be written");
        let tables = Tables::<Pool>::open_folder(&folder).expect("it is there");
        tables.fingerprint()
    };
    let slices = Slice::up_to(2);
    let mut found = vec![
        Tables::<Pool>::none().fingerprint(),
        embedded::<Pool>().fingerprint(),
        embedded::<Russian>().fingerprint(),
    ];
    for slices in [&slices[..], &slices[1..], &slices[..1]] {
        found.push(fingerprint(slices));
        assert_eq!(found.last(), Some(&fingerprint(slices)), "{slices:?}");
    }
    let count = found.len();
    found.sort_unstable();
    found.dedup();
    assert_eq!(found.len(), count);
    let _ = fs::remove_dir_all(&folder);
}

/// What processes that were killed have left of any game's files is removed, but nothing that is still written or is somebody else's, and
/// nothing that is no file.
#[cfg(unix)]
#[test]
fn leftovers_are_removed() {
    let folder = folder("leftovers");
    fs::create_dir_all(&folder).expect("it can be made");
    let names = [
        ("pool-1K-1K.4194304.tmp", false),
        ("pool-2K1M-1K.17.tmp", false),
        ("pool-1K-1M.4194305.tmp", true),
        ("russian-1K-1K.4194304.tmp", false),
        ("chess-1K-1K.4194304.tmp", true),
        ("pool-1K-1K.tmp", true),
        ("pool-1K-1K.draft.tmp", true),
        ("pool-notes.1.tmp", true),
        ("pool-1M-1M.18.tmp", true),
        ("pool-2K-1K.19.tmp", true),
    ];
    for (name, _) in &names[..8] {
        fs::write(folder.join(name), "half").expect("it can be written");
    }
    fs::create_dir(folder.join(names[8].0)).expect("it can be made");
    let pipe = Command::new("mkfifo").arg(folder.join(names[9].0)).status();
    assert!(pipe.expect("mkfifo is there").success());
    let written = fs::File::open(folder.join(names[2].0)).expect("it is there");
    written.lock().expect("nobody else writes it");
    make::folder::<Pool>(&plan(2, 1), &folder, &mut |_: &Progress| ()).expect("it can be written");
    for (name, stays) in names {
        assert_eq!(folder.join(name).exists(), stays, "{name}");
    }
    let _ = fs::remove_dir_all(&folder);
}

/// A damaged or shortened file gives one message and no wrong value.
#[test]
fn damage_is_found() {
    let folder = folder("damage");
    make::folder::<Russian>(&plan(2, 1), &folder, &mut |_: &Progress| ())
        .expect("it can be written");
    let path = folder.join("russian-1K-1M.tables");
    let whole = fs::read(&path).expect("it is there");
    let truth = embedded::<Russian>();
    let slice: Slice = "1K-1M".parse().expect("it is a slice");
    let check = |bytes: &[u8], what: &str| {
        fs::write(&path, bytes).expect("it can be written");
        let tables = Tables::<Russian>::open_folder(&folder).expect("the folder is there");
        let mut unknown = 0;
        for slice in [slice, slice.flipped()] {
            for index in 0..slice.positions() {
                let pos = slice.position(index);
                match tables.probe_wdl(&pos) {
                    None => unknown += 1,
                    value => assert_eq!(value, truth.probe_wdl(&pos), "{what}"),
                }
                if let Some(plies) = tables.probe_dtz(&pos) {
                    assert_eq!(Some(plies), truth.probe_dtz(&pos), "{what}");
                }
                if let Some(plies) = tables.probe_dtc(&pos) {
                    assert_eq!(Some(plies), truth.probe_dtc(&pos), "{what}");
                }
            }
        }
        tables.check_blocks();
        let faults = tables.take_faults();
        assert!(faults.len() <= 1, "{what}: {faults:?}");
        assert!(faults.iter().all(|fault| !fault.to_string().contains('\n')));
        (unknown, faults.len())
    };
    assert_eq!(check(&whole, "whole"), (0, 0));
    for length in 0..whole.len() {
        let (unknown, faults) = check(&whole[..length], "short");
        assert!(unknown > 0 && faults == 1, "cut after {length} bytes");
    }
    let mut found = 0;
    for at in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x10;
        found += check(&bytes, "bent").1;
    }
    assert_eq!(found, whole.len(), "every bent byte is found");
    fs::remove_file(&path).expect("it is there");
    let tables = Tables::<Russian>::open(&folder).expect("the rest is there");
    assert!(
        tables.probe_wdl(&position("W:WK32:B1")).is_some(),
        "the program has it"
    );
    let _ = fs::remove_dir_all(&folder);
    assert!(Tables::<Russian>::open(&folder).is_err(), "no folder");
}
