//! The journals of matches: a line with the plan and the part of it, then a line for each finished game.

use super::args::Wanted;
use crate::cli::Failure;
use crate::tools::journal::{Journal, JournalError};
use crate::tools::matches::{Header, Plan, Record, Standings};
use crate::tools::shard::Shard;
use crate::tools::stop::Stop;
use crossbeam_channel::RecvTimeoutError;
use serde_json::Value;
use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long a finished game waits for a disk that takes nothing.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often it is tried again.
const PAUSE: Duration = Duration::from_millis(500);

/// Where the finished games of this process go.
pub(super) enum MatchJournal {
    /// A file.
    File(PathBuf, Journal),
    /// Nowhere.
    None,
}

impl MatchJournal {
    /// Opens the journal of a match, or begins it, and returns the games that are in it.
    pub(super) fn open(wanted: &Wanted) -> Result<(Self, Vec<Record>), Failure> {
        let Some(path) = &wanted.journal else {
            return Ok((Self::None, Vec::new()));
        };
        let failed = |error: JournalError| failure(path, &error);
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path);
        let file = file.map_err(|error| failed(error.into()))?;
        let is_file = file.metadata().is_ok_and(|metadata| metadata.is_file());
        if !is_file {
            let name = path.display();
            return Err(Failure::Failed(format!(
                "bad journal: {name}: expected a regular file"
            )));
        }
        let (mut journal, lines) = Journal::open(file).map_err(failed)?;
        let header = Header::new(&wanted.plan, wanted.shard);
        let records = if lines.is_empty() {
            journal.add(&header).map_err(|error| failed(error.into()))?;
            Vec::new()
        } else {
            let (found, records) = understand(path, lines)?;
            let different = found.plan.difference(&wanted.plan);
            let different = different.or((found.shard != header.shard).then_some("shard"));
            if let Some(part) = different {
                let name = path.display();
                return Err(Failure::Failed(format!(
                    "bad journal: {name}: it is of another match ({part} differs), expected one of this match or a new file"
                )));
            }
            records
        };
        Ok((Self::File(path.clone(), journal), records))
    }

    /// Adds a game. A disk that is full gets a little time.
    pub(super) fn add(&mut self, record: &Record, stop: &Stop) -> Result<(), Failure> {
        let Self::File(path, journal) = self else {
            return Ok(());
        };
        let deadline = Instant::now() + PATIENCE;
        loop {
            let Err(error) = journal.add(record) else {
                return Ok(());
            };
            // Whoever wants to end the match does not want to wait.
            let is_over = Instant::now() >= deadline
                || stop.channel().recv_timeout(PAUSE) != Err(RecvTimeoutError::Timeout);
            if is_over {
                return Err(failure(path, &error.into()));
            }
        }
    }
}

fn failure(path: &Path, error: &JournalError) -> Failure {
    Failure::Failed(format!("journal: {}: {error}", path.display()))
}

/// Reads the lines of a journal.
fn understand(path: &Path, lines: Vec<Value>) -> Result<(Header, Vec<Record>), Failure> {
    Header::understand(lines)
        .map_err(|fault| Failure::Failed(format!("bad journal: {}: {fault}", path.display())))
}

/// Reads the journals of the parts of one match.
pub(super) fn read_parts(paths: &[&PathBuf]) -> Result<(Plan, Vec<Record>), Failure> {
    let mut plan: Option<Plan> = None;
    let mut all = Vec::new();
    for path in paths {
        let lines = File::open(path)
            .map_err(JournalError::from)
            .and_then(|mut file| Journal::lines(&mut file));
        let lines = lines.map_err(|error| failure(path, &error))?;
        let (header, records) = understand(path, lines)?;
        if let Some(part) = plan.as_ref().and_then(|plan| plan.difference(&header.plan)) {
            return Err(Failure::Failed(format!(
                "cannot merge: {}: it is of another match than {} ({part} differs)",
                path.display(),
                paths[0].display()
            )));
        }
        plan.get_or_insert(header.plan);
        all.extend(records);
    }
    Ok((plan.expect("there is at least one file"), all))
}

/// Returns the text of one journal with all games of a match.
pub(super) fn text(standings: &Standings) -> Result<String, Failure> {
    let failed = |error: serde_json::Error| Failure::Failed(error.to_string());
    let header = Header::new(standings.plan(), Shard::default());
    let mut text = serde_json::to_string(&header).map_err(failed)?;
    text.push('\n');
    for record in standings.records() {
        text.push_str(&serde_json::to_string(record).map_err(failed)?);
        text.push('\n');
    }
    Ok(text)
}
