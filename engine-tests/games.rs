//! Whole games over Hub, engine against engine, under every rule set: every move legal, ended by rule.
//!
//! `LONG_GAMES=10 GAME_MOVE_TIME=0.1 cargo test --release games -- --nocapture` plays ten long ones of each and tells how they ended.

use crate::hub::Engine;
use crate::support::{Rng, amount};
use mainroad::board::Side;
use mainroad::notation::hub::{Numbering, parse_move, write_move, write_position};
use mainroad::protocol::hub::message::Reply;
use mainroad::rules::{Ending, Game, Rules, Variant};
use mainroad::with_rules;
use std::collections::BTreeMap;

/// Games between equals may go on for ever where only repetition ends them; this is far beyond what happens.
const MOST_PLIES: usize = 1_500;

/// The numbers of a game.
struct Played {
    plies: usize,
    ending: Ending,
}

/// Plays a game from a few random moves, each side an engine of its own.
fn play<R: Rules>(engines: &mut [Engine; 2], level: &str, rng: &mut Rng) -> Played {
    let mut game = Game::<R>::new();
    for _ in 0..6 {
        let moves = game.legal_moves();
        if moves.is_empty() {
            break;
        }
        game.play(*rng.pick(&moves));
    }
    for engine in engines.iter_mut() {
        engine.send("new-game");
    }
    while game.ending().is_none() {
        assert!(
            game.moves().len() < MOST_PLIES,
            "{}: the game does not end",
            R::VARIANT
        );
        let engine = &mut engines[game.position().turn().index()];
        let moves: Vec<String> = game
            .moves()
            .iter()
            .map(|&mv| write_move(mv, Numbering::Hub))
            .collect();
        engine.send(&format!(
            "pos pos={} moves=\"{}\"",
            write_position(game.start()),
            moves.join(" ")
        ));
        engine.send(&format!("level {level}"));
        engine.send("go think");
        let line = engine.done();
        let Ok(Reply::Done { mv: Some(text), .. }) = line.parse() else {
            panic!("{}: {line}", R::VARIANT)
        };
        let mv = parse_move(&text, Numbering::Hub, &game.legal_moves());
        game.play(mv.unwrap_or_else(|error| panic!("{} {moves:?}: {error}", R::VARIANT)));
    }
    Played {
        plies: game.moves().len(),
        ending: game.ending().expect("it has ended"),
    }
}

#[track_caller]
#[expect(
    clippy::print_stdout,
    reason = "long games are played to be told about"
)]
fn check(variant: Variant) {
    let games = amount("LONG_GAMES", 2);
    let level = std::env::var("GAME_MOVE_TIME")
        .map_or("nodes=1500".to_owned(), |time| format!("move-time={time}"));
    let mut engines = [1, 2].map(|_| {
        let mut engine = Engine::start(&["hub"]);
        engine.send(&format!("set-param name=variant value={variant}"));
        engine.send("set-param name=hash value=16");
        engine.send("set-param name=book value=none");
        engine
    });
    let mut rng = Rng(0x6A6D);
    let mut endings: BTreeMap<String, usize> = BTreeMap::new();
    let mut plies = Vec::new();
    for _ in 0..games {
        let played = with_rules!(variant, R => play::<R>(&mut engines, &level, &mut rng));
        plies.push(played.plies);
        let winner = match played.ending.winner {
            Some(Side::White) => "White wins",
            Some(Side::Black) => "Black wins",
            None => "draw",
        };
        *endings
            .entry(format!("{winner}, {}", played.ending.reason))
            .or_default() += 1;
    }
    println!("{variant}: {games} games, plies {plies:?}, {endings:?}");
    for engine in engines {
        assert!(engine.close().is_empty());
    }
}

#[test]
fn russian() {
    check(Variant::Russian);
}

#[test]
fn russian_online() {
    check(Variant::RussianOnline);
}

#[test]
fn russian_fmjd64() {
    check(Variant::RussianFmjd64);
}

#[test]
fn pool() {
    check(Variant::Pool);
}

#[test]
fn pool_25() {
    check(Variant::Pool25);
}

#[test]
fn brazilian() {
    check(Variant::Brazilian);
}
