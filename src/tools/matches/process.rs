//! An engine as a process of its own, behind pipes, that cannot harm the match whatever it does.
//!
//! One thread reads its output and one writes its input, so that an engine that floods its output or does not read its input never
//! makes the match wait: both threads meet the referee in channels of bounded size, and a flood only fills a channel and then the pipe.
//! The process leads a group of its own; killing it kills what it has started. Every process is waited for, so none is
//! left behind as a zombie.

use crate::protocol::hub::message::{Command as Message, Reply};
use crate::protocol::lines;
use crate::protocol::log::Log;
use crate::tools::stop::Stop;
use crossbeam_channel::{Receiver, Sender, TrySendError, at, bounded, never, select_biased};
use parking_lot::Mutex;
use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

/// The most lines that wait to be looked at, and the most messages that wait to be read by the engine. More fill the pipe.
const QUEUE: usize = 1024;
/// Lines for one move from which on it is a flood.
const FLOOD_LINES: u64 = 200_000;
/// Bytes for one move from which on it is a flood.
const FLOOD_BYTES: u64 = 64 << 20;
/// The time to leave after `quit`, before it is killed.
const FAREWELL: Duration = Duration::from_secs(1);
/// How often it is checked whether a process that should leave has left.
const GLANCE: Duration = Duration::from_millis(2);
/// How often it is checked whether a process that should answer has left: if a child of it holds its output open, no end is seen there.
const LOOK: Duration = Duration::from_millis(250);

/// The most letters of a player's name in the names of its files.
const LONGEST_NAME: usize = 40;

/// A line of the engine, and when it came.
struct Line {
    text: String,
    at: Instant,
}

/// A running engine.
pub(super) struct Process {
    child: Child,
    to: Option<Sender<String>>,
    from: Receiver<Line>,
    log: Option<Arc<Mutex<Log>>>,
    /// Lines and bytes that came since [`Self::forget`].
    lines: u64,
    bytes: u64,
    /// The last line that is not a message.
    unknown: Option<String>,
}

/// Why no message came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Silence {
    /// The time is over.
    Deadline,
    /// The engine has closed its output or its input; how it ended.
    Ended(String),
    /// The engine does not stop writing.
    Flood,
    /// The engine does not read.
    Deaf,
    /// The match is to end.
    Stopped,
}

/// Where the conversations of a player are written: a file for what is said, and one for what the engine writes on standard error.
#[derive(Clone, Debug)]
pub(super) struct LogFiles {
    base: PathBuf,
}

impl LogFiles {
    /// Names the files of a player, whose number tells it from others, in one of the games that are played at the same time.
    pub(super) fn new(folder: &Path, number: usize, player: &str, worker: usize) -> Self {
        let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
        let plain = |c: char| if is_plain(c) { c } else { '_' };
        let name: String = player.chars().map(plain).take(LONGEST_NAME).collect();
        Self {
            base: folder.join(format!("{number}-{name}-{}", worker + 1)),
        }
    }

    /// Opens the file for what is said.
    pub(super) fn conversation(&self) -> io::Result<Log> {
        Log::open(self.base.with_added_extension("log"))
    }

    fn errors(&self) -> io::Result<File> {
        let path = self.base.with_added_extension("err");
        OpenOptions::new().create(true).append(true).open(path)
    }
}

impl Process {
    /// Starts a program with its arguments.
    pub(super) fn start(command: &[String], files: Option<&LogFiles>) -> io::Result<Self> {
        let [program, arguments @ ..] = command else {
            return Err(io::Error::other("the command is empty"));
        };
        let log = files.map(LogFiles::conversation).transpose()?;
        let errors = match files {
            Some(files) => files.errors()?.into(),
            None => Stdio::null(),
        };
        let mut command = Command::new(program);
        command
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(errors);
        lead_group(&mut command);
        let mut child = command.spawn()?;
        let input = child.stdin.take().expect("it is piped");
        let output = child.stdout.take().expect("it is piped");
        let (to, messages) = bounded(QUEUE);
        let (lines, from) = bounded(QUEUE);
        // If a thread cannot be had, dropping this kills the process.
        let process = Self {
            child,
            to: Some(to),
            from,
            log: log.map(|log| Arc::new(Mutex::new(log))),
            lines: 0,
            bytes: 0,
            unknown: None,
        };
        thread::Builder::new()
            .name("to-engine".to_owned())
            .spawn(move || write(input, &messages))?;
        let log = process.log.clone();
        thread::Builder::new()
            .name("from-engine".to_owned())
            .spawn(move || read(output, &lines, log.as_deref()))?;
        Ok(process)
    }

