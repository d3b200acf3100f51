//! Parameters: how they are declared, set, and refused. The table of them is section 7 of the protocol notes.

use super::Check;
use super::client::{Client, START};
use std::collections::HashSet;
use std::fs;
use std::path::PathBuf;

/// Name, default, and the type with all that belongs to it. `net` may have further values, and what `book` and `tables` find depends on the
/// folder: only their declarations are held to this.
const DECLARED: &[(&str, &str, &str)] = &[
    (
        "variant",
        "russian",
        "enum values=\"russian russian-online russian-fmjd64 pool pool-25 brazilian\"",
    ),
    ("squares", "hub", "enum values=\"hub pdn\""),
    ("threads", "1", "int min=1 max=1024"),
    ("hash", "256", "int min=1 max=1048576"),
    ("ponder", "true", "bool"),
    ("book", "true", "string"),
    ("book-margin", "0", "int min=0 max=100"),
    ("book-variety", "0", "int min=0 max=100"),
    ("tables", "auto", "string"),
    ("draw-rules", "true", "bool"),
    ("lines", "1", "int min=1 max=64"),
    ("overhead", "50", "int min=0 max=5000"),
    ("skill", "20", "int min=0 max=20"),
    ("contempt", "0", "int min=-100 max=100"),
    ("log", "", "string"),
];

/// What other engines have, and clients set without asking.
const FOREIGN: &[(&str, &str)] = &[
    ("initial-time", "60.0"), // lidraughts-bot
    ("tt-size", "24"),
    ("bb-size", "0"),
    ("book-ply", "4"),
    ("eval", "pst"), // draughtsnet, between level and go
    ("Threads", "x"),
    ("no such thing", "a=b"),
];

