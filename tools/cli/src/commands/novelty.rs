//! `pdn novelty`: shows where games leave all earlier games.

use std::io::Write;

use pdn_app::Events;
use pdn_app::novelty::{FoundNovelties, NoveltyCounts, NoveltyRequest, NoveltyRow, novelty_fields};
use pdn_app::numbers::{Count, count};
use pdn_app::rows::{FoundGame, RowReader};
use pdn_index::internal::query::RowTable;
use pdn_index::query::Hit;

use crate::args::NoveltyArgs;
use crate::output::table::{self, Column};
use crate::output::{CommandResult, Exit, Output, index_exit, interrupt, sanitize};

/// Default of `--limit` for a table.
const TABLE_LIMIT: usize = 100;

/// Runs `pdn novelty`.
pub(crate) fn run(args: &NoveltyArgs, out: &mut Output) -> CommandResult {
    let request = NoveltyRequest { filter: args.games.read()?, sort: args.sort, reverse: args.reverse };
    let threads = args.threads.unwrap_or_else(pdn::default_threads);
    let needs_text = request.filter.games().reads_text();
    let index = args.searched.read().open(threads, needs_text, &mut out.context())?;
    let found = request.find(&index, threads, &interrupt::handle())?;
    if found.counts.games == 0 {
        out.problem(&request.no_match(&index, threads)?);
        return Ok(index_exit(&index, Exit::Negative));
    }
    let (table, numbers, fields) = (RowTable::new(&index)?, index.record_numbers()?, novelty_fields());
    let reader =
        RowReader { index: &index, table: &table, numbers: &numbers, fields: &fields, distances: None };
    let limit = match args.limit {
        Some(0) => usize::MAX,
        Some(limit) => limit,
        None if args.format.is_json() => usize::MAX,
        None => TABLE_LIMIT,
    };
    let hits = &found.hits[..found.hits.len().min(limit)];
    if args.format.is_json() {
        for hit in hits {
            if let Some(row) = found.row(&reader, hit)? {
                writeln!(out, "{}", sanitize::json(&row))?;
            }
        }
    } else {
        print_table(&found, &reader, hits, out)?;
    }
    Ok(index_exit(&index, if found.hits.is_empty() { Exit::Negative } else { Exit::Success }))
}

/// Prints the games as a table, and what became of all others.
fn print_table(
    found: &FoundNovelties,
    reader: &RowReader<'_>,
    hits: &[Hit],
    out: &mut Output,
) -> CommandResult<()> {
    let columns = [
        ("game", true),
        ("novelty", false),
        ("white", false),
        ("black", false),
        ("date", false),
        ("predecessor", true),
        ("date", false),
        ("white", false),
        ("black", false),
    ];
    let columns = columns.map(|(title, is_number)| Column::new(title, is_number)).into();
    let row = |hit: &Hit| Ok(found.row(reader, hit)?.map(|row| cells(&row)));
    if !hits.is_empty() {
        table::write(columns, hits, row, "see `--json`", out)?;
    }
    let NoveltyCounts { games, with_novelty, repeated, without_predecessor, without_year } = found.counts;
    let all = if (hits.len() as u64) < with_novelty {
        format!("; {} shown, `--limit 0` lists all", Count(hits.len() as u64))
    } else {
        String::new()
    };
    writeln!(out, "Leave all earlier games: {} of {}{all}.", Count(with_novelty), count(games, "game"))?;
    for (number, what) in [
        (repeated, "All positions known from earlier games"),
        (without_predecessor, "No earlier game begins as they do"),
        (without_year, "Year unknown"),
    ] {
        if number > 0 {
            writeln!(out, "{what}: {}.", Count(number))?;
        }
    }
    Ok(())
}

/// Returns the cells of a row.
fn cells(row: &NoveltyRow<'_>) -> Vec<String> {
    let of = |game: &FoundGame<'_>, name: &str| {
        let field = game.fields.iter().position(|field| field.to_string() == name);
        field.map_or_else(String::new, |field| game.values[field].cell())
    };
    let dots = if row.novelty.is_multiple_of(2) { "." } else { "..." };
    vec![
        of(&row.game, "game"),
        format!("{}{dots} {}", row.novelty / 2 + 1, row.mv),
        of(&row.game, "white"),
        of(&row.game, "black"),
        of(&row.game, "date_text"),
        of(&row.predecessor, "game"),
        of(&row.predecessor, "date_text"),
        of(&row.predecessor, "white"),
        of(&row.predecessor, "black"),
    ]
}
