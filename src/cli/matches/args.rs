//! The command line of `mainroad match`, turned into a plan.

use super::{json_arg, pdn_arg};
use crate::cli::Failure;
use crate::cli::openings as opening_files;
use crate::cli::options::{option_args, read_options, shard_arg};
use crate::notation::hub::Numbering;
use crate::notation::shown;
use crate::rules::{Rules, Variant};
use crate::tools::matches::openings::{self, Opening};
use crate::tools::matches::statistics::Sprt;
use crate::tools::matches::{
    Adjudication, DrawByScore, EngineSpec, Format, OpeningsPlan, Plan, PlayerPlan, TimeControl,
    WinByScore,
};
use crate::tools::shard::Shard;
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Command, ValueHint, value_parser};
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// A match as the command line asks for it.
pub(super) struct Wanted {
    pub(super) plan: Plan,
    pub(super) openings: Vec<Opening>,
    /// What was bad among the openings.
    pub(super) rejected: Vec<String>,
    pub(super) shard: Shard,
    pub(super) concurrency: usize,
    pub(super) journal: Option<PathBuf>,
    pub(super) logs: Option<PathBuf>,
}

/// Pairs of a match from random openings, if nothing is said.
const ROUNDS: u64 = 100;

/// The rate of either error of the sequential test, if nothing is said.
const ERROR_RATE: f64 = 0.05;

pub(super) fn command() -> Command {
    Command::new("match")
        .about("Plays engines against each other")
        .long_about(
            "Plays engines against each other, each opening once with either colour, and reports who is stronger and how sure that is. Rules \
             and clocks are kept by this program; an engine that crashes, hangs, floods or plays an illegal move loses that game, is \
             started anew, and the match goes on.\n\n\
             Each finished game is at once added to a journal. The same command line goes on where an earlier run ended, however it \
             ended. With --shard I/N this process plays one part of N; `mainroad match merge` adds the journals of the parts up.",
        )
        .args(engine_args())
        .args(option_args(&["variant"]))
        .args(game_args())
        .args(ending_args())
        .args(running_args())
        .args([pdn_arg(), json_arg()])
        .args_conflicts_with_subcommands(true)
        .subcommand_negates_reqs(true)
        .after_help(
            "Example: mainroad match --engine 'hub:./new hub' --engine 'hub:./old hub' --variant pool --openings fmjd-64 \
             --time-control move-time=0.05 --sprt 0,10 --concurrency 2",
        )
}

fn engine_args() -> [Arg; 4] {
    let engine = Arg::new("engine")
        .long("engine")
        .value_name("SPEC")
        .required(true)
        .action(ArgAction::Append)
        .help("An engine: hub:COMMAND, a program that speaks Hub; dxp:HOST:PORT, one that listens; or self:OPTION=VALUE,... Give two or more")
        .long_help(
            "An engine: hub:COMMAND, a program that speaks Hub, with its arguments as a shell would split them; dxp:HOST:PORT, a program that listens \
             for DXP, which must be set to the variant and is told the time on its clock but no other limit; or self:OPTION=VALUE,..., \
             this engine within this process, with options as in `mainroad hub --help`. A bare text is a Hub command. Give two or more.",
        );
    let name = Arg::new("name")
        .long("name")
        .value_name("NAME")
        .action(ArgAction::Append)
        .help("The name of an engine, in the order of the engines [default: that of its program]");
    let time_control = Arg::new("time-control")
        .long("time-control")
        .value_name("LIMITS")
        .action(ArgAction::Append)
        .value_parser(TimeControl::from_str)
        .default_value("move-time=0.1")
        .help("The limits of a move, once for all engines or once for each: depth=N, nodes=N, move-time=S, or time=S,inc=S,moves=N")
        .long_help(
            "The limits of a move, given once for all engines, or once for each in the order of the engines: one or more of depth=N, nodes=N, \
             move-time=SECONDS, and time=SECONDS with inc=SECONDS, added before each move, and moves=N, after which the time is added again.",
        );
    let set = Arg::new("set")
        .long("set")
        .value_name("ENGINE:NAME=VALUE")
        .action(ArgAction::Append)
        .help("Sets a Hub parameter of an engine, named by its place (from 1) or name; * stands for all. DXP engines have squares only");
    [engine, name, time_control, set]
}

