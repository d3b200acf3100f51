//! The house rules that the compiler does not check.

use std::fs;
use std::path::{Path, PathBuf};

/// The layers of the library, lowest first. A module uses only modules of lower layers.
const LAYERS: &[&[&str]] = &[
    &["arch", "board", "score"],
    &["rules"],
    &["notation"],
    &["eval", "tt", "book", "egdb"],
    &["search"],
    &["engine"],
    &["protocol"],
    &["tools"],
    &["cli"],
];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Returns every Rust file under a folder with its text.
fn sources(folder: &str) -> Vec<(PathBuf, String)> {
    let mut folders = vec![root().join(folder)];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("the folder is there") {
            let path = entry.expect("it can be listed").path();
            if path.is_dir() {
                // The fuzz workspace builds beside its sources.
                if !path.ends_with("target") {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).expect("it can be read");
                files.push((path, text));
            }
        }
    }
    assert!(!files.is_empty(), "{folder} is empty");
    files
}

/// Returns the name of the top module that a file of `src` belongs to.
fn top_module(path: &Path) -> String {
    let relative = path.strip_prefix(root().join("src")).expect("it is in src");
    let first = relative.components().next().expect("it has a name");
    first
        .as_os_str()
        .to_string_lossy()
        .trim_end_matches(".rs")
        .to_owned()
}

fn layer(module: &str) -> Option<usize> {
    LAYERS.iter().position(|modules| modules.contains(&module))
}

/// Returns the modules that a text names behind `crate::`, `{…}` groups included at their first level.
fn used_modules(text: &str) -> Vec<String> {
    let code = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect::<Vec<_>>()
        .join("\n");
    let word = |text: &str| {
        text.chars()
            .take_while(|c| c.is_alphanumeric() || *c == '_')
            .collect::<String>()
    };
    let mut used = Vec::new();
    for (at, found) in code.match_indices("crate::") {
        used.push(word(&code[at + found.len()..]));
    }
    used
}

#[test]
fn modules_use_lower_layers_only() {
    for (path, text) in sources("src") {
        let module = top_module(&path);
        let Some(own) = layer(&module) else {
            assert!(
                ["main", "lib", "build"].contains(&module.as_str()),
                "{module} has no layer"
            );
            continue;
        };
        for used in used_modules(&text) {
            if let Some(other) = layer(&used) {
                assert!(
                    other < own || used == module,
                    "{}: {module} uses {used}",
                    path.display()
                );
            } else {
                assert_eq!(
                    used,
                    "with_rules",
                    "{}: unknown module {used}",
                    path.display()
                );
            }
        }
    }
}

#[test]
fn every_file_begins_with_what_it_is_for() {
    for (path, text) in ["src", "engine-tests", "benches"]
        .into_iter()
        .flat_map(sources)
    {
        let starts = ["//! ", "#![doc = include_str!"];
        assert!(
            starts.iter().any(|start| text.starts_with(start)),
            "{}",
            path.display()
        );
    }
}

#[test]
fn no_test_file_is_forgotten() {
    let main = fs::read_to_string(root().join("engine-tests/main.rs")).expect("it is there");
    for entry in fs::read_dir(root().join("engine-tests")).expect("it is there") {
        let path = entry.expect("it can be listed").path();
        let name = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if path.extension().is_some_and(|extension| extension == "rs") && name != "main" {
            assert!(
                main.contains(&format!("mod {name}; //")),
                "{name} is not declared, or not described"
            );
        }
    }
}

/// The same count on every machine: what the search sees is computed with integers.
#[test]
fn the_core_has_no_floats() {
    for module in ["rules", "eval", "tt", "search"] {
        let text =
            fs::read_to_string(root().join(format!("src/{module}.rs"))).expect("it is there");
        assert!(
            text.contains("#![deny(clippy::float_arithmetic)]"),
            "{module}"
        );
    }
}

/// Only one place turns the name of a rule set into a type, and none outside `rules` compares names.
#[test]
fn one_match_on_the_variant() {
    for (path, text) in sources("src") {
        if path.ends_with("rules/variant.rs") {
            assert_eq!(text.matches("Variant::Pool =>").count(), 1);
            continue;
        }
        for forbidden in [
            "Variant::Pool =>",
            "Variant::Russian =>",
            "== Variant::",
            "R::VARIANT ==",
        ] {
            assert!(!text.contains(forbidden), "{}: {forbidden}", path.display());
        }
    }
}

#[test]
fn nothing_is_left_open() {
    // Put together here, so that this file does not contain them.
    let forbidden = [
        ["#[igno", "re"].concat(),
        ["TO", "DO"].concat(),
        ["todo", "!("].concat(),
        ["unimplemented", "!("].concat(),
    ];
    for (path, text) in ["src", "engine-tests", "benches"]
        .into_iter()
        .flat_map(sources)
    {
        for word in &forbidden {
            assert!(!text.contains(word.as_str()), "{}: {word}", path.display());
        }
    }
}
