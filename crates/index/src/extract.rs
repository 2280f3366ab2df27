//! Extracts: what the published copy of an index has in addition, so that those who read it by ranges read less.
//!
//! In a segment, the values of a game lie in many columns, far from each other, and the games of a player are found by reading a whole column.
//! That is fast in memory and slow over a network. The extract of a segment has the values of each game that lists, reports and trees
//! need in one place, the games of each player and event, and the number of games of each kind. Answers are the same without it. Only
//! indexes that are read by ranges use it.
//!
//! ```text
//! header     "PDNEXTR\0" | u32 version | zeros up to 64
//! rows       for each game the numbers of some columns, one after the other | 8 zero bytes
//! lists      for each text of some columns, in the order of the columns and of the texts: number of games | first game
//!            | differences; a piece ends after the list with which it has 4 KiB or more
//! tallies    for the players, then for the events, one piece each: for each text number of games | won | drawn | lost | lost by both
//!            | first year, 0 for none | years from it to the last | highest rating
//! summary    u32 kinds | u32 games of each
//!            u32 bits of a row | u32 columns | for each: u32 section | u32 first bit in a row | u32 length of the rest
//!            | the section up to its first number
//! directory  for each piece: u64 0 for the rows, `section << 32 | number of the first text` for lists,
//!            2^63 for players, 2^63 + 1 for events, u64 max for the summary | u64 its end in the file | u64 xxh3 of it
//! footer     u64 offset of the directory | u64 xxh3 of it | u64 lists | u64 bytes of the segment
//!            u64 checksum in the footer of the segment | u32 games
//!            u64 xxh3 of the 44 bytes before | u32 version | u32 0 | "PDNEXTR."
//! ```

use std::ops::Range;
use std::path::{Path, PathBuf};

use super::format::column::Column;
use super::format::columns::{NumberColumn, Section, TextColumn};
use super::format::section::xxh3;
use super::format::wire::{Reader, Writer};
use super::game_set::GameSet;
use super::segment::derived_file::{
    DerivedFile, DerivedFooter, DerivedFormat, DerivedMessages, Directory, DirectoryPlace,
};
use super::segment::reader::Segment;
use pdn::error::{Error, Result};
use pdn::internal::value::{Score, Tally};
use pdn::stop::Stop;
use pdn_names::{NameKind, letters_of_person};

/// The format of extracts.
pub(crate) const FORMAT: DerivedFormat = DerivedFormat {
    version: 2,
    magic: *b"PDNEXTR\0",
    end_magic: *b"PDNEXTR.",
    extension: "extract",
    footer_len: 68,
    tail: 64 << 10,
    name: "extract",
    messages: DerivedMessages {
        other_kind: "the file does not start like an extract",
        other_segment: "it is the extract of another segment",
        damaged_piece: "a checksum does not match",
    },
};

/// Returns the key of the list of a text in the directory.
fn list_key(column: TextColumn, text: u32) -> u64 {
    (column.section() as u64) << 32 | u64::from(text)
}

/// Returns the key of the tallies of the names of a kind in the directory.
fn tallies_key(kind: NameKind) -> u64 {
    1 << 63 | kind as u64
}

/// Appends a tally.
fn write_tally(out: &mut Writer, tally: &Tally) {
    let Tally { score, first_year, last_year, rating } = *tally;
    out.varint(score.games.into());
    if score.games > 0 {
        let first = first_year.unwrap_or(0);
        let years = last_year.unwrap_or(0) - first;
        for number in [score.won, score.drawn, score.lost, score.both_lost] {
            out.varint(number.into());
        }
        for number in [first, years, rating] {
            out.varint(number.into());
        }
    }
}

/// Reads a tally; `None` if it is malformed.
fn read_tally(reader: &mut Reader<'_>) -> Option<Tally> {
    let mut number = || u64::try_from(reader.varint()?).ok();
    let mut score = Score { games: number()?, ..Score::default() };
    if score.games == 0 {
        return Some(Tally::default());
    }
    for part in [&mut score.won, &mut score.drawn, &mut score.lost, &mut score.both_lost] {
        *part = number()?;
    }
    let mut number = || u16::try_from(number()?).ok();
    let (first, years, rating) = (number()?, number()?, number()?);
    let year = |year: u16| (first > 0).then_some(year);
    let last = first.checked_add(years)?;
    Some(Tally { score, first_year: year(first), last_year: year(last), rating })
}

/// The footer of an extract, with the identity of its segment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct ExtractFooter {
    pub(crate) place: DirectoryPlace,
    /// Number of games of the segment.
    pub(crate) games: u32,
}

