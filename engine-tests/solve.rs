//! Proofs: the solver against the tables it is not shown, against plain play with counts, and over the command line.

use crate::support::{Rng, amount, data, random_position};
use mainroad::board::{MoveList, Position};
use mainroad::egdb::{Slice, Tables, Value, root};
use mainroad::notation::fen;
use mainroad::rules::{
    DrawCounters, Game, Rules, Russian, Variant, has_capture, has_legal_move, legal_moves,
};
use mainroad::tools::solving::{self, Effort, Solution};
use mainroad::with_rules;
use serde_json::{Value as Json, json};
use std::collections::HashMap;
use std::fs;
use std::iter::repeat_n;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

const ENOUGH: Effort = Effort {
    nodes: 3_000_000,
    until: None,
    stop: None,
    counter: None,
};

/// Positions with two or three pieces, both sides present.
fn small_positions(seed: u64, most_kings: usize) -> impl Iterator<Item = Position> {
    let mut rng = Rng(seed);
    std::iter::repeat_with(move || random_position(&mut rng, 1, most_kings)).filter(|pos| {
        let is_small = (2..=3).contains(&pos.occupied().count());
        is_small && !pos.own().is_empty() && !pos.opp().is_empty()
    })
}

/// What is counted for whoever watches is what the answer says.
#[test]
fn the_work_is_counted() {
    let tables = Arc::new(Tables::<Russian>::none());
    for pos in small_positions(23, 2).take(10) {
        let counter = Arc::new(AtomicU64::new(0));
        let effort = Effort {
            nodes: 30_000,
            counter: Some(Arc::clone(&counter)),
            ..ENOUGH
        };
        let solution = solving::solve(&tables, &Game::from_position(pos), false, effort);
        assert_eq!(
            counter.load(Relaxed),
            solution.nodes,
            "{}",
            fen::write(&pos)
        );
    }
}

/// Without tables, everything is found by play: wins to the end of the game, draws by going round in circles. What is not found within the
/// effort must say so.
#[track_caller]
fn check_without_tables<R: Rules>(seed: u64) {
    let tables = Tables::<R>::embedded().expect("the tables in the program are right");
    let none = Arc::new(Tables::<R>::none());
    let effort = Effort {
        nodes: 30_000,
        until: None,
        stop: None,
        counter: None,
    };
    let mut solved = [0; 3];
    for pos in small_positions(seed, 2).take(amount("SOLVED_POSITIONS", 60)) {
        let solution = solving::solve(&none, &Game::from_position(pos), false, effort.clone());
        let text = format!("{} {}", R::VARIANT, fen::write(&pos));
        for known in &solution.moves {
            let value = tables.probe_wdl(&pos.play(known.mv)).map(Value::reversed);
            let value = value.expect("the tables know it");
            assert!(known.at_least <= value && value <= known.at_most, "{text}");
        }
        if let Some(value) = solution.value {
            assert_eq!(Some(value), tables.probe_wdl(&pos), "{text}");
            solved[value as usize] += 1;
        }
        check_line::<R>(&pos, &solution);
    }
    assert!(
        solved.iter().all(|&count| count > 0),
        "the sample is too poor: {solved:?}"
    );
}

/// The line of a win or loss ends with the loss of the loser, after as many plies as are reported if they are not exact.
#[track_caller]
fn check_line<R: Rules>(pos: &Position, solution: &Solution) {
    let mut game = Game::<R>::from_position(*pos);
    for &mv in &solution.line {
        game.try_play(mv).expect("the line is legal");
    }
    let is_decided = matches!(solution.value, Some(Value::Win | Value::Loss));
    assert_eq!(is_decided, game.loss().is_some());
    assert_eq!(is_decided, solution.distance.is_some());
    if is_decided {
        let is_win = solution.value == Some(Value::Win);
        assert_eq!(game.position().turn() != pos.turn(), is_win);
        let distance = solution.distance.expect("it is there");
        assert!(solution.is_exact || distance == solution.line.len());
        assert_eq!(distance % 2 == 1, is_win);
    }
}

