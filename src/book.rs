//! Opening books: positions with their good moves, read from text.
//!
//! One file serves one game (all its rule sets): `russian.book`, `pool.book`, `brazilian.book`. The format (`book/text.rs`) is made to be
//! read, compared and corrected by a person; it is also what the program loads, since thirty thousand lines take a few hundredths of a
//! second, spent before or when a move is first looked up.
//!
//! Positions are known by what the side to move sees, so move orders that lead to the same position meet, and so do
//! positions that differ only in the colours (the rules are the same for both sides).
//!
//! A move is offered only if the position after it has been looked into too, or a person wrote the move down. What rests on one search
//! alone is an estimate: it is shown, and it counts when the best move is named, but the engine would rather think for itself.

mod place;
mod text;

pub use place::{check, compiled_in, default_checksum, open, text_of};
pub use text::{parse_line, write_line};

use crate::board::{Key, MAX_PIECES, Move, Position, Side, Square};
use crate::score::{Depth, Score};
use std::collections::{HashMap, HashSet, hash_map};
use std::fmt;
use std::io;
use std::path::PathBuf;

/// A book in memory.
#[derive(Clone, Debug, Default)]
pub struct Book {
    /// The comments before the head line.
    pub head: Vec<String>,
    entries: Vec<Entry>,
    /// Where the entry of each position is.
    places: HashMap<Key, usize>,
}

/// A position of a book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The comments above its line, as they are.
    pub notes: Vec<String>,
    /// The position.
    pub pos: Position,
    /// How deep its moves were searched, in plies; `None` if no search says so.
    pub depth: Option<Depth>,
    /// Its moves: those with scores, best first, then those that were only played in games.
    pub moves: Vec<BookMove>,
}

/// A move of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The move.
    pub mv: Move,
    /// Its value for the side that plays it; `None` if it is known from games only.
    pub score: Option<Score>,
    /// What the score rests on.
    pub basis: Basis,
    /// The score is no estimate: play that ends the game, or endgame tables, prove it.
    pub is_proved: bool,
    /// How games went on from it.
    pub games: Games,
}

/// What the score of a move rests on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Basis {
    /// One search.
    Search,
    /// The searches of the position after it, or of what is behind that.
    #[default]
    Tree,
    /// A person's word, which building leaves as it is.
    Hand,
}

/// Results of games, from the view of the side that made a move in them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Games {
    /// Games that it won.
    pub won: u32,
    /// Games that nobody won.
    pub drawn: u32,
    /// Games that it lost.
    pub lost: u32,
}

/// How a move is chosen among those of a position. The default is always the best one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// How much worse than the best a move may be, in hundredths of a man, from 0.
    pub margin: i32,
    /// How often a move is chosen at random, in percent, from 0 to 100.
    pub variety: u64,
}

/// Says why a book cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// The file cannot be read.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        error: io::Error,
    },
    /// A line cannot be read.
    #[error("{name}: line {line}: {fault}")]
    Line {
        /// The book.
        name: String,
        /// The number of the line, from 1.
        line: usize,
        /// What is wrong with it.
        fault: String,
    },
}

/// Returns the key of what the side to move sees: it is the same for a position and its mirror image in the other colours.
pub fn key_of(pos: &Position) -> Key {
    match pos.turn() {
        Side::White => Key::of(pos),
        Side::Black => Key::of(&pos.flipped()),
    }
}

impl Book {
    /// Makes an empty book that has room for so many positions.
    fn with_room(positions: usize) -> Self {
        Self {
            head: Vec::new(),
            entries: Vec::with_capacity(positions),
            places: HashMap::with_capacity(positions),
        }
    }

    /// Adds a position, and returns whether it is new; if it is not, nothing changes.
    pub fn add(&mut self, entry: Entry) -> bool {
        match self.places.entry(key_of(&entry.pos)) {
            hash_map::Entry::Occupied(_) => false,
            hash_map::Entry::Vacant(place) => {
                place.insert(self.entries.len());
                self.entries.push(entry);
                true
            }
        }
    }

    /// Returns what is known about a position; it may be written down for its mirror image.
    pub fn entry(&self, pos: &Position) -> Option<&Entry> {
        self.places
            .get(&key_of(pos))
            .map(|&place| &self.entries[place])
    }

    /// Returns the moves known in a position, best first.
    pub fn moves(&self, pos: &Position) -> Vec<BookMove> {
        self.entry(pos)
            .map_or_else(Vec::new, |entry| entry.moves_in(pos))
    }

    /// Returns the best move known in a position.
    pub fn best(&self, pos: &Position) -> Option<BookMove> {
        let moves = self.moves(pos);
        moves.first().copied().filter(|mv| mv.score.is_some())
    }

