//! Reads a segment in place.
//!
//! Opening reads the header and the footer: O(1). The checksum of a section is verified at its first use, that of
//! packed moves by blocks of 32 games. So damage is an error and never a wrong answer.

use std::fs::File;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use crate::files::{FileBytes, FilePart, IndexFiles, OpenFile};
use crate::format::column::Column;
use crate::format::columns::{DictionaryKind, NumberColumn, Section, TextColumn};
use crate::format::dictionary::Dictionary;
use crate::format::end_offsets::{BLOCK, EndOffsets};
use crate::format::section::{
    ALIGN, Checksum, SectionEntry, SectionTable, SegmentFileError, TAIL, VERSION, xxh3,
};
use crate::format::wire::{Reader, u32_at, u64_at};
use crate::format::{section, text_blocks};
use crate::row::game_row::GameKind;
use pdn::error::{Error, ErrorKind, Result};
use pdn::internal::source::read_at;
use pdn::position::Position;
use pdn::source::Bytes;
use pdn_names::{NameMatch, NameOutline, NamePattern};
use pdn_rules::internal::steps;

/// An immutable part of an index: a file of up to a million games.
#[derive(Debug)]
pub struct Segment {
    path: PathBuf,
    /// Where the files of the index are.
    pub(crate) files: IndexFiles,
    /// The file itself, if it is one of the system.
    pub(crate) file: Option<File>,
    pub(crate) bytes: FileBytes,
    pub(crate) table: SectionTable,
    /// State of each section: 0 not verified, 1 sound, 2 damaged.
    states: Vec<AtomicU8>,
    /// The states of the dictionaries, in the order of [`DictionaryKind::ALL`].
    dictionaries: [DictionaryState; DictionaryKind::ALL.len()],
}

/// The position of a record in its input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct RecordLocation {
    /// Number of the `IndexedInput`, from 0.
    pub input: u32,
    /// Offset of the record in its input, in bytes.
    pub offset: u64,
    /// Length of the record in bytes.
    pub len: u64,
}

