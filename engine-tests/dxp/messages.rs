//! Messages: what their texts mean, and why others cannot be read.

use crate::support::Rng;
use mainroad::board::Side;
use mainroad::protocol::dxp::message::{
    Acceptance, BackAnswer, BackRequest, EndReason, GameAnswer, GameEnd, GameRequest, Message,
    MessageError, Minutes, MoveMessage, Start,
};
use std::time::Duration;

/// A request as [`Message`] has it.
fn request(follower: Side, minutes: &str, moves: u16, start: Start) -> Message {
    let text = format!("R01{:32}W{minutes}000A", "x");
    let Ok(Message::Request(GameRequest { minutes, .. })) = text.parse() else {
        panic!("{minutes}");
    };
    Message::Request(GameRequest {
        name: "Tornado voor Windows 4.0".to_owned(),
        follower,
        minutes,
        moves,
        start,
    })
}

/// Texts of messages and what they mean; the examples are those of the protocol text.
#[test]
fn messages() {
    let position = |turn, squares: &str| Start::Position {
        turn,
        squares: squares.to_owned(),
    };
    for (text, message) in [
        (
            "R01Tornado voor Windows 4.0        W060065A",
            request(Side::White, "060", 65, Start::Usual),
        ),
        (
            "R01Tornado voor Windows 4.0        Z.05000BWzzzzwwwwZWee",
            request(Side::Black, ".05", 0, position(Side::White, "zzzzwwwwZWee")),
        ),
        (
            "AMainroad 0.1.0                  0",
            Message::Answer(GameAnswer {
                name: "Mainroad 0.1.0".to_owned(),
                acceptance: Acceptance::Accepted,
            }),
        ),
        (
            "M001205250422122320",
            Message::Move(MoveMessage {
                seconds: 12,
                from: 5,
                to: 25,
                captured: vec![22, 12, 23, 20],
            }),
        ),
        (
            "M0000221800",
            Message::Move(MoveMessage {
                from: 22,
                to: 18,
                ..MoveMessage::default()
            }),
        ),
        (
            "E21",
            Message::End(GameEnd {
                reason: EndReason::Draw,
                is_last: true,
            }),
        ),
        (
            "CWhat do you think about move 35?",
            Message::Chat("What do you think about move 35?".to_owned()),
        ),
        (
            "B005Z",
            Message::Back(BackRequest {
                number: 5,
                turn: Side::Black,
            }),
        ),
        ("K2", Message::BackAnswer(BackAnswer::GoOn)),
    ] {
        assert_eq!(text.parse(), Ok(message.clone()), "{text}");
        assert_eq!(message.to_string(), text);
    }
}

/// What cannot be read says why.
#[test]
fn bad_messages() {
    for (text, part) in [
        ("", "empty"),
        ("X", "begins with 'X'"),
        (
            "R02Tornado                         W060065A",
            "version \"02\"",
        ),
        ("R", "version"),
        (
            "R01Tornado                         Q060065A",
            "follower's side is \"Q\"",
        ),
        (
            "R01Tornado                         W060065C",
            "start is \"C\"",
        ),
        (
            "R01Tornado                         W060065B",
            "side to move is \"\"",
        ),
        ("AMainroad                        9", "code is \"9\""),
        ("M00122218", "number of captured squares is \"\""),
        ("M0012x21800", "first square is \"x2\""),
        ("M001222180215", "captured square is \"\""),
        ("M0012221800 and more", "follows is \"and more\""),
        ("Everything", "reason is \"v\""),
        ("B00W", "move number is \"00W\""),
        ("B001w", "side to move is \"w\""),
        ("K3", "code is \"3\""),
        ("C\u{e9}", "outside ASCII"),
        (&"C".repeat(128), "more than 127"),
    ] {
        let error: MessageError = text.parse::<Message>().expect_err(text);
        assert!(error.to_string().contains(part), "{text}: {error}");
    }
}

/// The time of a game as clients write it, and as it is understood. Sources: Scan and Moby Dam read fractions, pydraughts sends 000.
#[test]
fn minutes() {
    let read = |text: &str| {
        let text = format!("R01{:32}W{text}000A", "x");
        match text.parse() {
            Ok(Message::Request(request)) => request.minutes,
            other => panic!("{other:?}"),
        }
    };
    for (text, milliseconds) in [
        ("000", None),
        ("   ", None),
        ("xyz", None),
        ("-10", None),
        ("1e9", None),
        ("nan", None),
        ("inf", None),
        ("001", Some(60_000)),
        ("5  ", Some(300_000)),
        ("  5", Some(300_000)),
        ("0.5", Some(30_000)),
        ("0,5", Some(30_000)),
        (".05", Some(3_000)),
        (".5 ", Some(30_000)),
        ("5. ", Some(300_000)),
        ("999", Some(59_940_000)),
    ] {
        assert_eq!(
            read(text).time(),
            milliseconds.map(Duration::from_millis),
            "{text:?}"
        );
    }
    for (milliseconds, text) in [
        (0, "000"),
        (1, ".01"),
        (599, ".01"),
        (600, ".01"),
        (3_000, ".05"),
        (30_000, "0.5"),
        (60_000, "001"),
        (90_000, "1.5"),
        (95_999, "1.5"),
        (600_000, "010"),
        (630_000, "010"),
        (100_000_000, "999"),
    ] {
        let minutes = Minutes::within(Duration::from_millis(milliseconds));
        assert_eq!(minutes.to_string(), text, "{milliseconds}");
        assert_eq!(read(text), minutes, "{milliseconds}");
    }
}

/// No text makes the reader panic, and what it reads is written as a text that reads the same.
#[test]
fn any_text() {
    let mut rng = Rng(6);
    let letters: Vec<char> = "RAMECBK0123456789WZwze .-é\u{1}".chars().collect();
    for _ in 0..200_000 {
        let length = rng.below(130);
        let mut text: String = (0..length).map(|_| *rng.pick(&letters)).collect();
        if rng.below(2) == 0 {
            // Otherwise hardly any would get beyond its version.
            text = format!("R01{text}");
        }
        if let Ok(message) = text.parse::<Message>() {
            let again = message.to_string();
            assert!(!again.is_empty() && again.len() <= 127 && again.is_ascii());
            assert_eq!(again.parse(), Ok(message), "{text:?}");
        }
    }
}
