//! Plays packed moves without generating moves or keeping king counters: the inner loop of every search.

use std::hint::select_unpredictable;
use std::ops::ControlFlow;

use super::codes::{MoveCodec, OTHER, SETUP, TwoByteOp};
use super::decode::{CorruptMoves, PackedOp, Reader};
use super::scanned_ply::{RunningPieceCounts, ScannedPly, Sides};
use pdn::value::Colour;
use pdn_rules::internal::board::{Bits, Geometry};
use pdn_rules::internal::position::State;
use pdn_rules::internal::steps;

/// How the loop continues after an op.
enum Next {
    /// The other side moves.
    Continue,
    /// The loop is chosen again: the first king appeared, or a setup followed.
    SwitchLoop,
    /// The bytes are used up, or the visitor broke off.
    End,
}

/// Receives the positions and plies of a game while it is played.
trait ScanVisitor<B> {
    /// Receives a position before its ply, or at the end. Returns `true` to break off.
    fn position(&mut self, state: &State<B>, counts: RunningPieceCounts) -> bool;

    /// Receives a ply. Returns `true` to break off.
    fn ply(&mut self, ply: &ScannedPly<B>) -> bool;
}

/// Passes plies to a closure.
struct PlyVisitor<F>(F);

impl<B, F: FnMut(&ScannedPly<B>) -> ControlFlow<()>> ScanVisitor<B> for PlyVisitor<F> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn position(&mut self, _: &State<B>, _: RunningPieceCounts) -> bool {
        false
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn ply(&mut self, ply: &ScannedPly<B>) -> bool {
        self.0(ply).is_break()
    }
}

/// Passes positions to a closure, with the number of plies before each.
struct PositionVisitor<F> {
    visit: F,
    /// Number of plies so far.
    plies: u32,
}

