//! Maps offsets in a text that was changed while it was read back to offsets in its original: UTF-16, or a list of positions.
//!
//! Of UTF-16, the first byte of a UTF-8 character gives its length in UTF-8 and in UTF-16, so the map consists of runs of characters
//! with equal lengths. Lone surrogates become U+FFFD, which has two bytes in UTF-16 as well.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use super::standard::ascii_len;

/// A map from offsets in a text that was changed while it was read to offsets in its original.
///
/// The map grows while the stream is read; clones share it. Offsets are exact for about the last 16 MB that were read (less
/// if the alphabet changes often). Before that, they are up to 64 KiB too low, so that memory stays bounded: at most 6 MB,
/// plus 16 bytes per 64 KiB read.
#[derive(Clone, Debug, Default)]
pub struct TextOffsets(Arc<Mutex<OffsetMap>>);

#[derive(Debug, Default)]
struct OffsetMap {
    /// Pairs of text offset and original offset, one per [`TextOffsets::MARK_EVERY`] bytes of text.
    marks: Vec<(u64, u64)>,
    /// The latest runs, adjacent up to `end`.
    runs: VecDeque<Run>,
    /// Text offset and original offset of the end of what has been read.
    end: (u64, u64),
    /// Length of the original in bytes; `None` until its end has been read.
    len: Option<u64>,
}

/// Characters of one shape, up to the next run.
#[derive(Clone, Copy, Debug)]
struct Run {
    /// Offset of the first character in the text.
    text: u64,
    /// Offset of the first character in the original.
    original: u64,
    shape: CharShape,
}

/// The number of bytes of a character in the text and in the original; 0 there if it was inserted.
type CharShape = (u8, u8);

impl TextOffsets {
    const MARK_EVERY: u64 = 64 << 10;
    const MAX_RUNS: usize = 1 << 18;

    /// Returns the byte offset, in the original, of the character that contains byte `offset` of the text.
    ///
    /// An offset beyond what has been read gives the end of what has been read. O(log n) in the length of the text.
    pub fn original_offset(&self, offset: u64) -> u64 {
        let map = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let original = if offset >= map.end.0 {
            map.end.1
        } else {
            let next = map.runs.partition_point(|run| run.text <= offset);
            match next.checked_sub(1).map(|last| map.runs[last]) {
                Some(run) => {
                    run.original + (offset - run.text) / u64::from(run.shape.0) * u64::from(run.shape.1)
                }
                None => {
                    let next = map.marks.partition_point(|mark| mark.0 <= offset);
                    next.checked_sub(1).map_or(0, |last| map.marks[last].1)
                }
            }
        };
        // An odd last byte of the original becomes a whole character, which would count two bytes.
        original.min(map.len.unwrap_or(u64::MAX))
    }

    /// Adds `bytes` of text in characters of one shape.
    pub(super) fn push(&self, bytes: u64, shape: CharShape) {
        if bytes > 0 {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).extend(bytes, shape);
        }
    }

    /// Ends the map: the original has `len` bytes.
    pub(super) fn end(&self, len: u64) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).len = Some(len);
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
    /// Adds `bytes` of text in characters of one shape.
    fn extend(&mut self, bytes: u64, shape: CharShape) {
        let (text, original) = self.end;
        if self.runs.back().is_none_or(|last| last.shape != shape) {
            if self.runs.len() == TextOffsets::MAX_RUNS {
                self.runs.pop_front();
            }
            self.runs.push_back(Run { text, original, shape });
        }
        let last = self.marks.last().map_or(0, |mark| mark.0);
        if text >= last + TextOffsets::MARK_EVERY {
            self.marks.push((text, original));
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
        for _ in 0..3000 {
            offsets.push_utf16(game.as_bytes(), None);
            text += game.len() as u64;
            original += 2 * game.encode_utf16().count() as u64;
        }
        assert_eq!(offsets.original_offset(text), original);
        assert_eq!(offsets.original_offset(text - game.len() as u64), original - original / 3000);
        let near = offsets.original_offset(game.len() as u64 * 40);
        let exact = original / 3000 * 40;
        assert!(near <= exact && exact - near <= 2 * TextOffsets::MARK_EVERY, "{near} {exact}");
    }
}
