//! What must hold for any bytes: one function for each fuzz target. They panic where it does not.
//!
//! This is the library of the fuzz workspace, and a module of the engine's tests, which replay what was collected.

use mainroad::board::{Move, MoveList, Position};
use mainroad::book::{Book, BookError, Choice};
use mainroad::egdb::Tables;
use mainroad::eval::weights::Weights;
use mainroad::notation::hub::{self, Numbering};
use mainroad::notation::moves::{Form, MoveTextError};
use mainroad::notation::pdn::{self, Game, Reader};
use mainroad::notation::{fen, game_line, moves};
use mainroad::protocol::dxp::message::Message;
use mainroad::protocol::dxp::position::{read_move, read_start, write_move, write_start};
use mainroad::protocol::hub::message::{Command, Reply};
use mainroad::rules::{Rules, Russian, Variant, legal_moves};
use mainroad::tools::analysis::{self, Extent, Part};
use mainroad::tools::journal::Journal;
use mainroad::tools::matches::{self, Header, Standings, Summary};
use mainroad::tools::shard::Shard;
use mainroad::tools::training::data::DataReader;
use mainroad::with_rules;
use std::fs::File;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
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

/// Reads a book; the first byte chooses the rule set. What was read is written and read again the same, and its moves are legal.
pub fn book(bytes: &[u8]) {
    let (&first, bytes) = bytes.split_first().unwrap_or((&0, &[]));
    let name = Variant::NAMES[usize::from(first) % Variant::NAMES.len()];
    let variant: Variant = name.parse().expect("it is one of its names");
    let text = String::from_utf8_lossy(bytes);
    with_rules!(variant, R => book_text::<R>(&text));
}

fn book_text<R: Rules>(text: &str) {
    let (book, faults) = Book::parse_all::<R>(text, "a book");
    let first = Book::parse::<R>(text, "a book").map_err(|error| error.to_string());
    let first_of_all = faults.first().map(BookError::to_string);
    assert_eq!(first.as_ref().err(), first_of_all.as_ref());
    for fault in &faults {
        check_message(&fault.to_string());
    }
    let written = book.write::<R>();
    let is_readable = |line: &str| line.starts_with('#') || !line.contains(char::is_control);
    assert!(written.lines().all(is_readable), "{written:?}");
    let again = Book::parse::<R>(&written, "what was written");
    let again = again.expect("what is written can be read");
    assert_eq!(again.len(), book.len());
    assert_eq!(again.write::<R>(), written);
    for entry in book.entries() {
        let same = again.entry(&entry.pos).expect("it was written");
        assert_eq!(same, entry);
        for pos in [entry.pos, entry.pos.flipped()] {
            book_moves::<R>(&book, &pos);
        }
    }
}

/// What a book says of a position is legal there, and its choice is one of its moves.
fn book_moves<R: Rules>(book: &Book, pos: &Position) {
    let mut legal = MoveList::new();
    legal_moves::<R>(pos, &mut legal);
    let moves = book.moves(pos);
    assert!(moves.iter().all(|known| legal.contains(&known.mv)));
    let choice = Choice {
        margin: 20,
        variety: 50,
    };
    for number in [0, u64::MAX, 0x1234_5678_9ABC_DEF0] {
        if let Some((mv, _)) = book.choose(pos, choice, number) {
            assert!(moves.iter().any(|known| known.mv == mv));
        }
    }
    assert!(book.positions_behind(pos) >= 1);
}

/// Reads weights, as they are, and with what follows the first line made as long as it has to be and its checksum right. What was read is
/// written the same, and weighs a position within the scores that are no proof.
pub fn weights(bytes: &[u8]) {
    if let Err(fault) = Weights::parse(bytes) {
        check_message(&fault.to_string());
    }
    let shipped: &[u8] = include_bytes!("../../src/eval/data/russian.net");
    let line = |bytes: &[u8]| {
        bytes
            .iter()
            .position(|&byte| byte == b'\n')
            .map(|at| at + 1)
    };
    let (Some(head), Some(shipped_head)) = (line(bytes), line(shipped)) else {
        return;
    };
    let (head, rest) = bytes.split_at(head);
    // What the input says is laid over the numbers of the network that is shipped, which are small enough.
    let mut numbers = shipped[shipped_head..shipped.len() - 4].to_vec();
    for (byte, other) in numbers.iter_mut().zip(rest) {
        *byte ^= other;
    }
    let mut sealed = [head, &numbers].concat();
    let sum = crc32fast::hash(&sealed);
    sealed.extend(sum.to_le_bytes());
    match Weights::parse(&sealed) {
        Err(fault) => check_message(&fault.to_string()),
        Ok(read) => {
            let written = Weights::to_bytes(&read.about, &read.network, &read.wdl);
            let again = Weights::parse(&written).expect("what is written can be read");
            assert_eq!(again.network, read.network);
            for text in ["W:W21-32:B1-12", "B:WK1,K2,30:BK32,3", "W:WK29:BK4"] {
                let pos = fen::parse(text).expect("it is a position");
                let score = read.network.evaluate(&pos);
                assert!(!score.is_decided(), "{text}: {score:?}");
            }
        }
    }
}

