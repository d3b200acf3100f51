//! Makes an opening book: grows a tree of searched positions from the start and writes its good moves.
//!
//! The tree grows best first by drop-out expansion (Thomas Lincke, "Strategies for the automatic construction of opening
//! books", 2000): the leaf expanded next is the one that is cheapest to reach, where a ply costs something and a move that is
//! worse than the best one costs what it gives away. So the book goes deep where play is forced and broad where moves are
//! equal, and knows an answer to slightly inferior moves of the opponent. To expand a leaf is to search every move in it
//! to a fixed depth. Scores are backed up by minimax over the whole tree; positions are merged by key.
//!
//! Every search is fixed in depth and begins with an empty table, so the result does not depend on the number of threads.

use crate::board::{Key, Move, Position};
use crate::engine::ResourceError;
use crate::notation::{fen, moves};
use crate::rules::{Game, Movement, Rules};
use crate::score::{Depth, Score};
use crate::search::{Limits, Task, Team};
use crate::tt::{OutOfMemory, Table};
use rayon::prelude::*;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::fmt::Write;

/// What a ply costs, in hundredths of a man given away.
const PLY_COST: i32 = 12;
/// Moves that are worse than the best one by more than this are not written.
const WRITTEN_LOSS: i32 = 12;
/// Positions further from balance than this are not expanded: the opening is over.
const BALANCE: i32 = 120;
/// Leaves that are expanded together. Part of the definition of the result, so it does not depend on the threads.
const BATCH: usize = 32;
/// The table of each search.
const TABLE_MIB: usize = 4;

/// What is built.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Positions to expand.
    pub positions: usize,
    /// The depth of the search of each move.
    pub depth: Depth,
    /// Threads to work with.
    pub threads: usize,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            positions: 500,
            depth: 11,
            threads: 1,
        }
    }
}

/// An expanded position.
struct Expanded {
    game_ply: usize,
    pos: Position,
    /// Every legal move, the key of the position after it, and the score of its own search.
    moves: Vec<(Move, Key, Score)>,
    /// The backed-up value.
    value: Score,
}

/// A leaf that may be expanded.
struct Leaf<R> {
    game: Game<R>,
    cost: i32,
}

/// Builds a book and returns its text. `line` is told about progress.
pub fn build<R: Rules>(plan: &Plan, line: &mut dyn FnMut(&str)) -> Result<String, ResourceError> {
    let team = Team::new(plan.threads)?;
    let mut tree: HashMap<Key, Expanded> = HashMap::new();
    let mut leaves = vec![Leaf {
        game: Game::<R>::new(),
        cost: 0,
    }];
    while tree.len() < plan.positions && !leaves.is_empty() {
        let room = BATCH.min(plan.positions - tree.len());
        let batch = leaves.split_off(leaves.len().saturating_sub(room));
        let searched: Result<Vec<Expanded>, OutOfMemory> = team.install(|| {
            batch
                .par_iter()
                .map(|leaf| expand(&leaf.game, plan.depth))
                .collect()
        });
        for (leaf, expanded) in batch.iter().zip(searched?) {
            tree.insert(leaf.game.key(), expanded);
        }
        back_up(&mut tree);
        leaves = cheapest_leaves::<R>(&tree);
        line(&format!(
            "{} of {} positions, value {}",
            tree.len(),
            plan.positions,
            tree[&Key::of(&R::start())].value.0
        ));
    }
    Ok(write::<R>(plan, &tree))
}

/// Searches every move of a position.
fn expand<R: Rules>(game: &Game<R>, depth: Depth) -> Result<Expanded, OutOfMemory> {
    let table = Table::new(TABLE_MIB)?;
    let search = |mv: Move| {
        let mut after = game.clone();
        after.play(mv);
        let key = after.key();
        let limits = Limits {
            depth: Some(depth),
            is_analysis: true,
            ..Limits::default()
        };
        table.clear();
        let score = Task::new(after, limits).run_here(&table).report.score;
        (mv, key, -score)
    };
    let moves: Vec<_> = game.legal_moves().into_iter().map(search).collect();
    let value = moves
        .iter()
        .map(|&(_, _, score)| score)
        .max()
        .unwrap_or(Score::loss_in(0));
    Ok(Expanded {
        game_ply: game.moves().len(),
        pos: *game.position(),
        moves,
        value,
    })
}

