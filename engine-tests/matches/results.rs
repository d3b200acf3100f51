//! Every result is that of the rules, by the endgame tables and by a referee that shares no code with the engine.

use super::{Folder, SMALL, list, objects, text};
use crate::oracle::slow::{Board, Colour, SlowMove, legal_moves};
use crate::oracle::slow_draws::{Referee, RuleSet};
use crate::support::amount;
use mainroad::rules::Variant;
use std::thread;

/// With table verdicts no game goes on with few pieces, and the verdicts are those of the tables.
#[test]
fn tables_end_games() {
    let folder = Folder::new("verdicts");
    let line = format!("{SMALL} --games 20 --variant pool --table-verdicts --json");
    let run = folder.succeed(&line);
    let mut ended = 0;
    for game in run.games().into_values() {
        let moves: Vec<&str> = list(&game["moves"]).iter().map(text).collect();
        if game["reason"] != "adjudicated-tables" {
            continue;
        }
        ended += 1;
        let moves = moves.join(" ");
        let probe = folder.succeed(&format!(
            "tables probe --variant pool --moves '{moves}' --json"
        ));
        let probe = &objects(&probe.out)[0];
        let turn = text(&probe["fen"]).chars().next();
        let value = text(&probe["rule_value"]);
        let winner = match (value, turn) {
            ("draw", _) => None,
            ("win", Some('W')) | ("loss", Some('B')) => Some("W"),
            _ => Some("B"),
        };
        assert_eq!(game["winner"].as_str(), winner, "{game}");
    }
    assert!(ended > 5, "{ended} games are too few");
}

/// Returns the square of a name: letters, or a number from b8.
fn square(name: &str) -> u8 {
    let mut letters = name.chars();
    match (letters.next(), letters.next()) {
        (Some(file @ 'a'..='h'), Some(rank @ '1'..='8')) => {
            let (file, rank) = (file as u8 - b'a', rank as u8 - b'1');
            (7 - rank) * 4 + file / 2 + 1
        }
        _ => name.parse().expect("a number"),
    }
}

/// Finds the move of a text among those of the slow generator, by the squares that it names.
fn slow_move(moves: &[SlowMove], text: &str) -> SlowMove {
    let named: Vec<u8> = text.split(['-', 'x', ':']).map(square).collect();
    let ends = [named[0], named[named.len() - 1]];
    let is_quiet = text.contains('-');
    let passes = |path: &Vec<u8>| {
        let mut rest = path.iter();
        named.iter().all(|square| rest.any(|stop| stop == square))
    };
    let fits = |mv: &&SlowMove| {
        [mv.from, mv.to] == ends
            && mv.captured.is_empty() == is_quiet
            && mv.paths.iter().any(passes)
    };
    let fitting: Vec<&SlowMove> = moves.iter().filter(fits).collect();
    let whole = fitting.iter().find(|mv| mv.paths.contains(&named));
    match (whole, &fitting[..]) {
        (Some(mv), _) | (None, [mv]) => (*mv).clone(),
        _ => panic!("{text} fits {} moves", fitting.len()),
    }
}

/// The slow referee, which shares no code with the engine, derives the result of every game from its moves.
#[track_caller]
fn check_results(variant: Variant) {
    let folder = Folder::new(&format!("results-{variant}"));
    let games = 2 * amount("MATCH_GAMES", 8).div_ceil(2);
    let line = format!("{SMALL} --variant {variant} --games {games} --opening-plies 4 --json");
    let run = folder.succeed(&line);
    let rules = RuleSet::from_name(variant.name()).expect("the referee knows it");
    for game in run.games().into_values() {
        let mut referee = Referee::new(rules, Board::parse(text(&game["fen"])));
        let moves = list(&game["moves"]);
        let mut ending = None;
        for mv in moves {
            assert!(ending.is_none(), "{game}: played on");
            let legal = legal_moves(rules.movement(), referee.board());
            ending = referee.play(&slow_move(&legal, text(mv)));
        }
        let reason = text(&game["reason"]);
        let winner = game["winner"].as_str();
        if let Some(ending) = ending {
            let letter = |winner| if winner == Colour::White { "W" } else { "B" };
            assert_eq!(winner, ending.winner.map(letter), "{game}");
            assert!(ending.reasons.contains(&reason), "{game}");
        } else {
            assert_eq!((winner, reason), (None, "max-plies"), "{game}");
            assert_eq!(moves.len(), 200);
        }
    }
}

#[test]
fn the_slow_referee_agrees_with_every_result() {
    thread::scope(|scope| {
        for variant in Variant::ALL {
            scope.spawn(move || check_results(variant));
        }
    });
}
