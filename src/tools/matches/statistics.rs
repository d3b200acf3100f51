//! What the results of a match say about strength: Elo with an interval, a sequential test, ratings of many players.
//!
//! Two games from one opening with both colours depend on each other: an opening that favours a side gives each player a
//! win and a loss. So the unit of observation is the pair, which scores one of five results, and its variance is taken from
//! the pairs; counting games one by one would make an unbalanced opening look like noise between the players.
//!
//! Everything rests on one quantity: the likelihood of the observed results, maximised over all distributions that have a
//! given mean score. With the shares `f` of results that score `a`, the maximum under the mean `s` lies at
//! `p = f / (1 + t (a - s))`, and the tilt `t` is the root of the falling function `sum f (a - s) / (1 + t (a - s))`
//! (Michel Van den Bergh, "Comments on Normalized Elo" and a note on this maximum,
//! <http://hardy.uhasselt.be/Fishtest/support_MLE_multinomial.pdf>; Art Owen, "Empirical likelihood ratio confidence
//! intervals for a single functional", 1988). From it come
//! - the sequential test: the difference of two such maxima is the log-likelihood ratio of the generalised SPRT, the one of
//!   Fishtest and fastchess, compared with the bounds of Abraham Wald, "Sequential tests of statistical hypotheses", 1945;
//! - the 95% interval: the means whose maximum is not more than `FALL` below the highest one (Wilks, 1938);
//! - the likelihood of superiority: the normal probability of the signed root of twice the fall at equality.
//!
//! Usual formulas take the last two from the normal distribution of the mean. With many varied results both agree; with a few
//! or with equal ones the usual ones claim certainty (no variance, no error), while the likelihood still knows its limits.
//!
//! A result that has not occurred counts as a thousandth of one, as in Fishtest, so that every mean remains possible.
//! All ratings are on the logistic scale: 400 points are a factor of ten in the odds.

use serde::{Deserialize, Serialize};
use std::f64::consts::{LN_10, TAU};
use std::ops::AddAssign;

#[cfg(test)]
mod tests;

/// The rating difference that means odds of ten to one.
const TENFOLD: f64 = 400.0;
/// The two-sided 95% point of the normal distribution.
const NORMAL_95: f64 = 1.959_963_984_540_054;
/// How far the log-likelihood falls from its maximum to the ends of a 95% interval: half the 95% point of the chi-squared
/// distribution with one degree of freedom (Samuel Wilks, 1938).
const FALL: f64 = NORMAL_95 * NORMAL_95 / 2.0;
/// What a result that has not occurred counts, so that it is not taken for impossible.
const ABSENT: f64 = 1e-3;
/// The least share of a result. Only counts beyond any match reach it; it keeps the root apart from the ends of its bracket.
const LEAST_SHARE: f64 = 1e-12;
/// Halvings of a bracket: more than a float has bits, so that no more can be gained.
const HALVINGS: usize = 60;
/// The largest rating difference that a test may name. Beyond it hardly a game is not won, and nothing can be tested.
const MAX_ELO: f64 = 1000.0;
/// The largest error rate that a test may allow: with more it would decide before the first game.
const MAX_ERROR_RATE: f64 = 0.5;
/// Half a drawn game, as points: what each of two opponents is given against the other before ratings are estimated.
const VIRTUAL_POINTS: f64 = 0.25;
/// The most rounds of improvement of the ratings. Tens are usual; long chains of players need hundreds.
const RATING_ROUNDS: usize = 10_000;
/// A step of the ratings that is small enough to stop, in natural logarithms of strength (a hundred-thousandth of a point).
const RATING_STEP: f64 = 1e-7;

/// Results of pairs (the same opening with both colours) from the first player's view.
///
/// Counts the pairs that scored 0, 1/2, 1, 3/2 and 2 points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pentanomial(pub [u64; 5]);

impl Pentanomial {
    /// Counts a pair in which the first player scored some half points of four.
    pub fn add(&mut self, half_points: usize) {
        self.0[half_points] += 1;
    }

