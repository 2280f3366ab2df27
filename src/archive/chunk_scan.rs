//! Divides a file that no single machine reads as a whole: each chunk is scanned alone, and the results are chained.

use std::fmt;
use std::ops::{ControlFlow, Range};
use std::str::FromStr;

use super::record_range::RecordRange;
use crate::error::UnknownName;
use crate::source::count_line_ends;
use crate::split::Splitter;

/// The greatest number of record starts that a scan reports. The records before a chunk end at one of the first few, unless
/// the guess was wrong.
const MAX_STARTS: usize = 256;

/// What the bytes of a chunk show about its records, without those before it.
///
/// A scan guesses that a record starts at the first start of a line in the chunk. [`ChunkChain`] verifies the guess. It is
/// plain data, as text if it was found on another machine.
///
/// ```
/// use pdn::archive::{ChunkChain, ChunkScan};
///
/// let text = b"1. 32-28 *\n1. 33-29 {\n1. no record *\n} *\n1. 34-29 *\n";
/// let len = text.len() as u64;
/// let mut chain = ChunkChain::new(len);
/// for chunk in ChunkChain::chunks(len, 2) {
///     // On another machine, which reads the chunk and some bytes after it:
///     let window = &text[chunk.start as usize..];
///     let mut scan = ChunkScan::new(window, chunk.clone(), true).unwrap();
///     // The second chunk begins in a comment, so its guess is wrong.
///     if let Some(start) = chain.push(&scan) {
///         scan = ChunkScan::from_record(window, chunk, start, true).unwrap();
///         assert_eq!(chain.push(&scan), None);
///     }
/// }
/// let ranges = chain.finish(2);
/// assert_eq!(ranges.iter().map(ToString::to_string).collect::<Vec<_>>(), ["0:41", "41:52"]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChunkScan {
    chunk: Range<u64>,
    /// The offsets in the file of the first guessed records that start in the chunk.
    starts: Vec<u64>,
    /// The number of all guessed records that start in the chunk.
    records: u64,
    /// The offset in the file after the last of them.
    exit: u64,
    /// A line begins at `exit`.
    exit_begins_line: bool,
    /// The line ends in the chunk.
    line_ends: u64,
    /// The line ends from the end of the chunk to `exit`.
    exit_line_ends: u64,
}

impl ChunkScan {
    /// Scans a chunk of a file. `window` has its bytes and some after it, up to the end of the file if it is `complete`.
    ///
    /// Returns `None` if more bytes after the chunk are needed.
    ///
    /// # Panics
    ///
    /// If `window` is shorter than the chunk.
    pub fn new(window: &[u8], chunk: Range<u64>, complete: bool) -> Option<Self> {
        let len = (chunk.end - chunk.start) as usize;
        let guess = if chunk.start == 0 {
            Some(0)
        } else {
            memchr::memchr(b'\n', &window[..len]).map(|line_end| line_end + 1)
        };
        Self::from_offset(window, chunk, guess, complete)
    }

    /// Scans a chunk in which a record is known to start at offset `start` of the file; see [`new`](Self::new).
    ///
    /// # Panics
    ///
    /// If `window` is shorter than the chunk, or `start` is not in it.
    pub fn from_record(window: &[u8], chunk: Range<u64>, start: u64, complete: bool) -> Option<Self> {
        assert!(chunk.contains(&start), "the record starts in the chunk");
        let start = (start - chunk.start) as usize;
        Self::from_offset(window, chunk, Some(start), complete)
    }

