//! The engine with endgame tables: what is won under the rules is won, what is drawn is held.
//!
//! `ENDINGS=2000 cargo test --release endings` plays so many positions of each rule set, 20 ms a move; with `ENDINGS_TABLES=DIR` those
//! positions have as many pieces as the tables in a folder.

use crate::support::{Rng, amount, random_position};
use mainroad::board::{Move, Position};
use mainroad::egdb::make::{self, Plan, Progress};
use mainroad::egdb::{Slice, Tables, Value, root};
use mainroad::notation::fen;
use mainroad::rules::{Game, Rules, Russian, Variant};
use mainroad::search::{Limits, Task};
use mainroad::tt::Table;
use mainroad::with_rules;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// A game that lasts longer has gone wrong: no count is as long.
const MOST_PLIES: usize = 400;

/// The side of the engine in a game.
struct Engine<R: Rules> {
    /// Those in the program, which the defender has, and which judge.
    tables: Arc<Tables<R>>,
    /// Those of the engine.
    own: Arc<Tables<R>>,
    table: Table,
}

impl<R: Rules> Engine<R> {
    fn new() -> Self {
        let opened = match std::env::var_os("ENDINGS_TABLES") {
            Some(folder) => Tables::open(Path::new(&folder)),
            None => Tables::embedded(),
        };
        let tables = Arc::new(opened.expect("the tables are right"));
        Self {
            own: Arc::clone(&tables),
            tables,
            table: Table::new(1).expect("a MiB can be had"),
        }
    }

    fn task(&self, game: &Game<R>) -> Task<R> {
        let limits = Limits {
            move_time: Some(Duration::from_millis(20)),
            ..Limits::default()
        };
        Task {
            tables: Some(Arc::clone(&self.own)),
            ..Task::new(game.clone(), limits)
        }
    }

    /// Plays on from a position, against a defender who knows the tables and holds out longest (or, by chance, one who plays anything), and
    /// returns the game.
    fn play_out(&self, start: Position, rng: &mut Rng) -> Game<R> {
        let mut game = Game::from_position(start);
        let engine = start.turn();
        let is_perfect = rng.below(4) > 0;
        while game.ending().is_none() && game.moves().len() < MOST_PLIES {
            let mv = if game.position().turn() == engine {
                let outcome = self.task(&game).run_here(&self.table);
                outcome.best.expect("the game goes on")
            } else {
                self.defend(&game, is_perfect, rng)
            };
            game.try_play(mv).expect("both play by the rules");
        }
        game
    }

    fn defend(&self, game: &Game<R>, is_perfect: bool, rng: &mut Rng) -> Move {
        let moves = root::probe(&self.tables, game, true).moves;
        if is_perfect {
            moves[0].0
        } else {
            rng.pick(&moves).0
        }
    }
}

/// From random positions with 3 pieces and more: those that the side to move wins under the rules with the counts at zero are won, and
/// those that are drawn are not lost.
#[track_caller]
fn check<R: Rules>(seed: u64, engine: &Engine<R>, most_pieces: u32) {
    let mut rng = Rng(seed);
    let wanted = amount("ENDINGS", 300);
    let (mut won, mut drawn) = (0, 0);
    while won < wanted || drawn < wanted / 4 {
        let pos = random_position(&mut rng, 2, 3);
        if !(3..=most_pieces).contains(&pos.occupied().count())
            || pos.own().is_empty()
            || pos.opp().is_empty()
        {
            continue;
        }
        let game = Game::<R>::from_position(pos);
        if game.ending().is_some() {
            continue;
        }
        let value = root::probe(&engine.tables, &game, true).entry.rule_value;
        let (count, limit) = match value {
            Some(Value::Win) => (&mut won, wanted),
            Some(Value::Draw) => (&mut drawn, wanted / 4),
            Some(Value::Loss) | None => continue,
        };
        if *count >= limit {
            continue;
        }
        *count += 1;
        let played = engine.play_out(pos, &mut rng);
        let text = || {
            let moves: Vec<String> =
                mainroad::notation::moves::write_line::<R>(&pos, played.moves());
            format!("{} {} {}", R::VARIANT, fen::write(&pos), moves.join(" "))
        };
        let ending = played.ending();
        let winner = ending.and_then(|ending| ending.winner);
        if value == Some(Value::Win) {
            assert_eq!(winner, Some(pos.turn()), "{} {ending:?}", text());
        } else {
            assert_ne!(winner, Some(pos.turn().opponent()), "{} {ending:?}", text());
        }
    }
}

#[test]
fn won_endings_are_won() {
    for (seed, variant) in (1..).zip(Variant::ALL) {
        with_rules!(variant, R => {
            let engine = Engine::<R>::new();
            check(seed, &engine, engine.tables.most_pieces());
        });
    }
}

/// Tables of many pieces say who wins, but not how far it is: the search finds the way from one capture or promotion to the next.
#[test]
fn wins_without_distances_are_won() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("endings-values-{}", std::process::id()));
    let plan = Plan {
        slices: Slice::up_to(4),
        distances: 0,
        leaves_out_short: false,
        threads: 2,
    };
    make::folder::<Russian>(&plan, &folder, &mut |_: &Progress| ()).expect("it can be written");
    let own = Arc::new(Tables::open_folder(&folder).expect("it is there"));
    check(
        7,
        &Engine {
            own,
            ..Engine::<Russian>::new()
        },
        4,
    );
    fs::remove_dir_all(&folder).expect("it is there");
}

/// A win that begins with more pieces than the tables have is seen when it ends in them: after the exchange one king is left
/// against a man that it catches.
#[test]
fn tables_are_asked_in_the_tree() {
    let mut rng = Rng(9);
    let engine = Engine::<Russian>::new();
    let (mut known, mut better) = (0, 0);
    for _ in 0..300 {
        let pos = random_position(&mut rng, 4, 0);
        if pos.occupied().count() != 6 {
            continue;
        }
        let game = Game::from_position(pos);
        let limits = Limits {
            depth: Some(8),
            ..Limits::default()
        };
        let with = Task {
            limits: limits.clone(),
            ..engine.task(&game)
        };
        let without = Task::new(game, limits);
        let [with, without] = [with, without].map(|task| {
            let table = Table::new(1).expect("a MiB can be had");
            task.run_here(&table).report.score
        });
        known += u32::from(with.is_decided());
        better += u32::from(with.is_decided() && !without.is_decided());
        // What is proved without tables is so with them.
        if without.is_decided() {
            assert_eq!(with.0.signum(), without.0.signum(), "{}", fen::write(&pos));
            assert!(with.is_decided(), "{}", fen::write(&pos));
        }
    }
    assert!(
        known > 10 && better > 5,
        "{known} known, {better} by tables only"
    );
}
