//! What a match is: from a plan alone follows which games it has, who has which colour in them, and from which opening.
//!
//! Two games make a pair: the same opening, once with either colour. A round is one pair for each encounter, that is
//! for any two players that meet, and all pairs of a round have the same opening. Games are numbered round by
//! round, encounter by encounter; so the number of a game says everything about it, on whatever machine it is played.

use super::clock::TimeControl;
use super::statistics::Sprt;
use crate::notation::hub::Numbering;
use crate::notation::shown;
use crate::protocol::dxp::socket::Address;
use crate::rules::Variant;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// The most players of a match: each meets every other, so their games grow with the square.
const MOST_PLAYERS: usize = 1000;
/// The most rounds of a match.
const MOST_ROUNDS: u64 = 1 << 40;

/// Everything that defines a match. Two processes with equal plans play the same match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// The rule set.
    #[serde(with = "variant_name")]
    pub variant: Variant,
    /// Who plays; at least two.
    pub players: Vec<PlayerPlan>,
    /// Who meets whom.
    pub format: Format,
    /// The number of pairs in each encounter.
    pub rounds: u64,
    /// Where the games begin.
    pub openings: OpeningsPlan,
    /// Whether the players think on each other's time.
    pub ponder: bool,
    /// What a player may overstep its time by before it loses, in milliseconds.
    pub margin_ms: u64,
    /// The time without an answer after which a player without a limit of time loses, in milliseconds.
    pub patience_ms: u64,
    /// When a game ends that is not over by the rules.
    pub adjudication: Adjudication,
    /// The test that may end the match early.
    pub sprt: Option<Sprt>,
}

/// A player of a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayerPlan {
    /// Its name in all reports; no two are equal.
    pub name: String,
    /// What plays.
    pub engine: EngineSpec,
    /// Its limits.
    pub time_control: TimeControl,
}

/// An engine, and how it is set up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EngineSpec {
    /// A program that speaks Hub.
    Hub {
        /// The program and its arguments.
        command: Vec<String>,
        /// Parameters that are set before `init`, in order.
        params: Vec<(String, String)>,
    },
    /// A program that listens for DXP.
    Dxp {
        /// Where it listens.
        address: Address,
        /// How it numbers squares.
        squares: Numbering,
    },
    /// This engine, within this process.
    Own {
        /// Options that differ from the default.
        options: Vec<(String, String)>,
    },
}

/// Who meets whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Every player meets every other.
    RoundRobin,
    /// The first player meets every other.
    Gauntlet,
}

/// Where the openings came from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpeningsPlan {
    /// In words.
    pub source: String,
    /// What their order follows from, and random ones themselves.
    pub seed: u64,
    /// How many there are. After the last the first comes again.
    pub count: u64,
    /// A hash of all of them in their order.
    pub digest: String,
}

/// When a game ends that is not over by the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Adjudication {
    /// It is drawn after so many plies, those of the opening included.
    pub max_plies: u32,
    /// It is won when both players' scores say so.
    pub win: Option<WinByScore>,
    /// It is drawn when both players' scores say so.
    pub draw: Option<DrawByScore>,
    /// It is over when the endgame tables in this program know its result under the counts as they stand.
    pub tables: bool,
}

/// Both players give one side at least a score, for some plies in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WinByScore {
    /// The least score, in hundredths of a man, above 0.
    pub score: i32,
    /// The plies in a row, at least 2.
    pub plies: u32,
}

/// Both players' scores are near zero for some plies in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawByScore {
    /// The largest distance from zero, in hundredths of a man.
    pub score: i32,
    /// The plies in a row, at least 2.
    pub plies: u32,
    /// Not before this ply of the game.
    pub from: u32,
}

/// A game of the match, before it is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// The number of the game, from 0.
    pub game: u64,
    /// The number of the pair that the game belongs to.
    pub pair: u64,
    /// The number of the round.
    pub round: u64,
    /// The index of the player with White.
    pub white: usize,
    /// The index of the player with Black.
    pub black: usize,
    /// The index of the opening.
    pub opening: usize,
}

