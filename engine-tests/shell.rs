//! The shell: conversations through a pseudo-terminal and through a pipe.

use mainroad::notation::pdn;
use rexpect::process::Signal;
use rexpect::session::{PtySession, spawn_command};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How long anything may take that should come at once, in milliseconds. Generous: other tests run at the same time.
const PATIENCE: u64 = 30_000;

/// The program in a terminal.
struct Terminal(PtySession);

impl Terminal {
    /// Starts plain `mainroad`, or a command, in a terminal of a kind.
    fn start(kind: &str, args: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mainroad"));
        command.args(args).env("TERM", kind);
        Self(spawn_command(command, Some(PATIENCE)).expect("a terminal can be had"))
    }

    /// Waits for a text.
    #[track_caller]
    fn see(&mut self, expected: &str) -> String {
        match self.0.exp_string(expected) {
            Ok(before) => before,
            Err(error) => panic!("expected {expected}: {error}"),
        }
    }

    /// Types a line and waits for a text in the answer, and then for the next prompt.
    #[track_caller]
    fn ask(&mut self, line: &str, expected: &str) {
        self.0.send_line(line).expect("it reads");
        self.see(expected);
        self.see("> ");
    }

    /// Types bytes, which need not be text, in one burst.
    fn burst(&self, bytes: &[u8]) {
        let terminal = self.0.process().get_file_handle();
        let mut terminal = terminal.expect("a handle can be had");
        terminal.write_all(bytes).expect("it reads");
    }

    /// Waits until the program has left, with a success.
    #[track_caller]
    fn end(self) {
        self.end_with(0);
    }

    /// Waits until the program has left with an exit code.
    #[track_caller]
    fn end_with(mut self, code: i32) {
        if let Err(error) = self.0.exp_eof() {
            panic!("it does not leave: {error}");
        }
        let status = self.0.process().wait().expect("it has left");
        let status = format!("{status:?}");
        assert!(
            status.starts_with("Exited(") && status.ends_with(&format!(", {code})")),
            "{status}"
        );
    }
}

/// A proof that takes long tells on a terminal how far it is, and takes that away again.
#[test]
fn a_proof_tells_how_far_it_is() {
    let mut terminal = Terminal::start("xterm", &["solve", "--time", "2", "--duals"]);
    terminal.see(" positions judged, 10000000 at most");
    terminal.see("unknown (");
    terminal.end_with(1);
}

/// Settings that make the engine quick.
const QUICK: [&str; 7] = [
    "shell",
    "--hash",
    "1",
    "--threads",
    "1",
    "--move-time",
    "0.05",
];

/// A person plays with every comfort that the terminal has, and with none.
#[test]
fn a_person_plays() {
    for kind in ["xterm", "dumb"] {
        let mut shell = Terminal::start(kind, &[]);
        shell.see("Type a move, or help.");
        shell.see("A new game: russian.");
        shell.see("8 |   b   b   b   b | 8");
        shell.see("White> ");
        shell.ask("help", "undo ");
        shell.ask("set hash 1", "hash is 1.");
        shell.ask("set move-time 0.05", "move-time is 0.05.");
        shell.ask("cd4", "Black plays ");
        shell.ask("undo", "White to move");
        shell.ask(
            "fen",
            "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12",
        );
        shell.ask("22-18", "Black plays ");
        shell.ask("hint", "I would play ");
        shell.ask("eval", ", depth ");
        shell.ask("go", "White plays ");
        shell.ask("resign", "White wins: Black resigns.");
        shell.ask("go", "The game is over: ");
        shell.0.send_line("quit").expect("it reads");
        shell.end();
    }
}

/// Ctrl-C ends a thought with a move, and a line that is being typed; Ctrl-D leaves.
#[test]
fn control_keys() {
    let mut shell = Terminal::start("xterm", &[]);
    shell.see("> ");
    shell.ask("set hash 1", "hash is 1.");
    shell.ask("set book none", "book is none.");
    shell.ask("set move-time 3600", "move-time is 3600.");
    shell.0.send_line("go").expect("it reads");
    shell.see("Thinking; ");
    let asked = Instant::now();
    shell.0.send_control('c').expect("it reads");
    shell.see("White plays ");
    assert!(
        asked.elapsed() < Duration::from_secs(10),
        "{:?}",
        asked.elapsed()
    );
    shell.see("Black> ");
    shell.0.send("half a line").expect("it reads");
    shell.0.flush().expect("it reads");
    shell.0.send_control('c').expect("it reads");
    shell.see("\n");
    shell.see("Black> ");
    shell.0.send_control('d').expect("it reads");
    shell.end();
}

