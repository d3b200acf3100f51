//! What was written reads the same: games made by chance, in every rule set and notation, with everything that can be said of a move.

use super::{outline, read_as};
use mainroad::board::{MoveList, Position, Side};
use mainroad::notation::fen;
use mainroad::notation::moves::Form;
use mainroad::notation::pdn::{Game, Line, Node, Tag, Writer, write};
use mainroad::rules::{Rules, Variant, legal_moves};
use mainroad::with_rules;
use proptest::collection::vec;
use proptest::prelude::*;

/// What is said of a move, and which move it is: choices that any position can serve.
#[derive(Clone, Debug)]
struct Choice {
    mv: u16,
    marks: String,
    nags: Vec<u16>,
    before: Vec<String>,
    after: Vec<String>,
    variations: Vec<Vec<Choice>>,
}

/// Text of comments and tags: anything but control characters, with the signs of the notation often among it. Braces have a test of their own.
fn text() -> impl Strategy<Value = String> {
    let signs = prop::sample::select(vec![
        "(",
        ")",
        "[",
        "]",
        "\"",
        "\\",
        "%",
        ";",
        "$1",
        "1-0",
        "*",
        "1. c3-d4",
        "\n",
        "\n\n[Event \"x\"]\n",
        " ",
        "я",
        "é",
        "😀",
    ]);
    let piece = prop_oneof![signs.prop_map(str::to_owned), "[^\\p{C}{}]{0,8}"];
    vec(piece, 0..4).prop_map(|pieces| pieces.concat())
}

fn choice() -> impl Strategy<Value = Choice> {
    let leaf = (
        any::<u16>(),
        "[!?]{0,2}",
        vec(0..200u16, 0..2),
        vec(text(), 0..2),
        vec(text(), 0..3),
    );
    let leaf = leaf.prop_map(|(mv, marks, nags, before, after)| Choice {
        mv,
        marks,
        nags,
        before,
        after,
        variations: Vec::new(),
    });
    leaf.prop_recursive(3, 24, 6, |inner| {
        (inner.clone(), vec(vec(inner, 1..4), 0..3)).prop_map(|(choice, variations)| Choice {
            variations,
            ..choice
        })
    })
}

/// Plays the choices from a position.
fn line<R: Rules>(start: &Position, choices: &[Choice]) -> Line {
    let mut line = Line::default();
    let mut pos = *start;
    for choice in choices {
        let mut legal = MoveList::new();
        legal_moves::<R>(&pos, &mut legal);
        if legal.is_empty() {
            break;
        }
        let mut node = Node::new(legal[usize::from(choice.mv) % legal.len()]);
        node.marks.clone_from(&choice.marks);
        node.nags.clone_from(&choice.nags);
        node.before.clone_from(&choice.before);
        node.after.clone_from(&choice.after);
        let variations = choice.variations.iter();
        node.variations = variations
            .map(|choices| self::line::<R>(&pos, choices))
            .collect();
        pos = pos.play(node.mv);
        line.moves.push(node);
    }
    line
}

/// Games are compared without what writing adds.
fn compare(game: &Game, form: Option<Form>) -> Result<(), TestCaseError> {
    let text = write(game, form);
    let games = read_as(&text, None);
    prop_assert_eq!(games.len(), 1, "{}", &text);
    let again = &games[0];
    prop_assert_eq!(&again.faults, &[], "{}", &text);
    prop_assert_eq!(again.variant, game.variant, "{}", &text);
    prop_assert_eq!(again.start, game.start, "{}", &text);
    prop_assert_eq!(plain(&again.main), plain(&game.main), "{}", &text);
    for tag in &game.tags {
        let is_rewritten = ["FEN", "GameType", "Result", "Variant"].contains(&tag.name.as_str());
        if !is_rewritten {
            prop_assert_eq!(again.tag(&tag.name), Some(tag.value.as_str()), "{}", &text);
        }
    }
    // What is written stays the same.
    prop_assert_eq!(write(again, form), text);
    Ok(())
}

/// A line as text without the spelling of its moves, comments in order.
fn plain(line: &Line) -> String {
    let mut line = line.clone();
    spell(&mut line);
    outline(&line)
}

fn spell(line: &mut Line) {
    for node in &mut line.moves {
        node.text = format!("{:?}", node.mv).into();
        node.variations.iter_mut().for_each(spell);
    }
}

