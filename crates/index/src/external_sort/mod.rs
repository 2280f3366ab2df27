//! Sorts any number of records by their keys, in bounded memory.
//!
//! Records are collected in memory. Whenever the limit is reached, they are sorted and written to a temporary file as a
//! *run*. In the end the runs are merged. If there are too many to be merged at once, several of them are merged to one first.
//! All runs of a pass are in one file, so that at most two files are open, however many runs there are. The files have
//! no names where the system allows it, and disappear with the process, however that ends.

use std::fmt;
use std::io::{self, BufWriter, SeekFrom, Write};
use std::iter::FusedIterator;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pdn::error::{Error, Result};
use pdn::internal::storage::{Disk, ScratchFile, Storage};
use pdn_rules::internal::steps;

/// Bytes of a run that are read at once, if the memory limit allows it.
const READ_BYTES: usize = 64 << 10;
/// Bytes of a run that are read at once at least, whatever the limit.
const MIN_READ_BYTES: usize = 1 << 10;
/// Largest number of runs that are merged at once.
const MAX_MERGED: usize = 512;

/// Collects records of a key and a payload, and returns them sorted by key.
///
/// Keys are compared byte by byte. Records with equal keys keep their order. O(n log n) comparisons. Each pass over
/// the temporary files reads and writes every record once. A limit of 64 MiB sorts some 60 GiB in one pass.
///
/// ```
/// use pdn_index::internal::external_sort::ExternalSort;
///
/// let mut sort = ExternalSort::new(std::env::temp_dir(), 64 << 20);
/// for (year, game) in [("1972", "b"), ("1950", "a"), ("1972", "c")] {
///     sort.push(year.as_bytes(), game.as_bytes())?;
/// }
/// let mut sorted = sort.finish()?;
/// let mut games = String::new();
/// while let Some(record) = sorted.next_record()? {
///     games.extend(record.payload.iter().copied().map(char::from));
/// }
/// assert_eq!(games, "abc");
/// # Ok::<(), pdn::Error>(())
/// ```
#[derive(Debug)]
pub struct ExternalSort {
    storage: Arc<dyn Storage>,
    folder: PathBuf,
    /// Limit in bytes.
    memory: usize,
    collected: Collected,
    runs: Option<RunFile>,
}

/// A record in sorted order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SortedRecord<'a> {
    /// What the records are sorted by.
    pub key: &'a [u8],
    /// The rest of the record.
    pub payload: &'a [u8],
}

impl ExternalSort {
    /// Creates a sort that uses about `memory` bytes, and temporary files in `folder` if the records are more. No file is
    /// created before it is needed. A single record that is longer than the limit still fits.
    pub fn new(folder: impl Into<PathBuf>, memory: usize) -> Self {
        Self::on(Arc::new(Disk), folder.into(), memory)
    }

    fn on(storage: Arc<dyn Storage>, folder: PathBuf, memory: usize) -> Self {
        // Offsets in memory have 32 bits.
        let memory = memory.clamp(1, u32::MAX as usize);
        Self { storage, folder, memory, collected: Collected::default(), runs: None }
    }

    /// Adds a record.
    ///
    /// # Errors
    /// If a temporary file cannot be created or written, and for a record of 4 GiB or more.
    pub fn push(&mut self, key: &[u8], payload: &[u8]) -> Result<()> {
        let added = MAX_HEADER + key.len() + payload.len();
        if added >= u32::MAX as usize {
            let error = io::Error::new(io::ErrorKind::InvalidInput, "a record to be sorted is too long");
            return Err(error.into());
        }
        if !self.collected.entries.is_empty() && self.collected.bytes() + ENTRY + added > self.memory {
            self.spill()?;
        }
        self.collected.push(key, payload, self.memory);
        Ok(())
    }

