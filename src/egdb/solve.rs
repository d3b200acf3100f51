//! Solves the positions of one formation of men, with either side to move.
//!
//! While the men stand still only kings move, to and fro. So positions with the same men form a graph of their own; everything else,
//! a capture, a promotion, a step of a man, leads out of it to positions that are solved already. This keeps what is worked on at a
//! time small enough for the caches of the processor, makes formations independent jobs, and gives the plies to the next capture or
//! man move (DTZ) for free, since those are the ways out.
//!
//! Retrograde analysis (Thomas Ströhlein 1970; Ken Thompson, "Retrograde analysis of certain endgames", 1986): first the ways out of
//! every position are looked at; this decides those with a capture due (a capture is compulsory, so nothing else counts), those with a
//! winning way out, and those without a move. Then the decided positions are taken in the order of their distance, and the
//! opponent's kings are moved back from each. What leads to a lost position is won; what leads to a won one has a move less that may
//! hold, and when none is left it is lost. What is never decided is a draw.
//!
//! The plies to the next capture or promotion (DTC) are found in a second pass over the same graph, where a step of a man
//! counts as many plies as its end is away from a conversion. In both metrics the winner hurries and the loser delays.

use super::Value;
use super::index::{BINOMIAL, Formation, Layout, SIZES};
use super::slice::View;
use crate::board::{Bitboard, MoveList, Position, Side};
use crate::rules::{Rules, capture_moves, has_capture, king_reach};
use std::mem;

/// What is known of positions outside the formation.
pub(super) trait Known: Sync {
    /// Returns the value of a position for its mover.
    fn value(&self, view: &View) -> Value;
    /// Returns the plies from a position of the same two slices to the next capture or promotion.
    fn conversion(&self, view: &View) -> u8;
}

/// A solved formation, with the mover's view at 0 and the opponent's at 1.
pub(super) struct Solved {
    /// The value of each position, captures due or not.
    pub(super) values: [Vec<Value>; 2],
    /// DTZ, where it was asked for; 0 for draws.
    pub(super) zeroing: Option<[Vec<u8>; 2]>,
    /// DTC, where it was asked for; 0 for draws.
    pub(super) conversion: Option<[Vec<u8>; 2]>,
    /// The longest win by DTZ, and by DTC where that was asked for.
    pub(super) longest: [[Longest; 2]; 2],
}

/// The longest win: its plies, and the position, in the formation or in the slice. 0 plies where nothing is won.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Longest {
    pub(super) plies: u8,
    pub(super) index: u64,
}

impl Longest {
    /// Keeps the longer one, of equals the first.
    #[inline]
    pub(super) fn keep(&mut self, other: Self) {
        if other.plies > self.plies || other.plies == self.plies && other.index < self.index {
            *self = other;
        }
    }
}

/// Which distances are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Distances {
    /// None, only values.
    None,
    /// DTZ.
    Zeroing,
    /// DTZ and DTC.
    Both,
}

/// The last state of a position that is not decided. Up to it a state counts the king moves that may still hold: at most 78, by six kings.
const LAST_OPEN: u8 = 0xF0;
/// Decided: a capture is due, and the best one draws.
const DRAWN: u8 = 0xFD;
/// Decided: the side to move wins.
const WON: u8 = 0xFE;
/// Decided: the side to move loses.
const LOST: u8 = 0xFF;
/// Added to the count where a way out draws, or wins later than a king move might, so that it never comes down to 0.
const HOLDS: u8 = 0x80;

/// Solves a formation given the layouts of the mover's view and the opponent's.
pub(super) fn solve<R: Rules>(
    known: &impl Known,
    layouts: [&Layout; 2],
    formation: Formation,
    distances: Distances,
) -> Solved {
    let sides = [
        Seat::of(layouts[0], formation),
        Seat::of(layouts[1], formation.flipped()),
    ];
    let has_men = formation.men[0] | formation.men[1] != 0;
    let mut graph = Graph::new(&sides, distances != Distances::None);
    let wants_second = distances == Distances::Both && has_men;
    let mut second = wants_second.then(|| Graph::new(&sides, true));
    for (side, seat) in sides.iter().enumerate() {
        let mut moves = MoveList::new();
        let mut index = 0;
        seat.formation.for_each_kings(seat.layout.slice, |kings| {
            let view = View {
                men: seat.formation.men,
                kings,
            };
            let ways = Ways::of::<R>(known, &view, &mut moves, second.is_some());
            graph.enter(side, index, kings, &ways, |_| 1);
            if let Some(second) = &mut second {
                second.enter_by_distance(side, index, kings, &ways);
            }
            index += 1;
        });
    }
    graph.run();
    let mut longest = [graph.longest; 2];
    let conversion = match second {
        Some(mut second) => {
            second.run();
            longest[1] = second.longest;
            second.distances
        }
        // Without men both are the same.
        None if distances == Distances::Both => graph.distances.clone(),
        None => None,
    };
    Solved {
        longest,
        values: graph
            .states
            .map(|states| states.into_iter().map(value_of).collect()),
        zeroing: graph.distances,
        conversion,
    }
}