    /// Sends a message, and never waits.
    pub(super) fn send(&mut self, message: &Message) -> Result<(), Silence> {
        let line = message.to_string();
        if let Some(log) = &self.log {
            log.lock().line('>', &line);
        }
        let to = self.to.as_ref().expect("it is there until the end");
        match to.try_send(line) {
            Ok(()) => Ok(()),
            Err(TrySendError::Full(_)) => Err(Silence::Deaf),
            Err(TrySendError::Disconnected(_)) => Err(Silence::Ended(self.end())),
        }
    }

    /// Returns the next message and when it came, or why there is none. A flood begins where the lines since [`Self::forget`] are too many.
    pub(super) fn receive(
        &mut self,
        deadline: Option<Instant>,
        stop: &Stop,
    ) -> Result<(Reply, Instant), Silence> {
        let timer = deadline.map_or_else(never, at);
        let line = loop {
            // What has come is looked at first, also when it is late to look.
            select_biased! {
                recv(stop.channel()) -> _ => return Err(Silence::Stopped),
                recv(self.from) -> line => break line.ok(),
                recv(timer) -> _ => return Err(Silence::Deadline),
                default(LOOK) => {}
            }
            if self.has_ended() && self.from.is_empty() {
                break None;
            }
        };
        let Some(Line { text, at }) = line else {
            return Err(Silence::Ended(self.end()));
        };
        self.lines += 1;
        self.bytes += text.len() as u64;
        if self.lines > FLOOD_LINES || self.bytes > FLOOD_BYTES {
            return Err(Silence::Flood);
        }
        // Reading a reply cannot fail: what is none is `Unknown`.
        let reply: Reply = text.parse().unwrap_or_else(|never| match never {});
        if let Reply::Unknown(text) = &reply
            && !text.trim().is_empty()
        {
            self.unknown = Some(text.clone());
        }
        Ok((reply, at))
    }

    /// Says whether the process is over.
    pub(super) fn has_ended(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(Some(_)))
    }

    /// Drops what has come and not been looked at, which belongs to the past.
    pub(super) fn forget(&mut self) {
        for _ in self.from.try_iter().take(QUEUE) {}
        (self.lines, self.bytes) = (0, 0);
        self.unknown = None;
    }

    /// Returns the last line since [`Self::forget`] that is not a message.
    pub(super) fn unknown(&self) -> Option<&str> {
        self.unknown.as_deref()
    }

    /// Says how the process has ended, and waits a little for it.
    fn end(&mut self) -> String {
        match self.wait(FAREWELL) {
            Some(status) => status,
            None => "it closed its output and did not end".to_owned(),
        }
    }

    fn wait(&mut self, time: Duration) -> Option<String> {
        let deadline = Instant::now() + time;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status.to_string()),
                Ok(None) if Instant::now() < deadline => thread::sleep(GLANCE),
                Ok(None) | Err(_) => return None,
            }
        }
    }
}

impl Drop for Process {
    /// Says `quit`, and kills what does not leave.
    fn drop(&mut self) {
        let _ = self.send(&Message::Quit);
        // Closes its input, when the thread has written the last message.
        self.to = None;
        let has_left = self.wait(FAREWELL).is_some();
        // Also what it has started itself and left behind.
        kill_group(&self.child);
        if !has_left {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

/// Writes messages until the channel or the pipe closes.
fn write(mut input: impl Write, messages: &Receiver<String>) {
    for mut message in messages {
        message.push('\n');
        if input.write_all(message.as_bytes()).is_err() || input.flush().is_err() {
            break;
        }
    }
}

/// Reads lines until the pipe or the channel closes.
fn read(output: impl Read, lines: &Sender<Line>, log: Option<&Mutex<Log>>) {
    let mut output = BufReader::new(output);
    while let Ok(Some(text)) = lines::read(&mut output) {
        let at = Instant::now();
        if let Some(log) = log {
            log.lock().line('<', &text);
        }
        if lines.send(Line { text, at }).is_err() {
            break;
        }
    }
}

/// Makes the process that is started the leader of a group, which a terminal's Ctrl-C does not reach.
#[cfg(unix)]
fn lead_group(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
}

#[cfg(not(unix))]
fn lead_group(_command: &mut Command) {}

/// Kills the process with all that it has started.
#[cfg(unix)]
fn kill_group(child: &Child) {
    use rustix::process::{Pid, Signal, kill_process_group};
    // It fails if nobody of the group is left.
    let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
}

#[cfg(not(unix))]
fn kill_group(_child: &Child) {}
