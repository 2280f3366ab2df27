//! The served indexes as they were a moment ago, so that an answer from the cache takes no other thread.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::answers::ServedIndex;

/// The time after which the indexes are asked for again. Together with the time after which an index looks at its folder, it is
/// less than the second in which a change is seen.
const KNOWN_TIME: Duration = Duration::from_millis(200);

/// The served indexes with the time at which they were asked for.
#[derive(Debug, Default)]
pub(crate) struct KnownIndexes(Mutex<Option<(Instant, Arc<[ServedIndex]>)>>);

impl KnownIndexes {
    /// Returns the indexes if they were asked for a moment ago.
    pub(crate) fn get(&self) -> Option<Arc<[ServedIndex]>> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (_, indexes) = known.as_ref().filter(|(asked, _)| asked.elapsed() < KNOWN_TIME)?;
        Some(Arc::clone(indexes))
    }

    /// Keeps the indexes that were asked for at a time.
    pub(crate) fn set(&self, asked: Instant, indexes: &Arc<[ServedIndex]>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((asked, Arc::clone(indexes)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indexes_are_known_for_a_moment() {
        let known = KnownIndexes::default();
        assert_eq!(known.get(), None);
        let index = ServedIndex { name: "a".into(), digest: "1".into(), json: serde_json::Value::Null };
        let indexes = Arc::from([index]);
        known.set(Instant::now(), &indexes);
        assert_eq!(known.get(), Some(Arc::clone(&indexes)));
        let Some(before) = Instant::now().checked_sub(KNOWN_TIME) else { return };
        known.set(before, &indexes);
        assert_eq!(known.get(), None);
    }
}
