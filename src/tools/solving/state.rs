//! A position together with the draw counters that matter in it, and the same packed into 16 bytes.

use crate::board::{Bitboard, Move, Position, Side, splitmix64};
use crate::rules::{DrawCounters, Rules};
use std::hash::{Hash, Hasher};

/// A position and the counters. Where no counts are looked at, they stay at 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct State {
    /// The placement and the side to move.
    pub(super) pos: Position,
    /// The counters, those as low as can be that can end nothing before they begin anew.
    pub(super) counters: DrawCounters,
}

/// A [`State`] as it is kept in large numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Packed([u64; 2]);

/// Larger counters are all the same: no count is as long.
const MOST_COUNTED: u16 = 1023;
const COUNTER_BITS: u32 = 10;
const TURN_BIT: u32 = 32;
const COUNTERS_SHIFT: u32 = 33;

impl State {
    /// Returns a position with all counters at 0.
    pub(super) fn uncounted(pos: Position) -> Self {
        let counters = DrawCounters::default();
        Self { pos, counters }
    }

    /// Returns a position with the counters that matter.
    pub(super) fn counted<R: Rules>(pos: Position, counters: DrawCounters) -> Self {
        let counters = relevant::<R>(&pos, counters);
        Self { pos, counters }
    }

    /// Returns the state after a move.
    pub(super) fn play<R: Rules>(&self, mv: Move, is_counted: bool) -> Self {
        let after = self.pos.play(mv);
        if is_counted {
            Self::counted::<R>(after, self.counters.after::<R>(&self.pos, mv, &after))
        } else {
            Self::uncounted(after)
        }
    }
}

/// Sets the counters as low as they can be that cannot end the game before the move that starts them again, so that positions that differ in nothing else are
/// one.
fn relevant<R: Rules>(pos: &Position, counters: DrawCounters) -> DrawCounters {
    let far_on = DrawCounters {
        since_conversion: MOST_COUNTED,
        ..DrawCounters::default()
    };
    let counts_conversion = far_on.draw::<R>(pos).is_some();
    let no_progress = R::DRAWS.no_progress.as_ref();
    let counts_zeroing = no_progress.is_some_and(|rule| rule.man_moves_reset);
    DrawCounters {
        since_zeroing: if counts_zeroing {
            counters.since_zeroing
        } else {
            0
        },
        since_conversion: if counts_conversion {
            counters.since_conversion
        } else if counts_zeroing {
            // As ever it is no less than the other, which rules go by.
            counters.since_zeroing
        } else {
            0
        },
        main_road: counters.main_road,
    }
}

impl Packed {
    /// Packs a state.
    pub(super) fn of(state: &State) -> Self {
        let State { pos, counters } = state;
        let [white, black] = Side::BOTH.map(|side| u64::from(pack(pos.pieces(side).0)));
        let numbers = [
            counters.since_zeroing,
            counters.since_conversion,
            counters.main_road,
        ];
        let counters = numbers.iter().fold(0, |bits, &number| {
            bits << COUNTER_BITS | u64::from(number.min(MOST_COUNTED))
        });
        let kings = u64::from(pack(pos.all_kings().0));
        let turn = pos.turn().index() as u64;
        Self([
            white | black << 32,
            kings | turn << TURN_BIT | counters << COUNTERS_SHIFT,
        ])
    }

    /// Returns the state.
    pub(super) fn state(self) -> State {
        let Self([pieces, rest]) = self;
        let sides = [unpack(pieces as u32), unpack((pieces >> 32) as u32)];
        let kings = unpack(rest as u32);
        let turn = Side::BOTH[(rest >> TURN_BIT & 1) as usize];
        let men = sides.map(|side| Bitboard(side & !kings));
        let kings = sides.map(|side| Bitboard(side & kings));
        let number = |place: u32| {
            let bits = rest >> (COUNTERS_SHIFT + place * COUNTER_BITS);
            bits as u16 & MOST_COUNTED
        };
        State {
            pos: Position::from_sets(men, kings, turn),
            counters: DrawCounters {
                since_zeroing: number(2),
                since_conversion: number(1),
                main_road: number(0),
            },
        }
    }

    /// Returns the side to move.
    pub(super) fn turn(self) -> Side {
        Side::BOTH[(self.0[1] >> TURN_BIT & 1) as usize]
    }
}

impl Hash for Packed {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write_u64(splitmix64(self.0[0]) ^ self.0[1]);
    }
}

/// A hasher for words that need only be mixed.
#[derive(Default)]
pub(super) struct Mixer(u64);

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = splitmix64(self.0 ^ word);
    }
}

/// The rows whose dark squares have even bits: 1, 3, 5 and 7.
const EVEN_ROWS: u64 = 0x00FF_00FF_00FF_00FF;

/// Moves the dark squares of a board together.
fn pack(board: u64) -> u32 {
    let mut bits = (board & EVEN_ROWS) | (board & !EVEN_ROWS) >> 1;
    // Halves the gaps between the bits: single bits become pairs, pairs fours, and so on.
    bits = (bits | bits >> 1) & 0x3333_3333_3333_3333;
    bits = (bits | bits >> 2) & 0x0F0F_0F0F_0F0F_0F0F;
    bits = (bits | bits >> 4) & EVEN_ROWS;
    bits = (bits | bits >> 8) & 0x0000_FFFF_0000_FFFF;
    (bits | bits >> 16) as u32
}

/// The reverse of [`pack`].
fn unpack(bits: u32) -> u64 {
    let mut board = u64::from(bits);
    board = (board | board << 16) & 0x0000_FFFF_0000_FFFF;
    board = (board | board << 8) & EVEN_ROWS;
    board = (board | board << 4) & 0x0F0F_0F0F_0F0F_0F0F;
    board = (board | board << 2) & 0x3333_3333_3333_3333;
    board = (board | board << 1) & 0x5555_5555_5555_5555;
    (board & EVEN_ROWS) | (board & !EVEN_ROWS) << 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Pool, Russian, legal_moves};

    /// Every state of some seeded games comes back from its packed form.
    #[test]
    fn packing_loses_nothing() {
        let mut random = 1;
        for _ in 0..100 {
            let mut state = State::uncounted(Pool::start());
            for _ in 0..80 {
                let mut moves = crate::board::MoveList::new();
                legal_moves::<Russian>(&state.pos, &mut moves);
                if moves.is_empty() {
                    break;
                }
                random = splitmix64(random);
                state = state.play::<Russian>(moves[random as usize % moves.len()], true);
                assert_eq!(Packed::of(&state).state(), state);
                assert_eq!(Packed::of(&state).turn(), state.pos.turn());
            }
        }
    }
}
