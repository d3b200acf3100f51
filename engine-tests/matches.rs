//! `mainroad match`: whatever an engine, a disk or the user does, no finished game is lost and every result is right.
//!
//! `MATCH_GAMES=100 cargo test --release matches` has the slow referee derive the results of that many games of each rule set.

use crate::oracle::slow::{Board, Colour, SlowMove, legal_moves};
use crate::oracle::slow_draws::{Referee, RuleSet};
use crate::support::{amount, data};
use mainroad::rules::Variant;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::Write;
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

/// An engine that makes a fault once loses one game by it, is started anew, and plays the others.
#[track_caller]
fn check_fault(fault: &str, control: &str, kind: &str, detail: &str) {
    let folder = Folder::new(&format!("fault-{fault}-{control}"));
    let script = data("matches/engine.sh");
    let script = script.display();
    let started = Instant::now();
    let run = folder.succeed(&format!(
        "match --engine \"hub:sh '{script}' {fault} marker '{PROGRAM}' hub\" --engine self:hash=1 --name faulty \
         --set 1:hash=1 --time-control {control} --games 4 --max-plies 60 --patience 2 --margin 2000 --json"
    ));
    assert!(started.elapsed() < PATIENCE);
    let summary = run.summary();
    assert_eq!(summary["games"], 4, "{}", run.err);
    let forfeits = json!({ "faulty": { kind: 1 } });
    assert_eq!(summary["forfeits"], forfeits, "{}", run.err);
    let lost = &run.games()[&0];
    assert_eq!(lost["winner"], "B", "the faulty engine has White first");
    assert_eq!(lost["reason"], kind);
    assert_eq!(lost["fault"]["side"], "W");
    let said = text(&lost["fault"]["detail"]);
    assert!(said.contains(detail), "{said}");
    let line = format!("faulty loses by a fault: {kind}");
    assert!(run.err.contains(&line), "{}", run.err);
}

#[test]
fn faults_lose_one_game_each() {
    let checks = [
        ("illegal-move", "nodes=200", "illegal-move", "1-32"),
        ("garbage", "nodes=200", "garbage", "xyzzy"),
        ("no-move", "nodes=200", "garbage", "without a move"),
        ("killed", "nodes=200", "crash", "signal: 9"),
        ("leaves", "nodes=200", "crash", "exit status: 3"),
        ("orphan", "nodes=200", "crash", "exit status: 4"),
        ("closes", "nodes=200", "crash", "closed its output"),
        ("silent", "nodes=200", "hang", "no move within 2.000 s"),
        ("silent", "move-time=0.2", "time", "no move within 0.200 s"),
        (
            "silent",
            "time=0.5,inc=0.02",
            "time",
            "no move within 0.520 s",
        ),
        ("chatter", "nodes=200", "hang", "what is this?"),
        ("flood", "nodes=200", "flood", "does not end"),
        (
            "endless-line",
            "nodes=200",
            "hang",
            "no move within 2.000 s",
        ),
    ];
    thread::scope(|scope| {
        for (fault, control, kind, detail) in checks {
            scope.spawn(move || check_fault(fault, control, kind, detail));
        }
    });
}

/// Processes that an engine has started are killed with it, and nothing is left as a zombie.
#[test]
#[cfg(target_os = "linux")]
fn no_process_is_left() {
    let folder = Folder::new("reaped");
    // The engine is a shell that waits for its child; the number tells it from everything else.
    folder.write(
        "engine.sh",
        "while read -r line; do
            case $line in hub) echo wait ;; init) echo ready ;; go*) sleep 98765.4321 ;; esac
        done",
    );
    folder.succeed(
        "match --engine 'sh engine.sh' --engine self:hash=1 --time-control move-time=0.05 --games 2",
    );
    let processes = fs::read_dir("/proc").expect("Linux has it");
    for process in processes.flatten() {
        let command = fs::read(process.path().join("cmdline")).unwrap_or_default();
        let command = String::from_utf8_lossy(&command).replace('\0', " ");
        assert!(!command.contains("98765.4321"), "left: {command}");
    }
}

