//! Makes indexes of archives, adds to them, and merges their segments.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use pdn::archive::Archive;
use pdn::internal::source::{file_at, is_stream, path_text};
use pdn::replay::GameStatus;
use pdn::source::{OpenOptions, walk};
use pdn_index::internal::{
    KeyTableOptions, KeyTables, KeyTablesBuilt, MergeReport, OpenedFile, SegmentOptions, ShrunkFile,
    build_key_tables, import_opened,
};
use pdn_index::{ImportFailure, ImportOptions, ImportProgress, ImportSummary, Index};
use serde::{Serialize, Serializer};

use crate::ask::context::Context;
use crate::ask::error::{AppError, ErrorCode, Result, without_numbers};
use crate::ask::numbers::{count, rounded};
use crate::read::inputs::{Inputs, note_carrier};
use crate::read::paths::note_skipped;

/// Number of missing files that are listed by name.
const MISSING_LISTED: usize = 10;

/// Asks for an index of archives, or to add archives to one.
#[derive(Clone, Debug)]
pub struct IndexRequest {
    /// The archives.
    pub inputs: Inputs,
    /// The folder of the index.
    pub output: PathBuf,
    /// Whether the index is kept and added to.
    pub append: bool,
    /// Whether the games of files that no longer exist leave the index.
    pub prune: bool,
    /// The folder that has the archives of the index now, if they were moved.
    pub root: Option<PathBuf>,
    /// Whether the text of the games is stored.
    pub embed: bool,
    /// Whether key tables are made; an index that has some keeps them up to date.
    pub positions: bool,
    /// The number of games from which on a position is in the book, 0 for no book; `None` for that of the index, or 1,000.
    pub book: Option<u64>,
}

/// What was indexed.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Indexed {
    /// Games added.
    pub games: u64,
    /// Legal plies added.
    pub plies: u64,
    /// Games added, by status.
    #[serde(flatten)]
    pub statuses: StatusCounts,
    /// Bytes of text added.
    pub bytes: u64,
    /// The time that it took without key tables, in seconds.
    pub seconds: f64,
    /// Games a second.
    pub games_per_second: f64,
    /// Plies a second.
    pub plies_per_second: f64,
    /// Millions of bytes of text a second.
    pub mb_per_second: f64,
    /// Number of threads.
    pub threads: usize,
    /// Length of the index in bytes, with key tables.
    pub index_bytes: u64,
    /// Number of games of the index.
    pub index_games: u64,
    /// Inputs read: files, streams and entries of zips.
    pub files: u64,
    /// Files that were skipped because the index has them unchanged.
    pub unchanged: u64,
    /// Files that had changed, so that their games were replaced.
    pub replaced: u64,
    /// Games of changed or removed files that left the index.
    pub retired: u64,
    /// Those of them that have lost more than a tenth of their games, unless `prune` asked for it.
    pub shrunk: Vec<ShrunkArchive>,
    /// Files of the index that no longer exist.
    pub missing: Vec<String>,
    /// Inputs that could not be read completely.
    pub failed: Vec<String>,
    /// The same inputs with the reason.
    pub failures: Vec<IndexFailure>,
    /// Records that are not replayed to their end, by diagnostic code.
    pub rejects: BTreeMap<&'static str, u64>,
    /// The key tables, if they were made.
    #[serde(flatten)]
    pub tables: Option<IndexedPositions>,
}

/// Numbers of games by status.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StatusCounts([u64; GameStatus::ALL.len()]);

impl StatusCounts {
    /// Iterates over the statuses, as words for several games, and their numbers of games.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, u64)> {
        GameStatus::ALL.iter().map(|&status| {
            let name = if status == GameStatus::Problem { "problems" } else { status.name() };
            (name, self.0[status as usize])
        })
    }
}

impl Serialize for StatusCounts {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

/// A key for each status.
#[cfg(feature = "schema")]
impl schemars::JsonSchema for StatusCounts {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "StatusCounts".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let names = || Self([0; GameStatus::ALL.len()]).iter().map(|(name, _)| name).collect::<Vec<_>>();
        let property = |name| {
            (
                String::from(name),
                serde_json::json!({ "type": "integer", "description": "Games added with this status." }),
            )
        };
        let properties: serde_json::Map<_, _> = names().into_iter().map(property).collect();
        schemars::json_schema!({ "type": "object", "properties": properties, "required": names() })
    }
}

