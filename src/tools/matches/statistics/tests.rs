//! Published values, closed forms, a slow search for the same maximum, and simulated matches whose truth is known.

use super::{
    Elo, HALVINGS, NORMAL_95, Pentanomial, Sprt, SprtError, Tally, VIRTUAL_POINTS, Verdict, bisect,
    elo, elo_of_games, elo_of_score, los, normal_probability, normalized_elo, ratings,
    score_of_elo,
};
use std::array;

/// Tables of every kind: varied, lopsided, equal, tiny, huge.
const TABLES: [[u64; 5]; 15] = [
    [34, 54, 63, 64, 75],
    [3, 41, 120, 52, 7],
    [1, 0, 0, 2, 0],
    [0, 5, 90, 5, 0],
    [0, 0, 100, 0, 0],
    [0, 0, 0, 0, 1],
    [0, 0, 0, 0, 1_000],
    [0, 0, 0, 7, 0],
    [0, 1, 0, 0, 0],
    [50, 0, 0, 0, 50],
    [1, 0, 0, 0, 1_000_000],
    [0, 10, 100, 40, 2],
    [871, 26_175, 55_983, 26_678, 821],
    [1_000_000_000, 0, 0, 0, 1_000_000_000],
    [0, 0, 1_000_000_000_000, 0, 0],
];

/// The results of a realistic match of equal players: many drawn pairs, most of the others decided by one game of two.
const REALISTIC: [f64; 5] = [0.03, 0.17, 0.60, 0.17, 0.03];
/// Nine pairs of ten are level.
const DRAWISH: [f64; 5] = [0.01, 0.04, 0.90, 0.04, 0.01];
/// Openings that win for a side: pairs are level for another reason, and still they scatter less than games do.
const DECISIVE: [f64; 5] = [0.08, 0.02, 0.80, 0.02, 0.08];

/// Seeded random numbers: the splitmix64 generator of Steele, Lea and Flood (2014).
struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Returns a number from 0 to 1.
    fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Returns a result with the frequency that a distribution says.
    fn result(&mut self, distribution: &[f64; 5]) -> usize {
        let mut rest = self.share();
        for (result, probability) in distribution.iter().enumerate() {
            rest -= probability;
            if rest < 0.0 {
                return result;
            }
        }
        2 // what rounding leaves
    }
}

/// Returns the distribution nearest to another one that has the mean of a rating difference: each is weighted by `exp(t a)`.
fn tilted(base: &[f64; 5], elo: f64) -> [f64; 5] {
    let at = |tilt: f64| {
        let weights: [f64; 5] = array::from_fn(|i| base[i] * (tilt * i as f64).exp());
        let total: f64 = weights.iter().sum();
        weights.map(|weight| weight / total)
    };
    let is_low = |tilt: f64| mean(&at(tilt)) < score_of_elo(elo);
    at(bisect(-9.0, 9.0, is_low))
}

fn mean(distribution: &[f64; 5]) -> f64 {
    (0..5).map(|i| distribution[i] * i as f64 / 4.0).sum()
}

fn mirrored(table: [u64; 5]) -> Pentanomial {
    Pentanomial(array::from_fn(|result| table[4 - result]))
}

fn sprt(elo0: f64, elo1: f64) -> Sprt {
    Sprt::new(elo0, elo1, 0.05, 0.05).expect("the values are sound")
}

#[track_caller]
fn check_near(actual: f64, expected: f64, tolerance: f64) {
    // Infinite values have no difference.
    let is_near = (actual - expected).abs() <= tolerance || actual.total_cmp(&expected).is_eq();
    assert!(is_near, "{actual} is not {expected} +- {tolerance}");
}

#[track_caller]
fn check_elo(actual: Option<Elo>, value: f64, margin: f64, tolerance: f64) {
    let actual = actual.expect("there are results");
    check_near(actual.value, value, tolerance);
    check_near((actual.high - actual.low) / 2.0, margin, tolerance);
}

