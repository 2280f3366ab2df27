//! Writes a segment: packed moves as they arrive, everything else at the end.
//!
//! Memory: about 50 bytes per game, and the distinct texts. The moves are written at once.

use std::io;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use super::annotations::AnnotationColumns;
use super::section_file::{EncodedSection, PendingSection, SectionFile, TextChecksums, renumbered_column};
use super::{SegmentInfo, SegmentLimits};
use crate::format::columns::{DictionaryKind, NumberColumn, Section, TextColumn};
use crate::format::end_offsets::BLOCK;
use crate::format::interner::Interner;
use crate::format::narrow_column::NarrowColumn;
use crate::format::section::xxh3;
use crate::format::text_blocks::TextWriter;
use crate::format::wire::Writer;
use crate::row::game_row::GameKind;
use crate::row::row_batch::{AnnotationBuffer, RowBatch, RowNumbers};
use crate::row::summary_bits::SummaryBits;
use pdn::internal::pool;
use pdn::internal::storage::{Storage, TemporaryFile};

/// A segment that is being written.
pub(crate) struct SegmentWriter {
    file: SectionFile,
    text: Option<TextWriter>,
    interners: [Interner; DictionaryKind::COUNT],
    kinds: Vec<GameKind>,
    columns: RowNumbers<NarrowColumn>,
    annotations: AnnotationColumns,
    moves_block: Vec<u8>,
    move_sums: Vec<u8>,
    text_sums: TextChecksums,
    runs: Vec<InputRun>,
    text_end: u64,
}

/// A run of games that follow each other in one input.
#[derive(Clone, Copy, Debug)]
struct InputRun {
    /// Number of the first game in the segment.
    first: u32,
    input: u32,
    /// Offset of the first record in the input.
    offset: u64,
    /// Offset of the first record among the records of the segment.
    text: u64,
    /// End of the last record in the input.
    end: u64,
}

/// Maps the text and kind numbers of a batch, or of another segment, to those of a segment. Entries are filled at their first use.
#[derive(Debug, Default)]
pub(crate) struct IdMap {
    pub(crate) texts: [Vec<u32>; DictionaryKind::COUNT],
    pub(crate) kinds: Vec<u32>,
}

/// A number that has not been translated yet.
const UNTRANSLATED: u32 = u32::MAX;

impl IdMap {
    /// Prepares the map for another batch.
    pub(crate) fn reset(&mut self, rows: &RowBatch) {
        for (numbers, batch) in self.texts.iter_mut().zip(&rows.interners) {
            numbers.clear();
            numbers.resize(batch.len(), UNTRANSLATED);
        }
        self.kinds.clear();
        self.kinds.resize(rows.kinds.len(), UNTRANSLATED);
    }
}

/// The games of a batch that have not been appended yet, and where the first of their records lies.
#[derive(Debug)]
pub(crate) struct RemainingGames<'a> {
    rows: &'a RowBatch,
    /// Number of the first of them in the batch.
    first: usize,
    moves: &'a [u8],
    variations: &'a [u8],
    notes: &'a [u8],
    /// Number of the input.
    input: u32,
    /// Offset of the first record in the input.
    pub(crate) offset: u64,
    /// The records in order. Used only if they are embedded.
    text: &'a [u8],
}

impl<'a> RemainingGames<'a> {
    /// Returns all games of a batch, whose first record is at byte `offset` of the input. `text` are their records; it is
    /// used only if they are embedded.
    pub(crate) fn all(rows: &'a RowBatch, input: u32, offset: u64, text: &'a [u8]) -> Self {
        let AnnotationBuffer { variations, notes, .. } = &rows.annotations;
        Self { rows, first: 0, moves: &rows.moves, variations, notes, input, offset, text }
    }

    /// Returns `true` if there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.first == self.rows.len()
    }
}