/// Bytes that are not UTF-8, as they come from a terminal with another encoding, are refused like other lines that cannot be read.
#[test]
fn bytes_that_are_not_text() {
    // The terminal of the test takes each byte for a letter, so the replaced one before this looks otherwise.
    let refused = "\" cannot be read as a move";
    for kind in ["xterm", "dumb"] {
        for bytes in [
            &b"\xF1\xE3\n"[..],
            b"caf\xE9\n",
            b"\xFF\n",
            b"\xC3\x28\n",
            b"\xED\xA0\x80\n",
        ] {
            let mut shell = Terminal::start(kind, &QUICK);
            shell.see("White> ");
            shell.burst(bytes);
            shell.see(refused);
            shell.see("White> ");
            // What is left of the line, if anything, is another.
            shell.ask("", "");
            shell.ask("board", "White to move");
            shell.0.send_line("quit").expect("it reads");
            shell.end();
        }
    }
    // Without Enter too; the editor refuses each byte as it comes.
    let mut shell = Terminal::start("xterm", &QUICK);
    shell.see("White> ");
    shell.burst(b"\xF1\xE3");
    shell.see(refused);
    shell.see("White> ");
    shell.ask("board", "White to move");
    let piped = answers_to_bytes(&[], b"caf\xE9\nboard\n");
    assert!(
        piped.contains(&format!("\"caf\u{FFFD}{refused}")),
        "{piped}"
    );
}

/// Lines that come in one burst, typed ahead or pasted, are carried out one after the other.
#[test]
fn bursts() {
    for kind in ["xterm", "dumb"] {
        for end in ["\n", "\r"] {
            let mut shell = Terminal::start(kind, &QUICK);
            shell.see("White> ");
            shell.burst(
                ["c3-d4", "hint", "fen", "undo", "quit", ""]
                    .join(end)
                    .as_bytes(),
            );
            for answer in [
                "Black plays ",
                "I would play ",
                ":B",
                "White to move",
                "White> ",
            ] {
                shell.see(answer);
            }
            shell.end();
        }
    }
    // More than any buffer holds at once.
    let mut shell = Terminal::start("xterm", &QUICK);
    shell.see("White> ");
    shell.burst("fen\n".repeat(500).as_bytes());
    for _ in 0..500 {
        shell.see("W:W21,22,23");
    }
    shell.ask("board", "White to move");
}

/// Says whether these tests, and so what they start, ignore a signal; known where the system tells it in a file.
#[cfg(unix)]
fn is_ignored(signal: Signal) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|digits| u64::from_str_radix(digits.trim(), 16).ok());
    ignored.is_some_and(|ignored| ignored >> (signal as i32 - 1) & 1 == 1)
}

/// What asks a program to end does end it, at the prompt and while the engine thinks.
#[cfg(unix)]
#[test]
fn signals_to_end() {
    for signal in [Signal::SIGTERM, Signal::SIGHUP] {
        if is_ignored(signal) {
            // As under `nohup`, and so it is for the program.
            continue;
        }
        for (line, seen) in [("board", "White> "), ("go", "Thinking; ")] {
            let mut args = QUICK;
            args[6] = "3600";
            let mut shell = Terminal::start("xterm", &[&args[..], &["--book", "none"]].concat());
            shell.see("White> ");
            shell.0.send_line(line).expect("it reads");
            shell.see(seen);
            let asked = Instant::now();
            shell.0.process_mut().signal(signal).expect("it is there");
            shell.end_with(130);
            assert!(
                asked.elapsed() < Duration::from_secs(10),
                "{signal} at {line}: {:?}",
                asked.elapsed()
            );
        }
    }
}