// The closed formula, 400 log10(s / (1 - s)).
#[test]
fn elo_and_score() {
    for (score, elo) in [
        (0.5, 0.0),
        (0.75, 190.848_501_9),
        (0.25, -190.848_501_9),
        (0.51, 6.949_638_4),
        (10.0 / 11.0, 400.0),
        (0.0, f64::NEG_INFINITY),
        (1.0, f64::INFINITY),
    ] {
        check_near(elo_of_score(score), elo, 1e-6);
        check_near(score_of_elo(elo), score, 1e-9);
    }
}

// Counting by hand.
#[test]
fn counting() {
    let mut pairs = Pentanomial::default();
    let mut games = Tally::default();
    assert_eq!((pairs.score(), games.score()), (None, None));
    for half_points in [4, 4, 3, 2, 0] {
        pairs.add(half_points);
    }
    for half_points in [2, 2, 1, 0, 2] {
        games.record(half_points);
    }
    assert_eq!(pairs, Pentanomial([1, 0, 1, 1, 2]));
    assert_eq!(pairs.pairs(), 5);
    check_near(pairs.score().expect("pairs"), 13.0 / 20.0, 1e-12);
    assert_eq!((games.wins, games.draws, games.losses), (3, 1, 1));
    assert_eq!(games.games(), 5);
    check_near(games.score().expect("games"), 0.7, 1e-12);
    pairs += pairs;
    games += games;
    assert_eq!(pairs, Pentanomial([2, 0, 2, 2, 4]));
    assert_eq!((games.wins, games.draws, games.losses), (6, 2, 2));
}

// fastchess, app/tests/elo_test.cpp: values and half widths. Its intervals are normal, so widths agree in large matches only.
#[test]
fn elo_of_fastchess() {
    let pairs = [
        (Pentanomial([34, 54, 63, 64, 75]), 55.58, 27.65, 0.3),
        (Pentanomial([332, 433, 498, 333, 334]), -8.64, 10.33, 0.02),
        (
            Pentanomial([7_895, 8_757, 5_685, 568, 9_999]),
            -21.04,
            2.95,
            0.01,
        ),
    ];
    for (pairs, value, margin, tolerance) in pairs {
        check_elo(elo(&pairs), value, margin, tolerance);
    }
    let games = Tally {
        wins: 136,
        draws: 111,
        losses: 96,
    };
    check_elo(elo_of_games(&games), 40.70, 30.43, 0.3);
    let normalized = [
        (Pentanomial([34, 54, 63, 64, 75]), 57.94, 28.28),
        (Pentanomial([332, 433, 498, 333, 334]), -9.17, 10.96),
        (Pentanomial([7_895, 8_757, 5_685, 568, 9_999]), -19.01, 2.65),
    ];
    for (pairs, value, margin) in normalized {
        check_elo(normalized_elo(&pairs), value, margin, 0.01);
    }
    let chance = los(&Pentanomial([332, 433, 498, 333, 334])).expect("pairs");
    check_near(chance, 0.0505, 0.000_5);
}

// fastchess, app/tests/sprt_test.cpp, "logistic pentanomial"; and by hand from the closed form of two results,
// b ln(s1 / s0) + a ln((1 - s1) / (1 - s0)), which the absent results hardly change.
#[test]
fn llr_of_known_matches() {
    let first = Pentanomial([223, 9_863, 21_279, 10_037, 246]);
    check_near(sprt(0.5, 2.5).llr(&first), -3.07, 0.01);
    let second = Pentanomial([871, 26_175, 55_983, 26_678, 821]);
    check_near(sprt(0.0, 2.0).llr(&second), -4.98, 0.01);
    for (lost, won) in [(50_u32, 50_u32), (30, 70), (1, 9), (900, 1_100)] {
        let (s0, s1) = (score_of_elo(0.0), score_of_elo(20.0));
        let exact =
            f64::from(won) * (s1 / s0).ln() + f64::from(lost) * ((1.0 - s1) / (1.0 - s0)).ln();
        let pairs = Pentanomial([lost.into(), 0, 0, 0, won.into()]);
        check_near(sprt(0.0, 20.0).llr(&pairs), exact, 1e-3);
    }
}

