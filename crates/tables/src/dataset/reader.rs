//! Reads a training set in batches, in a random order and in bounded memory.
//!
//! Neighbouring records often come from one game, so that batches in the order of the file resemble single games, and training on them is worse.
//! But reading single records at random is slow where the files are larger than memory. So blocks of records are read in a random order,
//! some hundred of them make a *window*, and the records of a window are drawn at random.

use std::fs::File;
use std::io::{ErrorKind, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::options::DatasetFormat;
use super::record::{header_len, header_word, record_len};
use super::sample::is_wide;
use pdn::error::{Error, Result};
use pdn::rules::Variant;
use pdn_rules::internal::position::split_mix;

/// Length of a block in bytes, about.
const BLOCK_BYTES: usize = 32 << 10;
/// Length of a window in bytes, at most.
const WINDOW_BYTES: usize = 32 << 20;
/// Number of rounds that mix the number of a block.
const ROUNDS: u64 = 4;

/// The records of some files of a training set, which are read in batches.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let file = folder.path().join("train.bin");
/// # std::fs::write(&file, vec![0; 48 * 100])?;
/// use pdn_tables::{DatasetFormat, DatasetReader};
/// use pdn::rules::Variant;
///
/// let reader = DatasetReader::open([&file], DatasetFormat::Bin, Variant::International)?;
/// assert_eq!((reader.records(), reader.record_len()), (100, 48));
/// let (mut batches, mut lengths, mut batch) = (reader.batches(64, 7, 1)?, Vec::new(), Vec::new());
/// while let records @ 1.. = batches.prepare()? {
///     batch.resize(records * reader.record_len(), 0);
///     batches.fill(&mut batch);
///     lengths.push(records);
/// }
/// assert_eq!(lengths, [64, 36]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct DatasetReader {
    /// The files, each with the number of records up to its end.
    files: Vec<(PathBuf, u64)>,
    header_len: usize,
    record_len: usize,
}

impl DatasetReader {
    /// Opens files of a format, whose positions are of this variant.
    ///
    /// # Errors
    /// If a file cannot be read, does not begin as the format does, or does not consist of whole records. Lines of text are no records.
    pub fn open<P: AsRef<Path>>(
        files: impl IntoIterator<Item = P>,
        format: DatasetFormat,
        variant: Variant,
    ) -> Result<Self> {
        let (header_len, record_len) = (header_len(format), record_len(format, is_wide(variant)));
        let (mut found, mut records) = (Vec::new(), 0);
        for path in files {
            let path = path.as_ref();
            let at = |error: std::io::Error| Error::from(error).at(path);
            let invalid = |text: &str| at(std::io::Error::new(ErrorKind::InvalidData, text));
            if record_len == 0 {
                return Err(invalid("lines of text are not read in batches; take another format"));
            }
            let mut file = File::open(path).map_err(at)?;
            let word = header_word(format);
            let mut start = vec![0; word.len()];
            let begins_so = file.read_exact(&mut start).is_ok() && start == word;
            let bytes = file.metadata().map_err(at)?.len().checked_sub(header_len as u64);
            let (true, Some(bytes)) = (begins_so, bytes) else {
                return Err(invalid("does not begin as this format does"));
            };
            if bytes % record_len as u64 != 0 {
                return Err(invalid("does not consist of whole records"));
            }
            records += bytes / record_len as u64;
            found.push((path.to_owned(), records));
        }
        Ok(Self { files: found, header_len, record_len })
    }

    /// Returns the number of records.
    pub fn records(&self) -> u64 {
        self.files.last().map_or(0, |(_, end)| *end)
    }

    /// Returns the length of a record in bytes.
    pub fn record_len(&self) -> usize {
        self.record_len
    }

    /// Returns batches of `size` records, at least 1, in which every record occurs once; the last one may have fewer. The order of the records
    /// depends on `seed` and `epoch` alone, not on the size of the batches.
    ///
    /// Takes 32 MiB of memory for a window, 4 bytes for each of its records, and a batch.
    ///
    /// # Errors
    /// If a file cannot be opened.
    pub fn batches(&self, size: usize, seed: u64, epoch: u64) -> Result<DatasetBatches> {
        let block = (BLOCK_BYTES / self.record_len.max(1)).max(1);
        DatasetBatches::new(self, size, split_mix(seed, epoch), block, WINDOW_BYTES / BLOCK_BYTES)
    }
}

