//! Builds tables slice by slice: fewer pieces first, then fewer men, so that every move out of a slice leads to one that is there.
//!
//! A slice and its view from the other side are solved together, formation by formation ([`super::solve`]). A man only
//! moves forward, so formations whose men have come equally far do not lead to each other: they are shared out over the threads of the
//! current rayon thread pool, those that are furthest first. The result does not depend on the number of threads.
//!
//! Of a finished slice two bits a position are kept in memory, with the values of positions where a capture is due. Files do not have
//! these; when a slice is read from a file they are found again from the slices with fewer pieces.
//!
//! Eight pieces (403 billion positions, 96 GiB at two bits) would take the same way on more machines: the slices of equally many pieces
//! and men do not lead to each other and are independent jobs. A job needs the slices that its moves lead to, at most one
//! promotion (as many pieces, one man fewer) and any captures away.

use super::Value;
use super::archive::Kind;
use super::index::{Formation, Layout};
use super::slice::{Slice, View};
use super::solve::{self, Distances, Known, Longest, Solved};
use super::verify::Numbers;
use crate::board::{MoveList, Position};
use crate::rules::{Rules, capture_moves, has_capture};
use rayon::prelude::*;

/// Formations of a slice read from a file that are completed at a time: their values take a byte each until they are written.
const BATCH: usize = 256;

/// A slice in memory.
pub(super) struct Finished {
    pub(super) layout: Layout,
    /// As in an archive, before compression.
    pub(super) values: Vec<u8>,
    /// DTZ, a byte a position.
    pub(super) zeroing: Option<Vec<u8>>,
    /// DTC, a byte a position.
    pub(super) conversion: Option<Vec<u8>>,
    pub(super) counts: Counts,
}

/// What there is in a slice. Of a slice read from a file only the values are known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    /// Losses, draws and wins.
    pub(super) by_value: [u64; 3],
    /// The longest win by DTZ.
    pub(super) zeroing: Longest,
    /// The longest win by DTC, 0 plies if not known.
    pub(super) conversion: Longest,
}

impl Finished {
    fn new(slice: Slice, distances: Distances) -> Self {
        let layout = Layout::of(slice);
        let empty = |kind: Kind| vec![0; kind.bytes(layout.positions()) as usize];
        Self {
            values: empty(Kind::Values),
            zeroing: (distances != Distances::None).then(|| empty(Kind::Zeroing)),
            conversion: (distances == Distances::Both).then(|| empty(Kind::Conversion)),
            counts: Counts::default(),
            layout,
        }
    }

    #[inline]
    pub(super) fn value(&self, index: u64) -> Value {
        let code = Kind::Values.number_at(&self.values, index as usize);
        Value::from_code(code).expect("only values are written")
    }

    /// Writes the values of a formation. Every position is written once.
    fn write_values(&mut self, first: u64, values: &[Value]) {
        for (index, value) in (first..).zip(values) {
            self.values[(index >> 2) as usize] |= value.code() << ((index & 3) * 2);
            self.counts.by_value[*value as usize] += 1;
        }
    }

    fn write(&mut self, formation: Formation, solved: &Solved, side: usize) {
        let first = self.layout.formation(formation.men) * self.layout.run();
        self.write_values(first, &solved.values[side]);
        let range = first as usize..(first + self.layout.run()) as usize;
        if let (Some(all), Some(new)) = (&mut self.zeroing, &solved.zeroing) {
            all[range.clone()].copy_from_slice(&new[side]);
        }
        if let (Some(all), Some(new)) = (&mut self.conversion, &solved.conversion) {
            all[range].copy_from_slice(&new[side]);
            self.counts
                .conversion
                .keep(within(first, solved.longest[1][side]));
        }
        self.counts
            .zeroing
            .keep(within(first, solved.longest[0][side]));
    }
}

/// Returns a win of a formation as one of its slice.
fn within(first: u64, Longest { plies, index }: Longest) -> Longest {
    let index = first + index;
    Longest { plies, index }
}

/// The slices in memory.
pub(super) struct Store {
    slices: Vec<Option<Finished>>,
}

