//! The records of one buffer found by many threads, each from a place of its own.
//!
//! A record is a function of the bytes from its start on, so the records from any start that is known are known,
//! whatever lies before; [the guide](crate::guide::splitting) proves what follows from it. A buffer is cut into
//! pieces of equal length; a record belongs to the piece that it starts in. Who asks for a piece before the one in front of
//! it is done does not know where its first record starts, and guesses: the next start of a line. From there on
//! it goes as always. Once the true start is known, it and the guessed ones are compared; at the first that both
//! have, they are the same for ever. What lies before is found again from the true start. So every answer is what
//! one thread would find, for any bytes.
//!
//! Linear: a piece is passed at most once by guessing, with a bounded look beyond its end, once from its true
//! start, and once more if somebody needed its end before it was asked for.

use std::ops::ControlFlow;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::splitter::{LOOK_AHEAD, RecordEnd, Splitter};
use crate::limits::Limits;

/// The pieces of one buffer, shared by the threads that split it.
///
/// Every call must give the same bytes. Pieces may be asked for in any order and more than once; nobody waits for a
/// piece that nobody works on.
///
/// ```
/// use pdn::limits::Limits;
/// use pdn::split::{Chunks, Splitter};
///
/// let text = b"1. 32-28 *\n1. 33-28 *\n1. 34-29 *\n".repeat(1000);
/// let pieces = Chunks::new(text.len(), 5000, Limits::DEFAULT);
/// std::thread::scope(|scope| {
///     let (pieces, text) = (&pieces, &text);
///     let count = move |odd| {
///         let mut splitter = Splitter::new(Limits::DEFAULT);
///         (odd..pieces.len()).step_by(2).map(|n| pieces.records(text, n, &mut splitter).ends.len()).sum::<usize>()
///     };
///     let other = scope.spawn(move || count(1));
///     assert_eq!(count(0) + other.join().unwrap(), 3000);
/// });
/// ```
#[derive(Debug)]
pub struct Chunks {
    bytes: usize,
    piece: usize,
    limits: Limits,
    /// Whether pieces are so long that what is looked at behind them does not count.
    guesses: bool,
    state: Mutex<State>,
    /// A piece was finished, or given up.
    changed: Condvar,
}

/// The records that start in a piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// Where the first of them starts; if there is none, where the next record of the buffer does.
    pub start: usize,
    /// Number of that record in the buffer, from 0.
    pub first: u64,
    /// Where they end.
    pub ends: Vec<RecordEnd>,
}

/// Where the first record starts that does not start before a piece, and its number.
#[derive(Clone, Copy, Debug)]
struct Entry {
    start: usize,
    number: u64,
}

#[derive(Debug)]
struct State {
    /// What is known, of the first pieces; one more than are finished.
    entries: Vec<Entry>,
    /// The pieces that somebody works on.
    working: Vec<usize>,
}

impl Chunks {
    /// Pieces of `piece` bytes of a buffer of `bytes`, their records bounded by `limits`.
    pub fn new(bytes: usize, piece: usize, limits: Limits) -> Self {
        let state = State { entries: vec![Entry { start: 0, number: 0 }], working: Vec::new() };
        let guesses = piece >= 2 * LOOK_AHEAD;
        Self {
            bytes,
            piece: piece.max(1),
            limits,
            guesses,
            state: Mutex::new(state),
            changed: Condvar::new(),
        }
    }

    /// How many pieces there are.
    pub fn len(&self) -> usize {
        self.bytes.div_ceil(self.piece)
    }

    /// Whether there is none, the buffer being empty.
    pub fn is_empty(&self) -> bool {
        self.bytes == 0
    }

    /// Where piece `n` ends in the buffer.
    pub fn end(&self, n: usize) -> usize {
        (n + 1).saturating_mul(self.piece).min(self.bytes)
    }

