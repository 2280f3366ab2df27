//! Reads a file that was derived from a segment and stands next to it, in place.
//!
//! ```text
//! header     8 bytes magic | u32 version | zeros up to 64
//! pieces     entries in ascending order of their keys
//! directory  for each piece: u64 key of its first entry | u64 its end in the file | u64 xxh3 of it
//! footer     u64 offset of the directory | u64 xxh3 of it | u64 entries | u64 bytes of the segment
//!            u64 checksum in the footer of the segment | fields of the kind of file
//!            u64 xxh3 of the footer before | u32 version | u32 0 | 8 bytes magic
//! ```

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU8, Ordering};

use super::reader::Segment;
use crate::files::{FileBytes, FilePart};
use crate::format::section::xxh3;
use crate::format::wire::{Reader, Writer, u64_at};
use pdn::error::{Error, ErrorKind, Result};

/// Bytes of the header.
pub(crate) const HEADER_LEN: usize = 64;
/// Bytes of a directory entry.
const ENTRY_LEN: usize = 24;

/// What distinguishes one kind of derived files from the others.
pub(crate) struct DerivedFormat {
    pub(crate) version: u32,
    pub(crate) magic: [u8; 8],
    pub(crate) end_magic: [u8; 8],
    pub(crate) extension: &'static str,
    /// Bytes of the footer.
    pub(crate) footer_len: usize,
    /// The most bytes from the end of the file that are read at once when it is opened by ranges. They hold the directory of most files; those
    /// of a key table hold the footer alone, because most questions that open it do not need its directory.
    pub(crate) tail: u64,
    /// The name that messages use for the file.
    pub(crate) name: &'static str,
    pub(crate) messages: DerivedMessages,
}

/// Texts of errors that name the kind of file.
pub(crate) struct DerivedMessages {
    pub(crate) other_kind: &'static str,
    pub(crate) other_segment: &'static str,
    pub(crate) damaged_piece: &'static str,
}

impl DerivedFormat {
    /// Returns the file name for segment `number`.
    pub(crate) fn file_name(&self, number: u64) -> String {
        format!("segment-{number:08}.{}", self.extension)
    }

    /// Returns the header of a file.
    pub(crate) fn header(&self) -> [u8; HEADER_LEN] {
        let mut header = [0; HEADER_LEN];
        header[..8].copy_from_slice(&self.magic);
        header[8..12].copy_from_slice(&self.version.to_le_bytes());
        header
    }

    /// Adds what every footer begins with.
    pub(crate) fn begin_footer(&self, place: &DirectoryPlace) -> Writer {
        let DirectoryPlace { directory, checksum, entries, segment_len, segment_checksum } = *place;
        let mut out = Writer::default();
        for number in [directory, checksum, entries, segment_len, segment_checksum] {
            out.u64(number);
        }
        out
    }

    /// Adds what every footer ends with, and returns the footer.
    pub(crate) fn end_footer(&self, mut out: Writer) -> Vec<u8> {
        out.u64(xxh3(&out.0));
        out.u32(self.version);
        out.u32(0);
        out.0.extend(self.end_magic);
        out.0
    }
}

/// What every footer begins with: where the directory is, and the identity of the segment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct DirectoryPlace {
    /// Offset of the directory in the file.
    pub(crate) directory: u64,
    /// Checksum of the directory.
    pub(crate) checksum: u64,
    /// Number of entries.
    pub(crate) entries: u64,
    /// Length of the segment file in bytes.
    pub(crate) segment_len: u64,
    /// Checksum in the footer of the segment.
    pub(crate) segment_checksum: u64,
}

impl DirectoryPlace {
    /// Reads the beginning of a footer; `None` if it is too short.
    pub(crate) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        Some(Self {
            directory: reader.u64()?,
            checksum: reader.u64()?,
            entries: reader.u64()?,
            segment_len: reader.u64()?,
            segment_checksum: reader.u64()?,
        })
    }
}

/// The footer of one kind of derived files.
pub(crate) trait DerivedFooter: Sized {
    const FORMAT: DerivedFormat;

    /// Reads a footer; `None` if it is malformed.
    fn read(bytes: &[u8]) -> Option<Self>;

