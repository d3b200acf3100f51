//! Limited strength, for training partners.
//!
//! A weaker player sees less, and does not always play what looks best. So a level of skill below the full one searches a small number of
//! positions, without endgame tables, for several best lines, and then plays the one that is best after a random number has been added to each
//! score. The lower the level, the fewer positions and the larger the numbers.
//!
//! What is seen is respected: no move is played that loses more than the margin of the level by the level's own search, a win
//! in sight is not given away, and a loss in sight is avoided. So mistakes are those of somebody who sees less, not those of
//! somebody who does not care.

use super::options::{FULL_SKILL, Options};
use crate::board::splitmix64;
use crate::score::Score;
use crate::search::{Limits, Line, Observer, Outcome, Report};

/// The lines among which a move is chosen.
const LINES: usize = 4;
/// The positions that the lowest level searches.
const LEAST_NODES: u64 = 64;
/// Each level searches this share of the positions of the level below it, in percent.
const GROWTH_PERCENT: u64 = 160;
/// What a move may give away for each level below full strength, in hundredths of a man.
const MARGIN_PER_LEVEL: u32 = 4;

/// A level below the full one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Skill {
    /// 0 up to below [`FULL_SKILL`].
    level: u32,
    /// The best lines that the user of the engine wants to see.
    lines: usize,
}

impl Skill {
    /// Returns the level to which a search is limited; `None` at full strength and in analysis.
    pub(super) fn new(options: &Options, limits: &Limits) -> Option<Self> {
        let is_limited = options.skill < FULL_SKILL && !limits.is_analysis;
        is_limited.then_some(Self {
            level: options.skill,
            lines: limits.lines,
        })
    }

    /// Adds what the level may search to the limits, and the lines that it chooses among.
    pub(super) fn limits(self, limits: Limits) -> Limits {
        let nodes = self.nodes();
        Limits {
            nodes: Some(limits.nodes.map_or(nodes, |limit| limit.min(nodes))),
            lines: limits.lines.max(LINES),
            ..limits
        }
    }

    /// Runs a search and chooses a move among its best lines, of which the observer is told as many as were asked for.
    pub(super) fn play(
        self,
        chance: u64,
        observer: &mut dyn Observer,
        run: impl FnOnce(&mut dyn Observer) -> Outcome,
    ) -> Outcome {
        let outcome = run(&mut |report: &Report| {
            let mut report = report.clone();
            report.others.truncate(self.others());
            observer.iteration(&report);
        });
        self.answer(chance, outcome)
    }

    /// Chooses a move among the best lines of a search, of which as many stay as were asked for.
    pub(super) fn answer(self, chance: u64, mut outcome: Outcome) -> Outcome {
        let report = &mut outcome.report;
        if let Some(chosen) = self.choose(report.score, &report.others, chance) {
            report.score = chosen.score;
            report.pv = chosen.pv;
            // Better lines than this are no answer to it.
            report.others.clear();
            outcome.best = report.pv.first().copied();
        }
        report.others.truncate(self.others());
        outcome
    }

    /// Returns how many lines besides the best one the user of the engine wants to see.
    fn others(self) -> usize {
        self.lines.saturating_sub(1)
    }

    /// Chooses one of the lines behind the best, whose score is given; `None` if the best is to be played.
    fn choose(self, best: Score, others: &[Line], chance: u64) -> Option<Line> {
        if best.is_decided() {
            return None;
        }
        let margin = self.margin();
        let noise = |number: u64| (splitmix64(chance ^ number) % (margin as u64 + 1)) as i32;
        let mut chosen = None;
        let mut highest = best.0 + noise(0);
        for (number, line) in (1..).zip(others) {
            let is_seen_to_lose = line.score.is_decided() || best.0 - line.score.0 > margin;
            let liked = line.score.0 + noise(number);
            if !is_seen_to_lose && liked > highest {
                highest = liked;
                chosen = Some(line);
            }
        }
        chosen.cloned()
    }

    /// Returns how many positions the level searches.
    fn nodes(self) -> u64 {
        let grow = |nodes, _| nodes * GROWTH_PERCENT / 100;
        (0..self.level).fold(LEAST_NODES, grow)
    }

    /// Returns what a move may give away, in hundredths of a man.
    fn margin(self) -> i32 {
        ((FULL_SKILL - self.level) * MARGIN_PER_LEVEL) as i32
    }
}
