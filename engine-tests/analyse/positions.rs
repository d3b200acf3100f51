//! Positions that stand alone: fields, proofs, streams, wrong usage.

use super::{analyse, analyse_input};
use mainroad::score::Score;
use mainroad::tools::analysis::{Length, Worth};
use serde_json::json;

#[test]
fn json_has_the_fixed_fields() {
    let ran = analyse(&[
        "--depth",
        "8",
        "--lines",
        "3",
        "--json",
        "--moves",
        "c3-d4 f6-g5",
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let [answer] = &ran.objects()[..] else {
        panic!("one object was expected: {}", ran.out)
    };
    assert_eq!(answer["variant"], "russian");
    assert_eq!(
        answer["fen"],
        "W:W18,21,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,12,16"
    );
    assert_eq!((&answer["turn"], &answer["ply"]), (&json!("W"), &json!(2)));
    assert_eq!(answer["depth"], 8);
    for field in ["nodes", "nps", "tables_hits"] {
        assert!(answer[field].is_u64(), "{field}");
    }
    assert!(answer["time_s"].is_f64());
    for field in ["game", "result", "played", "loss_cp", "mark"] {
        assert!(
            answer.get(field).is_some_and(serde_json::Value::is_null),
            "{field}"
        );
    }
    let lines = answer["lines"].as_array().expect("a list");
    assert_eq!(lines.len(), 3);
    let mut last = i64::MAX;
    for (rank, line) in (1..).zip(lines) {
        assert_eq!(line["rank"], rank);
        assert_eq!(
            (&line["proven"], &line["exact"]),
            (&json!(false), &json!(false))
        );
        let cp = line["score"]["cp"].as_i64().expect("a score");
        assert!(cp <= last, "the best line is first");
        last = cp;
        let wdl = line["wdl"].as_array().expect("a list");
        let sum: u64 = wdl.iter().filter_map(serde_json::Value::as_u64).sum();
        assert_eq!((wdl.len(), sum), (3, 1000));
        assert!(line["pv"].as_array().is_some_and(|pv| pv.len() >= 2));
    }
}

/// Checks the score of the best line, whether it is proven and exact, and its chances.
#[track_caller]
fn check_score(args: &[&str], score: &serde_json::Value, exact: bool, wdl: [u32; 3]) {
    let ran = analyse(&[args, &["--depth", "14", "--json"]].concat());
    let line = &ran.objects()[0]["lines"][0];
    assert_eq!(line["score"], *score, "{args:?}");
    assert_eq!(line["proven"], true, "{args:?}");
    assert_eq!(line["exact"], exact, "{args:?}");
    assert_eq!(line["wdl"], json!(wdl), "{args:?}");
}

/// Wins with a shorter one by another move, as `mainroad solve` has them: what the search finds first is not told to be the shortest.
#[test]
fn no_longer_win_is_exact() {
    for (variant, fen, shortest, depth) in [
        ("russian", "B:WK32:B3,K18,K23,K27,13,5", 5, "30"),
        ("brazilian", "W:WK3,30,K19,16:BK27,20,21", 9, "10"),
        ("russian", "B:WK31:B1,28,15,25,K4,5,K8", 7, "14"),
    ] {
        let means = ["--variant", variant, "--tables", "none", "--depth", depth];
        let ran = analyse(&[&means[..], &["--fen", fen, "--json"]].concat());
        let line = &ran.objects()[0]["lines"][0];
        let found = line["score"]["win"].as_u64();
        let is_exact = line["exact"] == true;
        assert!(!is_exact || found == Some(shortest), "{fen}: {line}");
    }
}

/// Losses between whose moves the tables see no difference, with the length that `mainroad solve` proves: no move is played that is seen to lose
/// sooner, and none is said to be the longest that is not.
#[test]
fn no_shorter_loss_is_played_or_exact() {
    for (variant, fen, longest) in [
        ("russian", "W:WK4,26:BK17,K29", 6),
        ("russian", "B:W5,K16,10:B9", 4),
        ("pool-25", "W:W24,18:B25,22,K31", 8),
        ("brazilian", "W:W15:BK3,27", 4),
        ("brazilian", "W:W19:B27,10", 6),
    ] {
        let args = ["--variant", variant, "--depth", "9", "--fen", fen, "--json"];
        let ran = analyse(&args);
        let line = &ran.objects()[0]["lines"][0];
        let found = line["score"]["loss"].as_u64();
        let is_exact = line["exact"] == true;
        assert!(found.is_none_or(|plies| plies == longest), "{fen}: {line}");
        assert!(!is_exact || found == Some(longest), "{fen}: {line}");
    }
}

/// Wins in the number of plies that `mainroad solve` proves to be the shortest, and what the tables know.
#[test]
fn proofs_are_told_apart() {
    let one = json!({"win": 1, "dtc": 1});
    check_score(&["--fen", "W:WKd4,a1:Bb6"], &one, true, [1000, 0, 0]);
    // Without tables the same is found by search.
    let one = json!({"win": 1, "dtc": null});
    let fen = ["--fen", "W:WKd4,a1:Bb6", "--tables", "none"];
    check_score(&fen, &one, true, [1000, 0, 0]);
    for (fen, score) in [
        ("W:WKa1:Bh6", json!({"win": 3, "dtc": null})),
        ("W:WKa1,c3:Bg5", json!({"win": 7, "dtc": null})),
        ("W:Wc5:Ba7", json!({"win": 11, "dtc": null})),
        ("B:Wc3,e3:Bh6", json!({"loss": 6, "dtc": null})),
    ] {
        let wdl = if score.get("win").is_some() {
            [1000, 0, 0]
        } else {
            [0, 0, 1000]
        };
        check_score(&["--fen", fen, "--tables", "none"], &score, true, wdl);
    }
    let draw = json!({"draw": true});
    check_score(&["--fen", "W:WKg1:BKb8"], &draw, false, [0, 1000, 0]);
    let ran = analyse(&[
        "--fen",
        "W:WKa1,e1,e3:BKg1",
        "--depth",
        "4",
        "--lines",
        "9",
        "--json",
    ]);
    let answer = &ran.objects()[0];
    let best = &answer["lines"][0]["score"];
    assert!(
        best["win"].is_null() && best["dtc"].as_u64() > Some(1),
        "{answer}"
    );
    assert!(answer["tables_hits"].as_u64() > Some(0), "{answer}");
}

/// However long the way, a proven result is no estimate.
#[test]
fn long_ways_lead_to_proven_results() {
    for plies in [0, 1, 240, 3_000, u32::MAX] {
        for (plies, conversion) in [(Some(plies), None), (None, Some(plies))] {
            let length = Length { plies, conversion };
            let (win, loss) = (Worth::Win(length).score(), Worth::Loss(length).score());
            assert!(win > Score::MAX_EVAL.0, "{length:?}: {win}");
            assert_eq!(loss, -win, "{length:?}");
        }
    }
}

#[test]
fn a_game_that_is_over_has_no_lines() {
    let ran = analyse(&["--fen", "W:W21:B14,17", "--json"]);
    let answer = &ran.objects()[0];
    assert_eq!(ran.code, Some(0));
    assert_eq!(
        answer["result"],
        json!({"winner": "B", "reason": "blocked"})
    );
    assert_eq!(answer["lines"], json!([]));
    let moves = "32-28 1-5 28-32 5-1 32-28 1-5 28-32 5-1";
    let drawn = ["--fen", "W:WK32:BK1", "--moves", moves, "--depth", "3"];
    let ran = analyse(&drawn);
    assert_eq!(ran.out, "game over: draw (repetition)\n");
    let ran = analyse(&[&drawn[..], &["--draw-rules", "false", "--json"]].concat());
    assert_eq!(ran.objects()[0]["lines"][0]["score"], json!({"draw": true}));
}

/// An object a line in the order of the lines, bad ones included, by any number of threads.
#[test]
fn streams_are_answered_in_order() {
    let mut input = String::new();
    for line in 0..12 {
        input.push_str(match line % 4 {
            0 => "W:W21-32:B1-12\n",
            1 => "B:W21-32:B1-12 moves f6-g5 c3-b4\n",
            2 => "rubbish\n",
            _ => "W:W21-32:B1-12 moves c3-c4\n",
        });
    }
    let answers = ["1", "3"].map(|threads| {
        let args = ["--fen", "-", "--nodes", "3000", "--threads", threads];
        let ran = analyse_input(&args, &input);
        assert_eq!(ran.code, Some(1), "{}", ran.err);
        let mut objects = ran.objects();
        assert_eq!(objects.len(), 12);
        for (line, object) in (0..).zip(&mut objects) {
            match line % 4 {
                0 => assert_eq!(object["turn"], "W"),
                1 => assert_eq!((&object["turn"], &object["ply"]), (&json!("B"), &json!(2))),
                _ => {
                    assert_eq!(object["line"], line + 1);
                    assert!(object["error"].is_string());
                    continue;
                }
            }
            object["time_s"] = json!(0);
            object["nps"] = json!(0);
        }
        objects
    });
    assert_eq!(answers[0], answers[1]);
    let ran = analyse_input(&["--fen", "-", "--depth", "2"], "W:W21-32:B1-12");
    assert_eq!((ran.code, ran.objects().len()), (Some(0), 1));
    let ran = analyse_input(&["--fen", "-"], "");
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), ""));
}

#[test]
fn wrong_usage_and_bad_input() {
    for (args, code) in [
        (&["--time", "0"][..], 2),
        (&["--time", "nan"], 2),
        (&["--depth", "0"], 2),
        (&["--depth", "121"], 2),
        (&["--nodes", "0"], 2),
        (&["--lines", "65"], 2),
        (&["--out", "x.pdn"], 2),
        (&["--report", "x.html"], 2),
        (&["--fen", "W:W21:B1", "games.pdn"], 2),
        (&["--fen", "-", "--moves", "c3-d4"], 2),
        (&["-", "-"], 2),
        (&["-", "--out", "-", "--json"], 2),
        (&["-", "--report", "-"], 2),
        (&["-", "--report", "x", "--out", "x"], 2),
        (&["--fen", "W:W33:B1"], 1),
        (&["--moves", "c3-c4"], 1),
        (&["no/such/file.pdn"], 1),
        (&["."], 1),
    ] {
        let ran = analyse_input(args, "");
        assert_eq!(ran.code, Some(code), "{args:?}: {}", ran.err);
        assert_eq!(ran.out, "", "{args:?}");
        if code == 1 {
            assert!(ran.err.starts_with("mainroad: error: "), "{}", ran.err);
            assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
        }
    }
}