    /// Chooses a move of a position by a random number: in [`Choice::variety`] of a hundred cases any move within the margin of the best, each as
    /// likely as the others; else the best.
    ///
    /// Estimates are not chosen, nor are moves that lose by proof; so there may be no choice.
    pub fn choose(&self, pos: &Position, choice: Choice, number: u64) -> Option<(Move, Score)> {
        // The two halves of the number are used as two numbers.
        let is_varied = (number >> 32) % 100 < choice.variety;
        let margin = if is_varied { choice.margin } else { 0 };
        let moves = self.moves(pos);
        let best = moves.first()?.score?;
        let good: Vec<(Move, Score)> = moves
            .iter()
            .filter(|known| known.is_playable())
            .filter_map(|known| Some((known.mv, known.score?)))
            .filter(|(_, score)| best.0 - score.0 <= margin)
            .collect();
        let index = match good.len() {
            0 => return None,
            count if is_varied => (number & u64::from(u32::MAX)) as usize % count,
            _ => 0,
        };
        good.get(index).copied()
    }

    /// Returns the number of known positions that its moves reach from a position on, that one included.
    pub fn positions_behind(&self, pos: &Position) -> usize {
        let mut seen = HashSet::new();
        let mut ahead = vec![*pos];
        while let Some(pos) = ahead.pop() {
            if self.entry(&pos).is_some() && seen.insert(key_of(&pos)) {
                let moves = self.moves(&pos);
                ahead.extend(moves.iter().map(|known| pos.play(known.mv)));
            }
        }
        seen.len()
    }

    /// Returns the positions, in the order in which they were added.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Returns what is known about a position, to change it; not the position itself.
    pub fn entry_mut(&mut self, pos: &Position) -> Option<&mut Entry> {
        let place = *self.places.get(&key_of(pos))?;
        self.entries.get_mut(place)
    }

    /// Returns the number of positions.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Says whether the book knows no position.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

impl Entry {
    /// Returns the value of the position for the side to move: that of its best move.
    pub fn value(&self) -> Option<Score> {
        self.moves.first()?.score
    }

    /// Says whether there is something in it that only people or games can tell, which must not be lost when a book is made anew.
    pub fn is_told(&self) -> bool {
        let is_told = |known: &BookMove| known.basis == Basis::Hand || known.games.count() > 0;
        !self.notes.is_empty() || self.moves.iter().any(is_told)
    }

    /// Puts its moves in order.
    pub fn sort(&mut self) {
        let worth = |known: &BookMove| (known.score, known.games.count());
        self.moves
            .sort_by_key(|known| std::cmp::Reverse(worth(known)));
    }

    /// Returns the moves as they are in a position, which is that of the entry or its mirror image.
    pub fn moves_in(&self, pos: &Position) -> Vec<BookMove> {
        let mut moves = self.moves.clone();
        for known in &mut moves {
            known.mv = Self::turned(pos, &self.pos, known.mv);
        }
        moves
    }

    /// Returns the move in one position that is a move of another, which is the same or its mirror image.
    pub fn turned(to: &Position, from: &Position, mv: Move) -> Move {
        if to.turn() == from.turn() {
            return mv;
        }
        Move {
            captured: mv.captured.rotated(),
            from: mv.from.rotated(),
            to: mv.to.rotated(),
            promotes: mv.promotes,
        }
    }
}

impl BookMove {
    /// Says whether the engine may play it: somebody has looked behind it, and it does not lose by proof.
    pub fn is_playable(&self) -> bool {
        let is_lost = |score: Score| score.is_decided() && score < Score::DRAW;
        self.basis != Basis::Search && self.score.is_some_and(|score| !is_lost(score))
    }
}

impl Games {
    /// Returns their number.
    pub const fn count(self) -> u32 {
        self.won
            .saturating_add(self.drawn)
            .saturating_add(self.lost)
    }

    /// Adds other games.
    pub fn add(&mut self, other: Self) {
        self.won = self.won.saturating_add(other.won);
        self.drawn = self.drawn.saturating_add(other.drawn);
        self.lost = self.lost.saturating_add(other.lost);
    }
}

/// `+3=5-1`: won, drawn, lost.
impl fmt::Display for Games {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "+{}={}-{}", self.won, self.drawn, self.lost)
    }
}

/// Returns how far a game has come: how many pieces are taken, then how many rows the men have moved forward. Every move of a man leads to a
/// greater pair, if it does not promote.
pub fn progress_of(pos: &Position) -> (u32, u32) {
    let taken = 2 * MAX_PIECES - pos.occupied().count();
    let steps = |side: Side| -> u32 {
        let rows = |square: Square| match side {
            Side::White => u32::from(square.rank()),
            Side::Black => 7 - u32::from(square.rank()),
        };
        pos.men(side).squares().map(rows).sum()
    };
    (taken, steps(Side::White) + steps(Side::Black))
}
