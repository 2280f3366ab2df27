//! Assigns numbers to distinct texts.

use std::ops::Range;

use super::text_words::{HashSeeds, TextWords};

/// Returns `true` if the texts have the same bytes.
///
/// Two empty texts are not passed to the comparison of the C library: they may point to addresses that do not exist, and a masked
/// load from there takes more than a hundred nanoseconds on some processors, even if it loads nothing.
#[inline]
pub(crate) fn is_same_text(left: &[u8], right: &[u8]) -> bool {
    left.len() == right.len() && (left.is_empty() || left == right)
}

/// Assigns a number to every distinct text, from 0 in the order of their first occurrence.
#[derive(Debug)]
pub(crate) struct Interner {
    text: String,
    ends: Vec<usize>,
    hashes: Vec<u32>,
    seeds: &'static HashSeeds,
    /// An open-addressing table with linear probing. At most half of the slots are used; the length is a power of
    /// two.
    slots: Vec<Slot>,
}

/// A slot of the hash table.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    hash: u32,
    /// Number of the text plus one; 0 for a free slot.
    number: u32,
}

impl Default for Interner {
    fn default() -> Self {
        let seeds = HashSeeds::of_process();
        Self { text: String::new(), ends: Vec::new(), hashes: Vec::new(), seeds, slots: Vec::new() }
    }
}

impl Interner {
    /// Returns the number of `text`, a new one if it has none.
    pub(crate) fn intern(&mut self, text: &str) -> u32 {
        let hash = self.seeds.hash(&TextWords::of(text.as_bytes()), text.as_bytes());
        self.find(hash, text.as_bytes()).unwrap_or_else(|| self.insert(hash, text))
    }

    /// Returns the number of the bytes, whose words are `words`; `None` if they are not UTF-8. Only bytes without a
    /// number are validated.
    #[inline]
    pub(crate) fn intern_bytes(&mut self, words: &TextWords, text: &[u8]) -> Option<u32> {
        let hash = self.seeds.hash(words, text);
        match self.find(hash, text) {
            Some(number) => Some(number),
            None => std::str::from_utf8(text).ok().map(|text| self.insert(hash, text)),
        }
    }

    /// Returns the number of a text that has one.
    #[inline]
    fn find(&self, hash: u32, text: &[u8]) -> Option<u32> {
        let mask = self.slots.len().wrapping_sub(1);
        let mut index = hash as usize & mask;
        loop {
            let slot = self.slots.get(index)?;
            let number = slot.number.checked_sub(1)?;
            if slot.hash == hash && is_same_text(self.bytes(number), text) {
                return Some(number);
            }
            index = (index + 1) & mask;
        }
    }

    /// Looks up all texts of `others` and stores the numbers that they have here in `numbers`, which is indexed by
    /// their numbers there.
    ///
    /// A text that is not in its first slot is missed although it has a number; its entry stays unchanged, as that of
    /// an absent text does. Faster than single look-ups, because several cache misses are in flight at once.
    // Twin: `find`; tests: `find_all_equals_single_look_ups`, `batch_look_up_finds_most_interned_texts`.
    pub(crate) fn find_all(&self, others: &Self, numbers: &mut [u32]) {
        const BATCH: usize = 32;
        let mask = self.slots.len().wrapping_sub(1);
        if self.slots.is_empty() {
            return;
        }
        let mut first = 0;
        for (numbers, hashes) in numbers.chunks_mut(BATCH).zip(others.hashes.chunks(BATCH)) {
            let mut slots = [Slot::default(); BATCH];
            for (slot, &hash) in slots.iter_mut().zip(hashes) {
                *slot = self.slots[hash as usize & mask];
            }
            let mut ranges = [(0, 0); BATCH];
            for (range, slot) in ranges.iter_mut().zip(&slots) {
                let Range { start, end } = self.range(slot.number.wrapping_sub(1));
                *range = (start, end);
            }
            let wanted = hashes.iter().zip(first..).zip(numbers).zip(slots.iter().zip(ranges));
            for (((&hash, other), number), (slot, (start, end))) in wanted {
                let is_candidate = slot.number != 0 && slot.hash == hash;
                if is_candidate && self.text.as_bytes().get(start..end) == Some(others.bytes(other)) {
                    *number = slot.number - 1;
                }
            }
            first += BATCH as u32;
        }
    }

