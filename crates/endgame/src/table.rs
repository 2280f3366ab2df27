//! The file of a slice.
//!
//! All numbers are little-endian.
//!
//! ```text
//! header   "PDNENDGM" | u32 version | u8 men, u8 kings of the side to move | u8 men, u8 kings of the other side
//!          u64 digest of the rules | u64 positions | u64 won | u64 lost
//!          u16 bytes of an entry (1 or 2) | u16 plies of the longest win or loss | u32 0
//!          u64 xxh3 of the header before and of the places after
//! places   for each block: u32 length in bytes | u64 xxh3 of its bytes
//! blocks   16,384 bytes of entries each, the last of which may be shorter, compressed by DEFLATE (RFC 1951)
//! entries  for each position, in the order of their numbers: 0 if it is drawn, else 1 more than the number of plies to the end
//! ```
//! The number of places follows from the number of positions, so one read at the start of a file tells where all blocks are. After that, a
//! position costs one block.
//!
//! Whether a position is won or lost follows from the number of plies: the side that makes the last move, or is to move when none is
//! left, is always the same one under the rules of a game; see [`Value`]. The digest of the rules is xxh3 of the board, the movement and
//! the ending as `Debug` writes them: what else belongs to the rules changes no value.
//!
//! A file appears whole: it is written under a temporary name, synced and renamed.

use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, OnceLock};

use flate2::{Compress, Compression, Decompress, FlushCompress, FlushDecompress, Status};
use pdn_rules::internal::rules::{Ending, Rules};
use twox_hash::XxHash3_64;

use super::error::EndgameError;
use super::slice::Slice;
use super::source::{TableBytes, locked};

const MAGIC: &[u8; 8] = b"PDNENDGM";
const VERSION: u32 = 2;
const HEADER: usize = 64;
/// Bytes of the header before its checksum.
const SUMMED: usize = HEADER - 8;
/// Bytes of the place of a block.
const PLACE: usize = 12;
/// Bytes of entries that are compressed together, and read at once.
const BLOCK: usize = 1 << 14;
/// The most blocks that are kept in memory: 128 MiB.
const CACHED: usize = 1 << 13;
/// The number of plies that a table in memory has for a drawn position.
pub(crate) const DRAWN: u16 = u16::MAX;

/// The value of a position for the side to move, when both sides play as well as they can.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Value {
    /// The side to move wins.
    Win {
        /// The number of plies to the end of the game: 0 if it is over.
        plies: u16,
    },
    /// No side can force the end of the game.
    Draw,
    /// The side to move loses.
    Loss {
        /// The number of plies to the end of the game: 0 if it is over.
        plies: u16,
    },
}

/// Returns `true` if a position is lost for the side to move, given the number of plies to the end of the game. At the end, the side
/// without a move has lost, or has won where that is the aim; with each ply before it, the side to move changes.
pub(crate) fn is_lost(ending: Ending, plies: u16) -> bool {
    plies.is_multiple_of(2) == (ending != Ending::NoMoveWins)
}

/// Returns the value of a position, given the number of plies to the end of the game or [`DRAWN`].
pub(crate) fn value(ending: Ending, plies: u16) -> Value {
    match plies {
        DRAWN => Value::Draw,
        plies if is_lost(ending, plies) => Value::Loss { plies },
        plies => Value::Win { plies },
    }
}

/// The numbers of won, drawn and lost positions of a slice, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct SliceSummary {
    /// The slice.
    pub slice: Slice,
    /// The number of its positions.
    pub positions: u64,
    /// The number of positions that the side to move wins.
    pub won: u64,
    /// The number of positions that the side to move loses.
    pub lost: u64,
    /// The number of plies of the longest win or loss; 0 if there is none.
    pub longest: u16,
}

impl SliceSummary {
    /// Returns the number of drawn positions.
    pub fn drawn(&self) -> u64 {
        self.positions - self.won - self.lost
    }
}

