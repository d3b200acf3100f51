//! A whole game, from its last position to its first.
//!
//! The order is that of lidraughts and others who analyse on servers: the table then knows, at each position, what comes of the move that was
//! played, so that the scores before and behind it agree. A position with a single legal move needs no search: it is worth what the next
//! one is.

use super::judge::{Judgement, PlayerSummary};
use super::position::{Assessment, Line, Means, assess};
use super::worth::Worth;
use crate::board::{Move, Position, Side};
use crate::engine::Resources;
use crate::rules::{Ending, Game, Rules};
use crate::score::MAX_PLY;
use crate::search::Report;

/// A position of a game, and the move that was played in it.
#[derive(Clone, Debug)]
pub struct Stage {
    /// The position.
    pub pos: Position,
    /// What is found out about it.
    pub assessment: Assessment,
    /// The move that was played; none in the last position.
    pub played: Option<Move>,
    /// What is said of that move.
    pub judgement: Option<Judgement>,
}

/// A game with what was found out about it.
#[derive(Clone, Debug)]
pub struct AnalysedGame {
    /// The positions from the start on, up to the first in which the game is over by rule. What was played behind that is not here.
    pub stages: Vec<Stage>,
    /// How the last of them ends the game, if it does.
    pub ending: Option<Ending>,
    /// What the moves of White and of Black come to, by [`Side::index`].
    pub players: [PlayerSummary; 2],
}

impl AnalysedGame {
    /// Returns what the players' moves come to.
    pub fn player(&self, side: Side) -> &PlayerSummary {
        &self.players[side.index()]
    }

    /// Returns the better line at a move that was marked: the best that was found before it.
    pub fn better(stage: &Stage) -> Option<&Line> {
        let mark = stage.judgement.and_then(|judgement| judgement.mark);
        mark.and_then(|_| stage.assessment.lines.first())
    }
}

/// Analyses a game. `progress` is told how many of how many positions are done. `None` if the run was interrupted before the end.
///
/// The table of `resources` should be empty, or the result depends on what it was used for before.
pub fn analyse<R: Rules>(
    means: &Means<R>,
    resources: &Resources,
    game: &Game<R>,
    progress: &mut dyn FnMut(usize, usize),
) -> Option<AnalysedGame> {
    let (mut game, ending) = up_to_its_end(means, game);
    let count = game.moves().len() + 1;
    let mut stages: Vec<Stage> = Vec::with_capacity(count);
    let mut played = None;
    loop {
        let assessment = match (stages.last(), played) {
            (Some(next), Some(mv)) if game.legal_moves().len() == 1 => {
                forced(means, &game, mv, &next.assessment)
            }
            _ => assess(means, resources, &game, &mut |_: &Report| ()),
        };
        if means.interrupt.is_given() {
            return None;
        }
        let judgement = played
            .zip(stages.last())
            .map(|(mv, next)| judge(means, &game, &assessment, mv, &next.assessment));
        stages.push(Stage {
            pos: *game.position(),
            assessment,
            played,
            judgement,
        });
        progress(stages.len(), count);
        played = game.undo();
        if played.is_none() {
            break;
        }
    }
    stages.reverse();
    let mut players = [PlayerSummary::default(); 2];
    for stage in &stages {
        if let Some(judgement) = &stage.judgement {
            players[stage.pos.turn().index()].add(judgement);
        }
    }
    Some(AnalysedGame {
        stages,
        ending,
        players,
    })
}

/// Returns a game up to the first position in which it is over, and how.
fn up_to_its_end<R: Rules>(means: &Means<R>, game: &Game<R>) -> (Game<R>, Option<Ending>) {
    let mut short = Game::from_position(*game.start());
    for &mv in game.moves() {
        if let Some(ending) = means.ending(&short) {
            return (short, Some(ending));
        }
        short.play(mv);
    }
    let ending = means.ending(&short);
    (short, ending)
}

/// Returns what a position with a single legal move is worth, from the position behind it. Its line is no longer than one of a search: a game
/// may be forced for thousands of moves, each of which would have all behind it as its line.
fn forced<R: Rules>(means: &Means<R>, game: &Game<R>, mv: Move, next: &Assessment) -> Assessment {
    let worth = next.worth().through(mv);
    let after = next.lines.first();
    let behind = after.map_or(&[][..], |line| &line.pv[..]);
    Assessment {
        lines: vec![Line {
            worth,
            is_exact: match next.ending {
                Some(ending) => ending.winner.is_some(),
                None => after.is_some_and(|line| line.is_exact),
            },
            wdl: means.chances(worth, game.position().occupied().count()),
            pv: std::iter::once(mv)
                .chain(behind.iter().copied())
                .take(MAX_PLY as usize)
                .collect(),
        }],
        depth: next.depth + 1,
        ..Assessment::default()
    }
}

/// Judges a move by what is known before and behind it.
fn judge<R: Rules>(
    means: &Means<R>,
    game: &Game<R>,
    before: &Assessment,
    mv: Move,
    next: &Assessment,
) -> Judgement {
    let is_forced = game.legal_moves().len() == 1;
    let Some(best) = before.lines.first() else {
        return Judgement::best(is_forced);
    };
    if is_forced || best.pv.first() == Some(&mv) {
        return Judgement::best(is_forced);
    }
    // A capture changes the number of pieces, and with it what a score says: both are seen with those before the move.
    let pieces = game.position().occupied().count();
    let chances = |worth: Worth| (worth, means.chances(worth, pieces));
    Judgement::of(chances(best.worth), chances(next.worth().through(mv)))
}
