//! Builds the key table of one segment: plays the games once for each part of all keys that fits in memory.

use std::io;
use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};

use crate::format::column::Column;
use crate::format::columns::Section;
use crate::keys::{KeyLayout, TableWriter};
use crate::pack::{Codecs, CorruptMoves};
use crate::row::summary_bits::is_continuous;
use crate::segment::move_blocks::PackedMoves;
use crate::segment::reader::Segment;
use pdn::error::Result;
use pdn::internal::pool;
use pdn::internal::storage::Output;
use pdn::position::{Position, StableKey};
use pdn_rules::internal::board::{Geometry, WithBoard};
use pdn_rules::internal::position::State;

/// Maximum number of entries in memory: 256 MiB.
pub(super) const MAX_ENTRIES: u64 = 32 << 20;

/// Number of entries for which there must be memory: 4 MiB. With fewer, the games are played too many times.
const MIN_ENTRIES: u64 = 512 << 10;

/// Returns the bytes of memory that must be left for `threads` threads: the entries of two units of games each, and what
/// their stacks and the allocator take.
fn reserve_bytes(threads: NonZeroUsize) -> u64 {
    (16 << 20) + threads.get() as u64 * (24 << 20)
}

/// Blocks of 32 games that a worker takes at a time.
const UNIT_BLOCKS: usize = 128;

/// Approximate number of entries that a worker sorts at a time.
const BUCKET_ENTRIES: u64 = 256 << 10;

/// Number of key bits that divide a range into cells, which are counted separately.
const CELL_BITS: u32 = 12;

/// The keys that start with the `bits` bits of `prefix`.
#[derive(Clone, Copy, Debug)]
struct KeyRange {
    prefix: u64,
    bits: u32,
}

impl KeyRange {
    /// Returns the cell of this range that a key belongs to; `None` for a key outside the range.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn cell(self, key: u64) -> Option<usize> {
        let inside = self.bits == 0 || key >> (u64::BITS - self.bits) == self.prefix;
        inside.then_some((key << self.bits >> (u64::BITS - CELL_BITS)) as usize)
    }
}

/// Builds the key table of a segment.
pub(super) struct KeyTableBuilder<'a> {
    segment: &'a Segment,
    threads: NonZeroUsize,
    /// Maximum number of entries in memory. Halved while the system does not give as much.
    memory: u64,
    /// Number of entries below which `memory` is not halved.
    pub(super) min_memory: u64,
    /// Number of entries for which there is memory at most; for tests.
    pub(super) available: u64,
    layout: KeyLayout,
    moves: PackedMoves<'a>,
    summary: Column<'a>,
    kind: Column<'a>,
    /// Start position of each game kind, and its key.
    starts: Vec<(Position, StableKey)>,
    /// Number of entries that have been collected, duplicates included.
    collected: u64,
    /// Number of positions of all games, duplicates included.
    positions: u64,
}

/// A callback that receives the finished share of the work, 0 to 1, and may break off.
type ReportShare<'a> = &'a mut dyn FnMut(f64) -> ControlFlow<()>;

impl<'a> KeyTableBuilder<'a> {
    /// Prepares a builder that keeps at most `memory` entries in memory.
    pub(super) fn new(segment: &'a Segment, threads: NonZeroUsize, memory: u64) -> Result<Self> {
        let plies: u64 = segment.column(Section::Plies)?.values().sum();
        let positions = plies + segment.len() as u64;
        Ok(Self {
            segment,
            threads,
            memory,
            min_memory: MIN_ENTRIES,
            available: u64::MAX,
            layout: KeyLayout::of(segment.len() as u32, positions),
            moves: segment.moves()?,
            summary: segment.column(Section::Summary)?,
            kind: segment.column(Section::Kind)?,
            starts: (segment.kinds()?.iter())
                .map(|kind| segment.start(kind))
                .map(|start| (start, start.key()))
                .collect(),
            collected: 0,
            positions,
        })
    }

    /// Writes the table. Returns its length in bytes and the number of entries.
    pub(super) fn write(
        &mut self,
        out: &mut dyn Output,
        report_share: ReportShare<'_>,
    ) -> Result<(u64, u64)> {
        let mut writer = TableWriter::new(out);
        if !self.segment.is_empty() {
            self.write_range(KeyRange { prefix: 0, bits: 0 }, &mut writer, report_share)?;
        }
        Ok(writer.finish(self.layout, self.segment)?)
    }

