//! Writes a key table from numbers in ascending order.

use std::io;

use super::KeyLayout;
use super::table::{Foot, header};
use crate::index::format::checksum::xxh3;
use crate::index::format::key_page::{self, PAGE};
use crate::index::format::wire::Writer;
use crate::index::segment::reader::Segment;
use crate::storage::Output;

/// Bytes that are collected before they are written.
const BUFFER: usize = 256 << 10;

/// A table being written. Memory: the directory, 24 bytes for 4096 entries.
pub(crate) struct TableWriter<'a> {
    out: &'a mut dyn Output,
    buffer: Vec<u8>,
    /// Bytes before the buffer.
    at: u64,
    page: Vec<u64>,
    entries: u64,
    directory: Writer,
}

impl<'a> TableWriter<'a> {
    pub(crate) fn new(out: &'a mut dyn Output) -> Self {
        let page = Vec::with_capacity(PAGE);
        Self { out, buffer: header().to_vec(), at: 0, page, entries: 0, directory: Writer::default() }
    }

    /// Adds numbers, each greater than all before.
    pub(crate) fn push(&mut self, mut numbers: &[u64]) -> io::Result<()> {
        self.entries += numbers.len() as u64;
        while !numbers.is_empty() {
            let (now, later) = numbers.split_at(numbers.len().min(PAGE - self.page.len()));
            self.page.extend(now);
            numbers = later;
            if self.page.len() == PAGE {
                self.end_page()?;
            }
        }
        Ok(())
    }

    fn end_page(&mut self) -> io::Result<()> {
        let Some(&first) = self.page.first() else { return Ok(()) };
        let start = self.buffer.len();
        key_page::write(&self.page, &mut self.buffer);
        self.page.clear();
        self.directory.u64(first);
        self.directory.u64(self.at + self.buffer.len() as u64);
        self.directory.u64(xxh3(&self.buffer[start..]));
        if self.buffer.len() >= BUFFER {
            self.flush()?;
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.write_all(&self.buffer)?;
        self.at += self.buffer.len() as u64;
        self.buffer.clear();
        Ok(())
    }

    /// Writes the rest and makes sure that all is on the disk. Answers with the bytes and the entries.
    pub(crate) fn finish(mut self, shape: KeyLayout, segment: &Segment) -> io::Result<(u64, u64)> {
        self.end_page()?;
        let foot = Foot {
            directory: self.at + self.buffer.len() as u64,
            directory_sum: xxh3(&self.directory.0),
            entries: self.entries,
            segment_len: segment.file_len(),
            segment_sum: segment.sum(),
            games: segment.len() as u32,
            shape,
        };
        let directory = std::mem::take(&mut self.directory.0);
        self.buffer.extend(directory);
        self.buffer.extend(foot.to_bytes());
        self.flush()?;
        self.out.sync()?;
        Ok((self.at, self.entries))
    }
}
