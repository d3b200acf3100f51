//! Signals that ask a program to end: heeded with what is known by then, unless they were ignored when it began.

use super::{Run, program};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::thread::sleep;
use std::time::{Duration, Instant};

fn send(signal: &str, child: &Child) {
    let id = child.id().to_string();
    let status = Command::new("kill").args([signal, &id]).status();
    assert!(status.expect("kill is there").success());
}

fn text(path: &Path) -> &str {
    path.to_str().expect("it is UTF-8")
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
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let start = "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12";
    let text = format!("W:WKd4,a1:Bb6 bm d4:a7;\n{start} result win;\n{start} result draw;\n");
    fs::write(&path, text).expect("the target folder can be written");
    let file = path.to_str().expect("it is UTF-8");
    let run = check_ends("-TERM", &["solve", file, "--nodes", "4000000000", "--json"]);
    let objects = run.objects();
    assert_eq!(objects.len(), 3, "{}", run.out);
    assert_eq!(objects[2]["positions"], 2);
    assert_eq!(objects[2]["passed"], 1);
    assert_eq!(objects[2]["unknown"], 1);
    let _ = fs::remove_file(path);
}

#[test]
fn tables_are_made_slice_by_slice() {
    let name = format!("signals-{}", std::process::id());
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
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
    let _ = fs::remove_dir_all(folder);
}

/// Returns a file of so many games, and a folder that nothing else is in.
fn file_of_games(name: &str, games: usize) -> (PathBuf, PathBuf) {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let folder = folder.join(format!("signals-{name}-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("the target folder can be written");
    let file = folder.join("games.pdn");
    fs::write(&file, "1. c3-d4 b6-a5 *\n\n".repeat(games)).expect("it can be written");
    (folder, file)
}

/// Files of games end between two games: what was read is summed up, and no file is left that is not complete. A game of which a part was
/// read by then is none.
#[test]
fn files_of_games_are_left_in_order() {
    let (folder, file) = file_of_games("pdn", 3_000_000);
    let (file, out) = (text(&file), folder.join("out.pdn"));
    let run = check_ends("-INT", &["pdn", "check", "--json", file, file, file]);
    let objects = run.objects();
    let summary = objects.last().expect("there is a summary");
    assert_eq!(summary["games"], objects.len() - 1);
    assert_eq!(summary["faults"], 0);
    for to in [text(&out), "-"] {
        let run = check_ends("-TERM", &["pdn", "convert", file, to]);
        assert_eq!(run.err, "", "{to}");
    }
    let left = fs::read_dir(&folder).expect("it is there").count();
    assert_eq!(left, 1, "only the games");
    let _ = fs::remove_dir_all(folder);
}

/// While standard input or a pipe with a name has nothing more to say, and while nobody has opened the pipe to write, Ctrl-C is heeded at once,
/// and leaves nothing behind. A game counts if it ends with a result, or another one follows.
#[test]
fn nobody_waits_for_input() {
    let (folder, _) = file_of_games("input", 0);
    let (out, pipe) = (folder.join("out.pdn"), folder.join("pipe"));
    let (out, pipe) = (text(&out), text(&pipe));
    let made = Command::new("mkfifo").arg(pipe).status();
    assert!(made.expect("mkfifo is there").success());
    let part = "1. c3-d4 b6-a5 *\n\n[Event \"next\"]\n1. c3-d4 {half of";
    let whole = "1. c3-d4 b6-a5\n\n1. c3-d4 *\n";
    let [none, one, two] = [
        "0 games, 0 plies, 0 faults in 0 games\n",
        "1 game, 2 plies, 0 faults in 0 games\n",
        "2 games, 3 plies, 0 faults in 0 games\n",
    ];
    for (args, input, expected) in [
        (&["pdn", "check", "-"][..], part, one),
        (&["pdn", "check", pipe], part, one),
        (&["pdn", "check", "-"], whole, two),
        (&["pdn", "check", pipe, "-"], "", none),
        (&["pdn", "convert", "-", out], part, ""),
        (&["pdn", "convert", pipe, out], part, ""),
        (&["pdn", "convert", pipe, out], "", ""),
        (&["moves", "--fen", "-"], "", ""),
        (&["solve", "--fen", "-"], "", ""),
    ] {
        let mut child = program(args).spawn().expect("the program was built");
        let mut stdin = child.stdin.take().expect("it is a pipe");
        // Open for reading too, so that this waits for nobody.
        let mut options = fs::File::options();
        let options = options.read(true).write(true);
        let named = (args.contains(&pipe) && !input.is_empty()).then(|| options.open(pipe));
        let mut named = named.map(|file| file.expect("it is there"));
        let to: &mut dyn Write = named.as_mut().map_or(&mut stdin, |file| file);
        to.write_all(input.as_bytes()).expect("it reads");
        sleep(Duration::from_secs(1));
        let started = Instant::now();
        send("-INT", &child);
        let run = Run::of(child.wait_with_output().expect("it ends"));
        assert!(started.elapsed() < Duration::from_secs(20), "{args:?}");
        assert_eq!((run.code, run.err.as_str()), (130, ""), "{args:?}");
        assert_eq!(run.out, expected, "{args:?}");
    }
    let left = fs::read_dir(&folder).expect("it is there").count();
    assert_eq!(left, 2, "only the games and the pipe");
    let _ = fs::remove_dir_all(folder);
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
