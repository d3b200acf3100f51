//! Connections over TCP.
//!
//! There is no authentication, so a listener belongs on the machine's own address unless somebody wants otherwise.

use serde::{Deserialize, Serialize};
use socket2::{SockRef, TcpKeepalive};
use std::fmt;
use std::io::{self, ErrorKind, Read};
use std::net::{Shutdown, SocketAddr, TcpStream, ToSocketAddrs};
use std::str::FromStr;
use std::time::{Duration, Instant};

/// The port that is used if none is named.
pub const PORT: u16 = 27_531;

/// How long it may take to be connected.
const CONNECT_TIME: Duration = Duration::from_secs(10);
/// How long the other side may refuse to take a message.
const SEND_TIME: Duration = Duration::from_secs(10);
/// A silent connection is tested after this time. So one that broke without a word is found out within minutes.
const TEST_AFTER: Duration = Duration::from_mins(1);
/// How often it is tested from then on.
const TEST_EVERY: Duration = Duration::from_secs(20);
/// How long the other side may take to close its end as well.
const CLOSE_TIME: Duration = Duration::from_secs(1);

/// Where another program listens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Address {
    /// A name or a number.
    pub host: String,
    /// The port.
    pub port: u16,
}

/// Says that a text is no address.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("bad address \"{0}\", expected HOST or HOST:PORT with a port from 1 to 65535")]
pub struct BadAddress(pub String);

impl FromStr for Address {
    type Err = BadAddress;

    /// Reads `HOST`, `HOST:PORT` or `[IPV6]:PORT`.
    fn from_str(text: &str) -> Result<Self, BadAddress> {
        let bad = || BadAddress(text.to_owned());
        let (host, port) = match text.rsplit_once(':') {
            // The colon belongs to the number of the host.
            Some((before, _)) if before.contains(':') && !before.ends_with(']') => (text, None),
            Some((host, port)) => (host, Some(port)),
            None => (text, None),
        };
        let port = match port.map(str::parse) {
            None => PORT,
            Some(Ok(port)) if port > 0 => port,
            Some(_) => return Err(bad()),
        };
        let host = host.trim_start_matches('[').trim_end_matches(']');
        let is_name = !host.is_empty() && !host.contains(char::is_whitespace);
        if !is_name {
            return Err(bad());
        }
        Ok(Self {
            host: host.to_owned(),
            port,
        })
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.host.contains(':') {
            write!(f, "[{}]:{}", self.host, self.port)
        } else {
            write!(f, "{}:{}", self.host, self.port)
        }
    }
}

impl Address {
    /// Connects to the program that listens there.
    pub fn connect(&self) -> io::Result<TcpStream> {
        let addresses: Vec<SocketAddr> =
            (self.host.as_str(), self.port).to_socket_addrs()?.collect();
        let mut failure = io::Error::new(ErrorKind::NotFound, "the host has no address");
        for address in addresses {
            match TcpStream::connect_timeout(&address, CONNECT_TIME) {
                Ok(stream) => {
                    prepare(&stream)?;
                    return Ok(stream);
                }
                Err(error) => failure = error,
            }
        }
        Err(failure)
    }
}

/// Makes a connection send every message at once, find out that the other side has disappeared, and never wait for ever.
pub fn prepare(stream: &TcpStream) -> io::Result<()> {
    stream.set_nodelay(true)?;
    stream.set_write_timeout(Some(SEND_TIME))?;
    let keepalive = TcpKeepalive::new()
        .with_time(TEST_AFTER)
        .with_interval(TEST_EVERY);
    SockRef::from(stream).set_tcp_keepalive(&keepalive)
}

/// Closes a connection so that the other side can read what was sent last: what it still says is read and dropped for a moment, since closing
/// in the face of unread data throws away what is under way.
pub fn close(mut stream: &TcpStream) {
    let deadline = Instant::now() + CLOSE_TIME;
    // Whatever fails here, the connection is gone in the end.
    let _ = stream.shutdown(Shutdown::Write);
    let mut dropped = [0; 1024];
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() || stream.set_read_timeout(Some(left)).is_err() {
            break;
        }
        match stream.read(&mut dropped) {
            Ok(1..) => {}
            Ok(0) | Err(_) => break,
        }
    }
    let _ = stream.shutdown(Shutdown::Both);
}
