//! A suite: positions whose answers are known, solved one after the other and judged by what is proved.

use super::{Request, Solved, SolvedMove, write_all};
use crate::board::Move;
use crate::cli::positions::{BadLine, read_line, text_of_line, write_json};
use crate::cli::{Answered, Failure, Outcome, Streams, counted, on_one_line};
use crate::egdb::Tables;
use crate::notation::epd::Epd;
use crate::notation::{game_line, moves};
use crate::rules::{Game, Rules};
use serde::Serialize;
use std::fs::File;
use std::io::{self, BufReader, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// A run over a suite.
pub(super) struct Suite<R: Rules> {
    pub(super) request: Request,
    pub(super) tables: Arc<Tables<R>>,
}

/// A position of a suite.
#[derive(Serialize)]
struct Tried {
    id: String,
    pass: bool,
    /// The moves that are expected; null if any will do.
    bm: Option<Vec<String>>,
    #[serde(flatten)]
    solved: Solved,
}

/// The last line.
#[derive(Default, Serialize)]
struct Summary {
    positions: usize,
    passed: usize,
    /// Proved to be otherwise.
    failed: usize,
    /// Not proved.
    unknown: usize,
    /// Lines that could not be read.
    bad: usize,
    time_s: f64,
}

impl<R: Rules> Suite<R> {
    pub(super) fn run(&self, file: &Path, is_json: bool, streams: &mut Streams) -> Outcome {
        let failed =
            |error: io::Error| Failure::Failed(format!("cannot read: {}: {error}", file.display()));
        let mut input = BufReader::new(File::open(file).map_err(failed)?);
        let started = Instant::now();
        let mut summary = Summary::default();
        let mut bytes = Vec::new();
        for line in 1.. {
            if !read_line(&mut input, &mut bytes).map_err(failed)? {
                break;
            }
            match self.try_line(&bytes, line) {
                Ok(None) => {}
                Ok(Some(tried)) => {
                    summary.count(&tried);
                    tried.write(is_json, streams.out)?;
                }
                Err(error) => {
                    summary.bad += 1;
                    writeln!(
                        streams.err,
                        "mainroad: error: bad line: {}:{line}: {error}",
                        on_one_line(&file.display().to_string())
                    )?;
                    if is_json {
                        write_json(streams.out, &BadLine { error, line })?;
                    }
                }
            }
        }
        summary.time_s = started.elapsed().as_secs_f64();
        summary.write(is_json, streams.out)?;
        Ok(if summary.passed == summary.positions && summary.bad == 0 {
            Answered::Yes
        } else {
            Answered::No
        })
    }

    /// Solves the position of a line, if there is one.
    fn try_line(&self, bytes: &[u8], number: u64) -> Result<Option<Tried>, String> {
        let text = text_of_line(bytes)?;
        let Some(epd) = Epd::parse(text).map_err(|error| error.to_string())? else {
            return Ok(None);
        };
        let game = game_line::set_up::<R>(Some(&epd.fen), "")?;
        let bm = moves_of(&game, &epd, "bm")?;
        if let (Some(best), Some(bad)) = (&bm, moves_of(&game, &epd, "am")?)
            && let Some(both) = best.iter().find(|mv| bad.contains(mv))
        {
            return Err(format!(
                "bad operations: bm and am name both {both}, expected one of them"
            ));
        }
        let result = match epd.values("result") {
            None => None,
            Some([text]) if ["win", "draw", "loss"].contains(&text.as_str()) => Some(text),
            Some(_) => return Err("bad result, expected win, draw or loss".to_owned()),
        };
        let solved = self.request.answer(&self.tables, &game);
        let mut expected = bm.clone();
        if let Some(moves) = &mut expected {
            moves.sort();
        }
        let mut best = solved.best();
        best.sort_unstable();
        let is_settled = solved
            .moves
            .iter()
            .all(|mv| mv.result != "unknown" || !solved.may_keep(mv));
        let pass = solved.result != "unknown"
            && result.is_none_or(|result| result == solved.result)
            && expected.is_none_or(|expected| is_settled && expected == best);
        Ok(Some(Tried {
            id: id_of(&epd, number),
            pass,
            bm,
            solved,
        }))
    }
}

/// Reads the moves of an operation, if it is there, and writes them as the game does.
fn moves_of<R: Rules>(
    game: &Game<R>,
    epd: &Epd,
    name: &str,
) -> Result<Option<Vec<String>>, String> {
    let Some(texts) = epd.values(name) else {
        return Ok(None);
    };
    let pos = game.position();
    let mut read: Vec<Move> = Vec::new();
    for text in texts {
        let mv = moves::parse::<R>(pos, text).map_err(|error| format!("bad {name}: {error}"))?;
        if read.contains(&mv) {
            let text = moves::write::<R>(pos, mv);
            return Err(format!(
                "bad {name}: {text} is named twice, expected each move once"
            ));
        }
        read.push(mv);
    }
    if read.is_empty() {
        return Err(format!("bad {name}: no move, expected one at least"));
    }
    Ok(Some(write_all::<R>(pos, &read)))
}

/// Returns the name of a position: its own, or the line's number.
fn id_of(epd: &Epd, number: u64) -> String {
    match epd.values("id") {
        Some(words) if !words.is_empty() => on_one_line(&words.join(" ")),
        _ => format!("line {number}"),
    }
}

impl Solved {
    /// Says whether a move that is not proved may turn out to keep the value.
    fn may_keep(&self, mv: &SolvedMove) -> bool {
        let rank = |name: &str| {
            ["loss", "draw", "win"]
                .iter()
                .position(|&known| known == name)
        };
        rank(mv.at_most) >= rank(self.result)
    }
}

impl Tried {
    fn write(&self, is_json: bool, out: &mut dyn Write) -> io::Result<()> {
        if is_json {
            return write_json(out, self);
        }
        let Self {
            id,
            pass,
            bm,
            solved,
            ..
        } = self;
        let word = if *pass { "pass" } else { "FAIL" };
        let expected = match bm {
            Some(bm) if !pass => format!(", expected {}", bm.join(" ")),
            _ => String::new(),
        };
        writeln!(
            out,
            "{word} {id}: {} {}{expected} ({})",
            solved.result,
            solved.best().join(" "),
            counted(solved.nodes, "node", "nodes")
        )?;
        out.flush()
    }
}

impl Summary {
    fn count(&mut self, tried: &Tried) {
        self.positions += 1;
        if tried.pass {
            self.passed += 1;
        } else if tried.solved.result == "unknown" {
            self.unknown += 1;
        } else {
            self.failed += 1;
        }
    }

    fn write(&self, is_json: bool, out: &mut dyn Write) -> io::Result<()> {
        if is_json {
            return write_json(out, self);
        }
        let Self {
            positions,
            passed,
            failed,
            unknown,
            bad,
            time_s,
        } = self;
        let bad = counted(*bad, "bad line", "bad lines");
        writeln!(
            out,
            "{passed} of {positions} passed, {failed} failed, {unknown} unknown, {bad} ({time_s:.1} s)"
        )
    }
}
