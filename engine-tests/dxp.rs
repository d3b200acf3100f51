//! DXP: messages, conversations with the built binary, games of the engine against itself, and sides that misbehave.
//!
//! A transcript in `dxp/` is a conversation. `$` starts the program with these arguments; if it is to connect, the test listens. A line with
//! `>` is sent as a message, one with `<` must come next, `*` in it matches anything; `>|` sends bytes as they are, with `\0` and `\n` for those;
//! `<.` says that the program closes the connection, `>.` closes it from this end, `$.` waits for the program to leave by itself; `#` begins a comment.

use crate::hub::fits;
use crate::support::{Rng, data};
use mainroad::board::Side;
use mainroad::engine::Options;
use mainroad::protocol::dxp::message::{
    Acceptance, BackAnswer, BackRequest, EndReason, GameAnswer, GameEnd, GameRequest, Message,
    MessageError, Minutes, MoveMessage, Start,
};
use mainroad::protocol::dxp::{
    Ended, Event, Finished, Fixture, Schedule, Terms, Verdict, follow, initiate,
};
use mainroad::rules::{Game, Rules, Variant};
use mainroad::with_rules;
use std::fs;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, ChildStderr, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How long anything may take that should come at once. Generous: other tests run at the same time.
const PATIENCE: Duration = Duration::from_secs(30);

/// A running program.
struct Program {
    child: Child,
    err: BufReader<ChildStderr>,
}

impl Program {
    fn start(args: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_mainroad"))
            .arg("dxp")
            .args(args)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary is there");
        let err = BufReader::new(child.stderr.take().expect("it is piped"));
        Self { child, err }
    }

    /// Starts a listener on a free port, and returns the port.
    fn listen(args: &[&str]) -> (Self, u16) {
        let args = [
            &["listen", "--port", "0", "--threads", "1", "--hash", "1"],
            args,
        ]
        .concat();
        let mut program = Self::start(&args);
        let line = program.err_line();
        let port = line
            .rsplit(':')
            .next()
            .and_then(|port| port.trim().parse().ok());
        (program, port.unwrap_or_else(|| panic!("no port: {line}")))
    }

    fn err_line(&mut self) -> String {
        let mut line = String::new();
        self.err.read_line(&mut line).expect("it writes");
        line
    }

