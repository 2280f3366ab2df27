//! Measures packed moves: packing, playing and searching. Throughput is in plies.
//!
//! The games are 1,000 different ones of random legal moves from fixed seeds, with moves of men preferred, so that no
//! branch predictor can learn them. The results are compared with naive ones before anything is measured.

#![expect(clippy::print_stderr, reason = "bytes per ply are printed for information")]

use std::hint::black_box;
use std::ops::ControlFlow;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use pdn::movegen::MoveList;
use pdn::position::{Move, Position};
use pdn::rules::Variant;
use pdn::value::Colour;
use pdn_index::internal::pack::{MoveCodec, PackedOp, pack, unpack};
use pdn_rules::internal::board::{Bits, Geometry};
use pdn_rules::internal::position::State;
use pdn_rules::internal::rules::{Ruleset, WithRules, rows};

const GAMES: u64 = 1000;

/// Returns a game of at most `plies` plies. If men can move, one of them moves in three of four plies, else any piece.
fn game(variant: Variant, seed: u64, plies: usize) -> Vec<PackedOp<u128>> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut random = move |n: usize| random.usize(..n);
    let (mut position, mut list, mut ops) = (Position::start(variant), MoveList::new(), Vec::new());
    for _ in 0..plies {
        position.legal_moves(&mut list).expect("captures within the limit");
        if list.is_empty() {
            break;
        }
        let men: Vec<Move> =
            list.iter().copied().filter(|mv| !position.state().kings.has(mv.from.0)).collect();
        let mv =
            if men.is_empty() || random(4) == 0 { list[random(list.len())] } else { men[random(men.len())] };
        ops.push(PackedOp::Move(mv));
        position.play_unchecked(&mv);
    }
    ops
}

struct Packed {
    bytes: Vec<u8>,
    /// The end of each game in `bytes`.
    ends: Vec<usize>,
    /// The number of plies of all games.
    plies: u64,
}

fn packed(games: &[Vec<PackedOp<u128>>], variant: Variant) -> Packed {
    let start = Position::start(variant);
    let (mut bytes, mut ends, mut plies) = (Vec::new(), Vec::new(), 0);
    for ops in games {
        pack(&start, ops, &mut bytes);
        plies += ops.len() as u64;
        ends.push(bytes.len());
    }
    Packed { bytes, ends, plies }
}

impl Packed {
    fn games(&self) -> impl Iterator<Item = &[u8]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.bytes[start..end])
    }
}

type BitsOf<R> = <<R as Ruleset>::Geometry as Geometry>::Bits;

/// Counts the positions that have pieces of White and of Black on given squares.
#[inline(never)]
fn pattern<R: Ruleset>(
    codec: &MoveCodec<R::Geometry>,
    start: &State<BitsOf<R>>,
    packed: &Packed,
    of: [BitsOf<R>; 2],
) -> u64 {
    let mut hits = 0;
    for game in packed.games() {
        let _ = codec.scan(start, game, |ply| {
            let [white, black] = ply.after().pieces;
            hits += u64::from(((white & of[0]) == of[0]) & ((black & of[1]) == of[1]));
            ControlFlow::Continue(())
        });
    }
    hits
}

/// Counts the positions in which White has at least two pieces more than Black.
#[inline(never)]
fn material<R: Ruleset>(codec: &MoveCodec<R::Geometry>, start: &State<BitsOf<R>>, packed: &Packed) -> u64 {
    let mut hits = 0;
    for game in packed.games() {
        let _ = codec.scan(start, game, |ply| {
            let [white, black] = Colour::ALL.map(|colour| ply.counts_after().pieces(colour));
            hits += u64::from(white >= black + 2);
            ControlFlow::Continue(())
        });
    }
    hits
}

/// Counts the pieces in the last positions of all games.
#[inline(never)]
fn play<R: Ruleset>(codec: &MoveCodec<R::Geometry>, start: &State<BitsOf<R>>, packed: &Packed) -> u64 {
    let last =
        |game| codec.scan(start, game, |_| ControlFlow::Continue(())).expect("packed games are not corrupt");
    packed.games().map(|game| u64::from(last(game).occupied().count())).sum()
}

