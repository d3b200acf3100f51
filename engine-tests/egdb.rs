//! Endgame tables: numbering, counts, values that follow from each other, known endings, counts of the rule sets, damage.

mod beyond;

use crate::support::Rng;
use mainroad::board::{Bitboard, Key, Move, Position, Side};
use mainroad::egdb::make::{self, Plan, Progress};
use mainroad::egdb::{MAX_PIECES, Slice, Tables, Value, root, verify};
use mainroad::notation::fen;
use mainroad::rules::{
    Brazilian, DrawCounters, Game, Pool, Pool25, Rules, Russian, RussianFmjd64, has_capture,
    legal_moves,
};
use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

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

#[track_caller]
fn check_rule_value<R: Rules>(text: &str, expected: Option<Value>) {
    let game = Game::<R>::from_position(position(text));
    let root = root::probe(&embedded::<R>(), &game, true);
    assert_eq!(root.entry.rule_value, expected, "{} {text}", R::VARIANT);
}

/// The counts decide what the values alone do not.
#[test]
fn counts_take_wins_away() {
    let lost = "B:WK3,K11,K12:BK13";
    check_rule_value::<Russian>(lost, Some(Value::Loss));
    // If the lone king gets to the main road, five moves later it is a draw; the tables do not know whether it can.
    check_rule_value::<RussianFmjd64>(lost, None);
    // Counts make no win of a draw, and those of two pieces never begin to be three.
    check_rule_value::<RussianFmjd64>("W:WK4:B3,K9,K10", Some(Value::Draw));
    check_rule_value::<RussianFmjd64>("B:W12:B13,8", Some(Value::Win));
    check_rule_value::<Pool25>(lost, Some(Value::Loss));
    // The lone king must take a king with its 12th move, which ends the count: see the next test.
    check_rule_value::<Pool>(lost, Some(Value::Loss));
    // With so many plies gone, the same win is none.
    check_count::<Pool>(lost, 2, Value::Loss);
    check_count::<Pool>(lost, 4, Value::Draw);
    check_count::<Russian>(lost, 6, Value::Loss);
    check_count::<Russian>(lost, 8, Value::Draw);
}

/// Moves are listed best first: what is lost without counts may be saved by them, and is no better than a draw for all that.
#[test]
fn moves_that_counts_may_save_stand_behind_draws() {
    let tables = embedded::<RussianFmjd64>();
    let mut rng = Rng(21);
    let all = slices(4);
    let mut seen = 0;
    while seen < 20 {
        let slice = *rng.pick(&all);
        let pos = slice.position(rng.next() % slice.positions());
        let root = root::probe(&tables, &Game::from_position(pos), true);
        let draw = Some(Value::Draw);
        let may_be_saved = |value: Option<Value>| value == Some(Value::Loss);
        let is_saved =
            |entry: &root::Entry| entry.rule_value.is_none() && may_be_saved(entry.value);
        let first = root.moves.iter().position(|(_, entry)| is_saved(entry));
        let last = root
            .moves
            .iter()
            .rposition(|(_, entry)| entry.rule_value == draw);
        if let Some((first, last)) = first.zip(last) {
            assert!(last < first, "{}", fen::write(&pos));
            seen += 1;
        }
    }
}

#[track_caller]
fn check_count<R: Rules>(text: &str, plies: u16, expected: Value) {
    let counters = DrawCounters {
        since_zeroing: plies,
        since_conversion: plies,
        main_road: 0,
    };
    let value = root::rule_value(&embedded::<R>(), &position(text), counters);
    assert_eq!(value, Some(expected), "{} {text} after {plies}", R::VARIANT);
}

/// Where both distances are known, and so of losses too whose own view stores none, the counts leave nothing unknown.
#[test]
fn distances_decide_under_counts() {
    let tables = embedded::<Pool>();
    let mut rng = Rng(13);
    let all = slices(5);
    let mut told = [0; 2];
    while told.iter().any(|&count| count < 2_000) {
        let slice = *rng.pick(&all);
        let pos = slice.position(rng.next() % slice.positions());
        let value = tables.probe_wdl(&pos);
        let distances = tables.probe_dtz(&pos).zip(tables.probe_dtc(&pos));
        if distances.is_none() || value == Some(Value::Draw) {
            continue;
        }
        let counters = DrawCounters {
            since_zeroing: 3,
            since_conversion: 3,
            main_road: 0,
        };
        let by_rule = root::rule_value(&tables, &pos, counters);
        assert_eq!(by_rule, value, "{}", fen::write(&pos));
        told[usize::from(value == Some(Value::Win))] += 1;
    }
}

