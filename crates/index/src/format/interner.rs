//! Assigns numbers to distinct texts. Short texts are hashed and examined in 64-bit words, without a branch per byte.

use std::hash::{BuildHasher, Hasher};
use std::ops::Range;
use std::sync::OnceLock;

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

    /// Returns the number of text `number` of another interner, a new one if it has none.
    pub(crate) fn intern_from(&mut self, other: &Self, number: u32) -> u32 {
        let (hash, text) = (other.hashes[number as usize], other.get(number));
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

/// Maximum length in bytes of a text that is held in words.
const MAX_LEN: usize = 32;

/// The bytes of a text of at most 32 bytes as four overlapping words, padded with zeros. All zeros for a longer text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextWords([u64; 4]);

impl TextWords {
    /// Creates the words of a text.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn of(text: &[u8]) -> Self {
        let len = text.len();
        if (8..=MAX_LEN).contains(&len) {
            let (second, third) = (8.min(len - 8), len.max(16) - 16);
            return Self([word(text, 0), word(text, len - 8), word(text, second), word(text, third)]);
        }
        Self([if len < 8 { short_word(text) } else { 0 }, 0, 0, 0])
    }

    /// Returns `true` if the text has a byte that is not ASCII, a backslash or an ampersand: only then does its value
    /// differ from its bytes. `self` must hold the words of `text`.
    // Twin: the bytes one by one; test: `needs_decoding_finds_such_bytes_anywhere`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn needs_decoding(&self, text: &[u8]) -> bool {
        if text.len() > MAX_LEN {
            return text.iter().any(|&byte| !byte.is_ascii() || byte == b'\\' || byte == b'&');
        }
        self.0.iter().fold(0, |any, &word| any | byte_mask(word, b'\\') | byte_mask(word, b'&') | word) & HIGH
            != 0
    }
}

/// Returns the bytes of a text of fewer than 8 bytes as one word.
#[inline]
fn short_word(text: &[u8]) -> u64 {
    let half =
        |at: usize| text.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |b| u32::from_le_bytes(*b));
    match *text {
        [] => 0,
        [a] => u64::from(a),
        [a, b] => u64::from(a) | u64::from(b) << 8,
        [a, b, c] => u64::from(a) | u64::from(b) << 8 | u64::from(c) << 16,
        _ => u64::from(half(0)) | u64::from(half(text.len() - 4)) << 32,
    }
}

/// Returns the 8 bytes from `at` on as a word.
#[cfg_attr(not(debug_assertions), inline(always))]
fn word(text: &[u8], at: usize) -> u64 {
    text.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

const LOW: u64 = u64::from_le_bytes([1; 8]);
const HIGH: u64 = LOW << 7;

/// Returns a word that has some of the high bits of its bytes set if `word` contains `byte`, and none if it does not
/// and is ASCII.
#[cfg_attr(not(debug_assertions), inline(always))]
fn byte_mask(word: u64, byte: u8) -> u64 {
    let difference = word ^ (LOW * u64::from(byte));
    difference.wrapping_sub(LOW) & !difference
}

/// Random seeds of a hash function, so that nobody can prepare texts with equal hashes.
#[derive(Debug)]
pub(crate) struct HashSeeds {
    words: [u64; 4],
    longer: foldhash::fast::FixedState,
}

impl HashSeeds {
    /// Returns the seeds of this process. All interners share them, so a hash computed by one is valid in another.
    pub(crate) fn of_process() -> &'static Self {
        static COMMON: OnceLock<HashSeeds> = OnceLock::new();
        COMMON.get_or_init(Self::random)
    }

    fn random() -> Self {
        let random = foldhash::quality::RandomState::default();
        Self {
            words: std::array::from_fn(|word| random.hash_one(word)),
            longer: foldhash::fast::FixedState::with_seed(random.hash_one(4)),
        }
    }

    /// Returns the hash of `text`, whose words are `words`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn hash(&self, words: &TextWords, text: &[u8]) -> u32 {
        if text.len() > MAX_LEN {
            return self.hash_long(text);
        }
        let [a, b, c, d] = std::array::from_fn(|i| words.0[i] ^ self.words[i]);
        let hash = folded_product(a, b ^ text.len() as u64) ^ folded_product(c, d);
        (hash ^ (hash >> 32)) as u32
    }

    #[cold]
    fn hash_long(&self, text: &[u8]) -> u32 {
        let mut hasher = self.longer.build_hasher();
        hasher.write(text);
        hasher.finish() as u32
    }
}

/// Returns the lower half of the product exclusive-or the upper half.
#[cfg_attr(not(debug_assertions), inline(always))]
fn folded_product(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product as u64) ^ ((product >> 64) as u64)
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

    proptest! {
        #[test]
        fn needs_decoding_finds_such_bytes_anywhere(len in 0usize..40, at in 0usize..40, byte: u8, fill in b' '..=b'~') {
            let mut text = vec![fill; len];
            if let Some(place) = text.get_mut(at) {
                *place = byte;
            }
            let is_special = |&byte: &u8| !byte.is_ascii() || byte == b'\\' || byte == b'&';
            prop_assert_eq!(TextWords::of(&text).needs_decoding(&text), text.iter().any(is_special));
        }

        #[test]
        fn hashes_depend_on_every_bit(text in prop::collection::vec(any::<u8>(), 1..60), at: prop::sample::Index, bit in 0u8..8) {
            let mut other = text.clone();
            other[at.index(text.len())] ^= 1 << bit;
            let seeds = HashSeeds::of_process();
            let hash = |text: &[u8]| seeds.hash(&TextWords::of(text), text);
            prop_assert_eq!(hash(&text), hash(&text));
            // Equal hashes have a probability of 2^-32.
            prop_assert_ne!(hash(&text), hash(&other));
        }
    }
}
