//! Writes a segment: packed moves as they arrive, everything else at the end.
//!
//! Memory: about 60 bytes per game, and the distinct texts. The moves are written at once.

use std::io;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::SegmentInfo;
use super::limits::SegmentLimits;
use super::pending::{EncodedSection, PendingSection, renumbered_column};
use super::section_file::SectionFile;
use super::text_sums::TextChecksums;
use crate::index::format::checksum::xxh3;
use crate::index::format::end_offsets::BLOCK;
use crate::index::format::interner::Interner;
use crate::index::format::section::Section;
use crate::index::format::text_blocks::TextWriter;
use crate::index::format::wire::Writer;
use crate::index::row::game_row::GameKind;
use crate::index::row::row_batch::{DictionaryKind, FixedRow, RowBatch, TEXT_DICTIONARIES};
use crate::index::row::summary_bits::SummaryBits;
use crate::pool;
use crate::storage::Storage;

/// A segment that is being written.
pub(crate) struct SegmentWriter {
    path: PathBuf,
    file: SectionFile,
    text: Option<TextWriter>,
    names: [Interner; 5],
    kinds: Vec<GameKind>,
    columns: Columns,
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
    texts: [Vec<u32>; 6],
    date: Vec<u32>,
    ratings: [Vec<u32>; 2],
    summary: Vec<u32>,
    kind: Vec<u32>,
    plies: Vec<u32>,
    first: Vec<u32>,
    last: Vec<u32>,
}

impl Columns {
    /// Appends all values except the numbers of texts and kinds, which the caller translates.
    fn extend(&mut self, games: &[FixedRow]) {
        self.move_len.extend(games.iter().map(|game| game.moves_len));
        self.text_len.extend(games.iter().map(|game| game.text_len));
        self.date.extend(games.iter().map(|game| game.date));
        for (i, ratings) in self.ratings.iter_mut().enumerate() {
            ratings.extend(games.iter().map(|game| u32::from(game.ratings[i])));
        }
        self.summary.extend(games.iter().map(|game| u32::from(game.summary)));
        self.plies.extend(games.iter().map(|game| game.plies));
        self.first.extend(games.iter().map(|game| game.first));
        self.last.extend(games.iter().map(|game| game.last));
    }
}

/// Returns the index of `one` in `list`, after appending it if it is not there.
fn index_or_push<T: PartialEq>(list: &mut Vec<T>, one: T) -> u32 {
    let kind_value = list.iter().position(|other| *other == one);
    kind_value.unwrap_or_else(|| {
        list.push(one);
        list.len() - 1
    }) as u32
}

/// Maps the text and kind numbers of a batch to those of the segment. Entries are filled at their first use.
#[derive(Default)]
pub(crate) struct IdMap {
    names: [Vec<u32>; 5],
    kinds: Vec<u32>,
}

/// A number that has not been translated yet.
const UNTRANSLATED: u32 = u32::MAX;

/// The moves and records of games, and where the first record lies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PushedBatch<'a> {
    /// Packed moves of all games, in order.
    pub(crate) moves: &'a [u8],
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
        for (names, batch) in self.names.iter_mut().zip(&rows.interners) {
            names.clear();
            names.resize(batch.len(), UNTRANSLATED);
        }
        self.kinds.clear();
        self.kinds.resize(rows.kinds.len(), UNTRANSLATED);
    }
}

