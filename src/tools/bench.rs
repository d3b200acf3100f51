//! The benchmark: a fixed set of positions of every rule set, searched to a fixed depth.
//!
//! With one thread the count of nodes is the same on every machine. It is a fingerprint of search and evaluation: a change that
//! should not alter behaviour must not alter it. Speed is a by-product.

use crate::engine::{Options, ResourceError, Resources};
use crate::eval::Evaluation;
use crate::notation::fen;
use crate::rules::{Game, Rules, Variant};
use crate::score::Depth;
use crate::search::{Control, Limits, Report, Task};
use crate::with_rules;
use std::time::{Duration, Instant};

/// How deep each position is searched if nothing else is asked for.
pub const DEFAULT_DEPTH: Depth = 16;

/// Positions besides the start: openings, middle games, exchanges, endings with kings.
const POSITIONS: [&str; 9] = [
    "B:W18,21,22,24,25,26,28,29,30,31,32:B1,2,3,4,6,7,8,9,10,12,16",
    "W:W17,18,19,21,27,28,29,31,32:B2,5,7,8,10,11,12,16,20",
    "W:W13,18,19,21,22,23,28,30:B1,5,6,9,11,12,14,16",
    "B:W14,15,17,21,23,27,28,32:B1,4,5,6,8,12,16,20",
    "W:W18,19,20,21,22:B2,7,9,12,14",
    "W:W16,19,20,21,23,26:B3,4,7,9,10,12",
    "B:WK4,10,K11,17,25,K26,K32:BK8,21,K31",
    "W:WK29,K30,23:BK4,K12,13",
    "W:WK1,K2,K3:BK32",
];

/// What is run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The depth of each search; the default keeps the whole under a few seconds.
    pub depth: Option<Depth>,
    /// Search threads. With more than one the count varies.
    pub threads: usize,
    /// The size of the table, in MiB.
    pub hash_mib: usize,
    /// The evaluation.
    pub net: Evaluation,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            depth: None,
            threads: 1,
            hash_mib: 16,
            net: Evaluation::default(),
        }
    }
}

/// What it came to.
#[derive(Clone, Copy, Debug, Default)]
pub struct Total {
    /// Positions searched.
    pub nodes: u64,
    /// The time it took.
    pub time: Duration,
}

impl Total {
    /// Returns the nodes a second.
    pub fn nps(self) -> u64 {
        (self.nodes as f64 / self.time.as_secs_f64().max(1e-9)) as u64
    }
}

/// Searches every position under every rule set, with an empty table each. `line` is given a line of text for each.
pub fn run(plan: &Plan, line: &mut dyn FnMut(&str)) -> Result<Total, ResourceError> {
    let options = Options {
        threads: plan.threads,
        hash_mib: plan.hash_mib,
        ..Options::default()
    };
    let mut resources = Resources::new(&options)?;
    let mut total = Total::default();
    for variant in Variant::ALL {
        let part = with_rules!(variant, R => run_variant::<R>(plan, &mut resources));
        line(&format!(
            "{variant:<16} {:>12} nodes {:>9} nps",
            part.nodes,
            part.nps()
        ));
        total.nodes += part.nodes;
        total.time += part.time;
    }
    Ok(total)
}

fn run_variant<R: Rules>(plan: &Plan, resources: &mut Resources) -> Total {
    let mut total = Total::default();
    let positions = POSITIONS.map(|text| fen::parse(text).expect("the positions are legal"));
    for pos in [R::start()].into_iter().chain(positions) {
        resources.clear();
        let limits = Limits {
            depth: Some(plan.depth.unwrap_or(DEFAULT_DEPTH)),
            ..Limits::default()
        };
        let task = Task {
            evaluation: plan.net.clone(),
            ..Task::new(Game::<R>::from_position(pos), limits)
        };
        let started = Instant::now();
        let outcome = task.run(
            resources.team(),
            resources.table(),
            &Control::new(),
            &mut |_: &Report| (),
        );
        total.time += started.elapsed();
        total.nodes += outcome.report.nodes;
    }
    total
}
