//! Records embedded in an index, compressed in blocks so that one game is read without the others.
//!
//! The records of a segment are concatenated and cut every 256 KiB. Each block is a zstd frame. The section
//! `text-blocks` is `u32 blocks | u32 bytes of a block before compression | u64 end of each frame in the section`.

use std::fmt;
use std::fs::File;
use std::io::{self, Read, Write};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use super::wire::{Writer, u32_at, u64_at};
use pdn::internal::storage::{Storage, TemporaryFile};

/// Bytes of a block before compression.
pub(crate) const BLOCK: usize = 256 << 10;

/// Compression level: zstd's default.
const LEVEL: i32 = 3;

/// Compresses records into a temporary file, which is copied into the segment at the end.
pub(crate) struct TextWriter {
    out: TemporaryFile,
    /// The block that is being filled.
    block: Vec<u8>,
    /// End of the last frame in the temporary file, in bytes.
    end: u64,
    /// End of each frame.
    ends: Vec<u64>,
}

impl TextWriter {
    /// Creates the temporary file `path`.
    pub(crate) fn create(storage: &Arc<dyn Storage>, path: PathBuf) -> io::Result<Self> {
        let out = TemporaryFile::at(storage, path)?;
        Ok(Self { out, block: Vec::with_capacity(BLOCK), end: 0, ends: Vec::new() })
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
        let mut frames = File::open(self.out.path())?;
        let mut chunk = vec![0; BLOCK];
        loop {
            let read = frames.read(&mut chunk)?;
            if read == 0 {
                break;
            }
            copy(&chunk[..read])?;
        }
        let mut blocks = Writer::default();
        blocks.u32(self.ends.len() as u32);
        blocks.u32(BLOCK as u32);
        self.ends.iter().for_each(|&end| blocks.u64(end));
        Ok(blocks.0)
    }
}

/// Decompresses frames and keeps the memory for it.
#[derive(Default)]
pub(crate) struct FrameReader {
    frame: Vec<u8>,
    #[cfg(feature = "compression")]
    decompressor: Option<zstd::bulk::Decompressor<'static>>,
}

impl fmt::Debug for FrameReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FrameReader").finish_non_exhaustive()
    }
}

impl FrameReader {
    /// Makes `window` contain bytes `range` of the concatenated records of a segment. The window consists of whole
    /// blocks from offset `window_start` on; those that it has are not read again. `None` if the two sections do not
    /// contain the bytes.
    // Twin: the whole text; test: `any_ranges_in_any_order_are_read`.
    pub(crate) fn read<'f>(
        &mut self,
        frames: &dyn Fn(Range<u64>) -> Option<&'f [u8]>,
        blocks: &[u8],
        range: &Range<u64>,
        window: &mut Vec<u8>,
        window_start: &mut u64,
    ) -> Option<()> {
        let (count, size) = (u32_at(blocks, 0)? as usize, u64::from(u32_at(blocks, 1)?));
        if size == 0 || size > 16 << 20 || range.start > range.end {
            return None;
        }
        let end = *window_start + window.len() as u64;
        if *window_start <= range.start && range.end <= end {
            return Some(());
        }
        let first = range.start / size * size;
        if (*window_start..end).contains(&first) && end.is_multiple_of(size) {
            window.drain(..(first - *window_start) as usize);
        } else {
            window.clear();
        }
        *window_start = first;
        let frame_end = |block: usize| u64_at(blocks, 1 + block);
        while *window_start + (window.len() as u64) < range.end {
            let block = usize::try_from((*window_start + window.len() as u64) / size).ok()?;
            let frame_start = match block.checked_sub(1) {
                Some(before) => frame_end(before)?,
                None => 0,
            };
            let frame_end = frame_end(block).filter(|_| block < count)?;
            let frame = frames(frame_start..frame_end)?;
            self.decompress(frame, size as usize)?;
            window.extend_from_slice(&self.frame);
            // Only the last block may be shorter.
            if self.frame.len() as u64 != size && *window_start + (window.len() as u64) < range.end {
                return None;
            }
        }
        Some(())
    }

    /// Decompresses a frame into `self.frame`.
    #[cfg(feature = "compression")]
    fn decompress(&mut self, frame: &[u8], size: usize) -> Option<()> {
        self.frame.clear();
        self.frame.reserve(size);
        let decompressor = match &mut self.decompressor {
            Some(decompressor) => decompressor,
            empty => empty.insert(zstd::bulk::Decompressor::new().ok()?),
        };
        decompressor.decompress_to_buffer(frame, &mut self.frame).ok()?;
        (self.frame.len() <= size).then_some(())
    }

    #[cfg(all(not(feature = "compression"), feature = "embedded-text"))]
    fn decompress(&mut self, frame: &[u8], size: usize) -> Option<()> {
        self.frame.clear();
        self.frame.resize(size, 0);
        let len = ruzstd::decoding::FrameDecoder::new().decode_all(frame, &mut self.frame).ok()?;
        self.frame.truncate(len);
        Some(())
    }

    #[cfg(not(any(feature = "compression", feature = "embedded-text")))]
    fn decompress(&mut self, _: &[u8], _: usize) -> Option<()> {
        None
    }
}

