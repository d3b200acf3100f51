//! `mainroad tables`: output, exit codes, folders that are shared or bad.

use super::{folder, plan};
use mainroad::egdb::make::{self, Plan, Progress};
use mainroad::egdb::{Slice, Tables, Value, verify};
use mainroad::rules::Russian;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

fn run(args: &[&str]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_mainroad"));
    program
        .arg("tables")
        .args(args)
        .output()
        .expect("it was built")
}

#[track_caller]
fn objects(args: &[&str]) -> Vec<serde_json::Value> {
    let output = run(args);
    assert_eq!(output.status.code(), Some(0), "{args:?}");
    assert!(output.stderr.is_empty(), "{args:?}");
    let text = String::from_utf8(output.stdout).expect("output is UTF-8");
    let parse = |line| serde_json::from_str(line).expect("every line is an object");
    text.lines().map(parse).collect()
}

#[test]
fn probe_command() {
    let found = &objects(&["probe", "--fen", "W:WKa1:BKb2", "--json"])[0];
    assert_eq!(found["value"], "win");
    assert_eq!(found["rule_value"], "win");
    assert_eq!(
        (&found["distance"], &found["zeroing"]),
        (&1.into(), &1.into())
    );
    let found = &objects(&[
        "probe",
        "--fen",
        "W:WKb8:BKg1",
        "--variant",
        "pool",
        "--json",
    ])[0];
    assert_eq!(found["fen"], "W:WK1:BK32");
    assert_eq!(found["value"], "draw");
    assert!(found["distance"].is_null() && found["zeroing"].is_null());
    let moves = found["moves"].as_array().expect("it is a list");
    assert_eq!(moves.len(), 7);
    for field in ["text", "value", "rule_value", "distance", "zeroing"] {
        assert!(moves[0].get(field).is_some(), "{field}");
    }
    // More pieces than the tables have.
    let output = run(&["probe"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.starts_with(b"unknown\n"));
}

/// Single slices, once those that they lead to are there, in the folder or in the program.
#[test]
fn slices_are_built_one_by_one() {
    let folder = folder("slices");
    let only = |name: &str| Plan {
        slices: vec![name.parse().expect("it is a slice")],
        ..plan(3, 1)
    };
    let build = |name| make::folder::<Russian>(&only(name), &folder, &mut |_: &Progress| ());
    let error = build("6K-1K").expect_err("not all is there").to_string();
    assert!(error.contains("6K-1K needs 5K-1K"), "{error}");
    build("1K1M-1K").expect("the program has the rest");
    let tables = Tables::<Russian>::open_folder(&folder).expect("it is there");
    assert_eq!(tables.slices().len(), 2);
    build("1K-1K").expect("it needs nothing");
    build("1K-1M").expect("it needs one king against one");
    build("2K-1K").expect("it needs one king against one");
    let tables = Tables::<Russian>::open_folder(&folder).expect("it is there");
    let slice = "1K1M-1K".parse().expect("it is a slice");
    assert_eq!(verify::check(&tables, slice, 1).faults, 0);
    let _ = fs::remove_dir_all(&folder);
}

/// Processes that share a folder, each with a part of the slices: what another has not made yet is left out until the next call.
#[test]
fn parts_make_the_whole() {
    const SLICES: &str = "2K-1K,5K-1K,1M-1M,2K-1M";
    let (whole, parts) = (folder("whole"), folder("parts"));
    let names = [&whole, &parts].map(|folder| folder.to_str().expect("the name is UTF-8"));
    let build = |dir, shard| {
        let args = ["build", "--pieces", "6", "--slices", SLICES, "--dir", dir];
        let output = run(&[&args[..], &["--shard", shard]].concat());
        let told = String::from_utf8(output.stderr).expect("output is UTF-8");
        (output.status.code(), told)
    };
    assert_eq!(build(names[0], "1/1").0, Some(0));
    for part in ["2/3", "1/3", "3/3"] {
        assert_eq!(build(names[1], part).0, Some(0), "{part}");
    }
    let read = |folder: &PathBuf| {
        let entries = fs::read_dir(folder).expect("it is there");
        let paths = entries.map(|entry| entry.expect("it can be listed").path());
        let mut files: Vec<_> = paths
            .map(|path| {
                (
                    path.file_name().map(ToOwned::to_owned),
                    fs::read(&path).expect("it can be read"),
                )
            })
            .collect();
        files.sort();
        files
    };
    assert_eq!(read(&whole), read(&parts));
    assert_eq!(read(&whole).len(), 4);
    check_many_pieces(&whole);
    let verified = run(&["verify", "--dir", names[0], "--every", "99991"]);
    assert_eq!(verified.status.code(), Some(0), "{verified:?}");
    let (code, told) = build(names[1], "4/3");
    assert_eq!(code, Some(2), "{told}");
    let _ = fs::remove_dir_all(&whole);
    let _ = fs::remove_dir_all(&parts);
}

/// Tables of more pieces than are in the program: their blocks come and go, and they have values only.
fn check_many_pieces(folder: &std::path::Path) {
    let tables = Tables::<Russian>::open(folder).expect("it is there");
    let slice: Slice = "5K-1K".parse().expect("it is a slice");
    assert_eq!(tables.most_pieces(), 6);
    for view in [slice, slice.flipped()] {
        let checked = verify::check(&tables, view, 997);
        assert_eq!((checked.faults, checked.first), (0, None), "{view}");
    }
    // Threads that read all over the table see what one sees.
    let count = |tables: &Tables<Russian>| {
        let all = (0..slice.positions()).step_by(1_009);
        all.filter(|&index| tables.probe_wdl(&slice.position(index)) == Some(Value::Win))
            .count()
    };
    let alone = count(&Tables::open(folder).expect("it is there"));
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| count(&tables))).collect();
        for thread in threads {
            assert_eq!(thread.join().expect("it does not panic"), alone);
        }
    });
    assert!(tables.take_faults().is_empty());
}

