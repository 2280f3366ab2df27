//! The tight loop that searching lives on.

use std::hint::select_unpredictable;
use std::ops::ControlFlow;

use super::codes::{MoveCodec, OTHER, SETUP, TwoByteOp};
use super::decode::{CorruptMoves, PackedOp, Reader};
use crate::board::{Bits, Geometry, Square};
use crate::position::{Move, State, Streak};
use crate::value::Colour;

/// A ply of a packed game, as [`MoveCodec::scan`] shows it. What is not asked for is not computed.
#[derive(Clone, Copy, Debug)]
pub struct ScannedPly<B> {
    before: Sides<B>,
    after: Sides<B>,
    turn: Colour,
    from: B,
    to: B,
    captured: B,
    had: RunningPieceCounts,
    left: RunningPieceCounts,
    null: bool,
}

#[derive(Clone, Copy, Debug)]
struct Sides<B> {
    pieces: [B; 2],
    kings: B,
}

/// How many pieces each side has, and how many of these are kings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RunningPieceCounts {
    /// Of White in the lower half, of Black in the upper.
    pieces: u32,
    kings: u32,
}

impl RunningPieceCounts {
    /// That of a position, counted.
    pub fn of<B: Bits>(state: &State<B>) -> Self {
        let both = |[white, black]: [B; 2]| white.count() | black.count() << 16;
        Self { pieces: both(state.pieces), kings: both(state.pieces.map(|side| side & state.kings)) }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn shift(colour: Colour) -> u32 {
        16 * colour as u32
    }

    /// Men and kings of both sides, and the kings alone: White's in the lower half of the word, Black's in the upper.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn halves(self) -> [u32; 2] {
        [self.pieces, self.kings]
    }

    /// Men and kings of a side.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn pieces(self, colour: Colour) -> u32 {
        self.pieces >> Self::shift(colour) & 0xffff
    }

    /// Kings of a side.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn kings(self, colour: Colour) -> u32 {
        self.kings >> Self::shift(colour) & 0xffff
    }

    /// Men of a side.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn men(self, colour: Colour) -> u32 {
        self.pieces(colour) - self.kings(colour)
    }

    /// After a ply of this side that takes so many pieces, of which so many are kings, and may make a king.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn after(self, turn: Colour, (pieces, kings): (u32, u32), crowned: bool) -> Self {
        Self {
            pieces: self.pieces - (pieces << Self::shift(!turn)),
            kings: self.kings - (kings << Self::shift(!turn)) + (u32::from(crowned) << Self::shift(turn)),
        }
    }
}

impl<B: Bits> ScannedPly<B> {
    /// The position before, without king counters.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn before(&self) -> State<B> {
        self.before.state(self.turn)
    }

    /// The position after, without king counters.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn after(&self) -> State<B> {
        self.after.state(!self.turn)
    }

    /// Who moves.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn turn(&self) -> Colour {
        self.turn
    }

    /// The captured pieces.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn captured(&self) -> B {
        self.captured
    }

    /// Where the piece stood; no square for a null move.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn from(&self) -> B {
        self.from
    }

    /// Where it stands now; no square for a null move.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn to(&self) -> B {
        self.to
    }

    /// Whether a king moves.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn by_king(&self) -> bool {
        (self.before.kings & self.from).any()
    }

    /// Whether a man becomes a king.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn promotes(&self) -> bool {
        !self.by_king() & (self.after.kings & self.to).any()
    }

    /// How many pieces White and Black had before the ply. Kept along the way: cheaper than to count bits.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn had(&self) -> RunningPieceCounts {
        self.had
    }

    /// How many they have after it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn left(&self) -> RunningPieceCounts {
        self.left
    }

    /// The move; `None` for a null move.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn mv(&self) -> Option<Move<B>> {
        let (from, to) = (Square(self.from.lowest()), Square(self.to.lowest()));
        (!self.null).then_some(Move { captured: self.captured, from, to, promotes: self.promotes() })
    }
}

impl<B: Bits> Sides<B> {
    #[cfg_attr(not(debug_assertions), inline(always))]
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
    /// There is no more, or enough was seen.
    Ends,
}

/// What looks on while a game is played.
trait Watch<B> {
    /// Sees a position before its ply, or at the end; whether that is enough.
    fn position(&mut self, state: &State<B>, strength: RunningPieceCounts) -> bool;

    /// Sees a ply; whether that is enough.
    fn ply(&mut self, ply: &ScannedPly<B>) -> bool;
}

/// Looks at plies.
struct Plies<F>(F);

impl<B, F: FnMut(&ScannedPly<B>) -> ControlFlow<()>> Watch<B> for Plies<F> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn position(&mut self, _: &State<B>, _: RunningPieceCounts) -> bool {
        false
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn ply(&mut self, ply: &ScannedPly<B>) -> bool {
        self.0(ply).is_break()
    }
}

/// Looks at positions, and counts the plies before each.
struct Positions<F> {
    visit: F,
    plies: u32,
}

