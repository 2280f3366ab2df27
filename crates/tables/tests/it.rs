//! Tests of Arrow tables against the rows that the library exports.

use std::num::NonZeroUsize;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type};
use arrow_array::{Array, RecordBatch};
use arrow_schema::{ArrowError, DataType};
use pdn::internal::archive::RecordRange;
use pdn::internal::replay::ArchiveHead;
use pdn::source::Bytes;
use pdn_index::query::Query;
use pdn_tables::arrow::{
    ArchiveInput, ArrowTable, Rows, SquaresType, StringsType, TableArchive, TableError, TableOptions,
};
use pdn_tables::{ColumnSelection, ExportOptions, Table};

const GAME: &str = "[White \"Ames\"]\n[GameType \"20\"]\n1. 32-28 19-23 2. 28x19 14x23 2-0\n\n";

fn memory(text: &str) -> Rows {
    Rows::of(vec![ArchiveInput::Memory("games.pdn".into(), Bytes::from(text.as_bytes().to_vec()))])
}

fn options(threads: usize) -> TableOptions {
    let mut options = TableOptions::new();
    options.threads = NonZeroUsize::new(threads).unwrap();
    options
}

fn read(table: &ArrowTable) -> Vec<RecordBatch> {
    table.reader().collect::<Result<_, _>>().unwrap()
}

/// Every type of column has the Arrow type of the schema; building the batches checks that.
#[test]
fn every_column_has_its_arrow_type() {
    let text = "[GameType \"20\"] 1. 32-28 {[%clk 0:01:00] c} 19-23 $3 2. 28x19 (2. 33-28) 14x23 3. 1-2 *";
    for table in Table::ALL {
        for strings in [StringsType::Dictionary, StringsType::Plain] {
            for squares in [SquaresType::U64, SquaresType::Wide] {
                let mut options = options(2);
                (options.strings, options.squares) = (strings, squares);
                let names = table.columns().iter().map(|column| column.name);
                let columns = ColumnSelection::named(table, names).unwrap();
                let made = ArrowTable::new(memory(text), columns, options).unwrap();
                let batches = read(&made);
                assert_eq!(batches.len(), 1, "{table}");
                assert_eq!(batches[0].schema(), made.schema());
                assert!(batches[0].num_rows() > 0);
            }
        }
    }
}

/// A difference of ratings, clocks or squares may be negative.
#[test]
fn only_keys_and_sets_of_squares_are_unsigned() {
    for table in Table::ALL {
        let names = table.columns().iter().map(|column| column.name);
        let columns = ColumnSelection::named(table, names).unwrap();
        let schema = ArrowTable::new(memory(""), columns, options(1)).unwrap().schema();
        for field in schema.fields() {
            let item = match field.data_type() {
                DataType::List(item) => item.data_type(),
                other => other,
            };
            let is_set = ["key", "white_men", "white_kings", "black_men", "black_kings"]
                .contains(&field.name().as_str());
            assert_eq!(item.is_unsigned_integer(), is_set, "{table}: {field}");
        }
    }
}

#[test]
fn rows_keep_their_order_on_any_number_of_threads() {
    let text = GAME.repeat(3000);
    for threads in [1, 2, 5] {
        let mut options = options(threads);
        options.batch_bytes = Some(4000);
        let columns = ColumnSelection::named(Table::Moves, ["record", "ply"]).unwrap();
        let batches = read(&ArrowTable::new(memory(&text), columns, options).unwrap());
        assert!(batches.len() > 10);
        let rows = batches.iter().flat_map(|batch| {
            let records = batch.column(0).as_primitive::<Int64Type>().values().to_vec();
            records.into_iter().zip(batch.column(1).as_primitive::<Int32Type>().values().to_vec())
        });
        assert!(rows.eq((1..=3000).flat_map(|record| (0..4).map(move |ply| (record, ply)))));
    }
}

