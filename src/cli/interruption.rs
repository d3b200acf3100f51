//! Ctrl-C for commands that keep what is finished: the first one asks the work to end.
//!
//! A command that waits for others, such as for a reader of standard output who does not read, cannot end itself. With [`on_ctrl_c`] the
//! program ends at the second Ctrl-C at once, and after a while without one. Files are whole all the same: they are written under another name first, and journals
//! stand what comes at any time.

use super::EXIT_INTERRUPTED;
use crate::tools::stop::Stop;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

/// How long the work has to end. Searches end within milliseconds.
const PATIENCE: Duration = Duration::from_millis(1500);

/// Has something done at the first Ctrl-C that ends the work. Without a handler, if there can be none, Ctrl-C is only less gentle.
pub(super) fn on_ctrl_c(end: impl Fn() + Send + 'static) {
    let is_ending = AtomicBool::new(false);
    let _ = ctrlc::set_handler(move || {
        if is_ending.swap(true, Relaxed) {
            leave_at_once();
        }
        end();
        let watch = || {
            thread::sleep(PATIENCE);
            leave_at_once();
        };
        // Without the thread there is the second Ctrl-C.
        let _ = thread::Builder::new()
            .name("patience".to_owned())
            .spawn(watch);
    });
}

/// Has Ctrl-C give a signal, at which the work ends by itself between two of its steps and what is finished is kept. Without a handler, if there
/// can be none, Ctrl-C is only less gentle.
pub(super) fn give_on_ctrl_c(stop: &Stop) {
    let stop = stop.clone();
    let _ = ctrlc::set_handler(move || stop.give());
}

/// Ends the program.
#[expect(
    clippy::exit,
    reason = "nothing else can break off a thread that waits for somebody else, or reads a line"
)]
pub(super) fn leave_at_once() {
    std::process::exit(EXIT_INTERRUPTED.into());
}