    /// Returns the number of pairs.
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Returns the first player's mean score of a game, from 0 to 1. `None` without pairs.
    pub fn score(&self) -> Option<f64> {
        Sample::new(&self.0).map(|sample| sample.mean)
    }
}

impl AddAssign for Pentanomial {
    fn add_assign(&mut self, other: Self) {
        for (count, more) in self.0.iter_mut().zip(other.0) {
            *count += more;
        }
    }
}

/// Results of single games from the first player's view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Games that the first player won.
    pub wins: u64,
    /// Drawn games.
    pub draws: u64,
    /// Games that the first player lost.
    pub losses: u64,
}

impl Tally {
    /// Counts a game in which the first player scored some half points of two.
    pub fn record(&mut self, half_points: usize) {
        let mut results = self.results();
        results[half_points] += 1;
        let [losses, draws, wins] = results;
        *self = Self {
            wins,
            draws,
            losses,
        };
    }

    /// Returns the number of games.
    pub fn games(&self) -> u64 {
        self.results().iter().sum()
    }

    /// Returns the first player's mean score, from 0 to 1. `None` without games.
    pub fn score(&self) -> Option<f64> {
        Sample::new(&self.results()).map(|sample| sample.mean)
    }

    /// Returns the counts, the worst result first.
    fn results(&self) -> [u64; 3] {
        [self.losses, self.draws, self.wins]
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }
}

/// An estimate of a rating difference with its 95% interval, which need not be symmetric.
///
/// A score of 0 or 1 has no finite rating: the value and the outer end are infinite then, the inner end is not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elo {
    /// The rating difference that the observed score is expected at.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

/// Returns the first player's rating difference from pairs. `None` without pairs.
///
/// The interval holds every difference under which the results are not much less likely than under the best one; see the
/// head of the module. It is as wide as the scatter of the pairs demands, which colour and opening do not add to.
pub fn elo(pairs: &Pentanomial) -> Option<Elo> {
    Sample::new(&pairs.0).map(|sample| sample.elo())
}

/// Returns the first player's rating difference from games that are independent of each other. `None` without games.
///
/// Games of a pair are not: where openings favour a side, the interval comes out too wide.
pub fn elo_of_games(games: &Tally) -> Option<Elo> {
    Sample::new(&games.results()).map(|sample| sample.elo())
}

/// Returns the rating difference in units of the scatter of a game. `None` without pairs or if all pairs scored the same.
///
/// It is the score above one half over the standard deviation of a game, scaled to agree with Elo where no game is drawn
/// and the players are equal; unlike Elo it hardly depends on how drawish openings and time controls are, and it tells how
/// many games a difference needs to be seen (Michel Van den Bergh, "Comments on Normalized Elo",
/// <https://www.cantate.be/Fishtest/normalized_elo_practical.pdf>). The interval takes the deviation as known.
pub fn normalized_elo(pairs: &Pentanomial) -> Option<Elo> {
    let sample = Sample::new(&pairs.0)?;
    // Two games of a pair: the variance of a single game is twice that of the mean of two.
    let deviation = (2.0 * sample.variance).sqrt();
    if deviation <= 0.0 {
        return None;
    }
    let scale = 2.0 * TENFOLD / LN_10; // the slope of Elo at equality times the deviation of a game without draws
    let value = scale * (sample.mean - 0.5) / deviation;
    let margin = scale * NORMAL_95 / (2.0 * pairs.pairs() as f64).sqrt();
    Some(Elo {
        value,
        low: value - margin,
        high: value + margin,
    })
}

/// Returns the likelihood, from 0 to 1, that the first player is the stronger one. `None` without pairs.
///
/// It is above 97.5% just when the 95% interval of [`elo`] lies above zero.
pub fn los(pairs: &Pentanomial) -> Option<f64> {
    let sample = Sample::new(&pairs.0)?;
    let tilt = sample.tilt(0.5);
    // Rounding may leave a fall of just below nothing where the mean is one half.
    let fall = sample.fall(0.5).max(0.0);
    Some(normal_probability(tilt.signum() * (2.0 * fall).sqrt()))
}