/// An engine that cannot be started at all is found before the match.
#[test]
fn engines_that_cannot_start_are_named() {
    let folder = Folder::new("cannot-start");
    folder.write("quiet.sh", "exit 7");
    folder.write(
        "plain.sh",
        "while read -r line; do
            case $line in hub) echo 'param name=size value=1 type=string' && echo wait ;; quit) exit ;; esac
        done",
    );
    for (engine, said) in [
        (
            "hub:/nowhere/engine",
            "engine engine: cannot start: /nowhere/engine",
        ),
        ("sh quiet.sh", "it ended before \"wait\": exit status: 7"),
        ("self:hash=-1", "expected a whole number"),
        ("self:no=1", "unknown option no"),
    ] {
        folder.refuse(&format!("match --engine '{engine}' --engine self"), 1, said);
    }
    folder.refuse(
        "match --engine 'sh plain.sh' --engine self --set 1:hash=1",
        1,
        "it has no parameter \"hash\", expected one of size",
    );
    let program = env!("CARGO_BIN_EXE_mainroad");
    folder.refuse(
        &format!("match --engine 'hub:{program} hub' --engine self --set 1:net=plain.sh"),
        1,
        "it refuses a parameter: ",
    );
    fs::create_dir(folder.path("broken")).expect("it can be made");
    folder.write("broken/russian-1K-1K.tables", "none");
    for (option, said) in [
        (
            "tables=broken",
            "engine self: cannot start: bad tables: broken",
        ),
        ("book=plain.sh", "book"),
    ] {
        let line = format!("match --engine self:{option} --engine self");
        folder.refuse(&line, 1, said);
    }
    assert_eq!(
        folder.names(),
        ["broken", "plain.sh", "quiet.sh"],
        "no journal is begun"
    );
}

/// A match that is killed at any time goes on where it was, and comes to the same.
#[test]
fn killed_matches_go_on() {
    let folder = Folder::new("killed");
    let line = format!("{SMALL} --games 24 --concurrency 2 --json --journal");
    let whole = folder.succeed(&format!("{line} whole.jsonl"));
    let line = format!("{line} part.jsonl");
    let mut child = folder.start(&line);
    folder.wait_for("part.jsonl", 4);
    child.kill().expect("it can be killed");
    let _ = child.wait();
    // A loss of power in the middle of a line.
    let complete = folder.text("part.jsonl");
    let complete = &complete[..=complete.rfind('\n').expect("there are lines")];
    let before = games(&objects(complete));
    let file = OpenOptions::new()
        .append(true)
        .open(folder.path("part.jsonl"));
    let torn = file.and_then(|mut file| file.write_all(b"{\"game\":23,\"round\":1"));
    torn.expect("it can be written");

    let run = folder.succeed(&line);
    assert_same_games(run.games(), whole.games());
    let after = folder.journal("part.jsonl");
    assert_eq!(after.len(), 24);
    for (game, record) in before {
        assert_eq!(after[&game], record, "a finished game is not played again");
    }
    // Everything is there, so nothing is played, and the answer is the same.
    assert_eq!(folder.succeed(&line).summary(), run.summary());
}

/// Ctrl-C ends a match at once; the exit code tells so, and what is finished is reported.
#[test]
#[cfg(unix)]
fn interrupted_matches_report_and_go_on() {
    let folder = Folder::new("interrupted");
    let child = folder.start(&format!("{SMALL} --games 4000 --json --journal j.jsonl"));
    folder.wait_for("j.jsonl", 3);
    let id = child.id().to_string();
    let status = Command::new("kill").args(["-INT", &id]).status();
    assert!(status.expect("kill is there").success());
    let asked = Instant::now();
    let run = Run::of(child);
    assert!(asked.elapsed() < Duration::from_secs(5));
    assert_eq!(run.code, 130, "{}", run.err);
    assert_eq!(run.summary()["games"], folder.journal("j.jsonl").len());
}

