//! Reads a book in place.
//!
//! ```text
//! header     "PDNBOOK\0" | u32 version | zeros up to 64
//! blocks     entries in ascending order of their keys, about 16 KiB each
//! directory  for each block: u64 key of its first entry | u64 its end in the file | u64 xxh3 of it
//! footer     u64 offset of the directory | u64 xxh3 of it | u64 entries | u64 bytes of the segment
//!            u64 checksum in the footer of the segment | u64 basis: which games count, and which kinds have the same rules
//!            u32 games | u32 games asked for | u32 of these in this segment | u32 least games of an entry
//!            u64 xxh3 of the 64 bytes before | u32 version | u32 0 | "PDNBOOK."
//! ```

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU8, Ordering};

use super::entry::{BookEntry, EntryContext};
use super::parts::TreeParts;
use crate::error::{Error, ErrorKind, Result};
use crate::index::format::checksum::xxh3;
use crate::index::format::wire::{Reader, Writer, u64_at};
use crate::index::row::game_row::GameKind;
use crate::index::segment::reader::{self, Segment};
use crate::position::{State, split_mix};
use crate::source::Bytes;

/// Version of the format of books.
pub(in crate::index) const VERSION: u32 = 1;
/// Number of example games that a book keeps of each position and move.
pub(crate) const BOOK_EXAMPLES: usize = 16;

const MAGIC: &[u8; 8] = b"PDNBOOK\0";
const END_MAGIC: &[u8; 8] = b"PDNBOOK.";
/// Bytes of the header.
const HEADER_LEN: usize = 64;
/// Bytes of the footer.
const FOOTER_LEN: usize = 88;
/// Bytes of a directory entry.
const ENTRY_LEN: usize = 24;
/// The name that messages use for a book.
const NAME: &str = "book";

/// Returns the file name of the book of segment `number`.
pub(in crate::index) fn file_name(number: u64) -> String {
    format!("segment-{number:08}.book")
}

/// Returns the header of a book.
pub(super) fn header() -> [u8; HEADER_LEN] {
    let mut header = [0; HEADER_LEN];
    header[..8].copy_from_slice(MAGIC);
    header[8..12].copy_from_slice(&VERSION.to_le_bytes());
    header
}

/// Returns, for each kind, the number of the first kind with the same rules.
pub(in crate::index) fn kinds_by_rules(kinds: &[GameKind]) -> Vec<u32> {
    let first =
        |kind: &GameKind| kinds.iter().position(|other| other.variant.rules() == kind.variant.rules());
    kinds.iter().map(|kind| first(kind).unwrap_or(0) as u32).collect()
}

/// Returns a number for what a book depends on besides its segment: the retired games, and which kinds have the same rules
/// in this version of the program.
pub(in crate::index) fn basis(kinds: &[GameKind], retired: &[Range<u32>]) -> u64 {
    let kinds = kinds_by_rules(kinds).into_iter().map(u64::from);
    let retired = retired.iter().map(|games| u64::from(games.start) << 32 | u64::from(games.end));
    retired.fold(kinds.fold(0, split_mix), split_mix)
}

/// The footer of a book, with the identity of its segment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(in crate::index) struct BookFooter {
    /// Offset of the directory in the file.
    pub(in crate::index) directory: u64,
    /// Checksum of the directory.
    pub(in crate::index) directory_checksum: u64,
    /// Number of entries.
    pub(in crate::index) entries: u64,
    /// Length of the segment file in bytes.
    pub(in crate::index) segment_len: u64,
    /// Checksum in the footer of the segment.
    pub(in crate::index) segment_checksum: u64,
    /// See [`basis`].
    pub(in crate::index) basis: u64,
    /// Number of games of the segment.
    pub(in crate::index) games: u32,
    /// The number of games from which on a position was to be in the book, of the whole index.
    pub(in crate::index) asked_games: u32,
    /// The share of the segment in them.
    pub(in crate::index) asked_here: u32,
    /// The number of games of the segment from which on a position has an entry; more than was asked for if there were too
    /// many such positions.
    pub(in crate::index) least_games: u32,
}

