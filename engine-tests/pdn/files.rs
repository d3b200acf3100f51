//! `mainroad pdn` as it is built: what is printed, exit codes, pipes, files that are no files.

use crate::support::data;
use serde_json::Value;
use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;

/// Runs `mainroad pdn` with some bytes on standard input, and returns the exit code, standard output and standard error.
fn run(args: &[&str], input: &[u8]) -> (i32, String, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_mainroad"))
        .arg("pdn")
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program was built");
    let mut stdin = child.stdin.take().expect("it is a pipe");
    let Output {
        status,
        stdout,
        stderr,
    } = thread::scope(|scope| {
        scope.spawn(move || {
            // The program may end without reading everything.
            let _ = stdin.write_all(input);
        });
        child.wait_with_output().expect("it ends")
    });
    let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
    (
        status.code().expect("no signal ended it"),
        text(stdout),
        text(stderr),
    )
}

fn quirk(name: &str) -> String {
    data("pdn-quirks").join(name).display().to_string()
}

/// The path of a file that is not there.
fn new_file(name: &str) -> PathBuf {
    let path =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("pdn-{}-{name}", std::process::id()));
    let _ = fs::remove_file(&path);
    path
}

#[test]
fn check_in_text() {
    let (plain, illegal) = (quirk("01_plain.pdn"), quirk("36_illegal_then_ok.pdn"));
    let (code, out, err) = run(&["check", &plain], b"");
    assert_eq!(
        (code, out.as_str(), err.as_str()),
        (0, "1 game, 21 plies, 0 faults in 0 games\n", "")
    );
    let (code, out, err) = run(&["check", &plain, &illegal], b"");
    assert_eq!((code, err.as_str()), (1, ""));
    let expected = format!(
        "{illegal}: game 1, line 10, move 8.: \"f4-e5\" is not a legal move here\n3 games, 56 plies, 1 fault in 1 game\n"
    );
    assert_eq!(out, expected);
}

#[test]
fn check_in_json() {
    let illegal = quirk("36_illegal_then_ok.pdn");
    let (code, out, _) = run(&["check", "--json", &illegal], b"");
    assert_eq!(code, 1);
    let objects: Vec<Value> = out
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let expected = serde_json::json!([
        {"file": illegal, "game": 1, "line": 1, "variant": "russian", "plies": 14, "result": "2-0", "faults": [{
            "ply": 15, "line": 10, "move": "8.", "text": "f4-e5", "reason": "\"f4-e5\" is not a legal move here", "kind": "illegal-move"}]},
        {"file": illegal, "game": 2, "line": 12, "variant": "russian", "plies": 21, "result": "2-0", "faults": []},
        {"files": 1, "unreadable": 0, "games": 2, "plies": 35, "faulty_games": 1, "faults": 1},
    ]);
    assert_eq!(Value::from(objects), expected);
}

/// What cannot be read is named, and the others are read.
#[test]
fn files_that_cannot_be_read() {
    let plain = quirk("01_plain.pdn");
    let folder = data("pdn-quirks").display().to_string();
    for (name, error) in [
        ("/no/such.pdn", "No such file"),
        (folder.as_str(), "directory"),
        ("/proc/self/mem", ""),
    ] {
        let (code, out, err) = run(&["check", name, &plain], b"");
        assert_eq!(
            (code, out.as_str()),
            (1, "1 game, 21 plies, 0 faults in 0 games\n"),
            "{name}: {err}"
        );
        assert!(
            err.starts_with(&format!("mainroad: error: cannot read: {name}: ")),
            "{err}"
        );
        assert!(err.contains(error) && err.lines().count() == 1, "{err}");
        let (code, out, _) = run(&["check", "--json", name, &plain], b"");
        let objects: Vec<Value> = out
            .lines()
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect();
        assert_eq!((code, objects.len()), (1, 3), "{out}");
        assert_eq!(objects[0]["file"], name);
        let told = objects[0]["error"].as_str().expect("it is told");
        assert!(
            told.starts_with("cannot read: ") && told.contains(error),
            "{told}"
        );
        assert_eq!(objects[2]["unreadable"], 1);
        let (code, out, err) = run(&["convert", name, "-"], b"");
        assert_eq!(
            (code, out.as_str(), err.lines().count()),
            (1, "", 1),
            "{name}: {err}"
        );
    }
    assert_eq!(run(&["check"], b"").0, 2);
    assert_eq!(run(&["convert", &plain], b"").0, 2);
    assert_eq!(
        run(&["convert", &plain, "-", "--notation", "long"], b"").0,
        2
    );
}