fn tag_value() -> impl Strategy<Value = String> {
    text().prop_map(|text| text.replace('\n', " ").trim_end_matches('\\').to_owned())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn games_of_every_kind(
        variant in prop::sample::select(Variant::ALL.to_vec()),
        form in prop::sample::select(vec![None, Some(Form::Numbers), Some(Form::Letters), Some(Form::HalfShort)]),
        choices in vec(choice(), 0..40),
        site in tag_value(),
        result in prop::sample::select(vec!["1-0", "0-1", "1/2-1/2", "*"]),
    ) {
        with_rules!(variant, R => {
            let mut game = Game {
                variant: Some(variant),
                start: Some(R::start()),
                main: line::<R>(&R::start(), &choices),
                ..Game::default()
            };
            game.set_tag("Site", site);
            game.set_tag("Result", result);
            compare(&game, form)?;
        });
    }
}

/// Pieces of which mangled files are full.
const PIECES: [&str; 52] = [
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "\"",
    "\\",
    "*",
    " * ",
    "1-0",
    " 2-0 ",
    "1/2-1/2",
    "\n",
    "\n\n",
    "\r",
    "%",
    "\n% x\n",
    ";",
    "; x\n",
    "$",
    "$3",
    "!",
    "(!)",
    "1.",
    " 1. ",
    "...",
    " c3-d4 ",
    "d4",
    " 0:02 ",
    "zzz ",
    "/FEN \"W:W22:B1\"/",
    "[Event \"x\"]\n",
    "\n\n[Result \"1-0\"]\n",
    "[GameType \"20\"]\n",
    "[Variant \"pool\"]\n",
    "[FEN \"W:W99\"]\n",
    "[FEN \"W:W22,\u{1b}21:B1\"]\n",
    "[Result \"1\u{1b}-0\"]\n",
    "[GameType \"2\u{1b}5\"]\n",
    "[Variant \"\u{1b}pool\"]\n",
    "[Белые \"x\"]\n",
    "[Белые-\u{1b} \"y\"]\n",
    "[OriginalTag \"z\"]\n",
    "; } x {\n",
    " 2-1 ",
    " 1.5-0.5 ",
    "\u{1b}[31m",
    "\u{1b}",
    "\u{9b}",
    "я",
    "unread: ",
];

/// A change to a file: where in it, in parts of 65536, and what is done there.
#[derive(Clone, Debug)]
enum Change {
    Insert(u16, usize),
    Remove(u16, usize),
    /// A copy from one place to another.
    Copy(u16, u16, usize),
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        3 => (any::<u16>(), 0..PIECES.len()).prop_map(|(at, piece)| Change::Insert(at, piece)),
        2 => (any::<u16>(), 1..40usize).prop_map(|(at, length)| Change::Remove(at, length)),
        1 => (any::<u16>(), any::<u16>(), 1..80usize)
            .prop_map(|(from, to, length)| Change::Copy(from, to, length)),
    ]
}

fn mangle(bytes: &mut Vec<u8>, change: &Change) {
    let place = |at: u16| usize::from(at) * bytes.len() / (1 << 16);
    match *change {
        Change::Insert(at, piece) => {
            let at = place(at);
            bytes.splice(at..at, PIECES[piece].bytes());
        }
        Change::Remove(at, length) => {
            let at = place(at);
            let end = bytes.len().min(at + length);
            bytes.drain(at..end);
        }
        Change::Copy(from, to, length) => {
            let (from, to) = (place(from), place(to));
            let copy = bytes[from..bytes.len().min(from + length)].to_vec();
            bytes.splice(to..to, copy);
        }
    }
}

/// The texts that are mangled: what people's files contain, with the long one left out, and games that are not played here.
fn corpus() -> Vec<Vec<u8>> {
    let folder = std::fs::read_dir(crate::support::data("pdn-quirks")).expect("it is there");
    let mut paths: Vec<_> = folder
        .map(|entry| entry.expect("it can be listed").path())
        .filter(|path| path.extension().is_some_and(|end| end == "pdn"))
        .collect();
    paths.sort();
    let texts = paths
        .iter()
        .map(|path| std::fs::read(path).expect("it can be read"));
    let mut texts: Vec<Vec<u8>> = texts.filter(|text| text.len() < 10_000).collect();
    texts.push(
        b"[GameType \"20\"]\n[Result \"2-0\"]\n\n1. 32-28 (1. 33-29 {a} 19-23) 19-23 {b} 2-0\n"
            .to_vec(),
    );
    texts.push(b"[Event \"a\"]\n[FEN \"W:W99:B1\"]\n\n1. c3-d4 [ ( { 1-0\n\n1. c3-d4 *\n".to_vec());
    texts
}

