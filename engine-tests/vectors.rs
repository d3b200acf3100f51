//! Hard positions with their complete move lists and leaf counts, made by an independent generator and
//! checked against a second one. One JSON object a line; the fields are explained in `vectors/README.md`.

use crate::support::{Vector, jsonl};
use mainroad::board::{Move, MoveList, Position, Square};
use mainroad::notation::fen;
use mainroad::rules::{
    Rules, Variant, all_paths, count_moves, has_capture, has_legal_move, legal_moves, path_of,
    perft,
};
use mainroad::with_rules;
use std::collections::BTreeSet;

/// A move as the vectors write it: from, to, captured, promotes.
type Entry = (u8, u8, Vec<u8>, bool);

fn entry(mv: Move) -> Entry {
    let mut captured: Vec<u8> = mv.captured.squares().map(Square::number).collect();
    captured.sort_unstable();
    (mv.from.number(), mv.to.number(), captured, mv.promotes)
}

fn check_position<R: Rules>(vector: &Vector, pos: &Position) {
    let id = &vector.id;
    let mut moves = MoveList::new();
    legal_moves::<R>(pos, &mut moves);
    let actual: BTreeSet<Entry> = moves.iter().map(|&mv| entry(mv)).collect();
    assert_eq!(actual.len(), moves.len(), "{id}: a move is listed twice");
    let expected: BTreeSet<Entry> = vector
        .moves
        .iter()
        .map(|mv| (mv.from, mv.to, mv.captured.clone(), mv.promote))
        .collect();
    assert_eq!(actual, expected, "{id}");
    assert_eq!(count_moves::<R>(pos), moves.len() as u64, "{id}: counted");
    assert_eq!(has_legal_move(pos), !moves.is_empty(), "{id}");
    assert_eq!(
        has_capture(pos),
        moves.iter().any(|mv| mv.is_capture()),
        "{id}"
    );
    for (depth, leaves) in (1..).zip(vector.perft.values()) {
        assert_eq!(perft::<R>(pos, depth), *leaves, "{id}: perft {depth}");
    }
    for &mv in &moves {
        check_paths::<R>(vector, pos, mv);
    }
}

/// Every path of the vector is found, no other one, and the one that is shown is among them.
fn check_paths<R: Rules>(vector: &Vector, pos: &Position, mv: Move) {
    let listed = vector.moves.iter().find(|listed| {
        (
            listed.from,
            listed.to,
            listed.captured.clone(),
            listed.promote,
        ) == entry(mv)
    });
    let expected: BTreeSet<Vec<u8>> = listed
        .expect("compared before")
        .paths
        .iter()
        .cloned()
        .collect();
    let numbers = |path: Vec<_>| {
        path.iter()
            .map(|sq: &Square| sq.number())
            .collect::<Vec<u8>>()
    };
    let actual: BTreeSet<Vec<u8>> = all_paths::<R>(pos, mv).into_iter().map(numbers).collect();
    assert_eq!(actual, expected, "{}: paths of {mv:?}", vector.id);
    assert!(
        actual.contains(&numbers(path_of::<R>(pos, mv))),
        "{}",
        vector.id
    );
}

#[track_caller]
fn check(variant: Variant, file: &str) {
    let vectors: Vec<Vector> = jsonl(file);
    assert_eq!(vectors.len(), 400, "{file}");
    for vector in &vectors {
        let pos = fen::parse(&vector.fen).unwrap_or_else(|error| panic!("{}: {error}", vector.id));
        with_rules!(variant, R => check_position::<R>(vector, &pos));
    }
}

#[test]
fn pool() {
    check(Variant::Pool, "rules-pool.jsonl");
    check(Variant::Pool25, "rules-pool.jsonl");
}

#[test]
fn russian() {
    check(Variant::Russian, "rules-russian.jsonl");
    check(Variant::RussianOnline, "rules-russian.jsonl");
    check(Variant::RussianFmjd64, "rules-russian.jsonl");
}

#[test]
fn brazilian() {
    check(Variant::Brazilian, "rules-brazilian.jsonl");
}
