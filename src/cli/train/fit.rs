//! `mainroad train fit`: weights from files of positions.

use super::data::read_games;
use crate::cli::files::{OutputFile, is_same};
use crate::cli::interruption::give_on_ctrl_c;
use crate::cli::options::{option_args, read_options, with_all_cores};
use crate::cli::{Answered, Entry, Failure, Outcome, Streams, counted};
use crate::eval::network::{BUCKETS, HIDDEN};
use crate::eval::weights::{About, Weights};
use crate::search::Team;
use crate::tools::stop::Stop;
use crate::tools::training::data::Recipe;
use crate::tools::training::fit::{self, Epoch, Plan};
use crate::tools::training::samples::{Collector, Examples, Teaching};
use crate::tools::training::{calibration, report, wdl};
use clap::{Arg, ArgAction, ArgMatches, Command, ValueHint, value_parser};
use serde::Serialize;
use serde_json::json;
use std::collections::HashSet;
use std::fs;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

pub(super) const ENTRY: Entry = Entry { command, run };

fn command() -> Command {
    let files = Arg::new("files")
        .value_name("FILE")
        .required(true)
        .num_args(1..)
        .value_parser(value_parser!(PathBuf))
        .value_hint(ValueHint::FilePath)
        .help("The files of positions; those of different games are learned together");
    let epochs = Arg::new("epochs")
        .long("epochs")
        .value_name("N")
        .value_parser(value_parser!(u64).range(1..=10_000))
        .default_value("30")
        .help("The most passes over the positions, from 1 to 10000");
    let step = Arg::new("step")
        .long("step")
        .value_name("X")
        .value_parser(step)
        .default_value("0.002")
        .help("How far weights move at the beginning, above 0, at most 1");
    let share = Arg::new("result-share")
        .long("result-share")
        .value_name("X")
        .value_parser(share)
        .default_value("1")
        .help("The weight of the result of the game in what is taught, from 0 to 1; the rest is that of the search");
    let threatened = Arg::new("threatened")
        .long("threatened")
        .action(ArgAction::SetTrue)
        .help("Learns positions in which the opponent threatens to capture too [default: only quiet ones]");
    let seed = Arg::new("seed")
        .long("seed")
        .value_name("N")
        .value_parser(value_parser!(u64))
        .default_value("1")
        .help("What the first weights, the order of the positions and the choice of those held out follow from");
    let out = Arg::new("out")
        .long("out")
        .value_name("FILE")
        .required(true)
        .value_parser(value_parser!(PathBuf))
        .value_hint(ValueHint::FilePath)
        .help("The weights file, replaced at the end");
    let report = Arg::new("report")
        .long("report")
        .value_name("DIR")
        .value_parser(value_parser!(PathBuf))
        .value_hint(ValueHint::DirPath)
        .help("A folder for report.md with loss.svg and calibration.svg [default: none]");
    let command = Command::new("fit")
        .about("Fits the weights of an evaluation to positions")
        .long_about(
            "Fits the weights of an evaluation to positions. Positions that occur more than once are learned once, with the mean of what they are \
             taught; one game in twenty is held out, and the weights with the least error on those are kept. The result is the same with \
             any number of threads. After Ctrl-C the best weights so far are written.",
        )
        .args([files, epochs, step, share, threatened, seed, out, report])
        .args(option_args(&["threads"]))
        .after_help("Example: mainroad train fit pool-*.games --out pool.net --report pool-report");
    with_all_cores(command)
}

