//! Limits, in all the forms that clients send them: section 1.7 of the protocol notes.

use super::Check;
use super::client::{Client, Found, START};
use std::time::Duration;

/// Far more than any search here may take, on a machine that is busy with other tests.
const SOON: Duration = Duration::from_secs(3);

pub(super) const CHECKS: &[Check] = &[
    ("depth", |client| {
        assert_eq!(analyse(client, &["depth=5"]).depth(), 5);
    }),
    ("nodes are counted exactly", |client| {
        let found = analyse(client, &["nodes=3000"]);
        let nodes = found.last().number("nodes");
        assert!((1.0..=3000.0).contains(&nodes), "{nodes}");
        assert!(found.time < SOON);
    }),
    ("move-time is a ceiling", |client| {
        let found = think(client, &["move-time=0.2"]);
        let used = found.last().number("time");
        assert!(used <= 0.25, "{used}");
        assert!(found.time >= Duration::from_millis(100), "{:?}", found.time);
    }),
    ("a clock with an increment", |client| {
        assert!(think(client, &["time=2 inc=0.1"]).time < SOON);
    }),
    ("a clock for a number of moves", |client| {
        assert!(think(client, &["time=1.000 moves=10"]).time < SOON);
    }),
    ("the increment alone, on an empty clock", |client| {
        let found = think(client, &["time=0 inc=0.5"]);
        assert!(found.last().number("time") <= 0.5);
    }),
    (
        "a negative time that the increment makes up for",
        |client| {
            let found = think(client, &["time=-0.2 inc=0.3"]);
            assert!(found.last().number("time") <= 0.1);
        },
    ),
    ("a negative time", |client| {
        assert!(think(client, &["time=-5"]).time < SOON);
    }),
    ("a negative time and increment", |client| {
        assert!(think(client, &["time=-5 inc=-1"]).time < SOON);
    }),
    ("increment and moves without a time", |client| {
        // As with Scan the clock is then taken to have 30 s: enough to wait for, too much to spend on a move.
        let found = think(client, &["inc=0.01 moves=1000"]);
        assert!(found.time < Duration::from_secs(20));
    }),
    ("a decimal comma", |client| {
        let found = think(client, &["moves=75 time=0,600"]);
        assert!(found.last().number("time") <= 0.6);
    }),
    ("a number that begins with its point", |client| {
        assert!(think(client, &["move-time=.05"]).time < SOON);
    }),
    ("a number with an exponent", |client| {
        assert!(think(client, &["move-time=5e-2"]).time < SOON);
        assert!(analyse(client, &["nodes=1e3"]).last().number("nodes") <= 1000.0);
    }),
    ("text glued to a number", |client| {
        client.send(&format!("pos {START}\nlevel depth=4level move-time=5"));
        assert_eq!(client.search("go analyze").depth(), 4);
    }),
    ("several lines accumulate", |client| {
        let found = analyse(
            client,
            &["handicap=3", "ply=4", "nodes=100000000", "depth=3"],
        );
        assert_eq!(found.depth(), 3);
    }),
    ("a later line replaces what it names", |client| {
        assert_eq!(analyse(client, &["depth=9", "depth=3"]).depth(), 3);
        assert_eq!(analyse(client, &["depth=3", "depth=6"]).depth(), 6);
    }),
    (
        "a position makes an end of the limits before it",
        |client| {
            client.send("level depth=2");
            client.send(&format!("pos {START}\nlevel nodes=20000"));
            assert!(client.search("go analyze").depth() > 2);
        },
    ),
    ("a search makes an end of its limits", |client| {
        analyse(client, &["depth=2"]);
        client.send("level nodes=20000");
        assert!(client.search("go analyze").depth() > 2);
    }),
    (
        "limits outlast ping, unknown lines and parameters",
        |client| {
            client.send(&format!(
                "pos {START}\nlevel depth=3\nnonsense\nset-param name=eval value=pst"
            ));
            client.silent();
            client.set("overhead", "60");
            assert_eq!(client.search("go analyze").depth(), 3);
        },
    ),
    ("infinite goes on until it is stopped", |client| {
        client.send(&format!("pos {START}\nlevel infinite\ngo analyze"));
        while !client.line().starts_with("info depth=6 ") {}
        client.send("stop");
        client.done();
    }),
    ("infinite does not undo other limits", |client| {
        assert_eq!(analyse(client, &["depth=4", "infinite"]).depth(), 4);
    }),
    ("the flag ponder is accepted", |client| {
        assert_eq!(analyse(client, &["ponder depth=4"]).depth(), 4);
    }),
    ("unknown arguments are ignored", |client| {
        let found = analyse(client, &["depth=3 handicap=1 ply=10 opening=\"a b\" fast"]);
        assert_eq!(found.depth(), 3);
    }),
    ("an empty level is none", |client| {
        assert_eq!(analyse(client, &["", "depth=3"]).depth(), 3);
    }),
    (
        "zero depth, nodes, time and move-time still find a move",
        |client| {
            for level in [
                "depth=0",
                "nodes=0",
                "move-time=0",
                "time=0",
                "moves=0 time=0.1",
            ] {
                let found = think(client, &[level]);
                assert!(found.time < SOON, "{level}");
            }
        },
    ),
    ("numbers beyond every range", |client| {
        for level in [
            "depth=99999999999999999999 nodes=1000",
            "nodes=1e300 depth=3",
            "time=1e300 depth=3",
            "inc=inf time=-inf depth=3",
            "moves=4294967296 time=0.2",
            "depth=-7",
            "nodes=-7",
            "move-time=-7",
        ] {
            assert!(think(client, &[level]).time < SOON, "{level}");
        }
    }),
    (
        "a bad number is an error, and the search ends all the same",
        |client| {
            client.send(&format!("pos {START}"));
            for level in ["move-time=soon", "depth=", "nodes=\"\"", "time=nan"] {
                client.send(&format!("level {level}"));
                client.error();
            }
            // Without the book, which would answer at once.
            client.set("book", "none");
            let found = client.search("go think");
            assert!(!found.mv.is_empty() && found.time < Duration::from_secs(8));
        },
    ),
    ("good limits hold beside a bad one", |client| {
        client.send(&format!("pos {START}\nlevel depth=3\nlevel time=x"));
        client.error();
        assert_eq!(client.search("go analyze").depth(), 3);
    }),
    ("every form of time is kept within the clock", |client| {
        for level in [
            "time=0.3",
            "time=0.3 moves=1",
            "time=0.1 inc=0.2",
            "time=0.3 inc=0 moves=40",
        ] {
            let found = think(client, &[level]);
            let used = found.last().number("time");
            assert!(used <= 0.3, "{level}: {used}");
        }
    }),
];

fn with(client: &mut Client, levels: &[&str], mode: &str) -> Found {
    client.set("book", "none");
    client.send(&format!("pos {START}"));
    for level in levels {
        client.send(&format!("level {level}"));
    }
    let found = client.search(&format!("go {mode}"));
    assert!(!found.mv.is_empty(), "{levels:?}");
    found
}

fn analyse(client: &mut Client, levels: &[&str]) -> Found {
    with(client, levels, "analyze")
}

fn think(client: &mut Client, levels: &[&str]) -> Found {
    with(client, levels, "think")
}
