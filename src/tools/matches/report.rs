//! What a match came to, for people and for programs.
//!
//! The fields of [`Summary`] are those of the JSON; `text` writes the same numbers for people. Results are from the view of the player that is
//! named first.

mod text;

use super::record::{Record, Thought};
use super::standings::Standings;
use super::statistics::{self, Elo, Pentanomial, Tally, Verdict};
use crate::board::Side;
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};

/// The results of a match, or of what is finished of it.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// The rule set.
    pub variant: &'static str,
    /// What tells this match from others.
    pub fingerprint: String,
    /// Finished games.
    pub games: u64,
    /// Games of the whole match.
    pub planned: u64,
    /// Games that the first player has won.
    pub wins: u64,
    /// Games that the first player has drawn.
    pub draws: u64,
    /// Games that the first player has lost.
    pub losses: u64,
    /// Complete pairs in which the first player has 0, 1/2, 1, 3/2 and 2 points, without repeated ones.
    pub pentanomial: [u64; 5],
    /// Complete pairs that repeat an earlier one move for move. They prove nothing new and are not counted as pairs.
    pub repeated_pairs: u64,
    /// Games that were finished when the sequential test had decided. They are not counted.
    pub games_after_decision: u64,
    /// The Elo difference of the first player to its opponents, from complete pairs; null if there are none, or it is infinite.
    pub elo: Option<f64>,
    /// Its interval of 95%; null ends are infinite.
    pub elo_interval: Option<[f64; 2]>,
    /// The likelihood that the first player is the stronger one.
    pub los: Option<f64>,
    /// The log-likelihood ratio of the sequential test, from pairs in order.
    pub llr: Option<f64>,
    /// The sequential test.
    pub sprt: Option<SprtSummary>,
    /// Games lost by faults: players, kinds, numbers.
    pub forfeits: BTreeMap<String, BTreeMap<String, u64>>,
    /// The players in the order of the plan.
    pub players: Vec<PlayerSummary>,
    /// The players that met.
    pub encounters: Vec<EncounterSummary>,
    /// All games by the colour that won.
    pub colours: Colours,
    /// Decided games by how they ended.
    pub wins_by_reason: BTreeMap<String, u64>,
    /// Drawn games by how they ended.
    pub draws_by_reason: BTreeMap<String, u64>,
    /// The mean length of a game, in plies.
    pub mean_plies: Option<f64>,
    /// The games of each opening, in the order of their first game.
    pub openings: Vec<OpeningSummary>,
}

/// What the sequential test says.
#[derive(Clone, Debug, Serialize)]
pub struct SprtSummary {
    /// The Elo difference of the null hypothesis.
    pub elo0: f64,
    /// That of the alternative.
    pub elo1: f64,
    /// The likelihood of accepting the alternative wrongly.
    pub alpha: f64,
    /// The likelihood of accepting the null hypothesis wrongly.
    pub beta: f64,
    /// The bounds of the log-likelihood ratio.
    pub bounds: [f64; 2],
    /// `"continue"`, `"h0"` or `"h1"`.
    pub verdict: &'static str,
    /// The pairs that the ratio is about, from the first one without a gap; null in a part of a match.
    pub pairs: Option<u64>,
}

/// A player's part.
#[derive(Clone, Debug, Serialize)]
pub struct PlayerSummary {
    /// Its name.
    pub name: String,
    /// Its finished games.
    pub games: u64,
    /// All its games.
    #[serde(flatten)]
    pub all: Tally,
    /// Its games with White.
    pub white: Tally,
    /// Its games with Black.
    pub black: Tally,
    /// Points: 1 for a win, 1/2 for a draw.
    pub points: f64,
    /// The Elo rating relative to the mean of all players, when there are more than two.
    pub rating: Option<f64>,
    /// The mean depth of its searches.
    pub mean_depth: Option<f64>,
    /// The mean number of nodes a move.
    pub mean_nodes: Option<f64>,
    /// The mean time of a move in seconds.
    pub mean_time_s: Option<f64>,
    /// Its longest move in seconds.
    pub longest_time_s: f64,
}