fn game_args() -> [Arg; 7] {
    let format = Arg::new("format")
        .long("format")
        .value_name("NAME")
        .value_parser(PossibleValuesParser::new(["round-robin", "gauntlet"]))
        .default_value("round-robin")
        .help("Who meets whom: every engine every other, or the first all others");
    let openings = Arg::new("openings")
        .long("openings")
        .value_name("FILE")
        .value_hint(ValueHint::FilePath)
        .help("fmjd-64, idf-150 (drawn ballots), a file .pdn, .tsv (ballots), or a list of positions [default: random moves]")
        .long_help(
            "Where games begin: fmjd-64 or idf-150, tables of drawn ballots (colours exchanged for Pool); a file that ends in .pdn, of whose games \
             --opening-plies are taken; one that ends in .tsv, a table of code, FEN and moves; any other, a list with a position \
             or `FEN moves m1 m2 ...` on each line. What is bad in it is named and left out. [default: random moves]",
        );
    let plies = Arg::new("opening-plies")
        .long("opening-plies")
        .value_name("N")
        .value_parser(value_parser!(u32).range(0..=200))
        .default_value("8")
        .help("The plies of a random opening, or those taken of a PDN game, from 0 to 200");
    let seed = Arg::new("seed")
        .long("seed")
        .value_name("N")
        .value_parser(value_parser!(u64))
        .default_value("1")
        .help("What random openings and their order follow from");
    let in_order = Arg::new("in-order")
        .long("in-order")
        .action(ArgAction::SetTrue)
        .help("Takes the openings in the order of the file [default: shuffled]");
    let games = Arg::new("games")
        .long("games")
        .value_name("N")
        .value_parser(value_parser!(u64).range(2..=100_000_000))
        .help(format!(
            "The games of each two engines, an even number [default: each opening of a file twice, else {}]",
            2 * ROUNDS
        ));
    let ponder = Arg::new("ponder")
        .long("ponder")
        .action(ArgAction::SetTrue)
        .help("Lets engines think on the opponent's time [default: off]");
    [format, openings, plies, seed, in_order, games, ponder]
}

fn ending_args() -> [Arg; 7] {
    let margin = Arg::new("margin")
        .long("margin")
        .value_name("MS")
        .value_parser(value_parser!(u64).range(0..=60_000))
        .default_value("100")
        .help("How much later than allowed a move may come, in milliseconds, from 0 to 60000");
    let patience = Arg::new("patience")
        .long("patience")
        .value_name("S")
        .value_parser(value_parser!(u64).range(1..=86_400))
        .default_value("60")
        .help(
            "How long a move may take where there is no limit of time, in seconds, from 1 to 86400",
        );
    let plies = Arg::new("max-plies")
        .long("max-plies")
        .value_name("N")
        .value_parser(value_parser!(u32).range(1..=100_000))
        .default_value("400")
        .help("A game that is not over after so many plies is drawn, from 1 to 100000");
    let win = Arg::new("win-score")
        .long("win-score")
        .value_name("CP,PLIES")
        .value_parser(win_by_score)
        .help("A game is won when both engines see so much, in hundredths of a man, so many plies in a row [default: off]");
    let draw = Arg::new("draw-score")
        .long("draw-score")
        .value_name("CP,PLIES,FROM")
        .value_parser(draw_by_score)
        .help("A game is drawn when both see no more, so many plies in a row, from a ply of the game on [default: off]");
    let tables = Arg::new("table-verdicts")
        .long("table-verdicts")
        .action(ArgAction::SetTrue)
        .help("A game ends when the endgame tables in this program know its result, draw counts included [default: off]");
    let sprt = Arg::new("sprt")
        .long("sprt")
        .value_name("ELO0,ELO1[,ALPHA,BETA]")
        .value_parser(sprt)
        .allow_hyphen_values(true)
        .help(format!(
            "Ends the match of two engines when the sequential test decides; rates of error {ERROR_RATE} [default: off]"
        ));
    [margin, patience, plies, win, draw, tables, sprt]
}

fn running_args() -> [Arg; 4] {
    let concurrency = Arg::new("concurrency")
        .long("concurrency")
        .value_name("N")
        .value_parser(value_parser!(u64).range(1..=1024))
        .default_value("1")
        .help("The games that are played at the same time, from 1 to 1024");
    let journal = Arg::new("journal")
        .long("journal")
        .value_name("FILE")
        .value_parser(value_parser!(PathBuf))
        .value_hint(ValueHint::FilePath)
        .help("The record of finished games; none for none [default: match-FINGERPRINT.jsonl, with the shard in its name]");
    let logs = Arg::new("log")
        .long("log")
        .value_name("DIR")
        .value_parser(value_parser!(PathBuf))
        .value_hint(ValueHint::DirPath)
        .help("A folder for the conversations with Hub engines, with time stamps, and for their standard error [default: none]");
    let shard = shard_arg("Plays only part I of N of the match");
    [concurrency, journal, logs, shard]
}

