//! Results of games: the spellings that are written, and what is read as them.

use super::text::DASHES;

/// The results, as they are written, each with other spellings that are read.
const RESULTS: [(&str, &[&str]); 8] = [
    ("1-0", &["1:0"]),
    ("0-1", &["0:1"]),
    (
        "1/2-1/2",
        &["1/2", "½", "½-½", "½:½", "1/2:1/2", "0.5-0.5", "0,5-0,5"],
    ),
    ("2-0", &["2:0"]),
    ("0-2", &["0:2"]),
    ("1-1", &["1:1"]),
    ("0-0", &["0:0"]),
    ("*", &["?", ""]),
];

/// The most bytes of a result, with a dash and fractions of two or three bytes each.
const LONGEST: usize = 12;

/// Reads the value of a tag `Result`, and returns it in its usual spelling.
pub(super) fn read(value: &str) -> Option<&'static str> {
    let is_dash = |c: char| DASHES.contains(&c);
    let value: String = value
        .chars()
        .filter(|c| !c.is_whitespace())
        .map(|c| if is_dash(c) { '-' } else { c })
        .take(LONGEST)
        .collect();
    let is_value =
        |(result, others): &&(&str, &[&str])| *result == value || others.contains(&value.as_str());
    RESULTS.iter().find(is_value).map(|(result, _)| *result)
}

/// Reads a word that may stand at the end of the moves. None of those that are read could be a move.
pub(super) fn of_word(word: &[u8]) -> Option<&'static str> {
    let (&first, rest) = word.split_first()?;
    if word.len() > LONGEST || !matches!(first, b'0'..=b'2' | b'*' | 0xC2) {
        return None;
    }
    match rest {
        [] => (first == b'*').then_some("*"),
        // In numbers, 1:1 could be a capture that ends where it began.
        b":1" if first == b'1' => None,
        // A move in numbers.
        [b'0'..=b'9', ..] => None,
        _ => str::from_utf8(word).ok().and_then(read),
    }
}

/// Says whether a word is written like a result, known or not, such as `2-1` or `1.5-0.5`: two small numbers, both with halves or none. No move
/// is: there is no square 0, and the others are in one row.
pub(super) fn is_like(word: &[u8]) -> bool {
    let Ok(word) = str::from_utf8(word) else {
        return false;
    };
    let word = word.trim_end_matches(['.', ',', '!']);
    let is_sign = |c| c == ':' || DASHES.contains(&c);
    let is_small = |text: &str| matches!(text, "0" | "1" | "2" | "3" | "4");
    let is_half = |text: &str| {
        let decimal = text.strip_suffix(".5").or(text.strip_suffix(",5"));
        let vulgar = || text.strip_suffix('½');
        decimal.map_or_else(
            || vulgar().is_some_and(|whole| whole.is_empty() || is_small(whole)),
            is_small,
        )
    };
    let Some((one, other)) = word.split_once(is_sign) else {
        return false;
    };
    [one, other].into_iter().all(is_small) || [one, other].into_iter().all(is_half)
}

/// Returns a result in the style of the games that are played here: a point for a win, half of one for a draw.
pub(super) fn in_points(result: &str) -> &str {
    match result {
        "2-0" => "1-0",
        "0-2" => "0-1",
        "1-1" => "1/2-1/2",
        other => other,
    }
}
