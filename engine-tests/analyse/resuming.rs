//! Runs that are killed, interrupted, or begun with something else.

use super::{Folder, Ran, analyse, command, games, text};
use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// Enough that a run takes some seconds, so that it can be ended in the middle.
const NODES: &str = "60000";

fn args(folder: &Folder, out: &str) -> Vec<String> {
    let (input, out) = (folder.path("games.pdn"), folder.path(out));
    let report = format!("{}.html", text(&out));
    let (input, out) = (text(&input), text(&out));
    let limits = ["--nodes", NODES, "--json", "--threads", "2"];
    let files = [input, "--out", out, "--report", &report];
    let args = files.iter().chain(&limits);
    args.map(|arg| (*arg).to_owned()).collect()
}

fn start(args: &[String]) -> Child {
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let mut command = command(&args);
    let piped = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    piped.spawn().expect("the program was built")
}

fn finish(args: &[String]) -> Ran {
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    analyse(&args)
}

fn lines_of(journal: &Path) -> usize {
    fs::read_to_string(journal).map_or(0, |text| text.lines().count())
}

/// Waits until a journal has so many lines.
fn wait_for_lines(journal: &Path, count: usize) {
    let started = Instant::now();
    while lines_of(journal) < count {
        assert!(
            started.elapsed() < Duration::from_mins(1),
            "nothing is noted"
        );
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The objects without what depends on the clock.
fn untimed(out: &str) -> Vec<serde_json::Value> {
    let mut objects: Vec<serde_json::Value> = out
        .lines()
        .map(|line| serde_json::from_str(line).expect("it is JSON"))
        .collect();
    for object in &mut objects {
        for field in ["time_s", "nps"] {
            object[field] = serde_json::Value::Null;
        }
    }
    objects
}

fn folder_with_games(name: &str) -> Folder {
    let folder = Folder::new(name);
    let all = fs::read_to_string(games()).expect("it is there");
    folder.write("games.pdn", &all.repeat(3));
    folder
}

/// Ends runs in the middle, in a way of one's own, until one gets to the end: the result is that of a run that was not disturbed.
fn check_ended(name: &str, end: impl Fn(&mut Child), code: Option<i32>) {
    let folder = folder_with_games(name);
    let whole = finish(&args(&folder, "whole.pdn"));
    assert_eq!(whole.code, Some(1), "some games are bad: {}", whole.err);
    let args = args(&folder, "parts.pdn");
    let journal = folder.path("parts.pdn.journal");
    for lines in [2, 5, 9] {
        // One more than before, so that the run has got to its work: a signal that comes while it starts just ends it.
        let wanted = lines.max(lines_of(&journal) + 1);
        let mut child = start(&args);
        wait_for_lines(&journal, wanted);
        end(&mut child);
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), code);
        assert!(!folder.path("parts.pdn").exists(), "it is not complete");
    }
    let last = finish(&args);
    assert_eq!(last.code, Some(1), "{}", last.err);
    assert!(last.err.contains("going on behind"), "{}", last.err);
    assert_eq!(folder.read("parts.pdn"), folder.read("whole.pdn"));
    assert_eq!(untimed(&last.out), untimed(&whole.out));
    let pages = |out: &str| -> Vec<String> {
        let names = folder.names().into_iter();
        let names = names.filter(|name| name.starts_with(out) && name.ends_with("html"));
        names.map(|name| folder.read(&name)).collect()
    };
    assert_eq!(pages("parts"), pages("whole"));
    assert_eq!(pages("parts").len(), 15, "five of six games can be read");
    let left = folder.names();
    assert!(
        !left
            .iter()
            .any(|name| name.contains("journal") || name.contains("part.")),
        "{left:?}"
    );
}

/// Kills a run when some games are noted.
fn kill_after(args: &[String], journal: &Path, lines: usize) {
    let mut child = start(args);
    wait_for_lines(journal, lines);
    child.kill().expect("it runs");
    let _ = child.wait();
}

/// A file that breaks off while it is read is no game: none that comes behind it is analysed twice.
#[cfg(target_os = "linux")]
#[test]
fn a_file_that_breaks_off_takes_the_place_of_no_game() {
    let folder = folder_with_games("breaks-off");
    let args = |out| {
        let mut args = args(&folder, out);
        // It can be opened, and then not be read.
        args.insert(0, "/proc/self/mem".to_owned());
        args
    };
    let whole = finish(&args("whole.pdn"));
    kill_after(&args("parts.pdn"), &folder.path("parts.pdn.journal"), 4);
    let parts = finish(&args("parts.pdn"));
    for ran in [&whole, &parts] {
        assert_eq!(ran.code, Some(1), "{}", ran.err);
        assert!(
            ran.err.contains("cannot read: /proc/self/mem: "),
            "{}",
            ran.err
        );
    }
    assert_eq!(folder.read("parts.pdn"), folder.read("whole.pdn"));
    assert_eq!(untimed(&parts.out), untimed(&whole.out));
}