    /// Scans a chunk from this offset in `window` on.
    fn from_offset(window: &[u8], chunk: Range<u64>, from: Option<usize>, complete: bool) -> Option<Self> {
        let len = (chunk.end - chunk.start) as usize;
        assert!(len <= window.len(), "the window has the whole chunk");
        // CR and LF on both sides of an end are one line end, which counts where LF is.
        let line_ends = |bytes: Range<usize>| {
            let is_split = bytes.end > bytes.start
                && window[bytes.end - 1] == b'\r'
                && window.get(bytes.end) == Some(&b'\n');
            count_line_ends(&window[bytes]) - u64::from(is_split)
        };
        if window.len() == len && !complete {
            return None;
        }
        let mut scan = Self {
            line_ends: line_ends(0..len),
            starts: Vec::new(),
            records: 0,
            exit: chunk.end,
            exit_begins_line: false,
            exit_line_ends: 0,
            chunk,
        };
        let Some(from) = from.filter(|from| *from < len) else { return Some(scan) };
        let mut at = from;
        Splitter::default().each(window, from, complete, |record| {
            if scan.starts.len() < MAX_STARTS {
                scan.starts.push(scan.chunk.start + at as u64);
            }
            scan.records += 1;
            at = record.end;
            if at < len { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        if at < len {
            return None;
        }
        scan.exit = scan.chunk.start + at as u64;
        scan.exit_begins_line = window[at - 1] == b'\n';
        scan.exit_line_ends = line_ends(len..at);
        Some(scan)
    }

    /// Returns the bytes of the file that were scanned, without those after them.
    pub fn chunk(&self) -> Range<u64> {
        self.chunk.clone()
    }
}

/// Writes all numbers, separated by spaces.
impl fmt::Display for ChunkScan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { chunk, starts, records, exit, exit_begins_line, line_ends, exit_line_ends } = self;
        let begins_line = u8::from(*exit_begins_line);
        write!(
            f,
            "{} {} {records} {exit} {begins_line} {line_ends} {exit_line_ends}",
            chunk.start, chunk.end
        )?;
        starts.iter().try_for_each(|start| write!(f, " {start}"))
    }
}

impl FromStr for ChunkScan {
    type Err = UnknownName;

    /// Parses what [`Display`](fmt::Display) writes.
    ///
    /// # Errors
    /// If the text is not of that form.
    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let unknown = UnknownName { expected: "the numbers of a scanned chunk" };
        let numbers: Result<Vec<u64>, _> = text.split(' ').map(str::parse).collect();
        match numbers.as_deref() {
            Ok([start, end, records, exit, begins_line @ 0..=1, line_ends, exit_line_ends, starts @ ..])
                if start <= end && end <= exit && starts.len() as u64 <= *records =>
            {
                Ok(Self {
                    chunk: *start..*end,
                    starts: starts.to_vec(),
                    records: *records,
                    exit: *exit,
                    exit_begins_line: *begins_line == 1,
                    line_ends: *line_ends,
                    exit_line_ends: *exit_line_ends,
                })
            }
            _ => Err(unknown),
        }
    }
}

/// Chains the scans of the chunks of a file to ranges for [`ArchiveHead::open_part`](crate::replay::ArchiveHead::open_part).
///
/// The ranges are those of [`ranges`](super::ranges), unless records begin within lines: then they may be fewer. The file is
/// not empty, and can be divided: it is neither packed nor in UTF-16.
// Twin: `ranges`, which reads the whole file; tests: `chained_chunks_are_the_ranges_of_the_whole_file`,
// `chained_chunks_of_any_text_begin_where_records_do`.
#[derive(Clone, Debug)]
pub struct ChunkChain {
    file_len: u64,
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
    /// Creates the chain of a file of `file_len` bytes of which no chunk was scanned.
    pub fn new(file_len: u64) -> Self {
        Self { file_len, next: 0, line_ends: 0, entry: (0, 0, 1), begins: vec![(0, 0, 1)] }
    }

    /// Divides a file of `file_len` bytes into at most `n` chunks of about the same length, in their order.
    pub fn chunks(file_len: u64, n: u64) -> impl Iterator<Item = Range<u64>> {
        let n = n.clamp(1, file_len.max(1));
        let start = move |k: u64| (u128::from(k) * u128::from(file_len)).div_ceil(u128::from(n)) as u64;
        (0..n).map(move |k| start(k)..start(k + 1)).filter(|chunk| !chunk.is_empty())
    }

    /// Adds the scan of the next chunk. Returns `None` if its guess was right or is not needed; otherwise the offset of the
    /// record from which the chunk has to be scanned again, by [`ChunkScan::from_record`].
    ///
    /// # Panics
    ///
    /// If it is not the scan of the next chunk.
    #[must_use = "a wrong guess has to be replaced"]
    pub fn push(&mut self, scan: &ChunkScan) -> Option<u64> {
        assert_eq!(scan.chunk.start, self.next, "chunks are chained in their order");
        if self.entry.0 < scan.chunk.end {
            let Ok(before) = scan.starts.binary_search(&self.entry.0) else { return Some(self.entry.0) };
            let records = self.entry.1 + scan.records - before as u64;
            let line = 1 + self.line_ends + scan.line_ends + scan.exit_line_ends;
            self.entry = (scan.exit, records, line);
            if scan.exit_begins_line && scan.exit < self.file_len {
                self.begins.push(self.entry);
            }
        }
        self.line_ends += scan.line_ends;
        self.next = scan.chunk.end;
        None
    }

