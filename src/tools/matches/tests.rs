//! Tests of the parts of a match that no command shows: clocks, adjudication, openings.

use super::clock::{GameClock, TimeControl};
use super::openings::{self, Source, TABLES};
use super::plan::{Adjudication, DrawByScore, WinByScore};
use super::record::Thought;
use super::referee::judge;
use crate::board::Side;
use crate::rules::{Game, Pool, Rules, Russian, Variant, has_capture};
use crate::tools::shard::Shard;
use crate::with_rules;
use std::time::Duration;

const fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

#[test]
fn time_controls_are_read_and_written() {
    for (text, written) in [
        ("depth=9", "depth=9"),
        ("nodes=1000 depth=4", "depth=4,nodes=1000"),
        ("move-time=0.02", "move-time=0.02"),
        ("time=60,inc=0.6", "time=60,inc=0.6"),
        (" moves=40,  time=300.5 ", "time=300.5,moves=40"),
    ] {
        let read: TimeControl = text.parse().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(read.to_string(), written);
        assert_eq!(written.parse(), Ok(read));
    }
    for text in [
        "",
        "depth",
        "depth=0",
        "depth=-1",
        "depth=1,depth=2",
        "nodes=1e3",
        "move-time=0",
        "move-time=nan",
        "move-time=1e300",
        "inc=1",
        "moves=40",
        "inc=1,moves=3",
        "time=0",
        "time=60,inc=-1",
        "pace=3",
        "nodes=99999999999999999999",
    ] {
        assert!(text.parse::<TimeControl>().is_err(), "{text}");
    }
}

/// The increment comes before the move, as in Hub; the time comes again after the moves of a session.
#[test]
fn clocks_are_kept() {
    let control: TimeControl = "time=10,inc=1,moves=2".parse().expect("it is right");
    let mut clock = GameClock::new(control);
    assert_eq!(clock.allowed(), Some(ms(11_000)));
    clock.spend(ms(4_000), ms(0)).expect("in time");
    assert_eq!((clock.left, clock.moves), (Some(ms(7_000)), Some(1)));
    clock.spend(ms(8_000), ms(0)).expect("just in time");
    assert_eq!((clock.left, clock.moves), (Some(ms(10_000)), Some(2)));
    assert!(clock.spend(ms(11_001), ms(0)).is_err());
    clock.spend(ms(11_100), ms(100)).expect("within the margin");
    assert_eq!(clock.left, Some(ms(0)));

    let mut clock = GameClock::new("move-time=0.5".parse().expect("it is right"));
    assert_eq!(clock.allowed(), Some(ms(500)));
    assert!(clock.spend(ms(501), ms(0)).is_err());
    clock.spend(ms(500), ms(0)).expect("just in time");
    assert_eq!(clock.left, None);

    let mut clock = GameClock::new("nodes=5".parse().expect("it is right"));
    assert_eq!(clock.allowed(), None);
    clock
        .spend(ms(1_000_000), ms(0))
        .expect("there is no limit");
}