/// Returns the highest log-likelihood under some mean, found by trying steps in every direction from a feasible start.
///
/// Three of the five probabilities are free; the sum and the mean give the first and the last one.
fn slow_maximum(counts: &[f64; 5], mean: f64) -> f64 {
    let likelihood = |free: [f64; 3]| {
        let last = mean - (0..3).map(|i| free[i] * (i + 1) as f64 / 4.0).sum::<f64>();
        let first = 1.0 - last - free.iter().sum::<f64>();
        let probabilities = [first, free[0], free[1], free[2], last];
        if probabilities.iter().any(|&probability| probability <= 0.0) {
            return f64::NEG_INFINITY;
        }
        (0..5).map(|i| counts[i] * probabilities[i].ln()).sum()
    };
    let start = tilted(&[0.2; 5], elo_of_score(mean));
    let mut free = [start[1], start[2], start[3]];
    let mut highest = likelihood(free);
    let mut step = 0.1;
    while step > 1e-9 {
        let mut has_risen = false;
        for direction in 0..27 {
            let moved = array::from_fn(|i| {
                let digit = direction / 3_i32.pow(i as u32) % 3;
                free[i] + step * f64::from(digit - 1)
            });
            if likelihood(moved) > highest {
                highest = likelihood(moved);
                free = moved;
                has_risen = true;
            }
        }
        if !has_risen {
            step /= 2.0;
        }
    }
    highest
}

// A search for the constrained maxima that knows nothing of their form. Absent results count a thousandth, as in Fishtest.
#[test]
fn llr_by_slow_search() {
    for table in [
        [34, 54, 63, 64, 75],
        [3, 41, 120, 52, 7],
        [1, 1, 1, 1, 1],
        [0, 10, 100, 40, 2],
        [0, 5, 90, 5, 0],
        [0, 0, 0, 7, 0],
        [2, 0, 0, 0, 11],
    ] {
        let counts = table.map(|count| if count == 0 { 1e-3 } else { count as f64 });
        for (elo0, elo1) in [(0.0, 20.0), (-10.0, 0.0), (50.0, 200.0)] {
            let slow = slow_maximum(&counts, score_of_elo(elo1))
                - slow_maximum(&counts, score_of_elo(elo0));
            check_near(sprt(elo0, elo1).llr(&Pentanomial(table)), slow, 2e-5);
        }
    }
}

// Definitions: swapping the players changes signs only.
#[test]
fn mirrored_results() {
    for table in TABLES {
        let (pairs, mirror) = (Pentanomial(table), mirrored(table));
        let (a, b) = (elo(&pairs).expect("pairs"), elo(&mirror).expect("pairs"));
        check_near(a.value, -b.value, 1e-6);
        check_near(a.low, -b.high, 1e-6);
        check_near(a.high, -b.low, 1e-6);
        let chance = los(&pairs).expect("pairs");
        check_near(chance, 1.0 - los(&mirror).expect("pairs"), 1e-9);
        let (llr, reverse) = (sprt(-3.0, 20.0).llr(&pairs), sprt(-20.0, 3.0).llr(&mirror));
        check_near(llr, -reverse, 1e-9 * llr.abs().max(1.0));
        match (normalized_elo(&pairs), normalized_elo(&mirror)) {
            (Some(a), Some(b)) => check_near(a.value, -b.value, 1e-9 * a.value.abs().max(1.0)),
            (a, b) => assert_eq!(a, b),
        }
    }
    for table in [[5, 9, 30, 9, 5], [0, 0, 1, 0, 0], [1, 0, 0, 0, 1]] {
        let estimate = elo(&Pentanomial(table)).expect("pairs");
        check_near(estimate.value, 0.0, 1e-9);
        check_near(estimate.low, -estimate.high, 1e-6);
        check_near(los(&Pentanomial(table)).expect("pairs"), 0.5, 1e-6);
        check_near(sprt(-7.0, 7.0).llr(&Pentanomial(table)), 0.0, 1e-9);
    }
}

