//! A game with its analysis as one page: who played how well, a graph of the score, diagrams of the moves that gave something away, and all
//! moves with their scores.
//!
//! The page needs nothing else: styles and pictures are in it, there is no script, and it forbids the browser to fetch anything. Every text
//! from the game is escaped. It follows the reader's choice of light or dark, fits a phone, and prints.

mod graph;
mod moves;
mod turning_points;

use super::game::{AnalysedGame, Stage};
use super::judge::{Mark, PlayerSummary};
use super::worth::{Length, Worth};
use crate::board::Side;
use crate::notation::moves as move_text;
use crate::notation::pdn;
use crate::rules::Rules;
use std::fmt::Write;

const STYLE: &str = include_str!("report/style.css");

/// What stands in the head of every page, by which others know it again.
const GENERATOR: &str = "<meta name=\"generator\" content=\"Mainroad\">";

/// Pages have `GENERATOR` within so many bytes from their beginning.
pub const REPORT_HEAD: usize = 1024;

/// Says whether a file begins as pages do that [`report`] makes.
pub fn is_report(beginning: &[u8]) -> bool {
    let mark = GENERATOR.as_bytes();
    beginning.windows(mark.len()).any(|bytes| bytes == mark)
}

/// Makes the page of a game that was analysed. `effort` says what was spent.
pub fn report<R: Rules>(game: &pdn::Game, analysed: &AnalysedGame, effort: &str) -> String {
    let view = View::new::<R>(game, analysed);
    let mut page = Page(String::new());
    page.head(game);
    page.add(format_args!("<body>\n<main>\n"));
    page.title(game, R::VARIANT.name());
    page.players(game, analysed);
    page.add(graph::draw(&view));
    page.add(turning_points::list::<R>(&view));
    page.add(moves::table(&view, R::FIRST_TO_MOVE));
    page.foot(effort);
    page.add("</main>\n</body>\n</html>\n");
    page.0
}

/// A game as the parts of the page see it.
struct View<'a> {
    game: &'a pdn::Game,
    analysed: &'a AnalysedGame,
    /// By stage: the text of the move that was played with its number and mark, such as `12... d6-c5?`.
    titles: Vec<String>,
    /// By stage: the text of that move alone.
    texts: Vec<String>,
}

impl<'a> View<'a> {
    fn new<R: Rules>(game: &'a pdn::Game, analysed: &'a AnalysedGame) -> Self {
        let text = |stage: &Stage| {
            let played = stage.played;
            played.map_or(String::new(), |mv| move_text::write::<R>(&stage.pos, mv))
        };
        let texts: Vec<String> = analysed.stages.iter().map(text).collect();
        let title = |(ply, (text, stage)): (usize, (&String, &Stage))| {
            let number = game.move_number(ply, R::FIRST_TO_MOVE);
            format!("{} {text}{}", number.unwrap_or_default(), sign_of(stage))
        };
        let titles = (1..).zip(texts.iter().zip(&analysed.stages)).map(title);
        Self {
            game,
            analysed,
            titles: titles.collect(),
            texts,
        }
    }
}

/// The page so far.
struct Page(String);

impl Page {
    fn add(&mut self, text: impl std::fmt::Display) {
        write!(self.0, "{text}").expect("writing to a string cannot fail");
    }

