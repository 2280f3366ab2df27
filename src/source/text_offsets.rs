//! Maps offsets in a text that was changed while it was read back to offsets in its original: UTF-16, a list of positions, or
//! games taken out of another text.
//!
//! The map consists of runs of characters with equal lengths in the text and in the original. Of UTF-16, the first byte of a UTF-8 character
//! gives both. Lone surrogates become U+FFFD, which has two bytes in UTF-16 as well.

use std::sync::{Arc, Mutex, PoisonError};

use super::standard::ascii_len;

/// A map from offsets in a text that was changed while it was read to offsets in its original.
///
/// The map grows while the stream is read; clones share it. Offsets are exact for about the last 16 MB that were read (less
/// if the alphabet changes often, or if much was escaped). Before that, they are those of up to 64 KiB of text before, so that memory stays
/// bounded: at most 9 MB, plus 40 bytes per 64 KiB read.
#[derive(Clone, Debug, Default)]
pub struct TextOffsets(Arc<Mutex<OffsetMap>>);

#[derive(Debug, Default)]
struct OffsetMap {
    /// Adjacent parts of the text up to `end`, of about [`TextOffsets::BLOCK_BYTES`] bytes each.
    blocks: Vec<Block>,
    /// The number of blocks at the front whose runs have been dropped.
    dropped: usize,
    /// The number of runs of all blocks.
    runs: usize,
    /// Text offset and original offset of the end of what has been read.
    end: (u64, u64),
    /// The original goes on elsewhere than where the last run ended.
    has_moved: bool,
    /// Length of the original in bytes; `None` until its end has been read.
    len: Option<u64>,
    /// Number of bytes of the original that are not in the text; set when its end has been read.
    outside: u64,
}

/// A part of the text.
#[derive(Debug)]
struct Block {
    /// Offset of its first character in the text.
    text: u64,
    /// Offset of its first character in the original.
    original: u64,
    /// Its characters; none if they have been dropped.
    runs: Vec<Run>,
}

/// Characters of one shape, up to the next run.
#[derive(Clone, Copy, Debug)]
struct Run {
    /// Offset of the first character in the original, from that of its block. Games may be put together from parts in another order.
    original: i32,
    /// Offset of the first character in the text, from that of its block.
    text: u16,
    shape: CharShape,
}

/// The number of bytes of a character in the text and in the original; 0 there if it was inserted.
type CharShape = (u8, u8);

impl TextOffsets {
    const BLOCK_BYTES: u64 = 64 << 10;
    const MAX_RUNS: usize = 1 << 20;

    /// Returns the byte offset, in the original, of the character that contains byte `offset` of the text.
    ///
    /// An offset beyond what has been read gives the end of what has been read. O(log n) in the length of the text.
    pub fn original_offset(&self, offset: u64) -> u64 {
        let map = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let original = if offset >= map.end.0 { map.end.1 } else { map.original(offset) };
        // An odd last byte of the original becomes a whole character, which would count two bytes.
        original.min(map.len.unwrap_or(u64::MAX))
    }

    /// Returns the number of bytes of the original that are not in the text, because no game is there; 0 until all of it has been read.
    pub fn outside(&self) -> u64 {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).outside
    }

    /// Adds `bytes` of text in characters of one shape.
    pub(super) fn push(&self, bytes: u64, shape: CharShape) {
        if bytes > 0 {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).extend(bytes, shape);
        }
    }

    /// Adds `bytes` of text in characters of one shape, the first of which is at offset `original` in the original.
    pub(super) fn push_from(&self, original: u64, bytes: u64, shape: CharShape) {
        if bytes > 0 {
            let mut map = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            map.move_to(original);
            map.extend(bytes, shape);
        }
    }

    /// Goes on at offset `original` of the original.
    pub(super) fn move_to(&self, original: u64) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).move_to(original);
    }

    /// Ends the map: the original has `len` bytes.
    pub(super) fn end(&self, len: u64) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).len = Some(len);
    }

    /// Ends the map of a text that was taken out of an original of `len` bytes, of which `outside` bytes are not in the text.
    pub(super) fn end_outside(&self, len: u64, outside: u64) {
        let mut map = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        map.move_to(len);
        (map.len, map.outside) = (Some(len), outside);
    }

    /// Adds whole characters of a text whose original is UTF-16. `len` is the length of the original in bytes, given with the last
    /// characters.
    pub(super) fn push_utf16(&self, mut text: &[u8], len: Option<u64>) {
        let mut map = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let map = &mut *map;
        if len.is_some() {
            map.len = len;
        }
        while let Some(&first) = text.first() {
            let shape = char_shape(first);
            let bytes = if shape.0 == 1 {
                ascii_len(text)
            } else {
                let characters = text.chunks(usize::from(shape.0));
                text.len().min(
                    characters.take_while(|chunk| char_shape(chunk[0]) == shape).count()
                        * usize::from(shape.0),
                )
            };
            map.extend(bytes as u64, shape);
            text = &text[bytes..];
        }
    }
}

