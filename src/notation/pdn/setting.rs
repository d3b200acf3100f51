//! Which game is played, and from where: what the tags say, and what counts where they say nothing.
//!
//! 1. The number of the tag `GameType` names the game. Of several rule sets with this number the tag `Variant` chooses, then the
//!    option of the user, then the first counts.
//! 2. Without it the tag `Variant` names the rule set, then the option of the user, then Russian draughts are assumed.
//!
//! The other fields of `GameType` tell who begins and, if moves are numbers, where square 1 is. Where letters are, a1 is on White's left, whatever
//! they say, since that is where it is in all games here, and many files have the wrong number.

use super::game::{FaultReason, Tag};
use crate::board::{Position, Side};
use crate::notation::fen::{self, FenError};
use crate::notation::order::Order;
use crate::rules::{Rules, Variant};
use crate::with_rules;

/// The game types of the standard that are not played here.
const OTHER_GAMES: [(u32, &str); 12] = [
    (20, "international draughts"),
    (21, "English draughts"),
    (22, "Italian draughts"),
    (24, "Spanish draughts"),
    (27, "Canadian draughts"),
    (28, "Portuguese draughts"),
    (29, "Czech draughts"),
    (30, "Turkish draughts"),
    (31, "Thai draughts"),
    (40, "Frisian draughts"),
    (41, "spantsiretti"),
    (0, "chess"),
];

/// Names of games in their own languages, as tags have them.
const NAMES: [(&str, Variant); 5] = [
    ("русские", Variant::Russian),
    ("шашки", Variant::Russian),
    ("бразильские", Variant::Brazilian),
    ("пул", Variant::Pool),
    ("draughts-64", Variant::Russian),
];

/// What stands in the place of a FEN for the start position.
const START: [&str; 4] = ["start", "startpos", "start position", "starting position"];

/// What the moves of a game are read by.
pub(super) struct Setting {
    pub(super) variant: Option<Variant>,
    pub(super) start: Option<Position>,
    /// The position does not say whose move it is; `start` has the side that begins the game.
    pub(super) is_turn_open: bool,
    /// The variant was named, not assumed.
    pub(super) is_named: bool,
    pub(super) order: Order,
}

/// What is wrong with a tag, and the value.
pub(super) type TagFault = (String, FaultReason);

/// The fields of a tag `GameType`.
struct GameType {
    number: u32,
    first: Option<Side>,
    is_ours: bool,
    order: Option<Order>,
}

impl Setting {
    /// Finds out what the tags say. `set_up` is a position between the tags and the moves.
    pub(super) fn of(
        tags: &[Tag],
        set_up: Option<&str>,
        option: Option<Variant>,
        faults: &mut Vec<TagFault>,
    ) -> Self {
        let value = |name: &str| {
            let mut tags = tags.iter();
            let found = tags.find(|tag| tag.name.eq_ignore_ascii_case(name));
            found
                .map(|tag| tag.value.trim())
                .filter(|value| !value.is_empty())
        };
        let type_tag = value("GameType");
        let game_type = type_tag.and_then(GameType::read);
        let unnumbered = type_tag.filter(|_| game_type.is_none());
        let name = value("Variant").or(unnumbered);
        let variant = match choose(game_type.as_ref(), name, option) {
            Ok(variant) => {
                note_names(variant, unnumbered, value("Variant"), faults);
                Some(variant)
            }
            Err(reason) => {
                let text = type_tag.or(name).unwrap_or_default();
                faults.push((text.to_owned(), FaultReason::GameType(reason)));
                None
            }
        };
        let order = game_type
            .as_ref()
            .and_then(|game| game.order)
            .unwrap_or_default();
        let mut setting = Self {
            variant,
            start: None,
            is_turn_open: false,
            is_named: type_tag.or(name).is_some() || option.is_some(),
            order,
        };
        if let Some(variant) = variant {
            let first = game_type.and_then(|game| game.first);
            let first = first.unwrap_or_else(|| with_rules!(variant, R => R::FIRST_TO_MOVE));
            setting.set_up(value("FEN").or(set_up), first, faults);
        }
        setting
    }

    /// Reads the start position.
    fn set_up(&mut self, fen: Option<&str>, first: Side, faults: &mut Vec<TagFault>) {
        let is_start = |text: &str| START.iter().any(|name| name.eq_ignore_ascii_case(text));
        let Some(text) = fen.filter(|text| !is_start(text)) else {
            self.start = Some(Position::start(first));
            return;
        };
        let read = fen::parse_all_in(text, self.order).or_else(|errors| {
            self.is_turn_open = errors == [FenError::OpenTurn];
            if self.is_turn_open {
                let closed = text.replacen('?', &first.letter().to_string(), 1);
                fen::parse_all_in(&closed, self.order)
            } else {
                Err(errors)
            }
        });
        match read {
            Ok(start) => self.start = Some(start),
            Err(errors) => {
                let errors: Vec<String> = errors.iter().map(FenError::to_string).collect();
                faults.push((text.to_owned(), FaultReason::Fen(errors.join("; "))));
            }
        }
    }
}

