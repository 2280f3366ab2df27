//! `pdn dedup`: finds records of the same game, and writes archives without them.

mod report;
mod shared_tags;
mod write;

use std::io::Write as _;
use std::path::{Path, PathBuf};

use pdn::dedup::{self, DedupOptions, DuplicateClass, Duplicates};
use pdn::error::ErrorKind;
use pdn::index::{ImportOptions, Index, SegmentOptions};
use pdn::pool;
use pdn::replay::ReplayOptions;
use pdn::source::{self, OpenOptions};

use self::report::Report;
use self::shared_tags::RemovedCopies;
use self::write::Removal;
use crate::args::DedupArgs;
use crate::output::{CommandError, CommandResult, Exit, Output, index_exit, interrupt};
use pdn_app::paths::is_index;
use pdn_app::searched::{self, SearchedIndex};
use pdn_app::{AppError, ErrorCode};

/// Runs `pdn dedup`.
pub(crate) fn run(args: &DedupArgs, out: &mut Output) -> CommandResult {
    let removal = Removal::new(args).map_err(usage)?;
    if args.write.is_some() || args.duplicates.is_some() {
        out.discard_unread();
    }
    let (index, is_numbered) = open(args, out)?;
    let known = args.against.as_deref().map(Index::open).transpose()?;
    let options = DedupOptions::new()
        .keep(args.keep.into())
        .threads(args.input.threads.unwrap_or_else(pool::default_threads))
        .stop(&interrupt::handle());
    let duplicates =
        dedup::find_duplicates(&index, known.as_ref(), &options).map_err(|error| match error.kind() {
            ErrorKind::Stopped => stopped(),
            _ => error.into(),
        })?;
    let mut report = Report::new(args, &index, is_numbered, known.as_ref(), &duplicates)?;
    let removed = removal.games(&index, &duplicates);
    let mut copies = args.share_tags.then(|| RemovedCopies::new(&removal));
    let mut members = duplicates.into_members();
    while copies.is_some() || !report.is_full() {
        if interrupt::is_requested() {
            return Err(stopped());
        }
        let Some(member) = members.next().transpose()? else { break };
        if let Some(copies) = &mut copies {
            copies.add(&member);
        }
        report.member(&member, &mut members, out)??;
    }
    report.end_group(out)?;
    let written = match removal.write(&index, &removed, copies.as_mut()) {
        Ok(Some(written)) => written,
        Ok(None) => return Err(stopped()),
        Err(message) => {
            out.flush()?;
            return Err(usage(message));
        }
    };
    report.finish(&removed, &written, out)?;
    Ok(index_exit(&index, Exit::Success))
}

/// Returns the error with this message.
fn usage(message: String) -> CommandError {
    AppError::new(ErrorCode::Unwritable, message).into()
}

/// Returns the error that the command stopped before a file got its name.
fn stopped() -> CommandError {
    AppError::new(ErrorCode::Stopped, "stopped; no file was written").into()
}

/// Opens the index that the arguments name, or indexes the archives in a temporary folder. Returns `true` with it if the
/// numbers of its games last.
fn open(args: &DedupArgs, out: &mut Output) -> pdn_app::Result<(SearchedIndex, bool)> {
    let paths = args.input.paths.as_slice();
    if let [dir] = paths
        && is_index(dir)
    {
        if args.input.encoding.is_some() {
            let message = "is an index, whose text was decoded when it was made";
            return Err(AppError::path(ErrorCode::Contradiction, dir, message).in_field("encoding"));
        }
        return Ok((SearchedIndex::open_folder(dir)?, true));
    }
    if let Some(dir) = paths.iter().find(|path| is_index(path)) {
        let message = "is an index: give either one index or archives";
        let error = AppError::path(ErrorCode::Contradiction, dir, message);
        return Err(error.cured_by("against", "compares archives with an index"));
    }
    let index = index_archives(args, paths, needs_embedding(paths), out)?;
    // Of UTF-16 text, the archive does not have the bytes that the index counts.
    let lacks_text = index.inputs().iter().any(|input| input.path.is_none() || !input.has_file_offsets);
    let is_embedded = index.segments().iter().all(|segment| segment.has(pdn::index::Section::Text));
    if lacks_text && !is_embedded {
        return Ok((index_archives(args, paths, true, out)?, false));
    }
    Ok((index, false))
}

/// Returns `true` if some records cannot be read again from where they are.
fn needs_embedding(paths: &[PathBuf]) -> bool {
    let is_packed = |path: &Path| {
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        ["gz", "zst", "bz2", "zip"].iter().any(|packed| extension.eq_ignore_ascii_case(packed))
    };
    source::walk(paths).flatten().any(|path| source::is_stream(&path) || is_packed(&path))
}

fn index_archives(
    args: &DedupArgs,
    paths: &[PathBuf],
    embed: bool,
    out: &mut Output,
) -> pdn_app::Result<SearchedIndex> {
    let mut replay = ReplayOptions::new();
    replay.variant = args.variant;
    let import = ImportOptions::new()
        .threads(args.input.threads.unwrap_or_else(pool::default_threads))
        .open(OpenOptions::new().map(args.input.mmap.into()).encoding(args.input.encoding))
        .replay(replay)
        .segments(SegmentOptions::new().embed(embed));
    searched::index_archives(paths, &import, &mut out.context())
}

/// Returns `true` if a game is in the group of a keeper in one of these classes.
fn is_removed(duplicates: &Duplicates<'_>, classes: &[DuplicateClass], game: u64) -> bool {
    classes.iter().any(|&class| duplicates.is_other(class, game))
}
