//! When a game is drawn: the counts, as data, and the counters that follow a game.
//!
//! Three counters suffice. Every count that runs while some material is on the board starts when that material
//! arises, that is with a capture or a promotion; so the moves made by either side within it follow from the
//! plies since the last such conversion. Only the main road needs a counter of its own.
//!
//! Common to all counts: they are checked after each complete move; the move that creates a condition is
//! not counted; a position that is set up starts every count at 0; a count that reaches its limit ends the
//! game at once, unless the side to move has no move and so has lost.

use super::{Reason, Rules};
use crate::board::{Bitboard, MAX_PIECES, Move, Position, Side, splitmix64};
use std::ops::RangeInclusive;

/// The draw rules of a rule set.
#[derive(Clone, Debug)]
pub struct DrawRules {
    /// A position (placement and side to move) that occurs so many times is a draw.
    pub repetition: Option<u32>,
    /// The count of moves without progress.
    pub no_progress: Option<NoProgress>,
    /// The count of three kings against one.
    pub three_v_one: Option<ThreeVOne>,
    /// The count while a lone king holds the main road.
    pub main_road: Option<MainRoad>,
    /// Counts by the number of pieces, while both sides have a king.
    pub balances: &'static [Balance],
    /// Counts for endings of a few pieces.
    pub small_endings: &'static [SmallEnding],
}

/// A draw after a number of plies without a capture or promotion, or without a capture or man move.
#[derive(Clone, Copy, Debug)]
pub struct NoProgress {
    /// The limit, in plies.
    pub plies: u16,
    /// Whether any man move starts the count again, or only a promotion.
    pub man_moves_reset: bool,
}

/// Whose moves are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// The moves of the side with more.
    Strong,
    /// The moves of the side with less.
    Weak,
    /// The moves of both: each side has to make as many as the limit.
    Each,
}

/// Three kings, and nothing else, against one king.
#[derive(Clone, Copy, Debug)]
pub struct ThreeVOne {
    /// Whether more than three kings against one count too.
    pub more_kings: bool,
    /// Whose moves are counted.
    pub counted: Counted,
    /// The limit, in moves of that side since the material arose.
    pub moves: u16,
}

/// Three pieces against a king on the main road.
#[derive(Clone, Copy, Debug)]
pub struct MainRoad {
    /// Whether all three must be kings; otherwise one king among them is enough.
    pub kings_only: bool,
    /// The limit, in moves of the stronger side since the lone king has been on the road. It may move
    /// along it; the strong pieces may stand on it too.
    pub moves: u16,
}

/// A draw while both sides have a king and the number of pieces is in a range.
#[derive(Clone, Debug)]
pub struct Balance {
    /// The number of pieces on the board.
    pub pieces: RangeInclusive<u32>,
    /// The limit, in plies without a capture or promotion.
    pub plies: u16,
}

/// An ending of a few pieces.
#[derive(Clone, Copy, Debug)]
pub struct SmallEnding {
    /// Men and kings of the side with more.
    pub strong: [u32; 2],
    /// Men and kings of the other side.
    pub weak: [u32; 2],
    /// Whose moves are counted.
    pub counted: Counted,
    /// The limit, in moves since the material arose.
    pub moves: u16,
}

/// What the draw rules need to know about the past of a position, repetition apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DrawCounters {
    /// Plies since the last capture or man move. No position before that can recur.
    pub since_zeroing: u16,
    /// Plies since the last capture or promotion.
    pub since_conversion: u16,
    /// Moves of the stronger side since the lone king has been on the main road.
    pub main_road: u16,
}

/// How near its limit, in plies, a count begins to be told apart in the keys of the table.
pub const SALTED_PLIES: u16 = 12;

/// The fewest plies since a conversion after which any count can end a game, the main road's apart: five moves of one side.
const SHORTEST_COUNT: u16 = 9;

/// The most pieces in a position that a count looks at, that of no progress apart: all the kings of a side against one.
const MOST_PIECES_COUNTED: u32 = MAX_PIECES + 1;

