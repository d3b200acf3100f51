//! What holds in all positions and games: tried with random ones, which shrink to the smallest that fails.
//!
//! Games begin at the start of their rule set, or at a placement full of kings, full of captures, or thin, and go on with random
//! moves; every position on the way is looked at.

use mainroad::board::{Bitboard, Key, Move, MoveList, Piece, Position, Side, Square};
use mainroad::notation::fen;
use mainroad::notation::hub::{self, Numbering};
use mainroad::notation::moves::{self, Form};
use mainroad::rules::{
    Game, Rules, Variant, capture_moves, count_moves, divide, has_capture, has_legal_move,
    is_threatened, legal_moves, perft, quiet_moves,
};
use mainroad::with_rules;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use std::collections::HashSet;
use std::fmt;

/// A random game.
#[derive(Clone)]
struct Line {
    variant: Variant,
    /// Where it begins, if not at the start of the rule set.
    placement: Option<Position>,
    /// Which of the legal moves is played, ply by ply.
    choices: Vec<Index>,
}

impl fmt::Debug for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        let look = with_rules!(self.variant, R => self.each::<R>(|game| {
            let played = moves::write_line::<R>(game.start(), game.moves()).join(" ");
            text = format!("{} moves {played}", fen::write(game.start()));
            Ok(())
        }));
        look.map_err(|_| fmt::Error)?;
        write!(f, "{} {text}", self.variant)
    }
}

impl Line {
    /// Plays the game and looks at each position, until one is not as it should be.
    fn each<R: Rules>(
        &self,
        mut look: impl FnMut(&Game<R>) -> Result<(), TestCaseError>,
    ) -> Result<(), TestCaseError> {
        let mut game = Game::<R>::from_position(self.placement.unwrap_or_else(R::start));
        look(&game)?;
        for choice in &self.choices {
            let moves = game.legal_moves();
            if moves.is_empty() {
                break;
            }
            game.play(*choice.get(&moves));
            look(&game)?;
        }
        Ok(())
    }
}

/// Random games of every rule set: long ones from the start, short ones from other placements.
fn lines() -> impl Strategy<Value = Line> {
    let variant = prop::sample::select(&Variant::ALL);
    // A failure shrinks towards what is named first.
    let placement = prop_oneof![
        3 => placements().prop_map(Some),
        1 => Just(None),
    ];
    let choices = prop::collection::vec(any::<Index>(), 0..60);
    (variant, placement, choices).prop_map(|(variant, placement, mut choices)| {
        if placement.is_some() {
            choices.truncate(12);
        }
        Line {
            variant,
            placement,
            choices,
        }
    })
}

/// Placements that are crowded with kings, full of captures, like the middle of a game, or thin.
fn placements() -> impl Strategy<Value = Position> {
    let alike = |weights| rows(weights, weights);
    prop_oneof![
        alike([14, 2, 4, 2, 4]),
        // What can be captured stands in every other row, with room behind it.
        rows([40, 1, 1, 40, 20], [100, 4, 8, 2, 1]),
        alike([14, 8, 1, 8, 1]),
        alike([26, 1, 2, 1, 2]),
    ]
}

/// Placements by the weights of two kinds of rows that take turns.
fn rows(even: Weights, odd: Weights) -> impl Strategy<Value = Position> {
    let half = |weights| prop::collection::vec(square(weights), Square::COUNT);
    let turn = prop::sample::select(&Side::BOTH);
    (half(even), half(odd), turn).prop_map(|(even, odd, turn)| {
        let squares = Square::all().zip(even.into_iter().zip(odd));
        let contents = squares.map(|(sq, (even, odd))| {
            let content = if sq.rank() % 2 == 0 { even } else { odd };
            (sq, content)
        });
        arranged(contents, turn)
    })
}

/// How often a square is empty, or holds a man or king of the side to move, or a man or king of the other.
type Weights = [u32; 5];

/// What is on a square: nothing, or a piece of the side to move or of the other.
type Content = Option<(bool, Piece)>;

fn square([empty, men, kings, opp_men, opp_kings]: Weights) -> impl Strategy<Value = Content> {
    prop_oneof![
        empty => Just(None),
        men => Just(Some((true, Piece::Man))),
        opp_men => Just(Some((false, Piece::Man))),
        kings => Just(Some((true, Piece::King))),
        opp_kings => Just(Some((false, Piece::King))),
    ]
}

