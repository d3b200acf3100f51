//! Whole games: what is found out about them, what is written back, and what does not depend on chance.

use super::{Folder, Ran, analyse, analyse_input, command, games, text};
use crate::support::data;
use mainroad::notation::pdn::{self, Reader};
use mainroad::score::MAX_PLY;
use serde_json::Value as Json;
use std::fs;
use std::io::Read;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const NODES: [&str; 2] = ["--nodes", "20000"];

/// Reads the games of a text.
fn read(text: &str) -> Vec<pdn::Game> {
    let games = Reader::new(text.as_bytes(), None);
    games.map(|game| game.expect("it is in memory")).collect()
}

fn annotated(args: &[&str]) -> (Ran, Vec<pdn::Game>) {
    let ran = analyse(&[&[text(&games()), "--out", "-"], &NODES[..], args].concat());
    let games = read(&ran.out);
    (ran, games)
}

/// Returns the first score in comments.
fn eval(comments: &[String]) -> Option<f64> {
    let (_, rest) = comments
        .iter()
        .find_map(|text| text.split_once("[%eval "))?;
    rest.split_once(']')?.0.parse().ok()
}

#[test]
fn everything_that_was_there_is_kept() {
    let before = read(&fs::read_to_string(games()).expect("it is there"));
    let (ran, after) = annotated(&[]);
    assert_eq!(ran.code, Some(1), "some games are bad");
    assert_eq!(before.len(), after.len());
    for (before, after) in before.iter().zip(&after) {
        for tag in &before.tags {
            let value = after.tag(&tag.name);
            // These are written out, as the notation of the moves needs it.
            let is_kept = |value: &str| match tag.name.as_str() {
                "GameType" => value.starts_with(&tag.value),
                "FEN" => before.start == after.start,
                _ => value == tag.value,
            };
            assert!(value.is_some_and(is_kept), "{tag:?}");
        }
        assert_eq!(before.result(), after.result());
        // What cannot be read is kept as a comment.
        if let Some(unread) = &before.main.unread {
            let first = unread.split_whitespace().next().unwrap_or_default();
            assert!(ran.out.contains(first), "{unread}");
        }
        assert_eq!(before.main.moves.len(), after.main.moves.len());
        for (before, after) in before.main.moves.iter().zip(&after.main.moves) {
            assert_eq!(before.mv, after.mv);
            assert_eq!(before.before, after.before);
            assert!(before.marks.is_empty() || before.marks == after.marks);
            assert!(before.nags.iter().all(|nag| after.nags.contains(nag)));
            for comment in &before.after {
                let kept = comment.replace("[%eval", "[%original_eval");
                let all = after.after.join(" ");
                assert!(all.contains(&kept), "{kept} is not in {all}");
            }
            for line in &before.variations {
                assert!(after.variations.contains(line), "{line:?}");
            }
        }
    }
}

/// What somebody else has found out stays under another name; what this program has, is replaced.
#[test]
fn other_analyses_stay_apart() {
    let game = "[GameType \"25\"]\n[Analysis \"by hand\"]\n[whiteaccuracy \"87 %\"]\n\n\
        1. c3-d4 {[%eval 0.50] good [%eval 1,2]} b6-a5 {[%evals 3] [%eval} *\n";
    let args = [&["-", "--out", "-"], &NODES[..]].concat();
    let once = analyse_input(&args, game).out;
    let read = &read(&once)[0];
    assert_eq!(read.tag("OriginalAnalysis"), Some("by hand"));
    assert_eq!(read.tag("OriginalWhiteAccuracy"), Some("87 %"));
    let own = read.tag("Analysis").expect("it was analysed");
    assert!(own.starts_with("Mainroad "), "{own}");
    let [first, second] = &read.main.moves[..] else {
        panic!("{once}");
    };
    let eval = |comment: &str| comment.split_inclusive(']').next().map(str::to_owned);
    let [first, second] = [first, second].map(|node| node.after.concat());
    let (own_first, own_second) = (
        eval(&first).unwrap_or_default(),
        eval(&second).unwrap_or_default(),
    );
    assert!(
        own_first.starts_with("[%eval ") && own_second.starts_with("[%eval "),
        "{once}"
    );
    assert_eq!(
        first,
        format!("{own_first} [%original_eval 0.50] good [%original_eval 1,2]")
    );
    assert_eq!(second, format!("{own_second} [%evals 3] [%eval"));
    assert_eq!(analyse_input(&args, &once).out, once);
}

