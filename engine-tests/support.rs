//! What the tests share: data files and their records.

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