/// An input that could not be read completely.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct IndexFailure {
    /// Name of the input.
    pub file: String,
    /// Why.
    pub error: String,
}

/// A changed file that has much fewer games than the index had of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ShrunkArchive {
    /// The file.
    pub file: String,
    /// Number of games that the index had of it.
    pub games_before: u64,
    /// Number of games that it has now.
    pub games: u64,
}

/// Key tables and books that were made.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct IndexedPositions {
    /// Number of entries of all tables: distinct positions per game. Without tables, this key and the next
    /// four are absent.
    pub positions: u64,
    /// Length of the tables in bytes.
    pub positions_bytes: u64,
    /// The time that it took, in seconds.
    pub positions_seconds: f64,
    /// Number of positions in the book.
    pub book_positions: u64,
    /// Length of the book in bytes.
    pub book_bytes: u64,
}

impl IndexRequest {
    /// Makes the index, or adds to it. Inputs that cannot be read and files of the index that no longer exist are problems of the
    /// context. If it is stopped, an existing index stays as it was.
    ///
    /// # Errors
    ///
    /// If no input can be read, the index cannot be written, or the work was stopped.
    pub fn run(&self, context: &mut Context<'_>) -> Result<Indexed> {
        if self.output.is_file() {
            let message = "a file; an index is a folder";
            return Err(AppError::path(ErrorCode::Unwritable, &self.output, message));
        }
        let mut paths = walk(self.inputs.paths.iter().cloned());
        let files: Vec<PathBuf> = paths.by_ref().filter_map(std::result::Result::ok).collect();
        note_skipped(paths.skipped(), self.inputs.lists_skipped, context.events);
        // With `prune`, there may be no file left. An existing index must not be replaced by an empty one.
        let is_needed = !self.prune || !self.output.is_dir();
        let opened = if is_needed { self.open_readable(&files, context)? } else { None };
        let options = ImportOptions::new()
            .threads(self.inputs.threads)
            .open(self.inputs.open_options())
            .replay(self.inputs.read.replay())
            .append(self.append)
            .prune(self.prune)
            .root(self.root.clone())
            .embed(self.embed)
            .key_tables(if self.positions { KeyTables::All } else { KeyTables::Keep })
            .book_games(self.book);
        let (start, mut tables_time) = (Instant::now(), Duration::ZERO);
        let paths = &self.inputs.paths;
        let imported = import(paths, &files, opened, &self.output, &options, &mut tables_time, context);
        let time = start.elapsed() - tables_time;
        let mut summary = imported.map_err(AppError::from).map_err(|error| match error.code {
            ErrorCode::Stopped => stopped("stopped; the index is unchanged").at(&self.output),
            _ => error,
        })?;
        summary.failures.iter().for_each(|failure| context.events.problem(&import_failure(failure)));
        if !summary.missing.is_empty() {
            context.events.problem(&missing_files(&summary, self.prune));
        }
        let built = summary.key_tables.take().transpose();
        let built = built.map_err(|error| match context.stop.is_requested() {
            true => stopped("stopped; the games are indexed, without key tables"),
            false => {
                let mut error = AppError::from(error);
                error.message += "; the games are indexed, without key tables";
                error
            }
        })?;
        let tables = built.map(|built| IndexedPositions {
            positions: built.entries,
            positions_bytes: built.bytes,
            positions_seconds: tables_time.as_secs_f64(),
            book_positions: built.book_positions,
            book_bytes: built.book_bytes,
        });
        Ok(self.answer(summary, time, tables))
    }

    /// Returns the first file that contains text, open; `None` if it is a stream, of which nothing may be read before.
    ///
    /// # Errors
    ///
    /// With the last of the reasons why none does; the others are problems of the context.
    fn open_readable(&self, files: &[PathBuf], context: &mut Context<'_>) -> Result<Option<OpenedFile>> {
        let mut errors = Vec::new();
        for path in files {
            if is_stream(path) {
                return Ok(None);
            }
            // A file that fails is opened again by the import, which reports what is left of it: all of them may be too many to keep.
            match open_text(path, &self.inputs.open_options()) {
                Ok(file) => return Ok(Some(file)),
                Err(error) => errors.push(AppError::from(error)),
            }
        }
        for path in self.inputs.paths.iter().filter(|path| !files.iter().any(|file| file.starts_with(path))) {
            errors.push(match path.metadata() {
                Ok(metadata) if metadata.is_dir() => {
                    AppError::path(ErrorCode::NotFound, path, "no PDN file in this folder")
                }
                Ok(_) => AppError::path(ErrorCode::Unreadable, path, "cannot be read"),
                Err(error) => AppError::path(ErrorCode::NotFound, path, error.to_string()),
            });
        }
        let last = errors.pop().unwrap_or_else(|| AppError::plain(ErrorCode::Missing, "there is no input"));
        errors.iter().for_each(|error| context.events.problem(error));
        Err(last)
    }

