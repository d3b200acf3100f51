//! One position: the search, and what tables say of its lines.

use super::exact;
use super::interrupt::Interrupt;
use super::worth::{Length, Worth};
use crate::board::Move;
use crate::egdb::{Tables, Value, root};
use crate::engine::{Options, Resources};
use crate::eval::Wdl;
use crate::rules::{Ending, Game, Rules};
use crate::score::{Depth, Score};
use crate::search::{Limits, Outcome, Report, Task};
use std::sync::Arc;
use std::time::Duration;

/// What is spent on a position. Limits that are given hold together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// The last iteration, in plies.
    pub depth: Option<Depth>,
    /// Positions searched.
    pub nodes: Option<u64>,
    /// Time.
    pub time: Option<Duration>,
    /// The best lines that are wanted.
    pub lines: usize,
}

/// What all analyses of one run have in common.
#[derive(Clone)]
pub struct Means<R> {
    /// The evaluation and whether draw rules hold are taken from here.
    pub options: Options,
    /// The endgame tables.
    pub tables: Option<Arc<Tables<R>>>,
    /// What is spent on each position.
    pub effort: Effort,
    /// Ends the run.
    pub interrupt: Interrupt,
}

/// A way to go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// What it is worth to the side to move.
    pub worth: Worth,
    /// The length of a proven win or loss is the shortest by proof, not just that of the line.
    pub is_exact: bool,
    /// The chances that go with it.
    pub wdl: Wdl,
    /// The moves.
    pub pv: Vec<Move>,
}

/// What is found out about a position.
#[derive(Clone, Debug, Default)]
pub struct Assessment {
    /// How the game has ended, if it is over. There are no lines then.
    pub ending: Option<Ending>,
    /// The best lines, best first.
    pub lines: Vec<Line>,
    /// The last iteration, in plies.
    pub depth: Depth,
    /// Positions searched.
    pub nodes: u64,
    /// The time it took.
    pub time: Duration,
    /// How often tables answered.
    pub table_hits: u64,
}

impl<R: Rules> Means<R> {
    /// Returns how a game has ended; without draw rules only a loss ends it.
    pub fn ending(&self, game: &Game<R>) -> Option<Ending> {
        if self.options.draw_rules {
            game.ending()
        } else {
            game.loss()
        }
    }

    /// Returns the chances that go with a worth, with so many pieces on the board.
    pub(super) fn chances(&self, worth: Worth, pieces: u32) -> Wdl {
        let model = self.options.net.wdl::<R::Movement>();
        worth.chances(model, pieces)
    }

    fn task(&self, game: &Game<R>) -> Task<R> {
        Task {
            game: game.clone(),
            limits: Limits {
                depth: self.effort.depth,
                nodes: self.effort.nodes,
                move_time: self.effort.time,
                lines: self.effort.lines,
                is_analysis: true,
                ..Limits::default()
            },
            evaluation: self.options.net.clone(),
            draw_rules: self.options.draw_rules,
            contempt: 0,
            tables: self.tables.clone(),
        }
    }
}

impl Assessment {
    /// Returns what is known of a game that has ended.
    pub(super) fn over(ending: Ending) -> Self {
        Self {
            ending: Some(ending),
            ..Self::default()
        }
    }

    /// Returns what the position is worth to the side to move.
    pub fn worth(&self) -> Worth {
        match (self.ending, self.lines.first()) {
            // Whoever cannot move has lost; nothing else ends a game with a winner.
            (
                Some(Ending {
                    winner: Some(_), ..
                }),
                _,
            ) => Worth::Loss(Length {
                plies: Some(0),
                conversion: None,
            }),
            (Some(Ending { winner: None, .. }), _) => Worth::Draw,
            (None, Some(line)) => line.worth,
            (None, None) => Worth::Estimate(0),
        }
    }
}

