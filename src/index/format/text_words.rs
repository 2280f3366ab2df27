//! Short texts as words: hashed and looked over without a branch a byte.

use std::hash::{BuildHasher, Hasher};
use std::sync::OnceLock;

/// The longest text that its words hold.
const LONGEST: usize = 32;

/// The bytes of a text of up to 32 as four words that overlap, padded with zeros; nothing of a longer one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Words([u64; 4]);

impl Words {
    /// The words of a text.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn of(text: &[u8]) -> Self {
        let len = text.len();
        if (8..=LONGEST).contains(&len) {
            let (near, far) = (8.min(len - 8), len.max(16) - 16);
            return Self([word(text, 0), word(text, len - 8), word(text, near), word(text, far)]);
        }
        Self([if len < 8 { brief(text) } else { 0 }, 0, 0, 0])
    }

    /// Whether the text has a byte that is not ASCII, a backslash or an ampersand. Must be those of `text`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn has_odd(&self, text: &[u8]) -> bool {
        if text.len() > LONGEST {
            return text.iter().any(|&byte| !byte.is_ascii() || byte == b'\\' || byte == b'&');
        }
        self.0.iter().fold(0, |any, &word| any | marks(word, b'\\') | marks(word, b'&') | word) & HIGH != 0
    }
}

/// The bytes of a text that is shorter than a word.
#[inline]
fn brief(text: &[u8]) -> u64 {
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

#[cfg_attr(not(debug_assertions), inline(always))]
fn word(text: &[u8], at: usize) -> u64 {
    text.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

const LOW: u64 = u64::from_le_bytes([1; 8]);
const HIGH: u64 = LOW << 7;

/// High bits, some at least if the word has this byte, none if it has not and is ASCII.
#[cfg_attr(not(debug_assertions), inline(always))]
fn marks(word: u64, byte: u8) -> u64 {
    let zeros = word ^ (LOW * u64::from(byte));
    zeros.wrapping_sub(LOW) & !zeros
}

/// What makes a hash one's own, so that nobody can choose texts with the same one.
#[derive(Debug)]
pub(crate) struct Seeds {
    words: [u64; 4],
    longer: foldhash::fast::FixedState,
}

impl Seeds {
    /// Those of this process, so that a hash can be handed on.
    pub(crate) fn common() -> &'static Self {
        static COMMON: OnceLock<Seeds> = OnceLock::new();
        COMMON.get_or_init(Self::random)
    }

    fn random() -> Self {
        let random = foldhash::quality::RandomState::default();
        Self {
            words: std::array::from_fn(|word| random.hash_one(word)),
            longer: foldhash::fast::FixedState::with_seed(random.hash_one(4)),
        }
    }

    /// The hash of a text that has these words.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn hash(&self, words: &Words, text: &[u8]) -> u32 {
        if text.len() > LONGEST {
            return self.long(text);
        }
        let [a, b, c, d] = std::array::from_fn(|i| words.0[i] ^ self.words[i]);
        let hash = folded(a, b ^ text.len() as u64) ^ folded(c, d);
        (hash ^ (hash >> 32)) as u32
    }

    #[cold]
    fn long(&self, text: &[u8]) -> u32 {
        let mut hasher = self.longer.build_hasher();
        hasher.write(text);
        hasher.finish() as u32
    }
}

/// Both halves of a product.
#[cfg_attr(not(debug_assertions), inline(always))]
fn folded(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product as u64) ^ ((product >> 64) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn odd_bytes_are_seen_wherever_they_are(len in 0usize..40, at in 0usize..40, byte: u8, fill in b' '..=b'~') {
            let mut text = vec![fill; len];
            if let Some(place) = text.get_mut(at) {
                *place = byte;
            }
            let odd = |&byte: &u8| !byte.is_ascii() || byte == b'\\' || byte == b'&';
            prop_assert_eq!(Words::of(&text).has_odd(&text), text.iter().any(odd));
        }

        #[test]
        fn every_byte_counts(text in prop::collection::vec(any::<u8>(), 1..60), at: prop::sample::Index, bit in 0u8..8) {
            let mut other = text.clone();
            other[at.index(text.len())] ^= 1 << bit;
            let seeds = Seeds::common();
            let hash = |text: &[u8]| seeds.hash(&Words::of(text), text);
            prop_assert_eq!(hash(&text), hash(&text));
            // Once in four thousand million times it may be the same.
            prop_assert_ne!(hash(&text), hash(&other));
        }
    }
}
