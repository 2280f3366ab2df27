//! Sets of positions of one game, with a bit per position: position `n` is bit `n % 64` of word `n / 64`.
//!
//! The operators on later positions shift and combine whole words. Each takes O(words * log(plies looked ahead)).

use std::ops::RangeInclusive;

use super::position_batch::{BATCH_LEN, PositionBatch};
use foldhash::HashMap;
use pdn::value::Colour;
use pdn_rules::internal::board::Bits;

// Twin: single positions, in the test; test: position_sets_equal_single_positions.

/// The number of bits of a word.
const BITS: usize = u64::BITS as usize;

/// A set of positions. Positions after the last word are not in it.
#[derive(Clone, Default, Debug, PartialEq, Eq)]
pub(in crate::query) struct PositionSet(Vec<u64>);

impl PositionSet {
    /// Removes all positions.
    pub(in crate::query) fn clear(&mut self) {
        self.0.clear();
    }

    /// Adds a position.
    pub(in crate::query) fn insert(&mut self, position: usize) {
        let word = position / BITS;
        self.0.resize(self.0.len().max(word + 1), 0);
        self.0[word] |= 1 << (position % BITS);
    }

    /// Appends the next 64 positions, a bit each.
    pub(super) fn push(&mut self, word: u64) {
        self.0.push(word);
    }

    /// Replaces the set by a copy of another, keeping its memory.
    pub(super) fn copy_from(&mut self, other: &Self) {
        self.0.clone_from(&other.0);
    }

    /// Returns the 64 positions from `64 * at` on, a bit each.
    pub(super) fn word(&self, at: usize) -> u64 {
        self.0.get(at).copied().unwrap_or(0)
    }

    /// Returns `true` if the set is not empty.
    pub(super) fn any(&self) -> bool {
        self.0.iter().any(|&word| word != 0)
    }

    /// Returns the first position of the set.
    pub(in crate::query) fn first(&self) -> Option<usize> {
        let word = self.0.iter().position(|&word| word != 0)?;
        Some(word * BITS + self.0[word].trailing_zeros() as usize)
    }

    /// Iterates over the positions of the set, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        let bits = |word: u64| (0..BITS).filter(move |bit| word >> bit & 1 != 0);
        self.0.iter().enumerate().flat_map(move |(at, &word)| bits(word).map(move |bit| at * BITS + bit))
    }

    /// Replaces the set by the first `len` positions.
    pub(super) fn fill(&mut self, len: usize) {
        self.0.clear();
        self.0.resize(len / BITS, u64::MAX);
        if !len.is_multiple_of(BITS) {
            self.0.push((1 << (len % BITS)) - 1);
        }
    }

    /// Replaces the set by those of the first `len` positions that are not in it.
    pub(super) fn invert(&mut self, len: usize) {
        self.0.resize(len.div_ceil(BITS), 0);
        for word in &mut self.0 {
            *word = !*word;
        }
        if let (Some(last), rest @ 1..) = (self.0.last_mut(), len % BITS) {
            *last &= (1 << rest) - 1;
        }
    }

    /// Removes the positions that are not in `other`.
    pub(super) fn and(&mut self, other: &Self) {
        for (at, word) in self.0.iter_mut().enumerate() {
            *word &= other.word(at);
        }
    }

    /// Adds the positions of `other`.
    pub(super) fn or(&mut self, other: &Self) {
        self.0.resize(self.0.len().max(other.0.len()), 0);
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word |= other;
        }
    }

    /// Removes the positions that are not followed by `plies` further positions of the set.
    pub(super) fn keep_lasting(&mut self, plies: usize) {
        // Invariant: a bit is set if its position and the `covered - 1` after it are in the original set. Doubling
        // `covered` takes a logarithmic number of steps.
        let mut covered = 1;
        while covered <= plies && self.any() {
            let step = covered.min(plies + 1 - covered);
            self.combine::<true>(step, |own, later| own & later);
            covered += step;
        }
    }

    /// Leaves only the first position of the set.
    pub(super) fn keep_first(&mut self) {
        let first = self.first();
        self.0.fill(0);
        if let Some(at) = first {
            self.0[at / BITS] = 1 << (at % BITS);
        }
    }

    /// Returns the number of positions of the set.
    pub(super) fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Replaces the set by the positions that are followed by one of the set, as many plies later as `within` says.
    pub(super) fn move_ahead(&mut self, within: &RangeInclusive<u32>) {
        self.spread::<true>(within);
    }

    /// Replaces the set by those of the first `len` positions that follow one of the set, as many plies later as `within`
    /// says.
    pub(super) fn move_back(&mut self, within: &RangeInclusive<u32>, len: usize) {
        self.0.resize(len.div_ceil(BITS), 0);
        self.spread::<false>(within);
        if let (Some(last), rest @ 1..) = (self.0.last_mut(), len % BITS) {
            *last &= (1 << rest) - 1;
        }
    }

    /// Replaces the set by the positions that have one of the set at such a distance, later or earlier.
    fn spread<const LATER: bool>(&mut self, within: &RangeInclusive<u32>) {
        let (least, greatest) = (*within.start() as usize, (*within.end() as usize).min(self.0.len() * BITS));
        if least > greatest {
            self.0.fill(0);
            return;
        }
        self.combine::<LATER>(least, |_, there| there);
        // Invariant: a bit is set if one of the positions at the distances from `least` on, `covered` of them, is in the
        // original set.
        let (mut covered, wanted) = (1, greatest - least + 1);
        while covered < wanted {
            let step = covered.min(wanted - covered);
            self.combine::<LATER>(step, |own, there| own | there);
            covered += step;
        }
    }

    /// Adds all positions before the last one of the set.
    pub(super) fn fill_to_last(&mut self) {
        let Some(last) = self.0.iter().rposition(|&word| word != 0) else { return };
        self.0[..last].fill(u64::MAX);
        self.0[last] = u64::MAX >> self.0[last].leading_zeros();
    }

    /// Combines each position with the one `plies` later or earlier, 64 positions at a time.
    fn combine<const LATER: bool>(&mut self, plies: usize, with: impl Fn(u64, u64) -> u64) {
        let (words, bits) = (plies / BITS, plies % BITS);
        let len = self.0.len();
        for step in 0..len {
            // Words that are still needed must not have been replaced.
            let at = if LATER { step } else { len - 1 - step };
            // Two shifts, because a single one by 64 bits would overflow.
            let there = if LATER {
                self.word(at + words) >> bits | self.word(at + words + 1) << 1 << (BITS - 1 - bits)
            } else {
                let word = |back: usize| at.checked_sub(back).map_or(0, |at| self.word(at));
                word(words) << bits | word(words + 1) >> 1 >> (BITS - 1 - bits)
            };
            self.0[at] = with(self.0[at], there);
        }
    }
}

