//! `pdn index`: replays archives and builds a searchable index.
//!
//! The library does the work. A run that is stopped at any moment, by Ctrl-C too, leaves an existing index unchanged: the
//! new one replaces it by a rename at the end.

use std::collections::BTreeMap;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use pdn::archive::Archive;
use pdn::diag::Code;
use pdn::index::{self, ImportOptions, ImportProgress, ImportSummary, Index, SegmentOptions};
use pdn::pool;
use pdn::replay::GameStatus;
use pdn::source::{OpenOptions, is_stream, require_text, walk};
use serde_json::{Map, Value, json};

use super::key_tables::{self, PresentTables};
use crate::args::IndexArgs;
use crate::input::skipped;
use crate::output::exit::{fail, print_error, without_numbers};
use crate::output::{CommandResult, Exit, Output, interrupt, sanitize};
use pdn_app::Events;
use pdn_app::numbers::{Count, count, plies, rounded, size};
use pdn_app::searched::import_failure;

/// Runs `pdn index`.
pub(crate) fn run(args: &IndexArgs, out: &mut Output) -> CommandResult {
    let open = OpenOptions::new().map(args.input.mmap.into()).encoding(args.input.encoding);
    if args.output.is_file() {
        print_error(&format!("{}: a file; an index is a folder", sanitize::path(&args.output)));
        return Ok(Exit::Failure);
    }
    let mut paths = walk(args.input.paths.iter().cloned());
    let files: Vec<PathBuf> = paths.by_ref().filter_map(Result::ok).collect();
    skipped::report(paths.skipped(), out);
    let mut errors = Vec::new();
    // With `--prune`, there may be no file left.
    let needs_file = !args.prune || !args.output.is_dir();
    if needs_file
        && !files.iter().any(|file| check_readable(file, &open).map_err(|error| errors.push(error)).is_ok())
    {
        // An existing index must not be replaced by an empty one.
        for error in &errors {
            print_error(&sanitize::text(&error.to_string()));
        }
        for path in args.input.paths.iter().filter(|path| !files.iter().any(|file| file.starts_with(path))) {
            let reason = match path.metadata() {
                Ok(metadata) if metadata.is_dir() => "no PDN file in this folder".to_owned(),
                Ok(_) => "cannot be read".to_owned(),
                Err(error) => error.to_string(),
            };
            print_error(&format!("{}: {reason}", sanitize::path(path)));
        }
        return Ok(Exit::Failure);
    }
    let threads = args.input.threads.unwrap_or_else(pool::default_threads);
    let mut options = ImportOptions::default();
    options.threads = threads;
    options.open = open;
    options.replay.variant = args.variant;
    options.append = args.append;
    options.prune = args.prune;
    options.root.clone_from(&args.root);
    let mut layout = SegmentOptions::default();
    layout.embed = args.embed;
    options.segments = layout;

    let present = args.append.then(|| PresentTables::of(&args.output));
    let wants_tables = args.positions || present.is_some_and(|present| present.has_keys);
    let kept_book = present.filter(|present| present.has_keys && !args.positions || present.book_games > 0);
    let book_games =
        args.book.unwrap_or_else(|| kept_book.map_or(DEFAULT_BOOK_GAMES, |present| present.book_games));
    let has_stream = files.iter().any(|path| is_stream(path));
    let bytes = files.iter().map(|path| path.metadata().map_or(0, |metadata| metadata.len())).sum();
    out.start_progress((!has_stream).then_some(bytes));
    interrupt::install_handler();
    let start = Instant::now();
    let mut progress_bar = TotalProgress::default();
    let imported = index::import_with(args.input.paths.iter().cloned(), &args.output, &options, |progress| {
        progress_bar.show(progress, start.elapsed(), out);
        if interrupt::is_requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    out.end_progress();
    let seconds = start.elapsed().as_secs_f64();
    let summary = match imported {
        Ok(summary) => summary,
        Err(_) if interrupt::is_requested() => return Ok(interrupt::report_unchanged(&args.output)),
        Err(error) => return Ok(fail(&error)),
    };
    summary.failures.iter().for_each(|failure| out.problem(&import_failure(failure)));
    report_missing(&summary, args.prune, out);
    let tables_start = Instant::now();
    let tables =
        match wants_tables.then(|| key_tables::build(&args.output, threads, book_games, out)).transpose() {
            Ok(tables) => tables.map(|built| (built, tables_start.elapsed().as_secs_f64())),
            Err(_) if interrupt::is_requested() => {
                print_error("stopped; the games are indexed, without key tables");
                return Ok(Exit::Interrupted);
            }
            Err(error) => return Ok(fail(&error)),
        };
    let mut summary = summary;
    // With the key tables.
    summary.index_bytes = Index::open(&args.output).map_or(summary.index_bytes, |index| index.disk_bytes());
    if args.format.is_json() {
        let mut object = summary_json(&summary, seconds, threads.get());
        if let (Some((built, seconds)), Value::Object(object)) = (tables, &mut object) {
            object.insert("positions".to_owned(), built.entries.into());
            object.insert("positions_bytes".to_owned(), built.bytes.into());
            object.insert("positions_seconds".to_owned(), seconds.into());
            object.insert("book_positions".to_owned(), built.book_positions.into());
            object.insert("book_bytes".to_owned(), built.book_bytes.into());
        }
        writeln!(out, "{}", sanitize::json(&object))?;
    } else {
        write!(out, "{}", summary_text(&summary, seconds, threads.get(), &args.output))?;
        if let Some((built, seconds)) = tables {
            writeln!(
                out,
                "Of these, {} are key tables with {} entries, made in {seconds:.2} s.",
                size(built.bytes),
                Count(built.entries)
            )?;
            if built.book_positions > 0 {
                let positions = count(built.book_positions, "position");
                writeln!(out, "The book has the trees of {positions}, {}.", size(built.book_bytes))?;
            }
        }
    }
    Ok(if summary.failures.is_empty() { Exit::Success } else { Exit::Failure })
}

/// Number of games from which on a position is in the book, if `--book` is not given.
const DEFAULT_BOOK_GAMES: u64 = 1000;

/// Number of missing files that are listed by name.
const MISSING_LISTED: usize = 10;

/// Reports the files of the index that no longer exist.
fn report_missing(summary: &ImportSummary, is_pruned: bool, out: &Output) {
    if summary.missing.is_empty() {
        return;
    }
    let files = count(summary.missing.len() as u64, "file");
    let mut message = if is_pruned {
        format!("{files} of the index no longer there; all games of them left it:")
    } else {
        format!(
            "{files} of the index no longer there; games stay until `--prune`, or `--root` names a new folder:"
        )
    };
    for path in summary.missing.iter().take(MISSING_LISTED) {
        message += &format!("\n  {}", sanitize::path(path));
    }
    if let Some(more @ 1..) = summary.missing.len().checked_sub(MISSING_LISTED) {
        message += &format!("\n  and {}", count(more as u64, "other file"));
    }
    out.print_error(&message);
}

/// Checks that a file contains text in at least one of its inputs. Empty files and streams pass without a check.
///
/// # Errors
///
/// The first error of an input that cannot be read or is not text.
fn check_readable(file: &Path, open: &OpenOptions) -> pdn::Result<()> {
    if is_stream(file) {
        return Ok(());
    }
    let mut first_error = None;
    for batch in Archive::open_with(file, open)?.batches() {
        let checked = match batch {
            Ok(batch) if !batch.begins_input() => continue,
            Ok(batch) => require_text(batch.bytes()).map_err(|error| error.at(batch.name())),
            Err(error) => Err(error),
        };
        match checked {
            Ok(()) => return Ok(()),
            Err(error) => first_error = first_error.or(Some(error)),
        }
    }
    first_error.map_or(Ok(()), Err)
}

/// The progress of all files together, from the progress of single files.
#[derive(Default)]
struct TotalProgress {
    /// Bytes of the files before the current one.
    before: u64,
    /// Bytes read and total bytes of the current file.
    current: (u64, u64),
}

impl TotalProgress {
    /// Updates the progress bar.
    fn show(&mut self, progress: &ImportProgress<'_>, elapsed: Duration, out: &mut Output) {
        let total = progress.total.unwrap_or(0);
        if progress.read < self.current.0 || total != self.current.1 {
            self.before += self.current.1;
        }
        self.current = (progress.read, total);
        let rate = progress.games as f64 / elapsed.as_secs_f64().max(1e-3);
        out.set_progress(self.before + progress.read);
        out.set_progress_message(&format!(
            "{} games, {} games/s",
            rounded(progress.games as f64),
            rounded(rate)
        ));
    }
}

/// Iterates over the statuses, as words for several games, and their numbers of games.
fn statuses(summary: &ImportSummary) -> impl Iterator<Item = (&'static str, u64)> {
    GameStatus::ALL.iter().map(|&status| {
        let name = if status == GameStatus::Problem { "problems" } else { status.name() };
        (name, summary.with_status(status))
    })
}

/// Returns the summary as a JSON object.
fn summary_json(summary: &ImportSummary, seconds: f64, threads: usize) -> Value {
    let rate = |number: u64| number as f64 / seconds.max(1e-9);
    let mut object = Map::new();
    object.insert("games".to_owned(), summary.games.into());
    object.insert("plies".to_owned(), summary.plies.into());
    object.extend(statuses(summary).map(|(name, games)| (name.to_owned(), games.into())));
    let more = json!({
        "bytes": summary.bytes,
        "seconds": seconds,
        "games_per_second": rate(summary.games),
        "plies_per_second": rate(summary.plies),
        "mb_per_second": rate(summary.bytes) / 1e6,
        "threads": threads,
        "index_bytes": summary.index_bytes,
        "index_games": summary.index_games,
        "files": summary.files,
        "unchanged": summary.unchanged,
        "replaced": summary.replaced,
        "retired": summary.retired,
        "missing": summary.missing.iter().map(|path| path.to_string_lossy()).collect::<Vec<_>>(),
        "failed": summary.failures.iter().map(|failure| failure.name.to_string_lossy()).collect::<Vec<_>>(),
        "failures": summary.failures.iter().map(|failure| json!({
            "file": failure.name.to_string_lossy(),
            "error": without_numbers(&failure.error.kind().to_string()),
        })).collect::<Vec<_>>(),
        "rejects": summary.rejects,
    });
    if let Value::Object(more) = more {
        object.extend(more);
    }
    Value::Object(object)
}

/// Size in bytes of the smallest archive whose ratio of index to text is printed; below it, fixed tables dominate.
const MIN_RATIO_BYTES: u64 = 1 << 20;

/// Formats the summary, which accounts for every game and byte.
fn summary_text(summary: &ImportSummary, seconds: f64, threads: usize, dir: &Path) -> String {
    let by_status: Vec<_> = statuses(summary)
        .filter(|(_, games)| *games > 0)
        .map(|(name, games)| format!("{} {name}", Count(games)))
        .collect();
    let by_status = if by_status.is_empty() { String::new() } else { format!(": {}", by_status.join(", ")) };
    let mut text = format!(
        "{} in {}, {}{by_status}.\n",
        count(summary.games, "game"),
        count(summary.files, "file"),
        size(summary.bytes)
    );
    if summary.unchanged > 0 {
        text += &format!("{} unchanged.\n", count(summary.unchanged, "file"));
    }
    if summary.replaced > 0 {
        let files = count(summary.replaced, "file");
        text += &format!("{files} had changed and replaced what was indexed of them before.\n");
    }
    if summary.retired > 0 {
        text += &format!("{} of changed or removed files left the index.\n", count(summary.retired, "game"));
    }
    if !summary.failures.is_empty() {
        let files = count(summary.failures.len() as u64, "file");
        text += &format!("{files} could not be read completely.\n");
    }
    let rate = |number: u64| number as f64 / seconds.max(1e-9);
    if summary.games > 0 {
        text += &format!(
            "{} in {seconds:.2} s on {}: {} games/s, {} plies/s, {:.1} MB/s.\n",
            plies(summary.plies),
            count(threads as u64, "thread"),
            rounded(rate(summary.games)),
            rounded(rate(summary.plies)),
            rate(summary.bytes) / 1e6,
        );
    }
    let dir = sanitize::path(dir);
    let ratio = 100.0 * summary.index_bytes as f64 / summary.bytes.max(1) as f64;
    let ratio = if summary.index_games == summary.games && summary.bytes >= MIN_RATIO_BYTES {
        format!(", {ratio:.1} % of the text")
    } else {
        String::new()
    };
    text +=
        &format!("{dir} has {}, {}{ratio}.\n", count(summary.index_games, "game"), size(summary.index_bytes));
    text += &rejects(&summary.rejects, &dir);
    text
}

/// Formats the number of rejected records by code; empty if there are none.
fn rejects(rejects: &BTreeMap<&'static str, u64>, dir: &str) -> String {
    if rejects.is_empty() {
        return String::new();
    }
    let mut text = format!("\nNot replayed to the end, listed in {dir}/rejects.jsonl:\n");
    for (id, games) in rejects {
        let title = Code::from_id(id).map_or("", Code::title);
        text += &format!("  {id} {:>9}  {title}\n", Count(*games).to_string());
    }
    text
}