/// Scores that do not end are text, and looking for their ends takes no time that grows with the square of their number.
#[test]
fn many_scores_without_an_end_are_soon_read() {
    let scores = "[%eval ".repeat(1 << 20);
    let game = format!("[GameType \"25\"]\n\n1. c3-d4 {{{scores}}} b6-a5 *\n");
    let started = Instant::now();
    let ran = analyse_input(&["-", "--out", "-", "--depth", "1"], &game);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(started.elapsed() < Duration::from_mins(1));
    // What was there is as it was, and each move has a score.
    assert!(ran.out.matches("[%eval").count() >= (1 << 20) + 2);
}

/// Two walls of men, and a king behind each that has one move to and fro: without draw rules it goes on for ever. Lines of such a game do not grow with
/// its length.
#[test]
fn lines_of_forced_games_are_bounded() {
    let walls = "[GameType \"25\"]\n[SetUp \"1\"]\n\
        [FEN \"W:Wa3,b4,c3,d4,e3,f2,f4,g3,h4,Kg1:Ba5,b6,c5,c7,d6,e5,f6,g5,h6,Kb8\"]\n\n";
    let moves = "g1-h2 b8-a7 h2-g1 a7-b8 ".repeat(100);
    let args = ["-", "--json", "--depth", "1", "--draw-rules", "false"];
    let ran = analyse_input(&args, &format!("{walls}{moves}*\n"));
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let objects = ran.objects();
    assert_eq!(objects.len(), 401);
    let line = |object: &Json| object["lines"][0]["pv"].as_array().map(Vec::len);
    let longest = objects.iter().filter_map(line).max();
    assert_eq!(longest, Some(MAX_PLY as usize));
    assert_eq!(objects[0]["forced"], true);
}

#[test]
fn every_move_before_the_end_has_a_score() {
    let (_, games) = annotated(&[]);
    let scores = |game: &pdn::Game| -> Vec<bool> {
        let moves = game.main.moves.iter();
        moves.map(|node| eval(&node.after).is_some()).collect()
    };
    assert_eq!(scores(&games[0]), vec![true; 12]);
    // Of a bad game, the part that can be read.
    assert_eq!(scores(&games[1]), vec![true; 4]);
    // The game is drawn by the eighth move; what was played behind it is not judged.
    let drawn: Vec<bool> = (1..=11).map(|ply| ply < 8).collect();
    assert_eq!(scores(&games[3]), drawn);
    assert!(games[3].main.moves.iter().all(|node| node.marks.is_empty()));
    assert_eq!(
        games[4].tag("Analysis"),
        None,
        "no such game is played here"
    );
    assert_eq!(scores(&games[5]), [false], "the game is over");
}

/// The seventh move of White's opponent, or Black's in Pool, gives a man away: the same position, turned round.
#[test]
fn a_blunder_is_marked_and_the_better_line_shown() {
    let (_, games) = annotated(&[]);
    let russian = &games[0].main.moves[7];
    assert_eq!(russian.marks, "??");
    assert_eq!(russian.nags, [1], "what was there stays");
    // The game's own variation, then the better line.
    let [own, better] = &russian.variations[..] else {
        panic!("two variations were expected: {:?}", russian.variations)
    };
    assert_eq!(own.moves[0].after, ["quiet"]);
    let first = &better.moves[0];
    assert!(better.moves.len() > 3 && first.mv != russian.mv);
    let (best, played) = (eval(&first.after), eval(&russian.after));
    let (best, played) = (best.expect("a score"), played.expect("a score"));
    assert!(
        best.abs() < 0.5 && played > 0.9,
        "White's view: {best} {played}"
    );

    let pool = &games[2].main.moves[7];
    assert_eq!(pool.marks, "??");
    let played = eval(&pool.after).expect("a score");
    assert!(played < -0.9, "White's view: {played}");
    // There is none before it.
    for game in [&games[0], &games[2]] {
        assert!(game.main.moves[..7].iter().all(|node| node.marks != "??"));
        assert_eq!(
            game.main.moves[7]
                .variations
                .last()
                .map(|line| line.moves.is_empty()),
            Some(false)
        );
    }
    assert_eq!(
        games[0].main.moves[2].marks, "!",
        "a mark of somebody else stays"
    );
}