/// What is known of a line besides its positions.
#[derive(Clone, Copy, Debug)]
pub(in crate::query) struct LineContext<'a> {
    /// For each set of games of the query, whether it contains the game.
    pub(in crate::query) membership: &'a [bool],
    /// The sets of marked positions. Positions are counted from the first one of the line.
    pub(in crate::query) marked: &'a [PositionSet],
    /// The number of plies before the first position of the line.
    pub(in crate::query) first_ply: u32,
    /// The number of earlier games that have each position of the line; empty if it is unknown, or if the query does not ask for it.
    pub(in crate::query) earlier: &'a [u32],
}

impl<'a> LineContext<'a> {
    /// Creates the context of a main line without marks.
    pub(in crate::query) const fn unmarked(membership: &'a [bool]) -> Self {
        Self { membership, marked: &[], first_ply: 0, earlier: &[] }
    }
}

// Twin: comparing each position with all before it, in tests/it/query_naive; test: any_query_matches_as_the_naive_evaluation.

/// How often each position of a game has stood up to there. Reused for many games.
///
/// While a continuous game has had no king, and men only step forward, no position can come back. Only later positions are
/// therefore looked up, each once in a hash table.
#[derive(Debug)]
pub(super) struct Repetitions<B> {
    /// For each position of the game, the number of times that it has stood, this time included.
    times: Vec<u32>,
    /// How often each position has stood so far.
    seen: HashMap<PositionKey<B>, u32>,
    /// Whether positions without kings that were not looked up cannot come back.
    waits_for_king: bool,
}

/// A whole position without king counters: the pieces of both sides, the kings, and whether Black is to move.
type PositionKey<B> = ([B; 2], B, bool);

impl<B: Bits> Repetitions<B> {
    /// Creates the counts of a game without positions.
    pub(super) fn new() -> Self {
        Self { times: Vec::new(), seen: HashMap::default(), waits_for_king: false }
    }

    /// Removes all positions, to begin another game. `waits_for_king` says that no position of the game comes back as long as
    /// there was no king.
    pub(super) fn clear(&mut self, waits_for_king: bool) {
        self.times.clear();
        self.seen.clear();
        self.waits_for_king = waits_for_king;
    }

