//! The summary of a match as people read it: a line while it is played, tables and a report at its end.

use super::{Colours, EncounterSummary, OpeningSummary, PlayerSummary, SprtSummary, Summary};
use crate::tools::matches::statistics::{self, Pentanomial, Tally};
use std::collections::BTreeMap;
use std::fmt::{self, Write};

/// The most openings that are listed in the text; the JSON has all of them.
const LISTED_OPENINGS: usize = 32;

/// Writes an Elo difference with its interval.
fn elo_text(pairs: [u64; 5]) -> String {
    let pairs = Pentanomial(pairs);
    let (Some(elo), Some(los)) = (statistics::elo(&pairs), statistics::los(&pairs)) else {
        return "Elo unknown: no complete pair".to_owned();
    };
    format!(
        "Elo {:+.1} [{:+.1}, {:+.1}], LOS {:.1}%",
        elo.value,
        elo.low,
        elo.high,
        100.0 * los
    )
}

impl Summary {
    /// Returns the state of the match in one line.
    pub fn line(&self) -> String {
        let [games, wins, draws, losses] = [self.games, self.wins, self.draws, self.losses];
        let mut line = format!(
            "{games} of {} games, +{wins} ={draws} -{losses}, ",
            self.planned
        );
        line.push_str(&elo_text(self.pentanomial));
        if let (Some(llr), Some(sprt)) = (self.llr, &self.sprt) {
            let [low, high] = sprt.bounds;
            write!(line, ", LLR {llr:.2} [{low:.2}, {high:.2}]").expect("it is a string");
        }
        let forfeits: u64 = self.forfeits.values().flat_map(BTreeMap::values).sum();
        if forfeits > 0 {
            write!(line, ", forfeits {forfeits}").expect("it is a string");
        }
        if self.repeated_pairs > 0 {
            let repeated = self.repeated_pairs;
            write!(line, ", repeated pairs (not counted) {repeated}").expect("it is a string");
        }
        line
    }

    /// Returns the table of the players, in 80 columns if their names are short.
    pub fn table(&self) -> String {
        let names = self
            .players
            .iter()
            .map(|player| player.name.chars().count());
        let width = names.max().unwrap_or(0).max("player".len());
        let mut text = format!(
            "{:<width$} {:>6} {:>7} {:>5} {:>5} {:>5} {:>5} {:>5} {:>8} {:>6} {:>6}",
            "player", "games", "points", "%", "+", "=", "-", "depth", "nodes", "time", "max s"
        );
        let has_ratings = self.players.iter().any(|player| player.rating.is_some());
        text.push_str(if has_ratings { " rating\n" } else { "\n" });
        let number = |number: Option<f64>, places: usize| {
            number.map_or("-".to_owned(), |number| format!("{number:.places$}"))
        };
        for player in &self.players {
            let Tally {
                wins,
                draws,
                losses,
            } = player.all;
            write!(
                text,
                "{:<width$} {:>6} {:>7.1} {:>5} {wins:>5} {draws:>5} {losses:>5} {:>5} {:>8} {:>6} {:>6.3}",
                player.name,
                player.games,
                player.points,
                number(player.all.score().map(|score| 100.0 * score), 1),
                number(player.mean_depth, 1),
                number(player.mean_nodes, 0),
                number(player.mean_time_s, 3),
                player.longest_time_s,
            )
            .expect("it is a string");
            if has_ratings {
                write!(text, " {:>6}", number(player.rating, 0)).expect("it is a string");
            }
            text.push('\n');
        }
        text
    }

