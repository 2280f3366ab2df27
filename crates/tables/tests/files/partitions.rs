//! Tests of partitions: files divided by columns have the rows of the whole table, however little memory there is.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use pdn::source::Bytes;
use pdn_tables::arrow::{
    ArchiveInput, ArrowTable, FileFormat, ParquetOptions, PartFiles, PartitionLimits, PartitionedWriter,
    Rows, TableOptions,
};
use pdn_tables::{ColumnSelection, Table};

/// Files in memory, by partition and number, and those that are complete.
#[derive(Default)]
struct MemoryFiles {
    files: BTreeMap<(String, u32), Vec<u8>>,
    complete: BTreeSet<(String, u32)>,
    /// The greatest number of files that were not complete.
    most_open: usize,
}

impl PartFiles for MemoryFiles {
    fn append(&mut self, partition: &str, number: u32, bytes: &[u8]) -> io::Result<()> {
        let file = (partition.to_owned(), number);
        assert!(!self.complete.contains(&file), "{partition} {number} is complete");
        self.files.entry(file).or_default().extend_from_slice(bytes);
        self.most_open = self.most_open.max(self.files.len() - self.complete.len());
        Ok(())
    }

    fn complete(&mut self, partition: &str, number: u32) -> io::Result<()> {
        assert!(self.complete.insert((partition.to_owned(), number)));
        Ok(())
    }
}

/// Returns a table whose years alternate; every tenth game has none.
fn games(number: u32, columns: &[&str]) -> ArrowTable {
    let game = |n: u32| {
        let date = if n % 10 == 9 { "????".to_owned() } else { format!("{}.05.01", 1900 + n * 7 % 50) };
        let variant = if n.is_multiple_of(3) { "21" } else { "20" };
        format!("[White \"Ames {n}\"]\n[Date \"{date}\"]\n[GameType \"{variant}\"]\n1. 11-15 *\n\n")
    };
    let text: String = (0..number).map(game).collect();
    let archives = vec![ArchiveInput::Memory("a.pdn".into(), Bytes::from(text.into_bytes()))];
    let mut options = TableOptions::new();
    options.batch_bytes = Some(3000);
    let columns = ColumnSelection::named(Table::Games, columns.iter().copied()).unwrap();
    ArrowTable::new(Rows::of(archives), columns, options).unwrap()
}