/// Standard input, empty, and with anything but games.
#[test]
fn any_input() {
    assert_eq!(
        run(&["check", "-"], b""),
        (
            0,
            "0 games, 0 plies, 0 faults in 0 games\n".to_owned(),
            String::new()
        )
    );
    assert_eq!(
        run(&["convert", "-", "-"], b""),
        (0, String::new(), String::new())
    );
    let noise: Vec<u8> = (0..200_000u32)
        .map(|n| (n.wrapping_mul(2_654_435_761) >> 11) as u8)
        .collect();
    let (code, _, err) = run(&["check", "-"], &noise);
    assert_eq!((code, err.as_str()), (1, ""));
    let (code, out, _) = run(&["check", "-", "--variant", "pool"], b"1. 11-15 24-20 *");
    assert_eq!(
        (code, out.as_str()),
        (0, "1 game, 2 plies, 0 faults in 0 games\n")
    );
}

#[test]
fn convert_in_a_pipe() {
    let (code, out, err) = run(
        &["convert", "-", "-", "--notation", "numeric"],
        b"[GameType \"25\"]\n1. c3-d4 f6-g5 2. x9\n\n[GameType \"25\"]\n1. c3-b4 2-0",
    );
    assert_eq!(code, 1);
    assert_eq!(
        out,
        "[GameType \"25,W,8,8,N2,0\"]\n[Result \"*\"]\n\n1. 22-18 11-16 {unread: 2. x9} *\n\n\
         [GameType \"25,W,8,8,N2,0\"]\n[Result \"1-0\"]\n\n1. 22-17 *\n\n"
    );
    assert_eq!(
        err,
        "mainroad: warning: standard input: game 1, line 2, move 2.: \"x9\" cannot be read as a move, expected one such as c3-d4, c3:e5, 22-18 or 22x15\n"
    );
    // What was converted has no faults, and converts to itself.
    let (code, again, err) = run(
        &["convert", "-", "-", "--notation", "numeric"],
        out.as_bytes(),
    );
    assert_eq!((code, again, err), (0, out, String::new()));
}

/// What would move the cursor, or worse, is nowhere in what is shown: neither in games, whole, damaged or copied, nor in faults, nor in names.
#[test]
fn control_characters_are_not_passed_on() {
    let bad = "\u{1b}[31m\u{7}\u{8}\u{9b}2J\u{7f}\u{1}";
    let folder = new_file("control");
    fs::create_dir_all(&folder).expect("it can be made");
    let path = folder.join(format!("a{bad}.pdn"));
    let text = format!(
        "[Event \"a{bad}b\"]\n[White{bad} \"x\"]\n[Result \"{bad}\"]\n1. c3-d4 {{c{bad}d}} e{bad}f b6-a5 ; {bad}\n$ x{bad}1 g{bad}h *\n\n\
         [GameType \"20\"]\n[Event \"{bad}\"]\n1. 32-28 i{bad}j {{{bad}}} *\n\n[FEN \"W:W{bad}\"]\n{bad}*\n"
    );
    fs::write(&path, text).expect("it can be written");
    let name = path.display().to_string();
    let is_bad = |c: char| c.is_control() && c != '\n' && c != '\t';
    for args in [
        &["convert", &name, "-"][..],
        &["convert", &name, "-", "--notation", "numeric"],
        &["check", &name],
        &["check", &format!("{name}{bad}")],
        &["convert", &format!("{name}{bad}"), "-"],
    ] {
        let (code, out, err) = run(args, b"");
        assert_eq!(code, 1);
        assert!(!out.contains(is_bad), "{out:?}");
        assert!(!err.contains(is_bad), "{err:?}");
    }
    let (_, out, _) = run(&["convert", &name, "-"], b"");
    assert!(
        out.contains("[Event \"a [31m") && out.contains("{c [31m"),
        "{out}"
    );
    fs::remove_dir_all(folder).expect("it is there");
}

