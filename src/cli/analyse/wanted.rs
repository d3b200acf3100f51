//! What is asked for of the games: which files are read, and what is made of each game.

use super::setting::Setting;
use crate::cli::Failure;
use crate::cli::files::{OutputFile, is_same};
use crate::cli::pdn::{is_dash, unreadable};
use crate::rules::Variant;
use crate::tools::analysis::{REPORT_HEAD, is_report};
use clap::ArgMatches;
use serde_json::{Map, Value, json};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Where the games go.
pub(super) enum Out {
    File(PathBuf),
    Standard,
    None,
}

/// What is asked for.
pub(super) struct Wanted {
    pub(super) files: Vec<PathBuf>,
    pub(super) out: Out,
    /// The page of the first game.
    report: Option<PathBuf>,
    pub(super) is_json: bool,
}

impl Wanted {
    /// Reads the arguments, and makes sure that what is named can be read and written.
    pub(super) fn read(args: &ArgMatches) -> Result<Self, Failure> {
        let files: Vec<PathBuf> = args
            .get_many("files")
            .into_iter()
            .flatten()
            .cloned()
            .collect();
        let out: Option<&PathBuf> = args.get_one("out");
        let wanted = Self {
            out: match out {
                None => Out::None,
                Some(path) if is_dash(path) => Out::Standard,
                Some(path) => Out::File(path.clone()),
            },
            report: args.get_one("report").cloned(),
            is_json: args.get_flag("json"),
            files,
        };
        if wanted.is_json && matches!(wanted.out, Out::Standard) {
            let text = "--out - cannot be used with --json: both write to standard output";
            return Err(Failure::Usage(text.to_owned()));
        }
        if wanted.report.as_deref().is_some_and(is_dash) {
            let text =
                "--report - is not possible: there is a page for each game, expected FILE.html";
            return Err(Failure::Usage(text.to_owned()));
        }
        if out.is_some() && out == wanted.report.as_ref() {
            let text = "--out and --report name the same file";
            return Err(Failure::Usage(text.to_owned()));
        }
        if wanted.files.iter().filter(|path| is_dash(path)).count() > 1 {
            let text = "standard input can be read only once";
            return Err(Failure::Usage(text.to_owned()));
        }
        // Before hours of work, not behind them.
        for path in wanted.files.iter().filter(|path| !is_dash(path)) {
            check_readable(path).map_err(|error| unreadable(path, &error))?;
            wanted.check_not_replaced(path)?;
        }
        if let Some(path) = &wanted.report {
            wanted.check_page(path)?;
            OutputFile::at(path)?;
        }
        Ok(wanted)
    }

    /// Refuses to replace the games that are read by what is made of them.
    fn check_not_replaced(&self, input: &Path) -> Result<(), Failure> {
        let out = match &self.out {
            Out::File(path) => Some(path),
            Out::Standard | Out::None => None,
        };
        for output in out.into_iter().chain(&self.report) {
            if is_same(input, output) {
                return Err(Failure::Failed(format!(
                    "bad output: {}: it is one of the files that are read, expected another",
                    output.display()
                )));
            }
        }
        Ok(())
    }

    /// Refuses to put a page in the place of anything but a page: the names of all but the first are made up, so that nobody has seen what they
    /// would replace. A file with nothing in it may be replaced too.
    pub(super) fn check_page(&self, path: &Path) -> Result<(), Failure> {
        let failed = |what: &str| {
            let path = path.display();
            Failure::Failed(format!(
                "cannot write: {path}: {what}, expected a page of an earlier analysis or no such file"
            ))
        };
        if matches!(&self.out, Out::File(out) if is_same(path, out)) {
            return Err(failed("it is the file of --out"));
        }
        let mut head = Vec::new();
        let read = File::open(path).and_then(|file| {
            if !file.metadata()?.is_file() {
                return Err(io::ErrorKind::NotFound.into());
            }
            file.take(REPORT_HEAD as u64).read_to_end(&mut head)
        });
        match read {
            Ok(_) if head.is_empty() || is_report(&head) => Ok(()),
            Ok(_) => Err(failed("it is there, and no page of mainroad analyse")),
            // What is no file is refused when it is written.
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(failed(&error.to_string())),
        }
    }

    /// Returns the size of the input in bytes, if it is known.
    pub(super) fn size(&self) -> Option<u64> {
        let size = |path: &PathBuf| {
            let metadata = fs::metadata(path).ok().filter(fs::Metadata::is_file);
            metadata.map(|metadata| metadata.len())
        };
        self.files.iter().map(size).sum()
    }

    /// Says whether pages are wanted.
    pub(super) fn has_report(&self) -> bool {
        self.report.is_some()
    }

    /// Returns what another run must have in common with this one to go on with it.
    pub(super) fn plan(&self, setting: &Setting) -> Map<String, Value> {
        let options = &setting.options;
        let effort = &setting.effort;
        let files: Vec<String> = self
            .files
            .iter()
            .map(|path| path.display().to_string())
            .collect();
        let plan = json!({
            "version": env!("CARGO_PKG_VERSION"),
            "files": files,
            "variant": setting.variant().map(Variant::name),
            "depth": effort.depth,
            "nodes": effort.nodes,
            "time": effort.time.map(|time| time.as_secs_f64()),
            "lines": effort.lines,
            "hash": setting.hash_mib(),
            "tables": setting.tables(),
            "net": setting.net(),
            "draw-rules": options.draw_rules,
            "json": self.is_json,
            "report": self.report.as_ref().map(|path| path.display().to_string()),
        });
        match plan {
            Value::Object(plan) => plan,
            _ => unreachable!("it is an object"),
        }
    }

    /// Returns the file for the page of a game, by its place among all games, from 1.
    pub(super) fn report_file(&self, place: usize) -> Option<PathBuf> {
        let path = self.report.as_ref()?;
        if place == 1 {
            return Some(path.clone());
        }
        let mut name = path.file_stem().unwrap_or_default().to_owned();
        name.push(format!("-{place}"));
        if let Some(extension) = path.extension() {
            name.push(".");
            name.push(extension);
        }
        Some(path.with_file_name(name))
    }
}

/// Makes sure that a file can be read. What is no file, such as a pipe, is not opened: that would look to the other end like a reader who leaves.
fn check_readable(path: &Path) -> io::Result<()> {
    let metadata = fs::metadata(path)?;
    if metadata.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if metadata.is_file() {
        File::open(path)?;
    }
    Ok(())
}
