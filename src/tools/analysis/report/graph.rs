//! The graph of the score: the share of the point that White could expect, position by position.

use super::{View, class_of, score_of};
use crate::board::Side;
use crate::eval::Wdl;
use crate::tools::analysis::game::Stage;
use std::fmt::Write;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 200.0;

/// Draws the graph with a heading.
pub(super) fn draw(view: &View) -> String {
    let stages = &view.analysed.stages;
    let steps = (stages.len() - 1).max(1) as f64;
    let place = |index: usize, stage: &Stage| {
        let x = WIDTH * index as f64 / steps;
        (x, HEIGHT * (1.0 - white_share(stage)))
    };
    let points: Vec<(f64, f64)> = (0..)
        .zip(stages)
        .map(|(i, stage)| place(i, stage))
        .collect();
    let line: String = points.iter().fold(String::new(), |mut line, (x, y)| {
        let _ = write!(line, "L{x:.1} {y:.1}");
        line
    });
    let last_x = points.last().map_or(0.0, |point| point.0);
    let first_y = points.first().map_or(0.0, |point| point.1);
    let mut out = format!(
        "<section>\n<h2>Score</h2>\n<svg class=\"graph\" viewBox=\"-8 -8 {} {}\" role=\"img\" aria-label=\"White's share of the point, move by \
         move\">\n<rect class=\"dark\" width=\"{WIDTH}\" height=\"{HEIGHT}\"/>\n\
         <path class=\"light\" d=\"M0 {HEIGHT}{line}L{last_x:.1} {HEIGHT}z\"/>\n\
         <path class=\"line\" d=\"M0 {first_y:.1}{line}\"/>\n<path class=\"middle\" d=\"M0 {}H{WIDTH}\"/>\n",
        WIDTH + 16.0,
        HEIGHT + 16.0,
        HEIGHT / 2.0
    );
    let width = WIDTH / steps;
    for (index, (x, y)) in (0..).zip(&points).skip(1) {
        // The move that led here, and what it led to.
        let before = &stages[index - 1];
        let (title, score) = (&view.titles[index - 1], score_of(&stages[index]));
        let mark = before.judgement.and_then(|judgement| judgement.mark);
        let _ = write!(
            out,
            "<g><title>{title} {score}</title><rect class=\"hit\" x=\"{:.1}\" width=\"{width:.1}\" height=\"{HEIGHT}\"/>",
            x - width / 2.0
        );
        if let Some(mark) = mark {
            let _ = write!(
                out,
                "<a href=\"#move-{index}\"><circle class=\"{}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"6\"/></a>",
                class_of(mark)
            );
        }
        out.push_str("</g>\n");
    }
    out.push_str("</svg>\n<p class=\"scale\"><span>start</span><span>White’s share of the point</span><span>end</span></p>\n</section>\n");
    out
}

/// Returns the part of the point that White can expect, 0 to 1.
fn white_share(stage: &Stage) -> f64 {
    let assessment = &stage.assessment;
    let share = match (assessment.ending, assessment.lines.first()) {
        (Some(ending), _) => match ending.winner {
            Some(winner) => return if winner == Side::White { 1.0 } else { 0.0 },
            None => 0.5,
        },
        (None, Some(line)) => {
            let Wdl { win, draw, .. } = line.wdl;
            f64::from(2 * win + draw) / 2000.0
        }
        (None, None) => 0.5,
    };
    match stage.pos.turn() {
        Side::White => share,
        Side::Black => 1.0 - share,
    }
}
