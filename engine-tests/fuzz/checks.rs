//! What must hold for any bytes: one function for each fuzz target. They panic where it does not.
//!
//! This is the library of the fuzz workspace, and a module of the engine's tests, which replay what was collected.

use mainroad::board::{Move, MoveList, Position};
use mainroad::notation::hub::{self, Numbering};
use mainroad::notation::moves::{Form, MoveTextError};
use mainroad::notation::pdn::{self, Game, Reader};
use mainroad::notation::{fen, game_line, moves};
use mainroad::protocol::dxp::message::Message;
use mainroad::protocol::dxp::position::{read_move, read_start, write_move, write_start};
use mainroad::protocol::hub::message::{Command, Reply};
use mainroad::rules::{Rules, Russian, Variant, legal_moves};
use mainroad::with_rules;
use std::time::Duration;

/// Reads a line as both sides of Hub do. What was read is written on one line, and then reads and is written the same.
pub fn hub_line(bytes: &[u8]) {
    let line = String::from_utf8_lossy(bytes);
    if let Ok(command) = line.parse::<Command>() {
        let written = command.to_string();
        assert!(!written.contains(char::is_control), "{written:?}");
        let again: Command = written.parse().expect("what is written can be read");
        assert_eq!(again.to_string(), written);
        assert!(again == command || line.contains(char::is_control));
    }
    let Ok(reply) = line.parse::<Reply>();
    let written = reply.to_string();
    assert!(!written.contains(char::is_control), "{written:?}");
    let Ok(again) = written.parse::<Reply>();
    assert_eq!(again.to_string(), written);
}

/// Reads a position of Hub and a FEN. What was read survives being written in every form.
pub fn position(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(pos) = hub::parse_position(&text) {
        assert_eq!(hub::write_position(&pos), text);
        // A FEN may be a position of Hub too.
        assert_eq!(fen::parse(&text), Ok(pos));
    }
    match (fen::parse(&text), fen::parse_all(&text)) {
        (Ok(pos), Ok(same)) => {
            assert_eq!(pos, same);
            let forms = [
                fen::write(&pos),
                fen::write_letters(&pos),
                hub::write_position(&pos),
            ];
            for form in forms {
                assert_eq!(fen::parse(&form), Ok(pos), "{form}");
            }
        }
        (Err(first), Err(all)) => {
            assert_eq!(Some(&first), all.first());
            for fault in all {
                check_message(&fault.to_string());
            }
        }
        (one, all) => panic!("{one:?}, but {all:?}"),
    }
}

/// Reads a game. The first byte chooses the rule set, the first line is a FEN or anything else for the start, the rest are
/// moves: as people write them, and each word also as a move of Hub.
pub fn moves_text(bytes: &[u8]) {
    let (&first, bytes) = bytes.split_first().unwrap_or((&0, &[]));
    let name = Variant::NAMES[usize::from(first) % Variant::NAMES.len()];
    let variant: Variant = name.parse().expect("it is one of its names");
    let text = String::from_utf8_lossy(bytes);
    let (head, rest) = text.split_once('\n').unwrap_or(("", &text));
    with_rules!(variant, R => game_text::<R>(head, rest));
}

fn game_text<R: Rules>(head: &str, text: &str) {
    let mut pos = fen::parse(head).unwrap_or_else(|_| R::start());
    match game_line::set_up::<R>(Some(&fen::write(&pos)), text) {
        Ok(game) => {
            let written = moves::write_line::<R>(game.start(), game.moves()).join(" ");
            let again = game_line::set_up::<R>(Some(&fen::write(&pos)), &written);
            let again = again.expect("what is written can be read");
            assert_eq!(again.moves(), game.moves(), "{written}");
        }
        Err(error) => check_message(&error),
    }
    // Unlike a game, which ends at the first fault, this goes on.
    for word in text.split(|c: char| c.is_whitespace()) {
        let mut legal = MoveList::new();
        legal_moves::<R>(&pos, &mut legal);
        let read = [Numbering::Hub, Numbering::Pdn].map(|numbering| {
            let read = hub::parse_move(word, numbering, &legal);
            read.inspect(|&mv| hub_move(mv, numbering, &legal)).ok()
        });
        let typed = typed_move::<R>(&pos, word, &legal);
        if let Some(mv) = typed.or(read[0]).or(read[1]) {
            pos = pos.play(mv);
        }
    }
}