/// Puts pieces on the board, except those for which there is no place: men on their promotion row, and pieces beyond twelve.
fn arranged(contents: impl Iterator<Item = (Square, Content)>, turn: Side) -> Position {
    let mut pos = Position::new([Bitboard::EMPTY; 2], [Bitboard::EMPTY; 2], turn)
        .expect("an empty board is legal");
    for (sq, content) in contents {
        let Some((is_own, piece)) = content else {
            continue;
        };
        let side = if is_own { turn } else { turn.opponent() };
        let mut men = Side::BOTH.map(|side| pos.men(side));
        let mut kings = Side::BOTH.map(|side| pos.kings(side));
        let set = match piece {
            Piece::Man => &mut men[side.index()],
            Piece::King => &mut kings[side.index()],
        };
        *set = set.with(sq);
        pos = Position::new(men, kings, turn).unwrap_or(pos);
    }
    pos
}

fn legal<R: Rules>(pos: &Position) -> MoveList {
    let mut moves = MoveList::new();
    legal_moves::<R>(pos, &mut moves);
    moves
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn keys_follow_moves(line in lines()) {
        with_rules!(line.variant, R => line.each(check_key::<R>))?;
    }

    #[test]
    fn moves_can_be_taken_back(line in lines()) {
        with_rules!(line.variant, R => line.each(check_undo::<R>))?;
    }

    #[test]
    fn both_sides_have_the_same_rules(line in lines()) {
        with_rules!(line.variant, R => line.each(check_symmetry::<R>))?;
    }

    #[test]
    fn moves_keep_positions_legal(line in lines()) {
        with_rules!(line.variant, R => line.each(check_moves::<R>))?;
    }

    #[test]
    fn lists_of_moves_agree(line in lines()) {
        with_rules!(line.variant, R => line.each(check_lists::<R>))?;
    }

    #[test]
    fn leaves_are_counted_as_they_are_listed(line in lines()) {
        with_rules!(line.variant, R => line.each(check_counts::<R>))?;
    }

    #[test]
    fn positions_are_read_as_they_are_written(line in lines()) {
        with_rules!(line.variant, R => line.each(check_position_texts::<R>))?;
    }

    #[test]
    fn moves_are_read_as_they_are_written(line in lines()) {
        with_rules!(line.variant, R => line.each(check_move_texts::<R>))?;
    }
}

/// The key that is kept up to date is the key from nothing.
fn check_key<R: Rules>(game: &Game<R>) -> Result<(), TestCaseError> {
    prop_assert_eq!(game.key(), Key::of(game.position()));
    Ok(())
}

fn check_undo<R: Rules>(game: &Game<R>) -> Result<(), TestCaseError> {
    for mv in game.legal_moves() {
        let mut other = game.clone();
        other.try_play(mv).expect("it is legal");
        prop_assert_eq!(other.undo(), Some(mv));
        prop_assert_eq!(other.position(), game.position());
        prop_assert_eq!(other.key(), game.key());
        prop_assert_eq!(other.counters(), game.counters());
    }
    Ok(())
}

/// With colours exchanged and the board turned, the moves are the same, and so are the trees below them.
fn check_symmetry<R: Rules>(game: &Game<R>) -> Result<(), TestCaseError> {
    let (pos, flipped) = (game.position(), game.position().flipped());
    prop_assert_eq!(&flipped.flipped(), pos);
    let turned: HashSet<Move> = legal::<R>(&flipped).iter().map(turn).collect();
    let own: HashSet<Move> = legal::<R>(pos).into_iter().collect();
    prop_assert_eq!(own, turned);
    prop_assert_eq!(perft::<R>(pos, 3), perft::<R>(&flipped, 3));
    Ok(())
}

/// Returns the move as it is seen from the other side of the board.
fn turn(mv: &Move) -> Move {
    Move {
        captured: mv.captured.rotated(),
        from: mv.from.rotated(),
        to: mv.to.rotated(),
        promotes: mv.promotes,
    }
}

/// Moves take pieces of the opponent only, lose none of their own, and lead to positions that are legal.
fn check_moves<R: Rules>(game: &Game<R>) -> Result<(), TestCaseError> {
    let pos = game.position();
    for mv in legal::<R>(pos) {
        prop_assert!(!mv.captured.intersects(pos.own()), "{mv:?}");
        prop_assert_eq!(mv.captured & pos.opp(), mv.captured, "{:?}", mv);
        let after = pos.play(mv);
        let men = Side::BOTH.map(|side| after.men(side));
        let kings = Side::BOTH.map(|side| after.kings(side));
        prop_assert_eq!(Position::new(men, kings, after.turn()), Ok(after));
        prop_assert_eq!(after.turn(), pos.turn().opponent());
        prop_assert_eq!(after.opp().count(), pos.own().count());
        prop_assert_eq!(
            after.own().count(),
            pos.opp().count() - mv.captured.count(),
            "{:?}",
            mv
        );
        let promoted = after.kings(pos.turn()).count() - pos.kings(pos.turn()).count();
        prop_assert_eq!(promoted, u32::from(mv.promotes), "{:?}", mv);
    }
    Ok(())
}

