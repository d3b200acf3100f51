//! `mainroad dxp connect`: connects to a program that listens, and asks it for games.

use super::scribe::Scribe;
use super::{failure, terms, with_common_args};
use crate::board::Side;
use crate::cli::{Answered, Failure, Outcome, Streams, openings};
use crate::protocol::dxp::message::Minutes;
use crate::protocol::dxp::socket::{Address, close};
use crate::protocol::dxp::{Ended, Event, Fixture, Schedule, initiate};
use crate::rules::{Game, Rules};
use crate::tools::matches::Opening;
use crate::with_rules;
use clap::{Arg, ArgMatches, Command, ValueHint, value_parser};
use std::io::BufReader;
use std::str::FromStr;
use std::time::Duration;

/// Plies taken of the games of a PDN file.
const OPENING_PLIES: usize = 8;

pub(super) fn command() -> Command {
    let address = Arg::new("address")
        .value_name("HOST[:PORT]")
        .required(true)
        .value_parser(Address::from_str)
        .help("Where the other program listens; the port is 27531 if none is given");
    let games = Arg::new("games")
        .long("games")
        .value_name("N")
        .value_parser(value_parser!(u32).range(1..=100_000))
        .help("The games to play, from 1 to 100000 [default: 2 from each opening]");
    let minutes = Arg::new("minutes")
        .long("minutes")
        .value_name("M")
        .default_value("5")
        .value_parser(minutes)
        .help("The time of each side for a game, in minutes, from 0.01 to 999; not all programs understand fractions");
    let moves = Arg::new("moves")
        .long("moves")
        .value_name("K")
        .default_value("0")
        .value_parser(value_parser!(u16).range(0..=999))
        .help("The moves of each side after which a game ends without a result, from 1 to 999; 0 is for none");
    let openings = Arg::new("openings")
        .long("openings")
        .value_name("FILE")
        .value_hint(ValueHint::FilePath)
        .help("Where games begin, each opening with both colours: a file as for `mainroad match`, fmjd-64 or idf-150 [default: the start]");
    let command = Command::new("connect")
        .about("Connects to another program and asks it for games")
        .long_about(
            "Connects to another program and plays games with it: the first with White, the second from the same position with Black, and so on. \
             Writes a line for each game, and the sum.",
        )
        .args([address, games, minutes, moves, openings])
        .after_help("Example: mainroad dxp connect localhost --games 10 --minutes 1 --pdn games.pdn");
    with_common_args(command, "true")
}

/// Reads minutes, which are at least as many as can be told.
fn minutes(text: &str) -> Result<Minutes, String> {
    let bad = || "expected a number of minutes from 0.01 to 999".to_owned();
    let minutes: f64 = text.parse().map_err(|_| bad())?;
    if !(0.01..=999.0).contains(&minutes) {
        return Err(bad());
    }
    // A little more, so that what has two places is not rounded down.
    let minutes = Minutes::within(Duration::from_secs_f64(minutes * 60.0 + 0.001));
    minutes.time().map(|_| minutes).ok_or_else(bad)
}

pub(super) fn run(args: &ArgMatches, streams: &mut Streams) -> Outcome {
    let variant = super::read_options(args).variant;
    with_rules!(variant, R => play::<R>(args, streams))
}

fn play<R: Rules>(args: &ArgMatches, streams: &mut Streams) -> Outcome {
    let terms = terms(args);
    let schedule = Schedule {
        games: fixtures::<R>(args, streams)?,
        minutes: *args.get_one("minutes").expect("it has a default"),
        moves: *args.get_one("moves").expect("it has a default"),
    };
    let mut scribe = Scribe::new(args, &terms)?;
    let address: &Address = args.get_one("address").expect("clap requires it");
    let connected = address
        .connect()
        .and_then(|stream| Ok((stream.try_clone()?, stream)));
    let (input, stream) = connected
        .map_err(|error| Failure::Failed(format!("cannot connect: {address}: {error}")))?;
    let _ = writeln!(streams.err, "mainroad: connected to {address}");
    let mut failed = Ok(());
    let mut tell = |event: Event<R>| {
        if failed.is_ok() {
            failed = scribe.event(&event, streams);
        }
    };
    let ended = initiate::<R>(BufReader::new(input), &stream, &terms, &schedule, &mut tell);
    close(&stream);
    failed?;
    scribe.write_sum(streams)?;
    match ended.map_err(|error| failure(&error))? {
        Ended::Interrupted => Ok(Answered::Interrupted),
        Ended::Done | Ended::Gone => Ok(Answered::Yes),
    }
}

/// Returns the games to play: from each opening one with either colour, as often as needed.
fn fixtures<R: Rules>(args: &ArgMatches, streams: &mut Streams) -> Result<Vec<Fixture>, Failure> {
    let starts = match args.get_one::<String>("openings") {
        None => vec![R::start()],
        Some(name) => {
            let (openings, rejected) = openings::read::<R>(name, OPENING_PLIES)?;
            for rejected in &rejected {
                // The work goes on if nobody reads this.
                let _ = writeln!(streams.err, "mainroad: left out: {rejected}");
            }
            let position = |opening: &Opening| {
                let mut game = Game::<R>::from_position(opening.start);
                opening.moves.iter().for_each(|&mv| game.play(mv));
                *game.position()
            };
            openings.iter().map(position).collect()
        }
    };
    let games: Option<&u32> = args.get_one("games");
    let games = games.map_or(2 * starts.len(), |&games| games as usize);
    let both = starts
        .iter()
        .flat_map(|&start| Side::BOTH.map(|own| Fixture { start, own }));
    Ok(both.cycle().take(games).collect())
}