/// Wins that take nearly as long as the count of moves without progress, or longer, and positions in which it has begun: what is proved is
/// what the tables make of their distances. Returns how many were draws.
#[track_caller]
fn check_slow_wins<R: Rules>(seed: u64, least_plies: u8) -> usize {
    let tables = Arc::new(Tables::<R>::embedded().expect("the tables in the program are right"));
    let slice: Slice = "2K1M-1K1M".parse().expect("it is a slice");
    let mut rng = Rng(seed);
    let mut draws = 0;
    let mut tried = 0;
    while tried < amount("SOLVED_POSITIONS", 60) {
        let pos = slice.position(rng.next() % slice.positions());
        let is_slow = tables
            .probe_dtz(&pos)
            .is_some_and(|plies| plies >= least_plies);
        if has_capture(&pos) || !is_slow {
            continue;
        }
        tried += 1;
        let game = Game::<R>::from_position(pos);
        let effort = Effort {
            nodes: 10_000,
            until: None,
            stop: None,
            counter: None,
        };
        let solved = solving::solve(&tables, &game, true, effort).value;
        let known = root::probe(&tables, &game, true).entry.rule_value;
        if let Some((solved, known)) = solved.zip(known) {
            assert_eq!(solved, known, "{} {}", R::VARIANT, fen::write(&pos));
        }
        draws += usize::from(known == Some(Value::Draw));
    }
    draws
}

#[test]
fn slow_wins_are_counted() {
    // Russian draughts have the shortest count: 30 plies.
    let draws = with_rules!(Variant::Russian, R => check_slow_wins::<R>(4, 29));
    assert!(draws > 0, "the sample is too poor");
    with_rules!(Variant::Pool25, R => check_slow_wins::<R>(5, 25));
    with_rules!(Variant::Brazilian, R => check_slow_wins::<R>(6, 25));
}

#[test]
fn a_count_that_has_begun_goes_on() {
    // Three kings let the count of Brazilian draughts run up to 25 of 40 plies.
    let moves = "g3-e5 h4-e1 b4-c5 e1-a5 c5-f8 a5-e1 e5-a1 e1-h4 f8-g7 h4-e1 e3-h6 e1-f2 a1-b2 f2-a7 b2-c1 a7-g1 h6-f4 g1-f2 \
        f4-h2 f2-b6 h2-e5 b6-a5 c1-b2 a5-e1 e5-d4";
    for (variant, fen, moves) in [
        ("brazilian", "W:WK24,K17,K23:BK20", moves),
        ("russian", "W:W22,K25,K28:B21,K27", ""),
    ] {
        let args = ["--variant", variant, "--fen", fen, "--moves", moves];
        let (_, answers) = solve(&[&args[..], &["--nodes", "60000"]].concat());
        assert!(
            answers[0]["result"] == "draw" || answers[0]["result"] == "unknown",
            "{}",
            answers[0]
        );
    }
}

#[test]
fn small_endings_are_solved_without_tables() {
    for (seed, variant) in [
        (1, Variant::Russian),
        (2, Variant::Pool),
        (3, Variant::Brazilian),
    ] {
        with_rules!(variant, R => check_without_tables::<R>(seed));
    }
}

/// A position and its counters.
type Counted = (Position, [u16; 3]);

/// A position that leads to more than this, counters told apart, is not played out.
const MOST_PLAIN: usize = 60_000;

/// Works back from the ends of all play from a position, every count looked at, and returns its value; `None` if there is too much of it.
/// Repetition is left out: who can win can do so without.
fn plain_value<R: Rules>(pos: &Position) -> Option<Value> {
    let pack = |counters: DrawCounters| {
        [
            counters.since_zeroing,
            counters.since_conversion,
            counters.main_road,
        ]
    };
    let root = (*pos, DrawCounters::default());
    let mut list: Vec<(Position, DrawCounters)> = vec![root];
    let mut numbers: HashMap<Counted, usize> = HashMap::from([((root.0, pack(root.1)), 0)]);
    let mut values: Vec<Option<Value>> = Vec::new();
    let mut children: Vec<Vec<usize>> = Vec::new();
    while children.len() < list.len() {
        if list.len() > MOST_PLAIN {
            return None;
        }
        let (pos, counters) = list[children.len()];
        let mut moves = MoveList::new();
        legal_moves::<R>(&pos, &mut moves);
        let value = if !has_legal_move(&pos) {
            Some(Value::Loss)
        } else if counters.draw::<R>(&pos).is_some() {
            Some(Value::Draw)
        } else {
            None
        };
        values.push(value);
        let mut behind = Vec::new();
        for mv in moves.into_iter().filter(|_| value.is_none()) {
            let after = pos.play(mv);
            let then = counters.after::<R>(&pos, mv, &after);
            let number = numbers.entry((after, pack(then))).or_insert_with(|| {
                list.push((after, then));
                list.len() - 1
            });
            behind.push(*number);
        }
        children.push(behind);
    }
    let mut changed = true;
    while changed {
        changed = false;
        for number in (0..values.len()).rev() {
            if values[number].is_some() {
                continue;
            }
            let mut behind = children[number].iter().map(|&child| values[child]);
            if behind.clone().any(|value| value == Some(Value::Loss)) {
                values[number] = Some(Value::Win);
            } else if behind.all(|value| value == Some(Value::Win)) {
                values[number] = Some(Value::Loss);
            }
            changed |= values[number].is_some();
        }
    }
    Some(values[0].unwrap_or(Value::Draw))
}

