//! Splits one buffer into records on several threads, a chunk per call.
//!
//! A record is a function of the bytes from its start on. So the records after any known start are determined, whatever
//! stands before it; the guide proves what follows from this. A buffer is cut into chunks of
//! equal length, and a record belongs to the chunk in which it starts.
//!
//! A thread that asks for a chunk before the preceding chunk is done does not know where its first
//! record starts. It guesses the next start of a line and splits from there. Once the true start is
//! known, it is searched among those of the guessed records. If it is one of them, the records
//! after it are the true ones; otherwise the chunk is split again from the true start. So every
//! result is what one thread would find, for any bytes. [`RecordChain`] is this comparison, for the
//! threads of one machine and for several machines.
//!
//! Linear: each byte of a chunk is passed at most once from the guess, with a bounded look beyond the end of the chunk,
//! once from the true start, and once more if another thread needed the end of the chunk before the chunk was asked
//! for.

use std::ops::{ControlFlow, Range};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::scanner::{LOOK_AHEAD, RecordEnd};
use super::splitter::Splitter;
use crate::limits::Limits;

/// The chunks of one buffer, shared by the threads that split it.
///
/// Every call must pass the same bytes. Chunks may be asked for in any order and more than once. No thread waits for a
/// chunk that no thread works on.
///
/// ```
/// use pdn::limits::Limits;
/// use pdn::internal::split::{Chunks, Splitter};
///
/// let text = b"1. 32-28 *\n1. 33-28 *\n1. 34-29 *\n".repeat(1000);
/// let chunks = Chunks::new(text.len(), 5000, Limits::DEFAULT);
/// std::thread::scope(|scope| {
///     let (chunks, text) = (&chunks, &text);
///     let count = move |first| {
///         let mut splitter = Splitter::new(Limits::DEFAULT);
///         (first..chunks.len()).step_by(2).map(|n| chunks.records(text, n, &mut splitter).ends.len()).sum::<usize>()
///     };
///     let other = scope.spawn(move || count(1));
///     assert_eq!(count(0) + other.join().unwrap(), 3000);
/// });
/// ```
// Twin: Splitter from the start of the buffer; tests: chunks_join_to_whole_buffer,
// chunks_of_any_bytes_join_to_whole_buffer, and the fuzz target `pieces`.
#[derive(Debug)]
pub struct Chunks {
    /// The length of the buffer in bytes.
    buffer_len: usize,
    /// The bytes of the buffer that are divided into chunks.
    range: Range<usize>,
    /// The length of a chunk in bytes; the last chunk may be shorter.
    chunk_len: usize,
    limits: Limits,
    /// `true` if a chunk is long compared with the bytes read after its end, so that guessing pays.
    guesses: bool,
    state: Mutex<State>,
    /// Signals that a chunk was finished or abandoned.
    changed: Condvar,
}

/// The records that start in a chunk.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Chunk {
    /// The offset in the buffer at which the first of these records starts; if there is none, the start of the next
    /// record of the buffer.
    pub start: usize,
    /// The number of that record in the buffer, from 0.
    pub first: u64,
    /// The ends of the records, as offsets in the buffer.
    pub ends: Vec<RecordEnd>,
}

/// Consecutive records from one place on. That a record starts there may be a guess. If the true
/// records have a start in common with these, both are equal from there on.
#[derive(Debug)]
pub(crate) struct RecordChain {
    /// The offset at which the first record starts.
    pub(crate) start: usize,
    /// The ends of the records.
    pub(crate) ends: Vec<RecordEnd>,
}

impl RecordChain {
    /// Creates a chain without records, the first of which will start at offset `start`.
    pub(crate) fn at(start: usize) -> Self {
        Self { start, ends: Vec::new() }
    }

    /// Guesses that a record starts where the first line of a chunk does; creates a chain at the
    /// end of the chunk if no line starts in it.
    pub(crate) fn guess(bytes: &[u8], chunk: Range<usize>) -> Self {
        let line_end = memchr::memchr(b'\n', &bytes[chunk.clone()]);
        Self::at(line_end.map_or(chunk.end, |line_end| chunk.start + line_end + 1))
    }

    /// Returns the offset after the last record.
    pub(crate) fn exit(&self) -> usize {
        self.ends.last().map_or(self.start, |record| record.end)
    }

