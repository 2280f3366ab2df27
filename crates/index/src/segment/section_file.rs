//! Writes a segment file section by section, with alignment, checksums, table and footer.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::format::checksum::Checksum;
use crate::format::columns::Section;
use crate::format::section;
use crate::format::section::{ALIGN, SectionEntry};
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