impl Known for Store {
    #[inline]
    fn value(&self, view: &View) -> Value {
        if view.men[0] | view.kings[0] == 0 {
            return Value::Loss;
        }
        let finished = self.slice(view.slice());
        finished.value(finished.layout.index(view))
    }

    #[inline]
    fn conversion(&self, view: &View) -> u8 {
        let finished = self.slice(view.slice());
        let all = finished.conversion.as_ref();
        all.expect("both views have distances")[finished.layout.index(view) as usize]
    }
}

impl Store {
    pub(super) fn new() -> Self {
        Self {
            slices: (0..Slice::IDS).map(|_| None).collect(),
        }
    }

    /// Returns a slice that is in memory.
    #[inline]
    pub(super) fn slice(&self, slice: Slice) -> &Finished {
        let found = self.slices[slice.id()].as_ref();
        found.expect("slices come behind those that their moves lead to")
    }

    /// Says whether a slice is in memory.
    pub(super) fn has(&self, slice: Slice) -> bool {
        self.slices[slice.id()].is_some()
    }

    /// Drops slices.
    pub(super) fn drop_slices(&mut self, is_dropped: impl Fn(Slice) -> bool) {
        for place in &mut self.slices {
            if place
                .as_ref()
                .is_some_and(|found| is_dropped(found.layout.slice))
            {
                *place = None;
            }
        }
    }

    /// Solves a slice and its view from the other side. The counter is given the positions that are solved.
    pub(super) fn solve<R: Rules>(
        &mut self,
        slice: Slice,
        distances: Distances,
        counter: &(dyn Fn(u64) + Sync),
    ) {
        for view in slice.views() {
            self.slices[view.id()] = Some(Finished::new(view, distances));
        }
        let layouts = [Layout::of(slice), Layout::of(slice.flipped())];
        let mut formations = layouts[0].formations();
        if slice.is_symmetric() {
            // Each formation is solved together with its view from the other side, so one of the two is enough.
            let number = |formation: Formation| layouts[0].formation(formation.men);
            formations.retain(|&formation| number(formation) <= number(formation.flipped()));
        }
        formations.sort_by_key(|formation| formation.advance());
        while let Some(last) = formations.last() {
            let advance = last.advance();
            let first = formations.partition_point(|formation| formation.advance() < advance);
            let batch = formations.split_off(first);
            let known = &*self;
            let solved: Vec<Solved> = batch
                .par_iter()
                .map(|&formation| {
                    let both = [&layouts[0], &layouts[1]];
                    let solved = solve::solve::<R>(known, both, formation, distances);
                    counter(2 * layouts[0].run());
                    solved
                })
                .collect();
            for (&formation, solved) in batch.iter().zip(&solved) {
                self.write(slice, formation, solved, 0);
                if !slice.is_symmetric() || formation != formation.flipped() {
                    self.write(slice.flipped(), formation.flipped(), solved, 1);
                }
            }
        }
    }

    fn write(&mut self, slice: Slice, formation: Formation, solved: &Solved, side: usize) {
        let finished = self.slices[slice.id()].as_mut();
        let finished = finished.expect("both views are there while they are solved");
        finished.write(formation, solved, side);
    }

    /// Forgets the distances of a slice.
    pub(super) fn drop_distances(&mut self, slice: Slice) {
        if let Some(finished) = &mut self.slices[slice.id()] {
            finished.zeroing = None;
            finished.conversion = None;
        }
    }

    /// Takes a slice in as a file has it, and finds the values of positions with a capture due.
    pub(super) fn complete<R: Rules>(
        &mut self,
        slice: Slice,
        stored: impl Fn(u64) -> Value + Sync,
    ) {
        let mut finished = Finished::new(slice, Distances::None);
        let layout = finished.layout.clone();
        let known = &*self;
        let complete = |(number, formation): (usize, &Formation)| {
            let mut moves = MoveList::new();
            let mut index = number as u64 * layout.run();
            let mut values = Vec::with_capacity(layout.run() as usize);
            formation.for_each_kings(slice, |kings| {
                let men = formation.men;
                let pos = View { men, kings }.position();
                values.push(if has_capture(&pos) {
                    capture_moves::<R>(&pos, &mut moves);
                    let after = moves
                        .iter()
                        .map(|&mv| known.value(&View::of(&pos.play(mv))));
                    after.map(Value::reversed).max().unwrap_or(Value::Loss)
                } else {
                    stored(index)
                });
                index += 1;
            });
            values
        };
        let formations = layout.formations();
        for (chunk, batch) in formations.chunks(BATCH).enumerate() {
            let first = chunk * BATCH;
            let values: Vec<Vec<Value>> = batch
                .par_iter()
                .enumerate()
                .map(|(i, formation)| complete((first + i, formation)))
                .collect();
            for (number, values) in (first as u64..).zip(&values) {
                finished.write_values(number * layout.run(), values);
            }
        }
        self.slices[slice.id()] = Some(finished);
    }

