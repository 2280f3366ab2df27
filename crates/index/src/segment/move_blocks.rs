//! Packed moves of a segment, verified and handed out by blocks of 32 games.

use std::ops::Range;

use super::reader::Segment;
use crate::files::FilePart;
use crate::format::columns::Section;
use crate::format::end_offsets::{BLOCK, EndOffsets};
use crate::format::section::xxh3;
use crate::format::wire::u32_at;
use pdn::error::{Error, Result};
use pdn::internal::source::read_at;

/// The packed moves of a segment.
///
/// No promise: part of the format, public for tools and tests.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct PackedMoves<'a> {
    segment: &'a Segment,
    /// Offset of the moves in the file, in bytes.
    start: u64,
    /// Empty if the moves are read from `part`.
    bytes: &'a [u8],
    part: Option<FilePart<'a>>,
    len: u64,
    ends: EndOffsets<'a>,
    /// Empty if the checksums are read from `sums_part`.
    sums: &'a [u8],
    sums_part: Option<FilePart<'a>>,
}

impl Segment {
    /// Returns the packed moves of all games.
    ///
    /// # Errors
    /// Fails if the end offsets or the checksums of the moves are damaged. The moves themselves are verified when
    /// they are read.
    pub fn moves(&self) -> Result<PackedMoves<'_>> {
        let (bytes, part) = self.unchecked_section(Section::Moves)?;
        let (start, len) =
            self.table.find(Section::Moves).map_or((0, 0), |(_, entry)| (entry.offset, entry.len));
        let ends = self.end_offsets(Section::MoveEnds)?;
        let sums_part = self.section_part(Section::MoveSums)?;
        let sums = if sums_part.is_some() { &[] } else { self.section(Section::MoveSums)? };
        if ends.total() != len || self.section_len(Section::MoveSums) != self.len().div_ceil(BLOCK) as u64 * 4
        {
            return Err(self.malformed(Section::MoveEnds));
        }
        Ok(PackedMoves { segment: self, start, bytes, part, len, ends, sums, sums_part })
    }
}

impl<'a> PackedMoves<'a> {
    /// Creates the error of moves whose checksum matches although they are not valid packed moves.
    pub(crate) fn corrupt_moves(&self) -> Error {
        self.segment.damaged(Section::Moves, "the moves of a game are invalid")
    }

    /// Number of games that share a checksum.
    pub const BLOCK: usize = BLOCK;

    /// Returns the number of blocks.
    pub fn blocks(&self) -> usize {
        self.ends.len().div_ceil(BLOCK)
    }

    /// Reads what the moves of some games need, in as few steps as possible, if they are read by ranges. The games are in order.
    ///
    /// # Errors
    /// If they cannot be read, or the question has to be asked again.
    pub(crate) fn fetch(&self, games: impl Iterator<Item = usize>) -> Result<()> {
        let Some(part) = self.part else { return Ok(()) };
        let mut blocks: Vec<usize> = games.map(|game| game / BLOCK).collect();
        blocks.dedup();
        let mut parts = Vec::new();
        for &block in &blocks {
            self.ends.expect_block(block, &mut parts);
            let sum = block as u64 * 4;
            parts.extend(self.sums_part.map(|part| part.within(sum..sum + 4)));
        }
        self.segment.fetch(&parts)?;
        let ranges = blocks.iter().filter_map(|&block| self.ends.block_range(block));
        self.segment.fetch(&ranges.map(|range| part.within(range)).collect::<Vec<_>>())
    }