impl SegmentWriter {
    /// Creates the file `path` and starts its moves. With `embed` the segment will contain the records, too.
    pub(crate) fn create(storage: &Arc<dyn Storage>, path: &Path, embed: bool) -> io::Result<Self> {
        let file = SectionFile::create(storage, path.to_owned())?;
        let text = embed.then(|| TextWriter::create(storage, path.with_extension("text.tmp")));
        let mut writer = Self {
            file,
            text: text.transpose()?,
            interners: Default::default(),
            kinds: Vec::new(),
            columns: RowNumbers::default(),
            annotations: AnnotationColumns::default(),
            moves_block: Vec::new(),
            move_sums: Vec::new(),
            text_sums: TextChecksums::default(),
            runs: Vec::new(),
            text_end: 0,
        };
        writer.file.begin(Section::Moves)?;
        Ok(writer)
    }

    pub(crate) fn path(&self) -> &Path {
        self.file.path()
    }

    /// Looks up all texts of a batch that this segment has.
    pub(crate) fn look_up(&self, rows: &RowBatch, translation: &mut IdMap) {
        let batches = rows.interners.iter().zip(&mut translation.texts);
        for (own, (batch, numbers)) in self.interners.iter().zip(batches) {
            own.find_all(batch, numbers);
        }
    }

    /// Returns the number of games so far.
    pub(crate) fn games(&self) -> usize {
        self.columns.text_len.len()
    }

    /// Returns the memory of the dictionaries in bytes. It does not depend on how games are cut into batches.
    fn dictionary_memory(&self) -> usize {
        self.dictionaries().map(|kind| self.interners[kind as usize].memory()).sum()
    }

