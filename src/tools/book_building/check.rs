//! Checks of a book: that all of it can be reached, that it has no cycles, that its scores follow from each other, and that its leaves are
//! worth what they are said to be.
//!
//! That moves are legal, so that captures that are due are taken, is seen when a book is read.

use super::Recipe;
use super::tree::one_ply_before;
use crate::board::{Key, MoveList, Position, splitmix64};
use crate::book::{Basis, Book, BookMove, Entry, key_of, progress_of};
use crate::notation::{hub, moves};
use crate::rules::{Rules, legal_moves};
use crate::score::Score;
use crate::search::Team;
use crate::tt::OutOfMemory;
use rayon::prelude::*;
use std::collections::{HashMap, HashSet};

/// Returns what is wrong with the structure and the scores of a book, a line for each fault. It begins at the start position and at ballots.
pub fn structure<R: Rules>(book: &Book, ballots: &[Position]) -> Vec<String> {
    let reached = reached::<R>(book, ballots);
    let mut faults = Vec::new();
    for entry in book.entries() {
        let mut note = |fault: String| {
            faults.push(format!("{}: {fault}", hub::write_position(&entry.pos)));
        };
        if !reached.contains(&key_of(&entry.pos)) {
            note(
                "cannot be reached from the start position or a ballot through the book".to_owned(),
            );
        }
        for known in &entry.moves {
            if let Some(fault) = fault_of_move(book, entry, known) {
                let text = moves::write::<R>(&entry.pos, known.mv);
                note(format!("{text}: {fault}"));
            }
        }
        if let Some(fault) = missing_move::<R>(book, entry) {
            note(fault);
        }
    }
    faults.extend(cycles(book));
    faults
}

/// Returns the positions of the book that can be reached by legal moves through its positions. What people and games added begins anew.
fn reached<R: Rules>(book: &Book, ballots: &[Position]) -> HashSet<Key> {
    let told = book.entries().iter().filter(|entry| entry.is_told());
    let told = told.map(|entry| entry.pos);
    let starts = std::iter::once(R::start()).chain(ballots.iter().copied());
    let mut ahead: Vec<Position> = starts.chain(told).collect();
    let mut reached = HashSet::new();
    let mut legal = MoveList::new();
    while let Some(pos) = ahead.pop() {
        if book.entry(&pos).is_none() || !reached.insert(key_of(&pos)) {
            continue;
        }
        legal.clear();
        legal_moves::<R>(&pos, &mut legal);
        ahead.extend(legal.iter().map(|&mv| pos.play(mv)));
    }
    reached
}

/// Returns what is wrong with what is said of a move.
fn fault_of_move(book: &Book, entry: &Entry, known: &BookMove) -> Option<String> {
    let score = known.score?;
    if known.is_proved && !score.is_decided() && score != Score::DRAW {
        return Some(format!(
            "{} is called proved, expected a win, a loss or 0",
            score.0
        ));
    }
    let after = book.entry(&entry.pos.play(known.mv));
    let value = after.and_then(Entry::value).map(one_ply_before);
    match (known.basis, value) {
        (Basis::Search, Some(_)) => {
            Some("is an estimate, expected the value of the position after it".to_owned())
        }
        (Basis::Tree, Some(value)) if value != score => Some(format!(
            "has the score {}, expected {}, the value of the position after it",
            score.0, value.0
        )),
        (Basis::Tree, None) if !known.is_proved => Some(format!(
            "has the score {0}, but the position after it is not in the book: expected ~{0}, or {0}! by hand",
            score.0
        )),
        _ => None,
    }
}

/// Looks for a legal move that is not in the line of a position but leads to one that makes it the best.
fn missing_move<R: Rules>(book: &Book, entry: &Entry) -> Option<String> {
    let best = entry.value()?;
    let mut legal = MoveList::new();
    legal_moves::<R>(&entry.pos, &mut legal);
    let is_known = |mv| entry.moves.iter().any(|known| known.mv == mv);
    legal.into_iter().find_map(|mv| {
        let after = book.entry(&entry.pos.play(mv))?;
        let score = one_ply_before(after.value()?);
        (score > best && !is_known(mv)).then(|| {
            let text = moves::write::<R>(&entry.pos, mv);
            format!(
                "{text} is missing, though it is worth {}, more than {}",
                score.0, best.0
            )
        })
    })
}

