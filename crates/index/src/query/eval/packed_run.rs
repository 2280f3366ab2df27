//! Runs of moves in packed bytes: games without the bytes are left out without being played.

use crate::GameKind;
use crate::pack::MoveCodec;
use crate::query::conditions::{MoveCondition, PlayedMoves, PlayedPart, SquareRef};
use pdn::board::SquareNames;
use pdn_rules::internal::board::{Bits, Geometry};

/// Consecutive moves, each as the single bytes that it may be packed as. A game in which they were played has such
/// bytes.
///
/// A step to a neighbouring square is always packed as one byte. A capture of several pieces takes more; where a game
/// has the first byte of such an op, the run is taken to continue.
// Twin: playing all games; test: games_left_out_by_packed_bytes_do_not_match.
#[derive(Clone, Debug)]
pub(in crate::query) struct PackedRun {
    /// For each move, the bytes that it may be packed as, a bit each.
    moves: Vec<[u64; 4]>,
    /// The only byte of the first move, if it is one.
    first: Option<u8>,
    /// The number of codes of one byte.
    pairs: u8,
}

impl PackedRun {
    /// Returns the longest run of a sequence of moves that begins with a step of known squares; `None` if there is
    /// none.
    pub(super) fn longest<G: Geometry>(moves: &PlayedMoves, kind: &GameKind) -> Option<Self> {
        let codec = MoveCodec::<G>::new();
        let names = kind.game().names();
        let pairs = (0..=u8::MAX).take_while(|&code| codec.step_of(code).is_some()).count() as u8;
        let mut longest: Option<Vec<[u64; 4]>> = None;
        for part in moves.parts.split(|part| !matches!(part, PlayedPart::Move(_))) {
            let moves =
                part.iter().filter_map(|part| if let PlayedPart::Move(mv) = part { Some(mv) } else { None });
            let of_part: Vec<_> = moves.map(|mv| (mv, codes::<G>(&codec, mv, &names))).collect();
            let Some(first) = of_part.iter().position(|(mv, codes)| is_known_step(mv, codes)) else {
                continue;
            };
            let run: Vec<[u64; 4]> = of_part[first..].iter().map(|(_, codes)| codes.bytes).collect();
            if longest.as_ref().is_none_or(|longest| longest.len() < run.len()) {
                longest = Some(run);
            }
        }
        let moves = longest?;
        let first = (0..pairs).filter(|&code| has(&moves[0], code)).collect::<Vec<_>>();
        Some(Self { first: if let [code] = first[..] { Some(code) } else { None }, moves, pairs })
    }

    /// Returns the number of moves.
    pub(super) fn len(&self) -> usize {
        self.moves.len()
    }

