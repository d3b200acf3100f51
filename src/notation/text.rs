//! What the readers of typed text share: look-alike letters, move numbers, and how errors repeat the text.

use std::borrow::Cow;

/// The most characters of a faulty text that an error message repeats.
const SHOWN: usize = 40;

/// Returns a faulty text as an error message repeats it: its beginning, on one line, without double quotes.
pub(crate) fn shown(text: &str) -> String {
    let text = text.trim();
    let mut shown: String = text
        .chars()
        .take(SHOWN)
        .map(|c| match c {
            '"' => '\'',
            c if c.is_control() || c.is_whitespace() => ' ',
            c => c,
        })
        .collect();
    if text.chars().nth(SHOWN).is_some() {
        shown.push('…');
    }
    shown
}

/// Returns a text without the control characters of terminals, which may come from anybody's file and end on anybody's screen: each but line
/// feeds and tabs becomes a blank.
pub(crate) fn printable(text: &str) -> Cow<'_, str> {
    let is_bad = |c: char| c.is_control() && c != '\n' && c != '\t';
    if text.contains(is_bad) {
        Cow::Owned(text.replace(is_bad, " "))
    } else {
        Cow::Borrowed(text)
    }
}

/// Returns a text for one line on a terminal: blanks stand for control characters, which the names and the text of files may have.
pub(crate) fn on_one_line(text: &str) -> String {
    text.replace(char::is_control, " ")
}

/// Returns the Latin letter that a Cyrillic one looks like, in the same case, and any other character unchanged.
///
/// On a Russian keyboard the letters of the board are easily typed without changing the layout, and nobody
/// can see the difference. Only pairs that do look alike are here: в is not b.
pub(super) fn latin(c: char) -> char {
    match c {
        'а' => 'a',
        'А' => 'A',
        'В' => 'B',
        'с' => 'c',
        'С' => 'C',
        'е' => 'e',
        'Е' => 'E',
        'Н' => 'H',
        'к' => 'k',
        'К' => 'K',
        'х' => 'x',
        'Х' => 'X',
        c => c,
    }
}

/// The hyphen and what word processors and phones make of it.
pub(super) const DASHES: [char; 6] = ['-', '\u{2010}', '\u{2011}', '–', '—', '\u{2212}'];

/// Splits a move number, with a dot or bracket at least, off the front of a word. Dots alone are one too.
pub(super) fn split_number(word: &str) -> (&str, &str) {
    let digits = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let has_digits = digits.len() < word.len();
    let is_end = |c: char| matches!(c, '.' | '…') || c == ')' && has_digits;
    let rest = digits.trim_start_matches(is_end);
    if rest.len() == digits.len() {
        return ("", word);
    }
    word.split_at(word.len() - rest.len())
}