    /// The records of piece `n` of `bytes`, which are all bytes of the buffer. `splitter` is memory to work with.
    ///
    /// # Panics
    ///
    /// If there is no such piece, or `bytes` are not as many as was said.
    pub fn records(&self, bytes: &[u8], n: usize, splitter: &mut Splitter) -> Chunk {
        assert!(n < self.len() && bytes.len() == self.bytes, "a piece of this buffer");
        splitter.limit(self.limits);
        let mut state = self.lock();
        let mut guessed = Vec::new();
        let mut guess = usize::MAX;
        let _work;
        if state.entries.len() <= n {
            _work = self.begin(&mut state, n);
            drop(state);
            if self.guesses {
                (guess, guessed) = self.guess(bytes, n, splitter);
            }
            state = self.reach(bytes, n, splitter);
        } else {
            _work = self.begin(&mut state, n);
        }
        let entry = state.entries[n];
        drop(state);
        let mut ends = Vec::new();
        let exit = self.go_on(bytes, n, entry.start, splitter, (guess, &guessed), &mut ends);
        let count = ends.len() as u64;
        self.finish(n, Entry { start: exit, number: entry.number + count });
        Chunk { start: entry.start, first: entry.number, ends }
    }

    /// Waits until it is known where piece `n` begins, finishing pieces before it that nobody works on.
    fn reach(&self, bytes: &[u8], n: usize, splitter: &mut Splitter) -> MutexGuard<'_, State> {
        let mut state = self.lock();
        loop {
            let last = state.entries.len() - 1;
            if last >= n {
                return state;
            }
            if state.working.contains(&last) {
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            let work = self.begin(&mut state, last);
            let entry = state.entries[last];
            drop(state);
            let mut count = 0;
            let mut start = entry.start;
            if start < self.end(last) {
                splitter.each(bytes, start, true, |record| {
                    start = record.end;
                    count += 1;
                    if start < self.end(last) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
                });
            }
            self.finish(last, Entry { start, number: entry.number + count });
            drop(work);
            state = self.lock();
        }
    }

