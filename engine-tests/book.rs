//! Opening books: what is read, what is refused and how, and what is played from them.

use crate::support::{Rng, Vector, jsonl};
use mainroad::board::{Key, Position};
use mainroad::book::{
    Basis, Book, Choice, Games, compiled_in, key_of, open, parse_line, write_line,
};
use mainroad::engine::{Engine, Options, check_sources};
use mainroad::notation::{fen, moves};
use mainroad::rules::{Brazilian, Game, Pool, Rules, Russian, Variant};
use mainroad::score::Score;
use mainroad::with_rules;
use std::path::PathBuf;
use std::{fs, process};

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
    let counts = |margin, variety| {
        let mut rng = Rng(9);
        let mut counts = [0; 4];
        for _ in 0..4000 {
            let choice = Choice { margin, variety };
            let chosen = book.choose(&start, choice, rng.next());
            let known = book.moves(&start).into_iter();
            counts[known
                .map(|known| Some((known.mv, known.score?)))
                .position(|mv| mv == chosen)
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
    let unknown = start.play(book.moves(&start)[0].mv);
    assert_eq!(book.choose(&unknown, Choice::default(), 0), None);
}

#[test]
fn the_best_move_is_played_while_the_book_lasts() {
    let text = format!("{HEAD}# comment\n{START} | c3-d4 4 | g3-f4 2\n");
    let book = Book::parse::<Russian>(&text, "test").expect("it is in order");
    assert_eq!(book.len(), 1);
    let start = Russian::start();
    let best = book.best(&start).expect("it is known");
    assert_eq!(
        (
            moves::write::<Russian>(&start, best.mv).as_str(),
            best.score
        ),
        ("c3-d4", Some(Score(4)))
    );
    assert_eq!(book.moves(&start).len(), 2);
    assert_eq!(book.best(&start.play(best.mv)), None);
}

#[test]
fn books_that_ship_are_in_order() {
    for variant in Variant::ALL {
        with_rules!(variant, R => {
            let book = Book::parse::<R>(compiled_in::<R>(), "compiled in").unwrap_or_else(|error| panic!("{error}"));
            assert!(book.len() >= 300, "{variant}: {} positions", book.len());
            assert!(book.best(&R::start()).is_some(), "{variant}: the start is known");
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
    for is_ahead in [false, true] {
        let mut engine = Engine::<Russian>::default();
        for _ in 0..2 {
            if is_ahead {
                engine.open_book_ahead(&options);
            }
            assert!(engine.book_move(&options).is_err());
            assert!(
                engine
                    .book_move(&options)
                    .expect("it has been said")
                    .is_none()
            );
            engine.forget_book();
        }
    }
}

/// A pipe would be waited for: a game of a folder's books may be one though another is in order.
#[cfg(unix)]
#[test]
fn books_are_regular_files() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("pipe-{}", process::id()));
    fs::create_dir_all(&folder).expect("it can be made");
    let pipe = folder.join("russian.book");
    let made = process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo is there").success());
    for choice in [&folder, &pipe, &PathBuf::from("/dev/zero")] {
        let error = open::<Russian>(&choice.display().to_string()).expect_err("it is no book");
        let text = error.to_string();
        assert!(text.ends_with(": expected a regular file"), "{text}");
    }
    fs::remove_dir_all(&folder).expect("it is there");
}

/// What is being opened when another book is chosen is not played from.
#[test]
fn a_book_opened_ahead_is_that_of_the_options() {
    let with = |book: &str| Options {
        book: book.to_owned(),
        ..Options::default()
    };
    let (full, none) = (with("true"), with("none"));
    let mut engine = Engine::<Russian>::default();
    for (first, second, is_known) in [(&full, &none, false), (&none, &full, true)] {
        engine.forget_book();
        engine.open_book_ahead(first);
        engine.forget_book();
        engine.open_book_ahead(second);
        engine.open_book_ahead(second);
        let found = engine.book_move(second).expect("it can be read");
        assert_eq!(found.is_some(), is_known, "{}", second.book);
    }
}

#[track_caller]
/// Where an option names a book there must be one; what is there and is none is named with its fault. Only beginnings are looked at.
#[test]
fn bad_books_are_named_when_they_are_chosen() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("book-{}", process::id()));
    fs::create_dir_all(folder.join("books.book")).expect("it can be made");
    let head = "expected the head line \"mainroad-book 1\" with the name of a game";
    let comments = "# a comment\n".repeat(500);
    for (name, text, expected) in [
        ("good", HEAD, Ok(())),
        ("marked", &format!("\u{feff}{HEAD}"), Ok(())),
        ("commented", &format!("{comments}{HEAD}"), Ok(())),
        ("empty", "", Err(format!("line 1: {head}"))),
        (
            "moves",
            "# so\n\n1. c3-d4\n",
            Err(format!("line 3: {head}")),
        ),
        (
            "newer",
            "mainroad-book 2 russian\n",
            Err(format!("line 1: {head}")),
        ),
        (
            "other",
            "mainroad-books 1\n",
            Err(format!("line 1: {head}")),
        ),
    ] {
        for name in [name.to_owned(), format!("{name}.books/pool.book")] {
            let path = folder.join(name);
            let parent = path.parent().expect("it has one");
            fs::create_dir_all(parent).expect("it can be made");
            fs::write(&path, text).expect("it can be written");
            let chosen = if parent == folder { &path } else { parent };
            let options = Options {
                book: chosen.display().to_string(),
                ..Options::default()
            };
            let expected = expected.clone();
            let expected =
                expected.map_err(|fault| format!("bad book: {}: {fault}", path.display()));
            assert_eq!(check_sources(&Options::default(), &options), expected);
        }
    }
    let _ = fs::remove_dir_all(&folder);
}

fn position(text: &str) -> Position {
    fen::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Returns what is chosen from one line, as text, whatever the random number.
#[track_caller]
fn chosen(line: &str, margin: i32) -> Vec<String> {
    let text = format!("{HEAD}{line}\n");
    let book = Book::parse::<Russian>(&text, "test").unwrap_or_else(|error| panic!("{error}"));
    let pos = book.entries()[0].pos;
    let mut rng = Rng(1);
    let mut chosen: Vec<String> = (0..200)
        .filter_map(|_| {
            let choice = Choice {
                margin,
                variety: 100,
            };
            let (mv, _) = book.choose(&pos, choice, rng.next())?;
            Some(moves::write::<Russian>(&pos, mv))
        })
        .collect();
    chosen.sort();
    chosen.dedup();
    chosen
}

/// What rests on one search is not played, nor compared with less than it seems to be worth; what loses by proof is never played.
#[test]
fn estimates_and_losses_are_not_played() {
    let line = |moves: &str| format!("{START} | {moves}");
    assert_eq!(
        chosen(&line("c3-d4 4, g3-f4 ~4, e3-d4 2"), 2),
        ["c3-d4", "e3-d4"]
    );
    assert_eq!(chosen(&line("c3-d4 ~5, g3-f4 4"), 0), [""; 0]);
    assert_eq!(chosen(&line("c3-d4 ~5, g3-f4 4"), 1), ["g3-f4"]);
    assert_eq!(
        chosen(&line("c3-d4 4!, g3-f4 4#, e3-d4 +1=2-3"), 100),
        ["c3-d4", "g3-f4"]
    );
    assert_eq!(chosen(&line("c3-d4 -9990#, g3-f4 -9991#"), 100), [""; 0]);
    assert_eq!(chosen(&line("c3-d4 -8990#, g3-f4 -9990"), 100), [""; 0]);
    assert_eq!(chosen(&line("c3-d4 +1=2-3"), 100), [""; 0]);
    assert_eq!(chosen(&line("c3-d4 9990#, g3-f4 9989#"), 0), ["c3-d4"]);
}

/// A position is found with its colours exchanged too, and its moves are turned round with it.
#[test]
fn colours_may_be_exchanged() {
    fn check<R: Rules>(text: &str) {
        let pos = position(text);
        let line = format!("{text} | ");
        let game = Game::<R>::from_position(pos);
        for mv in game.legal_moves() {
            let head = format!(
                "mainroad-book 1 {}\n",
                <R::Movement as mainroad::rules::Movement>::NAME
            );
            let written = moves::write::<R>(&pos, mv);
            let book = Book::parse::<R>(&format!("{head}{line}{written} 7\n"), "test")
                .unwrap_or_else(|error| panic!("{error}"));
            let mirror = pos.flipped();
            let (turned, score) = book
                .choose(&mirror, Choice::default(), 0)
                .expect("it is known");
            assert_eq!(score, Score(7));
            assert_eq!(pos.play(mv).flipped(), mirror.play(turned), "{written}");
            assert_eq!(key_of(&pos), key_of(&mirror));
            assert_ne!(Key::of(&pos), Key::of(&mirror));
        }
    }
    check::<Russian>("W:W21-32:B1-12");
    check::<Russian>("W:WKd4:Bb2,g7");
    check::<Russian>("W:Wd6,e3:Bc7,e7,f6,h8");
    check::<Brazilian>("B:W18,22,K5:B9,10,14");
    check::<Pool>("B:W21-32:B1-12");
}

/// Both of a position and its mirror image cannot be in a book.
#[test]
fn the_mirror_image_is_the_same_position() {
    check_fault(
        &format!("{HEAD}W:W21-32:B1-12 | c3-d4 1\nB:W21-32:B1-12 | f6-e5 1\n"),
        "line 3: the position was given before",
    );
}

#[test]
fn marks_are_named_when_they_are_wrong() {
    let fault = |moves: &str, expected: &str| {
        check_fault(&format!("{HEAD}{START} | {moves}\n"), expected);
    };
    fault("c3-d4 ~", "expected a whole number");
    fault("c3-d4 4!!", "expected a whole number");
    fault("c3-d4 -2147483648", "expected a score within");
    fault("c3-d4 4 +1=2", "expected results of games");
    fault("c3-d4 4 +1=2-x", "expected results of games");
    fault("c3-d4 4 +1=2-3 5", "expected a move, a score and results");
    fault("c3-d4 4,", "cannot be read as a move");
    fault("c3-d4 +1=2-3, g3-f4 4", "falling order");
    check_fault(
        &format!("{HEAD}{START} d1x | c3-d4 1\n"),
        "expected a depth such as d12",
    );
    check_fault(
        &format!("{HEAD}{START} d99999 | c3-d4 1\n"),
        "expected a depth such as d12",
    );
    // A capture is due.
    check_fault(
        &format!("{HEAD}W:Wc3,a1:Bd4 | a1-b2 1\n"),
        "is not a legal move",
    );
}

/// What is written is read as the same, whatever is known of a move; comments stay where they are.
#[test]
fn books_are_written_as_they_were_read() {
    let text = "# one\n# two\nmainroad-book 1 russian\n# above\n\
        Wbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww d12 | c3-d4 4 +31=40-12, g3-f4 ~2, e3-d4 0#, a3-b4 -1!, g3-h4 +0=1-0\n\
        Bbbbbbbbbbbbbeeeeeweewwewwwwwwwww d9 | f6-g5 ~-3#!\n";
    let book = Book::parse::<Russian>(text, "test").unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(
        book.write::<Russian>().replace("~-3#!", "-3#!"),
        text.replace("~-3#!", "-3#!"),
    );
    let first = &book.entries()[0];
    assert_eq!(
        (first.depth, first.notes.len(), book.head.len()),
        (Some(12), 1, 2)
    );
    let bases: Vec<Basis> = first.moves.iter().map(|known| known.basis).collect();
    assert_eq!(
        bases,
        [
            Basis::Tree,
            Basis::Search,
            Basis::Tree,
            Basis::Hand,
            Basis::Tree
        ]
    );
    let games = Games {
        won: 31,
        drawn: 40,
        lost: 12,
    };
    assert_eq!((first.moves[0].games, games.count()), (games, 83));
    for line in text.lines().filter(|line| line.starts_with("Wbb")) {
        let entry = parse_line::<Russian>(line).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(write_line::<Russian>(&entry), line);
    }
}

/// One line that is bad does not hide the next.
#[test]
fn all_faults_of_a_book_are_found() {
    let text = format!("{HEAD}nonsense | c3-d4 1\n{START} | c3-d4 1\n{START} | g3-f4 1\n");
    let (book, faults) = Book::parse_all::<Russian>(&text, "test");
    let lines: Vec<String> = faults.iter().map(ToString::to_string).collect();
    assert_eq!(book.len(), 1);
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines[0].starts_with("test: line 2: ") && lines[1].starts_with("test: line 4: "));
}

/// Moves are read in any spelling, those that two captures share by all their squares.
#[test]
fn moves_of_books_are_read_in_any_spelling() {
    let entry = parse_line::<Russian>("W:WKd4:Bb2,g7 | d4:h8 3 | d4xa1 2").expect("it is in order");
    assert_eq!(entry.moves.len(), 2);
    let pool = parse_line::<Pool>("B:W21-32:B1-12 | 11-15 1, 09-13 0").expect("it is in order");
    assert_eq!(
        write_line::<Pool>(&pool).split('|').next_back(),
        Some(" 11-15 1, 9-13 0")
    );
    check_spellings::<Russian>("rules-russian.jsonl");
    check_spellings::<Pool>("rules-pool.jsonl");
    check_spellings::<Brazilian>("rules-brazilian.jsonl");
}

/// Every move of hard positions is the same after it was written and read.
#[track_caller]
fn check_spellings<R: Rules>(file: &str) {
    let vectors: Vec<Vector> = jsonl(file);
    let mut checked = 0;
    for vector in vectors {
        let pos = position(&vector.fen);
        for mv in Game::<R>::from_position(pos).legal_moves() {
            let written = moves::write::<R>(&pos, mv);
            let entry = parse_line::<R>(&format!("{} | {written} 1", vector.fen))
                .unwrap_or_else(|error| panic!("{}: {error}", vector.id));
            assert_eq!(entry.moves[0].mv, mv, "{}: {written}", vector.id);
            checked += 1;
        }
    }
    assert!(checked > 100, "{checked}");
}
