//! A record of a conversation, line by line with time stamps.

use std::fs::{self, File, FileType, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::time::SystemTime;

/// An open log file, to which lines are appended.
pub(crate) struct Log {
    file: File,
    has_failed: bool,
    /// Why a line could not be written, until somebody is told.
    fault: Option<io::Error>,
}

impl Log {
    /// Opens a file for appending, and makes it if it is not there. What is neither a file nor a device of characters is refused: to open a
    /// pipe would wait until somebody reads it, perhaps for ever.
    pub(crate) fn open(path: impl AsRef<Path>) -> io::Result<Self> {
        match fs::metadata(&path) {
            Ok(metadata) if metadata.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
            Ok(metadata) if !is_log(metadata.file_type()) => {
                return Err(io::Error::other("not a regular file"));
            }
            // A file that is not there is made, and whatever else is wrong stops the opening too.
            _ => {}
        }
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        Ok(Self {
            file,
            has_failed: false,
            fault: None,
        })
    }

    /// Appends a line, marked with the seconds since 1970 and its direction: `>` to the engine, `<` from it, `#` a remark.
    pub(crate) fn line(&mut self, mark: char, text: &str) {
        let time = SystemTime::now()
            .duration_since(SystemTime::UNIX_EPOCH)
            .unwrap_or_default();
        let written = writeln!(
            self.file,
            "{}.{:03} {mark} {text}",
            time.as_secs(),
            time.subsec_millis()
        );
        // A log that cannot be written must not stop the game, nor be spoken of with each line.
        if let Err(error) = written
            && !self.has_failed
        {
            self.has_failed = true;
            self.fault = Some(error);
        }
    }

    /// Returns why a line could not be written, once.
    pub(crate) fn take_fault(&mut self) -> Option<io::Error> {
        self.fault.take()
    }
}

/// Whether lines can be appended to a file of this type without waiting for anybody.
#[cfg(unix)]
fn is_log(kind: FileType) -> bool {
    use std::os::unix::fs::FileTypeExt;
    kind.is_file() || kind.is_char_device()
}

#[cfg(not(unix))]
fn is_log(kind: FileType) -> bool {
    kind.is_file()
}