impl SegmentWriter {
    /// Creates the file `path` and starts its moves. With `embed` the segment will contain the records, too.
    pub(crate) fn create(storage: &Arc<dyn Storage>, path: &Path, embed: bool) -> io::Result<Self> {
        let file = SectionFile::create(&**storage, path)?;
        let text = embed.then(|| TextWriter::create(Arc::clone(storage), path.with_extension("text.tmp")));
        let mut writer = Self {
            path: path.to_owned(),
            file,
            text: text.transpose()?,
            names: Default::default(),
            kinds: Vec::new(),
            columns: Columns::default(),
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
        &self.path
    }

    /// Looks up all texts of a batch that this segment has.
    pub(crate) fn look_up(&self, rows: &RowBatch, translation: &mut IdMap) {
        for ((id, batch), numbers) in self.names.iter().zip(&rows.interners).zip(&mut translation.names) {
            id.find_all(batch, numbers);
        }
    }

    /// Returns the number of games so far.
    pub(crate) fn games(&self) -> usize {
        self.columns.move_len.len()
    }

    /// Returns the memory of the dictionaries in bytes. It does not depend on how games are cut into batches.
    pub(crate) fn name_memory(&self) -> usize {
        self.names.iter().map(Interner::memory).sum()
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
        for game in rows.games[first..].iter().take(free) {
            let mut new = false;
            for ((column, number), names) in
                self.columns.texts.iter_mut().zip(game.texts).zip(TEXT_DICTIONARIES)
            {
                let id = &mut translation.names[names as usize][number as usize];
                if *id == UNTRANSLATED {
                    *id = self.names[names as usize].intern(rows.interners[names as usize].get(number));
                    new = true;
                }
                column.push(*id);
            }
            let kind = &mut translation.kinds[usize::from(game.kind)];
            if *kind == UNTRANSLATED {
                let kind_value = rows.kinds[usize::from(game.kind)];
                *kind = index_or_push(&mut self.kinds, kind_value);
            }
            self.columns.kind.push(*kind);
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
    pub(crate) fn intern(&mut self, names: DictionaryKind, text: &str) -> u32 {
        self.names[names as usize].intern(text)
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
        let game = std::slice::from_ref(game);
        self.checksum_moves(before, game, batch.moves);
        for game in game {
            for (column, &number) in self.columns.texts.iter_mut().zip(&game.texts) {
                column.push(number);
            }
            self.columns.kind.push(u32::from(game.kind));
        }
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
            let (id, rest) = moves.split_at(len);
            if self.moves_block.is_empty() {
                self.move_sums.extend((xxh3(id) as u32).to_le_bytes());
            } else {
                self.moves_block.extend(id);
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

    /// Encodes and writes all remaining sections, on `threads` threads, and syncs the file.
    pub(crate) fn finish(mut self, threads: NonZeroUsize) -> io::Result<SegmentInfo> {
        if !self.games().is_multiple_of(BLOCK) {
            self.end_move_block();
        }
        let Self { mut file, text, names, kinds, columns, move_sums, text_sums, runs, .. } = self;
        file.end();
        let games = columns.move_len.len() as u32;
        let mut info = SegmentInfo {
            len: 0,
            checksum: 0,
            games,
            plies: columns.plies.iter().map(|&plies| u64::from(plies)).sum(),
            text_len: self.text_end,
            statuses: [0; 8],
        };
        columns
            .summary
            .iter()
            .for_each(|&bits| info.statuses[SummaryBits::from_column(bits.into()).status_number()] += 1);

        let Columns { move_len, text_len, texts, date, ratings, summary, kind, plies, first, last } = columns;
        let ends = vec![
            PendingSection::Ends(Section::MoveEnds, move_len),
            PendingSection::Bytes(Section::MoveSums, move_sums),
            PendingSection::Ends(Section::TextEnds, text_len),
            PendingSection::Bytes(Section::TextSums, text_sums.sums()),
            PendingSection::Ends(Section::TextSumEnds, text_sums.games),
            PendingSection::Bytes(Section::Runs, run_table(&runs)),
            PendingSection::Bytes(Section::Kinds, kind_table(&kinds)),
        ];
        let [white, black] = ratings;
        let values = vec![
            PendingSection::Column(Section::Date, date, true),
            PendingSection::Column(Section::WhiteRating, white, false),
            PendingSection::Column(Section::BlackRating, black, false),
            PendingSection::Column(Section::Summary, summary, true),
            PendingSection::Column(Section::Kind, kind, false),
            PendingSection::Column(Section::Plies, plies, false),
            PendingSection::Column(Section::First, first, true),
            PendingSection::Column(Section::Last, last, true),
        ];
        let before = ends.len();
        // The players come first: they take as long as all other sections together.
        let [players, others @ ..] = names.map(PendingSection::Names);
        let mut encoded = Vec::new();
        pool::ordered(
            [vec![players], others.into(), ends, values],
            threads,
            || (),
            |(), parts| parts.into_iter().map(PendingSection::encode).collect(),
            |parts: Vec<EncodedSection>| {
                encoded.extend(parts);
                ControlFlow::Continue(())
            },
        );
        let (mut sections, mut dictionaries, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
        for encoded in encoded {
            match encoded {
                EncodedSection::Section(section, bytes) => sections.push((section, bytes)),
                EncodedSection::Names(dictionary, id) => {
                    dictionaries.push(dictionary);
                    numbers.push(id);
                }
            }
        }
        let columns =
            [Section::White, Section::Black, Section::Event, Section::Site, Section::Round, Section::Result];
        let mut renumbered = Vec::new();
        pool::ordered(
            columns.into_iter().zip(texts).zip(TEXT_DICTIONARIES),
            threads,
            || (),
            |(), ((section, column), names)| (section, renumbered_column(column, &numbers[names as usize])),
            |column| {
                renumbered.push(column);
                ControlFlow::Continue(())
            },
        );
        sections.splice(before..before, renumbered);
        for (section, bytes) in sections {
            file.section(section, &bytes)?;
        }
        for (names, dictionary) in DictionaryKind::ALL.into_iter().zip(&dictionaries) {
            let [text, ends, forms] = names.sections();
            file.section(text, &dictionary.text)?;
            file.section(ends, &dictionary.ends)?;
            file.section(forms, &dictionary.folded)?;
        }
        if let Some(text) = text {
            file.begin(Section::Text)?;
            let blocks = text.finish(|piece| file.write(piece))?;
            file.end();
            file.section(Section::TextBlocks, &blocks)?;
        }
        (info.len, info.checksum) = file.finish(games)?;
        Ok(info)
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
