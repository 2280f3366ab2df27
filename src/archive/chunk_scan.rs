//! Divides a file that no single machine reads as a whole: each chunk is scanned alone, and the results are chained.

use std::io::{self, Read};
use std::ops::Range;

use super::record_range::RecordRange;
use crate::source::count_line_ends;
use crate::split::{RecordChain, Splitter};

/// The greatest number of record starts that a scan reports. The records before a chunk end at one of the first few, unless
/// the guess was wrong.
const MAX_STARTS: usize = 256;

/// The bytes that are read after a chunk at first. They decide in most cases where its last record
/// ends.
const AFTER_CHUNK: usize = 64 << 10;

/// What the bytes of a chunk show about its records, without those before it.
///
/// A scan guesses that a record starts at the first start of a line in the chunk. [`ChunkChain`] verifies the guess. It is
/// plain data, to be sent to another machine.
///
/// ```
/// use pdn::internal::archive::{ChunkChain, ChunkScan};
///
/// let text = b"1. 32-28 *\n1. 33-29 {\n1. no record *\n} *\n1. 34-29 *\n";
/// let len = text.len() as u64;
/// let mut chain = ChunkChain::new(len, 2);
/// for chunk in chain.chunks(1 << 20) {
///     // On another machine, which reads the chunk and some bytes after it:
///     let window = &text[chunk.start as usize..];
///     let scan = |record| ChunkScan::read(window, chunk.clone(), len, record);
///     // The second chunk begins in a comment, so its guess is wrong, and it is scanned again.
///     chain.push(scan(None)?, |record| scan(Some(record)))?;
/// }
/// let ranges = chain.finish();
/// assert_eq!(ranges.iter().map(ToString::to_string).collect::<Vec<_>>(), ["0:41", "41:52"]);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChunkScan {
    /// The bytes of the file that were scanned, without those after them.
    pub chunk: Range<u64>,
    /// The offsets in the file of the first guessed records that start in the chunk.
    pub starts: Vec<u64>,
    /// The number of all guessed records that start in the chunk.
    pub records: u64,
    /// The offset in the file after the last of them.
    pub exit: u64,
    /// A line begins at `exit`.
    pub exit_begins_line: bool,
    /// The line ends in the chunk.
    pub line_ends: u64,
    /// The line ends from the end of the chunk to `exit`.
    pub exit_line_ends: u64,
}

impl ChunkScan {
    /// Scans a chunk of a file of `file_len` bytes, which `reader` gives from the start of the
    /// chunk on. `record` is the offset in the file of a record that starts in the chunk, if one is
    /// known. Reads the chunk and some bytes after it.
    ///
    /// # Errors
    ///
    /// If the bytes cannot be read, or the file is shorter.
    pub fn read(
        mut reader: impl Read,
        chunk: Range<u64>,
        file_len: u64,
        record: Option<u64>,
    ) -> io::Result<Self> {
        let (len, rest) = ((chunk.end - chunk.start) as usize, (file_len - chunk.start) as usize);
        let (mut window, mut after) = (Vec::new(), AFTER_CHUNK);
        let mut splitter = Splitter::default();
        let mut chain = None;
        loop {
            let wanted = rest.min(len + after);
            reader.by_ref().take((wanted - window.len()) as u64).read_to_end(&mut window)?;
            if window.len() < wanted {
                let message = "the file ends early: another program shortened it while it was read";
                return Err(io::Error::new(io::ErrorKind::UnexpectedEof, message));
            }
            let chain = chain.get_or_insert_with(|| match record.or((chunk.start == 0).then_some(0)) {
                Some(record) => RecordChain::at((record - chunk.start) as usize),
                None => RecordChain::guess(&window, 0..len),
            });
            splitter.moved();
            chain.extend(&window, len, wanted == rest, &mut splitter);
            if chain.exit() >= len {
                return Ok(Self::of_chain(&window, chunk, chain));
            }
            after *= 2;
        }
    }

    /// Returns what is reported of a chunk, with which `window` begins, and of its records.
    fn of_chain(window: &[u8], chunk: Range<u64>, chain: &RecordChain) -> Self {
        // CR and LF on both sides of an end are one line end, which counts where LF is.
        let line_ends = |bytes: Range<usize>| {
            let is_split = bytes.end > bytes.start
                && window[bytes.end - 1] == b'\r'
                && window.get(bytes.end) == Some(&b'\n');
            count_line_ends(&window[bytes]) - u64::from(is_split)
        };
        let (len, exit) = ((chunk.end - chunk.start) as usize, chain.exit());
        let starts = [chain.start].into_iter().chain(chain.ends.iter().map(|record| record.end));
        Self {
            starts: starts
                .take(chain.ends.len().min(MAX_STARTS))
                .map(|start| chunk.start + start as u64)
                .collect(),
            records: chain.ends.len() as u64,
            exit: chunk.start + exit as u64,
            exit_begins_line: window[exit - 1] == b'\n',
            line_ends: line_ends(0..len),
            exit_line_ends: line_ends(len..exit),
            chunk,
        }
    }
}

