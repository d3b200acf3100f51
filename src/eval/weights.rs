//! Files of weights.
//!
//! A file begins with a line of text, `mainroad net 2` and [`About`] as JSON: what it is and how it was made. Then come the weights of the [`Network`],
//! little-endian: 16 bits each of the biases of the hidden units and of the weights of each feature; for each bucket 32 bits of its bias and
//! 16 bits each of its weights for the side to move and the other; then 16 bits each of the [`WdlModel`]. The CRC-32 of everything before ends it.

use super::network::{self, BUCKETS, HIDDEN, Network};
use super::wdl::WdlModel;
use crate::notation::on_one_line;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::Path;

/// What the first line begins with.
const MARK: &str = "mainroad net 2 ";

/// Files are a few dozen kilobytes; what is longer than this is none.
const LONGEST_FILE: u64 = 1 << 20;

/// What a file of weights says of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    /// The games, by their ways of moving, whose positions it was trained on.
    pub game: String,
    /// Hidden units of each side.
    pub hidden: usize,
    /// Rows of output weights.
    pub buckets: usize,
    /// How it was made: the command and the files it was given.
    pub recipe: serde_json::Value,
}

/// A network with what belongs to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    /// What it is.
    pub about: About,
    /// The evaluation.
    pub network: Network,
    /// What its scores say about results.
    pub wdl: WdlModel,
    /// The CRC-32 that ends the file.
    pub checksum: u32,
}

/// Says why a file of weights cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum WeightsFault {
    /// It cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It does not begin as one.
    #[error("expected a weights file of `mainroad train fit`")]
    NotWeights,
    /// The first line cannot be understood.
    #[error("its first line is damaged: {0}")]
    Head(String),
    /// The network has another shape than this program's.
    #[error("a network of another shape, expected {HIDDEN} hidden units and {BUCKETS} buckets")]
    Shape,
    /// Something is missing, or too much is there.
    #[error("damaged: it has {found} bytes, expected {expected}")]
    Length {
        /// The length of the file.
        found: usize,
        /// What it should be.
        expected: usize,
    },
    /// It is not what was written.
    #[error("damaged: the checksum differs")]
    Checksum,
    /// Sums could overflow.
    #[error("damaged: weights are too large")]
    TooLarge,
}

/// Takes numbers off a slice of bytes. Works while compiling.
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    const fn byte(&mut self) -> u8 {
        self.at += 1;
        self.bytes[self.at - 1]
    }

    pub(super) const fn i16(&mut self) -> i16 {
        i16::from_le_bytes([self.byte(), self.byte()])
    }

    pub(super) const fn i32(&mut self) -> i32 {
        i32::from_le_bytes([self.byte(), self.byte(), self.byte(), self.byte()])
    }

    pub(super) const fn row<const N: usize>(&mut self) -> [i16; N] {
        let mut row = [0; N];
        let mut i = 0;
        while i < N {
            row[i] = self.i16();
            i += 1;
        }
        row
    }
}

/// The bytes of the numbers of a file.
const NUMBER_BYTES: usize = network::BYTES + super::wdl::BYTES;

/// Returns the number of bytes up to the end of the first line.
const fn line_length(bytes: &[u8]) -> usize {
    let mut at = 0;
    while at < bytes.len() {
        at += 1;
        if bytes[at - 1] == b'\n' {
            return at;
        }
    }
    at
}

/// Reads the numbers of a file of the right length.
const fn numbers(bytes: &[u8], line: usize) -> Option<(Network, WdlModel)> {
    let mut reader = Reader { bytes, at: line };
    match Network::read(&mut reader) {
        Some(network) => Some((network, WdlModel::read(&mut reader))),
        None => None,
    }
}

/// What is needed of a file that is compiled in.
#[derive(Clone, Debug)]
pub(super) struct Compiled {
    pub(super) network: Network,
    pub(super) wdl: WdlModel,
    pub(super) checksum: u32,
}

impl Compiled {
    /// Reads a file while compiling. Whether it is whole is left to a test.
    pub(super) const fn read(bytes: &[u8]) -> Self {
        let line = line_length(bytes);
        assert!(
            bytes.len() == line + NUMBER_BYTES + 4,
            "it has another length"
        );
        let Some((network, wdl)) = numbers(bytes, line) else {
            panic!("its weights are too large");
        };
        let mut end = Reader {
            bytes,
            at: line + NUMBER_BYTES,
        };
        Self {
            network,
            wdl,
            checksum: end.i32() as u32,
        }
    }
}

impl Weights {
    /// Reads a file.
    pub fn open(path: &Path) -> Result<Self, WeightsFault> {
        let metadata = fs::metadata(path)?;
        if !metadata.is_file() || metadata.len() > LONGEST_FILE {
            return Err(WeightsFault::NotWeights);
        }
        Self::parse(&fs::read(path)?)
    }

    /// Reads the bytes of a file.
    pub fn parse(bytes: &[u8]) -> Result<Self, WeightsFault> {
        let line = line_length(bytes);
        let json = bytes[..line].strip_prefix(MARK.as_bytes());
        let json = json.ok_or(WeightsFault::NotWeights)?;
        let about = serde_json::from_slice(json);
        let about: About =
            about.map_err(|error| WeightsFault::Head(on_one_line(&error.to_string())))?;
        if (about.hidden, about.buckets) != (HIDDEN, BUCKETS) {
            return Err(WeightsFault::Shape);
        }
        let expected = line + NUMBER_BYTES + 4;
        let found = bytes.len();
        let (body, sum) = match bytes.split_last_chunk() {
            Some((body, sum)) if found == expected => (body, u32::from_le_bytes(*sum)),
            _ => return Err(WeightsFault::Length { found, expected }),
        };
        if sum != crc32fast::hash(body) {
            return Err(WeightsFault::Checksum);
        }
        let (network, wdl) = numbers(bytes, line).ok_or(WeightsFault::TooLarge)?;
        Ok(Self {
            about,
            network,
            wdl,
            checksum: sum,
        })
    }

    /// Returns the bytes of a file, and its checksum.
    pub fn to_bytes(about: &About, network: &Network, wdl: &WdlModel) -> Vec<u8> {
        let json = serde_json::to_string(about).expect("it has only texts and numbers");
        let mut bytes = format!("{MARK}{json}\n").into_bytes();
        network.write(&mut bytes);
        wdl.write(&mut bytes);
        let sum = crc32fast::hash(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }
}
