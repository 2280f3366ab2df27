//! The file of a slice.
//!
//! All numbers are little-endian.
//!
//! ```text
//! header   "PDNENDGM" | u32 version | u8 men, u8 kings of the side to move | u8 men, u8 kings of the other side
//!          u64 digest of the rules | u64 positions | u64 won | u64 lost
//!          u16 number of pairs | u16 plies of the longest win or loss | u32 0
//!          u64 xxh3 of the header before and of what follows up to the blocks
//! bits     for each symbol: u8 length of its code in bits; 0 if it does not occur
//! pairs    for each symbol that is no entry: u16, u16 the symbols that it stands for
//! places   for each block: u16 length in bytes
//! blocks   for each 512 positions, in the order of their numbers; the last one may have fewer:
//!          u32 low half of xxh3 of the codes | the codes of the block's symbols, the first bit is the highest of a byte
//! ```
//! The entry of a position is 0 if it is drawn, else 1 more than the number of plies to the end. Symbols are all entries up to that of the
//! longest win or loss, and then the pairs. Codes are canonical: shorter ones are smaller, and those of one length are in the order of their
//! symbols. The part before the blocks is read once; after that, a position costs one block, of some 250 bytes.
//!
//! Whether a position is won or lost follows from the number of plies: the side that makes the last move, or is to move when none is
//! left, is always the same one under the rules of a game; see [`Value`]. The digest of the rules is xxh3 of the board, the movement and
//! the ending as `Debug` writes them: what else belongs to the rules changes no value.
//!
//! A file appears whole: it is written under a temporary name, synced and renamed.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use pdn_rules::internal::rules::{Ending, Rules};
use twox_hash::XxHash3_64;

use super::error::EndgameError;
use super::pack::{BLOCK, Code, MAX_PAIRS};
use super::slice::Slice;
use super::source::TableBytes;

const MAGIC: &[u8; 8] = b"PDNENDGM";
const VERSION: u32 = 3;
const HEADER: usize = 64;
/// Bytes of the header before its checksum.
const SUMMED: usize = HEADER - 8;
/// Bytes of the checksum of a block.
const SUM: usize = 4;
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
pub(crate) fn summary(rules: &Rules, slice: Slice, plies: &[u16]) -> SliceSummary {
    let positions = plies.len() as u64;
    let mut summary = SliceSummary { slice, positions, won: 0, lost: 0, longest: 0 };
    for plies in plies.iter().copied().filter(|&plies| plies != DRAWN) {
        summary.longest = summary.longest.max(plies);
        *if is_lost(rules.ending, plies) { &mut summary.lost } else { &mut summary.won } += 1;
    }
    summary
}

