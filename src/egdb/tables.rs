//! Look-up.
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
use super::slice::{Slice, View};
use super::{MAX_PIECES, Value, root};
use crate::board::{Move, MoveList, Position};
use crate::rules::{Movement, Rules, capture_moves, has_capture, has_legal_move, legal_moves};
use once_cell::sync::OnceCell;
use parking_lot::Mutex;
use rayon::prelude::*;
use std::borrow::Cow;
use std::fs;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The last part of the names of table files.
pub(super) const EXTENSION: &str = "tables";

/// The tables in the program: up to 5 pieces, by game.
const EMBEDDED: [(&str, &[u8]); 3] = [
    ("russian", include_bytes!("data/russian.tables")),
    ("pool", include_bytes!("data/pool.tables")),
    ("brazilian", include_bytes!("data/brazilian.tables")),
];

/// Says that a table cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {fault}")]
pub struct TableFault {
    /// The file.
    pub place: String,
    /// What is wrong with it.
    pub fault: String,
}

/// The tables of the game that the rules `R` play.
///
/// Shared by threads. All look-ups answer `None` where no table knows the position.
pub struct Tables<R> {
    sections: Sections,
    most_pieces: u32,
    /// The slices, by [`Slice::id`], whose wins and losses no count can take away when all begin anew.
    sure: Box<[bool]>,
    faults: Mutex<Vec<TableFault>>,
    rules: PhantomData<R>,
}

/// The fewest plies that a winner can force, or the most that they can be where the number itself is not stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Plies {
    pub(super) most: u8,
    pub(super) is_exact: bool,
}

/// A slice as a whole, positions with a capture due included.
#[derive(Clone, Copy, Debug)]
pub struct SliceSummary {
    /// The slice.
    pub slice: Slice,
    /// All positions.
    pub positions: u64,
    /// Those that the side to move wins.
    pub wins: u64,
    /// Those that are drawn.
    pub draws: u64,
    /// Those that the side to move loses.
    pub losses: u64,
    /// The longest win by DTZ, in plies, and a position with it, White to move.
    pub zeroing: Option<(u64, Position)>,
    /// The longest win by DTC, where that is stored.
    pub conversion: Option<(u64, Position)>,
}

/// The blocks of large tables that are in memory at a time: 256 MiB.
const CACHED_BLOCKS: usize = 1 << 15;

/// Tables by kind and slice.
struct Sections {
    /// Of each kind, by [`Slice::id`].
    tables: [Vec<Option<Arc<Table>>>; 3],
    /// The blocks of all that are large, and how many those are.
    cache: Option<Arc<Cache>>,
    cached: u32,
}

/// A section.
struct Table {
    layout: Layout,
    kind: Kind,
    /// The table this one is the difference to.
    base: Option<Arc<Table>>,
    summary: Summary,
    archive: Arc<Archive>,
    /// The bytes of a block, and how many positions it has, as a power of two.
    block_bytes: usize,
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
struct Archive {
    source: Source,
    place: String,
}

impl Sections {
    fn new() -> Self {
        Self {
            tables: [(); 3].map(|()| vec![None; Slice::IDS]),
            cache: None,
            cached: 0,
        }
    }