/// Under the counts, with the tables, which know nothing of them.
#[track_caller]
fn check_with_counts<R: Rules>(seed: u64) {
    let tables = Arc::new(Tables::<R>::embedded().expect("the tables in the program are right"));
    let known = small_positions(seed, 2).filter_map(|pos| Some((pos, plain_value::<R>(&pos)?)));
    let mut decided = 0;
    for (pos, value) in known.take(amount("SOLVED_POSITIONS", 12)) {
        let game = Game::<R>::from_position(pos);
        let solution = solving::solve(&tables, &game, true, ENOUGH);
        let text = format!("{} {}", R::VARIANT, fen::write(&pos));
        assert_eq!(solution.value, Some(value), "{text}");
        check_line::<R>(&pos, &solution);
        decided += u32::from(value != Value::Draw);
    }
    assert!(decided > 0, "the sample is too poor");
}

#[test]
fn counts_are_looked_at() {
    for (seed, variant) in (1..).zip(Variant::ALL) {
        // Without a count of king moves there is no end to the positions with their counters.
        if variant.name() != "russian-online" {
            with_rules!(variant, R => check_with_counts::<R>(seed));
        }
    }
}

/// Runs `mainroad solve`, and returns the exit code and the objects on standard output.
#[track_caller]
fn solve(args: &[&str]) -> (i32, Vec<Json>) {
    let Output { status, stdout, .. } = Command::new(env!("CARGO_BIN_EXE_mainroad"))
        .args([&["solve", "--json"], args].concat())
        .output()
        .expect("the program was built");
    let out = String::from_utf8(stdout).expect("output is UTF-8");
    let objects = out
        .lines()
        .map(|line| serde_json::from_str(line).expect("it is JSON"));
    (
        status.code().expect("no signal ended it"),
        objects.collect(),
    )
}

/// Writes a suite to a file of its own.
fn suite_file(name: &str, text: impl AsRef<[u8]>) -> PathBuf {
    let name = format!("solve-{name}-{}.epd", std::process::id());
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, text).expect("the target folder can be written");
    path
}

/// The first 40 positions of a game's suite are proved with the tables in the program: wins by one move alone, at least 15 plies long.
#[track_caller]
fn check_suite(variant: &str, draw_rules: &str) {
    let suite = data("suite").join(format!("{variant}.epd"));
    let text = fs::read_to_string(suite).expect("the suite is there");
    let lines: Vec<&str> = text.lines().take(40).collect();
    assert_eq!(lines.len(), 40);
    let file = suite_file(variant, lines.join("\n"));
    let path = file.to_str().expect("it is UTF-8");
    let args = ["--variant", variant, "--draw-rules", draw_rules];
    let (code, mut objects) = solve(&[&[path, "--nodes", "100000"], &args[..]].concat());
    let summary = objects.pop().expect("there is a summary");
    for solved in &objects {
        assert_eq!(solved["pass"], true, "{solved}");
        assert_eq!(solved["result"], "win", "{solved}");
        assert_eq!(solved["unique"], true, "{solved}");
        assert!(solved["distance_plies"].as_u64() >= Some(15), "{solved}");
        assert!(
            solved["line"]
                .as_array()
                .is_some_and(|line| line.len() >= 15),
            "{solved}"
        );
        let wins = |mv: &&Json| mv["result"] == "win";
        let moves = solved["moves"].as_array().expect("a list");
        let best: Vec<&Json> = moves.iter().filter(wins).map(|mv| &mv["text"]).collect();
        assert_eq!(json!(best), solved["bm"], "{solved}");
    }
    assert_eq!(summary["passed"], 40, "{summary}");
    assert_eq!(code, 0);
    let _ = fs::remove_file(file);
}

