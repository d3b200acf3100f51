//! How the suites are made: `SUITE_MAKE=DIR cargo test --release suite` writes them to a folder, the same on every machine by the
//! same version of the program: its search and evaluation play the games. Those that are here are from the last version with the handmade
//! evaluation.
//!
//! Games are played by the engine against itself, each from the seed and its number: 8 random plies, then 1,000 nodes a move, and one move
//! in ten, by chance, any legal one, so that there is something to punish. From each game come at most two positions, the first in which
//!
//! - there are 6 to 10 pieces and the side to move has at least three moves;
//! - one move alone is proved to win, by `tools::solving` with the tables in the program, without the draw rules, and with them unless that
//!   takes too long;
//! - a plain search (2,000 nodes, by material, without tables) does not choose it;
//! - no win is shorter than 15 plies, by the plain search of all play of that length in `plain`;
//! - the proof passes the checks of `plain`: of the winning move that it wins, of every other one that it does not.
//!
//! None is picked by hand. What the engine finds in half of its [`budget`] is required of it from then on; the rest goes to the hard ones.

use super::plain;
use mainroad::board::{Move, Position};
use mainroad::egdb::{Tables, Value};
use mainroad::eval::Evaluation;
use mainroad::notation::{fen, moves};
use mainroad::rules::{Game, Rules};
use mainroad::search::{Limits, Outcome, Task};
use mainroad::tools::rng::Rng;
use mainroad::tools::solving::{self, Effort};
use mainroad::tt::Table;
use std::collections::HashSet;
use std::fs;
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::Arc;

/// The positions of a suite that are required of the engine.
pub(crate) const REQUIRED: usize = 60;

/// The seed of all games.
const SEED: u64 = 1;

/// The pieces of a position.
const PIECES: RangeInclusive<u32> = 6..=10;

/// Returns the nodes within which the engine has to find the move: fixed by the number of pieces before anything was measured.
pub(crate) fn budget(pos: &Position) -> u64 {
    let above = pos.occupied().count().saturating_sub(*PIECES.start());
    50_000 + 25_000 * u64::from(above)
}

/// One move in so many is any legal one.
const MISTAKES: usize = 10;

/// The shortest win that is taken, in plies.
pub(crate) const SHORTEST: u16 = 15;

/// Positions that a search of so many nodes solves are not taken.
pub(crate) const TRIVIAL_NODES: u64 = 2_000;

/// The most positions that are looked at to show that no win is shorter.
pub(crate) const MOST_WITHIN: u64 = 200_000;

/// The nodes that a proof may take: first few, since most positions that do not fit show it soon.
pub(crate) const CHECKED_NODES: u64 = 200_000;
const PROOF_NODES: [u64; 3] = [600, 3_000, 15_000];

/// A position and its answer.
struct Found {
    pos: Position,
    best: Move,
    /// The game it comes from, and its place among those of the game.
    game: u64,
    place: char,
}

impl Found {
    /// Returns the line of the suite.
    fn line<R: Rules>(&self) -> String {
        let Self {
            pos,
            best,
            game,
            place,
        } = self;
        let (fen, best) = (fen::write(pos), moves::write::<R>(pos, *best));
        let id = format!("{}-{game}{place}", R::VARIANT);
        format!(
            "{fen} bm {best}; id {id}; result win; c0 \"self-play, seed {SEED}, game {game}\";\n"
        )
    }
}

/// Makes the positions of one rule set.
pub(crate) struct Maker<R: Rules> {
    pub(crate) tables: Arc<Tables<R>>,
}

impl<R: Rules> Maker<R> {
    pub(crate) fn new() -> Self {
        let tables = Tables::embedded().expect("the tables in the program are right");
        Self {
            tables: Arc::new(tables),
        }
    }

    /// Writes the suite, and that of the hard ones.
    pub(crate) fn make(&self, folder: &Path) {
        let [mut required, mut hard] = [(); 2].map(|()| Vec::new());
        let mut seen = HashSet::new();
        for number in 1.. {
            for found in self.find(number) {
                if !seen.insert(found.pos) {
                    continue;
                }
                let is_found =
                    self.search(&found.pos, budget(&found.pos) / 2).best == Some(found.best);
                let list = if is_found { &mut required } else { &mut hard };
                list.push(found.line::<R>());
            }
            if required.len() >= REQUIRED {
                break;
            }
        }
        required.truncate(REQUIRED);
        let name = R::VARIANT.name();
        let write = |name: &str, lines: &[String]| {
            fs::write(folder.join(name), lines.concat()).expect("the folder can be written to");
        };
        write(&format!("{name}.epd"), &required);
        write(&format!("{name}-hard.epd"), &hard);
    }

