//! `mainroad --version`: which program this is, to the last weight, so that two results can be compared or a fault be repeated.

use crate::book;
use crate::egdb::Tables;
use crate::eval::Evaluation;
use crate::rules::{Brazilian, Movement, Pool, Rules, Russian};
use std::fmt::Write;

/// Instructions that make a difference to bitboards and to sums of numbers, where the compiler may use them.
#[cfg(target_arch = "x86_64")]
const FEATURES: [(&str, bool, fn() -> bool); 6] = [
    ("popcnt", cfg!(target_feature = "popcnt"), || {
        is_x86_feature_detected!("popcnt")
    }),
    ("bmi1", cfg!(target_feature = "bmi1"), || {
        is_x86_feature_detected!("bmi1")
    }),
    ("bmi2", cfg!(target_feature = "bmi2"), || {
        is_x86_feature_detected!("bmi2")
    }),
    ("avx2", cfg!(target_feature = "avx2"), || {
        is_x86_feature_detected!("avx2")
    }),
    ("avx512bw", cfg!(target_feature = "avx512bw"), || {
        is_x86_feature_detected!("avx512bw")
    }),
    ("avx512vnni", cfg!(target_feature = "avx512vnni"), || {
        is_x86_feature_detected!("avx512vnni")
    }),
];
#[cfg(not(target_arch = "x86_64"))]
const FEATURES: [(&str, bool, fn() -> bool); 0] = [];

/// Returns all of it, one thing a line.
pub(super) fn text() -> String {
    let mut text = format!(
        "mainroad {}\ncommit {}\nbuilt for {}",
        env!("CARGO_PKG_VERSION"),
        env!("MAINROAD_COMMIT"),
        env!("MAINROAD_TARGET"),
    );
    let names = |is_wanted: &dyn Fn(&(&str, bool, fn() -> bool)) -> bool| {
        let names = FEATURES.iter().filter(|feature| is_wanted(feature));
        let names: Vec<&str> = names.map(|(name, ..)| *name).collect();
        if names.is_empty() {
            "nothing more".to_owned()
        } else {
            names.join(" ")
        }
    };
    let used = names(&|(_, is_used, _)| *is_used);
    let present = names(&|(.., is_present)| is_present());
    let _ = writeln!(text, ", uses {used}\nthis processor has {present}");
    data::<Russian>(&mut text);
    data::<Pool>(&mut text);
    data::<Brazilian>(&mut text);
    text
}

/// Adds what a game is played with.
fn data<R: Rules>(text: &mut String) {
    let game = R::Movement::NAME;
    let weights = Evaluation::Learned.fingerprint::<R::Movement>();
    let tables = Tables::<R>::embedded_checksum();
    let book = match book::default_checksum::<R>() {
        Ok((place, checksum)) => format!("crc32 {checksum:08x} ({place})"),
        Err(error) => error.to_string(),
    };
    let _ = writeln!(
        text,
        "{game}: weights {weights}, tables crc32 {tables:08x}, book {book}"
    );
}
