//! Compares an index with its archives: fingerprints of the files, and checksums of the records.

use std::fs::{self, File};
use std::io;
use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};

use super::report::{VerifyReport, Work};
use super::sections::{OpenedIndex, OpenedSegment};
use crate::format::columns::Section;
use crate::format::end_offsets::BLOCK;
use crate::format::section::{Checksum, xxh3};
use crate::row::input::IndexedInput;
use crate::segment::reader::{RecordLocation, Segment};
use pdn::error::{Error, ErrorKind, Result};
use pdn::internal::pool;
use pdn::internal::source::read_at;

/// Checksum blocks that a thread verifies at a time: up to 512 games.
const BLOCKS: usize = 16;

/// Longest sequence of records that is read at once, in bytes. A longer record is read in parts of this length.
const WINDOW: u64 = 1 << 20;

/// Compares the fingerprints of all inputs with their files.
///
/// # Errors
/// Fails if `work` is broken off.
pub(super) fn check_fingerprints(
    inputs: &[IndexedInput],
    threads: NonZeroUsize,
    report: &mut VerifyReport,
    work: &mut Work<'_>,
) -> Result<()> {
    let mut result = Ok(());
    pool::ordered(
        inputs.iter().filter(|input| !input.is_retired),
        threads,
        || (),
        |(), input| (input, input.check()),
        |(input, checked)| {
            if let Err(error) = checked {
                report.add_archive(path_of(input), problem_of(&error));
            } else if input.is_incomplete {
                let problem = "a part of it could not be read when it was indexed";
                report.add_archive(path_of(input), problem.to_owned());
            }
            result = work.add(0);
            if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        },
    );
    result
}

/// Compares all records with their checksums. Inputs that cannot be read again, such as streams, are left out unless
/// their records are embedded.
///
/// # Errors
/// Fails if an index file cannot be read, and if `work` is broken off.
pub(super) fn check_texts(
    index: &OpenedIndex,
    threads: NonZeroUsize,
    report: &mut VerifyReport,
    work: &mut Work<'_>,
) -> Result<()> {
    for opened in &index.segments {
        let texts = SegmentTexts { opened, inputs: &index.manifest.inputs };
        let segment = &opened.segment;
        let parts = Parts { segment, next: 0 };
        let mut result = Ok(());
        pool::ordered(
            parts,
            threads,
            Reader::default,
            |reader, part| part.and_then(|blocks| texts.check(&blocks, reader)),
            |checked| {
                result = match checked {
                    Ok((bytes, problems)) => {
                        for problem in problems {
                            match problem {
                                TextProblem::Index(section, problem) => {
                                    report.add(segment.path(), section.name(), problem);
                                }
                                TextProblem::Archive(path, problem) => report.add_archive(&path, problem),
                            }
                        }
                        work.add(bytes)
                    }
                    Err(error) => report.add_error(segment.path(), error),
                };
                if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            },
        );
        result?;
    }
    Ok(())
}

/// Returns the path of an input for messages.
fn path_of(input: &IndexedInput) -> &Path {
    input.path.as_deref().unwrap_or(&input.name)
}

/// Returns what is wrong with an archive.
fn problem_of(error: &Error) -> String {
    match error.kind() {
        ErrorKind::ArchiveChanged(problem) => (*problem).to_owned(),
        ErrorKind::Io(cause) if cause.kind() == io::ErrorKind::NotFound => "it is no longer there".to_owned(),
        ErrorKind::Io(cause) => format!("it cannot be read: {cause}"),
        kind => kind.to_string(),
    }
}

/// The games of a checksum block, and the checksum of their records.
type TextBlock = (Range<usize>, u64);

/// Iterator over the checksum blocks of a segment, some at a time.
struct Parts<'a> {
    segment: &'a Segment,
    /// First game of the next block.
    next: usize,
}