    /// Returns the dictionaries that the segment has: an optional one only if some text is not empty.
    fn dictionaries(&self) -> impl Iterator<Item = DictionaryKind> + Clone + '_ {
        let has_text = |kind: DictionaryKind| self.interners[kind as usize].text_len() > 0;
        DictionaryKind::ALL.into_iter().filter(move |&kind| !kind.is_optional() || has_text(kind))
    }

    /// Appends games until there are none or the segment is full, and returns how many were appended.
    pub(crate) fn push(
        &mut self,
        games: &mut RemainingGames<'_>,
        limits: SegmentLimits,
        ids: &mut IdMap,
    ) -> io::Result<usize> {
        let count = self.translate(games, limits, ids);
        let (rows, first) = (games.rows, games.first);
        let checksums = rows.checksums[first..first + count].iter().map(|&checksum| (checksum, 1));
        let text = games.text;
        self.append(games, count, ids, checksums)?;
        if let Some(writer) = &mut self.text {
            writer.write(&text[..text.len() - games.text.len()])?;
        }
        Ok(count)
    }

    /// Numbers the texts and kinds of the remaining games in this segment, until the segment is full. Returns the number of games that it
    /// has room for.
    // Twin of the branch for a whole batch: the loop, game by game; test: `segments_do_not_depend_on_batches`.
    fn translate(&mut self, games: &RemainingGames<'_>, limits: SegmentLimits, ids: &mut IdMap) -> usize {
        let RemainingGames { rows, first, .. } = *games;
        let free = (limits.games as usize).saturating_sub(self.games()).min(rows.len() - first);
        let mut annotations = self.annotations.memory();
        let memory = self.dictionary_memory() + annotations;
        if free == rows.len() && memory + rows.name_memory() <= limits.name_memory {
            // All games fit. Numbers of a batch are in the order of their first use.
            for ((own, batch), ids) in self.interners.iter_mut().zip(&rows.interners).zip(&mut ids.texts) {
                let new = (0..).zip(ids).filter(|(_, id)| **id == UNTRANSLATED);
                new.for_each(|(number, id)| *id = own.intern_from(batch, number));
            }
            for (id, &kind) in ids.kinds.iter_mut().zip(&rows.kinds) {
                *id = self.kind(kind);
            }
            return free;
        }
        let mut count = 0;
        while count < free && self.dictionary_memory() + annotations <= limits.name_memory {
            let game = first + count;
            for column in TextColumn::ALL {
                let number = rows.number(game, |row| &row.texts[column as usize]);
                let dictionary = column.dictionary() as usize;
                let id = &mut ids.texts[dictionary][number as usize];
                if *id == UNTRANSLATED {
                    *id = self.interners[dictionary].intern_from(&rows.interners[dictionary], number);
                }
            }
            let kind = rows.number(game, |row| &row.numbers[NumberColumn::Kind as usize]) as usize;
            ids.kinds[kind] = self.kind(rows.kinds[kind]);
            annotations += rows.number(game, |row| &row.variations_len) as usize;
            annotations += rows.number(game, |row| &row.notes_len) as usize;
            count += 1;
        }
        count
    }

    /// Returns the number of a text in this segment, a new one if it has none.
    pub(crate) fn intern(&mut self, dictionary: DictionaryKind, text: &str) -> u32 {
        self.interners[dictionary as usize].intern(text)
    }

    /// Returns the number of a kind in this segment, a new one if it has none.
    pub(crate) fn kind(&mut self, kind: GameKind) -> u32 {
        let number = self.kinds.iter().position(|other| *other == kind);
        number.unwrap_or_else(|| {
            self.kinds.push(kind);
            self.kinds.len() - 1
        }) as u32
    }

    /// Appends embedded records. The games themselves are appended separately, before or after.
    pub(crate) fn embed(&mut self, text: &[u8]) -> io::Result<()> {
        self.text.as_mut().map_or(Ok(()), |writer| writer.write(text))
    }

    /// Appends the first `count` of the remaining games, whose texts and kinds have numbers of this segment. `checksums` are
    /// the combined checksums of the blocks of records that start at these games, and the number of records of each.
    pub(crate) fn append(
        &mut self,
        games: &mut RemainingGames<'_>,
        count: usize,
        ids: &IdMap,
        checksums: impl IntoIterator<Item = (u64, u32)>,
    ) -> io::Result<()> {
        let (rows, range) = (games.rows, games.first..games.first + count);
        if range.is_empty() {
            return Ok(());
        }
        games.first = range.end;
        let before = self.games();
        let mut values = Vec::with_capacity(count);

        rows.column(range.clone(), |row| &row.text_len, &mut values);
        let text_len = values.iter().map(|&len| u64::from(len)).sum();
        self.columns.text_len.extend(&values);
        let mut new = self.extend_run(before, text_len, games.input, games.offset);
        for (checksum, games) in checksums {
            self.text_sums.add(checksum, games, std::mem::take(&mut new));
        }
        games.offset += text_len;
        games.text = games.text.get(text_len as usize..).unwrap_or_default();

        rows.column(range.clone(), |row| &row.moves_len, &mut values);
        let moves_len = values.iter().map(|&len| len as usize).sum();
        let (moves, later) = games.moves.split_at(moves_len);
        games.moves = later;
        self.file.write(moves)?;
        self.checksum_moves(before, &values, moves);
        self.columns.moves_len.extend(&values);

        for column in TextColumn::ALL {
            rows.column(range.clone(), |row| &row.texts[column as usize], &mut values);
            let ids = &ids.texts[column.dictionary() as usize];
            values.iter_mut().for_each(|number| *number = ids[*number as usize]);
            self.columns.texts[column as usize].extend(&values);
        }
        for column in NumberColumn::ALL {
            rows.column(range.clone(), |row| &row.numbers[column as usize], &mut values);
            if column == NumberColumn::Kind {
                values.iter_mut().for_each(|kind| *kind = ids.kinds[*kind as usize]);
            }
            self.columns.numbers[column as usize].extend(&values);
        }
        self.annotations.extend(rows, range, (&mut games.variations, &mut games.notes));
        Ok(())
    }

    /// Extends the current run by records of `text_len` bytes, or starts a run at game `first`. Returns `true` if it
    /// started one.
    fn extend_run(&mut self, first: usize, text_len: u64, input: u32, offset: u64) -> bool {
        let end = offset + text_len;
        let text = self.text_end;
        self.text_end += text_len;
        match self.runs.last_mut() {
            Some(run) if run.input == input && run.end == offset => {
                run.end = end;
                false
            }
            _ => {
                self.runs.push(InputRun { first: first as u32, input, offset, text, end });
                true
            }
        }
    }

    /// Computes the checksums of blocks of moves. `before` is the number of games before these, whose moves have the lengths `lens`.
    fn checksum_moves(&mut self, before: usize, mut lens: &[u32], mut moves: &[u8]) {
        let mut missing = BLOCK - before % BLOCK;
        while lens.len() >= missing {
            let (block, later) = lens.split_at(missing);
            let len = block.iter().map(|&len| len as usize).sum();
            let (of_block, rest) = moves.split_at(len);
            if self.moves_block.is_empty() {
                self.move_sums.extend((xxh3(of_block) as u32).to_le_bytes());
            } else {
                self.moves_block.extend(of_block);
                self.end_move_block();
            }
            (lens, moves, missing) = (later, rest, BLOCK);
        }
        self.moves_block.extend(moves);
    }

    /// Appends the checksum of the current block of moves.
    fn end_move_block(&mut self) {
        self.move_sums.extend((xxh3(&self.moves_block) as u32).to_le_bytes());
        self.moves_block.clear();
    }

    /// Encodes and writes all remaining sections, on `threads` threads, and syncs the file, which has to get its name.
    pub(crate) fn finish(mut self, threads: NonZeroUsize) -> io::Result<(SegmentInfo, TemporaryFile)> {
        if !self.games().is_multiple_of(BLOCK) {
            self.end_move_block();
        }
        self.file.end();
        let info = self.info();
        let text = self.text.take();
        let texts = std::mem::take(&mut self.columns.texts);
        let (mut file, pending) = self.into_pending();
        let encoded = EncodedSegment::encode(pending, threads);
        let renumbered = encoded.renumber(texts, threads);
        encoded.write(&renumbered, &mut file)?;
        if let Some(text) = text {
            file.begin(Section::Text)?;
            let blocks = text.finish(|piece| file.write(piece))?;
            file.end();
            file.section(Section::TextBlocks, &blocks)?;
        }
        let (file, len, checksum) = file.finish(info.games)?;
        Ok((SegmentInfo { len, checksum, ..info }, file))
    }

    /// Returns the numbers of the segment but those of the finished file, which are 0.
    fn info(&self) -> SegmentInfo {
        let mut values = Vec::new();
        self.columns.numbers[NumberColumn::Plies as usize].read(&mut values);
        let plies = values.iter().copied().map(u64::from).sum();
        self.columns.numbers[NumberColumn::Summary as usize].read(&mut values);
        let mut statuses = [0; 8];
        for &bits in &values {
            statuses[SummaryBits::from_column(bits.into()).status_number()] += 1;
        }
        SegmentInfo {
            len: 0,
            checksum: 0,
            games: self.games() as u32,
            plies,
            text_len: self.text_end,
            statuses,
        }
    }

    /// Returns the file, and all that is to be encoded but the columns of texts, in parts. A part is a task for one thread.
    fn into_pending(self) -> (SectionFile, [Vec<PendingSection>; PARTS]) {
        let is_present = DictionaryKind::ALL.map(|kind| self.dictionaries().any(|other| other == kind));
        let RowNumbers { moves_len, text_len, numbers, .. } = self.columns;
        let mut tables = vec![
            PendingSection::Ends(Section::MoveEnds, moves_len),
            PendingSection::Bytes(Section::MoveSums, self.move_sums),
            PendingSection::Ends(Section::TextEnds, text_len),
        ];
        tables.extend(self.text_sums.sections());
        tables.push(PendingSection::Bytes(Section::Runs, run_table(&self.runs)));
        tables.push(PendingSection::Bytes(Section::Kinds, kind_table(&self.kinds)));
        tables.extend(self.annotations.sections());
        let columns = NumberColumn::ALL.into_iter().zip(numbers);
        let (facts, columns) = columns.partition::<Vec<_>, _>(|(column, _)| column.is_fact());
        let [facts, columns] = [facts, columns].map(|columns| {
            let pending = columns.into_iter().map(|(column, numbers)| {
                PendingSection::Column(column.section(), numbers, column.tries_table())
            });
            pending.collect()
        });
        let dictionaries = DictionaryKind::ALL.into_iter().zip(self.interners);
        let mut dictionaries = dictionaries
            .filter(|&(kind, _)| is_present[kind as usize])
            .map(|(kind, interner)| PendingSection::Dictionary(kind, interner));
        let players = dictionaries.by_ref().take(1).collect();
        (self.file, [tables, columns, facts, players, dictionaries.collect()])
    }
}