// No table may give a value that is not a number, and the parts agree with each other.
#[test]
fn any_table_is_sensible() {
    let empty = Pentanomial::default();
    assert_eq!(
        (elo(&empty), los(&empty), normalized_elo(&empty)),
        (None, None, None)
    );
    assert_eq!(elo_of_games(&Tally::default()), None);
    check_near(sprt(0.0, 20.0).llr(&empty), 0.0, 0.0);
    assert_eq!(sprt(0.0, 20.0).verdict(&empty), Verdict::Continue);
    let beyond_floats = [[0, 0, 1, 0, 1 << 60], [0, 0, 1 << 60, 0, 0]];
    for table in TABLES.into_iter().chain(beyond_floats) {
        let pairs = Pentanomial(table);
        let Elo { value, low, high } = elo(&pairs).expect("pairs");
        assert!(
            low <= value && value <= high && (low < high || value.is_infinite()),
            "{table:?}: {low} {value} {high}"
        );
        let chance = los(&pairs).expect("pairs");
        assert!((0.0..=1.0).contains(&chance), "{table:?}: {chance}");
        assert_eq!(
            low > 0.0,
            chance > normal_probability(NORMAL_95),
            "{table:?}"
        );
        for (elo0, elo1) in [(0.0, 20.0), (-1000.0, 1000.0), (0.0, 1e-6), (999.0, 1000.0)] {
            let llr = sprt(elo0, elo1).llr(&pairs);
            assert!(llr.is_finite(), "{table:?} {elo0} {elo1}: {llr}");
        }
    }
}

// By hand. Equal results: under a mean `s` a share `q` lies at an end of the scale, so the fall is n ln(1 - q), and 1.9207 of it
// bounds the interval; that absent results count a little moves its ends by less than the tolerances. A pair won twice has the fall ln 2 at equality.
#[test]
fn equal_results() {
    let share = |pairs: f64| 1.0 - (-NORMAL_95 * NORMAL_95 / 2.0 / pairs).exp();
    let level = elo(&Pentanomial([0, 0, 100, 0, 0])).expect("pairs");
    check_near(level.high, elo_of_score(0.5 + share(100.0) / 2.0), 0.05);
    check_near(level.value, 0.0, 0.0);
    let won = elo(&Pentanomial([0, 0, 0, 0, 20])).expect("pairs");
    check_near(won.low, elo_of_score(1.0 - share(20.0)), 1.5);
    check_near(won.value, f64::INFINITY, 0.0);
    check_near(won.high, f64::INFINITY, 0.0);
    let chance = los(&Pentanomial([0, 0, 0, 0, 1])).expect("a pair");
    check_near(chance, normal_probability((2.0 * 2_f64.ln()).sqrt()), 2e-3);
    // Level pairs speak against an advantage, and a few equal results decide nothing.
    assert_eq!(
        sprt(0.0, 20.0).verdict(&Pentanomial([0, 0, 1_000, 0, 0])),
        Verdict::AcceptH0
    );
    for few in [
        [0, 0, 4, 0, 0],
        [0, 0, 0, 4, 0],
        [0, 0, 0, 0, 4],
        [4, 0, 0, 0, 0],
    ] {
        assert_eq!(
            sprt(0.0, 20.0).verdict(&Pentanomial(few)),
            Verdict::Continue,
            "{few:?}"
        );
    }
    assert_eq!(normalized_elo(&Pentanomial([0, 0, 9, 0, 0])), None);
}

