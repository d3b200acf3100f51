//! `mainroad bench`: searches a fixed set of positions.

use super::options::{option_args, read_options};
use super::{Answered, Entry, Failure, Outcome, Streams};
use crate::search::MAX_DEPTH;
use crate::tools::bench::{self, DEFAULT_DEPTH, Plan};
use clap::{Arg, ArgMatches, Command, value_parser};
use std::io::{self, Write};

pub(super) const ENTRY: Entry = Entry { command, run };

fn command() -> Command {
    let depth = Arg::new("depth")
        .long("depth")
        .value_name("N")
        .value_parser(value_parser!(i32).range(1..=i64::from(MAX_DEPTH)))
        .help(format!(
            "The depth of each search in plies, from 1 to {MAX_DEPTH} [default: {DEFAULT_DEPTH}]"
        ));
    let hash_mib = Plan::default().hash_mib.to_string();
    Command::new("bench")
        .about("Searches a fixed set of positions of every variant")
        .long_about(
            "Searches a fixed set of positions of every variant to a fixed depth, without book and tables. With one thread the number of \
             nodes is the same on every machine: it is a fingerprint of search and evaluation. The last line is \"N nodes M nps\".",
        )
        .arg(depth)
        .args(option_args(&["threads", "hash", "net"]))
        .mut_arg("hash", |arg| arg.default_value(hash_mib))
        .after_help("Example: mainroad bench --depth 12")
}

fn run(args: &ArgMatches, streams: &mut Streams) -> Outcome {
    let options = read_options(args);
    let plan = Plan {
        depth: args.get_one("depth").copied(),
        threads: options.threads,
        hash_mib: options.hash_mib,
        net: options.net,
    };
    let mut written = Ok(());
    let mut line = |text: &str| {
        if written.is_ok() {
            written = write_line(streams.out, text);
        }
    };
    let total = bench::run(&plan, &mut line).map_err(|error| Failure::Failed(error.to_string()))?;
    written?;
    write_line(
        streams.out,
        &format!("{} nodes {} nps", total.nodes, total.nps()),
    )?;
    Ok(Answered::Yes)
}

fn write_line(out: &mut dyn Write, text: &str) -> io::Result<()> {
    writeln!(out, "{text}")?;
    out.flush()
}
