//! What people's files contain and what is no fault: every case is read like the plain one.

use super::{outline, read, read_as, read_one};
use mainroad::board::Side;
use mainroad::notation::fen;
use mainroad::notation::pdn::{Game, Reader};
use mainroad::rules::{Rules, Russian, Variant};
use std::io::BufReader;

/// Tags before the moves of most cases.
const HEAD: &str = "[Event \"x\"]\n[GameType \"25\"]\n\n";

/// The moves of a text are those of another, and nothing is wrong.
#[track_caller]
fn check(moves: &str, expected: &str) {
    let game = read_one(format!("{HEAD}{moves}"));
    assert_eq!(game.faults, [], "{moves}");
    assert_eq!(outline(&game.main), expected, "{moves}");
}

/// Moves however they are spelled; from players' posts and the exports of sites.
#[test]
fn spellings_of_moves() {
    for moves in [
        "1. c3-d4 b6-a5 2. d4-c5 *",
        "1.c3-d4 b6-a5 2.d4-c5 *",
        "1. c3-d4 1... b6-a5 2. d4-c5 *",
        "1. c3-d4 1. ... b6-a5 2. d4-c5 *",
        "1. c3-d4 1… b6-a5 2. d4-c5 *",
        "1) c3-d4 b6-a5 2) d4-c5 *",
        "1 c3-d4 b6-a5 2 d4-c5 *",
        "c3-d4 b6-a5 d4-c5",
        "1.\nc3-d4\nb6-a5\n2.\nd4-c5\n*",
        "12. c3-d4 b6-a5 3. d4-c5 *",
    ] {
        check(moves, "c3-d4 b6-a5 d4-c5");
    }
    let spelled = [
        "c3d4 b6a5 d4c5",
        "C3-D4 B6-A5 D4-C5",
        "c3–d4 b6—a5 d4−c5",
        "с3-d4 b6-а5 d4-с5",
        "cd4 ba5 dc5",
        "c3 d4 b6 a5 d4 c5",
        "c3 - d4 b6 -a5 d4- c5",
        "22-18 9-13 18-14",
        "22-18 09-13 18 - 14",
        "2218 0913 1814",
        "1. 22 - 18 9- 13 2. 18 -14",
        // Counted from a1, which is legal from the start in this order only.
        "10-14 21-17 14-18",
        "c3-d4!? b6-a5?? d4-c5(!)",
        "c3-d4 ! b6-a5 ?! d4-c5*",
        "c3-d4 $1 b6-a5 += d4-c5 ±",
        "c3-d4‼ b6-a5⁉ d4-c5",
    ];
    let plain = read_one(format!("{HEAD}c3-d4 b6-a5 d4-c5"));
    let moves = |game: &Game| {
        game.main
            .moves
            .iter()
            .map(|node| node.mv)
            .collect::<Vec<_>>()
    };
    for text in spelled {
        let game = read_one(format!("{HEAD}{text} *"));
        assert_eq!(game.faults, [], "{text}");
        assert_eq!(moves(&game), moves(&plain), "{text}");
    }
}

/// Captures in all forms: signs, ends, all squares, some squares, round trips.
#[test]
fn spellings_of_captures() {
    let cases = [
        (
            "W:Wa3:Bb4,d4",
            "a3:c5:e3 a3xe3 a3-e3 a3×e3 a3хe3 A3:E3 a:e3 21x23 21x14x23 21-23 a3e3",
        ),
        (
            "W:WKd2:Bf6,c5,e5,e3",
            "d2:f4:d6:a3 d2xf4xd6xa3 d2:f4:a3 d2:d6:a3 26x21x14x15x23",
        ),
        (
            "W:Wc3:Bd4,d6,b6,b4",
            "c3:c3 c3xe5xc7xa5xc3 c3:e5:c7:a5:c3 c3:a5:c7:e5:c3 22x22 c:c3",
        ),
        ("B:Wd4:Bc5", "c5:e3 c:e3 14x23 c5-e3 c5e3"),
    ];
    for (position, texts) in cases {
        for text in texts.split(' ') {
            let game = read_one(format!(
                "[GameType \"25\"]\n[FEN \"{position}\"]\n\n{text} *"
            ));
            assert_eq!(game.faults, [], "{position} {text}");
            assert_eq!(game.main.moves.len(), 1, "{position} {text}");
        }
    }
}