/// Searches a position of a game until a limit is reached or the run is interrupted, with what the table already knows. Of an interrupted
/// search there is what it had found so far.
pub fn assess<R: Rules>(
    means: &Means<R>,
    resources: &Resources,
    game: &Game<R>,
    observer: &mut (dyn FnMut(&Report) + Send),
) -> Assessment {
    if let Some(ending) = means.ending(game) {
        return Assessment::over(ending);
    }
    let task = means.task(game);
    let (team, table) = (resources.team(), resources.table());
    let mut observer = observer;
    let outcome = means
        .interrupt
        .watch(|control| task.run(team, table, control, &mut observer));
    let Outcome { report, .. } = outcome;
    Assessment {
        ending: None,
        lines: lines(means, game, &report),
        depth: report.depth,
        nodes: report.nodes,
        time: report.time,
        table_hits: report.table_hits,
    }
}

/// Returns the lines of a report in order, with what the tables know of each.
fn lines<R: Rules>(means: &Means<R>, game: &Game<R>, report: &Report) -> Vec<Line> {
    let pos = game.position();
    let pieces = pos.occupied().count();
    let known = known_moves(means, game);
    let line = |score: Score, pv: &[Move]| {
        let entry = known.iter().find(|(mv, _)| pv.first() == Some(mv));
        let worth = worth_of(score, entry.map(|(_, entry)| entry));
        Line {
            worth,
            is_exact: worth
                .plies_to_end()
                .is_some_and(|(is_win, plies)| is_exact_line::<R>(game, pv, is_win, plies)),
            wdl: means.chances(worth, pieces),
            pv: pv.to_vec(),
        }
    };
    let others = report.others.iter();
    let mut lines: Vec<Line> = std::iter::once(line(report.score, &report.pv))
        .chain(others.map(|other| line(other.score, &other.pv)))
        .collect();
    // What tables say may differ from what the search thought.
    lines.sort_by_key(|line| std::cmp::Reverse(line.worth.score()));
    if let Some(best) = lines.first_mut() {
        // Of the best line that is not enough: another first move may win sooner or, where all lose, hold out longer. Of moves that the
        // tables know to lose, only one has been searched.
        best.is_exact &= best.worth.plies_to_end().is_some_and(|(is_win, plies)| {
            exact::is_exact::<R>(pos, is_win, plies)
                && (is_win || known.is_empty() || exact::loses_within::<R>(pos, plies))
        });
    }
    lines
}

/// Says whether a line's length is exact: that of the position behind its first move.
fn is_exact_line<R: Rules>(game: &Game<R>, pv: &[Move], is_win: bool, plies: u32) -> bool {
    let (Some(&first), Some(plies)) = (pv.first(), plies.checked_sub(1)) else {
        return false;
    };
    exact::is_exact::<R>(&game.position().play(first), !is_win, plies)
}

/// Returns what the tables know of the moves of a position.
fn known_moves<R: Rules>(means: &Means<R>, game: &Game<R>) -> Vec<(Move, root::Entry)> {
    match &means.tables {
        Some(tables) if game.position().occupied().count() <= tables.most_pieces() => {
            root::probe(tables, game, means.options.draw_rules).moves
        }
        _ => Vec::new(),
    }
}

/// Returns the worth of a line from its score and from what the tables say of its first move under the rules.
fn worth_of(score: Score, entry: Option<&root::Entry>) -> Worth {
    let searched = Worth::of_score(score);
    let Some(entry) = entry else { return searched };
    let conversion = entry.conversion.map(u32::from);
    let length = Length {
        plies: None,
        conversion,
    };
    match (searched, entry.rule_value) {
        // A line to the end of the game is a proof under the counts as well.
        (
            Worth::Win(Length {
                plies: plies @ Some(_),
                ..
            }),
            _,
        ) => Worth::Win(Length { plies, conversion }),
        (
            Worth::Loss(Length {
                plies: plies @ Some(_),
                ..
            }),
            _,
        ) => Worth::Loss(Length { plies, conversion }),
        (_, Some(Value::Win)) => Worth::Win(length),
        (_, Some(Value::Loss)) => Worth::Loss(length),
        (_, Some(Value::Draw)) => Worth::Draw,
        (searched, None) => searched,
    }
}
