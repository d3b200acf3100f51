//! Makes table files: those of a folder, one for each slice and its other view, and those that go into the program.
//!
//! Every slice is checked before it is written: some of its numbers, spread over all of it, are found anew from the legal moves
//! ([`verify`]), and the file is read back after it is written. In memory are the slices that those to be made lead to; of those with the
//! largest number of pieces, slices with at least two men fewer than the one being made are given up.
//!
//! Several machines can share a folder and the work, each with some of the slices. One that finds something missing leaves the slice out and
//! says so in the end; called again, it goes on.

use super::Value;
use super::archive::{self, Kind, Section, Summary};
use super::build::{Counts, Finished, Store, raw};
use super::sections::TableFault;
use super::slice::Slice;
use super::solve::Distances;
use super::tables::{EXTENSION, Tables};
use super::verify;
use crate::notation::fen;
use crate::rules::{Movement, Rules, Variant};
use crate::unfinished;
use crate::with_rules;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::ffi::OsStr;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How hard Zstandard tries for what goes into the program: as hard as it can without more memory to inflate.
const EMBEDDED_LEVEL: i32 = 19;
/// How hard it tries for folders.
const FOLDER_LEVEL: i32 = 12;

/// DTC is never left out of slices with at most so many pieces.
const ALL_DISTANCES: u32 = 4;
/// Of larger ones it may be left out where the longest win by DTC takes fewer plies.
const SHORT_WIN: u8 = 20;
/// Slices that are too large for both distances have DTZ if the longest win takes so many plies. Shorter wins are within the reach of a
/// search of a few milliseconds, and far from any count.
const SLOW_WIN: u8 = 10;
/// So many positions of each view of a slice are checked before it is written.
const CHECKED: u64 = 100_000;

/// What is built.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The slices, each standing for its other view too, in an order in which a slice comes behind all that it leads to
    /// ([`Slice::up_to`]). Those that are not named have to be there already, or be in the program.
    pub slices: Vec<Slice>,
    /// Both distances are stored up to so many pieces; beyond, DTZ alone where the longest win takes 10 plies or more.
    pub distances: u32,
    /// DTC is left out of slices of more than 4 pieces whose longest win takes fewer than 20 plies: no count runs out there that a search
    /// does not see.
    pub leaves_out_short: bool,
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
    /// Slices that others lead to have not been made.
    #[error(
        "{} of the slices could not be made, since they need others that are not there yet: {} needs {}",
        .0.len(), .0[0].0, .0[0].1
    )]
    Missing(Vec<(Slice, Slice)>),
    /// A number does not follow from the moves.
    #[error("the numbers of {slice} contradict each other at {fen}; nothing was written")]
    Contradiction {
        /// The slice.
        slice: Slice,
        /// The position.
        fen: String,
    },
    /// The threads cannot be started.
    #[error("cannot start threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// Is told how the work goes on.
pub trait Observer {
    /// A slice is done.
    fn slice(&mut self, progress: &Progress);
    /// Returns what counts positions while they are solved.
    fn counter(&self) -> Box<dyn Fn(u64) + Sync + Send> {
        Box::new(|_| ())
    }
}

impl<F: FnMut(&Progress)> Observer for F {
    fn slice(&mut self, progress: &Progress) {
        self(progress);
    }
}

impl Plan {
    /// Returns how many positions are made.
    pub fn positions(&self) -> u64 {
        self.slices.iter().copied().map(positions_of).sum()
    }

    fn pool(&self) -> Result<ThreadPool, rayon::ThreadPoolBuildError> {
        ThreadPoolBuilder::new().num_threads(self.threads).build()
    }

    fn distances_of(&self, slice: Slice) -> Distances {
        if slice.pieces() <= self.distances {
            Distances::Both
        } else {
            Distances::Zeroing
        }
    }
}

fn positions_of(slice: Slice) -> u64 {
    slice.views().into_iter().map(Slice::positions).sum()
}

