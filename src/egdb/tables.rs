//! Look-up.
//!
//! A table is inflated block by block, each when it is first asked for, and kept; a block that is there is read without a lock. A block
//! that is damaged is reported once and its positions are unknown from then on.

use super::archive::{ArchiveError, BLOCK_BYTES, BlockPlace, Directory, Kind, Source, Summary};
use super::index::Layout;
use super::slice::{Slice, View};
use super::{MAX_PIECES, Value};
use crate::board::{Move, MoveList, Position};
use crate::rules::{Movement, Rules, capture_moves, has_capture, has_legal_move, legal_moves};
use once_cell::sync::OnceCell;
use parking_lot::Mutex;
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
    faults: Mutex<Vec<TableFault>>,
    rules: PhantomData<R>,
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

/// The sections of each kind, by [`Slice::id`].
struct Sections([Vec<Option<Arc<Table>>>; 3]);

/// A section.
struct Table {
    layout: Layout,
    kind: Kind,
    /// The table this one is the difference to.
    base: Option<Arc<Table>>,
    summary: Summary,
    archive: Arc<Archive>,
    blocks: Box<[Block]>,
}

/// An archive and where it was found.
struct Archive {
    source: Source,
    place: String,
}

struct Block {
    place: BlockPlace,
    /// `None` if it is damaged.
    bytes: OnceCell<Option<Box<[u8]>>>,
}

impl Sections {
    fn new() -> Self {
        Self([(); 3].map(|()| vec![None; Slice::IDS]))
    }

    #[inline]
    fn find(&self, kind: Kind, slice: Slice) -> Option<&Arc<Table>> {
        self.0[kind as usize][slice.id()].as_ref()
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
        let fault = |text: &str| TableFault {
            place: archive.place.clone(),
            fault: text.to_owned(),
        };
        let archive = Arc::new(Archive {
            source: archive.source,
            place: archive.place.clone(),
        });
        for section in directory.sections {
            let layout = Layout::of(section.slice);
            let positions = layout.positions();
            let block = 1 << section.kind.block_shift();
            let blocks = section.blocks.len() as u64;
            let is_left_out = blocks == 0 && section.kind == Kind::Conversion;
            if blocks != positions.div_ceil(block) && !is_left_out {
                return Err(fault("it has too few or too many blocks"));
            }
            let base = if section.is_difference {
                let found = base
                    .as_ref()
                    .and_then(|base| base.find(section.kind, section.slice));
                Some(found.ok_or_else(|| fault("its base is missing"))?.clone())
            } else {
                None
            };
            let blocks = section.blocks.into_iter().map(|place| Block {
                place,
                bytes: OnceCell::new(),
            });
            let table = Table {
                layout,
                kind: section.kind,
                base,
                summary: section.summary,
                archive: archive.clone(),
                blocks: blocks.collect(),
            };
            let known = &mut self.0[section.kind as usize][section.slice.id()];
            if known.as_ref().is_none_or(|known| known.blocks.is_empty()) {
                *known = Some(Arc::new(table));
            }
        }
        Ok(())
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
            let source = Source::Memory(Cow::Borrowed(bytes));
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
        let length = (bytes as usize - number * BLOCK_BYTES).min(BLOCK_BYTES);
        let mut raw = self
            .archive
            .source
            .block(self.blocks[number].place, length)?;
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
        let number = (index >> self.kind.block_shift()) as usize;
        let block = self
            .blocks
            .get(number)?
            .bytes
            .get_or_init(|| self.load(number, faults));
        let bytes = block.as_deref()?;
        Some(match self.kind {
            Kind::Values => {
                let byte = bytes[(index >> 2) as usize % BLOCK_BYTES];
                byte >> ((index & 3) * 2) & 3
            }
            Kind::Zeroing | Kind::Conversion => bytes[index as usize % BLOCK_BYTES],
        })
    }

    #[cold]
    fn load(&self, number: usize, faults: &Mutex<Vec<TableFault>>) -> Option<Box<[u8]>> {
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
            faults: Mutex::default(),
            rules: PhantomData,
        };
        tables.count_pieces();
        tables
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
        self.count_pieces();
        Ok(())
    }

    fn add_file(&mut self, path: &Path) -> Result<(), TableFault> {
        let place = path.display().to_string();
        let source = Source::open(path).map_err(|error| TableFault {
            place: place.clone(),
            fault: error.to_string(),
        })?;
        self.sections
            .add(Archive { source, place }, R::Movement::NAME)
    }

    /// Opens an archive in memory.
    pub(super) fn from_bytes(bytes: Vec<u8>) -> Result<Self, TableFault> {
        let mut sections = Sections::new();
        let archive = Archive {
            source: Source::Memory(Cow::Owned(bytes)),
            place: "tables in memory".to_owned(),
        };
        sections.add(archive, R::Movement::NAME)?;
        Ok(Self::of(sections))
    }

    fn count_pieces(&mut self) {
        let values = &self.sections.0[Kind::Values as usize];
        let pieces = values
            .iter()
            .flatten()
            .map(|table| table.layout.slice.pieces());
        self.most_pieces = pieces.max().unwrap_or(0);
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
        let values = &self.sections.0[Kind::Values as usize];
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
        let kind = if slice.men == [0, 0] {
            Kind::Zeroing
        } else {
            Kind::Conversion
        };
        let conversion = self.sections.find(kind, slice);
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
        if table.blocks.is_empty() {
            return None;
        }
        let blocks = (0..table.blocks.len()).map(|number| table.raw_block(number));
        let blocks: Result<Vec<Box<[u8]>>, ArchiveError> = blocks.collect();
        Some(blocks.ok()?.concat())
    }

    /// Reads every block and checks it. What is wrong is told by [`Self::take_faults`].
    pub fn check_blocks(&self) {
        for table in self.sections.0.iter().flatten().flatten() {
            (0..table.blocks.len()).for_each(|number| {
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
        // Without men both distances are the same.
        let kind = if kind == Kind::Conversion && slice.men == [0, 0] {
            Kind::Zeroing
        } else {
            kind
        };
        let table = self.sections.find(kind, slice)?;
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
        let longest = |slice| {
            let table = self.sections.find(Kind::Conversion, slice)?;
            u8::try_from(table.summary.longest).ok()
        };
        if pos.occupied().count() > self.most_pieces {
            return None;
        }
        let slice = Slice::of(pos);
        // A loss is a win of the other side after one ply.
        let (own, other) = (longest(slice)?, longest(slice.flipped())?);
        Some(own.max(other).saturating_add(1))
    }

    /// Says whether the distance of one kind is stored for the material of a position.
    pub(super) fn has_distance(&self, kind: Kind, pos: &Position) -> bool {
        let table = self.sections.find(kind, Slice::of(pos));
        table.is_some_and(|table| !table.blocks.is_empty())
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
        for &mv in &moves {
            let after = pos.play(mv);
            let is_first_ply = ends(mv) || !has_legal_move(&after);
            if is_first_ply && self.probe_wdl(&after)? == Value::Loss {
                return Some(1);
            }
        }
        self.number(kind, pos)
    }
}

/// With more pieces than this above the tables a capture is not followed.
const MOST_CAPTURED: u32 = MAX_PIECES;
