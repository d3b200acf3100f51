//! Real clients drive the engine: see `clients/README.md`.

use crate::support::{amount, data};
use std::path::Path;
use std::process::Command;

/// What the script answers when it could not install the clients.
const SKIPPED: i32 = 77;

/// The ways of speaking of draughtsnet, py-draughts and lidraughts-bot go through, and so does the example of the README. pydraughts 0.6.7
/// (moves numbered as in PDN) and 0.5.7 (as in Hub) play whole Russian and Brazilian games in which the engine has
/// both sides; each of its moves must be in the client's own list of legal moves. 0.6.7 plays over DXP as well.
#[test]
#[expect(clippy::print_stdout, reason = "a skipped test must be seen")]
fn clients_play_whole_games() {
    let work = Path::new(env!("CARGO_TARGET_TMPDIR")).join("clients");
    let status = Command::new("bash")
        .arg(data("clients/run.sh"))
        .arg(env!("CARGO_BIN_EXE_mainroad"))
        .arg(&work)
        .arg(amount("CLIENT_GAMES", 2).to_string())
        .status()
        .expect("bash is there");
    if status.code() == Some(SKIPPED) {
        println!(
            "SKIPPED: the Python clients could not be installed, nothing was tested with them"
        );
        return;
    }
    assert!(status.success(), "{status}");
}
