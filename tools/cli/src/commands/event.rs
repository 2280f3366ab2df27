//! `pdn event`: the standings of an event, its cross table, and its games round by round.

use std::io;
use std::io::Write;

use clap::Args;
use pdn_app::ask::numbers::{Count, count};
use pdn_app::report::event::{EventOptions, EventReport, EventRequest, Standing, StandingResult, Standings};
use unicode_width::UnicodeWidthStr;

use super::people::{also, exactness, names, padded, spellings};
use crate::args::filter::GameFilterArgs;
use crate::args::options::OptionArgs;
use crate::args::shared::{FormatArgs, SearchedArgs, of_argument};
use crate::output::{CommandResult, Exit, Output, index_exit, interrupt, sanitize};

pub(crate) const AFTER_HELP: &str = "\
NAME is matched as in a query, `event : NAME`. If several events match, the report is about the one with the most games, and says \
which others match; 'is:NAME' means that whole name. Events of one name in several years are one event: `--date 1999` chooses a year.

There are standings for each scoring system in which results are written: 1-1/2-0, 2-1-0, with plus draws, Delfts, Goes, or ten points. \
In each of them, a result that is written in another one has the value of a win, a draw or a loss. Every player's games with a result \
count, also those of a player who withdrew, and results without moves. A game that is given twice counts once. Games of a player \
without a name count for nobody.

Between equal points decide, unless --tie-breaks says otherwise: the points in the games between these players, if each has met each; \
Sonneborn-Berger; Buchholz (also called Solkoff); the number of wins. The exit code is 1 if no game has the name.";

#[derive(Args, Debug)]
pub(crate) struct EventArgs {
    /// Name of the event: words in any order ('wk 2003'), 'is:whole name', 'begins:beginning' or 'like:misspelt'
    #[arg(value_name = "NAME")]
    name: String,

    #[command(flatten)]
    pub(crate) searched: SearchedArgs,

    #[command(flatten)]
    options: OptionArgs<EventOptions>,

    /// Print the games round by round
    #[arg(long)]
    pub(crate) by_round: bool,

    /// Print below each row the query for its games
    #[arg(long)]
    pub(crate) queries: bool,

