//! Books as text: what people read, compare and correct, and what the program loads.
//!
//! ```text
//! # a comment
//! mainroad-book 1 russian
//! Wbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww d12 | c3-d4 4 +31=40-12, g3-f4 2, e3-d4 ~1
//! ```
//!
//! After the head line, each line is a position (as Hub writes it, or a FEN), the depth of its searches, and its moves, best first. `|` stands behind
//! the position and `,` or `|` between moves. A move has its score in hundredths of a man for the side to move: `~4` is an
//! estimate by one search, `4!` the word of a person, `4#` proved. Behind it, or instead of it, are the results of games, won, drawn and lost
//! by the side that made the move. Comments above a line belong to it.
//!
//! A line is refused as a whole, with its number, if anything in it cannot be read or is not legal.

use super::{Basis, Book, BookError, BookMove, Entry, Games, progress_of};
use crate::board::{Move, MoveList, Position, Square};
use crate::notation::{fen, hub, moves, shown};
use crate::rules::{Movement, Rules, legal_moves};
use crate::score::{Depth, Score};
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::fmt::Write;
use std::thread;

/// The first word of a book, and the version of its format.
const MAGIC: [&str; 2] = ["mainroad-book", "1"];

/// The bytes of a usual line.
const USUAL_LINE: usize = 60;

/// The fewest lines that are worth a thread of their own.
const LINES_AT_ONCE: usize = 1000;

/// The most threads that read a book: of those that a limit of the system allows, a search needs some too.
const MOST_THREADS: usize = 4;

/// The most plies that a line may claim to be searched.
const MOST_DEPTH: Depth = 1000;

/// Says whether a line is neither blank nor a comment.
fn has_content(line: &str) -> bool {
    !line.is_empty() && !line.starts_with('#')
}

/// Returns a text without the mark of its encoding with which some editors begin a file.
fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// Checks that the first line of a text with anything in it is the head line of a book, whatever its game.
pub(super) fn check_magic(text: &str) -> Result<(), String> {
    let mut lines = (1..).zip(without_mark(text).lines().map(str::trim));
    let (number, head) = lines.find(|(_, line)| has_content(line)).unwrap_or((1, ""));
    if head.split_whitespace().take(MAGIC.len()).eq(MAGIC) {
        return Ok(());
    }
    let magic = MAGIC.join(" ");
    Err(format!(
        "line {number}: expected the head line \"{magic}\" with the name of a game"
    ))
}

impl Book {
    /// Reads a book for the rules `R` from text. `name` is used in errors.
    pub fn parse<R: Rules>(text: &str, name: &str) -> Result<Self, BookError> {
        let mut first = None;
        let book = Self::parse_lines::<R>(text, name, &mut |fault| {
            first = Some(fault);
            false
        });
        first.map_or(Ok(book), Err)
    }

    /// Reads all lines of a book that can be read, and returns what is wrong with the others.
    pub fn parse_all<R: Rules>(text: &str, name: &str) -> (Self, Vec<BookError>) {
        let mut faults = Vec::new();
        let book = Self::parse_lines::<R>(text, name, &mut |fault| {
            faults.push(fault);
            true
        });
        (book, faults)
    }

