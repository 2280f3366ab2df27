//! Measures replaying from text, with legality, in plies per second. Run with `cargo bench --bench replay`.
//!
//! The input is generated, so that it is the same on every machine. Real files are measured too if they are present, and
//! the archives that `PDN_ARCHIVES` names, separated by colons. Lower bounds: counting line ends, and the same walk with
//! the moves decoded and nothing played. Every documented way to replay is measured: for the summary alone, with a sink of positions,
//! with a list of moves, and with comments and variations.

#[path = "common/legal.rs"]
mod legal;

use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

use criterion::{
    BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main, measurement::WallTime,
};
use legal::games;
use pdn::internal::replay::FilePrior;
use pdn::parse::{Flow, VariationAction, VariationMark, Visitor, WrittenMove, walk};
use pdn::replay::{GameStatus, PositionSink, ReplayOptions, Replayer};
use pdn::rules::Variant;
use pdn::{Move, Position, split};
use pdn_rules::internal::notation::pair;

fn replay(replayer: &mut Replayer, bytes: &[u8]) -> (u64, u64) {
    let (mut plies, mut legal) = (0, 0);
    for game in split::records(bytes) {
        let summary = replayer.summary(game.bytes);
        plies += u64::from(summary.plies);
        legal += u64::from(summary.status == GameStatus::Legal);
    }
    (plies, legal)
}

/// Counts the moves that decode as pairs: a lower bound for replaying, with the same walk.
#[derive(Default)]
struct DecodedPairs(u64);

impl<'g> Visitor<'g> for DecodedPairs {
    fn written_move(&mut self, mv: WrittenMove<'g>) -> Flow {
        self.0 += u64::from(pair(mv.text).is_some());
        Flow::Continue(())
    }
    fn begin_variation(&mut self, _: VariationMark) -> VariationAction {
        VariationAction::Skip
    }
}

/// Hashes the positions of main lines, so that each has to be made.
#[derive(Default)]
struct PositionHash(u64);

impl PositionHash {
    fn add(&mut self, position: &Position) {
        let state = position.state();
        let set = state.pieces[0].rotate_left(1) ^ state.pieces[1] ^ state.kings.rotate_left(2);
        self.0 = self.0.wrapping_mul(31).wrapping_add(set as u64 ^ state.turn as u64);
    }
}

impl PositionSink for PositionHash {
    fn ply(&mut self, before: &Position, _: &Move) {
        self.add(before);
    }
}

/// Returns the hash of the positions of all main lines.
fn replay_positions(replayer: &mut Replayer, bytes: &[u8]) -> u64 {
    let mut hash = PositionHash::default();
    split::records(bytes).for_each(|game| _ = replayer.replay(game.bytes, &mut hash));
    hash.0
}

/// Returns the number of moves of all main lines.
fn replay_moves(replayer: &mut Replayer, bytes: &[u8]) -> u64 {
    let mut moves: Vec<Move> = Vec::new();
    let count = |game: split::Record<'_>| {
        replayer.replay(game.bytes, &mut moves);
        moves.len() as u64
    };
    split::records(bytes).map(count).sum()
}

/// Returns the hash of the positions of all main lines, from the trees of their games.
fn replay_annotated(replayer: &mut Replayer, bytes: &[u8]) -> u64 {
    let mut hash = PositionHash::default();
    for game in split::records(bytes) {
        replayer.replay_annotated(game.bytes).main.plies.iter().for_each(|ply| hash.add(&ply.position));
    }
    hash.0
}

fn measure(group: &mut BenchmarkGroup<'_, WallTime>, name: &str, bytes: &[u8]) {
    let prior = FilePrior::of(split::records(bytes).map(|game| game.bytes), &ReplayOptions::default());
    let mut replayer = Replayer::new(&ReplayOptions::default());
    replayer.set_prior(prior);
    let (plies, legal) = replay(&mut replayer, bytes);
    let games = split::records(bytes).count() as u64;
    assert!(legal * 100 >= games * 99, "{name}: {legal} of {games} games are legal");
    group.throughput(Throughput::Elements(plies));
    let lines = memchr::memchr_iter(b'\n', bytes).count();
    group.bench_function(format!("{name}/floor"), |bencher| {
        bencher.iter(|| assert_eq!(memchr::memchr_iter(b'\n', black_box(bytes)).count(), lines));
    });
    group.bench_function(format!("{name}/replay"), |bencher| {
        bencher.iter(|| assert_eq!(replay(&mut replayer, black_box(bytes)), (plies, legal)));
    });
    let hash = replay_positions(&mut replayer, bytes);
    group.bench_function(format!("{name}/replay with positions"), |bencher| {
        bencher.iter(|| assert_eq!(replay_positions(&mut replayer, black_box(bytes)), hash));
    });
    group.bench_function(format!("{name}/replay with moves"), |bencher| {
        bencher.iter(|| assert_eq!(replay_moves(&mut replayer, black_box(bytes)), plies));
    });
    group.bench_function(format!("{name}/replay with annotations"), |bencher| {
        bencher.iter(|| assert_eq!(replay_annotated(&mut replayer, black_box(bytes)), hash));
    });
    group.bench_function(format!("{name}/walk and decode"), |bencher| {
        bencher.iter(|| {
            let mut decoded = DecodedPairs::default();
            split::records(black_box(bytes)).for_each(|game| walk(game.bytes, &mut decoded));
            decoded.0
        });
    });
}

#[expect(clippy::print_stderr, reason = "a skipped benchmark prints the reason")]
fn benches(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("replay");
    group.sample_size(20).warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(2));
    for (name, variant) in [
        ("international", Variant::International),
        ("english", Variant::English),
        ("russian", Variant::Russian),
        ("frisian", Variant::Frisian),
    ] {
        measure(&mut group, name, &games(variant, 2_000));
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpora");
    for (name, file) in [
        ("real international", "Yodachess+BrunoGUI_Dames/2ème Open national du Léman.pdn"),
        ("real english", "EricCJoyce+Datasets/ACF_a.pdn"),
    ] {
        match std::fs::read(root.join(file)) {
            Ok(bytes) => measure(&mut group, name, &bytes),
            Err(_) => eprintln!("skipped: {file} is not present"),
        }
    }
    for path in std::env::var("PDN_ARCHIVES").unwrap_or_default().split(':').filter(|path| !path.is_empty()) {
        let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{path}: {error}"));
        group.sample_size(10);
        measure(&mut group, path, &bytes);
    }
    group.finish();

    let texts: Vec<&[u8]> = vec![b"32-28", b"1-6", b"19x23", b"12-7", b"8-12", b"c3-d4", b"a3b4", b"3228"];
    let mut group = criterion.benchmark_group("decode");
    group.throughput(Throughput::Elements(texts.len() as u64));
    group.bench_function("a move", |bencher| {
        bencher.iter(|| {
            black_box(&texts)
                .iter()
                .filter_map(|text| pair(text))
                .map(|(from, _)| from.is_algebraic())
                .filter(|&a| a)
                .count()
        });
    });
    group.finish();
}

criterion_group!(replays, benches);
criterion_main!(replays);
