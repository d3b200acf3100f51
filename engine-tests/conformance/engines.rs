//! The process: how it starts, what it shares, how it leaves.

use super::Check;
use super::client::{Client, START};
use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const BINARY: &str = env!("CARGO_BIN_EXE_mainroad");

/// How long an engine may take to leave.
const LEAVING: Duration = Duration::from_secs(1);

pub(super) const CHECKS: &[Check] = &[
    (
        "started without an argument it speaks Hub behind a pipe",
        |_| {
            let mut client = Client::start_with(&[]);
            client.silent();
            client.parameters();
            client.plays();
            client.finish();
        },
    ),
    ("arguments are the first values of parameters", |_| {
        let mut client = Client::start_with(&["hub", "--variant", "pool", "--hash", "8"]);
        assert_eq!(client.parameter("variant"), "pool");
        assert_eq!(client.parameter("hash"), "8");
        client.finish();
    }),
    ("it works from any working directory", |_| {
        let mut client = Client::launch(Command::new(BINARY).arg("hub").current_dir("/"));
        client.plays();
        client.send("pos start\ngo think");
        assert!(!client.done().mv.is_empty());
        client.finish();
    }),
    ("two engines side by side", |client| {
        let mut other = Client::start();
        client.send(&format!("pos {START}\ngo analyze"));
        other.plays();
        client.send("stop");
        client.done();
        other.finish();
    }),
    ("nothing is written to the error output", |_| {
        let mut child = Command::new(BINARY)
            .arg("hub")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it is there");
        let mut input = child.stdin.take().expect("it is piped");
        let talk = b"hub\ninit\npos start\nlevel depth=3\ngo think\nnonsense\npos pos=W\ngo\nset-param name=hash value=x\nquit\n";
        input.write_all(talk).expect("it listens");
        let mut errors = String::new();
        let mut output = child.stderr.take().expect("it is piped");
        output.read_to_string(&mut errors).expect("it is text");
        assert_eq!(errors, "");
        assert!(child.wait().expect("it leaves").success());
    }),
    ("lines come one by one while a search runs", |client| {
        client.send(&format!("pos {START}\ngo analyze"));
        // An endless search: what is read has been flushed, not what came out at the end.
        for depth in 1..=6 {
            let line = client.line();
            assert!(line.starts_with(&format!("info depth={depth} ")), "{line}");
        }
        client.send("stop");
        client.done();
    }),
    ("quit ends it when idle", |_| {
        leaves("quit", |_| {});
    }),
    ("the end of the input ends it when idle", |_| {
        leaves("", |_| {});
    }),
    ("quit ends it in a search", |_| {
        leaves("quit", searching);
    }),
    ("the end of the input ends it in a search", |_| {
        leaves("", searching);
    }),
    (
        "the end of the input ends it in a search of eight threads",
        |_| {
            leaves("", |client| {
                client.set("threads", "8");
                searching(client);
            });
        },
    ),
    ("the end of the input ends it while it ponders", |_| {
        leaves("", |client| {
            client.send("pos start\nlevel move-time=0.001\ngo ponder");
            client.line();
        });
    }),
    ("the end of the input right behind go ends it", |_| {
        leaves("pos start\ngo analyze", |_| {});
    }),
    ("a last line without an end counts", |client| {
        client.engine().send_bytes(b"ping");
        assert_eq!(client.close(), ["pong"]);
    }),
    ("a client that stops reading does not keep it", |_| {
        let mut child = Command::new(BINARY)
            .arg("hub")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("it is there");
        drop(child.stdout.take());
        let mut input = child.stdin.take().expect("it is piped");
        // It may have left before all is written.
        let _ = input.write_all(b"hub\npos start\ngo analyze\n");
        let started = Instant::now();
        while child.try_wait().expect("it can be asked").is_none() {
            assert!(started.elapsed() < 10 * LEAVING, "it is still there");
            std::thread::sleep(Duration::from_millis(5));
        }
    }),
];

/// Begins an endless search and waits until it is well under way.
fn searching(client: &mut Client) {
    client.send("pos start\ngo analyze");
    while !client.line().starts_with("info depth=7 ") {}
}

/// Says that an engine leaves within a second of a last line and the end of its input. The best of a few attempts counts, since the
/// machine may be busy with other tests. It has left when it has been waited for, so it uses no processor any more.
#[track_caller]
fn leaves(last: &str, before: fn(&mut Client)) {
    let times = (0..3).map(|_| {
        let mut client = Client::start();
        client.silent();
        before(&mut client);
        client.send(last);
        let started = Instant::now();
        // A search may have reported before it saw the end, but is not answered.
        let rest = client.close();
        assert!(
            rest.iter().all(|line| line.starts_with("info ")),
            "{rest:?}"
        );
        started.elapsed()
    });
    let best = times.min().expect("there were some");
    assert!(best < LEAVING, "{best:?}");
}
