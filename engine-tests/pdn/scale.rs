//! Large inputs: any size, time that grows no faster, games that are too large. For memory see `files`: other tests run in this process.

use super::{faults, read};
use crate::support::amount;
use mainroad::notation::pdn::{Game, Reader, write};
use std::io::{self, BufReader, Read};
use std::iter::repeat_n;
use std::time::{Duration, Instant};

/// A text that is repeated, without being in memory more than once.
struct Repeated {
    text: &'static [u8],
    left: usize,
    at: usize,
}

impl Repeated {
    fn new(text: &'static str, times: usize) -> Self {
        Self {
            text: text.as_bytes(),
            left: times,
            at: 0,
        }
    }
}

impl Read for Repeated {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 {
            return Ok(0);
        }
        let length = buffer.len().min(self.text.len() - self.at);
        buffer[..length].copy_from_slice(&self.text[self.at..self.at + length]);
        self.at += length;
        if self.at == self.text.len() {
            self.at = 0;
            self.left -= 1;
        }
        Ok(length)
    }
}

const GAME: &str = include_str!("../pdn-quirks/03_crlf.pdn");

/// Every game is read, whatever the borders between what is read at once.
#[test]
fn every_border_falls_everywhere() {
    for size in (1..40).chain([4096, 1 << 16]) {
        let input = BufReader::with_capacity(size, Repeated::new(GAME, 30));
        let games: Vec<Game> = Reader::new(input, None)
            .map(|game| game.expect("no error"))
            .collect();
        assert_eq!(games.len(), 30, "{size}");
        for (index, game) in games.iter().enumerate() {
            assert_eq!(
                (game.faults.len(), game.main.moves.len()),
                (0, 21),
                "{size}"
            );
            assert_eq!(game.line, 1 + 10 * index, "{size}");
        }
    }
}

/// Many times as much as is ever in memory. `MAINROAD_PDN_MIB` asks for more.
#[test]
fn files_of_any_size() {
    let times = (amount("MAINROAD_PDN_MIB", 8) << 20) / GAME.len();
    let input = BufReader::with_capacity(1 << 16, Repeated::new(GAME, times));
    let games = Reader::new(input, None).map(|game| game.expect("no error"));
    let (mut plies, mut last) = (0, Game::default());
    for game in games {
        plies += game.main.moves.len();
        last = game;
    }
    assert_eq!(plies, times * 21);
    assert_eq!((last.number, last.line), (times, 1 + 10 * (times - 1)));
}

/// An error of the input ends reading, behind the games before it.
#[test]
fn errors_of_the_input() {
    struct Broken(usize);
    impl Read for Broken {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.0 += 1;
            match self.0 {
                1 => Err(io::ErrorKind::Interrupted.into()),
                2 => GAME.as_bytes().read(buffer),
                _ => Err(io::Error::other("broken")),
            }
        }
    }
    let mut games = Reader::new(BufReader::new(Broken(0)), None);
    let first = games
        .next()
        .expect("a game was read")
        .expect("before the error");
    assert_eq!(first.main.moves.len(), 21);
    let error = games.next().expect("it is told").expect_err("broken");
    assert_eq!(error.to_string(), "broken");
    assert!(games.next().is_none());
}

/// What is too large is named, and skipped up to the next tag.
#[test]
fn games_that_are_too_large() {
    let next = "\n[Event \"next\"]\n1. c3-d4 *\n";
    for filler in [
        "{", "x ", "1. ", "((", "[ ", "\"", "$1 ", ") ", "{}", "; \n", "%\n",
    ] {
        for head in ["", "[Event \"x\"]\n"] {
            let text: String = repeat_n(filler, (17 << 20) / filler.len()).collect();
            let started = Instant::now();
            let games = read(format!("{head}{text}{next}"));
            assert!(started.elapsed() < Duration::from_mins(1), "{filler}");
            let last = games.last().expect("it is read");
            let read = (last.tag("Event"), last.main.moves.len());
            assert_eq!(read, (Some("next"), 1), "{filler}");
            let first = faults(&games[0]);
            let is_named = |kind| first.iter().any(|fault| fault.0 == kind);
            assert!(
                is_named("too-large") || is_named("more"),
                "{filler}: {first:?}"
            );
            assert!(first.len() <= 101, "{filler}");
        }
    }
    // Blanks are nothing, however many.
    for filler in ["\n", "\0", " \r\n"] {
        let text: String = repeat_n(filler, (17 << 20) / filler.len()).collect();
        let games = read(format!("{text}{next}"));
        assert_eq!((games.len(), games[0].faults.len()), (1, 0), "{filler:?}");
    }
}

