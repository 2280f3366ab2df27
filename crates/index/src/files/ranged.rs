//! Files that are read by ranges, in pages that stay in memory.

use std::fmt;
use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Bytes of a page: what is kept, and what is read at least where many parts are fetched together. Most of these are shorter still.
pub(crate) const PAGE: u64 = 1 << 10;

/// The number of pages that are read at least where one part is asked for.
const AHEAD: u64 = (16 << 10) / PAGE;

/// The greatest number of pages that are read at once because the last reads followed each other.
const MAX_AHEAD: u64 = (1 << 20) / PAGE;

/// The greatest number of pages between two parts that are fetched in one request.
const MAX_GAP: u64 = (8 << 10) / PAGE;

/// The greatest length of a file in bytes: far more than a segment of a million games has.
const MAX_LEN: u64 = 16 << 30;

/// The greatest number of parts that are known to be read in order: more than a row has columns.
const RUNS: usize = 48;

/// Bytes from which a range is read by itself, and no page of it kept: it is a whole section.
const LARGE: u64 = 256 << 10;

/// The files of an index wherever they are: on a web server, in an archive, behind a cache.
///
/// A file must not change as long as an index reads it.
pub trait RangeSource: fmt::Debug + Send + Sync {
    /// Returns the length of a file in bytes; `None` if there is no file of this name.
    ///
    /// # Errors
    /// If the length cannot be found out.
    fn len(&self, file: &str) -> io::Result<Option<u64>>;

    /// Fills `into` with the bytes of a file from `offset` on. All of them are in the file.
    ///
    /// # Errors
    /// If they cannot be read, all of them.
    fn read(&self, file: &str, offset: u64, into: &mut [u8]) -> io::Result<()>;

    /// Learns which parts of a file will be read next, one after the other, so that it can fetch them together. By default it does nothing.
    ///
    /// # Errors
    /// If the question has to be asked again when they are there. What was read stays.
    fn expect(&self, file: &str, parts: &[Range<u64>]) -> io::Result<()> {
        let _ = (file, parts);
        Ok(())
    }
}

/// The files of a [`RangeSource`], and what reading them failed with.
#[derive(Debug)]
pub(crate) struct RangedFiles {
    source: Box<dyn RangeSource>,
    has_failed: AtomicBool,
    /// The first failure.
    failure: Mutex<Option<io::Error>>,
}

impl RangedFiles {
    pub(crate) fn new(source: Box<dyn RangeSource>) -> Self {
        Self { source, has_failed: AtomicBool::new(false), failure: Mutex::default() }
    }

    /// Returns and forgets the first failure since the last call. Until then no other byte is read after a failure.
    pub(crate) fn take_failure(&self) -> Option<io::Error> {
        let failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner).take();
        self.has_failed.store(false, Ordering::Release);
        failure
    }

    /// Returns what `read` returns, and keeps the first failure.
    fn checked<T>(&self, read: impl FnOnce(&dyn RangeSource) -> io::Result<T>) -> io::Result<T> {
        if self.has_failed.load(Ordering::Acquire) {
            return Err(io::Error::other("an earlier part could not be read"));
        }
        read(&*self.source).inspect_err(|error| {
            let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
            failure.get_or_insert_with(|| io::Error::new(error.kind(), error.to_string()));
            self.has_failed.store(true, Ordering::Release);
        })
    }
}

/// A file that is read by ranges.
///
/// What was read stays in memory, so that it can be borrowed: pages of [`PAGE`] bytes, and joined copies of ranges that are
/// not within one page.
pub(crate) struct RangedFile {
    files: Arc<RangedFiles>,
    name: String,
    len: u64,
    pages: Box<[OnceLock<Box<[u8]>>]>,
    /// Ranges that begin in each page and end in another.
    joined: Box<[OnceLock<Box<Joined>>]>,
    /// Parts of the file that are read in order, such as several sections in turn.
    runs: Mutex<Runs>,
}

