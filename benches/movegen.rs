//! Measures the speed of the rules: leaf counts, and the moves of whole games found and played.
//!
//! Every benchmark asserts its result. A cautious random player plays the games from a fixed seed. It avoids giving
//! pieces away and therefore captures about as often as people do. Many games are replayed in turn, so that the
//! branch predictor cannot learn one of them by heart.

use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use fastrand::Rng;
use pdn::board::Square;
use pdn::movegen::MoveList;
use pdn::position::{Move, Position};
use pdn::replay::{GameStatus, ReplayOptions, Replayer};
use pdn::rules::Variant;
use pdn::split;
use pdn_rules::internal::board::{Bits, Geometry};
use pdn_rules::internal::movegen::{advance, legal_moves, perft_of};
use pdn_rules::internal::position::State;
use pdn_rules::internal::rules::{Ruleset, WithRules};

const CAPTURE_NODES: u32 = 1_000_000;

/// Returns games as first and last squares; a game ends before an ambiguous capture.
fn games(variant: Variant, count: usize, max_plies: usize) -> Vec<Vec<(Square, Square)>> {
    let mut random = Rng::with_seed(u64::from(variant.number()));
    let (mut list, mut replies) = (MoveList::new(), MoveList::new());
    (0..count)
        .map(|_| {
            let mut position = Position::start(variant);
            let mut moves = Vec::new();
            while moves.len() < max_plies {
                position.legal_moves(&mut list).expect("few captures");
                if list.is_empty() {
                    break;
                }
                // The number of pieces that the reply to each move can capture, less the number that the move
                // captures.
                let losses: Vec<i32> = list
                    .iter()
                    .map(|mv| {
                        let after = position.after_unchecked(mv);
                        after.legal_moves(&mut replies).expect("few captures");
                        let loss = replies.iter().map(|reply| reply.captured.count_ones()).max().unwrap_or(0);
                        loss as i32 - mv.captured.count_ones() as i32
                    })
                    .collect();
                let min_loss = *losses.iter().min().expect("there are moves");
                let cautious: Vec<usize> = (0..list.len()).filter(|&at| losses[at] == min_loss).collect();
                let choice = if random.usize(..20) == 0 {
                    random.usize(..list.len())
                } else {
                    cautious[random.usize(..cautious.len())]
                };
                let mv = list[choice];
                if position.find(mv.from, mv.to, &[]).is_err() {
                    break;
                }
                moves.push((mv.from, mv.to));
                position.play_unchecked(&mv);
            }
            moves
        })
        .collect()
}

struct Perft(Variant, u32);

impl WithRules for Perft {
    type Output = u64;
    fn run<R: Ruleset>(self, rules: R) -> u64 {
        let game = self.0.game();
        let state = State::<<R::Geometry as Geometry>::Bits>::start(&game.rules, game.numbering.start);
        perft_of(rules, &state, self.1, CAPTURE_NODES).expect("few captures")
    }
}

struct Replay<'a>(Variant, &'a [Vec<(Square, Square)>]);

impl WithRules for Replay<'_> {
    type Output = usize;
    fn run<R: Ruleset>(self, rules: R) -> usize {
        let game = self.0.game();
        let start = State::<<R::Geometry as Geometry>::Bits>::start(&game.rules, game.numbering.start);
        let mut plies = 0;
        for game in self.1 {
            let mut state = start;
            for &(from, to) in game {
                if advance(rules, &mut state, from, to, CAPTURE_NODES).is_err() {
                    break;
                }
                plies += 1;
            }
            black_box(&state);
        }
        plies
    }
}

struct Generate<'a>(Variant, &'a [Vec<(Square, Square)>]);

impl WithRules for Generate<'_> {
    type Output = usize;
    fn run<R: Ruleset>(self, rules: R) -> usize {
        let game = self.0.game();
        let start = State::<<R::Geometry as Geometry>::Bits>::start(&game.rules, game.numbering.start);
        let mut list = MoveList::<<R::Geometry as Geometry>::Bits>::new();
        let mut moves = 0;
        for game in self.1 {
            let mut state = start;
            for &(from, to) in game {
                legal_moves(rules, &state, CAPTURE_NODES, &mut list).expect("few captures");
                moves += list.len();
                let Some(mv) = list.iter().find(|mv| mv.from == from && mv.to == to) else { break };
                state.play(rules, mv);
            }
        }
        moves
    }
}

fn leaf_counts(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("perft");
    group.sample_size(10).measurement_time(Duration::from_secs(2)).warm_up_time(Duration::from_millis(300));
    for (variant, depth, nodes) in [
        (Variant::International, 7, 1_049_442),
        (Variant::English, 8, 845_931),
        (Variant::Italian, 8, 828_783),
        (Variant::Pool, 8, 929_896),
        (Variant::Spanish, 8, 828_783),
        (Variant::Russian, 8, 929_899),
        (Variant::Brazilian, 8, 907_830),
        (Variant::Canadian, 6, 584_100),
        (Variant::Czech, 8, 845_931),
        (Variant::Turkish, 6, 931_312),
        (Variant::Thai, 7, 1_820_189),
        (Variant::Frisian, 8, 2_825_779),
        (Variant::Spantsiretti, 7, 1_040_706),
    ] {
        group.throughput(Throughput::Elements(nodes));
        group.bench_function(variant.name(), |bencher| {
            bencher.iter(|| {
                assert_eq!(variant.rules().with(Perft(black_box(variant), depth)), nodes);
            });
        });
    }
    group.finish();
}