    /// Waits until the program has left by itself; it must be a success.
    #[track_caller]
    fn leave(mut self) -> (String, String) {
        let deadline = Instant::now() + PATIENCE;
        while self.child.try_wait().expect("it can be asked").is_none() {
            assert!(Instant::now() < deadline, "the program does not leave");
            thread::sleep(Duration::from_millis(5));
        }
        let (mut out, mut err) = (String::new(), String::new());
        let stdout = self.child.stdout.as_mut().expect("it is piped");
        stdout.read_to_string(&mut out).expect("output is UTF-8");
        self.err.read_to_string(&mut err).expect("errors are UTF-8");
        let status = self.child.wait().expect("it has left");
        assert!(status.success(), "{status}: {err}");
        (out, err)
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // One that listens does so until it is ended, and a test that failed must leave none behind.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The other end of a connection.
struct Peer {
    stream: TcpStream,
    input: BufReader<TcpStream>,
}

impl Peer {
    fn new(stream: TcpStream) -> Self {
        stream.set_read_timeout(Some(PATIENCE)).expect("it is open");
        stream.set_nodelay(true).expect("it is open");
        let input = BufReader::new(stream.try_clone().expect("it is open"));
        Self { stream, input }
    }

    fn connect(port: u16) -> Self {
        Self::new(TcpStream::connect(("127.0.0.1", port)).expect("it listens"))
    }

    fn send_bytes(&mut self, bytes: &[u8]) {
        self.stream.write_all(bytes).expect("it is open");
    }

    fn send(&mut self, message: &str) {
        self.send_bytes(format!("{message}\0").as_bytes());
    }

    /// Returns the next message, or `None` if the connection is closed.
    #[track_caller]
    fn hear(&mut self) -> Option<String> {
        let mut bytes = Vec::new();
        match self.input.read_until(0, &mut bytes) {
            Ok(0) => None,
            Ok(_) => {
                assert_eq!(bytes.pop(), Some(0), "a message without its end");
                Some(String::from_utf8(bytes).expect("messages are ASCII"))
            }
            Err(error) if error.kind() == ErrorKind::ConnectionReset => None,
            Err(error) => panic!("no message: {error}"),
        }
    }

    #[track_caller]
    fn expect(&mut self, pattern: &str) {
        let heard = self.hear().unwrap_or_else(|| "the end".to_owned());
        assert!(fits(pattern, &heard), "expected {pattern}, got {heard}");
    }

    /// Asks for a game in which the program has a side.
    fn ask(&mut self, side: char, rest: &str) {
        let name = "Test";
        self.send(&format!("R01{name:32}{side}{rest}"));
    }
}

/// A short way to play: any game, no time told.
const USUAL: &str = "000000BWzzzzzzzzzzzzeeeeeeeewwwwwwwwwwww";

#[test]
fn transcripts() {
    let mut paths: Vec<PathBuf> = fs::read_dir(data("dxp"))
        .expect("the folder is there")
        .map(|entry| entry.expect("it can be listed").path())
        .collect();
    paths.sort();
    assert!(!paths.is_empty());
    for path in paths {
        let text = fs::read_to_string(&path).expect("it can be read");
        let mut conversation: Option<(Program, Peer)> = None;
        for (number, line) in (1..).zip(text.lines()) {
            let place = format!("{}:{number}", path.display());
            if let Some(args) = line.strip_prefix("$ ") {
                conversation = Some(meet(args));
                continue;
            }
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let (_, peer) = conversation.as_mut().expect("a program is started first");
            let (sign, rest) = line.split_at_checked(2).unwrap_or((line, ""));
            match sign {
                "> " => peer.send(rest),
                ">|" => peer.send_bytes(
                    rest.trim_start()
                        .replace("\\0", "\0")
                        .replace("\\n", "\n")
                        .as_bytes(),
                ),
                ">." => peer.stream.shutdown(Shutdown::Both).expect("it is open"),
                "< " => {
                    let heard = peer.hear();
                    let heard = heard.unwrap_or_else(|| panic!("{place}: it is closed"));
                    assert!(fits(rest, &heard), "{place}: expected {rest}, got {heard}");
                }
                "<." => assert_eq!(peer.hear(), None, "{place}: it is open"),
                "$." => {
                    let (program, _) = conversation.take().expect("one is running");
                    program.leave();
                }
                _ => panic!("{place}: unreadable"),
            }
        }
    }
}

/// Starts the program and connects with it, whoever listens.
fn meet(args: &str) -> (Program, Peer) {
    let args: Vec<&str> = args.split_whitespace().collect();
    let [kind, args @ ..] = args.as_slice() else {
        panic!("no arguments");
    };
    if *kind == "listen" {
        let (program, port) = Program::listen(args);
        return (program, Peer::connect(port));
    }
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let address = listener.local_addr().expect("it has one").to_string();
    let args = [
        &["connect", &address, "--threads", "1", "--hash", "1"],
        args,
    ]
    .concat();
    let program = Program::start(&args);
    let (stream, _) = listener.accept().expect("it connects");
    (program, Peer::new(stream))
}

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
        (599, "000"),
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

/// How the engine plays in tests.
fn terms(variant: Variant, claims_draws: bool) -> Terms {
    let mut options = Options {
        hash_mib: 1,
        book: "none".to_owned(),
        ..Options::default()
    };
    options.variant = variant;
    options.ponder = false;
    Terms {
        options,
        name: "Mainroad".to_owned(),
        move_time: Duration::from_millis(10),
        claims_draws,
        resigns: false,
        interrupt: crossbeam_channel::never(),
    }
}

/// Plays games of the engine against itself over two pipes, and returns them as either side sees them.
fn games_over_pipes<R: Rules>(change: impl Fn(&mut Terms), games: usize) -> [Vec<Finished<R>>; 2] {
    let (to_follower, from_initiator) = {
        let (reader, writer) = std::io::pipe().expect("pipes can be had");
        (writer, reader)
    };
    let (from_follower, to_initiator) = std::io::pipe().expect("pipes can be had");
    let [mut asking, mut asked] = [true, false].map(|claims| terms(R::VARIANT, claims));
    change(&mut asking);
    change(&mut asked);
    let fixtures = Side::BOTH.map(|own| Fixture {
        start: R::start(),
        own,
    });
    let schedule = Schedule {
        games: fixtures.into_iter().cycle().take(games).collect(),
        minutes: Minutes::within(Duration::from_millis(1_200)),
        moves: 0,
    };
    let follower = thread::spawn(move || {
        let mut seen = Vec::new();
        let mut tell = |event: Event<R>| {
            if let Event::Finished(finished) = event {
                seen.push(finished.clone());
            }
        };
        let input = BufReader::new(from_initiator);
        let ended =
            follow::<R>(input, to_initiator, &asked, &mut tell).expect("threads can be had");
        // The last end may be this side's, which does not know that it is the last.
        assert!(matches!(ended, Ended::Done | Ended::Gone));
        seen
    });
    let mut seen = Vec::new();
    let mut tell = |event: Event<R>| {
        if let Event::Finished(finished) = event {
            seen.push(finished.clone());
        }
    };
    let input = BufReader::new(from_follower);
    let ended = initiate::<R>(input, to_follower, &asking, &schedule, &mut tell);
    assert_eq!(ended.expect("both play"), Ended::Done);
    [seen, follower.join().expect("it plays")]
}

/// Both sides see the same games, with results that follow from the rules.
fn check_games<R: Rules>(change: impl Fn(&mut Terms)) {
    let [one, other] = games_over_pipes::<R>(change, 2);
    assert_eq!((one.len(), other.len()), (2, 2));
    for (game, same) in one.iter().zip(&other) {
        assert_eq!(game.game.moves(), same.game.moves());
        assert_eq!(game.own, same.own.opponent());
        assert_eq!(
            game.verdict, same.verdict,
            "{} {}",
            game.reason, same.reason
        );
        assert_eq!(game.times.len(), game.game.moves().len());
        let winner = match game.verdict {
            Verdict::Won(winner) => Some(winner),
            Verdict::Drawn => None,
            Verdict::Unfinished => panic!("{}", game.reason),
        };
        if game.reason == "resignation" {
            continue;
        }
        let mut replayed = Game::<R>::new();
        let endings = game.game.moves().iter().map(|&mv| {
            replayed.try_play(mv).expect("moves are legal");
            replayed.ending()
        });
        let first = endings.flatten().next().expect("it is over by a rule");
        assert_eq!(
            (first.winner, first.reason.name()),
            (winner, game.reason.as_str())
        );
    }
}

/// The time that each side has, 1.2 s for the game, is kept, also in long ones.
#[test]
fn the_engine_plays_itself() {
    for variant in [Variant::Russian, Variant::Pool, Variant::Brazilian] {
        with_rules!(variant, R => check_games::<R>(|_| ()));
    }
}

#[test]
fn the_engine_plays_itself_and_ponders() {
    with_rules!(Variant::RussianFmjd64, R => check_games::<R>(|terms| terms.options.ponder = true));
}

#[test]
fn the_engine_plays_itself_and_gives_up() {
    with_rules!(Variant::Russian, R => check_games::<R>(|terms| {
        terms.resigns = true;
        terms.options.tables = "none".to_owned();
    }));
}

/// Two programs over loopback; the games are written as PDN.
#[test]
fn programs_play_a_match() {
    let (listener, port) = Program::listen(&["--variant", "pool", "--once", "--book", "none"]);
    let pdn = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("dxp-{port}.pdn"));
    let args = format!(
        "connect 127.0.0.1:{port} --variant pool --games 4 --minutes 0.03 --openings fmjd-64 --threads 1 --hash 1 --pdn {}",
        pdn.display()
    );
    let program = Program::start(&args.split(' ').collect::<Vec<_>>());
    let (out, _) = program.leave();
    let (theirs, _) = listener.leave();
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines.len(), 5, "{out}");
    assert!(
        lines[4].starts_with("4 games: ") && lines[4].ends_with(" 0 unfinished"),
        "{out}"
    );
    assert_eq!(
        theirs.lines().collect::<Vec<_>>(),
        lines[..4],
        "both see the same"
    );
    let text = fs::read_to_string(&pdn).expect("it was written");
    assert_eq!(text.matches("[GameType \"23,B,8,8,N1,0\"]").count(), 4);
    fs::remove_file(pdn).expect("it is there");
}

