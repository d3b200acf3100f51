//! The tactical suites: combinations and endings of each game, with one move that is proved to win.
//!
//! `suite/GAME.epd` are those that the engine must find, each within the nodes of [`making::budget`]; `suite/GAME-hard.epd` those that it
//! did not find when they were made, of which it may only find more. Each line is `FEN bm MOVE; id NAME; result win; c0 "…";` with the
//! plies of the proved line and the source in `c0`. `making` says how they are drawn by seed from games of the engine against itself;
//! `SUITE_MAKE=DIR cargo test --release suite` draws them again.

mod making;
mod plain;

use crate::support::data;
use mainroad::board::{Move, Position};
use mainroad::notation::epd::Epd;
use mainroad::notation::{fen, moves};
use mainroad::rules::{Game, Rules, Variant};
use mainroad::with_rules;
use making::{Maker, REQUIRED, SHORTEST, budget};
use std::collections::HashSet;
use std::fs;
use std::path::Path;

/// The games, and how many of its hard positions the engine finds at least.
const GAMES: [(Variant, usize); 3] = [
    (Variant::Russian, 0),
    (Variant::Pool, 1),
    (Variant::Brazilian, 2),
];

/// Reads a suite: positions with the move that wins.
fn read<R: Rules>(kind: &str) -> Vec<(Position, Move)> {
    let path = data("suite").join(format!("{}{kind}.epd", R::VARIANT));
    let text =
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let parse = |line: &str| {
        let epd = Epd::parse(line).expect("it is well-formed")?;
        let pos = fen::parse(&epd.fen).expect("the position is legal");
        let Some([text]) = epd.values("bm") else {
            panic!("{line}: one move is expected");
        };
        let mv = moves::parse::<R>(&pos, text).expect("the move is legal");
        Some((pos, mv))
    };
    text.lines().filter_map(parse).collect()
}

/// Returns the positions of a suite in which the engine does not find the move within the budget.
fn missed<R: Rules>(kind: &str) -> Vec<String> {
    let maker = Maker::<R>::new();
    let positions = read::<R>(kind).into_iter();
    let missed = positions.filter(|(pos, mv)| maker.search(pos, budget(pos)).best != Some(*mv));
    missed.map(|(pos, _)| fen::write(&pos)).collect()
}

#[test]
fn the_engine_finds_what_is_required() {
    for (variant, _) in GAMES {
        let missed = with_rules!(variant, R => missed::<R>(""));
        assert!(missed.is_empty(), "{variant}: {missed:?}");
    }
}

#[test]
fn the_engine_finds_no_fewer_of_the_hard_ones() {
    for (variant, at_least) in GAMES {
        let (all, missed) =
            with_rules!(variant, R => (read::<R>("-hard").len(), missed::<R>("-hard").len()));
        let found = all - missed;
        assert!(
            found >= at_least,
            "{variant}: {found} of {all}, at least {at_least} before"
        );
    }
}

/// Checks the answers of a game, by means that share nothing with the search that found them.
#[track_caller]
fn check_answers<R: Rules>() {
    let tables = Maker::<R>::new().tables;
    let required = read::<R>("");
    assert_eq!(required.len(), REQUIRED);
    let mut seen = HashSet::new();
    for (pos, mv) in required.into_iter().chain(read::<R>("-hard")) {
        let text = format!("{} {}", R::VARIANT, fen::write(&pos));
        assert!(seen.insert(pos), "{text}: twice");
        assert!(
            making::is_proved(&tables, &Game::<R>::from_position(pos), mv),
            "{text}"
        );
        let is_shorter = plain::wins_within(&tables, &pos, SHORTEST - 2, making::MOST_WITHIN);
        assert_eq!(is_shorter, Some(false), "{text}");
    }
}

#[test]
fn every_answer_is_proved() {
    for (variant, _) in GAMES {
        with_rules!(variant, R => check_answers::<R>());
    }
}

/// Writes the suites to the folder that `SUITE_MAKE` names.
#[test]
fn suites_are_made_on_request() {
    let Some(folder) = std::env::var_os("SUITE_MAKE") else {
        return;
    };
    for (variant, _) in GAMES {
        with_rules!(variant, R => Maker::<R>::new().make(Path::new(&folder)));
    }
}
