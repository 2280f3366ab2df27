//! The tight loop that searching lives on.

use std::ops::ControlFlow;

use super::codes::Codec;
use super::decode::{Corrupt, Op, Reader};
use crate::board::{Bits, Geometry, Square};
use crate::position::{Move, State, Streak};
use crate::value::Colour;

/// A ply of a packed game, as [`Codec::scan`] shows it. What is not asked for is not computed.
#[derive(Clone, Copy, Debug)]
pub struct Ply<B> {
    before: Sides<B>,
    after: Sides<B>,
    turn: Colour,
    from: B,
    to: B,
    captured: B,
    null: bool,
}

#[derive(Clone, Copy, Debug)]
struct Sides<B> {
    pieces: [B; 2],
    kings: B,
}

impl<B: Bits> Ply<B> {
    /// The position before, without king counters.
    #[inline(always)]
    pub fn before(&self) -> State<B> {
        self.before.state(self.turn)
    }

    /// The position after, without king counters.
    #[inline(always)]
    pub fn after(&self) -> State<B> {
        self.after.state(!self.turn)
    }

    /// Who moves.
    #[inline(always)]
    pub fn turn(&self) -> Colour {
        self.turn
    }

    /// The captured pieces.
    #[inline(always)]
    pub fn captured(&self) -> B {
        self.captured
    }

    /// The move; `None` for a null move.
    #[inline(always)]
    pub fn mv(&self) -> Option<Move<B>> {
        let man = !(self.before.kings & self.from).any();
        let promotes = man & (self.after.kings & self.to).any();
        let (from, to) = (Square(self.from.lowest()), Square(self.to.lowest()));
        (!self.null).then_some(Move { captured: self.captured, from, to, promotes })
    }
}

impl<B: Bits> Sides<B> {
    #[inline(always)]
    fn state(self, turn: Colour) -> State<B> {
        State { pieces: self.pieces, kings: self.kings, turn, streaks: [Streak::default(); 2] }
    }
}

/// What a step of the loop leads to.
enum Next<B> {
    /// The other side moves.
    Goes(Sides<B>),
    /// Another position was set up.
    Jumps(State<B>),
    /// There is no more, or the visitor has seen enough.
    Ends(State<B>),
}

impl<G: Geometry> Codec<G> {
    /// Shows every ply of a packed game to `visit` until that breaks off, and answers with the last position.
    ///
    /// Plays without generating moves and without keeping king counters: some nanoseconds a ply, a few hundred
    /// million plies a second. O(bytes); nothing is allocated.
    ///
    /// # Errors
    /// When the bytes make no sense; the plies before have been shown. A move that was shown starts on a piece
    /// of its side, captures only pieces of the other, and ends on an empty square.
    #[inline(always)]
    pub fn scan(
        &self,
        start: &State<G::Bits>,
        bytes: &[u8],
        mut visit: impl FnMut(&Ply<G::Bits>) -> ControlFlow<()>,
    ) -> Result<State<G::Bits>, Corrupt> {
        let mut reader = Reader(bytes);
        let mut turn = start.turn;
        let mut sides = Sides { pieces: start.pieces, kings: start.kings };
        loop {
            if turn == Colour::White {
                match self.half::<false>(sides, &mut reader, &mut visit)? {
                    Next::Goes(after) => sides = after,
                    Next::Jumps(state) => {
                        (sides, turn) = (Sides { pieces: state.pieces, kings: state.kings }, state.turn);
                        continue;
                    }
                    Next::Ends(state) => return Ok(state),
                }
            }
            turn = Colour::White;
            match self.half::<true>(sides, &mut reader, &mut visit)? {
                Next::Goes(after) => sides = after,
                Next::Jumps(state) => {
                    (sides, turn) = (Sides { pieces: state.pieces, kings: state.kings }, state.turn);
                }
                Next::Ends(state) => return Ok(state),
            }
        }
    }

    /// One op of the side to move, known at compile time so that no shift and no word depends on it.
    #[inline(always)]
    fn half<const BLACK: bool>(
        &self,
        before: Sides<G::Bits>,
        reader: &mut Reader<'_>,
        visit: &mut impl FnMut(&Ply<G::Bits>) -> ControlFlow<()>,
    ) -> Result<Next<G::Bits>, Corrupt> {
        let turn = if BLACK { Colour::Black } else { Colour::White };
        let Some(code) = reader.byte() else { return Ok(Next::Ends(before.state(turn))) };
        let ply = if code < self.groups.pairs {
            let step = &self.steps[usize::from(code)];
            let (own, enemy) = (before.pieces[BLACK as usize], before.pieces[!BLACK as usize]);
            let captured = step.next & enemy;
            let to = if captured.any() { step.behind } else { step.next };
            if ((step.from & !own) | (to & (own | enemy))).any() {
                return Err(Corrupt);
            }
            let crowned = G::LAST_ROWS[BLACK as usize] | G::Bits::all_if((before.kings & step.from).any());
            let (mine, theirs) = (own ^ step.from ^ to, enemy & !captured);
            let pieces = if BLACK { [theirs, mine] } else { [mine, theirs] };
            let kings = (before.kings & !(step.from | captured)) | (to & crowned);
            let after = Sides { pieces, kings };
            Ply { before, after, turn, from: step.from, to, captured, null: false }
        } else {
            match self.rare(&before.state(turn), code, reader)? {
                Rare::Ply(ply) => ply,
                Rare::Setup(state) => return Ok(Next::Jumps(state)),
            }
        };
        let after = ply.after;
        match visit(&ply) {
            ControlFlow::Continue(()) => Ok(Next::Goes(after)),
            ControlFlow::Break(()) => Ok(Next::Ends(after.state(!turn))),
        }
    }

    /// Whatever takes more than a byte.
    #[inline(never)]
    fn rare(
        &self,
        before: &State<G::Bits>,
        code: u8,
        reader: &mut Reader<'_>,
    ) -> Result<Rare<G::Bits>, Corrupt> {
        let mut after = *before;
        let (from, to, captured, null) = match self.op(before, code, reader).ok_or(Corrupt)? {
            Op::Setup(state) => return Ok(Rare::Setup(state)),
            Op::Null => {
                after.turn = !after.turn;
                (G::Bits::NONE, G::Bits::NONE, G::Bits::NONE, true)
            }
            Op::Move(mv) => {
                after.play_uncounted(&mv);
                (G::Bits::one(mv.from.0), G::Bits::one(mv.to.0), mv.captured, false)
            }
        };
        let [before_sides, after] =
            [before, &after].map(|state| Sides { pieces: state.pieces, kings: state.kings });
        Ok(Rare::Ply(Ply { before: before_sides, after, turn: before.turn, from, to, captured, null }))
    }
}

enum Rare<B> {
    Ply(Ply<B>),
    Setup(State<B>),
}