/// Returns the expected score at a rating difference.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / TENFOLD))
}

/// Returns the rating difference at which a score is expected: infinite for 0 and 1.
pub fn elo_of_score(score: f64) -> f64 {
    TENFOLD * (score / (1.0 - score)).log10()
}

/// A sequential probability ratio test: is the first player better by `elo1` (H1) or only by `elo0` (H0)?
///
/// Made by [`Sprt::new`], which checks the values; one that comes from a file has to be [checked](Sprt::check).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sprt {
    /// The rating difference of the hypothesis H0.
    pub elo0: f64,
    /// The rating difference of the hypothesis H1, above that of H0.
    pub elo1: f64,
    /// How often H1 may be accepted though H0 is true.
    pub alpha: f64,
    /// How often H0 may be accepted though H1 is true.
    pub beta: f64,
}

/// What a test says so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// More pairs are needed.
    Continue,
    /// The difference is that of H0, or less.
    AcceptH0,
    /// The difference is that of H1, or more.
    AcceptH1,
}

/// Says why there can be no such test.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum SprtError {
    /// A rating difference is not a number or too large.
    #[error("{0} is not a rating difference between -{MAX_ELO} and {MAX_ELO}")]
    Elo(f64),
    /// H1 does not claim more than H0.
    #[error("elo1 {elo1} is not above elo0 {elo0}")]
    Order {
        /// The difference of H0.
        elo0: f64,
        /// The difference of H1.
        elo1: f64,
    },
    /// An error rate that cannot be kept.
    #[error("{0} is not an error rate between 0 and {MAX_ERROR_RATE}")]
    ErrorRate(f64),
}

impl Sprt {
    /// Makes a test from the differences of its two hypotheses and the rates of its two errors.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Self, SprtError> {
        let sprt = Self {
            elo0,
            elo1,
            alpha,
            beta,
        };
        sprt.check().map(|()| sprt)
    }

    /// Checks the values, which may have come from a file.
    pub fn check(&self) -> Result<(), SprtError> {
        let Self {
            elo0,
            elo1,
            alpha,
            beta,
        } = *self;
        for elo in [elo0, elo1] {
            if !(-MAX_ELO..=MAX_ELO).contains(&elo) {
                return Err(SprtError::Elo(elo));
            }
        }
        if elo0 >= elo1 {
            return Err(SprtError::Order { elo0, elo1 });
        }
        for rate in [alpha, beta] {
            if !(rate > 0.0 && rate < MAX_ERROR_RATE) {
                return Err(SprtError::ErrorRate(rate));
            }
        }
        Ok(())
    }

    /// Returns the log-likelihood ratio: how much better H1 explains the pairs than H0 does. Zero without pairs.
    pub fn llr(&self, pairs: &Pentanomial) -> f64 {
        Sample::new(&pairs.0).map_or(0.0, |sample| {
            sample.fall(score_of_elo(self.elo0)) - sample.fall(score_of_elo(self.elo1))
        })
    }

    /// Returns the ratios at which H0 and H1 are accepted.
    pub fn bounds(&self) -> (f64, f64) {
        let lower = (self.beta / (1.0 - self.alpha)).ln();
        let upper = ((1.0 - self.beta) / self.alpha).ln();
        (lower, upper)
    }

    /// Returns what the test says about the pairs so far.
    ///
    /// The error rates hold for a match that stops at the first verdict; what later pairs would have said does not count.
    pub fn verdict(&self, pairs: &Pentanomial) -> Verdict {
        let (lower, upper) = self.bounds();
        let llr = self.llr(pairs);
        if llr <= lower {
            Verdict::AcceptH0
        } else if llr >= upper {
            Verdict::AcceptH1
        } else {
            Verdict::Continue
        }
    }
}

