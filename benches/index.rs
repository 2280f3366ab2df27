//! Stages of an import, each including all before it, in plies per second. Run with `cargo bench --bench index`.
//!
//! Replaying alone is the lower bound. Above it: recording every ply, packing plies one by one, packing them in
//! batches, and writing the whole index to disk, from a file of the same games on one thread.

#[path = "common/legal.rs"]
mod legal;

use std::any::Any;
use std::hint::black_box;
use std::num::NonZeroUsize;
use std::path::Path;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use legal::games;
use pdn::internal::replay::{FilePrior, PlyBatch, PlySink};
use pdn::internal::simd;
use pdn::position::{Move, Position};
use pdn::replay::{ReplayOptions, Replayer};
use pdn::rules::Variant;
use pdn::split;
use pdn_index::Index;
use pdn_index::internal::PackedMoves;
use pdn_index::internal::pack::{MoveCodec, unpack};
use pdn_rules::internal::board::{Eight, Geometry, Ten};
use pdn_rules::internal::position::State;
use pdn_rules::internal::rules::{BitsOf, Ruleset};

/// Records the squares of every ply.
#[derive(Default)]
struct Recorded(Vec<[u8; 2]>);

impl PlySink for Recorded {
    #[inline]
    fn ply<R: Ruleset>(&mut self, _: R, _: &State<BitsOf<R>>, mv: &Move<BitsOf<R>>) {
        self.0.push([mv.from.0, mv.to.0]);
    }
}

/// Packs every ply; with `IN_BATCHES` those of a batch at once.
#[derive(Default)]
struct Packed<const IN_BATCHES: bool> {
    eight: MoveCodec<Eight>,
    ten: MoveCodec<Ten>,
    bytes: Vec<u8>,
}

impl<const IN_BATCHES: bool> Packed<IN_BATCHES> {
    #[inline(always)]
    fn codec<G: Geometry>(&mut self) -> (&MoveCodec<G>, &mut Vec<u8>) {
        let codec: [&dyn Any; 2] = [&self.eight, &self.ten];
        let codec = codec.into_iter().find_map(<dyn Any>::downcast_ref).expect("8x8 or 10x10");
        (codec, &mut self.bytes)
    }
}

impl<const IN_BATCHES: bool> PlySink for Packed<IN_BATCHES> {
    #[inline(always)]
    fn ply<R: Ruleset>(&mut self, _: R, before: &State<BitsOf<R>>, mv: &Move<BitsOf<R>>) {
        let (codec, bytes) = self.codec::<R::Geometry>();
        codec.encode(before, mv, bytes);
    }

    #[inline(always)]
    fn plies<R: Ruleset>(&mut self, rules: R, plies: &PlyBatch<'_, BitsOf<R>>) {
        if IN_BATCHES {
            let (codec, bytes) = self.codec::<R::Geometry>();
            return simd::run(codec.encode_plies(rules, plies, bytes));
        }
        plies.iter().for_each(|(before, mv)| self.ply(rules, &before, &mv));
    }
}

/// Replays all games and returns the number of plies.
fn replay<K: PlySink>(replayer: &mut Replayer, text: &[u8], sink: &mut K) -> u64 {
    split::records(text).map(|game| u64::from(replayer.replay_into(game.bytes, sink).plies)).sum()
}

/// Imports a file on one thread and returns the number of plies.
fn import(file: &Path, dir: &Path) -> u64 {
    let mut options = pdn_index::ImportOptions::default();
    options.threads = NonZeroUsize::MIN;
    let built = pdn_index::import([file], dir, &options);
    built.expect("a folder to write to").plies
}

/// Returns the packed moves of a game.
fn packed_game<'a>(moves: &PackedMoves<'a>, game: usize) -> &'a [u8] {
    moves.get(game).expect("as built").expect("a game of the segment")
}

/// Measures all stages on `count` games of a variant.
fn measure(criterion: &mut Criterion, variant: Variant, count: usize) {
    let text = games(variant, count);
    let temp = tempfile::tempdir().expect("a folder");
    let (file, dir) = (temp.path().join("games.pdn"), temp.path().join("index"));
    std::fs::write(&file, &text).expect("a file");
    let mut replayer = Replayer::new(&ReplayOptions::default());
    replayer
        .set_prior(FilePrior::of(split::records(&text).map(|game| game.bytes), &ReplayOptions::default()));

    // All stages produce the same bytes, which contain every ply.
    let plies = replay(&mut replayer, &text, &mut ());
    let (mut recorded, mut each, mut batches) =
        (Recorded::default(), Packed::<false>::default(), Packed::<true>::default());
    assert_eq!(replay(&mut replayer, &text, &mut recorded), plies);
    assert_eq!(recorded.0.len() as u64, plies);
    assert_eq!(replay(&mut replayer, &text, &mut each), plies);
    assert_eq!(replay(&mut replayer, &text, &mut batches), plies);
    assert!(each.bytes == batches.bytes, "{variant}: packed otherwise");
    assert_eq!(import(&file, &dir), plies);
    let index = Index::open(&dir).expect("as built");
    let segment = &index.segments()[0];
    let moves = segment.moves().expect("as built");
    let packed: Vec<u8> = (0..count).flat_map(|game| packed_game(&moves, game).to_vec()).collect();
    assert!(packed == batches.bytes, "{variant}: the index has other moves");
    let start = Position::start(variant);
    let unpacked = |game| unpack(&start, packed_game(&moves, game)).expect("as packed").0.len() as u64;
    assert_eq!((0..count).map(unpacked).sum::<u64>(), plies);

    let mut group = criterion.benchmark_group(format!("index/{variant}"));
    group.sample_size(20).warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(2));
    group.throughput(Throughput::Elements(plies));
    group.bench_function("replay", |bencher| {
        bencher.iter(|| assert_eq!(replay(&mut replayer, black_box(&text), &mut ()), plies));
    });
    group.bench_function("replay, noted", |bencher| {
        bencher.iter(|| {
            recorded.0.clear();
            replay(&mut replayer, black_box(&text), &mut recorded);
            assert_eq!(recorded.0.len() as u64, plies);
        });
    });
    group.bench_function("replay, packed one by one", |bencher| {
        bencher.iter(|| {
            each.bytes.clear();
            assert_eq!(replay(&mut replayer, black_box(&text), &mut each), plies);
        });
    });
    group.bench_function("replay, packed in series", |bencher| {
        bencher.iter(|| {
            batches.bytes.clear();
            assert_eq!(replay(&mut replayer, black_box(&text), &mut batches), plies);
        });
    });
    group.bench_function("index", |bencher| {
        bencher.iter(|| assert_eq!(import(black_box(&file), &dir), plies))
    });
    group.finish();
}

fn benches(criterion: &mut Criterion) {
    measure(criterion, Variant::International, 20_000);
    measure(criterion, Variant::English, 20_000);
}

criterion_group!(index_stages, benches);
criterion_main!(index_stages);
