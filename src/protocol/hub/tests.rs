//! Tables of lines and what they mean, the quirks of clients among them, and random lines.

use super::lexer::{Argument, Arguments, SyntaxError, Value};
use super::message::{Command, CommandError, GoMode, Info, Level, ParamKind, Reply, Seconds};
use std::panic::catch_unwind;
use std::time::Duration;

#[track_caller]
fn read(line: &str) -> Command {
    let command = line.parse();
    command.unwrap_or_else(|error| panic!("{line:?}: {error}"))
}

/// Checks what a line means, and that its meaning survives being written.
#[track_caller]
fn check(line: &str, expected: &Command) {
    assert_eq!(read(line), *expected, "{line:?}");
    assert_eq!(read(&expected.to_string()), *expected, "{expected}");
}

#[track_caller]
fn check_error(line: &str, expected: CommandError) {
    assert_eq!(line.parse::<Command>(), Err(expected), "{line:?}");
    let text = expected.to_string();
    assert!(!text.contains(['"', '=', '\n']), "{text}");
    assert_eq!(text, text.to_lowercase());
    assert!(text.len() < 60, "{text}");
}

/// Checks what a line means by the line that the same meaning is written as.
#[track_caller]
fn check_canonical(line: &str, expected: &str) {
    let command = read(line);
    assert_eq!(command.to_string(), expected, "{line:?}");
    assert_eq!(read(expected), command, "{line:?}");
}

/// Checks how a reply is written, and that it reads the same.
#[track_caller]
fn check_reply(reply: &Reply, expected: &str) {
    assert_eq!(reply.to_string(), expected);
    assert_eq!(expected.parse(), Ok(reply.clone()), "{expected}");
}

#[track_caller]
fn reply(line: &str) -> Reply {
    let Ok(reply) = line.parse();
    reply
}

#[track_caller]
fn level(line: &str) -> Level {
    match read(line) {
        Command::Level(level) => level,
        other => panic!("{line:?} is {other:?}"),
    }
}

fn set_param(name: &str, value: &str) -> Command {
    let (name, value) = (name.to_owned(), value.to_owned());
    Command::SetParam { name, value }
}

fn pos(start: bool, position: Option<&str>, moves: &[&str]) -> Command {
    let position = position.map(str::to_owned);
    let moves = strings(moves);
    Command::Pos {
        start,
        position,
        moves,
    }
}

