//! Input that a command waits for without missing Ctrl-C: it ends when the signal is given.
//!
//! A thread of its own reads, since nothing breaks off a read that waits for somebody else, such as a person who types. At the end of the work
//! it may still wait; the process ends without it.

use super::Failure;
use crate::tools::stop::Stop;
use crossbeam_channel::{Receiver, Sender, bounded, select};
use std::fs::File;
use std::io::{self, BufRead, Read};
use std::path::Path;
use std::thread;

/// How much is read at once.
const CHUNK: usize = 1 << 16;

/// Input that ends at a signal as it does at its own end. Whoever reads it asks the signal which of the two it was.
pub(super) struct Input {
    chunks: Receiver<io::Result<Vec<u8>>>,
    stop: Stop,
    chunk: Vec<u8>,
    /// How much of the chunk was taken.
    taken: usize,
}

impl Input {
    /// Begins to read standard input.
    pub(super) fn standard(stop: &Stop) -> Result<Self, Failure> {
        Self::of(stop, || Ok(io::stdin().lock()))
    }

    /// Begins to read a pipe or a device with a name. To open it may take as long as to read it; that it cannot be opened is found by whoever reads.
    pub(super) fn named(path: &Path, stop: &Stop) -> Result<Self, Failure> {
        let path = path.to_owned();
        Self::of(stop, move || File::open(path))
    }

    fn of<R: Read>(
        stop: &Stop,
        open: impl FnOnce() -> io::Result<R> + Send + 'static,
    ) -> Result<Self, Failure> {
        let (sender, chunks) = bounded(1);
        let thread = thread::Builder::new().name("input".to_owned());
        let started = thread.spawn(move || match open() {
            Ok(mut from) => read_all(&mut from, &sender),
            // Nobody may be waiting any more.
            Err(error) => drop(sender.send(Err(error))),
        });
        started.map_err(|error| Failure::Failed(format!("cannot start a thread: {error}")))?;
        Ok(Self {
            chunks,
            stop: stop.clone(),
            chunk: Vec::new(),
            taken: 0,
        })
    }
}

/// Hands on what is read, until there is no more or nobody takes it.
fn read_all(from: &mut impl Read, to: &Sender<io::Result<Vec<u8>>>) {
    loop {
        let mut chunk = vec![0; CHUNK];
        let read = match from.read(&mut chunk) {
            Ok(0) => return,
            Ok(length) => {
                chunk.truncate(length);
                Ok(chunk)
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => Err(error),
        };
        let is_over = read.is_err();
        if to.send(read).is_err() || is_over {
            return;
        }
    }
}

impl Read for Input {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let mut ready = self.fill_buf()?;
        let length = ready.read(into)?;
        self.consume(length);
        Ok(length)
    }
}

impl BufRead for Input {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.taken == self.chunk.len() {
            self.taken = 0;
            self.chunk = select! {
                // Nothing comes when all is read.
                recv(self.chunks) -> chunk => chunk.unwrap_or(Ok(Vec::new()))?,
                recv(self.stop.channel()) -> _ => Vec::new(),
            };
        }
        Ok(&self.chunk[self.taken..])
    }

    fn consume(&mut self, length: usize) {
        self.taken += length;
    }
}