fn replay(criterion: &mut Criterion) {
    for (name, generating) in [("find and play", false), ("generate, pick and play", true)] {
        let mut group = criterion.benchmark_group(name);
        group
            .sample_size(10)
            .measurement_time(Duration::from_secs(1))
            .warm_up_time(Duration::from_millis(300));
        for variant in [
            Variant::International,
            Variant::English,
            Variant::Italian,
            Variant::Russian,
            Variant::Brazilian,
            Variant::Canadian,
            Variant::Turkish,
            Variant::Thai,
            Variant::Frisian,
        ] {
            let games = games(variant, 1_000, 100);
            let plies: usize = games.iter().map(Vec::len).sum();
            group.throughput(Throughput::Elements(plies as u64));
            group.bench_function(variant.name(), |bencher| {
                bencher.iter(|| {
                    if generating {
                        assert!(variant.rules().with(Generate(variant, black_box(&games))) >= plies);
                    } else {
                        assert_eq!(variant.rules().with(Replay(variant, black_box(&games))), plies);
                    }
                });
            });
        }
        group.finish();
    }
}

/// Returns the moves of the legal games of real files, if the files lie next to the checkout. Only games from the
/// start position are kept whose captures are determined by their first and last square.
fn real_games(variant: Variant, files: &[&str]) -> Vec<Vec<(Square, Square)>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpora");
    let mut replayer = Replayer::new(&ReplayOptions::default());
    let mut games = Vec::new();
    for file in files {
        let bytes = std::fs::read(folder.join(file)).unwrap_or_default();
        for game in split::records(&bytes) {
            let mut moves: Vec<Move> = Vec::new();
            let summary = replayer.replay(game.bytes, &mut moves);
            let pairs: Vec<_> = moves.iter().map(|mv| (mv.from, mv.to)).collect();
            let one = std::slice::from_ref(&pairs);
            if summary.status == GameStatus::Legal
                && variant.rules().with(Replay(variant, one)) == pairs.len()
            {
                games.push(pairs);
            }
        }
    }
    games
}

/// Cuts the games before the first capture of several pieces and before the first king; nearly all plies are of
/// this kind.
struct Common<'a>(Variant, &'a [Vec<(Square, Square)>]);

impl WithRules for Common<'_> {
    type Output = Vec<Vec<(Square, Square)>>;
    fn run<R: Ruleset>(self, rules: R) -> Self::Output {
        let game = self.0.game();
        let start = State::<<R::Geometry as Geometry>::Bits>::start(&game.rules, game.numbering.start);
        let common = |moves: &Vec<(Square, Square)>| {
            let mut state = start;
            let is_common = |&&(from, to): &&(Square, Square)| {
                let mv = advance(rules, &mut state, from, to, CAPTURE_NODES).expect("a legal game");
                mv.captured.count() < 2 && !state.kings.any()
            };
            moves.iter().take_while(is_common).copied().collect()
        };
        self.1.iter().map(common).collect()
    }
}

#[expect(clippy::print_stderr, reason = "a benchmark left out says so")]
fn real(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("find and play, real games");
    for (variant, files) in [
        (
            Variant::International,
            &[
                "wiegerw+pdn/wk2003.pdn",
                "Yodachess+BrunoGUI_Dames/1er Open International Allinges 2007.pdn",
                "Yodachess+BrunoGUI_Dames/2ème Open national du Léman.pdn",
                "Yodachess+BrunoGUI_Dames/48th Polish Team Championship.pdn",
                "Yodachess+BrunoGUI_Dames/Montpellier Open Serie A.pdn",
            ][..],
        ),
        (Variant::English, &["EricCJoyce+Datasets/ACF_a.pdn", "bcorfman+raven-checkers/tinsley.pdn"]),
    ] {
        let games = real_games(variant, files);
        if games.is_empty() {
            eprintln!("{variant}: no real files at hand");
            continue;
        }
        let common = variant.rules().with(Common(variant, &games));
        for (what, games) in [("whole", &games), ("their common plies", &common)] {
            let plies: usize = games.iter().map(Vec::len).sum();
            group.throughput(Throughput::Elements(plies as u64));
            group.bench_function(format!("{variant}, {} games, {what}", games.len()), |bencher| {
                bencher.iter(|| assert_eq!(variant.rules().with(Replay(variant, black_box(games))), plies));
            });
        }
    }
    group.finish();
}

criterion_group!(benches, leaf_counts, replay, real);
criterion_main!(benches);
