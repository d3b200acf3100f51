//! The moves of a position with what the tables and the counts of the rule set say of each.
//!
//! A count ends a won game when the winner takes longer to the next move that starts the count again than is left of it. Counts that
//! start again at a capture or man move are compared with DTZ, those that start again at a capture or promotion with DTC; both are
//! the fewest plies that the winner can force, so no other way of playing does better. Four things are simplified:
//!
//! - a win is taken to hold when its next count begins, which is so for all but a few wins in a million;
//! - the lone king is taken to stay on the main road if it is there; in `russian-fmjd64`, where it may get there later and has to stay for
//!   five moves only, nearly all wins are left unknown;
//! - two counts that run at once (`russian-fmjd64` with four and five pieces) are looked at one by one, though the way that keeps one may
//!   break the other;
//! - a win in whose way lies a position that would end the game if it came up again is left unknown if the winner cannot get round that with
//!   moves that lose no time, unless the loser's answer to the move repeats it.
//!
//! Where DTC is left out of the tables ([`longest_dtc`](Tables::longest_dtc)) and its bound fits, a win is known to be one, but moves are
//! ordered by DTZ.

use super::Value;
use super::archive::Kind;
use super::slice::Slice;
use super::tables::{Plies, Tables};
use crate::board::{Bitboard, Move, MoveList, Position, Side};
use crate::rules::{DrawCounters, Game, Rules, legal_moves};
use std::collections::{HashMap, HashSet};

/// A position, or the position behind a move, as the tables know it. Unknown is `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// The value without counts.
    pub value: Option<Value>,
    /// The value under the counts of the rule set as they stand in the game.
    pub rule_value: Option<Value>,
    /// DTC in plies, of positions that are won or lost.
    pub conversion: Option<u8>,
    /// DTZ in plies, of positions that are won or lost.
    pub zeroing: Option<u8>,
}

/// A position and its moves. Values and distances of a move are those of the mover who plays it.
#[derive(Clone, Debug)]
pub struct Root {
    /// The position.
    pub entry: Entry,
    /// Every legal move, best first.
    pub moves: Vec<(Move, Entry)>,
}

/// Asks the tables about a game as it stands. Without `draw_rules` the values are those of play without counts.
pub fn probe<R: Rules>(tables: &Tables<R>, game: &Game<R>, draw_rules: bool) -> Root {
    let pos = game.position();
    let last = if draw_rules {
        game.last_repetitions()
    } else {
        HashSet::new()
    };
    let mut moves: Vec<(Move, Entry)> = game
        .legal_moves()
        .into_iter()
        .map(|mv| (mv, of_move(tables, game, mv, draw_rules, &last)))
        .collect();
    moves.sort_by_key(|(_, entry)| preference::<R>(*entry));
    let value = tables.probe_wdl(pos);
    let best = moves.first().map(|(_, entry)| entry.rule_value);
    let is_over = draw_rules && game.ending().is_some_and(|ending| ending.winner.is_none());
    let rule_value = match best {
        // Counts make draws of wins, and nothing of draws.
        _ if is_over || value == Some(Value::Draw) => Some(Value::Draw),
        // Unknown moves may be better than the best one that is known, unless that wins.
        Some(Some(Value::Win)) => Some(Value::Win),
        Some(best) if moves.iter().all(|(_, entry)| entry.rule_value.is_some()) => best,
        Some(_) => None,
        None => value,
    };
    let entry = Entry {
        value,
        rule_value,
        conversion: tables.probe_dtc(pos),
        zeroing: tables.probe_dtz(pos),
    };
    Root { entry, moves }
}

/// Returns what moves are ordered by: wins under the rules come first, the quickest before the others, then moves that may win, draws, moves
/// that may be drawn, and losses, the slowest before the others.
fn preference<R: Rules>(entry: Entry) -> (u8, u8, i16, i16) {
    let by_value = |value: Option<Value>| match value {
        Some(Value::Win) => 0,
        Some(Value::Draw) => 2,
        Some(Value::Loss) => 4,
        // Counts may save what is lost without them, but no more.
        None if entry.value == Some(Value::Loss) => 3,
        None => 1,
    };
    let man_moves_reset = R::DRAWS
        .no_progress
        .as_ref()
        .is_none_or(|rule| rule.man_moves_reset);
    let (first, second) = if man_moves_reset {
        (entry.zeroing, entry.conversion)
    } else {
        (entry.conversion, entry.zeroing)
    };
    let is_loss = entry.value == Some(Value::Loss);
    let plies = |plies: Option<u8>| {
        let plies = plies.map_or(i16::from(u8::MAX), i16::from);
        if is_loss { -plies } else { plies }
    };
    (
        by_value(entry.rule_value),
        by_value(entry.value),
        plies(first),
        plies(second),
    )
}

