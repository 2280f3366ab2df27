//! Tables: rows as CSV, a training set, and the external sort, on one thread. Run with `cargo bench --bench tables`.
//!
//! Floors: the replay of every game for rows of moves and positions, and one pass over the tags for rows of games with three
//! tags. A training set is written to a temporary folder, so that it includes the writing of files.

#[path = "common/legal.rs"]
mod legal;

use std::hint::black_box;
use std::num::NonZeroUsize;
use std::path::Path;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use legal::games;
use pdn::Archive;
use pdn::parse::{Flow, TagPair, Visitor, walk};
use pdn::replay::Replayer;
use pdn::rules::Variant;
use pdn::source::OpenOptions;
use pdn_index::internal::external_sort::ExternalSort;
use pdn_tables::{
    ColumnSelection, CsvWriter, DatasetDedup, DatasetFormat, DatasetOptions, DatasetReader, DatasetWriter,
    ExportOptions, RowMaker, Table, TableBatch,
};

/// Number of games.
const GAMES: usize = 4_000;
/// Memory limit of the sort in bytes: a tenth of the archive.
const SORT_BYTES: usize = 300 << 10;

/// Calls `each` with the rows of every batch.
fn rows(text: &[u8], columns: &ColumnSelection, options: &ExportOptions, mut each: impl FnMut(TableBatch)) {
    let mut maker = RowMaker::new(columns, options);
    let archive = Archive::from_bytes(text.to_vec().into(), "games.pdn", &OpenOptions::new()).expect("text");
    for batch in archive.batches() {
        each(maker.rows(&batch.expect("in memory")).expect("all batches"));
    }
}

/// Writes rows as CSV, and returns their number.
fn csv(text: &[u8], columns: &ColumnSelection, out: &mut Vec<u8>) -> usize {
    let writer = CsvWriter::new(columns);
    let mut count = 0;
    rows(text, columns, &ExportOptions::new(), |batch| {
        out.clear();
        writer.write(&batch, 0..batch.rows, out);
        count += out.split(|&byte| byte == b'\n').count() - 1;
    });
    count
}

/// Writes a training set into a new folder, and returns the number of its positions.
fn dataset(text: &[u8], dir: &Path, options: &DatasetOptions) -> u64 {
    let mut writer = DatasetWriter::create(dir, options).expect("an empty folder");
    let export = ExportOptions::new().dataset(options.clone());
    rows(text, &ColumnSelection::of_dataset(options), &export, |batch| {
        writer.add(&batch.dataset).expect("a folder to write to");
    });
    let summary = writer.finish(NonZeroUsize::MIN).expect("a folder to write to");
    assert_eq!(summary.used_games(), GAMES as u64);
    summary.written.iter().sum()
}

/// Returns the options of a training set of all positions of all games.
fn all_positions(format: DatasetFormat) -> DatasetOptions {
    let mut options = DatasetOptions::new();
    (options.format, options.dedup, options.captures) = (format, Some(DatasetDedup::None), true);
    (options.skip_plies, options.split) = (0, 1.0);
    options
}

/// Reads all records in batches in a random order, and returns their number and the sum of their first words, which no order changes.
fn shuffled(reader: &DatasetReader, epoch: u64, batch: &mut Vec<u8>) -> (u64, u64) {
    let (mut count, mut sum) = (0, 0u64);
    let mut batches = reader.batches(16_384, 1, epoch).expect("files to read");
    while let records @ 1.. = batches.prepare().expect("files to read") {
        batch.resize(records * reader.record_len(), 0);
        batches.fill(batch);
        count += records as u64;
        for record in batch.chunks_exact(reader.record_len()) {
            sum = sum.wrapping_add(record.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes)));
        }
    }
    (count, sum)
}

/// Sorts the games by their text backwards, so that they come in no particular order, and returns how many there are.
fn sort(text: &[u8], folder: &Path) -> usize {
    let mut sort = ExternalSort::new(folder, SORT_BYTES);
    for game in pdn::split::records(text) {
        let key: Vec<u8> = game.bytes.iter().rev().take(64).copied().collect();
        sort.push(&key, game.bytes).expect("a folder to write to");
    }
    let mut sorted = sort.finish().expect("a folder to read from");
    let (mut count, mut last) = (0, Vec::new());
    while let Some(record) = sorted.next_record().expect("a folder to read from") {
        assert!(*last <= *record.key, "in order");
        last.clear();
        last.extend_from_slice(record.key);
        count += 1;
    }
    count
}