/// A file may be converted in place, and one that cannot be written costs nothing.
#[test]
fn convert_to_a_file() {
    let path = new_file("convert.pdn");
    let name = path.display().to_string();
    let plain = fs::read_to_string(quirk("01_plain.pdn")).expect("it is there");
    fs::write(&path, plain).expect("it can be written");
    let (code, out, err) = run(&["convert", &name, &name, "--notation", "half-short"], b"");
    assert_eq!((code, out.as_str(), err.as_str()), (0, "", ""));
    let text = fs::read_to_string(&path).expect("it was written");
    assert!(
        text.contains("[Event \"Test Cup\"]") && text.contains("1. cb4 bc5 2. bc3"),
        "{text}"
    );
    let (code, _, err) = run(&["convert", "/no/such.pdn", &name], b"");
    assert_eq!((code, err.lines().count()), (1, 1));
    assert_eq!(fs::read_to_string(&path).expect("it is there"), text);
    for target in ["/no/such/folder/x.pdn", env!("CARGO_MANIFEST_DIR")] {
        let (code, _, err) = run(&["convert", &name, target], b"");
        assert_eq!(code, 1);
        assert!(
            err.starts_with(&format!("mainroad: error: cannot write: {target}: ")),
            "{err}"
        );
    }
    fs::remove_file(path).expect("it is there");
}

/// Links are followed, also to what is not there yet; what is no file is refused and left alone.
#[test]
#[cfg(unix)]
fn links_and_devices() {
    use std::os::unix::fs::symlink;
    let folder = new_file("links");
    fs::create_dir_all(folder.join("inner")).expect("it can be made");
    symlink("inner/second", folder.join("first")).expect("it can be made");
    symlink("file.pdn", folder.join("inner/second")).expect("it can be made");
    symlink("circle", folder.join("circle")).expect("it can be made");
    let plain = quirk("01_plain.pdn");
    for _ in 0..2 {
        let first = folder.join("first").display().to_string();
        let (code, _, err) = run(&["convert", &plain, &first], b"");
        assert_eq!((code, err.as_str()), (0, ""));
        assert!(folder.join("first").is_symlink() && folder.join("inner/second").is_symlink());
        assert!(folder.join("inner/file.pdn").is_file());
    }
    let circle = folder.join("circle").display().to_string();
    for target in [circle.as_str(), "/dev/null"] {
        let (code, _, err) = run(&["convert", &plain, target], b"");
        assert_eq!((code, err.lines().count()), (1, 1), "{err}");
        assert!(err.contains(&format!("cannot write: {target}: ")), "{err}");
    }
    fs::remove_dir_all(folder).expect("it is there");
}

