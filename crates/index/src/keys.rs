//! Key tables: which games of a segment contain a given position.
//!
//! A *key table* is a file next to a segment that lists, in sorted order, which position occurs in which game. It is
//! derived from the segment, so it can be deleted and built again at any time; query results are the same with and
//! without it. It stores only the upper bits of each [`StableKey`](pdn::position::StableKey) and no ply. Every
//! match is confirmed by playing the game, which costs less than a microsecond and yields the ply.
//!
//! - Building plays the games several times, each time for the part of all keys that fits in memory (256 MiB), so it
//!   needs no temporary files however large the archive is. The bytes depend on the segment alone.
//! - A table takes about 4 bytes per position. A look-up reads one block of 64 entries, also for a position that
//!   occurs nowhere.
//!
//! ```text
//! header     "PDNKEYS\0" | u32 version | zeros up to 64
//! pages      one after the other, 4096 entries each, the last one possibly fewer
//! directory  for each page: u64 its first entry | u64 its end in the file | u64 xxh3 of it
//! footer     u64 offset of the directory | u64 xxh3 of it | u64 entries | u64 bytes of the segment
//!            u64 checksum in the footer of the segment | u32 games | u8 key bits | u8 game bits | u16 0
//!            u64 xxh3 of the 48 bytes before this | u32 version | u32 0 | "PDNKEYS."
//! ```

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::format::key_page;
use super::format::key_page::{BLOCK, PAGE, Page};
use super::format::section::xxh3;
use super::format::wire::{Reader, Writer};
use super::game_set::GameSet;
use super::segment::derived_file::{
    DerivedFile, DerivedFooter, DerivedFormat, DerivedMessages, Directory, DirectoryPlace,
};
use super::segment::reader::Segment;
use pdn::error::Result;
use pdn::internal::storage::Output;
use pdn::position::StableKey;

/// The layout of an entry: `upper bits of the key | number of the game`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct KeyLayout {
    /// Bits of the key that are kept.
    pub(crate) key_bits: u32,
    /// Bits of the number of the game.
    pub(crate) game_bits: u32,
}

/// Maximum bits of an entry, so that a load of eight bytes holds any difference at any bit offset.
pub(crate) const ENTRY_BITS: u32 = 56;

impl KeyLayout {
    /// Returns the layout for a segment of `games` games with `positions` positions.
    ///
    /// It keeps eight bits more than are needed to count the positions. So about one look-up in 256 finds another
    /// position with equal bits and plays a game in vain.
    pub(crate) fn of(games: u32, positions: u64) -> Self {
        let game_bits = (u32::BITS - games.saturating_sub(1).leading_zeros()).max(1);
        let counting_bits = u64::BITS - positions.leading_zeros();
        Self { key_bits: (counting_bits + 8).clamp(16, ENTRY_BITS - game_bits), game_bits }
    }

    /// Returns the entry of a game that contains a position with this key.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn entry(self, key: u64, game: u32) -> u64 {
        key >> (u64::BITS - self.key_bits) << self.game_bits | u64::from(game)
    }

    /// Returns the half-open range of the entries of a key.
    pub(crate) fn entries(self, key: StableKey) -> (u64, u64) {
        self.entries_of(self.upper_bits(key.0))
    }

    /// Returns the half-open range of the entries whose keys have these upper bits.
    pub(crate) fn entries_of(self, upper_bits: u64) -> (u64, u64) {
        let first = upper_bits << self.game_bits;
        (first, first + (1 << self.game_bits))
    }

    /// Returns the upper bits of a key, which entries keep.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn upper_bits(self, key: u64) -> u64 {
        key >> (u64::BITS - self.key_bits)
    }

    /// Returns the upper bits of the key of an entry.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn upper_bits_of(self, entry: u64) -> u64 {
        entry >> self.game_bits
    }

    /// Returns the number of the game of an entry.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn game_of(self, entry: u64) -> u32 {
        (entry & ((1 << self.game_bits) - 1)) as u32
    }
}

