//! The bytes of a DXP connection: messages with a NUL behind each, of which a read may bring several, or a part of one.

use super::message::{LONGEST, Message, MessageError};
use crate::protocol::log::Log;
use std::io::{self, BufRead, Write};
use std::thread;
use std::time::{Duration, Instant};

/// Some clients (pydraughts, and DXC100 before it) take what one read brings for one message and lose the rest. So no message follows
/// another sooner than this.
pub(crate) const PAUSE: Duration = Duration::from_millis(20);

/// Reads the next message, or says why what came is none; `None` at the end of the input.
///
/// A message that is too long is skipped to its NUL, and kept nowhere. A last one without NUL is lost, since nobody knows whether it
/// is complete.
pub(crate) fn read(input: &mut impl BufRead) -> io::Result<Option<Frame>> {
    let mut bytes = Vec::new();
    loop {
        let chunk = match input.fill_buf() {
            Ok(chunk) => chunk,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if chunk.is_empty() {
            return Ok(None);
        }
        let end = chunk.iter().position(|&byte| byte == 0);
        let part = &chunk[..end.unwrap_or(chunk.len())];
        // One byte more than is allowed is enough to know that it is too long.
        let room = LONGEST + 1 - bytes.len();
        bytes.extend_from_slice(&part[..part.len().min(room)]);
        let used = part.len() + usize::from(end.is_some());
        input.consume(used);
        if end.is_some() {
            return Ok(Some(Frame::new(&bytes)));
        }
    }
}

/// What stood before a NUL.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    /// Its text, for the log; what is not UTF-8 is replaced.
    pub(crate) text: String,
    /// What it means.
    pub(crate) message: Result<Message, MessageError>,
    /// When it came.
    pub(crate) at: Instant,
}

impl Frame {
    fn new(bytes: &[u8]) -> Self {
        let text = String::from_utf8_lossy(bytes).into_owned();
        // Clients that think in lines send line ends as well.
        let message = text.trim_matches(['\r', '\n']).parse();
        Self {
            text,
            message,
            at: Instant::now(),
        }
    }
}

/// The way to the other side, with the log of both ways.
pub(crate) struct Sender<W> {
    to: W,
    log: Option<Log>,
    /// The marks of what goes out and what comes in.
    marks: [char; 2],
    /// Nothing is sent before this.
    earliest: Option<Instant>,
}

impl<W: Write> Sender<W> {
    /// Makes the way out of an engine.
    pub(crate) fn new(to: W, log: Option<Log>) -> Self {
        Self {
            to,
            log,
            marks: ['<', '>'],
            earliest: None,
        }
    }

    /// Makes the way to an engine.
    pub(crate) fn to_engine(to: W, log: Option<Log>) -> Self {
        Self {
            marks: ['>', '<'],
            ..Self::new(to, log)
        }
    }

    /// Sends a message, in one piece, when enough time is gone since the last one.
    pub(crate) fn send(&mut self, message: &Message) -> io::Result<()> {
        if let Some(earliest) = self.earliest {
            thread::sleep(earliest.saturating_duration_since(Instant::now()));
        }
        let text = message.to_string();
        self.line(self.marks[0], &text);
        self.to.write_all(format!("{text}\0").as_bytes())?;
        self.to.flush()?;
        self.pause(PAUSE);
        Ok(())
    }

    /// Keeps the next message back for a time.
    pub(crate) fn pause(&mut self, time: Duration) {
        self.earliest = Some(Instant::now() + time);
    }

    /// Writes what came in to the log.
    pub(crate) fn heard(&mut self, frame: &Frame) {
        self.line(self.marks[1], &frame.text);
        if let Err(error) = &frame.message {
            self.remark(&error.to_string());
        }
    }

    /// Writes a remark to the log.
    pub(crate) fn remark(&mut self, text: &str) {
        self.line('#', text);
    }

    /// Returns why the log could not be written, once.
    pub(crate) fn take_log_fault(&mut self) -> Option<io::Error> {
        self.log.as_mut().and_then(Log::take_fault)
    }

    fn line(&mut self, mark: char, text: &str) {
        if let Some(log) = &mut self.log {
            log.line(mark, &text.escape_default().to_string());
        }
    }
}
