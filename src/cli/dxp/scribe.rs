//! What a person sees of games over DXP: lines about them, and the games as PDN.

use crate::board::Side;
use crate::cli::files::OutputFile;
use crate::cli::{Failure, Streams, counted};
use crate::notation::played::{self, Played};
use crate::notation::shown;
use crate::protocol::dxp::{Event, Finished, Terms, Verdict};
use crate::protocol::log::Log;
use crate::rules::Rules;
use clap::ArgMatches;
use std::path::PathBuf;

/// Writes down what happens.
pub(super) struct Scribe {
    own_name: String,
    pdn: Option<OutputFile>,
    /// The games so far, if they are wanted.
    games: String,
    /// Won, drawn, lost, unfinished.
    score: [u32; 4],
}

impl Scribe {
    /// Fails if the log or the games could not be written later.
    pub(super) fn new(args: &ArgMatches, terms: &Terms) -> Result<Self, Failure> {
        let log = &terms.options.log;
        if !log.is_empty() {
            let opened = Log::open(log).map(drop);
            opened.map_err(|error| Failure::Failed(format!("log: {log}: {error}")))?;
        }
        let path: Option<&PathBuf> = args.get_one("pdn");
        Ok(Self {
            own_name: terms.name.clone(),
            pdn: path.map(|path| OutputFile::at(path)).transpose()?,
            games: String::new(),
            score: [0; 4],
        })
    }

    /// Writes what there is to say of an event.
    pub(super) fn event<R: Rules>(
        &mut self,
        event: &Event<R>,
        streams: &mut Streams,
    ) -> Result<(), Failure> {
        // Games go on if nobody reads about them.
        let _ = match event {
            Event::Began(opponent) => {
                writeln!(
                    streams.err,
                    "mainroad: a game with {} begins",
                    shown(opponent)
                )
            }
            Event::Chat(text) => writeln!(streams.err, "mainroad: the other side says: {text}"),
            Event::Warning(text) => writeln!(streams.err, "mainroad: warning: {text}"),
            Event::Finished(finished) => return self.finished(finished, streams),
        };
        Ok(())
    }

    fn finished<R: Rules>(
        &mut self,
        finished: &Finished<R>,
        streams: &mut Streams,
    ) -> Result<(), Failure> {
        let place = match finished.verdict {
            Verdict::Won(winner) if winner == finished.own => 0,
            Verdict::Drawn => 1,
            Verdict::Won(_) => 2,
            Verdict::Unfinished => 3,
        };
        self.score[place] += 1;
        let opponent = shown(&finished.opponent);
        let [white, black] = match finished.own {
            Side::White => [&self.own_name, &opponent],
            Side::Black => [&opponent, &self.own_name],
        };
        if let Some(file) = &self.pdn {
            self.games += &played::write(&Played {
                game: &finished.game,
                event: "DXP",
                white,
                black,
                result: finished.verdict.result(),
                reason: &finished.reason,
                started: finished.started,
                times: &finished.times,
            });
            file.replace(&self.games)?;
        }
        let number: u32 = self.score.iter().sum();
        let (result, reason) = (finished.verdict.result(), &finished.reason);
        let plies = counted(finished.game.moves().len(), "ply", "plies");
        writeln!(
            streams.out,
            "game {number}: {white} - {black} {result} ({reason}, {plies})"
        )?;
        streams.out.flush()?;
        Ok(())
    }

    /// Writes the sum of all games.
    pub(super) fn write_sum(&self, streams: &mut Streams) -> Result<(), Failure> {
        let [won, drawn, lost, unfinished] = self.score;
        let games = counted(self.score.iter().sum::<u32>(), "game", "games");
        writeln!(
            streams.out,
            "{games}: {won} won, {drawn} drawn, {lost} lost, {unfinished} unfinished"
        )?;
        Ok(())
    }
}
