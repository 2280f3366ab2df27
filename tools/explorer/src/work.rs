//! Computes answers on threads that may block, a limited number at a time, each with a budget of time.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::body::Body;
use pdn::stop::Stop;
use tokio::sync::{Semaphore, mpsc};

use crate::lines::{Event, LineBody};
use crate::metrics::Metrics;
use crate::problem::Problem;
use crate::room::Room;
use crate::stop::StopOnDrop;

/// Number of parts of a stream that wait for the client. No search has more parts than rows, so that it never waits for a slow client,
/// except in tests.
const MAX_WAITING_PARTS: usize = 1024;

/// The threads for answers.
pub(crate) struct Work {
    permits: Arc<Semaphore>,
    budget: Duration,
    metrics: Arc<Metrics>,
}

impl Work {
    /// Creates room for this many answers at a time, each of which may take `budget`, waiting included.
    pub(crate) fn new(permits: usize, budget: Duration, metrics: Arc<Metrics>) -> Self {
        Self { permits: Arc::new(Semaphore::new(permits)), budget, metrics }
    }

    /// Runs `work` on another thread. It has to end soon after a stop is requested by the handle that it receives: when the budget is used
    /// up, and when the returned future is dropped because the client has gone away.
    ///
    /// # Errors
    /// The problem of `work`, or that the budget was used up.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Stop) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let stop = Stop::new();
        let mut guard = StopOnDrop::new(&stop, &self.metrics);
        let permits = Arc::clone(&self.permits);
        let answered = tokio::time::timeout(self.budget, async move {
            let Ok(permit) = permits.acquire_owned().await else { return Err(Problem::out_of_budget()) };
            let task = tokio::task::spawn_blocking(move || {
                // The permit is given back when the thread is free again, not when the client has its answer.
                let _permit = permit;
                work(&stop)
            });
            task.await.unwrap_or_else(|_| Err(Problem::failed()))
        })
        .await;
        guard.is_done = true;
        answered.unwrap_or_else(|_| {
            self.metrics.budget_stops.fetch_add(1, Ordering::Relaxed);
            Err(Problem::out_of_budget())
        })
    }

    /// Runs `work` on another thread, and returns a body with the lines that it sends and at last the line that it returns. The
    /// handle that it receives requests a stop when the budget is used up, and when the body is dropped because the client has gone
    /// away. A problem after the first line becomes the last line. Lines that the client has not read take room; if too many of them
    /// wait, so does the work, within its budget.
    ///
    /// # Errors
    /// The problem of `work` if it occurs before the first line.
    pub(crate) async fn stream(
        &self,
        room: Arc<Room>,
        work: impl FnOnce(&Stop, &mut dyn FnMut(Vec<u8>)) -> Result<Vec<u8>, Problem> + Send + 'static,
    ) -> Result<Body, Problem> {
        let stop = Stop::new();
        let guard = StopOnDrop::new(&stop, &self.metrics);
        let deadline = tokio::time::Instant::now() + self.budget;
        let permit = tokio::time::timeout_at(deadline, Arc::clone(&self.permits).acquire_owned()).await;
        let Ok(Ok(permit)) = permit else {
            self.metrics.budget_stops.fetch_add(1, Ordering::Relaxed);
            return Err(Problem::out_of_budget());
        };
        let (sender, receiver) = mpsc::channel(MAX_WAITING_PARTS + 1);
        // The last event always has a place.
        let Ok(end) = sender.clone().try_reserve_owned() else { return Err(Problem::out_of_budget()) };
        let handle = stop.clone();
        let runtime = tokio::runtime::Handle::current();
        tokio::task::spawn_blocking(move || {
            let _permit = permit;
            let mut failure = None;
            let mut send = |lines| {
                if failure.is_some() {
                    return;
                }
                let sent = room.hold_bytes(lines).and_then(|lines| {
                    let sent = tokio::time::timeout_at(deadline, sender.send(Event::Line(lines)));
                    // If nobody listens any more, a stop has been requested.
                    runtime.block_on(sent).map_or_else(|_| Err(Problem::out_of_budget()), |_| Ok(()))
                });
                if let Err(problem) = sent {
                    handle.request();
                    failure = Some(problem);
                }
            };
            let outcome = work(&handle, &mut send);
            end.send(Event::End(failure.map_or(outcome, Err)));
        });
        let timer = tokio::spawn(async move {
            tokio::time::sleep_until(deadline).await;
            stop.request();
        });
        LineBody::new(receiver, guard, timer.abort_handle()).await.map(Body::new)
    }
}

#[cfg(test)]
mod tests {

    use super::*;
    use std::sync::atomic::{AtomicBool, AtomicU64};

    fn runtime() -> tokio::runtime::Runtime {
        tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_time().build().unwrap()
    }