/// The parts in which sections are encoded, in the order of the file: tables, columns of numbers, facts, players, other dictionaries.
const PARTS: usize = 5;
/// The parts in the order in which they are begun: those that take longest first, the players longest of all. With two
/// threads, the last one begins when the first one is finished.
const LONGEST_FIRST: [usize; PARTS] = [3, 1, 2, 4, 0];

/// The encoded sections of a segment, without the columns of texts.
#[derive(Default)]
struct EncodedSegment([Vec<EncodedSection>; PARTS]);

impl EncodedSegment {
    /// Encodes sections, a part at a time on each thread.
    fn encode(mut parts: [Vec<PendingSection>; PARTS], threads: NonZeroUsize) -> Self {
        let mut encoded = Self::default();
        pool::ordered(
            LONGEST_FIRST.map(|number| (number, std::mem::take(&mut parts[number]))),
            threads,
            Vec::new,
            |values, (number, part)| {
                (number, part.into_iter().map(|section| section.encode(values)).collect())
            },
            |(number, part): (usize, _)| {
                encoded.0[number] = part;
                ControlFlow::Continue(())
            },
        );
        encoded
    }

    /// Encodes the columns of texts that have a dictionary, with the final numbers of the texts.
    fn renumber(
        &self,
        texts: [NarrowColumn; TextColumn::COUNT],
        threads: NonZeroUsize,
    ) -> Vec<EncodedSection> {
        let final_numbers = |column: TextColumn| {
            self.0.iter().flatten().find_map(|section| match section {
                EncodedSection::Dictionary(kind, _, numbers) if *kind == column.dictionary() => Some(numbers),
                _ => None,
            })
        };
        let texts = TextColumn::ALL.into_iter().zip(texts);
        let mut renumbered = Vec::new();
        pool::ordered(
            texts.filter_map(|(column, numbers)| Some((column, numbers, final_numbers(column)?))),
            threads,
            Vec::new,
            |values, (column, of_texts, numbers)| {
                EncodedSection::Section(column.section(), renumbered_column(&of_texts, numbers, values))
            },
            |column| {
                renumbered.push(column);
                ControlFlow::Continue(())
            },
        );
        renumbered
    }

