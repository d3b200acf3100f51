//! Each kind of damage: the fault is named with its line and ply, the moves before it are kept, and the next game is read.

use super::{faults, outline, read, read_as, read_one};
use mainroad::notation::pdn::write;
use mainroad::rules::Variant;

/// A fault: kind, line, ply.
type Named = (&'static str, usize, usize);

/// A sound game behind the damaged one.
const NEXT: &str = "\n\n[Event \"next\"]\n[GameType \"25\"]\n\n1. c3-d4 {fine} b6-a5 *\n";

#[track_caller]
fn check(text: &str, named: &[Named], expected: &str) {
    let games = read(format!("{text}{NEXT}"));
    assert_eq!(games.len(), 2, "{text}");
    assert_eq!(faults(&games[0]), named, "{text}: {:?}", games[0].faults);
    assert_eq!(outline(&games[0].main), expected, "{text}");
    assert_eq!(games[1].faults, [], "{text}");
    assert_eq!(outline(&games[1].main), "c3-d4 {fine} b6-a5", "{text}");
    assert_eq!(games[1].line, text.lines().count() + 2, "{text}");
}

#[test]
fn moves() {
    check(
        "1. c3-d4 d6-c5 2. a1-b2 g3-h4 *",
        &[("illegal-move", 1, 3)],
        "c3-d4 d6-c5 <2. a1-b2 g3-h4>",
    );
    check(
        "1. c3-d4\n1... z9-c5 *",
        &[("unreadable-move", 2, 2)],
        "c3-d4 <1... z9-c5>",
    );
    check("1. c3-d9 *", &[("unreadable-move", 1, 1)], "<1. c3-d9>");
    check(
        "1. c3-d4 b6-a5 2. d4-c5 d6:b4 {x} 3. a3-a3 {y} c5 1-0",
        &[("illegal-move", 1, 5)],
        "c3-d4 b6-a5 d4-c5 d6:b4 {x} <3. a3-a3 {y} c5>",
    );
    check(
        "[FEN \"W:WKd2:Bf6,c5,e5,e3\"]\nd2:a3 f6-g5 *",
        &[("ambiguous-move", 2, 1)],
        "<d2:a3 f6-g5>",
    );
    check(
        "[FEN \"W:Wc3,e3:Bh8\"]\nd4 *",
        &[("ambiguous-move", 2, 1)],
        "<d4>",
    );
    check("1. e5 *", &[("illegal-move", 1, 1)], "<1. e5>");
    check("1. d4 c5 *", &[("ambiguous-move", 1, 1)], "<1. d4 c5>");
    // Among words that are no moves, a square is none either.
    check(
        "[FEN \"W:Wa3:Bh8\"]\n1. so b4 *",
        &[("word", 2, 1), ("unreadable-move", 2, 1)],
        "{so} <b4>",
    );
    // A time or a capture.
    check(
        "[GameType \"23\"]\n1. 11-15 0:05 22-18 0:06 2. 15:22 *",
        &[("ambiguous-move", 2, 3)],
        "11-15 {[%clk 0:05]} 22-18 {[%clk 0:06]} <2. 15:22>",
    );
    check(
        "1. c3-d4 f6-e5 18:11 *",
        &[("ambiguous-move", 1, 3)],
        "c3-d4 f6-e5 <18:11>",
    );
    check(
        "[GameType \"23\"]\n1. 11-15 1:30 *",
        &[("illegal-move", 2, 2)],
        "11-15 <1:30>",
    );
    check(
        "1. c3-d4 the best b6-a5 (better) *",
        &[("word", 1, 2), ("word", 1, 2)],
        "c3-d4 {the best} b6-a5 ({better})",
    );
    check(
        "1. c3-d4 $ the best $ 1 b6-a5 *",
        &[("word", 1, 2)],
        "c3-d4 {$ the best $} b6-a5",
    );
    check(
        "1. - - b6-a5 *",
        &[("word", 1, 1), ("illegal-move", 1, 1)],
        "{- -} <b6-a5>",
    );
    check(
        "1. c3-d4 /FEN \"W:W22:B1\"/ 2. b6-a5 *",
        &[("set-up", 1, 2)],
        "c3-d4 </FEN \"W:W22:B1\"/ 2. b6-a5>",
    );
    check(
        "so /FEN \"W:W22:B1\"/ 1. c3-d4 *",
        &[("word", 1, 1), ("set-up", 1, 1)],
        "{so} </FEN \"W:W22:B1\"/ 1. c3-d4>",
    );
    check(
        "2218 /FEN \"W:W22:B1\"/ 1. c3-d4 *",
        &[("set-up", 1, 2)],
        "2218 </FEN \"W:W22:B1\"/ 1. c3-d4>",
    );
    check(
        "[FEN \"W:W21:B1\"]\n/FEN \"W:W22:B1\"/\n1. a3-b4 *",
        &[("repeated-tag", 2, 0)],
        "a3-b4",
    );
    check("/FEN \"?:W21:B1\"/\n*", &[("fen", 1, 0)], "");
}

/// Without a word on which game it is, numbers mean what they always mean: this may be Pool, or Russian draughts counted from a1.
#[test]
fn nothing_is_guessed() {
    let moves = "1. 11-15 24-20 *";
    check(moves, &[("illegal-move", 1, 1)], "<1. 11-15 24-20>");
    for (tags, plies) in [
        ("[GameType \"25\"]\n", 2),
        ("[GameType \"23\"]\n", 2),
        ("[Variant \"brazilian\"]\n", 2),
    ] {
        let games = read(format!("{tags}{moves}"));
        assert_eq!(
            (games[0].main.moves.len(), games[0].faults.len()),
            (plies, 0),
            "{tags}"
        );
    }
}

#[test]
fn variations() {
    check(
        "1. c3-d4 (1. c3-e5 b6-a5) b6-a5 *",
        &[("illegal-move", 1, 1)],
        "c3-d4 (<1. c3-e5 b6-a5>) b6-a5",
    );
    check(
        "1. c3-d4 b6-a5 (1... b6-c5 2. a1-h8 (2. x) {y}) 2. d4-c5 *",
        &[("illegal-move", 1, 3)],
        "c3-d4 b6-a5 (b6-c5 <2. a1-h8 (2. x) {y}>) d4-c5",
    );
    check(
        "(1. c3-b4) 1. c3-d4 *",
        &[("early-variation", 1, 1)],
        "{(1. c3-b4)} c3-d4",
    );
    check(
        "1. c3-d4 (1. c3-b4 b6-a5",
        &[("open-variation", 1, 3)],
        "c3-d4 (c3-b4 b6-a5)",
    );
    check("1. c3-d4) b6-a5 *", &[("closing", 1, 2)], "c3-d4 {)} b6-a5");
    check(
        "1. c3-d4 } b6-a5 ] *",
        &[("closing", 1, 2), ("closing", 1, 3)],
        "c3-d4 {}} b6-a5 {]}",
    );
    check(
        "1. c3-d4 (1. c3-b4 b6-c5 2-0",
        &[("open-variation", 1, 3)],
        "c3-d4 (c3-b4 b6-c5)",
    );
    let deep = format!(
        "1. c3-d4 {}b6-a5 *",
        "(1. c3-d4 ".repeat(100) + &")".repeat(100)
    );
    let games = read(&deep);
    assert_eq!(faults(&games[0]), [("too-deep", 1, 2)]);
    assert_eq!(games[0].main.moves.len(), 2);
    // Not on the stack of the machine.
    read("c3-d4 ".to_owned() + &"(c3-d4 ".repeat(100_000));
    read("(".repeat(500_000));
    read(")".repeat(500_000));
}

#[test]
fn comments() {
    check(
        "1. c3-d4 {never closed b6-a5",
        &[("open-comment", 1, 2)],
        "c3-d4 {never closed b6-a5}",
    );
    check(
        "1. c3-d4 {a {b} c} b6-a5 *",
        &[("nested-comment", 1, 2)],
        "c3-d4 {a {b} c} b6-a5",
    );
    // A remark may hold braces, but not the comment that it becomes.
    check(
        "1. c3-d4 ; } and {\n1... b6-a5\n% {\n2. d4-c5 *",
        &[("nested-comment", 1, 2), ("nested-comment", 3, 3)],
        "c3-d4 {} and {} b6-a5 {{} d4-c5",
    );
    check(
        "1. c3-d4 {a {b} b6-a5 *",
        &[("nested-comment", 1, 2)],
        "c3-d4 {a {b} b6-a5",
    );
    check(
        "1. c3-d4 (1. c3-b4 {x b6-a5 *",
        &[("open-comment", 1, 2), ("open-variation", 1, 2)],
        "c3-d4 (c3-b4 {x b6-a5 *})",
    );
    check(
        "1. c3-d4 [%clk 0:01] b6-a5 *",
        &[("word", 1, 2)],
        "c3-d4 {[%clk 0:01]} b6-a5",
    );
    // A whole game quoted in a comment is no game.
    let quoted =
        format!("1. c3-d4 {{see\n\n[Event \"a\"]\n[White \"b\"]\n\n1. c3-b4 *\n}} b6-a5 *{NEXT}");
    let games = read(quoted);
    assert_eq!(games.len(), 2);
    assert_eq!(games[0].main.moves.len(), 2);
    assert_eq!(games[0].faults, []);
}

#[test]
fn tags() {
    check(
        "[Event \"x]\n[White \"y\"]\n1. c3-d4 *",
        &[("tag", 1, 0)],
        "c3-d4",
    );
    check(
        "[Event \"x\"\n[White \"y\"]\n1. c3-d4 *",
        &[("tag", 1, 0)],
        "c3-d4",
    );
    check(
        "[Event \"x\" [White \"y\"]\n1. c3-d4 *",
        &[("tag", 1, 0)],
        "c3-d4",
    );
    check("[Event x]\n1. c3-d4 *", &[("tag", 1, 0)], "c3-d4");
    check("[Event]\n1. c3-d4 *", &[("tag", 1, 0)], "c3-d4");
    check("[Event “x”]\n1. c3-d4 *", &[("tag", 1, 0)], "c3-d4");
    check(
        "[Белые \"x\"]\n[Weiß \"y\"]\n1. c3-d4 *",
        &[("tag", 1, 0), ("tag", 2, 0)],
        "c3-d4",
    );
    check("[Result \"2-1\"]\n1. c3-d4 *", &[("result", 1, 0)], "c3-d4");
    check(
        "[Result \"2-0\"]\n1. c3-d4 0-2",
        &[("other-result", 2, 1)],
        "c3-d4",
    );
    check(
        "[GameType \"25\"]\n[GameType \"26\"]\n1. c3-d4 *",
        &[("repeated-tag", 2, 0)],
        "c3-d4",
    );
    check(
        "[Event \"a\"]\n[event \"b\"]\n[EVENT \"a\"]\n[Event \"c\"]\n1. c3-d4 *",
        &[("repeated-tag", 2, 0), ("repeated-tag", 4, 0)],
        "c3-d4",
    );
    check("1. c3-d4 1-0 0-1", &[("other-result", 1, 2)], "c3-d4 {0-1}");
    check(
        "1. c3-d4 a1-b2 1-0 0-1",
        &[("illegal-move", 1, 2), ("other-result", 1, 2)],
        "c3-d4 <a1-b2 1-0 0-1>",
    );
    // What stands behind the value is no moves, or moves.
    check(
        "[White \"Ivanov\" (Moscow)]\n1. c3-d4 *",
        &[("tag", 1, 0)],
        "c3-d4",
    );
    let game = &read("[White \"Ivanov\" (Moscow)]\n*")[0];
    assert_eq!(game.tag("White"), Some("Ivanov (Moscow)"));
    check(
        "[Event \"two\" 1. c3-d4 d6-c5 *",
        &[("tag", 1, 0)],
        "c3-d4 d6-c5",
    );
    for tag in ["[Event x]", "[Event “x”]", "[Event \"x\"", "[Event \"x"] {
        let game = &read(format!("{tag}\n*"))[0];
        assert_eq!(game.tag("Event"), Some("x"), "{tag}");
    }
}

/// What is meant as a result ends a game, so that it does not get the result of the next one.
#[test]
fn results_that_are_none() {
    for result in [
        "2-1", "1-2", "3-0", "0-3", "2:1", "1.5-0.5", "1½–½", "2-1.", "1-0.",
    ] {
        for gap in [" ", "\n", "\n\n"] {
            let games = read(format!(
                "1. c3-d4 b6-a5 {result}{gap}1. c3-b4 b6-c5 2. d2-c3 1-0\n"
            ));
            let plies: Vec<usize> = games.iter().map(|game| game.main.moves.len()).collect();
            assert_eq!(plies, [2, 3], "{result}{gap}");
            assert_eq!(faults(&games[0]), [("result", 1, 3)], "{result}{gap}");
            assert_eq!(games[1].faults, [], "{result}{gap}");
            let results = [games[0].result(), games[1].result()];
            assert_eq!(results, ["*", "1-0"], "{result}{gap}");
            assert_eq!(outline(&games[0].main), format!("c3-d4 b6-a5 <{result}>"));
        }
    }
    // Alone on its line it is no move 1 either.
    let game = read_one("1. c3-d4 b6-a5\n\n1.5-0.5\n");
    assert_eq!(faults(&game), [("result", 3, 3)]);
    // Where moves follow, it is one that cannot be.
    check(
        "1. c3-d4 2-1 b6-a5 *",
        &[("illegal-move", 1, 2)],
        "c3-d4 <2-1 b6-a5>",
    );
    // With a number in front, it is a move.
    let game = read_one("[FEN \"B:W32:BK5\"]\n1.5-1 *");
    assert_eq!((game.main.moves.len(), game.faults.len()), (1, 0));
}

/// Games without moves and result follow each other: a tag that is given again behind an empty line or a comment begins the next one.
#[test]
fn games_of_tags_alone() {
    let check = |text: &str, tag: &str, expected: &[&str]| {
        let games = read(text);
        let values: Vec<_> = games.iter().map(|game| game.tag(tag)).collect();
        let expected: Vec<_> = expected.iter().copied().map(Some).collect();
        assert_eq!(values, expected, "{text}");
        assert!(games.iter().all(|game| game.faults.is_empty()), "{text}");
    };
    check(
        "[FEN \"W:W21,28:B5\"]\n\n[FEN \"W:W21,25:B5\"]\n1. a3-b4 *",
        "FEN",
        &["W:W21,28:B5", "W:W21,25:B5"],
    );
    check(
        "[White \"A\"]\n[Result \"1-0\"]\n\n[White \"B\"]\n[Result \"0-1\"]\n\n1. c3-d4 0-1",
        "Result",
        &["1-0", "0-1"],
    );
    check(
        "[Event \"a\"]\n[Result \"1-0\"]\n{forfeit}\n[Event \"b\"]\n1. c3-d4 *",
        "Event",
        &["a", "b"],
    );
    // One game whose tags stand apart.
    check(
        "[Event \"a\"]\n\n[White \"A\"]\n{now Black}\n[Black \"B\"]\n\n1. c3-d4 *",
        "Black",
        &["B"],
    );
}

#[test]
fn settings() {
    check(
        "[GameType \"20\"]\n1. 32-28 19-23 *",
        &[("game-type", 1, 0)],
        "<1. 32-28 19-23>",
    );
    check(
        "[GameType \"21\"]\n1. 11-15 *",
        &[("game-type", 1, 0)],
        "<1. 11-15>",
    );
    check(
        "[GameType \"99\"]\n1. 11-15 *",
        &[("game-type", 1, 0)],
        "<1. 11-15>",
    );
    check(
        "[GameType \"25,W,10,10,N2,0\"]\n1. 11-15 *",
        &[("game-type", 1, 0)],
        "<1. 11-15>",
    );
    check(
        "[GameType \"23,W,8,8,A1,1\"]\n1. 11-15 *",
        &[("game-type", 1, 0)],
        "<1. 11-15>",
    );
    check(
        "[Variant \"Frisian\"]\n1. 11-15 *",
        &[("game-type", 1, 0)],
        "<1. 11-15>",
    );
    for tags in [
        "[GameType \"25\"]\n[Variant \"pool\"]",
        "[Variant \"Frisian draughts\"]\n[GameType \"25\"]",
        "[GameType \"Pool\"]\n[Variant \"russian-online\"]",
    ] {
        check(
            &format!("{tags}\n1. c3-d4 *"),
            &[("other-game", 1, 0)],
            "c3-d4",
        );
    }
    let game = &read_as("[Variant \"Frisian\"]\n1. c3-d4 *", Some(Variant::Russian))[0];
    assert_eq!(faults(game), [("other-game", 1, 0)]);
    check(
        "[GameType \"x\"]\n1. c3-d4 *",
        &[("game-type", 1, 0)],
        "<1. c3-d4>",
    );
    check(
        "[FEN \"W:W50:B1\"]\n1. c3-d4 *",
        &[("fen", 1, 0)],
        "<1. c3-d4>",
    );
    check(
        "[FEN \"startpos moves c3-d4\"]\n1. c3-b4 *",
        &[("fen", 1, 0)],
        "<1. c3-b4>",
    );
    check(
        "[GameType \"25,W,8,8,N0,0\"]\n[FEN \"W:W5-K6:B21\"]\n1. 5-9 *",
        &[("fen", 1, 0)],
        "<1. 5-9>",
    );
    check("[FEN \"?:Wd4:Bb6\"]\n*", &[("fen", 1, 0)], "");
    check(
        "[FEN \"?:W22:B21\"]\n1. h2-g3 *",
        &[("illegal-move", 2, 1)],
        "<1. h2-g3>",
    );
}

/// A file without a game is one that is faulty, so that nothing of it vanishes.
#[test]
fn text_without_a_game() {
    for (text, fault) in [
        ("{all of it}", "no-game"),
        ("% all\n; of it\n", "no-game"),
        ("\n\n{all} {of it}\n", "no-game"),
        (
            "{all of it never closed\n1. c3-d4 d6-c5 *\n",
            "open-comment",
        ),
        ("[%all of it]", "word"),
        ("} ] all of it", "closing"),
        ("$ {all of it}", "word"),
    ] {
        let game = read_one(text);
        assert_eq!(faults(&game)[0].0, fault, "{text}");
        assert_eq!(game.main.moves, [], "{text}");
        let written = write(&game, None);
        assert!(written.contains("all"), "{text}: {written}");
        assert!(written.contains("of it"), "{text}: {written}");
    }
}

/// What belongs to nothing is written all the same, be the game played here or not, and once more when that is read.
#[test]
fn nothing_stray_is_lost() {
    for tags in [
        "",
        "[Result \"2-0\"]\n",
        "[Result \"*\"]\n",
        "[Result \"2-1\"]\n",
        "[GameType \"20\"]\n",
        "[GameType \"20\"]\n[Result \"2-0\"]\n",
        "[GameType \"20\"]\n[Result \"*\"]\n",
        "[GameType \"20\"]\n[Result \"2-1\"]\n",
    ] {
        for (moves, kept) in [
            ("1. c3-d4 1-0 0-1", &["1-0", "0-1"][..]),
            ("1. c3-d4 0-1 1/2-1/2 1-0", &["0-1", "1/2-1/2", "1-0"]),
            ("1. c3-d4 * 1/2-1/2", &["1/2-1/2"]),
            ("1. c3-d4 1/2-1/2 {so be it}", &["1/2-1/2", "so be it"]),
            ("1. c3-d4 a1-b2 1/2-1/2 0-1", &["a1-b2", "1/2-1/2", "0-1"]),
            ("1. c3-d4 ) b6-a5 *", &[")"]),
            ("1. c3-d4 (1. c3-b4 ] b6-a5) b6-a5 ] *", &["]", "]"]),
            ("1. c3-d4 } b6-a5 *", &[")"]),
        ] {
            let text = format!("{tags}{moves}");
            let written = write(&read_one(&text), None);
            // Without the brackets of the tags.
            let text_of_it = written.replace("\"]", "");
            for word in kept {
                let expected = kept.iter().filter(|other| *other == word).count();
                let found = text_of_it.matches(word).count();
                assert!(found >= expected, "{text}: {word}: {written}");
            }
            let again = write(&read_one(&written), None);
            assert_eq!(again, written, "{text}");
        }
    }
}

/// Every cut of a file is read, and every byte of it may be any other.
#[test]
fn nothing_stops_the_reader() {
    let text = "[Event \"x\"]\n[FEN \"W:W21-32:B1-12\"]\n\n1. c3-d4 {a} (1. c3-b4 $2 b6-a5!) b6-a5 {[%clk 0:01]} 2. d4-c5 *\n";
    // A brace at the very end is not told from one that quotes the next game.
    for end in 0..text.len() - 1 {
        read(&text[..end]);
        for byte in [
            0, b'{', b'}', b'(', b')', b'[', b']', b'"', b'\\', b'\n', b'%', b'1', 0xD0, 0xFF,
        ] {
            let mut bytes = text.as_bytes().to_vec();
            bytes[end] = byte;
            bytes.extend(text.as_bytes());
            let games = read(bytes);
            assert!(games.len() <= 4, "{end} {byte}");
            let last = games.last().expect("the second is whole");
            assert_eq!(last.main.moves.len(), 3, "{end} {byte}");
        }
    }
    let noise: Vec<u8> = (0..1 << 16)
        .map(|n: u32| (n.wrapping_mul(2_654_435_761) >> 13) as u8)
        .collect();
    read(noise);
}

/// The reason names the move as the file has it, though squares counted from a1 are turned round to be read.
#[test]
fn faults_name_what_is_in_the_file() {
    let game = read_one("[GameType \"26,W,8,8,N0,0\"]\n1. 11-15 22-18 2. 15x22 *");
    let [fault] = &game.faults[..] else {
        panic!("{:?}", game.faults);
    };
    assert_eq!(fault.text, "15x22");
    assert!(
        fault.reason.to_string().contains("\"15x22\""),
        "{}",
        fault.reason
    );
}
