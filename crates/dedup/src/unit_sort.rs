//! Sorts the games that may have duplicates by their moves. A filter of a few bits a game first finds the hashes that occur more than once.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use super::classes::{MIN_COMMON_PLIES, PairJudge};
use super::facts::{FactReader, GameFacts};
use super::game_record::{GameKey, ProblemRecord, position_hash, problem_position, write_facts};
use super::games::Games;
use super::keeper::KeepRule;
use super::positions::{EqualForms, ProblemPosition};
use super::shifted::problem_shape;
use pdn::error::{Error, Result};
use pdn::internal::pool;
use pdn::rules::Variant;
use pdn_index::Index;
use pdn_index::internal::external_sort::{ExternalSort, SortedRecords};
use pdn_index::internal::wire::Writer;
use pdn_index::internal::{MoveBuffer, Section, pack};
use pdn_rules::internal::steps;
use twox_hash::XxHash3_64;

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
/// Chunks after which the memory of the index that was read is given back.
const CHUNKS_IN_MEMORY: usize = 32;

/// Games of a chunk that are sorted.
#[derive(Default)]
struct ChunkGames {
    /// The keys and facts, one after the other.
    records: Writer,
    /// The end of each key, and of the facts.
    ends: Vec<(usize, usize)>,
    problems: Vec<ProblemRecord>,
    shapes: Vec<ProblemRecord>,
}

/// The games that are compared by their moves, and the problems that are compared by their start positions.
pub(super) struct SortedGames {
    /// In the order of [`GameKey`].
    pub(super) units: SortedRecords,
    /// In the order of [`ProblemRecord`].
    pub(super) problems: SortedRecords,
    /// The same problems by the shapes of their positions, if these are compared.
    pub(super) shapes: SortedRecords,
}

/// Calls `visit` for each game of an index that is not retired, on several threads, and `consume` with the results of each chunk,
/// in the order of the index. Fails if `check_stop` does. The memory of what was read is given back once in a while.
fn for_each_game<S, T: Default + Send>(
    index: &Index,
    threads: NonZeroUsize,
    check_stop: &dyn Fn() -> Result<()>,
    scratch: impl Fn() -> S + Sync,
    visit: impl Fn(&mut S, &mut T, u64, Variant, &[u8]) -> Result<()> + Sync,
    mut consume: impl FnMut(T) -> Result<()>,
) -> Result<()> {
    for (number, segment) in index.segments().iter().enumerate() {
        let (moves, kinds) = (segment.moves()?, segment.kinds()?);
        let (column, retired) = (segment.column(Section::Kind)?, index.retired_games(number));
        let first = index.first_game(number).unwrap_or(0);
        let all = moves.blocks();
        let (mut consumed, mut chunks) = (Ok(()), 0usize);
        pool::try_ordered(
            (0..all).step_by(CHUNK_BLOCKS),
            threads,
            || (MoveBuffer::default(), scratch()),
            |(buffer, scratch), start| {
                let mut found = T::default();
                let end = (start + CHUNK_BLOCKS).min(all);
                for block in start..end {
                    let block = moves.next_block(block, end, buffer)?;
                    for (game, packed) in block.games() {
                        if retired.is_some_and(|retired| retired.contains(game as u32)) {
                            continue;
                        }
                        let kind = column.get(game).and_then(|kind| kinds.get(kind as usize));
                        let kind = kind.ok_or_else(|| segment.damaged(Section::Kind, "a game is missing"))?;
                        steps::add(1);
                        visit(scratch, &mut found, first + game as u64, kind.variant, packed)?;
                    }
                }
                Ok::<_, Error>(found)
            },
            |found| {
                consumed = check_stop().and_then(|()| consume(found));
                chunks += 1;
                if chunks.is_multiple_of(CHUNKS_IN_MEMORY) {
                    segment.release_pages();
                }
                if consumed.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            },
        )?;
        consumed?;
        segment.release_pages();
    }
    Ok(())
}

/// Sorts the games that may be in a unit with another one, or have the start position of another one, at least one of them new.
pub(super) struct UnitSort<'s, 'a> {
    pub(super) games: &'s Games<'a>,
    pub(super) rule: KeepRule,
    pub(super) threads: NonZeroUsize,
    /// The forms in which start positions of problems count as equal.
    pub(super) forms: EqualForms,
    /// `true` if start positions are also compared moved over the board.
    pub(super) shifted: bool,
    /// Bytes of memory for hashes of units, and again for hashes of start positions.
    pub(super) filter_memory: usize,
    /// Fails if the work is stopped.
    pub(super) check_stop: &'s dyn Fn() -> Result<()>,
}

