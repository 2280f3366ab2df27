//! The codes of whatever board a game was played on.

use super::codes::MoveCodec;
use crate::board::{Board, Eight, EightFull, Geometry, Ten, TenByEight, Twelve};

/// The tables of all boards, each made when it is first needed.
#[derive(Debug, Default)]
pub(crate) struct Codecs {
    eight: Option<MoveCodec<Eight>>,
    full: Option<MoveCodec<EightFull>>,
    wide: Option<MoveCodec<TenByEight>>,
    ten: Option<MoveCodec<Ten>>,
    twelve: Option<MoveCodec<Twelve>>,
}

/// Work that is compiled for every board; handed to [`Codecs::with`].
pub(crate) trait WithCodec {
    /// What the work returns.
    type Output;

    /// Does the work on this board.
    fn run<G: Geometry>(self, codec: &MoveCodec<G>) -> Self::Output;
}

impl Codecs {
    /// Runs `work` on a board. The choice costs a nanosecond.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn with<W: WithCodec>(&mut self, board: Board, work: W) -> W::Output {
        match board {
            Board::Eight => work.run(self.eight.get_or_insert_with(MoveCodec::new)),
            Board::EightFull => work.run(self.full.get_or_insert_with(MoveCodec::new)),
            Board::TenByEight => work.run(self.wide.get_or_insert_with(MoveCodec::new)),
            Board::Ten => work.run(self.ten.get_or_insert_with(MoveCodec::new)),
            Board::Twelve => work.run(self.twelve.get_or_insert_with(MoveCodec::new)),
        }
    }
}
