//! Runs work in parallel and returns the results in order.
//!
//! Worker threads take items from an iterator, one at a time, and turn them into results. The caller's thread consumes the
//! results in the order of the items. Each worker has scratch memory that lives as long as the worker. About two results per
//! worker are computed or waiting at a time, four with [`map`], so a slow consumer stops the workers.
//!
//! While there is no result to consume, the caller's thread works too. So there are never more threads than requested, and no thread
//! has to be woken for each result. If the system has no room for as many, fewer do the work. The thread that reads an item also
//! processes it, so the item is still in that core's cache.
//!
//! The iterator is advanced by one worker at a time, while the others work. An item should take at least about ten
//! microseconds; for batches of half a megabyte, the overhead of the pool is not measurable. This is the only module that
//! starts threads.
//!
//! The channels carry signals only, no results. So their code is compiled once, not for each type of result.

use std::any::Any;
use std::fmt;
use std::io;
use std::iter::FusedIterator;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::Poll;
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, TryRecvError, bounded, never, select};

/// Results in progress per worker: one that it computes, and one that waits to be consumed.
const RESULTS_PER_WORKER: usize = 2;

/// Returns the number of processors available to this process, at least one.
pub fn default_threads() -> NonZeroUsize {
    thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// The most threads that work together. More of them never help, and the room for their results is reserved.
const MAX_THREADS: usize = 1 << 12;

/// Whether the target has threads. Where it has none, the code for several is left out.
const HAS_THREADS: bool = cfg!(not(all(target_family = "wasm", not(target_feature = "atomics"))));

/// Calls `work` for each item on `threads` threads, and `consume` with the results in the order of the items.
///
/// Ends after the last item, or when `consume` returns [`ControlFlow::Break`]. `scratch` creates the memory that a worker
/// keeps from item to item. About two results per thread are computed or waiting at a time. With one thread, everything happens
/// on the caller's thread and no item is read in advance.
///
/// ```
/// use std::num::NonZeroUsize;
/// use std::ops::ControlFlow;
///
/// let mut squares = Vec::new();
/// pdn::internal::pool::ordered(0..100u64, NonZeroUsize::new(4).unwrap(), || (), |(), n| n * n, |square| {
///     squares.push(square);
///     ControlFlow::Continue(())
/// });
/// assert_eq!(squares[99], 99 * 99);
/// ```
///
/// # Panics
///
/// If `scratch`, `work`, `consume` or the iterator panics. The results before the panic have been consumed.
pub fn ordered<I, S, T>(
    items: I,
    threads: NonZeroUsize,
    scratch: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, I::Item) -> T + Sync,
    mut consume: impl FnMut(T) -> ControlFlow<()>,
) where
    I: IntoIterator<IntoIter: Send>,
    I::Item: Send,
    T: Send,
{
    let items = items.into_iter();
    // Twin of the code with several threads; test: `results_are_in_order_on_any_number_of_threads`.
    let threads = threads.get().min(MAX_THREADS);
    if threads == 1 || !HAS_THREADS {
        let mut scratch = scratch();
        for item in items {
            if consume(work(&mut scratch, item)).is_break() {
                return;
            }
        }
        return;
    }
    let room = RESULTS_PER_WORKER * threads;
    let items = Mutex::new((0, items));
    // The queue holds the announced results, and the consumer one more. So a slot is empty again before it is needed again.
    let slots: Box<[Mutex<Option<T>>]> = (0..=room).map(|_| Mutex::new(None)).collect();
    let slot = |number: usize| slots[number % slots.len()].lock().unwrap_or_else(PoisonError::into_inner);
    // Reads the next item and processes it, unless there is none or the caller has stopped consuming.
    let work_once = |token: ReadToken, scratch: &mut S| {
        let next = {
            let (number, items) = &mut *items.lock().unwrap_or_else(PoisonError::into_inner);
            items.next().map(|item| {
                *number += 1;
                (*number - 1, item)
            })
        };
        let Some((number, item)) = next else { return };
        let Some(done) = token.announce() else { return };
        let result = work(scratch, item);
        *slot(number) = Some(result);
        // An error means that the caller has stopped consuming.
        let _ = done.send(());
    };
    let (token, mut consumer) = channels(room);
    token.put_back();
    thread::scope(|scope| {
        for _ in 1..threads {
            let (tokens, scratch, work_once) = (consumer.tokens.clone(), &scratch, &work_once);
            let started = start(scope, move || {
                let mut scratch = scratch();
                while let Ok(token) = tokens.recv() {
                    work_once(token, &mut scratch);
                }
            });
            // The system has no room for more threads; those that run do all the work.
            if started.is_err() {
                break;
            }
        }
        let mut scratch = scratch();
        let mut number = 0;
        while let Some(turn) = consumer.turn() {
            match turn {
                Turn::Consume => {
                    let result = slot(number).take();
                    number += 1;
                    if result.is_none_or(|result| consume(result).is_break()) {
                        break;
                    }
                }
                Turn::Read(token) => work_once(token, &mut scratch),
            }
        }
        // Closes the queue, so that workers that wait for room in it end.
        drop(consumer);
    });
}

