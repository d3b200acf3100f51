//! A game in progress: positions, keys and counters since its start, and how it ends.

use super::{DrawCounters, Rules, has_legal_move, legal_moves};
use crate::board::{Key, Move, MoveList, Position, Side};
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::marker::PhantomData;

/// Why a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// The side to move has no piece left.
    NoPieces,
    /// The side to move has pieces but no move.
    Blocked,
    /// The position occurred too often.
    Repetition,
    /// Three kings did not catch one in time.
    ThreeVOne,
    /// The lone king held the main road.
    MainRoad,
    /// An ending of a few pieces took too long.
    SmallEnding,
    /// The balance of forces did not change for too long.
    Balance,
    /// Nothing happened for too long.
    NoProgress,
}

impl Reason {
    /// Returns the name used in all outputs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::NoPieces => "no-pieces",
            Self::Blocked => "blocked",
            Self::Repetition => "repetition",
            Self::ThreeVOne => "three-v-one",
            Self::MainRoad => "main-road",
            Self::SmallEnding => "small-ending",
            Self::Balance => "balance",
            Self::NoProgress => "no-progress",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// Who won, or `None` for a draw.
    pub winner: Option<Side>,
    /// By which rule.
    pub reason: Reason,
}

/// Says that a move is not in the list of legal moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the move from {from} to {to} is not legal here", from = .0.from, to = .0.to)]
pub struct IllegalMove(pub Move);

/// A position of a game, with what the draw rules need to know.
#[derive(Clone, Copy, Debug)]
struct Stage {
    pos: Position,
    key: Key,
    counters: DrawCounters,
}

/// A game: a start position and the moves since, under the rules `R`.
#[derive(Clone, Debug)]
pub struct Game<R> {
    /// The start and the position after each move; never empty.
    stages: Vec<Stage>,
    moves: Vec<Move>,
    rules: PhantomData<R>,
}

impl<R: Rules> Default for Game<R> {
    fn default() -> Self {
        Self::new()
    }
}

impl<R: Rules> Game<R> {
    /// Begins a game at the start position.
    pub fn new() -> Self {
        Self::from_position(R::start())
    }

    /// Begins a game at a given position, with every count at 0.
    pub fn from_position(pos: Position) -> Self {
        let start = Stage {
            pos,
            key: Key::of(&pos),
            counters: DrawCounters::default(),
        };
        Self {
            stages: vec![start],
            moves: Vec::new(),
            rules: PhantomData,
        }
    }

    fn now(&self) -> &Stage {
        self.stages.last().expect("the start is always there")
    }

    /// Returns the position now.
    pub fn position(&self) -> &Position {
        &self.now().pos
    }

    /// Returns the position at which the game began.
    pub fn start(&self) -> &Position {
        &self.stages[0].pos
    }

    /// Returns the key of the position now.
    pub fn key(&self) -> Key {
        self.now().key
    }

    /// Returns the draw counters now.
    pub fn counters(&self) -> DrawCounters {
        self.now().counters
    }

    /// Returns the moves so far.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Returns the keys of the positions since the last capture or man move, oldest first: the current one, which is the last, can repeat no
    /// others.
    pub fn keys_since_zeroing(&self) -> impl DoubleEndedIterator<Item = Key> + ExactSizeIterator {
        self.since_zeroing().iter().map(|stage| stage.key)
    }

    fn since_zeroing(&self) -> &[Stage] {
        let count = usize::from(self.counters().since_zeroing) + 1;
        &self.stages[self.stages.len().saturating_sub(count)..]
    }

    /// Returns the legal moves now. They are empty only in a lost position: draws do not end the list.
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        legal_moves::<R>(self.position(), &mut moves);
        moves
    }

    /// Plays a move if it is legal; otherwise nothing changes.
    pub fn try_play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        if !self.legal_moves().contains(&mv) {
            return Err(IllegalMove(mv));
        }
        self.play(mv);
        Ok(())
    }

    /// Plays a move that is known to be legal; only debug builds check it.
    pub fn play(&mut self, mv: Move) {
        debug_assert!(self.legal_moves().contains(&mv), "illegal move");
        let Stage { pos, key, counters } = *self.now();
        let after = pos.play(mv);
        self.stages.push(Stage {
            pos: after,
            key: key.after(&pos, mv),
            counters: counters.after::<R>(&pos, mv, &after),
        });
        self.moves.push(mv);
    }

    /// Takes the last move back and returns it.
    pub fn undo(&mut self) -> Option<Move> {
        let mv = self.moves.pop()?;
        self.stages.pop();
        Some(mv)
    }

    /// Returns how often the position now has occurred, this time included.
    pub fn repetitions(&self) -> u32 {
        let key = self.key();
        self.keys_since_zeroing()
            .filter(|&earlier| earlier == key)
            .count() as u32
    }

    /// Returns the positions since the last capture or man move that end the game as a draw when they occur once more.
    pub fn last_repetitions(&self) -> HashSet<Position> {
        let Some(limit) = R::DRAWS.repetition else {
            return HashSet::new();
        };
        let mut seen: HashMap<Position, u32> = HashMap::new();
        for stage in self.since_zeroing() {
            *seen.entry(stage.pos).or_default() += 1;
        }
        seen.retain(|_, times| *times + 1 >= limit);
        seen.into_keys().collect()
    }

    /// Returns how the game has ended, or `None` if it goes on. A lost position comes before a draw.
    pub fn ending(&self) -> Option<Ending> {
        self.loss().or_else(|| self.draw())
    }

    /// Returns the end of a game by the side to move having no legal move.
    pub fn loss(&self) -> Option<Ending> {
        let pos = self.position();
        if has_legal_move(pos) {
            return None;
        }
        let reason = if pos.own().is_empty() {
            Reason::NoPieces
        } else {
            Reason::Blocked
        };
        Some(Ending {
            winner: Some(pos.turn().opponent()),
            reason,
        })
    }

    /// Returns the end of a game by a draw rule, assuming that there is a legal move.
    fn draw(&self) -> Option<Ending> {
        let repeats = R::DRAWS
            .repetition
            .is_some_and(|limit| self.repetitions() >= limit);
        let reason = if repeats {
            Some(Reason::Repetition)
        } else {
            self.counters().draw::<R>(self.position())
        };
        reason.map(|reason| Ending {
            winner: None,
            reason,
        })
    }
}
