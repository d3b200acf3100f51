//! Opening books: positions with their good moves, read from text.
//!
//! One file serves one game (all its rule sets): `russian.book`, `pool.book`, `brazilian.book`. The format is made to be read and
//! corrected by a person:
//!
//! ```text
//! # a comment
//! mainroad-book 1 russian
//! W:W21,22,...:B1,2,... | c3-d4 4 | g3-f4 2
//! ```
//!
//! After the head line, each line is a position and its moves, best first, each with its score in hundredths of a
//! man for the side to move. A line is refused as a whole with its number if anything in it cannot be read or is
//! not legal. Positions that are reached by other move orders are found too, since the look-up is by key.

use crate::board::{Key, Move};
use crate::notation::{fen, moves};
use crate::rules::{Movement, Rules};
use crate::score::Score;
use std::borrow::Cow;
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The first word of a book, and the version of its format.
const MAGIC: [&str; 2] = ["mainroad-book", "1"];

/// Longer files are not read: about a million positions.
const MAX_BYTES: u64 = 256 << 20;

/// The books of the `book/` folder, compiled in for when the folder is not at hand.
const COMPILED_IN: [(&str, &str); 3] = [
    ("russian", include_str!("../book/russian.book")),
    ("pool", include_str!("../book/pool.book")),
    ("brazilian", include_str!("../book/brazilian.book")),
];

/// A book in memory.
#[derive(Clone, Debug, Default)]
pub struct Book {
    positions: HashMap<Key, Vec<(Move, Score)>>,
}

/// How a move is chosen among those of a position. The default is always the best one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// How much worse than the best a move may be, in hundredths of a man.
    pub margin: i32,
    /// How often a move is chosen at random, in percent.
    pub variety: u64,
}

/// Says why a book cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// The file cannot be read.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        error: io::Error,
    },
    /// A line cannot be read.
    #[error("{name}: line {line}: {fault}")]
    Line {
        /// The book.
        name: String,
        /// The number of the line, from 1.
        line: usize,
        /// What is wrong with it.
        fault: String,
    },
}

/// Opens the book that an option value names, for the rules `R`.
///
/// `true` looks for the folder `book` beside the executable, then in the working directory, then takes the
/// copy that is compiled in. `false` and `none` are the empty book. Anything else is the path of a file, or of a
/// folder with one file for each game.
pub fn open<R: Rules>(choice: &str) -> Result<Book, BookError> {
    let file_name = format!("{}.book", R::Movement::NAME);
    match choice {
        "false" | "none" | "" => Ok(Book::default()),
        "true" => {
            let (name, text) = default_text::<R>()?;
            Book::parse::<R>(&text, &name)
        }
        path => {
            let path = Path::new(path);
            if path.is_dir() {
                read::<R>(&path.join(file_name))
            } else {
                read::<R>(path)
            }
        }
    }
}

/// Says whether there is a book of some game where an option value says so, as far as the names of files and the head line of one tell;
/// `true`, `false` and `none` always are.
pub fn is_there(choice: &str) -> bool {
    let path = Path::new(choice);
    let is_book = |path: &Path| path.is_file() && begins_with_magic(path).unwrap_or(false);
    let in_folder = |(game, _): &(&str, &str)| is_book(&path.join(format!("{game}.book")));
    matches!(choice, "true" | "false" | "none" | "")
        || is_book(path)
        || COMPILED_IN.iter().any(in_folder)
}

/// Says whether a line is neither blank nor a comment.
fn is_told(line: &str) -> bool {
    !line.is_empty() && !line.starts_with('#')
}

/// Looks at the first line that is no comment, if it is near the beginning.
fn begins_with_magic(path: &Path) -> io::Result<bool> {
    let mut bytes = Vec::new();
    File::open(path)?.take(4096).read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes);
    let first = text.lines().map(str::trim).find(|line| is_told(line));
    Ok(first.is_some_and(|line| line.starts_with(MAGIC[0])))
}

/// Returns where the book is that is played from if none is named, and the CRC-32 of its text.
pub fn default_checksum<R: Rules>() -> Result<(String, u32), BookError> {
    let (name, text) = default_text::<R>()?;
    Ok((name, crc32fast::hash(text.as_bytes())))
}

/// Returns the name and the text of the book that is played from if none is named.
fn default_text<R: Rules>() -> Result<(String, Cow<'static, str>), BookError> {
    let file_name = format!("{}.book", R::Movement::NAME);
    let mut candidates = folders().map(|folder| folder.join(&file_name));
    match candidates.find(|path| path.is_file()) {
        Some(path) => Ok((path.display().to_string(), read_text(&path)?.into())),
        None => Ok(("compiled-in book".to_owned(), compiled_in::<R>().into())),
    }
}

