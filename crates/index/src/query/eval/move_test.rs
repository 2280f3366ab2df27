//! Tests of the next move, and of the moves from a position on.

use std::ops::RangeInclusive;

use super::fact_need::FactNeed;
use super::frame::Frame;
use super::packed_run::PackedRun;
use super::position_batch::PositionBatch;
use crate::GameKind;
use crate::query::conditions::{MoveCondition, PlayedMoves, PlayedPart, SquareRef};
use pdn::board::SquareNames;
use pdn::value::Colour;
use pdn_rules::internal::board::{Bits, Geometry, Numbering};

/// A condition on the next move, compiled for a board.
#[derive(Clone, Debug)]
pub(in crate::query) struct MoveTest<B> {
    /// The squares on which the move may start. A null move starts on none, so that it never matches.
    from: B,
    to: Option<B>,
    over: B,
    side: Option<Colour>,
    king: Option<bool>,
    promotes: Option<bool>,
    takes: Option<RangeInclusive<u32>>,
    retakes: bool,
}

impl<B: Bits> MoveTest<B> {
    /// Compiles a condition for a board and a numbering, as a form of a query reads it; `None` if no move can match it
    /// because the board lacks its squares.
    pub(super) fn new<G: Geometry<Bits = B>>(
        condition: &MoveCondition,
        numbering: Numbering,
        frame: Frame,
    ) -> Option<Self> {
        let names = SquareNames::new(G::BOARD, numbering);
        let image = frame.image::<G>();
        let bitboard = |squares: &[SquareRef]| {
            let bits = squares.iter().filter_map(|square| square.bit(&names));
            image.of(bits.fold(B::NONE, |set, at| set | B::one(at)))
        };
        // `None` if squares are given and the board has none of them, `Some(None)` if none are given.
        let alternatives = |squares: &[SquareRef]| {
            let set = bitboard(squares);
            if squares.is_empty() { Some(None) } else { set.any().then_some(Some(set)) }
        };
        if condition.over.iter().any(|square| square.bit(&names).is_none()) {
            return None;
        }
        Some(Self {
            from: alternatives(&condition.from)?.unwrap_or(G::VALID),
            to: alternatives(&condition.to)?,
            over: bitboard(&condition.over),
            side: condition.side.map(|side| frame.side(side)),
            king: condition.king,
            promotes: condition.promotes,
            takes: condition.takes.clone().map(|range| (*range.start()).into()..=(*range.end()).into()),
            retakes: condition.retakes,
        })
    }

    /// Returns what the facts of a game must be for one of its moves to match.
    pub(super) fn fact_need(&self) -> FactNeed {
        let mut needs = Vec::new();
        let least = self
            .takes
            .as_ref()
            .map_or(0, |takes| *takes.start())
            .max(self.over.count())
            .max(self.retakes.into());
        if least > 0 {
            needs.push(FactNeed::takes(self.king, least));
        }
        if self.promotes == Some(true) {
            needs.push(FactNeed::promotion(self.side));
        }
        if self.king == Some(true) {
            needs.push(self.side.map_or_else(FactNeed::any_king, FactNeed::King));
        }
        FactNeed::All(needs)
    }

    /// Returns the positions of `among`, a bit each, whose next move matches.
    pub(super) fn matches(&self, batch: &PositionBatch<B>, among: u64) -> u64 {
        let mut found = among;
        if let Some(side) = self.side {
            found &= batch.turn(side);
        }
        if let (Some(takes), 1..) = (&self.takes, found) {
            found &= batch.captures_in(takes);
        }
        if let (Some(promotes), 1..) = (self.promotes, found) {
            found &= if promotes { batch.promotions() } else { !batch.promotions() };
        }
        if found != 0 {
            found &= batch.starting_on(self.from);
        }
        if let (Some(to), 1..) = (self.to, found) {
            found &= batch.ending_on(to);
        }
        if self.over.any() && found != 0 {
            found &= batch.capturing(self.over);
        }
        if let (Some(king), 1..) = (self.king, found) {
            found &= if king { batch.king_moves() } else { !batch.king_moves() };
        }
        if self.retakes && found != 0 {
            found &= batch.retakes();
        }
        found
    }
}

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
