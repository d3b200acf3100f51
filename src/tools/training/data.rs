//! Files of training positions.
//!
//! A file begins with a line of text, `mainroad games 1` and the [`Recipe`] as JSON, and the CRC-32 of that line. Then come the games in
//! the order of their numbers, each a block of its own:
//!
//! | bytes | what |
//! | --- | --- |
//! | 4 | number of the game |
//! | 4 | number of positions |
//! | 16 each | positions |
//! | 4 | CRC-32 of the block so far |
//!
//! A position is seen from the side to move, the board turned so that it moves up:
//!
//! | bytes | what |
//! | --- | --- |
//! | 4 | own pieces, bit `4 * row + column / 2` of the square |
//! | 4 | pieces of the opponent |
//! | 4 | kings of both |
//! | 2 | score of the search in hundredths of a man, or -32768 if there was none |
//! | 1 | plies since the last capture or man move, at most 255 |
//! | 1 | bits 0 and 1: result of the game for the side to move (0 loss, 1 draw, 2 win); bit 2: the opponent threatens to capture |
//!
//! All numbers are little-endian. A block is written as a whole, so whatever ends the writer, at most the last one is torn.

use crate::board::{Bitboard, MAX_PIECES, Position, PositionFault, Side, Square, splitmix64};
use crate::egdb::Value;
use crate::notation::on_one_line;
use crate::rules::is_threatened;
use serde::{Deserialize, Serialize};
use std::io::{self, BufRead, ErrorKind, Read};

/// What the first line begins with.
const MARK: &str = "mainroad games 1 ";
/// The most bytes of a first line.
const LONGEST_LINE: u64 = 1 << 16;
/// The bytes of a position.
const RECORD_BYTES: usize = 16;
/// The most positions of a game.
const MOST_POSITIONS: u32 = 4096;
/// The row on which own men become kings, packed: none stand there, and none of the opponent's on the row opposite.
const OWN_PROMOTION_ROW: u32 = 0xF000_0000;
/// Stands for a score that is not there.
const NO_SCORE: i16 = i16::MIN;
/// The bit of a position in which the opponent threatens to capture.
const THREATENED: u8 = 4;

/// What the games of a file follow from, the number of games apart.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recipe {
    /// The rule set.
    pub variant: String,
    /// The evaluation that played, by name, or by the checksum of its weights.
    pub net: String,
    /// Positions searched for a move.
    pub nodes: u64,
    /// What openings follow from.
    pub seed: u64,
    /// Which of the games are here, `I/N`.
    pub shard: String,
}

/// A position as the side to move sees it: bit `index` for half the bit of a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packed {
    /// Own pieces.
    pub own: u32,
    /// Pieces of the opponent.
    pub opp: u32,
    /// Kings of both.
    pub kings: u32,
}

/// A position of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The position.
    pub pos: Packed,
    /// What a search found, in hundredths of a man; `None` where tables or a proof settle the game.
    pub score: Option<i16>,
    /// The result of the game for the side to move.
    pub result: Value,
    /// Plies since the last capture or man move.
    pub since_zeroing: u8,
    /// The opponent threatens to capture.
    pub is_threatened: bool,
}

/// A game with its variations, as far as it is of use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedGame {
    /// From 0.
    pub number: u32,
    /// Its quiet positions.
    pub samples: Vec<Sample>,
}

/// Says what is wrong with a file.
#[derive(Debug, thiserror::Error)]
pub enum DataFault {
    /// It cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It does not begin as one of these files does.
    #[error("expected a file of `mainroad train games`: {0}")]
    Header(String),
    /// It ends in the middle of a game.
    #[error("it ends within game block {0}")]
    Torn(u64),
    /// A game is not what was written.
    #[error("game block {block} is damaged: {detail}")]
    Damaged {
        /// From 1.
        block: u64,
        /// In what way.
        detail: String,
    },
}

impl Packed {
    /// Packs a position.
    pub fn of(pos: &Position) -> Self {
        let pack = |set: Bitboard| {
            let set = match pos.turn() {
                Side::White => set,
                Side::Black => set.rotated(),
            };
            let squares = set.squares();
            squares.fold(0, |bits, square| bits | 1 << (square.bit() / 2))
        };
        Self {
            own: pack(pos.own()),
            opp: pack(pos.opp()),
            kings: pack(pos.all_kings()),
        }
    }

    /// Returns the position, turned so that White is to move.
    pub fn position(self) -> Result<Position, PositionFault> {
        let unpack = |bits: u32| -> Bitboard {
            let square = |index: u32| {
                let (rank, half) = (index / 4, index % 4);
                Square::from_bit(8 * rank + 2 * half + rank % 2).expect("these are dark")
            };
            let indices = (0..32).filter(|index| bits >> index & 1 == 1);
            indices.map(square).collect()
        };
        let (own, opp, kings) = (unpack(self.own), unpack(self.opp), unpack(self.kings));
        let men = [own & !kings, opp & !kings];
        Position::new(men, [own & kings, opp & kings], Side::White)
    }

    /// Returns the number of pieces.
    #[inline]
    pub const fn pieces(self) -> u32 {
        (self.own | self.opp).count_ones()
    }

    /// Returns a number that is as good as random, and the same for the same position.
    pub const fn hash(self, seed: u64) -> u64 {
        let pieces = (self.own as u64) << 32 | self.opp as u64;
        splitmix64(splitmix64(splitmix64(seed) ^ pieces) ^ self.kings as u64)
    }