impl Plan {
    /// Checks that it can be played. The error says what is wrong and what was expected.
    ///
    /// Whoever makes a plan, or reads one that somebody may have changed, has to ask this first.
    pub fn check(&self) -> Result<(), String> {
        let count = self.players.len();
        if !(2..=MOST_PLAYERS).contains(&count) {
            return Err(format!("{count} players, expected 2 to {MOST_PLAYERS}"));
        }
        let mut names = HashSet::new();
        if let Some(player) = self
            .players
            .iter()
            .find(|player| !names.insert(&player.name))
        {
            return Err(format!(
                "two players \"{}\", expected names that differ",
                shown(&player.name)
            ));
        }
        if !(1..=MOST_ROUNDS).contains(&self.rounds) {
            return Err(format!(
                "{} rounds, expected 1 to {MOST_ROUNDS}",
                self.rounds
            ));
        }
        if self.openings.count == 0 {
            return Err("no openings, expected at least one".to_owned());
        }
        match self.sprt {
            Some(_) if count > 2 => Err(format!("a test with {count} players, expected two")),
            Some(sprt) => sprt.check().map_err(|error| format!("the test: {error}")),
            None => Ok(()),
        }
    }

    /// Returns the pairs of players that meet, by their indices, the smaller first.
    pub fn encounters(&self) -> Vec<(usize, usize)> {
        let count = self.players.len();
        let firsts = match self.format {
            Format::RoundRobin => 0..count,
            Format::Gauntlet => 0..1,
        };
        firsts
            .flat_map(|first| (first + 1..count).map(move |second| (first, second)))
            .collect()
    }

    /// Returns the number of pairs.
    pub fn pairs(&self) -> u64 {
        self.rounds * self.encounters().len() as u64
    }

    /// Returns the number of games.
    pub fn games(&self) -> u64 {
        2 * self.pairs()
    }

    /// Returns what a game is. The first player of the encounter has White in the first game of the pair.
    pub fn pairing(&self, game: u64) -> Pairing {
        let encounters = self.encounters();
        let pair = game / 2;
        let round = pair / encounters.len() as u64;
        let (first, second) = encounters[(pair % encounters.len() as u64) as usize];
        let (white, black) = if game.is_multiple_of(2) {
            (first, second)
        } else {
            (second, first)
        };
        Pairing {
            game,
            pair,
            round,
            white,
            black,
            opening: (round % self.openings.count) as usize,
        }
    }

    /// Returns a hash of the plan, by which matches are told apart.
    pub fn fingerprint(&self) -> String {
        let text = serde_json::to_string(self).expect("a plan can be written");
        format!("{:016x}", fnv1a(text.bytes()))
    }

    /// Names the first part in which another plan differs, or returns `None` if it is the same match.
    pub fn difference(&self, other: &Self) -> Option<&'static str> {
        let parts = [
            ("variant", self.variant == other.variant),
            ("engines", self.players == other.players),
            ("format", self.format == other.format),
            ("games", self.rounds == other.rounds),
            ("openings", self.openings == other.openings),
            ("ponder", self.ponder == other.ponder),
            ("margin", self.margin_ms == other.margin_ms),
            ("patience", self.patience_ms == other.patience_ms),
            ("adjudication", self.adjudication == other.adjudication),
            ("sprt", self.sprt == other.sprt),
        ];
        parts
            .into_iter()
            .find(|(_, same)| !same)
            .map(|(part, _)| part)
    }
}

/// The FNV-1a hash of 64 bits (Fowler, Noll and Vo, 1991): the same on every machine and in every version of this program.
pub(super) fn fnv1a(bytes: impl Iterator<Item = u8>) -> u64 {
    const OFFSET: u64 = 0xCBF2_9CE4_8422_2325;
    const PRIME: u64 = 0x0100_0000_01B3;
    bytes.fold(OFFSET, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(PRIME)
    })
}

/// Variants are written by name.
mod variant_name {
    use crate::rules::Variant;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    #[expect(
        clippy::trivially_copy_pass_by_ref,
        reason = "serde asks for this signature"
    )]
    pub(super) fn serialize<S: Serializer>(variant: &Variant, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(variant.name())
    }

    pub(super) fn deserialize<'a, D: Deserializer<'a>>(from: D) -> Result<Variant, D::Error> {
        let name = String::deserialize(from)?;
        name.parse().map_err(D::Error::custom)
    }
}
