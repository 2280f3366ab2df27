//! The variations and notes of a segment that is being written.

use super::pending::PendingSection;
use crate::format::annotations::AnnotationBits;
use crate::format::column::write_column;
use crate::format::columns::Section;
use crate::row::annotations::GameAnnotations;

/// The variations and notes of some games, one after the other.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PushedAnnotations<'a> {
    pub(crate) variations: &'a [u8],
    pub(crate) notes: &'a [u8],
}

impl PushedAnnotations<'_> {
    /// Removes the bytes of the first game.
    pub(crate) fn advance(&mut self, game: GameAnnotations) {
        self.variations = self.variations.get(game.variations_len as usize..).unwrap_or_default();
        self.notes = self.notes.get(game.notes_len as usize..).unwrap_or_default();
    }
}

/// The variations and notes of all games so far. They stay in memory until the segment is finished.
#[derive(Debug, Default)]
pub(crate) struct AnnotationColumns {
    bits: Vec<u32>,
    variations: Vec<u8>,
    /// The length of the variations of each game that has any.
    variation_lens: Vec<u32>,
    notes: Vec<u8>,
    /// The length of the notes of each game that has any.
    note_lens: Vec<u32>,
}

impl AnnotationColumns {
    /// Returns the bytes of variations and notes so far.
    pub(crate) fn memory(&self) -> usize {
        self.variations.len() + self.notes.len()
    }

    /// Appends a game and takes its bytes from the beginning of `bytes`.
    #[inline]
    pub(crate) fn push(&mut self, game: GameAnnotations, bytes: &mut PushedAnnotations<'_>) {
        self.bits.push(game.bits.0.into());
        if game.bits.has_variations() {
            self.variations.extend(&bytes.variations[..game.variations_len as usize]);
            self.variation_lens.push(game.variations_len);
        }
        if game.bits.has_notes() {
            self.notes.extend(&bytes.notes[..game.notes_len as usize]);
            self.note_lens.push(game.notes_len);
        }
        bytes.advance(game);
    }

    /// Returns the sections. Those without any byte are left out, and all of them if nothing is known of any game.
    pub(crate) fn sections(self) -> Vec<PendingSection> {
        if self.bits.iter().all(|&bits| bits == u32::from(AnnotationBits::UNKNOWN)) {
            return Vec::new();
        }
        let mut sections = vec![PendingSection::Bytes(Section::Annotations, write_column(&self.bits, true))];
        if !self.variation_lens.is_empty() {
            sections.push(PendingSection::Bytes(Section::Variations, self.variations));
            sections.push(PendingSection::Bytes(
                Section::VariationLengths,
                write_column(&self.variation_lens, true),
            ));
        }
        if !self.note_lens.is_empty() {
            sections.push(PendingSection::Bytes(Section::Notes, self.notes));
            sections.push(PendingSection::Bytes(Section::NoteLengths, write_column(&self.note_lens, true)));
        }
        sections
    }
}
