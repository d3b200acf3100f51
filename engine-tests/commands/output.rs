//! What is written: files that are replaced as a whole, and standard output that takes nothing more.

use super::{Run, ask, folder, program, run, run_with, start};
use mainroad::unfinished;
use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

#[test]
fn a_diagram_is_written_as_a_whole() {
    let folder = folder("svg");
    let path = folder.join("diagram.svg");
    let file = path.to_str().expect("the path is UTF-8");
    let read = || fs::read_to_string(&path).expect("it is there");
    let board = ["board", "--variant", "pool", "--moves", "11-15 22-18 15x22"];

    let text = run(&[&board[..], &["--svg", file]].concat());
    assert_eq!((text.code, text.err.as_str()), (0, ""));
    assert_eq!(text.out, run(&board).out, "the text is there all the same");
    let diagram = run(&[&board[..], &["--svg", "-"]].concat()).out;
    assert_eq!(read(), diagram);

    let bad = run(&["board", "--fen", "W:W33:B1", "--svg", file]);
    assert_eq!((bad.code, bad.out.as_str()), (1, ""));
    assert_eq!(read(), diagram, "a bad position replaces nothing");

    let answer = ask(&["board", "--fen", "W:W21:B1", "--svg", file, "--json"]);
    assert_eq!(answer["fen"], "W:W21:B1");
    assert!(read().contains("FEN W:W21:B1</desc>"));
    let files = fs::read_dir(&folder).expect("it is there");
    assert_eq!(files.count(), 1, "nothing else is left behind");
    fs::remove_dir_all(folder).expect("it is there");
}

/// What processes that were killed have left of a file is removed when the file is written again, but nothing that is still written, is
/// somebody else's or no file.
#[cfg(unix)]
#[test]
fn leftovers_are_removed() {
    let folder = folder("leftovers");
    let path = |name: &str| folder.join(name).display().to_string();
    let (games, out) = (path("games.pdn"), path("out"));
    fs::write(&games, "1. c3-d4 b6-a5 *\n\n".repeat(2)).expect("it can be written");
    let names = [
        ("4194304.tmp", false),
        ("17.tmp", false),
        ("4194305.tmp", true),
        ("draft.tmp", true),
        ("tmp", true),
        ("18.tmp.old", true),
        ("old.19.tmp", true),
        ("20.tmp", true),
        ("+21.tmp", true),
    ];
    let book = ["book", "build", "--positions", "1"];
    let analyse = ["analyse", &games, "--depth", "1", "--threads", "1"];
    for (args, writes) in [
        (&["board", "--svg", &out][..], &["out"][..]),
        (&["pdn", "convert", &games, &out], &["out"]),
        (
            &[&book[..], &["--depth", "1", "--out", &out]].concat(),
            &["out"],
        ),
        (
            &[&analyse[..], &["--out", &out, "--report", &path("page")]].concat(),
            &["out", "page", "page-2"],
        ),
    ] {
        for file in writes {
            let path = |ending: &str| folder.join(format!("{file}.{ending}"));
            let _ = fs::remove_file(folder.join(file));
            for &(ending, _) in &names[..7] {
                fs::write(path(ending), "half").expect("it can be written");
            }
            fs::write(path(names[8].0), "mine").expect("it can be written");
            let pipe = Command::new("mkfifo").arg(path(names[7].0)).status();
            assert!(pipe.expect("mkfifo is there").success());
        }
        let is_written = |file: &&str| {
            let file = fs::File::open(folder.join(format!("{file}.{}", names[2].0)));
            let file = file.expect("it is there");
            file.lock().expect("nobody else writes it");
            file
        };
        let written: Vec<fs::File> = writes.iter().map(is_written).collect();
        let run = run(args);
        assert_eq!(run.code, 0, "{args:?}: {}", run.err);
        drop(written);
        for file in writes {
            assert!(folder.join(file).exists(), "{args:?}");
            for (ending, stays) in names {
                let path = folder.join(format!("{file}.{ending}"));
                assert_eq!(path.exists(), stays, "{args:?}: {}", path.display());
                let _ = fs::remove_file(path);
            }
        }
    }
    fs::remove_dir_all(folder).expect("it is there");
}

/// In containers that share a folder processes have the same number: no unfinished file is taken from whoever writes it, and what is in the way,
/// be it a folder, is left alone.
#[test]
fn unfinished_files_of_the_same_number_stay_apart() {
    let folder = folder("unfinished");
    let stem = folder.join("out");
    let in_the_way = folder.join(format!("out.{}.tmp", std::process::id()));
    fs::create_dir(&in_the_way).expect("it can be made");
    let (first, second) = (unfinished::create(&stem), unfinished::create(&stem));
    let ((file, first), (_other, second)) = (first.expect("it can"), second.expect("it can"));
    assert!(first != second && in_the_way.is_dir());
    unfinished::remove_leftovers(&folder, |_| true);
    assert!(first.exists() && second.exists() && in_the_way.exists());
    drop(file);
    unfinished::remove_leftovers(&folder, |_| true);
    assert!(!first.exists() && second.exists() && in_the_way.exists());
    fs::remove_dir_all(folder).expect("it is there");
}