/// Says whether the strong side, three kings against one, takes or gives a king before a count ends the game: by search over moves and
/// counts alone. The tables only keep it from moves that let the win go.
fn converts(
    tables: &Tables<Pool>,
    game: &mut Game<Pool>,
    strong: Side,
    known: &mut HashMap<(Key, u16), bool>,
) -> bool {
    if let Some(ending) = game.ending() {
        return ending.winner == Some(strong);
    }
    let state = (game.key(), game.counters().since_conversion);
    if !game.moves().is_empty() && state.1 == 0 {
        return true;
    }
    if let Some(&known) = known.get(&state) {
        return known;
    }
    let is_strong = game.position().turn() == strong;
    let mut moves: Vec<_> = game.legal_moves().into_iter().collect();
    if is_strong {
        let after = |mv: &Move| game.position().play(*mv);
        moves.retain(|mv| tables.probe_wdl(&after(mv)) == Some(Value::Loss));
        moves.sort_by_key(|mv| tables.probe_dtc(&after(mv)));
    }
    let mut succeeds = |mv: &Move| {
        game.play(*mv);
        let value = converts(tables, game, strong, known);
        game.undo();
        value
    };
    let value = if is_strong {
        moves.iter().any(&mut succeeds)
    } else {
        moves.iter().all(&mut succeeds)
    };
    known.insert(state, value);
    value
}

/// By distance to the end of the game this ending is lost in 26 plies, so that the lone king's 13th move would come first. But
/// the count asks for three kings against one, and the lone king is made to take one of them with its 12th move at the latest.
#[test]
fn the_longest_triangle_is_won_in_pool() {
    let mut game = Game::<Pool>::from_position(position("B:WK3,K11,K12:BK13"));
    let tables = embedded();
    assert!(converts(
        &tables,
        &mut game,
        Side::White,
        &mut HashMap::new()
    ));
}

/// What is won under the rules stays won by every move that is said to win, even if the winner takes its time, and is won in the end.
/// The loser plays what is listed first, the longest defence.
fn play_out<R: Rules>(seed: u64, slices: &[Slice], slowest: usize) {
    let tables = embedded::<R>();
    let mut rng = Rng(seed);
    let mut played = 0;
    while played < 60 {
        let slice = *rng.pick(slices);
        let pos = slice.position(rng.next() % slice.positions());
        let mut game = Game::<R>::from_position(pos);
        if root::probe(&tables, &game, true).entry.rule_value != Some(Value::Win) {
            continue;
        }
        played += 1;
        let winner = pos.turn();
        let slow = rng.below(slowest + 1);
        let mut takes_time = true;
        while game.ending().is_none() {
            let root = root::probe(&tables, &game, true);
            // Counts of repetition are left out of the values, so the slow winner avoids what has been.
            let wins = |&&(mv, entry): &&(Move, root::Entry)| {
                let mut after = game.clone();
                after.play(mv);
                let mut replies = after.legal_moves().into_iter();
                let is_new = replies.all(|reply| {
                    let mut then = after.clone();
                    then.play(reply);
                    then.repetitions() == 1
                });
                entry.rule_value == Some(Value::Win) && after.repetitions() == 1 && is_new
            };
            let slowest = root.moves.iter().rfind(wins);
            let turn = game.position().turn();
            takes_time &= game.moves().len() < slow && (turn != winner || slowest.is_some());
            let is_slow = takes_time && turn == winner;
            let chosen = slowest.filter(|_| is_slow).unwrap_or(&root.moves[0]);
            game.play(chosen.0);
        }
        let ending = game.ending().expect("it has ended");
        let start = fen::write(&pos);
        let reason = ending.reason;
        assert_eq!(
            ending.winner,
            Some(winner),
            "{} {start} {slow} {reason}",
            R::VARIANT
        );
    }
}