/// Returns the bytes of a section of the base.
type Base<'a> = dyn Fn(Kind, Slice) -> Option<Vec<u8>> + Sync + 'a;

/// How slices become sections.
struct Form<'a> {
    base: &'a Base<'a>,
    level: i32,
    leaves_out_short: bool,
    /// Both distances are stored up to so many pieces.
    distances: u32,
}

impl Form<'_> {
    /// Says which of the numbers of a slice are stored.
    fn stores(&self, kind: Kind, slice: Slice, slowest: u8) -> bool {
        match kind {
            Kind::Values => true,
            Kind::Zeroing => slice.pieces() <= self.distances || slowest >= SLOW_WIN,
            // Without men both distances are the same.
            Kind::Conversion => slice.pieces() <= self.distances && slice.men != [0, 0],
        }
    }

    /// Returns the sections of a slice, each as the difference to the base if that has it. `slowest` is the plies of the longest win by DTZ of
    /// both views.
    fn sections(&self, finished: &Finished, slowest: u8) -> io::Result<Vec<Section>> {
        let slice = finished.layout.slice;
        let is_short = self.leaves_out_short
            && slice.pieces() > ALL_DISTANCES
            && finished.counts.conversion.plies < SHORT_WIN;
        let mut sections = Vec::new();
        for kind in Kind::ALL {
            if !self.stores(kind, slice, slowest) {
                continue;
            }
            let is_left_out = kind == Kind::Conversion && is_short;
            let base = (self.base)(kind, slice).filter(|_| !is_left_out);
            let blocks = if is_left_out {
                Vec::new()
            } else {
                self.blocks(finished, kind, base.as_deref())?
            };
            sections.push(Section {
                slice,
                kind,
                is_difference: base.is_some(),
                summary: summary(kind, &finished.counts),
                blocks,
            });
        }
        Ok(sections)
    }

    fn blocks(
        &self,
        finished: &Finished,
        kind: Kind,
        base: Option<&[u8]>,
    ) -> io::Result<Vec<Vec<u8>>> {
        let mut bytes = raw(finished, kind, base).expect("the slice was solved with its distances");
        for (byte, base) in bytes.iter_mut().zip(base.unwrap_or_default()) {
            *byte ^= base;
        }
        archive::compress(finished.layout.slice, &bytes, self.level)
    }
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

/// What the work on a plan has come to.
struct Work<'a> {
    observer: &'a mut dyn Observer,
    done: u64,
    all: u64,
}

impl<'a> Work<'a> {
    fn new(plan: &Plan, observer: &'a mut dyn Observer) -> Self {
        let all = plan.positions();
        Self {
            observer,
            done: 0,
            all,
        }
    }

    /// Tells of a slice that has taken some time; of so many bytes, or that it was there already.
    fn tell(&mut self, slice: Slice, bytes: Option<u64>, time: Duration) {
        let positions = positions_of(slice);
        self.done += positions;
        self.observer.slice(&Progress {
            slice,
            positions,
            bytes: bytes.unwrap_or(0),
            time,
            was_there: bytes.is_none(),
            done: self.done,
            all: self.all,
        });
    }
}