impl ExtractFooter {
    /// Encodes the footer.
    fn to_bytes(self) -> Vec<u8> {
        let mut out = FORMAT.begin_footer(&self.place);
        out.u32(self.games);
        FORMAT.end_footer(out)
    }
}

impl DerivedFooter for ExtractFooter {
    const FORMAT: DerivedFormat = FORMAT;

    fn read(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader(bytes);
        let footer = Self { place: DirectoryPlace::read(&mut reader)?, games: reader.u32()? };
        (footer.to_bytes() == bytes).then_some(footer)
    }

    fn place(&self) -> &DirectoryPlace {
        &self.place
    }

    fn games(&self) -> u32 {
        self.games
    }

    fn allows_pieces(&self, pieces: u64) -> bool {
        pieces >= 2
    }
}

/// Where the numbers of a column are in the rows.
#[derive(Debug)]
struct RowColumn {
    section: u32,
    /// The first bit in a row.
    first_bit: u32,
    /// The section up to its first number, as a part of the file.
    head: Range<u64>,
}

/// The extract of a segment. Its summary is verified when it is opened.
#[derive(Debug)]
pub(crate) struct Extract {
    file: DerivedFile<ExtractFooter>,
    /// Where the rows are in the file.
    rows: Range<u64>,
    row_bits: u32,
    kind_games: Vec<u32>,
    columns: Vec<RowColumn>,
}

impl Extract {
    /// Opens the extract of a segment; `None` if there is none. Reads and verifies its summary.
    ///
    /// # Errors
    /// Fails if the file cannot be read, is damaged, has another version, or belongs to another segment, and if the question has to be
    /// asked again.
    pub(crate) fn open(segment: &Segment) -> Result<Option<Self>> {
        let Some(file) = DerivedFile::<ExtractFooter>::open(segment)? else {
            return Ok(None);
        };
        let directory = file.directory()?;
        let summary = directory.len() - 1;
        let place = file.piece_range(directory, summary)?;
        let rows = file.place_of_piece(directory, 0);
        let mut extract = Self { rows, row_bits: 0, kind_games: Vec::new(), columns: Vec::new(), file };
        let read = extract.read_summary(&place)?;
        let directory = extract.file.directory()?;
        let is_whole = directory.end_of_pieces() == extract.file.footer.place.directory
            && directory.first_key(0) == 0
            && directory.first_key(summary) == u64::MAX
            && extract.kind_games.len() == segment.kinds()?.len();
        if read.is_some() && is_whole { Ok(Some(extract)) } else { Err(extract.invalid()) }
    }

    /// Reads the summary; `None` if it is malformed.
    fn read_summary(&mut self, place: &Range<u64>) -> Result<Option<()>> {
        let bytes = self.file.get(place.clone())?;
        let (mut kind_games, mut columns) = (Vec::new(), Vec::new());
        let mut reader = Reader(bytes);
        let mut read = || {
            for _ in 0..reader.u32()? {
                kind_games.push(reader.u32()?);
            }
            let row_bits = reader.u32()?;
            for _ in 0..reader.u32()? {
                let (section, first_bit) = (reader.u32()?, reader.u32()?);
                let len = reader.bytes()?.len() as u64;
                let end = place.end - reader.0.len() as u64;
                columns.push(RowColumn { section, first_bit, head: end - len..end });
            }
            reader.0.is_empty().then_some(row_bits)
        };
        let row_bits = read();
        (self.row_bits, self.kind_games, self.columns) = (row_bits.unwrap_or(0), kind_games, columns);
        Ok(row_bits.map(drop))
    }

    /// Creates the error of contents that match their checksums and are wrong.
    fn invalid(&self) -> Error {
        self.file.damaged("its contents are invalid")
    }

    /// Returns the path of the file.
    pub(crate) fn path(&self) -> &Path {
        self.file.path()
    }

    /// Returns the path of the extract of a segment.
    pub(crate) fn path_of(segment: &Segment) -> PathBuf {
        DerivedFile::<ExtractFooter>::path_of(segment)
    }

    /// Returns the length of the file in bytes.
    pub(crate) fn file_len(&self) -> u64 {
        self.file.file_len()
    }

    /// Returns the bytes of the file.
    pub(crate) fn bytes(&self) -> &[u8] {
        self.file.bytes()
    }

    /// Returns the number of games of each kind, in the order of the kinds; retired games count.
    pub(crate) fn kind_games(&self) -> &[u32] {
        &self.kind_games
    }

