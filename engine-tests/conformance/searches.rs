//! Searches and what may happen during one: section 1.8 of the protocol notes, and the habits of clients in section 6.

use super::Check;
use super::client::{Client, Found, START};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

/// How soon a stop and a ping are answered during a search of more threads than there are cores.
const PROMPT: Duration = Duration::from_millis(50);

pub(super) const CHECKS: &[Check] = &[
    ("a report for every depth, and then the move", |client| {
        let found = analyse(client, "depth=6");
        let depths: Vec<f64> = found
            .infos
            .iter()
            .map(|info| info.number("depth"))
            .collect();
        assert_eq!(depths, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        assert!(found.last().text("pv").starts_with(&found.mv));
    }),
    (
        "the last report is about the move that is played",
        |client| {
            let mut moves = String::new();
            for number in 0..60 {
                let nodes = 300 + 70 * number;
                let found = client.search(&format!(
                    "pos {START} moves=\"{moves}\"\nlevel nodes={nodes}\ngo analyze"
                ));
                let pv = found.last().text("pv");
                assert!(
                    pv.split(' ').next() == Some(&found.mv),
                    "{} is not the first of {pv}",
                    found.mv
                );
                moves = format!("{moves} {}", found.mv);
            }
        },
    ),
    ("nodes and time never fall", |client| {
        let found = analyse(client, "depth=7");
        for name in ["nodes", "time"] {
            let numbers: Vec<f64> = found.infos.iter().map(|info| info.number(name)).collect();
            assert!(numbers.is_sorted(), "{name}: {numbers:?}");
        }
    }),
    (
        "a forced move is answered at once, with a score",
        |client| {
            let found = client.search("pos start moves=\"22-18 11-15\"\nlevel time=1000\ngo think");
            assert_eq!(found.mv, "18x11x15");
            found.last().number("score");
        },
    ),
    ("a forced move is searched in analysis", |client| {
        let found = client.search("pos start moves=\"22-18 11-15\"\nlevel depth=5\ngo analyze");
        assert_eq!((found.mv.as_str(), found.depth()), ("18x11x15", 5));
    }),
    (
        "a stop at once still has a score and a legal move",
        |client| {
            for mode in ["think", "ponder", "analyze"] {
                client.set("book", "none");
                let found = client.search(&format!("pos {START}\ngo {mode}\nstop"));
                found.last().number("score");
                client.send(&format!("pos {START} moves={}", found.mv));
                client.silent();
            }
        },
    ),
    ("a stop without a search is silent", |client| {
        client.send("stop\nstop");
        client.silent();
        client.plays();
        client.send("stop");
        client.silent();
    }),
    ("a ponder-hit without a search is silent", |client| {
        client.send("ponder-hit");
        client.silent();
        client.plays();
        client.send("ponder-hit\nstop");
        client.silent();
    }),
    ("go alone is go think", |client| {
        assert!(
            !client
                .search(&format!("pos {START}\nlevel depth=2\ngo"))
                .mv
                .is_empty()
        );
    }),
    ("unknown flags of go are ignored", |client| {
        let found = client.search(&format!("pos {START}\nlevel depth=3\ngo fast analyze x=1"));
        assert_eq!(found.depth(), 3);
    }),
    ("a ping does not disturb a search", |client| {
        client.send(&format!("pos {START}\ngo analyze"));
        for _ in 0..20 {
            client.send("ping");
            while client.line() != "pong" {}
        }
        client.send("stop");
        client.done();
    }),
    (
        "unknown and empty lines do not disturb a search",
        |client| {
            client.send(&format!(
                "pos {START}\ngo analyze\n\n\r\nnonsense\n=\nuci\n\"\nping"
            ));
            while client.line() != "pong" {}
            client.send("stop");
            client.done();
        },
    ),
    (
        "a known command ends a search and is then carried out",
        |client| {
            for (command, answer) in [
                ("init", "ready"),
                ("set-param name=hash value=0", "error "),
                ("set-param name=hash value=2", ""),
                ("set-param", "error "),
                ("pos pos=nonsense", "error "),
                ("pos start", ""),
                ("new-game", ""),
                ("level depth=3", ""),
                ("level depth=x", "error "),
                ("level depth=\"", "error "),
            ] {
                client.send(&format!("pos {START}\ngo analyze\n{command}"));
                assert!(!client.done().mv.is_empty(), "{command}");
                if !answer.is_empty() {
                    let line = client.line();
                    assert!(line.starts_with(answer), "{command}: {line}");
                }
                client.silent();
            }
        },
    ),
    ("hub ends a search and is then answered", |client| {
        client.send(&format!("pos {START}\ngo analyze\nhub"));
        client.done();
        assert!(client.line().starts_with("id "));
        while client.line() != "wait" {}
    }),
    ("go ends a search and begins another", |client| {
        client.send(&format!(
            "pos {START}\ngo analyze\ngo analyze\nlevel depth=2\ngo analyze"
        ));
        client.done();
        client.done();
        assert_eq!(client.done().depth(), 2);
    }),
    ("a variant that changes during a search", |client| {
        client.send(&format!(
            "pos {START}\ngo analyze\nset-param name=variant value=pool"
        ));
        client.done();
        assert_eq!(client.parameter("variant"), "pool");
    }),
    (
        "stop and the next question in one go, as the Hub GUI does",
        |client| {
            for _ in 0..20 {
                client.send(&format!("pos {START}\ngo analyze"));
                client.send(
                    "stop\npos start moves=\"22-18 11-15\"\nlevel infinite depth=3\ngo analyze",
                );
                let first = client.done();
                assert_ne!(first.mv, "18x11x15");
                assert_eq!(client.done().mv, "18x11x15");
            }
        },
    ),
    ("a stop said twice", |client| {
        client.send(&format!("pos {START}\ngo analyze\nstop\nstop"));
        client.done();
        client.silent();
    }),
    ("a thousand searches, each stopped at once", |client| {
        client.set("hash", "1");
        for number in 0..1_000 {
            let mode = ["analyze", "ponder", "think"][number % 3];
            // Otherwise the book would answer.
            let level = if mode == "think" {
                "level infinite\n"
            } else {
                ""
            };
            client.send(&format!("{level}go {mode}\nstop"));
            assert!(!client.done().mv.is_empty());
        }
    }),
    ("a thousand searches, stopped without reading", |client| {
        client.set("hash", "1");
        for _ in 0..20 {
            client.send(&"go analyze\nstop\n".repeat(50));
        }
        for _ in 0..1_000 {
            assert!(!client.done().mv.is_empty());
        }
    }),
    ("a thousand searches, each ended by the next", |client| {
        client.set("hash", "1");
        for _ in 0..20 {
            client.send(&"go ponder\n".repeat(50));
        }
        client.send("stop");
        for _ in 0..1_000 {
            assert!(!client.done().mv.is_empty());
        }
    }),
    ("pondering does not end by itself", |client| {
        for level in ["move-time=0.001", "time=0.01", "depth=2", "nodes=10"] {
            client.send(&format!("pos start moves=22-18\nlevel {level}\ngo ponder"));
            // Long after it could have ended.
            let started = Instant::now();
            while started.elapsed() < Duration::from_millis(60) {
                client.send("ping");
                while client.line() != "pong" {}
                thread::sleep(Duration::from_millis(5));
            }
            assert!(!client.search_goes_on_until("stop").mv.is_empty());
        }
    }),
    ("a ponder-hit makes it a search with a clock", |client| {
        for level in [
            "move-time=0.05",
            "time=0.2 inc=0.01",
            "depth=3",
            "nodes=100",
        ] {
            client.send(&format!("pos start moves=22-18\nlevel {level}\ngo ponder"));
            client.line();
            let found = client.search_goes_on_until("ponder-hit");
            assert!(found.time < Duration::from_secs(3), "{level}");
        }
    }),
    ("a ponder-hit at once", |client| {
        for _ in 0..50 {
            client.send("pos start moves=22-18\nlevel move-time=0.002\ngo ponder\nponder-hit");
            assert!(!client.done().mv.is_empty());
        }
    }),
    (
        "a ponder-hit and a stop at once, in both orders",
        |client| {
            for _ in 0..50 {
                client.send("pos start moves=22-18\ngo ponder\nponder-hit\nstop");
                assert!(!client.done().mv.is_empty());
                client.send("pos start moves=22-18\ngo ponder\nstop\nponder-hit");
                assert!(!client.done().mv.is_empty());
            }
            client.silent();
        },
    ),
    ("ponder-hits of a search that is no pondering", |client| {
        client.set("book", "none");
        client.send(&format!(
            "pos {START}\nlevel depth=3\ngo think\nponder-hit\nponder-hit"
        ));
        assert!(!client.done().mv.is_empty());
        client.silent();
    }),
    (
        "a missed guess: stop, then the position as it is",
        |client| {
            client.send("pos start moves=22-18\nlevel time=10\ngo ponder\nstop");
            client.send("pos start moves=21-17\nlevel depth=3\ngo think");
            client.done();
            assert!(!client.done().mv.is_empty());
        },
    ),
    ("the expected reply is legal", |client| {
        let mut moves = String::new();
        for _ in 0..12 {
            let found = client.search(&format!(
                "pos {START} moves=\"{moves}\"\nlevel depth=5\ngo analyze"
            ));
            moves = format!("{moves} {} {}", found.mv, found.ponder);
        }
        client.send(&format!("pos {START} moves=\"{moves}\""));
        client.silent();
    }),
    ("every move of a line is legal", |client| {
        let found = analyse(client, "depth=9");
        for info in &found.infos {
            client.send(&format!("pos {START} moves=\"{}\"", info.text("pv")));
            client.silent();
        }
    }),
    ("the same search twice is the same", |client| {
        let mut search = || {
            client.send("new-game");
            let found = analyse(client, "nodes=20000");
            let last = found.last();
            let told: Vec<String> = ["depth", "score", "nodes", "pv"]
                .map(|name| last.text(name).to_owned())
                .into();
            (found.mv.clone(), told)
        };
        assert_eq!(search(), search());
    }),
    ("new-game forgets what was found", |client| {
        let nodes = |client: &mut Client| -> u64 {
            let found = analyse(client, "depth=9");
            found.last().text("nodes").parse().expect("it is a number")
        };
        let first = nodes(client);
        assert!(nodes(client) < first, "a table that is kept saves work");
        client.send("new-game");
        assert_eq!(nodes(client), first);
    }),
    (
        "a proven win has the number of plies in its score",
        |client| {
            // Takes the last piece: a win in one ply.
            let found =
                client.search("pos pos=Weeeeeeebeeewebeeeeeeeeeeebeeeeee\nlevel depth=4\ngo think");
            assert_eq!(found.last().text("score"), "99.99");
        },
    ),
    (
        "stop and ping are answered within 50 ms by eight threads",
        |client| {
            client.set("threads", "8");
            let (pings, stops): (Vec<_>, Vec<_>) = (0..15).map(|_| latencies(client)).unzip();
            let control = control();
            // As long as a program that does nothing but answer takes on a machine that is as busy.
            let limit = PROMPT.max(4 * control);
            assert!(
                median(pings.clone()) <= limit,
                "ping: {pings:?}, idle: {control:?}"
            );
            assert!(
                median(stops.clone()) <= limit,
                "stop: {stops:?}, idle: {control:?}"
            );
        },
    ),
];

fn analyse(client: &mut Client, level: &str) -> Found {
    client.search(&format!("pos {START}\nlevel {level}\ngo analyze"))
}

impl Client {
    /// Ends a search that runs by a command and returns what it still told. It must not have ended before.
    fn search_goes_on_until(&mut self, command: &str) -> Found {
        self.silent_but_for_reports();
        self.send(command);
        self.done()
    }

    /// Reads reports up to the answer to a ping.
    fn silent_but_for_reports(&mut self) {
        self.send("ping");
        loop {
            let line = self.line();
            if line == "pong" {
                return;
            }
            assert!(line.starts_with("info "), "{line}");
        }
    }
}

/// Returns how long the answers to a ping and to a stop take, well within a search.
fn latencies(client: &mut Client) -> (Duration, Duration) {
    client.send(&format!("pos {START}\ngo analyze"));
    while !client.line().starts_with("info depth=9 ") {}
    let asked = Instant::now();
    client.send("ping");
    while client.line() != "pong" {}
    let ping = asked.elapsed();
    let stop = client.search("stop").time;
    (ping, stop)
}

/// Returns how long an idle engine takes to answer a ping while eight other threads are busy.
fn control() -> Duration {
    let mut client = Client::start();
    client.silent();
    let is_over = AtomicBool::new(false);
    let times = thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                while !is_over.load(Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let times = (0..15).map(|_| {
            let asked = Instant::now();
            client.silent();
            let time = asked.elapsed();
            thread::sleep(Duration::from_millis(10));
            time
        });
        let times = times.collect();
        is_over.store(true, Relaxed);
        times
    });
    client.finish();
    median(times)
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}
