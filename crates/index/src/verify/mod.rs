//! Verifies an index: checksums, and on request moves and archives.
//!
//! By default each byte of the index is read once and compared with its checksum, on all processors: at least half as fast
//! as the checksum alone. With [`VerifyOptions::replay`] every game is played, too, and with [`VerifyOptions::texts`] all
//! archives are read. All of it takes time linear in the size of the index and of the archives, and constant memory per
//! thread.
//!
//! All files are opened first. So an index can be verified while other processes append to it, merge it or replace it; the
//! report is about the index that was there at the beginning.

mod report;
mod sections;
mod games;
mod archives;

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;

use self::report::Work;
use self::sections::{OpenedIndex, OpenedSegment};
use super::book::table::{self as book_table, BookTable};
use super::book_build::{self, BookRequest};
use super::extract::Extract;
use super::format::columns::Section;
use super::game_set::GameSet;
use super::keys::KeyTable;
use super::manifest::Manifest;
use super::openings::OpeningTable;
use super::{key_build, manifest, opening_build, retire};
use pdn::error::Result;

pub use report::{IndexProblem, VerifyOptions, VerifyReport};

/// Verifies the index in a folder: all files are present, and every byte matches its checksum. Checks moves and archives
/// as `options` says. Continues after a problem.
///
/// ```
/// # let dir = tempfile::tempdir().unwrap();
/// # let (archive, folder) = (dir.path().join("games.pdn"), dir.path().join("index"));
/// # std::fs::write(&archive, "[GameType \"20\"]\n1. 32-28 19-23 2-0\n").unwrap();
/// use pdn_index::internal::{VerifyOptions, verify};
/// use pdn_index::import;
///
/// import([&archive], &folder, &Default::default())?;
/// let report = verify(&folder, &VerifyOptions::ALL)?;
/// assert!(report.is_sound());
/// assert_eq!((report.games, report.plies), (1, 2));
/// # Ok::<_, pdn::Error>(())
/// ```
///
/// # Errors
/// Fails if there is no index or its manifest cannot be read. Fails with [`ErrorKind::Io`](pdn::error::ErrorKind::Io) if
/// the system cannot open, map or read a file of the index; that says nothing about the index.
pub fn verify(dir: impl AsRef<Path>, options: &VerifyOptions) -> Result<VerifyReport> {
    verify_with(dir, options, |_, _| ControlFlow::Continue(()))
}