/// Line ends, byte-order marks, blanks and encodings.
#[test]
fn bytes_in_all_forms() {
    let plain =
        "[Event \"x\"]\n[White \"Игрок\"]\n[GameType \"25\"]\n\n1. c3-d4 b6-a5 {хорошо} *\n";
    let expected = "c3-d4 b6-a5 {хорошо}";
    let (cp1251, _, _) = encoding_rs::WINDOWS_1251.encode(plain);
    let (cp866, _, _) = encoding_rs::IBM866.encode(plain);
    let (koi8, _, _) = encoding_rs::KOI8_U.encode(plain);
    let forms: Vec<Vec<u8>> = vec![
        plain.into(),
        format!("\u{feff}{plain}").into(),
        plain.replace('\n', "\r\n").into(),
        plain.replace('\n', "\r").into(),
        plain.replace('\n', "\n\n").into(),
        plain.replace(' ', "\u{a0}").into(),
        plain.replace(' ', "\t").into(),
        format!("{plain}\u{1a}").into(),
        format!("% remark\n; another\n\n{plain}").into(),
        cp1251.to_vec(),
        cp866.to_vec(),
        koi8.to_vec(),
    ];
    for bytes in forms {
        let shown = String::from_utf8_lossy(&bytes).into_owned();
        let game = read_one(&bytes);
        assert_eq!(game.faults, [], "{shown}");
        assert_eq!(game.tag("white"), Some("Игрок"), "{shown}");
        assert!(
            outline(&game.main).ends_with(expected),
            "{shown}: {}",
            outline(&game.main)
        );
    }
    for text in [
        format!("\u{feff}{plain}"),
        plain.to_owned(),
        format!("{{Партия из старого журнала}}\n{plain}"),
    ] {
        for order in [u16::to_le_bytes, u16::to_be_bytes] {
            let bytes: Vec<u8> = text.encode_utf16().flat_map(order).collect();
            // However little comes at once.
            for size in [1, 3, 1 << 16] {
                let input = BufReader::with_capacity(size, bytes.as_slice());
                let games: Result<Vec<Game>, _> = Reader::new(input, None).collect();
                let game = &games.expect("memory can be read")[0];
                assert_eq!(game.faults, [], "{text} {size}");
                assert_eq!(game.tag("white"), Some("Игрок"), "{text} {size}");
                assert!(outline(&game.main).ends_with(expected), "{text} {size}");
            }
        }
    }
    let western = [
        b"[White \"M".as_slice(),
        &[0xFC],
        b"ller, J",
        &[0xE9],
        b"r\"]\n*",
    ]
    .concat();
    assert_eq!(read_one(western).tag("White"), Some("Müller, Jér"));
    // Each piece alone: a site added UTF-8 to an old file.
    let (old, _, _) = encoding_rs::WINDOWS_1251.encode("[White \"Игрок\"]\n");
    let mixed = [&old, "[Black \"Соперник\"]\n*".as_bytes()].concat();
    let game = read_one(mixed);
    assert_eq!(
        (game.tag("White"), game.tag("Black")),
        (Some("Игрок"), Some("Соперник"))
    );
    // A letter that was cut in two spoils only itself.
    let cut = [b"[White \"".as_slice(), &"Игрок".as_bytes()[..9], b"\"]\n*"].concat();
    assert_eq!(read_one(cut).tag("White"), Some("Игро\u{fffd}"));
}

/// Tags in odd forms.
#[test]
fn tags_in_all_forms() {
    let cases = [
        ("[Event \"a \\\"b\\\" c\"]", "a \"b\" c"),
        ("[Event \"a \"b\" c\"]", "a \"b\" c"),
        ("[Event \"C:\\games\\\"]", "C:\\games\\"),
        ("[Event \"a] [b\"]", "a] [b"),
        ("[ Event   \"x\"  ]", "x"),
        ("[Event\"x\"]", "x"),
        ("[event \"x\"]", "x"),
        ("[Event \"\"]", ""),
        ("[Event \"1. c3-d4 1-0 {\"]", "1. c3-d4 1-0 {"),
        ("   [Event \"x\"]   ", "x"),
        ("[Site \"y\"][Event \"x\"]", "x"),
        ("{a comment first}\n[Event \"x\"]", "x"),
    ];
    for (tag, value) in cases {
        let game = read_one(format!("{tag}\n1. c3-d4 *\n"));
        assert_eq!(game.tag("EVENT"), Some(value), "{tag}");
        assert_eq!(game.faults, [], "{tag}");
        assert_eq!(game.main.moves.len(), 1, "{tag}");
    }
}

