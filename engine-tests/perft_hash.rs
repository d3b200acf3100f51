//! Perft with a cache: the same counts as without one, however small the cache and however many threads share it.

use crate::support::{Vector, jsonl};
use mainroad::board::Position;
use mainroad::notation::fen;
use mainroad::rules::{
    PerftCache, Rules, Russian, Variant, divide, divide_hashed, perft, perft_hashed,
};
use mainroad::with_rules;
use rayon::ThreadPoolBuilder;

fn cache<R: Rules>(size_mib: usize) -> PerftCache<R> {
    PerftCache::new(size_mib).expect("there is memory")
}

fn position(text: &str) -> Position {
    fen::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// One cache serves all positions of a file, so a count that is found for another position would show.
#[track_caller]
fn check_vectors<R: Rules>(file: &str) {
    let vectors: Vec<Vector> = jsonl(file);
    let (one_bucket, large) = (cache::<R>(0), cache::<R>(8));
    for vector in &vectors {
        let pos = position(&vector.fen);
        for (depth, &leaves) in (1..).zip(vector.perft.values()) {
            assert_eq!(perft_hashed(&pos, depth, &large), leaves, "{}", vector.id);
        }
        for depth in 0..=4 {
            let leaves = perft::<R>(&pos, depth);
            for cache in [&one_bucket, &large, &large] {
                let hashed = perft_hashed(&pos, depth, cache);
                assert_eq!(hashed, leaves, "{} depth {depth}", vector.id);
            }
        }
    }
}

#[test]
fn hard_positions() {
    for variant in [Variant::Russian, Variant::Pool, Variant::Brazilian] {
        with_rules!(variant, R => check_vectors::<R>(&format!("rules-{variant}.jsonl")));
    }
}

// The numbers of `perft`, further down. 1 MiB is far too small for them, so that most of what is stored is replaced.
#[test]
fn start_positions() {
    for (variant, leaves) in [
        (Variant::Russian, [110_917_189, 544_770_444]),
        (Variant::Pool, [110_833_952, 544_005_148]),
        (Variant::Brazilian, [105_491_257, 511_882_477]),
    ] {
        with_rules!(variant, R => {
            for size_mib in [1, 64] {
                let cache = cache::<R>(size_mib);
                for (depth, leaves) in (11..).zip(leaves) {
                    let hashed = perft_hashed(&R::start(), depth, &cache);
                    assert_eq!(hashed, leaves, "{variant} depth {depth}, {size_mib} MiB");
                }
            }
        });
    }
}

#[test]
fn divided_counts_are_the_same() {
    for variant in Variant::ALL {
        with_rules!(variant, R => {
            let cache = cache::<R>(1);
            for depth in 1..=7 {
                let hashed = divide_hashed(&R::start(), depth, &cache);
                assert_eq!(hashed, divide::<R>(&R::start(), depth), "{variant} depth {depth}");
            }
        });
    }
}

/// Eight threads read and write the two slots of one bucket all the time.
#[test]
fn threads_share_a_cache() {
    let threads = ThreadPoolBuilder::new().num_threads(8).build();
    let threads = threads.expect("threads can be had");
    for (variant, text, depth) in [
        (Variant::Russian, "W:W21-32:B1-12", 9),
        (Variant::Pool, "B:WK4,10,K11,17,25,K26,K32:BK8,21,K31", 6),
        (Variant::Brazilian, "W:WK21-K32:BK1-K12", 7),
    ] {
        let pos = position(text);
        with_rules!(variant, R => {
            let expected = divide::<R>(&pos, depth);
            for size_mib in [0, 1] {
                let cache = cache::<R>(size_mib);
                for _ in 0..4 {
                    let counts = threads.install(|| divide_hashed(&pos, depth, &cache));
                    assert_eq!(counts, expected, "{variant} {size_mib} MiB");
                }
            }
        });
    }
}

#[test]
fn counts_end_at_64_bits() {
    let pos = position("W:WK1:BK32");
    // Room for each of the thousand positions at every depth.
    let cache = cache::<Russian>(16);
    assert_eq!(perft_hashed(&pos, 8, &cache), perft::<Russian>(&pos, 8));
    let (mut depth, mut before) = (9, 0);
    while depth < 30 {
        let leaves = perft_hashed(&pos, depth, &cache);
        if leaves == u64::MAX {
            break;
        }
        assert!(leaves > before, "depth {depth}");
        (depth, before) = (depth + 1, leaves);
    }
    assert!((12..30).contains(&depth), "depth {depth}");
    for deeper in depth..=40 {
        assert_eq!(perft_hashed(&pos, deeper, &cache), u64::MAX);
    }
    let parts = divide_hashed(&pos, 40, &cache);
    assert!(parts.iter().all(|&(_, leaves)| leaves == u64::MAX));
}

#[test]
fn a_cache_that_is_too_large_is_refused() {
    for size_mib in [usize::MAX, usize::MAX >> 21] {
        let error = PerftCache::<Russian>::new(size_mib).err();
        assert_eq!(
            error.expect("no machine has it").to_string(),
            format!("cannot allocate a perft cache of {size_mib} MiB")
        );
    }
}
