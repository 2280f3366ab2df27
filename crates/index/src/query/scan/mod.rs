//! Scans games by playing their packed moves, on several threads and with results in the order of the games.

mod line_marks;
mod segment_plan;
mod matches;

pub(super) use line_marks::FoundHit;
pub(super) use matches::{AllMatchScan, FirstMatchScan};
pub(super) use segment_plan::SegmentPlan;

use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};

use crate::pack::game::PlayableGame;
use crate::pack::{Codecs, CorruptMoves};
use crate::{
    Column, ColumnFilter, GameKind, GameSet, Index, MoveBuffer, PackedMoves, Section, Segment, is_continuous,
};
use pdn::board::Board;
use pdn::error::{ErrorKind, Result};
use pdn::internal::pool;
use pdn::stop::Stop;
use pdn_rules::internal::board::{Geometry, WithBoard};
use pdn_rules::internal::position::State;

// Twin: one thread; test: scan_results_keep_game_order_on_any_number_of_threads.

/// The greatest number of consecutive games that a thread takes at a time: at least some tenths of a millisecond of work.
const MAX_BATCH_GAMES: u32 = 16384;

/// The least number, a multiple of the games of a block of moves.
const MIN_BATCH_GAMES: u32 = 1024;

/// The number of batches that each thread gets, so that all of them are busy to the end.
const BATCHES_PER_THREAD: u64 = 4;

/// The greatest number of games that one thread scans alone: it is done before another thread has started.
const MAX_SINGLE_THREAD_GAMES: u64 = 200;

/// The work that is done with each game of a scan.
pub trait GameScanner: Sync {
    /// What a thread collects from some consecutive games.
    type Found: Default + Send;

    /// Reads what it needs of some games of a segment in as few steps as possible, if the index is read by ranges. Called before
    /// [`game`](Self::game) if so few games are scanned that this costs less than reading them in order.
    ///
    /// # Errors
    /// If it cannot be read, or the question has to be asked again.
    fn fetch(&self, segment: usize, games: &GameSet) -> Result<()> {
        let _ = (segment, games);
        Ok(())
    }

    /// Scans a game and adds what it finds to `found`.
    ///
    /// # Errors
    /// [`CorruptMoves`] if the moves cannot be unpacked.
    fn game<G: Geometry>(
        &self,
        game: &PlayableGame<'_, G>,
        found: &mut Self::Found,
    ) -> std::result::Result<(), CorruptMoves>;
}

/// Passes games to `scanner` on `threads` threads, and what it finds to `consume`, in the order of the games, until that
/// breaks. Returns the number of games scanned. `games` has a set for each segment of the index.
///
/// # Errors
/// If a section is damaged or moves cannot be unpacked. What was found in earlier games has been consumed.
pub fn scan_games<V: GameScanner>(
    index: &Index,
    games: &[GameSet],
    threads: NonZeroUsize,
    scanner: &V,
    mut consume: impl FnMut(V::Found) -> ControlFlow<()>,
) -> Result<u64> {
    // Segments without a wanted game are not read.
    let games = &games[..games.len().min(index.segments().len())];
    let wanted: u64 = games.iter().map(GameSet::len).sum();
    let table = |(segment, games): (usize, &GameSet)| {
        if games.is_empty() { Ok(None) } else { Tables::new(index, segment, wanted).map(Some) }
    };
    let tables: Vec<Option<Tables<'_>>> = games.iter().enumerate().map(table).collect::<Result<_>>()?;
    index.reading(wanted).prefetch(|| {
        for (segment, (tables, games)) in tables.iter().zip(games).enumerate() {
            if let Some(tables) = tables {
                scanner.fetch(segment, games)?;
                tables.fetch(games)?;
            }
        }
        Ok(())
    })?;
    let threads = if wanted <= MAX_SINGLE_THREAD_GAMES { NonZeroUsize::MIN } else { threads };
    let batch_games = batch_games(games, threads);
    let batches = games.iter().enumerate().flat_map(|(segment, games)| {
        let end = games.end();
        (0..end.div_ceil(batch_games)).filter_map(move |batch| {
            let range = batch * batch_games..(batch * batch_games).saturating_add(batch_games).min(end);
            let count = games.count_in(range.clone());
            (count > 0).then_some(GameBatch { segment, range, count })
        })
    });
    let mut scanned = 0;
    pool::try_ordered(
        batches,
        threads,
        || (Codecs::default(), MoveBuffer::default()),
        |(codecs, buffer), batch| {
            let count = batch.count;
            match &tables[batch.segment] {
                Some(tables) => {
                    tables.scan(batch, games, codecs, buffer, scanner).map(|found| (found, count))
                }
                None => Ok((V::Found::default(), 0)),
            }
        },
        |(found, count)| {
            scanned += count;
            consume(found)
        },
    )?;
    Ok(scanned)
}