/// Makes the value of every expanded position that of its best move, from the last plies to the first.
///
/// A position is expanded at the ply where it was first met; a transposition to an earlier ply keeps the value it had.
fn back_up(tree: &mut HashMap<Key, Expanded>) {
    let mut order: Vec<(Reverse<usize>, u64)> = tree
        .iter()
        .map(|(key, node)| (Reverse(node.game_ply), key.0))
        .collect();
    order.sort_unstable();
    for (_, key) in order {
        let node = &tree[&Key(key)];
        let best = node.moves.iter().map(|edge| move_value(tree, edge)).max();
        if let (Some(best), Some(node)) = (best, tree.get_mut(&Key(key))) {
            node.value = best;
        }
    }
}

/// Returns the value of a move: backed up if the position after it is expanded, else that of its own search.
fn move_value(tree: &HashMap<Key, Expanded>, &(_, key, searched): &(Move, Key, Score)) -> Score {
    tree.get(&key).map_or(searched, |child| -child.value)
}

/// Returns the leaves that are cheapest to reach from the start, the cheapest last, enough for a batch.
///
/// Dijkstra's algorithm over the expanded positions, so every leaf is met first on its cheapest way.
fn cheapest_leaves<R: Rules>(tree: &HashMap<Key, Expanded>) -> Vec<Leaf<R>> {
    // Of equal costs the way that was found first comes first.
    let mut ways = vec![Vec::<Move>::new()];
    let mut queue = BinaryHeap::from([Reverse((0, 0))]);
    let mut seen = HashSet::new();
    let mut leaves = Vec::new();
    while let Some(Reverse((cost, way))) = queue.pop() {
        let mut game = Game::<R>::new();
        ways[way].iter().for_each(|&mv| game.play(mv));
        if !seen.insert(game.key()) || game.ending().is_some() {
            continue;
        }
        let Some(node) = tree.get(&game.key()) else {
            leaves.push(Leaf { game, cost });
            if leaves.len() >= BATCH {
                break;
            }
            continue;
        };
        if node.value.0.abs() > BALANCE {
            continue;
        }
        for edge in &node.moves {
            let loss = node.value.0 - move_value(tree, edge).0;
            let longer = ways[way].iter().copied().chain([edge.0]).collect();
            ways.push(longer);
            // A forced move is free: it leads nowhere else.
            let step = if node.moves.len() == 1 { 1 } else { PLY_COST };
            queue.push(Reverse((cost + step + loss.max(0), ways.len() - 1)));
        }
    }
    leaves.sort_by_key(|leaf| (Reverse(leaf.cost), leaf.game.key().0));
    leaves
}

/// Writes the book: every expanded position with its good moves.
fn write<R: Rules>(plan: &Plan, tree: &HashMap<Key, Expanded>) -> String {
    let name = R::Movement::NAME;
    let mut text = format!(
        "# Opening book, {} positions. Made by:\n# mainroad book build --variant {} --positions {} --depth {}\nmainroad-book 1 {name}\n",
        tree.len(),
        R::VARIANT,
        plan.positions,
        plan.depth,
    );
    let mut nodes: Vec<&Expanded> = tree.values().collect();
    nodes.sort_unstable_by_key(|node| (node.game_ply, fen::write(&node.pos)));
    for node in nodes {
        let mut valued: Vec<(Score, Move)> = node
            .moves
            .iter()
            .map(|edge| (move_value(tree, edge), edge.0))
            .collect();
        valued.sort_by_key(|&(value, _)| Reverse(value));
        let best = valued.first().map_or(0, |(value, _)| value.0);
        let kept = valued
            .iter()
            .take_while(|(value, _)| best - value.0 <= WRITTEN_LOSS);
        let _ = write!(text, "{}", fen::write(&node.pos));
        for &(value, mv) in kept {
            let _ = write!(text, " | {} {}", moves::write::<R>(&node.pos, mv), value.0);
        }
        text.push('\n');
    }
    text
}
