//! Plies that follow each other, packed at once.

use std::ops::Range;

use super::codes::{Codec, NONE};
use crate::board::{Bits, Geometry};
use crate::movegen::{SERIES, Series};
use crate::position::State;
use crate::replay::Plies;

/// Two bytes for each ply of a series.
const ROOM: usize = 2 * SERIES;

impl<G: Geometry> Codec<G> {
    /// Appends plies that follow each other, as [`encode`](Self::encode) does with each. A ply takes a look-up, and where
    /// there are no kings nothing else; only captures of several pieces and by kings take more.
    #[inline(always)]
    pub fn encode_plies(&self, plies: &Plies<'_, G::Bits>, out: &mut Vec<u8>) {
        let (series, start, moves) = plies.parts();
        if start.kings.any() {
            return self.encode_with_kings(series, start, out);
        }
        let Range { start: first, end } = series.places();
        let (mut at, mut searched) = (first, series.searched());
        while at < end {
            let next = (searched.trailing_zeros() as usize).min(end);
            searched &= searched.wrapping_sub(1);
            let from = out.len();
            out.extend(moves[at - first..next - first].iter().map(|&ends| self.men[index(ends)]));
            // No other code is as great.
            if out[from..].iter().fold(0, |most, &code| code.max(most)) == NONE {
                out.truncate(from);
                (at..next).for_each(|place| self.encode_other(series, start, place, out));
            }
            if next < end {
                self.encode_other(series, start, next, out);
            }
            at = next + 1;
        }
    }

    /// As [`encode_plies`](Self::encode_plies), of any series.
    #[inline(always)]
    fn encode_with_kings(&self, series: &Series, start: &State<G::Bits>, out: &mut Vec<u8>) {
        let mut room = [0; ROOM];
        let near = &*self.near;
        let pairs = self.groups.pairs;
        // Takes how many bytes there are and answers how many there are then: in a register, not in memory.
        let mut ply = |place: usize, len: usize| {
            let ends = series.ends(place);
            let code =
                near[usize::from(ends.captures)][usize::from(ends.from) & 63][usize::from(ends.to) & 63];
            if ends.searched | (code == NONE) {
                out.extend_from_slice(&room[..len.min(ROOM)]);
                self.encode_other(series, start, place, out);
                return 0;
            }
            // A slide has its square behind it.
            if let Some(form) = room.get_mut(len..len + 2) {
                form.copy_from_slice(&[code, ends.from]);
            }
            len + 1 + usize::from(code >= pairs)
        };
        let Range { start: mut place, end } = series.places();
        let mut len = 0;
        if place % 2 == 1 && place < end {
            len = ply(place, len);
            place += 1;
        }
        // Two plies a round, so that a side is known at compile time.
        let mut round = place / 2;
        while 2 * round + 1 < end {
            len = ply(2 * round, len);
            len = ply(2 * round + 1, len);
            round += 1;
        }
        if place < end && end % 2 == 1 {
            len = ply(end - 1, len);
        }
        out.extend_from_slice(&room[..len.min(ROOM)]);
    }

    /// Appends a ply that takes more than a look-up.
    #[cold]
    #[inline(never)]
    fn encode_other(&self, series: &Series, start: &State<G::Bits>, place: usize, out: &mut Vec<u8>) {
        let (state, mv) = series.at::<G::Bits>(start, place);
        self.encode(&state, &mv, out);
    }
}

/// Where the code of a man's step or jump stands.
#[inline(always)]
pub(super) fn index(ends: [u8; 2]) -> usize {
    usize::from(u16::from_le_bytes(ends)) & (MEN - 1)
}

/// Codes for all pairs of one of 64 squares to come from and one to go to, the latter in the upper byte.
pub(super) const MEN: usize = 64 << 8;