    /// Returns the records in the order of their keys.
    ///
    /// # Errors
    /// If a temporary file cannot be created, written or read.
    pub fn finish(mut self) -> Result<SortedRecords> {
        if self.runs.is_none() {
            self.collected.sort();
            let Self { folder, collected, .. } = self;
            return Ok(SortedRecords { folder, records: Records::Collected { collected, next: 0 } });
        }
        self.spill()?;
        self.collected = Collected::default();
        let merged = (|| {
            let mut runs = self.runs.take().unwrap_or_default();
            let most = (self.memory / READ_BYTES).clamp(2, MAX_MERGED);
            while runs.ranges.len() > most {
                runs = self.merge_pass(runs, most)?;
            }
            let ranges = std::mem::take(&mut runs.ranges);
            Merge::new(runs.file, ranges, self.memory)
        })();
        let merge = merged.map_err(|error| failed("read or written", &error, &self.folder))?;
        Ok(SortedRecords { folder: self.folder, records: Records::Merged(Box::new(merge)) })
    }

    /// Writes the collected records as a run.
    fn spill(&mut self) -> Result<()> {
        let Self { storage, folder, collected, runs, memory } = self;
        collected.sort();
        let written = (|| {
            let runs = match runs {
                Some(runs) => runs,
                None => runs.insert(RunFile::create(&**storage, folder)?),
            };
            let mut writer = runs.writer(*memory)?;
            for entry in &collected.entries {
                writer.write_all(collected.record(entry))?;
            }
            writer.flush()?;
            drop(writer);
            runs.end_run()
        })();
        collected.clear();
        written.map_err(|error| failed("written", &error, folder))
    }

    /// Merges each `most` consecutive runs to one, in a new file.
    fn merge_pass(&self, runs: RunFile, most: usize) -> io::Result<RunFile> {
        let mut out = RunFile::create(&*self.storage, &self.folder)?;
        let RunFile { mut file, ranges, .. } = runs;
        for merged in ranges.chunks(most) {
            let mut merge = Merge::new(file, merged.to_vec(), self.memory)?;
            let mut writer = out.writer(self.memory)?;
            while let Some(record) = merge.next()? {
                let mut header = Vec::with_capacity(MAX_HEADER);
                write_header(record.key.len(), record.payload.len(), &mut header);
                writer.write_all(&header)?;
                writer.write_all(record.key)?;
                writer.write_all(record.payload)?;
            }
            writer.flush()?;
            drop(writer);
            out.end_run()?;
            file = merge.file;
        }
        Ok(out)
    }
}

/// Returns an error that names the folder of the temporary files.
fn failed(what: &str, error: &io::Error, folder: &Path) -> Error {
    let message = format!("a temporary file for sorting cannot be {what}: {error}");
    Error::from(io::Error::new(error.kind(), message)).at(folder)
}

/// Bytes of an entry.
const ENTRY: usize = size_of::<Entry>();
/// Longest header of a record: two numbers of 32 bits, 7 bits in a byte.
const MAX_HEADER: usize = 10;

/// Records in memory.
#[derive(Default)]
struct Collected {
    /// The records as they are written: their header, key and payload.
    buffer: Vec<u8>,
    entries: Vec<Entry>,
}

/// The position of a record in memory and the beginning of its key.
#[derive(Clone, Copy)]
struct Entry {
    /// First eight bytes of the key as a big-endian number, with zeros after a shorter key. If two of them differ, they
    /// are in the order of their keys.
    prefix: u64,
    /// Offset of the key in the buffer.
    key: u32,
    key_len: u32,
    /// Offset of the record in the buffer. Grows with every record, so it keeps the order of equal keys.
    start: u32,
    /// Length of the record.
    len: u32,
}

impl fmt::Debug for Collected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} records", self.entries.len())
    }
}

impl Collected {
    /// Returns the bytes in use.
    fn bytes(&self) -> usize {
        self.buffer.len() + ENTRY * self.entries.len()
    }