fn folders() -> impl Iterator<Item = PathBuf> {
    let beside = std::env::current_exe()
        .ok()
        .and_then(|exe| Some(exe.parent()?.join("book")));
    beside.into_iter().chain([PathBuf::from("book")])
}

fn read<R: Rules>(path: &Path) -> Result<Book, BookError> {
    Book::parse::<R>(&read_text(path)?, &path.display().to_string())
}

fn read_text(path: &Path) -> Result<String, BookError> {
    read_file(path).map_err(|error| BookError::File {
        path: path.to_owned(),
        error,
    })
}

/// Reads a file, unless it is longer than any book, as a device may be.
fn read_file(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    let length = File::open(path)?
        .take(MAX_BYTES + 1)
        .read_to_string(&mut text)?;
    if length as u64 > MAX_BYTES {
        return Err(io::Error::other(format!(
            "longer than {MAX_BYTES} bytes, expected a book"
        )));
    }
    Ok(text)
}

/// Returns the text of the book that is compiled in.
pub fn compiled_in<R: Rules>() -> &'static str {
    let found = COMPILED_IN
        .iter()
        .find(|(name, _)| *name == R::Movement::NAME);
    found.expect("there is a book for every game").1
}

impl Book {
    /// Reads a book for the rules `R` from text. `name` is used in errors.
    pub fn parse<R: Rules>(text: &str, name: &str) -> Result<Self, BookError> {
        let lines = (1..)
            .zip(text.lines())
            .map(|(number, line)| (number, line.trim()));
        let mut lines = lines.filter(|(_, line)| is_told(line));
        let fail = |line, fault| BookError::Line {
            name: name.to_owned(),
            line,
            fault,
        };
        let game = R::Movement::NAME;
        let (number, head) = lines.next().unwrap_or((1, ""));
        if head.split_whitespace().ne(MAGIC.into_iter().chain([game])) {
            return Err(fail(
                number,
                format!("expected the head line \"{} {game}\"", MAGIC.join(" ")),
            ));
        }
        let mut book = Self::default();
        for (number, line) in lines {
            let (key, moves) = parse_line::<R>(line).map_err(|fault| fail(number, fault))?;
            if book.positions.insert(key, moves).is_some() {
                return Err(fail(number, "the position was given before".to_owned()));
            }
        }
        Ok(book)
    }

    /// Returns the moves known in a position, best first.
    pub fn moves(&self, key: Key) -> &[(Move, Score)] {
        self.positions.get(&key).map_or(&[], Vec::as_slice)
    }

    /// Returns the best move known in a position, and its score.
    pub fn best(&self, key: Key) -> Option<(Move, Score)> {
        self.moves(key).first().copied()
    }

    /// Chooses a move of a position: of [`Choice::variety`] in a hundred `numbers`, any within the margin of the best, each as likely as the
    /// others; of the rest, the best.
    pub fn choose(&self, key: Key, choice: Choice, number: u64) -> Option<(Move, Score)> {
        let moves = self.moves(key);
        let &(_, best) = moves.first()?;
        let good = moves
            .iter()
            .take_while(|(_, score)| best.0 - score.0 <= choice.margin)
            .count();
        // The two halves of the number are used as two numbers.
        let is_varied = (number >> 32) % 100 < choice.variety;
        let index = if is_varied {
            (number & u64::from(u32::MAX)) as usize % good
        } else {
            0
        };
        moves.get(index).copied()
    }

    /// Returns the number of positions.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Says whether the book knows no position.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }
}

/// Reads the line of a position.
fn parse_line<R: Rules>(line: &str) -> Result<(Key, Vec<(Move, Score)>), String> {
    let mut fields = line.split('|').map(str::trim);
    let pos = fen::parse(fields.next().unwrap_or_default()).map_err(|error| error.to_string())?;
    let mut known: Vec<(Move, Score)> = Vec::new();
    for field in fields {
        let (text, score) = field
            .split_once(' ')
            .ok_or_else(|| format!("\"{field}\": expected a move and a score"))?;
        let mv = moves::parse::<R>(&pos, text).map_err(|error| error.to_string())?;
        let score: i32 = score
            .trim()
            .parse()
            .map_err(|_| format!("\"{score}\": expected a whole number"))?;
        if score.abs() > Score::WIN.0 {
            return Err(format!(
                "\"{score}\": expected a score within {}",
                Score::WIN.0
            ));
        }
        if known.last().is_some_and(|(_, better)| better.0 < score) {
            return Err(format!(
                "\"{field}\": expected moves in falling order of their scores"
            ));
        }
        if known.iter().any(|(earlier, _)| *earlier == mv) {
            return Err(format!("\"{field}\": the move was given before"));
        }
        known.push((mv, Score(score)));
    }
    if known.is_empty() {
        return Err("expected at least one move".to_owned());
    }
    Ok((Key::of(&pos), known))
}
