//! Positions on standard input, one a line, and the answers.

use super::{run, run_with, start};
use std::io::{BufRead, BufReader, Write};
use std::iter::repeat_n;

#[test]
fn bad_lines_are_answered_and_the_stream_goes_on() {
    let mut input = b"W:W21:B1\r\n\n  \nW:W33:B1\nW:W21:B1 moves a3-b4 zz\n\xFF\xFE\n\0\n".to_vec();
    input.extend(repeat_n(b'x', 1 << 20));
    input.push(b'\n');
    input.extend(repeat_n(b'W', 3 << 20));
    input.extend(b"\nW:W21:B1 moves\n\"W:W21:B1\" moves\ta3-b4  b8-c7\nB:W21:B1");
    let good = [1, 10, 11, 12];
    for args in [
        &["moves", "--fen", "-"][..],
        &["board", "--fen", "-"],
        &["perft", "2", "--fen", "-"],
    ] {
        let run = run_with(args, &input);
        assert_eq!((run.code, run.err.as_str()), (1, ""), "{args:?}");
        let answers = run.objects();
        assert_eq!(answers.len(), 12, "{args:?}");
        for (line, answer) in (1..).zip(&answers) {
            if good.contains(&line) {
                assert!(answer["fen"].is_string(), "{args:?}: {answer}");
            } else {
                assert!(
                    answer["error"]
                        .as_str()
                        .is_some_and(|error| error.starts_with("bad ")),
                    "{answer}"
                );
                assert_eq!(answer["line"], line, "{answer}");
            }
        }
        assert_eq!(answers[10]["fen"], "W:W17:B6", "{args:?}");
        assert_eq!(
            answers[4]["error"]
                .as_str()
                .map(|error| error.contains("move 2 of 2")),
            Some(true)
        );
    }
}

/// One answer that is a no makes the exit code 1, as it does for a position alone. Hardly any nodes prove the first position, none the
/// second.
#[test]
fn a_no_among_many_answers_shows_in_the_exit_code() {
    let easy = "W:W21:B17\n";
    let hard = "B:W22,25,26,27,29,30:B5,6,9,10,12,16\n";
    for (input, code) in [
        (easy.to_owned(), 0),
        (format!("{easy}{hard}"), 1),
        (format!("{hard}{easy}"), 1),
    ] {
        let run = run_with(&["solve", "--nodes", "100", "--fen", "-"], input.as_bytes());
        assert_eq!((run.code, run.err.as_str()), (code, ""), "{input}");
    }
}

#[test]
fn an_empty_stream_has_no_answers() {
    let run = run(&["moves", "--fen", "-"]);
    assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (0, "", ""));
}

#[test]
fn a_stream_is_a_dialogue() {
    let mut child = start(&["moves", "--fen", "-"]);
    let mut stdin = child.stdin.take().expect("it is a pipe");
    let mut answers = BufReader::new(child.stdout.take().expect("it is a pipe")).lines();
    for fen in ["W:W21:B1", "nonsense", "B:W21:B1"] {
        // If answers were held back, this would wait for ever.
        writeln!(stdin, "{fen}").expect("it listens");
        let answer = answers
            .next()
            .expect("there is an answer")
            .expect("it is UTF-8");
        assert_eq!(answer.contains("error"), fen == "nonsense", "{answer}");
    }
    drop(stdin);
    assert_eq!(child.wait().expect("it ends").code(), Some(1));
}