#[test]
fn russian_suite() {
    check_suite("russian", "true");
}

/// Most wins of Pool come to three kings against one, and many of Brazilian to endings that are counted to five moves: that these are in time takes
/// much longer to prove than the rest, so the counts are left out.
#[test]
fn pool_suite() {
    check_suite("pool", "false");
}

#[test]
fn brazilian_suite() {
    check_suite("brazilian", "false");
}

#[test]
fn json_has_the_fixed_fields() {
    // One move wins at once.
    let (code, answers) = solve(&["--fen", "W:WKd4,a1:Bb6", "--variant", "russian"]);
    assert_eq!(code, 0);
    let answer = &answers[0];
    assert_eq!(answer["fen"], "W:WK18,29:B9");
    assert_eq!(answer["result"], "win");
    assert_eq!(answer["distance_plies"], 1);
    assert_eq!(answer["exact"], true);
    assert!(answer["nodes"].is_u64() && answer["time_s"].is_f64());
    let first = &answer["moves"][0];
    assert_eq!(first["result"], "win");
    assert_eq!(first["distance_plies"], 1);
    assert!(first["text"].is_string());
}

/// The length of a line is not said to be more than that: no win within five plies is to be had here, since the tables win other defences later.
#[test]
fn text_does_not_take_lines_for_bounds() {
    let args = [
        "--variant",
        "russian",
        "--fen",
        "B:W6,K20:B26,K32,K21,K22,19",
    ];
    let output = Command::new(env!("CARGO_BIN_EXE_mainroad"))
        .args([&["solve"], &args[..]].concat())
        .output()
        .expect("the program was built");
    let text = String::from_utf8(output.stdout).expect("output is UTF-8");
    assert!(text.contains(" win 5 by its line\n"), "{text}");
    assert!(text.contains("win 5 plies by the proved line"), "{text}");
}

/// In a lost position the move that holds out longest is found by comparing distances, so those of all moves are exact where that of the
/// position is: one more than that of the position behind it.
#[test]
fn moves_of_lost_positions_have_exact_distances() {
    for (variant, fen, total) in [
        ("pool", "B:WK13,25,K1,K21:B26", 6),
        ("russian", "B:WK2,26:B16,5", 10),
        ("brazilian", "W:W25,24:B5,K32,K28", 4),
        ("russian", "W:W25:B8,K20,7,28", 6),
    ] {
        let args = ["--variant", variant, "--fen", fen];
        let (_, answers) = solve(&args);
        let answer = &answers[0];
        assert_eq!(answer["result"], "loss", "{answer}");
        assert_eq!(answer["distance_plies"], total, "{answer}");
        assert_eq!(answer["exact"], true, "{answer}");
        let moves = answer["moves"].as_array().expect("a list");
        let mut longest = 0;
        for mv in moves {
            assert_eq!(mv["exact"], true, "{answer}");
            let text = mv["text"].as_str().expect("a text");
            let (_, behind) = solve(&[&args[..], &["--moves", text]].concat());
            assert_eq!(behind[0]["exact"], true, "{}", behind[0]);
            let distance = behind[0]["distance_plies"].as_u64().map(|plies| plies + 1);
            assert_eq!(mv["distance_plies"].as_u64(), distance, "{answer}");
            longest = longest.max(distance.unwrap_or(0));
        }
        assert_eq!(longest, total, "{answer}");
    }
}

