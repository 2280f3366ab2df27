//! Keeps answers, so that a question that was asked before costs nothing.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::room::HeldAnswer;

/// Greatest number of bytes of all answers together.
const MAX_BYTES: usize = 32 << 20;
/// Greatest number of bytes of an answer that is kept.
const MAX_ANSWER_BYTES: usize = 1 << 20;
/// Bytes of an answer besides its body and its question: an entry of the map, and what the allocator adds to three allocations.
const ENTRY_BYTES: usize = 256;

/// Answers about the present state of each index, by their question. When an index has changed, its answers are dropped with the
/// next question: an index that grows all the time would fill the cache with answers that nobody can ask for.
#[derive(Default)]
pub(crate) struct Cache(Mutex<Entries>);

#[derive(Default)]
struct Entries {
    /// By the name of the index.
    indexes: HashMap<String, IndexEntries>,
    bytes: usize,
    /// Number of look-ups so far.
    now: u64,
}

/// Answers about one state of an index.
#[derive(Default)]
struct IndexEntries {
    digest: String,
    /// Answers with the number of the look-up that last asked for them.
    answers: HashMap<String, (Arc<HeldAnswer>, u64)>,
}

/// Returns the number of bytes that an answer occupies.
fn size(question: &str, answer: &HeldAnswer) -> usize {
    answer.body.len() + question.len() + ENTRY_BYTES
}

impl Cache {
    fn entries(&self) -> MutexGuard<'_, Entries> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the answer to a question about an index that has this digest now. Answers about another state are dropped.
    pub(crate) fn get(&self, index: &str, digest: &str, question: &str) -> Option<Arc<HeldAnswer>> {
        let mut entries = self.entries();
        let entries = &mut *entries;
        entries.now += 1;
        let Some(of_index) = entries.indexes.get_mut(index) else {
            let digest = digest.to_owned();
            entries.indexes.insert(index.to_owned(), IndexEntries { digest, ..IndexEntries::default() });
            return None;
        };
        if of_index.digest != digest {
            digest.clone_into(&mut of_index.digest);
            let dropped = std::mem::take(&mut of_index.answers);
            entries.bytes -=
                dropped.iter().map(|(question, (answer, _))| size(question, answer)).sum::<usize>();
            return None;
        }
        let (answer, last) = of_index.answers.get_mut(question)?;
        *last = entries.now;
        Some(Arc::clone(answer))
    }

    /// Keeps an answer about an index that had this digest, unless the index has changed since. Answers that were not asked for
    /// the longest time make room.
    pub(crate) fn insert(&self, index: &str, digest: &str, question: String, answer: &Arc<HeldAnswer>) {
        let added = size(&question, answer);
        if added > MAX_ANSWER_BYTES {
            return;
        }
        let mut entries = self.entries();
        let entries = &mut *entries;
        let Some(of_index) = entries.indexes.get_mut(index).filter(|of_index| of_index.digest == digest)
        else {
            return;
        };
        entries.bytes += added;
        if let Some((old, _)) = of_index.answers.insert(question.clone(), (Arc::clone(answer), entries.now)) {
            entries.bytes -= size(&question, &old);
        }
        if entries.bytes > MAX_BYTES {
            entries.make_room();
        }
    }

    /// Returns the number of bytes of all answers.
    pub(crate) fn bytes(&self) -> usize {
        self.entries().bytes
    }
}

impl Entries {
    /// Drops the older half of the answers at once, so that looking for them is rare.
    fn make_room(&mut self) {
        let of_all = self.indexes.values().flat_map(|of_index| &of_index.answers);
        let mut ages: Vec<(u64, usize)> =
            of_all.map(|(question, (answer, last))| (*last, size(question, answer))).collect();
        ages.sort_unstable();
        let mut oldest_kept = 0;
        for (last, size) in ages {
            if self.bytes <= MAX_BYTES / 2 {
                break;
            }
            self.bytes -= size;
            oldest_kept = last + 1;
        }
        let mut bytes = 0;
        for of_index in self.indexes.values_mut() {
            of_index.answers.retain(|question, (answer, last)| {
                let is_kept = *last >= oldest_kept;
                bytes += if is_kept { size(question, answer) } else { 0 };
                is_kept
            });
            of_index.answers.shrink_to_fit();
        }
        self.bytes = bytes;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(bytes: usize) -> Arc<HeldAnswer> {
        Arc::new(HeldAnswer { media_type: "text/plain", body: vec![0; bytes].into(), file_name: None })
    }

    /// Asks a question, and keeps an answer of this length if there is none.
    fn ask(cache: &Cache, index: &str, digest: &str, question: &str, bytes: usize) -> bool {
        let is_known = cache.get(index, digest, question).is_some();
        if !is_known {
            cache.insert(index, digest, question.to_owned(), &answer(bytes));
        }
        is_known
    }

    #[test]
    fn cache_keeps_what_was_asked_last_and_stays_within_its_size() {
        let cache = Cache::default();
        for number in 0..100 {
            ask(&cache, ["a", "b"][number % 2], "1", &number.to_string(), MAX_ANSWER_BYTES / 2);
            assert!(ask(&cache, "a", "1", "0", 9), "asked all the time, after {number} others");
            assert!(cache.bytes() <= MAX_BYTES, "{}", cache.bytes());
        }
        assert!(cache.get("b", "1", "1").is_none());
        assert!(cache.get("b", "1", "99").is_some());
    }

    #[test]
    fn short_answers_count_with_what_they_take_in_memory() {
        let cache = Cache::default();
        let count = 2 * MAX_BYTES / ENTRY_BYTES;
        for number in 0..count {
            ask(&cache, "a", "1", &number.to_string(), 1);
        }
        assert!(cache.entries().indexes["a"].answers.len() < count / 2);
    }

    #[test]
    fn large_answers_are_not_kept() {
        let cache = Cache::default();
        assert!(!ask(&cache, "a", "1", "large", MAX_ANSWER_BYTES + 1));
        assert!(!ask(&cache, "a", "1", "large", 1));
    }

    #[test]
    fn answers_of_an_index_that_has_changed_are_dropped() {
        let cache = Cache::default();
        ask(&cache, "a", "1", "x", 1000);
        ask(&cache, "b", "1", "x", 1000);
        let both = cache.bytes();
        assert!(cache.get("a", "2", "x").is_none());
        assert_eq!(cache.bytes(), both / 2);
        // An answer from before the change comes late, and one from after the next change early.
        for digest in ["1", "3"] {
            cache.insert("a", digest, "x".to_owned(), &answer(7));
            assert!(cache.get("a", "2", "x").is_none());
        }
        assert_eq!(cache.bytes(), both / 2);
        assert!(cache.get("b", "1", "x").is_some());
    }
}