impl Segment {
    /// Opens a segment file. Costs O(1).
    ///
    /// # Errors
    /// Fails if the file cannot be read, is not a segment, has a newer version, or is truncated.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self> {
        Self::open_in(&IndexFiles::Disk, path.into())
    }

    /// Opens a segment file as [`open`](Self::open) does, wherever the files are.
    pub(crate) fn open_in(files: &IndexFiles, path: PathBuf) -> Result<Self> {
        let io_error = |error: std::io::Error| Error::from(error).at(&path);
        let OpenFile { file, bytes } = files.open(&path).map_err(io_error)?;
        // What follows the header is not needed with it.
        let header = 0..ALIGN.min(bytes.len());
        bytes.fetch(std::slice::from_ref(&header)).map_err(io_error)?;
        let head = bytes.get(header).map_err(io_error)?;
        let tail = bytes.get(bytes.len() - TAIL.min(bytes.len())..bytes.len()).map_err(io_error)?;
        let tail = bytes.whole().map_or(tail, |whole| whole);
        let table = SectionTable::read(head, tail, bytes.len()).map_err(|misfit| {
            let kind = match misfit {
                SegmentFileError::Foreign => ErrorKind::NotAnIndex,
                SegmentFileError::Version(found) => {
                    ErrorKind::IndexVersion { version: found, newest: VERSION }
                }
                SegmentFileError::Damaged(section, problem) => ErrorKind::IndexDamaged { section, problem },
            };
            Error::new(kind).at(&path)
        })?;
        let checked = table.entries.iter().map(|_| AtomicU8::new(0)).collect();
        let files = files.clone();
        Ok(Self { path, files, file, bytes, table, states: checked, dictionaries: Default::default() })
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the number of games.
    pub fn len(&self) -> usize {
        self.table.games as usize
    }

    /// Returns `true` if the segment has no games.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Lets the system take back the memory of what was read. It is read again when it is needed.
    pub fn release_pages(&self) {
        if let Some(bytes) = self.bytes.whole() {
            bytes.release(0, bytes.len());
        }
    }

    /// Returns the length of the file in bytes.
    pub fn file_len(&self) -> u64 {
        self.bytes.len()
    }

    /// Returns the checksum in the footer, which identifies the contents.
    pub(crate) fn checksum(&self) -> u64 {
        self.table.sum
    }

    /// Returns `true` if the file has the section.
    pub fn has(&self, section: Section) -> bool {
        self.table.find(section).is_some()
    }

    /// Returns the length of a section in bytes, 0 for an absent one.
    pub fn section_len(&self, section: Section) -> u64 {
        self.table.find(section).map_or(0, |(_, entry)| entry.len)
    }

    /// Returns the number of a section in the table of the file, and its entry there.
    fn entry(&self, section: Section) -> Result<(usize, SectionEntry)> {
        self.table.find(section).ok_or_else(|| self.damaged(section, "it is missing"))
    }

    /// Returns the bytes of a section, without verifying it; empty if they are read by ranges, then as the part of the file as well.
    pub(crate) fn unchecked_section(&self, section: Section) -> Result<(&[u8], Option<FilePart<'_>>)> {
        let (_, entry) = self.entry(section)?;
        // Opening has checked that all entries lie within the file.
        let range = entry.offset..entry.offset + entry.len;
        match self.bytes.part(range.clone()) {
            Some(part) => Ok((&[], Some(part))),
            None => Ok((self.read(range)?, None)),
        }
    }

    /// Returns a section whose values are read when they are asked for; `None` if it is mapped, in memory, or was read as a whole.
    pub(crate) fn section_part(&self, section: Section) -> Result<Option<FilePart<'_>>> {
        let (index, entry) = self.entry(section)?;
        let is_read = self.states[index].load(Ordering::Relaxed) == 1;
        Ok(if is_read { None } else { self.bytes.part(entry.offset..entry.offset + entry.len) })
    }

    /// Returns bytes of the file.
    fn read(&self, range: Range<u64>) -> Result<&[u8]> {
        self.bytes.get(range).map_err(|error| Error::from(error).at(&self.path))
    }

    /// Reads parts of the file, or of one next to it, of which many will be asked for; together if that is possible.
    ///
    /// # Errors
    /// If they cannot be read, or the question has to be asked again.
    pub(crate) fn fetch(&self, parts: &[FilePart<'_>]) -> Result<()> {
        FilePart::fetch(parts).map_err(|(error, name)| Error::from(error).at(self.path.with_file_name(name)))
    }

    /// Returns a section whose checksum is verified. The first call reads all of it, later ones cost O(1).
    ///
    /// # Errors
    /// Fails if the section is missing or damaged.
    pub fn section(&self, section: Section) -> Result<&[u8]> {
        let (index, entry) = self.entry(section)?;
        // Opening has checked that all entries lie within the file.
        let bytes = self.read(entry.offset..entry.offset + entry.len)?;
        let checked = &self.states[index];
        let mut state = checked.load(Ordering::Relaxed);
        if state == 0 {
            state = if xxh3(bytes) == entry.checksum { 1 } else { 2 };
            checked.store(state, Ordering::Relaxed);
        }
        if state == 1 { Ok(bytes) } else { Err(self.damaged(section, "its checksum does not match")) }
    }

    /// Creates the error of a damaged section.
    pub fn damaged(&self, section: Section, problem: &'static str) -> Error {
        Error::new(ErrorKind::IndexDamaged { section: section.name(), problem }).at(&self.path)
    }

    /// Creates the error of a section whose checksum matches although its contents are invalid.
    pub(crate) fn malformed(&self, section: Section) -> Error {
        self.damaged(section, "its contents are invalid")
    }

    /// Returns a column of the games table, one of [`Section::White`] to [`Section::KingRun`]. If the file is read by ranges, values
    /// are read when they are asked for, and not verified.
    ///
    /// # Errors
    /// Fails if the section is missing, damaged, or not a column.
    pub fn column(&self, section: Section) -> Result<Column<'_>> {
        match self.section_part(section)? {
            Some(part) => Column::in_file(part, self.len()).ok_or_else(|| self.malformed(section)),
            None => self.whole_column(section),
        }
    }

    /// Returns a column as [`column`](Self::column) does, for a caller that looks at most of its values: it is read as a whole, and verified.
    pub(crate) fn whole_column(&self, section: Section) -> Result<Column<'_>> {
        Column::new(self.section(section)?, self.len()).ok_or_else(|| self.malformed(section))
    }

    /// Returns a column of texts; `None` if it is optional and the segment does not have it.
    ///
    /// # Errors
    /// Fails if the section is damaged, or missing although it is not optional.
    pub(crate) fn text_column(&self, column: TextColumn) -> Result<Option<Column<'_>>> {
        if self.lacks(column) { Ok(None) } else { self.column(column.section()).map(Some) }
    }

    /// Returns `true` for an optional column of texts that the segment does not have.
    pub(crate) fn lacks(&self, column: TextColumn) -> bool {
        column.is_optional() && !self.has(column.section())
    }

    /// Returns a column of numbers; `None` if it is a fact and an earlier version has written the segment.
    ///
    /// # Errors
    /// Fails if the section is damaged, or missing although it is not a fact.
    pub(crate) fn number_column(&self, column: NumberColumn) -> Result<Option<Column<'_>>> {
        if column.is_fact() && !self.has(column.section()) {
            return Ok(None);
        }
        self.column(column.section()).map(Some)
    }

    /// Reads columns, and the dictionaries of those of texts, as a whole if they are read by ranges, for a caller that looks at most of them.
    ///
    /// # Errors
    /// If one of them is missing or damaged.
    pub(crate) fn read_whole(&self, texts: &[TextColumn], numbers: &[NumberColumn]) -> Result<()> {
        if !self.files.is_ranged() {
            return Ok(());
        }
        for &column in texts.iter().filter(|&&column| !self.lacks(column)) {
            let [text, ends, _] = column.dictionary().sections();
            [column.section(), text, ends]
                .into_iter()
                .try_for_each(|section| self.section(section).map(drop))?;
        }
        numbers.iter().try_for_each(|column| self.section(column.section()).map(drop))
    }

    /// Returns a dictionary. The first call reads all of it, later ones cost O(1). If the file is read by ranges, texts are read when
    /// they are asked for, and not verified.
    ///
    /// # Errors
    /// Fails if one of its sections is missing or damaged.
    pub fn dictionary(&self, kind: DictionaryKind) -> Result<Dictionary<'_>> {
        let [text, ends, _] = kind.sections();
        match (self.section_part(text)?, self.section_part(ends)?) {
            (Some(texts), Some(of_ends)) => {
                Dictionary::in_file(texts, of_ends).ok_or_else(|| self.malformed(ends))
            }
            _ => self.whole_dictionary(kind),
        }
    }

    /// Returns a dictionary as [`dictionary`](Self::dictionary) does, for a caller that looks at most of its texts: they are read as a whole,
    /// and verified.
    pub(crate) fn whole_dictionary(&self, kind: DictionaryKind) -> Result<Dictionary<'_>> {
        let [text, ends, forms] = kind.sections();
        let (texts, of_ends) = (self.section(text)?, self.section(ends)?);
        let dictionary = match self.bytes.whole() {
            Some(_) => Dictionary::new(texts, of_ends, self.section(forms)?),
            None => Dictionary::without_map(texts, of_ends),
        };
        dictionary
            .filter(|_| self.dictionaries[kind as usize].is_utf8(texts))
            .ok_or_else(|| self.malformed(ends))
    }

    /// Returns, for every text of a dictionary by its number, whether `pattern` matches it. Costs O(texts), and much less from the
    /// third search of the dictionary on.
    ///
    /// # Errors
    /// Fails if the dictionary is damaged.
    pub(crate) fn names_matching(&self, kind: DictionaryKind, pattern: &NamePattern) -> Result<Vec<bool>> {
        let dictionary = match pattern.match_kind() {
            NameMatch::Exact | NameMatch::Prefix => self.dictionary(kind)?,
            NameMatch::Words | NameMatch::Fuzzy => self.whole_dictionary(kind)?,
        };
        Ok(self.dictionaries[kind as usize].matching(&dictionary, pattern))
    }

    /// Returns the distinct game kinds. The column [`Section::Kind`] holds indices into them, from 0.
    ///
    /// # Errors
    /// Fails if the section is damaged or names a variant that this version does not know.
    pub fn kinds(&self) -> Result<Vec<GameKind>> {
        let mut reader = Reader(self.section(Section::Kinds)?);
        let mut kinds = || {
            let count = reader.u32()?;
            let kinds: Option<Vec<GameKind>> = (0..count).map(|_| GameKind::read(&mut reader)).collect();
            kinds.filter(|_| reader.0.is_empty())
        };
        kinds().ok_or_else(|| self.malformed(Section::Kinds))
    }

    /// Returns the end offsets that a section holds, one per game.
    pub(crate) fn end_offsets(&self, section: Section) -> Result<EndOffsets<'_>> {
        let ends = match self.section_part(section)? {
            Some(part) => EndOffsets::in_file(part, Some(self.len())),
            None => EndOffsets::new(self.section(section)?, self.len()),
        };
        ends.ok_or_else(|| self.malformed(section))
    }

    /// Reads where the records of some games are, as [`fetch`](Self::fetch) does.
    ///
    /// # Errors
    /// As [`fetch`](Self::fetch), and if a section is damaged.
    pub(crate) fn fetch_locations(&self, games: &[usize]) -> Result<()> {
        let (ends, mut parts) = (self.end_offsets(Section::TextEnds)?, Vec::new());
        games.iter().for_each(|&game| ends.expect(game, &mut parts));
        self.fetch(&parts)
    }

    /// Returns the position of the record of a game; `None` if there is no game of this number.
    ///
    /// # Errors
    /// Fails if a section is damaged.
    pub fn location(&self, game: usize) -> Result<Option<RecordLocation>> {
        let Some(range) = self.end_offsets(Section::TextEnds)?.get(game) else { return Ok(None) };
        let runs = self.section(Section::Runs)?;
        let malformed = || self.malformed(Section::Runs);
        if runs.len() % 24 != 0 {
            return Err(malformed());
        }
        let first = |run: usize| u32_at(runs, 6 * run).unwrap_or(u32::MAX) as usize;
        // Finds the last run that starts at or before this game.
        let (mut low, mut high) = (0, runs.len() / 24);
        while low < high {
            let middle = usize::midpoint(low, high);
            if first(middle) <= game { low = middle + 1 } else { high = middle }
        }
        let run = low.checked_sub(1).ok_or_else(malformed)?;
        let read = || {
            let (offset, text) = (u64_at(runs, 3 * run + 1)?, u64_at(runs, 3 * run + 2)?);
            let offset = range.start.checked_sub(text)?.checked_add(offset)?;
            Some(RecordLocation { input: u32_at(runs, 6 * run + 1)?, offset, len: range.end - range.start })
        };
        read().map(Some).ok_or_else(malformed)
    }

    /// Returns the runs of games that follow each other in one input, in order.
    ///
    /// # Errors
    /// Fails if the section is damaged.
    pub(crate) fn runs(&self) -> Result<Vec<InputRunEntry>> {
        let runs = self.section(Section::Runs)?;
        let (chunks, rest) = runs.as_chunks::<24>();
        let mut entries = Vec::with_capacity(chunks.len());
        for chunk in chunks {
            let entry = || {
                let mut reader = Reader(chunk);
                let (first, input) = (reader.u32()?, reader.u32()?);
                Some(InputRunEntry { first, input, offset: reader.u64()?, text: reader.u64()? })
            };
            entries.extend(entry());
        }
        let is_ordered = entries.is_sorted_by_key(|entry| entry.first);
        if rest.is_empty() && is_ordered { Ok(entries) } else { Err(self.malformed(Section::Runs)) }
    }

    /// Returns the games from one input after the other: their numbers in the segment, and the number of the input.
    ///
    /// # Errors
    /// Fails if a section is damaged.
    pub fn input_runs(&self) -> Result<Vec<(Range<u32>, u32)>> {
        let runs = self.runs()?;
        let ends = runs.iter().skip(1).map(|run| run.first).chain([self.len() as u32]);
        let ranges: Vec<_> = runs.iter().zip(ends).map(|(run, end)| (run.first..end, run.input)).collect();
        let fits =
            ranges.iter().all(|(games, _)| games.start <= games.end && games.end as usize <= self.len());
        if fits { Ok(ranges) } else { Err(self.malformed(Section::Runs)) }
    }

    /// Returns the embedded record of a game, byte for byte; `None` if no records are embedded or there is no game of
    /// this number.
    ///
    /// # Errors
    /// Fails if a section is damaged.
    pub fn embedded(&self, game: usize) -> Result<Option<Vec<u8>>> {
        let Some(range) = self.end_offsets(Section::TextEnds)?.get(game) else { return Ok(None) };
        self.embedded_range(range)
    }

    /// Returns the offset of the record of a game among the records of the segment, in bytes.
    ///
    /// # Errors
    /// Fails if the section is damaged or there is no game of this number.
    pub(crate) fn text_start(&self, game: usize) -> Result<u64> {
        let range = self.end_offsets(Section::TextEnds)?.get(game);
        range.map(|range| range.start).ok_or_else(|| self.damaged(Section::TextEnds, "a game is missing"))
    }

    /// Returns the length of all records together, in bytes.
    pub(crate) fn text_len(&self) -> Result<u64> {
        Ok(self.end_offsets(Section::TextEnds)?.total())
    }

    /// Returns bytes `range` of the concatenated embedded records; `None` if none are embedded.
    pub(crate) fn embedded_range(&self, range: Range<u64>) -> Result<Option<Vec<u8>>> {
        if !self.has(Section::Text) {
            return Ok(None);
        }
        // Not verified here: the caller compares the checksum of the records.
        let frames = self.frames()?;
        let blocks = self.section(Section::TextBlocks)?;
        text_blocks::read_text(&frames, blocks, range.start, range.end)
            .map(Some)
            .ok_or_else(|| self.malformed(Section::Text))
    }

    /// Returns what reads the compressed embedded records.
    pub(crate) fn frames<'s>(&'s self) -> Result<impl Fn(Range<u64>) -> Option<&'s [u8]>> {
        let (bytes, part) = self.unchecked_section(Section::Text)?;
        Ok(move |range: Range<u64>| match part {
            Some(part) => part.get(range),
            None => bytes.get(usize::try_from(range.start).ok()?..usize::try_from(range.end).ok()?),
        })
    }

    /// Returns the games whose records share a checksum with this one, and that checksum. Costs O(log games).
    pub(crate) fn text_checksum_block(&self, game: usize) -> Result<(Range<usize>, u64)> {
        if self.version() == 1 {
            let sum = u64_at(self.section(Section::TextSums)?, game / BLOCK);
            let sum = sum.ok_or_else(|| self.malformed(Section::TextSums))?;
            let start = game / BLOCK * BLOCK;
            return Ok((start..(start + BLOCK).min(self.len()), sum));
        }
        let blocks = self.text_checksum_blocks()?;
        let (mut low, mut high) = (0, blocks.ends.len());
        while low < high {
            let middle = usize::midpoint(low, high);
            let end = blocks.ends.end(middle).unwrap_or(u64::MAX);
            if end <= game as u64 { low = middle + 1 } else { high = middle }
        }
        blocks.get(low).ok_or_else(|| self.malformed(Section::TextSumEnds))
    }

    /// Returns the checksum blocks of the records. Not for version 1, which has blocks of 32 games and another
    /// formula.
    pub(crate) fn text_checksum_blocks(&self) -> Result<TextChecksumBlocks<'_>> {
        let malformed = || self.malformed(Section::TextSumEnds);
        let ends =
            EndOffsets::with_stored_count(self.section(Section::TextSumEnds)?).ok_or_else(malformed)?;
        let sums = self.section(Section::TextSums)?;
        let is_valid = ends.total() == self.len() as u64 && sums.len() == ends.len() * 8;
        if is_valid { Ok(TextChecksumBlocks { ends, sums }) } else { Err(malformed()) }
    }

    /// Returns the combined checksum of records, by the formula of the version of this segment.
    pub(crate) fn texts_checksum<'t>(&self, texts: impl IntoIterator<Item = &'t [u8]>) -> u64 {
        self.combined_checksum(&texts.into_iter().map(xxh3).collect::<Vec<u64>>())
    }

    /// Returns the combined checksum of records from the checksum of each, by the formula of the version of this segment.
    pub(crate) fn combined_checksum(&self, sums: &[u64]) -> u64 {
        if self.version() == 1 {
            let sums: Vec<u8> = sums.iter().flat_map(|sum| sum.to_le_bytes()).collect();
            return xxh3(&sums);
        }
        sums.iter().copied().reduce(|before, sum| section::join(before, sum, 1)).unwrap_or(0)
    }

    /// Returns the version of the format in which the segment was written.
    pub fn version(&self) -> u32 {
        self.table.version
    }

    /// Returns the start position of a game kind.
    pub fn start(&self, kind: &GameKind) -> Position {
        Position::start(kind.game())
    }

    /// Returns the file, if it is mapped: reading it in chunks is faster than mapping its pages then.
    pub(crate) fn mapped_file(&self) -> Option<&File> {
        self.file.as_ref().filter(|_| self.bytes.whole().is_some_and(Bytes::is_mapped))
    }

    /// Returns `true` if there are only zeros between the sections. Costs O(sections).
    pub(crate) fn is_gapless(&self) -> bool {
        self.bytes.whole().is_some_and(|bytes| self.table.is_gapless(bytes))
    }

    /// Verifies the checksum of a section by its number in the table of the file. Returns the name of the section and
    /// its problem, if it has one.
    ///
    /// Reads a mapped file through `buffer`, in chunks that fit in the cache of a core: that is faster than mapping its
    /// pages, and a file that has been shortened is an error instead of a signal.
    ///
    /// # Errors
    /// Fails if the file cannot be read.
    // Twin: section; test: `verify_detects_every_flipped_bit`.
    pub(crate) fn check_section(
        &self,
        entry: usize,
        buffer: &mut Vec<u8>,
    ) -> Result<Option<(&'static str, &'static str)>> {
        /// Bytes that are read at a time.
        const CHUNK: u64 = 256 << 10;
        let (Some(entry), Some(state)) = (self.table.entries.get(entry), self.states.get(entry)) else {
            return Ok(None);
        };
        let Some(&section) = Section::ALL.iter().find(|&&section| section as u32 == entry.section) else {
            return Ok(Some(("table", "it lists an unknown section")));
        };
        let checksum = |buffer: &mut Vec<u8>, file: &File| -> std::io::Result<Option<u64>> {
            let mut checksum = Checksum::default();
            buffer.resize(buffer.len().max(CHUNK.min(entry.len) as usize), 0);
            for start in (0..entry.len).step_by(CHUNK as usize) {
                let chunk = &mut buffer[..CHUNK.min(entry.len - start) as usize];
                if !read_at(file, entry.offset + start, chunk)? {
                    return Ok(None);
                }
                checksum.update(chunk);
            }
            Ok(Some(checksum.digest()))
        };
        let found = self.mapped_file().map_or(Ok(None), |file| checksum(buffer, file));
        let is_sound = match found {
            Ok(Some(found)) => found == entry.checksum,
            Ok(None) => self.section(section).is_ok(),
            Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
                return Ok(Some((section.name(), "the file is truncated")));
            }
            Err(error) => return Err(Error::from(error).at(&self.path)),
        };
        state.store(if is_sound { 1 } else { 2 }, Ordering::Relaxed);
        Ok((!is_sound).then_some((section.name(), "its checksum does not match")))
    }

    /// Verifies all sections and the gaps between them. Returns the name of each faulty section and its problem.
    pub(crate) fn check_sections(&self) -> Vec<(&'static str, &'static str)> {
        let mut problems = Vec::new();
        if !self.is_gapless() {
            problems.push(("table", "the bytes between two sections are not zero"));
        }
        for entry in &self.table.entries {
            let Some(&section) = Section::ALL.iter().find(|&&section| section as u32 == entry.section) else {
                problems.push(("table", "it lists an unknown section"));
                continue;
            };
            if self.section(section).is_err() {
                problems.push((section.name(), "its checksum does not match"));
            }
        }
        problems
    }
}

