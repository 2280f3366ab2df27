//! Packs consecutive plies at once, and finds the keys of the positions of a packed game.

use std::ops::{ControlFlow, Range};

use super::codes::{MoveCodec, NO_CODE};
use super::decode::CorruptMoves;
use pdn::internal::replay::PlyBatch;
use pdn::internal::simd::{BLOCK, Block, Isa, Task};
use pdn::position::StableKey;
use pdn_rules::internal::board::{Bits, Geometry};
use pdn_rules::internal::movegen::{BATCH_PLIES, SpeculativeBatch};
use pdn_rules::internal::position::State;
use pdn_rules::internal::rules::Ruleset;

// Each ply has one bit of a 64-bit mask and one byte of a block.
const _: () = assert!(BATCH_PLIES == BLOCK);

impl<G: Geometry> MoveCodec<G> {
    /// Returns the task that appends consecutive plies, as [`encode`](Self::encode) does one by one.
    ///
    /// Without flying kings the codes of all plies are looked up together; otherwise each ply takes one look-up. Only
    /// captures of several pieces and captures by flying kings take more.
    // Twin: encode; test: batches_pack_to_same_bytes_as_single_plies.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn encode_plies<'s, R: Ruleset<Geometry = G>>(
        &'s self,
        rules: R,
        plies: &'s PlyBatch<'_, G::Bits>,
        out: &'s mut Vec<u8>,
    ) -> impl Task<Output = ()> + 's {
        let (batch, start, moves) = plies.parts();
        let has_flying_kings = rules.movement().flying && start.kings.any();
        PackBatch { codec: self, batch, start, moves, has_flying_kings, out }
    }

    /// Appends the ply at `place` of the batch, which takes more than a look-up.
    #[cold]
    #[inline(never)]
    fn encode_one(&self, batch: &SpeculativeBatch, start: &State<G::Bits>, place: usize, out: &mut Vec<u8>) {
        let (state, mv) = batch.at::<G::Bits>(start, place);
        self.encode(&state, &mv, out);
    }
}

/// The packing of a batch, compiled for each instruction set.
struct PackBatch<'s, G: Geometry> {
    codec: &'s MoveCodec<G>,
    batch: &'s SpeculativeBatch,
    /// The position before the first ply.
    start: &'s State<G::Bits>,
    /// First and last square of each ply.
    moves: &'s [[u8; 2]],
    /// `true` if a flying king may move. Otherwise all plies that needed no search are steps and single jumps.
    has_flying_kings: bool,
    out: &'s mut Vec<u8>,
}

impl<G: Geometry> Task for PackBatch<'_, G> {
    type Output = ();

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn run<I: Isa>(self, isa: I) {
        if self.has_flying_kings { self.pack_each() } else { self.pack_together(isa) }
    }
}

impl<G: Geometry> PackBatch<'_, G> {
    /// Packs plies that are steps or single jumps, except those marked as searched.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn pack_together<I: Isa>(self, isa: I) {
        let Self { codec, batch, start, moves, out, .. } = self;
        let codes = match moves.first_chunk() {
            Some(moves) => codec.man_codes.codes(isa, moves),
            None => {
                let mut all = [[0; 2]; BATCH_PLIES];
                all[..moves.len()].copy_from_slice(moves);
                codec.man_codes.codes(isa, &all)
            }
        };
        let Range { start: first, end } = batch.places();
        let len = end - first;
        // The lowest `len` bits.
        let in_batch = u64::MAX.checked_shr((BATCH_PLIES - len) as u32).unwrap_or(0);
        let mut searched = batch.searched() >> first | isa.load(&codes).among([NO_CODE]) & in_batch;
        let mut padded = [0; 2 * BATCH_PLIES];
        padded[..BATCH_PLIES].copy_from_slice(&codes);
        let mut at = 0;
        loop {
            let next = (searched.trailing_zeros() as usize).min(len);
            // A copy of constant length, truncated afterwards, compiles to moves instead of a call of memcpy.
            let len_before = out.len();
            if let Some(codes) = padded.get(at..).and_then(|codes| codes.first_chunk::<BATCH_PLIES>()) {
                out.extend_from_slice(codes);
            }
            out.truncate(len_before + next - at);
            if next == len {
                break;
            }
            codec.encode_one(batch, start, first + next, out);
            searched &= searched.wrapping_sub(1);
            at = next + 1;
        }
    }

    /// Packs plies of any kind, one look-up each.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn pack_each(self) {
        let Self { codec, batch, start, out, .. } = self;
        let (codes, pairs) = (&*codec.codes_by_squares, codec.groups.pairs);
        let Range { start: mut at, end } = batch.places();
        let mut searched = batch.searched();
        while at < end {
            let next = (searched.trailing_zeros() as usize).min(end);
            searched &= searched.wrapping_sub(1);
            let len_before = out.len();
            out.extend_from_slice(&[0; 2 * BATCH_PLIES]);
            let (mut len, mut max_code) = (len_before, 0);
            for place in at..next {
                let ends = batch.ends(place);
                let code =
                    codes[usize::from(ends.captures)][usize::from(ends.from) & 63][usize::from(ends.to) & 63];
                // A slide is followed by its first square; the next code overwrites it after a pair.
                if let Some(bytes) = out.get_mut(len..len + 2) {
                    bytes.copy_from_slice(&[code, ends.from]);
                }
                len += 1 + usize::from(code >= pairs);
                max_code = code.max(max_code);
            }
            out.truncate(len);
            // NO_CODE is the greatest byte. If it occurred, the plies are packed again one by one.
            if max_code == NO_CODE {
                out.truncate(len_before);
                (at..next).for_each(|place| codec.encode_one(batch, start, place, out));
            }
            if next < end {
                codec.encode_one(batch, start, next, out);
            }
            at = next + 1;
        }
    }
}

impl<G: Geometry> MoveCodec<G> {
    /// Passes the keys of all positions of a packed game to `visit`, from ply 0 on, until that breaks off; a few nanoseconds each.
    /// `key` is that of `start`. A setup replaces the position before it.
    ///
    /// `is_continuous` says that the game begins at `start` and has legal moves only, as
    /// [`PlayableGame`](crate::query::PlayableGame) describes.
    ///
    /// # Errors
    /// [`CorruptMoves`] if the bytes are not those of a packed game; `visit` has received the keys before.
    // Twin: `Position::key` of the unpacked game; test: `key_table_selects_every_game_of_a_position`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn keys(
        &self,
        (start, mut key): (&State<G::Bits>, StableKey),
        is_continuous: bool,
        bytes: &[u8],
        mut visit: impl FnMut(u64) -> ControlFlow<()>,
    ) -> Result<(), CorruptMoves> {
        if is_continuous && visit(key.0).is_break() {
            return Ok(());
        }
        let mut broke_off = false;
        let last = self.scan(start, bytes, |ply| {
            let flow = if is_continuous {
                key = match ply.mv() {
                    Some(mv) => ply.before().key_after::<G>(key, &mv),
                    None => ply.after().key_on(G::BOARD),
                };
                visit(key.0)
            } else {
                visit(ply.before().key_on(G::BOARD).0)
            };
            broke_off = flow.is_break();
            flow
        })?;
        if !is_continuous && !broke_off {
            // The caller's decision no longer matters.
            let _ = visit(last.key_on(G::BOARD).0);
        }
        Ok(())
    }
}
