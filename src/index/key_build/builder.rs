//! From packed moves to a key table: the games are played once for each part of all keys that fits in memory.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};

use crate::board::Geometry;
use crate::error::Result;
use crate::index::format::column::Column;
use crate::index::format::section::Section;
use crate::index::keys::KeyLayout;
use crate::index::keys::writer::TableWriter;
use crate::index::row::summary_bits::is_continuous;
use crate::index::segment::move_blocks::PackedMoves;
use crate::index::segment::reader::Segment;
use crate::pack::{Codecs, CorruptMoves, MoveCodec, WithCodec};
use crate::pool;
use crate::position::{Position, StableKey, State};
use crate::storage::Output;

/// Entries that are sorted at a time: 256 MiB.
pub(super) const MAX_ENTRIES: u64 = 32 << 20;

/// Blocks of games that a worker takes at a time.
const UNIT_BLOCKS: usize = 128;

/// Entries that a worker sorts at a time, about.
const BUCKET_ENTRIES: u64 = 256 << 10;

/// Keys are counted by so many of their bits at a time.
const CELL_BITS: u32 = 12;

/// Compares what is written with what is there.
pub(super) struct ComparingOutput<'a> {
    pub(super) rest: &'a [u8],
    pub(super) is_equal: bool,
}

impl Write for ComparingOutput<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.rest.strip_prefix(bytes) {
            Some(rest) => self.rest = rest,
            None => self.is_equal = false,
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Output for ComparingOutput<'_> {
    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The keys that begin with some bits.
#[derive(Clone, Copy, Debug)]
struct KeyRange {
    prefix: u64,
    bits: u32,
}

impl KeyRange {
    /// Which of the parts of this span a key belongs to.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn cell(self, key: u64) -> Option<usize> {
        let inside = self.bits == 0 || key >> (u64::BITS - self.bits) == self.prefix;
        inside.then_some((key << self.bits >> (u64::BITS - CELL_BITS)) as usize)
    }
}

/// Makes the table of a segment.
pub(super) struct KeyTableBuilder<'a> {
    segment: &'a Segment,
    threads: NonZeroUsize,
    memory: u64,
    layout: KeyLayout,
    moves: PackedMoves<'a>,
    summary: Column<'a>,
    kind: Column<'a>,
    starts: Vec<(Position, StableKey)>,
    /// Entries that have been collected, and all before equal ones are dropped.
    done: u64,
    positions: u64,
}

type ReportShare<'a> = &'a mut dyn FnMut(f64) -> ControlFlow<()>;

impl<'a> KeyTableBuilder<'a> {
    pub(super) fn new(segment: &'a Segment, threads: NonZeroUsize, memory: u64) -> Result<Self> {
        let plies: u64 = segment.column(Section::Plies)?.values().sum();
        let positions = plies + segment.len() as u64;
        Ok(Self {
            segment,
            threads,
            memory,
            layout: KeyLayout::of(segment.len() as u32, positions),
            moves: segment.moves()?,
            summary: segment.column(Section::Summary)?,
            kind: segment.column(Section::Kind)?,
            starts: (segment.kinds()?.iter())
                .map(|kind| segment.start(kind))
                .map(|start| (start, start.key()))
                .collect(),
            done: 0,
            positions,
        })
    }

    /// Writes the table. Answers with its bytes and entries.
    pub(super) fn write(&mut self, out: &mut dyn Output, say: ReportShare<'_>) -> Result<(u64, u64)> {
        let mut writer = TableWriter::new(out);
        if !self.segment.is_empty() {
            self.write_range(KeyRange { prefix: 0, bits: 0 }, &mut writer, say)?;
        }
        Ok(writer.finish(self.layout, self.segment)?)
    }

    /// Writes the entries of a span: as many cells at a time as fit in memory, and a cell that does not in parts.
    fn write_range(
        &mut self,
        span: KeyRange,
        writer: &mut TableWriter<'_>,
        say: ReportShare<'_>,
    ) -> Result<()> {
        let cells = self.count(span, say)?;
        let mut first = 0;
        while first < cells.len() {
            let (mut end, mut sum) = (first, 0);
            while end < cells.len() && (end == first || sum + cells[end] <= self.memory) {
                sum += cells[end];
                end += 1;
            }
            let bits = span.bits + CELL_BITS;
            if sum > self.memory && bits + CELL_BITS <= self.layout.key_bits {
                self.write_range(
                    KeyRange { prefix: span.prefix << CELL_BITS | first as u64, bits },
                    writer,
                    say,
                )?;
            } else if sum > 0 {
                self.collect(span, first..end, &cells, writer)?;
                self.done += sum;
            }
            self.report(0.0, say)?;
            first = end;
        }
        Ok(())
    }

