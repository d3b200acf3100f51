//! Endgame tables: numbering, counts, values that follow from each other, known endings, counts of the rule sets, damage.

mod beyond;
mod building;
mod commands;
mod counting;

use crate::support::Rng;
use mainroad::board::{Bitboard, Position, Side};
use mainroad::egdb::make::Plan;
use mainroad::egdb::{MAX_PIECES, Slice, Tables, Value, verify};
use mainroad::notation::fen;
use mainroad::rules::{Brazilian, Pool, Rules, Russian, has_capture, legal_moves};
use std::fs;
use std::path::PathBuf;

/// Returns both views of every slice with so many pieces.
fn slices(pieces: u32) -> Vec<Slice> {
    let both = Slice::pairs(pieces).into_iter();
    let both = both.flat_map(|slice| [slice, slice.flipped()]);
    let mut all: Vec<Slice> = both.collect();
    all.dedup();
    all
}

fn embedded<R: Rules>() -> Tables<R> {
    Tables::embedded().expect("they are in order")
}

fn position(text: &str) -> Position {
    fen::parse(text).expect("it is a position")
}

/// The number of all placements with both sides present, as published for Chinook's tables and computed independently.
#[test]
fn slices_have_all_positions() {
    let expected = [
        3_488,
        196_032,
        6_209_316,
        139_450_808,
        2_426_085_676,
        34_243_113_624,
    ];
    for (pieces, expected) in (2..).zip(expected) {
        let sum: u64 = slices(pieces).into_iter().map(Slice::positions).sum();
        assert_eq!(sum, expected, "{pieces} pieces");
    }
    assert_eq!(slices(MAX_PIECES).len(), 104);
}

#[track_caller]
fn check_number(slice: Slice, index: u64) {
    let pos = slice.position(index);
    assert_eq!(slice.index_of(&pos), index, "{slice} {}", fen::write(&pos));
    assert_eq!(slice.index_of(&pos.flipped()), index, "{slice} turned");
    let checked = Position::new(
        Side::BOTH.map(|side| pos.men(side)),
        Side::BOTH.map(|side| pos.kings(side)),
        Side::White,
    );
    assert_eq!(checked, Ok(pos), "{slice} {index}");
}

/// Every position has one number and every number one position: all of them up to 3 pieces, samples beyond.
#[test]
fn numbers_and_positions_match() {
    let mut rng = Rng(7);
    for pieces in 2..=MAX_PIECES {
        for slice in slices(pieces) {
            let positions = slice.positions();
            if pieces <= 3 {
                (0..positions).for_each(|index| check_number(slice, index));
            }
            for _ in 0..2_000 {
                check_number(slice, rng.next() % positions);
            }
            check_number(slice, positions - 1);
        }
    }
}

#[test]
fn names_of_slices() {
    for pieces in 2..=MAX_PIECES {
        for slice in slices(pieces) {
            assert_eq!(slice.to_string().parse(), Ok(slice));
        }
    }
    for bad in ["", "K", "1K", "1K-", "-1K", "8K-1K", "1M1K-1K", "2K-1Q"] {
        assert!(bad.parse::<Slice>().is_err(), "{bad}");
    }
}

/// Wins, draws and losses for the side to move in per mille, and the longest win in plies by DTC and by DTZ, of Russian draughts:
/// computed by an independent program.
#[test]
fn shares_and_longest_wins() {
    let expected = [
        (2, [370, 432, 198], 9, 3),
        (3, [344, 485, 170], 19, 7),
        (4, [388, 410, 202], 51, 22),
        (5, [401, 383, 217], 57, 33),
    ];
    let tables = embedded::<Russian>();
    for (pieces, shares, conversion, zeroing) in expected {
        let all = slices(pieces).into_iter();
        let all: Vec<_> = all.filter_map(|slice| tables.summary(slice)).collect();
        let sum = |of: fn(&mainroad::egdb::SliceSummary) -> u64| all.iter().map(of).sum::<u64>();
        let positions = sum(|slice| slice.positions);
        let counts = [
            sum(|slice| slice.wins),
            sum(|slice| slice.draws),
            sum(|slice| slice.losses),
        ];
        assert_eq!(counts.iter().sum::<u64>(), positions, "{pieces} pieces");
        let per_mille = counts.map(|count| (count * 1000 + positions / 2) / positions);
        assert_eq!(per_mille, shares, "{pieces} pieces");
        let longest = |plies: Option<(u64, Position)>| plies.map_or(0, |(plies, _)| plies);
        let by_conversion = all.iter().map(|slice| longest(slice.conversion)).max();
        assert_eq!(by_conversion, Some(conversion), "{pieces} pieces");
        let by_zeroing = all.iter().map(|slice| longest(slice.zeroing)).max();
        assert_eq!(by_zeroing, Some(zeroing), "{pieces} pieces");
    }
}

/// The longest wins have the distance that the summary says.
#[test]
fn summaries_name_positions() {
    let tables = embedded::<Brazilian>();
    for slice in (2..=4).flat_map(slices) {
        let summary = tables.summary(slice).expect("it is there");
        if let Some((plies, pos)) = summary.conversion {
            assert_eq!(
                tables.probe_dtc(&pos).map(u64::from),
                Some(plies),
                "{slice}"
            );
        }
        if let Some((plies, pos)) = summary.zeroing {
            assert_eq!(
                tables.probe_dtz(&pos).map(u64::from),
                Some(plies),
                "{slice}"
            );
        }
    }
}

