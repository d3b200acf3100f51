//! The graph of the positions that a question has led to, and what follows in it.
//!
//! A question is "does the attacker win?". Positions are nodes, and a position that several orders of moves lead to is one node. A node is
//! decided only by what holds whatever led to it:
//!
//! - it is **won** if the attacker to move has a move to a won one, or the defender has no other moves than to such. That is the
//!   least set with this property, built up from the ends of games, so no win rests on a repetition: a side that can win
//!   can do so without ever coming back to a position;
//! - it is **not won** if it would not be even if every node that has not been looked into were: [`Graph::close`] finds these by
//!   computing that larger set. Play in circles is found to lead nowhere like this, without looking at paths.
//!
//! So the interaction of transpositions and repetitions that makes proof-number search on graphs unsound if it is not taken care of (Martin
//! Schijf, Victor Allis, Jos Uiterwijk, "Proof-number search and transpositions", 1994; Akihiro Kishimoto and Martin Müller, "A general
//! solution to the graph history interaction problem", 2004) cannot arise: what the search in `search` believes on its
//! way only says where to look next.

use super::judge::{Judge, Verdict};
use super::state::{Mixer, Packed, State};
use crate::board::{MoveList, Side};
use crate::rules::{Rules, count_moves, legal_moves};
use std::collections::HashMap;
use std::hash::BuildHasherDefault;

/// The number of a node.
pub(super) type NodeId = u32;

/// No node, no link.
pub(super) const NONE: u32 = u32::MAX;

/// The nodes and the edges that their numbers have room for, with what one more node may add.
const MOST_NODES: usize = PackedEdge::DECIDED as usize - 256;
const MOST_EDGES: usize = NONE as usize - 256;

/// A number that no sum reaches: the proof or disproof cannot be had.
pub(super) const INFINITE: u32 = 1 << 30;

/// What is known of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    Open,
    Win,
    NotWin,
}

/// A position.
pub(super) struct Node {
    pub(super) packed: Packed,
    /// Its edges in [`Graph::edges`]; none before it is looked into.
    first: u32,
    edges: u16,
    pub(super) status: Status,
    /// The proof and the disproof number.
    pub(super) proof: u32,
    pub(super) disproof: u32,
    /// If it is believed not to be won because of a repetition: the position on the way to it that is repeated.
    pub(super) repeats: NodeId,
    /// Its place on the way that the search is following, from 1; 0 if it is not on it.
    pub(super) ply: u32,
    /// If it is won: plies to the end of what is proved here.
    pub(super) plies: u16,
    /// The last of the links to nodes with an edge to this one.
    parents: u32,
}

/// Where a move leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Edge {
    /// To a position that was decided when it was first seen; for a win, the plies of [`Verdict::Win`].
    Decided(Option<u8>),
    /// To a node.
    Node(NodeId),
}

/// An edge in 32 bits.
#[derive(Clone, Copy)]
struct PackedEdge(u32);

impl PackedEdge {
    const DECIDED: u32 = 1 << 31;
    const WIN: u32 = 1 << 30;

    fn of(edge: Edge) -> Self {
        Self(match edge {
            Edge::Node(id) => id,
            Edge::Decided(None) => Self::DECIDED,
            Edge::Decided(Some(plies)) => Self::DECIDED | Self::WIN | u32::from(plies),
        })
    }

    fn edge(self) -> Edge {
        if self.0 & Self::DECIDED == 0 {
            Edge::Node(self.0)
        } else {
            Edge::Decided((self.0 & Self::WIN != 0).then_some(self.0 as u8))
        }
    }
}

/// An entry of the list of a node's parents.
struct Link {
    parent: NodeId,
    next: u32,
}

/// The graph of one attacker.
pub(super) struct Graph<R: Rules> {
    pub(super) judge: Judge<R>,
    pub(super) nodes: Vec<Node>,
    edges: Vec<PackedEdge>,
    links: Vec<Link>,
    index: HashMap<Packed, NodeId, BuildHasherDefault<Mixer>>,
    /// Positions judged so far: the effort.
    pub(super) judged: u64,
    /// Nodes looked into so far.
    pub(super) expanded: u64,
}

impl<R: Rules> Graph<R> {
    pub(super) fn new(judge: Judge<R>) -> Self {
        Self {
            judge,
            nodes: Vec::new(),
            edges: Vec::new(),
            links: Vec::new(),
            index: HashMap::default(),
            judged: 0,
            expanded: 0,
        }
    }

    /// Returns where a position is, if it is a node or known at once.
    pub(super) fn find(&mut self, state: &State) -> Option<Edge> {
        if let Some(&id) = self.index.get(&Packed::of(state)) {
            return Some(Edge::Node(id));
        }
        match self.judge.judge(state) {
            Verdict::Win(plies) => Some(Edge::Decided(Some(plies))),
            Verdict::NotWin => Some(Edge::Decided(None)),
            Verdict::Open => None,
        }
    }

