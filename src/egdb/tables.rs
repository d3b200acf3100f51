//! Look-up: values and distances of positions, from the tables in the program and those of folders.

use super::archive::{Kind, Source, Summary};
use super::sections::{Archive, Sections, Table, TableFault, embedded};
use super::slice::{Slice, View};
use super::{MAX_PIECES, Value, root};
use crate::board::{Move, MoveList, Position};
use crate::rules::{Movement, Rules, capture_moves, has_capture, has_legal_move, legal_moves};
use parking_lot::Mutex;
use std::borrow::Cow;
use std::fs;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

/// The last part of the names of table files.
pub(super) const EXTENSION: &str = "tables";

/// Captures are not followed from positions with more pieces than this above the tables: hardly any line of captures takes so many.
const MOST_CAPTURED: u32 = MAX_PIECES;

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
    /// The longest win by DTC, in plies, and a position with it, where that is stored.
    pub conversion: Option<(u64, Position)>,
}

impl<R: Rules> Tables<R> {
    /// Opens the tables in the program. This reads directories only.
    pub fn embedded() -> Result<Self, TableFault> {
        Ok(Self::of(Sections::embedded(R::Movement::NAME)?))
    }

    /// Returns the CRC-32 of the file of tables in the program.
    pub fn embedded_checksum() -> u32 {
        embedded(R::Movement::NAME).map_or(0, crc32fast::hash)
    }

    /// Returns a number that differs for tables that differ: the CRC-32 of the checksums of all their blocks. This reads no block.
    pub fn fingerprint(&self) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        for table in self.sections.all() {
            hasher.update(format!("{} {:?}", table.layout.slice, table.kind).as_bytes());
            for checksum in table.checksums() {
                hasher.update(&checksum.to_le_bytes());
            }
        }
        hasher.finalize()
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
        self.sections
            .fill_from(Sections::embedded(R::Movement::NAME)?);
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

    /// Opens the bytes of one file of tables, for programs that have no files.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, TableFault> {
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

    /// Says whether the value of a position holds under the counts of the rule set if all begin anew, whatever the value is. Of positions with
    /// more pieces than the tables have that is not known.
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
        self.sections.slices()
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
        self.sections.find(kind, slice)?.raw()
    }

    /// Reads every block and checks it. What is wrong is told by [`Self::take_faults`].
    pub fn check_blocks(&self) {
        for table in self.sections.all() {
            table.check_blocks(&self.faults);
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
        table.flatten().is_some_and(|table| !table.is_left_out())
    }

    /// Returns the plies to the next capture or promotion under perfect play, for a position that is won or lost.
    pub fn probe_dtc(&self, pos: &Position) -> Option<u8> {
        self.distance(Kind::Conversion, pos)
    }

    /// Returns the plies to the next capture or man move under perfect play, for a position that is won or lost.
    pub fn probe_dtz(&self, pos: &Position) -> Option<u8> {
        self.distance(Kind::Zeroing, pos)
    }

    /// Returns a distance of a position that is won or lost. Only those of wins of two plies and more are stored; the others follow from the
    /// moves.
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