/// The old Cyrillic encodings are told from each other by the letters, however few there are.
#[test]
fn cyrillic_encodings() {
    for name in [
        "Иванов",
        "ИВАНОВ И. И.",
        "Пётр Ильич",
        "партия сыграна в Москве",
        "Кубок города",
        "Шашки",
        "МОСКВА",
        "Юрий",
        "Чижов",
        "Щёголев",
        "ЧЕМПИОНАТ РОССИИ",
        "Цой",
        "Ю. Ю. Юсупов",
        "Фёдор Эйхенбаум",
        "Жанна Саршаева",
        "белые выиграли",
        "Игорь Шашкин-младший",
        "Ян Ёлкин",
        "дамка",
        "проигрыш",
        "ошибка",
        "удар",
        "размен",
        "нельзя",
        "нужно было",
    ] {
        for encoding in [
            encoding_rs::WINDOWS_1251,
            encoding_rs::IBM866,
            encoding_rs::KOI8_R,
        ] {
            let text = format!("[White \"{name}\"]\n1. c3-d4 *");
            let (bytes, _, _) = encoding.encode(&text);
            let game = read_one(bytes);
            assert_eq!(game.tag("White"), Some(name), "{}", encoding.name());
        }
    }
    for (name, encoding) in [
        ("Дніпро, Україна", encoding_rs::KOI8_U),
        ("Дніпро, Україна", encoding_rs::WINDOWS_1251),
        ("«Спартак» – чемпион №1", encoding_rs::WINDOWS_1251),
        ("эффектный", encoding_rs::WINDOWS_1251),
    ] {
        let text = format!("[White \"{name}\"]\n1. c3-d4 *");
        let (bytes, _, _) = encoding.encode(&text);
        assert_eq!(read_one(bytes).tag("White"), Some(name));
    }
}

/// Times between the moves are comments, as the clocks of sites.
#[test]
fn times() {
    check(
        "1. c3-d4 0:02 b6-a5 0:00:03 2. d4-c5 12:34 *",
        "c3-d4 {[%clk 0:02]} b6-a5 {[%clk 0:00:03]} d4-c5 {[%clk 12:34]}",
    );
    check(
        "1. c3-d4 {x} 1:05 b6-a5 1:07 2. d4-c5",
        "c3-d4 {x} {[%clk 1:05]} b6-a5 {[%clk 1:07]} d4-c5",
    );
    let game = read_one("[GameType \"23\"]\n1. 11-15 0:59 22-18 1:30 2. 15x22 26:55 *");
    assert_eq!(
        outline(&game.main),
        "11-15 {[%clk 0:59]} 22-18 {[%clk 1:30]} 15x22 {[%clk 26:55]}"
    );
    assert_eq!(game.faults, []);
    let game = read_one("[GameType \"23\"]\n1. 11-15 22-18 2. 15:22 *");
    assert_eq!((game.main.moves.len(), game.faults.len()), (3, 0));
}

/// Of a move only the square where it ends, if one move ends there.
#[test]
fn targets() {
    let game = read_one("[FEN \"W:Wc3:Bb8\"]\n1. d4 a7! 2. E5 b6 *");
    assert_eq!(outline(&game.main), "d4 a7! E5 b6");
    assert_eq!(game.faults, []);
    let game = read_one("[FEN \"W:Wc3:Bd4,f6\"]\n1. g7 *");
    assert_eq!((game.main.moves.len(), game.faults.len()), (1, 0));
}