/// The parts of a match, played by several processes at the same time, add up to what one process plays.
#[test]
fn shards_add_up_exactly() {
    let folder = Folder::new("shards");
    let line = format!("{SMALL} --games 14 --openings idf-150 --variant pool --seed 7");
    let whole = folder.succeed(&format!(
        "{line} --json --journal whole.jsonl --pdn whole.pdn"
    ));
    let parts = ["1/3", "2/3", "3/3"];
    let runs = parts.map(|part| folder.start(&format!("{line} --shard {part}")));
    for run in runs.map(Run::of) {
        assert_eq!(run.code, 0, "{}", run.err);
    }
    let files: Vec<String> = folder
        .names()
        .into_iter()
        .filter(|name| name.contains("-of-3"))
        .collect();
    let [first, second, third] = &files[..] else {
        panic!("{files:?}");
    };
    let merged = folder.succeed(&format!(
        "match merge {first} {second} {third} --json --out merged.jsonl --pdn merged.pdn"
    ));
    assert_same_games(merged.games(), whole.games());
    let numbers = |run: &Run| {
        let mut summary = run.summary();
        for player in summary["players"].as_array_mut().expect("a list") {
            let player = player.as_object_mut().expect("an object");
            player.retain(|name, _| !name.contains("time"));
        }
        summary
    };
    assert_eq!(numbers(&merged), numbers(&whole));
    // The merged journal is a journal of the whole match.
    let again = folder.succeed("match merge merged.jsonl --json");
    assert_eq!(again.out, merged.out);

    let partial = folder.run(&format!("match merge {first} {third}"));
    assert_eq!(partial.code, 1);
    assert!(partial.err.contains("games are missing"), "{}", partial.err);
    for (files, said) in [
        (format!("{first} {second} {first}"), "is there twice"),
        (format!("{first} nowhere.jsonl"), "nowhere.jsonl"),
        (format!("{first} whole.pdn"), "not a line of a journal"),
    ] {
        folder.refuse(&format!("match merge {files}"), 1, said);
    }
}

/// The same seed gives the same openings in the same order with the same pairing; another one does not.
#[test]
fn seeds_repeat() {
    let folder = Folder::new("seeds");
    let openings = |seed: u32, more: &str| -> Vec<[String; 2]> {
        let line = format!("{SMALL} --games 6 --seed {seed} --journal none --json {more}");
        let opening = |game: Value| {
            let plies = number(&game["opening_plies"]) as usize;
            let moves = &list(&game["moves"])[..plies];
            let opening = format!("{} {} {moves:?}", game["opening"], game["fen"]);
            [text(&game["white"]).to_owned(), opening]
        };
        let games = folder.succeed(&line).games();
        games.into_values().map(opening).collect()
    };
    for more in ["", "--openings fmjd-64", "--variant pool"] {
        let first = openings(5, more);
        assert_eq!(first, openings(5, more));
        assert_ne!(first, openings(6, more));
        // Both games of a pair have the same opening, with colours exchanged.
        for pair in first.chunks(2) {
            assert_eq!(pair[0][1], pair[1][1]);
            assert_ne!(pair[0][0], pair[1][0]);
        }
    }
}

/// A pair that repeats another move for move is no further proof.
#[test]
fn repeated_pairs_count_once() {
    let folder = Folder::new("repeated");
    let run = folder.succeed(&format!("{SMALL} --games 12 --opening-plies 0 --json"));
    let summary = run.summary();
    let pairs = list(&summary["pentanomial"]).iter().map(number);
    assert_eq!(pairs.sum::<u64>(), 1);
    assert_eq!(summary["repeated_pairs"], 5);
    assert_eq!(summary["games"], 12);
    assert!(run.err.contains("6 pairs from 1 opening:"), "{}", run.err);
}

