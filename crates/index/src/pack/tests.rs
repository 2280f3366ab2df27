//! Compares packing, unpacking and scanning with each other, on generated games of every variant.

use crate::internal::pack::plies_len;
use std::ops::ControlFlow;

use proptest::prelude::*;

use super::*;
use pdn::internal::replay::{PlyBatch, play_bits};
use pdn::internal::simd;
use pdn::movegen::MoveList;
use pdn::position::Position;
use pdn::rules::Variant;
use pdn_rules::internal::board::{Bits, Geometry};
use pdn_rules::internal::movegen::SpeculativeBatch;
use pdn_rules::internal::position::State;
use pdn_rules::internal::rules::{Ruleset, WithRules};

/// Returns a game of legal moves. `choose(n)` returns a number below `n`: the move to play, or 0 for a null move or a setup.
fn play(variant: Variant, plies: usize, mut choose: impl FnMut(usize) -> usize) -> Vec<PackedOp<u128>> {
    let mut position = Position::start(variant);
    let mut list = MoveList::new();
    let mut ops = Vec::new();
    for _ in 0..plies {
        if choose(200) == 0 {
            ops.push(PackedOp::Null);
            position.pass();
        }
        if choose(200) == 0 {
            ops.push(PackedOp::Setup(*position.with_turn(!position.turn()).state()));
            position = position.with_turn(!position.turn());
        }
        position.legal_moves(&mut list).expect("captures within the limit");
        if list.is_empty() {
            break;
        }
        let mv = list[choose(list.len())];
        ops.push(PackedOp::Move(mv));
        position.play_unchecked(&mv);
    }
    ops
}

/// The ops and the last position that a scan passes on.
struct Scan<'a>(&'a Position, &'a [u8]);

impl WithRules for Scan<'_> {
    type Output = Result<(Vec<PackedOp<u128>>, State<u128>), CorruptMoves>;
    fn run<R: Ruleset>(self, _: R) -> Self::Output {
        let codec = MoveCodec::<R::Geometry>::new();
        let mut ops = Vec::new();
        let end = codec.scan(&self.0.state().resized(), self.1, |ply| {
            assert_eq!(ply.before().turn, ply.turn());
            assert_eq!(ply.after().turn, !ply.turn());
            if let Some(mv) = ply.mv() {
                let mut after = ply.before();
                after.play_uncounted(&mv);
                assert_eq!(after, ply.after());
                assert_eq!(mv.captured, ply.captured());
                assert_eq!(ply.counts_before(), RunningPieceCounts::of(&ply.before()));
                assert_eq!(ply.counts_after(), RunningPieceCounts::of(&ply.after()));
                assert_eq!((ply.from(), ply.to()), (Bits::one(mv.from.0), Bits::one(mv.to.0)));
                assert_eq!((ply.by_king(), ply.promotes()), (ply.before().kings.has(mv.from.0), mv.promotes));
            }
            ops.push(ply.mv().map_or(PackedOp::Null, |mv| PackedOp::Move(mv.resized())));
            ControlFlow::Continue(())
        })?;
        Ok((ops, end.resized()))
    }
}

fn without_streaks(state: &State<u128>) -> State<u128> {
    State { streaks: Default::default(), ..*state }
}

/// Decodes and scans the first op of all pairs of bytes in one position. Returns the number of moves among them.
struct ComparePairs<'a>(&'a State<u128>);

impl WithRules for ComparePairs<'_> {
    type Output = usize;
    fn run<R: Ruleset>(self, _: R) -> usize {
        let codec = MoveCodec::<R::Geometry>::new();
        let state: State<<R::Geometry as Geometry>::Bits> = without_streaks(self.0).resized();
        let mut moves = 0;
        for bytes in (0..=u16::MAX).map(u16::to_be_bytes) {
            let decoded = codec.decode(&state, &bytes);
            let mut scanned = None;
            let _ = codec.scan(&state, &bytes, |ply| {
                scanned = Some((ply.mv(), ply.after()));
                ControlFlow::Break(())
            });
            match decoded {
                Some(Ok((PackedOp::Move(mv), _))) => {
                    let mut after = state;
                    after.play_uncounted(&mv);
                    assert_eq!(scanned, Some((Some(mv), after)), "{bytes:?} in {state:?}");
                    moves += 1;
                }
                Some(Ok((PackedOp::Null, _))) => assert!(matches!(scanned, Some((None, _)))),
                other => assert_eq!(scanned, None, "{bytes:?} is {other:?} in {state:?}"),
            }
        }
        moves
    }
}

