//! The file format of tables: one or more slices, compressed in blocks.
//!
//! ```text
//! mainroad-tables 1 GAME BASE\n   BASE: a game, or - for none
//! u32 sections, u32 length of the directory, u32 CRC of the directory
//! directory: for each section
//!     u8 men, opp men, kings, opp kings; u8 kind; u8 whether it is a difference
//!     u64 losses, draws, wins; u64 plies of the longest win, u64 number of its position
//!     u32 blocks
//!     for each block: u32 length, u32 CRC
//! the blocks, in the same order
//! ```
//!
//! All numbers are little-endian, CRC is CRC-32 (IEEE). A block is a Zstandard frame of at most [`block_bytes`]. Values take two bits a
//! position, four positions a byte, the first lowest; distances take a byte. Positions with a capture due are never looked up, and distances of draws neither: whatever compresses
//! best is stored there. A section may be stored as the difference (exclusive or) to the section of another game.

use super::slice::Slice;
use parking_lot::Mutex;
use std::borrow::Cow;
use std::fs::File;
use std::io;
use std::path::Path;
use zstd::bulk::{Compressor, Decompressor};

/// The first word of a file and the version of its format.
const MAGIC: &str = "mainroad-tables 1";
/// Blocks of slices with at most so many pieces stay in memory once they are inflated.
pub(super) const KEPT_PIECES: u32 = 5;
/// The bytes of a block of such a slice, as a power of two: large, since what matters is the size in the program.
const KEPT_BLOCK_SHIFT: u32 = 16;
/// The bytes of a block of a slice with more pieces, as a power of two: small, since blocks are inflated again and again for a few positions each.
const BLOCK_SHIFT: u32 = 13;
/// The most bytes of a head line, its end included.
const LONGEST_HEAD: usize = 80;
/// The most bytes of a directory. Those of all slices up to 7 pieces are shorter.
const LONGEST_DIRECTORY: usize = 64 << 20;
/// The bytes of the directory entry of a block.
const BLOCK_ENTRY: usize = 8;

/// What a section holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    /// Win, draw or loss.
    Values,
    /// DTZ.
    Zeroing,
    /// DTC.
    Conversion,
}

impl Kind {
    pub(super) const ALL: [Self; 3] = [Self::Values, Self::Zeroing, Self::Conversion];

    /// Returns the kind that holds the same of a slice: without men both distances are the same, and one is stored.
    #[inline]
    pub(super) const fn within(self, slice: Slice) -> Self {
        match (self, slice.men) {
            (Self::Conversion, [0, 0]) => Self::Zeroing,
            _ => self,
        }
    }

    /// Returns the bytes of so many positions before compression.
    pub(super) const fn bytes(self, positions: u64) -> u64 {
        match self {
            Self::Values => positions.div_ceil(4),
            Self::Zeroing | Self::Conversion => positions,
        }
    }

    /// Returns the number of a position from such bytes.
    #[inline]
    pub(super) const fn number_at(self, bytes: &[u8], index: usize) -> u8 {
        match self {
            Self::Values => bytes[index >> 2] >> ((index & 3) * 2) & 3,
            Self::Zeroing | Self::Conversion => bytes[index],
        }
    }

    /// Returns how many positions a block of a slice has, as a power of two.
    pub(super) const fn block_shift(self, slice: Slice) -> u32 {
        match self {
            Self::Values => byte_shift(slice) + 2,
            Self::Zeroing | Self::Conversion => byte_shift(slice),
        }
    }
}

/// Returns the bytes of a block before compression; the last block of a section may be shorter.
pub(super) const fn block_bytes(slice: Slice) -> usize {
    1 << byte_shift(slice)
}

const fn byte_shift(slice: Slice) -> u32 {
    if slice.pieces() <= KEPT_PIECES {
        KEPT_BLOCK_SHIFT
    } else {
        BLOCK_SHIFT
    }
}

/// A compressed section.
pub(super) struct Section {
    pub(super) slice: Slice,
    pub(super) kind: Kind,
    /// It is the difference to the section of the base.
    pub(super) is_difference: bool,
    pub(super) summary: Summary,
    pub(super) blocks: Vec<Vec<u8>>,
}

/// What a section says of its slice, captures due or not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Summary {
    /// Losses, draws and wins.
    pub(super) by_value: [u64; 3],
    /// The plies of the longest win, by DTC in sections of that kind, else by DTZ.
    pub(super) longest: u64,
    /// The number of its position.
    pub(super) longest_index: u64,
}

