//! Whole games on boards that are known at run time.

use super::codes::MoveCodec;
use super::decode::{CorruptMoves, PackedOp};
use crate::board::{Bits, Geometry};
use crate::position::{Move, Position, State};
use crate::rules::{Ruleset, WithRules};

/// A ply of a game that was unpacked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnpackedPly {
    /// The position before, king counters included.
    pub before: Position,
    /// The move; `None` for a null move.
    pub mv: Option<Move>,
}

/// Packs a game that starts in `start` and goes on with these ops; a null move is [`PackedOp::Null`], a new position
/// [`PackedOp::Setup`]. Appends to `out` and answers with the last position.
///
/// Unless `start` is what the reader will start from, put it first as a setup.
pub fn pack(start: &Position, ops: &[PackedOp<u128>], out: &mut Vec<u8>) -> Position {
    struct Pack<'a>(State<u128>, &'a [PackedOp<u128>], &'a mut Vec<u8>);
    impl WithRules for Pack<'_> {
        type Output = State<u128>;
        fn run<R: Ruleset>(self, rules: R) -> State<u128> {
            let codec = MoveCodec::<R::Geometry>::new();
            let mut state = self.0.resized();
            for op in self.1 {
                match op {
                    PackedOp::Move(mv) => {
                        let mv = mv.resized();
                        codec.encode(&state, &mv, self.2);
                        state.play(rules, &mv);
                    }
                    PackedOp::Null => {
                        codec.encode_null(self.2);
                        pass(&mut state);
                    }
                    PackedOp::Setup(position) => {
                        state = position.resized();
                        codec.encode_setup(&state, self.2);
                    }
                }
            }
            state.resized()
        }
    }
    let end = start.rules().with(Pack(*start.state(), ops, out));
    Position::from_state(*start.game(), end)
}

/// Unpacks a game: every ply and the last position. O(bytes).
///
/// # Errors
/// When the bytes make no sense.
pub fn unpack(start: &Position, bytes: &[u8]) -> Result<(Vec<UnpackedPly>, Position), CorruptMoves> {
    struct Unpack<'a>(&'a Position, &'a [u8]);
    impl WithRules for Unpack<'_> {
        type Output = Result<(Vec<UnpackedPly>, Position), CorruptMoves>;
        fn run<R: Ruleset>(self, rules: R) -> Self::Output {
            let Self(start, mut bytes) = self;
            let codec = MoveCodec::<R::Geometry>::new();
            let mut state: State<<R::Geometry as Geometry>::Bits> = start.state().resized();
            // Walks beside the bare state: a position made of a state anew is a hundred times as dear.
            let mut position = *start;
            let mut plies = Vec::with_capacity(bytes.len());
            while let Some(op) = codec.decode(&state, bytes) {
                let (op, rest) = op?;
                bytes = rest;
                let before = position;
                match op {
                    PackedOp::Move(mv) => {
                        state.play(rules, &mv);
                        let mv = mv.resized();
                        let _ = position.play(&mv);
                        plies.push(UnpackedPly { before, mv: Some(mv) });
                    }
                    PackedOp::Null => {
                        pass(&mut state);
                        let _ = position.pass();
                        plies.push(UnpackedPly { before, mv: None });
                    }
                    PackedOp::Setup(setup) => {
                        state = setup;
                        position = Position::from_state(*start.game(), state.resized());
                    }
                }
            }
            Ok((plies, position))
        }
    }
    start.rules().with(Unpack(start, bytes))
}

/// As [`Position::pass`].
fn pass<B: Bits>(state: &mut State<B>) {
    state.streaks[state.turn as usize] = Default::default();
    state.turn = !state.turn;
}
