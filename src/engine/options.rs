//! The options, each declared once: Hub parameters and command-line flags are made from [`OPTIONS`].

use crate::eval::{Evaluation, UnknownEvaluation};
use crate::notation::hub::Numbering;
use crate::notation::shown;
use crate::rules::Variant;

/// The skill that is not limited.
pub const FULL_SKILL: u32 = 20;

/// The settings of an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The rule set.
    pub variant: Variant,
    /// How the squares of moves are numbered in Hub.
    pub squares: Numbering,
    /// Search threads.
    pub threads: usize,
    /// The size of the transposition table, in MiB.
    pub hash_mib: usize,
    /// Whether the user of the engine may let it think on the opponent's time.
    pub ponder: bool,
    /// Which book is used: `true`, `false`, `none`, or a path.
    pub book: String,
    /// How much worse than the best a book move may be, in hundredths of a man, where [`Self::book_variety`] lets it be chosen.
    pub book_margin: i32,
    /// How often, in percent, any of the book moves within the margin is played instead of the best.
    pub book_variety: u64,
    /// Which endgame tables are asked: `auto`, `embedded`, `none`, or a folder.
    pub tables: String,
    /// Whether draw rules end the game, in the search and in answers about it.
    pub draw_rules: bool,
    /// The evaluation.
    pub net: Evaluation,
    /// How many best lines a search reports.
    pub lines: usize,
    /// Time lost between the engine and the clock, in milliseconds for each move.
    pub overhead_ms: u64,
    /// The strength, 0 to [`FULL_SKILL`].
    pub skill: u32,
    /// What a draw by repetition or by rule costs the engine's side, in hundredths of a man.
    pub contempt: i32,
    /// What the choices of the book and of limited strength follow from; with 0 they differ each time.
    pub seed: u64,
    /// The file to which the conversation is appended; empty for none.
    pub log: String,
}

impl Default for Options {
    fn default() -> Self {
        let mut options = Self {
            variant: Variant::default(),
            squares: Numbering::default(),
            threads: 1,
            hash_mib: 1,
            ponder: false,
            book: String::new(),
            book_margin: 0,
            book_variety: 0,
            tables: String::new(),
            draw_rules: false,
            net: Evaluation::default(),
            lines: 1,
            overhead_ms: 0,
            skill: 0,
            contempt: 0,
            seed: 0,
            log: String::new(),
        };
        for spec in OPTIONS {
            options
                .set(spec.name, spec.default)
                .expect("every default is in its range");
        }
        options
    }
}

/// The type and range of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// `true` or `false`.
    Bool,
    /// A whole number within a range.
    Int {
        /// The smallest value.
        min: i64,
        /// The largest value.
        max: i64,
    },
    /// One of a list of words.
    Enum(&'static [&'static str]),
    /// Any text.
    Text,
}

/// The declaration of an option.
#[derive(Clone, Copy, Debug)]
pub struct OptionSpec {
    /// The name, in Hub and on the command line.
    pub name: &'static str,
    /// Type and range.
    pub kind: OptionKind,
    /// The value it has if nothing is said.
    pub default: &'static str,
    /// One sentence that says what it does, with its unit.
    pub help: &'static str,
}

/// Every option.
pub const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "variant",
        kind: OptionKind::Enum(&Variant::NAMES),
        default: "russian",
        help: "The rule set",
    },
    OptionSpec {
        name: "squares",
        kind: OptionKind::Enum(&["hub", "pdn"]),
        default: "hub",
        help: "The numbering of squares in moves of the protocol: hub counts from b8, pdn as PDN does (Russian and Brazilian from a1)",
    },
    OptionSpec {
        name: "threads",
        kind: OptionKind::Int { min: 1, max: 1024 },
        default: "1",
        help: "Search threads",
    },
    OptionSpec {
        name: "hash",
        kind: OptionKind::Int {
            min: 1,
            max: 1 << 20,
        },
        default: "256",
        help: "Size of the transposition table in MiB",
    },
    OptionSpec {
        name: "ponder",
        kind: OptionKind::Bool,
        default: "true",
        help: "Whether the engine may think on the opponent's time",
    },
    OptionSpec {
        name: "book",
        kind: OptionKind::Text,
        default: "true",
        help: "The opening book: true, false, none, or the path of a file or folder",
    },
    OptionSpec {
        name: "book-margin",
        kind: OptionKind::Int { min: 0, max: 100 },
        default: "0",
        help: "How much worse than the best a move of the book may be, in hundredths of a man, for book-variety to choose it",
    },
    OptionSpec {
        name: "book-variety",
        kind: OptionKind::Int { min: 0, max: 100 },
        default: "0",
        help: "How often any move of the book within book-margin is played, in percent; otherwise the best one is",
    },
    OptionSpec {
        name: "tables",
        kind: OptionKind::Text,
        default: "auto",
        help: "The endgame tables: auto (those in the program and the folder tables beside it), embedded, none, or the path of a folder besides",
    },
    OptionSpec {
        name: "draw-rules",
        kind: OptionKind::Bool,
        default: "true",
        help: "Whether draw rules end the game",
    },
    OptionSpec {
        name: "net",
        kind: OptionKind::Text,
        default: "default",
        help: "The evaluation: default (the learned one), handmade, material, or the path of a weights file",
    },
    OptionSpec {
        name: "lines",
        kind: OptionKind::Int { min: 1, max: 64 },
        default: "1",
        help: "The number of best lines that a search reports",
    },
    OptionSpec {
        name: "overhead",
        kind: OptionKind::Int { min: 0, max: 5000 },
        default: "50",
        help: "Time lost between the engine and the clock, in milliseconds a move",
    },
    OptionSpec {
        name: "skill",
        kind: OptionKind::Int {
            min: 0,
            max: FULL_SKILL as i64,
        },
        default: "20",
        help: "The strength in games, for training partners; analysis is always at full strength, which is 20",
    },
    OptionSpec {
        name: "contempt",
        kind: OptionKind::Int {
            min: -100,
            max: 100,
        },
        default: "0",
        help: "What a draw by repetition or by rule costs the engine in games, in hundredths of a man; negative if it is welcome",
    },
    OptionSpec {
        name: "seed",
        kind: OptionKind::Int {
            min: 0,
            max: u32::MAX as i64,
        },
        default: "0",
        help: "What the choices of book-variety and skill follow from; with 0 they differ each time",
    },
    OptionSpec {
        name: "log",
        kind: OptionKind::Text,
        default: "",
        help: "A file to which the conversation is appended with time stamps; empty for none",
    },
];

