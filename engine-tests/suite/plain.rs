//! Checks of proofs that share nothing with the searches of the program but the rules, and ask the endgame tables for values and
//! distances only. Nothing is pruned by estimates.
//!
//! - [`check`] takes an answer with the strategy of the side that it favours and lists every position that can come up, the other side playing
//!   all its legal moves, down to those that the tables know. If the attacker is to win, every one of them must lead to a win in
//!   some number of moves; if it is not, no win must be among them, and that play may go on for ever is fine.
//! - [`wins_within`] looks at all play of a length, so that a win can be said to be no shorter.

use mainroad::board::{Move, MoveList, Position, Side};
use mainroad::egdb::{Tables, Value};
use mainroad::rules::{Rules, legal_moves};
use mainroad::tools::solving::Claim;
use std::collections::HashMap;

fn moves_of<R: Rules>(pos: &Position) -> MoveList {
    let mut moves = MoveList::new();
    legal_moves::<R>(pos, &mut moves);
    moves
}

/// Says whether an attacker wins a position, if it is over or the tables know it.
fn known<R: Rules>(tables: &Tables<R>, pos: &Position, attacker: Side) -> Option<bool> {
    if moves_of::<R>(pos).is_empty() {
        return Some(pos.turn() != attacker);
    }
    let wanted = if pos.turn() == attacker {
        Value::Win
    } else {
        Value::Loss
    };
    tables.probe_wdl(pos).map(|value| value == wanted)
}

/// Says whether a claim about the position before its first move is right.
pub(crate) fn check<R: Rules>(tables: &Tables<R>, root: &Position, claim: &Claim) -> bool {
    let strategy: HashMap<Position, Move> = claim.strategy.iter().copied().collect();
    let favoured = if claim.wins {
        claim.attacker
    } else {
        claim.attacker.opponent()
    };
    let mut positions = vec![root.play(claim.first)];
    let mut numbers = HashMap::from([(positions[0], 0)]);
    // By position: whether the attacker has won there, or what can come next.
    let mut next: Vec<Result<bool, Vec<usize>>> = Vec::new();
    while next.len() < positions.len() {
        let pos = positions[next.len()];
        if let Some(wins) = known(tables, &pos, claim.attacker) {
            next.push(Ok(wins));
            continue;
        }
        let legal = moves_of::<R>(&pos);
        let chosen: Vec<Move> = if pos.turn() == favoured {
            strategy.get(&pos).copied().into_iter().collect()
        } else {
            legal.to_vec()
        };
        if chosen.is_empty() || chosen.iter().any(|mv| !legal.contains(mv)) {
            return false;
        }
        let children = chosen.into_iter().map(|mv| {
            let after = pos.play(mv);
            *numbers.entry(after).or_insert_with(|| {
                positions.push(after);
                positions.len() - 1
            })
        });
        let children = children.collect();
        next.push(Err(children));
    }
    if !claim.wins {
        return next.iter().all(|next| *next != Ok(true));
    }
    // A position is won when all that can come next is.
    let mut won = vec![false; next.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for (number, next) in next.iter().enumerate().rev() {
            let wins = match next {
                Ok(wins) => *wins,
                Err(children) => children.iter().all(|&child| won[child]),
            };
            changed |= wins && !won[number];
            won[number] |= wins;
        }
    }
    won[0]
}

/// A search of all play of a length.
pub(crate) struct Within<'a, R: Rules> {
    pub(crate) tables: &'a Tables<R>,
    pub(crate) attacker: Side,
    /// The most plies in which a position is known not to be won, and the fewest in which it is.
    pub(crate) memory: HashMap<Position, (u16, u16)>,
    /// Positions that may still be looked at.
    pub(crate) left: u64,
}

/// Says whether the side to move wins within so many plies; `None` if more than `most` positions would have to be looked at.
pub(crate) fn wins_within<R: Rules>(
    tables: &Tables<R>,
    pos: &Position,
    plies: u16,
    most: u64,
) -> Option<bool> {
    let mut within = Within {
        tables,
        attacker: pos.turn(),
        memory: HashMap::new(),
        left: most,
    };
    within.wins(pos, plies)
}

impl<R: Rules> Within<'_, R> {
    fn wins(&mut self, pos: &Position, plies: u16) -> Option<bool> {
        let moves = moves_of::<R>(pos);
        let is_attackers = pos.turn() == self.attacker;
        if moves.is_empty() {
            return Some(!is_attackers);
        }
        if plies == 0 {
            return Some(false);
        }
        let (not_in, won_in) = self.memory.get(pos).copied().unwrap_or((0, u16::MAX));
        if plies <= not_in || plies >= won_in {
            return Some(plies >= won_in);
        }
        self.left = self.left.checked_sub(1)?;
        let wins = !self.is_too_far(pos, plies) && {
            let mut found = !is_attackers;
            for mv in moves {
                if self.wins(&pos.play(mv), plies - 1)? == is_attackers {
                    found = is_attackers;
                    break;
                }
            }
            found
        };
        let entry = if wins {
            (not_in, plies)
        } else {
            (plies, won_in)
        };
        self.memory.insert(*pos, entry);
        Some(wins)
    }

    /// Says whether the tables know that the attacker does not win, or not even captures or promotes so soon.
    fn is_too_far(&self, pos: &Position, plies: u16) -> bool {
        match known(self.tables, pos, self.attacker) {
            None => false,
            Some(false) => true,
            Some(true) => self
                .tables
                .probe_dtc(pos)
                .is_some_and(|dtc| u16::from(dtc) > plies),
        }
    }
}
