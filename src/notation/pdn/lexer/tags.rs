//! Square brackets: tags, whole or broken, and what only looks like one.

use super::{Kind, Lexer, MAX_GAME_BYTES, MAX_NAME, Progress, is_break};
use std::io::BufRead;
use std::ops::Range;

/// Returns the name of a tag, given from its bracket on.
fn name_of(tag: &[u8]) -> &[u8] {
    let name = tag[1..].trim_ascii_start();
    let ends = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'"' | b']');
    &name[..name.iter().position(ends).unwrap_or(name.len())]
}

impl<B: BufRead> Lexer<B> {
    /// Reads a tag, unless it belongs to the next game, or something else in square brackets.
    pub(super) fn bracket(&mut self, progress: &mut Progress) -> bool {
        let Some((kind, end)) = self.tag() else {
            let end = self.find(self.at, |byte| byte == b']');
            self.push(Kind::Bracketed, end);
            return true;
        };
        if progress.words > 0 || self.begins_game_again(progress, end) {
            return false;
        }
        self.push(kind, end);
        true
    }

    /// Says whether the tag from here to a place stands behind an empty line or a comment and gives a name again: games without moves and result,
    /// as in collections of positions, follow each other like that.
    fn begins_game_again(&self, progress: &mut Progress, end: usize) -> bool {
        let last = self.tokens.last();
        let is_apart = self.breaks > 1 || last.is_some_and(|last| !last.kind.is_tag());
        if !is_apart {
            return false;
        }
        let game = &self.buffer[self.base..];
        let name = |tag: Range<usize>| name_of(&game[tag]).to_ascii_lowercase();
        let new = self.tokens[progress.searched..].iter();
        let names = new
            .filter(|token| token.kind.is_tag())
            .map(|tag| name(tag.range()));
        progress.names.extend(names);
        progress.searched = self.tokens.len();
        progress.names.contains(&name(self.at..end))
    }

    /// Returns the kind and the end of the tag that begins here, if one does.
    fn tag(&mut self) -> Option<(Kind, usize)> {
        let name = self.behind_blanks(self.at + 1);
        let mut end = name;
        let is_in_name = |byte: u8| !byte.is_ascii_whitespace() && !b"\"[]{}()".contains(&byte);
        while end - name < MAX_NAME && self.byte(end).is_some_and(is_in_name) {
            end += 1;
        }
        let value = self.behind_blanks(end);
        if end > name && self.byte(value) == Some(b'"') {
            return Some(self.quoted(value));
        }
        // Without quotes only what looks like a tag in every other way is one.
        let name = &self.buffer[self.base + name..self.base + end];
        let is_name = name.first().is_some_and(u8::is_ascii_alphabetic)
            && name
                .iter()
                .all(|&byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let is_tag = is_name && self.is_line_start && (value > end || self.byte(end) == Some(b']'));
        is_tag.then(|| (Kind::BrokenTag, self.find(end, |byte| byte == b']')))
    }

    /// Returns the end of a tag whose value begins with a quote. Quotes may be missing, and there may be some inside, escaped or not.
    fn quoted(&mut self, open: usize) -> (Kind, usize) {
        let mut at = open + 1;
        let mut end_of_escaped = None;
        while let Some(byte) = self.byte(at) {
            if is_break(byte) || at >= MAX_GAME_BYTES {
                break;
            }
            if byte == b'"' {
                let is_escaped = at > open + 1 && self.byte(at - 1) == Some(b'\\');
                let next = self.behind_blanks(at + 1);
                match self.byte(next) {
                    Some(b']') if is_escaped => end_of_escaped = Some(next + 1),
                    Some(b']') => return (Kind::Tag, next + 1),
                    Some(b'[') if !is_escaped => return (Kind::BrokenTag, at + 1),
                    _ => {}
                }
            }
            at += 1;
        }
        // The value ends with a backslash.
        end_of_escaped.map_or_else(
            || (Kind::BrokenTag, self.end_of_broken(open, at)),
            |end| (Kind::Tag, end),
        )
    }

    /// Returns where a tag ends that is not closed before the end of its line: there, or before moves behind its value.
    fn end_of_broken(&self, open: usize, end_of_line: usize) -> usize {
        let line = &self.buffer[self.base + open..self.base + end_of_line];
        let last = line.iter().rposition(|&byte| byte == b'"').unwrap_or(0);
        let rest = line[last + 1..].trim_ascii();
        let has_moves =
            last > 0 && !rest.ends_with(b"]") && rest.first().is_some_and(u8::is_ascii_digit);
        if has_moves {
            open + last + 1
        } else {
            end_of_line
        }
    }

    /// Says whether a whole tag with quotes begins at a place, with nothing behind it on its line.
    pub(super) fn is_tag_line(&mut self, start: usize) -> bool {
        if self.byte(start) != Some(b'[') {
            return false;
        }
        let name = start + 1;
        let at = self.behind(name, |byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let value = self.behind_blanks(at);
        if at == name || self.byte(value) != Some(b'"') {
            return false;
        }
        let mut end = self.find(value, |_| false);
        let is_blank = |byte: u8| byte == b' ' || byte == b'\t';
        while end > value && self.byte(end - 1).is_some_and(is_blank) {
            end -= 1;
        }
        end > value + 2 && self.byte(end - 1) == Some(b']') && self.byte(end - 2) == Some(b'"')
    }
}