/// Returns bytes `start..end` of the concatenated records of a segment; `None` if the two sections do not contain
/// them.
pub(crate) fn read_text<'f>(
    frames: &dyn Fn(Range<u64>) -> Option<&'f [u8]>,
    blocks: &[u8],
    start: u64,
    end: u64,
) -> Option<Vec<u8>> {
    let (mut window, mut window_start) = (Vec::new(), 0);
    FrameReader::default().read(frames, blocks, &(start..end), &mut window, &mut window_start)?;
    let offset = usize::try_from(start - window_start).ok()?;
    window.get(offset..offset + usize::try_from(end - start).ok()?).map(<[u8]>::to_vec)
}

#[cfg(feature = "compression")]
fn compress(block: &[u8]) -> io::Result<Vec<u8>> {
    zstd::bulk::compress(block, LEVEL)
}

#[cfg(not(feature = "compression"))]
fn compress(_: &[u8]) -> io::Result<Vec<u8>> {
    let _ = LEVEL;
    Err(io::Error::other("embedding needs the feature `compression`, which this build leaves out"))
}

#[cfg(all(test, feature = "compression"))]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use pdn::internal::storage::Disk;

    fn disk() -> Arc<dyn Storage> {
        Arc::new(Disk)
    }

    proptest! {
        #[test]
        fn any_ranges_in_any_order_are_read(
            blocks in 0usize..4,
            rest in prop::sample::select(vec![0usize, 1, 100, BLOCK - 1]),
            ranges in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 1..8),
        ) {
            let text: Vec<u8> = (0..blocks * BLOCK + rest).map(|i| (i * i / 77) as u8).collect();
            let place = tempfile::tempdir().unwrap();
            let mut writer = TextWriter::create(&disk(), place.path().join("text")).unwrap();
            writer.write(&text).unwrap();
            let mut frames = Vec::new();
            let table = writer.finish(|chunk| { frames.extend_from_slice(chunk); Ok(()) }).unwrap();
            let mut reader = FrameReader::default();
            let (mut window, mut window_start) = (Vec::new(), 0);
            for (start, end) in ranges {
                let (start, end) = (start.index(text.len() + 1), end.index(text.len() + 1));
                let (start, end) = (start.min(end), start.max(end));
                let range = start as u64..end as u64;
                let frames = |range: Range<u64>| frames.get(range.start as usize..range.end as usize);
                prop_assert!(reader.read(&frames, &table, &range, &mut window, &mut window_start).is_some());
                let offset = start - window_start as usize;
                prop_assert!(window[offset..offset + end - start] == text[start..end]);
            }
            let beyond = 0..text.len() as u64 + 1;
            let frames = |range: Range<u64>| frames.get(range.start as usize..range.end as usize);
            prop_assert!(reader.read(&frames, &table, &beyond, &mut window, &mut window_start).is_none());
        }
    }

    #[test]
    fn text_that_ends_with_a_block_is_read_to_its_end() {
        for blocks in [1, 2] {
            let text: Vec<u8> = (0..blocks * BLOCK).map(|i| (i * i / 77) as u8).collect();
            let place = tempfile::tempdir().unwrap();
            let mut writer = TextWriter::create(&disk(), place.path().join("text")).unwrap();
            writer.write(&text).unwrap();
            let mut frames = Vec::new();
            let copy = |chunk: &[u8]| {
                frames.extend_from_slice(chunk);
                Ok(())
            };
            let table = writer.finish(copy).unwrap();
            let frames = |range: Range<u64>| frames.get(range.start as usize..range.end as usize);
            for start in [0, text.len() - BLOCK, text.len() - 1] {
                let read = read_text(&frames, &table, start as u64, text.len() as u64);
                assert!(read.as_deref() == Some(&text[start..]), "from byte {start}");
            }
        }
    }
}
