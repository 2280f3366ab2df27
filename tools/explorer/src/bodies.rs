//! Receives the bodies of requests: a limited number is in memory at a time, and each has to arrive within a limited time.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody, to_bytes};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::problem::Problem;

/// Time in which a body has to arrive.
pub(crate) const BODY_TIME: Duration = Duration::from_secs(30);

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
    /// If it is too large, does not arrive in time, or the server stops.
    pub(crate) async fn receive(&self, body: Body) -> Result<ReceivedBody, Problem> {
        let Self { what, max_bytes, .. } = self;
        let too_large = || Problem::new(413, format!("{what} may have at most {max_bytes} bytes"));
        // Where the length is announced, nothing of a large body is read.
        if body.size_hint().lower() > *max_bytes as u64 {
            return Err(too_large());
        }
        let room = Arc::clone(&self.room).acquire_owned().await;
        let room = room.map_err(|_| Problem::new(503, "the server stops"))?;
        let arrived = tokio::time::timeout(self.time, to_bytes(body, *max_bytes)).await;
        let slow = |_| {
            let seconds = self.time.as_secs();
            Problem::new(408, format!("{what} has to arrive within {seconds} seconds; send less at a time"))
        };
        let bytes = arrived.map_err(slow)?.map_err(|_| too_large())?;
        Ok(ReceivedBody { bytes, _room: room })
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
            assert!(problem.detail.starts_with("a text has to arrive within"), "{}", problem.detail);
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
