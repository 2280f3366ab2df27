//! Measures building syntax trees. Floor: a walk with a visitor that only counts moves.

#[expect(dead_code, reason = "each benchmark uses a part of it")]
mod common;

use std::hint::black_box;
use std::time::Duration;

use common::{Moves, Style, archive};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use pdn::ast::{Arena, TreeBuilder};
use pdn::parse::walk;

const BYTES: usize = 16 << 20;

fn ast(c: &mut Criterion) {
    for style in [Style::International, Style::English, Style::Annotated] {
        let archive = archive(style, BYTES);
        let text = &archive.text[..];
        let mut group = c.benchmark_group(format!("ast/{style:?}"));
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function("walk", |b| {
            b.iter(|| {
                let mut visitor = Moves::default();
                pdn::split::records(black_box(text)).for_each(|game| walk(game.bytes, &mut visitor));
                assert_eq!(visitor.0, archive.moves);
            });
        });
        let (mut builder, mut arena) = (TreeBuilder::new(), Arena::new());
        // Queries of a tree are not measured, so its parts are checked once, before.
        let mut tags = 0;
        for game in pdn::split::records(text) {
            tags += builder.build(game.bytes, &arena).tags().count();
            arena.reset();
        }
        assert_eq!(tags, archive.tags);
        group.bench_function("tree", |b| {
            b.iter(|| {
                let mut games = 0;
                for game in pdn::split::records(black_box(text)) {
                    black_box(builder.build(game.bytes, &arena));
                    arena.reset();
                    games += 1;
                }
                assert_eq!(games, archive.games);
            });
        });
        group.finish();
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20).warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(2));
    targets = ast
}
criterion_main!(benches);
