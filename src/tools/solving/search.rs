//! Where to look next: depth-first proof-number search.
//!
//! The proof number of a node is about how many positions must turn out to be won to prove that it is; the disproof number, how many
//! must not. The search goes where the attacker needs least and the defender allows least, and stays there until a
//! sibling looks better (Victor Allis, "Searching for solutions in games and artificial intelligence", 1994; Ayumu Nagai, "Df-pn algorithm for
//! searching AND/OR trees and its applications", 2002). It follows narrow, forced play to any depth, as captures are in
//! draughts, where a search by depth would drown. The sum over siblings is replaced by the largest and their number,
//! since in a graph the same positions are behind several of them (Toru Ueda and others, "Weak proof-number search", 2008).
//!
//! A move back to a position on the way is taken to be good for the defender for the time being. If everything seems lost for the
//! attacker, [`Graph::close`] tells whether that is so; if not, the beliefs are dropped and the search goes on.

use super::graph::{Edge, Graph, INFINITE, NONE, NodeId, Status};
use crate::rules::Rules;

/// A node on the way, and the numbers at which to leave it.
struct Step {
    id: NodeId,
    proof: u32,
    disproof: u32,
}

/// What the children say of a node.
struct Summary {
    proof: u32,
    disproof: u32,
    /// The position on the way that its being lost rests on.
    repeats: NodeId,
    /// The child to look into, and the number at which the next one is better.
    best: NodeId,
    next_best: u32,
    /// What the number of open siblings adds.
    siblings: u32,
}

/// After so many steps, or leaves looked into, the search asks whether it is to go on.
const STEPS_PER_CHECK: u64 = 512;

/// The search takes about two steps for each position that it judges; where it goes round among known ones it is ended by this.
const STEPS_PER_NODE: u64 = 32;

/// A child is left when its number passes that of the second best by this share: so that the search does not change
/// between two of them all the time (Jakub Pawlewicz and Łukasz Lew, "Improving depth-first PN-search: 1 + ε trick", 2007).
const STAY_SHARE: u32 = 4;

impl<R: Rules> Graph<R> {
    /// Works on a node until it is decided, until this many positions in all have been judged, until the graph is full, or until `is_over` says so.
    pub(super) fn work_on(&mut self, root: NodeId, most_judged: u64, is_over: &dyn Fn() -> bool) {
        while self.nodes[root as usize].status == Status::Open {
            let expanded = self.expanded;
            if !self.descend(root, most_judged, is_over) {
                return;
            }
            if self.nodes[root as usize].status != Status::Open {
                return;
            }
            // All moves seem to fail.
            let leaves = self.close(root);
            self.forget_beliefs();
            if self.expanded == expanded {
                // Without anything new the search would come to the same end.
                for id in leaves {
                    let is_check = self.expanded.is_multiple_of(STEPS_PER_CHECK);
                    if self.judged >= most_judged || self.is_full() || is_check && is_over() {
                        return;
                    }
                    if self.nodes[id as usize].status == Status::Open {
                        self.expand(id);
                    }
                }
            }
        }
    }

    fn forget_beliefs(&mut self) {
        for node in &mut self.nodes {
            if node.proof >= INFINITE && node.status == Status::Open {
                (node.proof, node.disproof, node.repeats) = (1, 1, NONE);
            }
        }
    }

