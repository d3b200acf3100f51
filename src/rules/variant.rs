//! The names of the rule sets, and the one place that turns a name into a type.

use std::fmt;
use std::str::FromStr;

/// A rule set, by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Variant {
    /// Russian draughts (shashki).
    #[default]
    Russian,
    /// Russian moves, draw rules of an online server: no count of king moves.
    RussianOnline,
    /// Russian moves, official draughts-64 draw rules of the FMJD.
    RussianFmjd64,
    /// American Pool checkers, APCA rules.
    Pool,
    /// Pool moves, with a draw after 25 moves without progress.
    Pool25,
    /// International rules on 64 squares: the most pieces must be taken.
    Brazilian,
}

/// Names a rule set that does not exist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown variant \"{0}\", expected one of {names}", names = Variant::NAMES.join(", "))]
pub struct UnknownVariant(pub String);

impl Variant {
    /// Every rule set, in the order in which they are offered.
    pub const ALL: [Self; 6] = [
        Self::Russian,
        Self::RussianOnline,
        Self::RussianFmjd64,
        Self::Pool,
        Self::Pool25,
        Self::Brazilian,
    ];

    /// The name of each, in the order of [`Self::ALL`], which is that of the declaration.
    pub const NAMES: [&'static str; 6] = [
        "russian",
        "russian-online",
        "russian-fmjd64",
        "pool",
        "pool-25",
        "brazilian",
    ];

    /// Other spellings that are understood.
    const ALIASES: [(&'static str, Self); 4] = [
        ("shashki", Self::Russian),
        ("fmjd64", Self::RussianFmjd64),
        ("pool-apca", Self::Pool),
        ("american-pool", Self::Pool),
    ];

    /// Returns the name.
    pub const fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Variant {
    type Err = UnknownVariant;

    /// Reads a name or an alias, in any case.
    fn from_str(text: &str) -> Result<Self, UnknownVariant> {
        let text_lower = text.to_ascii_lowercase();
        let names = Self::ALL
            .into_iter()
            .map(|variant| (variant.name(), variant));
        let mut spellings = names.chain(Self::ALIASES);
        let found = spellings.find(|(spelling, _)| *spelling == text_lower);
        found
            .map(|(_, variant)| variant)
            .ok_or_else(|| UnknownVariant(text.to_owned()))
    }
}

/// Evaluates an expression with a type alias bound to the rules of a [`Variant`]: the one `match` from name to type.
///
/// ```
/// use mainroad::rules::{perft, Rules, Variant};
/// use mainroad::with_rules;
///
/// let nodes = with_rules!(Variant::Pool, R => perft::<R>(&R::start(), 3));
/// assert_eq!(nodes, 302);
/// ```
#[macro_export]
macro_rules! with_rules {
    ($variant:expr, $rules:ident => $body:expr) => {
        match $variant {
            $crate::rules::Variant::Russian => {
                type $rules = $crate::rules::Russian;
                $body
            }
            $crate::rules::Variant::RussianOnline => {
                type $rules = $crate::rules::RussianOnline;
                $body
            }
            $crate::rules::Variant::RussianFmjd64 => {
                type $rules = $crate::rules::RussianFmjd64;
                $body
            }
            $crate::rules::Variant::Pool => {
                type $rules = $crate::rules::Pool;
                $body
            }
            $crate::rules::Variant::Pool25 => {
                type $rules = $crate::rules::Pool25;
                $body
            }
            $crate::rules::Variant::Brazilian => {
                type $rules = $crate::rules::Brazilian;
                $body
            }
        }
    };
}
