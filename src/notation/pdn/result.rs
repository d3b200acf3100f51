//! Results of games: the spellings that are written, and what is read as them.

/// The results, as they are written, each with other spellings that tags have.
const RESULTS: [(&str, &[&str]); 8] = [
    ("1-0", &["1:0", "+:-", "+/-"]),
    ("0-1", &["0:1", "-:+", "-/+"]),
    ("1/2-1/2", &["1/2", "½", "½-½", "½:½", "1/2:1/2", "0.5-0.5", "0,5-0,5", "=:="]),
    ("2-0", &["2:0"]),
    ("0-2", &["0:2"]),
    ("1-1", &["1:1"]),
    ("0-0", &["0:0"]),
    ("*", &["?", ""]),
];

/// Reads the value of a tag `Result`, and returns it in its usual spelling.
pub(super) fn read(value: &str) -> Option<&'static str> {
    let value: String = value.chars().filter(|c| !c.is_whitespace()).map(plain).collect();
    let mut results = RESULTS.iter();
    let found = results.find(|(result, others)| *result == value || others.contains(&value.as_str()));
    found.map(|(result, _)| *result)
}

/// Reads a word that may stand at the end of the moves. None of those that are read could be a move.
pub(super) fn read_word(word: &str) -> Option<&'static str> {
    let is_candidate = word.len() <= 10 && word.starts_with(['0', '1', '2', '*', '½']);
    if !is_candidate || word.is_empty() {
        return None;
    }
    // In numbers, 1:1 could be a capture that ends where it began.
    read(word).filter(|&result| result != "1-1" || !word.contains(':'))
}

/// Returns a result in the style of the games that are played here: points of 1 for a win and 1/2 for a draw.
pub(super) fn in_points(result: &str) -> &str {
    match result {
        "2-0" => "1-0",
        "0-2" => "0-1",
        "1-1" => "1/2-1/2",
        other => other,
    }
}

/// Returns the hyphen for a dash of any kind, and other characters unchanged.
fn plain(c: char) -> char {
    if crate::notation::text::DASHES.contains(&c) { '-' } else { c }
}