    /// Returns the results of every player against every other.
    fn crosstable(&self) -> String {
        let names: Vec<&str> = self
            .players
            .iter()
            .map(|player| player.name.as_str())
            .collect();
        let width = names
            .iter()
            .map(|name| name.chars().count())
            .max()
            .unwrap_or(0);
        let mut text = String::new();
        for row in &names {
            write!(text, "{row:<width$}").expect("it is a string");
            for column in &names {
                let cell = self.encounters.iter().find_map(|encounter| {
                    let Tally {
                        wins,
                        draws,
                        losses,
                    } = encounter.tally;
                    match (encounter.first == *row, encounter.second == *row) {
                        (true, _) if encounter.second == *column => Some((wins, draws, losses)),
                        (_, true) if encounter.first == *column => Some((losses, draws, wins)),
                        _ => None,
                    }
                });
                let cell = cell.map_or("-".to_owned(), |(w, d, l)| format!("+{w} ={d} -{l}"));
                write!(text, "  {cell:>16}").expect("it is a string");
            }
            text.push('\n');
        }
        text
    }
}

fn counts(counts: &BTreeMap<String, u64>) -> String {
    if counts.is_empty() {
        return "none".to_owned();
    }
    let texts: Vec<String> = counts
        .iter()
        .map(|(name, count)| format!("{name} {count}"))
        .collect();
    texts.join(", ")
}

/// The report for people.
impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "Match {} ({}): {}",
            self.fingerprint,
            self.variant,
            self.line()
        )?;
        writeln!(f, "\n{}", self.table())?;
        writeln!(f, "{}", self.crosstable())?;
        for EncounterSummary {
            first,
            second,
            pentanomial,
            ..
        } in &self.encounters
        {
            let elo = elo_text(*pentanomial);
            writeln!(f, "{first} against {second}: {elo}; pairs {pentanomial:?}")?;
        }
        if let (Some(sprt), Some(llr)) = (&self.sprt, self.llr) {
            sprt.write(llr, f)?;
        }
        self.write_colours(f)?;
        writeln!(f, "Won by: {}", counts(&self.wins_by_reason))?;
        writeln!(f, "Drawn by: {}", counts(&self.draws_by_reason))?;
        for (name, kinds) in &self.forfeits {
            writeln!(f, "Forfeits of {name}: {}", counts(kinds))?;
        }
        if self.games_after_decision > 0 {
            let games = self.games_after_decision;
            writeln!(f, "Finished after the decision, not counted: {games} games")?;
        }
        if let Some(plies) = self.mean_plies {
            writeln!(f, "Mean length: {plies:.1} plies")?;
        }
        self.write_openings(f)
    }
}

impl SprtSummary {
    /// Writes the state of the test, given the log-likelihood ratio.
    fn write(&self, llr: f64, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            elo0,
            elo1,
            alpha,
            beta,
            bounds: [low, high],
            verdict,
            pairs,
        } = self;
        let pairs = pairs.map_or(String::new(), |pairs| format!(" after {pairs} pairs"));
        writeln!(
            f,
            "SPRT [{elo0}, {elo1}] alpha {alpha} beta {beta}: LLR {llr:.3} [{low:.3}, {high:.3}], {verdict}{pairs}"
        )
    }
}

impl Summary {
    fn write_colours(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Colours {
            white_wins,
            draws,
            black_wins,
        } = self.colours;
        writeln!(
            f,
            "White won {white_wins}, drawn {draws}, Black won {black_wins}"
        )?;
        let text = |tally: &Tally| format!("+{} ={} -{}", tally.wins, tally.draws, tally.losses);
        for PlayerSummary {
            name, white, black, ..
        } in &self.players
        {
            let (white, black) = (text(white), text(black));
            writeln!(f, "  {name} with White {white}, with Black {black}")?;
        }
        Ok(())
    }

    fn write_openings(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.openings.len();
        if count > LISTED_OPENINGS {
            return writeln!(f, "Openings: {count}, listed in the JSON (--json)");
        }
        writeln!(f, "Openings (White won, drawn, Black won):")?;
        for OpeningSummary { name, colours } in &self.openings {
            let Colours {
                white_wins,
                draws,
                black_wins,
            } = colours;
            writeln!(f, "  {name}: {white_wins} {draws} {black_wins}")?;
        }
        Ok(())
    }
}
