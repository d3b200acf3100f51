//! The games of files and of standard input, one after the other, in constant memory.

use super::progress::Counts;
use crate::cli::pdn::{is_dash, unreadable};
use crate::notation::pdn::{self, Reader};
use crate::rules::Variant;
use crate::tools::analysis::Noted;
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// What the reader finds.
pub(super) enum Input {
    /// A game to be analysed.
    Game(Box<InputGame>),
    /// A file that cannot be read any further. The others can.
    BadFile(String),
    /// The input is not that of the run that this one is to go on with.
    Changed(String),
}

/// A game as it was read.
pub(super) struct InputGame {
    /// The name of its file.
    pub(super) file: String,
    /// The game.
    pub(super) tree: pdn::Game,
    /// The size of its text, about, for the progress.
    pub(super) bytes: u64,
    /// The checksum of what was read.
    pub(super) crc: u32,
}

/// Returns the games of files, but those that have been done before.
pub(super) fn games(
    paths: Vec<PathBuf>,
    variant: Option<Variant>,
    noted: VecDeque<Noted>,
    counts: Arc<Counts>,
) -> impl Iterator<Item = Input> {
    let games = paths
        .into_iter()
        .flat_map(move |path| games_of(path, variant));
    Checked {
        games,
        noted,
        counts,
        is_over: false,
    }
}

/// Tells whether there is but one game, if anybody wants to know, and passes all on.
pub(super) fn announce(
    mut games: impl Iterator<Item = Input>,
    is_asked: bool,
    tell: impl FnOnce(bool),
) -> impl Iterator<Item = Input> {
    let ahead = if is_asked { 2 } else { 0 };
    let first: Vec<Input> = games.by_ref().take(ahead).collect();
    tell(is_asked && first.len() < ahead);
    first.into_iter().chain(games)
}

/// Leaves out the games that have been done before, and makes sure that they still are the same.
struct Checked<I> {
    games: I,
    noted: VecDeque<Noted>,
    counts: Arc<Counts>,
    is_over: bool,
}

impl<I: Iterator<Item = Input>> Iterator for Checked<I> {
    type Item = Input;

    fn next(&mut self) -> Option<Input> {
        if self.is_over {
            return None;
        }
        while let Some(noted) = self.noted.front() {
            let what = match self.games.next() {
                Some(Input::Game(game)) if game.crc == noted.crc => {
                    self.noted.pop_front();
                    self.counts.skip(game.bytes);
                    continue;
                }
                Some(Input::Game(game)) => format!("game {} of {}", game.tree.number, game.file),
                // It is no game, so it is not noted and takes the place of none that is.
                Some(other) => return Some(other),
                None => "the number of games".to_owned(),
            };
            self.is_over = true;
            return Some(Input::Changed(format!(
                "bad input: {what} is not what it was when the analysis began, expected the same games; remove the journal to begin anew"
            )));
        }
        self.games.next()
    }
}

/// Returns the games of a file. What goes wrong in reading it ends this file, not the others.
fn games_of(path: PathBuf, variant: Option<Variant>) -> Box<dyn Iterator<Item = Input>> {
    let opened: io::Result<Box<dyn Read>> = if is_dash(&path) {
        Ok(Box::new(io::stdin().lock()))
    } else {
        File::open(&path).map(|file| Box::new(file) as Box<dyn Read>)
    };
    let from = match opened {
        Ok(from) => from,
        Err(error) => {
            let failure = unreadable(&path, &error).to_string();
            return Box::new(std::iter::once(Input::BadFile(failure)));
        }
    };
    let read = Arc::new(AtomicU64::new(0));
    let counted = Counted {
        from,
        read: Arc::clone(&read),
    };
    let mut last = 0;
    let mut is_over = false;
    let games = Reader::new(BufReader::new(counted), variant).map_while(move |game| {
        if is_over {
            return None;
        }
        let now = read.load(Relaxed);
        let bytes = now - std::mem::replace(&mut last, now);
        Some(match game {
            Ok(tree) => Input::Game(Box::new(InputGame {
                file: path.display().to_string(),
                crc: crc32fast::hash(pdn::write(&tree, None).as_bytes()),
                tree,
                bytes,
            })),
            Err(error) => {
                is_over = true;
                Input::BadFile(unreadable(&path, &error).to_string())
            }
        })
    });
    Box::new(games)
}

/// Counts what is read.
struct Counted {
    from: Box<dyn Read>,
    read: Arc<AtomicU64>,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.from.read(buffer)?;
        self.read.fetch_add(count as u64, Relaxed);
        Ok(count)
    }
}
