//! What a journal of a match has: a line with the plan and the part of it, then a line for each finished game.

use super::plan::Plan;
use super::record::Record;
use crate::notation::on_one_line;
use crate::tools::shard::Shard;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a journal of a match begins with.
const MARK: &str = "mainroad match 1";

/// The first line.
#[derive(Debug, Serialize, Deserialize)]
pub struct Header {
    journal: String,
    /// The part of the match whose games are here, `I/N`.
    pub shard: String,
    /// The match.
    pub plan: Plan,
}

/// Says which line of a journal is not what it should be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {fault}")]
pub struct Misread {
    /// From 1.
    pub line: usize,
    /// What is wrong with it.
    pub fault: String,
}

impl Header {
    /// Makes the first line for a part of a match.
    pub fn new(plan: &Plan, shard: Shard) -> Self {
        Self {
            journal: MARK.to_owned(),
            shard: shard.to_string(),
            plan: plan.clone(),
        }
    }

    /// Understands the lines of a journal. The plan is one that can be played; whether the games are of it is for
    /// [`Standings`](super::Standings) to say.
    pub fn understand(lines: Vec<Value>) -> Result<(Self, Vec<Record>), Misread> {
        // What the reader of JSON says may repeat the text.
        let bad = |line: usize, fault: String| Misread {
            line,
            fault: on_one_line(&fault),
        };
        let mut lines = (1..).zip(lines);
        let first = lines.next().map(|(_, line)| Self::deserialize(line));
        let header = match first {
            Some(Ok(header)) if header.journal == MARK => header,
            Some(Err(error)) => {
                return Err(bad(1, format!("not the beginning of a match ({error})")));
            }
            Some(Ok(_)) | None => {
                return Err(bad(
                    1,
                    format!("expected the journal of a match, \"{MARK}\""),
                ));
            }
        };
        header.plan.check().map_err(|fault| bad(1, fault))?;
        let read = |(line, game)| {
            Record::deserialize(game).map_err(|error| bad(line, format!("not a game ({error})")))
        };
        let records: Result<Vec<Record>, Misread> = lines.map(read).collect();
        Ok((header, records?))
    }
}
