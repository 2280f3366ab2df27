//! `pdn stats`: counts games by variant, result, length, tag and encoding.

use std::fmt::Write as _;
use std::io::Write;

use clap::Args;
use pdn_app::ask::numbers::{Count, count, size};
use pdn_app::check::counts_by_name::CountsByName;
use pdn_app::check::lengths::{LengthRow, LengthsAnswer};
use pdn_app::report::stats::{Statistics, StatsRequest};

use crate::args::shared::{FormatArgs, InputArgs, ReplayArgs};
use crate::output::table::Column;
use crate::output::{CommandResult, Exit, Output, sanitize, table};

#[derive(Args, Debug)]
pub(crate) struct StatsArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    #[command(flatten)]
    pub(crate) replay: ReplayArgs,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

/// Runs `pdn stats`.
pub(crate) fn run(args: &StatsArgs, out: &mut Output) -> CommandResult {
    let request = StatsRequest { inputs: args.input.read(), replay: !args.replay.no_replay };
    let stats = request.run(&mut out.context())?;
    if args.format.is_json() {
        writeln!(out, "{}", sanitize::json(&stats))?;
    } else if stats.is_complete || stats.totals.games > 0 {
        // Where nothing could be read, the errors say all there is to say.
        write!(out, "{}", tables(&stats))?;
    }
    Ok(if stats.is_complete { Exit::Success } else { Exit::Failure })
}

/// Maximum number of rows in a table.
const MAX_ROWS: usize = 20;

/// Formats the statistics as tables.
fn tables(stats: &Statistics) -> String {
    let totals = &stats.totals;
    let mut text = String::new();
    let mut overview = Vec::new();
    let mut row = |name: &str, value: u64| overview.push(vec![name.to_owned(), Count(value).to_string()]);
    row("games", totals.games);
    if totals.replayed {
        row("  legal", totals.legal);
        row("  illegal", totals.illegal);
        row("  ambiguous", totals.ambiguous);
    }
    row("  damaged", totals.damaged);
    row("  empty", totals.empty);
    row("  problems", totals.problems);
    row("  not draughts", totals.unsupported);
    row(if totals.replayed { "legal plies" } else { "moves" }, totals.plies);
    if totals.replayed {
        row("  captures", stats.parts.captures);
        row("moves written", totals.written);
    }
    row("comments", stats.parts.comments);
    row("variations", stats.parts.variations);
    row("  plies in them", stats.parts.variation_plies);
    row("setups", stats.parts.setups);
    row("  within games", stats.parts.movetext_setups);
    row("annotations", stats.parts.nags);
    row("errors", totals.errors);
    row("warnings", totals.warnings);
    let _ = writeln!(text, "{}, {}\n", count(totals.files, "file"), size(totals.bytes));
    add_table(&mut text, ["", ""], overview);
    if totals.games == 0 {
        return text;
    }
    section(&mut text, "variant", &stats.variants, totals.games);
    let inferred: u64 = stats.inferred.0.iter().map(|(_, games)| games).sum();
    if inferred > 0 {
        let _ = writeln!(text, " inferred for {}", count(inferred, "game"));
    }
    section(&mut text, "result", &stats.results, totals.games);
    section(&mut text, "encoding", &stats.encodings, totals.games);
    section(&mut text, "tag", &stats.tags, totals.games);
    length_histogram(&mut text, stats);
    if !totals.replayed {
        text.push_str("\nMoves were not replayed, so that games are not classified as legal or illegal.\n");
    }
    text
}

/// Appends a table. The second and third column are numbers.
fn add_table<const N: usize>(text: &mut String, titles: [&str; N], rows: Vec<Vec<String>>) {
    let columns = titles.iter().enumerate().map(|(n, title)| Column::new(title, n == 1 || n == 2));
    for line in table::lines(columns.collect(), rows) {
        let _ = writeln!(text, " {line}");
    }
}

/// Appends a table of counts by name with their share of all games.
fn section(text: &mut String, title: &str, counts: &CountsByName, games: u64) {
    let sorted = &counts.0;
    if sorted.is_empty() {
        return;
    }
    let row =
        |(name, count): &(String, u64)| vec![name.clone(), Count(*count).to_string(), share(*count, games)];
    text.push('\n');
    add_table(text, [title, "games", "%"], sorted.iter().take(MAX_ROWS).map(row).collect());
    if sorted.len() > MAX_ROWS {
        let _ =
            writeln!(text, " ... and {} more (`--json` lists all)", Count((sorted.len() - MAX_ROWS) as u64));
    }
}

/// Appends the histogram of game lengths.
fn length_histogram(text: &mut String, stats: &Statistics) {
    let mut rows = Vec::new();
    let steps = &stats.lengths.histogram;
    let max_games = steps.iter().map(|step| step.games).max().unwrap_or(1).max(1);
    for LengthRow { from, to, games } in steps.iter().copied().filter(|step| step.games > 0) {
        let name = match to {
            Some(to) if to == from => from.to_string(),
            Some(to) => format!("{from}-{to}"),
            None => format!("{from}-"),
        };
        let bar = "#".repeat((games * 30).div_ceil(max_games) as usize);
        rows.push(vec![name, Count(games).to_string(), share(games, stats.totals.games), bar]);
    }
    text.push('\n');
    add_table(text, ["plies", "games", "%", ""], rows);
    let LengthsAnswer { shortest, median, longest, .. } = stats.lengths;
    if let (Some(shortest), Some(median), Some(longest)) = (shortest, median, longest) {
        let _ = writeln!(text, " shortest {shortest}, median {median}, longest {longest} (games with moves)");
    }
}

/// Formats `count` as a percentage of `total`.
fn share(count: u64, total: u64) -> String {
    format!("{:.1}", 100.0 * count as f64 / total.max(1) as f64)
}
