//! The list of served indexes, kept for a fraction of a second, so that an answer from the cache needs no blocking call.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::answers::ServedIndex;

/// The time after which the indexes are asked for again. Together with the interval at which the folder of an index is checked, it
/// is less than a second, within which clients see a change.
const KNOWN_TIME: Duration = Duration::from_millis(200);

/// The served indexes.
#[derive(Debug, Default)]
pub(crate) struct KnownIndexes(Mutex<Option<Known>>);

#[derive(Debug)]
struct Known {
    indexes: Arc<[ServedIndex]>,
    /// The time at which they were asked for, and [`Answers::changes`](crate::answers::Answers::changes) then.
    asked: Instant,
    changes: u64,
}

impl KnownIndexes {
    /// Returns the indexes if they were asked for within this time, and none has been opened again since.
    pub(crate) fn get(&self, changes: u64) -> Option<Arc<[ServedIndex]>> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_current = |known: &&Known| known.changes == changes && known.asked.elapsed() < KNOWN_TIME;
        Some(Arc::clone(&known.as_ref().filter(is_current)?.indexes))
    }

    /// Keeps the indexes that were asked for at a time. Returns a sentence about each index that was lost or found again since.
    pub(crate) fn set(&self, indexes: &Arc<[ServedIndex]>, asked: Instant, changes: u64) -> Vec<String> {
        let known = Known { indexes: Arc::clone(indexes), asked, changes };
        let before = self.0.lock().unwrap_or_else(PoisonError::into_inner).replace(known);
        let was_lost = |name: &str| {
            let mut before = before.iter().flat_map(|before| before.indexes.iter());
            before.any(|index| index.name == name && index.lost.is_some())
        };
        let change = |index: &ServedIndex| match (was_lost(&index.name), &index.lost) {
            (false, Some(why)) => Some(format!(
                "index {}: cannot be opened any more: {why}; answers come from what was open before",
                index.name
            )),
            (true, None) => Some(format!("index {}: can be opened again", index.name)),
            _ => None,
        };
        indexes.iter().filter_map(change).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn served(lost: Option<&str>) -> Arc<[ServedIndex]> {
        let (name, digest, lost) = ("a".to_owned(), "1".to_owned(), lost.map(str::to_owned));
        Arc::from([ServedIndex { name, digest, json: serde_json::Value::Null, lost }])
    }

    #[test]
    fn lost_index_is_reported_once_and_again_when_it_is_found() {
        let known = KnownIndexes::default();
        let mut reported = Vec::new();
        for lost in [None, Some("is not an index"), Some("is not an index"), None, None] {
            reported.extend(known.set(&served(lost), Instant::now(), 0));
        }
        assert_eq!(reported.len(), 2, "{reported:?}");
        assert!(reported[0].contains("index a: cannot be opened any more: is not an index"), "{reported:?}");
        assert!(reported[1].ends_with("can be opened again"), "{reported:?}");
    }

    #[test]
    fn indexes_are_known_for_a_moment() {
        let known = KnownIndexes::default();
        assert_eq!(known.get(0), None);
        let indexes = served(None);
        known.set(&indexes, Instant::now(), 3);
        assert_eq!(known.get(3), Some(Arc::clone(&indexes)));
        assert_eq!(known.get(4), None, "an index was opened again");
        let Some(before) = Instant::now().checked_sub(KNOWN_TIME) else { return };
        known.set(&indexes, before, 3);
        assert_eq!(known.get(3), None);
    }
}