    /// The counting takes about as long as the sorting of a part.
    fn report(&self, counted: f64, say: ReportShare<'_>) -> Result<()> {
        let parts = self.positions.div_ceil(self.memory).max(1) as f64;
        let sorted = self.done as f64 / self.positions.max(1) as f64;
        let share =
            if self.done == 0 { counted / (parts + 1.0) } else { (1.0 + parts * sorted) / (parts + 1.0) };
        match say(share) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(io::Error::from(io::ErrorKind::Interrupted).into()),
        }
    }

    /// How many positions have keys in each cell of a span.
    fn count(&self, span: KeyRange, say: ReportShare<'_>) -> Result<Vec<u64>> {
        let mut cells = vec![0u64; 1 << CELL_BITS];
        let mut units = 0;
        let all = self.moves.blocks().div_ceil(UNIT_BLOCKS).max(1) as f64;
        let count = |codecs: &mut Codecs, blocks: Range<usize>| {
            let mut counts = vec![0u32; 1 << CELL_BITS];
            self.keys(codecs, blocks, |key, _| {
                if let Some(cell) = span.cell(key) {
                    counts[cell] += 1;
                }
            })?;
            Ok(counts)
        };
        self.for_all_games(count, |counts| {
            cells.iter_mut().zip(counts).for_each(|(sum, count)| *sum += u64::from(count));
            units += 1;
            self.report(f64::from(units) / all, say)
        })?;
        Ok(cells)
    }

    /// Sorts and writes the entries of some cells of a span.
    fn collect(
        &self,
        span: KeyRange,
        wanted: Range<usize>,
        cells: &[u64],
        writer: &mut TableWriter<'_>,
    ) -> Result<()> {
        // Cells in a row make a bucket, which one worker sorts.
        let (mut bucket_of, mut sizes) = (Vec::with_capacity(wanted.len()), vec![0u64]);
        for &count in &cells[wanted.clone()] {
            if sizes.last().is_some_and(|&size| size >= BUCKET_ENTRIES) {
                sizes.push(0);
            }
            bucket_of.push(sizes.len() - 1);
            if let Some(size) = sizes.last_mut() {
                *size += count;
            }
        }
        // One key that is everywhere: games that have it several times are counted once before they take memory.
        let dense = sizes.iter().sum::<u64>() > self.memory;
        let room = |size: u64| if dense { 0 } else { size as usize };
        let mut buckets: Vec<Vec<u64>> = sizes.iter().map(|&size| Vec::with_capacity(room(size))).collect();
        let pick = |codecs: &mut Codecs, blocks: Range<usize>| {
            let mut found: Vec<(u32, u64)> = Vec::new();
            self.keys(codecs, blocks, |key, game| {
                if let Some(cell) = span.cell(key).filter(|cell| wanted.contains(cell)) {
                    found.push((bucket_of[cell - wanted.start] as u32, self.layout.entry(key, game)));
                }
            })?;
            if dense {
                found.sort_unstable();
                found.dedup();
            }
            Ok(found)
        };
        self.for_all_games(pick, |found| {
            found.into_iter().for_each(|(bucket, entry)| buckets[bucket as usize].push(entry));
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
        Ok(result?)
    }

    /// Does something with all games of the segment on all threads and takes the results in order.
    fn for_all_games<T: Send>(
        &self,
        work: impl Fn(&mut Codecs, Range<usize>) -> Result<T> + Sync,
        mut take: impl FnMut(T) -> Result<()>,
    ) -> Result<()> {
        let blocks = self.moves.blocks();
        let units = (0..blocks).step_by(UNIT_BLOCKS).map(|start| start..(start + UNIT_BLOCKS).min(blocks));
        let mut result = Ok(());
        pool::ordered(units, self.threads, Codecs::default, work, |found| {
            result = found.and_then(&mut take);
            if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        result
    }

    /// The keys of all positions of the games in some blocks, game by game.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn keys(&self, codecs: &mut Codecs, blocks: Range<usize>, mut emit: impl FnMut(u64, u32)) -> Result<()> {
        for block in blocks {
            for (game, bytes) in self.moves.block(block)?.games() {
                let start = self.starts.get(self.kind.get(game).unwrap_or(0) as usize);
                let Some((start, key)) = start else { return Err(self.moves.nonsense()) };
                let irregular = !is_continuous(self.summary.get(game).unwrap_or(0));
                let one = GameKeys { start, key: *key, irregular, bytes, emit: |key| emit(key, game as u32) };
                codecs.with(start.board(), one).map_err(|CorruptMoves| self.moves.nonsense())?;
            }
        }
        Ok(())
    }
}

/// The keys of one game.
struct GameKeys<'a, E> {
    start: &'a Position,
    key: StableKey,
    irregular: bool,
    bytes: &'a [u8],
    emit: E,
}

impl<E: FnMut(u64)> WithCodec for GameKeys<'_, E> {
    type Output = std::result::Result<(), CorruptMoves>;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn run<G: Geometry>(self, codec: &MoveCodec<G>) -> Self::Output {
        let start: State<G::Bits> = self.start.state().resized();
        keys(codec, (&start, self.key), self.irregular, self.bytes, self.emit)
    }
}

/// The keys of all positions of a game, some nanoseconds each. `key` is that of `start`.
#[cfg_attr(not(debug_assertions), inline(always))]
fn keys<G: Geometry>(
    codec: &MoveCodec<G>,
    (start, mut key): (&State<G::Bits>, StableKey),
    irregular: bool,
    bytes: &[u8],
    mut emit: impl FnMut(u64),
) -> std::result::Result<(), CorruptMoves> {
    if irregular {
        let last = codec.scan(start, bytes, |ply| {
            emit(ply.before().key_on(G::BOARD).0);
            ControlFlow::Continue(())
        })?;
        emit(last.key_on(G::BOARD).0);
        return Ok(());
    }
    emit(key.0);
    codec.scan(start, bytes, |ply| {
        key = match ply.mv() {
            Some(mv) => ply.before().key_after::<G>(key, &mv),
            None => ply.after().key_on(G::BOARD),
        };
        emit(key.0);
        ControlFlow::Continue(())
    })?;
    Ok(())
}
