//! A suite: positions whose answers are known, solved one after the other and judged by what is proved.

use super::{Request, Solved, write_all};
use crate::board::Move;
use crate::cli::positions::{BadLine, read_line, text_of_line, write_json};
use crate::cli::{Answered, Failure, Outcome, Streams, counted, on_one_line};
use crate::egdb::{Tables, Value};
use crate::notation::epd::Epd;
use crate::notation::{game_line, moves};
use crate::rules::{Game, Rules};
use crate::tools::solving::Solution;
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
    #[serde(skip)]
    verdict: Verdict,
    /// The moves that are to keep the value; null if none are named.
    bm: Option<Vec<String>>,
    /// The moves that are not to keep it; null if none are named.
    am: Option<Vec<String>>,
    /// What the value is to be; null if the line does not say.
    expected: Option<&'static str>,
    /// The moves that are proved to keep it.
    #[serde(skip)]
    best: Vec<String>,
    #[serde(flatten)]
    solved: Solved,
}

/// What an answer comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    /// All that is expected is proved.
    Pass,
    /// Something else is proved.
    Fail,
    /// Neither.
    Unknown,
}

/// What a line says of its position.
struct Expected {
    /// `bm`, best moves: all that keep the value.
    best: Option<Vec<Move>>,
    /// `am`, avoid moves: some that do not.
    avoided: Option<Vec<Move>>,
    /// `result`: the value.
    value: Option<Value>,
}

/// The last line.
#[derive(Default, Serialize)]
struct Summary {
    positions: usize,
    passed: usize,
    /// Proved to be otherwise than is expected.
    failed: usize,
    /// Not proved, or not of all moves that matter.
    unknown: usize,
    /// Lines that could not be read.
    bad: usize,
    time_s: f64,
}

impl<R: Rules> Suite<R> {
    /// Solves the positions of a file and writes each answer at once, then the summary. The answer is no unless all pass.
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
                    if self.request.stop.is_given() {
                        break;
                    }
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
        let expected = Expected::read(&game, &epd)?;
        let (solution, solved) = self.request.solve(&self.tables, &game);
        let verdict = expected.judge(&solution);
        let write = |list: &Vec<Move>| write_all::<R>(game.position(), list);
        Ok(Some(Tried {
            id: id_of(&epd, number),
            pass: verdict == Verdict::Pass,
            verdict,
            bm: expected.best.as_ref().map(write),
            am: expected.avoided.as_ref().map(write),
            expected: expected.value.map(Value::name),
            best: write(&solution.best_moves()),
            solved,
        }))
    }
}

impl Expected {
    /// Reads the operations of a line. The error says what is wrong with them.
    fn read<R: Rules>(game: &Game<R>, epd: &Epd) -> Result<Self, String> {
        let best = moves_of(game, epd, "bm")?;
        let avoided = moves_of(game, epd, "am")?;
        let both = best
            .iter()
            .flatten()
            .find(|mv| avoided.iter().flatten().any(|avoided| avoided == *mv));
        if let Some(&both) = both {
            let both = moves::write::<R>(game.position(), both);
            return Err(format!(
                "bad operations: bm and am name both {both}, expected one of them"
            ));
        }
        let value = match epd.values("result") {
            None => None,
            Some(texts) => {
                let mut values = [Value::Win, Value::Draw, Value::Loss].into_iter();
                let named = values.find(|value| *texts == [value.name()]);
                Some(named.ok_or("bad result, expected win, draw or loss")?)
            }
        };
        Ok(Self {
            best,
            avoided,
            value,
        })
    }

    /// Says whether what is proved is what is expected. A move of which it is not proved whether it keeps the value decides nothing.
    fn judge(&self, solution: &Solution) -> Verdict {
        let Some(value) = solution.value else {
            return Verdict::Unknown;
        };
        if self.value.is_some_and(|expected| expected != value) {
            return Verdict::Fail;
        }
        let mut verdict = Verdict::Pass;
        for known in &solution.moves {
            let is_in = |list: &Vec<Move>| list.contains(&known.mv);
            let is_to_keep = if self.avoided.as_ref().is_some_and(is_in) {
                Some(false)
            } else {
                self.best.as_ref().map(is_in)
            };
            let Some(is_to_keep) = is_to_keep else {
                continue;
            };
            let (keeps, loses) = (known.at_least >= value, known.at_most < value);
            if keeps && !is_to_keep || loses && is_to_keep {
                return Verdict::Fail;
            }
            if !keeps && !loses {
                verdict = Verdict::Unknown;
            }
        }
        verdict
    }
}

