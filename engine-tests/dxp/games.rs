//! Games of the engine against itself, over pipes and over loopback.

use super::Program;
use mainroad::board::Side;
use mainroad::engine::Options;
use mainroad::protocol::dxp::message::Minutes;
use mainroad::protocol::dxp::{
    Ended, Event, Finished, Fixture, Schedule, Terms, Verdict, follow, initiate,
};
use mainroad::rules::{Game, Rules, Variant};
use mainroad::with_rules;
use std::io::BufReader;
use std::path::PathBuf;
use std::time::Duration;
use std::{fs, thread};

/// How the engine plays in tests.
fn terms(variant: Variant, claims_draws: bool) -> Terms {
    let mut options = Options {
        hash_mib: 1,
        book: "none".to_owned(),
        ..Options::default()
    };
    options.variant = variant;
    options.ponder = false;
    Terms {
        options,
        name: "Mainroad".to_owned(),
        move_time: Duration::from_millis(10),
        claims_draws,
        resigns: false,
        interrupt: crossbeam_channel::never(),
    }
}

/// Plays games of the engine against itself over two pipes, and returns them as either side sees them.
fn games_over_pipes<R: Rules>(change: impl Fn(&mut Terms), games: usize) -> [Vec<Finished<R>>; 2] {
    let (to_follower, from_initiator) = {
        let (reader, writer) = std::io::pipe().expect("pipes can be had");
        (writer, reader)
    };
    let (from_follower, to_initiator) = std::io::pipe().expect("pipes can be had");
    let [mut asking, mut asked] = [true, false].map(|claims| terms(R::VARIANT, claims));
    change(&mut asking);
    change(&mut asked);
    let fixtures = Side::BOTH.map(|own| Fixture {
        start: R::start(),
        own,
    });
    let schedule = Schedule {
        games: fixtures.into_iter().cycle().take(games).collect(),
        minutes: Minutes::within(Duration::from_millis(1_200)),
        moves: 0,
    };
    let follower = thread::spawn(move || {
        let mut seen = Vec::new();
        let mut tell = |event: Event<R>| {
            if let Event::Finished(finished) = event {
                seen.push(finished.clone());
            }
        };
        let input = BufReader::new(from_initiator);
        let ended =
            follow::<R>(input, to_initiator, &asked, &mut tell).expect("threads can be had");
        // The last end may be this side's, which does not know that it is the last.
        assert!(matches!(ended, Ended::Done | Ended::Gone));
        seen
    });
    let mut seen = Vec::new();
    let mut tell = |event: Event<R>| {
        if let Event::Finished(finished) = event {
            seen.push(finished.clone());
        }
    };
    let input = BufReader::new(from_follower);
    let ended = initiate::<R>(input, to_follower, &asking, &schedule, &mut tell);
    assert_eq!(ended.expect("both play"), Ended::Done);
    [seen, follower.join().expect("it plays")]
}

/// Both sides see the same games, with results that follow from the rules.
fn check_games<R: Rules>(change: impl Fn(&mut Terms)) {
    let [one, other] = games_over_pipes::<R>(change, 2);
    assert_eq!((one.len(), other.len()), (2, 2));
    for (game, same) in one.iter().zip(&other) {
        assert_eq!(game.game.moves(), same.game.moves());
        assert_eq!(game.own, same.own.opponent());
        assert_eq!(
            game.verdict, same.verdict,
            "{} {}",
            game.reason, same.reason
        );
        assert_eq!(game.times.len(), game.game.moves().len());
        let winner = match game.verdict {
            Verdict::Won(winner) => Some(winner),
            Verdict::Drawn => None,
            Verdict::Unfinished => panic!("{}", game.reason),
        };
        if game.reason == "resignation" {
            continue;
        }
        let mut replayed = Game::<R>::new();
        let endings = game.game.moves().iter().map(|&mv| {
            replayed.try_play(mv).expect("moves are legal");
            replayed.ending()
        });
        let first = endings.flatten().next().expect("it is over by a rule");
        assert_eq!(
            (first.winner, first.reason.name()),
            (winner, game.reason.as_str())
        );
    }
}

/// The time that each side has, 1.2 s for the game, is kept, also in long ones.
#[test]
fn the_engine_plays_itself() {
    for variant in [Variant::Russian, Variant::Pool, Variant::Brazilian] {
        with_rules!(variant, R => check_games::<R>(|_| ()));
    }
}

#[test]
fn the_engine_plays_itself_and_ponders() {
    with_rules!(Variant::RussianFmjd64, R => check_games::<R>(|terms| terms.options.ponder = true));
}

#[test]
fn the_engine_plays_itself_and_gives_up() {
    with_rules!(Variant::Russian, R => check_games::<R>(|terms| {
        terms.resigns = true;
        terms.options.tables = "none".to_owned();
    }));
}

/// Two programs over loopback; the games are written as PDN.
#[test]
fn programs_play_a_match() {
    let (listener, port) = Program::listen(&["--variant", "pool", "--once", "--book", "none"]);
    let pdn = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("dxp-{port}.pdn"));
    let args = format!(
        "connect 127.0.0.1:{port} --variant pool --games 4 --minutes 0.03 --openings fmjd-64 --threads 1 --hash 1 --pdn {}",
        pdn.display()
    );
    let program = Program::start(&args.split(' ').collect::<Vec<_>>());
    let (out, _) = program.leave();
    let (theirs, _) = listener.leave();
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines.len(), 5, "{out}");
    assert!(
        lines[4].starts_with("4 games: ") && lines[4].ends_with(" 0 unfinished"),
        "{out}"
    );
    assert_eq!(
        theirs.lines().collect::<Vec<_>>(),
        lines[..4],
        "both see the same"
    );
    let text = fs::read_to_string(&pdn).expect("it was written");
    assert_eq!(text.matches("[GameType \"23,B,8,8,N1,0\"]").count(), 4);
    fs::remove_file(pdn).expect("it is there");
}