    /// Returns what every footer begins with.
    fn place(&self) -> &DirectoryPlace;

    /// Returns the number of games of the segment.
    fn games(&self) -> u32;

    /// Returns `true` if a directory of `pieces` pieces agrees with the other fields.
    fn allows_pieces(&self, pieces: u64) -> bool;
}

/// A file that was derived from a segment.
#[derive(Debug)]
pub(crate) struct DerivedFile<F> {
    path: PathBuf,
    bytes: FileBytes,
    pub(crate) footer: F,
    /// State of the directory: 0 not verified, 1 sound, 2 damaged.
    directory_state: AtomicU8,
}

/// The directory of a derived file, whose checksum was verified.
#[derive(Clone, Copy)]
pub(crate) struct Directory<'a>(&'a [u8]);

impl Directory<'_> {
    /// Returns the number of pieces.
    pub(crate) fn len(self) -> usize {
        self.0.len() / ENTRY_LEN
    }

    /// Returns the key of the first entry of a piece.
    pub(crate) fn first_key(self, piece: usize) -> u64 {
        u64_at(self.0, 3 * piece).unwrap_or(u64::MAX)
    }

    /// Returns the end of a piece in the file.
    fn end(self, piece: usize) -> u64 {
        u64_at(self.0, 3 * piece + 1).unwrap_or(0)
    }

    /// Returns the end of all pieces in the file.
    pub(crate) fn end_of_pieces(self) -> u64 {
        self.len().checked_sub(1).map_or(HEADER_LEN as u64, |last| self.end(last))
    }

    /// Returns the number of the first piece for whose first key `is_before` is `false`.
    pub(crate) fn partition_point(self, is_before: impl Fn(u64) -> bool) -> usize {
        let (mut from, mut to) = (0, self.len());
        while from < to {
            let middle = usize::midpoint(from, to);
            if is_before(self.first_key(middle)) { from = middle + 1 } else { to = middle }
        }
        from
    }
}

impl<F: DerivedFooter> DerivedFile<F> {
    /// Returns the path of the file of a segment.
    pub(crate) fn path_of(segment: &Segment) -> PathBuf {
        segment.path().with_extension(F::FORMAT.extension)
    }

    /// Opens the file of a segment; `None` if there is none. Costs O(1). If it is read by ranges, its first bytes are read together with its
    /// last ones: a 64th of the file, which most directories fit in, or 16 KiB, but at most what the format says.
    ///
    /// # Errors
    /// Fails if the file cannot be read, is damaged, has another version, or belongs to another segment, and if the question has to be
    /// asked again when these bytes are there.
    pub(crate) fn open(segment: &Segment) -> Result<Option<Self>> {
        let path = Self::path_of(segment);
        let bytes = match segment.files.open(&path) {
            Ok(file) => file.bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(Error::from(error).at(path)),
        };
        let tail = F::FORMAT.tail.min((bytes.len() / 64).max(16 << 10));
        let tail = bytes.len().saturating_sub(tail)..bytes.len();
        bytes.fetch(&[0..HEADER_LEN as u64, tail]).map_err(|error| Error::from(error).at(&path))?;
        Self::read(path, bytes, segment).map(Some)
    }

    /// Checks the header and the footer of a file.
    fn read(path: PathBuf, bytes: FileBytes, segment: &Segment) -> Result<Self> {
        let DerivedFormat { version: newest, magic, footer_len, name, messages, .. } = F::FORMAT;
        let damaged = |problem| Error::new(ErrorKind::IndexDamaged { section: name, problem }).at(&path);
        let io_error = |error: std::io::Error| Error::from(error).at(&path);
        let header = bytes.get(0..HEADER_LEN as u64).map_err(io_error)?;
        let header = Some(header).filter(|header| header.starts_with(&magic));
        let Some(header) = header else {
            return Err(damaged(messages.other_kind));
        };
        let version = Reader(&header[8..]).u32().unwrap_or(0);
        if version != newest && header[12..].iter().all(|&byte| byte == 0) {
            return Err(Error::new(ErrorKind::IndexVersion { version, newest }).at(&path));
        }
        let truncated = || damaged("the file is truncated or its end overwritten");
        let start = bytes.len().checked_sub(footer_len as u64).filter(|&start| start >= HEADER_LEN as u64);
        let start = start.ok_or_else(truncated)?;
        let footer = F::read(bytes.get(start..bytes.len()).map_err(io_error)?).ok_or_else(truncated)?;
        let place = *footer.place();
        let is_directory = (HEADER_LEN as u64..=start).contains(&place.directory)
            && (start - place.directory).is_multiple_of(ENTRY_LEN as u64)
            && footer.allows_pieces((start - place.directory) / ENTRY_LEN as u64);
        if !is_directory || header != F::FORMAT.header() {
            return Err(damaged("its contents are invalid"));
        }
        let own = (segment.file_len(), segment.checksum(), segment.len());
        if (place.segment_len, place.segment_checksum, footer.games() as usize) != own {
            return Err(damaged(messages.other_segment));
        }
        Ok(Self { path, bytes, footer, directory_state: AtomicU8::new(0) })
    }

