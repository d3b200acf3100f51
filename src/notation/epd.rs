//! Lines of test suites, after the Extended Position Description of computer chess (Steven Edwards, "Portable Game Notation
//! specification and implementation guide", section 16.2, 1994): a position, and operations that say what is known of it.
//!
//! `FEN OPERATION; OPERATION; …`, where the FEN has no blanks in it, and an operation is a name, which begins with a letter, and values with
//! blanks between them. A value in double quotes may hold blanks and semicolons. Names that nobody asks for are allowed, so suites can carry
//! notes. Lines that are blank or begin with `#` say nothing.

use super::shown;
use std::collections::HashSet;

/// A line of a suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Epd {
    /// The text of the position.
    pub fen: String,
    /// Names and their values, in order, each name once.
    pub operations: Vec<(String, Vec<String>)>,
}

/// Says what is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EpdError {
    /// An operation without its end.
    #[error("\"{0}\" does not end, expected a semicolon behind each operation")]
    Unfinished(String),
    /// A value without its end.
    #[error("\"{0}\" does not end, expected a closing quote")]
    Unquoted(String),
    /// Only values.
    #[error("an operation without a name")]
    Nameless,
    /// A name that is none, as where the position goes on behind a blank.
    #[error("\"{0}\" is not the name of an operation, expected one that begins with a letter")]
    BadName(String),
    /// An operation that was there before.
    #[error("\"{0}\" is given twice, expected each operation once")]
    Repeated(String),
}

impl Epd {
    /// Reads a line; `None` if it says nothing.
    pub fn parse(line: &str) -> Result<Option<Self>, EpdError> {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            return Ok(None);
        }
        let (fen, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let mut operations: Vec<(String, Vec<String>)> = Vec::new();
        let mut names = HashSet::new();
        let mut rest = rest.trim_start();
        while !rest.is_empty() {
            let (values, behind) = read_operation(rest)?;
            let mut values = values.into_iter();
            let name = values.next().ok_or(EpdError::Nameless)?;
            if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
                return Err(EpdError::BadName(shown(&name)));
            }
            if !names.insert(name.clone()) {
                return Err(EpdError::Repeated(shown(&name)));
            }
            operations.push((name, values.collect()));
            rest = behind.trim_start();
        }
        Ok(Some(Self {
            fen: fen.to_owned(),
            operations,
        }))
    }

    /// Returns the values of the operation of a name.
    pub fn values(&self, name: &str) -> Option<&[String]> {
        let found = self.operations.iter().find(|(known, _)| known == name);
        found.map(|(_, values)| &values[..])
    }
}

/// Reads the values up to a semicolon, and returns the text behind it.
fn read_operation(text: &str) -> Result<(Vec<String>, &str), EpdError> {
    let mut values = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        if let Some(behind) = rest.strip_prefix(';') {
            return Ok((values, behind));
        }
        if let Some(quoted) = rest.strip_prefix('"') {
            let (value, behind) = quoted
                .split_once('"')
                .ok_or_else(|| EpdError::Unquoted(shown(rest)))?;
            values.push(value.to_owned());
            rest = behind;
            continue;
        }
        let is_end = |c: char| c.is_whitespace() || c == ';';
        let end = rest
            .find(is_end)
            .ok_or_else(|| EpdError::Unfinished(shown(text)))?;
        values.push(rest[..end].to_owned());
        rest = &rest[end..];
    }
}