/// The format of key tables.
pub(crate) const FORMAT: DerivedFormat = DerivedFormat {
    version: 1,
    magic: *b"PDNKEYS\0",
    end_magic: *b"PDNKEYS.",
    extension: "keys",
    footer_len: 72,
    tail: 1 << 10,
    name: "positions",
    messages: DerivedMessages {
        other_kind: "the file does not start like a key table",
        other_segment: "it is the table of another segment",
        damaged_piece: "the checksum of a page does not match",
    },
};

/// The footer of a key table, with the identity of its segment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct KeyTableFooter {
    pub(crate) place: DirectoryPlace,
    /// Number of games of the segment.
    pub(crate) games: u32,
    pub(crate) layout: KeyLayout,
}

impl KeyTableFooter {
    /// Encodes the footer.
    pub(crate) fn to_bytes(self) -> Vec<u8> {
        let mut out = FORMAT.begin_footer(&self.place);
        out.u32(self.games);
        out.u8(self.layout.key_bits as u8);
        out.u8(self.layout.game_bits as u8);
        out.0.extend([0, 0]);
        FORMAT.end_footer(out)
    }
}

impl DerivedFooter for KeyTableFooter {
    const FORMAT: DerivedFormat = FORMAT;

    fn read(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader(bytes);
        let (place, games) = (DirectoryPlace::read(&mut reader)?, reader.u32()?);
        let layout = KeyLayout { key_bits: reader.u8()?.into(), game_bits: reader.u8()?.into() };
        let footer = Self { place, games, layout };
        let is_valid =
            layout.key_bits > 0 && layout.game_bits > 0 && layout.key_bits + layout.game_bits <= ENTRY_BITS;
        (footer.to_bytes() == bytes && is_valid).then_some(footer)
    }

    fn place(&self) -> &DirectoryPlace {
        &self.place
    }

    fn games(&self) -> u32 {
        self.games
    }

    /// All pages but the last one are full.
    fn allows_pieces(&self, pieces: u64) -> bool {
        pieces == self.place.entries.div_ceil(PAGE as u64)
    }
}

/// The key table of a segment: which of its games may contain a position.
#[derive(Debug)]
pub struct KeyTable(DerivedFile<KeyTableFooter>);

impl KeyTable {
    /// Returns the path of the key table of a segment.
    pub(crate) fn path_of(segment: &Segment) -> PathBuf {
        DerivedFile::<KeyTableFooter>::path_of(segment)
    }

