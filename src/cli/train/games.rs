//! `mainroad train games`: self-play into a file of positions.

use super::data::bad;
use crate::cli::files::unwritable;
use crate::cli::interruption::give_on_ctrl_c;
use crate::cli::options::{option_args, read_options, shard_arg, with_all_cores};
use crate::cli::progress::Progress;
use crate::cli::{Answered, Entry, Failure, Outcome, Streams, counted};
use crate::egdb::Tables;
use crate::engine::Options;
use crate::rules::Rules;
use crate::search::Team;
use crate::tools::shard::Shard;
use crate::tools::stop::Stop;
use crate::tools::training::data::{DataFault, DataReader, PlayedGame, Recipe};
use crate::tools::training::games::SelfPlay;
use crate::with_rules;
use clap::{Arg, ArgMatches, Command, ValueHint, value_parser};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufReader, Seek, SeekFrom, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(super) const ENTRY: Entry = Entry { command, run };

fn command() -> Command {
    let nodes = Arg::new("nodes")
        .long("nodes")
        .value_name("N")
        .value_parser(value_parser!(u64).range(1..=1_000_000_000))
        .default_value("1500")
        .help("The positions searched for each move, from 1 to 1000000000");
    let positions = Arg::new("positions")
        .long("positions")
        .value_name("N")
        .value_parser(value_parser!(u64).range(1..=10_000_000_000))
        .default_value("1000000")
        .help("The positions that the file is to have; the last game is kept whole. From 1 to 10000000000");
    let seed = Arg::new("seed")
        .long("seed")
        .value_name("N")
        .value_parser(value_parser!(u64))
        .default_value("1")
        .help("What the openings follow from");
    let shard = shard_arg("Plays only every Nth game, beginning with the Ith");
    let out = Arg::new("out")
        .long("out")
        .value_name("FILE")
        .required(true)
        .value_parser(value_parser!(PathBuf))
        .value_hint(ValueHint::FilePath)
        .help("The file of positions; games are added to one that is there");
    let command = Command::new("games")
        .about("Plays games against itself and keeps their quiet positions")
        .long_about(
            "Plays games against itself and keeps their quiet positions, with the score of the search and the result of the game. The file is the \
             same with any number of threads. If it is there, games are added: the same command line goes on where an earlier run ended, \
             however it ended, and one with more --positions makes the file longer. With --shard several processes make parts, \
             each into a file of its own.",
        )
        .args([nodes, positions, seed, shard, out])
        .args(option_args(&["variant", "net", "threads"]))
        .after_help(
            "Example: mainroad train games --variant pool --net handmade --nodes 1500 --positions 2000000 --seed 1 --out pool.games",
        );
    with_all_cores(command)
}

fn run(args: &ArgMatches, streams: &mut Streams) -> Outcome {
    let options = read_options(args);
    with_rules!(options.variant, R => play::<R>(args, &options, streams))
}