    /// Returns what the engine finds within some nodes, with an empty table.
    pub(crate) fn search(&self, pos: &Position, nodes: u64) -> Outcome {
        let limits = Limits {
            nodes: Some(nodes),
            ..Limits::default()
        };
        let task = Task {
            tables: Some(Arc::clone(&self.tables)),
            ..Task::new(Game::from_position(*pos), limits)
        };
        task.run_here(&Table::new(8).expect("a few MiB can be had"))
    }

    /// Plays a game and returns its positions.
    pub(crate) fn play(&self, number: u64) -> Vec<Position> {
        let mut rng = Rng::for_item(SEED, number);
        let table = Table::new(1).expect("a MiB can be had");
        let mut game = Game::<R>::new();
        let mut positions = Vec::new();
        while game.ending().is_none()
            && game.position().occupied().count() > 5
            && positions.len() < 200
        {
            let legal = game.legal_moves();
            let mv = if positions.len() < 8 || rng.below(MISTAKES) == 0 {
                legal[rng.below(legal.len())]
            } else {
                let limits = Limits {
                    nodes: Some(1_000),
                    ..Limits::default()
                };
                let task = Task {
                    tables: Some(Arc::clone(&self.tables)),
                    ..Task::new(game.clone(), limits)
                };
                task.run_here(&table).best.expect("the game goes on")
            };
            game.play(mv);
            positions.push(*game.position());
        }
        positions
    }

    /// Returns the positions of a game that fit the suite.
    fn find(&self, game: u64) -> Vec<Found> {
        let mut places = ['a', 'b'].into_iter();
        let mut found = Vec::new();
        for pos in self.play(game) {
            if places.len() > 0
                && PIECES.contains(&pos.occupied().count())
                && let Some(best) = self.answer(&pos)
            {
                let place = places.next().expect("there is one left");
                found.push(Found {
                    pos,
                    best,
                    game,
                    place,
                });
            }
        }
        found
    }

    /// Returns the one move that wins a position, if it fits the suite.
    fn answer(&self, pos: &Position) -> Option<Move> {
        let game = Game::<R>::from_position(*pos);
        if game.legal_moves().len() < 3 {
            return None;
        }
        let best = self.lone_win(&game)?;
        if plain_choice(&game) == Some(best)
            || plain::wins_within(&self.tables, pos, SHORTEST - 2, MOST_WITHIN) != Some(false)
        {
            return None;
        }
        // Under the draw rules too, unless that takes too long (in Pool and Brazilian, where many wins come to endings with a short count).
        let effort = Effort {
            nodes: CHECKED_NODES,
            until: None,
            stop: None,
            counter: None,
        };
        let solve = |draw_rules| solving::solve(&self.tables, &game, draw_rules, effort.clone());
        let mut solution = solve(true);
        if solution.value.is_none() {
            solution = solve(false);
        }
        if !solution.is_unique() || solution.best_moves() != [best] {
            return None;
        }
        assert!(
            is_proved(&self.tables, &game, best),
            "{} {}",
            R::VARIANT,
            fen::write(pos)
        );
        Some(best)
    }

    /// Returns the one move that is proved to win, draw rules left out.
    fn lone_win(&self, game: &Game<R>) -> Option<Move> {
        for nodes in PROOF_NODES {
            let effort = Effort {
                nodes,
                until: None,
                stop: None,
                counter: None,
            };
            let (solution, _) = solving::prove(&self.tables, game, false, effort);
            let wins = solution.best_moves();
            let can_win = solution.moves.iter().any(|mv| mv.at_most == Value::Win);
            if wins.len() > 1 && solution.value == Some(Value::Win) || !can_win {
                return None;
            }
            if solution.value == Some(Value::Win) && solution.is_unique() {
                return Some(wins[0]);
            }
        }
        None
    }
}

/// Returns what a plain search chooses: short, by material, without tables.
fn plain_choice<R: Rules>(game: &Game<R>) -> Option<Move> {
    let limits = Limits {
        nodes: Some(TRIVIAL_NODES),
        ..Limits::default()
    };
    let task = Task {
        evaluation: Evaluation::Material,
        ..Task::new(game.clone(), limits)
    };
    task.run_here(&Table::new(1).expect("a MiB can be had"))
        .best
}

/// Says whether it is proved that one move alone wins, with every claim checked.
pub(crate) fn is_proved<R: Rules>(tables: &Arc<Tables<R>>, game: &Game<R>, best: Move) -> bool {
    let effort = Effort {
        nodes: CHECKED_NODES,
        until: None,
        stop: None,
        counter: None,
    };
    let (_, claims) = solving::prove(tables, game, false, effort);
    let turn = game.position().turn();
    game.legal_moves().into_iter().all(|mv| {
        claims.iter().any(|claim| {
            // That the opponent wins says that the mover does not.
            let is_about = claim.first == mv
                && (claim.attacker == turn && claim.wins == (mv == best)
                    || claim.attacker != turn && claim.wins && mv != best);
            is_about && plain::check(tables, game.position(), claim)
        })
    })
}
