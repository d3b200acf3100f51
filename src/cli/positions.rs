//! The positions that a command is asked about: `--fen` and `--moves`, or one a line from standard input.
//!
//! One position is answered in text or, with `--json`, as one JSON object. A stream (`--fen -`) is always answered in JSON, an object a
//! line in the order of the input; a line that is bad is answered with what is wrong with it, and the stream
//! goes on until the input ends, or Ctrl-C is pressed. Each answer is flushed before the next line is read, so a program may hold a dialogue, and memory does not grow
//! with the input.

use super::input::Input;
use super::interruption::on_ctrl_c;
use super::{Answered, Failure, Outcome, Streams};
use crate::notation::{game_line, shown};
use crate::rules::{Game, Rules};
use crate::tools::stop::Stop;
use clap::{Arg, ArgAction, ArgMatches, value_parser};
use serde::Serialize;
use std::ffi::OsString;
use std::io::{self, BufRead, Read, Write};

/// Lines longer than this are not looked at. It has room for a game of a hundred thousand moves.
const MAX_LINE_BYTES: usize = 1 << 20;

/// What a command answers for a position: JSON by its fields, and text for people.
pub(super) trait Answer: Serialize {
    /// Writes the text.
    fn write_text(&self, out: &mut dyn Write) -> io::Result<()>;

    /// Says whether the answer is a no, which shows in the exit code.
    fn is_no(&self) -> bool {
        false
    }
}

/// Returns the arguments that [`answer`] reads.
pub(super) fn args() -> [Arg; 3] {
    let position = Arg::new("fen")
        .long("fen")
        .value_name("FEN")
        .value_parser(value_parser!(OsString))
        .help("The position: FEN, with numbers (1 = b8) or letters, or a Hub position [default: the start position]")
        .long_help(
            "The position: FEN, with numbers (1 = b8) or letters, or a Hub position [default: the start position]. With \"-\" many \
             are read from standard input, one a line, each \"FEN\" or \"FEN moves m1 m2 ...\", and answered with one JSON object \
             a line in the same order; a bad line is answered with an object with \"error\" and \"line\".",
        );
    let moves = Arg::new("moves")
        .long("moves")
        .value_name("MOVES")
        .value_parser(value_parser!(OsString))
        .help("Moves to play from the position first, in any notation, with blanks between them [default: none]");
    let json = Arg::new("json")
        .long("json")
        .action(ArgAction::SetTrue)
        .help("Answers with one JSON object [default: text]");
    [position, moves, json]
}

/// Asks about every position that the arguments name, and writes the answers.
pub(super) fn answer<R: Rules, A: Answer>(
    args: &ArgMatches,
    streams: &mut Streams,
    ask: impl FnMut(&Game<R>) -> Result<A, Failure>,
) -> Outcome {
    let stop = Stop::new();
    // Work on one position is not divided into steps between which it could end.
    if are_many(args)? {
        let given = stop.clone();
        on_ctrl_c(move || given.give());
    }
    answer_until(&stop, args, streams, ask)
}

/// Does the same until a signal is given, which may also end the work on a position.
pub(super) fn answer_until<R: Rules, A: Answer>(
    stop: &Stop,
    args: &ArgMatches,
    streams: &mut Streams,
    mut ask: impl FnMut(&Game<R>) -> Result<A, Failure>,
) -> Outcome {
    if are_many(args)? {
        return answer_lines(stop, streams.out, ask);
    }
    let answer = ask(&read_game(args)?)?;
    if args.get_flag("json") {
        write_json(streams.out, &answer)?;
    } else {
        answer.write_text(streams.out)?;
    }
    Ok(if answer.is_no() {
        Answered::No
    } else {
        Answered::Yes
    })
}

/// Says whether the positions come from standard input.
pub(super) fn are_many(args: &ArgMatches) -> Result<bool, Failure> {
    let fen: Option<&OsString> = args.get_one("fen");
    let are_many = fen.is_some_and(|text| text == "-");
    if are_many && args.contains_id("moves") {
        let text = "--moves cannot be used with --fen -: each line has moves of its own";
        return Err(Failure::Usage(text.to_owned()));
    }
    Ok(are_many)
}

