//! `pdn find`: finds the games of an index that match a query.

mod groups;
mod print;

use std::io::Write;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::time::Instant;

use pdn_app::fields::{add_line, chosen_fields};
use pdn_app::find::{FindRequest, FindSearch, add_distance, keep_games};
use pdn_app::records::{RecordOptions, write_records};
use pdn_app::searched::SearchedIndex;
use pdn_app::{AppError, ErrorCode, Events};
use pdn_index::internal::query::RowTable;
use pdn_index::query::SearchStats;

use crate::args::{AddedTag, FindArgs, FindFormat};
use crate::output::{CommandResult, Exit, Output, index_exit, interrupt, sanitize};

/// Default of `--limit` for a table.
const TABLE_LIMIT: usize = 100;

/// Runs `pdn find`.
pub(crate) fn run(args: &FindArgs, out: &mut Output) -> CommandResult {
    let threads = args.threads.unwrap_or_else(pdn::default_threads);
    if let Some(by) = &args.by {
        return groups::run(args, by, threads, out);
    }
    let request = FindRequest {
        filter: args.games.read_with(Some(&args.position))?,
        sort: args.sort,
        reverse: args.reverse,
        all_plies: args.all_plies,
        sample: args.sample.map(|size| (size, args.seed)),
    };
    let format = args.format();
    check_options(args, format)?;
    let fields = chosen_fields(args.fields.as_ref(), format == FindFormat::Table);
    let reads_tags =
        fields.iter().any(pdn_app::fields::FoundField::needs_text) || request.query().reads_text();
    let needs_text = format == FindFormat::Pdn || reads_tags;
    let index = args.searched.read().open(threads, needs_text, &mut out.context())?;
    let start = Instant::now();
    let search = request.plan(&index, threads, &interrupt::handle())?;
    let found = Find { args, format, index: &index, threads, search, start };
    let exit = if args.count { found.print_count(out)? } else { found.print_hits(out)? };
    Ok(index_exit(&index, exit))
}

/// Checks options against each other.
fn check_options(args: &FindArgs, format: FindFormat) -> pdn_app::Result<()> {
    if (args.raw || !args.add.is_empty()) && format != FindFormat::Pdn {
        return Err(AppError::plain(ErrorCode::Contradiction, "`--raw` and `--add` need `--format pdn`"));
    }
    let has_fields = matches!(format, FindFormat::Table | FindFormat::Json) && !args.count;
    if args.fields.is_some() && !has_fields {
        return Err(
            AppError::plain(ErrorCode::Contradiction, "only a table and JSON have fields").in_field("fields")
        );
    }
    Ok(())
}

/// A search, and what is printed of its result.
struct Find<'a> {
    args: &'a FindArgs,
    format: FindFormat,
    index: &'a SearchedIndex,
    threads: NonZeroUsize,
    search: FindSearch<'a>,
    start: Instant,
}

impl Find<'_> {
    /// Prints the number of matches.
    fn print_count(&self, out: &mut Output) -> CommandResult {
        let (count, stats) = self.search.count()?;
        let number = count.number();
        self.explain(stats, number);
        if self.format == FindFormat::Json {
            writeln!(out, "{}", sanitize::json(&count))?;
        } else {
            writeln!(out, "{number}")?;
        }
        if count.games == 0 { self.explain_no_match(out) } else { Ok(Exit::Success) }
    }

    /// Prints the games, or their positions.
    fn print_hits(&self, out: &mut Output) -> CommandResult {
        let Self { args, format, index, threads, .. } = *self;
        let limit = match (args.limit, format) {
            (Some(0), _) => usize::MAX,
            (Some(limit), _) => limit,
            (None, FindFormat::Table) => TABLE_LIMIT,
            (None, _) => usize::MAX,
        };
        // Of several positions of a game, one is left where its record is printed. What `--explain` says of a table is of the whole search.
        let keeps_all = match format {
            FindFormat::Table => args.explain || !self.search.is_index_order(),
            FindFormat::Pdn => args.all_plies,
            FindFormat::Json | FindFormat::Fen => false,
        };
        let wanted = if keeps_all { usize::MAX } else { limit };
        let matches = self.search.matches(wanted, false)?;
        self.explain(matches.stats, matches.total);
        if matches.total == 0 && limit > 0 {
            return self.explain_no_match(out);
        }
        let (mut hits, total) = (matches.hits, matches.total);
        let (table, numbers) = (RowTable::new(index)?, index.record_numbers()?);
        if format == FindFormat::Pdn && args.all_plies {
            // Each record is printed once.
            keep_games(&mut hits);
        }
        hits.truncate(limit);
        let paths = index.paths();
        let distances = matches.distances.as_ref();
        let printer = print::Printer { index, table: &table, numbers: &numbers, distances, paths, threads };
        let fields = |is_table| {
            let mut fields = chosen_fields(args.fields.as_ref(), is_table);
            if args.fields.is_none() {
                add_line(&mut fields, self.search.query());
                add_distance(&mut fields, args.sort);
            }
            fields
        };
        let success = if hits.is_empty() { Exit::Negative } else { Exit::Success };
        match format {
            FindFormat::Table => {
                // The first rows are printed before all matches are counted.
                let counts = || {
                    let is_all = keeps_all || total < wanted as u64;
                    let total = if is_all { total } else { self.search.count()?.0.number() };
                    let are_sampled = args.sample.is_some_and(|size| (size as u64) < total);
                    Ok(print::MatchCounts {
                        number: total as usize,
                        are_positions: args.all_plies,
                        are_sampled,
                    })
                };
                printer.table(&fields(true), &hits, counts, out)?;
            }
            FindFormat::Json => printer.json(&fields(false), &hits, out)?,
            FindFormat::Fen => printer.fen(&hits, out)?,
            FindFormat::Pdn => {
                let add_game_type = args.add.contains(&AddedTag::GameType);
                let options = RecordOptions { raw: args.raw, add_game_type, threads };
                let stop = interrupt::handle();
                let mut printed = Ok(());
                let write = &mut |text: &[u8]| {
                    printed = out.write_all(text);
                    if printed.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
                };
                let written = write_records(index, &table, &hits, options, &stop, write)?;
                printed.and_then(|()| out.flush())?;
                written.problems().for_each(|problem| out.problem(&problem));
                written.remarks(args.raw).iter().for_each(|remark| out.note(remark));
                return Ok(success.max(if written.is_complete() { Exit::Success } else { Exit::Failure }));
            }
        }
        Ok(success)
    }

    /// Prints the plan and the numbers of the search if `--explain` asks for them.
    fn explain(&self, stats: SearchStats, hits: u64) {
        if self.args.explain {
            print::explain(&self.search, stats, hits, self.start.elapsed());
        }
    }

    /// Prints why no game matches.
    fn explain_no_match(&self, out: &mut Output) -> CommandResult {
        let mut problem = self.search.no_match()?;
        if self.args.games.variant.is_some()
            && self.args.searched.untagged.is_none()
            && self.index.is_temporary()
        {
            problem = problem.cured_by("untagged", "says of which variant games without a tag are");
        }
        out.problem(&problem);
        Ok(Exit::Negative)
    }
}