    #[inline]
    fn find(&self, kind: Kind, slice: Slice) -> Option<&Arc<Table>> {
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

    /// Adds the sections of an archive that are not there yet, or were left out.
    fn add(&mut self, archive: Archive, game: &str) -> Result<(), TableFault> {
        let fault = |fault: String| TableFault {
            place: archive.place.clone(),
            fault,
        };
        let directory =
            Directory::read(&archive.source).map_err(|error| fault(error.to_string()))?;
        if directory.game != game {
            return Err(fault(format!(
                "tables of {}, expected {game}",
                directory.game
            )));
        }
        let base = match &directory.base {
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
            if known.as_ref().is_none_or(|known| known.places.is_empty()) {
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
    fn embedded(game: &str) -> Result<Self, TableFault> {
        let mut sections = Self::new();
        let found = EMBEDDED.iter().find(|(name, _)| *name == game);
        let place = format!("{game} tables in the program");
        let Some(&(_, bytes)) = found else {
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
    /// Returns a block before compression.
    fn raw_block(&self, number: usize) -> Result<Box<[u8]>, ArchiveError> {
        let bytes = match self.kind {
            Kind::Values => self.layout.positions().div_ceil(4),
            Kind::Zeroing | Kind::Conversion => self.layout.positions(),
        };
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

    #[inline]
    fn number(&self, index: u64, faults: &Mutex<Vec<TableFault>>) -> Option<u8> {
        let number = (index >> self.block_shift) as usize;
        let within = index as usize & ((1 << self.block_shift) - 1);
        let pick = |bytes: &[u8]| match self.kind {
            Kind::Values => bytes[within >> 2] >> ((within & 3) * 2) & 3,
            Kind::Zeroing | Kind::Conversion => bytes[within],
        };
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

impl<R: Rules> Tables<R> {
    /// Opens the tables in the program. This reads directories only.
    pub fn embedded() -> Result<Self, TableFault> {
        Ok(Self::of(Sections::embedded(R::Movement::NAME)?))
    }

    /// Returns the CRC-32 of the file of tables in the program.
    pub fn embedded_checksum() -> u32 {
        let file = EMBEDDED.iter().find(|(game, _)| *game == R::Movement::NAME);
        file.map_or(0, |(_, bytes)| crc32fast::hash(bytes))
    }

    /// Opens the tables in the program together with those of a folder. Files that cannot be used are passed over; each leaves a fault.
    pub fn open(folder: &Path) -> Result<Self, TableFault> {
        let mut tables = Self::embedded()?;
        tables.add_folder(folder)?;
        Ok(tables)
    }

    /// Opens the tables of a folder alone.
    pub fn open_folder(folder: &Path) -> Result<Self, TableFault> {
        let mut tables = Self::of(Sections::new());
        tables.add_folder(folder)?;
        Ok(tables)
    }

    /// Returns no tables at all.
    pub fn none() -> Self {
        Self::of(Sections::new())
    }

    fn of(sections: Sections) -> Self {
        let mut tables = Self {
            sections,
            most_pieces: 0,
            sure: [].into(),
            faults: Mutex::default(),
            rules: PhantomData,
        };
        tables.take_stock();
        tables
    }

    /// Adds the tables in the program to those of a folder, which come first.
    pub fn fill_from_program(&mut self) -> Result<(), TableFault> {
        let program = Sections::embedded(R::Movement::NAME)?;
        for (own, other) in self.sections.tables.iter_mut().zip(program.tables) {
            for (own, other) in own.iter_mut().zip(other) {
                if own.as_ref().is_none_or(|own| own.places.is_empty()) {
                    *own = other.or_else(|| own.take());
                }
            }
        }
        self.take_stock();
        Ok(())
    }

    fn add_folder(&mut self, folder: &Path) -> Result<(), TableFault> {
        let fault = |error: &dyn std::fmt::Display| TableFault {
            place: folder.display().to_string(),
            fault: error.to_string(),
        };
        let entries = fs::read_dir(folder).map_err(|error| fault(&error))?;
        let mut paths: Vec<PathBuf> = Vec::new();
        for entry in entries {
            paths.push(entry.map_err(|error| fault(&error))?.path());
        }
        paths.sort();
        for path in paths {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let is_ours = name
                .strip_prefix(R::Movement::NAME)
                .is_some_and(|rest| rest.starts_with('-'));
            if is_ours
                && path
                    .extension()
                    .is_some_and(|extension| extension == EXTENSION)
            {
                let added = self.add_file(&path);
                if let Err(fault) = added {
                    self.faults.lock().push(fault);
                }
            }
        }
        self.take_stock();
        Ok(())
    }

    /// Adds the tables of a file.
    pub(super) fn add_file(&mut self, path: &Path) -> Result<(), TableFault> {
        let place = path.display().to_string();
        let fault = |fault: String| TableFault {
            place: place.clone(),
            fault,
        };
        // To open a pipe would wait for somebody to write.
        if path.metadata().is_ok_and(|metadata| !metadata.is_file()) {
            return Err(fault("it is not a file".to_owned()));
        }
        let source = Source::open(path).map_err(|error| fault(error.to_string()))?;
        self.sections
            .add(Archive { source, place }, R::Movement::NAME)
    }

    /// Says whether a file can be read and every block of it is as it was written.
    pub(super) fn check_file(path: &Path) -> Result<(), TableFault> {
        let mut tables = Self::none();
        tables.add_file(path)?;
        tables.check_blocks();
        tables.take_faults().into_iter().next().map_or(Ok(()), Err)
    }

    /// Opens an archive in memory.
    pub(super) fn from_bytes(bytes: Vec<u8>) -> Result<Self, TableFault> {
        let mut sections = Sections::new();
        let archive = Archive {
            source: Source::memory(Cow::Owned(bytes)),
            place: "tables in memory".to_owned(),
        };
        sections.add(archive, R::Movement::NAME)?;
        Ok(Self::of(sections))
    }

    /// Finds what follows from which slices there are.
    fn take_stock(&mut self) {
        let slices = self.slices();
        self.most_pieces = slices.iter().map(|slice| slice.pieces()).max().unwrap_or(0);
        let mut sure = vec![false; Slice::IDS];
        for slice in slices {
            sure[slice.id()] = root::always_holds(self, slice);
        }
        self.sure = sure.into();
    }

    /// Says whether the value of a position that the tables know holds under the counts of the rule set if all begin anew, whatever it is.
    #[inline]
    pub(super) fn is_sure(&self, pos: &Position) -> bool {
        let slice = Slice::of(pos);
        slice.pieces() <= self.most_pieces && self.sure[slice.id()]
    }

    /// Returns the most pieces that some table knows; 0 without tables.
    #[inline]
    pub fn most_pieces(&self) -> u32 {
        self.most_pieces
    }

    /// Returns what has been found to be wrong since the last call, once for each file.
    pub fn take_faults(&self) -> Vec<TableFault> {
        std::mem::take(&mut self.faults.lock())
    }

    /// Returns the slices whose values are known.
    pub fn slices(&self) -> Vec<Slice> {
        let values = &self.sections.tables[Kind::Values as usize];
        values
            .iter()
            .flatten()
            .map(|table| table.layout.slice)
            .collect()
    }

    /// Returns what the tables say of a slice as a whole.
    pub fn summary(&self, slice: Slice) -> Option<SliceSummary> {
        let values = self.sections.find(Kind::Values, slice)?;
        let longest = |table: &Table| {
            let Summary {
                longest,
                longest_index,
                ..
            } = table.summary;
            // A directory passes its checksum before it is believed, but may still be of another making.
            let is_there = longest > 0 && longest_index < table.layout.positions();
            is_there.then(|| (longest, table.layout.view(longest_index).position()))
        };
        let conversion = self.sections.find(Kind::Conversion.within(slice), slice);
        let [losses, draws, wins] = values.summary.by_value;
        Some(SliceSummary {
            slice,
            positions: values.layout.positions(),
            wins,
            draws,
            losses,
            zeroing: longest(values),
            conversion: conversion.and_then(|table| longest(table)),
        })
    }

    /// Returns the bytes of a section before compression.
    pub(super) fn raw(&self, kind: Kind, slice: Slice) -> Option<Vec<u8>> {
        let table = self.sections.find(kind, slice)?;
        if table.places.is_empty() {
            return None;
        }
        let blocks = (0..table.places.len()).into_par_iter();
        let blocks = blocks.map(|number| table.raw_block(number));
        let blocks: Result<Vec<Box<[u8]>>, ArchiveError> = blocks.collect();
        Some(blocks.ok()?.concat())
    }

    /// Reads every block and checks it. What is wrong is told by [`Self::take_faults`].
    pub fn check_blocks(&self) {
        for table in self.sections.tables.iter().flatten().flatten() {
            (0..table.places.len()).into_par_iter().for_each(|number| {
                table.load(number, &self.faults);
            });
        }
    }

    /// Returns the value of a position in which no capture is due: one load where the block has been inflated.
    ///
    /// The caller has made sure that there is no capture; otherwise the answer means nothing.
    #[inline]
    pub fn probe_quiet(&self, pos: &Position) -> Option<Value> {
        debug_assert!(!has_capture(pos));
        Value::from_code(self.number(Kind::Values, pos)?)
    }

    #[inline]
    fn number(&self, kind: Kind, pos: &Position) -> Option<u8> {
        if pos.occupied().count() > self.most_pieces {
            return None;
        }
        let view = View::of(pos);
        let slice = view.slice();
        let table = self.sections.find(kind.within(slice), slice)?;
        table.number(table.layout.index(&view), &self.faults)
    }

    /// Returns the value of any position; where a capture is due, from the positions behind all captures.
    pub fn probe_wdl(&self, pos: &Position) -> Option<Value> {
        if pos.opp().is_empty() || pos.own().is_empty() {
            return Some(if has_legal_move(pos) {
                Value::Win
            } else {
                Value::Loss
            });
        }
        if !has_capture(pos) {
            return self.probe_quiet(pos);
        }
        if pos.occupied().count() > self.most_pieces + MOST_CAPTURED {
            return None;
        }
        let mut moves = MoveList::new();
        capture_moves::<R>(pos, &mut moves);
        let mut best = Some(Value::Loss);
        for &mv in &moves {
            match self.probe_wdl(&pos.play(mv)) {
                Some(Value::Loss) => return Some(Value::Win),
                Some(Value::Draw) => best = best.and(Some(Value::Draw)),
                Some(Value::Win) => {}
                None => best = None,
            }
        }
        best
    }

    /// Returns an upper bound of DTC in a win or loss where no capture is due. It is known where the exact number was left out for being
    /// small in the whole slice.
    pub fn longest_dtc(&self, pos: &Position) -> Option<u8> {
        self.longest(Kind::Conversion, Slice::of(pos))
    }

    /// Returns a distance of a position that is won or, if `is_lost`, lost, or a bound of it.
    pub(super) fn plies(&self, kind: Kind, pos: &Position, is_lost: bool) -> Plies {
        // Captures and the end of the game need no number, and those of losses follow from the winner's.
        let is_clear = pos.own().is_empty() || pos.opp().is_empty() || has_capture(pos);
        let has_number = || self.has_distance(kind, &if is_lost { pos.passed() } else { *pos });
        if (is_clear || has_number())
            && let Some(most) = self.distance(kind, pos)
        {
            return Plies {
                most,
                is_exact: true,
            };
        }
        let longest = self.longest(kind, Slice::of(pos));
        Plies {
            most: longest.unwrap_or(u8::MAX),
            is_exact: false,
        }
    }

    /// Returns an upper bound of a distance in all wins and losses of a slice where no capture is due.
    pub(super) fn longest(&self, kind: Kind, slice: Slice) -> Option<u8> {
        if slice.pieces() > self.most_pieces {
            return None;
        }
        let longest = |slice: Slice| {
            let kind = kind.within(slice);
            // The longest win by DTZ is known wherever values are.
            let with = if kind == Kind::Zeroing {
                Kind::Values
            } else {
                kind
            };
            let table = self.sections.find(with, slice)?;
            u8::try_from(table.summary.longest).ok()
        };
        // A loss is a win of the other side after one ply.
        let (own, other) = (longest(slice)?, longest(slice.flipped())?);
        Some(own.max(other).saturating_add(1))
    }

    /// Says whether the distance of one kind is stored for the material of a position.
    pub(super) fn has_distance(&self, kind: Kind, pos: &Position) -> bool {
        let slice = Slice::of(pos);
        let is_small = slice.pieces() <= self.most_pieces;
        let table = is_small.then(|| self.sections.find(kind.within(slice), slice));
        table
            .flatten()
            .is_some_and(|table| !table.places.is_empty())
    }

    /// Returns the plies to the next capture or promotion under perfect play, for a position that is won or lost.
    pub fn probe_dtc(&self, pos: &Position) -> Option<u8> {
        self.distance(Kind::Conversion, pos)
    }

    /// Returns the plies to the next capture or man move under perfect play, for a position that is won or lost.
    pub fn probe_dtz(&self, pos: &Position) -> Option<u8> {
        self.distance(Kind::Zeroing, pos)
    }

    /// Only the distances of wins of two plies and more are stored; the others follow from the moves.
    pub(super) fn distance(&self, kind: Kind, pos: &Position) -> Option<u8> {
        let value = self.probe_wdl(pos)?;
        if value == Value::Draw {
            return None;
        }
        let mut moves = MoveList::new();
        legal_moves::<R>(pos, &mut moves);
        let ends = |mv: Move| {
            mv.is_capture() || mv.promotes || kind == Kind::Zeroing && !pos.is_king_at(mv.from)
        };
        if value == Value::Loss {
            let mut most = 0;
            for &mv in &moves {
                let plies = if ends(mv) {
                    1
                } else {
                    self.distance(kind, &pos.play(mv))?.checked_add(1)?
                };
                most = most.max(plies);
            }
            return Some(most);
        }
        let mut is_known = true;
        for &mv in &moves {
            let after = pos.play(mv);
            if ends(mv) || !has_legal_move(&after) {
                match self.probe_wdl(&after) {
                    Some(Value::Loss) => return Some(1),
                    Some(Value::Draw | Value::Win) => {}
                    None => is_known = false,
                }
            }
        }
        // A move that the tables do not know may win at once, and then there is no number.
        if is_known {
            self.number(kind, pos)
        } else {
            None
        }
    }
}

/// With more pieces than this above the tables a capture is not followed.
const MOST_CAPTURED: u32 = MAX_PIECES;