    /// Returns a column whose numbers are read from the rows, each when it is asked for, and not verified; `None` if the rows do not have it.
    pub(crate) fn column(&self, section: Section) -> Option<Column<'_>> {
        let column = self.columns.iter().find(|column| column.section == section as u32)?;
        let rows = self.file.part(self.rows.clone())?;
        let head = self.file.get(column.head.clone()).ok()?;
        Column::in_rows(head, rows, (column.first_bit, self.row_bits), self.file.footer.games as usize)
    }

    /// Returns the games whose text in a column is one for which `chosen` is `true`; `None` if there are no lists of the column, or they have
    /// more than `most` bytes. Verifies what it reads.
    ///
    /// # Errors
    /// If the lists cannot be read, are damaged, or the question has to be asked again.
    // Twin: the column; test: `answers_with_extracts_equal_those_without`.
    pub(crate) fn games(&self, column: TextColumn, chosen: &[bool], most: u64) -> Result<Option<GameSet>> {
        let directory = self.file.directory()?;
        let lists = list_key(column, 0)..list_key(column, u32::MAX);
        let mut pieces: Vec<usize> = Vec::new();
        for text in (0u32..).zip(chosen).filter_map(|(text, chosen)| chosen.then_some(text)) {
            let key = list_key(column, text);
            let after = directory.partition_point(|first| first <= key);
            let piece = after.checked_sub(1).filter(|&piece| lists.contains(&directory.first_key(piece)));
            let Some(piece) = piece else { return Ok(None) };
            if pieces.last() != Some(&piece) {
                pieces.push(piece);
            }
        }
        let places: Vec<Range<u64>> =
            pieces.iter().map(|&piece| self.file.place_of_piece(directory, piece)).collect();
        if places.iter().map(|place| place.end - place.start).sum::<u64>() > most {
            return Ok(None);
        }
        self.file.fetch(&places)?;
        let mut games = Vec::new();
        for piece in pieces {
            self.add_games(directory, piece, chosen, &mut games)?;
        }
        games.sort_unstable();
        Ok(Some(games.into_iter().collect()))
    }

    /// Returns the tally of each of the `texts` texts of the dictionary that has the names of a kind, retired games included; `None` if the
    /// extract has none of this kind. Verifies what it reads.
    ///
    /// # Errors
    /// If the tallies cannot be read, are damaged, or the question has to be asked again.
    // Twin: the tallies of the segment; test: `answers_with_extracts_equal_those_without`.
    pub(crate) fn tallies(&self, kind: NameKind, texts: usize) -> Result<Option<Vec<Tally>>> {
        let directory = self.file.directory()?;
        let piece = directory.partition_point(|first| first < tallies_key(kind));
        if piece >= directory.len() || directory.first_key(piece) != tallies_key(kind) {
            return Ok(None);
        }
        let mut reader = Reader(self.file.piece(directory, piece)?);
        let tallies: Option<Vec<Tally>> = (0..texts).map(|_| read_tally(&mut reader)).collect();
        let tallies = tallies.filter(|_| reader.0.is_empty());
        tallies.map(Some).ok_or_else(|| self.invalid())
    }

    /// Adds the games of the chosen texts of a piece.
    fn add_games(
        &self,
        directory: Directory<'_>,
        piece: usize,
        chosen: &[bool],
        games: &mut Vec<u32>,
    ) -> Result<()> {
        let mut text = directory.first_key(piece) as u32 as usize;
        let mut reader = Reader(self.file.piece(directory, piece)?);
        let mut read = || {
            while !reader.0.is_empty() {
                let is_chosen = chosen.get(text).copied().unwrap_or(false);
                let mut game = 0u32;
                for _ in 0..reader.varint()? {
                    game = game.checked_add(u32::try_from(reader.varint()?).ok()?)?;
                    if game >= self.file.footer.games {
                        return None;
                    }
                    if is_chosen {
                        games.push(game);
                    }
                }
                text += 1;
            }
            Some(())
        };
        read().ok_or_else(|| self.invalid())
    }
}

/// Bytes with which a piece of lists ends.
const LISTS: usize = if cfg!(test) { 64 } else { 4 << 10 };

/// The columns of texts of which the games of each text are listed, in the order of their sections.
const LISTED: [TextColumn; 3] = [TextColumn::White, TextColumn::Black, TextColumn::Event];

/// The kinds of names whose tallies there are, in the order of their keys.
const TALLIED: [NameKind; 2] = [NameKind::Player, NameKind::Event];

