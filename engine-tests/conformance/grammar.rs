//! What a line of an engine may look like: read here from scratch, so that a fault of the engine's own reader is not shared.
//!
//! The rules are those that clients need (`lidraughts` matches `info` with one expression, draughtsnet and pydraughts split at every
//! `=`): the order of the arguments is fixed, values are quoted if and only if they have a blank or an equals sign or are empty, numbers
//! are plain decimals.

/// An argument of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Argument {
    pub(super) name: String,
    pub(super) value: String,
    pub(super) is_quoted: bool,
}

/// Splits a line into its word and its arguments, each of which has a value.
pub(super) fn split(line: &str) -> Result<(String, Vec<Argument>), String> {
    if line.ends_with(' ') {
        return Err("a blank at the end".to_owned());
    }
    let (word, mut rest) = line.split_once(' ').unwrap_or((line, ""));
    let mut arguments = Vec::new();
    while !rest.is_empty() {
        let (name, after) = rest
            .split_once('=')
            .ok_or(format!("no value in {rest:?}"))?;
        if name.is_empty() || name.contains([' ', '"']) {
            return Err(format!("{name:?} is no name"));
        }
        let quoted = after.strip_prefix('"');
        let (value, after) = match quoted {
            Some(text) => text.split_once('"').ok_or("an open quote")?,
            None => after.split_at(after.find(' ').unwrap_or(after.len())),
        };
        if !after.is_empty() && (!after.starts_with(' ') || after.len() == 1) {
            return Err(format!("{after:?} behind a value"));
        }
        rest = after.strip_prefix(' ').unwrap_or_default();
        arguments.push(Argument {
            name: name.to_owned(),
            value: value.to_owned(),
            is_quoted: quoted.is_some(),
        });
    }
    Ok((word.to_owned(), arguments))
}

/// Says what is wrong with a line that an engine wrote.
pub(super) fn check(line: &str) -> Result<(), String> {
    if line.contains(char::is_control) || line.len() > 4_000 {
        return Err("control characters, or very long".to_owned());
    }
    let (word, arguments) = split(line)?;
    for argument in &arguments {
        let value = argument.value.as_str();
        let needs_quotes = value.is_empty() || value.contains([' ', '=']);
        // A message is always a sentence.
        if argument.is_quoted != needs_quotes {
            return Err(format!("quotes of {}", argument.name));
        }
    }
    let names: Vec<&str> = arguments.iter().map(|a| a.name.as_str()).collect();
    let values: Vec<&str> = arguments.iter().map(|a| a.value.as_str()).collect();
    let is_good = match (word.as_str(), names.as_slice()) {
        ("wait" | "ready" | "pong" | "done", []) | ("id", ["name", "version", "author"]) => true,
        ("param", ["name", "value", "type", ..]) => is_declaration(values[2], &names[3..]),
        ("info", _) => return check_info(&names, &values),
        ("done", ["move"] | ["move", "ponder"]) => values.iter().all(|value| is_move(value)),
        ("error", ["message"]) => values[0].len() < 300,
        _ => false,
    };
    if is_good {
        Ok(())
    } else {
        Err("not a line of the protocol".to_owned())
    }
}

/// Says whether the arguments behind a type are those that it has.
fn is_declaration(kind: &str, rest: &[&str]) -> bool {
    match kind {
        "bool" | "string" => rest.is_empty(),
        "int" => rest == ["min", "max"],
        "enum" => rest == ["values"],
        _ => false,
    }
}

fn check_info(names: &[&str], values: &[&str]) -> Result<(), String> {
    const ORDER: [&str; 7] = ["depth", "mean-depth", "score", "nodes", "time", "nps", "pv"];
    let Some(rest) = names.strip_prefix(&ORDER) else {
        return Err("order of info".to_owned());
    };
    if !matches!(rest, [] | ["source" | "line"] | ["source", "line"]) {
        return Err("more behind pv".to_owned());
    }
    let decimals = |text: &str| text.split_once('.').map_or(0, |(_, digits)| digits.len());
    let is_number = |text: &str| {
        let digits = text.strip_prefix('-').unwrap_or(text);
        digits.starts_with(|c: char| c.is_ascii_digit())
            && digits.ends_with(|c: char| c.is_ascii_digit())
            && digits.matches('.').count() <= 1
            && digits.chars().all(|c| c.is_ascii_digit() || c == '.')
    };
    let is_count = |text: &str| is_number(text) && text.parse::<u64>().is_ok();
    let is_good = is_count(values[0])
        && is_number(values[1])
        && is_number(values[2])
        && decimals(values[2]) == 2
        && is_count(values[3])
        && is_number(values[4])
        && decimals(values[4]) == 3
        && is_number(values[5])
        && values[6].split(' ').all(is_move);
    if is_good {
        Ok(())
    } else {
        Err("numbers or moves of info".to_owned())
    }
}

/// Says whether a text is written like a move: squares without leading zeros, captured ones ascending.
fn is_move(text: &str) -> bool {
    let squares = |sign| {
        text.split(sign)
            .map(|number| {
                number
                    .parse::<u8>()
                    .ok()
                    .filter(|n| n.to_string() == number)
            })
            .collect::<Option<Vec<u8>>>()
            .filter(|squares| squares.iter().all(|n| (1..=32).contains(n)))
    };
    if text.contains('x') {
        squares('x').is_some_and(|squares| squares.len() >= 3 && squares[2..].is_sorted())
    } else {
        squares('-').is_some_and(|squares| squares.len() == 2 && squares[0] != squares[1])
    }
}

/// What clients would stumble over is refused here.
#[test]
fn the_grammar_is_strict() {
    let info = "info depth=1 mean-depth=1.5 score=-0.05 nodes=9 time=0.001 nps=0.1 pv=";
    for good in [
        "wait",
        "done",
        "done move=9-13",
        "done move=9x18x14 ponder=22x15x18",
        "error message=\"bad position\"",
        "param name=log value=\"\" type=string",
        "param name=squares value=hub type=enum values=\"hub pdn\"",
        &format!("{info}22-18"),
        &format!("{info}\"22-18 11-15\" source=book line=2"),
    ] {
        assert_eq!(check(good), Ok(()), "{good}");
    }
    for bad in [
        "",
        "Wait",
        "wait ",
        "done  move=9-13",
        "done move=\"9-13\"",
        "done move=09-13",
        "done ponder=9-13 move=9-13",
        "done move=9-33",
        "done move=9x18",
        "error",
        "error message=bad position",
        "param name=log value= type=string",
        "param value=1 name=hash type=int min=1 max=2",
        "param name=squares value=hub values=\"hub pdn\" type=enum",
        "info string hello",
        "info depth=1",
        &format!("{info}\"22-18\""),
        &format!("{info}22-18 11-15"),
        &format!("{info}22-18 x=1"),
        &format!("{info}22-18").replace("-0.05", "nan"),
        &format!("{info}22-18").replace("1.5", "1e5"),
        "Mainroad 0.1.0",
    ] {
        assert!(check(bad).is_err(), "{bad}");
    }
}
