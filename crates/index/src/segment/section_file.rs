//! Writes a segment file section by section, with alignment, checksums, table and footer. Sections are encoded by several threads.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::format::column::write_column;
use crate::format::columns::{DictionaryKind, Section};
use crate::format::dictionary::DictionarySections;
use crate::format::end_offsets::{BLOCK, write_end_offsets};
use crate::format::interner::Interner;
use crate::format::narrow_column::NarrowColumn;
use crate::format::section;
use crate::format::section::{ALIGN, Checksum, SectionEntry};
use pdn::internal::storage::{Output, Storage, TemporaryFile};

/// Bytes per write, except for the last one. Writes are whole and aligned, so that the system may keep them in pages
/// of this size. Files in large pages are read several times as fast while they are cached.
const BUFFER: usize = 1 << 20;

/// A segment file that is being written; removed unless it gets its name.
pub(crate) struct SectionFile {
    out: TemporaryFile,
    buffer: Vec<u8>,
    /// Offset of the next byte in the file.
    at: u64,
    entries: Vec<SectionEntry>,
    checksum: Checksum,
}

impl SectionFile {
    /// Creates the file and writes the header.
    pub(crate) fn create(storage: &Arc<dyn Storage>, path: PathBuf) -> io::Result<Self> {
        let buffer = section::header().to_vec();
        let at = buffer.len() as u64;
        Ok(Self {
            out: TemporaryFile::at(storage, path)?,
            buffer,
            at,
            entries: Vec::new(),
            checksum: Checksum::default(),
        })
    }

    /// Returns its path, before it has its name.
    pub(crate) fn path(&self) -> &Path {
        self.out.path()
    }

    /// Starts a section, which is written in chunks.
    pub(crate) fn begin(&mut self, section: Section) -> io::Result<()> {
        let padding = self.at.next_multiple_of(ALIGN) - self.at;
        self.buffer.resize(self.buffer.len() + padding as usize, 0);
        self.at += padding;
        self.flush()?;
        self.entries.push(SectionEntry { section: section as u32, offset: self.at, len: 0, checksum: 0 });
        self.checksum = Checksum::default();
        Ok(())
    }

    /// Appends bytes to the current section.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.checksum.update(bytes);
        self.buffer.extend(bytes);
        self.at += bytes.len() as u64;
        self.flush()
    }

    /// Ends the current section.
    pub(crate) fn end(&mut self) {
        if let Some(entry) = self.entries.last_mut() {
            entry.len = self.at - entry.offset;
            entry.checksum = self.checksum.digest();
        }
    }

    /// Writes a whole section.
    pub(crate) fn section(&mut self, section: Section, bytes: &[u8]) -> io::Result<()> {
        self.begin(section)?;
        self.write(bytes)?;
        self.end();
        Ok(())
    }

    /// Writes the part of the buffer that fills whole units of [`BUFFER`] bytes.
    fn flush(&mut self) -> io::Result<()> {
        let full = self.buffer.len() / BUFFER * BUFFER;
        if full > 0 {
            self.out.write_all(&self.buffer[..full])?;
            self.buffer.drain(..full);
            let end = self.at - self.buffer.len() as u64;
            self.out.hint_final(end - full as u64, full as u64);
        }
        Ok(())
    }

    /// Writes the table and the footer and syncs the file. Returns it with its length in bytes and the checksum in the
    /// footer.
    pub(crate) fn finish(mut self, games: u32) -> io::Result<(TemporaryFile, u64, u64)> {
        let table = section::table(&self.entries, self.at, games);
        self.buffer.extend(&table);
        self.out.write_all(&self.buffer)?;
        self.out.sync()?;
        let checksum = table[table.len() - 24..][..8].try_into().map(u64::from_le_bytes).unwrap_or(0);
        Ok((self.out, self.at + table.len() as u64, checksum))
    }
}

/// A section or dictionary that is to be encoded.
pub(crate) enum PendingSection {
    /// A dictionary.
    Dictionary(DictionaryKind, Interner),
    /// A section that is encoded already.
    Bytes(Section, Vec<u8>),
    /// End offsets, given as lengths.
    Ends(Section, NarrowColumn),
    /// A column of numbers, and whether a table of the different values may make it smaller.
    Column(Section, NarrowColumn, bool),
}

/// The result of [`PendingSection::encode`].
pub(crate) enum EncodedSection {
    /// A dictionary, and the final number of each of its texts.
    Dictionary(DictionaryKind, DictionarySections, Vec<u32>),
    /// Any other section.
    Section(Section, Vec<u8>),
}

impl PendingSection {
    /// Encodes the section or dictionary. `values` is memory that is used again.
    pub(crate) fn encode(self, values: &mut Vec<u32>) -> EncodedSection {
        match self {
            Self::Dictionary(kind, interner) => {
                let (sections, numbers) = interner.write();
                EncodedSection::Dictionary(kind, sections, numbers)
            }
            Self::Bytes(section, bytes) => EncodedSection::Section(section, bytes),
            Self::Ends(section, lengths) => {
                lengths.read(values);
                EncodedSection::Section(section, write_end_offsets(values))
            }
            Self::Column(section, column, tries_table) => {
                column.read(values);
                EncodedSection::Section(section, write_column(values, tries_table))
            }
        }
    }
}

/// Encodes a column of text numbers after replacing each by the final one. `values` is memory that is used again.
pub(crate) fn renumbered_column(column: &NarrowColumn, numbers: &[u32], values: &mut Vec<u32>) -> Vec<u8> {
    column.read(values);
    values.iter_mut().for_each(|value| *value = numbers[*value as usize]);
    write_column(values, false)
}

/// Checksums of blocks of up to [`BLOCK`] records that follow each other in one input.
///
/// Two checksums can be combined into one, so segments are merged without the archives; see [`section::join`].
#[derive(Default)]
pub(crate) struct TextChecksums {
    /// Checksum of each block.
    sums: Vec<u64>,
    /// Number of records of each block.
    games: Vec<u32>,
}

impl TextChecksums {
    /// Appends the combined checksum of `games` records. With `new` they start a block, because they do not follow
    /// the records before in the same input.
    pub(crate) fn add(&mut self, sum: u64, games: u32, new: bool) {
        match (self.sums.last_mut(), self.games.last_mut()) {
            (Some(last), Some(count)) if !new && *count + games <= BLOCK as u32 => {
                *last = section::join(*last, sum, games);
                *count += games;
            }
            _ => {
                self.sums.push(sum);
                self.games.push(games);
            }
        }
    }

    /// Encodes the sections.
    pub(crate) fn sections(&self) -> [PendingSection; 2] {
        let sums = self.sums.iter().flat_map(|sum| sum.to_le_bytes()).collect();
        [
            PendingSection::Bytes(Section::TextSums, sums),
            PendingSection::Bytes(Section::TextSumEnds, write_end_offsets(&self.games)),
        ]
    }
}
