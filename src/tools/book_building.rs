//! Makes and keeps opening books: grows a tree of searched positions, takes in games, writes books for other programs, checks them.
//!
//! The tree grows best first by drop-out expansion (Thomas Lincke, "Strategies for the automatic construction of opening
//! books", 2000): the leaf expanded next is the one that is cheapest to reach, where a ply costs something and a move that is
//! worse than the best one costs what it gives away. So the book goes deep where play is forced and broad where moves are
//! equal, and knows an answer to slightly inferior moves of either side. It grows from the start position and from drawn ballots at once;
//! every one of those is looked into before any is followed. To expand a leaf is to search all its moves ([`Recipe`]). Scores are
//! backed up by minimax over the whole tree (`tree.rs`); positions are merged by what the side to move sees.
//!
//! What a search finds depends on its position alone: it is limited by nodes, has one thread, and begins with an empty table. Which leaves are
//! expanded together depends on the tree alone. So a book does not depend on the number of threads, and a build that was ended goes on
//! from what has been searched so far, in whatever order that was found, as if nothing had happened.
//!
//! What people and games say of a position is not lost when a book is made anew: see [`Book`] and [`Entry::is_told`].

pub mod ballots;
pub mod check;
pub mod export;
pub mod games;
mod recipe;
mod tree;

pub use recipe::Recipe;

use crate::board::{Key, Position, Side};
use crate::book::{Book, Choice, Entry, key_of};
use crate::rules::Rules;
use crate::score::Score;
use crate::search::Team;
use crate::tools::stop::Stop;
use crate::tt::OutOfMemory;
use rayon::prelude::*;
use std::collections::HashMap;
use std::ops::ControlFlow;
use tree::{Root, Tree};

/// How much further the start position is followed than ballots are, as a cost (`tree.rs`): most games begin there.
const START_ADVANTAGE: i32 = 18;
/// The fewest leaves that are expanded together.
const LEAST_BATCH: usize = 32;
/// In a large tree one leaf is expanded together with others for so many positions.
const POSITIONS_OF_A_LEAF: usize = 64;
/// Searches for each thread after which what was found is handed over.
const HANDED_OVER: usize = 16;

/// The choice of the best move, whatever the random number.
pub(crate) const BEST: Choice = Choice {
    margin: 0,
    variety: 0,
};

/// What is built.
#[derive(Clone, Debug)]
pub struct Plan {
    /// How many positions to expand.
    pub positions: usize,
    /// The order in which leaves that cost the same are expanded follows from it.
    pub seed: u64,
    /// The positions of ballots.
    pub ballots: Vec<Position>,
}

/// A build that is going on.
pub struct Build<'a, R> {
    /// What is built.
    pub plan: &'a Plan,
    /// How positions are searched.
    pub recipe: &'a Recipe<R>,
    /// Who searches.
    pub team: &'a Team,
    /// What people and games have said.
    pub told: &'a Book,
    /// Ends it early.
    pub stop: &'a Stop,
}

/// Is told how a build gets on.
pub trait Watcher {
    /// Keeps what was searched. A break ends the build.
    fn keep(&mut self, searched: &[Entry]) -> ControlFlow<()>;
    /// Is told how many positions the tree has.
    fn grown(&mut self, positions: usize);
}

impl<R: Rules> Build<'_, R> {
    /// Builds a book, or returns `None` if it was ended early. `known` are the results of earlier searches by the same recipe.
    pub fn run(
        &self,
        mut known: HashMap<Key, Entry>,
        watcher: &mut dyn Watcher,
    ) -> Result<Option<Book>, OutOfMemory> {
        let mut tree = Tree::default();
        let roots = self.roots();
        while tree.len() < self.plan.positions {
            let batch = LEAST_BATCH.max(tree.len() / POSITIONS_OF_A_LEAF);
            let room = batch.min(self.plan.positions - tree.len());
            let leaves = tree.cheapest_leaves(&roots, room, self.plan.seed);
            if leaves.is_empty() {
                break;
            }
            if self.search(&leaves, &mut known, watcher)?.is_break() {
                return Ok(None);
            }
            for pos in leaves {
                let entry = known
                    .remove(&key_of(&pos))
                    .expect("all leaves have been searched");
                tree.add(pos, &entry, self.told);
            }
            tree.back_up();
            watcher.grown(tree.len());
        }
        Ok(Some(tree.into_book(self.told)))
    }

    /// Returns where the tree begins.
    fn roots(&self) -> Vec<Root> {
        let start = Root {
            pos: R::start(),
            cost: -START_ADVANTAGE,
        };
        let root = |pos: Position| Root { pos, cost: 0 };
        let ballots = self.plan.ballots.iter().copied().map(root);
        let told = self.told.entries().iter().filter(|entry| entry.is_told());
        let told = told.map(|entry| root(entry.pos));
        std::iter::once(start).chain(ballots).chain(told).collect()
    }

    /// Searches those positions that are not known yet. Breaks if the build is to end.
    fn search(
        &self,
        leaves: &[Position],
        known: &mut HashMap<Key, Entry>,
        watcher: &mut dyn Watcher,
    ) -> Result<ControlFlow<()>, OutOfMemory> {
        let is_new = |pos: &&Position| !known.contains_key(&key_of(pos));
        let new: Vec<Position> = leaves.iter().filter(is_new).copied().collect();
        for group in new.chunks(HANDED_OVER * self.team.threads()) {
            let search = |pos| (!self.stop.is_given()).then(|| self.recipe.expand(pos));
            let found: Vec<_> = self
                .team
                .install(|| group.par_iter().filter_map(search).collect());
            let found = found.into_iter().collect::<Result<Vec<Entry>, _>>()?;
            if watcher.keep(&found).is_break() || found.len() < group.len() {
                return Ok(ControlFlow::Break(()));
            }
            known.extend(found.into_iter().map(|entry| (key_of(&entry.pos), entry)));
        }
        Ok(ControlFlow::Continue(()))
    }
}

/// Returns a score of a side in men from White's view.
fn men_for_white(side: Side, score: Score) -> f64 {
    let for_white = if side == Side::White { score } else { -score };
    f64::from(for_white.0) / 100.0
}
