//! Games as strict PDN 3.0: of what the standard leaves open, always the same.
//!
//! Each tag stands once. Moves are in the notation that `GameType` names and unique; marks stand right behind them; comments are in braces
//! and hold none. A game ends with `*`, which is the only end that the standard allows, and its result is in the tags.

use super::game::{FaultReason, Game, Line, Tag, UNNAMED, old_name};
use super::lexer::MAX_NAME;
use super::setting;
use crate::board::{Position, Side};
use crate::notation::fen::{self, FenError};
use crate::notation::moves::{self, Form};
use crate::notation::{printable, result};
use crate::rules::{Rules, Style};
use crate::with_rules;
use std::collections::{HashMap, HashSet};
use std::fmt::Write;

/// The names of tags as the standard spells them, which other programs may look for letter by letter.
const TAGS: [&str; 14] = [
    "Event",
    "Site",
    "Date",
    "Round",
    "White",
    "Black",
    "Result",
    "GameType",
    "SetUp",
    "FEN",
    "PlyCount",
    "TimeControl",
    "Termination",
    "Variant",
];

/// Lines of moves are not longer than this, if the moves and comments are not.
const LINE: usize = 100;

/// The most bytes of the name of a tag, with room for the number behind it if there is another of the same name.
const LONGEST_NAME: usize = MAX_NAME - 10;

/// A game as it is written: first the tags, then the moves with what is said of them.
#[derive(Clone, Debug)]
pub struct Writer {
    tags: String,
    moves: String,
    /// The length of the last line of the moves.
    column: usize,
    /// The side that begins the game.
    first: Side,
    count: Count,
    /// The counts of the lines in which variations are open.
    outer: Vec<Count>,
    /// Brackets that stand before the next word.
    brackets: String,
}

/// Where a line stands.
#[derive(Clone, Copy, Debug)]
struct Count {
    /// The number of the next move, and whose it is.
    number: u32,
    turn: Side,
    /// No move is written yet, so the next one needs its number even if it is the second side's.
    is_at_start: bool,
}

/// What a comment begins with that holds text which could not be read.
pub const UNREAD: &str = "unread:";

impl Writer {
    /// Begins a game at a position, in a game whose first move is made by a side.
    pub fn new(start: &Position, first_to_move: Side) -> Self {
        Self {
            tags: String::new(),
            moves: String::new(),
            column: 0,
            first: first_to_move,
            count: Count {
                number: 1,
                turn: start.turn(),
                is_at_start: true,
            },
            outer: Vec::new(),
            brackets: String::new(),
        }
    }

    /// Adds a tag. Its name is spelled as the standard has it or at least allows; one that is not Latin goes into the value of another. In the
    /// value quotes are escaped, and line ends become blanks.
    pub fn tag(&mut self, name: &str, value: &str) {
        let Tag { name, value } = spelled(name, value);
        let value = value.replace(char::is_control, " ").replace('"', "\\\"");
        // Behind a backslash the closing quote would be part of the value.
        let blank = if value.ends_with('\\') { " " } else { "" };
        writeln!(self.tags, "[{name} \"{value}{blank}\"]")
            .expect("writing to a string cannot fail");
    }

    /// Adds a move.
    pub fn mv(&mut self, text: &str) {
        let count = self.count;
        let is_first = count.turn == self.first;
        if is_first {
            self.word(&format!("{}.", count.number));
        } else if count.is_at_start {
            self.word(&format!("{}...", count.number));
        }
        self.word(text);
        self.count = Count {
            number: count.number + u32::from(!is_first),
            turn: count.turn.opponent(),
            is_at_start: false,
        };
    }

    /// Adds a numeric mark to the last move.
    pub fn nag(&mut self, number: u16) {
        self.word(&format!("${number}"));
    }

    /// Adds a comment. Braces in it become brackets, and control characters other than line ends and tabs blanks. The number of a move is
    /// not written again behind it, since pydraughts misreads files in which a number stands twice.
    pub fn comment(&mut self, text: &str) {
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        let text = text.replace('{', "(").replace('}', ")");
        let text = printable(&text);
        self.word(&format!("{{{text}}}"));
    }

    /// Opens a variation on the last move: what follows could have been played instead.
    pub fn open_variation(&mut self) {
        let count = self.count;
        self.outer.push(count);
        let turn = count.turn.opponent();
        self.count = Count {
            number: count.number - u32::from(turn != self.first),
            turn,
            is_at_start: true,
        };
        self.brackets.push('(');
    }

    /// Closes the last open variation. Of one with nothing in it nothing is written.
    pub fn close_variation(&mut self) {
        if self.brackets.pop().is_none() {
            self.moves.push(')');
            self.column += 1;
        }
        if let Some(outer) = self.outer.pop() {
            self.count = outer;
        }
    }