/// Where one game ends and the next begins.
#[test]
fn games_without_tags_or_results() {
    let cases: [(&str, &[usize]); 13] = [
        ("", &[]),
        ("\n \t\r\n", &[]),
        ("c3-d4", &[1]),
        ("*", &[0]),
        ("1. c3-d4 * 1. c3-b4 b6-c5 *", &[1, 2]),
        ("1. c3-d4 2-0 1. c3-b4 b6-c5 1-1 c3-b4", &[1, 2, 1]),
        ("1. c3-d4 b6-a5 2. d4-c5\n\n1. c3-b4 b6-c5\n", &[3, 2]),
        ("[Event \"x\"]\n1. c3-d4\n[Event \"y\"]\n1. c3-b4", &[1, 1]),
        ("[Event \"x\"]\n1. c3-d4 * [Event \"y\"]\n1. c3-b4", &[1, 1]),
        ("[Event \"x\"]\n\n[White \"y\"]\n\n1. c3-d4", &[1]),
        ("[Event \"x\"]\n*\n[Event \"y\"]\n*", &[0, 0]),
        ("1. c3-d4 1-0 {resigned} $1 ; so\n% end\n", &[1]),
        ("1. 2-0", &[0]),
    ];
    for (text, plies) in cases {
        let games = read(text);
        let read: Vec<usize> = games.iter().map(|game| game.main.moves.len()).collect();
        assert_eq!(read, plies, "{text}");
        assert!(
            games.iter().all(|game| game.faults.is_empty()),
            "{text}: {games:?}"
        );
        let numbers: Vec<usize> = games.iter().map(|game| game.number).collect();
        assert_eq!(numbers, (1..=games.len()).collect::<Vec<_>>());
    }
}

/// Results of both kinds, in the tag, behind the moves, or both.
#[test]
fn results() {
    let cases = [
        ("[Result \"1-0\"]\nc3-d4 1-0", "1-0"),
        ("[Result \"1-0\"]\nc3-d4 2-0", "2-0"),
        ("[Result \"1-0\"]\nc3-d4 *", "1-0"),
        ("[Result \"*\"]\nc3-d4 0-2", "0-2"),
        ("[Result \"?\"]\nc3-d4", "*"),
        ("[Result \"½-½\"]\nc3-d4", "1/2-1/2"),
        ("[Result \"1 - 0\"]\nc3-d4", "1-0"),
        ("c3-d4 1/2", "1/2-1/2"),
        ("c3-d4 ½-½", "1/2-1/2"),
        ("c3-d4 1–0", "1-0"),
        ("c3-d4 0.5-0.5", "1/2-1/2"),
        ("c3-d4 2 - 0", "2-0"),
        ("1. c3-d4 b6-a5 2.0-2", "0-2"),
        ("c3-d4 0-0", "0-0"),
        ("c3-d4", "*"),
    ];
    for (text, result) in cases {
        let game = read_one(text);
        assert_eq!(
            (game.result(), game.faults.as_slice()),
            (result, &[][..]),
            "{text}"
        );
        assert_eq!(
            game.main.moves.len(),
            1 + usize::from(text.contains("a5")),
            "{text}"
        );
    }
}

/// Comments and variations go where they belong.
#[test]
fn comments_and_variations() {
    check(
        "{a} 1. {b} c3-d4 {c} {d} (1. c3-b4 {e} b6-c5 (1... b6-a5) 2. d2-c3) {f} b6-a5 {g} *",
        "{a} {b} c3-d4 {c} {d} (c3-b4 {e} b6-c5 (b6-a5) d2-c3) {f} b6-a5 {g}",
    );
    check(
        "1. c3-d4 ; to the end (\n1... b6-a5\n% a line\n2. d4-c5",
        "c3-d4 {to the end (} b6-a5 {a line} d4-c5",
    );
}

/// Which game it is, and who begins.
#[test]
fn game_types() {
    use Variant::{Brazilian, Pool, Pool25, Russian as R, RussianFmjd64, RussianOnline};
    let cases = [
        ("[GameType \"25\"]", None, R),
        ("[GameType \"25,W,8,8,A0,0\"]", None, R),
        ("[GameType \"25\"]", Some(RussianFmjd64), RussianFmjd64),
        ("[GameType \"25\"]", Some(Pool), R),
        (
            "[GameType \"25\"][Variant \"russian-online\"]",
            Some(RussianFmjd64),
            RussianOnline,
        ),
        ("[GameType \"25\"][Variant \"Standard\"]", None, R),
        (
            "[GameType \"26\"][Variant \"International-64\"]",
            None,
            Brazilian,
        ),
        ("[GameType \"23\"]", None, Pool),
        ("[GameType \"23\"]", Some(Pool25), Pool25),
        ("[GameType \"26\"]", Some(Pool25), Brazilian),
        ("[GameType \"Russian\"]", None, R),
        ("[Variant \"American Pool\"]", None, Pool),
        ("[Variant \"Brazilian\"]", Some(Pool), Brazilian),
        ("[Variant \"Русские шашки\"]", Some(Pool), R),
        ("", None, R),
        ("", Some(Pool), Pool),
        ("[GameType \"\"]", Some(Brazilian), Brazilian),
    ];
    for (tags, option, variant) in cases {
        let game = &read_as(format!("{tags}[Event \"x\"]\n*"), option)[0];
        assert_eq!(
            (game.variant, game.faults.as_slice()),
            (Some(variant), &[][..]),
            "{tags}"
        );
    }
    // The colour that begins may be another than usual, as in unified Pool.
    let game = read_one("[GameType \"23,W,8,8,A0,0\"]\n1. c3-d4 b6-a5 *");
    assert_eq!((game.variant, game.faults.len()), (Some(Pool), 0));
    assert_eq!(game.start.map(|pos| pos.turn()), Some(Side::White));
}