    /// Adds a record. Allocates at most `memory` bytes ahead.
    fn push(&mut self, key: &[u8], payload: &[u8], memory: usize) {
        let start = self.buffer.len();
        let needed = start + MAX_HEADER + key.len() + payload.len();
        if needed > self.buffer.capacity() {
            // Doubling as usual, but not beyond the limit, which is reached before.
            let wanted = (2 * self.buffer.capacity()).min(memory).max(needed);
            self.buffer.reserve_exact(wanted - start);
        }
        write_header(key.len(), payload.len(), &mut self.buffer);
        let key_start = self.buffer.len();
        self.buffer.extend_from_slice(key);
        self.buffer.extend_from_slice(payload);
        let mut prefix = [0; 8];
        let known = key.len().min(8);
        prefix[..known].copy_from_slice(&key[..known]);
        self.entries.push(Entry {
            prefix: u64::from_be_bytes(prefix),
            key: key_start as u32,
            key_len: key.len() as u32,
            start: start as u32,
            len: (self.buffer.len() - start) as u32,
        });
    }

    fn key(&self, entry: &Entry) -> &[u8] {
        &self.buffer[entry.key as usize..][..entry.key_len as usize]
    }

    /// Returns a record with its header.
    fn record(&self, entry: &Entry) -> &[u8] {
        &self.buffer[entry.start as usize..][..entry.len as usize]
    }

    fn sort(&mut self) {
        steps::add(self.entries.len());
        let mut entries = std::mem::take(&mut self.entries);
        entries.sort_unstable_by(|a, b| {
            let by_prefix = a.prefix.cmp(&b.prefix);
            by_prefix.then_with(|| self.key(a).cmp(self.key(b))).then(a.start.cmp(&b.start))
        });
        self.entries = entries;
    }

    /// Removes all records and keeps the memory.
    fn clear(&mut self) {
        self.buffer.clear();
        self.entries.clear();
    }
}

/// Appends the header of a record: the lengths of key and payload, 7 bits in a byte, the lowest first.
fn write_header(key: usize, payload: usize, out: &mut Vec<u8>) {
    for mut number in [key, payload] {
        while number >= 128 {
            out.push(number as u8 | 128);
            number >>= 7;
        }
        out.push(number as u8);
    }
}

/// Returns the lengths of key and payload and that of the header; `None` if the bytes end before it does.
fn read_header(bytes: &[u8]) -> Option<(usize, usize, usize)> {
    let mut at = 0;
    let mut number = || {
        let (mut number, mut shift) = (0u64, 0);
        loop {
            let byte = *bytes.get(at)?;
            at += 1;
            number |= u64::from(byte & 127) << shift;
            shift += 7;
            // More than five bytes do not occur.
            if byte < 128 || shift > 28 {
                return usize::try_from(number).ok();
            }
        }
    };
    let (key, payload) = (number()?, number()?);
    Some((key, payload, at))
}

/// Runs of sorted records, one after the other in a temporary file.
struct RunFile {
    file: Box<dyn ScratchFile>,
    ranges: Vec<Range<u64>>,
}

impl Default for RunFile {
    /// Returns a file without runs that is not on any disk.
    fn default() -> Self {
        Self { file: Box::new(io::Cursor::new(Vec::new())), ranges: Vec::new() }
    }
}

impl fmt::Debug for RunFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} runs", self.ranges.len())
    }
}

impl RunFile {
    fn create(storage: &dyn Storage, folder: &Path) -> io::Result<Self> {
        Ok(Self { file: storage.create_scratch(folder)?, ranges: Vec::new() })
    }

    /// Returns a writer at the end of the file.
    fn writer(&mut self, memory: usize) -> io::Result<BufWriter<&mut Box<dyn ScratchFile>>> {
        self.file.seek(SeekFrom::End(0))?;
        Ok(BufWriter::with_capacity((memory / 8).clamp(MIN_READ_BYTES, 4 * READ_BYTES), &mut self.file))
    }