impl DrawRules {
    /// Says whether the rules keep to [`SHORTEST_COUNT`] and [`MOST_PIECES_COUNTED`], on which [`DrawCounters::draw`] relies.
    const fn keep_to_bounds(&self) -> bool {
        if let Some(rule) = &self.no_progress
            && rule.plies < SHORTEST_COUNT
        {
            return false;
        }
        if let Some(rule) = &self.three_v_one
            && rule.counted.plies(rule.moves) < SHORTEST_COUNT
        {
            return false;
        }
        let mut i = 0;
        while i < self.balances.len() {
            let rule = &self.balances[i];
            if rule.plies < SHORTEST_COUNT || *rule.pieces.end() > MOST_PIECES_COUNTED {
                return false;
            }
            i += 1;
        }
        let mut i = 0;
        while i < self.small_endings.len() {
            let rule = &self.small_endings[i];
            let pieces = rule.strong[0] + rule.strong[1] + rule.weak[0] + rule.weak[1];
            if rule.counted.plies(rule.moves) < SHORTEST_COUNT || pieces > MOST_PIECES_COUNTED {
                return false;
            }
            i += 1;
        }
        true
    }
}

impl Counted {
    /// Returns the fewest plies in which so many moves can be counted.
    const fn plies(self, moves: u16) -> u16 {
        match self {
            Self::Strong | Self::Weak => 2 * moves - 1,
            Self::Each => 2 * moves,
        }
    }
}

impl DrawCounters {
    /// Returns the counters after a move that leads from one position to another.
    #[inline]
    #[must_use]
    pub fn after<R: Rules>(self, before: &Position, mv: Move, after: &Position) -> Self {
        let is_conversion = mv.is_capture() || mv.promotes;
        let is_zeroing = mv.is_capture() || !before.is_king_at(mv.from);
        Self {
            since_zeroing: if is_zeroing {
                0
            } else {
                self.since_zeroing.saturating_add(1)
            },
            since_conversion: if is_conversion {
                0
            } else {
                self.since_conversion.saturating_add(1)
            },
            main_road: match R::DRAWS.main_road {
                Some(rule) => self.main_road_after(rule, before, after),
                None => 0,
            },
        }
    }

    /// Returns the count of the main road after a move that leads from one position to another.
    fn main_road_after(self, rule: MainRoad, before: &Position, after: &Position) -> u16 {
        match rule.strong_side(after) {
            None => 0,
            Some(strong) if strong == before.turn() && rule.strong_side(before) == Some(strong) => {
                self.main_road.saturating_add(1)
            }
            Some(_) => self.main_road,
        }
    }

    /// Returns the plies without progress, if the rule set counts them.
    #[inline]
    pub fn no_progress<R: Rules>(self) -> Option<u16> {
        let rule = R::DRAWS.no_progress.as_ref()?;
        Some(if rule.man_moves_reset {
            self.since_zeroing
        } else {
            self.since_conversion
        })
    }

    /// Returns the rule, repetition apart, by which the position is drawn.
    ///
    /// The caller makes sure that the side to move has a legal move.
    #[inline]
    pub fn draw<R: Rules>(self, pos: &Position) -> Option<Reason> {
        const {
            assert!(
                R::DRAWS.keep_to_bounds(),
                "a count is too short, or looks at too many pieces"
            );
        }
        let rules = &R::DRAWS;
        debug_assert!(
            self.since_zeroing <= self.since_conversion,
            "a conversion is a capture or a move of a man"
        );
        // No count is shorter than this, so most nodes of a search end here.
        if self.since_conversion < SHORTEST_COUNT && self.main_road == 0 {
            return None;
        }
        if pos.occupied().count() <= MOST_PIECES_COUNTED
            && let Some(reason) = self.draw_by_material::<R>(pos)
        {
            return Some(reason);
        }
        let limit = rules.no_progress.as_ref()?.plies;
        if self.no_progress::<R>()? >= limit {
            Some(Reason::NoProgress)
        } else {
            None
        }
    }

    /// Returns what to combine with the key of a position where its value depends on the counters: 0 as long as no
    /// count that applies is near its limit.
    ///
    /// "Near" is within [`SALTED_PLIES`]. Two nodes with the same placement but different counters then do not share what a search
    /// found about them. Further from the limit they do, which is right for nearly all positions and keeps the table effective.
    #[inline]
    pub fn salt<R: Rules>(self, pos: &Position) -> u64 {
        let limit = R::DRAWS
            .no_progress
            .as_ref()
            .map_or(u16::MAX, |rule| rule.plies);
        let is_near = self
            .no_progress::<R>()
            .unwrap_or(0)
            .saturating_add(SALTED_PLIES)
            >= limit;
        if !is_near && !self.is_material_draw_near::<R>(pos) {
            return 0;
        }
        let counters = u64::from(self.since_zeroing) << 32
            | u64::from(self.since_conversion) << 16
            | u64::from(self.main_road);
        splitmix64(counters + 1)
    }

