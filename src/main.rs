//! The `mainroad` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    mainroad::cli::prefer_faster_build();
    mainroad::cli::run()
}