/// Reads a share of a whole.
fn share(text: &str) -> Result<f32, String> {
    let share = text.parse().ok();
    let share = share.filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

/// Reads the step of a weight. Without one nothing would be learned.
fn step(text: &str) -> Result<f32, String> {
    let step = share(text).ok().filter(|&step| step > 0.0);
    step.ok_or_else(|| "expected a number above 0, at most 1".to_owned())
}

fn run(args: &ArgMatches, streams: &mut Streams) -> Outcome {
    let paths: Vec<&PathBuf> = args
        .get_many("files")
        .expect("clap requires them")
        .collect();
    let out: &PathBuf = args.get_one("out").expect("clap requires it");
    if let Some(path) = paths.iter().find(|path| is_same(path, out)) {
        return Err(Failure::Failed(format!(
            "--out {}: it is a file of positions to learn from, expected another",
            path.display()
        )));
    }
    let out = OutputFile::at(out)?;
    let report = args.get_one::<PathBuf>("report");
    let report = report.map(|folder| ReportFiles::at(folder)).transpose()?;
    let seed: u64 = *args.get_one("seed").expect("it has a default");
    let teaching = Teaching {
        result_share: *args.get_one("result-share").expect("it has a default"),
        threatened: args.get_flag("threatened"),
        seed,
    };
    let plan = Plan {
        epochs: *args.get_one::<u64>("epochs").expect("it has a default") as usize,
        step: *args.get_one("step").expect("it has a default"),
        seed,
    };
    let team = Team::new(read_options(args).threads);
    let team = team.map_err(|error| Failure::Failed(error.to_string()))?;
    let (examples, sources) = read_all(&paths, teaching, &team, streams)?;
    let (learned, held_out) = (&examples.learned, &examples.held_out);
    let line = format!(
        "{}, {}; {} to learn, {} held out",
        counted(examples.games, "game", "games"),
        counted(examples.positions, "position", "positions"),
        learned.len(),
        held_out.len()
    );
    // The work goes on if nobody watches.
    drop(writeln!(streams.err, "{line}"));
    let stop = Stop::new();
    give_on_ctrl_c(&stop);
    let mut watch = |epoch: &Epoch| {
        drop(write_epoch(epoch, &plan, streams.err));
        if stop.is_given() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let fitted = fit::fit(&plan, learned, held_out, &team, &mut watch);
    let network = fitted.model.quantised();
    let scores = calibration::scores(&network, held_out);
    let wdl = wdl::fit(held_out, &scores);
    let best = fitted.epochs[fitted.best];
    let about = About {
        game: games_of(&sources),
        hidden: HIDDEN,
        buckets: BUCKETS,
        recipe: json!({
            "games": sources,
            "learned": learned.len(),
            "held_out": held_out.len(),
            "result_share": teaching.result_share,
            "threatened": teaching.threatened,
            "seed": seed,
            "step": plan.step,
            "epochs": plan.epochs,
            "best_epoch": best.number,
            "held_out_error": best.held_out,
        }),
    };
    out.replace_bytes(&Weights::to_bytes(&about, &network, &wdl))?;
    if let Some(files) = &report {
        let bins = calibration::bins(held_out, &scores);
        let buckets = calibration::buckets(&network, held_out, &scores);
        let text = report::markdown(&about, &fitted.epochs, &bins, &buckets, &wdl);
        files.text.replace(&text)?;
        files.loss.replace(&report::loss_svg(&fitted.epochs))?;
        files.calibration.replace(&report::calibration_svg(&bins))?;
    }
    let (number, error) = (best.number, best.held_out);
    writeln!(streams.out, "epoch {number}, held-out error {error:.5}")?;
    Ok(if stop.is_given() {
        Answered::Interrupted
    } else {
        Answered::Yes
    })
}

/// Tells the errors after an epoch.
fn write_epoch(epoch: &Epoch, plan: &Plan, err: &mut dyn Write) -> io::Result<()> {
    let Epoch {
        number,
        learned,
        held_out,
    } = epoch;
    let all = plan.epochs;
    writeln!(
        err,
        "epoch {number} of {all}: error {learned:.5}, held out {held_out:.5}"
    )
}

/// The files of a report.
struct ReportFiles {
    text: OutputFile,
    loss: OutputFile,
    calibration: OutputFile,
}

impl ReportFiles {
    /// Makes sure that the files can be written to a folder, which is made if it is not there.
    fn at(folder: &Path) -> Result<Self, Failure> {
        fs::create_dir_all(folder).map_err(|error| {
            let folder = folder.display();
            Failure::Failed(format!("cannot make the folder: {folder}: {error}"))
        })?;
        let file = |name| OutputFile::at(&folder.join(name));
        Ok(Self {
            text: file("report.md")?,
            loss: file("loss.svg")?,
            calibration: file("calibration.svg")?,
        })
    }
}

/// Reads the positions of all files, and returns them with where they come from. There are some to learn and some held out. A game that two files
/// have counts once: its copies would be learned where it is held out.
fn read_all(
    paths: &[&PathBuf],
    teaching: Teaching,
    team: &Team,
    streams: &mut Streams,
) -> Result<(Examples, Vec<Source>), Failure> {
    let mut collector = Collector::new(teaching);
    let mut sources = Vec::new();
    let mut known = HashSet::new();
    let mut repeated = 0_u64;
    for path in paths {
        let mut source = Source::default();
        source.movement = read_games(path, streams, |recipe, game| {
            let Recipe {
                variant,
                net,
                nodes,
                seed,
                shard: _,
            } = recipe.clone();
            if !known.insert((variant, net, nodes, seed, game.number)) {
                repeated += 1;
                return;
            }
            source.recipe.get_or_insert_with(|| recipe.clone());
            source.games += 1;
            source.positions += game.samples.len();
            collector.add(&game);
        })?;
        sources.push(source);
    }
    if repeated > 0 {
        let games = counted(repeated, "game that was", "games that were");
        drop(writeln!(
            streams.err,
            "mainroad: left out: {games} there before"
        ));
    }
    let examples = team.install(|| collector.finish());
    let (learned, held_out) = (examples.learned.len(), examples.held_out.len());
    if learned == 0 || held_out == 0 {
        return Err(Failure::Failed(format!(
            "too few positions: {learned} to learn and {held_out} held out, expected some of both"
        )));
    }
    Ok((examples, sources))
}

/// Names the games that positions are of, in the order of the files.
fn games_of(sources: &[Source]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for source in sources {
        if !names.contains(&source.movement) {
            names.push(source.movement);
        }
    }
    names.join(" + ")
}

/// A file of positions, as a weights file remembers it.
#[derive(Default, Serialize)]
struct Source {
    #[serde(skip)]
    movement: &'static str,
    #[serde(flatten)]
    recipe: Option<Recipe>,
    games: usize,
    positions: usize,
}
