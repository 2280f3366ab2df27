//! The codecs of all boards, for a board that is known only at run time.

use super::codes::MoveCodec;
use crate::board::{Board, Eight, EightFull, Geometry, Ten, TenByEight, Twelve};

/// The codecs of all boards, each built when it is first needed.
#[derive(Debug, Default)]
pub(crate) struct Codecs {
    eight: Option<MoveCodec<Eight>>,
    eight_full: Option<MoveCodec<EightFull>>,
    ten_by_eight: Option<MoveCodec<TenByEight>>,
    ten: Option<MoveCodec<Ten>>,
    twelve: Option<MoveCodec<Twelve>>,
}

/// Work that is compiled for every board; handed to [`Codecs::with`].
pub(crate) trait WithCodec {
    /// The result of the work.
    type Output;

    /// Does the work on the board of `codec`.
    fn run<G: Geometry>(self, codec: &MoveCodec<G>) -> Self::Output;
}

impl Codecs {
    /// Runs `work` on a board and returns its result. The dispatch takes about a nanosecond.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn with<W: WithCodec>(&mut self, board: Board, work: W) -> W::Output {
        match board {
            Board::Eight => work.run(self.eight.get_or_insert_with(MoveCodec::new)),
            Board::EightFull => work.run(self.eight_full.get_or_insert_with(MoveCodec::new)),
            Board::TenByEight => work.run(self.ten_by_eight.get_or_insert_with(MoveCodec::new)),
            Board::Ten => work.run(self.ten.get_or_insert_with(MoveCodec::new)),
            Board::Twelve => work.run(self.twelve.get_or_insert_with(MoveCodec::new)),
        }
    }
}
