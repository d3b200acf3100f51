//! The bytes of a file, cut into games, and those into tokens.
//!
//! Nothing is decoded or judged here; tokens are places in the bytes of one game, the only part of the file that is in memory. A game ends
//! where the tags of the next one begin, and behind a result where moves follow again.
//!
//! Damage must not spread: what is not closed ends at the tags of the next game. Only text in a comment may look like tags, as when a whole
//! game is quoted. So a comment goes on behind such lines if its brace is closed before another one is opened, and ends before them if
//! not. All looking ahead is bounded, and no byte is looked at more than a few times.

mod comments;
mod tags;

use crate::notation::result;
use encoding_rs::{Decoder, UTF_16BE, UTF_16LE};
use std::collections::HashSet;
use std::io::{self, BufRead};
use std::ops::Range;

/// The most bytes of the name of a tag.
pub(super) const MAX_NAME: usize = 100;

/// The most bytes of a game that are read: one game is in memory at a time, and a file that never ends, or in which a bracket is never
/// closed, must not fill it.
pub(super) const MAX_GAME_BYTES: usize = 16 << 20;

/// The most tokens of a game that are read.
pub(super) const MAX_TOKENS: usize = 1 << 19;

/// How many blanks before a game are in memory.
const MAX_BLANKS: usize = 1 << 16;

/// What a token is. All but words hold their brackets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// `[Name "value"]`.
    Tag,
    /// Something like a tag, up to the end of the line.
    BrokenTag,
    /// `{…}`.
    Comment,
    /// `{…}` with braces inside.
    NestedComment,
    /// `{…` without an end.
    OpenComment,
    /// `{…` whose end, if there is one, is behind the limit for a game.
    CutComment,
    /// `;…` or `%…` up to the end of the line.
    Remark,
    /// `[…]` that is no tag.
    Bracketed,
    /// `/FEN "…"/`.
    SetUp,
    /// `$n`.
    Nag,
    /// `(!?)`.
    Marks,
    /// `(`.
    Open,
    /// `)`.
    Close,
    /// A closing bracket of another kind.
    Stray,
    /// A result outside variations, perhaps behind a move number.
    Result,
    /// Any other word: numbers, moves, marks.
    Word,
    /// Where the game became too large; nothing follows.
    TooLarge,
}

impl Kind {
    /// Says whether it is a tag, whole or not.
    pub(super) const fn is_tag(self) -> bool {
        matches!(self, Self::Tag | Self::BrokenTag)
    }

    /// Says whether it is a comment, in braces or not, with nothing wrong.
    pub(super) const fn is_remark(self) -> bool {
        matches!(self, Self::Comment | Self::Remark)
    }
}

/// A piece of the text of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: Kind,
    /// Lines from the beginning of the game.
    line: u32,
    start: u32,
    end: u32,
}

impl Token {
    /// Returns its place in the bytes of the game.
    pub(super) fn range(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A game, cut into tokens.
#[derive(Clone, Copy, Debug)]
pub(super) struct RawGame<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) tokens: &'a [Token],
    first_line: usize,
}

impl RawGame<'_> {
    /// Returns the line of the file on which a token begins, from 1.
    pub(super) fn line_of(&self, token: &Token) -> usize {
        self.first_line + token.line as usize
    }

    /// Returns the position that is set up between the tags and the moves. Move numbers may stand before it.
    pub(super) fn set_up(&self) -> Option<&Token> {
        // Four digits alone may be a move.
        let is_number = |token: &Token| {
            let word = &self.bytes[token.range()];
            let digits = word.iter().take_while(|byte| byte.is_ascii_digit()).count();
            let behind = &word[digits..];
            behind.iter().all(|byte| b".)".contains(byte)) && (digits < 4 || !behind.is_empty())
        };
        let is_before_moves = |token: &&Token| match token.kind {
            Kind::Word => is_number(token),
            Kind::Result | Kind::Open => false,
            _ => true,
        };
        let mut tokens = self.tokens.iter().take_while(is_before_moves);
        tokens.find(|token| token.kind == Kind::SetUp)
    }
}

