//! `pdn player`: the results of a player by colour, year, opponent, opening, length and rating.

use std::io;
use std::io::Write;

use clap::Args;
use pdn_app::ask::numbers::{Count, count};
use pdn_app::report::player::{HeadToHead, PlayerOptions, PlayerReport, PlayerRequest, RangeRow};
use pdn_app::report::score::ScoreAnswer;

use super::people::{also, exactness, padded, score_head, score_row, spellings, years};
use crate::args::filter::GameFilterArgs;
use crate::args::options::{OptionArgs, with_default};
use crate::args::shared::{FormatArgs, SearchedArgs, of_argument};
use crate::output::{CommandResult, Exit, Output, index_exit, interrupt, sanitize};

/// Default of `--limit` for text.
pub(crate) const TEXT_LIMIT: usize = 20;

pub(crate) const AFTER_HELP: &str = "\
NAME is matched as in a query, `player : NAME`. If the names of several persons match, the report is about the one with the most \
games, and says who else matches; 'is:NAME' means that whole name. Spellings that differ in case, accents and punctuation are one person, \
and the family name may stand first or last: 'Litov, Elena' and 'Elena Litov' are one. Nothing else is, unless a file of names (see \
`pdn names`) says so.

The score is in percent of the points of games with a result, from the side of the player. Every row has the query for its games, which \
--queries prints; `pdn find PATH -q QUERY` lists them. Openings are the positions after two moves of each side of games from the \
start position. Named openings are the names that the moves of games show (`opening_played`).

The exit code is 1 if no game has the name.";

#[derive(Args, Debug)]
#[command(mut_arg("limit", |limit| with_default(limit, "20, no limit with --json")))]
pub(crate) struct PlayerArgs {
    /// Name of the player: words in any order ('harm wiersma'), 'is:whole name', 'begins:beginning' or 'like:misspelt'
    #[arg(value_name = "NAME")]
    name: String,

    #[command(flatten)]
    pub(crate) searched: SearchedArgs,

    #[command(flatten)]
    options: OptionArgs<PlayerOptions>,

    /// Print below each row the query for its games
    #[arg(long)]
    pub(crate) queries: bool,

    #[command(flatten)]
    games: GameFilterArgs,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

impl PlayerArgs {
    /// Returns the question.
    ///
    /// # Errors
    ///
    /// If an option or the file of names cannot be read.
    pub(crate) fn read(&self) -> pdn_app::Result<PlayerRequest> {
        let limit = if self.format.is_json() { 0 } else { TEXT_LIMIT };
        PlayerRequest::with(&self.name, self.games.read()?, &self.options, limit)
            .map_err(|wrong| of_argument("name", wrong))
    }
}

/// Runs `pdn player`.
pub(crate) fn run(args: &PlayerArgs, out: &mut Output) -> CommandResult {
    let request = args.read()?;
    let threads = args.searched.threads.number();
    let needs_text = request.filter.games().reads_text();
    let index = args.searched.read().open(threads, needs_text, &mut out.context())?;
    let report = super::found(request.run(&index, threads, &interrupt::handle()), out)?;
    let Some(report) = report else { return Ok(index_exit(&index, Exit::Negative)) };
    if args.format.is_json() {
        writeln!(out, "{}", sanitize::json(&report))?;
    } else {
        Printer { out, queries: args.queries }.report(&report)?;
    }
    Ok(index_exit(&index, Exit::Success))
}

/// Prints a report as text.
struct Printer<'o> {
    out: &'o mut Output,
    queries: bool,
}

