//! What the tests share: data files and their records.

use mainroad::board::{Bitboard, Position, Side, Square};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Returns the path of a file beside the tests.
pub(crate) fn data(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("engine-tests")
        .join(name)
}

/// Reads a file of `vectors/`, one JSON object a line.
pub(crate) fn jsonl<T: DeserializeOwned>(name: &str) -> Vec<T> {
    let path = data("vectors").join(name);
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let parse = |(i, line)| {
        serde_json::from_str(line).unwrap_or_else(|error| panic!("{name}:{}: {error}", i + 1))
    };
    text.lines().enumerate().map(parse).collect()
}

/// A position with its legal moves and leaf counts.
#[derive(Deserialize)]
pub(crate) struct Vector {
    pub(crate) id: String,
    pub(crate) fen: String,
    pub(crate) moves: Vec<VectorMove>,
    pub(crate) perft: BTreeMap<String, u64>,
}

/// A legal move of a [`Vector`].
#[derive(Deserialize)]
pub(crate) struct VectorMove {
    pub(crate) from: u8,
    pub(crate) to: u8,
    pub(crate) captured: Vec<u8>,
    pub(crate) promote: bool,
    pub(crate) paths: Vec<Vec<u8>>,
}

/// A game with its result.
#[derive(Deserialize)]
pub(crate) struct DrawGame {
    pub(crate) id: String,
    pub(crate) start: String,
    pub(crate) moves: Vec<serde_json::Value>,
    pub(crate) result: String,
    pub(crate) reason: Option<String>,
    pub(crate) end_fen: String,
}

/// Seeded random numbers: the splitmix64 generator of Steele, Lea and Flood (2014).
pub(crate) struct Rng(pub(crate) u64);

impl Rng {
    /// Returns the next number.
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Returns a number below a bound.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// Returns one of some items.
    pub(crate) fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

/// Returns a random legal placement with at most so many men and kings a side.
pub(crate) fn random_position(rng: &mut Rng, most_men: usize, most_kings: usize) -> Position {
    loop {
        let mut free: Vec<Square> = Square::all().collect();
        let mut men = [Bitboard::EMPTY; 2];
        let mut kings = [Bitboard::EMPTY; 2];
        for side in Side::BOTH {
            for _ in 0..rng.below(most_men + 1) {
                let sq = free.swap_remove(rng.below(free.len()));
                if !Position::promotion_row(side).contains(sq) {
                    men[side.index()] = men[side.index()].with(sq);
                }
            }
            for _ in 0..rng.below(most_kings + 1) {
                kings[side.index()] =
                    kings[side.index()].with(free.swap_remove(rng.below(free.len())));
            }
        }
        let turn = *rng.pick(&Side::BOTH);
        if let Ok(pos) = Position::new(men, kings, turn) {
            return pos;
        }
    }
}

/// Returns the number in an environment variable, or a default: larger checks than the usual ones are asked for like this.
pub(crate) fn amount(variable: &str, usual: usize) -> usize {
    std::env::var(variable)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(usual)
}
