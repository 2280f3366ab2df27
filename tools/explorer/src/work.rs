//! Computes answers on threads that may block, a limited number at a time, each with a budget of time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::Semaphore;

use crate::metrics::Metrics;
use crate::problem::Problem;

/// The threads for answers.
pub(crate) struct Work {
    permits: Arc<Semaphore>,
    budget: Duration,
    metrics: Arc<Metrics>,
}

/// Stops the work when it is dropped: its client has gone away, or the answer has been sent.
struct StopOnDrop {
    stop: Arc<AtomicBool>,
    metrics: Arc<Metrics>,
    is_done: bool,
}

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if !self.is_done {
            self.metrics.abandoned.fetch_add(1, Ordering::Relaxed);
        }
    }
}

impl Work {
    /// Creates room for this many answers at a time, each of which may take `budget`, waiting included.
    pub(crate) fn new(permits: usize, budget: Duration, metrics: Arc<Metrics>) -> Self {
        Self { permits: Arc::new(Semaphore::new(permits)), budget, metrics }
    }

    /// Runs `work` on another thread. It has to end soon after the flag that it receives is set: when the budget is used
    /// up, and when the returned future is dropped because the client has gone away.
    ///
    /// # Errors
    /// The problem of `work`, or that the budget was used up.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&AtomicBool) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let stop = Arc::new(AtomicBool::new(false));
        let mut guard =
            StopOnDrop { stop: Arc::clone(&stop), metrics: Arc::clone(&self.metrics), is_done: false };
        let permits = Arc::clone(&self.permits);
        let answered = tokio::time::timeout(self.budget, async move {
            let Ok(permit) = permits.acquire_owned().await else { return Err(Problem::out_of_budget()) };
            let task = tokio::task::spawn_blocking(move || {
                // The permit is given back when the thread is free again, not when the client has its answer.
                let _permit = permit;
                work(&stop)
            });
            task.await.unwrap_or_else(|_| Err(Problem::new(500, "this answer failed; the server goes on")))
        })
        .await;
        guard.is_done = true;
        answered.unwrap_or_else(|_| {
            self.metrics.budget_stops.fetch_add(1, Ordering::Relaxed);
            Err(Problem::out_of_budget())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runtime() -> tokio::runtime::Runtime {
        tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_time().build().unwrap()
    }

    /// Waits until the flag is set and says so.
    fn wait(stop: &AtomicBool, seen: &AtomicBool) -> Result<(), Problem> {
        while !stop.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(1));
        }
        seen.store(true, Ordering::Relaxed);
        Ok(())
    }

    #[test]
    fn work_is_stopped_when_its_budget_is_used_up() {
        let metrics = Arc::new(Metrics::default());
        let work = Work::new(1, Duration::from_millis(20), Arc::clone(&metrics));
        let seen = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&seen);
        let problem = runtime().block_on(work.run(move |stop| wait(stop, &flag))).unwrap_err();
        assert_eq!((problem.status, problem.retry_after), (503, Some(5)));
        assert_eq!(metrics.budget_stops.load(Ordering::Relaxed), 1);
        // Dropping the runtime waited for the thread.
        assert!(seen.load(Ordering::Relaxed));
    }

    #[test]
    fn work_is_stopped_when_its_client_goes_away() {
        let metrics = Arc::new(Metrics::default());
        let work = Work::new(1, Duration::from_secs(60), Arc::clone(&metrics));
        let seen = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&seen);
        runtime().block_on(async {
            let asked = work.run(move |stop| wait(stop, &flag));
            assert!(tokio::time::timeout(Duration::from_millis(20), asked).await.is_err());
        });
        assert!(seen.load(Ordering::Relaxed));
        assert_eq!(metrics.abandoned.load(Ordering::Relaxed), 1);
    }
}
