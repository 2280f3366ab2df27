//! Plies that follow each other, packed at once.

use std::ops::Range;

use super::codes::{MoveCodec, NONE};
use crate::board::{Bits, Geometry};
use crate::movegen::{BATCH_PLIES, SpeculativeBatch};
use crate::position::State;
use crate::replay::PlyBatch;
use crate::rules::Ruleset;
use crate::simd::{self, BLOCK, Block, Isa, Task};

// A bit of a word and a byte of a block for each ply.
const _: () = assert!(BATCH_PLIES == BLOCK);

impl<G: Geometry> MoveCodec<G> {
    /// Appends plies that follow each other, as [`encode`](Self::encode) does with each. Where no king can fly they are
    /// looked up together, otherwise each takes a look-up; only captures of several pieces and by flying kings take more.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn encode_plies<R: Ruleset<Geometry = G>>(
        &self,
        rules: R,
        plies: &PlyBatch<'_, G::Bits>,
        out: &mut Vec<u8>,
    ) {
        let (series, start, moves) = plies.parts();
        let flying = rules.movement().flying && start.kings.any();
        simd::run(Pack { codec: self, series, start, moves, flying, out });
    }

    /// Appends a ply that takes more than a look-up.
    #[cold]
    #[inline(never)]
    fn encode_other(
        &self,
        series: &SpeculativeBatch,
        start: &State<G::Bits>,
        place: usize,
        out: &mut Vec<u8>,
    ) {
        let (state, mv) = series.at::<G::Bits>(start, place);
        self.encode(&state, &mv, out);
    }
}

/// The packing of a series, for the instruction set of this processor.
struct Pack<'s, G: Geometry> {
    codec: &'s MoveCodec<G>,
    series: &'s SpeculativeBatch,
    start: &'s State<G::Bits>,
    moves: &'s [[u8; 2]],
    /// Whether there may be flying kings; all other plies that were not searched are those of men.
    flying: bool,
    out: &'s mut Vec<u8>,
}

impl<G: Geometry> Task for Pack<'_, G> {
    type Output = ();

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn run<I: Isa>(self, isa: I) {
        if self.flying { self.each() } else { self.together(isa) }
    }
}

impl<G: Geometry> Pack<'_, G> {
    /// Plies that are steps or jumps over one man, but for those that were searched.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn together<I: Isa>(self, isa: I) {
        let Self { codec, series, start, moves, out, .. } = self;
        let codes = match moves.first_chunk() {
            Some(moves) => codec.men.codes(isa, moves),
            None => {
                let mut all = [[0; 2]; BATCH_PLIES];
                all[..moves.len()].copy_from_slice(moves);
                codec.men.codes(isa, &all)
            }
        };
        let Range { start: first, end } = series.places();
        let len = end - first;
        // No other code is as great.
        let within = u64::MAX.checked_shr((BATCH_PLIES - len) as u32).unwrap_or(0);
        let mut searched = series.searched() >> first | isa.load(&codes).among([NONE]) & within;
        let mut all = [0; 2 * BATCH_PLIES];
        all[..BATCH_PLIES].copy_from_slice(&codes);
        let mut at = 0;
        loop {
            let next = (searched.trailing_zeros() as usize).min(len);
            // As many bytes however many count: a length that is known needs no call.
            let from = out.len();
            if let Some(codes) = all.get(at..).and_then(|codes| codes.first_chunk::<BATCH_PLIES>()) {
                out.extend_from_slice(codes);
            }
            out.truncate(from + next - at);
            if next == len {
                break;
            }
            codec.encode_other(series, start, first + next, out);
            searched &= searched.wrapping_sub(1);
            at = next + 1;
        }
    }

    /// Any plies.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn each(self) {
        let Self { codec, series, start, out, .. } = self;
        let (near, pairs) = (&*codec.near, codec.groups.pairs);
        let Range { start: mut at, end } = series.places();
        let mut searched = series.searched();
        while at < end {
            let next = (searched.trailing_zeros() as usize).min(end);
            searched &= searched.wrapping_sub(1);
            let from = out.len();
            out.extend_from_slice(&[0; 2 * BATCH_PLIES]);
            let (mut len, mut most) = (from, 0);
            for place in at..next {
                let ends = series.ends(place);
                let code =
                    near[usize::from(ends.captures)][usize::from(ends.from) & 63][usize::from(ends.to) & 63];
                // A slide has its square behind it.
                if let Some(form) = out.get_mut(len..len + 2) {
                    form.copy_from_slice(&[code, ends.from]);
                }
                len += 1 + usize::from(code >= pairs);
                most = code.max(most);
            }
            out.truncate(len);
            // No other code is as great.
            if most == NONE {
                out.truncate(from);
                (at..next).for_each(|place| codec.encode_other(series, start, place, out));
            }
            if next < end {
                codec.encode_other(series, start, next, out);
            }
            at = next + 1;
        }
    }
}