    /// Returns the games of a block after verifying the checksum of their moves. Costs about 10 ns per game.
    ///
    /// # Errors
    /// Fails if the moves are damaged.
    pub fn block(&self, block: usize) -> Result<MoveBlock<'a>> {
        let range = self.ends.block_range(block).ok_or_else(|| self.damaged())?;
        let bytes = match self.part {
            None => self.bytes.get(range.start as usize..range.end as usize),
            Some(part) => part.get(range),
        };
        self.checked_block(block, bytes)
    }

    /// Returns a block as [`block`](Self::block) does, for a caller that reads most blocks up to before `end` in
    /// order. Faster, because the file is read in chunks of 256 KiB.
    ///
    /// # Errors
    /// Fails as [`block`](Self::block) does, and if the file cannot be read.
    // Twin: `block`; test: `next_block_equals_block_for_any_order`.
    pub fn next_block<'b>(
        &self,
        block: usize,
        end: usize,
        buffer: &'b mut MoveBuffer,
    ) -> Result<MoveBlock<'b>>
    where
        'a: 'b,
    {
        let range = self.ends.block_range(block).ok_or_else(|| self.damaged())?;
        let Some(file) = self.segment.mapped_file() else { return self.block(block) };
        let owner = (self.segment.checksum(), self.start);
        if buffer.owner != owner || !(buffer.range.start <= range.start && range.end <= buffer.range.end) {
            let last_end = end
                .checked_sub(1)
                .and_then(|last_end| self.ends.block_range(last_end))
                .map_or(range.end, |last_end| last_end.end);
            let read_end =
                last_end.min(range.start.saturating_add(MoveBuffer::LEN)).max(range.end).min(self.len);
            let len = read_end.checked_sub(range.start).ok_or_else(|| self.damaged())? as usize;
            buffer.range = 0..0;
            buffer.bytes.resize(buffer.bytes.len().max(len), 0);
            let read = read_at(file, self.start + range.start, &mut buffer.bytes[..len]);
            if !read.map_err(|error| Error::from(error).at(self.segment.path()))? {
                return self.block(block);
            }
            (buffer.owner, buffer.range) = (owner, range.start..read_end);
        }
        let start = range.start.wrapping_sub(buffer.range.start) as usize;
        let len = range.end.saturating_sub(range.start) as usize;
        self.checked_block(block, buffer.bytes.get(start..start.saturating_add(len)))
    }

    /// Creates the error of a checksum that does not match.
    fn damaged(&self) -> Error {
        self.segment.damaged(Section::Moves, "the checksum of a block does not match")
    }

    /// Returns the block made of `bytes` after verifying them. `None` stands for bytes beyond the section.
    fn checked_block<'b>(&self, block: usize, bytes: Option<&'b [u8]>) -> Result<MoveBlock<'b>>
    where
        'a: 'b,
    {
        let games = block * BLOCK..(block * BLOCK + BLOCK).min(self.ends.len());
        let sum = u32_at(self.sums, block).or_else(|| self.sum_in_file(block));
        let bytes = bytes.filter(|bytes| sum == Some(xxh3(bytes) as u32));
        Ok(MoveBlock { games, bytes: bytes.ok_or_else(|| self.damaged())?, ends: self.ends })
    }

    /// Returns the checksum of a block from the file.
    #[cold]
    fn sum_in_file(&self, block: usize) -> Option<u32> {
        let at = block as u64 * 4;
        self.sums_part?.get(at..at + 4).and_then(|sum| u32_at(sum, 0))
    }

    /// Returns the packed moves of a game after verifying its block, or `None` if there is no game of this number.
    /// Costs about half a microsecond.
    ///
    /// # Errors
    /// Fails if the moves are damaged.
    pub fn get(&self, game: usize) -> Result<Option<&'a [u8]>> {
        if game >= self.ends.len() {
            return Ok(None);
        }
        Ok(Some(self.block(game / BLOCK)?.get(game)))
    }
}

/// A buffer of packed moves read from a file; for [`PackedMoves::next_block`].
///
/// No promise: part of the format, public for tools and tests.
#[derive(Debug, Default)]
#[doc(hidden)]
pub struct MoveBuffer {
    bytes: Vec<u8>,
    /// The segment that the bytes belong to, as its checksum and the offset of its moves in the file.
    owner: (u64, u64),
    /// The range of the moves that `bytes` holds, relative to the first move of the segment.
    range: Range<u64>,
}

impl MoveBuffer {
    /// Bytes that are read at a time: they fit in the cache of a core.
    const LEN: u64 = 256 << 10;
}

/// Up to 32 games whose packed moves have been verified.
///
/// No promise: part of the format, public for tools and tests.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct MoveBlock<'a> {
    games: Range<usize>,
    bytes: &'a [u8],
    ends: EndOffsets<'a>,
}

impl<'a> MoveBlock<'a> {
    /// Returns the packed moves of a game by its number in the segment. Empty for a game of another block.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn get(&self, game: usize) -> &'a [u8] {
        let end = |game: usize| self.ends.end_in_block(game) as usize;
        let start = if game <= self.games.start { 0 } else { end(game - 1) };
        let range = if self.games.contains(&game) { start..end(game) } else { 0..0 };
        self.bytes.get(range).unwrap_or(&[])
    }

    /// Iterates over the games of the block: number in the segment, and packed moves.
    pub fn games(&self) -> impl Iterator<Item = (usize, &'a [u8])> + use<'a> {
        let Self { games, bytes, ends } = self.clone();
        let mut start = 0;
        games.map(move |game| {
            let end = ends.end_in_block(game) as usize;
            (game, bytes.get(std::mem::replace(&mut start, end)..end).unwrap_or(&[]))
        })
    }
}
