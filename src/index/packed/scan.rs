//! The tight loop that searching lives on.

use std::hint::select_unpredictable;
use std::ops::ControlFlow;

use super::codes::{Codec, Legs};
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
    left: [u32; 2],
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

    /// How many pieces White and Black have after the ply. Kept along the way: cheaper than to count bits.
    #[inline(always)]
    pub fn left(&self) -> [u32; 2] {
        self.left
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
enum Next {
    /// The other side moves.
    Goes,
    /// The first king was made, or another position was set up.
    Turns,
    /// There is no more, or the visitor has seen enough.
    Ends,
}

impl<G: Geometry> Codec<G> {
    /// Shows every ply of a packed game to `visit` until that breaks off, and answers with the last position.
    ///
    /// Plays without generating moves and without keeping king counters: a few hundred million plies a second. As
    /// long as there is no king, a step or a jump is a byte, a line of a table, and the question whether an enemy
    /// stands on the neighbouring square; what a king needs more is in a second loop. O(bytes); nothing is
    /// allocated.
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
        let mut at = At {
            sides: Sides { pieces: start.pieces, kings: start.kings },
            left: start.pieces.map(Bits::count),
            turn: start.turn,
            bytes: bytes.iter(),
        };
        loop {
            let next = if at.sides.kings.any() {
                self.run::<true>(&mut at, &mut visit)?
            } else {
                self.run::<false>(&mut at, &mut visit)?
            };
            if let Next::Ends = next {
                return Ok(at.sides.state(at.turn));
            }
        }
    }

    /// Goes on until something changes. Without `KINGS` there is none on the board.
    #[inline(always)]
    fn run<const KINGS: bool>(
        &self,
        at: &mut At<'_, G::Bits>,
        visit: &mut impl FnMut(&Ply<G::Bits>) -> ControlFlow<()>,
    ) -> Result<Next, Corrupt> {
        loop {
            if at.turn == Colour::White {
                match self.half::<KINGS, false>(at, visit)? {
                    Next::Goes => {}
                    next => return Ok(next),
                }
            }
            match self.half::<KINGS, true>(at, visit)? {
                Next::Goes => {}
                next => return Ok(next),
            }
        }
    }

    /// One op of the side to move, known at compile time so that no shift and no word depends on it.
    #[inline(always)]
    fn half<const KINGS: bool, const BLACK: bool>(
        &self,
        at: &mut At<'_, G::Bits>,
        visit: &mut impl FnMut(&Ply<G::Bits>) -> ControlFlow<()>,
    ) -> Result<Next, Corrupt> {
        let turn = if BLACK { Colour::Black } else { Colour::White };
        at.turn = turn;
        let Some(&code) = at.bytes.next() else { return Ok(Next::Ends) };
        let kings = if KINGS { at.sides.kings } else { G::Bits::NONE };
        let before = Sides { pieces: at.sides.pieces, kings };
        let mut left = at.left;
        let ply = if code < self.groups.pairs {
            let step = &self.steps[usize::from(code)];
            let (own, enemy) = (before.pieces[BLACK as usize], before.pieces[!BLACK as usize]);
            let captured = step.next & enemy;
            // Without a branch, and without waiting for memory that depends on the position.
            let changed = step.quiet ^ select_unpredictable(captured.any(), step.other, G::Bits::NONE);
            // Of the two squares, one's own piece stands on the first and nothing on the second.
            if (((own & changed) ^ step.from) | (enemy & changed)).any() {
                return Err(Corrupt);
            }
            let to = changed ^ step.from;
            let mut crowned = to & G::LAST_ROWS[BLACK as usize];
            if KINGS {
                crowned |= to & G::Bits::all_if((kings & step.from).any());
            }
            let (mine, theirs) = (own ^ changed, enemy ^ captured);
            let pieces = if BLACK { [theirs, mine] } else { [mine, theirs] };
            let after = Sides { pieces, kings: (kings & !(step.from | captured)) | crowned };
            left[!BLACK as usize] -= u32::from(captured.any());
            Ply { before, after, turn, from: step.from, to, captured, left, null: false }
        } else if let (Some(&second), Some(legs)) = (at.bytes.as_slice().first(), self.two_bytes(code)) {
            let _ = at.bytes.next();
            let (own, enemy) = (before.pieces[BLACK as usize], before.pieces[!BLACK as usize]);
            let Leg { from, to, captured } = self.legs(legs, own, enemy, second);
            if !from.any() {
                return Err(Corrupt);
            }
            let mut crowned = to & G::LAST_ROWS[BLACK as usize];
            if KINGS {
                crowned |= to & G::Bits::all_if((kings & from).any());
            }
            let (mine, theirs) = ((own & !from) | to, enemy ^ captured);
            let pieces = if BLACK { [theirs, mine] } else { [mine, theirs] };
            let after = Sides { pieces, kings: (kings & !(from | captured)) | crowned };
            left[!BLACK as usize] -= captured.count();
            Ply { before, after, turn, from, to, captured, left, null: false }
        } else {
            let rare = self.rare(&before.state(turn), code, at.bytes.as_slice())?;
            at.bytes = rare.bytes.iter();
            if rare.setup {
                (at.sides, at.left, at.turn) = (rare.ply.after, rare.ply.left, rare.ply.turn);
                return Ok(Next::Turns);
            }
            rare.ply
        };
        (at.sides, at.left) = (ply.after, ply.left);
        at.turn = !turn;
        match visit(&ply) {
            ControlFlow::Continue(()) if !KINGS && ply.after.kings.any() => Ok(Next::Turns),
            ControlFlow::Continue(()) => Ok(Next::Goes),
            ControlFlow::Break(()) => Ok(Next::Ends),
        }
    }

    #[inline(always)]
    fn two_bytes(&self, code: u8) -> Option<Legs> {
        let legs = self.legs[usize::from(code)];
        (legs != Legs::Other).then_some(legs)
    }

    /// Several jumps, or a king's way. From nowhere if that makes no sense.
    #[inline(never)]
    fn legs(&self, legs: Legs, own: G::Bits, enemy: G::Bits, second: u8) -> Leg<G::Bits> {
        let none = G::Bits::NONE;
        let nonsense = Leg { from: none, to: none, captured: none };
        let square = || (u32::from(second) < G::Bits::SIZE).then(|| G::Bits::one(second) & G::VALID);
        let leg = match legs {
            Legs::Other => nonsense,
            Legs::Jumps(count, directions) => {
                let step = &self.steps[usize::from(second)];
                let mut captured = step.next & enemy;
                if second >= self.groups.pairs || !captured.any() || step.behind() == step.from {
                    return nonsense;
                }
                let mut to = step.behind();
                for &direction in &directions[..usize::from(count)] {
                    let turn = &self.turns[usize::from(direction) & 7];
                    let over = turn.step(to) & enemy & !captured;
                    to = turn.step(over);
                    captured |= over;
                }
                Leg { from: step.from, to, captured }
            }
            Legs::Slide(direction, distance) => {
                let direction = usize::from(direction) & 7;
                let from = square().unwrap_or(none);
                let ray = G::ray(direction, second);
                let at = second.wrapping_add((self.turns[direction].by as u8).wrapping_mul(distance));
                let to = G::Bits::one(at) & ray;
                let between = ray & !(G::ray(direction, at) | to);
                Leg { from, to, captured: between & enemy }
            }
            Legs::Side(direction) => {
                let turn = &self.turns[usize::from(direction) & 7];
                let from = square().unwrap_or(none);
                let captured = turn.step(from) & enemy;
                Leg { from, to: turn.step(captured), captured }
            }
        };
        let stays = ((own | enemy) & !leg.from) & !leg.captured;
        let fits = (leg.from & own).any() & leg.to.any() & !(leg.to & stays).any();
        if fits { leg } else { nonsense }
    }

    /// Whatever takes more than a byte. The result is no enumeration, whose fields would have to be taken apart.
    #[inline(never)]
    fn rare<'a>(
        &self,
        before: &State<G::Bits>,
        code: u8,
        bytes: &'a [u8],
    ) -> Result<Rare<'a, G::Bits>, Corrupt> {
        let mut reader = Reader(bytes);
        let op = self.op(before, code, &mut reader).ok_or(Corrupt)?;
        let none = G::Bits::NONE;
        let sides = |state: &State<G::Bits>| Sides { pieces: state.pieces, kings: state.kings };
        let mut ply = Ply {
            before: sides(before),
            after: sides(before),
            turn: before.turn,
            from: none,
            to: none,
            captured: none,
            left: [0; 2],
            null: false,
        };
        let mut setup = false;
        match op {
            Op::Setup(state) => {
                setup = true;
                (ply.after, ply.turn) = (sides(&state), state.turn);
            }
            Op::Null => ply.null = true,
            Op::Move(mv) => {
                let mut after = *before;
                after.play_uncounted(&mv);
                ply.after = sides(&after);
                (ply.from, ply.to, ply.captured) =
                    (G::Bits::one(mv.from.0), G::Bits::one(mv.to.0), mv.captured);
            }
        }
        ply.left = ply.after.pieces.map(Bits::count);
        Ok(Rare { ply, setup, bytes: reader.0 })
    }
}

/// Where the loop is.
struct At<'a, B> {
    sides: Sides<B>,
    left: [u32; 2],
    turn: Colour,
    bytes: std::slice::Iter<'a, u8>,
}

/// A move of two bytes.
#[derive(Clone, Copy)]
struct Leg<B> {
    from: B,
    to: B,
    captured: B,
}

/// What [`Codec::rare`] found.
struct Rare<'a, B> {
    ply: Ply<B>,
    /// Whether it is no ply but another position, that after it.
    setup: bool,
    /// The bytes behind it.
    bytes: &'a [u8],
}