    /// Ends a run at the end of the file.
    fn end_run(&mut self) -> io::Result<()> {
        let start = self.ranges.last().map_or(0, |before| before.end);
        let end = self.file.seek(SeekFrom::End(0))?;
        self.ranges.push(start..end);
        Ok(())
    }
}

/// Records in the order of their keys; see [`ExternalSort::finish`].
///
/// [`next_record`](Self::next_record) lends each record without an allocation; the iterator owns them.
#[derive(Debug)]
pub struct SortedRecords {
    folder: PathBuf,
    records: Records,
}

/// Where sorted records are.
#[derive(Debug)]
enum Records {
    /// All of them in memory; `next` is the number of the next one.
    Collected {
        collected: Collected,
        next: usize,
    },
    Merged(Box<Merge>),
    /// After an error.
    Failed,
}

impl SortedRecords {
    /// Returns the next record; `None` after the last one, and after an error.
    ///
    /// # Errors
    /// If a temporary file cannot be read.
    pub fn next_record(&mut self) -> Result<Option<SortedRecord<'_>>> {
        // A merge that has failed is not asked again, or what it has read would look complete.
        if let Records::Merged(merge) = &mut self.records
            && let Err(error) = merge.step()
        {
            self.records = Records::Failed;
            return Err(failed("read", &error, &self.folder));
        }
        Ok(match &mut self.records {
            Records::Collected { collected, next } => {
                let Some(entry) = collected.entries.get(*next).copied() else { return Ok(None) };
                *next += 1;
                let key = entry.key as usize;
                let payload = key + entry.key_len as usize;
                let end = (entry.start + entry.len) as usize;
                let collected = &*collected;
                Some(SortedRecord {
                    key: &collected.buffer[key..payload],
                    payload: &collected.buffer[payload..end],
                })
            }
            Records::Merged(merge) => merge.current(),
            Records::Failed => None,
        })
    }
}

impl Iterator for SortedRecords {
    /// Key and payload.
    type Item = Result<(Vec<u8>, Vec<u8>)>;

    fn next(&mut self) -> Option<Self::Item> {
        let record = self.next_record().transpose()?;
        Some(record.map(|record| (record.key.to_vec(), record.payload.to_vec())))
    }
}

impl FusedIterator for SortedRecords {}

/// Merges runs.
struct Merge {
    file: Box<dyn ScratchFile>,
    runs: Vec<RunReader>,
    /// Numbers of the runs that have a record, as a heap with the least record first.
    heap: Vec<usize>,
    /// The first record has been lent and is passed at the next step.
    is_lent: bool,
}

impl fmt::Debug for Merge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} runs", self.heap.len(), self.runs.len())
    }
}

impl Merge {
    fn new(file: Box<dyn ScratchFile>, ranges: Vec<Range<u64>>, memory: usize) -> io::Result<Self> {
        let bytes = (memory / (ranges.len() + 1)).clamp(MIN_READ_BYTES, 1 << 20);
        let runs = ranges.iter().map(|range| RunReader::new(range.clone(), bytes)).collect();
        let heap = Vec::with_capacity(ranges.len());
        let mut merge = Self { file, runs, heap, is_lent: false };
        for run in 0..merge.runs.len() {
            if merge.runs[run].advance(&mut *merge.file)? {
                merge.heap.push(run);
            }
        }
        for at in (0..merge.heap.len() / 2).rev() {
            merge.sift_down(at);
        }
        Ok(merge)
    }

    /// Passes the record that was lent.
    fn step(&mut self) -> io::Result<()> {
        if !std::mem::replace(&mut self.is_lent, true) {
            return Ok(());
        }
        let Some(&first) = self.heap.first() else { return Ok(()) };
        if !self.runs[first].advance(&mut *self.file)? {
            self.heap.swap_remove(0);
        }
        self.sift_down(0);
        Ok(())
    }

