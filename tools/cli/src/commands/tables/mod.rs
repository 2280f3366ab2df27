//! Where the rows of tables come from: archives, or an index, which may be made for one command only.

mod archives;

use std::io;
use std::ops::ControlFlow;

use pdn::error::ErrorKind;
use pdn::export::{ColumnSelection, ExportOptions, IndexRows, TableBatch, is_game_query};
use pdn::index::{ImportOptions, SegmentOptions};
use pdn::pool;
use pdn::query::Query;
use pdn::replay::{CandidateGame, ReplayOptions};
use pdn::source::{self, OpenOptions};

use crate::args::InputArgs;
use crate::output::{CommandError, CommandResult, Output};
use pdn_app::filter::Filter;
use pdn_app::inputs::InputPart;
use pdn_app::paths::is_index;
use pdn_app::searched::{SearchedIndex, index_archives};
use pdn_app::{AppError, ErrorCode};

/// Where games come from.
pub(crate) enum Source {
    /// Files, folders and streams; or a part of a file.
    Archives(Option<Box<InputPart>>),
    /// An index; a temporary one if it was made for a filter.
    Index { index: Box<SearchedIndex>, is_temporary: bool },
}

/// What is known after all rows of a table were made.
pub(crate) struct PassResult {
    /// Number of records whose rows are incomplete because the record is too long.
    pub(crate) incomplete: u64,
    /// `true` if all inputs could be read.
    pub(crate) complete: bool,
}

impl Source {
    /// Opens the index that the arguments name, or makes a temporary one if the query takes an index; otherwise the archives
    /// are read in each pass. `query` is that of the filter.
    ///
    /// # Errors
    ///
    /// If there is no such index, it cannot answer the query, or the archives cannot be indexed.
    pub(crate) fn open(
        input: &InputArgs,
        untagged: Option<CandidateGame>,
        filter: &Filter,
        query: &Query,
        out: &mut Output,
    ) -> CommandResult<Self> {
        let source = if let [dir] = input.paths.as_slice()
            && is_index(dir)
        {
            Self::Index { index: Box::new(SearchedIndex::open_folder(dir)?), is_temporary: false }
        } else if let Some(dir) = input.paths.iter().find(|path| is_index(path)) {
            let message = "an index is read alone, without other inputs";
            return Err(AppError::path(ErrorCode::Contradiction, dir, message).into());
        } else if is_game_query(query) {
            Self::Archives(None)
        } else {
            temporary_index(input, untagged, out)?
        };
        if let Self::Index { index, .. } = &source {
            filter.check(query, index)?;
        }
        Ok(source)
    }

    /// Returns `true` if rows can be made more than once.
    pub(crate) fn is_repeatable(&self, input: &InputArgs) -> bool {
        !matches!(self, Self::Archives(_)) || !input.paths.iter().any(|path| source::is_stream(path))
    }

    /// Calls `encode` for batches of rows, on several threads, and `consume` with the results in the order of the games, until
    /// it breaks. The outer error is one of `consume`.
    pub(crate) fn pass<T: Send>(
        &self,
        input: &InputArgs,
        selection: &ColumnSelection,
        options: &ExportOptions,
        encode: &(impl Fn(TableBatch) -> T + Sync),
        consume: &mut dyn FnMut(T, &mut Output) -> io::Result<ControlFlow<()>>,
        out: &mut Output,
    ) -> io::Result<pdn::Result<PassResult>> {
        let (index, is_temporary) = match self {
            Self::Archives(part) => {
                let part = part.as_deref();
                return archives::pass(input, part, selection, options, encode, consume, out).map(Ok);
            }
            Self::Index { index, is_temporary } => (index, *is_temporary),
        };
        let threads = input.threads.unwrap_or_else(pool::default_threads);
        let rows = match IndexRows::new(index, selection, options, threads) {
            // The numbers of a temporary index have no meaning afterwards.
            Ok(rows) => rows.encoding(input.encoding).numbered(!is_temporary),
            Err(error) => return Ok(Err(error)),
        };
        let mut consumed = Ok(());
        let passed = rows.for_each(encode, |encoded| match consume(encoded, out) {
            Ok(flow) => flow,
            Err(error) => {
                consumed = Err(error);
                ControlFlow::Break(())
            }
        });
        consumed?;
        Ok(passed.map(|incomplete| PassResult { incomplete, complete: index.is_complete() }))
    }
}

/// Returns an error of the library and, if a record cannot be read, what to do.
pub(crate) fn failed(error: &pdn::Error) -> CommandError {
    let lacks_text = match error.kind() {
        ErrorKind::ArchiveChanged(_) | ErrorKind::NoText(_) => true,
        ErrorKind::Io(cause) => cause.kind() == io::ErrorKind::NotFound,
        _ => false,
    };
    let error = AppError::from(error);
    if !lacks_text {
        return error.into();
    }
    let help = "choose columns that the index stores (`--columns`, for moves also `--main-line`), or index the archive again, with its \
                text (`--embed`)";
    error.help(help).into()
}

/// Indexes the archives in a temporary folder, with their text: streams and containers cannot be read again.
fn temporary_index(
    input: &InputArgs,
    untagged: Option<CandidateGame>,
    out: &mut Output,
) -> CommandResult<Source> {
    let import = ImportOptions::new()
        .threads(input.threads.unwrap_or_else(pool::default_threads))
        .open(OpenOptions::new().map(input.mmap.into()).encoding(input.encoding))
        .replay(ReplayOptions::new().game(untagged))
        .segments(SegmentOptions::new().embed(true));
    let index = index_archives(&input.paths, &import, &mut out.context())?;
    Ok(Source::Index { index: Box::new(index), is_temporary: true })
}