#[test]
fn exit_codes_and_answers_that_are_no() {
    // Over already, by having no move.
    let (code, answers) = solve(&["--fen", "W:W21:B14,17"]);
    let lost = &answers[0];
    assert_eq!(
        (code, &lost["result"], &lost["distance_plies"]),
        (0, &json!("loss"), &json!(0))
    );

    // The start cannot be solved; what is not known is said to be so.
    let (code, answers) = solve(&["--nodes", "2000"]);
    let start = &answers[0];
    assert_eq!(
        (code, &start["result"], &start["unique"]),
        (1, &json!("unknown"), &json!(false))
    );
    assert_eq!(start["distance_plies"], Json::Null);
    assert_eq!(start["moves"].as_array().map(Vec::len), Some(7));
    assert!(start["nodes"].as_u64() >= Some(2000));

    // By the clock, too.
    let (code, answers) = solve(&["--time", "0.05", "--nodes", "4000000000"]);
    assert_eq!((code, &answers[0]["result"]), (1, &json!("unknown")));

    // The third time is a draw, whatever could still be played.
    let moves = "32-28 1-5 28-32 5-1 32-28 1-5 28-32 5-1";
    let (_, answers) = solve(&["--fen", "W:WK32:BK1", "--moves", moves]);
    assert_eq!(answers[0]["result"], "draw");
    assert_eq!(answers[0]["moves"], json!([]));

    for (args, code) in [
        (&["--fen", "W:W33:B1"][..], 1),
        (&["no/such/suite.epd"], 1),
        (&["--time", "0"], 2),
        (&["--nodes", "0"], 2),
        (&["suite.epd", "--fen", "W:W21:B1"], 2),
    ] {
        let (found, answers) = solve(args);
        assert_eq!((found, answers.len()), (code, 0), "{args:?}");
    }
}

/// A suite goes on behind a line that cannot be read, and tells apart what failed and what is not known.
#[test]
fn suites_are_judged() {
    let text = "# A note.\n\n\
        W:WKd4,a1:Bb6 bm d4:a7; id \"two words\";\n\
        B:W13,21,26:B10,14,16 bm c5-d4;\n\
        W:W33:B1 bm a1-b2;\n\
        W:W21:B1 bm zz;\n\
        W:W21:B1 bm a3-b4\n\
        W:W21-32:B1-12 bm c3-d4;\n\
        W:W21:B14,17 result loss; c0 \"what; ever\";\n";
    let file = suite_file("judged", text);
    let path = file.to_str().expect("it is UTF-8");
    let (code, mut objects) = solve(&[path, "--nodes", "1000"]);
    let summary = objects.pop().expect("there is a summary");
    assert_eq!(code, 1);
    for (field, count) in [
        ("positions", 4),
        ("passed", 2),
        ("failed", 1),
        ("unknown", 1),
        ("bad", 3),
    ] {
        assert_eq!(summary[field], count, "{field}");
    }
    let ids: Vec<&Json> = objects.iter().map(|object| &object["id"]).collect();
    assert_eq!(*ids[0], "two words");
    assert_eq!(*ids[1], "line 4");
    assert_eq!(objects[2]["line"], 5);
    assert!(
        objects
            .iter()
            .filter(|object| object["error"].is_string())
            .count()
            == 3
    );
    let _ = fs::remove_file(file);
}

/// Neither bytes that are no text nor a line that is too long to be held keep the next line from being solved.
#[test]
fn lines_that_are_no_text() {
    let mut suite = b"\xFF\xFE bm a3-b4;\nW:W21:B1 c0 \"".to_vec();
    suite.extend(repeat_n(b'x', 1 << 20));
    suite.extend(b"\";\nW:W21:B14,17 result loss;\n");
    let file = suite_file("no-text", suite);
    let (code, objects) = solve(&[file.to_str().expect("it is UTF-8")]);
    assert_eq!(code, 1);
    let errors = [
        "byte 1: expected UTF-8",
        "it has too many bytes, expected at most 1048576",
    ];
    for (line, error) in (1..).zip(errors) {
        let expected = json!({"error": error, "line": line});
        assert_eq!(objects[line - 1], expected);
    }
    assert_eq!(objects[2]["pass"], true);
    let summary = &objects[3];
    assert_eq!(
        (&summary["passed"], &summary["bad"]),
        (&json!(1), &json!(2))
    );
    let _ = fs::remove_file(file);
}

