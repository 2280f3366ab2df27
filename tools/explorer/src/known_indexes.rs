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

    /// Keeps the indexes that were asked for at a time.
    pub(crate) fn set(&self, indexes: &Arc<[ServedIndex]>, asked: Instant, changes: u64) {
        let indexes = Arc::clone(indexes);
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Known { indexes, asked, changes });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indexes_are_known_for_a_moment() {
        let known = KnownIndexes::default();
        assert_eq!(known.get(0), None);
        let index = ServedIndex { name: "a".into(), digest: "1".into(), json: serde_json::Value::Null };
        let indexes = Arc::from([index]);
        known.set(&indexes, Instant::now(), 3);
        assert_eq!(known.get(3), Some(Arc::clone(&indexes)));
        assert_eq!(known.get(4), None, "an index was opened again");
        let Some(before) = Instant::now().checked_sub(KNOWN_TIME) else { return };
        known.set(&indexes, before, 3);
        assert_eq!(known.get(3), None);
    }
}
