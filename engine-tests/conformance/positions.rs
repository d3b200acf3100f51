//! Positions and the moves behind them: sections 1.5, 1.6 and 1.9 of the protocol notes.

use super::Check;
use super::client::{Client, Found, LOST, START, placed};

pub(super) const CHECKS: &[Check] = &[
    ("pos start", |client| {
        assert!(is_white_opening(&go(client, "start")));
    }),
    ("pos without anything is the start", |client| {
        assert!(is_white_opening(&go(client, "")));
    }),
    ("go without pos is the start", |client| {
        assert!(is_white_opening(
            &client.search("level depth=2\ngo analyze")
        ));
    }),
    ("go after a change of the variant is its start", |client| {
        client.send("pos start moves=22-18");
        client.set("variant", "pool");
        let found = client.search("level depth=2\ngo analyze");
        // Black begins in Pool, from 9 to 12.
        let from = found
            .mv
            .split('-')
            .next()
            .and_then(|text| text.parse().ok());
        assert!(
            from.is_some_and(|from: u8| (9..=12).contains(&from)),
            "{}",
            found.mv
        );
    }),
    ("the letters of a position", |client| {
        assert!(is_white_opening(&go(client, START)));
    }),
    ("arguments in any order", |client| {
        let found = go(client, &format!("moves=\"22-18 11-15\" {START}"));
        assert_eq!(found.mv, "18x11x15");
        assert_eq!(go(client, "moves=\"22-18 11-15\" start").mv, "18x11x15");
    }),
    ("a single move needs no quotes", |client| {
        assert!(!go(client, "start moves=22-18").mv.starts_with("22-"));
    }),
    ("empty moves", |client| {
        for moves in ["moves=\"\"", "moves=\"  \"", "moves"] {
            assert!(is_white_opening(&go(client, &format!("{START} {moves}"))));
        }
    }),
    ("several moves without quotes are refused", |client| {
        client.refused(&format!("pos {START} moves=22-18 11-15"));
        is_lost(client);
    }),
    ("leading zeros", |client| {
        // lidraughts pads.
        let found = go(
            client,
            "start moves=\"22-18 11-15 18x11x15 08x15x11 023-018\"",
        );
        assert!(!found.mv.is_empty());
    }),
    ("captured squares in any order", |client| {
        for text in [
            "12x31x8x14x26",
            "12x31x26x14x8",
            "12x31x14x26x8",
            "12x31x08x26x014",
        ] {
            let found = go(client, &format!("{} moves={text}", long_capture()));
            assert_eq!(found.mv, "", "{text}");
        }
    }),
    ("missing captured squares, where one move fits", |client| {
        for text in ["12x31", "12x31x14", "12x31x26x8"] {
            let found = go(client, &format!("{} moves={text}", long_capture()));
            assert_eq!(found.mv, "", "{text}");
        }
        for text in ["12x3x7x16x22", "12x3x22", "12x3x18", "12x3x18x7"] {
            accepts(client, &format!("{} moves={text}", two_ways()));
        }
    }),
    ("missing captured squares, where two moves fit", |client| {
        for text in ["12x3", "12x3x7", "12x3x16x7"] {
            client.send(&format!("pos {} moves={text}", two_ways()));
            let message = client.error();
            assert!(
                message.contains("ambiguous") && message.contains(text),
                "{message}"
            );
            is_lost(client);
        }
    }),
    (
        "the exact captures are meant before those that have more",
        |client| {
            // From 27 to 4 either 8 and 23 are taken, or 6 and 7 besides.
            let position = placed('W', &[('W', 27), ('b', 6), ('b', 7), ('b', 8), ('b', 23)]);
            assert_ne!(go(client, &format!("{position} moves=27x4x8x23")).mv, "");
            assert_eq!(go(client, &format!("{position} moves=27x4x6")).mv, "");
        },
    ),
    ("captured squares that are wrong", |client| {
        for text in ["12x31x9", "12x31x8x14x26x27", "12x31x12"] {
            client.refused(&format!("pos {} moves={text}", long_capture()));
        }
    }),
    (
        "a capture is not written with a dash, nor the reverse",
        |client| {
            client.refused(&format!("pos {} moves=12-31", long_capture()));
            client.refused("pos start moves=22x18");
        },
    ),
    (
        "a capture that begins and ends on the same square",
        |client| {
            let square = placed(
                'W',
                &[('w', 16), ('b', 10), ('b', 11), ('b', 18), ('b', 19)],
            );
            assert_eq!(go(client, &square).mv, "16x16x10x11x18x19");
            accepts(client, &format!("{square} moves=16x16"));
        },
    ),
    (
        "a man that is crowned in the middle of a capture",
        |client| {
            assert_eq!(go(client, &long_capture()).mv, "12x31x8x14x26");
        },
    ),
    ("the same in the rules of Pool", |client| {
        client.set("variant", "pool");
        assert_eq!(go(client, &long_capture()).mv, "12x3x8");
    }),
    ("an illegal move is one error that names it", |client| {
        client.send("pos start moves=\"22-18 11-15 22-18 11-15\"");
        let message = client.error();
        assert!(
            message.contains("22-18") && message.contains('3'),
            "{message}"
        );
        is_lost(client);
    }),
    ("texts that are no moves", |client| {
        for text in [
            "22", "22-", "-18", "22-33", "0-4", "22+18", "c3-d4", "22-18-14", "22x", "xx",
            "+22-18", "٢٢-18",
        ] {
            client.refused(&format!("pos start moves={text}"));
        }
        client.refused("pos start moves=\"22-18 ,\"");
    }),
    ("a capture must be played where there is one", |client| {
        client.refused("pos start moves=\"22-18 11-15 24-20\"");
    }),
    ("a position of another length", |client| {
        for position in ["pos=W", "pos=\"\"", &START[..36], &format!("{START}e")] {
            client.refused(&format!("pos {position}"));
            is_lost(client);
        }
    }),
    ("a position of a larger board", |client| {
        let position = format!(
            "pos=W{}{}{}",
            "b".repeat(20),
            "e".repeat(10),
            "w".repeat(20)
        );
        client.refused(&format!("pos {position}"));
        is_lost(client);
    }),
    ("letters that mean nothing", |client| {
        for (old, new) in [
            ("=W", "=w"),
            ("=W", "=?"),
            ("ee", "e."),
            ("bb", "bm"),
            ("ww", "wé"),
        ] {
            client.refused(&format!("pos {}", START.replacen(old, new, 1)));
        }
    }),
    (
        "a man on the row where it would have been crowned",
        |client| {
            client.refused(&format!("pos {}", placed('W', &[('w', 1), ('b', 20)])));
            client.refused(&format!("pos {}", placed('W', &[('w', 20), ('b', 32)])));
        },
    ),
    ("a rejected position stays rejected", |client| {
        client.refused("pos pos=nonsense");
        client.send("new-game\nset-param name=hash value=2\nlevel depth=2");
        is_lost(client);
        is_lost(client);
        assert!(is_white_opening(&go(client, START)));
    }),
    (
        "a good position behind a rejected one has its own limits",
        |client| {
            client.send("level depth=9\npos pos=nonsense");
            client.error();
            assert_eq!(go(client, START).depth(), 2);
        },
    ),
    ("no piece left: a bare done, and no error", |client| {
        for mode in ["think", "ponder", "analyze"] {
            let found = client.search(&format!("pos {LOST}\ngo {mode}"));
            assert_eq!((found.mv.as_str(), found.infos.len()), ("", 0));
        }
    }),
    ("no move left: a bare done, and no error", |client| {
        let blocked = placed('W', &[('w', 21), ('b', 17), ('b', 14)]);
        assert_eq!(go(client, &blocked).mv, "");
    }),
    ("the opponent has no piece: it is searched", |client| {
        assert!(!go(client, &placed('W', &[('w', 22)])).mv.is_empty());
    }),
    ("two thousand plies", |client| {
        let found = go(client, &shuffle(500));
        assert!(found.mv.starts_with("30-"), "{}", found.mv);
    }),
    (
        "drawn by repetition: it is searched all the same",
        |client| {
            client.set("tables", "none");
            for rounds in [1, 2, 3] {
                assert!(!go(client, &shuffle(rounds)).mv.is_empty());
            }
        },
    ),
    ("drawn by a count: it is searched all the same", |client| {
        for variant in ["russian", "russian-fmjd64", "pool", "pool-25", "brazilian"] {
            client.set("variant", variant);
            assert!(!go(client, &shuffle(40)).mv.is_empty(), "{variant}");
        }
    }),
    (
        "history is not carried from one position to the next",
        |client| {
            client.set("tables", "none");
            client.set("book", "none");
            let fresh = go(client, &shuffle(0)).last().text("score").to_owned();
            go(client, &shuffle(5));
            client.send("new-game");
            assert_eq!(go(client, &shuffle(0)).last().text("score"), fresh);
        },
    ),
    ("moves numbered from a1, positions from b8", |client| {
        client.set("squares", "pdn");
        let found = go(client, &format!("{START} moves=\"10-14 23-19\""));
        assert_eq!(found.mv, "14x23x19");
        client.refused(&format!("pos {START} moves=\"22-18 11-15\""));
    }),
    (
        "reports and expected replies have the same numbering as moves",
        |client| {
            for (squares, moves) in [("hub", "22-18 11-15"), ("pdn", "10-14 23-19")] {
                client.set("squares", squares);
                let found = client.search(&format!(
                    "pos start moves=\"{moves}\"\nlevel depth=4\ngo analyze"
                ));
                let line = format!("{moves} {} {}", found.mv, found.ponder);
                assert!(
                    found
                        .last()
                        .text("pv")
                        .starts_with(&format!("{} {}", found.mv, found.ponder))
                );
                accepts(client, &format!("start moves=\"{line}\""));
            }
        },
    ),
    ("both numberings in Brazilian, one in Pool", |client| {
        client.set("squares", "pdn");
        client.set("variant", "brazilian");
        accepts(client, "start moves=\"10-14 23-19\"");
        client.set("variant", "pool");
        accepts(client, "start moves=\"11-15 22-18\"");
    }),
    ("the numbering may change between two positions", |client| {
        accepts(client, "start moves=\"22-18 11-15\"");
        client.set("squares", "pdn");
        accepts(client, "start moves=\"10-14 23-19\"");
        client.set("squares", "hub");
        accepts(client, "start moves=\"22-18 11-15\"");
    }),
];

