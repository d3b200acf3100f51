//! Answers come in time on a busy machine: with every core taken by another process, the engine is compared with a thread that does nothing
//! but sleep until the same moment.

use crate::hub::Engine;
use crate::support::amount;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// What a move may take.
const MOVE_TIME: Duration = Duration::from_millis(50);

/// How much later than the sleeper the engine may answer.
const TOLERANCE: Duration = Duration::from_millis(10);

/// Processes that keep the cores busy until they are dropped.
struct Load(Vec<Child>);

impl Load {
    fn new(cores: usize) -> Self {
        let busy = || {
            Command::new(env!("CARGO_BIN_EXE_mainroad"))
                .args(["perft", "30"])
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .expect("the binary is there")
        };
        Self((0..cores).map(|_| busy()).collect())
    }

    /// Says whether all the processes are still at work.
    fn is_on(&mut self) -> bool {
        let is_running = |child: &mut Child| child.try_wait().is_ok_and(|ended| ended.is_none());
        self.0.iter_mut().all(is_running)
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        for child in &mut self.0 {
            // It may be gone already; then there is nothing to end.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Plays a move and returns by how much the engine answered later than the sleeper woke.
fn lateness(engine: &mut Engine) -> Duration {
    engine.send("pos start");
    engine.send("level move-time=0.05");
    let asked = Instant::now();
    let sleeper = thread::spawn(move || {
        thread::sleep(MOVE_TIME.saturating_sub(asked.elapsed()));
        asked.elapsed()
    });
    engine.send("go think");
    engine.done();
    let answered = asked.elapsed();
    answered.saturating_sub(sleeper.join().expect("it only sleeps"))
}

/// `LOADED_MOVES=1000 cargo test --release punctual`, with nothing else running, demands it of every move. Among other tests, which want the
/// cores as well, nine of ten must do.
#[test]
#[expect(clippy::print_stdout, reason = "the larger check is run to be told")]
fn moves_are_in_time_on_a_busy_machine() {
    let demanded = amount("LOADED_MOVES", 0);
    let moves = if demanded == 0 { 40 } else { demanded };
    let cores = thread::available_parallelism().map_or(2, usize::from);
    let mut engine = Engine::start(&["hub", "--book", "none", "--hash", "16"]);
    engine.send("init");
    engine.line();
    let mut load = Load::new(cores);
    let mut late: Vec<Duration> = (0..moves).map(|_| lateness(&mut engine)).collect();
    assert!(load.is_on(), "the cores were not kept busy");
    drop(load);
    late.sort_unstable();
    let beyond = late.iter().filter(|&&late| late > TOLERANCE).count();
    println!(
        "{moves} moves, {beyond} more than {TOLERANCE:?} later than a sleeper; median {:?}, last {:?}",
        late[moves / 2],
        late[moves - 1]
    );
    let allowed = if demanded == 0 { moves / 10 } else { 0 };
    assert!(
        beyond <= allowed,
        "{beyond} of {moves} moves were late: {late:?}"
    );
}
