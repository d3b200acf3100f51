//! Tokens to a tree: the moves of a game and its variations, each checked where it is played.
//!
//! The position of each line is kept on a stack, so variations may be nested without recursion, up to [`MAX_DEPTH`]. A line that breaks off keeps
//! the moves before, and the rest of its text. Words that can be no moves, since no square is in them, do not break it.

use super::encoding::Text;
use super::game::{Fault, FaultReason, Game, Line};
use super::lexer::{Kind, RawGame, Token};
use super::open_line::OpenLine;
use super::reader::MOST_BYTES;
use super::setting::Setting;
use super::words::{
    goes_on, in_ascii, is_clock, is_mark, is_number, is_square, may_be_squares, value, without_sign,
};
use crate::board::{Move, MoveList, Position, Side, Square};
use crate::notation::moves::{self, MoveTextError};
use crate::notation::order::Order;
use crate::notation::result;
use crate::notation::shown;
use crate::notation::text::{latin, split_number};
use crate::rules::{Rules, legal_moves};
use std::borrow::Cow;
use std::marker::PhantomData;
use std::mem;

/// The most variations within each other.
pub(super) const MAX_DEPTH: usize = 64;

/// The most faults of a game that are listed.
const MAX_FAULTS: usize = 100;

/// The mark for a forced move, which old files write as `*`.
const FORCED: u16 = 7;

impl Game {
    /// Adds a fault, unless there are too many.
    pub(super) fn note(&mut self, ply: usize, line: usize, text: &str, reason: FaultReason) {
        let (text, reason) = match self.faults.len() {
            0..MAX_FAULTS => (shown(text), reason),
            MAX_FAULTS => ("the game".to_owned(), FaultReason::More),
            _ => return,
        };
        self.faults.push(Fault {
            ply,
            line,
            text,
            reason,
        });
    }
}

/// Reads the moves of a game under the rules `R`.
pub(super) struct Moves<'a, R> {
    raw: RawGame<'a>,
    text: &'a Text<'a>,
    game: &'a mut Game,
    order: Order,
    /// The side to move at the start is known only from the first move.
    is_turn_open: bool,
    /// Which game it is was told, so moves may show how its squares are numbered.
    is_named: bool,
    /// How many times were between the moves that can be nothing else.
    clocks: usize,
    /// The place of the position that is set up between tags and moves, which is the start or gives way to a tag.
    set_up: Option<usize>,
    /// The place of the last word.
    last_word: Option<usize>,
    /// The main line, and the variations that are open.
    lines: Vec<OpenLine>,
    rules: PhantomData<R>,
}

impl<'a, R: Rules> Moves<'a, R> {
    /// Begins at the start position of a game.
    pub(super) fn new(
        raw: RawGame<'a>,
        text: &'a Text<'a>,
        setting: &Setting,
        start: Position,
        game: &'a mut Game,
    ) -> Self {
        let last_word = raw.tokens.iter().rfind(|token| token.kind == Kind::Word);
        Self {
            raw,
            text,
            game,
            order: setting.order,
            is_turn_open: setting.is_turn_open,
            is_named: setting.is_named,
            clocks: 0,
            set_up: raw.set_up().map(|token| token.range().start),
            last_word: last_word.map(|token| token.range().start),
            lines: vec![OpenLine::new(start, 0, 0)],
            rules: PhantomData,
        }
    }

    /// Reads everything behind the tags.
    pub(super) fn read(mut self) {
        let mut at = 0;
        while let Some(token) = self.raw.tokens.get(at) {
            at = self.token(at, token);
        }
        self.finish();
    }

    fn line(&mut self) -> &mut OpenLine {
        self.lines
            .last_mut()
            .expect("the main line is never closed")
    }

    fn note(&mut self, token: &Token, text: &str, reason: FaultReason) {
        let ply = self.line().ply + 1;
        self.game.note(ply, self.raw.line_of(token), text, reason);
    }