// A better result in place of a worse one makes everything better.
#[test]
fn better_results() {
    for table in [
        [34, 54, 63, 64, 75],
        [3, 41, 120, 52, 7],
        [1, 1, 9, 1, 1],
        [2, 0, 5, 0, 2],
    ] {
        for worse in 0..4 {
            if table[worse] == 0 {
                continue;
            }
            let mut better = table;
            better[worse] -= 1;
            better[worse + 1] += 1;
            let (old, new) = (Pentanomial(table), Pentanomial(better));
            assert!(
                elo(&new).expect("pairs").value > elo(&old).expect("pairs").value,
                "{better:?}"
            );
            assert!(los(&new) > los(&old), "{better:?}");
            assert!(
                sprt(0.0, 20.0).llr(&new) > sprt(0.0, 20.0).llr(&old),
                "{better:?}"
            );
        }
    }
    // More of the same makes the interval narrower.
    let mut pairs = Pentanomial([3, 41, 120, 52, 7]);
    let single = elo(&pairs).expect("pairs");
    pairs += pairs;
    let double = elo(&pairs).expect("pairs");
    assert!(single.low < double.low && double.high < single.high);
}

// Tables of the normal distribution.
#[test]
fn normal_probabilities() {
    for (x, probability) in [
        (0.0, 0.5),
        (1.0, 0.841_344_746_068_543),
        (NORMAL_95, 0.975),
        (-3.0, 0.001_349_898_031_630),
        (6.0, 0.999_999_999_013_412),
        (-40.0, 0.0),
        (f64::INFINITY, 1.0),
    ] {
        check_near(normal_probability(x), probability, 1e-14);
    }
}

// Wald's bounds at 5%: ln 19. Values that no test can have are refused.
#[test]
fn bounds_and_errors() {
    let (lower, upper) = sprt(0.0, 20.0).bounds();
    check_near(lower, -2.944_438_979, 1e-9);
    check_near(upper, 2.944_438_979, 1e-9);
    let (lower, upper) = Sprt::new(0.0, 5.0, 0.05, 0.1).expect("sound").bounds();
    check_near(lower, (0.1_f64 / 0.95).ln(), 1e-12);
    check_near(upper, (0.9_f64 / 0.05).ln(), 1e-12);
    let order = |elo0, elo1| SprtError::Order { elo0, elo1 };
    for (values, error) in [
        ((5.0, 0.0, 0.05, 0.05), order(5.0, 0.0)),
        ((5.0, 5.0, 0.05, 0.05), order(5.0, 5.0)),
        ((0.0, 1001.0, 0.05, 0.05), SprtError::Elo(1001.0)),
        (
            (f64::NEG_INFINITY, 0.0, 0.05, 0.05),
            SprtError::Elo(f64::NEG_INFINITY),
        ),
        ((0.0, 5.0, 0.0, 0.05), SprtError::ErrorRate(0.0)),
        ((0.0, 5.0, 0.05, 0.5), SprtError::ErrorRate(0.5)),
        ((0.0, 5.0, 0.05, -0.1), SprtError::ErrorRate(-0.1)),
    ] {
        let (elo0, elo1, alpha, beta) = values;
        assert_eq!(Sprt::new(elo0, elo1, alpha, beta), Err(error), "{values:?}");
    }
    assert!(Sprt::new(f64::NAN, 5.0, 0.05, 0.05).is_err());
    assert!(Sprt::new(0.0, 5.0, f64::NAN, 0.05).is_err());
    let text = SprtError::Elo(1001.0).to_string();
    assert_eq!(
        text,
        "1001 is not a rating difference between -1000 and 1000"
    );
}

/// Checks in how many of 2,000 simulated matches of 200 pairs the 95% interval holds the truth: in 93 to 97 of a hundred,
/// which is four standard deviations of the count.
#[track_caller]
fn check_coverage(base: &[f64; 5], truth: f64, seed: u64) {
    let distribution = tilted(base, truth);
    let mut rng = Rng(seed);
    let mut holding = 0;
    for _ in 0..2_000 {
        let mut pairs = Pentanomial::default();
        for _ in 0..200 {
            pairs.add(rng.result(&distribution));
        }
        let Elo { low, high, .. } = elo(&pairs).expect("pairs");
        holding += u32::from(low <= truth && truth <= high);
    }
    assert!(
        (1_860..=1_940).contains(&holding),
        "seed {seed}: {holding} of 2000"
    );
}