pub(super) const CHECKS: &[Check] = &[
    ("every parameter is declared once", |client| {
        let parameters = client.parameters();
        let names: HashSet<&str> = parameters.iter().map(|p| p.name.as_str()).collect();
        assert_eq!(names.len(), parameters.len());
    }),
    (
        "every declaration has its type, range and default",
        |client| {
            let parameters = client.parameters();
            for (name, value, kind) in DECLARED {
                let found = parameters.iter().find(|p| p.name == *name);
                let found = found.unwrap_or_else(|| panic!("{name} is missing"));
                assert_eq!(
                    (found.value.as_str(), found.kind.as_str()),
                    (*value, *kind),
                    "{name}"
                );
            }
            assert!(
                parameters
                    .iter()
                    .any(|p| p.name == "net" && p.value == "default")
            );
        },
    ),
    ("the values of an enum come last", |client| {
        for parameter in client.parameters() {
            let kind = parameter.kind;
            // draughtsnet takes what stands behind the last equals sign.
            let is_last = kind.matches('=').count() == 1 && kind.ends_with('"');
            assert!(!kind.starts_with("enum") || is_last, "{kind}");
        }
    }),
    ("a declared default can be set", |client| {
        for parameter in client.parameters() {
            client.set(&parameter.name, &parameter.value);
        }
        client.silent();
    }),
    ("hub tells the values that were set", |client| {
        let values = [
            ("variant", "pool-25"),
            ("squares", "pdn"),
            ("threads", "2"),
            ("hash", "3"),
            ("ponder", "false"),
            ("book", "none"),
            ("book-margin", "7"),
            ("book-variety", "80"),
            ("tables", "embedded"),
            ("draw-rules", "false"),
            ("net", "material"),
            ("lines", "4"),
            ("overhead", "0"),
            ("skill", "5"),
            ("contempt", "-20"),
            ("seed", "77"),
        ];
        for (name, value) in values {
            client.set(name, value);
        }
        let parameters = client.parameters();
        for (name, value) in values {
            let found = parameters.iter().find(|p| p.name == name);
            assert_eq!(found.map(|p| p.value.as_str()), Some(value), "{name}");
        }
    }),
    ("both ends of every range are accepted", |client| {
        for (name, ends) in [
            ("threads", ["1", "64"]), // 1024 has a check of its own
            ("book-margin", ["0", "100"]),
            ("book-variety", ["0", "100"]),
            ("lines", ["64", "1"]),
            ("overhead", ["5000", "0"]),
            ("skill", ["0", "20"]),
            ("contempt", ["-100", "100"]),
            ("seed", ["4294967295", "0"]),
        ] {
            for value in ends {
                client.set(name, value);
                client.silent();
                assert_eq!(client.parameter(name), value, "{name}");
            }
        }
    }),
    (
        "what lies outside a range is refused and changes nothing",
        |client| {
            for (name, value) in [
                ("threads", "0"),
                ("threads", "1025"),
                ("hash", "0"),
                ("hash", "1048577"),
                ("hash", "99999999999999999999"),
                ("book-margin", "-1"),
                ("book-margin", "101"),
                ("book-variety", "101"),
                ("lines", "0"),
                ("lines", "65"),
                ("overhead", "-1"),
                ("overhead", "5001"),
                ("skill", "21"),
                ("skill", "-1"),
                ("contempt", "101"),
                ("contempt", "-101"),
                ("seed", "-1"),
            ] {
                refuses(client, name, value);
            }
        },
    ),
    (
        "what is of another type is refused and changes nothing",
        |client| {
            for (name, value) in [
                ("variant", "chess"),
                ("variant", ""),
                ("squares", "PDN"),
                ("threads", "two"),
                ("threads", "2.5"),
                ("hash", "64MB"),
                ("ponder", "yes"),
                ("draw-rules", "1"),
                ("lines", ""),
                ("net", "/no/such/net"),
                ("book", "/no/such/book"),
                ("tables", "/no/such/tables"),
                ("log", "/no/such/folder/log"),
            ] {
                refuses(client, name, value);
            }
        },
    ),
    ("what is no book or no weights is refused", |client| {
        for file in ["Cargo.toml", "src", "benches"] {
            let path = format!("{}/{file}", env!("CARGO_MANIFEST_DIR"));
            refuses(client, "book", &path);
            refuses(client, "net", &path);
        }
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/book");
        client.set("book", folder);
        client.set("book", &format!("{folder}/pool.book"));
        client.silent();
    }),
    ("names of other engines are ignored silently", |client| {
        for (name, value) in FOREIGN {
            client.set(name, value);
            client.silent();
        }
    }),
    ("names of other engines between level and go", |client| {
        client.send(&format!("pos {START}\nlevel depth=2"));
        for (name, value) in FOREIGN {
            client.set(name, value);
        }
        assert_eq!(client.search("go analyze").depth(), 2);
    }),
    ("arguments in any order, with blanks and quotes", |client| {
        client.send("set-param value=11 name=hash");
        assert_eq!(client.parameter("hash"), "11");
        client.send("set-param  name = \"hash\"\tvalue= 12 ");
        assert_eq!(client.parameter("hash"), "12");
    }),
    ("a set-param without a name is an error", |client| {
        client.refused("set-param");
        client.refused("set-param value=5");
        client.refused("set-param name=\"\" value=5");
    }),
    ("every variant and its aliases", |client| {
        for (alias, name) in [
            ("russian", "russian"),
            ("shashki", "russian"),
            ("russian-online", "russian-online"),
            ("russian-fmjd64", "russian-fmjd64"),
            ("fmjd64", "russian-fmjd64"),
            ("pool", "pool"),
            ("american-pool", "pool"),
            ("pool-apca", "pool"),
            ("pool-25", "pool-25"),
            ("brazilian", "brazilian"),
        ] {
            client.set("variant", alias);
            assert_eq!(client.parameter("variant"), name);
            let found = client.search("level depth=2\ngo think");
            assert!(!found.mv.is_empty(), "{alias}");
        }
    }),
    ("names of other variants are refused", |client| {
        for name in ["normal", "bt", "losing", "frisian", "english", "italian"] {
            refuses(client, "variant", name);
        }
        client.plays();
    }),
    ("parameters may change after init", |client| {
        client.send("init");
        client.expect("ready");
        client.set("threads", "2");
        client.set("hash", "2");
        client.set("draw-rules", "false");
        client.silent();
        client.plays();
    }),
    ("hash of 1 MiB", |client| {
        client.set("hash", "1");
        client.plays();
    }),
    (
        "a hash that cannot be had is one error, and the old one stays",
        |client| {
            client.set("hash", "5");
            // Some systems promise any amount: then the new size is in force.
            client.set("hash", "1048576");
            client.send("ping");
            let answer = client.line();
            let is_refused = answer.starts_with("error ");
            if is_refused {
                client.expect("pong");
            }
            let size = client.parameter("hash");
            assert_eq!(size, if is_refused { "5" } else { "1048576" });
            client.set("hash", "1");
            client.plays();
        },
    ),
    ("two to sixty-four threads", |client| {
        for threads in ["2", "7", "64"] {
            client.set("threads", threads);
            client.plays();
        }
    }),
    ("1,024 threads can be had, or are one error", |client| {
        client.set("threads", "1024");
        client.send("ping");
        if client.line() != "pong" {
            client.expect("pong");
            assert_eq!(client.parameter("threads"), "1");
        }
        client.plays();
    }),
    ("draw-rules may change at any time", |client| {
        client.send(&format!("pos {START}\nlevel depth=2"));
        client.set("draw-rules", "false");
        assert_eq!(client.search("go analyze").depth(), 2);
        client.set("draw-rules", "true");
        client.plays();
    }),
    ("the log has both sides of the conversation", |client| {
        let path = temporary("log");
        client.set("log", &path.display().to_string());
        client.set("book", "none");
        client.send("what is this");
        client.plays();
        client.set("log", "");
        client.silent();
        let text = fs::read_to_string(&path).expect("it was written");
        fs::remove_file(&path).expect("it is there");
        for part in [
            " > pos ",
            " < info depth=1 ",
            " < done move=",
            " # unknown command what",
        ] {
            assert!(text.contains(part), "{part} is not in {text}");
        }
        assert!(!text.contains("ping"), "{text}");
    }),
    ("tables can be switched off and on", |client| {
        // Three kings and the move against one that is off the main road: a win that tables know at once.
        let ending = "pos pos=WWWWeeeeeeeeeeeeeeeeeeeeeeeeeeeBe\nlevel depth=1\ngo think";
        client.set("tables", "embedded");
        assert!(client.search(ending).last().number("score") > 80.0);
        client.set("tables", "none");
        assert!(client.search(ending).last().number("score") < 80.0);
        client.set("tables", "auto");
        assert!(client.search(ending).last().number("score") > 80.0);
    }),
    ("one best line says nothing of lines", |client| {
        let found = client.search(&format!("pos {START}\nlevel depth=3\ngo analyze"));
        assert!(found.infos.iter().all(|info| info.text("line").is_empty()));
        assert_eq!(found.infos.len(), 3);
    }),
    ("further best lines say their number", |client| {
        client.set("lines", "3");
        let found = client.search(&format!("pos {START}\nlevel depth=3\ngo analyze"));
        let numbers: Vec<&str> = found.infos.iter().map(|info| info.text("line")).collect();
        assert_eq!(numbers, ["", "2", "3"].repeat(3));
        let scores: Vec<f64> = found.infos[6..].iter().map(|i| i.number("score")).collect();
        assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
    }),
];

/// Says that a value is refused by one error, and that the old one stays.
#[track_caller]
fn refuses(client: &mut Client, name: &str, value: &str) {
    let old = client.parameter(name);
    client.send(&format!("set-param name={name} value=\"{value}\""));
    client.send("ping");
    let answer = client.line();
    assert!(
        answer.starts_with("error message="),
        "{name}={value}: {answer}"
    );
    client.expect("pong");
    assert_eq!(client.parameter(name), old, "{name}={value}");
}

/// Returns the path of a file that is not there.
pub(super) fn temporary(name: &str) -> PathBuf {
    let name = format!("conformance-{}-{name}", std::process::id());
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}