    fn word(&mut self, word: &str) {
        let length = word.chars().count() + self.brackets.len();
        if self.column > 0 {
            let is_full = self.column + 1 + length > LINE;
            self.moves.push(if is_full { '\n' } else { ' ' });
            self.column = if is_full { 0 } else { self.column + 1 };
        }
        self.moves += &self.brackets;
        self.brackets.clear();
        self.moves += word;
        self.column = match word.rsplit_once('\n') {
            Some((_, last)) => last.chars().count(),
            None => self.column + length,
        };
    }

    fn end_line(&mut self) {
        self.moves.push('\n');
        self.column = 0;
    }

    /// Ends the game and returns the whole, with a blank line behind it.
    pub fn finish(mut self) -> String {
        self.word("*");
        let Self { tags, moves, .. } = self;
        let gap = if tags.is_empty() { "" } else { "\n" };
        format!("{tags}{gap}{moves}\n\n")
    }
}

/// Returns a tag with the name that it is written with. A name that is not Latin would be nothing but `_`, and one that is too long would not be
/// read again, so these stand before the value.
fn spelled(name: &str, value: &str) -> Tag {
    let spelled = Some(name).filter(|name| name.is_ascii()).map(spelled_name);
    let (name, value) = match spelled.filter(|name| name.len() <= LONGEST_NAME) {
        Some(spelled) => (spelled, value.to_owned()),
        None => (UNNAMED.to_owned(), format!("{name}: {value}")),
    };
    Tag { name, value }
}

/// Returns the name of a tag as the standard spells it; others become letters, digits and `_` behind a capital letter.
fn spelled_name(name: &str) -> String {
    let mut known = TAGS.iter();
    if let Some(known) = known.find(|known| known.eq_ignore_ascii_case(name)) {
        return (*known).to_owned();
    }
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut letters = name
        .chars()
        .map(|c| if is_allowed(c) { c } else { '_' })
        .peekable();
    let first = letters.next_if(char::is_ascii_alphabetic);
    let first = first.map_or('X', |first| first.to_ascii_uppercase());
    std::iter::once(first).chain(letters).collect()
}

/// Writes a game with a blank line behind it, its moves in a form or else in the usual one of the game.
///
/// All tags are kept, and those that tell how to read the game are made to fit: `GameType`, `FEN`, `Result` in the style of
/// the game, `Variant` if the game type alone does not tell the rule set. Text that could not be read becomes a comment; only a game that is
/// not played here keeps its text as it is.
pub fn write(game: &Game, form: Option<Form>) -> String {
    match (game.variant, game.start) {
        (Some(variant), Some(start)) => {
            with_rules!(variant, R => write_under::<R>(game, &start, form))
        }
        _ => write_unread(game),
    }
}

/// Writes a game that could be set up.
fn write_under<R: Rules>(game: &Game, start: &Position, form: Option<Form>) -> String {
    let form = form.unwrap_or(Form::usual::<R>());
    let mut writer = Writer::new(start, R::FIRST_TO_MOVE);
    for tag in tags::<R>(game, start, form) {
        writer.tag(&tag.name, &tag.value);
    }
    write_line::<R>(&mut writer, *start, &game.main, form);
    writer.finish()
}

/// Writes a game of another kind.
fn write_unread(game: &Game) -> String {
    let mut writer = Writer::new(&Position::start(Side::White), Side::White);
    let mut written = Game {
        tags: single(&game.tags),
        ..Game::default()
    };
    let said = game.tag("Result").and_then(result::read);
    if said.map(result::in_points) != Some(result::in_points(game.result())) {
        set_result(&mut written, game, game.result());
    }
    for tag in &written.tags {
        writer.tag(&tag.name, &tag.value);
    }
    if let Some(text) = &game.main.unread {
        let damages = |fault: &FaultReason| {
            !matches!(
                fault,
                FaultReason::GameType(_)
                    | FaultReason::OtherResult(_)
                    | FaultReason::Result
                    | FaultReason::RepeatedTag
                    | FaultReason::Tag
                    | FaultReason::TagName
            )
        };
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        let clean = printable(&text);
        // With a blank for a control character one word may be two, and the first a result.
        let is_damaged = clean != text || game.faults.iter().any(|fault| damages(&fault.reason));
        let is_comment = text.starts_with('{') && text.find('}') == Some(text.len() - 1);
        if !is_comment && is_damaged {
            writer.comment(&text);
        } else {
            writer.word(clean.trim());
            // The end of the game is no part of a remark.
            if !is_comment && text.contains([';', '%']) {
                writer.end_line();
            }
        }
    }
    writer.finish()
}

/// Sets the result of a game, in a style. A tag that says something else, or nothing that can be read, is kept
/// under another name; one that cannot be read stays if no result stands behind the moves either.
fn set_result(written: &mut Game, game: &Game, result: &str) {
    let old = game.tag("Result").unwrap_or("*");
    match result::read(old).map(result::in_points) {
        None if result == "*" => return,
        Some(old) if old == result::in_points(result) || old == "*" => {}
        _ => keep_old(written, "Result", old),
    }
    written.set_tag("Result", result);
}

