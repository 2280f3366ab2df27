//! One op at a time: every form, every check.

use std::fmt;

use super::codes::{CHAIN, EXPLICIT, LINE, MoveCodec, NULL, OTHER, SETUP, main_direction};
use crate::board::{Bits, Geometry, Square};
use crate::position::{Move, State, Streak};
use crate::value::Colour;

/// Bytes that no packed game contains in this position: the index is damaged.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct CorruptMoves;

impl fmt::Display for CorruptMoves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the packed moves make no sense in this position")
    }
}

impl std::error::Error for CorruptMoves {}

/// What happens next in a packed game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PackedOp<B> {
    /// A move; legal if it is as it was written.
    Move(Move<B>),
    /// The side to move passes.
    Null,
    /// Another position is set up. No ply.
    Setup(State<B>),
}

/// An op, and the bytes after it.
pub type Decoded<'a, B> = Result<(PackedOp<B>, &'a [u8]), CorruptMoves>;

impl<G: Geometry> MoveCodec<G> {
    /// The first op of `bytes` in this position, and the bytes after it; `None` at the end.
    ///
    /// O(1) but for captures, which cost their length. A move that comes back starts on a piece of the side to
    /// move, captures only pieces of the other, and ends on an empty square.
    ///
    /// # Errors
    /// When the bytes cannot be what [`encode`](Self::encode) wrote here.
    pub fn decode<'a>(&self, state: &State<G::Bits>, bytes: &'a [u8]) -> Option<Decoded<'a, G::Bits>> {
        let mut reader = Reader(bytes);
        let code = reader.byte()?;
        Some(match self.op(state, code, &mut reader) {
            Some(op) => Ok((op, reader.0)),
            None => Err(CorruptMoves),
        })
    }

    /// The op with this first byte; `None` for nonsense.
    #[inline]
    pub(super) fn op(
        &self,
        state: &State<G::Bits>,
        code: u8,
        reader: &mut Reader<'_>,
    ) -> Option<PackedOp<G::Bits>> {
        let groups = &self.groups;
        let main = main_direction::<G>();
        let legs = |directions: &[usize], reader: &mut Reader<'_>| {
            let pair = reader.byte()?;
            let first = (pair < groups.pairs).then(|| self.steps[usize::from(pair)])?;
            let mut chain = Chain::<G> { state, at: first.behind(), captured: first.next };
            // A square that has nothing behind it stands for itself there.
            if first.behind() == first.from || !(first.next & state.side(!state.turn)).any() {
                return None;
            }
            directions.iter().try_for_each(|&direction| chain.jump(direction))?;
            self.checked(state, first.from, chain.at, chain.captured)
        };
        let within = |group: Option<u8>, size: u8| {
            group.and_then(|start| code.checked_sub(start)).filter(|&i| i < size)
        };
        if code < groups.pairs {
            let step = self.steps[usize::from(code)];
            let prey = step.next & state.side(!state.turn);
            let to = if prey.any() { step.behind() } else { step.next };
            // No jump ends where it begins.
            return if to == step.from { None } else { self.checked(state, step.from, to, prey) };
        }
        if let Some(d) = within(Some(groups.chain2), 4) {
            return legs(&[main + usize::from(d)], reader);
        }
        if let Some(i) = within(groups.slide, 4 * (groups.longest - 1)) {
            let (way, distance) = (i / (groups.longest - 1), i % (groups.longest - 1) + 2);
            let from = reader.square::<G>()?;
            let direction = main + usize::from(way);
            let mut to = G::Bits::one(from);
            for _ in 0..distance {
                to = G::step(to, direction) & G::VALID;
            }
            return self.line(state, from, to, direction);
        }
        if let Some(d) = within(groups.side, 4) {
            let from = reader.square::<G>()?;
            let mut chain = Chain::<G> { state, at: G::Bits::one(from), captured: G::Bits::NONE };
            chain.jump(4 + usize::from(d))?;
            return self.checked(state, G::Bits::one(from), chain.at, chain.captured);
        }
        if let Some(i) = within(groups.chain3, 16) {
            return legs(&[main + usize::from(i / 4), main + usize::from(i % 4)], reader);
        }
        match code {
            CHAIN => {
                let from = G::Bits::one(reader.square::<G>()?);
                let head = reader.byte()?;
                let mut chain = Chain::<G> { state, at: from, captured: G::Bits::NONE };
                chain.jump(usize::from(head >> 5))?;
                let (mut halves, mut half) = (0, false);
                for _ in 1..head & 31 {
                    halves = if half { halves >> 4 } else { reader.byte()? };
                    half = !half;
                    chain.jump(usize::from(halves & 7))?;
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
                    let head = reader.byte()?;
                    let mut captured = G::Bits::NONE;
                    for _ in 0..head & 127 {
                        captured |= G::Bits::one(reader.square::<G>()?);
                    }
                    if head >= 128 && (state.kings & G::Bits::one(from)).any() {
                        // What is a king already cannot become one.
                        return None;
                    }
                    if from == to && !captured.any() {
                        // Nothing moves.
                        return None;
                    }
                    match self.checked(state, G::Bits::one(from), G::Bits::one(to), captured)? {
                        PackedOp::Move(mv) => Some(PackedOp::Move(Move { promotes: head >= 128, ..mv })),
                        op => Some(op),
                    }
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// A move along a ray, over everything between.
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

    /// The move, if it has the shape of one.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn checked(
        &self,
        state: &State<G::Bits>,
        from: G::Bits,
        to: G::Bits,
        captured: G::Bits,
    ) -> Option<PackedOp<G::Bits>> {
        let enemy = state.side(!state.turn);
        let stays = (state.occupied() & !from) & !captured;
        let fits = (from & state.side(state.turn)).any() && !(captured & !enemy).any() && !(to & stays).any();
        let man = !(from & state.kings).any();
        let promotes = man && (to & G::LAST_ROWS[state.turn as usize]).any();
        fits.then(|| {
            PackedOp::Move(Move { captured, from: Square(from.lowest()), to: Square(to.lowest()), promotes })
        })
    }
}

/// A capture on its way.
struct Chain<'a, G: Geometry> {
    state: &'a State<G::Bits>,
    at: G::Bits,
    captured: G::Bits,
}

impl<G: Geometry> Chain<'_, G> {
    #[inline]
    fn jump(&mut self, direction: usize) -> Option<()> {
        let over = G::step(self.at, direction) & self.state.side(!self.state.turn) & !self.captured;
        self.at = G::step(over, direction) & G::VALID;
        self.captured |= over;
        self.at.any().then_some(())
    }
}

/// Bytes still to be read.
pub(super) struct Reader<'a>(pub(super) &'a [u8]);

impl Reader<'_> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    fn square<G: Geometry>(&mut self) -> Option<u8> {
        self.byte().filter(|&at| u32::from(at) < G::Bits::SIZE && G::VALID.has(at))
    }

    fn word<B: Bits>(&mut self) -> Option<B> {
        let mut wide = 0u128;
        for i in 0..B::SIZE / 8 {
            wide |= u128::from(self.byte()?) << (8 * i);
        }
        Some(B::narrow(wide))
    }

    fn setup<G: Geometry>(&mut self) -> Option<State<G::Bits>> {
        let flags = self.byte()?;
        let turn = if flags & 1 == 0 { Colour::White } else { Colour::Black };
        let (white, black): (G::Bits, G::Bits) = (self.word()?, self.word()?);
        let kings: G::Bits = self.word()?;
        let fits = !((white | black) & !G::VALID).any()
            && !(white & black).any()
            && !(kings & !(white | black)).any();
        if !fits || flags > 3 {
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
