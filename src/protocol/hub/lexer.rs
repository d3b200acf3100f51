//! The words of a Hub line: how it splits into a command and arguments, how numbers are read, how values are quoted.
//!
//! The grammar is the *general syntax* of Scan 3.1's protocol text
//! (`protocol.txt` in <https://github.com/rhalbersma/scan>), as Scan and the Hub GUI scan it:
//!
//! ```text
//! line     := command { blank argument }
//! argument := name [ blank* "=" blank* value ]
//! value    := name | '"' any character but '"' * '"'
//! name     := 1+ characters that are neither blank nor control characters nor '=' nor '"'
//! ```
//!
//! There is no escape for a quote inside a value. Scan dies of a line that breaks the grammar; here
//! it is a [`SyntaxError`]. Everything borrows from the line and looks at each character a bounded
//! number of times, so a line of a megabyte takes linear time.

use std::fmt::{self, Write};

/// Says how a line breaks the grammar of Hub.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SyntaxError {
    /// A quoted value runs to the end of the line.
    #[error("a quote is not closed")]
    UnclosedQuote,
    /// A quote or an equals sign stands where an argument should start.
    #[error("an argument has no name")]
    NoName,
    /// Nothing follows an equals sign; an empty value has to be quoted.
    #[error("an argument has no value")]
    NoValue,
}

/// An argument of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Argument<'a> {
    /// What stands before the equals sign.
    pub(super) name: &'a str,
    /// What stands after it, without quotes, or `None` for a flag.
    pub(super) value: Option<&'a str>,
}

impl<'a> Argument<'a> {
    /// Returns the value, which for a flag is empty.
    pub(super) fn text(self) -> &'a str {
        self.value.unwrap_or_default()
    }
}

/// Goes through the arguments of a line, up to the first error.
#[derive(Clone, Debug)]
pub(super) struct Arguments<'a> {
    /// What has not been read; does not start with a blank.
    rest: &'a str,
}

impl<'a> Arguments<'a> {
    /// Reads what follows the command word.
    pub(super) fn new(text: &'a str) -> Self {
        let rest = text.trim_start_matches(is_blank);
        Self { rest }
    }

    /// Takes what stands before the first character that `ends` it, and the blanks behind.
    fn take_until(&mut self, ends: fn(char) -> bool) -> &'a str {
        let (word, rest) = split_before(self.rest, ends);
        self.skip_to(rest);
        word
    }

    /// Goes on at the first character of `rest` that is not blank.
    fn skip_to(&mut self, rest: &'a str) {
        self.rest = rest.trim_start_matches(is_blank);
    }

    /// Reads one argument; there is one, or an error.
    fn argument(&mut self) -> Result<Argument<'a>, SyntaxError> {
        let name = self.take_until(ends_name);
        if name.is_empty() {
            return Err(SyntaxError::NoName);
        }
        let Some(rest) = self.rest.strip_prefix('=') else {
            return Ok(Argument { name, value: None });
        };
        self.skip_to(rest);
        let value = Some(self.value()?);
        Ok(Argument { name, value })
    }

    /// Reads what follows an equals sign.
    fn value(&mut self) -> Result<&'a str, SyntaxError> {
        if let Some(quoted) = self.rest.strip_prefix('"') {
            let (value, rest) = quoted.split_once('"').ok_or(SyntaxError::UnclosedQuote)?;
            self.skip_to(rest);
            return Ok(value);
        }
        let value = self.take_until(ends_name);
        if value.is_empty() {
            return Err(SyntaxError::NoValue);
        }
        Ok(value)
    }
}

impl<'a> Iterator for Arguments<'a> {
    type Item = Result<Argument<'a>, SyntaxError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let argument = self.argument();
        if argument.is_err() {
            self.rest = "";
        }
        Some(argument)
    }
}

/// What some shells put at the start of what they pipe into a program.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// Splits a line into its command word and the rest.
///
/// The word is empty only if the line is blank. A line that starts with a quote or an equals sign
/// has a first word too: all that stands before a blank, which is the name of no command.
pub(super) fn split_command(line: &str) -> (&str, &str) {
    let line = line.trim_start_matches(|c| is_blank(c) || c == BYTE_ORDER_MARK);
    if line.starts_with(['=', '"']) {
        split_before(line, is_blank)
    } else {
        split_before(line, ends_name)
    }
}

