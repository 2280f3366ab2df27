//! Divides a file into parts that can be read alone: on several threads, in several processes or on several machines.

use std::fs;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;

use super::Archive;
use super::boundaries::pass_boundaries;
use super::record_range::{RecordRange, part_error};
use crate::error::{Error, ErrorKind, Result};
use crate::source::{self, Inputs, OpenOptions};

/// Divides a file into at most `n` ranges of records, of about the same length.
///
/// The ranges join to the whole file, and each has at least one record, unless the file is empty. There are fewer than
/// `n` if records are longer than a range would be, or do not begin at the start of a line (after LF or CRLF). A packed
/// file and one in UTF-16 is one range without an end.
///
/// The records are those that a reader of the whole file finds: the file is split once, on `threads` threads.
///
/// ```
/// # fn main() -> pdn::Result<()> {
/// use std::num::NonZeroUsize;
/// use pdn::archive;
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
/// As [`Archive::open`]; or the path leads to a stream, which can be read only once, or to a binary file.
pub fn ranges(
    path: impl AsRef<Path>,
    n: NonZeroUsize,
    options: &OpenOptions,
    threads: NonZeroUsize,
) -> Result<Vec<RecordRange>> {
    let path = path.as_ref();
    let (inputs, file_len) = open_file(path, options)?;
    if let Some(len) = inputs.divisible_len() {
        return divide(Archive::new(inputs, options), len, n, threads);
    }
    Ok(vec![RecordRange::undivided(file_len)])
}

/// Divides an archive of one input of `len` bytes.
fn divide(archive: Archive, len: u64, n: NonZeroUsize, threads: NonZeroUsize) -> Result<Vec<RecordRange>> {
    let n = n.get() as u128;
    // The number of equal ranges that end before a boundary. One boundary is taken for each that this number reaches.
    let target = |end: u64| u128::from(end) * n / u128::from(len.max(1));
    let mut reached = 0;
    let mut ranges = vec![RecordRange::new(0, Some(len), 0, 1, len)];
    let is_wanted = |before: Option<u64>, end: u64| before.is_none_or(|before| target(before) < target(end));
    pass_boundaries(archive, threads, is_wanted, |boundary| {
        if boundary.end < len && target(boundary.end) > reached {
            reached = target(boundary.end);
            if let Some(before) = ranges.last_mut() {
                before.end = Some(boundary.end);
            }
            ranges.push(RecordRange::new(boundary.end, Some(len), boundary.first, boundary.line, len));
        }
        ControlFlow::Continue(())
    })?;
    Ok(ranges)
}

/// Opens a file; also returns its length on disk.
fn open_file(path: &Path, options: &OpenOptions) -> Result<(Inputs, u64)> {
    let metadata = fs::metadata(path).map_err(|error| Error::from(error).at(path))?;
    if metadata.is_dir() {
        return Err(Error::new(ErrorKind::IsDirectory).at(path));
    }
    if !metadata.is_file() {
        return Err(part_error(path, "is a stream, which has no parts; give a file".to_owned()));
    }
    Ok((source::open(path, options)?, metadata.len()))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use proptest::prelude::*;
    use tempfile::NamedTempFile;

    use super::*;
    use crate::archive::GivenHead;
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

    /// Compares the records of all parts with those of the whole, mapped and streamed, for several numbers of parts.
    #[track_caller]
    fn check(text: &[u8], limits: Limits, batch_bytes: usize) {
        let (file, three) = (file(text), NonZeroUsize::new(3).unwrap());
        for options in read_and_mapped() {
            let open =
                || Archive::open_with(file.path(), &options).unwrap().limits(limits).batch_bytes(batch_bytes);
            let (whole, decoder) = records(open(), 1);
            // Each part of a short file reads the whole file.
            let most = if text.len() > 20_000 { 9 } else { 100_000 };
            for n in [1, 2, most] {
                let n = NonZeroUsize::new(n).unwrap();
                let ranges = divide(open(), text.len() as u64, n, three).unwrap();
                assert!(ranges.len() <= n.get());
                assert_eq!(ranges.first().map(|range| range.start), Some(0));
                assert_eq!(ranges.last().and_then(|range| range.end), Some(text.len() as u64));
                assert!(ranges.windows(2).all(|pair| pair[0].end == Some(pair[1].start)), "{ranges:?}");
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
