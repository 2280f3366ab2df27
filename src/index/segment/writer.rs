//! Writes a segment: packed moves as they come, everything else when it is complete.
//!
//! Memory: about 60 bytes a game and what the different names take. The moves go to the disk at once.

use std::io;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::SegmentInfo;
use super::limits::SegmentLimits;
use super::pending::{Done, Part, renumbered_column};
use super::section_file::Sections;
use super::text_sums::TextSums;
use crate::index::format::checksum::xxh3;
use crate::index::format::end_offsets::BLOCK;
use crate::index::format::interner::Interner;
use crate::index::format::section::Section;
use crate::index::format::text_blocks::TextWriter;
use crate::index::format::wire::Writer;
use crate::index::row::game_row::GameKind;
use crate::index::row::row_batch::{DICTIONARIES, DictionaryKind, Fixed, RowBatch};
use crate::pool;
use crate::storage::Storage;

/// A segment being written.
pub(crate) struct SegmentWriter {
    path: PathBuf,
    file: Sections,
    text: Option<TextWriter>,
    names: [Interner; 5],
    kinds: Vec<GameKind>,
    columns: Columns,
    moves_block: Vec<u8>,
    move_sums: Vec<u8>,
    text_sums: TextSums,
    runs: Vec<Run>,
    text_end: u64,
}

/// Games that follow each other in one source.
#[derive(Clone, Copy, Debug)]
struct Run {
    first: u32,
    source: u32,
    /// Offset of the first game in the source.
    offset: u64,
    /// Where its text starts, counted from the first game of the segment.
    text: u64,
    /// Where the text of the run ends in the source.
    end: u64,
}

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
    /// Adds what is no number of a text or a kind.
    fn extend(&mut self, games: &[Fixed]) {
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

/// Where something stands in a list of all that is different.
fn position<T: PartialEq>(list: &mut Vec<T>, one: T) -> u32 {
    let known = list.iter().position(|other| *other == one);
    known.unwrap_or_else(|| {
        list.push(one);
        list.len() - 1
    }) as u32
}

/// Numbers of a batch in numbers of the segment, found when they are first met.
#[derive(Default)]
pub(crate) struct IdMap {
    names: [Vec<u32>; 5],
    kinds: Vec<u32>,
}

const UNKNOWN: u32 = u32::MAX;

/// What a game has besides its row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PushedBatch<'a> {
    pub(crate) moves: &'a [u8],
    /// The origin, and where the record lies in it.
    pub(crate) source: u32,
    pub(crate) offset: u64,
    /// The record; used only where it is embedded.
    pub(crate) text: &'a [u8],
}

impl IdMap {
    /// Nothing met yet.
    pub(crate) fn reset(&mut self, rows: &RowBatch) {
        for (names, batch) in self.names.iter_mut().zip(&rows.names) {
            names.clear();
            names.resize(batch.len(), UNKNOWN);
        }
        self.kinds.clear();
        self.kinds.resize(rows.kinds.len(), UNKNOWN);
    }
}

impl SegmentWriter {
    /// Starts a segment in a file called `path`; with `embed` it will hold the text, too.
    pub(crate) fn create(storage: &Arc<dyn Storage>, path: &Path, embed: bool) -> io::Result<Self> {
        let file = Sections::create(&**storage, path)?;
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
            text_sums: TextSums::default(),
            runs: Vec::new(),
            text_end: 0,
        };
        writer.file.begin(Section::Moves)?;
        Ok(writer)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Looks up the names of a batch that this segment has.
    pub(crate) fn meet(&self, rows: &RowBatch, translation: &mut IdMap) {
        for ((own, batch), numbers) in self.names.iter().zip(&rows.names).zip(&mut translation.names) {
            own.find_all(batch, numbers);
        }
    }

    pub(crate) fn games(&self) -> usize {
        self.columns.move_len.len()
    }

    /// Bytes that the different names take. The same for every way of cutting the games into batches.
    pub(crate) fn names_len(&self) -> usize {
        self.names.iter().map(Interner::weight).sum()
    }