/// Keeps the value of a tag that is going to have another one.
fn keep_old(written: &mut Game, name: &str, value: &str) {
    written.tags.push(Tag {
        name: old_name(name),
        value: value.to_owned(),
    });
}

/// Returns the tags of a game as they are to be written.
fn tags<R: Rules>(game: &Game, start: &Position, form: Form) -> Vec<Tag> {
    let mut written = Game {
        tags: single(&game.tags),
        ..Game::default()
    };
    set_result(&mut written, game, result::in_points(game.result()));
    for name in ["GameType", "Variant"] {
        let old = game.tag(name).unwrap_or_default();
        if setting::is_of_another_game(old, R::VARIANT) {
            keep_old(&mut written, name, old);
        }
    }
    written.set_tag("GameType", game_type(&R::STYLE, R::FIRST_TO_MOVE, form));
    let named = game.tag("Variant").filter(|name| !name.trim().is_empty());
    let is_told = match named.map(setting::named) {
        Some(Some(named)) => named == R::VARIANT,
        _ => setting::default_of(R::STYLE.game_type) == Some(R::VARIANT),
    };
    if !is_told {
        written.set_tag("Variant", R::VARIANT.name());
    }
    // Whose move it is may be open still.
    let has_open_turn = |text: &str| fen::parse(text) == Err(FenError::OpenTurn);
    let is_open = game.main.moves.is_empty() && game.tag("FEN").is_some_and(has_open_turn);
    if game.tag("FEN").is_some() || *start != R::start() {
        if game.tag("FEN").is_none() {
            written.set_tag("SetUp", "1");
        }
        let text = fen::write_as(start, form);
        let text = if is_open {
            format!("?{}", &text[1..])
        } else {
            text
        };
        written.set_tag("FEN", text);
    }
    single(&written.tags)
}

/// Returns tags of which no two have the same name. The first keeps it; another is left out if it says what was said before, and else has a
/// number behind it: `Event_2`.
fn single(tags: &[Tag]) -> Vec<Tag> {
    let mut names: HashSet<String> = HashSet::new();
    let spelled = tags.iter().map(|tag| spelled(&tag.name, &tag.value));
    let spelled: Vec<Tag> = spelled.collect();
    names.extend(spelled.iter().map(|tag| tag.name.to_ascii_lowercase()));
    if names.len() == tags.len() {
        return spelled;
    }
    let mut said: HashMap<String, (HashSet<String>, usize)> = HashMap::new();
    let mut single = Vec::new();
    for mut tag in spelled {
        let (values, number) = said.entry(tag.name.to_ascii_lowercase()).or_default();
        if !values.insert(tag.value.clone()) {
            continue;
        }
        if values.len() > 1 {
            let mut numbered = String::new();
            while numbered.is_empty() || !names.insert(numbered.to_ascii_lowercase()) {
                *number += 1;
                numbered = format!("{}_{}", tag.name, *number + 1);
            }
            tag.name = numbered;
        }
        single.push(tag);
    }
    single
}

/// Returns the game type for a form of moves: the letter says what squares are, the digit where the first one is, seen by the side that
/// begins.
fn game_type(style: &Style, first: Side, form: Form) -> String {
    let (number, _) = style
        .game_type
        .split_once(',')
        .unwrap_or((style.game_type, ""));
    let (letter, corner) = match (form, first) {
        (Form::Numbers, Side::White) => ('N', 2),
        (Form::Numbers, Side::Black) => ('N', 1),
        (Form::Letters, Side::White) => ('A', 0),
        (Form::Letters, Side::Black) => ('A', 3),
        (Form::HalfShort, Side::White) => ('S', 0),
        (Form::HalfShort, Side::Black) => ('S', 3),
    };
    format!("{number},{},8,8,{letter}{corner},0", first.letter())
}

/// Writes the moves of a line and everything said of them.
fn write_line<R: Rules>(writer: &mut Writer, start: Position, line: &Line, form: Form) {
    let mut pos = start;
    for node in &line.moves {
        for comment in &node.before {
            writer.comment(comment);
        }
        let text = moves::write_as::<R>(&pos, node.mv, form) + &node.marks;
        writer.mv(&text);
        for &nag in &node.nags {
            writer.nag(nag);
        }
        for comment in &node.after {
            writer.comment(comment);
        }
        for variation in &node.variations {
            writer.open_variation();
            write_line::<R>(writer, pos, variation, form);
            writer.close_variation();
        }
        pos = pos.play(node.mv);
    }
    for comment in &line.comments {
        writer.comment(comment);
    }
    if let Some(unread) = &line.unread {
        writer.comment(&format!("{UNREAD} {unread}"));
    }
}
