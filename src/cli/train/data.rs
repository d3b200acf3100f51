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

/// Reads the games of a file, and returns the name of the way of moving in it. A torn game at the end, as a writer that is still at work leaves
/// it, is reported and left out; anything else that is damaged is an error.
pub(super) fn read_games(
    path: &Path,
    streams: &mut Streams,
    mut take: impl FnMut(&Recipe, PlayedGame),
) -> Result<&'static str, Failure> {
    let mut reader = open(path)?;
    let recipe = reader.recipe().clone();
    let variant: Result<Variant, _> = recipe.variant.parse();
    let variant = variant.map_err(|error| bad(path, &error))?;
    let movement = with_rules!(variant, R => <R as Rules>::Movement::NAME);
    loop {
        match reader.game() {
            Ok(Some(game)) => take(&recipe, game),
            Ok(None) => return Ok(movement),
            Err(fault @ DataFault::Torn(_)) => {
                let line = format!("mainroad: left out: {}: {fault}", path.display());
                // The work goes on if nobody reads this.
                drop(writeln!(streams.err, "{line}"));
                return Ok(movement);
            }
            Err(fault) => return Err(bad(path, &fault)),
        }
    }
}

pub(super) fn bad(path: &Path, fault: &dyn Display) -> Failure {
    Failure::Failed(format!("bad games: {}: {fault}", path.display()))
}
