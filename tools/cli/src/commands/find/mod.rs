//! `pdn find`: finds the games of an index that match a query.

mod print;
mod records;

use std::io::{self, Write};
use std::time::Instant;

use pdn::index::{GameRow, Index};
use pdn::pool;
use pdn::position::split_mix;
use pdn::query::{Hit, Query, RowTable, Search, SearchStats};
use serde_json::json;

use super::filter;
use crate::args::{AddedTag, FindArgs, FindFormat, FindSort};
use crate::output::exit::{fail, print_error};
use crate::output::{Exit, Output};

/// Default of `--limit` for a table.
const TABLE_LIMIT: usize = 100;

/// Runs `pdn find`.
pub(crate) fn run(args: &FindArgs, out: &mut Output) -> io::Result<Exit> {
    let (Some(games), Some(positions)) = (args.filter.query(), args.position.query()) else {
        return Ok(Exit::Failure);
    };
    let variant = args.variant.map_or(Query::And(Vec::new()), Query::variant);
    let query = games & variant & positions;
    if (args.raw || !args.add.is_empty()) && args.format != FindFormat::Pdn {
        print_error("`--raw` and `--add` need `--format pdn`");
        return Ok(Exit::Failure);
    }
    let threads = args.threads.unwrap_or_else(pool::default_threads);
    let start = Instant::now();
    let opened = Index::open(&args.dir).and_then(|mut index| match &args.root {
        Some(root) => index.relocate(root).map(|()| index),
        None => Ok(index),
    });
    let index = match opened {
        Ok(index) => index,
        Err(error) => return Ok(fail(&error)),
    };
    if !filter::check_moves(&query, args.position.moves.as_deref(), &index) {
        return Ok(Exit::Failure);
    }
    let search = match Search::new(&index, &query, threads) {
        Ok(search) => search,
        Err(error) => return Ok(fail(&error)),
    };
    let planning_time = start.elapsed();
    let explain = |stats: SearchStats, hits: u64| {
        if args.explain {
            print::explain(&search, stats, hits, planning_time, start.elapsed());
        }
    };
    if args.count {
        let (hits, stats) = match search.count() {
            Ok(counted) => counted,
            Err(error) => return Ok(fail(&error)),
        };
        explain(stats, hits);
        if args.json {
            writeln!(out, "{}", json!({ "games": hits }))?;
        } else {
            writeln!(out, "{hits}")?;
        }
        return Ok(if hits == 0 { Exit::Negative } else { Exit::Success });
    }
    let format = if args.json { FindFormat::Jsonl } else { args.format };
    let limit = match (args.limit, format) {
        (Some(0), _) => usize::MAX,
        (Some(limit), _) => limit,
        (None, FindFormat::Table) => TABLE_LIMIT,
        (None, _) => usize::MAX,
    };
    // A table prints the number of all matches, so that the search cannot stop at the limit.
    let is_index_order = args.sort == FindSort::Game && !args.reverse && args.sample.is_none();
    let search_limit = if is_index_order && format != FindFormat::Table { limit } else { usize::MAX };
    let (mut hits, stats) = match search.hits(search_limit) {
        Ok(found) => found,
        Err(error) => return Ok(fail(&error)),
    };
    explain(stats, hits.len() as u64);
    let match_count = hits.len();
    if let Some(sample) = args.sample {
        keep_sample(&mut hits, sample, args.seed);
    }
    let table = match RowTable::new(&index) {
        Ok(table) => table,
        Err(error) => return Ok(fail(&error)),
    };
    sort(&mut hits, &table, args);
    hits.truncate(limit);
    let printer = print::Printer { index: &index, table: &table };
    let printed = match format {
        FindFormat::Table => printer.table(&hits, match_count, out)?,
        FindFormat::Jsonl => printer.jsonl(&hits, out)?,
        FindFormat::Fen => printer.fen(&hits, out)?,
        FindFormat::Pdn => {
            let add_game_type = args.add.contains(&AddedTag::GameType);
            let options = records::RecordOptions { raw: args.raw, add_game_type, threads };
            let exit = records::write(&index, &table, &hits, options, out)?;
            return Ok(if hits.is_empty() { Exit::Negative } else { exit });
        }
    };
    match printed {
        Ok(()) if hits.is_empty() => Ok(Exit::Negative),
        Ok(()) => Ok(Exit::Success),
        Err(error) => {
            out.flush()?;
            Ok(fail(&error))
        }
    }
}

/// Keeps `size` games, chosen at random by the seed and the numbers of the games alone.
fn keep_sample(hits: &mut Vec<Hit>, size: usize, seed: u64) {
    if size < hits.len() {
        hits.sort_by_cached_key(|hit| split_mix(seed, hit.game));
        hits.truncate(size);
        hits.sort_unstable();
    }
}

/// Sorts the hits as `--sort` and `--reverse` demand.
fn sort(hits: &mut [Hit], table: &RowTable<'_>, args: &FindArgs) {
    let by_text = |hits: &mut [Hit], text: fn(&GameRow<'_>) -> String| {
        hits.sort_by_cached_key(|hit| table.row(hit.game).map(|row| text(&row)));
    };
    match args.sort {
        FindSort::Game => {}
        FindSort::Date => hits.sort_by_cached_key(|hit| table.row(hit.game).map(|row| row.date)),
        FindSort::White => by_text(hits, |row| pdn::names::fold(row.white)),
        FindSort::Black => by_text(hits, |row| pdn::names::fold(row.black)),
        FindSort::Event => by_text(hits, |row| pdn::names::fold(row.event)),
        FindSort::Rating => hits.sort_by_cached_key(|hit| {
            table.row(hit.game).map(|row| u32::from(row.ratings[0]) + u32::from(row.ratings[1]))
        }),
        FindSort::Plies => hits.sort_by_cached_key(|hit| table.row(hit.game).map(|row| row.plies)),
        FindSort::Ply => hits.sort_by_key(|hit| hit.ply),
    }
    if args.reverse {
        hits.reverse();
    }
}
