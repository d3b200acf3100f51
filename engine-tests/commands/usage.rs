//! What single command lines are answered with: answers, wrong usage, bad input, help.

use super::{Run, program, run, run_with};

/// Successes: the arguments, then parts of standard output in their order. Standard error stays empty.
///
/// In all three tables `~` is a blank within an argument, `\n` the end of a line, `""` an empty argument.
const ANSWERS: &str = r#"
--version                                     => mainroad 0.1.0\ncommit  | \nbuilt for  | \nthis processor has  | \nrussian: weights crc32  | , tables crc32  | , book crc32  | \npool:  | \nbrazilian: 
--help                                        => Usage: mainroad [COMMAND] | moves | perft | \nExample: mainroad
help moves                                    => Usage: mainroad moves
book help probe                               => Usage: mainroad book probe
hub --help                                    => --hash <N> | in MiB, from 1 to 1048576 | [default: 256]
book build --help                             => --threads <N> | from 1 to 1024 [default: all cores]
moves                                         => c3-b4\n | g3-h4\n
moves --variant american-pool                 => 9-13\n
moves --variant Shashki --fen W:WKd4:Bb2,g7   => d4:h8\n | d4:a1\n
moves --variant brazilian --fen W:W22:B18     => c3xe5\n
moves --fen W:W:B1                            => game over: Black wins (no-pieces)\n
moves --fen W:W21:B14,17                      => game over: Black wins (blocked)\n
moves --fen B:W21:B1 --moves 1-6~a3-b4~cb6~ba5 => b6-c5\n
board                                         => 8 |   b   b   b   b | \nWhite to move\nFEN W:W21, | \nHub Wbbb | \n7 legal moves\n
board --variant pool                          => 29    30 | \nBlack to move\nFEN B:W21,
board --fen WeeeeeeeeeeeeeeeeeeeeeeeeeeeeBeeW => FEN W:WK32:BK29
board --fen [FEN~"W:W21:B14,17."]             => game over: Black wins (blocked)\n
board --moves c3-d4                           => Black to move | :W18,21, | 7 legal moves\n
board --fen [SetUp~"1"]~[FEN~"W:W21:B1"]      => FEN W:W21:B1\n
board --fen W:W:B1                            => game over: Black wins (no-pieces)\nWhite has no pieces: legal, and lost\n
board --fen B:WK1:B                           => game over: White wins (no-pieces)\nBlack has no pieces: legal, and lost\n
board --fen W:W21:B                           => 1 legal move\nBlack has no pieces: legal, and lost after any move\n
board --fen W:W5-8,K1-4:B                     => game over: Black wins (blocked)\n
board --labels numbers                        => 29    30
board --variant pool --labels letters         => 1 | w   w   w   w   | 1\n | a b c
board --svg -                                 => <svg | <title>Draughts: White to move</title> | >a</text> | </svg>\n
board --svg - --variant pool --moves 11-15    => <title>Draughts: 11-15, White to move</title> | <polyline | >32</text>
board --svg - --labels numbers --moves c3-d4  => <title>Draughts: 22-18, Black to move</title> | >32</text>
board --help                                  => more than 12 pieces | legal, and has lost | --svg <FILE> | --labels <NAME> | numbers, letters
perft 0                                       => 1 nodes
perft 2 --divide                              => c3-b4 7\n | \n49 nodes
perft 7 --hash 1 --threads 2                  => 190146 nodes
perft --help                                  => --hash <N> | in MiB, from 0 (none) to 1048576 | [default: 0]
solve --fen W:WKd4:Bb6                        => d4:a7 win 1\nline: d4:a7\nwin 1 plies, exact, one move alone
solve --help                                  => [FILE] | --nodes <N> | --time <S> | --duals
completions bash                              => _mainroad | --divide
completions fish                              => complete -c mainroad
man                                           => .TH mainroad 1 | MAINROAD HUB | MAINROAD BOOK PROBE
"#;