    /// Records from the first start of a line in piece `n` on, as far as they can be told from bytes that are not far
    /// beyond its end.
    fn guess(&self, bytes: &[u8], n: usize, splitter: &mut Splitter) -> (usize, Vec<RecordEnd>) {
        let (from, end) = (n * self.piece, self.end(n));
        let window = &bytes[..bytes.len().min(end + self.piece / 4 + 2 * LOOK_AHEAD)];
        let mut ends = Vec::new();
        let Some(line) = memchr::memchr(b'\n', &bytes[from..end]) else { return (usize::MAX, ends) };
        let start = from + line + 1;
        if start < end {
            splitter.each(window, start, window.len() == bytes.len(), |record| {
                ends.push(record);
                if record.end < end { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
        }
        (start, ends)
    }

    /// Adds the records of piece `n`, the first of which starts at `start`, and answers where the next piece begins.
    /// From a record on that starts where one of `guessed` does, those are taken; the first of them starts at `guess`.
    fn go_on(
        &self,
        bytes: &[u8],
        n: usize,
        mut start: usize,
        splitter: &mut Splitter,
        (guess, guessed): (usize, &[RecordEnd]),
        ends: &mut Vec<RecordEnd>,
    ) -> usize {
        let end = self.end(n);
        // The guessed records from the first on that does not start before `start`.
        let mut same = 0;
        let starts_at =
            |same: usize| if same == 0 { Some(guess) } else { guessed.get(same - 1).map(|r| r.end) };
        let meets = |same: &mut usize, start: usize| {
            while starts_at(*same).is_some_and(|guess| guess < start) {
                *same += 1;
            }
            *same < guessed.len() && starts_at(*same) == Some(start)
        };
        let mut met = meets(&mut same, start);
        while start < end {
            if met {
                ends.extend_from_slice(&guessed[same..]);
                start = guessed.last().map_or(start, |record| record.end);
                (met, same) = (false, guessed.len());
                continue;
            }
            splitter.each(bytes, start, true, |record| {
                ends.push(record);
                start = record.end;
                met = start < end && meets(&mut same, start);
                if start < end && !met { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
        }
        start
    }

    /// Says that piece `n` is being worked on, until what it answers is dropped.
    fn begin(&self, state: &mut State, n: usize) -> Working<'_> {
        state.working.push(n);
        Working { pieces: self, n }
    }

    /// Makes known where the piece behind `n` begins.
    fn finish(&self, n: usize, exit: Entry) {
        let mut state = self.lock();
        if state.entries.len() == n + 1 {
            state.entries.push(exit);
            drop(state);
            self.changed.notify_all();
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing is left half done under this lock.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Work on a piece, over when dropped, be it by a panic.
struct Working<'p> {
    pieces: &'p Chunks,
    n: usize,
}

impl Drop for Working<'_> {
    fn drop(&mut self) {
        let mut state = self.pieces.lock();
        if let Some(at) = state.working.iter().position(|&n| n == self.n) {
            state.working.swap_remove(at);
        }
        drop(state);
        self.pieces.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use proptest::prelude::*;

    use super::*;

    /// All records and their numbers, by `threads` that take the pieces in the order of `order`.
    fn split(text: &[u8], piece: usize, limits: Limits, threads: usize, order: &[usize]) -> Vec<Chunk> {
        let mut pieces = Chunks::new(text.len(), piece, limits);
        pieces.guesses = true;
        let next = AtomicUsize::new(0);
        let mut found: Vec<(usize, Chunk)> = std::thread::scope(|scope| {
            let work = || {
                let mut splitter = Splitter::default();
                let mut found = Vec::new();
                while let Some(&n) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
                    found.push((n, pieces.records(text, n, &mut splitter)));
                }
                found
            };
            let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
            workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
        });
        found.sort_by_key(|&(n, _)| n);
        found.into_iter().map(|(_, piece)| piece).collect()
    }

    fn check(text: &[u8], limits: Limits, pieces: &[usize]) {
        let mut whole = Vec::new();
        Splitter::new(limits).each(text, 0, true, |record| {
            whole.push(record);
            ControlFlow::Continue(())
        });
        for &piece in pieces {
            let count = text.len().div_ceil(piece);
            let (forward, backward): (Vec<_>, Vec<_>) = ((0..count).collect(), (0..count).rev().collect());
            for (threads, order) in [(1, &forward), (1, &backward), (2, &forward), (5, &backward)] {
                let found = split(text, piece, limits, threads, order);
                let (mut at, mut number) = (0, 0);
                for (n, found) in found.iter().enumerate() {
                    assert_eq!((found.start, found.first), (at, number), "piece {n} of {piece}");
                    at = found.ends.last().map_or(at, |record| record.end);
                    number += found.ends.len() as u64;
                    assert!(found.ends.is_empty() || found.start >= n * piece);
                    assert!(at >= text.len().min((n + 1) * piece));
                }
                let ends: Vec<_> = found.into_iter().flat_map(|piece| piece.ends).collect();
                assert_eq!(
                    ends,
                    whole,
                    "{threads} threads, pieces of {piece}: {:?}",
                    String::from_utf8_lossy(text)
                );
            }
        }
    }

    fn all_limits() -> [Limits; 2] {
        [Limits::DEFAULT, Limits { game_bytes: 90, comment_bytes: 20, ..Limits::DEFAULT }]
    }

    #[test]
    fn pieces_of_any_length_are_the_whole() {
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

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        #[test]
        fn pieces_are_the_whole(
            words in prop::collection::vec(prop_oneof![
                4 => Just("1. 32-28 19-23 "), 4 => Just("\n"), 3 => Just("\n[Event \"x\"]\n"), 1 => Just("{"),
                2 => Just("}"), 1 => Just("(1. 3-4"), 1 => Just(")"), 2 => Just("1-0\n"), 1 => Just("*"),
                1 => Just("[Event \"a\nb\"]\n"), 1 => Just("\""), 1 => Just("; x\n"), 1 => Just("\n% x"), 1 => Just("\r\n\r\n"),
                1 => Just("/FEN \"W:W1\n"), 1 => Just("[A \"\"] "), 1 => Just("Event \"x\"]\n"),
            ], 0..200),
            piece in 1usize..600,
        ) {
            for limits in all_limits() {
                check(words.concat().as_bytes(), limits, &[piece]);
            }
        }

        #[test]
        fn pieces_of_any_bytes_are_the_whole(text in prop::collection::vec(any::<u8>(), 0..500), piece in 1usize..90) {
            check(&text, Limits::DEFAULT, &[piece]);
        }
    }
}
