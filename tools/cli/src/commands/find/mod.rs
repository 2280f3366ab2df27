//! `pdn find`: finds the games of an index that match a query.

mod fields;
mod print;

use std::collections::HashSet;
use std::io::{self, Write};
use std::time::Instant;

use pdn::error::ErrorKind;
use pdn::index::{Index, Section};
use pdn::pool;
use pdn::position::split_mix;
use pdn::query::{Hit, Query, RowTable, Search, SearchStats};
use serde_json::json;

use super::filter;
use crate::args::{FindArgs, FindFormat, FindSort};
use crate::output::exit::{fail, print_error};
use crate::output::{Exit, Output, sanitize};

/// Default of `--limit` for a table.
const TABLE_LIMIT: usize = 100;

/// Runs `pdn find`.
pub(crate) fn run(args: &FindArgs, out: &mut Output) -> io::Result<Exit> {
    let (Some(games), Some(positions)) = (args.filter.query(), args.position.query()) else {
        return Ok(Exit::Failure);
    };
    let variant = args.variant.map_or(Query::And(Vec::new()), Query::variant);
    let query = games & variant & positions;
    let threads = args.threads.unwrap_or_else(pool::default_threads);
    let start = Instant::now();
    let index = match Index::open(&args.dir) {
        Ok(index) => index,
        Err(error) => return Ok(report(&error)),
    };
    match filter::check(&query, args.position.moves.as_deref(), &index) {
        Ok(true) => {}
        Ok(false) => return Ok(Exit::Failure),
        Err(error) => return Ok(report(&error)),
    }
    let search = match Search::new(&index, &query, threads) {
        Ok(search) => search,
        Err(error) => return Ok(report(&error)),
    };
    let planning_time = start.elapsed();
    let explain = |stats: SearchStats, hits: u64| {
        if args.explain {
            print::explain(&search, stats, hits, planning_time, start.elapsed());
        }
    };
    if args.count {
        let counted = if args.all_plies {
            search
                .all_hits(usize::MAX)
                .map(|(hits, stats)| (count_games(&hits), Some(hits.len() as u64), stats))
        } else {
            search.count().map(|(games, stats)| (games, None, stats))
        };
        let (games, positions, stats) = match counted {
            Ok(counted) => counted,
            Err(error) => return Ok(report(&error)),
        };
        explain(stats, positions.unwrap_or(games));
        match (args.json, positions) {
            (true, None) => writeln!(out, "{}", json!({ "games": games }))?,
            (true, Some(positions)) => {
                writeln!(out, "{}", json!({ "games": games, "positions": positions }))?;
            }
            (false, _) => writeln!(out, "{}", positions.unwrap_or(games))?,
        }
        return Ok(if games == 0 { Exit::Negative } else { Exit::Success });
    }
    let format = if args.json { FindFormat::Jsonl } else { args.format };
    if args.fields.is_some() && matches!(format, FindFormat::Pdn | FindFormat::Fen) {
        print_error("--fields: only a table and JSON have fields");
        return Ok(Exit::Failure);
    }
    let limit = match (args.limit, format) {
        (Some(0), _) => usize::MAX,
        (Some(limit), _) => limit,
        (None, FindFormat::Table) => TABLE_LIMIT,
        (None, _) => usize::MAX,
    };
    // A table prints the number of all matches, so that the search cannot stop at the limit.
    let is_index_order = args.sort == FindSort::Game && !args.reverse && args.sample.is_none();
    let search_limit = if is_index_order && format != FindFormat::Table { limit } else { usize::MAX };
    let found = if args.all_plies { search.all_hits(search_limit) } else { search.hits(search_limit) };
    let (mut hits, stats) = match found {
        Ok(found) => found,
        Err(error) => return Ok(report(&error)),
    };
    explain(stats, hits.len() as u64);
    let match_count = if args.all_plies {
        print::Matches::Positions(hits.len())
    } else {
        print::Matches::Games(hits.len())
    };
    if let Some(sample) = args.sample {
        keep_sample(&mut hits, sample, args.seed);
    }
    let table = match RowTable::new(&index) {
        Ok(table) => table,
        Err(error) => return Ok(report(&error)),
    };
    sort(&mut hits, &table, args);
    if format == FindFormat::Pdn && args.all_plies {
        // Each record is printed once.
        let mut seen = HashSet::new();
        hits.retain(|hit| seen.insert(hit.game));
    }
    hits.truncate(limit);
    let printer = print::Printer { index: &index, table: &table, threads };
    let printed = match (format, &args.fields) {
        (FindFormat::Table, Some(list)) => {
            printer.table_of(&fields::chosen(list, true), &hits, match_count, out)?
        }
        (FindFormat::Jsonl, Some(list)) => printer.jsonl_of(&fields::chosen(list, false), &hits, out)?,
        (FindFormat::Table, None) => printer.table(&hits, match_count, out)?,
        (FindFormat::Jsonl, None) => printer.jsonl(&hits, out)?,
        (FindFormat::Fen, _) => printer.fen(&hits, out)?,
        (FindFormat::Pdn, _) => match check_archives(&index) {
            Ok(()) => printer.pdn(&hits, out)?,
            Err(error) => Err(error),
        },
    };
    match printed {
        Ok(()) if hits.is_empty() => Ok(Exit::Negative),
        Ok(()) => Ok(Exit::Success),
        Err(error) => {
            out.flush()?;
            Ok(report(&error))
        }
    }
}

