//! The built program: what it prints, its errors, its exit codes.

use crate::support::{DrawGame, Vector, VectorMove, jsonl};
use mainroad::rules::Variant;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::iter::repeat_n;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::thread;

/// What a run of the program came to.
struct Run {
    code: i32,
    out: String,
    err: String,
}

impl Run {
    fn of(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
        Self {
            code: output.status.code().expect("no signal ended it"),
            out: text(output.stdout),
            err: text(output.stderr),
        }
    }

    /// Returns the objects on standard output, one a line and nothing else.
    #[track_caller]
    fn objects(&self) -> Vec<Value> {
        let parse =
            |line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        self.out.lines().map(parse).collect()
    }

    /// Returns the nodes of the last line, which must be `N nodes M nps`.
    #[track_caller]
    fn nodes(&self) -> u64 {
        let last = self.out.lines().last().expect("there is output");
        let [nodes, "nodes", nps, "nps"] = last.split(' ').collect::<Vec<_>>()[..] else {
            panic!("{last}");
        };
        nps.parse::<u64>().expect("nps is a whole number");
        nodes.parse().expect("nodes is a whole number")
    }
}

fn program(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mainroad"));
    command.args(args);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn start(args: &[&str]) -> Child {
    program(args).spawn().expect("the program was built")
}

/// Runs the program with some bytes on standard input.
fn run_with(args: &[&str], input: &[u8]) -> Run {
    let mut child = start(args);
    let mut stdin = child.stdin.take().expect("it is a pipe");
    thread::scope(|scope| {
        scope.spawn(move || {
            // The program may end without reading everything.
            let _ = stdin.write_all(input);
        });
        Run::of(child.wait_with_output().expect("it ends"))
    })
}

fn run(args: &[&str]) -> Run {
    run_with(args, b"")
}

/// Runs the program, which must succeed, and returns the only object that it writes.
#[track_caller]
fn ask(args: &[&str]) -> Value {
    let run = run(args);
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{args:?}");
    let mut objects = run.objects();
    assert_eq!(objects.len(), 1, "{args:?}");
    objects.remove(0)
}

/// Returns a folder of its own for the files of a test.
fn folder(test: &str) -> PathBuf {
    let name = format!("commands-{test}-{}", std::process::id());
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).expect("the target folder can be written");
    folder
}

// Two kings that go to and fro: the start occurs for the third time.
const REPETITION: &str = "32-28 1-5 28-32 5-1 32-28 1-5 28-32 5-1";

