//! Work in parallel, results in order.
//!
//! Workers take items from an iterator, one at a time, and turn them into results; the caller's thread consumes the
//! results in the order of the items. Every worker has scratch memory of its own that lives as long as the worker. What is
//! not consumed is bounded, so a slow consumer stops the workers: at most a few results a worker are in memory at a time.
//! The caller's thread is one of the workers where there is nothing to consume, so that there are no more threads than
//! were asked for and none has to be woken for every result. Who works on an item has just made it, and finds it in its
//! cache.
//!
//! What the iterator does is done by one worker at a time, while others work. Items should be worth some ten microseconds
//! at least; batches of half a megabyte are, and then the pool costs nothing that can be measured. This is the only module
//! that starts threads.

use std::iter::FusedIterator;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::thread;

use crossbeam_channel::{Receiver, Sender, TryRecvError, bounded, never, select};

/// Results for each worker: one that it works on, one that waits to be consumed.
const AHEAD: usize = 2;

/// As many workers as the machine has processors for this process, at least one.
pub fn default_threads() -> NonZeroUsize {
    thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// Turns `items` into results on `threads` workers and hands these to `consume` in the order of the items, until
/// that breaks off or there are no more.
///
/// `scratch` makes the scratch memory of a worker. With one thread everything happens on the caller's, and nothing is
/// read ahead.
///
/// ```
/// use std::num::NonZeroUsize;
/// use std::ops::ControlFlow;
///
/// let mut squares = Vec::new();
/// pdn::pool::ordered(0..100u64, NonZeroUsize::new(4).unwrap(), || (), |(), n| n * n, |square| {
///     squares.push(square);
///     ControlFlow::Continue(())
/// });
/// assert_eq!(squares[99], 99 * 99);
/// ```
///
/// # Panics
///
/// If `work` or the iterator panics, after the results before have been consumed.
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
    if threads.get() == 1 {
        let mut scratch = scratch();
        for item in items {
            if consume(work(&mut scratch, item)).is_break() {
                return;
            }
        }
        return;
    }
    // Each result comes through a channel of its own; the receiving ends queue in the order of the items.
    let (queue, results) = bounded(AHEAD * threads.get());
    // Who has the feed reads; it lies here while nobody does, and is gone once there is no more to read.
    let (back, feed) = bounded(1);
    Feed { items, queue, back }.lay_down();
    thread::scope(|scope| {
        for _ in 1..threads.get() {
            let (feed, scratch, work) = (feed.clone(), &scratch, &work);
            scope.spawn(move || {
                let mut scratch = scratch();
                while let Some((item, sender)) = feed.recv().ok().and_then(Feed::next) {
                    // An error means that nobody waits any more.
                    let _ = sender.send(work(&mut scratch, item));
                }
            });
        }
        let mut scratch = scratch();
        let mut taker = Taker { results, first: None, feed };
        while let Some(turn) = taker.turn() {
            let broken_off = match turn {
                Turn::Consume(result) => consume(result).is_break(),
                Turn::Read(feed) => {
                    if let Some((item, sender)) = feed.next() {
                        let _ = sender.send(work(&mut scratch, item));
                    }
                    false
                }
            };
            if broken_off {
                break;
            }
        }
        // Workers that wait for room in the queue see that nobody takes from it.
        drop(taker);
    });
}

/// Where workers get their items, and announce what will come of them. One of them has it at a time.
struct Feed<I, T> {
    items: I,
    queue: Sender<Receiver<T>>,
    /// Where it is laid down for the next.
    back: Sender<Self>,
}

impl<I: Iterator, T> Feed<I, T> {
    /// The next item, and where its result goes. Waits for room in the queue. At the end, where the iterator panics and
    /// where nobody waits for results the feed is gone, and all who wait for it see that.
    fn next(mut self) -> Option<(I::Item, Sender<T>)> {
        let item = self.items.next()?;
        let (sender, receiver) = bounded(1);
        self.queue.send(receiver).ok()?;
        self.lay_down();
        Some((item, sender))
    }

    /// Itself, if what it announces next has room. Else it is laid down again: the caller cannot wait for room, which
    /// nobody else makes.
    fn with_room(self) -> Option<Self> {
        if self.queue.is_full() {
            self.lay_down();
            None
        } else {
            Some(self)
        }
    }

    fn lay_down(self) {
        let back = self.back.clone();
        // Where nobody is left to take it, it goes with the channel.
        let _ = back.send(self);
    }
}

/// What the caller does next.
enum Turn<I, T> {
    /// A result is there.
    Consume(T),
    /// None is, and nobody reads.
    Read(Feed<I, T>),
}

/// Where the caller gets results, and work.
struct Taker<I, T> {
    results: Receiver<Receiver<T>>,
    /// Of the item whose turn it is.
    first: Option<Receiver<T>>,
    feed: Receiver<Feed<I, T>>,
}

