//! Stops the work on an answer that nobody waits for any more.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use pdn::stop::Stop;

use crate::metrics::Metrics;

/// Stops the work when it is dropped: its client has gone away, or the answer has been sent.
pub(crate) struct StopOnDrop {
    stop: Stop,
    metrics: Arc<Metrics>,
    /// `true` if the answer is complete.
    pub(crate) is_done: bool,
}

impl StopOnDrop {
    /// Creates a guard that requests the stop.
    pub(crate) fn new(stop: &Stop, metrics: &Arc<Metrics>) -> Self {
        Self { stop: stop.clone(), metrics: Arc::clone(metrics), is_done: false }
    }

    /// Counts an answer that was stopped because it took too long.
    pub(crate) fn count_budget_stop(&self) {
        self.metrics.budget_stops.fetch_add(1, Ordering::Relaxed);
    }
}

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.stop.request();
        if !self.is_done {
            self.metrics.abandoned.fetch_add(1, Ordering::Relaxed);
        }
    }
}
