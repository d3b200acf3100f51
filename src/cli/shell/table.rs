//! A game between a person and the engine, command by command.
//!
//! The engine answers every move of the person, whichever side that was for; `go` has it move first. So nobody has to say who has which
//! side.

use super::command::{Command, HELP, Misused};
use super::words;
use crate::board::{Move, Side};
use crate::cli::Failure;
use crate::cli::files::OutputFile;
use crate::cli::options::move_time;
use crate::engine::{OPTIONS, Options, ResourceError};
use crate::notation::diagram::{Labels, draw};
use crate::notation::played::{self, Played};
use crate::notation::{fen, moves};
use crate::protocol::thinking::Thinker;
use crate::rules::{Ending, Game, Rules};
use crate::search::{Control, Limits, Outcome};
use crossbeam_channel::{Receiver, select};
use std::cmp::Ordering;
use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, SystemTime};

/// The settings of the shell: those of the engine that matter here, and its own.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    pub(super) options: Options,
    /// The time for a move of the engine.
    pub(super) move_time: Duration,
}

/// Options of the engine that are about protocols.
pub(super) const NOT_HERE: [&str; 5] = ["squares", "ponder", "lines", "overhead", "log"];

/// The engine accepts a draw if it is not better by more than this, in hundredths of a man,
const ACCEPTED: i32 = 10;
/// and offers one when its score was this near to nothing,
const LEVEL: i32 = 5;
/// so many of its moves in a row,
const LEVEL_MOVES: usize = 8;
/// with no more pieces than this on the board; it does not ask again before as many moves.
const FEW_PIECES: u32 = 10;

/// Who waits longer than this is told how to end it.
const LONG_TIME: Duration = Duration::from_secs(3);

/// What the loop does next.
pub(super) enum Next {
    Stay,
    Leave,
    /// Another game begins, under the rules that the settings name now.
    Restart,
}

/// How a game ended that did not end by the rules of the board.
#[derive(Clone, Copy, Debug)]
enum Agreed {
    Draw,
    Resigned(Side),
}

/// The game, and the engine.
pub(super) struct Table<'a, R: Rules, W> {
    settings: &'a mut Settings,
    interrupt: &'a Receiver<()>,
    out: W,
    game: Game<R>,
    /// Which moves were the engine's.
    by_engine: Vec<bool>,
    agreed: Option<Agreed>,
    thinker: Thinker<R>,
    /// The engine's moves in a row for which it saw nothing.
    level_moves: usize,
    /// The engine has just offered a draw.
    is_draw_offered: bool,
    started: SystemTime,
}

/// Says why a command was not carried out, in one line.
type Refusal = String;

impl<'a, R: Rules, W: Write> Table<'a, R, W> {
    pub(super) fn new(
        settings: &'a mut Settings,
        interrupt: &'a Receiver<()>,
        out: W,
    ) -> Result<Self, ResourceError> {
        Ok(Self {
            thinker: Thinker::new(settings.options.clone())?,
            settings,
            interrupt,
            out,
            game: Game::new(),
            by_engine: Vec::new(),
            agreed: None,
            level_moves: 0,
            is_draw_offered: false,
            started: SystemTime::now(),
        })
    }

    /// Returns what stands before the line that is to be typed.
    pub(super) fn prompt(&self) -> String {
        if self.result().is_some() {
            return "game over> ".to_owned();
        }
        format!("{}> ", self.game.position().turn())
    }

    /// Makes sure that the person sees everything.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// Shows the board, and says if the game is over.
    pub(super) fn show(&mut self) -> io::Result<()> {
        let picture = draw(self.game.position(), Labels::usual::<R>());
        match self.result() {
            Some(result) => {
                // The last line of the picture tells whose move it is.
                let board = picture
                    .rsplit_once("\n\n")
                    .map_or(picture.as_str(), |(board, _)| board);
                writeln!(self.out, "{board}\n\n{result}")
            }
            None => writeln!(self.out, "{picture}"),
        }
    }

    /// Carries out a line.
    pub(super) fn act(&mut self, line: &str) -> io::Result<Next> {
        let command = line.parse().map_err(|error: Misused| error.to_string());
        match command.and_then(|command| self.carry_out(command)) {
            Ok(next) => next,
            Err(refusal) => writeln!(self.out, "{refusal}").map(|()| Next::Stay),
        }
    }