/// Returns what the tables know of a move. `last` are the positions that end the game if they come up again.
fn of_move<R: Rules>(
    tables: &Tables<R>,
    game: &Game<R>,
    mv: Move,
    draw_rules: bool,
    last: &HashSet<Position>,
) -> Entry {
    let pos = game.position();
    let mut after = game.clone();
    after.play(mv);
    let value = tables.probe_wdl(after.position());
    let ends = mv.is_capture() || mv.promotes;
    let plies = |ends: bool, behind: Option<u8>| match value {
        None | Some(Value::Draw) => None,
        Some(_) if ends => Some(1),
        Some(_) => behind?.checked_add(1),
    };
    let conversion = plies(ends, tables.probe_dtc(after.position()));
    let is_zeroing = is_zeroing(pos, mv);
    let zeroing = plies(is_zeroing, tables.probe_dtz(after.position()));
    let is_drawn = after.ending().is_some_and(|ending| ending.winner.is_none());
    let rule_value = if !draw_rules {
        value
    } else if is_drawn || !is_zeroing && value == Some(Value::Loss) && can_reach(&after, last) {
        Some(Value::Draw)
    } else if !is_zeroing && !Way::new(tables, last).is_free(after.position()) {
        None
    } else {
        rule_value(tables, after.position(), after.counters())
    };
    Entry {
        value: value.map(Value::reversed),
        rule_value: rule_value.map(Value::reversed),
        conversion,
        zeroing,
    }
}

/// Says whether a move leads to one of these positions.
fn can_reach<R: Rules>(game: &Game<R>, positions: &HashSet<Position>) -> bool {
    let mut replies = game.legal_moves().into_iter();
    replies.any(|mv| positions.contains(&game.position().play(mv)))
}

/// Says whether a move begins the count of moves of kings alone anew.
fn is_zeroing(pos: &Position, mv: Move) -> bool {
    mv.is_capture() || !pos.is_king_at(mv.from)
}

/// So many positions are looked at to find a way round those that must not come up again.
const WAY_POSITIONS: usize = 10_000;

/// A search for the winner's way to the next capture or man move, with moves that lose no time, round positions that must not come up again.
struct Way<'a, R> {
    tables: &'a Tables<R>,
    last: &'a HashSet<Position>,
    known: HashMap<Position, bool>,
}

impl<'a, R: Rules> Way<'a, R> {
    fn new(tables: &'a Tables<R>, last: &'a HashSet<Position>) -> Self {
        Self {
            tables,
            last,
            known: HashMap::new(),
        }
    }

    /// Says whether the winner has such a way from a position, if there is a winner.
    fn is_free(&mut self, pos: &Position) -> bool {
        let (Some(value), plies) = (self.tables.probe_wdl(pos), self.tables.probe_dtz(pos)) else {
            return true;
        };
        // Each move of the way leaves fewer plies to go.
        let is_ahead = |last: &Position| match (plies, self.tables.probe_dtz(last)) {
            (Some(plies), Some(nearer)) => nearer < plies,
            _ => true,
        };
        if value == Value::Draw || !self.last.iter().any(is_ahead) {
            return true;
        }
        if let Some(&known) = self.known.get(pos) {
            return known;
        }
        if self.known.len() >= WAY_POSITIONS {
            return false;
        }
        let mut moves = MoveList::new();
        legal_moves::<R>(pos, &mut moves);
        let is_winners = value == Value::Win;
        let looked_at: Vec<Move> = moves
            .iter()
            .copied()
            .filter(|&mv| !is_winners || self.wins_in_time(pos, mv))
            .collect();
        let is_safe = |&mv: &Move| {
            let after = pos.play(mv);
            is_zeroing(pos, mv) || !self.last.contains(&after) && self.is_free(&after)
        };
        let is_free = if is_winners {
            looked_at.iter().any(is_safe)
        } else {
            looked_at.iter().all(is_safe)
        };
        self.known.insert(*pos, is_free);
        is_free
    }

    /// Says whether a move of the winner wins and loses no time.
    fn wins_in_time(&self, pos: &Position, mv: Move) -> bool {
        let after = pos.play(mv);
        let plies = |pos| self.tables.probe_dtz(pos);
        let is_nearer = || {
            let both = plies(&after).zip(plies(pos));
            both.is_some_and(|(left, before)| left < before)
        };
        self.tables.probe_wdl(&after) == Some(Value::Loss) && (is_zeroing(pos, mv) || is_nearer())
    }
}

