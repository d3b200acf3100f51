//! Published leaf counts, and those of positions in which games and conventions part early. Captures are unique by start, end, captured set
//! and promotion.
//!
//! `PERFT_DEPTH=13 cargo test --release perft` goes deeper than usual from the start, as far as counts are known.

use crate::support::amount;
use mainroad::notation::fen;
use mainroad::rules::{Rules, Variant, divide, perft};
use mainroad::with_rules;

/// Compares the leaf counts of the start position, up to the usual depth or the one that is asked for.
#[track_caller]
fn check_start(variant: Variant, usual: usize, leaves: &[u64]) {
    let depth = amount("PERFT_DEPTH", usual).min(leaves.len());
    let start = with_rules!(variant, R => fen::write(&R::start()));
    check(variant, &start, &leaves[..depth]);
}

/// Compares the leaf counts of a position at depths 1, 2, 3 and so on.
#[track_caller]
fn check(variant: Variant, text: &str, leaves: &[u64]) {
    for (depth, &expected) in (1..).zip(leaves) {
        check_depth(variant, text, depth, expected);
    }
}

#[track_caller]
fn check_depth(variant: Variant, text: &str, depth: u32, expected: u64) {
    let pos = fen::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let actual = with_rules!(variant, R => perft::<R>(&pos, depth));
    assert_eq!(actual, expected, "{variant} {text} depth {depth}");
}

// Duplicate captures merged; from dctl's board_08x08.cpp, which cites a shashki.com thread.
#[test]
fn russian() {
    let leaves = [
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
        544_770_444,
        2_673_979_569,
    ];
    check_start(Variant::Russian, 11, &leaves);
}

// As above.
#[test]
fn pool() {
    let leaves = [
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
        544_005_148,
        2_668_385_616,
    ];
    check_start(Variant::Pool, 11, &leaves);
}

// As above.
#[test]
fn brazilian() {
    let leaves = [
        7,
        49,
        302,
        1_469,
        7_473,
        37_628,
        187_302,
        907_830,
        4_431_766,
        21_560_022,
        105_491_257,
        511_882_477,
        2_481_546_396,
    ];
    check_start(Variant::Brazilian, 10, &leaves);
}

// The twelve positions of KestoG's perft.txt. Its diagrams are garbled and its counts are of another convention, so these are the counts
// of an independent program.
#[test]
fn positions_of_kestog() {
    for (text, expected) in [
        ("W:W5,13,17,22,27,28,32:B1,6,7,8,16,19,20", 644_030),
        ("W:W10,21,24,27,28,30,32:B1,3,4,9,11,12,20", 12_357_022),
        ("B:W14,15,17,21,23,27,28,32:B1,4,5,6,8,12,16,20", 436_149),
        ("W:W14,17,18,19,21,27,28,32:B2,5,7,8,10,11,12,20", 591_936),
        (
            "W:W14,15,18,24,26,27,29,30,31,32:B3,4,5,6,7,8,9,12,13,16",
            5_523_261,
        ),
        (
            "B:W17,18,19,21,23,24,25,26,27,29,31,32:B1,2,3,4,5,6,7,9,12,14,16,20",
            1_027_320,
        ),
        ("W:W13,18,19,21,22,23,28,30:B1,5,6,9,11,12,14,16", 198_678),
        ("W:W16,19,20,21,23,26:B3,4,7,9,10,12", 446_380),
        ("W:W18,19,20,21,22:B2,7,9,12,14", 91_427),
        (
            "W:W18,19,21,22,23,26,27,28,30,31,32:B1,2,3,4,5,9,10,12,14,16,20",
            4_021_149,
        ),
        ("W:W14,18,19,20,24,28,31:B3,5,7,8,10,13", 1_965_683),
        (
            "B:W18,19,21,23,25,27,28,31,32:B1,2,4,8,9,10,12,13,14,20",
            5_977_029,
        ),
    ] {
        check_depth(Variant::Russian, text, 10, expected);
    }
}

// Mixtures of kings and men in which the games, and the conventions for captures, part early; counted by the same program.
#[test]
fn hard_positions() {
    let first = "B:WK4,10,K11,17,25,K26,K32:BK8,21,K31";
    let second = "B:WK1,K4,K13,K14,K16,K17,K18,25,K26:B21,K23,K31";
    let third = "B:WK6,K14,K17,19,K26,27:B1,K3,K9,11,K12,16,22,K29";
    for (text, russian, pool, brazilian) in [
        (
            first,
            [10, 167, 710, 7_900, 51_106, 469_389],
            [8, 129, 518, 5_844, 28_108, 245_689],
            [1, 2, 8, 105, 673, 9_105],
        ),
        (
            second,
            [5, 77, 343, 5_681, 25_676, 387_115],
            [5, 77, 308, 5_061, 20_250, 307_820],
            [1, 2, 5, 91, 558, 8_849],
        ),
        (
            third,
            [9, 49, 246, 1_678, 8_316, 51_752],
            [8, 44, 207, 1_480, 6_924, 42_828],
            [1, 5, 25, 237, 1_109, 8_378],
        ),
    ] {
        check(Variant::Russian, text, &russian);
        check(Variant::Pool, text, &pool);
        check(Variant::Brazilian, text, &brazilian);
    }
}

// As above.
#[test]
fn kings_only() {
    let text = "W:WK21-K32:BK1-K12";
    let leaves = [13, 59, 260, 1_121, 5_918, 33_560, 202_534];
    check(Variant::Russian, text, &leaves);
    check(Variant::Pool, text, &leaves);
    let leaves = [13, 59, 260, 1_075, 5_577, 30_587, 178_280];
    check(Variant::Brazilian, text, &leaves);
}

// As above.
#[test]
fn men_about_to_promote() {
    let text = "W:W5,6,7,8:B25,26,27,28";
    let leaves = [7, 49, 344, 2_341, 19_559, 149_172, 1_288_694];
    check(Variant::Russian, text, &leaves);
    check(Variant::Pool, text, &leaves);
    let leaves = [7, 49, 344, 2_335, 19_446, 147_879, 1_272_178];
    check(Variant::Brazilian, text, &leaves);
}

#[test]
fn draw_rules_do_not_change_the_tree() {
    let leaves = [7, 49, 302, 1_469, 7_482, 37_986];
    for variant in [
        Variant::RussianOnline,
        Variant::RussianFmjd64,
        Variant::Pool25,
    ] {
        check_start(variant, leaves.len(), &leaves);
    }
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
