//! The options of the engine as arguments of the command line, made from their one declaration.

use crate::engine::{OPTIONS, OptionKind, OptionSpec, Options, check_sources};
use crate::tools::shard::Shard;
use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, ArgMatches, Command, ValueHint};
use std::ffi::OsStr;
use std::str::FromStr;
use std::thread;
use std::time::Duration;

/// Returns the arguments of some options, each with the declared name, help, range and default.
///
/// # Panics
///
/// If there is no option of one of the names.
pub(super) fn option_args(names: &[&str]) -> Vec<Arg> {
    names.iter().map(|name| option_arg(spec_of(name))).collect()
}

/// Returns the arguments of all options.
pub(super) fn all_option_args() -> Vec<Arg> {
    OPTIONS.iter().map(option_arg).collect()
}

/// Returns the options with the values that the arguments give. Those that are no arguments of the command keep the declared default.
pub(super) fn read_options(args: &ArgMatches) -> Options {
    let mut options = Options::default();
    for spec in OPTIONS {
        if let Ok(Some(value)) = args.try_get_one::<String>(spec.name) {
            let set = options.set(spec.name, value);
            set.expect("the value was checked when it was parsed");
        }
    }
    options
}

/// Makes a command that has the `threads` argument use all cores by default.
pub(super) fn with_all_cores(command: Command) -> Command {
    command.mut_arg("threads", |arg| {
        let help = format!("{} [default: all cores]", help_of(spec_of("threads")));
        let cores = thread::available_parallelism().map_or(1, usize::from);
        arg.default_value(cores.to_string())
            .hide_default_value(true)
            .help(help)
    })
}

fn spec_of(name: &str) -> &'static OptionSpec {
    OptionSpec::find(name).expect("commands name only options that are declared")
}

fn option_arg(spec: &'static OptionSpec) -> Arg {
    let arg = Arg::new(spec.name)
        .long(spec.name)
        .value_name(value_name(spec))
        .value_parser(OptionParser(spec))
        .help(help_of(spec));
    let arg = match spec.kind {
        OptionKind::Text => arg.value_hint(ValueHint::AnyPath),
        // So that -1 is told its range.
        OptionKind::Int { .. } => arg.allow_negative_numbers(true),
        OptionKind::Bool | OptionKind::Enum(_) => arg,
    };
    if spec.default.is_empty() {
        arg
    } else {
        arg.default_value(spec.default)
    }
}

fn value_name(spec: &OptionSpec) -> &'static str {
    match spec.kind {
        OptionKind::Bool => "BOOL",
        OptionKind::Int { .. } => "N",
        OptionKind::Enum(_) => "NAME",
        OptionKind::Text => "PATH",
    }
}

/// Returns the help of an option. Clap itself adds the words that are possible, and the default.
fn help_of(spec: &OptionSpec) -> String {
    match spec.kind {
        OptionKind::Int { min, max } => format!("{}, from {min} to {max}", spec.help),
        OptionKind::Text if spec.default.is_empty() => format!("{} [default: none]", spec.help),
        OptionKind::Bool | OptionKind::Enum(_) | OptionKind::Text => spec.help.to_owned(),
    }
}

/// Accepts what [`Options::set`] accepts, with the same errors, and of tables no folder that is not there.
/// Books are opened, and what is wrong with them told, by those who use them.
#[derive(Clone)]
struct OptionParser(&'static OptionSpec);

impl TypedValueParser for OptionParser {
    type Value = String;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        let name = self.0.name;
        let checked = move |text: String| {
            let mut options = Options::default();
            options
                .set(name, &text)
                .map_err(|error| error.to_string())?;
            if name == "tables" {
                check_sources(&Options::default(), &options)?;
            }
            Ok::<_, String>(text)
        };
        StringValueParser::new()
            .try_map(checked)
            .parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let words = match self.0.kind {
            OptionKind::Bool => &["true", "false"],
            OptionKind::Enum(words) => words,
            OptionKind::Int { .. } | OptionKind::Text => return None,
        };
        Some(Box::new(words.iter().map(PossibleValue::new)))
    }
}

/// Returns the argument that takes a part of a job.
pub(super) fn shard_arg(help: &str) -> Arg {
    Arg::new("shard")
        .long("shard")
        .value_name("I/N")
        .value_parser(Shard::from_str)
        .default_value("1/1")
        .hide_default_value(true)
        .help(format!("{help}, I from 1 to N [default: all]"))
}

/// Reads the time for a move, in seconds.
pub(super) fn move_time(text: &str) -> Result<Duration, String> {
    let seconds: Option<f64> = text.parse().ok();
    let seconds = seconds.filter(|seconds| (0.001..=86_400.0).contains(seconds));
    seconds
        .map(Duration::from_secs_f64)
        .ok_or_else(|| "expected a number of seconds from 0.001 to 86400".to_owned())
}

/// Reads a time of more than nothing, in seconds.
pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let expected = || "expected a number of seconds above 0".to_owned();
    let seconds: f64 = text.parse().map_err(|_| expected())?;
    let time = Duration::try_from_secs_f64(seconds).map_err(|_| expected())?;
    if time.is_zero() {
        return Err(expected());
    }
    Ok(time)
}
