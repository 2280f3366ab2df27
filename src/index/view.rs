//! A segment, read where it lies.
//!
//! Opening reads header and footer: O(1). A section is compared with its checksum when it is first used, the packed
//! moves 32 games at a time, so that damage is an error and never a wrong answer.

use std::fs::File;
use std::io::Read;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU8, Ordering};

use super::column::{BLOCK, Column, Ends};
use super::dictionary::Dictionary;
use super::row::{GameKind, GameRow, PackedPieceCounts, date_of, outcome_of, status_of};
use super::rows::DictionaryKind;
use super::section::{self, Misfit, Section, Table, VERSION};
use super::sum::xxh3;
use super::text;
use super::wire::{Reader, u32_at, u64_at};
use crate::error::{Error, ErrorKind, Result};
use crate::position::Position;
use crate::source::{Bytes, SMALL, map_random, read_at};

/// An immutable part of an index: up to a million games.
#[derive(Debug)]
pub struct Segment {
    path: PathBuf,
    file: File,
    bytes: Bytes,
    table: Table,
    /// For each section: 0 not compared yet, 1 sound, 2 damaged.
    checked: Vec<AtomicU8>,
}

/// Where a game comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RecordLocation {
    /// Number of the [`Origin`](super::IndexedInput).
    pub origin: u32,
    /// Offset of the record in its text.
    pub offset: u64,
    /// Bytes of the record.
    pub len: u64,
}

impl Segment {
    /// Opens a file. O(1).
    ///
    /// # Errors
    /// When it cannot be read, is no segment, of a newer version, or cut.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self> {
        let path = path.into();
        let open = || {
            let file = File::open(&path)?;
            let bytes = read_file(&file)?;
            Ok((file, bytes))
        };
        let (file, bytes) = open().map_err(|error: std::io::Error| Error::from(error).at(&path))?;
        let table = Table::read(&bytes).map_err(|misfit| {
            let kind = match misfit {
                Misfit::Foreign => ErrorKind::NotAnIndex,
                Misfit::Version(found) => ErrorKind::IndexVersion { version: found, newest: VERSION },
                Misfit::Damaged(section, problem) => ErrorKind::IndexDamaged { section, problem },
            };
            Error::new(kind).at(&path)
        })?;
        let checked = table.entries.iter().map(|_| AtomicU8::new(0)).collect();
        Ok(Self { path, file, bytes, table, checked })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How many games it has.
    pub fn len(&self) -> usize {
        self.table.games as usize
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes of the file.
    pub fn file_len(&self) -> u64 {
        self.bytes.len() as u64
    }

    pub(super) fn sum(&self) -> u64 {
        self.table.sum
    }

    /// Whether the file has a section.
    pub fn has(&self, section: Section) -> bool {
        self.table.find(section).is_some()
    }

    /// Bytes of a section; 0 for one that is not there.
    pub fn section_len(&self, section: Section) -> u64 {
        self.table.find(section).map_or(0, |(_, entry)| entry.len)
    }

    /// A section as it is.
    fn raw(&self, section: Section) -> Result<(usize, &[u8], u64)> {
        let (index, entry) =
            self.table.find(section).ok_or_else(|| self.damaged(section, "it is missing"))?;
        // The table was compared with the length of the file.
        let bytes = self.bytes.get(entry.offset as usize..(entry.offset + entry.len) as usize).unwrap_or(&[]);
        Ok((index, bytes, entry.sum))
    }

    /// A section that fits its checksum. The first call reads it, later ones are O(1).
    ///
    /// # Errors
    /// When it is missing or damaged.
    pub fn section(&self, section: Section) -> Result<&[u8]> {
        let (index, bytes, sum) = self.raw(section)?;
        let checked = &self.checked[index];
        let mut known = checked.load(Ordering::Relaxed);
        if known == 0 {
            known = if xxh3(bytes) == sum { 1 } else { 2 };
            checked.store(known, Ordering::Relaxed);
        }
        if known == 1 { Ok(bytes) } else { Err(self.damaged(section, "its checksum does not fit")) }
    }

    pub(super) fn damaged(&self, section: Section, problem: &'static str) -> Error {
        Error::new(ErrorKind::IndexDamaged { section: section.name(), problem }).at(&self.path)
    }

    fn shape(&self, section: Section) -> Error {
        self.damaged(section, "its contents make no sense")
    }

    /// A column of the games table; one of [`Section::White`] to [`Section::Last`].
    ///
    /// # Errors
    /// When it is damaged, or no column.
    pub fn column(&self, section: Section) -> Result<Column<'_>> {
        Column::new(self.section(section)?, self.len()).ok_or_else(|| self.shape(section))
    }