/// The last reads of pages that may go on.
struct Runs {
    /// For each of them the page after its last one, and the number of pages that it has read at once.
    runs: [(u64, u64); RUNS],
    /// The run that is given up next.
    oldest: usize,
}

impl Default for Runs {
    fn default() -> Self {
        Self { runs: [(0, 0); RUNS], oldest: 0 }
    }
}

impl Runs {
    /// Returns how many pages to read from a page on: twice as many as the last time if they follow those.
    fn ahead(&mut self, page: u64) -> u64 {
        let found = self.runs.iter().position(|&(next, ahead)| next == page && ahead > 0);
        let run = found.unwrap_or_else(|| {
            self.oldest = (self.oldest + 1) % self.runs.len();
            self.oldest
        });
        let ahead = if found.is_some() { (self.runs[run].1 * 2).min(MAX_AHEAD) } else { AHEAD };
        self.runs[run] = (page + ahead, ahead);
        ahead
    }
}

/// Bytes of several pages, and the next one that begins in the same page.
struct Joined {
    start: u64,
    bytes: Box<[u8]>,
    next: OnceLock<Box<Self>>,
}

impl fmt::Debug for RangedFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RangedFile").field("name", &self.name).field("len", &self.len).finish_non_exhaustive()
    }
}

impl RangedFile {
    /// Opens a file; `None` if there is none. Reads nothing of it.
    ///
    /// # Errors
    /// What the source fails with, and if the file is too large for the memory of this system.
    pub(super) fn open(files: &Arc<RangedFiles>, name: &str) -> io::Result<Option<Self>> {
        let Some(len) = files.checked(|source| source.len(name))? else { return Ok(None) };
        if len > MAX_LEN || isize::try_from(len).is_err() {
            return files.checked(|_| Err(io::Error::other(format!("{name} is too large: {len} bytes"))));
        }
        let count = len.div_ceil(PAGE);
        Ok(Some(Self {
            files: Arc::clone(files),
            name: name.to_owned(),
            len,
            pages: (0..count).map(|_| OnceLock::new()).collect(),
            joined: (0..count).map(|_| OnceLock::new()).collect(),
            runs: Mutex::default(),
        }))
    }

    /// Returns the name of the file.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Returns the number of bytes.
    pub(super) fn len(&self) -> u64 {
        self.len
    }

    /// Returns some bytes; empty if they are not all in the file.
    ///
    /// # Errors
    /// If they cannot be read.
    // Twin: the file mapped as a whole; test: `answers_by_ranges_equal_those_of_the_index_in_a_folder`.
    pub(super) fn get(&self, range: Range<u64>) -> io::Result<&[u8]> {
        if range.start >= range.end || range.end > self.len {
            return Ok(&[]);
        }
        let (first, last) = (range.start / PAGE, (range.end - 1) / PAGE);
        if first == last {
            let page = self.page(first)?;
            let start = (range.start % PAGE) as usize;
            return Ok(page.get(start..start + (range.end - range.start) as usize).unwrap_or(&[]));
        }
        let len = usize::try_from(range.end - range.start).map_err(io::Error::other)?;
        let mut slot = &self.joined[first as usize];
        while let Some(joined) = slot.get() {
            if joined.start == range.start && joined.bytes.len() >= len {
                return Ok(&joined.bytes[..len]);
            }
            slot = &joined.next;
        }
        let bytes = if range.end - range.start >= LARGE { self.read(&range)? } else { self.join(&range)? };
        let mut new = Box::new(Joined { start: range.start, bytes, next: OnceLock::new() });
        loop {
            // Another thread may have added the same range meanwhile; then it is there twice.
            match slot.set(new) {
                Ok(()) => break,
                Err(back) => new = back,
            }
            if let Some(joined) = slot.get() {
                slot = &joined.next;
            }
        }
        Ok(slot.get().map_or(&[], |joined| &joined.bytes[..len]))
    }

