//! Positions and moves of Hub: each is read as it is written, and in the forms of its clients.

use super::{HUB_START, START, legal, position};
use mainroad::board::Square;
use mainroad::notation::fen;
use mainroad::notation::hub::{self, Numbering};
use mainroad::rules::{Brazilian, Pool, Rules, Russian};

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
