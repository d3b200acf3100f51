//! A position and moves on one line: what is played, and what is wrong where.

use mainroad::notation::{fen, game_line};
use mainroad::rules::Russian;

/// Returns the position at the end of a line.
fn end_of(line: &str) -> Result<String, String> {
    game_line::parse::<Russian>(line).map(|game| fen::write(game.position()))
}

#[test]
fn lines_are_played() {
    for (line, expected) in [
        ("W:W21:B1", "W:W21:B1"),
        ("W:W21:B1 moves", "W:W21:B1"),
        ("W:W21:B1 moves a3-b4", "B:W17:B1"),
        ("W:Wa3:Bb8\tmoves\t1. a3-b4 {moves on} b8-c7 *", "W:W17:B6"),
        ("[FEN \"W:W 21:B 1\"] moves 21- 17 1 -6", "W:W17:B6"),
    ] {
        assert_eq!(end_of(line).as_deref(), Ok(expected), "{line}");
    }
}

#[test]
fn bad_lines() {
    for (line, message) in [
        (
            "",
            "bad FEN: \"\": the position is empty, expected one such as W:W21,K30:B1,2",
        ),
        (
            "moves a3-b4",
            "bad FEN: \"moves a3-b4\": the side to move is \"moves a3-b4\", expected W or B",
        ),
        (
            "W:W33:X moves a3-b4",
            "bad FEN: \"W:W33:X\": \"33\" is not a dark square, expected 1 to 32 or letters such as c3, kings with K; \
             \"X\" is no part of a position, expected W or B and squares; \
             the pieces of Black are missing, expected a part that begins with B",
        ),
        (
            "W:W21:B1 moves a3-b4 b8-c5",
            "bad move: move 2 of 2: \"b8-c5\" is not a legal move here",
        ),
        (
            "W:W21:B1 moves a3-b4 {never closed b8-c7",
            "bad move: move 2 of 4: \"{never\" cannot be read as a move, \
             expected one such as c3-d4, c3:e5, 22-18 or 22x15",
        ),
    ] {
        assert_eq!(end_of(line), Err(message.to_owned()), "{line}");
    }
}