/// Writes the table of a slice, of plies or [`DRAWN`] for each position, under the name `path`. Takes no memory besides the plies and the
/// file.
pub(crate) fn write(
    path: &Path,
    rules: &Rules,
    slice: Slice,
    mut plies: Vec<u16>,
) -> Result<SliceSummary, EndgameError> {
    let summary = summary(rules, slice, &plies);
    // Drawn positions become 0.
    plies.iter_mut().for_each(|plies| *plies = plies.wrapping_add(1));
    let (code, symbols) = Code::choose(values(&summary), plies);
    let codes = code.codes();
    let (mut places, mut blocks) = (Vec::new(), Vec::new());
    for symbols in symbols.blocks() {
        let start = blocks.len();
        blocks.extend_from_slice(&[0; SUM]);
        code.write(&codes, symbols, &mut blocks);
        let sum = sum_of(&blocks[start + SUM..]);
        blocks[start..start + SUM].copy_from_slice(&sum);
        places.push((blocks.len() - start) as u16);
    }
    let temporary = path.with_extension("tmp");
    let written = || -> io::Result<()> {
        let mut file = BufWriter::new(File::create(&temporary)?);
        file.write_all(&head(rules, &summary, &code, &places))?;
        file.write_all(&blocks)?;
        file.into_inner()?.sync_all()?;
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

/// Returns the number of symbols of a table that are entries.
fn values(summary: &SliceSummary) -> usize {
    usize::from(summary.longest) + 2
}

/// Returns the checksum of a block's codes.
fn sum_of(codes: &[u8]) -> [u8; SUM] {
    (XxHash3_64::oneshot(codes) as u32).to_le_bytes()
}

/// Returns what stands before the blocks of a file.
fn head(rules: &Rules, summary: &SliceSummary, code: &Code, places: &[u16]) -> Vec<u8> {
    let SliceSummary { slice: Slice { men, kings }, positions, won, lost, longest } = *summary;
    let (pairs, bits) = code.parts();
    let mut head = Vec::new();
    head.extend_from_slice(MAGIC);
    head.extend_from_slice(&VERSION.to_le_bytes());
    head.extend_from_slice(&[men[0], kings[0], men[1], kings[1]]);
    for number in [digest(rules), positions, won, lost] {
        head.extend_from_slice(&number.to_le_bytes());
    }
    head.extend_from_slice(&(pairs.len() as u16).to_le_bytes());
    head.extend_from_slice(&longest.to_le_bytes());
    head.extend_from_slice(&[0; HEADER - 52]);
    head.extend_from_slice(bits);
    for number in pairs.as_flattened().iter().chain(places) {
        head.extend_from_slice(&number.to_le_bytes());
    }
    let sum = sum_of_head(&head);
    head[SUMMED..HEADER].copy_from_slice(&sum.to_le_bytes());
    head
}

/// Returns the checksum of what stands before the blocks, without its own bytes.
fn sum_of_head(head: &[u8]) -> u64 {
    XxHash3_64::oneshot(&[&head[..SUMMED], &head[HEADER..]].concat())
}

/// A finished table, read block by block.
#[derive(Debug)]
pub(crate) struct TableFile {
    path: PathBuf,
    bytes: TableBytes,
    pub(crate) summary: SliceSummary,
    code: Code,
    /// Where each block starts in the file, and where the last one ends.
    starts: Vec<u64>,
}

/// Returns the number that these bytes are.
fn little_endian(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

impl TableFile {
    /// Opens the table of a slice that has `positions` positions; errors name it `path`. Reads and verifies what stands before the blocks, but
    /// no block.
    pub(crate) fn open(
        path: &Path,
        bytes: TableBytes,
        rules: &Rules,
        slice: Slice,
        positions: u64,
    ) -> Result<Self, EndgameError> {
        let damaged = |what| EndgameError::Damaged { path: path.to_owned(), what };
        let failed = EndgameError::at(path);
        let len = bytes.len().map_err(&failed)?;
        if len < HEADER as u64 {
            return Err(damaged("the file is too short for a slice"));
        }
        let blocks = positions.div_ceil(BLOCK as u64);
        // Room for short distances. Those of few slices are longer, and need a second read.
        let enough = (HEADER + 256 + 5 * MAX_PAIRS) as u64 + 2 * blocks;
        let (mut buffer, mut longer) = (Vec::new(), Vec::new());
        let mut head = bytes.range(0, enough.min(len), &mut buffer).map_err(&failed)?;
        let number = |at: usize, bytes: usize| little_endian(&head[at..at + bytes]);
        if &head[..8] != MAGIC || number(8, 4) != u64::from(VERSION) {
            return Err(damaged("this is no file of a slice, or one of another version"));
        }
        if number(16, 8) != digest(rules) {
            return Err(EndgameError::OtherRules { path: path.to_owned() });
        }
        let [men, kings, other_men, other_kings] = [12, 13, 14, 15].map(|at| head[at]);
        let found = Slice { men: [men, other_men], kings: [kings, other_kings] };
        let (won, lost) = (number(32, 8), number(40, 8));
        let (pair_count, longest) = (number(48, 2) as usize, number(50, 2) as u16);
        let summary = SliceSummary { slice, positions, won, lost, longest };
        let symbols = values(&summary) + pair_count;
        let end = (HEADER + symbols + 4 * pair_count) as u64 + 2 * blocks;
        let misfit = "the header or the length does not fit the slice";
        if (found, number(24, 8)) != (slice, positions) || end > len {
            return Err(damaged(misfit));
        }
        if end > head.len() as u64 {
            head = bytes.range(0, end, &mut longer).map_err(&failed)?;
        }
        let head = &head[..end as usize];
        if sum_of_head(head) != little_endian(&head[SUMMED..HEADER]) {
            return Err(damaged("the checksum of the header does not match"));
        }
        let (bits, rest) = head[HEADER..].split_at(symbols);
        let numbers = rest.as_chunks::<2>().0.iter().map(|&bytes| u16::from_le_bytes(bytes));
        let numbers: Vec<u16> = numbers.collect();
        let (pairs, places) = numbers.split_at(2 * pair_count);
        let pairs = pairs.as_chunks::<2>().0.to_vec();
        let code = Code::new(values(&summary), pairs, bits.to_vec()).ok_or(damaged(misfit))?;
        let mut starts = vec![end];
        starts.extend(places.iter().scan(end, |end, &place| {
            *end += u64::from(place);
            Some(*end)
        }));
        if starts.last() != Some(&len) {
            return Err(damaged(misfit));
        }
        Ok(Self { path: path.to_owned(), bytes, summary, code, starts })
    }

    /// Returns the number of plies to the end of the position with this number, or [`DRAWN`]. Reads its block, in O(1).
    pub(crate) fn plies(&self, number: u64) -> Result<u16, EndgameError> {
        let (block, at) = ((number / BLOCK as u64) as usize, (number % BLOCK as u64) as usize);
        let entry = self.with_block(block, |codes| self.code.entry(codes, at))?;
        Ok(entry.wrapping_sub(1))
    }

    /// Reads the whole table.
    pub(crate) fn read(self) -> Result<Vec<u16>, EndgameError> {
        let mut plies = Vec::new();
        let positions = self.summary.positions;
        plies.try_reserve_exact(positions as usize).map_err(|_| EndgameError::Memory { positions })?;
        for block in 0..self.starts.len() - 1 {
            let count = (positions as usize - block * BLOCK).min(BLOCK);
            self.with_block(block, |codes| self.code.read(codes, count, &mut plies).then_some(()))?;
        }
        plies.iter_mut().for_each(|entry| *entry = entry.wrapping_sub(1));
        Ok(plies)
    }

    /// Reads the codes of a block, and returns what `find` finds in them.
    fn with_block<T>(&self, block: usize, find: impl FnOnce(&[u8]) -> Option<T>) -> Result<T, EndgameError> {
        let damaged = |what| EndgameError::Damaged { path: self.path.clone(), what };
        let Some(&[start, end]) = self.starts.get(block..block + 2) else {
            return Err(damaged("it has too few blocks"));
        };
        let mut buffer = Vec::new();
        let bytes = self.bytes.range(start, end, &mut buffer).map_err(EndgameError::at(&self.path))?;
        match bytes.split_first_chunk() {
            Some((sum, codes)) if *sum == sum_of(codes) => {
                find(codes).ok_or_else(|| damaged("a block has other entries"))
            }
            _ => Err(damaged("the checksum of its entries does not match")),
        }
    }
}
