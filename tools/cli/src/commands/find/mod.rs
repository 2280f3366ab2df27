//! `pdn find`: finds the games of an index that match a query.

mod fields;
mod print;
mod records;
#[cfg(feature = "serve")]
pub(super) mod served;
mod table;

use std::collections::HashSet;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use pdn::index::Index;
use pdn::pool;
use pdn::position::split_mix;
use pdn::query::{Hit, Query, RowTable, Search, SearchStats};
use serde_json::json;

use super::{filter, no_match};
use crate::args::{AddedTag, FindArgs, FindFormat, FindSort};
use crate::input::searched_index;
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
    let format = args.format();
    if let Some(message) = contradiction(args, format) {
        print_error(message);
        return Ok(Exit::Failure);
    }
    let threads = args.threads.unwrap_or_else(pool::default_threads);
    let reads_tags = args.fields.as_ref().is_some_and(fields::read_text) || query.reads_text();
    let needs_text = format == FindFormat::Pdn || reads_tags;
    let mut index = match searched_index::open(&args.searched, threads, needs_text, out) {
        Ok(index) => index,
        Err(exit) => return Ok(exit),
    };
    if let Some(root) = &args.root
        && let Err(error) = index.relocate(root)
    {
        return Ok(fail(&error));
    }
    let start = Instant::now();
    match filter::check(&query, args.position.moves.as_deref(), &index) {
        Ok(true) => {}
        Ok(false) => return Ok(Exit::Failure),
        Err(error) => return Ok(fail(&error)),
    }
    let search = match Search::new(&index, &query, threads) {
        Ok(search) => search,
        Err(error) => return Ok(fail(&error)),
    };
    let planning_time = start.elapsed();
    let found = Find { args, format, index: &index, query: &query, threads, search, start, planning_time };
    let printed = if args.count { found.print_count(out)? } else { found.print_hits(out)? };
    match printed {
        Ok(exit) => Ok(index.exit(exit)),
        Err(error) => {
            out.flush()?;
            Ok(fail(&error))
        }
    }
}

/// Returns a message if options contradict each other.
fn contradiction(args: &FindArgs, format: FindFormat) -> Option<&'static str> {
    if (args.raw || !args.add.is_empty()) && format != FindFormat::Pdn {
        return Some("`--raw` and `--add` need `--format pdn`");
    }
    let has_fields = matches!(format, FindFormat::Table | FindFormat::Json) && !args.count;
    (args.fields.is_some() && !has_fields).then_some("--fields: only a table and JSON have fields")
}

/// A search, and what is printed of its result.
struct Find<'a> {
    args: &'a FindArgs,
    format: FindFormat,
    index: &'a Index,
    query: &'a Query,
    threads: NonZeroUsize,
    search: Search<'a>,
    start: Instant,
    planning_time: Duration,
}

/// The outer error is one of the output, the inner one of the index.
type FindResult = io::Result<pdn::Result<Exit>>;

impl Find<'_> {
    /// Prints the number of matches.
    fn print_count(&self, out: &mut Output) -> FindResult {
        let counted = if self.args.all_plies {
            let hits = self.search.all_hits(usize::MAX);
            hits.map(|(hits, stats)| (count_games(&hits), Some(hits.len() as u64), stats))
        } else {
            self.search.count().map(|(games, stats)| (games, None, stats))
        };
        let (games, positions, stats) = match counted {
            Ok(counted) => counted,
            Err(error) => return Ok(Err(error)),
        };
        self.explain(stats, positions.unwrap_or(games));
        match (self.format == FindFormat::Json, positions) {
            (true, None) => writeln!(out, "{}", json!({ "games": games }))?,
            (true, Some(positions)) => {
                writeln!(out, "{}", json!({ "games": games, "positions": positions }))?;
            }
            (false, _) => writeln!(out, "{}", positions.unwrap_or(games))?,
        }
        Ok(Ok(if games == 0 { self.explain_no_match() } else { Exit::Success }))
    }

    /// Prints the games, or their positions.
    fn print_hits(&self, out: &mut Output) -> FindResult {
        let Self { args, format, index, threads, .. } = *self;
        let limit = match (args.limit, format) {
            (Some(0), _) => usize::MAX,
            (Some(limit), _) => limit,
            (None, FindFormat::Table) => TABLE_LIMIT,
            (None, _) => usize::MAX,
        };
        // A table prints the number of all matches, so that the search cannot stop at the limit.
        let is_index_order = args.sort == FindSort::Game && !args.reverse && args.sample.is_none();
        let search_limit = if is_index_order && format != FindFormat::Table { limit } else { usize::MAX };
        let found = match args.all_plies {
            true => self.search.all_hits(search_limit),
            false => self.search.hits(search_limit),
        };
        let (mut hits, stats) = match found {
            Ok(found) => found,
            Err(error) => return Ok(Err(error)),
        };
        self.explain(stats, hits.len() as u64);
        if hits.is_empty() && limit > 0 {
            return Ok(Ok(self.explain_no_match()));
        }
        let matches = print::Matches {
            number: hits.len(),
            are_positions: args.all_plies,
            are_sampled: args.sample.is_some_and(|size| size < hits.len()),
        };
        if let Some(sample) = args.sample {
            keep_sample(&mut hits, sample, args.seed);
        }
        let (table, numbers) = match (RowTable::new(index), index.record_numbers()) {
            (Ok(table), Ok(numbers)) => (table, numbers),
            (Err(error), _) | (_, Err(error)) => return Ok(Err(error)),
        };
        sort(&mut hits, &table, args);
        if format == FindFormat::Pdn && args.all_plies {
            // Each record is printed once.
            let mut seen = HashSet::new();
            hits.retain(|hit| seen.insert(hit.game));
        }
        hits.truncate(limit);
        let paths = &args.searched.paths;
        let printer = print::Printer { index, table: &table, numbers: &numbers, paths, threads };
        let fields = |is_table| fields::chosen(args.fields.as_ref(), is_table);
        let success = if hits.is_empty() { Exit::Negative } else { Exit::Success };
        let printed = match format {
            FindFormat::Table => printer.table(&fields(true), &hits, matches, out)?,
            FindFormat::Json => printer.json(&fields(false), &hits, out)?,
            FindFormat::Fen => printer.fen(&hits, out)?,
            FindFormat::Pdn => {
                let add_game_type = args.add.contains(&AddedTag::GameType);
                let options = records::RecordOptions { raw: args.raw, add_game_type, threads };
                let exit = records::write(index, &table, &hits, options, out)?;
                return Ok(Ok(exit.max(success)));
            }
        };
        Ok(printed.map(|()| success))
    }

    /// Prints the plan and the numbers of the search if `--explain` asks for them.
    fn explain(&self, stats: SearchStats, hits: u64) {
        if self.args.explain {
            print::explain(&self.search, stats, hits, self.planning_time, self.start.elapsed());
        }
    }

    /// Prints why no game matches.
    fn explain_no_match(&self) -> Exit {
        no_match::report(self.index, self.query, self.threads)
    }
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
