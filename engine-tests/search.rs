//! The search: solved positions, repeatability, limits, threads, and the draw counts it sees.

use crate::support::{Rng, amount, random_position};
use mainroad::board::{Bitboard, Move, MoveList, Position, Side, Square};
use mainroad::engine::{Engine, Event, Options, Resources, Thinking};
use mainroad::eval::Evaluation;
use mainroad::notation::{fen, moves};
use mainroad::rules::{
    Game, Reason, Rules, Russian, RussianMovement, Variant, has_capture, legal_moves,
};
use mainroad::score::Score;
use mainroad::search::{Clock, Control, Limits, Outcome, Report, Task, Team};
use mainroad::tt::Table;
use mainroad::with_rules;
use std::collections::HashSet;
use std::time::{Duration, Instant};

fn position(text: &str) -> Position {
    fen::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// A depth, searched to its end even if there is only one move.
fn depth(depth: i32) -> Limits {
    Limits {
        depth: Some(depth),
        is_analysis: true,
        ..Limits::default()
    }
}

/// Searches with a new table of 16 MiB.
fn search<R: Rules>(game: &Game<R>, limits: Limits, threads: usize) -> Outcome {
    let team = Team::new(threads).expect("threads can be had");
    let table = Table::new(16).expect("16 MiB can be had");
    Task::new(game.clone(), limits).run(&team, &table, &Control::new(), &mut |_: &Report| ())
}

/// Returns the plies to a forced win (or, negative, loss) within a depth, by trying everything: no draws, no pruning but by the
/// depth.
fn exhaustive<R: Rules>(pos: &Position, depth: i32) -> Option<i32> {
    let mut moves = MoveList::new();
    legal_moves::<R>(pos, &mut moves);
    if moves.is_empty() {
        return Some(0);
    }
    if depth == 0 {
        return None;
    }
    let replies: Vec<Option<i32>> = moves
        .iter()
        .map(|&mv| exhaustive::<R>(&pos.play(mv), depth - 1))
        .collect();
    // A reply of 0 or less plies is the opponent's loss.
    let win = replies
        .iter()
        .flatten()
        .filter(|&&plies| plies <= 0)
        .map(|plies| 1 - plies)
        .min();
    win.or_else(|| {
        replies
            .into_iter()
            .map(|reply| reply.filter(|&plies| plies > 0))
            .try_fold(0, |longest, reply| Some(longest.min(-reply? - 1)))
    })
}

/// Returns the plies to a win or (negative) loss that the search claims at a depth, if they are at most five.
fn claimed<R: Rules>(pos: &Position, plies: i32) -> Option<i32> {
    let score = search(&Game::<R>::from_position(*pos), depth(plies), 1)
        .report
        .score;
    let sign = if score > Score::DRAW { 1 } else { -1 };
    let plies = score.plies_to_end().filter(|&plies| plies <= 5);
    plies.map(|plies| sign * plies)
}

/// Wins and losses within five plies, proved by trying everything, are found with their exact distance, given some depth more: late
/// moves are reduced. A win or loss that is claimed sooner is one, and no nearer than claimed.
#[track_caller]
fn check_proofs<R: Rules>(seed: u64) {
    let mut rng = Rng(seed);
    let (mut wins, mut losses) = (0, 0);
    for _ in 0..400 {
        let pos = random_position(&mut rng, 4, 1);
        let expected = exhaustive::<R>(&pos, 5);
        let text = || format!("{} {}", R::VARIANT, fen::write(&pos));
        if let Some(plies) = claimed::<R>(&pos, 6) {
            let holds = expected.is_some_and(|known| {
                known.signum() == plies.signum() && known.abs() <= plies.abs()
            });
            assert!(holds, "{}: {plies} claimed, {expected:?} true", text());
        }
        assert_eq!(claimed::<R>(&pos, 12), expected, "{}", text());
        wins += u32::from(expected.is_some_and(|plies| plies > 0));
        losses += u32::from(expected.is_some_and(|plies| plies < 0));
    }
    assert!(
        wins > 30 && losses > 10,
        "{wins} wins and {losses} losses are too few"
    );
}

#[test]
fn proofs() {
    check_proofs::<mainroad::rules::RussianOnline>(1);
    check_proofs::<mainroad::rules::Pool>(2);
    check_proofs::<mainroad::rules::Brazilian>(3);
}

/// Wins without tables whose shortest length `mainroad solve` proves are found with it, some plies deeper, though longer ones come up first:
/// that a win is in the transposition table does not say that there is none sooner.
#[test]
fn longer_wins_do_not_hide_the_shortest() {
    for (variant, text, plies) in [
        (Variant::Russian, "B:W15,18,19,26:B7,20,K28", 15),
        (Variant::Russian, "B:W17,18,22:B9,10,16,19", 21),
        (Variant::Brazilian, "B:W13,17,25,26:BK5,19", 17),
        (Variant::Brazilian, "W:W7,28,31:B5,15,16,20", 17),
    ] {
        let outcome = with_rules!(variant, R => {
            search(&Game::<R>::from_position(position(text)), depth(plies + 12), 1)
        });
        assert_eq!(outcome.report.score, Score::win_in(plies), "{text}");
    }
}

#[test]
fn lost_and_blocked_positions() {
    for text in ["W:W:B1", "W:W21:B17,14", "B:W21:B"] {
        let game = Game::<Russian>::from_position(position(text));
        let outcome = search(&game, depth(5), 1);
        assert_eq!(
            (outcome.best, outcome.report.score),
            (None, Score::loss_in(0)),
            "{text}"
        );
    }
}

/// Petrov's triangle needs more depth; with the lone king off the road and a shot at hand the win is near.
#[test]
fn proven_ends_stay_and_get_no_longer() {
    let mut rng = Rng(5);
    let mut decided = 0;
    for _ in 0..60 {
        let pos = random_position(&mut rng, 0, 3);
        let game = Game::<mainroad::rules::RussianOnline>::from_position(pos);
        let shallow = search(&game, depth(7), 1).report.score;
        let deep = search(&game, depth(11), 1).report.score;
        if let Some(plies) = shallow.plies_to_end().filter(|&plies| plies <= 7) {
            let same_side = (deep > Score::DRAW) == (shallow > Score::DRAW);
            let is_no_longer = deep.plies_to_end().is_some_and(|deep| deep <= plies);
            assert!(
                same_side && is_no_longer,
                "{}: {shallow:?}, then {deep:?}",
                fen::write(&pos)
            );
            decided += 1;
        }
    }
    assert!(decided > 10, "only {decided} decided positions");
}

#[test]
fn the_same_search_twice_is_the_same() {
    for variant in Variant::ALL {
        for limits in [
            depth(9),
            Limits {
                nodes: Some(20_000),
                ..Limits::default()
            },
        ] {
            let (first, second) = with_rules!(variant, R => {
                let game = Game::<R>::new();
                (search(&game, limits.clone(), 1), search(&game, limits, 1))
            });
            assert_eq!(first.best, second.best, "{variant}");
            assert_eq!(first.report.nodes, second.report.nodes, "{variant}");
            assert_eq!(first.report.pv, second.report.pv, "{variant}");
        }
    }
}

#[test]
fn node_limits_are_exact() {
    for nodes in [200, 1_000, 5_000, 123_456] {
        let limits = Limits {
            nodes: Some(nodes),
            ..Limits::default()
        };
        let outcome = search(&Game::<mainroad::rules::Pool>::new(), limits, 1);
        assert_eq!(outcome.report.nodes, nodes);
        assert!(outcome.best.is_some());
    }
}

#[test]
fn even_no_nodes_give_a_legal_move() {
    for limits in [
        Limits {
            nodes: Some(0),
            ..Limits::default()
        },
        Limits {
            move_time: Some(Duration::ZERO),
            ..Limits::default()
        },
    ] {
        let game = Game::<Russian>::new();
        let best = search(&game, limits, 2).best.expect("there are seven");
        assert!(game.legal_moves().contains(&best));
    }
}

/// Lines that many threads report from a table that is far too small are legal to their end.
///
/// `TINY_TABLE_SECONDS=600 cargo test --release tiny_table -- --nocapture` goes on for ten minutes.
#[test]
#[expect(clippy::print_stdout, reason = "the larger check is run to be told")]
fn many_threads_on_a_tiny_table_play_legal_lines() {
    let team = Team::new(8).expect("threads can be had");
    let table = Table::new(1).expect("1 MiB can be had");
    let mut rng = Rng(6);
    let started = Instant::now();
    let time = Duration::from_secs(amount("TINY_TABLE_SECONDS", 0) as u64);
    let (mut searches, mut lines, mut moves) = (0, 0, 0);
    while searches < 12 || started.elapsed() < time {
        let variant = Variant::ALL[searches % Variant::ALL.len()];
        let pos = random_position(&mut rng, 6, 3);
        with_rules!(variant, R => {
            let game = Game::<R>::from_position(pos);
            let check_line = &mut |report: &Report| {
                let mut game = game.clone();
                for &mv in &report.pv {
                    game.try_play(mv).unwrap_or_else(|error| panic!("{variant} {}: {error}", fen::write(&pos)));
                }
                lines += 1;
                moves += report.pv.len();
            };
            let limits = Limits { nodes: Some(200_000), ..Limits::default() };
            Task::new(game.clone(), limits).run(&team, &table, &Control::new(), check_line);
        });
        searches += 1;
    }
    println!("{searches} searches: {lines} lines, {moves} moves");
    assert!(lines > searches, "only {lines} lines were reported");
}

/// A reported line is legal to its end, and that of a proven win or loss leads to it in as many plies as the score says.
#[test]
fn lines_are_legal_and_complete() {
    let team = Team::new(1).expect("threads can be had");
    let table = Table::new(16).expect("16 MiB can be had");
    let mut rng = Rng(13);
    let mut decided = 0;
    for round in 0..900 {
        let variant = Variant::ALL[round % Variant::ALL.len()];
        let pos = random_position(&mut rng, 1 + round % 8, 2);
        with_rules!(variant, R => {
            let game = Game::<R>::from_position(pos);
            let check_line = &mut |report: &Report| {
                let text = || format!("{variant} {}: {report:?}", fen::write(&pos));
                let mut game = game.clone();
                for &mv in &report.pv {
                    game.try_play(mv).unwrap_or_else(|error| panic!("{}: {error}", text()));
                }
                if let Some(plies) = report.score.plies_to_end() {
                    assert_eq!(report.pv.len() as i32, plies, "{}", text());
                    assert!(game.loss().is_some(), "{}", text());
                    decided += 1;
                }
            };
            table.clear();
            Task::new(game.clone(), depth(7)).run(&team, &table, &Control::new(), check_line);
        });
    }
    assert!(decided > 300, "only {decided} decided lines");
}

#[test]
fn time_limits_hold() {
    let game = Game::<Russian>::new();
    let clock = Clock {
        time: Duration::from_millis(300),
        increment: Duration::ZERO,
        moves: Some(1),
        overhead: Duration::from_millis(20),
        can_ponder: false,
    };
    for limits in [
        Limits {
            move_time: Some(Duration::from_millis(100)),
            ..Limits::default()
        },
        Limits {
            clock: Some(clock),
            ..Limits::default()
        },
    ] {
        let started = Instant::now();
        search(&game, limits.clone(), 1);
        let elapsed = started.elapsed();
        // Far above the limits: other tests run at the same time.
        assert!(
            elapsed < Duration::from_millis(900),
            "{limits:?}: {elapsed:?}"
        );
    }
}

#[test]
fn stop_and_ponder_hit_end_a_search() {
    let game = Game::<Russian>::new();
    let team = Team::new(2).expect("threads can be had");
    let table = Table::new(1).expect("1 MiB can be had");
    let endless = Limits {
        is_endless: true,
        is_analysis: true,
        ..Limits::default()
    };
    let timed = Limits {
        move_time: Some(Duration::from_millis(20)),
        ..Limits::default()
    };
    for (control, limits, ends) in [
        (
            Control::new(),
            endless.clone(),
            Control::stop as fn(&Control),
        ),
        (Control::pondering(), timed.clone(), |control| {
            control.ponder_hit(Instant::now());
        }),
        (Control::pondering(), timed, Control::stop),
    ] {
        let task = Task::new(game.clone(), limits);
        std::thread::scope(|scope| {
            let running =
                scope.spawn(|| task.run(&team, &table, &control, &mut |_: &Report| ()).best);
            std::thread::sleep(Duration::from_millis(150));
            assert!(!running.is_finished(), "it ended by itself");
            ends(&control);
            let started = Instant::now();
            assert!(running.join().expect("no panic").is_some());
            assert!(started.elapsed() < Duration::from_secs(2));
        });
    }
}

/// A stop that comes before the search begins still gets a legal move.
#[test]
fn early_stop() {
    let game = Game::<mainroad::rules::Pool>::new();
    let team = Team::new(4).expect("threads can be had");
    let table = Table::new(1).expect("1 MiB can be had");
    let control = Control::new();
    control.stop();
    let outcome =
        Task::new(game, Limits::default()).run(&team, &table, &control, &mut |_: &Report| ());
    assert!(outcome.best.is_some());
}

/// Plays random moves of three kings against one, without captures, until a count ends the game; then takes some back.
fn nearly_drawn<R: Rules>(rng: &mut Rng, plies_left: usize) -> Option<Game<R>> {
    let kings = |rng: &mut Rng, count| -> Bitboard {
        let squares: Vec<Square> = Square::all().collect();
        (0..count).map(|_| *rng.pick(&squares)).collect()
    };
    let (strong, lone) = (kings(rng, 3), kings(rng, 1));
    let pos = Position::new([Bitboard::EMPTY; 2], [strong, lone], *rng.pick(&Side::BOTH)).ok()?;
    let mut game = Game::<R>::from_position(pos);
    while game.ending().is_none() {
        let moves = game.legal_moves();
        let quiet: Vec<Move> = moves
            .into_iter()
            .filter(|&mv| !mv.is_capture() && !has_capture(&game.position().play(mv)))
            .collect();
        if quiet.is_empty() {
            return None;
        }
        game.play(*rng.pick(&quiet));
    }
    if game.ending()?.reason == Reason::Repetition {
        return None;
    }
    for _ in 0..plies_left {
        game.undo()?;
    }
    Some(game)
}

/// Where a count is about to end the game, a win that takes longer is not seen as a win.
#[track_caller]
fn check_counts<R: Rules>(seed: u64) {
    const PLIES_LEFT: usize = 3;
    let mut rng = Rng(seed);
    let mut taken_away = 0;
    for _ in 0..20_000 {
        let Some(game) = nearly_drawn::<R>(&mut rng, PLIES_LEFT) else {
            continue;
        };
        let fresh = search(&Game::<R>::from_position(*game.position()), depth(7), 1)
            .report
            .score;
        if fresh
            .plies_to_end()
            .is_none_or(|plies| plies <= PLIES_LEFT as i32 + 1)
        {
            continue;
        }
        let counted = search(&game, depth(7), 1).report.score;
        // A win on whose way a king is given up starts a new count in time, and stays a win.
        let sooner = counted
            .plies_to_end()
            .is_some_and(|plies| Some(plies) < fresh.plies_to_end());
        assert!(
            !sooner,
            "{} {}: {:?}",
            R::VARIANT,
            fen::write(game.position()),
            game.counters()
        );
        taken_away += u32::from(!counted.is_decided());
        if taken_away >= 3 {
            return;
        }
    }
    panic!("{}: only {taken_away} wins were taken away", R::VARIANT);
}

#[test]
fn wins_that_a_count_takes_away_are_not_wins() {
    check_counts::<Russian>(7);
    check_counts::<mainroad::rules::Pool>(8);
    check_counts::<mainroad::rules::RussianFmjd64>(9);
    check_counts::<mainroad::rules::Brazilian>(10);
}

/// Plays random moves of kings that leave nothing hanging until a game is drawn.
fn drawn_game<R: Rules>(rng: &mut Rng, reason: Reason) -> Game<R> {
    loop {
        if let Some(game) = nearly_drawn::<R>(rng, 0)
            && game.ending().is_some_and(|ending| ending.reason == reason)
        {
            return game;
        }
    }
}

/// A position that is drawn by rule but has moves is searched all the same, and not as if every line were a draw.
#[test]
fn drawn_positions_are_answered() {
    let mut rng = Rng(11);
    let mut game = drawn_game::<Russian>(&mut rng, Reason::ThreeVOne);
    let outcome = search(&game, depth(6), 1);
    assert!(outcome.best.is_some());
    assert_ne!(
        outcome.report.score,
        Score::DRAW,
        "three kings are ahead, whatever the count says"
    );
    // The game may go on under a client that does not count; repetition is still seen then.
    let start = *game.position();
    for _ in 0..3 {
        let moves = game.legal_moves();
        game.play(*rng.pick(&moves));
    }
    assert_ne!(game.position(), &start);
    assert!(
        game.ending().is_some()
            && search(&game, depth(4), 1).best.is_some() == game.loss().is_none()
    );
}

/// A position that occurred twice in the game before the root is a draw when it is met again; one that occurred once is not.
#[test]
fn repetitions_of_the_game_are_seen() {
    type R = mainroad::rules::RussianOnline;
    let check = |rounds: usize, expected: Score| {
        let mut game = Game::<R>::from_position(position("W:WK30,K31:BK4"));
        let cycle = ["e1-f2", "h8-g7", "f2-e1", "g7-h8"];
        for text in cycle.iter().cycle().take(4 * rounds + 3) {
            let mv = moves::parse::<R>(game.position(), text);
            game.play(mv.unwrap_or_else(|error| panic!("{error}")));
        }
        // Black, a king behind, can go back to the start.
        let task = Task {
            evaluation: Evaluation::Material,
            ..Task::new(game, depth(1))
        };
        let table = Table::new(1).expect("1 MiB can be had");
        assert_eq!(
            task.run_here(&table).report.score,
            expected,
            "after {rounds} rounds"
        );
    };
    check(0, Score(-300));
    check(1, Score::DRAW);
}

/// A search that is stopped within its first iteration, which king captures without end can make long, answers at once.
#[test]
fn even_a_huge_first_iteration_is_stopped() {
    // Found by a hill climb: 14 million positions at depth 1.
    let pos = position("BWBeBWBWWeWWWBeWeWeBBBWBeBWWBeBBe");
    let game = Game::<Russian>::from_position(pos);
    let limits = Limits {
        nodes: Some(20_000),
        ..Limits::default()
    };
    let outcome = search(&game, limits, 1);
    assert_eq!(outcome.report.nodes, 20_000);
    assert!(
        outcome
            .best
            .is_some_and(|best| outcome.report.pv.first() == Some(&best))
    );
}

#[test]
fn material_evaluation_counts() {
    let check = |evaluation: &Evaluation, pos: &Position, expected: Score| {
        let mut evaluator = evaluation.evaluator::<RussianMovement>();
        assert_eq!(evaluator.evaluate(pos), expected);
    };
    let pos = position("W:W21,22,K31:B1,K2");
    check(&Evaluation::Material, &pos, Score(100));
    check(&Evaluation::Material, &pos.passed(), Score(-100));
}

/// The evaluation treats both sides alike.
#[test]
fn evaluation_is_symmetric() {
    for evaluation in [
        Evaluation::Learned,
        Evaluation::Handmade,
        Evaluation::Material,
    ] {
        let mut evaluator = evaluation.evaluator::<RussianMovement>();
        let mut rng = Rng(12);
        for _ in 0..2_000 {
            let pos = random_position(&mut rng, 10, 3);
            let score = evaluator.evaluate(&pos);
            let of_turned = evaluator.evaluate(&pos.flipped());
            assert_eq!(score, of_turned, "{evaluation} {}", fen::write(&pos));
            assert!(score.0.abs() <= Score::MAX_EVAL.0);
        }
    }
}

/// Whoever answers for a search that is overdue answers as the search itself would: with the move that limited strength chooses, and
/// with no more lines than were asked for.
#[test]
fn overdue_answers_are_of_limited_strength_too() {
    let mut chosen = HashSet::new();
    for seed in 1..=20 {
        let options = Options {
            skill: 5,
            seed,
            hash_mib: 1,
            ..Options::default()
        };
        let resources = Resources::new(&options).expect("so little can be had");
        let limits = Limits {
            depth: Some(2),
            ..Limits::default()
        };
        let job = Engine::<Russian>::default().prepare(&options, &resources, limits);
        let thinking = Thinking::start(job, Control::new()).expect("a thread can be had");
        let mut events = thinking.events().iter();
        let done = events.find_map(|event| match event {
            Event::Done(outcome, _) => Some(outcome),
            Event::Iteration(_) => None,
        });
        let done = done.expect("the search ends");
        let so_far = thinking.so_far();
        assert_eq!(so_far.best, done.best, "seed {seed}");
        assert_eq!(so_far.report.pv, done.report.pv, "seed {seed}");
        assert_eq!(so_far.report.others, done.report.others, "seed {seed}");
        chosen.insert(done.best);
    }
    assert!(chosen.len() > 1, "nothing was chosen");
}