fn value_of(state: u8) -> Value {
    match state {
        WON => Value::Win,
        LOST => Value::Loss,
        _ => Value::Draw,
    }
}

/// One side to move in a formation.
struct Seat<'a> {
    layout: &'a Layout,
    formation: Formation,
    free: u64,
    /// How many free squares come before each square.
    place: [u8; 64],
}

impl<'a> Seat<'a> {
    fn of(layout: &'a Layout, formation: Formation) -> Self {
        let free = formation.free();
        let mut place = [0; 64];
        for (bit, place) in place.iter_mut().enumerate() {
            *place = (free & ((1 << bit) - 1)).count_ones() as u8;
        }
        Self {
            layout,
            formation,
            free,
            place,
        }
    }
}

/// What the moves out of a formation come to, and how many stay in it.
struct Ways {
    /// A capture is due, so that these are all moves.
    is_capture: bool,
    /// The plies to the nearest conversion by a way out that wins.
    win: Option<u8>,
    /// A way out draws.
    draws: bool,
    /// The plies to the furthest conversion by a way out that loses.
    loss: Option<u8>,
    /// King moves.
    king_moves: u8,
}

impl Ways {
    #[inline]
    fn of<R: Rules>(
        known: &impl Known,
        view: &View,
        moves: &mut MoveList,
        wants_conversion: bool,
    ) -> Self {
        let pos = view.position();
        let mut ways = Self {
            is_capture: has_capture(&pos),
            win: None,
            draws: false,
            loss: None,
            king_moves: 0,
        };
        if ways.is_capture {
            capture_moves::<R>(&pos, moves);
            for &mv in moves.iter() {
                ways.add(known.value(&View::of(&pos.play(mv))), 1);
                if ways.win.is_some() {
                    break;
                }
            }
            return ways;
        }
        let empty = pos.empty().0;
        for king in Bitboard(view.kings[0]).squares() {
            ways.king_moves += king_reach(king, empty).count_ones() as u8;
        }
        ways.men_step::<7>(known, view, empty, wants_conversion);
        ways.men_step::<9>(known, view, empty, wants_conversion);
        ways
    }

    /// Looks at the steps of men by so many bits.
    #[inline]
    fn men_step<const D: u32>(
        &mut self,
        known: &impl Known,
        view: &View,
        empty: u64,
        wants_conversion: bool,
    ) {
        let mut targets = view.men[0] << D & empty;
        while targets != 0 {
            let to = targets & targets.wrapping_neg();
            targets ^= to;
            let promotes = to & Position::promotion_row(Side::White).0 != 0;
            let (man, king) = if promotes { (0, to) } else { (to, 0) };
            let own_men = view.men[0] ^ to >> D | man;
            let own_kings = view.kings[0] | king;
            let after = View {
                men: [view.men[1].reverse_bits(), own_men.reverse_bits()],
                kings: [view.kings[1].reverse_bits(), own_kings.reverse_bits()],
            };
            let value = known.value(&after);
            let plies = if promotes || !wants_conversion || value == Value::Draw {
                1
            } else {
                known.conversion(&after).saturating_add(1)
            };
            self.add(value, plies);
        }
    }

    /// Adds a way out by the value for the opponent behind it.
    #[inline]
    fn add(&mut self, value: Value, plies: u8) {
        match value {
            Value::Loss => self.win = Some(self.win.map_or(plies, |least| least.min(plies))),
            Value::Draw => self.draws = true,
            Value::Win => self.loss = Some(self.loss.map_or(plies, |most| most.max(plies))),
        }
    }
}

/// Kings of the mover and of its opponent.
type Kings = [u64; 2];