    #[command(flatten)]
    games: GameFilterArgs,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

impl EventArgs {
    /// Returns the question.
    ///
    /// # Errors
    ///
    /// If an option or the file of names cannot be read.
    pub(crate) fn read(&self) -> pdn_app::Result<EventRequest> {
        EventRequest::with(&self.name, self.games.read()?, self.options.clone())
            .map_err(|wrong| of_argument("name", wrong))
    }
}

/// Greatest width of a cross table that is printed where there is no terminal.
const PAGE_WIDTH: usize = 80;
/// Greatest number of games that are listed as given twice.
const MOST_REPEATED: usize = 10;
/// Width of the names of players.
const NAME_WIDTH: usize = 24;

/// Runs `pdn event`.
pub(crate) fn run(args: &EventArgs, out: &mut Output) -> CommandResult {
    let request = args.read()?;
    let threads = args.searched.threads.number();
    let needs_text = request.filter.games().reads_text();
    let index = args.searched.read().open(threads, needs_text, &mut out.context())?;
    let report = super::found(request.run(&index, threads, &interrupt::handle()), out)?;
    let Some(report) = report else { return Ok(index_exit(&index, Exit::Negative)) };
    if args.format.is_json() {
        writeln!(out, "{}", sanitize::json(&report))?;
    } else {
        print(&report, args, out)?;
    }
    Ok(index_exit(&index, Exit::Success))
}

fn print(report: &EventReport, args: &EventArgs, out: &mut Output) -> io::Result<()> {
    head(report, out)?;
    for standings in &report.standings {
        let written = match standings.written {
            0 => String::new(),
            written => format!(
                " ({} of {} written so)",
                Count(written),
                count(report.counted - report.unfinished, "result")
            ),
        };
        writeln!(out, "\nStandings, {} for a win{written}", points_for_a_win(standings.win))?;
        table(standings, args.queries, out)?;
        cross_table(standings, out)?;
    }
    if args.by_round {
        rounds(report, out)?;
    }
    Ok(())
}

fn head(report: &EventReport, out: &mut Output) -> io::Result<()> {
    writeln!(out, "{}", sanitize::text(&report.event))?;
    let mut facts = vec![count(report.games, "game"), count(report.player_count as u64, "player")];
    if let (Some(first), Some(last)) = (&report.first_date, &report.last_date) {
        facts.push(if first == last { first.clone() } else { format!("{first} to {last}") });
    }
    if report.variants.len() > 1 {
        let variants = report.variants.iter().map(|row| format!("{} {}", row.variant, Count(row.games)));
        facts.push(variants.collect::<Vec<_>>().join(", "));
    }
    writeln!(out, "{}", facts.join(", "))?;
    if !report.sites.is_empty() {
        writeln!(out, "At {}.", names(&report.sites))?;
    }
    spellings(&report.spellings, out)?;
    also(&report.also, "event", out)?;
    if let [first, _, ..] = report.years.as_slice() {
        let years: Vec<String> = report
            .years
            .iter()
            .map(|row| {
                let year = row.year.map_or_else(|| "unknown".to_owned(), |year| year.to_string());
                format!("{year} ({})", Count(row.games))
            })
            .collect();
        writeln!(out, "Years: {}.", years.join(", "))?;
        if let Some(year) = first.year {
            writeln!(out, "`--date {year}` chooses one.")?;
        }
    }
    let (games, verb) = (|number| count(number, "game"), |number| if number == 1 { "is" } else { "are" });
    let repeated = report.repeated.len() as u64;
    for (number, text) in [
        (report.unfinished, "without a known result."),
        (report.unplayed, "with a result and without moves, marked `f`."),
        (report.left_out, "left out: a player has no name, or both have the same."),
    ] {
        if number > 0 {
            writeln!(out, "{} {} {text}", games(number), verb(number))?;
        }
    }
    if repeated > 0 {
        writeln!(out, "{} {} given twice and counted once:", games(repeated), verb(repeated))?;
        // Those that contradict each other first: somebody has to decide about them.
        let (other, same): (Vec<_>, Vec<_>) = report.repeated.iter().partition(|game| game.contradicts);
        for game in other.iter().chain(&same).take(MOST_REPEATED) {
            let note = if game.contradicts { ", with another result" } else { "" };
            writeln!(out, "  game {} is game {} again{note}", Count(game.game), Count(game.same_as))?;
        }
        if let Some(more) = repeated.checked_sub(MOST_REPEATED as u64).filter(|more| *more > 0) {
            writeln!(out, "  and {} more; `--json` has all", Count(more))?;
        }
    }
    exactness(report.exact, repeated > 0, out)?;
    writeln!(out, "Query: {}", sanitize::text(&report.query))
}

/// Returns points as they are written: `7`, `6.5`, `1.02`.
fn points(points: f64) -> String {
    let text = format!("{points:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Returns the points of a win with their noun.
fn points_for_a_win(win: f64) -> String {
    format!("{} {}", points(win), if win == 1.0 { "point" } else { "points" })
}

fn table(standings: &Standings, queries: bool, out: &mut Output) -> io::Result<()> {
    let has_advantages = standings.players.iter().any(|player| player.advantages != 0);
    let plus = |text: String| if has_advantages { format!(" {text:>4}") } else { String::new() };
    writeln!(
        out,
        "   # {} points{} games  won draw lost   h2h     S-B Buchh.",
        padded("player", NAME_WIDTH),
        plus("plus".to_owned()),
    )?;
    for player in &standings.players {
        let score = &player.score;
        writeln!(
            out,
            "{:>4} {} {:>6}{} {:>5} {:>4} {:>4} {:>4} {:>5} {:>7} {:>6}",
            player.rank,
            padded(&player.player, NAME_WIDTH),
            points(player.points),
            plus(format!("{:+}", player.advantages)),
            score.games,
            score.won,
            score.drawn,
            score.lost + score.both_lost,
            player.head_to_head.map_or_else(String::new, points),
            points(player.sonneborn_berger),
            points(player.buchholz),
        )?;
        if queries {
            writeln!(out, "     {}", sanitize::text(&player.query))?;
        }
    }
    Ok(())
}

/// Prints who scored what against whom, if that fits on a page.
fn cross_table(standings: &Standings, out: &mut Output) -> io::Result<()> {
    let players = &standings.players;
    let cell = |row: &Standing, column: &Standing| {
        let results = row.results.iter().filter(|result| result.opponent == column.player);
        results.map(mark).collect::<Vec<_>>().join(" ")
    };
    let column_width = |(place, column): (usize, &Standing)| {
        let cells = players.iter().map(|row| cell(row, column).width()).max().unwrap_or(0);
        cells.max((place + 1).to_string().len())
    };
    // Before anything large is computed.
    if players.len() > PAGE_WIDTH {
        return Ok(());
    }
    let widths: Vec<usize> = players.iter().enumerate().map(column_width).collect();
    let width = 5 + NAME_WIDTH + widths.iter().map(|width| width + 2).sum::<usize>();
    let available = out.terminal_width().map_or(PAGE_WIDTH, |width| width.max(PAGE_WIDTH));
    if players.len() < 2 {
        return Ok(());
    }
    if width > available {
        return writeln!(out, "The cross table is {width} columns wide; `--json` has all results.");
    }
    let numbers = (1..).zip(&widths).map(|(number, &width)| format!("  {number:>width$}"));
    writeln!(out, "\n{}{}", " ".repeat(5 + NAME_WIDTH), numbers.take(players.len()).collect::<String>())?;
    for (place, row) in players.iter().enumerate() {
        let cells = players.iter().zip(&widths).map(|(column, &width)| {
            let text = if std::ptr::eq(row, column) { "-".to_owned() } else { cell(row, column) };
            format!("  {text:>width$}")
        });
        let line =
            format!("{:>4} {}{}", place + 1, padded(&row.player, NAME_WIDTH), cells.collect::<String>());
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

/// Returns a result in a cross table: its points, `*` without any, with `f` after those of a game that was not played.
fn mark(result: &StandingResult) -> String {
    match result.points {
        None => "*".to_owned(),
        Some(own) => points(own) + if result.plies == 0 { "f" } else { "" },
    }
}

fn rounds(report: &EventReport, out: &mut Output) -> io::Result<()> {
    // A result is never cut: `1/2 - 1 1/2` would become another one.
    let games = report.rounds.iter().flat_map(|round| &round.games);
    let results = games.map(|game| sanitize::text(&game.result).width()).max().unwrap_or(0).max(9);
    for round in &report.rounds {
        match &round.round {
            Some(name) => writeln!(out, "\nRound {}", sanitize::text(name))?,
            None => writeln!(out, "\nWithout a round")?,
        }
        for game in &round.games {
            let [white, black] = [&game.white, &game.black].map(|name| padded(name, 22));
            let result = padded(&game.result, results);
            writeln!(out, "{:>7}  {white} - {black}  {result}  {}", Count(game.game).to_string(), game.date)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_written_without_needless_digits() {
        for (number, text) in [(7.0, "7"), (6.5, "6.5"), (1.02, "1.02"), (100.0, "100"), (0.0, "0")] {
            assert_eq!(points(number), text);
        }
    }
}
