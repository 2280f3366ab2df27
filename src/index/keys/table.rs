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
use std::sync::atomic::{AtomicU8, Ordering};

use super::{ENTRY_BITS, KeyLayout};
use crate::error::{Error, ErrorKind, Result};
use crate::index::format::checksum::xxh3;
use crate::index::format::key_page::{BLOCK, PAGE, Page};
use crate::index::format::wire::{Reader, Writer, u64_at};
use crate::index::game_set::GameSet;
use crate::index::segment::reader::{self, Segment};
use crate::position::StableKey;
use crate::source::Bytes;

/// Version of the format of key tables.
pub(crate) const VERSION: u32 = 1;

const MAGIC: &[u8; 8] = b"PDNKEYS\0";
const END_MAGIC: &[u8; 8] = b"PDNKEYS.";
/// Bytes of the header.
const HEADER_LEN: usize = 64;
/// Bytes of the footer.
const FOOTER_LEN: usize = 72;
/// Bytes of a directory entry.
const ENTRY_LEN: usize = 24;
/// The name that messages use for the table.
const NAME: &str = "positions";

/// Returns the file name of the key table of segment `number`.
pub(crate) fn file_name(number: u64) -> String {
    format!("segment-{number:08}.keys")
}

/// Returns the header of a key table.
pub(crate) fn header() -> [u8; HEADER_LEN] {
    let mut header = [0; HEADER_LEN];
    header[..8].copy_from_slice(MAGIC);
    header[8..12].copy_from_slice(&VERSION.to_le_bytes());
    header
}

/// The footer of a key table, with the identity of its segment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct KeyTableFooter {
    /// Offset of the directory in the file.
    pub(crate) directory: u64,
    /// Checksum of the directory.
    pub(crate) directory_checksum: u64,
    /// Number of entries.
    pub(crate) entries: u64,
    /// Length of the segment file in bytes.
    pub(crate) segment_len: u64,
    /// Checksum in the footer of the segment.
    pub(crate) segment_checksum: u64,
    /// Number of games of the segment.
    pub(crate) games: u32,
    pub(crate) layout: KeyLayout,
}

impl KeyTableFooter {
    /// Encodes the footer.
    pub(crate) fn to_bytes(self) -> Vec<u8> {
        let mut out = Writer::default();
        for number in
            [self.directory, self.directory_checksum, self.entries, self.segment_len, self.segment_checksum]
        {
            out.u64(number);
        }
        out.u32(self.games);
        out.u8(self.layout.key_bits as u8);
        out.u8(self.layout.game_bits as u8);
        out.0.extend([0, 0]);
        out.u64(xxh3(&out.0));
        out.u32(VERSION);
        out.u32(0);
        out.0.extend(END_MAGIC);
        out.0
    }

    /// Reads a footer; `None` if it is malformed.
    fn read(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader(bytes);
        let [directory, directory_checksum, entries, segment_len, segment_checksum] =
            [reader.u64()?, reader.u64()?, reader.u64()?, reader.u64()?, reader.u64()?];
        let games = reader.u32()?;
        let shape = KeyLayout { key_bits: reader.u8()?.into(), game_bits: reader.u8()?.into() };
        let footer = Self {
            directory,
            directory_checksum,
            entries,
            segment_len,
            segment_checksum,
            games,
            layout: shape,
        };
        let is_valid =
            shape.key_bits > 0 && shape.game_bits > 0 && shape.key_bits + shape.game_bits <= ENTRY_BITS;
        (footer.to_bytes() == bytes && is_valid).then_some(footer)
    }
}

/// The key table of a segment: which of its games may contain a position.
#[derive(Debug)]
pub struct KeyTable {
    path: PathBuf,
    bytes: Bytes,
    footer: KeyTableFooter,
    /// State of the directory: 0 not verified, 1 sound, 2 damaged.
    directory_state: AtomicU8,
}

impl KeyTable {
    /// Returns the path of the key table of a segment.
    pub(crate) fn path_of(segment: &Segment) -> PathBuf {
        segment.path().with_extension("keys")
    }

