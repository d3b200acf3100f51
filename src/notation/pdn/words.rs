//! The words between comments: what is part of a move, and what is a number, a mark or a sign.

use crate::notation::text::{DASHES, latin};

/// Signs for the value of a position, with their numbers as marks.
const VALUES: [(&str, u16); 16] = [
    ("=", 10),
    ("∞", 13),
    ("+=", 14),
    ("⩲", 14),
    ("=+", 15),
    ("⩱", 15),
    ("+/=", 14),
    ("=/+", 15),
    ("±", 16),
    ("+/-", 16),
    ("∓", 17),
    ("-/+", 17),
    ("+-", 18),
    ("+−", 18),
    ("-+", 19),
    ("−+", 19),
];

/// Parts are put together to one move up to this length.
const LONGEST_MOVE: usize = 100;

pub(super) fn is_number(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
}

/// Reads four digits as the numbers of two squares, since some files leave out the dash.
pub(super) fn without_sign(word: &str) -> Option<String> {
    let (from, to) = word.split_at_checked(2)?;
    (word.len() == 4 && is_number(word)).then(|| format!("{from}-{to}"))
}

/// Says whether a word may be the name of one square.
pub(super) fn is_square(word: &str) -> bool {
    let mut letters = word.chars().map(|c| latin(c).to_ascii_lowercase());
    let (file, rank) = (letters.next(), letters.next());
    let is_file = file.is_some_and(|c| ('a'..='h').contains(&c));
    is_file && rank.is_some_and(|c| ('1'..='8').contains(&c)) && letters.next().is_none()
}

/// Says whether a word is written like a time: hours and minutes, minutes and seconds, or all three, of two digits each behind the first.
pub(super) fn is_clock(word: &str) -> bool {
    let mut fields = word.split(':');
    let first = fields.next().unwrap_or_default();
    let (mut count, mut are_pairs) = (0, true);
    for field in fields {
        count += 1;
        are_pairs &= field.len() == 2 && is_number(field) && field < "60";
    }
    are_pairs && (1..=2).contains(&count) && (1..=2).contains(&first.len()) && is_number(first)
}

/// Says whether all fields of a time are numbers of squares.
pub(super) fn may_be_squares(clock: &str) -> bool {
    let mut fields = clock.split(':');
    fields.all(|field| field.parse().is_ok_and(|number| (1..=32).contains(&number)))
}

fn is_capture_sign(c: char) -> bool {
    matches!(latin(c), ':' | 'x' | 'X' | '×')
}

/// Says whether a word goes on in the next one, as part of a move with blanks in it.
pub(super) fn goes_on(word: &str, next: &str) -> bool {
    if value(next).is_some() || !word.starts_with(|c: char| c.is_alphanumeric()) {
        return false;
    }
    if word.len() > LONGEST_MOVE {
        return false;
    }
    let is_one_square = is_square(word) || word.len() <= 2 && is_number(word);
    if word.ends_with(is_capture_sign) || word.ends_with(DASHES) {
        return next.starts_with(|c: char| c.is_alphanumeric());
    }
    next.starts_with(is_capture_sign)
        || is_one_square && next.starts_with(DASHES)
        || is_square(word) && is_square(next)
}

/// The characters that say how good a move is.
pub(super) fn is_mark(c: char) -> bool {
    matches!(c, '!' | '?' | '*' | '‼' | '⁇' | '⁉' | '⁈')
}

/// Returns marks in their plain spelling.
pub(super) fn in_ascii(marks: &str) -> String {
    let plain = marks.chars().map(|c| match c {
        '‼' => "!!",
        '⁇' => "??",
        '⁉' => "!?",
        '⁈' => "?!",
        '!' => "!",
        '?' => "?",
        _ => "",
    });
    plain.collect()
}

/// Returns the number of the mark that a sign for the value of a position stands for.
pub(super) fn value(word: &str) -> Option<u16> {
    let mut values = VALUES.iter();
    let found = values.find(|(sign, _)| *sign == word);
    found.map(|(_, nag)| *nag)
}
