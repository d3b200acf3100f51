//! Analysis: what positions are worth, what each move of a game gave away, and the game written back with all that.
//!
//! [`assess`] searches one position. [`analyse`] goes through a game from its last position to its first with one transposition table,
//! so that what is found late in the game is known where it was decided; a move is judged by what the position was worth before it and
//! is worth behind it (`judge`). [`annotate`] puts scores, marks and better lines into the game as it was read, and [`report`] makes a page
//! of it. Nothing here opens files; what is kept of a run, so that another goes on behind it, is read and written by [`Part`] and [`understand`].
//!
//! With one thread and a limit of depth or nodes, what is found is a function of the game, the options and the tables.

mod annotate;
mod exact;
mod game;
mod interrupt;
mod judge;
mod kept;
mod position;
mod report;
mod worth;

pub use annotate::annotate;
pub use game::{AnalysedGame, Stage, analyse};
pub use interrupt::Interrupt;
pub use judge::{Judgement, Mark, PlayerSummary};
pub use kept::{Extent, Noted, OtherJournal, Part, header, understand};
pub use position::{Assessment, Effort, Line, Means, assess};
pub use report::{REPORT_HEAD, is_report, report};
pub use worth::{Length, Worth};