    fn get(&self, token: &Token) -> Cow<'a, str> {
        self.text.get(token.range())
    }

    /// Takes a token, and those that belong to it; returns the next one.
    fn token(&mut self, at: usize, token: &'a Token) -> usize {
        let is_unread = self.line().unread.is_some();
        match token.kind {
            Kind::Tag | Kind::BrokenTag | Kind::TooLarge => {}
            Kind::Open => return self.open_variation(at, token),
            Kind::Close => self.close(token),
            Kind::Result if self.lines.len() == 1 => self.result(token, &self.get(token)),
            Kind::OpenComment | Kind::CutComment if is_unread => {
                self.note(token, &self.get(token), unclosed(token.kind));
            }
            _ if is_unread => {}
            Kind::Comment
            | Kind::NestedComment
            | Kind::OpenComment
            | Kind::CutComment
            | Kind::Remark => {
                self.comment(token);
            }
            Kind::Nag => {
                let text = self.get(token);
                let last = self.line().line.moves.last_mut();
                match (last, text[1..].parse()) {
                    (Some(last), Ok(nag)) => last.nags.push(nag),
                    _ => self.keep(token, &text),
                }
            }
            Kind::Marks => {
                let text = self.get(token);
                self.mark(token, text.trim_matches(['(', ')']));
            }
            Kind::Bracketed => self.keep(token, &self.get(token)),
            Kind::Stray => self.keep_as(token, &self.get(token), FaultReason::Closing),
            Kind::SetUp => self.set_up(token),
            Kind::Result | Kind::Word => return self.word(at, token),
        }
        at + 1
    }

    fn comment(&mut self, token: &Token) {
        let text = self.get(token);
        let inside = match token.kind {
            Kind::Remark => text[1..].trim(),
            Kind::OpenComment | Kind::CutComment => {
                self.note(token, &text, unclosed(token.kind));
                text[1..].trim_end()
            }
            _ => &text[1..text.len() - 1],
        };
        // A remark may hold braces, but it is written as a comment, which may not.
        let is_braced = token.kind == Kind::Remark && inside.contains(['{', '}']);
        if token.kind == Kind::NestedComment || is_braced {
            self.note(token, &text, FaultReason::NestedComment);
        }
        let inside = inside.replace("\r\n", "\n").replace('\r', "\n");
        self.line().comment(inside);
    }

    /// Keeps a text that is no move as a comment.
    fn keep(&mut self, token: &Token, text: &str) {
        self.keep_as(token, text, FaultReason::Word);
    }

    /// Keeps a text that belongs to nothing as a comment, for a reason.
    fn keep_as(&mut self, token: &Token, text: &str, reason: FaultReason) {
        self.note(token, text, reason);
        let line = self.line();
        line.comment(text.to_owned());
        line.number = None;
    }

    /// Opens a variation, or skips it if it cannot be read.
    fn open_variation(&mut self, at: usize, token: &Token) -> usize {
        let depth = self.lines.len();
        let line = self.line();
        let skipped = if line.unread.is_some() {
            None
        } else if line.line.moves.is_empty() {
            Some(FaultReason::EarlyVariation)
        } else if depth > MAX_DEPTH {
            Some(FaultReason::TooDeep(MAX_DEPTH))
        } else {
            line.is_behind_move = false;
            let variation = OpenLine::new(line.before, line.ply - 1, at);
            self.lines.push(variation);
            return at + 1;
        };
        let end = self.end_of_variation(at);
        if let Some(reason) = skipped {
            let last = &self.raw.tokens[end.min(self.raw.tokens.len()) - 1];
            let text = self.text.get(token.range().start..last.range().end);
            self.note(token, &text, reason);
            self.line().comment(text.into_owned());
        }
        end
    }

    /// Returns the token behind the variation that a token opens.
    fn end_of_variation(&self, at: usize) -> usize {
        let mut depth = 0usize;
        for (index, token) in self.raw.tokens.iter().enumerate().skip(at) {
            match token.kind {
                Kind::Open => depth += 1,
                Kind::Close => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return index + 1;
            }
        }
        self.raw.tokens.len()
    }

    fn close(&mut self, token: &Token) {
        if self.lines.len() > 1 {
            self.close_variation(token.range().start);
        } else if self.line().unread.is_none() {
            self.keep_as(token, ")", FaultReason::Closing);
        }
    }

    /// Hangs the last open variation on the move that it replaces. Its text ends at a place.
    fn close_variation(&mut self, end: usize) {
        let open = self.lines.pop().expect("a variation is open");
        let text = open.unread.map(|start| self.text.get(start..end));
        let line = open.finish(text.as_deref());
        let last = self.line().line.moves.last_mut();
        if line != Line::default() {
            let last = last.expect("variations are opened behind moves only");
            last.variations.push(line);
        }
    }

    /// Takes a result that ends the game. One that contradicts the first is kept, in the text that cannot be read if there is such.
    fn result(&mut self, token: &Token, text: &str) {
        let Some(first) = take_result(self.game, text) else {
            return;
        };
        let reason = FaultReason::OtherResult(first);
        if self.line().unread.is_some() {
            self.note(token, text, reason);
        } else {
            self.keep_as(token, text, reason);
        }
    }

    fn mark(&mut self, token: &Token, marks: &str) {
        let forced = marks.matches('*').map(|_| FORCED);
        match self.line().line.moves.last_mut() {
            Some(last) => {
                last.marks += &in_ascii(marks);
                last.nags.extend(forced);
            }
            None => self.keep(token, marks),
        }
    }

    fn set_up(&mut self, token: &Token) {
        if self.set_up != Some(token.range().start) {
            let text = self.get(token);
            self.note(token, &text, FaultReason::SetUp);
            self.line().unread = Some(token.range().start);
        }
    }

    /// Reads a word, and others if the move is written with blanks.
    fn word(&mut self, at: usize, token: &Token) -> usize {
        let text = self.get(token);
        // The dot of a half is none behind a number.
        let (number, word) = if result::is_like(text.as_bytes()) {
            ("", &*text)
        } else {
            split_number(&text)
        };
        if !number.is_empty() || word.is_empty() {
            let line = self.line();
            line.number.get_or_insert(token.range().start);
            line.is_behind_move = false;
        }
        if word.is_empty() {
            return at + 1;
        }
        let (word, next) = self.whole(at, word);
        if is_number(&word) && word.len() < 4 {
            let line = self.line();
            line.number = Some(token.range().start);
            line.is_behind_move = false;
        } else if let Some(result) = result::of_word(word.as_bytes()) {
            self.result_in_text(token, result, next);
        } else if let Some(nag) = value(&word) {
            match self.line().line.moves.last_mut() {
                Some(last) => last.nags.push(nag),
                None => self.keep(token, &word),
            }
        } else if word.trim_matches(is_mark).is_empty() {
            self.mark(token, &word);
        } else if is_clock(&word) {
            self.clock(token, &word);
        } else if word.bytes().any(|byte| byte.is_ascii_digit()) {
            self.play(token, &word);
        } else {
            return self.keep_words(at, token, &word, next);
        }
        next
    }

    /// Returns a word with those that belong to it, and the token behind them.
    fn whole<'w>(&mut self, at: usize, word: &'w str) -> (Cow<'w, str>, usize) {
        let (joined, behind) = self.join(at + 1, word);
        // Two squares are a move written with a blank, or else two that name but the square where they end.
        let is_split = is_square(word) && joined.contains(' ') && self.parse(&joined).is_err();
        let is_target = |read| !matches!(read, Err(MoveTextError::Illegal(_)));
        if is_split && is_target(self.parse(word)) {
            (Cow::Borrowed(word), at + 1)
        } else {
            (joined, behind)
        }
    }

    /// Puts the parts of a move together that are written with blanks: `6- 9`, `c3 : e5`, `c3 d4`. Returns it and the token behind it.
    fn join<'w>(&self, mut next: usize, word: &'w str) -> (Cow<'w, str>, usize) {
        let mut joined = Cow::Borrowed(word);
        while let Some(token) = self.raw.tokens.get(next) {
            if !matches!(token.kind, Kind::Word | Kind::Result) {
                break;
            }
            let part = self.get(token);
            if !goes_on(&joined, &part) {
                break;
            }
            let are_squares = is_square(&joined) && is_square(&part);
            let blank = if are_squares { " " } else { "" };
            joined = Cow::Owned(format!("{joined}{blank}{part}"));
            next += 1;
        }
        (joined, next)
    }

    /// Takes a result that was not one for the lexer: written with blanks, or in a variation. Only at the end of an unclosed variation it is
    /// that of the game.
    fn result_in_text(&mut self, token: &Token, result: &str, next: usize) {
        if self.lines.len() == 1 || next == self.raw.tokens.len() {
            self.result(token, result);
        } else {
            self.line().comment(result.to_owned());
        }
    }

    /// Keeps words that are no moves as one comment.
    fn keep_words(&mut self, at: usize, token: &Token, word: &str, mut next: usize) -> usize {
        let mut words = word.to_owned();
        while next > at
            && let Some(token) = self.raw.tokens.get(next)
            && token.kind == Kind::Word
        {
            let word = self.get(token);
            if word.bytes().any(|byte| byte.is_ascii_digit())
                || word.trim_matches(is_mark).is_empty()
            {
                break;
            }
            words = words + " " + &word;
            next += 1;
        }
        self.keep(token, &words);
        self.line().is_in_prose = true;
        next
    }

    /// Takes what looks like a time, or like a capture in numbers. It is a time if its fields cannot all be squares. Any other is what fits
    /// the moves and the times that were before it.
    fn clock(&mut self, token: &Token, word: &str) {
        self.clocks += usize::from(!may_be_squares(word));
        let last = self.line().line.moves.last();
        let is_lettered = last.is_some_and(|last| last.text.starts_with(char::is_alphabetic));
        let capture = Some(word).filter(|word| may_be_squares(word));
        let capture = capture.and_then(|word| self.parse(word).ok());
        match (capture, self.clocks > 0, is_lettered) {
            (_, false, false) => self.play(token, word),
            (None, ..) | (_, true, true) => {
                self.line().comment(format!("[%clk {word}]"));
            }
            (Some(mv), ..) => {
                let line = self.line();
                let text = moves::write::<R>(&line.pos, mv);
                let candidates = vec![text, format!("{{[%clk {word}]}}")];
                line.unread = Some(line.number.unwrap_or(token.range().start));
                let text = shown(word);
                let error = MoveTextError::Ambiguous { text, candidates };
                self.note(token, word, error.into());
            }
        }
    }

    /// Plays a move, or breaks the line off.
    fn play(&mut self, token: &Token, word: &str) {
        let text = word.trim_end_matches(is_mark);
        let marks = &word[text.len()..];
        let read = if self.line().ply == 0 {
            self.first_move(text)
        } else {
            self.parse(text)
        };
        match read {
            Ok(mv) => {
                self.line().push(mv, text);
                if !marks.is_empty() {
                    self.mark(token, marks);
                }
            }
            Err(error) => {
                let is_last = self.last_word == Some(token.range().start);
                let is_result = is_last && result::is_like(word.as_bytes());
                let reason = if is_result {
                    FaultReason::Result
                } else {
                    error.into()
                };
                self.note(token, word, reason);
                let line = self.line();
                line.unread = Some(line.number.unwrap_or(token.range().start));
            }
        }
    }

    fn parse(&mut self, text: &str) -> Result<Move, MoveTextError> {
        let order = self.order;
        if is_square(text) && !self.line().is_in_prose {
            return only_move_to::<R>(&self.line().pos, text);
        }
        let pos = &self.line().pos;
        if order == Order::default() && !is_number(text) {
            return moves::parse::<R>(pos, text);
        }
        // First the sign, since without it two numbers would be one.
        let whole = without_sign(text);
        let ordered = order.mv(whole.as_deref().unwrap_or(text));
        moves::parse::<R>(pos, &ordered).map_err(|error| error.about(text))
    }

    /// Reads the first move, which may settle what the tags left open.
    fn first_move(&mut self, text: &str) -> Result<Move, MoveTextError> {
        if mem::take(&mut self.is_turn_open) {
            return self.first_move_of_either(text);
        }
        let read = self.parse(text);
        // In the start position, no text is a legal move in both orders: they give the men of the side to move different numbers.
        let may_count_from_a1 = self.is_named
            && R::STYLE.letters
            && self.lines.len() == 1
            && self.order == Order::default()
            && self.line().pos == Position::start(R::FIRST_TO_MOVE);
        if read.is_err() && may_count_from_a1 {
            self.order = Order::FROM_A1;
            let again = self.parse(text);
            if again.is_ok() {
                return again;
            }
            self.order = Order::default();
        }
        read
    }

    /// Reads the first move where the position does not say whose it is. If it can be only one side's, it is that side's.
    fn first_move_of_either(&mut self, text: &str) -> Result<Move, MoveTextError> {
        let given = self.line().pos;
        let mut read = Side::BOTH.map(|side| {
            let line = self.line();
            line.pos = if given.turn() == side {
                given
            } else {
                given.passed()
            };
            let pos = line.pos;
            self.parse(text).map(|mv| (pos, mv))
        });
        if read[0].is_ok() && read[1].is_ok() {
            let candidates = Side::BOTH.map(|side| format!("a move of {side}"));
            return Err(MoveTextError::Ambiguous {
                text: shown(text),
                candidates: candidates.to_vec(),
            });
        }
        read.sort_by_key(Result::is_err);
        let [first, _] = read;
        let (pos, mv) = first?;
        self.line().pos = pos;
        self.game.start = Some(pos);
        Ok(mv)
    }

    /// Closes what is open.
    fn finish(mut self) {
        let end = self.text.len();
        if self.lines.len() > 1 {
            let opening = self.raw.tokens[self.line().opening];
            self.note(&opening, "(", FaultReason::OpenVariation);
        }
        while self.lines.len() > 1 {
            self.close_variation(end);
        }
        if self.is_turn_open {
            let value = self.game.tag("FEN").unwrap_or_default().to_owned();
            let reason = FaultReason::Fen(crate::notation::fen::FenError::OpenTurn.to_string());
            self.game.note(0, self.game.line, &value, reason);
        }
        let main = self.lines.pop().expect("the main line is never closed");
        let text = main.unread.map(|start| {
            let is_before = |token: &Token| token.range().start < start;
            text_without(&self.raw, self.text, self.game.end.as_deref(), is_before)
        });
        self.game.main = main.finish(text.as_deref());
    }
}