/// An engine may leave while it is not playing, and is started again for its next game.
#[test]
fn idle_engines_may_leave() {
    let folder = Folder::new("idle");
    // White takes the last piece at once. One engine leaves after a second without input, the other takes longer for its move.
    folder.write("openings.txt", "W:W30:B26\nW:W31:B27\n");
    let answers = "case $line in
        hub) echo wait ;; init) echo ready ;; quit) exit ;;
        pos*wee*) move=30x23x26 ;; pos*) move=31x24x27 ;;
        go*) sleep $1; echo done move=$move ;;
    esac";
    folder.write(
        "idle.sh",
        &format!("while read -rt 1 line; do {answers}; done"),
    );
    folder.write(
        "slow.sh",
        &format!("while read -r line; do {answers}; done"),
    );
    let run = folder.succeed(
        "match --engine 'bash idle.sh 0' --engine 'bash slow.sh 2' --openings openings.txt \
         --time-control move-time=10 --in-order --json",
    );
    let summary = run.summary();
    assert_eq!(summary["forfeits"], json!({}), "{}", run.err);
    assert_eq!(summary["pentanomial"], json!([0, 0, 2, 0, 0]));
    assert_eq!(summary["wins_by_reason"], json!({ "no-pieces": 4 }));
}

/// Whoever reads only the beginning of the answer does not end the match.
#[test]
#[cfg(unix)]
fn a_closed_output_does_not_end_the_match() {
    let folder = Folder::new("closed-output");
    let script = format!("'{PROGRAM}' {SMALL} --games 10 --json --journal j.jsonl | head -n 1");
    let shell = folder.command("bash", &["-c".to_owned(), script]).spawn();
    let run = Run::of(shell.expect("bash is there"));
    assert_eq!(run.out.lines().count(), 1);
    assert_eq!(folder.journal("j.jsonl").len(), 10);
}

/// The test ends a match when it is sure, long before the last game.
#[test]
fn sprt_ends_the_match() {
    let folder = Folder::new("sprt");
    let line = format!("{SMALL} --games 2000 --sprt 0,40 --json --concurrency 2");
    let summary = folder.succeed(&line).summary();
    assert_eq!(summary["sprt"]["verdict"], "h1");
    let games = number(&summary["games"]);
    assert!((4..400).contains(&games), "{games}");
    let llr = summary["llr"].as_f64().expect("a number");
    let high = summary["sprt"]["bounds"][1].as_f64().expect("a number");
    assert!(llr >= high, "{llr}");
    // It is decided, so nothing more is played.
    assert_eq!(folder.succeed(&line).summary(), summary);

    // Parts do not end early and have no ratio of their own; together they come to the same decision after the same games.
    let line = format!("{SMALL} --games 200 --sprt 0,40");
    let whole = folder
        .succeed(&format!("{line} --json --journal whole"))
        .summary();
    for (part, name) in [("1/2", "one"), ("2/2", "two")] {
        let line = format!("{line} --shard {part} --journal {name} --json");
        let summary = folder.succeed(&line).summary();
        assert_eq!(
            (&summary["games"], &summary["llr"]),
            (&json!(100), &Value::Null)
        );
    }
    let merged = folder.succeed("match merge one two --json").summary();
    for field in [
        "games",
        "wins",
        "draws",
        "losses",
        "pentanomial",
        "elo",
        "elo_interval",
        "llr",
        "sprt",
        "colours",
    ] {
        assert_eq!(merged[field], whole[field], "{field}");
    }
    let after = number(&merged["games_after_decision"]);
    assert_eq!(after + number(&merged["games"]), 200);
}

/// A disk that takes nothing more ends the match with one clear line, and what was finished is there when it goes on.
#[test]
#[cfg(unix)]
fn full_disks_lose_nothing() {
    let folder = Folder::new("full");
    let line = format!("{SMALL} --games 12 --journal j.jsonl");
    // A file that may not grow behaves as a full disk does; the signal that comes with it is ignored.
    let script = format!("trap '' XFSZ; ulimit -f 32; exec '{PROGRAM}' {line}");
    let shell = folder.command("bash", &["-c".to_owned(), script]).spawn();
    let run = Run::of(shell.expect("bash is there"));
    assert_eq!(run.code, 1, "{}", run.err);
    let last = run.err.lines().last().expect("it says why");
    let said = "mainroad: error: journal: j.jsonl: File too large";
    assert!(last.starts_with(said), "{last}");
    let before = folder.journal("j.jsonl");
    assert!((1..12).contains(&before.len()), "{}", before.len());
    folder.succeed(&line);
    let after = folder.journal("j.jsonl");
    assert_eq!(after.len(), 12);
    for (game, record) in before {
        assert_eq!(after[&game], record);
    }
}