    /// Returns at most `n` ranges of about the same length. Their number of chunks must be a multiple of `n`.
    ///
    /// # Panics
    ///
    /// If a chunk is missing.
    pub fn finish(mut self, n: u64) -> Vec<RecordRange> {
        assert_eq!(self.next, self.file_len, "every chunk was scanned");
        // As `ranges` does: one boundary for each n-th of the file.
        let target = |at: u64| u128::from(at) * u128::from(n.max(1)) / u128::from(self.file_len.max(1));
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
    use crate::internal::archive::ranges;
    use std::num::NonZeroUsize;

    use proptest::prelude::*;

    use super::*;
    use crate::source::OpenOptions;
    use crate::split;

    /// Scans the chunks of a text with windows that are as short as possible, and chains them.
    fn chain(text: &[u8], n: u64, chunks: u64) -> Vec<RecordRange> {
        let len = text.len() as u64;
        let mut chain = ChunkChain::new(len);
        for chunk in ChunkChain::chunks(len, chunks) {
            let scan = |from: Option<u64>| {
                let mut end = chunk.end as usize;
                loop {
                    let window = &text[chunk.start as usize..end];
                    let complete = end == text.len();
                    let scan = match from {
                        None => ChunkScan::new(window, chunk.clone(), complete),
                        Some(from) => ChunkScan::from_record(window, chunk.clone(), from, complete),
                    };
                    if let Some(scan) = scan {
                        return scan.to_string().parse::<ChunkScan>().unwrap();
                    }
                    assert!(!complete, "a complete window is enough");
                    end = (end + 100).min(text.len());
                }
            };
            if let Some(start) = chain.push(&scan(None)) {
                assert_eq!(chain.push(&scan(Some(start))), None, "a true start is taken");
            }
        }
        chain.finish(n)
    }

    const GAME: &str =
        "[Event \"a\"]\n[Site \"b\"]\n\n1. 32-28 {\n[Event \"no\"]\n} (1. 33-28\n1-0\n2. 4-5) 19-23 1-0\n\n";

    #[test]
    fn chained_chunks_are_the_ranges_of_the_whole_file() {
        for text in [
            GAME.repeat(400),
            GAME.repeat(50).replace('\n', "\r\n"),
            format!("{}{}{}", GAME.repeat(30), "1. 32-28 19-23 ".repeat(3000), GAME.repeat(30)),
            format!("{}{{{}}} *\n{}", GAME.repeat(20), "\n1. 3-4 *\n".repeat(600), GAME.repeat(20)),
            "1. 32-28 *\n".to_owned(),
        ] {
            let file = tempfile::NamedTempFile::new().unwrap();
            std::fs::write(file.path(), &text).unwrap();
            for n in [1, 2, 3, 7, 40] {
                let parts = NonZeroUsize::new(n as usize).unwrap();
                let expected = ranges(file.path(), parts, &OpenOptions::new(), NonZeroUsize::MIN).unwrap();
                for chunks in [n, 3 * n] {
                    let found = chain(text.as_bytes(), n, chunks);
                    assert_eq!(found, expected, "{n} parts of {chunks} chunks of {} bytes", text.len());
                }
            }
        }
    }

    /// Asserts that the ranges of a text begin where its records and its lines do.
    fn check(text: &[u8], n: u64) {
        let records: Vec<u64> = split::games(text).map(|record| record.offset).collect();
        let found = chain(text, n, n);
        assert_eq!((found[0].start, found[0].first, found[0].line), (0, 0, 1));
        assert_eq!(found.last().and_then(|range| range.end), Some(text.len() as u64));
        assert!(found.windows(2).all(|pair| pair[0].end == Some(pair[1].start)), "{found:?}");
        for range in &found[1..] {
            let before = &text[..range.start as usize];
            assert_eq!(records.binary_search(&range.start), Ok(range.first as usize));
            assert!(before.ends_with(b"\n"));
            assert_eq!(count_line_ends(before) + 1, range.line);
        }
    }

    #[test]
    fn wrong_text_of_a_scan_is_refused() {
        let scan = ChunkScan::new(b"1. 32-28 *\n", 0..11, true).unwrap();
        assert_eq!(scan.to_string(), "0 11 1 11 1 1 0 0");
        for wrong in ["", "0 11 1 11 1 1", "11 0 1 11 1 1 0 0", "0 11 0 11 1 1 0 0", "0 11 1 11 2 1 0 0", "x"]
        {
            assert!(wrong.parse::<ChunkScan>().is_err(), "{wrong}");
        }
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
        ) {
            check(words.concat().as_bytes(), n);
        }
    }
}
