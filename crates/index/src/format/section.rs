//! The frame of a segment file: header, sections, table of sections, footer; and the checksums of an index, which are XXH3 with
//! 64 bits and seed 0, computed with the best vector instructions of the processor.
//!
//! ```text
//! header   "PDNGAMES" | u32 version | u32 0 | zeros up to 64
//! sections one after the other, each at a multiple of 64
//! table    for each section: u32 number | u32 0 | u64 offset | u64 length | u64 xxh3 of its bytes
//! footer   u64 offset of the table | u32 sections | u32 games | u64 xxh3 of the table and of the 16 bytes of the
//!          footer before it | u32 version | u32 0 | "PDNSEGM."
//! ```
//! The table stands at the end, so that a file is written in one pass and a truncated file is recognised at once.

use std::fs::File;
use std::hash::Hasher;
use std::io::{self, Read};
use std::path::Path;

use super::columns::Section;
use super::wire::{Reader, Writer};
use pdn_rules::internal::steps;
use twox_hash::XxHash3_64;

/// Version of the format that is written, and the newest that is read.
pub const VERSION: u32 = 2;

pub(crate) const MAGIC: &[u8; 8] = b"PDNGAMES";
const END_MAGIC: &[u8; 8] = b"PDNSEGM.";

/// Alignment of sections in bytes; also the length of the header.
pub(crate) const ALIGN: u64 = 64;

/// Bytes at the end of a file in which the table and the footer are.
pub(crate) const TAIL: u64 = 8 << 10;

/// Bytes of a table entry.
const ENTRY_LEN: usize = 32;
/// Bytes of the footer.
const FOOTER_LEN: usize = 40;

/// Returns the checksum of consecutive records from those of two parts, where the second part has `games` records.
/// The checksum of one record is its xxh3.
///
/// `before * FACTOR ^ games + after`, modulo 2^64: changing one record changes it, and so does another order.
pub(crate) const fn join(before: u64, after: u64, games: u32) -> u64 {
    /// Odd, so that multiplication is a bijection and loses nothing.
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    before.wrapping_mul(FACTOR.wrapping_pow(games)).wrapping_add(after)
}

/// An entry of the table: position and checksum of a section.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SectionEntry {
    /// Number of the [`Section`], which may be unknown to this version.
    pub(crate) section: u32,
    /// Offset in the file, in bytes.
    pub(crate) offset: u64,
    /// Length in bytes.
    pub(crate) len: u64,
    pub(crate) checksum: u64,
}

/// Returns the header of a segment file.
pub(crate) fn header() -> [u8; ALIGN as usize] {
    let mut header = [0; ALIGN as usize];
    header[..8].copy_from_slice(MAGIC);
    header[8..12].copy_from_slice(&VERSION.to_le_bytes());
    header
}

/// Returns the table and the footer of a segment file whose table starts at byte `offset`.
pub(crate) fn table(entries: &[SectionEntry], offset: u64, games: u32) -> Vec<u8> {
    let mut out = Writer::default();
    for entry in entries {
        out.u32(entry.section);
        out.u32(0);
        out.u64(entry.offset);
        out.u64(entry.len);
        out.u64(entry.checksum);
    }
    out.u64(offset);
    out.u32(entries.len() as u32);
    out.u32(games);
    out.u64(xxh3(&out.0));
    out.u32(VERSION);
    out.u32(0);
    out.0.extend(END_MAGIC);
    out.0
}

/// The reason why a file is not a readable segment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SegmentFileError {
    /// The file does not start with the header of a segment.
    Foreign,
    /// The version is newer than [`VERSION`], or 0.
    Version(u32),
    /// The named part has a problem.
    Damaged(&'static str, &'static str),
}

/// The table and the footer of a segment file.
#[derive(Clone, Debug)]
pub(crate) struct SectionTable {
    /// Version that the file was written in.
    pub(crate) version: u32,
    /// Entries in file order.
    pub(crate) entries: Vec<SectionEntry>,
    /// Number of games.
    pub(crate) games: u32,
    /// Checksum in the footer; it identifies the contents of the file.
    pub(crate) sum: u64,
}