/// A DXP engine in a match of the runner: the games are whole, and their results those of the rules.
#[test]
fn a_dxp_engine_in_a_match() {
    let (_listener, port) = Program::listen(&["--variant", "russian", "--move-time", "0.01"]);
    let args = format!(
        "match --engine dxp:127.0.0.1:{port} --engine self:hash=1,book=none,net=material --time-control move-time=30 \
         --time-control nodes=200 --games 4 --journal none --json --max-plies 120"
    );
    let run = Command::new(env!("CARGO_BIN_EXE_mainroad"))
        .args(args.split_whitespace())
        .output()
        .expect("the binary is there");
    let Output {
        status,
        stdout,
        stderr,
    } = run;
    let text = String::from_utf8(stdout).expect("output is UTF-8");
    assert!(
        status.success(),
        "{text} {}",
        String::from_utf8_lossy(&stderr)
    );
    let objects: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("it is JSON"))
        .collect();
    assert_eq!(objects.len(), 5, "{text}");
    for game in &objects[..4] {
        assert!(game["fault"].is_null(), "{game}");
        let plies = game["moves"].as_array().expect("a list").len();
        assert!(plies > 20, "{game}");
    }
}

/// What a DXP engine does to lose its game, and the reason that is given; one for each game.
const FAULTS: [(&str, &str); 6] = [
    ("E10", "resignation"),
    ("M0000010100", "illegal-move"),
    ("nonsense", "garbage"),
    ("E20", "garbage"),
    ("", "crash"),
    ("refusal", "start"),
];

