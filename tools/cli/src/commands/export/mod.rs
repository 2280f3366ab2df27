//! `pdn export`: writes games, moves, positions, comments or diagnostics as a table.

mod sink;
mod archives;
mod indexed;
#[cfg(feature = "sqlite")]
mod sqlite;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use pdn::export::{ColumnSelection, ExportOptions, Table, is_game_query};
use pdn::index::{self, ImportOptions, Index, SegmentOptions};
use pdn::query::Query;
use pdn::replay::ReplayOptions;
use pdn::source::OpenOptions;
use pdn::pool;

use self::sink::{Encoder, Sink};
use crate::args::{ExportArgs, ExportFormat};
use crate::commands::filter;
use crate::output::exit::{fail, print_error};
use crate::output::numbers::count;
use crate::output::{Exit, Output, sanitize};

/// The result of exporting one table.
struct Exported {
    rows: u64,
    /// Number of records whose rows are incomplete because the record is too long.
    incomplete: u64,
    /// `true` if all inputs could be read.
    complete: bool,
}

/// Runs `pdn export`.
pub(crate) fn run(args: &ExportArgs, out: &mut Output) -> io::Result<Exit> {
    if args.list_columns {
        for table in &args.table {
            list_columns(*table, out)?;
        }
        return Ok(Exit::Success);
    }
    let Some(selections) = selections(args) else { return Ok(Exit::Failure) };
    let (Some(games), Some(positions)) = (args.filter.query(), args.position.query()) else {
        return Ok(Exit::Failure);
    };
    let variant = args.variant.map_or(Query::all(), Query::variant);
    let query = games & variant & positions;
    let mut sink = match Sink::create(args) {
        Ok(sink) => sink,
        Err(message) => {
            print_error(&message);
            return Ok(Exit::Failure);
        }
    };
    let source = match Source::open(args, &query, &selections, out) {
        Ok(source) => source,
        Err(exit) => return Ok(exit),
    };
    if let Some(index) = source.index()
        && !filter::check_moves(&query, args.position.moves.as_deref(), index)
    {
        return Ok(Exit::Failure);
    }
    let options = ExportOptions::new()
        .replay(ReplayOptions::new().variant(args.untagged))
        .query(query)
        .main_line(args.main_line)
        .style(args.strict);
    let mut exit = Exit::Success;
    for selection in &selections {
        let encoder = Encoder::new(args.format(), selection, args.limit);
        if let Err(error) = sink.begin(selection, &encoder, out) {
            return sink.failed(error);
        }
        let exported = match &source {
            Source::Archives => archives::export(args, selection, &options, &encoder, &mut sink, out),
            Source::Index { index, temporary } => {
                let numbers_games = temporary.is_none();
                indexed::export(args, index, numbers_games, selection, &options, &encoder, &mut sink, out)
            }
        };
        match exported {
            Ok(Ok(exported)) => {
                report(args, selection.table(), &exported, out);
                if !exported.complete || !source.is_complete() {
                    exit = Exit::Failure;
                }
            }
            Ok(Err(error)) => return Ok(filter_error(&error)),
            Err(error) => return sink.failed(error),
        }
    }
    match sink.finish(out) {
        Ok(()) => Ok(exit),
        Err(error) => sink::failed_file(args.output.as_deref(), error),
    }
}

/// Prints an error of the library and, if an archive has changed, what to do.
fn filter_error(error: &pdn::Error) -> Exit {
    if !matches!(error.kind(), pdn::error::ErrorKind::ArchiveChanged(_) | pdn::error::ErrorKind::NoText(_)) {
        return fail(error);
    }
    print_error(&format!(
        "{}\n  choose columns that the index stores (`--columns`, for moves also `--main-line`), or index the archive again, \
         with its text (`--embed`)",
        sanitize::text(&error.to_string())
    ));
    Exit::Failure
}

/// Returns the columns of each table; prints why and returns `None` if they are not valid.
fn selections(args: &ExportArgs) -> Option<Vec<ColumnSelection>> {
    let format = args.format();
    if args.table.len() > 1 && format != ExportFormat::Sqlite {
        print_error("--table: only a SQLite file holds several tables; export them one by one");
        return None;
    }
    let repeated = (1..args.table.len()).find(|&n| args.table[..n].contains(&args.table[n]));
    if let Some(repeated) = repeated {
        print_error(&format!("--table: `{}` is given twice", args.table[repeated]));
        return None;
    }
    if args.table.len() > 1 && args.columns.is_some() {
        print_error("--columns: takes a single table");
        return None;
    }
    let Some(names) = &args.columns else {
        return Some(args.table.iter().map(|&table| ColumnSelection::of(table)).collect());
    };
    match ColumnSelection::named(args.table[0], names.iter().map(|name| name.trim())) {
        Ok(selection) => Some(vec![selection]),
        Err(error) => {
            print_error(&format!("--columns: {}", sanitize::text(&error.to_string())));
            None
        }
    }
}