impl<I: Iterator, T> Taker<I, T> {
    /// What comes first: the next result, rather than work if it is there already, or the feed, if there is room for what
    /// it will announce. `None` at the end, and where a worker has panicked, which the scope passes on.
    fn turn(&mut self) -> Option<Turn<I, T>> {
        loop {
            let Some(first) = &self.first else {
                match self.results.try_recv() {
                    Ok(first) => self.first = Some(first),
                    Err(TryRecvError::Disconnected) => return None,
                    Err(TryRecvError::Empty) => select! {
                        recv(self.results) -> first => self.first = Some(first.ok()?),
                        recv(self.feed) -> feed => match feed.ok() {
                            Some(feed) => if let Some(feed) = feed.with_room() { return Some(Turn::Read(feed)) },
                            // It is gone, and so is all that is not announced.
                            None => self.first = Some(self.results.recv().ok()?),
                        },
                    },
                }
                continue;
            };
            let result = match first.try_recv() {
                Err(TryRecvError::Empty) => {
                    let feed = if self.results.is_full() { never() } else { self.feed.clone() };
                    select! {
                        recv(first) -> result => result.ok(),
                        recv(feed) -> feed => match feed.ok() {
                            Some(feed) => match feed.with_room() {
                                Some(feed) => return Some(Turn::Read(feed)),
                                None => continue,
                            },
                            None => first.recv().ok(),
                        },
                    }
                }
                result => result.ok(),
            };
            self.first = None;
            return result.map(Turn::Consume);
        }
    }
}

/// As [`ordered`], for work that may fail: `consume` hears of what succeeded up to the first failure, which ends it.
///
/// # Errors
/// The first failure in the order of the items, unless `consume` broke off before it.
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

/// As [`ordered`], as an iterator: the results of `items` in their order, worked out ahead on threads of its own.
///
/// Dropping the iterator ends the threads; those at work finish their item first, unobserved.
///
/// # Panics
///
/// [`Iterator::next`] panics where `work` or the iterator did.
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
    // The driver is a worker too, and seldom has to wait for the caller.
    let (sender, results) = bounded(AHEAD * threads.get());
    let driver = thread::spawn(move || {
        ordered(items, threads, scratch, work, |result| match sender.send(result) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        });
    });
    OrderedResults { results: Some(results), driver: Some(driver) }
}

/// Iterator over results in the order of their items; see [`map`].
#[derive(Debug)]
pub struct OrderedResults<T> {
    results: Option<Receiver<T>>,
    driver: Option<thread::JoinHandle<()>>,
}

impl<T> Iterator for OrderedResults<T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        if let Ok(result) = self.results.as_ref()?.recv() {
            return Some(result);
        }
        self.results = None;
        if let Some(Err(panic)) = self.driver.take().map(thread::JoinHandle::join) {
            std::panic::resume_unwind(panic);
        }
        None
    }
}

impl<T> FusedIterator for OrderedResults<T> {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn threads(n: usize) -> NonZeroUsize {
        NonZeroUsize::new(n).unwrap()
    }

    #[test]
    fn order_is_kept_whatever_the_number_of_threads() {
        for n in [1, 2, 3, 16] {
            let work = |calls: &mut u32, item: u32| {
                *calls += 1;
                // Uneven work, so that workers overtake each other.
                (0..item % 7 * 1000).fold(item, |a, b| std::hint::black_box(a ^ b ^ b))
            };
            let got: Vec<u32> = map(0..500, threads(n), || 0, work).collect();
            assert_eq!(got, (0..500).collect::<Vec<_>>(), "{n} threads");
        }
    }

    #[test]
    fn a_slow_consumer_stops_the_workers() {
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
                    assert!(ahead <= 2 * AHEAD * n + n + 2, "{ahead} ahead with {n} threads");
                    if seen == 100 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                },
            );
            assert_eq!(seen, 100);
        }
    }

    #[test]
    fn a_dropped_iterator_ends_its_threads() {
        let mut results = map(0.., threads(2), || (), |(), n: u64| n);
        assert_eq!(results.next(), Some(0));
        drop(results);
    }

    #[test]
    fn there_are_no_more_threads_than_asked_for_and_the_caller_is_one() {
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
    fn nobody_waits_for_a_result_while_there_is_work() {
        for _ in 0..20 {
            let (begun, wait) = bounded(1);
            // Who comes second finds the other one reading.
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
    fn a_panic_in_the_iterator_reaches_the_caller_after_the_results_before() {
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
    fn a_panic_in_a_worker_reaches_the_caller() {
        for n in [1, 3] {
            let results = map(0..100, threads(n), || (), |(), item| assert_ne!(item, 50, "on purpose"));
            let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| results.count()));
            assert!(caught.is_err());
        }
    }

    #[test]
    fn the_first_failure_ends_it() {
        for threads in [1, 2, 5] {
            let threads = NonZeroUsize::new(threads).unwrap();
            let mut heard = Vec::new();
            let work = |(): &mut (), n: u32| if n % 10 == 7 { Err(n) } else { Ok(n) };
            let outcome = try_ordered(
                0..40,
                threads,
                || (),
                work,
                |n| {
                    heard.push(n);
                    ControlFlow::Continue(())
                },
            );
            assert_eq!((outcome, heard), (Err(7), (0..7).collect()));
            let broken_off = try_ordered(0..40, threads, || (), work, |_| ControlFlow::Break(()));
            assert_eq!(broken_off, Ok(()));
        }
    }
}
