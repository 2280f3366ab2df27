//! Legal moves of a [`Position`], whose rules are known at run time.

use super::capture_paths::{self, CapturePath};
use super::capture_search::{CaptureLimit, DEFAULT_CAPTURE_NODES};
use super::find::{find, find_via};
use super::find_error::FindError;
use super::generate;
use super::move_list::MoveList;
use super::perft::perft;
use crate::board::Square;
use crate::position::{Move, Position};
use crate::rules::{Ruleset, WithRules};
use alloc::vec::Vec;

impl Position {
    /// Returns all legal moves, each once.
    ///
    /// Use [`legal_moves`](Self::legal_moves) to fill the same list again and again without allocating.
    ///
    /// ```
    /// use pdn_rules::position::Position;
    /// use pdn_rules::rules::Variant;
    ///
    /// let position = Position::start(Variant::International);
    /// assert_eq!(position.moves()?.len(), 9);
    /// # Ok::<(), pdn_rules::movegen::CaptureLimit>(())
    /// ```
    ///
    /// # Errors
    /// [`CaptureLimit`] if the captures need more than [`DEFAULT_CAPTURE_NODES`] search nodes; no position of a real
    /// game comes near.
    pub fn moves(&self) -> Result<MoveList, CaptureLimit> {
        let mut list = MoveList::new();
        self.legal_moves(&mut list)?;
        Ok(list)
    }

    /// Returns the number of sequences of `depth` moves; see [`perft`](fn@super::perft).
    ///
    /// # Errors
    /// [`CaptureLimit`] as for [`moves`](Self::moves), at any position on the way.
    pub fn perft(&self, depth: u32) -> Result<u64, CaptureLimit> {
        perft(self, depth, DEFAULT_CAPTURE_NODES)
    }

    /// Fills `list` with all legal moves, each once.
    ///
    /// # Errors
    /// The same as [`moves`](Self::moves); the content of the list has then no meaning.
    pub fn legal_moves(&self, list: &mut MoveList) -> Result<(), CaptureLimit> {
        self.legal_moves_within(DEFAULT_CAPTURE_NODES, list)
    }

    /// Does the same as [`legal_moves`](Self::legal_moves) with another limit on search nodes.
    ///
    /// # Errors
    /// [`CaptureLimit`] if the captures need more than `capture_nodes` search nodes.
    pub fn legal_moves_within(&self, capture_nodes: u32, list: &mut MoveList) -> Result<(), CaptureLimit> {
        struct Generate<'a>(&'a Position, u32, &'a mut MoveList);
        impl WithRules for Generate<'_> {
            type Output = Result<(), CaptureLimit>;
            fn run<R: Ruleset>(self, rules: R) -> Self::Output {
                generate::legal_moves(rules, &self.0.state().resized(), self.1, self.2)
            }
        }
        self.rules().with(Generate(self, capture_nodes, list))
    }

    /// Returns the only legal move between two squares; if `via` is not empty, the only one that leads over these
    /// squares.
    ///
    /// [`find_via`] defines which written squares match a move. [`parse_move`](Self::parse_move) does all this for
    /// a text.
    ///
    /// # Errors
    /// See [`FindError`].
    pub fn find(&self, from: Square, to: Square, via: &[Square]) -> Result<Move, FindError> {
        self.find_within(DEFAULT_CAPTURE_NODES, from, to, via)
    }

    /// Does the same as [`find`](Self::find) with another limit on search nodes.
    ///
    /// # Errors
    /// See [`FindError`].
    pub fn find_within(
        &self,
        capture_nodes: u32,
        from: Square,
        to: Square,
        via: &[Square],
    ) -> Result<Move, FindError> {
        struct Find<'a>(&'a Position, u32, Square, Square, &'a [Square]);
        impl WithRules for Find<'_> {
            type Output = Result<Move, FindError>;
            fn run<R: Ruleset>(self, rules: R) -> Self::Output {
                let Self(position, capture_nodes, from, to, via) = self;
                let state = position.state().resized();
                let found = if via.is_empty() {
                    find(rules, &state, from, to, capture_nodes)
                } else {
                    find_via(rules, &state, from, to, via, capture_nodes)
                };
                found.map(Move::resized)
            }
        }
        self.rules().with(Find(self, capture_nodes, from, to, via))
    }

    /// Returns `true` if a move is legal, including its captured pieces and its promotion.
    ///
    /// # Errors
    /// [`CaptureLimit`] as for [`moves`](Self::moves).
    pub fn is_legal(&self, mv: &Move) -> Result<bool, CaptureLimit> {
        match self.find(mv.from, mv.to, &[]) {
            Ok(found) => Ok(found == *mv),
            Err(FindError::Limit) => Err(CaptureLimit),
            Err(FindError::Ambiguous) => {
                let mut list = MoveList::new();
                self.legal_moves(&mut list)?;
                Ok(list.contains(mv))
            }
            Err(FindError::Illegal | FindError::OtherPath) => Ok(false),
        }
    }

    /// Returns all paths of a legal capture, or the only path of a quiet move.
    ///
    /// # Errors
    /// [`CaptureLimit`] as for [`moves`](Self::moves).
    pub fn paths(&self, mv: &Move) -> Result<Vec<CapturePath>, CaptureLimit> {
        struct Paths<'a>(&'a Position, &'a Move);
        impl WithRules for Paths<'_> {
            type Output = Result<Vec<CapturePath>, CaptureLimit>;
            fn run<R: Ruleset>(self, rules: R) -> Self::Output {
                let state = self.0.state().resized();
                capture_paths::paths(rules, &state, &self.1.resized(), DEFAULT_CAPTURE_NODES)
            }
        }
        self.rules().with(Paths(self, mv))
    }
}
