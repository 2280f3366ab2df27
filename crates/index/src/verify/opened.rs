//! Opens all files of an index together, so that a writer can replace them while they are verified.

use std::fs;
use std::io;
use std::path::Path;

use super::report::VerifyReport;
use crate::book::table::BookTable;
use crate::extract::table::Extract;
use crate::format::checksum::file_checksum;
use crate::keys::table::KeyTable;
use crate::manifest;
use crate::manifest::{Manifest, SegmentEntry};
use crate::openings::table::OpeningTable;
use crate::rejects;
use crate::segment::reader::Segment;
use pdn::error::{Error, ErrorKind, Result};

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
        let path = rejects::rejects_path(dir, &manifest);
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
