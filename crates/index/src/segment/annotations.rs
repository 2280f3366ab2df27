//! The variations and notes of the games of a segment: written, read, and played up to the positions where variations begin.

use std::ops::{ControlFlow, Range};

use super::reader::Segment;
use super::section_file::PendingSection;
use crate::files::FilePart;
use crate::format::annotations::{AnnotationBits, StoredLine, StoredNote, read_lines, read_notes};
use crate::format::column::Column;
use crate::format::columns::Section;
use crate::format::narrow_column::NarrowColumn;
use crate::pack::{CorruptMoves, MoveCodec};
use crate::row::row_batch::{RowBatch, RowNumbers};
use pdn::error::Result;
use pdn_rules::internal::board::Geometry;
use pdn_rules::internal::position::State;

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

/// The variations and notes of all games so far. They stay in memory until the segment is finished.
#[derive(Debug, Default)]
pub(crate) struct AnnotationColumns {
    bits: NarrowColumn,
    /// `true` if some game has other bits than [`AnnotationBits::UNKNOWN`].
    is_known: bool,
    variations: BytesOfGames,
    notes: BytesOfGames,
}

/// The bytes of the games that have some, and their lengths.
#[derive(Debug, Default)]
struct BytesOfGames {
    bytes: Vec<u8>,
    lens: NarrowColumn,
}

impl BytesOfGames {
    /// Appends games, whose bytes have these lengths and are taken from the beginning of `bytes`. Only those for which `has` is `true`
    /// count.
    fn extend(&mut self, mut lens: Vec<u32>, mut has: impl Iterator<Item = bool>, bytes: &mut &[u8]) {
        lens.retain(|_| has.next() == Some(true));
        let (taken, rest) = bytes.split_at(lens.iter().map(|&len| len as usize).sum());
        self.bytes.extend(taken);
        self.lens.extend(&lens);
        *bytes = rest;
    }

    /// Returns the sections; none if no game has bytes.
    fn sections(self, bytes: Section, lens: Section) -> Vec<PendingSection> {
        if self.lens.len() == 0 {
            return Vec::new();
        }
        vec![PendingSection::Bytes(bytes, self.bytes), PendingSection::Column(lens, self.lens, true)]
    }
}

impl AnnotationColumns {
    /// Returns the bytes of variations and notes so far.
    pub(crate) fn memory(&self) -> usize {
        self.variations.bytes.len() + self.notes.bytes.len()
    }

    /// Appends games of a batch, and takes their bytes from the beginning of `variations` and `notes`.
    pub(crate) fn extend(
        &mut self,
        rows: &RowBatch,
        games: Range<usize>,
        (variations, notes): (&mut &[u8], &mut &[u8]),
    ) {
        let column = |column: fn(&RowNumbers<_>) -> &_| {
            let mut values = Vec::new();
            rows.column(games.clone(), column, &mut values);
            values
        };
        let bits = column(|row| &row.annotations);
        self.bits.extend(&bits);
        self.is_known |= bits.iter().any(|&bits| bits != u32::from(AnnotationBits::UNKNOWN));
        if bits.iter().any(|&bits| bits != 0) {
            let bits = || bits.iter().map(|&bits| AnnotationBits(bits as u8));
            let lens = column(|row| &row.variations_len);
            self.variations.extend(lens, bits().map(AnnotationBits::has_variations), variations);
            self.notes.extend(column(|row| &row.notes_len), bits().map(AnnotationBits::has_notes), notes);
        }
    }

    /// Returns the sections. Those without any byte are left out, and all of them if nothing is known of any game.
    pub(crate) fn sections(self) -> Vec<PendingSection> {
        if !self.is_known {
            return Vec::new();
        }
        let bits = PendingSection::Column(Section::Annotations, self.bits, true);
        let variations = self.variations.sections(Section::Variations, Section::VariationLengths);
        let notes = self.notes.sections(Section::Notes, Section::NoteLengths);
        [bits].into_iter().chain(variations).chain(notes).collect()
    }
}

/// Returns the first position of each variation of a game that starts in `start`. Each line is played once, up to the last
/// position in which a variation begins: O(plies + variations log variations).
///
/// # Errors
/// [`CorruptMoves`] if moves cannot be unpacked, or a variation begins where its parent has no position.
pub(crate) fn line_starts<G: Geometry>(
    codec: &MoveCodec<G>,
    start: &State<G::Bits>,
    main: &[u8],
    lines: &[StoredLine<'_>],
) -> std::result::Result<Vec<State<G::Bits>>, CorruptMoves> {
    let mut starts = vec![*start; lines.len()];
    // By parent, then by first_ply. A parent comes before its variations, so that its own first position is known.
    let mut order: Vec<usize> = (0..lines.len()).collect();
    order.sort_by_key(|&line| (lines[line].parent, lines[line].first_ply));
    let mut children = order.chunk_by(|&one, &other| lines[one].parent == lines[other].parent);
    children.try_for_each(|children| {
        let parent = lines[children[0]].parent;
        let (from, base, bytes) = match parent.checked_sub(1) {
            None => (*start, 0, main),
            Some(above) => (starts[above], lines[above].first_ply, lines[above].moves),
        };
        let mut open = children.iter().peekable();
        let mut ply = base;
        let last = codec.scan(&from, bytes, |step| {
            while let Some(&line) = open.next_if(|&&line| lines[line].first_ply == ply) {
                starts[line] = step.before();
            }
            ply += 1;
            if open.peek().is_none() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        for &line in open {
            if lines[line].first_ply != ply {
                return Err(CorruptMoves);
            }
            starts[line] = last;
        }
        Ok(())
    })?;
    Ok(starts)
}