/// Returns the digest of the rules that values depend on.
pub(crate) fn digest(rules: &Rules) -> u64 {
    XxHash3_64::oneshot(format!("{:?} {:?} {:?}", rules.board, rules.movement, rules.ending).as_bytes())
}

/// Counts the positions of a slice by their plies, or [`DRAWN`].
pub(crate) fn summary(
    rules: &Rules,
    slice: Slice,
    plies: impl ExactSizeIterator<Item = u16>,
) -> SliceSummary {
    let positions = plies.len() as u64;
    let mut summary = SliceSummary { slice, positions, won: 0, lost: 0, longest: 0 };
    for plies in plies.filter(|&plies| plies != DRAWN) {
        summary.longest = summary.longest.max(plies);
        *if is_lost(rules.ending, plies) { &mut summary.lost } else { &mut summary.won } += 1;
    }
    summary
}

/// Writes the table of a slice, of plies or [`DRAWN`] for each position, under the name `path`.
pub(crate) fn write(
    path: &Path,
    rules: &Rules,
    slice: Slice,
    plies: impl ExactSizeIterator<Item = u16> + Clone,
) -> Result<SliceSummary, EndgameError> {
    let summary = summary(rules, slice, plies.clone());
    let width = if summary.longest < u16::from(u8::MAX) { 1 } else { 2 };
    let temporary = path.with_extension("tmp");
    let written = || -> io::Result<()> {
        let mut file = File::create(&temporary)?;
        let blocks = plies.len().div_ceil(BLOCK / width);
        file.seek(SeekFrom::Start((HEADER + PLACE * blocks) as u64))?;
        let mut places = Vec::with_capacity(PLACE * blocks);
        let (mut block, mut packed) = (Vec::with_capacity(BLOCK), Vec::new());
        let mut plies = plies;
        for _ in 0..blocks {
            block.clear();
            for plies in plies.by_ref().take(BLOCK / width) {
                // Drawn positions become 0.
                block.extend_from_slice(&plies.wrapping_add(1).to_le_bytes()[..width]);
            }
            pack(&block, &mut packed)?;
            file.write_all(&packed)?;
            places.extend_from_slice(&(packed.len() as u32).to_le_bytes());
            places.extend_from_slice(&XxHash3_64::oneshot(&packed).to_le_bytes());
        }
        file.seek(SeekFrom::Start(0))?;
        file.write_all(&header(rules, &summary, width, &places))?;
        file.write_all(&places)?;
        file.sync_all()?;
        fs::rename(&temporary, path)?;
        // Elsewhere a folder cannot be synced.
        #[cfg(unix)]
        if let Some(folder) = path.parent() {
            File::open(folder)?.sync_all()?;
        }
        Ok(())
    };
    written().map_err(|error| {
        // What remains if this fails, too, is written over by the next build.
        let _ = fs::remove_file(&temporary);
        EndgameError::at(path)(error)
    })?;
    Ok(summary)
}

/// Compresses a block.
fn pack(block: &[u8], packed: &mut Vec<u8>) -> io::Result<()> {
    packed.clear();
    // Entries that cannot be compressed become a few bytes longer.
    packed.reserve(block.len() + block.len() / 8 + 64);
    match Compress::new(Compression::default(), false).compress_vec(block, packed, FlushCompress::Finish) {
        Ok(Status::StreamEnd) => Ok(()),
        _ => Err(io::Error::other("a block cannot be compressed")),
    }
}

/// Restores a block of `block.len()` bytes, and returns `true`, if it has that length.
fn unpack(packed: &[u8], block: &mut [u8]) -> bool {
    let mut decoder = Decompress::new(false);
    let status = decoder.decompress(packed, block, FlushDecompress::Finish);
    matches!(status, Ok(Status::StreamEnd)) && decoder.total_out() == block.len() as u64
}

