//! Measures walking over an archive in batches on one thread and on two; the counts are summed in order.

#[expect(dead_code, reason = "each benchmark uses a part of it")]
mod common;

use std::io::Cursor;
use std::num::NonZeroUsize;
use std::time::Duration;

use common::{Moves, Style, archive};
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use pdn::archive::Archive;
use pdn::parse::walk;
use pdn::source::OpenOptions;

const BYTES: usize = 64 << 20;

fn pool(c: &mut Criterion) {
    let common::Archive { text, moves, .. } = archive(Style::International, BYTES);
    let folder = tempfile::tempdir().expect("a folder for the archive");
    let path = folder.path().join("archive.pdn");
    std::fs::write(&path, &text).expect("the archive is written");
    let mut group = c.benchmark_group("pool");
    group.throughput(Throughput::Bytes(text.len() as u64));
    for threads in [1, 2] {
        let threads = NonZeroUsize::new(threads).expect("a number above 0");
        let count = move |archive: Archive| {
            let mut sum = 0;
            let counts = pdn::internal::pool::map(
                archive.batches(),
                threads,
                || (),
                |(), batch| {
                    let mut visitor = Moves::default();
                    batch.expect("readable").games().for_each(|game| walk(game.raw(), &mut visitor));
                    visitor.0
                },
            );
            counts.for_each(|count| sum += count);
            assert_eq!(sum, moves);
        };
        group.bench_function(format!("mapped, {threads}"), |b| {
            b.iter(|| count(Archive::open(&path).expect("the archive opens")));
        });
        group.bench_function(format!("streamed, {threads}"), |b| {
            b.iter_batched(
                || Cursor::new(text.clone()),
                |reader| {
                    count(Archive::from_reader(reader, "memory", &OpenOptions::new()).expect("it opens"))
                },
                BatchSize::PerIteration,
            );
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20).warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(3));
    targets = pool
}
criterion_main!(benches);