fn write(table: &ArrowTable, keys: &[&'static str], limits: PartitionLimits) -> (MemoryFiles, usize) {
    let mut options = ParquetOptions::default();
    options.threads = 2.try_into().unwrap();
    let format = FileFormat::Parquet(options);
    let files = MemoryFiles::default();
    let mut writer =
        PartitionedWriter::new(files, format, table.selection(), &table.schema(), keys, limits).unwrap();
    for batch in table.reader() {
        writer.write(batch.unwrap()).unwrap();
    }
    writer.finish().unwrap()
}

fn read(bytes: &[u8]) -> Vec<RecordBatch> {
    let reader = ParquetRecordBatchReaderBuilder::try_new(bytes::Bytes::copy_from_slice(bytes)).unwrap();
    reader.build().unwrap().collect::<Result<_, _>>().unwrap()
}

/// Returns the numbers of the records of each partition, in the order of its files.
fn records(files: &MemoryFiles) -> BTreeMap<String, Vec<i64>> {
    assert!(files.files.keys().eq(&files.complete), "every file is complete");
    let mut records: BTreeMap<String, Vec<i64>> = BTreeMap::new();
    for ((partition, _), bytes) in &files.files {
        for batch in read(bytes) {
            let column = batch.column_by_name("record").unwrap().as_primitive::<Int64Type>();
            records.entry(partition.clone()).or_default().extend(column.values());
        }
    }
    records
}

/// Returns the partition in which each game of [`games`] belongs.
fn expected(number: u32) -> BTreeMap<String, Vec<i64>> {
    let mut records: BTreeMap<String, Vec<i64>> = BTreeMap::new();
    for n in 0..number {
        let variant = if n.is_multiple_of(3) { "english" } else { "international" };
        let year = match n % 10 {
            9 => "__HIVE_DEFAULT_PARTITION__".to_owned(),
            _ => (1900 + n * 7 % 50).to_string(),
        };
        records.entry(format!("variant={variant}/year={year}")).or_default().push((n + 1).into());
    }
    records
}

const COLUMNS: [&str; 5] = ["year", "record", "white", "variant", "tags"];

#[test]
fn partitions_have_the_rows_of_the_table_in_their_order() {
    let table = games(1000, &COLUMNS);
    let (files, partitions) = write(&table, &["variant", "year"], PartitionLimits::default());
    assert_eq!(records(&files), expected(1000));
    assert_eq!((files.files.len(), partitions), (partitions, expected(1000).len()));
    let first = files.files.values().next().unwrap().clone();
    let reader = ParquetRecordBatchReaderBuilder::try_new(bytes::Bytes::from(first)).unwrap();
    let names: Vec<_> = reader.schema().fields().iter().map(|field| field.name().as_str()).collect();
    assert_eq!(names, ["record", "white", "tags"]);
    let pairs = reader.metadata().file_metadata().key_value_metadata().unwrap();
    let value = |key: &str| pairs.iter().find(|pair| pair.key == key).and_then(|pair| pair.value.as_deref());
    assert_eq!(value("pdn.table"), Some("games"));
}

#[test]
fn partitions_are_complete_with_little_memory() {
    let table = games(250, &COLUMNS);
    let mut limits = PartitionLimits::default();
    // Each batch is divided alone, nothing is kept, and two files may be open.
    (limits.batch_bytes, limits.total_bytes, limits.files) = (1, 0, 2);
    let (files, partitions) = write(&table, &["variant", "year"], limits.clone());
    assert_eq!(records(&files), expected(250));
    assert_eq!(partitions, expected(250).len());
    assert!(files.files.len() > partitions, "{}", files.files.len());
    assert!(files.most_open <= 3, "{}", files.most_open);
    // Few groups of rows in open files, with any number of these.
    (limits.files, limits.groups) = (1000, 20);
    let (files, _) = write(&table, &["variant", "year"], limits.clone());
    assert_eq!(records(&files), expected(250));
    // Rows are kept until a partition or all of them together are large.
    (limits.groups, limits.total_bytes, limits.partition_bytes) = (1024, 1 << 18, 1 << 14);
    let (files, _) = write(&table, &["variant", "year"], limits);
    assert_eq!(records(&files), expected(250));
    assert_eq!(files.files.len(), partitions);
}

#[test]
fn partitions_do_not_depend_on_threads() {
    let write_with = |threads: usize| {
        let table = games(300, &COLUMNS);
        let mut options = ParquetOptions::default();
        options.threads = threads.try_into().unwrap();
        let format = FileFormat::Parquet(options);
        let (files, schema) = (MemoryFiles::default(), table.schema());
        let mut limits = PartitionLimits::default();
        limits.batch_bytes = 20_000;
        limits.total_bytes = 40_000;
        let mut writer =
            PartitionedWriter::new(files, format, table.selection(), &schema, &["year"], limits).unwrap();
        table.reader().for_each(|batch| writer.write(batch.unwrap()).unwrap());
        writer.finish().unwrap().0.files
    };
    assert!(write_with(1) == write_with(4));
}

#[test]
fn table_without_rows_has_no_partition() {
    let table = games(0, &COLUMNS);
    let (files, partitions) = write(&table, &["year"], PartitionLimits::default());
    assert_eq!((files.files.len(), partitions), (0, 0));
}

#[test]
fn column_that_is_not_exported_divides_nothing() {
    let table = games(1, &["record"]);
    let format = FileFormat::Parquet(ParquetOptions::default());
    let limits = PartitionLimits::default();
    let schema = Arc::clone(&table.schema());
    let made =
        PartitionedWriter::new(MemoryFiles::default(), format, table.selection(), &schema, &["year"], limits);
    assert!(made.is_err());
}

/// Writes games of these years, each in a batch of its own, and returns the files in their order.
fn files_of_years(years: &[u32], limits: PartitionLimits) -> Vec<String> {
    let batch = |year: &u32| {
        let text = format!("[Date \"{year}.05.01\"]\n1. 11-15 *\n");
        let archives = vec![ArchiveInput::Memory("a.pdn".into(), Bytes::from(text.into_bytes()))];
        let columns = ColumnSelection::named(Table::Games, ["year", "record"]).unwrap();
        let table = ArrowTable::new(Rows::of(archives), columns, TableOptions::new()).unwrap();
        let batch = table.reader().next().unwrap().unwrap();
        (table, batch)
    };
    let batches: Vec<_> = years.iter().map(batch).collect();
    let (table, format) = (&batches[0].0, FileFormat::Parquet(ParquetOptions::default()));
    let files = MemoryFiles::default();
    let mut writer =
        PartitionedWriter::new(files, format, table.selection(), &table.schema(), &["year"], limits).unwrap();
    batches.into_iter().for_each(|(_, batch)| writer.write(batch).unwrap());
    let (files, _) = writer.finish().unwrap();
    files.files.into_keys().map(|(partition, number)| format!("{partition}/{number}")).collect()
}

#[test]
fn files_that_were_not_written_for_longest_are_completed() {
    let mut limits = PartitionLimits::default();
    (limits.batch_bytes, limits.total_bytes, limits.files) = (1, 0, 2);
    // When 1903 comes, 1902 was not written for longest.
    let files = files_of_years(&[1901, 1902, 1901, 1903, 1902], limits);
    assert_eq!(files, ["year=1901/0", "year=1902/0", "year=1902/1", "year=1903/0"]);
}

#[test]
fn files_with_most_groups_of_rows_are_completed() {
    let mut limits = PartitionLimits::default();
    (limits.batch_bytes, limits.total_bytes, limits.groups) = (1, 0, 2);
    // The third group completes 1901, which has two. Then 1902 and 1903 have one each.
    let files = files_of_years(&[1901, 1901, 1902, 1903, 1902], limits);
    assert_eq!(files, ["year=1901/0", "year=1902/0", "year=1903/0"]);
}
