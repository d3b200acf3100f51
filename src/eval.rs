//! Static evaluation: what a quiet position is worth without looking ahead.
//!
//! [`Evaluation`] is what a user chooses; [`Evaluator`] is what a thread of the search evaluates with.
#![deny(clippy::float_arithmetic)]

mod handmade;
mod material;
pub mod network;
mod wdl;
pub mod weights;

use crate::board::Position;
use crate::rules::Movement;
use crate::score::Score;
use network::{Network, Sums};
use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;
pub use wdl::{WDL_UNIT, Wdl, WdlModel};
use weights::{Compiled, Weights, WeightsFault};

/// An evaluation, by name or file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Evaluation {
    /// The learned one of the game that is played.
    #[default]
    Learned,
    /// The terms a player would name: material, advancement, mobility, the main road.
    Handmade,
    /// Material alone: a yardstick that never changes.
    Material,
    /// The learned one of a file.
    File {
        /// As it was given.
        path: String,
        /// What is in it.
        weights: Arc<Weights>,
    },
}

/// The learned evaluations in the program, by game.
static COMPILED: [(&str, Compiled); 3] = [
    (
        "russian",
        Compiled::read(include_bytes!("eval/data/russian.net")),
    ),
    ("pool", Compiled::read(include_bytes!("eval/data/pool.net"))),
    (
        "brazilian",
        Compiled::read(include_bytes!("eval/data/brazilian.net")),
    ),
];

/// Returns the learned evaluation of a way of moving that is in the program.
fn compiled<M: Movement>() -> &'static Compiled {
    let mut all = COMPILED.iter();
    let found = all.find(|(game, _)| *game == M::NAME);
    &found.expect("every game has one").1
}

impl Evaluation {
    /// The names. Anything else is the path of a file.
    const NAMES: [(&'static str, Self); 3] = [
        ("default", Self::Learned),
        ("handmade", Self::Handmade),
        ("material", Self::Material),
    ];

    /// Returns what a thread of a search evaluates with.
    pub fn evaluator<M: Movement>(&self) -> Evaluator<'_> {
        let learned = |network| Kind::Network(network, Sums::new(network));
        Evaluator(match self {
            Self::Learned => learned(&compiled::<M>().network),
            Self::Handmade => Kind::Handmade,
            Self::Material => Kind::Material,
            Self::File { weights, .. } => learned(&weights.network),
        })
    }

    /// Returns the model of the results that its scores lead to. Scores that were not learned are taken for learned ones.
    pub fn wdl<M: Movement>(&self) -> &WdlModel {
        match self {
            Self::File { weights, .. } => &weights.wdl,
            Self::Learned | Self::Handmade | Self::Material => &compiled::<M>().wdl,
        }
    }

    /// Returns a text that differs for evaluations that differ: the name, or the checksum of the weights.
    pub fn fingerprint<M: Movement>(&self) -> String {
        let checksum = match self {
            Self::Handmade | Self::Material => return self.to_string(),
            Self::Learned => compiled::<M>().checksum,
            Self::File { weights, .. } => weights.checksum,
        };
        format!("crc32 {checksum:08x}")
    }
}

/// Evaluates positions, one after the other.
#[derive(Clone, Debug)]
pub struct Evaluator<'a>(Kind<'a>);

#[derive(Clone, Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "a search has one, and looks at it at every leaf"
)]
enum Kind<'a> {
    Handmade,
    Material,
    Network(&'a Network, Sums),
}

impl Evaluator<'_> {
    /// Evaluates a position in which the side to move has no capture, from its view. Positions that are alike are evaluated the faster one
    /// after the other, but to the same score.
    ///
    /// The magnitude is at most [`Score::MAX_EVAL`].
    #[inline]
    pub fn evaluate(&mut self, pos: &Position) -> Score {
        match &mut self.0 {
            Kind::Handmade => handmade::evaluate(pos),
            Kind::Material => material::evaluate(pos),
            Kind::Network(network, sums) => sums.evaluate(network, pos),
        }
    }
}

/// The name or path.
impl fmt::Display for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Learned => "default",
            Self::Handmade => "handmade",
            Self::Material => "material",
            Self::File { path, .. } => path,
        })
    }
}

/// Says why there is no such evaluation.
#[derive(Debug, thiserror::Error)]
#[error("{name}: {fault}")]
pub struct UnknownEvaluation {
    /// What was asked for.
    pub name: String,
    /// What is wrong with it, taken for a file.
    pub fault: WeightsFault,
}

/// Takes what is not a name for a file, and reads it.
impl FromStr for Evaluation {
    type Err = UnknownEvaluation;

    fn from_str(text: &str) -> Result<Self, UnknownEvaluation> {
        let mut names = Self::NAMES.into_iter();
        if let Some((_, evaluation)) = names.find(|(name, _)| *name == text) {
            return Ok(evaluation);
        }
        match Weights::open(Path::new(text)) {
            Ok(weights) => Ok(Self::File {
                path: text.to_owned(),
                weights: Arc::new(weights),
            }),
            Err(fault) => Err(UnknownEvaluation {
                name: text.to_owned(),
                fault,
            }),
        }
    }
}
