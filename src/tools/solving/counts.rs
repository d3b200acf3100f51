//! Which wins of the endgame tables hold under the counts of the rule set.
//!
//! Tables know no counts. That a win holds is shown for all positions with the same material at once where the longest distances in
//! their tables allow it: if the longest way to the next capture or promotion (or, where only a count of king moves can end the game, to the
//! next capture or man move) is shorter than every count, and the wins in all that can come of the material are sure too, then the
//! winner who takes the shortest way wins under the rules. A larger count never helps the winner, so taking each counter
//! at its largest errs on the safe side.
//!
//! Where that says nothing (three kings against one in `pool`, which a count ends one ply before the longest wins) the win is played out
//! against every defence, the winner trying all moves that bring the next step nearer. A win that is not found like this may
//! still be one; it is left to the search.

use super::Effort;
use super::state::{Mixer, Packed, State};
use crate::board::{Bitboard, MoveList, Position, Side, Square};
use crate::egdb::{Slice, Tables, Value};
use crate::rules::{DrawCounters, Rules, has_legal_move, legal_moves};
use std::collections::{HashMap, HashSet};
use std::hash::BuildHasherDefault;
use std::sync::Arc;

/// A counter that has reached every limit.
const ANY_COUNT: u16 = 1023;

/// Positions played out between two looks at the clock.
const PLAYED_PER_CHECK: u64 = 1024;

/// Answers, and remembers what was shown.
pub(super) struct Counts<R: Rules> {
    tables: Arc<Tables<R>>,
    /// Positions that have occurred so often that the next time is a draw.
    pub(super) forbidden: HashSet<Position>,
    /// Whether all wins of a material, in the view of the stronger side, hold if every count begins anew.
    slices: HashMap<Slice, bool>,
    /// What came out of playing on from positions.
    played: HashMap<Packed, Played, BuildHasherDefault<Mixer>>,
    /// Distances looked up so far.
    distances: HashMap<Packed, Option<u8>, BuildHasherDefault<Mixer>>,
    /// What may be spent on playing out, and how many positions have been.
    pub(super) effort: Effort,
    pub(super) spent: u64,
}

/// Some counters with which the win of a position holds, and some with which it does not.
#[derive(Clone, Copy, Default)]
struct Played {
    holds: Option<DrawCounters>,
    fails: Option<DrawCounters>,
}

impl Played {
    /// Says whether the win holds with other counters, if that follows.
    fn tells(self, counters: DrawCounters) -> Option<bool> {
        if self
            .holds
            .is_some_and(|known| is_no_larger(counters, known))
        {
            Some(true)
        } else if self
            .fails
            .is_some_and(|known| is_no_larger(known, counters))
        {
            Some(false)
        } else {
            None
        }
    }
}

/// Says whether no counter of one is larger than the other's.
fn is_no_larger(one: DrawCounters, other: DrawCounters) -> bool {
    one.since_zeroing <= other.since_zeroing
        && one.since_conversion <= other.since_conversion
        && one.main_road <= other.main_road
}

impl<R: Rules> Counts<R> {
    pub(super) fn new(
        tables: Arc<Tables<R>>,
        forbidden: HashSet<Position>,
        effort: Effort,
    ) -> Self {
        Self {
            tables,
            forbidden,
            slices: HashMap::new(),
            played: HashMap::default(),
            distances: HashMap::default(),
            effort,
            spent: 0,
        }
    }

    /// Returns the same with nothing remembered and nothing spent.
    pub(super) fn anew(&self) -> Self {
        Self::new(
            Arc::clone(&self.tables),
            self.forbidden.clone(),
            self.effort.clone(),
        )
    }

    /// Says whether the win or loss of a position that the tables know is sure to hold with the counters as they are.
    pub(super) fn hold(&mut self, state: &State) -> bool {
        match self.tables.probe_wdl(&state.pos) {
            None | Some(Value::Draw) => false,
            Some(value) => self.play(state, value == Value::Win) == Some(true),
        }
    }

