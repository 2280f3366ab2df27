//! Plays batches of plies with the best instruction set of the processor.
//!
//! [`SpeculativeBatch`] belongs to the rules, which know no processor. Here it is compiled for each instruction set.

use crate::movegen::batch::{BATCH_PLIES, PLIES_PER_SIDE, SpeculativeBatch};
use crate::position::State;
use crate::rules::{BitsOf, Ruleset};
use crate::simd::{self, Isa, Task};

/// Plays moves from `state` on while they are legal and there is room.
///
/// Each move is two square codes, and the first `count` moves are played. `bits` maps each code to the bit of its square; a value
/// above 127 ends the batch. If [Black begins](SpeculativeBatch::begins_with_black), the first move of `codes` is skipped. Does
/// nothing unless the rules are [supported](SpeculativeBatch::supports). A move at which the batch ends may still be legal.
// Twin: `advance`, one by one; test: `batches_equal_single_moves`.
#[inline(never)]
pub(crate) fn play_codes<R: Ruleset>(
    batch: &mut SpeculativeBatch,
    rules: R,
    state: &State<BitsOf<R>>,
    codes: &[[u8; 4]; PLIES_PER_SIDE],
    count: usize,
    bits: &[u8; 256],
) {
    if SpeculativeBatch::supports(rules) {
        let count = count.min(BATCH_PLIES - usize::from(SpeculativeBatch::begins_with_black(state)));
        simd::run(Play { rules, batch, state, count, codes, bits });
    }
}

/// Does the same as `play_codes` for moves given by the bits of their squares.
#[cfg(any(test, debug_assertions))]
pub fn play_bits<R: Ruleset>(
    batch: &mut SpeculativeBatch,
    rules: R,
    state: &State<BitsOf<R>>,
    moves: &[[u8; 2]],
) {
    let first = usize::from(SpeculativeBatch::begins_with_black(state));
    let count = moves.len().min(BATCH_PLIES - first);
    let mut places = [[0; 4]; PLIES_PER_SIDE];
    let squares: &mut [[u8; 2]] = places.as_flattened_mut().as_chunks_mut().0;
    squares[first..first + count].copy_from_slice(&moves[..count]);
    let bits = std::array::from_fn(|bit| bit as u8);
    play_codes(batch, rules, state, &places, count, &bits);
}

/// The task of playing a batch.
struct Play<'s, R: Ruleset> {
    rules: R,
    batch: &'s mut SpeculativeBatch,
    state: &'s State<BitsOf<R>>,
    count: usize,
    codes: &'s [[u8; 4]; PLIES_PER_SIDE],
    bits: &'s [u8; 256],
}

impl<R: Ruleset> Task for Play<'_, R> {
    type Output = ();

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn run<I: Isa>(self, isa: I) {
        let Self { rules, batch, state, count, codes, bits } = self;
        let places = count + usize::from(SpeculativeBatch::begins_with_black(state));
        isa.translate(bits, codes, places.div_ceil(2), batch.rounds_mut());
        batch.play(rules, state, count);
    }
}

#[cfg(test)]
mod tests;
