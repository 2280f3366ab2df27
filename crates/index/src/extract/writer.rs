//! Writes the extract of a segment.

use super::table::{ExtractFooter, FORMAT, list_key, tallies_key, write_tally};
use crate::format::checksum::xxh3;
use crate::format::column::Column;
use crate::format::columns::{NumberColumn, Section, TextColumn};
use crate::format::wire::Writer;
use crate::segment::derived_file::DirectoryPlace;
use crate::segment::reader::Segment;
use pdn::error::Result;
use pdn::stop::Stop;
use pdn_names::NameKind;

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
            for tally in self.tallies(kind, None, &Stop::new())? {
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