pub(super) fn variant(args: &ArgMatches) -> Variant {
    read_options(args).variant
}

/// Returns the value of an argument that has a default.
fn value<T: Clone + Send + Sync + 'static>(args: &ArgMatches, name: &str) -> T {
    let value: Option<&T> = args.get_one(name);
    value.expect("it has a default").clone()
}

impl Wanted {
    /// Reads the command line, and the openings that it names.
    pub(super) fn read<R: Rules>(args: &ArgMatches) -> Result<Self, Failure> {
        let players = players(args)?;
        let games: Option<u64> = args.get_one("games").copied();
        if let Some(games) = games.filter(|games| !games.is_multiple_of(2)) {
            let text = format!(
                "--games {games}: expected an even number, each opening is played with both colours"
            );
            return Err(Failure::Usage(text));
        }
        let sprt: Option<Sprt> = args.get_one("sprt").copied();
        if sprt.is_some() && players.len() > 2 {
            let text = format!("--sprt: expected two engines, got {}", players.len());
            return Err(Failure::Usage(text));
        }
        let (openings, rejected, source) = read_openings::<R>(args, games)?;
        let count = openings.len() as u64;
        let plan = Plan {
            variant: R::VARIANT,
            players,
            format: match value::<String>(args, "format").as_str() {
                "gauntlet" => Format::Gauntlet,
                _ => Format::RoundRobin,
            },
            rounds: games.map_or(count, |games| games / 2),
            openings: OpeningsPlan {
                source,
                seed: value(args, "seed"),
                count,
                digest: openings::digest(&openings),
            },
            ponder: args.get_flag("ponder"),
            margin_ms: value(args, "margin"),
            patience_ms: 1000 * value::<u64>(args, "patience"),
            adjudication: Adjudication {
                max_plies: value(args, "max-plies"),
                win: args.get_one("win-score").copied(),
                draw: args.get_one("draw-score").copied(),
                tables: args.get_flag("table-verdicts"),
            },
            sprt,
        };
        plan.check().map_err(Failure::Usage)?;
        let concurrency = value::<u64>(args, "concurrency") as usize;
        let is_dxp = |player: &PlayerPlan| matches!(player.engine, EngineSpec::Dxp { .. });
        if concurrency > 1 && plan.players.iter().any(is_dxp) {
            let text = format!(
                "--concurrency {concurrency}: expected 1, a DXP engine plays one game at a time"
            );
            return Err(Failure::Usage(text));
        }
        let shard: Shard = value(args, "shard");
        Ok(Self {
            journal: journal(args, &plan, shard),
            plan,
            openings,
            rejected,
            shard,
            concurrency,
            logs: logs(args)?,
        })
    }
}

fn journal(args: &ArgMatches, plan: &Plan, shard: Shard) -> Option<PathBuf> {
    match args.get_one::<PathBuf>("journal") {
        Some(path) if path == Path::new("none") => None,
        Some(path) => Some(path.clone()),
        None => {
            let part = if shard.is_whole() {
                String::new()
            } else {
                format!("-{}", shard.to_string().replace('/', "-of-"))
            };
            Some(format!("match-{}{part}.jsonl", plan.fingerprint()).into())
        }
    }
}

fn logs(args: &ArgMatches) -> Result<Option<PathBuf>, Failure> {
    let Some(folder) = args.get_one::<PathBuf>("log") else {
        return Ok(None);
    };
    let made = std::fs::create_dir_all(folder);
    made.map_err(|error| {
        Failure::Failed(format!(
            "cannot make the folder: {}: {error}",
            folder.display()
        ))
    })?;
    Ok(Some(folder.clone()))
}