/// Solves a slice and its other view, checks some of the numbers, and returns the sections of both.
fn solve<R: Rules>(
    store: &mut Store,
    slice: Slice,
    distances: Distances,
    form: &Form,
    counter: &(dyn Fn(u64) + Sync),
) -> Result<Vec<Section>, MakeError> {
    store.solve::<R>(slice, distances, counter);
    let both = slice.views();
    for &view in &both {
        let step = view.positions().div_ceil(CHECKED);
        let checked = verify::check_numbers::<R>(&store.numbers(), view, step);
        if let Some(first) = checked.first {
            let fen = fen::write(&first);
            return Err(MakeError::Contradiction { slice: view, fen });
        }
    }
    let longest = both.iter().map(|&view| store.slice(view).counts.zeroing);
    let slowest = longest.map(|longest| longest.plies).max().unwrap_or(0);
    let mut all = Vec::new();
    for view in both {
        let sections = form.sections(store.slice(view), slowest);
        all.extend(sections.map_err(|error| MakeError::Io {
            path: PathBuf::from("compression"),
            error,
        })?);
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
    observer: &mut dyn Observer,
) -> Result<Vec<u8>, MakeError> {
    let pool = plan.pool()?;
    let mut store = Store::new();
    let mut all = Vec::new();
    let form = Form {
        base: &|kind, slice| base.and_then(|base| base.raw(kind, slice)),
        level: EMBEDDED_LEVEL,
        leaves_out_short: plan.leaves_out_short,
        distances: plan.distances,
    };
    let mut work = Work::new(plan, observer);
    for &slice in &plan.slices {
        let started = Instant::now();
        let distances = plan.distances_of(slice);
        let counter = work.observer.counter();
        let new = pool.install(|| solve::<R>(&mut store, slice, distances, &form, &counter))?;
        let bytes: usize = new.iter().map(|section| length(&section.blocks)).sum();
        all.extend(new);
        work.tell(slice, Some(bytes as u64), started.elapsed());
    }
    let base = base.map(|_| B::Movement::NAME);
    Ok(archive::write(R::Movement::NAME, base, &all))
}

/// Opens an archive that was just made.
pub fn open<R: Rules>(archive: Vec<u8>) -> Result<Tables<R>, TableFault> {
    Tables::from_bytes(archive)
}

/// Makes the tables of a folder. Files that are there and in order are kept, so that work can be taken up again; what processes have left which
/// were killed is removed.
pub fn folder<R: Rules>(
    plan: &Plan,
    folder: &Path,
    observer: &mut dyn Observer,
) -> Result<(), MakeError> {
    fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
    unfinished::remove_leftovers(folder, is_of_tables);
    let mut builder = Builder::<R> {
        folder,
        there: Tables::open_folder(folder)?,
        in_program: Tables::embedded()?,
        store: Store::new(),
    };
    let pool = plan.pool()?;
    let mut work = Work::new(plan, observer);
    let most_pieces = plan.slices.iter().map(|slice| slice.pieces()).max();
    let mut missing = Vec::new();
    for &slice in &plan.slices {
        let started = Instant::now();
        let distances = plan.distances_of(slice);
        if pool.install(|| builder.is_there(slice, distances)) {
            work.tell(slice, None, started.elapsed());
            continue;
        }
        let needed = slice.leads_to();
        let taken = pool.install(|| builder.take_in_all(&needed));
        if let Err(needed) = taken {
            missing.push((slice, needed));
            continue;
        }
        builder.give_up_behind(slice, most_pieces.unwrap_or(0));
        let counter = work.observer.counter();
        let bytes = pool.install(|| builder.make(slice, distances, plan.distances, &counter))?;
        work.tell(slice, Some(bytes), started.elapsed());
    }
    if missing.is_empty() {
        Ok(())
    } else {
        Err(MakeError::Missing(missing))
    }
}

fn failed(path: &Path, error: io::Error) -> MakeError {
    MakeError::Io {
        path: path.to_owned(),
        error,
    }
}

/// A folder that is being filled.
struct Builder<'a, R> {
    folder: &'a Path,
    there: Tables<R>,
    in_program: Tables<R>,
    store: Store,
}

