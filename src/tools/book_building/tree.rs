//! The tree of a book that grows: expanded positions, backed-up values, and the leaves that come next.
//!
//! It is a graph, since move orders meet. Positions with a king are never expanded: then the opening is over. So every move leads further
//! along ([`progress_of`]), there are no cycles, and one pass from the last positions to the first makes all values consistent.

use crate::board::{Key, Position, splitmix64};
use crate::book::{Basis, Book, BookMove, Entry, key_of, progress_of};
use crate::rules::has_legal_move;
use crate::score::{Depth, Score};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};

/// What the best move costs, in hundredths of a man given away. It is less than other moves cost, so that the best lines of every ballot
/// are followed far enough to tell what it is worth.
const BEST_COST: i32 = 3;
/// What any other move costs, besides what it gives away.
const OTHER_COST: i32 = 6;
/// What the only move costs: it leads nowhere else.
const FORCED_COST: i32 = 1;
/// What makes a root that is not expanded come before everything else.
const AHEAD_OF_ALL: i32 = i32::MIN / 2;
/// Moves that give away more than this are not followed.
const WIDEST_LOSS: i32 = 100;
/// Positions further from balance than this are not followed: the opening is over.
const BALANCE: i32 = 120;
/// Moves that are worse than the best one by more than this are not written.
const WRITTEN_LOSS: i32 = 12;
/// The most estimates that are written for a position.
const WRITTEN_ESTIMATES: usize = 2;

/// Where a tree begins, and what that costs.
pub(super) struct Root {
    pub(super) pos: Position,
    pub(super) cost: i32,
}

/// The tree.
#[derive(Default)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    places: HashMap<Key, usize>,
}

/// An expanded position.
struct Node {
    pos: Position,
    depth: Option<Depth>,
    /// Every legal move.
    edges: Vec<Edge>,
    /// The backed-up value.
    value: Score,
    is_proved: bool,
}

/// A move of an expanded position.
struct Edge {
    /// The key of the position after it.
    key: Key,
    /// What its own search found, or what a person said.
    searched: BookMove,
    /// What is known of it now.
    known: BookMove,
}

impl Tree {
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Adds an expanded position: what was searched, perhaps for its mirror image, and what people and games say of it.
    pub(super) fn add(&mut self, pos: Position, searched: &Entry, told: &Book) {
        let told = told.moves(&pos);
        let edge = |mut searched: BookMove| {
            if let Some(told) = told.iter().find(|told| told.mv == searched.mv) {
                searched.games = told.games;
                if told.basis == Basis::Hand {
                    searched = *told;
                }
            }
            Edge {
                key: key_of(&pos.play(searched.mv)),
                searched,
                known: searched,
            }
        };
        self.places.insert(key_of(&pos), self.nodes.len());
        self.nodes.push(Node {
            pos,
            depth: searched.depth,
            edges: searched.moves_in(&pos).into_iter().map(edge).collect(),
            value: Score::DRAW,
            is_proved: false,
        });
    }

    /// Makes the value of every position that of its best move, from the last positions to the first.
    pub(super) fn back_up(&mut self) {
        let mut order: Vec<usize> = (0..self.nodes.len()).collect();
        order.sort_by_cached_key(|&place| Reverse(progress_of(&self.nodes[place].pos)));
        for place in order {
            let mut edges = std::mem::take(&mut self.nodes[place].edges);
            for edge in &mut edges {
                edge.known = self.known(edge);
            }
            edges.sort_by_key(|edge| Reverse(edge.known.score));
            let node = &mut self.nodes[place];
            let best = edges.first().map(|edge| edge.known);
            node.value = best
                .and_then(|best| best.score)
                .unwrap_or(Score::loss_in(0));
            let is_won = node.value.is_decided() && node.value > Score::DRAW;
            node.is_proved = is_won && best.is_some_and(|best| best.is_proved)
                || edges.iter().all(|edge| edge.known.is_proved);
            node.edges = edges;
        }
    }

    /// Returns what is known of a move: a person's word, else the value of the position after it if that is expanded, else its own search.
    fn known(&self, edge: &Edge) -> BookMove {
        let searched = edge.searched;
        if searched.basis == Basis::Hand {
            return searched;
        }
        match self.places.get(&edge.key) {
            Some(&place) => BookMove {
                score: Some(one_ply_before(self.nodes[place].value)),
                basis: Basis::Tree,
                is_proved: self.nodes[place].is_proved,
                ..searched
            },
            // There is nothing to look into behind it.
            None if searched.is_proved => BookMove {
                basis: Basis::Tree,
                ..searched
            },
            None => searched,
        }
    }