/// Counts the tags of all games, without their moves.
fn tags(text: &[u8]) -> usize {
    #[derive(Default)]
    struct Tags(usize);
    impl<'g> Visitor<'g> for Tags {
        fn tag(&mut self, _: TagPair<'g>) -> Flow {
            self.0 += 1;
            Flow::Continue(())
        }

        fn end_tags(&mut self) -> Flow {
            Flow::Break(())
        }
    }
    let mut tags = Tags::default();
    for game in pdn::split::records(text) {
        walk(game.bytes, &mut tags);
    }
    tags.0
}

fn benches(criterion: &mut Criterion) {
    let temp = tempfile::tempdir().expect("a folder");
    let text = games(Variant::International, GAMES);
    let mut replayer = Replayer::default();
    let mut replay =
        || pdn::split::records(&text).map(|game| replayer.summary(game.bytes).plies as usize).sum::<usize>();
    let plies = replay();
    let columns = |table, names: &[&str]| {
        ColumnSelection::named(table, names.iter().copied()).expect("columns of the table")
    };
    let mut group = criterion.benchmark_group("tables");
    group.sample_size(20).warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(2));

    group.throughput(Throughput::Elements(GAMES as u64));
    group.bench_function("floor of games: tags", |bencher| {
        bencher.iter(|| assert_eq!(tags(black_box(&text)), 3 * GAMES));
    });
    let mut out = Vec::new();
    let three_tags = columns(Table::Games, &["event", "white", "result"]);
    for (name, columns) in [("three tags", three_tags), ("all columns", ColumnSelection::of(Table::Games))] {
        group.bench_function(format!("games, {name}"), |bencher| {
            bencher.iter(|| assert_eq!(csv(black_box(&text), &columns, &mut out), GAMES));
        });
    }
    group.bench_function("external sort", |bencher| {
        bencher.iter(|| assert_eq!(sort(black_box(&text), temp.path()), GAMES));
    });

    group.throughput(Throughput::Elements(plies as u64));
    group.bench_function("floor of moves and positions: replay", |bencher| {
        bencher.iter(|| assert_eq!(replay(), plies));
    });
    let eight = columns(Table::Moves, &["record", "ply", "by", "text", "from", "to", "man", "key"]);
    for (name, columns) in [("eight columns", eight), ("all columns", ColumnSelection::of(Table::Moves))] {
        group.bench_function(format!("moves, {name}"), |bencher| {
            bencher.iter(|| assert_eq!(csv(black_box(&text), &columns, &mut out), plies));
        });
    }
    let positions = ColumnSelection::of(Table::Positions);
    group.bench_function("positions, all columns", |bencher| {
        bencher.iter(|| assert_eq!(csv(black_box(&text), &positions, &mut out), plies + GAMES));
    });
    for (name, options) in [
        ("training set", DatasetOptions::new()),
        ("training set, jnnw", all_positions(DatasetFormat::Jnnw)),
        ("training set, bullet-ataxx", all_positions(DatasetFormat::BulletAtaxx)),
    ] {
        let make = || {
            let dir = tempfile::tempdir_in(temp.path()).expect("a folder");
            dataset(black_box(&text), &dir.path().join("set"), &options)
        };
        let expected = make();
        let is_whole = options.captures;
        assert!(
            if is_whole { expected == (plies + GAMES) as u64 } else { expected > 0 },
            "{name}: {expected}"
        );
        group.bench_function(name, |bencher| bencher.iter(|| assert_eq!(make(), expected)));
    }
    for format in [DatasetFormat::Bin, DatasetFormat::Jnnw, DatasetFormat::BulletAtaxx] {
        let dir = temp.path().join(format.name());
        let records = dataset(&text, &dir, &all_positions(format));
        let extension = if format == DatasetFormat::Jnnw { "jnnw" } else { "bin" };
        let file = dir.join(format!("train-00000-of-00001.{extension}"));
        let reader = DatasetReader::open([file], format, Variant::International).expect("a training set");
        let mut batch = Vec::new();
        let (count, sum) = shuffled(&reader, 0, &mut batch);
        assert_eq!(count, records);
        let mut epoch = 0;
        group.bench_function(format!("shuffled batches, {}", format.name()), |bencher| {
            bencher.iter(|| {
                epoch += 1;
                assert_eq!(shuffled(black_box(&reader), epoch, &mut batch), (count, sum));
            });
        });
    }
    group.finish();
}

criterion_group!(tables, benches);
criterion_main!(tables);