// The definition of a confidence interval.
#[test]
fn intervals_hold_the_truth() {
    check_coverage(&REALISTIC, 60.0, 1);
    check_coverage(&DRAWISH, 0.0, 2);
    check_coverage(&DECISIVE, -25.0, 3);
}

/// Runs simulated tests of [0, 20] at 5% on players with a true difference, each of which must end within some number of
/// pairs, and returns the share of them that accepted H1.
fn simulate(base: &[f64; 5], truth: f64, most_pairs: u64, seed: u64) -> f64 {
    let distribution = tilted(base, truth);
    let test = sprt(0.0, 20.0);
    let mut rng = Rng(seed);
    let mut accepted_h1 = 0;
    for _ in 0..TESTS {
        let mut pairs = Pentanomial::default();
        let verdict = loop {
            for _ in 0..PAIRS_AT_ONCE {
                pairs.add(rng.result(&distribution));
            }
            match test.verdict(&pairs) {
                Verdict::Continue => assert!(pairs.pairs() < most_pairs, "seed {seed}: {pairs:?}"),
                verdict => break verdict,
            }
        };
        accepted_h1 += u32::from(verdict == Verdict::AcceptH1);
    }
    f64::from(accepted_h1) / f64::from(TESTS)
}

/// Simulated tests of each truth.
const TESTS: u32 = 1_000;
/// Pairs that are played between two looks at a test, as a match on several threads does; it saves time here.
const PAIRS_AT_ONCE: usize = 4;

/// Checks that a test is wrong in at most one case of twenty, but not never, and ends within some number of pairs.
#[track_caller]
fn check_error_rates(base: &[f64; 5], most_pairs: u64, seed: u64) {
    let rate: f64 = 0.05;
    let allowance = 3.0 * (rate * (1.0 - rate) / f64::from(TESTS)).sqrt(); // three standard deviations: 0.021
    let wrong_h1 = simulate(base, 0.0, most_pairs, seed);
    let wrong_h0 = 1.0 - simulate(base, 20.0, most_pairs, seed + 1);
    for wrong in [wrong_h1, wrong_h0] {
        assert!(wrong <= rate + allowance, "seed {seed}: {wrong}");
        // A test that hardly errs asks for more pairs than it was told to.
        assert!(wrong >= rate / 5.0, "seed {seed}: {wrong}");
    }
}

// The definition of the test's error rates.
#[test]
fn error_rates() {
    check_error_rates(&REALISTIC, 2_500, 10);
}

// The same where nine pairs of ten say little.
#[test]
fn error_rates_of_drawish_matches() {
    check_error_rates(&DRAWISH, 1_000, 20);
}

// The same where the games of a pair are decided by the opening.
#[test]
fn error_rates_with_decisive_openings() {
    check_error_rates(&DECISIVE, 2_500, 30);
}

// By symmetry: half way between the hypotheses neither is favoured. Six standard deviations of the share are 0.095.
#[test]
fn verdicts_between_the_hypotheses() {
    let accepted_h1 = simulate(&REALISTIC, 10.0, 5_000, 40);
    assert!((0.4..=0.6).contains(&accepted_h1), "{accepted_h1}");
}

/// Returns ratings that everybody must have.
fn rated(players: usize, games: &[(usize, usize, f64)]) -> Vec<f64> {
    let ratings = ratings(players, games);
    let ratings: Vec<f64> = ratings
        .into_iter()
        .map(|rating| rating.expect("has games"))
        .collect();
    check_near(ratings.iter().sum(), 0.0, 1e-6);
    ratings
}

// Two players: the closed form, the score with the virtual half draw.
#[test]
fn ratings_of_two() {
    for (games, points) in [
        (1, 1.0_f64),
        (1, 0.5),
        (100, 75.0),
        (40, 40.0),
        (1_000_000, 0.0),
    ] {
        let mut list = vec![(1, 0, 0.0); games];
        for game in &mut list[..points as usize] {
            game.2 = 1.0;
        }
        if points.fract() > 0.0 {
            list[0].2 = 0.5;
        }
        let score = (points + VIRTUAL_POINTS) / (games as f64 + 2.0 * VIRTUAL_POINTS);
        let ratings = rated(2, &list);
        check_near(ratings[1] - ratings[0], elo_of_score(score), 1e-4);
    }
}