    /// Reads parts of the file, of which many will be asked for: those near each other in one request, and the others together if the source
    /// can do that.
    ///
    /// # Errors
    /// If they cannot be read, or the question has to be asked again.
    pub(super) fn fetch(&self, parts: &[Range<u64>]) -> io::Result<()> {
        let in_file = parts.iter().filter(|part| part.start < part.end && part.end <= self.len);
        let pages = in_file.flat_map(|part| part.start / PAGE..=(part.end - 1) / PAGE);
        let mut missing: Vec<u64> = pages.filter(|&page| self.pages[page as usize].get().is_none()).collect();
        missing.sort_unstable();
        missing.dedup();
        let mut runs: Vec<Range<u64>> = Vec::new();
        for page in missing {
            match runs.last_mut() {
                Some(run) if page <= run.end + MAX_GAP => run.end = page + 1,
                _ => runs.push(page..page + 1),
            }
        }
        if runs.len() > 1 {
            let bytes = |run: &Range<u64>| run.start * PAGE..(run.end * PAGE).min(self.len);
            self.files.source.expect(&self.name, &runs.iter().map(bytes).collect::<Vec<_>>())?;
        }
        runs.into_iter().try_for_each(|run| self.read_pages(run.start, run.end - run.start))
    }

    /// Reads a range of the file.
    fn read(&self, range: &Range<u64>) -> io::Result<Box<[u8]>> {
        let len = usize::try_from(range.end - range.start).map_err(io::Error::other)?;
        let mut bytes = vec![0; len].into_boxed_slice();
        self.files.checked(|source| source.read(&self.name, range.start, &mut bytes))?;
        Ok(bytes)
    }

    /// Returns a range of several pages, which are read where they are missing, neighbours at once.
    fn join(&self, range: &Range<u64>) -> io::Result<Box<[u8]>> {
        let (first, last) = (range.start / PAGE, (range.end - 1) / PAGE);
        let mut page = first;
        while page <= last {
            let missing = (page..=last).take_while(|&page| self.pages[page as usize].get().is_none()).count();
            match missing {
                0 => {}
                // It may be the next one of those that are read in order.
                1 => _ = self.page(page)?,
                _ => self.read_pages(page, missing as u64)?,
            }
            page += missing.max(1) as u64;
        }
        let mut bytes = Vec::with_capacity((range.end - range.start) as usize);
        for page in first..=last {
            let start = page * PAGE;
            let (from, to) = (range.start.max(start) - start, range.end.min(start + PAGE) - start);
            bytes.extend_from_slice(self.page(page)?.get(from as usize..to as usize).unwrap_or(&[]));
        }
        Ok(bytes.into_boxed_slice())
    }

    /// Returns a page. Reads more than it if one of the last reads came just before it.
    fn page(&self, page: u64) -> io::Result<&[u8]> {
        let slot = &self.pages[page as usize];
        if let Some(bytes) = slot.get() {
            return Ok(bytes);
        }
        let ahead = self.runs.lock().unwrap_or_else(PoisonError::into_inner).ahead(page);
        let is_missing = |page: &u64| self.pages.get(*page as usize).is_some_and(|slot| slot.get().is_none());
        let count = (page..page + ahead).take_while(is_missing).count() as u64;
        self.read_pages(page, count.max(1))?;
        Ok(slot.get().map_or(&[], |bytes| bytes))
    }

