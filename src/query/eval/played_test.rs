//! Tests of the moves from a position on.

use super::move_test::MoveTest;
use crate::board::Geometry;
use crate::index::GameKind;
use crate::query::conditions::{PlayedMoves, PlayedPart};

/// A step of a sequence of moves, compiled for a board.
#[derive(Debug)]
pub(in crate::query) enum PlayedStep<B> {
    /// A move that passes the test; `None` if no move does, because the board lacks its squares.
    Move(Option<MoveTest<B>>),
    /// Any single move.
    One,
    /// Any number of moves.
    Any,
}

/// Compiles a sequence of moves for the games of a kind.
pub(super) fn played_steps<G: Geometry>(moves: &PlayedMoves, kind: &GameKind) -> Vec<PlayedStep<G::Bits>> {
    let step = |part: &PlayedPart| match part {
        PlayedPart::Move(mv) => PlayedStep::Move(MoveTest::new::<G>(mv, kind.numbering)),
        PlayedPart::One => PlayedStep::One,
        PlayedPart::Any => PlayedStep::Any,
    };
    moves.parts.iter().map(step).collect()
}