    /// Carries out a command. The outer error is told to the person, the inner one is that nobody can be told.
    fn carry_out(&mut self, command: Command) -> Result<io::Result<Next>, Refusal> {
        let stay = |written: io::Result<()>| Ok(written.map(|()| Next::Stay));
        match command {
            Command::Empty => stay(Ok(())),
            Command::Quit => Ok(Ok(Next::Leave)),
            Command::Help => stay(self.out.write_all(HELP.as_bytes())),
            Command::Board => stay(self.show()),
            Command::Moves => stay(self.list_moves()),
            Command::New(None) => Ok(Ok(Next::Restart)),
            Command::New(Some(variant)) => {
                let set = self.settings.options.set("variant", &variant);
                set.map_err(|error| error.to_string())?;
                Ok(Ok(Next::Restart))
            }
            Command::Set(None) => stay(self.show_settings()),
            Command::Set(Some((name, value))) => {
                let next = self.set(&name, &value)?;
                Ok(writeln!(self.out, "{name} is {value}.").map(|()| next))
            }
            Command::Fen(None) => stay(writeln!(self.out, "{}", fen::write(self.game.position()))),
            Command::Fen(Some(text)) => {
                let start = fen::parse(&text).map_err(|error| format!("bad FEN: {error}"))?;
                self.begin(Game::from_position(start));
                stay(self.show())
            }
            Command::Save(file) => {
                self.save(&file)?;
                stay(writeln!(self.out, "The game was added to {file}."))
            }
            Command::Undo => {
                self.undo()?;
                stay(self.show())
            }
            Command::Move(text) => {
                self.check_going_on()?;
                let mv = moves::parse::<R>(self.game.position(), &text);
                self.play(
                    mv.map_err(|error| format!("{error} (help lists the commands)"))?,
                    false,
                );
                stay(self.reply())
            }
            Command::Go => {
                self.check_going_on()?;
                stay(self.reply())
            }
            Command::Hint => {
                self.check_going_on()?;
                stay(self.hint())
            }
            Command::Eval => {
                self.check_going_on()?;
                stay(self.evaluate())
            }
            Command::Draw => {
                self.check_going_on()?;
                stay(self.answer_draw())
            }
            Command::Resign => {
                self.check_going_on()?;
                self.agreed = Some(Agreed::Resigned(self.game.position().turn()));
                stay(self.show())
            }
        }
    }

    /// Returns how the game has ended, in words, or `None` if it goes on.
    fn result(&self) -> Option<String> {
        if let Some(agreed) = self.agreed {
            return Some(match agreed {
                Agreed::Draw => "The game is drawn by agreement.".to_owned(),
                Agreed::Resigned(side) => format!("{} wins: {side} resigns.", side.opponent()),
            });
        }
        self.ending().map(words::ending)
    }

    fn ending(&self) -> Option<Ending> {
        let ending = self.game.ending();
        ending.filter(|ending| ending.winner.is_some() || self.settings.options.draw_rules)
    }

    fn check_going_on(&self) -> Result<(), Refusal> {
        match self.result() {
            None => Ok(()),
            Some(_) => {
                Err("The game is over: new begins another, undo takes a move back.".to_owned())
            }
        }
    }

    /// Begins anew with a game that is set up.
    fn begin(&mut self, game: Game<R>) {
        self.game = game;
        self.by_engine.clear();
        self.agreed = None;
        self.level_moves = 0;
        self.is_draw_offered = false;
        self.started = SystemTime::now();
    }

    fn play(&mut self, mv: Move, by_engine: bool) {
        self.game.play(mv);
        self.by_engine.push(by_engine);
        self.is_draw_offered = false;
    }

    /// Takes back the last move of the person, with the answer to it; or a move of the engine that answered nothing.
    fn undo(&mut self) -> Result<(), Refusal> {
        // What was agreed is taken back first.
        if self.agreed.take().is_some() {
            return Ok(());
        }
        let was_by_engine = self.by_engine.pop();
        if was_by_engine.is_none() {
            return Err("There is no move to take back.".to_owned());
        }
        self.game.undo();
        if was_by_engine == Some(true) && self.by_engine.last() == Some(&false) {
            self.by_engine.pop();
            self.game.undo();
        }
        self.level_moves = 0;
        self.is_draw_offered = false;
        Ok(())
    }