    /// Reads lines. `note` takes a fault and says whether to go on; without a head line nothing is read.
    fn parse_lines<R: Rules>(
        text: &str,
        name: &str,
        note: &mut dyn FnMut(BookError) -> bool,
    ) -> Self {
        let mut book = Self::with_room(text.len() / USUAL_LINE);
        let mut lines = Vec::with_capacity(text.len() / USUAL_LINE);
        let mut comments = Vec::new();
        let mut is_head = true;
        let error = |line, fault| BookError::Line {
            name: name.to_owned(),
            line,
            fault,
        };
        let text = without_mark(text);
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.trim();
            if !has_content(line) {
                if !line.is_empty() {
                    comments.push(line.to_owned());
                }
            } else if is_head {
                if let Err(fault) = check_head::<R>(line) {
                    note(error(number, fault));
                    return book;
                }
                book.head = std::mem::take(&mut comments);
                is_head = false;
            } else {
                lines.push((number, std::mem::take(&mut comments), line));
            }
        }
        // Most of the time goes into the moves of each line, which have nothing to do with those of the others.
        let read = |(_, _, line): &(_, _, &str)| parse_line::<R>(line);
        let entries: Vec<Result<Entry, String>> = match threads_for(lines.len()) {
            Some(threads) => threads.install(|| lines.par_iter().map(read).collect()),
            None => lines.iter().map(read).collect(),
        };
        for ((number, notes, _), entry) in lines.into_iter().zip(entries) {
            let read = entry.and_then(|entry| {
                let is_new = book.add(Entry { notes, ..entry });
                let repeated = || "the position was given before".to_owned();
                is_new.then_some(()).ok_or_else(repeated)
            });
            if let Err(fault) = read
                && !note(error(number, fault))
            {
                return book;
            }
        }
        if is_head {
            note(error(1, check_head::<R>("").expect_err("it is empty")));
        }
        // What stands below the last line belongs to none.
        book.head.append(&mut comments);
        book
    }

    /// Writes the book, its positions in the order of the game: those that come later, by captures and then by steps of men, stand later.
    pub fn write<R: Rules>(&self) -> String {
        let mut text = String::new();
        for comment in &self.head {
            let _ = writeln!(text, "{comment}");
        }
        let _ = writeln!(text, "{}", head::<R>());
        let mut lines: Vec<_> = self
            .entries()
            .iter()
            .map(|entry| {
                (
                    progress_of(&entry.pos),
                    hub::write_position(&entry.pos),
                    entry,
                )
            })
            .collect();
        lines.sort_unstable_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1)));
        for (_, _, entry) in lines {
            for comment in &entry.notes {
                let _ = writeln!(text, "{comment}");
            }
            let _ = writeln!(text, "{}", write_line::<R>(entry));
        }
        text
    }
}

/// Returns threads to read so many lines, unless they are too few or threads cannot be had.
fn threads_for(lines: usize) -> Option<ThreadPool> {
    let most = thread::available_parallelism().map_or(1, usize::from);
    let threads = most.min(MOST_THREADS).min(lines / LINES_AT_ONCE);
    let threads = ThreadPoolBuilder::new().num_threads(threads);
    (lines >= 2 * LINES_AT_ONCE).then(|| threads.build().ok())?
}

/// Returns the head line of a game's book.
fn head<R: Rules>() -> String {
    format!("{} {}", MAGIC.join(" "), R::Movement::NAME)
}

fn check_head<R: Rules>(line: &str) -> Result<(), String> {
    let head = head::<R>();
    if line.split_whitespace().eq(head.split_whitespace()) {
        Ok(())
    } else {
        Err(format!("expected the head line \"{head}\""))
    }
}

/// Reads the line of a position. The error is a text without the number of the line.
pub fn parse_line<R: Rules>(line: &str) -> Result<Entry, String> {
    let (place, fields) = line.split_once('|').unwrap_or((line, ""));
    let (place, depth) = split_depth(place.trim())?;
    let pos = match hub::parse_position(place) {
        Ok(pos) => pos,
        Err(_) => fen::parse(place).map_err(|error| error.to_string())?,
    };
    let mut legal = MoveList::new();
    legal_moves::<R>(&pos, &mut legal);
    if fields.trim().is_empty() {
        return Err("expected at least one move".to_owned());
    }
    let mut known: Vec<BookMove> = Vec::with_capacity(4);
    for field in fields.split(['|', ',']).map(str::trim) {
        let read = parse_move::<R>(&pos, &legal, field)?;
        let is_better = |last: &BookMove| last.score < read.score;
        if known.last().is_some_and(is_better) {
            return Err(format!(
                "\"{}\": expected moves in falling order of their scores",
                shown(field)
            ));
        }
        if known.iter().any(|earlier| earlier.mv == read.mv) {
            return Err(format!("\"{}\": the move was given before", shown(field)));
        }
        known.push(read);
    }
    Ok(Entry {
        notes: Vec::new(),
        pos,
        depth,
        moves: known,
    })
}

/// Splits the depth off a position: a last word such as `d12`.
fn split_depth(text: &str) -> Result<(&str, Option<Depth>), String> {
    let Some((place, word)) = text.rsplit_once(char::is_whitespace) else {
        return Ok((text, None));
    };
    let Some(number) = word.strip_prefix('d').filter(|rest| !rest.is_empty()) else {
        return Ok((text, None));
    };
    match number.parse() {
        Ok(depth) if (0..=MOST_DEPTH).contains(&depth) => Ok((place.trim_end(), Some(depth))),
        _ => Err(format!("\"{}\": expected a depth such as d12", shown(word))),
    }
}

