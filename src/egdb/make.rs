//! Makes table files: those of a folder, one for each slice and its other view, and those that go into the program.

use super::MAX_PIECES;
use super::Value;
use super::archive::{self, Kind, Section, Summary};
use super::build::{Counts, Finished, Store, raw};
use super::slice::Slice;
use super::solve::Distances;
use super::tables::{EXTENSION, TableFault, Tables};
use crate::rules::{Movement, Rules};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How hard Zstandard tries: for what goes into the program, and for folders.
const EMBEDDED_LEVEL: i32 = 19;
const FOLDER_LEVEL: i32 = 12;

/// Of slices with more pieces DTC may be left out, where the longest win by DTC is shorter than this, in plies.
const ALL_DISTANCES: u32 = 4;
const SHORT_WIN: u8 = 20;

/// What is built.
#[derive(Clone, Debug)]
pub struct Plan {
    /// All slices up to so many pieces.
    pub pieces: u32,
    /// Distances are stored up to so many pieces.
    pub distances: u32,
    /// DTC is left out of slices of more than 4 pieces whose longest win is shorter than 20 plies: no count runs out there that a
    /// search does not see.
    pub leaves_out_short: bool,
    /// Only these slices and their other views; empty for all. In folders only.
    pub only: Vec<Slice>,
    /// Threads to work with.
    pub threads: usize,
}

/// Tells what has been done.
#[derive(Clone, Debug)]
pub struct Progress {
    /// The slice; its other view was made with it.
    pub slice: Slice,
    /// Positions of both.
    pub positions: u64,
    /// Bytes written.
    pub bytes: u64,
    /// The time it took.
    pub time: Duration,
    /// It was there already.
    pub was_there: bool,
    /// How many of the positions of the whole plan are done.
    pub done: u64,
    /// Positions of the whole plan.
    pub all: u64,
}