    /// Opens the key table of a segment; `None` if there is none. Costs O(1).
    ///
    /// # Errors
    /// Fails if the file cannot be read, is damaged, has another version, or belongs to another segment.
    pub fn open(segment: &Segment) -> Result<Option<Self>> {
        Ok(DerivedFile::open(segment)?.map(Self))
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Returns the number of entries: distinct positions per game, where positions whose upper key bits are equal
    /// count once.
    pub fn len(&self) -> u64 {
        self.0.len()
    }

    /// Returns `true` if the table has no entries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the length of the file in bytes.
    pub fn file_len(&self) -> u64 {
        self.0.file_len()
    }

    /// Returns the bytes of the file.
    pub(crate) fn bytes(&self) -> &[u8] {
        self.0.bytes()
    }

    /// Returns a page after verifying its checksum. Costs about 2 µs.
    fn page(&self, directory: Directory<'_>, page: usize) -> Result<Page<'_>> {
        let bytes = self.0.piece(directory, page)?;
        let numbers = (self.len() - (page * PAGE) as u64).min(PAGE as u64) as usize;
        Page::new(bytes, numbers).ok_or_else(|| self.0.damaged("a page is invalid"))
    }

    /// Returns the games that may contain a position with this key: all that do, and a game in vain for about one
    /// look-up in 256.
    ///
    /// Costs a few microseconds even if there are none, and about 1 ns per game.
    ///
    /// # Errors
    /// Fails if the table is damaged.
    // Twin: unpacking every game; test: `key_table_selects_every_game_of_a_position`.
    pub fn games(&self, key: StableKey) -> Result<GameSet> {
        let mut games = GameSet::new();
        let mut is_sorted = true;
        self.each_game(self.0.footer.layout.entries(key), |game| is_sorted &= games.try_push(game))?;
        if is_sorted { Ok(games) } else { Err(self.0.damaged("a page is invalid")) }
    }

    /// Calls `emit` with the games of the entries in a range, in order.
    fn each_game(&self, (low, high): (u64, u64), mut emit: impl FnMut(u32)) -> Result<()> {
        let directory = self.0.directory()?;
        let from = directory.partition_point(|first| first <= low);
        let mut is_sound = true;
        for page in from.saturating_sub(1)..directory.len() {
            if directory.first_key(page) >= high {
                break;
            }
            self.page(directory, page)?.range(low, high, |entry| {
                let game = self.0.footer.layout.game_of(entry);
                is_sound &= game < self.0.footer.games;
                if is_sound {
                    emit(game);
                }
            });
        }
        if is_sound { Ok(()) } else { Err(self.0.damaged("a page is invalid")) }
    }

    /// Returns the upper bits of all keys that at least `least_games` games have, with the number of these games, in
    /// ascending order. Positions whose keys have the same upper bits count as one.
    ///
    /// Verifies the checksums of all pages. From 128 games on, it decodes one entry in 64.
    ///
    /// # Errors
    /// Fails if the table is damaged.
    pub(crate) fn frequent_keys(&self, least_games: u64) -> Result<Vec<(u64, u64)>> {
        let layout = self.0.footer.layout;
        let directory = self.0.directory()?;
        // Every 64th entry is the first of its block, so that 128 or more games have two or more of them.
        let reads_firsts = least_games >= 2 * BLOCK as u64;
        let least_seen = if reads_firsts { least_games / BLOCK as u64 } else { least_games };
        let mut found = Vec::new();
        let (mut current, mut seen) = (0, 0);
        let mut see = |entry: u64| {
            let upper_bits = layout.upper_bits_of(entry);
            if upper_bits != current || seen == 0 {
                (current, seen) = (upper_bits, 0);
            }
            seen += 1;
            if seen == least_seen.max(1) {
                found.push((current, 0));
            }
        };
        for page in 0..self.pages() {
            let page = self.page(directory, page)?;
            if reads_firsts { page.firsts().for_each(&mut see) } else { page.range(0, u64::MAX, &mut see) }
        }
        for (upper_bits, games) in &mut found {
            self.each_game(layout.entries_of(*upper_bits), |_| *games += 1)?;
        }
        found.retain(|(_, games)| *games >= least_games);
        Ok(found)
    }

    /// Returns, for each game of the segment, how many of some upper bits of keys it has; at most [`u16::MAX`].
    ///
    /// # Errors
    /// Fails if the table is damaged.
    pub(crate) fn counts_of_games(&self, upper_bits: impl Iterator<Item = u64>) -> Result<Vec<u16>> {
        let mut counts = vec![0u16; self.0.footer.games as usize];
        for upper_bits in upper_bits {
            self.each_game(self.0.footer.layout.entries_of(upper_bits), |game| {
                if let Some(count) = counts.get_mut(game as usize) {
                    *count = count.saturating_add(1);
                }
            })?;
        }
        Ok(counts)
    }

    /// Returns the layout of the entries.
    pub(crate) fn layout(&self) -> KeyLayout {
        self.0.footer.layout
    }

    /// Returns `true` if the key selects so few games (at most about one in eight) that playing only these is faster
    /// than playing all. Costs O(log pages).
    ///
    /// # Errors
    /// Fails if the directory is damaged.
    pub fn is_selective(&self, key: StableKey) -> Result<bool> {
        let directory = self.0.directory()?;
        let (low, high) = self.0.footer.layout.entries(key);
        let before = |number: u64| directory.partition_point(|first| first < number);
        let full_pages = before(high).saturating_sub(before(low)).saturating_sub(1);
        Ok((full_pages * PAGE) as u64 <= u64::from(self.0.footer.games) / 8)
    }

    /// Returns the number of pages.
    pub(crate) fn pages(&self) -> usize {
        self.len().div_ceil(PAGE as u64) as usize
    }

    /// Verifies the checksums of the directory and of some pages.
    pub(crate) fn check_page_range(&self, pages: Range<usize>) -> Result<()> {
        let directory = self.0.directory()?;
        pages.into_iter().try_for_each(|page| self.page(directory, page).map(drop))
    }

    /// Verifies the checksums of the directory and of all pages.
    pub(crate) fn check_pages(&self) -> Result<()> {
        self.check_page_range(0..self.pages())
    }
}

/// Bytes that are collected before they are written.
const MAX_BUFFER: usize = 256 << 10;

/// A key table that is being written. Memory: the directory, 24 bytes per page of 4096 entries.
pub(crate) struct TableWriter<'a> {
    out: &'a mut dyn Output,
    buffer: Vec<u8>,
    /// Offset of the buffer in the file.
    at: u64,
    /// Entries of the current page.
    page: Vec<u64>,
    /// Number of entries so far.
    entries: u64,
    directory: Writer,
}

impl<'a> TableWriter<'a> {
    /// Creates a writer. The header is written with the first pages.
    pub(crate) fn new(out: &'a mut dyn Output) -> Self {
        let page = Vec::with_capacity(PAGE);
        Self { out, buffer: FORMAT.header().to_vec(), at: 0, page, entries: 0, directory: Writer::default() }
    }

