//! Sections of archives, put together: which table has which slice, and where its blocks are.
//!
//! A table is inflated block by block, each when it is first asked for. Up to 5 pieces blocks are kept, and one that is there is read without a
//! lock; of larger tables as many are kept as there is room for ([`Cache`]). A block that is damaged is reported once and its positions
//! are unknown from then on.

use super::archive::{
    ArchiveError, BlockPlace, Directory, KEPT_PIECES, Kind, SectionPlace, Source, Summary,
    block_bytes,
};
use super::cache::{Block, Cache, Key};
use super::index::Layout;
use super::slice::Slice;
use crate::notation::shown;
use once_cell::sync::OnceCell;
use parking_lot::Mutex;
use rayon::prelude::*;
use std::borrow::Cow;
use std::sync::Arc;

/// The tables in the program: up to 5 pieces, by game.
const EMBEDDED: [(&str, &[u8]); 3] = [
    ("russian", include_bytes!("data/russian.tables")),
    ("pool", include_bytes!("data/pool.tables")),
    ("brazilian", include_bytes!("data/brazilian.tables")),
];

/// Says that a table, or a part of it, cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {fault}")]
pub struct TableFault {
    /// The file, or what it is called in the program.
    pub place: String,
    /// What is wrong with it.
    pub fault: String,
}

/// The blocks of large tables that are in memory at a time: 256 MiB.
const CACHED_BLOCKS: usize = 1 << 15;

/// Returns the file of the tables of a game that are in the program.
pub(super) fn embedded(game: &str) -> Option<&'static [u8]> {
    let found = EMBEDDED.iter().find(|(name, _)| *name == game);
    found.map(|&(_, bytes)| bytes)
}

/// Tables by kind and slice.
pub(super) struct Sections {
    /// Of each kind, by [`Slice::id`].
    tables: [Vec<Option<Arc<Table>>>; 3],
    /// The blocks of large tables; not there while there is no such table.
    cache: Option<Arc<Cache>>,
    /// How many large tables there are.
    cached: u32,
}

/// A section.
pub(super) struct Table {
    pub(super) layout: Layout,
    pub(super) kind: Kind,
    /// The table this one is the difference to.
    base: Option<Arc<Table>>,
    pub(super) summary: Summary,
    archive: Arc<Archive>,
    /// The bytes of a block.
    block_bytes: usize,
    /// How many positions a block has, as a power of two.
    block_shift: u32,
    places: Box<[BlockPlace]>,
    memory: Memory,
}

/// Where blocks are when they have been inflated.
enum Memory {
    /// Each in its own place, for good.
    Kept(Box<[OnceCell<Block>]>),
    /// Among those of other tables, under the number of this one.
    Cached(Arc<Cache>, u32),
}

/// An archive and where it was found.
pub(super) struct Archive {
    pub(super) source: Source,
    pub(super) place: String,
}

impl Sections {
    pub(super) fn new() -> Self {
        Self {
            tables: [(); 3].map(|()| vec![None; Slice::IDS]),
            cache: None,
            cached: 0,
        }
    }

    /// Returns the table of a slice. The slice must have no more pieces than tables can have.
    #[inline]
    pub(super) fn find(&self, kind: Kind, slice: Slice) -> Option<&Arc<Table>> {
        self.tables[kind as usize][slice.id()].as_ref()
    }

    /// Says where a table with so many blocks has them.
    fn memory(&mut self, slice: Slice, blocks: usize) -> Memory {
        if slice.pieces() <= KEPT_PIECES {
            return Memory::Kept((0..blocks).map(|_| OnceCell::new()).collect());
        }
        let cache = self
            .cache
            .get_or_insert_with(|| Arc::new(Cache::new(CACHED_BLOCKS)));
        self.cached += 1;
        Memory::Cached(cache.clone(), self.cached)
    }

    /// Returns the tables of all kinds and slices.
    pub(super) fn all(&self) -> impl Iterator<Item = &Table> {
        let all = self.tables.iter().flatten().flatten();
        all.map(Arc::as_ref)
    }

    /// Returns the slices whose values are here.
    pub(super) fn slices(&self) -> Vec<Slice> {
        let values = self.tables[Kind::Values as usize].iter().flatten();
        values.map(|table| table.layout.slice).collect()
    }

    /// Takes over the tables that are not here, or were left out.
    pub(super) fn fill_from(&mut self, others: Self) {
        let own = self.tables.iter_mut().flatten();
        for (own, other) in own.zip(others.tables.into_iter().flatten()) {
            if own.as_ref().is_none_or(|own| own.is_left_out()) {
                *own = other.or_else(|| own.take());
            }
        }
    }

    /// Adds the sections of an archive that are not here yet, or were left out.
    pub(super) fn add(&mut self, archive: Archive, game: &str) -> Result<(), TableFault> {
        let fault = |fault: String| TableFault {
            place: archive.place.clone(),
            fault,
        };
        let directory =
            Directory::read(&archive.source).map_err(|error| fault(error.to_string()))?;
        if directory.game != game {
            return Err(fault(format!(
                "tables of {}, expected {game}",
                shown(&directory.game)
            )));
        }
        let base = match &directory.base {
            Some(base) if embedded(base).is_none() => {
                return Err(fault(format!(
                    "its base is tables of {}, of which there are none in the program",
                    shown(base)
                )));
            }
            Some(base) => Some(Self::embedded(base)?),
            None => None,
        };
        let archive = Arc::new(archive);
        for section in directory.sections {
            let (slice, kind) = (section.slice, section.kind);
            let table = self.table(section, base.as_ref(), &archive);
            let table = table.map_err(|text| TableFault {
                place: archive.place.clone(),
                fault: text.to_owned(),
            })?;
            let known = &mut self.tables[kind as usize][slice.id()];
            if known.as_ref().is_none_or(|known| known.is_left_out()) {
                *known = Some(Arc::new(table));
            }
        }
        Ok(())
    }

