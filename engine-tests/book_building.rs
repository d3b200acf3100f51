//! Books that are built, kept and checked: the same for any number of threads and after any end, consistent, and never without what people said.

use crate::support::Rng;
use mainroad::board::{Key, Position};
use mainroad::book::{Basis, Book, Entry, Games, key_of, parse_line, progress_of, write_line};
use mainroad::egdb::Tables;
use mainroad::eval::Evaluation;
use mainroad::notation::{fen, pdn};
use mainroad::rules::{Brazilian, Game, Movement, Pool, Rules, Russian};
use mainroad::search::Team;
use mainroad::tools::book_building::check::{Leaves, structure};
use mainroad::tools::book_building::games::{Collection, Gained};
use mainroad::tools::book_building::{Build, Plan, Recipe, Watcher, ballots, export};
use mainroad::tools::stop::Stop;
use std::collections::HashMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

fn recipe<R: Rules>(nodes: u64) -> Recipe<R> {
    Recipe {
        nodes,
        depth: None,
        evaluation: Evaluation::Material,
        tables: Arc::new(Tables::embedded().expect("they are in the program")),
    }
}

fn plan(positions: usize, ballots: &[Position]) -> Plan {
    Plan {
        positions,
        seed: 1,
        ballots: ballots.to_vec(),
    }
}

/// Keeps what was searched, up to a limit, as a journal does.
struct Kept<'a> {
    entries: HashMap<Key, Entry>,
    limit: usize,
    stop: &'a Stop,
}

impl Watcher for Kept<'_> {
    fn keep(&mut self, searched: &[Entry]) -> ControlFlow<()> {
        for entry in searched {
            self.entries.insert(key_of(&entry.pos), entry.clone());
        }
        if self.entries.len() >= self.limit {
            self.stop.give();
        }
        ControlFlow::Continue(())
    }

    fn grown(&mut self, _: usize) {}
}

/// Builds with some threads; ends when so many positions are searched. Returns the book and the searches.
fn build_until<R: Rules>(
    plan: &Plan,
    told: &Book,
    threads: usize,
    known: &HashMap<Key, Entry>,
    limit: usize,
) -> (Option<Book>, HashMap<Key, Entry>) {
    let stop = Stop::new();
    let mut kept = Kept {
        entries: known.clone(),
        limit,
        stop: &stop,
    };
    let build = Build {
        plan,
        recipe: &recipe::<R>(150),
        team: &Team::new(threads).expect("threads can be had"),
        told,
        stop: &stop,
    };
    let book = build.run(known.clone(), &mut kept).expect("there is room");
    (book, kept.entries)
}

fn build<R: Rules>(plan: &Plan, told: &Book) -> Book {
    let (book, _) = build_until::<R>(plan, told, 2, &HashMap::new(), usize::MAX);
    book.expect("nothing ends it")
}

#[track_caller]
fn parsed<R: Rules>(lines: &str) -> Book {
    let text = format!("mainroad-book 1 {}\n{lines}\n", R::Movement::NAME);
    Book::parse::<R>(&text, "test").unwrap_or_else(|error| panic!("{error}"))
}