    /// Writes the entries of a range: as many cells at a time as fit in memory, and a larger cell in parts.
    fn write_range(
        &mut self,
        range: KeyRange,
        writer: &mut TableWriter<'_>,
        report_share: ReportShare<'_>,
    ) -> Result<()> {
        let cells = self.count(range, report_share)?;
        let mut first = 0;
        while first < cells.len() {
            let (mut end, mut sum) = (first, 0);
            while end < cells.len() && (end == first || sum + cells[end] <= self.memory) {
                sum += cells[end];
                end += 1;
            }
            let bits = range.bits + CELL_BITS;
            if sum > self.memory && bits + CELL_BITS <= self.layout.key_bits {
                self.write_range(
                    KeyRange { prefix: range.prefix << CELL_BITS | first as u64, bits },
                    writer,
                    report_share,
                )?;
            } else if sum > 0 {
                if !self.collect(range, first..end, &cells, writer)? {
                    self.use_less_memory()?;
                    continue;
                }
                self.collected += sum;
            }
            self.report(0.0, report_share)?;
            first = end;
        }
        Ok(())
    }

    /// Reports progress. Counting is assumed to take as long as sorting one part.
    fn report(&self, counted: f64, report_share: ReportShare<'_>) -> Result<()> {
        let parts = self.positions.div_ceil(self.memory).max(1) as f64;
        let sorted = self.collected as f64 / self.positions.max(1) as f64;
        let share = if self.collected == 0 {
            counted / (parts + 1.0)
        } else {
            (1.0 + parts * sorted) / (parts + 1.0)
        };
        match report_share(share) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(io::Error::from(io::ErrorKind::Interrupted).into()),
        }
    }

    /// Returns the number of positions in each cell of a range.
    fn count(&self, range: KeyRange, report_share: ReportShare<'_>) -> Result<Vec<u64>> {
        let mut cells = vec![0u64; 1 << CELL_BITS];
        let mut units = 0;
        let unit_count = self.moves.blocks().div_ceil(UNIT_BLOCKS).max(1) as f64;
        let count = |codecs: &mut Codecs, blocks: Range<usize>| {
            let mut counts = vec![0u32; 1 << CELL_BITS];
            self.for_each_game(codecs, blocks, |_, keys| {
                keys.iter().filter_map(|&key| range.cell(key)).for_each(|cell| counts[cell] += 1);
            })?;
            Ok(counts)
        };
        self.for_all_games(count, |counts| {
            cells.iter_mut().zip(counts).for_each(|(sum, count)| *sum += u64::from(count));
            units += 1;
            self.report(f64::from(units) / unit_count, report_share)
        })?;
        Ok(cells)
    }

    /// Halves the memory, so that the next part is smaller.
    ///
    /// # Errors
    /// Fails with [`io::ErrorKind::OutOfMemory`] if there is too little for any part.
    fn use_less_memory(&mut self) -> Result<()> {
        self.memory /= 2;
        if self.memory >= self.min_memory {
            return Ok(());
        }
        let needed = (MIN_ENTRIES * 8 + reserve_bytes(self.threads)) >> 20;
        let message = format!("not enough memory: building a key table needs {needed} MiB more than is left");
        Err(io::Error::new(io::ErrorKind::OutOfMemory, message).into())
    }

    /// Returns empty buckets with room for these numbers of entries; `None` if there is not enough memory for them and
    /// for the work of all threads.
    fn buckets(&self, sizes: &[u64]) -> Option<Vec<Vec<u64>>> {
        if sizes.iter().sum::<u64>() > self.available {
            return None;
        }
        let mut reserve: Vec<u8> = Vec::new();
        reserve.try_reserve_exact(reserve_bytes(self.threads) as usize).ok()?;
        let bucket = |&size: &u64| {
            let mut bucket = Vec::new();
            bucket.try_reserve_exact(usize::try_from(size).ok()?).ok().map(|()| bucket)
        };
        sizes.iter().map(bucket).collect()
    }

    /// Sorts and writes the entries of some cells of a range. Returns `false`, without having written any, if there is not
    /// enough memory.
    fn collect(
        &self,
        range: KeyRange,
        cells_wanted: Range<usize>,
        cells: &[u64],
        writer: &mut TableWriter<'_>,
    ) -> Result<bool> {
        // Consecutive cells form a bucket, which one worker sorts.
        let (mut bucket_of, mut sizes) = (Vec::with_capacity(cells_wanted.len()), vec![0u64]);
        for &count in &cells[cells_wanted.clone()] {
            if sizes.last().is_some_and(|&size| size >= BUCKET_ENTRIES) {
                sizes.push(0);
            }
            bucket_of.push(sizes.len() - 1);
            if let Some(size) = sizes.last_mut() {
                *size += count;
            }
        }
        // A single key may occur in more games than fit in memory. Duplicates within a game are then removed before
        // entries are collected.
        let exceeds_memory = sizes.iter().sum::<u64>() > self.memory;
        if exceeds_memory {
            sizes.fill(0);
        }
        let Some(mut buckets) = self.buckets(&sizes) else { return Ok(false) };
        let pick = |codecs: &mut Codecs, blocks: Range<usize>| {
            let mut entries_found: Vec<(u32, u64)> = Vec::new();
            self.for_each_game(codecs, blocks, |game, keys| {
                for &key in keys {
                    if let Some(cell) = range.cell(key).filter(|cell| cells_wanted.contains(cell)) {
                        entries_found.push((
                            bucket_of[cell - cells_wanted.start] as u32,
                            self.layout.entry(key, game),
                        ));
                    }
                }
            })?;
            if exceeds_memory {
                entries_found.sort_unstable();
                entries_found.dedup();
            }
            Ok(entries_found)
        };
        self.for_all_games(pick, |entries_found| {
            entries_found.into_iter().for_each(|(bucket, entry)| buckets[bucket as usize].push(entry));
            Ok(())
        })?;
        let mut result = Ok(());
        pool::ordered(
            buckets,
            self.threads,
            || (),
            |(), mut bucket| {
                bucket.sort_unstable();
                bucket.dedup();
                bucket
            },
            |bucket| {
                result = writer.push(&bucket);
                if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            },
        );
        result?;
        Ok(true)
    }

    /// Calls `work` with ranges of blocks of all games on all threads, and `take` with the results in order.
    fn for_all_games<T: Send>(
        &self,
        work: impl Fn(&mut Codecs, Range<usize>) -> Result<T> + Sync,
        mut take: impl FnMut(T) -> Result<()>,
    ) -> Result<()> {
        let blocks = self.moves.blocks();
        let units = (0..blocks).step_by(UNIT_BLOCKS).map(|start| start..(start + UNIT_BLOCKS).min(blocks));
        let mut result = Ok(());
        pool::ordered(units, self.threads, Codecs::default, work, |output| {
            result = output.and_then(&mut take);
            if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        result
    }

    /// Calls `take` with the number of each game and the keys of its positions.
    fn for_each_game(
        &self,
        codecs: &mut Codecs,
        blocks: Range<usize>,
        mut take: impl FnMut(u32, &[u64]),
    ) -> Result<()> {
        let mut keys = Vec::new();
        for block in blocks {
            for (game, bytes) in self.moves.block(block)?.games() {
                keys.clear();
                self.append_keys(codecs, game, bytes, &mut keys)?;
                take(game as u32, &keys);
            }
        }
        Ok(())
    }

    /// Appends the keys of the positions of a game. Not generic, because it contains the moves of every ruleset.
    fn append_keys(&self, codecs: &mut Codecs, game: usize, bytes: &[u8], keys: &mut Vec<u64>) -> Result<()> {
        let start = self.starts.get(self.kind.get(game).unwrap_or(0) as usize);
        let Some((start, key)) = start else { return Err(self.moves.corrupt_moves()) };
        let is_continuous = is_continuous(self.summary.get(game).unwrap_or(0));
        let emit = |key| keys.push(key);
        let game_keys = GameKeys { codecs, start, key: *key, is_continuous, bytes, emit };
        start.board().with(game_keys).map_err(|CorruptMoves| self.moves.corrupt_moves())
    }
}

/// A game whose keys are wanted: see [`MoveCodec::keys`](crate::pack::MoveCodec::keys).
struct GameKeys<'a, E> {
    codecs: &'a mut Codecs,
    start: &'a Position,
    key: StableKey,
    is_continuous: bool,
    bytes: &'a [u8],
    emit: E,
}

impl<E: FnMut(u64)> WithBoard for GameKeys<'_, E> {
    type Output = std::result::Result<(), CorruptMoves>;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn run<G: Geometry>(self) -> Self::Output {
        let start: State<G::Bits> = self.start.state().resized();
        let mut emit = self.emit;
        self.codecs.on::<G>().keys((&start, self.key), self.is_continuous, self.bytes, |key| {
            emit(key);
            ControlFlow::Continue(())
        })
    }
}
