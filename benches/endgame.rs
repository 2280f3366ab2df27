//! Endings: positions that are looked up in finished tables, and the proof of all with three pieces. Run with `cargo bench --bench endgame`.
//!
//! The floor of a look-up is generating the moves of its position. The counts of the proof are those that the tests know.

use std::hint::black_box;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::time::Duration;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use pdn_endgame::{Endings, PositionNumbers, Slice, Value};
use pdn_rules::{Position, Variant};

/// Positions that are looked up.
const POSITIONS: u64 = 2_000;
/// Positions of two and three pieces, both sides having one.
const THREE_PIECES: u64 = 3_488 + 196_032;
/// A slice with many blocks.
const SLICE: Slice = Slice { men: [1, 1], kings: [1, 1] };

fn benches(criterion: &mut Criterion) {
    let threads = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let folder = tempfile::tempdir().expect("a folder");
    let open = || Endings::open(folder.path(), Variant::English).expect("a folder");
    open().build(4, threads, |_| ControlFlow::Continue(())).expect("a folder to write to");
    let numbers = PositionNumbers::new(Variant::English, SLICE).expect("few pieces");
    // In no order: a step that has no divisor in common with the number of positions.
    let positions: Vec<Position> = (0..POSITIONS)
        .map(|n| numbers.position(n * 1_000_003 % numbers.count()).expect("a number below the count"))
        .collect();
    let sum = |endings: &Endings| -> u64 {
        let values = positions.iter().map(|position| endings.probe(position).expect("as built"));
        let number = |value| match value {
            Some(Value::Win { plies }) => 1_000_000 + u64::from(plies),
            Some(Value::Loss { plies }) => u64::from(plies),
            Some(Value::Draw) => 0,
            None => unreachable!("the slice is built"),
        };
        values.map(number).sum()
    };
    // Each value follows from those of the positions after the moves.
    let known = open();
    for position in positions.iter().filter(|position| position.end().is_none()) {
        let value = |position: &Position| known.probe(position).expect("as built");
        let moves = position.moves().expect("few moves");
        let wins =
            moves.iter().any(|mv| matches!(value(&position.after_unchecked(mv)), Some(Value::Loss { .. })));
        assert_eq!(matches!(value(position), Some(Value::Win { .. })), wins, "{position}");
    }
    let expected = sum(&known);

    let mut group = criterion.benchmark_group("endgame");
    group.sample_size(20).warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(2));
    group.throughput(Throughput::Elements(POSITIONS));
    group.bench_function("look-up", |bencher| {
        bencher.iter(|| assert_eq!(sum(black_box(&known)), expected));
    });
    group.throughput(Throughput::Elements(1));
    let mut next = positions.iter().cycle();
    group.bench_function("look-up, table opened", |bencher| {
        bencher.iter_batched(
            || (open(), next.next().expect("a cycle")),
            |(endings, position)| (endings.probe(position).expect("as built"), endings),
            BatchSize::SmallInput,
        );
    });
    group.throughput(Throughput::Elements(POSITIONS));
    group.bench_function("floor: moves generated", |bencher| {
        bencher.iter(|| positions.iter().filter(|position| black_box(position).end().is_some()).count());
    });
    group.sample_size(10);
    group.throughput(Throughput::Elements(THREE_PIECES));
    group.bench_function("proof of three pieces", |bencher| {
        bencher.iter_batched(
            || tempfile::tempdir().expect("a folder"),
            |folder| {
                let endings = Endings::open(folder.path(), Variant::English).expect("a folder");
                let mut positions = 0;
                let built = endings.build(3, threads, |slice| {
                    positions += slice.positions;
                    ControlFlow::Continue(())
                });
                assert_eq!((built.expect("a folder to write to").solved, positions), (16, THREE_PIECES));
                (positions, folder)
            },
            BatchSize::PerIteration,
        );
    });
    group.finish();
}

criterion_group!(all, benches);
criterion_main!(all);
