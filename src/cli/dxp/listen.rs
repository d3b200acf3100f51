//! `mainroad dxp listen`: waits for connections, and plays the games that the other side asks for.

use super::scribe::Scribe;
use super::{failure, terms, with_common_args};
use crate::cli::{Answered, Failure, Outcome, Streams};
use crate::protocol::dxp::socket::{PORT, close, prepare};
use crate::protocol::dxp::{Ended, Event, Terms, follow, refuse};
use crate::rules::Rules;
use crate::with_rules;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use crossbeam_channel::{SendTimeoutError, Sender, bounded, select};
use std::io::{self, BufReader};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

/// How long a connection waits for the end of the one before.
const HANDOVER: Duration = Duration::from_secs(2);
/// How long one that comes at the wrong time may take to say what it wants.
const REFUSAL_TIME: Duration = Duration::from_secs(1);
/// How long to wait when no connection can be taken, for want of files or memory.
const REST: Duration = Duration::from_millis(200);

pub(super) fn command() -> Command {
    let port = Arg::new("port")
        .long("port")
        .value_name("N")
        .value_parser(value_parser!(u16))
        .default_value(PORT.to_string())
        .help("The port, from 0 to 65535; 0 takes a free one, which is told on standard error");
    let address = Arg::new("address")
        .long("address")
        .value_name("HOST")
        .default_value("127.0.0.1")
        .help("The address to listen at; 0.0.0.0 is all of this machine's. Anybody who reaches it can play");
    let once = Arg::new("once")
        .long("once")
        .action(ArgAction::SetTrue)
        .help("Leaves when the first connection has ended [default: listens again]");
    let command = Command::new("listen")
        .about("Waits for other programs and plays the games they ask for")
        .long_about(
            "Waits for connections, one after the other, and plays the games that the other side asks for, with the time that it gives. Writes a \
             line for each finished game.",
        )
        .args([port, address, once])
        .after_help("Example: mainroad dxp listen --variant russian --squares pdn --log dxp.log");
    with_common_args(command, "false")
}

pub(super) fn run(args: &ArgMatches, streams: &mut Streams) -> Outcome {
    let variant = super::read_options(args).variant;
    with_rules!(variant, R => serve::<R>(args, streams))
}

fn serve<R: Rules>(args: &ArgMatches, streams: &mut Streams) -> Outcome {
    let terms = terms(args);
    let address: &String = args.get_one("address").expect("it has a default");
    let port: u16 = *args.get_one("port").expect("it has a default");
    let mut scribe = Scribe::new(args, &terms)?;
    let refused = |error: io::Error| {
        Failure::Failed(format!("cannot listen: {address} port {port}: {error}"))
    };
    let listener = TcpListener::bind((address.as_str(), port)).map_err(refused)?;
    let local = listener.local_addr().map_err(refused)?;
    // Whoever starts this program must learn the port.
    let _ = writeln!(streams.err, "mainroad: listening on {local}");
    let (sender, calls) = bounded(0);
    let name = terms.name.clone();
    thread::Builder::new()
        .name("dxp-listener".to_owned())
        .spawn(move || accept(&listener, &sender, &name))
        .map_err(refused)?;
    let is_once = args.get_flag("once");
    loop {
        let (stream, from) = select! {
            recv(calls) -> call => call.expect("the listener goes on"),
            recv(terms.interrupt) -> _ => return Ok(Answered::Interrupted),
        };
        let _ = writeln!(streams.err, "mainroad: connection from {from}");
        let ended = talk::<R>(&stream, &terms, &mut scribe, streams);
        close(&stream);
        let ended = ended?;
        let _ = writeln!(streams.err, "mainroad: connection from {from} has ended");
        if ended == Ended::Interrupted {
            return Ok(Answered::Interrupted);
        }
        if is_once {
            return Ok(Answered::Yes);
        }
    }
}

/// Plays over a connection.
fn talk<R: Rules>(
    stream: &TcpStream,
    terms: &Terms,
    scribe: &mut Scribe,
    streams: &mut Streams,
) -> Result<Ended, Failure> {
    let Ok(input) = prepare(stream).and_then(|()| stream.try_clone()) else {
        // It has gone already.
        return Ok(Ended::Gone);
    };
    let mut failed = Ok(());
    let mut tell = |event: Event<R>| {
        if failed.is_ok() {
            failed = scribe.event(&event, streams);
        }
    };
    let ended = follow::<R>(BufReader::new(input), stream, terms, &mut tell);
    failed?;
    ended.map_err(|error| failure(&error))
}

/// Takes connections. One that comes while another is served waits a little, and is then refused.
fn accept(listener: &TcpListener, to: &Sender<(TcpStream, SocketAddr)>, name: &str) {
    loop {
        match listener.accept() {
            Ok(call) => match to.send_timeout(call, HANDOVER) {
                Ok(()) => {}
                Err(SendTimeoutError::Timeout((stream, _))) => {
                    // Whoever does not wait for the answer does not need it.
                    let _ = stream.set_read_timeout(Some(REFUSAL_TIME));
                    let _ = prepare(&stream);
                    let _ = refuse(BufReader::new(&stream), &stream, name);
                    close(&stream);
                }
                Err(SendTimeoutError::Disconnected(_)) => return,
            },
            Err(_) => thread::sleep(REST),
        }
    }
}
