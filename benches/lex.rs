//! Measures how fast movetext becomes tokens, by the automaton alone and with runs of tokens from bit masks, and how
//! fast a whole archive is split and walked. Lower bound: counting line ends.

#[expect(dead_code, reason = "each benchmark uses a part of it")]
mod common;

use std::hint::black_box;
use std::time::Duration;

use common::{Style, archive};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use pdn::internal::lex::{Automaton, Lexer, Token, TokenKind};
use pdn::internal::parse::MoveRun;
use pdn::limits::Limits;
use pdn::parse::{Flow, Visitor, WrittenMove, walk};
use pdn::view::RecordView;

/// The size of an archive in bytes.
const BYTES: usize = 16 << 20;

/// Counts moves.
#[derive(Default)]
struct MoveCounter(usize);

impl<'g> Visitor<'g> for MoveCounter {
    const NUMBERS: bool = false;

    #[inline]
    fn written_move(&mut self, _: WrittenMove<'g>) -> Flow {
        self.0 += 1;
        Flow::Continue(())
    }

    #[inline(always)]
    fn move_run(&mut self, moves: MoveRun<'g>) -> Flow {
        self.0 += moves.len();
        Flow::Continue(())
    }
}

fn lex(c: &mut Criterion) {
    for style in [Style::International, Style::English, Style::Annotated] {
        let archive = archive(style, BYTES);
        measure(c, &format!("{style:?}"), &archive.text, archive.moves);
    }
    if let Some(text) = common::real() {
        measure(c, "Real", &text, count_moves(&text));
    }
}

/// Measures the lexers on the movetext of one archive, and the walk over all of it, which has `moves` moves.
fn measure(c: &mut Criterion, name: &str, text: &[u8], moves: usize) {
    let movetexts: Vec<&[u8]> =
        pdn::split::records(text).map(|game| RecordView::from(game).movetext()).collect();
    let bytes: usize = movetexts.iter().map(|movetext| movetext.len()).sum();
    let count = |tokens: &mut dyn Iterator<Item = Token>| {
        tokens.filter(|token| token.kind == TokenKind::Move).count()
    };
    let expected: usize =
        movetexts.iter().map(|movetext| count(&mut Automaton::new(movetext, 0, &Limits::DEFAULT))).sum();

    let mut group = c.benchmark_group(format!("lex/{name}"));
    group.throughput(Throughput::Bytes(bytes as u64));
    group.bench_function("automaton", |b| {
        b.iter(|| {
            let lexers = movetexts.iter().map(|movetext| Automaton::new(movetext, 0, &Limits::DEFAULT));
            let moves: usize =
                lexers.map(|lexer| lexer.filter(|token| token.kind == TokenKind::Move).count()).sum();
            assert_eq!(moves, expected);
        });
    });
    group.bench_function("lexer", |b| {
        b.iter(|| {
            let lexers = movetexts.iter().map(|movetext| Lexer::new(movetext, 0, &Limits::DEFAULT));
            let moves: usize =
                lexers.map(|lexer| lexer.filter(|token| token.kind == TokenKind::Move).count()).sum();
            assert_eq!(moves, expected);
        });
    });
    group.finish();

    let lines = text.iter().filter(|&&b| b == b'\n').count();
    let mut group = c.benchmark_group(format!("walk/{name}"));
    group.throughput(Throughput::Bytes(text.len() as u64));
    group.bench_function("floor", |b| {
        b.iter(|| assert_eq!(memchr::memchr_iter(b'\n', black_box(text)).count(), lines));
    });
    group.bench_function("split and walk", |b| b.iter(|| assert_eq!(count_moves(black_box(text)), moves)));
    group.finish();
}

/// Splits and walks over an archive. Returns the number of moves.
fn count_moves(text: &[u8]) -> usize {
    let mut visitor = MoveCounter::default();
    pdn::split::records(text).for_each(|game| walk(game.bytes, &mut visitor));
    visitor.0
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20).warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(2));
    targets = lex
}
criterion_main!(benches);