    /// Has the engine move, if the game goes on.
    fn reply(&mut self) -> io::Result<()> {
        if self.result().is_some() {
            return self.show();
        }
        let outcome = match self.thinker.book_move(&self.game) {
            Some(outcome) => outcome,
            None => self.think(self.move_limits())?,
        };
        self.write_warnings()?;
        let Some(mv) = outcome.best else {
            return writeln!(self.out, "The engine has no move.");
        };
        let text = moves::write::<R>(self.game.position(), mv);
        writeln!(self.out, "{} plays {text}", self.game.position().turn())?;
        self.play(mv, true);
        self.show()?;
        self.offer_draw(&outcome)
    }

    fn move_limits(&self) -> Limits {
        Limits {
            move_time: Some(self.settings.move_time),
            ..Limits::default()
        }
    }

    /// Searches the position. Ctrl-C makes the search answer at once.
    fn think(&mut self, limits: Limits) -> io::Result<Outcome> {
        // One from before the search is not meant for it.
        while self.interrupt.try_recv().is_ok() {}
        if self.settings.move_time >= LONG_TIME {
            writeln!(self.out, "Thinking; Ctrl-C has it answer at once.")?;
            self.out.flush()?;
        }
        self.thinker.start(&self.game, limits, Control::new())?;
        let events = self.thinker.events();
        loop {
            let found = select! {
                recv(events) -> event => self.thinker.take(event.ok()),
                recv(self.thinker.overdue()) -> _ => self.thinker.take_overdue(),
                recv(self.interrupt) -> _ => {
                    self.thinker.answer_now();
                    None
                }
            };
            if let Some(outcome) = found {
                return Ok(outcome);
            }
        }
    }

    fn write_warnings(&mut self) -> io::Result<()> {
        let mut warnings = self.thinker.take_warnings().into_iter();
        warnings.try_for_each(|warning| writeln!(self.out, "warning: {warning}"))
    }

    fn analysis(&mut self) -> io::Result<Outcome> {
        let limits = Limits {
            is_analysis: true,
            ..self.move_limits()
        };
        let outcome = self.think(limits)?;
        self.write_warnings()?;
        Ok(outcome)
    }

    fn hint(&mut self) -> io::Result<()> {
        let outcome = match self.thinker.book_move(&self.game) {
            Some(outcome) => outcome,
            None => self.analysis()?,
        };
        match outcome.best {
            Some(mv) => {
                let text = moves::write::<R>(self.game.position(), mv);
                writeln!(self.out, "I would play {text}.")
            }
            None => writeln!(self.out, "The engine has no move."),
        }
    }

    fn evaluate(&mut self) -> io::Result<()> {
        let report = self.analysis()?.report;
        let pos = self.game.position();
        let line = moves::write_line::<R>(pos, &report.pv).join(" ");
        let text = words::evaluation(&report, pos.turn(), &line);
        writeln!(self.out, "{text}")
    }

    /// Answers the offer of a draw: the engine accepts if it is not better itself.
    fn answer_draw(&mut self) -> io::Result<()> {
        let is_accepted = self.is_draw_offered || self.analysis()?.report.score.0 >= -ACCEPTED;
        if is_accepted {
            self.agreed = Some(Agreed::Draw);
            return self.show();
        }
        writeln!(
            self.out,
            "The engine thinks that it is better, and plays on."
        )
    }

    /// Offers a draw after a move, where there has been nothing to play for.
    fn offer_draw(&mut self, outcome: &Outcome) -> io::Result<()> {
        let is_level = outcome.report.score.0.abs() <= LEVEL && outcome.report.depth > 0;
        self.level_moves = if is_level { self.level_moves + 1 } else { 0 };
        let is_time = self.level_moves >= LEVEL_MOVES
            && self.game.position().occupied().count() <= FEW_PIECES
            && self.result().is_none();
        if !is_time {
            return Ok(());
        }
        self.level_moves = 0;
        self.is_draw_offered = true;
        writeln!(
            self.out,
            "The engine offers a draw: draw accepts it, a move declines it."
        )
    }

