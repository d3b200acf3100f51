//! What was found out, put into the game as it was read: scores, marks, better lines, and tags that sum it up.
//!
//! Nothing that was there is lost: comments stay, and so do marks of others, beside which another opinion is written as a numeric mark. What
//! an earlier analysis of this program has put in is replaced, so that a game may be analysed again. The tag [`TAG`] tells those games.

use super::game::{AnalysedGame, Stage};
use super::judge::Mark;
use super::worth::Worth;
use crate::board::Side;
use crate::notation::pdn::{self, Node};

/// The tag that says by what a game was analysed.
const TAG: &str = "Analysis";
/// What its value begins with, and what stands behind the score of a better line.
const NAME: &str = "Mainroad";
/// The plies of a better line that are written.
const MOST_PLIES: usize = 10;

/// Puts an analysis into a game whose moves it is about. `effort` says what was spent, for the reader of the game.
pub fn annotate(game: &mut pdn::Game, analysed: &AnalysedGame, effort: &str) {
    let is_again = game.tag(TAG).is_some_and(|text| text.starts_with(NAME));
    let version = env!("CARGO_PKG_VERSION");
    game.set_tag(TAG, format!("{NAME} {version}, {effort}"));
    for (side, tag) in [
        (Side::White, "WhiteAccuracy"),
        (Side::Black, "BlackAccuracy"),
    ] {
        match analysed.player(side).accuracy() {
            Some(accuracy) => game.set_tag(tag, format!("{accuracy:.1}")),
            None if is_again => game
                .tags
                .retain(|found| !found.name.eq_ignore_ascii_case(tag)),
            None => {}
        }
    }
    let nexts = analysed.stages.iter().skip(1);
    for ((node, stage), next) in game.main.moves.iter_mut().zip(&analysed.stages).zip(nexts) {
        if next.assessment.ending.is_none() {
            let turn = next.pos.turn();
            comment(&mut node.after, &eval(next.assessment.worth(), turn));
        }
        let mark = stage.judgement.and_then(|judgement| judgement.mark);
        set_mark(node, mark, is_again);
        set_better_line(node, stage);
    }
}

/// Writes a worth as `[%eval x]`: men, from White's view.
fn eval(worth: Worth, turn: Side) -> String {
    format!("[%eval {}]", men_for_white(worth, turn))
}

/// Returns a worth in men with two decimals, from White's view; as in Hub, 100 less the plies in hundredths for a proven win.
pub(super) fn men_for_white(worth: Worth, turn: Side) -> String {
    let score = match turn {
        Side::White => worth.score(),
        Side::Black => -worth.score(),
    };
    format!("{:.2}", f64::from(score) / 100.0)
}

/// Puts a score into the comments behind a move: in the place of an older one, or before everything else.
fn comment(comments: &mut Vec<String>, eval: &str) {
    let mut is_placed = false;
    comments.retain_mut(|text| {
        let (mut kept, mut rest) = (String::new(), text.as_str());
        while let Some((before, after)) = split_eval(rest) {
            kept.push_str(before);
            if is_placed {
                rest = after.trim_start();
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
        Some(first) if !first.is_empty() => first.insert_str(0, &format!("{eval} ")),
        _ => comments.insert(0, eval.to_owned()),
    }
}

/// Finds the first score in a comment, and returns what stands before and behind it.
fn split_eval(text: &str) -> Option<(&str, &str)> {
    let mut starts = text.match_indices("[%eval");
    starts.find_map(|(start, word)| {
        let value = &text[start + word.len()..];
        let is_word = value.starts_with(|c: char| c.is_whitespace() || c == ']');
        let end = value.find(']').filter(|_| is_word)?;
        Some((&text[..start], &value[end + 1..]))
    })
}

/// Marks a move, or takes back what an earlier analysis said of it.
fn set_mark(node: &mut Node, mark: Option<Mark>, is_again: bool) {
    let numeric = |mark: Mark| match mark {
        Mark::Mistake => 2,
        Mark::Blunder => 4,
        Mark::Dubious => 6,
    };
    let is_own = |marks: &str| Mark::ALL.iter().any(|mark| mark.sign() == marks);
    if is_again {
        let numbers = Mark::ALL.map(numeric);
        let count = node.nags.len();
        node.nags.retain(|number| !numbers.contains(number));
        // With a number beside it, the mark is somebody else's.
        if count == node.nags.len() && is_own(&node.marks) {
            node.marks.clear();
        }
    }
    let Some(mark) = mark else { return };
    if node.marks.is_empty() {
        mark.sign().clone_into(&mut node.marks);
    } else if node.marks != mark.sign() && !node.nags.contains(&numeric(mark)) {
        node.nags.push(numeric(mark));
    }
}

/// Writes the better line beside a move that is marked, in place of one of an earlier analysis.
fn set_better_line(node: &mut Node, stage: &Stage) {
    node.variations.retain(|line| !is_own_line(line));
    let Some(better) = AnalysedGame::better(stage) else {
        return;
    };
    let moves = better.pv.iter().take(MOST_PLIES);
    let mut moves: Vec<Node> = moves.map(|&mv| Node::new(mv)).collect();
    if let Some(first) = moves.first_mut() {
        let eval = eval(better.worth, stage.pos.turn());
        first.after.push(format!("{eval} {NAME}"));
    }
    node.variations.push(pdn::Line {
        moves,
        ..pdn::Line::default()
    });
}

/// Says whether a variation is as this program writes them, with nothing added to it.
fn is_own_line(line: &pdn::Line) -> bool {
    let Some((first, rest)) = line.moves.split_first() else {
        return false;
    };
    let is_signed = |text: &String| {
        split_eval(text).is_some_and(|(before, after)| before.is_empty() && after.trim() == NAME)
    };
    let is_bare = |node: &Node| {
        node.marks.is_empty()
            && node.nags.is_empty()
            && node.before.is_empty()
            && node.variations.is_empty()
    };
    matches!(&first.after[..], [text] if is_signed(text))
        && is_bare(first)
        && rest
            .iter()
            .all(|node| is_bare(node) && node.after.is_empty())
        && line.comments.is_empty()
        && line.unread.is_none()
}
