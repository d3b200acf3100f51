//! Squares, positions, keys, and the parts of the rules that are properties of all positions.

use crate::support::{Rng, random_position};
use mainroad::board::{Bitboard, Key, MoveList, Position, PositionFault, Side, Square};
use mainroad::rules::{Game, Rules, Variant, has_capture, is_threatened, legal_moves};
use mainroad::with_rules;

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

/// Plays random games and looks at every position and move on the way.
fn walk<R: Rules>(seed: u64, look: impl Fn(&Game<R>)) {
    let mut rng = Rng(seed);
    for round in 0..60 {
        let pos = match round % 3 {
            0 => R::start(),
            1 => random_position(&mut rng, 8, 2),
            _ => random_position(&mut rng, 3, 5),
        };
        let mut game = Game::<R>::from_position(pos);
        for _ in 0..80 {
            look(&game);
            let moves = game.legal_moves();
            if moves.is_empty() {
                break;
            }
            game.play(*rng.pick(&moves));
        }
    }
}

#[test]
fn keys_follow_moves() {
    for variant in Variant::ALL {
        with_rules!(variant, R => walk::<R>(1, |game| {
            assert_eq!(game.key(), Key::of(game.position()), "{variant}");
        }));
    }
}

#[test]
fn both_sides_have_the_same_rules() {
    for variant in Variant::ALL {
        with_rules!(variant, R => walk::<R>(2, |game| {
            let (pos, flipped) = (game.position(), game.position().flipped());
            assert_eq!(flipped.flipped(), *pos);
            let mut moves = MoveList::new();
            legal_moves::<R>(&flipped, &mut moves);
            let mut turned: Vec<_> = moves
                .iter()
                .map(|mv| (mv.from.rotated(), mv.to.rotated(), mv.captured.rotated().squares().collect::<Vec<_>>(), mv.promotes))
                .collect();
            let mut own: Vec<_> = game
                .legal_moves()
                .iter()
                .map(|mv| (mv.from, mv.to, mv.captured.squares().collect::<Vec<_>>(), mv.promotes))
                .collect();
            turned.sort();
            own.sort();
            assert_eq!(own, turned, "{variant} {pos:?}");
        }));
    }
}

#[test]
fn moves_keep_positions_legal() {
    for variant in Variant::ALL {
        with_rules!(variant, R => walk::<R>(3, |game| {
            let pos = game.position();
            assert_eq!(is_threatened(pos), has_capture(&pos.passed()));
            for mv in game.legal_moves() {
                let after = pos.play(mv);
                let men = Side::BOTH.map(|side| after.men(side));
                let kings = Side::BOTH.map(|side| after.kings(side));
                assert_eq!(Position::new(men, kings, after.turn()), Ok(after), "{variant} {pos:?} {mv:?}");
                assert!(!mv.captured.intersects(pos.own()) && mv.captured & pos.opp() == mv.captured);
                assert_eq!(after.opp().count(), pos.own().count(), "the mover loses nothing");
                assert_eq!(after.own().count(), pos.opp().count() - mv.captured.count());
            }
        }));
    }
}

#[test]
fn undo_restores_everything() {
    for variant in Variant::ALL {
        with_rules!(variant, R => walk::<R>(4, |game| {
            for mv in game.legal_moves() {
                let mut other = game.clone();
                other.try_play(mv).expect("legal");
                assert_eq!(other.undo(), Some(mv));
                assert_eq!(other.position(), game.position());
                assert_eq!((other.key(), other.counters()), (game.key(), game.counters()));
            }
        }));
    }
}