    /// Appends the first `count` positions of a batch.
    pub(super) fn push(&mut self, batch: &PositionBatch<B>, count: usize) {
        let mut first = 0;
        if self.waits_for_king {
            let kings = batch.with_kings() & (u64::MAX >> (BATCH_LEN - count));
            first = (kings.trailing_zeros() as usize).min(count);
            self.times.resize(self.times.len() + first, 1);
            self.waits_for_king = kings == 0;
        }
        let black_to_move = batch.turn(Colour::Black);
        for at in first..count {
            let (pieces, kings) = batch.pieces(at);
            let times = self.seen.entry((pieces, kings, black_to_move >> at & 1 != 0)).or_insert(0);
            *times += 1;
            self.times.push(*times);
        }
    }

    /// Appends to an empty set the positions that have stood such a number of times.
    pub(super) fn add_to(&self, set: &mut PositionSet, range: &RangeInclusive<u32>) {
        for times in self.times.chunks(BATCH_LEN) {
            let bits = times.iter().enumerate().map(|(at, times)| u64::from(range.contains(times)) << at);
            set.push(bits.fold(0, |word, bit| word | bit));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn set_of(set: &[bool]) -> PositionSet {
        let words =
            set.chunks(BITS).map(|part| part.iter().rev().fold(0, |word, &bit| word << 1 | u64::from(bit)));
        PositionSet(words.collect())
    }

    /// Sets with runs longer than a word, and sets of random bits.
    fn sets() -> impl Strategy<Value = Vec<bool>> {
        let runs = prop::collection::vec((any::<bool>(), 1usize..90), 0..8);
        let runs = runs.prop_map(|runs| runs.iter().flat_map(|&(bit, len)| vec![bit; len]).collect());
        prop_oneof![runs, prop::collection::vec(any::<bool>(), 0..300)]
    }

    proptest! {
        #[test]
        fn position_sets_equal_single_positions(set in sets(), other in sets(), plies in 0usize..200, more in 0usize..200) {
            let len = set.len();
            let naive = |holds: &dyn Fn(usize) -> bool| set_of(&(0..len).map(holds).collect::<Vec<_>>());
            let changed = |change: &dyn Fn(&mut PositionSet)| {
                let mut own = set_of(&set);
                change(&mut own);
                own
            };
            let contains = |at: usize| set.get(at) == Some(&true);
            prop_assert_eq!(set_of(&set).first(), set.iter().position(|&bit| bit));
            prop_assert_eq!(set_of(&set).any(), set.contains(&true));
            let listed: Vec<usize> = set_of(&set).iter().collect();
            prop_assert_eq!(listed, (0..len).filter(|&at| set[at]).collect::<Vec<_>>());
            prop_assert_eq!(
                changed(&|own| own.keep_lasting(plies)), naive(&|at| (at..=at + plies).all(contains))
            );
            let (least, within) = (plies, plies as u32..=(plies + more) as u32);
            prop_assert_eq!(
                changed(&|own| own.move_ahead(&within)), naive(&|at| (at + least..=at + least + more).any(contains))
            );
            prop_assert_eq!(changed(&|own| own.fill_to_last()), naive(&|at| (at..len).any(contains)));
            let before = |at: usize| (0..len).any(|other| contains(other) && within.contains(&(at.wrapping_sub(other) as u32)) && other <= at);
            prop_assert_eq!(changed(&|own| own.move_back(&within, len)), naive(&before));
            prop_assert_eq!(changed(&PositionSet::keep_first), naive(&|at| contains(at) && !set[..at].contains(&true)));
            prop_assert_eq!(set_of(&set).len(), set.iter().filter(|&&bit| bit).count());
            prop_assert_eq!(changed(&|own| own.invert(len)), naive(&|at| !set[at]));
            prop_assert_eq!(changed(&|own| own.fill(len)), naive(&|_| true));
            let mut second = other;
            second.resize(len, false);
            prop_assert_eq!(changed(&|own| own.and(&set_of(&second))), naive(&|at| set[at] & second[at]));
            prop_assert_eq!(changed(&|own| own.or(&set_of(&second))), naive(&|at| set[at] | second[at]));
        }
    }

    #[test]
    fn position_sets_end_after_the_last_position() {
        let mut set = set_of(&[true; 130]);
        set.keep_lasting(u32::MAX as usize);
        assert!(!set.any());
        let mut set = set_of(&[true; 130]);
        set.move_ahead(&(1..=u32::MAX));
        assert_eq!((set.first(), set.word(2)), (Some(0), 1));
        let mut set = set_of(&[true; 130]);
        set.move_back(&(1..=u32::MAX), 130);
        assert_eq!((set.first(), set.word(2)), (Some(1), 3));
        set.move_back(&(130..=130), 130);
        assert!(!set.any());
    }
}