fn header(rules: &Rules, summary: &SliceSummary, width: usize, places: &[u8]) -> Vec<u8> {
    let SliceSummary { slice: Slice { men, kings }, positions, won, lost, longest } = *summary;
    let mut header = Vec::with_capacity(HEADER);
    header.extend_from_slice(MAGIC);
    header.extend_from_slice(&VERSION.to_le_bytes());
    header.extend_from_slice(&[men[0], kings[0], men[1], kings[1]]);
    for number in [digest(rules), positions, won, lost] {
        header.extend_from_slice(&number.to_le_bytes());
    }
    header.extend_from_slice(&(width as u16).to_le_bytes());
    header.extend_from_slice(&longest.to_le_bytes());
    header.extend_from_slice(&[0; 4]);
    let sum = XxHash3_64::oneshot(&[&header, places].concat());
    header.extend_from_slice(&sum.to_le_bytes());
    header
}

/// A finished table, read block by block.
#[derive(Debug)]
pub(crate) struct TableFile {
    path: PathBuf,
    bytes: TableBytes,
    pub(crate) summary: SliceSummary,
    /// Bytes of an entry.
    width: usize,
    blocks: Vec<BlockPlace>,
}

/// Where a block is.
#[derive(Clone, Copy, Debug)]
struct BlockPlace {
    start: u64,
    len: u32,
    sum: u64,
}

/// Blocks of tables that were read. A block has one place, which another one may take from it.
#[derive(Default)]
pub(crate) struct BlockCache(OnceLock<Box<[Mutex<CachedBlock>]>>);

/// The slice of a block, its number and its entries.
type CachedBlock = Option<(Slice, usize, Vec<u8>)>;

impl BlockCache {
    /// Returns the place of a block.
    fn place(&self, slice: Slice, number: usize) -> MutexGuard<'_, CachedBlock> {
        let [men, kings] =
            [slice.men, slice.kings].map(|[own, other]| usize::from(own) << 4 | usize::from(other));
        // Neighbours stay neighbours, so that a table of up to as many blocks takes a place for each.
        let place = (men << 8 | kings).wrapping_mul(0x9e37_79b9).wrapping_add(number) % CACHED;
        locked(&self.0.get_or_init(|| (0..CACHED).map(|_| Mutex::default()).collect())[place])
    }
}

