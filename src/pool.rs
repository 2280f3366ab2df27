//! Work in parallel, results in order.
//!
//! Workers take items from an iterator, one at a time, and turn them into results; the caller's thread consumes the
//! results in the order of the items. Every worker has scratch memory of its own that lives as long as the worker. What is
//! not consumed is bounded, so a slow consumer stops the workers: at most a few results a worker are in memory at a time.
//! There is no thread but the workers and the caller's: who works on an item has just made it, and finds it in its
//! cache.
//!
//! What the iterator does is done by one worker at a time, while others work. Items should be worth some hundred microseconds, such as batches of half a megabyte; then the pool costs nothing that can be
//! measured. This is the only module that starts threads.

use std::iter::FusedIterator;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::thread;

use crossbeam_channel::{Receiver, bounded};

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
    // Fused, since every worker comes upon the end.
    let items = Mutex::new(items.fuse());
    thread::scope(|scope| {
        // Each result comes through a channel of its own; the receiving ends queue in the order of the items.
        let (to_caller, results) = bounded::<Receiver<T>>(AHEAD * threads.get());
        for _ in 0..threads.get() {
            let to_caller = to_caller.clone();
            let (items, scratch, work) = (&items, &scratch, &work);
            scope.spawn(move || {
                let mut scratch = scratch();
                // Where another worker has panicked, nobody goes on.
                while let Ok(mut items) = items.lock() {
                    let Some(item) = items.next() else { return };
                    let (sender, receiver) = bounded(1);
                    // An error means that nobody waits any more.
                    if to_caller.send(receiver).is_err() {
                        return;
                    }
                    drop(items);
                    let _ = sender.send(work(&mut scratch, item));
                }
            });
        }
        drop(to_caller);
        for result in results {
            // Without a result its worker has panicked, which the scope passes on.
            let Ok(result) = result.recv() else { break };
            if consume(result).is_break() {
                break;
            }
        }
    });
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
) -> Map<T>
where
    I: IntoIterator + Send + 'static,
    I::IntoIter: Send,
    I::Item: Send,
    T: Send + 'static,
{
    let (sender, results) = bounded(1);
    let driver = thread::spawn(move || {
        ordered(items, threads, scratch, work, |result| match sender.send(result) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        });
    });
    Map { results: Some(results), driver: Some(driver) }
}

/// Iterator over results in the order of their items; see [`map`].
#[derive(Debug)]
pub struct Map<T> {
    results: Option<Receiver<T>>,
    driver: Option<thread::JoinHandle<()>>,
}

impl<T> Iterator for Map<T> {
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

impl<T> FusedIterator for Map<T> {}

#[cfg(test)]
mod tests {
    use super::*;
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