    /// Returns the answer.
    fn answer(&self, summary: ImportSummary, time: Duration, tables: Option<IndexedPositions>) -> Indexed {
        let seconds = time.as_secs_f64();
        let rate = |number: u64| number as f64 / seconds.max(1e-9);
        let text = |path: &PathBuf| path_text(path).into_owned();
        let shrunk = |file: &ShrunkFile| ShrunkArchive {
            file: text(&file.path),
            games_before: file.games_before,
            games: file.games,
        };
        let failure = |failure: &ImportFailure| IndexFailure {
            file: text(&failure.name),
            error: without_numbers(&failure.error.kind().to_string()),
        };
        Indexed {
            games: summary.games,
            plies: summary.plies,
            statuses: StatusCounts(summary.statuses),
            bytes: summary.bytes,
            seconds,
            games_per_second: rate(summary.games),
            plies_per_second: rate(summary.plies),
            mb_per_second: rate(summary.bytes) / 1e6,
            threads: self.inputs.threads.get(),
            index_bytes: summary.index_bytes,
            index_games: summary.index_games,
            files: summary.files,
            unchanged: summary.unchanged,
            replaced: summary.replaced,
            retired: summary.retired,
            shrunk: summary.shrunk.iter().filter(|_| !self.prune).map(shrunk).collect(),
            missing: summary.missing.iter().map(text).collect(),
            failed: summary.failures.iter().map(|failure| text(&failure.name)).collect(),
            failures: summary.failures.iter().map(failure).collect(),
            rejects: summary.rejects,
            tables,
        }
    }
}

/// Returns the error that the work was stopped, and what it leaves.
fn stopped(message: &str) -> AppError {
    AppError::plain(ErrorCode::Stopped, message)
}

/// Returns the length of an index in bytes, or `otherwise` if it cannot be opened.
fn disk_bytes(dir: &Path, otherwise: u64) -> u64 {
    Index::open(dir).map_or(otherwise, |index| index.disk_bytes())
}

/// Returns the problem that files of the index no longer exist.
fn missing_files(summary: &ImportSummary, is_pruned: bool) -> AppError {
    let files = count(summary.missing.len() as u64, "file");
    let what = if is_pruned { "all games of them left it" } else { "their games stay" };
    let mut problem =
        AppError::plain(ErrorCode::NotFound, format!("{files} of the index no longer there; {what}"));
    let listed = summary.missing.iter().take(MISSING_LISTED);
    problem.details = listed.map(|path| path.display().to_string()).collect();
    if let Some(more @ 1..) = summary.missing.len().checked_sub(MISSING_LISTED) {
        problem.details.push(format!("and {}", count(more as u64, "other file")));
    }
    if is_pruned {
        return problem;
    }
    problem.cured_by("prune", "takes them out; if the files were moved, name the folder that has them now")
}

/// Opens a file that contains text in at least one of its inputs, or is empty.
///
/// # Errors
///
/// The first error of an input that cannot be read or is not text.
fn open_text(path: &Path, open: &OpenOptions) -> pdn::Result<OpenedFile> {
    let file = file_at(path)?;
    let at_path = |error| pdn::Error::from(error).at(path);
    let len = file.metadata().map_err(at_path)?.len();
    let shared = file.try_clone().map_err(at_path)?;
    let file = OpenedFile { path: path.to_owned(), file, len };
    let mut first_error = None;
    for batch in Archive::from_file(shared, path, open)?.batches() {
        match batch {
            Ok(_) => return Ok(file),
            Err(error) => first_error = first_error.or(Some(error)),
        }
    }
    first_error.map_or(Ok(file), Err)
}

/// Returns the error of an archive that could not be read completely.
pub fn import_failure(failure: &ImportFailure) -> AppError {
    AppError::from(&failure.error).at(&failure.name)
}