impl OffsetMap {
    /// Returns the offset in the original of the character that contains byte `offset` of the text, which has been read.
    fn original(&self, offset: u64) -> u64 {
        let after = self.blocks.partition_point(|block| block.text <= offset);
        let Some(block) = after.checked_sub(1).map(|last| &self.blocks[last]) else { return 0 };
        let inside = offset - block.text;
        let after = block.runs.partition_point(|run| u64::from(run.text) <= inside);
        let Some(run) = after.checked_sub(1).map(|last| block.runs[last]) else { return block.original };
        let characters = (inside - u64::from(run.text)) / u64::from(run.shape.0);
        block.original.saturating_add_signed(run.original.into()) + characters * u64::from(run.shape.1)
    }

    /// Goes on at offset `original` of the original.
    fn move_to(&mut self, original: u64) {
        self.has_moved |= self.end.1 != original;
        self.end.1 = original;
    }

    /// Adds `bytes` of text in characters of one shape.
    fn extend(&mut self, bytes: u64, shape: CharShape) {
        let (text, original) = self.end;
        let has_moved = std::mem::take(&mut self.has_moved);
        let begins = |block: &Block| {
            let from_block = i32::try_from(original.wrapping_sub(block.original).cast_signed());
            (text < block.text + TextOffsets::BLOCK_BYTES).then_some(from_block.ok()?)
        };
        match self.blocks.last_mut().and_then(|block| begins(block).map(|from_block| (block, from_block))) {
            Some((block, from_block)) => {
                if has_moved || block.runs.last().is_none_or(|last| last.shape != shape) {
                    let text = (text - block.text) as u16;
                    block.runs.push(Run { original: from_block, text, shape });
                    self.runs += 1;
                }
            }
            None => {
                self.blocks.push(Block { text, original, runs: vec![Run { original: 0, text: 0, shape }] });
                self.runs += 1;
            }
        }
        while self.runs > TextOffsets::MAX_RUNS && self.dropped + 1 < self.blocks.len() {
            self.runs -= std::mem::take(&mut self.blocks[self.dropped].runs).len();
            self.dropped += 1;
        }
        self.end = (text + bytes, original + bytes / u64::from(shape.0) * u64::from(shape.1));
    }
}

/// Returns the shape of the character whose UTF-8 form begins with `first`.
fn char_shape(first: u8) -> CharShape {
    match first {
        0..0x80 => (1, 2),
        0x80..0xE0 => (2, 2),
        0xE0..0xF0 => (3, 2),
        0xF0.. => (4, 4),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_offsets_are_near() {
        let offsets = TextOffsets::default();
        let game = "[White \"Иванов\"]\n".repeat(100);
        let (mut text, mut original) = (0, 0);
        for _ in 0..6000 {
            offsets.push_utf16(game.as_bytes(), None);
            text += game.len() as u64;
            original += 2 * game.encode_utf16().count() as u64;
        }
        assert_eq!(offsets.original_offset(text), original);
        assert_eq!(offsets.original_offset(text - game.len() as u64), original - original / 6000);
        let near = offsets.original_offset(game.len() as u64 * 40);
        let exact = original / 6000 * 40;
        assert!(near <= exact && exact - near <= 2 * TextOffsets::BLOCK_BYTES, "{near} {exact}");
    }
}