    /// Searches until the root is decided or believed not to be won; `false` if the effort is over before.
    fn descend(&mut self, root: NodeId, most_judged: u64, is_over: &dyn Fn() -> bool) -> bool {
        let mut way: Vec<Step> = Vec::new();
        self.enter(&mut way, root, INFINITE, INFINITE);
        let mut steps: u64 = 0;
        let most_steps = STEPS_PER_NODE * most_judged.saturating_sub(self.judged);
        while let Some(&Step {
            id,
            proof,
            disproof,
        }) = way.last()
        {
            steps += 1;
            let is_enough = self.judged >= most_judged || steps >= most_steps || self.is_full();
            if is_enough || steps.is_multiple_of(STEPS_PER_CHECK) && is_over() {
                for step in &way {
                    self.nodes[step.id as usize].ply = 0;
                }
                return false;
            }
            if self.nodes[id as usize].status == Status::Open && !self.is_expanded(id) {
                self.expand(id);
            }
            if self.nodes[id as usize].status != Status::Open {
                self.leave(&mut way);
                continue;
            }
            let mut summary = self.summary(id);
            if summary.repeats == id {
                summary.repeats = NONE;
            }
            let node = &mut self.nodes[id as usize];
            node.proof = summary.proof;
            node.disproof = summary.disproof;
            node.repeats = summary.repeats;
            if summary.proof >= proof || summary.disproof >= disproof {
                self.leave(&mut way);
                continue;
            }
            let stay = summary
                .next_best
                .saturating_add(1 + summary.next_best / STAY_SHARE);
            let (for_proof, for_disproof) = if self.is_attackers(id) {
                (proof.min(stay), disproof.saturating_sub(summary.siblings))
            } else {
                (proof.saturating_sub(summary.siblings), disproof.min(stay))
            };
            self.enter(&mut way, summary.best, for_proof, for_disproof);
        }
        true
    }

    fn enter(&mut self, way: &mut Vec<Step>, id: NodeId, proof: u32, disproof: u32) {
        way.push(Step {
            id,
            proof,
            disproof,
        });
        self.nodes[id as usize].ply = way.len() as u32;
    }

    fn leave(&mut self, way: &mut Vec<Step>) {
        let step = way.pop().expect("there is a node to leave");
        self.nodes[step.id as usize].ply = 0;
    }

    /// Returns the earlier on the way of two nodes, of which either may be none.
    fn earlier(&self, one: NodeId, other: NodeId) -> NodeId {
        match (one, other) {
            (NONE, other) => other,
            (one, NONE) => one,
            _ if self.nodes[one as usize].ply <= self.nodes[other as usize].ply => one,
            _ => other,
        }
    }

    /// If the move to a child is believed to fail for the attacker: returns the position on the way whose repetition that rests on, or none if
    /// it rests on positions behind the child alone.
    fn failure(&self, child: NodeId) -> Option<NodeId> {
        let node = &self.nodes[child as usize];
        if node.ply > 0 {
            return Some(child);
        }
        let is_believed = node.proof >= INFINITE
            && (node.repeats == NONE || self.nodes[node.repeats as usize].ply > 0);
        is_believed.then_some(node.repeats)
    }

    /// Puts the numbers of an open node's children together.
    fn summary(&self, id: NodeId) -> Summary {
        let is_attackers = self.is_attackers(id);
        let mut summary = Summary {
            proof: INFINITE,
            disproof: INFINITE,
            repeats: NONE,
            best: NONE,
            next_best: INFINITE,
            siblings: 0,
        };
        // Of the side to move: what it needs at its best move, and what the other needs against all of them.
        let (mut least, mut largest, mut open) = (INFINITE, 0, 0);
        for edge in self.edges(id) {
            let Edge::Node(child) = edge else { continue };
            let node = &self.nodes[child as usize];
            if node.status != Status::Open {
                continue;
            }
            if let Some(repeated) = self.failure(child) {
                summary.repeats = self.earlier(summary.repeats, repeated);
                if is_attackers {
                    continue;
                }
                summary.disproof = 0;
                return summary;
            }
            let (proof, disproof) = if node.proof >= INFINITE {
                // It was believed to fail on another way than this.
                (1, 1)
            } else {
                (node.proof, node.disproof)
            };
            let (own, other) = if is_attackers {
                (proof, disproof)
            } else {
                (disproof, proof)
            };
            open += 1;
            largest = largest.max(other);
            if own < least {
                (summary.next_best, least, summary.best) = (least, own, child);
            } else {
                summary.next_best = summary.next_best.min(own);
            }
        }
        if open == 0 {
            // Only the attacker gets here: all its moves repeat.
            summary.disproof = 0;
            return summary;
        }
        summary.siblings = open - 1;
        let largest = largest.saturating_add(summary.siblings).min(INFINITE - 1);
        (summary.proof, summary.disproof) = if is_attackers {
            (least, largest)
        } else {
            (largest, least)
        };
        summary
    }
}
