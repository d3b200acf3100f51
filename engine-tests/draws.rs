//! Whole games that end by each draw rule, one ply before it, or by a win inside a count.

use crate::support::{DrawGame, jsonl};
use mainroad::board::Move;
use mainroad::notation::fen;
use mainroad::rules::{Ending, Game, Rules, Variant};
use mainroad::with_rules;

/// Finds the legal move that a vector writes as from, to, captured squares and, if it promotes, a 1.
fn find<R: Rules>(game: &Game<R>, written: &serde_json::Value) -> Option<Move> {
    let number = |i: usize| written[i].as_u64();
    let mut captured: Vec<u64> = written[2]
        .as_array()?
        .iter()
        .filter_map(serde_json::Value::as_u64)
        .collect();
    captured.sort_unstable();
    let promotes = number(3) == Some(1);
    game.legal_moves().into_iter().find(|mv| {
        let mut taken: Vec<u64> = mv
            .captured
            .squares()
            .map(|sq| u64::from(sq.number()))
            .collect();
        taken.sort_unstable();
        Some(u64::from(mv.from.number())) == number(0)
            && Some(u64::from(mv.to.number())) == number(1)
            && taken == captured
            && mv.promotes == promotes
    })
}

fn result(ending: Option<Ending>) -> &'static str {
    use mainroad::board::Side::{Black, White};
    match ending.map(|ending| ending.winner) {
        None => "*",
        Some(None) => "1/2-1/2",
        Some(Some(White)) => "1-0",
        Some(Some(Black)) => "0-1",
    }
}

fn check_game<R: Rules>(vector: &DrawGame) {
    let id = &vector.id;
    let start = fen::parse(&vector.start).unwrap_or_else(|error| panic!("{id}: {error}"));
    let mut game = Game::<R>::from_position(start);
    for (ply, written) in vector.moves.iter().enumerate() {
        assert_eq!(game.ending(), None, "{id}: over at ply {ply}");
        let mv =
            find(&game, written).unwrap_or_else(|| panic!("{id}: ply {ply}: {written} is illegal"));
        game.play(mv);
    }
    assert_eq!(fen::write(game.position()), vector.end_fen, "{id}");
    assert_eq!(
        result(game.ending()),
        vector.result,
        "{id}: {:?}",
        game.ending()
    );
    // Our order of reasons is the one the vectors use.
    let reason = game.ending().map(|ending| ending.reason.name());
    assert_eq!(reason, vector.reason.as_deref(), "{id}");
}

#[track_caller]
fn check(variant: Variant, games: usize) {
    let vectors: Vec<DrawGame> = jsonl(&format!("games-draws-{variant}.jsonl"));
    assert_eq!(vectors.len(), games, "{variant}");
    for vector in &vectors {
        with_rules!(variant, R => check_game::<R>(vector));
    }
}

#[test]
fn pool() {
    check(Variant::Pool, 140);
}

#[test]
fn pool_25() {
    check(Variant::Pool25, 140);
}

#[test]
fn russian() {
    check(Variant::Russian, 140);
}

#[test]
fn russian_online() {
    check(Variant::RussianOnline, 140);
}

#[test]
fn russian_fmjd64() {
    check(Variant::RussianFmjd64, 140);
}

#[test]
fn brazilian() {
    check(Variant::Brazilian, 70);
}
