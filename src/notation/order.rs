//! In which order the squares are numbered: from b8 in every text here, from another corner in some files and for some clients.

use crate::board::{Side, Square};

/// How the squares are numbered: in rows, from one of the corners.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Order {
    is_from_top: bool,
    is_from_left: bool,
}

impl Default for Order {
    /// From b8, as everywhere here.
    fn default() -> Self {
        Self {
            is_from_top: true,
            is_from_left: true,
        }
    }
}

impl Order {
    /// From a1: the order in which the rows of letters run.
    pub(super) const FROM_A1: Self = Self {
        is_from_top: false,
        is_from_left: true,
    };

    /// Returns the order that the value of a PDN tag `GameType` names, such as `25,W,8,8,N0,0`, or `None` if it names none: the corner as the
    /// side that begins sees it. 0 is on its left below, 1 on the right below, 2 and 3 are above.
    pub(super) fn of_game_type(game_type: &str) -> Option<Self> {
        let mut fields = game_type.split(',').map(str::trim);
        let (first, notation) = (fields.nth(1)?, fields.nth(2)?);
        let corner: u8 = notation.strip_prefix(['N', 'n'])?.parse().ok()?;
        let (is_above, is_left) = (corner >= 2, corner.is_multiple_of(2));
        let is_turned = first.chars().next().and_then(Side::from_letter) == Some(Side::Black);
        (corner < 4).then_some(Self {
            is_from_top: is_above != is_turned,
            is_from_left: is_left != is_turned,
        })
    }

    /// Returns the number from b8 of a number in this order, 1 to 32, or the number in this order of one from b8: rows and columns are turned
    /// round or stay, so it is the same both ways.
    pub(super) const fn number(self, number: u8) -> u8 {
        let (row, column) = ((number - 1) / 4, (number - 1) % 4);
        let row = if self.is_from_top { row } else { 7 - row };
        let column = if self.is_from_left {
            column
        } else {
            3 - column
        };
        row * 4 + column + 1
    }

    /// Returns the square of a number in this order, or `None` outside 1 to 32.
    pub(super) const fn square(self, number: u8) -> Option<Square> {
        match Square::from_number(number) {
            Some(_) => Square::from_number(self.number(number)),
            None => None,
        }
    }

    /// Returns a move with its numbers counted from b8. Letters stay.
    pub(super) fn mv(self, text: &str) -> String {
        let is_letters = text
            .chars()
            .any(|c| c.is_alphabetic() && !"xXхХ".contains(c));
        if self == Self::default() || is_letters {
            return text.to_owned();
        }
        let mut out = String::new();
        for run in runs(text) {
            match run.parse().ok().and_then(|number| self.square(number)) {
                Some(square) => out += &square.number().to_string(),
                None => out += run,
            }
        }
        out
    }
}

/// Splits a text into runs of digits and what is between them.
fn runs(text: &str) -> impl Iterator<Item = &str> {
    let is_digit = |c: char| c.is_ascii_digit();
    let mut rest = text;
    std::iter::from_fn(move || {
        let starts_with_digit = rest.chars().next().map(is_digit)?;
        let end = rest.find(|c| is_digit(c) != starts_with_digit);
        let (run, after) = rest.split_at(end.unwrap_or(rest.len()));
        rest = after;
        Some(run)
    })
}
