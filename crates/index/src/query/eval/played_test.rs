//! Tests of the moves from a position on.

use super::frame::Frame;
use super::move_test::MoveTest;
use super::packed_run::PackedRun;
use crate::GameKind;
use crate::query::conditions::{PlayedMoves, PlayedPart};
use pdn::board::Bits;
use pdn_rules::internal::board::Geometry;

/// A sequence of moves, compiled for a board.
#[derive(Debug)]
pub(in crate::query) struct PlayedTest<B> {
    pub(super) steps: Vec<PlayedStep<B>>,
    /// Moves of the sequence by their packed bytes, if they have such.
    pub(super) run: Option<PackedRun>,
}

/// A step of a sequence of moves.
#[derive(Debug)]
pub(super) enum PlayedStep<B> {
    /// A move that passes the test; `None` if no move does, because the board lacks its squares.
    Move(Option<MoveTest<B>>),
    /// Any single move.
    One,
    /// Any number of moves.
    Any,
}

impl<B: Bits> PlayedTest<B> {
    /// Compiles a sequence of moves for the games of a kind, as a form of a query reads it.
    pub(super) fn new<G: Geometry<Bits = B>>(moves: &PlayedMoves, kind: &GameKind, frame: Frame) -> Self {
        let step = |part: &PlayedPart| match part {
            PlayedPart::Move(mv) => PlayedStep::Move(MoveTest::new::<G>(mv, kind.numbering, frame)),
            PlayedPart::One => PlayedStep::One,
            PlayedPart::Any => PlayedStep::Any,
        };
        // The bytes are those of the squares as they are written.
        let run = if frame == Frame::default() { PackedRun::longest::<G>(moves, kind) } else { None };
        Self { steps: moves.parts.iter().map(step).collect(), run }
    }
}