/// Cuts a file into games.
pub(super) struct Lexer<B> {
    input: B,
    /// Bytes that were read, of which the first `base` are done with.
    buffer: Vec<u8>,
    /// Where the game begins.
    base: usize,
    /// How many bytes of the file are before the game.
    origin: u64,
    /// Where the next token is looked for, from `base`.
    at: usize,
    /// The line of `at`, from 1.
    line: usize,
    /// Nothing but blanks is before `at` on its line.
    is_line_start: bool,
    /// The line breaks between the last token and `at`.
    breaks: usize,
    is_at_end: bool,
    width: Width,
    /// Why reading ended.
    error: Option<io::Error>,
    tokens: Vec<Token>,
    first_line: usize,
    /// The rest of a game that was too large is skipped first.
    is_skipping: bool,
    /// Braces in comments before this place of the file are known not to be closed.
    flat_until: u64,
}

/// How many bytes make a letter.
enum Width {
    /// Too little of the file was seen to say.
    Unknown,
    /// One, or as many as UTF-8 needs.
    One,
    /// Two, as in UTF-16, which is turned into UTF-8.
    Two(Decoder),
}

/// How far a game has come.
#[derive(Default)]
struct Progress {
    /// Words and variations so far.
    words: usize,
    is_over: bool,
    /// The last word was meant as a result, but is none.
    is_perhaps_over: bool,
    depth: usize,
    /// The names of the tags among the tokens before a place, in small letters. Only tags that stand apart are compared with them, which
    /// most games have none of.
    names: HashSet<Vec<u8>>,
    searched: usize,
}

impl<B: BufRead> Lexer<B> {
    pub(super) fn new(input: B) -> Self {
        Self {
            input,
            buffer: Vec::new(),
            base: 0,
            origin: 0,
            at: 0,
            line: 1,
            is_line_start: true,
            breaks: 0,
            is_at_end: false,
            width: Width::Unknown,
            error: None,
            tokens: Vec::new(),
            first_line: 1,
            is_skipping: false,
            flat_until: 0,
        }
    }

