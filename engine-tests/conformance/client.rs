//! A client that trusts nothing: it checks every line, and counts what it asked and what was answered.

use super::grammar::{self, Argument};
use crate::hub::Engine;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The start position of Russian and Brazilian draughts.
pub(super) const START: &str = "pos=Wbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww";

/// White cannot move: it has no pieces.
pub(super) const LOST: &str = "pos=Weeeeeeeebeeeeeeeeeeeeeeeeeeeeeee";

/// Returns a `pos` argument: the side to move, then the pieces with their squares.
pub(super) fn placed(turn: char, pieces: &[(char, usize)]) -> String {
    let mut letters = vec!['e'; 32];
    for &(letter, number) in pieces {
        letters[number - 1] = letter;
    }
    let letters: String = letters.into_iter().collect();
    format!("pos={turn}{letters}")
}

/// A report of the engine.
#[derive(Clone, Debug)]
pub(super) struct Info {
    arguments: Vec<Argument>,
}

impl Info {
    /// Returns the value of an argument, or an empty text.
    pub(super) fn text(&self, name: &str) -> &str {
        value(&self.arguments, name)
    }

    /// Returns the number of an argument.
    pub(super) fn number(&self, name: &str) -> f64 {
        let text = self.text(name);
        text.parse().unwrap_or_else(|_| panic!("{name}={text}"))
    }
}

/// What a search has told.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) infos: Vec<Info>,
    /// Empty if there was none.
    pub(super) mv: String,
    pub(super) ponder: String,
    /// From the question to the answer.
    pub(super) time: Duration,
}

impl Found {
    /// Returns the last report.
    #[track_caller]
    pub(super) fn last(&self) -> &Info {
        self.infos.last().expect("there is a report")
    }

    /// Returns the deepest iteration.
    pub(super) fn depth(&self) -> u32 {
        let depths = self.infos.iter().map(|info| info.number("depth") as u32);
        depths.max().unwrap_or(0)
    }
}

/// The declaration of a parameter.
pub(super) struct Parameter {
    pub(super) name: String,
    pub(super) value: String,
    /// The type and all behind it, as written.
    pub(super) kind: String,
}

/// A connection to an engine.
pub(super) struct Client {
    /// Gone when the engine has left.
    engine: Option<Engine>,
    /// How many `go` have no `done` yet.
    searches: usize,
}

impl Client {
    /// Starts `mainroad hub`.
    pub(super) fn start() -> Self {
        Self::start_with(&["hub"])
    }

    /// Starts the engine with other arguments.
    pub(super) fn start_with(arguments: &[&str]) -> Self {
        Self::launch(Command::new(env!("CARGO_BIN_EXE_mainroad")).args(arguments))
    }

    /// Starts a command.
    pub(super) fn launch(command: &mut Command) -> Self {
        Self {
            engine: Some(Engine::launch(command.stderr(Stdio::inherit()))),
            searches: 0,
        }
    }

    /// Returns the running engine.
    pub(super) fn engine(&mut self) -> &mut Engine {
        self.engine.as_mut().expect("it has not left")
    }

    /// Sends lines.
    pub(super) fn send(&mut self, lines: &str) {
        let words = lines.lines().map(|line| line.split_whitespace().next());
        self.searches += words.filter(|&word| word == Some("go")).count();
        self.engine().send(lines);
    }

    /// Takes note of a `go` that was sent in pieces.
    pub(super) fn expect_search(&mut self) {
        self.searches += 1;
    }

    /// Takes note that the last `go` could not be obeyed.
    pub(super) fn forget_search(&mut self) {
        self.searches -= 1;
    }

    /// Returns the next line, which must be one of the protocol.
    #[track_caller]
    pub(super) fn line(&mut self) -> String {
        let line = self.engine().line();
        if let Err(fault) = grammar::check(&line) {
            panic!("{fault}: {line}");
        }
        if line.split(' ').next() == Some("done") {
            assert!(self.searches > 0, "a done that nobody asked for: {line}");
            self.searches -= 1;
        }
        line
    }

