//! Keeps the results of recent requests.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The results of recent requests by their keys. When it is full, a new result replaces the least recently used one.
pub(crate) struct Recent<T> {
    /// The least recently used result comes first.
    entries: Mutex<Vec<(String, Arc<T>)>>,
    /// Greatest number of results.
    capacity: usize,
}

impl<T> Recent<T> {
    pub(crate) fn new(capacity: usize) -> Self {
        Self { entries: Mutex::default(), capacity }
    }

    fn entries(&self) -> MutexGuard<'_, Vec<(String, Arc<T>)>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the result with this key if it is `usable`.
    pub(crate) fn get(&self, key: &str, usable: impl FnOnce(&T) -> bool) -> Option<Arc<T>> {
        let mut entries = self.entries();
        let place = entries.iter().position(|(other, _)| other == key)?;
        if !usable(&entries[place].1) {
            return None;
        }
        entries[place..].rotate_left(1);
        entries.last().map(|(_, result)| Arc::clone(result))
    }

    /// Keeps a result in place of an earlier one with this key.
    pub(crate) fn insert(&self, key: String, result: &Arc<T>) {
        let mut entries = self.entries();
        entries.retain(|(other, _)| *other != key);
        entries.push((key, Arc::clone(result)));
        if entries.len() > self.capacity {
            entries.remove(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn least_recently_used_result_is_replaced() {
        let recent = Recent::new(2);
        for (key, result) in [("a", 1), ("b", 2)] {
            recent.insert(key.to_owned(), &Arc::new(result));
        }
        assert_eq!(recent.get("a", |_| true).as_deref(), Some(&1));
        assert_eq!(recent.get("b", |result| *result > 2), None);
        recent.insert("c".to_owned(), &Arc::new(3));
        assert_eq!(["a", "b", "c"].map(|key| recent.get(key, |_| true).is_some()), [true, false, true]);
        recent.insert("c".to_owned(), &Arc::new(4));
        assert_eq!(recent.get("c", |_| true).as_deref(), Some(&4));
        assert!(recent.get("a", |_| true).is_some(), "a result with the same key takes no other place");
    }
}
