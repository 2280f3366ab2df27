//! Lengths of ops, found without playing them.

use super::codes::MoveCodec;
use super::decode::CorruptMoves;
use super::groups::{CHAIN, EXPLICIT, LINE, NULL, OTHER, SETUP, TwoByteOp};
use pdn::board::Bits;
use pdn_rules::internal::board::Geometry;
use pdn_rules::internal::steps;

/// The length of an op and whether it is a ply.
struct OpLength {
    bytes: usize,
    is_ply: bool,
}

impl<G: Geometry> MoveCodec<G> {
    /// Returns the length in bytes of the first `plies` plies of a packed game, with the number of plies that there are.
    /// Null moves and setups before the last of these plies belong to them, those after it do not. O(bytes of these
    /// plies).
    ///
    /// # Errors
    /// If an op is unknown or its bytes end early. The ops are not played, so other damage is not noticed.
    // Twin: `unpack`; test: `lengths_of_plies_are_those_of_unpacked_plies`.
    pub(super) fn plies_len(&self, bytes: &[u8], plies: u32) -> Result<(usize, u32), CorruptMoves> {
        let (mut at, mut end, mut found) = (0, 0, 0);
        while found < plies && at < bytes.len() {
            steps::add(1);
            let op = self.op_length(&bytes[at..]).ok_or(CorruptMoves)?;
            at += op.bytes;
            if at > bytes.len() {
                return Err(CorruptMoves);
            }
            if op.is_ply {
                found += 1;
                end = at;
            }
        }
        Ok((end, found))
    }

    /// Returns the length of the first op; `None` if it is unknown or the bytes that tell its length are missing.
    fn op_length(&self, bytes: &[u8]) -> Option<OpLength> {
        let first = *bytes.first()?;
        let ply = |bytes| Some(OpLength { bytes, is_ply: true });
        if first < self.groups.pairs {
            return ply(1);
        }
        if !matches!(self.two_byte_ops[usize::from(first)], TwoByteOp::None) {
            return ply(2);
        }
        match first {
            CHAIN => {
                let jumps = usize::from(*bytes.get(2)? & 31);
                ply(3 + jumps.saturating_sub(1).div_ceil(2))
            }
            LINE => ply(3),
            OTHER => match *bytes.get(1)? {
                NULL => Some(OpLength { bytes: 2, is_ply: false }),
                SETUP => {
                    let counters = if bytes.get(2)? & 2 == 0 { 0 } else { 4 };
                    let bytes = 3 + 3 * (G::Bits::SIZE / 8) as usize + counters;
                    Some(OpLength { bytes, is_ply: false })
                }
                EXPLICIT => ply(5 + usize::from(*bytes.get(4)? & 127)),
                _ => None,
            },
            _ => None,
        }
    }
}
