//! The Hub protocol, against the built binary.
//!
//! A transcript in `hub/` is a conversation: a line with `>` is sent, one with `<` must come next, `*` in it matches anything,
//! `<*` alone skips lines until the one below it matches; `#` begins a comment. At its end the input is closed, and the engine must
//! leave by itself without a further line.

use crate::support::data;
use mainroad::protocol::hub::message::Reply;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// How long a line may take that should come at once. Generous: other tests run at the same time.
const PATIENCE: Duration = Duration::from_secs(30);

/// A running engine.
pub(crate) struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Engine {
    /// Starts the built binary.
    pub(crate) fn start(arguments: &[&str]) -> Self {
        Self::launch(Command::new(env!("CARGO_BIN_EXE_mainroad")).args(arguments))
    }

    /// Starts a program, whose errors are shown unless the command says otherwise.
    pub(crate) fn launch(command: &mut Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program is there");
        let output = BufReader::new(child.stdout.take().expect("it is piped"));
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            output
                .lines()
                .map_while(Result::ok)
                .try_for_each(|line| sender.send(line))
        });
        Self {
            input: child.stdin.take(),
            child,
            lines,
        }
    }

    /// Sends bytes as they are.
    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("it is open");
        input
            .write_all(bytes)
            .and_then(|()| input.flush())
            .expect("the engine listens");
    }

    /// Sends a line.
    pub(crate) fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// Returns the next line.
    #[track_caller]
    pub(crate) fn line(&mut self) -> String {
        self.lines
            .recv_timeout(PATIENCE)
            .unwrap_or_else(|error| panic!("no line: {error}"))
    }

    /// Returns the identity of the process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Returns the next line, wanted at a place in a transcript.
    #[track_caller]
    fn line_at(&mut self, place: &str) -> String {
        self.lines
            .recv_timeout(PATIENCE)
            .unwrap_or_else(|error| panic!("{place}: no line: {error}"))
    }

    /// Skips lines to the next `done`.
    #[track_caller]
    pub(crate) fn done(&mut self) -> String {
        loop {
            let line = self.line();
            if line.starts_with("done") {
                return line;
            }
        }
    }

    /// Says that no line comes for a while.
    #[track_caller]
    pub(crate) fn is_silent(&mut self) {
        let line = self.lines.recv_timeout(Duration::from_millis(80));
        assert_eq!(line, Err(RecvTimeoutError::Timeout));
    }

    /// Closes the input and waits for the engine to leave; returns the lines that were left.
    pub(crate) fn close(mut self) -> Vec<String> {
        drop(self.input.take());
        let deadline = Instant::now() + PATIENCE;
        while self.child.try_wait().expect("it can be asked").is_none() {
            assert!(Instant::now() < deadline, "the engine does not leave");
            std::thread::sleep(Duration::from_millis(5));
        }
        let status = self.child.wait().expect("it has left");
        assert!(status.success(), "{status}");
        self.lines.iter().collect()
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // A test that failed must not leave it running.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Says whether a line fits a pattern in which `*` matches anything.
pub(crate) fn fits(pattern: &str, line: &str) -> bool {
    let parts: Vec<&str> = pattern.split('*').collect();
    let [first, middle @ .., last] = parts.as_slice() else {
        return pattern == line;
    };
    let Some(mut rest) = line.strip_prefix(first) else {
        return false;
    };
    for part in middle {
        let Some(at) = rest.find(part) else {
            return false;
        };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

#[test]
fn patterns() {
    for (pattern, line, expected) in [
        ("done", "done", true),
        ("done", "done move=1", false),
        ("done move=*", "done move=1-2", true),
        ("a*b*c", "a1b2c", true),
        ("a*b*c", "a1c2b", false),
        ("a*a", "a", false),
    ] {
        assert_eq!(fits(pattern, line), expected, "{pattern} {line}");
    }
}

#[test]
fn transcripts() {
    let mut paths: Vec<_> = std::fs::read_dir(data("hub"))
        .expect("the folder is there")
        .map(|entry| entry.expect("it can be listed").path())
        .collect();
    paths.sort();
    assert!(!paths.is_empty());
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("it can be read");
        let mut engine = Engine::start(&["hub"]);
        let mut skips = false;
        for (number, line) in (1..).zip(text.lines()) {
            let place = format!("{}:{number}", path.display());
            if let Some(command) = line.strip_prefix('>') {
                engine.send(command.strip_prefix(' ').unwrap_or(command));
            } else if line.trim() == "<*" {
                skips = true;
            } else if let Some(pattern) = line.strip_prefix("< ") {
                let mut actual = engine.line_at(&place);
                while skips && !fits(pattern, &actual) {
                    actual = engine.line_at(&place);
                }
                assert!(
                    fits(pattern, &actual),
                    "{place}: expected {pattern}, got {actual}"
                );
                skips = false;
            } else {
                assert!(
                    line.is_empty() || line.starts_with('#'),
                    "{place}: unreadable"
                );
            }
        }
        assert_eq!(engine.close(), Vec::<String>::new(), "{}", path.display());
    }
}

#[test]
fn a_search_is_steered_while_it_runs() {
    let mut engine = Engine::start(&["hub"]);
    engine.send("set-param name=threads value=2");
    engine.send("pos start");
    engine.send("go analyze");
    assert!(engine.line().starts_with("info depth=1 "));
    engine.send("ping");
    while engine.line() != "pong" {}
    // Unknown and empty lines do not disturb it.
    engine.send("");
    engine.send("whatever this is");
    engine.send("stop");
    assert!(engine.done().starts_with("done move="));
    engine.is_silent();
    // A stop without a search is no error.
    engine.send("stop");
    engine.send("ponder-hit");
    engine.is_silent();
    assert!(engine.close().is_empty());
}

#[test]
fn commands_end_a_search_and_are_carried_out_after_its_done() {
    let mut engine = Engine::start(&["hub"]);
    for _ in 0..20 {
        engine.send("pos start");
        engine.send("go analyze");
        engine.send("pos start moves=\"22-18 11-15\"");
        engine.send("level depth=3");
        engine.send("go think");
        assert!(engine.done().starts_with("done move="));
        assert!(engine.done().starts_with("done move=18x11x15"));
    }
    engine.is_silent();
    assert!(engine.close().is_empty());
}

#[test]
fn the_end_of_the_input_ends_a_search() {
    for last in [
        "go analyze",
        "go ponder",
        "level infinite\ngo think",
        "go analyze\nquit",
    ] {
        let mut engine = Engine::start(&["hub"]);
        engine.send(&format!("pos start\n{last}"));
        std::thread::sleep(Duration::from_millis(30));
        let started = Instant::now();
        engine.close();
        assert!(started.elapsed() < Duration::from_secs(1), "{last}");
    }
}

#[test]
fn pondering() {
    let mut engine = Engine::start(&["hub"]);
    for (after, limit) in [
        ("ponder-hit", "move-time=0.01"),
        ("stop", "time=10 inc=0.1"),
        ("ponder-hit", "depth=2"),
    ] {
        engine.send("pos start moves=\"22-18\"");
        engine.send(&format!("level {limit}"));
        engine.send("go ponder");
        assert!(engine.line().starts_with("info depth=1 "));
        std::thread::sleep(Duration::from_millis(50));
        engine.send("ping");
        loop {
            let line = engine.line();
            assert!(!line.starts_with("done"), "{limit}: it ended by itself");
            if line == "pong" {
                break;
            }
        }
        engine.send(after);
        assert!(engine.done().starts_with("done move="), "{limit}");
    }
    engine.is_silent();
    assert!(engine.close().is_empty());
}

/// Lines that no client should send are answered or ignored, and what follows is done right.
#[test]
fn garbage() {
    let mut engine = Engine::start(&["hub"]);
    let long = "x".repeat(1 << 20);
    for bytes in [
        b"\0\0\0\n".to_vec(),
        b"\xff\xfe\x80\n".to_vec(),
        b"=\n\"\n\"unclosed\n".to_vec(),
        b"\r\n\r\n   \t \n".to_vec(),
        format!("{long}\n").into_bytes(),
        format!("go{long}\n").into_bytes(),
    ] {
        engine.send_bytes(&bytes);
    }
    engine.send_bytes(b"ping\r\n");
    assert_eq!(engine.line(), "pong");
    let moves = "22-18 ".repeat(100_000);
    for (line, answer) in [
        ("pos pos=W".to_owned(), "error "),
        (format!("pos moves=\"{moves}\""), "error "),
        (format!("pos pos=\"{long}\""), "error "),
        ("pos pos=\"unclosed".to_owned(), "error "),
        ("set-param name=hash value=1000000000".to_owned(), "error "),
        ("set-param name=hash value=much".to_owned(), "error "),
        ("set-param name=variant value=chess".to_owned(), "error "),
        ("set-param name=variant".to_owned(), "error "),
        (
            "set-param name=log value=/no/such/folder/log".to_owned(),
            "error ",
        ),
        (
            "set-param name=book value=/no/such/book".to_owned(),
            "error ",
        ),
        ("level depth=deep".to_owned(), "error "),
    ] {
        engine.send(&line);
        let actual = engine.line();
        assert!(
            actual.starts_with(answer) && actual.len() < 300,
            "{}: {actual}",
            &line[..20]
        );
    }
    engine.is_silent();
    assert!(engine.close().is_empty());
}

/// A log that would have to wait for a reader is refused with one error.
#[cfg(unix)]
#[test]
fn logs_that_are_not_files() {
    let pipe = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("hub-log-pipe");
    let _ = std::fs::remove_file(&pipe);
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo is there").success());
    let socket = pipe.with_file_name("hub-log-socket");
    let _ = std::fs::remove_file(&socket);
    let _listener = std::os::unix::net::UnixListener::bind(&socket).expect("it can be made");
    let mut engine = Engine::start(&["hub"]);
    engine.send("hub");
    while engine.line() != "wait" {}
    for path in [&pipe, &socket] {
        let path = path.display();
        engine.send(&format!("set-param name=log value=\"{path}\""));
        let actual = engine.line();
        let expected = format!("error message=\"log: {path}: not a regular file\"");
        assert_eq!(actual, expected);
    }
    engine.send("set-param name=log value=/dev/null");
    engine.send("ping");
    assert_eq!(engine.line(), "pong");
    assert!(engine.close().is_empty());
    for path in [pipe, socket] {
        std::fs::remove_file(path).expect("it is there");
    }
}

/// A game of two thousand plies is taken in.
#[test]
fn long_games() {
    let mut engine = Engine::start(&["hub"]);
    let moves = ["30-26", "5-9", "26-30", "9-5"].repeat(500).join(" ");
    let position = format!("WeeeeB{}Wee", "e".repeat(24));
    engine.send(&format!("pos pos={position} moves=\"{moves}\""));
    engine.send("level depth=4");
    engine.send("go think");
    let done = engine.done();
    assert!(done.starts_with("done move=30-"), "{done}");
    assert!(engine.close().is_empty());
}

/// A rejected position is not answered with another one, whatever comes in between but a good one.
#[test]
fn a_rejected_position_stays_rejected() {
    let mut engine = Engine::start(&["hub"]);
    for between in [
        "ping",
        "new-game",
        "init",
        "set-param name=variant value=brazilian",
        "set-param name=hash value=1",
    ] {
        engine.send("pos pos=nonsense");
        assert!(engine.line().starts_with("error "));
        engine.send(between);
        if between == "ping" || between == "init" {
            engine.line();
        }
        engine.send("go think");
        assert!(engine.line().starts_with("error "), "{between}");
        assert_eq!(engine.line(), "done", "{between}");
    }
    engine.send("pos start");
    engine.send("level depth=2");
    engine.send("go think");
    assert!(engine.done().starts_with("done move="));
    assert!(engine.close().is_empty());
}

/// A limit of depth or nodes holds with more threads than the machine has cores.
#[test]
fn limits_hold_with_many_threads() {
    let mut engine = Engine::start(&["hub", "--threads", "32", "--book", "none"]);
    for (limit, most) in [("depth=4", 200_000), ("nodes=50000", 80_000)] {
        engine.send("pos start");
        engine.send(&format!("level {limit}"));
        engine.send("go analyze");
        let mut nodes = 0;
        loop {
            match engine.line().parse() {
                Ok(Reply::Info(info)) => nodes = info.nodes,
                Ok(Reply::Done { mv: Some(_), .. }) => break,
                other => panic!("{other:?}"),
            }
        }
        assert!(nodes <= most, "{limit}: {nodes} nodes");
    }
    assert!(engine.close().is_empty());
}

/// Limits that cannot be read do not become a search without end; limits outlast a change of the rules.
#[test]
fn bad_limits_do_not_hang() {
    let mut engine = Engine::start(&["hub", "--book", "none"]);
    engine.send("pos start");
    engine.send("level move-time=soon");
    assert!(engine.line().starts_with("error "));
    engine.send("go think");
    assert!(engine.done().starts_with("done move="));
    engine.send("level depth=2");
    engine.send("set-param name=variant value=pool");
    engine.send("go think");
    assert!(engine.done().starts_with("done move="));
    assert!(engine.close().is_empty());
}

/// The memory of the table is not touched before a search uses it, so the engine is there at once with a large one.
#[cfg(target_os = "linux")]
#[test]
fn a_large_table_costs_nothing_at_the_start() {
    let mut engine = Engine::start(&["hub", "--hash", "2048"]);
    engine.send("ping");
    assert_eq!(engine.line(), "pong");
    let status = std::fs::read_to_string(format!("/proc/{}/status", engine.id()));
    let status = status.expect("the engine runs");
    let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kib = resident.and_then(|text| text.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    assert!(kib.expect("it is told") < 64 << 10, "{kib:?} KiB");
    assert!(engine.close().is_empty());
}
