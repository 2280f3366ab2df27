//! Writes a segment: packed moves as they arrive, everything else at the end.
//!
//! Memory: about 60 bytes per game, and the distinct texts. The moves are written at once.

use std::io;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use super::annotations::{AnnotationColumns, PushedAnnotations};
use super::section_file::{EncodedSection, PendingSection, SectionFile, TextChecksums, renumbered_column};
use super::{SegmentInfo, SegmentLimits};
use crate::format::columns::{DictionaryKind, NumberColumn, Section, TextColumn};
use crate::format::dictionary::DictionarySections;
use crate::format::end_offsets::BLOCK;
use crate::format::interner::Interner;
use crate::format::section::xxh3;
use crate::format::text_blocks::TextWriter;
use crate::format::wire::Writer;
use crate::row::game_row::GameKind;
use crate::row::row_batch::{FixedRow, GameAnnotations, RowBatch};
use crate::row::summary_bits::SummaryBits;
use pdn::internal::pool;
use pdn::internal::storage::{Storage, TemporaryFile};

/// A segment that is being written.
pub(crate) struct SegmentWriter {
    file: SectionFile,
    text: Option<TextWriter>,
    interners: [Interner; DictionaryKind::COUNT],
    kinds: Vec<GameKind>,
    columns: Columns,
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

/// Values of all games, one vector per column. Lengths are in bytes.
#[derive(Default)]
struct Columns {
    move_len: Vec<u32>,
    text_len: Vec<u32>,
    texts: [Vec<u32>; TextColumn::COUNT],
    numbers: [Vec<u32>; NumberColumn::COUNT],
}

impl Columns {
    /// Appends all values except the numbers of texts and kinds, which the caller translates.
    fn extend(&mut self, games: &[FixedRow]) {
        self.move_len.extend(games.iter().map(|game| game.moves_len));
        self.text_len.extend(games.iter().map(|game| game.text_len));
        for column in NumberColumn::ALL.into_iter().filter(|&column| column != NumberColumn::Kind) {
            let numbers = &mut self.numbers[column as usize];
            numbers.extend(games.iter().map(|game| game.numbers[column as usize]));
        }
    }

