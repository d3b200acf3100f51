//! `mainroad solve`: proves what positions are worth.

mod progress;
mod suite;

use super::interruption::on_ctrl_c;
use super::options::{option_args, read_options, seconds};
use super::positions::{self, Answer};
use super::{Answered, Entry, Failure, Outcome, Streams, counted};
use crate::board::{Move, Position};
use crate::egdb::{Tables, Value};
use crate::engine::{Engine, Options};
use crate::notation::{fen, moves};
use crate::rules::{Game, Rules};
use crate::tools::solving::{self, Effort, Solution};
use crate::tools::stop::Stop;
use crate::with_rules;
use clap::{Arg, ArgAction, ArgMatches, Command, ValueHint, value_parser};
use progress::Progress;
use serde::Serialize;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use suite::Suite;

pub(super) const ENTRY: Entry = Entry { command, run };

/// The positions that are judged unless more are asked for: about 20 seconds.
const DEFAULT_NODES: u64 = 10_000_000;

fn command() -> Command {
    let file = Arg::new("file")
        .value_name("FILE")
        .value_parser(value_parser!(PathBuf))
        .value_hint(ValueHint::FilePath)
        .conflicts_with_all(["fen", "moves"])
        .help("A suite: one position a line, \"FEN bm MOVE MOVE ...; id NAME;\", with all moves that keep the value")
        .long_help(
            "A suite: one position a line, \"FEN bm MOVE MOVE ...; result win; id \\\"NAME\\\";\". A position passes if the moves that are \
             proved to keep its value are those of bm (best moves), no more and no fewer, those of am (avoid moves) are proved not to keep it, and \
             the value is that of result (win, draw or loss), as far as they are given. Where one is proved to be otherwise it fails; where \
             one is not proved it is unknown. Other operations are allowed and ignored, and so are lines that begin with #; but no operation may \
             stand twice in a line, and am may name no move of bm. The last line sums up.",
        );
    let nodes = Arg::new("nodes")
        .long("nodes")
        .value_name("N")
        .value_parser(value_parser!(u64).range(1..=4_000_000_000))
        .default_value(DEFAULT_NODES.to_string())
        .help("The most positions to judge for one answer, from 1 to 4000000000; each takes up to about 150 bytes");
    let time = Arg::new("time")
        .long("time")
        .value_name("S")
        .value_parser(seconds)
        .help("The most time for one answer, in seconds, above 0 [default: no limit]");
    let duals = Arg::new("duals")
        .long("duals")
        .action(ArgAction::SetTrue)
        .help("Looks along the line of a win for places where another move wins too [default: only the first move]");
    Command::new("solve")
        .about("Proves what a position is worth, and which first moves keep that")
        .long_about(
            "Proves what a position is worth: win, loss or draw for the side to move, with the value of every first move. Nothing is guessed: \
             what is not proved within the effort is unknown, and the exit code is 1. Distances are plies to the end of the game; they \
             are exact where no play of the winner is shorter, by proof, and those of the proved line elsewhere. A unique solution has \
             one move alone that keeps the value, be it a win, a draw or a loss. Ctrl-C ends the work, and what is proved by then is \
             told. Draw rules hold, with the game's history, unless --draw-rules false is given.\n\n\
             With a limit of nodes alone, the answer is the same on every run.",
        )
        .arg(file)
        .args(positions::args())
        .args([nodes, time, duals])
        .args(option_args(&["variant", "tables", "draw-rules"]))
        .after_help("Example: mainroad solve --variant russian --fen 'W:WKa1,e1,e3:BKg1' --json")
}

fn run(args: &ArgMatches, streams: &mut Streams) -> Outcome {
    let options = read_options(args);
    let request = Request {
        nodes: *args.get_one("nodes").expect("it has a default"),
        time: args.get_one("time").copied(),
        draw_rules: options.draw_rules,
        with_duals: args.get_flag("duals"),
        stop: Stop::new(),
    };
    let stop = request.stop.clone();
    on_ctrl_c({
        let stop = stop.clone();
        move || stop.give()
    });
    let outcome = with_rules!(options.variant, R => {
        let tables = open::<R>(&options, streams)?;
        match args.get_one::<PathBuf>("file") {
            Some(file) => Suite { request, tables }.run(file, args.get_flag("json"), streams),
            None => positions::answer_until::<R, _>(&stop, args, streams, |game| Ok(request.solve(&tables, game).1)),
        }
    })?;
    Ok(if stop.is_given() {
        Answered::Interrupted
    } else {
        outcome
    })
}

/// Opens the tables that the options ask for. Those that cannot be used are reported and done without.
fn open<R: Rules>(options: &Options, streams: &mut Streams) -> Result<Arc<Tables<R>>, Failure> {
    let engine = Engine::<R>::default();
    for fault in engine.table_faults(options) {
        writeln!(streams.err, "mainroad: warning: bad tables: {fault}")?;
    }
    Ok(engine.tables().unwrap_or_else(|| Arc::new(Tables::none())))
}

