//! Receives the bodies of requests: a limited number is in memory at a time, and each has to make progress.
//!
//! A large text over a slow line may take minutes. A client that sends next to nothing would hold a place that others wait for.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use pdn_app::ask::numbers::size;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::problem::Problem;

/// Time in which the next [`PROGRESS_BYTES`] of a body, or its end, have to arrive.
pub(crate) const PROGRESS_TIME: Duration = Duration::from_secs(30);
/// Number of bytes that are enough progress: 2 KiB a second.
const PROGRESS_BYTES: usize = 60 << 10;

/// Room for bodies of one kind.
pub(crate) struct Bodies {
    /// What a body is, for messages: "an import".
    what: &'static str,
    room: Arc<Semaphore>,
    max_bytes: usize,
    time: Duration,
}

/// A body that has arrived. Another one may be received when it is dropped.
pub(crate) struct ReceivedBody {
    pub(crate) bytes: Bytes,
    _room: OwnedSemaphorePermit,
}

impl Bodies {
    /// Creates room for `count` bodies of at most `max_bytes` bytes each.
    pub(crate) fn new(what: &'static str, count: usize, max_bytes: usize, time: Duration) -> Self {
        Self { what, room: Arc::new(Semaphore::new(count)), max_bytes, time }
    }

    /// Receives a body when there is room for it.
    ///
    /// # Errors
    /// If it is too large, arrives too slowly or not completely, or the server stops.
    pub(crate) async fn receive(&self, body: Body) -> Result<ReceivedBody, Problem> {
        let Self { what, max_bytes, .. } = self;
        let too_large = || {
            let (limit, most) = (size(*max_bytes as u64), (*max_bytes >> 20) as u64);
            Problem::new(413, message!("too_large", "{what} may have at most {limit}", most = most))
        };
        // Where the length is announced, nothing of a large body is read.
        if body.size_hint().lower() > *max_bytes as u64 {
            return Err(too_large());
        }
        let room = Arc::clone(&self.room).acquire_owned().await;
        let room = room.map_err(|_| Problem::stopping())?;
        let (mut body, mut bytes) = (std::pin::pin!(body), Vec::new());
        loop {
            let wanted = bytes.len() + PROGRESS_BYTES;
            let progress = async {
                while bytes.len() < wanted {
                    let frame = std::future::poll_fn(|context| body.as_mut().poll_frame(context)).await;
                    let Some(frame) = frame else { return Ok(true) };
                    let broken =
                        |_| Problem::new(400, message!("cut_off", "{what} has not arrived completely"));
                    let Ok(part) = frame.map_err(broken)?.into_data() else { continue };
                    if bytes.len() + part.len() > *max_bytes {
                        return Err(too_large());
                    }
                    bytes.extend_from_slice(&part);
                }
                Ok(false)
            };
            let is_complete = tokio::time::timeout(self.time, progress).await.map_err(|_| {
                let (kib, seconds) = (PROGRESS_BYTES >> 10, self.time.as_secs());
                Problem::new(
                    408,
                    message!(
                        "slow",
                        "less than {kib} KiB of {what} arrived within {seconds} seconds",
                        kib = kib as u64,
                        seconds = seconds
                    ),
                )
            })??;
            if is_complete {
                return Ok(ReceivedBody { bytes: bytes.into(), _room: room });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A body of which nothing ever arrives.
    struct Endless;

    impl HttpBody for Endless {
        type Data = Bytes;
        type Error = std::convert::Infallible;

        fn poll_frame(
            self: std::pin::Pin<&mut Self>,
            _: &mut std::task::Context<'_>,
        ) -> std::task::Poll<Option<Result<hyper::body::Frame<Self::Data>, Self::Error>>> {
            std::task::Poll::Pending
        }
    }

    /// A body of so many parts, each of which takes a while.
    struct Slow {
        parts: usize,
        wait: std::pin::Pin<Box<tokio::time::Sleep>>,
    }

    /// Number of bytes of a part of [`Slow`].
    const PART: usize = 20 << 10;
    /// Time that a part of [`Slow`] takes.
    const WAIT: Duration = Duration::from_millis(20);

    impl HttpBody for Slow {
        type Data = Bytes;
        type Error = std::convert::Infallible;

        fn poll_frame(
            mut self: std::pin::Pin<&mut Self>,
            context: &mut std::task::Context<'_>,
        ) -> std::task::Poll<Option<Result<hyper::body::Frame<Self::Data>, Self::Error>>> {
            std::task::ready!(self.wait.as_mut().poll(context));
            if self.parts == 0 {
                return std::task::Poll::Ready(None);
            }
            self.parts -= 1;
            self.wait = Box::pin(tokio::time::sleep(WAIT));
            std::task::Poll::Ready(Some(Ok(hyper::body::Frame::data(vec![b' '; PART].into()))))
        }
    }

    fn block_on<T>(work: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(work)
    }

    #[test]
    fn bodies_that_are_too_large_or_never_end_are_refused() {
        let bodies = Bodies::new("a text", 2, 100, Duration::from_millis(1));
        let status = async |body| bodies.receive(body).await.map_or_else(|problem| problem.status, |_| 200);
        block_on(async {
            assert_eq!(status(Body::from(vec![b' '; 101])).await, 413);
            assert_eq!(status(Body::from(vec![b' '; 100])).await, 200);
            // Each holds its room until it is cut off, and no longer.
            for _ in 0..5 {
                assert_eq!(status(Body::new(Endless)).await, 408);
            }
            let problem = bodies.receive(Body::new(Endless)).await.map(drop).unwrap_err();
            assert!(problem.detail.ends_with("KiB of a text arrived within 0 seconds"), "{}", problem.detail);
        });
    }

    #[test]
    fn slow_body_that_makes_progress_arrives() {
        // All of it takes longer than the time for its next part.
        let bodies = Bodies::new("a text", 1, 100 * PART, 15 * WAIT);
        block_on(async {
            let body = |parts| Body::new(Slow { parts, wait: Box::pin(tokio::time::sleep(WAIT)) });
            let start = std::time::Instant::now();
            let received = bodies.receive(body(30)).await.map(|body| body.bytes.len());
            assert_eq!(received.map_err(|problem| problem.detail), Ok(30 * PART));
            assert!(start.elapsed() > 30 * WAIT);
            let large = bodies.receive(body(101)).await.map(drop).unwrap_err();
            assert_eq!(large.status, 413);
            let slow = Bodies::new("a text", 1, 100 * PART, 2 * WAIT);
            assert_eq!(slow.receive(body(30)).await.map(drop).unwrap_err().status, 408);
        });
    }

    #[test]
    fn bodies_wait_until_there_is_room() {
        let bodies = Bodies::new("a text", 1, 100, Duration::from_secs(600));
        block_on(async {
            let first = bodies.receive(Body::from("one")).await.unwrap();
            let mut second = std::pin::pin!(bodies.receive(Body::from("two")));
            assert!(tokio::time::timeout(Duration::from_millis(10), &mut second).await.is_err());
            drop(first);
            assert_eq!(second.await.unwrap().bytes, "two");
        });
    }
}