    /// Returns the next game, or `None` at the end of the file. What was read before an error is returned first. A file in which there are
    /// but comments or stray brackets is a game without anything else, so that they are not lost.
    pub(super) fn next_game(&mut self) -> io::Result<Option<RawGame<'_>>> {
        self.tokens.clear();
        self.rebase();
        if self.is_skipping {
            self.skip_to_tag();
            self.is_skipping = false;
        }
        let mut progress = Progress::default();
        while self.next_token(&mut progress) {}
        if self.tokens.is_empty() {
            return self.error.take().map_or(Ok(None), Err);
        }
        Ok(Some(RawGame {
            bytes: &self.buffer[self.base..self.base + self.at],
            tokens: &self.tokens,
            first_line: self.first_line,
        }))
    }

    /// Says whether the last game ended with a result and the end of its line.
    pub(super) fn has_seen_end(&self) -> bool {
        let last = self.tokens.last();
        last.is_some_and(|token| token.kind == Kind::Result) && self.breaks > 0
    }

    /// Forgets everything before the next token.
    fn rebase(&mut self) {
        self.base += self.at;
        self.origin += self.at as u64;
        self.at = 0;
        self.first_line = self.line;
    }

    /// Returns a byte of the game, or `None` behind the last one of the file.
    #[inline]
    fn byte(&mut self, at: usize) -> Option<u8> {
        match self.buffer.get(self.base + at) {
            Some(&byte) => Some(byte),
            None => self.read_on(at),
        }
    }

    #[cold]
    fn read_on(&mut self, at: usize) -> Option<u8> {
        // Before the width is known, what is there may not be looked at.
        while !self.is_at_end
            && (self.base + at >= self.buffer.len() || matches!(self.width, Width::Unknown))
        {
            self.buffer.drain(..self.base);
            self.base = 0;
            match self.input.fill_buf() {
                Ok([]) => self.is_at_end = true,
                Ok(chunk) => {
                    let length = chunk.len();
                    match &mut self.width {
                        Width::Two(decoder) => self.buffer.extend(in_utf8(decoder, chunk, false)),
                        _ => self.buffer.extend_from_slice(chunk),
                    }
                    self.input.consume(length);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    self.error = Some(error);
                    self.is_at_end = true;
                }
            }
            self.find_width();
        }
        self.buffer.get(self.base + at).copied()
    }

    /// Finds out at the beginning of the file whether it is UTF-16, and at its end whether half a letter is left.
    fn find_width(&mut self) {
        if matches!(self.width, Width::Unknown) {
            if self.buffer.len() < FEW_BYTES && !self.is_at_end {
                return;
            }
            self.width = decoder_of(&self.buffer).map_or(Width::One, Width::Two);
            if let Width::Two(decoder) = &mut self.width {
                self.buffer = in_utf8(decoder, &self.buffer, false);
            }
        }
        if self.is_at_end
            && let Width::Two(decoder) = &mut self.width
        {
            self.buffer.extend(in_utf8(decoder, &[], true));
        }
    }

    /// Adds the token from `at` to a place, and goes there.
    fn push(&mut self, kind: Kind, end: usize) {
        self.tokens.push(Token {
            kind,
            line: (self.line - self.first_line) as u32,
            start: self.at as u32,
            end: end as u32,
        });
        self.at = end;
        self.is_line_start = false;
        self.breaks = 0;
    }

    /// Reads a token; `false` at the end of the game.
    fn next_token(&mut self, progress: &mut Progress) -> bool {
        self.skip_blanks();
        if self.tokens.is_empty() {
            self.rebase();
        }
        let Some(first) = self.byte(self.at) else {
            return false;
        };
        if self.at >= MAX_GAME_BYTES || self.tokens.len() >= MAX_TOKENS {
            self.push(Kind::TooLarge, self.at);
            self.is_skipping = true;
            return false;
        }
        match first {
            b'[' => return self.bracket(progress),
            b'{' => self.comment(),
            b';' => self.remark(),
            b'%' if self.is_line_start => self.remark(),
            b'(' => self.open(progress),
            b')' => self.close(progress),
            b'}' | b']' => self.push(Kind::Stray, self.at + 1),
            b'$' => self.nag(),
            b'/' if self.is_set_up() => {
                let end = self.find(self.at + 1, |byte| byte == b'/');
                self.push(Kind::SetUp, end);
            }
            _ => return self.word(progress),
        }
        true
    }

    fn skip_blanks(&mut self) {
        while let Some(length) = self.blank(self.at) {
            if matches!(self.byte(self.at), Some(b'\n' | b'\r')) {
                self.line += 1;
                self.breaks += 1;
                self.is_line_start = true;
            }
            self.at += length;
            if self.at >= MAX_BLANKS && self.tokens.is_empty() {
                self.rebase();
            } else if self.at >= MAX_GAME_BYTES {
                break;
            }
        }
    }

    /// Returns the length of a blank or line break in bytes, or `None` if there is none. NUL and the end mark of DOS are blanks too, and
    /// so are the invisible characters that come with pasted text.
    #[inline]
    fn blank(&mut self, at: usize) -> Option<usize> {
        match self.byte(at)? {
            b'\r' if self.byte(at + 1) == Some(b'\n') => Some(2),
            b' ' | b'\t' | b'\n' | b'\r' | 0x0B | 0x0C | 0 | 0x1A => Some(1),
            // No-break space, zero-width space, byte-order mark.
            0xC2 if self.byte(at + 1) == Some(0xA0) => Some(2),
            0xE2 if self.byte(at + 1) == Some(0x80) && self.byte(at + 2) == Some(0x8B) => Some(3),
            0xEF if self.byte(at + 1) == Some(0xBB) && self.byte(at + 2) == Some(0xBF) => Some(3),
            // The no-break space of Windows encodings, not the second half of a letter.
            0xA0 if at == 0 || self.byte(at - 1).is_some_and(|before| before.is_ascii()) => Some(1),
            _ => None,
        }
    }

    /// Returns the place behind the next byte of a kind on this line, or the end of the line.
    fn find(&mut self, mut at: usize, is_wanted: impl Fn(u8) -> bool) -> usize {
        while let Some(byte) = self.byte(at) {
            if is_wanted(byte) {
                return at + 1;
            }
            if is_break(byte) || at >= MAX_GAME_BYTES {
                break;
            }
            at += 1;
        }
        at
    }

    /// Returns the first place that holds no byte of a kind, but none beyond the limit for a game.
    fn behind(&mut self, mut at: usize, is_skipped: impl Fn(u8) -> bool) -> usize {
        while at < MAX_GAME_BYTES && self.byte(at).is_some_and(&is_skipped) {
            at += 1;
        }
        at
    }

    /// Returns the first place that holds neither blank nor tab.
    fn behind_blanks(&mut self, at: usize) -> usize {
        self.behind(at, |byte| matches!(byte, b' ' | b'\t'))
    }

    fn remark(&mut self) {
        let end = self.find(self.at, |_| false);
        self.push(Kind::Remark, end);
    }

    /// Reads `$n`. A `$` alone is a word.
    fn nag(&mut self) {
        let end = self.behind(self.at + 1, |byte| byte.is_ascii_digit());
        let is_whole = end > self.at + 1;
        self.push(if is_whole { Kind::Nag } else { Kind::Word }, end);
    }

    fn open(&mut self, progress: &mut Progress) {
        let end = self.behind(self.at + 1, |byte| matches!(byte, b'!' | b'?' | b'*'));
        if end > self.at + 1 && self.byte(end) == Some(b')') {
            return self.push(Kind::Marks, end + 1);
        }
        progress.depth += 1;
        progress.words += 1;
        self.push(Kind::Open, self.at + 1);
    }

    fn close(&mut self, progress: &mut Progress) {
        let at = self.at;
        let is_number = |token: &&mut Token, bytes: &[u8]| {
            let is_word = token.kind == Kind::Word && token.end as usize == at;
            is_word && bytes[token.range()].iter().all(u8::is_ascii_digit)
        };
        let bytes = &self.buffer[self.base..];
        let last = self.tokens.last_mut();
        if progress.depth == 0
            && let Some(number) = last.filter(|token| is_number(token, bytes))
        {
            // A move number such as `1)`.
            number.end += 1;
            self.at += 1;
            return;
        }
        progress.depth = progress.depth.saturating_sub(1);
        self.push(Kind::Close, self.at + 1);
    }

    /// Says whether `/FEN` stands here.
    fn is_set_up(&mut self) -> bool {
        let name = self.behind_blanks(self.at + 1);
        (name..).zip(b"FEN").all(|(at, letter)| {
            self.byte(at)
                .is_some_and(|byte| byte.eq_ignore_ascii_case(letter))
        })
    }

    /// Reads a word, unless the next game begins with it.
    fn word(&mut self, progress: &mut Progress) -> bool {
        let mut end = self.at;
        while let Some(byte) = self.byte(end) {
            let ends = match byte {
                b'{' | b'}' | b'(' | b')' | b'[' | b']' | b';' | b'$' => end > self.at,
                b'!'..=b'~' => false,
                _ => self.blank(end).is_some(),
            };
            if ends || end >= MAX_GAME_BYTES {
                break;
            }
            end += 1;
        }
        let word = &self.buffer[self.base + self.at..self.base + end];
        let result = result::of_word(word).or_else(|| result::of_word(without_number(word)));
        let is_result = progress.depth == 0 && result.is_some();
        let is_like_result = progress.depth == 0 && result::is_like(word);
        if !is_result && progress.depth == 0 && self.begins_game(word, progress) {
            return false;
        }
        progress.words += 1;
        progress.is_over |= is_result;
        progress.is_perhaps_over = is_like_result;
        self.push(if is_result { Kind::Result } else { Kind::Word }, end);
        true
    }

    /// Says whether a word is the beginning of another game: a number or move behind a result, or move 1 behind what is meant as one, or behind
    /// moves and an empty line.
    fn begins_game(&self, word: &[u8], progress: &Progress) -> bool {
        if progress.is_over {
            return word.iter().any(u8::is_ascii_digit);
        }
        let is_first =
            word.starts_with(b"1.") && !word.starts_with(b"1..") && !result::is_like(word);
        is_first && (progress.is_perhaps_over || progress.words > 2 && self.breaks > 1)
    }

    /// Drops lines up to one with a tag.
    fn skip_to_tag(&mut self) {
        while self.byte(self.at).is_some() && !(self.is_line_start && self.is_tag_line(self.at)) {
            // Not beyond what is in memory, so that this does not grow with the line.
            let known = &self.buffer[self.base + self.at..];
            let next = known.iter().position(|&byte| is_break(byte));
            self.is_line_start = next.is_some();
            self.at += next.map_or(known.len(), |next| next + 1);
            if next.is_some() {
                let is_pair = self.buffer[self.base + self.at - 1] == b'\r'
                    && self.byte(self.at) == Some(b'\n');
                self.at += usize::from(is_pair);
                self.line += 1;
            }
            self.rebase();
        }
    }
}

