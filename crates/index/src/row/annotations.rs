//! Variations and notes of the games of a batch, as bytes.

use crate::format::annotations::AnnotationBits;

/// What a game has, and the lengths of its variations and notes in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct GameAnnotations {
    pub(crate) bits: AnnotationBits,
    pub(crate) variations_len: u32,
    pub(crate) notes_len: u32,
}

/// The variations and notes of consecutive games, one after the other.
#[derive(Debug, Default)]
pub(crate) struct AnnotationBuffer {
    pub(crate) variations: Vec<u8>,
    pub(crate) notes: Vec<u8>,
    /// What the current game has.
    pub(crate) bits: u8,
    /// Bytes of variations and of notes that belong to games that have ended.
    assigned: [usize; 2],
}

impl AnnotationBuffer {
    /// Ends the current game: what was appended since the game before is its own.
    #[inline]
    pub(crate) fn end_game(&mut self) -> GameAnnotations {
        let ends = [self.variations.len(), self.notes.len()];
        let before = std::mem::replace(&mut self.assigned, ends);
        GameAnnotations {
            bits: AnnotationBits(std::mem::take(&mut self.bits)),
            variations_len: (ends[0] - before[0]) as u32,
            notes_len: (ends[1] - before[1]) as u32,
        }
    }

    /// Removes what the current game has so far.
    pub(crate) fn discard(&mut self) {
        self.bits = 0;
        self.variations.truncate(self.assigned[0]);
        self.notes.truncate(self.assigned[1]);
    }

    /// Removes everything and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.variations.clear();
        self.notes.clear();
        (self.bits, self.assigned) = (0, [0; 2]);
    }
}
