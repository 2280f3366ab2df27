//! Divides a file into parts that can be read alone: on several threads, in several processes or on several machines.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};
use std::path::Path;
use std::result;

use super::batches::Part;
use crate::error::{Error, ErrorKind, Result};
use crate::pool;
use crate::source::{self, OpenOptions, count_line_ends};
use crate::split::{RecordChain, Splitter};

/// The greatest length in bytes of the chunks that the threads of one machine scan.
const CHUNK_BYTES: u64 = 16 << 20;

/// Divides a file into at most `n` ranges of records, of about the same length.
///
/// The ranges join to the whole file, and each has at least one record, unless the file is empty.
/// There are fewer than `n` if records are longer than a range would be, or do not begin at the
/// start of a line (after LF or CRLF). A packed file and one in UTF-16 is one range without an end.
///
/// The records are those that a reader of the whole file finds: the file is split once, in chunks,
/// on `threads` threads.
///
/// ```
/// # fn main() -> pdn::Result<()> {
/// use std::num::NonZeroUsize;
/// use pdn::internal::archive;
/// use pdn::source::OpenOptions;
///
/// let file = tempfile::NamedTempFile::new()?;
/// std::fs::write(file.path(), "1. 32-28 *\n1. 33-29 {\n1. no record *\n} *\n1. 34-29 *\n")?;
/// let two = NonZeroUsize::new(2).unwrap();
/// let ranges = archive::ranges(file.path(), two, &OpenOptions::new(), two)?;
/// assert_eq!(ranges.iter().map(ToString::to_string).collect::<Vec<_>>(), ["0:41", "41:52"]);
/// assert_eq!((ranges[1].first, ranges[1].line), (2, 5));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// If the path cannot be opened, leads to a stream, which can be read only once, to a binary file,
/// or to a container that this build cannot read.
pub fn ranges(
    path: impl AsRef<Path>,
    n: NonZeroUsize,
    options: &OpenOptions,
    threads: NonZeroUsize,
) -> Result<Vec<RecordRange>> {
    let path = path.as_ref();
    let metadata = fs::metadata(path).map_err(|error| Error::from(error).at(path))?;
    if metadata.is_dir() {
        return Err(Error::new(ErrorKind::IsDirectory).at(path));
    }
    if !metadata.is_file() {
        return Err(part_error(path, "is a stream, which has no parts; give a file".to_owned()));
    }
    let open = |start| {
        let mut file = File::open(path)?;
        file.seek(SeekFrom::Start(start))?;
        Ok(file)
    };
    find_ranges(open, path, metadata.len(), n, options, threads)
}

/// Divides a file of `len` bytes that `open` opens from an offset on, in any storage; see
/// [`ranges`]. Messages call it `name`.
///
/// # Errors
///
/// Those of `open` and of reading, or the file is binary or a container that this build cannot
/// read.
pub fn find_ranges<R: Read>(
    open: impl Fn(u64) -> io::Result<R> + Sync,
    name: &Path,
    len: u64,
    n: NonZeroUsize,
    options: &OpenOptions,
    threads: NonZeroUsize,
) -> Result<Vec<RecordRange>> {
    let failed = |error: io::Error| Error::from(error).at(name);
    if !is_divisible(open(0).map_err(failed)?, options).map_err(|error| error.at(name))? {
        return Ok(vec![RecordRange::undivided(len)]);
    }
    if n == NonZeroUsize::MIN {
        return Ok(vec![RecordRange::new(0, Some(len), 0, 1, len)]);
    }
    let mut chain = ChunkChain::new(len, n.get() as u64);
    let scan = |chunk: Range<u64>, record| ChunkScan::read(open(chunk.start)?, chunk, len, record);
    let mut rescanned = Ok(());
    let chunks = chain.chunks(CHUNK_BYTES);
    pool::try_ordered(
        chunks,
        threads,
        || (),
        |(), chunk| scan(chunk, None),
        |found| {
            let chunk = found.chunk.clone();
            rescanned = chain.push(found, |record| scan(chunk, Some(record)));
            if rescanned.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        },
    )
    .map_err(failed)?;
    rescanned.map_err(failed)?;
    Ok(chain.finish())
}

/// Returns `true` if a file, which `reader` gives from its start on, can be divided: it is plain
/// text that is neither empty nor in UTF-16 nor a list of positions.
///
/// # Errors
///
/// If it is binary, a container that this build cannot read, or cannot be read. The error has no
/// path.
fn is_divisible(reader: impl Read, options: &OpenOptions) -> Result<bool> {
    let mut head = Vec::new();
    reader.take(source::open::SMALL as u64).read_to_end(&mut head)?;
    if !source::is_plain_text(&head, options)? {
        return Ok(false);
    }
    source::require_text(&head)?;
    Ok(!head.is_empty())
}

