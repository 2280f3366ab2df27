//! Keeps answers, so that a question that was asked before costs nothing.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::answers::Answer;

/// Greatest number of bytes of all answers together.
const MAX_BYTES: usize = 32 << 20;
/// Greatest number of bytes of an answer that is kept.
const MAX_ANSWER_BYTES: usize = 1 << 20;

/// Answers by their question. The key contains the digest of the index, so that answers of an index that has changed are
/// never found and go out of use.
#[derive(Default)]
pub(crate) struct Cache(Mutex<Entries>);

#[derive(Default)]
struct Entries {
    answers: HashMap<String, (Arc<Answer>, u64)>,
    bytes: usize,
    /// Number of look-ups so far.
    now: u64,
}

impl Cache {
    /// Returns the answer to a question.
    pub(crate) fn get(&self, key: &str) -> Option<Arc<Answer>> {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        entries.now += 1;
        let now = entries.now;
        let (answer, last) = entries.answers.get_mut(key)?;
        *last = now;
        Some(Arc::clone(answer))
    }

    /// Keeps an answer; those that were not asked for the longest time make room.
    pub(crate) fn insert(&self, key: String, answer: &Arc<Answer>) {
        let size = answer.body.len() + key.len();
        if size > MAX_ANSWER_BYTES {
            return;
        }
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = entries.now;
        entries.bytes += size;
        if let Some((old, _)) = entries.answers.insert(key.clone(), (Arc::clone(answer), now)) {
            entries.bytes -= old.body.len() + key.len();
        }
        if entries.bytes <= MAX_BYTES {
            return;
        }
        // Half of the room is made at once, so that sorting is rare.
        let mut ages: Vec<(u64, String)> =
            entries.answers.iter().map(|(key, (_, last))| (*last, key.clone())).collect();
        ages.sort_unstable();
        for (_, key) in ages {
            if entries.bytes <= MAX_BYTES / 2 {
                break;
            }
            if let Some((old, _)) = entries.answers.remove(&key) {
                entries.bytes -= old.body.len() + key.len();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(bytes: usize) -> Arc<Answer> {
        Arc::new(Answer { media_type: "text/plain", body: vec![0; bytes], file_name: None })
    }

    #[test]
    fn cache_keeps_what_was_asked_last_and_stays_within_its_size() {
        let cache = Cache::default();
        for number in 0..100 {
            cache.insert(format!("{number}"), &answer(MAX_ANSWER_BYTES / 2));
            assert!(cache.get("0").is_some(), "asked all the time, after {number} others");
        }
        assert!(cache.0.lock().unwrap().bytes <= MAX_BYTES);
        assert!(cache.get("1").is_none());
        assert!(cache.get("99").is_some());
    }

    #[test]
    fn large_answers_are_not_kept() {
        let cache = Cache::default();
        cache.insert("large".to_owned(), &answer(MAX_ANSWER_BYTES + 1));
        assert!(cache.get("large").is_none());
    }
}
