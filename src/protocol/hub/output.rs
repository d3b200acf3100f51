//! Writing replies: each line is flushed, and none follows the one before too closely.

use super::message::Reply;
use crate::protocol::log::Log;
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// Some clients (py-draughts) wait for input with `select` on a buffered stream and miss a line that arrives in the same
/// read as another. The handshake and `done` keep this distance from the line before.
const PAUSE: Duration = Duration::from_millis(1);

/// The most characters of an error message.
const LONGEST_ERROR: usize = 250;

/// The way to the client.
pub(super) struct Output<W> {
    to: W,
    pub(super) log: Option<Log>,
    last_line: Option<Instant>,
}

impl<W: Write> Output<W> {
    pub(super) fn new(to: W) -> Self {
        Self {
            to,
            log: None,
            last_line: None,
        }
    }

    /// Writes a reply.
    pub(super) fn reply(&mut self, reply: &Reply) -> io::Result<()> {
        let line = reply.to_string();
        writeln!(self.to, "{line}")?;
        self.to.flush()?;
        self.last_line = Some(Instant::now());
        self.note('<', &line);
        Ok(())
    }

    /// Writes a reply that a client may be waiting for behind another line.
    pub(super) fn reply_apart(&mut self, reply: &Reply) -> io::Result<()> {
        if let Some(last_line) = self.last_line {
            std::thread::sleep(PAUSE.saturating_sub(last_line.elapsed()));
        }
        self.reply(reply)
    }

    /// Writes an error, cut where it repeats very much of what was sent.
    pub(super) fn error(&mut self, message: &impl ToString) -> io::Result<()> {
        let mut text = message.to_string();
        if let Some((end, _)) = text.char_indices().nth(LONGEST_ERROR) {
            text.truncate(end);
            text.push('…');
        }
        self.reply(&Reply::Error(text))
    }

    /// Writes a line to the log alone.
    pub(super) fn note(&mut self, mark: char, text: &str) {
        if let Some(log) = &mut self.log {
            log.line(mark, text);
        }
    }
}
