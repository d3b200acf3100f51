//! DXP: messages, conversations with the built binary, games of the engine against itself, and sides that misbehave.
//!
//! A transcript in `dxp/` is a conversation. `$` starts the program with these arguments; if it is to connect, the test listens. A line with
//! `>` is sent as a message, one with `<` must come next, `*` in it matches anything; `>|` sends bytes as they are, with `\0` and `\n` for those;
//! `<.` says that the program closes the connection, `>.` closes it from this end, `$.` waits for the program to leave by itself; `#` begins a comment.

mod connections;
mod games;
mod messages;
mod runner;

use crate::hub::fits;
use crate::support::data;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, ChildStderr, Command, Stdio};
use std::time::{Duration, Instant};
use std::{fs, thread};

/// How long anything may take that should come at once. Generous: other tests run at the same time.
const PATIENCE: Duration = Duration::from_secs(30);

/// A running program.
struct Program {
    child: Child,
    err: BufReader<ChildStderr>,
}

impl Program {
    fn start(args: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_mainroad"))
            .arg("dxp")
            .args(args)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary is there");
        let err = BufReader::new(child.stderr.take().expect("it is piped"));
        Self { child, err }
    }

    /// Starts a listener on a free port, and returns the port.
    fn listen(args: &[&str]) -> (Self, u16) {
        let args = [
            &["listen", "--port", "0", "--threads", "1", "--hash", "1"],
            args,
        ]
        .concat();
        let mut program = Self::start(&args);
        let line = program.err_line();
        let port = line
            .rsplit(':')
            .next()
            .and_then(|port| port.trim().parse().ok());
        (program, port.unwrap_or_else(|| panic!("no port: {line}")))
    }

    fn err_line(&mut self) -> String {
        let mut line = String::new();
        self.err.read_line(&mut line).expect("it writes");
        line
    }

    /// Waits until the program has left by itself; it must be a success.
    #[track_caller]
    fn leave(mut self) -> (String, String) {
        let deadline = Instant::now() + PATIENCE;
        while self.child.try_wait().expect("it can be asked").is_none() {
            assert!(Instant::now() < deadline, "the program does not leave");
            thread::sleep(Duration::from_millis(5));
        }
        let (mut out, mut err) = (String::new(), String::new());
        let stdout = self.child.stdout.as_mut().expect("it is piped");
        stdout.read_to_string(&mut out).expect("output is UTF-8");
        self.err.read_to_string(&mut err).expect("errors are UTF-8");
        let status = self.child.wait().expect("it has left");
        assert!(status.success(), "{status}: {err}");
        (out, err)
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // One that listens does so until it is ended, and a test that failed must leave none behind.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The other end of a connection.
struct Peer {
    stream: TcpStream,
    input: BufReader<TcpStream>,
}

impl Peer {
    fn new(stream: TcpStream) -> Self {
        stream.set_read_timeout(Some(PATIENCE)).expect("it is open");
        stream.set_nodelay(true).expect("it is open");
        let input = BufReader::new(stream.try_clone().expect("it is open"));
        Self { stream, input }
    }

    fn connect(port: u16) -> Self {
        Self::new(TcpStream::connect(("127.0.0.1", port)).expect("it listens"))
    }

    fn send_bytes(&mut self, bytes: &[u8]) {
        self.stream.write_all(bytes).expect("it is open");
    }

    fn send(&mut self, message: &str) {
        self.send_bytes(format!("{message}\0").as_bytes());
    }

    /// Returns the next message, or `None` if the connection is closed.
    #[track_caller]
    fn hear(&mut self) -> Option<String> {
        let mut bytes = Vec::new();
        match self.input.read_until(0, &mut bytes) {
            Ok(0) => None,
            Ok(_) => {
                assert_eq!(bytes.pop(), Some(0), "a message without its end");
                Some(String::from_utf8(bytes).expect("messages are ASCII"))
            }
            Err(error) if error.kind() == ErrorKind::ConnectionReset => None,
            Err(error) => panic!("no message: {error}"),
        }
    }

    #[track_caller]
    fn expect(&mut self, pattern: &str) {
        let heard = self.hear().unwrap_or_else(|| "the end".to_owned());
        assert!(fits(pattern, &heard), "expected {pattern}, got {heard}");
    }

    /// Asks for a game in which the program has a side.
    fn ask(&mut self, side: char, rest: &str) {
        let name = "Test";
        self.send(&format!("R01{name:32}{side}{rest}"));
    }
}

/// A short way to play: any game, no time told.
const USUAL: &str = "000000BWzzzzzzzzzzzzeeeeeeeewwwwwwwwwwww";

#[test]
fn transcripts() {
    let mut paths: Vec<PathBuf> = fs::read_dir(data("dxp"))
        .expect("the folder is there")
        .map(|entry| entry.expect("it can be listed").path())
        .collect();
    paths.sort();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "dxp"));
    assert!(!paths.is_empty());
    for path in paths {
        let text = fs::read_to_string(&path).expect("it can be read");
        let mut conversation: Option<(Program, Peer)> = None;
        for (number, line) in (1..).zip(text.lines()) {
            let place = format!("{}:{number}", path.display());
            if let Some(args) = line.strip_prefix("$ ") {
                conversation = Some(meet(args));
                continue;
            }
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let (_, peer) = conversation.as_mut().expect("a program is started first");
            let (sign, rest) = line.split_at_checked(2).unwrap_or((line, ""));
            match sign {
                "> " => peer.send(rest),
                ">|" => peer.send_bytes(
                    rest.trim_start()
                        .replace("\\0", "\0")
                        .replace("\\n", "\n")
                        .as_bytes(),
                ),
                ">." => peer.stream.shutdown(Shutdown::Both).expect("it is open"),
                "< " => {
                    let heard = peer.hear();
                    let heard = heard.unwrap_or_else(|| panic!("{place}: it is closed"));
                    assert!(fits(rest, &heard), "{place}: expected {rest}, got {heard}");
                }
                "<." => assert_eq!(peer.hear(), None, "{place}: it is open"),
                "$." => {
                    let (program, _) = conversation.take().expect("one is running");
                    program.leave();
                }
                _ => panic!("{place}: unreadable"),
            }
        }
    }
}

/// Starts the program and connects with it, whoever listens.
fn meet(args: &str) -> (Program, Peer) {
    let args: Vec<&str> = args.split_whitespace().collect();
    let [kind, args @ ..] = args.as_slice() else {
        panic!("no arguments");
    };
    if *kind == "listen" {
        let (program, port) = Program::listen(args);
        return (program, Peer::connect(port));
    }
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let address = listener.local_addr().expect("it has one").to_string();
    let args = [
        &["connect", &address, "--threads", "1", "--hash", "1"],
        args,
    ]
    .concat();
    let program = Program::start(&args);
    let (stream, _) = listener.accept().expect("it connects");
    (program, Peer::new(stream))
}
