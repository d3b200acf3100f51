//! `mainroad match`: whatever an engine, a disk or the user does, no finished game is lost and every result is right.
//!
//! `MATCH_GAMES=100 cargo test --release matches` has the slow referee derive the results of that many games of each rule set.

mod faults;
mod going_on;
mod plan;
mod refused;
mod results;

use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How long a match in a test may take at most.
const PATIENCE: Duration = Duration::from_mins(1);

/// The program under test.
const PROGRAM: &str = env!("CARGO_BIN_EXE_mainroad");

/// Two small engines in process, one of them weak, and few nodes.
const SMALL: &str = "match --engine self:hash=1,book=none --engine self:hash=1,book=none,net=material \
                     --time-control nodes=300 --max-plies 200";

/// A folder of its own for a test, empty at first.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
            .join("matches")
            .join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("folders can be made");
        Self(path)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_string_lossy().into_owned()
    }

    /// Returns the text of a file here, or nothing if it is not there.
    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap_or_default()
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.0.join(name), text).expect("it can be written");
    }

    /// Returns the names of the files here, sorted.
    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).expect("it is there");
        let name = |entry: std::io::Result<fs::DirEntry>| {
            let name = entry.expect("it can be listed").file_name();
            name.to_string_lossy().into_owned()
        };
        let mut names: Vec<String> = entries.map(name).collect();
        names.sort();
        names
    }

    fn command(&self, program: &str, args: &[String]) -> Command {
        let mut command = Command::new(program);
        command
            .args(args)
            .current_dir(&self.0)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Starts the program here, with arguments as a shell would split them.
    fn start(&self, line: &str) -> Child {
        let args = shlex::split(line).expect("quotes are closed");
        self.command(PROGRAM, &args).spawn().expect("it is there")
    }

    /// Runs the program here to its end.
    fn run(&self, line: &str) -> Run {
        Run::of(self.start(line))
    }

    /// Runs the program here to its end, which must be a success.
    #[track_caller]
    fn succeed(&self, line: &str) -> Run {
        let run = self.run(line);
        assert_eq!(run.code, 0, "{line}: {}", run.err);
        run
    }

    /// Runs the program here; it must refuse with one line that says something, and no output.
    #[track_caller]
    fn refuse(&self, line: &str, code: i32, said: &str) {
        let run = self.run(line);
        assert_eq!(run.code, code, "{line}: {}", run.err);
        assert!(run.err.contains(said), "{line}: {}", run.err);
        assert!(code == 2 || run.err.lines().count() == 1, "{}", run.err);
        assert!(run.out.is_empty(), "{}", run.out);
    }

    /// Waits until a journal here has at least so many games.
    #[track_caller]
    fn wait_for(&self, journal: &str, games: usize) {
        let deadline = Instant::now() + PATIENCE;
        while self.text(journal).lines().count() < games + 1 {
            assert!(Instant::now() < deadline, "no games are played");
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Returns the games in a journal here, by their numbers.
    #[track_caller]
    fn journal(&self, name: &str) -> BTreeMap<u64, Value> {
        games(&objects(&self.text(name)))
    }
}

/// Returns the objects of a text, one a line.
#[track_caller]
fn objects(text: &str) -> Vec<Value> {
    let parse = |line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"));
    text.lines().map(parse).collect()
}

/// Returns those of some objects that are games, by their numbers.
fn games(objects: &[Value]) -> BTreeMap<u64, Value> {
    let numbered = objects.iter();
    let numbered = numbered.filter_map(|value| Some((value["game"].as_u64()?, value.clone())));
    numbered.collect()
}

fn number(value: &Value) -> u64 {
    value.as_u64().expect("a number")
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

/// What a run came to.
struct Run {
    code: i32,
    out: String,
    err: String,
}

impl Run {
    fn of(child: Child) -> Self {
        let output = child.wait_with_output().expect("it can be waited for");
        Self {
            code: output.status.code().expect("no signal ended it"),
            out: String::from_utf8(output.stdout).expect("output is UTF-8"),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// Returns the sum, which comes last.
    #[track_caller]
    fn summary(&self) -> Value {
        let last = objects(&self.out).pop();
        last.unwrap_or_else(|| panic!("no output: {}", self.err))
    }

    #[track_caller]
    fn games(&self) -> BTreeMap<u64, Value> {
        games(&objects(&self.out))
    }
}

/// Returns what two runs of the same games have in common: all but times.
fn timeless(mut game: Value) -> Value {
    let fields = game.as_object_mut().expect("a game is an object");
    fields.remove("started");
    for thought in fields["thoughts"].as_array_mut().expect("a list") {
        thought.as_object_mut().expect("an object").remove("time_s");
    }
    game
}

#[track_caller]
fn assert_same_games(one: BTreeMap<u64, Value>, other: BTreeMap<u64, Value>) {
    assert!(!one.is_empty());
    let all = |games: BTreeMap<u64, Value>| games.into_values().map(timeless).collect::<Vec<_>>();
    assert_eq!(all(one), all(other));
}