/// Passes games to `scanner` as [`scan_games`] does, until `consume` breaks or a stop is requested. The handle is read
/// once for each batch of games.
///
/// # Errors
/// As [`scan_games`], and [`ErrorKind::Stopped`] if a stop is requested.
pub(in crate::query) fn scan_until<V: GameScanner>(
    stop: &Stop,
    index: &Index,
    games: &[GameSet],
    threads: NonZeroUsize,
    scanner: &V,
    mut consume: impl FnMut(V::Found) -> ControlFlow<()>,
) -> Result<u64> {
    if stop.is_requested() {
        return Err(ErrorKind::Stopped.into());
    }
    let mut was_stopped = false;
    let scanned = scan_games(index, games, threads, scanner, |found| {
        was_stopped = stop.is_requested();
        if was_stopped { ControlFlow::Break(()) } else { consume(found) }
    })?;
    if was_stopped { Err(ErrorKind::Stopped.into()) } else { Ok(scanned) }
}

/// Returns the number of consecutive games in a batch.
fn batch_games(games: &[GameSet], threads: NonZeroUsize) -> u32 {
    if threads.get() == 1 {
        return MAX_BATCH_GAMES;
    }
    let all: u64 = games.iter().map(|games| u64::from(games.end())).sum();
    let even = all / (threads.get() as u64 * BATCHES_PER_THREAD);
    let even = even.clamp(MIN_BATCH_GAMES.into(), MAX_BATCH_GAMES.into()) as u32;
    even.next_multiple_of(PackedMoves::BLOCK as u32).min(MAX_BATCH_GAMES)
}

/// Consecutive games of a segment, given to one thread.
struct GameBatch {
    segment: usize,
    range: Range<u32>,
    /// The number of games of the range that are wanted.
    count: u64,
}

/// The sections of a segment that a scan reads.
struct Tables<'a> {
    segment: &'a Segment,
    moves: PackedMoves<'a>,
    kinds: Column<'a>,
    summaries: Column<'a>,
    continuous: ColumnFilter<'a, fn(u64) -> bool>,
    /// The start position of each kind.
    starts: Vec<KindStart>,
}

/// The start position of the games of one kind.
struct KindStart {
    board: Board,
    state: State<u128>,
}

impl<'a> Tables<'a> {
    /// Opens the sections of a segment. `games` is the number of games of the index that will be scanned.
    fn new(index: &'a Index, number: usize, games: u64) -> Result<Self> {
        let segment = &index.segments()[number];
        let column = |section| index.reading(games).column(number, section);
        let start = |kind: &GameKind| KindStart {
            board: kind.variant.board(),
            state: State::start(&kind.variant.rules(), kind.numbering.start),
        };
        let summaries = column(Section::Summary)?;
        Ok(Self {
            segment,
            moves: segment.moves()?,
            kinds: column(Section::Kind)?,
            summaries,
            continuous: summaries.filter(is_continuous),
            starts: segment.kinds()?.iter().map(start).collect(),
        })
    }

    /// Reads what some games need in as few steps as possible, if the index is read by ranges.
    fn fetch(&self, games: &GameSet) -> Result<()> {
        let games = || games.iter().map(|game| game as usize);
        let mut parts = Vec::new();
        for game in games() {
            self.kinds.expect(game, &mut parts);
            // The summaries of a block are looked at together.
            let first = game - game % PackedMoves::BLOCK;
            self.summaries.expect(first, &mut parts);
            self.summaries.expect((first + PackedMoves::BLOCK).min(self.summaries.len()) - 1, &mut parts);
        }
        self.segment.fetch(&parts)?;
        self.moves.fetch(games())
    }

    /// Scans the wanted games of a batch.
    fn scan<V: GameScanner>(
        &self,
        batch: GameBatch,
        games: &[GameSet],
        codecs: &mut Codecs,
        buffer: &mut MoveBuffer,
        scanner: &V,
    ) -> Result<V::Found> {
        let wanted = wanted_bits(&games[batch.segment], &batch);
        let blocks = wanted.iter().filter(|&&games| games != 0).count();
        let mut scan = BatchScan {
            tables: self,
            segment: batch.segment,
            // Reading many blocks at once is faster if at least a quarter of them is needed.
            buffer: (4 * blocks >= wanted.len()).then_some(buffer),
            wanted,
            first: batch.range.start as usize,
            block: 0,
            scanner,
            found: V::Found::default(),
        };
        while let Some(game) = scan.next_game() {
            let Some((_, start)) = self.start(game) else { return Err(self.moves.corrupt_moves()) };
            start.board.with(ScanOneBoard { scan: &mut scan, codecs })?;
        }
        Ok(scan.found)
    }