#[track_caller]
fn position(text: &str) -> Position {
    fen::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The same bytes for any number of threads, for a build that was ended early and went on, and for one that grew from a smaller one.
#[test]
fn building_is_repeatable() {
    fn check<R: Rules>() {
        let ballots = &ballots::positions::<R>()[..20];
        let (wanted, told) = (plan(200, ballots), Book::default());
        let whole = build::<R>(&wanted, &told).write::<R>();
        let mut known = HashMap::new();
        for (threads, limit) in [(1, 50), (3, 120), (2, 160)] {
            let (book, kept) = build_until::<R>(&wanted, &told, threads, &known, limit);
            assert!(book.is_none(), "it is ended early");
            assert!(kept.len() >= limit && kept.len() > known.len());
            known = kept;
        }
        let (book, _) = build_until::<R>(&wanted, &told, 3, &known, usize::MAX);
        assert_eq!(book.expect("it is complete").write::<R>(), whole);
        let (book, grown) = build_until::<R>(&plan(60, ballots), &told, 1, &known, usize::MAX);
        assert_eq!(book.expect("it is complete").len(), 60);
        assert_eq!(grown.len(), known.len(), "nothing is searched again");
    }
    check::<Russian>();
    check::<Pool>();
}

/// Another seed takes others of the leaves that cost the same.
#[test]
fn seeds_differ() {
    let other = Plan {
        seed: 2,
        ..plan(60, &[])
    };
    let told = Book::default();
    let texts =
        [plan(60, &[]), other].map(|plan| build::<Russian>(&plan, &told).write::<Russian>());
    assert_ne!(texts[0], texts[1]);
}

/// What was built has no faults: every score follows from those behind it, everything can be reached, leaves are as they were searched.
#[test]
fn what_is_built_is_consistent() {
    fn check<R: Rules>() {
        let ballots = ballots::positions::<R>();
        let book = build::<R>(&plan(300, &ballots[..40]), &Book::default());
        assert_eq!(book.len(), 300);
        assert_eq!(structure::<R>(&book, &ballots), [""; 0]);
        let again = Book::parse::<R>(&book.write::<R>(), "again");
        let again = again.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(again.write::<R>(), book.write::<R>());
        let recipe = recipe::<R>(150);
        let leaves = Leaves {
            recipe: &recipe,
            team: &Team::new(2).expect("threads can be had"),
            count: usize::MAX,
            seed: 1,
            tolerance: 0,
        };
        let (searched, faults) = leaves.search(&book).expect("there is room");
        assert!(searched >= 100, "{searched}");
        assert_eq!(faults, [""; 0]);
    }
    check::<Russian>();
    check::<Pool>();
    check::<Brazilian>();
}

/// Every ballot is looked into before one of them is followed, and the table has a verdict on each.
#[test]
fn every_ballot_is_covered_first() {
    let positions = ballots::positions::<Russian>();
    assert!(positions.len() > 800, "{}", positions.len());
    let book = build::<Russian>(&plan(positions.len() + 1, &positions), &Book::default());
    let summary = ballots::summary::<Russian>(&book);
    assert_eq!(
        (summary.ballots, summary.covered),
        (positions.len(), positions.len())
    );
    let table = ballots::table::<Russian>(&book);
    let rows = table.lines().filter(|line| line.starts_with("| ")).count();
    // Two lines of a head, and all rows, those with faults too; of two tables.
    assert_eq!(rows, 2 * 2 + 736 + 150);
    assert_eq!(table.matches("not in the book").count(), 0);
    let faulty: Vec<&str> = table
        .lines()
        .filter(|line| line.contains("the moves do not lead to the position"))
        .filter_map(|line| line.split_whitespace().nth(1))
        .collect();
    assert_eq!(faulty, ["45-IX", "2-IV"]);
}

/// Moves of men and captures always lead further along, so books have no cycles.
#[test]
fn games_without_kings_go_forward() {
    fn check<R: Rules>() {
        let mut rng = Rng(5);
        let mut checked = 0;
        for _ in 0..200 {
            let mut game = Game::<R>::new();
            while game.ending().is_none() && game.position().all_kings().is_empty() {
                let before = progress_of(game.position());
                game.play(*rng.pick(&game.legal_moves()));
                assert_eq!(
                    progress_of(game.position()),
                    progress_of(&game.position().flipped())
                );
                if game.position().all_kings().is_empty() {
                    assert!(progress_of(game.position()) > before);
                    checked += 1;
                }
            }
        }
        assert!(checked > 4000, "{checked}");
    }
    check::<Russian>();
    check::<Pool>();
    check::<Brazilian>();
}

/// Faults that are planted in a book are found, each with its position.
#[test]
fn planted_faults_are_found() {
    #[track_caller]
    fn check(lines: &str, expected: &str) {
        let book = parsed::<Russian>(lines);
        let faults = structure::<Russian>(&book, &[]);
        let found = faults.iter().any(|fault| fault.contains(expected));
        assert!(found, "{faults:?} does not say {expected:?}");
    }
    const START: &str = "Wbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww";
    // After c3-d4.
    const NEXT: &str = "Bbbbbbbbbbbbbeeeeeweewewwwwwwwwww";
    let good = format!("{START} | c3-d4 3, g3-f4 ~1\n{NEXT} | f6-g5 ~-3");
    let clean = structure::<Russian>(&parsed::<Russian>(&good), &[]);
    assert_eq!(clean, [""; 0]);
    check(
        &format!("{START} | c3-d4 4\n{NEXT} | f6-g5 ~-3"),
        "c3-d4: has the score 4, expected 3",
    );
    check(
        &format!("{START} | c3-d4 ~3\n{NEXT} | f6-g5 ~-3"),
        "c3-d4: is an estimate",
    );
    check(&format!("{START} | c3-d4 3"), "expected ~3, or 3! by hand");
    check(
        &format!("{START} | g3-f4 ~1\n{NEXT} | f6-g5 ~-3"),
        "c3-d4 is missing",
    );
    check(&format!("{NEXT} | f6-g5 ~-3"), "cannot be reached");
    check(&format!("{START} | c3-d4 ~3#"), "3 is called proved");
    // Kings to and fro, by hand.
    let circle = [
        "W:WK32:BK5 | g1-h2 0!",
        "B:WK28:BK5 | a7-b8 0!",
        "W:WK28:BK1 | h2-g1 0!",
        "B:WK32:BK1 | b8-a7 0!",
    ];
    check(&circle.join("\n"), "lead back to it");
    assert_eq!(
        structure::<Russian>(&parsed::<Russian>(&circle[..3].join("\n")), &[]),
        [""; 0]
    );
}

#[test]
fn leaves_of_another_value_are_found() {
    let built = build::<Russian>(&plan(40, &[]), &Book::default());
    let recipe = recipe::<Russian>(150);
    let leaves = |tolerance| {
        Leaves {
            recipe: &recipe,
            team: &Team::new(1).expect("threads can be had"),
            count: 1000,
            seed: 1,
            tolerance,
        }
        .search(&built)
        .expect("there is room")
    };
    assert_eq!(leaves(0).1, [""; 0]);
    let mut changed = built.clone();
    let is_leaf = |entry: &&Entry| entry.moves[0].basis == Basis::Search;
    let leaf = built
        .entries()
        .iter()
        .find(is_leaf)
        .expect("there are leaves")
        .clone();
    let known = &mut changed.entry_mut(&leaf.pos).expect("it is there").moves[0];
    known.score = known.score.map(|score| score + 7);
    let search = |tolerance| {
        Leaves {
            recipe: &recipe,
            team: &Team::new(1).expect("threads can be had"),
            count: 1000,
            seed: 1,
            tolerance,
        }
        .search(&changed)
        .expect("there is room")
    };
    assert_eq!(search(6).1.len(), 1);
    assert_eq!(search(7).1, [""; 0]);
}

/// A person's score, comments and results of games outlive a build, and the tree goes by what people say.
#[test]
fn what_people_said_stays() {
    let told = parsed::<Russian>(
        "# a good one\nWbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww | g3-h4 55!, c3-d4 -9 +5=1-2\n\
         W:W21,22,30:B1,2,9 | c3-d4 +0=0-1\n\
         W:WK29,30:B5,12 | a1-h8 12!",
    );
    let book = build::<Russian>(&plan(50, &[]), &told);
    let text = book.write::<Russian>();
    let line = |head: &str| {
        text.lines()
            .find(|line| line.starts_with(head))
            .expect("it is there")
            .to_owned()
    };
    let start = line("Wbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww ");
    assert!(
        text.contains("# a good one\nWbbbbbbbbbbbbeeeeeeeewwww"),
        "{text}"
    );
    assert!(start.contains(" | g3-h4 55!"), "{start}");
    assert!(
        start.contains(" +5=1-2") && !start.contains("-9 +5"),
        "{start}"
    );
    // Games make a root of a position; one with a king is kept as it is.
    let ending = book
        .entry(&position("W:W21,22,30:B1,2,9"))
        .expect("it is there");
    assert!(
        ending.depth.is_some() && ending.value().is_some(),
        "{ending:?}"
    );
    let kings = write_line::<Russian>(
        book.entry(&position("W:WK29,30:B5,12"))
            .expect("it is there"),
    );
    assert!(kings.ends_with(" | a1-h8 12!"), "{kings}");
    assert_eq!(structure::<Russian>(&book, &[]), [""; 0]);
    // Built again from what was built, it is the same.
    let again = Book::parse::<Russian>(&text, "again").unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(
        build::<Russian>(&plan(50, &[]), &again).write::<Russian>(),
        text
    );
}

/// Wins by play, draws and wins by tables are marked as proved, through all moves that lead to them.
#[test]
fn proofs_are_marked() {
    let line = |told: &str| {
        let book = build::<Russian>(&plan(30, &[]), &parsed::<Russian>(told));
        let entry = parse_line::<Russian>(told).expect("it is in order");
        write_line::<Russian>(book.entry(&entry.pos).expect("it is there"))
    };
    // The only black man is taken.
    let won = line("W:W18,32:B14 | d4:b6 +1=0-0");
    assert!(won.contains("d4:b6 ") && won.contains("# +1=0-0"), "{won}");
    // Each side gets a king.
    let drawn = line("W:W13:B24 | a5-b6 +1=0-0");
    assert!(drawn.ends_with(" | a5-b6 0# +1=0-0"), "{drawn}");
    let lost = line("W:W32:B9,10,11 | g1-f2 +0=0-1");
    // Three men more are no proof.
    assert!(lost.contains("| g1-f2 ~-200 +0=0-1"), "{lost}");
}

const GAMES: &str = "[GameType \"25,W,8,8,A0,0\"]\n[Result \"2-0\"]\n1. c3-d4 f6-g5 2. b2-c3 2-0\n\n\
    [GameType \"25,W,8,8,A0,0\"]\n1. c3-d4 f6-g5 2. g3-h4 1-1\n\n\
    [GameType \"25,W,8,8,A0,0\"]\n1. c3-d4 b6-a5 0-2\n\n\
    [GameType \"25,W,8,8,A0,0\"]\n1. c3-d4 f6-g5 *\n\n\
    [GameType \"23,B,8,8,N1,0\"]\n1. 11-15 22-18 1-0\n\n";

/// Games are counted from the view of the side that moves, and added to those that are there.
#[test]
fn games_are_counted() {
    let collection = || {
        let mut collection = Collection::default();
        for game in pdn::Reader::new(GAMES.as_bytes(), None) {
            collection.add::<Russian>(&game.expect("it can be read"), 3);
        }
        collection
    };
    let all = collection();
    assert_eq!(
        (all.games, all.without_result, all.of_other_rules),
        (3, 1, 1)
    );
    let mut book = parsed::<Russian>("Wbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww | g3-f4 ~3");
    let gained = all.merge_into(&mut book, 2);
    assert_eq!(
        gained,
        Gained {
            positions: 2,
            moves: 5
        }
    );
    let line =
        |text: &str| write_line::<Russian>(book.entry(&position(text)).expect("it is there"));
    let start = line("W:W21-32:B1-12");
    assert!(start.ends_with(" | g3-f4 ~3, c3-d4 +1=1-1"), "{start}");
    let second = line("B:W18,21,23-32:B1-12");
    assert!(
        second.ends_with(" | f6-g5 +0=1-1, b6-a5 +1=0-0"),
        "{second}"
    );
    let third = line("W:W18,21,23-32:B1-10,12,16");
    assert!(
        third.contains("b2-c3 +1=0-0") && third.contains("g3-h4 +0=1-0"),
        "{third}"
    );
    // Later games are added.
    collection().merge_into(&mut book, 2);
    let twice = book.best(&position("W:W21-32:B1-12"));
    assert_eq!(twice.map(|best| best.games.count()), Some(0));
    let games = book.moves(&position("W:W21-32:B1-12"))[1].games;
    assert_eq!(
        games,
        Games {
            won: 2,
            drawn: 2,
            lost: 2
        }
    );
}

/// What is exported is a game that has no faults, with every move of the book within its plies, once.
#[test]
fn books_are_exported() {
    fn check<R: Rules>() {
        let book = build::<R>(&plan(120, &[]), &Book::default());
        let game = export::game::<R>(&book, "test", &R::start(), 6);
        let text = pdn::write(&game, None);
        let mut games = pdn::Reader::new(text.as_bytes(), None);
        let read = games.next().expect("there is one").expect("it can be read");
        assert_eq!((read.faults.len(), games.count()), (0, 0), "{text}");
        let main: Vec<_> = read.main.moves.iter().map(|node| node.mv).collect();
        assert_eq!(main, ballots::line(&book, &R::start())[..main.len()]);
        assert!(text.contains("[%eval ") && text.contains('('), "{text}");
        let roots = read.main.moves[0].variations.len() + 1;
        assert_eq!(roots, book.moves(&R::start()).len());
        let dot = export::dot::<R>(&book, &R::start(), 2);
        assert!(dot.starts_with("digraph ") && dot.ends_with("}\n"));
        let edges: usize = book
            .moves(&R::start())
            .iter()
            .map(|known| 1 + book.moves(&R::start().play(known.mv)).len())
            .sum();
        assert_eq!(dot.matches(" -> ").count(), edges, "{dot}");
    }
    check::<Russian>();
    check::<Pool>();
}

/// Returns a folder of its own for the files of a test.
fn folder(test: &str) -> PathBuf {
    let name = format!("book-{test}-{}", std::process::id());
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).expect("the target folder can be written");
    folder
}

