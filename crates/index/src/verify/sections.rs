//! Opens all files of an index together, so that a writer can replace them while they are verified, and compares every byte
//! with its checksum.

use std::cmp::Reverse;
use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};
use std::path::Path;
use std::{fs, io};

use super::report::{VerifyReport, Work};
use crate::book::table::BookTable;
use crate::extract::Extract;
use crate::format::section::file_checksum;
use crate::keys::KeyTable;
use crate::manifest::{Manifest, SegmentEntry};
use crate::openings::OpeningTable;
use crate::segment::reader::Segment;
use crate::{folder, manifest};
use pdn::error::{Error, ErrorKind, Result};
use pdn::internal::{pool, sort};

/// Pages of a key table that one thread verifies at a time: about 1.5 MB.
const PAGES: usize = 96;

/// A part that one thread verifies.
enum Part {
    /// A section of a segment, by its number in the table of the file.
    Section { segment: usize, section: usize },
    /// Pages of the key table of a segment.
    Pages { segment: usize, pages: Range<usize> },
    /// The book of a segment.
    Book { segment: usize },
}

/// Verifies the sections of all segments, the pages of their key tables, and their books. Reads each byte once, at the speed of the
/// checksum.
///
/// # Errors
/// Fails if a file cannot be read, and if `work` is broken off.
pub(super) fn check(
    segments: &[OpenedSegment],
    threads: NonZeroUsize,
    report: &mut VerifyReport,
    work: &mut Work<'_>,
) -> Result<()> {
    for opened in segments {
        if !opened.segment.is_gapless() {
            report.add(opened.segment.path(), "table", "the bytes between two sections are not zero");
        }
    }
    let mut parts: Vec<(u64, Part)> = Vec::new();
    for (segment, opened) in segments.iter().enumerate() {
        parts.extend(
            (opened.segment.table.entries.iter().enumerate())
                .map(|(section, entry)| (entry.len, Part::Section { segment, section })),
        );
        if let Some(keys) = &opened.keys {
            let pages = keys.pages();
            let len = keys.file_len() / pages.max(1) as u64;
            parts.extend((0..pages).step_by(PAGES).map(|first| {
                let pages = first..(first + PAGES).min(pages);
                (len * pages.len() as u64, Part::Pages { segment, pages })
            }));
        }
        parts.extend(opened.book.as_ref().map(|book| (book.file_len(), Part::Book { segment })));
    }
    // The longest parts first: nearly all bytes of a segment are in one section, and a thread that starts with it last would
    // work alone. The report names problems in the order of the files.
    let mut by_length: Vec<usize> = (0..parts.len()).collect();
    sort::by_key(&mut by_length, |&part| Reverse(parts[part].0));
    let mut problems: Vec<(usize, Problem)> = Vec::new();
    let mut result = Ok(());
    pool::ordered(
        by_length,
        threads,
        Vec::new,
        |buffer, part| (part, check_part(segments, &parts[part].1, buffer)),
        |(part, checked)| {
            result = checked.and_then(|problem| {
                problems.extend(problem.map(|problem| (part, problem)));
                work.add(parts[part].0)
            });
            if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        },
    );
    sort::by_key(&mut problems, |&(part, _)| part);
    for (part, problem) in problems {
        add(segments, &parts[part].1, problem, report);
    }
    result
}

/// The section of a problem, and the problem.
type Problem = (&'static str, &'static str);

/// Verifies a part. `buffer` is working memory.
fn check_part(segments: &[OpenedSegment], part: &Part, buffer: &mut Vec<u8>) -> Result<Option<Problem>> {
    match part {
        Part::Section { segment, section } => segments[*segment].segment.check_section(*section, buffer),
        Part::Pages { segment, pages } => {
            let keys = segments[*segment].keys.as_ref();
            problem_of(keys.map_or(Ok(()), |keys| keys.check_page_range(pages.clone())))
        }
        Part::Book { segment } => {
            let book = segments[*segment].book.as_ref();
            problem_of(book.map_or(Ok(()), BookTable::check_blocks))
        }
    }
}

/// Returns the damage that a check found.
///
/// # Errors
/// Fails with any other error of the check.
fn problem_of(checked: Result<()>) -> Result<Option<Problem>> {
    match checked.map_err(|error| (damage_of(&error), error)) {
        Ok(()) => Ok(None),
        Err((Some(problem), _)) => Ok(Some(problem)),
        Err((None, error)) => Err(error),
    }
}

/// Returns the damage that an error describes; `None` for other errors.
fn damage_of(error: &Error) -> Option<Problem> {
    match error.kind() {
        ErrorKind::IndexDamaged { section, problem } => Some((section, problem)),
        _ => None,
    }
}

/// Adds the problem of a part to the report.
fn add(segments: &[OpenedSegment], part: &Part, (section, problem): Problem, report: &mut VerifyReport) {
    match part {
        Part::Section { segment, .. } => report.add(segments[*segment].segment.path(), section, problem),
        Part::Pages { segment, .. } => {
            if let Some(keys) = &segments[*segment].keys {
                report.add(keys.path(), section, problem);
            }
        }
        Part::Book { segment } => {
            if let Some(book) = &segments[*segment].book {
                report.add(book.path(), section, problem);
            }
        }
    }
}