/// Successes: the arguments, then parts of standard output in their order. Standard error stays empty.
///
/// In both tables `~` is a blank within an argument, `\n` the end of a line, `""` an empty argument.
const ANSWERS: &str = r#"
--version                                     => mainroad 0.1.0\ncommit  | \nbuilt for  | \nthis processor has  | \nrussian: weights crc32  | , tables crc32  | , book crc32  | \npool:  | \nbrazilian: 
--help                                        => Usage: mainroad [COMMAND] | moves | perft | \nExample: mainroad
help moves                                    => Usage: mainroad moves
book help probe                               => Usage: mainroad book probe
hub --help                                    => --hash <N> | in MiB, from 1 to 1048576 | [default: 256]
book build --help                             => --threads <N> | from 1 to 1024 [default: all cores]
moves                                         => c3-b4\n | g3-h4\n
moves --variant american-pool                 => 9-13\n
moves --variant Shashki --fen W:WKd4:Bb2,g7   => d4:h8\n | d4:a1\n
moves --variant brazilian --fen W:W22:B18     => c3xe5\n
moves --fen W:W:B1                            => game over: Black wins (no-pieces)\n
moves --fen W:W21:B14,17                      => game over: Black wins (blocked)\n
moves --fen B:W21:B1 --moves 1-6~a3-b4~cb6~ba5 => b6-c5\n
board                                         => 8 |   b   b   b   b | \nWhite to move\nFEN W:W21, | \nHub Wbbb | \n7 legal moves\n
board --variant pool                          => 29    30 | \nBlack to move\nFEN B:W21,
board --fen WeeeeeeeeeeeeeeeeeeeeeeeeeeeeBeeW => FEN W:WK32:BK29
board --fen [FEN~"W:W21:B14,17."]             => game over: Black wins (blocked)\n
board --moves c3-d4                           => Black to move | :W18,21, | 7 legal moves\n
board --fen [SetUp~"1"]~[FEN~"W:W21:B1"]      => FEN W:W21:B1\n
board --fen W:W:B1                            => game over: Black wins (no-pieces)\nWhite has no pieces: legal, and lost\n
board --fen B:WK1:B                           => game over: White wins (no-pieces)\nBlack has no pieces: legal, and lost\n
board --fen W:W21:B                           => 1 legal move\nBlack has no pieces: legal, and lost after any move\n
board --fen W:W5-8,K1-4:B                     => game over: Black wins (blocked)\n
board --labels numbers                        => 29    30
board --variant pool --labels letters         => 1 | w   w   w   w   | 1\n | a b c
board --svg -                                 => <svg | <title>Draughts: White to move</title> | >a</text> | </svg>\n
board --svg - --variant pool --moves 11-15    => <title>Draughts: 11-15, White to move</title> | <polyline | >32</text>
board --svg - --labels numbers --moves c3-d4  => <title>Draughts: 22-18, Black to move</title> | >32</text>
board --help                                  => more than 12 pieces | legal, and has lost | --svg <FILE> | --labels <NAME> | numbers, letters
perft 0                                       => 1 nodes
perft 2 --divide                              => c3-b4 7\n | \n49 nodes
perft 7 --hash 1 --threads 2                  => 190146 nodes
perft --help                                  => --hash <N> | in MiB, from 0 (none) to 1048576 | [default: 0]
solve --fen W:WKd4:Bb6                        => d4:a7 win 1\nline: d4:a7\nwin 1 plies, exact, one move alone
solve --help                                  => [FILE] | --nodes <N> | --time <S> | --duals
completions bash                              => _mainroad | --divide
completions fish                              => complete -c mainroad
man                                           => .TH mainroad 1 | MAINROAD HUB | MAINROAD BOOK PROBE
"#;

/// Failures with exit code 2: the command line is wrong. Parts of the line on standard error; standard output stays empty.
const WRONG_USAGE: &str = r"
frobnicate                                    => unrecognized subcommand 'frobnicate'
movse                                         => 'movse' | similar | 'moves'
moves --fenn x                                => '--fenn' | similar | '--fen'
moves --fen                                   => --fen <FEN>
moves extra                                   => 'extra'
moves --json --json                           => --json
moves --variant chess                         => 'chess' | expected one of russian, | pool-25
moves --variant a\n\nb                        => --variant
moves --draw-rules perhaps                    => expected true or false
moves --fen - --moves c3-d4                   => --moves | --fen -
hub --hash 0                                  => expected a whole number from 1 to 1048576
hub --overhead -1                             => '-1' | expected a whole number from 0 to 5000
perft                                         => <DEPTH>
perft 31                                      => 31 is not in 0..=30
perft -1                                      => -1
perft 3 --threads 1025                        => expected a whole number from 1 to 1024
perft 3 --hash 1048577                        => 1048577 is not in 0..=1048576
perft 3 --hash -1                             => -1
board --labels both                           => 'both' | numbers, letters
board --svg                                   => --svg <FILE>
board --svg - --json                          => --svg - cannot be used with --json
board --svg x.svg --fen -                     => --svg cannot be used with --fen -
board --moves x --fen -                       => --moves cannot be used with --fen -
solve --time 0                                => '0' | expected a number of seconds above 0
solve x.epd --fen W:W21:B1                    => [FILE] | --fen <FEN>
bench --depth 0                               => '0' | --depth <N>
bench --net nowhere                           => 'nowhere' | expected default, handmade, material or a weights file
book                                          => requires a subcommand | build | probe
book build                                    => --out <FILE>
completions abacus                            => abacus | bash
train fit x.games --out x.net --step 0        => '0' | expected a number above 0, at most 1
train fit x.games --out x.net --step NaN      => 'NaN' | expected a number above 0, at most 1
";