/// Prints the columns of a table with their types and meanings.
fn list_columns(table: Table, out: &mut Output) -> io::Result<()> {
    writeln!(out, "{table}:")?;
    for column in table.columns() {
        let null = if column.nullable { " or null" } else { "" };
        let extra = if column.default { "" } else { " (only on request)" };
        let value_type = format!("{}{null}", column.value_type.name());
        writeln!(out, "  {:<14} {value_type:<22} {}{extra}", column.name, column.doc)?;
    }
    Ok(())
}

/// Reports the number of rows, unless they went to standard output, and rows that are incomplete.
fn report(args: &ExportArgs, table: Table, exported: &Exported, out: &Output) {
    if exported.incomplete > 0 {
        out.print_error(&format!(
            "{}: longer than 256 KiB; variations, clocks and texts of moves were left out",
            count(exported.incomplete, "record")
        ));
    }
    if let Some(path) = args.output.as_deref().filter(|path| *path != Path::new("-"))
        && !args.quiet
    {
        let rows = count(exported.rows, "row");
        out.print_error(&format!("{}: {rows} of table `{table}`", sanitize::path(path)));
    }
}

/// Where games come from.
enum Source {
    /// Files, folders and streams.
    Archives,
    /// An index; a temporary one if it was made for a filter.
    Index { index: Box<Index>, temporary: Option<TemporaryIndex> },
}

/// An index in a temporary folder, which is removed with this value.
struct TemporaryIndex {
    _folder: tempfile::TempDir,
    /// `true` if all inputs could be read.
    complete: bool,
}

impl Source {
    /// Opens the index that the arguments name, or makes a temporary one if the query takes an index; otherwise the archives
    /// are read when they are exported. Reports errors.
    fn open(
        args: &ExportArgs,
        query: &Query,
        selections: &[ColumnSelection],
        out: &Output,
    ) -> Result<Self, Exit> {
        if let [dir] = args.input.paths.as_slice()
            && is_index(dir)
        {
            let index = Index::open(dir).map_err(|error| fail(&error))?;
            return Ok(Self::Index { index: Box::new(index), temporary: None });
        }
        if let Some(dir) = args.input.paths.iter().find(|path| is_index(path)) {
            print_error(&format!("{}: an index is exported alone, without other inputs", sanitize::path(dir)));
            return Err(Exit::Failure);
        }
        if is_game_query(query) {
            let streams = args.input.paths.iter().filter(|path| pdn::source::is_stream(path)).count();
            if streams > 0 && selections.len() > 1 {
                print_error("--table: a stream can be read only once; export one table, or a file");
                return Err(Exit::Failure);
            }
            return Ok(Self::Archives);
        }
        temporary_index(args, out)
    }

    /// Returns the index, if there is one.
    fn index(&self) -> Option<&Index> {
        match self {
            Self::Archives => None,
            Self::Index { index, .. } => Some(index),
        }
    }

    /// Returns `false` if inputs could not be read when a temporary index was made.
    fn is_complete(&self) -> bool {
        !matches!(self, Self::Index { temporary: Some(TemporaryIndex { complete: false, .. }), .. })
    }
}

/// Returns `true` if a path is the folder of an index.
fn is_index(path: &Path) -> bool {
    // Any other error means that there is an index, and is reported when it is opened.
    let is_none = |error: &pdn::Error| matches!(error.kind(), pdn::error::ErrorKind::NotAnIndex);
    path.is_dir() && !Index::open(path).is_err_and(|error| is_none(&error))
}

/// Indexes the archives in a temporary folder.
fn temporary_index(args: &ExportArgs, out: &Output) -> Result<Source, Exit> {
    let folder = match tempfile::Builder::new().prefix("pdn-export-").tempdir() {
        Ok(folder) => folder,
        Err(error) => {
            print_error(&format!("cannot create a temporary folder for an index: {error}"));
            return Err(Exit::Failure);
        }
    };
    let dir: PathBuf = folder.path().join("index");
    let options = ImportOptions::new()
        .threads(args.input.threads.unwrap_or_else(pool::default_threads))
        .open(OpenOptions::new().map(args.input.mmap.into()).encoding(args.input.encoding))
        .replay(ReplayOptions::new().variant(args.untagged))
        // Streams and containers cannot be read again.
        .segments(SegmentOptions::new().embed(true));
    let summary =
        index::import(args.input.paths.iter().cloned(), &dir, &options).map_err(|error| fail(&error))?;
    for failure in &summary.failures {
        out.print_error(&sanitize::text(&failure.error.to_string()));
    }
    let index = Index::open(&dir).map_err(|error| fail(&error))?;
    let temporary = Some(TemporaryIndex { _folder: folder, complete: summary.failures.is_empty() });
    Ok(Source::Index { index: Box::new(index), temporary })
}