impl BookFooter {
    /// Encodes the footer.
    pub(super) fn to_bytes(self) -> Vec<u8> {
        let mut out = Writer::default();
        let (directory, checksum) = (self.directory, self.directory_checksum);
        for number in [directory, checksum, self.entries, self.segment_len, self.segment_checksum, self.basis]
        {
            out.u64(number);
        }
        for number in [self.games, self.asked_games, self.asked_here, self.least_games] {
            out.u32(number);
        }
        out.u64(xxh3(&out.0));
        out.u32(VERSION);
        out.u32(0);
        out.0.extend(END_MAGIC);
        out.0
    }

    /// Reads a footer; `None` if it is malformed.
    fn read(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader(bytes);
        let footer = Self {
            directory: reader.u64()?,
            directory_checksum: reader.u64()?,
            entries: reader.u64()?,
            segment_len: reader.u64()?,
            segment_checksum: reader.u64()?,
            basis: reader.u64()?,
            games: reader.u32()?,
            asked_games: reader.u32()?,
            asked_here: reader.u32()?,
            least_games: reader.u32()?,
        };
        (footer.to_bytes() == bytes).then_some(footer)
    }
}

/// The book of a segment.
#[derive(Debug)]
pub(crate) struct BookTable {
    path: PathBuf,
    bytes: Bytes,
    pub(in crate::index) footer: BookFooter,
    /// State of the directory: 0 not verified, 1 sound, 2 damaged.
    directory_state: AtomicU8,
}

impl BookTable {
    /// Returns the path of the book of a segment.
    pub(in crate::index) fn path_of(segment: &Segment) -> PathBuf {
        segment.path().with_extension("book")
    }

    /// Opens the book of a segment; `None` if there is none. Costs O(1).
    ///
    /// # Errors
    /// Fails if the file cannot be read, is damaged, has another version, or belongs to another segment.
    pub(in crate::index) fn open(segment: &Segment) -> Result<Option<Self>> {
        let path = Self::path_of(segment);
        let bytes = match reader::read_or_map(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(Error::from(error).at(path)),
        };
        Self::read(path, bytes, segment).map(Some)
    }

    /// Checks the header and the footer of a book.
    fn read(path: PathBuf, bytes: Bytes, segment: &Segment) -> Result<Self> {
        let damaged = |problem| Error::new(ErrorKind::IndexDamaged { section: NAME, problem }).at(&path);
        let header_bytes = bytes.get(..HEADER_LEN).filter(|header_bytes| header_bytes.starts_with(MAGIC));
        let Some(header_bytes) = header_bytes else {
            return Err(damaged("the file does not start like a book"));
        };
        let version = Reader(&header_bytes[8..]).u32().unwrap_or(0);
        if version != VERSION && header_bytes[12..].iter().all(|&byte| byte == 0) {
            return Err(Error::new(ErrorKind::IndexVersion { version, newest: VERSION }).at(&path));
        }
        let start = bytes.len().checked_sub(FOOTER_LEN).filter(|&start| start >= HEADER_LEN);
        let footer = start.and_then(|start| BookFooter::read(&bytes[start..]));
        let (Some(start), Some(footer)) = (start, footer) else {
            return Err(damaged("the file is truncated or its end overwritten"));
        };
        let has_directory = (HEADER_LEN as u64..=start as u64).contains(&footer.directory)
            && (start as u64 - footer.directory).is_multiple_of(ENTRY_LEN as u64);
        if !has_directory || header_bytes != header() {
            return Err(damaged("its contents are invalid"));
        }
        let own = (segment.file_len(), segment.checksum(), segment.len());
        if (footer.segment_len, footer.segment_checksum, footer.games as usize) != own {
            return Err(damaged("it is the book of another segment"));
        }
        Ok(Self { path, bytes, footer, directory_state: AtomicU8::new(0) })
    }