    /// Makes the table of a section, or says what is wrong with it.
    fn table(
        &mut self,
        section: SectionPlace,
        base: Option<&Self>,
        archive: &Arc<Archive>,
    ) -> Result<Table, &'static str> {
        let SectionPlace {
            slice,
            kind,
            is_difference,
            summary,
            blocks,
        } = section;
        let layout = Layout::of(slice);
        let block_shift = kind.block_shift(slice);
        let expected = layout.positions().div_ceil(1 << block_shift);
        let is_left_out = blocks.is_empty() && kind == Kind::Conversion;
        if blocks.len() as u64 != expected && !is_left_out {
            return Err("it has too few or too many blocks");
        }
        let base = if is_difference {
            let found = base.and_then(|base| base.find(kind, slice));
            // It may have been left out there.
            let found = found.filter(|base| base.places.len() == blocks.len());
            Some(found.ok_or("its base is missing")?.clone())
        } else {
            None
        };
        Ok(Table {
            layout,
            kind,
            base,
            summary,
            archive: archive.clone(),
            block_bytes: block_bytes(slice),
            block_shift,
            memory: self.memory(slice, blocks.len()),
            places: blocks.into(),
        })
    }

    /// Returns the tables of a game that are in the program.
    pub(super) fn embedded(game: &str) -> Result<Self, TableFault> {
        let mut sections = Self::new();
        let place = format!("{game} tables in the program");
        let Some(bytes) = embedded(game) else {
            let fault = "there are none".to_owned();
            return Err(TableFault { place, fault });
        };
        if !bytes.is_empty() {
            let source = Source::memory(Cow::Borrowed(bytes));
            sections.add(Archive { source, place }, game)?;
        }
        Ok(sections)
    }
}

impl Table {
    /// Says whether the numbers are not stored.
    pub(super) fn is_left_out(&self) -> bool {
        self.places.is_empty()
    }

    /// Returns the checksums of all blocks, as they are in the file, and of those that they are differences to.
    pub(super) fn checksums(&self) -> impl Iterator<Item = u32> {
        let base = self.base.iter().flat_map(|base| base.places.iter());
        self.places.iter().chain(base).map(|place| place.crc)
    }

    /// Returns all bytes before compression, or `None` where they are left out or damaged.
    pub(super) fn raw(&self) -> Option<Vec<u8>> {
        if self.is_left_out() {
            return None;
        }
        let blocks = (0..self.places.len()).into_par_iter();
        let blocks = blocks.map(|number| self.raw_block(number));
        let blocks: Result<Vec<Box<[u8]>>, ArchiveError> = blocks.collect();
        Some(blocks.ok()?.concat())
    }

    /// Reads every block and checks it.
    pub(super) fn check_blocks(&self, faults: &Mutex<Vec<TableFault>>) {
        let blocks = (0..self.places.len()).into_par_iter();
        blocks.for_each(|number| drop(self.load(number, faults)));
    }

    /// Returns a block before compression.
    fn raw_block(&self, number: usize) -> Result<Box<[u8]>, ArchiveError> {
        let bytes = self.kind.bytes(self.layout.positions());
        let length = (bytes as usize - number * self.block_bytes).min(self.block_bytes);
        let mut raw = self.archive.source.block(self.places[number], length)?;
        if let Some(base) = &self.base {
            let base = base.raw_block(number)?;
            raw.iter_mut()
                .zip(&base)
                .for_each(|(byte, base)| *byte ^= base);
        }
        Ok(raw.into())
    }

    /// Returns the number of a position. A block that is damaged adds to the faults.
    #[inline]
    pub(super) fn number(&self, index: u64, faults: &Mutex<Vec<TableFault>>) -> Option<u8> {
        let number = (index >> self.block_shift) as usize;
        let within = index as usize & ((1 << self.block_shift) - 1);
        let pick = |bytes: &[u8]| self.kind.number_at(bytes, within);
        match &self.memory {
            Memory::Kept(blocks) => {
                let bytes = blocks
                    .get(number)?
                    .get_or_init(|| self.load(number, faults));
                bytes.as_deref().map(pick)
            }
            Memory::Cached(cache, table) => {
                // There are none where the distances were left out.
                self.places.get(number)?;
                let (table, block) = (*table, number as u32);
                cache.read(Key { table, block }, pick, || self.load(number, faults))
            }
        }
    }

    #[cold]
    fn load(&self, number: usize, faults: &Mutex<Vec<TableFault>>) -> Block {
        let raw = self.raw_block(number);
        raw.map_err(|error| {
            let mut faults = faults.lock();
            let place = &self.archive.place;
            if faults.iter().all(|fault| fault.place != *place) {
                faults.push(TableFault {
                    place: place.clone(),
                    fault: error.to_string(),
                });
            }
        })
        .ok()
    }
}