/// Chains the scans of the chunks of a file to ranges for `ArchiveHead::open_part`.
///
/// The file is not empty, and can be divided: it is neither packed nor in UTF-16.
// Twin: the records of the whole file; tests: `chained_chunks_begin_where_records_do`,
// `chained_chunks_of_any_text_begin_where_records_do`.
#[derive(Clone, Debug)]
pub struct ChunkChain {
    file_len: u64,
    /// The greatest number of ranges.
    parts: u64,
    /// The offset at which the next chunk starts.
    next: u64,
    /// The line ends before it.
    line_ends: u64,
    /// The first record that does not start before the next chunk: its offset, the number of records before it, its line.
    entry: (u64, u64, u64),
    /// Records that begin a range, the first one of the file included.
    begins: Vec<(u64, u64, u64)>,
}

impl ChunkChain {
    /// Shorter parts are not made: most records are longer.
    const MIN_PART_BYTES: u64 = 16;

    /// Creates the chain of a file of `file_len` bytes, of which no chunk was scanned, for at most
    /// `parts` ranges.
    pub fn new(file_len: u64, parts: u64) -> Self {
        let parts = parts.clamp(1, file_len.div_ceil(Self::MIN_PART_BYTES).max(1));
        Self { file_len, parts, next: 0, line_ends: 0, entry: (0, 0, 1), begins: vec![(0, 0, 1)] }
    }

    /// Divides the file into chunks of about the same length, at most `max_bytes`, in their order.
    pub fn chunks(&self, max_bytes: u64) -> impl Iterator<Item = Range<u64>> + use<> {
        let file_len = self.file_len;
        // A multiple of the number of ranges, so that each of these begins near the start of a
        // chunk.
        let n = self.parts * file_len.div_ceil(self.parts).div_ceil(max_bytes).max(1);
        let start = move |k: u64| (u128::from(k) * u128::from(file_len)).div_ceil(u128::from(n)) as u64;
        (0..n).map(move |k| start(k)..start(k + 1)).filter(|chunk| !chunk.is_empty())
    }

    /// Adds the scan of the next chunk. If its guess was wrong and is needed, `rescan` scans the
    /// chunk again, from the offset of a record.
    ///
    /// # Errors
    ///
    /// Those of `rescan`.
    ///
    /// # Panics
    ///
    /// If it is not the scan of the next chunk.
    pub fn push<E>(
        &mut self,
        mut scan: ChunkScan,
        rescan: impl FnOnce(u64) -> Result<ChunkScan, E>,
    ) -> Result<(), E> {
        assert_eq!(scan.chunk.start, self.next, "chunks are chained in their order");
        if self.entry.0 < scan.chunk.end {
            let before = match scan.starts.binary_search(&self.entry.0) {
                Ok(before) => before as u64,
                Err(_) => {
                    scan = rescan(self.entry.0)?;
                    0
                }
            };
            let line = 1 + self.line_ends + scan.line_ends + scan.exit_line_ends;
            self.entry = (scan.exit, self.entry.1 + scan.records - before, line);
            if scan.exit_begins_line && scan.exit < self.file_len {
                self.begins.push(self.entry);
            }
        }
        self.line_ends += scan.line_ends;
        self.next = scan.chunk.end;
        Ok(())
    }