/// Failures with exit code 1: the input is bad. As above; `board` names every fault.
const BAD_INPUT: &str = r#"
moves --fen W:W33:B1                          => bad FEN: "W:W33:B1": | "33" | expected 1 to 32
moves --fen ""                                => bad FEN | expected one such as
moves --fen a\nb                              => bad FEN | "a b"
perft 1 --fen Q:W1:B2                         => the side to move is "Q", expected W or B
book probe --fen W:W21                        => the pieces of Black are missing
moves --moves c3-d4~c3-d4                     => bad move: move 2 of 2: "c3-d4" is not a legal move here
board --moves zz                              => bad move: move 1 of 1: "zz" cannot be read
moves --fen W:WKd4:Bb2,g7 --moves d4:h8~d4:a1 => bad move: move 2 of 2: "d4:a1"
board --fen B:W1,33,5,7-3:B2                  => a White man | square 1; | "33" | "7-3"
board --fen W:W5:B32,5,K5,29-32               => a Black man | square 32; | square 5 holds two pieces; | square 29
board --fen W:WK1-13,14:BK20-32               => White has 14 pieces | Black has 13 pieces
board --fen W:WK5,K5:BK33,2                   => square 5 holds two pieces; | "K33" is not
board --fen W:W21,33                          => "33" | ; the pieces of Black are missing
perft 30 --fen W:WK1:BK32 --hash 16           => too many leaves: depth 30: expected fewer than 18446744073709551615
solve no/such/suite.epd                       => cannot read: no/such/suite.epd:
board --svg no/such/folder.svg                => cannot write: no/such/folder.svg:
board --svg .                                 => cannot write: .:
board --svg /dev/null                         => cannot write: /dev/null: not a regular file
board --fen WwbeeeeeeeeeeeeeeeeeeeeeeeeeeeeeB => a White man | square 1
board --fen WwwwweeeeeeeeeeeeeeeeeeeeeeeebbbB => square 1; | square 2; | square 4; | Black man | square 31
book probe --book no/such.book                => bad book: no/such.book:
book build --out no/such/folder.book          => cannot write: no/such/folder.book:
book build --out .                            => cannot write: .:
book build --out /dev/null                    => cannot write: /dev/null: not a regular file
"#;

/// Runs every line of a table; `check` is given the line, the run, and what must be in it.
#[track_caller]
fn run_table(table: &str, check: impl Fn(&str, &Run, &[String])) {
    let unescaped = |text: &str| text.replace("\\n", "\n");
    for line in table.lines().filter(|line| !line.is_empty()) {
        let (args, parts) = line.split_once("=>").expect("an arrow");
        let args = args.split_whitespace().map(|arg| match arg {
            "\"\"" => String::new(),
            arg => unescaped(arg).replace('~', " "),
        });
        let args: Vec<String> = args.collect();
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let parts: Vec<String> = parts.trim_start().split(" | ").map(unescaped).collect();
        check(line, &run(&args), &parts);
    }
}

#[test]
fn answers_are_on_standard_output() {
    run_table(ANSWERS, |line, run, parts| {
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{line}");
        let mut rest = run.out.as_str();
        for part in parts {
            let place = rest
                .find(part)
                .unwrap_or_else(|| panic!("{line}: no {part:?} in {}", run.out));
            rest = &rest[place + part.len()..];
        }
    });
}

#[test]
fn failures_are_one_line_on_standard_error() {
    for (table, code) in [(WRONG_USAGE, 2), (BAD_INPUT, 1)] {
        run_table(table, |line, run, parts| {
            assert_eq!(
                (run.code, run.out.as_str()),
                (code, ""),
                "{line}: {}",
                run.err
            );
            assert!(
                run.err.starts_with("mainroad: error: "),
                "{line}: {}",
                run.err
            );
            assert_eq!(
                run.err.find('\n'),
                Some(run.err.len() - 1),
                "{line}: {}",
                run.err
            );
            for part in parts {
                assert!(run.err.contains(part), "{line}: no {part:?} in {}", run.err);
            }
        });
    }
}

#[test]
fn every_help_ends_with_an_example() {
    let commands = [
        "",
        "hub",
        "moves",
        "board",
        "perft",
        "solve",
        "bench",
        "book",
        "book build",
        "book probe",
        "completions",
        "man",
    ];
    for command in commands {
        let args: Vec<&str> = command.split_whitespace().chain(["--help"]).collect();
        let run = run(&args);
        assert_eq!(run.code, 0, "{command}");
        let last = run.out.lines().last().unwrap_or_default();
        assert!(
            last.starts_with(&format!("Example: mainroad {command}")),
            "{command}: {last}"
        );
    }
}

