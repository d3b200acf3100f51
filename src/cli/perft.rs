//! `mainroad perft`: counts the leaves of the tree of legal moves.

use super::options::{option_args, read_options};
use super::positions::{self, Answer};
use super::{Entry, Failure, Outcome, Streams};
use crate::notation::{fen, moves};
use crate::rules::{Game, PerftCache, Rules, divide, divide_hashed};
use crate::search::Team;
use crate::with_rules;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use serde::Serialize;
use std::io::{self, Write};
use std::time::Instant;

pub(super) const ENTRY: Entry = Entry { command, run };

/// Deeper trees would take longer than anybody lives.
const MAX_DEPTH: i64 = 30;

/// The most MiB of a cache, as of the search's table.
const MAX_HASH_MIB: u64 = 1 << 20;

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
    // Unlike the table of the search, the cache is not there unless asked for.
    let cache = Arg::new("cache")
        .long("hash")
        .value_name("N")
        .allow_negative_numbers(true)
        .value_parser(value_parser!(u64).range(0..=MAX_HASH_MIB))
        .default_value("0")
        .help(format!(
            "Size of a cache of positions already counted, in MiB, from 0 (none) to {MAX_HASH_MIB}"
        ));
    Command::new("perft")
        .about("Counts the leaves of the tree of legal moves")
        .long_about(
            "Counts the leaves of the tree of legal moves, by which move generators are compared. Draw rules are ignored, and \
             captures with the same start, end and captured pieces are one move. The last line is \"N nodes M nps\".\n\n\
             With --hash a position that is reached by several orders of moves is counted once, which makes depths of 15 and more \
             feasible. The count is exact all the same; one that has more than 64 bits is refused.",
        )
        .arg(depth)
        .args(positions::args())
        .args([divide, cache])
        .args(option_args(&["variant", "threads"]))
        .after_help("Example: mainroad perft 14 --variant pool --divide --threads 2 --hash 1024")
}

fn run(args: &ArgMatches, streams: &mut Streams) -> Outcome {
    let options = read_options(args);
    let hash_mib: u64 = *args.get_one("cache").expect("it has a default");
    let plan = Plan {
        depth: *args.get_one("depth").expect("clap requires it"),
        is_divided: args.get_flag("divide"),
        team: Team::new(options.threads).map_err(|error| Failure::Failed(error.to_string()))?,
    };
    with_rules!(options.variant, R => {
        let cache = match hash_mib {
            0 => None,
            _ => Some(PerftCache::new(hash_mib as usize)),
        };
        let cache = cache.transpose().map_err(|error| Failure::Failed(error.to_string()))?;
        positions::answer::<R, _>(args, streams, |game| Count::of(game, &plan, cache.as_ref()))
    })
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
    fn of<R: Rules>(
        game: &Game<R>,
        plan: &Plan,
        cache: Option<&PerftCache<R>>,
    ) -> Result<Self, Failure> {
        let (pos, depth) = (game.position(), plan.depth);
        let started = Instant::now();
        // At depth 0 the position itself is the leaf, and no move leads to it.
        let parts = match depth {
            0 => Vec::new(),
            _ => plan.team.install(|| match cache {
                Some(cache) => divide_hashed(pos, depth, cache),
                None => divide::<R>(pos, depth),
            }),
        };
        let time_s = started.elapsed().as_secs_f64();
        let nodes = match depth {
            0 => 1,
            _ => parts
                .iter()
                .fold(0, |sum: u64, &(_, nodes)| sum.saturating_add(nodes)),
        };
        if nodes == u64::MAX {
            let text = format!("too many leaves: depth {depth}: expected fewer than {nodes}");
            return Err(Failure::Failed(text));
        }
        let branches = parts.iter().map(|&(mv, nodes)| Branch {
            text: moves::write::<R>(pos, mv),
            nodes,
        });
        Ok(Self {
            variant: R::VARIANT.name(),
            fen: fen::write(pos),
            depth,
            nodes,
            time_s,
            nps: (nodes as f64 / time_s.max(1e-9)) as u64,
            moves: plan.is_divided.then(|| branches.collect()),
        })
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
