//! Reads a key table in place.
//!
//! ```text
//! header     "PDNKEYS\0" | u32 version | zeros up to 64
//! pages      one after the other, 4096 entries each, the last one possibly fewer
//! directory  for each page: u64 its first entry | u64 its end in the file | u64 xxh3 of it
//! footer     u64 offset of the directory | u64 xxh3 of it | u64 entries | u64 bytes of the segment
//!            u64 checksum in the footer of the segment | u32 games | u8 key bits | u8 game bits | u16 0
//!            u64 xxh3 of the 48 bytes before this | u32 version | u32 0 | "PDNKEYS."
//! ```

use std::ops::Range;
use std::path::{Path, PathBuf};

use super::{ENTRY_BITS, KeyLayout};
use crate::format::key_page::{BLOCK, PAGE, Page};
use crate::format::wire::Reader;
use crate::game_set::GameSet;
use crate::segment::derived_file::{
    DerivedFile, DerivedFooter, DerivedFormat, DerivedMessages, Directory, DirectoryPlace,
};
use crate::segment::reader::Segment;
use pdn::error::Result;
use pdn::position::StableKey;

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
