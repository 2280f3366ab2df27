//! Tests of Arrow and Parquet files: what is written is read back.

use std::io::{self, Cursor, Write};
use std::num::NonZeroUsize;
use std::sync::Arc;

use arrow_array::{Array, RecordBatch};
use arrow_ipc::reader::{FileReader, StreamReader};
use parquet::arrow::arrow_reader::{ArrowReaderOptions, ParquetRecordBatchReaderBuilder};
use parquet::basic::Encoding;
use pdn::source::Bytes;
use pdn_tables::arrow::{
    ArchiveInput, ArrowTable, IpcFormat, IpcWriter, ParquetOptions, ParquetWriter, Rows, TableOptions,
    with_metadata,
};
use pdn_tables::{ColumnSelection, Table};

const GAME: &str =
    "[White \"Ames\"]\n[GameType \"20\"]\n1. 32-28 {quiet} 19-23 $1 2. 28x19 (2. 33-29) 14x23 3. 1-2 2-0\n\n";

/// Returns a table of two inputs in many batches.
fn table(table: Table, games: usize) -> ArrowTable {
    let text = GAME.repeat(games).into_bytes();
    let archives =
        ["one.pdn", "two.pdn"].map(|name| ArchiveInput::Memory(name.into(), Bytes::from(text.clone())));
    let mut options = TableOptions::new();
    options.batch_bytes = Some(2000);
    ArrowTable::new(Rows::of(archives), ColumnSelection::of(table), options).unwrap()
}

fn batches(table: &ArrowTable) -> Vec<RecordBatch> {
    table.reader().collect::<Result<_, _>>().unwrap()
}

fn options(threads: usize) -> ParquetOptions {
    let mut options = ParquetOptions::default();
    (options.threads, options.row_group_rows) = (NonZeroUsize::new(threads).unwrap(), 500);
    options
}

fn parquet(table: &ArrowTable, batches: &[RecordBatch], options: ParquetOptions) -> Vec<u8> {
    let schema = with_metadata(&table.schema(), [("pdn.source".to_owned(), "one.pdn\ntwo.pdn".to_owned())]);
    let mut writer = ParquetWriter::new(Vec::new(), table.selection(), schema, options).unwrap();
    for batch in batches {
        writer.write(batch.clone()).unwrap();
    }
    writer.finish().unwrap()
}

/// Asserts that two lists of batches have the same rows; their boundaries and dictionaries may differ.
fn assert_same_rows(one: &[RecordBatch], other: &[RecordBatch], what: &str) {
    let cells = |batches: &[RecordBatch]| -> Vec<String> {
        let rows = batches.iter().flat_map(|batch| (0..batch.num_rows()).map(move |row| (batch, row)));
        let cell = |column: &Arc<dyn Array>, row: usize| format!("{:?}", plain(&column.slice(row, 1)));
        rows.map(|(batch, row)| batch.columns().iter().map(|column| cell(column, row)).collect::<String>())
            .collect()
    };
    assert_eq!(cells(one), cells(other), "{what}");
}

/// Returns the text of a value of a dictionary, other values as they are.
fn plain(value: &Arc<dyn Array>) -> Arc<dyn Array> {
    use arrow_array::cast::AsArray;
    match value.as_dictionary_opt::<arrow_array::types::Int32Type>() {
        Some(dictionary) => match dictionary.keys().iter().next().flatten() {
            Some(key) => dictionary.values().slice(key as usize, 1),
            None => Arc::new(arrow_array::StringArray::new_null(1)),
        },
        None => Arc::clone(value),
    }
}

#[test]
fn parquet_file_has_the_rows_of_its_batches_on_any_number_of_threads() {
    for of in Table::ALL {
        let table = table(of, 100);
        let rows = batches(&table);
        let one = parquet(&table, &rows, options(1));
        for threads in [2, 5] {
            assert!(one == parquet(&table, &rows, options(threads)), "{of} {threads}");
        }
        let reader = ParquetRecordBatchReaderBuilder::try_new(bytes::Bytes::from(one)).unwrap();
        assert_eq!(reader.schema().fields(), table.schema().fields());
        let read = reader.build().unwrap().collect::<Result<Vec<_>, _>>().unwrap();
        assert_same_rows(&read, &rows, of.name());
    }
}

