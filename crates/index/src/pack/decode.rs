//! Decodes one op at a time: every form, with all checks.

use std::fmt;

use super::codes::{CHAIN, EXPLICIT, LINE, MoveCodec, NULL, OTHER, SETUP, main_direction};
use pdn::board::Square;
use pdn::position::Move;
use pdn::value::Colour;
use pdn_rules::internal::board::{Bits, Geometry};
use pdn_rules::internal::position::{State, Streak};
use pdn_rules::internal::steps;

/// The error of unpacking bytes that cannot occur in this position: the index is damaged.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct CorruptMoves;

impl fmt::Display for CorruptMoves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the packed moves make no sense in this position")
    }
}

impl std::error::Error for CorruptMoves {}

/// An op of a packed game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PackedOp<B> {
    /// A move. It is legal if the bytes are undamaged.
    Move(Move<B>),
    /// A null move: the side to move passes.
    Null,
    /// A setup of another position, which is not a ply.
    Setup(State<B>),
}

/// An op and the bytes after it.
pub type Decoded<'a, B> = Result<(PackedOp<B>, &'a [u8]), CorruptMoves>;

impl<G: Geometry> MoveCodec<G> {
    /// Decodes the first op of `bytes` in this position. Returns it with the bytes after it; `None` if `bytes` is empty.
    ///
    /// O(1), except for captures, which take time proportional to their jumps. A returned move starts on a piece of the
    /// side to move, captures only pieces of the other side, and ends on an empty square.
    ///
    /// # Errors
    /// If [`encode`](Self::encode) cannot have written the bytes in this position.
    pub fn decode<'a>(&self, state: &State<G::Bits>, bytes: &'a [u8]) -> Option<Decoded<'a, G::Bits>> {
        steps::add(1);
        let mut reader = Reader(bytes);
        let code = reader.byte()?;
        Some(match self.op(state, code, &mut reader) {
            Some(op) => Ok((op, reader.0)),
            None => Err(CorruptMoves),
        })
    }

    /// Decodes the op whose first byte is `code` and whose other bytes `reader` returns; `None` if it is malformed.
    #[inline]
    pub(super) fn op(
        &self,
        state: &State<G::Bits>,
        code: u8,
        reader: &mut Reader<'_>,
    ) -> Option<PackedOp<G::Bits>> {
        let groups = &self.groups;
        let main = main_direction::<G>();
        let chain_from_pair = |directions: &[usize], reader: &mut Reader<'_>| {
            let pair = reader.byte()?;
            let first = (pair < groups.pairs).then(|| self.steps[usize::from(pair)])?;
            let mut chain = CaptureChain::<G> { state, at: first.landing(), captured: first.neighbour };
            // At the edge of the board the landing square is the first square itself.
            if first.landing() == first.from || !(first.neighbour & state.side(!state.turn)).any() {
                return None;
            }
            directions.iter().try_for_each(|&direction| chain.jump(direction))?;
            self.checked(state, first.from, chain.at, chain.captured)
        };
        let index_in = |group: Option<u8>, size: u8| {
            group.and_then(|start| code.checked_sub(start)).filter(|&i| i < size)
        };
        if code < groups.pairs {
            let step = self.steps[usize::from(code)];
            let captured = step.neighbour & state.side(!state.turn);
            let to = if captured.any() { step.landing() } else { step.neighbour };
            // At the edge of the board the landing square is the first square itself: no jump is possible.
            return if to == step.from { None } else { self.checked(state, step.from, to, captured) };
        }
        if let Some(d) = index_in(Some(groups.chain2), 4) {
            return chain_from_pair(&[main + usize::from(d)], reader);
        }
        if let Some(i) = index_in(groups.slide, 4 * (groups.longest - 1)) {
            let (way, distance) = (i / (groups.longest - 1), i % (groups.longest - 1) + 2);
            let from = reader.square::<G>()?;
            let direction = main + usize::from(way);
            let mut to = G::Bits::one(from);
            for _ in 0..distance {
                to = G::step(to, direction) & G::VALID;
            }
            return self.line(state, from, to, direction);
        }
        if let Some(d) = index_in(groups.side, 4) {
            let from = reader.square::<G>()?;
            let mut chain = CaptureChain::<G> { state, at: G::Bits::one(from), captured: G::Bits::NONE };
            chain.jump(4 + usize::from(d))?;
            return self.checked(state, G::Bits::one(from), chain.at, chain.captured);
        }
        if let Some(i) = index_in(groups.chain3, 16) {
            return chain_from_pair(&[main + usize::from(i / 4), main + usize::from(i % 4)], reader);
        }
        match code {
            CHAIN => {
                let from = G::Bits::one(reader.square::<G>()?);
                let count_and_direction = reader.byte()?;
                let mut chain = CaptureChain::<G> { state, at: from, captured: G::Bits::NONE };
                chain.jump(usize::from(count_and_direction >> 5))?;
                let (mut two_directions, mut is_second) = (0, false);
                for _ in 1..count_and_direction & 31 {
                    two_directions = if is_second { two_directions >> 4 } else { reader.byte()? };
                    is_second = !is_second;
                    chain.jump(usize::from(two_directions & 7))?;
                }
                self.checked(state, from, chain.at, chain.captured)
            }
            LINE => {
                let (from, to) = (reader.square::<G>()?, reader.square::<G>()?);
                let direction = (0..8).find(|&direction| G::ray(direction, from).has(to))?;
                self.line(state, from, G::Bits::one(to), direction)
            }
            OTHER => match reader.byte()? {
                NULL => Some(PackedOp::Null),
                SETUP => reader.setup::<G>().map(PackedOp::Setup),
                EXPLICIT => {
                    let (from, to) = (reader.square::<G>()?, reader.square::<G>()?);
                    let count_and_promotes = reader.byte()?;
                    let mut captured = G::Bits::NONE;
                    for _ in 0..count_and_promotes & 127 {
                        captured |= G::Bits::one(reader.square::<G>()?);
                    }
                    let promotes = count_and_promotes >= 128;
                    if promotes && (state.kings & G::Bits::one(from)).any() {
                        // A king cannot promote.
                        return None;
                    }
                    if from == to && !captured.any() {
                        // Nothing moves, and nothing is captured.
                        return None;
                    }
                    match self.checked(state, G::Bits::one(from), G::Bits::one(to), captured)? {
                        PackedOp::Move(mv) => {
                            Some(PackedOp::Move(Move::new(mv.from, mv.to, mv.captured, promotes)))
                        }
                        op => Some(op),
                    }
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the move along a line that captures every enemy in between; `None` if it is malformed.
    fn line(
        &self,
        state: &State<G::Bits>,
        from: u8,
        to: G::Bits,
        direction: usize,
    ) -> Option<PackedOp<G::Bits>> {
        if !to.any() {
            return None;
        }
        let between = G::ray(direction, from) & !G::ray(direction, to.lowest()) & !to;
        self.checked(state, G::Bits::one(from), to, between & state.side(!state.turn))
    }

    /// Returns the move if it starts on an own piece, captures only enemies, and ends on a square that is then empty.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn checked(
        &self,
        state: &State<G::Bits>,
        from: G::Bits,
        to: G::Bits,
        captured: G::Bits,
    ) -> Option<PackedOp<G::Bits>> {
        let enemy = state.side(!state.turn);
        let remaining = (state.occupied() & !from) & !captured;
        let is_well_formed =
            (from & state.side(state.turn)).any() && !(captured & !enemy).any() && !(to & remaining).any();
        let is_man = !(from & state.kings).any();
        let promotes = is_man && (to & G::LAST_ROWS[state.turn as usize]).any();
        is_well_formed.then(|| {
            PackedOp::Move(Move::new(Square(from.lowest()), Square(to.lowest()), captured, promotes))
        })
    }
}

/// A capture that is carried out jump by jump.
struct CaptureChain<'a, G: Geometry> {
    state: &'a State<G::Bits>,
    /// The square reached.
    at: G::Bits,
    captured: G::Bits,
}