impl<B, F: FnMut(&State<B>, RunningPieceCounts, u32) -> ControlFlow<()>> Watch<B> for Positions<F> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn position(&mut self, state: &State<B>, strength: RunningPieceCounts) -> bool {
        (self.visit)(state, strength, self.plies).is_break()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn ply(&mut self, _: &ScannedPly<B>) -> bool {
        self.plies += 1;
        false
    }
}

impl<G: Geometry> MoveCodec<G> {
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
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn scan(
        &self,
        start: &State<G::Bits>,
        bytes: &[u8],
        visit: impl FnMut(&ScannedPly<G::Bits>) -> ControlFlow<()>,
    ) -> Result<State<G::Bits>, CorruptMoves> {
        let mut at = ScanCursor::new(start, bytes);
        self.watch(&mut at, &mut Plies(visit))?;
        Ok(at.sides.state(at.turn))
    }

    /// Shows every position of a packed game to `visit`, with what each side has and the number of plies before it,
    /// until `visit` breaks off; the one after the last ply too. Answers with the number of plies before the
    /// position that was shown last.
    ///
    /// Where another position is set up, it takes the place of the one before: it is shown after it with the same
    /// number of plies, whether or not `visit` breaks off at the one before.
    ///
    /// Faster than [`scan`](Self::scan) for what is asked of positions alone.
    ///
    /// # Errors
    /// When the bytes make no sense.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn positions(
        &self,
        start: &State<G::Bits>,
        bytes: &[u8],
        visit: impl FnMut(&State<G::Bits>, RunningPieceCounts, u32) -> ControlFlow<()>,
    ) -> Result<u32, CorruptMoves> {
        let mut watch = Positions { visit, plies: 0 };
        self.watch(&mut ScanCursor::new(start, bytes), &mut watch)?;
        Ok(watch.plies)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn watch(
        &self,
        at: &mut ScanCursor<'_, G::Bits>,
        watch: &mut impl Watch<G::Bits>,
    ) -> Result<(), CorruptMoves> {
        loop {
            let next = if at.sides.kings.any() {
                self.run::<true>(at, watch)?
            } else {
                self.run::<false>(at, watch)?
            };
            if let Next::Ends = next {
                return Ok(());
            }
        }
    }

    /// Goes on until something changes. Without `KINGS` there is none on the board.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn run<const KINGS: bool>(
        &self,
        at: &mut ScanCursor<'_, G::Bits>,
        watch: &mut impl Watch<G::Bits>,
    ) -> Result<Next, CorruptMoves> {
        loop {
            if at.turn == Colour::White {
                match self.half::<KINGS, false>(at, watch)? {
                    Next::Goes => {}
                    next => return Ok(next),
                }
            }
            match self.half::<KINGS, true>(at, watch)? {
                Next::Goes => {}
                next => return Ok(next),
            }
        }
    }

    /// One op of the side to move, known at compile time so that no shift and no word depends on it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn half<const KINGS: bool, const BLACK: bool>(
        &self,
        at: &mut ScanCursor<'_, G::Bits>,
        watch: &mut impl Watch<G::Bits>,
    ) -> Result<Next, CorruptMoves> {
        let turn = if BLACK { Colour::Black } else { Colour::White };
        at.turn = turn;
        let kings = if KINGS { at.sides.kings } else { G::Bits::NONE };
        let before = Sides { pieces: at.sides.pieces, kings };
        let had = if KINGS { at.left } else { RunningPieceCounts { kings: 0, ..at.left } };
        if watch.position(&before.state(turn), had) && !at.sets_up() {
            return Ok(Next::Ends);
        }
        let Some(&code) = at.bytes.next() else { return Ok(Next::Ends) };
        let ply = if code < self.groups.pairs {
            let step = &self.steps[usize::from(code)];
            let (own, enemy) = (before.pieces[BLACK as usize], before.pieces[!BLACK as usize]);
            let captured = step.next & enemy;
            // Without a branch, and without waiting for memory that depends on the position.
            let changed = step.quiet ^ select_unpredictable(captured.any(), step.other, G::Bits::NONE);
            // Of the two squares, one's own piece stands on the first and nothing on the second.
            if (((own & changed) ^ step.from) | (enemy & changed)).any() {
                return Err(CorruptMoves);
            }
            let to = changed ^ step.from;
            let mut crowned = to & G::LAST_ROWS[BLACK as usize];
            if KINGS {
                crowned |= to & G::Bits::all_if((kings & step.from).any());
            }
            let (mine, theirs) = (own ^ changed, enemy ^ captured);
            let pieces = if BLACK { [theirs, mine] } else { [mine, theirs] };
            let after = Sides { pieces, kings: (kings & !(step.from | captured)) | crowned };
            let taken = (u32::from(captured.any()), u32::from((kings & captured).any()));
            let left = had.after(turn, taken, crowned.any() & !(kings & step.from).any());
            ScannedPly { before, after, turn, from: step.from, to, captured, had, left, null: false }
        } else if let (Some(&second), Some(legs)) = (at.bytes.as_slice().first(), self.two_bytes(code)) {
            let _ = at.bytes.next();
            let (own, enemy) = (before.pieces[BLACK as usize], before.pieces[!BLACK as usize]);
            let Leg { from, to, captured } = self.legs(legs, own, enemy, second);
            if !from.any() {
                return Err(CorruptMoves);
            }
            let mut crowned = to & G::LAST_ROWS[BLACK as usize];
            if KINGS {
                crowned |= to & G::Bits::all_if((kings & from).any());
            }
            let (mine, theirs) = ((own & !from) | to, enemy ^ captured);
            let pieces = if BLACK { [theirs, mine] } else { [mine, theirs] };
            let after = Sides { pieces, kings: (kings & !(from | captured)) | crowned };
            let taken = (captured.count(), if KINGS { (kings & captured).count() } else { 0 });
            let left = had.after(turn, taken, crowned.any() & !(kings & from).any());
            ScannedPly { before, after, turn, from, to, captured, had, left, null: false }
        } else {
            let rare = self.long_op(&before.state(turn), code, at.bytes.as_slice())?;
            at.bytes = rare.bytes.iter();
            if rare.setup {
                (at.sides, at.left, at.turn) = (rare.ply.after, rare.ply.left, rare.ply.turn);
                return Ok(Next::Turns);
            }
            rare.ply
        };
        (at.sides, at.left) = (ply.after, ply.left);
        at.turn = !turn;
        Ok(match watch.ply(&ply) {
            true => Next::Ends,
            false if !KINGS && ply.after.kings.any() => Next::Turns,
            false => Next::Goes,
        })
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn two_bytes(&self, code: u8) -> Option<TwoByteOp> {
        let legs = self.legs[usize::from(code)];
        (legs != TwoByteOp::Other).then_some(legs)
    }

    /// Several jumps, or a king's way. From nowhere if that makes no sense.
    #[inline(never)]
    fn legs(&self, legs: TwoByteOp, own: G::Bits, enemy: G::Bits, second: u8) -> Leg<G::Bits> {
        let none = G::Bits::NONE;
        let nonsense = Leg { from: none, to: none, captured: none };
        let square = || (u32::from(second) < G::Bits::SIZE).then(|| G::Bits::one(second) & G::VALID);
        let leg = match legs {
            TwoByteOp::Other => nonsense,
            TwoByteOp::Jumps(count, directions) => {
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
            TwoByteOp::Slide(direction, distance) => {
                let direction = usize::from(direction) & 7;
                let from = square().unwrap_or(none);
                let ray = G::ray(direction, second);
                let at = second.wrapping_add((self.turns[direction].by as u8).wrapping_mul(distance));
                let to = G::Bits::one(at) & ray;
                let between = ray & !(G::ray(direction, at) | to);
                Leg { from, to, captured: between & enemy }
            }
            TwoByteOp::Side(direction) => {
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
    fn long_op<'a>(
        &self,
        before: &State<G::Bits>,
        code: u8,
        bytes: &'a [u8],
    ) -> Result<Rare<'a, G::Bits>, CorruptMoves> {
        let mut reader = Reader(bytes);
        let op = self.op(before, code, &mut reader).ok_or(CorruptMoves)?;
        let none = G::Bits::NONE;
        let sides = |state: &State<G::Bits>| Sides { pieces: state.pieces, kings: state.kings };
        let mut ply = ScannedPly {
            before: sides(before),
            after: sides(before),
            turn: before.turn,
            from: none,
            to: none,
            captured: none,
            had: RunningPieceCounts::of(before),
            left: RunningPieceCounts::default(),
            null: false,
        };
        let mut setup = false;
        match op {
            PackedOp::Setup(state) => {
                setup = true;
                (ply.after, ply.turn) = (sides(&state), state.turn);
            }
            PackedOp::Null => ply.null = true,
            PackedOp::Move(mv) => {
                let mut after = *before;
                after.play_uncounted(&mv);
                ply.after = sides(&after);
                (ply.from, ply.to, ply.captured) =
                    (G::Bits::one(mv.from.0), G::Bits::one(mv.to.0), mv.captured);
            }
        }
        ply.left = RunningPieceCounts::of(&ply.after());
        Ok(Rare { ply, setup, bytes: reader.0 })
    }
}

/// Where the loop is.
struct ScanCursor<'a, B> {
    sides: Sides<B>,
    left: RunningPieceCounts,
    turn: Colour,
    bytes: std::slice::Iter<'a, u8>,
}

impl<'a, B: Bits> ScanCursor<'a, B> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn new(start: &State<B>, bytes: &'a [u8]) -> Self {
        let sides = Sides { pieces: start.pieces, kings: start.kings };
        Self { sides, left: RunningPieceCounts::of(start), turn: start.turn, bytes: bytes.iter() }
    }

    /// Whether another position comes next.
    #[cold]
    fn sets_up(&self) -> bool {
        self.bytes.as_slice().starts_with(&[OTHER, SETUP])
    }
}

/// A move of two bytes.
#[derive(Clone, Copy)]
struct Leg<B> {
    from: B,
    to: B,
    captured: B,
}

/// What [`MoveCodec::long_op`] found.
struct Rare<'a, B> {
    ply: ScannedPly<B>,
    /// Whether it is no ply but another position, that after it.
    setup: bool,
    /// The bytes behind it.
    bytes: &'a [u8],
}
