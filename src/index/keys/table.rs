//! A key table, read where it lies.
//!
//! ```text
//! header     "PDNKEYS\0" | u32 version | zeros up to 64
//! pages      one after the other, 4096 entries each but for the last
//! directory  for each page: u64 its first entry | u64 where it ends in the file | u64 xxh3 of it
//! footer     u64 offset of the directory | u64 xxh3 of it | u64 entries | u64 bytes of the segment
//!            u64 sum in the footer of the segment | u32 games | u8 key bits | u8 game bits | u16 0
//!            u64 xxh3 of the 48 bytes before this | u32 version | u32 0 | "PDNKEYS."
//! ```

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU8, Ordering};

use roaring::RoaringBitmap;

use super::{ENTRY_BITS, KeyLayout};
use crate::error::{Error, ErrorKind, Result};
use crate::index::format::checksum::xxh3;
use crate::index::format::key_page::{PAGE, Page};
use crate::index::format::wire::{Reader, Writer, u64_at};
use crate::index::segment::reader::{self, Segment};
use crate::position::StableKey;
use crate::source::Bytes;

/// The version of the format of tables.
pub(crate) const VERSION: u32 = 1;

const MAGIC: &[u8; 8] = b"PDNKEYS\0";
const END: &[u8; 8] = b"PDNKEYS.";
const HEADER: usize = 64;
const FOOTER: usize = 72;
/// Bytes of the directory for a page.
const ENTRY: usize = 24;
/// What messages call the table.
const NAME: &str = "positions";

/// The name of the table of a segment.
pub(crate) fn file_name(number: u64) -> String {
    format!("segment-{number:08}.keys")
}

/// The first bytes of a file.
pub(crate) fn header() -> [u8; HEADER] {
    let mut header = [0; HEADER];
    header[..8].copy_from_slice(MAGIC);
    header[8..12].copy_from_slice(&VERSION.to_le_bytes());
    header
}

/// What a table says about itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Foot {
    pub(crate) directory: u64,
    pub(crate) directory_sum: u64,
    pub(crate) entries: u64,
    pub(crate) segment_len: u64,
    pub(crate) segment_sum: u64,
    pub(crate) games: u32,
    pub(crate) shape: KeyLayout,
}

impl Foot {
    pub(crate) fn to_bytes(self) -> Vec<u8> {
        let mut out = Writer::default();
        for number in [self.directory, self.directory_sum, self.entries, self.segment_len, self.segment_sum] {
            out.u64(number);
        }
        out.u32(self.games);
        out.u8(self.shape.key_bits as u8);
        out.u8(self.shape.game_bits as u8);
        out.0.extend([0, 0]);
        out.u64(xxh3(&out.0));
        out.u32(VERSION);
        out.u32(0);
        out.0.extend(END);
        out.0
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader(bytes);
        let [directory, directory_sum, entries, segment_len, segment_sum] =
            [reader.u64()?, reader.u64()?, reader.u64()?, reader.u64()?, reader.u64()?];
        let games = reader.u32()?;
        let shape = KeyLayout { key_bits: reader.u8()?.into(), game_bits: reader.u8()?.into() };
        let foot = Self { directory, directory_sum, entries, segment_len, segment_sum, games, shape };
        let fits =
            shape.key_bits > 0 && shape.game_bits > 0 && shape.key_bits + shape.game_bits <= ENTRY_BITS;
        (foot.to_bytes() == bytes && fits).then_some(foot)
    }
}

/// The key table of a segment: which games may have a position.
#[derive(Debug)]
pub struct KeyTable {
    path: PathBuf,
    bytes: Bytes,
    foot: Foot,
    /// Whether the directory fits its sum: 0 not compared yet, 1 yes, 2 no.
    checked: AtomicU8,
}

impl KeyTable {
    /// The file of the table of a segment.
    pub(crate) fn path_of(segment: &Segment) -> PathBuf {
        segment.path().with_extension("keys")
    }

