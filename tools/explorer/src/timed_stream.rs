//! Closes connections whose clients take nothing, and tells when something arrived last.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

/// When something arrived last on a connection.
#[derive(Clone)]
pub(crate) struct Arrivals(Arc<Mutex<Instant>>);

impl Default for Arrivals {
    /// Begins now, as if something had arrived.
    fn default() -> Self {
        Self(Arc::new(Mutex::new(Instant::now())))
    }
}

impl Arrivals {
    /// Returns the time of the last arrival.
    pub(crate) fn last(&self) -> Instant {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }
}

/// A connection that fails when its client takes nothing of what is sent for some time.
pub(crate) struct TimedStream<S> {
    stream: S,
    time: Duration,
    arrivals: Arrivals,
    /// Set while the client takes nothing.
    waiting: Option<Pin<Box<Sleep>>>,
}

impl<S> TimedStream<S> {
    /// Creates a connection that fails after this time in which its client takes nothing, and notes what arrives.
    pub(crate) fn new(stream: S, time: Duration, arrivals: Arrivals) -> Self {
        Self { stream, time, arrivals, waiting: None }
    }

    /// Passes on the outcome of sending, unless it has been outstanding for too long.
    fn in_time<T>(&mut self, context: &mut Context<'_>, sent: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if sent.is_ready() {
            self.waiting = None;
            return sent;
        }
        let waiting = self.waiting.get_or_insert_with(|| Box::pin(sleep(self.time)));
        ready!(waiting.as_mut().poll(context));
        Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the client takes nothing")))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for TimedStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        if buffer.filled().len() > before {
            self.arrivals.note();
        }
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for TimedStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let sent = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.in_time(context, sent)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let sent = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.in_time(context, sent)
    }

    /// Otherwise each answer would be copied before it is sent.
    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let sent = Pin::new(&mut self.stream).poll_flush(context);
        self.in_time(context, sent)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let sent = Pin::new(&mut self.stream).poll_shutdown(context);
        self.in_time(context, sent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    fn block_on<T>(work: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(work)
    }

    #[test]
    fn client_that_takes_nothing_is_given_up() {
        let (_client, server) = duplex(16);
        let mut server = TimedStream::new(server, Duration::from_millis(5), Arrivals::default());
        let sent = block_on(server.write_all(&[0; 100]));
        assert_eq!(sent.unwrap_err().kind(), io::ErrorKind::TimedOut);
    }

    #[test]
    fn arrivals_are_noted_and_waiting_is_not() {
        let (mut client, server) = duplex(16);
        block_on(async {
            let arrivals = Arrivals::default();
            let begin = arrivals.last();
            let mut server = TimedStream::new(server, Duration::from_secs(600), arrivals.clone());
            let mut part = [0; 4];
            let waiting = tokio::time::timeout(Duration::from_millis(5), server.read_exact(&mut part));
            assert!(waiting.await.is_err());
            assert_eq!(arrivals.last(), begin);
            client.write_all(&[1; 4]).await.unwrap();
            server.read_exact(&mut part).await.unwrap();
            assert!(arrivals.last() > begin);
        });
    }

    #[test]
    fn slow_client_that_takes_something_gets_everything() {
        let (mut client, server) = duplex(16);
        let time = Duration::from_millis(200);
        block_on(async {
            let sending = async {
                let mut server = TimedStream::new(server, time, Arrivals::default());
                server.write_all(&[7; 160]).await
            };
            // It takes longer than the time in all, and never that long for a part.
            let reading = async {
                let mut part = [0; 16];
                for _ in 0..10 {
                    sleep(time / 5).await;
                    client.read_exact(&mut part).await.unwrap();
                }
            };
            let (sent, ()) = tokio::join!(sending, reading);
            sent.unwrap();
        });
    }
}
