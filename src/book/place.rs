//! Where books are: named by an option, in a folder, or compiled in.

use super::{Book, BookError};
use crate::rules::{Movement, Rules};
use std::borrow::Cow;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Files with more bytes than this are not read. It has room for some millions of positions.
const MAX_BYTES: u64 = 256 << 20;

/// The head line is looked for in so many bytes.
const HEAD_BYTES: u64 = 1 << 16;

/// The books of the `book/` folder, compiled in for when that folder is not at hand.
const COMPILED_IN: [(&str, &str); 3] = [
    ("russian", include_str!("../../book/russian.book")),
    ("pool", include_str!("../../book/pool.book")),
    ("brazilian", include_str!("../../book/brazilian.book")),
];

/// Opens the book that an option value names, for the rules `R`.
///
/// `true` looks for the folder `book` beside the executable, then in the working directory, then takes the
/// copy that is compiled in. `false` and `none` are the empty book. Anything else is the path of a file, or of a
/// folder with one file for each game.
pub fn open<R: Rules>(choice: &str) -> Result<Book, BookError> {
    match choice {
        "false" | "none" | "" => Ok(Book::default()),
        "true" => {
            let (name, text) = default_text::<R>()?;
            Book::parse::<R>(&text, &name)
        }
        path => {
            let (name, text) = read::<R>(Path::new(path))?;
            Book::parse::<R>(&text, &name)
        }
    }
}

/// Returns the name and the text of the book that an option value names, as [`open`] finds it.
pub fn text_of<R: Rules>(choice: &str) -> Result<(String, Cow<'static, str>), BookError> {
    match choice {
        "true" => default_text::<R>(),
        path => {
            let (name, text) = read::<R>(Path::new(path))?;
            Ok((name, text.into()))
        }
    }
}

/// Checks that there is a book of some game where an option value says so, as far as the names of files and the head line of one tell;
/// `true`, `false` and `none` always are right. The error is one line for people.
pub fn check(choice: &str) -> Result<(), String> {
    if matches!(choice, "true" | "false" | "none" | "") {
        return Ok(());
    }
    let path = Path::new(choice);
    let files = if path.is_dir() {
        let of_game = |(game, _): &(&str, &str)| path.join(format!("{game}.book"));
        COMPILED_IN.iter().map(of_game).collect()
    } else {
        vec![path.to_owned()]
    };
    let there = files.iter().filter(|file| file.exists());
    let checked = there.map(|file| {
        let fault = |fault| format!("bad book: {}: {fault}", file.display());
        check_beginning(file).map_err(fault)
    });
    let first = checked.reduce(Result::or);
    first.unwrap_or_else(|| {
        Err(format!(
            "no book at {choice}, expected true, false, none, a book or a folder of books"
        ))
    })
}

/// Looks at the first line that is no comment, if it is near the beginning.
fn check_beginning(path: &Path) -> Result<(), String> {
    if !path.is_file() {
        return Err("expected a regular file".to_owned());
    }
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(HEAD_BYTES).read_to_end(&mut bytes));
    read.map_err(|error| error.to_string())?;
    super::text::check_magic(&String::from_utf8_lossy(&bytes))
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

/// Returns the name and the text of a book: a file, or that of the game in a folder.
fn read<R: Rules>(path: &Path) -> Result<(String, String), BookError> {
    let path = if path.is_dir() {
        path.join(format!("{}.book", R::Movement::NAME))
    } else {
        path.to_owned()
    };
    Ok((path.display().to_string(), read_text(&path)?))
}

fn read_text(path: &Path) -> Result<String, BookError> {
    read_file(path).map_err(|error| BookError::File {
        path: path.to_owned(),
        error,
    })
}

/// Reads a file, unless it is longer than any book, as a device may be.
fn read_file(path: &Path) -> io::Result<String> {
    // To open a pipe might wait for ever.
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("expected a regular file"));
    }
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