/// Values and distances follow from those behind the legal moves: everything up to 3 pieces, samples of 4 and 5. Distances make the
/// check a proof: a win comes nearer with every move, and a draw has a move to a draw and none to a loss of the other side.
fn check_consistency<R: Rules>() {
    let tables = embedded::<R>();
    for (pieces, step) in [(2, 1), (3, 1), (4, 23), (5, 1_501)] {
        for slice in slices(pieces) {
            let checked = verify::check(&tables, slice, step);
            let first = checked.first.map(|pos| fen::write(&pos));
            assert_eq!((checked.faults, first), (0, None), "{} {slice}", R::VARIANT);
            assert_eq!(checked.positions, slice.positions().div_ceil(step));
        }
    }
    assert!(tables.take_faults().is_empty());
}

#[test]
fn russian_values_follow() {
    check_consistency::<Russian>();
}

#[test]
fn pool_values_follow() {
    check_consistency::<Pool>();
}

#[test]
fn brazilian_values_follow() {
    check_consistency::<Brazilian>();
}

/// 14 of the positions with three pieces differ between Russian draughts and Pool, by an independent program.
#[test]
fn pool_differs_where_a_man_passes_the_last_row() {
    let (russian, pool) = (embedded::<Russian>(), embedded::<Pool>());
    let all = slices(3).into_iter();
    let all = all.flat_map(|slice| (0..slice.positions()).map(move |index| slice.position(index)));
    let differing = all.filter(|pos| russian.probe_wdl(pos) != pool.probe_wdl(pos));
    assert_eq!(differing.count(), 14);
}

/// Petrov's triangle: three kings that hold the main road win against one that is off it; alone on it, the one king draws. Quiet positions;
/// shares in per mille from an independent program.
#[test]
fn three_kings_against_one() {
    let tables = embedded::<Russian>();
    let three: Slice = "3K-1K".parse().expect("it is a slice");
    let road = Bitboard::MAIN_ROAD;
    // By who is to move, the strong side first: how many, and how many of them are decided.
    let mut holds = [[0; 2]; 2];
    let mut lone_on_road = [[0; 2]; 2];
    for index in 0..three.positions() {
        let strong = three.position(index);
        let (has, lone) = (strong.own().intersects(road), strong.opp().intersects(road));
        for (mover, pos) in [strong, strong.passed()].iter().enumerate() {
            if has_capture(pos) || has == lone {
                continue;
            }
            let group = if has { &mut holds } else { &mut lone_on_road };
            group[mover][0] += 1;
            group[mover][1] += u64::from(tables.probe_quiet(pos) != Some(Value::Draw));
        }
    }
    let per_mille = |[all, decided]: [u64; 2]| (decided * 1000 + all / 2) / all;
    assert_eq!(holds.map(per_mille), [987, 999]);
    assert_eq!(lone_on_road.map(per_mille), [42, 0]);
    assert_eq!(
        lone_on_road[1][1], 0,
        "the lone king never loses from the road"
    );
}

/// A side without pieces has lost; more pieces than the tables have are unknown.
#[test]
fn edges() {
    let tables = embedded::<Russian>();
    let value = |text| tables.probe_wdl(&position(text));
    assert_eq!(value("W:W:B1"), Some(Value::Loss));
    assert_eq!(value("W:W21:B"), Some(Value::Win));
    assert_eq!(value("W:W21:B14,17"), Some(Value::Loss));
    assert_eq!(value("W:W21-32:B1-12"), None);
    // The capture of the fifth and sixth man leaves a known position.
    assert_eq!(value("W:WK32:B27,18,10,9,8"), value("W:WK32:B27,18,10,9,8"));
    assert_eq!(
        Tables::<Russian>::none().probe_wdl(&position("W:WK32:B1")),
        None
    );
}

/// Returns a new folder.
fn folder(test: &str) -> PathBuf {
    let name = format!("egdb-{test}-{}", std::process::id());
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    folder
}

fn plan(pieces: u32, threads: usize) -> Plan {
    Plan {
        slices: Slice::up_to(pieces),
        distances: 5,
        leaves_out_short: false,
        threads,
    }
}

/// Threads share the blocks that are inflated.
#[test]
fn threads_share_tables() {
    let tables = embedded::<Pool>();
    let slice: Slice = "2K1M-1K".parse().expect("it is a slice");
    let count = |tables: &Tables<Pool>| {
        let all = (0..slice.positions()).step_by(101);
        all.filter(|&index| tables.probe_wdl(&slice.position(index)) == Some(Value::Win))
            .count()
    };
    let alone = count(&embedded());
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| count(&tables))).collect();
        for thread in threads {
            assert_eq!(thread.join().expect("it does not panic"), alone);
        }
    });
}

/// Positions with a capture due are resolved, never refused.
#[test]
fn captures_are_resolved() {
    let tables = embedded::<Brazilian>();
    let mut rng = Rng(11);
    let all = slices(4);
    for _ in 0..20_000 {
        let slice = *rng.pick(&all);
        let pos = slice.position(rng.next() % slice.positions());
        if !has_capture(&pos) {
            continue;
        }
        let mut moves = mainroad::board::MoveList::new();
        legal_moves::<Brazilian>(&pos, &mut moves);
        let behind = moves.iter().map(|&mv| tables.probe_wdl(&pos.play(mv)));
        let best = behind
            .map(|value| value.map(Value::reversed))
            .max()
            .flatten();
        assert_eq!(tables.probe_wdl(&pos), best, "{}", fen::write(&pos));
    }
}