#[test]
fn a_game_may_be_analysed_again() {
    let folder = Folder::new("again");
    let once = annotated(&[]).0.out;
    let path = folder.write("once.pdn", &once);
    let again = |nodes: &str, path: &str| analyse(&[path, "--out", "-", "--nodes", nodes]).out;
    assert_eq!(again("20000", text(&path)), once, "the same");
    // Another opinion takes the place of the first, and leaves nothing of it.
    let other = folder.write("other.pdn", &again("300", text(&games())));
    assert_eq!(again("20000", text(&other)), once);
}

/// Marks that were there before are not touched, whatever is thought of the moves, first or later.
#[test]
fn marks_of_others_survive() {
    let folder = Folder::new("marks");
    let moves =
        "1. c3-b4? f6-g5 $4 2. b4-c5?! b6:d4 3. e3:c5 d6:b4 4. a3:c5 a7-b6?! 5. c5:a7 e7-d6 *";
    let path = folder.write("marks.pdn", &format!("[GameType \"25\"]\n\n{moves}\n"));
    let run = |nodes: &str, path: &str| analyse(&[path, "--out", "-", "--nodes", nodes]).out;
    let check = |text: &str| {
        let moves = &read(text)[0].main.moves;
        let marks: Vec<&str> = moves.iter().map(|node| node.marks.as_str()).collect();
        assert_eq!(marks[..8], ["?", "", "?!", "", "", "", "", "?!"]);
        assert_eq!(
            (&moves[1].nags[..], &moves[7].nags[..]),
            (&[4][..], &[4][..])
        );
    };
    let once = run("20000", text(&path));
    check(&once);
    let path = folder.write("once.pdn", &once);
    check(&run("20000", text(&path)));
    let path = folder.write("less.pdn", &run("100", text(&path)));
    check(&run("20000", text(&path)));
}

/// Objects without what depends on the clock.
fn untimed(ran: &Ran) -> Vec<Json> {
    let mut objects = ran.objects();
    for object in &mut objects {
        for field in ["time_s", "nps"] {
            if object.get(field).is_some() {
                object[field] = Json::Null;
            }
        }
    }
    objects
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let runs = ["1", "2", "5"].map(|threads| {
        let path = games();
        let args = [&[text(&path), "--threads", threads], &NODES[..]].concat();
        let json = untimed(&analyse(&[&args[..], &["--json"]].concat()));
        let pdn = analyse(&[&args[..], &["--out", "-"]].concat()).out;
        (json, pdn)
    });
    assert_eq!(runs[0], runs[1]);
    assert_eq!(runs[0], runs[2]);
    // A single game is no exception.
    let folder = Folder::new("threads");
    let (first, _) = fs::read_to_string(games())
        .expect("it is there")
        .split_once("[Event \"Bad\"]")
        .map(|(first, rest)| (first.to_owned(), rest.to_owned()))
        .expect("it is the second");
    let path = folder.write("one.pdn", &first);
    let run = |threads| {
        analyse(
            &[
                &[text(&path), "--threads", threads, "--out", "-"],
                &NODES[..],
            ]
            .concat(),
        )
    };
    assert_eq!(run("1").out, run("4").out);
}