/// Returns the number that these bytes are.
fn little_endian(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

impl TableFile {
    /// Opens the table of a slice that has `positions` positions; errors name it `path`. Reads and verifies the header and the places of
    /// the blocks, but no block.
    pub(crate) fn open(
        path: &Path,
        bytes: TableBytes,
        rules: &Rules,
        slice: Slice,
        positions: u64,
    ) -> Result<Self, EndgameError> {
        let damaged = |what| EndgameError::Damaged { path: path.to_owned(), what };
        let failed = EndgameError::at(path);
        // The places if entries have two bytes. If they have one, this reads the beginning of the blocks as well.
        let most = HEADER as u64 + PLACE as u64 * positions.saturating_mul(2).div_ceil(BLOCK as u64);
        let len = bytes.len().map_err(&failed)?;
        if len < HEADER as u64 {
            return Err(damaged("the file is too short for a slice"));
        }
        let mut head = vec![0; most.min(len) as usize];
        bytes.read(0, &mut head).map_err(&failed)?;
        let number = |at: usize, bytes: usize| little_endian(&head[at..at + bytes]);
        if &head[..8] != MAGIC || number(8, 4) != u64::from(VERSION) {
            return Err(damaged("this is no file of a slice, or one of another version"));
        }
        if number(16, 8) != digest(rules) {
            return Err(EndgameError::OtherRules { path: path.to_owned() });
        }
        let width = number(48, 2);
        let count = positions.saturating_mul(width).div_ceil(BLOCK as u64) as usize;
        let [men, kings, other_men, other_kings] = [12, 13, 14, 15].map(|at| head[at]);
        let found = Slice { men: [men, other_men], kings: [kings, other_kings] };
        let fits = (found, number(24, 8)) == (slice, positions) && (1..=2).contains(&width);
        let places = head[HEADER..].as_chunks::<PLACE>().0.get(..count).filter(|_| fits);
        let Some(places) = places else {
            return Err(damaged("the header or the length does not fit the slice"));
        };
        if XxHash3_64::oneshot(&[&head[..SUMMED], places.as_flattened()].concat()) != number(SUMMED, 8) {
            return Err(damaged("the checksum of the header does not match"));
        }
        let mut end = (HEADER + PLACE * count) as u64;
        let blocks = places.iter().map(|place| {
            let (len, sum) = place.split_at(4);
            let place = BlockPlace { start: end, len: little_endian(len) as u32, sum: little_endian(sum) };
            end += u64::from(place.len);
            place
        });
        let blocks = blocks.collect();
        if end != len {
            return Err(damaged("the header or the length does not fit the slice"));
        }
        let (won, lost, longest) = (number(32, 8), number(40, 8), number(50, 2) as u16);
        let summary = SliceSummary { slice, positions, won, lost, longest };
        Ok(Self { path: path.to_owned(), bytes, summary, width: width as usize, blocks })
    }

    /// Returns the number of plies to the end of the position with this number, or [`DRAWN`]. Reads its block, unless the cache has it.
    pub(crate) fn plies(&self, number: u64, cache: &BlockCache) -> Result<u16, EndgameError> {
        let at = number * self.width as u64;
        let (slice, block) = (self.summary.slice, (at / BLOCK as u64) as usize);
        let mut cached = cache.place(slice, block);
        if !matches!(&*cached, Some((of, number, _)) if (*of, *number) == (slice, block)) {
            // What an error leaves behind is no block.
            let mut entries = cached.take().map(|(_, _, entries)| entries).unwrap_or_default();
            self.read_block(block, &mut entries, &mut Vec::new())?;
            *cached = Some((slice, block, entries));
        }
        let entries = cached.as_ref().map_or(&[][..], |(_, _, entries)| entries);
        Ok(plies_of(entries.get((at % BLOCK as u64) as usize..).unwrap_or_default(), self.width))
    }

    /// Reads the whole table.
    pub(crate) fn read(self) -> Result<Vec<u16>, EndgameError> {
        let (mut plies, mut entries, mut packed) = (Vec::new(), Vec::new(), Vec::new());
        let positions = self.summary.positions;
        plies.try_reserve_exact(positions as usize).map_err(|_| EndgameError::Memory { positions })?;
        for number in 0..self.blocks.len() {
            self.read_block(number, &mut entries, &mut packed)?;
            plies.extend(entries.chunks(self.width).map(|entry| plies_of(entry, self.width)));
        }
        Ok(plies)
    }

    /// Reads the entries of a block. `packed` is a buffer for its compressed bytes.
    fn read_block(
        &self,
        number: usize,
        entries: &mut Vec<u8>,
        packed: &mut Vec<u8>,
    ) -> Result<(), EndgameError> {
        let damaged = |what| EndgameError::Damaged { path: self.path.clone(), what };
        let Some(&BlockPlace { start, len, sum }) = self.blocks.get(number) else {
            return Err(damaged("it has too few blocks"));
        };
        packed.resize(len as usize, 0);
        self.bytes.read(start, packed).map_err(EndgameError::at(&self.path))?;
        if XxHash3_64::oneshot(packed) != sum {
            return Err(damaged("the checksum of its entries does not match"));
        }
        let before = (number * BLOCK) as u64;
        let left = (self.summary.positions * self.width as u64).saturating_sub(before);
        entries.resize(left.min(BLOCK as u64) as usize, 0);
        if !unpack(packed, entries) {
            return Err(damaged("a block has another length"));
        }
        Ok(())
    }
}

/// Returns the number of plies that an entry at the start of `bytes` stands for, or [`DRAWN`].
fn plies_of(bytes: &[u8], width: usize) -> u16 {
    let byte = |at: usize| u16::from(bytes.get(at).copied().unwrap_or_default());
    let entry = if width == 1 { byte(0) } else { byte(0) | byte(1) << 8 };
    entry.wrapping_sub(1)
}