/// Goes through the words of a value, such as moves or the values of an enum.
pub(super) fn words(value: &str) -> impl Iterator<Item = &str> {
    value.split(is_blank).filter(|word| !word.is_empty())
}

/// Reads the integer that a text starts with, between 0 and the largest `u64`.
///
/// What is smaller or larger becomes the end of the range, and a fraction is cut off.
pub(super) fn leading_count(text: &str) -> Option<u64> {
    leading_wide(text).map(|number| number.clamp(0, u64::MAX.into()) as u64)
}

/// Reads the integer that a text starts with; what is too small or too large becomes the end of the range.
pub(super) fn leading_integer(text: &str) -> Option<i64> {
    leading_wide(text).map(|number| number.clamp(i64::MIN.into(), i64::MAX.into()) as i64)
}

/// Reads the number that a text starts with, or `None` if it starts with none; never NaN.
///
/// Scan reads with `stod`, so clients get away with `20level`, `.5` and `1e-1`, and infinity has a
/// name. The decimal point may be a comma, because the Hub GUI formats for the user's country.
pub(super) fn leading_real(text: &str) -> Option<f64> {
    let text = text.trim_start();
    let number = numeric_prefix(text);
    if number.is_empty() {
        let (sign, size) = match text.strip_prefix('-') {
            Some(size) => (-1.0, size),
            None => (1.0, text.strip_prefix('+').unwrap_or(text)),
        };
        let name = size.get(..3)?;
        return name
            .eq_ignore_ascii_case("inf")
            .then_some(sign * f64::INFINITY);
    }
    number.replace(',', ".").parse().ok()
}

/// Reads the integer that a text starts with, exactly if it is written with digits only.
fn leading_wide(text: &str) -> Option<i128> {
    let exact = numeric_prefix(text.trim_start()).parse().ok();
    exact.or_else(|| leading_real(text).map(|number| number as i128))
}

/// Returns the longest start of a text that is a decimal number, with one comma or point in it; may be empty.
fn numeric_prefix(text: &str) -> &str {
    let bytes = text.as_bytes();
    let signs = |at: usize| usize::from(matches!(bytes.get(at), Some(b'+' | b'-')));
    let digits = |at: usize| {
        bytes[at..]
            .iter()
            .take_while(|b| b.is_ascii_digit())
            .count()
    };

    let start = signs(0);
    let whole = digits(start);
    let mut end = start + whole;
    if matches!(bytes.get(end), Some(b'.' | b',')) {
        let fraction = digits(end + 1);
        if whole + fraction == 0 {
            return "";
        }
        end += 1 + fraction;
    } else if whole == 0 {
        return "";
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let power = end + 1 + signs(end + 1);
        if digits(power) > 0 {
            end = power + digits(power);
        }
    }
    &text[..end]
}

/// Writes a value: quoted if and only if it needs to be.
///
/// It needs to if it is empty or has a blank or an equals sign. Quoting without need is an error in
/// practice: draughtsnet dies of `pv="21-17"`. A quote inside is written as an apostrophe and a
/// control character as a blank, as neither can be had in a line.
pub(super) struct Value<'a>(pub(super) &'a str);

impl fmt::Display for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(text) = *self;
        let quote = if text.is_empty() || text.contains(|c| is_blank(c) || c == '=') {
            "\""
        } else {
            ""
        };
        f.write_str(quote)?;
        for c in text.chars() {
            f.write_char(match c {
                '"' => '\'',
                c if c.is_control() => ' ',
                c => c,
            })?;
        }
        f.write_str(quote)
    }
}

/// Writes free text on one line: its control characters become blanks.
pub(super) struct OneLine<'a>(pub(super) &'a str);

impl fmt::Display for OneLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut chars = self.0.chars();
        chars.try_for_each(|c| f.write_char(if c.is_control() { ' ' } else { c }))
    }
}

/// Says whether a character separates words, which control characters do too.
pub(super) fn is_blank(c: char) -> bool {
    c.is_whitespace() || c.is_control()
}

/// Says whether a character cannot be part of a name.
fn ends_name(c: char) -> bool {
    is_blank(c) || c == '=' || c == '"'
}

/// Splits a text before the first character that `ends` it, or at its end.
fn split_before(text: &str, ends: fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(ends).unwrap_or(text.len()))
}
