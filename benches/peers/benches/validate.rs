//! Whole games proved legal from their text: our replayer on draughts, `pgn-reader` with shakmaty on chess as its example
//! `validate` does it, in one run. Plies a second, each on games of its own kind.

#[path = "../../common/legal.rs"]
mod legal;

use std::hint::black_box;
use std::ops::ControlFlow;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use pdn::replay::{GameStatus, ReplayOptions, Replayer};
use pdn::rules::Variant;
use pgn_reader::{Reader, SanPlus};
use shakmaty::{Chess, Position};

/// Plays their games.
#[derive(Default)]
struct Theirs {
    plies: usize,
    illegal: usize,
}

impl pgn_reader::Visitor for Theirs {
    type Tags = ();
    type Movetext = Chess;
    type Output = ();

    #[inline]
    fn begin_tags(&mut self) -> ControlFlow<(), ()> {
        ControlFlow::Continue(())
    }

    #[inline]
    fn begin_movetext(&mut self, (): ()) -> ControlFlow<(), Chess> {
        ControlFlow::Continue(Chess::default())
    }

    #[inline]
    fn san(&mut self, position: &mut Chess, san: SanPlus) -> ControlFlow<()> {
        match san.san.to_move(position) {
            Ok(mv) => position.play_unchecked(mv),
            Err(_) => {
                self.illegal += 1;
                return ControlFlow::Break(());
            }
        }
        self.plies += 1;
        ControlFlow::Continue(())
    }

    #[inline]
    fn end_game(&mut self, _: Chess) {}
}

fn theirs(text: &[u8]) -> (usize, usize) {
    let mut visitor = Theirs::default();
    Reader::new(text).visit_all_games(&mut visitor).expect("memory can be read");
    (visitor.plies, visitor.illegal)
}

fn ours(replayer: &mut Replayer, text: &[u8]) -> (usize, usize) {
    let (mut plies, mut illegal) = (0, 0);
    for game in pdn::split::records(text) {
        let summary = replayer.summary(game.bytes);
        plies += summary.plies as usize;
        illegal += usize::from(summary.status != GameStatus::Legal);
    }
    (plies, illegal)
}

fn validate(c: &mut Criterion) {
    let mut group = c.benchmark_group("validate");
    let chess = pdn_peers::chess(16 << 20);
    group.throughput(Throughput::Elements(chess.moves as u64));
    group.bench_function("pgn-reader and shakmaty, chess", |b| {
        b.iter(|| assert_eq!(theirs(black_box(chess.text.as_bytes())), (chess.moves, 0)));
    });
    for (name, variant) in [("international", Variant::International), ("english", Variant::English)] {
        let text = legal::games(variant, 5_000);
        let mut replayer = Replayer::new(&ReplayOptions::default());
        let (plies, illegal) = ours(&mut replayer, &text);
        assert_eq!(illegal, 0);
        group.throughput(Throughput::Elements(plies as u64));
        group.bench_function(format!("pdn, {name}"), |b| {
            b.iter(|| assert_eq!(ours(&mut replayer, black_box(&text)), (plies, 0)));
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20).warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(2));
    targets = validate
}
criterion_main!(benches);
