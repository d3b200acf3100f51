//! Moves as the players of a game write them, alone and in records of games.

use super::{START, legal, position};
use mainroad::notation::moves::{self, Form};
use mainroad::rules::{Brazilian, Game, Pool, Rules, Russian};

#[track_caller]
fn check_moves<R: Rules>(text: &str, expected: &[&str]) {
    let pos = position(text);
    let mut texts: Vec<String> = legal::<R>(&pos)
        .iter()
        .map(|&mv| moves::write::<R>(&pos, mv))
        .collect();
    texts.sort_unstable();
    assert_eq!(texts, expected, "{text}");
}

#[test]
fn moves_are_written_in_the_style_of_the_game() {
    let start = [
        "a3-b4", "c3-b4", "c3-d4", "e3-d4", "e3-f4", "g3-f4", "g3-h4",
    ];
    check_moves::<Russian>(START, &start);
    check_moves::<Brazilian>(START, &start);
    let start = ["10-14", "10-15", "11-15", "11-16", "12-16", "9-13", "9-14"];
    check_moves::<Pool>("B:W21-32:B1-12", &start);
    // https://github.com/AttackingOrDefending/pydraughts issue 28: the capture may not stop on the last row.
    check_moves::<Russian>("W:Wh6:Bg7,c5,d2", &["h6:e1"]);
    check_moves::<Brazilian>("W:Wh6:Bg7,c5,d2", &["h6xf8"]);
    check_moves::<Pool>("W:Wh6:Bg7,c5,d2", &["12x3"]);
    // Pieces taken stay until the end of the move.
    check_moves::<Russian>("W:WKd4:Bb2,g7", &["d4:a1", "d4:h8"]);
}

#[test]
fn captures_that_share_their_ends_are_written_in_full() {
    let pos = "W:WKd2:Bf6,c5,e5,e3";
    let texts = ["d2:f4:d6:a3", "d2:f4:d6:b4", "d2:g5:e7:a3", "d2:g5:e7:b4"];
    check_moves::<Russian>(pos, &texts);
    let texts = ["26x16x7x17", "26x16x7x21", "26x19x10x17", "26x19x10x21"];
    check_moves::<Pool>(pos, &texts);
    // Where the king goes straight on, the square just behind the captured piece: f4, not e5 or d6.
    let pos = "W:WKh2:Bb2,d2,g3,b4,h6,c7";
    check_moves::<Russian>(pos, &["h2:a1", "h2:f4:b8", "h2:f4:c1:a3:d6:b8"]);
}

#[test]
fn moves_are_written_in_other_forms() {
    let pos = position("W:WKc1,Kf6,Kb8:BKd2,g3,a5,e5,g5,g7,f8");
    let texts = |form| {
        let moves = legal::<Russian>(&pos);
        let texts = moves
            .iter()
            .map(|&mv| moves::write_as::<Russian>(&pos, mv, form));
        let mut texts: Vec<String> = texts.collect();
        texts.sort_unstable();
        texts.join(" ")
    };
    assert_eq!(
        texts(Form::Letters),
        "b8:h2 b8:h6 c1:c7 c1:d6 c1:h2 c1:h6 f6:h4:e1:c3:f6:h8 f6:h8"
    );
    assert_eq!(
        texts(Form::HalfShort),
        "b:h2 b:h6 c:c7 c:d6 c:h2 c:h6 f6:h4:e1:c3:f6:h8 f6:h8"
    );
    assert_eq!(
        texts(Form::Numbers),
        "11x20x31x22x11x4 11x4 1x12 1x28 30x10 30x12 30x28 30x6"
    );
    let quiet = legal::<Pool>(&Pool::start())[0];
    let text = |form| moves::write_as::<Pool>(&Pool::start(), quiet, form);
    assert_eq!(
        moves::write::<Pool>(&Pool::start(), quiet),
        text(Form::Numbers)
    );
    let long = text(Form::Letters);
    let (from, to) = long.split_once('-').expect("the move is quiet");
    assert_eq!(text(Form::HalfShort), format!("{}{to}", &from[..1]));
}

#[test]
fn a_line_is_written_move_by_move() {
    let mut game = Game::<Russian>::new();
    let texts = "cd4 f6g5 B2-C3 g5h4 dc5 d6xb4 a3:c5 b6:b2 a1xc3";
    for text in texts.split(' ') {
        let mv = moves::parse::<Russian>(game.position(), text);
        game.play(mv.unwrap_or_else(|error| panic!("{error}")));
    }
    let line = moves::write_line::<Russian>(game.start(), game.moves());
    let expected = "c3-d4 f6-g5 b2-c3 g5-h4 d4-c5 d6:b4 a3:c5 b6:b2 a1:c3";
    assert_eq!(line.join(" "), expected);
    assert!(moves::write_line::<Russian>(game.start(), &[]).is_empty());
}