/// Reads the engines, their names, limits and parameters.
fn players(args: &ArgMatches) -> Result<Vec<PlayerPlan>, Failure> {
    let specs: Vec<&String> = args.get_many("engine").into_iter().flatten().collect();
    if specs.len() < 2 {
        let text = format!(
            "--engine: expected at least two engines, got {}",
            specs.len()
        );
        return Err(Failure::Usage(text));
    }
    let engines: Result<Vec<EngineSpec>, Failure> =
        specs.iter().map(|spec| read_engine(spec)).collect();
    let mut engines = engines?;
    let names = names(args, &engines)?;
    let sets = args.get_many::<String>("set").into_iter().flatten();
    for set in sets {
        apply_set(set, &names, &mut engines)?;
    }
    let controls: Vec<TimeControl> = args
        .get_many("time-control")
        .into_iter()
        .flatten()
        .copied()
        .collect();
    if controls.len() > 1 && controls.len() != engines.len() {
        let text = format!(
            "--time-control: expected one, or one for each of {} engines, got {}",
            engines.len(),
            controls.len()
        );
        return Err(Failure::Usage(text));
    }
    let players = engines.into_iter().zip(names).enumerate();
    let players = players.map(|(index, (engine, name))| PlayerPlan {
        name,
        engine,
        time_control: *controls.get(index).unwrap_or(&controls[0]),
    });
    Ok(players.collect())
}

fn read_engine(spec: &str) -> Result<EngineSpec, Failure> {
    let bad = |why: &str| {
        Failure::Usage(format!(
            "--engine \"{}\": {why}, expected hub:COMMAND, dxp:HOST:PORT or self:OPTION=VALUE,...",
            shown(spec)
        ))
    };
    if spec == "self" || spec.starts_with("self:") {
        let text = spec.strip_prefix("self").unwrap_or_default();
        let items = text
            .trim_start_matches(':')
            .split(',')
            .filter(|item| !item.is_empty());
        let options = items.map(|item| {
            let (name, value) = item.split_once('=')?;
            Some((name.trim().to_owned(), value.trim().to_owned()))
        });
        let options: Option<Vec<(String, String)>> = options.collect();
        let options = options.ok_or_else(|| bad("an option has no value"))?;
        let is_ours = |name: &str| matches!(name, "variant" | "squares" | "ponder" | "log");
        if let Some((name, _)) = options.iter().find(|(name, _)| is_ours(name)) {
            return Err(bad(&format!("{name} is not for one engine to choose")));
        }
        return Ok(EngineSpec::Own { options });
    }
    if let Some(address) = spec.strip_prefix("dxp:") {
        let address = address.parse().map_err(|_| bad("it is no address"))?;
        return Ok(EngineSpec::Dxp {
            address,
            squares: Numbering::default(),
        });
    }
    let command = spec.strip_prefix("hub:").unwrap_or(spec);
    match shlex::split(command) {
        Some(command) if !command.is_empty() => Ok(EngineSpec::Hub {
            command,
            params: Vec::new(),
        }),
        Some(_) => Err(bad("the command is empty")),
        None => Err(bad("a quote is not closed")),
    }
}

/// Returns the names of the engines: those given, then those of their programs, made different.
fn names(args: &ArgMatches, engines: &[EngineSpec]) -> Result<Vec<String>, Failure> {
    let given: Vec<&String> = args.get_many("name").into_iter().flatten().collect();
    if given.len() > engines.len() {
        let text = format!(
            "--name: expected at most {}, got {}",
            engines.len(),
            given.len()
        );
        return Err(Failure::Usage(text));
    }
    let mut names: Vec<String> = Vec::new();
    for (index, engine) in engines.iter().enumerate() {
        let name = match (given.get(index), engine) {
            (Some(name), _) => {
                let is_bad =
                    name.trim().is_empty() || name.chars().any(char::is_control) || *name == "*";
                if is_bad || names.contains(name) {
                    let text = format!(
                        "--name \"{}\": expected a text that no other engine has",
                        shown(name)
                    );
                    return Err(Failure::Usage(text));
                }
                (*name).clone()
            }
            (None, EngineSpec::Own { .. }) => "self".to_owned(),
            (None, EngineSpec::Dxp { address, .. }) => address.to_string(),
            (None, EngineSpec::Hub { command, .. }) => {
                let name = Path::new(&command[0]).file_name().unwrap_or_default();
                name.to_string_lossy().into_owned()
            }
        };
        let numbered = (2..).map(|number| format!("{name}-{number}"));
        let free = std::iter::once(name.clone()).chain(numbered);
        let free = free.into_iter().find(|name| !names.contains(name));
        names.push(free.expect("there is always a next number"));
    }
    Ok(names)
}