#[test]
fn scan_equals_decode_on_all_byte_pairs() {
    for &variant in Variant::ALL {
        let mut moves = 0;
        for (seed, plies) in [(1, 0), (2, 20), (3, 40), (4, 60), (5, 80)] {
            let ops = play(variant, plies, chooser(seed));
            let mut state = *pack(&Position::start(variant), &ops, &mut Vec::new()).state();
            moves += variant.rules().with(ComparePairs(&state));
            // Some pieces of both sides become kings.
            state.kings = state.occupied() & 0x5555_5555_5555_5555_5555_5555_5555_5555;
            moves += variant.rules().with(ComparePairs(&state));
        }
        assert!(moves > 10_000, "{variant}: {moves}");
    }
}

/// Packs a game, checks that unpacking and scanning give it back, and returns the number of bytes.
fn check_round_trip(variant: Variant, ops: &[PackedOp<u128>]) -> usize {
    let start = Position::start(variant);
    let mut bytes = Vec::new();
    let end = pack(&start, ops, &mut bytes);
    let (plies, last) = unpack(&start, &bytes).expect("packed games can be unpacked");
    assert_eq!(last, end, "{variant}");
    let played: Vec<_> = ops.iter().filter(|op| !matches!(op, PackedOp::Setup(_))).copied().collect();
    let unpacked: Vec<_> = plies.iter().map(|ply| ply.mv.map_or(PackedOp::Null, PackedOp::Move)).collect();
    assert_eq!(unpacked, played, "{variant}");
    let (scanned, state) = variant.rules().with(Scan(&start, &bytes)).expect("packed games can be scanned");
    assert_eq!(scanned, played, "{variant}");
    assert_eq!(without_streaks(&state), without_streaks(end.state()), "{variant}");
    bytes.len()
}

/// Returns a generator of numbers below its argument, the same on every machine.
fn chooser(mut seed: u64) -> impl FnMut(usize) -> usize {
    move |n| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((seed >> 33) as usize) % n
    }
}

#[test]
fn random_games_of_every_variant_round_trip() {
    for &variant in Variant::ALL {
        let (mut bytes, mut plies) = (0, 0);
        for seed in 0..40 {
            let ops = play(variant, 200, chooser(seed * 7919 + 1));
            bytes += check_round_trip(variant, &ops);
            plies += ops.len();
        }
        let per_ply = bytes as f64 / plies as f64;
        assert!(per_ply < 2.2, "{variant}: {per_ply} bytes per ply");
    }
}

/// Packs the leading plies of a game that batches can play, in batches and one by one. Returns both results and the
/// number of plies.
struct PackBothWays<'a>(&'a State<u128>, &'a [PackedOp<u128>]);

impl WithRules for PackBothWays<'_> {
    type Output = ([Vec<u8>; 2], usize);
    fn run<R: Ruleset>(self, rules: R) -> Self::Output {
        let codec = MoveCodec::<R::Geometry>::new();
        let mut state: State<<R::Geometry as Geometry>::Bits> = self.0.resized();
        let moves = self.1.iter().map_while(|op| match op {
            PackedOp::Move(mv) => Some([mv.from.0, mv.to.0]),
            _ => None,
        });
        let moves: Vec<_> = moves.collect();
        let (mut batch, mut bytes, mut at) = (SpeculativeBatch::default(), [Vec::new(), Vec::new()], 0);
        loop {
            play_bits(&mut batch, rules, &state, &moves[at..]);
            simd::run(codec.encode_plies(rules, &PlyBatch::new(&batch, &state, &moves[at..]), &mut bytes[0]));
            if batch.proved() == 0 {
                return (bytes, at);
            }
            for (before, mv) in batch.plies(&state) {
                codec.encode(&before, &mv, &mut bytes[1]);
            }
            at += batch.proved();
            state = batch.after(&state);
        }
    }
}

