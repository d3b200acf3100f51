//! From the first line to `ready`. The sources are sections 1.1 and 1.3 of the protocol notes: Scan's text, and clients that look for
//! words anywhere, send everything in one go, or begin anew before each search.

use super::Check;
use super::client::{Client, START, placed};
use super::grammar;

pub(super) const CHECKS: &[Check] = &[
    ("nothing is written before the first command", |client| {
        client.silent();
    }),
    ("hub is answered from id to wait", |client| {
        client.send("hub");
        assert!(client.line().starts_with("id "));
        while client.line() != "wait" {}
        client.silent();
    }),
    (
        "id names the engine, its version and its authors",
        |client| {
            client.send("hub");
            let (_, arguments) = grammar::split(&client.line()).expect("it was checked");
            let values: Vec<&str> = arguments.iter().map(|a| a.value.as_str()).collect();
            let expected = ["Mainroad", env!("CARGO_PKG_VERSION"), "Mainroad developers"];
            assert_eq!(values, expected);
            while client.line() != "wait" {}
        },
    ),
    ("no line before it has the words wait or ready", |client| {
        client.send("hub");
        loop {
            let line = client.line();
            if line == "wait" {
                break;
            }
            assert!(!line.contains("wait") && !line.contains("ready"), "{line}");
        }
        client.send("init");
        client.expect("ready");
    }),
    ("hub can be repeated", |client| {
        let names = |client: &mut Client| -> Vec<String> {
            client.parameters().into_iter().map(|p| p.name).collect()
        };
        let first = names(client);
        assert_eq!(names(client), first);
    }),
    ("init can be repeated", |client| {
        for _ in 0..3 {
            client.send("init");
            client.expect("ready");
        }
    }),
    ("hub and init can come before every search", |client| {
        for _ in 0..3 {
            client.parameters();
            client.send("init");
            client.expect("ready");
            client.plays();
        }
    }),
    ("init without hub", |client| {
        client.send("init");
        client.expect("ready");
    }),
    (
        "hub again in the middle of a game keeps the position",
        |client| {
            let position = placed('W', &[('b', 9), ('w', 29), ('w', 32)]);
            client.send(&format!("pos {position}\nhub"));
            while client.line() != "wait" {}
            let found = client.search("level depth=1\ngo analyze");
            assert!(
                found.mv.starts_with("29-") || found.mv.starts_with("32-"),
                "{}",
                found.mv
            );
        },
    ),
    ("everything in one write, as lidraughts does", |client| {
        client.send(
            "hub\nset-param name=variant value=brazilian\nset-param name=threads value=1\ninit",
        );
        while client.line() != "wait" {}
        client.expect("ready");
        client.plays();
    }),
    ("a search before hub and init", |client| {
        assert!(
            !client
                .search(&format!("pos {START}\nlevel depth=3\ngo analyze"))
                .mv
                .is_empty()
        );
    }),
    ("ping in every state", |client| {
        client.silent();
        client.parameters();
        client.silent();
        client.send("init");
        client.expect("ready");
        client.silent();
        client.send(&format!("pos {START}"));
        client.silent();
        client.plays();
        client.silent();
    }),
    ("new-game is not answered", |client| {
        client.send("new-game\nnew-game");
        client.silent();
        client.plays();
        client.send("new-game");
        client.silent();
    }),
];
