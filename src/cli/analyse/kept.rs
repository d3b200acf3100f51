//! What an analysis has finished, kept beside the file that it is to become, so that it goes on after any kind of end.
//!
//! Finished games are added to `FILE.part` (with `--json` their objects to `FILE.part.jsonl`), and then noted in `FILE.journal`: when a line of
//! the journal is there, so is all that it stands for. A run that finds a journal cuts the parts off behind what is noted, checks that they and
//! the games of the input are still the same, and goes on behind them. At the end the part becomes the file.

use crate::cli::Failure;
use crate::cli::files::{OutputFile, unwritable};
use crate::tools::journal::{Journal, JournalError};
use crc32fast::Hasher;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::VecDeque;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// What a journal begins with.
const MARK: &str = "mainroad analyse 2";

/// A game that is finished, as the journal has it.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(super) struct Noted {
    /// The checksum of the game as it was read.
    pub(super) crc: u32,
    /// The part up to the end of the game.
    pdn: Extent,
    /// The same of the objects.
    json: Extent,
    /// Something was wrong with it, or its page is missing.
    pub(super) is_bad: bool,
}

/// The beginning of a file: its length in bytes, and its checksum.
#[derive(Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Extent {
    length: u64,
    crc: u32,
}

/// The files of a run.
pub(super) struct Kept {
    journal: Journal,
    journal_path: PathBuf,
    out: OutputFile,
    pdn: Part,
    /// Not there if no JSON is wanted.
    json: Option<Part>,
}

/// A file that grows.
struct Part {
    path: PathBuf,
    file: File,
    length: u64,
    /// Of all that is in it.
    hasher: Hasher,
}

impl Part {
    /// Opens a part of a file, cut off behind what was noted of it. `None` if it does not begin with that.
    fn open(path: PathBuf, noted: Extent, out: &OutputFile) -> Result<Option<Self>, Failure> {
        let open = || {
            let mut options = OpenOptions::new();
            let options = options.read(true).write(true).create(true).truncate(false);
            let mut file = options.open(&path)?;
            if file.metadata()?.len() == 0 {
                out.protect(&file)?;
            }
            let mut hasher = Hasher::new();
            let mut kept = io::BufReader::new(&file).take(noted.length);
            let length = io::copy(&mut kept, &mut Sum(&mut hasher))?;
            let crc = hasher.clone().finalize();
            let is_as_noted = noted == Extent { length, crc };
            if is_as_noted {
                file.set_len(length)?;
                file.seek(SeekFrom::Start(length))?;
            }
            Ok((file, is_as_noted, hasher))
        };
        let (file, is_as_noted, hasher) = open().map_err(|error| unwritable(&path, &error))?;
        let length = noted.length;
        Ok(is_as_noted.then_some(Self {
            path,
            file,
            length,
            hasher,
        }))
    }

    /// Adds a text. It is on the disk when this returns.
    fn add(&mut self, text: &[u8]) -> Result<(), Failure> {
        let mut write = || {
            self.file.write_all(text)?;
            self.file.sync_data()
        };
        write().map_err(|error| unwritable(&self.path, &error))?;
        self.length += text.len() as u64;
        self.hasher.update(text);
        Ok(())
    }

    /// Returns all that is in it.
    fn extent(&self) -> Extent {
        Extent {
            length: self.length,
            crc: self.hasher.clone().finalize(),
        }
    }
}

/// Adds what is written to a checksum.
struct Sum<'a>(&'a mut Hasher);

impl Write for Sum<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
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
        let pdn = Part::open(part_path.clone(), pdn, &out)?.ok_or_else(|| other(&part_path))?;
        let json = if is_json {
            let path = out.beside("part.jsonl");
            let part = Part::open(path.clone(), objects, &out)?;
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
        let Some(part) = &mut self.json else {
            return Ok(());
        };
        let failed = |error: io::Error| unwritable(&part.path, &error);
        part.file.seek(SeekFrom::Start(0)).map_err(failed)?;
        let mut from = io::BufReader::new(&part.file);
        let copied = io::copy(&mut from, out);
        part.file
            .seek(SeekFrom::Start(part.length))
            .map_err(failed)?;
        copied?;
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
        let noted = Noted {
            crc,
            pdn: self.pdn.extent(),
            json: self.json.as_ref().map(Part::extent).unwrap_or_default(),
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
            return Ok((journal, understand(path, lines, plan)?));
        }
        let _ = fs::remove_file(path);
        (journal, _) = open_journal(path)?;
    }
    let mut header = Map::new();
    header.insert("journal".to_owned(), MARK.into());
    header.extend(plan.clone());
    let added = journal.add(&header);
    added.map_err(|error| unwritable(path, &error))?;
    Ok((journal, VecDeque::new()))
}

fn open_journal(path: &Path) -> Result<(Journal, Vec<Value>), Failure> {
    let failed =
        |error: JournalError| Failure::Failed(format!("bad journal: {}: {error}", path.display()));
    let mut options = OpenOptions::new();
    let options = options.read(true).write(true).create(true).truncate(false);
    let file = options.open(path).map_err(|error| failed(error.into()))?;
    Journal::open(file).map_err(failed)
}

/// Checks that a journal is of the same analysis, and returns the games in it.
fn understand(
    path: &Path,
    lines: Vec<Value>,
    plan: &Map<String, Value>,
) -> Result<VecDeque<Noted>, Failure> {
    let bad = |what: &str| {
        Failure::Failed(format!(
            "bad journal: {}: {what}, expected the same command line as before, or no such file",
            path.display()
        ))
    };
    let mut lines = lines.into_iter();
    let header = lines.next().and_then(|line| match line {
        Value::Object(header) => Some(header),
        _ => None,
    });
    let header = header.filter(|header| header.get("journal") == Some(&Value::from(MARK)));
    let header = header.ok_or_else(|| bad("it is not of an analysis"))?;
    let mut names = plan.keys();
    if let Some(name) = names.find(|&name| header.get(name) != plan.get(name)) {
        return Err(bad(&format!("it is of another analysis ({name} differs)")));
    }
    let read = |(number, line): (usize, Value)| {
        serde_json::from_value(line).map_err(|_| bad(&format!("line {number} is not a game")))
    };
    (2..).zip(lines).map(read).collect()
}
