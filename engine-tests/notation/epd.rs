//! Lines of test suites: what is read, and what is refused.

use mainroad::notation::epd::Epd;
use std::iter::once;
use std::time::{Duration, Instant};

/// Returns the position and the operations of a line, each in brackets with `|` between its words.
fn outline(line: &str) -> Result<Option<String>, String> {
    let epd = Epd::parse(line).map_err(|error| error.to_string())?;
    Ok(epd.map(|epd| {
        let operations = epd.operations.iter().map(|(name, values)| {
            let words: Vec<&str> = once(name).chain(values).map(String::as_str).collect();
            format!(" [{}]", words.join("|"))
        });
        let operations: Vec<String> = operations.collect();
        epd.fen + &operations.concat()
    }))
}

#[test]
fn lines_are_read() {
    for (line, expected) in [
        ("", None),
        (" \t\r\n", None),
        ("# W:W21:B1 bm a3-b4;", None),
        ("W:W21:B1", Some("W:W21:B1")),
        (" W:W21:B1  bm a3-b4 ;\n", Some("W:W21:B1 [bm|a3-b4]")),
        (
            "W:W21:B1 bm a3-b4 c3-d4;id x;c0 \"a; \\ b\" \"\";",
            Some("W:W21:B1 [bm|a3-b4|c3-d4] [id|x] [c0|a; \\ b|]"),
        ),
        ("W:W21:B1 draw;", Some("W:W21:B1 [draw]")),
    ] {
        assert_eq!(outline(line), Ok(expected.map(str::to_owned)), "{line}");
    }
    let epd = Epd::parse("W:W21:B1 bm a3-b4; draw;").expect("it is right");
    let epd = epd.expect("it says something");
    assert_eq!(epd.values("bm"), Some(&["a3-b4".to_owned()][..]));
    assert_eq!(epd.values("draw"), Some(&[][..]));
    assert_eq!(epd.values("am"), None);
}

#[test]
fn bad_lines() {
    for (line, message) in [
        (
            "W:W21:B1 bm a3-b4",
            "\"bm a3-b4\" does not end, expected a semicolon behind each operation",
        ),
        (
            "W:W21:B1 id \"x;",
            "\"'x;\" does not end, expected a closing quote",
        ),
        ("W:W21:B1 ;", "an operation without a name"),
        (
            "W:W21:B1 id x; bm a3-b4; id y;",
            "\"id\" is given twice, expected each operation once",
        ),
        // Of another position than the line names, if it were read.
        (
            "W:W21:B1 2;",
            "\"2\" is not the name of an operation, expected one that begins with a letter",
        ),
        (
            "W:W21,22:B1, 2 bm a3-b4;",
            "\"2\" is not the name of an operation, expected one that begins with a letter",
        ),
    ] {
        assert_eq!(outline(line), Err(message.to_owned()), "{line}");
    }
}

/// As many operations as a line may have, none of them twice.
#[test]
fn time_is_linear() {
    let operations: Vec<String> = (0..150_000).map(|n| format!("a{n};")).collect();
    let started = Instant::now();
    let epd = Epd::parse(&format!("W:W21:B1 {}", operations.concat()));
    let epd = epd.expect("it is right").expect("it says something");
    assert_eq!(epd.operations.len(), operations.len());
    assert!(started.elapsed() < Duration::from_secs(10));
}