/// Decided positions of the same distance whose predecessors are still to be looked at, by side to move.
#[derive(Default)]
struct Bucket {
    won: [Vec<Kings>; 2],
    lost: [Vec<Kings>; 2],
    /// Won by a way out at this distance, unless a king move wins sooner.
    claims: [Vec<Kings>; 2],
}

/// The positions of a formation while they are solved.
struct Graph<'a> {
    sides: &'a [Seat<'a>; 2],
    states: [Vec<u8>; 2],
    distances: Option<[Vec<u8>; 2]>,
    /// DTC only: the plies to the furthest conversion by a way out that loses.
    delays: Option<[Vec<u8>; 2]>,
    buckets: Vec<Bucket>,
    longest: [Longest; 2],
}

impl<'a> Graph<'a> {
    fn new(sides: &'a [Seat<'a>; 2], wants_distances: bool) -> Self {
        let size = sides[0].layout.run() as usize;
        Self {
            sides,
            states: [vec![0; size], vec![0; size]],
            distances: wants_distances.then(|| [vec![0; size], vec![0; size]]),
            delays: None,
            buckets: Vec::new(),
            longest: [Longest::default(); 2],
        }
    }

    /// Enters a position whose ways out decide it at once if they win. `plies` tells how long a way out is, given the plies to the conversion.
    #[inline]
    fn enter(
        &mut self,
        side: usize,
        index: usize,
        kings: Kings,
        ways: &Ways,
        plies: impl Fn(u8) -> u8,
    ) {
        let state = if let Some(win) = ways.win {
            let plies = plies(win);
            self.decide_win(side, index, plies);
            self.bucket(plies).won[side].push(kings);
            WON
        } else if ways.is_capture && ways.draws {
            DRAWN
        } else if ways.draws {
            HOLDS + ways.king_moves
        } else if ways.king_moves == 0 {
            let plies = ways.loss.map_or(0, plies);
            self.decide(side, index, plies);
            self.bucket(plies).lost[side].push(kings);
            LOST
        } else {
            ways.king_moves
        };
        self.states[side][index] = state;
    }

    /// Enters a position whose ways out may be longer than a win or loss by a king move.
    #[inline]
    fn enter_by_distance(&mut self, side: usize, index: usize, kings: Kings, ways: &Ways) {
        if let Some(loss) = ways.loss {
            let all = self.states[0].len();
            let delays = self
                .delays
                .get_or_insert_with(|| [vec![0; all], vec![0; all]]);
            delays[side][index] = loss;
        }
        match ways.win {
            Some(plies) if !ways.is_capture => {
                self.bucket(plies).claims[side].push(kings);
                self.states[side][index] = HOLDS + ways.king_moves;
            }
            _ => self.enter(side, index, kings, ways, |plies| plies),
        }
    }

    fn bucket(&mut self, plies: u8) -> &mut Bucket {
        let plies = usize::from(plies);
        if self.buckets.len() <= plies {
            self.buckets.resize_with(plies + 1, Bucket::default);
        }
        &mut self.buckets[plies]
    }

    #[inline]
    fn decide(&mut self, side: usize, index: usize, plies: u8) {
        if let Some(distances) = &mut self.distances {
            distances[side][index] = plies;
        }
    }

    #[inline]
    fn decide_win(&mut self, side: usize, index: usize, plies: u8) {
        self.decide(side, index, plies);
        let index = index as u64;
        self.longest[side].keep(Longest { plies, index });
    }

    /// Takes the decided positions in the order of their distance.
    fn run(&mut self) {
        let mut plies = 0;
        while plies < self.buckets.len() {
            let mut bucket = mem::take(&mut self.buckets[plies]);
            let now = u8::try_from(plies).expect("distances stay below 256");
            // Claims of both sides come first: a king move from here would be a ply longer.
            for side in 0..2 {
                let claims = mem::take(&mut bucket.claims[side]);
                self.grant(side, claims, now, &mut bucket.won[side]);
            }
            for side in 0..2 {
                for &kings in &bucket.won[side] {
                    self.retract::<true>(side, kings, now);
                }
                for &kings in &bucket.lost[side] {
                    self.retract::<false>(side, kings, now);
                }
            }
            plies += 1;
        }
    }

    /// Decides the positions that nothing has decided sooner than their way out does.
    fn grant(&mut self, side: usize, claims: Vec<Kings>, plies: u8, won: &mut Vec<Kings>) {
        let seat = &self.sides[side];
        for kings in claims {
            let view = View {
                men: seat.formation.men,
                kings,
            };
            let index = seat.layout.king_index(&view) as usize;
            if self.states[side][index] <= LAST_OPEN {
                self.states[side][index] = WON;
                self.decide_win(side, index, plies);
                won.push(kings);
            }
        }
    }

    /// Moves the kings of the side that is not to move back from a decided position.
    #[inline]
    fn retract<const WAS_WON: bool>(&mut self, side: usize, [own, opp]: Kings, plies: u8) {
        let mover = 1 - side;
        let seat = &self.sides[mover];
        let (kings, others) = (opp.reverse_bits(), own.reverse_bits());
        let empty = seat.free & !(kings | others);
        let per_set = seat.layout.kings[1] as u32;
        for king in Bitboard(kings).squares() {
            let rest = kings ^ 1 << king.bit();
            let numbers = Numbers::of(&seat.place, rest, others);
            let mut reached = king_reach(king, empty);
            let (mut below, mut others_below) = (0, 0);
            while reached != 0 {
                let from = reached.trailing_zeros() as u8;
                reached &= reached - 1;
                while numbers.rest[below] < from {
                    below += 1;
                }
                while numbers.others[others_below] < from {
                    others_below += 1;
                }
                let place = usize::from(seat.place[usize::from(from)]);
                let own_number = numbers.with_rest[below] + BINOMIAL[below + 1][place];
                let index = own_number * per_set + numbers.with_others[others_below];
                let state = &mut self.states[mover][index as usize];
                if *state > LAST_OPEN {
                    continue;
                }
                let before = [rest | 1 << from, others];
                if WAS_WON {
                    *state -= 1;
                    if *state == 0 {
                        *state = LOST;
                        let delay = self
                            .delays
                            .as_ref()
                            .map_or(0, |all| all[mover][index as usize]);
                        let plies = delay.max(plies + 1);
                        self.decide(mover, index as usize, plies);
                        self.bucket(plies).lost[mover].push(before);
                    }
                } else {
                    *state = WON;
                    self.decide_win(mover, index as usize, plies + 1);
                    self.bucket(plies + 1).won[mover].push(before);
                }
            }
        }
    }
}