    /// Says whether the winner wins by playing on from a table win with the counters as they are; `None` if that takes too long.
    fn play(&mut self, state: &State, is_winners: bool) -> Option<bool> {
        let State { pos, counters } = state;
        if !has_legal_move(pos) {
            return Some(!is_winners);
        }
        if counters.draw::<R>(pos).is_some() || self.forbidden.contains(pos) {
            return Some(false);
        }
        let packed = Packed::of(&State::uncounted(*pos));
        let known = self.played.get(&packed).copied().unwrap_or_default();
        if let Some(holds) = known.tells(*counters) {
            return Some(holds);
        }
        // Distances of lost positions are slow to look up, and the winner's turn comes soon.
        let wins = if is_winners && self.is_sure(pos, *counters) {
            true
        } else {
            self.spend()?;
            if is_winners {
                self.attack(state)?
            } else {
                self.defend(state)?
            }
        };
        let entry = self.played.entry(packed).or_default();
        if wins {
            entry.holds = Some(*counters);
        } else {
            entry.fails = Some(*counters);
        }
        Some(wins)
    }

    fn spend(&mut self) -> Option<()> {
        self.spent += 1;
        self.effort.count();
        let is_over = self.spent > self.effort.nodes
            || self.spent.is_multiple_of(PLAYED_PER_CHECK) && self.effort.is_late();
        (!is_over).then_some(())
    }

    /// Plays on with all moves of the side that is to lose.
    fn defend(&mut self, state: &State) -> Option<bool> {
        let mut moves = MoveList::new();
        legal_moves::<R>(&state.pos, &mut moves);
        // By reference: a list that is moved would be on the stack twice, at each ply.
        for &mv in &moves {
            if !self.play(&state.play::<R>(mv, true), true)? {
                return Some(false);
            }
        }
        Some(true)
    }

    /// Plays on with the winner's moves that keep the win and bring its next step nearer, the shortest ways first.
    fn attack(&mut self, state: &State) -> Option<bool> {
        let now = self.plies(&state.pos)?;
        let mut moves = MoveList::new();
        legal_moves::<R>(&state.pos, &mut moves);
        let mut longer = Vec::new();
        for &mv in &moves {
            let after = state.play::<R>(mv, true);
            if self.tables.probe_wdl(&after.pos)? != Value::Loss {
                continue;
            }
            let is_step = mv.is_capture() || mv.promotes;
            let plies = if is_step { 0 } else { self.plies(&after.pos)? };
            if is_step || plies + 1 == now {
                if self.play(&after, false)? {
                    return Some(true);
                }
            } else if plies < now {
                longer.push((plies, after));
            }
        }
        longer.sort_by_key(|&(plies, _)| plies);
        for (_, after) in longer {
            if self.play(&after, false)? {
                return Some(true);
            }
        }
        Some(false)
    }

    fn plies(&mut self, pos: &Position) -> Option<u8> {
        let packed = Packed::of(&State::uncounted(*pos));
        if let Some(&known) = self.distances.get(&packed) {
            return known;
        }
        let plies = self
            .tables
            .probe_dtc(pos)
            .or_else(|| self.tables.probe_dtz(pos));
        self.distances.insert(packed, plies);
        plies
    }

    /// Says whether the distances alone show that a win or loss holds.
    fn is_sure(&mut self, pos: &Position, counters: DrawCounters) -> bool {
        let slice = Slice::of(pos);
        if slice.pieces() > self.tables.most_pieces()
            || counters.since_zeroing > 0 && !self.forbidden.is_empty()
        {
            return false;
        }
        if counters == DrawCounters::default() && self.is_safe(slice) {
            return true;
        }
        let plies = |plies: Option<u8>| plies.map(u16::from);
        if self.leads_to_safe(slice) {
            let conversion = plies(self.tables.probe_dtc(pos));
            if is_in_time(conversion, |made| to_conversion::<R>(pos, counters, made)) {
                return true;
            }
        }
        self.is_safe(slice)
            && is_in_time(plies(self.tables.probe_dtz(pos)), |made| {
                to_zeroing::<R>(pos, counters, made)
            })
    }

    fn leads_to_safe(&mut self, slice: Slice) -> bool {
        let all = slice.leads_to();
        all.into_iter().all(|slice| self.is_safe(slice))
    }

