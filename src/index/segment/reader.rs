//! A segment, read where it lies.
//!
//! Opening reads header and footer: O(1). A section is compared with its checksum when it is first used, the packed
//! moves 32 games at a time, so that damage is an error and never a wrong answer.

use std::fs::File;
use std::io::Read;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU8, Ordering};

use crate::error::{Error, ErrorKind, Result};
use crate::index::format::checksum::xxh3;
use crate::index::format::column::Column;
use crate::index::format::dictionary::Dictionary;
use crate::index::format::end_offsets::{BLOCK, Ends};
use crate::index::format::section::{self, Misfit, Section, Table, VERSION};
use crate::index::format::text_blocks;
use crate::index::format::wire::{Reader, u32_at, u64_at};
use crate::index::row::game_row::{GameKind, GameRow, PackedPieceCounts, date_of};
use crate::index::row::row_batch::DictionaryKind;
use crate::index::row::summary_bits::{outcome_of, status_of};
use crate::position::Position;
use crate::source::{Bytes, SMALL, map_random};

/// An immutable part of an index: up to a million games.
#[derive(Debug)]
pub struct Segment {
    path: PathBuf,
    pub(crate) file: File,
    pub(crate) bytes: Bytes,
    pub(crate) table: Table,
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
                Misfit::Version(found) => ErrorKind::IndexVersion { found, newest: VERSION },
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

    pub(crate) fn sum(&self) -> u64 {
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
    pub(crate) fn raw(&self, section: Section) -> Result<(usize, &[u8], u64)> {
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

    pub(crate) fn damaged(&self, section: Section, problem: &'static str) -> Error {
        Error::new(ErrorKind::IndexDamaged { section: section.name(), problem }).at(&self.path)
    }

    pub(crate) fn shape(&self, section: Section) -> Error {
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

    pub(crate) fn ends(&self, section: Section) -> Result<Ends<'_>> {
        Ends::new(self.section(section)?, self.len()).ok_or_else(|| self.shape(section))
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
    pub(crate) fn text_len(&self) -> Result<u64> {
        Ok(self.ends(Section::TextEnds)?.last())
    }

    /// These bytes of the embedded texts laid one after the other.
    pub(crate) fn embedded_range(&self, range: Range<u64>) -> Result<Option<Vec<u8>>> {
        if !self.has(Section::Text) {
            return Ok(None);
        }
        // Each frame has a checksum in effect: the text is compared with its own sum.
        let (_, frames, _) = self.raw(Section::Text)?;
        let blocks = self.section(Section::TextBlocks)?;
        text_blocks::read(frames, blocks, range.start, range.end)
            .map(Some)
            .ok_or_else(|| self.shape(Section::Text))
    }

    /// The games whose texts share a sum with this one, and that sum. O(log games).
    pub(crate) fn text_block(&self, game: usize) -> Result<(Range<usize>, u64)> {
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
    pub(crate) fn text_blocks(&self) -> Result<TextBlocks<'_>> {
        let shape = || self.shape(Section::TextSumEnds);
        let ends = Ends::counted(self.section(Section::TextSumEnds)?).ok_or_else(shape)?;
        let sums = self.section(Section::TextSums)?;
        let fits = ends.last() == self.len() as u64 && sums.len() == ends.len() * 8;
        if fits { Ok(TextBlocks { ends, sums }) } else { Err(shape()) }
    }

    /// The sum of these texts as this version of the format has it.
    pub(crate) fn sum_of_texts<'t>(&self, texts: impl IntoIterator<Item = &'t [u8]>) -> u64 {
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

    pub(crate) fn compare(&self) -> Vec<(&'static str, &'static str)> {
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
pub(crate) struct TextBlocks<'a> {
    ends: Ends<'a>,
    sums: &'a [u8],
}

impl TextBlocks<'_> {
    /// The games of a block, at most [`BLOCK`], and the sum of their texts.
    pub(crate) fn get(&self, block: usize) -> Option<(Range<usize>, u64)> {
        let games = self.ends.get(block)?;
        let games = games.start as usize..games.end as usize;
        (1..=BLOCK).contains(&games.len()).then_some(())?;
        Some((games, u64_at(self.sums, block)?))
    }
}

/// Small files are read, others mapped.
pub(crate) fn read(path: &Path) -> std::io::Result<Bytes> {
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
