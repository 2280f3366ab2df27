//! Our walk over draughts against `pgn-reader` over chess, each on its own notation, both counting moves and numbers of
//! neither: bytes a second, and moves a second.

#[path = "../../common/mod.rs"]
#[expect(dead_code, reason = "no measurement needs all of it")]
mod common;

use std::hint::black_box;
use std::ops::ControlFlow;
use std::time::Duration;

use criterion::{
    BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main, measurement::WallTime,
};
use pgn_reader::{Reader, SanPlus};

const BYTES: usize = 16 << 20;

/// Counts our moves.
#[derive(Default)]
struct Ours(usize);

impl<'g> pdn::parse::Visitor<'g> for Ours {
    #[inline]
    fn written_move(&mut self, _: pdn::parse::WrittenMove<'g>) -> ControlFlow<()> {
        self.0 += 1;
        ControlFlow::Continue(())
    }
}

/// Counts theirs.
#[derive(Default)]
struct Theirs(usize);

impl pgn_reader::Visitor for Theirs {
    type Tags = ();
    type Movetext = ();
    type Output = ();

    #[inline]
    fn begin_tags(&mut self) -> ControlFlow<(), ()> {
        ControlFlow::Continue(())
    }

    #[inline]
    fn begin_movetext(&mut self, (): ()) -> ControlFlow<(), ()> {
        ControlFlow::Continue(())
    }

    #[inline]
    fn san(&mut self, (): &mut (), _: SanPlus) -> ControlFlow<()> {
        self.0 += 1;
        ControlFlow::Continue(())
    }

    #[inline]
    fn end_game(&mut self, (): ()) {}
}

fn ours(text: &[u8]) -> usize {
    let mut visitor = Ours::default();
    pdn::split::records(text).for_each(|game| pdn::parse::walk(game.bytes, &mut visitor));
    visitor.0
}

fn theirs(text: &[u8]) -> usize {
    let mut visitor = Theirs::default();
    Reader::new(text).visit_all_games(&mut visitor).expect("memory can be read");
    visitor.0
}

fn tokens(c: &mut Criterion) {
    let draughts = common::archive(common::Style::International, BYTES);
    let chess = pdn_peers::chess(BYTES);
    for unit in ["bytes", "moves"] {
        let mut group = c.benchmark_group(unit);
        let throughput = |bytes: usize, moves: usize| {
            if unit == "bytes" { Throughput::Bytes(bytes as u64) } else { Throughput::Elements(moves as u64) }
        };
        measure(
            &mut group,
            throughput(draughts.text.len(), draughts.moves),
            "pdn",
            &draughts.text,
            ours,
            draughts.moves,
        );
        measure(
            &mut group,
            throughput(chess.text.len(), chess.moves),
            "pgn-reader",
            chess.text.as_bytes(),
            theirs,
            chess.moves,
        );
        group.finish();
    }
}

fn measure(
    group: &mut BenchmarkGroup<'_, WallTime>,
    throughput: Throughput,
    name: &str,
    text: &[u8],
    read: fn(&[u8]) -> usize,
    moves: usize,
) {
    group.throughput(throughput);
    group.bench_function(name, |b| b.iter(|| assert_eq!(read(black_box(text)), moves)));
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20).warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(2));
    targets = tokens
}
criterion_main!(benches);
