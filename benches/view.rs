//! Measures reading the tags of an archive, splitting included and movetext excluded. Floor: counting the line ends.

#[expect(dead_code, reason = "each benchmark uses a part of it")]
mod common;

use std::hint::black_box;
use std::time::Duration;

use common::{Archive, Style, archive};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use pdn::parse::{Flow, TagPair, Visitor, walk};
use pdn::view::RecordView;

const BYTES: usize = 64 << 20;

/// Counts tags and stops before the moves.
#[derive(Default)]
struct Tags(usize);

impl<'g> Visitor<'g> for Tags {
    #[inline]
    fn tag(&mut self, tag: TagPair<'g>) -> Flow {
        self.0 += usize::from(!tag.name.is_empty());
        Flow::Continue(())
    }

    #[inline]
    fn end_tags(&mut self) -> Flow {
        Flow::Break(())
    }
}

fn view(c: &mut Criterion) {
    for style in [Style::International, Style::English] {
        let Archive { text, games, tags, .. } = archive(style, BYTES);
        let lines = text.iter().filter(|&&b| b == b'\n').count();
        let views = || pdn::split::records(black_box(&text)).map(RecordView::from);
        let mut group = c.benchmark_group(format!("view/{style:?}"));
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function("floor", |b| {
            b.iter(|| assert_eq!(memchr::memchr_iter(b'\n', black_box(&text)).count(), lines));
        });
        group.bench_function("all tags", |b| {
            b.iter(|| assert_eq!(views().map(|game| game.tags().count()).sum::<usize>(), tags));
        });
        group.bench_function("one tag", |b| {
            b.iter(|| assert_eq!(views().filter(|game| game.tag("White").is_some()).count(), games));
        });
        group.bench_function("walk", |b| {
            b.iter(|| {
                let mut visitor = Tags::default();
                pdn::split::records(black_box(&text)).for_each(|game| walk(game.bytes, &mut visitor));
                assert_eq!(visitor.0, tags);
            });
        });
        group.finish();
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20).warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(2));
    targets = view
}
criterion_main!(benches);