/// Starts a worker.
fn start<'s>(scope: &'s thread::Scope<'s, '_>, work: impl FnOnce() + Send + 's) -> io::Result<()> {
    #[cfg(test)]
    tests::refuse_thread()?;
    thread::Builder::new().spawn_scoped(scope, work).map(drop)
}

/// Returns the token and the caller's side of the channels, with room for `room` announced results.
fn channels(room: usize) -> (ReadToken, Consumer) {
    let (queue, results) = bounded(room);
    let (shelf, tokens) = bounded(1);
    (ReadToken { queue, shelf }, Consumer { results, next: None, tokens })
}

/// The right to read the next item. One thread holds it at a time; while no thread reads, it lies in a channel. After the
/// last item it is dropped, which closes the channels.
struct ReadToken {
    /// For each result, in the order of the items, a channel that gets a message when the result is ready.
    queue: Sender<Receiver<()>>,
    /// The channel in which the token waits for its next holder.
    shelf: Sender<Self>,
}

impl ReadToken {
    /// Announces the result of the item that was just read, and puts the token back. Waits for room in the queue. Returns
    /// the channel to report the result to.
    ///
    /// Returns `None` when the caller has stopped consuming. Then, after the last item, and if the iterator panics, the
    /// token is dropped, which ends the threads that wait for it.
    fn announce(self) -> Option<Sender<()>> {
        let (done, receiver) = bounded(1);
        self.queue.send(receiver).ok()?;
        self.put_back();
        Some(done)
    }

    /// Returns the token if the queue has room; otherwise puts it back. The caller's thread must not wait for room, because
    /// only this thread makes room.
    fn with_room(self) -> Option<Self> {
        if self.queue.is_full() {
            self.put_back();
            None
        } else {
            Some(self)
        }
    }

    /// Makes the token available to the next thread.
    fn put_back(self) {
        let shelf = self.shelf.clone();
        // An error means that all receivers have ended; the token is dropped then.
        let _ = shelf.send(self);
    }
}

/// What the caller's thread does next.
enum Turn {
    /// Consume the next result, which is ready.
    Consume,
    /// Read and process an item, because the next result is not ready and no other thread reads.
    Read(ReadToken),
}

/// The caller's side of the channels.
struct Consumer {
    results: Receiver<Receiver<()>>,
    /// The channel of the next result in order, once it has been taken from the queue.
    next: Option<Receiver<()>>,
    tokens: Receiver<ReadToken>,
}

impl Consumer {
    /// Waits for the next result or for the token, whichever comes first; a result that is ready has precedence. The token
    /// is taken only if the queue has room.
    ///
    /// Returns `None` after the last result, and if a worker has panicked; the thread scope then resumes the panic.
    fn turn(&mut self) -> Option<Turn> {
        loop {
            let Some(next) = &self.next else {
                match self.results.try_recv() {
                    Ok(next) => self.next = Some(next),
                    Err(TryRecvError::Disconnected) => return None,
                    Err(TryRecvError::Empty) => select! {
                        recv(self.results) -> next => self.next = Some(next.ok()?),
                        recv(self.tokens) -> token => match token.ok() {
                            Some(token) => if let Some(token) = token.with_room() { return Some(Turn::Read(token)) },
                            // The token has been dropped: no item follows those in the queue.
                            None => self.next = Some(self.results.recv().ok()?),
                        },
                    },
                }
                continue;
            };
            let ready = match next.try_recv() {
                Err(TryRecvError::Empty) => {
                    let tokens = if self.results.is_full() { never() } else { self.tokens.clone() };
                    select! {
                        recv(next) -> ready => ready.ok(),
                        recv(tokens) -> token => match token.ok() {
                            Some(token) => match token.with_room() {
                                Some(token) => return Some(Turn::Read(token)),
                                None => continue,
                            },
                            None => next.recv().ok(),
                        },
                    }
                }
                ready => ready.ok(),
            };
            self.next = None;
            return ready.map(|()| Turn::Consume);
        }
    }
}