/// Reads a file of tables, as it is, and with all its checksums right. Whatever it says, it can be asked about every position of two pieces.
pub fn tables(bytes: &[u8]) {
    for bytes in [bytes.to_vec(), sealed_tables(bytes)] {
        match Tables::<Russian>::from_bytes(bytes) {
            Err(fault) => check_message(&fault.to_string()),
            Ok(tables) => {
                tables.check_blocks();
                for text in [
                    "W:WK29:BK4",
                    "B:W30:B3",
                    "W:WK1:B12",
                    "B:WK1,K2:BK20",
                    "W:WK1,9:B20,K21",
                ] {
                    let pos = fen::parse(text).expect("it is a position");
                    let _ = tables.probe_wdl(&pos);
                    let _ = (tables.probe_dtz(&pos), tables.probe_dtc(&pos));
                }
                for slice in tables.slices() {
                    let _ = tables.summary(slice);
                }
                for fault in tables.take_faults() {
                    check_message(&fault.to_string());
                }
            }
        }
    }
}

/// Puts the right checksums into a file of tables, as far as it has places for them; the format is told in `egdb/archive.rs`.
fn sealed_tables(bytes: &[u8]) -> Vec<u8> {
    const NUMBERS: usize = 12;
    const SECTION: usize = 46;
    let mut sealed = bytes.to_vec();
    let number = |bytes: &[u8], at: usize| -> Option<usize> {
        let word = bytes.get(at..at + 4)?.try_into().ok()?;
        Some(u32::from_le_bytes(word) as usize)
    };
    let mut seal = || -> Option<()> {
        let head = bytes.iter().position(|&byte| byte == b'\n')? + 1;
        let (sections, length) = (number(bytes, head)?, number(bytes, head + 4)?);
        let start = head + NUMBERS;
        let end = start.checked_add(length)?;
        let (mut at, mut block) = (start, end);
        'directory: for _ in 0..sections {
            let Some(count) = number(bytes, at + SECTION) else {
                break;
            };
            at += SECTION + 4;
            for _ in 0..count {
                let Some(length) = number(bytes, at) else {
                    break 'directory;
                };
                let packed = bytes.get(block..block.checked_add(length)?);
                if let (Some(packed), Some(place)) = (packed, sealed.get_mut(at + 4..at + 8)) {
                    place.copy_from_slice(&crc32fast::hash(packed).to_le_bytes());
                }
                block += length;
                at += 8;
            }
        }
        let sum = crc32fast::hash(sealed.get(start..end)?);
        sealed[head + 8..start].copy_from_slice(&sum.to_le_bytes());
        Some(())
    };
    // A file that has no such places stays as it is.
    let _ = seal();
    sealed
}

/// Reads training positions, as they are, and with the checksums of the head and of the first game right. What was read is written the same.
pub fn games(bytes: &[u8]) {
    for bytes in [bytes.to_vec(), sealed_games(bytes)] {
        let mut reader = match DataReader::new(&bytes[..]) {
            Err(fault) => {
                check_message(&fault.to_string());
                continue;
            }
            Ok(reader) => reader,
        };
        let mut at = reader.length() as usize;
        loop {
            match reader.game() {
                Ok(None) => break,
                Ok(Some(game)) => {
                    let end = reader.length() as usize;
                    assert_eq!(game.to_bytes(), bytes[at..end]);
                    at = end;
                    for sample in game.samples {
                        assert!(sample.pos.position().is_ok(), "{sample:?}");
                    }
                }
                Err(fault) => {
                    check_message(&fault.to_string());
                    break;
                }
            }
        }
    }
}

/// Puts the right checksums into the head of a file of training positions and its first game, as far as it has places for them.
fn sealed_games(bytes: &[u8]) -> Vec<u8> {
    let mut sealed = bytes.to_vec();
    let mut seal = |start: usize, end: usize| {
        if end + 4 <= sealed.len() {
            let sum = crc32fast::hash(&sealed[start..end]);
            sealed[end..end + 4].copy_from_slice(&sum.to_le_bytes());
        }
    };
    if let Some(line) = bytes.iter().position(|&byte| byte == b'\n') {
        let head = line + 1;
        seal(0, head);
        let game = head + 4;
        if let Some(count) = bytes.get(game + 4..game + 8) {
            let count = u32::from_le_bytes(count.try_into().expect("four are four"));
            seal(game, (game + 8).saturating_add(16 * count as usize));
        }
    }
    sealed
}