/// Runs the program; returns the exit code and both outputs.
fn run(args: &str) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_mainroad"))
        .args(args.split_whitespace())
        .stdin(Stdio::null())
        .output()
        .expect("the program was built");
    let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
    let code = output.status.code().expect("no signal ended it");
    (code, text(output.stdout), text(output.stderr))
}

/// A build that is killed goes on, and comes to the same bytes; the journal of a complete one is gone, or stays if it was named.
#[test]
fn a_killed_build_goes_on() {
    let folder = folder("kill");
    let path = |name: &str| folder.join(name).display().to_string();
    let build = |positions: u32, nodes: u32, out: &str| {
        let out = path(out);
        format!(
            "book build --variant pool --positions {positions} --nodes {nodes} --ballots false --threads 2 --out {out}"
        )
    };
    let whole = run(&build(150, 2500, "whole.book"));
    assert_eq!(whole.0, 0, "{}", whole.2);
    let killed = build(150, 2500, "killed.book");
    let journal = folder.join("killed.book.journal");
    let mut child = Command::new(env!("CARGO_BIN_EXE_mainroad"))
        .args(killed.split_whitespace())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program was built");
    let started = Instant::now();
    while fs::metadata(&journal).map_or(0, |metadata| metadata.len()) < 2000 {
        assert!(
            started.elapsed() < Duration::from_mins(1),
            "nothing is written"
        );
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().expect("it runs");
    child.wait().expect("it has ended");
    assert!(journal.exists() && !folder.join("killed.book").exists());
    // The last line may be torn.
    let mut bytes = fs::read(&journal).expect("it is there");
    bytes.extend_from_slice(b"[\"torn");
    fs::write(&journal, bytes).expect("it can be written");
    let other = run(&build(150, 2400, "killed.book"));
    assert!(
        other.0 == 1 && other.2.contains("bad journal: "),
        "{}",
        other.2
    );
    assert_eq!(run(&killed).0, 0);
    let text = |name: &str| fs::read_to_string(folder.join(name)).expect("it is there");
    assert_eq!(text("whole.book"), text("killed.book"));
    assert!(!journal.exists());
    let larger = format!(
        "{} --journal {}",
        build(160, 100, "killed.book"),
        path("kept")
    );
    assert_eq!(run(&larger).0, 0);
    assert!(folder.join("kept").exists());
    let book = Book::parse::<Pool>(&text("killed.book"), "larger");
    assert_eq!(book.map(|book| book.len()).ok(), Some(160));
    fs::remove_dir_all(folder).expect("it is there");
}

/// The commands on books: what they print, and their exit codes.
#[test]
fn books_are_kept_by_commands() {
    let folder = folder("commands");
    let path = |name: &str| folder.join(name).display().to_string();
    fs::write(folder.join("games.pdn"), GAMES).expect("it can be written");
    let (games, book) = (path("games.pdn"), path("russian.book"));
    let import = format!("book import {games} --games 1 --plies 9 --out {book}");
    let (code, out, err) = run(&import);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(
        out.starts_with("3 games counted, 1 without a result, 1 of other rules, 0 faults; "),
        "{out}"
    );
    let (code, _, err) = run(&import);
    assert!(
        code == 1 && err.contains("they are in the book already"),
        "{err}"
    );
    let build = format!("book build --positions 30 --nodes 300 --ballots false --out {book}");
    assert_eq!(run(&build).0, 0);
    let (_, out, _) = run(&format!("book probe --book {book}"));
    assert!(
        out.contains("3 games +1=1-1") && out.contains(" positions"),
        "{out}"
    );
    let (code, out, err) = run(&format!("book check --book {book} --nodes 300"));
    assert!(code == 0 && out.ends_with(" 0 faults\n"), "{out}{err}");
    let (_, out, _) = run(&format!("book info --book {book} --json"));
    let info: serde_json::Value = serde_json::from_str(&out).expect("it is JSON");
    assert!(
        info["positions"].as_u64() >= Some(30) && info["load_ms"].is_f64(),
        "{info}"
    );
    assert!(out.contains("mainroad book build --variant russian --positions 30 --nodes 300 --seed 1 --ballots false"), "{out}");
    assert!(out.contains("Games: 3 of games.pdn (crc32 "), "{out}");
    let (code, out, _) = run(&format!("book export --book {book} --plies 4"));
    assert!(code == 0 && out.contains("+1=1-1"), "{out}");
    let (code, _, err) = run(&format!("book export --book {book} --fen W:W21:B1"));
    assert!(code == 1 && err.contains("the book does not know"), "{err}");
    let (code, out, _) = run(&format!("book ballots --book {book}"));
    assert!(code == 0 && out.contains("not in the book"), "{out}");
    // The first lines are the command, with weights that are not the program's own.
    let other = format!("{book}.material");
    let build = format!(
        "book build --positions 5 --nodes 100 --net material --ballots false --out {other}"
    );
    assert_eq!(run(&build).0, 0);
    let made = fs::read_to_string(&other).expect("it is there");
    assert!(made.contains("--ballots false --net material\n"), "{made}");
    // A mark of the encoding before the first line is nobody's fault.
    fs::write(&other, format!("\u{feff}{made}")).expect("it can be written");
    let (code, out, err) = run(&format!("book check --book {other} --nodes 100 --leaves 0"));
    assert!(code == 0, "{out}{err}");
    // Damage is named, and everything else is checked all the same.
    let text = fs::read_to_string(&book).expect("it is there");
    fs::write(&book, format!("{text}nonsense\n")).expect("it can be written");
    let (code, out, _) = run(&format!("book check --book {book} --nodes 300"));
    assert!(
        code == 1 && out.contains("expected") && out.ends_with(" 1 fault\n"),
        "{out}"
    );
    fs::write(folder.join("bad.pdn"), "1. c3-d4 f6-f5 1-0\n").expect("it can be written");
    let (code, out, err) = run(&format!(
        "book import {} --out {}",
        path("bad.pdn"),
        path("new.book")
    ));
    assert!(
        code == 1 && err.contains("f6-f5") && out.contains("1 fault;"),
        "{out}{err}"
    );
    fs::remove_dir_all(folder).expect("it is there");
}
