//! `mainroad perft`: counts the leaves of the tree of legal moves.

use super::options::{option_args, read_options};
use super::positions::{self, Answer};
use super::{Entry, Failure, Outcome, Streams};
use crate::notation::{fen, moves};
use crate::rules::{Game, Rules, divide};
use crate::search::Team;
use crate::with_rules;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use serde::Serialize;
use std::io::{self, Write};
use std::time::Instant;

pub(super) const ENTRY: Entry = Entry { command, run };

/// Deeper trees would take longer than anybody lives.
const MAX_DEPTH: i64 = 30;

fn command() -> Command {
    let depth = Arg::new("depth")
        .value_name("DEPTH")
        .required(true)
        .value_parser(value_parser!(u32).range(0..=MAX_DEPTH))
        .help(format!(
            "The depth of the tree in plies, from 0 to {MAX_DEPTH}"
        ));
    let divide = Arg::new("divide")
        .long("divide")
        .action(ArgAction::SetTrue)
        .help("Lists each move and the leaves below it first [default: only the sum]");
    Command::new("perft")
        .about("Counts the leaves of the tree of legal moves")
        .long_about(
            "Counts the leaves of the tree of legal moves, by which move generators are compared. Draw rules are ignored, and \
             captures with the same start, end and captured pieces are one move. The last line is \"N nodes M nps\".",
        )
        .arg(depth)
        .args(positions::args())
        .arg(divide)
        .args(option_args(&["variant", "threads"]))
        .after_help("Example: mainroad perft 9 --variant pool --divide --threads 2")
}

fn run(args: &ArgMatches, streams: &mut Streams) -> Outcome {
    let options = read_options(args);
    let plan = Plan {
        depth: *args.get_one("depth").expect("clap requires it"),
        is_divided: args.get_flag("divide"),
        team: Team::new(options.threads).map_err(|error| Failure::Failed(error.to_string()))?,
    };
    with_rules!(options.variant, R => positions::answer::<R, _>(args, streams, |game| {
        Ok(Count::of(game, &plan))
    }))
}

/// What is counted, and by whom.
struct Plan {
    depth: u32,
    is_divided: bool,
    team: Team,
}

/// The answer.
#[derive(Serialize)]
struct Count {
    variant: &'static str,
    fen: String,
    depth: u32,
    nodes: u64,
    time_s: f64,
    nps: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<Branch>>,
}

/// A move and the leaves below it.
#[derive(Serialize)]
struct Branch {
    text: String,
    nodes: u64,
}

impl Count {
    fn of<R: Rules>(game: &Game<R>, plan: &Plan) -> Self {
        let (pos, depth) = (game.position(), plan.depth);
        let started = Instant::now();
        // At depth 0 the position itself is the leaf, and no move leads to it.
        let parts = match depth {
            0 => Vec::new(),
            _ => plan.team.install(|| divide::<R>(pos, depth)),
        };
        let time_s = started.elapsed().as_secs_f64();
        let nodes = match depth {
            0 => 1,
            _ => parts.iter().map(|&(_, nodes)| nodes).sum(),
        };
        let branches = parts.iter().map(|&(mv, nodes)| Branch {
            text: moves::write::<R>(pos, mv),
            nodes,
        });
        Self {
            variant: R::VARIANT.name(),
            fen: fen::write(pos),
            depth,
            nodes,
            time_s,
            nps: (nodes as f64 / time_s.max(1e-9)) as u64,
            moves: plan.is_divided.then(|| branches.collect()),
        }
    }
}

impl Answer for Count {
    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        for Branch { text, nodes } in self.moves.iter().flatten() {
            writeln!(out, "{text} {nodes}")?;
        }
        writeln!(out, "{} nodes {} nps", self.nodes, self.nps)
    }
}
