//! Reads the variations and notes of the games of a segment.

use super::reader::Segment;
use crate::error::Result;
use crate::index::format::annotations::{AnnotationBits, StoredLine, StoredNote, read_lines, read_notes};
use crate::index::format::column::Column;
use crate::index::format::columns::Section;
use crate::index::format::end_offsets::EndOffsets;

/// The number of games between two sums of [`AnnotationBytes`].
const BLOCK: usize = 64;

/// The variations of the games of a segment, or their notes: bytes that some games have, one after the other.
#[derive(Debug)]
pub(crate) struct AnnotationBytes<'a> {
    segment: &'a Segment,
    /// The section of the bytes.
    section: Section,
    bits: Column<'a>,
    /// The flags, one of which a game with bytes has.
    flags: u8,
    /// The bytes and the end of those of each game that has some; `None` if no game has any.
    bytes: Option<(&'a [u8], EndOffsets<'a>)>,
    /// The number of games with bytes before every [`BLOCK`] games.
    sums: Vec<u32>,
}

impl Segment {
    /// Returns the column of [`AnnotationBits`]; `None` if an earlier version has written the segment.
    ///
    /// # Errors
    /// Fails if the section is damaged.
    pub(crate) fn annotation_bits(&self) -> Result<Option<Column<'_>>> {
        if !self.has(Section::Annotations) {
            return Ok(None);
        }
        self.column(Section::Annotations).map(Some)
    }

    /// Opens the variations of all games; `None` if an earlier version has written the segment. Reads them once, to verify them.
    ///
    /// # Errors
    /// Fails if a section is damaged.
    pub(crate) fn variations(&self) -> Result<Option<AnnotationBytes<'_>>> {
        self.annotation_bytes(AnnotationBits::VARIATIONS, Section::Variations, Section::VariationEnds)
    }

    /// Opens the notes of all games; `None` if an earlier version has written the segment. Reads them once, to verify them.
    ///
    /// # Errors
    /// Fails if a section is damaged.
    pub(crate) fn notes(&self) -> Result<Option<AnnotationBytes<'_>>> {
        self.annotation_bytes(
            AnnotationBits::COMMENTS | AnnotationBits::NAGS,
            Section::Notes,
            Section::NoteEnds,
        )
    }

    fn annotation_bytes(
        &self,
        flags: u8,
        section: Section,
        ends: Section,
    ) -> Result<Option<AnnotationBytes<'_>>> {
        let Some(bits) = self.annotation_bits()? else { return Ok(None) };
        let filter = bits.filter(|bits| bits as u8 & flags != 0);
        let (mut sums, mut count) = (Vec::with_capacity(self.len().div_ceil(BLOCK)), 0);
        for first in (0..self.len()).step_by(BLOCK) {
            sums.push(count);
            count += filter.bits(first, BLOCK).count_ones();
        }
        let bytes = if count == 0 && !self.has(section) && !self.has(ends) {
            None
        } else {
            let bytes = self.section(section)?;
            let found = EndOffsets::new(self.section(ends)?, count as usize);
            let found = found.filter(|ends| ends.total() == bytes.len() as u64);
            Some((bytes, found.ok_or_else(|| self.malformed(ends))?))
        };
        Ok(Some(AnnotationBytes { segment: self, section, bits, flags, bytes, sums }))
    }
}

impl<'a> AnnotationBytes<'a> {
    /// Returns `true` if the game has bytes.
    #[inline]
    pub(crate) fn has(&self, game: usize) -> bool {
        self.bits.get(game).is_some_and(|bits| bits as u8 & self.flags != 0)
    }

    /// Returns the bytes of a game, empty if it has none.
    ///
    /// # Errors
    /// Fails if the end offsets are invalid.
    pub(crate) fn get(&self, game: usize) -> Result<&'a [u8]> {
        let Some((bytes, ends)) = self.bytes.as_ref().filter(|_| self.has(game)) else { return Ok(&[]) };
        let before = (game / BLOCK * BLOCK..game).filter(|&game| self.has(game)).count();
        let found = || {
            let range = ends.get(*self.sums.get(game / BLOCK)? as usize + before)?;
            bytes.get(range.start as usize..range.end as usize)
        };
        found().ok_or_else(|| self.segment.malformed(self.section))
    }

    /// Reads the variations of a game, if these are the variations.
    ///
    /// # Errors
    /// Fails if they are invalid although their checksum matches.
    pub(crate) fn lines(&self, game: usize) -> Result<Vec<StoredLine<'a>>> {
        read_lines(self.get(game)?).ok_or_else(|| self.segment.malformed(self.section))
    }

    /// Reads the notes of a game, if these are the notes.
    ///
    /// # Errors
    /// Fails if they are invalid although their checksum matches.
    pub(crate) fn notes(&self, game: usize) -> Result<Vec<StoredNote>> {
        read_notes(self.get(game)?).ok_or_else(|| self.segment.malformed(self.section))
    }
}
