//! Counts the records of a match.

use super::plan::Plan;
use super::record::Record;
use super::statistics::{Pentanomial, Tally, Verdict};
use crate::board::Side;
use std::collections::BTreeMap;

/// The games of a match that are finished, and what the test says of them.
#[derive(Clone, Debug)]
pub struct Standings<'a> {
    plan: &'a Plan,
    records: BTreeMap<u64, Record>,
    /// The pairs from the first one up to the first that is not complete.
    in_order: Pentanomial,
    /// The number of those pairs.
    next_pair: u64,
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
    /// Begins with no games.
    pub fn new(plan: &'a Plan) -> Self {
        Self {
            plan,
            records: BTreeMap::new(),
            in_order: Pentanomial::default(),
            next_pair: 0,
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
        while let Some(half_points) = self.pair(self.next_pair) {
            self.in_order.add(half_points);
            self.next_pair += 1;
            self.decide();
        }
        Ok(())
    }

    /// Asks the test, if it has not ended.
    fn decide(&mut self) {
        let Some(sprt) = &self.plan.sprt else { return };
        let verdict = sprt.verdict(&self.in_order);
        if self.decision.is_none() && verdict != Verdict::Continue {
            self.decision = Some(Decision {
                verdict,
                pairs: self.next_pair,
                llr: sprt.llr(&self.in_order),
            });
        }
    }

    /// Returns the half points, from 0 to 4, that the first player of the encounter has from a pair, or `None` if it is not complete.
    fn pair(&self, pair: u64) -> Option<usize> {
        // The first player has White in the first game.
        let first = self.records.get(&(2 * pair))?.half_points(Side::White);
        let second = self.records.get(&(2 * pair + 1))?.half_points(Side::Black);
        Some(first + second)
    }

    /// Returns the plan.
    pub const fn plan(&self) -> &'a Plan {
        self.plan
    }

    /// Returns the finished games in the order of their numbers.
    pub fn records(&self) -> impl ExactSizeIterator<Item = &Record> {
        self.records.values()
    }

    /// Says whether a game is finished.
    pub fn has(&self, game: u64) -> bool {
        self.records.contains_key(&game)
    }

    /// Returns what the test has decided, or `None` if it goes on or there is none.
    pub const fn decision(&self) -> Option<Decision> {
        self.decision
    }

    /// Returns the log-likelihood ratio of the test: where it stands, or where it stood when it ended.
    pub fn llr(&self) -> Option<f64> {
        let sprt = self.plan.sprt.as_ref()?;
        Some(match self.decision {
            Some(decision) => decision.llr,
            None => sprt.llr(&self.in_order),
        })
    }

    /// Returns the results of each encounter, in the order of [`Plan::encounters`], from the view of its first player: single games, and
    /// complete pairs.
    pub fn encounters(&self) -> Vec<(Tally, Pentanomial)> {
        let count = self.plan.encounters().len();
        let mut results = vec![(Tally::default(), Pentanomial::default()); count];
        for (&game, record) in &self.records {
            let pair = game / 2;
            let (tally, pairs) = &mut results[(pair % count as u64) as usize];
            let is_first = game.is_multiple_of(2);
            let side = if is_first { Side::White } else { Side::Black };
            tally.record(record.half_points(side));
            if let (true, Some(half_points)) = (is_first, self.pair(pair)) {
                pairs.add(half_points);
            }
        }
        results
    }
}