    /// Returns the path of the file.
    pub(in crate::index) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the number of entries.
    pub(in crate::index) fn len(&self) -> u64 {
        self.footer.entries
    }

    /// Returns the length of the file in bytes.
    pub(in crate::index) fn file_len(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// Returns the bytes of the file.
    pub(in crate::index) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Creates the error of a damaged book.
    fn damaged(&self, problem: &'static str) -> Error {
        Error::new(ErrorKind::IndexDamaged { section: NAME, problem }).at(&self.path)
    }

    /// Returns the directory, whose checksum is verified at the first call.
    fn directory(&self) -> Result<&[u8]> {
        let bytes =
            self.bytes.get(self.footer.directory as usize..self.bytes.len() - FOOTER_LEN).unwrap_or(&[]);
        let mut state = self.directory_state.load(Ordering::Relaxed);
        if state == 0 {
            state = if xxh3(bytes) == self.footer.directory_checksum { 1 } else { 2 };
            self.directory_state.store(state, Ordering::Relaxed);
        }
        if state == 1 { Ok(bytes) } else { Err(self.damaged("the checksum of the directory does not match")) }
    }

    /// Returns a block after verifying its checksum. Costs about 2 µs.
    fn block(&self, directory: &[u8], block: usize) -> Result<&[u8]> {
        let number = |block: usize, column: usize| u64_at(directory, 3 * block + column).unwrap_or(0);
        let start = if block == 0 { HEADER_LEN as u64 } else { number(block - 1, 1) };
        let bytes = self.bytes.get(start as usize..number(block, 1) as usize).unwrap_or(&[]);
        if xxh3(bytes) == number(block, 2) {
            Ok(bytes)
        } else {
            Err(self.damaged("the checksum of a block does not match"))
        }
    }

    /// Returns the tree of a position; `None` if it has no entry, because fewer games have it. Takes some microseconds.
    ///
    /// # Errors
    /// Fails if the book is damaged.
    pub(in crate::index) fn find(
        &self,
        key: u64,
        position: (u32, &State<u128>),
        context: &EntryContext,
    ) -> Result<Option<TreeParts>> {
        let directory = self.directory()?;
        let first = |block: usize| u64_at(directory, 3 * block).unwrap_or(u64::MAX);
        let blocks = directory.len() / ENTRY_LEN;
        let (mut from, mut to) = (0, blocks);
        while from < to {
            let middle = usize::midpoint(from, to);
            if first(middle) < key { from = middle + 1 } else { to = middle }
        }
        let invalid = || self.damaged("an entry is invalid");
        for block in from.saturating_sub(1)..blocks {
            if first(block) > key {
                break;
            }
            let mut entries = Reader(self.block(directory, block)?);
            while !entries.0.is_empty() {
                let (Some(other), Some(rest)) = (entries.u64(), entries.bytes()) else {
                    return Err(invalid());
                };
                if other > key {
                    return Ok(None);
                }
                if other == key
                    && let Some(parts) = BookEntry::read(rest, position, context).ok_or_else(invalid)?
                {
                    return Ok(Some(parts));
                }
            }
        }
        Ok(None)
    }

    /// Verifies the checksums of the directory and of all blocks.
    ///
    /// # Errors
    /// Fails if one does not match.
    pub(in crate::index) fn check_blocks(&self) -> Result<()> {
        let directory = self.directory()?;
        let blocks = directory.len() / ENTRY_LEN;
        (0..blocks).try_for_each(|block| self.block(directory, block).map(drop))?;
        let end =
            if blocks == 0 { HEADER_LEN as u64 } else { u64_at(directory, 3 * blocks - 2).unwrap_or(0) };
        if end == self.footer.directory { Ok(()) } else { Err(self.damaged("its contents are invalid")) }
    }
}