#[test]
fn json_tells_of_each_position_of_a_game() {
    let ran = analyse(&[&[text(&games()), "--json"], &NODES[..]].concat());
    let objects = ran.objects();
    let of_game = |game: u64| -> Vec<&Json> {
        let is_of = |object: &&Json| object["game"] == game;
        objects.iter().filter(is_of).collect()
    };
    let first = of_game(1);
    assert_eq!(
        first.len(),
        13,
        "twelve moves, and the position behind them"
    );
    for (ply, position) in first.iter().enumerate() {
        assert_eq!(position["ply"], ply);
        assert_eq!(position["file"], text(&games()));
        assert_eq!(position["played"].is_null(), ply == 12);
        assert_eq!(position["loss_cp"].is_u64(), ply < 12);
        assert_eq!(position.get("summary").is_some(), ply == 12);
    }
    let blunder = first[7];
    assert_eq!(
        (&blunder["played"], &blunder["mark"]),
        (&"a7-b6".into(), &"??".into())
    );
    assert!(
        blunder["loss_cp"].as_u64() > Some(80) && blunder["expected_loss"].as_f64() > Some(0.2)
    );
    assert_eq!(first[6]["forced"], true, "a3:c5 is the only move");
    let summary = &first[12]["summary"];
    let (white, black) = (&summary["white"], &summary["black"]);
    assert!(white["accuracy"].as_f64() > Some(85.0), "{summary}");
    assert!(
        black["accuracy"].as_f64() < white["accuracy"].as_f64(),
        "{summary}"
    );
    assert_eq!(
        (&white["blunders"], &black["blunders"]),
        (&0.into(), &1.into())
    );

    // The bad game: what could be read, then what is wrong.
    let bad = of_game(2);
    assert_eq!(bad.len(), 6);
    assert!(
        bad[5]["error"]
            .as_str()
            .is_some_and(|error| error.contains("a1-a5")),
        "{}",
        bad[5]
    );
    assert_eq!((&bad[5]["ply"], &bad[5]["line"]), (&5.into(), &19.into()));
    // The position in which the game is over ends the list.
    let drawn = of_game(4);
    assert_eq!(drawn.len(), 9);
    assert_eq!(drawn[8]["result"]["reason"], "repetition");
    assert_eq!(
        (&drawn[8]["played"], &drawn[8]["lines"]),
        (&Json::Null, &serde_json::json!([]))
    );
    assert_eq!(of_game(6)[0]["lines"][0]["score"]["win"], 1);
    // Each bad game is told of on standard error.
    assert_eq!(ran.code, Some(1));
    let errors: Vec<&str> = ran.err.lines().collect();
    assert_eq!(errors.len(), 2, "{}", ran.err);
    assert!(
        errors
            .iter()
            .all(|line| line.starts_with("mainroad: error: bad game: "))
    );
    assert!(
        errors[0].contains("games.pdn:19: game 2, ply 5: "),
        "{}",
        errors[0]
    );
}

#[test]
fn people_get_a_table() {
    let ran = analyse(&[&[text(&games())], &NODES[..]].concat());
    assert!(
        ran.out
            .contains("game 1: Ann <b>Bold</b> - Иван Петров, 1-0 (russian"),
        "{}",
        ran.out
    );
    let line = ran.out.lines().find(|line| line.contains("4... a7-b6??"));
    assert!(
        line.is_some_and(|line| line.contains("; better ")),
        "{}",
        ran.out
    );
    assert!(
        ran.out
            .contains("over: repetition; 3 moves behind that are not judged"),
        "{}",
        ran.out
    );
    assert_eq!(ran.out.matches("White: ").count(), 5);
}

/// Standard input, many files, and the numbers of games in them.
#[test]
fn games_come_from_anywhere() {
    let all = fs::read_to_string(games()).expect("it is there");
    let ran = analyse_input(&["-", "--depth", "3", "--json"], &all);
    assert_eq!(ran.objects()[0]["file"], "-");
    let path = games();
    let twice = analyse_input(&[text(&path), "-", "--depth", "3", "--json"], &all);
    assert_eq!(twice.objects().len(), 2 * ran.objects().len());
    let ran = analyse_input(&["-", "--depth", "3", "--out", "-"], "");
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), ""));
}