/// A run of games that follow each other in one input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct InputRunEntry {
    /// Number of the first game in the segment.
    pub(crate) first: u32,
    /// Number of the input.
    pub(crate) input: u32,
    /// Offset of the first record in the input.
    pub(crate) offset: u64,
    /// Offset of the first record among the records of the segment.
    pub(crate) text: u64,
}

/// The checksum blocks of the records of a segment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextChecksumBlocks<'a> {
    ends: EndOffsets<'a>,
    sums: &'a [u8],
}

impl TextChecksumBlocks<'_> {
    /// Returns `true` if every block has at least one game and at most [`BLOCK`]. Costs O(blocks).
    pub(crate) fn is_complete(&self) -> bool {
        (0..self.ends.len()).all(|block| self.get(block).is_some())
    }

    /// Returns the games of a block, at most [`BLOCK`], and the checksum of their records.
    pub(crate) fn get(&self, block: usize) -> Option<(Range<usize>, u64)> {
        let games = self.ends.get(block)?;
        let games = games.start as usize..games.end as usize;
        (1..=BLOCK).contains(&games.len()).then_some(())?;
        Some((games, u64_at(self.sums, block)?))
    }
}

/// The state of a dictionary of an open segment.
#[derive(Debug, Default)]
pub(super) struct DictionaryState {
    /// Whether the texts are UTF-8, once they were looked at.
    is_utf8: OnceLock<bool>,
    /// `true` after the first search by words.
    was_searched: AtomicBool,
    /// The outlines of the texts, 8 bytes each.
    outlines: OnceLock<Box<[NameOutline]>>,
}