    /// Adds the next records, up to the first one that ends at offset `end` or after it, or until
    /// an end depends on bytes that follow `bytes`. It never does if these are `complete`.
    pub(crate) fn extend(&mut self, bytes: &[u8], end: usize, complete: bool, splitter: &mut Splitter) {
        let exit = self.exit();
        if exit < end {
            splitter.each(bytes, exit, complete, |record| {
                self.ends.push(record);
                if record.end < end { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
        }
    }

    /// Leaves out the records before the one that starts at offset `start`; returns `None` if no
    /// record of the chain, nor the next one, starts there.
    fn starting_at(mut self, start: usize) -> Option<Self> {
        let before = match start == self.start {
            true => 0,
            false => self.ends.binary_search_by_key(&start, |record| record.end).ok()? + 1,
        };
        self.ends.drain(..before);
        Some(Self { start, ..self })
    }
}

/// The first record of the true chain that does not start before a given chunk.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// The offset at which the record starts.
    start: usize,
    /// The number of the record in the buffer, from 0.
    number: u64,
}

impl Entry {
    /// Returns the entry after the records of `chain`, which starts here.
    fn after(self, chain: &RecordChain) -> Self {
        Self { start: chain.exit(), number: self.number + chain.ends.len() as u64 }
    }
}

#[derive(Debug)]
struct State {
    /// The entries of the first chunks: one more than there are finished chunks.
    entries: Vec<Entry>,
    /// The chunks that a thread works on; a chunk occurs once for each thread.
    in_progress: Vec<usize>,
}

impl Chunks {
    /// Creates chunks of `chunk_len` bytes for a buffer of `buffer_len` bytes, whose records obey `limits`.
    pub fn new(buffer_len: usize, chunk_len: usize, limits: Limits) -> Self {
        Self::of_range(buffer_len, 0..buffer_len, 0, chunk_len, limits)
    }

    /// Creates chunks of the bytes `range` of a buffer. `range` begins where a record begins, `first` is the number of
    /// records before it, and `range` ends where a record ends.
    // Twin: chunks of the whole buffer; test: `parts_join_to_whole_archive`.
    pub(crate) fn of_range(
        buffer_len: usize,
        range: Range<usize>,
        first: u64,
        chunk_len: usize,
        limits: Limits,
    ) -> Self {
        let entries = vec![Entry { start: range.start, number: first }];
        let state = State { entries, in_progress: Vec::new() };
        Self {
            buffer_len,
            range,
            chunk_len: chunk_len.max(1),
            limits,
            guesses: chunk_len >= 2 * LOOK_AHEAD,
            state: Mutex::new(state),
            changed: Condvar::new(),
        }
    }

    /// Returns the number of chunks.
    pub fn len(&self) -> usize {
        self.range.len().div_ceil(self.chunk_len)
    }

    /// Returns `true` if the buffer is empty, so that there is no chunk.
    pub fn is_empty(&self) -> bool {
        self.range.is_empty()
    }

    /// Returns the offset in the buffer just after chunk `n`; chunks count from 0.
    pub fn end(&self, n: usize) -> usize {
        self.start(n + 1)
    }

    /// Returns the offset in the buffer at which chunk `n` starts.
    fn start(&self, n: usize) -> usize {
        self.range.start.saturating_add(n.saturating_mul(self.chunk_len)).min(self.range.end)
    }

    /// Returns the records that start in chunk `n`; chunks count from 0. `bytes` is the whole buffer, `splitter` is
    /// scratch memory.
    ///
    /// May wait for another thread that works on an earlier chunk.
    ///
    /// # Panics
    ///
    /// If there is no chunk `n`, or if the length of `bytes` is not the length given to [`Chunks::new`].
    pub fn records(&self, bytes: &[u8], n: usize, splitter: &mut Splitter) -> Chunk {
        assert!(n < self.len() && bytes.len() == self.buffer_len, "a chunk of this buffer");
        splitter.set_limits(self.limits);
        let mut state = self.lock();
        let _work = self.begin(&mut state, n);
        let mut guess = None;
        if state.entries.len() <= n {
            drop(state);
            guess = self.guesses.then(|| self.guess(bytes, n, splitter));
            state = self.wait_for_entry(bytes, n, splitter);
        }
        let entry = state.entries[n];
        drop(state);
        let known = guess.and_then(|guess| guess.starting_at(entry.start));
        let mut chain = known.unwrap_or_else(|| RecordChain::at(entry.start));
        chain.extend(bytes, self.end(n), true, splitter);
        self.finish(n, entry.after(&chain));
        Chunk { start: entry.start, first: entry.number, ends: chain.ends }
    }

    /// Waits until the entry of chunk `n` is known. Finishes the chunks before it that no thread works on.
    fn wait_for_entry(&self, bytes: &[u8], n: usize, splitter: &mut Splitter) -> MutexGuard<'_, State> {
        let mut state = self.lock();
        loop {
            let last = state.entries.len() - 1;
            if last >= n {
                return state;
            }
            if state.in_progress.contains(&last) {
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            let work = self.begin(&mut state, last);
            let entry = state.entries[last];
            drop(state);
            let mut chain = RecordChain::at(entry.start);
            chain.extend(bytes, self.end(last), true, splitter);
            self.finish(last, entry.after(&chain));
            drop(work);
            state = self.lock();
        }
    }

    /// Splits chunk `n` from its first start of a line on. Reads a bounded number of bytes after
    /// the chunk.
    fn guess(&self, bytes: &[u8], n: usize, splitter: &mut Splitter) -> RecordChain {
        let (start, end) = (self.start(n), self.end(n));
        let window = &bytes[..bytes.len().min(end + self.chunk_len / 4 + 2 * LOOK_AHEAD)];
        let mut chain = RecordChain::guess(window, start..end);
        chain.extend(window, end, window.len() == bytes.len(), splitter);
        chain
    }

    /// Marks chunk `n` as in progress until the returned guard is dropped.
    fn begin(&self, state: &mut State, n: usize) -> InProgress<'_> {
        state.in_progress.push(n);
        InProgress { chunks: self, n }
    }

    /// Publishes the entry of the chunk after chunk `n`.
    fn finish(&self, n: usize, exit: Entry) {
        let mut state = self.lock();
        if state.entries.len() == n + 1 {
            state.entries.push(exit);
            drop(state);
            self.changed.notify_all();
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // A poisoned lock is harmless: no change of the state consists of two steps.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A guard for work on a chunk. The work ends when the guard is dropped, also by a panic.
struct InProgress<'p> {
    chunks: &'p Chunks,
    n: usize,
}

impl Drop for InProgress<'_> {
    fn drop(&mut self) {
        let mut state = self.chunks.lock();
        if let Some(at) = state.in_progress.iter().position(|&n| n == self.n) {
            state.in_progress.swap_remove(at);
        }
        drop(state);
        self.chunks.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use proptest::prelude::*;

    use super::*;

    /// Splits `text` on several threads, which take the chunks in the given order. Returns the chunks by number.
    fn split(text: &[u8], chunk_len: usize, limits: Limits, threads: usize, order: &[usize]) -> Vec<Chunk> {
        let mut chunks = Chunks::new(text.len(), chunk_len, limits);
        // Also with chunks so short that guessing does not pay.
        chunks.guesses = true;
        let next = AtomicUsize::new(0);
        let mut results: Vec<(usize, Chunk)> = std::thread::scope(|scope| {
            let work = || {
                let mut splitter = Splitter::default();
                let mut results = Vec::new();
                while let Some(&n) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
                    results.push((n, chunks.records(text, n, &mut splitter)));
                }
                results
            };
            let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
            workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
        });
        results.sort_by_key(|&(n, _)| n);
        results.into_iter().map(|(_, chunk)| chunk).collect()
    }

    /// Compares the chunks with the records of one thread, for several lengths of chunks.
    #[track_caller]
    fn check(text: &[u8], limits: Limits, chunk_lens: &[usize]) {
        let mut whole = Vec::new();
        Splitter::new(limits).each(text, 0, true, |record| {
            whole.push(record);
            ControlFlow::Continue(())
        });
        for &chunk_len in chunk_lens {
            let count = text.len().div_ceil(chunk_len);
            let (forward, backward): (Vec<_>, Vec<_>) = ((0..count).collect(), (0..count).rev().collect());
            for (threads, order) in [(1, &forward), (1, &backward), (2, &forward), (5, &backward)] {
                let chunks = split(text, chunk_len, limits, threads, order);
                let (mut at, mut number) = (0, 0);
                for (n, chunk) in chunks.iter().enumerate() {
                    assert_eq!((chunk.start, chunk.first), (at, number), "chunk {n} of {chunk_len} bytes");
                    at = chunk.ends.last().map_or(at, |record| record.end);
                    number += chunk.ends.len() as u64;
                    assert!(chunk.ends.is_empty() || chunk.start >= n * chunk_len);
                    assert!(at >= text.len().min((n + 1) * chunk_len));
                }
                let ends: Vec<_> = chunks.into_iter().flat_map(|chunk| chunk.ends).collect();
                assert_eq!(
                    ends,
                    whole,
                    "{threads} threads, chunks of {chunk_len} bytes: {:?}",
                    String::from_utf8_lossy(text)
                );
            }
        }
    }

    fn all_limits() -> [Limits; 2] {
        [Limits::DEFAULT, Limits { record_bytes: 90, comment_bytes: 20, ..Limits::DEFAULT }]
    }

    #[test]
    fn chunks_of_any_length_join_to_whole_buffer() {
        let game = "[Event \"a\"]\n[Site \"b\"]\n\n1. 32-28 {\n[Event \"no\"]\n} (1. 33-28\n1-0\n2. 4-5) 19-23 1-0\n\n";
        let hostile = [
            game.repeat(40),
            format!("{}{}", game, "1. 32-28 19-23 ".repeat(300)),
            format!("[A \"x\"]\n1. 3-4 {{ {}\n}} *\n", game.repeat(20)),
            format!("[A \"x\"]\n1. 3-4 {{ {}", game.repeat(20)),
            format!("[A \"{}", "\n".repeat(2000)),
            "{\n".repeat(900),
            "1-0\n1. 3-4 ".repeat(300),
            "[A \"x\"]\n\n".repeat(300),
        ];
        for text in hostile {
            for limits in all_limits() {
                check(text.as_bytes(), limits, &[7, 64, 1000, 100_000]);
            }
        }
    }

    #[test]
    fn record_longer_than_the_window_of_a_guess_stays_whole() {
        let game = "[Event \"a\"]\n[Site \"b\"]\n\n1. 32-28 19-23 2. 28x19 14x23 3. 37-32 10-14 1-0\n\n";
        // The long record begins in the second chunk and ends after the window in which that chunk guesses.
        let long = format!("[Event \"long\"]\n\n{} 1-0\n\n", "1. 32-28 19-23 ".repeat(20_000));
        let text = [&game.repeat(600)[..], &long, &game.repeat(20)].concat();
        check(text.as_bytes(), Limits::DEFAULT, &[40_000]);
    }

    /// Compares what each chunk guesses with the records that one thread finds from the same start. Whether a thread guesses
    /// at all depends on the others, so that [`check`] may never see a wrong guess.
    fn check_guesses(text: &[u8], limits: Limits, chunk_len: usize) {
        let chunks = Chunks::new(text.len(), chunk_len, limits);
        for n in 0..chunks.len() {
            let mut splitter = Splitter::new(limits);
            let RecordChain { start, ends: guessed } = chunks.guess(text, n, &mut splitter);
            let mut records = Vec::new();
            if start < text.len() {
                Splitter::new(limits).each(text, start, true, |record| {
                    records.push(record);
                    if records.len() < guessed.len() {
                        ControlFlow::Continue(())
                    } else {
                        ControlFlow::Break(())
                    }
                });
            }
            records.truncate(guessed.len());
            assert_eq!(guessed, records, "chunk {n} of {chunk_len} bytes, from {start}");
        }
    }

    #[test]
    fn guessed_records_are_those_from_the_same_start() {
        let game = "[Event \"a\"]\n[Site \"b\"]\n\n1. 32-28 19-23 2. 28x19 14x23 3. 37-32 10-14 1-0\n\n";
        // The first line of the second chunk begins a record that ends after the window of the guess.
        let long = format!("[Event \"long\"]\n\n{} 1-0\n\n", "1. 32-28 19-23\n".repeat(20_000));
        let text = [&game.repeat(600)[..], &long, &game.repeat(20)].concat();
        for limits in all_limits() {
            for chunk_len in [40_000, 10_000, 1_000] {
                check_guesses(text.as_bytes(), limits, chunk_len);
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        #[test]
        fn chunks_join_to_whole_buffer(
            words in prop::collection::vec(prop_oneof![
                4 => Just("1. 32-28 19-23 "), 4 => Just("\n"), 3 => Just("\n[Event \"x\"]\n"), 1 => Just("{"),
                2 => Just("}"), 1 => Just("(1. 3-4"), 1 => Just(")"), 2 => Just("1-0\n"), 1 => Just("*"),
                1 => Just("[Event \"a\nb\"]\n"), 1 => Just("\""), 1 => Just("; x\n"), 1 => Just("\n% x"), 1 => Just("\r\n\r\n"),
                1 => Just("/FEN \"W:W1\n"), 1 => Just("[A \"\"] "), 1 => Just("Event \"x\"]\n"),
            ], 0..200),
            chunk_len in 1usize..600,
        ) {
            for limits in all_limits() {
                check(words.concat().as_bytes(), limits, &[chunk_len]);
            }
        }

        #[test]
        fn chunks_of_any_bytes_join_to_whole_buffer(text in prop::collection::vec(any::<u8>(), 0..500), chunk_len in 1usize..90) {
            check(&text, Limits::DEFAULT, &[chunk_len]);
        }
    }

    #[test]
    fn chunk_that_is_asked_for_again_is_the_same() {
        let text = "[White \"a\"]\n1. 32-28 *\n".repeat(40);
        let text = text.as_bytes();
        let chunks = Chunks::new(text.len(), 100, Limits::DEFAULT);
        let mut splitter = Splitter::default();
        let mut starts = Vec::new();
        for n in 0..chunks.len() {
            let [once, again] = [0, 1].map(|_| chunks.records(text, n, &mut splitter));
            assert_eq!(
                (once.start, once.first, &once.ends),
                (again.start, again.first, &again.ends),
                "chunk {n}"
            );
            starts.push((once.start, once.first));
        }
        assert!(starts.is_sorted() && starts.last().is_some_and(|last| last.1 > 30), "{starts:?}");
    }
}