/// A move that was read from Hub is legal and survives being written.
fn hub_move(mv: Move, numbering: Numbering, legal: &[Move]) {
    assert!(legal.contains(&mv));
    let written = hub::write_move(mv, numbering);
    assert_eq!(
        hub::parse_move(&written, numbering, legal),
        Ok(mv),
        "{written}"
    );
}

/// A move that a person typed is legal and survives being written; one that fits several names each of them uniquely.
fn typed_move<R: Rules>(pos: &Position, word: &str, legal: &[Move]) -> Option<Move> {
    match moves::parse::<R>(pos, word) {
        Ok(mv) => {
            assert!(legal.contains(&mv));
            let written = moves::write::<R>(pos, mv);
            assert_eq!(moves::parse::<R>(pos, &written), Ok(mv), "{written}");
            Some(mv)
        }
        Err(error) => {
            check_message(&error.to_string());
            if let MoveTextError::Ambiguous { candidates, .. } = error {
                assert!(candidates.len() > 1);
                for candidate in candidates {
                    assert!(moves::parse::<R>(pos, &candidate).is_ok(), "{candidate}");
                }
            }
            None
        }
    }
}

/// Reads a file of games; the first byte chooses whether and which rule set is given. What was read is written, in each form, and then reads as
/// the same moves without a fault of the moves.
pub fn pdn(bytes: &[u8]) {
    let (&first, bytes) = bytes.split_first().unwrap_or((&0, &[]));
    let option = Variant::NAMES.get(usize::from(first) % (Variant::NAMES.len() + 1));
    let option = option.and_then(|name| name.parse().ok());
    for (number, game) in (1..).zip(Reader::new(bytes, option)) {
        let game = game.expect("memory can be read");
        assert_eq!(game.number, number);
        for fault in &game.faults {
            check_message(&fault.to_string());
            check_message(&fault.reason.to_string());
        }
        for form in [
            None,
            Some(Form::Numbers),
            Some(Form::Letters),
            Some(Form::HalfShort),
        ] {
            pdn_game(&game, form, option);
        }
    }
}

fn pdn_game(game: &Game, form: Option<Form>, option: Option<Variant>) {
    let written = pdn::write(game, form);
    let mut again = Reader::new(written.as_bytes(), option);
    let read = again.next().expect("a game was written");
    let read = read.expect("memory can be read");
    if game.variant.is_none() {
        return;
    }
    assert!(again.next().is_none(), "{written}");
    assert_eq!(read.variant, game.variant, "{written}");
    if game.start.is_some() {
        let moves = |game: &Game| {
            game.main
                .moves
                .iter()
                .map(|node| node.mv)
                .collect::<Vec<_>>()
        };
        assert_eq!(moves(&read), moves(game), "{written}");
        // What is written is stable.
        assert_eq!(pdn::write(&read, form), written);
    }
}

/// Reads what came over a DXP connection: messages with a NUL behind each. What was read fits into a message again and then reads the
/// same; a start that can be set up and a move that can be played survive it too.
pub fn dxp_frame(bytes: &[u8]) {
    for frame in bytes.split(|&byte| byte == 0) {
        let text = String::from_utf8_lossy(frame);
        match text.trim_matches(['\r', '\n']).parse::<Message>() {
            Ok(message) => dxp_message(&message),
            Err(error) => check_message(&error.to_string()),
        }
    }
}

fn dxp_message(message: &Message) {
    let written = message.to_string();
    assert!(written.len() <= 127, "{written}");
    assert!(!written.contains(|c: char| !c.is_ascii() || c.is_control()));
    let again: Message = written.parse().expect("what is written can be read");
    assert_eq!(again.to_string(), written);
    match message {
        Message::Request(request) => match read_start(&request.start) {
            Ok(pos) => assert_eq!(read_start(&write_start(&pos)), Ok(pos)),
            Err(error) => check_message(&error.to_string()),
        },
        Message::Move(sent) => {
            let mut legal = MoveList::new();
            legal_moves::<Russian>(&Russian::start(), &mut legal);
            for numbering in [Numbering::Hub, Numbering::Pdn] {
                let Ok(mv) = read_move(sent, numbering, &legal) else {
                    continue;
                };
                assert!(legal.contains(&mv));
                let written = write_move(mv, numbering, Duration::ZERO);
                assert_eq!(read_move(&written, numbering, &legal), Ok(mv));
            }
        }
        _ => {}
    }
}

/// An error is one line of a length that people read, whatever was in the input.
fn check_message(text: &str) {
    assert!(!text.contains(char::is_control), "{text:?}");
    assert!(!text.is_empty());
}