    /// Assigns the next number to `text`.
    #[cold]
    #[inline(never)]
    fn insert(&mut self, hash: u32, text: &str) -> u32 {
        let number = self.ends.len() as u32;
        self.text.push_str(text);
        self.ends.push(self.text.len());
        self.hashes.push(hash);
        if 2 * self.ends.len() > self.slots.len() {
            let slots = vec![Slot::default(); (2 * self.slots.len()).max(64)];
            for slot in std::mem::replace(&mut self.slots, slots) {
                if slot.number != 0 {
                    self.fill_slot(slot);
                }
            }
        }
        self.fill_slot(Slot { hash, number: number + 1 });
        number
    }

    /// Stores `slot` in the first free slot from its hash on.
    fn fill_slot(&mut self, slot: Slot) {
        let mask = self.slots.len() - 1;
        let mut index = slot.hash as usize & mask;
        while self.slots[index].number != 0 {
            index = (index + 1) & mask;
        }
        self.slots[index] = slot;
    }

    /// Returns the text of a number, or an empty text if the number was never assigned.
    pub(crate) fn get(&self, number: u32) -> &str {
        self.text.get(self.range(number)).unwrap_or("")
    }

    /// Returns the bytes of [`get`](Self::get).
    #[inline]
    fn bytes(&self, number: u32) -> &[u8] {
        self.text.as_bytes().get(self.range(number)).unwrap_or(b"")
    }

    /// Returns the byte range of a text, or an empty range if the number was never assigned.
    #[inline]
    fn range(&self, number: u32) -> Range<usize> {
        let number = number as usize;
        let start = number.checked_sub(1).and_then(|before| self.ends.get(before)).map_or(0, |&end| end);
        self.ends.get(number).map_or(0..0, |&end| start..end)
    }

    /// Returns the number of distinct texts.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns the length of all texts together, in bytes.
    pub(crate) fn text_len(&self) -> usize {
        self.text.len()
    }

    /// Returns the approximate memory use in bytes. It depends on the texts alone, not on the order or number of
    /// calls.
    pub(crate) fn memory(&self) -> usize {
        self.text.len() + 32 * self.ends.len()
    }

    /// Removes all texts and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.text.clear();
        self.ends.clear();
        self.hashes.clear();
        self.slots.fill(Slot::default());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn find_all_equals_single_look_ups(
            known in prop::collection::vec("[a-c]{0,5}|[ -~]{0,70}", 0..150),
            others in prop::collection::vec("[a-c]{0,5}|[ -~]{0,70}", 0..150),
        ) {
            let (mut interner, mut asked) = (Interner::default(), Interner::default());
            for text in &known {
                interner.intern(text);
            }
            for text in others.iter().chain(known.iter().step_by(2)) {
                asked.intern(text);
            }
            let mut numbers = vec![u32::MAX; asked.len()];
            interner.find_all(&asked, &mut numbers);
            for ((other, &number), &hash) in (0..).zip(&numbers).zip(&asked.hashes) {
                let expected = interner.find(hash, asked.bytes(other));
                let mask = interner.slots.len().wrapping_sub(1);
                // A text in its first slot is found, any other one is missed.
                let first = interner.slots.get(hash as usize & mask).and_then(|slot| slot.number.checked_sub(1));
                let found = expected.filter(|_| first == expected);
                prop_assert_eq!(number, found.unwrap_or(u32::MAX));
            }
        }
    }
}