/// Returns the ratings of players from games `(first, second, score of the first)`, `None` for players without games.
///
/// The ratings are those under which the results are the most likely in the model of Bradley and Terry, where a draw is half
/// a win and half a loss. Each two players that met are given half a drawn game against each other on top, so that a player
/// who scored everything or nothing has a rating, too; hence all differences are slightly too small, those from few games
/// most. The mean is zero in each group of players that games connect; between groups nothing is known.
///
/// The iteration is that of M. E. J. Newman, "Efficient computation of rankings from pairwise comparisons", 2023, here with
/// logarithms: a player gains the logarithm of the points won against expectation over those lost against expectation.
///
/// Panics if a player does not exist or plays itself, or if a score is not between 0 and 1.
pub fn ratings(players: usize, games: &[(usize, usize, f64)]) -> Vec<Option<f64>> {
    let points = points_with_virtual_draws(players, games);
    let groups = groups(players, games);
    let mut strengths: Vec<Option<f64>> = points
        .iter()
        .map(|row| row.iter().any(|&points| points > 0.0).then_some(0.0))
        .collect();
    for _ in 0..RATING_ROUNDS {
        let mut largest_step: f64 = 0.0;
        for player in 0..players {
            if let Some(strength) = strengths[player] {
                let step = improvement(&points, &strengths, player);
                strengths[player] = Some(strength + step);
                largest_step = largest_step.max(step.abs());
            }
        }
        if largest_step < RATING_STEP {
            break;
        }
    }
    let centred = |player: usize| {
        let group: Vec<f64> = (0..players)
            .filter(|&other| groups[other] == groups[player])
            .filter_map(|other| strengths[other])
            .collect();
        let mean = group.iter().sum::<f64>() / group.len() as f64;
        strengths[player].map(|strength| (strength - mean) * TENFOLD / LN_10)
    };
    (0..players).map(centred).collect()
}

/// Returns the points that each player (row) scored against each other one (column), the virtual ones included.
fn points_with_virtual_draws(players: usize, games: &[(usize, usize, f64)]) -> Vec<Vec<f64>> {
    let mut points = vec![vec![0.0; players]; players];
    for &(first, second, score) in games {
        assert_ne!(first, second, "a player does not meet itself");
        assert!((0.0..=1.0).contains(&score), "{score} is not a score");
        if points[first][second] + points[second][first] <= 0.0 {
            // They meet for the first time: every game adds a point to the sum.
            points[first][second] = VIRTUAL_POINTS;
            points[second][first] = VIRTUAL_POINTS;
        }
        points[first][second] += score;
        points[second][first] += 1.0 - score;
    }
    points
}

/// Returns a label for each player that all players share that games connect: the least number among them.
fn groups(players: usize, games: &[(usize, usize, f64)]) -> Vec<usize> {
    let mut labels: Vec<usize> = (0..players).collect();
    let mut is_settled = false;
    while !is_settled {
        is_settled = true;
        for &(first, second, _) in games {
            let least = labels[first].min(labels[second]);
            is_settled &= labels[first] == least && labels[second] == least;
            labels[first] = least;
            labels[second] = least;
        }
    }
    labels
}

/// Returns what a player's strength gains in a round.
fn improvement(points: &[Vec<f64>], strengths: &[Option<f64>], player: usize) -> f64 {
    let own = strengths[player].expect("a player with games has a strength");
    let mut won = 0.0;
    let mut lost = 0.0;
    for (opponent, strength) in strengths.iter().enumerate() {
        let Some(opp) = *strength else { continue };
        won += points[player][opponent] * expected(opp, own);
        lost += points[opponent][player] * expected(own, opp);
    }
    (won / lost).ln()
}

/// Returns the expected score of the first of two strengths.
fn expected(first: f64, second: f64) -> f64 {
    1.0 / (1.0 + (second - first).exp())
}