    /// Reads pages that follow each other.
    fn read_pages(&self, first: u64, count: u64) -> io::Result<()> {
        let bytes = self.read(&(first * PAGE..((first + count) * PAGE).min(self.len)))?;
        for (slot, page) in self.pages[first as usize..].iter().zip(bytes.chunks(PAGE as usize)) {
            // An error means that another thread has read it too.
            let _ = slot.set(page.into());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicUsize;

    /// A file whose bytes follow from their offsets.
    #[derive(Debug)]
    struct Counted(Arc<AtomicUsize>);

    const LEN: u64 = 5 << 20;

    fn byte(offset: u64) -> u8 {
        (offset * 7 / 3) as u8
    }

    impl RangeSource for Counted {
        fn len(&self, _: &str) -> io::Result<Option<u64>> {
            Ok(Some(LEN))
        }

        fn read(&self, _: &str, offset: u64, into: &mut [u8]) -> io::Result<()> {
            self.0.fetch_add(1, Ordering::Relaxed);
            (offset..).zip(into).for_each(|(offset, into)| *into = byte(offset));
            Ok(())
        }
    }

    /// A file whose parts are there when they have been expected once.
    #[derive(Debug, Default)]
    struct Fetched(Arc<Mutex<Vec<Range<u64>>>>, Arc<AtomicUsize>);

    impl RangeSource for Fetched {
        fn len(&self, _: &str) -> io::Result<Option<u64>> {
            Ok(Some(LEN))
        }

        fn read(&self, file: &str, offset: u64, into: &mut [u8]) -> io::Result<()> {
            Counted(Arc::clone(&self.1)).read(file, offset, into)
        }

        fn expect(&self, _: &str, parts: &[Range<u64>]) -> io::Result<()> {
            let mut known = self.0.lock().unwrap();
            if *known == parts {
                return Ok(());
            }
            *known = parts.to_vec();
            Err(io::ErrorKind::WouldBlock.into())
        }
    }

    #[test]
    fn parts_near_each_other_are_one_and_the_others_are_expected_together() {
        let (expected, requests) = (Arc::default(), Arc::<AtomicUsize>::default());
        let source = Fetched(Arc::clone(&expected), Arc::clone(&requests));
        let files = Arc::new(RangedFiles::new(Box::new(source)));
        let file = RangedFile::open(&files, "games").unwrap().unwrap();
        let taken = || requests.swap(0, Ordering::Relaxed);
        // The second part is on the page after the first, the third as far from it as one request allows; the last two are farther away, in no
        // order.
        let third = MAX_GAP + 2;
        let parts = [0, PAGE, third * PAGE, LEN - 10, 100 * PAGE].map(|start| start..start + 10);
        let failed = file.fetch(&parts).unwrap_err();
        assert_eq!((failed.kind(), taken()), (io::ErrorKind::WouldBlock, 0));
        assert_eq!(
            *expected.lock().unwrap(),
            [0..(third + 1) * PAGE, 100 * PAGE..101 * PAGE, LEN - PAGE..LEN]
        );
        assert!(files.take_failure().is_none(), "the source has not failed");
        file.fetch(&parts).unwrap();
        assert_eq!(taken(), 3);
        for part in &parts {
            assert!(part.clone().map(byte).eq(file.get(part.clone()).unwrap().iter().copied()), "{part:?}");
        }
        file.fetch(&parts).unwrap();
        // One part is read at once, and parts that are not in the file are left out.
        file.fetch(&[PAGE * 50..PAGE * 50 + 1, LEN..LEN + 1, 9..9]).unwrap();
        assert_eq!(taken(), 1);
    }

    #[test]
    fn parts_that_are_read_in_turn_and_in_order_take_few_requests() {
        let requests = Arc::<AtomicUsize>::default();
        let files = Arc::new(RangedFiles::new(Box::new(Counted(Arc::clone(&requests)))));
        let file = RangedFile::open(&files, "games").unwrap().unwrap();
        // Short texts, some of which lie in two pages, and the columns of their games.
        for number in 0..20_000 {
            let columns = (0..30).map(|column| (2 << 20) + (column << 16) + number * 3);
            for start in std::iter::once(number * 101).chain(columns) {
                let found = file.get(start..start + 100).unwrap();
                assert!((start..start + 100).map(byte).eq(found.iter().copied()), "{start}");
            }
        }
        let taken = requests.load(Ordering::Relaxed);
        assert!(taken <= 110, "{taken} requests");
        assert_eq!(file.get(LEN - 1..LEN + 1).unwrap(), [0; 0]);
    }
}
