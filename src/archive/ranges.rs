//! Divides a file into parts that can be read alone: on several threads, in several processes or on several machines.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};
use std::path::Path;

use super::chunk_scan::{ChunkChain, ChunkScan};
use super::record_range::{RecordRange, part_error};
use crate::error::{Error, ErrorKind, Result};
use crate::pool;
use crate::source::{self, OpenOptions};

/// The greatest length in bytes of the chunks that the threads of one machine scan.
const CHUNK_BYTES: u64 = 16 << 20;

/// Divides a file into at most `n` ranges of records, of about the same length.
///
/// The ranges join to the whole file, and each has at least one record, unless the file is empty.
/// There are fewer than `n` if records are longer than a range would be, or do not begin at the
/// start of a line (after LF or CRLF). A packed file and one in UTF-16 is one range without an end.
///
/// The records are those that a reader of the whole file finds: the file is split once, by
/// [`ChunkScan`] on `threads` threads.
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
pub fn is_divisible(reader: impl Read, options: &OpenOptions) -> Result<bool> {
    let mut head = Vec::new();
    reader.take(source::open::SMALL as u64).read_to_end(&mut head)?;
    if !source::is_plain_text(&head, options)? {
        return Ok(false);
    }
    source::require_text(&head)?;
    Ok(!head.is_empty())
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use proptest::prelude::*;
    use tempfile::NamedTempFile;

    use super::*;
    use crate::archive::{Archive, GivenHead};
    use crate::limits::Limits;
    use crate::source::{Decoder, Encoding, LineCounter, read_and_mapped};

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
        [Limits::DEFAULT, Limits { game_bytes: 90, comment_bytes: 20, ..Limits::DEFAULT }]
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
    fn carriage_return_at_the_end_of_a_cut_record_ends_one_line() {
        // The record is cut between CR and LF. It is longer than a batch, so a batch without records follows.
        let limits = Limits { game_bytes: 90, ..Limits::DEFAULT };
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
}