/// As [`ordered`], for work that may fail: `consume` receives the results before the first failure.
///
/// # Errors
///
/// The first failure in the order of the items, unless `consume` stopped before it.
///
/// # Panics
///
/// As [`ordered`].
pub fn try_ordered<I, S, T, E>(
    items: I,
    threads: NonZeroUsize,
    scratch: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, I::Item) -> Result<T, E> + Sync,
    mut consume: impl FnMut(T) -> ControlFlow<()>,
) -> Result<(), E>
where
    I: IntoIterator<IntoIter: Send>,
    I::Item: Send,
    T: Send,
    E: Send,
{
    let mut outcome = Ok(());
    ordered(items, threads, scratch, work, |result| match result {
        Ok(result) => consume(result),
        Err(error) => {
            outcome = Err(error);
            ControlFlow::Break(())
        }
    });
    outcome
}

/// As [`ordered`], but returns an iterator over the results, which are computed in advance on threads of its own.
///
/// Dropping the iterator ends the threads; it does not wait for the items that they are processing.
///
/// # Panics
///
/// [`Iterator::next`] resumes a panic of `scratch`, `work` or the iterator.
pub fn map<I, S, T>(
    items: I,
    threads: NonZeroUsize,
    scratch: impl Fn() -> S + Send + Sync + 'static,
    work: impl Fn(&mut S, I::Item) -> T + Send + Sync + 'static,
) -> OrderedResults<T>
where
    I: IntoIterator + Send + 'static,
    I::IntoIter: Send,
    I::Item: Send,
    T: Send + 'static,
{
    // The driver thread works too. The room in this channel keeps it from waiting for the caller after each result.
    let (sender, results) =
        bounded::<Box<dyn Any + Send>>(RESULTS_PER_WORKER * threads.get().min(MAX_THREADS));
    // Taken by the driver, or taken back if the system has no room for it.
    let parts = Arc::new(Mutex::new(Some((items, scratch, work))));
    let of_driver = Arc::clone(&parts);
    let drive = move || {
        let parts = of_driver.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some((items, scratch, work)) = parts else { return };
        ordered(items, threads, scratch, work, |result| match sender.send(Box::new(result)) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        });
    };
    #[cfg(test)]
    let refused = tests::refuse_thread();
    #[cfg(not(test))]
    let refused = io::Result::Ok(());
    let driver = refused.and_then(|()| thread::Builder::new().spawn(drive)).ok();
    // A driver takes them some time after its start.
    let parts =
        if driver.is_none() { parts.lock().unwrap_or_else(PoisonError::into_inner).take() } else { None };
    let own = parts.map(|(items, scratch, work)| -> Box<dyn Iterator<Item = T> + Send> {
        // Memory that stays would have to move between threads with the iterator.
        Box::new(items.into_iter().map(move |item| work(&mut scratch(), item)))
    });
    OrderedResults { results: Some(results), driver, own: Mutex::new(own) }
}

/// Iterator over the results in the order of their items; see [`map`].
pub struct OrderedResults<T> {
    /// Boxed results of type `T`.
    results: Option<Receiver<Box<dyn Any + Send>>>,
    driver: Option<thread::JoinHandle<()>>,
    /// The results if there is no driver; computed when they are asked for.
    own: Mutex<Option<Box<dyn Iterator<Item = T> + Send>>>,
}

impl<T> fmt::Debug for OrderedResults<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OrderedResults").field("driver", &self.driver).finish_non_exhaustive()
    }
}