    /// Appends the number of a kind.
    fn push_kind(&mut self, kind: u32) {
        self.numbers[NumberColumn::Kind as usize].push(kind);
    }
}

/// Returns the index of `one` in `list`, after appending it if it is not there.
fn index_or_push<T: PartialEq>(list: &mut Vec<T>, one: T) -> u32 {
    let index = list.iter().position(|other| *other == one);
    index.unwrap_or_else(|| {
        list.push(one);
        list.len() - 1
    }) as u32
}

/// Maps the text and kind numbers of a batch to those of the segment. Entries are filled at their first use.
#[derive(Default)]
pub(crate) struct IdMap {
    texts: [Vec<u32>; DictionaryKind::COUNT],
    kinds: Vec<u32>,
}

/// A number that has not been translated yet.
const UNTRANSLATED: u32 = u32::MAX;

/// The moves and records of games, and where the first record lies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PushedBatch<'a> {
    /// Packed moves of all games, in order.
    pub(crate) moves: &'a [u8],
    /// Variations and notes of all games, in order.
    pub(crate) annotations: PushedAnnotations<'a>,
    /// Number of the input.
    pub(crate) input: u32,
    /// Offset of the first record in the input.
    pub(crate) offset: u64,
    /// The records of all games in order. Used only if they are embedded.
    pub(crate) text: &'a [u8],
}

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
            columns: Columns::default(),
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
        self.columns.move_len.len()
    }

    /// Returns the memory of the dictionaries, variations and notes in bytes. It does not depend on how games are cut into batches.
    pub(crate) fn name_memory(&self) -> usize {
        let dictionaries = self.dictionaries().map(|kind| self.interners[kind as usize].memory());
        dictionaries.sum::<usize>() + self.annotations.memory()
    }

    /// Returns the dictionaries that the segment has: an optional one only if some text is not empty.
    fn dictionaries(&self) -> impl Iterator<Item = DictionaryKind> + Clone + '_ {
        let has_text = |kind: DictionaryKind| self.interners[kind as usize].text_len() > 0;
        DictionaryKind::ALL.into_iter().filter(move |&kind| !kind.is_optional() || has_text(kind))
    }

    /// Appends the games of `rows` from number `first` on until the segment is full, and returns how many were
    /// appended. `batch` holds the moves and records of all games from `first` on.
    pub(crate) fn push(
        &mut self,
        rows: &RowBatch,
        first: usize,
        limits: SegmentLimits,
        translation: &mut IdMap,
        batch: &PushedBatch<'_>,
    ) -> io::Result<usize> {
        let before = self.games();
        let mut free = (limits.games as usize).saturating_sub(before);
        if self.name_memory() > limits.name_memory {
            free = 0;
        }
        let mut count = 0;
        let mut annotations = batch.annotations;
        for game in rows.games[first..].iter().take(free) {
            let mut new = false;
            for column in TextColumn::ALL {
                let (dictionary, number) = (column.dictionary() as usize, game.texts[column as usize]);
                let translated = &mut translation.texts[dictionary][number as usize];
                if *translated == UNTRANSLATED {
                    *translated = self.interners[dictionary].intern(rows.interners[dictionary].get(number));
                    new = true;
                }
                self.columns.texts[column as usize].push(*translated);
            }
            let kind = game.numbers[NumberColumn::Kind as usize] as usize;
            let translated = &mut translation.kinds[kind];
            if *translated == UNTRANSLATED {
                *translated = index_or_push(&mut self.kinds, rows.kinds[kind]);
            }
            self.columns.push_kind(*translated);
            self.annotations.push(game.annotations, &mut annotations);
            new |= game.annotations != GameAnnotations::default();
            count += 1;
            if new && self.name_memory() > limits.name_memory {
                break;
            }
        }
        let games = &rows.games[first..first + count];
        let text_len = games.iter().map(|game| u64::from(game.text_len)).sum();
        let moves_len: usize = games.iter().map(|game| game.moves_len as usize).sum();
        let mut new = count > 0 && self.extend_run(before, text_len, batch.input, batch.offset);
        for game in games {
            self.text_sums.add(game.text_checksum, 1, std::mem::take(&mut new));
        }
        if let Some(writer) = &mut self.text {
            writer.write(batch.text.get(..text_len as usize).unwrap_or(batch.text))?;
        }
        let moves = &batch.moves[..moves_len];
        self.file.write(moves)?;
        self.checksum_moves(before, games, moves);
        self.columns.extend(games);
        Ok(count)
    }

    /// Returns the number of a text in this segment, a new one if it has none.
    pub(crate) fn intern(&mut self, dictionary: DictionaryKind, text: &str) -> u32 {
        self.interners[dictionary as usize].intern(text)
    }

    /// Returns the number of a kind in this segment, a new one if it has none.
    pub(crate) fn kind(&mut self, kind: GameKind) -> u32 {
        index_or_push(&mut self.kinds, kind)
    }

    /// Appends embedded records. The games themselves are appended separately, before or after.
    pub(crate) fn embed(&mut self, text: &[u8]) -> io::Result<()> {
        self.text.as_mut().map_or(Ok(()), |writer| writer.write(text))
    }

    /// Appends a game whose text and kind numbers are those of this segment. `checksum` is the combined checksum of a
    /// block of records and their number, if a block starts at this game.
    pub(crate) fn push_row(
        &mut self,
        game: &FixedRow,
        checksum: Option<(u64, u32)>,
        batch: &PushedBatch<'_>,
    ) -> io::Result<()> {
        let before = self.games();
        let new = self.extend_run(before, u64::from(game.text_len), batch.input, batch.offset);
        if let Some((checksum, games)) = checksum {
            self.text_sums.add(checksum, games, new);
        }
        self.file.write(batch.moves)?;
        for (column, &number) in self.columns.texts.iter_mut().zip(&game.texts) {
            column.push(number);
        }
        self.columns.push_kind(game.numbers[NumberColumn::Kind as usize]);
        self.annotations.push(game.annotations, &mut batch.annotations.clone());
        let game = std::slice::from_ref(game);
        self.checksum_moves(before, game, batch.moves);
        self.columns.extend(game);
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

    /// Computes the checksums of blocks of moves. `before` is the number of games before `games`.
    fn checksum_moves(&mut self, before: usize, mut games: &[FixedRow], mut moves: &[u8]) {
        let mut missing = BLOCK - before % BLOCK;
        while games.len() >= missing {
            let (block, later) = games.split_at(missing);
            let len = block.iter().map(|game| game.moves_len as usize).sum();
            let (of_block, rest) = moves.split_at(len);
            if self.moves_block.is_empty() {
                self.move_sums.extend((xxh3(of_block) as u32).to_le_bytes());
            } else {
                self.moves_block.extend(of_block);
                self.end_move_block();
            }
            (games, moves, missing) = (later, rest, BLOCK);
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
        let numbers = |column: NumberColumn| self.columns.numbers[column as usize].iter().copied();
        let mut statuses = [0; 8];
        for bits in numbers(NumberColumn::Summary) {
            statuses[SummaryBits::from_column(bits.into()).status_number()] += 1;
        }
        SegmentInfo {
            len: 0,
            checksum: 0,
            games: self.games() as u32,
            plies: numbers(NumberColumn::Plies).map(u64::from).sum(),
            text_len: self.text_end,
            statuses,
        }
    }

    /// Returns the file, and all that is to be encoded but the columns of texts, as tasks of about the same time.
    fn into_pending(self) -> (SectionFile, [Vec<PendingSection>; 5]) {
        let is_present = DictionaryKind::ALL.map(|kind| self.dictionaries().any(|other| other == kind));
        let Columns { move_len, text_len, numbers, .. } = self.columns;
        let tables = vec![
            PendingSection::Ends(Section::MoveEnds, move_len),
            PendingSection::Bytes(Section::MoveSums, self.move_sums),
            PendingSection::Ends(Section::TextEnds, text_len),
            PendingSection::Bytes(Section::TextSums, self.text_sums.sums()),
            PendingSection::Ends(Section::TextSumEnds, self.text_sums.games),
            PendingSection::Bytes(Section::Runs, run_table(&self.runs)),
            PendingSection::Bytes(Section::Kinds, kind_table(&self.kinds)),
        ];
        let columns = NumberColumn::ALL.into_iter().zip(numbers);
        let columns = columns.map(|(column, values)| PendingSection::Column(column, values));
        let dictionaries = DictionaryKind::ALL.into_iter().zip(self.interners);
        let mut dictionaries = dictionaries
            .filter(|&(kind, _)| is_present[kind as usize])
            .map(|(kind, interner)| PendingSection::Dictionary(kind, interner));
        // The players come first: they take as long as all other sections together.
        let players = dictionaries.by_ref().take(1).collect();
        let tasks = [players, dictionaries.collect(), tables, columns.collect(), self.annotations.sections()];
        (self.file, tasks)
    }
}

/// The encoded sections of a segment, each kind in the order of the file.
#[derive(Default)]
struct EncodedSegment {
    tables: Vec<(Section, Vec<u8>)>,
    columns: Vec<(Section, Vec<u8>)>,
    /// Dictionaries, and the final number of each of their texts.
    dictionaries: Vec<(DictionaryKind, DictionarySections, Vec<u32>)>,
}

impl EncodedSegment {
    /// Encodes sections, a task at a time on each thread.
    fn encode(tasks: [Vec<PendingSection>; 5], threads: NonZeroUsize) -> Self {
        let mut encoded = Self::default();
        pool::ordered(
            tasks,
            threads,
            || (),
            |(), parts: Vec<PendingSection>| parts.into_iter().map(PendingSection::encode).collect(),
            |parts: Vec<EncodedSection>| {
                parts.into_iter().for_each(|part| encoded.add(part));
                ControlFlow::Continue(())
            },
        );
        encoded
    }

    fn add(&mut self, part: EncodedSection) {
        match part {
            EncodedSection::Dictionary(kind, sections, numbers) => {
                self.dictionaries.push((kind, sections, numbers));
            }
            EncodedSection::Table(section, bytes) => self.tables.push((section, bytes)),
            EncodedSection::Column(section, bytes) => self.columns.push((section, bytes)),
        }
    }

    /// Encodes the columns of texts that have a dictionary, with the final numbers of the texts.
    fn renumber(
        &self,
        texts: [Vec<u32>; TextColumn::COUNT],
        threads: NonZeroUsize,
    ) -> Vec<(Section, Vec<u8>)> {
        let final_numbers = |column: TextColumn| {
            let mut dictionaries = self.dictionaries.iter();
            dictionaries.find(|(kind, ..)| *kind == column.dictionary()).map(|(_, _, numbers)| numbers)
        };
        let texts = TextColumn::ALL.into_iter().zip(texts);
        let mut renumbered = Vec::new();
        pool::ordered(
            texts.filter_map(|(column, values)| Some((column, values, final_numbers(column)?))),
            threads,
            || (),
            |(), (column, values, numbers)| (column.section(), renumbered_column(values, numbers)),
            |column| {
                renumbered.push(column);
                ControlFlow::Continue(())
            },
        );
        renumbered
    }

    /// Writes the sections, with the columns of texts between the tables and the columns of numbers.
    fn write(&self, renumbered: &[(Section, Vec<u8>)], file: &mut SectionFile) -> io::Result<()> {
        for (section, bytes) in self.tables.iter().chain(renumbered).chain(&self.columns) {
            file.section(*section, bytes)?;
        }
        for (kind, dictionary, _) in &self.dictionaries {
            let [text, ends, forms] = kind.sections();
            file.section(text, &dictionary.text)?;
            file.section(ends, &dictionary.ends)?;
            file.section(forms, &dictionary.folded)?;
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