/// What is asked of each position.
struct Request {
    nodes: u64,
    time: Option<Duration>,
    draw_rules: bool,
    with_duals: bool,
    /// Given at Ctrl-C: what is known by then is answered.
    stop: Stop,
}

impl Request {
    /// Solves a position, and returns what is proved and what is answered.
    fn solve<R: Rules>(&self, tables: &Arc<Tables<R>>, game: &Game<R>) -> (Solution, Solved) {
        let started = Instant::now();
        let progress = Progress::new(self.nodes);
        let effort = Effort {
            nodes: self.nodes,
            until: self.time.and_then(|time| started.checked_add(time)),
            stop: Some(self.stop.clone()),
            counter: progress.counter(),
        };
        let solution = solving::solve(tables, game, self.draw_rules, effort.clone());
        let duals = self.with_duals.then(|| {
            progress.looks_for_duals();
            solving::duals(tables, game, &solution, self.draw_rules, &effort)
        });
        let time_s = started.elapsed().as_secs_f64();
        let solved = Solved::of(game, &solution, duals, time_s);
        (solution, solved)
    }
}

/// The answer.
#[derive(Serialize)]
struct Solved {
    fen: String,
    result: &'static str,
    distance_plies: Option<usize>,
    moves: Vec<SolvedMove>,
    exact: bool,
    unique: bool,
    nodes: u64,
    time_s: f64,
    /// The proved line of a win or loss.
    line: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    duals: Option<Vec<Dual>>,
}

/// A first move. Where the result is unknown, its bounds may be known.
#[derive(Serialize)]
struct SolvedMove {
    text: String,
    result: &'static str,
    distance_plies: Option<usize>,
    /// Whether no play of the winner is shorter than that, by proof.
    exact: bool,
    at_least: &'static str,
    at_most: &'static str,
}

/// A place in the line where more than one move wins.
#[derive(Serialize)]
struct Dual {
    /// Plies from the position, from 1.
    ply: usize,
    moves: Vec<String>,
}

fn name_of(value: Option<Value>) -> &'static str {
    value.map_or("unknown", Value::name)
}

impl Solved {
    fn of<R: Rules>(
        game: &Game<R>,
        solution: &Solution,
        duals: Option<Vec<solving::Dual>>,
        time_s: f64,
    ) -> Self {
        let pos = game.position();
        let list = solution.moves.iter().map(|known| SolvedMove {
            text: moves::write::<R>(pos, known.mv),
            result: name_of(known.value()),
            distance_plies: known.distance,
            exact: known.is_exact,
            at_least: known.at_least.name(),
            at_most: known.at_most.name(),
        });
        let dual = |dual: solving::Dual| Dual {
            ply: dual.ply,
            moves: write_all::<R>(&dual.pos, &dual.moves),
        };
        Self {
            fen: fen::write(pos),
            result: name_of(solution.value),
            distance_plies: solution.distance,
            moves: list.collect(),
            exact: solution.is_exact,
            unique: solution.is_unique(),
            nodes: solution.nodes,
            time_s,
            line: moves::write_line::<R>(pos, &solution.line),
            duals: duals.map(|duals| duals.into_iter().map(dual).collect()),
        }
    }
}

fn write_all<R: Rules>(pos: &Position, list: &[Move]) -> Vec<String> {
    list.iter().map(|&mv| moves::write::<R>(pos, mv)).collect()
}

impl Answer for Solved {
    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let plies = |plies: Option<usize>| plies.map_or(String::new(), |plies| format!(" {plies}"));
        for mv in &self.moves {
            let between = if mv.result == "unknown" && mv.at_least != mv.at_most {
                format!(" ({} to {})", mv.at_least, mv.at_most)
            } else {
                String::new()
            };
            let SolvedMove {
                text,
                result,
                distance_plies,
                exact,
                ..
            } = mv;
            let how = if distance_plies.is_some() && !exact {
                " by its line"
            } else {
                ""
            };
            let plies = plies(*distance_plies);
            writeln!(out, "{text} {result}{plies}{how}{between}")?;
        }
        let how = match (self.distance_plies, self.exact) {
            (None, _) => "",
            (Some(_), true) => " plies, exact",
            (Some(_), false) => " plies by the proved line",
        };
        let unique = if self.unique { ", one move alone" } else { "" };
        if !self.line.is_empty() {
            writeln!(out, "line: {}", self.line.join(" "))?;
        }
        for Dual { ply, moves } in self.duals.iter().flatten() {
            writeln!(out, "dual at ply {ply}: {}", moves.join(" "))?;
        }
        writeln!(
            out,
            "{}{}{how}{unique} ({}, {:.2} s)",
            self.result,
            plies(self.distance_plies),
            counted(self.nodes, "node", "nodes"),
            self.time_s
        )
    }

    fn is_no(&self) -> bool {
        self.result == "unknown"
    }
}
