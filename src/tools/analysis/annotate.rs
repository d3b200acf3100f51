//! What was found out, put into the game as it was read: scores, marks, better lines, and tags that sum it up.
//!
//! Nothing that was there is lost: comments stay, and so do marks of others, beside which another opinion is written as a numeric mark. Scores of
//! others, and tags of theirs by the names that are used here, stay under other names. What an earlier analysis of this program has put in is
//! replaced, so that a game may be analysed again.

use super::game::{AnalysedGame, Stage};
use super::judge::Mark;
use super::worth::Worth;
use crate::board::Side;
use crate::notation::pdn::{self, Node};

/// The tag that says by what a game was analysed.
const TAG: &str = "Analysis";
/// What its value begins with, and what stands behind the score of a better line.
const NAME: &str = "Mainroad";
/// The command of a score in a comment.
const EVAL: &str = "[%eval";
/// What it becomes if it is of somebody else, so that programs find one score of a move.
const OTHER_EVAL: &str = "[%original_eval";
/// The tags of the players' accuracy, by [`Side::index`].
const ACCURACY: [&str; 2] = ["WhiteAccuracy", "BlackAccuracy"];
/// The command in the comment of a better line that tells which mark was written with it.
const WRITTEN: &str = "%written";
/// The plies of a better line that are written.
const MOST_PLIES: usize = 10;

/// Puts an analysis into a game whose moves it is about. `effort` says what was spent, for the reader of the game.
pub fn annotate(game: &mut pdn::Game, analysed: &AnalysedGame, effort: &str) {
    let is_again = game.tag(TAG).is_some_and(|text| text.starts_with(NAME));
    if !is_again {
        set_others_aside(game);
    }
    let version = env!("CARGO_PKG_VERSION");
    game.set_tag(TAG, format!("{NAME} {version}, {effort}"));
    for side in Side::BOTH {
        let tag = ACCURACY[side.index()];
        match analysed.player(side).accuracy() {
            Some(accuracy) => game.set_tag(tag, format!("{accuracy:.1}")),
            None => game
                .tags
                .retain(|found| !found.name.eq_ignore_ascii_case(tag)),
        }
    }
    let nexts = analysed.stages.iter().skip(1);
    for ((node, stage), next) in game.main.moves.iter_mut().zip(&analysed.stages).zip(nexts) {
        if next.assessment.ending.is_none() {
            let turn = next.pos.turn();
            comment(&mut node.after, &eval(next.assessment.worth(), turn));
        }
        set_opinion(node, stage);
    }
    // Behind the end nothing is judged, whatever was thought under other rules.
    let judged = analysed.stages.len() - 1;
    game.main.moves.iter_mut().skip(judged).for_each(take_back);
}

/// Gives other names to what somebody else has found out: tags, and the scores of the moves.
fn set_others_aside(game: &mut pdn::Game) {
    for tag in [TAG].into_iter().chain(ACCURACY) {
        game.set_aside(tag);
    }
    for node in &mut game.main.moves {
        for text in node.after.iter_mut().filter(|text| !is_quoted(text)) {
            let mut renamed = String::new();
            let mut rest = text.as_str();
            while let Some((before, after)) = split_eval(rest) {
                let value = &rest[before.len() + EVAL.len()..rest.len() - after.len()];
                for part in [before, OTHER_EVAL, value] {
                    renamed.push_str(part);
                }
                rest = after;
            }
            *text = renamed + rest;
        }
    }
}

/// Writes a worth as `[%eval x]`: men, from White's view; as in Hub, 100 less the plies in hundredths for a proven win.
fn eval(worth: Worth, turn: Side) -> String {
    let score = match turn {
        Side::White => worth.score(),
        Side::Black => -worth.score(),
    };
    format!("{EVAL} {:.2}]", f64::from(score) / 100.0)
}

/// Puts a score into the comments behind a move: in the place of an older one, or before everything else.
fn comment(comments: &mut Vec<String>, eval: &str) {
    let mut is_placed = false;
    comments.retain_mut(|text| {
        if is_quoted(text) {
            return true;
        }
        let (mut kept, mut rest) = (String::new(), text.as_str());
        while let Some((before, after)) = split_eval(rest) {
            kept.push_str(before);
            if is_placed {
                rest = after.trim_start();
                if !kept.ends_with(' ') && !rest.is_empty() {
                    kept.push(' ');
                }
            } else {
                kept.push_str(eval);
                (rest, is_placed) = (after, true);
            }
        }
        kept.push_str(rest);
        let is_emptied = kept.is_empty() && !text.is_empty();
        *text = kept;
        !is_emptied
    });
    if is_placed {
        return;
    }
    match comments.first_mut() {
        Some(first) if !first.is_empty() && !is_quoted(first) => {
            first.insert_str(0, &format!("{eval} "));
        }
        _ => comments.insert(0, eval.to_owned()),
    }
}