impl Segment {
    /// Returns the bytes of an extract of the segment. Takes some tenths of a second for a million games, and 25 bytes of memory for each.
    ///
    /// # Errors
    /// If a section is damaged.
    pub(crate) fn extract(&self) -> Result<Vec<u8>> {
        let mut file = Pieces { bytes: FORMAT.header().to_vec(), ..Pieces::default() };
        let mut columns: Vec<(Section, Column<'_>)> = Vec::new();
        for text in TextColumn::ALL {
            columns.extend(self.text_column(text)?.map(|column| (text.section(), column)));
        }
        for &number in NumberColumn::OF_ROWS {
            columns.extend(self.number_column(number)?.map(|column| (number.section(), column)));
        }
        let row_bits: u32 = columns.iter().map(|(_, column)| column.width()).sum();
        file.bytes.extend(rows(&columns, row_bits, self.len()));
        file.end_piece(0);
        let mut lists = 0;
        for text in LISTED {
            lists += self.add_lists(text, &mut file)?;
        }
        for kind in TALLIED {
            let mut out = Writer::default();
            for tally in self.tallies(kind, &letters_of_person, None, &Stop::new())? {
                write_tally(&mut out, &tally);
            }
            file.bytes.extend(out.0);
            file.end_piece(tallies_key(kind));
        }
        let mut summary = Writer::default();
        let mut kind_games = vec![0u32; self.kinds()?.len()];
        for kind in self.column(Section::Kind)?.values() {
            let games = usize::try_from(kind).ok().and_then(|kind| kind_games.get_mut(kind));
            *games.ok_or_else(|| self.malformed(Section::Kind))? += 1;
        }
        summary.u32(kind_games.len() as u32);
        kind_games.into_iter().for_each(|games| summary.u32(games));
        summary.u32(row_bits);
        summary.u32(columns.len() as u32);
        let mut first_bit = 0;
        for (section, column) in &columns {
            summary.u32(*section as u32);
            summary.u32(first_bit);
            summary.bytes(self.section(*section)?.get(..column.head_len()).unwrap_or_default());
            first_bit += column.width();
        }
        file.bytes.extend(summary.0);
        file.end_piece(u64::MAX);
        let place = DirectoryPlace {
            directory: file.bytes.len() as u64,
            checksum: xxh3(&file.directory.0),
            entries: lists,
            segment_len: self.file_len(),
            segment_checksum: self.checksum(),
        };
        file.bytes.extend(file.directory.0);
        file.bytes.extend(ExtractFooter { place, games: self.len() as u32 }.to_bytes());
        Ok(file.bytes)
    }

    /// Adds the games of each text of a column, and returns the number of texts.
    fn add_lists(&self, text: TextColumn, file: &mut Pieces) -> Result<u64> {
        let (Some(column), texts) = (self.text_column(text)?, self.dictionary(text.dictionary())?.len())
        else {
            return Ok(0);
        };
        let mut ends = vec![0usize; texts + 1];
        for number in column.values() {
            let end = usize::try_from(number).ok().and_then(|number| ends[1..].get_mut(number));
            *end.ok_or_else(|| self.malformed(text.section()))? += 1;
        }
        for at in 1..ends.len() {
            ends[at] += ends[at - 1];
        }
        let (mut games, mut next) = (vec![0u32; self.len()], ends.clone());
        for (game, number) in (0..).zip(column.values()) {
            let next = &mut next[number as usize];
            games[*next] = game;
            *next += 1;
        }
        let (mut out, mut first) = (Writer::default(), 0);
        for number in 0..texts {
            let mut before = 0;
            out.varint((ends[number + 1] - ends[number]) as u128);
            for &game in &games[ends[number]..ends[number + 1]] {
                out.varint((game - before).into());
                before = game;
            }
            if out.0.len() >= LISTS || number + 1 == texts {
                file.bytes.append(&mut out.0);
                file.end_piece(list_key(text, first));
                first = number as u32 + 1;
            }
        }
        Ok(texts as u64)
    }
}

/// Returns the numbers of each game, one after the other, and eight zero bytes.
fn rows(columns: &[(Section, Column<'_>)], row_bits: u32, games: usize) -> Vec<u8> {
    let row_bits = row_bits as usize;
    let mut bytes = vec![0u8; (row_bits * games).div_ceil(8) + 8];
    let mut first_bit = 0;
    for (_, column) in columns {
        let width = column.width() as usize;
        for game in (0..games).filter(|_| width > 0) {
            let bit = game * row_bits + first_bit;
            if let Some(word) = bytes[bit / 8..].first_chunk_mut() {
                *word = (u64::from_le_bytes(*word) | column.stored(game) << (bit % 8)).to_le_bytes();
            }
        }
        first_bit += width;
    }
    bytes
}

/// The pieces of a file, and the directory of those that are complete.
#[derive(Default)]
struct Pieces {
    bytes: Vec<u8>,
    directory: Writer,
    /// Where the last piece ends.
    end: usize,
}

impl Pieces {
    /// Ends the piece of which the last bytes are.
    fn end_piece(&mut self, key: u64) {
        let start = self.end.max(FORMAT.header().len());
        self.end = self.bytes.len();
        self.directory.u64(key);
        self.directory.u64(self.end as u64);
        self.directory.u64(xxh3(&self.bytes[start..]));
    }
}
