//! What people read when they ask for no file and no JSON: a table of lines, or of a game's moves.

use super::answer::PositionAnswer;
use crate::board::Side;
use crate::cli::positions::Answer;
use crate::cli::{counted, on_one_line};
use crate::notation::{moves, pdn};
use crate::rules::Rules;
use crate::tools::analysis::{AnalysedGame, Length, Mark, PlayerSummary, Stage, Worth};
use std::fmt::Write as _;
use std::io::{self, Write};

/// The plies of a better line that are shown.
const LINE: usize = 8;

impl Answer for PositionAnswer {
    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        if let Some(ending) = self.ending() {
            return writeln!(out, "{ending}");
        }
        let Self {
            depth,
            nodes,
            time_s,
            nps,
            tables_hits,
            ..
        } = self;
        writeln!(
            out,
            "depth {depth}, {nodes} nodes, {time_s:.2} s, {nps} nodes/s, {tables_hits} table hits"
        )?;
        for (rank, line) in (1..).zip(&self.lines) {
            let [win, draw, loss] = line.wdl.map(|chance| f64::from(chance) / 10.0);
            let (score, pv) = (score(line.worth), line.pv.join(" "));
            writeln!(
                out,
                "{rank}. {score}, win {win:.0}%, draw {draw:.0}%, loss {loss:.0}%: {pv}"
            )?;
        }
        Ok(())
    }
}

/// Writes a score.
fn score(worth: Worth) -> String {
    let plies = |length: Length| match length {
        Length { plies: Some(1), .. } => " in 1 ply".to_owned(),
        Length {
            plies: Some(plies), ..
        } => format!(" in {plies} plies"),
        _ => " by tables".to_owned(),
    };
    match worth {
        Worth::Estimate(cp) => format!("{:+.2}", f64::from(cp) / 100.0),
        Worth::Win(length) => format!("won{}", plies(length)),
        Worth::Loss(length) => format!("lost{}", plies(length)),
        Worth::Draw => "drawn".to_owned(),
    }
}

/// Writes a game as a table of its moves, and what they come to.
pub(super) fn game<R: Rules>(file: &str, tree: &pdn::Game, analysed: &AnalysedGame) -> String {
    let mut out = heading(file, tree);
    let stages = analysed.stages.iter();
    for (ply, (stage, next)) in (1..).zip(stages.zip(analysed.stages.iter().skip(1))) {
        let Some(played) = stage.played else { break };
        let number = tree.move_number(ply, R::FIRST_TO_MOVE).unwrap_or_default();
        let mark = stage.judgement.and_then(|judgement| judgement.mark);
        let text = moves::write::<R>(&stage.pos, played);
        let text = format!("{text}{}", mark.map_or("", Mark::sign));
        let said = said_of::<R>(stage);
        let line = format!(
            "{number:>6} {text:<12} {:>12}  {said}",
            score_for_white(next)
        );
        let _ = writeln!(out, "{}", line.trim_end());
    }
    if let Some(ending) = analysed.ending {
        let beyond = (tree.main.moves.len() + 1).saturating_sub(analysed.stages.len());
        let _ = write!(out, "over: {}", ending.reason);
        if beyond > 0 {
            let moves = counted(beyond, "move behind that is", "moves behind that are");
            let _ = write!(out, "; {moves} not judged");
        }
        out.push('\n');
    }
    for side in Side::BOTH {
        let summary = summary(analysed.player(side));
        let _ = writeln!(out, "{side}: {summary}");
    }
    out.push('\n');
    out
}

fn heading(file: &str, tree: &pdn::Game) -> String {
    let player = |tag| tree.tag(tag).unwrap_or("?");
    let (white, black, result) = (player("White"), player("Black"), tree.result());
    let variant = tree.variant.map_or("", |variant| variant.name());
    let (number, file) = (tree.number, on_one_line(file));
    let [white, black] = [white, black].map(on_one_line);
    format!("{file}, game {number}: {white} - {black}, {result} ({variant}; scores for White)\n")
}

fn said_of<R: Rules>(stage: &Stage) -> String {
    let Some((better, judgement)) = AnalysedGame::better(stage).zip(stage.judgement) else {
        return String::new();
    };
    let shown = &better.pv[..better.pv.len().min(LINE)];
    let line = moves::write_line::<R>(&stage.pos, shown).join(" ");
    format!("lost {:.3}; better {line}", judgement.loss())
}

fn score_for_white(stage: &Stage) -> String {
    if stage.assessment.ending.is_some() {
        return String::new();
    }
    let worth = stage.assessment.worth();
    match stage.pos.turn() {
        Side::White => score(worth),
        Side::Black => score(worth.reversed()),
    }
}

fn summary(summary: &PlayerSummary) -> String {
    let (Some(accuracy), Some(loss)) = (summary.accuracy(), summary.mean_loss()) else {
        return "no move to judge".to_owned();
    };
    let marks = Mark::ALL.into_iter().zip(summary.marks);
    let marks: Vec<String> = marks
        .map(|(mark, count)| format!("{count} {mark}"))
        .collect();
    format!(
        "accuracy {accuracy:.1}, {}, mean loss {loss:.3} in {}",
        marks.join(", "),
        counted(summary.moves, "move", "moves")
    )
}