/// Consecutive records of a file that can be read without the rest of it; see
/// `ArchiveHead::open_part`.
///
/// A range begins where a record begins at the start of a line. It is plain data, to be sent to
/// where it is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct RecordRange {
    /// The offset of the first byte.
    pub start: u64,
    /// The offset after the last byte. `None` for a whole file, such as one that cannot be divided: a
    /// packed one, one in UTF-16, or a list of positions.
    pub end: Option<u64>,
    /// The number of records in the file before the first one of the range.
    pub first: u64,
    /// The line in which the range begins, from 1.
    pub line: u64,
    /// The length of the file in bytes when the range was found. A file of another length is not read.
    pub file_len: u64,
}

/// Writes `START:END`, or `0:` for a file that cannot be divided.
impl fmt::Display for RecordRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.start)?;
        self.end.map_or(Ok(()), |end| write!(f, "{end}"))
    }
}

impl RecordRange {
    /// Creates a range from its fields, which [`ranges`] returned.
    pub const fn new(start: u64, end: Option<u64>, first: u64, line: u64, file_len: u64) -> Self {
        Self { start, end, first, line, file_len }
    }

    /// Returns the part of an input that ends at `end`.
    pub(super) const fn part(&self, end: u64) -> Part {
        Part { start: self.start, end, first: self.first, line: self.line }
    }

    /// Creates the range of a whole file that cannot be divided.
    pub(super) const fn undivided(file_len: u64) -> Self {
        Self::new(0, None, 0, 1, file_len)
    }
}

/// Creates the error of a range of `path`.
pub(super) fn part_error(path: &Path, problem: String) -> Error {
    Error::new(ErrorKind::Part(problem)).at(path)
}

/// The greatest number of record starts that a scan reports. The records before a chunk end at one of the first few, unless
/// the guess was wrong.
const MAX_STARTS: usize = 256;

/// The bytes that are read after a chunk at first. They decide in most cases where its last record
/// ends.
const AFTER_CHUNK: usize = 64 << 10;