/// Whoever reads only the beginning has seen enough.
#[test]
fn a_closed_pipe_ends_the_run_quietly() {
    let many = fs::read_to_string(games())
        .expect("it is there")
        .repeat(200);
    let folder = Folder::new("pipe");
    let path = folder.write("many.pdn", &many);
    for output in [&["--json"][..], &["--out", "-"], &[]] {
        let args = [&[text(&path), "--depth", "6"], output].concat();
        let mut command = command(&args);
        let piped = command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = piped.spawn().expect("the program was built");
        let mut out = child.stdout.take().expect("it is piped");
        out.read_exact(&mut [0; 100]).expect("something is written");
        drop(out);
        let output = child.wait_with_output().expect("it ends");
        let err = String::from_utf8(output.stderr).expect("errors are UTF-8");
        assert_eq!(output.status.code(), Some(0), "{err}");
        assert!(
            !err.contains("panic") && !err.contains("cannot write"),
            "{err}"
        );
    }
}

/// The examples of the help do what they say.
#[test]
fn the_examples_of_the_help_run() {
    let folder = Folder::new("help");
    folder.write("games.pdn", "[GameType \"25\"]\n\n1. c3-d4 f6-g5 *\n");
    let help = analyse(&["--help"]).out;
    let (_, examples) = help.split_once("Examples:\n").expect("there are some");
    let lines: Vec<&str> = examples
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    assert!(lines.len() >= 4, "{examples}");
    let program = env!("CARGO_BIN_EXE_mainroad");
    for line in lines {
        let ran = Command::new("sh")
            .args(["-ec", &line.replacen("mainroad", program, 1)])
            .current_dir(&folder.0)
            .output();
        let ran = Ran::of(ran.expect("sh is there"));
        assert_eq!(ran.code, Some(0), "{line}: {}", ran.err);
        assert!(!ran.out.is_empty() || line.contains("--out "), "{line}");
    }
    assert_eq!(
        folder.names(),
        ["analysed.html", "analysed.pdn", "games.pdn"]
    );
}

/// The example for those who write scripts.
#[test]
#[expect(clippy::print_stdout, reason = "a skipped test must be seen")]
fn the_python_example_reads_the_objects() {
    let ran = analyse(&[&[text(&games()), "--json"], &NODES[..]].concat());
    let folder = Folder::new("python");
    let input = folder.write("objects.jsonl", &ran.out);
    let script = Command::new("python3")
        .arg(data("analyse/worst_moves.py"))
        .stdin(fs::File::open(input).expect("it was written"))
        .output();
    let Ok(output) = script else {
        println!("SKIPPED: python3 is not here, the example script was not tested");
        return;
    };
    let ran = Ran::of(output);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(
        ran.out.contains("game 1 ply 8: a7-b6?? lost 0."),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("game 1 white: accuracy "), "{}", ran.out);
    assert_eq!(ran.out.matches("bad game: ").count(), 2, "{}", ran.out);
}

/// Positions that stand alone, and lines that are bad, are no games, which the script must know.
#[test]
#[expect(clippy::print_stdout, reason = "a skipped test must be seen")]
fn the_python_example_reads_positions_too() {
    let lines = "W:Wc3:Bf6\nnonsense\nW:Wa3:Bf6\n";
    let ran = analyse_input(&["--fen", "-", "--json", "--depth", "2"], lines);
    let folder = Folder::new("python-positions");
    let input = folder.write("objects.jsonl", &ran.out);
    let script = Command::new("python3")
        .arg(data("analyse/worst_moves.py"))
        .stdin(fs::File::open(input).expect("it was written"))
        .output();
    let Ok(output) = script else {
        println!("SKIPPED: python3 is not here, the example script was not tested");
        return;
    };
    let ran = Ran::of(output);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{}", ran.out);
    assert!(ran.out.starts_with("2 positions of no game"), "{}", ran.out);
    assert!(ran.out.contains("\"nonsense\""), "{}", ran.out);
}