#[test]
fn wins_are_won() {
    let few: Vec<Slice> = (3..=5).flat_map(slices).collect();
    play_out::<Russian>(1, &few, 40);
    // DTC, which this count is about, is left out of some slices, so the order of the moves there is not for the last minute.
    play_out::<Pool>(2, &few, 0);
    play_out::<Pool25>(3, &few, 40);
    play_out::<Brazilian>(4, &few, 40);
    // Here two counts run at once, and only each by itself is looked at.
    play_out::<RussianFmjd64>(5, &few, 0);
    let kings = ["3K-1K".parse().expect("it is a slice")];
    play_out::<Russian>(6, &kings, 40);
    play_out::<Pool>(7, &kings, 40);
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

/// The same bytes with any number of threads, and after an interruption.
#[test]
fn building_is_repeatable() {
    let archive = |threads| {
        make::archive::<Russian, Russian>(&plan(3, threads), None, &mut |_: &Progress| ())
            .expect("nothing stands in the way")
    };
    assert_eq!(archive(1), archive(3));
    let folder = folder("repeatable");
    let build = |threads| {
        make::folder::<Pool>(&plan(3, threads), &folder, &mut |_: &Progress| ())
            .expect("it can be written");
        let mut files = Vec::new();
        for entry in fs::read_dir(&folder).expect("it is there") {
            let path = entry.expect("it can be listed").path();
            let bytes = fs::read(&path).expect("it can be read");
            files.push((path, bytes));
        }
        files.sort();
        files
    };
    let files = build(2);
    assert_eq!(files.len(), 9);
    fs::remove_file(folder.join("pool-2K-1K.tables")).expect("it is there");
    fs::write(folder.join("pool-1K1M-1K.tables"), "half").expect("it can be written");
    assert_eq!(build(1), files);
    // What was built is what is in the program.
    let (from_files, program) = (
        Tables::<Pool>::open_folder(&folder).expect("it is there"),
        embedded::<Pool>(),
    );
    for slice in (2..=3).flat_map(slices) {
        for index in (0..slice.positions()).step_by(7) {
            let pos = slice.position(index);
            assert_eq!(from_files.probe_wdl(&pos), program.probe_wdl(&pos));
            assert_eq!(from_files.probe_dtc(&pos), program.probe_dtc(&pos));
            assert_eq!(from_files.probe_dtz(&pos), program.probe_dtz(&pos));
        }
    }
    let _ = fs::remove_dir_all(&folder);
}

/// A damaged or shortened file gives one message and no wrong value.
#[test]
fn damage_is_found() {
    let folder = folder("damage");
    make::folder::<Russian>(&plan(2, 1), &folder, &mut |_: &Progress| ())
        .expect("it can be written");
    let path = folder.join("russian-1K-1M.tables");
    let whole = fs::read(&path).expect("it is there");
    let truth = embedded::<Russian>();
    let slice: Slice = "1K-1M".parse().expect("it is a slice");
    let check = |bytes: &[u8], what: &str| {
        fs::write(&path, bytes).expect("it can be written");
        let tables = Tables::<Russian>::open_folder(&folder).expect("the folder is there");
        let mut unknown = 0;
        for slice in [slice, slice.flipped()] {
            for index in 0..slice.positions() {
                let pos = slice.position(index);
                match tables.probe_wdl(&pos) {
                    None => unknown += 1,
                    value => assert_eq!(value, truth.probe_wdl(&pos), "{what}"),
                }
                if let Some(plies) = tables.probe_dtz(&pos) {
                    assert_eq!(Some(plies), truth.probe_dtz(&pos), "{what}");
                }
                if let Some(plies) = tables.probe_dtc(&pos) {
                    assert_eq!(Some(plies), truth.probe_dtc(&pos), "{what}");
                }
            }
        }
        tables.check_blocks();
        let faults = tables.take_faults();
        assert!(faults.len() <= 1, "{what}: {faults:?}");
        assert!(faults.iter().all(|fault| !fault.to_string().contains('\n')));
        (unknown, faults.len())
    };
    assert_eq!(check(&whole, "whole"), (0, 0));
    for length in 0..whole.len() {
        let (unknown, faults) = check(&whole[..length], "short");
        assert!(unknown > 0 && faults == 1, "cut after {length} bytes");
    }
    let mut found = 0;
    for at in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x10;
        found += check(&bytes, "bent").1;
    }
    assert_eq!(found, whole.len(), "every bent byte is found");
    fs::remove_file(&path).expect("it is there");
    let tables = Tables::<Russian>::open(&folder).expect("the rest is there");
    assert!(
        tables.probe_wdl(&position("W:WK32:B1")).is_some(),
        "the program has it"
    );
    let _ = fs::remove_dir_all(&folder);
    assert!(Tables::<Russian>::open(&folder).is_err(), "no folder");
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

fn run(args: &[&str]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_mainroad"));
    program
        .arg("tables")
        .args(args)
        .output()
        .expect("it was built")
}

#[track_caller]
fn objects(args: &[&str]) -> Vec<serde_json::Value> {
    let output = run(args);
    assert_eq!(output.status.code(), Some(0), "{args:?}");
    assert!(output.stderr.is_empty(), "{args:?}");
    let text = String::from_utf8(output.stdout).expect("output is UTF-8");
    let parse = |line| serde_json::from_str(line).expect("every line is an object");
    text.lines().map(parse).collect()
}

#[test]
fn probe_command() {
    let found = &objects(&["probe", "--fen", "W:WKa1:BKb2", "--json"])[0];
    assert_eq!(found["value"], "win");
    assert_eq!(found["rule_value"], "win");
    assert_eq!(
        (&found["distance"], &found["zeroing"]),
        (&1.into(), &1.into())
    );
    let found = &objects(&[
        "probe",
        "--fen",
        "W:WKb8:BKg1",
        "--variant",
        "pool",
        "--json",
    ])[0];
    assert_eq!(found["fen"], "W:WK1:BK32");
    assert_eq!(found["value"], "draw");
    assert!(found["distance"].is_null() && found["zeroing"].is_null());
    let moves = found["moves"].as_array().expect("it is a list");
    assert_eq!(moves.len(), 7);
    for field in ["text", "value", "rule_value", "distance", "zeroing"] {
        assert!(moves[0].get(field).is_some(), "{field}");
    }
    // More pieces than the tables have.
    let output = run(&["probe"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.starts_with(b"unknown\n"));
}

/// Single slices, once those that they lead to are there, in the folder or in the program.
#[test]
fn slices_are_built_one_by_one() {
    let folder = folder("slices");
    let only = |name: &str| Plan {
        slices: vec![name.parse().expect("it is a slice")],
        ..plan(3, 1)
    };
    let build = |name| make::folder::<Russian>(&only(name), &folder, &mut |_: &Progress| ());
    let error = build("6K-1K").expect_err("not all is there").to_string();
    assert!(error.contains("6K-1K needs 5K-1K"), "{error}");
    build("1K1M-1K").expect("the program has the rest");
    let tables = Tables::<Russian>::open_folder(&folder).expect("it is there");
    assert_eq!(tables.slices().len(), 2);
    build("1K-1K").expect("it needs nothing");
    build("1K-1M").expect("it needs one king against one");
    build("2K-1K").expect("it needs one king against one");
    let tables = Tables::<Russian>::open_folder(&folder).expect("it is there");
    let slice = "1K1M-1K".parse().expect("it is a slice");
    assert_eq!(verify::check(&tables, slice, 1).faults, 0);
    let _ = fs::remove_dir_all(&folder);
}

/// Processes that share a folder, each with a part of the slices: what another has not made yet is left out until the next call.
#[test]
fn parts_make_the_whole() {
    const SLICES: &str = "2K-1K,5K-1K,1M-1M,2K-1M";
    let (whole, parts) = (folder("whole"), folder("parts"));
    let names = [&whole, &parts].map(|folder| folder.to_str().expect("the name is UTF-8"));
    let build = |dir, shard| {
        let args = ["build", "--pieces", "6", "--slices", SLICES, "--dir", dir];
        let output = run(&[&args[..], &["--shard", shard]].concat());
        let told = String::from_utf8(output.stderr).expect("output is UTF-8");
        (output.status.code(), told)
    };
    assert_eq!(build(names[0], "1/1").0, Some(0));
    for part in ["2/3", "1/3", "3/3"] {
        assert_eq!(build(names[1], part).0, Some(0), "{part}");
    }
    let read = |folder: &PathBuf| {
        let entries = fs::read_dir(folder).expect("it is there");
        let paths = entries.map(|entry| entry.expect("it can be listed").path());
        let mut files: Vec<_> = paths
            .map(|path| {
                (
                    path.file_name().map(ToOwned::to_owned),
                    fs::read(&path).expect("it can be read"),
                )
            })
            .collect();
        files.sort();
        files
    };
    assert_eq!(read(&whole), read(&parts));
    assert_eq!(read(&whole).len(), 4);
    check_many_pieces(&whole);
    let verified = run(&["verify", "--dir", names[0], "--every", "99991"]);
    assert_eq!(verified.status.code(), Some(0), "{verified:?}");
    let (code, told) = build(names[1], "4/3");
    assert_eq!(code, Some(2), "{told}");
    let _ = fs::remove_dir_all(&whole);
    let _ = fs::remove_dir_all(&parts);
}

/// Tables of more pieces than are in the program: their blocks come and go, and they have values only.
fn check_many_pieces(folder: &std::path::Path) {
    let tables = Tables::<Russian>::open(folder).expect("it is there");
    let slice: Slice = "5K-1K".parse().expect("it is a slice");
    assert_eq!(tables.most_pieces(), 6);
    for view in [slice, slice.flipped()] {
        let checked = verify::check(&tables, view, 997);
        assert_eq!((checked.faults, checked.first), (0, None), "{view}");
    }
    // Threads that read all over the table see what one sees.
    let count = |tables: &Tables<Russian>| {
        let all = (0..slice.positions()).step_by(1_009);
        all.filter(|&index| tables.probe_wdl(&slice.position(index)) == Some(Value::Win))
            .count()
    };
    let alone = count(&Tables::open(folder).expect("it is there"));
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| count(&tables))).collect();
        for thread in threads {
            assert_eq!(thread.join().expect("it does not panic"), alone);
        }
    });
    assert!(tables.take_faults().is_empty());
}

