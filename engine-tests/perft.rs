//! Leaf counts from the start position, captures unique by start, end, captured set and promotion.

use mainroad::rules::{Rules, Variant, divide, perft};
use mainroad::with_rules;

#[track_caller]
fn check(variant: Variant, leaves: &[u64]) {
    for (depth, &expected) in (1..).zip(leaves) {
        let actual = with_rules!(variant, R => perft::<R>(&R::start(), depth));
        assert_eq!(actual, expected, "{variant} depth {depth}");
    }
}

// Duplicate captures merged; from dctl's board_08x08.cpp, which cites a shashki.com thread.
#[test]
fn russian() {
    check(
        Variant::Russian,
        &[
            7,
            49,
            302,
            1_469,
            7_482,
            37_986,
            190_146,
            929_899,
            4_570_586,
            22_444_032,
            110_917_189,
        ],
    );
}

// As above.
#[test]
fn pool() {
    check(
        Variant::Pool,
        &[
            7,
            49,
            302,
            1_469,
            7_482,
            37_986,
            190_146,
            929_896,
            4_570_534,
            22_435_955,
            110_833_952,
        ],
    );
}

// As above.
#[test]
fn brazilian() {
    check(
        Variant::Brazilian,
        &[
            7, 49, 302, 1_469, 7_473, 37_628, 187_302, 907_830, 4_431_766, 21_560_022,
        ],
    );
}

#[test]
fn draw_rules_do_not_change_the_tree() {
    for variant in [Variant::RussianOnline, Variant::RussianFmjd64] {
        check(variant, &[7, 49, 302, 1_469, 7_482, 37_986]);
    }
    check(Variant::Pool25, &[7, 49, 302, 1_469, 7_482, 37_986]);
}

#[test]
fn divided_counts_add_up() {
    for variant in Variant::ALL {
        for depth in 1..=6 {
            let (whole, parts) = with_rules!(variant, R => {
                let start = R::start();
                (perft::<R>(&start, depth), divide::<R>(&start, depth))
            });
            let sum: u64 = parts.iter().map(|(_, count)| count).sum();
            assert_eq!(sum, whole, "{variant} depth {depth}");
        }
    }
}