    /// Returns the leaves that are cheapest to reach, at most so many, in the order of their costs. Roots that are not expanded come first.
    ///
    /// Dijkstra's algorithm over the expanded positions, so every leaf is met first on its cheapest way.
    pub(super) fn cheapest_leaves(&self, roots: &[Root], room: usize, seed: u64) -> Vec<Position> {
        let mut ways = Ways::new(seed);
        for root in roots {
            let is_expanded = self.places.contains_key(&key_of(&root.pos));
            let cost = root.cost + if is_expanded { 0 } else { AHEAD_OF_ALL };
            ways.add(root.pos, key_of(&root.pos), cost);
        }
        let mut leaves = Vec::new();
        while let Some((pos, key, cost)) = ways.next() {
            let Some(&place) = self.places.get(&key) else {
                leaves.push(pos);
                if leaves.len() >= room {
                    break;
                }
                continue;
            };
            let node = &self.nodes[place];
            if node.value.0.abs() > BALANCE {
                continue;
            }
            for (rank, edge) in node.edges.iter().enumerate() {
                let Some(score) = edge.known.score else {
                    continue;
                };
                let loss = node.value.0 - score.0;
                let step = match rank {
                    0 if node.edges.len() == 1 => FORCED_COST,
                    0 => BEST_COST,
                    _ => OTHER_COST,
                };
                if loss <= WIDEST_LOSS && !edge.known.is_proved {
                    let pos = node.pos.play(edge.searched.mv);
                    ways.add(pos, edge.key, cost + step + loss);
                }
            }
        }
        leaves
    }

    /// Makes the book: every position with its good moves, and what people and games say of others.
    pub(super) fn into_book(self, told: &Book) -> Book {
        let mut book = Book::default();
        for node in self.nodes {
            let notes = told.entry(&node.pos).map(|entry| entry.notes.clone());
            let mut entry = Entry {
                notes: notes.unwrap_or_default(),
                pos: node.pos,
                depth: node.depth,
                moves: node.edges.iter().map(|edge| edge.known).collect(),
            };
            keep_good_moves(&mut entry);
            book.add(entry);
        }
        for entry in told.entries().iter().filter(|entry| entry.is_told()) {
            book.add(without_searches(entry));
        }
        book
    }
}

/// Returns what people and games say of a position that is not searched. If that is a comment alone, the best move stays as an estimate.
fn without_searches(entry: &Entry) -> Entry {
    let mut kept = entry.clone();
    kept.depth = None;
    for known in &mut kept.moves {
        if known.basis != Basis::Hand {
            known.score = None;
            known.is_proved = false;
            known.basis = Basis::Tree;
        }
    }
    kept.moves
        .retain(|known| known.score.is_some() || known.games.count() > 0);
    if kept.moves.is_empty() {
        let estimate = |known: &BookMove| BookMove {
            basis: Basis::Search,
            is_proved: false,
            ..*known
        };
        kept.moves = entry.moves.iter().map(estimate).take(1).collect();
    }
    kept.sort();
    kept
}

/// Leaves the moves of a position that are worth writing: those that people have played or judged, those that were looked into and
/// are nearly as good as the best, and the best estimates.
fn keep_good_moves(entry: &mut Entry) {
    entry.sort();
    let best = entry.value().unwrap_or_default();
    let mut estimates = 0;
    entry.moves.retain(|known| {
        let is_good = known
            .score
            .is_some_and(|score| best.0 - score.0 <= WRITTEN_LOSS);
        let is_estimate = known.basis == Basis::Search;
        estimates += usize::from(is_estimate);
        known.basis == Basis::Hand
            || known.games.count() > 0
            || is_good && (!is_estimate || estimates <= WRITTEN_ESTIMATES)
    });
}

/// Returns the value of a move that leads to a position of a value: the other side's, and ends are a ply further away.
pub(super) fn one_ply_before(value: Score) -> Score {
    let further = if value.is_decided() {
        value.0.signum()
    } else {
        0
    };
    -(value - further)
}

/// The ways that Dijkstra's algorithm has before it, cheapest first, and those of equal cost in an order that follows from a seed.
struct Ways {
    /// The cost, the order among equals, and the place of the end in `ends`.
    queue: BinaryHeap<Reverse<(i32, u64, usize)>>,
    ends: Vec<(Position, Key)>,
    seen: HashSet<Key>,
    seed: u64,
}

impl Ways {
    fn new(seed: u64) -> Self {
        Self {
            queue: BinaryHeap::new(),
            ends: Vec::new(),
            seen: HashSet::new(),
            seed,
        }
    }

    /// Adds a way, unless its end has been reached already or is no opening.
    fn add(&mut self, pos: Position, key: Key, cost: i32) {
        if !self.seen.contains(&key) && pos.all_kings().is_empty() && has_legal_move(&pos) {
            let order = splitmix64(self.seed ^ key.0);
            self.queue.push(Reverse((cost, order, self.ends.len())));
            self.ends.push((pos, key));
        }
    }

    /// Returns the end of the cheapest way to a position that has not been reached.
    fn next(&mut self) -> Option<(Position, Key, i32)> {
        while let Some(Reverse((cost, _, end))) = self.queue.pop() {
            let (pos, key) = self.ends[end];
            if self.seen.insert(key) {
                return Some((pos, key, cost));
            }
        }
        None
    }
}