    /// Returns the least record; `None` after the last one.
    fn current(&self) -> Option<SortedRecord<'_>> {
        self.heap.first().map(|&run| self.runs[run].record())
    }

    fn next(&mut self) -> io::Result<Option<SortedRecord<'_>>> {
        self.step()?;
        Ok(self.current())
    }

    /// Restores the order of the heap after its entry `at` has changed.
    fn sift_down(&mut self, mut at: usize) {
        steps::add(1);
        // Equal keys come in the order of their runs.
        let is_less = |runs: &[RunReader], a: usize, b: usize| {
            let by_prefix = runs[a].prefix.cmp(&runs[b].prefix);
            by_prefix.then_with(|| runs[a].record().key.cmp(runs[b].record().key)).then(a.cmp(&b)).is_lt()
        };
        loop {
            let mut least = at;
            for child in [2 * at + 1, 2 * at + 2] {
                if child < self.heap.len() && is_less(&self.runs, self.heap[child], self.heap[least]) {
                    least = child;
                }
            }
            if least == at {
                return;
            }
            self.heap.swap(at, least);
            at = least;
        }
    }
}

/// Reads a run.
struct RunReader {
    /// The part of the file that has not been read.
    unread: Range<u64>,
    /// Bytes that are read at once.
    bytes: usize,
    buffer: Vec<u8>,
    /// The key and the payload of the current record in the buffer.
    key: Range<usize>,
    payload: Range<usize>,
    /// As in [`Entry`].
    prefix: u64,
}

impl RunReader {
    fn new(unread: Range<u64>, bytes: usize) -> Self {
        Self { unread, bytes, buffer: Vec::new(), key: 0..0, payload: 0..0, prefix: 0 }
    }

    fn record(&self) -> SortedRecord<'_> {
        SortedRecord { key: &self.buffer[self.key.clone()], payload: &self.buffer[self.payload.clone()] }
    }

    /// Goes to the next record. Returns `false` if there is none.
    fn advance(&mut self, file: &mut dyn ScratchFile) -> io::Result<bool> {
        let start = self.payload.end;
        let rest = &self.buffer[start..];
        if rest.is_empty() && self.unread.is_empty() {
            return Ok(false);
        }
        let known = read_header(rest).filter(|(key, payload, header)| header + key + payload <= rest.len());
        let (key, payload, header, start) = match known {
            Some((key, payload, header)) => (key, payload, header, start),
            None => {
                self.buffer.drain(..start);
                self.fill(file, self.bytes)?;
                let truncated = || io::Error::new(io::ErrorKind::InvalidData, "it was changed meanwhile");
                let (key, payload, header) = read_header(&self.buffer).ok_or_else(truncated)?;
                let needed = header + key + payload;
                self.fill(file, needed)?;
                if self.buffer.len() < needed {
                    return Err(truncated());
                }
                (key, payload, header, 0)
            }
        };
        let key_start = start + header;
        self.key = key_start..key_start + key;
        self.payload = self.key.end..self.key.end + payload;
        let mut prefix = [0; 8];
        let len = key.min(8);
        prefix[..len].copy_from_slice(&self.buffer[key_start..key_start + len]);
        self.prefix = u64::from_be_bytes(prefix);
        Ok(true)
    }

    /// Reads until the buffer has `wanted` bytes, or to the end of the run.
    fn fill(&mut self, file: &mut dyn ScratchFile, wanted: usize) -> io::Result<()> {
        let before = self.buffer.len();
        let left = usize::try_from(self.unread.end - self.unread.start).unwrap_or(usize::MAX);
        let missing = wanted.saturating_sub(before).min(left);
        if missing == 0 {
            return Ok(());
        }
        file.seek(SeekFrom::Start(self.unread.start))?;
        self.buffer.resize(before + missing, 0);
        file.read_exact(&mut self.buffer[before..])?;
        self.unread.start += missing as u64;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
