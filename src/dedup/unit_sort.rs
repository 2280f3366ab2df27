//! Sorts the games that may have duplicates by their moves.

use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};

use twox_hash::XxHash3_64;

use super::classes::MIN_COMMON_PLIES;
use super::games::Games;
use super::unit_filter::UnitFilter;
use crate::error::{Error, Result};
use crate::external_sort::{ExternalSort, SortedRecords};
use crate::index::{GameKind, Index, MoveBuffer, PackedMoves, Section};
use crate::pack;
use crate::pool;
use crate::rules::Variant;
use crate::steps;

/// Returns the length in bytes of the first 20 plies of a game, or of all of its moves if it has fewer, and whether it has 20.
/// Damaged moves are a short game.
pub(super) fn unit_begin(variant: Variant, moves: &[u8]) -> (usize, bool) {
    match pack::plies_len(&variant.rules(), moves, MIN_COMMON_PLIES) {
        Ok((len, MIN_COMMON_PLIES)) => (len, true),
        _ => (moves.len(), false),
    }
}

/// Returns a hash that is equal for games of one unit.
fn unit_hash(variant: Variant, moves: &[u8]) -> u64 {
    let (len, _) = unit_begin(variant, moves);
    // The seed is the variant. Its bits are spread, because neighbouring seeds are no good ones.
    let seed = (variant as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    XxHash3_64::oneshot_with_seed(seed, &moves[..len])
}

/// Blocks of moves that a thread reads at a time.
const CHUNK_BLOCKS: usize = 128;

/// Some blocks of a segment.
struct Chunk {
    segment: usize,
    blocks: Range<usize>,
}

/// The moves of a segment, opened for reading.
struct SegmentMoves<'a> {
    moves: PackedMoves<'a>,
    kinds: Vec<GameKind>,
}

/// Games of a chunk that are sorted.
#[derive(Default)]
struct ChunkGames {
    /// The keys, one after the other.
    keys: Vec<u8>,
    /// The end of each key, and the number of the game in its index.
    games: Vec<(usize, u64)>,
}

/// Calls `visit` for each game of an index that is not retired, on several threads, and `consume` with the results of each chunk,
/// in the order of the index. Fails if `check_stop` does.
fn for_each_game<T: Default + Send>(
    index: &Index,
    threads: NonZeroUsize,
    check_stop: &dyn Fn() -> Result<()>,
    visit: impl Fn(&mut T, u64, Variant, &[u8]) + Sync,
    mut consume: impl FnMut(T) -> Result<()>,
) -> Result<()> {
    let mut segments = Vec::with_capacity(index.segments().len());
    for segment in index.segments() {
        segments.push(SegmentMoves { moves: segment.moves()?, kinds: segment.kinds()? });
    }
    let chunks = segments.iter().enumerate().flat_map(|(segment, opened)| {
        let all = opened.moves.blocks();
        let starts = (0..all).step_by(CHUNK_BLOCKS);
        starts.map(move |start| Chunk { segment, blocks: start..(start + CHUNK_BLOCKS).min(all) })
    });
    let mut consumed = Ok(());
    pool::try_ordered(
        chunks,
        threads,
        MoveBuffer::default,
        |buffer, chunk| {
            let mut found = T::default();
            let SegmentMoves { moves, kinds } = &segments[chunk.segment];
            let segment = &index.segments()[chunk.segment];
            let (column, retired) = (segment.column(Section::Kind)?, index.retired_games(chunk.segment));
            let first = index.first_game(chunk.segment).unwrap_or(0);
            for block in chunk.blocks.clone() {
                let block = moves.next_block(block, chunk.blocks.end, buffer)?;
                for (game, packed) in block.games() {
                    if retired.is_some_and(|retired| retired.contains(game as u32)) {
                        continue;
                    }
                    let kind = column.get(game).and_then(|kind| kinds.get(kind as usize));
                    let kind = kind.ok_or_else(|| segment.damaged(Section::Kind, "a game is missing"))?;
                    steps::add(1);
                    visit(&mut found, first + game as u64, kind.variant, packed);
                }
            }
            Ok::<_, Error>(found)
        },
        |found| {
            consumed = check_stop().and_then(|()| consume(found));
            if consumed.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        },
    )?;
    consumed
}

/// Returns the games that may be in a unit with another one, at least one of them new, sorted by their moves: the key is the variant and
/// the packed moves, the payload the number. Fails if `check_stop` does.
pub(super) fn sort_by_moves(
    games: &Games<'_>,
    threads: NonZeroUsize,
    mut sort: ExternalSort,
    filter_memory: usize,
    check_stop: &dyn Fn() -> Result<()>,
) -> Result<SortedRecords> {
    let filter = UnitFilter::new(games.new.len(), filter_memory);
    for_each_game(
        games.new,
        threads,
        check_stop,
        |(), _, variant, moves| filter.add(unit_hash(variant, moves)),
        |()| Ok(()),
    )?;
    if let Some(known) = games.known {
        push_games(known, 0, threads, &mut sort, check_stop, |hash| filter.add_known(hash))?;
    }
    push_games(games.new, games.first_new(), threads, &mut sort, check_stop, |hash| {
        filter.is_repeated(hash)
    })?;
    sort.finish()
}

/// Adds the games of an index whose hash is wanted to `sort`. The number of its first game is `first`.
fn push_games(
    index: &Index,
    first: u64,
    threads: NonZeroUsize,
    sort: &mut ExternalSort,
    check_stop: &dyn Fn() -> Result<()>,
    is_wanted: impl Fn(u64) -> bool + Sync,
) -> Result<()> {
    let visit = |found: &mut ChunkGames, game: u64, variant: Variant, moves: &[u8]| {
        if is_wanted(unit_hash(variant, moves)) {
            found.keys.push(variant as u8);
            found.keys.extend_from_slice(moves);
            found.games.push((found.keys.len(), first + game));
        }
    };
    for_each_game(index, threads, check_stop, visit, |found: ChunkGames| {
        let mut start = 0;
        for (end, number) in found.games {
            sort.push(&found.keys[start..end], &number.to_be_bytes())?;
            start = end;
        }
        Ok(())
    })
}