#[test]
fn info_command() {
    let listed = objects(&["info", "--pieces", "3", "--json"]);
    assert_eq!(listed.len(), 4 + 12);
    for slice in &listed {
        let number = |field: &str| slice[field].as_u64().expect("it is a number");
        let sum = number("wins") + number("draws") + number("losses");
        assert_eq!(sum, number("positions"), "{slice}");
        assert!(
            number("longest") > 0 && slice["longest_fen"].is_string(),
            "{slice}"
        );
    }
}

/// A folder in which not everything is as it should be: one line for what is wrong, and the answer is no.
#[test]
fn bad_folders_are_no_good_news() {
    let folder = folder("bad");
    fs::create_dir_all(&folder).expect("it can be made");
    let dir = folder.to_str().expect("the name is UTF-8");
    let check = |expected: &str| {
        for command in ["verify", "info"] {
            let output = run(&[command, "--dir", dir]);
            let told = String::from_utf8(output.stderr).expect("output is UTF-8");
            assert_eq!(output.status.code(), Some(1), "{command}: {told}");
            assert!(told.contains(expected), "{command}: {told}");
            assert_eq!(told.lines().count(), 1, "{command}: {told}");
        }
    };
    check("no tables of russian");
    let file = folder.join("russian-1K-1K.tables");
    for bad in ["", "mainroad-tables 9 russian -\n"] {
        fs::write(&file, bad).expect("it can be written");
        check("head line");
    }
    fs::remove_file(&file).expect("it is there");
    #[cfg(unix)]
    {
        let made = Command::new("mkfifo").arg(&file).status();
        assert!(made.expect("mkfifo is there").success());
        check("not a file");
    }
    let _ = fs::remove_dir_all(&folder);
}

#[test]
fn build_and_verify_commands() {
    let folder = folder("commands");
    let dir = folder.to_str().expect("the name is UTF-8");
    let build = [
        "build",
        "--variant",
        "brazilian",
        "--pieces",
        "2",
        "--dir",
        dir,
    ];
    assert_eq!(run(&build).status.code(), Some(0));
    let again = run(&build);
    let told = String::from_utf8(again.stderr).expect("output is UTF-8");
    assert_eq!(told.matches("there already").count(), 3, "{told}");
    let verify = ["verify", "--variant", "brazilian", "--dir", dir];
    let output = run(&verify);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(output.stdout, b"3488 positions checked, 0 faults\n");
    fs::write(folder.join("brazilian-1K-1K.tables"), "nonsense").expect("it can be written");
    let output = run(&verify);
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8(output.stderr).expect("output is UTF-8");
    assert_eq!(told.lines().count(), 1, "{told}");
    let _ = fs::remove_dir_all(&folder);
    assert_eq!(run(&verify).status.code(), Some(1), "no folder");
}