/// Batches of records in a random order; [`DatasetReader::batches`] makes them.
#[derive(Debug)]
pub struct DatasetBatches {
    reader: DatasetReader,
    files: Vec<File>,
    size: usize,
    seed: u64,
    /// Number of records of a block.
    block: usize,
    blocks: BlockOrder,
    /// Number of windows, and of those that were read.
    windows: u64,
    windows_read: u64,
    /// The records of a window, one after the other.
    window: Vec<u8>,
    /// The numbers of its records: first those that were drawn, then the others.
    order: Vec<u32>,
    drawn: usize,
    /// Records of earlier windows for the next batch.
    carried: Vec<u8>,
}

impl DatasetBatches {
    fn new(
        reader: &DatasetReader,
        size: usize,
        seed: u64,
        block: usize,
        window_blocks: usize,
    ) -> Result<Self> {
        let open = |(path, _): &(PathBuf, u64)| File::open(path).map_err(|error| Error::from(error).at(path));
        let blocks = BlockOrder::new(reader.records().div_ceil(block as u64), seed);
        Ok(Self {
            files: reader.files.iter().map(open).collect::<Result<_>>()?,
            reader: reader.clone(),
            size: size.max(1),
            seed,
            block,
            windows: blocks.count.div_ceil(window_blocks as u64),
            blocks,
            windows_read: 0,
            window: Vec::new(),
            order: Vec::new(),
            drawn: 0,
            carried: Vec::new(),
        })
    }

    /// Reads what the next batch takes, and returns its number of records; 0 after the last one.
    ///
    /// # Errors
    /// If a file cannot be read, or has become shorter.
    pub fn prepare(&mut self) -> Result<usize> {
        loop {
            let left = self.order.len() - self.drawn;
            let ready = self.carried.len() / self.reader.record_len.max(1) + left;
            if ready >= self.size || self.windows_read == self.windows {
                return Ok(ready.min(self.size));
            }
            let start = self.carried.len();
            let mut carried = std::mem::take(&mut self.carried);
            carried.resize(start + left * self.reader.record_len, 0);
            self.draw(&mut carried[start..]);
            self.carried = carried;
            self.read_window()?;
        }
    }

    /// Moves the next records to `batch`, whose length is that of the number of records that [`prepare`](Self::prepare) returned.
    pub fn fill(&mut self, batch: &mut [u8]) {
        let (carried, drawn) = batch.split_at_mut(self.carried.len().min(batch.len()));
        carried.copy_from_slice(&self.carried[..carried.len()]);
        self.carried.drain(..carried.len());
        self.draw(drawn);
    }

    /// Reads the blocks of the next window.
    fn read_window(&mut self) -> Result<()> {
        let share = |window: u64| {
            (u128::from(self.blocks.count) * u128::from(window) / u128::from(self.windows.max(1))) as u64
        };
        let numbers = share(self.windows_read)..share(self.windows_read + 1);
        self.windows_read += 1;
        let (len, records) = (self.reader.record_len, self.reader.records());
        let mut filled = 0;
        for number in numbers {
            let first = self.blocks.get(number) * self.block as u64;
            let end = (first + self.block as u64).min(records);
            let bytes = (end - first) as usize * len;
            if self.window.len() < filled + bytes {
                self.window.resize(filled + bytes, 0);
            }
            self.read(first, filled, bytes)?;
            filled += bytes;
        }
        self.window.truncate(filled);
        self.order.clear();
        self.order.extend(0..(filled / len) as u32);
        self.drawn = 0;
        Ok(())
    }

    /// Reads records from `first` on to a place of the window. They may belong to several files.
    fn read(&mut self, mut first: u64, mut at: usize, mut bytes: usize) -> Result<()> {
        let (len, header) = (self.reader.record_len as u64, self.reader.header_len as u64);
        while bytes > 0 {
            let number = self.reader.files.partition_point(|(_, end)| *end <= first);
            let Some((path, end)) = self.reader.files.get(number) else { return Ok(()) };
            let start = number.checked_sub(1).map_or(0, |before| self.reader.files[before].1);
            let here = bytes.min(((end - first) * len) as usize);
            let file = &mut self.files[number];
            file.seek(SeekFrom::Start(header + (first - start) * len))
                .and_then(|_| file.read_exact(&mut self.window[at..at + here]))
                .map_err(|error| Error::from(error).at(path))?;
            (first, at, bytes) = (first + here as u64 / len, at + here, bytes - here);
        }
        Ok(())
    }

