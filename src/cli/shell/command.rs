//! What a person types in the shell.

use std::str::FromStr;

/// A line, understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Command {
    /// Nothing.
    Empty,
    /// Has the engine move for the side to move.
    Go,
    /// Takes back the last move of the person, and the answer to it.
    Undo,
    /// Says what the engine would play.
    Hint,
    /// Says what the engine thinks of the position.
    Eval,
    /// Begins a game, perhaps another than before.
    New(Option<String>),
    /// Shows all settings, or changes one.
    Set(Option<(String, String)>),
    /// Offers a draw, or accepts one.
    Draw,
    /// Gives up.
    Resign,
    /// Lists the legal moves.
    Moves,
    /// Shows the board.
    Board,
    /// Shows the position as text, or sets one up.
    Fen(Option<String>),
    /// Adds the game to a file.
    Save(String),
    /// Lists the commands.
    Help,
    /// Leaves.
    Quit,
    /// Anything else should be a move.
    Move(String),
}

/// Says what a command lacks.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}, expected {usage}")]
pub(super) struct Misused {
    what: &'static str,
    usage: &'static str,
}

/// What `help` shows.
pub(super) const HELP: &str = "\
c3-d4, d4:f6, 22-18   plays a move, in letters or numbers, and the engine answers
go                    has the engine move for the side to move; you have the other side
undo                  takes back your last move and the answer
hint                  says what the engine would play
eval                  says what the engine thinks of the position
draw                  offers a draw, or accepts one
resign                gives the game up
moves                 lists the legal moves
board                 shows the board
fen [FEN]             shows the position as text, or sets one up
new [VARIANT]         begins a new game
set [NAME VALUE]      shows the settings, or changes one, such as: set move-time 5
save FILE             adds the game to a PDN file
quit                  leaves, as Ctrl-D does; Ctrl-C has the engine stop thinking and move
";

impl FromStr for Command {
    type Err = Misused;

    fn from_str(line: &str) -> Result<Self, Misused> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let argument = (!rest.is_empty()).then(|| rest.to_owned());
        Ok(match word.to_ascii_lowercase().as_str() {
            "" => Self::Empty,
            "go" => Self::Go,
            "undo" => Self::Undo,
            "hint" => Self::Hint,
            "eval" => Self::Eval,
            "new" => Self::New(argument),
            "set" => Self::Set(argument.map(|rest| setting(&rest)).transpose()?),
            "draw" => Self::Draw,
            "resign" => Self::Resign,
            "moves" => Self::Moves,
            "board" => Self::Board,
            "fen" => Self::Fen(argument),
            "save" => Self::Save(argument.ok_or(Misused {
                what: "save has no file",
                usage: "save FILE",
            })?),
            "help" | "?" => Self::Help,
            "quit" | "exit" => Self::Quit,
            // Such as `move c3-d4`.
            "move" if argument.is_some() => Self::Move(rest.to_owned()),
            _ => Self::Move(line.to_owned()),
        })
    }
}

/// Reads `NAME VALUE`, `NAME = VALUE` or `NAME=VALUE`.
fn setting(text: &str) -> Result<(String, String), Misused> {
    let split = text.split_once(|c: char| c == '=' || c.is_whitespace());
    let (name, value) = split.ok_or(Misused {
        what: "set has no value",
        usage: "set NAME VALUE",
    })?;
    let value = value.trim().trim_start_matches('=').trim();
    Ok((name.to_owned(), value.to_owned()))
}
