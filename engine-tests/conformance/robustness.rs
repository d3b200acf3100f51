//! What no client should send, and some do: section 1.2 of the protocol notes. It is answered by an error or ignored, and what comes
//! after it is done right.

use super::Check;
use super::client::{Client, START};
use crate::support::Rng;

const MEGABYTE: usize = 1 << 20;

pub(super) const CHECKS: &[Check] = &[
    ("empty lines and blanks", |client| {
        client.send("\n\n \n\t\n \t \n");
        client.silent();
    }),
    ("Windows line ends", |client| {
        client.engine().send_bytes(b"hub\r\ninit\r\n");
        while client.line() != "wait" {}
        client.expect("ready");
        client.send(&format!(
            "pos {START} moves=\"22-18 11-15\"\r\nlevel depth=2\r\ngo think\r"
        ));
        assert_eq!(client.done().mv, "18x11x15");
        client.send("\r\n\r");
        client.silent();
    }),
    ("blanks before and behind commands", |client| {
        client.send("  ping");
        client.expect("pong");
        client.send("\tping \t ");
        client.expect("pong");
        client.send("init  ");
        client.expect("ready");
    }),
    ("a byte order mark", |client| {
        client.engine().send_bytes(b"\xef\xbb\xbfping\n");
        client.expect("pong");
    }),
    ("zero bytes", |client| {
        client.engine().send_bytes(b"\0\n\0\0\0ping\0\n");
        client.expect("pong");
        client
            .engine()
            .send_bytes(b"set-param name=hash\0value=7\n");
        client.silent();
        assert_eq!(client.parameter("hash"), "7");
    }),
    ("bytes that are not UTF-8", |client| {
        client.engine().send_bytes(b"\xff\xfe\x80\nping \xc3\x28\n");
        client.expect("pong");
        client
            .engine()
            .send_bytes(b"pos pos=\xff\xff\nset-param name=variant value=\xf0\x28\n");
        client.error();
        client.error();
        client.engine().send_bytes(
            b"set-param name=\xff value=\xff\n\xd1\x88\xd0\xb0\xd1\x88\xd0\xba\xd0\xb8\n",
        );
        client.silent();
    }),
    (
        "control characters in an error come back as blanks",
        |client| {
            client
                .engine()
                .send_bytes(b"pos start moves=\"\x1b[31m\x07\"\n");
            client.error();
            client
                .engine()
                .send_bytes(b"set-param name=hash value=\"a\x1bb\"\n");
            assert!(!client.error().contains(char::is_control));
        },
    ),
    ("unknown commands are ignored", |client| {
        for line in [
            "uci",
            "isready",
            "position startpos",
            "xboard",
            "go-think",
            "stopp",
            "help",
            "шашки",
            "ping=1x",
        ] {
            client.send(line);
        }
        // The last of them is a ping, whatever stands behind it.
        client.expect("pong");
        client.silent();
    }),
    ("commands are written in small letters", |client| {
        client.send("HUB\nPing\nStop\nQuit\nQUIT");
        client.silent();
    }),
    ("lines that begin with a sign", |client| {
        client.send("=\n=5\n\"\n\"pos\" pos=W\n\"unclosed\n-\n#\n{}");
        client.silent();
    }),
    ("a quote that is not closed", |client| {
        for line in [
            "pos pos=\"W",
            "pos pos=W moves=\"22-18",
            "level depth=\"5",
            "set-param name=hash value=\"5",
            "set-param name=\"hash",
        ] {
            client.refused(line);
        }
        client.plays();
    }),
    (
        "a quote that is not closed keeps no command from stopping",
        |client| {
            client.send(&format!("pos {START}\ngo analyze\nstop \""));
            client.done();
            client.send("ping \"");
            client.expect("pong");
        },
    ),
    ("an argument without a name or value", |client| {
        for line in [
            "pos =W",
            "pos pos=",
            "pos pos==",
            "pos \"W\"",
            "level =5",
            "level depth=",
            "level \"depth\"=5",
            "set-param =",
            "set-param name= value=5 =",
            "set-param name=log value=",
        ] {
            client.refused(line);
        }
        client.send("go =");
        // It is no `go` that can be obeyed, so nothing is searched.
        client.error();
        client.forget_search();
        client.plays();
    }),
    ("an unknown command may look like anything", |client| {
        client.send("foo = = \" =\nfoo=\nfoo \"bar");
        client.silent();
    }),
    ("an unknown line of a megabyte", |client| {
        client.send(&"x".repeat(MEGABYTE));
        client.send(&"x ".repeat(MEGABYTE / 2));
        client.send(&format!("go{}", "o".repeat(MEGABYTE)));
        client.silent();
    }),
    ("a known command of a megabyte", |client| {
        let long = "9".repeat(MEGABYTE);
        client.refused(&format!("pos pos={long}"));
        client.refused(&format!("pos start moves={long}"));
        client.refused(&format!(
            "pos start moves=\"{}\"",
            "22-18 ".repeat(MEGABYTE / 6)
        ));
        client.refused(&format!("set-param name=hash value={long}"));
        client.refused(&format!(
            "set-param name=variant value=\"{}\"",
            "russian ".repeat(MEGABYTE / 8)
        ));
        client.send(&format!("set-param name={long} value=1\nping {long}"));
        client.expect("pong");
        client.send(&format!(
            "pos {START}\nlevel depth={long} nodes=100{}",
            " a=b".repeat(MEGABYTE / 4)
        ));
        assert!(!client.search("go analyze").mv.is_empty());
    }),
    ("a megabyte of legal moves", |client| {
        let moves = "30-26 5-9 26-30 9-5 ".repeat(MEGABYTE / 20);
        client.send(&format!(
            "pos pos=WeeeeB{}Wee moves=\"{moves}\"",
            "e".repeat(24)
        ));
        assert!(
            client
                .search("level depth=2\ngo analyze")
                .mv
                .starts_with("30-")
        );
    }),
    ("ten thousand pings", |client| {
        client.send(&"ping\n".repeat(10_000));
        for _ in 0..10_000 {
            client.expect("pong");
        }
        client.silent();
    }),
    ("a line that comes in pieces", |client| {
        for piece in ["pos sta", "rt\nle", "vel depth=2\ng", "o analy", "ze\n"] {
            client.engine().send_bytes(piece.as_bytes());
        }
        client.expect_search();
        assert_eq!(client.done().depth(), 2);
    }),
    ("random bytes", |client| {
        let mut rng = Rng(6);
        for _ in 0..200 {
            let length = rng.below(300);
            // Without line ends inside: a random line is hardly ever a command.
            let bytes = (0..length)
                .map(|_| rng.below(256) as u8)
                .filter(|&byte| byte != b'\n');
            let mut line: Vec<u8> = bytes.collect();
            line.push(b'\n');
            client.engine().send_bytes(&line);
        }
        client.silent();
    }),
    ("random conversations", |client| {
        client.set("hash", "1");
        for seed in 0..60 {
            conversation(client, &mut Rng(seed));
        }
    }),
];