impl DictionaryState {
    /// Returns `true` if `text`, which must be the text of the dictionary, is UTF-8. Reads it at the first call only.
    pub(super) fn is_utf8(&self, text: &[u8]) -> bool {
        *self.is_utf8.get_or_init(|| {
            steps::add(1 + text.len() / 16);
            std::str::from_utf8(text).is_ok()
        })
    }

    /// Returns, for every text of the dictionary by its number, whether `pattern` matches it.
    ///
    /// The second search by words makes the outlines of all texts, and later searches read only texts whose outline may match. The
    /// first search reads the texts themselves, because many programs search once and making the outlines takes longer.
    // Twin: all texts read; test: later_searches_find_the_same_names.
    pub(super) fn matching(&self, dictionary: &Dictionary<'_>, pattern: &NamePattern) -> Vec<bool> {
        let may_repeat = pattern.match_kind() == NameMatch::Words;
        if !may_repeat || !self.was_searched.swap(true, Ordering::Relaxed) {
            return dictionary.matching(pattern, None);
        }
        let outlines = self.outlines.get_or_init(|| dictionary.outlines());
        dictionary.matching(pattern, Some(outlines))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::dictionary::DictionarySections;
    use crate::format::interner::Interner;

    #[test]
    fn later_searches_find_the_same_names() {
        let mut interner = Interner::default();
        for surname in
            ["Шварцман", "Schwarzman", "Sjvartsman", "Sijbrands", "van der Wal", "O'Grady", "Łukasz", "?", ""]
        {
            for first in ["", ", A.", ", AB", ", Alexander", " 2nd", " Ю."] {
                interner.intern(&format!("{surname}{first}"));
            }
        }
        let (DictionarySections { text, ends, folded }, _) = interner.write();
        let dictionary = Dictionary::new(&text, &ends, &folded).expect("as written");
        let state = DictionaryState::default();
        for text in [
            "schwarzman",
            "a. шварцман",
            "wal, a",
            "o grady",
            "lukasz",
            "~sijbrand",
            "sij*",
            "yu. grady",
            "a. b.",
            "2nd",
        ] {
            let pattern = NamePattern::parse(text);
            for search in 0..3 {
                let expected = dictionary.matching(&pattern, None);
                assert!(expected.contains(&true), "{text}");
                assert_eq!(state.matching(&dictionary, &pattern), expected, "{text}, search {search}");
            }
        }
        assert_eq!(state.outlines.get().map(|outlines| outlines.len()), Some(dictionary.len()));
    }
}
