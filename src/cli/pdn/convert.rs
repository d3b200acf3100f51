//! `mainroad pdn convert`: writes files of games anew, clean and in another notation.

use super::super::files::OutputFile;
use super::super::options::option_args;
use super::super::{Answered, Entry, Failure, Outcome, Streams};
use super::{
    ABOUT_VARIANT, Progress, describe, games, is_dash, name_of, stop_on_ctrl_c, unreadable,
    variant_of,
};
use crate::notation::moves::Form;
use crate::notation::pdn::{self, Game};
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgMatches, Command, ValueHint, value_parser};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

pub(super) const ENTRY: Entry = Entry { command, run };

/// The notations, and their names.
const NOTATIONS: [(&str, Form); 3] = [
    ("numeric", Form::Numbers),
    ("algebraic", Form::Letters),
    ("half-short", Form::HalfShort),
];

fn command() -> Command {
    let file = |name: &'static str, value: &'static str, help: &'static str| {
        Arg::new(name)
            .value_name(value)
            .required(true)
            .value_parser(value_parser!(PathBuf))
            .value_hint(ValueHint::FilePath)
            .help(help)
    };
    let notation = Arg::new("notation")
        .long("notation")
        .value_name("NAME")
        .value_parser(PossibleValuesParser::new(NOTATIONS.map(|(name, _)| name)))
        .help(
            "How moves are written: 22-18 (1 = b8 in every game), c3-d4, or cd4 \
             [default: numeric for Pool, algebraic for Russian and Brazilian games]",
        );
    Command::new("convert")
        .about("Writes a file of games anew, as PDN 3.0")
        .long_about(format!(
            "Writes a file of games anew, as PDN 3.0: moves, capture signs, start positions and results in the conventions of each game, UTF-8. \
             All tags, comments, marks and variations are kept. What cannot be read is named on standard error and kept as a comment, \
             and the next game is read; games that are not played here are copied. {ABOUT_VARIANT}\n\n\
             The exit code is 1 if there is any fault, or a file cannot be read or written. Ctrl-C ends the work with exit code 130; OUT is then as it was.",
        ))
        .args([
            file("in", "IN", "The file to read; - is standard input"),
            file("out", "OUT", "The file to write, when it is complete and not before; - is standard output"),
            notation,
        ])
        .args(option_args(&["variant"]))
        .after_help("Example: mainroad pdn convert games.pdn clean.pdn --notation numeric")
}

fn run(args: &ArgMatches, streams: &mut Streams) -> Outcome {
    let path = |name: &str| args.get_one::<PathBuf>(name).expect("clap requires it");
    let (from, to) = (path("in"), path("out"));
    let form = args.get_one::<String>("notation").and_then(|wanted| {
        let mut notations = NOTATIONS.iter();
        notations
            .find(|(name, _)| name == wanted)
            .map(|(_, form)| *form)
    });
    let stop = stop_on_ctrl_c();
    let games = games(from, variant_of(args), &stop)?;
    let written = if is_dash(to) {
        let mut out = BufWriter::new(&mut *streams.out);
        let written = convert(games, from, form, &mut out, streams.err);
        written.and_then(|answered| {
            out.flush()?;
            Ok(answered)
        })
    } else {
        OutputFile::at(to)?.replace_with(|out| {
            let answered = convert(games, from, form, out, streams.err)?;
            if stop.is_given() {
                // So that the file is not replaced by a part.
                return Err(Failure::Failed("interrupted".to_owned()));
            }
            Ok(answered)
        })
    };
    if stop.is_given() && (written.is_err() || is_dash(to)) {
        return Ok(Answered::Interrupted);
    }
    written
}

/// Writes all games.
fn convert(
    games: impl Iterator<Item = io::Result<Game>>,
    from: &Path,
    form: Option<Form>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Outcome {
    let name = name_of(from);
    let mut answered = Answered::Yes;
    let mut progress = Progress::new();
    for game in games {
        let game = game.map_err(|error| unreadable(from, &error))?;
        for fault in &game.faults {
            answered = Answered::No;
            // If nobody reads this, the exit code tells it.
            let _ = writeln!(err, "mainroad: warning: {}", describe(&name, &game, fault));
        }
        out.write_all(pdn::write(&game, form).as_bytes())?;
        progress.game(&name, game.number, err);
    }
    Ok(answered)
}