impl<B, F: FnMut(&State<B>, RunningPieceCounts, u32) -> ControlFlow<()>> ScanVisitor<B>
    for PositionVisitor<F>
{
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn position(&mut self, state: &State<B>, counts: RunningPieceCounts) -> bool {
        (self.visit)(state, counts, self.plies).is_break()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn ply(&mut self, _: &ScannedPly<B>) -> bool {
        self.plies += 1;
        false
    }
}

impl<G: Geometry> MoveCodec<G> {
    /// Passes every ply of a packed game to `visit` until that breaks off. Returns the last position, without king
    /// counters.
    ///
    /// Plays a few hundred million plies per second, because it neither generates moves nor keeps king counters. While
    /// there is no king, a step or a jump takes one byte, one table entry, and a test whether an enemy stands on the
    /// neighbouring square. A second loop handles positions with kings. O(bytes), without allocation.
    ///
    /// # Errors
    /// If the bytes are not those of a packed game; `visit` has received the plies before. Every ply that it receives
    /// starts on a piece of its side, captures only pieces of the other side, and ends on an empty square.
    // Twin: decode; tests: scan_equals_decode_on_all_byte_pairs, scan_and_unpack_agree_on_any_bytes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn scan(
        &self,
        start: &State<G::Bits>,
        bytes: &[u8],
        visit: impl FnMut(&ScannedPly<G::Bits>) -> ControlFlow<()>,
    ) -> Result<State<G::Bits>, CorruptMoves> {
        let mut cursor = ScanCursor::new(start, bytes);
        self.run(&mut cursor, &mut PlyVisitor(visit))?;
        Ok(cursor.sides.state(cursor.turn))
    }

    /// Passes every position of a packed game to `visit`, with its piece counts and the number of plies before it, until
    /// `visit` breaks off. The position after the last ply is included. Returns the number of plies before the position
    /// that was passed last.
    ///
    /// A setup replaces the position before it: both are passed with the same number of plies, and the second one even
    /// if `visit` breaks off at the first.
    ///
    /// Faster than [`scan`](Self::scan) if only positions matter.
    ///
    /// # Errors
    /// If the bytes are not those of a packed game.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn positions(
        &self,
        start: &State<G::Bits>,
        bytes: &[u8],
        visit: impl FnMut(&State<G::Bits>, RunningPieceCounts, u32) -> ControlFlow<()>,
    ) -> Result<u32, CorruptMoves> {
        let mut visitor = PositionVisitor { visit, plies: 0 };
        self.run(&mut ScanCursor::new(start, bytes), &mut visitor)?;
        Ok(visitor.plies)
    }

    /// Plays all ops until the bytes end or the visitor breaks off.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn run(
        &self,
        cursor: &mut ScanCursor<'_, G::Bits>,
        visitor: &mut impl ScanVisitor<G::Bits>,
    ) -> Result<(), CorruptMoves> {
        loop {
            let next = if cursor.sides.kings.any() {
                self.run_while::<true>(cursor, visitor)?
            } else {
                self.run_while::<false>(cursor, visitor)?
            };
            if let Next::End = next {
                return Ok(());
            }
        }
    }

    /// Plays ops until the loop must be chosen again or ends. `KINGS` is `false` if no king is on the board.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn run_while<const KINGS: bool>(
        &self,
        cursor: &mut ScanCursor<'_, G::Bits>,
        visitor: &mut impl ScanVisitor<G::Bits>,
    ) -> Result<Next, CorruptMoves> {
        loop {
            if cursor.turn == Colour::White {
                match self.play_op::<KINGS, false>(cursor, visitor)? {
                    Next::Continue => {}
                    next => return Ok(next),
                }
            }
            match self.play_op::<KINGS, true>(cursor, visitor)? {
                Next::Continue => {}
                next => return Ok(next),
            }
        }
    }

    /// Plays one op. The side to move is known at compile time, so that no shift amount and no bitboard depends on it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn play_op<const KINGS: bool, const BLACK: bool>(
        &self,
        cursor: &mut ScanCursor<'_, G::Bits>,
        visitor: &mut impl ScanVisitor<G::Bits>,
    ) -> Result<Next, CorruptMoves> {
        steps::add(1);
        let turn = if BLACK { Colour::Black } else { Colour::White };
        cursor.turn = turn;
        let kings = if KINGS { cursor.sides.kings } else { G::Bits::NONE };
        let before = Sides { pieces: cursor.sides.pieces, kings };
        let counts_before =
            if KINGS { cursor.counts } else { RunningPieceCounts { kings: 0, ..cursor.counts } };
        if visitor.position(&before.state(turn), counts_before) && !cursor.is_at_setup() {
            return Ok(Next::End);
        }
        let Some(&code) = cursor.bytes.next() else { return Ok(Next::End) };
        let ply = if code < self.groups.pairs {
            let step = &self.steps[usize::from(code)];
            let (own, enemy) = (before.pieces[BLACK as usize], before.pieces[!BLACK as usize]);
            let captured = step.neighbour & enemy;
            // A selection between loaded values: no branch to mispredict, no load that depends on the position.
            let changed =
                step.quiet_change ^ select_unpredictable(captured.any(), step.jump_difference, G::Bits::NONE);
            // Of the two changed squares, the first must hold an own piece and the second must be empty.
            if (((own & changed) ^ step.from) | (enemy & changed)).any() {
                return Err(CorruptMoves);
            }
            let to = changed ^ step.from;
            let mut kings_after = to & G::LAST_ROWS[BLACK as usize];
            if KINGS {
                kings_after |= to & G::Bits::all_if((kings & step.from).any());
            }
            let (own_after, enemy_after) = (own ^ changed, enemy ^ captured);
            let pieces = if BLACK { [enemy_after, own_after] } else { [own_after, enemy_after] };
            let after = Sides { pieces, kings: (kings & !(step.from | captured)) | kings_after };
            let captured_counts = (u32::from(captured.any()), u32::from((kings & captured).any()));
            let counts_after =
                counts_before.after(turn, captured_counts, kings_after.any() & !(kings & step.from).any());
            ScannedPly {
                before,
                after,
                turn,
                from: step.from,
                to,
                captured,
                counts_before,
                counts_after,
                is_null: false,
            }
        } else if let (Some(&second), Some(op)) = (cursor.bytes.as_slice().first(), self.two_byte_op(code)) {
            let _ = cursor.bytes.next();
            let (own, enemy) = (before.pieces[BLACK as usize], before.pieces[!BLACK as usize]);
            let MoveSquares { from, to, captured } = self.two_byte_move(op, own, enemy, second);
            if !from.any() {
                return Err(CorruptMoves);
            }
            let mut kings_after = to & G::LAST_ROWS[BLACK as usize];
            if KINGS {
                kings_after |= to & G::Bits::all_if((kings & from).any());
            }
            let (own_after, enemy_after) = ((own & !from) | to, enemy ^ captured);
            let pieces = if BLACK { [enemy_after, own_after] } else { [own_after, enemy_after] };
            let after = Sides { pieces, kings: (kings & !(from | captured)) | kings_after };
            let captured_counts = (captured.count(), if KINGS { (kings & captured).count() } else { 0 });
            let counts_after =
                counts_before.after(turn, captured_counts, kings_after.any() & !(kings & from).any());
            ScannedPly {
                before,
                after,
                turn,
                from,
                to,
                captured,
                counts_before,
                counts_after,
                is_null: false,
            }
        } else {
            let long = self.long_op(&before.state(turn), code, cursor.bytes.as_slice())?;
            cursor.bytes = long.bytes.iter();
            if long.is_setup {
                (cursor.sides, cursor.counts, cursor.turn) =
                    (long.ply.after, long.ply.counts_after, long.ply.turn);
                return Ok(Next::SwitchLoop);
            }
            long.ply
        };
        (cursor.sides, cursor.counts) = (ply.after, ply.counts_after);
        cursor.turn = !turn;
        Ok(match visitor.ply(&ply) {
            true => Next::End,
            false if !KINGS && ply.after.kings.any() => Next::SwitchLoop,
            false => Next::Continue,
        })
    }

    /// Returns the meaning of a code that takes two bytes; `None` for other codes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn two_byte_op(&self, code: u8) -> Option<TwoByteOp> {
        let op = self.two_byte_ops[usize::from(code)];
        (op != TwoByteOp::None).then_some(op)
    }

    /// Returns the squares of a move of two bytes; all empty if it is malformed.
    #[inline(never)]
    fn two_byte_move(&self, op: TwoByteOp, own: G::Bits, enemy: G::Bits, second: u8) -> MoveSquares<G::Bits> {
        let none = G::Bits::NONE;
        let malformed = MoveSquares { from: none, to: none, captured: none };
        let square = || (u32::from(second) < G::Bits::SIZE).then(|| G::Bits::one(second) & G::VALID);
        let mv = match op {
            TwoByteOp::None => malformed,
            TwoByteOp::Jumps(count, directions) => {
                let step = &self.steps[usize::from(second)];
                let mut captured = step.neighbour & enemy;
                if second >= self.groups.pairs || !captured.any() || step.landing() == step.from {
                    return malformed;
                }
                let mut to = step.landing();
                for &direction in &directions[..usize::from(count)] {
                    let step = &self.directions[usize::from(direction) & 7];
                    let over = step.step(to) & enemy & !captured;
                    to = step.step(over);
                    captured |= over;
                }
                MoveSquares { from: step.from, to, captured }
            }
            TwoByteOp::Slide(direction, distance) => {
                let direction = usize::from(direction) & 7;
                let from = square().unwrap_or(none);
                let ray = G::ray(direction, second);
                let end = second.wrapping_add((self.directions[direction].by as u8).wrapping_mul(distance));
                let to = G::Bits::one(end) & ray;
                let between = ray & !(G::ray(direction, end) | to);
                MoveSquares { from, to, captured: between & enemy }
            }
            TwoByteOp::Side(direction) => {
                let step = &self.directions[usize::from(direction) & 7];
                let from = square().unwrap_or(none);
                let captured = step.step(from) & enemy;
                MoveSquares { from, to: step.step(captured), captured }
            }
        };
        let remaining = ((own | enemy) & !mv.from) & !mv.captured;
        let is_well_formed = (mv.from & own).any() & mv.to.any() & !(mv.to & remaining).any();
        if is_well_formed { mv } else { malformed }
    }

    /// Plays an op that is neither a pair nor a move of two bytes. `bytes` are those after its first.
    ///
    /// The result is a struct instead of an enum, so that the common path does not have to move fields out of variants.
    #[inline(never)]
    fn long_op<'a>(
        &self,
        before: &State<G::Bits>,
        code: u8,
        bytes: &'a [u8],
    ) -> Result<LongOp<'a, G::Bits>, CorruptMoves> {
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
            counts_before: RunningPieceCounts::of(before),
            counts_after: RunningPieceCounts::default(),
            is_null: false,
        };
        let mut is_setup = false;
        match op {
            PackedOp::Setup(state) => {
                is_setup = true;
                (ply.after, ply.turn) = (sides(&state), state.turn);
            }
            PackedOp::Null => ply.is_null = true,
            PackedOp::Move(mv) => {
                let mut after = *before;
                after.play_uncounted(&mv);
                ply.after = sides(&after);
                (ply.from, ply.to, ply.captured) =
                    (G::Bits::one(mv.from.0), G::Bits::one(mv.to.0), mv.captured);
            }
        }
        ply.counts_after = RunningPieceCounts::of(&ply.after());
        Ok(LongOp { ply, is_setup, bytes: reader.0 })
    }
}

/// The state of a scan.
struct ScanCursor<'a, B> {
    sides: Sides<B>,
    counts: RunningPieceCounts,
    turn: Colour,
    /// The bytes of the ops not yet played.
    bytes: std::slice::Iter<'a, u8>,
}

impl<'a, B: Bits> ScanCursor<'a, B> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn new(start: &State<B>, bytes: &'a [u8]) -> Self {
        let sides = Sides { pieces: start.pieces, kings: start.kings };
        Self { sides, counts: RunningPieceCounts::of(start), turn: start.turn, bytes: bytes.iter() }
    }

    /// Returns `true` if the next op is a setup.
    #[cold]
    fn is_at_setup(&self) -> bool {
        self.bytes.as_slice().starts_with(&[OTHER, SETUP])
    }
}

/// The squares of a move as bitboards.
#[derive(Clone, Copy)]
struct MoveSquares<B> {
    from: B,
    to: B,
    captured: B,
}

/// The result of [`MoveCodec::long_op`].
struct LongOp<'a, B> {
    /// The ply; for a setup, `after`, `turn` and `counts_after` are those of the new position.
    ply: ScannedPly<B>,
    is_setup: bool,
    /// The bytes after the op.
    bytes: &'a [u8],
}
