//! A record of a conversation, line by line with time stamps.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::time::SystemTime;

/// An open log file, to which lines are appended.
pub(crate) struct Log(File);

impl Log {
    /// Opens a file for appending, and makes it if it is not there.
    pub(crate) fn open(path: impl AsRef<Path>) -> io::Result<Self> {
        OpenOptions::new()
            .create(true)
            .append(true)
            .open(path)
            .map(Self)
    }

    /// Appends a line, marked with the seconds since 1970 and its direction: `>` to the engine, `<` from it, `#` a remark.
    pub(crate) fn line(&mut self, mark: char, text: &str) {
        let time = SystemTime::now()
            .duration_since(SystemTime::UNIX_EPOCH)
            .unwrap_or_default();
        // A log that cannot be written must not stop the game.
        let _ = writeln!(
            self.0,
            "{}.{:03} {mark} {text}",
            time.as_secs(),
            time.subsec_millis()
        );
    }
}
