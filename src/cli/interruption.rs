//! Signals that ask the program to end, for commands that keep what is finished: Ctrl-C, and where there are such, SIGTERM and SIGHUP, which a
//! terminal sends when it is closed. The first one asks the work to end.
//!
//! If SIGHUP is ignored when the program begins it stays so: that is what `nohup` is for.
//!
//! A command that waits for others, such as for a reader of standard output who does not read, cannot end itself. With [`on_ctrl_c`] the
//! program ends at the second Ctrl-C at once, and after a while without one. Files are whole all the same: they are written under another name first, and journals
//! stand what comes at any time.

use super::EXIT_INTERRUPTED;
use crate::tools::stop::Stop;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

/// How long the work has to end. Searches end within milliseconds.
const PATIENCE: Duration = Duration::from_millis(1500);

/// How somebody asks the program to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// With Ctrl-C.
    Interrupt,
    /// From outside, or by closing the terminal.
    End,
}

/// Has something done each time that the program is asked to end. Without a handler, if there can be none, it is only less gentle.
#[cfg(unix)]
pub(super) fn on_asked(act: impl Fn(Asked) + Send + 'static) {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let heeded = [SIGINT, SIGTERM, SIGHUP].into_iter();
    let heeded = heeded.filter(|&signal| signal != SIGHUP || !is_ignored(signal));
    let Ok(mut signals) = signal_hook::iterator::Signals::new(heeded) else {
        return;
    };
    let wait = move || {
        for signal in signals.forever() {
            act(if signal == SIGINT {
                Asked::Interrupt
            } else {
                Asked::End
            });
        }
    };
    let _ = thread::Builder::new()
        .name("signals".to_owned())
        .spawn(wait);
}

/// Says whether a signal is ignored, where the system tells that in a file: as the bit of its number, from 1, in a hexadecimal number.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))
        .and_then(|digits| u64::from_str_radix(digits.trim(), 16).ok());
    ignored.is_some_and(|ignored| ignored >> (signal - 1) & 1 == 1)
}

/// Has something done each time that the program is asked to end. Without a handler, if there can be none, it is only less gentle.
#[cfg(not(unix))]
pub(super) fn on_asked(act: impl Fn(Asked) + Send + 'static) {
    let _ = ctrlc::set_handler(move || act(Asked::Interrupt));
}

/// Has something done when the program is first asked to end, which ends the work.
pub(super) fn on_ctrl_c(end: impl Fn() + Send + 'static) {
    let is_ending = AtomicBool::new(false);
    on_asked(move |_| {
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

/// Has Ctrl-C give a signal, at which the work ends by itself between two of its steps and what is finished is kept.
pub(super) fn give_on_ctrl_c(stop: &Stop) {
    let stop = stop.clone();
    on_asked(move |_| stop.give());
}

/// Has Ctrl-C end the program at once, with a word. What it had finished is kept.
pub(super) fn leave_on_ctrl_c(word: &'static str) {
    on_asked(move |_| {
        let _ = writeln!(io::stderr(), "mainroad: interrupted: {word}");
        leave_at_once();
    });
}

/// Ends the program.
#[expect(
    clippy::exit,
    reason = "nothing else can break off a thread that waits for somebody else, or reads a line"
)]
pub(super) fn leave_at_once() {
    std::process::exit(EXIT_INTERRUPTED.into());
}