fn converted(bytes: &[u8], form: Option<Form>) -> String {
    let games = read_as(bytes, None);
    games.iter().map(|game| write(game, form)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(crate::support::amount("MANGLED_GAMES", 2000) as u32)
    })]

    /// Whatever a file has come to, what is written of it is written the same again.
    #[test]
    fn what_is_written_stays_the_same(
        text in 0..usize::MAX,
        changes in vec(change(), 1..6),
        form in prop::sample::select(vec![None, Some(Form::Numbers), Some(Form::HalfShort)]),
    ) {
        let corpus = corpus();
        let mut text = corpus[text % corpus.len()].clone();
        for change in &changes {
            mangle(&mut text, change);
        }
        let once = converted(&text, form);
        let twice = converted(once.as_bytes(), form);
        prop_assert_eq!(&twice, &once, "{}", String::from_utf8_lossy(&text));
    }
}

/// A control character that becomes a blank does not make a result, or another game, of a part of a word.
#[test]
fn parts_of_words_are_no_words() {
    for control in ['\u{1b}', '\u{1}', '\u{7f}', '\u{9b}'] {
        for head in [
            "[GameType \"20\"]\n\n",
            "[GameType \"20\"]\n[Result \"x \"",
            "",
        ] {
            for word in ["2-0|2-0|-", "x|1-0", "1-0|1.", "1|-0", "32-28|2-0|19-23"] {
                let text = format!("{head}{} *\n", word.replace('|', &control.to_string()));
                let once = converted(text.as_bytes(), None);
                assert_eq!(once.matches("[Result").count(), 1, "{text:?} {once}");
                assert_eq!(converted(once.as_bytes(), None), once, "{text:?}");
            }
        }
    }
}

/// In positions with few pieces captures are long and ambiguous, and kings go round.
#[test]
fn ends_of_games() {
    let mut rng = crate::support::Rng(7);
    for _ in 0..400 {
        let pos = crate::support::random_position(&mut rng, 5, 3);
        for variant in Variant::ALL {
            with_rules!(variant, R => {
                let choices: Vec<Choice> = (0..6).map(|_| Choice {
                    mv: rng.next() as u16,
                    marks: String::new(),
                    nags: Vec::new(),
                    before: Vec::new(),
                    after: Vec::new(),
                    variations: Vec::new(),
                }).collect();
                let game = Game {
                    variant: Some(variant),
                    start: Some(pos),
                    main: line::<R>(&pos, &choices),
                    ..Game::default()
                };
                for form in [None, Some(Form::Numbers), Some(Form::Letters), Some(Form::HalfShort)] {
                    compare(&game, form).unwrap_or_else(|error| panic!("{} {error}", fen::write(&pos)));
                }
            });
        }
    }
}

/// What the standard does not allow is written as what comes next to it.
#[test]
fn strictly() {
    let game = Game {
        variant: Some(Variant::Russian),
        start: Some(Position::start(Side::White)),
        tags: vec![
            Tag {
                name: "event".to_owned(),
                value: "a \"b\"\nc".to_owned(),
            },
            Tag {
                name: "fen".to_owned(),
                value: String::new(),
            },
            Tag {
                name: "Имя".to_owned(),
                value: "C:\\".to_owned(),
            },
            Tag {
                name: "Result".to_owned(),
                value: "2-0".to_owned(),
            },
        ],
        main: Line {
            comments: vec!["{a} }".to_owned()],
            ..Line::default()
        },
        ..Game::default()
    };
    assert_eq!(
        write(&game, None),
        "[Event \"a \\\"b\\\" c\"]\n[FEN \"W:Wa1,c1,e1,g1,b2,d2,f2,h2,a3,c3,e3,g3:Bb6,d6,f6,h6,a7,c7,e7,g7,b8,d8,f8,h8\"]\n[OriginalTag \"Имя: C:\\ \"]\n[Result \"1-0\"]\n[GameType \"25,W,8,8,A0,0\"]\n\n{(a) )} *\n\n"
    );
}

