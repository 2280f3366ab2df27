//! `pdn dedup`: finds records of the same game, and writes archives without them.

mod report;
mod shared_tags;
mod write;

use std::io::{self, Write as _};
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
use crate::input::searched_index::{self, SearchedIndex, is_index};
use crate::output::exit::{fail, print_error};
use crate::output::{Exit, Output, interrupt, sanitize};

/// Runs `pdn dedup`.
pub(crate) fn run(args: &DedupArgs, out: &mut Output) -> io::Result<Exit> {
    match dedup(args, out)? {
        Ok(exit) | Err(exit) => Ok(exit),
    }
}

/// Returns the exit code; the inner error is one after a message. The outer error is one of standard output.
fn dedup(args: &DedupArgs, out: &mut Output) -> io::Result<Result<Exit, Exit>> {
    let removal = match Removal::new(args) {
        Ok(removal) => removal,
        Err(message) => {
            print_error(&message);
            return Ok(Err(Exit::Failure));
        }
    };
    if args.write.is_some() || args.duplicates.is_some() {
        out.discard_unread();
    }
    let opened = open(args, out).and_then(|(index, is_numbered)| {
        let known = args.against.as_deref().map(Index::open).transpose().map_err(|error| fail(&error))?;
        Ok((index, is_numbered, known))
    });
    let (index, is_numbered, known) = match opened {
        Ok(opened) => opened,
        Err(exit) => return Ok(Err(exit)),
    };
    let options = DedupOptions::new()
        .keep(args.keep.into())
        .threads(args.input.threads.unwrap_or_else(pool::default_threads))
        .stop(interrupt::flag());
    let duplicates = match dedup::find_duplicates(&index, known.as_ref(), &options) {
        Ok(duplicates) => duplicates,
        Err(error) if matches!(error.kind(), ErrorKind::Stopped) => return Ok(Err(stopped())),
        Err(error) => return Ok(Err(fail(&error))),
    };
    let mut report = match Report::new(args, &index, is_numbered, known.as_ref(), &duplicates) {
        Ok(report) => report,
        Err(error) => return Ok(Err(fail(&error))),
    };
    let removed = removal.games(&index, &duplicates);
    let mut copies = args.share_tags.then(|| RemovedCopies::new(&removal));
    let mut members = duplicates.into_members();
    while copies.is_some() || !report.is_full() {
        if interrupt::is_requested() {
            return Ok(Err(stopped()));
        }
        let Some(member) = members.next() else { break };
        let printed = member.and_then(|member| {
            if let Some(copies) = &mut copies {
                copies.add(&member);
            }
            report.member(&member, &mut members, out)
        });
        match printed {
            Ok(printed) => printed?,
            Err(error) => return Ok(Err(fail(&error))),
        }
    }
    report.end_group(out)?;
    let written = match removal.write(&index, &removed, copies.as_mut()) {
        Ok(Some(written)) => written,
        Ok(None) => return Ok(Err(stopped())),
        Err(message) => {
            out.flush()?;
            print_error(&message);
            return Ok(Err(Exit::Failure));
        }
    };
    report.finish(&removed, &written, out)?;
    Ok(Ok(index.exit(Exit::Success)))
}

/// Reports that the command stopped before a file got its name.
fn stopped() -> Exit {
    print_error("stopped; no file was written");
    Exit::Interrupted
}

/// Opens the index that the arguments name, or indexes the archives in a temporary folder. Returns `true` with it if the
/// numbers of its games last.
fn open(args: &DedupArgs, out: &mut Output) -> Result<(SearchedIndex, bool), Exit> {
    let paths = args.input.paths.as_slice();
    if let [dir] = paths
        && is_index(dir)
    {
        if args.input.encoding.is_some() {
            let dir = sanitize::path(dir);
            print_error(&format!("--encoding: {dir} is an index, whose text was decoded when it was made"));
            return Err(Exit::Failure);
        }
        return Ok((searched_index::open_folder(dir)?, true));
    }
    if let Some(dir) = paths.iter().find(|path| is_index(path)) {
        let dir = sanitize::path(dir);
        print_error(&format!(
            "{dir} is an index: give either one index or archives, or use `--against {dir}`"
        ));
        return Err(Exit::Failure);
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
) -> Result<SearchedIndex, Exit> {
    let mut replay = ReplayOptions::new();
    replay.variant = args.variant;
    let import = ImportOptions::new()
        .threads(args.input.threads.unwrap_or_else(pool::default_threads))
        .open(OpenOptions::new().map(args.input.mmap.into()).encoding(args.input.encoding))
        .replay(replay)
        .segments(SegmentOptions::new().embed(embed));
    searched_index::index_archives(paths, &import, out)
}

/// Returns `true` if a game is in the group of a keeper in one of these classes.
fn is_removed(duplicates: &Duplicates<'_>, classes: &[DuplicateClass], game: u64) -> bool {
    classes.iter().any(|&class| duplicates.is_other(class, game))
}
