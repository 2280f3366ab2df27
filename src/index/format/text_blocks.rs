//! The original text inside an index, compressed in blocks so that a game can be had without the rest.
//!
//! The text of all games of a segment, one after the other, is cut every 256 KiB; each block is a zstd frame.
//! `text-blocks` is `u32 blocks | u32 size of a block | u64 end of each frame in the section`.

use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::Arc;

use super::wire::{Writer, u32_at, u64_at};
use crate::storage::{Output, Storage};

/// Bytes in a block before compression.
pub(crate) const BLOCK: usize = 256 << 10;

/// zstd's own default.
const LEVEL: i32 = 3;

/// Compresses what comes into a file of its own, which is then copied into the segment.
pub(crate) struct TextWriter {
    storage: Arc<dyn Storage>,
    path: PathBuf,
    out: Box<dyn Output>,
    block: Vec<u8>,
    end: u64,
    ends: Vec<u64>,
}

impl TextWriter {
    pub(crate) fn create(storage: Arc<dyn Storage>, path: PathBuf) -> io::Result<Self> {
        let out = storage.create(&path)?;
        Ok(Self { storage, path, out, block: Vec::with_capacity(BLOCK), end: 0, ends: Vec::new() })
    }

    pub(crate) fn write(&mut self, mut text: &[u8]) -> io::Result<()> {
        while !text.is_empty() {
            let room = BLOCK - self.block.len();
            let (now, later) = text.split_at(room.min(text.len()));
            self.block.extend(now);
            text = later;
            if self.block.len() == BLOCK {
                self.flush()?;
            }
        }
        Ok(())
    }

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

    /// Hands all frames to `copy`, piece by piece, and answers with the other section.
    pub(crate) fn finish(mut self, mut copy: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<Vec<u8>> {
        self.flush()?;
        let mut frames = File::open(&self.path)?;
        let mut piece = vec![0; BLOCK];
        loop {
            let read = frames.read(&mut piece)?;
            if read == 0 {
                break;
            }
            copy(&piece[..read])?;
        }
        // A leftover is cleaned up by the next writer.
        let _ = self.storage.remove(&self.path);
        let mut blocks = Writer::default();
        blocks.u32(self.ends.len() as u32);
        blocks.u32(BLOCK as u32);
        self.ends.iter().for_each(|&end| blocks.u64(end));
        Ok(blocks.0)
    }
}

/// Bytes `start..end` of the text of a segment; `None` if the sections do not have them.
pub(crate) fn read(frames: &[u8], blocks: &[u8], start: u64, end: u64) -> Option<Vec<u8>> {
    let (count, size) = (u32_at(blocks, 0)? as usize, u64::from(u32_at(blocks, 1)?));
    if size == 0 || size > 16 << 20 || start > end {
        return None;
    }
    let frame_end = |block: usize| u64_at(blocks, 1 + block);
    let mut text = Vec::new();
    let mut block = usize::try_from(start / size).ok()?;
    while (block as u64) * size < end {
        let from = match block.checked_sub(1) {
            Some(before) => frame_end(before)?,
            None => 0,
        };
        let to = frame_end(block).filter(|_| block < count)?;
        let frame = frames.get(usize::try_from(from).ok()?..usize::try_from(to).ok()?)?;
        let whole = decompress(frame, size as usize)?;
        let base = block as u64 * size;
        let (first, last) = (start.max(base) - base, end.min(base + size) - base);
        text.extend(whole.get(first as usize..last as usize)?);
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
