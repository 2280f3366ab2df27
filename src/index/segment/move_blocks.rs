//! MOVES

use std::ops::Range;

use super::reader::Segment;
use crate::error::{Error, Result};
use crate::index::format::checksum::xxh3;
use crate::index::format::end_offsets::{BLOCK, Ends};
use crate::index::format::section::Section;
use crate::index::format::wire::u32_at;
use crate::source::read_at;

/// The packed moves of a segment.
#[derive(Clone, Copy, Debug)]
pub struct PackedMoves<'a> {
    segment: &'a Segment,
    /// Where they lie in the file.
    start: u64,
    bytes: &'a [u8],
    ends: Ends<'a>,
    sums: &'a [u8],
}

impl Segment {
    /// All packed moves.
    ///
    /// # Errors
    /// When what leads to them is damaged.
    pub fn moves(&self) -> Result<PackedMoves<'_>> {
        let (_, bytes, _) = self.raw(Section::Moves)?;
        let start = self.table.find(Section::Moves).map_or(0, |(_, entry)| entry.offset);
        let ends = self.ends(Section::MoveEnds)?;
        let sums = self.section(Section::MoveSums)?;
        if ends.last() != bytes.len() as u64 || sums.len() != self.len().div_ceil(BLOCK) * 4 {
            return Err(self.shape(Section::MoveEnds));
        }
        Ok(PackedMoves { segment: self, start, bytes, ends, sums })
    }
}

impl<'a> PackedMoves<'a> {
    /// What is said of moves that fit their checksum and cannot be played.
    pub(crate) fn nonsense(&self) -> Error {
        self.segment.damaged(Section::Moves, "the moves of a game make no sense")
    }

    /// Games that share a checksum.
    pub const BLOCK: usize = BLOCK;

    /// How many blocks there are.
    pub fn blocks(&self) -> usize {
        self.ends.len().div_ceil(BLOCK)
    }

    /// The games of a block, once their moves have been compared with their checksum: some 10 ns a game.
    ///
    /// # Errors
    /// When they are damaged.
    pub fn block(&self, block: usize) -> Result<MoveBlock<'a>> {
        let lies = self.ends.block(block).ok_or_else(|| self.damaged())?;
        self.compared(block, self.bytes.get(lies.start as usize..lies.end as usize))
    }

    /// As [`block`](Self::block), for one of many that follow each other up to before block `end`: quicker where most of
    /// them are wanted, because they are read some hundred thousand bytes at a time.
    ///
    /// # Errors
    /// As [`block`](Self::block), and when the file cannot be read.
    pub fn next_block<'b>(
        &self,
        block: usize,
        end: usize,
        buffer: &'b mut MoveBuffer,
    ) -> Result<MoveBlock<'b>>
    where
        'a: 'b,
    {
        let lies = self.ends.block(block).ok_or_else(|| self.damaged())?;
        if !self.segment.bytes.is_mapped() {
            return self.block(block);
        }
        let own = (self.segment.sum(), self.start);
        if buffer.of != own || !(buffer.lies.start <= lies.start && lies.end <= buffer.lies.end) {
            let last =
                end.checked_sub(1).and_then(|last| self.ends.block(last)).map_or(lies.end, |last| last.end);
            let to = last
                .min(lies.start.saturating_add(MoveBuffer::LEN))
                .max(lies.end)
                .min(self.bytes.len() as u64);
            let len = to.checked_sub(lies.start).ok_or_else(|| self.damaged())? as usize;
            buffer.lies = 0..0;
            buffer.bytes.resize(buffer.bytes.len().max(len), 0);
            let read = read_at(&self.segment.file, self.start + lies.start, &mut buffer.bytes[..len]);
            if !read.map_err(|error| Error::from(error).at(self.segment.path()))? {
                return self.block(block);
            }
            (buffer.of, buffer.lies) = (own, lies.start..to);
        }
        let start = lies.start.wrapping_sub(buffer.lies.start) as usize;
        let len = lies.end.saturating_sub(lies.start) as usize;
        self.compared(block, buffer.bytes.get(start..start.saturating_add(len)))
    }

    fn damaged(&self) -> Error {
        self.segment.damaged(Section::Moves, "the checksum of a block does not fit")
    }

    fn compared<'b>(&self, block: usize, bytes: Option<&'b [u8]>) -> Result<MoveBlock<'b>>
    where
        'a: 'b,
    {
        let games = block * BLOCK..(block * BLOCK + BLOCK).min(self.ends.len());
        let bytes = bytes.filter(|bytes| u32_at(self.sums, block) == Some(xxh3(bytes) as u32));
        Ok(MoveBlock { games, bytes: bytes.ok_or_else(|| self.damaged())?, ends: self.ends })
    }

    /// The moves of a game, compared with the checksum of its block: about half a microsecond.
    ///
    /// # Errors
    /// When they are damaged; `None` for a number without a game.
    pub fn get(&self, game: usize) -> Result<Option<&'a [u8]>> {
        if game >= self.ends.len() {
            return Ok(None);
        }
        Ok(Some(self.block(game / BLOCK)?.get(game)))
    }
}

/// Packed moves on their way from a file; for [`PackedMoves::next_block`].
#[derive(Debug, Default)]
pub struct MoveBuffer {
    bytes: Vec<u8>,
    /// The segment, and where its moves lie in it.
    of: (u64, u64),
    /// What the bytes are of these moves.
    lies: Range<u64>,
}

impl MoveBuffer {
    /// Bytes that are read at a time: they stay in the cache of a core.
    const LEN: u64 = 256 << 10;
}

/// Up to 32 games whose packed moves fit their checksum.
#[derive(Clone, Debug)]
pub struct MoveBlock<'a> {
    games: Range<usize>,
    bytes: &'a [u8],
    ends: Ends<'a>,
}

impl<'a> MoveBlock<'a> {
    /// The moves of a game by its number in the segment; none for a game of another block.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn get(&self, game: usize) -> &'a [u8] {
        let end = |game: usize| self.ends.in_block(game) as usize;
        let start = if game <= self.games.start { 0 } else { end(game - 1) };
        let lies = if self.games.contains(&game) { start..end(game) } else { 0..0 };
        self.bytes.get(lies).unwrap_or(&[])
    }

    /// The games by their numbers in the segment, with their moves.
    pub fn games(&self) -> impl Iterator<Item = (usize, &'a [u8])> + use<'a> {
        let Self { games, bytes, ends } = self.clone();
        let mut start = 0;
        games.map(move |game| {
            let end = ends.in_block(game) as usize;
            (game, bytes.get(std::mem::replace(&mut start, end)..end).unwrap_or(&[]))
        })
    }
}