/// Scores are those of the side that moved; the last is that of the side that is not to move.
#[track_caller]
fn check_judge(scores: &[i32], turn: Side, expected: Option<(Option<Side>, &'static str)>) {
    let adjudication = Adjudication {
        max_plies: 100,
        win: Some(WinByScore {
            score: 300,
            plies: 4,
        }),
        draw: Some(DrawByScore {
            score: 5,
            plies: 4,
            from: 20,
        }),
        tables: false,
    };
    let thought = |&cp: &i32| Thought {
        cp: Some(cp),
        ..Thought::default()
    };
    let thoughts: Vec<Thought> = scores.iter().map(thought).collect();
    assert_eq!(
        judge(&adjudication, 20, turn, &thoughts),
        expected,
        "{scores:?}"
    );
    // A player that gives no scores agrees to nothing.
    let mut silent = thoughts.clone();
    if let Some(last) = silent.last_mut() {
        last.cp = None;
    }
    assert_eq!(judge(&adjudication, 20, turn, &silent), None);
    assert_eq!(
        judge(&adjudication, 100, turn, &silent),
        Some((None, "max-plies"))
    );
    // Too early for a draw.
    let early = judge(&adjudication, 19, turn, &thoughts);
    assert_eq!(early, expected.filter(|(winner, _)| winner.is_some()));
}

#[test]
fn games_are_adjudicated_when_both_agree() {
    let won = |side| Some((Some(side), "adjudicated-win"));
    check_judge(&[], Side::White, None);
    check_judge(&[300, -300, 400], Side::White, None);
    check_judge(&[300, -300, 400, -310], Side::White, won(Side::White));
    check_judge(&[300, -300, 400, -310], Side::Black, won(Side::Black));
    check_judge(&[-300, 300, -400, 310], Side::White, won(Side::Black));
    check_judge(&[300, -300, 400, -299], Side::White, None);
    check_judge(&[300, 300, 400, 310], Side::White, None);
    check_judge(
        &[9, 5, -5, 0, 3],
        Side::Black,
        Some((None, "adjudicated-draw")),
    );
    check_judge(&[5, -5, 6, 3], Side::Black, None);
}

/// Random openings are quiet, even, different, and follow from the seed.
#[test]
fn random_openings_are_fair() {
    for variant in Variant::ALL {
        with_rules!(variant, R => {
            let made = openings::random::<R>(3, 200, 7);
            assert_eq!(made.len(), 200);
            let mut seen = std::collections::HashSet::new();
            for opening in &made {
                let mut game = Game::<R>::from_position(opening.start);
                for &mv in &opening.moves {
                    game.try_play(mv).expect("openings are legal");
                }
                let pos = *game.position();
                assert!(opening.moves.len() >= 7);
                assert_eq!(pos.material(Side::White), pos.material(Side::Black));
                assert!(!has_capture(&pos) && game.ending().is_none());
                assert!(seen.insert(pos), "no two alike");
            }
            assert_eq!(made, openings::random::<R>(3, 200, 7));
            assert_eq!(made[..50], openings::random::<R>(3, 50, 7));
            assert_ne!(made, openings::random::<R>(4, 200, 7));
        });
    }
    // There are seven first moves.
    assert_eq!(openings::random::<Russian>(1, 100, 1).len(), 7);
    assert_eq!(openings::random::<Russian>(1, 100, 0).len(), 1);
}

/// The ballots are drawn with White to begin; in Pool the colours are exchanged.
#[test]
fn ballots_have_the_side_to_move_of_the_game() {
    for (name, text) in TABLES {
        let (russian, faults) = openings::read::<Russian>(Source::Ballots, text, 0);
        let (pool, pool_faults) = openings::read::<Pool>(Source::Ballots, text, 0);
        assert_eq!(
            russian.len(),
            pool.len(),
            "{name}: {faults:?} {pool_faults:?}"
        );
        for (one, other) in russian.iter().zip(&pool) {
            assert_eq!(one.start.flipped(), other.start, "{name} {}", one.name);
        }
    }
}

#[test]
fn openings_are_read_from_games_and_lists() {
    let pdn = "\u{feff}[Event \"one\"]\n\n1. c3-d4 d6-c5 (1... b6-a5 2. b2-c3) {not c7} 2. b2-c3 f6-g5 1-0\n\n\
               [Event \"two\"]\n[FEN \"B:W25,26:B1,2\"]\n\n1... b8-a7 2. b2-a3 *\n\n[Event \"bad\"]\n1. c3-c4 *\n";
    let (read, faults) = openings::read::<Russian>(Source::Pdn, pdn, 3);
    assert_eq!(
        read.iter()
            .map(|opening| opening.moves.len())
            .collect::<Vec<_>>(),
        [3, 2]
    );
    assert_eq!(faults.len(), 1);
    assert!(
        faults[0].starts_with("game at line 10: \"c3-c4\" cannot be read as a move"),
        "{faults:?}"
    );

    let list = "# comment\nW:W25,26:B1,2\n\nW:W25,26:B1,2 moves b2-a3\nW:W25:B9\nW:W:B1\nW:W25:B\nW:W25,26:B1,2\n";
    let (read, faults) = openings::read::<Russian>(Source::List, list, 3);
    assert_eq!(
        read.iter()
            .map(|opening| opening.name.as_str())
            .collect::<Vec<_>>(),
        ["line 2", "line 4", "line 5"]
    );
    assert_eq!(faults.len(), 3, "{faults:?}");
    assert!(faults[0].contains("line 6"), "{faults:?}");
    assert_eq!(faults[1], "line 7: one side has no pieces");
    assert_eq!(faults[2], "line 8: the same position as one before");
    assert_eq!(Russian::start().turn(), Side::White);
}

/// The parts of a job are disjoint, and together they are all of it.
#[test]
fn shards_share_out() {
    for count in 1..=9u64 {
        let shards: Vec<Shard> = (1..=count)
            .map(|number| format!("{number}/{count}").parse().expect("it is right"))
            .collect();
        for item in 0..100 {
            assert_eq!(shards.iter().filter(|shard| shard.has(item)).count(), 1);
        }
    }
    for text in ["", "1", "0/2", "3/2", "1/0", "-1/2", "1/2/3", "a/b", "1/ 2"] {
        assert!(text.parse::<Shard>().is_err(), "{text}");
    }
    assert!(Shard::default().is_whole() && Shard::default().to_string() == "1/1");
}
