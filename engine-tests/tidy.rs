//! The house rules that the compiler does not check.

use std::fs;
use std::path::{Path, PathBuf};

/// The layers of the library, lowest first. A module uses only modules of lower layers.
const LAYERS: &[&[&str]] = &[
    &["arch", "board", "score", "unfinished"],
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

/// Returns those of some files of Rust, given by their paths from a folder and their texts, that belong to nothing: a file is declared in
/// `main.rs` or `lib.rs` of the folder, or in the file that is named like its own folder.
fn forgotten(files: &[(String, String)]) -> Vec<&str> {
    let roots = ["main", "lib"];
    let declares = |module: &str, name: &str| {
        let is_parent = |path: &str| {
            let path = path.trim_end_matches(".rs");
            path == module || module.is_empty() && roots.contains(&path)
        };
        let declaration = format!("mod {name};");
        let is_declared = |line: &str| {
            let line = line.strip_prefix("pub ").unwrap_or(line);
            let line = line.strip_prefix("pub(crate) ").unwrap_or(line);
            line.starts_with(&declaration)
        };
        let mut parents = files.iter().filter(|(path, _)| is_parent(path));
        parents.any(|(_, text)| text.lines().any(is_declared))
    };
    let paths = files.iter().map(|(path, _)| path.as_str());
    let is_forgotten = |path: &&str| {
        let module = path.trim_end_matches(".rs");
        let (parent, name) = module.rsplit_once('/').unwrap_or(("", module));
        !(declares(parent, name) || parent.is_empty() && roots.contains(&name))
    };
    paths.filter(is_forgotten).collect()
}

/// Returns the Rust files of a folder by their paths in it, with `/` on every system.
fn by_path(folder: &str) -> Vec<(String, String)> {
    let base = root().join(folder);
    let named = |(path, text): (PathBuf, String)| {
        let path = path.strip_prefix(&base).expect("it is in the folder");
        (path.to_string_lossy().replace('\\', "/"), text)
    };
    sources(folder).into_iter().map(named).collect()
}

/// A file that nothing declares is not compiled, and its tests are not run.
#[test]
fn no_file_is_forgotten() {
    // Programs by themselves.
    let is_program = |path: &str| path == "build.rs" || path.starts_with("fuzz/fuzz_targets/");
    for folder in ["src", "engine-tests"] {
        let files = by_path(folder);
        let mut forgotten = forgotten(&files);
        forgotten.retain(|path| !is_program(path));
        assert!(forgotten.is_empty(), "{folder}: {forgotten:?}");
    }
}

#[test]
fn forgotten_files_are_found_at_any_depth() {
    let declared = |modules: &[&str]| {
        let lines = modules.iter().map(|module| format!("{module}\n"));
        lines.collect::<String>()
    };
    let files = [
        ("main.rs", declared(&["mod pdn; // files", "mod hub;"])),
        ("pdn.rs", declared(&["mod damage;", "// mod scale;"])),
        ("hub.rs", declared(&["pub(crate) mod lines;", "mod deep;"])),
        ("lost.rs", declared(&["mod below;"])),
        ("pdn/damage.rs", declared(&["mod scale;"])),
        ("pdn/scale.rs", String::new()),
        ("pdn/hub.rs", String::new()),
        ("hub/lines.rs", String::new()),
        ("hub/deep.rs", declared(&["mod below;"])),
        ("hub/deep/below.rs", String::new()),
        ("hub/deep/lost.rs", String::new()),
    ];
    let files = files.map(|(path, text)| (path.to_owned(), text));
    let expected = ["lost.rs", "pdn/scale.rs", "pdn/hub.rs", "hub/deep/lost.rs"];
    assert_eq!(forgotten(&files), expected);
}

/// Whoever looks for a test finds what each file is about in one list.
#[test]
fn every_test_file_is_described() {
    for (path, text) in by_path("engine-tests") {
        let described = |line: &str| !line.starts_with("mod ") || line.contains("; // ");
        assert!(path != "main.rs" || text.lines().all(described));
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