#[test]
fn dictionaries_are_the_same_in_every_batch() {
    let mut options = options(2);
    options.batch_bytes = Some(4000);
    let columns = ColumnSelection::named(Table::Games, ["file", "status", "winner"]).unwrap();
    let text = format!("{}1. 1-2 *\n\n{GAME}", GAME.repeat(200));
    let batches = read(&ArrowTable::new(memory(&text), columns, options).unwrap());
    let values = |batch: &RecordBatch, column: usize| {
        batch.column(column).as_dictionary::<Int32Type>().values().clone()
    };
    for column in 0..3 {
        assert!(batches.iter().all(|batch| *values(batch, column) == *values(&batches[0], column)));
    }
    let last = batches.last().unwrap().column(2).as_dictionary::<Int32Type>();
    let words = last.values().as_string::<i32>();
    assert_eq!(words.value(last.keys().value(last.len() - 1) as usize), "white");
    assert!(last.is_null(last.len() - 2));
}

#[test]
fn queries_about_positions_of_archives_give_the_rows_of_an_index() {
    for (query, expected) in [("wm >= 0", 2), ("wm = 19", 1), ("wk >= 1", 0)] {
        let mut options = options(2);
        options.export = ExportOptions::new().query(Query::parse(query).unwrap());
        let columns = ColumnSelection::named(Table::Games, ["game", "record"]).unwrap();
        let text = format!("{GAME}\n[White \"b\"]\n1. 32-28 *\n");
        let batches = read(&ArrowTable::new(memory(&text), columns, options).unwrap());
        assert_eq!(batches.iter().map(RecordBatch::num_rows).sum::<usize>(), expected, "{query}");
        // The number in a temporary index means nothing.
        assert!(batches.iter().all(|batch| batch.column(0).null_count() == batch.num_rows()));
    }
}

#[test]
fn query_about_positions_is_refused_for_parts() {
    let mut options = options(1);
    options.export = ExportOptions::new().query(Query::parse("wk = 1").unwrap());
    let range = RecordRange::new(0, None, 0, 1, GAME.len() as u64);
    let part = ArchiveInput::Part("games.pdn".into(), range, ArchiveHead::default());
    let made = ArrowTable::new(Rows::of(vec![part]), ColumnSelection::of(Table::Games), options);
    assert!(matches!(made, Err(TableError::NeedsIndex)));
}

#[test]
fn archive_that_cannot_be_searched_to_its_end_is_an_error() {
    let mut options = options(1);
    options.export = ExportOptions::new().query(Query::parse("wm >= 0").unwrap());
    let rows = Rows::of(vec![ArchiveInput::File("/nowhere/games.pdn".into())]);
    let table = ArrowTable::new(rows, ColumnSelection::of(Table::Games), options).unwrap();
    let mut reader = table.reader();
    let Some(Err(error)) = reader.next() else { panic!("an error is expected") };
    assert!(error.to_string().contains("/nowhere/games.pdn"), "{error}");
    assert!(reader.next().is_none());
}

#[test]
fn search_is_stopped_before_the_first_rows() {
    let mut options = options(1);
    options.export = ExportOptions::new().query(Query::parse("wk > 12").unwrap());
    let text = GAME.repeat(200_000);
    let table = ArrowTable::new(memory(&text), ColumnSelection::of(Table::Games), options).unwrap();
    let mut reader = table.reader().stop_if(|| true);
    let Some(Err(ArrowError::ExternalError(error))) = reader.next() else { panic!("an error is expected") };
    assert!(matches!(error.downcast_ref(), Some(TableError::Stopped)));
    assert!(reader.next().is_none());
}

#[test]
fn wide_board_in_narrow_column_is_an_error_after_which_rows_end() {
    let columns = ColumnSelection::named(Table::Positions, ["white_men"]).unwrap();
    let table = ArrowTable::new(memory("[GameType \"27\"] 1. 46-40 *"), columns, options(1)).unwrap();
    let mut reader = table.reader();
    let Some(Err(ArrowError::ExternalError(error))) = reader.next() else { panic!("an error is expected") };
    assert!(matches!(error.downcast_ref(), Some(TableError::WideBoard)));
    assert!(reader.next().is_none());
    let columns = ColumnSelection::named(Table::Positions, ["white_men"]).unwrap();
    let mut wide = options(1);
    wide.squares = SquaresType::Wide;
    let table = ArrowTable::new(memory("[GameType \"27\"] 1. 46-40 *"), columns, wide).unwrap();
    assert_eq!(table.schema().field(0).data_type(), &DataType::FixedSizeBinary(16));
    assert_eq!(read(&table)[0].num_rows(), 2);
}

