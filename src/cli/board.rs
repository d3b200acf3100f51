//! `mainroad board`: a picture of a position, and the position as text.

use super::files::OutputFile;
use super::json::{GameResult, numbers};
use super::options::{option_args, read_options};
use super::positions::{self, Answer};
use super::{Entry, Failure, Outcome, Streams};
use crate::board::{Position, Side};
use crate::notation::diagram::{self, Labels};
use crate::notation::svg::{self, LastMove};
use crate::notation::{fen, hub};
use crate::rules::{Game, Rules};
use crate::with_rules;
use clap::{Arg, ArgMatches, Command, ValueHint, value_parser};
use serde::Serialize;
use std::io::{self, Write};
use std::path::PathBuf;

pub(super) const ENTRY: Entry = Entry { command, run };

fn command() -> Command {
    let svg = Arg::new("svg")
        .long("svg")
        .value_name("FILE")
        .value_parser(value_parser!(PathBuf))
        .value_hint(ValueHint::FilePath)
        .help("A file for a diagram as SVG, replaced if it is there; \"-\" for standard output, without the text [default: none]");
    let labels = Arg::new("labels")
        .long("labels")
        .value_name("NAME")
        .value_parser(["numbers", "letters"])
        .help("How pictures name the squares [default: as the players of the game do]");
    Command::new("board")
        .about("Shows a position, or says what is wrong with it")
        .long_about(
            "Shows a position as a picture with the names of the squares, whose move it is, the position as FEN and as Hub \
             text, and the number of legal moves or how the game ended. With --svg it is also drawn for pages and paper, with the last \
             of --moves marked.\n\n\
             A position is refused if two pieces stand on one square, a piece stands on no dark square, a man stands on its promotion \
             row, or a side has more than 12 pieces; the error names every fault. A side without pieces is legal, and has lost.",
        )
        .args(positions::args())
        .args([svg, labels])
        .args(option_args(&["variant", "draw-rules"]))
        .after_help("Example: mainroad board --variant pool --moves '11-15 22-18 15x22' --svg diagram.svg")
}

fn run(args: &ArgMatches, streams: &mut Streams) -> Outcome {
    let options = read_options(args);
    let svg = SvgTarget::of(args)?;
    let labels = args.get_one::<String>("labels").map(String::as_str);
    with_rules!(options.variant, R => positions::answer::<R, _>(args, streams, |game| {
        let labels = match labels {
            Some("numbers") => Labels::Numbers,
            Some("letters") => Labels::Letters,
            _ => Labels::usual::<R>(),
        };
        let mut board = Board::of(game, options.draw_rules, labels);
        if let Some(target) = &svg {
            let diagram = svg::draw(game.position(), labels, LastMove::of(game, labels).as_ref());
            match target {
                SvgTarget::File(path) => OutputFile::at(path)?.replace(&diagram)?,
                SvgTarget::StandardOutput => board.text = diagram,
            }
        }
        Ok(board)
    }))
}

/// Where a diagram goes.
enum SvgTarget {
    File(PathBuf),
    StandardOutput,
}

impl SvgTarget {
    fn of(args: &ArgMatches) -> Result<Option<Self>, Failure> {
        let Some(path) = args.get_one::<PathBuf>("svg") else {
            return Ok(None);
        };
        let is_standard_output = path.as_os_str() == "-";
        if positions::are_many(args)? {
            let text = "--svg cannot be used with --fen -: a file holds one diagram";
            return Err(Failure::Usage(text.to_owned()));
        }
        if is_standard_output && args.get_flag("json") {
            let text = "--svg - cannot be used with --json: both write to standard output";
            return Err(Failure::Usage(text.to_owned()));
        }
        Ok(Some(if is_standard_output {
            Self::StandardOutput
        } else {
            Self::File(path.clone())
        }))
    }
}

/// The answer.
#[derive(Serialize)]
struct Board {
    variant: &'static str,
    fen: String,
    hub: String,
    turn: char,
    pieces: Pieces,
    legal_moves: usize,
    result: Option<GameResult>,
    /// What people read instead of the fields.
    #[serde(skip)]
    text: String,
}

/// The pieces of both sides.
#[derive(Serialize)]
struct Pieces {
    #[serde(rename = "W")]
    white: SidePieces,
    #[serde(rename = "B")]
    black: SidePieces,
}

/// The pieces of one side, by the numbers of their squares.
#[derive(Serialize)]
struct SidePieces {
    men: Vec<u8>,
    kings: Vec<u8>,
}

impl Board {
    fn of<R: Rules>(game: &Game<R>, draw_rules: bool, labels: Labels) -> Self {
        let pos = game.position();
        let board = Self {
            variant: R::VARIANT.name(),
            fen: fen::write(pos),
            hub: hub::write_position(pos),
            turn: pos.turn().letter(),
            pieces: Pieces {
                white: SidePieces::of(pos, Side::White),
                black: SidePieces::of(pos, Side::Black),
            },
            legal_moves: game.legal_moves().len(),
            result: GameResult::of(game, draw_rules),
            text: String::new(),
        };
        Self {
            text: board.to_text(pos, labels),
            ..board
        }
    }

    fn to_text(&self, pos: &Position, labels: Labels) -> String {
        // The picture ends with the line that says whose move it is.
        let picture = diagram::draw(pos, labels);
        let (fen, hub) = (&self.fen, &self.hub);
        let state = match (&self.result, self.legal_moves) {
            (Some(result), _) => result.to_string(),
            (None, 1) => "1 legal move".to_owned(),
            (None, count) => format!("{count} legal moves"),
        };
        let turn = pos.turn();
        let note = if pos.own().is_empty() {
            format!("{turn} has no pieces: legal, and lost\n")
        } else if pos.opp().is_empty() && self.result.is_none() {
            let opponent = turn.opponent();
            format!("{opponent} has no pieces: legal, and lost after any move\n")
        } else {
            String::new()
        };
        format!("{picture}\nFEN {fen}\nHub {hub}\n{state}\n{note}")
    }
}

impl SidePieces {
    fn of(pos: &Position, side: Side) -> Self {
        Self {
            men: numbers(pos.men(side)),
            kings: numbers(pos.kings(side)),
        }
    }
}

impl Answer for Board {
    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(self.text.as_bytes())
    }
}