#[test]
fn info_command() {
    let listed = objects(&["info", "--pieces", "3", "--json"]);
    assert_eq!(listed.len(), 4 + 12);
    for slice in &listed {
        let number = |field: &str| slice[field].as_u64().expect("it is a number");
        let sum = number("wins") + number("draws") + number("losses");
        assert_eq!(sum, number("positions"), "{slice}");
        assert!(
            number("longest") > 0 && slice["longest_fen"].is_string(),
            "{slice}"
        );
    }
}

/// A folder in which not everything is as it should be: one line for what is wrong, and the answer is no.
#[test]
fn bad_folders_are_no_good_news() {
    let folder = folder("bad");
    fs::create_dir_all(&folder).expect("it can be made");
    let dir = folder.to_str().expect("the name is UTF-8");
    let check = |expected: &str| {
        for command in ["verify", "info"] {
            let output = run(&[command, "--dir", dir]);
            let told = String::from_utf8(output.stderr).expect("output is UTF-8");
            assert_eq!(output.status.code(), Some(1), "{command}: {told}");
            assert!(told.contains(expected), "{command}: {told}");
            assert_eq!(told.lines().count(), 1, "{command}: {told}");
        }
    };
    check("no tables of russian");
    let file = folder.join("russian-1K-1K.tables");
    for bad in ["", "mainroad-tables 9 russian -\n"] {
        fs::write(&file, bad).expect("it can be written");
        check("head line");
    }
    fs::remove_file(&file).expect("it is there");
    #[cfg(unix)]
    {
        let made = Command::new("mkfifo").arg(&file).status();
        assert!(made.expect("mkfifo is there").success());
        check("not a file");
    }
    let _ = fs::remove_dir_all(&folder);
}

#[test]
fn build_and_verify_commands() {
    let folder = folder("commands");
    let dir = folder.to_str().expect("the name is UTF-8");
    let build = [
        "build",
        "--variant",
        "brazilian",
        "--pieces",
        "2",
        "--dir",
        dir,
    ];
    assert_eq!(run(&build).status.code(), Some(0));
    let again = run(&build);
    let told = String::from_utf8(again.stderr).expect("output is UTF-8");
    assert_eq!(told.matches("there already").count(), 3, "{told}");
    let verify = ["verify", "--variant", "brazilian", "--dir", dir];
    let output = run(&verify);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(output.stdout, b"3488 positions checked, 0 faults\n");
    fs::write(folder.join("brazilian-1K-1K.tables"), "nonsense").expect("it can be written");
    let output = run(&verify);
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8(output.stderr).expect("output is UTF-8");
    assert_eq!(told.lines().count(), 1, "{told}");
    let _ = fs::remove_dir_all(&folder);
    assert_eq!(run(&verify).status.code(), Some(1), "no folder");
}
