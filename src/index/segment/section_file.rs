//! SECTION FILE

use std::io;
use std::path::Path;

use crate::index::format::checksum::Sum;
use crate::index::format::section::{self, ALIGN, Entry, Section};
use crate::storage::{Output, Storage};

/// Bytes that are written at a time, but at the end. Whole and aligned, so that the system may keep them in pages as
/// large, which are read several times as fast while they are in memory.
const BUFFER: usize = 1 << 20;

/// The file, section by section.
pub(crate) struct Sections {
    out: Box<dyn Output>,
    buffer: Vec<u8>,
    /// Where the next byte goes.
    at: u64,
    entries: Vec<Entry>,
    sum: Sum,
}

impl Sections {
    pub(crate) fn create(storage: &dyn Storage, path: &Path) -> io::Result<Self> {
        let buffer = section::header().to_vec();
        let at = buffer.len() as u64;
        Ok(Self { out: storage.create(path)?, buffer, at, entries: Vec::new(), sum: Sum::default() })
    }

    /// Begins a section that comes in pieces.
    pub(crate) fn begin(&mut self, section: Section) -> io::Result<()> {
        let zeros = self.at.next_multiple_of(ALIGN) - self.at;
        self.buffer.resize(self.buffer.len() + zeros as usize, 0);
        self.at += zeros;
        self.flush()?;
        self.entries.push(Entry { section: section as u32, offset: self.at, len: 0, sum: 0 });
        self.sum = Sum::default();
        Ok(())
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.sum.update(bytes);
        self.buffer.extend(bytes);
        self.at += bytes.len() as u64;
        self.flush()
    }

    pub(crate) fn end(&mut self) {
        if let Some(entry) = self.entries.last_mut() {
            entry.len = self.at - entry.offset;
            entry.sum = self.sum.digest();
        }
    }

    pub(crate) fn section(&mut self, section: Section, bytes: &[u8]) -> io::Result<()> {
        self.begin(section)?;
        self.write(bytes)?;
        self.end();
        Ok(())
    }

    /// Writes what fills whole pieces.
    fn flush(&mut self) -> io::Result<()> {
        let full = self.buffer.len() / BUFFER * BUFFER;
        if full > 0 {
            self.out.write_all(&self.buffer[..full])?;
            self.buffer.drain(..full);
            let end = self.at - self.buffer.len() as u64;
            self.out.is_final(end - full as u64, full as u64);
        }
        Ok(())
    }

    /// Length and sum of the file.
    pub(crate) fn finish(mut self, games: u32) -> io::Result<(u64, u64)> {
        let table = section::table(&self.entries, self.at, games);
        self.buffer.extend(&table);
        self.out.write_all(&self.buffer)?;
        self.out.sync()?;
        let sum = table[table.len() - 24..][..8].try_into().map(u64::from_le_bytes).unwrap_or(0);
        Ok((self.at + table.len() as u64, sum))
    }
}