/// Types lines into a pipe and returns all that is answered.
#[track_caller]
fn answers(args: &[&str], lines: &str) -> String {
    answers_to_bytes(args, lines.as_bytes())
}

#[track_caller]
fn answers_to_bytes(args: &[&str], lines: &[u8]) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_mainroad"))
        .args(QUICK)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary is there");
    let mut input = child.stdin.take().expect("it is piped");
    input.write_all(lines).expect("it reads");
    drop(input);
    let run = child.wait_with_output().expect("it ends");
    let err = String::from_utf8_lossy(&run.stderr);
    assert!(
        run.status.success() && err.is_empty(),
        "{}: {err}",
        run.status
    );
    String::from_utf8(run.stdout).expect("output is UTF-8")
}

/// Lines, and parts of the answers in their order.
#[track_caller]
fn check(args: &[&str], lines: &str, expected: &[&str]) {
    let all = answers(args, lines);
    let mut rest = all.as_str();
    for part in expected {
        let at = rest
            .find(part)
            .unwrap_or_else(|| panic!("{part} is not in its place: {all}"));
        rest = &rest[at + part.len()..];
    }
}

/// Every end is announced with its reason, and after it nothing is played.
#[test]
fn ends() {
    check(
        &[],
        "fen W:W22:B18\nc3:e5\nc3:e5\ngo\nundo\nmoves\n",
        &[
            "White wins: the other side has no pieces left (no-pieces).",
            "The game is over: ",
            "The game is over: ",
            "White to move",
            "c3:e5",
        ],
    );
    check(
        &[],
        "fen W:W21:B14,17\n",
        &["Black wins: the other side cannot move (blocked)."],
    );
    check(
        &[],
        "fen B:W22:B18\na7-b6\nd4:b2\n",
        &[
            "\"a7-b6\" is not a legal move here",
            "Black wins: the other side has no pieces left",
        ],
    );
    check(
        &["--variant", "pool"],
        "resign\n",
        &["White wins: Black resigns."],
    );
    // A king that goes to and fro on squares where it cannot be taken; the rule for one king against one ends it, or repetition.
    let moves = "g1-h2\nh2-g1\n".repeat(5);
    check(
        &["--variant", "russian-fmjd64"],
        &format!("fen W:WK32:BK1\n{moves}"),
        &["The game is drawn: "],
    );
}

/// The engine agrees to a draw when it is not better itself.
#[test]
fn draws() {
    check(
        &[],
        "fen W:WK32:BK1\ndraw\ndraw\n",
        &["The game is drawn by agreement.", "The game is over: "],
    );
    check(
        &[],
        "fen W:WK1,K2,K3,22,23,24:B12\ndraw\nundo\nmoves\n",
        &["The game is drawn by agreement.", "White to move"],
    );
    check(
        &[],
        "fen B:WK30,22,23,24,28:B5\ndraw\nmoves\n",
        &[
            "The engine thinks that it is better, and plays on.",
            "a7-b6",
        ],
    );
}

/// Settings, other games, and what cannot be done: one line that says why, and everything as it was.
#[test]
fn settings_and_refusals() {
    check(
        &["--variant", "pool"],
        "moves\nset\nset threads 0\nset colour green\nset ponder true\nset hash\nset move-time 0\nset book /no/such/book\nnew chess\nnew brazilian\nset variant=pool-25\n9-13\n",
        &[
            "A new game: pool.",
            "Black to move",
            "9-13",
            "move-time 0.05 ",
            "variant pool ",
            "bad value '0' of threads, expected a whole number from 1 to 1024",
            "unknown option colour",
            "ponder is not for the shell",
            "set has no value, expected set NAME VALUE",
            "bad move-time \"0\", expected a number of seconds from 0.001 to 86400",
            "no book at /no/such/book",
            "bad value 'chess' of variant",
            "A new game: brazilian.",
            "White to move",
            "A new game: pool-25.",
            "White plays ",
        ],
    );
    check(
        &[],
        "undo\nxyzzy\na1-h8\nfen nonsense\nsave\nsave /no/such/folder/file\nwhatever\n",
        &[
            "There is no move to take back.",
            "\"xyzzy\" cannot be read as a move",
            "\"a1-h8\" is not a legal move here (help lists the commands)",
            "bad FEN: ",
            "save has no file, expected save FILE",
            "cannot write: /no/such/folder/file: ",
            "\"whatever\" cannot be read as a move",
        ],
    );
}