impl<T: 'static> OrderedResults<T> {
    /// Returns the next result, or `Pending` if it is not ready within `timeout`.
    ///
    /// # Panics
    ///
    /// As [`next`](Iterator::next).
    pub fn poll_within(&mut self, timeout: Duration) -> Poll<Option<T>> {
        if let Some(own) = self.own.get_mut().unwrap_or_else(PoisonError::into_inner) {
            return Poll::Ready(own.next());
        }
        match self.results.as_ref().map(|results| results.recv_timeout(timeout)) {
            Some(Ok(result)) => Poll::Ready(result.downcast().ok().map(|result| *result)),
            Some(Err(RecvTimeoutError::Timeout)) => Poll::Pending,
            Some(Err(RecvTimeoutError::Disconnected)) | None => Poll::Ready(self.end()),
        }
    }

    /// Ends the results, after the last one.
    fn end(&mut self) -> Option<T> {
        self.results = None;
        if let Some(Err(panic)) = self.driver.take().map(thread::JoinHandle::join) {
            std::panic::resume_unwind(panic);
        }
        None
    }
}

impl<T: 'static> Iterator for OrderedResults<T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        if let Some(own) = self.own.get_mut().unwrap_or_else(PoisonError::into_inner) {
            return own.next();
        }
        match self.results.as_ref().map(Receiver::recv) {
            Some(Ok(result)) => result.downcast().ok().map(|result| *result),
            _ => self.end(),
        }
    }
}

