//! Measures how fast an archive is split into records. Lower bound: counting line ends with `memchr`.

#[expect(dead_code, reason = "each benchmark uses a part of it")]
mod common;

use std::hint::black_box;
use std::time::Duration;

use common::{Style, archive};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// The size of an archive in bytes: more than the caches hold, so that both read from memory.
const BYTES: usize = 64 << 20;

fn split(c: &mut Criterion) {
    for style in [Style::International, Style::English, Style::Annotated] {
        let archive = archive(style, BYTES);
        measure(c, &format!("{style:?}"), &archive.text, archive.games);
    }
    if let Some(text) = common::real() {
        let games = pdn::split::records(&text).count();
        measure(c, "Real", &text, games);
    }
}

/// Measures the lower bound and the splitter on one text, which has `games` records.
fn measure(c: &mut Criterion, name: &str, text: &[u8], games: usize) {
    let lines = text.iter().filter(|&&b| b == b'\n').count();
    let mut group = c.benchmark_group(format!("split/{name}"));
    group.throughput(Throughput::Bytes(text.len() as u64));
    group.bench_function("floor", |b| {
        b.iter(|| assert_eq!(memchr::memchr_iter(b'\n', black_box(text)).count(), lines));
    });
    group.bench_function("split", |b| {
        b.iter(|| assert_eq!(pdn::split::records(black_box(text)).count(), games))
    });
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20).warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(2));
    targets = split
}
criterion_main!(benches);
