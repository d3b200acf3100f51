//! The fast rules against slow ones that were written from the rule text and share no code with them.
//!
//! `ORACLE_POSITIONS=1000000 cargo test --release oracle` compares that many random positions per movement rule instead of the usual
//! sample.

pub(crate) mod slow;
pub(crate) mod slow_draws;

use crate::support::{Rng, amount, random_position};
use mainroad::board::{Bitboard, MAX_MOVES, Move, MoveList, Position, Square};
use mainroad::notation::fen;
use mainroad::rules::{
    Game, Rules, Variant, count_moves, has_capture, has_legal_move, legal_moves, perft,
};
use mainroad::with_rules;
use slow::{Board, SlowMove, legal_moves as slow_moves};
use slow_draws::{Referee, RuleSet};

/// A move in a form that both sides of the comparison can be turned into.
type Entry = (u8, u8, Vec<u8>, bool);

fn fast_entry(mv: &Move) -> Entry {
    let mut captured: Vec<u8> = mv.captured.squares().map(Square::number).collect();
    captured.sort_unstable();
    (mv.from.number(), mv.to.number(), captured, mv.promotes)
}

fn slow_entry(mv: &SlowMove) -> Entry {
    (mv.from, mv.to, mv.captured.clone(), mv.promotes)
}

fn rule_set(variant: Variant) -> RuleSet {
    RuleSet::from_name(variant.name()).expect("the referee knows every rule set")
}

/// Compares the moves of a position and returns their number.
#[track_caller]
fn compare<R: Rules>(pos: &Position) -> usize {
    let text = fen::write(pos);
    let mut moves = MoveList::new();
    legal_moves::<R>(pos, &mut moves);
    let mut fast: Vec<Entry> = moves.iter().map(fast_entry).collect();
    fast.sort();
    let slow: Vec<Entry> = slow_moves(rule_set(R::VARIANT).movement(), &Board::parse(&text))
        .iter()
        .map(slow_entry)
        .collect();
    assert_eq!(fast, slow, "{} {text}", R::VARIANT);
    assert_eq!(
        count_moves::<R>(pos),
        moves.len() as u64,
        "{} {text}: counted",
        R::VARIANT
    );
    let replies: usize = moves
        .iter()
        .map(|&mv| list_length::<R>(&pos.play(mv)))
        .sum();
    assert_eq!(
        perft::<R>(pos, 2),
        replies as u64,
        "{} {text}: two plies",
        R::VARIANT
    );
    assert_eq!(has_legal_move(pos), !moves.is_empty(), "{text}");
    assert_eq!(
        has_capture(pos),
        moves.iter().any(|mv| mv.is_capture()),
        "{text}"
    );
    moves.len()
}

/// A position of one of several kinds: crowded with kings, full of captures, as in a game, almost empty.
fn mixed_position(rng: &mut Rng, round: usize) -> Position {
    match round % 4 {
        0 => random_position(rng, 4, 8),
        1 => random_position(rng, 11, 1),
        2 => random_position(rng, 8, 4),
        _ => random_position(rng, 2, 3),
    }
}

#[track_caller]
fn check<R: Rules>(seed: u64) {
    let mut rng = Rng(seed);
    let mut moves = 0;
    let positions = amount("ORACLE_POSITIONS", 6_000);
    for round in 0..positions {
        moves += compare::<R>(&mixed_position(&mut rng, round));
    }
    assert!(
        moves > 3 * positions,
        "the sample is too poor: {moves} moves"
    );
}

/// The slow generator, too, reproduces published counts, and treats both sides alike.
#[test]
fn the_oracle_itself() {
    let expected = [7, 49, 302, 1_469, 7_482, 37_986];
    for movement in [slow::Movement::Pool, slow::Movement::Russian] {
        for first in [slow::Colour::White, slow::Colour::Black] {
            let start = Board::start(first);
            for (depth, leaves) in (1..).zip(expected) {
                assert_eq!(
                    slow::perft(movement, &start, depth),
                    leaves,
                    "{movement:?} depth {depth}"
                );
                assert_eq!(slow::perft(movement, &slow::flip(&start), depth), leaves);
            }
        }
    }
}

#[test]
fn pool_moves() {
    check::<mainroad::rules::Pool>(10);
}

#[test]
fn russian_moves() {
    check::<mainroad::rules::Russian>(11);
}

#[test]
fn brazilian_moves() {
    check::<mainroad::rules::Brazilian>(12);
}

/// Plays a game under both referees; each ending must be one that the slow one finds too.
fn play<R: Rules>(
    start: Position,
    rng: &mut Rng,
    choose: impl Fn(&Game<R>, &mut Rng) -> Move,
) -> Option<&'static str> {
    let mut game = Game::<R>::from_position(start);
    let mut referee = Referee::new(rule_set(R::VARIANT), Board::parse(&fen::write(&start)));
    for _ in 0..400 {
        let expected = referee.ending();
        let actual = game.ending();
        let text = || {
            format!(
                "{} {} after {:?}",
                R::VARIANT,
                fen::write(&start),
                game.moves()
            )
        };
        assert_eq!(actual.is_some(), expected.is_some(), "{}", text());
        if let (Some(actual), Some(expected)) = (actual, expected) {
            let winner = expected.winner.map(|winner| winner == slow::Colour::White);
            assert_eq!(
                actual
                    .winner
                    .map(|side| side == mainroad::board::Side::White),
                winner,
                "{}",
                text()
            );
            assert_eq!(actual.reason.name(), expected.reasons[0], "{}", text());
            return Some(actual.reason.name());
        }
        let mv = choose(&game, rng);
        let slow = slow_moves(rule_set(R::VARIANT).movement(), referee.board());
        let same = slow
            .iter()
            .find(|other| slow_entry(other) == fast_entry(&mv));
        referee.play(same.expect("both know the move"));
        game.play(mv);
    }
    None
}

