//! Files of games, read one after the other in constant memory.

use super::encoding::Text;
use super::game::{FaultReason, Game, Tag};
use super::lexer::{Kind, Lexer, MAX_GAME_BYTES, MAX_TOKENS, RawGame, Token};
use super::setting::Setting;
use super::tree::{Moves, take_result, text_without, unclosed};
use crate::notation::{fen, result};
use crate::rules::Variant;
use crate::with_rules;
use std::io::{self, BufRead};

/// Reads the games of a file.
///
/// One game is in memory at a time, and at most 16 MiB of its text. Whatever is in the file, each game is
/// returned with what could be read of it, and with what is wrong; reading ends only with the file, or with an error of the input.
///
/// Read is what people's files contain:
///
/// - UTF-8 and UTF-16 with or without byte-order mark, the old Cyrillic encodings, and the Western one of Windows; lines with any ends.
/// - Tags in any order and form, none at all, values with quotes; games without results, or with a result and no tags.
/// - Comments in braces and behind `;` and `%`, with brackets or whole games in them; numeric marks, variations.
/// - Moves as [`moves::parse`](crate::notation::moves::parse) reads them, with blanks in them, with or without numbers. Numbers count
///   from b8, if the tag `GameType` does not say something else. But where tags or the option name a game that is written in letters, and its
///   first move, from the start position, is legal only if they are counted from a1, they are.
pub struct Reader<B> {
    lexer: Lexer<B>,
    variant: Option<Variant>,
    games: usize,
    has_failed: bool,
}

impl<B: BufRead> Reader<B> {
    /// Begins a file. The variant is that of games whose tags do not name one; if they name only the game, it also chooses among its
    /// rule sets. Without it these are `russian`, `pool` and `brazilian`.
    pub fn new(input: B, variant: Option<Variant>) -> Self {
        Self {
            lexer: Lexer::new(input),
            variant,
            games: 0,
            has_failed: false,
        }
    }

    /// Says whether the last game that was returned ended with a result and the end of its line, and so was whole even if the input was broken
    /// off behind it.
    pub fn has_seen_end(&self) -> bool {
        self.lexer.has_seen_end()
    }
}

impl<B: BufRead> Iterator for Reader<B> {
    type Item = io::Result<Game>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.has_failed {
            return None;
        }
        match self.lexer.next_game() {
            Ok(raw) => {
                let raw = raw?;
                self.games += 1;
                Some(Ok(read(raw, self.games, self.variant)))
            }
            Err(error) => {
                self.has_failed = true;
                Some(Err(error))
            }
        }
    }
}

/// [`MAX_GAME_BYTES`] in words.
pub(super) const MOST_BYTES: &str = "16 MiB";

/// [`MAX_TOKENS`] in words.
const MOST_TOKENS: &str = "524288 words and comments";

const _: () = assert!(MAX_GAME_BYTES == 16 << 20 && MAX_TOKENS == 524_288);

/// Understands a game.
fn read(raw: RawGame, number: usize, option: Option<Variant>) -> Game {
    let text = Text::new(raw.bytes);
    let mut tokens = raw.tokens.iter();
    let first = tokens.find(|token| !token.kind.is_remark());
    let first = first.or(raw.tokens.first());
    let mut game = Game {
        number,
        line: first.map_or(1, |token| raw.line_of(token)),
        ..Game::default()
    };
    read_tags(&raw, &text, &mut game);
    let set_up = raw.set_up().map(|token| plain(&text.get(token.range())));
    let mut faults = Vec::new();
    let setting = Setting::of(&game.tags, set_up.as_deref(), option, &mut faults);
    for (value, reason) in faults {
        game.note(0, game.line, &value, reason);
    }
    game.variant = setting.variant;
    game.start = setting.start;
    if let (Some(token), Some(set_up)) = (raw.set_up(), set_up) {
        keep_set_up(&mut game, &setting, raw.line_of(token), set_up);
    }
    match (setting.variant, setting.start) {
        (Some(variant), Some(start)) => {
            with_rules!(variant, R => Moves::<R>::new(raw, &text, &setting, start, &mut game).read());
        }
        _ => keep_unread(&raw, &text, &mut game),
    }
    compare_results(&raw, &mut game);
    note_extent(&raw, &text, &mut game);
    game
}

