//! The positions that the benches of the rules share, by the kind of work that they make.

use mainroad::board::Position;
use mainroad::notation::fen;

/// The position on which generators are compared most often.
pub(crate) const START: &str = "W:W21-32:B1-12";

/// Kings only, twelve a side.
pub(crate) const KINGS: &str = "W:WK21-K32:BK1-K12";

/// Kings and men from which the trees of Pool, Russian and Brazilian differ after a few plies.
pub(crate) const MIXTURES: [&str; 3] = [
    "B:WK4,10,K11,17,25,K26,K32:BK8,21,K31",
    "B:WK1,K4,K13,K14,K16,K17,K18,25,K26:B21,K23,K31",
    "B:WK6,K14,K17,19,K26,27:B1,K3,K9,11,K12,16,22,K29",
];

/// Ten to twelve men a side and no king: the start and what follows it. One position in four has a capture.
const OPENINGS: [&str; 8] = [
    START,
    "W:W17,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,10,11,12,13",
    "B:W18,21,22,23,24,25,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,16",
    "W:W18,19,21,23,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,10,12,13,16",
    "B:W17,18,20,22,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,8,9,10,11,12,16",
    "W:W21,22,24,25,26,27,29,30,31,32:B1,2,3,4,5,6,7,9,10,11,12,14",
    "B:W18,20,21,23,24,25,26,27,29,30,31,32:B1,2,3,4,5,6,8,9,10,11,12,15",
    "W:W21,22,23,24,26,27,28,29,30,31,32:B1,2,3,4,5,6,8,9,11,19",
];

/// Five to ten pieces a side, nearly all men, as they arise in games. One position in four has a capture.
const MID_GAME: [&str; 8] = [
    "W:W20,21,26,28,29,30,31,32:B1,2,3,4,5,8,13,18",
    "B:W18,21,22,27,28,29,30:B1,3,4,8,9,10,12",
    "W:W21,27,28,29,30,31:B1,2,4,5,7,8,10,13,18",
    "W:W17,18,22,25,28,29,30,31,32:B1,3,4,5,7,8,9,10,12",
    "B:W22,23,28,29,30,32:B1,2,4,5,6,11,13,20,21",
    "W:WK3,22,23,26,30,31,32:B2,4,5,6,12,21",
    "W:W17,21,22,26,27,28,29,30,31:B1,2,3,4,5,6,9,12,16,24",
    "W:W12,17,22,24,27,28,30,32:B1,4,5,7,8,11,13",
];

/// Several kings, with and without men. Three positions in eight have a capture.
const KING_MIXTURES: [&str; 8] = [
    KINGS,
    MIXTURES[0],
    MIXTURES[1],
    MIXTURES[2],
    "B:W18,K20,K25,K30:BK3,K8,11,16,K17,26",
    "B:WK1,K14,19,23,K27,K28,29,K32:B25",
    "W:W6,24:B1,K4,5,K11,K13,K17",
    "B:WK19:BK20,K29",
];

/// Many captures, most of them of several pieces.
const CAPTURE_STORMS: [&str; 8] = [
    "B:W6,K7,8,K9,14,15,22,23:BK1,K21",
    "W:WK20,K32:B10,11,K18,K19,K25,26",
    "B:WK9,10,K11,15,17,18,K19,26,27:BK3,K31",
    "W:WK1,K5,K30:B8,9,10,11,14,17,23,K24,25",
    "W:WK12,K20,K28:B8,9,10,17,23,25",
    "B:WK3,K7,K9,K11,K12,14,K18,K19,K21,K26,K27,K30:B5,16,K22",
    "B:W8,10,16,17,23,24,25:BK3,7,K13",
    "B:W9,10,K16,17,18,K24,K25,K26,27:BK2,K15",
];

/// The sets by name. Except for the start, the kings and the mixtures, all positions are from `engine-tests/vectors`.
pub(crate) const SETS: [(&str, [&str; 8]); 4] = [
    ("openings", OPENINGS),
    ("mid-game", MID_GAME),
    ("kings", KING_MIXTURES),
    ("storms", CAPTURE_STORMS),
];

/// Reads positions.
pub(crate) fn read(texts: &[&str]) -> Vec<Position> {
    let read = |text: &&str| fen::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    texts.iter().map(read).collect()
}
