//! Opening books: what is read, what is refused and how, and that the ones that ship can be made again.

use mainroad::board::Key;
use mainroad::book::{Book, compiled_in, open};
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