impl Iterator for Parts<'_> {
    type Item = Result<Vec<TextBlock>>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut blocks = Vec::with_capacity(BLOCKS);
        while blocks.len() < BLOCKS && self.next < self.segment.len() {
            match self.segment.text_checksum_block(self.next) {
                Ok(block) => {
                    self.next = block.0.end.max(self.next + 1);
                    blocks.push(block);
                }
                Err(error) => {
                    // Without its blocks, the rest of the segment cannot be compared.
                    self.next = self.segment.len();
                    return Some(Err(error));
                }
            }
        }
        (!blocks.is_empty()).then_some(Ok(blocks))
    }
}

/// What is wrong with a record.
enum TextProblem {
    Index(Section, &'static str),
    Archive(PathBuf, String),
}

/// Working memory of a thread: the file that was read last, and a buffer.
#[derive(Default)]
struct Reader {
    file: Option<(PathBuf, File)>,
    buffer: Vec<u8>,
}

impl Reader {
    /// Makes `path` the open file.
    fn open(&mut self, path: &Path) -> io::Result<&File> {
        if self.file.as_ref().is_none_or(|(open, _)| open != path) {
            if fs::metadata(path)?.is_dir() {
                return Err(io::ErrorKind::IsADirectory.into());
            }
            self.file = Some((path.to_owned(), File::open(path)?));
        }
        self.file.as_ref().map(|(_, file)| file).ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    /// Returns the checksum of a part of a file, which is read in windows.
    fn checksum(&mut self, path: &Path, offset: u64, len: u64) -> io::Result<u64> {
        let mut buffer = std::mem::take(&mut self.buffer);
        let file = self.open(path)?;
        let mut checksum = Checksum::default();
        for start in (0..len).step_by(WINDOW as usize) {
            buffer.resize(WINDOW.min(len - start) as usize, 0);
            read_exactly(file, offset + start, &mut buffer)?;
            checksum.update(&buffer);
        }
        self.buffer = buffer;
        Ok(checksum.digest())
    }
}

/// Reads exactly `bytes.len()` bytes at `offset`.
fn read_exactly(file: &File, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
    if read_at(file, offset, bytes)? {
        return Ok(());
    }
    // Systems without positioned reads: the cursor belongs to one thread at a time, since each thread opens the file.
    use std::io::{Read, Seek, SeekFrom};
    let mut file = file;
    file.seek(SeekFrom::Start(offset))?;
    file.read_exact(bytes)
}

/// The records of a segment.
struct SegmentTexts<'a> {
    opened: &'a OpenedSegment,
    inputs: &'a [IndexedInput],
}

impl SegmentTexts<'_> {
    /// Verifies some consecutive checksum blocks. Returns the bytes of their records, and the problems.
    ///
    /// # Errors
    /// Fails if a section of the index is damaged or cannot be read.
    fn check(&self, blocks: &[TextBlock], reader: &mut Reader) -> Result<(u64, Vec<TextProblem>)> {
        let segment = &self.opened.segment;
        let (Some((first, _)), Some((last, _))) = (blocks.first(), blocks.last()) else {
            return Ok((0, Vec::new()));
        };
        let ends = segment.end_offsets(Section::TextEnds)?;
        let range = |game: usize| ends.get(game).ok_or_else(|| segment.malformed(Section::TextEnds));
        let bytes = range(first.start)?.start..range(last.end - 1)?.end;
        let mut problems = Vec::new();
        // The records of some blocks are unpacked together: blocks of compressed text are longer than these.
        let embedded = if bytes.end - bytes.start <= 64 * WINDOW {
            segment.embedded_range(bytes.clone())
        } else {
            Ok(None)
        };
        let embedded = match embedded {
            Ok(text) => text,
            Err(_) => {
                problems.push(TextProblem::Index(Section::Text, "it cannot be unpacked"));
                return Ok((bytes.end - bytes.start, problems));
            }
        };
        for (games, checksum) in blocks {
            let mut sums = [0; BLOCK];
            let sums = &mut sums[..games.len().min(BLOCK)];
            if segment.has(Section::Text) {
                for (game, sum) in games.clone().zip(&mut *sums) {
                    let own = range(game)?;
                    *sum = match &embedded {
                        Some(text) => {
                            let own = (own.start - bytes.start) as usize..(own.end - bytes.start) as usize;
                            text.get(own).map_or(0, xxh3)
                        }
                        None => segment.embedded_range(own)?.as_deref().map_or(0, xxh3),
                    };
                }
                if segment.combined_checksum(sums) != *checksum {
                    problems.push(TextProblem::Index(Section::Text, "its checksum does not match"));
                }
                continue;
            }
            let Some(input) = self.archive_sums(games.clone(), sums, reader)? else { continue };
            match input {
                (_, Ok(())) if segment.combined_checksum(sums) == *checksum => {}
                (input, Ok(())) => {
                    let problem = "the text of a game differs".to_owned();
                    problems.push(TextProblem::Archive(path_of(input).to_owned(), problem));
                }
                (input, Err(error)) => {
                    let problem = match error.kind() {
                        io::ErrorKind::UnexpectedEof => "it is shorter".to_owned(),
                        io::ErrorKind::IsADirectory => "it is a folder now".to_owned(),
                        _ => problem_of(&Error::from(error)),
                    };
                    problems.push(TextProblem::Archive(path_of(input).to_owned(), problem));
                }
            }
        }
        Ok((bytes.end - bytes.start, problems))
    }

