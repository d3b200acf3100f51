//! Signals that ask a program to end: heeded with what is known by then, unless they were ignored when it began.

use super::{Run, program};
use std::process::{Child, Command};
use std::thread::sleep;
use std::time::{Duration, Instant};

fn send(signal: &str, child: &Child) {
    let id = child.id().to_string();
    let status = Command::new("kill").args([signal, &id]).status();
    assert!(status.expect("kill is there").success());
}

/// Sends a signal to a run that would take very long, when it has had the time to begin.
#[track_caller]
fn check_ends(signal: &str, args: &[&str]) -> Run {
    let child = program(args).spawn().expect("the program was built");
    sleep(Duration::from_secs(1));
    let started = Instant::now();
    send(signal, &child);
    let run = Run::of(child.wait_with_output().expect("it ends"));
    assert!(started.elapsed() < Duration::from_secs(20), "{args:?}");
    assert_eq!(run.code, 130, "{args:?}: {}", run.err);
    run
}

#[test]
fn what_is_proved_by_then_is_told() {
    let forever = ["--nodes", "4000000000", "--json"];
    let run = check_ends("-INT", &[&["solve"], &forever[..]].concat());
    let objects = run.objects();
    assert_eq!(objects.len(), 1, "{}", run.out);
    assert_eq!(objects[0]["result"], "unknown");
    assert_eq!(objects[0]["moves"].as_array().map(Vec::len), Some(7));
    assert!(objects[0]["nodes"].as_u64() > Some(0));
}

#[test]
fn a_suite_is_summed_up() {
    let name = format!("signals-{}.epd", std::process::id());
    let path = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let start = "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12";
    let text = format!("W:WKd4,a1:Bb6 bm d4:a7;\n{start} result win;\n{start} result draw;\n");
    std::fs::write(&path, text).expect("the target folder can be written");
    let file = path.to_str().expect("it is UTF-8");
    let run = check_ends("-TERM", &["solve", file, "--nodes", "4000000000", "--json"]);
    let objects = run.objects();
    assert_eq!(objects.len(), 3, "{}", run.out);
    assert_eq!(objects[2]["positions"], 2);
    assert_eq!(objects[2]["passed"], 1);
    assert_eq!(objects[2]["unknown"], 1);
    let _ = std::fs::remove_file(path);
}

#[test]
fn tables_are_made_slice_by_slice() {
    let name = format!("signals-{}", std::process::id());
    let folder = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let dir = folder.to_str().expect("it is UTF-8");
    let line = [
        "tables",
        "build",
        "--pieces",
        "6",
        "--threads",
        "1",
        "--dir",
        dir,
    ];
    let run = check_ends("-INT", &line);
    let last = run.err.lines().last().unwrap_or_default();
    assert!(
        last.contains("the same command line goes on"),
        "{}",
        run.err
    );
    let _ = std::fs::remove_dir_all(folder);
}

/// `nohup` has SIGHUP ignored: such a run ends by itself.
#[cfg(target_os = "linux")]
#[test]
fn what_is_ignored_stays_so() {
    let line = "trap '' HUP; exec \"$0\" \"$@\"";
    let mut command = Command::new("sh");
    let command = command
        .args(["-c", line, env!("CARGO_BIN_EXE_mainroad")])
        .args(["analyse", "--time", "3", "--json"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped());
    let child = command.spawn().expect("a shell is there");
    sleep(Duration::from_secs(1));
    send("-HUP", &child);
    let run = Run::of(child.wait_with_output().expect("it ends"));
    assert_eq!(run.code, 0, "{}", run.err);
    let time = run.objects()[0]["time_s"].as_f64();
    assert!(time > Some(2.0), "{}", run.out);
}
