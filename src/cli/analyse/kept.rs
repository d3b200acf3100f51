//! What an analysis has finished, kept beside the file that it is to become, so that it goes on after any kind of end.
//!
//! Finished games are added to `FILE.part` (with `--json` their objects to `FILE.part.jsonl`), and then noted in `FILE.journal`: when a line of
//! the journal is there, so is all that it stands for. A run that finds a journal cuts the parts off behind what is noted, checks that they and
//! the games of the input are still the same, and goes on behind them. At the end the part becomes the file.

use crate::cli::Failure;
use crate::cli::files::{OutputFile, unwritable};
use crate::tools::analysis::{Extent, Noted, Part, header, understand};
use crate::tools::journal::{Journal, JournalError};
use serde_json::{Map, Value};
use std::collections::VecDeque;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The files of a run.
pub(super) struct Kept {
    journal: Journal,
    journal_path: PathBuf,
    out: OutputFile,
    pdn: PartFile,
    /// Not there if no JSON is wanted.
    json: Option<PartFile>,
}

/// A part, and where it is.
struct PartFile {
    path: PathBuf,
    part: Part,
}

impl PartFile {
    /// Opens a part of a file, cut off behind what was noted of it. `None` if it does not begin with that.
    fn open(path: PathBuf, noted: Extent, out: &OutputFile) -> Result<Option<Self>, Failure> {
        let open = || {
            let mut options = OpenOptions::new();
            let options = options.read(true).write(true).create(true).truncate(false);
            let file = options.open(&path)?;
            if file.metadata()?.len() == 0 {
                out.protect(&file)?;
            }
            Part::open(file, noted)
        };
        let part = open().map_err(|error| unwritable(&path, &error))?;
        Ok(part.map(|part| Self { path, part }))
    }

    /// Adds a text. It is on the disk when this returns.
    fn add(&mut self, text: &[u8]) -> Result<(), Failure> {
        let added = self.part.add(text);
        added.map_err(|error| unwritable(&self.path, &error))
    }
}

/// Refuses to begin where parts lie that no journal speaks of: they are somebody else's.
fn refuse_foreign(journal: &Path, parts: [&Path; 2]) -> Result<(), Failure> {
    let length = |path: &Path| fs::metadata(path).map_or(0, |metadata| metadata.len());
    if length(journal) > 0 {
        return Ok(());
    }
    match parts.into_iter().find(|part| length(part) > 0) {
        Some(part) => Err(Failure::Failed(format!(
            "cannot write: {}: it is there, and would be overwritten; expected a journal {} beside it, or no such file",
            part.display(),
            journal.display()
        ))),
        None => Ok(()),
    }
}

impl Kept {
    /// Opens what an earlier run with the same plan has left, or begins anew. Returns the games that are finished.
    pub(super) fn open(
        path: &Path,
        plan: &Map<String, Value>,
        is_json: bool,
    ) -> Result<(Self, VecDeque<Noted>), Failure> {
        let out = OutputFile::at(path)?;
        let journal_path = out.beside("journal");
        let part_path = out.beside("part");
        refuse_foreign(&journal_path, [&part_path, &out.beside("part.jsonl")])?;
        let (journal, noted) = take_up(&journal_path, &part_path, plan)?;
        let last = noted.back();
        let (pdn, objects) = last.map_or_else(Default::default, |last| (last.pdn, last.json));
        let other = |path: &Path| {
            Failure::Failed(format!(
                "bad journal: {}: it notes something else than is in {}, expected both as they were left; remove them to begin anew",
                journal_path.display(),
                path.display()
            ))
        };
        let pdn = PartFile::open(part_path.clone(), pdn, &out)?;
        let pdn = pdn.ok_or_else(|| other(&part_path))?;
        let json = if is_json {
            let path = out.beside("part.jsonl");
            let part = PartFile::open(path.clone(), objects, &out)?;
            Some(part.ok_or_else(|| other(&path))?)
        } else {
            None
        };
        let kept = Self {
            journal,
            journal_path,
            out,
            pdn,
            json,
        };
        Ok((kept, noted))
    }

    /// Writes the objects of the games that were finished before.
    pub(super) fn repeat_json(&mut self, out: &mut dyn Write) -> Result<(), Failure> {
        if let Some(json) = &mut self.json {
            json.part.repeat(out)?;
        }
        Ok(())
    }

    /// Keeps a game.
    pub(super) fn add(
        &mut self,
        crc: u32,
        pdn: &str,
        json: &[u8],
        is_bad: bool,
    ) -> Result<(), Failure> {
        self.pdn.add(pdn.as_bytes())?;
        if let Some(part) = &mut self.json {
            part.add(json)?;
        }
        let json = self.json.as_ref().map(|json| json.part.extent());
        let noted = Noted {
            crc,
            pdn: self.pdn.part.extent(),
            json: json.unwrap_or_default(),
            is_bad,
        };
        let added = self.journal.add(&noted);
        added.map_err(|error| unwritable(&self.journal_path, &error))
    }

    /// Makes the part the file that was asked for.
    pub(super) fn finish(self) -> Result<(), Failure> {
        self.out.take_over(&self.pdn.path)?;
        // The journal last: without it, a part would be taken for somebody else's.
        let leftovers = [
            self.json.as_ref().map(|part| &part.path),
            Some(&self.journal_path),
        ];
        for path in leftovers.into_iter().flatten() {
            fs::remove_file(path).map_err(|error| unwritable(path, &error))?;
        }
        Ok(())
    }

    /// Returns where the journal is.
    pub(super) fn journal(&self) -> &Path {
        &self.journal_path
    }
}

/// Opens a journal, and returns the games in it; one without its part is begun anew: its run was ended before the part was there, or when it was
/// complete but for the removal of its journal.
fn take_up(
    path: &Path,
    part: &Path,
    plan: &Map<String, Value>,
) -> Result<(Journal, VecDeque<Noted>), Failure> {
    let (mut journal, lines) = open_journal(path)?;
    if !lines.is_empty() {
        if part.exists() {
            let games = understand(lines, plan).map_err(|other| {
                Failure::Failed(format!(
                    "bad journal: {}: {other}, expected the same command line as before, or no such file",
                    path.display()
                ))
            })?;
            return Ok((journal, games));
        }
        let _ = fs::remove_file(path);
        (journal, _) = open_journal(path)?;
    }
    let added = journal.add(&header(plan));
    added.map_err(|error| unwritable(path, &error))?;
    Ok((journal, VecDeque::new()))
}

fn open_journal(path: &Path) -> Result<(Journal, Vec<Value>), Failure> {
    let failed =
        |error: JournalError| Failure::Failed(format!("bad journal: {}: {error}", path.display()));
    // To open a pipe would wait for ever, and a device has no end.
    if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
        return Err(failed(io::Error::other("expected a regular file").into()));
    }
    let mut options = OpenOptions::new();
    let options = options.read(true).write(true).create(true).truncate(false);
    let file = options.open(path).map_err(|error| failed(error.into()))?;
    Journal::open(file).map_err(failed)
}