/// Two players that met.
#[derive(Clone, Debug, Serialize)]
pub struct EncounterSummary {
    /// The player from whose view the results are.
    pub first: String,
    /// The other.
    pub second: String,
    /// The games.
    #[serde(flatten)]
    pub tally: Tally,
    /// Complete pairs.
    pub pentanomial: [u64; 5],
    /// As in [`Summary`].
    pub elo: Option<f64>,
    /// As in [`Summary`].
    pub elo_interval: Option<[f64; 2]>,
    /// As in [`Summary`].
    pub los: Option<f64>,
}

/// Games by the colour that won.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Colours {
    /// Won by White.
    pub white_wins: u64,
    /// Drawn.
    pub draws: u64,
    /// Won by Black.
    pub black_wins: u64,
}

/// The games of an opening.
#[derive(Clone, Debug, Serialize)]
pub struct OpeningSummary {
    /// Its name.
    pub name: String,
    /// Its games by colour.
    #[serde(flatten)]
    pub colours: Colours,
}

impl Colours {
    fn count(&mut self, record: &Record) {
        match record.winner {
            Some('W') => self.white_wins += 1,
            Some(_) => self.black_wins += 1,
            None => self.draws += 1,
        }
    }
}

/// What a player said and took, summed up: sums with the numbers of their terms.
#[derive(Clone, Debug, Default)]
struct Means {
    depths: (f64, u64),
    nodes: (f64, u64),
    times: (f64, u64),
    longest: f64,
}

impl Means {
    fn add(&mut self, thought: &Thought) {
        // A move of the book has no depth.
        if let Some(depth) = thought.depth.filter(|&depth| depth > 0) {
            self.depths = (self.depths.0 + f64::from(depth), self.depths.1 + 1);
        }
        if let Some(nodes) = thought.nodes {
            self.nodes = (self.nodes.0 + nodes as f64, self.nodes.1 + 1);
        }
        self.times = (self.times.0 + thought.time_s, self.times.1 + 1);
        self.longest = self.longest.max(thought.time_s);
    }
}

fn mean((sum, count): (f64, u64)) -> Option<f64> {
    (count > 0).then(|| sum / count as f64)
}

fn finite(number: f64) -> Option<f64> {
    number.is_finite().then_some(number)
}

/// Returns the value and the ends of an estimate, as the JSON has them.
fn numbers(elo: Option<Elo>) -> (Option<f64>, Option<[f64; 2]>) {
    let value = elo.and_then(|elo| finite(elo.value));
    (value, elo.map(|elo| [elo.low, elo.high]))
}

impl Summary {
    /// Sums up.
    pub fn of(standings: &Standings) -> Self {
        let plan = standings.plan();
        let (results, repeated_pairs) = standings.encounters();
        let games = standings.counted().count();
        let encounters = plan.encounters();
        let mut first = (Tally::default(), Pentanomial::default());
        for (&(one, _), (tally, pairs)) in encounters.iter().zip(&results) {
            if one == 0 {
                first.0 += *tally;
                first.1 += *pairs;
            }
        }
        let met = encounters.iter().zip(&results).map(|(&pair, results)| {
            let [one, two] = [pair.0, pair.1].map(|player| &plan.players[player].name);
            EncounterSummary::of(one, two, results)
        });
        let (elo, elo_interval) = numbers(statistics::elo(&first.1));
        let mut summary = Self {
            variant: plan.variant.name(),
            fingerprint: plan.fingerprint(),
            games: games as u64,
            planned: plan.games(),
            wins: first.0.wins,
            draws: first.0.draws,
            losses: first.0.losses,
            pentanomial: first.1.0,
            repeated_pairs,
            games_after_decision: (standings.records().len() - games) as u64,
            elo,
            elo_interval,
            los: statistics::los(&first.1),
            llr: standings.llr().map(|(llr, _)| llr),
            sprt: SprtSummary::of(standings),
            forfeits: BTreeMap::new(),
            players: Vec::new(),
            encounters: met.collect(),
            colours: Colours::default(),
            wins_by_reason: BTreeMap::new(),
            draws_by_reason: BTreeMap::new(),
            mean_plies: None,
            openings: Vec::new(),
        };
        summary.count_records(standings);
        summary.count_players(standings);
        summary
    }

