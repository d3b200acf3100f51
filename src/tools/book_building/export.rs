//! Books for other programs: as games with variations (PDN), and as a graph (DOT, the language of Graphviz).

use super::men_for_white;
use crate::board::{Key, Position};
use crate::book::{Book, BookMove, key_of};
use crate::notation::pdn::{Game, Line, Node, Tag};
use crate::notation::{hub, moves};
use crate::rules::Rules;
use std::collections::HashSet;
use std::fmt::Write;

/// Returns what the book knows from a position on, at most so many plies of it, as one game: the best moves are the main line, others
/// are variations. Where move orders meet, the game goes on only once.
pub fn game<R: Rules>(book: &Book, name: &str, start: &Position, plies: usize) -> Game {
    let mut seen = HashSet::new();
    let tag = |name: &str, value: &str| Tag {
        name: name.to_owned(),
        value: value.to_owned(),
    };
    Game {
        tags: vec![tag("Event", name), tag("Result", "*")],
        variant: Some(R::VARIANT),
        start: Some(*start),
        main: line_from::<R>(book, *start, plies, &mut seen),
        end: Some("*".to_owned()),
        ..Game::default()
    }
}

/// Returns the moves from a position on. The best line comes first, so that where a variation meets it the variation ends.
fn line_from<R: Rules>(
    book: &Book,
    start: Position,
    plies: usize,
    seen: &mut HashSet<Key>,
) -> Line {
    let mut line = Line::default();
    let mut branches = Vec::new();
    let mut pos = start;
    for left in (0..plies).rev() {
        let known = book.moves(&pos);
        let Some(best) = known.first() else { break };
        if !seen.insert(key_of(&pos)) {
            line.comments.push("the same position as before".to_owned());
            break;
        }
        let mv = best.mv;
        line.moves.push(node_of(&pos, best));
        branches.push((pos, left, known));
        pos = pos.play(mv);
    }
    for (node, (pos, left, known)) in line.moves.iter_mut().zip(branches) {
        for other in &known[1..] {
            let rest = line_from::<R>(book, pos.play(other.mv), left, seen);
            let first = node_of(&pos, other);
            node.variations.push(Line {
                moves: std::iter::once(first).chain(rest.moves).collect(),
                comments: rest.comments,
                unread: None,
            });
        }
    }
    line
}

/// Returns a move with its score, from White's view, and its games.
fn node_of(pos: &Position, known: &BookMove) -> Node {
    let score = known.score;
    let comments = score.map(|score| format!("[%eval {:.2}]", men_for_white(pos.turn(), score)));
    let games = (known.games.count() > 0).then(|| known.games.to_string());
    Node {
        mv: known.mv,
        text: Box::default(),
        marks: String::new(),
        nags: Vec::new(),
        before: Vec::new(),
        after: comments.into_iter().chain(games).collect(),
        variations: Vec::new(),
    }
}

/// Returns the graph of what the book knows from a position on, at most so many plies of it. Nodes are positions with their values in men
/// from White's view, edges are moves; those that the engine may play are drawn solid, others dashed.
pub fn dot<R: Rules>(book: &Book, start: &Position, plies: usize) -> String {
    let mut text = String::from("digraph book {\nnode [shape=box];\n");
    let mut seen = HashSet::from([*start]);
    let mut row = vec![*start];
    let mut left = plies;
    while !row.is_empty() {
        let mut next = Vec::new();
        for pos in row {
            let name = hub::write_position(&pos);
            let value = book.best(&pos).and_then(|best| best.score);
            let value = value.map_or_else(
                || "?".to_owned(),
                |value| format!("{:+.2}", men_for_white(pos.turn(), value)),
            );
            let _ = writeln!(text, "\"{name}\" [label=\"{} {value}\"];", pos.turn());
            let known = if left == 0 {
                Vec::new()
            } else {
                book.moves(&pos)
            };
            for known in known {
                let after = pos.play(known.mv);
                let style = if known.is_playable() {
                    "solid"
                } else {
                    "dashed"
                };
                let _ = writeln!(
                    text,
                    "\"{name}\" -> \"{}\" [label=\"{}\", style={style}];",
                    hub::write_position(&after),
                    moves::write::<R>(&pos, known.mv)
                );
                if seen.insert(after) {
                    next.push(after);
                }
            }
        }
        row = next;
        left = left.saturating_sub(1);
    }
    text.push_str("}\n");
    text
}