    /// Says whether a count that depends on the material is within [`SALTED_PLIES`] of its limit.
    fn is_material_draw_near<R: Rules>(self, pos: &Position) -> bool {
        if pos.occupied().count() > MOST_PIECES_COUNTED {
            return false;
        }
        let ahead = Self {
            since_conversion: self.since_conversion.saturating_add(SALTED_PLIES),
            main_road: if self.main_road > 0 {
                self.main_road.saturating_add(SALTED_PLIES / 2)
            } else {
                0
            },
            ..self
        };
        ahead.draw_by_material::<R>(pos).is_some()
    }

    /// Returns the rule by which the position is drawn, of those whose counts depend on the material.
    fn draw_by_material<R: Rules>(self, pos: &Position) -> Option<Reason> {
        let rules = &R::DRAWS;
        if let Some(rule) = &rules.three_v_one
            && let Some(strong) = rule.strong_side(pos)
            && self.moves_made(pos, rule.counted, strong) >= rule.moves
        {
            return Some(Reason::ThreeVOne);
        }
        if let Some(rule) = &rules.main_road
            && self.main_road >= rule.moves
        {
            return Some(Reason::MainRoad);
        }
        for rule in rules.small_endings {
            if let Some(strong) = rule.strong_side(pos)
                && self.moves_made(pos, rule.counted, strong) >= rule.moves
            {
                return Some(Reason::SmallEnding);
            }
        }
        for rule in rules.balances {
            if self.since_conversion >= rule.plies
                && rule.pieces.contains(&pos.occupied().count())
                && Side::BOTH.iter().all(|&side| !pos.kings(side).is_empty())
            {
                return Some(Reason::Balance);
            }
        }
        None
    }

    /// Returns the moves made since the last conversion by the side that a count looks at.
    fn moves_made(self, pos: &Position, counted: Counted, strong: Side) -> u16 {
        let by_mover = self.since_conversion / 2;
        let by_other = self.since_conversion.div_ceil(2);
        let by = |side| {
            if side == pos.turn() {
                by_mover
            } else {
                by_other
            }
        };
        match counted {
            Counted::Strong => by(strong),
            Counted::Weak => by(strong.opponent()),
            Counted::Each => by_mover,
        }
    }
}

impl ThreeVOne {
    /// Returns the side with the three kings, if the material is on the board.
    fn strong_side(self, pos: &Position) -> Option<Side> {
        if pos.occupied() != pos.all_kings() {
            return None;
        }
        let strong = side_against_lone_king(pos)?;
        let kings = pos.kings(strong).count();
        if kings == 3 || kings > 3 && self.more_kings {
            Some(strong)
        } else {
            None
        }
    }
}

impl MainRoad {
    /// Returns the side with the three pieces, if the other has one king and it stands on the main road.
    #[inline]
    fn strong_side(self, pos: &Position) -> Option<Side> {
        let strong = side_against_lone_king(pos)?;
        let lone = pos.pieces(strong.opponent());
        let material = pos.material(strong);
        let fits = material.pieces() == 3 && material.kings >= if self.kings_only { 3 } else { 1 };
        if fits && lone.intersects(Bitboard::MAIN_ROAD) {
            Some(strong)
        } else {
            None
        }
    }
}

impl SmallEnding {
    /// Returns the side with more, if the material is on the board.
    fn strong_side(self, pos: &Position) -> Option<Side> {
        Side::BOTH.into_iter().find(|&side| {
            let material = |side| {
                let material = pos.material(side);
                [material.men, material.kings]
            };
            material(side) == self.strong && material(side.opponent()) == self.weak
        })
    }
}

/// Returns the opponent of a side whose only piece is a king.
#[inline]
fn side_against_lone_king(pos: &Position) -> Option<Side> {
    Side::BOTH.into_iter().find(|&side| {
        let lone = pos.pieces(side.opponent());
        lone.is_single() && lone.intersects(pos.all_kings()) && !pos.pieces(side).is_single()
    })
}