#[test]
fn batches_pack_to_same_bytes_as_single_plies() {
    let mut plies = 0;
    for &variant in Variant::ALL {
        for seed in 0..60 {
            // Every second game begins with Black's move, so that both sides begin batches.
            let start = Position::start(variant);
            let (mut start, mut ops) = (*start.state(), play(variant, 300, chooser(seed)));
            if let Some(PackedOp::Move(first)) = ops.first().copied().filter(|_| seed % 2 == 1) {
                start.play_uncounted(&first);
                ops.remove(0);
            }
            let ([many, each], packed) = variant.rules().with(PackBothWays(&start, &ops));
            assert_eq!(many, each, "{variant}");
            plies += packed;
        }
    }
    assert!(plies > 20_000, "only {plies} plies were played in batches");
}

/// Such a move would have no shortest form.
#[test]
fn unpack_rejects_a_move_without_effect() {
    for &variant in Variant::ALL {
        let start = Position::start(variant);
        let from = start.state().side(start.state().turn).trailing_zeros() as u8;
        assert_eq!(unpack(&start, &[255, 2, from, from, 0]), Err(CorruptMoves), "{variant}");
    }
}

#[test]
fn counted_moves_of_a_setup_are_kept() {
    for &variant in Variant::ALL {
        let mut state = *Position::start(variant).state();
        state.streaks[1] = pdn_rules::internal::position::Streak { square: 3, moves: 2 };
        let mut bytes = Vec::new();
        let end = pack(&Position::start(variant), &[PackedOp::Setup(state)], &mut bytes);
        let (_, last) = unpack(&Position::start(variant), &bytes).expect("packed games can be unpacked");
        assert_eq!((last.state().streaks, end.state().streaks), (state.streaks, state.streaks), "{variant}");
    }
}

/// Two captured squares can have the same sum as those of two jumps.
#[test]
fn any_two_captured_squares_round_trip() {
    let variant = Variant::International;
    let (start, valid) = (Position::start(variant), variant.board().valid());
    let squares: Vec<u8> = (0..128).filter(|&square| valid >> square & 1 != 0).collect();
    let square = |number| start.names().of_number(number).expect("a square");
    for (from, to) in [(33, 35), (33, 31), (33, 13), (33, 33), (28, 10)] {
        let [from, to] = [from, to].map(square);
        let free = |&&other: &&u8| other != from.bit() && other != to.bit();
        for (n, one) in squares.iter().filter(free).enumerate() {
            for other in squares.iter().filter(free).skip(n + 1) {
                let captured = 1 << one | 1 << other;
                let state = State { pieces: [1 << from.bit(), captured], kings: 0, ..*start.state() };
                let mv = pdn::position::Move::new(from, to, captured, false);
                check_round_trip(variant, &[PackedOp::Setup(state), PackedOp::Move(mv)]);
            }
        }
    }
}

/// Together the positions of the rule books need every form of an op.
#[test]
fn all_moves_of_rule_book_positions_round_trip() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpora/rules/positions.jsonl");
    let mut moves = 0;
    for line in std::fs::read_to_string(path).expect("the corpus is part of the repository").lines() {
        let case: serde_json::Value = serde_json::from_str(line).expect("the corpus is JSON");
        let (Some(variant), Some(fen)) = (case["variant"].as_str(), case["fen"].as_str()) else { continue };
        let Some(variant) = Variant::from_name(variant) else { continue };
        let Ok(fen) = pdn::value::Fen::parse(fen.as_bytes()) else { continue };
        let Ok(position) = Position::from_fen_lenient(variant, &fen, |_| {}) else { continue };
        let mut list = MoveList::new();
        if position.legal_moves(&mut list).is_err() {
            continue;
        }
        for mv in &list {
            check_round_trip(variant, &[PackedOp::Setup(*position.state()), PackedOp::Move(*mv)]);
            moves += 1;
        }
    }
    assert!(moves > 1900, "only {moves} moves were tried");
}

