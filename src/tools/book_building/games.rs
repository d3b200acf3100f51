//! Results of games, taken into a book: which moves people play, and how games went on.

use crate::board::{Key, Move, Position, Side};
use crate::book::{Basis, Book, BookMove, Entry, Games, key_of};
use crate::notation::pdn;
use crate::rules::{Movement, Rules};
use crate::with_rules;
use std::collections::HashMap;

/// The moves that were made in a position, each with the results of its games.
struct Played {
    pos: Position,
    moves: Vec<(Move, Games)>,
}

/// What a collection of games comes to.
#[derive(Default)]
pub struct Collection {
    positions: HashMap<Key, Played>,
    /// Games that were counted.
    pub games: u64,
    /// Games without a result that counts.
    pub without_result: u64,
    /// Games of another way of moving, and those that could not be set up.
    pub of_other_rules: u64,
}

/// What a book has gained.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gained {
    /// Positions that are new in it.
    pub positions: usize,
    /// Moves that games were added to.
    pub moves: usize,
}

impl Collection {
    /// Counts the first plies of a game under the rules `R`.
    pub fn add<R: Rules>(&mut self, game: &pdn::Game, plies: usize) {
        let (Some(variant), Some(start)) = (game.variant, game.start) else {
            self.of_other_rules += 1;
            return;
        };
        if with_rules!(variant, Q => <Q as Rules>::Movement::NAME) != R::Movement::NAME {
            self.of_other_rules += 1;
            return;
        }
        let Some(winner) = winner(game.result()) else {
            self.without_result += 1;
            return;
        };
        self.games += 1;
        let mut pos = start;
        for node in game.main.moves.iter().take(plies) {
            let mut result = Games::default();
            match winner {
                None => result.drawn = 1,
                Some(side) if side == pos.turn() => result.won = 1,
                Some(_) => result.lost = 1,
            }
            self.count(pos, node.mv, result);
            pos = pos.play(node.mv);
        }
    }

    fn count(&mut self, pos: Position, mv: Move, result: Games) {
        let played = self
            .positions
            .entry(key_of(&pos))
            .or_insert_with(|| Played {
                pos,
                moves: Vec::new(),
            });
        let mv = Entry::turned(&played.pos, &pos, mv);
        match played.moves.iter_mut().find(|(other, _)| *other == mv) {
            Some((_, games)) => games.add(result),
            None => played.moves.push((mv, result)),
        }
    }

    /// Adds the games to a book: to the positions that are in it, and to others that came up in at least so many games.
    pub fn merge_into(self, book: &mut Book, least: u32) -> Gained {
        let mut gained = Gained::default();
        let mut all: Vec<Played> = self.positions.into_values().collect();
        all.sort_unstable_by_key(|played| key_of(&played.pos).0);
        for played in all {
            let total: u32 = played.moves.iter().map(|(_, games)| games.count()).sum();
            if book.entry(&played.pos).is_none() {
                if total < least {
                    continue;
                }
                gained.positions += 1;
                book.add(Entry {
                    notes: Vec::new(),
                    pos: played.pos,
                    depth: None,
                    moves: Vec::new(),
                });
            }
            gained.moves += played.moves.len();
            let entry = book.entry_mut(&played.pos).expect("it is there by now");
            played.merge_into(entry);
        }
        gained
    }
}

impl Played {
    fn merge_into(self, entry: &mut Entry) {
        for (mv, games) in self.moves {
            let mv = Entry::turned(&entry.pos, &self.pos, mv);
            match entry.moves.iter_mut().find(|known| known.mv == mv) {
                Some(known) => known.games.add(games),
                None => entry.moves.push(BookMove {
                    mv,
                    score: None,
                    basis: Basis::Tree,
                    is_proved: false,
                    games,
                }),
            }
        }
        entry.sort();
    }
}

/// Returns who won by a result, if anybody did, or `None` if the result is open or gives nobody anything.
#[expect(
    clippy::option_option,
    reason = "a game may be over with a winner, over without one, or not over"
)]
fn winner(result: &str) -> Option<Option<Side>> {
    match result {
        "1-0" | "2-0" => Some(Some(Side::White)),
        "0-1" | "0-2" => Some(Some(Side::Black)),
        "1/2-1/2" | "1-1" => Some(None),
        _ => None,
    }
}
