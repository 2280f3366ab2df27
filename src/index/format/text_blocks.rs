//! Records embedded in an index, compressed in blocks so that one game is read without the others.
//!
//! The records of a segment are concatenated and cut every 256 KiB. Each block is a zstd frame. The section
//! `text-blocks` is `u32 blocks | u32 bytes of a block before compression | u64 end of each frame in the section`.

use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::Arc;

use super::wire::{Writer, u32_at, u64_at};
use crate::storage::{Output, Storage};

/// Bytes of a block before compression.
pub(crate) const BLOCK: usize = 256 << 10;

/// Compression level: zstd's default.
const LEVEL: i32 = 3;

/// Compresses records into a temporary file, which is copied into the segment at the end.
pub(crate) struct TextWriter {
    storage: Arc<dyn Storage>,
    path: PathBuf,
    out: Box<dyn Output>,
    /// The block that is being filled.
    block: Vec<u8>,
    /// End of the last frame in the temporary file, in bytes.
    end: u64,
    /// End of each frame.
    ends: Vec<u64>,
}

impl TextWriter {
    /// Creates the temporary file `path`.
    pub(crate) fn create(storage: Arc<dyn Storage>, path: PathBuf) -> io::Result<Self> {
        let out = storage.create(&path)?;
        Ok(Self { storage, path, out, block: Vec::with_capacity(BLOCK), end: 0, ends: Vec::new() })
    }

    /// Appends text.
    pub(crate) fn write(&mut self, mut text: &[u8]) -> io::Result<()> {
        while !text.is_empty() {
            let free = BLOCK - self.block.len();
            let (head, tail) = text.split_at(free.min(text.len()));
            self.block.extend(head);
            text = tail;
            if self.block.len() == BLOCK {
                self.flush()?;
            }
        }
        Ok(())
    }

    /// Compresses and writes the current block, unless it is empty.
    fn flush(&mut self) -> io::Result<()> {
        if self.block.is_empty() {
            return Ok(());
        }
        let frame = compress(&self.block)?;
        self.out.write_all(&frame)?;
        self.end += frame.len() as u64;
        self.ends.push(self.end);
        self.block.clear();
        Ok(())
    }

    /// Calls `copy` with all frames in order, a chunk at a time, and returns the section `text-blocks`.
    pub(crate) fn finish(mut self, mut copy: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<Vec<u8>> {
        self.flush()?;
        let mut frames = File::open(&self.path)?;
        let mut chunk = vec![0; BLOCK];
        loop {
            let read = frames.read(&mut chunk)?;
            if read == 0 {
                break;
            }
            copy(&chunk[..read])?;
        }
        // A leftover is removed by the next writer.
        let _ = self.storage.remove(&self.path);
        let mut blocks = Writer::default();
        blocks.u32(self.ends.len() as u32);
        blocks.u32(BLOCK as u32);
        self.ends.iter().for_each(|&end| blocks.u64(end));
        Ok(blocks.0)
    }
}

/// Returns bytes `start..end` of the concatenated records of a segment; `None` if the two sections do not contain
/// them.
pub(crate) fn read_text(frames: &[u8], blocks: &[u8], start: u64, end: u64) -> Option<Vec<u8>> {
    let (count, size) = (u32_at(blocks, 0)? as usize, u64::from(u32_at(blocks, 1)?));
    if size == 0 || size > 16 << 20 || start > end {
        return None;
    }
    let frame_end = |block: usize| u64_at(blocks, 1 + block);
    let mut text = Vec::new();
    let mut block = usize::try_from(start / size).ok()?;
    while (block as u64) * size < end {
        let frame_start = match block.checked_sub(1) {
            Some(before) => frame_end(before)?,
            None => 0,
        };
        let frame_end_offset = frame_end(block).filter(|_| block < count)?;
        let frame =
            frames.get(usize::try_from(frame_start).ok()?..usize::try_from(frame_end_offset).ok()?)?;
        let block_text = decompress(frame, size as usize)?;
        let base = block as u64 * size;
        let (first, last) = (start.max(base) - base, end.min(base + size) - base);
        text.extend(block_text.get(first as usize..last as usize)?);
        block += 1;
    }
    Some(text)
}

#[cfg(feature = "compression")]
fn compress(block: &[u8]) -> io::Result<Vec<u8>> {
    zstd::bulk::compress(block, LEVEL)
}

#[cfg(feature = "compression")]
fn decompress(frame: &[u8], size: usize) -> Option<Vec<u8>> {
    zstd::bulk::decompress(frame, size).ok()
}

#[cfg(not(feature = "compression"))]
fn compress(_: &[u8]) -> io::Result<Vec<u8>> {
    let _ = LEVEL;
    Err(io::Error::other("embedding needs the feature `compression`, which this build leaves out"))
}

#[cfg(not(feature = "compression"))]
fn decompress(_: &[u8], _: usize) -> Option<Vec<u8>> {
    None
}