/// The numbers of the positions that differ in the square of one king, in parts.
struct Numbers {
    /// The squares of the mover's other kings, ascending, and then [`BEYOND`].
    rest: [u8; SIZES],
    /// The squares of the opponent's kings, in the same way.
    others: [u8; SIZES],
    /// What the other kings add to the number of the mover's kings, by how many of them come before the one that moves.
    with_rest: [u32; SIZES],
    /// The number of the opponent's kings, by how many of them come before the one that moves.
    with_others: [u32; SIZES],
}

/// A square behind all others.
const BEYOND: u8 = 64;

impl Numbers {
    #[inline]
    fn of(place: &[u8; 64], rest: u64, others: u64) -> Self {
        let mut numbers = Self {
            rest: [BEYOND; SIZES],
            others: [BEYOND; SIZES],
            with_rest: [0; SIZES],
            with_others: [0; SIZES],
        };
        let mut count = 0;
        for sq in Bitboard(rest).squares() {
            numbers.rest[count] = sq.bit() as u8;
            count += 1;
        }
        // A king behind the one that moves is one further in its set.
        for i in 0..count {
            let place = usize::from(place[usize::from(numbers.rest[i])]);
            for (before, number) in numbers.with_rest[..=count].iter_mut().enumerate() {
                *number += BINOMIAL[i + 1 + usize::from(i >= before)][place];
            }
        }
        let mut rest_before = 0;
        for (others_count, sq) in Bitboard(others).squares().enumerate() {
            let bit = sq.bit() as u8;
            while numbers.rest[rest_before] < bit {
                rest_before += 1;
            }
            // Of the opponent's kings, one behind the king that moves has one free square fewer before it.
            let place = usize::from(place[sq.bit()]) - rest_before;
            let size = others_count + 1;
            let (near, far) = (
                BINOMIAL[size][place],
                BINOMIAL[size][place.saturating_sub(1)],
            );
            for (before, number) in numbers.with_others.iter_mut().enumerate() {
                *number += if others_count < before { near } else { far };
            }
            numbers.others[others_count] = bit;
        }
        numbers
    }
}
