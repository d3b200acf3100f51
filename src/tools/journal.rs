//! A record of what a long job has finished, from which it goes on after any kind of end.
//!
//! The first line describes the job, each further line is a finished item; all are JSON. A line is written at once and
//! reaches the disk before it counts as finished. So whatever ends the process, a kill or a loss of power, at most the last line is torn,
//! and a torn line is one without its end: it is cut off when the journal is opened again, and its item is done anew. (This is
//! the one kind of file that is not replaced as a whole, since its very purpose is to outlive an end in the middle.)
//!
//! While a process has the journal open it holds a lock on it, so that two do not write to the same one.

use serde_json::Value;
use std::fs::{File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};

/// An open journal.
pub struct Journal {
    file: File,
    /// The length up to the end of the last complete line.
    length: u64,
}

/// Says why a journal cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// Another process has it open.
    #[error("another process is writing it")]
    Locked,
    /// It cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A line is not JSON.
    #[error("line {line}: not a line of a journal ({error})")]
    Line {
        /// From 1.
        line: usize,
        /// What the reader of JSON says.
        error: String,
    },
}

impl Journal {
    /// Takes over a file that is open for reading and writing, and returns the lines that are in it. A last line without an end is
    /// cut off.
    pub fn open(mut file: File) -> Result<(Self, Vec<Value>), JournalError> {
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(JournalError::Locked),
            Err(TryLockError::Error(error)) => return Err(error.into()),
        }
        let (lines, length) = read(&mut file)?;
        file.set_len(length)?;
        file.seek(SeekFrom::Start(length))?;
        Ok((Self { file, length }, lines))
    }

    /// Returns the lines of a journal without changing it.
    pub fn lines(file: &mut File) -> Result<Vec<Value>, JournalError> {
        read(file).map(|(lines, _)| lines)
    }

    /// Adds a line. It is on the disk when this returns; after an error the journal is as it was, and the call may be repeated.
    pub fn add(&mut self, line: &impl serde::Serialize) -> io::Result<()> {
        let mut text = serde_json::to_string(line)?;
        text.push('\n');
        let written = self
            .file
            .write_all(text.as_bytes())
            .and_then(|()| self.file.sync_data());
        if written.is_err() {
            // A part of the line may be there. If it cannot be cut off now, it is when the journal is opened.
            let _ = self.file.set_len(self.length);
            let _ = self.file.seek(SeekFrom::Start(self.length));
        } else {
            self.length += text.len() as u64;
        }
        written
    }
}

/// Reads the complete lines, and returns them with their length in bytes.
fn read(file: &mut File) -> Result<(Vec<Value>, u64), JournalError> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    let length = bytes
        .iter()
        .rposition(|&byte| byte == b'\n')
        .map_or(0, |at| at + 1);
    let parse = |(line, text)| {
        serde_json::from_slice(text).map_err(|error| JournalError::Line {
            line,
            error: error.to_string(),
        })
    };
    let lines = bytes[..length].split_inclusive(|&byte| byte == b'\n');
    let lines: Result<Vec<Value>, JournalError> = (1..).zip(lines).map(parse).collect();
    Ok((lines?, length as u64))
}