/// Captures come before quiet moves, none is listed twice, and the questions about them are answered as the lists are.
fn check_lists<R: Rules>(game: &Game<R>) -> Result<(), TestCaseError> {
    let pos = game.position();
    let [mut captures, mut quiets] = [MoveList::new(), MoveList::new()];
    capture_moves::<R>(pos, &mut captures);
    quiet_moves(pos, &mut quiets);
    prop_assert!(captures.iter().all(|mv| mv.is_capture()));
    prop_assert!(quiets.iter().all(|mv| !mv.is_capture()));
    let moves = legal::<R>(pos);
    prop_assert_eq!(
        &moves,
        if captures.is_empty() {
            &quiets
        } else {
            &captures
        }
    );
    let unique: HashSet<&Move> = moves.iter().collect();
    prop_assert_eq!(unique.len(), moves.len());
    prop_assert_eq!(count_moves::<R>(pos), moves.len() as u64);
    prop_assert_eq!(has_legal_move(pos), !moves.is_empty());
    prop_assert_eq!(has_capture(pos), !captures.is_empty());
    prop_assert_eq!(is_threatened(&pos.passed()), !captures.is_empty());
    Ok(())
}

/// Counting two and three plies at once is adding up what is below each move.
fn check_counts<R: Rules>(game: &Game<R>) -> Result<(), TestCaseError> {
    let pos = game.position();
    let after: Vec<Position> = legal::<R>(pos).iter().map(|&mv| pos.play(mv)).collect();
    let replies: usize = after.iter().map(|pos| legal::<R>(pos).len()).sum();
    prop_assert_eq!(perft::<R>(pos, 2), replies as u64);
    let leaves: u64 = after.iter().map(|pos| perft::<R>(pos, 2)).sum();
    prop_assert_eq!(perft::<R>(pos, 3), leaves);
    let divided = divide::<R>(pos, 3);
    prop_assert_eq!(
        divided.iter().map(|(_, leaves)| leaves).sum::<u64>(),
        leaves
    );
    Ok(())
}

fn check_position_texts<R: Rules>(game: &Game<R>) -> Result<(), TestCaseError> {
    let pos = *game.position();
    let hub = hub::write_position(&pos);
    prop_assert_eq!(hub::parse_position(&hub), Ok(pos), "{}", &hub);
    for text in [fen::write(&pos), fen::write_letters(&pos), hub] {
        prop_assert_eq!(fen::parse(&text), Ok(pos), "{}", text);
    }
    Ok(())
}

fn check_move_texts<R: Rules>(game: &Game<R>) -> Result<(), TestCaseError> {
    let pos = game.position();
    let legal = legal::<R>(pos);
    for &mv in &legal {
        for numbering in [Numbering::Hub, Numbering::Pdn] {
            let text = hub::write_move(mv, numbering);
            prop_assert_eq!(
                hub::parse_move(&text, numbering, &legal),
                Ok(mv),
                "{}",
                text
            );
        }
        let mut texts: Vec<String> = [Form::Numbers, Form::Letters, Form::HalfShort]
            .map(|form| moves::write_as::<R>(pos, mv, form))
            .into();
        texts.push(moves::write::<R>(pos, mv));
        if mv.is_capture() {
            texts.push(hub::write_move(mv, Numbering::Hub));
        }
        for text in texts {
            prop_assert_eq!(moves::parse::<R>(pos, &text), Ok(mv), "{}", text);
        }
    }
    Ok(())
}

/// The random games meet what is hard.
#[test]
fn the_sample_is_rich() {
    let mut runner = TestRunner::deterministic();
    let mut met = [0; 6];
    for _ in 0..300 {
        let tree = lines().new_tree(&mut runner).expect("a game can be made");
        let line = tree.current();
        let look = with_rules!(line.variant, R => line.each::<R>(|game| {
            let pos = game.position();
            let moves = game.legal_moves();
            let [own, opp] = [pos.turn(), pos.turn().opponent()].map(|side| pos.kings(side).count());
            for (count, is_met) in met.iter_mut().zip([
                moves.is_empty(),
                moves.iter().any(|mv| mv.is_capture()),
                moves.iter().any(|mv| mv.captured.count() >= 4),
                moves.iter().any(|mv| mv.is_capture() && mv.promotes),
                own >= 3 && opp >= 3,
                pos.occupied().count() >= 12 && pos.occupied().count() <= 20,
            ]) {
                *count += u32::from(is_met);
            }
            Ok(())
        }));
        look.expect("nothing is checked");
    }
    assert!(met.iter().all(|&count| count >= 25), "{met:?}");
}