/// What the bytes of a chunk show about its records, without those before it.
///
/// A scan guesses that a record starts at the first start of a line in the chunk. [`ChunkChain`] verifies the guess.
#[derive(Clone, Debug, PartialEq, Eq)]
struct ChunkScan {
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
    fn read(
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
struct ChunkChain {
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
    fn new(file_len: u64, parts: u64) -> Self {
        let parts = parts.clamp(1, file_len.div_ceil(Self::MIN_PART_BYTES).max(1));
        Self { file_len, parts, next: 0, line_ends: 0, entry: (0, 0, 1), begins: vec![(0, 0, 1)] }
    }

    /// Divides the file into chunks of about the same length, at most `max_bytes`, in their order.
    fn chunks(&self, max_bytes: u64) -> impl Iterator<Item = Range<u64>> + use<> {
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
    fn push<E>(
        &mut self,
        mut scan: ChunkScan,
        rescan: impl FnOnce(u64) -> result::Result<ChunkScan, E>,
    ) -> result::Result<(), E> {
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
    fn finish(mut self) -> Vec<RecordRange> {
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
    use super::*;
    use crate::archive::{Archive, GivenHead};
    use crate::limits::Limits;
    use crate::source::{Decoder, Encoding, LineCounter, read_and_mapped};
    use crate::split;
    use proptest::prelude::*;
    use std::io::Write;
    use tempfile::NamedTempFile;

    /// What is known of a record: number, offset, bytes, whether it was cut, encoding, and the line in which it begins.
    type Known = (u64, u64, Vec<u8>, bool, Encoding, u64);

    fn records(archive: Archive, line: u64) -> (Vec<Known>, Option<Decoder>) {
        let (mut known, mut lines, mut decoder) = (Vec::new(), LineCounter::at_line(line), None);
        for batch in archive.batches() {
            let batch = batch.unwrap();
            decoder.get_or_insert(*batch.decoder());
            for game in batch.games() {
                let view = game.view();
                let (raw, encoding) = (view.raw(), game.encoding().encoding);
                let line = lines.position().line;
                known.push((game.number(), game.offset(), raw.to_vec(), view.record().cut, encoding, line));
                lines.pass(raw, Encoding::UTF_8);
            }
        }
        (known, decoder)
    }

    /// Returns the head of a file with this decoder.
    fn head(decoder: Decoder) -> GivenHead {
        GivenHead { decoder, note: Box::new(()) }
    }

    fn file(text: &[u8]) -> NamedTempFile {
        let mut file = NamedTempFile::new().unwrap();
        file.write_all(text).unwrap();
        file
    }

    /// Divides a text of these records into ranges of `count` records or more.
    fn every(count: usize, records: &[Known], len: u64) -> Vec<RecordRange> {
        let mut ranges = vec![RecordRange::new(0, Some(len), 0, 1, len)];
        for pair in records.windows(2) {
            let ([before, record], Some(last)) = (pair, ranges.last_mut()) else { unreachable!("pairs") };
            if before.2.ends_with(b"\n") && record.0 - 1 - last.first >= count as u64 {
                last.end = Some(record.1);
                ranges.push(RecordRange::new(record.1, Some(len), record.0 - 1, record.5, len));
            }
        }
        ranges
    }

    /// Compares the records of all parts with those of the whole, mapped and streamed, for several numbers of parts.
    #[track_caller]
    fn check(text: &[u8], limits: Limits, batch_bytes: usize) {
        let file = file(text);
        for options in read_and_mapped() {
            let open =
                || Archive::open_with(file.path(), &options).unwrap().limits(limits).batch_bytes(batch_bytes);
            let (whole, decoder) = records(open(), 1);
            // Each part of a short file reads the whole file.
            let least = if text.len() > 20_000 { whole.len().div_ceil(9) } else { 1 };
            for count in [whole.len(), whole.len().div_ceil(2), least] {
                let ranges = every(count, &whole, text.len() as u64);
                let mut joined = Vec::new();
                for range in &ranges {
                    let decoder = decoder.unwrap_or_default();
                    let part = Archive::part(file.path(), range, head(decoder), &options).unwrap();
                    let (part, _) = records(part.limits(limits).batch_bytes(batch_bytes), range.line);
                    assert!(!part.is_empty() || text.is_empty(), "{range}");
                    joined.extend(part);
                }
                let different = joined.iter().zip(&whole).find(|(part, whole)| part != whole);
                let text = String::from_utf8_lossy(text);
                let n = ranges.len();
                assert!(joined == whole, "{n} parts, {options:?}, first difference {different:?}: {text}");
            }
        }
    }

    fn all_limits() -> [Limits; 2] {
        [Limits::DEFAULT, Limits { record_bytes: 90, comment_bytes: 20, ..Limits::DEFAULT }]
    }

    #[test]
    fn parts_join_to_whole_archive() {
        let game = "[Event \"a\"]\n[Site \"b\"]\n\n1. 32-28 {\n[Event \"no\"]\n} (1. 33-28\n1-0\n2. 4-5) 19-23 1-0\n\n";
        let hostile = [
            game.repeat(40),
            game.repeat(1000),
            format!("{}{}", game.repeat(500), "1. 32-28 19-23 ".repeat(3000)),
            format!("[A \"x\"]\n1. 3-4 {{ {}\n}} *\n", game.repeat(20)),
            format!("[A \"x\"]\n1. 3-4 {{ {}", game.repeat(700)),
            format!("{}[A \"{}", game.repeat(20), "\n".repeat(2000)),
            "{\n".repeat(400),
            "1-0\n1. 3-4 ".repeat(300),
            "[A \"x\"]\r\n\r\n".repeat(100),
            "1. 32-28 *\r".repeat(300),
            "1. 32-28 * ".repeat(300),
            game.repeat(30).replace('\n', "\r\n"),
        ];
        for text in hostile {
            for limits in all_limits() {
                check(text.as_bytes(), limits, 4000);
            }
        }
    }

    #[test]
    fn line_end_at_the_end_of_a_cut_record_is_one() {
        // The limit lies between CR and LF. The record is longer than a batch, so a batch without records follows.
        let limits = Limits { record_bytes: 90, ..Limits::DEFAULT };
        let text = format!("1. 32-28 {}\r\n[Event \"x\"]\n\n*\n[Event \"y\"]\n\n*\n", "a".repeat(80));
        for batch_bytes in [1, 30, 90, 1000] {
            check(text.as_bytes(), limits, batch_bytes);
        }
    }

    #[test]
    fn parts_have_the_encoding_of_the_whole_archive() {
        // The first games decide that the later ones, which are doubtful alone, are not western.
        let clear = Encoding::CP866.encode("[White \"Иванов\"]\n[Black \"Петров\"]\n1. c3-d4 *\n\n").unwrap();
        let doubtful = Encoding::CP866.encode("[White \"о\"]\n1. c3-d4 *\n\n").unwrap();
        for repeat in [20, 4000] {
            let text = [&clear.repeat(3)[..], &doubtful.repeat(repeat)].concat();
            check(&text, Limits::DEFAULT, 1 << 16);
            let file = file(&text);
            let last = records(Archive::open(file.path()).unwrap(), 1).0.pop().unwrap();
            assert_eq!(last.4, Encoding::CP866);
        }
    }

    #[test]
    fn file_that_changed_since_its_ranges_were_found_is_not_read() {
        let mut file = file(&b"1. 32-28 *\n".repeat(10));
        let one = NonZeroUsize::MIN;
        let [range] = ranges(file.path(), one, &OpenOptions::new(), one).unwrap()[..] else {
            panic!("one range")
        };
        file.write_all(b"1. 33-29 *\n").unwrap();
        let error =
            Archive::part(file.path(), &range, head(Decoder::default()), &OpenOptions::new()).unwrap_err();
        assert!(error.to_string().contains("has changed since its parts were found"), "{error}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn parts_of_damaged_text_join_to_whole_archive(
            words in prop::collection::vec(prop_oneof![
                4 => Just("1. 32-28 19-23 "), 4 => Just("\n"), 3 => Just("\n[Event \"x\"]\n"), 1 => Just("{"),
                2 => Just("}"), 1 => Just("(1. 3-4"), 1 => Just(")"), 2 => Just("1-0\n"), 1 => Just("*"),
                1 => Just("[Event \"a\nb\"]\n"), 1 => Just("\""), 1 => Just("; x\n"), 1 => Just("\n% x"), 1 => Just("\r\n\r\n"),
                1 => Just("/FEN \"W:W1\n"), 1 => Just("[A \"\"] "), 1 => Just("Event \"x\"]\n"), 1 => Just("\r"),
            ], 0..200),
            batch_bytes in 1usize..600,
            is_long in any::<bool>(),
        ) {
            let mut text = words.concat();
            if is_long {
                // Longer than a file that is read at once, so that it is streamed if it is not mapped.
                text = format!("{}{text}", format!("[White \"a\"]\n1. 32-28 19-23 {{{}}} *\n\n", "comment ".repeat(400)).repeat(21));
            }
            for limits in all_limits() {
                check(text.as_bytes(), limits, if is_long { 20_000 } else { batch_bytes });
            }
        }
    }

    #[cfg(unix)]
    #[test]
    fn stream_has_no_parts() {
        let error =
            ranges("/dev/null", NonZeroUsize::MIN, &OpenOptions::new(), NonZeroUsize::MIN).unwrap_err();
        assert_eq!(error.to_string(), "/dev/null: is a stream, which has no parts; give a file");
    }

    #[test]
    fn binary_file_has_no_parts() {
        let file = file(&[b"1. 32-28 *\n", &[1; 100][..]].concat());
        let (options, one) = (OpenOptions::new(), NonZeroUsize::MIN);
        let error = ranges(file.path(), NonZeroUsize::new(3).unwrap(), &options, one).unwrap_err();
        assert!(error.to_string().contains("is binary, not text"), "{error}");
    }

    /// Asserts that the ranges of a text begin where its records and its lines do, each at the
    /// first such place of its share of the text, if chunks of `max_bytes` are scanned.
    fn check_chunks(text: &[u8], n: u64, max_bytes: u64) -> Vec<RecordRange> {
        let len = text.len() as u64;
        let mut chain = ChunkChain::new(len, n);
        for chunk in chain.chunks(max_bytes) {
            let scan =
                |record| ChunkScan::read(&text[chunk.start as usize..], chunk.clone(), len, record).unwrap();
            chain.push(scan(None), |record| Ok::<_, ()>(scan(Some(record)))).unwrap();
        }
        let found = chain.finish();
        let records: Vec<u64> = split::records(text).map(|record| record.offset).collect();
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
                let found = check_chunks(text.as_bytes(), n, 1 << 20);
                // The parts do not depend on the length of the chunks.
                assert_eq!(
                    found,
                    check_chunks(text.as_bytes(), n, 1_000),
                    "{n} parts of {} bytes",
                    text.len()
                );
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
            check_chunks(words.concat().as_bytes(), n, max_bytes);
        }
    }
}
