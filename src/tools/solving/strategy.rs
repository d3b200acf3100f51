//! What a proof tells: whether the win holds under the counts, and the line it leads to.

use super::graph::{Edge, Graph, NodeId, Status};
use super::shortest::Bounded;
use super::state::State;
use crate::board::{Move, MoveList, Position};
use crate::egdb::{Tables, root};
use crate::rules::{DrawCounters, Game, Rules, has_legal_move, legal_moves};
use std::collections::{BinaryHeap, HashMap, HashSet};

/// A line that is longer goes round in circles.
const LONGEST_LINE: usize = 1000;

impl<R: Rules> Graph<R> {
    /// Says whether the shortest proof of a win without counts holds under them too, whatever the defender does. Each position is looked at
    /// once, with the largest counters on any way to it: larger ones are never better for the winner.
    pub(super) fn holds_under_counts(&mut self, edge: Edge, state: &State) -> bool {
        self.shorten();
        let mut largest: HashMap<NodeId, DrawCounters> = HashMap::new();
        let mut waiting: BinaryHeap<(u16, NodeId)> = BinaryHeap::new();
        let mut reached = vec![(edge, *state)];
        loop {
            for (edge, state) in reached.drain(..) {
                let State { pos, counters } = state;
                if has_legal_move(&pos) && counters.draw::<R>(&pos).is_some() {
                    return false;
                }
                let Edge::Node(id) = edge else {
                    if has_legal_move(&pos) && !self.judge.holds(&state) {
                        return false;
                    }
                    continue;
                };
                let known = largest.entry(id).or_insert_with(|| {
                    waiting.push((self.nodes[id as usize].plies, id));
                    counters
                });
                *known = larger(*known, counters);
            }
            // Plies fall with every move of the proof, so no other way leads to this one any more.
            let Some((_, id)) = waiting.pop() else {
                return true;
            };
            let state = State {
                pos: self.nodes[id as usize].packed.state().pos,
                counters: largest[&id],
            };
            let moves = self.moves_to(&state, Status::Win);
            let play = |(mv, edge)| (edge, state.play::<R>(mv, true));
            if self.is_attackers(id) {
                let shortest = moves.into_iter().min_by_key(|&(_, edge)| self.plies(edge));
                reached.extend(shortest.map(play));
            } else {
                reached.extend(moves.into_iter().map(play));
            }
        }
    }

    /// Returns the moves to positions with a status.
    fn moves_to(&mut self, state: &State, status: Status) -> Vec<(Move, Edge)> {
        let is_counted = self.judge.is_counted;
        let mut moves = MoveList::new();
        legal_moves::<R>(&state.pos, &mut moves);
        let mut found = Vec::new();
        for mv in moves {
            let edge = self.find(&state.play::<R>(mv, is_counted));
            if let Some(edge) = edge.filter(|&edge| self.status(edge) == status) {
                found.push((mv, edge));
            }
        }
        found
    }

    /// Returns how the side that the answer favours has to play: a move for each of its positions that can come up. The attacker of a position
    /// that is won takes the shortest way; the defender of one that is not goes to any other that is not, even back.
    pub(super) fn strategy(&mut self, edge: Edge) -> Vec<(Position, Move)> {
        self.shorten();
        let mut seen = HashSet::new();
        let mut waiting = vec![edge];
        let mut found = Vec::new();
        while let Some(edge) = waiting.pop() {
            let Edge::Node(id) = edge else { continue };
            if !seen.insert(id) {
                continue;
            }
            let state = self.nodes[id as usize].packed.state();
            let status = self.status(edge);
            let moves = self.moves_to(&state, status);
            if self.is_attackers(id) == (status == Status::Win) {
                let best = moves.into_iter().min_by_key(|&(_, edge)| self.plies(edge));
                let (mv, edge) = best.expect("the answer follows from a move");
                found.push((state.pos, mv));
                waiting.push(edge);
            } else {
                waiting.extend(moves.into_iter().map(|(_, edge)| edge));
            }
        }
        found
    }

    /// Returns the line of the proof from where a game stands, which must be won, to the end: the attacker takes the shortest way that is
    /// proved, the defender the longest, and where the tables are reached both play by them. `None` if the line does not end.
    ///
    /// `bounded` knows that there is no win within `not_in` plies; the defender plays so that this shows.
    pub(super) fn line(
        &mut self,
        tables: &Tables<R>,
        game: &Game<R>,
        draw_rules: bool,
        mut bounded: Option<(&mut Bounded<R>, u16)>,
    ) -> Option<Vec<Move>> {
        self.shorten();
        let mut game = game.clone();
        let made = game.moves().len();
        while game.loss().is_none() {
            if game.moves().len() - made > LONGEST_LINE {
                return None;
            }
            let mut moves = self.ways(&game).unwrap_or_else(|| {
                let known = root::probe(tables, &game, draw_rules).moves;
                known.into_iter().map(|(mv, _)| mv).collect()
            });
            if let Some((bounded, not_in)) = &mut bounded {
                if game.position().turn() != self.judge.attacker {
                    bounded.keep_slow(&game, &mut moves, *not_in);
                }
                *not_in = not_in.saturating_sub(1);
            }
            game.play(*moves.first()?);
        }
        let is_won = game.position().turn() != self.judge.attacker;
        is_won.then(|| game.moves()[made..].to_vec())
    }

    /// Returns the moves that the line may take next, best first; `None` if the tables know the position.
    fn ways(&mut self, game: &Game<R>) -> Option<Vec<Move>> {
        let state = if self.judge.is_counted {
            State::counted::<R>(*game.position(), game.counters())
        } else {
            State::uncounted(*game.position())
        };
        let Some(Edge::Node(id)) = self.find(&state) else {
            return None;
        };
        let mut moves = self.moves_to(&state, Status::Win);
        moves.sort_by_key(|&(_, edge)| self.plies(edge));
        if !self.is_attackers(id) {
            moves.reverse();
        }
        let moves: Vec<Move> = moves.into_iter().map(|(mv, _)| mv).collect();
        (!moves.is_empty()).then_some(moves)
    }
}

/// Returns the larger of each counter.
fn larger(one: DrawCounters, other: DrawCounters) -> DrawCounters {
    DrawCounters {
        since_zeroing: one.since_zeroing.max(other.since_zeroing),
        since_conversion: one.since_conversion.max(other.since_conversion),
        main_road: one.main_road.max(other.main_road),
    }
}
