//! Squares, and placements that cannot be.

use mainroad::board::{Bitboard, Position, PositionFault, Side, Square};

// The map of numbers to letters as the PDN standard gives it for the games with 1 = b8.
#[test]
fn numbers_and_letters() {
    let rows = [
        (1, "b8 d8 f8 h8"),
        (5, "a7 c7 e7 g7"),
        (9, "b6 d6 f6 h6"),
        (13, "a5 c5 e5 g5"),
        (17, "b4 d4 f4 h4"),
        (21, "a3 c3 e3 g3"),
        (25, "b2 d2 f2 h2"),
        (29, "a1 c1 e1 g1"),
    ];
    for (first, names) in rows {
        for (number, name) in (first..).zip(names.split(' ')) {
            let sq = Square::from_number(number).expect("in range");
            assert_eq!(sq.name(), name);
            assert_eq!(sq.number(), number);
            assert_eq!(Square::from_name(name), Some(sq));
            assert_eq!(Square::from_name(&name.to_uppercase()), Some(sq));
            assert_eq!(sq.rotated().number(), 33 - number);
        }
    }
    for missing in [0, 33, 255] {
        assert_eq!(Square::from_number(missing), None);
    }
    for missing in ["", "a", "a2", "h1", "i1", "a9", "a0", "a1b", "äa"] {
        assert_eq!(Square::from_name(missing), None, "{missing}");
    }
}

#[test]
fn main_road() {
    let numbers: Vec<u8> = Bitboard::MAIN_ROAD.squares().map(Square::number).collect();
    assert_eq!(numbers, [29, 25, 22, 18, 15, 11, 8, 4]);
}

#[test]
fn impossible_placements() {
    let set = |numbers: &[u8]| {
        numbers
            .iter()
            .filter_map(|&number| Square::from_number(number))
            .collect::<Bitboard>()
    };
    let square = |number| Square::from_number(number).expect("in range");
    let none = Bitboard::EMPTY;
    let check = |men, kings, expected| {
        assert_eq!(Position::new(men, kings, Side::White), Err(expected));
    };
    check(
        [set(&[9]), set(&[9])],
        [none; 2],
        PositionFault::Overlap(square(9)),
    );
    check(
        [set(&[9]), none],
        [set(&[9]), none],
        PositionFault::Overlap(square(9)),
    );
    check(
        [set(&[3]), none],
        [none; 2],
        PositionFault::ManOnPromotionRow(Side::White, square(3)),
    );
    check(
        [none, set(&[30])],
        [none; 2],
        PositionFault::ManOnPromotionRow(Side::Black, square(30)),
    );
    let thirteen: Vec<u8> = (10..=22).collect();
    check(
        [none; 2],
        [set(&thirteen), none],
        PositionFault::TooManyPieces(Side::White, 13),
    );
    assert!(
        Position::new([none; 2], [none; 2], Side::Black).is_ok(),
        "an empty board is lost, not impossible"
    );
}