    /// Opens the key table of a segment; `None` if there is none. Costs O(1).
    ///
    /// # Errors
    /// Fails if the file cannot be read, is damaged, has another version, or belongs to another segment.
    pub fn open(segment: &Segment) -> Result<Option<Self>> {
        let path = Self::path_of(segment);
        let bytes = match reader::read_or_map(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(Error::from(error).at(path)),
        };
        Self::read(path, bytes, segment).map(Some)
    }

    /// Checks the header and the footer of a table.
    fn read(path: PathBuf, bytes: Bytes, segment: &Segment) -> Result<Self> {
        let damaged = |problem| Error::new(ErrorKind::IndexDamaged { section: NAME, problem }).at(&path);
        let header_bytes = bytes.get(..HEADER_LEN).filter(|header_bytes| header_bytes.starts_with(MAGIC));
        let Some(header_bytes) = header_bytes else {
            return Err(damaged("the file does not start like a key table"));
        };
        let version = Reader(&header_bytes[8..]).u32().unwrap_or(0);
        if version != VERSION && header_bytes[12..].iter().all(|&byte| byte == 0) {
            return Err(Error::new(ErrorKind::IndexVersion { version, newest: VERSION }).at(&path));
        }
        let start = bytes.len().checked_sub(FOOTER_LEN).filter(|&start| start >= HEADER_LEN);
        let footer = start.and_then(|start| KeyTableFooter::read(&bytes[start..]));
        let (Some(start), Some(footer)) = (start, footer) else {
            return Err(damaged("the file is truncated or its end overwritten"));
        };
        let pages = footer.entries.div_ceil(PAGE as u64);
        let directory = pages.checked_mul(ENTRY_LEN as u64).and_then(|len| (start as u64).checked_sub(len));
        if directory != Some(footer.directory)
            || footer.directory < HEADER_LEN as u64
            || header_bytes != header()
        {
            return Err(damaged("its contents are invalid"));
        }
        let own = (segment.file_len(), segment.checksum(), segment.len());
        if (footer.segment_len, footer.segment_checksum, footer.games as usize) != own {
            return Err(damaged("it is the table of another segment"));
        }
        Ok(Self { path, bytes, footer, directory_state: AtomicU8::new(0) })
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the number of entries: distinct positions per game, where positions whose upper key bits are equal
    /// count once.
    pub fn len(&self) -> u64 {
        self.footer.entries
    }

    /// Returns `true` if the table has no entries.
    pub fn is_empty(&self) -> bool {
        self.footer.entries == 0
    }

    /// Returns the length of the file in bytes.
    pub fn file_len(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// Returns the bytes of the file.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Creates the error of a damaged table.
    fn damaged(&self, problem: &'static str) -> Error {
        Error::new(ErrorKind::IndexDamaged { section: NAME, problem }).at(&self.path)
    }

    /// Returns the directory, whose checksum is verified at the first call.
    fn directory(&self) -> Result<&[u8]> {
        let bytes =
            self.bytes.get(self.footer.directory as usize..self.bytes.len() - FOOTER_LEN).unwrap_or(&[]);
        let mut state = self.directory_state.load(Ordering::Relaxed);
        if state == 0 {
            state = if xxh3(bytes) == self.footer.directory_checksum { 1 } else { 2 };
            self.directory_state.store(state, Ordering::Relaxed);
        }
        if state == 1 { Ok(bytes) } else { Err(self.damaged("the checksum of the directory does not match")) }
    }

    /// Returns a page after verifying its checksum. Costs about 2 µs.
    fn page(&self, directory: &[u8], page: usize) -> Result<Page<'_>> {
        let number = |page: usize, column: usize| u64_at(directory, 3 * page + column).unwrap_or(0);
        let start = if page == 0 { HEADER_LEN as u64 } else { number(page - 1, 1) };
        let bytes = self.bytes.get(start as usize..number(page, 1) as usize).unwrap_or(&[]);
        if xxh3(bytes) != number(page, 2) {
            return Err(self.damaged("the checksum of a page does not match"));
        }
        let numbers = (self.footer.entries - (page * PAGE) as u64).min(PAGE as u64) as usize;
        Page::new(bytes, numbers).ok_or_else(|| self.damaged("a page is invalid"))
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
        self.each_game(self.footer.layout.entries(key), |game| is_sorted &= games.try_push(game))?;
        if is_sorted { Ok(games) } else { Err(self.damaged("a page is invalid")) }
    }

    /// Calls `emit` with the games of the entries in a range, in order.
    fn each_game(&self, (low, high): (u64, u64), mut emit: impl FnMut(u32)) -> Result<()> {
        let directory = self.directory()?;
        let first = |page: usize| u64_at(directory, 3 * page).unwrap_or(u64::MAX);
        let pages = directory.len() / ENTRY_LEN;
        let (mut from, mut to) = (0, pages);
        while from < to {
            let middle = usize::midpoint(from, to);
            if first(middle) <= low { from = middle + 1 } else { to = middle }
        }
        let mut is_sound = true;
        for page in from.saturating_sub(1)..pages {
            if first(page) >= high {
                break;
            }
            self.page(directory, page)?.range(low, high, |entry| {
                let game = self.footer.layout.game_of(entry);
                is_sound &= game < self.footer.games;
                if is_sound {
                    emit(game);
                }
            });
        }
        if is_sound { Ok(()) } else { Err(self.damaged("a page is invalid")) }
    }

    /// Returns the upper bits of all keys that at least `least_games` games have, with the number of these games, in
    /// ascending order. Positions whose keys have the same upper bits count as one.
    ///
    /// Verifies the checksums of all pages. From 128 games on, it decodes one entry in 64.
    ///
    /// # Errors
    /// Fails if the table is damaged.
    pub(crate) fn frequent_keys(&self, least_games: u64) -> Result<Vec<(u64, u64)>> {
        let layout = self.footer.layout;
        let directory = self.directory()?;
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
        let mut counts = vec![0u16; self.footer.games as usize];
        for upper_bits in upper_bits {
            self.each_game(self.footer.layout.entries_of(upper_bits), |game| {
                if let Some(count) = counts.get_mut(game as usize) {
                    *count = count.saturating_add(1);
                }
            })?;
        }
        Ok(counts)
    }

    /// Returns the layout of the entries.
    pub(crate) fn layout(&self) -> KeyLayout {
        self.footer.layout
    }

    /// Returns `true` if the key selects so few games (at most about one in eight) that playing only these is faster
    /// than playing all. Costs O(log pages).
    ///
    /// # Errors
    /// Fails if the directory is damaged.
    pub fn is_selective(&self, key: StableKey) -> Result<bool> {
        let directory = self.directory()?;
        let (low, high) = self.footer.layout.entries(key);
        let before = |number: u64| {
            let (mut from, mut to) = (0, directory.len() / ENTRY_LEN);
            while from < to {
                let middle = usize::midpoint(from, to);
                let first = u64_at(directory, 3 * middle).unwrap_or(u64::MAX);
                if first < number { from = middle + 1 } else { to = middle }
            }
            from
        };
        let full_pages = before(high).saturating_sub(before(low)).saturating_sub(1);
        Ok((full_pages * PAGE) as u64 <= u64::from(self.footer.games) / 8)
    }

    /// Returns the number of pages.
    pub(crate) fn pages(&self) -> usize {
        self.footer.entries.div_ceil(PAGE as u64) as usize
    }

    /// Verifies the checksums of the directory and of some pages.
    pub(crate) fn check_page_range(&self, pages: Range<usize>) -> Result<()> {
        let directory = self.directory()?;
        pages.into_iter().try_for_each(|page| self.page(directory, page).map(drop))
    }

    /// Verifies the checksums of the directory and of all pages.
    pub(crate) fn check_pages(&self) -> Result<()> {
        self.check_page_range(0..self.pages())
    }
}