/// How often each of `N` evenly spaced results occurred, from the worst, which scores 0, to the best, which scores 1.
struct Sample<const N: usize> {
    /// The counts, where those of absent results are raised to [`ABSENT`].
    counts: [f64; N],
    /// The mean score of what occurred.
    mean: f64,
    /// The variance of what occurred.
    variance: f64,
}

impl<const N: usize> Sample<N> {
    /// Returns the sample with some counts. `None` if all are zero.
    fn new(counts: &[u64; N]) -> Option<Self> {
        if counts.iter().all(|&count| count == 0) {
            return None;
        }
        let counts = counts.map(|count| count as f64);
        let total: f64 = counts.iter().sum();
        let mean_of = |value: &dyn Fn(f64) -> f64| {
            let weighted = (0..N).map(|i| counts[i] * value(Self::score(i)));
            weighted.sum::<f64>() / total
        };
        let mean = mean_of(&|score| score);
        let variance = mean_of(&|score| (score - mean).powi(2));
        let least = ABSENT.max(total * LEAST_SHARE);
        Some(Self {
            counts: counts.map(|count| count.max(least)),
            mean,
            variance,
        })
    }

    /// Returns what a result scores.
    fn score(result: usize) -> f64 {
        result as f64 / (N - 1) as f64
    }

    /// Returns the tilt `t` that gives the likeliest distribution with some mean, between 0 and 1.
    ///
    /// The function falls from plus to minus infinity between the ends of its bracket, since no count is zero, so halving
    /// always finds the root. The tilt is positive just when the sample has the higher mean.
    fn tilt(&self, mean: f64) -> f64 {
        let is_left_of_root = |tilt: f64| {
            let terms = (0..N).map(|i| {
                let distance = Self::score(i) - mean;
                self.counts[i] * distance / (1.0 + tilt * distance)
            });
            terms.sum::<f64>() > 0.0
        };
        bisect(-1.0 / (1.0 - mean), 1.0 / mean, is_left_of_root)
    }

    /// Returns how far the log-likelihood of the likeliest distribution with some mean is below that of the sample itself.
    fn fall(&self, mean: f64) -> f64 {
        let tilt = self.tilt(mean);
        let falls = (0..N).map(|i| self.counts[i] * (tilt * (Self::score(i) - mean)).ln_1p());
        falls.sum()
    }

    /// Returns the rating difference of the mean.
    fn elo(&self) -> Elo {
        Elo {
            value: elo_of_score(self.mean),
            low: elo_of_score(self.end_of_interval(0.0)),
            high: elo_of_score(self.end_of_interval(1.0)),
        }
    }

    /// Returns the end of the 95% interval of the mean on the way to one of the extreme scores.
    fn end_of_interval(&self, extreme: f64) -> f64 {
        if (self.mean - extreme).abs() < f64::EPSILON {
            return extreme;
        }
        bisect(self.mean, extreme, |mean| self.fall(mean) < FALL)
    }
}

/// Returns the last point on the way from `inside` to `outside` where something holds, given that it holds up to a point.
fn bisect(mut inside: f64, mut outside: f64, holds: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(inside, outside);
        if holds(middle) {
            inside = middle;
        } else {
            outside = middle;
        }
    }
    inside
}

/// Returns the probability that a standard normal variable is below a value.
///
/// The series of George Marsaglia, "Evaluating the normal distribution", 2004; every term has the sign of `x`.
fn normal_probability(x: f64) -> f64 {
    // Beyond it the probability is 0 or 1 to the last bit, and the terms would overflow in the end.
    const CERTAIN: f64 = 9.0;
    let x = x.clamp(-CERTAIN, CERTAIN);
    let mut sum = 0.0;
    let mut term = x;
    let mut odd = 1.0;
    while (term / x).abs() > f64::EPSILON {
        sum += term;
        odd += 2.0;
        term *= x * x / odd;
    }
    (0.5 + sum * (-x * x / 2.0).exp() / TAU.sqrt()).clamp(0.0, 1.0)
}
