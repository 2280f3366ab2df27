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

use super::filter;
use crate::args::InputArgs;
use crate::input::part::InputPart;
use crate::input::searched_index::{self, SearchedIndex, is_index};
use crate::output::exit::{fail, print_error};
use crate::output::{Exit, Output, sanitize};

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
    /// are read in each pass. Reports errors. `moves` is the value of `--moves`.
    pub(crate) fn open(
        input: &InputArgs,
        untagged: Option<CandidateGame>,
        query: &Query,
        moves: Option<&str>,
        out: &mut Output,
    ) -> Result<Self, Exit> {
        let source = if let [dir] = input.paths.as_slice()
            && is_index(dir)
        {
            Self::Index { index: Box::new(searched_index::open_folder(dir)?), is_temporary: false }
        } else if let Some(dir) = input.paths.iter().find(|path| is_index(path)) {
            print_error(&format!("{}: an index is read alone, without other inputs", sanitize::path(dir)));
            return Err(Exit::Failure);
        } else if is_game_query(query) {
            Self::Archives(None)
        } else {
            temporary_index(input, untagged, out)?
        };
        if let Self::Index { index, .. } = &source
            && !filter::check(query, moves, index).map_err(|error| fail(&error))?
        {
            return Err(Exit::Failure);
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

/// Prints an error of the library and, if a record cannot be read, what to do.
pub(crate) fn report(error: &pdn::Error) -> Exit {
    let lacks_text = match error.kind() {
        ErrorKind::ArchiveChanged(_) | ErrorKind::NoText(_) => true,
        ErrorKind::Io(cause) => cause.kind() == io::ErrorKind::NotFound,
        _ => false,
    };
    if !lacks_text {
        return fail(error);
    }
    print_error(&format!(
        "{}\n  choose columns that the index stores (`--columns`, for moves also `--main-line`), or index the archive again, \
         with its text (`--embed`)",
        sanitize::text(&error.to_string())
    ));
    Exit::Failure
}

/// Indexes the archives in a temporary folder, with their text: streams and containers cannot be read again.
fn temporary_index(
    input: &InputArgs,
    untagged: Option<CandidateGame>,
    out: &mut Output,
) -> Result<Source, Exit> {
    let import = ImportOptions::new()
        .threads(input.threads.unwrap_or_else(pool::default_threads))
        .open(OpenOptions::new().map(input.mmap.into()).encoding(input.encoding))
        .replay(ReplayOptions::new().game(untagged))
        .segments(SegmentOptions::new().embed(true));
    let index = searched_index::index_archives(&input.paths, &import, out)?;
    Ok(Source::Index { index: Box::new(index), is_temporary: true })
}
