//! FEN: what is read, with all that people put around it, what is refused and why.

use super::{HUB_START, START, position};
use mainroad::notation::fen;
use mainroad::rules::{Rules, Russian};

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
        // Numbers from the corner that the game type names: a1, and h8 as Black has it on the left.
        "[GameType \"25,W,8,8,N0,0\"] [FEN \"W:W9,K2:B29,30\"]",
        "[FEN \"W:W9,K2:B29-30\"] [gametype “25,W,8,8,N0”]",
        "[GameType \"23,B,8,8,N0,0\"] [FEN \"W:W24,K31:B3-4\"]",
        "[GameType \"25,W,8,8,A0,0\"] [FEN \"W:W21,K30:B1,2\"]",
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
    for text in ["W:B1", "W", "B::", "W:21:B1"] {
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
    for (text, part) in [
        ("W:W21:B1:X", "X"),
        ("W:21,22:B1", "21,22"),
        ("W:c3:Bf6", "c3"),
        ("W:W21:B1:K30", "K30"),
        ("W:W21:B1:c3", "c3"),
        ("W:W21:B1:H", "H"),
        ("W:W21:B1:0H", "0H"),
    ] {
        let expected = format!("\"{part}\" is no part of a position, expected W or B and squares");
        check_bad_fen(text, &expected);
    }
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
    for (list, item) in [
        ("1,2 12 3", "2 12 3"),
        ("1 2,3", "1 2"),
        ("1,2 3", "2 3"),
        ("1 12 3", "1 12 3"),
    ] {
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
    check_faults(
        &format!("Weeee{}{}b", "w".repeat(13), "e".repeat(14)),
        &["square 32", "White has 13 pieces"],
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