    /// Returns the kind of a game, and its start position.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn start(&self, game: usize) -> Option<(usize, &KindStart)> {
        if let [start] = self.starts.as_slice() {
            return Some((0, start));
        }
        let kind = self.kinds.get(game)? as usize;
        Some((kind, self.starts.get(kind)?))
    }
}

/// Returns the wanted games of a batch, with a word per block of moves and a bit per game.
fn wanted_bits(games: &GameSet, batch: &GameBatch) -> Vec<u32> {
    let len = batch.range.len();
    let mut words = vec![0; len.div_ceil(PackedMoves::BLOCK)];
    if batch.count == len as u64 {
        words.fill(u32::MAX);
        if let (Some(last), rest @ 1..) = (words.last_mut(), len % PackedMoves::BLOCK) {
            *last = (1 << rest) - 1;
        }
        return words;
    }
    for game in games.range(batch.range.clone()) {
        let game = (game - batch.range.start) as usize;
        words[game / PackedMoves::BLOCK] |= 1 << (game % PackedMoves::BLOCK);
    }
    words
}

/// The state of scanning a batch.
struct BatchScan<'s, 'a, V: GameScanner> {
    tables: &'s Tables<'a>,
    segment: usize,
    /// A buffer of many consecutive blocks; `None` to read single blocks.
    buffer: Option<&'s mut MoveBuffer>,
    /// The games that are not scanned yet; see [`wanted_bits`].
    wanted: Vec<u32>,
    /// The number of the first game of the batch in its segment.
    first: usize,
    /// The next block, from 0 at the beginning of the batch.
    block: usize,
    scanner: &'s V,
    found: V::Found,
}

impl<V: GameScanner> BatchScan<'_, '_, V> {
    /// Returns the number of the next game in its segment.
    fn next_game(&mut self) -> Option<usize> {
        while *self.wanted.get(self.block)? == 0 {
            self.block += 1;
        }
        Some(self.first + self.block * PackedMoves::BLOCK + self.wanted[self.block].trailing_zeros() as usize)
    }
}

/// Scans games up to the first that is played on another board.
struct ScanOneBoard<'r, 's, 'a, V: GameScanner> {
    scan: &'r mut BatchScan<'s, 'a, V>,
    codecs: &'r mut Codecs,
}

impl<V: GameScanner> WithBoard for ScanOneBoard<'_, '_, '_, V> {
    type Output = Result<()>;

    #[inline(never)]
    fn run<G: Geometry>(self) -> Result<()> {
        let codec = self.codecs.on::<G>();
        let BatchScan { tables, segment, buffer, wanted, first, block: next_block, scanner, found } =
            self.scan;
        let end = *first / PackedMoves::BLOCK + wanted.len();
        let corrupt = || tables.moves.corrupt_moves();
        for (number, wanted) in wanted.iter_mut().enumerate().skip(*next_block) {
            if *wanted == 0 {
                continue;
            }
            let first = *first + number * PackedMoves::BLOCK;
            let block = match buffer {
                Some(buffer) => tables.moves.next_block(first / PackedMoves::BLOCK, end, buffer)?,
                None => tables.moves.block(first / PackedMoves::BLOCK)?,
            };
            let continuous = tables.continuous.bits(first, PackedMoves::BLOCK);
            *next_block = number;
            while *wanted != 0 {
                let place_in_block = wanted.trailing_zeros() as usize;
                let game = first + place_in_block;
                let Some((kind, start)) = tables.start(game) else { return Err(corrupt()) };
                if start.board != G::BOARD {
                    return Ok(());
                }
                *wanted &= *wanted - 1;
                let playable = PlayableGame {
                    segment: *segment,
                    game: game as u32,
                    kind,
                    is_continuous: continuous >> place_in_block & 1 != 0,
                    codec,
                    start: &start.state.resized(),
                    bytes: block.get(game),
                };
                scanner.game(&playable, found).map_err(|CorruptMoves| corrupt())?;
            }
        }
        *next_block = wanted.len();
        Ok(())
    }
}