    fn list_moves(&mut self) -> io::Result<()> {
        let pos = *self.game.position();
        let legal = self.game.legal_moves();
        let texts: Vec<String> = legal
            .iter()
            .map(|&mv| moves::write::<R>(&pos, mv))
            .collect();
        writeln!(self.out, "{}", texts.join("  "))
    }

    fn show_settings(&mut self) -> io::Result<()> {
        let seconds = self.settings.move_time.as_secs_f64();
        writeln!(
            self.out,
            "move-time {seconds} (seconds for a move of the engine)"
        )?;
        let here = OPTIONS.iter().filter(|spec| !NOT_HERE.contains(&spec.name));
        for spec in here {
            let value = self.settings.options.value(spec.name).unwrap_or_default();
            writeln!(self.out, "{} {value} ({})", spec.name, spec.kind.expected())?;
        }
        Ok(())
    }

    /// Changes a setting.
    fn set(&mut self, name: &str, value: &str) -> Result<Next, Refusal> {
        if name == "move-time" {
            let time = move_time(value);
            self.settings.move_time =
                time.map_err(|expected| format!("bad move-time \"{value}\", {expected}"))?;
            return Ok(Next::Stay);
        }
        if NOT_HERE.contains(&name) {
            return Err(format!("{name} is not for the shell"));
        }
        let mut options = self.settings.options.clone();
        options
            .set(name, value)
            .map_err(|error| error.to_string())?;
        let is_other_game = options.variant != self.settings.options.variant;
        self.thinker.set_options(&options)?;
        self.settings.options = options;
        Ok(if is_other_game {
            Next::Restart
        } else {
            Next::Stay
        })
    }

    /// Adds the game to a file, which may be new.
    fn save(&self, file: &str) -> Result<(), Refusal> {
        let (result, reason) = match (self.agreed, self.ending()) {
            (Some(Agreed::Draw), _) => ("1/2-1/2", "agreement".to_owned()),
            (Some(Agreed::Resigned(side)), _) => {
                (points(side.opponent()), "resignation".to_owned())
            }
            (None, Some(ending)) => {
                let result = ending.winner.map_or("1/2-1/2", points);
                (result, ending.reason.to_string())
            }
            (None, None) => ("*", "unfinished".to_owned()),
        };
        let text = played::write(&Played {
            game: &self.game,
            event: "Mainroad in the terminal",
            white: self.name(Side::White),
            black: self.name(Side::Black),
            result,
            reason: &reason,
            started: self.started,
            times: &[],
        });
        let told = |failure: Failure| failure.to_string();
        // Before anything is read: from a pipe or a device that could take for ever.
        let output = OutputFile::at(Path::new(file)).map_err(told)?;
        let mut games = output.read().map_err(told)?;
        // Nearly all encodings contain ASCII, in which the game is; but it would be lost behind UTF-16, which its first bytes tell.
        if matches!(games.as_slice(), [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..]) {
            return Err(format!(
                "cannot write: {file}: UTF-16, expected UTF-8 or an encoding of single bytes"
            ));
        }
        if games.last().is_some_and(|&byte| byte != b'\n') {
            games.push(b'\n');
        }
        games.extend_from_slice(text.as_bytes());
        output.replace_bytes(&games).map_err(told)
    }

    /// Returns who has played a side: whoever made most of its moves, or else whose side it is now.
    fn name(&self, side: Side) -> &'static str {
        let first = usize::from(self.game.start().turn() != side);
        let of_side = self.by_engine.iter().skip(first).step_by(2);
        let engine = of_side.clone().filter(|by_engine| **by_engine).count();
        let person = of_side.count() - engine;
        let turn = self.game.position().turn();
        // A move of the person that has no answer, since it ended the game.
        let is_unanswered = self.by_engine.last() == Some(&false);
        let engine_side = if is_unanswered { turn } else { turn.opponent() };
        let is_engine = match engine.cmp(&person) {
            Ordering::Equal => side == engine_side,
            more => more.is_gt(),
        };
        if is_engine {
            concat!("Mainroad ", env!("CARGO_PKG_VERSION"))
        } else {
            "Player"
        }
    }
}

/// Returns the result that a side has won.
const fn points(winner: Side) -> &'static str {
    match winner {
        Side::White => "1-0",
        Side::Black => "0-1",
    }
}