/// Reads the one position that the arguments name, and the moves from it.
pub(super) fn read_game<R: Rules>(args: &ArgMatches) -> Result<Game<R>, Failure> {
    let fen = text_of(args, "fen", "FEN")?;
    let moves = text_of(args, "moves", "move")?.unwrap_or_default();
    game_line::set_up::<R>(fen, moves).map_err(Failure::Failed)
}

/// Returns the text of an argument. One that is not UTF-8 is bad input like any other bad text, not a wrong command line.
fn text_of<'a>(args: &'a ArgMatches, name: &str, what: &str) -> Result<Option<&'a str>, Failure> {
    let Some(text) = args.get_one::<OsString>(name) else {
        return Ok(None);
    };
    let read = str::from_utf8(text.as_encoded_bytes()).map_err(|error| {
        let (text, place) = (text.to_string_lossy(), error.valid_up_to() + 1);
        Failure::Failed(format!(
            "bad {what}: \"{}\": byte {place}: expected UTF-8",
            shown(&text)
        ))
    });
    read.map(Some)
}

/// What is answered to a line that is bad.
#[derive(Serialize)]
pub(super) struct BadLine {
    pub(super) error: String,
    /// From 1.
    pub(super) line: u64,
}

/// Answers line by line until the input ends, or the signal is given.
fn answer_lines<R: Rules, A: Answer>(
    stop: &Stop,
    out: &mut dyn Write,
    mut ask: impl FnMut(&Game<R>) -> Result<A, Failure>,
) -> Outcome {
    let mut input = Input::standard(stop)?;
    let mut outcome = Answered::Yes;
    let mut bytes = Vec::new();
    for line in 1.. {
        let is_there = read_line(&mut input, &mut bytes);
        let failed = |error| Failure::Failed(format!("cannot read: standard input: {error}"));
        let is_there = is_there.map_err(failed)?;
        if stop.is_given() {
            return Ok(Answered::Interrupted);
        }
        if !is_there {
            break;
        }
        let game = read_game_line::<R>(&bytes).map_err(Failure::Failed);
        match game.and_then(|game| ask(&game)) {
            Ok(answer) => {
                if answer.is_no() {
                    outcome = Answered::No;
                }
                write_json(out, &answer)?;
            }
            Err(Failure::Usage(error) | Failure::Failed(error)) => {
                outcome = Answered::No;
                write_json(out, &BadLine { error, line })?;
            }
            Err(failure @ Failure::Output(_)) => return Err(failure),
        }
    }
    Ok(outcome)
}

/// Reads a line with its end; `false` at the end of the input. Of a line that is too long only the beginning is kept, one byte more than
/// is allowed.
pub(super) fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    let limit = MAX_LINE_BYTES as u64 + 1;
    let read = input.by_ref().take(limit).read_until(b'\n', line)?;
    if line.len() > MAX_LINE_BYTES && line.last() != Some(&b'\n') {
        input.skip_until(b'\n')?;
    }
    Ok(read > 0)
}

/// Returns the text of a line that [`read_line`] has read, without its end. The error says what is wrong with it.
pub(super) fn text_of_line(bytes: &[u8]) -> Result<&str, String> {
    let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    if bytes.len() > MAX_LINE_BYTES {
        return Err(format!(
            "it has too many bytes, expected at most {MAX_LINE_BYTES}"
        ));
    }
    str::from_utf8(bytes).map_err(|error| {
        let place = error.valid_up_to() + 1;
        format!("byte {place}: expected UTF-8")
    })
}

/// Reads `FEN` or `FEN moves m1 m2 …`. The error is the text of the answer.
pub(super) fn read_game_line<R: Rules>(bytes: &[u8]) -> Result<Game<R>, String> {
    let text = text_of_line(bytes).map_err(|error| format!("bad line: {error}"))?;
    game_line::parse(text)
}

/// Writes an object and the end of the line, at once.
pub(super) fn write_json(out: &mut dyn Write, object: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::to_string(object)?;
    line.push('\n');
    out.write_all(line.as_bytes())?;
    out.flush()
}
