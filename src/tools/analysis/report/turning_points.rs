//! Diagrams of the moves that gave something away, and of the last position.

use super::{View, class_of, score, score_of};
use crate::board::Position;
use crate::notation::diagram::Labels;
use crate::notation::moves;
use crate::notation::svg::{self, Arrow};
use crate::rules::Rules;
use crate::tools::analysis::game::{AnalysedGame, Stage};
use crate::tools::analysis::position::Line;
use std::fmt::Write;

/// So many moves get a diagram, those that lost the most.
const MOST: usize = 16;
/// The plies of the better line that are shown.
const LINE: usize = 12;

/// Lists the moves that were marked, in the order of the game, with diagrams.
pub(super) fn list<R: Rules>(view: &View) -> String {
    let stages = &view.analysed.stages;
    let loss = |index: usize| {
        let judgement = stages[index].judgement;
        judgement.map_or(0.0, |judgement| judgement.loss())
    };
    let marked = (0..stages.len()).filter(|&index| AnalysedGame::better(&stages[index]).is_some());
    let mut shown: Vec<usize> = marked.collect();
    let count = shown.len();
    shown.sort_by(|&a, &b| loss(b).total_cmp(&loss(a)).then(a.cmp(&b)));
    shown.truncate(MOST);
    shown.sort_unstable();
    let mut out = "<section>\n<h2>Turning points</h2>\n".to_owned();
    if count == 0 {
        out.push_str("<p>No move lost 0.05 of the expected score or more.</p>\n");
    } else {
        out.push_str("<p>The broken red arrow is the move that was played, the green one the better move.</p>\n");
    }
    if count > shown.len() {
        let _ = writeln!(out, "<p>The {MOST} of {count} that lost the most.</p>");
    }
    out.push_str("<div class=\"diagrams\">\n");
    for index in shown {
        let stage = &stages[index];
        if let (Some(better), Some(next)) = (AnalysedGame::better(stage), stages.get(index + 1)) {
            turning_point::<R>(&mut out, view, index, (stage, next), better);
        }
    }
    if let Some(last) = stages.last() {
        final_position::<R>(&mut out, view, last);
    }
    out.push_str("</div>\n</section>\n");
    out
}

fn turning_point<R: Rules>(
    out: &mut String,
    view: &View,
    index: usize,
    (stage, next): (&Stage, &Stage),
    better: &Line,
) {
    let (Some(played), Some(&best), Some(judgement)) =
        (stage.played, better.pv.first(), stage.judgement)
    else {
        return;
    };
    let arrow = |mv| Arrow::of::<R>(&stage.pos, mv);
    let labels = Labels::usual::<R>();
    let picture = svg::draw_choice(&stage.pos, labels, &arrow(played), &arrow(best));
    let class = judgement.mark.map_or("", class_of);
    let (title, after) = (&view.titles[index], score_of(next));
    let before = score(better.worth, stage.pos.turn());
    let _ = write!(
        out,
        "<figure id=\"turn-{index}\">\n<h3><a class=\"{class}\" href=\"#move-{}\">{title}</a></h3>\n{}\
         <figcaption>{before} before, {after} after: {:.3} of the expected score lost.<br>Better: <b>{}</b></figcaption>\n</figure>\n",
        index + 1,
        bare(&picture),
        judgement.loss(),
        line_text::<R>(&stage.pos, better)
    );
}

fn final_position<R: Rules>(out: &mut String, view: &View, last: &Stage) {
    let picture = svg::draw(&last.pos, Labels::usual::<R>(), None);
    let how = match view.analysed.ending {
        Some(ending) => match ending.winner {
            Some(side) => format!("{side} has won: {}.", ending.reason),
            None => format!("Drawn by rule: {}.", ending.reason),
        },
        None => format!("The game ends here: {}.", score_of(last)),
    };
    let _ = write!(
        out,
        "<figure>\n<h3>Last position</h3>\n{}<figcaption>{how}</figcaption>\n</figure>\n",
        bare(&picture)
    );
}

/// Writes a line, of which no move is broken in two.
fn line_text<R: Rules>(pos: &Position, line: &Line) -> String {
    let shown = &line.pv[..line.pv.len().min(LINE)];
    let moves = moves::write_line::<R>(pos, shown).into_iter();
    let whole: Vec<String> = moves.map(|mv| format!("<span>{mv}</span>")).collect();
    whole.join(" ")
}

/// Returns a picture as it stands within a page: what a document of its own needs is left out.
fn bare(picture: &str) -> String {
    picture.replacen(" xmlns=\"http://www.w3.org/2000/svg\"", "", 1)
}