#[test]
fn limited_table_has_the_first_rows() {
    let text = GAME.repeat(3000);
    let mut options = options(2);
    options.batch_bytes = Some(4000);
    let columns = ColumnSelection::named(Table::Moves, ["record", "ply"]).unwrap();
    let table = ArrowTable::new(memory(&text), columns, options).unwrap();
    for limit in [0, 1, 5, 1000, 100_000] {
        let batches = read(&table.limit(limit));
        let rows: usize = batches.iter().map(RecordBatch::num_rows).sum();
        assert_eq!(rows, limit.min(12_000));
        if let Some(first) = batches.first() {
            assert_eq!(first.column(0).as_primitive::<Int64Type>().value(0), 1);
        }
    }
    assert_eq!(read(&table.limit(7).limit(9)).iter().map(RecordBatch::num_rows).sum::<usize>(), 7);
}

/// The first batch is small, so that the first rows come before megabytes of text are read.
#[test]
fn first_batches_of_a_file_are_small() {
    let path = std::env::temp_dir().join(format!("pdn-first-batches-{}.pdn", std::process::id()));
    std::fs::write(&path, GAME.repeat(40_000)).unwrap();
    let columns = ColumnSelection::named(Table::Games, ["record"]).unwrap();
    let table = ArrowTable::new(Rows::of([ArchiveInput::File(path.clone())]), columns, options(2)).unwrap();
    let rows: Vec<usize> = read(&table).iter().map(RecordBatch::num_rows).collect();
    std::fs::remove_file(path).unwrap();
    assert!(rows[..3].iter().all(|rows| rows * GAME.len() < 300 << 10), "{rows:?}");
    assert!(rows.iter().max() > Some(&(3 * rows[0])), "{rows:?}");
    assert_eq!(rows.iter().sum::<usize>(), 40_000);
}

#[test]
fn archives_that_may_be_skipped_are_listed() {
    let bad = || ArchiveInput::File("no/such/file.pdn".into());
    let good = || ArchiveInput::Memory("games.pdn".into(), Bytes::from(GAME.as_bytes().to_vec()));
    let binary = ArchiveInput::Memory("picture.pdn".into(), Bytes::from(vec![0; 1000]));
    for query in ["all", "wm >= 0"] {
        let archives = [(bad(), true), (good(), false), (binary.clone(), true), (good(), false)];
        let archives = archives.map(|(input, skips)| TableArchive::new(input, skips));
        let mut options = options(2);
        options.export = ExportOptions::new().query(Query::parse(query).unwrap());
        let table = ArrowTable::new(Rows::of(archives), ColumnSelection::of(Table::Games), options).unwrap();
        assert!(table.skipped().errors().is_empty());
        for _ in 0..2 {
            assert_eq!(read(&table).iter().map(RecordBatch::num_rows).sum::<usize>(), 2);
            let skipped = table.skipped().errors();
            let paths: Vec<_> = skipped.iter().filter_map(|error| error.path()).collect();
            assert_eq!(paths, ["no/such/file.pdn", "picture.pdn"].map(std::path::Path::new), "{query}");
        }
    }
}

#[test]
fn plain_table_is_stopped_between_and_during_batches() {
    let text = GAME.repeat(200_000);
    let table = ArrowTable::new(memory(&text), ColumnSelection::of(Table::Games), options(1)).unwrap();
    let mut reader = table.reader().stop_if(|| true);
    let error = reader.find_map(Result::err).expect("it is stopped");
    let ArrowError::ExternalError(error) = error else { panic!("{error}") };
    assert!(matches!(error.downcast_ref(), Some(TableError::Stopped)));
    assert!(reader.next().is_none());
}

#[test]
fn archive_that_cannot_be_opened_is_an_error_after_the_rows_before_it() {
    let archives = vec![
        ArchiveInput::Memory("games.pdn".into(), Bytes::from(GAME.as_bytes().to_vec())),
        ArchiveInput::File("no/such/file.pdn".into()),
    ];
    let table = ArrowTable::new(Rows::of(archives), ColumnSelection::of(Table::Games), options(2)).unwrap();
    let mut reader = table.reader();
    assert_eq!(reader.next().unwrap().unwrap().num_rows(), 1);
    assert!(reader.next().unwrap().unwrap_err().to_string().contains("no/such/file.pdn"));
    assert!(reader.next().is_none());
}