/// Prints an error, with advice if an archive has changed, and returns [`Exit::Failure`].
fn report(error: &pdn::Error) -> Exit {
    if !matches!(error.kind(), ErrorKind::ArchiveChanged(_)) {
        return fail(error);
    }
    print_error(&format!(
        "{}\n  the index can still be searched, but not print the records; index the archive again (`pdn index ARCHIVE \
         -o DIR`), or store the text in the index (`--embed`)",
        sanitize::text(&error.to_string())
    ));
    Exit::Failure
}

/// Checks that the archives have not changed, unless the index itself contains the text of all games.
///
/// # Errors
///
/// The first archive that is missing or has changed.
fn check_archives(index: &Index) -> pdn::Result<()> {
    if index.segments().iter().all(|segment| segment.has(Section::Text)) {
        return Ok(());
    }
    index.inputs().iter().try_for_each(pdn::index::IndexedInput::check)
}

/// Returns the number of different games among hits in the order of the index.
fn count_games(hits: &[Hit]) -> u64 {
    hits.chunk_by(|one, other| one.game == other.game).count() as u64
}

/// Keeps `size` games, chosen at random by the seed and the numbers of the games alone.
fn keep_sample(hits: &mut Vec<Hit>, size: usize, seed: u64) {
    if size < hits.len() {
        hits.sort_by_cached_key(|hit| split_mix(seed, hit.game));
        hits.truncate(size);
        hits.sort_unstable();
    }
}

/// Sorts the hits as `--sort` and `--reverse` demand. Games whose value is unknown come last in both directions.
fn sort(hits: &mut Vec<Hit>, table: &RowTable<'_>, args: &FindArgs) {
    let row = |hit: &Hit| table.row(hit.game);
    let text = |text: &str| Some(pdn::names::fold(text)).filter(|folded| !folded.is_empty());
    match args.sort {
        FindSort::Game if !args.reverse => {}
        FindSort::Game => hits.reverse(),
        FindSort::Date => {
            sort_by(hits, args.reverse, |hit| {
                row(hit).map(|row| row.date).filter(|date| date.year().is_some())
            });
        }
        FindSort::White => sort_by(hits, args.reverse, |hit| text(row(hit)?.white)),
        FindSort::Black => sort_by(hits, args.reverse, |hit| text(row(hit)?.black)),
        FindSort::Event => sort_by(hits, args.reverse, |hit| text(row(hit)?.event)),
        FindSort::Rating => sort_by(hits, args.reverse, |hit| {
            let [white, black] = row(hit)?.ratings;
            (white != 0 && black != 0).then(|| u32::from(white) + u32::from(black))
        }),
        FindSort::Plies => sort_by(hits, args.reverse, |hit| row(hit).map(|row| row.plies)),
        FindSort::Ply => sort_by(hits, args.reverse, |hit| Some(hit.ply)),
    }
}

/// Sorts hits by a key, those without one last; hits with equal keys keep their order.
fn sort_by<K: Ord>(hits: &mut Vec<Hit>, reverse: bool, key: impl Fn(&Hit) -> Option<K>) {
    let mut keyed: Vec<(Option<K>, Hit)> = hits.iter().map(|hit| (key(hit), *hit)).collect();
    keyed.sort_by(|(one, _), (other, _)| match (one, other) {
        (Some(one), Some(other)) if reverse => other.cmp(one),
        (Some(one), Some(other)) => one.cmp(other),
        (one, other) => one.is_none().cmp(&other.is_none()),
    });
    *hits = keyed.into_iter().map(|(_, hit)| hit).collect();
}
