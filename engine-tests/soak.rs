//! Days of use in a short time: one engine that is set up, started, stopped, asked and interrupted in random order, thousands of times.
//!
//! Every `go` must be answered once, with a legal move, whatever comes between; and in the end the engine must hold no more memory, files and
//! threads than it did near the beginning. `SOAK_CYCLES=200000 cargo test --release soak -- --nocapture` is the long run.

use crate::hub::Engine;
use crate::support::{Rng, amount};
use mainroad::notation::hub::{Numbering, parse_move, write_move, write_position};
use mainroad::rules::{Game, Russian};
use std::fs;
use std::time::{Duration, Instant};

/// What a process holds.
#[derive(Clone, Copy, Debug)]
struct Held {
    memory_kib: u64,
    files: usize,
    threads: u64,
}

impl Held {
    /// Looks into what the system says of a process; `None` where it says nothing of the kind.
    fn by(id: u32) -> Option<Self> {
        let status = fs::read_to_string(format!("/proc/{id}/status")).ok()?;
        let number = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name))?;
            line.split_whitespace().next()?.parse().ok()
        };
        Some(Self {
            memory_kib: number("VmRSS:")?,
            files: fs::read_dir(format!("/proc/{id}/fd")).ok()?.count(),
            threads: number("Threads:")?,
        })
    }

    /// The same when nothing is going on: a search that was answered for may take a moment to end.
    fn at_rest(id: u32) -> Option<Self> {
        std::thread::sleep(Duration::from_millis(300));
        Self::by(id)
    }
}

/// An engine and the game that it has been told.
struct Soak {
    engine: Engine,
    rng: Rng,
    game: Game<Russian>,
}

impl Soak {
    fn new(seed: u64) -> Self {
        let mut engine = Engine::start(&["hub"]);
        engine.send("hub");
        while engine.line() != "wait" {}
        // Tables would be inflated little by little, which is no leak.
        for (name, value) in [("tables", "none"), ("hash", "1"), ("overhead", "0")] {
            engine.send(&format!("set-param name={name} value={value}"));
        }
        engine.send("init");
        while engine.line() != "ready" {}
        Self {
            engine,
            rng: Rng(seed),
            game: Game::new(),
        }
    }

    /// Tells a game of some random moves that is not over.
    fn tell_game(&mut self) {
        self.game = Game::new();
        let start = write_position(self.game.position());
        let mut texts = Vec::new();
        for _ in 0..self.rng.below(60) {
            let legal = self.game.legal_moves();
            let mv = legal[self.rng.below(legal.len())];
            self.game.play(mv);
            if self.game.ending().is_some() {
                self.game.undo();
                break;
            }
            texts.push(write_move(mv, Numbering::Hub));
        }
        let line = format!("pos pos={start} moves=\"{}\"", texts.join(" "));
        self.engine.send(&line);
    }

    /// Begins a search and says whether it may go on until it is told to stop.
    fn go(&mut self) -> bool {
        let levels = [
            "level move-time=0.001",
            "level nodes=1",
            "level nodes=3000",
            "level depth=4",
            "level move-time=0.02",
            "level infinite",
        ];
        let level = *self.rng.pick(&levels);
        self.engine.send(level);
        let mode = *self.rng.pick(&["think", "think", "ponder", "analyze"]);
        self.engine.send(&format!("go {mode}"));
        level == "level infinite" || mode == "ponder"
    }

    /// One search, with what may happen to it meanwhile.
    fn cycle(&mut self) {
        let is_new = self.rng.below(8) == 0;
        if is_new {
            self.engine.send("new-game");
        }
        match self.rng.below(8) {
            1 => {
                let threads = 1 + self.rng.below(2);
                let line = format!("set-param name=threads value={threads}");
                self.engine.send(&line);
            }
            2 => self.engine.send("stop"),
            _ => {}
        }
        if is_new || self.rng.below(3) > 0 {
            self.tell_game();
        }
        let mut is_endless = self.go();
        let mut pings = 0;
        for _ in 0..self.rng.below(4) {
            match self.rng.below(4) {
                0 => {
                    self.engine.send("ping");
                    pings += 1;
                }
                1 => self.engine.send("ponder-hit"),
                2 => std::thread::sleep(Duration::from_micros(self.rng.next() % 3_000)),
                _ => {
                    self.engine.send("stop");
                    is_endless = false;
                }
            }
        }
        if is_endless {
            self.engine.send("stop");
        }
        self.expect_answer(pings);
    }

    /// Reads one answer with a legal move, and as many pongs as pings were sent, in any order.
    fn expect_answer(&mut self, mut pongs: u32) {
        let mut is_answered = false;
        while !is_answered || pongs > 0 {
            let line = self.engine.line();
            match line.split(' ').next() {
                Some("info") => assert!(!is_answered, "{line} after the answer"),
                Some("pong") => pongs = pongs.checked_sub(1).expect("a pong for each ping"),
                Some("done") => {
                    assert!(!is_answered, "a second answer: {line}");
                    is_answered = true;
                    let text = line.strip_prefix("done move=").expect("it has a move");
                    let text = text.split(' ').next().expect("it has a first word");
                    let legal: Vec<_> = self.game.legal_moves().into_iter().collect();
                    let mv = parse_move(text, Numbering::Hub, &legal);
                    assert!(mv.is_ok(), "{line}: {mv:?}");
                }
                _ => panic!("unexpected: {line}"),
            }
        }
    }
}

#[expect(clippy::print_stdout, reason = "the long run is run to be told")]
#[test]
fn nothing_is_lost_in_long_use() {
    let cycles = amount("SOAK_CYCLES", 600);
    let mut soak = Soak::new(1);
    soak.tell_game();
    let id = soak.engine.id();
    let started = Instant::now();
    let mut early = None;
    for cycle in 0..cycles {
        soak.cycle();
        if cycle == cycles / 5 {
            early = Held::at_rest(id);
        }
    }
    let late = Held::at_rest(id);
    println!(
        "{cycles} cycles in {:?}: {early:?}, {late:?}",
        started.elapsed()
    );
    soak.engine.is_silent();
    if let (Some(early), Some(late)) = (early, late) {
        assert!(
            late.memory_kib < early.memory_kib + 4_096,
            "{early:?} {late:?}"
        );
        assert_eq!(early.files, late.files, "{early:?} {late:?}");
        assert!(late.threads <= early.threads + 1, "{early:?} {late:?}");
    }
    assert_eq!(soak.engine.close(), Vec::<String>::new());
}
