//! Opening books: what is read, what is refused and how, and that the ones that ship can be made again.

use crate::support::Rng;
use mainroad::board::Key;
use mainroad::book::{Book, Choice, compiled_in, open};
use mainroad::engine::{Engine, Options};
use mainroad::notation::moves;
use mainroad::rules::{Game, Pool, Rules, Russian, Variant};
use mainroad::tools::book_building::{Plan, build};
use mainroad::with_rules;

const HEAD: &str = "mainroad-book 1 russian\n";
const START: &str = "W:W21-32:B1-12";

#[track_caller]
fn check_fault(text: &str, expected: &str) {
    let error = Book::parse::<Russian>(text, "test")
        .expect_err("it is refused")
        .to_string();
    assert!(
        error.contains(expected),
        "{error:?} does not say {expected:?}"
    );
}

#[test]
fn faults_are_named_with_their_line() {
    check_fault("", "test: line 1: expected the head line");
    check_fault("mainroad-book 1 pool\n", "line 1: expected the head line");
    check_fault(
        "mainroad-book 2 russian\n",
        "line 1: expected the head line",
    );
    check_fault(&format!("{HEAD}nonsense | c3-d4 1\n"), "line 2");
    check_fault(
        &format!("# first\n\n{HEAD}{START}\n"),
        "line 4: expected at least one move",
    );
    check_fault(&format!("{HEAD}{START} | c3-e5 1\n"), "line 2");
    check_fault(
        &format!("{HEAD}{START} | c3-d4\n"),
        "expected a move and a score",
    );
    check_fault(
        &format!("{HEAD}{START} | c3-d4 good\n"),
        "expected a whole number",
    );
    check_fault(
        &format!("{HEAD}{START} | c3-d4 99999\n"),
        "expected a score within",
    );
    check_fault(
        &format!("{HEAD}{START} | c3-d4 1 | g3-f4 2\n"),
        "falling order",
    );
    check_fault(
        &format!("{HEAD}{START} | c3-d4 1 | c3-d4 1\n"),
        "given before",
    );
    check_fault(
        &format!("{HEAD}{START} | c3-d4 1\n{START} | g3-f4 1\n"),
        "line 3: the position was given before",
    );
}

/// Every number chooses a move within the margin, of many all are chosen alike, and without variety it is the best.
#[test]
fn moves_within_the_margin_are_chosen() {
    let text = format!("{HEAD}{START} | c3-d4 10 | g3-f4 10 | e3-d4 5 | a3-b4 0\n");
    let book = Book::parse::<Russian>(&text, "test").expect("it is in order");
    let start = Russian::start();
    let key = Key::of(&start);
    let counts = |margin, variety| {
        let mut rng = Rng(9);
        let mut counts = [0; 4];
        for _ in 0..4000 {
            let choice = Choice { margin, variety };
            let chosen = book.choose(key, choice, rng.next());
            let known = book.moves(key).iter();
            counts[known
                .map(Some)
                .position(|mv| mv == chosen.as_ref())
                .expect("it is known")] += 1;
        }
        counts
    };
    assert_eq!(counts(100, 0), [4000, 0, 0, 0]);
    let near = |counts: [i32; 4], expected: [i32; 4]| {
        let mut pairs = counts.iter().zip(expected);
        assert!(pairs.all(|(a, b)| (a - b).abs() <= b / 5), "{counts:?}");
    };
    near(counts(0, 100), [2000, 2000, 0, 0]);
    near(counts(9, 100), [1333, 1333, 1333, 0]);
    near(counts(10, 100), [1000; 4]);
    near(counts(10, 20), [3400, 200, 200, 200]);
    let unknown = Key::of(&start.play(book.moves(key)[0].0));
    assert_eq!(book.choose(unknown, Choice::default(), 0), None);
}

#[test]
fn the_best_move_is_played_while_the_book_lasts() {
    let text = format!("{HEAD}# comment\n{START} | c3-d4 4 | g3-f4 2\n");
    let book = Book::parse::<Russian>(&text, "test").expect("it is in order");
    assert_eq!(book.len(), 1);
    let start = Russian::start();
    let (best, score) = book.best(Key::of(&start)).expect("it is known");
    assert_eq!(
        (moves::write::<Russian>(&start, best).as_str(), score.0),
        ("c3-d4", 4)
    );
    assert_eq!(book.moves(Key::of(&start)).len(), 2);
    assert_eq!(book.best(Key::of(&start.play(best))), None);
}

#[test]
fn books_that_ship_are_in_order() {
    for variant in Variant::ALL {
        with_rules!(variant, R => {
            let book = Book::parse::<R>(compiled_in::<R>(), "compiled in").unwrap_or_else(|error| panic!("{error}"));
            assert!(book.len() >= 300, "{variant}: {} positions", book.len());
            assert!(book.best(Key::of(&R::start())).is_some(), "{variant}: the start is known");
        });
    }
}

#[test]
fn choices() {
    assert!(open::<Pool>("none").expect("no book is a book").is_empty());
    assert!(open::<Pool>("false").expect("no book is a book").is_empty());
    assert!(!open::<Pool>("true").expect("it ships").is_empty());
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/book");
    assert!(!open::<Pool>(folder).expect("it ships").is_empty());
    assert!(
        !open::<Pool>(&format!("{folder}/pool.book"))
            .expect("it ships")
            .is_empty()
    );
    assert!(
        open::<Pool>(&format!("{folder}/russian.book")).is_err(),
        "the book of another game"
    );
    assert!(open::<Pool>("/no/such/file").is_err());
}

#[test]
fn a_missing_book_is_reported_once() {
    let options = Options {
        book: "/no/such/file".to_owned(),
        ..Options::default()
    };
    let mut engine = Engine::<Russian>::default();
    assert!(engine.book_move(&options).is_err());
    assert!(
        engine
            .book_move(&options)
            .expect("it has been said")
            .is_none()
    );
    engine.forget_book();
    assert!(engine.book_move(&options).is_err());
}

/// A book does not depend on the threads that make it, and what is built can be read.
#[test]
fn building_is_repeatable() {
    let text = |threads| {
        let plan = Plan {
            positions: 12,
            depth: 4,
            threads,
        };
        build::<Pool>(&plan, &mut |_| ()).expect("threads can be had")
    };
    let one = text(1);
    assert_eq!(one, text(3));
    let book = Book::parse::<Pool>(&one, "built").unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(book.len(), 12);
    assert!(book.best(Game::<Pool>::new().key()).is_some());
}