/// Of a game without an end no more is read than its limit, whatever it is that does not end.
#[test]
fn no_more_is_read_than_a_game() {
    for (head, filler) in [
        ("", b'x'),
        ("$", b'1'),
        ("(", b'!'),
        ("; ", b'x'),
        ("/", b' '),
        ("/FEN", b' '),
        ("[", b' '),
        ("[Event", b' '),
        ("[Event \"", b'x'),
        ("[Event \"x\"", b' '),
        ("{", b'x'),
        ("{\n[", b'a'),
        ("{\n[a", b' '),
    ] {
        let mut rest = io::repeat(filler).take(40 << 20);
        let input = BufReader::new(head.as_bytes().chain(&mut rest));
        let game = Reader::new(input, None).next();
        assert!(game.is_some_and(|game| game.is_ok()), "{head}");
        assert!(rest.limit() > 23 << 20, "{head}: {} left", rest.limit());
    }
}

/// A comment that is longer than a game may be is called that, be it closed or not; one within the limit is read.
#[test]
fn comments_that_are_too_long() {
    let next = "\n\n[Event \"next\"]\n1. c3-d4 *\n";
    for (mib, end, kinds) in [
        (15, "}", &[][..]),
        (15, "", &["open-comment"]),
        (17, "}", &["long-comment", "too-large"]),
        (17, "", &["long-comment", "too-large"]),
    ] {
        let text = format!(
            "[Event \"x\"]\n1. c3-d4 {{{}{end} b6-a5{next}",
            "x\n".repeat(mib << 19)
        );
        let games = read(text);
        let named: Vec<&str> = faults(&games[0]).iter().map(|fault| fault.0).collect();
        assert_eq!(named, kinds, "{mib} MiB {end}");
        assert_eq!(games.len(), 2, "{mib} MiB {end}");
        assert_eq!(games[1].tag("Event"), Some("next"), "{mib} MiB {end}");
    }
}

/// Looking ahead does not add up, whatever is not closed.
#[test]
fn time_is_linear() {
    for filler in [
        "{{}* ",
        "{\n\n[Event \"x\"]\n",
        "{ {\n",
        "[Event \"",
        "[Event \"x\\\"]\n",
        "(c3-d4 ",
        "{a\n[b \"c\"]\n",
        "c3-d4 {{} b6-a5 (",
        "1.1.1.1.",
        "x - x - ",
        "3- - ",
        "* ",
        "\u{a0}",
        "\r",
        "[\r[",
        "/FEN ",
        "c3: ",
        "22 - ",
        "c3:c3 :",
        "0:02 ",
        "c3-d4 0:02 ",
        "d4 c5 ",
        "[a \"b\"]\n[A \"c\"]\n",
    ] {
        check_time(filler, repeat_n(filler, (1 << 20) / filler.len()).collect());
    }
    // Tags that could each begin another game.
    let tags = |gap: &str| {
        let tags: Vec<String> = (0..200_000).map(|n| format!("[a{n} \"\"]")).collect();
        tags.join(gap)
    };
    check_time("[a0 \"\"]", tags("\n\n"));
    check_time("[a0 \"\"]{}", tags("{}"));
    // Words that could each be a result, and what comes behind the last of them.
    let words = "(2-1) ".repeat(100_000);
    check_time("(2-1)", format!("c3-d4 {words}{}", "{} ".repeat(200_000)));
}

#[track_caller]
fn check_time(what: &str, text: String) {
    let started = Instant::now();
    for game in read(text) {
        write(&game, None);
    }
    assert!(started.elapsed() < Duration::from_secs(20), "{what}");
}