/// Ctrl-C leaves the old file, and nothing beside it.
#[test]
#[cfg(target_os = "linux")]
fn interrupted_conversions() {
    let folder = new_file("interrupted");
    fs::create_dir_all(&folder).expect("it can be made");
    let path = folder.join("games.pdn");
    fs::write(&path, "old").expect("it can be written");
    let mut child = Command::new(env!("CARGO_BIN_EXE_mainroad"))
        .args(["pdn", "convert", "/dev/stdin"])
        .arg(&path)
        .stdin(Stdio::piped())
        .spawn()
        .expect("the program was built");
    let mut stdin = child.stdin.take().expect("it is a pipe");
    let files = || fs::read_dir(&folder).expect("it is there").count();
    while files() < 2 || child.try_wait().expect("it can be asked").is_some() {
        stdin.write_all(b"1. c3-d4 *\n").expect("it is read");
    }
    let id = child.id().to_string();
    let status = Command::new("kill").args(["-INT", &id]).status();
    assert!(status.expect("kill is there").success());
    while stdin.write_all(b"1. c3-d4 *\n").is_ok() {}
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    assert_eq!(fs::read_to_string(&path).expect("it is there"), "old");
    assert_eq!(files(), 1);
    fs::remove_dir_all(folder).expect("it is there");
}

/// Whoever reads the answer may stop: that is no error.
#[test]
fn pipes_that_close_early() {
    let text = fs::read_to_string(quirk("01_plain.pdn"))
        .expect("it is there")
        .repeat(3000);
    for args in [["check", "--json", "-"].as_slice(), &["convert", "-", "-"]] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_mainroad"))
            .arg("pdn")
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program was built");
        let mut stdin = child.stdin.take().expect("it is a pipe");
        let mut stdout = child.stdout.take().expect("it is a pipe");
        let output = thread::scope(|scope| {
            scope.spawn(|| {
                let _ = stdin.write_all(text.as_bytes());
                drop(stdin);
            });
            let mut some = [0; 100];
            stdout.read_exact(&mut some).expect("an answer begins");
            drop(stdout);
            child.wait_with_output().expect("it ends")
        });
        assert_eq!(output.status.code(), Some(0), "{args:?}");
        assert_eq!(output.stderr, b"", "{args:?}");
    }
}

/// The program's memory does not grow with the file: 8 MiB through a pipe, on systems that tell.
#[test]
fn memory_is_constant() {
    let game = fs::read_to_string(quirk("01_plain.pdn")).expect("it is there");
    let peak = |times: usize| {
        let mut child = Command::new(env!("CARGO_BIN_EXE_mainroad"))
            .args(["pdn", "check", "--json", "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program was built");
        let mut stdin = child.stdin.take().expect("it is a pipe");
        for _ in 0..times {
            stdin.write_all(game.as_bytes()).expect("it is read");
        }
        let status = fs::read_to_string(format!("/proc/{}/status", child.id()));
        drop(stdin);
        assert_eq!(child.wait().expect("it ends").code(), Some(0));
        let status = status.ok()?;
        let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
        line.split_whitespace().nth(1)?.parse::<u64>().ok()
    };
    let (small, large) = (peak(300), peak((8 << 20) / game.len()));
    if let (Some(small), Some(large)) = (small, large) {
        assert!(
            large < small + 2048,
            "{small} KiB for a small file, {large} for a large one"
        );
    }
}

/// The examples of the help do what they say.
#[test]
fn examples_of_the_help() {
    let folder = new_file("examples");
    fs::create_dir_all(&folder).expect("it can be made");
    fs::copy(quirk("01_plain.pdn"), folder.join("games.pdn")).expect("it can be copied");
    for command in [
        &["--help"][..],
        &["check", "--help"],
        &["convert", "--help"],
    ] {
        let (code, out, _) = run(command, b"");
        assert_eq!(code, 0);
        let example = out
            .lines()
            .find_map(|line| line.strip_prefix("Example: mainroad "))
            .expect("it has one");
        let output = Command::new(env!("CARGO_BIN_EXE_mainroad"))
            .args(example.split(' '))
            .current_dir(&folder)
            .output()
            .expect("it runs");
        assert_eq!(
            (output.status.code(), output.stderr.as_slice()),
            (Some(0), b"".as_slice()),
            "{example}"
        );
    }
    assert!(folder.join("clean.pdn").exists());
    fs::remove_dir_all(folder).expect("it is there");
}
