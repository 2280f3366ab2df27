//! Statistics as JSON and as tables.

use std::fmt::Write;

use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, Table};
use indicatif::HumanCount;
use serde_json::{Map, Value, json};

use super::{Stats, Tally};
use crate::clean::clean;
use crate::totals::{count, size};

/// One object with the keys of the contract.
pub(super) fn json(stats: &Stats) -> Value {
    let mut object = stats.totals.json();
    let (shortest, median, longest) = stats.lengths.extremes().unzip3();
    let histogram: Vec<_> = stats
        .lengths
        .histogram()
        .into_iter()
        .map(|(from, to, games)| json!({ "from": from, "to": to, "games": games }))
        .collect();
    let more = json!({
        "variants": tally(&stats.variants),
        "results": tally(&stats.results),
        "captures": stats.parts.captures,
        "comments": stats.parts.comments,
        "variations": stats.parts.variations,
        "variation_plies": stats.parts.variation_plies,
        "setups": stats.parts.setups,
        "nags": stats.parts.nags,
        "encodings": tally(&stats.encodings),
        "lengths": { "shortest": shortest, "median": median, "longest": longest, "histogram": histogram },
        "tags": tally(&stats.tags),
    });
    if let Value::Object(more) = more {
        object.extend(more);
    }
    Value::Object(object)
}

fn tally(tally: &Tally) -> Value {
    Value::Object(
        tally
            .sorted()
            .into_iter()
            .map(|(name, count)| (name.to_owned(), count.into()))
            .collect::<Map<_, _>>(),
    )
}

/// Most rows of one table.
const ROWS: usize = 20;

/// Tables for people.
pub(super) fn human(stats: &Stats) -> String {
    let totals = &stats.totals;
    let mut text = String::new();
    let mut overview = table();
    let mut row = |name: &str, value: u64| {
        overview.add_row([name.to_owned(), HumanCount(value).to_string()]);
    };
    row("games", totals.games);
    if totals.replayed {
        row("  legal", totals.legal);
        row("  illegal", totals.illegal);
        row("  ambiguous", totals.ambiguous);
    }
    row("  damaged", totals.damaged);
    row("  empty", totals.empty);
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
    row("annotations", stats.parts.nags);
    row("errors", totals.errors);
    row("warnings", totals.warnings);
    right(&mut overview);
    let _ = writeln!(text, "{}, {}\n\n{overview}", count(totals.files, "file"), size(totals.bytes));
    if totals.games == 0 {
        return without_trailing_blanks(&text);
    }
    section(&mut text, "variant", &stats.variants, totals.games);
    let inferred: u64 = totals.by_variant().map(|(_, _, inferred)| inferred).sum();
    if inferred > 0 {
        let _ = writeln!(text, " inferred for {}", count(inferred, "game"));
    }
    section(&mut text, "result", &stats.results, totals.games);
    section(&mut text, "encoding", &stats.encodings, totals.games);
    section(&mut text, "tag", &stats.tags, totals.games);
    lengths(&mut text, stats);
    let mut text = without_trailing_blanks(&text);
    if !totals.replayed {
        text.push_str("\nNo move was replayed, so nothing is said about legal and illegal games.\n");
    }
    text
}

/// Tables pad their last column too.
fn without_trailing_blanks(text: &str) -> String {
    text.lines().flat_map(|line| [line.trim_end(), "\n"]).collect()
}

/// Counts and shares of all games.
fn section(text: &mut String, title: &str, tally: &Tally, games: u64) {
    let mut rows = table();
    rows.set_header([title, "games", "%"]);
    let sorted = tally.sorted();
    for (name, count) in sorted.iter().take(ROWS) {
        rows.add_row([clean(name).into_owned(), HumanCount(*count).to_string(), share(*count, games)]);
    }
    right(&mut rows);
    let _ = writeln!(text, "\n{rows}");
    if sorted.len() > ROWS {
        let _ = writeln!(text, " ... and {} more (`--json` has all)", sorted.len() - ROWS);
    }
}

fn lengths(text: &mut String, stats: &Stats) {
    let mut rows = table();
    rows.set_header(["plies", "games", "%", ""]);
    let histogram = stats.lengths.histogram();
    let most = histogram.iter().map(|row| row.2).max().unwrap_or(1).max(1);
    for (from, to, games) in histogram.into_iter().filter(|row| row.2 > 0) {
        let name = match to {
            Some(to) if to == from => from.to_string(),
            Some(to) => format!("{from}-{to}"),
            None => format!("{from}-"),
        };
        let bar = "#".repeat((games * 30).div_ceil(most) as usize);
        rows.add_row([name, HumanCount(games).to_string(), share(games, stats.totals.games), bar]);
    }
    right(&mut rows);
    let _ = writeln!(text, "\n{rows}");
    if let Some((shortest, median, longest)) = stats.lengths.extremes() {
        let _ = writeln!(text, " shortest {shortest}, median {median}, longest {longest} (games with moves)");
    }
}

fn share(count: u64, of: u64) -> String {
    format!("{:.1}", 100.0 * count as f64 / of.max(1) as f64)
}

fn table() -> Table {
    let mut table = Table::new();
    table.load_style(NOTHING);
    table
}

/// Numbers stand under each other.
fn right(table: &mut Table) {
    for column in table.column_iter_mut().skip(1).take(2) {
        column.set_cell_alignment(CellAlignment::Right);
    }
}

/// Three options of one.
trait Unzip3<T> {
    fn unzip3(self) -> (Option<T>, Option<T>, Option<T>);
}

impl<T> Unzip3<T> for Option<(T, T, T)> {
    fn unzip3(self) -> (Option<T>, Option<T>, Option<T>) {
        match self {
            Some((a, b, c)) => (Some(a), Some(b), Some(c)),
            None => (None, None, None),
        }
    }
}