impl SectionTable {
    /// Reads the header, the table and the footer of a file of `len` bytes from its first bytes and its last ones. Costs
    /// O(sections).
    ///
    /// The last [`TAIL`] bytes are enough for all files that this version writes; `tail` may be the whole file.
    pub(crate) fn read(head: &[u8], tail: &[u8], len: u64) -> Result<Self, SegmentFileError> {
        let header = head
            .get(..ALIGN as usize)
            .filter(|header| header.starts_with(MAGIC))
            .ok_or(SegmentFileError::Foreign)?;
        let version = Reader(&header[8..]).u32().unwrap_or(0);
        if version == 0 || version > VERSION {
            return Err(SegmentFileError::Version(version));
        }
        let truncated = SegmentFileError::Damaged("footer", "the file is truncated or its end overwritten");
        let tail_start = len.checked_sub(tail.len() as u64).ok_or(truncated)?;
        let start = tail.len().checked_sub(FOOTER_LEN).ok_or(truncated)?;
        let mut reader = Reader(&tail[start..]);
        let mut footer = || {
            Some((
                reader.u64()?,
                reader.u32()?,
                reader.u32()?,
                reader.u64()?,
                reader.u32()?,
                reader.u32()?,
                reader.array::<8>()?,
            ))
        };
        let (offset, sections, games, sum, version_again, zero, end) = footer().ok_or(truncated)?;
        if &end != END_MAGIC
            || version_again != version
            || zero != 0
            || header[12..].iter().any(|&byte| byte != 0)
        {
            return Err(truncated);
        }
        let table_len = (sections as usize).checked_mul(ENTRY_LEN).ok_or(truncated)?;
        let is_there = |at: &usize| tail_start.checked_add(*at as u64) == Some(offset);
        let at = start.checked_sub(table_len).filter(is_there).ok_or(truncated)?;
        if xxh3(&tail[at..start + 16]) != sum {
            return Err(SegmentFileError::Damaged("table", "its checksum does not match"));
        }
        let malformed = SegmentFileError::Damaged("table", "an entry is invalid");
        let mut reader = Reader(&tail[at..start]);
        let mut entries = Vec::with_capacity(sections as usize);
        for _ in 0..sections {
            let mut entry = || {
                let (section, _) = (reader.u32()?, reader.u32()?);
                Some(SectionEntry {
                    section,
                    offset: reader.u64()?,
                    len: reader.u64()?,
                    checksum: reader.u64()?,
                })
            };
            let entry = entry().ok_or(malformed)?;
            let end = entry.offset.checked_add(entry.len).ok_or(malformed)?;
            if entry.offset < ALIGN || end > offset {
                return Err(malformed);
            }
            entries.push(entry);
        }
        Ok(Self { version, entries, games, sum })
    }

    /// Returns `true` if the sections follow each other from the header to the table with only zeros between them.
    /// Costs O(sections). Together with the checksums this accounts for every byte of the file.
    pub(crate) fn is_gapless(&self, file: &[u8]) -> bool {
        let mut at = ALIGN;
        let mut gaps_are_sound = self.entries.iter().map(|entry| {
            let start = std::mem::replace(&mut at, entry.offset.saturating_add(entry.len));
            let gap = file.get(start as usize..entry.offset as usize);
            gap.is_some_and(|gap| gap.len() < ALIGN as usize && gap.iter().all(|&byte| byte == 0))
        });
        gaps_are_sound.all(|sound| sound)
            && file.len().checked_sub(FOOTER_LEN + ENTRY_LEN * self.entries.len()) == Some(at as usize)
    }

    /// Returns the index and the entry of a section, or `None` if the file does not have it.
    pub(crate) fn find(&self, section: Section) -> Option<(usize, SectionEntry)> {
        self.entries.iter().copied().enumerate().find(|(_, entry)| entry.section == section as u32)
    }
}

/// Returns the checksum of `bytes`.
// Twin: another implementation of XXH3; test: `checksums_equal_another_implementation`.
#[inline]
pub(crate) fn xxh3(bytes: &[u8]) -> u64 {
    steps::add(1 + bytes.len() / 16);
    XxHash3_64::oneshot(bytes)
}

/// A checksum of bytes that arrive in chunks. It does not depend on the cuts between chunks.
#[derive(Clone, Default)]
pub(crate) struct Checksum(XxHash3_64);

impl Checksum {
    /// Adds a chunk.
    pub(crate) fn update(&mut self, bytes: &[u8]) {
        steps::add(1 + bytes.len() / 16);
        self.0.write(bytes);
    }

    /// Returns the checksum of all chunks so far.
    pub(crate) fn digest(&self) -> u64 {
        self.0.finish()
    }
}

/// Reads a file and calls `take` for each chunk, at most 64 KiB long, in file order.
pub(crate) fn read_chunks(path: &Path, mut take: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
    let mut file = File::open(path)?;
    let mut chunk = vec![0; 64 << 10];
    loop {
        match file.read(&mut chunk)? {
            0 => return Ok(()),
            read => take(&chunk[..read])?,
        }
    }
}

/// Returns the length in bytes and the checksum of a file.
pub(crate) fn file_checksum(path: &Path) -> io::Result<(u64, u64)> {
    let (mut len, mut checksum) = (0, Checksum::default());
    read_chunks(path, |chunk| {
        len += chunk.len() as u64;
        checksum.update(chunk);
        Ok(())
    })?;
    Ok((len, checksum.digest()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn checksums_equal_another_implementation(bytes in prop::collection::vec(any::<u8>(), 0..5000), cut: prop::sample::Index) {
            let expected = xxhash_rust::xxh3::xxh3_64(&bytes);
            prop_assert_eq!(xxh3(&bytes), expected);
            let (head, tail) = bytes.split_at(cut.index(bytes.len() + 1));
            let mut chunked = Checksum::default();
            chunked.update(head);
            chunked.update(tail);
            prop_assert_eq!(chunked.digest(), expected);
        }
    }
}