    /// Finds or adds a position that a move has led to.
    pub(super) fn add(&mut self, state: &State) -> Edge {
        let packed = Packed::of(state);
        if let Some(&id) = self.index.get(&packed) {
            return Edge::Node(id);
        }
        self.judged += 1;
        self.judge.count();
        match self.judge.judge(state) {
            Verdict::Win(plies) => return Edge::Decided(Some(plies)),
            Verdict::NotWin => return Edge::Decided(None),
            Verdict::Open => {}
        }
        let id = self.nodes.len() as NodeId;
        let (proof, disproof) = self.first_numbers(state);
        self.nodes.push(Node {
            packed,
            first: 0,
            edges: 0,
            status: Status::Open,
            proof,
            disproof,
            repeats: NONE,
            ply: 0,
            plies: 0,
            parents: NONE,
        });
        self.index.insert(packed, id);
        Edge::Node(id)
    }

    /// Returns the numbers of a node before it is looked into: the replies there are, and how far the tables and a won material are. They
    /// guide the search and decide nothing.
    fn first_numbers(&self, state: &State) -> (u32, u32) {
        /// A king, in halves of a man.
        const KING: i32 = 5;
        /// It is not likely that a count takes a win of the tables away.
        const TABLE_WIN: u32 = 100;
        let pos = &state.pos;
        if let Some(plies) = self.judge.plies_of_table_win(pos) {
            return (1 + u32::from(plies), TABLE_WIN);
        }
        let strength = |side: Side| {
            let material = pos.material(side);
            2 * material.men as i32 + KING * material.kings as i32
        };
        let attacker = self.judge.attacker;
        let ahead = strength(attacker) - strength(attacker.opponent());
        let moves = count_moves::<R>(pos).min(64) as u32;
        let far = self.judge.above_tables(pos);
        let (by_proof, by_disproof) = if pos.turn() == attacker {
            (1, moves)
        } else {
            (moves, 1)
        };
        (
            by_proof + far + ahead.min(0).unsigned_abs() * 2,
            by_disproof + far + ahead.max(0).unsigned_abs() * 2,
        )
    }

    /// Says whether there is no room for what another node may add. Some hundred GB of memory get there.
    pub(super) fn is_full(&self) -> bool {
        self.nodes.len() > MOST_NODES || self.edges.len() > MOST_EDGES
    }

    pub(super) fn is_attackers(&self, id: NodeId) -> bool {
        self.nodes[id as usize].packed.turn() == self.judge.attacker
    }

    pub(super) fn is_expanded(&self, id: NodeId) -> bool {
        self.nodes[id as usize].edges > 0
    }