/// Says why tables were not made.
#[derive(Debug, thiserror::Error)]
pub enum MakeError {
    /// Files cannot be written or read.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        error: io::Error,
    },
    /// A table that is needed cannot be used.
    #[error(transparent)]
    Fault(#[from] TableFault),
    /// A slice that others lead to has not been made.
    #[error("the tables of {0} are missing, which others need")]
    Missing(Slice),
    /// The threads cannot be started.
    #[error("cannot start threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// Is told of each slice that is done.
pub type Observer<'a> = dyn FnMut(&Progress) + 'a;

impl Plan {
    /// Returns the slices to go through: those that are made and those that they lead to.
    fn pairs(&self) -> Vec<Slice> {
        let all = (2..=MAX_PIECES).flat_map(Slice::pairs);
        if self.only.is_empty() {
            return all.filter(|slice| slice.pieces() <= self.pieces).collect();
        }
        let mut needed: Vec<Slice> = self.only.iter().map(|slice| slice.stronger()).collect();
        let mut next = 0;
        while let Some(slice) = needed.get(next) {
            let new = slice.leads_to().into_iter();
            let new: Vec<Slice> = new.filter(|slice| !needed.contains(slice)).collect();
            needed.extend(new);
            next += 1;
        }
        all.filter(|slice| needed.contains(slice)).collect()
    }

    /// Says whether a slice is to be made, not only to be there.
    fn makes(&self, slice: Slice) -> bool {
        let is_named = |only: &Slice| only.stronger() == slice.stronger();
        self.only.is_empty() || self.only.iter().any(is_named)
    }

    fn pool(&self) -> Result<ThreadPool, rayon::ThreadPoolBuildError> {
        ThreadPoolBuilder::new().num_threads(self.threads).build()
    }

    fn distances_of(&self, slice: Slice) -> Distances {
        if slice.pieces() <= self.distances {
            Distances::Both
        } else {
            Distances::None
        }
    }
}

/// Returns a slice and its other view, or only the one if they are the same.
fn views(slice: Slice) -> Vec<Slice> {
    if slice.is_symmetric() {
        vec![slice]
    } else {
        vec![slice, slice.flipped()]
    }
}

fn positions_of(slice: Slice) -> u64 {
    let layouts = views(slice).into_iter().map(super::index::Layout::of);
    layouts.map(|layout| layout.positions()).sum()
}

/// Returns the bytes of a section of the base.
type Base<'a> = dyn Fn(Kind, Slice) -> Option<Vec<u8>> + Sync + 'a;

/// Returns the sections of a slice, each as the difference to the base if that has it.
fn sections(
    finished: &Finished,
    base: &Base,
    level: i32,
    leaves_out_short: bool,
) -> io::Result<Vec<Section>> {
    let slice = finished.layout.slice;
    let is_short = leaves_out_short
        && slice.pieces() > ALL_DISTANCES
        && finished.counts.conversion.plies < SHORT_WIN;
    let mut sections = Vec::new();
    for kind in Kind::ALL {
        // Without men both distances are the same.
        if kind == Kind::Conversion && slice.men == [0, 0] {
            continue;
        }
        if kind == Kind::Conversion && is_short && finished.conversion.is_some() {
            sections.push(Section {
                slice,
                kind,
                is_difference: false,
                summary: summary(kind, &finished.counts),
                blocks: Vec::new(),
            });
            continue;
        }
        let base = base(kind, slice);
        let Some(mut bytes) = raw(finished, kind, base.as_deref()) else {
            continue;
        };
        if let Some(base) = &base {
            bytes
                .iter_mut()
                .zip(base)
                .for_each(|(byte, base)| *byte ^= base);
        }
        sections.push(Section {
            slice,
            kind,
            is_difference: base.is_some(),
            summary: summary(kind, &finished.counts),
            blocks: archive::compress(&bytes, level)?,
        });
    }
    Ok(sections)
}

fn summary(kind: Kind, counts: &Counts) -> Summary {
    let longest = match kind {
        Kind::Values | Kind::Zeroing => counts.zeroing,
        Kind::Conversion => counts.conversion,
    };
    Summary {
        by_value: counts.by_value,
        longest: longest.plies.into(),
        longest_index: longest.index,
    }
}

fn length(blocks: &[Vec<u8>]) -> usize {
    blocks.iter().map(Vec::len).sum()
}

/// How a slice came about: the bytes written, or `None` if it was there already.
type Made = Result<Option<u64>, MakeError>;

/// Goes through the slices of a plan in their order.
fn make(
    plan: &Plan,
    observer: &mut Observer,
    one: &mut dyn FnMut(Slice) -> Made,
) -> Result<(), MakeError> {
    let pairs = plan.pairs();
    let all = pairs.iter().copied().map(positions_of).sum();
    let mut done = 0;
    for slice in pairs {
        let started = Instant::now();
        let bytes = one(slice)?;
        let positions = positions_of(slice);
        done += positions;
        let progress = Progress {
            slice,
            positions,
            bytes: bytes.unwrap_or(0),
            time: started.elapsed(),
            was_there: bytes.is_none(),
            done,
            all,
        };
        observer(&progress);
    }
    Ok(())
}

/// Solves a slice and its other view, and returns their sections.
fn solve<R: Rules>(
    store: &mut Store,
    slice: Slice,
    plan: &Plan,
    base: &Base,
    level: i32,
) -> io::Result<Vec<Section>> {
    let distances = plan.distances_of(slice);
    store.solve::<R>(slice, distances);
    let mut all = Vec::new();
    for view in views(slice) {
        all.extend(sections(
            store.slice(view),
            base,
            level,
            plan.leaves_out_short,
        )?);
        store.drop_distances(view);
    }
    Ok(all)
}

/// Makes the archive of a game that goes into the program. The same bytes with any number of threads.
///
/// With a base, tables of another game, sections are stored as differences to it.
pub fn archive<R: Rules, B: Rules>(
    plan: &Plan,
    base: Option<&Tables<B>>,
    observer: &mut Observer,
) -> Result<Vec<u8>, MakeError> {
    let pool = plan.pool()?;
    let mut store = Store::new();
    let mut all = Vec::new();
    let of_base = |kind, slice| base.and_then(|base| base.raw(kind, slice));
    make(plan, observer, &mut |slice| {
        let new = pool.install(|| solve::<R>(&mut store, slice, plan, &of_base, EMBEDDED_LEVEL));
        let new = new.map_err(|error| MakeError::Io {
            path: PathBuf::from("compression"),
            error,
        })?;
        let bytes: usize = new.iter().map(|section| length(&section.blocks)).sum();
        all.extend(new);
        Ok(Some(bytes as u64))
    })?;
    let base = base.map(|_| B::Movement::NAME);
    Ok(archive::write(R::Movement::NAME, base, &all))
}

/// Opens an archive that was just made.
pub fn open<R: Rules>(archive: Vec<u8>) -> Result<Tables<R>, TableFault> {
    Tables::from_bytes(archive)
}

/// Makes the tables of a folder. Files that are there and in order are kept, so that work can be taken up again.
pub fn folder<R: Rules>(
    plan: &Plan,
    folder: &Path,
    observer: &mut Observer,
) -> Result<(), MakeError> {
    let failed = |path: &Path, error| MakeError::Io {
        path: path.to_owned(),
        error,
    };
    fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
    let there = Tables::<R>::open_folder(folder)?;
    let pool = plan.pool()?;
    let mut store = Store::new();
    make(plan, observer, &mut |slice| {
        let distances = plan.distances_of(slice);
        if pool.install(|| take_in(&mut store, &there, slice, distances)) {
            return Ok(None);
        }
        if !plan.makes(slice) {
            return Err(MakeError::Missing(slice));
        }
        let path = path_of::<R>(folder, slice);
        let write = |store: &mut Store| {
            let new = solve::<R>(store, slice, plan, &|_, _| None, FOLDER_LEVEL)?;
            let bytes = archive::write(R::Movement::NAME, None, &new);
            replace(&path, &bytes)?;
            Ok(Some(bytes.len() as u64))
        };
        pool.install(|| write(&mut store))
            .map_err(|error| failed(&path, error))
    })
}

/// Takes a slice and its other view from tables, if they are there as they should be.
fn take_in<R: Rules>(
    store: &mut Store,
    tables: &Tables<R>,
    slice: Slice,
    distances: Distances,
) -> bool {
    let mut all = Vec::new();
    for view in views(slice) {
        let Some(values) = tables.raw(Kind::Values, view) else {
            return false;
        };
        let is_whole = |kind| tables.raw(kind, view).is_some();
        let has_distances =
            is_whole(Kind::Zeroing) && (view.men == [0, 0] || is_whole(Kind::Conversion));
        if distances == Distances::Both && !has_distances {
            return false;
        }
        all.push((view, values));
    }
    for (view, values) in all {
        store.complete::<R>(view, |index| {
            let byte = values[(index >> 2) as usize];
            Value::from_code(byte >> ((index & 3) * 2)).unwrap_or(Value::Draw)
        });
    }
    true
}

fn path_of<R: Rules>(folder: &Path, slice: Slice) -> PathBuf {
    let slice = slice.stronger();
    folder.join(format!("{}-{slice}.{EXTENSION}", R::Movement::NAME))
}

/// Writes a file so that whoever opens it sees all of it or nothing.
fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let temporary = path.with_extension(format!("{}.tmp", std::process::id()));
    let write = || {
        let mut file = File::create(&temporary)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&temporary, path)
    };
    write().inspect_err(|_| {
        let _ = fs::remove_file(&temporary);
    })
}
