//! Everything that is wrong with a position, where the reader stops at the first fault.
//!
//! Every piece of the text is judged by the same reader, alone on an empty board; what one piece cannot show (two pieces on a
//! square, too many pieces) is counted here.

use crate::board::{Bitboard, MAX_PIECES, Position, PositionFault, Side, Square};
use crate::notation::fen::{self, FenError};
use crate::notation::hub;
use std::collections::HashSet;

/// Returns every fault of a position text that was refused with `first`.
pub(super) fn list(text: &str, first: &FenError) -> Vec<String> {
    let mut faults = match first {
        FenError::Empty | FenError::TooLong(_) => Vec::new(),
        FenError::Hub(_) => hub_faults(text.trim()),
        _ => fen_faults(text),
    };
    let first = first.to_string();
    if !faults.contains(&first) {
        faults.insert(0, first);
    }
    let mut told = HashSet::new();
    faults.retain(|fault| told.insert(fault.clone()));
    faults
}

/// Returns the faults of the single squares of a Hub position, and of their number.
fn hub_faults(text: &str) -> Vec<String> {
    let squares = text.chars().skip(1);
    let probe = |(place, letter): (usize, char)| {
        let others = |count| "e".repeat(count);
        let after = Square::COUNT.saturating_sub(place + 1);
        let alone = format!("W{}{letter}{}", others(place), others(after));
        hub::parse_position(&alone).err()
    };
    let faults = squares
        .clone()
        .take(Square::COUNT)
        .enumerate()
        .filter_map(probe);
    let mut faults: Vec<String> = faults.map(|fault| fault.to_string()).collect();
    for (side, letters) in Side::BOTH.into_iter().zip([['w', 'W'], ['b', 'B']]) {
        let count = squares
            .clone()
            .filter(|letter| letters.contains(letter))
            .count();
        faults.extend(too_many(side, count as u32));
    }
    faults
}

/// Returns the faults of the single items of both lists, and of all of them together.
fn fen_faults(text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let mut seen = Bitboard::EMPTY;
    for part in text.split(':').skip(1) {
        let part = part.trim_matches(|c: char| !c.is_alphanumeric());
        let mut letters = part.chars();
        let Some(side) = letters.next().and_then(Side::from_letter) else {
            continue;
        };
        let mut count = 0;
        for item in letters
            .as_str()
            .split(',')
            .map(str::trim)
            .filter(|item| !item.is_empty())
        {
            let squares = item_squares(item, side, &mut faults);
            let doubled = (seen & squares)
                .squares()
                .map(|square| PositionFault::Overlap(square).to_string());
            faults.extend(doubled);
            seen |= squares;
            count += squares.count();
        }
        faults.extend(too_many(side, count));
    }
    faults
}

/// Returns the squares of an item of a list, a piece or a range, and adds the faults of the item alone.
fn item_squares(item: &str, side: Side, faults: &mut Vec<String>) -> Bitboard {
    let read = |item: &str| {
        let (own, opp) = (side.letter(), side.opponent().letter());
        fen::parse(&format!("W:{own}{item}:{opp}"))
    };
    match read(item) {
        Ok(pos) => pos.occupied(),
        Err(FenError::Fault(PositionFault::ManOnPromotionRow(..))) => {
            // As kings the same pieces may stand there.
            let squares = read(&format!("K{item}")).map_or(Bitboard::EMPTY, |pos| pos.occupied());
            for square in (squares & Position::promotion_row(side)).squares() {
                faults.push(PositionFault::ManOnPromotionRow(side, square).to_string());
            }
            squares
        }
        Err(error) => {
            faults.push(error.to_string());
            Bitboard::EMPTY
        }
    }
}

fn too_many(side: Side, count: u32) -> Option<String> {
    let fault = PositionFault::TooManyPieces(side, count);
    (count > MAX_PIECES).then(|| fault.to_string())
}