#[test]
fn books_are_built_and_probed() {
    let folder = folder("book");
    let path = folder.join("small.book");
    let file = path.to_str().expect("the path is UTF-8");
    let built = run(&[
        "book",
        "build",
        "--variant",
        "pool",
        "--positions",
        "2",
        "--depth",
        "1",
        "--out",
        file,
    ]);
    assert_eq!((built.code, built.out.as_str()), (0, ""), "{}", built.err);
    let names = fs::read_dir(&folder)
        .expect("it is there")
        .map(|entry| entry.expect("it is there").file_name());
    assert_eq!(
        names.collect::<Vec<_>>(),
        ["small.book"],
        "nothing else is left behind"
    );

    let known = ask(&[
        "book",
        "probe",
        "--variant",
        "pool-25",
        "--book",
        file,
        "--json",
    ]);
    let moves = known["moves"].as_array().expect("a list");
    assert!(
        !moves.is_empty() && moves.iter().all(|mv| mv["cp"].is_i64()),
        "{known}"
    );
    let text = run(&["book", "probe", "--variant", "pool", "--book", file]);
    let first = format!("{} ", moves[0]["text"].as_str().expect("a text"));
    assert!(
        text.code == 0 && text.out.starts_with(&first),
        "{}",
        text.out
    );

    let none = run(&[
        "book",
        "probe",
        "--variant",
        "pool",
        "--book",
        file,
        "--fen",
        "B:W21:B1",
    ]);
    assert_eq!((none.code, none.err.as_str()), (1, ""));
    let other_game = run(&["book", "probe", "--variant", "russian", "--book", file]);
    assert_eq!(other_game.code, 1);
    assert!(
        other_game.err.starts_with("mainroad: error: bad book: "),
        "{}",
        other_game.err
    );

    fs::write(&path, "mainroad-book 1 pool\nB:W21:B1 | 1-7 0\n").expect("it can be written");
    let damaged = run(&["book", "probe", "--variant", "pool", "--book", file]);
    assert!(
        damaged.code == 1 && damaged.err.contains("line 2"),
        "{}",
        damaged.err
    );
    fs::remove_dir_all(folder).expect("it is there");
}

/// A link is followed: the file it leads to is replaced, not the link.
#[cfg(unix)]
#[test]
fn a_book_is_written_through_a_link() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("linked-book");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("it can be made");
    let (file, link) = (folder.join("file.book"), folder.join("link.book"));
    fs::write(&file, "mainroad-book 1 russian\n").expect("it can be written");
    std::os::unix::fs::symlink(&file, &link).expect("it can be made");
    let status = Command::new(env!("CARGO_BIN_EXE_mainroad"))
        .args(["book", "build", "--positions", "1", "--depth", "1", "--out"])
        .arg(&link)
        .stderr(Stdio::null())
        .status()
        .expect("the binary is there");
    assert!(status.success());
    assert!(link.is_symlink());
    let text = fs::read_to_string(&file).expect("it is there");
    assert!(text.contains("mainroad-book 1 russian\nW"), "{text}");
    assert_eq!(
        fs::read_dir(&folder).expect("it is there").count(),
        2,
        "nothing else is left"
    );
}

#[test]
fn a_closed_standard_output_ends_the_program_quietly() {
    for args in [
        &["moves", "--fen", "-"][..],
        &["moves"],
        &["bench", "--depth", "1"],
        &["--help"],
        &["man"],
        &["hub"],
    ] {
        let mut child = start(args);
        drop(child.stdout.take());
        let mut stdin = child.stdin.take().expect("it is a pipe");
        // Ends with an error as soon as the program has ended.
        while args.contains(&"-") && stdin.write_all(b"W:W21:B1\n").is_ok() {}
        let _ = stdin.write_all(b"hub\n");
        drop(stdin);
        let run = Run::of(child.wait_with_output().expect("it ends"));
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{args:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    for args in [
        &["moves"][..],
        &["board", "--json"],
        &["board", "--svg", "-"],
        &["perft", "1"],
        &["bench", "--depth", "1"],
        &["man"],
    ] {
        let full = fs::File::create("/dev/full").expect("Linux has it");
        let output = program(args)
            .stdout(full)
            .output()
            .expect("the program was built");
        let run = Run::of(output);
        assert_eq!(run.code, 1, "{args:?}");
        assert!(
            run.err
                .starts_with("mainroad: error: cannot write: standard output: "),
            "{args:?}: {}",
            run.err
        );
    }
}

/// A log that cannot be written is spoken of once, and the game goes on.
#[cfg(target_os = "linux")]
#[test]
fn a_full_log_is_a_warning() {
    let talk = "init\nset-param name=log value=/dev/full\npos start\nlevel depth=2\ngo analyze\ninit\nquit\n";
    let warning = "mainroad: warning: log: /dev/full: No space left on device (os error 28)\n";
    for args in [&["hub"][..], &["hub", "--log", "/dev/full"]] {
        let run = run_with(args, talk.as_bytes());
        assert_eq!((run.code, run.err.as_str()), (0, warning), "{args:?}");
        let last: Vec<&str> = run.out.lines().rev().take(2).collect();
        assert!(
            last[0] == "ready" && last[1].starts_with("done move="),
            "{args:?}: {}",
            run.out
        );
    }
}
