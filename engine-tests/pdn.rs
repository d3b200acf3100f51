//! Files of games: taken apart, and written.

use mainroad::board::Side;
use mainroad::notation::fen;
use mainroad::notation::pdn::{Writer, games};

/// Forms from the PDN 3.0 standard and from files in use: tags in odd forms, comments over several lines, nested variations, `%` lines.
#[test]
fn files_are_taken_apart() {
    let text = "\u{feff}[Event \"a \\\"b\\\" c\"]\n[White  \"X\" ]\n\n1. c3-d4 {a comment with [brackets]\n[Event \"not a tag\"] and (this)} d6-c5\n\
                (1... b6-a5 (1... b6-c5 {)}) 2. b2-c3) 2. b2-c3 1-0\n% a remark\n\n[Event \"second\"]\n2. a3-b4 *\n\n";
    let read = games(text.trim_start_matches('\u{feff}'));
    assert_eq!(read.len(), 2);
    assert_eq!(read[0].tag("event"), Some("a \"b\" c"));
    assert_eq!(read[0].tag("White"), Some("X"));
    assert_eq!(read[0].tag("Black"), None);
    let words: Vec<&str> = read[0].text.split_whitespace().collect();
    assert_eq!(
        words.join(" "),
        "1. c3-d4 {a comment with [brackets] [Event \"not a tag\"] and (this)} d6-c5 2. b2-c3 1-0"
    );
    assert_eq!((read[0].line, read[1].line), (1, 9));
    assert_eq!(read[1].text.trim(), "2. a3-b4 *");
    assert_eq!(games(""), []);
    assert_eq!(games("c3-d4").len(), 1);
}

/// An unclosed comment or variation spoils its own game only as far as it must, and nothing panics.
#[test]
fn broken_files_are_read() {
    for text in [
        "{",
        "(",
        ")",
        "}",
        "[",
        "[]",
        "[a",
        "[a]",
        "[a \"",
        "{}}",
        "((x)",
        "[Event \"x\"]\n(1. a\n[Event \"y\"]\n1. b",
    ] {
        games(text);
    }
    let read = games("[Event \"x\"]\n(1. a\n[Event \"y\"]\n1. b");
    assert_eq!(read.len(), 2, "a tag ends what was not closed");
}

#[track_caller]
fn check(position: &str, first: Side, moves: &[&str], written: &str) {
    let start = fen::parse(position).expect("the position is right");
    let mut writer = Writer::new(&start, first);
    writer.tag("Event", "a \"b\"\nc");
    for text in moves {
        writer.mv(text);
    }
    writer.comment("said {so}");
    let text = writer.finish("*");
    assert_eq!(
        text,
        format!("[Event \"a \\\"b\\\" c\"]\n\n{written} {{said (so)}} *\n\n")
    );
    let read = games(&text);
    assert_eq!(read.len(), 1);
    assert_eq!(read[0].tag("Event"), Some("a \"b\" c"));
}

#[test]
fn games_are_written() {
    check(
        "W:W25,26:B1,2",
        Side::White,
        &["a1-b2", "b8-a7", "b2-a3"],
        "1. a1-b2 b8-a7 2. b2-a3",
    );
    check(
        "B:W25,26:B1,2",
        Side::White,
        &["b8-a7", "a1-b2", "a7-b6"],
        "1... b8-a7 2. a1-b2 a7-b6",
    );
    check(
        "B:W25,26:B1,2",
        Side::Black,
        &["1-5", "25-21", "5-9"],
        "1. 1-5 25-21 2. 5-9",
    );
}