impl<G: Geometry> CaptureChain<'_, G> {
    /// Jumps over the neighbour in a direction; `None` if that is not a capturable piece or the board ends after it.
    #[inline]
    fn jump(&mut self, direction: usize) -> Option<()> {
        let over = G::step(self.at, direction) & self.state.side(!self.state.turn) & !self.captured;
        self.at = G::step(over, direction) & G::VALID;
        self.captured |= over;
        self.at.any().then_some(())
    }
}

/// The bytes that are not yet read.
pub(super) struct Reader<'a>(pub(super) &'a [u8]);

impl Reader<'_> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    /// Reads a square; `None` if it is not on the board.
    fn square<G: Geometry>(&mut self) -> Option<u8> {
        self.byte().filter(|&at| u32::from(at) < G::Bits::SIZE && G::VALID.has(at))
    }

    /// Reads a little-endian bitboard.
    fn bitboard<B: Bits>(&mut self) -> Option<B> {
        let mut wide = 0u128;
        for i in 0..B::SIZE / 8 {
            wide |= u128::from(self.byte()?) << (8 * i);
        }
        Some(B::narrow(wide))
    }

    /// Reads a setup; `None` if pieces are off the board or overlap, or the flags are unknown.
    fn setup<G: Geometry>(&mut self) -> Option<State<G::Bits>> {
        let flags = self.byte()?;
        let turn = if flags & 1 == 0 { Colour::White } else { Colour::Black };
        let (white, black): (G::Bits, G::Bits) = (self.bitboard()?, self.bitboard()?);
        let kings: G::Bits = self.bitboard()?;
        let is_position = !((white | black) & !G::VALID).any()
            && !(white & black).any()
            && !(kings & !(white | black)).any();
        if !is_position || flags > 3 {
            return None;
        }
        let mut streaks = [Streak::default(); 2];
        if flags & 2 != 0 {
            for streak in &mut streaks {
                *streak = Streak { square: self.byte()?, moves: self.byte()? };
            }
        }
        Some(State { pieces: [white, black], kings, turn, streaks })
    }
}