    /// Returns the ranges, which are of about the same length.
    ///
    /// # Panics
    ///
    /// If a chunk is missing.
    pub fn finish(mut self) -> Vec<RecordRange> {
        assert_eq!(self.next, self.file_len, "every chunk was scanned");
        // One boundary for each part of the length that ends before it.
        let target = |at: u64| u128::from(at) * u128::from(self.parts) / u128::from(self.file_len.max(1));
        let mut reached = None;
        self.begins.retain(|begin| {
            let is_new = reached.is_none_or(|reached| target(begin.0) > reached);
            reached = if is_new { Some(target(begin.0)) } else { reached };
            is_new
        });
        let ends = self.begins.iter().skip(1).map(|begin| begin.0).chain([self.file_len]);
        let range =
            |(&(start, first, line), end)| RecordRange::new(start, Some(end), first, line, self.file_len);
        self.begins.iter().zip(ends).map(range).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::split;

    /// Asserts that the ranges of a text begin where its records and its lines do, each at the
    /// first such place of its share of the text, if chunks of `max_bytes` are scanned.
    fn check(text: &[u8], n: u64, max_bytes: u64) -> Vec<RecordRange> {
        let len = text.len() as u64;
        let mut chain = ChunkChain::new(len, n);
        for chunk in chain.chunks(max_bytes) {
            let scan =
                |record| ChunkScan::read(&text[chunk.start as usize..], chunk.clone(), len, record).unwrap();
            chain.push(scan(None), |record| Ok::<_, ()>(scan(Some(record)))).unwrap();
        }
        let found = chain.finish();
        let records: Vec<u64> = split::games(text).map(|record| record.offset).collect();
        assert_eq!((found[0].start, found[0].first, found[0].line), (0, 0, 1));
        assert_eq!(found.last().and_then(|range| range.end), Some(len));
        assert!(found.windows(2).all(|pair| pair[0].end == Some(pair[1].start)), "{found:?}");
        for range in &found[1..] {
            let before = &text[..range.start as usize];
            assert_eq!(records.binary_search(&range.start), Ok(range.first as usize));
            assert!(before.ends_with(b"\n"));
            assert_eq!(count_line_ends(before) + 1, range.line);
        }
        found
    }

    const GAME: &str =
        "[Event \"a\"]\n[Site \"b\"]\n\n1. 32-28 {\n[Event \"no\"]\n} (1. 33-28\n1-0\n2. 4-5) 19-23 1-0\n\n";

    #[test]
    fn chained_chunks_begin_where_records_do() {
        let long = "1. 32-28 19-23 ".repeat(10_000);
        for (text, is_regular) in [
            (GAME.repeat(400), true),
            (GAME.repeat(50).replace('\n', "\r\n"), true),
            (format!("{}{long}\n{}", GAME.repeat(30), GAME.repeat(30)), false),
            (format!("{}{{{}}} *\n{}", GAME.repeat(20), "\n1. 3-4 *\n".repeat(600), GAME.repeat(20)), false),
            (format!("{}{{{}}} *\n", GAME.repeat(20), "\n1. 3-4 *\n".repeat(9_000)), false),
            ("1. 32-28 *\n".to_owned(), false),
        ] {
            for n in [1, 2, 3, 7, 40] {
                let found = check(text.as_bytes(), n, 1 << 20);
                // The parts do not depend on the length of the chunks.
                assert_eq!(found, check(text.as_bytes(), n, 1_000), "{n} parts of {} bytes", text.len());
                assert!(!is_regular || found.len() as u64 == n, "{found:?}");
            }
        }
    }

    #[test]
    fn guess_far_from_the_true_records_is_replaced() {
        let text = format!("1. 32-28 {{{}}} *\n1. 33-29 *\n", "\n1. 3-4 *\n".repeat(2_000));
        let chunk = 5_000..10_000;
        let scan = |record| {
            ChunkScan::read(&text.as_bytes()[5_000..], chunk.clone(), text.len() as u64, record).unwrap()
        };
        let guessed = scan(None);
        assert_eq!((guessed.starts.len(), guessed.records > 400), (MAX_STARTS, true));
        assert_eq!(scan(Some(7_000)).starts[0], 7_000);
    }

    #[test]
    fn shorter_file_is_an_error() {
        let text = GAME.repeat(10);
        let len = text.len() as u64;
        let error = ChunkScan::read(&text.as_bytes()[100..500], 100..200, len, None).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn chained_chunks_of_any_text_begin_where_records_do(
            words in prop::collection::vec(prop_oneof![
                4 => Just("1. 32-28 19-23 "), 4 => Just("\n"), 3 => Just("\n[Event \"x\"]\n"), 1 => Just("{"),
                2 => Just("}"), 1 => Just("(1. 3-4"), 1 => Just(")"), 2 => Just("1-0\n"), 1 => Just("*"),
                1 => Just("[Event \"a\nb\"]\n"), 1 => Just("\""), 1 => Just("; x\n"), 1 => Just("\n% x"), 1 => Just("\r\n\r\n"),
                1 => Just("/FEN \"W:W1\n"), 1 => Just("[A \"\"] "), 1 => Just("Event \"x\"]\n"), 1 => Just("\r"),
            ], 1..120),
            n in 1u64..40,
            max_bytes in 1u64..500,
        ) {
            check(words.concat().as_bytes(), n, max_bytes);
        }
    }
}