/// Any legal move.
fn any_move<R: Rules>(game: &Game<R>, rng: &mut Rng) -> Move {
    *rng.pick(&game.legal_moves())
}

/// A move that keeps the game going: it captures nothing, offers nothing, repeats little, moves a man only when the
/// kings have moved for long, and keeps a lone king on the main road.
fn shuffling_move<R: Rules>(game: &Game<R>, rng: &mut Rng) -> Move {
    let moves = game.legal_moves();
    let wants_man = game.counters().since_zeroing >= 20;
    let cost = |mv: &Move| {
        let mut after = game.clone();
        after.play(*mv);
        let moves_man = !game.position().is_king_at(mv.from);
        let gives = has_capture(after.position());
        let changes = mv.is_capture() || mv.promotes;
        let pos = game.position();
        let leaves_road = pos.own().count() == 1
            && pos.own().intersects(Bitboard::MAIN_ROAD)
            && !Bitboard::MAIN_ROAD.contains(mv.to);
        1000 * u32::from(gives || changes)
            + 100 * u32::from(moves_man != wants_man || leaves_road)
            + 10 * after.repetitions()
    };
    let least = moves.iter().map(cost).min().expect("the game goes on");
    let best: Vec<Move> = moves
        .iter()
        .copied()
        .filter(|mv| cost(mv) == least)
        .collect();
    *rng.pick(&best)
}

#[test]
fn random_games_end_alike() {
    for variant in Variant::ALL {
        let mut rng = Rng(20);
        for round in 0..amount("ORACLE_GAMES", 60) {
            with_rules!(variant, R => {
                let start = if round % 4 == 0 { R::start() } else { random_position(&mut rng, 1, 4) };
                play::<R>(start, &mut rng, any_move)
            });
        }
    }
}

/// Games in which nobody wants to win reach the long counts, and each count that a rule set has is met.
#[test]
fn shuffled_games_end_alike() {
    let starts = [
        "W:WK5,K13,K28:BK4",
        "W:WK3,K30,K21:BK18",
        "W:WK29,K30,K31:BK5",
        "W:WK29,K30,28:BK4",
        "B:WK29,30,28:BK4",
        "W:WK30,K31,K32,K28:BK5",
        "W:WK29,K28:BK5",
        "W:WK29:BK5",
        "W:WK29,28:BK5",
        "W:WK30,K31:BK1,K2",
        "W:WK30,K31:BK1,5",
        "W:WK32,28,31:BK1,5,2",
        "W:WK32,28,31,30:BK1,5,2",
        "B:WK32,28,31:BK1,5",
        "W:WK32,28:BK1,5",
        "W:WK32,28,31:B1,5,2,3",
        "W:WK32,28,31,30:BK1,5,2,3",
    ];
    for variant in Variant::ALL {
        let mut rng = Rng(21);
        let mut met = std::collections::BTreeSet::new();
        for text in starts {
            let start = fen::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            for _ in 0..4 {
                met.extend(with_rules!(variant, R => play::<R>(start, &mut rng, shuffling_move)));
            }
        }
        let expected: &[&str] = match variant.name() {
            "pool" => &["main-road", "no-progress", "three-v-one"],
            "pool-25" | "russian" => &["no-progress", "three-v-one"],
            "russian-online" => &["three-v-one"],
            "russian-fmjd64" => &["balance", "main-road", "small-ending", "three-v-one"],
            _ => &["no-progress", "small-ending"],
        };
        for reason in expected {
            assert!(
                met.contains(reason),
                "{variant}: {reason} was not met, only {met:?}"
            );
        }
    }
}

/// Climbs towards positions with many captures: the longest list found is far from the room there is.
#[test]
fn lists_of_moves_are_long_enough() {
    let mut longest = 0;
    let mut rng = Rng(30);
    for _ in 0..amount("CLIMBS", 40) {
        let mut best = random_position(&mut rng, 2, 10);
        let mut most = 0;
        for step in 0..600 {
            let trial = if step % 50 == 0 {
                random_position(&mut rng, 1, 11)
            } else {
                neighbour(&best, &mut rng)
            };
            let count = with_rules!(Variant::Russian, R => list_length::<R>(&trial));
            if count >= most {
                (best, most) = (trial, count);
            }
        }
        longest = longest.max(most);
    }
    assert!(longest > 40, "the climb is too weak: {longest}");
    assert!(longest * 2 < MAX_MOVES, "a list of {longest} moves");
}

fn list_length<R: Rules>(pos: &Position) -> usize {
    let mut moves = MoveList::new();
    legal_moves::<R>(pos, &mut moves);
    moves.len()
}

/// Moves, adds or removes one king.
fn neighbour(pos: &Position, rng: &mut Rng) -> Position {
    use mainroad::board::Side;
    let mut kings = Side::BOTH.map(|side| pos.kings(side));
    let men = Side::BOTH.map(|side| pos.men(side));
    let squares: Vec<Square> = Square::all().collect();
    for _ in 0..=rng.below(2) {
        let sq = Bitboard::from(*rng.pick(&squares));
        let side = rng.below(2);
        kings[1 - side] &= !sq;
        kings[side] ^= sq;
    }
    Position::new(men, kings, pos.turn()).unwrap_or(*pos)
}