/// How far a position has been looked into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Visit {
    /// The way leads through it.
    OnTheWay,
    /// All that follows from it has been seen.
    Done,
}

/// The positions that a way leads through, each with the positions after its moves that are still to be followed.
type Way = Vec<(Position, Vec<Position>)>;

/// Looks for moves of the book that lead round in a circle: a move goes back where it does not lead further along the game.
fn cycles(book: &Book) -> Vec<String> {
    let mut visits: HashMap<Key, Visit> = HashMap::new();
    let mut faults = Vec::new();
    for entry in book.entries() {
        // Not by recursion, since ways may be long.
        let mut way: Way = Vec::new();
        enter(book, entry.pos, &mut way, &mut visits);
        while let Some((pos, ahead)) = way.last_mut() {
            let Some(next) = ahead.pop() else {
                visits.insert(key_of(pos), Visit::Done);
                way.pop();
                continue;
            };
            if visits.get(&key_of(&next)) == Some(&Visit::OnTheWay) {
                let (from, to) = (hub::write_position(pos), hub::write_position(&next));
                faults.push(format!("{from}: its moves lead back to it through {to}"));
            } else {
                enter(book, next, &mut way, &mut visits);
            }
        }
    }
    faults
}

/// Goes on to a position of the book that has not been seen.
fn enter(book: &Book, pos: Position, way: &mut Way, visits: &mut HashMap<Key, Visit>) {
    if book.entry(&pos).is_some() && !visits.contains_key(&key_of(&pos)) {
        visits.insert(key_of(&pos), Visit::OnTheWay);
        let moves = book.moves(&pos);
        let ahead = moves.iter().map(|known| pos.play(known.mv)).collect();
        way.push((pos, ahead));
    }
}

/// How leaves are searched again.
pub struct Leaves<'a, R> {
    /// How positions are searched.
    pub recipe: &'a Recipe<R>,
    /// Who searches.
    pub team: &'a Team,
    /// The most leaves that are searched.
    pub count: usize,
    /// What the choice of leaves follows from.
    pub seed: u64,
    /// How much the values may differ, in hundredths of a man.
    pub tolerance: i32,
}

impl<R: Rules> Leaves<'_, R> {
    /// Searches leaves of a book again: positions whose values rest on their own search. Returns how many, and what is wrong, a line each.
    pub fn search(&self, book: &Book) -> Result<(usize, Vec<String>), OutOfMemory> {
        let is_leaf = |entry: &&Entry| {
            let rests = |known: &BookMove| known.basis == Basis::Search;
            entry.moves.first().is_some_and(rests)
        };
        let mut leaves: Vec<&Entry> = book.entries().iter().filter(is_leaf).collect();
        leaves.sort_by_cached_key(|entry| splitmix64(self.seed ^ key_of(&entry.pos).0));
        leaves.truncate(self.count);
        leaves
            .sort_by_cached_key(|entry| (progress_of(&entry.pos), hub::write_position(&entry.pos)));
        let check = |entry: &&Entry| self.check(entry);
        let faults: Result<Vec<_>, _> =
            self.team.install(|| leaves.par_iter().map(check).collect());
        Ok((leaves.len(), faults?.into_iter().flatten().collect()))
    }

    fn check(&self, entry: &Entry) -> Result<Option<String>, OutOfMemory> {
        let searched = self.recipe.expand(&entry.pos)?;
        let best = entry.moves[0];
        let (Some(old), Some(new)) = (best.score, searched.value()) else {
            return Ok(None);
        };
        // The best of all moves may have been looked into, and be worth less than it seemed.
        let moves = searched.moves_in(&entry.pos);
        let again = moves.iter().find(|known| known.mv == best.mv);
        let again = again.and_then(|known| known.score).unwrap_or(new);
        let is_near = (again.0 - old.0).abs() <= self.tolerance;
        let text = || {
            format!(
                "{}: {} has the score {}, and {} when it is searched again",
                hub::write_position(&entry.pos),
                moves::write::<R>(&entry.pos, best.mv),
                old.0,
                again.0
            )
        };
        Ok((!is_near).then(text))
    }
}