    /// Computes the checksums of records in their archives. Returns the input that was read last, and the error of
    /// reading it; `None` if an input cannot be read again.
    fn archive_sums(
        &self,
        games: Range<usize>,
        sums: &mut [u64],
        reader: &mut Reader,
    ) -> Result<Option<(&IndexedInput, io::Result<()>)>> {
        let segment = &self.opened.segment;
        let mut locations = Vec::with_capacity(games.len());
        for game in games {
            let missing = || segment.malformed(Section::TextEnds);
            locations.push(segment.location(game)?.ok_or_else(missing)?);
        }
        let mut start = 0;
        let mut last = None;
        while let Some(first) = locations.get(start) {
            let input =
                self.inputs.get(first.input as usize).ok_or_else(|| segment.malformed(Section::Runs))?;
            // The records of a retired input may be anything by now.
            let is_readable = input.has_file_offsets && !input.is_retired;
            let Some(path) = input.path.as_deref().filter(|_| is_readable) else { return Ok(None) };
            let end = start + adjacent(&locations[start..]);
            let read = read_sums(path, &locations[start..end], &mut sums[start..end], reader);
            if read.is_err() {
                return Ok(Some((input, read)));
            }
            (start, last) = (end, Some((input, Ok(()))));
        }
        Ok(last)
    }
}

/// Returns how many of the records, at least one, follow each other in one input and fit in a window.
fn adjacent(locations: &[RecordLocation]) -> usize {
    let mut len = locations[0].len;
    let more = locations.windows(2).take_while(|pair| {
        len = len.saturating_add(pair[1].len);
        let end = pair[0].offset.checked_add(pair[0].len);
        pair[0].input == pair[1].input && end == Some(pair[1].offset) && len <= WINDOW
    });
    1 + more.count()
}

/// Reads records that follow each other, and computes the checksum of each.
fn read_sums(
    path: &Path,
    records: &[RecordLocation],
    sums: &mut [u64],
    reader: &mut Reader,
) -> io::Result<()> {
    let (Some(first), Some(last)) = (records.first(), records.last()) else { return Ok(()) };
    let eof = || io::Error::from(io::ErrorKind::UnexpectedEof);
    let end = last.offset.checked_add(last.len).ok_or_else(eof)?;
    let len = end - first.offset;
    if len > WINDOW {
        // A single record, as `adjacent` says. A damaged length ends at the end of the file.
        sums[0] = reader.checksum(path, first.offset, len)?;
        return Ok(());
    }
    let mut buffer = std::mem::take(&mut reader.buffer);
    buffer.resize(len as usize, 0);
    read_exactly(reader.open(path)?, first.offset, &mut buffer)?;
    let mut rest = buffer.as_slice();
    for (record, sum) in records.iter().zip(sums) {
        let (text, later) = rest.split_at_checked(record.len as usize).ok_or_else(eof)?;
        (*sum, rest) = (xxh3(text), later);
    }
    reader.buffer = buffer;
    Ok(())
}
