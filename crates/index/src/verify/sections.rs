//! Compares every byte of the segments, key tables and books with its checksum.

use std::cmp::Reverse;
use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};

use super::opened::OpenedSegment;
use super::report::VerifyReport;
use super::work::Work;
use crate::book::table::BookTable;
use pdn::error::{Error, ErrorKind, Result};
use pdn::internal::pool;
use pdn::internal::sort;

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