/// White wins by either move but c3-b4, which gives a man away.
#[test]
fn moves_to_avoid_are_judged() {
    for (operations, word, told) in [
        ("am c3-b4;", "pass", ""),
        ("am a3-b4;", "FAIL", ", not a3-b4"),
        ("am c3-b4 c3-d4;", "FAIL", ", not c3-b4 c3-d4"),
        ("bm a3-b4 c3-d4; am c3-b4;", "pass", ""),
        ("bm a3-b4; am c3-b4;", "FAIL", ", expected a3-b4, not c3-b4"),
    ] {
        let file = suite_file("avoid", format!("W:W21,22:B13 {operations} id x;\n"));
        let path = file.to_str().expect("it is UTF-8");
        let output = Command::new(env!("CARGO_BIN_EXE_mainroad"))
            .args(["solve", path])
            .output()
            .expect("the program was built");
        let out = String::from_utf8(output.stdout).expect("it is UTF-8");
        let (found, rest) = out.split_once(" x: win ").expect("the answer");
        assert_eq!(found, word, "{operations}");
        let (line, _) = rest.split_once(" (").expect("the nodes");
        let (moves, after) = line.split_at(line.find(',').unwrap_or(line.len()));
        let mut moves: Vec<&str> = moves.split(' ').collect();
        moves.sort_unstable();
        assert_eq!((moves, after), (vec!["a3-b4", "c3-d4"], told));
        let code = i32::from(word != "pass");
        assert_eq!(output.status.code(), Some(code), "{operations}");

        let (_, objects) = solve(&[path]);
        assert_eq!(objects[0]["pass"], word == "pass", "{operations}");
        let is_named = operations.contains("am");
        assert_eq!(objects[0]["am"].is_array(), is_named, "{operations}");
        let _ = fs::remove_file(file);
    }
}

/// What a line says twice, or takes back, is no question: it is refused with the name of the operation.
#[test]
fn operations_agree() {
    for (operations, error) in [
        (
            "bm a3-b4; bm a3-b4;",
            "\"bm\" is given twice, expected each operation once",
        ),
        (
            "bm a3-b4; result win; result draw;",
            "\"result\" is given twice, expected each operation once",
        ),
        (
            "id a; c0 x; id b;",
            "\"id\" is given twice, expected each operation once",
        ),
        (
            "bm a3-b4 ab4;",
            "bad bm: a3-b4 is named twice, expected each move once",
        ),
        ("bm;", "bad bm: no move, expected one at least"),
        (
            "bm a3-b4; am 21-17;",
            "bad operations: bm and am name both a3-b4, expected one of them",
        ),
        ("am a3-c5;", "bad am: \"a3-c5\" is not a legal move here"),
        ("result won;", "bad result, expected win, draw or loss"),
    ] {
        let file = suite_file("operations", format!("\nW:W21:B1 {operations}\n"));
        let path = file.to_str().expect("it is UTF-8");
        let output = Command::new(env!("CARGO_BIN_EXE_mainroad"))
            .args(["solve", path])
            .output()
            .expect("the program was built");
        let text = |bytes| String::from_utf8(bytes).expect("it is UTF-8");
        let (out, err) = (text(output.stdout), text(output.stderr));
        assert_eq!(output.status.code(), Some(1), "{operations}");
        assert_eq!(
            err,
            format!("mainroad: error: bad line: {path}:2: {error}\n")
        );
        let summary = "0 of 0 passed, 0 failed, 0 unknown, 1 bad line (";
        assert!(out.starts_with(summary), "{out}");
        let _ = fs::remove_file(file);
    }
}

/// The same answer on every run, and the same over standard input.
#[test]
fn answers_are_repeatable() {
    let args = [
        "--fen",
        "B:W13,21,26:B10,14,16",
        "--nodes",
        "20000",
        "--duals",
    ];
    let untimed = |mut answer: Json| {
        answer["time_s"] = Json::Null;
        answer
    };
    let [one, other] = [(); 2].map(|()| untimed(solve(&args).1.remove(0)));
    assert_eq!(one, other);
    assert_eq!(one["result"], "win");
    // Places where another move wins too are listed with all of them.
    for dual in one["duals"].as_array().expect("they were asked for") {
        assert_eq!(dual["ply"].as_u64().map(|ply| ply % 2), Some(1));
        assert!(
            dual["moves"]
                .as_array()
                .is_some_and(|moves| moves.len() > 1)
        );
    }
}