/// Names what does not go with the rule set that counts: a tag `GameType` without a number, and a tag `Variant`.
fn note_names(
    variant: Variant,
    game_type: Option<&str>,
    name: Option<&str>,
    faults: &mut Vec<TagFault>,
) {
    if let Some(text) = game_type.filter(|text| named(text).is_none()) {
        let reason = "is not a game type, expected one such as 25 or 25,W,8,8,A0,0";
        faults.push((text.to_owned(), FaultReason::GameType(reason.to_owned())));
    }
    for other in [game_type, name].into_iter().flatten() {
        if is_of_another_game(other, variant) {
            let reason = FaultReason::OtherGame(variant.name());
            faults.push((other.to_owned(), reason));
        }
    }
}

/// Returns the game type of a rule set, as the standard writes it.
fn game_type_of(variant: Variant) -> &'static str {
    with_rules!(variant, R => R::STYLE.game_type)
}

/// Returns the rule sets of a game type.
fn of_number(number: u32) -> impl Iterator<Item = Variant> {
    let has_number = move |variant: &Variant| {
        let own = game_type_of(*variant).split(',').next();
        own.is_some_and(|own| own.parse() == Ok(number))
    };
    Variant::ALL.into_iter().filter(has_number)
}

/// Returns the rule set that counts for a game type alone.
pub(super) fn default_of(game_type: &str) -> Option<Variant> {
    GameType::read(game_type).and_then(|game| of_number(game.number).next())
}

/// Returns the rule set that a tag names.
pub(super) fn named(name: &str) -> Option<Variant> {
    let name = name.trim().to_lowercase().replace(' ', "-");
    let first = name.split(['-', ',']).next().unwrap_or_default();
    let local = |name: &str| {
        let found = NAMES.iter().find(|(own, _)| *own == name);
        found.map(|(_, variant)| *variant)
    };
    let known = |name: &str| name.parse().ok().or_else(|| local(name));
    known(&name).or_else(|| known(first))
}

/// Says whether a tag names another game than that of a rule set, or one that is not played here.
pub(super) fn is_of_another_game(name: &str, variant: Variant) -> bool {
    let number = |variant| game_type_of(variant).split(',').next();
    if let Some(other) = named(name) {
        return number(other) != number(variant);
    }
    let name = name.to_lowercase();
    let word = |name: &str| name.split([' ', '-', ',']).next().map(str::to_lowercase);
    // International draughts on 64 squares are Brazilian.
    let is_small = name.contains("64");
    let mut others = OTHER_GAMES.iter();
    !is_small && others.any(|(_, other)| word(other) == word(&name))
}

/// Chooses the rule set, or says which game it is that is not played here.
fn choose(
    game_type: Option<&GameType>,
    name: Option<&str>,
    option: Option<Variant>,
) -> Result<Variant, String> {
    let by_name = name.and_then(named);
    let Some(game) = game_type else {
        return match (by_name, name) {
            (Some(variant), _) => Ok(variant),
            (None, Some(_)) if option.is_none() => Err(format!(
                "is not a game that is played here, expected one of {}",
                Variant::NAMES.join(", ")
            )),
            _ => Ok(option.unwrap_or_default()),
        };
    };
    let all: Vec<Variant> = of_number(game.number).collect();
    let chosen = [by_name, option, all.first().copied()];
    let mut chosen = chosen.into_iter().flatten();
    let what = match chosen.find(|variant| all.contains(variant)) {
        Some(variant) if game.is_ours => return Ok(variant),
        Some(_) => "has another board".to_owned(),
        None => {
            let mut others = OTHER_GAMES.iter();
            let other = others.find(|(number, _)| *number == game.number);
            let name = other.map_or("an unknown game", |(_, name)| name);
            format!("is {name}, which is not played here")
        }
    };
    Err(format!(
        "{what}, expected 23, 25 or 26, on 8x8 squares with a1 dark"
    ))
}

impl GameType {
    /// Reads a value, or returns `None` if it does not begin with a number.
    fn read(text: &str) -> Option<Self> {
        let mut fields = text.split(',').map(str::trim);
        let number = fields.next()?.parse().ok()?;
        let first = fields.next().and_then(|side| side.chars().next());
        let first = first.and_then(Side::from_letter);
        let mut size = || fields.next().is_none_or(|size| size == "8");
        let is_ours = size() && size();
        let is_turned = fields.nth(1) == Some("1");
        Some(Self {
            number,
            first,
            is_ours: is_ours && !is_turned,
            order: Order::of_game_type(text),
        })
    }
}