/// Sends a position and has it analysed.
fn go(client: &mut Client, position: &str) -> Found {
    client.search(&format!("pos {position}\nlevel depth=2\ngo analyze"))
}

/// Says that a position is taken.
fn accepts(client: &mut Client, position: &str) {
    client.send(&format!("pos {position}"));
    client.silent();
}

/// Says that there is no position to search: a `go` is answered by one error and a bare `done`.
fn is_lost(client: &mut Client) {
    client.send("go think");
    client.error();
    let found = client.done();
    assert_eq!((found.mv.as_str(), found.infos.len()), ("", 0));
}

fn is_white_opening(found: &Found) -> bool {
    ["21-", "22-", "23-", "24-"]
        .iter()
        .any(|from| found.mv.starts_with(from))
}

/// The single capture of this position is 12x31x8x14x26, on the way of which the man is crowned. Black then has no piece.
fn long_capture() -> String {
    placed('W', &[('w', 12), ('b', 8), ('b', 14), ('b', 26)])
}

/// Here 12x3 takes 7 and 16, and 18 or 22.
fn two_ways() -> String {
    placed('W', &[('W', 12), ('b', 7), ('b', 16), ('b', 18), ('b', 22)])
}

/// Two kings that go to and fro, four plies a round.
fn shuffle(rounds: usize) -> String {
    let moves = ["30-26", "5-9", "26-30", "9-5"].repeat(rounds).join(" ");
    format!("{} moves=\"{moves}\"", placed('W', &[('W', 30), ('B', 5)]))
}