/// Says why an option was not set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// There is no option of this name.
    #[error("unknown option {0}")]
    Unknown(String),
    /// The value does not fit.
    #[error("bad value '{value}' of {name}, expected {expected}")]
    BadValue {
        /// The option.
        name: &'static str,
        /// The value as it was given; shortened if it is long, unless it is the path of an evaluation.
        value: String,
        /// What would fit.
        expected: String,
    },
}

impl OptionKind {
    /// Returns what a value must look like, in words.
    pub fn expected(self) -> String {
        match self {
            Self::Bool => "true or false".to_owned(),
            Self::Int { min, max } => format!("a whole number from {min} to {max}"),
            Self::Enum(words) => format!("one of {}", words.join(", ")),
            Self::Text => "a text".to_owned(),
        }
    }
}

impl OptionSpec {
    /// Returns the option of a name, if there is one.
    pub fn find(name: &str) -> Option<&'static Self> {
        OPTIONS.iter().find(|spec| spec.name == name)
    }

    fn bad(&self, value: &str) -> OptionError {
        OptionError::BadValue {
            name: self.name,
            value: shown(value),
            expected: self.kind.expected(),
        }
    }

    fn bool(&self, value: &str) -> Result<bool, OptionError> {
        value.parse().map_err(|_| self.bad(value))
    }

    fn int(&self, value: &str) -> Result<i64, OptionError> {
        let OptionKind::Int { min, max } = self.kind else {
            return Err(self.bad(value));
        };
        let number = value
            .parse::<i64>()
            .ok()
            .filter(|number| (min..=max).contains(number));
        number.ok_or_else(|| self.bad(value))
    }
}

impl Options {
    /// Sets an option from text; the files that it names are not opened, except that of an evaluation. On an error nothing changes.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        let spec = OptionSpec::find(name).ok_or_else(|| OptionError::Unknown(name.to_owned()))?;
        match name {
            "variant" => self.variant = value.parse().map_err(|_| spec.bad(value))?,
            "squares" => {
                self.squares = match value {
                    "hub" => Numbering::Hub,
                    "pdn" => Numbering::Pdn,
                    _ => return Err(spec.bad(value)),
                }
            }
            "threads" => self.threads = spec.int(value)? as usize,
            "hash" => self.hash_mib = spec.int(value)? as usize,
            "ponder" => self.ponder = spec.bool(value)?,
            "book" => value.clone_into(&mut self.book),
            "book-margin" => self.book_margin = spec.int(value)? as i32,
            "book-variety" => self.book_variety = spec.int(value)? as u64,
            "tables" => value.clone_into(&mut self.tables),
            "draw-rules" => self.draw_rules = spec.bool(value)?,
            "net" => {
                let net: Result<Evaluation, UnknownEvaluation> = value.parse();
                self.net = net.map_err(|error| OptionError::BadValue {
                    name: spec.name,
                    value: value.to_owned(),
                    expected: format!(
                        "default, handmade, material or a weights file ({})",
                        error.fault
                    ),
                })?;
            }
            "lines" => self.lines = spec.int(value)? as usize,
            "overhead" => self.overhead_ms = spec.int(value)? as u64,
            "skill" => self.skill = spec.int(value)? as u32,
            "contempt" => self.contempt = spec.int(value)? as i32,
            "seed" => self.seed = spec.int(value)? as u64,
            "log" => value.clone_into(&mut self.log),
            _ => unreachable!("every declared option is set above"),
        }
        Ok(())
    }

    /// Returns the value of an option as text, or `None` if there is no option of this name.
    pub fn value(&self, name: &str) -> Option<String> {
        Some(match name {
            "variant" => self.variant.to_string(),
            "squares" => match self.squares {
                Numbering::Hub => "hub".to_owned(),
                Numbering::Pdn => "pdn".to_owned(),
            },
            "threads" => self.threads.to_string(),
            "hash" => self.hash_mib.to_string(),
            "ponder" => self.ponder.to_string(),
            "book" => self.book.clone(),
            "book-margin" => self.book_margin.to_string(),
            "book-variety" => self.book_variety.to_string(),
            "tables" => self.tables.clone(),
            "draw-rules" => self.draw_rules.to_string(),
            "net" => self.net.to_string(),
            "lines" => self.lines.to_string(),
            "overhead" => self.overhead_ms.to_string(),
            "skill" => self.skill.to_string(),
            "contempt" => self.contempt.to_string(),
            "seed" => self.seed.to_string(),
            "log" => self.log.clone(),
            _ => return None,
        })
    }
}