proptest! {
    #[test]
    fn any_game_round_trips(variant in prop::sample::select(Variant::ALL), seed: u64, plies in 0usize..300) {
        let ops = play(variant, plies, chooser(seed));
        check_round_trip(variant, &ops);
    }

    #[test]
    fn unpacked_position_equals_that_of_the_whole_game(
        variant in prop::sample::select(Variant::ALL), seed: u64, plies in 0usize..60,
    ) {
        let mut random = fastrand::Rng::with_seed(seed);
        // Null moves and setups occur more often than in `play`.
        let ops = play(variant, plies, |n| if n == 200 { usize::from(random.u8(..10) > 0) } else { random.usize(..n) });
        let (start, mut bytes) = (Position::start(variant), Vec::new());
        pack(&start, &ops, &mut bytes);
        let (unpacked, last) = unpack(&start, &bytes).expect("packed games can be unpacked");
        for ply in 0..unpacked.len() + 2 {
            let expected = unpacked.get(ply).map_or(last, |ply| ply.before);
            prop_assert_eq!(unpack_position(&start, &bytes, ply as u32), Ok(expected));
        }
    }

    #[test]
    fn scan_and_unpack_agree_on_any_bytes(
        variant in prop::sample::select(Variant::ALL),
        bytes in prop::collection::vec(any::<u8>(), 0..60),
    ) {
        let start = Position::start(variant);
        let fast = variant.rules().with(Scan(&start, &bytes));
        let slow = unpack(&start, &bytes);
        prop_assert_eq!(fast.is_ok(), slow.is_ok());
    }

    #[test]
    fn scan_and_unpack_agree_on_damaged_games(
        variant in prop::sample::select(Variant::ALL), seed: u64, at: prop::sample::Index, bit in 0u8..8,
    ) {
        let start = Position::start(variant);
        let mut bytes = Vec::new();
        pack(&start, &play(variant, 120, chooser(seed)), &mut bytes);
        let at = at.index(bytes.len());
        bytes[at] ^= 1 << bit;
        let fast = variant.rules().with(Scan(&start, &bytes));
        let slow = unpack(&start, &bytes);
        match (fast, slow) {
            (Ok((fast, _)), Ok((slow, _))) => {
                let slow: Vec<_> = slow.iter().map(|ply| ply.mv.map_or(PackedOp::Null, PackedOp::Move)).collect();
                prop_assert_eq!(fast, slow);
            }
            (fast, slow) => prop_assert_eq!(fast.is_ok(), slow.is_ok()),
        }
    }
}

#[test]
fn lengths_of_plies_are_those_of_unpacked_plies() {
    for &variant in Variant::ALL {
        for seed in 1..20 {
            let ops = play(variant, 120, chooser(seed));
            let start = Position::start(variant);
            let mut packed = Vec::new();
            // The end of each ply that is no null move.
            let mut ends = vec![0];
            let mut position = start;
            for op in &ops {
                position = pack(&position, &[*op], &mut packed);
                if matches!(op, PackedOp::Move(_)) {
                    ends.push(packed.len());
                }
            }
            let plies = unpack(&start, &packed).unwrap().0.iter().filter(|ply| ply.mv.is_some()).count();
            assert_eq!(ends.len(), plies + 1);
            for (ply, &end) in ends.iter().enumerate() {
                let found = plies_len(&variant.rules(), &packed, ply as u32);
                assert_eq!(found, Ok((end, ply as u32)), "{variant}, seed {seed}, ply {ply}");
            }
            let found = plies_len(&variant.rules(), &packed, u32::MAX);
            assert_eq!(found, Ok((ends[plies], plies as u32)), "{variant}, seed {seed}");
        }
    }
    // Bytes that end early, and unknown ops.
    for bytes in [&[253u8][..], &[254, 1], &[255], &[255, 1, 0], &[255, 9], &[255, 2, 1, 2, 9]] {
        assert!(plies_len(&Variant::International.rules(), bytes, 1).is_err(), "{bytes:?}");
    }
}

#[test]
fn unpack_rejects_captures_of_own_pieces_and_of_empty_squares() {
    let start = Position::start(Variant::International);
    let square = |number| start.names().of_number(number).expect("a square").bit();
    // The third byte of the list is the number of captured squares.
    let listed = |captured| [255, 2, square(32), square(28), 1, square(captured)];
    assert_eq!(unpack(&start, &listed(33)), Err(CorruptMoves), "a man of the side to move");
    assert_eq!(unpack(&start, &listed(22)), Err(CorruptMoves), "an empty square");
    assert!(unpack(&start, &listed(19)).is_ok(), "a man of the other side");
}
