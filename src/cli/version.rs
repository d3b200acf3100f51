//! `mainroad --version`: which program this is, to the last weight, so that two results can be compared or a fault be repeated.

use crate::book;
use crate::egdb::Tables;
use crate::eval::Evaluation;
use crate::rules::{Brazilian, Movement, Pool, Rules, Russian};
use std::fmt::Write;

/// Instructions that make a difference to bitboards and to sums of numbers: the name, whether the program is compiled to use them, and
/// whether this processor has them.
type Feature = (&'static str, bool, bool);

#[cfg(target_arch = "x86_64")]
fn features() -> Vec<Feature> {
    macro_rules! features {
        ($($name:tt),*) => {
            vec![$(($name, cfg!(target_feature = $name), is_x86_feature_detected!($name))),*]
        };
    }
    features!("popcnt", "bmi1", "bmi2", "avx2", "avx512bw", "avx512vnni")
}

#[cfg(not(target_arch = "x86_64"))]
fn features() -> Vec<Feature> {
    Vec::new()
}

/// Returns all of it, one thing a line.
pub(super) fn text() -> String {
    let mut text = format!(
        "mainroad {}\ncommit {}\nbuilt for {}",
        env!("CARGO_PKG_VERSION"),
        env!("MAINROAD_COMMIT"),
        env!("MAINROAD_TARGET"),
    );
    let features = features();
    let names = |is_wanted: fn(&&Feature) -> bool| {
        let names: Vec<&str> = features
            .iter()
            .filter(is_wanted)
            .map(|(name, ..)| *name)
            .collect();
        if names.is_empty() {
            "nothing more".to_owned()
        } else {
            names.join(" ")
        }
    };
    let used = names(|(_, is_used, _)| *is_used);
    let present = names(|(.., is_present)| *is_present);
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