/// Sets a parameter of one or all engines.
fn apply_set(text: &str, names: &[String], engines: &mut [EngineSpec]) -> Result<(), Failure> {
    let bad = |why: &str| {
        let text = shown(text);
        Failure::Usage(format!(
            "--set \"{text}\": {why}, expected ENGINE:NAME=VALUE with the place or name of an engine, or *"
        ))
    };
    let parts = text
        .split_once(':')
        .and_then(|(engine, rest)| Some((engine, rest.split_once('=')?)));
    let Some((who, (name, value))) = parts else {
        return Err(bad("it is not complete"));
    };
    let place: Option<usize> = who.parse().ok();
    let is_meant = |index: usize| {
        who == "*" || place == Some(index + 1) || (place.is_none() && names[index] == who)
    };
    let meant: Vec<usize> = (0..engines.len())
        .filter(|&index| is_meant(index))
        .collect();
    if meant.is_empty() || name.is_empty() {
        return Err(bad("there is no such engine"));
    }
    let set = (name.to_owned(), value.to_owned());
    for index in meant {
        match &mut engines[index] {
            EngineSpec::Hub { params, .. } => params.push(set.clone()),
            EngineSpec::Own { options } => options.push(set.clone()),
            EngineSpec::Dxp { squares, .. } => {
                *squares = match (name, value) {
                    ("squares", "hub") => Numbering::Hub,
                    ("squares", "pdn") => Numbering::Pdn,
                    _ => return Err(bad("a DXP engine has squares=hub or squares=pdn only")),
                }
            }
        }
    }
    Ok(())
}

/// Reads or makes the openings, and says in words where they are from.
fn read_openings<R: Rules>(
    args: &ArgMatches,
    games: Option<u64>,
) -> Result<(Vec<Opening>, Vec<String>, String), Failure> {
    let seed: u64 = value(args, "seed");
    let plies = value::<u32>(args, "opening-plies") as usize;
    let Some(name) = args.get_one::<String>("openings") else {
        let count = games.map_or(ROUNDS, |games| games / 2);
        let openings = openings::random::<R>(seed, count, plies);
        if openings.is_empty() {
            let text =
                format!("--opening-plies {plies}: no opening of so many random moves was found");
            return Err(Failure::Failed(text));
        }
        return Ok((openings, Vec::new(), format!("{plies} random plies")));
    };
    let (mut openings, rejected) = opening_files::read::<R>(name, plies)?;
    if !args.get_flag("in-order") {
        crate::tools::rng::Rng::new(seed).shuffle(&mut openings);
    }
    Ok((openings, rejected, name.clone()))
}

fn numbers<T: FromStr>(text: &str) -> Option<Vec<T>> {
    text.split(',')
        .map(|number| number.trim().parse().ok())
        .collect()
}

/// Fewer plies would be the word of one engine only.
const LEAST_PLIES: u32 = 2;

/// No engine sees a larger score, in hundredths of a man.
const MOST_SCORE: u32 = 1_000_000;

fn win_by_score(text: &str) -> Result<WinByScore, String> {
    match numbers(text).as_deref() {
        Some(&[score, plies]) if (1..=MOST_SCORE).contains(&score) && plies >= LEAST_PLIES => {
            Ok(WinByScore {
                score: score as i32,
                plies,
            })
        }
        _ => Err(format!(
            "expected CP,PLIES with CP from 1 to {MOST_SCORE} and at least {LEAST_PLIES} plies, such as 500,6"
        )),
    }
}

fn draw_by_score(text: &str) -> Result<DrawByScore, String> {
    match numbers(text).as_deref() {
        Some(&[score, plies, from]) if score <= MOST_SCORE && plies >= LEAST_PLIES => {
            Ok(DrawByScore {
                score: score as i32,
                plies,
                from,
            })
        }
        _ => Err(format!(
            "expected CP,PLIES,FROM with CP from 0 to {MOST_SCORE} and at least {LEAST_PLIES} plies, such as 5,20,80"
        )),
    }
}

fn sprt(text: &str) -> Result<Sprt, String> {
    let sprt = match numbers(text).as_deref() {
        Some(&[elo0, elo1]) => Sprt::new(elo0, elo1, ERROR_RATE, ERROR_RATE),
        Some(&[elo0, elo1, alpha, beta]) => Sprt::new(elo0, elo1, alpha, beta),
        _ => return Err("expected ELO0,ELO1 or ELO0,ELO1,ALPHA,BETA, such as 0,10".to_owned()),
    };
    sprt.map_err(|error| error.to_string())
}
