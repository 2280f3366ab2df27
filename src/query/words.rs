//! Sets of the positions of a game, a bit each: position `n` is bit `n % 64` of word `n / 64`.
//!
//! Questions about what comes later are shifts and additions of whole words. Each costs O(words), times the logarithm
//! of how far it looks.

/// Bits of a word.
const BITS: usize = u64::BITS as usize;

/// A set of positions; those beyond the last word are not in it.
#[derive(Clone, Default, Debug, PartialEq, Eq)]
pub(super) struct PositionSet(Vec<u64>);

impl PositionSet {
    /// No position.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Adds the next 64 positions.
    pub(super) fn push(&mut self, word: u64) {
        self.0.push(word);
    }

    /// The same positions as another set.
    pub(super) fn copy(&mut self, other: &Self) {
        self.0.clone_from(&other.0);
    }

    /// The 64 positions from `64 * at` on.
    pub(super) fn word(&self, at: usize) -> u64 {
        self.0.get(at).copied().unwrap_or(0)
    }

    /// Whether any is.
    pub(super) fn any(&self) -> bool {
        self.0.iter().any(|&word| word != 0)
    }

    /// The first position in it.
    pub(super) fn first(&self) -> Option<usize> {
        let word = self.0.iter().position(|&word| word != 0)?;
        Some(word * BITS + self.0[word].trailing_zeros() as usize)
    }

    /// The first `len` positions.
    pub(super) fn fill(&mut self, len: usize) {
        self.0.clear();
        self.0.resize(len / BITS, u64::MAX);
        if !len.is_multiple_of(BITS) {
            self.0.push((1 << (len % BITS)) - 1);
        }
    }

    /// Those of the first `len` positions that were not in it.
    pub(super) fn invert(&mut self, len: usize) {
        self.0.resize(len.div_ceil(BITS), 0);
        for word in &mut self.0 {
            *word = !*word;
        }
        if let (Some(last), rest @ 1..) = (self.0.last_mut(), len % BITS) {
            *last &= (1 << rest) - 1;
        }
    }

    /// Leaves what is in both.
    pub(super) fn and(&mut self, other: &Self) {
        for (at, word) in self.0.iter_mut().enumerate() {
            *word &= other.word(at);
        }
    }

    /// Adds another set.
    pub(super) fn or(&mut self, other: &Self) {
        self.0.resize(self.0.len().max(other.0.len()), 0);
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word |= other;
        }
    }

    /// Leaves the positions that are in it with each of the next `plies`.
    pub(super) fn lasting(&mut self, plies: usize) {
        // Every bit stands for so many positions from its own on.
        let mut known = 1;
        while known <= plies && self.any() {
            let more = known.min(plies + 1 - known);
            self.join(more, |here, later| here & later);
            known += more;
        }
    }

    /// Makes it the positions before those that are in it, by `within` plies at most.
    pub(super) fn ahead(&mut self, within: usize) {
        let within = within.min(self.0.len() * BITS);
        if within == 0 {
            self.0.fill(0);
            return;
        }
        self.join(1, |_, later| later);
        let mut known = 1;
        while known < within {
            let more = known.min(within - known);
            self.join(more, |here, later| here | later);
            known += more;
        }
    }

    /// Joins each position with the one so many plies later.
    fn join(&mut self, plies: usize, with: impl Fn(u64, u64) -> u64) {
        let (words, bits) = (plies / BITS, plies % BITS);
        for at in 0..self.0.len() {
            let near = self.word(at + words) >> bits;
            // Twice, for no shift goes over all bits.
            let far = self.word(at + words + 1) << 1 << (BITS - 1 - bits);
            self.0[at] = with(self.0[at], near | far);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn words(set: &[bool]) -> PositionSet {
        let words =
            set.chunks(BITS).map(|part| part.iter().rev().fold(0, |word, &bit| word << 1 | u64::from(bit)));
        PositionSet(words.collect())
    }

    /// A set whose runs are long enough to be told apart.
    fn sets() -> impl Strategy<Value = Vec<bool>> {
        let runs = prop::collection::vec((any::<bool>(), 1usize..90), 0..8);
        let runs = runs.prop_map(|runs| runs.iter().flat_map(|&(bit, len)| vec![bit; len]).collect());
        prop_oneof![runs, prop::collection::vec(any::<bool>(), 0..300)]
    }

    proptest! {
        #[test]
        fn words_do_what_single_positions_do(set in sets(), other in sets(), plies in 0usize..200) {
            let len = set.len();
            let naive = |holds: &dyn Fn(usize) -> bool| words(&(0..len).map(holds).collect::<Vec<_>>());
            let changed = |change: &dyn Fn(&mut PositionSet)| {
                let mut own = words(&set);
                change(&mut own);
                own
            };
            let there = |at: usize| set.get(at) == Some(&true);
            prop_assert_eq!(words(&set).first(), set.iter().position(|&bit| bit));
            prop_assert_eq!(words(&set).any(), set.contains(&true));
            prop_assert_eq!(
                changed(&|own| own.lasting(plies)), naive(&|at| (at..=at + plies).all(there))
            );
            prop_assert_eq!(
                changed(&|own| own.ahead(plies)), naive(&|at| (at + 1..=at + plies).any(there))
            );
            prop_assert_eq!(changed(&|own| own.invert(len)), naive(&|at| !set[at]));
            prop_assert_eq!(changed(&|own| own.fill(len)), naive(&|_| true));
            let mut second = other;
            second.resize(len, false);
            prop_assert_eq!(changed(&|own| own.and(&words(&second))), naive(&|at| set[at] & second[at]));
            prop_assert_eq!(changed(&|own| own.or(&words(&second))), naive(&|at| set[at] | second[at]));
        }
    }

    #[test]
    fn whoever_looks_far_beyond_the_end_finds_nothing_there() {
        let mut set = words(&[true; 130]);
        set.lasting(u32::MAX as usize);
        assert!(!set.any());
        let mut set = words(&[true; 130]);
        set.ahead(u32::MAX as usize);
        assert_eq!((set.first(), set.word(2)), (Some(0), 1));
    }
}