/// Returns the fault of a comment whose end was not found.
pub(super) const fn unclosed(kind: Kind) -> FaultReason {
    match kind {
        Kind::CutComment => FaultReason::LongComment(MOST_BYTES),
        _ => FaultReason::OpenComment,
    }
}

/// Finds the move that ends on a square, of which no more is written.
fn only_move_to<R: Rules>(pos: &Position, square: &str) -> Result<Move, MoveTextError> {
    let mut legal = MoveList::new();
    legal_moves::<R>(pos, &mut legal);
    let name: String = square
        .chars()
        .map(|c| latin(c).to_ascii_lowercase())
        .collect();
    let to = Square::from_name(&name);
    let mut fitting = legal.iter().filter(|mv| Some(mv.to) == to);
    match (fitting.next(), fitting.next()) {
        (None, _) => Err(MoveTextError::Illegal(shown(square))),
        (Some(&only), None) => Ok(only),
        (Some(first), Some(second)) => {
            let all = [first, second].into_iter().chain(fitting);
            Err(MoveTextError::Ambiguous {
                text: shown(square),
                candidates: all.map(|&mv| moves::write::<R>(pos, mv)).collect(),
            })
        }
    }
}

/// Reads the result that ends a game, perhaps behind a move number.
fn read_result(text: &str) -> Option<&'static str> {
    let (_, word) = split_number(text);
    result::of_word(text.as_bytes()).or_else(|| result::of_word(word.as_bytes()))
}

