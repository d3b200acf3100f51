//! Reading files of positions.

use crate::cli::{Failure, Streams};
use crate::rules::{Movement, Rules, Variant};
use crate::tools::training::data::{DataFault, DataReader, PlayedGame, Recipe};
use crate::with_rules;
use std::fmt::Display;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

/// Opens a file of positions.
pub(super) fn open(path: &Path) -> Result<DataReader<BufReader<File>>, Failure> {
    let file = File::open(path).map_err(|error| bad(path, &error))?;
    DataReader::new(BufReader::new(file)).map_err(|error| bad(path, &error))
}

/// Reads the games of a file, which must be of the game that `R` plays. A torn game at the end, as a writer that is still at work leaves it, is
/// reported and left out; anything else that is damaged is an error.
pub(super) fn read_games<R: Rules>(
    path: &Path,
    streams: &mut Streams,
    mut take: impl FnMut(&Recipe, PlayedGame),
) -> Result<(), Failure> {
    let mut reader = open(path)?;
    let recipe = reader.recipe().clone();
    let expected = R::Movement::NAME;
    let found = with_rules!(variant_of(path)?, F => <F as Rules>::Movement::NAME);
    if found != expected {
        let text = format!("positions of {found}, expected {expected}");
        return Err(bad(path, &text));
    }
    loop {
        match reader.game() {
            Ok(Some(game)) => take(&recipe, game),
            Ok(None) => return Ok(()),
            Err(fault @ DataFault::Torn(_)) => {
                let line = format!("mainroad: left out: {}: {fault}", path.display());
                // The work goes on if nobody reads this.
                drop(writeln!(streams.err, "{line}"));
                return Ok(());
            }
            Err(fault) => return Err(bad(path, &fault)),
        }
    }
}

/// Returns the rule set of a file of positions.
pub(super) fn variant_of(path: &Path) -> Result<Variant, Failure> {
    let reader = open(path)?;
    let variant: Result<Variant, _> = reader.recipe().variant.parse();
    variant.map_err(|error| bad(path, &error))
}

pub(super) fn bad(path: &Path, fault: &dyn Display) -> Failure {
    Failure::Failed(format!("bad games: {}: {fault}", path.display()))
}