/// Failures with exit code 2: the command line is wrong. Parts of the line on standard error; standard output stays empty.
const WRONG_USAGE: &str = r"
frobnicate                                    => unrecognized subcommand 'frobnicate'
movse                                         => 'movse' | similar | 'moves'
moves --fenn x                                => '--fenn' | similar | '--fen'
moves --fen                                   => --fen <FEN>
moves extra                                   => 'extra'
moves --json --json                           => --json
moves --variant chess                         => 'chess' | expected one of russian, | pool-25
moves --variant a\n\nb                        => --variant
moves --draw-rules perhaps                    => expected true or false
moves --fen - --moves c3-d4                   => --moves | --fen -
hub --hash 0                                  => expected a whole number from 1 to 1048576
hub --overhead -1                             => '-1' | expected a whole number from 0 to 5000
perft                                         => <DEPTH>
perft 31                                      => 31 is not in 0..=30
perft -1                                      => -1
perft 3 --threads 1025                        => expected a whole number from 1 to 1024
perft 3 --hash 1048577                        => 1048577 is not in 0..=1048576
perft 3 --hash -1                             => -1
board --labels both                           => 'both' | numbers, letters
board --svg                                   => --svg <FILE>
board --svg - --json                          => --svg - cannot be used with --json
board --svg x.svg --fen -                     => --svg cannot be used with --fen -
board --moves x --fen -                       => --moves cannot be used with --fen -
solve --time 0                                => '0' | expected a number of seconds above 0
solve x.epd --fen W:W21:B1                    => [FILE] | --fen <FEN>
bench --depth 0                               => '0' | --depth <N>
bench --net nowhere                           => 'nowhere' | expected default, handmade, material or a weights file
book                                          => requires a subcommand | build | probe
book build                                    => --out <FILE>
completions abacus                            => abacus | bash
train fit x.games --out x.net --step 0        => '0' | expected a number above 0, at most 1
train fit x.games --out x.net --step NaN      => 'NaN' | expected a number above 0, at most 1
";

/// Failures with exit code 1: the input is bad. As above; `board` names every fault.
const BAD_INPUT: &str = r#"
moves --fen W:W33:B1                          => bad FEN: "W:W33:B1": | "33" | expected 1 to 32
moves --fen ""                                => bad FEN | expected one such as
moves --fen a\nb                              => bad FEN | "a b"
perft 1 --fen Q:W1:B2                         => the side to move is "Q", expected W or B
book probe --fen W:W21                        => the pieces of Black are missing
moves --moves c3-d4~c3-d4                     => bad move: move 2 of 2: "c3-d4" is not a legal move here
board --moves zz                              => bad move: move 1 of 1: "zz" cannot be read
moves --fen W:WKd4:Bb2,g7 --moves d4:h8~d4:a1 => bad move: move 2 of 2: "d4:a1"
board --fen B:W1,33,5,7-3:B2                  => a White man | square 1; | "33" | "7-3"
board --fen W:W5:B32,5,K5,29-32               => a Black man | square 32; | square 5 holds two pieces; | square 29
board --fen W:WK1-13,14:BK20-32               => White has 14 pieces | Black has 13 pieces
board --fen W:WK5,K5:BK33,2                   => square 5 holds two pieces; | "K33" is not
board --fen W:W21,33                          => "33" | ; the pieces of Black are missing
perft 30 --fen W:WK1:BK32 --hash 16           => too many leaves: depth 30: expected fewer than 18446744073709551615
solve no/such/suite.epd                       => cannot read: no/such/suite.epd:
board --svg no/such/folder.svg                => cannot write: no/such/folder.svg:
board --svg .                                 => cannot write: .:
board --svg /dev/null                         => cannot write: /dev/null: not a regular file
board --fen WwbeeeeeeeeeeeeeeeeeeeeeeeeeeeeeB => a White man | square 1
board --fen WwwwweeeeeeeeeeeeeeeeeeeeeeeebbbB => square 1; | square 2; | square 4; | Black man | square 31
book probe --book no/such.book                => bad book: no/such.book:
book build --out no/such/folder.book          => cannot write: no/such/folder.book:
book build --out .                            => cannot write: .:
book build --out /dev/null                    => cannot write: /dev/null: not a regular file
"#;

/// Runs every line of a table; `check` is given the line, the run, and what must be in it.
#[track_caller]
fn run_table(table: &str, check: impl Fn(&str, &Run, &[String])) {
    let unescaped = |text: &str| text.replace("\\n", "\n");
    for line in table.lines().filter(|line| !line.is_empty()) {
        let (args, parts) = line.split_once("=>").expect("an arrow");
        let args = args.split_whitespace().map(|arg| match arg {
            "\"\"" => String::new(),
            arg => unescaped(arg).replace('~', " "),
        });
        let args: Vec<String> = args.collect();
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let parts: Vec<String> = parts.trim_start().split(" | ").map(unescaped).collect();
        check(line, &run(&args), &parts);
    }
}

#[test]
fn answers_are_on_standard_output() {
    run_table(ANSWERS, |line, run, parts| {
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{line}");
        let mut rest = run.out.as_str();
        for part in parts {
            let place = rest
                .find(part)
                .unwrap_or_else(|| panic!("{line}: no {part:?} in {}", run.out));
            rest = &rest[place + part.len()..];
        }
    });
}