    /// Waits until the flag is set and says so.
    fn wait(stop: &Stop, seen: &AtomicBool) -> Result<(), Problem> {
        while !stop.is_requested() {
            std::thread::sleep(Duration::from_millis(1));
        }
        seen.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// Returns the next part of a body as text.
    async fn next(body: &mut Body) -> Option<String> {
        use axum::body::HttpBody;
        let frame =
            std::future::poll_fn(|context| std::pin::Pin::new(&mut *body).poll_frame(context)).await?;
        frame.unwrap().into_data().ok().map(|data| String::from_utf8(data.to_vec()).unwrap())
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

    #[test]
    fn lines_are_sent_before_the_work_is_done() {
        let metrics = Arc::new(Metrics::default());
        let work = Work::new(1, Duration::from_secs(600), Arc::clone(&metrics));
        let (go, wait) = std::sync::mpsc::channel();
        runtime().block_on(async {
            let answer = work.stream(Arc::default(), move |_, send| {
                send(b"1\n".to_vec());
                wait.recv().unwrap();
                send(b"2\n".to_vec());
                Ok(b"3\n".to_vec())
            });
            let mut body = answer.await.unwrap();
            assert_eq!(next(&mut body).await.as_deref(), Some("1\n"));
            go.send(()).unwrap();
            assert_eq!(next(&mut body).await.as_deref(), Some("2\n"));
            assert_eq!(next(&mut body).await.as_deref(), Some("3\n"));
            assert_eq!(next(&mut body).await, None);
        });
        assert_eq!(metrics.abandoned.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn last_line_of_an_incomplete_stream_says_why() {
        let metrics = Arc::new(Metrics::default());
        let work = Work::new(1, Duration::from_millis(20), Arc::clone(&metrics));
        runtime().block_on(async {
            let answer = work.stream(Arc::default(), |stop, send| {
                send(b"1\n".to_vec());
                wait(stop, &AtomicBool::new(false))?;
                Err(Problem::out_of_budget())
            });
            let mut body = answer.await.unwrap();
            assert_eq!(next(&mut body).await.as_deref(), Some("1\n"));
            let last = next(&mut body).await.unwrap();
            assert!(last.starts_with("{\"complete\":false,\"problem\":{") && last.contains("503"), "{last}");
            assert_eq!(next(&mut body).await, None);
            // A panic is a problem too.
            let answer = work.stream(Arc::default(), |_, send| {
                send(b"1\n".to_vec());
                panic!("for the test");
            });
            let mut body = answer.await.unwrap();
            next(&mut body).await;
            assert!(next(&mut body).await.unwrap().contains("500"));
            assert_eq!(next(&mut body).await, None);
        });
        assert_eq!(metrics.budget_stops.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn work_waits_for_a_slow_reader_within_its_budget() {
        let work = Work::new(1, Duration::from_millis(300), Arc::default());
        let room = Arc::new(Room::default());
        let sent = Arc::new(AtomicU64::new(0));
        runtime().block_on(async {
            let count = Arc::clone(&sent);
            let answer = work.stream(Arc::clone(&room), move |stop, send| {
                while !stop.is_requested() {
                    send(vec![b'\n'; 100]);
                    count.fetch_add(1, Ordering::Relaxed);
                }
                Err(Problem::out_of_budget())
            });
            let mut body = answer.await.unwrap();
            tokio::time::sleep(Duration::from_millis(100)).await;
            let waiting = room.taken() / 100;
            assert!((1000..1100).contains(&waiting), "{waiting} parts are in memory");
            // The last line says that the answer is incomplete.
            let mut last = String::new();
            while let Some(part) = next(&mut body).await {
                last = part;
            }
            assert!(last.starts_with("{\"complete\":false,\"problem\":{") && last.contains("503"), "{last}");
        });
        assert_eq!(room.taken(), 0);
    }

    #[test]
    fn stream_ends_where_there_is_no_room_for_its_lines() {
        let work = Work::new(1, Duration::from_secs(600), Arc::default());
        let room = Arc::new(Room::new(150));
        runtime().block_on(async {
            let answer = work.stream(Arc::clone(&room), |stop, send| {
                [10, 200, 10].into_iter().for_each(|size| send(vec![b'\n'; size]));
                assert!(stop.is_requested());
                Ok(b"the last line".to_vec())
            });
            let mut body = answer.await.unwrap();
            assert_eq!(next(&mut body).await.map(|lines| lines.len()), Some(10));
            let last = next(&mut body).await.unwrap();
            assert!(last.contains("have not read their answers"), "{last}");
            assert_eq!(next(&mut body).await, None);
        });
        assert_eq!(room.taken(), 0);
    }

    #[test]
    fn problem_before_the_first_line_is_the_answer() {
        let work = Work::new(1, Duration::from_secs(600), Arc::default());
        let answer = runtime().block_on(
            work.stream(Arc::default(), |_, _| Err(Problem::parameter("query", message!("test", "wrong")))),
        );
        assert_eq!(answer.err().and_then(|problem| problem.parameter).as_deref(), Some("query"));
    }

    #[test]
    fn stream_is_stopped_when_its_client_goes_away() {
        let metrics = Arc::new(Metrics::default());
        let work = Work::new(1, Duration::from_secs(600), Arc::clone(&metrics));
        let seen = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&seen);
        runtime().block_on(async {
            let answer = work.stream(Arc::default(), move |stop, send| {
                send(b"1\n".to_vec());
                wait(stop, &flag)?;
                Ok(Vec::new())
            });
            drop(answer.await.unwrap());
        });
        assert!(seen.load(Ordering::Relaxed));
        assert_eq!(metrics.abandoned.load(Ordering::Relaxed), 1);
    }
}