#[test]
fn parquet_file_has_row_groups_bloom_filters_and_metadata() {
    let table = table(Table::Moves, 400);
    let rows = batches(&table);
    let file = bytes::Bytes::from(parquet(&table, &rows, options(2)));
    let reader =
        ParquetRecordBatchReaderBuilder::try_new_with_options(file, ArrowReaderOptions::new()).unwrap();
    let metadata = reader.metadata();
    let total = rows.iter().map(RecordBatch::num_rows).sum::<usize>();
    assert_eq!(metadata.file_metadata().num_rows(), total as i64);
    assert!(metadata.num_row_groups() > 4);
    for group in metadata.row_groups() {
        for column in group.columns() {
            let is_key = column.column_path().string() == "key";
            assert_eq!(column.bloom_filter_offset().is_some(), is_key);
            let has_dictionary = column.encodings().any(|encoding| encoding == Encoding::RLE_DICTIONARY);
            assert!(!(is_key && has_dictionary));
            assert!(column.statistics().is_some(), "{}", column.column_path());
        }
    }
    let pairs = metadata.file_metadata().key_value_metadata().unwrap();
    let value = |key: &str| pairs.iter().find(|pair| pair.key == key).and_then(|pair| pair.value.as_deref());
    assert_eq!(value("pdn.source"), Some("one.pdn\ntwo.pdn"));
    assert_eq!(value("pdn.table"), Some("moves"));
    assert!(value("pdn.version").is_some());
}

#[test]
fn arrow_file_and_stream_have_the_rows_of_their_batches() {
    for of in Table::ALL {
        let table = table(of, 100);
        let rows = batches(&table);
        for format in [IpcFormat::File, IpcFormat::Stream] {
            let mut writer = IpcWriter::new(format, table.schema()).unwrap();
            let mut bytes = Vec::new();
            for batch in &rows {
                bytes.extend(writer.write(batch).unwrap().concat());
            }
            bytes.extend(writer.finish().unwrap().concat());
            let read: Result<Vec<_>, _> = match format {
                IpcFormat::File => FileReader::try_new(Cursor::new(bytes), None).unwrap().collect(),
                IpcFormat::Stream => StreamReader::try_new(Cursor::new(bytes), None).unwrap().collect(),
            };
            assert_same_rows(&read.unwrap(), &rows, of.name());
        }
    }
}

/// A file may have a single dictionary for each column, and not every reader knows additions to it.
#[test]
fn dictionary_that_grows_is_stored_once_for_readers_of_the_file() {
    let parts: Vec<RecordBatch> = ["a.pdn", "b.pdn", "a.pdn", "c.pdn"]
        .iter()
        .flat_map(|name| {
            let input = ArchiveInput::Memory((*name).into(), Bytes::from(GAME.as_bytes().to_vec()));
            let columns = ColumnSelection::named(Table::Games, ["file", "status"]).unwrap();
            let table = ArrowTable::new(Rows::of(vec![input]), columns, TableOptions::new()).unwrap();
            batches(&table)
        })
        .collect();
    let mut writer = IpcWriter::new(IpcFormat::File, parts[0].schema()).unwrap();
    let mut bytes: Vec<u8> = parts.iter().flat_map(|batch| writer.write(batch).unwrap().concat()).collect();
    bytes.extend(writer.finish().unwrap().concat());
    let read = FileReader::try_new(Cursor::new(bytes), None).unwrap().collect::<Result<Vec<_>, _>>().unwrap();
    assert_same_rows(&read, &parts, "files");
    use arrow_array::cast::AsArray;
    let files = |batch: &RecordBatch| batch.column(0).as_any_dictionary().values().as_string::<i32>().clone();
    for batch in &read {
        assert_eq!(files(batch).iter().flatten().collect::<Vec<_>>(), ["a.pdn", "b.pdn", "c.pdn"]);
    }
}

/// A disk that is full after some bytes.
struct FullDisk(usize);

impl Write for FullDisk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0 < bytes.len() {
            return Err(io::Error::new(io::ErrorKind::StorageFull, "the disk is full"));
        }
        self.0 -= bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn full_disk_is_an_error_of_the_file() {
    let table = table(Table::Moves, 400);
    let rows = batches(&table);
    let write = |room: usize| {
        let mut writer = ParquetWriter::new(FullDisk(room), table.selection(), table.schema(), options(2))?;
        rows.iter().try_for_each(|batch| writer.write(batch.clone()))?;
        writer.finish()
    };
    let disk = 1 << 30;
    let whole = disk - write(disk).unwrap().0;
    for room in [0, whole / 2, whole - 1] {
        let error = write(room).map(drop).expect_err("the disk is full");
        assert!(error.to_string().contains("the disk is full"), "{error}");
    }
}