impl<T: 'static> FusedIterator for OrderedResults<T> {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use std::sync::atomic::{AtomicUsize, Ordering};

    thread_local! {
        /// Number of threads that this one may start.
        static ROOM: Cell<usize> = const { Cell::new(usize::MAX) };
    }

    /// Fails as the system does if there is no room for another thread.
    pub(super) fn refuse_thread() -> io::Result<()> {
        let left = ROOM.get().checked_sub(1).ok_or(io::ErrorKind::WouldBlock)?;
        ROOM.set(left);
        Ok(())
    }

    #[test]
    fn work_is_done_by_the_threads_that_the_system_has_room_for() {
        for room in [0, 1, 2] {
            ROOM.set(room);
            let mut got = Vec::new();
            let consume = |result| {
                got.push(result);
                ControlFlow::Continue(())
            };
            ordered(0..100, threads(4), || (), |(), item| 2 * item, consume);
            let expected: Vec<_> = (0..100).map(|item| 2 * item).collect();
            assert_eq!(got, expected, "{room}");
            ROOM.set(room);
            let got: Vec<_> = map(0..100, threads(4), || (), |(), item| 2 * item).collect();
            assert_eq!(got, expected, "{room}");
        }
        ROOM.set(usize::MAX);
    }

    fn threads(n: usize) -> NonZeroUsize {
        NonZeroUsize::new(n).unwrap()
    }

    #[test]
    fn results_are_in_order_on_any_number_of_threads() {
        for n in [1, 2, 3, 16] {
            let work = |calls: &mut u32, item: u32| {
                *calls += 1;
                // The work is uneven, so that workers overtake each other.
                (0..item % 7 * 1000).fold(item, |a, b| std::hint::black_box(a ^ b ^ b))
            };
            let got: Vec<u32> = map(0..500, threads(n), || 0, work).collect();
            assert_eq!(got, (0..500).collect::<Vec<_>>(), "{n} threads");
        }
    }

    /// Nothing overflows. That many threads cannot be started, so that there are as many as the test allows.
    #[test]
    fn any_number_of_threads_may_be_asked_for() {
        ROOM.set(2);
        let mut got = Vec::new();
        let consume = |item| {
            got.push(item);
            ControlFlow::Continue(())
        };
        ordered(0..100, NonZeroUsize::MAX, || (), |(), item| item, consume);
        assert_eq!(got, (0..100).collect::<Vec<_>>());
        ROOM.set(usize::MAX);
    }

    #[test]
    fn slow_consumer_stops_the_workers() {
        for n in [1, 2, 4] {
            let taken = AtomicUsize::new(0);
            let items = (0..10_000).inspect(|_| {
                taken.fetch_add(1, Ordering::Relaxed);
            });
            let mut seen = 0;
            ordered(
                items,
                threads(n),
                || (),
                |(), item| item,
                |_| {
                    seen += 1;
                    let ahead = taken.load(Ordering::Relaxed) - seen;
                    assert!(ahead <= 2 * RESULTS_PER_WORKER * n + n + 2, "{ahead} ahead with {n} threads");
                    if seen == 100 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                },
            );
            assert_eq!(seen, 100);
        }
    }

    #[test]
    fn result_that_takes_long_is_pending_meanwhile() {
        let (go, wait) = bounded::<()>(1);
        let mut results = map(0..1, threads(2), || (), move |(), n: u32| (wait.recv().is_ok(), n));
        assert_eq!(results.poll_within(Duration::from_millis(1)), Poll::Pending);
        go.send(()).unwrap();
        assert_eq!(results.poll_within(Duration::from_secs(60)), Poll::Ready(Some((true, 0))));
        assert_eq!(results.poll_within(Duration::from_secs(60)), Poll::Ready(None));
        assert_eq!(results.next(), None);
    }

    #[test]
    fn dropped_iterator_ends_its_threads() {
        let mut results = map(0.., threads(2), || (), |(), n: u64| n);
        assert_eq!(results.next(), Some(0));
        drop(results);
    }

    #[test]
    fn at_most_the_requested_threads_run_including_the_caller() {
        for n in [1, 2, 4] {
            let seen = Mutex::new(std::collections::HashSet::new());
            let work = |(): &mut (), _| {
                seen.lock().unwrap().insert(thread::current().id());
                thread::sleep(std::time::Duration::from_micros(200));
            };
            ordered(0..100, threads(n), || (), work, |()| ControlFlow::Continue(()));
            let seen = seen.into_inner().unwrap();
            assert!(seen.len() <= n, "{seen:?}");
            assert!(seen.contains(&thread::current().id()), "{seen:?}");
        }
    }

    #[test]
    fn no_thread_idles_while_items_remain() {
        for _ in 0..20 {
            let (begun, wait) = bounded(1);
            // The delay makes the second thread arrive while the first one reads.
            let items = (0..2).inspect(|_| thread::sleep(std::time::Duration::from_millis(5)));
            let work = |(): &mut (), item| match item {
                0 => wait.recv_timeout(std::time::Duration::from_secs(10)).is_ok(),
                _ => begun.send(()).is_ok(),
            };
            ordered(
                items,
                threads(2),
                || (),
                work,
                |done| {
                    assert!(done, "the second item waited until the first was done");
                    ControlFlow::Continue(())
                },
            );
        }
    }

    #[test]
    fn panic_of_the_iterator_reaches_the_caller_after_earlier_results() {
        for n in [1, 2, 3] {
            let items = (0..100).inspect(|&item| assert_ne!(item, 50, "on purpose"));
            let mut seen = Vec::new();
            let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                ordered(
                    items,
                    threads(n),
                    || (),
                    |(), item| item,
                    |item| {
                        seen.push(item);
                        ControlFlow::Continue(())
                    },
                );
            }));
            assert!(caught.is_err());
            assert!(seen.iter().copied().eq(0..seen.len()), "{seen:?}");
        }
    }

    #[test]
    fn panic_of_a_worker_reaches_the_caller() {
        for n in [1, 3] {
            let results = map(0..100, threads(n), || (), |(), item| assert_ne!(item, 50, "on purpose"));
            let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| results.count()));
            assert!(caught.is_err());
        }
    }

    #[test]
    fn first_failure_ends_the_work() {
        for threads in [1, 2, 5] {
            let threads = NonZeroUsize::new(threads).unwrap();
            let mut consumed = Vec::new();
            let work = |(): &mut (), n: u32| if n % 10 == 7 { Err(n) } else { Ok(n) };
            let outcome = try_ordered(
                0..40,
                threads,
                || (),
                work,
                |n| {
                    consumed.push(n);
                    ControlFlow::Continue(())
                },
            );
            assert_eq!((outcome, consumed), (Err(7), (0..7).collect()));
            let stopped = try_ordered(0..40, threads, || (), work, |_| ControlFlow::Break(()));
            assert_eq!(stopped, Ok(()));
        }
    }
}