/// Says by hashes which games are compared.
struct Filters {
    units: UnitFilter,
    positions: UnitFilter,
    shapes: UnitFilter,
}

/// What is sorted: games by their moves, problems by their positions, and problems by their shapes.
struct Sorts {
    units: ExternalSort,
    problems: ExternalSort,
    shapes: ExternalSort,
}

/// Returns the shape of the start position of a record, if shapes are compared and it has one.
fn shape_if(shifted: bool, variant: Variant, moves: &[u8], forms: EqualForms) -> Option<ProblemPosition> {
    if shifted { problem_shape(variant, moves, forms) } else { None }
}

impl UnitSort<'_, '_> {
    /// Sorts the games with `units`, the problems with `problems`, and the shapes of their positions with `shapes`.
    pub(super) fn sort(
        &self,
        units: ExternalSort,
        problems: ExternalSort,
        shapes: ExternalSort,
    ) -> Result<SortedGames> {
        let (games, forms, shifted) = (self.games, self.forms, self.shifted);
        let filter = |games: u64| UnitFilter::new(games, self.filter_memory);
        let games_of_shapes = if self.shifted { games.new.len() } else { 0 };
        let all = games.new.len();
        let filters = Filters { units: filter(all), positions: filter(all), shapes: filter(games_of_shapes) };
        for_each_game(
            games.new,
            self.threads,
            self.check_stop,
            || (),
            |(), (), _, variant, moves| {
                filters.units.add(unit_hash(variant, moves));
                if let Some(position) = problem_position(variant, moves, forms) {
                    filters.positions.add(position_hash(&position));
                }
                if let Some(shape) = shape_if(shifted, variant, moves, forms) {
                    filters.shapes.add(position_hash(&shape));
                }
                Ok(())
            },
            |()| Ok(()),
        )?;
        let mut sorts = Sorts { units, problems, shapes };
        if let Some(known) = games.known {
            self.push_games(known, 0, &filters, UnitFilter::add_known, &mut sorts)?;
        }
        self.push_games(games.new, games.first_new(), &filters, UnitFilter::is_repeated, &mut sorts)?;
        drop(filters);
        let Sorts { units, problems, shapes } = sorts;
        Ok(SortedGames { units: units.finish()?, problems: problems.finish()?, shapes: shapes.finish()? })
    }

    /// Adds the games of an index whose hashes are wanted to `sorts`. The number of its first game is `first`.
    fn push_games(
        &self,
        index: &Index,
        first: u64,
        filters: &Filters,
        is_wanted: fn(&UnitFilter, u64) -> bool,
        sorts: &mut Sorts,
    ) -> Result<()> {
        let (games, rule, forms, shifted) = (self.games, self.rule, self.forms, self.shifted);
        let visit =
            |worker: &mut PushWorker<'_>, found: &mut ChunkGames, game: u64, variant, moves: &[u8]| {
                let unit = unit_hash(variant, moves);
                let is_unit_wanted = is_wanted(&filters.units, unit);
                let position = problem_position(variant, moves, forms)
                    .filter(|position| is_wanted(&filters.positions, position_hash(position)));
                let shape = shape_if(shifted, variant, moves, forms)
                    .filter(|shape| is_wanted(&filters.shapes, position_hash(shape)));
                if (is_unit_wanted || position.is_some() || shape.is_some())
                    && let Some(facts) = worker.reader.read(first + game, moves)?
                {
                    let PushWorker { reader, judge } = worker;
                    if is_unit_wanted {
                        push_game(reader, unit, &facts, found);
                    }
                    if (position.is_some() || shape.is_some()) && judge.is_problem(&facts) {
                        let (rank, is_complete) = (reader.rank(&facts), reader.has_rank(&facts));
                        let record = |position| ProblemRecord { position, rank, is_complete };
                        found.problems.extend(position.map(record));
                        found.shapes.extend(shape.map(record));
                    }
                }
                Ok(())
            };
        let scratch =
            || PushWorker { reader: FactReader::new(games.clone(), rule), judge: PairJudge::default() };
        for_each_game(index, self.threads, self.check_stop, scratch, visit, |found: ChunkGames| {
            let mut start = 0;
            for (key, end) in found.ends {
                let records = &found.records.0;
                sorts.units.push(&records[start..key], &records[key..end])?;
                start = end;
            }
            for (sort, records) in [(&mut sorts.problems, found.problems), (&mut sorts.shapes, found.shapes)]
            {
                for record in records {
                    let (key, payload) = record.to_bytes();
                    sort.push(&key, &payload)?;
                }
            }
            Ok(())
        })
    }
}