    /// Returns `false` only if the moves were not played in a game with these bytes. O(bytes), times the moves in the
    /// worst case.
    pub(in crate::query) fn may_occur(&self, bytes: &[u8]) -> bool {
        match self.first {
            Some(code) => memchr::memchr_iter(code, bytes).any(|at| self.may_begin(&bytes[at..])),
            None => (0..bytes.len()).any(|at| self.may_begin(&bytes[at..])),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn may_begin(&self, bytes: &[u8]) -> bool {
        for (at, codes) in self.moves.iter().enumerate() {
            match bytes.get(at) {
                Some(&code) if has(codes, code) => {}
                Some(&code) => return at > 0 && code >= self.pairs,
                None => return false,
            }
        }
        true
    }
}

fn has(codes: &[u64; 4], code: u8) -> bool {
    codes[usize::from(code / 64)] >> (code % 64) & 1 != 0
}

/// The ways to pack a move.
struct MoveCodes {
    /// The single bytes, a bit each.
    bytes: [u64; 4],
    /// Whether every pair of its squares is a step to a neighbouring square.
    are_steps: bool,
}

/// Returns `true` for a move without a capture whose squares are neighbours, so that it takes one of the bytes.
fn is_known_step(mv: &MoveCondition, codes: &MoveCodes) -> bool {
    mv.takes == Some(0..=0) && codes.are_steps
}

/// Returns the single bytes of a move: of a step to a neighbour, or of a jump over one.
fn codes<G: Geometry>(codec: &MoveCodec<G>, mv: &MoveCondition, names: &SquareNames) -> MoveCodes {
    let set = |squares: &[SquareRef]| {
        let bits = squares.iter().filter_map(|square| square.bit(names));
        bits.fold(G::Bits::NONE, |all, at| all | G::Bits::one(at))
    };
    let (from, to) = (set(&mv.from), set(&mv.to));
    let is_quiet = mv.takes == Some(0..=0);
    let (mut bytes, mut steps) = ([0; 4], 0);
    for code in 0..=u8::MAX {
        let Some((start, neighbour)) = codec.step_of(code) else { break };
        let end = if is_quiet { neighbour } else { beyond::<G>(start, neighbour) };
        let fits =
            |squares: G::Bits, given: &[SquareRef], at: G::Bits| given.is_empty() || (squares & at).any();
        if fits(from, &mv.from, start) && fits(to, &mv.to, end) && end.any() {
            bytes[usize::from(code / 64)] |= 1 << (code % 64);
            steps += 1;
        }
    }
    MoveCodes { bytes, are_steps: steps > 0 && steps == from.count() * to.count() }
}

/// Returns the square after a neighbour, in the same direction; none if the board ends there.
fn beyond<G: Geometry>(start: G::Bits, neighbour: G::Bits) -> G::Bits {
    let direction = (0..8).find(|&direction| G::step(start, direction) & G::VALID == neighbour);
    direction.map_or(G::Bits::NONE, |direction| G::step(neighbour, direction) & G::VALID)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pack::{PackedOp, pack};
    use pdn::position::{Move, Position};
    use pdn::replay::{Replayer, VariantBasis};
    use pdn::rules::Variant;
    use pdn_rules::internal::board::{Ten, Twelve};

    fn kind(variant: Variant) -> GameKind {
        GameKind { variant, numbering: variant.game().numbering, basis: VariantBasis::Tag }
    }

    fn packed(text: &str) -> Vec<u8> {
        let mut moves: Vec<Move> = Vec::new();
        let summary = Replayer::default().replay(text.as_bytes(), &mut moves);
        let start: Position = summary.start_position();
        let ops: Vec<_> = moves.into_iter().map(PackedOp::Move).collect();
        let mut bytes = Vec::new();
        pack(&start, &ops, &mut bytes);
        bytes
    }

    #[test]
    fn packed_run_is_found_where_its_moves_were_played() {
        let bytes = packed("[GameType \"20\"] 1. 32-28 19-23 2. 28x19 14x23 3. 37-32 10-14 *");
        for (moves, length, found) in [
            ("32-28 19-23 28x19", 3, true),
            ("19-23 28x19 14x23 37-32 10-14", 5, true),
            ("28x19 14x23 37-32", 1, true),
            ("32-28 18-23 .. 28x19", 2, false),
            ("32-28 19-23 28x19 13x24", 4, false),
            ("37,31-32 10-14", 1, true),
            ("37-32,31 10,9-14", 2, true),
            ("10-14 32-28", 2, false),
        ] {
            let moves: PlayedMoves = moves.parse().expect("moves");
            let run = PackedRun::longest::<Ten>(&moves, &kind(Variant::International)).expect("a run");
            assert_eq!((run.len(), run.may_occur(&bytes)), (length, found), "{moves}");
        }
        // Captures may take more than one byte, kings slide.
        for moves in ["28x19", "x", "- 32-", "32-27,5"] {
            let moves: PlayedMoves = moves.parse().expect("moves");
            assert!(PackedRun::longest::<Ten>(&moves, &kind(Variant::International)).is_none(), "{moves}");
            assert!(PackedRun::longest::<Twelve>(&moves, &kind(Variant::Canadian)).is_none(), "{moves}");
        }
    }
}
