//! Where the games go when they are finished, in order: files, standard output, the journal.

use super::kept::Kept;
use super::pipeline::Sink;
use super::progress::{Counts, Progress};
use super::setting::Setting;
use super::study::{Worked, WorkedGame};
use super::wanted::{Out, Wanted};
use crate::cli::files::OutputFile;
use crate::cli::{Answered, Failure, Outcome, Streams, counted, on_one_line};
use crate::tools::analysis::Noted;
use std::collections::VecDeque;
use std::io;
use std::sync::Arc;

/// What is written, and how far it has got.
pub(super) struct Output<'a, 'b> {
    setting: &'a Setting,
    wanted: &'a Wanted,
    kept: Option<Kept>,
    progress: Progress,
    counts: Arc<Counts>,
    /// Games that are finished, those of earlier runs included.
    finished: usize,
    /// Part of the input was bad.
    is_bad: bool,
    /// Nobody reads standard output any more.
    is_closed: bool,
    streams: &'a mut Streams<'b>,
}

impl<'a, 'b> Output<'a, 'b> {
    /// Begins, or goes on behind games that are finished: their objects are written again.
    pub(super) fn new(
        setting: &'a Setting,
        wanted: &'a Wanted,
        kept: Option<Kept>,
        noted: &VecDeque<Noted>,
        counts: &Arc<Counts>,
        streams: &'a mut Streams<'b>,
    ) -> Result<Self, Failure> {
        let mut output = Self {
            setting,
            wanted,
            kept,
            progress: Progress::new(wanted.size()),
            counts: Arc::clone(counts),
            finished: noted.len(),
            is_bad: noted.iter().any(|game| game.is_bad),
            is_closed: false,
            streams,
        };
        if let Some(kept) = output.kept.as_mut().filter(|_| !noted.is_empty()) {
            let repeated = kept.repeat_json(output.streams.out);
            output.written(repeated)?;
            let games = counted(noted.len(), "game", "games");
            output.tell(&format!("mainroad: going on behind {games}"));
        }
        Ok(output)
    }

    fn tell(&mut self, line: &str) {
        self.progress.line(self.streams.err, &on_one_line(line));
    }

    /// Looks at how writing to standard output has gone. If files are written as well, the work goes on when nobody reads it.
    fn written(&mut self, written: Result<(), Failure>) -> Result<(), Failure> {
        match written {
            Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.is_closed = true;
                if self.kept.is_some() || self.wanted.has_report() {
                    Ok(())
                } else {
                    Err(Failure::Output(error))
                }
            }
            written => written,
        }
    }

    /// Ends the run: the file is put into its place, unless games are missing.
    pub(super) fn finish(mut self) -> Outcome {
        if self.setting.interrupt.is_given() {
            if let Some(kept) = &self.kept {
                let journal = kept.journal().display();
                let games = counted(self.finished, "game is", "games are");
                let line = format!(
                    "mainroad: interrupted: {games} kept in {journal}; the same command line goes on"
                );
                self.tell(&line);
            }
            return Ok(Answered::Interrupted);
        }
        if let Some(kept) = self.kept.take() {
            kept.finish()?;
        }
        Ok(if self.is_bad {
            Answered::No
        } else {
            Answered::Yes
        })
    }

    fn take_game(&mut self, game: &WorkedGame) -> Result<(), Failure> {
        self.finished += 1;
        let has_page = self.write_page(game.html.as_deref())?;
        if let Some(kept) = &mut self.kept {
            // A run that goes on behind this game must not forget that its page is missing.
            let is_bad = game.fault.is_some() || !has_page;
            kept.add(game.crc, &game.pdn, &game.json, is_bad)?;
        }
        if self.is_closed {
            return Ok(());
        }
        let text = match self.wanted.out {
            _ if self.wanted.is_json => &game.json[..],
            Out::Standard => game.pdn.as_bytes(),
            Out::File(_) => &[],
            Out::None => game.text.as_bytes(),
        };
        let out = &mut *self.streams.out;
        let written = out.write_all(text).and_then(|()| out.flush());
        self.written(written.map_err(Failure::from))
    }

    /// Writes the page of the last game, if one is wanted. `false` if something lies in its place that is no page, which is told of.
    fn write_page(&mut self, html: Option<&str>) -> Result<bool, Failure> {
        let Some((html, path)) = html.zip(self.wanted.report_file(self.finished)) else {
            return Ok(true);
        };
        if let Err(failure) = self.wanted.check_page(&path) {
            self.is_bad = true;
            self.tell(&format!("mainroad: error: {failure}"));
            return Ok(false);
        }
        OutputFile::at(&path)?.replace(html)?;
        Ok(true)
    }
}

impl Sink<Worked> for Output<'_, '_> {
    fn take(&mut self, result: Worked) -> Result<(), Failure> {
        for warning in self.setting.take_warnings() {
            self.tell(&format!("mainroad: warning: {warning}"));
        }
        let fault = match &result {
            Worked::Game(game) => game.fault.as_ref(),
            Worked::Bad(fault) => Some(fault),
            Worked::Fatal(fault) => return Err(Failure::Failed(fault.clone())),
        };
        if let Some(fault) = fault {
            self.is_bad = true;
            self.tell(&format!("mainroad: error: {fault}"));
        }
        if let Worked::Game(game) = &result {
            self.take_game(game)?;
            self.progress.game();
        }
        self.tick();
        Ok(())
    }

    fn tick(&mut self) {
        self.progress.tell(&self.counts, self.streams.err);
    }
}
