//! `mainroad analyse`: what positions are worth, and what each move of a game gave away.
//!
//! Arguments are read here. A single position is searched on the spot; the lines of `--fen -` and the games of files go through `pipeline`,
//! which works on many of them side by side and gives the answers in order.

mod answer;
mod games;
mod input;
mod kept;
mod output;
mod pipeline;
mod positions;
mod progress;
mod setting;
mod study;
mod text;
mod wanted;

use super::interruption::on_ctrl_c;
use super::options::{option_args, read_options, seconds, with_all_cores};
use super::{Answered, Entry, Outcome, Streams};
use crate::score::Depth;
use crate::search::MAX_DEPTH;
use crate::tools::analysis::{Effort, Interrupt};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command, ValueHint, value_parser};
use setting::Setting;
use std::path::PathBuf;
use std::time::Duration;

pub(super) const ENTRY: Entry = Entry { command, run };

/// The time for a position unless a limit is given.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

fn command() -> Command {
    let command = Command::new("analyse")
        .about("Analyses positions or whole games, and writes games back with scores, marks and better lines")
        .long_about(
            "Analyses positions or whole games. A position (--fen, --moves; --fen - for many, one a line) is answered with its best lines. \
             Games (PDN files, or - for standard input) are searched from the last position to the first, and every move is judged by the loss \
             in expected score, which is the chance of a win and half that of a draw: 0.05 is marked ?!, 0.10 ?, 0.20 ??. Moves behind the end of \
             the game by rule are not judged.\n\n\
             --out writes the games back with everything that was in them and [%eval x] behind each move (men, from White's view; 100 - plies/100 \
             for a proven win), marks, and better lines as variations. Written so, they may be analysed again. --json has one object for each \
             position, with scores from the side to move; the last one of a game has a summary with the accuracy of each player, 0 to 100: the \
             mean over all moves where there was a choice of 103.1668 * exp(-4.354 * loss) - 3.1669. With neither, a table is printed.\n\n\
             Games are searched side by side, each by one thread; a position, or the only game, by all threads. With --depth or --nodes every \
             search of a game has one thread, so that the result is the same on every run, whatever --threads is; a position too, unless --threads \
             is given. --hash is for each search; unless it is given, those side by side have 64 MiB each.\n\n\
             A game that is bad is reported, analysed as far as it can be read, and written with the rest of its text in a comment; the others go on and the exit code is 1. \
             Ctrl-C ends with exit code 130. With --out, the games that are finished are kept beside that file, and the same command line goes on \
             behind them, after any kind of end.",
        )
        .args(input_args())
        .args(limit_args())
        .args(output_args())
        .args(option_args(&[
            "variant",
            "threads",
            "hash",
            "lines",
            "tables",
            "net",
            "draw-rules",
        ]))
        .after_help(
            "Examples:\n  \
             mainroad analyse games.pdn --nodes 100000 --out analysed.pdn --report analysed.html\n  \
             mainroad analyse games.pdn --depth 12 --json\n  \
             mainroad analyse - --time 0.1 --out - < games.pdn\n  \
             mainroad analyse --fen 'W:WKa1,c3:Be7,g7' --lines 3 --depth 15",
        );
    with_all_cores(command).mut_arg("json", |arg| {
        arg.help("Answers with one JSON object for each position [default: text]")
    })
}

fn input_args() -> Vec<Arg> {
    let files = Arg::new("files")
        .value_name("FILE.pdn")
        .num_args(0..)
        .value_parser(value_parser!(PathBuf))
        .value_hint(ValueHint::FilePath)
        .conflicts_with_all(["fen", "moves"])
        .help("Files of games, of any size; - for standard input [default: none, and the start position is analysed]");
    let mut args = vec![files];
    args.extend(super::positions::args());
    args
}

fn limit_args() -> [Arg; 3] {
    let time = Arg::new("time")
        .long("time")
        .value_name("S")
        .value_parser(seconds)
        .help("The time for each position, in seconds, above 0 [default: 1 if no other limit is given]");
    let depth = Arg::new("depth")
        .long("depth")
        .value_name("D")
        .value_parser(value_parser!(Depth).range(1..=i64::from(MAX_DEPTH)))
        .allow_negative_numbers(true)
        .help(format!(
            "The depth of each search, in plies, from 1 to {MAX_DEPTH} [default: no limit]"
        ));
    let nodes = Arg::new("nodes")
        .long("nodes")
        .value_name("N")
        .value_parser(value_parser!(u64).range(1..))
        .allow_negative_numbers(true)
        .help("Positions that each search looks at, at least 1 [default: no limit]");
    [time, depth, nodes]
}

fn output_args() -> [Arg; 2] {
    let file = |name: &'static str, value: &'static str| {
        Arg::new(name)
            .long(name)
            .value_name(value)
            .value_parser(value_parser!(PathBuf))
            .value_hint(ValueHint::FilePath)
            .conflicts_with_all(["fen", "moves"])
            .requires("files")
    };
    let out = file("out", "FILE.pdn")
        .help("A file for the games with what was found out, replaced at the end; - for standard output [default: none]");
    let report = file("report", "FILE.html")
        .help("A page for each game, complete in itself: FILE.html for the first, FILE-2.html for the second, and so on [default: none]");
    [out, report]
}

fn run(args: &ArgMatches, streams: &mut Streams) -> Outcome {
    let options = read_options(args);
    let mut effort = Effort {
        depth: args.get_one("depth").copied(),
        nodes: args.get_one("nodes").copied(),
        time: args.get_one("time").copied(),
        lines: options.lines,
    };
    if effort.depth.or(effort.nodes.map(|_| 1)).is_none() {
        effort.time.get_or_insert(DEFAULT_TIME);
    }
    let is_given = |name: &str| args.value_source(name) == Some(ValueSource::CommandLine);
    let interrupt = Interrupt::default();
    // Ctrl-C stops the searches; what is finished is kept.
    let given = interrupt.clone();
    on_ctrl_c(move || given.give());
    let setting = Setting::new(options, effort, interrupt, is_given);
    let outcome = if args.contains_id("files") {
        games::run(&setting, args, streams)
    } else {
        positions::run(&setting, args, streams)
    }?;
    Ok(if setting.interrupt.is_given() {
        Answered::Interrupted
    } else {
        outcome
    })
}