fn play<R: Rules>(args: &ArgMatches, options: &Options, streams: &mut Streams) -> Outcome {
    let nodes: u64 = *args.get_one("nodes").expect("it has a default");
    let wanted: u64 = *args.get_one("positions").expect("it has a default");
    let seed: u64 = *args.get_one("seed").expect("it has a default");
    let shard: Shard = *args.get_one("shard").expect("it has a default");
    let path: &PathBuf = args.get_one("out").expect("clap requires it");
    let evaluation = options.net.clone();
    let recipe = Recipe {
        variant: R::VARIANT.name().to_owned(),
        net: evaluation.fingerprint::<R::Movement>(),
        nodes,
        seed,
        shard: shard.to_string(),
    };
    let failed = |error: &dyn std::fmt::Display| Failure::Failed(error.to_string());
    let mut file = GamesFile::open(path, &recipe, shard)?;
    let tables = Tables::<R>::embedded().map_err(|fault| failed(&fault))?;
    let team = Team::new(options.threads).map_err(|error| failed(&error))?;
    let stop = Stop::new();
    give_on_ctrl_c(&stop);
    let mut progress = Progress::new("positions", file.positions, wanted, streams.err);
    let mut written = Ok(());
    let numbers = (0..).filter(|&number| shard.has(u64::from(number)));
    let numbers = numbers.skip(file.games as usize);
    if file.positions < wanted {
        let mut take = |game: PlayedGame| {
            written = file.add(&game);
            progress.done(file.positions);
            if written.is_err() || file.positions >= wanted {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let play = SelfPlay::<R>::new(evaluation, nodes, seed, Arc::new(tables));
        let played = play.play_all(&team, numbers, &stop, &mut take);
        played.map_err(|error| failed(&error))?;
    }
    written.and_then(|()| file.finish())?;
    drop(progress);
    let (games, positions) = (file.games, file.positions);
    writeln!(
        streams.out,
        "{}, {}",
        counted(games, "game", "games"),
        counted(positions, "position", "positions")
    )?;
    Ok(if positions < wanted {
        Answered::Interrupted
    } else {
        Answered::Yes
    })
}

/// A file that games are added to.
struct GamesFile {
    path: PathBuf,
    file: File,
    games: u64,
    positions: u64,
}

impl GamesFile {
    /// Opens or begins the file of a recipe. A torn game at the end is cut off.
    fn open(path: &Path, recipe: &Recipe, shard: Shard) -> Result<Self, Failure> {
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path);
        let file = file.map_err(|error| unwritable(path, &error))?;
        if !file.metadata().is_ok_and(|metadata| metadata.is_file()) {
            return Err(bad(path, &"expected a regular file"));
        }
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(bad(path, &"another process is writing it"));
            }
            Err(TryLockError::Error(error)) => return Err(bad(path, &error)),
        }
        let mut games = Self {
            path: path.to_owned(),
            file,
            games: 0,
            positions: 0,
        };
        games.take_over(recipe, shard)?;
        Ok(games)
    }

    /// Counts what is in the file, and makes it ready for what follows.
    fn take_over(&mut self, recipe: &Recipe, shard: Shard) -> Result<(), Failure> {
        let path = self.path.clone();
        let length = self.file.metadata().map_or(0, |metadata| metadata.len());
        let head = recipe.to_bytes();
        let kept = if length <= head.len() as u64 && self.begins_like(&head, length)? {
            // It is new, or the first run did not come further.
            self.write(0, &head)?;
            head.len() as u64
        } else {
            let fault = |fault: DataFault| bad(&path, &fault);
            let mut reader = DataReader::new(BufReader::new(&self.file)).map_err(fault)?;
            if reader.recipe() != recipe {
                let text = "it is of other games (variant, net, nodes, seed or shard differ), expected a file of these or a new one";
                return Err(bad(&path, &text));
            }
            let mut numbers = (0..).filter(|&number| shard.has(u64::from(number)));
            loop {
                let game = match reader.game() {
                    Ok(Some(game)) => game,
                    Ok(None) | Err(DataFault::Torn(_)) => break reader.length(),
                    Err(error) => return Err(fault(error)),
                };
                if numbers.next() != Some(game.number) {
                    return Err(bad(&path, &"its games are not in order"));
                }
                self.games += 1;
                self.positions += game.samples.len() as u64;
            }
        };
        let cut = self.file.set_len(kept);
        let cut = cut.and_then(|()| self.file.seek(SeekFrom::Start(kept)));
        cut.map(drop).map_err(|error| unwritable(&path, &error))
    }

    /// Says whether the file is a beginning of some bytes.
    fn begins_like(&mut self, head: &[u8], length: u64) -> Result<bool, Failure> {
        let mut found = Vec::new();
        let read = io::Read::read_to_end(&mut self.file, &mut found);
        let rewound = read.and_then(|_| self.file.seek(SeekFrom::Start(0)));
        rewound.map_err(|error| bad(&self.path, &error))?;
        Ok(head[..length as usize] == found[..])
    }

    fn write(&mut self, at: u64, bytes: &[u8]) -> Result<(), Failure> {
        let written = self.file.seek(SeekFrom::Start(at));
        let written = written.and_then(|_| self.file.write_all(bytes));
        written.map_err(|error| unwritable(&self.path, &error))
    }

    /// Adds a game.
    fn add(&mut self, game: &PlayedGame) -> Result<(), Failure> {
        let written = self.file.write_all(&game.to_bytes());
        written.map_err(|error| unwritable(&self.path, &error))?;
        self.games += 1;
        self.positions += game.samples.len() as u64;
        Ok(())
    }

    /// Returns when everything is on the disk.
    fn finish(&self) -> Result<(), Failure> {
        let synced = self.file.sync_all();
        synced.map_err(|error| unwritable(&self.path, &error))
    }
}
