//! The receiver of the legal plies of a main line.

use super::{CandidateGame, PlyBatch};
use crate::position::{Move, State};
use crate::rules::{BitsOf, Ruleset};

/// Receives the legal moves of the main line in the order of play; compiled for the rules of each game.
///
/// A vector of moves keeps those of the last game, and `()` discards them. With the feature `unstable`, programs implement the
/// trait themselves.
///
/// A move is passed on only once it is final, with one exception: if a game turns out to be of another variant than
/// assumed, it starts again. `begin` therefore discards everything received before it.
///
/// ```
/// use pdn::replay::Replayer;
///
/// let mut moves = Vec::new();
/// let summary = Replayer::default().replay(b"1. 32-28 19-23 2. 28x19 14x23 *", &mut moves);
/// assert_eq!((summary.plies, moves.len()), (4, 4));
/// assert!(moves[2].is_capture());
/// ```
pub trait PlySink {
    /// Receives the start of a game, or its new start: the variant and numbering, and the position before the first ply.
    #[doc(hidden)]
    #[inline]
    fn begin<R: Ruleset>(&mut self, rules: R, candidate: &CandidateGame, start: &State<BitsOf<R>>) {
        let _ = (rules, candidate, start);
    }

    /// Receives a legal move and the position in which it is played.
    #[doc(hidden)]
    fn ply<R: Ruleset>(&mut self, rules: R, before: &State<BitsOf<R>>, mv: &Move<BitsOf<R>>);

    /// Receives consecutive legal moves with the positions in which they are played. Most plies arrive here.
    ///
    /// The default calls [`ply`](PlySink::ply) for each. Implement it if a batch can be handled faster.
    #[doc(hidden)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn plies<R: Ruleset>(&mut self, rules: R, plies: &PlyBatch<'_, BitsOf<R>>) {
        for (before, mv) in plies.iter() {
            self.ply(rules, &before, &mv);
        }
    }

    /// Receives a null move, which is not a ply, and the position before it. Afterwards the other side is to move.
    #[doc(hidden)]
    #[inline]
    fn null<R: Ruleset>(&mut self, rules: R, before: &State<BitsOf<R>>) {
        self.setup(rules, &before.passed());
    }

    /// Receives a setup within the game: the next ply is played in this position.
    #[doc(hidden)]
    #[inline]
    fn setup<R: Ruleset>(&mut self, rules: R, position: &State<BitsOf<R>>) {
        let _ = (rules, position);
    }
}

/// Keeps the moves of the last game.
impl PlySink for Vec<Move> {
    #[doc(hidden)]
    #[inline]
    fn begin<R: Ruleset>(&mut self, _: R, _: &CandidateGame, _: &State<BitsOf<R>>) {
        self.clear();
    }

    #[doc(hidden)]
    #[inline]
    fn ply<R: Ruleset>(&mut self, _: R, _: &State<BitsOf<R>>, mv: &Move<BitsOf<R>>) {
        self.push(mv.resized());
    }
}

/// Discards all moves: for programs that only need the [`ReplaySummary`](super::ReplaySummary).
impl PlySink for () {
    #[doc(hidden)]
    #[inline]
    fn ply<R: Ruleset>(&mut self, _: R, _: &State<BitsOf<R>>, _: &Move<BitsOf<R>>) {}
}
