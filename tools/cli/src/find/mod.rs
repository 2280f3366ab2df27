//! `pdn find`: the games of an index that answer a question.

mod args;
mod print;

use std::io::{self, Write};
use std::time::Instant;

use pdn::error::ErrorKind;
use pdn::index::{GameRow, Index, Section};
use pdn::pool;
use pdn::query::{Hit, Query, RowTable, Search, SearchStats};
use serde_json::json;

pub(crate) use args::{FIND_HELP, FindArgs};
use args::{FindFormat, SortKey};

use crate::clean;
use crate::exit::{Exit, complain};
use crate::filter;
use crate::output::Output;
use crate::totals::count;

/// Games in a table unless `--limit` says otherwise.
const TABLE_LIMIT: usize = 100;

/// Runs `pdn find`.
pub(crate) fn run(args: &FindArgs, out: &mut Output) -> io::Result<Exit> {
    let (Some(games), Some(positions)) = (args.filter.query(), args.position.query()) else {
        return Ok(Exit::Failed);
    };
    let variant = args.variant.map_or(Query::And(Vec::new()), Query::variant);
    let query = games & variant & positions;
    let threads = args.threads.unwrap_or_else(pool::default_threads);
    let start = Instant::now();
    let index = match Index::open(&args.dir) {
        Ok(index) => index,
        Err(error) => return Ok(failed(&error)),
    };
    if !filter::playable(&query, args.position.moves.as_deref(), &index) {
        return Ok(Exit::Failed);
    }
    let search = match Search::new(&index, &query, threads) {
        Ok(search) => search,
        Err(error) => return Ok(failed(&error)),
    };
    let planned = start.elapsed();
    let explain = |effort: SearchStats, hits: u64| {
        if args.explain {
            print::explain(&search, effort, hits, planned, start.elapsed());
        }
    };
    if args.count {
        let (hits, effort) = match search.count(threads) {
            Ok(done) => done,
            Err(error) => return Ok(failed(&error)),
        };
        explain(effort, hits);
        if args.json {
            writeln!(out, "{}", json!({ "games": hits }))?;
        } else {
            writeln!(out, "{hits}")?;
        }
        return Ok(if hits == 0 { Exit::Findings } else { Exit::Done });
    }
    let format = if args.json { FindFormat::Jsonl } else { args.format };
    let limit = match (args.limit, format) {
        (Some(0), _) => usize::MAX,
        (Some(limit), _) => limit,
        (None, FindFormat::Table) => TABLE_LIMIT,
        (None, _) => usize::MAX,
    };
    // A table says how many there are in all, so that all are looked for.
    let in_order = args.sort == SortKey::Game && !args.reverse && args.sample.is_none();
    let wanted = if in_order && format != FindFormat::Table { limit } else { usize::MAX };
    let (mut hits, effort) = match search.hits(threads, wanted) {
        Ok(done) => done,
        Err(error) => return Ok(failed(&error)),
    };
    explain(effort, hits.len() as u64);
    let all = hits.len();
    if let Some(sample) = args.sample {
        choose(&mut hits, sample, args.seed);
    }
    let table = match RowTable::new(&index) {
        Ok(table) => table,
        Err(error) => return Ok(failed(&error)),
    };
    sort(&mut hits, &table, args);
    hits.truncate(limit);
    let printer = print::Printer { index: &index, table: &table };
    let done = match format {
        FindFormat::Table => printer.table(&hits, all, out)?,
        FindFormat::Jsonl => printer.jsonl(&hits, out)?,
        FindFormat::Fen => printer.fen(&hits, out)?,
        FindFormat::Pdn => match fresh(&index) {
            Ok(()) => printer.pdn(&hits, out)?,
            Err(error) => Err(error),
        },
    };
    match done {
        Ok(()) if hits.is_empty() => Ok(Exit::Findings),
        Ok(()) => Ok(Exit::Done),
        Err(error) => {
            out.flush()?;
            Ok(failed(&error))
        }
    }
}

/// Says what is wrong, and what to do where that is known.
fn failed(error: &pdn::Error) -> Exit {
    let text = clean::clean(&error.to_string()).into_owned();
    let advice = match error.kind() {
        ErrorKind::ArchiveChanged(_) => {
            "\n  the index still answers questions, but not with text; index the archive again (`pdn index ARCHIVE -o \
             DIR`), or keep the text in the index (`--embed`)"
        }
        _ => "",
    };
    complain(&format!("{text}{advice}"));
    Exit::Failed
}

/// Whether the archives are what they were, as far as texts are to be read from them.
fn fresh(index: &Index) -> pdn::Result<()> {
    if index.segments().iter().all(|segment| segment.has(Section::Text)) {
        return Ok(());
    }
    index.inputs().iter().try_for_each(pdn::index::IndexedInput::check)
}

/// Keeps so many games, chosen by the seed and their numbers alone.
fn choose(hits: &mut Vec<Hit>, sample: usize, seed: u64) {
    let key = |hit: &Hit| {
        // SplitMix64.
        let mut z = seed.wrapping_add((hit.game + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    if sample < hits.len() {
        hits.sort_by_cached_key(key);
        hits.truncate(sample);
        hits.sort_unstable();
    }
}

fn sort(hits: &mut [Hit], table: &RowTable<'_>, args: &FindArgs) {
    let by_text = |hits: &mut [Hit], text: fn(&GameRow<'_>) -> String| {
        hits.sort_by_cached_key(|hit| table.row(hit.game).map(|row| text(&row)));
    };
    match args.sort {
        SortKey::Game => {}
        SortKey::Date => hits.sort_by_cached_key(|hit| table.row(hit.game).map(|row| row.date)),
        SortKey::White => by_text(hits, |row| pdn::names::fold(row.white)),
        SortKey::Black => by_text(hits, |row| pdn::names::fold(row.black)),
        SortKey::Event => by_text(hits, |row| pdn::names::fold(row.event)),
        SortKey::Rating => hits.sort_by_cached_key(|hit| {
            table.row(hit.game).map(|row| u32::from(row.ratings[0]) + u32::from(row.ratings[1]))
        }),
        SortKey::Plies => hits.sort_by_cached_key(|hit| table.row(hit.game).map(|row| row.plies)),
        SortKey::Ply => hits.sort_by_key(|hit| hit.ply),
    }
    if args.reverse {
        hits.reverse();
    }
}

/// Games in words.
fn games(number: usize) -> String {
    count(number as u64, "game")
}