/// Fewer bytes than these do not tell whether a file is UTF-16.
const FEW_BYTES: usize = 4;

/// So many bytes at most are looked at for it.
const WIDTH_SAMPLE: usize = 1024;

/// Returns what decodes a file that begins like UTF-16, as some editors of Windows save text: with a byte-order mark, or with a zero for
/// one byte of every letter that ASCII has too. Zeros that mean nothing stand at even and odd places alike.
fn decoder_of(beginning: &[u8]) -> Option<Decoder> {
    match beginning {
        [0xFF, 0xFE, ..] => return Some(UTF_16LE.new_decoder_with_bom_removal()),
        [0xFE, 0xFF, ..] => return Some(UTF_16BE.new_decoder_with_bom_removal()),
        _ => {}
    }
    let sample = &beginning[..beginning.len().min(WIDTH_SAMPLE)];
    let zeros = |first: usize| {
        let places = sample.iter().skip(first).step_by(2);
        places.filter(|&&byte| byte == 0).count()
    };
    // Of each pair, one byte in four at least, as in Cyrillic text with moves in it, and next to none of the others.
    let is_enough = |zeros: usize, others: usize| zeros * 8 >= sample.len() && others * 16 <= zeros;
    match (zeros(0), zeros(1)) {
        _ if sample.len() < FEW_BYTES => None,
        (even, odd) if is_enough(odd, even) => Some(UTF_16LE.new_decoder_without_bom_handling()),
        (even, odd) if is_enough(even, odd) => Some(UTF_16BE.new_decoder_without_bom_handling()),
        _ => None,
    }
}

/// Decodes a part of a file. Half a letter at its end waits for the next part, or is a mark of damage behind the last one.
fn in_utf8(decoder: &mut Decoder, part: &[u8], is_last: bool) -> Vec<u8> {
    let most = decoder.max_utf8_buffer_length(part.len());
    let mut text = String::with_capacity(most.expect("parts are small"));
    let _ = decoder.decode_to_string(part, &mut text, is_last);
    text.into_bytes()
}

const fn is_break(byte: u8) -> bool {
    byte == b'\n' || byte == b'\r'
}

/// Takes a move number off the front of a word.
fn without_number(word: &[u8]) -> &[u8] {
    let digits = word.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let dots = word[digits..]
        .iter()
        .take_while(|&&byte| byte == b'.')
        .count();
    if dots > 0 {
        &word[digits + dots..]
    } else {
        word
    }
}
