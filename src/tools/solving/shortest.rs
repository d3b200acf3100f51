//! The shortest win, by looking at all play of a length: what makes a distance exact.

use super::Effort;
use super::judge::Judge;
use super::state::{Mixer, Packed, State};
use crate::board::{Move, MoveList};
use crate::rules::{Game, Rules, count_moves, has_legal_move, legal_moves};
use std::collections::HashMap;
use std::hash::BuildHasherDefault;

/// What is known of a position: it is won in so many plies, and not won in so many.
#[derive(Clone, Copy)]
struct Known {
    won_in: u16,
    not_won_in: u16,
}

/// A search for wins within a number of plies. Whether there is one does not depend on repetition, so what is found of a position
/// holds whatever led to it.
pub(super) struct Bounded<R: Rules> {
    judge: Judge<R>,
    known: HashMap<Packed, Known, BuildHasherDefault<Mixer>>,
    /// Positions looked at so far, and the most there may be: none more when it is late.
    pub(super) judged: u64,
    most_judged: u64,
    effort: Effort,
}

/// After so many positions the clock is looked at.
const JUDGED_PER_CHECK: u64 = 1024;

impl<R: Rules> Bounded<R> {
    /// Begins with nothing known, within a part of the effort.
    pub(super) fn new(judge: Judge<R>, most_judged: u64, effort: Effort) -> Self {
        Self {
            judge,
            known: HashMap::default(),
            judged: 0,
            most_judged,
            effort,
        }
    }

    /// Says whether the attacker wins within so many plies; `None` if the effort is over.
    pub(super) fn wins_in(&mut self, state: &State, plies: u16) -> Option<bool> {
        let is_attackers = state.pos.turn() == self.judge.attacker;
        if !has_legal_move(&state.pos) {
            return Some(!is_attackers);
        }
        if plies == 0 {
            return Some(false);
        }
        let packed = Packed::of(state);
        let known = self.known.get(&packed).copied().unwrap_or(Known {
            won_in: u16::MAX,
            not_won_in: 0,
        });
        if plies >= known.won_in {
            return Some(true);
        }
        if plies <= known.not_won_in {
            return Some(false);
        }
        if self.judged.is_multiple_of(JUDGED_PER_CHECK) && self.effort.is_late() {
            self.most_judged = 0;
        }
        self.judged += 1;
        self.effort.count();
        if self.judged > self.most_judged {
            return None;
        }
        let wins = !self.judge.is_out_of_reach(state, plies) && self.try_moves(state, plies)?;
        let known = if wins {
            Known {
                won_in: plies,
                ..known
            }
        } else {
            Known {
                not_won_in: plies,
                ..known
            }
        };
        self.known.insert(packed, known);
        Some(wins)
    }

    fn try_moves(&mut self, state: &State, plies: u16) -> Option<bool> {
        let mut moves = MoveList::new();
        legal_moves::<R>(&state.pos, &mut moves);
        let mut children: Vec<State> = moves
            .iter()
            .map(|&mv| state.play::<R>(mv, self.judge.is_counted))
            .collect();
        let is_attackers = state.pos.turn() == self.judge.attacker;
        if is_attackers {
            // Few replies are soon looked at.
            children.sort_by_cached_key(|child| count_moves::<R>(&child.pos));
        }
        for child in &children {
            if self.wins_in(child, plies - 1)? == is_attackers {
                return Some(is_attackers);
            }
        }
        Some(!is_attackers)
    }

    /// Leaves of the defender's moves only those behind which there is no win within a number of plies, the move included, if there are any.
    pub(super) fn keep_slow(&mut self, game: &Game<R>, moves: &mut Vec<Move>, plies: u16) {
        let here = self.state(game);
        let is_slow = |bounded: &mut Self, mv: Move| {
            let after = here.play::<R>(mv, bounded.judge.is_counted);
            plies == 0 || bounded.wins_in(&after, plies - 1) == Some(false)
        };
        let slow: Vec<Move> = moves
            .iter()
            .copied()
            .filter(|&mv| is_slow(self, mv))
            .collect();
        if !slow.is_empty() {
            *moves = slow;
        }
    }

    /// Returns the state of a game.
    pub(super) fn state(&self, game: &Game<R>) -> State {
        if self.judge.is_counted {
            State::counted::<R>(*game.position(), game.counters())
        } else {
            State::uncounted(*game.position())
        }
    }

    /// Returns a line from where a game stands, which is won in so many plies and no fewer: none shorter and none that the defender could
    /// make longer. `None` if the effort is over.
    pub(super) fn line(&mut self, game: &Game<R>, plies: u16) -> Option<Vec<Move>> {
        let mut game = game.clone();
        let made = game.moves().len();
        for left in (0..plies).rev() {
            let here = self.state(&game);
            let is_attackers = here.pos.turn() == self.judge.attacker;
            let mut next = None;
            for mv in game.legal_moves() {
                let after = here.play::<R>(mv, self.judge.is_counted);
                // The attacker wins within the plies that are left, the defender does not let it be fewer.
                let fits = if is_attackers {
                    self.wins_in(&after, left)?
                } else {
                    left == 0 || !self.wins_in(&after, left - 1)?
                };
                if fits {
                    next = Some(mv);
                    break;
                }
            }
            game.play(next?);
        }
        Some(game.moves()[made..].to_vec())
    }
}
