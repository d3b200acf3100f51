//! Games of files or standard input: analysed side by side, and all that is wanted of each written in order.

use super::input::{self, Input};
use super::kept::Kept;
use super::output::Output;
use super::pipeline::Source;
use super::progress::Counts;
use super::setting::Setting;
use super::study::Study;
use super::wanted::{Out, Wanted};
use crate::cli::{Failure, Outcome, Streams};
use crate::engine::Resources;
use clap::ArgMatches;
use crossbeam_channel::{bounded, select};
use std::collections::VecDeque;
use std::sync::Arc;

/// Analyses the games that the arguments name.
pub(super) fn run(setting: &Setting, args: &ArgMatches, streams: &mut Streams) -> Outcome {
    let wanted = Wanted::read(args)?;
    let (kept, noted) = match &wanted.out {
        Out::File(path) => {
            let (kept, noted) = Kept::open(path, &wanted.plan(setting), wanted.is_json)?;
            (Some(kept), noted)
        }
        Out::Standard | Out::None => (None, VecDeque::new()),
    };
    let counts = Arc::new(Counts::default());
    let mut output = Output::new(setting, &wanted, kept, &noted, &counts, streams)?;
    let threads = setting.options.threads;
    let is_asked = threads > 1 && !setting.is_repeatable();
    let (files, variant) = (wanted.files.clone(), setting.variant());
    let (sender, is_only) = bounded(1);
    let counted = Arc::clone(&counts);
    let source = Source::start(threads, move || {
        let games = input::games(files, variant, noted, counted);
        input::announce(games, is_asked, move |is_only| {
            // Nobody may be waiting any more.
            let _ = sender.send(is_only);
        })
    })?;
    // Whoever has but one game gets all threads for it.
    let is_only = select! {
        recv(is_only) -> is_only => is_only.unwrap_or(false),
        recv(setting.interrupt.channel()) -> _ => return output.finish(),
    };
    let resources = if is_only {
        setting.resources(threads).map(|resources| vec![resources])
    } else {
        setting.resources_apart(threads)
    };
    let resources = resources.map_err(|error| Failure::Failed(error.to_string()))?;
    let work = |resources: &mut Resources, input: Input| {
        let study = Study {
            setting,
            wanted: &wanted,
            counts: &counts,
            resources,
        };
        study.work(input)
    };
    source.work(resources, &setting.interrupt, work, &mut output)?;
    output.finish()
}
