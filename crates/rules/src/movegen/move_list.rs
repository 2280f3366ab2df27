//! A list of moves that can be filled again without allocating.

use alloc::vec::Vec;
use core::ops::Deref;
use core::slice;

use super::capture_search::CaptureSink;
use crate::board::Bits;
use crate::position::Move;

/// A list of legal moves that dereferences to a slice. Filling it again allocates only if it has to grow.
///
/// ```
/// use pdn_rules::movegen::MoveList;
/// use pdn_rules::{Position, Variant};
///
/// let mut list = MoveList::new();
/// for variant in [Variant::International, Variant::English] {
///     Position::start(variant).legal_moves(&mut list)?;
///     assert!(list.iter().all(|mv| !mv.is_capture()));
/// }
/// assert_eq!(list.len(), 7);
/// # Ok::<(), pdn_rules::movegen::CaptureLimit>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct MoveList<B = u128> {
    moves: Vec<Move<B>>,
}

impl<B> MoveList<B> {
    /// Creates an empty list with room for the moves of nearly every real position.
    pub fn new() -> Self {
        Self { moves: Vec::with_capacity(64) }
    }

    /// Returns the moves as a slice.
    pub fn as_slice(&self) -> &[Move<B>] {
        &self.moves
    }

    pub(super) fn reset(&mut self) {
        self.moves.clear();
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn push(&mut self, mv: Move<B>) {
        self.moves.push(mv);
    }
}

impl<B> Deref for MoveList<B> {
    type Target = [Move<B>];

    fn deref(&self) -> &[Move<B>] {
        &self.moves
    }
}

impl<B> IntoIterator for MoveList<B> {
    type Item = Move<B>;
    type IntoIter = alloc::vec::IntoIter<Move<B>>;

    fn into_iter(self) -> Self::IntoIter {
        self.moves.into_iter()
    }
}

impl<'a, B> IntoIterator for &'a MoveList<B> {
    type Item = &'a Move<B>;
    type IntoIter = slice::Iter<'a, Move<B>>;

    fn into_iter(self) -> Self::IntoIter {
        self.moves.iter()
    }
}

/// Captures found on one board may be collected in the words of another.
impl<B: Bits, O: Bits> CaptureSink<B> for MoveList<O> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn clear(&mut self) {
        self.moves.clear();
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn add(&mut self, mv: Move<B>, repeats: bool) -> u32 {
        let mv = mv.resized();
        if !repeats {
            self.moves.push(mv);
            return 0;
        }
        if self.moves.contains(&mv) {
            return 1 + self.moves.len() as u32 / 8;
        }
        let looked_at = self.moves.len() as u32;
        self.moves.push(mv);
        looked_at / 8
    }
}