#[test]
fn json_has_the_fixed_fields_in_order() {
    let moves = run(&[
        "moves",
        "--fen",
        "B:W18,19:B15",
        "--variant",
        "pool",
        "--json",
    ]);
    let expected = concat!(
        r#"{"variant":"pool","fen":"B:W18,19:B15","turn":"B","moves":["#,
        r#"{"text":"15x22","from":15,"to":22,"captured":[18],"path":[15,22],"promotes":false},"#,
        r#"{"text":"15x24","from":15,"to":24,"captured":[19],"path":[15,24],"promotes":false}],"result":null}"#,
        "\n"
    );
    let mut sorted = moves.objects().remove(0);
    sorted["moves"]
        .as_array_mut()
        .expect("a list")
        .sort_by_key(|mv| mv["to"].as_u64());
    assert_eq!(
        sorted,
        serde_json::from_str::<Value>(expected).expect("it is JSON")
    );
    let places: Vec<_> = [
        "variant", "fen", "turn", "moves", "text", "from", "to", "captured", "path", "promotes",
    ]
    .map(|field| {
        moves
            .out
            .find(&format!("\"{field}\":"))
            .unwrap_or_else(|| panic!("no {field}"))
    })
    .into();
    assert!(places.is_sorted(), "{}", moves.out);
    assert!(moves.out.ends_with("],\"result\":null}\n"), "{}", moves.out);

    let lost = ask(&["moves", "--fen", "W:W21:B14,17", "--json"]);
    assert_eq!(lost["result"], json!({"winner": "B", "reason": "blocked"}));
    let drawn = [
        "moves",
        "--fen",
        "W:WK32:BK1",
        "--moves",
        REPETITION,
        "--json",
    ];
    assert_eq!(
        ask(&drawn)["result"],
        json!({"winner": null, "reason": "repetition"})
    );
    let goes_on = ask(&[&drawn[..], &["--draw-rules", "false"]].concat());
    assert_eq!(goes_on["result"], Value::Null);

    let board = ask(&["board", "--fen", "W:W21,K1:BK32", "--json"]);
    let pieces = json!({"W": {"men": [21], "kings": [1]}, "B": {"men": [], "kings": [32]}});
    assert_eq!(board["pieces"], pieces);
    assert_eq!(board["hub"], "WWeeeeeeeeeeeeeeeeeeeweeeeeeeeeeB");
}

/// Asks for the moves of many positions in one run, and returns the answers.
#[track_caller]
fn ask_many(variant: &str, lines: &[String]) -> Vec<Value> {
    let run = run_with(
        &["moves", "--variant", variant, "--fen", "-", "--json"],
        lines.join("\n").as_bytes(),
    );
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{variant}");
    let answers = run.objects();
    assert_eq!(answers.len(), lines.len(), "{variant}");
    answers
}

/// A move as the vectors write it: from, to, captured, promotes.
type Entry = (u64, u64, Vec<u64>, bool);

fn listed(mv: &Value) -> Entry {
    let number = |field: &str| mv[field].as_u64().expect("a square");
    (
        number("from"),
        number("to"),
        squares(&mv["captured"]),
        mv["promotes"].as_bool().expect("a bool"),
    )
}

fn squares(list: &Value) -> Vec<u64> {
    let list = list.as_array().expect("a list").iter();
    list.map(|square| square.as_u64().expect("a square"))
        .collect()
}

fn expected(mv: &VectorMove) -> Entry {
    let captured = mv.captured.iter().map(|&square| square.into()).collect();
    (mv.from.into(), mv.to.into(), captured, mv.promote)
}

