//! `mainroad train check`: what is in a file of positions or of weights, and whether it is whole.

use super::data::{bad, open, read_games};
use crate::cli::options::{option_args, read_options, with_all_cores};
use crate::cli::{Answered, Entry, Failure, Outcome, Streams, counted};
use crate::egdb::Value;
use crate::eval::network::{BUCKETS, bucket};
use crate::eval::weights::{Weights, WeightsFault};
use crate::search::Team;
use crate::tools::training::data::PlayedGame;
use crate::tools::training::samples::{Collector, Teaching};
use crate::tools::training::{calibration, report};
use clap::{Arg, ArgMatches, Command, ValueHint, value_parser};
use std::io;
use std::path::{Path, PathBuf};

pub(super) const ENTRY: Entry = Entry { command, run };

fn command() -> Command {
    let file = Arg::new("file")
        .value_name("FILE")
        .required(true)
        .value_parser(value_parser!(PathBuf))
        .value_hint(ValueHint::FilePath)
        .help("A file of positions or of weights");
    let games = Arg::new("games")
        .long("games")
        .value_name("FILE")
        .value_parser(value_parser!(PathBuf))
        .value_hint(ValueHint::FilePath)
        .help("Positions by which weights are judged: what their scores expect, and how the games ended [default: none]");
    let command = Command::new("check")
        .about("Says what is in a file of positions or weights, and whether it is whole")
        .long_about(
            "Says what is in a file of positions or weights, and verifies its checksums. Weights can be judged by positions, best by such as were \
             not used to fit them. The exit code is 1 if the file is damaged or torn.",
        )
        .args([file, games])
        .args(option_args(&["threads"]))
        .after_help("Example: mainroad train check pool.net --games pool.games");
    with_all_cores(command)
}

fn run(args: &ArgMatches, streams: &mut Streams) -> Outcome {
    let path: &PathBuf = args.get_one("file").expect("clap requires it");
    match Weights::open(path) {
        Ok(weights) => weights_file(&weights, args, streams),
        // Then it may be the other kind.
        Err(WeightsFault::NotWeights) => games_file(path, streams),
        Err(fault) => Err(Failure::Failed(format!(
            "bad weights: {}: {fault}",
            path.display()
        ))),
    }
}

fn weights_file(weights: &Weights, args: &ArgMatches, streams: &mut Streams) -> Outcome {
    let Weights {
        about,
        network,
        wdl,
        checksum,
    } = weights;
    let recipe = serde_json::to_string_pretty(&about.recipe).expect("it is JSON");
    writeln!(
        streams.out,
        "weights for {}, {} hidden units, {} buckets, crc32 {checksum:08x}\nrecipe: {recipe}",
        about.game, about.hidden, about.buckets
    )?;
    let Some(path) = args.get_one::<PathBuf>("games") else {
        return Ok(Answered::Yes);
    };
    let team = Team::new(read_options(args).threads);
    let team = team.map_err(|error| Failure::Failed(error.to_string()))?;
    let mut collector = Collector::new(Teaching {
        result_share: 1.0,
        threatened: false,
        seed: 0,
    });
    read_games(path, streams, |_, game| collector.add(&game))?;
    let examples = team.install(|| {
        let examples = collector.finish();
        [examples.learned, examples.held_out].concat()
    });
    let scores = team.install(|| calibration::scores(network, &examples));
    let buckets = calibration::buckets(network, &examples, &scores);
    let bins = calibration::bins(&examples, &scores);
    write!(
        streams.out,
        "\n{}\n{}",
        report::bins_table(&bins),
        report::buckets_table(&buckets, wdl)
    )?;
    Ok(Answered::Yes)
}

fn games_file(path: &Path, streams: &mut Streams) -> Outcome {
    let mut reader = open(path)?;
    let recipe = serde_json::to_string(reader.recipe()).expect("it is JSON");
    writeln!(streams.out, "games: {recipe}")?;
    let mut sums = Sums::default();
    let fault = loop {
        match reader.game() {
            Ok(Some(game)) => sums.add(&game),
            Ok(None) => break None,
            Err(fault) => break Some(fault),
        }
    };
    sums.write(streams)?;
    match fault {
        None => Ok(Answered::Yes),
        Some(fault) => Err(bad(path, &fault)),
    }
}

/// What the games of a file come to.
#[derive(Default)]
struct Sums {
    games: u64,
    positions: u64,
    threatened: u64,
    /// Without the score of a search.
    settled: u64,
    /// Losses, draws and wins of the side to move.
    results: [u64; 3],
    by_bucket: [u64; BUCKETS],
}

impl Sums {
    fn add(&mut self, game: &PlayedGame) {
        self.games += 1;
        for sample in &game.samples {
            self.positions += 1;
            self.threatened += u64::from(sample.is_threatened);
            self.settled += u64::from(sample.score.is_none());
            self.results[sample.result as usize] += 1;
            self.by_bucket[bucket(sample.pos.pieces())] += 1;
        }
    }

    fn write(&self, streams: &mut Streams) -> io::Result<()> {
        let percent = |count: u64| 100.0 * count as f64 / self.positions.max(1) as f64;
        let out = &mut *streams.out;
        writeln!(
            out,
            "{}, {}",
            counted(self.games, "game", "games"),
            counted(self.positions, "position", "positions")
        )?;
        for value in [Value::Win, Value::Draw, Value::Loss] {
            let count = self.results[value as usize];
            writeln!(out, "{:<20} {:5.1} %", value.name(), percent(count))?;
        }
        let rows = [
            ("threatened", self.threatened),
            ("settled by tables", self.settled),
        ];
        for (name, count) in rows {
            writeln!(out, "{name:<20} {:5.1} %", percent(count))?;
        }
        for (bucket, &count) in self.by_bucket.iter().enumerate() {
            let (least, most) = calibration::pieces_of(bucket);
            let name = format!("{least} to {most} pieces");
            writeln!(out, "{name:<20} {:5.1} %", percent(count))?;
        }
        Ok(())
    }
}