    /// Writes the sections, with the columns of texts after the tables.
    fn write(&self, renumbered: &[EncodedSection], file: &mut SectionFile) -> io::Result<()> {
        let [tables, others @ ..] = &self.0;
        for section in tables.iter().chain(renumbered).chain(others.iter().flatten()) {
            match section {
                EncodedSection::Section(section, bytes) => file.section(*section, bytes)?,
                EncodedSection::Dictionary(kind, dictionary, _) => {
                    let [text, ends, forms] = kind.sections();
                    file.section(text, &dictionary.text)?;
                    file.section(ends, &dictionary.ends)?;
                    file.section(forms, &dictionary.folded)?;
                }
            }
        }
        Ok(())
    }
}

/// Encodes the section `runs`.
fn run_table(runs: &[InputRun]) -> Vec<u8> {
    let mut table = Writer::default();
    for run in runs {
        table.u32(run.first);
        table.u32(run.input);
        table.u64(run.offset);
        table.u64(run.text);
    }
    table.0
}

/// Encodes the section `kinds`.
fn kind_table(kinds: &[GameKind]) -> Vec<u8> {
    let mut table = Writer::default();
    table.u32(kinds.len() as u32);
    kinds.iter().for_each(|kind| kind.write(&mut table));
    table.0
}

#[cfg(test)]
mod tests;
