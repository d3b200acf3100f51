//! The `mainroad` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    mainroad::cli::run()
}
