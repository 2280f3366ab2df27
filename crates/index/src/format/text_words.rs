//! Hashes and examines short texts in 64-bit words, without a branch per byte.

use std::hash::{BuildHasher, Hasher};
use std::sync::OnceLock;

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