/// Checks what each text is read as; the texts are separated by `|`.
#[track_caller]
fn check_read<R: Rules>(pos: &str, texts: &str, expected: &str) {
    let pos = position(pos);
    for text in texts.split('|') {
        let mv = moves::parse::<R>(&pos, text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(moves::write::<R>(&pos, mv), expected, "{text}");
    }
}

/// Checks the message of each text; the texts are separated by `|`.
#[track_caller]
fn check_unread<R: Rules>(pos: &str, texts: &str, message: &str) {
    let pos = position(pos);
    for text in texts.split('|') {
        let error = moves::parse::<R>(&pos, text).expect_err(text).to_string();
        assert_eq!(error, format!("\"{}\" {message}", text.trim()));
    }
}

const UNREADABLE: &str =
    "cannot be read as a move, expected one such as c3-d4, c3:e5, 22-18 or 22x15";
const ILLEGAL: &str = "is not a legal move here";

#[test]
fn quiet_moves_are_read() {
    let letters =
        "c3-d4|c3d4|C3-D4|c3 d4| c3 - d4 |c3–d4|c3—d4|c3\u{2212}d4|c3\u{2011}d4|cd4|c-d4|cD4";
    let cyrillic = "с3-d4|С3–D4|сd4";
    let numbers = "22-18|22 18|022-18|22 - 18|22–18";
    let marks = "c3-d4!|c3-d4?!|c3-d4 !!|c3-d4(!?)|c3d4*|22-18!";
    for texts in [letters, cyrillic, numbers, marks] {
        check_read::<Russian>(START, texts, "c3-d4");
    }
    check_read::<Pool>("B:W21-32:B1-12", "9-13|09-13|b6a5|B6–A5|ba5", "9-13");
    check_read::<Pool>("W:W22:B6", "22- 18", "22-18");
    check_read::<Russian>("B:W22:B6", "6- 9", "c7-b6");
}

#[test]
fn captures_are_read() {
    let letters = "c3:e5|c3xe5|c3Xe5|c3×e5|C3:E5|c3 : e5|c:e5|c:e5!|cxe5|c3-e5|c3e5|ce5";
    let cyrillic = "с3:е5|с3хе5|С3ХЕ5";
    let numbers = "22x15|22:15|22×15|22 x 15|22-15|22x15x18";
    for texts in [letters, cyrillic, numbers] {
        let pos = "W:Wc3:Bd4,h8";
        check_read::<Russian>(pos, texts, "c3:e5");
        check_read::<Brazilian>(pos, texts, "c3xe5");
        check_read::<Pool>(pos, texts, "22x15");
    }
}

#[test]
fn long_captures_are_read() {
    // From a3 by c5 and e7 to g5.
    let pos = "W:Wa3:Bb4,d6,f6";
    let letters = "a3:g5|a3g5|a3xg5|a3:c5:e7:g5|a3c5e7g5|a3:c5:g5|a3:e7:g5|a:g5|a:e7:g5";
    let numbers = "21x16|21-16|21x14x7x16|21x14x16|21x16x17x10x11|21x16x17x10|21x16x11";
    check_read::<Russian>(pos, letters, "a3:g5");
    check_read::<Russian>(pos, numbers, "a3:g5");
    let stops_early = "a3:c5|a3:c5:e7|a:e7";
    let other_path = "a3:e7:c5:g5|a3:c5:c5:g5|a3:b4:g5|a3:e7:e5|21x16x17x18|21-16-17|b:g5";
    check_unread::<Russian>(pos, stops_early, ILLEGAL);
    check_unread::<Russian>(pos, other_path, ILLEGAL);
    // A round trip ends where it began.
    let texts = "f6:f6|f6xf6|f:f6|f6:d8:b6:d4:f6|f6:d4:b6:d8:f6|11x11|11x11x6x7x14x15";
    check_read::<Russian>("W:Wf6:Be7,c7,c5,e5", texts, "f6:f6");
    // Legal one way round only: the other way the king would have to turn on e3 or f4 and take more.
    let pos = "W:WK16:BK6,11,K17,18,24,25,26,27";
    check_read::<Pool>(pos, "16x30x21x7x16|16x16", "16x16");
    check_unread::<Pool>(pos, "16x7x21x30x16", ILLEGAL);
}

#[test]
fn unreadable_moves() {
    let incomplete = "| |?|c3|22|cd|c|c3-|-d4|c3-d|22x|a|x|-|()";
    let signs = "c3--d4|c3:-d4|c3/d4|c3-d4#|+22-18|22-+18|c3-d4 e5!?x|1. c3-d4|😀";
    let squares = "c3-d5|c3-i4|c3-d9|c3-d0|c3-d44|33-28|2218|0-4|0-1|1-0|с3-д4|22-99999999999";
    let mixed = "c3-18|22-d4|c22|c322";
    for texts in [incomplete, signs, squares, mixed] {
        check_unread::<Russian>(START, texts, UNREADABLE);
        check_unread::<Pool>(START, texts, UNREADABLE);
    }
}

#[test]
fn illegal_moves() {
    let texts = "c3-e5|c3:d4|22x18|c:d4|c3:e5|a1-b2|f6-g5|c3-c3|1-1|22-18-15|hd4";
    check_unread::<Russian>(START, texts, ILLEGAL);
    // Capture is compulsory, and is completed.
    check_unread::<Russian>("W:Wc3,h2:Bd4,h8", "c3-b4|h2-g3", ILLEGAL);
    check_unread::<Russian>("W:Wh6:Bg7,c5,d2", "h6:f8|h6:f8:b4", ILLEGAL);
}

#[test]
fn ambiguous_moves() {
    let pos = "W:WKd2:Bf6,c5,e5,e3";
    let message = "is ambiguous, expected one of d2:f4:d6:a3, d2:g5:e7:a3";
    check_unread::<Russian>(pos, "d2:a3|d2a3|d:a3|26x21|26x21x14", message);
    let message = "is ambiguous, expected one of 26x19x10x21, 26x16x7x21";
    check_unread::<Pool>(pos, "26x21|d2xa3", message);
    let texts = "d2:f4:d6:a3|d2:f4:a3|d2:d6:a3|d:d6:a3|26x19x10x21|26x21x15";
    check_read::<Russian>(pos, texts, "d2:f4:d6:a3");
    let message = "is ambiguous, expected one of c5-d4, c3-d4";
    check_unread::<Russian>("W:Wc3,Kc5:Bh8", "cd4", message);
    let message = "is ambiguous, expected one of b2:d4, b6:d4";
    check_unread::<Russian>("W:Wb2,b6:Bc3,c5", "b:d4|bd4", message);
}

// The short form is the whole path of one capture and only the ends of another: it means the first.
#[test]
fn a_full_path_is_preferred() {
    let pos = "W:WKc1,Kf6,Kb8:BKd2,g3,a5,e5,g5,g7,f8";
    check_read::<Russian>(pos, "f6:h8|f6h8|11x4|11x4x8", "f6:h8");
    let texts = "f6:h4:e1:c3:f6:h8|f6:h4:h8|f6:f6:h8|f:e1:h8|11x4x8x15";
    check_read::<Russian>(pos, texts, "f6:h4:e1:c3:f6:h8");
    let message = "is ambiguous, expected one of f6:h8, f6:h4:e1:c3:f6:h8";
    check_unread::<Russian>(pos, "f:h8|fh8", message);
}

// Move lists as they stand in game records, collected from what people paste.
#[test]
fn games_are_split_into_moves() {
    for (text, expected) in [
        ("", ""),
        ("c3-d4 f6-g5", "c3-d4|f6-g5"),
        ("1. c3-d4 f6-g5 2. b2-c3", "c3-d4|f6-g5|b2-c3"),
        ("1.c3-d4 f6-g5 2.b2-c3 1-0", "c3-d4|f6-g5|b2-c3"),
        ("1... f6-g5 2. b2-c3 *", "f6-g5|b2-c3"),
        (
            "11-15 23-19 { 0:05 (a note) } 8-11 $1 2-0",
            "11-15|23-19|8-11",
        ),
        ("1) c3-d4 f6-g5 2)b2-c3", "c3-d4|f6-g5|b2-c3"),
        ("1… f6-g5 2. b2-c3 ½-½", "f6-g5|b2-c3"),
        ("c3-d4 f6-g5 0,5-0,5", "c3-d4|f6-g5"),
        ("c3-d4 f6-g5 0.5-0.5", "c3-d4|f6-g5"),
        ("c3-d4 ) f6-g5", "c3-d4|)|f6-g5"),
        ("6- 9 22 -18 9 - 13 18x9 5 x 14", "6-9|22-18|9-13|18x9|5x14"),
        ("c3–d4 {never closed", "c3–d4|{never|closed"),
        ("22-17\n9-14\r\n 17-13 1/2-1/2", "22-17|9-14|17-13"),
    ] {
        assert_eq!(moves::split_game(text).join("|"), expected, "{text}");
    }
}