/// What cannot be written is named before the first game, and a journal in use or of another match is left alone.
#[test]
#[cfg(target_os = "linux")]
fn bad_files_are_refused() {
    let folder = Folder::new("bad-files");
    folder.write("other.txt", "not a journal\n");
    folder.write("other.json", "{\"a\":1}\n");
    folder.succeed(&format!("{SMALL} --games 2 --journal one.jsonl"));
    let one = folder.text("one.jsonl");
    // Not even the administrator may write in /proc.
    for (more, said) in [
        ("--journal /proc/j.jsonl", "journal: /proc/j.jsonl"),
        (
            "--journal /nowhere/j.jsonl",
            "/nowhere/j.jsonl: No such file",
        ),
        ("--journal /dev/null", "expected a regular file"),
        ("--journal .", "journal: ."),
        ("--journal other.txt", "line 1: not a line of a journal"),
        (
            "--journal other.json",
            "line 1: not the beginning of a match",
        ),
        (
            "--journal one.jsonl --seed 2",
            "of another match (openings differs)",
        ),
        (
            "--journal one.jsonl --ponder",
            "of another match (ponder differs)",
        ),
        (
            "--journal one.jsonl --shard 1/2",
            "of another match (shard differs)",
        ),
        ("--pdn /proc/games.pdn", "cannot write: /proc/games.pdn"),
        ("--log /proc/logs", "cannot make the folder: /proc/logs"),
        ("--openings nowhere.pdn", "cannot read: nowhere.pdn"),
        ("--openings other.txt", "other.txt: none is good: line 1"),
    ] {
        folder.refuse(&format!("{SMALL} --games 2 {more}"), 1, said);
    }
    assert_eq!(folder.text("one.jsonl"), one);
    assert_eq!(folder.text("other.txt"), "not a journal\n");

    let line = format!("{SMALL} --games 2000 --journal used.jsonl");
    let mut first = folder.start(&line);
    folder.wait_for("used.jsonl", 1);
    folder.refuse(&line, 1, "another process is writing it");
    let _ = first.kill();
    let _ = first.wait();
}

/// A wrong command line is refused with one line that says what was expected.
#[test]
fn wrong_usage_is_explained() {
    let folder = Folder::new("usage");
    for (args, said) in [
        ("", "--engine"),
        ("--engine self", "expected at least two engines"),
        (
            "--engine self --engine dxp:host:port",
            "it is no address, expected hub:COMMAND, dxp:HOST:PORT or",
        ),
        (
            "--engine self --engine dxp:localhost --concurrency 2",
            "a DXP engine plays one game at a time",
        ),
        (
            "--engine self --engine dxp:localhost --set 2:hash=1",
            "a DXP engine has squares=hub or squares=pdn only",
        ),
        ("--engine self --engine hub:", "the command is empty"),
        ("--engine self --engine \"hub:'x\"", "a quote is not closed"),
        ("--engine self --engine self:hash", "an option has no value"),
        (
            "--engine self --engine self:variant=pool",
            "not for one engine to choose",
        ),
    ] {
        folder.refuse(&format!("match {args}"), 2, said);
    }
    for (args, said) in [
        ("--games 3", "expected an even number"),
        ("--time-control time=1,time=2", "bad time control"),
        ("--time-control inc=1", "bad time control"),
        (
            "--time-control depth=1 --time-control depth=2 --time-control depth=3",
            "expected one, or one for each",
        ),
        ("--shard 0/3", "expected I/N"),
        ("--sprt 5,0", "not above"),
        ("--sprt 5", "expected ELO0,ELO1"),
        ("--win-score 100,1", "expected CP,PLIES"),
        ("--win-score 4294967295,6", "expected CP,PLIES"),
        ("--draw-score 4294967295,6,0", "expected CP,PLIES"),
        ("--set 3:hash=1", "there is no such engine"),
        (
            "--name a --name a",
            "expected a text that no other engine has",
        ),
        ("--engine self --sprt 0,5", "expected two engines"),
    ] {
        folder.refuse(
            &format!("match --engine self --engine self {args}"),
            2,
            said,
        );
    }
    assert!(folder.names().is_empty(), "nothing is begun");
}