/// Where a section lies.
#[derive(Clone, Debug)]
pub(super) struct SectionPlace {
    pub(super) slice: Slice,
    pub(super) kind: Kind,
    pub(super) is_difference: bool,
    pub(super) summary: Summary,
    pub(super) blocks: Vec<BlockPlace>,
}

/// Where a block lies.
#[derive(Clone, Copy, Debug)]
pub(super) struct BlockPlace {
    offset: u64,
    pub(super) length: u32,
    pub(super) crc: u32,
}

/// Says why a table cannot be read.
#[derive(Debug, thiserror::Error)]
pub(super) enum ArchiveError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("{0}")]
    Damaged(&'static str),
}

/// Returns the bytes of an archive.
pub(super) fn write(game: &str, base: Option<&str>, sections: &[Section]) -> Vec<u8> {
    let mut directory = Vec::new();
    for section in sections {
        let Slice { men, kings } = section.slice;
        directory.extend([men[0], men[1], kings[0], kings[1]]);
        directory.extend([section.kind as u8, u8::from(section.is_difference)]);
        let Summary {
            by_value: [losses, draws, wins],
            longest,
            longest_index,
        } = section.summary;
        for number in [losses, draws, wins, longest, longest_index] {
            directory.extend(number.to_le_bytes());
        }
        directory.extend((section.blocks.len() as u32).to_le_bytes());
        for block in &section.blocks {
            directory.extend((block.len() as u32).to_le_bytes());
            directory.extend(crc32fast::hash(block).to_le_bytes());
        }
    }
    let mut bytes = format!("{MAGIC} {game} {}\n", base.unwrap_or("-")).into_bytes();
    bytes.extend((sections.len() as u32).to_le_bytes());
    bytes.extend((directory.len() as u32).to_le_bytes());
    bytes.extend(crc32fast::hash(&directory).to_le_bytes());
    bytes.extend(directory);
    for block in sections.iter().flat_map(|section| &section.blocks) {
        bytes.extend(block);
    }
    bytes
}

/// Compresses the bytes of a section of a slice, to the same blocks on every machine.
pub(super) fn compress(slice: Slice, raw: &[u8], level: i32) -> io::Result<Vec<Vec<u8>>> {
    use rayon::prelude::*;
    raw.par_chunks(block_bytes(slice))
        .map_init(
            || Compressor::new(level),
            |compressor, block| match compressor {
                Ok(compressor) => compressor.compress(block),
                Err(error) => Err(io::Error::new(error.kind(), error.to_string())),
            },
        )
        .collect()
}

/// Where the bytes of an archive come from.
pub(super) struct Source {
    place: Place,
    /// What blocks are inflated with; as many as threads have needed one at once.
    inflaters: Mutex<Vec<Decompressor<'static>>>,
}

enum Place {
    /// Memory, of the program itself or of a builder.
    Memory(Cow<'static, [u8]>),
    /// A file and its length.
    File(File, u64),
}

/// Reads from a place of a file, whatever other threads read.
#[cfg(unix)]
fn read_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, offset)
}

/// Reads from a place of a file, whatever other threads read.
#[cfg(windows)]
fn read_at(file: &File, mut bytes: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        let read = std::os::windows::fs::FileExt::seek_read(file, bytes, offset)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        bytes = &mut bytes[read..];
        offset += read as u64;
    }
    Ok(())
}

/// Reads from a place of a file. Other systems (the browser) have one thread, so that nothing moves the file's position in between.
#[cfg(not(any(unix, windows)))]
fn read_at(mut file: &File, bytes: &mut [u8], offset: u64) -> io::Result<()> {
    use std::io::{Read, Seek, SeekFrom};
    file.seek(SeekFrom::Start(offset))?;
    file.read_exact(bytes)
}

