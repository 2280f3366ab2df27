//! Writes a key table from entries in ascending order.

use std::io;

use super::KeyLayout;
use super::table::{FORMAT, KeyTableFooter};
use crate::format::checksum::xxh3;
use crate::format::key_page;
use crate::format::key_page::PAGE;
use crate::format::wire::Writer;
use crate::segment::derived_file::DirectoryPlace;
use crate::segment::reader::Segment;
use pdn::internal::storage::Output;

/// Bytes that are collected before they are written.
const MAX_BUFFER: usize = 256 << 10;

/// A key table that is being written. Memory: the directory, 24 bytes per page of 4096 entries.
pub(crate) struct TableWriter<'a> {
    out: &'a mut dyn Output,
    buffer: Vec<u8>,
    /// Offset of the buffer in the file.
    at: u64,
    /// Entries of the current page.
    page: Vec<u64>,
    /// Number of entries so far.
    entries: u64,
    directory: Writer,
}

impl<'a> TableWriter<'a> {
    /// Creates a writer. The header is written with the first pages.
    pub(crate) fn new(out: &'a mut dyn Output) -> Self {
        let page = Vec::with_capacity(PAGE);
        Self { out, buffer: FORMAT.header().to_vec(), at: 0, page, entries: 0, directory: Writer::default() }
    }

    /// Appends entries in ascending order, each greater than all before.
    pub(crate) fn push(&mut self, mut entries: &[u64]) -> io::Result<()> {
        self.entries += entries.len() as u64;
        while !entries.is_empty() {
            let (head, tail) = entries.split_at(entries.len().min(PAGE - self.page.len()));
            self.page.extend(head);
            entries = tail;
            if self.page.len() == PAGE {
                self.end_page()?;
            }
        }
        Ok(())
    }

    /// Encodes the current page, unless it is empty, and adds it to the directory.
    fn end_page(&mut self) -> io::Result<()> {
        let Some(&first) = self.page.first() else { return Ok(()) };
        let start = self.buffer.len();
        key_page::write(&self.page, &mut self.buffer);
        self.page.clear();
        self.directory.u64(first);
        self.directory.u64(self.at + self.buffer.len() as u64);
        self.directory.u64(xxh3(&self.buffer[start..]));
        if self.buffer.len() >= MAX_BUFFER {
            self.flush()?;
        }
        Ok(())
    }

    /// Writes the buffer.
    fn flush(&mut self) -> io::Result<()> {
        self.out.write_all(&self.buffer)?;
        self.at += self.buffer.len() as u64;
        self.buffer.clear();
        Ok(())
    }

    /// Writes the remaining pages, the directory and the footer, and syncs the file. Returns the length of the file
    /// in bytes and the number of entries.
    pub(crate) fn finish(mut self, layout: KeyLayout, segment: &Segment) -> io::Result<(u64, u64)> {
        self.end_page()?;
        let footer = KeyTableFooter {
            place: DirectoryPlace {
                directory: self.at + self.buffer.len() as u64,
                checksum: xxh3(&self.directory.0),
                entries: self.entries,
                segment_len: segment.file_len(),
                segment_checksum: segment.checksum(),
            },
            games: segment.len() as u32,
            layout,
        };
        let directory = std::mem::take(&mut self.directory.0);
        self.buffer.extend(directory);
        self.buffer.extend(footer.to_bytes());
        self.flush()?;
        self.out.sync()?;
        Ok((self.at, self.entries))
    }
}
