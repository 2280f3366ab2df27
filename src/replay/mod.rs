//! Replays whole games by their rules: what is written meets what is legal.
//!
//! [`Replayer`] is the form for archives: it hears of a game as a [`parse::Visitor`](crate::parse::Visitor), keeps
//! ten bytes a move, finds out which game is played, plays the main line and hands every legal move to a
//! [`PlySink`]. Its memory is used again, so that replaying a million games allocates what the longest of them needs.
//! [`annotate`] is the form for people: positions, texts, comments, clocks and variations as a tree.
//!
//! ```
//! use pdn::replay::{ReplayOptions, Replayer, GameStatus};
//!
//! let mut replayer = Replayer::new(ReplayOptions::default());
//! let mut moves = Vec::new();
//! let summary = replayer.replay(b"1. 32-28 19-23 2. 28x19 14x23 3. 37-32 *", &mut moves);
//! assert_eq!((summary.status, summary.plies, moves.len()), (GameStatus::Legal, 5, 5));
//! assert_eq!(summary.variant.name(), "international");
//! assert!(summary.basis.is_inferred());
//! ```
//!
//! # What is done about what real files write
//! - Separators prove nothing: `10x14` may be a step and `32-23` a capture.
//! - A text with several readings (`718`, `ab4`) or several captures means the one that is legal; if several are,
//!   the one that keeps the rest of the game legal; if that does not tell either, the game is
//!   [ambiguous](GameStatus::Ambiguous) from there on. The look-ahead has a budget for the whole game.
//! - One capture in several texts (`11x18 18x25`, PDN 1.0) is joined.
//! - Marks for missing moves are passed over where the next move is legal all the same (`1. ... 18-23`); elsewhere
//!   nobody knows the position after them, and the game ends there unless a setup follows.
//! - The variant is the GameType tag's; else the caller's; else [inferred](VariantBasis).
//!
//! What is legal is kept, always: a game with an illegal move is its legal beginning and a [`ReplayStop`].
//!
//! Nothing here prints, and nothing panics whatever the bytes. Linear in the length of the game, with a bounded
//! search for each capture.

mod candidates;
mod effort;
mod games;
mod line;
mod options;
mod plies;
mod prior;
mod replayer;
mod resolve;
mod run;
mod suggest;
mod summary;
#[cfg(test)]
mod tests;
mod tokens;
mod tree;

pub use options::{CandidateGame, ReplayOptions};
pub use plies::PlyBatch;
pub use prior::{FilePrior, FilePriorPoll};
pub use replayer::Replayer;
pub use suggest::suggest;
pub use summary::{GameStatus, ReplayStop, ReplaySummary, StopReason, VariantBasis, WrittenResult};
pub use tree::{AnnotatedGame, AnnotatedLine, AnnotatedPly, annotate};

use crate::position::{Move, State};
pub use crate::rules::BitsOf;
use crate::rules::Ruleset;

/// Receives the legal moves of the main line, one after the other, compiled for the rules of the game.
///
/// Moves come in the order of play and only once they are settled, with one exception: where a game turns out to be
/// of another variant than assumed, it begins anew. [`begin`](PlySink::begin) therefore discards what came before it.
pub trait PlySink {
    /// A game begins, or begins anew. `candidate` says what it is, `start` is the position before its first ply.
    #[inline]
    fn begin<R: Ruleset>(&mut self, rules: R, candidate: &CandidateGame, start: &State<BitsOf<R>>) {
        let _ = (rules, candidate, start);
    }

    /// A legal move, and the position in which it is played.
    fn ply<R: Ruleset>(&mut self, rules: R, before: &State<BitsOf<R>>, mv: &Move<BitsOf<R>>);

    /// Legal moves that follow each other, with the positions in which they are played: as [`ply`](PlySink::ply) for each
    /// of them, which is what it does unless a sink knows better. Most plies come this way.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn plies<R: Ruleset>(&mut self, rules: R, plies: &PlyBatch<'_, BitsOf<R>>) {
        for (before, mv) in plies.iter() {
            self.ply(rules, &before, &mv);
        }
    }

    /// A null move, and the position in which it is played: the other side is to move. It is no ply.
    #[inline]
    fn null<R: Ruleset>(&mut self, rules: R, before: &State<BitsOf<R>>) {
        self.setup(rules, &before.passed());
    }

    /// A setup within the game: the next ply is played in this position.
    #[inline]
    fn setup<R: Ruleset>(&mut self, rules: R, position: &State<BitsOf<R>>) {
        let _ = (rules, position);
    }
}

/// Keeps the moves.
impl PlySink for Vec<Move> {
    #[inline]
    fn begin<R: Ruleset>(&mut self, _: R, _: &CandidateGame, _: &State<BitsOf<R>>) {
        self.clear();
    }

    #[inline]
    fn ply<R: Ruleset>(&mut self, _: R, _: &State<BitsOf<R>>, mv: &Move<BitsOf<R>>) {
        self.push(mv.resized());
    }
}

/// Keeps nothing: for programs that want the [`ReplaySummary`] alone.
impl PlySink for () {
    #[inline]
    fn ply<R: Ruleset>(&mut self, _: R, _: &State<BitsOf<R>>, _: &Move<BitsOf<R>>) {}
}