    /// Adds the games of `rows` from number `first` on until the segment is full; how many those are. What is found
    /// of them is that of all games from `first` on, in a row.
    pub(crate) fn push(
        &mut self,
        rows: &RowBatch,
        first: usize,
        most: SegmentLimits,
        translation: &mut IdMap,
        found: &PushedBatch<'_>,
    ) -> io::Result<usize> {
        let before = self.games();
        let mut room = (most.games as usize).saturating_sub(before);
        if self.names_len() > most.names {
            room = 0;
        }
        let mut count = 0;
        for game in rows.games[first..].iter().take(room) {
            let mut new = false;
            for ((column, number), names) in self.columns.texts.iter_mut().zip(game.texts).zip(DICTIONARIES) {
                let own = &mut translation.names[names as usize][number as usize];
                if *own == UNKNOWN {
                    *own = self.names[names as usize].number(rows.names[names as usize].get(number));
                    new = true;
                }
                column.push(*own);
            }
            let kind = &mut translation.kinds[usize::from(game.kind)];
            if *kind == UNKNOWN {
                let known = rows.kinds[usize::from(game.kind)];
                *kind = position(&mut self.kinds, known);
            }
            self.columns.kind.push(*kind);
            count += 1;
            if new && self.names_len() > most.names {
                break;
            }
        }
        let games = &rows.games[first..first + count];
        let text_len = games.iter().map(|game| u64::from(game.text_len)).sum();
        let moves_len: usize = games.iter().map(|game| game.moves_len as usize).sum();
        let mut new = count > 0 && self.place(before, text_len, found.source, found.offset);
        for game in games {
            self.text_sums.add(game.text_sum, 1, std::mem::take(&mut new));
        }
        if let Some(writer) = &mut self.text {
            writer.write(found.text.get(..text_len as usize).unwrap_or(found.text))?;
        }
        let moves = &found.moves[..moves_len];
        self.file.write(moves)?;
        self.sum_blocks(before, games, moves);
        self.columns.extend(games);
        Ok(count)
    }

    /// The number of a text in this segment.
    pub(crate) fn name(&mut self, names: DictionaryKind, text: &str) -> u32 {
        self.names[names as usize].number(text)
    }

    /// The number of a kind in this segment.
    pub(crate) fn kind(&mut self, kind: GameKind) -> u32 {
        position(&mut self.kinds, kind)
    }

    /// Adds to the embedded text, of games that are put before or after.
    pub(crate) fn embed(&mut self, text: &[u8]) -> io::Result<()> {
        self.text.as_mut().map_or(Ok(()), |writer| writer.write(text))
    }

    /// Adds a game whose texts and kind are numbers of this segment, with the sum of the texts of so many games from
    /// it on, if that begins here.
    pub(crate) fn put(
        &mut self,
        game: &Fixed,
        sum: Option<(u64, u32)>,
        found: &PushedBatch<'_>,
    ) -> io::Result<()> {
        let before = self.games();
        let new = self.place(before, u64::from(game.text_len), found.source, found.offset);
        if let Some((sum, games)) = sum {
            self.text_sums.add(sum, games, new);
        }
        self.file.write(found.moves)?;
        let game = std::slice::from_ref(game);
        self.sum_blocks(before, game, found.moves);
        for game in game {
            for (column, &number) in self.columns.texts.iter_mut().zip(&game.texts) {
                column.push(number);
            }
            self.columns.kind.push(u32::from(game.kind));
        }
        self.columns.extend(game);
        Ok(())
    }

    /// Continues the run of the game before with texts of so many bytes, or begins another at game `first`; whether
    /// it did that.
    fn place(&mut self, first: usize, text_len: u64, source: u32, offset: u64) -> bool {
        let end = offset + text_len;
        let text = self.text_end;
        self.text_end += text_len;
        match self.runs.last_mut() {
            Some(run) if run.source == source && run.end == offset => {
                run.end = end;
                false
            }
            _ => {
                self.runs.push(Run { first: first as u32, source, offset, text, end });
                true
            }
        }
    }

