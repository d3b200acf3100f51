//! Files of openings, as several commands read them.

use super::Failure;
use crate::notation::shown;
use crate::rules::Rules;
use crate::tools::matches::openings::{self, Opening, Source, TABLES};

/// Reads a table that is compiled in, or a file. Returns its openings, and what is wrong with others in it; at least one is good.
pub(super) fn read<R: Rules>(
    name: &str,
    plies: usize,
) -> Result<(Vec<Opening>, Vec<String>), Failure> {
    let table = TABLES.iter().find(|(table, _)| *table == name);
    let (source, text) = if let Some((_, text)) = table {
        (Source::Ballots, (*text).to_owned())
    } else {
        let failed = |error| Failure::Failed(format!("cannot read: {name}: {error}"));
        let bytes = std::fs::read(name).map_err(failed)?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        (Source::of_name(name), text)
    };
    let (openings, rejected) = openings::read::<R>(source, &text, plies);
    if openings.is_empty() {
        let first = rejected.first().map_or("it is empty", String::as_str);
        return Err(Failure::Failed(format!(
            "bad openings: {name}: none is good: {}",
            shown(first)
        )));
    }
    Ok((openings, rejected))
}
