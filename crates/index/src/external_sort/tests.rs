//! Tests of sorting with temporary files.

use std::io::{Read, Seek};
use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::prelude::*;

use super::*;
use pdn::internal::storage::{Access, Output};

type Record = (Vec<u8>, Vec<u8>);

fn sorted(records: &[Record], memory: usize) -> Vec<Record> {
    let folder = tempfile::tempdir().unwrap();
    let mut sort = ExternalSort::new(folder.path(), memory);
    for (key, payload) in records {
        sort.push(key, payload).unwrap();
    }
    let sorted = sort.finish().unwrap();
    let found = sorted.map(|record| record.unwrap()).collect();
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "no file stays");
    found
}

proptest! {
    #[test]
    fn external_sort_equals_stable_sort_in_memory(
        records in prop::collection::vec(
            (prop::collection::vec(0u8..3, 0..12), prop::collection::vec(any::<u8>(), 0..40)),
            0..300,
        ),
        memory in prop::sample::select(vec![1usize, 100, 1_000, 5_000, 1 << 20]),
    ) {
        let mut expected = records.clone();
        expected.sort_by(|a, b| a.0.cmp(&b.0));
        prop_assert_eq!(sorted(&records, memory), expected);
    }
}

#[test]
fn many_runs_are_merged_in_several_passes_in_stable_order() {
    // One record a run, two runs a merge.
    let records: Vec<Record> =
        (0..1_000u32).map(|n| (vec![(n * 7 % 13) as u8], n.to_be_bytes().to_vec())).collect();
    let mut expected = records.clone();
    expected.sort_by(|a, b| a.0.cmp(&b.0));
    assert_eq!(sorted(&records, 1), expected);
}

#[test]
fn record_longer_than_the_memory_limit_is_sorted() {
    let long = |byte| vec![byte; 100_000];
    let records = [(long(b'b'), long(1)), (long(b'a'), long(2)), (b"a".to_vec(), long(3))];
    let mut expected = records.to_vec();
    expected.sort();
    assert_eq!(sorted(&records, 1_000), expected);
}

/// Files that fail after a number of operations.
#[derive(Debug)]
struct FailingDisk {
    /// Operations of each kind that still succeed.
    writes: Arc<AtomicUsize>,
    reads: Arc<AtomicUsize>,
}

struct FailingFile {
    file: std::fs::File,
    writes: Arc<AtomicUsize>,
    reads: Arc<AtomicUsize>,
}

fn take(left: &AtomicUsize, kind: io::ErrorKind) -> io::Result<()> {
    let taken = left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
    taken.map(drop).map_err(|_| kind.into())
}

impl Write for FailingFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        take(&self.writes, io::ErrorKind::StorageFull)?;
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Read for FailingFile {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        take(&self.reads, io::ErrorKind::PermissionDenied)?;
        self.file.read(bytes)
    }
}

impl Seek for FailingFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

impl Storage for FailingDisk {
    fn create(&self, path: &Path) -> io::Result<Box<dyn Output>> {
        Disk.create(path)
    }

    fn create_new(&self, path: &Path, access: Access) -> io::Result<Box<dyn Output>> {
        Disk.create_new(path, access)
    }

    fn take_over(&self, path: &Path, access: Access) -> io::Result<Option<Box<dyn Output>>> {
        Disk.take_over(path, access)
    }

    fn create_scratch(&self, folder: &Path) -> io::Result<Box<dyn ScratchFile>> {
        let file = tempfile::tempfile_in(folder)?;
        Ok(Box::new(FailingFile { file, writes: self.writes.clone(), reads: self.reads.clone() }))
    }

    fn copy_attributes(&self, from: &Path, to: &Path) -> io::Result<()> {
        Disk.copy_attributes(from, to)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        Disk.rename(from, to)
    }

    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        Disk.rename_new(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        Disk.remove(path)
    }

    fn sync_dir(&self, dir: &Path) -> io::Result<()> {
        Disk.sync_dir(dir)
    }
}

/// Sorts 2,000 records on a disk with which so many operations succeed. Returns the number of sorted records.
fn sort_on_failing_disk(writes: usize, reads: usize) -> Result<usize> {
    let folder = tempfile::tempdir().unwrap();
    let [writes, reads] = [writes, reads].map(|left| Arc::new(AtomicUsize::new(left)));
    let storage = Arc::new(FailingDisk { writes, reads });
    let mut sort = ExternalSort::on(storage, folder.path().to_owned(), 2_000);
    for n in 0..2_000u32 {
        sort.push(&n.reverse_bits().to_be_bytes(), b"payload")?;
    }
    let mut sorted = sort.finish()?;
    let mut count = 0;
    loop {
        match sorted.next_record() {
            Ok(Some(_)) => count += 1,
            Ok(None) => return Ok(count),
            Err(error) => {
                assert!(sorted.next_record().unwrap().is_none(), "an error ends the iteration");
                return Err(error);
            }
        }
    }
}

#[test]
fn full_disk_and_unreadable_file_are_errors_at_every_moment() {
    assert_eq!(sort_on_failing_disk(usize::MAX, usize::MAX).unwrap(), 2_000);
    let (mut full, mut unreadable) = (0, 0);
    for left in 0..100 {
        let error = sort_on_failing_disk(left, usize::MAX).unwrap_err().to_string();
        full += usize::from(error.contains("a temporary file for sorting cannot be"));
        let error = sort_on_failing_disk(usize::MAX, left).unwrap_err().to_string();
        unreadable += usize::from(error.contains("a temporary file for sorting cannot be read"));
    }
    assert_eq!((full, unreadable), (100, 100));
}

#[test]
fn missing_folder_is_an_error_with_its_name_once_a_file_is_needed() {
    let mut sort = ExternalSort::new("/no/such/folder", 64);
    sort.push(b"key", b"payload").unwrap();
    let error = sort.push(b"key", &[0; 100]).unwrap_err().to_string();
    assert!(
        error.starts_with("/no/such/folder: a temporary file for sorting cannot be written: "),
        "{error}"
    );
}

#[test]
fn sorting_takes_steps_in_proportion_to_the_records() {
    let steps = |records: u32| {
        let before = steps::count().unwrap_or(0);
        let mut sort = ExternalSort::new(std::env::temp_dir(), 10_000);
        for n in 0..records {
            sort.push(&n.reverse_bits().to_be_bytes(), b"").unwrap();
        }
        assert_eq!(sort.finish().unwrap().count() as u32, records);
        steps::count().unwrap_or(0) - before
    };
    // Ten times the records take one or two passes more.
    assert!(steps(20_000) < 20 * steps(2_000).max(1));
}