/// Says what is wrong with a game that has nothing in it, or too much.
fn note_extent(raw: &RawGame, text: &Text, game: &mut Game) {
    if game.faults.is_empty() && raw.tokens.iter().all(|token| token.kind.is_remark()) {
        let all = text.get(0..text.len());
        game.note(0, game.line, &all, FaultReason::NoGame);
    }
    let last = raw.tokens.last();
    let Some(end) = last.filter(|token| token.kind == Kind::TooLarge) else {
        return;
    };
    let limit = if end.range().start >= MAX_GAME_BYTES {
        MOST_BYTES
    } else {
        MOST_TOKENS
    };
    let (ply, line) = (game.main.moves.len() + 1, raw.line_of(end));
    game.note(ply, line, "the game", FaultReason::TooLarge(limit));
}

/// Makes a tag of the position between tags and moves, if it would not be written without.
fn keep_set_up(game: &mut Game, setting: &Setting, line: usize, set_up: String) {
    let has_fen = game.tag("FEN").is_some_and(|fen| !fen.trim().is_empty());
    if has_fen {
        if fen::parse_all_in(&set_up, setting.order).ok() != game.start {
            game.note(0, line, &set_up, FaultReason::RepeatedTag);
            if game.start.is_some() {
                game.tags.push(Tag {
                    name: "FEN".to_owned(),
                    value: set_up,
                });
            }
        }
    } else if game.variant.is_some() && (game.start.is_none() || setting.is_turn_open) {
        // So that the moves are never taken for those of the usual start, nor for those of a side that is not known.
        game.set_tag("FEN", set_up);
    }
}

/// Reads the tags.
fn read_tags(raw: &RawGame, text: &Text, game: &mut Game) {
    for token in raw.tokens {
        if !token.kind.is_tag() {
            continue;
        }
        let whole = text.get(token.range());
        let (name, value) = split_tag(&whole);
        let line = raw.line_of(token);
        if token.kind == Kind::BrokenTag {
            game.note(0, line, &whole, FaultReason::Tag);
        } else if !name.is_ascii() {
            game.note(0, line, &whole, FaultReason::TagName);
        }
        if name.eq_ignore_ascii_case("Result") && result::read(&value).is_none() {
            game.note(0, line, &value, FaultReason::Result);
        }
        game.tags.push(Tag {
            name: name.to_owned(),
            value,
        });
    }
    note_repeated(raw, text, game);
}

/// So many tags are compared each with each.
const FEW_TAGS: usize = 20;

/// Names the tags that were given before with another value.
fn note_repeated(raw: &RawGame, text: &Text, game: &mut Game) {
    let tags = &game.tags;
    let is_named = |at: usize, name: &str| tags[at].name.eq_ignore_ascii_case(name);
    // Nearly all games have few tags, each once: that needs no sorting.
    let are_single =
        || (1..tags.len()).all(|at| !(0..at).any(|before| is_named(before, &tags[at].name)));
    if tags.len() <= FEW_TAGS && are_single() {
        return;
    }
    let name = |&tag: &usize| {
        let letters = tags[tag].name.bytes();
        letters.map(|letter| letter.to_ascii_lowercase())
    };
    let mut order: Vec<usize> = (0..tags.len()).collect();
    order.sort_by(|a, b| name(a).cmp(name(b)));
    let groups = order.chunk_by(|a, b| name(a).eq(name(b)));
    let others = groups.flat_map(|group| {
        let is_other = |&&tag: &&usize| tags[tag].value != tags[group[0]].value;
        group.iter().filter(is_other)
    });
    let mut others: Vec<usize> = others.copied().collect();
    if others.is_empty() {
        return;
    }
    others.sort_unstable();
    let tokens = raw.tokens.iter().filter(|token| token.kind.is_tag());
    let tokens: Vec<&Token> = tokens.collect();
    for tag in others {
        let (line, whole) = (raw.line_of(tokens[tag]), text.get(tokens[tag].range()));
        game.note(0, line, &whole, FaultReason::RepeatedTag);
    }
    game.faults.sort_by_key(|fault| fault.line);
}

