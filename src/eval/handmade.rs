//! A hand-made evaluation: the things a player would name.
//!
//! Per side: material; men by how far they have come and how near the middle they stand; guards on the back row while
//! the opponent has men to promote; squares open to kings; the main road. Then the whole is scaled down where the
//! side that is ahead cannot be expected to win. The weights are guesses in hundredths of a man. The learned evaluation has
//! replaced it in play; it remains as an opponent that does not change, and for the first games of a training.

use super::material;
use crate::board::{Bitboard, Position, Side};
use crate::score::Score;

/// What a man is worth besides its material, by the rows it has come forward.
const ADVANCE: [i32; 8] = [0, 1, 3, 6, 10, 16, 28, 0];
/// A man on the four middle columns of the middle rows.
const CENTRE: i32 = 5;
/// A man at the edge, which can go only one way.
const EDGE: i32 = -3;
/// A man that still guards the back row.
const GUARD: i32 = 7;
/// A king that has the main road for its side alone.
const MAIN_ROAD: i32 = 40;
/// A square next to a side's kings that is empty.
const KING_FREEDOM: i32 = 3;
/// Having the move.
const TURN: i32 = 4;

/// By what an advantage is divided against a lone king on the main road, with at most three pieces: nothing wins any more.
const LONE_KING_ON_ROAD: i32 = 16;
/// The same with one or two pieces against a lone king elsewhere.
const LONE_KING: i32 = 8;
/// The same against a king and as many pieces or more.
const NO_MORE_PIECES: i32 = 2;

/// The middle: columns c to f of rows 4 and 5.
const CENTRE_SQUARES: Bitboard = Bitboard(
    (Bitboard::rank(3).0 | Bitboard::rank(4).0)
        & (Bitboard::file(2).0 | Bitboard::file(3).0 | Bitboard::file(4).0 | Bitboard::file(5).0),
);
/// The outer columns.
const EDGE_SQUARES: Bitboard = Bitboard(Bitboard::file(0).0 | Bitboard::file(7).0);

/// Returns the evaluation from the view of the side to move.
pub(super) fn evaluate(pos: &Position) -> Score {
    let turn = pos.turn();
    let balance = side_score(pos, turn) - side_score(pos, turn.opponent()) + TURN;
    let ahead = if balance > 0 { turn } else { turn.opponent() };
    Score(balance / drawishness(pos, ahead)).clamp_to_eval()
}

fn side_score(pos: &Position, side: Side) -> i32 {
    let mut score = material::of(pos, side) + men_score(pos, side);
    let kings = pos.kings(side);
    if !kings.is_empty() {
        score += king_score(pos, kings, pos.kings(side.opponent()));
    }
    score
}

fn men_score(pos: &Position, side: Side) -> i32 {
    let men = pos.men(side);
    let mut score = 0;
    for (rows, worth) in (0..).zip(ADVANCE) {
        let rank = match side {
            Side::White => rows,
            Side::Black => 7 - rows,
        };
        score += worth * (men & Bitboard::rank(rank)).count() as i32;
    }
    score += CENTRE * (men & CENTRE_SQUARES).count() as i32;
    score += EDGE * (men & EDGE_SQUARES).count() as i32;
    if !pos.men(side.opponent()).is_empty() {
        let home = Position::promotion_row(side.opponent());
        score += GUARD * (men & home).count() as i32;
    }
    score
}

fn king_score(pos: &Position, kings: Bitboard, opp_kings: Bitboard) -> i32 {
    let neighbours = kings.0 << 9 | kings.0 << 7 | kings.0 >> 7 | kings.0 >> 9;
    let free = Bitboard(neighbours & pos.empty().0).count() as i32;
    let owns_road =
        kings.intersects(Bitboard::MAIN_ROAD) && !opp_kings.intersects(Bitboard::MAIN_ROAD);
    KING_FREEDOM * free + if owns_road { MAIN_ROAD } else { 0 }
}

/// Returns the number by which an advantage of the side ahead is divided.
///
/// A king is hard to catch: three pieces win against one only if it does not hold the main road, and two almost never. Against a king
/// an advantage seldom decides without more pieces than the other side has.
fn drawishness(pos: &Position, ahead: Side) -> i32 {
    let behind = ahead.opponent();
    let opp_kings = pos.kings(behind);
    if opp_kings.is_empty() {
        return 1;
    }
    let (strong, weak) = (pos.material(ahead), pos.material(behind));
    if weak.pieces() == 1 && strong.pieces() <= 3 {
        return if opp_kings.intersects(Bitboard::MAIN_ROAD) {
            LONE_KING_ON_ROAD
        } else if strong.pieces() == 3 {
            1
        } else {
            LONE_KING
        };
    }
    if strong.pieces() <= weak.pieces() {
        NO_MORE_PIECES
    } else {
        1
    }
}
