//! The files of `pdn-quirks/`, each with one habit or fault, against `expected.json`: games, plies, results.

use super::{faults, read};
use crate::support::data;
use mainroad::notation::pdn::{Game, write};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;

/// What must be read of a file. A number of plies that is missing may be any.
#[derive(Deserialize)]
struct Expected {
    games: usize,
    plies: Vec<Option<usize>>,
    result: Option<Vec<String>>,
}

fn expected() -> BTreeMap<String, Expected> {
    let text = fs::read_to_string(data("pdn-quirks/expected.json")).expect("it is there");
    serde_json::from_str(&text).expect("it is what it should be")
}

fn games_of(name: &str) -> Vec<Game> {
    read(fs::read(data("pdn-quirks").join(name)).expect("it is there"))
}

#[test]
fn all_are_read_as_expected() {
    let expected = expected();
    assert!(expected.len() >= 34);
    for (name, expected) in expected {
        let games = games_of(&name);
        assert_eq!(games.len(), expected.games, "{name}");
        for (game, plies) in games.iter().zip(&expected.plies) {
            // Where the number is open the game is 10x10, or ends early.
            let is_ours = name != "24_move_strength_paren.pdn";
            if let Some(plies) = plies.filter(|_| is_ours) {
                assert_eq!(game.main.moves.len(), plies, "{name}: {:?}", game.faults);
            }
        }
        if let Some(results) = expected.result {
            let read: Vec<&str> = games.iter().map(Game::result).collect();
            assert_eq!(read, results, "{name}");
        }
    }
}

/// The faults of a game: kinds, lines, plies.
type Named = &'static [(&'static str, usize, usize)];

/// Faults by file. All other files have none.
const FAULTS: &[(&str, &[Named])] = &[
    ("19_nested_comment.pdn", &[&[("nested-comment", 10, 5)]]),
    (
        "20_unterminated_comment.pdn",
        &[&[("open-comment", 10, 5)], &[]],
    ),
    ("24_move_strength_paren.pdn", &[&[("game-type", 1, 0)]]),
    ("35_fen_question_mark.pdn", &[&[("fen", 1, 0)]]),
    (
        "36_illegal_then_ok.pdn",
        &[&[("illegal-move", 10, 15)], &[]],
    ),
    ("44_ambiguous_capture.pdn", &[&[("ambiguous-move", 5, 1)]]),
    ("47_early_stop_capture.pdn", &[&[("illegal-move", 5, 1)]]),
];

#[test]
fn faults_are_named() {
    for name in expected().keys() {
        let games = games_of(name);
        let named = FAULTS.iter().find(|(file, _)| file == name);
        for (index, game) in games.iter().enumerate() {
            let wanted = named.map_or(&[][..], |(_, games)| games[index]);
            assert_eq!(faults(game), wanted, "{name}: {:?}", game.faults);
        }
    }
}

/// What was read of each file is written so that the same is read again, without a fault of the form.
#[test]
fn all_are_written() {
    for name in expected().keys() {
        for game in games_of(name) {
            let text = write(&game, None);
            let again = read(&text);
            assert_eq!(again.len(), 1, "{name}\n{text}");
            assert_eq!(write(&again[0], None), text, "{name}");
            let moves = |game: &Game| {
                game.main
                    .moves
                    .iter()
                    .map(|node| node.mv)
                    .collect::<Vec<_>>()
            };
            assert_eq!(moves(&again[0]), moves(&game), "{name}");
            assert_eq!(
                (again[0].variant, again[0].start),
                (game.variant, game.start),
                "{name}"
            );
            for tag in &game.tags {
                assert!(again[0].tag(&tag.name).is_some(), "{name}: {}", tag.name);
            }
        }
    }
}

/// Windows-1251 is decoded, and written as UTF-8.
#[test]
fn cyrillic_names_survive() {
    let old = &games_of("05_cp1251.pdn")[0];
    assert_eq!(old.tag("White"), Some("Игрок А. Б."));
    assert_eq!(old.tag("Event"), Some("Кубок города"));
    let new = &games_of("06_utf8_cyrillic.pdn")[0];
    assert_eq!(new.tag("White"), Some("Игрок А. Б."));
    assert!(write(old, None).contains("[White \"Игрок А. Б.\"]"));
}

/// Text in comments stays where it is.
#[test]
fn comments_survive() {
    let game = &games_of("23_comment_in_variation_clock_eval.pdn")[0];
    let text = super::outline(&game.main);
    assert_eq!(
        text,
        "c3-d4 {[%clk 0:05:00][%eval 0.12]} b6-a5 $2 {[%clk 0:04:58]} (f6-g5!? {book ) paren}) d4-c5?!"
    );
    let game = &games_of("28_tag_text_in_comment.pdn")[0];
    assert_eq!(
        game.main.moves[3].after,
        [" note\n[White \"not a header\"]\nstill comment "]
    );
    let game = &games_of("21_long_comment.pdn")[0];
    let long: usize = game
        .main
        .moves
        .iter()
        .flat_map(|node| &node.after)
        .map(String::len)
        .sum();
    assert!(long > 199_000, "{long}");
}
