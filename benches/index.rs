//! The stages of an index, each with all before it, in plies a second. Run with `cargo bench --bench index`.
//!
//! Replaying alone is the floor of an index. Above it: every ply noted as it comes, plies packed one by one and a series
//! at once, and the whole index on disk, from a file of the same games on one thread.

#[path = "common/legal.rs"]
mod legal;

use std::any::Any;
use std::hint::black_box;
use std::num::NonZeroUsize;
use std::path::Path;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use legal::games;
use pdn::board::{Eight, Geometry, Ten};
use pdn::index::{self, Index, PackedMoves};
use pdn::pack::{MoveCodec, unpack};
use pdn::position::{Move, Position, State};
use pdn::replay::{BitsOf, FilePrior, PlyBatch, PlySink, ReplayOptions, Replayer};
use pdn::rules::{Ruleset, Variant};
use pdn::split;

/// Keeps the squares of every ply.
#[derive(Default)]
struct Noted(Vec<[u8; 2]>);

impl PlySink for Noted {
    #[inline]
    fn ply<R: Ruleset>(&mut self, _: R, _: &State<BitsOf<R>>, mv: &Move<BitsOf<R>>) {
        self.0.push([mv.from.0, mv.to.0]);
    }
}

/// Packs every ply, `AT_ONCE` those of a series.
#[derive(Default)]
struct Packed<const AT_ONCE: bool> {
    eight: MoveCodec<Eight>,
    ten: MoveCodec<Ten>,
    bytes: Vec<u8>,
}

impl<const AT_ONCE: bool> Packed<AT_ONCE> {
    #[inline(always)]
    fn codec<G: Geometry>(&mut self) -> (&MoveCodec<G>, &mut Vec<u8>) {
        let codec: [&dyn Any; 2] = [&self.eight, &self.ten];
        let codec = codec.into_iter().find_map(<dyn Any>::downcast_ref).expect("8x8 or 10x10");
        (codec, &mut self.bytes)
    }
}

impl<const AT_ONCE: bool> PlySink for Packed<AT_ONCE> {
    #[inline(always)]
    fn ply<R: Ruleset>(&mut self, _: R, before: &State<BitsOf<R>>, mv: &Move<BitsOf<R>>) {
        let (codec, bytes) = self.codec::<R::Geometry>();
        codec.encode(before, mv, bytes);
    }

    #[inline(always)]
    fn plies<R: Ruleset>(&mut self, rules: R, plies: &PlyBatch<'_, BitsOf<R>>) {
        if AT_ONCE {
            let (codec, bytes) = self.codec::<R::Geometry>();
            return codec.encode_plies(rules, plies, bytes);
        }
        plies.iter().for_each(|(before, mv)| self.ply(rules, &before, &mv));
    }
}

/// Replays all games and answers with their plies.
fn replay<K: PlySink>(replayer: &mut Replayer, text: &[u8], sink: &mut K) -> u64 {
    split::games(text).map(|game| u64::from(replayer.replay(game.bytes, sink).plies)).sum()
}

/// Indexes a file on one thread and answers with its plies.
fn build(file: &Path, dir: &Path) -> u64 {
    let mut options = index::ImportOptions::default();
    options.threads = NonZeroUsize::MIN;
    let built = index::import([file], dir, &options);
    built.expect("a folder to write to").plies
}

fn packed_game<'a>(moves: &PackedMoves<'a>, game: usize) -> &'a [u8] {
    moves.get(game).expect("as built").expect("a game of the segment")
}

fn measure(criterion: &mut Criterion, variant: Variant, count: usize) {
    let text = games(variant, count);
    let place = tempfile::tempdir().expect("a folder");
    let (file, dir) = (place.path().join("games.pdn"), place.path().join("index"));
    std::fs::write(&file, &text).expect("a file");
    let mut replayer = Replayer::new(ReplayOptions::default());
    replayer.set_prior(FilePrior::of(split::games(&text).map(|game| game.bytes), &ReplayOptions::default()));

    // All ways to the same bytes, and every ply is in them.
    let plies = replay(&mut replayer, &text, &mut ());
    let (mut noted, mut each, mut series) =
        (Noted::default(), Packed::<false>::default(), Packed::<true>::default());
    assert_eq!(replay(&mut replayer, &text, &mut noted), plies);
    assert_eq!(noted.0.len() as u64, plies);
    assert_eq!(replay(&mut replayer, &text, &mut each), plies);
    assert_eq!(replay(&mut replayer, &text, &mut series), plies);
    assert!(each.bytes == series.bytes, "{variant}: packed otherwise");
    assert_eq!(build(&file, &dir), plies);
    let index = Index::open(&dir).expect("as built");
    let segment = &index.segments()[0];
    let moves = segment.moves().expect("as built");
    let packed: Vec<u8> = (0..count).flat_map(|game| packed_game(&moves, game).to_vec()).collect();
    assert!(packed == series.bytes, "{variant}: the index has other moves");
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
            noted.0.clear();
            replay(&mut replayer, black_box(&text), &mut noted);
            assert_eq!(noted.0.len() as u64, plies);
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
            series.bytes.clear();
            assert_eq!(replay(&mut replayer, black_box(&text), &mut series), plies);
        });
    });
    group
        .bench_function("index", |bencher| bencher.iter(|| assert_eq!(build(black_box(&file), &dir), plies)));
    group.finish();
}

fn benches(criterion: &mut Criterion) {
    measure(criterion, Variant::International, 20_000);
    measure(criterion, Variant::English, 20_000);
}

criterion_group!(index_stages, benches);
criterion_main!(index_stages);
