//! What a match plays: openings, pairings, formats, and when it is decided.

use super::{Folder, PROGRAM, SMALL, list, number, text};
use serde_json::{Value, json};

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
