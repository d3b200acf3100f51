//! `mainroad tables build` and `embed`: makes endgame tables, of a folder and of the program.

use super::{bad, dir_arg, dir_of, pieces_arg};
use crate::cli::files::OutputFile;
use crate::cli::interruption::leave_on_ctrl_c;
use crate::cli::options::{option_args, read_options, shard_arg, with_all_cores};
use crate::cli::{Answered, Entry, Failure, Outcome, Streams, progress};
use crate::egdb::make::{self, MakeError, Observer, Plan, Progress};
use crate::egdb::{MAX_PIECES, Slice};
use crate::rules::{Brazilian, Movement, Pool, Rules, Russian};
use crate::tools::shard::Shard;
use crate::with_rules;
use clap::{Arg, ArgMatches, Command, ValueHint, value_parser};
use indicatif::ProgressBar;
use std::io::Write;
use std::path::PathBuf;

pub(super) const BUILD: Entry = Entry {
    command: build_command,
    run: build,
};

pub(super) const EMBED: Entry = Entry {
    command: embed_command,
    run: embed,
};

/// Both distances are stored up to so many pieces.
const DISTANCES: u32 = 5;
/// What goes into the program.
const EMBEDDED_PIECES: u32 = 5;

fn build_command() -> Command {
    let slices = Arg::new("slices")
        .long("slices")
        .value_name("SLICES")
        .value_delimiter(',')
        .value_parser(value_parser!(Slice))
        .help("Only these slices, such as 5K-1K, whatever --pieces says; what they lead to must be there or in the program [default: all]");
    let command = Command::new("build")
        .about("Makes the tables of a folder")
        .long_about(
            "Makes the tables of a folder, a file for each slice (the positions with the same material) and its view from the other \
             side. Files that are there and in order are kept, so the same command line takes interrupted work up again. The files are \
             the same with any number of threads. Tables serve all rule sets with the same moves.\n\n\
             Each slice is checked in part before it is written. Processes that share the folder can share the work, with --shard: one that \
             finds that another has not made yet what a slice needs leaves it out, and its exit code is 1; the same command line goes on.",
        )
        .arg(pieces_arg("All slices up to so many pieces").required(true))
        .arg(dir_arg("The folder of the files").required(true))
        .arg(slices)
        .arg(shard_arg("Makes only every Nth slice, beginning with the Ith"))
        .args(option_args(&["variant", "threads"]))
        .after_help("Example: mainroad tables build --variant russian --pieces 6 --dir tables --threads 2");
    with_all_cores(command)
}

fn build(args: &ArgMatches, streams: &mut Streams) -> Outcome {
    let options = read_options(args);
    let plan = Plan {
        slices: chosen(args),
        distances: DISTANCES,
        leaves_out_short: false,
        threads: options.threads,
    };
    let dir = dir_of(args).expect("clap requires it");
    leave_on_ctrl_c("slices that are finished are kept, and the same command line goes on");
    let mut observer = Telling::new(&plan, streams);
    let made = with_rules!(options.variant, R => make::folder::<R>(&plan, dir, &mut observer));
    made.map_err(|error| Failure::Failed(format!("cannot make tables: {error}")))?;
    Ok(Answered::Yes)
}

/// Returns the slices that the arguments name.
fn chosen(args: &ArgMatches) -> Vec<Slice> {
    let pieces = *args.get_one("pieces").expect("clap requires it");
    let named: Vec<Slice> = args
        .get_many("slices")
        .into_iter()
        .flatten()
        .map(|slice: &Slice| slice.stronger())
        .collect();
    let mut slices = if named.is_empty() {
        Slice::up_to(pieces)
    } else {
        let mut all = Slice::up_to(MAX_PIECES);
        all.retain(|slice| named.contains(slice));
        all
    };
    let shard: Shard = *args.get_one("shard").expect("it has a default");
    let mut number = 0..;
    slices.retain(|_| number.next().is_some_and(|number| shard.has(number)));
    slices
}

/// Tells how the work goes on: a line for each slice that is done, and a bar on a terminal.
struct Telling<'a> {
    bar: Option<ProgressBar>,
    err: &'a mut dyn Write,
}

impl<'a> Telling<'a> {
    fn new(plan: &Plan, streams: &'a mut Streams) -> Self {
        Self {
            bar: progress::bar("positions", plan.positions()),
            err: &mut *streams.err,
        }
    }
}

impl Observer for Telling<'_> {
    fn slice(&mut self, progress: &Progress) {
        let share = 100.0 * progress.done as f64 / progress.all as f64;
        let Progress {
            slice, positions, ..
        } = progress;
        let how = if progress.was_there {
            "there already".to_owned()
        } else {
            let seconds = progress.time.as_secs_f64();
            format!("{} bytes, {seconds:.1} s", progress.bytes)
        };
        let line = format!("{slice}: {positions} positions, {how} ({share:.0} %)");
        match &self.bar {
            Some(bar) => {
                bar.set_position(progress.done);
                bar.println(line);
            }
            // The work goes on if nobody watches.
            None => drop(writeln!(self.err, "{line}")),
        }
    }

    fn counter(&self) -> Box<dyn Fn(u64) + Sync + Send> {
        match self.bar.clone() {
            Some(bar) => Box::new(move |positions| bar.inc(positions)),
            None => Box::new(|_| ()),
        }
    }
}

impl Drop for Telling<'_> {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn embed_command() -> Command {
    let out = Arg::new("out")
        .long("out")
        .value_name("DIR")
        .required(true)
        .value_parser(value_parser!(PathBuf))
        .value_hint(ValueHint::DirPath)
        .help("The folder to write them to: src/egdb/data of the sources");
    let command = Command::new("embed")
        .about("Makes the tables that are compiled into the program")
        .long_about(
            "Makes the tables that are compiled into the program, for all games: Russian as it is, the others as differences to it. The \
             files are the same with any number of threads.",
        )
        .arg(pieces_arg("All slices up to so many pieces").default_value(EMBEDDED_PIECES.to_string()))
        .arg(out)
        .args(option_args(&["threads"]))
        .after_help("Example: mainroad tables embed --out src/egdb/data");
    with_all_cores(command)
}

fn embed(args: &ArgMatches, streams: &mut Streams) -> Outcome {
    let plan = Plan {
        slices: Slice::up_to(*args.get_one("pieces").expect("it has a default")),
        distances: DISTANCES,
        leaves_out_short: true,
        threads: read_options(args).threads,
    };
    let out: &PathBuf = args.get_one("out").expect("clap requires it");
    let mut observer = Telling::new(&plan, streams);
    let failed = |error: MakeError| Failure::Failed(format!("cannot make tables: {error}"));
    let write = |name: &str, bytes: &[u8]| {
        let path = out.join(format!("{name}.tables"));
        OutputFile::at(&path)?.replace_bytes(bytes)
    };
    let russian = make::archive::<Russian, Russian>(&plan, None, &mut observer);
    let russian = russian.map_err(failed)?;
    write(<Russian as Rules>::Movement::NAME, &russian)?;
    let base = make::open::<Russian>(russian).map_err(|fault| bad(&fault))?;
    let pool = make::archive::<Pool, Russian>(&plan, Some(&base), &mut observer);
    let pool = pool.map_err(failed)?;
    write(<Pool as Rules>::Movement::NAME, &pool)?;
    let brazilian = make::archive::<Brazilian, Russian>(&plan, Some(&base), &mut observer);
    let brazilian = brazilian.map_err(failed)?;
    write(<Brazilian as Rules>::Movement::NAME, &brazilian)?;
    Ok(Answered::Yes)
}