impl<R: Rules> Builder<'_, R> {
    /// Says whether the file of a slice is there and as it should be.
    fn is_there(&self, slice: Slice, distances: Distances) -> bool {
        let is_whole = |kind, view| self.there.raw(kind, view).is_some();
        slice.views().into_iter().all(|view| {
            let is_slow = self
                .there
                .longest(Kind::Zeroing, view)
                // The bound counts the ply before the longest win.
                .is_some_and(|longest| longest > SLOW_WIN);
            let has_zeroing = || is_whole(Kind::Zeroing, view);
            let has_conversion = || view.men == [0, 0] || is_whole(Kind::Conversion, view);
            is_whole(Kind::Values, view)
                && match distances {
                    Distances::None => true,
                    Distances::Zeroing => !is_slow || has_zeroing(),
                    Distances::Both => has_zeroing() && has_conversion(),
                }
        })
    }

    /// Takes slices into memory, or says which one is missing.
    fn take_in_all(&mut self, slices: &[Slice]) -> Result<(), Slice> {
        slices.iter().try_for_each(|&slice| self.take_in(slice))
    }

    /// Takes a slice, its other view, and what captures in them lead to into memory, from their files or from the tables in the program.
    fn take_in(&mut self, slice: Slice) -> Result<(), Slice> {
        if self.store.has(slice) {
            return Ok(());
        }
        let mut captures = slice.leads_to();
        captures.retain(|after| after.pieces() < slice.pieces());
        self.take_in_all(&captures)?;
        if self.there.summary(slice).is_none() {
            // Another process may have made it meanwhile.
            let _ = self.there.add_file(&path_of::<R>(self.folder, slice));
        }
        for view in slice.views() {
            let raw = |tables: &Tables<R>| tables.raw(Kind::Values, view);
            let values = raw(&self.there).or_else(|| raw(&self.in_program));
            let values = values.ok_or(slice)?;
            self.store.complete::<R>(view, |index| {
                let code = Kind::Values.number_at(&values, index as usize);
                Value::from_code(code).unwrap_or(Value::Draw)
            });
        }
        Ok(())
    }

    /// Drops slices that nothing leads to any more when a slice is made next: those with as many pieces, if these are the most of the plan, and at
    /// least two men fewer.
    fn give_up_behind(&mut self, slice: Slice, most_pieces: u32) {
        let men = |slice: Slice| slice.men[0] + slice.men[1];
        if slice.pieces() == most_pieces {
            self.store
                .drop_slices(|other| other.pieces() == most_pieces && men(other) + 1 < men(slice));
        }
    }

    /// Makes the file of a slice whose moves lead to what is in memory, and returns its size in bytes.
    fn make(
        &mut self,
        slice: Slice,
        distances: Distances,
        all_distances: u32,
        counter: &(dyn Fn(u64) + Sync),
    ) -> Result<u64, MakeError> {
        let form = Form {
            base: &|_, _| None,
            level: FOLDER_LEVEL,
            leaves_out_short: false,
            distances: all_distances,
        };
        let sections = solve::<R>(&mut self.store, slice, distances, &form, counter)?;
        let path = path_of::<R>(self.folder, slice);
        let bytes = archive::write(R::Movement::NAME, None, &sections);
        replace(&path, &bytes).map_err(|error| failed(&path, error))?;
        Tables::<R>::check_file(&path)?;
        Ok(bytes.len() as u64)
    }
}

fn path_of<R: Rules>(folder: &Path, slice: Slice) -> PathBuf {
    let slice = slice.stronger();
    folder.join(format!("{}-{slice}.{EXTENSION}", R::Movement::NAME))
}

/// Writes a file so that whoever opens it sees all of it or nothing.
fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let (mut file, temporary) = unfinished::create(&path.with_extension(""))?;
    let mut write = || {
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&temporary, path)
    };
    write().inspect_err(|_| {
        let _ = fs::remove_file(&temporary);
    })
}

/// Says whether the name of a file, without its ending, is that of tables, of whatever game.
fn is_of_tables(stem: &OsStr) -> bool {
    let parts = stem.to_str().and_then(|stem| stem.split_once('-'));
    parts.is_some_and(|(game, slice)| {
        let mut variants = Variant::ALL.into_iter();
        variants.any(|variant| with_rules!(variant, R => <R as Rules>::Movement::NAME) == game)
            && slice.parse::<Slice>().is_ok()
    })
}
