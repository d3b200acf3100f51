//! Noise: no text makes a reader panic, or wait.

use super::{legal, position};
use mainroad::notation::hub::Numbering;
use mainroad::notation::{fen, hub, moves};
use mainroad::rules::{Rules, Russian};
use proptest::prelude::*;

/// Feeds a text to every reader. What is read as a position must be one that can be written and read again.
fn read_everywhere(text: &str) {
    if let Ok(pos) = fen::parse(text) {
        assert_eq!(fen::parse(&fen::write(&pos)), Ok(pos));
    }
    let _ = hub::parse_position(text);
    for pos in [Russian::start(), position("W:WKd2:Bf6,c5,e5,e3")] {
        let moves = legal::<Russian>(&pos);
        let _ = hub::parse_move(text, Numbering::Pdn, &moves);
        let _ = moves::parse::<Russian>(&pos, text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1000) })]

    #[test]
    fn no_bytes_make_a_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        read_everywhere(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn no_unicode_makes_a_reader_panic(text in "\\PC{0,60}") {
        read_everywhere(&text);
    }

    #[test]
    fn nothing_like_a_position_makes_a_reader_panic(text in "[WB?]:([WBHF][K0-9a-hA-H, .–:-]{0,40}){0,3}") {
        read_everywhere(&text);
    }

    #[test]
    fn nothing_like_a_move_makes_a_reader_panic(text in "[a-h0-9xX×:–() !?*-]{0,20}") {
        read_everywhere(&text);
    }

    #[test]
    fn nothing_like_hub_makes_a_reader_panic(text in "[WB][wbWBe]{30,34}") {
        read_everywhere(&text);
    }
}

#[test]
fn long_texts_are_refused_at_once() {
    for part in [
        "W", "\"", " ", "W:W1,", "1-", "22x", "c3:", "[FEN \"", "é", "!", "W:", "K", "(", "FEN:",
    ] {
        read_everywhere(&part.repeat(1 << 20));
    }
}