/// A segment with its key table, its book, its openings and its extract, opened. Its files can be removed or replaced; what was opened remains readable.
pub(super) struct OpenedSegment {
    pub(super) entry: SegmentEntry,
    pub(super) segment: Segment,
    pub(super) keys: Option<KeyTable>,
    pub(super) book: Option<BookTable>,
    /// The openings, whose checksums were compared when they were opened.
    pub(super) openings: Option<OpeningTable>,
    /// The extract, which the published copy of an index has.
    pub(super) extract: Option<Extract>,
}

/// An index as one manifest lists it.
pub(super) struct OpenedIndex {
    pub(super) manifest: Manifest,
    /// The segments that could be opened.
    pub(super) segments: Vec<OpenedSegment>,
}

impl OpenedIndex {
    /// Opens the index in a folder. Adds to `report` what is wrong with single files.
    ///
    /// A writer may replace files between the manifest and a segment. So if something is wrong and the manifest has
    /// changed meanwhile, opening starts over.
    ///
    /// # Errors
    /// Fails if there is no index, its manifest cannot be read, or the system cannot open or map a file.
    pub(super) fn open(dir: &Path, report: &mut VerifyReport) -> Result<Self> {
        let none = || Error::new(ErrorKind::NotAnIndex).at(dir);
        loop {
            let manifest = Manifest::read(dir)?.ok_or_else(none)?;
            let mut found = VerifyReport::default();
            let opened = Self::open_listed(dir, manifest.clone(), &mut found);
            if opened.is_ok() && found.problems.is_empty() || Manifest::read(dir)?.as_ref() == Some(&manifest)
            {
                *report = found;
                return opened;
            }
        }
    }

    /// Opens the files that a manifest lists.
    fn open_listed(dir: &Path, manifest: Manifest, report: &mut VerifyReport) -> Result<Self> {
        let manifest_path = dir.join(manifest::FILE_NAME);
        report.bytes += fs::metadata(&manifest_path).map_or(0, |file| file.len());
        let mut segments = Vec::with_capacity(manifest.segments.len());
        for &entry in &manifest.segments {
            let path = dir.join(entry.file());
            let segment = match Segment::open(&path) {
                Ok(segment) => segment,
                Err(error) => {
                    match missing_reason(&error) {
                        Some(reason) => report.add(&path, "", reason),
                        None => report.add_error(&path, error)?,
                    }
                    continue;
                }
            };
            report.segments += 1;
            report.games += segment.len() as u64;
            report.bytes += segment.file_len();
            if (segment.file_len(), segment.checksum()) != (entry.info.len, entry.info.checksum) {
                report.add(&path, "footer", "it is not the segment that the manifest lists");
            }
            let keys = KeyTable::open(&segment)
                .or_else(|error| report.add_error(&KeyTable::path_of(&segment), error).map(|()| None))?;
            report.bytes += keys.as_ref().map_or(0, KeyTable::file_len);
            let book = BookTable::open(&segment)
                .or_else(|error| report.add_error(&BookTable::path_of(&segment), error).map(|()| None))?;
            report.bytes += book.as_ref().map_or(0, BookTable::file_len);
            let openings = OpeningTable::open(&segment)
                .or_else(|error| report.add_error(&OpeningTable::path_of(&segment), error).map(|()| None))?;
            report.bytes += openings.as_ref().map_or(0, OpeningTable::file_len);
            let extract = Extract::open(&segment)
                .or_else(|error| report.add_error(&Extract::path_of(&segment), error).map(|()| None))?;
            report.bytes += extract.as_ref().map_or(0, Extract::file_len);
            segments.push(OpenedSegment { entry, segment, keys, book, openings, extract });
        }
        let games: u64 = manifest.inputs.iter().map(|input| input.games).sum();
        if games != manifest.segments.iter().map(|entry| u64::from(entry.info.games)).sum::<u64>() {
            report.add(&manifest_path, "", "inputs and segments have different numbers of games");
        }
        let path = folder::rejects_path(dir, &manifest);
        match file_checksum(&path) {
            Ok(checksum) if checksum == manifest.rejects => {}
            Ok(_) => report.add(&path, "", "it is not the file that was written"),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                report.add(&path, "", "the file is missing")
            }
            Err(error) => return Err(Error::from(error).at(&path)),
        }
        Ok(Self { manifest, segments })
    }
}

/// Returns what is wrong if an error says that a file of the index is not there.
fn missing_reason(error: &Error) -> Option<&'static str> {
    match error.kind() {
        ErrorKind::Io(cause) if cause.kind() == io::ErrorKind::NotFound => Some("the segment is missing"),
        ErrorKind::Io(cause) if cause.kind() == io::ErrorKind::IsADirectory => {
            Some("a folder is in its place")
        }
        _ => None,
    }
}