    /// Opens the table of a segment; `None` if there is none. O(1).
    ///
    /// # Errors
    /// When it cannot be read, is damaged, of another version, or of another segment.
    pub fn open(segment: &Segment) -> Result<Option<Self>> {
        let path = Self::path_of(segment);
        let bytes = match reader::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(Error::from(error).at(path)),
        };
        Self::read(path, bytes, segment).map(Some)
    }

    fn read(path: PathBuf, bytes: Bytes, segment: &Segment) -> Result<Self> {
        let damaged = |problem| Error::new(ErrorKind::IndexDamaged { section: NAME, problem }).at(&path);
        let head = bytes.get(..HEADER).filter(|head| head.starts_with(MAGIC));
        let Some(head) = head else {
            return Err(damaged("the file does not begin like a table of positions"));
        };
        let version = Reader(&head[8..]).u32().unwrap_or(0);
        if version != VERSION && head[12..].iter().all(|&byte| byte == 0) {
            return Err(Error::new(ErrorKind::IndexVersion { found: version, newest: VERSION }).at(&path));
        }
        let start = bytes.len().checked_sub(FOOTER).filter(|&start| start >= HEADER);
        let foot = start.and_then(|start| Foot::read(&bytes[start..]));
        let (Some(start), Some(foot)) = (start, foot) else {
            return Err(damaged("the file is cut or its end overwritten"));
        };
        let pages = foot.entries.div_ceil(PAGE as u64);
        let directory = pages.checked_mul(ENTRY as u64).and_then(|len| (start as u64).checked_sub(len));
        if directory != Some(foot.directory) || foot.directory < HEADER as u64 || head != header() {
            return Err(damaged("its contents make no sense"));
        }
        let own = (segment.file_len(), segment.sum(), segment.len());
        if (foot.segment_len, foot.segment_sum, foot.games as usize) != own {
            return Err(damaged("it is the table of another segment"));
        }
        Ok(Self { path, bytes, foot, checked: AtomicU8::new(0) })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Entries: different positions of each game, but for keys that are the same in their upper bits.
    pub fn len(&self) -> u64 {
        self.foot.entries
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.foot.entries == 0
    }

    /// Bytes of the file.
    pub fn file_len(&self) -> u64 {
        self.bytes.len() as u64
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    fn damaged(&self, problem: &'static str) -> Error {
        Error::new(ErrorKind::IndexDamaged { section: NAME, problem }).at(&self.path)
    }

    /// The directory, compared with its sum when it is first used.
    fn directory(&self) -> Result<&[u8]> {
        let bytes = self.bytes.get(self.foot.directory as usize..self.bytes.len() - FOOTER).unwrap_or(&[]);
        let mut known = self.checked.load(Ordering::Relaxed);
        if known == 0 {
            known = if xxh3(bytes) == self.foot.directory_sum { 1 } else { 2 };
            self.checked.store(known, Ordering::Relaxed);
        }
        if known == 1 { Ok(bytes) } else { Err(self.damaged("the checksum of the directory does not fit")) }
    }

    /// A page, compared with its sum: about two microseconds.
    fn page(&self, directory: &[u8], page: usize) -> Result<Page<'_>> {
        let number = |page: usize, column: usize| u64_at(directory, 3 * page + column).unwrap_or(0);
        let start = if page == 0 { HEADER as u64 } else { number(page - 1, 1) };
        let bytes = self.bytes.get(start as usize..number(page, 1) as usize).unwrap_or(&[]);
        if xxh3(bytes) != number(page, 2) {
            return Err(self.damaged("the checksum of a page does not fit"));
        }
        let numbers = (self.foot.entries - (page * PAGE) as u64).min(PAGE as u64) as usize;
        Page::new(bytes, numbers).ok_or_else(|| self.damaged("a page makes no sense"))
    }

    /// The games that may have a position with this key: all that have, and one in some hundred that have not.
    ///
    /// Costs some microseconds, whether there are any or not, and about a nanosecond a game.
    ///
    /// # Errors
    /// When the table is damaged.
    pub fn games(&self, key: StableKey) -> Result<RoaringBitmap> {
        let mut games = RoaringBitmap::new();
        let directory = self.directory()?;
        let (low, high) = self.foot.shape.entries(key);
        let first = |page: usize| u64_at(directory, 3 * page).unwrap_or(u64::MAX);
        let pages = directory.len() / ENTRY;
        let (mut from, mut to) = (0, pages);
        while from < to {
            let middle = usize::midpoint(from, to);
            if first(middle) <= low { from = middle + 1 } else { to = middle }
        }
        let mut sound = true;
        for page in from.saturating_sub(1)..pages {
            if first(page) >= high {
                break;
            }
            self.page(directory, page)?.range(low, high, |entry| {
                let game = self.foot.shape.game(entry);
                sound &= game < self.foot.games && games.try_push(game).is_ok();
            });
        }
        if sound { Ok(games) } else { Err(self.damaged("a page makes no sense")) }
    }

    /// Whether so few games have this key that looking them up is quicker than playing all: one in eight. O(log pages).
    ///
    /// # Errors
    /// When the table is damaged.
    pub fn is_selective(&self, key: StableKey) -> Result<bool> {
        let directory = self.directory()?;
        let (low, high) = self.foot.shape.entries(key);
        let before = |number: u64| {
            let (mut from, mut to) = (0, directory.len() / ENTRY);
            while from < to {
                let middle = usize::midpoint(from, to);
                let first = u64_at(directory, 3 * middle).unwrap_or(u64::MAX);
                if first < number { from = middle + 1 } else { to = middle }
            }
            from
        };
        let whole = before(high).saturating_sub(before(low)).saturating_sub(1);
        Ok((whole * PAGE) as u64 <= u64::from(self.foot.games) / 8)
    }

    /// Compares everything with its sum.
    pub(crate) fn compare(&self) -> Result<()> {
        let directory = self.directory()?;
        (0..directory.len() / ENTRY).try_for_each(|page| self.page(directory, page).map(drop))
    }
}