fn strings(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

fn syntax(command: &'static str, fault: SyntaxError) -> CommandError {
    CommandError::Syntax { command, fault }
}

#[test]
fn commands_without_arguments() {
    let table = [
        ("hub", Command::Hub),
        ("init", Command::Init),
        ("new-game", Command::NewGame),
        ("ping", Command::Ping),
        ("stop", Command::Stop),
        ("ponder-hit", Command::PonderHit),
        ("quit", Command::Quit),
        ("", Command::Empty),
    ];
    for (line, expected) in table {
        assert_eq!(expected.to_string(), line);
        check(line, &expected);
        check(&format!(" \t{line} "), &expected);
        check(&format!("{line}\r"), &expected); // the Hub GUI on Windows
        check(&format!("{line}\0\x1b"), &expected);
        check(&format!("\u{feff}{line}"), &expected); // PowerShell, at the start of its output
    }
    for line in ["stop now", "stop=1", "stop =", "stop \"", "stop\" a"] {
        check(line, &Command::Stop);
    }
}

#[test]
fn unknown_commands_are_no_errors() {
    // UCI and text-mode habits, lines that Scan dies of, and a word that is not English.
    let table = [
        ("uci", "uci"),
        ("position startpos moves a3b4", "position"),
        ("Hub", "Hub"),
        ("hubs", "hubs"),
        ("=", "="),
        ("= pos", "="),
        ("=5 x", "=5"),
        ("\"pos\" pos=W", "\"pos\""),
        ("\"unclosed", "\"unclosed"),
        ("foo=bar", "foo"),
        ("foo \"unclosed", "foo"),
        ("шашки on", "шашки"),
    ];
    for (line, word) in table {
        check(line, &Command::Unknown(word.to_owned()));
    }
}

#[test]
fn parameters() {
    let table = [
        ("name=hash value=2", "hash", "2"),
        ("value=2 name=hash", "hash", "2"),
        (" name = hash\tvalue= 2\r", "hash", "2"),
        (r#"name="hash" value="2""#, "hash", "2"),
        ("name=hash value=1 value=2", "hash", "2"),
        ("name=hash value=/a b/c", "hash", "/a"), // the rest is a flag
        (r#"name=log value="""#, "log", ""),
        ("name=log value", "log", ""),
        ("name=log", "log", ""),
        (r#"name=log value="/a b/c=d""#, "log", "/a b/c=d"),
        (r#"name=log value=" a ""#, "log", " a "),
        (r#"name=log value="é"type=string"#, "log", "é"),
        ("name=initial-time value=60.0", "initial-time", "60.0"), // lidraughts-bot
    ];
    for (arguments, name, value) in table {
        check(&format!("set-param {arguments}"), &set_param(name, value));
    }
    for arguments in ["", "value=2", "name value=2", r#"name="" value=2"#] {
        let line = format!("set-param {arguments}");
        check_error(&line, CommandError::NamelessParam);
    }
}

#[test]
fn positions() {
    let table = [
        ("pos", pos(false, None, &[])), // Scan takes it for the start
        ("pos start", pos(true, None, &[])),
        ("pos pos=W moves=05-10", pos(false, Some("W"), &["05-10"])), // lidraughts pads
        ("pos pos=W moves=\"\"", pos(false, Some("W"), &[])),
        ("pos pos=W moves", pos(false, Some("W"), &[])),
        ("pos pos=\"\"", pos(false, Some(""), &[])), // a bad position, but not a bad line
        ("pos pos", pos(false, Some(""), &[])),
        ("pos x1=5 pos=W", pos(false, Some("W"), &[])),
        ("pos pos=B pos=W", pos(false, Some("W"), &[])),
        ("pos fen=\"W:Wa1\" x pos=W", pos(false, Some("W"), &[])),
    ];
    for (line, expected) in table {
        check(line, &expected);
    }
    let line = "pos moves=\" 22-17\t10-14  17x10x14\" pos=W start";
    let moves = ["22-17", "10-14", "17x10x14"];
    check(line, &pos(true, Some("W"), &moves));
    // pydraughts quotes moves even if there is only one.
    let start = "Wbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww";
    let line = format!("pos pos={start} moves=\"9-13\"");
    check(&line, &pos(false, Some(start), &["9-13"]));
    // Taking the first move and ignoring the others would search another position.
    check_error("pos start moves=9-13 21-17", CommandError::UnquotedMoves);
    check_error("pos start moves=c3-d4 b6:d4", CommandError::UnquotedMoves);
}

#[test]
fn limits() {
    let table = [
        ("", ""),
        (" depth=20", " depth=20"),
        (" depth = \" 20\"", " depth=20"),
        (" depth=20 depth=21", " depth=21"),
        (" depth=20.9", " depth=20"),
        (" depth=-3", " depth=0"),
        (" depth=99999999999", " depth=4294967295"),
        (" nodes=18446744073709551615", " nodes=18446744073709551615"),
        (
            " nodes=184467440737095516160",
            " nodes=18446744073709551615",
        ),
        (" nodes=9007199254740993", " nodes=9007199254740993"), // no detour through f64
        (" nodes=3.5e6", " nodes=3500000"),
        (" move-time=0.05", " move-time=0.050"),
        (" move-time=.5", " move-time=0.500"),
        (" move-time=5.", " move-time=5.000"),
        (" move-time=1e-1", " move-time=0.100"),
        (" move-time=1e", " move-time=1.000"),
        (" move-time=1e+x", " move-time=1.000"),
        (" move-time=+1", " move-time=1.000"),
        (" move-time=0.30000000000000004", " move-time=0.300"), // Python's floats
        (" time=1e400", " time=1000000000.000"),
        (" time=inf", " time=1000000000.000"),
        (" time=-1e99", " time=-1000000000.000"),
        (" time=-Infinity", " time=-1000000000.000"),
        (" time=-0.0001", " time=0.000"),
        (" time=179,532", " time=179.532"), // the Hub GUI in Dutch
        (" time=6.95 inc=0.05", " time=6.950 inc=0.050"), // lidraughts-bot
        (" time=-0.25 inc=0.5", " time=-0.250 inc=0.500"), // pydraughts takes inc off
        (" moves=74 time=171.250", " moves=74 time=171.250"), // the Hub GUI
        (" handicap=3", ""),                // draughtsnet
        (" ply=4 handicap", ""),            // draughtsnet
        (" infinite", " infinite"),         // lidraughts
        (" ponder infinite=x", " infinite ponder"),
        (" depth=20level move-time=5", " depth=20 move-time=5.000"), // a wrapper's lost blank
    ];
    for (arguments, expected) in table {
        check_canonical(&format!("level{arguments}"), &format!("level{expected}"));
    }
}

#[test]
fn limits_are_kept_apart() {
    let seconds = |millis| Some(Seconds::from_millis(millis));
    let expected = Level {
        depth: Some(1),
        nodes: Some(2),
        move_time: seconds(3),
        time: seconds(-4),
        inc: seconds(5),
        moves: Some(6),
        infinite: true,
        ponder: false,
    };
    let line = "level depth=1 nodes=2 move-time=0.003 time=-0.004 inc=.005 moves=6 infinite";
    check(line, &Command::Level(expected));
    let ponder = true;
    let expected = Level {
        ponder,
        ..Level::default()
    };
    check("level ponder", &Command::Level(expected));
}

#[test]
fn values_that_are_no_numbers_are_errors() {
    let table = [
        ("level depth=abc", "depth"),
        ("level depth", "depth"),
        ("level depth=\"\"", "depth"),
        ("level depth=5 nodes=-", "nodes"),
        ("level moves=x5", "moves"),
        ("level time=nan", "time"),
        ("level time=.", "time"),
        ("level time=,e5", "time"),
        ("level inc=-x", "inc"),
        ("level move-time=ın", "move-time"), // not cut inside the first letter
    ];
    for (line, argument) in table {
        check_error(line, CommandError::NotANumber { argument });
    }
}

#[test]
fn level_lines_accumulate() {
    // draughtsnet sends a line for each limit.
    let mut sum = level("level ply=4");
    sum.merge(level("level nodes=50 infinite"));
    sum.merge(level("level depth=5"));
    sum.merge(level("level depth=6 ponder"));
    assert_eq!(sum, level("level depth=6 nodes=50 infinite ponder"));

    let all = "level depth=1 nodes=2 move-time=3 moves=4 time=-5 inc=6 infinite ponder";
    sum.merge(level(all));
    assert_eq!(sum, level(all));
    sum.merge(Level::default());
    assert_eq!(sum, level(all));
}

#[test]
fn search_modes() {
    let table = [
        ("go", GoMode::Think),
        ("go think", GoMode::Think),
        ("go ponder", GoMode::Ponder),
        ("go analyze\r", GoMode::Analyze),
        ("go fast analyze depth=3", GoMode::Analyze),
    ];
    for (line, mode) in table {
        check(line, &Command::Go(mode));
    }
}

#[test]
fn lines_that_break_the_grammar_are_errors() {
    let table = [
        ("pos pos=", "pos", SyntaxError::NoValue),
        ("pos pos=\r", "pos", SyntaxError::NoValue),
        ("pos pos==", "pos", SyntaxError::NoValue),
        ("pos =W", "pos", SyntaxError::NoName),
        ("pos=W", "pos", SyntaxError::NoName),
        ("pos \"W\"", "pos", SyntaxError::NoName),
        ("pos pos=W\"e\"", "pos", SyntaxError::NoName),
        ("pos pos= moves=\"9-13\"", "pos", SyntaxError::NoName), // `moves` is the value
        ("pos pos=W moves=\"9-13", "pos", SyntaxError::UnclosedQuote),
        ("pos pos=W moves=\"", "pos", SyntaxError::UnclosedQuote),
        ("level infinite= inc=5", "level", SyntaxError::NoName),
        ("level handicap=", "level", SyntaxError::NoValue),
        ("go =", "go", SyntaxError::NoName),
    ];
    for (line, command, fault) in table {
        check_error(line, syntax(command, fault));
    }
    // pydraughts, of an empty value.
    let error = syntax("set-param", SyntaxError::NoValue);
    check_error("set-param name=log value=", error);

    let message = syntax("pos", SyntaxError::NoValue).to_string();
    let expected = "error message=\"pos: an argument has no value\"";
    assert_eq!(Reply::Error(message).to_string(), expected);
}

#[test]
fn commands_are_written_as_clients_write_them() {
    let lines = [
        "set-param name=book value=false",
        "set-param name=log value=\"\"",
        "pos pos=W moves=\"9-13 21-17\"",
        "pos start moves=9-13",
        "level moves=75 time=180.000 inc=1.000",
        "go think",
        "go ponder",
        "go analyze",
    ];
    for line in lines {
        check_canonical(line, line);
    }
}

#[test]
fn values_are_quoted_only_if_they_must_be() {
    let table = [
        ("", "\"\""),
        ("a", "a"),
        ("21-17", "21-17"), // draughtsnet: quoted, this raises an IndexError
        ("a b", "\"a b\""),
        ("a=b", "\"a=b\""),
        ("a\u{a0}b", "\"a\u{a0}b\""), // Python's split takes this for a blank
        ("a\nb\r", "\"a b \""),
        ("say \"hi\"", "\"say 'hi'\""),
        ("\"", "'"),
        ("\u{7f}", "\" \""),
        ("дамка", "дамка"),
    ];
    for (value, expected) in table {
        assert_eq!(Value(value).to_string(), expected, "{value:?}");
    }
}

#[test]
fn times() {
    let table = [
        (0, "0.000", 0),
        (5, "0.005", 5),
        (-5, "-0.005", 0),
        (-1_250, "-1.250", 0),
        (171_250, "171.250", 171_250),
        (i64::MAX, "1000000000.000", 1_000_000_000_000),
        (i64::MIN, "-1000000000.000", 0),
    ];
    for (count, text, passing) in table {
        let time = Seconds::from_millis(count);
        assert_eq!(time.to_string(), text);
        assert_eq!(time.to_duration(), Duration::from_millis(passing));
    }
    let sum = Seconds::from_millis(-300) + Seconds::from_millis(500);
    assert_eq!(sum.as_millis(), 200);
    assert_eq!(Seconds::MAX + Seconds::MAX, Seconds::MAX);
    assert_eq!(Seconds::from(Duration::from_micros(1_999)).as_millis(), 1);
    assert_eq!(Seconds::from(Duration::MAX), Seconds::MAX);
}

#[test]
fn handshake() {
    let id = |version: &str, author: &str| Reply::Id {
        name: "Mainroad".to_owned(),
        version: version.to_owned(),
        author: author.to_owned(),
    };
    let line = "id name=Mainroad version=0.1.0 author=\"Mainroad developers\"";
    check_reply(&id("0.1.0", "Mainroad developers"), line);
    check_reply(&id("", "me"), "id name=Mainroad author=me");
    check_reply(&id("", ""), "id name=Mainroad"); // draughtsnet dies of author=""
    check_reply(&Reply::Wait, "wait");
    check_reply(&Reply::Ready, "ready");
    check_reply(&Reply::Pong, "pong");

    let init = |text: &str| Reply::Init(text.to_owned());
    check_reply(&init(""), "init");
    check_reply(&init("5 = \"all\""), "init 5 = \"all\"");
    assert_eq!(init("a\nb").to_string(), "init a b");
}

#[test]
fn declarations_of_parameters() {
    let variants = ParamKind::Enum(strings(&["russian", "pool"]));
    let one = ParamKind::Enum(strings(&["hub"]));
    let int = |min, max| ParamKind::Int { min, max };
    let real = |min, max| ParamKind::Real { min, max };
    let table = [
        (variants, "type=enum values=\"russian pool\""), // draughtsnet: the values last
        (one, "type=enum values=hub"),
        (ParamKind::Bool, "type=bool"),
        (int(1, 1_048_576), "type=int min=1 max=1048576"),
        (int(-100, 100), "type=int min=-100 max=100"),
        (real(-0.5, 1e9), "type=real min=-0.5 max=1000000000"),
        (real(0.0, f64::INFINITY), "type=real min=0"),
        (real(f64::NEG_INFINITY, 0.0), "type=real max=0"),
        (ParamKind::String, "type=string"),
    ];
    let param = |value: &str, kind| Reply::Param {
        name: "variant".to_owned(), // draughtsnet: the name first
        value: value.to_owned(),
        kind,
    };
    for (kind, expected) in table {
        let line = format!("param name=variant value=hub {expected}");
        check_reply(&param("hub", kind), &line);
    }
    let empty = param("", ParamKind::String);
    check_reply(&empty, "param name=variant value=\"\" type=string");
    assert_eq!(reply("param type=text name=variant value"), empty);
    let wide = param("5", int(i64::MIN, i64::MAX));
    assert_eq!(reply("param name=variant type=int value=5 min=x"), wide);
}

/// The example of the protocol notes.
fn info() -> Info {
    Info {
        depth: 17,
        mean_depth: 16.3,
        score_centimen: Some(12),
        nodes: 9_204_117,
        time: Seconds::from_millis(1_021),
        nps_millions: 9.0,
        pv: strings(&["22-18", "11-15", "18x11x15"]),
        ..Info::default()
    }
}

/// A report of nothing but a score.
fn score(centimen: i32) -> Info {
    Info {
        score_centimen: Some(centimen),
        ..Info::default()
    }
}

#[test]
fn reports_have_the_order_and_format_that_clients_match() {
    let check = |info: Info, expected: &str| check_reply(&Reply::Info(info), expected);
    // The client of lidraughts has a regular expression for exactly this.
    let head = "info depth=17 mean-depth=16.3 score=0.12 nodes=9204117 time=1.021 nps=9.0";
    check(info(), &format!("{head} pv=\"22-18 11-15 18x11x15\""));
    let pv = strings(&["22-18"]);
    check(Info { pv, ..info() }, &format!("{head} pv=22-18"));
    let pv = Vec::new();
    check(Info { pv, ..info() }, head);

    let extra = Info {
        source: Some("book".to_owned()),
        line: Some(2),
        ..info()
    };
    let pv = "pv=\"22-18 11-15 18x11x15\"";
    check(extra, &format!("{head} {pv} source=book line=2"));
    let zero = "info depth=0 mean-depth=0 score=0.00 nodes=0 time=0.000 nps=0";
    check(score(0), zero); // draughtsnet needs a score, even for a forced move
}

#[test]
fn scores() {
    let table = [
        (0, "0.00"),
        (1, "0.01"),
        (-1, "-0.01"),
        (29, "0.29"), // 28.999… in binary
        (-100, "-1.00"),
        (150, "1.50"),
        (9_983, "99.83"),
        (-9_983, "-99.83"),
        (i32::MAX, "21474836.47"),
        (i32::MIN, "-21474836.48"),
    ];
    for (centimen, text) in table {
        let expected = Reply::Info(score(centimen));
        let line = expected.to_string();
        assert!(line.contains(&format!(" score={text} ")), "{line}");
        assert_eq!(reply(&line), expected);
    }
}

#[test]
fn reports_have_plain_numbers_only() {
    let table = [
        (f64::NAN, "0"),
        (f64::INFINITY, "100000000.0"),
        (f64::NEG_INFINITY, "0"),
        (-0.0, "0"),
        (-0.04, "0"),
        (1e300, "100000000.0"),
        (1e-300, "0"),
        (0.96, "1.0"),
    ];
    for (number, text) in table {
        let info = Info {
            mean_depth: number,
            nps_millions: number,
            ..info()
        };
        let line = Reply::Info(info).to_string();
        assert!(line.contains(&format!(" mean-depth={text} ")), "{line}");
        assert!(line.contains(&format!(" nps={text} ")), "{line}");
    }
}

#[test]
fn reports_of_other_engines() {
    // Scan 3.1, as its protocol text shows it.
    let scan = "info depth=21 mean-depth=20.8 score=-0.01 nodes=31261613 time=3.906 nps=8.0 \
                pv=\"32-28 17-22\"\r";
    let expected = Info {
        depth: 21,
        mean_depth: 20.8,
        score_centimen: Some(-1),
        nodes: 31_261_613,
        time: Seconds::from_millis(3_906),
        nps_millions: 8.0,
        pv: strings(&["32-28", "17-22"]),
        ..Info::default()
    };
    assert_eq!(reply(scan), Reply::Info(expected));

    let forced = Info {
        pv: strings(&["32-28"]),
        ..Info::default()
    };
    let forced = Reply::Info(forced);
    assert_eq!(reply("info pv=32-28"), forced); // no score is not a score of zero
    assert_eq!(reply("info pv=\"32-28\" depth=? string"), forced);
    assert_eq!(reply("info pv=32-28 x=\"y"), forced);
    let scored = Reply::Info(score(-1_999));
    assert_eq!(reply("info score=-19.9900001"), scored);
    assert_eq!(reply("info"), Reply::Info(Info::default()));
}

#[test]
fn ends_of_searches() {
    let done = |mv: Option<&str>, ponder: Option<&str>| Reply::Done {
        mv: mv.map(str::to_owned),
        ponder: ponder.map(str::to_owned),
    };
    check_reply(&done(None, None), "done"); // draughtsnet asks in terminal positions
    check_reply(&done(Some("22-18"), None), "done move=22-18");
    let both = done(Some("22-18"), Some("13x22x18"));
    check_reply(&both, "done move=22-18 ponder=13x22x18"); // pydraughts: the move first
    let swapped = "done ponder=13x22x18 move=\"22-18\" x";
    assert_eq!(reply(swapped), both);
    assert_eq!(done(None, Some("22-18")).to_string(), "done");
    for arguments in ["move", "move=", "move=\"\"", "\"", "=a"] {
        assert_eq!(reply(&format!("done {arguments}")), done(None, None));
    }
}

#[test]
fn errors_stay_on_one_line() {
    let error = |text: &str| Reply::Error(text.to_owned());
    check_reply(&error("bad position"), "error message=\"bad position\"");
    check_reply(&error("a=b"), "error message=\"a=b\"");
    check_reply(&error(""), "error message=\"\"");
    let dirty = error("no \"x\"\r\nin\t\u{1b}here\0").to_string();
    assert_eq!(dirty, "error message=\"no 'x'  in  here \"");
    assert_eq!(reply("error bad move\r"), error("bad move"));
    assert_eq!(reply("error message=\"bad"), error("message=\"bad"));
    assert_eq!(reply("error"), error(""));
}

#[test]
fn unknown_replies_keep_their_line() {
    for line in ["", "Scan 3.1", "hub", "x=y", "=", "\"wait\"", "waiting"] {
        check_reply(&Reply::Unknown(line.to_owned()), line);
    }
    assert_eq!(reply(" # 5\r"), Reply::Unknown("# 5".to_owned()));
}

/// A generator of random numbers for the tests: `SplitMix64`.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ z >> 31) % bound as u64) as usize
    }

    fn pick<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len())]
    }

    fn bytes(&mut self) -> String {
        let size = self.below(60);
        let bytes: Vec<u8> = (0..size).map(|_| self.below(256) as u8).collect();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Returns a line of pieces that mean something to one of the readers.
    fn line(&mut self) -> String {
        const COMMANDS: &str = "hub set-param pos level go id param info done error";
        const PIECES: &str = "name~value~start~pos~moves~depth~time~move-time~type~int~real~\
            enum~min~values~score~pv~move~ponder~message~1~22-17~.5~-1e9~inf~,~é~\t~\0~\r~\
            =~=~=~=~=~\"~\"~\"~ ~ ~ ~ ~ ~ ";
        let commands: Vec<&str> = COMMANDS.split(' ').collect();
        let pieces: Vec<&str> = PIECES.split('~').collect();
        let mut line = self.pick(&commands).to_owned();
        for _ in 0..self.below(24) {
            line.push_str(self.pick(&pieces));
        }
        line
    }
}

/// Checks that a line is read without panic, written on one line, and then survives unchanged.
fn check_survival(line: &str) {
    if let Ok(command) = line.parse::<Command>() {
        let written = command.to_string();
        assert!(!written.contains(char::is_control));
        let again = read(&written);
        assert_eq!(again.to_string(), written);
        assert!(again == command || line.contains(char::is_control));
    }
    let written = reply(line).to_string();
    assert!(!written.contains(char::is_control));
    assert_eq!(reply(&written).to_string(), written);
}

#[test]
fn random_lines_never_panic() {
    for seed in 0..40_000 {
        let mut random = Random(seed);
        for line in [random.bytes(), random.line()] {
            let outcome = catch_unwind(|| check_survival(&line));
            assert!(outcome.is_ok(), "seed {seed}: {line:?}");
        }
    }
}

#[test]
fn random_commands_survive_being_written() {
    const TEXTS: [&str; 8] = ["", "a", "a b", "=", " ", "x=y z", "é", "9-13"];
    for seed in 0..2_000 {
        let mut random = Random(seed);
        let mut number = |bound| (random.below(2) == 0).then(|| random.below(bound));
        let seconds = |n: usize| Seconds::from_millis(n as i64 - 10_000);
        let level = Level {
            depth: number(100).map(|n| n as u32),
            nodes: number(usize::MAX).map(|n| n as u64),
            move_time: number(1_000_000).map(seconds),
            time: number(20_000).map(seconds),
            inc: number(20_000).map(seconds),
            moves: number(100).map(|n| n as u32),
            infinite: number(1).is_some(),
            ponder: number(1).is_some(),
        };
        let (start, position) = (number(1).is_some(), number(8).map(|n| TEXTS[n]));
        let moves = &["22-17"; 3][..random.below(4)];
        let (name, value) = (random.pick(&TEXTS[1..]), random.pick(&TEXTS));
        let (pos, param) = (pos(start, position, moves), set_param(name, value));
        for command in [Command::Level(level), pos, param] {
            assert_eq!(read(&command.to_string()), command, "seed {seed}");
        }
    }
}

/// Lines of a megabyte, with the number of arguments that they have or what is wrong with them.
///
/// Were anything quadratic, this test would not end.
#[test]
fn long_lines() {
    let long = |piece: &str| piece.repeat((1 << 20) / piece.len());
    let table = [
        (long("a"), Ok(1)),
        (long("a "), Ok(1 << 19)),
        (long(" "), Ok(0)),
        (long("a=b "), Ok(1 << 18)),
        (long("a = \"\""), Ok((1 << 20) / 6)),
        (format!("a{}=b", long(" ")), Ok(1)),
        (format!("depth={}", long("9")), Ok(1)),
        (format!("time=1e{}", long("9")), Ok(1)),
        (format!("moves=\"{}\"", long("22-17 ")), Ok(1)),
        (
            format!("pv=\"{}", long("b ")),
            Err(SyntaxError::UnclosedQuote),
        ),
        (long("="), Err(SyntaxError::NoName)),
        (long("a="), Err(SyntaxError::NoName)),
        (long("\""), Err(SyntaxError::NoName)),
    ];
    for (text, expected) in table {
        let arguments: Result<Vec<Argument>, SyntaxError> = Arguments::new(&text).collect();
        assert_eq!(arguments.map(|a| a.len()), expected, "{:?}", text.get(..20));
        for command in ["", "pos", "level", "set-param", "param", "info", "error"] {
            check_survival(&format!("{command} {text}"));
        }
    }
}

/// What makes reading linear: no text is copied, and each part lies behind the one before.
#[test]
fn arguments_are_parts_of_the_line_in_order() {
    for seed in 0..2_000 {
        let line = Random(seed).line();
        let mut end = line.as_ptr().addr();
        for argument in Arguments::new(&line).map_while(Result::ok) {
            for part in [Some(argument.name), argument.value].into_iter().flatten() {
                let start = part.as_ptr().addr();
                assert!(start >= end, "seed {seed}: {line:?}");
                end = start + part.len();
            }
        }
        assert!(end <= line.as_ptr().addr() + line.len(), "seed {seed}");
    }
}

#[test]
fn reading_ends_at_the_first_error() {
    let mut arguments = Arguments::new("a=1 =2 b=3");
    let (name, value) = ("a", Some("1"));
    assert_eq!(arguments.next(), Some(Ok(Argument { name, value })));
    assert_eq!(arguments.next(), Some(Err(SyntaxError::NoName)));
    assert_eq!(arguments.next(), None);
}
