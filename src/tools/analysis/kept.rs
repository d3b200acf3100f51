//! What an analysis keeps of the games that are finished: parts that grow, and a journal that notes how far each has got, with checksums.
//!
//! The first line of the journal has the plan of the analysis. Each further line is a game: when it is there, so is all that it stands for.

use crc32fast::Hasher;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};

/// What a journal of an analysis begins with.
const MARK: &str = "mainroad analyse 2";

/// A game that is finished, as the journal has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Noted {
    /// The checksum of the game as it was read.
    pub crc: u32,
    /// The part up to the end of the game.
    pub pdn: Extent,
    /// The same of the objects.
    pub json: Extent,
    /// Something was wrong with it, or its page is missing.
    pub is_bad: bool,
}

/// The beginning of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Extent {
    /// The number of bytes.
    pub length: u64,
    /// Their CRC-32.
    pub crc: u32,
}

/// Says why an analysis cannot go on behind a journal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OtherJournal {
    /// It is of something else.
    #[error("it is not of an analysis")]
    Foreign,
    /// Its plan is another.
    #[error("it is of another analysis ({0} differs)")]
    Plan(String),
    /// A line is not a game.
    #[error("line {0} is not a game")]
    Line(usize),
}

/// Returns the first line of the journal of an analysis.
pub fn header(plan: &Map<String, Value>) -> Map<String, Value> {
    let mut header = Map::new();
    header.insert("journal".to_owned(), MARK.into());
    header.extend(plan.clone());
    header
}

/// Checks that the lines of a journal are those of an analysis with a plan, and returns the games.
pub fn understand(
    lines: Vec<Value>,
    plan: &Map<String, Value>,
) -> Result<VecDeque<Noted>, OtherJournal> {
    let mut lines = (1..).zip(lines);
    let Some((_, Value::Object(first))) = lines.next() else {
        return Err(OtherJournal::Foreign);
    };
    if first.get("journal") != Some(&Value::from(MARK)) {
        return Err(OtherJournal::Foreign);
    }
    let mut names = plan.keys();
    if let Some(name) = names.find(|&name| first.get(name) != plan.get(name)) {
        return Err(OtherJournal::Plan(name.clone()));
    }
    let read =
        |(number, line)| serde_json::from_value(line).map_err(|_| OtherJournal::Line(number));
    lines.map(read).collect()
}

/// A file that grows.
pub struct Part {
    file: File,
    length: u64,
    /// Of all that is in it.
    hasher: Hasher,
}

impl Part {
    /// Takes over a file that is open for reading and writing, and cuts it off behind what was noted of it. `None` if it does not begin with
    /// that; then it stays as it is.
    pub fn open(mut file: File, noted: Extent) -> io::Result<Option<Self>> {
        let mut hasher = Hasher::new();
        let mut kept = BufReader::new(&file).take(noted.length);
        let length = io::copy(&mut kept, &mut Sum(&mut hasher))?;
        let crc = hasher.clone().finalize();
        if noted != (Extent { length, crc }) {
            return Ok(None);
        }
        file.set_len(length)?;
        file.seek(SeekFrom::Start(length))?;
        Ok(Some(Self {
            file,
            length,
            hasher,
        }))
    }

    /// Adds a text. It is on the disk when this returns.
    pub fn add(&mut self, text: &[u8]) -> io::Result<()> {
        self.file.write_all(text)?;
        self.file.sync_data()?;
        self.length += text.len() as u64;
        self.hasher.update(text);
        Ok(())
    }

    /// Writes all that is in it.
    pub fn repeat(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(0))?;
        let copied = io::copy(&mut BufReader::new(&self.file), out);
        self.file.seek(SeekFrom::Start(self.length))?;
        copied.map(drop)
    }

    /// Returns all that is in it.
    pub fn extent(&self) -> Extent {
        Extent {
            length: self.length,
            crc: self.hasher.clone().finalize(),
        }
    }
}

/// Adds what is written to a checksum.
struct Sum<'a>(&'a mut Hasher);

impl Write for Sum<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