    fn head(&mut self, game: &pdn::Game) {
        let (white, black) = (name(game, Side::White), name(game, Side::Black));
        self.add(format_args!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n{GENERATOR}\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
             <title>{white} – {black}</title>\n<style>\n{STYLE}</style>\n</head>\n"
        ));
    }

    /// Writes who played, how it ended, and what for.
    fn title(&mut self, game: &pdn::Game, variant: &str) {
        let (white, black) = (name(game, Side::White), name(game, Side::Black));
        let result = escape(game.result());
        self.add(format_args!(
            "<h1>{white} – {black} <span class=\"result\">{result}</span></h1>\n"
        ));
        let known = ["Event", "Site", "Date", "Round", "Opening"];
        let mut about: Vec<String> = known
            .iter()
            .filter_map(|tag| game.tag(tag))
            .filter(|value| !value.is_empty() && !value.starts_with('?'))
            .map(escape)
            .collect();
        about.push(format!("{variant} rules"));
        self.add(format_args!(
            "<p class=\"about\">{}</p>\n",
            about.join(" · ")
        ));
    }

    /// Writes the table of what the players' moves come to.
    fn players(&mut self, game: &pdn::Game, analysed: &AnalysedGame) {
        self.add(
            "<table class=\"players\">\n<tr><th scope=\"col\">Player</th><th scope=\"col\">Accuracy</th>",
        );
        for mark in Mark::ALL {
            self.add(format_args!(
                "<th scope=\"col\" title=\"{}\">{mark}</th>",
                mark.plural()
            ));
        }
        self.add("<th scope=\"col\">Mean loss</th><th scope=\"col\">Moves</th></tr>\n");
        for side in Side::BOTH {
            let summary = analysed.player(side);
            let PlayerSummary { moves, marks, .. } = summary;
            let accuracy = summary.accuracy();
            let accuracy = accuracy.map_or("–".to_owned(), |accuracy| format!("{accuracy:.1}"));
            let loss = summary.mean_loss();
            let loss = loss.map_or("–".to_owned(), |loss| format!("{loss:.3}"));
            let [dubious, mistakes, blunders] = marks;
            self.add(format_args!(
                "<tr><th scope=\"row\"><span class=\"{}\"></span> {}</th><td class=\"accuracy\">{accuracy}</td><td>{dubious}</td>\
                 <td>{mistakes}</td><td>{blunders}</td><td>{loss}</td><td>{moves}</td></tr>\n",
                if side == Side::White { "white" } else { "black" },
                name(game, side)
            ));
        }
        self.add("</table>\n");
    }

    /// Writes what the signs mean and who says so.
    fn foot(&mut self, effort: &str) {
        self.add(format_args!(
            "<footer>\n<p>Scores are in men from White’s view; 1–0 (5) is a win for White that is proven, with 5 plies to the end, ½ a proven draw. \
             The graph shows the share of the point that White could expect.</p>\n\
             <p>A move that loses 0.05 of the expected score is marked ?!, one that loses 0.10 ?, one that loses 0.20 ??. Accuracy is the mean over \
             all moves where there was a choice of 103.1668 · exp(−4.354 · loss) − 3.1669, the curve of lichess.org/page/accuracy.</p>\n\
             <p>Mainroad {}, {}.</p>\n</footer>\n",
            env!("CARGO_PKG_VERSION"),
            escape(effort)
        ));
    }
}

/// Returns the name of a player, escaped.
fn name(game: &pdn::Game, side: Side) -> String {
    let tag = if side == Side::White {
        "White"
    } else {
        "Black"
    };
    let name = game.tag(tag).map(str::trim);
    let name = name.filter(|name| !name.is_empty() && *name != "?");
    escape(name.unwrap_or(tag))
}

/// Returns the sign of a stage's mark, or nothing.
fn sign_of(stage: &Stage) -> &'static str {
    let mark = stage.judgement.and_then(|judgement| judgement.mark);
    mark.map_or("", Mark::sign)
}

/// Returns the name of the style of a mark.
const fn class_of(mark: Mark) -> &'static str {
    match mark {
        Mark::Dubious => "dubious",
        Mark::Mistake => "mistake",
        Mark::Blunder => "blunder",
    }
}

/// Writes the worth of a stage's position for a reader, from White's view.
fn score_of(stage: &Stage) -> String {
    score(stage.assessment.worth(), stage.pos.turn())
}

/// Writes a worth for the side to move for a reader, from White's view.
fn score(worth: Worth, turn: Side) -> String {
    let for_white = if turn == Side::White {
        worth
    } else {
        worth.reversed()
    };
    let plies = |length: Length| match length.plies {
        Some(plies) => format!(" ({plies})"),
        None => String::new(),
    };
    match for_white {
        Worth::Estimate(0) => "0.00".to_owned(),
        Worth::Estimate(cp) => {
            let sign = if cp < 0 { '−' } else { '+' };
            format!("{sign}{:.2}", f64::from(cp.abs()) / 100.0)
        }
        Worth::Win(length) => format!("1–0{}", plies(length)),
        Worth::Loss(length) => format!("0–1{}", plies(length)),
        Worth::Draw => "½".to_owned(),
    }
}

/// Makes a text safe between tags and in quoted attributes.
fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            c if c.is_control() => safe.push(' '),
            c => safe.push(c),
        }
    }
    safe
}
