//! `mainroad shell`, which is also plain `mainroad` on a terminal: a person plays the engine.

mod command;
mod table;
mod words;

use super::interruption::{Asked, leave_at_once, on_asked};
use super::options::{move_time, option_args, read_options, with_all_cores};
use super::{Answered, Entry, Failure, Outcome, Streams};
use crate::engine::OPTIONS;
use crate::protocol::lines;
use crate::rules::Rules;
use crate::with_rules;
use clap::{Arg, ArgMatches, Command};
use crossbeam_channel::{Receiver, bounded};
use rustyline::error::ReadlineError;
use rustyline::{Config, DefaultEditor};
use std::io::{self, BufReader, IsTerminal, Stdin, Write};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;
use table::{NOT_HERE, Next, Settings, Table};

pub(super) const ENTRY: Entry = Entry { command, run };

fn command() -> Command {
    let names: Vec<&str> = OPTIONS.iter().map(|spec| spec.name).collect();
    let names: Vec<&str> = names
        .into_iter()
        .filter(|name| !NOT_HERE.contains(name))
        .collect();
    let time = Arg::new("move-time")
        .long("move-time")
        .value_name("S")
        .default_value("1")
        .value_parser(move_time)
        .help("The time for a move of the engine, in seconds, from 0.001 to 86400");
    let command = Command::new("shell")
        .about("Plays a person in the terminal; what plain `mainroad` does there")
        .long_about(
            "Plays a person in the terminal: moves are typed in any notation and the engine answers. `help` lists the commands. Input that is \
             not a terminal is read line by line.",
        )
        .arg(time)
        .args(option_args(&names))
        .after_help("Example: mainroad shell --variant pool");
    with_all_cores(command)
}

/// Runs the shell as the program does without any argument.
pub(super) fn run_with_defaults(streams: &mut Streams) -> Outcome {
    let args = command().try_get_matches_from(["shell"]);
    run(&args.expect("every argument has a default"), streams)
}

fn run(args: &ArgMatches, streams: &mut Streams) -> Outcome {
    let time: Option<&Duration> = args.get_one("move-time");
    let mut settings = Settings {
        options: read_options(args),
        move_time: *time.expect("it has a default"),
    };
    let mut typed = Typed::new()?;
    let interrupt = interrupts(Arc::clone(&typed.is_reading));
    writeln!(
        streams.out,
        "Mainroad {}. Type a move, or help.",
        env!("CARGO_PKG_VERSION")
    )?;
    loop {
        let variant = settings.options.variant;
        let flow = with_rules!(variant, R => {
            writeln!(streams.out, "\nA new game: {variant}.\n")?;
            let table = Table::<R, _>::new(&mut settings, &interrupt, &mut *streams.out);
            let mut table = table.map_err(|error| Failure::Failed(format!("cannot start: {error}")))?;
            table.show()?;
            converse(&mut table, &mut typed)?
        });
        if flow.is_break() {
            return Ok(Answered::Yes);
        }
    }
}

/// Returns a channel that tells of Ctrl-C while the engine thinks: it ends a thought, not the game. While a line is read it is the editor's
/// affair, and where there is no editor it ends the program. Other signals that ask the program to end do, whatever it does.
fn interrupts(is_reading: Arc<AtomicBool>) -> Receiver<()> {
    let (sender, interrupt) = bounded(1);
    on_asked(move |asked| {
        if asked == Asked::End || is_reading.load(Relaxed) {
            leave_at_once();
        }
        let _ = sender.try_send(());
    });
    interrupt
}

/// Plays until the person leaves, or wants another game.
fn converse<R: Rules, W: Write>(
    table: &mut Table<R, W>,
    typed: &mut Typed,
) -> Result<ControlFlow<()>, Failure> {
    loop {
        table.flush()?;
        let Some(line) = typed.line(&table.prompt())? else {
            return Ok(ControlFlow::Break(()));
        };
        match table.act(&line)? {
            Next::Stay => {}
            Next::Leave => return Ok(ControlFlow::Break(())),
            Next::Restart => return Ok(ControlFlow::Continue(())),
        }
    }
}

/// Where lines come from.
struct Typed {
    source: Source,
    /// A line is being read.
    is_reading: Arc<AtomicBool>,
}

enum Source {
    /// A terminal, with editing and the lines before at hand.
    Terminal(Box<DefaultEditor>),
    Stream(BufReader<Stdin>),
}

impl Typed {
    fn new() -> Result<Self, Failure> {
        let source = if io::stdin().is_terminal() {
            // Lines that are pasted are carried out one by one, as they would be if they were typed.
            let config = Config::builder().bracketed_paste(false).build();
            let editor = DefaultEditor::with_config(config);
            let failed = |error| Failure::Failed(format!("cannot use the terminal: {error}"));
            Source::Terminal(Box::new(editor.map_err(failed)?))
        } else {
            Source::Stream(BufReader::new(io::stdin()))
        };
        Ok(Self {
            source,
            is_reading: Arc::default(),
        })
    }

    /// Returns the next line, or `None` when the person leaves.
    fn line(&mut self, prompt: &str) -> Result<Option<String>, Failure> {
        self.is_reading.store(true, Relaxed);
        let line = self.source.line(prompt);
        self.is_reading.store(false, Relaxed);
        line.map_err(|error| Failure::Failed(format!("cannot read: standard input: {error}")))
    }
}

impl Source {
    fn line(&mut self, prompt: &str) -> Result<Option<String>, ReadlineError> {
        let editor = match self {
            Self::Terminal(editor) => editor,
            Self::Stream(input) => return Ok(lines::read(input)?),
        };
        loop {
            match editor.readline(prompt) {
                Ok(line) => {
                    // Memory is all that could be lacking.
                    let _ = editor.add_history_entry(&line);
                    return Ok(Some(line));
                }
                // Ctrl-C drops the line.
                Err(ReadlineError::Interrupted) => {}
                Err(ReadlineError::Eof) => return Ok(None),
                // Bytes that are not UTF-8. Only what was typed up to them is lost, and the person is told what could not be read.
                Err(ReadlineError::Io(error)) if error.kind() == io::ErrorKind::InvalidData => {
                    return Ok(Some(char::REPLACEMENT_CHARACTER.to_string()));
                }
                Err(error) => return Err(error),
            }
        }
    }
}