/// More than two players: who meets whom, and everything adds up.
#[track_caller]
fn check_format(format: &str, games_of_each: [u64; 3]) {
    let folder = Folder::new(format);
    let line = format!(
        "match --engine self:hash=1 --engine self:hash=1,net=material --engine self:hash=1,net=handmade \
         --name one --name two --name three --format {format} --time-control nodes=100 --games 4 --json"
    );
    let summary = folder.succeed(&line).summary();
    let players = list(&summary["players"]);
    let games: Vec<u64> = players
        .iter()
        .map(|player| number(&player["games"]))
        .collect();
    assert_eq!(games, games_of_each);
    let total: u64 = games.iter().sum();
    assert_eq!(summary["games"], total / 2);
    let points = players
        .iter()
        .map(|player| player["points"].as_f64().expect("a number"));
    assert!((points.sum::<f64>() - total as f64 / 2.0).abs() < 1e-9);
    for encounter in list(&summary["encounters"]) {
        let pairs = list(&encounter["pentanomial"]).iter().map(number);
        assert_eq!(pairs.sum::<u64>(), 2);
    }
}

#[test]
fn round_robin() {
    check_format("round-robin", [8, 8, 8]);
}

#[test]
fn gauntlet() {
    check_format("gauntlet", [8, 4, 4]);
}

/// Processes that think on each other's time, by a clock with increment, play to the end without a fault.
#[test]
fn pondering_engines_play() {
    let folder = Folder::new("ponder");
    let line = format!(
        "match --engine \"hub:'{PROGRAM}' hub\" --engine \"hub:'{PROGRAM}' hub\" --engine self \
         --set *:hash=1 --set *:book=none --time-control time=1,inc=0.02,moves=20 --ponder --games 2 \
         --margin 2000 --log logs --json"
    );
    let run = folder.succeed(&line);
    let summary = run.summary();
    assert_eq!(summary["forfeits"], json!({}), "{}", run.err);
    assert_eq!(summary["games"], 6);
    let log = folder.text("logs/1-mainroad-1.log");
    for said in ["> go ponder", "> ponder-hit", "> stop", "< done"] {
        assert!(log.contains(said), "{said}");
    }
}

/// The tables of ballots: what is wrong in them is named, and the rest is played.
#[test]
fn faulty_ballots_are_named() {
    let folder = Folder::new("ballots");
    for (table, faults) in [
        (
            "idf-150",
            &["2-IV: the moves do not lead to the position"][..],
        ),
        (
            "fmjd-64",
            &[
                "16-I: the same position",
                "16-II: the same position",
                "45-IX: the moves do not lead",
            ],
        ),
    ] {
        let run = folder.succeed(&format!(
            "{SMALL} --openings {table} --games 2 --journal none"
        ));
        let lines: Vec<&str> = run
            .err
            .lines()
            .filter(|line| line.contains("left out"))
            .collect();
        assert_eq!(lines.len(), faults.len(), "{lines:?}");
        for (line, fault) in lines.iter().zip(faults) {
            assert!(line.contains(fault), "{line}");
        }
    }
}

