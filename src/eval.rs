//! Static evaluation: what a quiet position is worth without looking ahead.
#![deny(clippy::float_arithmetic)]

mod handmade;
mod material;

use crate::board::Position;
use crate::score::Score;
use std::fmt;
use std::str::FromStr;

/// An evaluation, chosen by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Evaluation {
    /// The terms a player would name: material, advancement, mobility, the main road.
    #[default]
    Handmade,
    /// Material alone: a yardstick that never changes.
    Material,
}

impl Evaluation {
    /// Every spelling, names first.
    const SPELLINGS: [(&'static str, Self); 3] = [
        ("handmade", Self::Handmade),
        ("material", Self::Material),
        ("default", Self::Handmade),
    ];

    /// Evaluates a position in which the side to move has no capture, from its view.
    ///
    /// The magnitude is at most [`Score::MAX_EVAL`].
    #[inline]
    pub fn evaluate(self, pos: &Position) -> Score {
        match self {
            Self::Handmade => handmade::evaluate(pos),
            Self::Material => material::evaluate(pos),
        }
    }
}

impl fmt::Display for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let spelling = Self::SPELLINGS
            .iter()
            .find(|(_, evaluation)| evaluation == self);
        f.write_str(spelling.expect("every evaluation has a name").0)
    }
}

/// Names an evaluation that does not exist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown evaluation \"{0}\", expected default, handmade or material")]
pub struct UnknownEvaluation(pub String);

impl FromStr for Evaluation {
    type Err = UnknownEvaluation;

    fn from_str(text: &str) -> Result<Self, UnknownEvaluation> {
        let spelling = Self::SPELLINGS.iter().find(|(name, _)| *name == text);
        spelling
            .map(|&(_, evaluation)| evaluation)
            .ok_or_else(|| UnknownEvaluation(text.to_owned()))
    }
}
