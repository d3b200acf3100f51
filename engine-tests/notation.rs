//! Positions, moves and pictures as text: what is read, what is refused and why.

use mainroad::board::{MoveList, Position, Square};
use mainroad::notation::diagram::{self, Labels};
use mainroad::notation::fen;
use mainroad::notation::hub::{self, Numbering};
use mainroad::notation::moves::{self, Form};
use mainroad::rules::{Brazilian, Game, Pool, Rules, Russian, legal_moves};
use proptest::prelude::*;

/// The start position of the games in which White begins.
const START: &str = "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12";
const HUB_START: &str = "Wbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww";

#[track_caller]
fn position(text: &str) -> Position {
    fen::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn legal<R: Rules>(pos: &Position) -> MoveList {
    let mut moves = MoveList::new();
    legal_moves::<R>(pos, &mut moves);
    moves
}

// FEN

#[track_caller]
fn check_fen(texts: &[&str], expected: &str) {
    for text in texts {
        assert_eq!(fen::write(&position(text)), expected, "{text}");
    }
}

#[track_caller]
fn check_bad_fen(text: &str, message: &str) {
    let error = fen::parse(text).expect_err(text);
    assert_eq!(error.to_string(), message, "{text}");
}

#[test]
fn fen_is_read_as_it_is_written() {
    for text in [START, "W:W21,K30:B1,2", "B:WK1,K2:B", "W:W:B1", "B:W:B"] {
        check_fen(&[text], text);
    }
}

#[test]
fn fen_of_numbers() {
    let forms = [
        "W:WK30,21:B2,1",
        "W:B1,2:W21,K30",
        "w:w21,k30:b1,2",
        "W:W021,K30:B01,002",
        "W:WК30,21:В1,2", // Cyrillic К and В
        "W:W21,K30,:B,1,,2",
    ];
    check_fen(&forms, "W:W21,K30:B1,2");
}

#[test]
fn fen_of_letters() {
    let forms = [
        "B:Wc3,Kd4:Bf6",
        "B:WC3,KD4:BF6",
        "b:wc3,kd4:bf6",
        "B:Bf6:WKd4,c3",
        "B:Wс3,Kd4:Bf6",                   // Cyrillic с
        "B:W\u{421}3,\u{41A}d4:\u{412}f6", // Cyrillic С, К, В
    ];
    check_fen(&forms, "B:WK18,22:B11");
    check_fen(&["W:Wа3,е3:Bс5"], "W:W21,23:B14"); // Cyrillic а, е, с
}

#[test]
fn fen_ranges() {
    let forms = [
        "W:W21-32:B1-12",
        "W:W21–32:B1 - 12",
        "W:Wa1-g3:Bb8-h6",
        "W:Wa3-g1:Bb6-h8",
    ];
    check_fen(&forms, START);
    check_fen(&["B:WK1-K4:B5-6", "B:WK1-4:B5-6"], "B:WK1,K2,K3,K4:B5,6");
    check_fen(&["B:WK1-2,K3-3,K4:B5-6"], "B:WK1,K2,K3,K4:B5,6");
}

#[test]
fn fen_with_blanks_and_wrapping() {
    let forms = [
        "  W:W21,K30:B1,2\r\n",
        "W : W 21, K30 : B 1 , 2",
        "W:W21 K 30:B1 2",
        "W:W21,K30:B1,2.",
        "W:W21,K30.:B1,2. ",
        "\"W:W21,K30:B1,2\"",
        "'W:W21,K30:B1,2.'",
        "“W:W21,K30:B1,2”",
        "«W:W21,K30:B1,2»",
        "\u{FEFF}W:W21,K30:B1,2",
        "[FEN \"W:W21,K30:B1,2\"]",
        "[fen  \"W:W21,K30:B1,2.\" ]",
        "/FEN \"W:W21,K30:B1,2\"/",
        "FEN: W:W21,K30:B1,2",
    ];
    check_fen(&forms, "W:W21,K30:B1,2");
}

#[test]
fn fen_among_other_tags() {
    let forms = [
        "[SetUp \"1\"] [FEN \"W:W21,K30:B1,2\"]",
        "[SetUp \"1\"][FEN \"W:W21,K30:B1,2.\"][Result \"*\"]",
        "[FEN \"W:W21,K30:B1,2\"]\n[SetUp \"1\"]\n",
        "[Event \"a [b] \\\"c\\\" d]e: 12:30\"] [fen\t\"W:W21,K30:B1,2\" ] [ GameType \"23\" ]",
        "\"[SetUp “1”] [FEN “W:W21,K30:B1,2”]\"",
        "'[SetUp \"1\"] [FEN 'W:W21,K30:B1,2']'",
        "\u{FEFF}[Date \"????.??.??\"] [FEN \"W:Wa3,Kc1:Bb8,d8\"]",
    ];
    check_fen(&forms, "W:W21,K30:B1,2");
    check_bad_fen(
        "[SetUp \"1\"] [FEN \"W:W33:B1\"]",
        "\"33\" is not a dark square, expected 1 to 32 or letters such as c3, kings with K",
    );
    check_bad_fen(
        "[SetUp \"1\"] [FEN \"\"]",
        "the position is empty, expected one such as W:W21,K30:B1,2",
    );
    // What is not all tags, or not one position, is not guessed at.
    for text in [
        "[SetUp \"1\"]",
        "[SetUp \"1\"] [FEN \"W:W21:B1\"] 1. a3-b4",
        "[FEN \"W:W21:B1\"] [FEN \"W:W22:B1\"]",
        "[SetUp \"1\"] [FEN \"W:W21:B1\"",
        "[SetUp 1] [FEN \"W:W21:B1\"]",
    ] {
        fen::parse(text).expect_err(text);
    }
}

// As lidraughts writes them: half moves since progress, move number, and for some games more.
#[test]
fn fen_with_counters() {
    let forms = [
        "W:W21,K30:B1,2:H0:F1",
        "W:W21,K30:B1,2:H12:F34:+0+0",
        "W:W21,K30:B1,2:0:1",
        "W:W21,K30:B1,2:",
        "W:W21,K30:B1,2:H0:F1.",
        "W:H0:F1:W21,K30:B1,2",
    ];
    check_fen(&forms, "W:W21,K30:B1,2");
}

#[test]
fn fen_may_be_the_text_of_hub() {
    check_fen(&[HUB_START, "\"Wbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww\""], START);
    check_bad_fen(
        "Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww",
        "the position has 51 characters, expected 33: the side to move and 32 squares",
    );
}

#[test]
fn bad_fen() {
    check_bad_fen(
        "",
        "the position is empty, expected one such as W:W21,K30:B1,2",
    );
    check_bad_fen(
        " \"\" ",
        "the position is empty, expected one such as W:W21,K30:B1,2",
    );
    check_bad_fen(
        "?:W29,13:B22",
        "the side to move is left open by \"?\", expected W or B",
    );
    check_bad_fen("W1,2:B5", "the side to move is \"W1,2\", expected W or B");
    check_bad_fen(":W1:B5", "the side to move is \"\", expected W or B");
    check_bad_fen("start", "the side to move is \"start\", expected W or B");
    let no_white = "the pieces of White are missing, expected a part that begins with W";
    for text in ["W:B1", "W", "B::", "W:21:B1", "W:c3:Bf6"] {
        check_bad_fen(text, no_white);
    }
    check_bad_fen(
        "W:W21",
        "the pieces of Black are missing, expected a part that begins with B",
    );
    check_bad_fen(
        "W:W21:W22",
        "the pieces of White are given twice, expected one list",
    );
    check_bad_fen(
        "W:W21:B1:X",
        "\"X\" is no part of a position, expected W or B and squares",
    );
    check_bad_fen(
        "W:21,22:B1",
        "\"21,22\" is no part of a position, expected W or B and squares",
    );
}

#[test]
fn bad_fen_squares() {
    for name in [
        "33",
        "0",
        "45",
        "a2",
        "i1",
        "a9",
        "c33",
        "3c",
        "K",
        "KK5",
        "x",
        "21;22",
        "-3",
        "+3",
        "5-",
        "²",
        "٣",
        "Q5",
        "99999999999999999999",
    ] {
        let expected = format!(
            "\"{name}\" is not a dark square, expected 1 to 32 or letters such as c3, kings with K"
        );
        if name == "21;22" {
            // The first square is read before the mark behind it.
            let expected = expected.replace("21;22", ";22");
            check_bad_fen(&format!("W:W{name},25:B12"), &expected);
        } else {
            check_bad_fen(&format!("W:W{name},25:B12"), &expected);
        }
    }
    // Numbers behind the position are no more pieces.
    for (list, item) in [("1,2 12 3", "2 12 3"), ("1 2,3", "1 2"), ("1,2 3", "2 3")] {
        let expected = format!(
            "\"{item}\" is not a dark square, expected 1 to 32 or letters such as c3, kings with K"
        );
        check_bad_fen(&format!("W:W21,22:B{list}"), &expected);
    }
    for range in ["12-1", "5-K8", "K8-K5", "h8-b8"] {
        let expected = format!("\"{range}\" is not a range, expected one such as 1-12 or K1-K4");
        check_bad_fen(&format!("B:W:B{range}"), &expected);
    }
    for (text, item) in [
        ("W:Wc3,22:B1", "22"),
        ("W:Wc3:B1", "1"),
        ("W:Wa1:b8", "8"),
        ("W:W21-g3:B1", "21-g3"),
    ] {
        let expected = format!(
            "\"{item}\" mixes the two ways to name squares, expected only numbers or only letters"
        );
        check_bad_fen(text, &expected);
    }
}

#[test]
fn bad_placements() {
    check_bad_fen("W:W21,21:B1", "square 21 holds two pieces");
    check_bad_fen("W:W21,K21:B1", "square 21 holds two pieces");
    check_bad_fen("W:W21:BK21", "square 21 holds two pieces");
    check_bad_fen("W:W20-22:B9-20", "square 20 holds two pieces");
    check_bad_fen(
        "W:W3:B9",
        "a White man stands on its promotion row, square 3",
    );
    check_bad_fen(
        "W:W21:B30",
        "a Black man stands on its promotion row, square 30",
    );
    check_bad_fen(
        "W:W20-32:B1",
        "White has 13 pieces, at most 12 are possible",
    );
}

#[track_caller]
fn check_faults(text: &str, expected: &[&str]) {
    let faults = fen::parse_all(text).expect_err(text);
    assert_eq!(fen::parse(text).as_ref(), Err(&faults[0]), "{text}");
    let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
    let is_as_expected = faults.len() == expected.len()
        && faults
            .iter()
            .zip(expected)
            .all(|(fault, part)| fault.contains(part));
    assert!(is_as_expected, "{text}: {faults:#?}");
}

#[test]
fn every_fault_is_named_once() {
    check_faults(
        "W:W21:B1:W:B:X:Y",
        &[
            "White are given twice",
            "Black are given twice",
            "\"X\"",
            "\"Y\"",
        ],
    );
    check_faults(
        "Q:W1,33,x,5-2,33,c3,6:X",
        &[
            "the side to move is \"Q\"",
            "a White man stands on its promotion row, square 1",
            "\"33\" is not",
            "\"x\" is not",
            "\"5-2\" is not a range",
            "\"c3\" mixes",
            "\"X\" is no part",
            "the pieces of Black are missing",
        ],
    );
    // A text that does not begin like a position has no faults inside.
    check_faults("start", &["the side to move is \"start\""]);
    check_faults("W", &["White are missing", "Black are missing"]);
    check_faults("", &["empty"]);
    check_faults(
        "W:W5,K5-6,5:B6,30-31,K30",
        &[
            "square 5 holds two",
            "square 6 holds two",
            "a Black man stands on its promotion row, square 30",
            "a Black man stands on its promotion row, square 31",
            "square 30 holds two",
        ],
    );
    check_faults(
        "W:WK1-K13,3:B20-32,Kd4",
        &[
            "square 3 holds two",
            "White man stands on its promotion row, square 3",
            "row, square 29",
            "row, square 30",
            "row, square 31",
            "row, square 32",
            "\"Kd4\" mixes",
            "White has 14 pieces",
            "Black has 13 pieces",
        ],
    );
    // Cyrillic look-alikes, tags and blanks are read as they are without a fault.
    check_faults(
        "[SetUp \"1\"] [FEN \"W:Wа3, c9 :В i1,е3\"]",
        &["\"c9\"", "\"i1\""],
    );
    check_faults(
        "WwweeeeeeeeeeeeeeeeeeeeeeeeeeebbW",
        &["square 1", "square 2", "square 30", "square 31"],
    );
    check_faults(
        "ewwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww",
        &[
            "side to move is 'e'",
            "square 1",
            "square 2",
            "square 3",
            "square 4",
            "White has 32 pieces",
        ],
    );
    check_faults("Wbbbw", &["5 characters"]);
}

// A message stays on one line and repeats no more than the beginning of a text.
#[test]
fn errors_are_short() {
    let text = format!("W:W\"1\n2{}:B1", "7".repeat(300));
    let error = fen::parse(&text).expect_err("the text is bad").to_string();
    assert!(error.starts_with("\"'1 27777"), "{error}");
    assert!(error.contains("77…\" is not a dark square"), "{error}");
    assert!(error.len() < 150, "{error}");
}

#[test]
fn fen_is_written_in_letters() {
    assert_eq!(
        fen::write_letters(&position("W:WK18,22:B11")),
        "W:Wc3,Kd4:Bf6"
    );
    assert_eq!(fen::write_letters(&position("B:W:BK1")), "B:W:BKb8");
    let start = "W:Wa1,c1,e1,g1,b2,d2,f2,h2,a3,c3,e3,g3:Bb6,d6,f6,h6,a7,c7,e7,g7,b8,d8,f8,h8";
    assert_eq!(fen::write_letters(&Russian::start()), start);
}

// Positions and moves of Hub

#[test]
fn hub_positions() {
    for (text, expected) in [
        (HUB_START, START),
        ("BWeeeeeeeeeeeeeeeeeeeeeeeeeeewBee", "B:WK1,29:BK30"),
        ("Weeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee", "W:W:B"),
    ] {
        let pos = hub::parse_position(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(fen::write(&pos), expected);
        assert_eq!(hub::write_position(&pos), text);
    }
}

#[test]
fn bad_hub_positions() {
    let empty = "e".repeat(28);
    for (text, message) in [
        (
            "",
            "the position has 0 characters, expected 33: the side to move and 32 squares",
        ),
        (
            " W",
            "the position has 2 characters, expected 33: the side to move and 32 squares",
        ),
        (
            &format!("weeee{empty}"),
            "the side to move is 'w', expected W or B",
        ),
        (
            &format!("Weéee{empty}"),
            "square 2 holds 'é', expected one of w, b, W, B and e",
        ),
        (
            &format!("Weewe{empty}"),
            "a White man stands on its promotion row, square 3",
        ),
        (
            &format!("W{}", "W".repeat(32)),
            "White has 32 pieces, at most 12 are possible",
        ),
    ] {
        let error = hub::parse_position(text).expect_err(text);
        assert_eq!(error.to_string(), message, "{text}");
    }
}

#[track_caller]
fn check_hub_moves<R: Rules>(text: &str, numbering: Numbering, expected: &[&str]) {
    let pos = position(text);
    let moves = legal::<R>(&pos);
    let mut texts: Vec<String> = moves
        .iter()
        .map(|&mv| hub::write_move(mv, numbering))
        .collect();
    texts.sort_unstable();
    assert_eq!(texts, expected, "{text}");
}

#[test]
fn hub_moves_are_written() {
    let start = [
        "21-17", "22-17", "22-18", "23-18", "23-19", "24-19", "24-20",
    ];
    check_hub_moves::<Russian>(START, Numbering::Hub, &start);
    // The numbers that pydraughts 0.6 uses: a1 is 1.
    let start = ["10-13", "10-14", "11-14", "11-15", "12-15", "12-16", "9-13"];
    check_hub_moves::<Russian>(START, Numbering::Pdn, &start);
    // Captured squares ascend in the printed numbers: in the second list the other way round on the board.
    let position = "W:Wh6:Bg7,c5,d2";
    check_hub_moves::<Russian>(position, Numbering::Hub, &["12x31x8x14x26"]);
    check_hub_moves::<Russian>(position, Numbering::Pdn, &["24x3x6x18x28"]);
    check_hub_moves::<Pool>(position, Numbering::Hub, &["12x3x8"]);
}

#[test]
fn numbering_from_a1_is_for_games_in_letters() {
    assert_eq!(Numbering::Pdn.in_game::<Russian>(), Numbering::Pdn);
    assert_eq!(Numbering::Pdn.in_game::<Brazilian>(), Numbering::Pdn);
    assert_eq!(Numbering::Pdn.in_game::<Pool>(), Numbering::Hub);
    assert_eq!(Numbering::Hub.in_game::<Russian>(), Numbering::Hub);
    for square in Square::all() {
        for numbering in [Numbering::Hub, Numbering::Pdn] {
            assert_eq!(numbering.square(numbering.number(square)), Some(square));
        }
        assert_eq!(Numbering::Pdn.number(square), square.bit() as u8 / 2 + 1);
    }
    for number in [0, 33, 255] {
        assert_eq!(Numbering::Pdn.square(number), None);
        assert_eq!(Numbering::Hub.square(number), None);
    }
}

/// Checks what a text is read as, `expected` being the full text of the move or the beginning of the error.
#[track_caller]
fn check_hub<R: Rules>(pos: &str, numbering: Numbering, text: &str, expected: &str) {
    let moves = legal::<R>(&position(pos));
    match hub::parse_move(text, numbering, &moves) {
        Ok(mv) => assert_eq!(hub::write_move(mv, numbering), expected, "{text}"),
        Err(error) => {
            let error = error.to_string();
            assert_eq!(error.split(", expected").next(), Some(expected), "{text}");
        }
    }
}

#[test]
fn hub_moves_are_read() {
    let check =
        |text: &str, expected: &str| check_hub::<Russian>(START, Numbering::Hub, text, expected);
    check("22-18", "22-18");
    check("022-018", "22-18");
    check("22x18", "illegal move 22x18");
    check("22-19", "illegal move 22-19");
    for text in [
        "", "22", "22-", "-18", "22-18-14", "22--18", "22-18x14", "22:18", "22 18", " 22-18",
        "22-+18", "22X18", "x", "33-28", "0-4", "22-256", "c3-d4", "22x", "22x18x", "22–18",
    ] {
        check(text, &format!("bad move {}", text.trim()));
    }
    check_hub::<Russian>(START, Numbering::Pdn, "9-13", "9-13");
    check_hub::<Russian>(START, Numbering::Pdn, "21-17", "illegal move 21-17");
}

#[test]
fn hub_captures_are_read() {
    // The only capture takes three.
    let check =
        |text, expected| check_hub::<Russian>("W:Wh6:Bg7,c5,d2", Numbering::Hub, text, expected);
    let texts = "12x31x8x14x26 12x31x26x8x14 12x31x14 12x31 12x31x08x26 12x31x8x8";
    for text in texts.split(' ') {
        check(text, "12x31x8x14x26");
    }
    check("12-31", "illegal move 12-31");
    check("12x3", "illegal move 12x3");
    check("12x31x8x15", "illegal move 12x31x8x15");
    check_hub::<Russian>(
        "W:Wh6:Bg7,c5,d2",
        Numbering::Pdn,
        "24x3x28x6",
        "24x3x6x18x28",
    );
}

// Two routes between the same squares, by e3 and e5 or by e3 and f6.
#[test]
fn ambiguous_hub_captures() {
    let pos = "W:WKd2:Bf6,c5,e5,e3";
    let check = |text, expected| check_hub::<Russian>(pos, Numbering::Hub, text, expected);
    check("26x21x14x15x23", "26x21x14x15x23");
    check("26x21x15", "26x21x14x15x23");
    check("26x21x11", "26x21x11x14x23");
    check("26x21", "ambiguous move 26x21");
    check("26x21x23x14", "ambiguous move 26x21x23x14");
    check("26x21x11x15", "illegal move 26x21x11x15");
}

// One jump, or a round of five that takes the same piece and ends on the same square: what is complete for one is not
// a part of the other.
#[test]
fn hub_captures_that_contain_each_other() {
    let pos = "W:WKc1,Kf6,Kb8:BKd2,g3,a5,e5,g5,g7,f8";
    let check = |text, expected| check_hub::<Pool>(pos, Numbering::Hub, text, expected);
    check("11x4x8", "11x4x8");
    check("11x4x8x26", "11x4x8x15x16x24x26");
    check("11x4", "ambiguous move 11x4");
}

// Moves as players write them

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

// Pictures

#[test]
fn pictures() {
    let pos = position("B:W21,22,K30:B1,2,K18");
    let letters = "
    a b c d e f g h
  +-----------------+
8 |   b   b   .   . | 8
7 | .   .   .   .   | 7
6 |   .   .   .   . | 6
5 | .   .   .   .   | 5
4 |   .   B   .   . | 4
3 | w   w   .   .   | 3
2 |   .   .   .   . | 2
1 | .   W   .   .   | 1
  +-----------------+
    a b c d e f g h

Black to move";
    assert_eq!(
        diagram::draw(&pos, Labels::usual::<Russian>()),
        letters[1..]
    );
    let numbers = "
    a b c d e f g h
  +-----------------+       +-------------------------+
8 |   b   b   b   b | 8     |     1     2     3     4 |
7 | b   b   b   b   | 7     |  5     6     7     8    |
6 |   b   b   b   b | 6     |     9    10    11    12 |
5 | .   .   .   .   | 5     | 13    14    15    16    |
4 |   .   .   .   . | 4     |    17    18    19    20 |
3 | w   w   w   w   | 3     | 21    22    23    24    |
2 |   w   w   w   w | 2     |    25    26    27    28 |
1 | w   w   w   w   | 1     | 29    30    31    32    |
  +-----------------+       +-------------------------+
    a b c d e f g h

White to move";
    assert_eq!(
        diagram::draw(&position(START), Labels::usual::<Pool>()),
        numbers[1..]
    );
}

// Noise

/// Feeds a text to every reader. What is read as a position must be one that can be written and read again.
fn read_everywhere(text: &str) {
    if let Ok(pos) = fen::parse(text) {
        assert_eq!(fen::parse(&fen::write(&pos)), Ok(pos));
    }
    let _ = hub::parse_position(text);
    for pos in [Russian::start(), position("W:WKd2:Bf6,c5,e5,e3")] {
        let moves = legal::<Russian>(&pos);
        let _ = hub::parse_move(text, Numbering::Pdn, &moves);
        let _ = moves::parse::<Russian>(&pos, text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1000) })]

    #[test]
    fn no_bytes_make_a_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        read_everywhere(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn no_unicode_makes_a_reader_panic(text in "\\PC{0,60}") {
        read_everywhere(&text);
    }

    #[test]
    fn nothing_like_a_position_makes_a_reader_panic(text in "[WB?]:([WBHF][K0-9a-hA-H, .–:-]{0,40}){0,3}") {
        read_everywhere(&text);
    }

    #[test]
    fn nothing_like_a_move_makes_a_reader_panic(text in "[a-h0-9xX×:–() !?*-]{0,20}") {
        read_everywhere(&text);
    }

    #[test]
    fn nothing_like_hub_makes_a_reader_panic(text in "[WB][wbWBe]{30,34}") {
        read_everywhere(&text);
    }
}

#[test]
fn long_texts_are_refused_at_once() {
    for part in [
        "W", "\"", " ", "W:W1,", "1-", "22x", "c3:", "[FEN \"", "é", "!", "W:", "K", "(", "FEN:",
    ] {
        read_everywhere(&part.repeat(1 << 20));
    }
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
        ("6- 9 22 -18 9 - 13 18x9 5 x 14", "6-9|22-18|9-13|18x9|5x14"),
        ("c3–d4 {never closed", "c3–d4"),
        ("22-17\n9-14\r\n 17-13 1/2-1/2", "22-17|9-14|17-13"),
    ] {
        assert_eq!(moves::split_game(text).join("|"), expected, "{text}");
    }
}