/// Verifies an index as [`verify`] does. `progress` receives the number of bytes that were verified and of those to be
/// verified, first 0 once all files are open, and may break off.
///
/// # Errors
/// As [`verify`]; with [`io::ErrorKind::Interrupted`](std::io::ErrorKind::Interrupted) if `progress` breaks off.
pub fn verify_with(
    dir: impl AsRef<Path>,
    options: &VerifyOptions,
    mut progress: impl FnMut(u64, u64) -> ControlFlow<()>,
) -> Result<VerifyReport> {
    let dir = dir.as_ref();
    let threads = options.threads.unwrap_or_else(pdn::default_threads);
    let mut report = VerifyReport::default();
    let index = OpenedIndex::open(dir, &mut report)?;
    let mut work = Work::new(total_bytes(&index, options), &mut progress);
    work.add(0)?;
    sections::check(&index.segments, threads, &mut report, &mut work)?;
    for opened in &index.segments {
        check_extract(opened, &mut report, &mut work)?;
    }
    if options.replay {
        for opened in &index.segments {
            let path = opened.segment.path();
            games::check(opened, index.manifest.inputs.len(), threads, &mut report, &mut work)?;
            let moves_are_sound = report.problems.iter().all(|known| known.path != path);
            let Some(keys) = opened.keys.as_ref().filter(|_| moves_are_sound) else { continue };
            let (len, mut counted) = (keys.file_len(), 0);
            let checked = key_build::check(&opened.segment, keys, threads, &mut |share| {
                let bytes = (share * len as f64) as u64;
                let more = bytes.saturating_sub(counted);
                counted += more;
                if work.add(more).is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
            if let Err(error) = checked {
                report.add_error(keys.path(), error)?;
                continue;
            }
            check_book(&index.manifest, opened, threads, &mut report, &mut work)?;
            check_openings(opened, threads, &mut report, &mut work)?;
        }
    }
    if report.problems.is_empty() {
        let segments = index.segments.iter().map(|opened| &opened.segment);
        if retire::retired_sums(segments, &index.manifest.inputs)? != index.manifest.retired {
            report.add(&dir.join(manifest::FILE_NAME), "", "the sums over retired games are wrong");
        }
    }
    // A damaged index says nothing about its archives.
    if report.problems.is_empty() {
        if options.fingerprints {
            archives::check_fingerprints(&index.manifest.inputs, threads, &mut report, &mut work)?;
        }
        if options.texts {
            archives::check_texts(&index, threads, &mut report, &mut work)?;
        }
    }
    Ok(report)
}

/// Compares the book of a segment with one made anew. A book that counts games that are retired by now is left out, because
/// no reader uses it.
///
/// # Errors
/// Fails if the segment cannot be read, and if `work` is broken off.
fn check_book(
    manifest: &Manifest,
    opened: &OpenedSegment,
    threads: NonZeroUsize,
    report: &mut VerifyReport,
    work: &mut Work<'_>,
) -> Result<()> {
    let (Some(keys), Some(book)) = (&opened.keys, &opened.book) else { return Ok(()) };
    let segment = &opened.segment;
    let retired = retire::retired_runs(segment, &manifest.inputs)?;
    let basis = book_table::basis(&segment.kinds()?, &retired);
    if basis == book.footer.basis {
        let live = GameSet::first(segment.len() as u32) - retire::retired_games(segment, &manifest.inputs)?;
        // The numbers of games are those of the segment: the bytes do not depend on where it stands in the index.
        let request = BookRequest {
            segment,
            keys,
            first_game: 0,
            live: &live,
            basis,
            asked_games: 0,
            asked_here: 0,
            max_positions: book_build::MAX_POSITIONS,
            threads,
        };
        let checked = book_build::check(book, request, &mut || go_on(work));
        if let Err(error) = checked {
            report.add_error(book.path(), error)?;
        }
    }
    work.add(book.file_len())
}

/// Compares the openings of a segment with new ones.
///
/// # Errors
/// Fails if the segment cannot be read, and if `work` is broken off.
fn check_openings(
    opened: &OpenedSegment,
    threads: NonZeroUsize,
    report: &mut VerifyReport,
    work: &mut Work<'_>,
) -> Result<()> {
    let Some(openings) = &opened.openings else { return Ok(()) };
    let checked = opening_build::check(&opened.segment, openings, threads, &mut || go_on(work));
    if let Err(error) = checked {
        report.add_error(openings.path(), error)?;
    }
    work.add(openings.file_len())
}

/// Compares the extract of a segment with a new one. That of a damaged segment is left out.
///
/// # Errors
/// Fails if the segment cannot be read, and if `work` is broken off.
fn check_extract(opened: &OpenedSegment, report: &mut VerifyReport, work: &mut Work<'_>) -> Result<()> {
    let Some(extract) = &opened.extract else { return Ok(()) };
    if report.problems.iter().all(|known| known.path != opened.segment.path()) {
        match opened.segment.extract() {
            Ok(bytes) if bytes == extract.bytes() => {}
            Ok(_) => report.add(extract.path(), "extract", "it is not what the segment says"),
            Err(error) => report.add_error(opened.segment.path(), error)?,
        }
    }
    work.add(extract.file_len())
}

/// Reports progress that cannot be measured, and returns whether the callback breaks off.
fn go_on(work: &mut Work<'_>) -> ControlFlow<()> {
    if work.add(0).is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
}

/// Returns the number of bytes to be verified; those that are read for two reasons count twice.
fn total_bytes(index: &OpenedIndex, options: &VerifyOptions) -> u64 {
    let of_segment = |opened: &sections::OpenedSegment| {
        let keys = opened.keys.as_ref().map_or(0, KeyTable::file_len);
        let book = opened.book.as_ref().map_or(0, BookTable::file_len);
        let openings = opened.openings.as_ref().map_or(0, OpeningTable::file_len);
        let games = opened.segment.section_len(Section::Moves) + keys + book + openings;
        let texts = opened.entry.info.text_len;
        opened.segment.file_len()
            + keys
            + book
            + opened.extract.as_ref().map_or(0, Extract::file_len)
            + if options.replay { games } else { 0 }
            + if options.texts { texts } else { 0 }
    };
    index.segments.iter().map(of_segment).sum()
}