    /// Returns the path of the file.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the number of entries.
    pub(crate) fn len(&self) -> u64 {
        self.footer.place().entries
    }

    /// Returns the length of the file in bytes.
    pub(crate) fn file_len(&self) -> u64 {
        self.bytes.len()
    }

    /// Returns all bytes of the file; none if it is read by ranges.
    pub(crate) fn bytes(&self) -> &[u8] {
        self.bytes.whole().map_or(&[], |bytes| bytes)
    }

    /// Returns some bytes of the file.
    pub(crate) fn get(&self, range: Range<u64>) -> Result<&[u8]> {
        self.bytes.get(range).map_err(|error| Error::from(error).at(&self.path))
    }

    /// Creates the error of a damaged file.
    pub(crate) fn damaged(&self, problem: &'static str) -> Error {
        Error::new(ErrorKind::IndexDamaged { section: F::FORMAT.name, problem }).at(&self.path)
    }

    /// Returns the directory, whose checksum is verified at the first call.
    pub(crate) fn directory(&self) -> Result<Directory<'_>> {
        let end = self.bytes.len() - F::FORMAT.footer_len as u64;
        let bytes = self.get(self.footer.place().directory..end)?;
        let mut state = self.directory_state.load(Ordering::Relaxed);
        if state == 0 {
            state = if xxh3(bytes) == self.footer.place().checksum { 1 } else { 2 };
            self.directory_state.store(state, Ordering::Relaxed);
        }
        if state == 1 {
            Ok(Directory(bytes))
        } else {
            Err(self.damaged("the checksum of the directory does not match"))
        }
    }

    /// Returns a part of the file, if it is read by ranges.
    pub(crate) fn part(&self, range: Range<u64>) -> Option<FilePart<'_>> {
        self.bytes.part(range)
    }

    /// Reads parts of the file, together if that is possible.
    ///
    /// # Errors
    /// If they cannot be read, or the question has to be asked again.
    pub(crate) fn fetch(&self, places: &[Range<u64>]) -> Result<()> {
        self.bytes.fetch(places).map_err(|error| Error::from(error).at(&self.path))
    }

    /// Returns the place of a piece in the file, without reading it. Its end is not before its start.
    pub(crate) fn place_of_piece(&self, directory: Directory<'_>, piece: usize) -> Range<u64> {
        let start = piece.checked_sub(1).map_or(HEADER_LEN as u64, |before| directory.end(before));
        start..directory.end(piece).max(start)
    }

    /// Returns a piece after verifying its checksum. Costs about 2 µs.
    pub(crate) fn piece(&self, directory: Directory<'_>, piece: usize) -> Result<&[u8]> {
        self.get(self.piece_range(directory, piece)?)
    }

    /// Returns the place of a piece in the file after verifying its checksum.
    pub(crate) fn piece_range(&self, directory: Directory<'_>, piece: usize) -> Result<Range<u64>> {
        let range = self.place_of_piece(directory, piece);
        let bytes = self.get(range.clone())?;
        if Some(xxh3(bytes)) == u64_at(directory.0, 3 * piece + 2) {
            Ok(range)
        } else {
            Err(self.damaged(F::FORMAT.messages.damaged_piece))
        }
    }
}