/// Reads the games that are sorted, on one thread.
struct PushWorker<'a> {
    reader: FactReader<'a>,
    judge: PairJudge,
}

/// Appends the record of a game to `found`.
fn push_game(reader: &FactReader<'_>, unit: u64, facts: &GameFacts<'_>, found: &mut ChunkGames) {
    let records = &mut found.records;
    GameKey::write(unit, facts, reader.rank(facts), reader.is_complete(facts), &mut records.0);
    let key = records.0.len();
    write_facts(facts, records);
    found.ends.push((key, records.0.len()));
}

/// Slots for each game; the more there are, the fewer games share one by chance.
const SLOTS_PER_GAME: u64 = 16;
/// Slots of a word: two bits each.
const SLOTS_PER_WORD: u64 = 32;

/// Which hashes were added once, and which more than once. Hashes that share a slot are one: a hash may be called repeated although
/// it is not, but never the reverse.
///
/// The order in which hashes are added makes no difference, so that several threads may add them.
// Twin: all pairs; test: fast_way_equals_all_pairs.
#[derive(Debug)]
pub(super) struct UnitFilter {
    /// The low bit of a slot is set by the first hash, the high one by the second.
    words: Vec<AtomicU64>,
}

impl UnitFilter {
    /// Creates a filter for this number of games that takes `memory` bytes at most.
    pub(super) fn new(games: u64, memory: usize) -> Self {
        let words = (games.saturating_mul(SLOTS_PER_GAME) / SLOTS_PER_WORD).min(memory as u64 / 8);
        Self { words: (0..words.max(1)).map(|_| AtomicU64::new(0)).collect() }
    }

    /// Returns the word of a hash and the low bit of its slot there.
    fn slot(&self, hash: u64) -> (&AtomicU64, u64) {
        let slots = self.words.len() as u128 * u128::from(SLOTS_PER_WORD);
        let slot = ((u128::from(hash) * slots) >> 64) as u64;
        (&self.words[(slot / SLOTS_PER_WORD) as usize], 1 << (2 * (slot % SLOTS_PER_WORD)))
    }

    /// Adds a hash.
    pub(super) fn add(&self, hash: u64) {
        let (word, once) = self.slot(hash);
        if word.fetch_or(once, Ordering::Relaxed) & once != 0 {
            word.fetch_or(once << 1, Ordering::Relaxed);
        }
    }

    /// Adds a hash if it was added before. Returns `true` if it was.
    pub(super) fn add_known(&self, hash: u64) -> bool {
        let (word, once) = self.slot(hash);
        let is_known = word.load(Ordering::Relaxed) & once != 0;
        if is_known {
            word.fetch_or(once << 1, Ordering::Relaxed);
        }
        is_known
    }

    /// Returns `true` if a hash was added more than once, and rarely if it was not.
    pub(super) fn is_repeated(&self, hash: u64) -> bool {
        let (word, once) = self.slot(hash);
        word.load(Ordering::Relaxed) & (once << 1) != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filter_finds_all_repeated_hashes_and_few_others() {
        let mut rng = fastrand::Rng::with_seed(3);
        let hashes: Vec<u64> = (0..10_000).map(|_| rng.u64(..)).collect();
        for memory in [usize::MAX, 4096, 1] {
            let filter = UnitFilter::new(hashes.len() as u64, memory);
            hashes.iter().for_each(|&hash| filter.add(hash));
            let (again, once) = hashes.split_at(1000);
            again[..500].iter().for_each(|&hash| filter.add(hash));
            assert!(again[500..].iter().all(|&hash| filter.add_known(hash)));
            assert!(again.iter().all(|&hash| filter.is_repeated(hash)));
            let mistaken = once.iter().filter(|&&hash| filter.is_repeated(hash)).count();
            assert!(memory < usize::MAX || mistaken < once.len() / 8, "{mistaken}");
            let other = (0..1000).filter(|_| filter.add_known(rng.u64(..))).count();
            assert!(memory < usize::MAX || other < 150, "{other}");
        }
    }
}