    /// Says whether both sides have pieces, and there can be such a position.
    fn is_sound(self) -> bool {
        let is_side = |pieces: u32| (1..=MAX_PIECES).contains(&pieces.count_ones());
        let men = !self.kings;
        is_side(self.own)
            && is_side(self.opp)
            && self.own & self.opp == 0
            && self.kings & !(self.own | self.opp) == 0
            && self.own & men & OWN_PROMOTION_ROW == 0
            && self.opp & men & OWN_PROMOTION_ROW.reverse_bits() == 0
    }
}

impl Sample {
    /// Makes the sample of a position just after a capture or man move.
    pub fn new(pos: &Position, score: Option<i16>, result: Value) -> Self {
        Self {
            pos: Packed::of(pos),
            score,
            result,
            since_zeroing: 0,
            is_threatened: is_threatened(pos),
        }
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        for set in [self.pos.own, self.pos.opp, self.pos.kings] {
            bytes.extend(set.to_le_bytes());
        }
        bytes.extend(self.score.unwrap_or(NO_SCORE).to_le_bytes());
        let result = match self.result {
            Value::Loss => 0,
            Value::Draw => 1,
            Value::Win => 2,
        };
        let threat = if self.is_threatened { THREATENED } else { 0 };
        bytes.extend([self.since_zeroing, result | threat]);
    }

    fn read(bytes: &[u8; RECORD_BYTES]) -> Result<Self, String> {
        let word = |at: usize| {
            let word = [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]];
            u32::from_le_bytes(word)
        };
        let pos = Packed {
            own: word(0),
            opp: word(4),
            kings: word(8),
        };
        if !pos.is_sound() {
            return Err("no such position".to_owned());
        }
        let score = i16::from_le_bytes([bytes[12], bytes[13]]);
        let result = match bytes[15] & !THREATENED {
            0 => Value::Loss,
            1 => Value::Draw,
            2 => Value::Win,
            other => return Err(format!("no result has the number {other}")),
        };
        Ok(Self {
            pos,
            score: (score != NO_SCORE).then_some(score),
            result,
            since_zeroing: bytes[14],
            is_threatened: bytes[15] & THREATENED != 0,
        })
    }
}

impl Recipe {
    /// Returns what a file of these games begins with.
    pub fn to_bytes(&self) -> Vec<u8> {
        let json = serde_json::to_string(self).expect("it has only texts and numbers");
        let mut bytes = format!("{MARK}{json}\n").into_bytes();
        let sum = crc32fast::hash(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }
}

impl PlayedGame {
    /// Returns the block of the game.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(12 + self.samples.len() * RECORD_BYTES);
        bytes.extend(self.number.to_le_bytes());
        bytes.extend((self.samples.len() as u32).to_le_bytes());
        for sample in &self.samples {
            sample.write(&mut bytes);
        }
        let sum = crc32fast::hash(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }
}

/// Reads a file game by game.
pub struct DataReader<F> {
    file: F,
    recipe: Recipe,
    blocks: u64,
    /// Up to the end of the last complete game.
    length: u64,
}

impl<F: BufRead> DataReader<F> {
    /// Reads the beginning of a file.
    pub fn new(mut file: F) -> Result<Self, DataFault> {
        let bad = |text: &str| DataFault::Header(text.to_owned());
        let mut line = Vec::new();
        (&mut file)
            .take(LONGEST_LINE)
            .read_until(b'\n', &mut line)?;
        let mut sum = [0; 4];
        let json = line.strip_prefix(MARK.as_bytes());
        let json = json.ok_or_else(|| bad("the first line is another"))?;
        let read = file.read_exact(&mut sum);
        read.map_err(|_| bad("it ends within its head"))?;
        if u32::from_le_bytes(sum) != crc32fast::hash(&line) {
            return Err(bad("its head is damaged"));
        }
        let recipe = serde_json::from_slice(json);
        let recipe = recipe.map_err(|error| bad(&on_one_line(&error.to_string())))?;
        Ok(Self {
            file,
            recipe,
            blocks: 0,
            length: line.len() as u64 + 4,
        })
    }

    /// Returns what the games follow from.
    pub fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// Returns the length of the file up to the end of the last game that was read.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Reads the next game, or returns `None` at the end.
    pub fn game(&mut self) -> Result<Option<PlayedGame>, DataFault> {
        if self.file.fill_buf()?.is_empty() {
            return Ok(None);
        }
        self.blocks += 1;
        let block = self.blocks;
        let damaged = |detail: String| DataFault::Damaged { block, detail };
        let torn = |error: io::Error| match error.kind() {
            ErrorKind::UnexpectedEof => DataFault::Torn(block),
            _ => error.into(),
        };
        let mut bytes = vec![0; 8];
        self.file.read_exact(&mut bytes).map_err(torn)?;
        let number = |at: usize| {
            let word = bytes[at..at + 4].try_into().expect("four are four");
            u32::from_le_bytes(word)
        };
        let (number, count) = (number(0), number(4));
        if count > MOST_POSITIONS {
            return Err(damaged(format!("{count} positions")));
        }
        bytes.resize(8 + count as usize * RECORD_BYTES + 4, 0);
        self.file.read_exact(&mut bytes[8..]).map_err(torn)?;
        let (block_bytes, sum) = bytes.split_last_chunk().expect("it is longer");
        if u32::from_le_bytes(*sum) != crc32fast::hash(block_bytes) {
            return Err(damaged("its checksum differs".to_owned()));
        }
        let (records, _) = block_bytes[8..].as_chunks();
        let samples: Result<Vec<Sample>, String> = records.iter().map(Sample::read).collect();
        self.length += bytes.len() as u64;
        Ok(Some(PlayedGame {
            number,
            samples: samples.map_err(damaged)?,
        }))
    }
}
