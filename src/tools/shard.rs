//! One part of a long job: which of its numbered items this process works on.
//!
//! A job that can be shared numbers its items from 0, in an order that follows from its plan alone, and every item can be done without the
//! others. Then process `I` of `N` takes each `N`th item, beginning with the `I`th. The parts are disjoint, together they are the whole,
//! and since neighbours go to different processes, items that get dearer along the order are shared out evenly. No process needs to know
//! of the others: a job array of any scheduler will do, and what each has finished is put together from their journals.

use std::fmt;
use std::str::FromStr;

/// A part of a job. The default is the whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// From 0, below `count`.
    index: u64,
    /// At least 1.
    count: u64,
}

/// Says why a text is not a part.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("bad shard \"{0}\", expected I/N with I from 1 to N, such as 2/8")]
pub struct BadShard(pub String);

impl Default for Shard {
    fn default() -> Self {
        Self { index: 0, count: 1 }
    }
}

impl Shard {
    /// Says whether an item belongs to this part.
    pub const fn has(self, item: u64) -> bool {
        item % self.count == self.index
    }

    /// Says whether this is the whole job.
    pub const fn is_whole(self) -> bool {
        self.count == 1
    }
}

/// `I/N`, counted from 1.
impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index + 1, self.count)
    }
}

impl FromStr for Shard {
    type Err = BadShard;

    fn from_str(text: &str) -> Result<Self, BadShard> {
        let read =
            |(number, count): (&str, &str)| Some((number.parse().ok()?, count.parse().ok()?));
        let numbers: Option<(u64, u64)> = text.split_once('/').and_then(read);
        match numbers {
            Some((number, count)) if (1..=count).contains(&number) => Ok(Self {
                index: number - 1,
                count,
            }),
            _ => Err(BadShard(text.to_owned())),
        }
    }
}
