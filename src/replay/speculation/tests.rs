//! Compares batches with single moves.

use fastrand::Rng;

use super::*;
use crate::board::{Geometry, Square};
use crate::movegen::{MoveList, advance};
use crate::rules::{Variant, WithRules};
use crate::simd::run_on_all;
use crate::value::Colour;
use pdn_rules::internal::board::Bits;
use pdn_rules::internal::movegen::legal_moves;

/// Plays random games, in which one move in `nonsense_rate` is random, and counts the plies that were played and
/// the plies that were played in batches.
struct RandomGames {
    variant: Variant,
    nonsense_rate: usize,
}

impl WithRules for RandomGames {
    type Output = (usize, usize);

    fn run<R: Ruleset>(self, rules: R) -> (usize, usize) {
        let mut random = Rng::with_seed(self.variant.number().into());
        let (mut plies, mut in_batches) = (0, 0);
        for _ in 0..400 {
            let start = placement::<R>(self.variant, &mut random);
            let moves = self.moves(rules, start, &mut random);
            let mut batch = SpeculativeBatch::default();
            let (mut state, mut at) = (start, 0);
            while at < moves.len() {
                let begin = state;
                play_bits(&mut batch, rules, &begin, &moves[at..]);
                check_codes(rules, &begin, &moves[at..], &batch);
                let mut reported = batch.plies(&begin);
                for &[from, to] in &moves[at..at + batch.proved()] {
                    let before = state;
                    let mv = advance(rules, &mut state, Square(from), Square(to), 100_000);
                    assert_eq!(
                        reported.next(),
                        mv.ok().map(|mv| (before, mv)),
                        "{} {from}-{to}",
                        self.variant
                    );
                }
                assert_eq!(batch.after(&begin), state);
                plies += batch.proved();
                in_batches += batch.proved();
                at += batch.proved();
                if at < moves.len() && !batch.is_full() {
                    let [from, to] = moves[at];
                    plies += usize::from(
                        from | to < 128
                            && advance(rules, &mut state, Square(from), Square(to), 100_000).is_ok(),
                    );
                    at += 1;
                }
            }
        }
        (plies, in_batches)
    }
}

/// A batch of coded moves, played on a given instruction set.
#[derive(Clone)]
struct Coded<'a, R: Ruleset> {
    rules: R,
    begin: &'a State<BitsOf<R>>,
    codes: &'a [[u8; 4]; PLIES_PER_SIDE],
    count: usize,
    bits: &'a [u8; 256],
}

impl<R: Ruleset> Task for Coded<'_, R> {
    type Output = SpeculativeBatch;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn run<I: Isa>(self, isa: I) -> SpeculativeBatch {
        let mut batch = SpeculativeBatch::default();
        let Self { rules, begin: state, codes, count, bits } = self;
        Play { rules, batch: &mut batch, state, count, codes, bits }.run(isa);
        batch
    }
}

/// Checks that coded moves lead to the same batch as bits do, on every instruction set.
fn check_codes<R: Ruleset>(
    rules: R,
    begin: &State<BitsOf<R>>,
    moves: &[[u8; 2]],
    expected: &SpeculativeBatch,
) {
    let code = |bit: u8| bit.wrapping_mul(77).wrapping_add(5);
    let mut bits = [0; 256];
    (0..=u8::MAX).for_each(|bit| bits[usize::from(code(bit))] = bit);
    let mut codes = [[5; 4]; PLIES_PER_SIDE];
    let first = usize::from(SpeculativeBatch::begins_with_black(begin));
    for (place, mv) in codes.as_flattened_mut().as_chunks_mut().0[first..].iter_mut().zip(moves) {
        *place = mv.map(code);
    }
    let count = moves.len().min(BATCH_PLIES - first);
    for batch in run_on_all(Coded { rules, begin, codes: &codes, count, bits: &bits }) {
        let plies = |batch: &SpeculativeBatch| batch.plies(begin).collect::<Vec<(State<BitsOf<R>>, _)>>();
        assert_eq!(plies(&batch), plies(expected));
        assert_eq!(batch.moves()[..count], moves[..count]);
        assert_eq!((batch.is_full(), batch.searched()), (expected.is_full(), expected.searched()));
        assert_eq!(batch.after(begin), expected.after(begin));
    }
}

impl RandomGames {
    fn moves<R: Ruleset>(&self, rules: R, mut state: State<BitsOf<R>>, random: &mut Rng) -> Vec<[u8; 2]> {
        let mut list = MoveList::<BitsOf<R>>::new();
        let mut moves = Vec::new();
        while moves.len() < 150 {
            let legal = legal_moves(rules, &state, 100_000, &mut list).is_ok();
            if !legal || list.is_empty() {
                break;
            }
            let mv = list[random.usize(..list.len())];
            if random.usize(..self.nonsense_rate) == 0 {
                // Mostly a piece of the side to move, so that many of these moves are nearly legal.
                let square = |random: &mut Rng| random.usize(..56) as u8;
                let from = if random.usize(..4) == 0 { square(random) } else { mv.from.0 };
                let to = if random.usize(..9) == 0 { 255 } else { square(random) };
                moves.push([from, to]);
                continue;
            }
            state.play(rules, &mv);
            moves.push([mv.from.0, mv.to.0]);
        }
        moves
    }
}

/// Returns the start position, or a position with a few men and kings.
fn placement<R: Ruleset>(variant: Variant, random: &mut Rng) -> State<BitsOf<R>> {
    let turn = if random.usize(..2) == 0 { Colour::White } else { Colour::Black };
    let kind = random.usize(..3);
    if kind == 0 {
        return State::start(&variant.rules(), turn);
    }
    let mut state = State::empty(turn);
    for at in R::Geometry::VALID.squares() {
        let set = BitsOf::<R>::one(at);
        match random.usize(..12) {
            n @ 0..=1 => state.pieces[n] |= set & !R::Geometry::LAST_ROWS[n],
            n @ 2..=3 if kind == 2 => {
                state.pieces[n - 2] |= set;
                state.kings |= set;
            }
            _ => {}
        }
    }
    state
}

struct IsSupported;

impl WithRules for IsSupported {
    type Output = bool;

    fn run<R: Ruleset>(self, rules: R) -> bool {
        SpeculativeBatch::supports(rules)
    }
}

#[test]
fn batches_equal_single_moves() {
    for &variant in Variant::ALL.iter().filter(|variant| variant.rules().with(IsSupported)) {
        for nonsense_rate in [3, 40, usize::MAX] {
            let (plies, in_batches) = variant.rules().with(RandomGames { variant, nonsense_rate });
            assert!(plies > 5_000, "{variant}: {plies}");
            assert!(in_batches * 10 > plies * 7, "{variant}: {in_batches} of {plies}");
        }
    }
}

#[test]
fn all_variants_but_four_support_batches() {
    let others = Variant::ALL.iter().filter(|variant| !variant.rules().with(IsSupported));
    let others: Vec<_> = others.map(|variant| variant.name()).collect();
    assert_eq!(others, ["canadian", "turkish", "frisian", "frysk"]);
}