/// Says whether a comment holds a part of the file that could not be read, or a variation that could not be placed. What stands in it is left as
/// it was.
fn is_quoted(comment: &str) -> bool {
    comment.starts_with(pdn::UNREAD) || comment.starts_with('(')
}

/// Finds the first score in a comment, and returns what stands before and behind it.
fn split_eval(text: &str) -> Option<(&str, &str)> {
    let is_score = |&(start, word): &(usize, &str)| {
        let value = &text[start + word.len()..];
        value.starts_with(|c: char| c.is_whitespace() || c == ']')
    };
    let (start, word) = text.match_indices(EVAL).find(is_score)?;
    // Where this one has no end, none behind it has: one look to the end of the comment is enough.
    let value = &text[start + word.len()..];
    let (_, after) = value.split_once(']')?;
    Some((&text[..start], after))
}

/// Says what is thought of a move: by a mark and a better line, in place of those of an earlier analysis.
///
/// A mark of somebody else stays, with the numeric one beside it if it says something else. The better line tells what was written, so
/// that no other mark is ever taken back.
fn set_opinion(node: &mut Node, stage: &Stage) {
    take_back(node);
    let mark = stage.judgement.and_then(|judgement| judgement.mark);
    let (Some(mark), Some(better)) = (mark, AnalysedGame::better(stage)) else {
        return;
    };
    let number = number_of(mark);
    let written = if node.marks.is_empty() {
        mark.sign().clone_into(&mut node.marks);
        Some(mark.sign().to_owned())
    } else if node.marks != mark.sign() && !node.nags.contains(&number) {
        node.nags.push(number);
        Some(format!("${number}"))
    } else {
        None
    };
    let written = written.map_or(String::new(), |mark| format!(" [{WRITTEN} {mark}]"));
    let eval = eval(better.worth, stage.pos.turn());
    let moves = better.pv.iter().take(MOST_PLIES);
    let mut moves: Vec<Node> = moves.map(|&mv| Node::new(mv)).collect();
    if let Some(first) = moves.first_mut() {
        first.after.push(format!("{eval}{written} {NAME}"));
    }
    node.variations.push(pdn::Line {
        moves,
        ..pdn::Line::default()
    });
}

/// Returns the number of a mark in PDN.
const fn number_of(mark: Mark) -> u16 {
    match mark {
        Mark::Mistake => 2,
        Mark::Blunder => 4,
        Mark::Dubious => 6,
    }
}

/// Takes back what an earlier analysis thought of a move, if nothing was added to it.
fn take_back(node: &mut Node) {
    let Node {
        variations,
        marks,
        nags,
        ..
    } = node;
    variations.retain(|line| {
        let Some(written) = written_by_own(line) else {
            return true;
        };
        match written.strip_prefix('$') {
            Some(number) => {
                if let Some(at) = nags.iter().position(|nag| nag.to_string() == number) {
                    nags.remove(at);
                }
            }
            None if marks == written => marks.clear(),
            None => {}
        }
        false
    });
}

/// Returns the mark that was written with a better line, or an empty text, if the line is as this program writes them, with nothing added.
fn written_by_own(line: &pdn::Line) -> Option<&str> {
    let (first, rest) = line.moves.split_first()?;
    let [text] = &first.after[..] else {
        return None;
    };
    let (before, after) = split_eval(text)?;
    let said = after.strip_suffix(NAME)?.trim();
    let written = match said.strip_prefix('[') {
        Some(command) => command.strip_prefix(WRITTEN)?.strip_suffix(']')?.trim(),
        None if said.is_empty() => "",
        None => return None,
    };
    let is_bare = |node: &Node| {
        node.marks.is_empty()
            && node.nags.is_empty()
            && node.before.is_empty()
            && node.variations.is_empty()
    };
    let is_own = before.is_empty()
        && is_bare(first)
        && rest
            .iter()
            .all(|node| is_bare(node) && node.after.is_empty())
        && line.comments.is_empty()
        && line.unread.is_none();
    is_own.then_some(written)
}
