//! What a score says about the result: the chances of a win, a draw and a loss.
//!
//! The chance of a win grows with the score `s` as `1 / (1 + exp((a - s) / b))`, that of a loss is the same of `-s`, and what is left is
//! the draw: `a` is the score at which every second game is won, `b` how far results scatter. Both depend on the number of pieces.
//! They are fitted to games, and are for people only: nothing in the search depends on them.
#![expect(
    clippy::float_arithmetic,
    reason = "chances are shown and never searched with"
)]

use super::network::BUCKETS;
use super::weights::Reader;
use crate::board::MAX_PIECES;
use crate::score::Score;

/// So many units of a stored parameter are a hundredth of a man.
pub const WDL_UNIT: i16 = 16;
/// The bytes of a model.
pub(super) const BYTES: usize = 2 * 2 * BUCKETS;

/// The chances by score and number of pieces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WdlModel {
    /// By bucket: the score at which every second game is won, at least 0, in units of 1 / [`WDL_UNIT`] of a hundredth of a man.
    pub offsets: [i16; BUCKETS],
    /// By bucket: the scatter, above 0, in the same unit.
    pub scatters: [i16; BUCKETS],
}

/// The chances of the results, per mille. Their sum is 1000.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wdl {
    /// Of a win.
    pub win: u32,
    /// Of a draw.
    pub draw: u32,
    /// Of a loss.
    pub loss: u32,
}

impl WdlModel {
    pub(super) const fn read(reader: &mut Reader) -> Self {
        Self {
            offsets: reader.row(),
            scatters: reader.row(),
        }
    }

    pub(super) fn write(&self, bytes: &mut Vec<u8>) {
        let numbers = self.offsets.iter().chain(&self.scatters);
        bytes.extend(numbers.flat_map(|number| number.to_le_bytes()));
    }

    /// Returns the chances of the side whose score it is, with so many pieces on the board. Proven scores are certain.
    pub fn chances(&self, score: Score, pieces: u32) -> Wdl {
        let certain = |win, loss| Wdl { win, draw: 0, loss };
        if score.is_decided() {
            return if score > Score::DRAW {
                certain(1000, 0)
            } else {
                certain(0, 1000)
            };
        }
        let bucket = super::network::bucket(pieces.min(2 * MAX_PIECES));
        let unit = f64::from(WDL_UNIT);
        let offset = f64::from(self.offsets[bucket].max(0)) / unit;
        let scatter = f64::from(self.scatters[bucket].max(1)) / unit;
        let chance = |score: i32| {
            let odds = ((offset - f64::from(score)) / scatter).exp();
            (1000.0 / (1.0 + odds)).round() as u32
        };
        let win = chance(score.0);
        // Rounding may make both together one too many.
        let loss = chance(-score.0).min(1000 - win);
        Wdl {
            win,
            draw: 1000 - win - loss,
            loss,
        }
    }
}