/// Packs all games again while playing them. Returns the number of bytes.
struct Pack<'a>(&'a [Vec<PackedOp<u128>>], State<u128>, &'a mut Vec<u8>);

impl WithRules for Pack<'_> {
    type Output = usize;
    fn run<R: Ruleset>(self, rules: R) -> usize {
        let codec = MoveCodec::<R::Geometry>::new();
        self.2.clear();
        for game in self.0 {
            let mut state: State<BitsOf<R>> = self.1.resized();
            for op in game {
                if let PackedOp::Move(mv) = op {
                    let mv = mv.resized();
                    codec.encode(&state, &mv, self.2);
                    state.play(rules, &mv);
                }
            }
        }
        self.2.len()
    }
}

fn variant<R: Ruleset>(criterion: &mut Criterion, variant: Variant, rules: R, plies: usize) {
    let games: Vec<_> = (0..GAMES).map(|seed| game(variant, seed, plies)).collect();
    let packed = packed(&games, variant);
    eprintln!("{variant}: {:.3} bytes per ply", packed.bytes.len() as f64 / packed.plies as f64);
    let start = Position::start(variant);
    let narrow: State<BitsOf<R>> = start.state().resized();
    let codec = MoveCodec::<R::Geometry>::new();
    let squares =
        |set: BitsOf<R>| set.squares().step_by(5).take(2).fold(BitsOf::<R>::NONE, |a, b| a | Bits::one(b));
    let of = narrow.pieces.map(squares);
    // The same counts from unpacked games.
    let all: Vec<_> =
        packed.games().map(|game| unpack(&start, game).expect("packed games are not corrupt")).collect();
    let hit = |position: &Position| {
        let state: State<BitsOf<R>> = position.state().resized();
        (state.pieces[0] & of[0]) == of[0] && (state.pieces[1] & of[1]) == of[1]
    };
    let after = |(plies, last): &(Vec<pdn_index::internal::pack::UnpackedPly>, Position)| {
        plies.iter().skip(1).map(|ply| ply.before).chain([*last]).filter(hit).count() as u64
    };
    assert_eq!(pattern::<R>(&codec, &narrow, &packed, of), all.iter().map(after).sum::<u64>());
    let more = |position: &Position| {
        let [white, black] = position.state().pieces.map(u128::count_ones);
        white >= black + 2
    };
    let after_more = |(plies, last): &(Vec<pdn_index::internal::pack::UnpackedPly>, Position)| {
        plies.iter().skip(1).map(|ply| ply.before).chain([*last]).filter(more).count() as u64
    };
    assert_eq!(material::<R>(&codec, &narrow, &packed), all.iter().map(after_more).sum::<u64>());
    let left: u64 = all.iter().map(|(_, last)| u64::from(last.state().occupied().count_ones())).sum();
    assert_eq!(play::<R>(&codec, &narrow, &packed), left);
    let _ = rules;

    let mut group = criterion.benchmark_group(format!("packed/{variant}"));
    group.throughput(Throughput::Elements(packed.plies));
    group.bench_function("play", |b| b.iter(|| play::<R>(&codec, black_box(&narrow), &packed)));
    group.bench_function("pattern", |b| b.iter(|| pattern::<R>(&codec, black_box(&narrow), &packed, of)));
    group.bench_function("material", |b| b.iter(|| material::<R>(&codec, black_box(&narrow), &packed)));
    let mut out = Vec::new();
    group.bench_function("pack and play", |b| {
        b.iter(|| variant.rules().with(Pack(&games, *start.state(), &mut out)));
    });
    group.finish();
}

fn benches(criterion: &mut Criterion) {
    variant(criterion, Variant::International, rows::International, 100);
    variant(criterion, Variant::English, rows::English, 50);
    variant(criterion, Variant::Canadian, rows::Canadian, 100);
    variant(criterion, Variant::Turkish, rows::Turkish, 80);
}

criterion_group!(all, benches);
criterion_main!(all);