    /// Draws records of the window at random.
    fn draw(&mut self, out: &mut [u8]) {
        match self.reader.record_len {
            32 => self.draw_records::<32>(out),
            37 => self.draw_records::<37>(out),
            38 => self.draw_records::<38>(out),
            48 => self.draw_records::<48>(out),
            80 => self.draw_records::<80>(out),
            _ => debug_assert!(out.is_empty(), "every format has one of these lengths"),
        }
    }

    /// Does the same for records of a length that is known when this is compiled, so that no function is called for each.
    fn draw_records<const LEN: usize>(&mut self, out: &mut [u8]) {
        let seed = split_mix(self.seed, self.windows_read);
        let records = self.window.as_chunks::<LEN>().0;
        for out in out.as_chunks_mut::<LEN>().0 {
            let left = self.order.len() - self.drawn;
            if left == 0 {
                return;
            }
            let random = u128::from(split_mix(seed, self.drawn as u64));
            self.order.swap(self.drawn, self.drawn + ((random * left as u128) >> 64) as usize);
            *out = records[self.order[self.drawn] as usize];
            self.drawn += 1;
        }
    }
}

/// The numbers of all blocks in a random order, without a list of them: a Feistel network over the least square of a power of two that is not
/// smaller than their number, followed until it leads to one of them.
#[derive(Debug)]
struct BlockOrder {
    count: u64,
    seed: u64,
    /// Number of bits of each half.
    bits: u32,
}

impl BlockOrder {
    fn new(count: u64, seed: u64) -> Self {
        let bits = (u64::BITS - count.saturating_sub(1).leading_zeros()).div_ceil(2).max(1);
        Self { count, seed, bits }
    }