impl Printer<'_> {
    fn report(&mut self, report: &PlayerReport) -> io::Result<()> {
        let out = &mut *self.out;
        let name = sanitize::text(&report.name);
        match &report.against {
            None => writeln!(out, "{name}")?,
            Some(other) => writeln!(out, "{name} against {}", sanitize::text(&other.name))?,
        }
        let mut facts = vec![count(report.score.games, "game")];
        facts.extend(Some(years(report.first_year, report.last_year)).filter(|years| !years.is_empty()));
        facts.extend(report.rating.map(|rating| format!("highest rating {rating}")));
        facts.extend(report.opponents_rating.map(|rating| format!("opponents {rating:.0} on average")));
        writeln!(out, "{}", facts.join(", "))?;
        spellings(&report.spellings, out)?;
        also(&report.also, "player", out)?;
        if let Some(other) = &report.against {
            also(&other.also, "opponent", out)?;
        }
        if report.self_games > 0 {
            writeln!(out, "{} with this name on both sides: not counted.", count(report.self_games, "game"))?;
        }
        exactness(report.exact, false, out)?;
        writeln!(out, "Query: {}", sanitize::text(&report.query))?;
        self.table("", [("all".to_owned(), &report.score, &report.query)])?;
        self.rows(report.colours.iter().map(|row| (format!("as {}", row.colour), &row.score, &row.query)))?;
        if report.variants.len() > 1 {
            let row = report.variants.iter().map(|row| (row.variant.to_owned(), &row.score, &row.query));
            self.table("variant", row)?;
        }
        self.table(
            "year",
            report.years.iter().map(|row| {
                let rating = row.rating.map_or_else(String::new, |rating| format!(" (rating {rating})"));
                let year = row.year.map_or_else(|| "unknown".to_owned(), |year| year.to_string());
                (year + &rating, &row.score, &row.query)
            }),
        )?;
        if let Some(other) = &report.against {
            self.meetings(other)?;
        } else {
            let title = titled("opponent", report.opponents.len(), report.opponent_count);
            self.table(
                &title,
                report.opponents.iter().map(|row| (row.name.clone(), &row.score, &row.query)),
            )?;
            let ranges = report.ratings.iter();
            self.table("rating of the opponent", ranges.map(|row| (range(row), &row.score, &row.query)))?;
        }
        for (place, colour) in ["white", "black"].into_iter().enumerate() {
            let rows = report.named_openings.iter().filter(|row| row.colour == colour);
            let title = format!("named opening as {colour}");
            let title = titled(&title, rows.clone().count(), report.named_opening_counts[place]);
            self.table(&title, rows.map(|row| (row.opening_played.clone(), &row.score, &row.query)))?;
            let rows = report.openings.iter().filter(|row| row.colour == colour);
            let title =
                titled(&format!("opening as {colour}"), rows.clone().count(), report.opening_counts[place]);
            self.table(&title, rows.map(|row| (row.moves.clone(), &row.score, &row.query)))?;
        }
        self.table("plies", report.lengths.iter().map(|row| (range(row), &row.score, &row.query)))?;
        let title = titled("event", report.events.len(), report.event_count);
        let events = report.events.iter();
        self.table(&title, events.map(|row| (row.event.clone(), &row.score, &row.query)))
    }

    /// Prints a table with a head, unless it has no rows.
    fn table<'r>(
        &mut self,
        title: &str,
        rows: impl IntoIterator<Item = (String, &'r ScoreAnswer, &'r String)>,
    ) -> io::Result<()> {
        let mut rows = rows.into_iter().peekable();
        if rows.peek().is_none() {
            return Ok(());
        }
        score_head(title, self.out)?;
        self.rows(rows)
    }

    fn rows<'r>(
        &mut self,
        rows: impl IntoIterator<Item = (String, &'r ScoreAnswer, &'r String)>,
    ) -> io::Result<()> {
        for (label, score, query) in rows {
            score_row(&label, score, self.queries.then_some(query.as_str()), self.out)?;
        }
        Ok(())
    }

    fn meetings(&mut self, other: &HeadToHead) -> io::Result<()> {
        writeln!(self.out, "\n   game  date        colour  result       event")?;
        for met in &other.meetings {
            let event = padded(&met.event, 34);
            let result = padded(&met.result, 11);
            writeln!(
                self.out,
                "{:>7}  {:10}  {:6}  {result}  {}",
                Count(met.game).to_string(),
                met.date,
                met.colour,
                event.trim_end()
            )?;
        }
        Ok(())
    }
}

/// Returns the title of a table with how many of its rows are printed.
fn titled(title: &str, printed: usize, all: usize) -> String {
    if printed == all { title.to_owned() } else { format!("{title} ({printed} of {})", Count(all as u64)) }
}

/// Returns a range of numbers.
fn range(row: &RangeRow) -> String {
    row.from.zip(row.to).map_or_else(|| "unknown".to_owned(), |(from, to)| format!("{from}-{to}"))
}