/// Answers each request for a game by one of the faults, in turn, until nobody calls any more.
fn misbehave(listener: &TcpListener) {
    let mut faults = FAULTS.iter().map(|(fault, _)| *fault);
    for stream in listener.incoming() {
        let mut peer = Peer::new(stream.expect("it is open"));
        while let Some(message) = peer.hear() {
            if !message.starts_with('R') {
                // The answer to its own end of a game, or the end that the runner tells.
                continue;
            }
            match faults.next() {
                Some("") => break,
                Some("refusal") => peer.send(&format!("A{:32}2", "Test")),
                Some(fault) => {
                    peer.send(&format!("A{:32}0", "Test"));
                    peer.send(fault);
                }
                None => panic!("more games than expected"),
            }
        }
    }
}

/// Each fault loses one game, with its reason, and the match goes on.
#[test]
fn a_dxp_engine_that_misbehaves_in_a_match() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let address = listener.local_addr().expect("it has one");
    thread::spawn(move || misbehave(&listener));
    let args = format!(
        "match --engine dxp:{address} --engine self:hash=1,book=none --time-control nodes=100 --games 6 --journal none --json"
    );
    let run = Command::new(env!("CARGO_BIN_EXE_mainroad"))
        .args(args.split_whitespace())
        .output()
        .expect("the binary is there");
    let text = String::from_utf8(run.stdout).expect("output is UTF-8");
    let games: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("it is JSON"))
        .collect();
    assert_eq!(
        games.len(),
        FAULTS.len() + 1,
        "{text} {}",
        String::from_utf8_lossy(&run.stderr)
    );
    for (game, (fault, reason)) in games.iter().zip(FAULTS) {
        assert_eq!(game["reason"], *reason, "{fault}: {game}");
        let own = if game["white"] == "self" { "W" } else { "B" };
        assert_eq!(game["winner"], own, "{fault}: {game}");
    }
}

