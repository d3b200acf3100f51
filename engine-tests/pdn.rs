//! Files of games: read whatever is in them, written as the standard wants it.

mod damage; // each kind of damage: what is named, and what is read all the same
mod files; // `mainroad pdn`: output, exit codes, pipes
mod quirks; // files with the habits and faults of people and programs, each with what must be read
mod round_trips; // what was written reads the same
mod scale; // large inputs: constant memory, linear time
mod tolerance; // what needs no fault: encodings, line ends, spellings, notations

use mainroad::notation::pdn::{Game, Line, Reader};
use mainroad::rules::Variant;

/// Reads all games of a file.
fn read(bytes: impl AsRef<[u8]>) -> Vec<Game> {
    read_as(bytes, None)
}

fn read_as(bytes: impl AsRef<[u8]>, variant: Option<Variant>) -> Vec<Game> {
    let games: Result<Vec<Game>, _> = Reader::new(bytes.as_ref(), variant).collect();
    games.expect("memory can be read")
}

/// Reads the only game of a file.
#[track_caller]
fn read_one(bytes: impl AsRef<[u8]>) -> Game {
    let mut games = read(bytes);
    assert_eq!(games.len(), 1);
    games.remove(0)
}

/// Returns the texts of the moves of a line, with marks, variations in brackets and comments in braces.
fn outline(line: &Line) -> String {
    let mut words = Vec::new();
    let comment = |text: &String| format!("{{{text}}}");
    for node in &line.moves {
        words.extend(node.before.iter().map(comment));
        words.push(format!("{}{}", node.text, node.marks));
        words.extend(node.nags.iter().map(|nag| format!("${nag}")));
        words.extend(node.after.iter().map(comment));
        let variations = node.variations.iter();
        words.extend(variations.map(|line| format!("({})", outline(line))));
    }
    words.extend(line.comments.iter().map(comment));
    words.extend(line.unread.iter().map(|text| format!("<{text}>")));
    words.join(" ")
}

/// Returns the kinds of the faults of a game, with their lines and plies.
fn faults(game: &Game) -> Vec<(&'static str, usize, usize)> {
    let faults = game.faults.iter();
    faults
        .map(|fault| (fault.reason.name(), fault.line, fault.ply))
        .collect()
}
