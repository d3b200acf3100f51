//! What becomes of a command line that clap does not run: help, version, or one line that says what is wrong with it.

use super::{Answered, Failure, Outcome, Streams, version};
use clap::error::ErrorKind;

/// Shows help or version, or returns the fault of the command line.
pub(super) fn conclude(error: &clap::Error, streams: &mut Streams) -> Outcome {
    if error.use_stderr() {
        return Err(Failure::Usage(one_line(&error.render().to_string())));
    }
    if error.kind() == ErrorKind::DisplayVersion {
        write!(streams.out, "{}", version::text())?;
        streams.out.flush()?;
    } else {
        error.print()?;
    }
    Ok(Answered::Yes)
}

/// Shortens clap's paragraphs to one line: what is wrong and the tips, without usage.
fn one_line(text: &str) -> String {
    let paragraphs = text.split("\n\n").map(|paragraph| {
        let words: Vec<&str> = paragraph.split_whitespace().collect();
        words.join(" ")
    });
    let is_told = |paragraph: &String| {
        !paragraph.starts_with("Usage:") && !paragraph.starts_with("For more information")
    };
    let told: Vec<String> = paragraphs.take_while(is_told).collect();
    let line = told.join(", ");
    line.strip_prefix("error: ").unwrap_or(&line).to_owned()
}