    /// Returns the edges of a node.
    pub(super) fn edges(&self, id: NodeId) -> impl Iterator<Item = Edge> + '_ {
        let node = &self.nodes[id as usize];
        let range = node.first as usize..node.first as usize + usize::from(node.edges);
        self.edges[range].iter().map(|edge| edge.edge())
    }

    /// Says what is known behind an edge.
    pub(super) fn status(&self, edge: Edge) -> Status {
        match edge {
            Edge::Node(id) => self.nodes[id as usize].status,
            Edge::Decided(Some(_)) => Status::Win,
            Edge::Decided(None) => Status::NotWin,
        }
    }

    /// Returns the plies of what is proved behind an edge to a win.
    pub(super) fn plies(&self, edge: Edge) -> u16 {
        match edge {
            Edge::Node(id) => self.nodes[id as usize].plies,
            Edge::Decided(plies) => plies.map_or(0, u16::from),
        }
    }

    /// Looks into a node: adds what its moves lead to. If one of them settles it, that one is its only edge.
    pub(super) fn expand(&mut self, id: NodeId) {
        let state = self.nodes[id as usize].packed.state();
        let settling = if self.is_attackers(id) {
            Status::Win
        } else {
            Status::NotWin
        };
        let mut moves = MoveList::new();
        legal_moves::<R>(&state.pos, &mut moves);
        let mut edges = Vec::with_capacity(moves.len());
        for &mv in &moves {
            let edge = self.add(&state.play::<R>(mv, self.judge.is_counted));
            if self.status(edge) == settling {
                edges.clear();
                edges.push(edge);
                break;
            }
            edges.push(edge);
        }
        self.expanded += 1;
        for &edge in &edges {
            if let Edge::Node(child) = edge {
                let child = &mut self.nodes[child as usize];
                self.links.push(Link {
                    parent: id,
                    next: child.parents,
                });
                child.parents = self.links.len() as u32 - 1;
            }
        }
        let node = &mut self.nodes[id as usize];
        node.first = self.edges.len() as u32;
        node.edges = edges.len() as u16;
        self.edges.extend(edges.into_iter().map(PackedEdge::of));
        self.decide_from(id);
    }

    /// Decides a node if its edges do, and everything that follows.
    fn decide_from(&mut self, id: NodeId) {
        let mut waiting = vec![id];
        while let Some(id) = waiting.pop() {
            let Some((status, plies)) = self.follows(id) else {
                continue;
            };
            let node = &mut self.nodes[id as usize];
            (node.status, node.plies) = (status, plies);
            self.push_open_parents(id, &mut waiting);
        }
    }

    fn push_open_parents(&self, id: NodeId, waiting: &mut Vec<NodeId>) {
        let mut link = self.nodes[id as usize].parents;
        while link != NONE {
            let Link { parent, next } = self.links[link as usize];
            if self.nodes[parent as usize].status == Status::Open {
                waiting.push(parent);
            }
            link = next;
        }
    }

    /// Returns what the edges say of an open node that has been looked into, if they say something.
    fn follows(&self, id: NodeId) -> Option<(Status, u16)> {
        if self.nodes[id as usize].status != Status::Open || !self.is_expanded(id) {
            return None;
        }
        let is_attackers = self.is_attackers(id);
        let settling = if is_attackers {
            Status::Win
        } else {
            Status::NotWin
        };
        let mut is_settled = false;
        let mut has_open = false;
        for edge in self.edges(id) {
            is_settled |= self.status(edge) == settling;
            has_open |= self.status(edge) == Status::Open;
        }
        let status = match (is_settled, has_open, is_attackers) {
            (true, _, _) => settling,
            (false, true, _) => return None,
            (false, false, true) => Status::NotWin,
            (false, false, false) => Status::Win,
        };
        Some((status, self.plies_of_win(id).unwrap_or(0)))
    }

    /// Returns the plies of the proof below a node: the shortest way of the attacker, the longest of the defender, over the edges to wins.
    fn plies_of_win(&self, id: NodeId) -> Option<u16> {
        let wins = self
            .edges(id)
            .filter(|&edge| self.status(edge) == Status::Win);
        let plies = wins.map(|edge| self.plies(edge));
        let plies = if self.is_attackers(id) {
            plies.min()
        } else {
            plies.max()
        };
        plies.map(|plies| plies.saturating_add(1))
    }

    /// Makes the plies of all wins those of the shortest proofs that the graph holds.
    ///
    /// What a move leads to has mostly been added behind the position it is played in, so going from the last node to the first carries a shorter
    /// way all along its line at once.
    pub(super) fn shorten(&mut self) {
        let mut changed = true;
        while changed {
            changed = false;
            for id in (0..self.nodes.len() as NodeId).rev() {
                if self.nodes[id as usize].status != Status::Win {
                    continue;
                }
                let plies = self.plies_of_win(id).expect("a win follows from wins");
                changed |= plies != self.nodes[id as usize].plies;
                self.nodes[id as usize].plies = plies;
            }
        }
    }

    /// Decides the nodes below an open one that cannot be won even if all nodes that have not been looked into are. Returns nodes
    /// of the latter kind that the proof still hangs on; none if the node is decided.
    pub(super) fn close(&mut self, root: NodeId) -> Vec<NodeId> {
        let region = self.open_region(root);
        let leaves: Vec<NodeId> = region
            .iter()
            .copied()
            .filter(|&id| !self.is_expanded(id))
            .collect();
        let can_win = self.chances(&leaves);
        let mut parents = Vec::new();
        for id in region.into_iter().filter(|&id| !can_win[id as usize]) {
            self.nodes[id as usize].status = Status::NotWin;
            self.push_open_parents(id, &mut parents);
        }
        for id in parents {
            self.decide_from(id);
        }
        if self.nodes[root as usize].status == Status::Open {
            leaves
        } else {
            Vec::new()
        }
    }

    /// Says of every node whether it is open and won if some leaves are.
    fn chances(&self, leaves: &[NodeId]) -> Vec<bool> {
        let mut can_win = vec![false; self.nodes.len()];
        let mut waiting = leaves.to_vec();
        while let Some(id) = waiting.pop() {
            if can_win[id as usize] {
                continue;
            }
            let mut chances = self.edges(id).map(|edge| match edge {
                Edge::Node(child) if can_win[child as usize] => true,
                _ => self.status(edge) == Status::Win,
            });
            can_win[id as usize] = !self.is_expanded(id)
                || if self.is_attackers(id) {
                    chances.any(|can| can)
                } else {
                    chances.all(|can| can)
                };
            if can_win[id as usize] {
                self.push_open_parents(id, &mut waiting);
            }
        }
        can_win
    }

    /// Returns the open nodes that can be reached from one over open ones, this one included.
    fn open_region(&self, root: NodeId) -> Vec<NodeId> {
        let mut seen = vec![false; self.nodes.len()];
        seen[root as usize] = true;
        let mut region = vec![root];
        let mut next = 0;
        while next < region.len() {
            for edge in self.edges(region[next]) {
                if let Edge::Node(child) = edge
                    && self.nodes[child as usize].status == Status::Open
                    && !seen[child as usize]
                {
                    seen[child as usize] = true;
                    region.push(child);
                }
            }
            next += 1;
        }
        region
    }
}