/// Start positions as sites write them, and numbers from another corner if the game type says so.
#[test]
fn positions() {
    let start = fen::write(&Russian::start());
    let cases = [
        ("W:W21-32:B1-12", start.as_str()),
        ("W:W21-32:B1-12.", &start),
        ("W:W21-32:B1-12:H0:F1", &start),
        ("startpos", &start),
        ("Start position", &start),
        ("W:Wc3,Ke5:Bf6", "W:WK15,22:B11"),
        ("Wbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww", &start),
    ];
    for (text, expected) in cases {
        let game = read_one(format!("[GameType \"25\"]\n[FEN \"{text}\"]\n*"));
        assert_eq!(
            game.start.map(|pos| fen::write(&pos)).as_deref(),
            Some(expected),
            "{text}"
        );
        assert_eq!(game.faults, [], "{text}");
    }
    let game = read_one("[GameType \"25,W,8,8,N0,0\"]\n[FEN \"W:W2-12,K32:B21\"]\n1. 9-13 *");
    assert_eq!(
        game.start.map(|pos| fen::write(&pos)).as_deref(),
        Some("W:WK4,21,22,23,24,25,26,27,28,30,31,32:B9")
    );
    assert_eq!(game.faults, []);
    assert_eq!(game.main.moves.len(), 1);
    // Moves in this order too, with a sign and without. Counted from b8 this one would be legal as well, as c3-d2.
    for text in ["22-26", "2226"] {
        let game = read_one(format!(
            "[GameType \"25,W,8,8,N0,0\"]\n[FEN \"W:WK22,K10:B32\"]\n1. {text} *"
        ));
        assert_eq!(game.faults, [], "{text}");
        assert_eq!(game.main.moves[0].mv.to.name(), "c7", "{text}");
    }
    // However it is spelled, and wherever it stands.
    for text in [
        "[FEN \"W:W9 2 K 32:B21\"]",
        "[FEN \"W:W9,2,К32:В21\"]", // Cyrillic К and В
        "[FEN \"W:W2–2,9—9,K32-K32:B21.\"]",
        "/FEN \"W:WK32,9,2:B21\"/",
        "[FEN \"WeeeWeeeebeeeeeeeeeeeweeeeeeeewee\"]",
    ] {
        let game = read_one(format!("[GameType \"25,W,8,8,N0,0\"]\n{text}\n*"));
        assert_eq!(
            game.start.map(|pos| fen::write(&pos)).as_deref(),
            Some("W:WK4,21,30:B9"),
            "{text}"
        );
        assert_eq!(game.faults, [], "{text}");
    }
    for text in [
        "/FEN \"W:W22:B1\"/\n1. c3-d4 b8-a7 *",
        "1. /FEN \"W:W22:B1\"/ c3-d4 b8-a7 *",
        "1) /FEN \"W:W22:B1\"/ c3-d4 b8-a7 *",
        "[FEN \"W:Wc3:Bb8\"]\n/FEN \"W:W22:B1\"/\n1. c3-d4 b8-a7 *",
    ] {
        let game = read_one(text);
        let start = game.start.map(|pos| fen::write(&pos));
        assert_eq!(start.as_deref(), Some("W:W22:B1"), "{text}");
        assert_eq!((game.main.moves.len(), game.faults.len()), (2, 0), "{text}");
    }
    // Whose move it is follows from the first one.
    for (text, turn) in [("1. d4-c5", Side::White), ("1. ... b6-a5", Side::Black)] {
        let game = read_one(format!("[GameType \"25\"]\n[FEN \"?:Wd4:Bb6\"]\n{text} *"));
        assert_eq!(game.start.map(|pos| pos.turn()), Some(turn), "{text}");
        assert_eq!((game.main.moves.len(), game.faults.len()), (1, 0), "{text}");
    }
}