    fn count_records(&mut self, standings: &Standings) {
        let mut plies = (0.0, 0);
        let mut places: HashMap<&str, usize> = HashMap::new();
        for record in standings.counted() {
            self.colours.count(record);
            let reasons = match record.winner {
                Some(_) => &mut self.wins_by_reason,
                None => &mut self.draws_by_reason,
            };
            *reasons.entry(record.reason.clone()).or_default() += 1;
            if let Some(fault) = &record.fault {
                let name = if fault.side == 'W' {
                    &record.white
                } else {
                    &record.black
                };
                let kinds = self.forfeits.entry(name.clone()).or_default();
                *kinds.entry(fault.kind.name().to_owned()).or_default() += 1;
            }
            plies = (plies.0 + record.moves.len() as f64, plies.1 + 1);
            let place = *places.entry(&record.opening).or_insert_with(|| {
                self.openings.push(OpeningSummary {
                    name: record.opening.clone(),
                    colours: Colours::default(),
                });
                self.openings.len() - 1
            });
            self.openings[place].colours.count(record);
        }
        self.mean_plies = mean(plies);
    }

    fn count_players(&mut self, standings: &Standings) {
        let plan = standings.plan();
        let ratings = (plan.players.len() > 2).then(|| ratings(standings));
        for (index, player) in plan.players.iter().enumerate() {
            let mut tallies = [Tally::default(); 2];
            let mut means = Means::default();
            for record in standings.counted() {
                for (side, name) in [(Side::White, &record.white), (Side::Black, &record.black)] {
                    if *name == player.name {
                        tallies[side.index()].record(record.half_points(side));
                        own_thoughts(record, side).for_each(|thought| means.add(thought));
                    }
                }
            }
            let mut all = tallies[0];
            all += tallies[1];
            self.players.push(PlayerSummary {
                name: player.name.clone(),
                games: all.games(),
                all,
                white: tallies[0],
                black: tallies[1],
                points: all.wins as f64 + all.draws as f64 / 2.0,
                rating: ratings.as_ref().and_then(|ratings| ratings[index]),
                mean_depth: mean(means.depths),
                mean_nodes: mean(means.nodes),
                mean_time_s: mean(means.times),
                longest_time_s: means.longest,
            });
        }
    }
}

impl EncounterSummary {
    fn of(first: &str, second: &str, (tally, pairs): &(Tally, Pentanomial)) -> Self {
        let (elo, elo_interval) = numbers(statistics::elo(pairs));
        Self {
            first: first.to_owned(),
            second: second.to_owned(),
            tally: *tally,
            pentanomial: pairs.0,
            elo,
            elo_interval,
            los: statistics::los(pairs),
        }
    }
}

/// Returns what a side said in a game. The sides alternate, and the side to move after the opening follows from the position and the
/// length of the opening.
fn own_thoughts(record: &Record, side: Side) -> impl Iterator<Item = &Thought> {
    let begins = record.fen.starts_with(side.letter());
    let is_first = begins == record.opening_plies.is_multiple_of(2);
    record
        .thoughts
        .iter()
        .skip(usize::from(!is_first))
        .step_by(2)
}

/// Returns the ratings of more than two players.
fn ratings(standings: &Standings) -> Vec<Option<f64>> {
    let plan = standings.plan();
    let games: Vec<(usize, usize, f64)> = standings
        .counted()
        .map(|record| {
            let pairing = plan.pairing(record.game);
            let score = record.half_points(Side::White) as f64 / 2.0;
            (pairing.white, pairing.black, score)
        })
        .collect();
    statistics::ratings(plan.players.len(), &games)
}

impl SprtSummary {
    fn of(standings: &Standings) -> Option<Self> {
        let sprt = standings.plan().sprt.as_ref()?;
        let decision = standings.decision();
        let (low, high) = sprt.bounds();
        Some(Self {
            elo0: sprt.elo0,
            elo1: sprt.elo1,
            alpha: sprt.alpha,
            beta: sprt.beta,
            bounds: [low, high],
            verdict: match decision.map_or(Verdict::Continue, |decision| decision.verdict) {
                Verdict::Continue => "continue",
                Verdict::AcceptH0 => "h0",
                Verdict::AcceptH1 => "h1",
            },
            pairs: standings.llr().map(|(_, pairs)| pairs),
        })
    }
}
