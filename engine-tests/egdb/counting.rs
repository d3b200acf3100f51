//! What the counts of the rule sets make of the values, and that what is won is won in time.

use super::{embedded, position, slices};
use crate::support::Rng;
use mainroad::board::{Key, Move, Position, Side};
use mainroad::egdb::{Slice, Tables, Value, root};
use mainroad::notation::{fen, moves};
use mainroad::rules::{Brazilian, DrawCounters, Game, Pool, Pool25, Rules, Russian, RussianFmjd64};
use mainroad::tools::solving::{self, Effort};
use std::collections::HashMap;
use std::sync::Arc;

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

/// A win whose only way lets the loser repeat a position for the third time is none.
#[test]
fn repetition_takes_wins_away() {
    let tables = embedded::<Russian>();
    let mut game = Game::<Russian>::from_position(position("B:WK21:BK18,K27,K32"));
    for expected in [Value::Win, Value::Draw] {
        for text in ["d4-e3", "a3-c1"] {
            play(&mut game, text);
        }
        let root = root::probe(&tables, &game, true);
        assert_eq!(root.entry.rule_value, Some(expected));
        let root = root::probe(&tables, &game, false);
        assert_eq!(root.entry.rule_value, Some(Value::Win));
        for text in ["e3-d4", "c1-a3"] {
            play(&mut game, text);
        }
    }
}

/// After shuffling to and fro, what the tables say of a position is what `solving` proves, which keeps account of every position that must not come
/// up again. They may leave open what it proves.
#[test]
fn repetition_further_away_is_seen() {
    let tables = Arc::new(embedded::<Russian>());
    let mut rng = Rng(34);
    let slices: Vec<Slice> = slices(4)
        .into_iter()
        .filter(|slice| {
            Side::BOTH
                .iter()
                .all(|&side| slice.position(0).men(side).is_empty())
        })
        .collect();
    let (mut same, mut open, mut saved) = (0, 0, 0);
    for _ in 0..20_000 {
        let slice = *rng.pick(&slices);
        let start = slice.position(rng.next() % slice.positions());
        let Some(game) = shuffled(start, &mut rng) else {
            continue;
        };
        let value = tables.probe_wdl(game.position());
        if value == Some(Value::Draw) {
            continue;
        }
        let told = root::probe(&tables, &game, true).entry.rule_value;
        let Some(told) = told else {
            open += 1;
            continue;
        };
        let effort = Effort {
            nodes: 20_000,
            until: None,
            stop: None,
            counter: None,
        };
        let (solution, _) = solving::prove(&tables, &game, true, effort);
        if let Some(proved) = solution.value {
            let text = moves::write_line::<Russian>(&start, game.moves()).join(" ");
            assert_eq!(told, proved, "{} {text}", fen::write(&start));
            same += 1;
            saved += u32::from(value != Some(told));
        }
    }
    assert!(same > 50 && saved > 1, "{same} the same, {saved} saved");
    assert!(open < same / 10, "{open} left open, {same} the same");
}

/// Plays moves of kings to and fro until some position would end the game by coming up again. `None` if a capture comes first.
fn shuffled(start: Position, rng: &mut Rng) -> Option<Game<Russian>> {
    let mut game = Game::<Russian>::from_position(start);
    for ply in 0_usize..12 {
        let legal = game.legal_moves();
        let back = ply.checked_sub(2).map(|earlier| game.moves()[earlier]);
        let back = back.and_then(|last| {
            let mut fitting = legal.iter();
            fitting.find(|mv| (mv.from, mv.to) == (last.to, last.from))
        });
        let mv = match back {
            Some(mv) if rng.below(4) > 0 => *mv,
            _ if legal.is_empty() => return None,
            _ => *rng.pick(&legal),
        };
        if mv.is_capture() {
            return None;
        }
        game.play(mv);
        if game.ending().is_some() {
            return None;
        }
    }
    Some(game).filter(|game| game.last_repetitions().len() > 1)
}

fn play(game: &mut Game<Russian>, text: &str) {
    let mv = moves::parse::<Russian>(game.position(), text);
    game.play(mv.unwrap_or_else(|error| panic!("{text}: {error}")));
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