    /// Expects this line next.
    #[track_caller]
    pub(super) fn expect(&mut self, expected: &str) {
        assert_eq!(self.line(), expected);
    }

    /// Expects an error next, and returns its message.
    #[track_caller]
    pub(super) fn error(&mut self) -> String {
        let line = self.line();
        let message = line.strip_prefix("error message=\"");
        let message = message.unwrap_or_else(|| panic!("no error: {line}"));
        message.trim_end_matches('"').to_owned()
    }

    /// Expects a line to be answered by one error and nothing else.
    #[track_caller]
    pub(super) fn refused(&mut self, line: &str) {
        self.send(line);
        self.error();
        self.silent();
    }

    /// Expects that all that was sent before is not answered: the answer to a `ping` comes next.
    #[track_caller]
    pub(super) fn silent(&mut self) {
        self.send("ping");
        self.expect("pong");
    }

    /// Reads the reports up to the next `done`, and nothing else between them.
    #[track_caller]
    pub(super) fn done(&mut self) -> Found {
        let asked = Instant::now();
        let mut infos = Vec::new();
        loop {
            let line = self.line();
            let (word, arguments) = grammar::split(&line).expect("it was checked");
            match word.as_str() {
                "info" => infos.push(Info { arguments }),
                "done" => {
                    return Found {
                        infos,
                        mv: value(&arguments, "move").to_owned(),
                        ponder: value(&arguments, "ponder").to_owned(),
                        time: asked.elapsed(),
                    };
                }
                _ => panic!("in a search: {line}"),
            }
        }
    }

    /// Sends lines of which the last is a `go`, and returns what comes of it.
    #[track_caller]
    pub(super) fn search(&mut self, lines: &str) -> Found {
        self.send(lines);
        self.done()
    }

    /// Says that the engine searches and answers with a move.
    #[track_caller]
    pub(super) fn plays(&mut self) {
        let found = self.search(&format!("pos {START}\nlevel depth=2\ngo think"));
        assert!(!found.mv.is_empty());
    }

    /// Sets a parameter, without an answer.
    #[track_caller]
    pub(super) fn set(&mut self, name: &str, value: &str) {
        self.send(&format!("set-param name={name} value=\"{value}\""));
    }

    /// Says `hub` and returns the parameters.
    #[track_caller]
    pub(super) fn parameters(&mut self) -> Vec<Parameter> {
        self.send("hub");
        self.line();
        let mut parameters = Vec::new();
        loop {
            let line = self.line();
            if line == "wait" {
                return parameters;
            }
            let (_, arguments) = grammar::split(&line).expect("it was checked");
            let (_, kind) = line.split_once(" type=").expect("it has a type");
            parameters.push(Parameter {
                name: value(&arguments, "name").to_owned(),
                value: value(&arguments, "value").to_owned(),
                kind: kind.to_owned(),
            });
        }
    }

    /// Returns the present value of a parameter, as `hub` tells it.
    #[track_caller]
    pub(super) fn parameter(&mut self, name: &str) -> String {
        let parameters = self.parameters();
        let found = parameters.into_iter().find(|p| p.name == name);
        found.expect("it is declared").value
    }

    /// Closes the input and returns the lines that the engine writes before it leaves.
    pub(super) fn close(&mut self) -> Vec<String> {
        self.engine.take().expect("it has not left").close()
    }

    /// Ends the conversation: every search has been answered, nothing is left to say, and the engine leaves by itself.
    #[track_caller]
    pub(super) fn finish(mut self) {
        if self.engine.is_some() {
            self.silent();
            assert_eq!(self.searches, 0, "searches without an answer");
            assert_eq!(self.close(), Vec::<String>::new());
        }
    }
}

/// Returns the value of an argument, or an empty text.
fn value<'a>(arguments: &'a [Argument], name: &str) -> &'a str {
    let found = arguments.iter().find(|argument| argument.name == name);
    found.map_or("", |argument| &argument.value)
}