    /// Sums up the moves of further games, the first of which has this number.
    fn sum_blocks(&mut self, before: usize, mut games: &[Fixed], mut moves: &[u8]) {
        let mut missing = BLOCK - before % BLOCK;
        while games.len() >= missing {
            let (block, later) = games.split_at(missing);
            let len = block.iter().map(|game| game.moves_len as usize).sum();
            let (own, rest) = moves.split_at(len);
            if self.moves_block.is_empty() {
                self.move_sums.extend((xxh3(own) as u32).to_le_bytes());
            } else {
                self.moves_block.extend(own);
                self.end_block();
            }
            (games, moves, missing) = (later, rest, BLOCK);
        }
        self.moves_block.extend(moves);
    }

    fn end_block(&mut self) {
        self.move_sums.extend((xxh3(&self.moves_block) as u32).to_le_bytes());
        self.moves_block.clear();
    }

    /// Writes all that is left, worked out on so many threads, and makes sure that it is on the disk.
    pub(crate) fn finish(mut self, threads: NonZeroUsize) -> io::Result<SegmentInfo> {
        if !self.games().is_multiple_of(BLOCK) {
            self.end_block();
        }
        let Self { mut file, text, names, kinds, columns, move_sums, text_sums, runs, .. } = self;
        file.end();
        let games = columns.move_len.len() as u32;
        let mut written = SegmentInfo {
            len: 0,
            sum: 0,
            games,
            plies: columns.plies.iter().map(|&plies| u64::from(plies)).sum(),
            text: self.text_end,
            statuses: [0; 8],
        };
        columns.summary.iter().for_each(|&bits| written.statuses[bits as usize & 7] += 1);

        let Columns { move_len, text_len, texts, date, ratings, summary, kind, plies, first, last } = columns;
        let ends = vec![
            Part::Ends(Section::MoveEnds, move_len),
            Part::Bytes(Section::MoveSums, move_sums),
            Part::Ends(Section::TextEnds, text_len),
            Part::Bytes(Section::TextSums, text_sums.sums()),
            Part::Ends(Section::TextSumEnds, text_sums.games),
            Part::Bytes(Section::Runs, run_table(&runs)),
            Part::Bytes(Section::Kinds, kind_table(&kinds)),
        ];
        let [white, black] = ratings;
        let values = vec![
            Part::Column(Section::Date, date, true),
            Part::Column(Section::WhiteRating, white, false),
            Part::Column(Section::BlackRating, black, false),
            Part::Column(Section::Summary, summary, true),
            Part::Column(Section::Kind, kind, false),
            Part::Column(Section::Plies, plies, false),
            Part::Column(Section::First, first, true),
            Part::Column(Section::Last, last, true),
        ];
        let before = ends.len();
        // The names of players take as long as all else together.
        let [players, others @ ..] = names.map(Part::Names);
        let mut done = Vec::new();
        pool::ordered(
            [vec![players], others.into(), ends, values],
            threads,
            || (),
            |(), parts| parts.into_iter().map(Part::work).collect(),
            |parts: Vec<Done>| {
                done.extend(parts);
                ControlFlow::Continue(())
            },
        );
        let (mut sections, mut dictionaries, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
        for done in done {
            match done {
                Done::Section(section, bytes) => sections.push((section, bytes)),
                Done::Names(dictionary, own) => {
                    dictionaries.push(dictionary);
                    numbers.push(own);
                }
            }
        }
        let columns =
            [Section::White, Section::Black, Section::Event, Section::Site, Section::Round, Section::Result];
        let mut renumbered = Vec::new();
        pool::ordered(
            columns.into_iter().zip(texts).zip(DICTIONARIES),
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
        (written.len, written.sum) = file.finish(games)?;
        Ok(written)
    }
}

fn run_table(runs: &[Run]) -> Vec<u8> {
    let mut table = Writer::default();
    for run in runs {
        table.u32(run.first);
        table.u32(run.source);
        table.u64(run.offset);
        table.u64(run.text);
    }
    table.0
}

fn kind_table(kinds: &[GameKind]) -> Vec<u8> {
    let mut table = Writer::default();
    table.u32(kinds.len() as u32);
    kinds.iter().for_each(|kind| kind.write(&mut table));
    table.0
}
