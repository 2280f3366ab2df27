//! Keeps answers, so that a question that was asked before costs nothing.

use std::sync::Arc;

use quick_cache::sync::DefaultLifecycle;
use quick_cache::{DefaultHashBuilder, OptionsBuilder, Weighter};

use crate::room::HeldAnswer;

/// Greatest number of bytes of all answers together.
const MAX_BYTES: u64 = 32 << 20;
/// Greatest number of bytes of an answer that is kept.
const MAX_ANSWER_BYTES: u64 = 1 << 20;
/// Bytes of an answer besides its body and its question: an entry of the cache, and what the allocator adds to three allocations.
const ENTRY_BYTES: usize = 256;
/// Number of answers that the cache expects; it may have more.
const EXPECTED_ANSWERS: usize = 4096;

/// Answers by their question, which names the state of the index. Nobody can ask for those about earlier states any more, so that they
/// make room before others.
pub(crate) struct Cache(quick_cache::sync::Cache<String, Arc<HeldAnswer>, Size>);

/// The number of bytes that an answer occupies.
#[derive(Clone)]
struct Size;

impl Weighter<String, Arc<HeldAnswer>> for Size {
    fn weight(&self, question: &String, answer: &Arc<HeldAnswer>) -> u64 {
        (answer.body.len() + question.len() + ENTRY_BYTES) as u64
    }
}

impl Default for Cache {
    fn default() -> Self {
        let mut options = OptionsBuilder::new();
        options.weight_capacity(MAX_BYTES).estimated_items_capacity(EXPECTED_ANSWERS);
        // The bound is divided among shards, and a long answer would fit into none of several.
        let options = options.shards(1).build().expect("both capacities are given");
        let (hash, lifecycle) = (DefaultHashBuilder::default(), DefaultLifecycle::default());
        Self(quick_cache::sync::Cache::with_options(options, Size, hash, lifecycle))
    }
}

impl Cache {
    /// Returns the answer to a question.
    pub(crate) fn get(&self, question: &str) -> Option<Arc<HeldAnswer>> {
        self.0.get(question)
    }

    /// Keeps an answer unless it is long. Answers that are asked for less make room.
    pub(crate) fn insert(&self, question: String, answer: &Arc<HeldAnswer>) {
        if Size.weight(&question, answer) <= MAX_ANSWER_BYTES {
            self.0.insert(question, Arc::clone(answer));
        }
    }

    /// Returns the number of bytes of all answers.
    pub(crate) fn bytes(&self) -> u64 {
        self.0.weight()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Asks a question, and keeps an answer of this length if there is none.
    fn ask(cache: &Cache, question: &str, bytes: usize) -> bool {
        let is_known = cache.get(question).is_some();
        if !is_known {
            let body = vec![0; bytes].into();
            let answer = HeldAnswer { media_type: "text/plain", body, file_name: None };
            cache.insert(question.to_owned(), &Arc::new(answer));
        }
        is_known
    }

    #[test]
    fn cache_keeps_what_is_asked_and_stays_within_its_size() {
        let cache = Cache::default();
        for number in 0..200 {
            ask(&cache, &number.to_string(), 512 << 10);
            assert!(ask(&cache, "0", 9), "asked all the time, after {number} others");
            assert!(cache.bytes() <= MAX_BYTES, "{}", cache.bytes());
        }
        assert!(ask(&cache, "199", 9));
    }

    #[test]
    fn short_answers_count_with_what_they_take_in_memory() {
        let cache = Cache::default();
        let count = 2 * MAX_BYTES as usize / ENTRY_BYTES;
        for number in 0..count {
            ask(&cache, &number.to_string(), 1);
        }
        assert!(cache.bytes() <= MAX_BYTES && cache.0.len() < count / 2);
    }

    #[test]
    fn large_answers_are_not_kept() {
        let cache = Cache::default();
        assert!(!ask(&cache, "large", 1 << 20));
        assert!(!ask(&cache, "large", 1));
    }
}
