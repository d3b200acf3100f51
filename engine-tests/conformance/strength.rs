//! Parameters that change what is played: limited strength, the value of draws, the choice of book moves.

use super::Check;
use super::client::{Client, START, placed};
use super::parameters::temporary;
use serde_json::Value;
use std::collections::HashSet;
use std::fs;
use std::process::Command;

/// The last moves before a position that is all but drawn, in which White or Black is to move.
const WHITE: &str = "30-26 5-9";
const BLACK: &str = "30-26";

pub(super) const CHECKS: &[Check] = &[
    ("every level of skill plays", |client| {
        client.set("book", "none");
        for skill in 0..=20 {
            client.set("skill", &skill.to_string());
            let found = client.search(&format!("pos {START}\nlevel nodes=20000\ngo think"));
            client.send(&format!(
                "pos {START} moves=\"{} {}\"",
                found.mv, found.ponder
            ));
            client.silent();
        }
    }),
    (
        "the lower the skill, the fewer positions are searched",
        |client| {
            client.set("book", "none");
            let nodes = ["0", "5", "10", "15"].map(|skill| {
                client.set("skill", skill);
                client.send("new-game");
                client
                    .search(&format!("pos {START}\nlevel time=60\ngo think"))
                    .last()
                    .number("nodes")
            });
            assert!(
                nodes.is_sorted_by(|low, high| 4.0 * low < *high),
                "{nodes:?}"
            );
        },
    ),
    (
        "with a seed limited strength plays the same again, with others something else",
        |client| {
            client.set("book", "none");
            client.set("skill", "0");
            let mut play = |seed: u32| {
                client.set("seed", &seed.to_string());
                client.send("new-game");
                client.search(&format!("pos {START}\ngo think")).mv
            };
            assert_eq!(play(5), play(5));
            let moves: HashSet<String> = (1..=30).map(play).collect();
            assert!(moves.len() >= 3, "{moves:?}");
        },
    ),
    ("without a seed limited strength varies", |client| {
        client.set("book", "none");
        client.set("skill", "0");
        let mut play = |_| {
            client
                .search(&format!("new-game\npos {START}\ngo think"))
                .mv
        };
        let moves: HashSet<String> = (0..40).map(&mut play).collect();
        assert!(moves.len() >= 2, "{moves:?}");
    }),
    ("six levels of skill win nearly every game", |_| {
        let side = |skill| format!("self:skill={skill},seed=1,hash=1,book=none");
        let output = Command::new(env!("CARGO_BIN_EXE_mainroad"))
            .args([
                "match",
                "--engine",
                &side(6),
                "--engine",
                &side(0),
                "--json",
            ])
            .args([
                "--time-control",
                "depth=40",
                "--games",
                "10",
                "--journal",
                "none",
            ])
            .args(["--openings", "fmjd-64", "--seed", "1"])
            .output()
            .expect("it is there");
        let text = String::from_utf8_lossy(&output.stdout);
        let summary = text.lines().last().expect("there is a summary");
        let summary: Value = serde_json::from_str(summary).expect("it is JSON");
        let points = summary["wins"].as_u64().zip(summary["draws"].as_u64());
        assert!(
            points.is_some_and(|(wins, draws)| 2 * wins + draws >= 15),
            "{summary}"
        );
    }),
    ("analysis is at full strength", |client| {
        let analyse = |client: &mut Client, skill: &str| {
            client.set("skill", skill);
            client.set("contempt", if skill == "20" { "0" } else { "50" });
            client.send("new-game");
            let found = client.search(&format!("pos {START}\nlevel depth=8\ngo analyze"));
            (
                found.mv.clone(),
                found.last().text("score").to_owned(),
                found.last().text("nodes").to_owned(),
            )
        };
        assert_eq!(analyse(client, "0"), analyse(client, "20"));
    }),
    ("the weakest level takes a win that it sees", |client| {
        client.set("skill", "0");
        // 29-25 shuts the last man in.
        let win = placed('W', &[('w', 29), ('w', 30), ('w', 32), ('b', 21)]);
        for seed in 1..=20 {
            client.set("seed", &seed.to_string());
            assert_eq!(client.search(&format!("pos {win}\ngo think")).mv, "29-25");
        }
    }),
    ("the weakest level does not give a man away", |client| {
        // Both moves of the man on 15 lose it for nothing.
        let moves =
            "22-18 11-15 18x11x15 8x15x11 25-22 4-8 23-18 7-11 26-23 9-14 18x9x14 6x13x9 30-25";
        client.set("skill", "0");
        client.set("book", "none");
        for seed in 1..=30 {
            client.set("seed", &seed.to_string());
            let found = client.search(&format!("new-game\npos start moves=\"{moves}\"\ngo think"));
            assert!(!found.mv.starts_with("15-"), "seed {seed}: {}", found.mv);
        }
    }),
    ("the line of a weak move is reported before it", |client| {
        client.set("book", "none");
        client.set("skill", "0");
        for seed in 1..=20 {
            client.set("seed", &seed.to_string());
            let found = client.search(&format!("pos {START}\ngo think"));
            assert!(
                found.last().text("pv").starts_with(&found.mv),
                "seed {seed}"
            );
            assert!(found.infos.iter().all(|info| info.text("line").is_empty()));
        }
    }),
    ("contempt is what a draw costs", |client| {
        for (contempt, score) in [("0", "0.00"), ("50", "-0.50"), ("-30", "0.30")] {
            assert_eq!(nearly_drawn(client, WHITE, contempt, "think"), score);
        }
    }),
    ("contempt leaves analysis alone", |client| {
        assert_eq!(nearly_drawn(client, WHITE, "50", "analyze"), "0.00");
    }),
    ("contempt leaves a draw that tables know alone", |client| {
        client.set("tables", "embedded");
        client.set("contempt", "50");
        let found = client.search(&format!("pos {}\nlevel depth=9\ngo think", two_kings()));
        assert_eq!(found.last().text("score"), "0.00");
    }),
    ("contempt leaves a proven win alone", |client| {
        client.set("contempt", "100");
        let found =
            client.search("pos pos=Weeeeeeebeeewebeeeeeeeeeeebeeeeee\nlevel depth=4\ngo think");
        assert_eq!(found.last().text("score"), "99.99");
    }),
    ("contempt of both sides in turn", |client| {
        // One process plays both sides: what was found for one must not be taken for the other.
        for _ in 0..2 {
            assert_eq!(nearly_drawn(client, WHITE, "40", "think"), "-0.40");
            assert_eq!(nearly_drawn(client, BLACK, "40", "think"), "-0.40");
            assert_eq!(nearly_drawn(client, WHITE, "-40", "think"), "0.40");
        }
    }),
    ("the best move of the book, if nothing is said", |client| {
        assert_eq!(book_moves(client, "100", "0"), ["22-18"]);
    }),
    ("any of the equally good moves of the book", |client| {
        assert_eq!(book_moves(client, "0", "100"), ["22-18", "24-19"]);
    }),
    ("any move of the book within the margin", |client| {
        assert_eq!(book_moves(client, "5", "100"), ["22-18", "23-18", "24-19"]);
        assert_eq!(
            book_moves(client, "10", "100"),
            ["21-17", "22-18", "23-18", "24-19"]
        );
    }),
    ("a little variety is mostly the best move", |client| {
        let moves: Vec<String> = (1..=60)
            .map(|seed| book_move(client, "100", "20", seed))
            .collect();
        let best = moves.iter().filter(|mv| *mv == "22-18").count();
        assert!((40..60).contains(&best), "{best} of 60");
    }),
    ("a move of the book is announced as one", |client| {
        let found = client.search("pos start\ngo think");
        assert_eq!(found.infos.len(), 1);
        assert_eq!((found.depth(), found.last().text("source")), (0, "book"));
        assert_eq!(found.last().text("pv"), found.mv);
    }),
    ("no book in analysis, nor while it ponders", |client| {
        assert!(
            client
                .search("pos start\nlevel depth=2\ngo analyze")
                .depth()
                == 2
        );
        client.send("pos start\nlevel depth=2\ngo ponder\nponder-hit");
        assert_eq!(client.done().depth(), 2);
    }),
];

