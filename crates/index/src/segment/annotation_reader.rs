//! Reads the variations and notes of the games of a segment.

use super::reader::Segment;
use crate::files::FilePart;
use crate::format::annotations::{AnnotationBits, StoredLine, StoredNote, read_lines, read_notes};
use crate::format::column::Column;
use crate::format::columns::Section;
use pdn::error::Result;

/// The number of games, or of lengths, between two sums of [`AnnotationBytes`].
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
    /// The bytes of all games; empty if they are read from `part`.
    bytes: &'a [u8],
    part: Option<FilePart<'a>>,
    /// The length of the bytes of each game that has some; `None` if no game has any.
    lengths: Option<Column<'a>>,
    /// The number of games with bytes before every [`BLOCK`] games.
    counts: Vec<u32>,
    /// The sum of the lengths before every [`BLOCK`] of them.
    starts: Vec<u64>,
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
        self.whole_column(Section::Annotations).map(Some)
    }

    /// Opens the variations of all games; `None` if an earlier version has written the segment. Reads them once, to verify them.
    ///
    /// # Errors
    /// Fails if a section is damaged.
    pub(crate) fn variations(&self) -> Result<Option<AnnotationBytes<'_>>> {
        self.annotation_bytes(AnnotationBits::VARIATIONS, Section::Variations, Section::VariationLengths)
    }

    /// Opens the notes of all games; `None` if an earlier version has written the segment. Reads them once, to verify them.
    ///
    /// # Errors
    /// Fails if a section is damaged.
    pub(crate) fn notes(&self) -> Result<Option<AnnotationBytes<'_>>> {
        self.annotation_bytes(
            AnnotationBits::COMMENTS | AnnotationBits::NAGS,
            Section::Notes,
            Section::NoteLengths,
        )
    }

    fn annotation_bytes(
        &self,
        flags: u8,
        section: Section,
        lengths: Section,
    ) -> Result<Option<AnnotationBytes<'_>>> {
        let Some(bits) = self.annotation_bits()? else { return Ok(None) };
        let filter = bits.filter(|bits| bits as u8 & flags != 0);
        let (mut counts, mut count) = (Vec::with_capacity(self.len().div_ceil(BLOCK)), 0);
        for first in (0..self.len()).step_by(BLOCK) {
            counts.push(count);
            count += filter.bits(first, BLOCK).count_ones();
        }
        let mut found = AnnotationBytes {
            segment: self,
            section,
            bits,
            flags,
            bytes: &[],
            part: None,
            lengths: None,
            counts,
            starts: Vec::new(),
        };
        if count == 0 && !self.has(section) && !self.has(lengths) {
            return Ok(Some(found));
        }
        let column = Column::new(self.section(lengths)?, count as usize);
        let column = column.ok_or_else(|| self.malformed(lengths))?;
        let mut sum = 0u64;
        for (number, length) in column.values().enumerate() {
            if number.is_multiple_of(BLOCK) {
                found.starts.push(sum);
            }
            sum = sum.saturating_add(length);
        }
        (found.part, found.lengths) = (self.section_part(section)?, Some(column));
        if found.part.is_none() {
            found.bytes = self.section(section)?;
        }
        if sum == self.section_len(section) { Ok(Some(found)) } else { Err(self.malformed(lengths)) }
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
    /// Fails if the lengths are invalid.
    pub(crate) fn get(&self, game: usize) -> Result<&'a [u8]> {
        let Some(lengths) = self.lengths.filter(|_| self.has(game)) else { return Ok(&[]) };
        let before = (game / BLOCK * BLOCK..game).filter(|&game| self.has(game)).count();
        let found = || {
            let number = *self.counts.get(game / BLOCK)? as usize + before;
            let mut start = *self.starts.get(number / BLOCK)?;
            for number in number / BLOCK * BLOCK..number {
                start += lengths.get(number)?;
            }
            let end = start + lengths.get(number)?;
            match self.part {
                None => self.bytes.get(start as usize..end as usize),
                Some(part) => part.get(start..end),
            }
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
