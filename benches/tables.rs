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
use pdn::export::{
    ColumnSelection, CsvWriter, DatasetGames, DatasetOptions, DatasetWriter, ExportOptions, RowMaker, Table,
};
use pdn::external_sort::ExternalSort;
use pdn::parse::{Flow, TagPair, Visitor, walk};
use pdn::replay::Replayer;
use pdn::rules::Variant;
use pdn::source::OpenOptions;

/// Number of games.
const GAMES: usize = 4_000;
/// Memory limit of the sort in bytes: a tenth of the archive.
const SORT_BYTES: usize = 300 << 10;

/// Calls `each` with the rows of every batch.
fn rows(text: &[u8], columns: &ColumnSelection, mut each: impl FnMut(pdn::export::TableBatch)) {
    let mut maker = RowMaker::new(columns, &ExportOptions::new());
    let archive = Archive::from_bytes(text.to_vec().into(), "games.pdn", &OpenOptions::new()).expect("text");
    for batch in archive.batches() {
        each(maker.rows(&batch.expect("in memory")));
    }
}

/// Writes rows as CSV, and returns their number.
fn csv(text: &[u8], columns: &ColumnSelection, out: &mut Vec<u8>) -> usize {
    let writer = CsvWriter::new(columns);
    let mut count = 0;
    rows(text, columns, |batch| {
        out.clear();
        writer.write(&batch, 0..batch.rows, out);
        count += out.split(|&byte| byte == b'\n').count() - 1;
    });
    count
}

/// Writes a training set, and returns the number of its positions.
fn dataset(text: &[u8], folder: &Path) -> u64 {
    let dir = tempfile::tempdir_in(folder).expect("a folder");
    let options = DatasetOptions::new();
    let mut writer = DatasetWriter::create(dir.path().join("set"), &options).expect("an empty folder");
    rows(text, &options.columns(), |batch| {
        writer.add(&DatasetGames::select(&batch, &options)).expect("a folder to write to");
    });
    let summary = writer.finish(NonZeroUsize::MIN).expect("a folder to write to");
    assert_eq!(summary.used_games(), GAMES as u64);
    summary.written.iter().sum()
}

/// Sorts the games by their text backwards, so that they come in no particular order, and returns how many there are.
fn sort(text: &[u8], folder: &Path) -> usize {
    let mut sort = ExternalSort::new(folder, SORT_BYTES);
    for game in pdn::split::games(text) {
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
    for game in pdn::split::games(text) {
        walk(game.bytes, &mut tags);
    }
    tags.0
}

fn benches(criterion: &mut Criterion) {
    let temp = tempfile::tempdir().expect("a folder");
    let text = games(Variant::International, GAMES);
    let mut replayer = Replayer::default();
    let mut replay =
        || pdn::split::games(&text).map(|game| replayer.summary(game.bytes).plies as usize).sum::<usize>();
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
    let expected = dataset(&text, temp.path());
    assert!(expected > 0);
    group.bench_function("training set", |bencher| {
        bencher.iter(|| assert_eq!(dataset(black_box(&text), temp.path()), expected));
    });
    group.finish();
}

criterion_group!(tables, benches);
criterion_main!(tables);
