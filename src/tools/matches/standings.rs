//! Counts the records of a match.

use super::plan::Plan;
use super::record::Record;
use super::statistics::{Pentanomial, Tally, Verdict};
use crate::board::Side;
use crate::tools::shard::Shard;
use std::collections::{BTreeMap, HashSet};

/// The games of a match that are finished, and what the test says of them.
#[derive(Clone, Debug)]
pub struct Standings<'a> {
    plan: &'a Plan,
    shard: Shard,
    records: BTreeMap<u64, Record>,
    /// The pairs from the first one up to the first that is not complete, without repeated ones.
    in_order: Pentanomial,
    /// The number of those pairs, repeated ones included.
    next_pair: u64,
    /// The moves of those pairs.
    moves_in_order: HashSet<PairMoves>,
    decision: Option<Decision>,
}

/// The end of the sequential test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decision {
    /// What it says.
    pub verdict: Verdict,
    /// After so many pairs.
    pub pairs: u64,
    /// The log-likelihood ratio at that moment.
    pub llr: f64,
}

/// The encounter of a pair, and the moves of its games.
type PairMoves = (u64, [Vec<String>; 2]);

/// Says why a record cannot be counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unfit {
    /// The match has no such game.
    #[error("game {0} is not a game of this match")]
    Foreign(u64),
    /// The game is there already.
    #[error("game {0} is there twice")]
    Twice(u64),
}

impl<'a> Standings<'a> {
    /// Begins with no games, for a part of the match or the whole.
    pub fn new(plan: &'a Plan, shard: Shard) -> Self {
        Self {
            plan,
            shard,
            records: BTreeMap::new(),
            in_order: Pentanomial::default(),
            next_pair: 0,
            moves_in_order: HashSet::new(),
            decision: None,
        }
    }

    /// Counts a game.
    ///
    /// The sequential test looks at pairs in the order of their numbers, and only when all before are complete: otherwise short games, which
    /// are finished first, would count before long ones, and the result would depend on the speed of the machine.
    pub fn add(&mut self, record: Record) -> Result<(), Unfit> {
        let game = record.game;
        let names: Vec<&str> = self
            .plan
            .players
            .iter()
            .map(|player| player.name.as_str())
            .collect();
        if game >= self.plan.games() || !record.fits(&self.plan.pairing(game), &names) {
            return Err(Unfit::Foreign(game));
        }
        if self.records.contains_key(&game) {
            return Err(Unfit::Twice(game));
        }
        self.records.insert(game, record);
        while self.decision.is_none()
            && let Some((half_points, moves)) = self.pair(self.next_pair)
        {
            self.next_pair += 1;
            if self.moves_in_order.insert(moves) {
                self.in_order.add(half_points);
                self.decide();
            }
        }
        Ok(())
    }

    /// Asks the test, if it has not ended.
    fn decide(&mut self) {
        let Some(sprt) = &self.plan.sprt else { return };
        let verdict = sprt.verdict(&self.in_order);
        if verdict != Verdict::Continue {
            self.decision = Some(Decision {
                verdict,
                pairs: self.next_pair,
                llr: sprt.llr(&self.in_order),
            });
        }
    }

    /// Returns the half points, from 0 to 4, that the first player of the encounter has from a pair, and its moves; `None` if it
    /// is not complete.
    fn pair(&self, pair: u64) -> Option<(usize, PairMoves)> {
        let games = [
            self.records.get(&(2 * pair))?,
            self.records.get(&(2 * pair + 1))?,
        ];
        // The first player has White in the first game.
        let half_points = games[0].half_points(Side::White) + games[1].half_points(Side::Black);
        let encounter = pair % self.plan.encounters().len() as u64;
        // The position is part of it: an opening may have no moves.
        let moves = games.map(|game| {
            let start = std::iter::once(&game.fen);
            start.chain(&game.moves).cloned().collect()
        });
        Some((half_points, (encounter, moves)))
    }

    /// Returns the plan.
    pub const fn plan(&self) -> &'a Plan {
        self.plan
    }

    /// Returns the finished games in the order of their numbers.
    pub fn records(&self) -> impl ExactSizeIterator<Item = &Record> {
        self.records.values()
    }

    /// Returns the games that count: all, or those before the test has decided. What was played at the same time as the deciding pair
    /// depends on the speed of the machine.
    pub fn counted(&self) -> impl Iterator<Item = &Record> {
        let end = self
            .decision
            .map_or(u64::MAX, |decision| 2 * decision.pairs);
        self.records.range(..end).map(|(_, record)| record)
    }

    /// Says whether a game is finished.
    pub fn has(&self, game: u64) -> bool {
        self.records.contains_key(&game)
    }

    /// Returns what the test has decided, or `None` if it goes on or there is none.
    pub const fn decision(&self) -> Option<Decision> {
        self.decision
    }

    /// Returns the log-likelihood ratio of the test and the number of pairs that it is about, from the first on without a gap: where it
    /// stands, or where it stood when it ended. A part of a match has none.
    pub fn llr(&self) -> Option<(f64, u64)> {
        let sprt = self.plan.sprt.as_ref().filter(|_| self.shard.is_whole())?;
        Some(match self.decision {
            Some(decision) => (decision.llr, decision.pairs),
            None => (sprt.llr(&self.in_order), self.next_pair),
        })
    }

    /// Returns the results of each encounter, in the order of [`Plan::encounters`], from the view of its first player: single games, and
    /// complete pairs; and how many pairs were not counted because they repeat an earlier one move for move, which proves nothing new.
    pub fn encounters(&self) -> (Vec<(Tally, Pentanomial)>, u64) {
        let count = self.plan.encounters().len();
        let mut results = vec![(Tally::default(), Pentanomial::default()); count];
        let mut seen = HashSet::new();
        let mut repeated = 0;
        for record in self.counted() {
            let pair = record.game / 2;
            let (tally, pairs) = &mut results[(pair % count as u64) as usize];
            let is_first = record.game.is_multiple_of(2);
            let side = if is_first { Side::White } else { Side::Black };
            tally.record(record.half_points(side));
            if let (true, Some((half_points, moves))) = (is_first, self.pair(pair)) {
                if seen.insert(moves) {
                    pairs.add(half_points);
                } else {
                    repeated += 1;
                }
            }
        }
        (results, repeated)
    }
}