#[test]
fn moves_agree_with_the_vectors() {
    for movement in ["russian", "pool", "brazilian"] {
        let vectors: Vec<Vector> = jsonl(&format!("rules-{movement}.jsonl"));
        let lines: Vec<String> = vectors.iter().map(|vector| vector.fen.clone()).collect();
        for (vector, answer) in vectors.iter().zip(ask_many(movement, &lines)) {
            let id = &vector.id;
            assert_eq!(answer["fen"], *vector.fen, "{id}");
            let moves = answer["moves"].as_array().expect("a list");
            let actual: BTreeSet<Entry> = moves.iter().map(listed).collect();
            assert_eq!(actual.len(), moves.len(), "{id}: a move is listed twice");
            assert_eq!(actual, vector.moves.iter().map(expected).collect(), "{id}");
            let texts: BTreeSet<&str> = moves.iter().filter_map(|mv| mv["text"].as_str()).collect();
            assert_eq!(texts.len(), moves.len(), "{id}: two moves have one text");
            for mv in moves {
                let of_vector = vector
                    .moves
                    .iter()
                    .find(|vector| expected(vector) == listed(mv));
                let paths = &of_vector.expect("compared before").paths;
                let path = squares(&mv["path"]);
                assert!(
                    paths
                        .iter()
                        .any(|one| one.iter().map(|&square| u64::from(square)).eq(path.clone())),
                    "{id}"
                );
            }
            assert_eq!(answer["result"].is_null(), !moves.is_empty(), "{id}");
        }
    }
}

#[test]
fn move_texts_are_read_back() {
    for movement in ["russian", "pool", "brazilian"] {
        let vectors: Vec<Vector> = jsonl(&format!("rules-{movement}.jsonl"));
        let positions: Vec<String> = vectors.iter().map(|vector| vector.fen.clone()).collect();
        let answers = ask_many(movement, &positions);
        let moves: Vec<(&Value, &Value)> = answers
            .iter()
            .flat_map(|answer| {
                answer["moves"]
                    .as_array()
                    .expect("a list")
                    .iter()
                    .map(|mv| (&answer["fen"], mv))
            })
            .collect();
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        let by_text: Vec<String> = moves
            .iter()
            .map(|(fen, mv)| format!("{} moves {}", text(fen), text(&mv["text"])))
            .collect();
        let by_hub: Vec<String> = moves
            .iter()
            .map(|(fen, mv)| format!("{} moves {}", text(fen), hub_text(mv)))
            .collect();
        for ((line, one), other) in by_text
            .iter()
            .zip(ask_many(movement, &by_text))
            .zip(ask_many(movement, &by_hub))
        {
            assert_eq!(one, other, "{line}");
        }
    }
}

fn hub_text(mv: &Value) -> String {
    let (from, to, captured, _) = listed(mv);
    hub_move(from, to, &captured)
}

fn hub_move(from: u64, to: u64, captured: &[u64]) -> String {
    if captured.is_empty() {
        return format!("{from}-{to}");
    }
    let squares = [from, to].into_iter().chain(captured.iter().copied());
    let squares: Vec<String> = squares.map(|square| square.to_string()).collect();
    squares.join("x")
}

#[test]
fn games_end_by_the_rules_with_their_history() {
    for variant in Variant::NAMES {
        let games: Vec<DrawGame> = jsonl(&format!("games-draws-{variant}.jsonl"));
        let line = |game: &DrawGame| {
            let number = |value: &Value| value.as_u64().expect("a square");
            let text = |mv: &Value| hub_move(number(&mv[0]), number(&mv[1]), &squares(&mv[2]));
            let moves: Vec<String> = game.moves.iter().map(text).collect();
            format!("{} moves {}", game.start, moves.join(" "))
        };
        let lines: Vec<String> = games.iter().map(line).collect();
        for (game, answer) in games.iter().zip(ask_many(variant, &lines)) {
            let winner = match game.result.as_str() {
                "1-0" => json!("W"),
                "0-1" => json!("B"),
                _ => Value::Null,
            };
            let result = match &game.reason {
                Some(reason) => json!({"winner": winner, "reason": reason}),
                None => Value::Null,
            };
            assert_eq!(answer["fen"], *game.end_fen, "{}", game.id);
            assert_eq!(answer["result"], result, "{}", game.id);
        }
    }
}