/// That the page of a game is missing shows in the exit code, also of a run that goes on behind that game.
#[test]
fn a_missing_page_is_not_forgotten() {
    let folder = Folder::new("missing-page");
    let game = "[GameType \"25\"]\n\n1. c3-d4 b6-a5 2. d4-c5 d6:b4 3. a3:c5 *\n\n";
    folder.write("games.pdn", &game.repeat(15));
    folder.write("out.pdn-2.html", "<p>somebody's page</p>");
    let args = args(&folder, "out.pdn");
    kill_after(&args, &folder.path("out.pdn.journal"), 4);
    let ran = finish(&args);
    assert!(ran.err.contains("going on behind"), "{}", ran.err);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert_eq!(folder.read("out.pdn-2.html"), "<p>somebody's page</p>");
    assert!(folder.path("out.pdn-15.html").exists());
}

/// What is written in the place of a file that nobody else may read is not to be read by others either, finished or not.
#[cfg(unix)]
#[test]
fn permissions_are_kept() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder_with_games("permissions");
    let out = folder.write("out.pdn", "old");
    fs::set_permissions(&out, fs::Permissions::from_mode(0o600)).expect("it is ours");
    let check = |name: &str| {
        let metadata = fs::metadata(folder.path(name)).expect("it is there");
        assert_eq!(metadata.permissions().mode() & 0o777, 0o600, "{name}");
    };
    let args = args(&folder, "out.pdn");
    kill_after(&args, &folder.path("out.pdn.journal"), 2);
    ["out.pdn", "out.pdn.part", "out.pdn.part.jsonl"]
        .into_iter()
        .for_each(check);
    let ran = finish(&args);
    assert_ne!(folder.read("out.pdn"), "old", "{}", ran.err);
    check("out.pdn");
}

/// A journal that is a pipe would be waited for, and a device read without end.
#[cfg(unix)]
#[test]
fn a_journal_is_a_regular_file() {
    let folder = folder_with_games("pipes");
    let journal = folder.path("out.pdn.journal");
    for target in ["/dev/zero", "/dev/null"] {
        std::os::unix::fs::symlink(target, &journal).expect("it can be made");
        let ran = finish(&args(&folder, "out.pdn"));
        assert_eq!(ran.code, Some(1), "{target}: {}", ran.err);
        let expected = ": expected a regular file\n";
        assert!(ran.err.ends_with(expected), "{target}: {}", ran.err);
        fs::remove_file(&journal).expect("it is there");
    }
}

/// A file with the name of a part that no journal speaks of is somebody else's.
#[test]
fn foreign_parts_are_left_alone() {
    let folder = folder_with_games("foreign");
    for name in ["out.pdn.part", "out.pdn.part.jsonl"] {
        folder.write(name, "mine");
        let ran = finish(&args(&folder, "out.pdn"));
        assert_eq!(ran.code, Some(1), "{}", ran.err);
        assert!(
            ran.err.contains(name) && ran.err.lines().count() == 1,
            "{}",
            ran.err
        );
        assert_eq!(folder.read(name), "mine");
        fs::remove_file(folder.path(name)).expect("it is there");
        assert_eq!(folder.names(), ["games.pdn"]);
    }
}

