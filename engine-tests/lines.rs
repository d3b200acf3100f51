//! Several lines at once, and searches of some of the moves only.

use crate::support::{Rng, random_position};
use mainroad::board::{Move, Position};
use mainroad::notation::fen;
use mainroad::rules::{Game, Rules, Russian, RussianOnline};
use mainroad::score::Score;
use mainroad::search::{Control, Limits, Line, Outcome, Report, Task, Team};
use mainroad::tt::Table;

fn search<R: Rules>(pos: Position, limits: Limits, threads: usize) -> Outcome {
    let team = Team::new(threads).expect("threads can be had");
    let table = Table::new(4).expect("4 MiB can be had");
    let task = Task::new(Game::<R>::from_position(pos), limits);
    task.run(&team, &table, &Control::new(), &mut |_: &Report| ())
}

/// Returns all lines of a search, best first.
fn all_lines(outcome: &Outcome) -> Vec<Line> {
    let Report {
        score, pv, others, ..
    } = outcome.report.clone();
    [Line { score, pv }].into_iter().chain(others).collect()
}

/// Every move has a line of its own, in order, legal to its end; what is proved about a move is what a search of that move alone proves.
#[test]
fn every_move_has_its_line() {
    let mut rng = Rng(31);
    let mut proven = 0;
    for _ in 0..40 {
        let pos = random_position(&mut rng, 3, 2);
        let game = Game::<RussianOnline>::from_position(pos);
        let legal = game.legal_moves();
        if legal.is_empty() {
            continue;
        }
        let limits = Limits {
            depth: Some(9),
            lines: 64,
            is_analysis: true,
            ..Limits::default()
        };
        let text = fen::write(&pos);
        let outcome = search::<RussianOnline>(pos, limits.clone(), 1);
        let lines = all_lines(&outcome);
        assert_eq!(lines.len(), legal.len(), "{text}");
        assert!(
            lines.is_sorted_by(|one, next| one.score >= next.score),
            "{text}"
        );
        assert_eq!(outcome.best, lines[0].pv.first().copied());
        let mut begun: Vec<Move> = Vec::new();
        for Line { score, pv } in lines {
            let first = *pv
                .first()
                .unwrap_or_else(|| panic!("{text}: a line without moves"));
            assert!(!begun.contains(&first), "{text}: {first:?} twice");
            begun.push(first);
            let mut after = game.clone();
            for mv in pv {
                after
                    .try_play(mv)
                    .unwrap_or_else(|error| panic!("{text}: {error}"));
            }
            let Some(plies) = score.plies_to_end().filter(|&plies| plies <= 4) else {
                continue;
            };
            let alone = Limits {
                moves: vec![first],
                lines: 1,
                depth: Some(12),
                ..limits.clone()
            };
            let alone = search::<RussianOnline>(pos, alone, 1);
            assert_eq!(alone.best, Some(first));
            let deeper = alone.report.score;
            assert_eq!(
                deeper > Score::DRAW,
                score > Score::DRAW,
                "{text} {first:?}"
            );
            assert!(
                deeper.plies_to_end().is_some_and(|deeper| deeper <= plies),
                "{text} {first:?}"
            );
            proven += 1;
        }
    }
    assert!(proven > 30, "{proven} proven lines are too few");
}

/// The moves that are wanted are searched, whatever is better; moves that are not legal are ignored.
#[test]
fn only_wanted_moves_are_searched() {
    let game = Game::<Russian>::new();
    let legal = game.legal_moves();
    for threads in [1, 3] {
        for &mv in &legal {
            let limits = Limits {
                depth: Some(7),
                moves: vec![mv],
                ..Limits::default()
            };
            assert_eq!(
                search::<Russian>(*game.position(), limits, threads).best,
                Some(mv)
            );
        }
    }
    let illegal = Move {
        to: legal[0].from,
        ..legal[0]
    };
    let limits = |moves: Vec<Move>| Limits {
        depth: Some(7),
        moves,
        ..Limits::default()
    };
    let all = search::<Russian>(*game.position(), limits(Vec::new()), 1);
    let same = search::<Russian>(*game.position(), limits(vec![illegal]), 1);
    assert_eq!((all.best, all.report.nodes), (same.best, same.report.nodes));
}

/// A search that is stopped between two lines still has as many as before, and no move twice.
#[test]
fn stopped_searches_have_all_their_lines() {
    for nodes in (300..12_000).step_by(300).chain([30_001, 100_003]) {
        let limits = Limits {
            nodes: Some(nodes),
            lines: 4,
            ..Limits::default()
        };
        let outcome = search::<Russian>(Russian::start(), limits, 1);
        let lines = all_lines(&outcome);
        assert!(
            lines.len() == 4 || nodes < 1_000,
            "{nodes}: {}",
            lines.len()
        );
        for (i, line) in lines.iter().enumerate() {
            let first = line.pv.first();
            assert!(
                lines[..i].iter().all(|other| other.pv.first() != first),
                "{nodes}"
            );
        }
        assert!(outcome.report.nodes <= nodes);
        assert_eq!(outcome.best, lines[0].pv.first().copied());
    }
}