/// Whatever a connection brings, the next one is served.
#[test]
fn a_listener_outlives_its_callers() {
    let (mut program, port) = Program::listen(&["--variant", "russian"]);
    let megabyte = vec![b'M'; 1 << 20];
    let noise: Vec<u8> = {
        let mut rng = Rng(12);
        (0..100_000).map(|_| rng.below(256) as u8).collect()
    };
    // Nothing, a part of a message, garbage, a megabyte without an end.
    for bytes in [
        &b""[..],
        b"R01half a req",
        b"GET / HTTP/1.1\r\n\r\n",
        b"\0\0\0\0",
        &megabyte,
    ] {
        let mut peer = Peer::connect(port);
        peer.send_bytes(bytes);
        drop(peer);
    }
    // After that a conversation is possible, on the same connection too.
    let mut peer = Peer::connect(port);
    peer.send_bytes(&megabyte);
    peer.send("");
    peer.ask('W', USUAL);
    peer.expect("AMainroad*0");
    peer.expect("M0*");
    drop(peer);
    let mut peer = Peer::connect(port);
    // Random bytes may by chance be a message that is answered, so answers are read at the same time.
    let mut input = peer.stream.try_clone().expect("it is open");
    let reader = thread::spawn(move || std::io::copy(&mut input, &mut std::io::sink()));
    peer.send_bytes(&noise);
    peer.stream.shutdown(Shutdown::Both).expect("it is open");
    let _ = reader.join().expect("it reads");
    let mut peer = Peer::connect(port);
    peer.ask('Z', USUAL);
    peer.expect("AMainroad*0");
    peer.send("E01");
    peer.expect("E01");
    assert_eq!(peer.hear(), None);
    assert!(program.child.try_wait().expect("it can be asked").is_none());
}

/// A caller in the middle of somebody else's game is told so, and the game goes on.
#[test]
fn a_second_caller_is_refused() {
    let (_program, port) = Program::listen(&["--variant", "russian"]);
    let mut first = Peer::connect(port);
    first.ask('Z', USUAL);
    first.expect("A*0");
    for _ in 0..2 {
        let mut second = Peer::connect(port);
        second.ask('W', USUAL);
        second.expect("AMainroad*3");
        assert_eq!(second.hear(), None);
    }
    first.send("M0000221800");
    first.expect("M0*");
}

/// The program hears the other side while it thinks.
#[test]
fn a_search_is_interrupted() {
    let (_program, port) = Program::listen(&["--variant", "russian", "--book", "none"]);
    let mut peer = Peer::connect(port);
    // A quarter of an hour for a first move, or more.
    peer.ask('W', "999001BWzzzzzzzzzzzzeeeeeeeewwwwwwwwwwww");
    peer.expect("A*0");
    peer.send("CAre you there?");
    peer.send("B002W");
    peer.expect("K1");
    let asked = Instant::now();
    peer.send("E00");
    peer.expect("E00");
    assert!(
        asked.elapsed() < Duration::from_secs(2),
        "{:?}",
        asked.elapsed()
    );
    // And is ready for the next game.
    peer.ask('Z', USUAL);
    peer.expect("A*0");
}

/// The first move keeps its distance from the acceptance, and no two messages come in one piece.
#[test]
fn messages_keep_their_distance() {
    let (_program, port) = Program::listen(&["--variant", "russian"]);
    let mut peer = Peer::connect(port);
    peer.ask('W', USUAL);
    peer.expect("A*0");
    let accepted = Instant::now();
    peer.expect("M0*");
    assert!(
        accepted.elapsed() >= Duration::from_millis(80),
        "{:?}",
        accepted.elapsed()
    );
    // Two illegal moves in one piece are answered by two messages.
    peer.send_bytes(b"M0000010100\0M0000010100\0");
    peer.expect("Cerror: *");
    let answered = Instant::now();
    peer.expect("Cerror: *");
    assert!(
        answered.elapsed() >= Duration::from_millis(15),
        "{:?}",
        answered.elapsed()
    );
}