fn two_kings() -> String {
    placed('W', &[('W', 30), ('B', 5)])
}

/// Returns the score of two lone kings shortly before fifteen moves each make it a draw: every line ends so within a few plies.
#[track_caller]
fn nearly_drawn(client: &mut Client, last: &str, contempt: &str, mode: &str) -> String {
    client.set("tables", "none");
    client.set("contempt", contempt);
    let moves = "30-26 5-9 26-30 9-5 ".repeat(6);
    let position = two_kings();
    let found = client.search(&format!(
        "pos {position} moves=\"{moves}{last}\"\nlevel depth=9\ngo {mode}"
    ));
    found.last().text("score").to_owned()
}

/// Returns the moves that sixty seeds choose from a book of four, in order.
fn book_moves(client: &mut Client, margin: &str, variety: &str) -> Vec<String> {
    let mut moves: Vec<String> = (1..=60)
        .map(|seed| book_move(client, margin, variety, seed))
        .collect();
    moves.sort();
    moves.dedup();
    moves
}

fn book_move(client: &mut Client, margin: &str, variety: &str, seed: u32) -> String {
    let path = temporary(&format!("{margin}-{variety}.book"));
    let line = "W:W21-32:B1-12 | c3-d4 10 | g3-f4 10 | e3-d4 5 | a3-b4 0";
    fs::write(&path, format!("mainroad-book 1 russian\n{line}\n")).expect("it can be written");
    for (name, value) in [
        ("book", path.to_str().expect("it is text")),
        ("book-margin", margin),
        ("book-variety", variety),
        ("seed", &seed.to_string()),
    ] {
        client.set(name, value);
    }
    let found = client.search("pos start\ngo think");
    client.set("book", "none");
    fs::remove_file(&path).expect("it is there");
    found.mv
}