/// Reads the moves of an operation, if it is there.
fn moves_of<R: Rules>(game: &Game<R>, epd: &Epd, name: &str) -> Result<Option<Vec<Move>>, String> {
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
    Ok(Some(read))
}

/// Returns the name of a position: its own, or the line's number.
fn id_of(epd: &Epd, number: u64) -> String {
    match epd.values("id") {
        Some(words) if !words.is_empty() => on_one_line(&words.join(" ")),
        _ => format!("line {number}"),
    }
}

impl Tried {
    fn write(&self, is_json: bool, out: &mut dyn Write) -> io::Result<()> {
        if is_json {
            return write_json(out, self);
        }
        let word = match self.verdict {
            Verdict::Pass => "pass",
            Verdict::Fail => "FAIL",
            Verdict::Unknown => "unknown",
        };
        let mut line = format!("{word} {}: {}", self.id, self.solved.result);
        for mv in &self.best {
            line = format!("{line} {mv}");
        }
        if self.verdict != Verdict::Pass {
            if let Some(value) = self.expected {
                line = format!("{line}, expected {value}");
            }
            for (what, moves) in [("expected", &self.bm), ("not", &self.am)] {
                if let Some(moves) = moves {
                    line = format!("{line}, {what} {}", moves.join(" "));
                }
            }
        }
        let nodes = counted(self.solved.nodes, "node", "nodes");
        writeln!(out, "{line} ({nodes})")?;
        out.flush()
    }
}

impl Summary {
    fn count(&mut self, tried: &Tried) {
        self.positions += 1;
        *match tried.verdict {
            Verdict::Pass => &mut self.passed,
            Verdict::Fail => &mut self.failed,
            Verdict::Unknown => &mut self.unknown,
        } += 1;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Russian;
    use crate::tools::solving::MoveResult;
    use Verdict::{Fail, Pass, Unknown};

    /// Judges operations by what is said to be proved of the three moves of a position: the least and the most that each is worth.
    fn judge(operations: &str, moves: [(&str, Value, Value); 3]) -> Verdict {
        let line = format!("W:W21,22:B13 {operations}");
        let epd = Epd::parse(&line).expect("it is well-formed");
        let epd = epd.expect("there is a position");
        let game = game_line::set_up::<Russian>(Some(&epd.fen), "").expect("it is legal");
        let list = moves.map(|(text, at_least, at_most)| MoveResult {
            mv: moves::parse::<Russian>(game.position(), text).expect("it is legal"),
            at_least,
            at_most,
            distance: None,
            is_exact: false,
        });
        let least = list.iter().map(|known| known.at_least).max();
        let most = list.iter().map(|known| known.at_most).max();
        let solution = Solution {
            value: least.filter(|_| least == most),
            moves: list.into(),
            distance: None,
            is_exact: false,
            line: Vec::new(),
            nodes: 0,
        };
        let expected = Expected::read(&game, &epd).expect("the moves are legal");
        expected.judge(&solution)
    }

    #[test]
    fn what_is_not_proved_decides_nothing() {
        use Value::{Draw, Loss, Win};
        let all = [
            ("a3-b4", Win, Win),
            ("c3-d4", Win, Win),
            ("c3-b4", Loss, Draw),
        ];
        let open = [
            ("a3-b4", Win, Win),
            ("c3-d4", Loss, Win),
            ("c3-b4", Loss, Draw),
        ];
        let none = all.map(|(text, ..)| (text, Draw, Win));
        for (operations, with_all, with_open) in [
            ("", Pass, Pass),
            ("result win;", Pass, Pass),
            ("result draw;", Fail, Fail),
            ("bm a3-b4 c3-d4;", Pass, Unknown),
            ("bm c3-d4 a3-b4; am c3-b4; result win;", Pass, Unknown),
            ("bm a3-b4;", Fail, Unknown),
            ("bm c3-d4;", Fail, Fail),
            ("bm a3-b4 c3-d4 c3-b4;", Fail, Fail),
            ("am c3-b4;", Pass, Pass),
            ("am c3-d4;", Fail, Unknown),
            ("am c3-b4 a3-b4;", Fail, Fail),
            ("bm c3-d4 a3-b4; result loss;", Fail, Fail),
        ] {
            assert_eq!(judge(operations, all), with_all, "{operations}");
            assert_eq!(judge(operations, open), with_open, "{operations}");
            assert_eq!(judge(operations, none), Unknown, "{operations}");
        }
    }
}