/// Whoever asks for games and gets none, or not all, is told so at once. What the other side says to the requests; no `A...0` means that
/// there is no game, and the connection stays open.
#[test]
fn an_initiator_without_games() {
    let accepts = format!("A{:32}0", "Tester");
    for (answers, part) in [
        (vec!["E01"], "wants no more games after 0 of 2"),
        (vec!["E21"], "wants no more games after 0 of 2"),
        (vec!["A"], "cannot be read: the answer's code is \"\""),
        (vec!["ATester                          7"], "code is \"7\""),
        (vec!["ATester                          3"], "no games"),
        (vec![&accepts, "E11"], "wants no more games after 1 of 2"),
        (
            vec![&accepts, "E10", "E01"],
            "wants no more games after 1 of 2",
        ),
    ] {
        let started = Instant::now();
        let (mut program, mut peer) = meet("connect --variant pool --games 2 --book none");
        peer.expect("R01*");
        for answer in &answers {
            peer.send(answer);
        }
        while peer.hear().is_some() {}
        let mut err = String::new();
        let _ = program.err.read_to_string(&mut err);
        let status = program.child.wait().expect("it leaves");
        assert_eq!(status.code(), Some(1), "{answers:?}: {err}");
        assert!(err.contains(part), "{answers:?}: {err}");
        assert!(started.elapsed() < PATIENCE, "{answers:?}");
    }
}

/// Errors are one line that says what, where and why.
#[test]
fn errors() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let port = listener.local_addr().expect("it has one").port();
    let closed = {
        let gone = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        gone.local_addr().expect("it has one").port()
    };
    for (args, code, part) in [
        (
            format!("listen --port {port}"),
            1,
            format!("cannot listen: 127.0.0.1 port {port}: "),
        ),
        (
            "listen --address nowhere.invalid".to_owned(),
            1,
            "cannot listen: nowhere.invalid port 27531: ".to_owned(),
        ),
        (
            "listen --port 0 --log /no/such/folder/log".to_owned(),
            1,
            "log: /no/such/folder/log: ".to_owned(),
        ),
        (
            format!("connect 127.0.0.1:{closed}"),
            1,
            format!("cannot connect: 127.0.0.1:{closed}: "),
        ),
        (
            "connect nowhere.invalid".to_owned(),
            1,
            "cannot connect: nowhere.invalid:27531: ".to_owned(),
        ),
        (
            "connect localhost --openings /no/file".to_owned(),
            1,
            "cannot read: /no/file: ".to_owned(),
        ),
        (
            "connect localhost:port".to_owned(),
            2,
            "expected HOST or HOST:PORT".to_owned(),
        ),
        (
            "connect localhost --minutes 0".to_owned(),
            2,
            "from 0.01 to 999".to_owned(),
        ),
        (
            "connect localhost --moves 1000".to_owned(),
            2,
            "0..=999".to_owned(),
        ),
        ("listen --port 70000".to_owned(), 2, "0..=65535".to_owned()),
        ("dance".to_owned(), 2, "dance".to_owned()),
        (String::new(), 2, "listen".to_owned()),
    ] {
        let run = Command::new(env!("CARGO_BIN_EXE_mainroad"))
            .arg("dxp")
            .args(args.split_whitespace())
            .stdin(Stdio::null())
            .output()
            .expect("the binary is there");
        let err = String::from_utf8_lossy(&run.stderr);
        assert_eq!(run.status.code(), Some(code), "{args}: {err}");
        assert!(err.contains(&part), "{args}: {err}");
        assert!(code == 2 || err.lines().count() == 1, "{args}: {err}");
    }
}