/// Returns games of many players with known strengths, a third of them drawn.
fn tournament(strengths: &[f64], rounds: usize, seed: u64) -> Vec<(usize, usize, f64)> {
    let mut rng = Rng(seed);
    let mut games = Vec::new();
    for first in 0..strengths.len() {
        for second in 0..first {
            for _ in 0..rounds {
                let expected = score_of_elo(strengths[first] - strengths[second]);
                let drawn = expected.min(1.0 - expected) * 2.0 / 3.0;
                let chance = rng.share();
                let score = if chance < drawn {
                    0.5
                } else {
                    f64::from(u8::from(chance < expected + drawn / 2.0))
                };
                games.push((first, second, score));
            }
        }
    }
    games
}

// The maximum's own condition: everybody scored what was expected of him. The truth is near, and names do not matter.
#[test]
fn ratings_of_many() {
    let truth = [-250.0, -100.0, -50.0, 0.0, 20.0, 80.0, 300.0];
    let games = tournament(&truth, 400, 5);
    let ratings = rated(truth.len(), &games);
    for player in 0..truth.len() {
        check_near(ratings[player], truth[player], 25.0); // some three standard errors
        let mut surplus = 0.0;
        for opponent in (0..truth.len()).filter(|&opponent| opponent != player) {
            let expected = score_of_elo(ratings[player] - ratings[opponent]);
            surplus += VIRTUAL_POINTS - 2.0 * VIRTUAL_POINTS * expected;
            for &(first, second, score) in &games {
                if (first, second) == (player, opponent) {
                    surplus += score - expected;
                } else if (second, first) == (player, opponent) {
                    surplus += 1.0 - score - expected;
                }
            }
        }
        check_near(surplus, 0.0, 1e-3);
    }
    let last = truth.len() - 1;
    let renamed: Vec<_> = games
        .iter()
        .rev()
        .map(|&(first, second, score)| (last - second, last - first, 1.0 - score))
        .collect();
    let renamed = rated(truth.len(), &renamed);
    for player in 0..truth.len() {
        check_near(ratings[player], renamed[last - player], 1e-3);
    }
}

// By hand: who wins everything is rated above those who win less, also in a long chain; groups stand alone.
#[test]
fn ratings_of_odd_tournaments() {
    assert_eq!(ratings(0, &[]), []);
    assert_eq!(ratings(2, &[]), [None, None]);
    let chain: Vec<_> = (0..30).map(|player| (player + 1, player, 1.0)).collect();
    let ranks = rated(31, &chain);
    // Every link is one won game, 1.25 points of 1.5.
    for link in ranks.windows(2) {
        check_near(link[1] - link[0], elo_of_score(1.25 / 1.5), 0.01);
    }
    let groups = ratings(6, &[(0, 4, 1.0), (1, 5, 0.5), (5, 2, 0.0)]);
    assert_eq!(groups[3], None);
    let rating = |player: usize| groups[player].expect("has games");
    check_near(rating(0) + rating(4), 0.0, 1e-6);
    check_near(rating(1) + rating(2) + rating(5), 0.0, 1e-6);
    check_near(rating(0) - rating(4), elo_of_score(1.25 / 1.5), 1e-4);
    check_near(rating(1), rating(5), 1e-4);
    assert!(rating(2) > rating(5));
}

// The bracket halves down to a float's precision.
#[test]
fn bisection() {
    let root = bisect(0.0, 2.0, |x| x * x < 2.0);
    check_near(root, 2_f64.sqrt(), 1e-15);
    let root = bisect(2.0, 0.0, |x| x * x > 2.0);
    check_near(root, 2_f64.sqrt(), 1e-15);
    assert!(HALVINGS > f64::MANTISSA_DIGITS as usize);
}