/// With table verdicts no game goes on with few pieces, and the verdicts are those of the tables.
#[test]
fn tables_end_games() {
    let folder = Folder::new("verdicts");
    let line = format!("{SMALL} --games 20 --variant pool --table-verdicts --json");
    let run = folder.succeed(&line);
    let mut ended = 0;
    for game in run.games().into_values() {
        let moves: Vec<&str> = list(&game["moves"]).iter().map(text).collect();
        if game["reason"] != "adjudicated-tables" {
            continue;
        }
        ended += 1;
        let moves = moves.join(" ");
        let probe = folder.succeed(&format!(
            "tables probe --variant pool --moves '{moves}' --json"
        ));
        let probe = &objects(&probe.out)[0];
        let turn = text(&probe["fen"]).chars().next();
        let value = text(&probe["rule_value"]);
        let winner = match (value, turn) {
            ("draw", _) => None,
            ("win", Some('W')) | ("loss", Some('B')) => Some("W"),
            _ => Some("B"),
        };
        assert_eq!(game["winner"].as_str(), winner, "{game}");
    }
    assert!(ended > 5, "{ended} games are too few");
}

/// Returns the square of a name: letters, or a number from b8.
fn square(name: &str) -> u8 {
    let mut letters = name.chars();
    match (letters.next(), letters.next()) {
        (Some(file @ 'a'..='h'), Some(rank @ '1'..='8')) => {
            let (file, rank) = (file as u8 - b'a', rank as u8 - b'1');
            (7 - rank) * 4 + file / 2 + 1
        }
        _ => name.parse().expect("a number"),
    }
}

/// Finds the move of a text among those of the slow generator, by the squares that it names.
fn slow_move(moves: &[SlowMove], text: &str) -> SlowMove {
    let named: Vec<u8> = text.split(['-', 'x', ':']).map(square).collect();
    let ends = [named[0], named[named.len() - 1]];
    let is_quiet = text.contains('-');
    let passes = |path: &Vec<u8>| {
        let mut rest = path.iter();
        named.iter().all(|square| rest.any(|stop| stop == square))
    };
    let fits = |mv: &&SlowMove| {
        [mv.from, mv.to] == ends
            && mv.captured.is_empty() == is_quiet
            && mv.paths.iter().any(passes)
    };
    let fitting: Vec<&SlowMove> = moves.iter().filter(fits).collect();
    let whole = fitting.iter().find(|mv| mv.paths.contains(&named));
    match (whole, &fitting[..]) {
        (Some(mv), _) | (None, [mv]) => (*mv).clone(),
        _ => panic!("{text} fits {} moves", fitting.len()),
    }
}

/// The slow referee, which shares no code with the engine, derives the result of every game from its moves.
#[track_caller]
fn check_results(variant: Variant) {
    let folder = Folder::new(&format!("results-{variant}"));
    let games = 2 * amount("MATCH_GAMES", 8).div_ceil(2);
    let line = format!("{SMALL} --variant {variant} --games {games} --opening-plies 4 --json");
    let run = folder.succeed(&line);
    let rules = RuleSet::from_name(variant.name()).expect("the referee knows it");
    for game in run.games().into_values() {
        let mut referee = Referee::new(rules, Board::parse(text(&game["fen"])));
        let moves = list(&game["moves"]);
        let mut ending = None;
        for mv in moves {
            assert!(ending.is_none(), "{game}: played on");
            let legal = legal_moves(rules.movement(), referee.board());
            ending = referee.play(&slow_move(&legal, text(mv)));
        }
        let reason = text(&game["reason"]);
        let winner = game["winner"].as_str();
        if let Some(ending) = ending {
            let letter = |winner| if winner == Colour::White { "W" } else { "B" };
            assert_eq!(winner, ending.winner.map(letter), "{game}");
            assert!(ending.reasons.contains(&reason), "{game}");
        } else {
            assert_eq!((winner, reason), (None, "max-plies"), "{game}");
            assert_eq!(moves.len(), 200);
        }
    }
}

#[test]
fn the_slow_referee_agrees_with_every_result() {
    thread::scope(|scope| {
        for variant in Variant::ALL {
            scope.spawn(move || check_results(variant));
        }
    });
}