/// Reads a move with what is known about it.
fn parse_move<R: Rules>(pos: &Position, legal: &MoveList, field: &str) -> Result<BookMove, String> {
    let bad = |expected: &str| format!("\"{}\": expected {expected}", shown(field));
    let mut words = field.split_whitespace();
    let text = words.next().unwrap_or_default();
    let mv = match plain_move(legal, text) {
        Some(mv) => mv,
        None => moves::parse::<R>(pos, text).map_err(|error| error.to_string())?,
    };
    let mut read = BookMove {
        mv,
        score: None,
        basis: Basis::Tree,
        is_proved: false,
        games: Games::default(),
    };
    let mut word = words.next();
    // A score may begin with a plus sign, but has no others.
    if let Some(score) = word.filter(|word| !word.contains('=')) {
        read_score(score, &mut read)?;
        word = words.next();
    } else if word.is_none() {
        return Err(bad("a move and a score"));
    }
    if let Some(games) = word {
        read.games =
            parse_games(games).ok_or_else(|| bad("results of games such as +3=5-1, or nothing"))?;
    }
    if words.next().is_some() {
        return Err(bad("a move, a score and results of games"));
    }
    Ok(read)
}

/// Reads a score with its marks.
fn read_score(word: &str, known: &mut BookMove) -> Result<(), String> {
    let mut number = word;
    if let Some(rest) = number.strip_prefix('~') {
        (number, known.basis) = (rest, Basis::Search);
    }
    if let Some(rest) = number.strip_suffix('!') {
        (number, known.basis) = (rest, Basis::Hand);
    }
    if let Some(rest) = number.strip_suffix('#') {
        (number, known.is_proved) = (rest, true);
    }
    let score: i32 = number
        .parse()
        .map_err(|_| format!("\"{}\": expected a whole number", shown(word)))?;
    if score.unsigned_abs() > Score::WIN.0.unsigned_abs() {
        return Err(format!(
            "\"{}\": expected a score within {}",
            shown(word),
            Score::WIN.0
        ));
    }
    known.score = Some(Score(score));
    Ok(())
}

fn parse_games(word: &str) -> Option<Games> {
    let (won, rest) = word.strip_prefix('+')?.split_once('=')?;
    let (drawn, lost) = rest.split_once('-')?;
    Some(Games {
        won: won.parse().ok()?,
        drawn: drawn.parse().ok()?,
        lost: lost.parse().ok()?,
    })
}

/// Reads a move that is written as books are written, by its first and last square, if only one legal move fits: much faster than to try
/// everything that people write.
fn plain_move(legal: &MoveList, text: &str) -> Option<Move> {
    let (from, to) = text.split_once(['-', ':', 'x'])?;
    let (from, to) = (square(from)?, square(to)?);
    let is_capture = !text.contains('-');
    let mut fitting = legal
        .iter()
        .filter(|mv| (mv.from, mv.to, mv.is_capture()) == (from, to, is_capture));
    let found = fitting.next().copied();
    found.filter(|_| fitting.next().is_none())
}

/// Reads a square, by name or by number from b8.
fn square(text: &str) -> Option<Square> {
    match text.as_bytes() {
        [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => {
            Square::from_rank_and_file(rank - b'1', file - b'a')
        }
        [b'1'..=b'9'] | [b'1'..=b'3', b'0'..=b'9'] => Square::from_number(text.parse().ok()?),
        _ => None,
    }
}

/// Writes the line of a position, without its comments.
pub fn write_line<R: Rules>(entry: &Entry) -> String {
    let mut text = hub::write_position(&entry.pos);
    if let Some(depth) = entry.depth {
        let _ = write!(text, " d{depth}");
    }
    for (index, known) in entry.moves.iter().enumerate() {
        text += if index == 0 { " | " } else { ", " };
        text += &moves::write::<R>(&entry.pos, known.mv);
        if let Some(score) = known.score {
            let _ = write!(
                text,
                " {}{}{}{}",
                if known.basis == Basis::Search {
                    "~"
                } else {
                    ""
                },
                score.0,
                if known.is_proved { "#" } else { "" },
                if known.basis == Basis::Hand { "!" } else { "" },
            );
        }
        if known.games.count() > 0 {
            let _ = write!(text, " {}", known.games);
        }
    }
    text
}