/// Takes the result that ends a game. Returns the one that it has if that is another.
pub(super) fn take_result(game: &mut Game, text: &str) -> Option<String> {
    let result = read_result(text)?;
    let first = game.end.get_or_insert_with(|| result.to_owned());
    (first != result).then(|| first.clone())
}

/// Returns the text of a game without some of its tokens, and without the result of the game if nothing but remarks comes behind it.
pub(super) fn text_without(
    raw: &RawGame,
    text: &Text,
    end_of_game: Option<&str>,
    is_left_out: impl Fn(&Token) -> bool,
) -> String {
    let mut tokens = raw.tokens.iter();
    let last = tokens.rposition(|token| !token.kind.is_remark());
    let end = last.filter(|&last| {
        let token = &raw.tokens[last];
        let text = text.get(token.range());
        let said = read_result(&text).filter(|_| token.kind == Kind::Result);
        // An open result says nothing that is lost without it.
        said.is_some_and(|said| {
            said == "*" || end_of_game.map(result::in_points) == Some(result::in_points(said))
        })
    });
    let mut pieces = Vec::new();
    let mut start = 0;
    for (index, token) in raw.tokens.iter().enumerate() {
        if end == Some(index) || is_left_out(token) {
            pieces.push(text.get(start..token.range().start));
            start = token.range().end;
        }
    }
    pieces.push(text.get(start..text.len()));
    let pieces = pieces.iter().map(|piece| piece.trim());
    let pieces: Vec<&str> = pieces.filter(|piece| !piece.is_empty()).collect();
    // A remark ends with its line.
    pieces.join("\n")
}