    /// Says whether all wins of a material hold if every count begins anew.
    fn is_safe(&mut self, slice: Slice) -> bool {
        let slice = slice.stronger();
        if let Some(&known) = self.slices.get(&slice) {
            return known;
        }
        let is_safe = self.always_in_time(slice) && self.leads_to_safe(slice);
        self.slices.insert(slice, is_safe);
        is_safe
    }

    /// Says whether the longest way of a material to the next step is shorter than the counts.
    fn always_in_time(&self, slice: Slice) -> bool {
        let views = [slice, slice.flipped()].map(|view| self.tables.summary(view));
        let [Some(one), Some(other)] = views else {
            return false;
        };
        // Wins in one ply are in no list; a loss is a win of the other side after one ply.
        let longest = |of: [Option<(u64, Position)>; 2]| {
            let plies = of.into_iter().flatten().map(|(plies, _)| plies).max();
            u16::try_from(plies.unwrap_or(1) + 1).ok()
        };
        let has_conversion = one.conversion.is_some() || other.conversion.is_some();
        let conversion = longest([one.conversion, other.conversion]).filter(|_| has_conversion);
        let zeroing = longest([one.zeroing, other.zeroing]);
        let (pos, fresh) = (sample(slice), DrawCounters::default());
        is_in_time(conversion, |made| to_conversion::<R>(&pos, fresh, made))
            || is_in_time(zeroing, |made| to_zeroing::<R>(&pos, fresh, made))
    }
}

/// Says whether no count ends the game in the plies before the last of a way, whose length may be unknown.
fn is_in_time(plies: Option<u16>, is_over: impl Fn(u16) -> bool) -> bool {
    plies.is_some_and(|plies| !(1..plies).any(is_over))
}

/// Says whether a count can end the game so many plies later, before the next capture or promotion.
fn to_conversion<R: Rules>(pos: &Position, counters: DrawCounters, made: u16) -> bool {
    let counters = DrawCounters {
        since_zeroing: counters.since_zeroing + made,
        since_conversion: counters.since_conversion + made,
        main_road: road_after::<R>(pos, counters.main_road + made.div_ceil(2)),
    };
    is_drawn::<R>(pos, counters)
}

/// Says whether a count can end the game so many plies later, before the next capture or man move. Behind a man move the other counts
/// go on, so they are taken to be at their ends.
fn to_zeroing<R: Rules>(pos: &Position, counters: DrawCounters, made: u16) -> bool {
    let counters = DrawCounters {
        since_zeroing: counters.since_zeroing + made,
        since_conversion: ANY_COUNT,
        main_road: road_after::<R>(pos, ANY_COUNT),
    };
    is_drawn::<R>(pos, counters)
}

/// Says whether counters end the game in the material of a position, whoever is to move.
fn is_drawn<R: Rules>(pos: &Position, counters: DrawCounters) -> bool {
    [*pos, pos.passed()]
        .iter()
        .any(|pos| counters.draw::<R>(pos).is_some())
}

/// Returns the count of the main road after some moves of the stronger side: 0 where it cannot run in the material of a position. Where
/// it goes on behind a promotion, nothing is known of it.
fn road_after<R: Rules>(pos: &Position, moves: u16) -> u16 {
    let Some(rule) = R::DRAWS.main_road else {
        return 0;
    };
    let least_kings = if rule.kings_only { 3 } else { 1 };
    let can_run = Side::BOTH.into_iter().any(|side| {
        let (strong, lone) = (pos.material(side), pos.material(side.opponent()));
        strong.pieces() == 3 && strong.kings >= least_kings && lone.men == 0 && lone.kings == 1
    });
    match (can_run, rule.kings_only) {
        (false, _) => 0,
        (true, true) => moves,
        (true, false) => ANY_COUNT,
    }
}

/// Returns some position with the material of a slice, White to move.
fn sample(slice: Slice) -> Position {
    let mut squares = (5..=28).filter_map(Square::from_number);
    let mut take = |count: u8| {
        squares
            .by_ref()
            .take(usize::from(count))
            .collect::<Bitboard>()
    };
    let men = slice.men.map(&mut take);
    let kings = slice.kings.map(&mut take);
    Position::new(men, kings, Side::White).expect("the squares are apart and on no last row")
}