#[test]
fn bad_lines_are_answered_and_the_stream_goes_on() {
    let mut input = b"W:W21:B1\r\n\n  \nW:W33:B1\nW:W21:B1 moves a3-b4 zz\n\xFF\xFE\n\0\n".to_vec();
    input.extend(repeat_n(b'x', 1 << 20));
    input.push(b'\n');
    input.extend(repeat_n(b'W', 3 << 20));
    input.extend(b"\nW:W21:B1 moves\n\"W:W21:B1\" moves\ta3-b4  b8-c7\nB:W21:B1");
    let good = [1, 10, 11, 12];
    for args in [
        &["moves", "--fen", "-"][..],
        &["board", "--fen", "-"],
        &["perft", "2", "--fen", "-"],
    ] {
        let run = run_with(args, &input);
        assert_eq!((run.code, run.err.as_str()), (1, ""), "{args:?}");
        let answers = run.objects();
        assert_eq!(answers.len(), 12, "{args:?}");
        for (line, answer) in (1..).zip(&answers) {
            if good.contains(&line) {
                assert!(answer["fen"].is_string(), "{args:?}: {answer}");
            } else {
                assert!(
                    answer["error"]
                        .as_str()
                        .is_some_and(|error| error.starts_with("bad ")),
                    "{answer}"
                );
                assert_eq!(answer["line"], line, "{answer}");
            }
        }
        assert_eq!(answers[10]["fen"], "W:W17:B6", "{args:?}");
        assert_eq!(
            answers[4]["error"]
                .as_str()
                .map(|error| error.contains("move 2 of 2")),
            Some(true)
        );
    }
}

/// One answer that is a no makes the exit code 1, as it does for a position alone. Hardly any nodes prove the first position, none the
/// second.
#[test]
fn a_no_among_many_answers_shows_in_the_exit_code() {
    let easy = "W:W21:B17\n";
    let hard = "B:W22,25,26,27,29,30:B5,6,9,10,12,16\n";
    for (input, code) in [
        (easy.to_owned(), 0),
        (format!("{easy}{hard}"), 1),
        (format!("{hard}{easy}"), 1),
    ] {
        let run = run_with(&["solve", "--nodes", "100", "--fen", "-"], input.as_bytes());
        assert_eq!((run.code, run.err.as_str()), (code, ""), "{input}");
    }
}

#[test]
fn an_empty_stream_has_no_answers() {
    let run = run(&["moves", "--fen", "-"]);
    assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (0, "", ""));
}

#[test]
fn a_stream_is_a_dialogue() {
    let mut child = start(&["moves", "--fen", "-"]);
    let mut stdin = child.stdin.take().expect("it is a pipe");
    let mut answers = BufReader::new(child.stdout.take().expect("it is a pipe")).lines();
    for fen in ["W:W21:B1", "nonsense", "B:W21:B1"] {
        // If answers were held back, this would wait for ever.
        writeln!(stdin, "{fen}").expect("it listens");
        let answer = answers
            .next()
            .expect("there is an answer")
            .expect("it is UTF-8");
        assert_eq!(answer.contains("error"), fen == "nonsense", "{answer}");
    }
    drop(stdin);
    assert_eq!(child.wait().expect("it ends").code(), Some(1));
}

#[test]
fn perft_counts() {
    for (variant, depth, leaves) in [
        ("russian", "8", 929_899),
        ("pool", "8", 929_896),
        ("brazilian", "7", 187_302),
    ] {
        assert_eq!(
            run(&["perft", depth, "--variant", variant]).nodes(),
            leaves,
            "{variant}"
        );
        let divided = run(&[
            "perft",
            depth,
            "--variant",
            variant,
            "--divide",
            "--threads",
            "2",
        ]);
        assert_eq!(divided.nodes(), leaves, "{variant}");
        let parts = divided.out.lines().filter(|line| !line.contains("nodes"));
        let parts = parts.map(|line| line.split_once(' ').expect("a move and a count").1);
        assert_eq!(
            parts
                .map(|count| count.parse::<u64>().expect("a number"))
                .sum::<u64>(),
            leaves,
            "{variant}"
        );
    }
    let after = run(&["perft", "1", "--moves", "c3-d4 b6-a5 d4-c5"]);
    assert_eq!(after.nodes(), 1);
    let count = ask(&["perft", "2", "--divide", "--json"]);
    assert_eq!((&count["nodes"], &count["depth"]), (&json!(49), &json!(2)));
    assert_eq!(count["moves"].as_array().map(Vec::len), Some(7));
    assert_eq!(run(&["perft", "3", "--fen", "W:W21:B14,17"]).nodes(), 0);
}