/// What is saved is a game that can be read again, behind those that were there.
#[test]
fn saved_games() {
    let path = new_file("games.pdn");
    let name = path.display();
    check(
        &[],
        &format!("save {name}\nc3-d4\nresign\nsave {name}\nfen B:W22:B18\nd4:b2\nsave {name}\n"),
        &["The game was added to "],
    );
    let text = fs::read_to_string(&path).expect("it was written");
    let games: Result<Vec<_>, _> = pdn::Reader::new(text.as_bytes(), None).collect();
    let games = games.expect("memory can be read");
    let tags = |name| {
        games
            .iter()
            .map(|game| game.tag(name).unwrap_or_default())
            .collect::<Vec<_>>()
    };
    assert_eq!(tags("Result"), ["*", "0-1", "0-1"], "{text}");
    assert_eq!(tags("White"), ["Player", "Player", "Mainroad 0.1.0"]);
    assert_eq!(
        tags("Black"),
        ["Mainroad 0.1.0", "Mainroad 0.1.0", "Player"]
    );
    let reasons = ["unfinished", "resignation", "no-pieces"];
    assert_eq!(tags("Termination"), reasons);
    assert_eq!(tags("PlyCount"), ["0", "2", "1"]);
    assert_eq!(tags("FEN")[2], "B:Wc3:Bd4");
    fs::remove_file(path).expect("it is there");
}

/// What is there stays as it was, byte by byte, with its permissions; the game is on lines of its own behind it.
#[test]
fn files_of_others() {
    let path = new_file("others.pdn");
    // In UTF-8, and in Windows-1251.
    for name in ["Чижов".as_bytes(), b"\xD7\xE8\xE6\xEE\xE2"] {
        for end in ["", "\n", "\r\n\r\n"] {
            let parts = [
                &b"[White \""[..],
                name,
                b"\"]\n\n1. c3-d4 *",
                end.as_bytes(),
            ];
            let before = parts.concat();
            fs::write(&path, &before).expect("it can be written");
            set_mode(&path, 0o640);
            check(&[], &format!("save {}\n", path.display()), &["was added"]);
            let after = fs::read(&path).expect("it is there");
            let added = after.strip_prefix(&before[..]).expect("nothing is lost");
            let is_apart = added.starts_with(if end.is_empty() { b"\n[Ev" } else { b"[Eve" });
            assert!(is_apart, "{}", String::from_utf8_lossy(&after));
            let games = pdn::Reader::new(&after[..], None);
            assert_eq!(games.count(), 2, "{}", String::from_utf8_lossy(&after));
            assert_eq!(mode(&path), 0o640);
        }
    }
    let before = b"\xFF\xFE[\0";
    fs::write(&path, before).expect("it can be written");
    check(
        &[],
        &format!("save {}\n", path.display()),
        &["UTF-16, expected UTF-8"],
    );
    assert_eq!(fs::read(&path).expect("it is there"), before);
    fs::remove_file(path).expect("it is there");
}

#[cfg(unix)]
fn set_mode(path: &Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("the file is ours");
}

#[cfg(unix)]
fn mode(path: &Path) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    let metadata = fs::metadata(path).expect("it is there");
    metadata.permissions().mode() & 0o777
}

/// Where a game cannot be saved it is said at once; a device may be endless, and a pipe waits for somebody at its other end.
#[cfg(unix)]
#[test]
fn not_files() {
    let pipe = new_file("pipe");
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo is there").success());
    for name in ["/dev/zero", "/dev/full", &pipe.display().to_string()] {
        check(
            &[],
            &format!("save {name}\nboard\n"),
            &[
                &format!("cannot write: {name}: not a regular file"),
                "White to move",
            ],
        );
    }
    fs::remove_file(pipe).expect("it is there");
}

/// The path of a file that is not there.
fn new_file(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("shell-{name}"));
    let _ = fs::remove_file(&path);
    path
}