#[test]
fn failures_are_one_line_on_standard_error() {
    for (table, code) in [(WRONG_USAGE, 2), (BAD_INPUT, 1)] {
        run_table(table, |line, run, parts| {
            assert_eq!(
                (run.code, run.out.as_str()),
                (code, ""),
                "{line}: {}",
                run.err
            );
            assert!(
                run.err.starts_with("mainroad: error: "),
                "{line}: {}",
                run.err
            );
            assert_eq!(
                run.err.find('\n'),
                Some(run.err.len() - 1),
                "{line}: {}",
                run.err
            );
            for part in parts {
                assert!(run.err.contains(part), "{line}: no {part:?} in {}", run.err);
            }
        });
    }
}

/// Returns the commands that a help lists, each in front of what it does.
fn listed_commands(help: &str) -> Vec<&str> {
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let list = lines.take_while(|line| line.is_empty() || line.starts_with(' '));
    let names = list.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    names
        .filter(|name| !name.is_empty() && *name != "help")
        .collect()
}

/// Every command is found by the help of the one above it.
#[test]
fn every_help_ends_with_an_example() {
    let mut waiting = vec![String::new()];
    let mut count = 0;
    while let Some(command) = waiting.pop() {
        let args: Vec<&str> = command.split_whitespace().chain(["--help"]).collect();
        let run = run(&args);
        assert_eq!(run.code, 0, "{command}");
        let last = run.out.trim_end().rsplit("\n\n").next();
        let last = last.unwrap_or_default();
        assert!(last.starts_with("Example"), "{command}: {last}");
        let example = format!("mainroad {command}");
        assert!(last.contains(example.trim_end()), "{command}: {last}");
        let names = listed_commands(&run.out).into_iter();
        waiting.extend(names.map(|name| format!("{command} {name}").trim_start().to_owned()));
        count += 1;
    }
    assert!(count > 30, "only {count} commands were found");
}

/// As a terminal set to Windows-1251 sends them.
#[cfg(unix)]
#[test]
fn arguments_that_are_not_utf8_are_bad_input() {
    use std::os::unix::ffi::OsStrExt;
    let bytes = |bytes: &'static [u8]| std::ffi::OsStr::from_bytes(bytes);
    for (option, value, message) in [
        (
            "--fen",
            &b"W:W\xE03:\xC2b8"[..],
            "bad FEN: \"W:W\u{FFFD}3:\u{FFFD}b8\": byte 4: expected UTF-8",
        ),
        (
            "--fen",
            b"\xFF",
            "bad FEN: \"\u{FFFD}\": byte 1: expected UTF-8",
        ),
        (
            "--moves",
            b"c3-d4 \xE55",
            "bad move: \"c3-d4 \u{FFFD}5\": byte 7: expected UTF-8",
        ),
    ] {
        for command in ["board", "moves", "book"] {
            let args = if command == "book" {
                &["book", "probe"][..]
            } else {
                &[command]
            };
            let output = program(args)
                .args([bytes(option.as_bytes()), bytes(value)])
                .output();
            let run = Run::of(output.expect("the program was built"));
            assert_eq!((run.code, run.out.as_str()), (1, ""), "{command} {option}");
            assert_eq!(run.err, format!("mainroad: error: {message}\n"));
        }
    }
}

#[test]
fn hub_is_spoken_with_and_without_its_name() {
    let input = b"hub\ninit\nquit\n";
    for (args, param) in [
        (&[][..], "param name=threads value=1 "),
        (&["hub"], "param name=variant value=russian "),
        (
            &["hub", "--variant", "pool-apca", "--hash", "8"],
            "param name=variant value=pool ",
        ),
        (
            &["hub", "--draw-rules=false"],
            "param name=draw-rules value=false ",
        ),
    ] {
        let run = run_with(args, input);
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{args:?}");
        assert!(
            run.out.starts_with("id name=Mainroad "),
            "{args:?}: {}",
            run.out
        );
        assert!(run.out.contains(param), "{args:?}: {}", run.out);
        assert!(run.out.ends_with("wait\nready\n"), "{args:?}: {}", run.out);
    }
    let warned = run_with(&["hub", "--log", "no/such/folder/log"], input);
    assert_eq!(warned.code, 0);
    assert!(
        warned
            .err
            .starts_with("mainroad: warning: log: no/such/folder/log"),
        "{}",
        warned.err
    );
}