    /// Returns the numbers in memory as a player would look them up.
    pub(super) fn numbers(&self) -> StoredNumbers<'_> {
        StoredNumbers(self)
    }
}

/// The numbers in memory, those of positions with a capture due included.
pub(super) struct StoredNumbers<'a>(&'a Store);

impl Numbers for StoredNumbers<'_> {
    fn value(&self, pos: &Position) -> Option<Value> {
        // The capture that took the last piece is the end of the game.
        if pos.own().is_empty() {
            return Some(Value::Loss);
        }
        Some(self.0.value(&View::of(pos)))
    }

    fn has_distance(&self, kind: Kind, pos: &Position) -> bool {
        self.distances(kind, pos).is_some()
    }

    fn distance(&self, kind: Kind, pos: &Position) -> Option<u8> {
        let index = self.0.slice(Slice::of(pos)).layout.index(&View::of(pos));
        Some(self.distances(kind, pos)?[index as usize])
    }
}

impl StoredNumbers<'_> {
    fn distances(&self, kind: Kind, pos: &Position) -> Option<&Vec<u8>> {
        let finished = self.0.slice(Slice::of(pos));
        match kind {
            Kind::Values => None,
            Kind::Zeroing => finished.zeroing.as_ref(),
            Kind::Conversion => finished.conversion.as_ref(),
        }
    }
}

/// Returns the bytes of a section before compression.
///
/// Positions that are never looked up take what the base has there, or the number of the position before them, which compresses best.
/// These are positions with a capture due and, of distances, all but wins of two plies and more: their numbers follow from the moves.
pub(super) fn raw(finished: &Finished, kind: Kind, base: Option<&[u8]>) -> Option<Vec<u8>> {
    let layout = &finished.layout;
    let distances = match kind {
        Kind::Values => None,
        Kind::Zeroing => Some(finished.zeroing.as_ref()?),
        Kind::Conversion => Some(finished.conversion.as_ref()?),
    };
    let run = layout.run() as usize;
    let mut numbers = vec![0; layout.positions() as usize];
    let chunks = numbers.par_chunks_mut(run).zip(layout.formations());
    chunks
        .enumerate()
        .for_each(|(chunk, (numbers, formation))| {
            let first = chunk * run;
            let mut i = 0;
            let mut before = None;
            formation.for_each_kings(layout.slice, |kings| {
                let men = formation.men;
                let index = first + i;
                let value = finished.value(index as u64);
                let number = match distances {
                    None if has_capture(&View { men, kings }.position()) => None,
                    None => Some(value.code()),
                    Some(all) => (value == Value::Win && all[index] > 1).then(|| all[index]),
                };
                if let Some(number) = number {
                    if before.is_none() && base.is_none() {
                        numbers[..i].fill(number);
                    }
                    before = Some(number);
                    numbers[i] = number;
                } else if let Some(base) = base {
                    numbers[i] = kind.number_at(base, index);
                } else {
                    numbers[i] = before.unwrap_or(0);
                }
                i += 1;
            });
        });
    Some(match kind {
        Kind::Values => numbers.par_chunks(4).map(packed).collect(),
        Kind::Zeroing | Kind::Conversion => numbers,
    })
}

/// Packs up to four values into a byte.
fn packed(values: &[u8]) -> u8 {
    let shifted = (0..).zip(values).map(|(i, value)| value << (2 * i));
    shifted.fold(0, |byte, value| byte | value)
}