#[track_caller]
fn check(position: &str, first: Side, moves: &[&str], written: &str) {
    let start = fen::parse(position).expect("the position is right");
    let mut writer = Writer::new(&start, first);
    writer.tag("Event", "a \"b\"\nc");
    for text in moves {
        writer.mv(text);
    }
    writer.comment("said {so}");
    let text = writer.finish();
    assert_eq!(
        text,
        format!("[Event \"a \\\"b\\\" c\"]\n\n{written} {{said (so)}} *\n\n")
    );
}

#[test]
fn moves_are_numbered() {
    check(
        "W:W25,26:B1,2",
        Side::White,
        &["a1-b2", "b8-a7", "b2-a3"],
        "1. a1-b2 b8-a7 2. b2-a3",
    );
    check(
        "B:W25,26:B1,2",
        Side::White,
        &["b8-a7", "a1-b2", "a7-b6"],
        "1... b8-a7 2. a1-b2 a7-b6",
    );
    check(
        "B:W25,26:B1,2",
        Side::Black,
        &["1-5", "25-21", "5-9"],
        "1. 1-5 25-21 2. 5-9",
    );
    let mut writer = Writer::new(&Position::start(Side::White), Side::White);
    for (text, variation) in [
        ("c3-d4", "1. c3-b4"),
        ("b6-a5", "1... b6-c5"),
        ("d4-c5", "2. d4-e5"),
    ] {
        writer.mv(text);
        writer.open_variation();
        let (_, other) = variation.split_once(' ').expect("it has a number");
        writer.mv(other);
        writer.nag(3);
        writer.close_variation();
        // Nothing in it, and nothing in one within it.
        writer.open_variation();
        writer.open_variation();
        writer.close_variation();
        writer.close_variation();
    }
    assert_eq!(
        writer.finish(),
        "1. c3-d4 (1. c3-b4 $3) b6-a5 (1... b6-c5 $3) 2. d4-c5 (2. d4-e5 $3) *\n\n"
    );
}

/// A result is never lost: neither one behind the moves for a tag that is none, nor a tag that says something else. And whatever is
/// written once is written the same again. The tags of the first writing.
#[test]
fn results_are_kept() {
    for (text, tags) in [
        (
            "[Result \"+-\"] 1. c3-d4 1-0",
            "[Result \"1-0\"] [OriginalResult \"+-\"]",
        ),
        (
            "[Result \"White wins\"] 1. c3-d4 2-0",
            "[Result \"1-0\"] [OriginalResult \"White wins\"]",
        ),
        (
            "[Result \"1/2-1/2\"] 1. c3-d4 0-1",
            "[Result \"0-1\"] [OriginalResult \"1/2-1/2\"]",
        ),
        ("[Result \"1-0\"] 1. c3-d4 2-0", "[Result \"1-0\"]"),
        ("[Result \"1-0\"] 1. c3-d4 *", "[Result \"1-0\"]"),
        ("[Result \"*\"] 1. c3-d4 0-1", "[Result \"0-1\"]"),
        ("[Result \"?\"] 1. c3-d4 0-1", "[Result \"0-1\"]"),
        ("[Result \"+-\"] 1. c3-d4", "[Result \"+-\"]"),
        (
            "[FEN \"W:Wzz\"] 1. c3-d4 1-0",
            "[FEN \"W:Wzz\"] [Result \"1-0\"]",
        ),
    ] {
        let text = format!("[GameType \"25\"]\n{}", text.replace("] ", "]\n"));
        let once = write(&super::read_one(&text), None);
        let found: Vec<&str> = once
            .lines()
            .take_while(|line| line.starts_with('['))
            .collect();
        let wanted: Vec<&str> = tags.split_inclusive(']').map(str::trim).collect();
        let others = found.iter().filter(|tag| !tag.starts_with("[GameType"));
        assert_eq!(others.copied().collect::<Vec<_>>(), wanted, "{text}");
        assert_eq!(write(&super::read_one(&once), None), once, "{text}");
    }
}