#[test]
fn a_killed_run_goes_on() {
    check_ended("killed", |child| child.kill().expect("it runs"), None);
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_goes_on() {
    check_ended(
        "interrupted",
        |child: &mut Child| interrupt(child),
        Some(130),
    );
}

/// Sends Ctrl-C.
#[cfg(unix)]
fn interrupt(child: &Child) {
    let kill = std::process::Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(kill.expect("kill is there").success());
}

/// Sends Ctrl-C after a while, and returns what the run came to. Standard input stays open.
#[cfg(unix)]
fn interrupted(args: &[&str]) -> Ran {
    let mut command = command(args);
    let piped = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = piped.spawn().expect("the program was built");
    let stdin = child.stdin.take().expect("it is piped");
    std::thread::sleep(Duration::from_secs(2));
    let started = Instant::now();
    interrupt(&child);
    let ran = Ran::of(child.wait_with_output().expect("it ends"));
    assert!(started.elapsed() < Duration::from_secs(20), "{args:?}");
    drop(stdin);
    assert_eq!(ran.code, Some(130), "{args:?}: {}", ran.err);
    ran
}

/// Ctrl-C is heeded while standard input has nothing to say, and shows what a search has found.
#[cfg(unix)]
#[test]
fn ctrl_c_is_heeded_at_once() {
    let folder = Folder::new("waiting");
    let out = folder.path("out.pdn");
    let ran = interrupted(&["-", "--out", text(&out)]);
    assert!(
        ran.err.contains("the same command line goes on"),
        "{}",
        ran.err
    );
    assert_eq!(interrupted(&["--fen", "-"]).out, "");
    let ran = interrupted(&["--time", "1000", "--json"]);
    assert!(ran.objects()[0]["depth"].as_u64() > Some(5), "{}", ran.out);
}

/// Ctrl-C ends a run whose answers nobody takes, and a second one need not wait.
#[cfg(unix)]
#[test]
fn ctrl_c_does_not_wait_for_readers() {
    let folder = Folder::new("unread");
    let positions = folder.write("positions.txt", &"W:Wc3:Bf6\n".repeat(3000));
    let games = folder.write("games.pdn", &"1. c3-d4 b6-a5 *\n\n".repeat(3000));
    for args in [
        &["--fen", "-", "--json"][..],
        &[text(&games), "--json"],
        &[text(&games), "--out", "-"],
    ] {
        for signals in 1..=2 {
            let input = fs::File::open(&positions).expect("it was written");
            let mut command = command(&[args, &["--depth", "1"]].concat());
            let piped = command.stdin(input).stdout(Stdio::piped());
            let mut child = piped
                .stderr(Stdio::null())
                .spawn()
                .expect("the program was built");
            std::thread::sleep(Duration::from_secs(1));
            let started = Instant::now();
            for _ in 0..signals {
                interrupt(&child);
                std::thread::sleep(Duration::from_millis(100));
            }
            let ended = loop {
                match child.try_wait().expect("it can be asked") {
                    Some(status) => break Some(status),
                    None if started.elapsed() > Duration::from_secs(15) => break None,
                    None => std::thread::sleep(Duration::from_millis(20)),
                }
            };
            let _ = child.kill();
            let _ = child.wait();
            let code = ended.and_then(|status| status.code());
            assert_eq!(code, Some(130), "{args:?} {signals}");
        }
    }
}

/// What a file of weights holds is part of an analysis: with other weights of the same name a run does not go on.
#[test]
fn other_weights_are_another_analysis() {
    let folder = folder_with_games("weights");
    let weights = folder.path("own.net");
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/eval/data/russian.net");
    let usual = fs::read(from).expect("it is there");
    // One weight is another, and the checksum at the end is right again.
    let mut other = usual.clone();
    let body = usual.len() - 4;
    other[body / 2] ^= 1;
    let sum = crc32fast::hash(&other[..body]);
    other[body..].copy_from_slice(&sum.to_le_bytes());
    let take = |bytes: &[u8]| fs::write(&weights, bytes).expect("it can be written");
    take(&usual);
    let net = ["--net", text(&weights)].map(str::to_owned);
    let args = [&args(&folder, "out.pdn")[..], &net].concat();
    kill_after(&args, &folder.path("out.pdn.journal"), 3);
    take(&other);
    let ran = finish(&args);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(ran.err.contains("(net differs)"), "{}", ran.err);
    take(&usual);
    let ran = finish(&args);
    assert!(ran.err.contains("going on behind"), "{}", ran.err);
}

#[test]
fn what_does_not_fit_is_refused() {
    let folder = folder_with_games("refused");
    let args = args(&folder, "out.pdn");
    let journal = folder.path("out.pdn.journal");
    kill_after(&args, &journal, 3);
    let check = |args: &[String], word: &str| {
        let ran = finish(args);
        assert_eq!(ran.code, Some(1), "{}", ran.err);
        let error = ran.err.lines().last().unwrap_or_default();
        assert!(
            error.starts_with("mainroad: error: bad ") && error.contains(word),
            "{error}"
        );
    };
    // Other limits.
    let other: Vec<String> = args.iter().map(|arg| arg.replace(NODES, "999")).collect();
    check(&other, "nodes differs");
    // The size that a lone search has, where these side by side have another.
    let other = [&args[..], &["--hash", "256"].map(str::to_owned)].concat();
    check(&other, "hash differs");
    let other = [&args[..], &["--tables", "none"].map(str::to_owned)].concat();
    check(&other, "tables differs");
    // Another game in the place of one that is finished.
    let all = folder.read("games.pdn");
    folder.write("games.pdn", &all.replacen("Ann", "Eve", 1));
    check(&args, "game 1 of");
    folder.write("games.pdn", "");
    check(&args, "the number of games");
    // A part that was cut, or written into.
    folder.write("games.pdn", &all);
    for name in ["out.pdn.part", "out.pdn.part.jsonl"] {
        let part = folder.read(name);
        for other in ["", &part[1..], &part.replacen('e', "E", 1)] {
            folder.write(name, other);
            check(
                &args,
                &format!("something else than is in {}", text(&folder.path(name))),
            );
        }
        folder.write(name, &part);
    }
    // Put right, it goes on; games that were added at the end are analysed too.
    folder.write("games.pdn", &all.repeat(2));
    let ran = finish(&args);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert_eq!(
        folder.read("out.pdn").matches("[Event \"Pool\"]").count(),
        6
    );
    // Two at a time do not write to the same file.
    let mut child = start(&args);
    wait_for_lines(&journal, 2);
    check(&args, "another process");
    child.kill().expect("it runs");
    let _ = child.wait();
    // The games that are read are not replaced.
    let path = text(&folder.path("games.pdn")).to_owned();
    for output in ["--out", "--report"] {
        let args = [path.clone(), output.to_owned(), path.clone()];
        check(&args, "bad output");
    }
}
