//! `mainroad completions`: scripts by which a shell completes the command line.

use super::{Answered, Entry, Outcome, Streams};
use clap::{Arg, ArgMatches, Command, value_parser};
use clap_complete::{Shell, generate};

pub(super) const ENTRY: Entry = Entry { command, run };

fn command() -> Command {
    let shell = Arg::new("shell")
        .value_name("SHELL")
        .required(true)
        .value_parser(value_parser!(Shell))
        .help("The shell");
    Command::new("completions")
        .about("Writes the script by which a shell completes mainroad's command line")
        .arg(shell)
        .after_help(
            "Example: mainroad completions bash > ~/.local/share/bash-completion/completions/mainroad",
        )
}

fn run(args: &ArgMatches, streams: &mut Streams) -> Outcome {
    let shell: Shell = *args.get_one("shell").expect("clap requires it");
    let mut command = super::command();
    let name = command.get_name().to_owned();
    // Into memory first: the generator panics where it cannot write.
    let mut script = Vec::new();
    generate(shell, &mut command, name, &mut script);
    streams.out.write_all(&script)?;
    Ok(Answered::Yes)
}
