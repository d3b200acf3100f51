//! The moves of positions and games, as JSON: against the vectors, and read back as they are written.

use super::{ask, run, run_with};
use crate::support::{DrawGame, Vector, VectorMove, jsonl};
use mainroad::rules::Variant;
use serde_json::{Value, json};
use std::collections::BTreeSet;

// Two kings that go to and fro: the start occurs for the third time.
const REPETITION: &str = "32-28 1-5 28-32 5-1 32-28 1-5 28-32 5-1";

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