/// Returns the value of a position under the counts of the rule set, given where they stand. Repetition is left out.
pub fn rule_value<R: Rules>(
    tables: &Tables<R>,
    pos: &Position,
    counters: DrawCounters,
) -> Option<Value> {
    let value = tables.probe_wdl(pos)?;
    let is_fresh = counters == DrawCounters::default();
    if value == Value::Draw || is_fresh && tables.is_sure(pos) {
        return Some(value);
    }
    let winner = if value == Value::Win {
        pos.turn()
    } else {
        pos.turn().opponent()
    };
    let is_lost = value == Value::Loss;
    let zeroing = tables.plies(Kind::Zeroing, pos, is_lost);
    let conversion = tables.plies(Kind::Conversion, pos, is_lost);
    if may_be_saved_by_road::<R>(pos, winner, conversion.most) {
        return None;
    }
    let is_on_road = counts_road::<R>(pos, winner);
    if !runs_out::<R>(pos, winner, counters, is_on_road, [zeroing, conversion]) {
        return Some(value);
    }
    // The count that men start again too goes by DTZ alone.
    let limit = R::DRAWS.no_progress.as_ref();
    let limit = limit.filter(|rule| rule.man_moves_reset);
    let zeroing_plies = counters
        .since_zeroing
        .saturating_add(u16::from(zeroing.most));
    if zeroing.is_exact && limit.is_some_and(|rule| zeroing_plies > rule.plies) {
        return Some(Value::Draw);
    }
    // Where only a bound of a distance is known, nothing follows from its being too long.
    (zeroing.is_exact && conversion.is_exact).then_some(Value::Draw)
}

/// Says whether a count ends the game before the winner, who needs the given plies to the next capture or man move (DTZ) and to the next
/// capture or promotion (DTC), has come to the latter. Until then the material stays, so every count follows from the plies made.
fn runs_out<R: Rules>(
    pos: &Position,
    winner: Side,
    counters: DrawCounters,
    is_on_road: bool,
    [zeroing, conversion]: [Plies; 2],
) -> bool {
    (1..u16::from(conversion.most)).any(|made| {
        let turned = made % 2 == 1;
        let then = if turned { pos.passed() } else { *pos };
        let by_winner = if winner == pos.turn() {
            made.div_ceil(2)
        } else {
            made / 2
        };
        let later = DrawCounters {
            since_zeroing: if made < u16::from(zeroing.most) {
                counters.since_zeroing.saturating_add(made)
            } else {
                0
            },
            since_conversion: counters.since_conversion.saturating_add(made),
            main_road: if is_on_road {
                counters.main_road.saturating_add(by_winner)
            } else {
                0
            },
        };
        later.draw::<R>(&then).is_some()
    })
}

/// Says whether no count can take a win or loss of a slice away if all counts begin anew there.
pub(super) fn always_holds<R: Rules>(tables: &Tables<R>, slice: Slice) -> bool {
    let longest = |kind| Plies {
        most: tables.longest(kind, slice).unwrap_or(u8::MAX),
        is_exact: false,
    };
    let plies = [longest(Kind::Zeroing), longest(Kind::Conversion)];
    // Apart from the main road, counts look at the material alone.
    let pos = slice.position(0);
    Side::BOTH.into_iter().all(|winner| {
        let lone = pos.material(winner.opponent());
        let may_be_on_road = R::DRAWS.main_road.is_some()
            && pos.material(winner).pieces() == 3
            && (lone.men, lone.kings) == (0, 1);
        !may_be_on_road
            && !may_be_saved_by_road::<R>(&pos, winner, plies[1].most)
            && !runs_out::<R>(&pos, winner, DrawCounters::default(), false, plies)
    })
}

/// Says whether a lone king that is not on the main road yet could reach it, so that the count there, the shortest of all, takes the win away.
/// Where a king and two men are enough for that count (`russian-fmjd64`) it can begin many conversions later, so the tables cannot
/// tell: only three kings that catch one sooner than it ends are sure.
fn may_be_saved_by_road<R: Rules>(pos: &Position, winner: Side, conversion: u8) -> bool {
    let Some(rule) = R::DRAWS.main_road.filter(|rule| !rule.kings_only) else {
        return false;
    };
    let (strong, weak) = (pos.material(winner), pos.material(winner.opponent()));
    // The rule is about three pieces against one, and who wins gets no more of them.
    if strong.pieces() < 3 {
        return false;
    }
    let is_sure = strong.men == 0
        && weak.men == 0
        && weak.kings == 1
        && u16::from(conversion) < 2 * rule.moves;
    !(strong.pieces() == 3 && is_sure)
}

/// Says whether the count of the main road runs against a winner.
fn counts_road<R: Rules>(pos: &Position, winner: Side) -> bool {
    let Some(rule) = R::DRAWS.main_road else {
        return false;
    };
    let (strong, lone) = (pos.material(winner), pos.kings(winner.opponent()));
    let least_kings = if rule.kings_only { 3 } else { 1 };
    strong.pieces() == 3
        && strong.kings >= least_kings
        && pos.pieces(winner.opponent()) == lone
        && lone.is_single()
        && lone.intersects(Bitboard::MAIN_ROAD)
}