    /// The different values of a tag.
    ///
    /// # Errors
    /// When they are damaged.
    pub fn names(&self, names: DictionaryKind) -> Result<Dictionary<'_>> {
        let [text, ends, forms] = names.sections();
        Dictionary::new(self.section(text)?, self.section(ends)?, self.section(forms)?)
            .ok_or_else(|| self.shape(ends))
    }

    /// The different games played. The column [`Section::Kind`] counts them from 0.
    ///
    /// # Errors
    /// When they are damaged, or name a game that this version does not know.
    pub fn kinds(&self) -> Result<Vec<GameKind>> {
        let mut reader = Reader(self.section(Section::Kinds)?);
        let mut kinds = || {
            let count = reader.u32()?;
            let kinds: Option<Vec<GameKind>> = (0..count).map(|_| GameKind::read(&mut reader)).collect();
            kinds.filter(|_| reader.0.is_empty())
        };
        kinds().ok_or_else(|| self.shape(Section::Kinds))
    }

    pub(super) fn ends(&self, section: Section) -> Result<Ends<'_>> {
        Ends::new(self.section(section)?, self.len()).ok_or_else(|| self.shape(section))
    }

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

    /// A game as a row.
    ///
    /// # Errors
    /// When a section is damaged; `None` for a number without a game.
    pub fn row(&self, game: usize) -> Result<Option<GameRow<'_>>> {
        if game >= self.len() {
            return Ok(None);
        }
        let value = |section| Ok::<u64, Error>(self.column(section)?.get(game).unwrap_or(0));
        let text = |section, names: DictionaryKind| {
            let number = value(section)? as u32;
            self.names(names)?.get(number).ok_or_else(|| self.shape(section))
        };
        let summary = value(Section::Summary)?;
        let kinds = self.kinds()?;
        let shape = |section| move || self.shape(section);
        Ok(Some(GameRow {
            white: text(Section::White, DictionaryKind::Players)?,
            black: text(Section::Black, DictionaryKind::Players)?,
            event: text(Section::Event, DictionaryKind::Events)?,
            site: text(Section::Site, DictionaryKind::Sites)?,
            round: text(Section::Round, DictionaryKind::Rounds)?,
            result: text(Section::Result, DictionaryKind::Results)?,
            date: date_of(value(Section::Date)?).ok_or_else(shape(Section::Date))?,
            ratings: [value(Section::WhiteRating)? as u16, value(Section::BlackRating)? as u16],
            status: status_of(summary).ok_or_else(shape(Section::Summary))?,
            outcome: outcome_of(summary).ok_or_else(shape(Section::Summary))?,
            from_fen: summary & 64 != 0,
            has_setups: summary & 128 != 0,
            kind: *kinds.get(value(Section::Kind)? as usize).ok_or_else(shape(Section::Kind))?,
            plies: value(Section::Plies)? as u32,
            first: PackedPieceCounts::from_bits(value(Section::First)? as u32),
            last: PackedPieceCounts::from_bits(value(Section::Last)? as u32),
        }))
    }

    /// Where a game comes from.
    ///
    /// # Errors
    /// When a section is damaged; `None` for a number without a game.
    pub fn place(&self, game: usize) -> Result<Option<RecordLocation>> {
        let Some(range) = self.ends(Section::TextEnds)?.get(game) else { return Ok(None) };
        let runs = self.section(Section::Runs)?;
        let shape = || self.shape(Section::Runs);
        if runs.len() % 24 != 0 {
            return Err(shape());
        }
        let first = |run: usize| u32_at(runs, 6 * run).unwrap_or(u32::MAX) as usize;
        // The last run that begins at or before this game.
        let (mut low, mut high) = (0, runs.len() / 24);
        while low < high {
            let middle = usize::midpoint(low, high);
            if first(middle) <= game { low = middle + 1 } else { high = middle }
        }
        let run = low.checked_sub(1).ok_or_else(shape)?;
        let read = || {
            let (offset, text) = (u64_at(runs, 3 * run + 1)?, u64_at(runs, 3 * run + 2)?);
            let offset = range.start.checked_sub(text)?.checked_add(offset)?;
            Some(RecordLocation { origin: u32_at(runs, 6 * run + 1)?, offset, len: range.end - range.start })
        };
        read().map(Some).ok_or_else(shape)
    }

    /// The embedded text of a game, byte for byte; `None` where no text is embedded or there is no such game.
    ///
    /// # Errors
    /// When a section is damaged.
    pub fn embedded(&self, game: usize) -> Result<Option<Vec<u8>>> {
        let Some(range) = self.ends(Section::TextEnds)?.get(game) else { return Ok(None) };
        self.embedded_range(range)
    }

    /// Bytes of the texts of all games.
    pub(super) fn text_len(&self) -> Result<u64> {
        Ok(self.ends(Section::TextEnds)?.last())
    }

    /// These bytes of the embedded texts laid one after the other.
    pub(super) fn embedded_range(&self, range: Range<u64>) -> Result<Option<Vec<u8>>> {
        if !self.has(Section::Text) {
            return Ok(None);
        }
        // Each frame has a checksum in effect: the text is compared with its own sum.
        let (_, frames, _) = self.raw(Section::Text)?;
        let blocks = self.section(Section::TextBlocks)?;
        text::read(frames, blocks, range.start, range.end).map(Some).ok_or_else(|| self.shape(Section::Text))
    }

    /// The games whose texts share a sum with this one, and that sum. O(log games).
    pub(super) fn text_block(&self, game: usize) -> Result<(Range<usize>, u64)> {
        if self.version() == 1 {
            let sum = u64_at(self.section(Section::TextSums)?, game / BLOCK);
            let sum = sum.ok_or_else(|| self.shape(Section::TextSums))?;
            let start = game / BLOCK * BLOCK;
            return Ok((start..(start + BLOCK).min(self.len()), sum));
        }
        let blocks = self.text_blocks()?;
        let (mut low, mut high) = (0, blocks.ends.len());
        while low < high {
            let middle = usize::midpoint(low, high);
            let end = blocks.ends.end(middle).unwrap_or(u64::MAX);
            if end <= game as u64 { low = middle + 1 } else { high = middle }
        }
        blocks.get(low).ok_or_else(|| self.shape(Section::TextSumEnds))
    }

    /// The sums of the texts; not of version 1, which has them otherwise.
    pub(super) fn text_blocks(&self) -> Result<TextBlocks<'_>> {
        let shape = || self.shape(Section::TextSumEnds);
        let ends = Ends::counted(self.section(Section::TextSumEnds)?).ok_or_else(shape)?;
        let sums = self.section(Section::TextSums)?;
        let fits = ends.last() == self.len() as u64 && sums.len() == ends.len() * 8;
        if fits { Ok(TextBlocks { ends, sums }) } else { Err(shape()) }
    }

    /// The sum of these texts as this version of the format has it.
    pub(super) fn sum_of_texts<'t>(&self, texts: impl IntoIterator<Item = &'t [u8]>) -> u64 {
        let sums = texts.into_iter().map(xxh3);
        if self.version() == 1 {
            let sums: Vec<u8> = sums.flat_map(u64::to_le_bytes).collect();
            return xxh3(&sums);
        }
        sums.reduce(|before, sum| section::join(before, sum, 1)).unwrap_or(0)
    }

    /// The version of the format that it was written in.
    pub fn version(&self) -> u32 {
        self.table.version
    }

    /// Where a game starts that was played from the start position of its kind.
    pub fn start(&self, kind: &GameKind) -> Position {
        Position::start(kind.game())
    }

    pub(super) fn compare(&self) -> Vec<(&'static str, &'static str)> {
        let mut problems = Vec::new();
        if !self.table.is_gapless(&self.bytes) {
            problems.push(("table", "what stands between two sections is not zero"));
        }
        for entry in &self.table.entries {
            let Some(&section) = Section::ALL.iter().find(|&&section| section as u32 == entry.section) else {
                problems.push(("table", "it lists a section that this version does not know"));
                continue;
            };
            if self.section(section).is_err() {
                problems.push((section.name(), "its checksum does not fit"));
            }
        }
        problems
    }
}

/// The sums of the texts of a segment.
#[derive(Clone, Copy, Debug)]
pub(super) struct TextBlocks<'a> {
    ends: Ends<'a>,
    sums: &'a [u8],
}

impl TextBlocks<'_> {
    /// The games of a block, at most [`BLOCK`], and the sum of their texts.
    pub(super) fn get(&self, block: usize) -> Option<(Range<usize>, u64)> {
        let games = self.ends.get(block)?;
        let games = games.start as usize..games.end as usize;
        (1..=BLOCK).contains(&games.len()).then_some(())?;
        Some((games, u64_at(self.sums, block)?))
    }
}

/// Small files are read, others mapped.
pub(super) fn read(path: &Path) -> std::io::Result<Bytes> {
    read_file(&File::open(path)?)
}

fn read_file(mut file: &File) -> std::io::Result<Bytes> {
    if file.metadata()?.len() > SMALL as u64 {
        return map_random(file);
    }
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(bytes.into())
}

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
            if !read.map_err(|error| Error::from(error).at(&self.segment.path))? {
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
