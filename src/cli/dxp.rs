//! `mainroad dxp`: games against other programs over TCP, as follower (`listen`) or as initiator (`connect`).

mod connect;
mod listen;
mod scribe;

use super::interruption::on_asked;
use super::options::{all_option_args, move_time, read_options, with_all_cores};
use super::{Entry, Failure, Outcome, Streams};
use crate::protocol::dxp::{DxpError, Terms};
use clap::builder::BoolishValueParser;
use clap::{Arg, ArgAction, ArgMatches, Command, ValueHint, value_parser};
use crossbeam_channel::{Receiver, bounded};
use std::path::PathBuf;
use std::time::Duration;

pub(super) const ENTRY: Entry = Entry { command, run };

fn command() -> Command {
    Command::new("dxp")
        .about("Plays other programs over DXP (DamExchange)")
        .long_about(
            "Plays other programs over DXP (DamExchange): connects, or waits to be connected to. The protocol does not name the game, so both \
             sides must be set to the same variant. Moves are numbers of squares: see --squares.",
        )
        .subcommand_required(true)
        .subcommand(listen::command())
        .subcommand(connect::command())
        .after_help("Example: mainroad dxp listen --variant pool")
}

fn run(args: &ArgMatches, streams: &mut Streams) -> Outcome {
    match args.subcommand() {
        Some(("listen", args)) => listen::run(args, streams),
        Some((_, args)) => connect::run(args, streams),
        None => unreachable!("clap requires a command"),
    }
}

/// Adds what both have in common. `claims` is the default of the option to say that a game is drawn.
fn with_common_args(command: Command, claims: &'static str) -> Command {
    let name = Arg::new("name")
        .long("name")
        .value_name("TEXT")
        .default_value(concat!("Mainroad ", env!("CARGO_PKG_VERSION")))
        .value_parser(name)
        .help("What the other side is told, up to 32 letters");
    let time = Arg::new("move-time")
        .long("move-time")
        .value_name("S")
        .default_value("0.5")
        .value_parser(move_time)
        .help("The time for a move in a game for which the other side tells none, in seconds, from 0.001 to 86400");
    let claims = Arg::new("claim-draws")
        .long("claim-draws")
        .value_name("BOOL")
        .default_value(claims)
        .value_parser(BoolishValueParser::new())
        .help("Whether to say that the game is drawn when a draw rule has ended it and it is our turn");
    let resign = Arg::new("resign")
        .long("resign")
        .action(ArgAction::SetTrue)
        .help("Gives up games that are proved to be lost [default: plays them to the end]");
    let pdn = Arg::new("pdn")
        .long("pdn")
        .value_name("FILE")
        .value_parser(value_parser!(PathBuf))
        .value_hint(ValueHint::FilePath)
        .help("A file for the games, replaced after each [default: none]");
    let command = command
        .args([name, time, claims, resign, pdn])
        .args(all_option_args());
    with_all_cores(command).mut_arg("ponder", |arg| {
        arg.default_value("false")
            .help("Whether to think on the opponent's time")
    })
}

/// Reads a name: it must be something else than blanks.
fn name(text: &str) -> Result<String, String> {
    if text.trim().is_empty() {
        Err("expected some letters".to_owned())
    } else {
        Ok(text.trim().to_owned())
    }
}

/// Returns how this side plays. Ctrl-C ends it between two messages.
fn terms(args: &ArgMatches) -> Terms {
    let time: Option<&Duration> = args.get_one("move-time");
    let name: Option<&String> = args.get_one("name");
    Terms {
        options: read_options(args),
        name: name.expect("it has a default").clone(),
        move_time: *time.expect("it has a default"),
        claims_draws: args.get_one("claim-draws") == Some(&true),
        resigns: args.get_flag("resign"),
        interrupt: interrupts(),
    }
}

/// Returns a channel that tells of Ctrl-C.
fn interrupts() -> Receiver<()> {
    let (sender, interrupt) = bounded(1);
    on_asked(move |_| {
        // The channel is full if the last one has not been heard yet.
        let _ = sender.try_send(());
    });
    interrupt
}

fn failure(error: &DxpError) -> Failure {
    Failure::Failed(error.to_string())
}