/// What a conversation is made of. Nothing in it takes long by itself, but for searches that are not stopped.
const LINES: &[&str] = &[
    "go think",
    "go ponder",
    "go analyze",
    "go",
    "stop",
    "ponder-hit",
    "ping",
    "",
    "nonsense",
    "init",
    "hub",
    "new-game",
    "pos start",
    "pos start moves=\"22-18 11-15\"",
    "pos pos=nonsense",
    "pos pos=Weeeeeeeebeeeeeeeeeeeeeeeeeeeeeee",
    "level depth=3",
    "level move-time=0.001",
    "level nodes=100",
    "level infinite",
    "level time=x",
    "set-param name=variant value=pool",
    "set-param name=variant value=russian",
    "set-param name=threads value=3",
    "set-param name=threads value=1",
    "set-param name=lines value=3",
    "set-param name=skill value=3",
    "set-param name=contempt value=20",
    "set-param name=book value=none",
    "set-param name=tables value=none",
    "set-param name=hash value=x",
    "pos \"",
];

/// Says random lines, then stops, and counts: a `done` for each `go`, a `pong` for each `ping`, and so on. That they are in order the
/// client itself sees.
fn conversation(client: &mut Client, rng: &mut Rng) {
    let lines: Vec<&str> = (0..40).map(|_| *rng.pick(LINES)).collect();
    client.send(&lines.join("\n"));
    client.send("stop\npos start");
    let count = |word: &str| {
        lines
            .iter()
            .filter(|line| line.split(' ').next() == Some(word))
            .count()
    };
    let mut expected = [count("go"), count("ping"), count("init"), count("hub")];
    client.send("ping");
    expected[1] += 1;
    while expected != [0; 4] {
        let line = client.line();
        let word = line.split(' ').next().unwrap_or_default();
        if let Some(kind) = ["done", "pong", "ready", "wait"]
            .iter()
            .position(|w| *w == word)
        {
            assert!(expected[kind] > 0, "{word} too often in {lines:?}");
            expected[kind] -= 1;
        }
    }
    client.silent();
}