/// Returns the value of a tag with blanks for control characters, as it will be when it is written: so it means the same before and after.
fn plain(value: &str) -> String {
    value.replace(char::is_control, " ")
}

/// Splits a tag, whole or not, into name and value.
fn split_tag(tag: &str) -> (&str, String) {
    let is_quote = |c| matches!(c, '"' | '“' | '”' | '„' | '«' | '»');
    let inside = tag.trim_start_matches('[').trim();
    let inside = inside.strip_suffix(']').unwrap_or(inside).trim();
    let end = inside.find(|c: char| c.is_whitespace() || is_quote(c));
    let (name, value) = inside.split_at(end.unwrap_or(inside.len()));
    let value = value.trim();
    let value = match value.strip_prefix('"') {
        // In a broken tag something may stand behind the last quote. It is part of the value then.
        Some(value) => match value.rsplit_once('"') {
            Some((value, "")) => value.to_owned(),
            Some((value, behind)) => format!("{value} {}", behind.trim()),
            None => value.to_owned(),
        },
        None => value.trim_matches(is_quote).to_owned(),
    };
    (name, plain(&value.replace("\\\"", "\"")))
}

/// Keeps the moves of a game that could not be set up: everything but the tags and the result at the end.
fn keep_unread(raw: &RawGame, text: &Text, game: &mut Game) {
    note_damage(raw, text, game);
    for token in raw.tokens.iter().filter(|token| token.kind == Kind::Result) {
        if let Some(first) = take_result(game, &text.get(token.range())) {
            let (line, text) = (raw.line_of(token), text.get(token.range()));
            game.note(0, line, &text, FaultReason::OtherResult(first));
        }
    }
    let unread = text_without(raw, text, game.end.as_deref(), |token| token.kind.is_tag());
    game.main.unread = (!unread.is_empty()).then_some(unread);
}

/// Names what is wrong with the brackets of a game whose moves are not read.
fn note_damage(raw: &RawGame, text: &Text, game: &mut Game) {
    let mut open: Vec<&Token> = Vec::new();
    let mut found = Vec::new();
    for token in raw.tokens {
        let reason = match token.kind {
            Kind::OpenComment | Kind::CutComment => unclosed(token.kind),
            Kind::NestedComment => FaultReason::NestedComment,
            Kind::Bracketed => FaultReason::Word,
            Kind::Stray => FaultReason::Closing,
            Kind::Open => {
                open.push(token);
                continue;
            }
            Kind::Close if open.pop().is_none() => FaultReason::Closing,
            _ => continue,
        };
        found.push((token, reason));
    }
    found.extend(
        open.first()
            .map(|&token| (token, FaultReason::OpenVariation)),
    );
    for (token, reason) in found {
        game.note(0, raw.line_of(token), &text.get(token.range()), reason);
    }
}

/// Compares the result behind the moves with that of the tags.
fn compare_results(raw: &RawGame, game: &mut Game) {
    let tag = game.tag("Result").and_then(result::read);
    let (Some(tag), Some(end)) = (tag, game.end.as_deref()) else {
        return;
    };
    if tag != "*" && end != "*" && result::in_points(tag) != result::in_points(end) {
        let mut tokens = raw.tokens.iter();
        let token = tokens.find(|token| token.kind == Kind::Result);
        let line = token.map_or(game.line, |token| raw.line_of(token));
        let (end, ply) = (end.to_owned(), game.main.moves.len());
        game.note(ply, line, &end, FaultReason::OtherResult(tag.to_owned()));
    }
}
