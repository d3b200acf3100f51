//! The table of all moves with their scores, and what the game's own comments say of them.

use super::{View, class_of, escape, score_of};
use crate::board::Side;
use crate::tools::analysis::game::AnalysedGame;
use std::fmt::Write;

/// Writes the table, a row for each two moves.
pub(super) fn table(view: &View, first_to_move: Side) -> String {
    let mut out = format!(
        "<section>\n<h2>Moves</h2>\n<table class=\"moves\">\n<tr><th scope=\"col\">No.</th><th scope=\"col\">{first_to_move}</th>\
         <th scope=\"col\">Score</th><th scope=\"col\">{}</th><th scope=\"col\">Score</th></tr>\n",
        first_to_move.opponent()
    );
    let count = view.game.main.moves.len();
    let starts_second = view
        .analysed
        .stages
        .first()
        .is_some_and(|stage| stage.pos.turn() != first_to_move);
    let offset = usize::from(starts_second);
    for row in 0..(count + offset).div_ceil(2) {
        let _ = write!(out, "<tr><th scope=\"row\">{}.</th>", row + 1);
        let plies = [2 * row, 2 * row + 1].map(|place| place.checked_sub(offset));
        for ply in plies {
            match ply.filter(|&ply| ply < count) {
                Some(ply) => out.push_str(&cells(view, ply)),
                None => out.push_str("<td></td><td></td>"),
            }
        }
        out.push_str("</tr>\n");
        let comments: String = plies
            .iter()
            .flatten()
            .map(|&ply| said_of(view, ply))
            .collect();
        if !comments.is_empty() {
            let _ = writeln!(
                out,
                "<tr class=\"said\"><td></td><td colspan=\"4\">{comments}</td></tr>"
            );
        }
    }
    out.push_str("</table>\n");
    if let Some(text) = &view.game.main.unread {
        let _ = writeln!(
            out,
            "<p>The rest of the game could not be read: <code>{}</code></p>",
            escape(text)
        );
    }
    out.push_str("</section>\n");
    out
}

/// Writes the cells of a move, with its score if it is before the end of the game.
fn cells(view: &View, ply: usize) -> String {
    let stages = &view.analysed.stages;
    let (Some(stage), Some(next)) = (stages.get(ply), stages.get(ply + 1)) else {
        let node = view.game.main.moves.get(ply);
        let text = node.map_or("", |node| &node.text);
        return format!("<td class=\"beyond\">{}</td><td></td>", escape(text));
    };
    let text = &view.texts[ply];
    let id = ply + 1;
    let mark = stage.judgement.and_then(|judgement| judgement.mark);
    let mv = match (mark, AnalysedGame::better(stage)) {
        (Some(mark), Some(_)) => format!(
            "<a class=\"{}\" href=\"#turn-{ply}\">{text}{mark}</a>",
            class_of(mark)
        ),
        _ => text.clone(),
    };
    let score = if next.assessment.ending.is_some() {
        String::new()
    } else {
        score_of(next)
    };
    format!("<td id=\"move-{id}\">{mv}</td><td class=\"score\">{score}</td>")
}

/// Returns what the comments of the game say of a move, without commands such as clock times, as paragraphs.
fn said_of(view: &View, ply: usize) -> String {
    let mut paragraphs = String::new();
    if let Some(node) = view.game.main.moves.get(ply) {
        for comment in node.before.iter().chain(&node.after) {
            let text = without_commands(comment);
            if !text.is_empty() {
                let _ = write!(paragraphs, "<p>{}</p>", escape(&text));
            }
        }
    }
    paragraphs
}

/// Leaves out `[%...]`.
fn without_commands(text: &str) -> String {
    let (mut kept, mut rest) = (String::new(), text);
    while let Some((before, command)) = rest.split_once("[%") {
        let Some((_, after)) = command.split_once(']') else {
            break;
        };
        kept.push_str(before);
        rest = after;
    }
    kept.push_str(rest);
    kept.trim().to_owned()
}