/// Opens a journal, adds to it, and opens it again; then understands it as that of a match, and reports the match.
pub fn journal(bytes: &[u8]) {
    let file = Scratch::of(bytes);
    let lines = match Journal::open(file.open()) {
        Err(error) => return check_message(&error.to_string()),
        Ok((mut journal, lines)) => {
            journal.add(&"a line").expect("it can be written");
            lines
        }
    };
    let mut again = Journal::lines(&mut file.open()).expect("it was read before");
    assert_eq!(again.pop(), Some("a line".into()));
    assert_eq!(again, lines);
    match Header::understand(lines) {
        Err(fault) => check_message(&fault.to_string()),
        Ok((header, records)) => {
            let mut standings = Standings::new(&header.plan, Shard::default());
            for record in records {
                if let Err(unfit) = standings.add(record) {
                    check_message(&unfit.to_string());
                }
            }
            let summary = Summary::of(&standings);
            assert!(!summary.table().is_empty() && !summary.line().is_empty());
            for record in standings.records() {
                let text =
                    with_rules!(header.plan.variant, R => matches::pdn::<R>(&header.plan, record));
                assert!(text.ends_with('\n'));
            }
        }
    }
}

/// Understands a journal as that of an analysis; what is noted in it survives being written. Behind a NUL is what the part holds, which is
/// opened as it is noted, and with the checksum right.
pub fn analysis(bytes: &[u8]) {
    let end = bytes.iter().position(|&byte| byte == 0);
    let (journal, part) = bytes.split_at(end.unwrap_or(bytes.len()));
    let part = part.get(1..).unwrap_or_default();
    let file = Scratch::of(journal);
    let (mut journal, lines) = match Journal::open(file.open()) {
        Err(error) => return check_message(&error.to_string()),
        Ok(opened) => opened,
    };
    let plan = match &lines[..] {
        [first, ..] => first.as_object().cloned().unwrap_or_default(),
        [] => return,
    };
    let games = match analysis::understand(lines.clone(), &plan) {
        Err(other) => return check_message(&other.to_string()),
        Ok(games) => games,
    };
    let mut other = plan.clone();
    let nodes = format!("not {:?}", plan.get("nodes"));
    other.insert("nodes".to_owned(), nodes.into());
    let other = analysis::understand(lines, &other);
    check_message(&other.expect_err("the plan is another").to_string());
    for game in &games {
        journal.add(game).expect("it can be written");
    }
    drop(journal);
    let again = Journal::lines(&mut file.open()).expect("it was read before");
    let again = analysis::understand(again, &plan).expect("it was understood before");
    assert!(again.iter().eq(games.iter().chain(&games)));
    let noted = games.back().map(|game| game.pdn).unwrap_or_default();
    let length = part.len().min(noted.length as usize);
    let crc = crc32fast::hash(&part[..length]);
    let sealed = Extent {
        length: length as u64,
        crc,
    };
    go_on(part, noted);
    go_on(part, sealed);
}

/// Opens a part of which something was noted: it is cut off behind that and grows, or it holds something else and stays as it is.
fn go_on(bytes: &[u8], noted: Extent) {
    let file = Scratch::of(bytes);
    let held = || std::fs::read(&file.0).expect("it is there");
    let opened = Part::open(file.open(), noted).expect("it can be read");
    let Some(mut part) = opened else {
        return assert_eq!(held(), bytes);
    };
    assert_eq!(part.extent(), noted);
    part.add(b"a game").expect("it can be written");
    let mut all = Vec::new();
    part.repeat(&mut all).expect("it can be read");
    assert_eq!(all, [&bytes[..noted.length as usize], b"a game"].concat());
    assert_eq!(all, held());
    let again = Part::open(file.open(), part.extent()).expect("it can be read");
    assert!(again.is_some());
}

/// A file that goes when it is no longer needed.
struct Scratch(PathBuf);

impl Scratch {
    fn of(bytes: &[u8]) -> Self {
        static FILES: AtomicU32 = AtomicU32::new(0);
        let number = FILES.fetch_add(1, Ordering::Relaxed);
        let name = format!("mainroad-fuzz-{}-{number}", std::process::id());
        let file = Self(std::env::temp_dir().join(name));
        std::fs::write(&file.0, bytes).expect("it can be written");
        file
    }

    /// Opens it for reading and writing.
    fn open(&self) -> File {
        let mut options = File::options();
        let opened = options.read(true).write(true).open(&self.0);
        opened.expect("a scratch file can be opened")
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// An error is one line of a length that people read, whatever was in the input.
fn check_message(text: &str) {
    assert!(!text.contains(char::is_control), "{text:?}");
    assert!(!text.is_empty());
}