impl Source {
    /// Opens a file.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        Ok(Self::of(Place::File(file, length)))
    }

    /// Takes an archive in memory.
    pub(super) fn memory(bytes: Cow<'static, [u8]>) -> Self {
        Self::of(Place::Memory(bytes))
    }

    fn of(place: Place) -> Self {
        let inflaters = Mutex::default();
        Self { place, inflaters }
    }

    fn len(&self) -> u64 {
        match &self.place {
            Place::Memory(bytes) => bytes.len() as u64,
            Place::File(_, length) => *length,
        }
    }

    fn read(&self, offset: u64, length: usize) -> io::Result<Cow<'_, [u8]>> {
        if offset + length as u64 > self.len() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        match &self.place {
            Place::Memory(bytes) => Ok(Cow::Borrowed(&bytes[offset as usize..][..length])),
            Place::File(file, _) => {
                let mut bytes = vec![0; length];
                read_at(file, &mut bytes, offset)?;
                Ok(Cow::Owned(bytes))
            }
        }
    }

    /// Returns a block as it was before compression. `length` is what it must have.
    pub(super) fn block(&self, place: BlockPlace, length: usize) -> Result<Vec<u8>, ArchiveError> {
        let packed = self.read(place.offset, place.length as usize)?;
        if crc32fast::hash(&packed) != place.crc {
            return Err(ArchiveError::Damaged("a block does not match its checksum"));
        }
        let ready = self.inflaters.lock().pop();
        let mut inflater = match ready {
            Some(inflater) => inflater,
            None => Decompressor::new()?,
        };
        let raw = inflater.decompress(&packed, length);
        self.inflaters.lock().push(inflater);
        let raw = raw.map_err(|_| ArchiveError::Damaged("a block cannot be inflated"))?;
        if raw.len() != length {
            return Err(ArchiveError::Damaged("a block has the wrong length"));
        }
        Ok(raw)
    }
}

/// What the head and the directory of an archive say.
#[derive(Debug)]
pub(super) struct Directory {
    pub(super) game: String,
    pub(super) base: Option<String>,
    pub(super) sections: Vec<SectionPlace>,
}

impl Directory {
    /// Reads and checks the head and the directory.
    pub(super) fn read(source: &Source) -> Result<Self, ArchiveError> {
        let damaged = ArchiveError::Damaged;
        let start = source.read(0, LONGEST_HEAD.min(source.len() as usize))?;
        let head = start
            .split(|&byte| byte == b'\n')
            .next()
            .unwrap_or_default();
        let text = str::from_utf8(head).unwrap_or_default();
        let names = text.strip_prefix(MAGIC).unwrap_or_default();
        let mut names = names.split_whitespace();
        let (Some(game), Some(base), None) = (names.next(), names.next(), names.next()) else {
            return Err(damaged("it does not begin with the head line of tables"));
        };
        let at = head.len() as u64 + 1;
        let numbers = source.read(at, 12)?;
        let mut numbers = Bytes(&numbers);
        let (count, length, crc) = (numbers.u32(), numbers.u32(), numbers.u32());
        let (count, length, crc) = count
            .zip(length)
            .zip(crc)
            .map(|((a, b), c)| (a, b as usize, c))
            .ok_or(damaged("it is too short"))?;
        if length > LONGEST_DIRECTORY {
            return Err(damaged("its directory is too long"));
        }
        let bytes = source.read(at + 12, length)?;
        if crc32fast::hash(&bytes) != crc {
            return Err(damaged("its directory does not match its checksum"));
        }
        let mut offset = at + 12 + length as u64;
        let mut bytes = Bytes(&bytes);
        let mut sections = Vec::new();
        for _ in 0..count {
            let section = bytes.section(&mut offset);
            sections.push(section.ok_or(damaged("its directory makes no sense"))?);
        }
        if offset != source.len() {
            return Err(damaged("it has the wrong length"));
        }
        Ok(Self {
            game: game.to_owned(),
            base: (base != "-").then(|| base.to_owned()),
            sections,
        })
    }
}

/// Bytes that are read from the front.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*first)
    }

    fn u32(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Option<u64> {
        self.take().map(u64::from_le_bytes)
    }

    fn section(&mut self, offset: &mut u64) -> Option<SectionPlace> {
        let [a, b, k, l, kind, is_difference] = self.take()?;
        let slice = Slice {
            men: [a, b],
            kings: [k, l],
        };
        if [a, b, k, l].into_iter().any(|n| n > 8) || !slice.is_in_tables() {
            return None;
        }
        let kind = *Kind::ALL.get(usize::from(kind))?;
        let summary = Summary {
            by_value: [self.u64()?, self.u64()?, self.u64()?],
            longest: self.u64()?,
            longest_index: self.u64()?,
        };
        let count = self.u32()? as usize;
        if self.0.len() < count * BLOCK_ENTRY {
            return None;
        }
        let mut blocks = Vec::with_capacity(count);
        for _ in 0..count {
            let (length, crc) = (self.u32()?, self.u32()?);
            blocks.push(BlockPlace {
                offset: *offset,
                length,
                crc,
            });
            *offset += u64::from(length);
        }
        Some(SectionPlace {
            slice,
            kind,
            is_difference: is_difference == 1,
            summary,
            blocks,
        })
    }
}