/// What could not be read is left as it is, however often a game is analysed: scores in it are no scores of moves.
#[test]
fn text_that_could_not_be_read_keeps_its_scores() {
    // A better line has a score too, and whether there is one is a matter of the evaluation.
    let scores = |game: &str| {
        let ran = analyse_input(&[&["-", "--out", "-"], &NODES[..]].concat(), game);
        ran.out.matches("[%eval").count()
    };
    let own = scores("[GameType \"25\"]\n\n1. c3-d4 b6-a5 *\n");
    assert!(own >= 2, "{own}");
    for comment in [
        "unread: 2. x9 ([%eval 0.50])  d4-c5 [%eval -1.00]",
        "(1. c3-b4 [%eval 0.50]) ",
    ] {
        let mut game = format!("[GameType \"25\"]\n\n1. c3-d4 b6-a5 {{{comment}}} *\n");
        for _ in 0..3 {
            let ran = analyse_input(&[&["-", "--out", "-"], &NODES[..]].concat(), &game);
            assert_eq!(ran.code, Some(0), "{}", ran.err);
            assert!(ran.out.contains(&format!("{{{comment}}}")), "{}", ran.out);
            assert_eq!(
                ran.out.matches("[%eval").count(),
                own + comment.matches("[%eval").count()
            );
            game = ran.out;
        }
    }
    // Text that is found to be unreadable only now.
    let ran = analyse_input(
        &[&["-", "--out", "-"], &NODES[..]].concat(),
        "[GameType \"25\"]\n\n1. c3-d4 b6-a5 2. x9 {[%eval 0.50]} *\n",
    );
    let again = analyse_input(&[&["-", "--out", "-"], &NODES[..]].concat(), &ran.out);
    assert!(
        ran.out.contains("{unread: 2. x9 ([%eval 0.50])}"),
        "{}",
        ran.out
    );
    assert!(
        again.out.contains("{unread: 2. x9 ([%eval 0.50])}"),
        "{}",
        again.out
    );
}

/// A folder of tables that is named and is not there is an error for every command that takes one, and nothing is done.
#[test]
fn tables_that_are_not_there() {
    for args in [
        "analyse --fen W:Wc3:Bf6 --depth 2",
        "analyse --fen - --depth 2",
        "analyse games.pdn --depth 2",
        "solve --fen W:Wc3:Bf6",
        "hub",
        "shell",
        "dxp listen",
        "dxp connect localhost",
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_mainroad"))
            .args(args.split(' '))
            .args(["--tables", "/no/such/folder"])
            .stdin(Stdio::null())
            .output()
            .expect("the program was built");
        let ran = Ran::of(output);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{args}");
        assert_eq!(ran.err.lines().count(), 1, "{args}: {}", ran.err);
        assert!(
            ran.err.contains("no tables at /no/such/folder, expected"),
            "{args}: {}",
            ran.err
        );
    }
}

/// Names from files are shown without what would move the cursor.
#[test]
fn control_characters_are_not_shown() {
    let bad = "\u{1b}[31m\u{9b}\u{7}";
    let game = format!(
        "[White \"a{bad}b\"]\n[Black \"{bad}\"]\n[Result \"x{bad}\"]\n1. c3-d4 {{{bad}}} b6-a5 q{bad}9 *\n"
    );
    for args in [&["-"][..], &["-", "--out", "-"], &["-", "--json"]] {
        let ran = analyse_input(&[args, &NODES[..]].concat(), &game);
        assert_eq!(ran.code, Some(1));
        let is_bad = |c: char| c.is_control() && c != '\n' && c != '\t';
        assert!(!ran.out.contains(is_bad), "{:?}", ran.out);
        assert!(!ran.err.contains(is_bad), "{:?}", ran.err);
    }
}