/// Each tag is written once. What another one of its name says is kept under a name of its own.
#[test]
fn tags_stand_once() {
    for (tags, written) in [
        ("[Event \"a\"] [Event \"a\"]", "[Event \"a\"]"),
        (
            "[event \"a\"] [Event \"b\"]",
            "[Event \"a\"] [Event_2 \"b\"]",
        ),
        (
            "[Event \"a\"] [Event_2 \"x\"] [Event \"b\"] [Event \"c\"] [Event \"b\"]",
            "[Event \"a\"] [Event_2 \"x\"] [Event_3 \"b\"] [Event_4 \"c\"]",
        ),
        (
            "[Белые \"Иванов\"] [Weiß \"b\"] [Белые \"Иванов\"]",
            "[OriginalTag \"Белые: Иванов\"] [OriginalTag_2 \"Weiß: b\"]",
        ),
        (
            "[White-Elo \"1\"] [2nd \"b\"]",
            "[White_Elo \"1\"] [X2nd \"b\"]",
        ),
        // A name that, with a number behind it, might be too long to be read again.
        (
            "[aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa \"b\"]",
            "[OriginalTag \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa: b\"]",
        ),
        (
            "[FEN \"W:W21,22:B1\"] [FEN \"W:W21,22:B1\"]",
            "[FEN \"W:Wa3,c3:Bb8\"]",
        ),
        // A position between tags and moves, beside a tag that counts instead, or such that it cannot be written without one.
        (
            "[FEN \"W:W21,22:B1\"] /FEN \"W:W21:B1\"/",
            "[FEN \"W:Wa3,c3:Bb8\"] [FEN_2 \"/FEN \\\"W:W21:B1\\\"/\"]",
        ),
        ("/FEN \"?:W21:B1\"/", "[FEN \"?:Wa3:Bb8\"]"),
        (
            "[Variant \"pool\"]",
            "[Variant \"russian\"] [OriginalVariant \"pool\"]",
        ),
    ] {
        let text = format!("[GameType \"25\"]\n{}\n*", tags.replace("] ", "]\n"));
        let once = write(&super::read_one(&text), None);
        let found: Vec<&str> = once
            .lines()
            .filter(|line| line.starts_with('['))
            .filter(|line| !line.starts_with("[GameType") && !line.starts_with("[Result"))
            .collect();
        assert_eq!(found.join(" "), written, "{text}");
        assert_eq!(write(&super::read_one(&once), None), once, "{text}");
    }
}

/// From one notation to another, with the game type, position and result that go with it.
#[test]
fn conversions() {
    let text = "[White \"A\"]\n[Result \"2-0\"]\n[GameType \"25\"]\n[FEN \"W:W21,22,31:B14,18\"]\n\n1. c3xe5 c5-b4 2. a3:c5 1-0";
    let game = super::read_one(text);
    assert_eq!(game.faults, []);
    let head = "[White \"A\"]\n[Result \"1-0\"]\n";
    assert_eq!(
        write(&game, None),
        format!(
            "{head}[GameType \"25,W,8,8,A0,0\"]\n[FEN \"W:We1,a3,c3:Bd4,c5\"]\n\n1. c3:e5 c5-b4 2. a3:c5 *\n\n"
        )
    );
    assert_eq!(
        write(&game, Some(Form::Numbers)),
        format!(
            "{head}[GameType \"25,W,8,8,N2,0\"]\n[FEN \"W:W21,22,31:B14,18\"]\n\n1. 22x15 14-17 2. 21x14 *\n\n"
        )
    );
    assert_eq!(
        write(&game, Some(Form::HalfShort)),
        format!(
            "{head}[GameType \"25,W,8,8,S0,0\"]\n[FEN \"W:We1,a3,c3:Bd4,c5\"]\n\n1. c:e5 cb4 2. a:c5 *\n\n"
        )
    );
    // A position stays the same one, though its numbers and its corner are others.
    let open = super::read_one("[GameType \"25,W,8,8,N0,0\"]\n[FEN \"?:W9:B29\"]\n*");
    for (form, position) in [(None, "?:Wa3:Bb8"), (Some(Form::Numbers), "?:W21:B1")] {
        let text = write(&open, form);
        assert!(text.contains(&format!("[FEN \"{position}\"]")), "{text}");
    }
    let pool = super::read_one("[GameType \"23\"]\n1. 11-15 24-20 *");
    assert_eq!(
        write(&pool, Some(Form::Letters)),
        "[GameType \"23,B,8,8,A3,0\"]\n[Result \"*\"]\n\n1. f6-e5 g3-h4 *\n\n"
    );
}
