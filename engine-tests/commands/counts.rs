//! Leaves and nodes that are counted.

use super::{ask, run, run_with};
use serde_json::json;

#[test]
fn perft_counts() {
    for (variant, depth, leaves) in [
        ("russian", "8", 929_899),
        ("pool", "8", 929_896),
        ("brazilian", "7", 187_302),
    ] {
        assert_eq!(
            run(&["perft", depth, "--variant", variant]).nodes(),
            leaves,
            "{variant}"
        );
        let divided = run(&[
            "perft",
            depth,
            "--variant",
            variant,
            "--divide",
            "--threads",
            "2",
        ]);
        assert_eq!(divided.nodes(), leaves, "{variant}");
        let parts = divided.out.lines().filter(|line| !line.contains("nodes"));
        let parts = parts.map(|line| line.split_once(' ').expect("a move and a count").1);
        assert_eq!(
            parts
                .map(|count| count.parse::<u64>().expect("a number"))
                .sum::<u64>(),
            leaves,
            "{variant}"
        );
    }
    let after = run(&["perft", "1", "--moves", "c3-d4 b6-a5 d4-c5"]);
    assert_eq!(after.nodes(), 1);
    let count = ask(&["perft", "2", "--divide", "--json"]);
    assert_eq!((&count["nodes"], &count["depth"]), (&json!(49), &json!(2)));
    assert_eq!(count["moves"].as_array().map(Vec::len), Some(7));
    assert_eq!(run(&["perft", "3", "--fen", "W:W21:B14,17"]).nodes(), 0);
}

#[test]
fn perft_counts_with_a_cache() {
    for (variant, leaves) in [
        ("russian", 22_444_032),
        ("pool", 22_435_955),
        ("brazilian", 21_560_022),
    ] {
        for threads in ["1", "2", "5"] {
            let args = [
                "perft",
                "10",
                "--variant",
                variant,
                "--threads",
                threads,
                "--hash",
                "2",
                "--divide",
            ];
            let divided = run(&args);
            assert_eq!(divided.nodes(), leaves, "{variant}, {threads} threads");
            assert_eq!(
                divided.out.lines().count(),
                8,
                "{variant}, {threads} threads"
            );
        }
    }
    // One cache serves a whole stream, and a count that is too large does not end it.
    let input = b"W:W21:B1\nW:WK1:BK32\nW:W22:B1\n";
    let stream = run_with(&["perft", "30", "--hash", "16", "--fen", "-"], input);
    assert_eq!((stream.code, stream.err.as_str()), (1, ""));
    let answers = stream.objects();
    assert!(answers[0]["nodes"].is_u64() && answers[2]["nodes"].is_u64());
    assert_eq!(answers[1]["line"], 2);
    let error = answers[1]["error"].as_str();
    assert!(error.is_some_and(|error| error.starts_with("too many leaves: ")));
}

#[test]
fn bench_ends_with_its_signature() {
    let first = run(&["bench", "--depth", "2"]);
    assert_eq!((first.code, first.err.as_str()), (0, ""));
    assert_eq!(
        first.nodes(),
        run(&["bench", "--depth", "2", "--hash", "1"]).nodes()
    );
}