    /// Appends entries in ascending order, each greater than all before.
    pub(crate) fn push(&mut self, mut entries: &[u64]) -> io::Result<()> {
        self.entries += entries.len() as u64;
        while !entries.is_empty() {
            let (head, tail) = entries.split_at(entries.len().min(PAGE - self.page.len()));
            self.page.extend(head);
            entries = tail;
            if self.page.len() == PAGE {
                self.end_page()?;
            }
        }
        Ok(())
    }

    /// Encodes the current page, unless it is empty, and adds it to the directory.
    fn end_page(&mut self) -> io::Result<()> {
        let Some(&first) = self.page.first() else { return Ok(()) };
        let start = self.buffer.len();
        key_page::write(&self.page, &mut self.buffer);
        self.page.clear();
        self.directory.u64(first);
        self.directory.u64(self.at + self.buffer.len() as u64);
        self.directory.u64(xxh3(&self.buffer[start..]));
        if self.buffer.len() >= MAX_BUFFER {
            self.flush()?;
        }
        Ok(())
    }

    /// Writes the buffer.
    fn flush(&mut self) -> io::Result<()> {
        self.out.write_all(&self.buffer)?;
        self.at += self.buffer.len() as u64;
        self.buffer.clear();
        Ok(())
    }

    /// Writes the remaining pages, the directory and the footer, and syncs the file. Returns the length of the file
    /// in bytes and the number of entries.
    pub(crate) fn finish(mut self, layout: KeyLayout, segment: &Segment) -> io::Result<(u64, u64)> {
        self.end_page()?;
        let footer = KeyTableFooter {
            place: DirectoryPlace {
                directory: self.at + self.buffer.len() as u64,
                checksum: xxh3(&self.directory.0),
                entries: self.entries,
                segment_len: segment.file_len(),
                segment_checksum: segment.checksum(),
            },
            games: segment.len() as u32,
            layout,
        };
        let directory = std::mem::take(&mut self.directory.0);
        self.buffer.extend(directory);
        self.buffer.extend(footer.to_bytes());
        self.flush()?;
        self.out.sync()?;
        Ok((self.at, self.entries))
    }
}