/// Indexes archives in a folder and reports progress. `files` are those that `paths` name, `opened` is one of them that is open
/// already, and `tables_time` becomes the time that key tables took.
///
/// # Errors
///
/// Those of [`pdn_index::import_with`], and [`Stopped`](pdn::error::ErrorKind::Stopped) if the work was stopped.
pub(crate) fn import(
    paths: &[PathBuf],
    files: &[PathBuf],
    opened: Option<OpenedFile>,
    dir: &Path,
    options: &ImportOptions,
    tables_time: &mut Duration,
    context: &mut Context<'_>,
) -> pdn::Result<ImportSummary> {
    let bytes = files.iter().map(|path| path.metadata().map_or(0, |metadata| metadata.len())).sum();
    let has_stream = files.iter().any(|path| is_stream(path));
    context.events.begin((!has_stream).then_some(bytes));
    let (start, mut read) = (Instant::now(), ReadBytes::default());
    // When the games were indexed and the key tables begun.
    let (mut tables_start, mut shows_tables) = (None::<Instant>, false);
    let imported = import_opened(paths.to_vec(), opened, dir, options, |progress| {
        match progress.key_tables {
            None => {
                let rate = progress.games as f64 / start.elapsed().as_secs_f64().max(1e-3);
                let games = format!("{} games, {} games/s", rounded(progress.games as f64), rounded(rate));
                context.events.progress(read.after(progress), &games);
            }
            Some((done, total)) => {
                if tables_start.is_none() {
                    context.events.end();
                }
                if total > 0 && !std::mem::replace(&mut shows_tables, true) {
                    context.events.begin(Some(total));
                }
                tables_start.get_or_insert_with(Instant::now);
                context.events.progress(done, "key tables");
            }
        }
        if context.stop.is_requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    context.events.end();
    *tables_time = tables_start.map_or(Duration::ZERO, |start| start.elapsed());
    match imported {
        Err(_) if context.stop.is_requested() => Err(pdn::error::ErrorKind::Stopped.into()),
        imported => {
            for input in imported.iter().flat_map(|summary| &summary.carriers) {
                note_carrier(&input.name, input.carrier, input.left_out, context);
            }
            imported
        }
    }
}

/// Bytes read of all files together, from those of single files.
#[derive(Default)]
struct ReadBytes {
    /// Bytes of the files before the current one.
    before: u64,
    /// Bytes read and total bytes of the current file.
    current: (u64, u64),
}

impl ReadBytes {
    /// Returns the number of bytes read.
    fn after(&mut self, progress: &ImportProgress<'_>) -> u64 {
        let total = progress.total.unwrap_or(0);
        if progress.read < self.current.0 || total != self.current.1 {
            self.before += self.current.1;
        }
        self.current = (progress.read, total);
        self.before + progress.read
    }
}

/// Builds the missing key tables and books, and reports progress.
///
/// # Errors
///
/// Those of [`build_key_tables`]; with the code [`Stopped`](ErrorCode::Stopped) if the work was stopped.
fn build_tables(dir: &Path, options: &KeyTableOptions, context: &mut Context<'_>) -> Result<KeyTablesBuilt> {
    let mut has_begun = false;
    let built = build_key_tables(dir, options, |done, total| {
        if !has_begun {
            context.events.begin(Some(total));
            has_begun = true;
        }
        context.events.progress(done, "key tables");
        if context.stop.is_requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    context.events.end();
    match built {
        Err(_) if context.stop.is_requested() => Err(AppError::stopped()),
        built => Ok(built?),
    }
}

/// What merging did.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Merged {
    /// The folder of the index.
    pub dir: String,
    /// Number of segments before.
    pub segments_before: usize,
    /// Number of segments after.
    pub segments: usize,
    /// Number of games of the index.
    pub games: u64,
    /// Length of the index in bytes.
    pub index_bytes: u64,
}

/// Merges the segments of the index in a folder into as few as possible, and keeps its key tables up to date.
///
/// # Errors
///
/// If there is no index, it is damaged or cannot be written, or the work was stopped after the merge.
pub fn merge(dir: &Path, context: &mut Context<'_>) -> Result<Merged> {
    let tables = Index::open(dir).ok().as_ref().and_then(KeyTableOptions::of_index);
    let MergeReport { before, after, games, bytes, .. } =
        pdn_index::internal::merge_until(dir, &SegmentOptions::default(), &context.stop)?;
    if let Some(options) = tables {
        build_tables(dir, &options, context)?;
    }
    Ok(Merged {
        dir: path_text(dir).into_owned(),
        segments_before: before,
        segments: after,
        games,
        index_bytes: disk_bytes(dir, bytes),
    })
}