    /// Returns number `n` of the order, from 0.
    fn get(&self, n: u64) -> u64 {
        let mask = (1 << self.bits) - 1;
        let mut number = n;
        // A permutation of the larger set leads back to a number below `count`: four steps at most on average.
        loop {
            let (mut high, mut low) = (number >> self.bits, number & mask);
            for round in 0..ROUNDS {
                (high, low) = (low, high ^ (split_mix(self.seed ^ round << 60, low) & mask));
            }
            number = high << self.bits | low;
            if number < self.count {
                return number;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes files of records that hold their number, and returns their reader.
    fn numbered(folder: &Path, format: DatasetFormat, lengths: &[u64]) -> DatasetReader {
        let len = record_len(format, false);
        let mut number = 0u32;
        let mut paths = Vec::new();
        for (n, &records) in lengths.iter().enumerate() {
            let mut bytes = header_word(format).to_vec();
            bytes.resize(header_len(format), 0);
            for _ in 0..records {
                bytes.extend(number.to_le_bytes());
                bytes.resize(bytes.len() + len - 4, 0);
                number += 1;
            }
            let path = folder.join(format!("{}-{n}", format.name()));
            std::fs::write(&path, bytes).unwrap();
            paths.push(path);
        }
        DatasetReader::open(paths, format, Variant::International).unwrap()
    }

    /// Returns the numbers of all records in the order of the batches, whose lengths must be right.
    fn numbers(mut batches: DatasetBatches) -> Vec<u32> {
        let (len, size) = (batches.reader.record_len, batches.size);
        let (mut found, mut batch, mut last) = (Vec::new(), Vec::new(), size);
        while let records @ 1.. = batches.prepare().unwrap() {
            assert_eq!(last, size, "only the last batch is shorter");
            last = records;
            batch.resize(records * len, 0);
            batches.fill(&mut batch);
            found.extend(batch.chunks(len).map(|record| u32::from_le_bytes(*record.first_chunk().unwrap())));
        }
        assert_eq!(batches.prepare().unwrap(), 0);
        found
    }

    #[test]
    fn every_record_occurs_once_in_every_epoch() {
        let folder = tempfile::tempdir().unwrap();
        for format in [
            DatasetFormat::Bin,
            DatasetFormat::Npy,
            DatasetFormat::Jnnw,
            DatasetFormat::Jnnt,
            DatasetFormat::BulletChess,
            DatasetFormat::BulletAtaxx,
        ] {
            for lengths in [&[0][..], &[1], &[700, 0, 3], &[9_000]] {
                let reader = numbered(folder.path(), format, lengths);
                let total: u64 = lengths.iter().sum();
                assert_eq!(reader.records(), total);
                for (size, block, window) in [(1, 1, 1), (64, 7, 10), (5_000, 100, 3), (20_000, 1000, 100)] {
                    let batches = DatasetBatches::new(&reader, size, 5, block, window).unwrap();
                    let mut found = numbers(batches);
                    found.sort_unstable();
                    assert!(found.into_iter().eq(0..total as u32), "{format:?} {lengths:?} {size}");
                }
            }
        }
    }

    #[test]
    fn order_depends_on_seed_and_epoch_alone() {
        let folder = tempfile::tempdir().unwrap();
        let reader = numbered(folder.path(), DatasetFormat::Bin, &[3_000, 2_000]);
        let order = |size, seed, epoch| numbers(reader.batches(size, seed, epoch).unwrap());
        let first = order(64, 1, 0);
        assert_eq!(order(999, 1, 0), first);
        for (seed, epoch) in [(1, 1), (2, 0), (0, 1)] {
            assert_ne!(order(64, seed, epoch), first);
        }
        // The same records in other files have the same order.
        assert_eq!(
            numbers(numbered(folder.path(), DatasetFormat::Npy, &[5_000]).batches(64, 1, 0).unwrap()),
            first
        );
    }

    #[test]
    fn place_of_a_record_says_nothing_about_when_it_comes() {
        const RECORDS: u32 = 200_000;
        let folder = tempfile::tempdir().unwrap();
        let reader = numbered(folder.path(), DatasetFormat::BulletChess, &[u64::from(RECORDS)]);
        let (block, window) = (100, 50);
        for seed in 0..3 {
            let found = numbers(DatasetBatches::new(&reader, 1_000, seed, block, window).unwrap());
            // Correlation of two orders of the same numbers.
            let mean = f64::from(RECORDS - 1) / 2.0;
            let products =
                found.iter().enumerate().map(|(n, &number)| (n as f64 - mean) * (f64::from(number) - mean));
            let squares = (0..RECORDS).map(|n| (f64::from(n) - mean).powi(2));
            let correlation = products.sum::<f64>() / squares.sum::<f64>();
            // Blocks are what is drawn, so that their number decides about the deviation; this is four times the standard one.
            let most = 4.0 / f64::from(RECORDS / block as u32).sqrt();
            assert!(correlation.abs() < most, "{seed}: {correlation}");
            // Of records that follow each other, one pair in 50 is of one block of the window, as after a perfect shuffle of the window.
            let is_near = |pair: &&[u32]| pair[0] / block as u32 == pair[1] / block as u32;
            let near = found.windows(2).filter(is_near).count() as f64 / f64::from(RECORDS);
            assert!((near - 1.0 / window as f64).abs() < 0.002, "{seed}: {near}");
        }
    }

    #[test]
    fn blocks_are_permuted() {
        for count in (0..300).chain([1 << 12, (1 << 12) + 1, 99_999]) {
            let order = BlockOrder::new(count, count ^ 9);
            let mut found: Vec<u64> = (0..count).map(|n| order.get(n)).collect();
            found.sort_unstable();
            assert!(found.into_iter().eq(0..count), "{count}");
        }
    }

    #[test]
    fn files_that_are_no_training_set_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        for (format, bytes, message) in [
            (DatasetFormat::Jnnw, b"JNNT\0\0\0\0".to_vec(), "does not begin as this format does"),
            (DatasetFormat::Npy, b"\x93NUMPY".to_vec(), "does not begin as this format does"),
            (DatasetFormat::Bin, vec![0; 49], "does not consist of whole records"),
            (DatasetFormat::Text, Vec::new(), "lines of text"),
        ] {
            std::fs::write(&path, bytes).unwrap();
            let error = DatasetReader::open([&path], format, Variant::International).unwrap_err();
            assert!(error.to_string().contains(message), "{error}");
        }
        assert!(
            DatasetReader::open([folder.path().join("none")], DatasetFormat::Bin, Variant::International)
                .is_err()
        );
    }

    #[test]
    fn file_that_becomes_shorter_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let reader = numbered(folder.path(), DatasetFormat::Bin, &[50]);
        let mut batches = reader.batches(10, 0, 0).unwrap();
        std::fs::write(&reader.files[0].0, [0; 48]).unwrap();
        assert!(batches.prepare().is_err());
    }
}