#[test]
fn perft_counts_with_a_cache() {
    for (variant, leaves) in [
        ("russian", 22_444_032),
        ("pool", 22_435_955),
        ("brazilian", 21_560_022),
    ] {
        for threads in ["1", "2", "5"] {
            let args = [
                "perft",
                "10",
                "--variant",
                variant,
                "--threads",
                threads,
                "--hash",
                "2",
                "--divide",
            ];
            let divided = run(&args);
            assert_eq!(divided.nodes(), leaves, "{variant}, {threads} threads");
            assert_eq!(
                divided.out.lines().count(),
                8,
                "{variant}, {threads} threads"
            );
        }
    }
    // One cache serves a whole stream, and a count that is too large does not end it.
    let input = b"W:W21:B1\nW:WK1:BK32\nW:W22:B1\n";
    let stream = run_with(&["perft", "30", "--hash", "16", "--fen", "-"], input);
    assert_eq!((stream.code, stream.err.as_str()), (1, ""));
    let answers = stream.objects();
    assert!(answers[0]["nodes"].is_u64() && answers[2]["nodes"].is_u64());
    assert_eq!(answers[1]["line"], 2);
    let error = answers[1]["error"].as_str();
    assert!(error.is_some_and(|error| error.starts_with("too many leaves: ")));
}

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

/// As a terminal set to Windows-1251 sends them.
#[cfg(unix)]
#[test]
fn arguments_that_are_not_utf8_are_bad_input() {
    use std::os::unix::ffi::OsStrExt;
    let bytes = |bytes: &'static [u8]| std::ffi::OsStr::from_bytes(bytes);
    for (option, value, message) in [
        (
            "--fen",
            &b"W:W\xE03:\xC2b8"[..],
            "bad FEN: \"W:W\u{FFFD}3:\u{FFFD}b8\": byte 4: expected UTF-8",
        ),
        (
            "--fen",
            b"\xFF",
            "bad FEN: \"\u{FFFD}\": byte 1: expected UTF-8",
        ),
        (
            "--moves",
            b"c3-d4 \xE55",
            "bad move: \"c3-d4 \u{FFFD}5\": byte 7: expected UTF-8",
        ),
    ] {
        for command in ["board", "moves", "book"] {
            let args = if command == "book" {
                &["book", "probe"][..]
            } else {
                &[command]
            };
            let output = program(args)
                .args([bytes(option.as_bytes()), bytes(value)])
                .output();
            let run = Run::of(output.expect("the program was built"));
            assert_eq!((run.code, run.out.as_str()), (1, ""), "{command} {option}");
            assert_eq!(run.err, format!("mainroad: error: {message}\n"));
        }
    }
}

#[test]
fn bench_ends_with_its_signature() {
    let first = run(&["bench", "--depth", "2"]);
    assert_eq!((first.code, first.err.as_str()), (0, ""));
    assert_eq!(
        first.nodes(),
        run(&["bench", "--depth", "2", "--hash", "1"]).nodes()
    );
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

#[test]
fn hub_is_spoken_with_and_without_its_name() {
    let input = b"hub\ninit\nquit\n";
    for (args, param) in [
        (&[][..], "param name=threads value=1 "),
        (&["hub"], "param name=variant value=russian "),
        (
            &["hub", "--variant", "pool-apca", "--hash", "8"],
            "param name=variant value=pool ",
        ),
        (
            &["hub", "--draw-rules=false"],
            "param name=draw-rules value=false ",
        ),
    ] {
        let run = run_with(args, input);
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{args:?}");
        assert!(
            run.out.starts_with("id name=Mainroad "),
            "{args:?}: {}",
            run.out
        );
        assert!(run.out.contains(param), "{args:?}: {}", run.out);
        assert!(run.out.ends_with("wait\nready\n"), "{args:?}: {}", run.out);
    }
    let warned = run_with(&["hub", "--log", "no/such/folder/log"], input);
    assert_eq!(warned.code, 0);
    assert!(
        warned
            .err
            .starts_with("mainroad: warning: log: no/such/folder/log"),
        "{}",
        warned.err
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
